use crate::kit::{Folder, has_keys};

#[test]
fn experiments_are_listed() {
    let text = Folder::new().throng("lab list").expect(0).out;
    for name in ["silver-heuristic", "silver-interleave", "silver-crowd"] {
        assert!(text.contains(name), "{text}");
    }
}

#[test]
fn a_run_prints_one_object_and_leaves_its_files() {
    let folder = Folder::new();
    let json = folder.throng("lab run silver-heuristic --quick --out lab --json").expect(0).json();
    assert_eq!(json["experiment"], "silver-heuristic");
    let (rows, claims) = (json["rows"].as_array().unwrap(), json["claims"].as_array().unwrap());
    assert!(rows.len() > 50 && !claims.is_empty());
    for claim in claims {
        has_keys(claim, &["text", "holds", "figure"]);
        assert!(claim["holds"].is_boolean() && claim["figure"].is_number(), "{claim}");
    }
    for name in ["rows.jsonl", "rows.csv", "report.md", "claims.json", "figure-2b.svg"] {
        assert!(folder.path().join("lab/silver-heuristic").join(name).is_file(), "{name}");
    }
    // Once more: everything is there, and people get the report.
    let again = folder.throng("lab run silver-heuristic --quick --out lab").expect(0);
    assert!(again.err.contains("cases have a row already"), "{}", again.err);
    assert!(again.out.contains("## Claims") && again.out.contains("figure-2b.svg"), "{}", again.out);
}

#[test]
fn shards_say_what_is_left_to_do() {
    let folder = Folder::new();
    let said = folder.throng("lab run silver-crowd --quick --shard 1/60").expect(0);
    assert!(said.out.contains("run without --shard"), "{}", said.out);
    assert!(folder.path().join("throng-lab/silver-crowd/rows.1-of-60.jsonl").is_file());
    let json = folder.throng("lab run silver-crowd --quick --shard 2/60 --json").expect(0).json();
    assert_eq!(json["complete"], false);
}

#[test]
fn bad_requests_are_refused() {
    let folder = Folder::new();
    folder.throng("lab run silver-crwd").refused(&["\"silver-crwd\"", "silver-heuristic", "silver-crowd"]);
    folder.throng("lab").refused(&["--help"]);
    folder.throng("lab run").refused(&["--help"]);
    for shard in ["0/3", "4/3", "x", "1"] {
        folder.throng(&format!("lab run silver-crowd --shard {shard}")).refused(&["I/N"]);
    }
    folder.throng("lab run silver-crowd --quick --data no").refused(&["random-32-32-20.map"]);
    folder.throng("lab run silver-crowd --quick --shard 1/60 --out a").expect(0);
    folder.throng("lab run silver-crowd --shard 1/600 --out a").refused(&[
        "settings",
        "another --out",
        "delete",
    ]);
}
