//! The cooperation of all units: who plans when, around whom.

use super::seat::Seat;
use super::{Replan, Settings};
use std::collections::VecDeque;
use std::sync::Arc;
use throng_core::{Action, AgentId, Budget, CellId, Dir, Event, Observer, Reason, SearchKind, Tick, View};
use throng_search::reservations::{Rule, Store, Table};
use throng_search::{
    DistanceFields, Ending, FieldKey, Found, Graph, GridGraph, Query, SpaceTime, Step, Workers,
};

#[derive(Debug)]
pub(super) struct Cooperation<S> {
    pub settings: Settings,
    pub workers: Arc<Workers>,
    pub table: Table<S>,
    pub fields: DistanceFields,
    pub seats: Vec<Seat>,
    /// The tick that `decide` expects next; any other means that the game went on without it.
    pub clock: Option<Tick>,
    search: SpaceTime,
    queue: VecDeque<AgentId>,
    flagged: Vec<u32>,
    found: Vec<Step>,
    wanted: Vec<(FieldKey, u32)>,
}

impl<S: Store> Cooperation<S> {
    pub(super) fn new(settings: Settings, workers: Arc<Workers>, view: &View<'_>, store: S) -> Self {
        let mut seats = vec![Seat::default(); view.scenario.agents().len()];
        for &id in view.mine {
            seats[id.index()].mine = true;
        }
        Self {
            settings,
            workers,
            table: Table::new(Rule::of(&view.rules()), store),
            fields: DistanceFields::new(settings.memory),
            seats,
            clock: None,
            search: SpaceTime::new(),
            queue: VecDeque::new(),
            flagged: Vec::new(),
            found: Vec::new(),
            wanted: Vec::new(),
        }
    }

    pub(super) fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let now = view.tick();
        self.advance(view);
        self.gather(view);
        self.prepare(view, observer);
        let mut spent = 0;
        while let Some(id) = self.queue.pop_front() {
            self.seats[id.index()].queued = false;
            spent += self.plan(view, id, budget, spent, observer);
        }
        for &id in view.mine {
            let step = self.seats[id.index()].ahead().first();
            actions[id.index()] = step.filter(|s| s.tick == now).map_or(Action::Wait, |s| s.action);
        }
        self.clock = Some(now + 1);
    }

    /// Where and when a unit can begin something new: now, or when its move in progress is over.
    fn base(view: &View<'_>, id: AgentId) -> (u32, Tick) {
        let unit = view.unit(id);
        (unit.at.0, unit.until.max(view.tick()))
    }

    /// Depth of a unit's search in ticks.
    fn depth(&self, view: &View<'_>, id: AgentId) -> u32 {
        let step = view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N));
        self.settings.window * step
    }

    /// Every how many ticks a unit plans anew.
    fn rhythm(&self, view: &View<'_>, id: AgentId) -> Tick {
        let depth = self.depth(view, id);
        let rhythm = match self.settings.replan {
            Replan::Half => depth / 2,
            Replan::BeforeEnd(steps) => depth.saturating_sub(steps * (depth / self.settings.window.max(1))),
        };
        Tick::from(rhythm.max(1))
    }

    fn graph<'a>(view: &View<'a>, id: AgentId) -> GridGraph<'a> {
        GridGraph::of(view.grid(), view.rules(), view.agent(id))
    }

    pub(super) fn key(view: &View<'_>, id: AgentId) -> FieldKey {
        FieldKey { goal: view.target(id).0, kind: u32::from(view.agent(id).period) }
    }

    /// Drops what is over, and takes up units that are not where they were planned to be (or that
    /// somebody else moves): they hold their cell.
    fn advance(&mut self, view: &View<'_>) {
        let now = view.tick();
        let late = self.clock.is_some_and(|clock| clock != now);
        for index in 0..self.seats.len() {
            let id = AgentId(index as u32);
            let unit = view.unit(id);
            let seat = &mut self.seats[index];
            while let Some(step) = seat.path.get(seat.done)
                && step.end() <= now
            {
                forget(&mut self.table, &Self::graph(view, id), index as u32, step);
                seat.done += 1;
            }
            let as_planned = !late
                && match seat.ahead().first() {
                    None => false,
                    Some(step) if step.tick == now => step.from == unit.at.0 && unit.stands(now),
                    Some(step) => step.to == unit.at.0 && unit.until == step.end(),
                };
            if !as_planned || !seat.mine {
                self.drop_path(view, id);
                self.hold(view, id);
            }
        }
    }

    /// Who plans in this tick: whoever has no plan or a new goal, and whose turn it is.
    fn gather(&mut self, view: &View<'_>) {
        let now = view.tick();
        let n = view.mine.len();
        let first = if self.settings.rotate && n > 0 { (now as usize * 7) % n } else { 0 };
        for k in 0..n {
            let id = view.mine[(first + k) % n];
            let rhythm = self.rhythm(view, id);
            let turn = (now + id.0 as Tick).is_multiple_of(rhythm);
            let seat = &mut self.seats[id.index()];
            let waits = self.settings.spread_first && self.clock.is_none();
            let due = turn || (!waits && (!seat.planned || seat.goal != view.target(id)));
            if due && !seat.queued && seat.hopeless.is_none() {
                seat.queued = true;
                self.queue.push_back(id);
            }
        }
    }

    /// The true distances of all who plan, by all workers at once.
    fn prepare(&mut self, view: &View<'_>, observer: &mut dyn Observer) {
        self.wanted.clear();
        self.wanted.extend(self.queue.iter().map(|&id| (Self::key(view, id), view.unit(id).at.0)));
        self.wanted.sort_unstable();
        self.wanted.dedup_by_key(|(key, _)| *key);
        let before = self.fields.expanded();
        let Some(&first) = self.queue.front() else { return };
        // Units of one period share a graph; with several periods each kind is prepared on demand.
        let period = view.agent(first).period;
        self.wanted.retain(|(key, _)| key.kind == u32::from(period));
        self.fields.prepare(&Self::graph(view, first), &self.wanted, &self.workers);
        let expanded = self.fields.expanded() - before;
        if expanded > 0 {
            observer.expanded(first, SearchKind::Backwards, expanded);
        }
    }

    /// One unit's search; answers its expansions.
    fn plan(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        if budget.should_stop(spent) {
            return 0;
        }
        let (now, index) = (view.tick(), id.0);
        let graph = Self::graph(view, id);
        let (start, base) = Self::base(view, id);
        self.release_ahead(&graph, id, base);
        let goal = view.target(id);
        let query = Query {
            owner: index,
            start,
            tick: base,
            goal: goal.0,
            ending: Ending::Window(self.depth(view, id)),
            penalty: 0,
            still_from: Tick::MAX,
        };
        let (before, before_field) = (self.search.expanded(), self.fields.expanded());
        let (search, table, found) = (&mut self.search, &self.table, &mut self.found);
        let nodes = observer.wants_nodes();
        let answer = self.fields.with(&graph, Self::key(view, id), start, |field| {
            if field.distance(&graph, start).is_none() {
                return None;
            }
            let visit = |at, tick| {
                if nodes {
                    observer.node(id, CellId(at), tick);
                }
            };
            let stop = |more| budget.should_stop(spent + more);
            Some(search.search(&graph, table, field, &query, found, visit, stop))
        });
        let expanded = self.search.expanded() - before;
        let backwards = self.fields.expanded() - before_field;
        observer.expanded(id, SearchKind::Main, expanded);
        if backwards > 0 {
            observer.expanded(id, SearchKind::Backwards, backwards);
        }
        observer.replanned(id, now);
        match answer {
            Some(Found::Path(_)) => {
                let seat = &mut self.seats[id.index()];
                cut(seat, base);
                seat.path.extend_from_slice(&self.found);
                (seat.goal, seat.planned, seat.held_since) = (goal, true, None);
                claim(&mut self.table, &graph, index, &self.found, |_| {});
                observer.reserved(id, base, seat.end().unwrap_or(base));
            }
            Some(Found::OutOfBudget) if self.whole(&graph, id, base) => {
                // What it had is still free: nobody has planned since it was released.
                self.seats[id.index()].goal = goal;
            }
            failed => {
                if failed.is_none() {
                    let (from, to) = (view.grid().cell(CellId(start)), view.grid().cell(goal));
                    self.seats[id.index()].hopeless = Some(Reason::Unreachable { agent: id, from, to });
                }
                self.hold(view, id);
                observer.event(now, &Event::GaveUp { agent: id, at: view.grid().cell(CellId(start)) });
            }
        }
        expanded + backwards
    }

    /// Takes back the reservations of a path that was released, if all of it is still free.
    fn whole(&mut self, graph: &impl Graph, id: AgentId, base: Tick) -> bool {
        let seat = &self.seats[id.index()];
        let ahead: &[Step] = seat.ahead();
        let ahead = &ahead[ahead.iter().position(|s| s.tick >= base).unwrap_or(ahead.len())..];
        let free = !ahead.is_empty()
            && ahead
                .iter()
                .all(|s| self.table.admits(graph, id.0, s.from, s.to, s.tick, s.duration).is_some());
        if free {
            claim(&mut self.table, graph, id.0, ahead, |_| {});
        }
        free
    }

    /// Frees everything that a unit has reserved after `base`.
    fn release_ahead(&mut self, graph: &impl Graph, id: AgentId, base: Tick) {
        let seat = &self.seats[id.index()];
        for step in seat.ahead().iter().filter(|s| s.tick >= base) {
            self.table.release(graph, id.0, (step.from, step.to), step.tick, step.duration);
        }
    }

    /// Frees everything that a unit has reserved, also of a step that has begun.
    fn drop_path(&mut self, view: &View<'_>, id: AgentId) {
        let graph = Self::graph(view, id);
        let seat = &mut self.seats[id.index()];
        for step in &seat.path[seat.done..] {
            forget(&mut self.table, &graph, id.0, step);
            self.table.release(&graph, id.0, (step.from, step.to), step.tick, step.duration);
        }
        seat.path.clear();
        seat.done = 0;
    }

    /// Lets a unit stay where it is for a whole window, whoever had reserved its cell: those are flagged
    /// and plan again in this tick.
    fn hold(&mut self, view: &View<'_>, id: AgentId) {
        let graph = Self::graph(view, id);
        let (start, base) = Self::base(view, id);
        self.release_ahead(&graph, id, base);
        let depth = self.depth(view, id);
        let seat = &mut self.seats[id.index()];
        cut(seat, base);
        if seat.path.is_empty() && base > view.tick() {
            // A move in progress that it has no record of: somebody else began it.
            let unit = view.unit(id);
            let action = Action::between(view.grid().cell(unit.from), view.grid().cell(unit.at));
            let duration = (unit.until - unit.since) as u32;
            let action = action.unwrap_or_default();
            seat.path.push(Step { from: unit.from.0, to: start, tick: unit.since, duration, action });
        }
        for tick in base..base + Tick::from(depth) {
            seat.path.push(Step { from: start, to: start, tick, duration: 1, action: Action::Wait });
        }
        (seat.planned, seat.goal) = (false, view.target(id));
        seat.held_since.get_or_insert(view.tick());
        self.flagged.clear();
        let flagged = &mut self.flagged;
        claim(&mut self.table, &graph, id.0, &seat.path, |other| flagged.push(other));
        for &other in &self.flagged {
            let seat = &mut self.seats[other as usize];
            if !seat.queued && seat.mine {
                seat.queued = true;
                self.queue.push_back(AgentId(other));
            }
        }
    }

    pub(super) fn complaint(&self, agent: AgentId) -> Option<Reason> {
        self.seats.get(agent.index())?.hopeless.clone()
    }
}

/// Drops all steps from `base` on and those that are over.
fn cut(seat: &mut Seat, base: Tick) {
    let keep = seat.path.iter().position(|s| s.tick >= base).unwrap_or(seat.path.len());
    seat.path.truncate(keep);
    seat.path.drain(..seat.done.min(keep));
    seat.done = 0;
}

/// Reserves a path from its first step on.
pub(super) fn claim<S: Store>(
    table: &mut Table<S>,
    graph: &impl Graph,
    owner: u32,
    path: &[Step],
    mut taken: impl FnMut(u32),
) {
    if let Some(first) = path.first() {
        table.store.claim(first.from, first.tick, owner);
    }
    for step in path {
        table.reserve(graph, owner, (step.from, step.to), step.tick, step.duration, &mut taken);
    }
}

/// Frees what a step that is over has held until its end; its end itself belongs to the next step.
fn forget<S: Store>(table: &mut Table<S>, graph: &impl Graph, owner: u32, step: &Step) {
    table.store.release(step.from, step.tick, owner);
    if table.rule() == Rule::Hold {
        graph.covered(step.from, step.to, |node| {
            (step.tick..step.end()).for_each(|tick| table.store.release(node, tick, owner));
        });
    }
}
