//! Learned direction maps: any bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_formats::directions;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(map) = directions::parse(bytes) {
        assert_eq!(directions::parse(directions::write(&map).as_bytes()), Ok(map));
    }
});
