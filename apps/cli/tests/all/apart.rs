//! What a command writes never replaces what it reads, nor anything else that it writes.

use crate::kit::Folder;

const WAY: &str = "planner = 'lra'\nmap_file = 'small.map'\n[[unit]]\nstart = [0, 0]\ngoal = [5, 0]\n";

fn folder() -> Folder {
    let folder = Folder::small();
    folder.write("way.toml", WAY);
    folder
}

/// Both options and the path are named, and every file is as it was.
#[track_caller]
fn refused(folder: &Folder, args: &str, path: &str, options: [&str; 2]) {
    let files = || folder.names().into_iter().map(|name| (folder.read(&name), name)).collect::<Vec<_>>();
    let before = files();
    let [other, output] = options;
    let told = format!("{path}: {other} and {output} name the same file, which {output} would overwrite");
    folder.throng(args).refused(&[&told]);
    assert_eq!(files(), before, "{args}");
}

#[test]
fn inputs_are_spared() {
    let folder = folder();
    folder.throng("run way.toml --save way.save --at 2").expect(0);
    let path = folder.path().display().to_string();
    refused(&folder, "run way.toml --trace way.toml", "way.toml", ["FILE", "--trace"]);
    refused(&folder, "run way.toml --trace ./way.toml", "./way.toml", ["FILE", "--trace"]);
    let whole = format!("{path}/way.toml");
    refused(&folder, &format!("run way.toml --save {whole} --at 1"), &whole, ["FILE", "--save"]);
    refused(&folder, "run way.toml --trace small.map", "small.map", ["map_file", "--trace"]);
    refused(&folder, "run --resume way.save --trace way.save", "way.save", ["--resume", "--trace"]);
    let solve = "solve --map small.map --scen small.scen --agents 3 --planner hca --plan";
    refused(&folder, &format!("{solve} small.map"), "small.map", ["--map", "--plan"]);
    refused(&folder, &format!("{solve} small.scen"), "small.scen", ["--scen", "--plan"]);
    let both = ["--map", "--output"];
    refused(&folder, "gen scen --map small.map --agents 2 -o small.map", "small.map", both);
    refused(&folder, "gen levels --map small.map -o small.map", "small.map", both);
    let scenario = "gen scenario --map small.map --scen small.scen --agents 2 -o";
    refused(&folder, &format!("{scenario} small.map"), "small.map", both);
    refused(&folder, &format!("{scenario} small.scen"), "small.scen", ["--scen", "--output"]);
}

#[test]
fn outputs_are_told_apart() {
    let folder = folder();
    let run = |options: &str| format!("run way.toml {options}");
    refused(&folder, &run("--trace same.gif --gif ./same.gif"), "./same.gif", ["--trace", "--gif"]);
    refused(&folder, &run("--save X --at 2 --trace X"), "X", ["--save", "--trace"]);
    refused(&folder, &run("--save x.png --at 2 --gif x.png"), "x.png", ["--save", "--gif"]);
    folder.throng(&run("--save a --at 2 --trace b --gif a.gif")).expect(0);
}

/// Before anything is read: were the scenario read first, that it is missing would be the complaint.
#[test]
fn nothing_is_done_before() {
    let folder = folder();
    refused(&folder, "run no.toml --trace no.toml", "no.toml", ["FILE", "--trace"]);
}

/// A link is what it leads to; devices lose nothing.
#[cfg(unix)]
#[test]
fn links_and_devices() {
    let folder = folder();
    std::os::unix::fs::symlink("way.toml", folder.path().join("link")).unwrap();
    refused(&folder, "run way.toml --trace link", "link", ["FILE", "--trace"]);
    folder.throng("run way.toml --trace /dev/null --save /dev/null --at 1").expect(0);
}
