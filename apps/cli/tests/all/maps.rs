//! Maps that were drawn elsewhere go wherever maps go.

use crate::kit::Folder;
use std::path::Path;

/// With the maps of `testdata/maps`.
fn folder() -> Folder {
    let folder = Folder::new();
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/maps");
    for entry in std::fs::read_dir(maps).unwrap() {
        let path = entry.unwrap().path();
        folder.write(path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
    }
    folder
}

#[test]
fn a_tiled_map_runs_as_it_is() {
    let folder = folder();
    for name in ["hall.tmx", "hall.tmj"] {
        let told = folder.throng(&format!("run {name} --json --trace a.trace")).expect(0).json();
        assert_eq!(told["arrived"], 3, "{told}");
        assert_eq!(told["planner"], "whca(window=16)");
        folder.throng("check --trace a.trace").expect(0);
    }
    folder.throng("gen scenario --map hall.tmx -o hall.toml").expect(0);
    let (one, other) =
        (folder.throng("run hall.tmx --json").json(), folder.throng("run hall.toml --json").json());
    assert_eq!(one["state_hash"], other["state_hash"]);
    folder.throng("gen scenario --map hall.map -o a.toml").refused(&["hall.map"]);
    folder.throng("gen scenario --map level.toml -o a.toml").refused(&["level.toml", "terrain alone"]);
    folder.throng("gen scenario --map hall.tmx --agents 2 -o a.toml").refused(&["--scen"]);
    folder.write("bad.tmx", folder.text("hall.tmx").replace("name=\"red\" type=\"goal\"", "type=\"goal\""));
    folder.throng("run bad.tmx").refused(&["bad.tmx", "object 1 \"red\"", "of class `goal`"]);
    folder.throng("run office.yaml").refused(&["office.yaml", "looks like a map"]);
}

#[test]
fn one_shot_problems_take_the_units_of_a_map() {
    let folder = folder();
    // Nobody goes first in the benchmark, and everybody has one goal.
    let text = folder.text("hall.tmx").replace("<property name=\"priority\" type=\"int\" value=\"2\"/>", "");
    folder.write(
        "one.tmx",
        text.replace("name=\"goals\" value=\"south, west door\"", "name=\"goal\" value=\"south\""),
    );
    let told =
        folder.throng("solve --map one.tmx --agents 3 --planner lacam --plan a.plan --json").expect(0).json();
    assert_eq!((&told["solved"], &told["scen"]), (&true.into(), &serde_json::Value::Null));
    folder.throng("check --map one.tmx --agents 3 --plan a.plan").expect(0);
    folder.throng("solve --map hall.tmx --agents 2 --planner whca(window=16)").expect(0);
    folder
        .throng("solve --map one.tmx --agents 4 --planner lacam")
        .refused(&["one.tmx", "4 agents", "only 3"]);
    folder
        .throng("solve --map level.toml --agents 1 --planner lacam")
        .refused(&["level.toml", "terrain alone"]);
    // Lists of starts and goals are of any map.
    for map in ["hall.tmx", "office.yaml", "level.toml"] {
        folder.throng(&format!("gen scen --map {map} --agents 1 -o a.scen")).expect(0);
        folder.throng(&format!("solve --map {map} --scen a.scen --agents 1 --planner hca")).expect(0);
    }
}

#[test]
fn maps_become_maps_of_other_kinds() {
    let folder = folder();
    folder.throng("gen map cave --width 30 --height 20 --seed 4 -o a.map").expect(0);
    for name in ["b.png", "b.tmx", "b.yaml"] {
        folder.throng(&format!("gen map cave --width 30 --height 20 --seed 4 -o {name}")).expect(0);
        folder.throng(&format!("gen convert --map {name} -o back.map")).expect(0);
        assert_eq!(folder.text("back.map"), folder.text("a.map"), "{name}");
    }
    assert!(
        folder.names().contains(&"b.pgm".to_owned()) && folder.names().contains(&"b.tiles.png".to_owned())
    );
    // Pixels of 0.1 m, robots of 0.2 m.
    folder.throng("gen convert --map office.yaml --cell 0.2 -o c.map").expect(0);
    assert!(
        folder.text("c.map").ends_with("map\n@@@@@@\n@.@..@\n@.@..@\n@@@@@@\n"),
        "{}",
        folder.text("c.map")
    );
    folder.throng("gen convert --map office.yaml --pixels 2 -o d.map").expect(0);
    assert_eq!(folder.text("c.map"), folder.text("d.map"));
    folder.throng("gen convert --map a.map --cell 2 -o d.map").refused(&["--cell", "a.map", "--pixels"]);
    folder.throng("gen convert --map a.map --cell 0 -o d.map").refused(&["metres above 0"]);
    folder.throng("gen convert --map a.map -o d.tmj").refused(&["d.tmj", ".tmx"]);
    folder.throng("gen convert --map b.pgm -o d.map").refused(&["b.pgm"]);
    // A file beside it would take the place of the map itself.
    folder.throng("gen convert --map b.tiles.png -o b.tmx").refused(&["b.tiles.png", "overwrite"]);
    folder.throng("gen convert --map level.toml -o nowhere/a.map").refused(&["no folder nowhere"]);
}
