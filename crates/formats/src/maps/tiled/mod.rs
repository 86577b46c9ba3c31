//! Maps of [Tiled](https://www.mapeditor.org): `.tmx` and JSON, with tiles in a grid seen from above.
//!
//! **Terrain.** What has a property `terrain` is terrain; its value is a letter or a word: `open` (`.`), `grass` (`G`), `swamp`
//! (`S`), `wall` (`@`), `outside` (`O`), `water` (`W`), `trees` (`T`). Of a layer with that property every tile counts as
//! what it says; of other layers those tiles count whose tileset gives them the property. Later layers lie above earlier ones; the
//! map's own property `terrain` is what lies below all. Layers in which nothing has the property are decoration.
//!
//! **Units.** Objects of class `spawn` are units, in the cell where their upper left corner or point lies. Their properties are
//! the keys of a `[[unit]]` of scenario files; where a unit is to go is told by objects of class `goal`: `goal`, `patrol` and
//! `find` name one (by name or as an object), `goals` several (names with commas between). A spawn without a task goes to the
//! goal of its own name.
//!
//! **Wishes.** Other properties of the map are keys of the scenario file, with dots for its tables: `planner`, `ticks`,
//! `rules.connectivity`, `sight.radius`, `terrain.water`.

mod data;
mod json;
mod model;
mod terrain;
mod tmx;
mod units;
mod write;

pub(super) use json::is_json;
pub(super) use write::write;

use super::Resolve;
use crate::{FormatError, scenario};
use model::Map;
use throng_core::{Grid, Setup, TerrainPolicy};

fn read(bytes: &[u8], resolve: Resolve<'_>) -> Result<Map, FormatError> {
    let map = if is_json(bytes) { json::parse(bytes, resolve) } else { tmx::parse(bytes, resolve) }?;
    map.check()?;
    Ok(map)
}

/// The terrain alone.
pub(super) fn terrain(
    bytes: &[u8],
    policy: TerrainPolicy,
    resolve: Resolve<'_>,
) -> Result<Grid, FormatError> {
    let map = read(bytes, resolve)?;
    super::grid_of(map.width, map.height, &terrain::letters(&map)?, policy)
}

/// Terrain, units and wishes.
pub(super) fn scenario(bytes: &[u8], resolve: Resolve<'_>) -> Result<Setup, FormatError> {
    let map = read(bytes, resolve)?;
    let made = units::as_scenario(&map, &terrain::letters(&map)?)?;
    // The file is one that nobody has seen: faults are told of what in the map they come from.
    scenario::parse(&made.text, resolve).map_err(|why| made.blame(&why))
}
