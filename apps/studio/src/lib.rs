//! The studio of Throng: one page to draw worlds, let them run, stop them, go back, and find out why; and the server
//! behind it.
//!
//! Everything the page does goes through commands (`docs/studio.md`), so that it works without the page as well. A room
//! (`src/room`) is a document and its runs, and knows of no network; a thread of its own owns each room, and viewers get
//! what is newest when they have read what was sent before. The studio has no way into the engine but what anybody has who
//! depends on `throng`.

mod folder;
mod limits;
mod protocol;
mod refusal;
mod room;
mod server;

pub use refusal::Refusal;
pub use server::{Options, Studio, StudioError, serve};
