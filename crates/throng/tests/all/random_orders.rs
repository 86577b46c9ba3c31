//! Random orders to random worlds, judged at every tick.

use crate::kit::tick;
use crate::orders::{cell, empty};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeMap;
use throng::core::{Action, Budget, Cell, Dir, Event, Expansions, Motion, Rules, Task, Timing, Unlimited};
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
    /// Who, how far from where it is, and for a car which way it faces then.
    Place(u16, i8, i8, u8),
    Close(u16),
    Open(u16),
    Ticks(u8),
    /// So many expansions a tick from now on.
    Budget(Option<u64>),
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
    fn unit(self, run: &Run, at: Cell, task: Task) -> NewUnit {
        let (metric, body, priority) =
            (run.rules.timing == Timing::Metric, self.body.min(run.largest), self.priority);
        let period = if metric { self.period } else { 1 };
        let motion = match self.motion {
            _ if !metric || (run.steps && !(run.runs && self.motion < 2)) => Motion::Steps,
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

fn add() -> impl Strategy<Value = Act> {
    (any::<u16>(), any::<u16>(), kind(), 0..6u8).prop_map(|(at, to, kind, task)| Act::Add(at, to, kind, task))
}

/// Some units come, and then anything happens.
fn acts(count: core::ops::Range<usize>) -> impl Strategy<Value = Vec<Act>> {
    let first = prop::collection::vec(add(), 6..14);
    (first, prop::collection::vec(act(), count)).prop_map(|(first, then)| [first, then].concat())
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => add(),
        1 => any::<u16>().prop_map(Act::Remove),
        2 => (any::<u16>(), any::<u16>(), 0..6u8).prop_map(|(who, to, kind)| Act::Order(who, to, kind)),
        1 => (any::<u16>(), -2..4i32).prop_map(|(who, priority)| Act::Priority(who, priority)),
        1 => (any::<u16>(), 1..6u8, any::<u16>(), 0..4u8)
            .prop_map(|(who, count, to, shape)| Act::Group(who, count, to, shape)),
        1 => (any::<u16>(), -2..=2i8, -2..=2i8, 0..8u8)
            .prop_map(|(who, x, y, facing)| Act::Place(who, x, y, facing)),
        1 => any::<u16>().prop_map(Act::Close),
        1 => any::<u16>().prop_map(Act::Open),
        6 => (1..25u8).prop_map(Act::Ticks),
        1 => budget().prop_map(Act::Budget),
        1 => Just(Act::SaveAndLoad),
    ]
}

fn budget() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![2 => Just(None), 1 => (1..20u64).prop_map(Some), 2 => (20..2000u64).prop_map(Some)]
}

/// How a world runs.
#[derive(Clone, Debug)]
struct Run {
    rules: Rules,
    budget: Option<u64>,
    planner: String,
    /// Cells that are closed from the start.
    walls: Vec<u16>,
    /// No body is larger. Where all are 1×1, reservations follow other rules.
    largest: u8,
    /// Everybody moves in steps, as those do who plan by coarser guides.
    steps: bool,
    /// But some of them run.
    runs: bool,
}

fn run() -> impl Strategy<Value = Run> {
    let window = prop_oneof![3 => (2..16u32).prop_map(|w| w.to_string()), 1 => Just("auto".to_owned())];
    let walls = prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(any::<u16>(), 1..40)];
    let largest = select(&[1u8, 4]);
    (select(Worlds::all_rules()), budget(), window, 1..=4u32, manners(), walls, largest).prop_map(
        |(rules, budget, window, grain, manners, walls, largest)| {
            // Without footprints in time there is nothing that grains could divide.
            let grain = if rules.timing == Timing::Metric { grain } else { 1 };
            let planner = format!("whca(window={window},grain={grain}{manners})");
            Run { rules, budget, planner, walls, largest, steps: false, runs: false }
        },
    )
}

/// The same for those who plan by coarser guides: they move 1×1 units in steps.
fn coarse() -> impl Strategy<Value = Run> {
    let planners = ["cpra", "cpra(k=4,first=2,width=0,crowd=4,jam=50)", "whca(window=8,abstraction=1)"];
    (run(), select(planners.to_vec())).prop_map(|(run, planner)| Run {
        planner: planner.to_owned(),
        largest: 1,
        steps: true,
        ..run
    })
}

/// The same for those who reserve a little ahead: they move in steps.
fn ahead() -> impl Strategy<Value = Run> {
    let planners = [
        "collective",
        "collective(visibility=3,threshold=80)",
        "collective(order=arrival,threshold=10)",
        "flock",
        "flock(delta=3,conflict=tiles)",
        "flock(conflict=replan)",
    ];
    (run(), select(planners.to_vec())).prop_map(|(run, planner)| Run {
        planner: planner.to_owned(),
        steps: true,
        runs: planner.starts_with("flock"),
        ..run
    })
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
        let mut session = empty(15, 12, self.rules, &self.planner);
        let mut budget = budget_of(self.budget);
        let spot = |k: u16| cell(i32::from(k) % 15, i32::from(k) / 15 % 12);
        let task = |kind, to| match kind {
            0 => Task::Hold,
            1 => Task::Patrol { goal: to, rounds: 3 },
            2 => Task::Goals(vec![to, spot(7)]),
            _ => Task::Goal(to),
        };
        let mut closed: Vec<_> = self.walls.iter().map(|&k| spot(k)).collect();
        closed.iter().for_each(|&cell| {
            session.close(cell).unwrap();
        });
        let (mut known, mut tally) = (Vec::new(), Tally::default());
        for act in acts {
            let who = |k: u16| known.get(k as usize % known.len().max(1)).copied();
            match *act {
                Act::Add(at, to, kind, what) => {
                    let added = session.add(kind.unit(self, spot(at), task(what, spot(to))));
                    tally.count("add", added.is_ok());
                    known.extend(added.ok());
                }
                Act::Remove(k) => {
                    let unit = who(k);
                    unit.into_iter().for_each(|unit| session.remove(unit).unwrap());
                    known.retain(|&other| Some(other) != unit);
                }
                Act::Priority(k, priority) => {
                    let set = who(k).map(|unit| session.set_priority(unit, priority));
                    tally.count("priority", set.is_some_and(|set| set.is_ok()));
                }
                Act::Order(k, to, kind) => {
                    let ordered = who(k).map(|unit| session.order(unit, task(kind, spot(to))));
                    tally.count("order", ordered.is_some_and(|ordered| ordered.is_ok()));
                }
                Act::Group(k, count, to, shape) => {
                    let first = k as usize % known.len().max(1);
                    let members: Vec<_> = known.iter().skip(first).take(count.into()).copied().collect();
                    let shapes = [Shape::Block, Shape::Formation, Shape::Line { ranks: 2 }, Shape::Column];
                    let ordered = session.order_group(&members, spot(to), shapes[usize::from(shape)]);
                    tally.count("group", ordered.is_ok() && members.len() > 1);
                }
                Act::Place(k, x, y, facing) => {
                    let Some(unit) = who(k) else { continue };
                    let at = session.scenario().grid().cell(session.state().units[unit.agent.index()].at);
                    let to = cell(at.x + i32::from(x), at.y + i32::from(y));
                    let placed = match Dir::from_index(facing) {
                        Some(facing) if !facing.is_diagonal() => session.place_facing(unit, to, facing),
                        _ => session.place(unit, to),
                    };
                    tally.count("place", placed.is_ok());
                }
                Act::Close(k) => {
                    let done = session.close(spot(k)) == Ok(true);
                    tally.count("close", done);
                    closed.extend(done.then(|| spot(k)));
                }
                Act::Open(k) => {
                    let Some(at) = (k as usize).checked_rem(closed.len()) else { continue };
                    tally.count("open", session.open(closed.swap_remove(at)) == Ok(true));
                }
                Act::SaveAndLoad => session = Session::resume(&session.save(), 1).unwrap(),
                Act::Ticks(n) => (0..n).try_for_each(|_| {
                    legal(&mut session, &*budget)?;
                    session.events().iter().for_each(|event| tally.note(event));
                    Ok::<_, TestCaseError>(())
                })?,
                Act::Budget(limit) => budget = budget_of(limit),
            }
        }
        let mut twin = Session::resume(&session.save(), 1).unwrap();
        for _ in 0..more {
            legal(&mut session, &*budget)?;
            legal(&mut twin, &*budget)?;
            prop_assert_eq!(session.state(), twin.state());
        }
        Ok(tally)
    }
}

fn budget_of(limit: Option<u64>) -> Box<dyn Budget> {
    limit.map_or(Box::new(Unlimited), |limit| Box::new(Expansions(limit)))
}

/// What was done: how often, and how often it was refused.
#[derive(Clone, Debug, Default)]
struct Tally(BTreeMap<&'static str, [u32; 2]>);

impl Tally {
    fn count(&mut self, what: &'static str, done: bool) {
        self.0.entry(what).or_default()[usize::from(!done)] += 1;
    }

    fn note(&mut self, event: &Event) {
        let what = match event {
            Event::Moved { action: Action::Run(_), .. } => "run",
            Event::Moved { action: Action::Curve(..), .. } => "curve",
            Event::Overridden { .. } => "overridden",
            Event::Promoted { by: None, .. } => "promoted",
            Event::Exchanged { .. } => "exchanged",
            _ => return,
        };
        self.count(what, true);
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
    fn any_orders_are_survived(run in run(), acts in acts(1..60)) {
        run.go(&acts, 20)?;
    }

    /// So it is with those who reserve a little ahead.
    #[test]
    fn any_orders_are_survived_a_little_ahead(run in ahead(), acts in acts(1..60)) {
        run.go(&acts, 20)?;
    }

    /// So it is with coarser guides.
    #[test]
    fn any_orders_are_survived_by_coarser_guides(run in coarse(), acts in acts(1..60)) {
        run.go(&acts, 20)?;
    }
}

/// Random orders do all that can be done, and often enough make sense, or the tests above would show little.
#[test]
fn random_orders_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let mut all = Tally::default();
    for _ in 0..24 {
        let (run, acts) = (run(), acts(30..60)).new_tree(&mut runner).unwrap().current();
        for (what, [done, refused]) in run.go(&acts, 1).unwrap().0 {
            let sum = all.0.entry(what).or_default();
            *sum = [sum[0] + done, sum[1] + refused];
        }
    }
    let done = |what| all.0.get(what).copied().unwrap_or_default();
    for what in ["add", "order", "priority", "group", "place", "close", "open"] {
        let [done, refused] = done(what);
        assert!(done >= 10 && done * 3 > refused, "{what}: {all:?}");
    }
    for (what, least) in [("run", 50), ("curve", 10), ("overridden", 100), ("promoted", 20), ("exchanged", 1)]
    {
        assert!(done(what)[0] >= least, "{what}: {all:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// The same for thousands of ticks.
    #[test]
    fn any_orders_are_survived_for_long(run in run(), acts in acts(400..500)) {
        run.go(&acts, 20)?;
    }
}
