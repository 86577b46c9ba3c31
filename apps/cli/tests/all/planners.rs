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
    assert!(text.contains("window=16") && text.contains("(auto or 1 to 256)"), "{text}");
}
