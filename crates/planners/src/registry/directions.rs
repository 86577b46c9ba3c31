//! The planners of direction maps, and what others can be told about them.

use super::entries::{
    AGITATION, BASIC, COOPERATES, COURTESY, FIRST, GRAIN, MEMORY, PATIENCE, PENALTY, REPLAN, TURNS,
    WHCA_SUPPORT, WINDOW, coarse_grain, controller, window, window_settings,
};
use super::rescue::{RESCUE, rescued};
use super::{Built, Context, Entry, Parameter, Range, Values};
use crate::directions::{Greedy, LaneSettings, Lanes, Sectored};
use crate::repair::{LocalRepair, Settings as RepairSettings};
use crate::windowed::Settings as WindowedSettings;
use throng_core::{Guarantee, Support};
use throng_search::AStar;
use throng_search::directions::{LaneGraph, Rate, Rates};

const SOURCE: &str = "Jansen and Sturtevant, Direction Maps for Cooperative Pathfinding (2008)";

/// The heaviest weight, in straight steps.
const HEAVIEST: u32 = LaneGraph::HEAVIEST / 100;

const WMAX: Parameter = Parameter {
    name: "wmax",
    about: "what a step against the direction map costs more, in straight steps",
    default: "10",
    range: Range::Decimal(HEAVIEST),
};

/// The same for those who plan without a direction map unless told otherwise.
pub(super) const NO_WMAX: Parameter = Parameter {
    about: "what a step against the direction map costs more, in straight steps; 0: no map, the plain method",
    default: "0",
    ..WMAX
};

pub(super) const ALPHA: Parameter = Parameter {
    name: "alpha",
    about: "learning rate of the direction map; 0: it stays as it is",
    default: "0.4",
    range: Range::Decimal(1),
};

pub(super) const NEIGHBOUR: Parameter = Parameter {
    name: "neighbour",
    about: "the same for the cells around one that is entered; auto: a quarter of it",
    default: "auto",
    range: Range::WordsOrDecimal(&["auto"], 1),
};

const VISIBILITY: Parameter = Parameter {
    name: "visibility",
    about: "how many cells away units are seen and planned around as if they stood still; 0: those in the way alone",
    default: "5",
    range: Range::Whole(0, 1000),
};

const SECTOR: Parameter = Parameter {
    name: "sector",
    about: "side of the sectors from which to which ways are planned; 0: whole ways",
    default: "0",
    range: Range::Whole(0, 1 << 15),
};

/// What a spec says about a direction map.
fn lane_settings(values: &Values) -> LaneSettings {
    let rate = |name| values.decimal(name).and_then(Rate::new);
    let own = rate("alpha").unwrap_or_default();
    let near = rate("neighbour").unwrap_or_else(|| own.quarter());
    LaneSettings { weight: values.decimal("wmax").unwrap_or_default() / 100, rates: Rates { own, near } }
}

/// The direction map of a spec.
fn lanes(values: &Values, context: &Context) -> Lanes {
    Lanes::new(lane_settings(values), context.directions.clone())
}

/// The same for those who plan without one if it weighs nothing.
pub(super) fn weighty_lanes(values: &Values, context: &Context) -> Option<Lanes> {
    (lane_settings(values).weight > 0).then(|| lanes(values, context))
}

pub(super) const DM: Entry = Entry {
    name: "dm",
    about: "direction map: ways along the lanes that units have made, around those in view, and local repair",
    source: SOURCE,
    parameters: &[WMAX, ALPHA, NEIGHBOUR, VISIBILITY, SECTOR, AGITATION, RESCUE],
    support: Support {
        speeds: true,
        priorities: true,
        errands: true,
        holding: true,
        closings: true,
        teams: true,
        ..BASIC
    },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { collision_free: false, ..COOPERATES },
    build: |values, context| {
        let number = |name| values.whole(name).unwrap_or_default() as u32;
        let (agitation, visibility) = (number("agitation"), number("visibility"));
        let settings = RepairSettings { agitation, visibility, seed: context.seed };
        let lanes = lanes(values, context);
        match number("sector") {
            0 => rescued(values, context, LocalRepair::new(settings, AStar::new()).along(lanes)),
            size => rescued(values, context, LocalRepair::new(settings, Sectored::new(size)).along(lanes)),
        }
    },
};

pub(super) const GREEDY: Entry = Entry {
    name: "dm-greedy",
    about: "one step ahead along the lanes that others have made, and never a plan",
    source: SOURCE,
    parameters: &[WMAX, ALPHA, NEIGHBOUR],
    support: DM.support,
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { collision_free: false, ..COOPERATES },
    build: |values, context| Built::Controller(Box::new(Greedy::new(lanes(values, context)))),
};

/// In lanes others do as expected, so that windows last nearly to their end.
const LATE: Parameter = Parameter { default: "1", ..REPLAN };

pub(super) const WINDOWED: Entry = Entry {
    name: "dm-whca",
    about: "windowed cooperation along the lanes of a direction map: a window ahead, for ever, in turns",
    source: SOURCE,
    parameters: &[
        WMAX, ALPHA, NEIGHBOUR, WINDOW, LATE, FIRST, TURNS, PATIENCE, PENALTY, COURTESY, GRAIN, MEMORY,
        RESCUE,
    ],
    support: WHCA_SUPPORT,
    narrow: coarse_grain,
    fits: |_, _, _| Ok(()),
    guarantee: COOPERATES,
    build: |values, context| {
        let settings = WindowedSettings { window: window(values), ..window_settings(values) };
        rescued(values, context, controller(settings, context).along(lanes(values, context)))
    },
};
