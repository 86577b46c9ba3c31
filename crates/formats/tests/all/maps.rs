use crate::worlds;
use proptest::prelude::*;
use throng_core::{AgentId, Cell, Connectivity, Grid, Setup, Task, TerrainPolicy};
use throng_formats::maps::{self, Kind};
use throng_formats::scenario::{self, no_files};

/// The files of `testdata/maps`.
fn beside(name: &str) -> Result<Vec<u8>, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/maps/");
    std::fs::read(format!("{folder}{name}")).map_err(|why| why.to_string())
}

fn read(name: &str) -> Vec<u8> {
    beside(name).unwrap()
}

fn grid(bytes: &[u8]) -> Result<Grid, String> {
    maps::parse(bytes, TerrainPolicy::default(), &mut beside).map_err(|why| why.to_string())
}

fn rows(grid: &Grid) -> Vec<String> {
    (0..grid.height()).map(|y| String::from_utf8(grid.row(y).to_vec()).unwrap()).collect()
}

fn says(bytes: impl AsRef<[u8]>, message: &str) {
    let why = grid(bytes.as_ref()).unwrap_err();
    assert!(why.contains(message), "{why}\ninstead of {message}");
}

fn setup(bytes: &[u8]) -> Result<Setup, String> {
    maps::scenario(bytes, &mut beside).map_err(|why| why.to_string())
}

/// The hall as text, to put faults into.
fn hall() -> String {
    String::from_utf8(read("hall.tmx")).unwrap()
}

const HALL: [&str; 5] = ["...@....", "........", "..@@@@..", "........", "WSW....."];

#[test]
fn tiled_reads_the_same_from_xml_and_json() {
    for name in ["hall.tmx", "hall.tmj"] {
        let bytes = read(name);
        assert_eq!(Kind::of(&bytes), Kind::Tiled);
        assert_eq!(rows(&grid(&bytes).unwrap()), HALL, "{name}");
    }
    assert_eq!(setup(&read("hall.tmx")), setup(&read("hall.tmj")));
}

#[test]
fn objects_are_units_and_properties_are_wishes() {
    let Setup { scenario, planner, ticks, .. } = setup(&read("hall.tmx")).unwrap();
    assert_eq!((planner.as_deref(), ticks), (Some("whca(window=16)"), Some(200)));
    assert_eq!(scenario.rules().connectivity, Connectivity::Eight);
    let at = Cell::new;
    let units: Vec<_> =
        scenario.agents().iter().map(|unit| (unit.start, unit.task.clone(), unit.priority)).collect();
    let expected = [
        (at(0, 0), Task::Goal(at(7, 0)), 0),
        (at(7, 0), Task::Goal(at(0, 1)), 2),
        // A tile lies on its lower left corner.
        (at(4, 3), Task::Goals(vec![at(6, 4), at(0, 3)]), 0),
    ];
    assert_eq!(units, expected);
    assert_eq!(scenario.agent(AgentId(1)).priority, 2);
}

#[test]
fn scenarios_take_maps_of_every_kind() {
    let text = |name: &str| format!("map_file = '{name}'\n[[unit]]\nstart = [0, 0]\nhold = true\n");
    for (name, width) in [("hall.tmx", 8), ("hall.tmj", 8), ("level.toml", 3)] {
        let setup = scenario::parse(&text(name), &mut beside).unwrap();
        assert_eq!(setup.scenario.grid().width(), width, "{name}");
        // What a map names lies beside the map, not beside the scenario.
        let mut above = |name: &str| beside(name.strip_prefix("inner/").ok_or("no such file")?);
        assert_eq!(scenario::parse(&text(&format!("inner/{name}")), &mut above).unwrap(), setup);
    }
    let why = scenario::parse(&text("level.toml"), &mut |name: &str| match name {
        "level.toml" => beside(name),
        _ => Err("no such file".into()),
    });
    let message = "line 1: map_file \"level.toml\": image \"level.png\": no such file";
    assert_eq!(why.unwrap_err().to_string(), message);
}

#[test]
fn pictures_are_read_by_their_legend() {
    assert_eq!(rows(&grid(&read("level.toml")).unwrap()), [".T@", "..W"]);
    let legend = String::from_utf8(read("level.toml")).unwrap();
    says(legend.replace("#22aa33", "#22aa34"), "pixel (6,2): #22aa33 is no terrain: expected one of");
    let near = legend.replace("cell = 4", "cell = 4\nnearest = true").replace("#22aa33", "#22aa34");
    assert_eq!(rows(&grid(near.as_bytes()).unwrap()), [".T@", "..W"]);
    says(legend.replace("cell = 4", "cell = 5"), "12×8 pixels, expected a multiple of the 5");
    says(legend.replace("cell = 4", "cell = 0"), "line 2: expected at least 1 pixel to a cell");
    says(
        legend.replace("\"T\"", "\"X\""),
        "line 6: expected a letter of terrain, one of .GS@OTW, found \"X\"",
    );
    says(legend.replace("#22aa33", "green"), "line 6: expected a colour as `#rrggbb` or `transparent`");
    says(legend.replace("cell", "cells"), "line 2: unknown key `cells`");
    says(legend.replace("level.png", "none.png"), "image \"none.png\": ");
    // By itself a picture has a cell for each pixel and the usual colours, nearest first.
    let plain = grid(&read("level.png")).unwrap();
    assert_eq!((plain.width(), plain.height()), (12, 8));
    assert_eq!(rows(&plain)[0], "@GGG@TTT@...");
    let png = read("level.png");
    says(&png[..png.len() - 30], "the picture cannot be read: ");
}

#[test]
fn maps_of_ros_are_read_by_their_thresholds() {
    let expected = [
        "@@@@@@@@@@@@",
        "@....@.....@",
        "@....@.....@",
        "@..........@",
        "@..........@",
        "@....@.....@",
        "@....@...OO@",
        "@@@@@@@@@@@@",
    ];
    let yaml = String::from_utf8(read("office.yaml")).unwrap();
    assert_eq!(rows(&grid(yaml.as_bytes()).unwrap()), expected);
    let place = maps::place(yaml.as_bytes(), &mut beside).unwrap().unwrap();
    assert_eq!((place.resolution, place.origin), (0.1, [-0.6, -0.4, 0.0]));
    let unknown = yaml.replace("0.196", "0.1999");
    assert_eq!(rows(&grid(unknown.as_bytes()).unwrap())[6], "@....@.....@");
    let negative = yaml.replace("negate: 0", "negate: 1");
    assert_eq!(rows(&grid(negative.as_bytes()).unwrap())[3], ".@@@@@@@@@@.");

    says(yaml.replace("resolution", "resolved"), "line 8: the file ends where `resolution:` should be");
    says(yaml.replace("0.1\n", "none\n"), "line 3: expected metres above 0, found \"none\"");
    says(yaml.replace("[-0.6, -0.4, 0]", "[1, 2]"), "line 4: expected three numbers");
    says(yaml.replace("trinary", "quaternary"), "line 2: expected `trinary`, `scale` or `raw`");
    says(yaml.replace("0.65", "0.1"), "`occupied_thresh` of at least `free_thresh`");
    says(yaml.replace("0.65", "7"), "line 6: expected a number from 0 to 1");
    says(yaml.replace("mode: trinary", "mode"), "line 2: expected `key: value`");
    says(yaml.replace("office.pgm", "none.pgm"), "image \"none.pgm\": ");
    let with = |pgm: &'static [u8]| {
        let mut files = |_: &str| Ok(pgm.to_vec());
        maps::parse(yaml.as_bytes(), TerrainPolicy::default(), &mut files).map_err(|why| why.to_string())
    };
    assert_eq!(rows(&with(b"P2 # plain\n3 1\n9\n9 0\n7").unwrap()), [".@O"]);
    assert_eq!(rows(&with(b"P5 2 1 65535\n\xff\xff\0\0").unwrap()), [".@"]);
    for (pgm, why) in [
        (&b"P5 3 1 255\n\0\0"[..], "it ends after 2 pixels, expected 3×1"),
        (b"P5 x", "expected its width"),
        (b"P2 2 1 9 1 10", "the grey of a pixel"),
        (b"P5 0 4 255\n", "0×4 pixels"),
        (b"P5 9999999 9999999 255\n", "pixels, expected 1 to"),
        (b"GIF89a", "expected PNG or PGM"),
    ] {
        let told = with(pgm).unwrap_err();
        assert!(told.contains(why), "{told}\ninstead of {why}");
    }
}

#[test]
fn what_a_tiled_map_lacks_is_told() {
    let hall = hall();
    says(
        hall.replace("orthogonal", "hexagonal"),
        "its orientation is \"hexagonal\", expected \"orthogonal\"",
    );
    says(hall.replace("infinite=\"0\"", "infinite=\"1\""), "it is infinite: expected one of a fixed size");
    says(
        hall.replace("value=\"wall\"", "value=\"brick\""),
        "layer \"walls\": terrain \"brick\": expected one of open,",
    );
    says(hall.replace("hall.tsx", "none.tsx"), "tileset \"none.tsx\": ");
    says(hall.replace("zlib", "zstd"), "layer \"walls\": its tiles are compressed by \"zstd\"");
    says(hall.replace("9,9\n", "9\n"), "layer \"floor\": 39 tiles, expected 8×5");
    says(hall.replace("9,9\n", "9,nine\n"), "layer \"floor\": expected the number of a tile, found \"nine\"");
    let bare = hall.replace("<property name=\"terrain\" value=\"open\"/>", "");
    says(&bare, "cell (0,0): no terrain: expected a tile that has one, or the map's own property `terrain`");
    let nothing = bare.replace("value=\"wall\"", "value=\"wall\" name=\"x\"");
    assert!(grid(nothing.as_bytes()).is_err());
    let decoration = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">
        <layer name="floor"><data encoding="csv">1</data></layer></map>"#;
    says(decoration, "nothing in it is terrain: expected a property `terrain`");
    says(hall.replace("id=\"3\" name=\"walls\"", "id=\"3\" offsetx=\"4\" name=\"walls\""), "it is shifted");
    says(hall.replace("firstgid=\"1\"", "firstgid=\"5\""), "tile 3 is of no tileset of this map");
    says(hall.replace("</map>", ""), "line 1, column 1: the root node was opened but never closed");
    says(
        hall.replace("width=\"8\" height=\"5\" tilewidth", "tilewidth"),
        "line 2: expected a number as `width` of `map`",
    );
    says(
        String::from_utf8(read("hall.tmj")).unwrap().replace("\"height\": 5,", "\"height\": \"x\","),
        "expected",
    );
    // Whoever reads XML calls itself for what lies within.
    says("<map>".repeat(100_000), "more than 200 elements in each other");
    let json = format!("{{\"tilesets\":{}", "[".repeat(100_000));
    says(json, "line 1");
}

#[test]
fn what_units_of_a_tiled_map_lack_is_told() {
    let hall = hall();
    let fault = |text: String, message: &str| {
        let why = setup(text.as_bytes()).unwrap_err();
        assert!(why.contains(message), "{why}\ninstead of {message}");
    };
    let blue = "<property name=\"priority\" type=\"int\" value=\"2\"/>";
    fault(
        hall.replace("name=\"red\" type=\"goal\"", "type=\"goal\""),
        "object 1 \"red\": expected a property `goal` or",
    );
    fault(
        hall.replace("type=\"object\" value=\"4\"", "type=\"object\" value=\"8\""),
        "object 3 \"blue\": goal is object 8",
    );
    fault(hall.replace("south, west door", "south, east"), "object 5 \"green\": goals is \"east\"");
    fault(hall.replace("x=\"112\" y=\"0\"", "x=\"-1\" y=\"0\""), "object 3 \"blue\": it lies at cell (-1,0)");
    fault(
        hall.replace("x=\"112\" y=\"0\"", "x=\"48\" y=\"0\""),
        "object 3 \"blue\": agent 1: start (3,0) is blocked",
    );
    fault(hall.replace(blue, &blue.replace("priority", "speed")), "object 3 \"blue\": unknown key `speed`");
    fault(
        hall.replace(blue, &blue.replace("value=\"2\"", "value=\"much\"")),
        "line 44: expected a whole number",
    );
    fault(hall.replace(blue, &blue.replace("priority", "two words")), "expected a key of scenario files");
    fault(
        hall.replace(
            "name=\"rules.connectivity\" type=\"int\" value=\"8\"",
            "name=\"rules.connectivity\" type=\"int\" value=\"6\"",
        ),
        "property \"rules.connectivity\" of the map: expected a connectivity of 4 or 8, found 6",
    );
    fault(
        hall.replace("name=\"ticks\"", "name=\"tick\""),
        "property \"tick\" of the map: unknown key `tick`",
    );
    let why = maps::scenario(&read("office.yaml"), &mut beside).unwrap_err().to_string();
    assert!(why.contains("it has terrain alone"), "{why}");
}

#[test]
fn larger_cells_are_as_blocked_as_the_worst_in_them() {
    let fine = Grid::from_rows(&["....S", "..@..", "..O..", ".....", "....."]).unwrap();
    assert_eq!(rows(&maps::coarser(&fine, 2).unwrap()), [".@S", ".O.", "..."]);
    assert_eq!(rows(&maps::coarser(&fine, 9).unwrap()), ["@"]);
    assert_eq!(maps::coarser(&fine, 1).unwrap(), fine);
}

/// The bytes of a file that holds one of these, and everything that it names.
fn written(grid: &Grid, kind: Kind) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
    let mut files = maps::write(grid, kind, "a & \"b\"");
    (files.remove(0).1, files)
}

fn kinds() -> impl Strategy<Value = Kind> {
    proptest::sample::select(&[Kind::MovingAi, Kind::Picture, Kind::Ros, Kind::Tiled][..])
}

proptest! {
    #[test]
    fn what_is_written_is_read(grid in worlds::grid(), kind in kinds()) {
        let (bytes, files) = written(&grid, kind);
        prop_assert_eq!(Kind::of(&bytes), kind);
        let mut resolve = |name: &str| {
            files.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes.clone()).ok_or("none".into())
        };
        let back = maps::parse(&bytes, grid.policy(), &mut resolve).unwrap();
        if kind == Kind::Ros {
            // It tells free, occupied and unknown apart, and nothing else.
            let open = |grid: &Grid| rows(grid).concat().bytes().map(|l| grid.policy().passable(l)).collect::<Vec<_>>();
            prop_assert_eq!(open(&back), open(&grid));
        } else {
            prop_assert_eq!(back, grid);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>, policy in worlds::policy()) {
        let begins: [&[u8]; 8] = [b"", b"\x89PNG\r\n\x1a\n", b"<map ", b"{\"tilesets\":", b"image: ", b"image = ",
            b"P5 2 2 255\n", b"<map orientation='orthogonal' width='1' height='1' tilewidth='1' tileheight='1'>"];
        for begin in begins {
            let all = [begin, &bytes].concat();
            let _ = maps::parse(&all, policy, &mut no_files);
            let _ = maps::scenario(&all, &mut no_files);
            // And as what another file names.
            let mut resolve = |_: &str| Ok(all.clone());
            let _ = maps::parse(b"image: a\nresolution: 1\n", policy, &mut resolve);
            let _ = maps::parse(&read("hall.tmx"), policy, &mut resolve);
        }
    }

    #[test]
    fn damaged_files_never_panic(
        damage in worlds::damage(),
        name in proptest::sample::select(&["hall.tmx", "hall.tmj", "level.toml", "level.png", "office.yaml"][..]),
    ) {
        let bytes = damage.apply(&read(name));
        let _ = maps::parse(&bytes, TerrainPolicy::default(), &mut beside);
        let _ = maps::scenario(&bytes, &mut beside);
        // And what is whole, but names what is damaged.
        let mut damaged = |name: &str| beside(name).map(|bytes| damage.apply(&bytes));
        let _ = maps::parse(&read(name), TerrainPolicy::default(), &mut damaged);
    }
}
