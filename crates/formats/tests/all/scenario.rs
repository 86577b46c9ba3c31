use crate::worlds;
use proptest::prelude::*;
use throng_core::{
    AgentId, Brings, Cell, Connectivity, Delay, Dir, Motion, Places, Setup, Sight, Supply, Task,
    TerrainEvent, Timing,
};
use throng_formats::{FormatError, scenario};

const GOOD: &str = include_str!("../../../../testdata/formats/crossing.toml");

fn read(text: &str) -> Result<Setup, FormatError> {
    scenario::parse(text, &mut scenario::no_files)
}

fn says(text: &str, message: &str) {
    assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
}

/// The number of the first line that begins like this.
fn line(begin: &str) -> usize {
    1 + GOOD.lines().position(|line| line.starts_with(begin)).unwrap()
}

#[test]
fn every_key_counts() {
    let setup = read(GOOD).unwrap();
    let world = &setup.scenario;
    assert_eq!((world.name(), world.grid().open_cells()), ("crossing", 9));
    assert_eq!(setup.about, "Two units change sides.");
    assert_eq!((setup.planner.as_deref(), setup.ticks), (Some("whca(window=16)"), Some(40)));
    assert_eq!(setup.unit_planners, [(AgentId(1), "lra".to_owned())]);
    assert_eq!(world.rules().connectivity, Connectivity::Eight);
    assert_eq!(world.rules().timing, Timing::Metric);
    assert!(world.rules().follow && !world.rules().hold_both);
    let [a, b, c] = world.agents() else { panic!("three units") };
    assert_eq!(a.task, Task::Goals(vec![Cell::new(3, 1), Cell::new(3, 2)]));
    assert_eq!((a.team, a.period, a.priority, a.body), (1, 5, -2, 1));
    assert_eq!(b.task, Task::Patrol { goal: Cell::new(0, 1), rounds: 3 });
    assert_eq!((c.task.clone(), c.period), (Task::Goal(Cell::new(2, 0)), 1));
    assert_eq!(read(&scenario::write(&setup)), Ok(setup.clone()));
    assert_eq!(read(&GOOD.replace('\n', "\r\n")), Ok(setup));
    let default = read(&GOOD.replace("rounds = 3\n", "")).unwrap();
    assert!(matches!(default.scenario.agents()[1].task, Task::Patrol { rounds: 5, .. }));
}

#[test]
fn almost_everything_has_a_default() {
    let setup = read("map = '.S@'").unwrap();
    assert_eq!(setup.scenario.rules(), Default::default());
    assert_eq!((setup.scenario.name(), setup.scenario.grid().open_cells()), ("", 2));
    assert_eq!((setup.ticks, setup.planner, setup.about.as_str()), (None, None, ""));
}

#[test]
fn maps_may_be_files() {
    let text = "name = 'x'\nmap_file = 'a.map'\n";
    let mut asked = Vec::new();
    let mut resolve = |name: &str| {
        asked.push(name.to_owned());
        Ok(b"type octile\nheight 1\nwidth 2\nmap\n.@\n".to_vec())
    };
    assert_eq!(scenario::parse(text, &mut resolve).unwrap().scenario.grid().width(), 2);
    assert_eq!(asked, ["a.map"]);
    let missing = scenario::parse(text, &mut |_| Err("no such file".into())).unwrap_err();
    assert_eq!(missing.to_string(), "line 2: map_file \"a.map\": no such file");
    let broken = scenario::parse(text, &mut |_| Ok(b"type octile\nwidth x".to_vec())).unwrap_err();
    let message = broken.to_string();
    assert!(message.starts_with("line 2: map_file \"a.map\": line 2: expected"), "{message}");
    assert_eq!(broken.line(), Some(2));
}

#[test]
fn drawn_maps_know_their_lines() {
    let unknown = |text: &str, line, column| {
        assert_eq!(read(text), Err(FormatError::UnknownTerrain { line, column, letter: 'x' }), "{text}");
    };
    unknown(&GOOD.replace("W@S.", "W@x."), line("W@S."), 3);
    unknown(&GOOD.replace("W@S.", "  W@x.."), line("W@S."), 5);
    unknown(&GOOD.replace("W@S.", "  W@x. "), line("W@S."), 5);
    unknown("about = ''\nmap = '''...\n..x'''", 3, 3);
    unknown("about = ''\nmap = '''\n\n\n...\n..x'''", 6, 3);
    unknown("about = ''\nmap = \"...\\n..x\"", 2, 3);
    let ragged = FormatError::RowLength { line: line("W@S."), expected: 4, found: 3 };
    assert_eq!(read(&GOOD.replace("W@S.", "W@S")), Err(ragged));
    assert!(matches!(read("\nmap = '''\n\n'''"), Err(FormatError::MapSize { .. })));
    assert!(matches!(read("map = ''"), Err(FormatError::MapSize { line: 1, .. })));
    assert!(read("map = '''\n\n   ...\n   @..\n\n'''").is_ok());
}

#[test]
fn exactly_one_map_and_one_task() {
    says("name = 'x'", "line 1: expected one of `map` and `map_file`, found none");
    says("map = '.'\nmap_file = 'x'", "line 2: expected one of `map` and `map_file`, found both");
    let unit = |keys: &str| format!("map = '..'\n\n[[unit]]\nstart = [0, 0]\n{keys}");
    let one = "line 3: expected one of `goal`, `goals`, `patrol`, `hold`, `errands`, `explore` and `find` in a unit";
    says(&unit(""), &format!("{one}, found none"));
    says(&unit("goal = [1, 0]\npatrol = [1, 0]"), &format!("{one}, found goal and patrol"));
    says(&unit("goal = [1, 0]\nrounds = 2"), "line 3: expected `rounds` only with `patrol`, found `rounds`");
    says(&unit("goals = []"), "line 5: agent 0: its list of goals is empty");
    says(&unit("patrol = [1, 0]\nrounds = 0"), "line 6: agent 0: a patrol of 0 rounds");
}

#[test]
fn faults_of_units_name_the_line_of_the_value() {
    let third = 1 + GOOD.lines().enumerate().filter(|(_, l)| *l == "[[unit]]").nth(2).unwrap().0;
    let fault = |from: &str, to: &str, key: &str| {
        let text = GOOD.replace(from, to);
        let error = read(&text).unwrap_err();
        let line = error.line().unwrap();
        assert!(line > third && text.lines().nth(line - 1).unwrap().starts_with(key), "{error}");
        error.to_string().split_once(": agent").unwrap().1.to_owned()
    };
    let (goal, start) = ("goal = [2, 0]", "[3, 1]\ngoal");
    assert_eq!(fault(start, "[-3, 1]\ngoal", "start"), " 2: start (-3,1) is off the 4×3 map");
    assert_eq!(fault("[2, 0]", "[1, 0]", "goal"), " 2: goal (1,0) is blocked terrain ('@')");
    assert_eq!(fault(start, "[0, 0]\ngoal", "start"), "s 0 and 2 both start at (0,0)");
    let body = |side: u8| format!("{goal}\nbody = {side}");
    assert_eq!(fault(goal, &body(0), "body"), " 2: body 0×0, expected 1×1 to 16×16");
    assert_eq!(fault(goal, &body(2), "start"), " 2: its 2×2 body does not fit at start (3,1)");
    assert_eq!(fault(goal, "goal = [2, 0]\nperiod = 99", "period"), " 2: period 99, expected 1 to 64");
    let uniform = read(&GOOD.replace("metric", "uniform").replace("follow = true", "")).unwrap_err();
    assert_eq!(uniform.line(), Some(line("period")));
    let both = read(&GOOD.replace("hold_both = false", "hold_both = true")).unwrap_err();
    assert_eq!(both.line(), Some(line("hold_both")));
    assert!(both.to_string().contains(": hold_both is an option"));
}

#[test]
fn units_may_run_and_drive() {
    let unit = |keys: &str| {
        let head =
            "map = '....'\nrules = { timing = 'metric' }\n[[unit]]\nstart = [0, 0]\nhold = true\nperiod = 4";
        format!("{head}\n{keys}")
    };
    let motion = |keys: &str| read(&unit(keys)).unwrap().scenario.agents()[0].motion;
    assert_eq!(motion("run = 3"), Motion::Gaits { run: 3 });
    assert_eq!(motion("turning = 2\nheading = 'W'"), Motion::Car { radius: 2, heading: Dir::W });
    assert_eq!(motion("turning = 2"), Motion::Car { radius: 2, heading: Dir::N });
    let run = "line 7: agent 0: runs at 4 ticks a step, expected at least 1 and less than its period 4";
    says(&unit("run = 4"), run);
    says(&unit("turning = 9"), "line 7: agent 0: turning radius 9, expected 1 to 8");
    says(
        &unit("heading = 'E'"),
        "line 3: expected `heading` only with `turning` or `turns`, found `heading`",
    );
    says(&unit("run = 2\nturning = 2"), "line 3: expected one of `run` and `turning` in a unit, found both");
    let uniform = unit("turning = 2").replace("metric", "uniform").replace("period = 4\n", "");
    says(&uniform, "line 6: agent 0: drives curves under uniform timing, where every move takes one tick");
    assert!(
        read(&unit("turning = 2\nheading = 'NE'"))
            .unwrap_err()
            .to_string()
            .contains("expected one of `N`, `E`, `S`, `W`, found `NE`")
    );
}

#[test]
fn units_see_as_far_as_it_says() {
    let file = |sight: &str| format!("map = '....'\n\n{sight}");
    let setup = scenario::parse(&file("[sight]\nradius = 4\n"), &mut scenario::no_files).unwrap();
    assert_eq!(setup.scenario.sight(), Some(Sight::new(4)));
    let text = file("[sight]\nradius = 4\nline_of_sight = false\nshared = false\nmap_known = true\n");
    let setup = scenario::parse(&text, &mut scenario::no_files).unwrap();
    let sight = Sight { line_of_sight: false, shared: false, map_known: true, ..Sight::new(4) };
    assert_eq!(setup.scenario.sight(), Some(sight));
    assert_eq!(scenario::parse(&scenario::write(&setup), &mut scenario::no_files).unwrap(), setup);
    let refused = [
        ("radius = 0", "line 4: sight has radius 0, expected 1 to 1024"),
        ("radius = -1", "expected a whole number from 1 to 1024"),
        ("line_of_sight = true", "radius"),
        ("radius = 2\nfar = 3", "far"),
        ("radius = 2\nangle = 0", "line 5: sight has angle 0, expected 1 to 360 degrees"),
        ("radius = 2\nangle = 361", "line 5: sight has angle 361, expected 1 to 360 degrees"),
        ("radius = 2\nangle = -1", "expected a whole number from 1 to 360"),
        ("radius = 2\ninner = 3", "line 5: sight has an inner circle of 3, expected 1 to its radius, 2"),
        ("radius = 2\ninner = 0", "line 5: sight has an inner circle of 0, expected 1 to its radius, 2"),
        ("radius = 2\nfading = 0", "line 5: sight has a fading of 0, expected at least 1 tick"),
    ];
    for (lines, why) in refused {
        let told = read(&file(&format!("[sight]\n{lines}\n"))).unwrap_err().to_string();
        assert!(told.contains(why) && told.starts_with("line "), "{told}");
    }
}

#[test]
fn units_explore_what_they_can_see() {
    let file = |sight: &str, task: &str| format!("map = '...@'\n{sight}[[unit]]\nstart = [0, 0]\n{task}\n");
    let sight = "[sight]\nradius = 4\nangle = 72\ninner = 2\nfading = 9\n";
    let setup = read(&file(sight, "find = [2, 0]")).unwrap();
    let seen = Sight { angle: 72, inner: Some(2), fading: Some(9), ..Sight::new(4) };
    assert_eq!(setup.scenario.sight(), Some(seen));
    assert_eq!(setup.scenario.agents()[0].task, Task::Find(Cell::new(2, 0)));
    assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    let setup = read(&file(sight, "explore = true")).unwrap();
    assert_eq!(setup.scenario.agents()[0].task, Task::Explore);
    says(
        &file("", "explore = true"),
        "line 4: agent 0: to explore a world takes eyes, and its team has no sight",
    );
    says(
        &file("", "find = [1, 0]"),
        "line 4: agent 0: to explore a world takes eyes, and its team has no sight",
    );
    says(&file(sight, "find = [3, 0]"), "line 9: agent 0: hidden goal (3,0) is blocked terrain ('@')");
    says(&file(sight, "find = [4, 0]"), "line 9: agent 0: hidden goal (4,0) is off the 4×1 map");
    let both = file(sight, "find = [1, 0]\nexplore = true");
    assert!(read(&both).unwrap_err().to_string().ends_with("found explore and find"));
}

#[test]
fn events_close_and_open() {
    let file = |events: &str| format!("map = '....'\n\n{events}");
    let text = file("[[event]]\nat = 9\nopen = [[1, 0]]\n\n[[event]]\nat = 4\nclose = [[1, 0], [3, 0]]\n");
    let setup = read(&text).unwrap();
    let cells = |cells: &[i32]| cells.iter().map(|&x| Cell::new(x, 0)).collect();
    let first = TerrainEvent { at: 4, close: cells(&[1, 3]), open: vec![] };
    let last = TerrainEvent { at: 9, close: vec![], open: cells(&[1]) };
    assert_eq!(setup.scenario.events(), [first.clone(), last]);
    assert_eq!(setup.scenario.events_at(4), [first]);
    assert!(setup.scenario.events_at(5).is_empty());
    assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    let first = "[[event]]\nat = 1\nclose = [[0, 0]]\n";
    says(
        &file(&format!("{first}[[event]]\nat = 4\nclose = [[4, 0]]")),
        "line 8: event 1: (4,0) is off the 4×1 map",
    );
    says(&file("[[event]]\nat = 4\nopen = [[0, -1]]"), "line 5: event 0: (0,-1) is off the 4×1 map");
    says(
        &file("[[event]]\nat = 4\nopen = [[0, 0], [2, 0]]\nclose = [[2, 0]]"),
        "line 3: event 0: (2,0) is to close and to open at once",
    );
    says(
        &file("[[event]]\nat = 4"),
        "line 3: expected cells to `close` or to `open` in an event, found none",
    );
    let fault = |text: &str, message: &str| {
        let error = read(&file(text)).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    fault("[[event]]\nclose = [[0, 0]]", "line 3: missing key `at`");
    fault(
        "[[event]]\nat = -1\nclose = [[0, 0]]",
        "line 4: expected a whole number from 0 to 9223372036854775807, found -1",
    );
    fault("[[event]]\nat = 1\nshut = [[0, 0]]", "line 5: unknown key `shut`");
}

#[test]
fn errands_come_one_by_one_and_in_streams() {
    let file = |errands: &str| format!("map = '..S@'\n[[unit]]\nstart = [0, 0]\nerrands = true\n{errands}");
    let text = file(
        "[[errand]]\nat = 7\nstops = [[1, 0]]\n[[errand]]\nstops = [[2, 0], [0, 0]]\n\
         [stream]\nrate = 0.25\nstops = ['anywhere', 'S', [[0, 0], [1, 0]]]\ncount = 9\nseed = -1\n",
    );
    let setup = read(&text).unwrap();
    let cells = |cells: &[i32]| cells.iter().map(|&x| Cell::new(x, 0)).collect::<Vec<_>>();
    let errands: Vec<_> = setup.scenario.errands().iter().map(|e| (e.at, e.stops.clone())).collect();
    assert_eq!(errands, [(0, cells(&[2, 0])), (7, cells(&[1]))]);
    let drawn = vec![Places::Anywhere, Places::Letter(b'S'), Places::Cells(cells(&[0, 1]))];
    let stream = setup.scenario.stream().unwrap();
    assert_eq!((stream.supply, &stream.brings), (Supply::Rate(250), &Brings::Drawn(drawn)));
    assert_eq!((stream.count, stream.seed), (Some(9), Some(u64::MAX)));
    assert_eq!(setup.scenario.agents()[0].task, Task::Errands(vec![]));
    assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    let listed = read(&file("[stream]\nopen = 3\nlist = [[[1, 0]], [[0, 0], [2, 0]]]")).unwrap();
    let stream = listed.scenario.stream().unwrap();
    assert_eq!(
        (stream.supply, &stream.brings),
        (Supply::Open(3), &Brings::Listed(vec![cells(&[1]), cells(&[0, 2])]))
    );

    let fault = |errands: &str, message: &str| says(&file(errands), message);
    fault("[[errand]]\nstops = []", "line 6: errand 0: no stops, expected at least one");
    fault("[[errand]]\nat = 1\nstops = [[4, 0]]", "line 7: errand 0: stop (4,0) is off the 4×1 map");
    fault("[[errand]]\nstops = [[0, 0], [3, 0]]", "line 6: errand 0: stop (3,0) is blocked terrain ('@')");
    fault(
        "[stream]\nopen = 1\nlist = [[[0, 0]], [[3, 0]]]",
        "line 7: stream: errand 1 of its list: stop (3,0) is blocked terrain ('@')",
    );
    fault(
        "[stream]\nopen = 1\nstops = ['W']",
        "line 7: stream: stop 0: no open cell of the map has the letter 'W'",
    );
    fault(
        "[stream]\nopen = 1\nstops = ['here']",
        "line 7: expected \"anywhere\", a letter of the map or cells, found \"here\"",
    );
    fault(
        "[stream]\nopen = 1\nstops = []",
        "line 7: a stream of errands that brings none: expected at least 1 of them, with at least one stop",
    );
    fault("[stream]\nstops = ['S']", "line 5: expected one of `open` and `rate` in a stream, found none");
    fault(
        "[stream]\nopen = 1\nrate = 1.0\nstops = ['S']",
        "line 5: expected one of `open` and `rate` in a stream, found both",
    );
    fault("[stream]\nopen = 1", "line 5: expected one of `stops` and `list` in a stream, found none");
    fault(
        "[stream]\nrate = 0.0001\nstops = ['S']",
        "line 6: expected a rate from 0.001 to 1000 errands in a tick, found 0.0001",
    );
    fault(
        "[stream]\nopen = 2000000\nstops = ['S']",
        "line 6: a stream of 2000000 errands, open at a time or in 1000 ticks, expected 1048576 at most",
    );
    let seen = file("").replace("[[unit]]", "[sight]\nradius = 3\n[[unit]]");
    let error = read(&seen).unwrap_err();
    assert!(
        error.line() == Some(6)
            && error.to_string().contains("does errands, which takes a world that it knows"),
        "{error}"
    );
}

#[test]
fn keys_and_types_are_checked() {
    let fault = |from: &str, to: &str, at: &str, message: &str| {
        let error = read(&GOOD.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.line(), Some(line(at)), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    };
    fault("team = 1", "gang = 1", "team", "unknown key `gang`");
    fault("ticks = 40", "tocks = 40", "ticks", "unknown key `tocks`");
    fault("ticks = 40", "ticks = -1", "ticks", "-1");
    fault("ticks = 40", "ticks = 'x'", "ticks", "found \"x\"");
    fault("ticks = 40", "budget = 0", "ticks", "expected a budget of at least 1 expansion, found 0");
    fault("ticks = 40", "budget = -4", "ticks", "expected a whole number from 1 to 9223372036854775807");
    fault("ticks = 40", "seed = 1.5", "ticks", "found 1.5");
    fault("swamp = true", "mud = true", "swamp", "unknown key `mud`");
    fault(
        "timing = \"metric\"",
        "timing = \"slow\"",
        "timing",
        "expected `uniform` or `metric`, found `slow`",
    );
    fault("connectivity = 8", "connectivity = 6", "connectivity", "a connectivity of 4 or 8, found 6");
    fault("period = 5", "period = 300", "period", "expected a whole number from 1 to 64, found 300");
    fault("start = [0, 0]", "start = [0]", "start", "");
    fault(
        "start = [0, 0]",
        "start = [0, 9999999999]",
        "start",
        "expected a whole number from 0 to 2147483647, found 9999999999",
    );
    fault("team = 1", "team = -1", "team", "expected a whole number from 0 to 65535");
    fault("team = 1", "team = [1]", "team", "from 0 to 65535, found a list");
    fault("start = [0, 0]", "start = 0", "start", "expected a list, found 0");
    fault("swamp = true", "swamp = 1", "swamp", "expected true or false, found 1");
    fault("start = [0, 0]\n", "", "[[unit]]", "missing key `start`");
    fault("ticks = 40", "ticks = ", "ticks", "");
}

fn setup() -> impl Strategy<Value = Setup> {
    let spec = proptest::option::of(".*");
    let ticks = proptest::option::of(0..=i64::MAX as u64);
    let numbers = (ticks, any::<Option<u64>>(), proptest::option::of(1..=i64::MAX as u64));
    (worlds::scenario(), ".*", spec, numbers, any::<[bool; 8]>(), ".*").prop_map(
        |(scenario, about, planner, (ticks, seed, budget), own, spec)| {
            let agents = scenario.agents().iter().map(|agent| agent.id);
            let owners = agents.zip(own).filter(|(_, own)| *own);
            let unit_planners = owners.map(|(id, _)| (id, spec.clone())).collect();
            Setup { scenario, about, planner, unit_planners, ticks, seed, budget, directions: None }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(setup in setup()) {
        prop_assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC*", bytes: Vec<u8>) {
        let _ = read(&text);
        let _ = read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damaged_files_never_panic(damage in worlds::damage()) {
        if let Ok(setup) = read(&String::from_utf8_lossy(&damage.apply(GOOD.as_bytes()))) {
            prop_assert_eq!(read(&scenario::write(&setup)), Ok(setup));
        }
    }
}

/// Resources and dangers go out and come in, and those that cannot be are told with their line.
#[test]
fn sources_are_read_and_written() {
    let text = "map = '...'\n[[source]]\nat = [1, 0]\nstrength = -2.5\nradius = 6\n";
    let setup = scenario::parse(text, &mut scenario::no_files).unwrap();
    let source = throng_core::Source { cell: throng_core::Cell::new(1, 0), strength: -2_500, radius: 6 };
    assert_eq!(setup.scenario.sources(), [source]);
    let again = scenario::parse(&scenario::write(&setup), &mut scenario::no_files).unwrap();
    assert_eq!(again, setup);
    for (from, to, why) in [
        ("[1, 0]", "[3, 0]", "line 3: source 0: (3,0) is off the 3×1 map"),
        ("-2.5", "nan", "line 4: expected a strength of -1000 to 1000 steps, found NaN"),
        ("-2.5", "1000.1", "line 4: expected a strength of -1000 to 1000 steps, found 1000.1"),
        ("6", "257", "line 5: source 0 at (1,0) has radius 257, expected 1 to 256"),
    ] {
        let error = scenario::parse(&text.replace(from, to), &mut scenario::no_files).unwrap_err();
        assert_eq!(error.to_string(), why);
    }
}

#[test]
fn delays_are_read_and_written() {
    let text = "map = '...'\n[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\n";
    let with = |more: &str| read(&format!("{text}{more}"));
    let setup =
        with("[delays]\nrate = 0.25\nlength = [2, 5]\nseed = -3\n[[delay]]\nunit = 0\nat = 7\nfor = 4\n")
            .unwrap();
    let delays = setup.scenario.delays();
    assert_eq!((delays.rate, delays.shortest, delays.longest), (250_000, 2, 5));
    assert_eq!(delays.seed, Some(-3i64 as u64));
    assert_eq!(delays.listed, [Delay { tick: 7, agent: AgentId(0), ticks: 4 }]);
    assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    let always = with("[delays]\nrate = 1\nlength = 3\n").unwrap();
    assert_eq!((always.scenario.delays().shortest, always.scenario.delays().longest), (3, 3));
    let says = |more: &str, message: &str| assert_eq!(with(more).unwrap_err().to_string(), message);
    says(
        "[delays]\nrate = 2.0\n",
        "line 6: expected a rate from 0.000001 to 1: how often a unit slips in a tick, found 2",
    );
    says(
        "[delays]\nrate = 0.1\nlength = [5, 2]\n",
        "line 7: delays of 5 to 2 ticks, expected at least 1, no more than 10000, the shorter first",
    );
    says("[[delay]]\nunit = 4\nat = 0\nfor = 1\n", "line 6: delay 0: there is no unit 4, there are 1");
    says("[[delay]]\nunit = 0\nat = 0\nfor = 0\n", "line 8: delay 0 of 0 ticks, expected 1 to 10000");
}

#[test]
fn units_that_turn_are_read_and_written() {
    let text = "map = '...'\n[[unit]]\nstart = [0, 0]\ngoal = [2, 0]\nturns = true\n";
    let motion = |text: &str| read(text).map(|setup| setup.scenario.agents()[0].motion);
    assert_eq!(motion(text), Ok(Motion::Turns { heading: Dir::N }));
    let west = format!("{text}heading = 'W'\n");
    assert_eq!(motion(&west), Ok(Motion::Turns { heading: Dir::W }));
    let setup = read(&west).unwrap();
    assert_eq!(read(&scenario::write(&setup)), Ok(setup));
    says(
        &format!("{text}run = 2\n"),
        "line 2: expected one of `run`, `turning` and `turns` in a unit, found several",
    );
    let metric = format!("{text}[rules]\ntiming = 'metric'\n");
    says(
        &metric,
        "line 5: agent 0: turns where it stands under metric timing, expected uniform timing, where a turn takes one tick",
    );
}
