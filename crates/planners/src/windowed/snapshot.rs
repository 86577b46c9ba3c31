//! Saving a cooperation and taking it up again.

use super::cooperation::Cooperation;
use super::guide::UnderWay;
use super::holders::AROUND;
use super::holding::claim;
use super::lanes::SavedShown;
use super::patience::Pending;
use super::promotion::Promotions;
use super::seat::Seat;
use super::ways::{Way, on_way};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, Agent, AgentId, CellId, MAX_RADIUS, Motion, Reason, Scenario, SnapshotError, Tick, View,
};
use throng_search::abstraction::{Progress, SavedRefinement};
use throng_search::reservations::{Rule, Store};
use throng_search::{
    CarGraph, CarShape, Graph, GridGraph, MOST_CHANGES, Query, SavedField, SavedSearch, Step,
};

/// What later decisions depend on. Reservations follow from the paths; true distances are saved as the
/// recipe by which they are built anew.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// Whether moves hold all that they cover, and the priorities that are told apart: these may be those of units
    /// that have left.
    holds: bool,
    levels: Vec<i32>,
    clock: Option<Tick>,
    promotions: Promotions,
    seats: Vec<SavedSeat>,
    fields: Vec<SavedField>,
    /// Cells that have closed or opened since the oldest of these fields.
    changes: Vec<u32>,
    queue: Vec<AgentId>,
    overridden: Vec<(AgentId, AgentId)>,
    short: u32,
    /// What counts as walls for those who go around others, besides who holds its place.
    resters: Vec<CellId>,
    pending: Option<(Pending, SavedSearch)>,
    lanes: Option<SavedShown>,
    laying: Option<(UnderWay, SavedRefinement)>,
}

#[derive(Serialize, Deserialize)]
struct SavedSeat {
    goal: CellId,
    leg: Option<u32>,
    target: CellId,
    parked: Option<u32>,
    mine: bool,
    planned: bool,
    awake: bool,
    hopeless: bool,
    answered: bool,
    yields: Option<u32>,
    pushed: Option<(u32, u32)>,
    rank: u32,
    /// The rank of its reservations, which differs from its own while it is pushed or held.
    reserved_at: u32,
    best: (u32, Tick),
    depth: u32,
    rhythm: u32,
    lead: u32,
    around: bool,
    through: bool,
    turned: Tick,
    displaced: u32,
    stands: Option<u32>,
    progress: Progress,
    robbed: bool,
    /// If it does not hold all entries of its path: which ones it does, in the order of its steps.
    holds: Option<Vec<bool>>,
    first: Tick,
    from: u32,
    path: Vec<(Action, u32, u32)>,
}

impl<S: Store> Cooperation<S> {
    pub(super) fn save(&self, view: &View<'_>) -> Vec<u8> {
        let seats = self.seats.iter().enumerate().map(|(index, seat)| {
            let ahead = seat.ahead();
            SavedSeat {
                goal: seat.goal,
                leg: seat.leg,
                target: seat.target,
                parked: seat.parked,
                mine: seat.mine,
                planned: seat.planned,
                awake: seat.awake,
                hopeless: seat.hopeless.is_some(),
                answered: seat.answered,
                yields: seat.yields,
                pushed: seat.pushed,
                rank: seat.rank,
                reserved_at: self.table.rank(index as u32),
                best: seat.best,
                depth: seat.depth,
                rhythm: seat.rhythm,
                lead: seat.lead,
                around: seat.around,
                through: seat.through,
                turned: seat.turned,
                displaced: seat.displaced,
                stands: seat.stands,
                progress: seat.progress,
                robbed: seat.robbed,
                holds: self.holds(view, AgentId(index as u32)),
                first: ahead.first().map_or(0, |s| s.tick),
                from: ahead.first().map_or(0, |s| s.from),
                path: ahead.iter().map(|s| (s.action, s.to, s.duration)).collect(),
            }
        });
        let (clock, promotions) = (self.clock, self.promotions);
        let pending = self.pending.as_ref().map(|pending| (pending.clone(), self.search.save()));
        let queue = self.queue.iter().copied().collect();
        let (seats, mut fields): (Vec<_>, _) = (seats.collect(), self.fields.save());
        fields.iter_mut().for_each(|field| self.by_place(view, field));
        let (holds, levels, short) = (self.table.rule() == Rule::Hold, self.levels.clone(), self.short);
        let (overridden, lanes) = (self.overridden.clone(), self.lanes.as_ref().map(|lanes| lanes.save()));
        let laying = self.coarse.as_ref().and_then(|coarse| coarse.save());
        let saved = Saved {
            holds,
            levels,
            clock,
            promotions,
            seats,
            fields,
            changes: self.fields.changes().to_vec(),
            queue,
            overridden,
            short,
            resters: self.holders.resters().to_vec(),
            pending,
            lanes,
            laying,
        };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    pub(super) fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let n = view.scenario.agents().len();
        // Units may have come that it has not met yet.
        if saved.seats.len() > n {
            return Err(SnapshotError::Mismatch(format!("{} units for {n} agents", saved.seats.len())));
        }
        if let (Some(own), Some(lanes)) = (&mut self.lanes, saved.lanes) {
            own.load(view, lanes)?;
        }
        // Paths that were planned by the other rule may run into each other by this one.
        let keeps_paths = saved.holds || self.table.rule() == Rule::Swap;
        if saved.holds {
            self.table.hold(self.settings.grain);
        }
        self.levels = saved.levels;
        self.short = saved.short.min(self.settings.window.longest());
        let on_map = |node: u32, poses: u32| (node as usize) < view.grid().len() * poses as usize;
        (self.clock, self.promotions) = (saved.clock, saved.promotions);
        // Counted anew rather than believed: ending a promotion counts down from it.
        self.promotions.active = saved.seats.iter().filter(|s| s.rank != 0).count() as u32;
        let now = view.tick();
        let near = |tick: Tick| tick.abs_diff(now) <= 1 << 20;
        let ranked = self.promotions.active > 0 || saved.seats.iter().any(|s| s.reserved_at > 0);
        for (agent, saved) in view.scenario.agents().iter().zip(saved.seats) {
            let (mut at, mut tick) = (saved.from, saved.first);
            let known = self.new_seat(view, agent).unwrap_or_default();
            let most = self.settings.window.longest() * known.step;
            // Whoever has just come has no window yet.
            let (depth, rhythm) = match saved.depth {
                0 => (known.depth, known.rhythm),
                depth => (depth.min(most), saved.rhythm.clamp(1, most.max(1))),
            };
            let mut seat = Seat {
                step: known.step,
                quick: known.quick,
                kind: known.kind,
                poses: known.poses,
                car: known.car.clone(),
                depth,
                rhythm,
                level: known.level,
                goal: saved.goal,
                leg: saved.leg,
                idle: saved.leg.is_some_and(|leg| leg >= agent.waypoints().len()),
                target: if on_map(saved.target.0, 1) { saved.target } else { view.target(agent.id) },
                mine: saved.mine,
                planned: saved.planned,
                awake: saved.awake,
                answered: saved.answered,
                yields: saved.yields,
                pushed: saved.pushed.filter(|&(_, by)| (by as usize) < n),
                rank: saved.rank,
                best: saved.best,
                lead: saved.lead,
                around: saved.around,
                through: saved.through,
                turned: saved.turned,
                displaced: saved.displaced,
                stands: saved.stands.filter(|&cell| on_map(cell, 1)),
                progress: saved.progress,
                robbed: saved.robbed,
                ..Seat::default()
            };
            for (action, to, duration) in saved.path.into_iter().filter(|_| keeps_paths) {
                let on_map = on_map(at, seat.poses) && on_map(to, seat.poses);
                let sane = on_map && near(tick) && (1..=1000).contains(&duration);
                if !(sane && follows(view, agent, (at, to), action)) {
                    return Err(SnapshotError::Mismatch(format!("agent {}: a path off the map", agent.id)));
                }
                seat.path.push(Step { from: at, to, tick, duration, action });
                (at, tick) = (to, tick + Tick::from(duration));
            }
            if saved.hopeless {
                let [from, to] =
                    [view.unit(agent.id).at, view.target(agent.id)].map(|at| view.grid().cell(at));
                seat.idle = true;
                seat.hopeless = Some(Reason::Unreachable { agent: agent.id, from, to });
            }
            let way = Way::of(view, agent.id, seat.car.as_ref());
            on_way!(way, graph => self.take_back(graph, agent.id, &seat.path, saved.holds));
            if ranked {
                self.table.set_rank(agent.id.0, saved.reserved_at);
            }
            self.seats[agent.id.index()] = seat;
            self.park(agent.id, saved.parked.filter(|&cell| on_map(cell, 1)));
        }
        let known = |(agent, by): &(AgentId, AgentId)| agent.index() < n && by.index() < n;
        self.overridden = saved.overridden.into_iter().filter(known).collect();
        for id in saved.queue {
            match self.seats.get_mut(id.index()) {
                Some(seat) if !seat.queued => seat.queued = true,
                _ => return Err(SnapshotError::Mismatch(format!("agent {id} in the queue"))),
            }
            self.queue.push_back(id);
        }
        if let Some((pending, search)) = saved.pending.filter(|_| keeps_paths) {
            let Query { start, goal, tick, .. } = pending.query;
            let poses = self.seats.get(pending.id.index()).map_or(0, |seat| seat.poses);
            let room = view.grid().len() * poses as usize;
            let fits = on_map(start, poses) && on_map(goal, 1) && near(tick) && search.fits(room);
            let fits = fits && pending.corridor.as_ref().is_none_or(|laying| laying.fits(view.grid().len()));
            if !fits {
                return Err(SnapshotError::Mismatch(format!("the search of agent {}", pending.id)));
            }
            self.search.load(search, &pending.query);
            self.pending = Some(pending);
        }
        if let (Some(coarse), Some(laying)) = (&mut self.coarse, saved.laying) {
            let id = laying.0.id;
            if !coarse.load(laying) {
                return Err(SnapshotError::Mismatch(format!("the corridor of agent {id}")));
            }
        }
        let mut changes = saved.changes;
        let passable = |&cell: &u32| view.grid().contains(view.grid().cell(CellId(cell)));
        if changes.len() > MOST_CHANGES || !changes.iter().all(passable) {
            changes.clear();
        }
        let fits = |f: &SavedField| {
            let [period, body, radius, rest] = f.key.kind.to_le_bytes();
            on_map(f.key.goal, 1)
                && f.past.origin.is_none_or(|origin| on_map(origin, if radius > 0 { 4 } else { 1 }))
                && (1..=Scenario::MAX_PERIOD).contains(&period)
                && (1..=Scenario::MAX_BODY).contains(&body)
                && radius <= MAX_RADIUS
                && rest <= 1
                && f.behind as usize <= changes.len()
        };
        let fields: Vec<_> = saved.fields.into_iter().filter(fits).collect();
        self.holders.set_resters(saved.resters.into_iter().filter(|cell| on_map(cell.0, 1)).collect());
        if fields.iter().any(|f| f.key.kind & AROUND != 0) || self.seats.iter().any(|s| s.around) {
            self.holders.look(view);
        }
        let (holders, rules) = (&self.holders, view.rules());
        let (coarse, guide) = (self.coarse.as_deref(), self.settings.guide);
        let rebuild_coarse = |saved: &SavedField| coarse?.rebuilt(view, guide, saved);
        let lanes = self.lanes.as_deref();
        let rebuild = |saved: &SavedField| {
            let (kind, grid) = (saved.key.kind & !AROUND, holders.ground(view, saved.key.kind & AROUND != 0));
            if let Some(field) = rebuild_coarse(saved) {
                return field;
            }
            if let Some(lanes) = lanes {
                return lanes.rebuilt(view, saved);
            }
            if kind < 1 << 16 {
                return saved.rebuilt(&GridGraph::of_kind(grid, rules, kind));
            }
            saved.rebuilt(&CarGraph::new(grid, rules, Arc::new(CarShape::of_kind(rules, kind))))
        };
        let (now, before): (Vec<_>, Vec<_>) = fields.into_iter().partition(|f| f.behind == 0);
        self.fields.take_up_changes(changes);
        self.fields.load(rebuild, &now, &self.workers);
        // Only those of units that move in steps are kept when the map changes.
        self.fields.load_on(view.grid(), rules, &before, &self.workers);
        Ok(())
    }

    /// Which entries of its path a unit holds; `None` for all.
    fn holds(&self, view: &View<'_>, id: AgentId) -> Option<Vec<bool>> {
        let (ahead, mut holds) = (self.seats[id.index()].ahead(), Vec::new());
        let visit = |place, entry| holds.push(self.table.store.owner(place, entry) == id.0);
        on_way!(self.way(view, id), graph => self.entries(graph, ahead, visit));
        holds.contains(&false).then_some(holds)
    }

    /// Reserves a saved path, or what its unit still `holds` of it.
    fn take_back(&mut self, graph: &impl Graph, id: AgentId, path: &[Step], holds: Option<Vec<bool>>) {
        let Some(holds) = holds else { return claim(&mut self.table, graph, id.0, path, |_| {}) };
        let (mut holds, mut own) = (holds.into_iter(), Vec::new());
        self.entries(graph, path, |place, entry| {
            if holds.next() == Some(true) {
                own.push((place, entry));
            }
        });
        for (place, entry) in own {
            self.table.store.claim(place, entry, id.0);
        }
    }

    /// Calls `visit` for every entry that a path holds.
    fn entries(&self, graph: &impl Graph, path: &[Step], mut visit: impl FnMut(u32, Tick)) {
        if let Some(first) = path.first() {
            visit(graph.place(first.from), self.table.entry(first.tick));
        }
        for step in path {
            self.table.entries(graph, (step.from, step.to), step.tick, step.duration, &mut visit);
        }
    }
}

/// Whether a step of a unit whose moves depend on its pose leads from one node to the other, on the map all the
/// way.
fn follows(view: &View<'_>, agent: &Agent, (from, to): (u32, u32), action: Action) -> bool {
    if agent.motion == Motion::Steps {
        return true;
    }
    let (grid, actions, poses) = (view.grid(), agent.actions(view.rules()), u32::from(agent.motion.poses()));
    let (start, pose) = (grid.cell(CellId(from / poses)), (from % poses) as u8);
    let end = u32::from(actions.pose_after(pose, action));
    actions.footprint(start, action).cells().all(|cell| grid.contains(cell))
        && grid.id(start.after(action)).is_some_and(|cell| cell.0 * poses + end == to)
}
