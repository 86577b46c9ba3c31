//! The scenarios that come with the library.
//!
//! ```
//! use throng_worlds::{BUILTINS, builtin};
//!
//! for (name, about) in BUILTINS {
//!     let setup = builtin(name, 0)?;
//!     assert_eq!((setup.scenario.name(), setup.about.as_str()), (*name, *about));
//! }
//! let error = builtin("brigde", 0).unwrap_err();
//! assert!(error.to_string().starts_with("no built-in scenario \"brigde\": there are bridge, office,"));
//! # Ok::<(), throng_worlds::UnknownBuiltin>(())
//! ```

mod bridge;
mod city;
mod doorway;
mod drawing;
mod expedition;
mod field;
mod hallway;
mod intersection;
mod office;
mod promenade;
mod pushers;
mod rivals;
mod stage;
mod town;
mod warehouse;

use crate::dice::{Purpose, dice};
use stage::Stage;
use throng_core::{Random, Scenario, Setup, Tick};

/// One built-in scenario: what people are told about it, and how it is made.
struct Builtin {
    name: &'static str,
    about: &'static str,
    /// When to stop at the latest.
    ticks: Tick,
    make: fn(&mut Random) -> Stage,
    planner: &'static str,
}

/// The planner of most of them.
const PLANNER: &str = "whca(window=16)";

const ALL: [Builtin; 13] = [
    Builtin {
        name: "bridge",
        about: "two banks, a bridge two cells wide, twenty units a side that all want across",
        ticks: 300,
        make: bridge::make,
        planner: PLANNER,
    },
    Builtin {
        name: "office",
        about: "twenty-four people between desks, and everyone changes desks",
        ticks: 300,
        make: office::make,
        planner: PLANNER,
    },
    Builtin {
        name: "hallway",
        about: "a corridor one cell wide where parked units must let others pass and then return",
        ticks: 200,
        make: hallway::make,
        planner: PLANNER,
    },
    Builtin {
        name: "doorway",
        about: "two rooms, a door one cell wide, six units a side that exchange rooms",
        ticks: 300,
        make: doorway::make,
        planner: PLANNER,
    },
    Builtin {
        name: "intersection",
        about: "two roads four cells wide that cross, with eight units coming from each side",
        ticks: 300,
        make: intersection::make,
        planner: PLANNER,
    },
    Builtin {
        name: "pushers",
        about: "two units in a dead end that push each other off their goals if they look ahead too little",
        ticks: 300,
        make: pushers::make,
        planner: PLANNER,
    },
    Builtin {
        name: "field",
        about: "an open field of 48×48, a hundred units from anywhere to anywhere",
        ticks: 300,
        make: field::make,
        planner: PLANNER,
    },
    Builtin {
        name: "town",
        about: "streets, gates, a park and a bridge: crossing groups, patrols, runners, a hero, wagons, an elephant, a coach, guards",
        ticks: 2000,
        make: town::make,
        planner: PLANNER,
    },
    Builtin {
        name: "promenade",
        about: "twenty patrols up and down a promenade, in lanes that were learned before",
        ticks: 600,
        make: promenade::make,
        planner: "dm-whca(window=8)",
    },
    Builtin {
        name: "rivals",
        about: "a wall with two gates, ten units that want through, and two of another team who stand in their way",
        ticks: 600,
        make: rivals::make,
        planner: PLANNER,
    },
    Builtin {
        name: "expedition",
        about: "tunnels that nobody knows, and five with lanterns who look for something in them",
        ticks: 2000,
        make: expedition::make,
        planner: "explore",
    },
    Builtin {
        name: "warehouse",
        about: "eighty units that carry goods from shelves to stations, for ever: always more of them than there are hands",
        ticks: 1000,
        make: warehouse::make,
        planner: "pibt",
    },
    Builtin {
        name: "city",
        about: "roads between blocks, and seventy cabs that drive whoever calls from one bay to another, for ever",
        ticks: 1000,
        make: city::make,
        planner: "pibt",
    },
];

/// The names of all built-in scenarios, and a line about each.
pub const BUILTINS: &[(&str, &str)] = &{
    let mut list = [("", ""); ALL.len()];
    let mut place = 0;
    while place < ALL.len() {
        list[place] = (ALL[place].name, ALL[place].about);
        place += 1;
    }
    list
};

/// There is no built-in scenario of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no built-in scenario {name:?}: there are {}", ALL.map(|known| known.name).join(", "))]
pub struct UnknownBuiltin {
    /// What was asked for.
    pub name: String,
}

/// The built-in scenario `name`: under uniform timing and four moves but for `town`, where moves take as long as they
/// are and there are eight. The map is always the same; the seed deals out starts and goals.
pub fn builtin(name: &str, seed: u64) -> Result<Setup, UnknownBuiltin> {
    let unknown = || UnknownBuiltin { name: name.to_owned() };
    let Builtin { name, about, ticks, make, planner } =
        ALL.into_iter().find(|known| known.name == name).ok_or_else(unknown)?;
    let Stage { grid, rules, agents, directions, planners, events, sight, stream } =
        make(&mut dice(seed, Purpose::Builtin));
    let scenario = Scenario::new(name, grid, rules, agents)
        .and_then(|scenario| scenario.with_events(events))
        .and_then(|scenario| scenario.with_stream(stream))
        .and_then(|scenario| match sight {
            Some(sight) => scenario.with_sight(sight),
            None => Ok(scenario),
        })
        .expect("a built-in scenario is valid whatever the seed: the dice only permute cells of its drawing");
    Ok(Setup {
        about: about.to_owned(),
        planner: Some(planner.to_owned()),
        directions,
        unit_planners: planners,
        ticks: Some(ticks),
        ..Setup::new(scenario)
    })
}
