//! Planners that decide where everybody is one step later: `pibt` and `lacam`.

use crate::kit::{reachable, session, watched};
use proptest::prelude::*;
use proptest::sample::select;
use throng::check::check_plan;
use throng::core::{
    Agent, Cell, Connectivity, Expansions, Grid, Outcome, Reason, Rules, Scenario, Setup, Task, Unlimited,
    Unobserved,
};
use throng::worlds::generate::{MazeMap, RandomMap, WarehouseMap};
use throng::worlds::{UnitOptions, units};
use throng::{Options, Session, solve};
use throng_testkit::{Worlds, optimal};

/// By the rules of graphs: whole ticks, and moving on behind somebody is allowed.
fn steps(size: Worlds) -> Worlds {
    let rules = [Connectivity::Four, Connectivity::Eight]
        .map(|connectivity| Rules { connectivity, ..Rules::default() });
    Worlds { rules: rules.to_vec(), ..size }
}

fn scenario(rows: &[&str], ends: &[[i32; 4]]) -> Scenario {
    let agent =
        |(&[x, y, u, v], id): (&[i32; 4], u32)| Agent::new(id, Cell::new(x, y), Task::Goal(Cell::new(u, v)));
    let agents = ends.iter().zip(0..).map(agent).collect();
    Scenario::new("drawn", Grid::from_rows(rows).unwrap(), Rules::default(), agents).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Complete: solved if and only if brute force solves it, and proven impossible otherwise.
    #[test]
    fn lacam_solves_what_can_be_solved(scenario in steps(Worlds::tiny()).strategy(), seed: u64) {
        let options = Options { seed, ..Options::planner("lacam") };
        let solution = solve(&scenario, &options, &Unlimited, &mut Unobserved).expect("lacam");
        match solution.outcome {
            Outcome::Solved(plan) => {
                let report = check_plan(&scenario, &plan);
                prop_assert!(report.is_valid(), "{report}");
                let best = optimal(&scenario).expect("it is solved");
                prop_assert!(report.soc >= best.soc && report.makespan >= best.makespan);
            }
            Outcome::Infeasible { .. } => prop_assert!(optimal(&scenario).is_none()),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    /// Given time it ends with the best plan there is by its objective. (The least loss is at most the least sum of costs.)
    #[test]
    fn lacam_ends_with_the_best_plan(
        scenario in steps(Worlds::tiny()).strategy(),
        objective in select(&["makespan", "loss", "costs"]),
        seed: u64,
    ) {
        let Some(best) = optimal(&scenario) else { return Ok(()) };
        let spec = format!("lacam(objective={objective},improve=100000000)");
        let options = Options { seed, ..Options::planner(&spec) };
        let solution = solve(&scenario, &options, &Unlimited, &mut Unobserved).expect("lacam");
        let report = solution.report.expect("it can be solved");
        prop_assert!(report.is_valid(), "{report}");
        match objective {
            "makespan" => prop_assert_eq!(report.makespan, best.makespan),
            "costs" => prop_assert_eq!(report.soc, best.soc),
            _ => prop_assert!(report.sum_of_loss <= best.soc, "{} {}", report.sum_of_loss, best.soc),
        }
    }

    /// Nothing illegal ever happens under `pibt`, whatever its budget, and no move is ever cancelled.
    #[test]
    fn pibt_never_loses_a_move(
        scenario in steps(Worlds::small()).strategy().prop_map(reachable),
        budget in prop_oneof![Just(u64::MAX), 0..40u64],
        seed: u64,
    ) {
        let options = Options { seed, ..Options::planner("pibt") };
        let mut session = Session::new(Setup::new(scenario), &options).expect("pibt");
        prop_assert_eq!(watched(&mut session, 60, &Expansions(budget)).failed_moves, 0);
    }
}

/// Two in a corridor with one niche exchange places; without a niche nobody can, which is proven.
#[test]
fn places_are_exchanged_where_there_is_room() {
    for planner in ["pibt", "lacam"] {
        let niche = scenario(&["......", "@@@.@@"], &[[0, 0, 5, 0], [5, 0, 0, 0]]);
        let solution = solve(&niche, &Options::planner(planner), &Unlimited, &mut Unobserved).expect(planner);
        assert!(solution.is_solved(), "{planner}: {:?}", solution.outcome);
    }
    let narrow = scenario(&["....."], &[[0, 0, 4, 0], [4, 0, 0, 0]]);
    let solution = solve(&narrow, &Options::planner("lacam"), &Unlimited, &mut Unobserved).expect("lacam");
    // Of 20 placements of two on five cells those can be met in which they stand as they began.
    let why = Reason::Exhausted { placements: 10 };
    assert_eq!(solution.outcome, Outcome::Infeasible { why });
}

/// Once two who had to exchange places at a junction went to and fro there for ever: the one at home stepped out, and back in
/// again before the other one, since it did not look at who was about to come.
#[test]
fn who_is_at_home_makes_way_at_a_junction() {
    let rows = ["@@.@@@@@@", "........."];
    let world = scenario(&rows, &[[3, 1, 3, 1], [0, 1, 7, 1]]);
    let mut session = session(Setup::new(world), "pibt");
    watched(&mut session, 60, &Unlimited);
    assert!(session.is_done());
}

/// Whoever holds its place does so, and others go around it.
#[test]
fn holders_stay() {
    let world = scenario(&["...", "...", "..."], &[[0, 0, 2, 0], [2, 0, 0, 0]]);
    let mut agents = world.agents().to_vec();
    agents.push(Agent::new(2, Cell::new(1, 0), Task::Hold));
    let world = Scenario::new("held", world.grid().clone(), world.rules(), agents).unwrap();
    let solution = solve(&world, &Options::planner("lacam"), &Unlimited, &mut Unobserved).expect("lacam");
    assert!(solution.is_solved(), "{:?}", solution.outcome);
}

/// A crowd on a map, everybody from anywhere to anywhere.
fn crowd(grid: Grid, count: usize, seed: u64) -> Scenario {
    let agents = units(&grid, Rules::default(), count, seed, &UnitOptions::default()).expect("room");
    Scenario::new("crowd", grid, Rules::default(), agents).expect("legal")
}

/// Once half of such crowds took three to ten times as many expansions: nearly everybody was at home after a hundred steps,
/// and the search over placements of all of them did not get out of the handful of knots that were left, two or three units
/// each that wanted each other's places and pushed their neighbours out of theirs.
#[test]
fn knots_come_apart_one_by_one() {
    for seed in 0..6 {
        let grid = RandomMap { width: 32, height: 32, percent: 20, ..RandomMap::default() };
        let scenario = crowd(grid.generate(seed).expect("a map"), 400, seed);
        let budget = Expansions(250_000);
        let solution = solve(&scenario, &Options::planner("lacam"), &budget, &mut Unobserved).expect("lacam");
        let report = solution.report.unwrap_or_else(|| panic!("seed {seed}: {:?}", solution.outcome));
        assert!(report.is_valid(), "{report}");
    }
}

/// A crowd of which some hold their places, where there is room around them.
fn with_holders(grid: Grid, count: usize, holders: usize, connectivity: Connectivity, seed: u64) -> Scenario {
    let rules = Rules { connectivity, ..Rules::default() };
    let mut agents = units(&grid, rules, count, seed, &UnitOptions::default()).expect("room");
    let goals: Vec<Cell> = agents.iter().map(|agent| agent.waypoints().last()).collect();
    let around =
        |at: Cell| (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| Cell::new(at.x + dx, at.y + dy)));
    let free = |agent: &Agent| {
        let open = around(agent.start).all(|cell| grid.is_open(cell));
        open && !goals.contains(&agent.start)
    };
    let mut held: Vec<Cell> = Vec::new();
    for agent in &mut agents {
        let apart = held.iter().all(|&other| !around(agent.start).any(|cell| cell == other));
        if held.len() < holders && apart && free(agent) {
            held.push(agent.start);
            agent.task = Task::Hold;
        }
    }
    assert_eq!(held.len(), holders, "too little room for holders");
    Scenario::new("held", grid, rules, agents).expect("legal")
}

/// Solves it, has the plan judged, and tells what it costs and took.
fn judged(scenario: &Scenario, spec: &str, budget: u64) -> (u64, u64) {
    let options = Options::planner(spec);
    let solution = solve(scenario, &options, &Expansions(budget), &mut Unobserved).expect(spec);
    let report = solution.report.unwrap_or_else(|| panic!("{spec}: {:?}", solution.outcome));
    assert!(report.is_valid(), "{spec}: {report}");
    (report.soc, solution.expanded)
}

/// Whoever holds its place is cut out with the knot that it stands in, and stays there. Without taking knots apart two of these
/// twelve crowds take as much, and the others up to nine times that.
#[test]
fn knots_come_apart_around_holders() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let grid = RandomMap { width: 32, height: 32, percent: 20, ..RandomMap::default() };
        let budget = if connectivity == Connectivity::Four { 220_000 } else { 160_000 };
        for seed in 0..6 {
            let grid = grid.generate(seed).expect("a map");
            judged(&with_holders(grid, 400, 4, connectivity, seed), "lacam", budget);
        }
    }
}

/// In a maze with a single way between any two places steps that all decide at once turn in circles: a search alone goes on for
/// millions of placements. It is caught where the same placements come again and again, and then one unit is brought home after the other.
#[test]
fn crowds_in_a_perfect_maze_come_apart() {
    for seed in 0..4 {
        let maze = MazeMap { width: 65, height: 65, corridor: 1 }.generate(seed).expect("a map");
        let scenario = crowd(maze, 250, seed);
        let budget = Expansions(8_000_000);
        let solution = solve(&scenario, &Options::planner("lacam"), &budget, &mut Unobserved).expect("lacam");
        assert!(solution.is_solved(), "seed {seed}: {:?}", solution.outcome);
        assert!(solution.report.expect("it is solved").is_valid());
    }
}

/// In corridors of one cell, whoever keeps to lanes meets fewer who come towards it.
#[test]
fn lanes_make_plans_better_where_it_is_narrow() {
    let scenario = crowd(WarehouseMap::default().generate(0).expect("a map"), 500, 1);
    let costs = |spec: &str| {
        let solution = solve(&scenario, &Options::planner(spec), &Unlimited, &mut Unobserved).expect("lacam");
        let report = solution.report.expect("a plan");
        assert!(report.is_valid(), "{spec}: {report}");
        report.soc
    };
    let (freely, in_lanes) = (costs("lacam"), costs("lacam(lanes=on)"));
    assert!(in_lanes * 10 < freely * 9, "{in_lanes} instead of {freely}");
}

/// The same with eight moves; and where some hold their places lanes lead around them.
#[test]
fn lanes_know_eight_moves_and_holders() {
    let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    let grid = WarehouseMap::default().generate(0).expect("a map");
    let agents = units(&grid, rules, 500, 1, &UnitOptions::default()).expect("room");
    let narrow = Scenario::new("narrow", grid, rules, agents).expect("legal");
    let (freely, in_lanes) =
        ["lacam", "lacam(lanes=on)"].map(|spec| judged(&narrow, spec, u64::MAX).0).into();
    assert!(in_lanes * 10 < freely * 9, "{in_lanes} instead of {freely}");
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let grid = RandomMap { width: 48, height: 48, percent: 10, ..RandomMap::default() };
        let scenario = with_holders(grid.generate(2).expect("a map"), 500, 12, connectivity, 1);
        // Streams and a search over the map for everybody, and hardly more decisions than without.
        judged(&scenario, "lacam(lanes=on)", 3_000_000);
        // A budget that ends before the lanes are laid ends everything.
        let options = Options::planner("lacam(lanes=on)");
        let cells = scenario.grid().open_cells() as u64;
        let early = solve(&scenario, &options, &Expansions(400_000), &mut Unobserved).expect("lacam");
        assert!(matches!(early.outcome, Outcome::OutOfBudget { .. }), "{:?}", early.outcome);
        assert!(early.expanded <= 400_000 + 64 * cells, "{} with {cells} cells", early.expanded);
    }
}
