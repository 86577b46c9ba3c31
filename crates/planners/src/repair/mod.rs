//! Local repair A* (`lra`): what most games do.
//!
//! Every unit plans alone with A*, as if nobody else were there. A unit whose move was cancelled plans
//! again, this time around the units next to it, and grows more agitated: each further block adds more
//! random noise to the costs, so that it tries other ways. In the open this is fine; at chokepoints units
//! run in circles. It is here as the yardstick.
//!
//! Where a unit gets its way from is a [`Route`] of its own, so that other ways to find one share the repair. So do units that
//! see others from afar and plan around them as if they stood still (`visibility`; what they do about their next step is in
//! `sight.rs`), and those that plan by a direction map (see [`crate::directions`]). Searches that a tick has no room for go on in the next one (`planning.rs`).
//!
//! Source: Silver, "The Problem with A*", and the description of LRA* in Silver's AIIDE 2005 paper.
//! Cost of a tick: one A* for every unit that was blocked in the last one.
//! Guarantees: deterministic; neither complete nor optimal; relies on the executor to avoid collisions.

mod explain;
mod planning;
mod route;
mod sight;

pub use route::{Answer, Ask, Route};

use crate::directions::{Lanes, SavedLanes};
use planning::Pending;
use serde::{Deserialize, Serialize};
use sight::{Next, between};
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Connectivity, Controller, Directions, Observer,
    SearchKind, SnapshotError, Tick, View,
};
use throng_search::AStar;
use throng_search::abstraction::Progress;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Most noise (in straight steps) that agitation can add to the cost of a cell.
    pub agitation: u32,
    /// Seed of the noise.
    pub seed: u64,
    /// How many cells away units are seen and planned around; 0 for those beside a unit that is blocked alone.
    pub visibility: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { agitation: 8, seed: 0, visibility: 0 }
    }
}

/// What one unit remembers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Mind {
    /// Actions still to do, the next one last.
    path: Vec<Action>,
    /// Where the path leads.
    goal: CellId,
    /// Where it should stand by now if nothing was cancelled.
    expected: CellId,
    agitation: u32,
    /// Whether it has ever planned.
    awake: bool,
    /// Whether there is no way at all to its goal; and from where it looked.
    hopeless: Option<(Cell, Cell)>,
    /// Whether it wanted to plan and the budget had ended.
    starved: bool,
    /// The fewest steps that it has had left, and since when: nobody who runs in circles gets below it.
    best: (u32, Tick),
    /// Steps from the end of its path to its goal at least: a route may give it the first part of a way.
    rest: u32,
    /// What its route knows of its way to this goal.
    progress: Progress,
    /// Since when it has waited for others to go on.
    waits: Option<Tick>,
    /// How often it has looked for another way meanwhile.
    tries: u8,
    /// When it last had a turn.
    turn: Option<Tick>,
    /// Who wants to pass where it rests.
    asked: Option<AgentId>,
    /// The part of its path that it takes up again after a way around others, the next action last.
    kept: Vec<Action>,
}

impl Mind {
    /// Whether terrain allows what it is to do.
    fn is_legal(&self, view: &View<'_>, id: AgentId) -> bool {
        let (mut at, actions) = (view.grid().cell(view.unit(id).at), view.agent(id).actions(view.rules()));
        self.path.iter().rev().all(|&action| {
            let legal = actions.legal(view.grid(), at, 0, action);
            at = at.after(action);
            legal
        })
    }
}

/// What later decisions depend on.
type Saved<R> = (Vec<Mind>, Option<SavedLanes>, u32, Option<(Pending, <R as Route>::Saved)>, Vec<u8>);

/// The controller.
#[derive(Debug, Default)]
pub struct LocalRepair<R = AStar> {
    settings: Settings,
    minds: Vec<Mind>,
    route: R,
    /// The direction map that ways are planned by, if they are.
    lanes: Option<Box<Lanes>>,
    /// Who stands where, by cell: agent + 1.
    board: Vec<u32>,
    /// Cells that units will be in whose turn in this tick is over.
    claimed: Vec<CellId>,
    /// The search that the last tick had no room to end.
    pending: Option<Pending>,
    /// Who plans first where there is not enough for all: the first for whom there was none.
    turn: u32,
}

impl<R: Route> LocalRepair<R> {
    /// A controller for one world, whose units get their ways from `route`.
    #[must_use]
    pub fn new(settings: Settings, route: R) -> Self {
        Self { settings, route, ..Self::default() }
    }

    /// What a unit does now, and what it expects of that.
    fn goes(&mut self, view: &View<'_>, id: AgentId, action: Action) {
        let (mind, at) = (&mut self.minds[id.index()], view.unit(id).at);
        mind.expected = action.dir().map_or(at, |dir| view.grid().neighbour(at, dir));
        mind.turn = Some(view.tick());
        if mind.expected != at {
            (mind.waits, mind.tries, mind.asked) = (None, 0, None);
            self.claim(view, id, action);
        }
    }

    /// The same with ways that are planned by a direction map.
    #[must_use]
    pub fn along(mut self, lanes: Lanes) -> Self {
        self.lanes = Some(Box::new(lanes));
        self
    }
}

/// Steps between two cells at least.
fn steps(view: &View<'_>, a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    match view.rules().connectivity {
        Connectivity::Four => dx + dy,
        Connectivity::Eight => dx.max(dy),
    }
}

/// Noise that depends on the cell and the occasion only.
const fn hash(node: u32, salt: u32) -> u32 {
    let mut z = (node ^ salt).wrapping_mul(0x9e37_79b1);
    z ^= z >> 15;
    z = z.wrapping_mul(0x85eb_ca77);
    z ^ (z >> 13)
}

impl<R: Route> Controller for LocalRepair<R> {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.minds.resize(view.scenario.agents().len(), Mind::default());
        self.mark(view, |id| id + 1);
        self.route.look(view);
        if let Some(lanes) = &mut self.lanes {
            lanes.look(view);
        }
        let mut pending = self.pending.take().filter(|pending| self.is_wanted(view, pending));
        let (mut spent, mut waiting) = (0, None);
        // Where there is not enough for all, those come first who have waited.
        let limited = budget.limit() != u64::MAX;
        let turn = pending.map_or(self.turn, |pending| pending.id.0);
        let first = view.mine.iter().position(|id| limited && id.0 >= turn).unwrap_or(0);
        let (later, sooner) = view.mine.split_at(first);
        for &id in sooner.iter().chain(later) {
            let unit = view.unit(id);
            if !unit.stands(view.tick()) {
                continue;
            }
            let goal = view.target(id);
            let under_way = pending.take_if(|pending| pending.id == id);
            let mind = &mut self.minds[id.index()];
            let cancelled = mind.awake && mind.expected != unit.at;
            let same = mind.awake && mind.goal == goal;
            // Who has nowhere to go rests where it is.
            let hopeless = mind.hopeless.is_some() && same;
            let rests = same && mind.path.is_empty() && (unit.at == goal || hopeless);
            if rests && let Some(action) = self.aside(view, id) {
                self.goes(view, id, action);
                // It gives the other the time to pass before it goes back.
                self.minds[id.index()].waits = Some(view.tick() + sight::time_to_pass(view, id));
                actions[id.index()] = action;
                continue;
            }
            if hopeless {
                self.minds[id.index()].expected = unit.at;
                continue;
            }
            let goes_on = same && !cancelled && under_way.is_none();
            let next = if goes_on { self.next(view, id) } else { Next::Clear };
            let mind = &mut self.minds[id.index()];
            if next == Next::Wait {
                let since = mind.waits;
                self.stays(view, id, since);
                continue;
            }
            let blocked = cancelled || next >= Next::Around;
            if blocked {
                mind.agitation = mind.agitation.saturating_add(1);
            } else if mind.goal != goal {
                mind.agitation = 0;
                mind.best = (u32::MAX, view.tick());
            } else if under_way.is_none() && mind.waits.is_none() {
                mind.agitation = mind.agitation.saturating_sub(1);
            }
            let lost = mind.path.is_empty() && unit.at != goal && !mind.waits_in_vain(view, id);
            let due = under_way.is_some() || blocked || lost || !same;
            // Nobody else can search before one who has begun comes to an end.
            mind.starved = due && (self.pending.is_some() || budget.should_stop(spent));
            if mind.starved && next >= Next::Around {
                let since = mind.waits;
                waiting = waiting.or(Some(id.0));
                self.stays(view, id, since);
                continue;
            }
            if mind.starved {
                waiting = waiting.or(Some(id.0));
                if mind.goal != goal {
                    mind.path.clear();
                } else if cancelled {
                    // What was cancelled may do now.
                    mind.path.extend(between(view, unit.at, mind.expected).map(Action::Go));
                }
                self.pending = self.pending.or(under_way);
            } else if due {
                let room = if limited { budget.limit() - spent } else { u64::MAX };
                let search = under_way.unwrap_or_else(|| self.begin(view, id, blocked, next == Next::Dodge));
                let expanded = self.plan(view, search, under_way.is_some(), room);
                spent += expanded;
                observer.expanded(id, SearchKind::Main, expanded);
                if self.pending.is_none() {
                    observer.replanned(id, view.tick());
                }
                if self.is_stuck(view, id) {
                    self.minds[id.index()].tries = self.minds[id.index()].tries.saturating_add(1);
                    self.stays(view, id, None);
                    continue;
                }
            }
            let mind = &mut self.minds[id.index()];
            let left = (mind.path.len() as u32).saturating_add(mind.rest);
            if !mind.path.is_empty() && left < mind.best.0 {
                mind.best = (left, view.tick());
            }
            let action = mind.path.pop().unwrap_or_default();
            self.goes(view, id, action);
            actions[id.index()] = action;
        }
        self.turn = waiting.unwrap_or(self.turn);
        self.mark(view, |_| 0);
        for cell in self.claimed.drain(..) {
            self.board[cell.index()] = 0;
        }
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.minds.resize(view.scenario.agents().len(), Mind::default());
        if let Some(lanes) = &mut self.lanes {
            lanes.changed(view, change);
        }
        match change {
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) => {
                self.minds[id.index()] = Mind::default();
                self.pending = self.pending.filter(|pending| pending.id != id);
            }
            Change::Terrain(cell) => {
                self.route.terrain(view, cell);
                self.pending = None;
                let opened = view.grid().is_open_id(cell);
                for (agent, mind) in view.scenario.agents().iter().zip(&mut self.minds) {
                    mind.progress = Progress::default();
                    // Whose way is gone plans anew, and so does everybody where there may be a shorter one.
                    if opened || !mind.is_legal(view, agent.id) {
                        let Mind { agitation, best, .. } = *mind;
                        *mind = Mind { agitation, best, ..Mind::default() };
                    }
                }
            }
        }
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        let lanes = self.lanes.as_ref().and_then(|lanes| lanes.save());
        let pending = self.pending.map(|pending| (pending, self.route.save()));
        postcard::to_allocvec(&(&self.minds, lanes, self.turn, pending, self.route.keep()))
            .unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (minds, lanes, turn, pending, kept): Saved<R> =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let n = view.scenario.agents().len();
        if !minds.is_empty() && minds.len() != n {
            return Err(SnapshotError::Mismatch(format!("{} minds for {n} agents", minds.len())));
        }
        if let Some(own) = &mut self.lanes {
            own.load(view, lanes)?;
        }
        if !self.route.restore(view, &kept) {
            return Err(SnapshotError::Mismatch("the ways of its units".to_owned()));
        }
        self.pending = None;
        if let Some((pending, search)) = pending {
            if !self.take_up(view, &pending, search) {
                return Err(SnapshotError::Mismatch(format!("the search of agent {}", pending.id)));
            }
            self.pending = Some(pending);
        }
        (self.minds, self.turn) = (minds, turn);
        Ok(())
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        explain::explain(self.minds.get(agent.index()), view, agent)
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, actions) = (view.unit(agent), view.agent(agent).actions(view.rules()));
        let (mut tick, mut at) = (unit.until.max(view.tick()), view.grid().cell(unit.at));
        let mut way = vec![(tick, at)];
        let ahead = self.minds.get(agent.index()).map_or(&[][..], |mind| &mind.path);
        for &action in ahead.iter().rev() {
            (tick, at) = (tick + Tick::from(actions.duration(action)), at.after(action));
            way.push((tick, at));
        }
        way
    }

    fn directions(&self, view: &View<'_>) -> Option<Directions> {
        self.lanes.as_ref()?.learned(view)
    }
}
