//! Who rests makes way, and whoever asked gets through: for every size, speed, priority and rule.

use crate::kit::{session, watched};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use throng::core::{
    Agent, Cell, Connectivity, Dir, Grid, Motion, Rules, Scenario, Setup, Task, Timing, Unlimited,
};

/// Whether everybody has arrived under `whca` before so many ticks have passed.
fn arrive(grid: Grid, rules: Rules, agents: Vec<Agent>, ticks: u64) -> bool {
    let scenario = Scenario::new("making way", grid, rules, agents).expect("a scenario");
    let mut session = session(Setup::new(scenario), "whca");
    watched(&mut session, ticks, &Unlimited);
    session.is_done()
}

/// The same worlds every time: that everybody arrives is usual and tested, but nothing that `whca` promises.
fn always(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        cases,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

fn rules(eight: bool, metric: bool) -> Rules {
    let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
    let timing = if metric { Timing::Metric } else { Timing::Uniform };
    Rules { connectivity, timing, ..Rules::default() }
}

proptest! {
    #![proptest_config(always(64))]

    /// Somebody rests where another one has to pass by on its list or its patrol. Once, in whole steps, the one who was on
    /// its way paid amends for every tick at its waypoint, which cost as much as staying away: it circled for ever.
    #[test]
    fn waypoints_are_given_up_for_a_moment(
        eight: bool,
        metric: bool,
        patrol: bool,
        cells in prop::collection::hash_set((0..12i32, 0..10i32), 4),
    ) {
        let cells: Vec<Cell> = cells.into_iter().map(|(x, y)| Cell::new(x, y)).collect();
        let task = match patrol {
            true => Task::Patrol { goal: cells[1], rounds: 2 },
            false => Task::Goals(vec![cells[1], cells[2], cells[0]]),
        };
        let mut agents = vec![Agent::new(0, cells[0], task)];
        agents.extend((1..3).map(|id| Agent::new(id, cells[id as usize], Task::Goal(cells[id as usize]))));
        let grid = Grid::empty(12, 10).unwrap();
        prop_assert!(arrive(grid, rules(eight, metric), agents, 600));
    }

    /// A patrol that is over may park anywhere: it must not fight for its home with somebody who has to rest there, or
    /// beside it. Once both drove each other out without end.
    #[test]
    fn patrols_that_are_over_leave_their_home_to_others(
        eight: bool,
        body in 1..=3u8,
        period in 1..=3u8,
        beside in (0..2i32, 0..2i32),
    ) {
        let home = Cell::new(10, 0);
        let kind = |agent: Agent| Agent { body, period, ..agent };
        let agents = vec![
            kind(Agent::new(0, Cell::new(10, 8), Task::Goal(Cell::new(home.x + beside.0, home.y + beside.1)))),
            kind(Agent::new(1, home, Task::Patrol { goal: Cell::new(3, 5), rounds: 1 })),
        ];
        prop_assert!(arrive(Grid::empty(15, 12).unwrap(), rules(eight, true), agents, 1000));
    }

    /// Who rests with a higher priority makes way like everybody else and comes back later. Once it was above whoever had
    /// asked as soon as it had left its place, and took it back at once.
    #[test]
    fn whoever_rests_makes_way_whatever_its_priority(
        metric: bool,
        body in 1..=2u8,
        period in 1..=3u8,
        priority in -1..=2i32,
    ) {
        let rows = ["@@@@@@@@@..@@@@@@@@@", "@@@@@@@@@..@@@@@@@@@", "....................", "...................."];
        let rows = if body == 1 { &rows[1..3] } else { &rows[..] };
        let (grid, lane) = (Grid::from_rows(rows).unwrap(), rows.len() as i32 - i32::from(body));
        let period = if metric { period } else { 1 };
        let kind = |agent: Agent| Agent { body, period, ..agent };
        let rests = Cell::new(9, lane);
        let agents = vec![
            Agent { priority, ..kind(Agent::new(0, rests, Task::Goal(rests))) },
            kind(Agent::new(1, Cell::new(0, lane), Task::Goal(Cell::new(20 - i32::from(body), lane)))),
        ];
        prop_assert!(arrive(grid, rules(false, metric), agents, 1500));
    }

    /// A car in a corner that needs a large unit out of its way. Once that one was given the time of a single step, which
    /// does not clear a curve.
    #[test]
    fn cars_get_out_of_corners(body in 1..=3u8, period in 1..=3u8, car in 1..=2u8, radius in 1..=3u8) {
        let rests = Cell::new(7, i32::from(car));
        let agents = vec![
            Agent { body, period, ..Agent::new(0, rests, Task::Goal(rests)) },
            Agent {
                body: car,
                motion: Motion::Car { radius, heading: Dir::S },
                ..Agent::new(1, Cell::new(7, 0), Task::Goal(Cell::new(12, 8)))
            },
        ];
        prop_assert!(arrive(Grid::empty(18, 14).unwrap(), rules(true, true), agents, 1500));
    }
}

/// A cell for the smallest corner of a body, on open ground.
fn cell() -> impl Strategy<Value = Cell> {
    (0..18i32, 0..12i32).prop_map(|(x, y)| Cell::new(x, y))
}

proptest! {
    #![proptest_config(always(32))]

    /// Sizes, speeds, priorities, lists and patrols on open ground: everybody gets everywhere.
    #[test]
    fn any_mix_arrives(
        eight: bool,
        metric: bool,
        units in prop::collection::vec((cell(), cell(), cell(), 1..=2u8, 1..=3u8, 0..4u8, 0..5u8), 8),
    ) {
        let mut agents: Vec<Agent> = Vec::new();
        for (start, via, goal, body, period, kind, rank) in units {
            let task = match kind {
                0 => Task::Goals(vec![via, goal]),
                1 => Task::Patrol { goal: via, rounds: 2 },
                _ => Task::Goal(goal),
            };
            let agent = Agent {
                body,
                period: if metric { period } else { 1 },
                priority: i32::from(rank == 0),
                ..Agent::new(agents.len() as u32, start, task)
            };
            // Who begins or ends on others is left out.
            let apart = |a: Cell, b: Cell, other: &Agent| {
                let (left, right) = (i32::from(agent.body), i32::from(other.body));
                a.x - b.x >= right || b.x - a.x >= left || a.y - b.y >= right || b.y - a.y >= left
            };
            let ends = |other: &Agent| apart(agent.waypoints().last(), other.waypoints().last(), other);
            if agents.iter().all(|other| apart(agent.start, other.start, other) && ends(other)) {
                agents.push(agent);
            }
        }
        prop_assert!(arrive(Grid::empty(20, 14).unwrap(), rules(eight, metric), agents, 3000));
    }
}
