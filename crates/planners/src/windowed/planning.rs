//! One unit's planning: search, reserve, or stay and let the others plan around.

use super::cooperation::Cooperation;
use super::promotion::{HELD, cornered_by, pushed_by};
use throng_core::{Action, AgentId, Budget, CellId, Event, Observer, Reason, SearchKind, Tick, View};
use throng_search::reservations::{NOBODY, Rule, Store, Table};
use throng_search::{Ending, FieldKey, Found, Graph, Ground, Query, Step};

/// How often a unit may search in one tick before it stays.
const SEARCHES: u32 = 16;

impl<S: Store> Cooperation<S> {
    /// One unit's turn; answers the expansions.
    pub(super) fn plan(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        let graph = Self::graph(view, id);
        match graph.plain() {
            Some(plain) => self.plan_on(&plain, view, id, budget, spent, observer),
            None => self.plan_on(&graph, view, id, budget, spent, observer),
        }
    }

    /// [`Self::plan`] on the graph that the unit moves on.
    fn plan_on<G: Graph>(
        &mut self,
        graph: &G,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        if budget.should_stop(spent) {
            // What it had reserved is no longer its own: it must not go on with it.
            if self.seats[id.index()].robbed {
                self.hold(view, id);
            }
            return 0;
        }
        let now = view.tick();
        self.forget(view, id);
        let (start, base) = Self::base(view, id);
        let goal = self.seats[id.index()].target;
        let (depth, step) = (self.depth(id), self.seats[id.index()].step);
        if self.stay_on(graph, id, (start, base), depth) {
            self.seats[id.index()].best = (0, now);
            observer.replanned(id, now);
            return 0;
        }
        self.release_ahead(graph, id, base);
        let (before, before_field) = (self.search.expanded(), self.fields.expanded());
        let Some(far) = self.far(view, graph, id, start, observer) else {
            let (from, to) = (view.grid().cell(CellId(start)), view.grid().cell(goal));
            self.seats[id.index()].hopeless = Some(Reason::Unreachable { agent: id, from, to });
            self.hold(view, id);
            return 0;
        };
        let patience = Tick::from(depth) * Tick::from(self.settings.patience) / 4;
        let seat = &mut self.seats[id.index()];
        seat.searches += 1;
        if self.settings.patience > 0 {
            let promoted = self.promotions.note(seat, far, now, patience);
            if promoted {
                observer.event(now, &Event::Promoted { agent: id, at: view.grid().cell(CellId(start)) });
            }
        }
        let own = seat.own_rank();
        let rank = own.max(seat.pushed.map_or(0, |(rank, _)| rank));
        // Who goes first by right pays nothing for it; who is promoted or pushed disturbs as few as it can.
        let raised = rank > own || seat.rank > 0;
        let (searches, pushed) = (seat.searches, seat.pushed);
        if self.table.rank(id.0) != rank {
            self.table.set_rank(id.0, rank);
        }
        let mut query = Query {
            owner: id.0,
            start,
            tick: base,
            goal: goal.0,
            ending: Ending::Window(depth),
            penalty: u32::from(raised) * self.settings.penalty,
            toll: step * if raised { self.settings.courtesy.min(1) } else { self.settings.courtesy },
            still_from: Tick::MAX,
        };
        let mut answer = Found::Nothing;
        if searches <= SEARCHES {
            let stop = |more| budget.should_stop(spent + more);
            answer = self.look(graph, id, self.key(view, id), &query, stop, observer);
            if answer == Found::Nothing
                && let Some((_, by)) = pushed
            {
                query.penalty = self.settings.penalty;
                answer = self.escape(view, id, AgentId(by), &query, stop);
            }
        }
        let expanded = self.search.expanded() - before;
        let backwards = self.fields.expanded() - before_field;
        observer.expanded(id, SearchKind::Main, expanded);
        if backwards > 0 {
            observer.expanded(id, SearchKind::Backwards, backwards);
        }
        observer.replanned(id, now);
        match answer {
            Found::Path(_) => {
                self.take_way(graph, id, now, observer);
                let seat = &mut self.seats[id.index()];
                claim(&mut self.table, graph, id.0, &self.found, |_| {});
                seat.cut(base);
                seat.path.extend_from_slice(&self.found);
                (seat.goal, seat.planned, seat.held_since, seat.robbed) = (goal, true, None, false);
                observer.reserved(id, base, seat.end().unwrap_or(base));
            }
            Found::OutOfBudget if self.retake(graph, id, base) => {
                // What it had is still free: nobody has planned since it was released.
                let seat = &mut self.seats[id.index()];
                (seat.goal, seat.robbed) = (goal, false);
            }
            Found::Nothing | Found::OutOfBudget => {
                self.hold(view, id);
                observer.event(now, &Event::GaveUp { agent: id, at: view.grid().cell(CellId(start)) });
            }
        }
        expanded + backwards
    }

    /// Searches a path to the goal around the reservations of the others.
    fn look<G: Graph>(
        &mut self,
        graph: &G,
        id: AgentId,
        key: FieldKey,
        query: &Query,
        stop: impl FnMut(u64) -> bool,
        observer: &mut dyn Observer,
    ) -> Found {
        let (search, table, found) = (&mut self.search, &self.table, &mut self.found);
        let (parked, price, nodes) = (&self.parked, query.toll, observer.wants_nodes());
        let (seats, level) = (&self.seats, self.seats[id.index()].level);
        let toll = |node: u32| match parked.at(node) {
            NOBODY => 0,
            other if other == id.0 || seats[other as usize].level < level => 0,
            _ => price,
        };
        let visit = |at, tick| {
            if nodes {
                observer.node(id, CellId(at), tick);
            }
        };
        self.fields.with_near(graph, key, self.seats[id.index()].field, query.start, |field| {
            search.search(&Ground { graph, table, toll }, field, query, found, visit, stop)
        })
    }

    /// Searches a way out of the corner that `by` has pushed a unit into: past it if need be, to wherever it
    /// is not in its way.
    fn escape(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        by: AgentId,
        query: &Query,
        stop: impl FnMut(u64) -> bool,
    ) -> Found {
        self.mark_way(view, by, view.agent(id).body);
        self.table.set_rank(id.0, cornered_by(self.table.rank(by.0)));
        let ground = Ground { graph: &Self::graph(view, id), table: &self.table, toll: |_| 0 };
        self.search.search(&ground, &mut self.clear, query, &mut self.found, |_, _| {}, stop)
    }

    /// Whether a unit that rests at home can simply go on resting: what the search would find, without
    /// releasing and reserving again what it holds already.
    fn stay_on(&mut self, graph: &impl Graph, id: AgentId, (at, base): (u32, Tick), depth: u32) -> bool {
        let seat = &self.seats[id.index()];
        let rests = seat.planned
            && seat.rank == 0
            && !seat.robbed
            && seat.pushed.is_none()
            && seat.goal == seat.target
            && seat.target.0 == at
            && self.table.rank(id.0) == seat.own_rank()
            && seat.ahead().iter().all(|s| s.to == at && s.from == at);
        let Some(end) = seat.end().filter(|_| rests) else { return false };
        let more = end..base + Tick::from(depth);
        if more.clone().any(|tick| self.table.admits(graph, id.0, at, at, tick, 1) != Some(0)) {
            return false;
        }
        let seat = &mut self.seats[id.index()];
        seat.cut(base + Tick::from(depth));
        for tick in more {
            seat.path.push(Step { from: at, to: at, tick, duration: 1, action: Action::Wait });
            self.table.reserve(graph, id.0, (at, at), tick, 1, |_| {});
        }
        true
    }

    /// How far a unit is from its goal; `None` if there is no way.
    fn far(
        &mut self,
        view: &View<'_>,
        graph: &impl Graph,
        id: AgentId,
        start: u32,
        observer: &mut dyn Observer,
    ) -> Option<u32> {
        let (key, hint) = (self.key(view, id), self.seats[id.index()].field);
        let far = self.fields.with_near(graph, key, hint, start, |field| field.distance(graph, start))?;
        self.seats[id.index()].field = self.fields.latest();
        if self.clock.is_none() && view.agent(id).waypoints().len() == 1 {
            observer.alone(id, Tick::from(far));
        }
        Some(far)
    }

    /// Those whose reservations the path just found runs into are flagged and plan again in this tick, with
    /// nearly the rank of whoever pushes them.
    fn take_way(&mut self, graph: &impl Graph, id: AgentId, now: Tick, observer: &mut dyn Observer) {
        if self.table.rank(id.0) == 0 {
            return;
        }
        self.flagged.clear();
        let flagged = &mut self.flagged;
        for step in &self.found {
            let ends = (step.from, step.to);
            self.table.rivals(graph, id.0, ends, step.tick, step.duration, |other| flagged.push(other));
        }
        self.flagged.sort_unstable();
        self.flagged.dedup();
        let rank = self.table.rank(id.0);
        for k in 0..self.flagged.len() {
            let other = self.flagged[k];
            observer.event(now, &Event::Overridden { agent: AgentId(other), by: id });
            self.seats[other as usize].pushed = Some((pushed_by(rank), id.0));
            self.flag(other);
        }
    }

    /// Queues a unit whose reservations were taken.
    fn flag(&mut self, other: u32) {
        let seat = &mut self.seats[other as usize];
        seat.robbed = true;
        if !seat.queued && seat.mine {
            seat.queued = true;
            self.queue.push_back(AgentId(other));
        }
    }

    /// Marks the way of a unit for one of this body: what it has reserved, and the shortest way on from there for a window.
    fn mark_way(&mut self, view: &View<'_>, by: AgentId, body: u8) {
        let graph = Self::graph(view, by);
        self.clear.begin(view.grid(), body);
        let mut at = view.unit(by).at.0;
        graph.covered(at, at, |node| self.clear.add(node));
        for step in self.seats[by.index()].ahead() {
            graph.covered(step.to, step.to, |node| self.clear.add(node));
            at = step.to;
        }
        let key = self.key(view, by);
        let clear = &mut self.clear;
        let window = self.settings.window;
        self.fields.with(&graph, key, at, |field| {
            for _ in 0..window {
                let Some(here) = field.distance(&graph, at) else { return };
                let mut next = None;
                graph.edges(at, |edge| {
                    let nearer =
                        field.beside(&graph, here, edge.to).is_some_and(|d| d + edge.duration == here);
                    if next.is_none() && nearer {
                        next = Some(edge.to);
                    }
                });
                let Some(next) = next else { return };
                graph.covered(next, next, |node| clear.add(node));
                at = next;
            }
        });
    }

    /// Takes back the reservations of a path that was released, if all of it is still free.
    fn retake(&mut self, graph: &impl Graph, id: AgentId, base: Tick) -> bool {
        let ahead = self.seats[id.index()].ahead();
        let ahead = &ahead[ahead.iter().position(|s| s.tick >= base).unwrap_or(ahead.len())..];
        let free = !ahead.is_empty()
            && ahead
                .iter()
                .all(|s| self.table.admits(graph, id.0, s.from, s.to, s.tick, s.duration) == Some(0));
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
    pub(super) fn drop_path(&mut self, view: &View<'_>, id: AgentId) {
        self.forget(view, id);
        let graph = Self::graph(view, id);
        let seat = &mut self.seats[id.index()];
        for step in &seat.path[seat.done..] {
            forget(&mut self.table, || graph, id.0, step);
            self.table.release(&graph, id.0, (step.from, step.to), step.tick, step.duration);
        }
        seat.path.clear();
        (seat.done, seat.freed) = (0, 0);
    }

    /// Frees what a unit's steps that are over have held.
    #[inline]
    pub(super) fn forget(&mut self, view: &View<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        for step in &seat.path[seat.freed..seat.done] {
            forget(&mut self.table, || Self::graph(view, id), id.0, step);
        }
        seat.freed = seat.done;
    }

    /// Lets a unit stay where it is for a whole window, whoever had reserved its cell: those are flagged
    /// and plan again in this tick.
    pub(super) fn hold(&mut self, view: &View<'_>, id: AgentId) {
        let graph = Self::graph(view, id);
        let (start, base) = Self::base(view, id);
        self.forget(view, id);
        self.release_ahead(&graph, id, base);
        let depth = self.depth(id);
        let seat = &mut self.seats[id.index()];
        seat.cut(base);
        seat.path.reserve(depth as usize + 1);
        if seat.path.is_empty() && base > view.tick() {
            // A move in progress that it has no record of: somebody else began it.
            let unit = view.unit(id);
            let action = Action::between(view.grid().cell(unit.from), view.grid().cell(unit.at));
            let (duration, action) = ((unit.until - unit.since) as u32, action.unwrap_or_default());
            seat.path.push(Step { from: unit.from.0, to: start, tick: unit.since, duration, action });
        }
        for tick in base..base + Tick::from(depth) {
            seat.path.push(Step { from: start, to: start, tick, duration: 1, action: Action::Wait });
        }
        (seat.planned, seat.goal, seat.robbed) = (false, seat.target, false);
        seat.held_since.get_or_insert(view.tick());
        seat.stands_at = view.grid().cell(CellId(start));
        self.flagged.clear();
        let flagged = &mut self.flagged;
        claim(&mut self.table, &graph, id.0, &seat.path, |other| flagged.push(other));
        if self.promotions.active > 0 || self.ranked() {
            self.table.set_rank(id.0, HELD);
        }
        for k in 0..self.flagged.len() {
            self.flag(self.flagged[k]);
        }
    }
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
        let before = table.store.claim(first.from, first.tick, owner);
        if before != NOBODY && before != owner {
            taken(before);
        }
    }
    for step in path {
        table.reserve(graph, owner, (step.from, step.to), step.tick, step.duration, &mut taken);
    }
}

/// Frees what a step that is over has held until its end; its end itself belongs to the next step.
#[inline]
fn forget<S: Store, G: Graph>(table: &mut Table<S>, graph: impl Fn() -> G, owner: u32, step: &Step) {
    let (rule, store) = (table.rule(), &mut table.store);
    let mut free = |node, tick| {
        store.release(node, tick, owner);
    };
    free(step.from, step.tick);
    if rule == Rule::Hold {
        graph().covered(step.from, step.to, |node| {
            (step.tick..step.end()).for_each(|tick| free(node, tick));
        });
    }
}
