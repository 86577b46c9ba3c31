//! Maps: any bytes, any policy.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_core::TerrainPolicy;
use throng_formats::map;

fuzz_target!(|bytes: &[u8]| {
    // Taken from the input, so that plain map files are seeds.
    let bits = bytes.last().copied().unwrap_or_default();
    let policy = TerrainPolicy { swamp: bits & 1 != 0, water: bits & 2 != 0, trees: bits & 4 != 0 };
    if let Ok(grid) = map::parse(bytes, policy) {
        assert_eq!(map::parse(map::write(&grid).as_bytes(), policy), Ok(grid));
    }
});
