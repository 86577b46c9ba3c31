//! All generators in one list, for whoever lets people choose.

use super::{
    CaveMap, CrossingMap, EmptyMap, GenerateError, MazeMap, Parameter, RandomMap, RoadMap, RoomMap, Scene,
    TunnelMap, WarehouseMap,
};
use throng_core::Grid;

/// A kind of map.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What it can be told.
    pub parameters: &'static [Parameter],
    make: fn(&[u32], u64) -> Result<Grid, GenerateError>,
}

impl Kind {
    /// The map of these numbers, in the order of its parameters, and this seed. What is left out is as usual.
    pub fn generate(&self, numbers: &[u32], seed: u64) -> Result<Grid, GenerateError> {
        let number = |(place, parameter): (usize, &Parameter)| {
            numbers.get(place).copied().unwrap_or(parameter.default)
        };
        let numbers: Vec<u32> = self.parameters.iter().enumerate().map(number).collect();
        (self.make)(&numbers, seed)
    }
}

/// Every kind of map.
///
/// ```
/// use throng_worlds::generate::KINDS;
///
/// for kind in KINDS {
///     assert!(kind.generate(&[], 1)?.open_cells() > 0, "{}", kind.name);
/// }
/// # Ok::<(), throng_worlds::generate::GenerateError>(())
/// ```
pub const KINDS: [Kind; 10] = [
    Kind {
        name: "empty",
        about: "Nothing in the way",
        parameters: &EmptyMap::PARAMETERS,
        make: |n, seed| EmptyMap { width: n[0], height: n[1] }.generate(seed),
    },
    Kind {
        name: "random",
        about: "Walls strewn at random",
        parameters: &RandomMap::PARAMETERS,
        make: |n, seed| {
            RandomMap { width: n[0], height: n[1], percent: n[2], connected: true }.generate(seed)
        },
    },
    Kind {
        name: "maze",
        about: "Exactly one way between any two places",
        parameters: &MazeMap::PARAMETERS,
        make: |n, seed| MazeMap { width: n[0], height: n[1], corridor: n[2] }.generate(seed),
    },
    Kind {
        name: "room",
        about: "Square rooms with doors",
        parameters: &RoomMap::PARAMETERS,
        make: |n, seed| RoomMap { width: n[0], height: n[1], room: n[2], doors: n[3] }.generate(seed),
    },
    Kind {
        name: "warehouse",
        about: "Shelves in rows and columns",
        parameters: &WarehouseMap::PARAMETERS,
        make: |n, seed| {
            let (columns, rows, shelf_width, shelf_height) = (n[0], n[1], n[2], n[3]);
            let map = WarehouseMap { columns, rows, shelf_width, shelf_height, corridor: n[4], margin: n[5] };
            map.generate(seed)
        },
    },
    Kind {
        name: "tunnels",
        about: "Tunnels between walls, from a perfect maze to open ground with ragged walls",
        parameters: &TunnelMap::PARAMETERS,
        make: |n, seed| {
            let map = TunnelMap {
                width: n[0],
                height: n[1],
                min_connections: n[2],
                max_connections: n[3],
                noise: n[4],
                min_island: n[5],
                wall: n[6],
                tunnel: n[7],
            };
            map.generate(seed)
        },
    },
    Kind {
        name: "cave",
        about: "Caves with rounded walls",
        parameters: &CaveMap::PARAMETERS,
        make: |n, seed| CaveMap { width: n[0], height: n[1], percent: n[2], rounds: n[3] }.generate(seed),
    },
    Kind {
        name: "roads",
        about: "Roads between blocks, with crossings and bays to park in",
        parameters: &RoadMap::PARAMETERS,
        make: |n, seed| {
            let (width, height, block, lanes) = (n[0], n[1], n[2], n[3]);
            RoadMap { width, height, block, lanes, missing: n[4], bays: n[5] }.generate(seed)
        },
    },
    Kind {
        name: "s1",
        about: "Two sides at the bottom with a wall between them, to cross over the top",
        parameters: &CrossingMap::PARAMETERS,
        make: |n, _| CrossingMap { scene: Scene::S1, scale: n[0] }.generate(),
    },
    Kind {
        name: "s2",
        about: "Two sides behind brackets, and a wall with a gap full of blocks between them",
        parameters: &CrossingMap::PARAMETERS,
        make: |n, _| CrossingMap { scene: Scene::S2, scale: n[0] }.generate(),
    },
];
