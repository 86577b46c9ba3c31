//! The cooperation of all units: who plans when.

use super::changes::is_mine;
use super::clear::Clear;
use super::crowding::Crowding;
use super::guide::Coarse;
use super::holders::{AROUND, Holders};
use super::lanes::Shown;
use super::parked::Parked;
use super::patience::Pending;
use super::promotion::{HELD, MOST_PRIORITIES, Promotions};
use super::seat::Seat;
use super::ways::{Way, node};
use super::{Guide, Reach, Settings};
use std::collections::VecDeque;
use std::sync::Arc;
use throng_core::{Action, Agent, AgentId, Budget, Dir, Event, Motion, Observer, SearchKind, Tick, View};
use throng_search::reservations::{Rule, Store, Table};
use throng_search::{CarShape, DistanceFields, FieldKey, GridGraph, SpaceTime, Step, Workers};

/// What one unit's turn may take where something else than expansions is limited, and is asked about in between.
const SHARE: u64 = 1 << 10;

#[derive(Debug)]
pub(super) struct Cooperation<S> {
    pub settings: Settings,
    pub workers: Arc<Workers>,
    pub table: Table<S>,
    /// For how many ticks the table can keep what is over. Units free their own together, since reservations
    /// of one unit lie near each other and those of the next one do not.
    slack: Tick,
    pub fields: DistanceFields,
    pub seats: Vec<Seat>,
    pub promotions: Promotions,
    /// The priorities that there are, in order.
    pub(super) levels: Vec<i32>,
    /// The moves that its table has room for.
    pub(super) reach: Reach,
    /// The tick that `decide` expects next; any other means that the game went on without it.
    pub clock: Option<Tick>,
    pub(super) search: SpaceTime,
    pub(super) queue: VecDeque<AgentId>,
    /// Those for whom there was no time in this tick; they come first in the next one.
    pub(super) waiting: VecDeque<AgentId>,
    /// Whether one of them may have been robbed.
    pub(super) alarmed: bool,
    /// Expansions left in this tick, or for whoever plans; [`u64::MAX`] if nothing is limited.
    pub(super) left: u64,
    /// How many ticks ahead a search may begin; 0 while the expansions of a tick have never been limited.
    pub(super) lead: u32,
    /// By how many steps windows are shortened, because there is not enough time for everybody.
    pub(super) short: u32,
    pub(super) pending: Option<Pending>,
    pub(super) flagged: Vec<u32>,
    /// Who lost a reservation since the last tick to whom, because that one has to stay where it is.
    pub(super) overridden: Vec<(AgentId, AgentId)>,
    pub(super) found: Vec<Step>,
    pub(super) clear: Clear,
    pub(super) parked: Parked,
    pub(super) holders: Holders,
    pub(super) crowding: Crowding,
    /// What coarser guides need.
    pub(super) coarse: Option<Box<Coarse>>,
    /// The direction map that units plan by.
    pub(super) lanes: Option<Box<Shown>>,
    pub(super) wanted: Vec<(FieldKey, u32)>,
}

impl<S: Store> Cooperation<S> {
    pub(super) fn new(
        settings: Settings,
        workers: Arc<Workers>,
        view: &View<'_>,
        (store, slack): (S, u32),
        (reach, lead): (Reach, u32),
        (coarse, lanes): (Option<Box<Coarse>>, Option<Box<Shown>>),
    ) -> Self {
        let mut cooperation = Self {
            settings,
            workers,
            table: Table::new(Rule::of(&view.rules(), view.scenario.largest_body()), store)
                .coarse(settings.grain),
            slack: Tick::from(slack),
            fields: DistanceFields::new(settings.memory),
            levels: levels(view),
            reach,
            seats: Vec::new(),
            promotions: Promotions::default(),
            clock: None,
            search: SpaceTime::new(),
            queue: VecDeque::new(),
            waiting: VecDeque::new(),
            alarmed: false,
            left: u64::MAX,
            lead,
            short: 0,
            pending: None,
            flagged: Vec::new(),
            overridden: Vec::new(),
            found: Vec::new(),
            clear: Clear::default(),
            parked: Parked::new(view.grid().len()),
            holders: Holders::default(),
            crowding: Crowding::new(view.grid(), &settings),
            coarse,
            lanes,
            wanted: Vec::new(),
        };
        let seat = |agent: &Agent| Seat {
            mine: is_mine(view, agent.id),
            ..cooperation.new_seat(view, agent).unwrap_or_default()
        };
        cooperation.seats = view.scenario.agents().iter().map(seat).collect();
        cooperation
    }

    /// A seat for an agent; `None` if its moves take longer than the table has room for.
    pub(super) fn new_seat(&self, view: &View<'_>, agent: &Agent) -> Option<Seat> {
        let level = level(&self.levels, agent);
        let actions = agent.actions(view.rules());
        let step = actions.duration(Action::Go(Dir::N));
        if actions.longest() > self.reach.longest || step > self.reach.slowest {
            return None;
        }
        let car = CarShape::of(view.rules(), agent).map(Arc::new);
        let poses = u32::from(agent.motion.poses());
        let (quick, kind) = (actions.duration(Action::Run(Dir::N)), GridGraph::kind(agent));
        let mut seat = Seat { step, quick, level, poses, car, kind, ..Seat::default() };
        seat.set_window(&self.settings, self.short, None);
        Some(seat)
    }

    /// Whether some units have priority over others.
    pub(super) fn ranked(&self) -> bool {
        self.levels.len() > 1
    }

    pub(super) fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let now = view.tick();
        if let Some(coarse) = &mut self.coarse {
            coarse.look(view, &self.settings, &self.seats);
        }
        if self.lanes.is_some() {
            self.look_at_lanes(view);
        }
        self.advance(view);
        self.gather(view);
        let share = if budget.is_tight() { SHARE } else { u64::MAX };
        self.left = match budget.limit() {
            u64::MAX => share,
            limit => limit,
        };
        let mut spent = self.prepare(view, budget, observer);
        let (mut share, strangers) = self.known_first(view, budget.limit());
        while let Some(id) = self.next() {
            let seat = &mut self.seats[id.index()];
            seat.queued = false;
            if !seat.mine || view.unit(id).is_late(now) {
                continue;
            }
            if self.settings.window.is_auto() || self.lead > 0 {
                self.fit_window(view, id);
            }
            let used = self.plan(view, id, budget, spent, observer);
            spent += used;
            if budget.limit() != u64::MAX {
                self.left = self.room_after(used);
            }
            if spent >= share {
                share = u64::MAX;
                self.strangers_first(strangers);
            }
        }
        for (agent, by) in self.overridden.drain(..) {
            observer.event(now, &Event::Overridden { agent, by });
        }
        self.fit_windows();
        core::mem::swap(&mut self.queue, &mut self.waiting);
        for &id in view.mine {
            let step = self.seats[id.index()].ahead().first();
            actions[id.index()] = step.filter(|s| s.tick == now).map_or(Action::Wait, |s| s.action);
        }
        if observer.wants_memory() {
            let (open, closed) = self.fields.size();
            observer.memory(open, closed, self.fields.bytes());
        }
        self.clock = Some(now + 1);
    }

    /// Where and when a unit can begin something new: now, or when its move in progress is over. Whoever is late holds its place
    /// until it may go on: it does not plan, and how long that takes nobody counts on.
    pub(super) fn base(&self, view: &View<'_>, id: AgentId) -> (u32, Tick) {
        let unit = view.unit(id);
        let now = view.tick();
        let begins = if unit.is_late(now) { now } else { unit.until.max(now) };
        (node(unit, self.seats[id.index()].poses), begins)
    }

    /// Depth of a unit's search in ticks.
    pub(super) fn depth(&self, id: AgentId) -> u32 {
        self.seats[id.index()].depth
    }

    /// The graph of a unit.
    pub(super) fn way<'a>(&self, view: &View<'a>, id: AgentId) -> Way<'a> {
        Way::of(view, id, self.seats[id.index()].car.as_ref())
    }

    pub(super) fn key(&self, id: AgentId) -> FieldKey {
        let seat = &self.seats[id.index()];
        FieldKey { goal: seat.target.0, kind: seat.kind | if seat.around { AROUND } else { 0 } }
    }

    /// Drops what is over, and takes up units that are not where they were planned to be (or that
    /// somebody else moves): they hold their cell.
    fn advance(&mut self, view: &View<'_>) {
        let now = view.tick();
        let late = self.clock.is_some_and(|clock| clock != now);
        if late {
            (0..self.seats.len()).for_each(|index| self.forget(view, AgentId(index as u32)));
        }
        let (holds, counts) = (self.table.rule() == Rule::Hold, self.crowding.counts());
        for (index, unit) in view.state.units.iter().enumerate().take(self.seats.len()) {
            let id = AgentId(index as u32);
            if unit.gone {
                continue;
            }
            let seat = &mut self.seats[index];
            seat.searches = 0;
            // Who still waits for its turn is still to make way.
            if !seat.queued {
                seat.pushed = None;
            }
            if counts {
                self.crowding.note(view.grid(), seat, view.agent(id).body, Some(unit.at));
            }
            if seat.leg != Some(unit.leg) {
                (seat.leg, seat.target) = (Some(unit.leg), view.target(id));
                seat.idle = unit.leg >= view.agent(id).waypoints().len();
                seat.displaced = 0;
            }
            if seat.hopeless.is_some() {
                // It rests wherever it is: who has stepped aside need not come back.
                seat.target = unit.at;
            }
            while seat.path.get(seat.done).is_some_and(|step| step.end() <= now) {
                seat.done += 1;
            }
            let is_over = seat.freed < seat.done && seat.path[seat.freed].end() + self.slack <= now;
            let as_planned = !late
                && match seat.ahead().first() {
                    None => false,
                    Some(step) if step.tick == now => step.from == node(unit, seat.poses) && unit.stands(now),
                    Some(step) => step.to == node(unit, seat.poses) && unit.until == step.end(),
                };
            let home = if unit.at == seat.target { Some(unit.at.0) } else { seat.stands };
            let (mine, moved) = (seat.mine, home != seat.parked);
            if is_over {
                self.forget(view, id);
            }
            let mine = mine && !unit.is_late(now);
            if !as_planned || !mine {
                self.drop_path(view, id);
                self.hold(view, id);
            }
            if moved {
                self.park(id, home);
            }
            if holds {
                // Whoever is asked to make way needs the time of a step for it. That may not clear the way of one who is stuck:
                // for those large ones get the time of as many steps as they are wide.
                let body = if self.promotions.active == 0 { 1 } else { Tick::from(view.agent(id).body) };
                let leaves = unit.until.max(now) + body * Tick::from(self.seats[index].quick) - 1;
                self.table.set_fixed(index as u32, leaves);
            }
            if !self.table.is_ranked() && mine && !self.ranked() {
                continue;
            }
            let seat = &self.seats[index];
            // While nobody is promoted all are equal; ranks from before must not linger.
            let rank = if mine { seat.own_rank() } else { HELD };
            let stale = !seat.planned || self.promotions.active == 0;
            if stale && self.table.rank(index as u32) != rank {
                self.table.set_rank(index as u32, rank);
            }
        }
    }

    /// Notes whether and where a unit rests at its goal.
    pub(super) fn park(&mut self, id: AgentId, at: Option<u32>) {
        let seat = &mut self.seats[id.index()];
        if let Some(old) = seat.parked {
            self.parked.leave(old, id.0);
            seat.displaced = seat.displaced.saturating_add(u32::from(seat.idle && at.is_none()));
        }
        if let Some(new) = at {
            self.parked.rest(new, id.0);
        }
        seat.parked = at;
    }

    /// Who plans in this tick: whoever has no plan or a new goal, and whose turn it is.
    fn gather(&mut self, view: &View<'_>) {
        let now = view.tick();
        let n = view.mine.len();
        let first = if self.settings.rotate && n > 0 { (now as usize * 7) % n } else { 0 };
        let (later, sooner) = view.mine.split_at(first);
        for &id in sooner.iter().chain(later) {
            let seat = &mut self.seats[id.index()];
            let turn = (now + Tick::from(id.0)).is_multiple_of(Tick::from(seat.rhythm));
            if view.unit(id).is_late(now) {
                continue;
            }
            let target = seat.target;
            seat.awake |= turn || !self.settings.spread_first;
            if seat.goal != target || self.clock.is_none() {
                seat.best = (u32::MAX, now);
            }
            let due = turn || (seat.awake && (!seat.planned || seat.goal != target));
            if due && !seat.queued {
                seat.queued = true;
                self.queue.push_back(id);
            }
        }
    }

    /// The true distances of all who plan, by all workers at once; answers the expansions. With a budget they
    /// are left to each unit's own turn, where they can be counted one by one.
    fn prepare(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        if self.left != u64::MAX || budget.should_stop(0) {
            return 0;
        }
        self.wanted.clear();
        for k in 0..self.queue.len() {
            let id = self.queue[k];
            let seat = &self.seats[id.index()];
            // Whoever goes on towards the same goal has been told the way already.
            if seat.planned && seat.goal == seat.target {
                continue;
            }
            self.wanted.push((self.key(id), view.unit(id).at.0));
        }
        let before = self.fields.expanded();
        let Some(&first) = self.queue.front() else { return 0 };
        if self.settings.guide != Guide::True {
            return self.prepare_coarse(view, first, observer);
        }
        // Units of one kind share a graph; those of other kinds are prepared on demand.
        let kind = GridGraph::kind(view.agent(first));
        if matches!(view.agent(first).motion, Motion::Car { .. }) {
            return 0;
        }
        self.wanted.retain(|(key, _)| key.kind == kind);
        let graph = GridGraph::of_kind(view.grid(), view.rules(), kind);
        match graph.plain() {
            Some(plain) => self.fields.prepare(&plain, &self.wanted, &self.workers),
            None => self.fields.prepare(&graph, &self.wanted, &self.workers),
        }
        let expanded = self.fields.expanded() - before;
        if expanded > 0 {
            observer.expanded(first, SearchKind::Backwards, expanded);
        }
        expanded
    }
}

/// The priorities that there are, in order. Where those are too many, those of units count that this controller moves:
/// they are few enough, or it would not have been given them.
pub(super) fn levels(view: &View<'_>) -> Vec<i32> {
    let mut levels: Vec<i32> = view.scenario.agents().iter().map(|agent| agent.priority).collect();
    levels.sort_unstable();
    levels.dedup();
    if levels.len() > MOST_PRIORITIES {
        levels = view.mine.iter().map(|&id| view.agent(id).priority).collect();
        levels.sort_unstable();
        levels.dedup();
    }
    levels
}

/// How many of these priorities are lower than that of `agent`.
pub(super) fn level(levels: &[i32], agent: &Agent) -> u32 {
    levels.binary_search(&agent.priority).map_or(0, |level| level.min(MOST_PRIORITIES - 1) as u32)
}
