//! Direction maps (`dm`, `dm-greedy`, `dm-whca`): cooperation that nobody plans. Units keep to the lanes of those who went
//! before them, and make lanes by doing so.
//!
//! Whoever plans by a direction map keeps one ([`Lanes`]) and learns from all that moves, its own units or not, after the
//! fact: from where units were to where they are. So all who learn at the same rates know the same, without sharing anything.
//! What going against the map costs is a layer on the grid ([`throng_search::directions::LaneGraph`]) that any search takes:
//!
//! * `dm` is local repair ([`crate::repair`]) on it, with units in view avoided as if they stood still, and with `sector` by ways
//!   that are planned from sector to sector ([`Sectored`]);
//! * `dm-greedy` ([`Greedy`]) looks one step ahead and never plans;
//! * `dm-whca` is windowed cooperation ([`crate::windowed`]) on it;
//! * `pra` and `whca` take it with `wmax`.
//!
//! Larger bodies learn and are charged by the cell in their middle; runners by their steps; the curve of a car counts as a
//! diagonal between its ends, as heavy as the straight steps that it takes as long as.
//!
//! A scenario may bring a map that was learned before; with `alpha=0` it stays as it is.
//!
//! Source: Jansen and Sturtevant, "Direction Maps for Cooperative Pathfinding" (2008). The neighbour rule is left open there:
//! here it is the cells around the one that is entered, at a quarter of the rate. Units of other controllers teach as well.
//! Guarantees: deterministic; `dm` and `dm-greedy` rely on the executor to avoid collisions and are neither complete nor
//! optimal. Cost of a move: two cells learn, and with the neighbour rule seven more.

mod greedy;
mod sectored;

pub use greedy::Greedy;
pub use sectored::Sectored;

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Agent, AgentId, CellId, Change, Dir, DirectionVector, Directions, SnapshotError, Unit, View,
};
use throng_search::directions::{DirectionMap, Rates};

/// Parameters of whoever plans by a direction map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSettings {
    /// What a step against the map costs more, in hundredths of a straight step.
    pub weight: u32,
    /// How fast it learns.
    pub rates: Rates,
}

/// A direction map that learns from what units do.
#[derive(Clone, Debug)]
pub struct Lanes {
    settings: LaneSettings,
    /// What it begins with, until the world is first seen.
    given: Option<Arc<Directions>>,
    map: Option<DirectionMap>,
    /// Where everybody was when it last looked.
    last: Vec<CellId>,
}

/// What later decisions depend on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedLanes {
    vectors: Vec<DirectionVector>,
    last: Vec<CellId>,
}

/// Where nobody is.
const NOWHERE: CellId = CellId(u32::MAX);

impl Lanes {
    /// A map that begins with what is `given` and fits the world, or with nothing.
    #[must_use]
    pub const fn new(settings: LaneSettings, given: Option<Arc<Directions>>) -> Self {
        Self { settings, given, map: None, last: Vec::new() }
    }

    /// What it was told.
    #[must_use]
    pub const fn settings(&self) -> LaneSettings {
        self.settings
    }

    /// The map; `None` until the world was first seen.
    #[must_use]
    pub const fn map(&self) -> Option<&DirectionMap> {
        self.map.as_ref()
    }

    fn begin(&mut self, view: &View<'_>) {
        if self.map.is_none() {
            let grid = view.grid();
            let given = self.given.take().and_then(|given| DirectionMap::of(grid, &given));
            self.map = Some(given.unwrap_or_else(|| DirectionMap::blank(grid)));
            self.last = view.state.units.iter().map(place).collect();
        }
    }

    /// Learns from all moves since it last looked. A move that was cancelled leaves no trace and teaches nothing.
    pub fn look(&mut self, view: &View<'_>) -> &DirectionMap {
        self.begin(view);
        let (grid, rates) = (view.grid(), self.settings.rates);
        let map = self.map.get_or_insert_with(|| DirectionMap::blank(grid));
        self.last.resize(view.state.units.len(), NOWHERE);
        let offsets = grid.offsets();
        for ((last, unit), agent) in self.last.iter_mut().zip(&view.state.units).zip(view.scenario.agents()) {
            let now = place(unit);
            if *last == now {
                continue;
            }
            if *last != NOWHERE && now != NOWHERE {
                let offset = now.0.wrapping_sub(last.0) as i32;
                match offsets.iter().position(|&step| step == offset) {
                    Some(index) => {
                        map.learn(grid, CellId(last.0 + map.middle(agent.body)), Dir::ALL[index], rates);
                    }
                    None => curve(map, view, agent, (*last, unit), rates),
                }
            }
            *last = now;
        }
        map
    }

    /// Somebody has been put somewhere, which is no move.
    pub fn changed(&mut self, view: &View<'_>, change: Change) {
        let (Change::Joined(AgentId(id)) | Change::Left(AgentId(id)) | Change::Placed(AgentId(id))) = change
        else {
            return;
        };
        if self.map.is_some() {
            self.last.resize(view.state.units.len(), NOWHERE);
            self.last[id as usize] = place(&view.state.units[id as usize]);
        }
    }

    /// What has been learned.
    #[must_use]
    pub fn learned(&self, view: &View<'_>) -> Option<Directions> {
        match (&self.map, &self.given) {
            (Some(map), _) => Some(map.learned(view.grid())),
            // Before the first tick it is what it begins with.
            (None, Some(given)) => Some(Directions::clone(given)),
            (None, None) => None,
        }
    }

    pub(crate) fn save(&self) -> Option<SavedLanes> {
        let map = self.map.as_ref()?;
        Some(SavedLanes { vectors: map.vectors().to_vec(), last: self.last.clone() })
    }

    pub(crate) fn load(&mut self, view: &View<'_>, saved: Option<SavedLanes>) -> Result<(), SnapshotError> {
        let Some(SavedLanes { vectors, last }) = saved else { return Ok(()) };
        let mut map = DirectionMap::blank(view.grid());
        let known = |cell: &CellId| *cell == NOWHERE || cell.index() < view.grid().len();
        let fits = last.len() <= view.state.units.len() && last.iter().all(known);
        if !fits || !map.take_up(vectors) {
            return Err(SnapshotError::Mismatch("its direction map is of another world".to_owned()));
        }
        (self.map, self.last) = (Some(map), last);
        Ok(())
    }
}

/// Learns from a move that leads farther than to the next cell.
#[cold]
fn curve(
    map: &mut DirectionMap,
    view: &View<'_>,
    agent: &Agent,
    (last, unit): (CellId, &Unit),
    rates: Rates,
) {
    let ends = [last, unit.at].map(|id| view.grid().cell(id));
    if let Some(action) = agent.actions(view.rules()).between(ends[0], ends[1], unit.pose) {
        map.learn_move(view.grid(), unit.at, action, agent.body, rates);
    }
}

/// Where a unit is, or will be when its move is over: no move that has begun is cancelled.
fn place(unit: &Unit) -> CellId {
    if unit.gone { NOWHERE } else { unit.at }
}
