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
    assert_eq!(json["left_behind"].as_array().map(Vec::len), Some(5));
}

/// Who cannot arrive at all is named without being asked for.
#[test]
fn who_has_no_way_is_told_of() {
    let folder = Folder::new();
    let units =
        "[[unit]]\nstart = [0, 0]\ngoal = [3, 0]\nbody = 2\n[[unit]]\nstart = [0, 2]\ngoal = [4, 2]\n";
    folder.write("gap.toml", &format!("map = \"\"\"\n..@..\n..@..\n.....\n\"\"\"\n{units}"));
    let said = folder.throng("run gap.toml --planner whca --ticks 20").expect(2);
    let told = "unit 0 at (0,0): there is no way from (0,0) to (3,0) on this map";
    assert!(said.out.contains(told) && !said.out.contains("unit 1 at"), "{}", said.out);
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
        assert_eq!((&rest["planner"], &rest["collisions"]), (&planner.into(), &0.into()));
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
