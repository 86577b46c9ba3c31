//! The search over placements.

use super::Settings;
use super::constraints::Constraints;
use super::placements::{Id, NONE, Placement, Placements};
use super::successor;
use crate::neighbourhoods::{Fields, Objective, Ways};
use crate::pibt::{Compass, Ground, Step, mix};
use crate::reach::unreachable;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Observer, Outcome, Path, Plan, Reason, Scenario, SearchKind, Task,
};
use throng_search::{GridGraph, Workers};

/// How often, in 65,536ths, the search goes on from the start again when it meets a placement that it knows: once it is caught
/// in a corner, everything new is behind it.
pub(super) const RESTARTS: u64 = 66;

/// A search that has met known placements so often does not come out of where it is by itself.
const CAUGHT: u64 = 10;

/// How many units' ways are written down at the same time: their cells lie side by side.
const TOGETHER: usize = 16;

/// How a search was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// There is a first plan.
    Found,
    /// Nothing is left to look at.
    Exhausted,
    /// There is no budget left for it.
    Stopped,
    /// There is no memory left for it.
    Full,
}

pub(super) struct Search<'a> {
    pub(super) settings: Settings,
    pub(super) scenario: &'a Scenario,
    pub(super) ground: Ground,
    pub(super) compass: Compass,
    step: Step,
    /// By unit: its goal.
    pub(super) goals: Vec<u32>,
    /// Those who stay where they are.
    pub(super) holds: Vec<u32>,
    pub(super) placements: Placements,
    pub(super) open: Vec<Id>,
    /// Whether this is no knot of a larger search: knots are not taken apart any further.
    pub(super) whole: bool,
    /// Whether the last step led to a placement that was known.
    met: bool,
    /// How often that has happened, and how often it has to have happened before knots are looked for again.
    meetings: (u64, u64),
    goal: Id,
    /// A plan that costs so much is known: nothing that costs as much is looked at.
    pub(super) bound: u64,
    /// What it takes to tell how much the rest costs at least; only who looks for a cheaper plan asks.
    pub(super) exact: Option<(Fields, Ways)>,
    dice: u64,
    /// What everything took but the distances of the compass.
    pub(super) spent: u64,
    /// How much of that went into distances of others.
    pub(super) backwards: u64,
    cells: Vec<u32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(settings: Settings, scenario: &'a Scenario, ground: Ground, compass: Compass) -> Self {
        let number = |cell| ground.number(scenario.grid().id(cell).unwrap_or_default());
        let agents = scenario.agents();
        let holds = agents.iter().filter(|agent| matches!(agent.task, Task::Hold));
        Self {
            settings,
            scenario,
            compass,
            step: Step::new(),
            goals: agents.iter().map(|agent| number(agent.waypoints().last())).collect(),
            holds: holds.map(|agent| agent.id.0).collect(),
            ground,
            placements: Placements::default(),
            open: Vec::new(),
            whole: true,
            met: false,
            meetings: (0, 1),
            goal: NONE,
            bound: u64::MAX,
            exact: None,
            dice: mix(settings.seed) | 1,
            spent: 0,
            backwards: 0,
            cells: Vec::new(),
        }
    }

    pub(super) fn run(
        mut self,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        workers: &Arc<Workers>,
    ) -> Outcome {
        if let Some(why) = unreachable(self.scenario) {
            return Outcome::Infeasible { why };
        }
        let starts = self.starts();
        self.compass.aim(&self.ground, self.goals.iter().copied());
        let wanted: Vec<_> = self.goals.iter().copied().zip(starts.iter().copied()).collect();
        let Some(alone) = self.compass.prepare(&self.ground, &wanted, budget, workers) else {
            self.tell(observer);
            return self.unsolved(Ended::Stopped);
        };
        let alone: Vec<u32> = alone.into_iter().map(|far| far.unwrap_or_default()).collect();
        for (agent, &far) in (0..).zip(&alone) {
            observer.alone(AgentId(agent), u64::from(far));
        }
        if self.settings.lanes {
            let graph = GridGraph::new(self.scenario.grid(), self.scenario.rules(), 1);
            match graph.plain() {
                Some(plain) => self.lay_lanes(&plain, &alone, budget, workers),
                None => self.lay_lanes(&graph, &alone, budget, workers),
            };
        }
        self.add_first(starts, &alone);
        let ended = self.search(budget, u64::MAX);
        let plan = (self.goal != NONE).then(|| match self.settings.improve {
            0 => self.plan(),
            _ => self.refined(&alone, budget, observer, workers),
        });
        self.tell(observer);
        plan.map_or_else(|| self.unsolved(ended), Outcome::Solved)
    }

    /// Tells what everything took.
    fn tell(&self, observer: &mut dyn Observer) {
        if !self.goals.is_empty() {
            observer.expanded(AgentId(0), SearchKind::Main, self.spent - self.backwards);
            observer.expanded(AgentId(0), SearchKind::Backwards, self.compass.expanded() + self.backwards);
        }
    }

    /// Why there is no plan.
    fn unsolved(&self, ended: Ended) -> Outcome {
        let placements = self.placements.len() as u64;
        let why = match ended {
            Ended::Exhausted => return Outcome::Infeasible { why: Reason::Exhausted { placements } },
            Ended::Full => Reason::OutOfMemory { nodes: placements, bytes: self.placements.bytes() as u64 },
            Ended::Found | Ended::Stopped => Reason::OutOfBudget { agent: None, expanded: self.total() },
        };
        Outcome::OutOfBudget { best: None, why }
    }

    /// What everything took: placements and cells of all searches.
    pub(super) const fn total(&self) -> u64 {
        self.spent + self.compass.expanded()
    }

    pub(super) fn is_over(&self, budget: &dyn Budget) -> bool {
        let spent = self.total();
        budget.should_stop(spent) || spent >= budget.limit()
    }

    /// Whether there is no room for another placement. Distances make room, but keep half of all that there is.
    fn is_full(&mut self) -> bool {
        let (most, held) = (self.settings.memory, self.placements.bytes());
        self.compass.keep_within(most.saturating_sub(held).max(most / 2));
        held > most - self.compass.bytes().min(most / 2)
    }

    /// Where everybody begins.
    pub(super) fn starts(&self) -> Vec<u32> {
        let number = |cell| self.ground.number(self.scenario.grid().id(cell).unwrap_or_default());
        self.scenario.agents().iter().map(|agent| number(agent.start)).collect()
    }

    /// Begins with these cells; the farther somebody has to go alone, the sooner it decides.
    pub(super) fn add_first(&mut self, starts: Vec<u32>, alone: &[u32]) {
        let mut order: Vec<u32> = (0..starts.len() as u32).collect();
        order.sort_by_key(|&agent| {
            (Reverse(alone[agent as usize]), mix(self.settings.seed ^ u64::from(agent)))
        });
        self.open.push(self.placements.len() as Id);
        let (cells, order) = (starts.into_boxed_slice(), order.into());
        self.placements.add(Placement::new(cells, order, Constraints::new(), NONE, 0));
    }

    /// Searches until there is a first plan, or for better ones; no longer than until `spent` is more than `last`.
    pub(super) fn search(&mut self, budget: &dyn Budget, last: u64) -> Ended {
        while let Some(&id) = self.open.last() {
            if self.is_over(budget) || self.spent > last {
                return Ended::Stopped;
            }
            if self.is_full() {
                return Ended::Full;
            }
            if self.bound != u64::MAX && self.placements[id].cost + self.rest(id) >= self.bound {
                self.open.pop();
                continue;
            }
            let here = &self.placements[id];
            if self.goal == NONE && *here.cells == *self.goals {
                (self.goal, self.bound) = (id, here.cost);
                return Ended::Found;
            }
            if here.constraints().is_empty() {
                self.placements.prescribe(id, Constraints::close);
                self.open.pop();
                continue;
            }
            if core::mem::take(&mut self.met) && self.untie_if_caught(id, budget) {
                continue;
            }
            if self.successor(id, budget) {
                let cells = std::mem::take(&mut self.cells);
                self.arrive(id, &cells);
                self.cells = cells;
            }
        }
        Ended::Exhausted
    }

    pub(super) const fn is_solved(&self) -> bool {
        self.goal != NONE
    }

    /// Asks for one more step from a placement, under the next prescription. Whether there is one; it is in `cells` then.
    fn successor(&mut self, id: Id, budget: &dyn Budget) -> bool {
        let seed = self.roll();
        self.compass.begin();
        let Self { placements, ground, holds, .. } = self;
        let next = successor::prescribe(placements, id, ground, holds, seed);
        let Some((constraint, depth)) = next else { return false };
        let cells = &self.placements[id].cells;
        self.step.begin(self.ground.len(), cells.iter().copied(), seed, u64::MAX);
        let variants = if depth == 0 { self.settings.generators } else { 1 };
        let mut best = None::<i64>;
        for variant in 0..variants {
            if variant > 0 {
                let seed = self.roll();
                let cells = &self.placements[id].cells;
                self.step.begin(self.ground.len(), cells.iter().copied(), seed, u64::MAX);
            }
            // Whoever minds those beside it takes other cells than who does not.
            if variant % 2 == 1 {
                self.step.be_courteous();
            }
            if !self.decide(id, constraint, budget) {
                continue;
            }
            let units = self.goals.len() as u32;
            if variants == 1 {
                self.cells.clear();
                self.cells.extend((0..units).map(|unit| self.step.next(unit)));
                return true;
            }
            let cells: Vec<u32> = (0..units).map(|unit| self.step.next(unit)).collect();
            let price = self.cost(&self.placements[id].cells, &cells) as i64 - self.gain(id, &cells);
            if best.is_none_or(|least| price < least) {
                best = Some(price);
                self.cells = cells;
            }
        }
        best.is_some()
    }

    /// Everybody decides, as far as it is not prescribed. Whether that is possible, and the budget lasts.
    fn decide(&mut self, id: Id, constraint: u32, budget: &dyn Budget) -> bool {
        let Self { placements, ground, compass, step, holds, spent, .. } = self;
        let stop = |compass: &Compass| {
            let spent = *spent + compass.expanded();
            budget.should_stop(spent) || spent >= budget.limit()
        };
        let legal = successor::decide(&placements[id], constraint, (&*ground, compass, step), holds, stop);
        self.spent += self.step.decided();
        legal
    }

    /// Looks for knots once known placements are met, then brings one unit home after the other; and after each time in vain once
    /// they have been met as often again.
    fn untie_if_caught(&mut self, id: Id, budget: &dyn Budget) -> bool {
        let (met, least) = &mut self.meetings;
        *met += 1;
        if !self.whole || self.goal != NONE || *met < *least {
            return false;
        }
        let untied = self.untie(id, budget);
        if untied == Some(true) || self.meetings.0 >= CAUGHT && self.shunt(id, budget) {
            return true;
        }
        if untied == Some(false) || self.meetings.0 >= CAUGHT {
            self.meetings.1 = 2 * self.meetings.0;
        }
        false
    }

    /// A step leads from placement `from` to `cells`. Answers which placement that is.
    pub(super) fn arrive(&mut self, from: Id, cells: &[u32]) -> Id {
        let step = self.cost(&self.placements[from].cells, cells);
        if let Some(known) = self.placements.find(cells) {
            self.placements.link(from, known, step);
            self.pass_on(from);
            // What is known may have something new to ask for; now and then everything is looked at from the start again.
            let next = if self.roll() & 0xffff < RESTARTS { 0 } else { known };
            self.open.push(next);
            self.met = true;
            return known;
        }
        let parent = &self.placements[from];
        let order = successor::order_after(&parent.order, cells, &self.goals);
        let placement = Placement::new(cells.into(), order, Constraints::new(), from, parent.cost + step);
        let new = self.placements.add(placement);
        self.placements.link(from, new, step);
        // One that costs too much is left alone when its turn comes, and kept: a cheaper way to it may be found.
        self.open.push(new);
        new
    }

    /// Lets shorter ways through `from` reach everything behind it.
    fn pass_on(&mut self, from: Id) {
        let mut heap = BinaryHeap::from([Reverse((self.placements[from].cost, from))]);
        while let Some(Reverse((cost, id))) = heap.pop() {
            if self.placements[id].cost < cost {
                continue;
            }
            for index in 0..self.placements[id].steps().len() {
                let (next, step) = self.placements[id].steps()[index];
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
                if self.goal != NONE && better + self.placements[next].rest.unwrap_or(0) < self.bound {
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

    /// What cannot be avoided from a placement on.
    fn rest(&mut self, id: Id) -> u64 {
        if let Some(rest) = self.placements[id].rest {
            return rest;
        }
        let Some((fields, ways)) = &mut self.exact else { return 0 };
        let known = fields.expanded();
        let graph = GridGraph::new(self.scenario.grid(), self.scenario.rules(), 1);
        let far = (0..).zip(&self.placements[id].cells).map(|(unit, &cell)| {
            let cell = self.scenario.grid().id(self.ground.place(cell)).unwrap_or_default();
            u64::from(fields.distance(&graph, unit, ways, cell.0))
        });
        let rest = match self.settings.objective {
            Objective::Makespan => far.max().unwrap_or(0),
            Objective::Loss | Objective::Costs => far.sum(),
        };
        let more = fields.expanded() - known;
        (self.spent, self.backwards) = (self.spent + more, self.backwards + more);
        self.placements[id].rest = Some(rest);
        rest
    }

    /// How much nearer everybody together is at these cells.
    fn gain(&mut self, id: Id, cells: &[u32]) -> i64 {
        let Self { compass, ground, placements, .. } = self;
        let moves = placements[id].cells.iter().zip(cells).zip(0..);
        moves
            .filter(|((from, to), _)| from != to)
            .map(|((&from, &to), unit)| i64::from(compass.gain(ground, unit, from, to)))
            .sum()
    }

    fn roll(&mut self) -> u64 {
        self.dice = mix(self.dice);
        self.dice
    }

    /// The placements on the way to the goal.
    pub(super) fn way(&self) -> Vec<Id> {
        let mut way = vec![self.goal];
        while let Some(&last) = way.last()
            && self.placements[last].parent != NONE
        {
            way.push(self.placements[last].parent);
        }
        way.reverse();
        way
    }

    /// The way to the goal, as everybody walks it.
    pub(super) fn plan(&self) -> Plan {
        let way = self.way();
        let mut paths: Vec<Path> = Vec::with_capacity(self.goals.len());
        for agents in self.scenario.agents().chunks(TOGETHER) {
            let first = paths.len();
            paths.extend(
                agents
                    .iter()
                    .map(|agent| Path { start: agent.start, actions: Vec::with_capacity(way.len()) }),
            );
            for ends in way.windows(2) {
                let [from, to] = [ends[0], ends[1]].map(|id| &self.placements[id].cells[first..]);
                for (path, (&from, &to)) in paths[first..].iter_mut().zip(from.iter().zip(to)) {
                    path.actions.push(self.ground.action(from, to));
                }
            }
        }
        // Who rests need not be told so.
        for path in &mut paths {
            while path.actions.last() == Some(&Action::Wait) {
                path.actions.pop();
            }
        }
        Plan { paths }
    }
}
