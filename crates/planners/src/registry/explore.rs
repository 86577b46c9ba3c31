//! The planner of those who explore.

use super::entries::{BASIC, COOPERATES};
use super::{Built, Entry, Parameter, Range, Values};
use crate::explore::{Explorer, Settings};
use throng_core::{Guarantee, Support};
use throng_search::landscape::Weights;

/// What the document has in pixels, at 32 of them to a cell.
const RADIUS: u64 = 9;
const REACH: u64 = 62;

const fn weight(name: &'static str, about: &'static str, default: &'static str) -> Parameter {
    Parameter { name, about, default, range: Range::Decimal(100) }
}

pub(super) const EXPLORE: Entry = Entry {
    name: "explore",
    about: "units that see an unknown world together: downhill over distances to the frontier, draw of the unknown, repulsion",
    source: "Tan, Ho, Tan and Koh, Multi-Agents Pathfinding (2024)",
    parameters: &[
        weight("heat", "how much a step farther from the frontier counts", "1"),
        weight("potential", "how much the draw of unknown blocks counts", "0"),
        weight("repulsion", "how much it counts to be near others", "0"),
        Parameter {
            name: "radius",
            about: "how far units repel each other, in cells (in pixels with px); auto is 9 cells",
            default: "auto",
            range: Range::WordsOrWhole(&["auto"], 1, 65_536),
        },
        Parameter {
            name: "strength",
            about: "how strongly, in steps, where they are; it falls off evenly",
            default: "4",
            range: Range::Decimal(20),
        },
        Parameter {
            name: "block",
            about: "side of the blocks of cells that draw while most of them is unknown",
            default: "8",
            range: Range::Whole(1, 64),
        },
        Parameter {
            name: "reach",
            about: "how far those draw, along rows and columns, in cells (in pixels with px); auto is 62 cells",
            default: "auto",
            range: Range::WordsOrWhole(&["auto"], 1, 65_536),
        },
        weight("walls", "how much it counts to be near walls: a step where one is, falling off evenly", "0"),
        Parameter {
            name: "margin",
            about: "how far walls repel, in cells",
            default: "3",
            range: Range::Whole(1, 16),
        },
        weight(
            "sources",
            "how much resources and dangers of the scenario count, as far as they have been seen",
            "1",
        ),
        Parameter {
            name: "assign",
            about: "on: pieces of the frontier are shared out, each to whoever gets there first",
            default: "off",
            range: Range::Words(&["off", "on"]),
        },
        weight("gain", "with assign: what an unseen cell around an aim is worth, in steps", "0.2"),
        Parameter {
            name: "glance",
            about: "with assign: within how many steps units look around for where most is to be seen; 0: not at all",
            default: "0",
            range: Range::Whole(0, 16),
        },
        Parameter {
            name: "adapt",
            about: "on: repulsion, potential and gain count less where it is narrow, repulsion more among others",
            default: "off",
            range: Range::Words(&["off", "on"]),
        },
        Parameter {
            name: "window",
            about: "steps ahead that units reserve which are sent somewhere or follow the heat alone; 0: not at all",
            default: "0",
            range: Range::Whole(0, 32),
        },
        Parameter {
            name: "px",
            about: "pixels to a cell, for radii from elsewhere",
            default: "1",
            range: Range::Whole(1, 256),
        },
    ],
    support: Support {
        speeds: true,
        priorities: true,
        goals: false,
        lists: false,
        patrols: false,
        holding: true,
        closings: true,
        fog: true,
        teams: true,
        explorers: true,
        ..BASIC
    },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { collision_free: false, ..COOPERATES },
    build: |values, _| Built::Controller(Box::new(Explorer::new(settings(values)))),
};

fn settings(values: &Values) -> Settings {
    let weight = |name: &str| i64::from(values.decimal(name).unwrap_or_default());
    let px = values.whole("px").unwrap_or(1).max(1);
    // Hills that reach farther than that would be too high for a number.
    let cells = |name: &str, usual: u64| {
        let cells = values.whole(name).map_or(usual, |length| (length + px / 2) / px);
        cells.clamp(1, 256) as u32
    };
    Settings {
        weights: Weights {
            heat: weight("heat") * i64::from(Settings::STEP),
            potential: weight("potential"),
            repulsion: weight("repulsion"),
        },
        radius: cells("radius", RADIUS),
        strength: (weight("strength") * i64::from(Settings::STEP) / 10_000) as i32,
        block: values.whole("block").unwrap_or(8) as u32,
        reach: cells("reach", REACH),
        walls: weight("walls"),
        margin: values.whole("margin").unwrap_or(3) as u32,
        sources: weight("sources"),
        assign: values.word("assign") == "on",
        gain: weight("gain") / 100,
        glance: values.whole("glance").unwrap_or(0) as u32,
        adapt: values.word("adapt") == "on",
        window: values.whole("window").unwrap_or(0) as u32,
    }
}
