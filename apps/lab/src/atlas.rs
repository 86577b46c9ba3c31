//! The worlds of an experiment: made from a seed, or read from the files that stand for them.

use crate::{LabError, Request, Watch, files, mixed};
use serde::{Deserialize, Serialize};
use std::path::Path;
use throng::core::{
    Agent, AgentId, CellId, Draw as _, Grid, Motion, Rules, Scenario, StateHash, Task, TerrainPolicy, Timing,
    stream,
};
use throng::formats::{map, scen};
use throng::worlds::generate::{
    CaveMap, CrossingMap, RandomMap, RoadMap, RoomMap, Scene, TunnelMap, WarehouseMap,
};
use throng::worlds::{UnitOptions, UnitsError, builtin, units};

/// One world in the settings of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct World {
    /// As it is called in rows and tables.
    pub(crate) name: String,
    kind: Kind,
    pub(crate) width: u32,
    height: u32,
    /// Walls in percent, of random maps.
    #[serde(default)]
    percent: u32,
    #[serde(default)]
    units: Placing,
    /// The benchmark map that takes its place if there is such data.
    data: Option<String>,
    /// The document's own map that takes its place if there are originals.
    originals: Option<String>,
    /// Its own starts and goals on that map: files `scens/NAME_K.txt`, one for each seed.
    scens: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Empty,
    Random,
    /// A bracket in the middle, open to the left: who follows the straight line runs into it.
    Trap,
    /// The first map of Sturtevant and Buro, scaled to this width.
    S1,
    /// The second one.
    S2,
    /// Blocks of shelves with corridors one cell wide, in the proportions of the benchmark's warehouses.
    Warehouse,
    /// Rooms with doors in all walls.
    Rooms,
    /// Tunnels two cells wide between ragged walls, with loops.
    Tunnels,
    /// Caves.
    Caves,
    /// Roads two cells wide between blocks of eight, with bays.
    Roads,
    /// The same, one cell wide.
    Lanes,
    /// A built-in scenario, by the name of the world: with its own units, whose number is not asked for.
    Builtin,
}

/// Who starts where and goes where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Placing {
    /// From anywhere to anywhere.
    #[default]
    Anywhere,
    /// From the left quarter to the right quarter.
    Across,
    /// From anywhere to anywhere, of several sizes and speeds, under metric timing and with eight moves.
    Mixed,
    /// From dots on the left to dots on the right, under metric timing and with eight moves.
    Sides,
    /// The same with time in whole steps: every move takes one tick.
    Steps,
    /// From bay to bay, every move one tick.
    Bays,
    /// From bay to bay, at a walk of four ticks a step or a run of two.
    Runners,
}

/// A world that is ready to be used.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) world: World,
    file: Option<FromFile>,
}

#[derive(Clone, Debug)]
struct FromFile {
    grid: Grid,
    /// Starts and goals, one file for each seed; none: they are drawn.
    scens: Vec<(String, Vec<u8>)>,
}

/// Reads what the request names and worlds ask for; everything else is generated.
pub(crate) fn open(worlds: &[World], request: &Request, watch: &dyn Watch) -> Result<Vec<Place>, LabError> {
    let place = |world: &World| {
        let file = match (&request.originals, &world.originals, &request.data, &world.data) {
            (Some(folder), Some(name), ..) => {
                let scens = world.scens.as_deref();
                Some(FromFile::read(folder, name, |k| Some(format!("{}_{k}.txt", scens?)))?)
            }
            (.., Some(folder), Some(name)) => {
                Some(FromFile::read(folder, name, |k| Some(format!("{name}-random-{k}.scen")))?)
            }
            _ => None,
        };
        Ok(Place { world: world.clone(), file })
    };
    let places = worlds.iter().map(place).collect::<Result<Vec<_>, LabError>>()?;
    let unused = |asked: bool, has: fn(&World) -> bool| asked && !worlds.iter().any(has);
    if unused(request.originals.is_some(), |world| world.originals.is_some()) {
        watch.note("--originals is not used: the document has no map for this experiment");
    }
    if unused(request.data.is_some(), |world| world.data.is_some()) {
        watch.note("--data is not used: no benchmark map stands for a world of this experiment");
    }
    Ok(places)
}

/// Every map of a folder with every file of starts and goals that it has there: first all random ones, then the even ones, by number.
pub(crate) fn all(folder: &Path) -> Result<Vec<Place>, LabError> {
    let mut places = Vec::new();
    for file in files::list(&folder.join("maps"))? {
        let Some(name) = file.strip_suffix(".map") else { continue };
        let mut read = FromFile::read(folder, name, |k| Some(format!("{name}-random-{k}.scen")))?;
        read.scens.extend(FromFile::read(folder, name, |k| Some(format!("{name}-even-{k}.scen")))?.scens);
        // A map without starts and goals is none of the benchmark's instances.
        if read.scens.is_empty() {
            continue;
        }
        let (width, height) = (read.grid.width() as u32, read.grid.height() as u32);
        let world = World {
            name: name.to_owned(),
            kind: Kind::Empty,
            width,
            height,
            percent: 0,
            units: Placing::Anywhere,
            data: Some(name.to_owned()),
            originals: None,
            scens: None,
        };
        places.push(Place { world, file: Some(read) });
    }
    if places.is_empty() {
        return Err(LabError::NoMaps { path: folder.join("maps") });
    }
    Ok(places)
}

impl FromFile {
    /// The map, and starts and goals from the files whose names `scen` tells, from the first on.
    fn read(folder: &Path, name: &str, scen: impl Fn(usize) -> Option<String>) -> Result<Self, LabError> {
        let path = folder.join("maps").join(format!("{name}.map"));
        let bytes = files::read(&path)?;
        let grid = map::parse(&bytes, TerrainPolicy::default())
            .map_err(|why| LabError::Format { path, why: Box::new(why) })?;
        let mut scens = Vec::new();
        while let Some(file) = scen(scens.len() + 1) {
            let path = folder.join("scens").join(&file);
            if !path.is_file() {
                break;
            }
            scens.push((file, files::read(&path)?));
        }
        Ok(Self { grid, scens })
    }
}

impl Place {
    /// How many of `wanted` seeds there can be: a file of starts and goals is one seed.
    pub(crate) fn seeds(&self, wanted: u64) -> u64 {
        match &self.file {
            Some(file) if !file.scens.is_empty() => wanted.min(file.scens.len() as u64),
            _ => wanted,
        }
    }

    /// The file that the starts and goals of this seed come from, if any.
    pub(crate) fn scen(&self, seed: u64) -> Option<String> {
        Some(self.file.as_ref()?.scens.get(seed as usize)?.0.clone())
    }

    /// How many units there can be: as many as its file has, or half as many as there are open cells.
    pub(crate) fn most_units(&self, seed: u64) -> usize {
        let rows = self.file.as_ref().and_then(|file| file.scens.get(seed as usize));
        match rows {
            Some((_, bytes)) => scen::parse(bytes).map_or(usize::MAX, |rows| rows.len()),
            None => self.grid(seed).map_or(usize::MAX, |grid| grid.open_ids().count() / 2),
        }
    }

    /// Whether starts and goals come from files.
    pub(crate) fn has_units(&self) -> bool {
        self.file.as_ref().is_some_and(|file| !file.scens.is_empty())
    }

    /// Whether its units all set out from one side: those of files are as they are, and others from anywhere.
    pub(crate) fn one_side(&self) -> bool {
        !self.has_units() && matches!(self.world.units, Placing::Sides | Placing::Steps | Placing::Across)
    }

    /// What its files hold, as a word; nothing if it is generated.
    pub(crate) fn digest(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        let mut hash = StateHash::new();
        let grid = map::write(&file.grid);
        for bytes in
            std::iter::once(grid.as_bytes()).chain(file.scens.iter().map(|(_, scen)| scen.as_slice()))
        {
            bytes.iter().for_each(|&byte| hash.add(byte.into()));
        }
        Some(format!("{:016x}", hash.finish()))
    }

    /// The terrain of this seed.
    pub(crate) fn grid(&self, seed: u64) -> Result<Grid, LabError> {
        let World { kind, width, height, percent, .. } = self.world;
        match (&self.file, kind) {
            (Some(file), _) => Ok(file.grid.clone()),
            (None, Kind::Empty) => Ok(Grid::empty(width as usize, height as usize)?),
            (None, Kind::Random) => Ok(RandomMap { width, height, percent, connected: true }.generate(seed)?),
            (None, Kind::Trap) => trap(width as usize, height as usize),
            (None, Kind::S1) => Ok(CrossingMap { scene: Scene::S1, scale: width / 32 }.generate()?),
            (None, Kind::S2) => Ok(CrossingMap { scene: Scene::S2, scale: width / 32 }.generate()?),
            (None, Kind::Warehouse) => {
                let (columns, rows) = (width.saturating_sub(50) / 11, height / 3);
                Ok(WarehouseMap { columns, rows, ..WarehouseMap::default() }.generate(seed)?)
            }
            (None, Kind::Rooms) => Ok(RoomMap { width, height, room: 15, doors: 100 }.generate(seed)?),
            (None, Kind::Tunnels) => Ok(TunnelMap { width, height, ..TunnelMap::default() }.generate(seed)?),
            (None, Kind::Caves) => Ok(CaveMap { width, height, ..CaveMap::default() }.generate(seed)?),
            (None, Kind::Roads) => Ok(RoadMap { lanes: 2, ..roads(width, height) }.generate(seed)?),
            (None, Kind::Lanes) => Ok(RoadMap { lanes: 1, ..roads(width, height) }.generate(seed)?),
            (None, Kind::Builtin) => Ok(self.builtin(seed)?.grid().clone()),
        }
    }

    fn builtin(&self, seed: u64) -> Result<Scenario, LabError> {
        Ok(builtin(&self.world.name, seed)?.scenario)
    }

    /// A one-shot problem with `count` units.
    pub(crate) fn scenario(&self, count: usize, seed: u64) -> Result<Scenario, LabError> {
        if self.world.kind == Kind::Builtin {
            return self.builtin(seed);
        }
        let (grid, name) = (self.grid(seed)?, self.world.name.as_str());
        let rules = match self.world.units {
            Placing::Mixed | Placing::Sides => mixed::RULES,
            Placing::Steps => Rules { timing: Timing::Uniform, ..mixed::RULES },
            Placing::Runners => Rules { timing: Timing::Metric, ..Rules::default() },
            Placing::Anywhere | Placing::Across | Placing::Bays => Rules::default(),
        };
        let mut scens = self.file.iter().flat_map(|file| &file.scens);
        if let Some((file, bytes)) = scens.nth(seed as usize) {
            return scen::parse_first(bytes, count)
                .and_then(|rows| scen::scenario(name, grid, rules, &rows, count))
                .map_err(|why| LabError::Format { path: file.into(), why: Box::new(why) });
        }
        let agents = match self.world.units {
            Placing::Anywhere => units(&grid, rules, count, seed, &UnitOptions::default()),
            Placing::Across => across(&grid, count, seed),
            Placing::Mixed => mixed::units(&grid, count, seed),
            Placing::Sides => sides(&grid, count, seed, 5),
            Placing::Steps => sides(&grid, count, seed, 1),
            Placing::Bays => {
                units(&grid, rules, count, seed, &UnitOptions { bays: true, ..UnitOptions::default() })
            }
            Placing::Runners => runners(&grid, rules, count, seed),
        };
        let agents = agents.map_err(|why| LabError::Units { world: name.to_owned(), why })?;
        Ok(Scenario::new(name, grid, rules, agents)?)
    }
}

/// A bracket nearly as high as the map: the way around it is long.
pub(crate) fn trap(width: usize, height: usize) -> Result<Grid, LabError> {
    let (left, right) = (width / 4, width * 3 / 4);
    let (top, bottom) = (height / 10, height - 1 - height / 10);
    let letter = |x: usize, y: usize| {
        let back = x == right && (top..=bottom).contains(&y);
        let arms = (left..=right).contains(&x) && (y == top || y == bottom);
        if back || arms { '@' } else { '.' }
    };
    let rows: Vec<String> = (0..height).map(|y| (0..width).map(|x| letter(x, y)).collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    Ok(Grid::from_rows(&rows)?)
}

fn roads(width: u32, height: u32) -> RoadMap {
    RoadMap { width, height, block: 8, missing: 20, bays: 3, ..RoadMap::default() }
}

/// Units from bay to bay that walk and can run twice as fast.
fn runners(grid: &Grid, rules: Rules, count: usize, seed: u64) -> Result<Vec<Agent>, UnitsError> {
    let mut agents = units(grid, rules, count, seed, &UnitOptions { bays: true, ..UnitOptions::default() })?;
    agents.iter_mut().for_each(|agent| (agent.period, agent.motion) = (4, Motion::Gaits { run: 2 }));
    Ok(agents)
}

/// Units from dots on the left to dots on the right, a straight step of which takes `period` ticks.
fn sides(grid: &Grid, count: usize, seed: u64, period: u8) -> Result<Vec<Agent>, UnitsError> {
    let across = UnitOptions { across: true, ..UnitOptions::default() };
    let mut agents = units(grid, mixed::RULES, count, seed, &across)?;
    agents.iter_mut().for_each(|agent| agent.period = period);
    Ok(agents)
}

/// Units from the left quarter of a map to the right quarter.
fn across(grid: &Grid, count: usize, seed: u64) -> Result<Vec<Agent>, UnitsError> {
    let mut dice = stream(seed, AgentId(0), 0);
    let quarter = grid.width() as i32 / 4;
    let mut side = |within: &dyn Fn(i32) -> bool| {
        let mut cells: Vec<CellId> = grid.open_ids().filter(|&id| within(grid.cell(id).x)).collect();
        for last in (1..cells.len()).rev() {
            cells.swap(last, dice.below(last as u32 + 1) as usize);
        }
        cells
    };
    let starts = side(&|x| x < quarter);
    let goals = side(&|x| x >= grid.width() as i32 - quarter);
    let fit = starts.len().min(goals.len());
    if fit < count {
        return Err(UnitsError::NotEnoughRoom { asked: count, fit });
    }
    let agent = |(id, (start, goal)): (usize, (CellId, CellId))| {
        Agent::new(id as u32, grid.cell(start), Task::Goal(grid.cell(goal)))
    };
    Ok(starts.into_iter().zip(goals).take(count).enumerate().map(agent).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use throng::core::Cell;

    fn world(kind: &str, units: &str) -> World {
        let text = format!(
            "name = 'w'\nkind = '{kind}'\nwidth = 12\nheight = 12\npercent = 20\nunits = '{units}'\ndata = 'small'"
        );
        toml::from_str(&text).unwrap()
    }

    fn generated(kind: &str, units: &str) -> Place {
        Place { world: world(kind, units), file: None }
    }

    #[test]
    fn the_trap_is_open_to_the_left_only() {
        let grid = generated("trap", "across").grid(0).unwrap();
        let rows: Vec<String> = (0..3).map(|y| String::from_utf8_lossy(grid.row(y)).into_owned()).collect();
        assert_eq!(rows, ["............", "...@@@@@@@..", ".........@.."]);
        assert!(grid.is_open(Cell::new(3, 6)) && !grid.is_open(Cell::new(9, 6)));
    }

    #[test]
    fn units_go_across() {
        let scenario = generated("trap", "across").scenario(20, 3).unwrap();
        for agent in scenario.agents() {
            assert!(agent.start.x < 3 && agent.waypoints().last().x >= 9, "{agent:?}");
        }
        assert_eq!(scenario, generated("trap", "across").scenario(20, 3).unwrap());
        let crowded = generated("trap", "across").scenario(37, 3).unwrap_err();
        assert!(matches!(crowded, LabError::Units { .. }), "{crowded}");
    }

    #[test]
    fn files_take_the_place_of_what_is_generated() {
        let folder = std::env::temp_dir().join(format!("throng-atlas-{}", std::process::id()));
        for name in ["maps", "scens"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let map = "type octile\nheight 1\nwidth 3\nmap\n...\n";
        let scen = "version 1\n0\tsmall.map\t3\t1\t0\t0\t2\t0\t2\n";
        std::fs::write(folder.join("maps/small.map"), map).unwrap();
        let data = Some(folder.clone());
        let request = Request { quick: true, originals: None, data, shard: None, out: folder.clone() };
        let place = || open(&[world("random", "anywhere")], &request, &Silent).unwrap().remove(0);
        let without = place();
        assert_eq!((without.seeds(9), without.scenario(1, 0).unwrap().grid().width()), (9, 3));
        std::fs::write(folder.join("scens/small-random-1.scen"), scen).unwrap();
        let with = place();
        assert_eq!(with.seeds(9), 1);
        assert_ne!(with.digest(), without.digest());
        let scenario = with.scenario(1, 0).unwrap();
        assert_eq!((scenario.grid().width(), scenario.agents()[0].start), (3, Cell::new(0, 0)));
        assert!(matches!(with.scenario(2, 0), Err(LabError::Format { .. })));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
