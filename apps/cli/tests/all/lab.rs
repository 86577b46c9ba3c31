use crate::kit::{Folder, has_keys};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn experiments_are_listed() {
    let text = Folder::new().throng("lab list").expect(0).out;
    for name in ["silver-heuristic", "silver-interleave", "silver-crowd", "budget"] {
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

/// Without the times that cases took.
fn timeless(mut object: Value) -> Value {
    for row in object["rows"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("ms");
    }
    object
}

#[test]
fn a_run_that_is_killed_goes_on() {
    const RUN: &str = "lab run silver-heuristic --quick --json";
    let whole = Folder::new().throng(RUN).expect(0).json();
    let folder = Folder::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(RUN.split_whitespace())
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let journal = folder.path().join("throng-lab/silver-heuristic/rows.jsonl");
    let rows = || std::fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|&&b| b == b'\n').count());
    // If it is quicker than this test, there is nothing to kill, and the rest must hold all the same.
    while rows() < 10 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let again = folder.throng(RUN).expect(0);
    assert!(again.err.contains("cases have a row already"), "{}", again.err);
    assert_eq!(timeless(serde_json::from_str(&again.out).unwrap()), timeless(whole));
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
        "from a run with --quick",
        "another folder with --out",
        "delete",
    ]);
}

/// What is learned is a file that wherever a planner is named can be used, and the same the next time.
#[test]
fn what_is_learned_can_be_used() {
    let folder = Folder::new();
    let json = folder.throng("lab learn explore --quick -o w.toml --json").expect(0).json();
    has_keys(&json, &["spec", "score", "tried"]);
    let tried = json["tried"].as_array().unwrap();
    assert!(tried.len() >= 3, "{json}");
    for one in tried {
        assert!(json["score"].as_f64() <= one["score"].as_f64(), "{one} is better");
        assert!(one["times"].as_array().unwrap().len() >= 4, "{one}");
    }
    let text = folder.text("w.toml");
    assert!(text.contains("lab learn explore --quick") && text.contains("training seeds 0 to 0"), "{text}");
    let spec = json["spec"].as_str().unwrap();
    let used =
        folder.throng("run --builtin expedition --planner explore(weights=w.toml) --json").expect(0).json();
    let named = folder.throng(&format!("run --builtin expedition --planner {spec} --json")).expect(0).json();
    assert_eq!(used["state_hash"], named["state_hash"]);
    assert!(used["planner"].as_str().unwrap().starts_with("explore(assign=on,"), "{used}");
    folder.throng("lab learn whca -o v.toml").refused(&["\"whca\"", "expected explore"]);
    folder.throng("lab learn explore -o no/v.toml").refused(&["no/v.toml", "no folder"]);
}

#[test]
fn weights_are_read_wherever_a_planner_is_named() {
    let folder = Folder::small();
    folder.write("w.toml", "planner = \"explore\"\n\n[parameters]\nassign = \"on\"\ngain = 0.4\n");
    folder.write("x.toml", "planner = \"explore\"\n\n[parameters]\nassign = \"on\"\ngain = -1\n");
    folder.write("v.toml", "planner = \"whca\"\n\n[parameters]\nwindow = 8\n");
    let planner = |args: &str| folder.throng(args).expect(0).json()["planner"].clone();
    let given = "run --builtin expedition --planner explore(gain=0.1,weights=w.toml) --json";
    assert_eq!(planner(given), "explore(assign=on,gain=0.1)");
    folder.throng("run --builtin expedition --planner explore(weights=x.toml)").refused(&[
        "x.toml, line 5",
        "gain=-1",
        "expected 0 to 100",
    ]);
    folder
        .throng("run --builtin expedition --planner explore(weights=no.toml)")
        .refused(&["no.toml", "cannot read"]);
    // In a scenario the file is looked for beside it.
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    folder.write("sub/w.toml", folder.text("w.toml"));
    let cave = "name = \"cave\"\nplanner = \"explore(weights=w.toml)\"\nmap = \"....\\n.@@.\\n....\"\n\
                [sight]\nradius = 2\n[[unit]]\nstart = [0, 0]\nexplore = true\n";
    folder.write("sub/cave.toml", cave);
    assert_eq!(planner("run sub/cave.toml --json"), "explore(assign=on,gain=0.4)");
    let solve = "solve --map small.map --scen small.scen --agents 3 --json --planner";
    folder.throng(&format!("{solve} whca(weights=v.toml)")).expect(0);
    folder.throng(&format!("{solve} whca(weights=w.toml)")).refused(&["w.toml, line 1", "those of \"whca\""]);
}

#[test]
fn job_scripts_run_the_shards_and_a_merge_concludes() {
    const RUN: &str = "silver-heuristic --quick";
    let whole = Folder::new().throng(&format!("lab run {RUN} --json")).expect(0).json();
    for (cluster, place) in [("slurm", "SLURM_ARRAY_TASK_ID"), ("hq", "HQ_TASK_ID")] {
        let folder = Folder::new();
        folder.throng(&format!("lab script {cluster} {RUN} --shards 2 --out it's -o job.sh")).expect(0);
        // What a cluster does, one job after the other.
        let job = |shard: &str| {
            let mut bash = Command::new("bash");
            bash.arg("job.sh").env(place, shard).env("THRONG", env!("CARGO_BIN_EXE_throng"));
            assert!(bash.current_dir(folder.path()).stdout(Stdio::null()).status().unwrap().success());
        };
        job("1");
        let early = folder.throng(&format!("lab merge {RUN} --out it's")).expect(2);
        assert!(early.out.contains("cases have a row; the first without:"), "{}", early.out);
        job("2");
        let merged = folder.throng(&format!("lab merge {RUN} it's --out all --json")).expect(0);
        assert_eq!(timeless(merged.json())["rows"], timeless(whole.clone())["rows"]);
        assert!(folder.path().join("all/silver-heuristic/report.md").is_file());
        let outside = Command::new("bash").arg("job.sh").current_dir(folder.path()).output().unwrap();
        assert!(!outside.status.success());
    }
    let folder = Folder::new();
    folder.throng("lab script pbs budget --shards 2 -o a.sh").refused(&["slurm and hq"]);
    folder.throng("lab script hq bugdet --shards 2 -o a.sh").refused(&["\"bugdet\""]);
    folder.throng("lab script hq budget --shards 0 -o a.sh").refused(&["expected a whole number from 1"]);
    folder.throng("lab merge budget none").refused(&["none"]);
}
