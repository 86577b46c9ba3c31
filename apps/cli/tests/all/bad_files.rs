//! Each kind of broken file: exit status 1, file and line named, the line shown, no output left behind.

use crate::kit::Folder;

/// Solves a map and a `.scen`; both must be refused with all of `parts`, and no plan written.
#[track_caller]
fn refused(map: &str, scen: &str, agents: usize, parts: &[&str]) {
    let folder = Folder::new();
    folder.write("a.map", map);
    folder.write("a.scen", scen);
    let args = format!("--map a.map --scen a.scen --agents {agents} --planner hca");
    folder.throng(&format!("solve {args} --plan out.plan --json")).refused(parts);
    folder.throng(&format!("check {args} --plan out.plan").replace(" --planner hca", "")).refused(parts);
    assert_eq!(folder.names(), ["a.map", "a.scen"]);
}

const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n";

fn rows(rows: &[&str]) -> String {
    let row = |row: &&str| format!("0\ta.map\t3\t2\t{row}\t1\n", row = row.replace(' ', "\t"));
    "version 1\n".to_owned() + &rows.iter().map(row).collect::<String>()
}

#[test]
fn missing_files() {
    let folder = Folder::small();
    let solve = |map: &str, scen: &str| {
        folder.throng(&format!("solve --map {map} --scen {scen} --agents 1 --planner hca"))
    };
    solve("no.map", "small.scen").refused(&["no.map: cannot read it", "No such file"]);
    solve("small.map", "no.scen").refused(&["no.scen: cannot read it"]);
    solve(".", "small.scen").refused(&[".: cannot read it"]);
    folder.throng("run no.toml").refused(&["no.toml: cannot read it"]);
    folder.throng("run --resume no.save").refused(&["no.save: cannot read it"]);
    folder.throng("check --trace no.trace").refused(&["no.trace: cannot read it"]);
}

#[test]
fn truncated_maps() {
    let good = rows(&["0 0 2 0"]);
    refused("", &good, 1, &["a.map, line 1", "type octile"]);
    refused("type octile\nheight 2\n", &good, 1, &["a.map, line 3", "width"]);
    refused(&MAP[..MAP.len() - 4], &good, 1, &["a.map, line 6", "after 1 rows, expected 2"]);
    refused(&MAP[..MAP.len() - 2], &good, 1, &["a.map, line 6", "a row of 2 letters, expected 3", "6 | .."]);
}

#[test]
fn mislabelled_files() {
    let good = rows(&["0 0 2 0"]);
    let wide = MAP.replace("width 3", "width 4");
    refused(&wide, &good, 1, &["a.map, line 5", "a row of 3 letters, expected 4", "5 | .@."]);
    refused(&MAP.replace("height 2", "height 1"), &good, 1, &["a.map, line 6", "more than the 1 rows"]);
    refused(&good, &good, 1, &["a.map, line 1", "expected `type octile`", "1 | version 1", "(.scen)"]);
    refused(MAP, MAP, 1, &["a.scen, line 1", "expected `version 1`", "1 | type octile", "(.map)"]);
    refused(&MAP.replace('@', "?"), &good, 1, &["a.map, line 5, column 2", "5 | .?.", "    |  ^"]);
    let other = good.replace("\t3\t2\t", "\t8\t2\t");
    refused(MAP, &other, 1, &["a.scen, line 2", "made for a map of 8×2, but the map is 3×2"]);
}

#[test]
fn oversized_maps() {
    let good = rows(&["0 0 2 0"]);
    let huge = "type octile\nheight 100000\nwidth 100000\nmap\n";
    refused(huge, &good, 1, &["a.map, line 3", "100000×100000 is too large"]);
    let absurd = "type octile\nheight 99999999999999999999\nwidth 3\nmap\n";
    refused(absurd, &good, 1, &["a.map, line 2", "a number from 1 to"]);
}

#[test]
fn wrong_rows() {
    refused(MAP, &rows(&["0 0 2 0", "3 0 0 0"]), 2, &["a.scen, line 3", "start (3,0) is off the 3×2 map"]);
    refused(MAP, &rows(&["0 0 2 -1"]), 1, &["a.scen, line 2", "goal (2,-1) is off the 3×2 map"]);
    refused(MAP, &rows(&["1 0 2 0"]), 1, &["a.scen, line 2", "start (1,0) is blocked terrain ('@')"]);
    refused(MAP, &rows(&["0 0 1 0"]), 1, &["a.scen, line 2", "goal (1,0) is blocked"]);
    refused(MAP, &rows(&["0 0 2 0", "0 0 2 1"]), 2, &["a.scen, line 3", "both start at (0,0)"]);
    refused(MAP, &rows(&["0 0 2 0", "0 1 2 0"]), 2, &["a.scen, line 3", "both have to rest at (2,0)"]);
    refused(MAP, &rows(&["0 0 2 x"]), 1, &["a.scen, line 2", "the goal's y", "\"x\""]);
    refused(MAP, &rows(&["0 0 2"]), 1, &["a.scen, line 2", "expected 9 fields"]);
    refused(MAP, &rows(&["0 0 2 0", "0 1 2 1"]), 3, &["a.scen: 3 agents asked for, but the file has only 2"]);
}

#[test]
fn wrong_scenario_files() {
    let folder = Folder::new();
    let run = |text: &str| {
        folder.write("a.toml", text);
        folder.throng("run a.toml --planner lra --trace out.trace --gif out.gif --json")
    };
    let unit = "map = '..@'\n[[unit]]\nstart = [0, 0]\n";
    run(&format!("{unit}goal = [2, 0]\n")).refused(&[
        "a.toml, line 4",
        "goal (2,0) is blocked",
        "4 | goal = [2, 0]",
    ]);
    run(&format!("{unit}gaol = [1, 0]\n")).refused(&["a.toml, line 4", "gaol", "4 | gaol = [1, 0]"]);
    run(unit).refused(&[
        "a.toml, line 2",
        "one of `goal`, `goals`, `patrol`, `hold`, `errands`, `explore` and `find`",
    ]);
    run("map = '..?'\n").refused(&["a.toml, line 1", "unknown terrain '?'"]);
    run("map_file = 'none.map'\n").refused(&["a.toml, line 1", "none.map"]);
    folder.write("x.dir", "junk\n");
    run(&format!("directions_file = 'x.dir'\n{unit}goal = [1, 0]\n"))
        .refused(&["a.toml, line 1: directions_file \"x.dir\": line 1: expected"]);
    std::fs::remove_file(folder.path().join("x.dir")).unwrap();
    run("map = [\n").refused(&["a.toml, line "]);
    folder.write("a.toml", b"name = 'x'\nmap = '\xff'\n");
    folder.throng("run a.toml").refused(&["a.toml, line 2: not valid UTF-8"]);
    assert_eq!(folder.names(), ["a.toml"]);
}

#[test]
fn what_a_planner_cannot_do_is_named() {
    let folder = Folder::new();
    folder.write("a.toml", "map = '...'\n[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\nteam = 1\n[[unit]]\nstart = [1, 0]\ngoal = [0, 0]\n");
    folder.throng("run a.toml --planner hca").refused(&["hca does not support several teams"]);
}
