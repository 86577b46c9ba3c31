use crate::worlds;
use proptest::prelude::*;
use throng_core::{Action, Agent, Cell, Dir, Grid, Path, Plan, Rules, Scenario, Task, Timing};
use throng_formats::FormatError;
use throng_formats::plan::{self, Dialect, PlanFile};

const GOOD: &str = include_str!("../../../../testdata/formats/crossing.plan");

fn says(text: &str, message: &str) {
    assert_eq!(plan::parse(text.as_bytes()).unwrap_err().to_string(), message, "{text:?}");
}

#[test]
fn dialects_read_the_same() {
    let file = plan::parse(GOOD.as_bytes()).unwrap();
    assert_eq!(plan::write(&file), GOOD);
    assert_eq!((file.get("solver"), file.get("seed")), (Some("whca(window=16)"), None));
    assert_eq!((file.starts.len(), file.goals[1], file.steps.len()), (2, Cell::new(0, 1), 9));
    let dialects = [
        GOOD.replace('\n', "\r\n"),
        GOOD.replace(",\n", "\n"),
        GOOD.replace("),(", ") , ( "),
        format!("{GOOD}\n \n"),
        GOOD.replace("solved=1\n", "").replace("solution=", "solved=1\nsolution="),
    ];
    for text in dialects {
        assert_eq!(plan::parse(text.as_bytes()).as_ref(), Ok(&file), "{text:?}");
    }
}

#[test]
fn plans_and_files_turn_into_each_other() {
    let grid = Grid::from_rows(&["....", "...."]).unwrap();
    let agents = [(0, 0, 2, 0), (3, 1, 3, 1)]
        .iter()
        .zip(0..)
        .map(|(&(x, y, tx, ty), id)| Agent::new(id, Cell::new(x, y), Task::Goal(Cell::new(tx, ty))));
    let scenario = Scenario::new("t", grid, Rules::default(), agents.collect()).unwrap();
    let east = Action::Go(Dir::E);
    let path = |start, actions: &[Action]| Path { start, actions: actions.to_vec() };
    let (a, b) = (Cell::new(0, 0), Cell::new(3, 1));
    let moves = path(a, &[east, Action::Wait, east, Action::Wait]);
    let given = Plan { paths: vec![moves, path(b, &[])] };
    let header = vec![("agents".to_owned(), "2".to_owned())];
    let file = PlanFile::from_plan(&scenario, &given, header).unwrap();
    let columns = |x| Cell::new(x, 0);
    assert_eq!(file.steps, [[columns(0), b], [columns(1), b], [columns(1), b], [columns(2), b]]);
    assert_eq!(file.goals, [columns(2), b]);
    let read = plan::parse(plan::write(&file).as_bytes()).unwrap();
    assert_eq!(read, file);
    let wait = Action::Wait;
    assert_eq!(read.paths().unwrap().paths, [path(a, &[east, wait, east]), path(b, &[wait, wait, wait])]);

    let short = Plan { paths: vec![path(a, &[])] };
    let refused = PlanFile::from_plan(&scenario, &short, vec![]).unwrap_err();
    assert!(refused.to_string().ends_with("not 1 paths for 2 agents"), "{refused}");
    let remade = |rules, body| {
        let agents = scenario.agents().iter().cloned().map(|agent| Agent { body, ..agent }).take(1);
        Scenario::new("t", scenario.grid().clone(), rules, agents.collect()).unwrap()
    };
    let metric = remade(Rules { timing: Timing::Metric, ..Rules::default() }, 1);
    let refused = PlanFile::from_plan(&metric, &short, vec![]).unwrap_err();
    assert!(refused.to_string().ends_with("not metric timing"), "{refused}");
    let refused = PlanFile::from_plan(&remade(Rules::default(), 2), &short, vec![]).unwrap_err();
    assert!(refused.to_string().ends_with("not agent 0 of 2×2"), "{refused}");
}

#[test]
fn without_steps_everybody_stays() {
    let text = &GOOD[..GOOD.find("0:(").unwrap()];
    let file = plan::parse(text.as_bytes()).unwrap();
    let plan = file.paths().unwrap();
    assert_eq!(plan.paths[1], Path { start: Cell::new(2, 2), actions: vec![] });
}

#[test]
fn each_fault_has_its_own_error() {
    says("", "line 1: the file ends where `solution=` should be");
    says(&GOOD[..GOOD.find("solution").unwrap()], "line 7: the file ends where `solution=` should be");
    says(
        &GOOD.replace("solved=1", "solved"),
        "line 4: expected `key=value` or `solution=`, found \"solved\"",
    );
    says(&GOOD.replace("solved=1", "=1"), "line 4: expected `key=value` or `solution=`, found \"=1\"");
    says(&GOOD.replace("starts=(0,0),(2,2),\n", ""), "line 6: expected `starts=` first, found `solution=`");
    says(&GOOD.replace("goals=(3,2),(0,1),\n", ""), "line 6: expected `goals=` first, found `solution=`");
    says(
        &GOOD.replace("goals=", "starts="),
        "line 6: expected starts and goals only once, found \"starts=(3,2),(0,1),\"",
    );
    says(&GOOD.replace("solution=", "solution=1"), "line 7: expected nothing after `solution=`, found \"1\"");
    says(&GOOD.replace("goals=(3,2),", "goals="), "line 6: 1 cells, expected one for each of 2 agents");
    says(&GOOD.replace("4:(1,1),", "4:"), "line 12: 1 cells, expected one for each of 2 agents");
    says(&GOOD.replace("4:(1,1),", "4:(1,1),(1,1),"), "line 12: 3 cells, expected one for each of 2 agents");
    says(&GOOD.replace("4:(", "5:("), "line 12: tick 5, expected tick 4");
    says(&GOOD.replace("0:(0,0)", "1:(0,0)"), "line 8: tick 1, expected tick 0");
    says(&GOOD.replace("4:(", "four:("), "line 12: expected a tick and `:`, found \"four:(1,1),(2,0),\"");
    says(&GOOD.replace("4:(", "-4:("), "line 12: expected a tick and `:`, found \"-4:(1,1),(2,0),\"");
    says(&GOOD.replace("4:(", "("), "line 12: expected a tick and `:`, found \"(1,1),(2,0),\"");
    says(
        &GOOD.replace("4:(", "\n4:("),
        "line 13: expected nothing after a blank line, found \"4:(1,1),(2,0),\"",
    );
    let cell = "expected a cell `(x,y)`";
    says(&GOOD.replace("4:(1,1)", "4:1,1"), &format!("line 12, column 3: {cell}, found \"1,1,(2,0),\""));
    says(&GOOD.replace("(1,1),(2,0),", "(1,1),(2,0"), &format!("line 12, column 9: {cell}, found \"(2,0\""));
    for bad in ["(2)", "(2,)", "(2,0,0)", "(x,0)", "(2147483648,0)", "()"] {
        let error = plan::parse(GOOD.replace("(1,1),(2,0)", &format!("(1,1),{bad}")).as_bytes()).unwrap_err();
        assert!(matches!(error, FormatError::BadCell { line: 12, column: 9, .. }), "{error:?}");
    }
    says(
        &GOOD.replace("(1,1),(2,0)", "(1,1)(2,0)"),
        "line 12, column 8: expected a comma between cells, found \"(2,0),\"",
    );
    let bytes = [b"k=\xff\n", GOOD.as_bytes()].concat();
    assert_eq!(plan::parse(&bytes), Err(FormatError::NotUtf8 { line: 1 }));
}

#[test]
fn jumps_are_named() {
    let file = plan::parse(GOOD.replace("4:(1,1)", "4:(2,0)").as_bytes()).unwrap();
    assert_eq!(file.paths().unwrap_err().to_string(), "line 12: at tick 3 agent 0 jumps from (0,1) to (2,0)");
    let far = format!("starts=(0,0)\ngoals=(0,0)\nsolution=\n0:({},0)\n1:({},0)", i32::MAX, i32::MIN);
    let file = plan::parse(far.as_bytes()).unwrap();
    assert!(matches!(file.paths(), Err(FormatError::Jump { line: 5, .. })));
    let mut ragged = plan::parse(GOOD.as_bytes()).unwrap();
    ragged.steps[2].pop();
    assert_eq!(ragged.paths(), Err(FormatError::CellCount { line: 10, expected: 2, found: 1 }));
}

prop_compose! {
    fn file()(agents in 0usize..5)(
        header in proptest::collection::vec(("[a-rt-z_][ -<>-~é]{0,9}", "[ -~é=]{0,9}"), 0..5),
        starts in cells(agents),
        goals in cells(agents),
        steps in proptest::collection::vec(cells(agents), 0..9),
    ) -> PlanFile {
        let header = header.into_iter().filter(|(key, _)| key != "goals").collect();
        PlanFile { header, starts, goals, steps }
    }
}

fn cells(count: usize) -> impl Strategy<Value = Vec<Cell>> {
    proptest::collection::vec(any::<(i32, i32)>().prop_map(|(x, y)| Cell::new(x, y)), count)
}

proptest! {
    #[test]
    fn what_is_written_is_read(file in file()) {
        prop_assert_eq!(plan::parse(plan::write(&file).as_bytes()), Ok(file));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = plan::parse(&bytes);
        let _ = plan::parse(&[b"starts=(0,0)\ngoals=(0,0)\nsolution=\n0:", &bytes[..]].concat());
    }

    #[test]
    fn damaged_files_never_panic(damage in worlds::damage()) {
        if let Ok(file) = plan::parse(&damage.apply(GOOD.as_bytes())) {
            let _ = file.paths();
            let again = plan::parse(plan::write(&file).as_bytes());
            // A lone carriage return within a header line is the one thing that is not kept.
            prop_assert!(again == Ok(file) || damage.apply(GOOD.as_bytes()).contains(&b'\r'));
        }
    }
}

const STARTS: [Cell; 2] = [Cell::new(0, 0), Cell::new(2, 2)];

/// The same plan in the dialects of others, written and read again.
#[test]
fn others_write_the_same_plan() {
    let file = plan::parse(GOOD.as_bytes()).unwrap();
    let arrows = plan::write_as(&file, Dialect::Arrows).unwrap();
    assert!(arrows.starts_with("Agent 0: (0,0)->"), "{arrows}");
    for (dialect, text) in [Dialect::Arrows, Dialect::Moves].map(|d| (d, plan::write_as(&file, d).unwrap())) {
        let (known, read) = plan::read(text.as_bytes(), &STARTS).unwrap();
        assert_eq!(known, dialect);
        assert_eq!(
            (&read.steps, &read.starts, &read.goals),
            (&file.steps, &file.starts, &file.goals),
            "{text}"
        );
        assert_eq!(plan::write_as(&read, dialect).unwrap(), text);
    }
    assert_eq!(plan::read(GOOD.as_bytes(), &STARTS), Ok((Dialect::Positions, file)));
}

/// Repetitions before a move, commas, spaces, upper case; up is the next row. Once a number after a move repeated that one, so that
/// `u3r` was read as two moves up too many and two to the right too few.
#[test]
fn moves_may_be_repeated() {
    let plain = plan::read(b"uurrrw\nl\n", &STARTS).unwrap().1;
    assert_eq!(plain.steps[2], [Cell::new(0, 2), Cell::new(1, 2)]);
    assert_eq!(plain.steps.last().unwrap(), &[Cell::new(3, 2), Cell::new(1, 2)]);
    for text in ["2u3rw\n1l\n", "2u3r1w\n1l", "2U,3R,1W\r\nL\r\n", "u u 3r w\nl\n\n", "u1u3rw\nl"] {
        assert_eq!(plan::read(text.as_bytes(), &STARTS).unwrap().1, plain, "{text:?}");
    }
    let stays = plan::read(b"\nd\n", &STARTS).unwrap().1;
    assert_eq!(stays.steps.last().unwrap(), &[Cell::new(0, 0), Cell::new(2, 1)]);
}

#[test]
fn faults_in_other_dialects_are_named() {
    let says = |text: &str, message: &str| {
        assert_eq!(plan::read(text.as_bytes(), &STARTS).unwrap_err().to_string(), message, "{text:?}");
    };
    says("ur\n", "line 2: 1 lines of moves, expected one for each of 2 agents");
    says("ur\nu\nd\n", "line 3: 3 lines of moves, expected one for each of 2 agents");
    let one = "expected one of u, d, l, r and w, and numbers before them";
    says("ur\nux\n", &format!("line 2, column 2: {one}, found \"x\""));
    says("ur\nu3\n", &format!("line 2, column 3: {one}, found nothing"));
    says("3\nu\n", &format!("line 1, column 2: {one}, found nothing"));
    says(
        "99999999999999999999w\nu",
        "line 1, column 1: expected fewer repetitions, found \"99999999999999999999\"",
    );
    says("60000000w\nu", "a plan of 2 agents and 60000001 ticks: expected at most 67109568 cells in all");
    says("600w\n67109800u", "line 2, column 1: expected fewer repetitions, found \"67109800u\"");
    let diagonal = plan::read(b"Agent 0: (0,0)->(1,1)->", &STARTS[..1]).unwrap().1;
    let refused = plan::write_as(&diagonal, Dialect::Moves).unwrap_err().to_string();
    assert!(refused.starts_with("at tick 0 agent 0 goes from (0,0) to (1,1)"), "{refused}");
    let agents = "expected `Agent 0: (row,column)->…`, agents in order";
    says("Agent 1: (0,0)->\n", &format!("line 1: {agents}, found \"Agent 1: (0,0)->\""));
    says("Agent 0: (0,0)->\nagent: (0,0)\n", &format!("line 2: {agents}, found \"agent: (0,0)\""));
    says("Agent 0:\n", "line 1, column 9: expected at least the cell where the agent begins, found nothing");
    says("Agent 0: (0,0)(0,1)", "line 1, column 15: expected an arrow `->` between cells, found \"(0,1)\"");
    says("Agent 0: (0,0)->0,1", "line 1, column 17: expected a cell `(row,column)`, found \"0,1\"");
    says(
        "Agent 0: (0;0)",
        "line 1, column 10: expected a cell `(row,column)` of two whole numbers below 2³¹, found \"(0;0)\"",
    );
}

/// The MAPF tracker gives out plans in tables, of one problem or of many.
#[test]
fn tables_of_the_tracker_are_read() {
    let plain = plan::read(b"uurrrw\nl\n", &STARTS).unwrap().1;
    let one = "\"agents\",\"lower_cost\",\"path\"\n\"2\",\"6\",\"2u3rw\nl\"";
    let many = "map_name,scen_type,type_id,agents,solution_plan,flip_up_down\r\n\
        \"a, b\",even,1,1,\"uu\",FALSE\r\n\
        \"say \"\"a\"\"\",even,1,2,\"2u3rw\r\nl\r\n\",FALSE\r\n";
    let flipped = "solution_plan,flip_up_down\n\"2d3rw\nl\",TRUE\n";
    for text in [one, many, flipped] {
        assert_eq!(plan::read(text.as_bytes(), &STARTS), Ok((Dialect::Moves, plain.clone())), "{text}");
    }
    // The last agent may stay.
    let stays = plan::read(b"agents,path\n2,\"u\n\"\n", &STARTS).unwrap().1;
    assert_eq!(stays.steps.last().unwrap(), &[Cell::new(0, 1), Cell::new(2, 2)]);
    let says = |text: &str, message: &str| {
        assert_eq!(plan::read(text.as_bytes(), &STARTS).unwrap_err().to_string(), message, "{text:?}");
    };
    says("agents,path\n3,u\n", "line 3: the file ends where a row of 2 agents should be");
    says(
        "agents,path\n2,\"u\n",
        "line 2: the file ends where a quotation mark at the end of the field should be",
    );
    says("agents,path\n2\n", "line 2: the file ends where a field with the moves should be");
    says("agents,path\n2,\"u\nu\"\n2,\"u\nu\"\n", "line 4: expected one row of 2 agents, found another");
    says(
        "agents,path\n2,\"u\nx\"\n",
        "line 3, column 1: expected one of u, d, l, r and w, and numbers before them, found \"x\"",
    );
    says("path,agents\nuu,2\n", "line 3: 1 lines of moves, expected one for each of 2 agents");
}

proptest! {
    /// Whatever the bytes, there is a plan or an error.
    #[test]
    fn no_bytes_panic_in_any_dialect(text in "(Agent 0: |agents,path\n2|\"|[udlrw0-9, ]{0,9}|\\(|\\)|->|[0-9]{1,12}|,|\n|=|x){0,12}") {
        if let Ok((dialect, file)) = plan::read(text.as_bytes(), &STARTS)
            && let Ok(again) = plan::write_as(&file, dialect)
        {
            prop_assert!(plan::read(again.as_bytes(), &file.starts).is_ok(), "{:?}", again);
        }
    }
}
