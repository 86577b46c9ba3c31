//! Random orders to random worlds, judged at every tick.

use crate::kit::tick;
use crate::orders::{cell, empty};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use throng::core::{Budget, Cell, Dir, Event, Expansions, Motion, Rules, Task, Timing, Unlimited};
use throng::group::Shape;
use throng::{NewUnit, Session};
use throng_testkit::Worlds;

#[derive(Clone, Debug)]
enum Act {
    /// At and to where, what kind of unit, what kind of task.
    Add(u16, u16, Kind, u8),
    Remove(u16),
    Order(u16, u16, u8),
    Priority(u16, i32),
    Group(u16, u8, u16, u8),
    /// Who, where, and for a car which way it faces then.
    Place(u16, u16, u8),
    Close(u16),
    Open(u16),
    Ticks(u8),
    SaveAndLoad,
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    body: u8,
    period: u8,
    priority: i32,
    /// Steps, a run, or a car with its radius and heading.
    motion: u8,
}

impl Kind {
    /// Under uniform timing everybody moves in steps of one tick.
    fn unit(self, metric: bool, at: Cell, task: Task) -> NewUnit {
        let Self { body, priority, .. } = self;
        let period = if metric { self.period } else { 1 };
        let motion = match self.motion {
            _ if !metric => Motion::Steps,
            0..2 if period > 1 => Motion::Gaits { run: 1 + self.motion % (period - 1) },
            k @ 2..6 => {
                Motion::Car { radius: 1 + k % 3, heading: [Dir::N, Dir::E, Dir::S, Dir::W][k as usize % 4] }
            }
            _ => Motion::Steps,
        };
        NewUnit { body, period, priority, motion, ..NewUnit::new(at, task) }
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    (1..=4u8, 1..=8u8, 0..3i32, 0..12u8).prop_map(|(body, period, priority, motion)| Kind {
        body,
        period,
        priority,
        motion,
    })
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => (any::<u16>(), any::<u16>(), kind(), 0..6u8)
            .prop_map(|(at, to, kind, task)| Act::Add(at, to, kind, task)),
        1 => any::<u16>().prop_map(Act::Remove),
        2 => (any::<u16>(), any::<u16>(), 0..6u8).prop_map(|(who, to, kind)| Act::Order(who, to, kind)),
        1 => (any::<u16>(), -2..4i32).prop_map(|(who, priority)| Act::Priority(who, priority)),
        1 => (any::<u16>(), 1..6u8, any::<u16>(), 0..4u8)
            .prop_map(|(who, count, to, shape)| Act::Group(who, count, to, shape)),
        1 => (any::<u16>(), any::<u16>(), 0..8u8).prop_map(|(who, to, facing)| Act::Place(who, to, facing)),
        1 => any::<u16>().prop_map(Act::Close),
        1 => any::<u16>().prop_map(Act::Open),
        6 => (1..25u8).prop_map(Act::Ticks),
        1 => Just(Act::SaveAndLoad),
    ]
}

/// How a world runs.
#[derive(Clone, Debug)]
struct Run {
    rules: Rules,
    budget: Option<u64>,
    planner: String,
    /// Cells that are closed from the start.
    walls: Vec<u16>,
}

fn run() -> impl Strategy<Value = Run> {
    let budget =
        prop_oneof![2 => Just(None), 1 => (1..20u64).prop_map(Some), 2 => (20..2000u64).prop_map(Some)];
    let window = prop_oneof![3 => (2..16u32).prop_map(|w| w.to_string()), 1 => Just("auto".to_owned())];
    let walls = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any::<u16>(), 1..40)];
    (select(Worlds::all_rules()), budget, window, 1..=4u32, manners(), walls).prop_map(
        |(rules, budget, window, grain, manners, walls)| {
            // Without footprints in time there is nothing that grains could divide.
            let grain = if rules.timing == Timing::Metric { grain } else { 1 };
            Run { rules, budget, planner: format!("whca(window={window},grain={grain}{manners})"), walls }
        },
    )
}

/// The other parameters: as they are by default, or anything.
fn manners() -> impl Strategy<Value = String> {
    let replan = prop_oneof![Just("half".to_owned()), (0..16u32).prop_map(|k| k.to_string())];
    let words = (select(&["all", "spread"]), select(&["rotate", "fixed"]));
    let any = (replan, words, 0..6u32, 0..3u32, 0..6u32).prop_map(
        |(replan, (first, order), patience, penalty, courtesy)| {
            format!(
                ",replan={replan},first={first},order={order},patience={patience},penalty={penalty},\
                 courtesy={courtesy}"
            )
        },
    );
    prop_oneof![Just(String::new()), any]
}

impl Run {
    /// Does all that to a world, with the judge watching every tick; it ends with `more` ticks beside a twin that
    /// was saved and loaded.
    fn go(&self, acts: &[Act], more: u64) -> Result<Tally, TestCaseError> {
        let metric = self.rules.timing == Timing::Metric;
        let mut session = empty(15, 12, self.rules, &self.planner);
        let budget: &dyn Budget = match &self.budget {
            None => &Unlimited,
            Some(expansions) => &Expansions(*expansions),
        };
        let spot = |k: u16| cell(i32::from(k) % 15, i32::from(k) / 15 % 12);
        let task = |kind, to| match kind {
            0 => Task::Hold,
            1 => Task::Patrol { goal: to, rounds: 3 },
            2 => Task::Goals(vec![to, spot(7)]),
            _ => Task::Goal(to),
        };
        self.walls.iter().for_each(|&k| {
            session.close(spot(k)).unwrap();
        });
        let (mut known, mut tally) = (Vec::new(), Tally::default());
        for act in acts {
            let who = |k: u16| known.get(k as usize % known.len().max(1)).copied();
            match *act {
                Act::Add(at, to, kind, what) => {
                    let added = session.add(kind.unit(metric, spot(at), task(what, spot(to))));
                    tally.count(added.is_ok());
                    known.extend(added.ok());
                }
                Act::Remove(k) => drop(who(k).map(|unit| session.remove(unit))),
                Act::Priority(k, priority) => {
                    who(k).into_iter().for_each(|unit| drop(session.set_priority(unit, priority)));
                }
                Act::Order(k, to, kind) => {
                    let ordered = who(k).map(|unit| session.order(unit, task(kind, spot(to))));
                    ordered.into_iter().for_each(|ordered| tally.count(ordered.is_ok()));
                }
                Act::Group(k, count, to, shape) => {
                    let first = k as usize % known.len().max(1);
                    let members: Vec<_> = known.iter().skip(first).take(count.into()).copied().collect();
                    let shapes = [Shape::Block, Shape::Formation, Shape::Line { ranks: 2 }, Shape::Column];
                    drop(session.order_group(&members, spot(to), shapes[usize::from(shape)]));
                }
                Act::Place(k, to, facing) => drop(who(k).map(|unit| match Dir::from_index(facing) {
                    Some(facing) if !facing.is_diagonal() => session.place_facing(unit, spot(to), facing),
                    _ => session.place(unit, spot(to)),
                })),
                Act::Close(k) => drop(session.close(spot(k))),
                Act::Open(k) => drop(session.open(spot(k))),
                Act::SaveAndLoad => session = Session::resume(&session.save(), 1).unwrap(),
                Act::Ticks(n) => (0..n).try_for_each(|_| legal(&mut session, budget))?,
            }
        }
        let mut twin = Session::resume(&session.save(), 1).unwrap();
        for _ in 0..more {
            legal(&mut session, budget)?;
            legal(&mut twin, budget)?;
            prop_assert_eq!(session.state(), twin.state());
        }
        Ok(tally)
    }
}

/// Orders that were given, and how many of them were taken.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    given: u32,
    taken: u32,
}

impl Tally {
    fn count(&mut self, taken: bool) {
        (self.given, self.taken) = (self.given + 1, self.taken + u32::from(taken));
    }
}

/// One tick that the judge has nothing against, within its budget and without a cancelled move.
fn legal(session: &mut Session, budget: &dyn Budget) -> Result<(), TestCaseError> {
    tick(session, budget);
    let failed = session.events().iter().any(|e| matches!(e, Event::Failed { .. }));
    prop_assert!(!failed, "{:?}", session.events());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever is done to a world and whatever the budget: legal at every tick, no move ever cancelled, and saved
    /// in the middle it goes on in the same way.
    #[test]
    fn any_orders_are_survived(run in run(), acts in prop::collection::vec(act(), 1..60)) {
        run.go(&acts, 20)?;
    }
}

/// Most random orders make sense, or the tests above would show little.
#[test]
fn random_orders_are_mostly_taken() {
    let mut runner = TestRunner::deterministic();
    let mut all = Tally::default();
    for _ in 0..12 {
        let tree = (run(), prop::collection::vec(act(), 30..60)).new_tree(&mut runner).unwrap();
        let (run, acts) = tree.current();
        let Tally { given, taken } = run.go(&acts, 1).unwrap();
        all = Tally { given: all.given + given, taken: all.taken + taken };
    }
    assert!(all.given > 100 && all.taken * 3 > all.given, "{all:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// The same for thousands of ticks.
    #[test]
    fn any_orders_are_survived_for_long(run in run(), acts in prop::collection::vec(act(), 400..500)) {
        run.go(&acts, 20)?;
    }
}
