//! Entries of those who reserve a little ahead.

use super::entries::{BASIC, COOPERATES, MEMORY, memory};
use super::{Built, Entry, Parameter, Range};
use crate::collective::{Collective, Order, Settings};
use crate::flock::{Conflict, Flocks, Settings as FlockSettings};
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
        errands: true,
        holding: true,
        closings: true,
        fog: true,
        teams: true,
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

pub(super) const FLOCK: Entry = Entry {
    name: "flock",
    about: "flock traffic navigation: units agree to travel together where that costs nobody time; the larger flock first",
    source: COLLECTIVE.source,
    parameters: &[
        Parameter {
            name: "bonus",
            about: "percent of its walking speed by which a unit that can run is faster in company; 0: nobody travels together",
            default: "100",
            range: Range::Whole(0, 1000),
        },
        Parameter {
            name: "delta",
            about: "how many steps ahead a unit reserves, and how far apart those may be who travel together",
            default: "8",
            range: Range::Whole(1, 64),
        },
        Parameter {
            name: "conflict",
            about: "who goes first: the larger flock, then the more delayed, then tiles; tiles of the crossing alone; nobody, whoever is blocked plans anew",
            default: "rules",
            range: Range::Words(&["rules", "tiles", "replan"]),
        },
        MEMORY,
    ],
    support: Support { gaits: true, ..COLLECTIVE.support },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: COOPERATES,
    build: |values, context| {
        let settings = FlockSettings {
            bonus: values.whole("bonus").unwrap_or(100) as u32,
            delta: values.whole("delta").unwrap_or(8) as u32,
            conflict: match values.word("conflict") {
                "tiles" => Conflict::Tiles,
                "replan" => Conflict::Replan,
                _ => Conflict::Rules,
            },
            memory: memory(values),
        };
        Built::Controller(Box::new(Flocks::new(settings, Arc::clone(&context.workers))))
    },
};
