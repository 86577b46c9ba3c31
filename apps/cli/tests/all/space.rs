//! Worlds in continuous space: run, saved, traced, judged, drawn, and refused where they should be.

use crate::kit::{Folder, has_keys};

const DOOR: &str = "\
name = 'door'
ticks = 900
[space]
size = [20, 12]
[[wall]]
rectangle = [9, 0, 11, 4]
[[wall]]
rectangle = [9, 8, 11, 12]
[[body]]
disc = 0.4
start = [3, 2]
goal = [17, 2]
[[body]]
rectangle = [1.2, 0.6]
start = [17, 10]
heading = [-1, 0]
patrol = [3, 10]
rounds = 1
";

#[test]
fn a_run_tells_everything() {
    let folder = Folder::new();
    for name in ["circle-swap", "four-way"] {
        let json = folder.throng(&format!("run --builtin {name} --seed 4 --json")).expect(0).json();
        has_keys(&json, &["scenario", "planner", "seed", "agents", "ticks", "arrived", "failed_moves"]);
        has_keys(&json, &["expanded", "collisions", "distance", "state_hash", "tick_us", "left_behind"]);
        assert_eq!((&json["scenario"], &json["seed"]), (&name.into(), &4.into()));
        assert_eq!((&json["arrived"], &json["collisions"]), (&json["agents"], &0.into()));
        let last = json["arrivals"].as_array().unwrap().iter().map(|tick| tick.as_u64().unwrap()).max();
        assert!(last.is_some_and(|last| last <= json["ticks"].as_u64().unwrap()), "{json}");
        assert!(json["least_gap"].as_f64().unwrap() > 0.0);
    }
    let said = folder.throng("run --builtin four-way --ticks 20").expect(2).out;
    assert!(said.starts_with("four-way: 0 of 48 bodies arrived after 20 steps (2.0 s)"), "{said}");
    assert!(said.contains("left behind   body 0 at (") && said.contains("… and 43 more\n"), "{said}");
    let refused = folder.throng("run --builtin four-wey");
    refused.refused(&["no built-in scenario \"four-wey\"", "; in continuous space circle-swap and four-way"]);
}

#[test]
fn a_file_runs_and_its_trace_is_judged() {
    let folder = Folder::new();
    folder.write("door.toml", DOOR);
    folder.throng("run door.toml --trace door.trace --gif door.gif").expect(0);
    assert!(folder.read("door.gif").starts_with(b"GIF89a"));
    folder.throng("run door.toml --gif door.png").expect(0);
    assert!(folder.read("door.png").starts_with(b"\x89PNG"));
    for args in ["check --trace door.trace", "check --scenario door.toml --trace door.trace"] {
        let said = folder.throng(args).expect(0).out;
        assert!(said.starts_with("valid: 2 of 2 bodies rest where they were to get"), "{said}");
    }
    // Against another scene: a wall in the way, a slower body, another start, one body less.
    let judged = |from: &str, to: &str, told: &str| {
        folder.write("other.toml", DOOR.replace(from, to));
        let said = folder.throng("check --scenario other.toml --trace door.trace").expect(1).out;
        assert!(said.starts_with("invalid: ") && said.contains(told), "{said}");
    };
    judged("[9, 0, 11, 4]", "[9, 0, 11, 7.5]", "touches wall 0");
    judged("[9, 0, 11, 4]", "[9, 0, 11, 7.5]", "invalid: ");
    let said = folder.throng("check --scenario other.toml --trace door.trace").expect(1).out;
    assert!(said.lines().count() == 12 && said.lines().last().unwrap().starts_with("… and "), "{said}");
    judged("disc = 0.4", "speed = 0.5\ndisc = 0.4", "far, at most 0.05\n");
    judged("start = [3, 2]", "start = [3, 3]", "invalid: 1 violation\nbody 0 begins");
    judged("start = [3, 2]", "start = [3, 3]", "body 0 begins at (3.000, 2.000), expected (3.000, 3.000)");
    judged(
        "patrol = [3, 10]\nrounds = 1",
        "goal = [1, 1]\n[[body]]\ndisc = 0.1\nstart = [1, 1]\nhold = true",
        "2 bodies, expected 3",
    );
    folder.write("grid.toml", "map = '..'\n[[unit]]\nstart = [0, 0]\ngoal = [1, 0]\n");
    folder.throng("run grid.toml --planner lra --trace grid.trace").expect(0);
    folder.throng("check --scenario door.toml --trace grid.trace").refused(&["but the trace is of a grid"]);
}

/// Doors of a file close and open, and a trace that has them otherwise is none of it.
#[test]
fn doors_close_and_open() {
    let folder = Folder::new();
    let door = "[[door]]\nrectangle = [9, 4, 11, 8]\n[[event]]\nat = 20\nclose = [0]\n[[event]]\nat = 400\nopen = [0]\n";
    folder.write("door.toml", format!("{DOOR}{door}"));
    let json = folder.throng("run door.toml --json --trace t --gif t.gif").expect(0).json();
    assert!(json["ticks"].as_u64().unwrap() > 400, "{json}");
    folder.throng("check --trace t").expect(0);
    folder.throng("check --scenario door.toml --trace t").expect(0);
    folder.write("other.toml", format!("{DOOR}{}", door.replace("at = 20", "at = 30")));
    let said = folder.throng("check --scenario other.toml --trace t").expect(1).out;
    assert!(said.contains("step 20: door 0 closes, of which the scene says nothing"), "{said}");
    folder.write("bad.toml", format!("{DOOR}{}", door.replace("close = [0]", "close = [3]")));
    folder
        .throng("run bad.toml")
        .refused(&["bad.toml, line 23: expected 0, the number of the only [[door]], found 3"]);
}

/// Explorers find what they look for in a world that they do not know, and say how much of it they have seen.
#[test]
fn explorers_run_here_too() {
    let folder = Folder::new();
    let json = folder.throng("run --builtin expedition --continuous --seed 2 --json").expect(0).json();
    has_keys(&json, &["seen", "unseen", "frontier", "ended", "time", "least_gap", "state_hash"]);
    let plain = folder.throng("run --builtin four-way --ticks 20 --json").expect(2).json();
    has_keys(&json, &plain.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(json["arrivals"].as_array().unwrap(), &vec![json["ticks"].clone(); 5]);
    // Who is left behind is told with the same keys everywhere.
    let early = folder.throng("run --builtin expedition --continuous --ticks 9 --json").expect(2).json();
    let grid = folder.throng("run --builtin expedition --ticks 9 --json").expect(2).json();
    assert_eq!(early["arrivals"].as_array().unwrap(), &vec![serde_json::Value::Null; 5]);
    for json in [&early, &grid, &plain] {
        let left = json["left_behind"].as_array().unwrap();
        let keys: Vec<_> = left[0].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["agent", "at", "cause", "goal", "since"], "{json}");
        assert!(left[0]["at"]["x"].is_number() && left[0]["goal"]["y"].is_number(), "{json}");
    }
    assert!(early["left_behind"][4]["cause"]["Explores"]["frontier"].as_u64() > Some(0), "{early}");
    assert_eq!((&json["arrived"], &json["collisions"]), (&json["agents"], &0.into()));
    assert_eq!(json["ended"], "found what they looked for");
    folder.write("room.toml", "map = '''\n.......\n.@@@.@.\n.......\n'''\n[sight]\nradius = 2\n[[unit]]\nstart = [0, 0]\nexplore = true\n");
    let said = folder.throng("run room.toml --continuous --trace room.trace").expect(0).out;
    assert!(
        said.contains("1 bodies have seen all that they can reach") && said.contains("21 of 21 cells"),
        "{said}"
    );
    let said = folder.throng("check --scenario room.toml --trace room.trace").expect(0).out;
    assert!(said.starts_with("valid: 1 bodies have seen all that they can reach, "), "{said}");
    let said = folder.throng("check --trace room.trace").expect(0).out;
    assert!(
        said.starts_with("valid: 1 bodies had no place to get to (if they explore, --scenario"),
        "{said}"
    );
    folder.throng("run room.toml --continuous --ticks 5 --trace room.trace").expect(2);
    let said = folder.throng("check --scenario room.toml --trace room.trace").expect(0).out;
    assert!(said.starts_with("valid: 1 bodies were still looking, 5 steps"), "{said}");
    let said = folder.throng("run --builtin expedition --continuous --ticks 9").expect(2).out;
    assert!(said.contains("were still looking after 9 steps"), "{said}");
    // What is looked for is behind a wall.
    folder.write(
        "lost.toml",
        "map = '''\n...@.\n...@.\n'''\n[sight]\nradius = 2\n[[unit]]\nstart = [0, 0]\nfind = [4, 0]\n",
    );
    let said = folder.throng("run lost.toml --continuous --trace lost.trace").expect(2).out;
    assert!(said.contains("lost: 1 bodies have not found what they looked for"), "{said}");
    let said = folder.throng("check --scenario lost.toml --trace lost.trace").expect(0).out;
    assert!(said.starts_with("valid: 1 bodies have not found what they looked for, "), "{said}");
    let text = folder.text("lost.toml").replace("@", ".");
    folder.write("open.toml", text);
    folder.throng("run open.toml --continuous --trace open.trace").expect(0);
    let said = folder.throng("check --scenario open.toml --trace open.trace").expect(0).out;
    assert!(said.starts_with("valid: 1 bodies found what they looked for, "), "{said}");
    assert_eq!(folder.throng("run lost.toml --continuous --json").expect(2).json()["found"], false);
    folder.throng("run --builtin expedition --continuous --save x --at 3").refused(&["--save is for grids"]);
}

/// Going on from a save ends in the same state, on any number of threads; the rest has a trace of its own.
#[test]
fn a_saved_world_has_the_same_future() {
    let folder = Folder::new();
    let whole = folder
        .throng("run --builtin four-way --seed 2 --budget 40 --save s --at 150 --json")
        .expect(0)
        .json();
    let rest = folder.throng("run --resume s --budget 40 --threads 2 --trace rest --json").expect(0).json();
    assert_eq!((&whole["state_hash"], &whole["ticks"]), (&rest["state_hash"], &rest["ticks"]));
    assert_eq!((&whole["scenario"], &whole["seed"]), (&rest["scenario"], &rest["seed"]));
    assert!(
        whole["largest_work"].as_u64().unwrap() <= 40
            && rest["expanded"].as_u64() < whole["expanded"].as_u64()
    );
    let said = folder.throng("check --trace rest").expect(0).out;
    assert!(said.starts_with("valid: 48 of 48"), "{said}");
    folder.throng("run --resume s --ticks 100").refused(&["at tick 150 already"]);
    folder.write("cut", &folder.read("s")[..200]);
    folder.throng("run --resume cut").refused(&["cut: ", "damaged"]);
    folder.throng("run s").refused(&["it looks like a saved world"]);
}

#[test]
fn what_cannot_be_is_refused_with_its_line() {
    let folder = Folder::new();
    let refused = |from: &str, to: &str, told: &[&str]| {
        folder.write("a.toml", DOOR.replace(from, to));
        folder.throng("run a.toml").refused(told);
    };
    refused(
        "[3, 2]",
        "[16.5, 10]",
        &["a.toml, line 15: bodies 0 and 1 overlap at the start", "15 | start = [17, 10]"],
    );
    refused(
        "[3, 2]",
        "[nan, 2]",
        &["a.toml, line 11: body 0: its start is (NaN, 2.000), expected coordinates from -1e7 to 1e7"],
    );
    refused("[17, 2]", "[inf, 2]", &["a.toml, line 12: body 0: its goal is (inf, 2.000)"]);
    refused(
        "[3, 2]",
        "[9.5, 2]",
        &["a.toml, line 11: body 0: it would touch a wall or the border at its start"],
    );
    refused(
        "disc = 0.4",
        "disc = 0.4\nspeed = 0",
        &["a.toml, line 11: body 0: speed 0, expected 1e-6 to 10000"],
    );
    refused("disc = 0.4", "disc = 0", &["a.toml, line 10: radius 0: expected"]);
    refused("rounds = 1", "rounds = 0", &["a.toml, line 18: body 1: a patrol of 0 rounds"]);
    refused("[20, 12]", "[20, -12]", &["a.toml, line 4: the space from (0.000, 0.000) to (20.000, -12.000)"]);
    refused("size", "step = 0\nsize", &["a.toml, line 4: step is 0, expected 0.0001 to 100"]);
    refused("[space]", "[spice]", &["a.toml, line ", ": unknown key"]);
    for (door, told) in [
        ("[21, 1, 22, 2]", "a.toml, line 20: door 0 is outside of the space"),
        ("[9.5, 1, 10.5, 2]", "a.toml, line 20: door 0 is inside of wall 0"),
        ("[12, 1, 11, 2]", "a.toml, line 20: the rectangle goes from"),
    ] {
        refused(
            "rounds = 1\n",
            &format!("rounds = 1\n[[door]]\nrectangle = {door}\n"),
            &[told, "20 | rectangle"],
        );
    }
    refused(
        "rounds = 1\n",
        "rounds = 1\n[[event]]\nat = 1\nclose = [0]\n",
        &["line 21: expected a [[door]]", "found none in this file"],
    );
    folder.write("empty.toml", "[space]\nsize = [1, 1]\n");
    folder.throng("run empty.toml").refused(&["empty.toml: nobody is there", "[[body]]"]);
    for (option, told) in
        [("--planner lra", "--planner is for grids"), ("--explain 1", "--explain is for grids")]
    {
        folder.throng(&format!("run --builtin four-way {option}")).refused(&[told]);
    }
    folder.throng("run --builtin four-way --directions d.svg").refused(&["--directions is for grids"]);
    folder.throng("run --builtin four-way --gif g.gif --fog 0").refused(&["--fog is for grids"]);
    folder.throng("run --builtin bridge --sampling random").refused(&["--sampling is for continuous space"]);
    assert_eq!(folder.names(), ["a.toml", "empty.toml"]);
}

/// Whatever keeps a file from running, the file is named, and the line where it is one.
#[test]
fn errors_of_grids_in_continuous_space_name_the_file() {
    let folder = Folder::new();
    let unit = "[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\n";
    folder.write("plain.toml", format!("map = '...'\n{unit}"));
    folder.throng("run plain.toml").refused(&["plain.toml: no planner"]);
    folder.throng("run plain.toml --planner nobody").refused(&["error: ", "nobody"]);
    folder.throng("run plain.toml --continuous --trace plain.trace").expect(0);
    let refused = |text: &str, told: &[&str]| {
        folder.write("a.toml", text);
        folder.throng("run a.toml --continuous").refused(told);
        folder.throng("check --scenario a.toml --trace plain.trace").refused(told);
    };
    refused(
        &format!("map = '...'\n{unit}planner = 'blocker'\n"),
        &["a.toml, line 5: agent 0 has the planner blocker", "5 | planner"],
    );
    refused(
        &format!("map = '...'\n{unit}[sight]\nradius = 2\n"),
        &["a.toml, line 5: units of this world know only", "5 | [sight]"],
    );
    let explorer = "[sight]\nradius = 2\n[[unit]]\nstart = [0, 0]\nexplore = true\n";
    refused(
        &format!("map = '...'\n{explorer}[[event]]\nat = 3\nclose = [[1, 0]]\n"),
        &["a.toml, line 8: cells of this world close and open", "8 | at = 3"],
    );
    refused(
        &format!("planner = 'explore(weights=none.toml)'\nmap = '...'\n{explorer}"),
        &["a.toml, line 1: none.toml: cannot read it", "1 | planner"],
    );
}

/// Random points are as many wherever they are asked for: one to a square.
#[test]
fn random_points_are_as_many_by_option_as_by_file() {
    let folder = Folder::new();
    folder.write("door.toml", DOOR);
    folder.write("random.toml", DOOR.replace("[space]", "[space]\nsampling = 'random'"));
    let hash = |args: &str| folder.throng(args).expect(0).json()["state_hash"].clone();
    assert_eq!(hash("run door.toml --sampling random --json"), hash("run random.toml --json"));
    folder.throng("run --builtin field --continuous --sampling random --trace f").expect(0);
    let trace = folder.read("f");
    let has = |text: &[u8]| trace.windows(text.len()).any(|part| part == text);
    assert!(has(b"sampling = \"random\"\ndensity = 1.0\n"));
}

/// A scenario of the grid runs in both.
#[test]
fn a_scenario_of_the_grid_runs_in_continuous_space() {
    let folder = Folder::new();
    for sampling in ["lattice", "random"] {
        let args = format!("run --builtin field --continuous --sampling {sampling} --trace f --json");
        let json = folder.throng(&args).expect(0).json();
        assert_eq!((&json["arrived"], &json["collisions"]), (&100.into(), &0.into()));
        folder.throng("check --trace f").expect(0);
    }
    let text = "map = \"\"\"\n.....\n@@.@@\n.....\n\"\"\"\n[[unit]]\nstart = [0, 0]\ngoal = [4, 2]\n";
    folder.write("gap.toml", text);
    folder.throng("run gap.toml --continuous --trace g").expect(0);
    let said = folder.throng("check --scenario gap.toml --trace g").expect(0).out;
    assert!(said.starts_with("valid: 1 of 1"), "{said}");
    folder.write("shut.toml", format!("{text}[[event]]\nat = 1\nclose = [[2, 1]]\n"));
    let said = folder.throng("run shut.toml --continuous --ticks 300 --trace s --gif s.gif").expect(2).out;
    assert!(said.contains("body 0 at (") && said.contains("has no way to its goal"), "{said}");
    folder.throng("check --scenario shut.toml --trace s").expect(0);
    let said = folder.throng("check --scenario gap.toml --trace s").expect(1).out;
    assert!(said.contains("there is no door 0"), "{said}");
    folder.write(
        "again.toml",
        format!("{text}[[event]]\nat = 1\nclose = [[2, 1]]\n[[event]]\nat = 60\nopen = [[2, 1]]\n"),
    );
    let json = folder.throng("run again.toml --continuous --json").expect(0).json();
    assert!(json["time"].as_f64().unwrap() > 60.0, "{json}");
    folder.throng("run again.toml --continuous --save k --at 200").expect(0);
    let rest = folder.throng("run --resume k --trace r --json").expect(0).json();
    assert_eq!(rest["state_hash"], json["state_hash"]);
    folder.throng("check --trace r").expect(0);
}
