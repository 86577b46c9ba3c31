//! One unit's planning: search, reserve, or stay and let the others plan around.

use super::Guide;
use super::cooperation::Cooperation;
use super::holding::claim;
use super::parked::Parked;
use super::patience::{Begun, Pending};
use super::promotion::{HELD, pushed_by};
use super::seat::Seat;
use super::ways::Way;
use throng_core::{Action, AgentId, Budget, CellId, Event, Motion, Observer, Reason, SearchKind, Tick, View};
use throng_search::reservations::{NOBODY, Rule, Store};
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
        if self.settings.guide != Guide::True {
            return self.plan_coarsely(view, id, budget, spent, observer);
        }
        let seat = &self.seats[id.index()];
        if seat.rank > 0 || seat.around || seat.through {
            self.choose_ground(view, id);
        }
        let walls = self.holders.walls(self.seats[id.index()].around);
        let grid = walls.as_deref().unwrap_or(view.grid());
        match Way::on(grid, view, id, self.seats[id.index()].car.as_ref()) {
            Way::Steps(graph) => match graph.plain() {
                Some(plain) => self.plan_on::<_, false>(&plain, view, id, budget, spent, observer),
                None => self.plan_on::<_, false>(&graph, view, id, budget, spent, observer),
            },
            Way::Gaits(graph) => self.plan_on::<_, false>(&graph, view, id, budget, spent, observer),
            Way::Car(graph) => self.plan_on::<_, false>(&graph, view, id, budget, spent, observer),
        }
    }

    /// [`Self::plan`] on the graph that the unit moves on, within a `CORRIDOR` or not.
    pub(super) fn plan_on<G: Graph, const CORRIDOR: bool>(
        &mut self,
        graph: &G,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        let now = view.tick();
        if self.left == 0 || budget.should_stop(spent) {
            self.seats[id.index()].answered = false;
            self.go_on_in_part(view, graph, id);
            return 0;
        }
        self.forget(view, id);
        let (at, earliest) = self.base(view, id);
        if self.stay_on(graph, id, (at, earliest), self.depth(id)) {
            self.seats[id.index()].best = (0, now);
            observer.replanned(id, now);
            return 0;
        }
        let (before, before_field) = (self.search.expanded(), self.guided::<CORRIDOR>());
        self.fields.allow(self.left);
        let resumed = self.take_up(id, (at, earliest));
        let query = match resumed {
            Some(query) => query,
            None => match self.begin_search::<CORRIDOR>(view, graph, id, observer) {
                Begun::Search(query) => query,
                other => {
                    if let Begun::Unknown(base) = other {
                        self.go_on(view, graph, id, base);
                    }
                    let backwards = self.guided::<CORRIDOR>() - before_field;
                    observer.expanded(id, SearchKind::Backwards, backwards);
                    return backwards;
                }
            },
        };
        let used = self.guided::<CORRIDOR>() - before_field;
        let (base, goal) = (query.tick, self.seats[id.index()].target);
        let (mut answer, mut escaping) = (Found::Nothing, false);
        if self.seats[id.index()].searches <= SEARCHES {
            let query = Query { room: self.room_after(used), again: resumed.is_some(), ..query };
            let stop = |more| budget.should_stop(spent + used + more);
            let seat = &self.seats[id.index()];
            let waits = seat.through && seat.pushed.is_none();
            escaping = waits;
            answer = if waits {
                self.wait_for_holders(graph, view, id, &query, stop)
            } else if CORRIDOR {
                self.look_in_corridor(graph, view, id, &query, stop, observer)
            } else {
                self.look(graph, id, self.key(id), &query, stop, observer)
            };
            if answer == Found::Nothing
                && let Some((_, by)) = self.seats[id.index()].pushed
            {
                let used =
                    |this: &Self| this.search.expanded() - before + this.guided::<CORRIDOR>() - before_field;
                self.fields.allow(self.room_after(used(self)));
                self.mark_way(view, AgentId(by), view.agent(id).body);
                let room = self.room_after(used(self));
                let query = Query { penalty: self.settings.penalty, room, again: false, ..query };
                escaping = true;
                answer = self.escape(view, id, AgentId(by), &query, stop);
            }
        }
        let expanded = self.search.expanded() - before;
        let backwards = self.guided::<CORRIDOR>() - before_field;
        observer.expanded(id, SearchKind::Main, expanded);
        if backwards > 0 {
            observer.expanded(id, SearchKind::Backwards, backwards);
        }
        let used = expanded + backwards;
        // Its reservations are gone, so that it plans again at once or stays.
        let again =
            answer == Found::Nothing && self.room_after(used) > 0 && !budget.should_stop(spent + used);
        if again && self.is_pushed(graph, id, (at, earliest)) {
            // From the same place: it may have been promoted meanwhile, and would begin farther ahead.
            self.release_ahead(graph, id, base);
            self.seats[id.index()].cut(base);
            let left = self.left;
            self.left = self.room_after(used);
            let more = self.plan_on::<G, CORRIDOR>(graph, view, id, budget, spent + used, observer);
            self.left = left;
            return used + more;
        }
        if answer == Found::OutOfBudget {
            if resumed.is_some() {
                self.wait_its_turn(id);
            } else {
                self.go_on(view, graph, id, base);
            }
            if !escaping {
                let corridor = if CORRIDOR { self.laying() } else { None };
                self.pending = Some(Pending { id, query, goal, rank: self.table.rank(id.0), corridor });
            }
            return used;
        }
        observer.replanned(id, now);
        self.seats[id.index()].lead /= if resumed.is_some() { 1 } else { 2 };
        match answer {
            // The others have gone on while it searched.
            Found::Path(_) if resumed.is_some() && !self.is_free(graph, id, &self.found) => {
                self.wait_its_turn(id);
            }
            Found::Path(_) => {
                if resumed.is_some() {
                    self.release_ahead(graph, id, base);
                }
                self.take_way(graph, id, now, observer);
                let seat = &mut self.seats[id.index()];
                claim(&mut self.table, graph, id.0, &self.found, |_| {});
                seat.cut(base);
                seat.path.extend_from_slice(&self.found);
                (seat.goal, seat.planned, seat.robbed) = (goal, true, false);
                seat.yields = seat.pushed.map(|(_, by)| by);
                observer.reserved(id, base, seat.end().unwrap_or(base));
            }
            Found::Nothing | Found::OutOfBudget => {
                self.seats[id.index()].answered = true;
                self.hold(view, id);
                let blocked_by = self.in_the_way(graph, id, (at, earliest));
                let at = view.grid().cell(CellId(graph.place(at)));
                observer.event(now, &Event::GaveUp { agent: id, at, blocked_by });
            }
        }
        used
    }

    /// Whether somebody above a unit has reserved the place where it is; then it makes way for that one. It may have
    /// been pushed before and planned, but those whom it had to push in turn were slower.
    fn is_pushed(&mut self, graph: &impl Graph, id: AgentId, (at, tick): (u32, Tick)) -> bool {
        if self.promotions.active == 0 || self.seats[id.index()].pushed.is_some() {
            return false;
        }
        let mut first = (self.table.rank(id.0), id.0);
        let ticks = tick..tick + Tick::from(self.depth(id));
        for tick in ticks {
            self.table.rivals(graph, id.0, (at, graph.rest(at)), tick, 1, |other| {
                let rank = self.table.rank(other);
                if rank > first.0 && rank != HELD {
                    first = (rank, other);
                }
            });
        }
        let pushed = first.1 != id.0;
        if pushed {
            self.seats[id.index()].pushed = Some((pushed_by(first.0), first.1));
        }
        pushed
    }

    /// Somebody who holds what a unit could step on.
    fn in_the_way(&self, graph: &impl Graph, id: AgentId, (at, tick): (u32, Tick)) -> Option<AgentId> {
        let mut first = None;
        graph.edges(at, |edge| {
            self.table.rivals(graph, id.0, (at, edge.to), tick, edge.duration, |other| {
                first = first.or(Some(AgentId(other)));
            });
        });
        first
    }

    /// What a unit is to search for, with its reservations out of the way.
    fn begin_search<const CORRIDOR: bool>(
        &mut self,
        view: &View<'_>,
        graph: &impl Graph,
        id: AgentId,
        observer: &mut dyn Observer,
    ) -> Begun {
        let (start, base) = self.ahead_of(view, id);
        let (now, goal) = (view.tick(), self.seats[id.index()].target);
        let depth = if CORRIDOR { self.depth_in_corridor(id) } else { self.depth(id) };
        // Who pushes others looks as far ahead as they take to make way, where nobody has to save.
        let depth = match self.seats[id.index()].rank {
            1.. if self.lead == 0 => depth.max(self.settings.window.longest().min(2) * self.reach.slowest),
            _ => depth,
        };
        self.release_ahead(graph, id, base);
        let told = if CORRIDOR {
            self.far_by_corridor(view, id, graph.place(start))
        } else {
            self.far(view, graph, id, start, observer)
        };
        let far = match told {
            // Coarser guides tell nothing apart that is near: only who is there is there.
            Some(Some(far)) => far.max(u32::from(graph.place(start) != goal.0)),
            None => return Begun::Unknown(base),
            Some(None) if self.seats[id.index()].around => {
                self.go_through(id, now);
                return Begun::Unknown(base);
            }
            Some(None) => {
                let (from, to) = (view.grid().cell(CellId(graph.place(start))), view.grid().cell(goal));
                // From now on it rests where it is, and steps aside like everybody who rests.
                let seat = &mut self.seats[id.index()];
                seat.hopeless = Some(Reason::Unreachable { agent: id, from, to });
                (seat.target, seat.idle) = (view.unit(id).at, true);
                self.hold(view, id);
                observer.event(now, &Event::GaveUp { agent: id, at: from, blocked_by: None });
                return Begun::NoWay;
            }
        };
        let patience = match self.settings.patience {
            0 => Tick::MAX,
            _ if self.seats[id.index()].through => Tick::MAX,
            // A patrol that is over may park anywhere: nobody makes way for it.
            _ if self.seats[id.index()].idle && !view.agent(id).must_rest() => Tick::MAX,
            quarters => Tick::from(depth) * Tick::from(quarters) / 4,
        };
        let agent = view.agent(id);
        let must_rest = agent.must_rest() && view.unit(id).leg.saturating_add(1) >= agent.waypoints().len();
        let seat = &mut self.seats[id.index()];
        seat.searches += 1;
        if self.promotions.note(seat, far, now, patience) {
            let at = view.grid().cell(CellId(graph.place(start)));
            observer.event(now, &Event::Promoted { agent: id, at, by: None });
        }
        let own = seat.own_rank();
        let rank = own.max(seat.pushed.map_or(0, |(rank, _)| rank));
        if let Some((_, by)) = seat.pushed.filter(|_| rank > own) {
            let at = view.grid().cell(CellId(graph.place(start)));
            observer.event(now, &Event::Promoted { agent: id, at, by: Some(AgentId(by)) });
        }
        // Who goes first by right pays nothing for it; who is promoted or pushed disturbs as few as it can.
        let raised = rank > own || seat.rank > 0;
        let courtesy = if raised { self.settings.courtesy.min(1) } else { self.settings.courtesy };
        let toll = seat.step * courtesy;
        if self.table.rank(id.0) != rank {
            self.table.set_rank(id.0, rank);
        }
        Begun::Search(Query {
            owner: id.0,
            start,
            tick: base,
            goal: goal.0,
            ending: Ending::Window(depth),
            penalty: u32::from(raised) * self.settings.penalty,
            passes: !must_rest,
            toll,
            still_from: Tick::MAX,
            room: u64::MAX,
            again: false,
        })
    }

    /// Searches a path to the goal around the reservations of the others, or goes on with that.
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
        let (toll, nodes) = (toll(&self.parked, &self.seats, id, query.toll), observer.wants_nodes());
        let visit = |at, tick| {
            if nodes {
                observer.node(id, CellId(at), tick);
            }
        };
        let (hint, origin) = (self.seats[id.index()].field, graph.measured(query.start));
        self.fields.with_near(graph.measure(), key, hint, origin, |field| {
            let ground = Ground { graph, table, toll };
            let before = field.expanded();
            if !field.settle(graph.measure()) {
                return Found::OutOfBudget;
            }
            let query = &Query { room: query.room_after(field.expanded() - before), ..*query };
            search.search(&ground, field, query, found, visit, stop)
        })
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
            && seat.target.0 == graph.place(at)
            && self.table.rank(id.0) == seat.own_rank()
            && seat.ahead().iter().all(|s| s.to == at && s.from == at);
        let Some(end) = seat.end().filter(|_| rests) else { return false };
        // It may have planned farther than that, from where it was to be.
        let more = end..end.max(base + Tick::from(depth));
        // Where moves hold what they cover, all ticks are looked up at once.
        let at_once = self.table.rule() == Rule::Hold && !more.is_empty();
        let ticks = if at_once { (more.end - more.start) as u32 } else { 1 };
        let mut tick = more.start;
        while tick < more.end {
            if self.table.admits(graph, id.0, at, at, tick, ticks) != Some(0) {
                return false;
            }
            tick += Tick::from(ticks);
        }
        let seat = &mut self.seats[id.index()];
        seat.cut(more.end);
        for tick in more.clone() {
            seat.path.push(Step { from: at, to: at, tick, duration: 1, action: Action::Wait });
            if !at_once {
                self.table.reserve(graph, id.0, (at, at), tick, 1, |_| {});
            }
        }
        if at_once {
            self.table.reserve(graph, id.0, (at, at), more.start, ticks, |_| {});
        }
        true
    }

    /// How far a unit is from its goal; `Some(None)` if there is no way, `None` if there was no room to find out.
    fn far<G: Graph>(
        &mut self,
        view: &View<'_>,
        graph: &G,
        id: AgentId,
        start: u32,
        observer: &mut dyn Observer,
    ) -> Option<Option<u32>> {
        if !G::CONSISTENT && self.is_cut_off(graph.place(start), self.seats[id.index()].target) {
            return Some(None);
        }
        let (key, hint) = (self.key(id), self.seats[id.index()].field);
        let (measure, origin) = (graph.measure(), graph.measured(start));
        let far = self.fields.with_near(measure, key, hint, origin, |field| {
            let far = if field.settle(measure) { field.distance(measure, origin) } else { None };
            (!field.is_starved()).then_some(far)
        })?;
        let Some(far) = far else { return Some(None) };
        self.seats[id.index()].field = self.fields.latest();
        // What a runner is measured by is less than what it takes.
        let exact = G::CONSISTENT && G::PARTS == 1 && !matches!(view.agent(id).motion, Motion::Gaits { .. });
        if self.clock.is_none() && exact && view.agent(id).waypoints().len() == 1 {
            observer.alone(id, Tick::from(far));
        }
        Some(Some(far))
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
    pub(super) fn flag(&mut self, other: u32) {
        let seat = &mut self.seats[other as usize];
        seat.robbed = true;
        self.alarmed |= seat.queued;
        if !seat.queued && seat.mine {
            seat.queued = true;
            if self.lead > 0 {
                // What is left is for those who cannot wait.
                self.queue.push_front(AgentId(other));
            } else {
                self.queue.push_back(AgentId(other));
            }
        }
    }
}

/// What it costs a unit to plan through whoever rests at a place: nothing through itself and those of lower priority.
pub(super) fn toll(parked: &Parked, seats: &[Seat], id: AgentId, price: u32) -> impl Fn(u32) -> u32 + Copy {
    let level = seats[id.index()].level;
    move |place| match parked.at(place) {
        NOBODY => 0,
        other if other == id.0 || seats[other as usize].level < level => 0,
        _ => price,
    }
}
