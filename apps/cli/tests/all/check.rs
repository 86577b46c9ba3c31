use crate::kit::Folder;

const CHECK: &str = "check --map small.map --scen small.scen --agents 3 --plan out.plan";

fn solved() -> Folder {
    let folder = Folder::small();
    folder
        .throng("solve --map small.map --scen small.scen --agents 3 --planner hca --plan out.plan")
        .expect(0);
    folder
}

#[test]
fn a_tampered_plan_is_rejected_with_its_reasons() {
    let folder = solved();
    let plan = folder.text("out.plan");
    assert!(plan.contains("\n1:(") && plan.contains("\nsolver=hca\n"), "{plan}");
    // Somebody jumps to the middle of the lower rows in the first step and back in the second.
    let tampered = plan.lines().map(|line| match line.split_once(":(") {
        Some(("1", cells)) => format!("1:(3,2),{}", cells.split_once("),").unwrap().1),
        _ => line.to_owned(),
    });
    folder.write("out.plan", tampered.collect::<Vec<_>>().join("\n"));
    let said = folder.throng(CHECK).expect(1);
    assert!(said.out.starts_with("invalid: "), "{}", said.out);
    assert!(said.out.contains("tick 0: agent 0 jumps from (0,0) to (3,2)"), "{}", said.out);
    assert_eq!(said.err, "");
}

#[test]
fn a_plan_that_ends_early_is_rejected() {
    let folder = solved();
    let plan = folder.text("out.plan");
    let lines: Vec<_> = plan.lines().collect();
    folder.write("out.plan", lines[..lines.len() - 1].join("\n"));
    let said = folder.throng(CHECK).expect(1);
    assert!(said.out.contains("not at its goal"), "{}", said.out);
}

#[test]
fn a_plan_file_that_is_none_is_bad_input() {
    let folder = Folder::small();
    folder.write("out.plan", "agents=3\nstarts=(0,0),\ngoals=(1,0),\nsolution=\n0:(0;0),\n");
    folder.throng(CHECK).refused(&["out.plan, line 5", "0:(0;0)", "^"]);
}

#[test]
fn a_trace_is_judged_by_its_own_scenario_or_by_another() {
    let folder = Folder::new();
    folder.write("pass.toml", PASS);
    folder.throng("run pass.toml --trace out.trace").expect(0);
    let said = folder.throng("check --trace out.trace").expect(0);
    assert!(said.out.starts_with("valid: soc "), "{}", said.out);
    folder.throng("check --scenario pass.toml --trace out.trace").expect(0);

    folder.write("other.toml", PASS.replace("start = [0, 1]", "start = [1, 1]"));
    let said = folder.throng("check --scenario other.toml --trace out.trace").expect(1);
    assert!(said.out.contains("agent 0 starts at (0,1), expected (1,1)"), "{}", said.out);

    let trace = folder.read("out.trace");
    folder.write("cut.trace", &trace[..trace.len() - 3]);
    folder.throng("check --trace cut.trace").refused(&["cut.trace"]);
    folder.throng("check --trace pass.toml").refused(&["pass.toml: not a trace"]);
}

const PASS: &str = "\
name = 'pass'
planner = 'whca(window=8)'
map = '''
@@.@@
.....
'''
[[unit]]
start = [0, 1]
goal = [4, 1]
[[unit]]
start = [4, 1]
goal = [0, 1]
";

/// Two doors, one of which closes: a run of the world where the other one does is no run of this one.
#[test]
fn a_trace_is_held_against_the_events_of_the_scenario() {
    const DOORS: &str = "planner = \"whca\"\nmap = \"\"\"\n.........\n.@@@@@@@.\n.........\n\"\"\"\n\
        [[event]]\nat = 2\nclose = [[7, 0]]\n[[unit]]\nstart = [0, 0]\ngoal = [8, 0]\n";
    let folder = Folder::new();
    folder.write("upper.toml", DOORS);
    folder.write("lower.toml", DOORS.replace("[7, 0]", "[7, 2]"));
    for name in ["upper", "lower"] {
        folder.throng(&format!("run {name}.toml --trace {name}.trace")).expect(0);
        folder.throng(&format!("check --scenario {name}.toml --trace {name}.trace")).expect(0);
        folder.throng(&format!("check --trace {name}.trace")).expect(0);
    }
    let said = folder.throng("check --scenario upper.toml --trace lower.trace").expect(1);
    for told in [
        "tick 2: (7,0) does not close, as the scenario has it in store",
        "tick 2: (7,2) closes, of which the scenario says nothing",
        "into the wall at (7,0)",
    ] {
        assert!(said.out.contains(told), "{told}: {}", said.out);
    }
}

/// A trace that is held against a wrong scenario is wrong everywhere: ten reasons will do.
#[test]
fn no_more_than_ten_violations_are_told() {
    let world = |from: usize| {
        let unit = |x: usize| format!("[[unit]]\nstart = [{x}, 0]\nhold = true\n");
        let units: String = (from..from + 12).map(unit).collect();
        format!("planner = 'lra'\nmap = '.............'\n{units}[[unit]]\nstart = [12, 0]\nhold = true\n")
    };
    let folder = Folder::new();
    folder.write("a.toml", world(0));
    folder.write(
        "b.toml",
        world(1).replace(
            "start = [12, 0]\nhold = true\n[[unit]]\nstart = [12",
            "start = [12, 0]\nhold = true\n[[unit]]\nstart = [0",
        ),
    );
    folder.throng("run a.toml --trace a.trace").expect(0);
    let said = folder.throng("check --scenario b.toml --trace a.trace").expect(1).out;
    assert!(said.starts_with("invalid: 13 violations\n") && said.ends_with("\n… and 3 more\n"), "{said}");
    assert_eq!(said.lines().count(), 12, "{said}");
}
