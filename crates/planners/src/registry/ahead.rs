//! Entries of those who reserve a little ahead.

use super::entries::{BASIC, COOPERATES, MEMORY, memory};
use super::{Built, Entry, Parameter, Range};
use crate::collective::{Collective, Order, Settings};
use std::sync::Arc;
use throng_core::Support;

pub(super) const COLLECTIVE: Entry = Entry {
    name: "collective",
    about: "collective pathfinding: the next few cells reserved, the most delayed first; slower before another way",
    source: "Astengo-Noguez and Calzada Gómez, Collective Pathfinding in Dynamic Environments (2009)",
    parameters: &[
        Parameter {
            name: "visibility",
            about: "how many steps ahead a unit reserves",
            default: "8",
            range: Range::Whole(1, 64),
        },
        Parameter {
            name: "threshold",
            about: "percent of full speed below which a unit had rather take another way",
            default: "40",
            range: Range::Whole(1, 100),
        },
        Parameter {
            name: "order",
            about: "who reserves first: the most delayed, or whoever set out first",
            default: "delay",
            range: Range::Words(&["delay", "arrival"]),
        },
        MEMORY,
    ],
    support: Support {
        largest_body: 4,
        speeds: true,
        priorities: true,
        holding: true,
        closings: true,
        ..BASIC
    },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: COOPERATES,
    build: |values, context| {
        let settings = Settings {
            visibility: values.whole("visibility").unwrap_or(8) as u32,
            threshold: values.whole("threshold").unwrap_or(40) as u32,
            order: if values.word("order") == "arrival" { Order::Arrival } else { Order::Delay },
            memory: memory(values),
        };
        Built::Controller(Box::new(Collective::new(settings, Arc::clone(&context.workers))))
    },
};
