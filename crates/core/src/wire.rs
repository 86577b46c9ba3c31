//! How types that keep promises travel: as what their constructors take, so that reading one checks it
//! just as making one does.

use crate::{
    Agent, Cell, Deed, Delay, Delays, DirectionVector, DirectionsError, Errand, ErrandNote, GridError, Rules,
    ScenarioError, Sight, Source, Stream, TerrainChange, TerrainEvent, TerrainPolicy, Tick,
};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;

#[derive(serde::Deserialize)]
#[serde(rename = "Grid")]
pub(crate) struct Grid {
    width: u32,
    height: u32,
    policy: TerrainPolicy,
    /// All letters, row by row.
    terrain: String,
}

impl TryFrom<Grid> for crate::Grid {
    type Error = GridError;

    fn try_from(wire: Grid) -> Result<Self, GridError> {
        Self::new(wire.width as usize, wire.height as usize, wire.terrain.as_bytes(), wire.policy)
    }
}

impl Serialize for crate::Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let terrain: String =
            (0..self.height()).flat_map(|y| self.row(y)).map(|&letter| char::from(letter)).collect();
        let mut grid = serializer.serialize_struct("Grid", 4)?;
        grid.serialize_field("width", &(self.width() as u32))?;
        grid.serialize_field("height", &(self.height() as u32))?;
        grid.serialize_field("policy", &self.policy())?;
        grid.serialize_field("terrain", &terrain)?;
        grid.end()
    }
}

#[derive(serde::Deserialize)]
#[serde(rename = "Scenario")]
pub(crate) struct Scenario {
    name: String,
    grid: crate::Grid,
    rules: Rules,
    agents: Vec<Agent>,
    #[serde(default)]
    events: Vec<TerrainEvent>,
    #[serde(default)]
    sight: Option<Sight>,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    errands: Vec<Errand>,
    #[serde(default)]
    stream: Option<Stream>,
    #[serde(default)]
    delays: Delays,
}

impl TryFrom<Scenario> for crate::Scenario {
    type Error = ScenarioError;

    fn try_from(wire: Scenario) -> Result<Self, ScenarioError> {
        let scenario = Self::new(wire.name, wire.grid, wire.rules, wire.agents)?;
        let scenario = scenario.with_events(wire.events)?.with_sources(wire.sources)?;
        let scenario =
            scenario.with_errands(wire.errands)?.with_stream(wire.stream)?.with_delays(wire.delays)?;
        match wire.sight {
            None => Ok(scenario),
            Some(sight) => scenario.with_sight(sight),
        }
    }
}

impl Serialize for crate::Scenario {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut scenario = serializer.serialize_struct("Scenario", 10)?;
        scenario.serialize_field("name", self.name())?;
        scenario.serialize_field("grid", self.grid())?;
        scenario.serialize_field("rules", &self.rules())?;
        scenario.serialize_field("agents", self.agents())?;
        scenario.serialize_field("events", self.events())?;
        scenario.serialize_field("sight", &self.sight())?;
        scenario.serialize_field("sources", self.sources())?;
        scenario.serialize_field("errands", self.errands())?;
        scenario.serialize_field("stream", &self.stream())?;
        scenario.serialize_field("delays", self.delays())?;
        scenario.end()
    }
}

#[derive(serde::Deserialize)]
#[serde(rename = "Trace")]
pub(crate) struct Trace {
    starts: Vec<Cell>,
    #[serde(default)]
    poses: Vec<(u8, Tick)>,
    #[serde(default)]
    changes: Vec<TerrainChange>,
    #[serde(default)]
    errands: Vec<ErrandNote>,
    #[serde(default)]
    delays: Vec<Delay>,
    deeds: Vec<Deed>,
    ends: Vec<usize>,
}

/// A tick of a trace that ends before it begins, or after the last deed.
pub(crate) struct BadEnd {
    tick: usize,
    end: usize,
    deeds: usize,
}

impl fmt::Display for BadEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, end, deeds } = self;
        write!(f, "tick {tick} ends at deed {end}, expected no less than the one before and at most {deeds}")
    }
}

impl TryFrom<Trace> for crate::Trace {
    type Error = BadEnd;

    fn try_from(wire: Trace) -> Result<Self, BadEnd> {
        let Trace { starts, poses, mut changes, mut errands, mut delays, deeds, ends } = wire;
        changes.sort_by_key(|change| change.tick);
        errands.sort_by_key(|note| note.tick);
        delays.sort_by_key(|delay| delay.tick);
        let begins = std::iter::once(0).chain(ends.iter().copied());
        match begins.zip(&ends).position(|(begin, &end)| end < begin || end > deeds.len()) {
            Some(tick) => Err(BadEnd { tick, end: ends[tick], deeds: deeds.len() }),
            None => Ok(Self { starts, poses, changes, errands, delays, deeds, ends }),
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(rename = "Directions")]
pub(crate) struct Directions {
    width: u32,
    height: u32,
    vectors: Vec<DirectionVector>,
}

impl TryFrom<Directions> for crate::Directions {
    type Error = DirectionsError;

    fn try_from(wire: Directions) -> Result<Self, DirectionsError> {
        Self::new(wire.width as usize, wire.height as usize, wire.vectors)
    }
}
