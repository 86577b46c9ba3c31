//! The list. A new planner is one more entry.

use super::{Built, Context, Entry, Parameter, Range, Values};
use crate::cooperative::{Cooperative, Guide, Order, Settings as CooperativeSettings};
use crate::repair::{LocalRepair, Settings as RepairSettings};
use crate::windowed::{Replan, Settings as WindowedSettings, Window, Windowed};
use std::sync::Arc;
use throng_core::{Guarantee, Support};

/// What everything so far supports: 1×1 units of one speed in a world that everybody sees.
const BASIC: Support = Support {
    four: true,
    eight: true,
    uniform: true,
    metric: true,
    hold_both: true,
    largest_body: 1,
    speeds: false,
    gaits: false,
    cars: false,
    priorities: false,
    goals: true,
    lists: true,
    patrols: true,
    holding: false,
    closings: false,
    fog: false,
    teams: false,
};

const COOPERATES: Guarantee =
    Guarantee { complete: false, optimal: false, deterministic: true, collision_free: true };

const MEMORY: Parameter = Parameter {
    name: "memory",
    about: "MiB for true distances; the least recently used are given up beyond that",
    default: "1024",
    range: Range::Whole(1, 1 << 20),
};

const ORDER: Parameter = Parameter {
    name: "order",
    about: "who plans first: as given, or by the length of the way",
    default: "shortest",
    range: Range::Words(&["given", "longest", "shortest"]),
};

const PROMOTIONS: Parameter = Parameter {
    name: "promotions",
    about: "how often a unit without a path may be promoted, on average, before all start over; 0 for the plain method",
    default: "8",
    range: Range::Whole(0, 10_000),
};

const POLISH: Parameter = Parameter {
    name: "polish",
    about: "how often delayed units plan again once everybody has a path; 0 for the plain method",
    default: "2",
    range: Range::Whole(0, 100),
};

pub(super) const ALL: &[Entry] = &[
    Entry {
        name: "lra",
        about: "local repair A*: everybody plans alone and plans again when blocked",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[Parameter {
            name: "agitation",
            about: "most noise, in steps, that repeated blocks add to the cost of a cell",
            default: "8",
            range: Range::Whole(0, 1000),
        }],
        support: Support { priorities: true, holding: true, closings: true, ..BASIC },
        narrow: |_, support| support,
        guarantee: Guarantee { collision_free: false, ..COOPERATES },
        build: |values, context| {
            let agitation = values.whole("agitation").unwrap_or_default() as u32;
            let settings = RepairSettings { agitation, seed: context.seed };
            Built::Controller(Box::new(LocalRepair::new(settings)))
        },
    },
    Entry {
        name: "ca",
        about: "cooperative A*: whole paths in space and time, guided by the straight line",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[ORDER, PROMOTIONS, POLISH, MEMORY],
        support: BASIC,
        narrow: |_, support| support,
        guarantee: COOPERATES,
        build: |values, context| cooperative(Guide::Straight, values, context),
    },
    Entry {
        name: "hca",
        about: "hierarchical cooperative A*: whole paths in space and time, guided by true distances",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[ORDER, PROMOTIONS, POLISH, MEMORY],
        support: BASIC,
        narrow: |_, support| support,
        guarantee: COOPERATES,
        build: |values, context| cooperative(Guide::True, values, context),
    },
    Entry {
        name: "whca",
        about: "windowed hierarchical cooperative A*: a window ahead, for ever, in turns",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[
            Parameter {
                name: "window",
                about: "depth of the search in steps; auto: 8, 12 or 16, by how crowded it is around the unit",
                default: "16",
                range: Range::WordsOrWhole(&["auto"], 1, 256),
            },
            Parameter {
                name: "replan",
                about: "when to plan anew: halfway, or so many steps before the window ends",
                default: "half",
                range: Range::WordsOrWhole(&["half"], 0, 255),
            },
            Parameter {
                name: "first",
                about: "the first searches: all at once, or spread over ticks like the later ones",
                default: "all",
                range: Range::Words(&["all", "spread"]),
            },
            Parameter {
                name: "order",
                about: "who plans first within a tick: in turns, or always the same",
                default: "rotate",
                range: Range::Words(&["rotate", "fixed"]),
            },
            Parameter {
                name: "patience",
                about: "quarters of a window without progress before a unit is promoted; 0 for never",
                default: "2",
                range: Range::Whole(0, 1000),
            },
            Parameter {
                name: "penalty",
                about: "what a promoted unit pays, in ticks, for every reservation that it overrides",
                default: "1",
                range: Range::Whole(0, 100),
            },
            Parameter {
                name: "courtesy",
                about: "what it costs, in steps, to plan through a unit that rests at its goal",
                default: "4",
                range: Range::Whole(0, 100),
            },
            Parameter {
                name: "grain",
                about: "ticks per entry of the reservation table; more than 1 under metric timing only",
                default: "1",
                range: Range::Whole(1, 8),
            },
            MEMORY,
        ],
        support: Support {
            largest_body: 4,
            speeds: true,
            gaits: true,
            cars: true,
            priorities: true,
            holding: true,
            closings: true,
            ..BASIC
        },
        narrow: |values, support| {
            let fine = values.whole("grain") == Some(1);
            Support { uniform: support.uniform && fine, hold_both: support.hold_both && fine, ..support }
        },
        guarantee: COOPERATES,
        build: |values, context| {
            let replan = match values.whole("replan") {
                Some(steps) => Replan::BeforeEnd(steps as u32),
                None => Replan::Half,
            };
            let settings = WindowedSettings {
                window: values.whole("window").map_or(Window::Auto, |steps| Window::Fixed(steps as u32)),
                replan,
                spread_first: values.word("first") == "spread",
                rotate: values.word("order") == "rotate",
                patience: values.whole("patience").unwrap_or(2) as u32,
                courtesy: values.whole("courtesy").unwrap_or(4) as u32,
                grain: values.whole("grain").unwrap_or(1) as u32,
                penalty: values.whole("penalty").unwrap_or(1) as u32,
                memory: memory(values),
            };
            Built::Controller(Box::new(Windowed::new(settings, Arc::clone(&context.workers))))
        },
    },
];

fn memory(values: &Values) -> usize {
    (values.whole("memory").unwrap_or(1024) as usize) << 20
}

fn cooperative(guide: Guide, values: &Values, context: &Context) -> Built {
    let order = match values.word("order") {
        "given" => Order::Given,
        "longest" => Order::Longest,
        _ => Order::Shortest,
    };
    let promotions = values.whole("promotions").unwrap_or_default() as u32;
    let settings = CooperativeSettings {
        guide,
        order,
        promotions,
        polish: values.whole("polish").unwrap_or(2) as u32,
        memory: memory(values),
    };
    Built::Planner(Box::new(Cooperative::new(settings, Arc::clone(&context.workers))))
}
