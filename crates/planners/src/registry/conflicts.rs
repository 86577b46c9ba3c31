//! The planner that solves conflicts one after the other.

use super::entries::{COOPERATES, memory};
use super::placements::{SEARCHES, STEPS};
use super::{Built, Entry, Parameter, Range};
use crate::conflicts::{ConflictBased, Factor, Settings};
use std::sync::Arc;
use throng_core::{Guarantee, Support};

pub(super) const CBS: Entry = Entry {
    name: "cbs",
    about: "conflict-based search: the least sum of costs, or at most a factor more",
    source: "Sharon et al., Conflict-based search (2015); Li et al., EECBS (2021)",
    parameters: &[
        Parameter {
            name: "suboptimality",
            about: "what a plan may cost, as a multiple of the least sum of costs; less than 1 counts as 1",
            default: "1",
            range: Range::Decimal(100),
        },
        SEARCHES,
    ],
    support: Support { lists: false, patrols: false, holding: true, ..STEPS },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { complete: true, optimal: true, ..COOPERATES },
    build: |values, context| {
        let suboptimality = Factor::new(values.decimal("suboptimality").unwrap_or_default());
        let settings = Settings { suboptimality, seed: context.seed, memory: memory(values) };
        Built::Planner(Box::new(ConflictBased::new(settings, Arc::clone(&context.workers))))
    },
};
