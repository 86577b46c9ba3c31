//! Every generator: the same seed gives the same map, everything can be reached, and nonsense is an error.

use crate::reach;
use proptest::prelude::*;
use throng_core::{Grid, GridError, StateHash};
use throng_worlds::generate::{
    CaveMap, EmptyMap, GenerateError, MazeMap, Parameter, RandomMap, RoadMap, RoomMap, TunnelMap,
    WarehouseMap,
};

/// A generator with its parameters already chosen.
type Make = Box<dyn Fn(u64) -> Result<Grid, GenerateError>>;

fn defaults() -> [(&'static str, Make); 8] {
    [
        ("empty", Box::new(|seed| EmptyMap::default().generate(seed))),
        ("random", Box::new(|seed| RandomMap::default().generate(seed))),
        ("maze", Box::new(|seed| MazeMap::default().generate(seed))),
        ("room", Box::new(|seed| RoomMap::default().generate(seed))),
        ("warehouse", Box::new(|seed| WarehouseMap::default().generate(seed))),
        ("tunnels", Box::new(|seed| TunnelMap::default().generate(seed))),
        ("cave", Box::new(|seed| CaveMap::default().generate(seed))),
        ("roads", Box::new(|seed| RoadMap::default().generate(seed))),
    ]
}

#[test]
fn same_seed_same_map_and_others_differ() {
    for (name, make) in defaults() {
        let drawn_by_lot = !matches!(name, "empty" | "warehouse");
        for seed in [0, 1, u64::MAX] {
            assert_eq!(make(seed), make(seed), "{name}");
            assert_eq!(make(seed) != make(seed ^ 2), drawn_by_lot, "{name}");
        }
    }
}

/// Worlds are named by their seeds in experiments and reports, so what a seed gives must not change.
#[test]
fn the_map_of_a_seed_is_fixed() {
    let fingerprint = |grid: Grid| {
        let mut hash = StateHash::new();
        for y in 0..grid.height() {
            grid.row(y).iter().for_each(|&letter| hash.add(u64::from(letter)));
        }
        hash.finish()
    };
    let found = defaults().map(|(name, make)| (name, fingerprint(make(1).unwrap())));
    let expected = [
        ("empty", 8_856_680_395_001_481_970),
        ("random", 6_427_286_733_334_908_611),
        ("maze", 7_269_518_963_948_975_614),
        ("room", 14_930_192_978_206_821_730),
        ("warehouse", 5_004_240_854_586_227),
        ("tunnels", 10_050_567_846_441_055_821),
        ("cave", 17_335_876_404_320_128_611),
        ("roads", 3_127_570_761_203_802_055),
    ];
    assert_eq!(found, expected);
}

#[test]
fn everything_can_be_reached() {
    for (name, make) in defaults() {
        for seed in 0..10 {
            let grid = make(seed).unwrap();
            assert!(!grid.is_empty() && reach::all_connected(&grid), "{name} {seed}\n{grid:?}");
        }
    }
}

#[test]
fn the_default_of_every_parameter_is_in_its_range() {
    let lists: [&[Parameter]; 8] = [
        &EmptyMap::PARAMETERS,
        &RandomMap::PARAMETERS,
        &MazeMap::PARAMETERS,
        &RoomMap::PARAMETERS,
        &WarehouseMap::PARAMETERS,
        &TunnelMap::PARAMETERS,
        &CaveMap::PARAMETERS,
        &RoadMap::PARAMETERS,
    ];
    for Parameter { name, default, min, max, .. } in lists.concat() {
        assert!(min <= default && default <= max, "{name}");
    }
}

#[test]
fn each_bad_parameter_is_named_with_its_range() {
    let text = |result: Result<Grid, GenerateError>| result.unwrap_err().to_string();
    let empty = EmptyMap::default();
    assert_eq!(text(EmptyMap { width: 0, ..empty }.generate(0)), "width is 0, expected 1 to 16384");
    assert_eq!(text(EmptyMap { height: 16385, ..empty }.generate(0)), "height is 16385, expected 1 to 16384");
    let random = RandomMap { percent: 100, ..RandomMap::default() };
    assert_eq!(text(random.generate(0)), "percent is 100, expected 0 to 99");
    let maze = MazeMap { width: 65, height: 5, corridor: 4 };
    assert_eq!(text(maze.generate(0)), "height is 5, expected 6 to 16384");
    assert_eq!(text(MazeMap { corridor: 0, ..maze }.generate(0)), "corridor is 0, expected 1 to 256");
    let room = RoomMap { room: 300, ..RoomMap::default() };
    assert_eq!(text(room.generate(0)), "room is 300, expected 1 to 256");
    let room = RoomMap { doors: 101, ..RoomMap::default() };
    assert_eq!(text(room.generate(0)), "doors is 101, expected 0 to 100");
    let tunnels = TunnelMap { min_connections: 3, max_connections: 2, ..TunnelMap::default() };
    assert_eq!(text(tunnels.generate(0)), "max_connections is 2, expected 3 to 4");
    let tunnels = TunnelMap { width: 11, wall: 5, ..TunnelMap::default() };
    assert_eq!(text(tunnels.generate(0)), "width is 11, expected 12 to 16384");
    let cave = CaveMap { percent: 61, ..CaveMap::default() };
    assert_eq!(text(cave.generate(0)), "percent is 61, expected 0 to 60");
    let roads = RoadMap { width: 13, block: 8, lanes: 2, ..RoadMap::default() };
    assert_eq!(text(roads.generate(0)), "width is 13, expected 14 to 16384");
    let store = WarehouseMap { margin: 0, ..WarehouseMap::default() };
    assert_eq!(text(store.generate(0)), "margin is 0, expected 1 to 1024");
}

#[test]
fn what_no_grid_can_hold_is_refused_before_it_is_made() {
    let huge = EmptyMap { width: 16384, height: 16384 }.generate(0);
    assert!(matches!(huge, Err(GenerateError::Grid(GridError::TooLarge { .. }))));
    let huge = WarehouseMap {
        columns: 1024,
        rows: 1024,
        shelf_width: 256,
        shelf_height: 256,
        corridor: 256,
        margin: 1024,
    };
    assert!(matches!(huge.generate(0), Err(GenerateError::Grid(GridError::TooLarge { .. }))));
}

/// Mostly sensible, sometimes at or beyond what is allowed.
fn number(largest: u32) -> impl Strategy<Value = u32> {
    prop_oneof![
        30 => 0..=largest,
        1 => Just(255u32),
        1 => Just(257u32),
        1 => Just(16384u32),
        1 => Just(u32::MAX),
    ]
}

/// An error that names a parameter out of its range, or a map of which everything can be reached.
fn judge(result: Result<Grid, GenerateError>, connected: bool) {
    match result {
        Ok(grid) if grid.len() > 1 << 16 => assert!(!grid.is_empty()),
        Ok(grid) => assert!(!grid.is_empty() && (!connected || reach::all_connected(&grid)), "{grid:?}"),
        Err(GenerateError::Full) => {}
        Err(GenerateError::OutOfRange { value, min, max, .. }) => assert!(value < min || value > max),
        Err(GenerateError::Grid(error)) => assert!(matches!(error, GridError::TooLarge { .. }), "{error}"),
    }
}

proptest! {
    #[test]
    fn random_never_panics(
        (width, height, percent) in (number(40), number(40), number(105)),
        connected: bool,
        seed: u64,
    ) {
        judge(RandomMap { width, height, percent, connected }.generate(seed), connected);
    }

    #[test]
    fn maze_never_panics((width, height, corridor) in (number(40), number(40), number(6)), seed: u64) {
        judge(MazeMap { width, height, corridor }.generate(seed), true);
    }

    #[test]
    fn room_never_panics(
        (width, height, room, doors) in (number(40), number(40), number(9), number(105)),
        seed: u64,
    ) {
        judge(RoomMap { width, height, room, doors }.generate(seed), true);
    }

    #[test]
    fn tunnels_never_panic(
        (width, height, wall, tunnel) in (number(40), number(40), number(4), number(4)),
        (min_connections, max_connections, noise, min_island) in (number(5), number(5), number(11), number(20)),
        seed: u64,
    ) {
        let map =
            TunnelMap { width, height, min_connections, max_connections, noise, min_island, wall, tunnel };
        judge(map.generate(seed), true);
    }

    #[test]
    fn cave_never_panics(
        (width, height, percent, rounds) in (number(40), number(40), number(65), number(8)),
        seed: u64,
    ) {
        judge(CaveMap { width, height, percent, rounds }.generate(seed), true);
    }

    #[test]
    fn empty_and_warehouse_never_panic(
        (columns, rows, shelf_width) in (number(6), number(6), number(6)),
        (shelf_height, corridor, margin) in (number(4), number(4), number(6)),
    ) {
        judge(EmptyMap { width: columns, height: rows }.generate(0), true);
        let map = WarehouseMap { columns, rows, shelf_width, shelf_height, corridor, margin };
        judge(map.generate(0), true);
    }
}
