use crate::kit::{Folder, Tiny};
use throng_lab::{LabError, Request, Silent, all, conduct, find, run};

#[test]
fn an_outcome_as_json_has_what_programs_need() {
    let folder = Folder::new();
    let outcome = conduct::<Tiny>(&folder.request(), &Silent).unwrap();
    let json = serde_json::to_value(&outcome).unwrap();
    assert_eq!(json["experiment"], "tiny");
    assert_eq!(json["complete"], true);
    assert_eq!(json["rows"].as_array().unwrap().len(), 12);
    assert_eq!(json["rows"][4]["key"], "hca, seed 1");
    assert_eq!(json["rows"][4]["planner"], "hca");
    assert_eq!(json["claims"][0]["text"], "Somebody arrives");
    assert_eq!(json["claims"][0]["holds"], true);
    assert_eq!(json["claims"][0]["figure"], 8.0);
    for name in ["report.md", "rows.csv", "claims.json", "work.svg"] {
        assert!(outcome.files.contains(&folder.file(name)), "{name}");
        assert!(!folder.text(name).is_empty());
    }
    assert!(outcome.report.contains("| planner"), "{}", outcome.report);
}

#[test]
fn an_unknown_name_lists_what_exists() {
    let why = find("silver-crowds").unwrap_err();
    assert!(matches!(why, LabError::Unknown { .. }));
    for entry in all() {
        assert!(why.to_string().contains(entry.name), "{why}");
    }
}

/// Every experiment's settings can be read, and its first cases run and conclude.
#[test]
fn every_experiment_begins() {
    let folder = Folder::new();
    for entry in all() {
        let shard = Some("1/100".parse().unwrap());
        let request = Request { quick: true, shard, ..folder.request() };
        let outcome = run(entry.name, &request, &Silent).unwrap();
        assert!(outcome.cases > 10 && !outcome.rows().is_empty(), "{}", entry.name);
    }
}

#[test]
fn files_that_are_missing_are_named() {
    let folder = Folder::new();
    let request = Request { data: Some(folder.path().join("no")), quick: true, ..folder.request() };
    let why = run("silver-crowd", &request, &Silent).unwrap_err();
    assert!(why.to_string().contains("random-32-32-20.map"), "{why}");
}
