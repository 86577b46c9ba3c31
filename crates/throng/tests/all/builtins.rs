//! The built-in scenarios show what they are meant to show.

use crate::kit::{session, watched};
use throng::check::check_step;
use throng::core::{Agent, Cell, Event, Expansions, Need, Scenario, Tick, Unlimited, Unobserved};
use throng::group::Shape;
use throng::planners::registry;
use throng::worlds::{BUILTINS, builtin};
use throng::{Error, LowerBounds, Options, Session};

/// What came out of a run of a built-in scenario.
#[derive(Debug)]
struct Run {
    arrived: usize,
    failed: u64,
    makespan: Tick,
    bound: Tick,
}

/// Runs under a planner, or the scenario's own, with the judge watching every tick; all that is drawn at random comes from the one
/// seed, as on the command line.
fn run(name: &str, seed: u64, planner: Option<&str>) -> Run {
    let setup = builtin(name, seed).expect("it is built in");
    let bound = LowerBounds::of(&setup.scenario).expect("everybody can arrive").makespan;
    let ticks = setup.ticks.expect("built-in scenarios end");
    let options = Options { seed, ..planner.map_or_else(Options::default, Options::planner) };
    let mut session = Session::new(setup, &options).expect("a planner");
    let report = watched(&mut session, ticks, &Unlimited);
    Run { arrived: session.arrived(), failed: report.failed_moves, makespan: report.makespan, bound }
}

/// Forty of forty cross, nobody loses a move, and nobody has to wait for long: the last arrives within 1.5
/// times the longest way. Under local repair the bridge jams.
#[test]
fn the_bridge_jams_only_without_cooperation() {
    for seed in 0..20 {
        let cooperative = run("bridge", seed, None);
        assert_eq!((cooperative.arrived, cooperative.failed), (40, 0), "seed {seed}");
        let within = 2 * cooperative.makespan <= 3 * cooperative.bound;
        assert!(within, "seed {seed}: {cooperative:?}");
        let repair = run("bridge", seed, Some("lra"));
        let worse = repair.arrived < 40 || repair.failed >= 10;
        assert!(worse, "seed {seed}: {repair:?}");
    }
}

/// The bridge is crossed at any budget from a tiny one on, which without a limit takes about a thousand expansions a
/// tick: the less there is, the later.
#[test]
fn the_bridge_is_crossed_within_any_budget() {
    for (budget, within) in [(100, 4000), (300, 500), (1000, 250), (4000, 250)] {
        let setup = builtin("bridge", 0).expect("it is built in");
        let mut session = Session::new(setup, &Options::default()).expect("a planner");
        let report = watched(&mut session, within, &Expansions(budget));
        assert_eq!((session.arrived(), report.failed_moves), (40, 0), "{budget}");
    }
}

/// Two units that see too little of each other's way push each other off their goals until time is up. With promotion (`patience`) and
/// a window of 8 one of them, driven from its goal again and again, goes around the other in the end; with a window of 16 both arrive
/// at once.
#[test]
fn the_pushers_need_to_look_ahead() {
    for seed in 0..5 {
        for short in ["whca(window=4,rescue=off)", "whca(window=8,patience=0,rescue=off)"] {
            let run = run("pushers", seed, Some(short));
            assert!(run.arrived < 2, "{short} seed {seed}: {run:?}");
        }
        let late = run("pushers", seed, Some("whca(window=8)"));
        assert_eq!(late.arrived, 2, "seed {seed}: {late:?}");
        for far in ["whca(window=16)", "whca(window=16,patience=0)"] {
            let run = run("pushers", seed, Some(far));
            assert_eq!(run.arrived, 2, "{far} seed {seed}: {run:?}");
            assert!(2 * run.makespan < late.makespan, "{far} seed {seed}: {run:?}, {late:?}");
        }
    }
}

/// Under its own planner everybody arrives in every built-in scenario, with no violation at any tick and no
/// cancelled move: `town` with its hero, wagons, elephant and guards included. Only those with a planner of their own, who
/// do not know the plans of the others, may run into them now and then. At seed 1 the surveyors of `town` lost patience with the
/// sentries in the gates a tick or two before those made way for them, went to the other gate and came back, for ever.
#[test]
fn everybody_arrives_everywhere() {
    for &(name, _) in BUILTINS {
        for seed in 0..5 {
            let setup = builtin(name, seed).expect("it is built in");
            if setup.scenario.stream().is_some() {
                continue;
            }
            let (units, strangers) = (setup.scenario.agents().len(), setup.unit_planners.len());
            let run = run(name, seed, None);
            assert_eq!(run.arrived, units, "{name} seed {seed}: {run:?}");
            // Whoever stands in others' way on purpose runs into them, and who meets it may lose a move.
            let few = run.failed as usize <= 5 * strangers;
            assert!(few || name == "rivals", "{name} seed {seed}: {run:?}");
        }
    }
}

/// Town under other windows: not everybody need arrive, but nothing illegal happens at any tick.
#[test]
fn town_is_legal_under_every_window() {
    for planner in ["whca(window=4)", "whca(window=8,replan=1,first=spread)", "whca(patience=0,courtesy=0)"] {
        let mut session = session(builtin("town", 1).expect("it is built in"), planner);
        watched(&mut session, 400, &Unlimited);
    }
}

/// Who cannot move an elephant says so, and what is missing.
#[test]
fn town_is_refused_by_who_cannot_move_large_bodies() {
    for entry in registry::all().iter().filter(|entry| entry.support.largest_body < 3) {
        let town = builtin("town", 0).expect("it is built in");
        let refused = Session::new(town, &Options::planner(entry.name)).expect_err(entry.name);
        // Who plans for everybody at once cannot do so beside surveyors, who do not say where they go.
        if let Error::OneShotShared { planner, .. } = &refused {
            assert_eq!(planner, entry.name);
            continue;
        }
        let Error::Unsupported { planner, need } = refused else { panic!("{}: {refused}", entry.name) };
        assert_eq!(planner, entry.name);
        // Who plans in advance or moves in whole ticks only has another reason to refuse.
        let other = if entry.support.metric { Need::Body(3) } else { Need::Metric };
        let other = if entry.support.teams { other } else { Need::Teams };
        assert_eq!(need, if entry.support.closings { other } else { Need::Closings });
    }
}

/// The town as it lives: while the entrances of the park close and open, the people of the market, halfway there, are
/// ordered to its middle together. Every tick is judged, everybody arrives, and no move is lost but for those who do not know each
/// other's plans: surveyors, and whoever meets one.
#[test]
fn town_lives_with_doors_and_orders_to_groups() {
    for seed in 0..3 {
        let mut session = session(builtin("town", seed).expect("it is built in"), "whca(window=16)");
        let agents = session.scenario().agents().iter();
        let west = |agent: &Agent| agent.period == 2 && agent.start.x < 22 && agent.waypoints().last().x > 29;
        let crowd = agents.filter(|agent| west(agent)).filter_map(|agent| session.unit_id(agent.id));
        let crowd: Vec<_> = crowd.collect();
        assert_eq!(crowd.len(), 12);
        let (mut closings, mut failed) = (0, 0);
        while !session.is_done() && session.state().tick < 3000 {
            let now = session.state().tick;
            if now == 150 {
                let goal = Cell::new(35, 10);
                session.order_group(&crowd, goal, Shape::Block).expect("there is room in the park");
            }
            let before = session.state().clone();
            for event in session.tick(&Unlimited, &mut Unobserved) {
                failed += u32::from(matches!(event, Event::Failed { .. }));
                closings += u32::from(matches!(event, Event::Closed { .. }));
            }
            let wrong = check_step(session.scenario(), &before, session.state());
            assert!(wrong.is_empty(), "seed {seed} tick {now}: {wrong:?}");
        }
        let late: Vec<_> = session.units().filter_map(|unit| session.explain(unit.agent)).collect();
        let late: Vec<_> = late.iter().filter(|why| why.cause.is_stuck()).map(ToString::to_string).collect();
        assert!(session.is_done(), "seed {seed}: {late:#?}");
        assert!(closings >= 3, "seed {seed}: {closings}");
        let strangers = session.scenario().agents().iter().filter(|agent| agent.team != 0).count();
        assert!(failed as usize <= 5 * strangers, "seed {seed}: {failed}");
    }
}

/// Those who stand in others' way keep them from their goals for a while: without them the crowd is through sooner.
#[test]
fn rivals_are_in_the_way() {
    let mut later = 0;
    for seed in 0..5 {
        let setup = builtin("rivals", seed).expect("it is built in");
        let mut alone = setup.clone();
        alone.unit_planners.clear();
        let agents = setup.scenario.agents().iter().filter(|agent| agent.team == 0).cloned().collect();
        let (grid, rules) = (setup.scenario.grid().clone(), setup.scenario.rules());
        alone.scenario = Scenario::new("alone", grid, rules, agents).expect("fewer are no problem");
        let ticks = [setup, alone].map(|setup| {
            let mut session = Session::new(setup, &Options::default()).expect("a planner");
            watched(&mut session, 600, &Unlimited);
            let crowd = session.scenario().agents().iter().filter(|agent| agent.team == 0);
            assert!(crowd.clone().all(|agent| session.has_arrived(agent.id)), "seed {seed}");
            session.state().tick
        });
        assert!(ticks[0] > ticks[1], "seed {seed}: {ticks:?}");
        later += ticks[0] - ticks[1];
    }
    assert!(later >= 5 * 20, "{later}");
}
