//! One run of the planner.

use super::effort::Effort;
use super::{Guide, Order, Settings};
use crate::portions::portion;
use std::collections::VecDeque;
use throng_core::{
    Action, Agent, AgentId, Budget, Observer, Outcome, Path, Plan, Reason, Scenario, SearchKind, Tick,
};
use throng_search::reservations::{NOBODY, Rule, Store, Table, Timelines};
use throng_search::{
    DistanceFields, Estimate, FieldKey, Found, Graph, GridGraph, IntervalSearch, Step, Trip, Workers,
};

/// Cost of overriding one reservation when a promoted unit plans, in ticks.
const PENALTY: u32 = 8;

/// A unit that would come this many ticks later than alone asks for promotion: so long a wait costs more than it
/// costs the others to make way.
const SLACK: Tick = 48;
/// How often everybody plans anew, with those first who found no path before, until the planner gives up.
const ROUNDS: u32 = 4;
/// Expansions per tick of a unit's way after which it asks for promotion if it has found no path.
const PATIENCE: u64 = 32;

pub(super) struct Attempt<'a> {
    settings: Settings,
    scenario: &'a Scenario,
    budget: &'a dyn Budget,
    observer: &'a mut dyn Observer,
    table: Table<Timelines>,
    fields: DistanceFields,
    search: IntervalSearch,
    /// By agent: its reserved steps; empty if it has none (or nothing to do).
    paths: Vec<Vec<Step>>,
    placed: Vec<bool>,
    /// By agent: the ticks it would need alone.
    alone: Vec<Tick>,
    /// By agent: whether it was promoted or had to make way.
    moved: Vec<bool>,
    /// No reservation ends later.
    horizon: Tick,
    /// Whether units take any path, however late it brings them. At first they do not: see [`SLACK`].
    patient: bool,
    /// Who plans first because it found no path in an earlier round.
    first: Vec<AgentId>,
    spent: u64,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        settings: Settings,
        scenario: &'a Scenario,
        budget: &'a dyn Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let n = scenario.agents().len();
        Self {
            settings,
            scenario,
            budget,
            observer,
            table: Table::new(Rule::of(&scenario.rules(), 1), Timelines::new(scenario.grid().len())),
            fields: DistanceFields::new(settings.memory),
            search: IntervalSearch::new(),
            paths: vec![Vec::new(); n],
            placed: vec![false; n],
            alone: Vec::with_capacity(n),
            moved: vec![false; n],
            horizon: 0,
            patient: settings.promotions == 0,
            first: Vec::new(),
            spent: 0,
        }
    }

    pub(super) fn run(mut self, workers: &Workers) -> Outcome {
        match self.measure(workers) {
            Ok(()) => {}
            Err(why @ Reason::OutOfBudget { .. }) => return Outcome::OutOfBudget { best: None, why },
            Err(why) => return Outcome::Infeasible { why },
        }
        let mut outcome = self.round();
        let rounds = if self.settings.promotions == 0 { 0 } else { ROUNDS };
        for _ in 1..rounds {
            let Outcome::Partial { why: Reason::Reserved { agent, .. }, .. } = outcome else { break };
            self.start_over(agent);
            outcome = self.round();
        }
        outcome
    }

    /// Plans everybody, and again whoever has to make way for the promoted.
    fn round(&mut self) -> Outcome {
        let mut queue = self.queue();
        let mut promotions = u64::from(self.settings.promotions) * queue.len() as u64;
        while let Some(id) = queue.pop_front() {
            let mut found =
                if self.budget.should_stop(self.spent) { Found::OutOfBudget } else { self.place(id) };
            while found == Found::Nothing && promotions > 0 && !self.budget.should_stop(self.spent) {
                promotions -= 1;
                self.moved[id.index()] = true;
                self.table.set_rank(id.0, self.table.rank(id.0) + 1);
                found = self.place(id);
                if self.table.rank(id.0) > self.highest_but(id) + 1 {
                    break;
                }
            }
            if found != Found::Path(0) {
                let agent = self.scenario.agent(id);
                let (from, to) = (agent.start, agent.waypoints().last());
                if found == Found::OutOfBudget || self.budget.should_stop(self.spent) {
                    let why = Reason::OutOfBudget { agent: Some(id), expanded: self.spent };
                    return Outcome::OutOfBudget { best: None, why };
                }
                return self.partial(Reason::Reserved { agent: id, from, to });
            }
            self.evict(id, &mut queue);
            self.reserve(id);
        }
        self.polish();
        Outcome::Solved(self.plan())
    }

    /// Forgets all paths, lets `first` plan before everybody else and everybody wait as long as it takes.
    fn start_over(&mut self, first: AgentId) {
        self.first.retain(|&id| id != first);
        self.first.insert(0, first);
        let nodes = self.scenario.grid().len();
        self.table = Table::new(Rule::of(&self.scenario.rules(), 1), Timelines::new(nodes));
        self.paths.iter_mut().for_each(Vec::clear);
        self.placed.fill(false);
        self.moved.fill(false);
        (self.horizon, self.patient) = (0, true);
    }

    /// How many expansions are left.
    fn room(&self) -> u64 {
        match self.budget.limit() {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(self.spent),
        }
    }

    /// Everybody's distance without the others, and who cannot arrive at all.
    fn measure(&mut self, workers: &Workers) -> Result<(), Reason> {
        let scenario = self.scenario;
        let mut wanted: Vec<_> = scenario
            .agents()
            .iter()
            .map(|a| (self.key(a, a.waypoints().target(0)), self.node(a.start)))
            .collect();
        wanted.sort_unstable();
        wanted.dedup_by_key(|(key, _)| *key);
        let before = self.fields.expanded();
        self.fields.allow(self.room());
        if self.room() == u64::MAX
            && let Some(first) = scenario.agents().first()
        {
            wanted.retain(|(key, _)| key.kind == GridGraph::kind(first));
            let graph = GridGraph::of(scenario.grid(), scenario.rules(), first);
            for wanted in wanted.chunks(portion(scenario.grid().len())) {
                if self.budget.should_stop(self.fields.expanded() - before) {
                    break;
                }
                match graph.plain() {
                    Some(plain) => self.fields.prepare(&plain, wanted, workers),
                    None => self.fields.prepare(&graph, wanted, workers),
                }
            }
        }
        for agent in scenario.agents() {
            if self.budget.should_stop(self.fields.expanded() - before) {
                return Err(self.starved(agent.id, before));
            }
            let graph = GridGraph::of(scenario.grid(), scenario.rules(), agent);
            let way = agent.waypoints();
            let (mut from, mut total) = (agent.start, 0);
            for leg in 0..way.len() {
                let to = way.target(leg);
                let (start, key) = (self.node(from), self.key(agent, to));
                let (far, starved) = self.fields.with(&graph, key, start, |field| {
                    let far = if field.settle(&graph) { field.distance(&graph, start) } else { None };
                    (far, field.is_starved())
                });
                if starved {
                    return Err(self.starved(agent.id, before));
                }
                let Some(far) = far else {
                    return Err(Reason::Unreachable { agent: agent.id, from, to });
                };
                total += Tick::from(far);
                from = to;
            }
            self.observer.alone(agent.id, total);
            self.alone.push(total);
        }
        let expanded = self.fields.expanded() - before;
        self.spent += expanded;
        if let Some(first) = scenario.agents().first() {
            self.observer.expanded(first.id, SearchKind::Backwards, expanded);
        }
        Ok(())
    }

    /// The budget ended before the distances of a unit were known.
    fn starved(&mut self, agent: AgentId, before: u64) -> Reason {
        self.spent += self.fields.expanded() - before;
        self.observer.expanded(agent, SearchKind::Backwards, self.spent);
        Reason::OutOfBudget { agent: Some(agent), expanded: self.spent }
    }

    fn queue(&self) -> VecDeque<AgentId> {
        let mut order: Vec<_> = self.scenario.agents().iter().map(|a| a.id).collect();
        order.sort_by_key(|id| {
            let far = self.alone[id.index()];
            let by_length = match self.settings.order {
                Order::Given => 0,
                Order::Longest => Tick::MAX - far,
                Order::Shortest => far,
            };
            let first = self.first.iter().position(|f| f == id).unwrap_or(self.first.len());
            (core::cmp::Reverse(self.scenario.agent(*id).priority), first, by_length)
        });
        order.into()
    }

    fn node(&self, cell: throng_core::Cell) -> u32 {
        self.scenario.grid().id(cell).unwrap_or_default().0
    }

    fn key(&self, agent: &Agent, goal: throng_core::Cell) -> FieldKey {
        FieldKey { goal: self.node(goal), kind: GridGraph::kind(agent) }
    }

    fn highest_but(&self, id: AgentId) -> u32 {
        let others = self.scenario.agents().iter().filter(|a| a.id != id);
        others.map(|a| self.table.rank(a.id.0)).max().unwrap_or(0)
    }

    /// Searches a path for all legs of a unit, into its place in `paths`. `Path(0)` if there is one.
    fn place(&mut self, id: AgentId) -> Found {
        let agent = self.scenario.agent(id);
        let graph = GridGraph::of(self.scenario.grid(), self.scenario.rules(), agent);
        let way = agent.waypoints();
        let rank = self.table.rank(id.0);
        let mut path = core::mem::take(&mut self.paths[id.index()]);
        path.clear();
        let (mut at, mut tick, mut piece) = (self.node(agent.start), 0, Vec::new());
        let mut answer = Found::Path(0);
        for leg in 0..way.len() {
            let goal = self.node(way.target(leg));
            let from = if leg + 1 < way.len() {
                0
            } else {
                let counts = |other: u32| other != id.0 && self.table.rank(other) >= rank;
                match self.table.store.free_from(goal, counts) {
                    Some(from) => from,
                    None => {
                        answer = Found::Nothing;
                        break;
                    }
                }
            };
            let (owner, start, most) = (id.0, at, self.most(id));
            let trip = Trip { owner, start, tick, goal, from, penalty: PENALTY, most, room: self.room() };
            answer = match graph.plain() {
                Some(plain) => self.leg(&plain, agent, &trip, &mut piece),
                None => self.leg(&graph, agent, &trip, &mut piece),
            };
            if !matches!(answer, Found::Path(_)) {
                break;
            }
            path.extend_from_slice(&piece);
            at = goal;
            tick = path.last().map_or(tick, Step::end);
            answer = Found::Path(0);
        }
        self.observer.replanned(id, 0);
        self.paths[id.index()] = path;
        answer
    }

    /// One leg of a unit's way.
    fn leg<G: Graph>(&mut self, graph: &G, agent: &Agent, trip: &Trip, piece: &mut Vec<Step>) -> Found {
        let limit = self.limit(trip.owner);
        let (before, before_field) = (self.search.expanded(), self.fields.expanded());
        let mut effort = Effort {
            search: &mut self.search,
            table: &self.table,
            observer: &mut *self.observer,
            budget: self.budget,
            spent: self.spent,
        };
        let found = match self.settings.guide {
            Guide::Straight => {
                let mut guide = Estimate::new(graph, trip.goal);
                effort.run(graph, agent.id, &mut guide, trip, limit, piece)
            }
            Guide::True => {
                let key = FieldKey { goal: trip.goal, kind: GridGraph::kind(agent) };
                self.fields.allow(trip.room);
                self.fields.with(graph, key, trip.start, |field| {
                    if field.settle(graph) {
                        effort.run(graph, agent.id, field, trip, limit, piece)
                    } else {
                        Found::OutOfBudget
                    }
                })
            }
        };
        let expanded = self.search.expanded() - before;
        let backwards = self.fields.expanded() - before_field;
        self.spent += expanded + backwards;
        self.observer.expanded(agent.id, SearchKind::Main, expanded);
        if backwards > 0 {
            self.observer.expanded(agent.id, SearchKind::Backwards, backwards);
        }
        found
    }

    /// What a path of a unit may cost at most; each promotion makes it more modest.
    fn most(&self, id: AgentId) -> u32 {
        if self.patient {
            return u32::MAX;
        }
        let most = (self.alone[id.index()] + SLACK) << (2 * self.table.rank(id.0)).min(4);
        most.min(1 << 30) as u32
    }

    /// How long a unit of this rank searches before it asks for promotion: the work of finding out that
    /// there is no path in space and time grows with the horizon. A promoted unit nearly always has one, so
    /// it may search far longer.
    fn limit(&self, owner: u32) -> u64 {
        (PATIENCE * (self.alone[owner as usize] + 32) + self.scenario.grid().open_cells() as u64)
            << (3 * self.table.rank(owner)).min(20)
    }

    /// Lets those whom promotions have moved about plan again, the most delayed first, now that everybody's
    /// path is known. Each new path is at most as long as the old one, which is still free.
    fn polish(&mut self) {
        for agent in self.scenario.agents() {
            self.table.set_rank(agent.id.0, 0);
        }
        for _ in 0..self.settings.polish {
            let mut late: Vec<_> = self.scenario.agents().iter().map(|a| a.id).collect();
            let delay = |id: &AgentId| self.rest(*id).1.saturating_sub(self.alone[id.index()]);
            late.retain(|id| self.moved[id.index()] && delay(id) > 0);
            late.sort_by_key(|id| core::cmp::Reverse(delay(id)));
            let mut better = false;
            for id in late {
                if self.budget.should_stop(self.spent) {
                    return;
                }
                let old = self.paths[id.index()].clone();
                let before = self.rest(id).1;
                self.release(id);
                if self.place(id) == Found::Path(0) && self.rest(id).1 <= before {
                    better |= self.rest(id).1 < before;
                } else {
                    self.paths[id.index()] = old;
                }
                self.reserve(id);
            }
            if !better {
                return;
            }
        }
    }

    /// Takes the reservations of everybody in the way of a promoted unit; they plan again next.
    fn evict(&mut self, id: AgentId, queue: &mut VecDeque<AgentId>) {
        if self.table.rank(id.0) == 0 {
            return;
        }
        let agent = self.scenario.agent(id);
        let graph = GridGraph::of(self.scenario.grid(), self.scenario.rules(), agent);
        let mut rivals = Vec::new();
        for step in &self.paths[id.index()] {
            self.table.rivals(&graph, id.0, (step.from, step.to), step.tick, step.duration, |other| {
                rivals.push(other);
            });
        }
        let (rest, since) = self.rest(id);
        self.table.store.owners_from(rest, since, &mut rivals);
        rivals.retain(|&other| other != NOBODY && other != id.0);
        rivals.sort_unstable();
        rivals.dedup();
        for &other in rivals.iter().rev() {
            self.release(AgentId(other));
            self.moved[other as usize] = true;
            queue.push_front(AgentId(other));
        }
    }

    /// Where a unit rests in the end, and since when.
    fn rest(&self, id: AgentId) -> (u32, Tick) {
        match self.paths[id.index()].last() {
            Some(step) => (step.to, step.end()),
            None => (self.node(self.scenario.agent(id).start), 0),
        }
    }

    fn reserve(&mut self, id: AgentId) {
        let agent = self.scenario.agent(id);
        let graph = GridGraph::of(self.scenario.grid(), self.scenario.rules(), agent);
        self.table.store.claim(self.node(agent.start), 0, id.0);
        for step in &self.paths[id.index()] {
            self.table.reserve(&graph, id.0, (step.from, step.to), step.tick, step.duration, |_| {});
        }
        let (rest, since) = self.rest(id);
        self.table.store.rest(rest, since, id.0);
        self.horizon = self.horizon.max(since);
        self.placed[id.index()] = true;
        self.observer.reserved(id, 0, since);
    }

    fn release(&mut self, id: AgentId) {
        let agent = self.scenario.agent(id);
        let graph = GridGraph::of(self.scenario.grid(), self.scenario.rules(), agent);
        let (rest, since) = self.rest(id);
        self.table.store.rise(rest, since, id.0);
        for step in self.paths[id.index()].iter().rev() {
            self.table.release(&graph, id.0, (step.from, step.to), step.tick, step.duration);
        }
        self.table.store.release(self.node(agent.start), 0, id.0);
        self.placed[id.index()] = false;
    }

    fn plan(&self) -> Plan {
        let path = |agent: &Agent| Path {
            start: agent.start,
            actions: self.paths[agent.id.index()].iter().map(|s| s.action).collect(),
        };
        Plan { paths: self.scenario.agents().iter().map(path).collect() }
    }

    /// The plan of those who have one; it holds until somebody runs over one who has none.
    fn partial(&self, why: Reason) -> Outcome {
        let mut plan = self.plan();
        let mut until = self.horizon;
        for agent in self.scenario.agents() {
            if !self.placed[agent.id.index()] {
                plan.paths[agent.id.index()].actions = Vec::<Action>::new();
                let start = self.node(agent.start);
                let clash = (0..=self.horizon).find(|&t| self.table.store.owner(start, t) != NOBODY);
                until = until.min(clash.map_or(until, |t| t.saturating_sub(1)));
            }
        }
        Outcome::Partial { plan, until, why }
    }
}
