use crate::worlds;
use proptest::prelude::*;
use throng_core::{GridError, MAX_CELLS, TerrainPolicy};
use throng_formats::{FormatError, map};

const GOOD: &str = include_str!("../../../../testdata/formats/crossing.map");

fn fault(text: &str) -> FormatError {
    map::parse(text.as_bytes(), TerrainPolicy::default()).unwrap_err()
}

fn says(text: &str, message: &str) {
    assert_eq!(fault(text).to_string(), message, "{text:?}");
}

#[test]
fn dialects_read_the_same() {
    let policy = TerrainPolicy::default();
    let grid = map::parse(GOOD.as_bytes(), policy).unwrap();
    assert_eq!((grid.width(), grid.height(), grid.open_cells()), (4, 3, 8));
    let swapped = GOOD.replace("height 3\nwidth 4", "width\t4 \nheight  3");
    for text in [GOOD.replace('\n', "\r\n"), format!("{GOOD}\n \r\n"), swapped, GOOD.trim_end().to_owned()] {
        assert_eq!(map::parse(text.as_bytes(), policy).as_ref(), Ok(&grid), "{text:?}");
    }
    let wet = TerrainPolicy { water: true, ..policy };
    assert_eq!(map::parse(GOOD.as_bytes(), wet).unwrap().open_cells(), 9);
}

#[test]
fn headers_are_checked() {
    says("", "line 1: the file ends where `type octile` should be");
    says(&GOOD.replace("octile", "hexagons"), "line 1: expected `type octile`, found \"type hexagons\"");
    says("type octile\n", "line 2: the file ends where `height` or `width` and a number should be");
    says("type octile\nwidth 3", "line 3: the file ends where `height` and a number should be");
    says(
        &GOOD.replace("height", "high"),
        "line 2: expected `height` or `width` and a number, found \"high 3\"",
    );
    says(&GOOD.replace("width 4", "height 4"), "line 3: expected `width` and a number, found \"height 4\"");
    says(&GOOD.replace("map\n", ""), "line 4: expected `map`, found \".@.T\"");
    says("type octile\nheight 3\nwidth 4\n", "line 4: the file ends where `map` should be");
    says(&GOOD.replace("type octile\n", ""), "line 1: expected `type octile`, found \"height 3\"");
}

#[test]
fn dimensions_are_checked_before_anything_is_allocated() {
    for bad in ["0", "-4", "four", "4.0", "4 4", "", "67108865", "99999999999999999999999"] {
        let error = fault(&GOOD.replace("width 4", &format!("width {bad}")));
        assert_eq!(error.line(), Some(3), "{error}");
        assert!(error.to_string().contains("`width` and a number from 1 to 67108864"), "{error}");
    }
    let (width, height) = (MAX_CELLS, MAX_CELLS);
    let large = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    let why = GridError::TooLarge { width, height };
    assert_eq!(fault(&large), FormatError::MapSize { line: 3, why });
    // A map that is allowed but is not there costs nothing.
    let claimed = "type octile\nheight 8000\nwidth 8000\nmap\n";
    assert_eq!(fault(claimed), FormatError::MissingRows { line: 5, expected: 8000, found: 0 });
}

#[test]
fn rows_are_checked() {
    says(&GOOD.replace("W@S.\n", ""), "line 7: the map ends after 2 rows, expected 3");
    says(&GOOD.replace("....\n", "\n"), "line 6: the map ends after 1 rows, expected 3");
    says(&format!("{GOOD}...."), "line 8: more than the 3 rows that the header says");
    says(&format!("{GOOD}\n\nx"), "line 10: more than the 3 rows that the header says");
    says(&GOOD.replace("....", "..."), "line 6: a row of 3 letters, expected 4");
    says(&GOOD.replace("....", "....."), "line 6: a row of 5 letters, expected 4");
    says(&GOOD.replace("W@S.\n", "W@"), "line 7: a row of 2 letters, expected 4");
    says(&GOOD.replace("@S", "xS"), "line 7, column 2: unknown terrain 'x', expected one of .GS@OTW");
    says(&GOOD.replace("@S", "éS"), "line 7, column 2: unknown terrain 'é', expected one of .GS@OTW");
    let error = fault(&GOOD.replace("....", ". .."));
    assert_eq!(error, FormatError::UnknownTerrain { line: 6, column: 2, letter: ' ' });
    assert_eq!((error.line(), error.column(), error.offset()), (Some(6), Some(2), None));
}

proptest! {
    #[test]
    fn what_is_written_is_read(grid in worlds::grid()) {
        prop_assert_eq!(map::parse(map::write(&grid).as_bytes(), grid.policy()), Ok(grid));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>, policy in worlds::policy()) {
        let _ = map::parse(&bytes, policy);
        let _ = map::parse(&[b"type octile\nheight 2\nwidth 2\nmap\n", &bytes[..]].concat(), policy);
    }

    #[test]
    fn damaged_files_never_panic(grid in worlds::grid(), damage in worlds::damage()) {
        if let Ok(grid) = map::parse(&damage.apply(map::write(&grid).as_bytes()), grid.policy()) {
            prop_assert_eq!(map::parse(map::write(&grid).as_bytes(), grid.policy()), Ok(grid));
        }
    }
}
