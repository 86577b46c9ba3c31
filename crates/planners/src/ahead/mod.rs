//! Reserving a little ahead: what all share who reserve the next few cells of their way, tick by tick, and nothing beyond.
//!
//! In every tick all reservations are made anew, one unit after the other in an order that the planner gives. Before that
//! everybody has claimed the cell that it cannot leave at once. A unit's turn is: its way at full speed, as far ahead as it
//! looks; if somebody will be there, the same slower, so that it comes later; if that would be too slow, another way around
//! the reservations; if there is none, it keeps its own cell, whoever had reserved it, and those have another turn. Whoever
//! keeps its cell is never overridden, so turns end; and who acts on a reservation that nobody has taken is safe.
//!
//! Since nothing is reserved from one tick to the next but what is covered already, a later tick depends on no more than the
//! [`Mind`]s of units.
//!
//! Two rules keep everybody going, which a queue by delay alone does not:
//!
//! * *Whoever stands in the way has the next turn.* Otherwise those between them in the queue would take the cells that it
//!   could step aside to.
//! * *Whoever gives way to somebody comes after that one until it has got past, or that one has arrived.* Backing out of a
//!   corridor makes a unit later by two ticks in every tick: it would soon be the later of the two, the other would back
//!   out, and so on for ever. If it can back out no farther it keeps its cell, and then it is the other one that gives way.
//!   Nor does anybody give way for ever: whoever has come no nearer meanwhile for long goes by its delay again, and has
//!   twice the patience the next time.

mod ask;
mod claims;
mod entries;
mod explain;
mod mind;
mod pace;
mod turn;
mod way;

pub(crate) use explain::explain;
pub(crate) use mind::{Hop, Lot, Mind, Pause, Yield};
pub(crate) use pace::gait;

use entries::Entries;
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Change, Dir, Observer, Scenario, SearchKind, SnapshotError, Task, Tick, View,
};
use throng_search::reservations::{Rule, Table};
use throng_search::{AStar, Crossings, DistanceFields, FieldKey, SavedField, SpaceTime, Step, Workers};

/// How far ahead units reserve, and when they had rather take another way than slow down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// In straight steps of each unit.
    pub(crate) steps: u32,
    /// In percent of full speed: who would have to go slower than this looks for another way.
    pub(crate) threshold: u32,
    /// Whoever has to wait for somebody at a crossing or beyond waits before it.
    pub(crate) clear: bool,
    /// Another way is one around all who stand anywhere now, up to the goal, whatever is reserved.
    pub(crate) around: bool,
}

/// So many times its patience a unit that has done its task stays away from home before it drives others from theirs.
const LONG: Tick = 4;

/// Distances as a snapshot stores them, with the changes of the map that they may be behind.
pub(crate) type SavedFields = (Vec<SavedField>, Vec<u32>);

/// Everything that turns need.
#[derive(Debug)]
pub(crate) struct Ahead {
    manner: Manner,
    workers: Arc<Workers>,
    pub(crate) minds: Vec<Mind>,
    fields: DistanceFields,
    search: SpaceTime,
    /// Searches of the terrain alone.
    scout: AStar,
    /// Where roads meet, if that matters, and whether that is known.
    crossings: Crossings,
    surveyed: bool,
    /// Made when it is first needed in a world of these units.
    table: Option<Table<Entries>>,
    seats: Vec<Seat>,
    /// Who stands where, by cell: agent + 1.
    board: Vec<u32>,
    /// Who is still to have its turn, the next one last.
    queue: Vec<AgentId>,
    /// Expansions in this tick, and how many are left of a limit.
    spent: u64,
    left: u64,
    /// Whether the budget of the tick before did not do for all who are not where they want to be.
    starving: bool,
    draft: Vec<Step>,
}

/// A unit in one tick.
#[derive(Debug, Default)]
struct Seat {
    /// What it covers already and cannot leave at once.
    fixed: Vec<(u32, Tick, Tick)>,
    /// What it has reserved.
    steps: Vec<Step>,
    /// Where and when it can begin something new.
    base: (u32, Tick),
    /// Ticks of a straight step, and that it takes at its fastest.
    step: u32,
    quick: u32,
    /// Where its distances are, most likely.
    field: u32,
    kind: u32,
    mine: bool,
    turned: bool,
    /// It has let the one go first that it gives way to.
    deferred: bool,
    /// It keeps its cell.
    held: bool,
    searches: u32,
}

/// Ticks of a move at most, and of a straight step.
fn reach(scenario: &Scenario) -> (u32, u32) {
    let actions = scenario.agents().iter().map(|agent| agent.actions(scenario.rules()));
    actions.fold((1, 1), |(longest, step), actions| {
        (longest.max(actions.longest()), step.max(actions.duration(Action::Go(Dir::N))))
    })
}

impl Ahead {
    pub(crate) fn new(manner: Manner, workers: Arc<Workers>, memory: usize) -> Self {
        Self {
            manner,
            workers,
            minds: Vec::new(),
            fields: DistanceFields::new(memory),
            search: SpaceTime::new(),
            scout: AStar::new(),
            crossings: Crossings::default(),
            surveyed: false,
            table: None,
            seats: Vec::new(),
            board: Vec::new(),
            queue: Vec::new(),
            spent: 0,
            left: u64::MAX,
            starving: false,
            draft: Vec::new(),
        }
    }

    /// Begins a tick: everybody claims what it covers and learns how far it has to go.
    pub(crate) fn begin(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) {
        self.minds.resize_with(view.state.units.len(), Mind::default);
        if self.manner.clear && !core::mem::replace(&mut self.surveyed, true) {
            self.crossings = Crossings::of(view.grid());
        }
        let mut table = self.table.take().unwrap_or_else(|| self.new_table(view));
        self.claim_places(view, &mut table);
        self.table = Some(table);
        (self.spent, self.left) = (0, budget.limit());
        let waits = |id: &AgentId| {
            let mind = &self.minds[id.index()];
            !mind.rests() && matches!(mind.lot, Lot::Awaits)
        };
        self.starving = view.mine.iter().any(waits);
        for &id in view.mine {
            let unit = view.unit(id);
            self.minds[id.index()].look(unit.at, unit.leg, view.target(id), view.tick());
            // Who goes first depends on how late everybody is now. Those who have not set out are asked in their turn.
            let asked = self.seats[id.index()].mine && self.minds[id.index()].left.is_some();
            if asked && let Some(left) = self.distance(view, id, unit.at.0, budget, observer) {
                let longest = view.agent(id).actions(view.rules()).longest();
                self.minds[id.index()].note(left, longest, view.tick());
            }
        }
        self.end_yielding(view);
        self.prepare(view, budget, observer);
    }

    /// Whoever gave way to somebody that has arrived since does so no longer; nor whoever has come no nearer to its goal
    /// meanwhile for long. It is late by then and goes first, and if the other cannot make room either it has more patience the
    /// next time: twice as much each time, so that one of them gets out of a corridor of any length in the end.
    fn end_yielding(&mut self, view: &View<'_>) {
        for &id in view.mine {
            let Some(Yield { to, leg, since }) = self.minds[id.index()].yields else { continue };
            let other = &self.minds[to.index()];
            let past = other.leg != leg || other.rests();
            let patience = (2 * self.patience(view, id)) << self.minds[id.index()].lapses.min(16);
            let mind = &mut self.minds[id.index()];
            if past {
                mind.yields = None;
            } else if view.tick().saturating_sub(since) > patience {
                (mind.yields, mind.lapses) = (None, mind.lapses.saturating_add(1));
            }
        }
    }

    fn new_table(&mut self, view: &View<'_>) -> Table<Entries> {
        self.seats.clear();
        self.board.clear();
        self.seats.resize_with(view.state.units.len(), Seat::default);
        self.board.resize(view.grid().len(), 0);
        let (longest, step) = reach(view.scenario);
        // From the end of a move in progress on, and with a last move that begins within the horizon.
        let ticks = self.manner.steps * step + 3 * longest + 1;
        let rule = Rule::of(&view.rules(), view.scenario.largest_body());
        Table::new(rule, Entries::new(view.grid().len(), ticks, view.state.units.len()))
    }

    /// Gives everybody its turn, in the order of `order`, and writes what they do.
    pub(crate) fn take_turns(
        &mut self,
        view: &View<'_>,
        order: &[AgentId],
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let Some(mut table) = self.table.take() else { return };
        self.queue.clear();
        self.queue.extend(order.iter().rev());
        while let Some(id) = self.queue.pop() {
            let seat = &mut self.seats[id.index()];
            if seat.turned || !seat.mine {
                continue;
            }
            // Cycles end with whoever is asked twice.
            if !core::mem::replace(&mut seat.deferred, true)
                && let Some(Yield { to, .. }) = self.minds[id.index()].yields
                && self.seats.get(to.index()).is_some_and(|other| other.mine && !other.turned)
            {
                self.queue.extend([id, to]);
                continue;
            }
            self.turn(view, &mut table, id, budget, observer);
        }
        self.table = Some(table);
        let now = view.tick();
        for &id in view.mine {
            let step = self.seats[id.index()].steps.first();
            actions[id.index()] = step.filter(|s| s.tick == now).map_or(Action::Wait, |s| s.action);
        }
        if observer.wants_memory() {
            let (open, closed) = self.fields.size();
            observer.memory(open, closed, self.fields.bytes());
        }
    }

    /// The world has changed between two ticks.
    pub(crate) fn changed(&mut self, view: &View<'_>, change: Change) {
        self.minds.resize_with(view.state.units.len(), Mind::default);
        match change {
            Change::Joined(id) | Change::Left(id) => {
                // Whoever has come may be larger or slower than the table has room for.
                self.table = None;
                self.minds[id.index()] = Mind::default();
                self.minds
                    .iter_mut()
                    .filter(|mind| mind.yields.is_some_and(|other| other.to == id))
                    .for_each(|mind| mind.yields = None);
            }
            Change::Ordered(_) => {}
            Change::Placed(id) => self.minds[id.index()].left = None,
            Change::Terrain(cell) => {
                // Distances are mended when they are next asked for. How late everybody is it knows as before until then, so that
                // a change that does not concern anybody changes nothing.
                self.fields.changed(cell.0, |_| true);
                self.surveyed = false;
                for (mind, agent) in self.minds.iter_mut().zip(view.scenario.agents()) {
                    mind.hope(view.tick());
                    way::keep_legal(view, agent, mind);
                }
            }
        }
    }

    /// Who has its turn before whom, whatever the order is otherwise: first those who have something to do, and last those who
    /// have done it. Of these, whoever has come home stays, and who has been pushed off its own looks for a way around; only if
    /// it has not come home for long may it push in turn. Two would drive each other from their homes for ever otherwise.
    pub(crate) fn rank(&self, view: &View<'_>, id: AgentId) -> u8 {
        let mind = &self.minds[id.index()];
        let done = mind.cut_off.is_some() || view.unit(id).leg >= view.agent(id).waypoints().len();
        match done {
            false => 0,
            true if mind.rests() => 2,
            true if mind.stalled(view.tick()) > LONG * self.patience(view, id) => 1,
            true => 3,
        }
    }

    /// How long a unit may go without coming nearer to its goal before it says so: there and back as far as it looks ahead.
    fn patience(&self, view: &View<'_>, id: AgentId) -> Tick {
        Tick::from(2 * self.manner.steps * view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N)))
    }

    /// Where the distances of a unit are.
    fn key(&self, id: AgentId) -> FieldKey {
        FieldKey { goal: self.minds[id.index()].goal.0, kind: self.seats[id.index()].kind }
    }

    /// Charges what `id` has had expanded since the counts were `fields` and `search`.
    fn charge(&mut self, id: AgentId, (fields, search): (u64, u64), observer: &mut dyn Observer) {
        let (now_fields, now_search) = self.counts();
        let (backwards, main) = (now_fields - fields, now_search - search);
        for (kind, count) in [(SearchKind::Backwards, backwards), (SearchKind::Main, main)] {
            if count > 0 {
                observer.expanded(id, kind, count);
            }
        }
        self.spent += backwards + main;
        if self.left != u64::MAX {
            self.left = self.left.saturating_sub(backwards + main);
        }
    }

    fn counts(&self) -> (u64, u64) {
        (self.fields.expanded(), self.search.expanded() + self.scout.expanded())
    }

    /// Distances as the recipe by which they are built anew, and the changes of the map that some are behind.
    pub(crate) fn save(&self) -> SavedFields {
        (self.fields.save(), self.fields.changes().to_vec())
    }

    /// Takes up what was saved in this world.
    pub(crate) fn load(
        &mut self,
        view: &View<'_>,
        minds: Vec<Mind>,
        (fields, changes): SavedFields,
    ) -> Result<(), SnapshotError> {
        let n = view.state.units.len();
        if minds.len() > n {
            return Err(SnapshotError::Mismatch(format!("{} units for {n} agents", minds.len())));
        }
        (self.table, self.surveyed) = (None, false);
        self.minds = minds;
        let cells = view.grid().len();
        for (mind, agent) in self.minds.iter_mut().zip(view.scenario.agents()) {
            let cut_off = mind.cut_off.unwrap_or_default();
            if [mind.goal, mind.at, cut_off].iter().any(|cell| cell.index() >= cells) {
                return Err(SnapshotError::Mismatch(format!("agent {}: a goal off the map", agent.id)));
            }
            way::keep_legal(view, agent, mind);
            mind.yields = mind.yields.filter(|other| other.to.index() < n);
        }
        let known = |field: &&SavedField| {
            let [period, body, rest, last] = field.key.kind.to_le_bytes();
            (field.key.goal as usize) < cells
                && field.past.origin.is_none_or(|origin| (origin as usize) < cells)
                && (1..=Scenario::MAX_PERIOD).contains(&period)
                && (1..=Scenario::MAX_BODY).contains(&body)
                && rest == 0
                && last == 0
                && field.behind as usize <= changes.len()
        };
        if changes.iter().any(|&cell| cell as usize >= cells) {
            return Err(SnapshotError::Mismatch("changes off the map".to_owned()));
        }
        let fields: Vec<_> = fields.iter().filter(known).copied().collect();
        self.fields.take_up_changes(changes);
        self.fields.load_on(view.grid(), view.rules(), &fields, &self.workers);
        Ok(())
    }
}

/// Whether a controller may move a unit.
fn is_mine(view: &View<'_>, id: AgentId) -> bool {
    view.mine.binary_search(&id).is_ok() && !matches!(view.agent(id).task, Task::Hold)
}
