//! However little there is for a tick: searches that have not ended go on in the next one, so that nobody stands for ever for
//! want of a path; no tick takes more than it may; and a save in the middle of a search is taken up there.

use crate::kit::{hashes, session, watched};
use crate::snapshots::{never_panics, same_future};
use throng::Session;
use throng::core::{
    Agent, AgentId, Budget, Cell, Expansions, Grid, Observer, Rules, Scenario, SearchKind, Setup, Task, Tick,
    Unlimited,
};
use throng_testkit::corpus;

/// Everyone whose searches take more than most of these budgets.
const PLANNERS: [&str; 12] = [
    "lra",
    "pra",
    "pra(k=4,crowd=4,wmax=3)",
    "whca",
    "cpra",
    "cpra(crowd=4,jam=25,window=full)",
    "dm",
    "dm(sector=4)",
    "dm-whca",
    "dlite",
    "collective",
    "flock",
];

/// From hardly any to enough.
const BUDGETS: [u64; 6] = [1, 2, 7, 20, 200, u64::MAX];

/// From outside to the innermost chamber and back.
const WAYS: [[i32; 4]; 4] = [[0, 0, 10, 6], [19, 10, 5, 4], [10, 4, 0, 10], [4, 6, 19, 0]];

/// A world in which the straight way leads into dead ends, on every level of the map.
fn chambers(ways: &[[i32; 4]]) -> Scenario {
    let rows = [
        "....................",
        ".@@@@@@@@@@@@@@@@@@.",
        ".@................@.",
        ".@.@@@@@@.@@@@@@@.@.",
        ".@.@............@.@.",
        ".@.@.@@@@@@@@@@.@.@.",
        ".@.@............@.@.",
        ".@.@@@@@@@@@@@@@@.@.",
        ".@................@.",
        ".@@@@@@@@@.@@@@@@@@.",
        "....................",
    ];
    let agents = ways
        .iter()
        .zip(0..)
        .map(|(&[x, y, to_x, to_y], id)| Agent::new(id, Cell::new(x, y), Task::Goal(Cell::new(to_x, to_y))));
    let grid = Grid::from_rows(&rows).expect("a map");
    Scenario::new("chambers", grid, Rules::default(), agents.collect()).expect("valid")
}

/// Runs with the judge watching, who also sees that no tick takes more than its budget.
fn run(scenario: &Scenario, planner: &str, budget: u64, ticks: Tick) -> Session {
    let mut session = session(Setup::new(scenario.clone()), planner);
    let budget: &dyn Budget = if budget == u64::MAX { &Unlimited } else { &Expansions(budget) };
    watched(&mut session, ticks, budget);
    session
}

/// One expansion a tick is enough, and more of them never make it later by much.
#[test]
fn whoever_is_alone_arrives_with_any_budget() {
    for planner in PLANNERS {
        for way in WAYS {
            let mut before = 3000;
            for budget in BUDGETS {
                let session = run(&chambers(&[way]), planner, budget, before + 5);
                assert!(session.is_done(), "{planner} with {budget}: {way:?}, not within {before} ticks");
                before = session.state().tick;
            }
        }
    }
}

/// In how many cases of the corpus with few units everybody arrives, by budget. Local repair loses what it loses with any
/// budget. Who cooperates frees a jam by promotions, which take several searches within one tick, so that tiny budgets leave
/// some jams as they are. Better is welcome: raise the row.
const LEAST: &[(&str, [usize; 6])] = &[
    ("lra", [31; 6]),
    ("pra", [31; 6]),
    ("dm", [39, 39, 37, 37, 37, 37]),
    ("dm(sector=4)", [39, 39, 37, 37, 37, 37]),
    ("whca", [17, 17, 43, 49, 52, 52]),
    ("cpra", [22, 24, 36, 44, 52, 52]),
    ("dm-whca", [24, 24, 40, 48, 52, 52]),
    ("collective", [29, 28, 48, 45, 48, 51]),
    ("flock", [29, 28, 49, 47, 51, 51]),
];

#[test]
fn crowds_arrive_with_small_budgets() {
    let cases = corpus().into_iter().filter(|case| {
        let feasible = |expected: throng_testkit::Expected| expected.feasible;
        case.scenario(Rules::default()).agents().len() <= 12
            && case.expected(Rules::default().connectivity).is_some_and(feasible)
    });
    let scenarios: Vec<_> = cases.map(|case| case.scenario(Rules::default())).collect();
    for &(planner, least) in LEAST {
        let count = |budget: u64| {
            let ends = |scenario: &&Scenario| run(scenario, planner, budget, 300 + 5000 / budget).is_done();
            scenarios.iter().filter(ends).count()
        };
        let counts = BUDGETS.map(count);
        println!("{planner}: {counts:?} of {}", scenarios.len());
        let enough = counts.iter().zip(least).all(|(&count, least)| count >= least);
        assert!(enough, "{planner}: {counts:?}, at least {least:?}");
    }
}

/// Whoever stands in the way of others where it wants to be looks for room as soon as it is asked to. Three of them used up the budget of every
/// tick, and those who had not arrived waited for their turns for ever.
#[test]
fn those_at_rest_leave_something_to_the_others() {
    for (seed, budget) in [(0, 19), (0, 20), (5, 10), (5, 20)] {
        let setup = throng::worlds::builtin("intersection", seed).expect("it is built in");
        let mut session = session(setup, "collective");
        watched(&mut session, 3000, &Expansions(budget));
        assert!(session.is_done(), "seed {seed}, budget {budget}: {} there", session.arrived());
    }
}

/// Counts the searches that ended, and those ticks in which none did though it was worked on.
#[derive(Default)]
struct Searches {
    ended: u64,
    work: u64,
    without_end: u64,
}

impl Observer for Searches {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.work += count;
    }

    fn replanned(&mut self, _agent: AgentId, _tick: Tick) {
        self.ended += 1;
    }

    fn tick(&mut self, _scenario: &Scenario, _state: &throng::core::State) {
        self.without_end += u64::from(self.work > 0 && self.ended == 0);
        (self.work, self.ended) = (0, 0);
    }
}

/// Saves fall into the middle of searches, on all levels.
#[test]
fn a_search_is_saved_in_its_middle() {
    for planner in PLANNERS {
        for budget in [1, 6, 25] {
            let make = || session(Setup::new(chambers(&WAYS)), planner);
            let (mut searches, mut first) = (Searches::default(), make());
            for _ in 0..60 {
                first.tick(&Expansions(budget), &mut searches);
            }
            assert!(budget > 1 || searches.without_end > 30, "{planner}: {}", searches.without_end);
            let saves: Vec<_> = (1..60).step_by(3).collect();
            same_future(&format!("{planner} {budget}"), make, &saves, 150, &Expansions(budget));
        }
    }
}

/// Whatever is written over a search that was saved in its middle: an error, or a session that goes on somehow.
#[test]
fn damaged_searches_never_panic() {
    for planner in PLANNERS {
        for ticks in [7, 40] {
            let mut session = session(Setup::new(chambers(&WAYS[..2])), planner);
            hashes(&mut session, ticks, &Expansions(3));
            never_panics(&session.save());
        }
    }
}
