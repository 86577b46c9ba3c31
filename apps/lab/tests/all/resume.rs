use crate::kit::{Folder, Heard, Tiny, timeless};
use throng_lab::{LabError, Request, Silent, conduct, gather};

/// The journal of a run that was killed after `lines` lines and `more` bytes of the next.
fn killed_after(lines: usize, more: usize) -> Folder {
    let folder = Folder::new();
    folder.run();
    let text = folder.text("rows.jsonl");
    let whole: usize = text.split_inclusive('\n').take(lines).map(str::len).sum();
    std::fs::write(folder.file("rows.jsonl"), &text[..whole + more]).unwrap();
    for name in ["report.md", "rows.csv", "claims.json", "work.svg"] {
        std::fs::remove_file(folder.file(name)).unwrap();
    }
    folder
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let whole = Folder::new();
    let (rows, heard) = whole.run();
    assert_eq!(heard.counts(), (12, 0, 12));
    for lines in [0, 1, 2, 7, 13] {
        let folder = killed_after(lines, 0);
        let (again, heard) = folder.run();
        let done = lines.saturating_sub(1);
        assert_eq!(heard.counts(), (12, done, 12 - done), "after {lines} lines");
        assert_eq!(again, rows);
        assert_eq!(folder.text("report.md"), whole.text("report.md"));
        assert_eq!(folder.text("work.svg"), whole.text("work.svg"));
        assert!(heard.notes.lock().unwrap().is_empty());
    }
}

#[test]
fn a_line_that_was_cut_off_is_dropped_with_a_note() {
    let (rows, _) = Folder::new().run();
    for lines in [0, 1, 5] {
        let folder = killed_after(lines, 9);
        let (again, heard) = folder.run();
        assert_eq!(again, rows);
        assert_eq!(heard.counts().1, lines.saturating_sub(1));
        let notes = heard.notes.lock().unwrap();
        assert!(notes.len() == 1 && notes[0].contains("cut off"), "{notes:?}");
        // The next run finds a journal in good order.
        let (again, heard) = folder.run();
        assert_eq!((again, heard.counts()), (rows.clone(), (12, 12, 0)));
        assert!(heard.notes.lock().unwrap().is_empty());
    }
}

#[test]
fn shards_come_together_to_the_same_result() {
    let (whole, folder) = (Folder::new(), Folder::new());
    let (rows, _) = whole.run();
    for (shard, count) in [("1/5", 3), ("2/5", 3), ("4/5", 2)] {
        let request = Request { shard: Some(shard.parse().unwrap()), ..folder.request() };
        let outcome = conduct::<Tiny>(&request, &Silent).unwrap();
        assert!(!outcome.is_complete() && outcome.claims.is_empty() && outcome.files.is_empty());
        let (_, heard) = folder.run_with(&request);
        assert_eq!(heard.counts(), (count, count, 0), "shard {shard} again");
    }
    // Whatever shards have not done is done now.
    let (merged, heard) = folder.run();
    assert_eq!(heard.counts(), (12, 8, 4));
    assert_eq!(merged, rows);
    assert_eq!(folder.text("report.md"), whole.text("report.md"));
    // From now on the shards' own journals are not needed any more.
    for name in ["rows.1-of-5.jsonl", "rows.2-of-5.jsonl", "rows.4-of-5.jsonl"] {
        std::fs::remove_file(folder.file(name)).unwrap();
    }
    assert_eq!(folder.run().0, rows);
}

#[test]
fn rows_of_another_run_are_not_touched() {
    let folder = Folder::new();
    folder.run();
    let before = folder.text("rows.jsonl");
    let refused = |change: &dyn Fn() -> Request| conduct::<Tiny>(&change(), &Silent).unwrap_err();
    let quick = refused(&|| Request { quick: true, ..folder.request() });
    assert!(matches!(quick, LabError::Foreign { what: "a run without --quick", .. }), "{quick}");
    assert!(quick.hint().is_some_and(|hint| hint.contains("--out") && hint.contains("delete")));
    assert_eq!(folder.text("rows.jsonl"), before);
    let said = [
        ("engine", "planners that behave differently"),
        ("version", "another version of the lab"),
        ("experiment", "another experiment"),
    ];
    for (key, what) in said {
        let changed = before.replacen(&format!("\"{key}\":\""), &format!("\"{key}\":\"x"), 1);
        std::fs::write(folder.file("rows.jsonl"), changed).unwrap();
        let why = refused(&|| folder.request());
        assert!(matches!(why, LabError::Foreign { what: found, .. } if found == what), "{what}: {why}");
    }
}

#[test]
fn a_broken_line_in_the_middle_is_named() {
    let folder = Folder::new();
    folder.run();
    let text = folder.text("rows.jsonl").replacen("\"key\"", "\"kex\"", 3);
    std::fs::write(folder.file("rows.jsonl"), text).unwrap();
    let why = conduct::<Tiny>(&folder.request(), &Silent).unwrap_err();
    assert!(matches!(why, LabError::BadRow { line: 2, .. }), "{why}");
    assert!(why.hint().is_some_and(|hint| hint.starts_with("remove that line")));
    // Without the first line nobody knows what the others are rows of.
    std::fs::write(folder.file("rows.jsonl"), "{\n{}\n").unwrap();
    let why = conduct::<Tiny>(&folder.request(), &Silent).unwrap_err();
    assert!(matches!(why, LabError::BadRow { line: 1, .. }), "{why}");
    assert_eq!(why.hint(), Some("delete that file to begin anew"));
}

/// Kills nothing, but runs a second time inside the first.
struct Twice<'a>(&'a Folder, Heard);

impl throng_lab::Watch for Twice<'_> {
    fn begin(&self, _cases: usize, _done: usize) {
        let why = conduct::<Tiny>(&self.0.request(), &Silent).unwrap_err();
        assert!(matches!(why, LabError::Busy { .. }), "{why}");
        throng_lab::Watch::note(&self.1, "tried");
    }
}

#[test]
fn two_runs_do_not_write_one_journal() {
    let folder = Folder::new();
    let twice = Twice(&folder, Heard::default());
    let outcome = conduct::<Tiny>(&folder.request(), &twice).unwrap();
    assert_eq!(timeless(outcome.rows()), Folder::new().run().0);
    assert_eq!(twice.1.notes.lock().unwrap().len(), 1);
}

#[test]
fn shards_from_elsewhere_are_gathered_and_nothing_is_run() {
    let (whole, here) = (Folder::new(), Folder::new());
    let (rows, _) = whole.run();
    let elsewhere: Vec<Folder> = (0..3).map(|_| Folder::new()).collect();
    for (folder, shard) in elsewhere.iter().zip(["1/3", "2/3", "3/3"]) {
        folder.run_with(&Request { shard: Some(shard.parse().unwrap()), ..folder.request() });
    }
    let paths: Vec<_> = elsewhere.iter().map(|folder| folder.path().to_owned()).collect();
    let outcome = gather::<Tiny>(&here.request(), &paths[..2], &Silent).unwrap();
    assert_eq!((outcome.rows().len(), outcome.missing.len()), (8, 4));
    assert!(outcome.report.is_empty() && !here.file("report.md").exists());
    // Twice the same rows are the same rows.
    let outcome = gather::<Tiny>(&here.request(), &[&paths[..], &paths[..1]].concat(), &Silent).unwrap();
    assert!(outcome.is_complete() && outcome.missing.is_empty());
    assert_eq!(timeless(outcome.rows()), rows);
    assert_eq!(here.text("report.md"), whole.text("report.md"));
    assert_eq!(here.text("rows.jsonl").lines().count(), 13);
}

#[test]
fn rows_that_say_something_else_are_not_gathered() {
    let (one, other, here) = (Folder::new(), Folder::new(), Folder::new());
    one.run();
    other.run();
    let text = other.text("rows.jsonl").replace("\"seed\":0", "\"seed\":7");
    std::fs::write(other.file("rows.jsonl"), text).unwrap();
    let paths = [one.path().to_owned(), other.path().to_owned()];
    let why = gather::<Tiny>(&here.request(), &paths, &Silent).unwrap_err();
    assert!(matches!(&why, LabError::Differs { key, .. } if key.contains("seed 0")), "{why}");
    let quick = Folder::new();
    quick.run_with(&Request { quick: true, ..quick.request() });
    let why = gather::<Tiny>(&here.request(), &[quick.path().to_owned()], &Silent).unwrap_err();
    assert!(why.to_string().contains("--quick"), "{why}");
    let why = gather::<Tiny>(&here.request(), &[here.path().join("none")], &Silent).unwrap_err();
    assert!(why.to_string().contains("none"), "{why}");
}
