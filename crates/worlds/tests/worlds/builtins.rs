//! Every built-in scenario under many seeds: valid, distinct resting places, every goal within reach.

use crate::reach;
use std::collections::BTreeSet;
use throng_core::{Agent, Connectivity, Motion, Rules, Setup, Task, Timing};
use throng_worlds::{BUILTINS, builtin};

const SEEDS: std::ops::Range<u64> = 0..20;

fn all() -> impl Iterator<Item = (&'static str, u64, Setup)> {
    BUILTINS.iter().flat_map(|&(name, _)| SEEDS.map(move |seed| (name, seed, builtin(name, seed).unwrap())))
}

#[test]
fn every_goal_can_be_reached_and_nobody_shares_a_resting_place() {
    for (name, seed, setup) in all() {
        let scenario = &setup.scenario;
        scenario.require_distinct_goals().unwrap_or_else(|error| panic!("{name} {seed}: {error}"));
        assert!(reach::all_connected(scenario.grid()), "{name}: part of the map is cut off");
        for body in 1..=scenario.largest_body() {
            let mut agents = scenario.agents().iter().filter(|agent| agent.body == body).peekable();
            let Some(first) = agents.peek() else { continue };
            let map = reach::distances(scenario.grid(), scenario.rules().connectivity, body, first.start);
            for agent in agents {
                let way = agent.waypoints();
                for place in (0..way.len()).map(|leg| way.target(leg)).chain([agent.start]) {
                    assert!(map.contains_key(&place), "{name} {seed}: agent {} to {place}", agent.id);
                }
            }
        }
    }
}

#[test]
fn everything_is_there_to_run_it() {
    for (name, _, setup) in all() {
        assert_eq!(setup.scenario.name(), name);
        // The town alone shows the other rules.
        assert_eq!(setup.scenario.rules() == Rules::default(), name != "town");
        // The promenade alone has lanes to plan along.
        let planner = match name {
            "promenade" => "dm-whca(window=8)",
            "expedition" => "explore",
            // Where there is no end.
            "warehouse" | "city" => "pibt",
            _ => "whca(window=16)",
        };
        assert_eq!(setup.planner.as_deref(), Some(planner));
        let endless = setup.scenario.stream().is_some_and(|stream| stream.count.is_none());
        assert_eq!(endless, name == "warehouse" || name == "city");
        assert_eq!(setup.scenario.sight().is_some(), name == "expedition" || name == "town");
        assert_eq!(setup.directions.is_some(), name == "promenade");
        assert!(setup.ticks.is_some_and(|ticks| ticks > 0));
    }
}

#[test]
fn the_seed_deals_out_starts_and_goals_on_one_map() {
    for &(name, _) in BUILTINS {
        let [first, same, other] = [0, 0, 1].map(|seed| builtin(name, seed).unwrap());
        assert_eq!(first, same, "{name}");
        assert_eq!(first.scenario.grid(), other.scenario.grid(), "{name}");
        let dealt: Vec<_> = SEEDS.map(|seed| builtin(name, seed).unwrap().scenario).collect();
        assert!(dealt.iter().any(|scenario| scenario != &dealt[0]), "{name}");
    }
}

fn agents(name: &str, seed: u64) -> Vec<Agent> {
    builtin(name, seed).unwrap().scenario.agents().to_vec()
}

fn parked(agent: &Agent) -> bool {
    agent.task == Task::Goal(agent.start)
}

#[test]
fn crowds_have_the_size_they_are_announced_with() {
    let sizes = BUILTINS.iter().map(|&(name, _)| (name, agents(name, 0).len()));
    let expected = [
        ("bridge", 40),
        ("office", 24),
        ("hallway", 4),
        ("doorway", 12),
        ("intersection", 32),
        ("pushers", 2),
        ("field", 100),
        ("town", 76),
        ("promenade", 20),
        ("rivals", 12),
        ("expedition", 5),
        ("warehouse", 80),
        ("city", 70),
    ];
    assert!(sizes.eq(expected));
}

#[test]
fn everybody_crosses_the_bridge() {
    for seed in SEEDS {
        for agent in agents("bridge", seed) {
            let goal = agent.waypoints().last();
            assert!((agent.start.x < 27) != (goal.x < 27), "{agent:?}");
        }
    }
}

#[test]
fn nobody_keeps_a_desk() {
    for seed in SEEDS {
        let agents = agents("office", seed);
        assert!(!agents.iter().any(parked));
        let chairs: BTreeSet<_> = agents.iter().map(|a| a.start).collect();
        assert!(agents.iter().all(|a| chairs.contains(&a.waypoints().last())));
    }
}

#[test]
fn the_hallway_and_the_town_have_parked_units() {
    for seed in SEEDS {
        assert_eq!(agents("hallway", seed).iter().filter(|a| parked(a)).count(), 2);
        assert!(agents("town", seed).iter().filter(|a| parked(a)).count() >= 4);
    }
}

#[test]
fn the_town_has_every_kind_of_task() {
    let agents = agents("town", 0);
    let count = |kind: fn(&Task) -> bool| agents.iter().filter(|a| kind(&a.task)).count();
    assert_eq!(count(|task| matches!(task, Task::Patrol { .. })), 9);
    assert_eq!(count(|task| matches!(task, Task::Goals(_))), 8);
    assert_eq!(count(|task| matches!(task, Task::Goal(_))), 53);
    assert_eq!(count(|task| matches!(task, Task::Hold)), 3);
    assert_eq!(count(|task| matches!(task, Task::Explore)), 3);
}

#[test]
fn the_town_has_every_size_speed_and_motion_and_a_hero() {
    let town = builtin("town", 0).unwrap().scenario;
    assert_eq!((town.rules().timing, town.rules().connectivity), (Timing::Metric, Connectivity::Eight));
    let bodies = |body| town.agents().iter().filter(|a| a.body == body).count();
    assert_eq!([1, 2, 3].map(bodies), [73, 2, 1]);
    let motions = |kind: fn(&Motion) -> bool| town.agents().iter().filter(|a| kind(&a.motion)).count();
    assert_eq!(motions(|motion| matches!(motion, Motion::Gaits { .. })), 13);
    assert_eq!(motions(|motion| matches!(motion, Motion::Car { .. })), 1);
    let periods: BTreeSet<u8> = town.agents().iter().map(|a| a.period).collect();
    assert_eq!(periods, BTreeSet::from([1, 2, 3, 4, 5]));
    let heroes: Vec<_> = town.agents().iter().filter(|a| a.priority > 0).collect();
    assert_eq!(heroes.len(), 1);
    let bridge = 22..26;
    assert!(heroes[0].start.x < bridge.start && heroes[0].waypoints().last().x >= bridge.end);
}

#[test]
fn an_unknown_name_lists_all() {
    let error = builtin("", 0).unwrap_err().to_string();
    for (name, _) in BUILTINS {
        assert!(error.contains(name), "{error}");
    }
}
