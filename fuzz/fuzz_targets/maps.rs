//! Maps of every kind: any bytes, also as what they name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use throng_core::TerrainPolicy;
use throng_formats::maps;

fuzz_target!(|bytes: &[u8]| {
    let mut named = |_: &str| Ok(bytes.to_vec());
    let policy = TerrainPolicy::default();
    if let Ok(grid) = maps::parse(bytes, policy, &mut named) {
        let (_, first) = maps::write(&grid, maps::Kind::Tiled, "a").remove(0);
        assert_eq!(maps::parse(&first, policy, &mut named), Ok(grid));
    }
    let _ = maps::scenario(bytes, &mut named);
    let _ = maps::parse(b"image: a\nresolution: 1\n", policy, &mut named);
});
