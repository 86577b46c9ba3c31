//! Worlds that come with the library.
//!
//! ```
//! use throng_continuous::{BUILTINS, World, builtin};
//!
//! for (name, _) in BUILTINS {
//!     assert!(!World::of(builtin(name, 0).expect(name))?.is_done());
//! }
//! assert!(builtin("circle-swop", 0).is_none());
//! # Ok::<(), throng_continuous::SpaceError>(())
//! ```

mod circle_swap;
mod four_way;

use crate::{NewBody, Scene, Settings};
use throng_core::space::{Convex, Point};
use throng_core::{AgentId, Draw as _, Tick, stream};

/// The far corner, walls and bodies.
type Made = (Point, Vec<Convex>, Vec<NewBody>);

struct Builtin {
    name: &'static str,
    about: &'static str,
    /// When to stop at the latest.
    ticks: Tick,
    make: fn() -> Made,
}

const ALL: [Builtin; 2] = [
    Builtin {
        name: "circle-swap",
        about: "twenty-four discs on a circle, and each goes to the place opposite",
        ticks: 2400,
        make: circle_swap::make,
    },
    Builtin {
        name: "four-way",
        about: "two roads that cross: discs, hexagons and cars that turn come from four sides and go straight on",
        ticks: 2400,
        make: four_way::make,
    },
];

/// The names of all built-in worlds in continuous space, and a line about each.
pub const BUILTINS: &[(&str, &str)] = &{
    let mut list = [("", ""); ALL.len()];
    let mut place = 0;
    while place < ALL.len() {
        list[place] = (ALL[place].name, ALL[place].about);
        place += 1;
    }
    list
};

/// The built-in world `name`. Places are always the same; the seed deals out the numbers, and with them who goes first.
#[must_use]
pub fn builtin(name: &str, seed: u64) -> Option<Scene> {
    let &Builtin { name, about, ticks, make } = ALL.iter().find(|known| known.name == name)?;
    let (most, walls, mut bodies) = make();
    let mut dice = stream(seed, AgentId(0), 0);
    for last in (1..bodies.len()).rev() {
        bodies.swap(last, dice.below(last as u32 + 1) as usize);
    }
    Some(Scene {
        name: name.to_owned(),
        about: about.to_owned(),
        seed,
        ticks: Some(ticks),
        least: Point::ZERO,
        most,
        walls,
        doors: Vec::new(),
        events: Vec::new(),
        settings: Settings::default(),
        bodies,
    })
}
