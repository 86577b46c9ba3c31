//! The list. A new planner is one more entry.

use super::ahead::{COLLECTIVE, FLOCK};
use super::conflicts::CBS;
use super::directions::{ALPHA, DM, GREEDY, NEIGHBOUR, NO_WMAX, WINDOWED, weighty_lanes};
use super::explore::EXPLORE;
use super::mending::{BLOCKER, DLITE};
use super::neighbourhoods::LNS;
use super::operations::EPIBT;
use super::placements::{LACAM, PIBT, RT_LACAM};
use super::rescue::{RESCUE, rescued};
use super::{Built, Context, Entry, Parameter, Range, SpecError, Values};
use crate::cooperative::{Cooperative, Guide as Line, Order, Settings as CooperativeSettings};
use crate::refinement::{Levels, Refining, Settings as RefinementSettings};
use crate::repair::{LocalRepair, Settings as RepairSettings};
use crate::windowed::{Guide, MOST_PRIORITIES, Replan, Settings as WindowedSettings, Window, Windowed};
use std::sync::Arc;
use throng_core::{Guarantee, Scenario, Support};
use throng_search::AStar;
use throng_search::abstraction::Refinement;

/// What everything so far supports: 1×1 units of one speed in a world that everybody sees.
pub(super) const BASIC: Support = Support {
    four: true,
    eight: true,
    uniform: true,
    metric: true,
    hold_both: true,
    largest_body: 1,
    speeds: false,
    gaits: false,
    cars: false,
    turns: false,
    priorities: false,
    most_priorities: None,
    goals: true,
    lists: true,
    patrols: true,
    errands: false,
    holding: false,
    closings: false,
    delays: true,
    fog: false,
    teams: false,
    explorers: false,
};

/// What local repair supports, whatever finds the ways.
pub(super) const REPAIR_SUPPORT: Support = Support {
    priorities: true,
    errands: true,
    holding: true,
    closings: true,
    fog: true,
    teams: true,
    ..BASIC
};

/// What windows on the map itself support, with a direction map or without.
pub(super) const WHCA_SUPPORT: Support = Support {
    largest_body: 4,
    speeds: true,
    gaits: true,
    cars: true,
    priorities: true,
    most_priorities: Some(MOST_PRIORITIES),
    errands: true,
    holding: true,
    closings: true,
    fog: true,
    teams: true,
    ..BASIC
};

pub(super) const COOPERATES: Guarantee =
    Guarantee { complete: false, optimal: false, deterministic: true, collision_free: true };

pub(super) const MEMORY: Parameter = Parameter {
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

pub(super) const AGITATION: Parameter = Parameter {
    name: "agitation",
    about: "most noise, in steps, that repeated blocks add to the cost of a cell",
    default: "8",
    range: Range::Whole(0, 1000),
};

pub(super) const WINDOW: Parameter = Parameter {
    name: "window",
    about: "depth of the search in steps; auto: 8, 12 or 16, by how crowded it is around the unit",
    default: "16",
    range: Range::WordsOrWhole(&["auto"], 1, 256),
};

pub(super) const REPLAN: Parameter = Parameter {
    name: "replan",
    about: "when to plan anew: halfway, or so many steps before the window ends",
    default: "half",
    range: Range::WordsOrWhole(&["half"], 0, 255),
};

pub(super) const FIRST: Parameter = Parameter {
    name: "first",
    about: "the first searches: all at once, or spread over ticks like the later ones",
    default: "all",
    range: Range::Words(&["all", "spread"]),
};

pub(super) const TURNS: Parameter = Parameter {
    name: "order",
    about: "who plans first within a tick: in turns, or always the same",
    default: "rotate",
    range: Range::Words(&["rotate", "fixed"]),
};

pub(super) const PATIENCE: Parameter = Parameter {
    name: "patience",
    about: "quarters of a window without progress before a unit is promoted; 0 for never",
    default: "2",
    range: Range::Whole(0, 1000),
};

pub(super) const PENALTY: Parameter = Parameter {
    name: "penalty",
    about: "what a promoted unit pays, in ticks, for every move by which it overrides others",
    default: "1",
    range: Range::Whole(0, 100),
};

pub(super) const COURTESY: Parameter = Parameter {
    name: "courtesy",
    about: "what it costs, in steps, to plan through a unit that rests at its goal",
    default: "4",
    range: Range::Whole(0, 100),
};

pub(super) const GRAIN: Parameter = Parameter {
    name: "grain",
    about: "ticks per entry of the reservation table; more than 1 under metric timing only",
    default: "1",
    range: Range::Whole(1, 8),
};

const CROWD: Parameter = Parameter {
    name: "crowd",
    about: "steps that a step on a coarse path costs more where everything is occupied; 0: the plain method",
    default: "0",
    range: Range::Whole(0, 1000),
};

const ABSTRACTION: Parameter = Parameter {
    name: "abstraction",
    about: "the level of the map on which distances are measured; 0: the map itself",
    default: "0",
    range: Range::Whole(0, 64),
};

const BOUND: Parameter = Parameter {
    name: "bound",
    about: "what an edge of that level counts: its straight line, or one step, which is never too much",
    default: "straight",
    range: Range::Words(&["straight", "steps"]),
};

/// Whether the map has the level that a parameter names.
fn level_exists(
    planner: &'static str,
    key: &'static str,
    values: &Values,
    scenario: &Scenario,
    levels: &Levels,
) -> Result<(), SpecError> {
    let Some(level) = values.whole(key).filter(|&level| level > 0) else { return Ok(()) };
    let highest = levels.height(scenario) as u64;
    if level <= highest { Ok(()) } else { Err(SpecError::TooHigh { planner, key, level, highest }) }
}

pub(super) const ALL: &[Entry] = &[
    Entry {
        name: "lra",
        about: "local repair A*: everybody plans alone and plans again when blocked",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[AGITATION],
        support: REPAIR_SUPPORT,
        narrow: |_, support| support,
        fits: |_, _, _| Ok(()),
        guarantee: Guarantee { collision_free: false, ..COOPERATES },
        build: |values, context| {
            let agitation = values.whole("agitation").unwrap_or_default() as u32;
            let settings = RepairSettings { agitation, seed: context.seed, ..RepairSettings::default() };
            Built::Controller(Box::new(LocalRepair::new(settings, AStar::new())))
        },
    },
    DLITE,
    Entry {
        name: "pra",
        about: "partial-refinement A*: ways from coarse maps, refined part by part, and local repair",
        source: "Sturtevant and Buro, Partial Pathfinding Using Map Abstraction and Refinement (2005)",
        parameters: &[
            Parameter {
                name: "k",
                about: "edges of a path that are refined on the next level; inf: all",
                default: "8",
                range: Range::WordsOrWhole(&["inf"], 1, 1 << 16),
            },
            Parameter {
                name: "width",
                about: "rings of nodes around a path that belong to its corridor",
                default: "2",
                range: Range::Whole(0, 16),
            },
            Parameter {
                name: "level",
                about: "the coarsest level; auto: half of the way up to where both ends are in one node",
                default: "auto",
                range: Range::WordsOrWhole(&["auto"], 1, 64),
            },
            CROWD,
            AGITATION,
            NO_WMAX,
            ALPHA,
            NEIGHBOUR,
        ],
        support: Support { speeds: true, ..REPAIR_SUPPORT },
        narrow: |_, support| support,
        fits: |values, scenario, levels| level_exists("pra", "level", values, scenario, levels),
        guarantee: Guarantee { collision_free: false, ..COOPERATES },
        build: |values, context| {
            let agitation = values.whole("agitation").unwrap_or_default() as u32;
            let how = Refinement {
                k: values.whole("k").map(|k| k as u32),
                width: values.whole("width").unwrap_or(2) as u32,
                level: values.whole("level").map(|level| level as usize),
            };
            let crowd = values.whole("crowd").unwrap_or_default() as u32;
            let route = Refining::new(RefinementSettings { how, crowd }, context.levels.clone());
            let settings = RepairSettings { agitation, seed: context.seed, ..RepairSettings::default() };
            let repair = LocalRepair::new(settings, route);
            Built::Controller(match weighty_lanes(values, context) {
                None => Box::new(repair),
                Some(lanes) => Box::new(repair.along(lanes)),
            })
        },
    },
    Entry {
        name: "ca",
        about: "cooperative A*: whole paths in space and time, guided by the straight line",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[ORDER, PROMOTIONS, POLISH, MEMORY],
        support: BASIC,
        narrow: |_, support| support,
        fits: |_, _, _| Ok(()),
        guarantee: COOPERATES,
        build: |values, context| cooperative(Line::Straight, values, context),
    },
    Entry {
        name: "hca",
        about: "hierarchical cooperative A*: whole paths in space and time, guided by true distances",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[ORDER, PROMOTIONS, POLISH, MEMORY],
        support: BASIC,
        narrow: |_, support| support,
        fits: |_, _, _| Ok(()),
        guarantee: COOPERATES,
        build: |values, context| cooperative(Line::True, values, context),
    },
    Entry {
        name: "whca",
        about: "windowed hierarchical cooperative A*: a window ahead, for ever, in turns",
        source: "Silver, Cooperative Pathfinding (2005)",
        parameters: &[
            WINDOW,
            ABSTRACTION,
            BOUND,
            REPLAN,
            FIRST,
            TURNS,
            PATIENCE,
            PENALTY,
            COURTESY,
            GRAIN,
            MEMORY,
            NO_WMAX,
            ALPHA,
            NEIGHBOUR,
            RESCUE,
        ],
        support: WHCA_SUPPORT,
        narrow: |values, support| {
            let exact = values.whole("abstraction") == Some(0);
            let largest_body = if exact { support.largest_body } else { 1 };
            let (gaits, cars) = (support.gaits && exact, support.cars && exact);
            coarse_grain(values, Support { largest_body, gaits, cars, ..support })
        },
        fits: |values, scenario, levels| {
            if values.whole("abstraction") > Some(0) && values.decimal("wmax") > Some(0) {
                return Err(SpecError::Together { planner: "whca", keys: ["abstraction", "wmax"] });
            }
            if values.word("bound") != BOUND.default && values.whole("abstraction") == Some(0) {
                let value = values.word("bound").to_owned();
                return Err(SpecError::Without {
                    planner: "whca",
                    key: "bound",
                    value,
                    without: "abstraction",
                });
            }
            level_exists("whca", "abstraction", values, scenario, levels)
        },
        guarantee: COOPERATES,
        build: |values, context| {
            let guide = match values.whole("abstraction") {
                None | Some(0) => Guide::True,
                Some(level) => {
                    Guide::Level { level: level as usize, lower_bound: values.word("bound") == "steps" }
                }
            };
            let settings = WindowedSettings { guide, window: window(values), ..window_settings(values) };
            match weighty_lanes(values, context) {
                None => rescued(values, context, controller(settings, context)),
                Some(lanes) => rescued(values, context, controller(settings, context).along(lanes)),
            }
        },
    },
    Entry {
        name: "cpra",
        about: "cooperative partial-refinement A*: coarse paths, and a window ahead within the corridor around them",
        source: "Sturtevant and Buro, Improving Collaborative Pathfinding Using Map Abstraction (2006)",
        parameters: &[
            Parameter {
                name: "k",
                about: "edges of a path that are refined on the next level; the window is twice as many steps deep",
                default: "8",
                range: Range::Whole(1, 128),
            },
            Parameter {
                name: "first",
                about: "the same for the first search on the way to a goal, if that is less",
                default: "4",
                range: Range::Whole(1, 128),
            },
            Parameter {
                name: "width",
                about: "rings of nodes around a path that belong to its corridor",
                default: "1",
                range: Range::Whole(0, 16),
            },
            Parameter {
                name: "window",
                about: "depth of the search: full, twice k; auto: half of that, three quarters or all, by how crowded it is around the unit",
                default: "auto",
                range: Range::Words(&["full", "auto"]),
            },
            CROWD,
            Parameter {
                name: "jam",
                about: "percent of a region that units must take for it to be jammed: who cannot pass through stays out; 0: the plain method",
                default: "0",
                range: Range::Whole(0, 100),
            },
            REPLAN,
            TURNS,
            PATIENCE,
            PENALTY,
            COURTESY,
            GRAIN,
            RESCUE,
        ],
        support: Support {
            speeds: true,
            priorities: true,
            most_priorities: Some(MOST_PRIORITIES),
            errands: true,
            holding: true,
            closings: true,
            fog: true,
            teams: true,
            ..BASIC
        },
        narrow: coarse_grain,
        fits: |_, _, _| Ok(()),
        guarantee: COOPERATES,
        build: |values, context| {
            let number = |name| values.whole(name).unwrap_or_default() as u32;
            let k = number("k");
            let (crowd, jam) = (number("crowd"), number("jam"));
            let guide = Guide::Corridor { k, first: number("first"), width: number("width"), crowd, jam };
            let window =
                if values.word("window") == "auto" { Window::Auto(2 * k) } else { Window::Fixed(2 * k) };
            let settings = WindowedSettings { guide, window, ..window_settings(values) };
            rescued(values, context, controller(settings, context))
        },
    },
    DM,
    GREEDY,
    WINDOWED,
    COLLECTIVE,
    FLOCK,
    PIBT,
    EPIBT,
    RT_LACAM,
    LACAM,
    LNS,
    CBS,
    BLOCKER,
    EXPLORE,
];

/// Where moves take one tick there is nothing to coarsen.
pub(super) fn coarse_grain(values: &Values, support: Support) -> Support {
    let fine = values.whole("grain") == Some(1);
    Support { uniform: support.uniform && fine, hold_both: support.hold_both && fine, ..support }
}

/// What all windowed planners can be told.
pub(super) fn window_settings(values: &Values) -> WindowedSettings {
    let replan = match values.whole("replan") {
        Some(steps) => Replan::BeforeEnd(steps as u32),
        None => Replan::Half,
    };
    WindowedSettings {
        replan,
        spread_first: values.word("first") == "spread",
        rotate: values.word("order") == "rotate",
        patience: values.whole("patience").unwrap_or(2) as u32,
        courtesy: values.whole("courtesy").unwrap_or(4) as u32,
        grain: values.whole("grain").unwrap_or(1) as u32,
        penalty: values.whole("penalty").unwrap_or(1) as u32,
        memory: memory(values),
        ..WindowedSettings::default()
    }
}

/// A windowed planner.
pub(super) fn controller(settings: WindowedSettings, context: &Context) -> Windowed {
    Windowed::new(settings, Arc::clone(&context.workers), context.levels.clone())
}

/// How deep windows are.
pub(super) fn window(values: &Values) -> Window {
    values.whole("window").map_or(Window::Auto(16), |steps| Window::Fixed(steps as u32))
}

pub(super) fn memory(values: &Values) -> usize {
    (values.whole("memory").unwrap_or(1024) as usize) << 20
}

fn cooperative(guide: Line, values: &Values, context: &Context) -> Built {
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
