//! One step: plan, propose, commit.
//!
//! Bodies that need another way get one, the most delayed first, as far as the budget goes. Then everybody proposes how
//! fast to go, by what it sees of the others and without a side effect, on any number of threads. Then proposals are
//! committed in the order of the queue, and who would touch somebody stops.

mod commit;
mod courtesy;
mod detour;
mod propose;
mod right;
mod settle;
mod sight;

pub(crate) use commit::{Commit, keeps};
pub(crate) use detour::{CANDIDATES, detour};
pub(crate) use propose::{Proposal, least, propose};
pub(crate) use settle::Insists;
pub(crate) use sight::{CLEAR, Eye, Sight};
