//! The search over placements.

use super::Settings;
use super::constraints::Constraints;
use super::placements::{Id, NONE, Placement, Placements};
use crate::neighbourhoods::Objective;
use crate::pibt::{Compass, Ground, NONE as UNDECIDED, Step, action, mix};
use crate::reach::unreachable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{
    Action, AgentId, Budget, Observer, Outcome, Path, Plan, Reason, Scenario, SearchKind, Task,
};
use throng_search::Workers;

/// How often, in 65,536ths, the search goes on from the start again when it meets a placement that it knows: once it is caught
/// in a corner, everything new is behind it.
const RESTARTS: u64 = 66;

pub(super) struct Search<'a> {
    pub(super) settings: Settings,
    pub(super) scenario: &'a Scenario,
    pub(super) ground: Ground<'a>,
    pub(super) compass: Compass,
    step: Step,
    /// By unit: its goal.
    goals: Vec<u32>,
    /// By unit: whether it stays where it is.
    holds: Vec<bool>,
    placements: Placements,
    open: Vec<Id>,
    goal: Id,
    /// A plan that costs so much is known: nothing that costs as much is looked at.
    pub(super) bound: u64,
    dice: u64,
    pub(super) spent: u64,
    cells: Vec<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(settings: Settings, scenario: &'a Scenario) -> Self {
        let grid = scenario.grid();
        let id = |cell| grid.id(cell).unwrap_or_default().0;
        let agents = scenario.agents();
        let goals: Vec<u32> = agents.iter().map(|agent| id(agent.waypoints().last())).collect();
        let mut compass = Compass::new(settings.memory);
        compass.aim(goals.iter().copied());
        Self {
            settings,
            scenario,
            ground: Ground::new(grid, scenario.rules()),
            compass,
            step: Step::new(),
            goals,
            holds: agents.iter().map(|agent| matches!(agent.task, Task::Hold)).collect(),
            placements: Placements::default(),
            open: Vec::new(),
            goal: NONE,
            bound: u64::MAX,
            dice: mix(settings.seed) | 1,
            spent: 0,
            cells: Vec::new(),
        }
    }

    pub(super) fn run(
        mut self,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        workers: &Workers,
    ) -> Outcome {
        let starts: Vec<u32> = self
            .scenario
            .agents()
            .iter()
            .map(|agent| self.scenario.grid().id(agent.start).unwrap_or_default().0)
            .collect();
        if let Some(why) = unreachable(self.scenario) {
            return Outcome::Infeasible { why };
        }
        let wanted: Vec<_> = self.goals.iter().copied().zip(starts.iter().copied()).collect();
        self.compass.prepare(&self.ground, &wanted, workers);
        for (agent, &start) in starts.iter().enumerate() {
            let alone = self.compass.distance(&self.ground, agent as u32, start);
            observer.alone(AgentId(agent as u32), u64::from(alone));
        }
        self.add_first(starts);
        let proven = self.search(budget, u64::MAX);
        let backwards = self.compass.fields().expanded();
        let plan = (self.goal != NONE).then(|| match self.settings.improve {
            0 => self.plan(),
            _ => self.refined(budget, observer, workers),
        });
        if !self.goals.is_empty() {
            observer.expanded(AgentId(0), SearchKind::Main, self.spent);
            observer.expanded(AgentId(0), SearchKind::Backwards, backwards);
        }
        if let Some(plan) = plan {
            return Outcome::Solved(plan);
        }
        let placements = self.placements.len() as u64;
        if proven {
            return Outcome::Infeasible { why: Reason::Exhausted { placements } };
        }
        let agent = AgentId(0);
        let why = Reason::OutOfBudget { agent, expanded: self.spent + backwards };
        Outcome::OutOfBudget { best: None, why }
    }

    pub(super) fn add_first(&mut self, starts: Vec<u32>) {
        let mut order: Vec<u32> = (0..starts.len() as u32).collect();
        let far: Vec<u32> = order
            .iter()
            .map(|&agent| self.compass.distance(&self.ground, agent, starts[agent as usize]))
            .collect();
        order
            .sort_by_key(|&agent| (Reverse(far[agent as usize]), mix(self.settings.seed ^ u64::from(agent))));
        let waited = vec![0; starts.len()].into_boxed_slice();
        let rest = self.rest(&starts);
        self.open.push(self.placements.len() as Id);
        self.placements.add(Placement {
            cells: starts.into_boxed_slice(),
            order: order.into_boxed_slice(),
            waited,
            constraints: Constraints::new(),
            parent: NONE,
            cost: 0,
            rest,
            steps: Vec::new(),
        });
    }

    /// Searches until there is a first plan, or for better ones until so many expansions have been spent. Answers whether nothing
    /// is left to look at.
    pub(super) fn search(&mut self, budget: &dyn Budget, last: u64) -> bool {
        while let Some(&id) = self.open.last() {
            let spent = self.spent + self.compass.fields().expanded();
            if budget.should_stop(spent) || spent >= budget.limit() || self.spent > last {
                return false;
            }
            let here = &self.placements[id];
            if here.cost + here.rest >= self.bound {
                self.open.pop();
                continue;
            }
            if self.goal == NONE && *here.cells == *self.goals {
                (self.goal, self.bound) = (id, here.cost);
                return false;
            }
            if here.constraints.is_empty() {
                self.placements[id].constraints.close();
                self.open.pop();
                continue;
            }
            if self.successor(id) {
                let cells = std::mem::take(&mut self.cells);
                self.arrive(id, &cells);
                self.cells = cells;
            }
        }
        true
    }

    pub(super) const fn is_solved(&self) -> bool {
        self.goal != NONE
    }

    /// Asks for one more step from a placement, under the next prescription. Whether there is one; it is in `cells` then.
    fn successor(&mut self, id: Id) -> bool {
        let seed = self.roll();
        let Some((constraint, depth)) = self.placements[id].constraints.pop() else { return false };
        let Placement { cells, order, .. } = &self.placements[id];
        self.step.begin(self.ground.grid().len(), cells.iter().copied(), seed, u64::MAX);
        if let Some(&unit) = order.get(depth as usize) {
            let at = cells[unit as usize];
            let mut choices = [at; 9];
            let mut count = 1;
            if !self.holds[unit as usize] {
                for cell in self.ground.beside(at) {
                    choices[count] = cell;
                    count += 1;
                }
            }
            // By lot, so that no direction is asked for last in all of a long search.
            for place in (1..count).rev() {
                choices.swap(place, (mix(seed ^ place as u64) % (place as u64 + 1)) as usize);
            }
            for &cell in &choices[..count] {
                self.placements[id].constraints.push((constraint, depth), unit, cell);
            }
        }
        let variants = if depth == 0 { self.settings.generators } else { 1 };
        let mut best = None::<u64>;
        for variant in 0..variants {
            if variant > 0 {
                let seed = self.roll();
                let cells = &self.placements[id].cells;
                self.step.begin(self.ground.grid().len(), cells.iter().copied(), seed, u64::MAX);
            }
            // Whoever minds those beside it takes other cells than who does not.
            if variant % 2 == 1 {
                self.step.be_courteous();
            }
            if !self.decide(id, constraint) {
                continue;
            }
            let units = self.goals.len() as u32;
            if variants == 1 {
                self.cells.clear();
                self.cells.extend((0..units).map(|unit| self.step.next(unit)));
                return true;
            }
            let cells: Vec<u32> = (0..units).map(|unit| self.step.next(unit)).collect();
            let price = self.cost(&self.placements[id].cells, &cells) + self.rest(&cells);
            if best.is_none_or(|least| price < least) {
                best = Some(price);
                self.cells = cells;
            }
        }
        best.is_some()
    }

    /// Everybody decides, as far as it is not prescribed. Whether that is possible.
    fn decide(&mut self, id: Id, constraint: u32) -> bool {
        let Placement { cells, order, constraints, .. } = &self.placements[id];
        for (unit, cell) in constraints.of(constraint) {
            if !self.step.fix(&self.ground, unit, cell) {
                return false;
            }
        }
        for unit in (0..cells.len()).filter(|&unit| self.holds[unit]) {
            if !self.step.fix(&self.ground, unit as u32, cells[unit]) {
                return false;
            }
        }
        let mut legal = true;
        for &unit in order {
            if !self.step.decide(&self.ground, &mut self.compass, unit) {
                legal = false;
                break;
            }
        }
        self.spent += self.step.decided();
        debug_assert!(!legal || (0..cells.len() as u32).all(|unit| self.step.next(unit) != UNDECIDED));
        legal
    }

    /// A step leads from placement `from` to `cells`.
    fn arrive(&mut self, from: Id, cells: &[u32]) {
        let step = self.cost(&self.placements[from].cells, cells);
        if let Some(known) = self.placements.find(cells) {
            self.placements[from].steps.push((known, step));
            self.pass_on(from);
            // What is known may have something new to ask for; now and then everything is looked at from the start again.
            let next = if self.roll() & 0xffff < RESTARTS { 0 } else { known };
            self.open.push(next);
            return;
        }
        let parent = &self.placements[from];
        let mut waited = parent.waited.clone();
        for (unit, waited) in waited.iter_mut().enumerate() {
            *waited = if cells[unit] == self.goals[unit] { 0 } else { waited.saturating_add(1) };
        }
        let mut order = parent.order.clone();
        // Nearly sorted already, and equals stay as they are.
        order.sort_by_key(|&unit| Reverse(waited[unit as usize]));
        let (cost, rest) = (parent.cost + step, self.rest(cells));
        let promising = cost + rest < self.bound;
        let new = self.placements.add(Placement {
            cells: cells.into(),
            order,
            waited,
            constraints: Constraints::new(),
            parent: from,
            cost,
            rest,
            steps: Vec::new(),
        });
        self.placements[from].steps.push((new, step));
        // One that costs too much is kept all the same: a cheaper way to it may be found, and nobody asks for it twice.
        if promising {
            self.open.push(new);
        }
    }

    /// Lets shorter ways through `from` reach everything behind it.
    fn pass_on(&mut self, from: Id) {
        let mut heap = BinaryHeap::from([Reverse((self.placements[from].cost, from))]);
        while let Some(Reverse((cost, id))) = heap.pop() {
            if self.placements[id].cost < cost {
                continue;
            }
            for index in 0..self.placements[id].steps.len() {
                let (next, step) = self.placements[id].steps[index];
                let better = cost + step;
                if better >= self.placements[next].cost {
                    continue;
                }
                (self.placements[next].parent, self.placements[next].cost) = (id, better);
                heap.push(Reverse((better, next)));
                if next == self.goal {
                    self.bound = self.bound.min(better);
                }
                // Given up because it cost too much, perhaps; not any more.
                if self.goal != NONE && better + self.placements[next].rest < self.bound {
                    self.open.push(next);
                }
            }
        }
    }

    /// What a step costs.
    fn cost(&self, from: &[u32], to: &[u32]) -> u64 {
        match self.settings.objective {
            Objective::Makespan => 1,
            Objective::Loss | Objective::Costs => {
                let ends = from.iter().zip(to).zip(&self.goals);
                ends.filter(|((from, to), goal)| from != goal || to != goal).count() as u64
            }
        }
    }

    /// What cannot be avoided from here on.
    fn rest(&mut self, cells: &[u32]) -> u64 {
        let Self { compass, ground, settings, .. } = self;
        let far = cells.iter().enumerate();
        let far = far.map(|(unit, &cell)| u64::from(compass.distance(ground, unit as u32, cell)));
        match settings.objective {
            Objective::Makespan => far.max().unwrap_or(0),
            Objective::Loss | Objective::Costs => far.sum(),
        }
    }

    fn roll(&mut self) -> u64 {
        self.dice = mix(self.dice);
        self.dice
    }

    /// The way to the goal, as everybody walks it.
    pub(super) fn plan(&self) -> Plan {
        let mut way = vec![self.goal];
        while let Some(&last) = way.last()
            && self.placements[last].parent != NONE
        {
            way.push(self.placements[last].parent);
        }
        way.reverse();
        let paths = self.scenario.agents().iter().enumerate().map(|(unit, agent)| {
            let cells = way.iter().map(|&id| self.placements[id].cells[unit]);
            let mut actions: Vec<Action> =
                cells.clone().zip(cells.skip(1)).map(|(from, to)| action(&self.ground, from, to)).collect();
            // Who rests need not be told so.
            while actions.last() == Some(&Action::Wait) {
                actions.pop();
            }
            Path { start: agent.start, actions }
        });
        Plan { paths: paths.collect() }
    }
}
