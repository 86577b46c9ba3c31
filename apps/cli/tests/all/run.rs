use crate::kit::{Folder, has_keys};
use serde_json::Value;

#[test]
fn a_run_tells_everything() {
    let folder = Folder::new();
    let json = folder.throng("run --builtin hallway --seed 3 --json").expect(0).json();
    has_keys(&json, &["scenario", "planner", "seed", "agents", "ticks", "arrived", "failed_moves"]);
    has_keys(&json, &["expanded", "collisions", "distance", "state_hash", "tick_us"]);
    has_keys(&json["tick_us"], &["mean", "p99", "max"]);
    assert_eq!((&json["scenario"], &json["seed"]), (&"hallway".into(), &3.into()));
    assert_eq!((&json["arrived"], &json["collisions"]), (&json["agents"], &0.into()));
    assert!(json["state_hash"].as_str().unwrap().starts_with("0x"));
    let said = folder.throng("run --builtin hallway").expect(0);
    assert!(said.out.starts_with("hallway: ") && said.out.contains("state hash"), "{}", said.out);
}

#[test]
fn who_does_not_arrive_makes_status_2() {
    let folder = Folder::new();
    let json = folder.throng("run --builtin bridge --ticks 5 --json").expect(2).json();
    assert_eq!((&json["ticks"], &json["arrived"]), (&5.into(), &0.into()));
    assert_eq!(json["left_behind"].as_array().map(Vec::len), Some(40));
    let text = folder.throng("run --builtin bridge --ticks 5").expect(2).out;
    assert_eq!(text.matches("left behind").count(), 5, "{text}");
    assert!(text.contains("… and 35 more\n"), "{text}");
}

/// The judge holds a unit against the goal that it was given; who rests beside it, since that is taken, has arrived all the same
/// and is told of.
#[test]
fn who_rests_beside_a_taken_goal_is_told() {
    let folder = Folder::new();
    let unit = |x: u32| format!("[[unit]]\nstart = [{x}, 0]\ngoal = [4, 1]\n");
    let units: String = [0, 2, 5].map(unit).concat();
    folder.write("gather.toml", format!("map = \"\"\"\n......\n......\n......\n\"\"\"\n{units}"));
    let json = folder.throng("run gather.toml --planner whca --json").expect(0).json();
    assert_eq!((&json["arrived"], json["settled"].as_array().map(Vec::len)), (&3.into(), Some(2)));
    let text = folder.throng("run gather.toml --planner whca").expect(0).out;
    assert_eq!(text.matches("since (4,1) is taken").count(), 2, "{text}");
}

/// Who cannot arrive at all is named with its line, what it was to get to and why it cannot.
#[test]
fn who_has_no_way_is_refused() {
    let folder = Folder::new();
    let refused = |map: &str, units: &str, told: &[&str]| {
        folder.write("gap.toml", format!("map = \"\"\"\n{map}\n\"\"\"\n{units}"));
        folder.throng("run gap.toml --planner whca --ticks 20").refused(told);
    };
    let small = "[[unit]]\nstart = [0, 2]\ngoal = [4, 2]\n";
    let large = "[[unit]]\nstart = [0, 0]\ngoal = [3, 0]\nbody = 2\n";
    let first = "agent 1: its goal (3,0) cannot be reached from (0,0): ";
    let narrow = format!("{first}every way there is too narrow for a body of 2×2");
    refused(
        "..@..\n..@..\n.....",
        &format!("{small}{large}"),
        &["gap.toml, line 9", &narrow, "9 | [[unit]]"],
    );
    let walled = "agent 0: its goal (4,2) cannot be reached from (0,2): no way leads there";
    refused("..@..\n..@..\n..@..", small, &["gap.toml, line 6", walled]);
    let car = "[rules]\ntiming = 'metric'\n[[unit]]\nstart = [0, 0]\npatrol = [2, 2]\nturning = 3\n";
    let curves = "no way there has room for a body of 1×1 that turns with radius 3";
    refused("...\n@@.\n@@.", car, &["gap.toml, line 8", "(2,2)", curves]);
}

/// Planners that a file names are its own fault, and its line is told.
#[test]
fn planners_of_files_have_lines() {
    let folder = Folder::new();
    let unit = "[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\n";
    let refused = |text: String, options: &str, told: &[&str]| {
        folder.write("a.toml", text);
        folder.throng(&format!("run a.toml {options}")).refused(told);
    };
    let whole = |spec: &str| format!("name = 'a'\nplanner = '{spec}'\nmap = '...'\n{unit}");
    refused(whole("wcha"), "", &["a.toml, line 2: unknown planner", "2 | planner = 'wcha'", "help"]);
    refused(whole("whca(window=0)"), "", &["a.toml, line 2", "expected auto or 1 to 256"]);
    refused(whole("pra("), "", &["a.toml, line 2", "expected `name`"]);
    refused(
        format!("{}team = 1\n[[unit]]\nstart = [1, 0]\ngoal = [1, 0]\n", whole("pibt")),
        "",
        &["a.toml, line 2: planner pibt does not support several teams"],
    );
    let own = format!("map = '...'\nplanner = 'lra'\n{unit}planner = 'nobody'\n");
    refused(own.clone(), "", &["a.toml, line 6: unknown planner"]);
    refused(own, "--planner somebody", &["error: unknown planner \"somebody\""]);
}

fn hash(json: &Value) -> (u64, &str) {
    (json["ticks"].as_u64().unwrap(), json["state_hash"].as_str().unwrap())
}

/// Saves at several ticks, goes on from each, and compares the ends.
#[track_caller]
fn resumes(world: &str, planner: &str) {
    let folder = Folder::new();
    for at in [1, 37, 90] {
        let run =
            format!("run --builtin {world} --ticks 120 --json --planner {planner} --save k.save --at {at}");
        let whole = folder.throng(&run).json();
        let rest = folder.throng("run --resume k.save --ticks 120 --json --trace rest.trace").json();
        assert_eq!(hash(&whole), hash(&rest), "{planner} saved at {at}");
        // The town's explorers keep their own.
        assert!(whole["planner"].as_str().is_some_and(|planners| planners.starts_with(planner)));
        assert_eq!((&rest["planner"], &rest["collisions"]), (&whole["planner"], &0.into()));
        folder.throng("check --trace rest.trace").expect(0);
    }
}

#[test]
fn save_and_resume_come_to_the_same_end_under_local_repair() {
    resumes("bridge", "lra");
}

#[test]
fn save_and_resume_come_to_the_same_end_on_a_plan() {
    resumes("bridge", "hca");
}

#[test]
fn save_and_resume_come_to_the_same_end_with_a_window() {
    resumes("town", "whca(window=24)");
}

#[test]
fn the_rest_of_a_run_can_be_drawn() {
    let folder = Folder::new();
    folder.throng("run --builtin hallway --save k.save --at 5").expect(0);
    folder.throng("run --resume k.save --gif rest.gif").expect(0);
    assert!(folder.read("rest.gif").starts_with(b"GIF89a"));
}

#[test]
fn saving_at_the_beginning_and_at_the_end() {
    let folder = Folder::new();
    let whole = folder.throng("run --builtin doorway --save 0.save --at 0 --json").expect(0).json();
    let rest = folder.throng("run --resume 0.save --json").expect(0).json();
    assert_eq!(hash(&whole), hash(&rest));
    let (end, _) = hash(&whole);
    folder.throng(&format!("run --builtin doorway --save end.save --at {end}")).expect(0);
    let rest = folder.throng("run --resume end.save --json").expect(0).json();
    assert_eq!(hash(&whole), hash(&rest));
    let late = format!("run --builtin doorway --save late.save --at {}", end + 1);
    folder.throng(&late).refused(&["late.save: nothing saved", "never at"]);
    assert_eq!(folder.names(), ["0.save", "end.save"]);
}

/// A limit that has passed is a mistake, not a run of no ticks.
#[test]
fn a_limit_before_the_saved_tick_is_refused() {
    let folder = Folder::new();
    folder.throng("run --builtin bridge --ticks 12 --save k.save --at 12").expect(2);
    let told = ["k.save: the session is at tick 12 already", "expected --ticks of more than 12"];
    folder.throng("run --resume k.save --ticks 11 --trace k.trace").refused(&told);
    assert_eq!(folder.names(), ["k.save"]);
    let json = folder.throng("run --resume k.save --ticks 13 --json").expect(2).json();
    assert_eq!(json["ticks"], 13);
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::new();
    for planner in ["hca", "whca(window=16)"] {
        let run = |threads: u32| {
            let args = format!("run --builtin office --json --planner {planner} --threads {threads}");
            folder.throng(&args).json()
        };
        let (one, two) = (run(1), run(2));
        assert_eq!(hash(&one), hash(&two), "{planner}");
        assert_eq!(one["expanded"], two["expanded"]);
    }
}

#[test]
fn pictures_and_traces_are_written() {
    let folder = Folder::new();
    folder.throng("run --builtin pushers --gif a.gif --trace a.trace").expect(0);
    folder.throng("run --builtin pushers --gif a.png").expect(0);
    assert!(folder.read("a.gif").starts_with(b"GIF89a"));
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    assert_eq!(folder.names(), ["a.gif", "a.png", "a.trace"]);
    folder.throng("check --trace a.trace").expect(0);
}

#[test]
fn a_scenario_file_may_name_a_map_beside_it() {
    let folder = Folder::small();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    let unit = "[[unit]]\nstart = [0, 0]\npatrol = [5, 3]\nrounds = 2\n";
    folder.write("inner/way.toml", format!("name = 'way'\nmap_file = '../small.map'\n{unit}"));
    folder.throng("run inner/way.toml").refused(&["no planner", "--planner"]);
    let json = folder.throng("run inner/way.toml --planner lra --json").expect(0).json();
    assert_eq!((&json["ticks"], &json["distance"]), (&32.into(), &32.0.into()));
}

#[test]
fn a_unit_is_explained() {
    let folder = Folder::new();
    let run = "run --builtin bridge --planner lra --explain 3";
    let said = folder.throng(run).expect(2);
    let history = ["what kept it", ": on its way, ", "was cancelled: unit ", "no nearer to ", "since tick "];
    for part in
        ["unit 3\n", "task          go to (", "not finished", "blocked by unit"].iter().chain(&history)
    {
        assert!(said.out.contains(part), "{part} is missing in {}", said.out);
    }
    let json = folder.throng(&format!("{run} --json")).expect(2).json();
    let explained = &json["explain"];
    has_keys(explained, &["unit", "at", "target", "leg", "resting", "failed_moves", "periods", "chain"]);
    has_keys(&explained["failed_moves"][0], &["tick", "to", "blocked_by"]);
    let periods = explained["periods"].as_array().unwrap();
    has_keys(&periods[0], &["from", "until", "why"]);
    has_keys(&periods[0]["why"], &["agent", "at", "goal", "since", "cause"]);
    assert_eq!(periods.last().unwrap()["until"], json["ticks"]);
    let links = explained["chain"]["links"].as_array().unwrap();
    assert_eq!(links[0]["agent"], 3);
    assert!(explained["chain"]["cycle"].as_u64().is_none_or(|place| (place as usize) < links.len()));
    folder.throng("run --builtin bridge --explain 40").refused(&["no unit 40: expected 0 to 39"]);
    for unit in ["x", "-1", "1.5"] {
        let said = folder.throng(&format!("run --builtin bridge --explain={unit}"));
        said.refused(&["--explain", "expected the number of a unit"]);
    }
}

#[test]
fn a_world_without_units_is_refused() {
    let folder = Folder::new();
    folder.write("empty.toml", b"map = '...'\nplanner = 'lra'\n");
    folder.throng("run empty.toml").refused(&["empty.toml: ", "no units"]);
}

#[test]
fn a_small_budget_still_runs() {
    let folder = Folder::new();
    let json = folder.throng("run --builtin hallway --budget 1 --ticks 20 --json").json();
    assert_eq!(json["collisions"], 0);
    folder.throng("run --builtin hallway --budget 0").refused(&["--budget"]);
}

#[test]
fn what_is_no_saved_session_is_refused() {
    let folder = Folder::small();
    folder.throng("run --resume small.map").refused(&["small.map: ", "saved session"]);
    folder.throng("run --builtin hallway --save a.save --at 3").expect(0);
    let saved = folder.read("a.save");
    for length in [5, 12, 40, saved.len() / 2, saved.len() - 1] {
        folder.write("cut.save", &saved[..length]);
        folder.throng("run --resume cut.save").refused(&["cut.save: "]);
    }
}

/// Whoever is at a run or has turned when a session is saved goes on so, and the judge knows.
#[test]
fn cars_and_runners_go_on_as_they_were() {
    let folder = Folder::new();
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/junction.toml");
    for at in (4..40).step_by(3) {
        let whole = folder.throng(&format!("run {scenario} --json --save j.save --at {at}")).expect(0).json();
        let rest = folder.throng("run --resume j.save --json").expect(0).json();
        assert_eq!(hash(&whole), hash(&rest), "saved at {at}");
    }
}

/// What was learned is written to begin with and as pictures, and arrows lie below the units of an animation.
#[test]
fn direction_maps_are_written_and_drawn() {
    let folder = Folder::new();
    let run = "run --builtin promenade --ticks 30 --planner";
    for name in ["a.dir", "a.svg", "a.png"] {
        let said = folder.throng(&format!("{run} dm --directions {name}")).expect(2);
        assert!(said.out.contains(name), "{}", said.out);
    }
    assert!(folder.text("a.dir").starts_with("throng-directions 1\nwidth 40\n"));
    let svg = folder.text("a.svg");
    assert!(svg.starts_with("<svg") && svg.matches('z').count() > 100, "walls and arrows");
    assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    let map = "..........\n..........\n";
    let unit = "[[unit]]\nstart = [0, 0]\ngoal = [9, 0]\n";
    folder.write("a.toml", format!("map = \"\"\"\n{map}\"\"\"\n{unit}"));
    folder.throng("run a.toml --planner dm(wmax=0) --gif lanes.gif --directions b.dir").expect(0);
    folder.throng("run a.toml --planner lra --gif plain.gif").expect(0);
    // The way is the same: what differs is the caption and the arrows.
    assert!(folder.read("lanes.gif").len() > folder.read("plain.gif").len() + 1000);
    folder.write("b.toml", format!("map = \"\"\"\n{map}\"\"\"\ndirections_file = 'b.dir'\n{unit}"));
    folder.throng("run b.toml --planner dm(alpha=0) --directions c.dir").expect(0);
    assert_eq!(folder.text("b.dir"), folder.text("c.dir"), "it began with what was learned");
    folder
        .throng("run a.toml --planner lra --directions d.svg")
        .refused(&["d.svg", "lra keeps no direction map"]);
    let taken = folder.throng("run b.toml --planner dm --directions b.dir");
    taken.refused(&["b.dir", "--directions"]);
}

/// Whoever explores is reported on, drawn in the dark, judged by its trace, and goes on where it was saved.
#[test]
fn explorers_are_followed() {
    let folder = Folder::new();
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/catacombs.toml");
    let said = folder.throng(&format!("run {scenario} --gif dark.gif --trace c.trace")).expect(0);
    assert!(said.out.contains("6 of 6 units arrived") && said.out.contains("cells seen ("), "{}", said.out);
    folder.throng(&format!("run {scenario} --gif other.gif --fog 4")).expect(0);
    assert_ne!(folder.read("dark.gif"), folder.read("other.gif"), "the other team has seen other parts");
    folder.throng("check --trace c.trace").expect(0).out.contains("valid: soc").then_some(()).unwrap();
    folder.throng(&format!("check --scenario {scenario} --trace c.trace")).expect(0);
    let whole = folder.throng(&format!("run {scenario} --json --save c.save --at 20")).expect(0).json();
    let explored = whole["explored"].as_array().unwrap();
    assert_eq!(explored.len(), 2, "one for each team");
    assert_eq!((&explored[1]["team"], &explored[1]["frontier"]), (&1.into(), &0.into()));
    let rest = folder.throng("run --resume c.save --json --gif rest.png").expect(0).json();
    assert_eq!(hash(&whole), hash(&rest));
    assert_eq!(whole["explored"], rest["explored"]);
    let cut = folder.throng("run --builtin expedition --ticks 5").expect(2);
    assert!(cut.out.contains("beside what is unseen") && cut.out.contains("explores, with"), "{}", cut.out);
    folder.throng("run --builtin bridge --gif a.gif --fog 0").refused(&["--fog", "[sight]"]);
    folder.throng("run --builtin expedition --gif a.gif --fog 5").refused(&["no unit 5", "0 to 4"]);
    folder.throng("run --builtin expedition --planner dlite").refused(&["dlite", "units that explore"]);
    folder
        .throng("run --builtin expedition --planner explore(radius=0)")
        .refused(&["radius=0", "1 to 65536"]);
}

/// Whoever looks for something says whether it has found it, and to have looked in vain is not success. Those who explore have no waypoints.
#[test]
fn a_search_in_vain_is_told() {
    let folder = Folder::new();
    let text = "planner = 'explore'\nmap = \'\'\'\n...@.\n...@.\n\'\'\'\n[sight]\nradius = 2\n[[unit]]\nstart = [0, 0]\nfind = [4, 0]\n";
    folder.write("vain.toml", text);
    let said = folder.throng("run vain.toml --explain 0").expect(2).out;
    assert!(said.starts_with("vain: 1 of 1 units") && said.contains("unit 0 has not found (4,0)"), "{said}");
    assert!(!said.contains("waypoint"), "{said}");
    let json = folder.throng("run vain.toml --explain 0 --json").expect(2).json();
    assert_eq!((&json["found"][0]["unit"], &json["found"][0]["found"]), (&0.into(), &false.into()));
    assert!(json["explain"]["target"].is_null() && json["explain"]["legs"].is_null(), "{json}");
    folder.write("found.toml", text.replace("[4, 0]", "[2, 1]"));
    let json = folder.throng("run found.toml --json").expect(0).json();
    assert_eq!(json["found"][0]["found"], true);
    assert_eq!(json["arrivals"].as_array().unwrap().len(), 1);
}

/// A team that has to see the world, of which nobody is: most likely a slip.
#[test]
fn a_team_of_nobody_sees_nothing() {
    let folder = Folder::new();
    let text = "planner = 'lra'\nmap = '...'\n[sight]\nradius = 2\nteam = 3\n[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\n";
    folder.write("a.toml", text);
    folder.throng("run a.toml").refused(&[
        "a.toml, line 5: team 3 has to see the world, but no unit is of that team",
        "5 | team = 3",
    ]);
    folder.write("b.toml", format!("{text}team = 3\n"));
    folder.throng("run b.toml").expect(0);
}

/// A run without end counts what was done, its trace is believed only as far as it is true, and it goes on where it was saved.
#[test]
fn errands_are_done_counted_and_judged() {
    let folder = Folder::new();
    let run = "run --builtin warehouse --planner whca(window=8) --ticks 150 --save k.save --at 70 --json";
    let json = folder.throng(&format!("{run} --trace all.trace")).expect(0).json();
    let errands = &json["errands"];
    let done = errands["done"].as_u64().unwrap();
    assert!(
        done > 60 && errands["refused"] == 0 && errands["worst_wait"].as_u64().unwrap() < 150,
        "{errands}"
    );
    assert_eq!(
        (&json["collisions"], &errands["open"]),
        (&0.into(), &(errands["appeared"].as_u64().unwrap() - done).into())
    );
    assert!(errands["service"]["p99"].as_u64().unwrap() <= errands["service"]["max"].as_u64().unwrap());
    let told = folder.throng("check --trace all.trace").expect(0).out;
    assert!(told.contains(&format!("valid: {done} errands done")), "{told}");
    // What is not kept changes nothing.
    assert_eq!(folder.throng(run).json()["state_hash"], json["state_hash"]);
    let rest = folder
        .throng("run --resume k.save --ticks 150 --json --trace rest.trace --gif rest.gif")
        .expect(0)
        .json();
    assert_eq!(hash(&rest), hash(&json));
    let told = folder.throng("check --trace rest.trace").expect(0).out;
    assert!(told.contains(&format!("valid: {} errands done", rest["errands"]["done"])), "{told}");
    let text = folder.throng("run --builtin city --ticks 60").expect(0).out;
    assert!(
        text.contains("errands done by 70 units after 60 ticks") && text.contains("to be done"),
        "{text}"
    );
}
