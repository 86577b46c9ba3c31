use crate::kit::{Folder, has_keys};

const SOLVE: &str = "solve --map small.map --scen small.scen --agents 3";

#[test]
fn every_planner_solves_and_tells_everything() {
    let folder = Folder::small();
    for planner in ["ca", "hca", "whca(window=8)"] {
        let said = folder.throng(&format!("{SOLVE} --planner {planner} --seed 4 --json")).expect(0);
        let json = said.json();
        has_keys(&json, &["planner", "map", "scen", "agents", "seed", "outcome", "solved", "soc", "soc_lb"]);
        has_keys(&json, &["makespan", "makespan_lb", "sum_of_loss", "time_ms", "first_solution_ms"]);
        has_keys(&json, &["preprocess_ms", "expanded", "peak_rss_kb"]);
        assert_eq!((&json["planner"], &json["seed"]), (&planner.into(), &4.into()));
        assert_eq!((&json["solved"], &json["outcome"]), (&true.into(), &"solved".into()));
        assert_eq!((&json["soc_lb"], &json["makespan_lb"]), (&15.into(), &5.into()));
        assert!(json["soc"].as_u64() >= Some(15) && json.get("why").is_none());
        assert!(json["time_ms"].as_f64() >= json["first_solution_ms"].as_f64());
        assert!(json["first_solution_ms"].as_f64() >= json["preprocess_ms"].as_f64());
        assert_eq!(json["peak_rss_kb"].is_u64(), cfg!(target_os = "linux"));
    }
}

#[test]
fn people_get_a_summary() {
    let folder = Folder::small();
    let said = folder.throng(&format!("{SOLVE} --planner hca")).expect(0);
    assert!(said.out.starts_with("solved: 3 agents on small.map with hca\n"), "{}", said.out);
    assert!(said.out.contains("sum of costs") && said.out.contains("(lower bound 15)"), "{}", said.out);
}

#[test]
fn a_plan_goes_round_to_the_judge() {
    let folder = Folder::small();
    for connectivity in [4, 8] {
        let options = format!("--connectivity {connectivity} --planner hca --plan out.plan --json");
        let json = folder.throng(&format!("{SOLVE} {options}")).expect(0).json();
        let check = "check --map small.map --scen small.scen --agents 3 --plan out.plan";
        let said = folder.throng(&format!("{check} --connectivity {connectivity}")).expect(0);
        let verdict = format!("valid: soc {}, makespan {}, ", json["soc"], json["makespan"]);
        assert!(said.out.starts_with(&verdict), "{}", said.out);
    }
}

#[test]
fn a_goal_behind_walls_is_not_solved_and_leaves_no_plan() {
    let folder = Folder::small();
    folder.write("cell.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    folder.write("cell.scen", "version 1\n0 cell.map 3 1 0 0 2 0 2\n");
    for planner in ["ca", "hca", "whca"] {
        let args = "solve --map cell.map --scen cell.scen --agents 1 --plan out.plan --json --planner";
        let json = folder.throng(&format!("{args} {planner}")).expect(2).json();
        assert_eq!((&json["solved"], &json["outcome"]), (&false.into(), &"infeasible".into()));
        assert!(json["why"].as_str().unwrap().contains("no way from (0,0) to (2,0)"), "{json}");
        assert!(json["soc"].is_null() && json["soc_lb"].is_null() && json["first_solution_ms"].is_null());
    }
    assert!(!folder.names().contains(&"out.plan".to_owned()));
}

#[test]
fn without_time_there_is_no_solution() {
    let folder = Folder::new();
    // Large enough that every planner looks at the clock before it is done.
    folder.throng("gen map random --width 48 --height 48 -o a.map").expect(0);
    folder.throng("gen scen --map a.map --agents 60 -o a.scen").expect(0);
    for planner in ["lra", "ca", "hca", "whca"] {
        let args =
            "solve --map a.map --scen a.scen --agents 60 --time-limit 0 --plan out.plan --json --planner";
        let json = folder.throng(&format!("{args} {planner}")).expect(2).json();
        assert_eq!(json["outcome"], "out-of-budget", "{planner}");
        // Nor for finding out what no plan can beat.
        assert!(json["why"].is_string() && json["soc_lb"].is_null() && json["soc"].is_null());
    }
    assert_eq!(folder.names(), ["a.map", "a.scen"]);
}

#[test]
fn threads_change_nothing() {
    let folder = Folder::small();
    let plan = |threads: u32| {
        let options = format!("--planner whca --threads {threads} --plan {threads}.plan");
        folder.throng(&format!("{SOLVE} {options}")).expect(0);
        folder.text(&format!("{threads}.plan"))
    };
    assert_eq!(plan(1), plan(2));
}

/// The judge takes plans in every format, and says what is wrong with one.
#[test]
fn plans_go_out_and_in_as_others_write_them() {
    let folder = Folder::small();
    let check = "check --map small.map --scen small.scen --agents 3 --plan";
    for (format, begins) in [("positions", "agents=3"), ("arrows", "Agent 0: ("), ("moves", "")] {
        let solve = format!("{SOLVE} --planner hca --plan {format}.plan --plan-format {format}");
        folder.throng(&solve).expect(0);
        let text = std::fs::read_to_string(folder.path().join(format!("{format}.plan"))).unwrap();
        assert!(text.starts_with(begins), "{text}");
        folder.throng(&format!("{check} {format}.plan")).expect(0);
    }
    folder.write("short.plan", "u\n");
    folder.throng(&format!("{check} short.plan")).refused(&["short.plan", "one for each of 3 agents"]);
    folder.throng(&format!("{SOLVE} --planner hca --plan a --plan-format nonsense")).refused(&["arrows"]);
    let diagonal = format!("{SOLVE} --planner hca --plan a --plan-format moves --connectivity 8");
    folder.throng(&diagonal).refused(&["diagonal", "--connectivity 4"]);
}

/// An older file would be taken for the plan of this problem.
#[test]
fn without_a_plan_an_older_file_goes() {
    let folder = Folder::small();
    folder.write("cell.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    folder.write("cell.scen", "version 1\n0 cell.map 3 1 0 0 2 0 2\n");
    folder.write("old.plan", "an older one");
    let args = "solve --map cell.map --scen cell.scen --agents 1 --plan old.plan --planner hca";
    let said = folder.throng(args);
    assert_eq!(said.status, 2);
    let note = "note: old.plan: removed: it held an older plan, and there is none to write\n";
    assert_eq!(said.err, note);
    assert!(!folder.names().contains(&"old.plan".to_owned()));
    // The second time there is nothing to tell.
    assert_eq!(folder.throng(args).err, "");
}

/// Maps of the same size are easily mistaken for each other.
#[test]
fn a_scen_of_another_map_is_told() {
    let folder = Folder::small();
    folder.write("other.map", folder.read("small.map"));
    let args = "solve --scen small.scen --agents 3 --planner hca";
    let said = folder.throng(&format!("{args} --map other.map"));
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(said.err, "warning: small.scen, line 2: made for map \"small.map\", not for other.map\n");
    // Wherever the map is.
    let said = folder.throng(&format!("{args} --map ./small.map"));
    assert_eq!((said.status, &*said.err), (0, ""));
}

/// Each agent that is missing was a violation of its own.
#[test]
fn a_plan_of_others_is_one_error() {
    let folder = Folder::small();
    folder.throng(&format!("{SOLVE} --planner hca --plan three.plan")).expect(0);
    let said = folder.throng("check --map small.map --scen small.scen --agents 2 --plan three.plan");
    said.refused(&["three.plan: a plan of 3 agents, expected one of 2"]);
}

/// Planners that decide tick by tick give up after as many ticks as they are given.
#[test]
fn controllers_give_up_after_so_many_ticks() {
    let folder = Folder::small();
    let json = folder.throng(&format!("{SOLVE} --planner pibt --ticks 2 --json")).expect(2).json();
    assert_eq!(json["outcome"], "partial");
    assert!(json["why"].as_str().is_some_and(|why| why.contains("after 2 ticks")), "{json}");
    folder.throng(&format!("{SOLVE} --planner pibt --ticks 100 --json")).expect(0);
}

/// What is wrong with a planner inside another one is told as if it stood alone, and with a number what it may be.
#[test]
fn faults_in_options_are_named() {
    let folder = Folder::small();
    let rest = "--map small.map --scen small.scen";
    for (args, fault) in [
        ("--agents 3 --planner lns(from=whca(window=0))", "planner whca: window=0: expected"),
        (
            "--agents -1 --planner hca",
            "invalid value '-1' for '--agents <N>': expected a whole number from 1",
        ),
        ("--agents x --planner hca", "invalid value 'x' for '--agents <N>': expected a whole number from 1"),
        ("--agents 3 --planner hca --time-limit -1", "expected a number of seconds from 0"),
        ("--agents 3 --planner hca --time-limit x", "expected a number of seconds from 0"),
    ] {
        folder.throng(&format!("solve {rest} {args}")).refused(&[fault]);
    }
}
