//! Layers: one value per cell, to be drawn over the map. Each is made of what anybody can ask a session or a search for.

mod crowd;
mod eyes;
mod plans;
mod ways;

use super::show::Show;
use crate::Refusal;
use crate::protocol::frames::{Layer, LayerKind};
use serde_json::{Value, json};
use throng::Session;
use throng::core::{AgentId, Cell, CellId, Grid};

/// A layer that somebody wants to see.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    /// How many ticks from now, for those that look ahead.
    pub(crate) ahead: u64,
    /// Whose, for those that are somebody's.
    pub(crate) unit: Option<u32>,
    /// Which of several, for those that have levels.
    pub(crate) level: u64,
}

/// Levels of maps; on small ones the highest are alike.
const LEVELS: u64 = 16;

struct Entry {
    name: &'static str,
    about: &'static str,
    kind: LayerKind,
    /// Whether it stays as it is while only units move.
    still: bool,
    /// How many levels it has; 0 for those without.
    levels: u64,
    /// Whether it may be below zero, too.
    signed: bool,
    make: fn(&mut Show, &Wanted) -> Result<Layer, Refusal>,
}

const ALL: [Entry; 12] = [
    Entry {
        name: "visits",
        about: "how often units have come to each cell so far",
        kind: LayerKind::Scalar,
        still: false,
        levels: 0,
        signed: false,
        make: crowd::visits,
    },
    Entry {
        name: "congestion",
        about: "units within three cells",
        kind: LayerKind::Scalar,
        still: false,
        levels: 0,
        signed: false,
        make: crowd::congestion,
    },
    Entry {
        name: "directions",
        about: "which way units go through each cell: what its planner has learned, or what anybody could",
        kind: LayerKind::Arrows,
        still: false,
        levels: 0,
        signed: false,
        make: crowd::directions,
    },
    Entry {
        name: "heat",
        about: "ticks from each cell to where the unit goes, walls counted and others not; of one that explores, steps to what it looks for",
        kind: LayerKind::Scalar,
        still: true,
        levels: 0,
        signed: false,
        make: ways::heat,
    },
    Entry {
        name: "flow",
        about: "where a step leads from each cell: nearer to the unit's goal, or down all fields that an explorer goes by",
        kind: LayerKind::Arrows,
        still: true,
        levels: 0,
        signed: false,
        make: ways::flow,
    },
    Entry {
        name: "abstraction",
        about: "the nodes of a coarser level of the map; cells of one node have one colour, which means nothing else",
        kind: LayerKind::Scalar,
        still: true,
        levels: LEVELS,
        signed: false,
        make: ways::abstraction,
    },
    Entry {
        name: "fog",
        about: "what the unit has not seen",
        kind: LayerKind::Mask,
        still: false,
        levels: 0,
        signed: false,
        make: eyes::fog,
    },
    Entry {
        name: "cones",
        about: "what the unit sees now, or all together if none is chosen",
        kind: LayerKind::Mask,
        still: false,
        levels: 0,
        signed: false,
        make: eyes::cones,
    },
    Entry {
        name: "potential",
        about: "how strongly the unknown and what is hidden there draw the unit, in steps; of explorers with `potential` or `sources`",
        kind: LayerKind::Scalar,
        still: false,
        levels: 0,
        signed: true,
        make: eyes::potential,
    },
    Entry {
        name: "repulsion",
        about: "how strongly others keep the unit away, in steps; of explorers with `repulsion`",
        kind: LayerKind::Scalar,
        still: false,
        levels: 0,
        signed: false,
        make: eyes::repulsion,
    },
    Entry {
        name: "reservations",
        about: "where units mean to be so many ticks from now; planners that reserve keep others out of there",
        kind: LayerKind::Mask,
        still: false,
        levels: 0,
        signed: false,
        make: plans::reservations,
    },
    Entry {
        name: "paths",
        about: "how many units mean to come through each cell, as far as they have planned",
        kind: LayerKind::Scalar,
        still: false,
        levels: 0,
        signed: false,
        make: plans::paths,
    },
];

/// What there is, for pages.
pub(crate) fn layers() -> Value {
    let told = |e: &Entry| json!({"name": e.name, "about": e.about, "kind": e.kind, "signed": e.signed, "levels": e.levels});
    ALL.iter().map(told).collect()
}

fn entry(name: &str) -> Result<&'static Entry, Refusal> {
    let missing = || {
        let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        Refusal::new(format!("no layer {name:?}: there are {}", names.join(", ")))
    };
    ALL.iter().find(|entry| entry.name == name).ok_or_else(missing)
}

/// Whether the values of a layer say something by themselves, and do not only tell one part from another.
pub(super) fn has_amounts(name: &str) -> bool {
    entry(name).is_ok_and(|entry| entry.levels == 0)
}

impl Wanted {
    /// Whether there is such a layer.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        entry(&self.name)?;
        if !(1..=LEVELS).contains(&self.level) {
            return Err(Refusal::new(format!("level {}, expected 1 to {LEVELS}", self.level)));
        }
        Ok(())
    }
}

/// When a layer is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    tick: Option<u64>,
    terrain: u32,
    goal: Option<Cell>,
}

/// Whether a layer stays as it is while units move: fields of explorers change with what they see.
fn is_still(show: &Show, wanted: &Wanted) -> bool {
    let explores =
        || ways::whose(show, wanted).is_some_and(|unit| show.scenario().agent(unit).task.is_search());
    entry(&wanted.name).is_ok_and(|entry| entry.still && (entry.levels > 0 || !explores()))
}

impl Show {
    /// What a layer depends on now: as long as this is the same, so is the layer.
    pub(crate) fn moment(&self, wanted: &Wanted) -> Moment {
        let still = is_still(self, wanted);
        let goal = ways::whose(self, wanted).filter(|_| still).and_then(|unit| ways::goal(self, unit));
        Moment { tick: (!still).then(|| self.tick()), terrain: self.terrain(), goal }
    }

    /// A layer as it is now.
    pub(crate) fn layer(&mut self, wanted: &Wanted) -> Result<Layer, Refusal> {
        (entry(&wanted.name)?.make)(self, wanted)
    }

    /// The session, if there is one: recordings know nothing of what units had in mind.
    fn session(&self) -> Result<&Session, Refusal> {
        match self {
            Self::Live(run) => Ok(run.session()),
            Self::Recorded(_) => Err(Refusal::new("a recording does not tell what units know or plan")),
        }
    }
}

/// All cells of a map, row by row.
fn cells(grid: &Grid) -> impl Iterator<Item = CellId> {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let ids = (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)));
    ids.filter_map(|cell| grid.id(cell))
}

fn scalar(grid: &Grid, value: impl FnMut(CellId) -> Option<f32>) -> Layer {
    let values: Vec<Option<f32>> = cells(grid).map(value).collect();
    Layer::scalar(grid.width(), grid.height(), &values)
}

fn mask(grid: &Grid, mut is_in: impl FnMut(CellId) -> bool) -> Layer {
    let bytes = cells(grid).map(|id| u8::from(is_in(id))).collect();
    Layer::plain(LayerKind::Mask, grid.width(), grid.height(), bytes)
}

/// The unit that a layer is of: the one that was chosen, if there is one.
fn chosen(show: &Show, wanted: &Wanted) -> Option<AgentId> {
    wanted.unit.filter(|&unit| (unit as usize) < show.scenario().agents().len()).map(AgentId)
}
