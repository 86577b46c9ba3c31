use crate::kit::Folder;
use std::process::{Command, Stdio};

const SOLVE: &str = "solve --map small.map --scen small.scen";

#[test]
fn unknown_names_list_what_exists() {
    let folder = Folder::small();
    let solve =
        |planner: &str| folder.throng(&format!("{SOLVE} --agents 3 --plan out.plan --planner {planner}"));
    solve("wcha").refused(&["unknown planner \"wcha\"", "lra, dlite, pra, ca, hca, whca, cpra"]);
    solve("whca(windo=3)").refused(&["unknown parameter \"windo\"", "window (auto or 1 to 256)"]);
    solve("whca(window=0)").refused(&["window=0", "expected auto or 1 to 256"]);
    solve("whca(window").refused(&["expected `name` or `name(key=value,…)`"]);
    folder.throng("run --builtin brigde").refused(&["\"brigde\"", "bridge", "town"]);
    assert_eq!(folder.names(), ["small.map", "small.scen"]);
}

#[test]
fn wrong_usage_is_status_1_and_help_is_0() {
    let folder = Folder::small();
    let bad = [
        "",
        "fly",
        "solve",
        "run",
        "run --builtin bridge --resume a.save",
        "run --resume a.save --seed 3",
        "run --builtin bridge --save a.save",
        "run --builtin bridge --threads 0",
        "run --builtin bridge --seed x",
        "check",
        "check --plan a.plan",
        "check --scenario a.toml",
        "gen",
        "gen map",
    ];
    for args in bad {
        folder.throng(args).refused(&["--help"]);
    }
    for options in ["--agents 0", "--agents x", "--agents 3 --threads 0", "--agents 3 --connectivity 6"] {
        folder.throng(&format!("{SOLVE} --planner hca {options}")).refused(&["error"]);
    }
    folder.throng(&format!("{SOLVE} --planner hca --agents 3 --time-limit=-1")).refused(&["--time-limit"]);
    for args in ["--help", "--version", "solve --help", "run -h", "gen map room --help", "check --help"] {
        let said = folder.throng(args).expect(0);
        assert!(!said.out.is_empty() && said.err.is_empty(), "{args}");
    }
}

#[test]
fn a_folder_that_is_missing_is_told_before_the_work() {
    let folder = Folder::small();
    // Were the map read first, that would be the complaint.
    folder
        .throng("solve --map no.map --scen no.scen --agents 3 --planner hca --plan no/out.plan")
        .refused(&["no/out.plan", "no folder no"]);
    folder.throng("run no.toml --gif no/a.gif").refused(&["no/a.gif"]);
    for name in ["a.jpg", "a", "gif"] {
        let said = folder.throng(&format!("run no.toml --gif {name}"));
        said.refused(&[name, "expected a name that ends in .gif or .png"]);
        let said = folder.throng(&format!("run no.toml --directions {name}"));
        said.refused(&[name, "expected a name that ends in .dir (what was learned), .svg or .png"]);
    }
    folder.throng("run no.toml --trace no/a.trace").refused(&["no/a.trace"]);
    folder.throng("run no.toml --trace .").refused(&["it is a folder"]);
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .arg("planners")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_written_to_and_not_replaced() {
    let folder = Folder::small();
    let solve = format!("{SOLVE} --agents 3 --planner hca --plan");
    folder.throng(&format!("{solve} /dev/null")).expect(0);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    folder.write("real.plan", "");
    std::os::unix::fs::symlink("real.plan", folder.path().join("link.plan")).unwrap();
    folder.throng(&format!("{solve} link.plan")).expect(0);
    assert!(folder.text("real.plan").starts_with("agents=3\n"));
    assert!(std::fs::symlink_metadata(folder.path().join("link.plan")).unwrap().is_symlink());
}
