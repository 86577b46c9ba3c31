//! Plan files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_formats::plan;

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = plan::parse(bytes) else { return };
    let _ = file.paths();
    // Lone carriage returns in values are the one thing that is not kept.
    if !bytes.contains(&b'\r') {
        assert_eq!(plan::parse(plan::write(&file).as_bytes()), Ok(file));
    }
});
