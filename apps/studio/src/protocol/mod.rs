//! What pages and server say to each other: commands and answers as JSON, frames as bytes. `docs/studio.md` has all of it.

pub(crate) mod command;
pub(crate) mod frames;
