//! Documents: how they change, and what is wrong with them.

use super::*;

#[test]
fn what_is_drawn_is_a_scenario() {
    let mut kit = Kit::new("bridge");
    let document = kit.ask(r#"{"do":"document"}"#).unwrap();
    assert_eq!(document["errors"], json!([]));
    assert_eq!(document["units"].as_array().unwrap().len(), 40);
    let text = document["toml"].as_str().unwrap();
    let setup = throng::formats::scenario::parse(text, &mut throng::formats::scenario::no_files).unwrap();
    assert_eq!(setup, throng::worlds::builtin("bridge", 0).unwrap());
}

#[test]
fn every_builtin_comes_back_as_it_was() {
    for (name, _) in throng::worlds::BUILTINS {
        let setup = throng::worlds::builtin(name, 3).unwrap();
        let draft =
            Draft::parse(&throng::formats::scenario::write(&setup), &mut |_| Err(String::new())).unwrap();
        let read = throng::formats::scenario::parse(&draft.text(), &mut throng::formats::scenario::no_files);
        assert_eq!(read.unwrap(), setup, "{name}");
    }
}

/// Seed and budget are part of the text, all 64 bits of a seed; documents that were kept when they were not had them in a
/// comment on the first line.
#[test]
fn seed_and_budget_are_part_of_a_document() {
    let mut kit = Kit::new("bridge");
    for (seed, budget) in [(7, json!(500)), (u64::MAX, json!(1)), (0, Value::Null)] {
        kit.ask(&json!({"do": "settings", "set": {"seed": seed, "budget": budget}}).to_string()).unwrap();
        let draft = kit.0.document.draft().clone();
        assert_eq!(Draft::parse(&draft.text(), &mut |_| Err(String::new())).unwrap(), draft);
        let setup = throng::formats::scenario::parse(&draft.text(), &mut throng::formats::scenario::no_files);
        let setup = setup.unwrap();
        assert_eq!((setup.seed.unwrap_or(0), json!(setup.budget)), (seed, budget));
    }
    let old = format!("# throng studio: seed=77 budget=12\n{}", kit.0.document.draft().text());
    let settings = Draft::parse(&old, &mut |_| Err(String::new())).unwrap().settings;
    assert_eq!((settings.seed, settings.budget), (77, Some(12)));
}

#[test]
fn drawing_can_be_undone() {
    let mut kit = Kit::new("bridge");
    let before = kit.ask(r#"{"do":"document"}"#).unwrap()["toml"].clone();
    for step in [
        r#"{"do":"paint","cells":[[0,0],[1,0]],"letter":"@"}"#,
        r#"{"do":"fill","x":0,"y":0,"letter":"W"}"#,
        r#"{"do":"unit","index":0,"set":{"hold":true}}"#,
        r#"{"do":"unit","index":1,"remove":true}"#,
        r#"{"do":"settings","set":{"planner":"lra","rules":{"connectivity":8},"sight":{"radius":4},"seed":7}}"#,
        r#"{"do":"event","add":{"at":4,"close":[[2,2]]}}"#,
        r#"{"do":"resize","width":20,"height":9,"x":1,"y":1}"#,
        r#"{"do":"generate","kind":"maze","parameters":{"width":9,"height":9},"seed":3}"#,
        r#"{"do":"new","width":5,"height":4}"#,
        r#"{"do":"open","builtin":"office","seed":2}"#,
    ] {
        kit.ask(step).unwrap();
    }
    let after = kit.ask(r#"{"do":"document"}"#).unwrap();
    assert_eq!(after["undo"], 10);
    for _ in 0..10 {
        kit.ask(r#"{"do":"undo"}"#).unwrap();
    }
    assert_eq!(kit.ask(r#"{"do":"document"}"#).unwrap()["toml"], before);
    assert!(kit.ask(r#"{"do":"undo"}"#).is_err());
    for _ in 0..10 {
        kit.ask(r#"{"do":"redo"}"#).unwrap();
    }
    assert_eq!(kit.ask(r#"{"do":"document"}"#).unwrap()["toml"], after["toml"]);
    assert!(kit.ask(r#"{"do":"redo"}"#).is_err());
}

/// What is not finished stays as it is drawn, and says what it lacks, with the line.
#[test]
fn an_unfinished_document_says_what_it_lacks() {
    let mut kit = Kit::new("bridge");
    kit.ask(r#"{"do":"new","width":3,"height":1}"#).unwrap();
    let errors = |kit: &mut Kit| kit.ask(r#"{"do":"document"}"#).unwrap()["errors"].clone();
    assert_eq!(errors(&mut kit)[0]["message"], "there are no units yet");
    kit.ask(r#"{"do":"unit","add":{"start":[0,0],"goal":[2,0]}}"#).unwrap();
    assert_eq!(errors(&mut kit), json!([]), "a new document has a planner");
    kit.ask(r#"{"do":"settings","set":{"planner":null}}"#).unwrap();
    assert!(errors(&mut kit)[0]["message"].as_str().unwrap().starts_with("no planner"));
    kit.ask(r#"{"do":"settings","set":{"planner":"whca(window=4)"}}"#).unwrap();
    assert_eq!(errors(&mut kit), json!([]));
    kit.ask(r#"{"do":"paint","cells":[[1,0]],"letter":"@"}"#).unwrap();
    let told = kit.ask(r#"{"do":"document"}"#).unwrap();
    let error = &told["errors"][0];
    assert!(error["message"].as_str().unwrap().contains("no way leads there"), "{error}");
    let line = error["line"].as_u64().unwrap() as usize;
    assert_eq!(told["toml"].as_str().unwrap().lines().nth(line - 1), Some("[[unit]]"));
    assert!(kit.ask(r#"{"do":"start"}"#).is_err());
    kit.ask(r#"{"do":"paint","cells":[[0,0]],"letter":"@"}"#).unwrap();
    assert!(errors(&mut kit)[0]["message"].as_str().unwrap().contains("start (0,0) is blocked"));
    kit.ask(r#"{"do":"paint","cells":[[0,0],[1,0]],"letter":"."}"#).unwrap();
    kit.ask(r#"{"do":"start"}"#).unwrap();
    kit.seek(9);
    assert_eq!(kit.0.told()["runs"][0]["done"], true);
}

/// A body of 9999999 went into the document, and the field went on to show it.
#[test]
fn numbers_that_no_unit_can_have_are_refused() {
    let mut kit = Kit::new("bridge");
    let before = kit.ask(r#"{"do":"document"}"#).unwrap();
    for (key, value, expected) in [
        ("body", "9999999", "from 1 to 16"),
        ("body", "0", "from 1 to 16"),
        ("body", "1.5", "from 1 to 16"),
        ("period", "65", "from 1 to 64"),
        ("run", "64", "from 1 to 63"),
        ("turning", "9", "from 1 to 8"),
        ("team", "-1", "from 0 to 65535"),
        ("priority", "2147483648", "to 2147483647"),
        ("rounds", "0", "from 1 to"),
        ("start", "[99999, 0]", "off the"),
    ] {
        let why = kit.ask(&format!(r#"{{"do":"unit","index":0,"set":{{"{key}":{value}}}}}"#)).unwrap_err();
        assert!(why.message.contains(expected), "{key}: {why}");
    }
    for (source, expected) in [
        (r#"{"at":[1,1],"strength":1e9,"radius":3}"#, "expected -1000 to 1000"),
        (r#"{"at":[1,1],"strength":1,"radius":0}"#, "expected 1 to"),
    ] {
        let why = kit.ask(&format!(r#"{{"do":"source","add":{source}}}"#)).unwrap_err();
        assert!(why.message.contains(expected), "{why}");
    }
    assert!(kit.ask(r#"{"do":"event","add":{"at":-1,"close":[[1,1]]}}"#).is_err());
    assert_eq!(kit.ask(r#"{"do":"document"}"#).unwrap(), before);
    kit.ask(r#"{"do":"unit","index":0,"set":{"body":2,"team":3,"priority":-7,"period":null}}"#).unwrap();
}

/// Only the first error was told, so that whoever mended it met the next. Each is told once with its line, which the message
/// does not repeat; of many the first twenty.
#[test]
fn all_errors_are_told() {
    let mut kit = Kit::new("bridge");
    kit.ask(r#"{"do":"new","width":40,"height":3}"#).unwrap();
    let errors = |kit: &mut Kit| -> Vec<(String, String)> {
        let told = kit.ask(r#"{"do":"document"}"#).unwrap();
        let lines: Vec<&str> = told["toml"].as_str().unwrap().lines().collect();
        let line = |error: &Value| lines[error["line"].as_u64().unwrap() as usize - 1].to_owned();
        let pair = |error: &Value| {
            let at = if error["line"].is_null() { String::new() } else { line(error) };
            (error["message"].as_str().unwrap().to_owned(), at)
        };
        told["errors"].as_array().unwrap().iter().map(pair).collect()
    };
    for unit in [
        r#"{"start":[0,0],"goal":[39,0]}"#,
        r#"{"start":[1,0],"goal":[39,1],"body":300}"#,
        r#"{"start":[1,0],"goal":[39,2]}"#,
        r#"{"start":[1,0],"goal":[38,2]}"#,
        r#"{"start":[2,0]}"#,
        r#"{"start":[3,0],"goal":[37,0],"team":-1}"#,
        r#"{"start":[4,0],"goal":[77,0]}"#,
    ] {
        kit.ask(&format!(r#"{{"do":"unit","add":{unit}}}"#)).unwrap();
    }
    let expected = [
        ("expected a whole number from 1 to 16, found 300", "body = 300"),
        ("agents 2 and 3 both start at (1,0)", "start = [1, 0]"),
        (
            "expected one of `goal`, `goals`, `patrol`, `hold`, `errands`, `explore` and `find` in a unit, found none",
            "[[unit]]",
        ),
        ("expected a whole number from 0 to 65535, found -1", "team = -1"),
        ("agent 6: goal (77,0) is off the 40×3 map", "goal = [77, 0]"),
    ];
    assert_eq!(errors(&mut kit), expected.map(|(why, line)| (why.to_owned(), line.to_owned())));
    for _ in 0..6 {
        kit.ask(r#"{"do":"unit","index":1,"remove":true}"#).unwrap();
    }
    assert_eq!(errors(&mut kit), []);
    // No way leads to any of these.
    kit.ask(r#"{"do":"paint","cells":[[20,0],[20,1],[20,2]],"letter":"@"}"#).unwrap();
    for x in 1..20 {
        for y in 0..2 {
            kit.ask(&format!(r#"{{"do":"unit","add":{{"start":[{x},{y}],"goal":[39,0]}}}}"#)).unwrap();
        }
    }
    kit.ask(r#"{"do":"unit","index":1,"set":{"planner":"moon"}}"#).unwrap();
    let told = errors(&mut kit);
    assert_eq!(told.len(), 21);
    assert_eq!(told[0].1, "planner = \"moon\"", "{told:?}");
    assert!(told[1..20].iter().all(|(why, line)| why.contains("no way leads there") && line == "[[unit]]"));
    assert_eq!(told[20].0, "and 20 more");
    // As many as there can be are counted at once.
    kit.ask(r#"{"do":"new","width":100,"height":100}"#).unwrap();
    kit.0
        .document
        .change(|draft| {
            let unit = |place: i64| UnitDraft { start: [place % 100, place / 100], ..draft_of_goal([0, 0]) };
            draft.units = std::sync::Arc::new((0..10_000).map(unit).collect());
            std::sync::Arc::make_mut(&mut draft.letters).cells.fill(b'@');
            Ok(())
        })
        .unwrap();
    assert_eq!(errors(&mut kit)[20].0, "and 9980 more");
}

fn draft_of_goal(goal: At) -> UnitDraft {
    serde_json::from_value(json!({"start": [0, 0], "goal": goal})).unwrap()
}

/// Whoever still has a place on another map stays, and the others are counted.
#[test]
fn another_map_says_who_is_gone() {
    let mut kit = Kit::new("bridge");
    kit.ask(r#"{"do":"new","width":20,"height":20}"#).unwrap();
    for start in ["[1,1]", "[8,8]", "[9,3]", "[3,15]"] {
        kit.ask(&format!(r#"{{"do":"unit","add":{{"start":{start},"goal":[2,2]}}}}"#)).unwrap();
    }
    let asked = r#"{"do":"generate","kind":"empty","parameters":{"width":9,"height":9}}"#;
    assert_eq!(kit.ask(asked).unwrap()["gone"], 2);
    let units = kit.ask(r#"{"do":"document"}"#).unwrap()["units"].clone();
    assert_eq!(
        units.as_array().unwrap().iter().map(|unit| &unit["start"]).collect::<Vec<_>>(),
        [&json!([1, 1]), &json!([8, 8])]
    );
}

/// Everything that a scenario file has can be drawn.
#[test]
fn sources_and_events_can_be_changed() {
    let mut kit = Kit::new("expedition");
    let source = json!({"at": [3, 2], "strength": -2.5, "radius": 6});
    let index = kit.ask(&json!({"do": "source", "add": source}).to_string()).unwrap()["index"].clone();
    let told = |kit: &mut Kit| kit.ask(r#"{"do":"document"}"#).unwrap();
    assert_eq!(told(&mut kit)["sources"][index.as_u64().unwrap() as usize], source);
    kit.ask(&json!({"do": "source", "index": index, "set": {"radius": 4}}).to_string()).unwrap();
    let setup = kit.0.document.setup().unwrap();
    assert!(setup.scenario.sources().iter().any(|source| (source.radius, source.strength) == (4, -2500)));
    assert!(kit.ask(&json!({"do": "source", "index": index, "set": {"at": [999, 0]}}).to_string()).is_err());
    kit.ask(&json!({"do": "source", "index": index, "remove": true}).to_string()).unwrap();
    assert_eq!(told(&mut kit)["sources"], json!([]));

    let index = kit.ask(r#"{"do":"event","add":{"at":4,"close":[[2,2]]}}"#).unwrap()["index"].clone();
    kit.ask(&json!({"do": "event", "index": index, "set": {"at": 9, "open": [[1, 1]]}}).to_string()).unwrap();
    assert_eq!(told(&mut kit)["events"][0], json!({"at": 9, "close": [[2, 2]], "open": [[1, 1]]}));

    let mut kit = Kit::new("promenade");
    let learned = throng::formats::directions::write(&kit.0.document.setup().unwrap().directions.unwrap());
    assert_eq!(told(&mut kit)["directions"], true);
    kit.ask(r#"{"do":"directions","remove":true}"#).unwrap();
    assert_eq!(told(&mut kit)["directions"], false);
    kit.ask(&json!({"do": "directions", "text": learned}).to_string()).unwrap();
    assert_eq!((&told(&mut kit)["errors"], &told(&mut kit)["directions"]), (&json!([]), &json!(true)));
}

#[test]
fn what_is_out_of_bounds_is_refused() {
    let mut kit = Kit::new("bridge");
    let before = kit.0.document.version();
    for (asked, why) in [
        (r#"{"do":"new","width":5000,"height":5000}"#, "25000000 cells, at most 4194304"),
        (r#"{"do":"new","width":0,"height":5}"#, "a map of 0×5, expected at least 1×1"),
        (r#"{"do":"paint","cells":[[-1,0]],"letter":"@"}"#, "(-1,0) is off the"),
        (r#"{"do":"paint","cells":[],"letter":"x"}"#, "no terrain 'x'"),
        (r#"{"do":"generate","kind":"moon"}"#, "no kind of map \"moon\": there are empty, random"),
        (r#"{"do":"generate","kind":"maze","parameters":{"depth":1}}"#, "maze: no parameter \"depth\""),
        (r#"{"do":"generate","kind":"maze","parameters":{"width":99999}}"#, "99999 columns, at most 16384"),
        (r#"{"do":"seek","tick":100001}"#, "100001 ticks, at most 100000"),
        (r#"{"do":"play","speed":0.1}"#, "0.1 ticks a second, expected 0.5 to 1000"),
        (r#"{"do":"start","run":2}"#, "2 as the number of a run, at most 1"),
        (r#"{"do":"fly"}"#, "fly: expected one of `open`"),
        (r#"{"do":"seek","tack":1}"#, "seek: unknown key `tack`, expected `tick`"),
        (r#"{"do":"unit","index":99,"remove":true}"#, "no unit 99: there are 40"),
        (r#"{"do":"resize","width":4,"height":4,"x":-9223372036854775808}"#, "shifted by"),
        (r#"{"do":"order","unit":0,"task":{"goal":[1,1],"hold":true}}"#, "expected one of `goal`"),
        (r#"{"do":"files"}"#, "there is no working folder here"),
        (r#"{"do":"settings","set":{"ticks":100001}}"#, "ticks: 100001, expected 0 to 100000"),
        (r#"{"do":"settings","set":{"ticks":-1}}"#, "ticks: -1, expected 0 to 100000"),
        (
            r#"{"do":"settings","set":{"budget":0}}"#,
            "a budget of 0 expansions, expected 1 to 9223372036854775807",
        ),
        (
            r#"{"do":"settings","set":{"rules":{"connectivity":6}}}"#,
            "expected a connectivity of 4 or 8, found 6",
        ),
        (r#"{"do":"settings","set":{"rules":{"timing":"slow"}}}"#, "expected `uniform` or `metric`"),
        (r#"{"do":"settings","set":{"sight":{"radius":2000}}}"#, "expected 1 to 1024"),
        (r#"{"do":"settings","set":{"sight":{"radius":4,"angle":-3}}}"#, "from 1 to 360, found -3"),
        (r#"{"do":"source","add":{"at":[-1,0],"strength":1,"radius":2}}"#, "(-1,0) is off the"),
        (r#"{"do":"source","index":0,"remove":true}"#, "no source 0: there are 0"),
        (r#"{"do":"event","index":0,"set":{"at":4}}"#, "no event 0: there are 0"),
        (r#"{"do":"directions","text":"nonsense"}"#, ""),
        ("[]", "not a command"),
        (r#"{"id":4}"#, "no command: expected `do` with its name"),
    ] {
        let refused = kit.ask(asked).unwrap_err();
        assert!(refused.message.starts_with(why) || refused.message.contains(why), "{asked}: {refused}");
    }
    assert_eq!(kit.0.document.version(), before);
}
