//! Scenario TOML. Where it asks for a map file, it gets its own text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_formats::scenario;

fuzz_target!(|text: &str| {
    let mut itself = |_: &str| Ok(text.as_bytes().to_vec());
    if let Ok(setup) = scenario::parse(text, &mut itself) {
        assert_eq!(scenario::parse(&scenario::write(&setup), &mut scenario::no_files), Ok(setup));
    }
});
