//! `.scen` rows, and the scenario they make on a small map.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_core::{Grid, Rules};
use throng_formats::scen;

fuzz_target!(|bytes: &[u8]| {
    let Ok(rows) = scen::parse(bytes) else { return };
    assert_eq!(scen::parse_first(bytes, rows.len()).as_ref(), Ok(&rows));
    let grid = Grid::empty(4, 3).expect("a size that is allowed");
    if let Ok(scenario) = scen::scenario("fuzz", grid, Rules::default(), &rows, rows.len()) {
        assert_eq!(scenario.agents().len(), rows.len());
    }
    // Names may hold white space that is not a tab, and blank lines are not kept.
    if rows.iter().all(|row| row.map.bytes().all(|b| b.is_ascii_graphic()) && !row.map.is_empty()) {
        let text = scen::write(&rows);
        let again = scen::parse(text.as_bytes()).expect("what is written can be read");
        assert!(again.iter().zip(&rows).all(|(a, b)| (a.start, a.goal, a.map) == (b.start, b.goal, b.map)));
        assert_eq!(again.len(), rows.len());
    }
});
