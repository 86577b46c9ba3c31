//! One world to prove it: the town holds every capability at once.
//!
//! Each kind of inhabitant is one function that takes the [`Town`] and adds its units; what comes later
//! is one more function and one more line in [`make`].

mod map;

use super::{drawing::Drawing, stage::Stage};
use crate::dice::{pick, shuffle};
use throng_core::{
    Agent, Cell, Connectivity, Dir, Motion, Random, Rules, Sight, Task, TerrainEvent, Tick, Timing,
};

/// Units of each of the two groups that exchange sides.
const GROUP: usize = 12;
/// How many stops a courier makes before it goes home.
const STOPS: usize = 3;
/// How often a patrol goes there and back.
const ROUNDS: u32 = 2;
/// Units that go from one doorstep to another.
const TOWNSFOLK: usize = 16;
/// Ticks of a straight step for those who walk.
const WALK: u8 = 2;
/// And for those who run.
const RUN: u8 = 1;

/// The entrances of the park. One after the other is shut for a while.
const DOORS: [Cell; 2] = [Cell::new(36, 15), Cell::new(30, 10)];
/// When the first of them closes, for how long, and when the next one does.
const SHUT: (Tick, Tick, Tick) = (40, 50, 100);
/// How often that happens.
const CLOSINGS: Tick = 8;

/// How the coach drives: it cannot turn on the spot.
const CURVES: Motion = Motion::Car { radius: 1, heading: Dir::E };

/// How patrols find their way.
const LANES: &str = "dm";
/// How travellers go: company makes them faster.
const COMPANY: &str = "flock";
/// How surveyors see a town that they do not know.
const SURVEY: &str = "explore(assign=on)";
/// They belong to nobody here: what others are to do they are not told, and others are not told what they are to do.
const SURVEYORS: u16 = 1;
/// How far they see.
const FAR: u32 = 7;

/// The town while it fills.
struct Town<'a> {
    drawing: Drawing,
    stage: Stage,
    dice: &'a mut Random,
}

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&map::MAP);
    let mut stage = Stage::new(drawing.grid.clone());
    stage.rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..stage.rules };
    let mut town = Town { drawing, stage, dice };
    town.settle(sentries, |agent| agent.period = WALK);
    town.settle(crossing_groups, |agent| agent.period = WALK);
    town.settle(patrols, |agent| agent.period = WALK + 1);
    town.settle(couriers, |agent| (agent.period, agent.motion) = (WALK, Motion::Gaits { run: RUN }));
    town.settle(townsfolk, |agent| agent.period = 2 * WALK);
    town.settle(hero, |agent| (agent.period, agent.priority) = (RUN, 1));
    town.settle(wagons, |agent| (agent.period, agent.body) = (2 * WALK, 2));
    town.settle(elephant, |agent| (agent.period, agent.body) = (2 * WALK + 1, 3));
    town.settle(coach, |agent| (agent.period, agent.motion) = (WALK, CURVES));
    town.settle(travellers, |agent| (agent.period, agent.motion) = (2 * WALK, Motion::Gaits { run: WALK }));
    town.settle(guards, |agent| agent.period = WALK);
    town.settle(surveyors, |agent| (agent.period, agent.team) = (WALK, SURVEYORS));
    doors(&mut town);
    town.stage
}

impl Town<'_> {
    /// Lets one kind of inhabitant in, who are all `like` that.
    fn settle(&mut self, come: fn(&mut Self), like: impl Fn(&mut Agent)) {
        let first = self.stage.agents.len();
        come(self);
        self.stage.agents[first..].iter_mut().for_each(like);
    }
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

/// A patrol on each beat, which begins at either end and keeps to the lanes that everybody makes; but for the last beat, which
/// leads past a sentry, and who goes by lanes asks no stranger to step aside.
fn patrols(town: &mut Town<'_>) {
    for beat in '0'..='7' {
        let mut ends = town.drawing.marked(beat);
        shuffle(&mut ends, town.dice);
        town.stage.add(ends[0], Task::Patrol { goal: ends[1], rounds: ROUNDS });
        if beat != '7' {
            town.stage.plan_last(LANES);
        }
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

/// From the west end of the town to the east, over the bridge: everybody makes way.
fn hero(town: &mut Town<'_>) {
    let (from, to) = (town.drawing.marked('x'), town.drawing.marked('y'));
    town.stage.add(from[0], Task::Goal(to[0]));
}

/// Slow, and as wide as the bridge.
fn wagons(town: &mut Town<'_>) {
    for (from, to) in town.drawing.marked('m').into_iter().zip(town.drawing.marked('n')) {
        town.stage.add(from, Task::Goal(to));
    }
}

/// Walks up and down between the river and the park.
fn elephant(town: &mut Town<'_>) {
    let ends = town.drawing.marked('e');
    town.stage.add(ends[0], Task::Patrol { goal: ends[1], rounds: ROUNDS });
}

/// Through the streets in the east, round two corners.
fn coach(town: &mut Town<'_>) {
    let (from, to) = (town.drawing.marked('v'), town.drawing.marked('w'));
    town.stage.add(from[0], Task::Goal(to[0]));
}

/// From the north-east to the inns in the south, together as far as they have the same way.
fn travellers(town: &mut Town<'_>) {
    let mut inns = town.drawing.marked('q');
    shuffle(&mut inns, town.dice);
    for (from, inn) in town.drawing.marked('p').into_iter().zip(inns) {
        town.stage.add(from, Task::Goal(inn));
        town.stage.plan_last(COMPANY);
    }
}

/// They stay, whoever wants to pass.
fn guards(town: &mut Town<'_>) {
    for post in town.drawing.marked('g') {
        town.stage.add(post, Task::Hold);
    }
}

/// They have come to see all of it, and know nothing but what they have seen.
fn surveyors(town: &mut Town<'_>) {
    for start in town.drawing.marked('z') {
        town.stage.add(start, Task::Explore);
        town.stage.plan_last(SURVEY);
    }
    town.stage.sight = Some(Sight { team: Some(SURVEYORS), ..Sight::new(FAR) });
}

/// The park always keeps one entrance.
fn doors(town: &mut Town<'_>) {
    let (first, long, next) = SHUT;
    for (at, &door) in (0..CLOSINGS).map(|k| first + k * next).zip(DOORS.iter().cycle()) {
        town.stage.events.push(TerrainEvent { at, close: vec![door], open: vec![] });
        town.stage.events.push(TerrainEvent { at: at + long, close: vec![], open: vec![door] });
    }
}
