//! Every case of the corpus × every planner × every combination that the planner supports.

use crate::kit::Time;
use std::collections::BTreeMap;
use throng::check::{Expect, check_plan, check_trace};
use throng::core::{
    Action, Agent, AgentId, Cell, Expansions, Outcome, Path, Plan, Reason, Scenario, Setup, Tick, Trace,
    Unobserved,
};
use throng::planners::registry;
use throng::sim::Recorder;
use throng::{Error, Options, Session, Unreachable, solve};
use throng_testkit::{corpus, lower_bounds};

/// Enough for every case that a planner can solve at all; the largest solved one takes far less.
const BUDGET: Expansions = Expansions(300_000);

/// How many of the feasible combinations each planner must solve, by time: (planner, uniform, hold both,
/// metric). "Feasible" is by the graph rules; under the two stricter rules some of them have no plan (a full
/// ring cannot rotate), so those numbers can never reach the first. A planner that does better than its
/// row is welcome: raise the row.
const LEAST: &[(&str, usize, usize, usize)] = &[
    // Of 117: everybody for itself, so most cases in which somebody has to give way are lost.
    ("lra", 68, 55, 54),
    // Of 117: the same with ways that are mended, and shorter detours.
    ("dlite", 67, 53, 54),
    // Of none: nobody explores here (`exploring` has its own worlds).
    ("explore", 0, 0, 0),
    // Of 117: as local repair, for there is only one team.
    ("blocker", 68, 55, 54),
    // Of 117: the same with ways from coarse maps.
    ("pra", 67, 56, 53),
    // Of 117: whole paths one after the other, mended by promotions; a unit that has arrived never steps
    // aside and comes back.
    ("ca", 103, 87, 86),
    // Of 117: the same with another guide, which breaks ties in other ways.
    ("hca", 102, 87, 86),
    // Of 117: units step aside and come back, and promotions free those that are stuck.
    ("whca", 117, 100, 100),
    // Of 117: the same by distances on a coarser level, where the map has one.
    ("whca(abstraction=1)", 110, 93, 92),
    // Of 117: the same within corridors.
    ("cpra", 111, 98, 96),
    // Of 117: the same without what goes beyond the article.
    ("cpra(crowd=0,window=full)", 111, 98, 96),
    // Of 117: local repair around all in view, on a map that has hardly begun to learn.
    ("dm", 82, 74, 74),
    ("dm(sector=4)", 83, 74, 75),
    // Of 117: the same on coarse maps.
    ("pra(wmax=10)", 66, 56, 51),
    // Of 117: one step ahead, and around no wall.
    ("dm-greedy", 42, 39, 39),
    // Of 117: windows along lanes that hardly anybody has made yet.
    ("dm-whca", 115, 100, 99),
    // Of 117: a few cells ahead, in the order of delay.
    ("collective", 116, 90, 90),
    // Of 117: the same in flocks, the larger first; nobody waits on a crossing.
    ("flock", 114, 90, 90),
    // Of 117: one step ahead, and planned anew around all who stand anywhere.
    ("flock(conflict=replan)", 69, 52, 55),
    ("flock(conflict=tiles)", 114, 91, 87),
    // Of 117: one step ahead; whole steps only.
    ("pibt", 113, 0, 0),
    // Of 117: the same, and a search over placements where all are to rest. Whole steps only.
    ("rt-lacam", 117, 0, 0),
    // Of 117: what is left of it without rescue.
    ("whca(rescue=off)", 117, 100, 100),
    ("cpra(rescue=off)", 111, 98, 96),
    ("dm(rescue=off)", 82, 74, 74),
    ("dm-whca(rescue=off)", 115, 100, 99),
    // Of those with four moves: operations of three actions, and nobody exchanges places in corridors.
    ("epibt", 52, 0, 0),
    // Of those without lists and patrols all: it is complete. Whole steps only.
    ("lacam", 99, 0, 0),
    // The same, made better.
    ("lns", 99, 0, 0),
    // Of those without lists and patrols: collisions of ways that nobody has agreed on, repaired.
    ("lns(from=none)", 84, 0, 0),
    // Plans of windows, also those that did not bring everybody there.
    ("lns(from=whca)", 99, 0, 0),
    // The same, at the least cost. The best plans of 2 crowds take more than the budget.
    ("cbs", 97, 0, 0),
    // The same, at a little more.
    ("cbs(suboptimality=1.2)", 99, 0, 0),
];

#[test]
fn every_planner_runs_the_corpus() {
    let mut solved: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut feasible = [0; 3];
    for case in corpus() {
        for connectivity in case.connectivities() {
            let expected = case.expected(connectivity).expect("the corpus knows something about every case");
            for (place, time) in Time::ALL.into_iter().enumerate() {
                let scenario =
                    case.scenario_with(time.rules(connectivity), |agent| agent.period = time.period());
                let bounds = lower_bounds(&scenario);
                feasible[place] += usize::from(expected.feasible);
                for &(spec, ..) in LEAST {
                    let what = format!("{} {connectivity:?} {time:?} {spec}", case.name);
                    let entry = registry::find(spec).expect(spec);
                    if registry::fits(spec, &scenario, &registry::Context::default()).is_err() {
                        continue; // Skipped: there is no such level.
                    }
                    if entry.support.gap(&scenario).is_some() {
                        continue; // Skipped: the planner says itself that it does not support this.
                    }
                    let outcome = outcome(&scenario, spec, &what);
                    match &outcome {
                        Outcome::Solved(plan) => {
                            let report = check_plan(&scenario, plan);
                            assert!(report.is_valid(), "{what}: {report}");
                            assert!(expected.feasible, "{what}: solved, but there is no plan");
                            let (soc, makespan) = match (time, bounds) {
                                (Time::Uniform, _) => (expected.least_soc(), expected.least_makespan()),
                                (_, Some(bounds)) => (bounds.soc, bounds.makespan),
                                (_, None) => panic!("{what}: solved, but somebody cannot get there"),
                            };
                            assert!(report.soc >= soc, "{what}: soc {} below {soc}", report.soc);
                            let least = report.makespan >= makespan;
                            assert!(least, "{what}: makespan {} below {makespan}", report.makespan);
                            if entry.guarantee.optimal {
                                let most = if spec == entry.name { 10 } else { 12 };
                                let dear = expected.soc.is_some_and(|least| 10 * report.soc > most * least);
                                assert!(!dear, "{what}: soc {} of {:?}", report.soc, expected.soc);
                            }
                            solved.entry(spec).or_default()[place] += 1;
                        }
                        Outcome::Infeasible { .. } => {
                            assert!(!expected.feasible, "{what}: infeasible, but there is a plan");
                        }
                        Outcome::Partial { .. } | Outcome::OutOfBudget { .. } => {
                            // The best plan of a crowd may take for ever; where brute force finds it, it must be found.
                            let crowd = entry.guarantee.optimal && expected.soc.is_none();
                            let excused = !entry.guarantee.complete || !expected.feasible || crowd;
                            assert!(excused, "{what}: {outcome:?}");
                        }
                    }
                }
            }
        }
    }
    println!("feasible {feasible:?}, solved {solved:?}");
    for entry in registry::all() {
        assert!(LEAST.iter().any(|row| row.0 == entry.name), "{} has no row in LEAST", entry.name);
    }
    for &(name, uniform, hold_both, metric) in LEAST {
        let counts = solved.get(name).copied().unwrap_or_default();
        let enough = counts.iter().zip([uniform, hold_both, metric]).all(|(count, least)| *count >= least);
        assert!(
            enough,
            "{name} solves {counts:?} of {feasible:?}, at least {:?}",
            [uniform, hold_both, metric]
        );
    }
}

/// How a planner ends on a case.
fn outcome(scenario: &Scenario, planner: &str, what: &str) -> Outcome {
    let options = Options::planner(planner);
    if scenario.require_distinct_goals().is_err() {
        return run(scenario, &options);
    }
    let solution =
        solve(scenario, &options, &BUDGET, &mut Unobserved).unwrap_or_else(|e| panic!("{what}: {e}"));
    let (mut ours, theirs) = (solution.bounds, lower_bounds(scenario));
    if registry::find(planner).expect(planner).guarantee.optimal
        && let (Some(ours), Some(theirs)) = (&mut ours, theirs)
    {
        // It proves more than distances say, and never more than is true.
        let best = solution.report.as_ref().map_or(u64::MAX, |report| report.soc);
        assert!((theirs.soc..=best).contains(&ours.soc), "{what}: {ours:?}, {theirs:?}, soc {best}");
        ours.soc = theirs.soc;
    }
    if ours.is_none() && matches!(solution.outcome, Outcome::OutOfBudget { .. }) {
        return solution.outcome; // There was no budget left to find out.
    }
    let (ours, theirs) = (ours.map(|b| (b.soc, b.makespan)), theirs.map(|b| (b.soc, b.makespan)));
    assert_eq!(ours, theirs, "{what}: two ways to work out the lower bounds");
    solution.outcome
}

/// `solve` refuses cases in which a patrol ends where another unit has to rest; a session runs them.
fn run(scenario: &Scenario, options: &Options) -> Outcome {
    let mut session = match Session::new(Setup::new(scenario.clone()), options) {
        Ok(session) => session,
        Err(Error::Unreachable(Unreachable { agent, from, to, .. })) => {
            return Outcome::Infeasible { why: Reason::Unreachable { agent, from, to } };
        }
        Err(error) => panic!("{error}"),
    };
    let mut recorder = Recorder::new(scenario, session.state());
    while !session.is_done() {
        if session.state().tick == 1000 {
            let why = Reason::OutOfTime { agent: AgentId(0), to: Cell::default(), ticks: 1000 };
            return Outcome::Partial { plan: Plan::default(), until: 1000, why };
        }
        session.tick(&BUDGET, &mut recorder);
    }
    let trace = recorder.into_trace();
    let report = check_trace(scenario, &trace, Expect::Finished);
    assert!(report.is_valid(), "{report}");
    Outcome::Solved(plan_of(scenario, &trace))
}

/// The trace of a finished run as a plan: whoever began nothing while it stood has waited.
fn plan_of(scenario: &Scenario, trace: &Trace) -> Plan {
    let path = |agent: &Agent| {
        let (mut actions, mut busy) = (Vec::new(), 0);
        for tick in 0..trace.ticks() {
            if tick < busy {
                continue;
            }
            let deed = trace.at(tick).iter().find(|deed| deed.agent == agent.id && !deed.failed);
            let action = deed.map_or(Action::Wait, |deed| deed.action);
            busy = tick + Tick::from(agent.actions(scenario.rules()).duration(action));
            actions.push(action);
        }
        Path { start: agent.start, actions }
    };
    Plan { paths: scenario.agents().iter().map(path).collect() }
}
