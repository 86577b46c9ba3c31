//! What experiments share: worlds, numbers of units and seeds, read from their files.

use crate::atlas::{self, Place, World};
use crate::{Case, LabError, Request, Watch};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A file below `experiments/`: what one experiment asks for, and what all have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct File<T> {
    world: Vec<World>,
    full: Scale,
    quick: Scale,
    #[serde(flatten)]
    own: T,
}

/// How much to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scale {
    pub(crate) units: Vec<usize>,
    pub(crate) seeds: u64,
}

/// One planner in one spot: a case of experiments that compare planners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    pub(crate) spot: Spot,
    pub(crate) planner: usize,
}

/// A planner under the name that tables and plots give it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) spec: String,
}

/// The settings of one run.
#[derive(Clone, Debug)]
pub(crate) struct Settings<T> {
    pub(crate) own: T,
    pub(crate) scale: Scale,
    pub(crate) places: Vec<Place>,
}

/// One world of one seed with so many units in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) place: usize,
    pub(crate) units: usize,
    pub(crate) seed: u64,
}

impl<T: Serialize + DeserializeOwned> Settings<T> {
    pub(crate) fn open(
        experiment: &'static str,
        text: &str,
        request: &Request,
        watch: &dyn Watch,
    ) -> Result<Self, LabError> {
        let file: File<T> = toml::from_str(text)
            .map_err(|why| LabError::Settings { experiment, why: why.message().to_owned() })?;
        let places = atlas::open(&file.world, request, watch)?;
        let scale = if request.quick { file.quick } else { file.full };
        Ok(Self { own: file.own, scale, places })
    }

    /// For the journal.
    pub(crate) fn value(&self) -> Value {
        let worlds: Vec<_> = self.places.iter().map(|place| (&place.world, place.digest())).collect();
        json!({ "own": self.own, "scale": self.scale, "worlds": worlds })
    }

    /// Every world with every number of units and every seed.
    pub(crate) fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for (place, world) in self.places.iter().enumerate() {
            for &units in &self.scale.units {
                spots.extend((0..world.seeds(self.scale.seeds)).map(|seed| Spot { place, units, seed }));
            }
        }
        spots
    }

    /// Every spot with every planner; `names` are what the settings call these.
    pub(crate) fn cases<'a>(&'a self, names: impl Fn(&'a T) -> Vec<&'a str>) -> Vec<Case<Which>> {
        let names = names(&self.own);
        let mut cases = Vec::new();
        for spot in self.spots() {
            for (planner, name) in names.iter().enumerate() {
                let Spot { units, seed, .. } = spot;
                let key = format!("{}, {units} units, seed {seed}, {name}", self.world(&spot));
                cases.push(Case { key, what: Which { spot, planner } });
            }
        }
        cases
    }

    /// What a world is called.
    pub(crate) fn world(&self, spot: &Spot) -> &str {
        &self.places[spot.place].world.name
    }

    /// The most units of any run.
    pub(crate) fn most_units(&self) -> usize {
        self.scale.units.iter().copied().max().unwrap_or(0)
    }
}
