//! What becomes of units that are stuck, for all planners that can be told so.

use super::entries::memory;
use super::{Built, Context, Parameter, Range, Values};
use crate::rescue::{Rescued, Settings};
use std::sync::Arc;
use throng_core::Controller;

pub(super) const RESCUE: Parameter = Parameter {
    name: "rescue",
    about: "ticks within a few cells after which a unit is stuck and goes by priority inheritance until it arrives, in worlds of single cells and ticks; off: the plain method",
    default: "32",
    range: Range::WordsOrWhole(&["off"], 1, 1 << 20),
};

/// A controller whose units are rescued when they are stuck, unless that is off.
pub(super) fn rescued(values: &Values, context: &Context, inner: impl Controller + Send + 'static) -> Built {
    let inner = Box::new(inner);
    Built::Controller(match values.whole(RESCUE.name) {
        None => inner,
        Some(patience) => {
            let settings = Settings { patience, seed: context.seed, memory: memory(values) };
            Box::new(Rescued::new(settings, inner, Arc::clone(&context.workers)))
        }
    })
}
