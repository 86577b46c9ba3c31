//! Astengo-Noguez and Calzada Gómez in continuous space.

mod figures;
mod runs;

use crate::{Case, Conclusion, Experiment, LabError, Request, Watch};
use runs::Row;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Continuous {
    own: Own,
    quick: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    arena: Arena,
    scenes: Scenes,
    both: Both,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arena {
    density: f64,
    side: f64,
    steps: u64,
    quick: Vec<usize>,
    full: Vec<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenes {
    names: Vec<String>,
    quick: u64,
    full: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    names: Vec<String>,
    ticks: u64,
    quick: u64,
    full: u64,
}

/// What one case is about.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// So many discs cross a square of this side.
    Arena { kind: &'static str, discs: usize, side: f64 },
    /// A built-in world.
    Scene { name: String, seed: u64 },
    /// A scenario of the grid, on the grid or here.
    Both { name: String, seed: u64, how: How },
}

/// Where a scenario of the grid runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Grid,
    Lattice,
    Random,
}

impl How {
    const ALL: [Self; 3] = [Self::Grid, Self::Lattice, Self::Random];

    const fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Lattice => "lattice",
            Self::Random => "random",
        }
    }
}

/// As dense whatever their number, or in one square that fills up.
const KINDS: [&str; 2] = ["as dense", "one square"];

impl Continuous {
    fn sizes(&self) -> &[usize] {
        if self.quick { &self.own.arena.quick } else { &self.own.arena.full }
    }

    fn side(&self, kind: &str, discs: usize) -> f64 {
        let Arena { density, side, .. } = self.own.arena;
        if kind == KINDS[0] { (discs as f64 / density).sqrt() } else { side }
    }
}

impl Experiment for Continuous {
    const NAME: &'static str = "ac-continuous";
    const SOURCE: &'static str =
        "Astengo-Noguez and Calzada Gómez, Collective Pathfinding in Dynamic Environments, section 3";
    const ABOUT: &'static str =
        "continuous space: collisions, arrivals, what a step costs, and the grid beside it";

    type Case = What;
    type Row = Row;

    fn open(request: &Request, _watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/ac-continuous.toml");
        let own = toml::from_str(text)
            .map_err(|why| LabError::Settings { experiment: Self::NAME, why: why.message().to_owned() })?;
        Ok(Self { own, quick: request.quick })
    }

    fn settings(&self) -> Value {
        // How bodies behave is part of what rows depend on, as planners are on the grid.
        json!({ "own": self.own, "quick": self.quick, "behaviour": runs::behaviour() })
    }

    fn planners(&self) -> Vec<String> {
        runs::planners(&self.own.both.names)
    }

    fn cases(&self) -> Vec<Case<What>> {
        let mut cases = Vec::new();
        for kind in KINDS {
            for &discs in self.sizes() {
                let side = self.side(kind, discs);
                let what = What::Arena { kind, discs, side };
                cases.push(Case { key: format!("{kind}, {discs} discs"), what });
            }
        }
        let Own { scenes, both, .. } = &self.own;
        for name in &scenes.names {
            for seed in 0..if self.quick { scenes.quick } else { scenes.full } {
                let what = What::Scene { name: name.clone(), seed };
                cases.push(Case { key: format!("{name}, seed {seed}"), what });
            }
        }
        for name in &both.names {
            for seed in 0..if self.quick { both.quick } else { both.full } {
                for how in How::ALL {
                    let what = What::Both { name: name.clone(), seed, how };
                    cases.push(Case { key: format!("{name}, {}, seed {seed}", how.name()), what });
                }
            }
        }
        cases
    }

    fn run(&self, case: &What) -> Result<Row, LabError> {
        match case {
            What::Arena { kind, discs, side } => runs::arena(kind, *discs, *side, self.own.arena.steps),
            What::Scene { name, seed } => runs::scene(name, *seed),
            What::Both { name, seed, how } => runs::both(name, *seed, *how, self.own.both.ticks),
        }
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        figures::conclude(self, rows)
    }
}
