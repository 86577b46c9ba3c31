//! Traces, read as a whole and from ticks near every block's ends.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_formats::trace::{self, BLOCK, Reader};

fuzz_target!(|bytes: &[u8]| {
    let whole = trace::parse(bytes);
    let Ok(reader) = Reader::open(bytes) else { return assert!(whole.is_err()) };
    for tick in (0..reader.ticks()).step_by(BLOCK as usize / 2).take(16).chain([u64::MAX]) {
        let placements = reader.positions_at(tick);
        assert!(placements.is_ok() || whole.is_err());
    }
    if let Ok(file) = whole {
        assert_eq!(trace::parse(&trace::write(&file)), Ok(file));
    }
});
