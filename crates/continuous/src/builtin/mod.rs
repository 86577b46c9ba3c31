//! Worlds that come with the library.
//!
//! ```
//! use throng_continuous::{BUILTINS, builtin};
//!
//! for (name, _) in BUILTINS {
//!     assert!(!builtin(name, 0).expect(name).world.is_done());
//! }
//! assert!(builtin("circle-swop", 0).is_none());
//! ```

mod circle_swap;
mod four_way;

use crate::{NewBody, Settings, Space, World};
use throng_core::{AgentId, Draw as _, stream};

/// A built-in world.
#[derive(Debug)]
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// When to stop at the latest.
    pub time: f64,
    /// The world.
    pub world: World,
}

struct Builtin {
    name: &'static str,
    about: &'static str,
    time: f64,
    make: fn() -> (Space, Vec<NewBody>),
}

const ALL: [Builtin; 2] = [
    Builtin {
        name: "circle-swap",
        about: "twenty-four discs on a circle, and each goes to the place opposite",
        time: 240.0,
        make: circle_swap::make,
    },
    Builtin {
        name: "four-way",
        about: "two roads that cross: discs, hexagons and cars that turn come from four sides and go straight on",
        time: 240.0,
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
    let &Builtin { name, about, time, make } = ALL.iter().find(|known| known.name == name)?;
    let (space, mut bodies) = make();
    let mut dice = stream(seed, AgentId(0), 0);
    for last in (1..bodies.len()).rev() {
        bodies.swap(last, dice.below(last as u32 + 1) as usize);
    }
    let world = World::new(space, Settings::default(), bodies)
        .expect("a built-in world is valid whatever the seed: the dice only deal out numbers");
    Some(Scene { name, about, time, world })
}
