//! Partial-refinement A* (`pra`): a whole path on a coarse map, of which only the beginning is made a real one.
//!
//! All units share one hierarchy of ever coarser maps. A unit looks for a whole path on a coarse level, refines its first `k`
//! edges on the next level within a corridor around it, and so on down to the ground; it goes there and asks again.
//! So it always knows a whole way, and pays for the part that it walks. A goal on another island is found out without
//! searching. Units know nothing of each other but what local repair tells them (see [`crate::repair`], of which this is a
//! [`Route`]).
//!
//! Beyond the article: on its way to one goal a unit never goes back to a coarser level than it has been on, and
//! gets longer parts if it does not come nearer, so that who is alone always arrives; a corridor in which others stand in the way is widened, then
//! given up; and with `crowd` coarse paths avoid where many are.
//!
//! Source: Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement" (2005).
//! Guarantees: deterministic; neither complete nor optimal; relies on the executor to avoid collisions.
//! Cost: of one search about 3k expansions a level, and more on the coarsest, which is half of the way up to where
//! both ends are in one node.

use crate::repair::{Answer, Ask, Route};
use std::sync::{Arc, OnceLock};
use throng_core::{Action, CellId, Rules, Scenario, View};
use throng_search::GridGraph;
use throng_search::abstraction::{
    Abstraction, Occupancy, Progress, Refined, Refinement, Refiner, Ruler, SavedRefinement,
};

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How to refine.
    pub how: Refinement,
    /// How many steps a step through a place costs more where everything is occupied.
    pub crowd: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { how: Refinement { k: Some(8), width: 2, level: None }, crowd: 0 }
    }
}

/// The coarser levels of a map for small units, built when somebody first asks for them: whoever looks whether they are
/// high enough, or whoever plans on them.
#[derive(Clone, Debug, Default)]
pub struct Levels(Arc<OnceLock<Arc<Abstraction>>>);

impl Levels {
    /// How many there are.
    #[must_use]
    pub fn height(&self, scenario: &Scenario) -> usize {
        self.of(scenario).height()
    }

    fn of(&self, scenario: &Scenario) -> &Arc<Abstraction> {
        self.0.get_or_init(|| {
            let rules = scenario.rules();
            Arc::new(Abstraction::new(&ground(scenario.grid(), rules), Ruler::of(rules)))
        })
    }

    /// Levels that there are already.
    pub(crate) fn given(levels: Arc<Abstraction>) -> Self {
        Self(Arc::new(OnceLock::from(levels)))
    }

    /// Hands them over to who keeps them from now on.
    pub(crate) fn take(&mut self, scenario: &Scenario) -> Arc<Abstraction> {
        let levels = Arc::clone(self.of(scenario));
        self.forget();
        levels
    }

    /// The map is another one now.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The map as small units see it: speeds do not matter.
fn ground(grid: &throng_core::Grid, rules: Rules) -> GridGraph<'_> {
    GridGraph::new(grid, rules, 1)
}

/// Ways by partial refinement.
#[derive(Debug, Default)]
pub struct Refining {
    settings: Settings,
    refiner: Refiner,
    /// Until the world is first seen.
    given: Levels,
    levels: Option<Arc<Abstraction>>,
    occupancy: Occupancy,
}

/// No node costs more than this on account of a crowd, in units of [`Ruler`].
pub(crate) const MOST: u32 = 1 << 12;

/// What entering a node costs more because of who is there, in units of [`Ruler`].
pub(crate) fn crowding(
    levels: &Abstraction,
    occupancy: &Occupancy,
    crowd: u32,
    level: usize,
    node: u32,
) -> u32 {
    if crowd == 0 {
        return 0;
    }
    let across = levels.weight(level, node).isqrt() * Ruler::SCALE;
    let full = u64::from(occupancy.congestion(levels, level, node));
    (u64::from(across * crowd) * full / 1000).min(u64::from(MOST)) as u32
}

/// Takes note of where everybody is.
pub(crate) fn count(levels: &Abstraction, occupancy: &mut Occupancy, view: &View<'_>) {
    for (index, unit) in view.state.units.iter().enumerate() {
        occupancy.put(levels, index, (!unit.gone).then_some(unit.at.0));
    }
}

/// A cell has closed or opened.
pub(crate) fn mend(levels: &mut Abstraction, occupancy: &mut Occupancy, view: &View<'_>, cell: CellId) {
    let grid = view.grid();
    levels.repair(&ground(grid, view.rules()), &Abstraction::around(grid, cell));
    occupancy.recount(levels);
}

impl Refining {
    /// A route for one world.
    #[must_use]
    pub fn new(settings: Settings, given: Levels) -> Self {
        Self { settings, given, ..Self::default() }
    }
}

impl Route for Refining {
    const KNOWS: bool = true;

    fn find(
        &mut self,
        view: &View<'_>,
        ask: &Ask<'_>,
        progress: &mut Progress,
        extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer {
        let levels = &**self.levels.get_or_insert_with(|| self.given.take(view.scenario));
        let crowd = self.settings.crowd;
        let occupancy = &self.occupancy;
        let crowding = |level: usize, node: u32| crowding(levels, occupancy, crowd, level, node);
        let (ends, how, room) = ([ask.start.0, ask.goal.0], self.settings.how, (ask.room, ask.again));
        let (extra, crowding) = ((ask.span, extra), (if crowd == 0 { 0 } else { MOST }, crowding));
        let refiner = &mut self.refiner;
        let found = match &ask.lanes {
            None => refiner.path(levels, &ask.graph, ends, how, progress, room, extra, crowding, path),
            Some(lanes) => refiner.path(levels, lanes, ends, how, progress, room, extra, crowding, path),
        };
        match found {
            Refined::Path => Answer::Way,
            Refined::Paused => Answer::Paused,
            Refined::Blocked => Answer::Nothing,
            Refined::NoWay => Answer::NoWay,
        }
    }

    fn expanded(&self) -> u64 {
        self.refiner.expanded()
    }

    fn look(&mut self, view: &View<'_>) {
        if self.settings.crowd > 0 {
            let levels = self.levels.get_or_insert_with(|| self.given.take(view.scenario));
            count(levels, &mut self.occupancy, view);
        }
    }

    fn terrain(&mut self, view: &View<'_>, cell: CellId) {
        match &mut self.levels {
            Some(levels) => mend(Arc::make_mut(levels), &mut self.occupancy, view, cell),
            None => self.given.forget(),
        }
    }

    type Saved = SavedRefinement;

    fn save(&self) -> SavedRefinement {
        self.levels.as_ref().map(|levels| self.refiner.save(levels)).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, _: GridGraph<'_>, ends: [CellId; 2], saved: SavedRefinement) -> bool {
        let levels = self.levels.get_or_insert_with(|| self.given.take(view.scenario));
        self.refiner.load(levels, ends.map(|end| end.0), saved)
    }
}
