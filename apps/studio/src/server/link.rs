//! Links that hold a whole run: whoever opens one sees the same.

use crate::room::Show;
use crate::{Refusal, limits};
use serde_json::json;

/// The address of the page with what it takes to make this run again: the document, how it was run, what was done by hand while
/// it ran, and where it is.
pub(super) fn to(page: &str, show: &Show) -> Result<String, Refusal> {
    let Show::Live(run) = show else {
        return Err(Refusal::new("this is a recording, which no link makes again: export its trace"));
    };
    let options = run.session().options();
    let run = json!({
        // Whatever has been drawn since.
        "toml": run.draft().text(),
        // The document's own need not be said again.
        "planner": options.planner,
        "seed": options.seed,
        "budget": run.budget(),
        "tick": run.tick(),
        "acts": run.acts().iter().map(|(tick, act)| act.told(*tick)).collect::<Vec<_>>(),
    });
    let link = format!("{page}#run={}\n", encoded(run.to_string().as_bytes()));
    if link.len() > limits::LINK {
        let (bytes, most) = (link.len(), limits::LINK);
        let why =
            format!("a link of {bytes} bytes, at most {most}: `save` the document, or export it as toml");
        return Err(Refusal::new(why));
    }
    Ok(link)
}

/// Bytes as letters that addresses may have (base64url without padding).
fn encoded(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number =
            three.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for letter in 0..=three.len() {
            out.push(char::from(LETTERS[(number >> (18 - 6 * letter)) as usize & 63]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_letters() {
        for (bytes, letters) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg")] {
            assert_eq!(encoded(bytes.as_bytes()), letters);
        }
        assert_eq!(encoded(&[0xfb, 0xff]), "-_8");
    }
}
