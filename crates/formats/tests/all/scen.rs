use crate::worlds;
use proptest::prelude::*;
use throng_core::{Cell, Grid, Rules, Scenario};
use throng_formats::scen::{self, Row};
use throng_formats::{FormatError, map};

const GOOD: &str = include_str!("../../../../testdata/formats/crossing.scen");
const MAP: &str = include_str!("../../../../testdata/formats/crossing.map");

fn grid() -> Grid {
    map::parse(MAP.as_bytes(), Default::default()).unwrap()
}

fn read(text: &str) -> Result<Scenario, FormatError> {
    let rows = scen::parse(text.as_bytes())?;
    scen::scenario("crossing", grid(), Rules::default(), &rows, rows.len())
}

fn says(text: &str, message: &str) {
    assert_eq!(read(text).unwrap_err().to_string(), message, "{text:?}");
}

#[test]
fn dialects_read_the_same() {
    let rows = scen::parse(GOOD.as_bytes()).unwrap();
    assert_eq!(rows.len(), 2);
    let first = Row {
        line: 2,
        bucket: 0,
        map: "crossing.map",
        width: 4,
        height: 3,
        start: Cell::new(0, 0),
        goal: Cell::new(3, 2),
        optimal: 4.41421356,
    };
    assert_eq!(rows[0], first);
    assert_eq!(scen::write(&rows), GOOD);
    let dialects = [
        GOOD.replace("version 1", "version 1.0"),
        GOOD.replace('\n', "\r\n"),
        GOOD.replace('\t', "   "),
        GOOD.replace('\n', "\t\n"),
        format!("{GOOD}\n\n"),
        GOOD.trim_end().to_owned(),
    ];
    for text in dialects {
        assert_eq!(scen::parse(text.as_bytes()).as_ref(), Ok(&rows), "{text:?}");
    }
    let spaced = GOOD.replace("crossing.map", "a crossing.map");
    assert_eq!(scen::parse(spaced.as_bytes()).unwrap()[1].map, "a crossing.map");
    assert!(scen::parse(spaced.replace('\t', " ").as_bytes()).is_err());
}

#[test]
fn the_header_is_checked() {
    says("", "line 1: the file ends where `version 1` should be");
    says(&GOOD.replace("version 1", "version 2"), "line 1: expected `version 1`, found \"version 2\"");
    assert_eq!(read(&GOOD.replace("version 1\n", "")).unwrap_err().line(), Some(1));
}

#[test]
fn fields_are_checked() {
    let row = |row: &str| format!("version 1\n\n{row}\n");
    let fields = "9 fields (bucket, map, width, height, start x and y, goal x and y, length)";
    says(&row("0 m 4 3 0 0 3 2"), &format!("line 3: expected {fields}, found 8"));
    says(&row("0 m 4 3 0 0 3 2 4.4 9"), &format!("line 3: expected {fields}, found 10"));
    says(&row("x m 4 3 0 0 3 2 4"), "line 3: expected a bucket, a number from 0 to 4294967295, found \"x\"");
    says(
        &row("-1 m 4 3 0 0 3 2 4"),
        "line 3: expected a bucket, a number from 0 to 4294967295, found \"-1\"",
    );
    says(
        &row("0 m 0 3 0 0 3 2 4"),
        "line 3: expected the map's width, a number from 1 to 67108864, found \"0\"",
    );
    says(
        &row("0 m 4 -3 0 0 3 2 4"),
        "line 3: expected the map's height, a number from 1 to 67108864, found \"-3\"",
    );
    for (place, what) in ["the start's x", "the start's y", "the goal's x", "the goal's y"].iter().enumerate()
    {
        for bad in ["99999999999999999999", "2147483648", "1.5", "a"] {
            let mut numbers = ["0", "0", "3", "2"];
            numbers[place] = bad;
            let error = read(&row(&format!("0 m 4 3 {} 4", numbers.join(" ")))).unwrap_err();
            assert_eq!(error.line(), Some(3));
            assert!(error.to_string().contains(what) && error.to_string().contains(bad), "{error}");
        }
    }
    for bad in ["x", "-1", "nan", "inf"] {
        let message = format!("line 3: expected a length, a number from 0, found {bad:?}");
        says(&row(&format!("0 m 4 3 0 0 3 2 {bad}")), &message);
    }
    let mut bytes = GOOD.as_bytes().to_vec();
    bytes[12] = 0xff;
    assert_eq!(scen::parse(&bytes), Err(FormatError::NotUtf8 { line: 2 }));
}

#[test]
fn rows_are_checked_against_the_map() {
    let rows = |a: &str, b: &str| format!("version 1\n0\tm\t4\t3\t{a}\t4\n\n0\tm\t4\t3\t{b}\t4\n");
    assert!(read(&rows("0\t0\t3\t2", "2\t2\t0\t1")).is_ok());
    says(&rows("-1\t0\t3\t2", "2\t2\t0\t1"), "line 2: agent 0: start (-1,0) is off the 4×3 map");
    says(&rows("0\t0\t3\t2", "2\t2\t0\t3"), "line 4: agent 1: goal (0,3) is off the 4×3 map");
    says(&rows("0\t0\t3\t2", "1\t0\t0\t1"), "line 4: agent 1: start (1,0) is blocked terrain ('@')");
    says(&rows("0\t0\t0\t2", "2\t2\t0\t1"), "line 2: agent 0: goal (0,2) is blocked terrain ('W')");
    says(&rows("0\t0\t3\t2", "0\t0\t0\t1"), "line 4: agents 0 and 1 both start at (0,0)");
    says(&rows("0\t0\t3\t2", "2\t2\t3\t2"), "line 4: agents 0 and 1 both have to rest at (3,2)");
    let other = rows("0\t0\t3\t2", "2\t2\t0\t1").replacen("4\t3", "5\t3", 1);
    says(&other, "line 2: made for a map of 5×3, but the map is 4×3");
}

#[test]
fn only_the_rows_asked_for_are_read() {
    let broken = format!("{GOOD}nonsense\n");
    assert!(scen::parse(broken.as_bytes()).is_err());
    assert_eq!(scen::parse_first(broken.as_bytes(), 2).unwrap().len(), 2);
    let too_few = FormatError::TooFewAgents { asked: 3, found: 2 };
    assert_eq!(scen::parse_first(GOOD.as_bytes(), 3), Err(too_few.clone()));
    let rows = scen::parse(GOOD.as_bytes()).unwrap();
    assert_eq!(scen::scenario("", grid(), Rules::default(), &rows, 3), Err(too_few));
    assert_eq!(scen::scenario("", grid(), Rules::default(), &rows, 0).unwrap().agents(), []);
}

prop_compose! {
    fn row()(
        bucket: u32,
        map in "[!-~éß]([ -~]{0,9}[!-~])?",
        sides in [1usize..1000, 1usize..1000],
        cells: [i32; 4],
        optimal in 0.0f64..1e9,
    ) -> (u32, String, [usize; 2], [i32; 4], f64) {
        (bucket, map, sides, cells, optimal)
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in proptest::collection::vec(row(), 0..9)) {
        let rows: Vec<Row<'_>> = rows.iter().zip(2..).map(|((bucket, map, [w, h], [x, y, tx, ty], optimal), line)| Row {
            line, bucket: *bucket, map, width: *w, height: *h,
            start: Cell::new(*x, *y), goal: Cell::new(*tx, *ty), optimal: *optimal,
        }).collect();
        let text = scen::write(&rows);
        prop_assert_eq!(scen::parse(text.as_bytes()), Ok(rows));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = scen::parse(&bytes);
        let _ = scen::parse(&[b"version 1\n", &bytes[..]].concat());
    }

    #[test]
    fn damaged_files_never_panic(damage in worlds::damage()) {
        let bytes = damage.apply(GOOD.as_bytes());
        if let Ok(rows) = scen::parse(&bytes) {
            let _ = scen::scenario("", grid(), Rules::default(), &rows, rows.len());
        }
    }
}
