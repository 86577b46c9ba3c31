//! The numbers of a layer's tiles, however they are packed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use std::io::Read;
use throng_core::MAX_CELLS;

/// Bits that turn and mirror a tile; what it is does not change.
const TURNED: u32 = 0xf000_0000;

/// Which tile a number means; 0 is none.
pub(super) const fn tile(number: u32) -> u32 {
    number & !TURNED
}

/// Numbers with commas between.
pub(super) fn csv(text: &str) -> Result<Vec<u32>, String> {
    let number = |word: &str| {
        let word = word.trim();
        word.parse().map(tile).map_err(|_| format!("expected the number of a tile, found {word:?}"))
    };
    let text = text.trim().trim_end_matches(',');
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(number).collect() }
}

/// Four bytes each, the lowest first, packed by `compression` and then as letters.
pub(super) fn base64(text: &str, compression: &str) -> Result<Vec<u32>, String> {
    let letters: String = text.split_ascii_whitespace().collect();
    let packed = STANDARD.decode(letters).map_err(|why| format!("its base64 is damaged: {why}"))?;
    let bytes = match compression {
        "" => packed,
        "gzip" => unpack(GzDecoder::new(&packed[..]))?,
        "zlib" => unpack(ZlibDecoder::new(&packed[..]))?,
        other => {
            let expected = "expected CSV, or base64 with zlib, gzip or nothing (Map > Map Properties)";
            return Err(format!("its tiles are compressed by {other:?}: {expected}"));
        }
    };
    if bytes.len() % 4 != 0 {
        return Err(format!("{} bytes of tiles, expected four for each", bytes.len()));
    }
    let number = |four: &[u8]| tile(u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    Ok(bytes.chunks_exact(4).map(number).collect())
}

fn unpack(reader: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = 4 * MAX_CELLS as u64;
    reader.take(most + 1).read_to_end(&mut bytes).map_err(|why| format!("its tiles are damaged: {why}"))?;
    if bytes.len() as u64 > most { Err(format!("more than {MAX_CELLS} tiles")) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_packings_say_the_same() {
        let tiles = [1u32, 0, 7, 3 | 0x8000_0000];
        let expected = [1, 0, 7, 3];
        let bytes: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect();
        let pack = |bytes: &[u8]| STANDARD.encode(bytes);
        let mut zlib = Vec::new();
        let _ = flate2::read::ZlibEncoder::new(&bytes[..], Default::default()).read_to_end(&mut zlib);
        let mut gzip = Vec::new();
        let _ = flate2::read::GzEncoder::new(&bytes[..], Default::default()).read_to_end(&mut gzip);
        assert_eq!(csv("1,0,\n7,2147483651").unwrap(), expected);
        assert_eq!(base64(&pack(&bytes), "").unwrap(), expected);
        assert_eq!(base64(&format!("\n  {}\n", pack(&zlib)), "zlib").unwrap(), expected);
        assert_eq!(base64(&pack(&gzip), "gzip").unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_unpacked_is_told() {
        assert!(csv("1,x").unwrap_err().contains("\"x\""));
        assert!(csv("1,,2").is_err());
        assert!(base64("????", "").unwrap_err().contains("base64"));
        assert!(base64("AAAA", "").unwrap_err().contains("four for each"));
        assert!(base64("AAAA", "zlib").unwrap_err().contains("damaged"));
        assert!(base64("AAAA", "zstd").unwrap_err().contains("expected CSV"));
    }
}
