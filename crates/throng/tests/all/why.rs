//! Why a unit is stuck, as data: the blocker, the reservation or the missing way, and since when.

use crate::kit::{session, tick, watched};
use throng::core::{
    Agent, AgentId, Cause, Cell, Connectivity, Expansions, Explanation, Grid, Rules, Scenario, Setup, Task,
    Timing, Unlimited,
};
use throng::worlds::builtin;
use throng::{History, Options, Session};

fn goal(id: u32, start: (i32, i32), goal: (i32, i32)) -> Agent {
    let [start, goal] = [start, goal].map(|(x, y)| Cell::new(x, y));
    Agent::new(id, start, Task::Goal(goal))
}

fn hold(id: u32, (x, y): (i32, i32)) -> Agent {
    Agent::new(id, Cell::new(x, y), Task::Hold)
}

fn world(rows: &[&str], rules: Rules, agents: Vec<Agent>) -> Setup {
    Setup::new(Scenario::new("why", Grid::from_rows(rows).unwrap(), rules, agents).unwrap())
}

fn why(session: &Session, agent: u32) -> Explanation {
    session.explain(AgentId(agent)).expect("there is such a unit")
}

/// The chain as numbers, and where it closes.
fn chain(session: &Session, agent: u32) -> (Vec<u32>, Option<usize>) {
    let chain = session.why(AgentId(agent));
    (chain.links.iter().map(|link| link.agent.0).collect(), chain.cycle)
}

#[test]
fn who_is_blocked_by_a_holder_names_it_and_the_cell_and_since_when() {
    for planner in ["whca", "whca(patience=0)", "whca(window=12)", "collective"] {
        let agents = vec![goal(0, (0, 0), (5, 0)), hold(1, (3, 0))];
        let mut session = session(world(&["......"], Rules::default(), agents), planner);
        watched(&mut session, 1, &Unlimited);
        let (mut history, mut nearest) = (History::new(AgentId(0)), (-1, 0));
        while session.state().tick < 60 {
            history.note(&session);
            let x = why(&session, 0).at.x;
            nearest = if x > nearest.0 { (x, session.state().tick) } else { nearest };
            tick(&mut session, &Unlimited);
        }
        let (_, came) = nearest;
        let told = why(&session, 0);
        assert_eq!(told.cause, Cause::Occupied { blocker: AgentId(1), cell: Cell::new(3, 0) }, "{planner}");
        assert_eq!((told.agent, told.goal), (AgentId(0), Cell::new(5, 0)));
        let (at, since) = (told.at, told.since);
        let words = "blocked by unit 1, which stands at (3,0); no nearer to (5,0) since tick";
        assert_eq!(told.to_string(), format!("unit 0 at {at}: {words} {since}"));
        // Its planner looks only when the unit plans; a history looks every tick.
        let last = history.periods().last().unwrap();
        assert_eq!((&last.why.cause, last.why.since), (&told.cause, came), "{planner}");
        assert_eq!(chain(&session, 0), (vec![0, 1], None));
        assert_eq!(session.why(AgentId(0)).links[1].cause, Cause::Holds);
    }
}

/// Under local repair the executor tells who cancelled the move, or the unit sees who is beside it.
#[test]
fn local_repair_names_the_holder_too() {
    let agents = vec![goal(0, (0, 0), (5, 0)), hold(1, (3, 0))];
    let mut session = session(world(&["......"], Rules::default(), agents), "lra");
    watched(&mut session, 2, &Unlimited);
    for _ in 0..20 {
        tick(&mut session, &Unlimited);
        let why = why(&session, 0);
        assert_eq!(why.cause.blocker(), Some(AgentId(1)), "{why}");
        assert_eq!(why.since, 2, "{why}");
    }
}

#[test]
fn who_is_walled_in_has_no_way() {
    let rows = [".....", "..@.."];
    for planner in ["lra", "dlite", "pra", "whca"] {
        let agents = vec![goal(0, (0, 0), (1, 1)), goal(1, (0, 1), (4, 1))];
        let mut session = session(world(&rows, Rules::default(), agents), planner);
        session.close(Cell::new(2, 0)).unwrap();
        watched(&mut session, 10, &Unlimited);
        let no_way = Cause::NoWay { from: Cell::new(0, 1), to: Cell::new(4, 1) };
        assert_eq!((why(&session, 1).cause, why(&session, 1).since), (no_way, 0), "{planner}");
        assert_eq!(chain(&session, 1), (vec![1], None));
        assert_eq!(why(&session, 0).cause, Cause::Rests, "{planner}");
    }
}

/// A door closes behind the unit that was to go through it.
#[test]
fn who_is_shut_out_has_no_way_until_the_door_opens() {
    for planner in ["lra", "dlite", "pra", "whca", "collective"] {
        let rows = ["@@.@@", ".....", "@@.@@"];
        let mut session = session(world(&rows, Rules::default(), vec![goal(0, (0, 1), (4, 1))]), planner);
        session.close(Cell::new(3, 1)).unwrap();
        for _ in 0..3 {
            tick(&mut session, &Unlimited);
        }
        assert!(matches!(why(&session, 0).cause, Cause::NoWay { .. }), "{planner}");
        session.open(Cell::new(3, 1)).unwrap();
        tick(&mut session, &Unlimited);
        assert_eq!(why(&session, 0).cause, Cause::OnItsWay { ticks: 3 }, "{planner}");
    }
}

#[test]
fn a_head_on_jam_is_a_cycle() {
    // Under `whca` they would step back and forth if there were room.
    for (planner, row, last) in
        [("lra", "........", 7), ("lra", "..", 1), ("whca", "..", 1), ("whca(patience=0)", "..", 1)]
    {
        let agents = vec![goal(0, (0, 0), (last, 0)), goal(1, (last, 0), (0, 0))];
        let mut session = session(world(&[row], Rules::default(), agents), planner);
        watched(&mut session, 30, &Unlimited);
        for _ in 0..10 {
            tick(&mut session, &Unlimited);
            assert_eq!(chain(&session, 0), (vec![0, 1], Some(0)), "{planner}: {}", session.why(AgentId(0)));
            assert_eq!(chain(&session, 1), (vec![1, 0], Some(0)), "{planner}: {}", session.why(AgentId(1)));
            assert!(why(&session, 0).since < 4, "{planner}: {}", why(&session, 0));
        }
        let told = session.why(AgentId(0));
        assert_eq!(told.jam().len(), 2);
        assert!(told.to_string().ends_with("leads back to unit 0: they keep each other"), "{told}");
    }
}

/// The last of a queue waits for the one before it, and so on to the one that nobody keeps but an order.
#[test]
fn a_queue_is_a_chain() {
    let agents =
        vec![hold(0, (3, 0)), goal(1, (2, 0), (6, 0)), goal(2, (1, 0), (5, 0)), goal(3, (0, 0), (4, 0))];
    let mut session = session(world(&["......."], Rules::default(), agents), "whca(patience=0)");
    watched(&mut session, 40, &Unlimited);
    assert_eq!(chain(&session, 3), (vec![3, 2, 1, 0], None), "{}", session.why(AgentId(3)));
    let waits = session.why(AgentId(3)).links;
    assert!(waits.iter().all(|link| link.since == 0), "{waits:?}");
    assert_eq!(waits[0].cause, Cause::Occupied { blocker: AgentId(2), cell: Cell::new(1, 0) });
}

#[test]
fn who_rests_says_so() {
    for planner in ["lra", "dlite", "pra", "ca", "hca", "whca", "collective"] {
        let agents = vec![goal(0, (0, 0), (3, 0)), goal(1, (4, 0), (4, 0))];
        let mut session = session(world(&["....."], Rules::default(), agents), planner);
        assert_eq!(why(&session, 0).cause, Cause::AwaitsPlanner, "{planner}");
        tick(&mut session, &Unlimited);
        assert_eq!(why(&session, 0).cause, Cause::OnItsWay { ticks: 2 }, "{planner}");
        for _ in 0..9 {
            tick(&mut session, &Unlimited);
        }
        assert_eq!((why(&session, 0).cause, why(&session, 0).since), (Cause::Rests, 3), "{planner}");
        assert_eq!((why(&session, 1).cause, why(&session, 1).since), (Cause::Rests, 0), "{planner}");
    }
}

#[test]
fn without_a_budget_everybody_waits_for_the_planner() {
    for planner in ["lra", "dlite", "pra", "whca", "whca(window=4,first=spread)", "collective"] {
        let agents = vec![goal(0, (0, 0), (3, 0)), goal(1, (0, 1), (3, 1))];
        let mut session = session(world(&["....", "...."], Rules::default(), agents), planner);
        watched(&mut session, 10, &Expansions(0));
        for agent in [0, 1] {
            let why = why(&session, agent);
            assert_eq!((why.cause, why.since), (Cause::AwaitsPlanner, 0), "{planner}");
        }
        tick(&mut session, &Unlimited);
        assert!(!matches!(why(&session, 0).cause, Cause::AwaitsPlanner) || planner.contains("spread"));
    }
}

/// A plan of `hca` lets a unit wait: it says for whom, where and from when on.
#[test]
fn who_waits_by_plan_says_for_whom() {
    // 1 has the longer way and must go into the bay's mouth; 0 lets it pass.
    let rows = ["@@.@@@@", ".......", "@@@@@@@"];
    let agents = vec![goal(0, (0, 1), (6, 1)), goal(1, (6, 1), (0, 1))];
    for planner in ["ca", "hca"] {
        let mut session = session(world(&rows, Rules::default(), agents.clone()), planner);
        let mut histories = [0, 1].map(|agent| History::new(AgentId(agent)));
        while !session.is_done() && session.state().tick < 40 {
            tick(&mut session, &Unlimited);
            histories.iter_mut().for_each(|history| history.note(&session));
        }
        assert!(session.is_done());
        let waits =
            histories.iter().flat_map(History::periods).filter_map(|period| period.why.cause.blocker());
        let waits: Vec<_> = waits.collect();
        assert!(!waits.is_empty(), "{planner}: one of them has to wait");
    }
}

/// A unit of higher priority comes: who steps out of its way says so.
#[test]
fn who_steps_aside_names_for_whom() {
    let rows = ["@@@.@@@@", "........"];
    let hero = Agent { priority: 1, ..goal(0, (0, 1), (7, 1)) };
    let mut session = session(world(&rows, Rules::default(), vec![hero, goal(1, (4, 1), (4, 1))]), "whca");
    let mut history = History::new(AgentId(1));
    while !session.is_done() && session.state().tick < 40 {
        tick(&mut session, &Unlimited);
        history.note(&session);
    }
    assert!(session.is_done());
    let causes: Vec<_> = history.periods().iter().map(|period| period.why.cause.clone()).collect();
    assert!(causes.contains(&Cause::GivesWay { to: AgentId(0) }), "{causes:?}");
    assert_eq!(causes.last(), Some(&Cause::Rests));
}

/// Large bodies under metric timing: the cell named is one of the holder's.
#[test]
fn large_bodies_are_named_too() {
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let wagon = Agent { body: 2, period: 3, ..goal(0, (0, 0), (8, 0)) };
    let post = Agent { body: 2, period: 3, ..hold(1, (2, 0)) };
    let mut session = session(world(&["..........", ".........."], rules, vec![wagon, post]), "whca");
    watched(&mut session, 60, &Unlimited);
    let why = why(&session, 0);
    assert_eq!(why.cause, Cause::Occupied { blocker: AgentId(1), cell: Cell::new(2, 0) });
    assert_eq!((why.at, why.since), (Cell::new(0, 0), 0));
}

/// Who has left says so, and who comes with its number is another.
#[test]
fn who_has_left_is_gone() {
    let agents = vec![goal(0, (0, 0), (3, 0)), goal(1, (0, 1), (3, 1))];
    let mut session = session(world(&["....", "...."], Rules::default(), agents), "whca");
    tick(&mut session, &Unlimited);
    session.remove(session.unit_id(AgentId(1)).unwrap()).unwrap();
    tick(&mut session, &Unlimited);
    assert_eq!((why(&session, 1).cause, why(&session, 1).since), (Cause::Gone, 1));
    assert_eq!(session.explain(AgentId(2)), None);
    assert!(session.why(AgentId(2)).links.is_empty());
}

/// Asking changes nothing, answers always, and a session that goes on from a save answers the same as long as no
/// move was cancelled in the very last tick, which no state holds.
#[test]
fn everybody_has_an_explanation_at_every_tick() {
    for (world, planner, budget) in [
        ("bridge", "whca(window=8)", u64::MAX),
        ("bridge", "whca(window=8)", 300),
        ("bridge", "lra", u64::MAX),
        ("bridge", "hca", u64::MAX),
        ("hallway", "ca", u64::MAX),
        ("pushers", "whca(window=8)", u64::MAX),
        ("bridge", "collective", u64::MAX),
        ("doorway", "collective", 100),
    ] {
        let setup = builtin(world, 1).expect("it is built in");
        let mut session = Session::new(setup.clone(), &Options::planner(planner)).unwrap();
        let mut unasked = Session::new(setup, &Options::planner(planner)).unwrap();
        let agents = session.scenario().agents().len() as u32;
        while !session.is_done() && session.state().tick < 90 {
            let resumed = Session::resume(&session.save(), 1).unwrap();
            for agent in 0..agents {
                let told = why(&session, agent);
                assert!(told.since <= session.state().tick, "{told}");
                assert_ne!(told.cause.blocker(), Some(told.agent), "{told}");
                if !matches!(told.cause, Cause::Cancelled { .. }) {
                    assert_eq!(told, why(&resumed, agent), "{world} {planner}");
                }
                let chain = session.why(AgentId(agent));
                assert!(chain.links.len() <= agents as usize);
                for pair in chain.links.windows(2) {
                    assert_eq!(pair[0].cause.blocker(), Some(pair[1].agent));
                }
            }
            tick(&mut session, &Expansions(budget));
            tick(&mut unasked, &Expansions(budget));
            assert_eq!(session.state(), unasked.state());
        }
    }
}

/// Periods follow each other without gaps, and each is another trouble than the one before.
#[test]
fn a_history_has_no_gaps() {
    let mut session = session(builtin("bridge", 0).expect("it is built in"), "lra");
    let mut history = History::new(AgentId(3));
    while session.state().tick < 100 {
        history.note(&session);
        tick(&mut session, &Unlimited);
    }
    let periods = history.periods();
    assert_eq!((periods[0].from, periods[periods.len() - 1].until), (0, 99));
    for pair in periods.windows(2) {
        assert_eq!(pair[0].until + 1, pair[1].from);
        assert!(!pair[1].why.cause.continues(&pair[0].why.cause), "{} and {}", pair[0], pair[1]);
    }
}
