use crate::kit::{Folder, has_keys};

#[test]
fn every_planner_is_listed_with_everything() {
    let folder = Folder::new();
    let json = folder.throng("planners --json").expect(0).json();
    let list = json.as_array().unwrap();
    for planner in list {
        has_keys(planner, &["name", "parameters", "supports", "guarantees", "source"]);
        has_keys(&planner["supports"], &["four", "eight", "uniform", "metric", "patrols"]);
        has_keys(&planner["guarantees"], &["complete", "optimal", "deterministic"]);
        for parameter in planner["parameters"].as_array().unwrap() {
            has_keys(parameter, &["name", "default", "range"]);
        }
    }
    let text = folder.throng("planners").expect(0).out;
    for name in ["lra", "ca", "hca", "whca"] {
        assert!(list.iter().any(|planner| planner["name"] == name));
        assert!(text.contains(&format!("{name}: ")), "{text}");
    }
    assert!(text.contains("of moves that fail among several teams nobody can promise"), "{text}");
    assert!(text.contains("window=16") && text.contains("(auto or 1 to 256)"), "{text}");
}

/// The table cannot show what a parameter takes away, so a line below it does.
#[test]
fn what_abstraction_does_not_support_is_told() {
    let folder = Folder::new();
    let text = folder.throng("planners").expect(0).out;
    assert!(text.contains("abstraction=1 or more, whca takes bodies of 1×1 only"), "{text}");
    let rules = "[rules]\ntiming = 'metric'\nconnectivity = 8\n";
    for (extra, status) in
        [("", 0), ("body = 2", 1), ("period = 2\nrun = 1", 1), ("turning = 1\nheading = 'E'", 1)]
    {
        let unit = format!("[[unit]]\nstart = [0, 0]\ngoal = [4, 0]\n{extra}\n");
        let map = [".".repeat(8).as_str(); 8].join("\n");
        folder.write("a.toml", format!("map = \"\"\"\n{map}\n\"\"\"\n{rules}{unit}"));
        folder.throng("run a.toml --planner whca").expect(0);
        folder.throng("run a.toml --planner whca(abstraction=1)").expect(status);
    }
}
