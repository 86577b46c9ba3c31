//! Planners that decide where everybody is one step later.

use super::entries::{BASIC, COOPERATES, MEMORY, memory};
use super::{Built, Context, Entry, Parameter, Range, SpecError, Values};
use crate::directions::{LaneSettings, Lanes as Learned};
use crate::lacam::{Lacam, Settings};
use crate::neighbourhoods::Objective;
use crate::pibt::{Ground, Lanes, Pibt, Source};
use std::sync::Arc;
use throng_core::{Guarantee, Scenario, Support};
use throng_search::directions::{Rate, Rates};

/// Units of one cell that move in whole ticks.
pub(super) const STEPS: Support = Support { metric: false, hold_both: false, ..BASIC };

pub(super) const OBJECTIVE: Parameter = Parameter {
    name: "objective",
    about: "what improving saves: ticks until each unit rests, ticks that units do not rest at their goals, or ticks until all do",
    default: "costs",
    range: Range::Words(&["costs", "loss", "makespan"]),
};

pub(super) fn objective(values: &Values) -> Objective {
    match values.word("objective") {
        "loss" => Objective::Loss,
        "makespan" => Objective::Makespan,
        _ => Objective::Costs,
    }
}

pub(super) const SEARCHES: Parameter = Parameter {
    name: "memory",
    about: "MiB for all that the search keeps; distances unused for longest are given up, and when there is no room for the rest it ends",
    ..MEMORY
};

const GUIDANCE: Parameter = Parameter {
    name: "guidance",
    about: "what makes a step cost more: a direction map that is learned, the ways of all units, or those of before as well",
    default: "none",
    range: Range::Words(&["none", "directions", "flow", "lanes"]),
};

/// How fast the direction map of a guidance learns, in ten thousandths.
const LEARNING: u32 = 4_000;

/// Priority inheritance by what its guidance is.
fn pibt(values: &Values, context: &Context) -> Pibt {
    let pibt = Pibt::new(context.seed, memory(values), Arc::clone(&context.workers));
    match values.word(GUIDANCE.name) {
        "directions" => {
            let own = Rate::new(LEARNING).unwrap_or_default();
            let settings = LaneSettings { weight: 0, rates: Rates { own, near: own.quarter() } };
            let learned = Learned::new(settings, context.directions.clone());
            pibt.guided(Source::Directions, Some(learned))
        }
        "flow" => pibt.guided(Source::Flow, None),
        "lanes" => pibt.guided(Source::Lanes, None),
        _ => pibt,
    }
}

/// Whether there is room for lanes, if they are wanted.
fn fits_lanes(
    planner: &'static str,
    key: &'static str,
    values: &Values,
    scenario: &Scenario,
) -> Result<(), SpecError> {
    if ["off", "none"].contains(&values.word(key)) {
        return Ok(());
    }
    let (memory, units) = (memory(values), scenario.agents().len());
    let ground = Ground::new(scenario.grid(), scenario.rules());
    if Lanes::fit(&ground, units, memory) {
        return Ok(());
    }
    let mib = |bytes: usize| bytes.div_ceil(1 << 20) as u64;
    let needs = mib(2 * Lanes::size(&ground, units));
    let value = values.word(key).to_owned();
    Err(SpecError::NoRoom { planner, key, value, units, needs, memory: mib(memory) })
}

pub(super) const PIBT: Entry = Entry {
    name: "pibt",
    about: "priority inheritance with backtracking: one step ahead, who has waited longest first",
    source: "Okumura et al., Priority inheritance with backtracking (2022)",
    parameters: &[GUIDANCE, MEMORY],
    support: Support { errands: true, closings: true, ..STEPS },
    narrow: |_, support| support,
    fits: |values, scenario, _| fits_lanes("pibt", GUIDANCE.name, values, scenario),
    guarantee: COOPERATES,
    build: |values, context| Built::Controller(Box::new(pibt(values, context))),
};

pub(super) const RT_LACAM: Entry = Entry {
    name: "rt-lacam",
    about: "real-time lacam: the search over placements goes on every tick from where everybody is, and everybody takes a step along it",
    source: "Liang et al., Real-time LaCAM for real-time MAPF (2025)",
    parameters: &[
        Parameter {
            name: "pace",
            about: "decisions of single units that the search may take in a tick; everybody decides once in any case",
            default: "10000",
            range: Range::Whole(1, 1 << 40),
        },
        GUIDANCE,
        MEMORY,
    ],
    support: Support { holding: true, ..PIBT.support },
    narrow: |_, support| support,
    fits: |values, scenario, _| fits_lanes("rt-lacam", GUIDANCE.name, values, scenario),
    guarantee: COOPERATES,
    build: |values, context| {
        let pibt = pibt(values, context);
        Built::Controller(Box::new(pibt.searching(values.whole("pace").unwrap_or(10_000))))
    },
};

pub(super) const LACAM: Entry = Entry {
    name: "lacam",
    about: "lazy constraints addition: a complete search over placements of everybody",
    source: "Okumura, LaCAM and LaCAM* (2023)",
    parameters: &[
        OBJECTIVE,
        Parameter {
            name: "improve",
            about: "expansions that go into a better plan once there is one; all: as many as the budget has",
            default: "0",
            range: Range::WordsOrWhole(&["all"], 0, 1 << 60),
        },
        Parameter {
            name: "generators",
            about: "next steps that are made from each placement at first, every other one with an eye on those beside; the best is taken",
            default: "1",
            range: Range::Whole(1, 64),
        },
        Parameter {
            name: "lanes",
            about: "whether everybody keeps to lanes from the first plan on: steps against the stream count as longer, which takes a while to find out and saves much where it is narrow and crowded",
            default: "off",
            range: Range::Words(&["off", "on"]),
        },
        SEARCHES,
    ],
    support: Support { lists: false, patrols: false, holding: true, ..STEPS },
    narrow: |_, support| support,
    fits: |values, scenario, _| fits_lanes("lacam", "lanes", values, scenario),
    guarantee: Guarantee { complete: true, ..COOPERATES },
    build: |values, context| {
        let objective = objective(values);
        let improve = values.whole("improve").unwrap_or(u64::MAX);
        let generators = values.whole("generators").unwrap_or(1) as u32;
        let (seed, lanes) = (context.seed, values.word("lanes") == "on");
        let settings = Settings { objective, improve, generators, lanes, seed, memory: memory(values) };
        Built::Planner(Box::new(Lacam::new(settings, Arc::clone(&context.workers))))
    },
};
