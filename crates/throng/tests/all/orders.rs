//! A running world: units come, go, get orders and are put elsewhere, cells close and open.

use crate::kit::tick;
use throng::core::{
    AgentId, Cause, Cell, Dir, Event, Expansions, Grid, Motion, Rules, Scenario, ScenarioError, Setup, Task,
    Timing, Unlimited,
};
use throng::group::Shape;
use throng::{GroupError, NewUnit, NoWay, Options, OrderError, Session, Unreachable};

pub(crate) fn empty(width: usize, height: usize, rules: Rules, planner: &str) -> Session {
    let scenario = Scenario::new("live", Grid::empty(width, height).unwrap(), rules, Vec::new()).unwrap();
    Session::new(Setup::new(scenario), &Options::planner(planner)).unwrap()
}

pub(crate) fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

#[test]
fn units_come_get_orders_and_go() {
    let mut session = empty(12, 8, Rules::default(), "whca");
    let a = session.add(NewUnit::new(cell(0, 0), Task::Goal(cell(11, 0)))).unwrap();
    let b = session.add(NewUnit::new(cell(11, 0), Task::Goal(cell(0, 0)))).unwrap();
    (0..5).for_each(|_| tick(&mut session, &Unlimited));
    session.order(a, Task::Goal(cell(0, 7))).unwrap();
    session.remove(b).unwrap();
    assert_eq!(session.remove(b), Err(OrderError::NoSuchUnit { unit: b }));
    assert_eq!(session.order(b, Task::Hold), Err(OrderError::NoSuchUnit { unit: b }));
    let c = session.add(NewUnit::new(cell(11, 7), Task::Hold)).unwrap();
    assert_eq!(c.agent, b.agent, "numbers are used again");
    assert_ne!(c, b, "handles are not");
    (0..20).for_each(|_| tick(&mut session, &Unlimited));
    assert!(session.is_done());
    let grid = session.scenario().grid();
    assert_eq!(grid.cell(session.unit(a).unwrap().at), cell(0, 7));
    assert_eq!(grid.cell(session.unit(c).unwrap().at), cell(11, 7));
}

#[test]
fn nonsense_is_refused_and_changes_nothing() {
    let rows = ["....@..", "....@..", "....@..", "....@.."];
    let scenario =
        Scenario::new("wall", Grid::from_rows(&rows).unwrap(), Rules::default(), Vec::new()).unwrap();
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca")).unwrap();
    let a = session.add(NewUnit { body: 2, ..NewUnit::new(cell(0, 0), Task::Goal(cell(2, 2))) }).unwrap();
    let before = session.save();
    let new = |at, to| NewUnit::new(at, Task::Goal(to));
    let refused = [
        session.add(new(cell(1, 1), cell(3, 3))),
        session.add(new(cell(4, 0), cell(3, 3))),
        session.add(new(cell(9, 0), cell(3, 3))),
        session.add(new(cell(3, 0), cell(6, 0))),
        session.add(NewUnit { body: 3, ..new(cell(2, 0), cell(0, 0)) }),
        session.add(NewUnit { body: 9, ..new(cell(2, 0), cell(0, 0)) }),
        session.add(NewUnit { period: 0, ..new(cell(3, 0), cell(3, 3)) }),
        session.add(NewUnit { period: 3, ..new(cell(3, 0), cell(3, 3)) }),
    ];
    for (k, refused) in refused.iter().enumerate() {
        assert!(refused.is_err(), "{k}: {refused:?}");
    }
    assert_eq!(refused[0], Err(OrderError::Taken { cell: cell(1, 1), by: a.agent }));
    assert!(matches!(refused[3], Err(OrderError::Unreachable(Unreachable { why: NoWay::Walled, .. }))));
    assert!(matches!(session.order(a, Task::Goal(cell(5, 0))), Err(OrderError::Unreachable(_))));
    let no_goals = ScenarioError::NoGoals { agent: a.agent };
    assert_eq!(session.order(a, Task::Goals(vec![])), Err(OrderError::Scenario(no_goals)));
    let misplaced = session.place(a, cell(3, 0));
    assert!(
        matches!(misplaced, Err(OrderError::Scenario(ScenarioError::DoesNotFit { .. }))),
        "{misplaced:?}"
    );
    assert_eq!(session.close(cell(1, 1)), Err(OrderError::Taken { cell: cell(1, 1), by: a.agent }));
    assert_eq!(session.close(cell(7, 0)), Err(OrderError::OffMap { cell: cell(7, 0) }));
    assert!(session.save() == before, "the world is as it was");
}

#[test]
fn planners_that_plan_once_take_no_orders() {
    let scenario = Scenario::new(
        "one",
        Grid::empty(4, 1).unwrap(),
        Rules::default(),
        vec![throng::core::Agent::new(0, cell(0, 0), Task::Goal(cell(3, 0)))],
    )
    .unwrap();
    let mut session = Session::new(Setup::new(scenario), &Options::planner("hca")).unwrap();
    let unit = session.unit_id(AgentId(0)).unwrap();
    assert!(matches!(session.order(unit, Task::Hold), Err(OrderError::OneShot { .. })));
}

/// A unit that the game pushed elsewhere is taken up from there.
#[test]
fn pushed_units_are_taken_up() {
    for planner in ["whca", "lra", "pra(k=2)"] {
        let mut session = empty(20, 5, Rules::default(), planner);
        let a = session.add(NewUnit::new(cell(0, 2), Task::Goal(cell(19, 2)))).unwrap();
        (0..5).for_each(|_| tick(&mut session, &Unlimited));
        session.place(a, cell(3, 4)).unwrap();
        let start = session.state().tick;
        while !session.is_done() {
            tick(&mut session, &Unlimited);
        }
        assert_eq!(session.state().tick - start, 18, "{planner}");
    }
}

/// A door that closes makes a unit go around; when all is shut it waits, and goes on when a door opens.
#[test]
fn doors_close_and_open() {
    for planner in ["whca", "lra", "pra(k=2)"] {
        let mut session = empty(9, 7, Rules::default(), planner);
        for y in 0..7 {
            if ![1, 5].contains(&y) {
                assert_eq!(session.close(cell(4, y)), Ok(true));
            }
        }
        let a = session.add(NewUnit::new(cell(0, 1), Task::Goal(cell(8, 1)))).unwrap();
        (0..2).for_each(|_| tick(&mut session, &Unlimited));
        session.close(cell(4, 1)).unwrap();
        assert_eq!(session.close(cell(4, 1)), Ok(false), "closed already");
        session.close(cell(4, 5)).unwrap();
        (0..10).for_each(|_| tick(&mut session, &Unlimited));
        assert!(session.scenario().grid().cell(session.unit(a).unwrap().at).x < 4, "{planner}: shut in");
        session.open(cell(4, 5)).unwrap();
        for _ in 0..30 {
            tick(&mut session, &Unlimited);
        }
        assert!(session.is_done(), "{planner}");
    }
}

/// One order to many: everybody gets a place of its own, arrives, and then nobody moves any more.
#[test]
fn groups_settle() {
    for (count, shape) in [(30, Shape::Block), (30, Shape::Formation), (12, Shape::Line { ranks: 2 })] {
        let mut session = empty(30, 20, Rules::default(), "whca");
        let holder = session.add(NewUnit::new(cell(20, 10), Task::Hold)).unwrap();
        let units: Vec<_> = (0..count)
            .map(|k| session.add(NewUnit::new(cell(k % 6 * 2, k / 6 * 2), Task::Hold)).unwrap())
            .collect();
        let places = session.order_group(&units, cell(20, 10), shape).unwrap();
        let mut sorted = places.clone();
        sorted.sort_unstable_by_key(|c| (c.x, c.y));
        sorted.dedup();
        assert_eq!(sorted.len(), places.len());
        assert!(!places.contains(&cell(20, 10)), "held by somebody else");
        while !session.is_done() && session.state().tick < 200 {
            tick(&mut session, &Unlimited);
        }
        assert!(session.is_done(), "{shape:?}: {} of {count}", session.arrived());
        for _ in 0..50 {
            tick(&mut session, &Unlimited);
            let moved = session.events().iter().any(|e| matches!(e, Event::Moved { .. }));
            assert!(!moved, "{shape:?}: a settled group moves");
        }
        assert!(matches!(
            session.order_group(&[units[0], units[0]], cell(3, 3), shape),
            Err(GroupError::Twice { .. })
        ));
        assert!(matches!(session.order_group(&units, cell(50, 3), shape), Err(GroupError::Slots(_))));
        session.remove(holder).unwrap();
        assert!(session.order_group(&[holder], cell(3, 3), shape).is_err());
    }
}

/// An empty world whose planner plans once, or that has none, lets nobody in; that is an error and no more.
#[test]
fn nobody_comes_where_nobody_could_plan_for_it() {
    let scenario = || Scenario::new("none", Grid::empty(4, 4).unwrap(), Rules::default(), vec![]).unwrap();
    let unit = || NewUnit::new(cell(0, 0), Task::Goal(cell(3, 3)));
    let mut unnamed = Session::new(Setup::new(scenario()), &Options::default()).unwrap();
    let mut once = Session::new(Setup::new(scenario()), &Options::planner("hca")).unwrap();
    for (session, why) in [
        (&mut unnamed, OrderError::NoPlanner),
        (&mut once, OrderError::OneShot { planner: "hca".to_owned() }),
    ] {
        let before = session.save();
        assert_eq!(session.add(unit()), Err(why.clone()));
        assert!(session.save() == before, "the world is as it was");
        tick(session, &Unlimited);
        assert!(session.is_done());
        let mut again = Session::resume(&session.save(), 1).unwrap();
        assert_eq!(again.add(unit()), Err(why));
    }
}

/// Who comes later is moved by the planner of the scenario, whatever planner the first unit has.
#[test]
fn newcomers_are_the_default_planners() {
    let agents = vec![throng::core::Agent::new(0, cell(0, 0), Task::Goal(cell(9, 0)))];
    let scenario = Scenario::new("two", Grid::empty(10, 10).unwrap(), Rules::default(), agents).unwrap();
    let setup = Setup {
        planner: Some("whca".to_owned()),
        unit_planners: vec![(AgentId(0), "lra".to_owned())],
        ..Setup::new(scenario)
    };
    let mut session = Session::new(setup.clone(), &Options::default()).unwrap();
    let first = session.unit_id(AgentId(0)).unwrap();
    // Local repair could not move this one.
    let large = NewUnit { body: 2, priority: 1, ..NewUnit::new(cell(0, 5), Task::Goal(cell(8, 5))) };
    session.add(large.clone()).unwrap();
    session.add(NewUnit::new(cell(0, 8), Task::Hold)).unwrap();
    (0..3).for_each(|_| tick(&mut session, &Unlimited));
    session.remove(first).unwrap();
    // Its number is used again, its planner is not.
    let again = session.add(NewUnit { priority: 7, ..NewUnit::new(cell(0, 0), Task::Hold) }).unwrap();
    assert_eq!(again.agent, first.agent);
    let mut twin = Session::resume(&session.save(), 1).unwrap();
    for _ in 0..20 {
        tick(&mut session, &Unlimited);
        tick(&mut twin, &Unlimited);
        assert_eq!(session.state(), twin.state());
    }
    assert!(session.is_done());
    // One that plans everything in advance cannot be the planner of those who come later.
    let once = Setup { planner: Some("hca".to_owned()), ..setup };
    let mut session = Session::new(once, &Options::default()).unwrap();
    assert_eq!(session.add(large), Err(OrderError::OneShot { planner: "hca".to_owned() }));
    tick(&mut session, &Unlimited);
}

/// Each kind of nonsense has its own error.
#[test]
fn each_kind_of_nonsense_is_named() {
    use ScenarioError as E;
    let rows = ["......@....", "......@....", "......@....", "......@....", ".....@@....", "......@...."];
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let scenario = Scenario::new("walls", Grid::from_rows(&rows).unwrap(), rules, vec![]).unwrap();
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca")).unwrap();
    let agent = AgentId(0);
    let new = || NewUnit::new(cell(1, 1), Task::Goal(cell(3, 3)));
    let runs = |run, period| NewUnit { motion: Motion::Gaits { run }, period, ..new() };
    let drives = |radius| NewUnit { motion: Motion::Car { radius, heading: Dir::E }, ..new() };
    let before = session.save();
    for (unit, why) in [
        (NewUnit { body: 0, ..new() }, E::BadBody { agent, body: 0 }),
        (NewUnit { body: 17, ..new() }, E::BadBody { agent, body: 17 }),
        (NewUnit { period: 0, ..new() }, E::BadPeriod { agent, period: 0 }),
        (NewUnit { period: 65, ..new() }, E::BadPeriod { agent, period: 65 }),
        (NewUnit { period: 255, ..new() }, E::BadPeriod { agent, period: 255 }),
        (runs(0, 3), E::BadRun { agent, run: 0, period: 3 }),
        (runs(3, 3), E::BadRun { agent, run: 3, period: 3 }),
        (runs(9, 3), E::BadRun { agent, run: 9, period: 3 }),
        (drives(0), E::BadRadius { agent, radius: 0 }),
        (drives(9), E::BadRadius { agent, radius: 9 }),
    ] {
        assert_eq!(session.add(unit), Err(OrderError::Scenario(why)));
    }
    let unreachable = |to, why| Err(Unreachable { agent, from: cell(1, 1), to, why }.into());
    let to = |to, unit| NewUnit { task: Task::Goal(to), ..unit };
    let large = NewUnit { body: 2, ..new() };
    assert_eq!(session.add(to(cell(8, 1), large)), unreachable(cell(8, 1), NoWay::Walled));
    assert_eq!(session.add(to(cell(8, 1), drives(1))), unreachable(cell(8, 1), NoWay::Walled));
    assert!(session.save() == before, "the world is as it was");
    let unit = session.add(new()).unwrap();
    let twice = session.order_group(&[unit, unit], cell(3, 3), Shape::Block);
    assert_eq!(twice, Err(GroupError::Twice { unit }));
    session.remove(unit).unwrap();
    let gone = || OrderError::NoSuchUnit { unit };
    assert_eq!(session.remove(unit), Err(gone()));
    assert_eq!(session.order(unit, Task::Hold), Err(gone()));
    assert_eq!(session.place(unit, cell(0, 0)), Err(gone()));
    assert_eq!(session.set_priority(unit, 1), Err(gone()));
    assert_eq!(session.order_group(&[unit], cell(3, 3), Shape::Block), Err(GroupError::Order(gone())));
}

/// Where the game has put a unit is a fact, also where it cannot get to its goal from, or its goal has closed. It says
/// so, and goes on when the way opens.
#[test]
fn a_unit_is_taken_up_wherever_it_was_put() {
    for planner in ["whca", "lra"] {
        let mut session = empty(9, 3, Rules::default(), planner);
        let (goal, shut) = (cell(2, 1), cell(8, 1));
        let unit = session.add(NewUnit::new(cell(0, 0), Task::Goal(goal))).unwrap();
        (0..3).for_each(|y| {
            session.close(cell(5, y)).unwrap();
        });
        tick(&mut session, &Unlimited);
        session.place(unit, shut).unwrap();
        (0..5).for_each(|_| tick(&mut session, &Unlimited));
        let cause = session.explain(unit.agent).unwrap().cause;
        assert_eq!(cause, Cause::NoWay { from: shut, to: goal }, "{planner}");
        let mut session = Session::resume(&session.save(), 1).unwrap();
        session.open(cell(5, 0)).unwrap();
        session.close(goal).unwrap();
        session.place(unit, cell(7, 2)).unwrap();
        (0..5).for_each(|_| tick(&mut session, &Unlimited));
        let cause = session.explain(unit.agent).unwrap().cause;
        assert!(matches!(cause, Cause::NoWay { to, .. } if to == goal), "{planner}: {cause:?}");
        assert!(!session.is_done());
        session.open(goal).unwrap();
        (0..30).for_each(|_| tick(&mut session, &Unlimited));
        assert!(session.is_done(), "{planner}: {:?}", session.explain(unit.agent));
        // Onto walls and onto others it is not put.
        let other = session.add(NewUnit::new(cell(0, 0), Task::Goal(cell(0, 0)))).unwrap();
        let taken = OrderError::Taken { cell: cell(0, 0), by: other.agent };
        assert_eq!(session.place(unit, cell(0, 0)), Err(taken));
        let wall = session.place(unit, cell(5, 1));
        assert!(matches!(wall, Err(OrderError::Scenario(ScenarioError::Blocked { .. }))), "{wall:?}");
    }
}

/// A priority changes in the middle of a task, and the task goes on.
#[test]
fn priorities_change() {
    let mut session = empty(20, 3, Rules::default(), "whca");
    let list = Task::Goals(vec![cell(3, 1), cell(19, 1)]);
    let unit = session.add(NewUnit::new(cell(0, 1), list.clone())).unwrap();
    (0..8).for_each(|_| tick(&mut session, &Unlimited));
    assert_eq!(session.unit(unit).unwrap().leg, 1);
    session.set_priority(unit, 5).unwrap();
    let agent = session.scenario().agent(unit.agent);
    assert_eq!((agent.priority, &agent.task, session.unit(unit).unwrap().leg), (5, &list, 1));
    (0..11).for_each(|_| tick(&mut session, &Unlimited));
    assert!(session.is_done(), "it has lost no time");
}

/// More priorities than can be told apart are refused; those of units that have left or changed theirs do not count.
#[test]
fn too_many_priorities_are_refused() {
    let most = throng::planners::registry::support("whca").unwrap().most_priorities.unwrap();
    let mut session = empty(40, 3, Rules::default(), "whca");
    let unit = |k: usize, priority| {
        let x = k as i32;
        NewUnit { priority, ..NewUnit::new(cell(x, 0), Task::Goal(cell(x, 2))) }
    };
    let units: Vec<_> = (0..most).map(|k| session.add(unit(k, 2 * k as i32)).unwrap()).collect();
    tick(&mut session, &Unlimited);
    let need = throng::core::Need::MorePriorities { most };
    let refused = OrderError::Unsupported { planner: "whca".into(), need };
    assert_eq!(
        refused.to_string(),
        format!("planner whca does not support more than {most} different priorities")
    );
    assert_eq!(session.add(unit(most, 1)), Err(refused.clone()));
    let fellow = session.add(unit(most, 0)).unwrap();
    assert_eq!(session.set_priority(fellow, 7), Err(refused.clone()));
    // Whoever changes its own makes room for it, again and again.
    session.remove(units[1]).unwrap();
    for priority in 100..200 {
        session.set_priority(units[0], priority).unwrap();
        tick(&mut session, &Unlimited);
    }
    session.set_priority(fellow, 7).unwrap();
    let mut agents: Vec<_> = session.scenario().agents().to_vec();
    agents[1].priority = 3;
    let scenario = Scenario::new("many", Grid::empty(40, 3).unwrap(), Rules::default(), agents);
    let refused = Session::new(Setup::new(scenario.unwrap()), &Options::planner("whca"));
    assert!(matches!(refused, Err(throng::Error::Unsupported { need: found, .. }) if found == need));
}

/// Where the game has turned a car as well as pushed it, it goes on from that heading.
#[test]
fn cars_are_placed_with_a_heading() {
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let mut session = empty(9, 2, rules, "whca");
    // One cell wide: it can only drive ahead and back.
    for x in 0..9 {
        session.close(cell(x, 1)).unwrap();
    }
    let motion = Motion::Car { radius: 2, heading: Dir::E };
    let car = session.add(NewUnit { motion, ..NewUnit::new(cell(0, 0), Task::Goal(cell(8, 0))) }).unwrap();
    tick(&mut session, &Unlimited);
    session.place_facing(car, cell(3, 0), Dir::N).unwrap();
    let rests = |session: &mut Session| {
        (0..12).for_each(|_| tick(session, &Unlimited));
        session.rests(car.agent)
    };
    assert!(!rests(&mut session), "it cannot turn");
    let cause = session.explain(car.agent).unwrap().cause;
    assert_eq!(cause, Cause::NoWay { from: cell(3, 0), to: cell(8, 0) });
    let before = session.save();
    let askew = session.place_facing(car, cell(3, 0), Dir::NE);
    let bad = ScenarioError::BadHeading { agent: car.agent, heading: Dir::NE };
    assert_eq!(askew, Err(OrderError::Scenario(bad)));
    assert!(session.save() == before, "the world is as it was");
    session.place_facing(car, cell(3, 0), Dir::W).unwrap();
    assert!(rests(&mut session), "it drives back");
    assert_eq!(session.unit(car).unwrap().pose, Dir::W as u8);
    let walker = session.add(NewUnit::new(cell(0, 0), Task::Hold)).unwrap();
    let refused = session.place_facing(walker, cell(1, 0), Dir::E);
    assert_eq!(refused, Err(OrderError::NoHeading { unit: walker }));
}

/// Many new orders within a small budget: whoever knows its way goes on. Once, everybody stood until all the new
/// distances had been found.
#[test]
fn new_orders_do_not_stop_those_who_know_their_way() {
    let mut session = empty(64, 64, Rules::default(), "whca(window=16)");
    let patrol = Task::Patrol { goal: Cell::new(40, 0), rounds: 1_000 };
    session.add(NewUnit::new(Cell::new(0, 0), patrol)).unwrap();
    for _ in 0..200 {
        tick(&mut session, &Unlimited);
    }
    for k in 0..50 {
        let goal = Cell::new(63 - k, 63);
        session.add(NewUnit::new(Cell::new(k, 2), Task::Goal(goal))).unwrap();
    }
    let (mut stood, mut longest) = (0, 0);
    for _ in 0..600 {
        let before = session.state().units[0].at;
        tick(&mut session, &Expansions(500));
        stood = if session.state().units[0].at == before { stood + 1 } else { 0 };
        longest = longest.max(stood);
    }
    assert!(longest < 30, "it stood for {longest} ticks");
    assert!(session.is_done() || session.state().units[1..].iter().all(|unit| unit.leg > 0));
}
