//! Scenarios of the grid in continuous space: everybody arrives there too, and the judge watches every step.

use throng::check::space::{SpaceJudge, SpaceReport};
use throng::continuous::{Sampling, World};
use throng::core::{Budget, Expansions, Scenario, Unlimited, Unobserved};
use throng::{space, worlds};

fn world(name: &str, seed: u64, sampling: Option<Sampling>) -> World {
    let mut setup = worlds::builtin(name, seed).unwrap();
    // Those who do not know the world are of the grid alone, where others do.
    let agents = setup.scenario.agents().iter().filter(|agent| !agent.task.is_search()).cloned();
    let (grid, rules) = (setup.scenario.grid().clone(), setup.scenario.rules());
    let events = setup.scenario.events().to_vec();
    setup.scenario = Scenario::new(name, grid, rules, agents.collect()).unwrap().with_events(events).unwrap();
    let mut scene = space::scene(&setup).unwrap();
    scene.settings.sampling = sampling.unwrap_or(scene.settings.sampling);
    World::of(scene).unwrap()
}

/// Runs until all have arrived, or for so long.
fn run(world: &mut World, time: f64, budget: &dyn Budget) -> SpaceReport {
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    while !world.is_done() && world.time() < time {
        world.step(budget, &mut Unobserved);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(world.settings().step, &world.poses());
        assert!(judge.report().is_valid(), "{}", judge.report());
    }
    judge.report().clone()
}

/// Doors, desks, a bridge, a crossing, patrols: nothing here is tuned to a seed.
#[test]
fn everybody_arrives_where_two_can_pass() {
    for (name, time) in [
        ("doorway", 300.0),
        ("office", 400.0),
        ("bridge", 600.0),
        ("intersection", 300.0),
        ("promenade", 900.0),
        ("field", 200.0),
    ] {
        for seed in 0..4 {
            let mut world = world(name, seed, None);
            run(&mut world, time, &Unlimited);
            let (arrived, all) = (world.arrived(), world.bodies().len());
            assert_eq!(arrived, all, "{name}, seed {seed}, after {}", world.time());
        }
    }
}

/// Corridors of a single unit's width, with bays: somebody has to step into a bay for several to pass, or to walk past its goal.
#[test]
fn everybody_arrives_where_one_has_to_back_out() {
    for name in ["hallway", "pushers"] {
        for seed in 0..8 {
            let mut world = world(name, seed, None);
            run(&mut world, 300.0, &Unlimited);
            assert_eq!(world.arrived(), world.bodies().len(), "{name}, seed {seed}, after {}", world.time());
        }
    }
}

/// The same scenario of several teams runs on the grid and here.
#[test]
fn strangers_pass_each_other_here_too() {
    let text = "map = '''\n............\n@..@@@@@@..@\n'''\n[[unit]]\nstart = [0, 0]\ngoal = [11, 0]\n\
        [[unit]]\nstart = [11, 0]\ngoal = [0, 0]\nteam = 1\n";
    let setup = throng::formats::scenario::parse(text, &mut |_| Err(String::new())).unwrap();
    let mut session = throng::Session::new(setup.clone(), &throng::Options::planner("whca")).unwrap();
    while !session.is_done() && session.state().tick < 300 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    let mut world = World::of(space::scene(&setup).unwrap()).unwrap();
    run(&mut world, 300.0, &Unlimited);
    assert!(session.is_done() && world.is_done(), "{:?}", world.bodies());
}

/// Ways over random points lead through doors of one cell as well.
#[test]
fn a_sampled_graph_will_do() {
    for (name, time) in [("office", 400.0), ("intersection", 300.0), ("field", 200.0)] {
        let mut world = world(name, 1, Some(Sampling::random(7)));
        run(&mut world, time, &Unlimited);
        assert_eq!(world.arrived(), world.bodies().len(), "{name} after {}", world.time());
    }
}

/// Nobody touches anybody in the town either, whatever the budget, and planning spreads over steps.
#[test]
fn the_town_runs_within_a_budget() {
    let mut world = world("town", 0, None);
    let (mut last, mut most) = (0, 0);
    let mut judge = SpaceJudge::of(&world.scene(), world.poses());
    for _ in 0..1500 {
        world.step(&Expansions(200), &mut Unobserved);
        world.changes().for_each(|change| judge.change(change.door, change.open));
        judge.step(world.settings().step, &world.poses());
        let spent = world.counts().expanded - last;
        (last, most) = (world.counts().expanded, most.max(spent));
        assert!(spent <= 200, "{spent}");
    }
    assert!(judge.report().is_valid() && most == 200 && world.arrived() > 0, "{most} {}", judge.report());
}
