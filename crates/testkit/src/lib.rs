//! What the tests of all crates share. Only ever a dev-dependency.
//!
//! - [`optimal`] solves tiny worlds by brute force; [`lower_bounds`] and [`witness`] help with larger ones,
//! - [`corpus`] loads the cases of `testdata/corpus`, which every planner runs,
//! - [`Worlds`] makes random scenarios for property tests,
//! - [`CountingAllocator`] counts allocations, for tests that nothing is allocated.

mod allocations;
mod brute;
mod case;
mod corpus;
mod distance;
mod expect;
mod joint;
mod witness;
mod worlds;

pub use allocations::{CountingAllocator, all_allocations, allocations, held_bytes};
pub use brute::{Optimal, optimal};
pub use case::{Case, Expected, ExpectedBy, UnitSpec};
pub use corpus::{CorpusError, corpus, corpus_folder, files, read_cases, write_cases};
pub use distance::{Bounds, lower_bounds};
pub use expect::expected;
pub use witness::witness;
pub use worlds::Worlds;
