//! One world to prove it: the town holds every capability at once.
//!
//! Each kind of inhabitant is one function that takes the [`Town`] and adds its units; what comes later (a
//! hero, large and slow units, doors, explorers) is one more function and one more line in [`make`].

mod map;

use super::{drawing::Drawing, stage::Stage};
use crate::dice::{pick, shuffle};
use throng_core::{Random, Task};

/// Units of each of the two groups that exchange sides.
const GROUP: usize = 12;
/// How many stops a courier makes before it goes home.
const STOPS: usize = 3;
/// How often a patrol goes there and back.
const ROUNDS: u32 = 2;
/// Units that go from one doorstep to another.
const TOWNSFOLK: usize = 16;

/// The town while it fills.
struct Town<'a> {
    drawing: Drawing,
    stage: Stage,
    dice: &'a mut Random,
}

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&map::MAP);
    let stage = Stage::new(drawing.grid.clone());
    let mut town = Town { drawing, stage, dice };
    sentries(&mut town);
    crossing_groups(&mut town);
    patrols(&mut town);
    couriers(&mut town);
    townsfolk(&mut town);
    town.stage
}

/// Parked in the narrow places, they must step aside and return.
fn sentries(town: &mut Town<'_>) {
    for post in town.drawing.marked('s') {
        town.stage.park(post);
    }
}

/// The market and the park exchange their people over the bridge.
fn crossing_groups(town: &mut Town<'_>) {
    let (market, park) = (town.drawing.marked('a'), town.drawing.marked('b'));
    town.stage.send(GROUP, &market, &park, town.dice);
    town.stage.send(GROUP, &park, &market, town.dice);
}

/// A patrol on each beat, which begins at either end.
fn patrols(town: &mut Town<'_>) {
    for beat in '0'..='7' {
        let mut ends = town.drawing.marked(beat);
        shuffle(&mut ends, town.dice);
        town.stage.add(ends[0], Task::Patrol { goal: ends[1], rounds: ROUNDS });
    }
}

/// From each home a courier, who makes a few stops in random order and goes home. Couriers share stops.
fn couriers(town: &mut Town<'_>) {
    let stops = town.drawing.marked('k');
    for home in town.drawing.marked('h') {
        let mut round = pick(&stops, STOPS, town.dice);
        round.push(home);
        town.stage.add(home, Task::Goals(round));
    }
}

/// From one doorstep to another.
fn townsfolk(town: &mut Town<'_>) {
    let doorsteps = pick(&town.drawing.marked('d'), TOWNSFOLK, town.dice);
    town.stage.rotate(&doorsteps, town.dice);
}
