//! Windowed cooperation (`whca`): everybody plans a window ahead around the reservations of the
//! others, and goes on doing so for ever.
//!
//! As Silver describes it: a search in space and time of exactly the window's depth; the true distance
//! from its end stands for the rest of the way; waiting on the goal is free, so parked units keep
//! planning, step aside and come back; units plan anew halfway through their window, each in its own
//! tick, so that the work is even and everybody gets to be first in turn. A unit that finds no path of
//! full depth stays where it is; whoever had reserved its cell plans again in the same tick.
//!
//! Beyond the article, each a parameter so that the plain method remains (`patience=0,courtesy=0`,
//! `first=spread`, `order=fixed`): all first searches are done at once; the order within a tick rotates;
//! planning through a unit that rests at its goal costs extra; a unit that has come no nearer to its goal for a
//! while (not only one without any path) is promoted until it arrives, pushes others with nearly its own rank,
//! and whoever it drives into a corner may get out past it. A unit at rest whose cell stays free just goes on
//! resting.
//!
//! Two more ways to know how far it is (see [`Guide`]) take less memory and less time before the first move: distances on a
//! coarser level of the map, `whca(abstraction=1)`; and `cpra`, where a unit looks for a coarse path first and then
//! plans within the corridor around its beginning. If that leads nowhere, the corridor is widened, then given up; and it is
//! the wider the longer a unit has come no nearer. Beyond the article as well: coarse paths around crowds (`crowd`), windows that grow where it is crowded (`window=auto`), and regions that
//! nobody enters who cannot pass through (`jam`).
//!
//! With `wmax`, and as `dm-whca`, units plan by a direction map as well, so that they flow in lanes (see [`crate::directions`]).
//!
//! Source: Silver, "Limiting the Search Depth", "The Game Must Go On", "Unit Priorities"; for coarser guides Sturtevant and Buro, "Improving Collaborative Pathfinding Using Map Abstraction".
//! Guarantees: deterministic; no collisions and no cancelled moves among its own units; neither complete
//! nor optimal. Cost of a tick: about 2n/d searches of about d expansions where units are in nobody's way.

mod changes;
mod clear;
mod cooperation;
mod corner;
mod crowding;
mod explain;
mod guide;
mod holders;
mod holding;
mod jam;
mod lanes;
mod parked;
mod patience;
mod planning;
mod promotion;
mod seat;
mod snapshot;
mod ways;

use crate::directions::{LaneSettings, Lanes};
use crate::refinement::Levels;
use cooperation::Cooperation;
use guide::Coarse;
use lanes::Shown;
pub use promotion::MOST_PRIORITIES;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, Change, Controller, Dir, Directions, Observer, SnapshotError, Tick,
    View,
};
use throng_search::reservations::{Ring, Rule, Sparse};
use throng_search::{DistanceFields, Workers};

/// When a unit plans anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replan {
    /// Halfway through its window.
    Half,
    /// This many of its own straight steps before the end of its window.
    BeforeEnd(u32),
}

/// Depth of a search in the unit's own straight steps; of one who can run, at a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The same for everybody.
    Fixed(u32),
    /// By how crowded it is around the unit when it plans: half of this, three quarters or all of it.
    Auto(u32),
}

/// What tells a unit how far it has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guide {
    /// True distances.
    True,
    /// Distances on a coarser level of the map: WHCA*(w, a).
    Level {
        /// Which one, from 1 on.
        level: usize,
        /// Whether an edge there counts as one step, so that no distance is too long, and not as its straight line.
        lower_bound: bool,
    },
    /// The corridor of a partial refinement, beyond whose end nobody looks: CPRA*.
    Corridor {
        /// Edges of a coarse path that are refined on the next level.
        k: u32,
        /// The same for the first search on the way to a goal.
        first: u32,
        /// Rings of nodes around a path that belong to its corridor.
        width: u32,
        /// How many steps a step costs more on coarse paths where everything is occupied.
        crowd: u32,
        /// How many percent of a region others must take for it to be jammed: who cannot pass through stays out of it.
        /// 0 for never.
        jam: u32,
    },
    /// True distances by a direction map that is learned, as are the steps of the window: DM-WHCA*.
    Lanes(LaneSettings),
}

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What tells a unit how far it has to go.
    pub guide: Guide,
    /// How far ahead a unit plans.
    pub window: Window,
    /// When to plan anew.
    pub replan: Replan,
    /// Whether a unit's first search waits for its turn (and the unit with it) instead of being done at once.
    pub spread_first: bool,
    /// Whether the order of units within a tick rotates from tick to tick.
    pub rotate: bool,
    /// How long, in quarters of its window, a unit may come no nearer to its goal before it is promoted; 0
    /// for never.
    pub patience: u32,
    /// What a promoted unit pays, in ticks, for every move by which it overrides others.
    pub penalty: u32,
    /// What it costs, in steps, to plan through a unit that rests at its goal. Promoted units pay one.
    pub courtesy: u32,
    /// Ticks per entry of the reservation table. Coarser entries are fewer to look up and to mark, and keep units
    /// farther apart in time. It counts under the footprint rule alone, where moves hold what they cover.
    pub grain: u32,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            guide: Guide::True,
            window: Window::Fixed(16),
            replan: Replan::Half,
            spread_first: false,
            rotate: true,
            patience: 2,
            penalty: 1,
            courtesy: 4,
            grain: 1,
            memory: 1 << 30,
        }
    }
}

/// A ring of layers larger than this gives way to a hash.
const RING_BYTES: usize = 512 << 20;

/// No move takes longer than this; whoever says otherwise has a broken file.
const MOST_TICKS: u32 = 1 << 12;

/// The controller.
#[derive(Debug)]
pub struct Windowed {
    settings: Settings,
    workers: Arc<Workers>,
    /// Of the map, until the world is first seen.
    levels: Levels,
    /// The direction map that [`Guide::Lanes`] begins with.
    lanes: Option<Box<Lanes>>,
    /// Whether the expansions of a tick have ever been limited, so that a search may take several.
    limited: bool,
    /// Also of units that have left: a table that is made anew has room for what the old one had.
    reach: Reach,
    /// Made when the world is first seen.
    inner: Option<Inner>,
}

/// How long the moves of units take.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Reach {
    /// Any action.
    longest: u32,
    /// A straight step, in which windows are counted.
    slowest: u32,
}

#[derive(Debug)]
enum Inner {
    Ring(Box<Cooperation<Ring>>),
    Sparse(Box<Cooperation<Sparse>>),
}

impl Inner {
    fn coarse(&self) -> Option<&Coarse> {
        match self {
            Self::Ring(c) => c.coarse.as_deref(),
            Self::Sparse(c) => c.coarse.as_deref(),
        }
    }

    const fn fields(&mut self) -> &mut DistanceFields {
        match self {
            Self::Ring(c) => &mut c.fields,
            Self::Sparse(c) => &mut c.fields,
        }
    }
}

impl Windowed {
    /// A controller for one world.
    #[must_use]
    pub const fn new(settings: Settings, workers: Arc<Workers>, levels: Levels) -> Self {
        let reach = Reach { longest: 1, slowest: 1 };
        Self { settings, workers, levels, lanes: None, limited: false, reach, inner: None }
    }

    /// The same along the lanes of a direction map.
    #[must_use]
    pub fn along(mut self, lanes: Lanes) -> Self {
        self.settings.guide = Guide::Lanes(lanes.settings());
        self.lanes = Some(Box::new(lanes));
        self
    }

    /// Goes on with a table that is made for the world as it is now. True distances and levels stay: to find them anew would
    /// take longer than a tick has.
    fn make_room(&mut self, view: &View<'_>) {
        if let Some(coarse) = self.inner.as_ref().and_then(Inner::coarse) {
            self.levels = Levels::given(coarse.levels());
        }
        let mut fields = DistanceFields::new(self.settings.memory);
        self.inner.iter_mut().for_each(|inner| core::mem::swap(inner.fields(), &mut fields));
        let bytes = self.save_inner(view);
        // What was saved just now can be loaded; if not, everybody plans anew.
        let _ = self.take_up(view, &bytes);
        self.inner.iter_mut().for_each(|inner| core::mem::swap(inner.fields(), &mut fields));
    }

    fn save_inner(&self, view: &View<'_>) -> Vec<u8> {
        match &self.inner {
            None => Vec::new(),
            Some(Inner::Ring(c)) => c.save(view),
            Some(Inner::Sparse(c)) => c.save(view),
        }
    }

    fn take_up(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.inner = None;
        if bytes.is_empty() {
            return Ok(());
        }
        match self.inner(view) {
            Inner::Ring(c) => c.load(view, bytes),
            Inner::Sparse(c) => c.load(view, bytes),
        }
    }

    fn inner(&mut self, view: &View<'_>) -> &mut Inner {
        self.inner.get_or_insert_with(|| {
            let agents = view.scenario.agents();
            for actions in agents.iter().map(|agent| agent.actions(view.rules())) {
                self.reach.longest = self.reach.longest.max(actions.longest());
                self.reach.slowest = self.reach.slowest.max(actions.duration(Action::Go(Dir::N)));
            }
            let Reach { longest, slowest } = self.reach;
            // A path may begin when a move in progress ends, or ahead of that when a later one does, and may end with
            // a move that overlaps the window's end.
            let depth = self.settings.window.longest() * slowest;
            let (lead, ends) = if self.limited { (depth / 2, 3) } else { (0, 2) };
            let ticks = depth + lead + ends * longest + 1;
            let hold = Rule::of(&view.rules(), view.scenario.largest_body()) == Rule::Hold;
            let grain = if hold { self.settings.grain.max(1) } else { 1 };
            // Ticks need not begin where an entry does.
            let span = if grain > 1 { ticks / grain + 2 } else { ticks };
            let cells = view.grid().len();
            let (settings, workers) = (self.settings, Arc::clone(&self.workers));
            let coarse = || Box::new(Coarse::new(self.levels.take(view.scenario)));
            let plain = settings.guide == Guide::True || settings.lanes().is_some();
            let coarse = (!plain).then(coarse);
            let lanes = self.lanes.as_deref().map(|lanes| Box::new(Shown::new(lanes.clone(), view)));
            if Ring::bytes_for(cells, span, agents.len()) <= RING_BYTES {
                let ring = Ring::new(cells, span);
                // What is over in part of an entry must not keep others from the rest of it.
                let spare = if grain > 1 { 0 } else { ring.layers() - span - 1 };
                Inner::Ring(Box::new(Cooperation::new(
                    settings,
                    workers,
                    view,
                    (ring, spare),
                    (self.reach, lead),
                    (coarse, lanes),
                )))
            } else {
                let sparse = (Sparse::new(cells), 0);
                let (reach, guides) = ((self.reach, lead), (coarse, lanes));
                Inner::Sparse(Box::new(Cooperation::new(settings, workers, view, sparse, reach, guides)))
            }
        })
    }
}

impl Controller for Windowed {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        if budget.is_tight() && !self.limited {
            // From now on searches may take several ticks, so that the table has to reach farther.
            self.limited = true;
            self.make_room(view);
        }
        match self.inner(view) {
            Inner::Ring(c) => c.decide(view, budget, observer, actions),
            Inner::Sparse(c) => c.decide(view, budget, observer, actions),
        }
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        let fits = match &mut self.inner {
            None => {
                if let Change::Terrain(_) = change {
                    self.levels.forget();
                }
                true
            }
            Some(Inner::Ring(c)) => c.changed(view, change),
            Some(Inner::Sparse(c)) => c.changed(view, change),
        };
        if !fits {
            self.make_room(view);
        }
    }

    fn save(&self, view: &View<'_>) -> Vec<u8> {
        postcard::to_allocvec(&(self.limited, self.reach, self.save_inner(view))).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let unreadable = |e: postcard::Error| SnapshotError::Unreadable(e.to_string());
        let (limited, reach, inner): (bool, Reach, Vec<u8>) =
            postcard::from_bytes(bytes).map_err(unreadable)?;
        let Reach { longest, slowest } = reach;
        if !(1..=MOST_TICKS).contains(&longest) || !(1..=MOST_TICKS).contains(&slowest) {
            return Err(SnapshotError::Mismatch(format!("moves of {longest} and {slowest} ticks")));
        }
        (self.limited, self.reach) = (limited, reach);
        self.take_up(view, &inner)
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        match &self.inner {
            None => Some((view.unit(agent).until.min(view.tick()), Cause::AwaitsPlanner)),
            Some(Inner::Ring(c)) => c.explain(view, agent),
            Some(Inner::Sparse(c)) => c.explain(view, agent),
        }
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        match &self.inner {
            None => Vec::new(),
            Some(Inner::Ring(c)) => c.intended(view, agent),
            Some(Inner::Sparse(c)) => c.intended(view, agent),
        }
    }

    fn directions(&self, view: &View<'_>) -> Option<Directions> {
        match &self.inner {
            None => None,
            Some(Inner::Ring(c)) => c.lanes.as_ref()?.learned(view),
            Some(Inner::Sparse(c)) => c.lanes.as_ref()?.learned(view),
        }
    }
}
