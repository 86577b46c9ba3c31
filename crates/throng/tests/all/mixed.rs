//! Units of mixed size, speed, priority and task in one world.

use crate::kit::{Watch, reachable, session, tick, watched};
use proptest::prelude::*;
use throng::core::{
    Agent, AgentId, Budget, Cell, Connectivity, Event, Expansions, Grid, Motion, Observer, Rules, Scenario,
    Setup, Task, Tick, Timing, Unlimited,
};

fn metric(connectivity: Connectivity) -> Rules {
    Rules { connectivity, timing: Timing::Metric, ..Rules::default() }
}

fn goal(id: u32, start: (i32, i32), to: (i32, i32)) -> Agent {
    Agent::new(id, Cell::new(start.0, start.1), Task::Goal(Cell::new(to.0, to.1)))
}

/// Places units one after the other wherever their bodies fit and touch nobody; whoever finds no place is left out.
fn world(letters: &[u8], rules: Rules, kinds: &[(u8, u8, i32, u8, u16, u16)]) -> Option<Scenario> {
    let grid = Grid::new(14, 11, letters, throng::core::TerrainPolicy::default()).ok()?;
    let mut agents: Vec<Agent> = Vec::new();
    for &(body, period, priority, kind, from, to) in kinds {
        let fits: Vec<Cell> =
            grid.open_ids().map(|id| grid.cell(id)).filter(|&c| grid.fits(c, body)).collect();
        if fits.is_empty() {
            continue;
        }
        let (start, to) = (fits[from as usize % fits.len()], fits[to as usize % fits.len()]);
        let task = match kind {
            0 => Task::Hold,
            1 => Task::Patrol { goal: to, rounds: 2 },
            2 => Task::Goals(vec![to, start]),
            _ => Task::Goal(to),
        };
        let period = if rules.timing == Timing::Metric { period } else { 1 };
        let id = AgentId(agents.len() as u32);
        agents.push(Agent { id, team: 0, start, task, body, period, motion: Motion::Steps, priority });
        if Scenario::new("mixed", grid.clone(), rules, agents.clone()).is_err() {
            agents.pop();
        }
    }
    Scenario::new("mixed", grid, rules, agents).ok().filter(|s| !s.agents().is_empty())
}

fn worlds() -> impl Strategy<Value = Scenario> {
    let letters = prop::collection::vec(prop_oneof![12 => Just(b'.'), 1 => Just(b'@')], 14 * 11);
    let kind = (1..=4u8, 1..=8u8, 0..3i32, 0..8u8, any::<u16>(), any::<u16>());
    let kinds = prop::collection::vec(kind, 1..9);
    (letters, kinds, any::<bool>(), any::<bool>()).prop_filter_map(
        "nobody fits",
        |(letters, kinds, eight, slow)| {
            let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
            let timing = if slow { Timing::Metric } else { Timing::Uniform };
            world(&letters, Rules { connectivity, timing, ..Rules::default() }, &kinds).map(reachable)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever the mix and the budget: legal at every tick, no move ever cancelled, holders never move.
    #[test]
    fn any_mix_is_legal(
        scenario in worlds(), window in 1..20u32, lanes in 0..2u32, budget in prop::option::of(0..300u64),
    ) {
        let spec = format!("whca(window={window},wmax={})", lanes * 3);
        let mut session = session(Setup::new(scenario.clone()), &spec);
        let budget: &dyn Budget = match &budget {
            None => &Unlimited,
            Some(expansions) => &Expansions(*expansions),
        };
        let report = watched(&mut session, 250, budget);
        prop_assert_eq!(report.failed_moves, 0);
        for agent in scenario.agents().iter().filter(|a| a.task == Task::Hold) {
            prop_assert_eq!(scenario.grid().cell(session.state().units[agent.id.index()].at), agent.start);
        }
    }
}

/// Small, large, slow and fast units pass each other on a plain.
#[test]
fn sizes_and_speeds_share_a_map() {
    let sizes = [(1u8, 1u8), (2, 3), (3, 5), (4, 8), (1, 4), (2, 2)];
    let agents = sizes.iter().enumerate().flat_map(|(k, &(body, period))| {
        let (y, n) = (5 * k as i32, 2 * k as u32);
        let left = Agent { body, period, ..goal(n, (0, y), (30, y)) };
        [left, Agent { body, period, ..goal(n + 1, (30, y), (0, y)) }]
    });
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        let grid = Grid::empty(36, 30).unwrap();
        let scenario = Scenario::new("mix", grid, metric(connectivity), agents.clone().collect()).unwrap();
        let mut session = session(Setup::new(scenario), "whca(window=12)");
        let report = watched(&mut session, 3000, &Unlimited);
        assert!(
            session.is_done(),
            "{connectivity:?}: {} of 12 after {}",
            session.arrived(),
            session.state().tick
        );
        assert_eq!(report.failed_moves, 0);
    }
}

/// A resting 3×3 steps into the only pocket of a hallway, lets the other pass and goes back.
#[test]
fn large_units_let_each_other_pass() {
    let (open, pocket) = (".".repeat(20), format!("{}...{}", "@".repeat(9), "@".repeat(8)));
    let rows = [&open, &open, &open, &pocket, &pocket, &pocket].map(String::as_str);
    for period in [1, 3] {
        let large = |agent| Agent { body: 3, period, ..agent };
        let agents = vec![large(goal(0, (9, 0), (9, 0))), large(goal(1, (0, 0), (17, 0)))];
        let grid = Grid::from_rows(&rows).unwrap();
        let scenario = Scenario::new("pass", grid, metric(Connectivity::Four), agents).unwrap();
        let mut session = session(Setup::new(scenario), "whca");
        watched(&mut session, 60 * Tick::from(period), &Unlimited);
        assert_eq!(session.arrived(), 2, "{period}");
    }
}

/// Bodies of up to 3×3 in the open, a third of which they cover: everybody gets through, but for a few crowds in a
/// thousand, where a quick and a slow body go to and fro before each other (1 of 800). What a promoted unit paid for
/// each entry of a large body that it overrode once came to more than waiting did, so that it waited for ever.
#[test]
fn crowds_of_large_bodies_dissolve() {
    let mut jams = Vec::new();
    for seed in 0..400u16 {
        let mut number = seed.wrapping_mul(40503) | 1;
        let mut next = || {
            number = number.wrapping_mul(25173).wrapping_add(13849);
            number >> 2
        };
        let rules = metric(Connectivity::Four);
        let kinds: Vec<_> = (0..20u8)
            .map(|k| (3 - (k / 4).min(2), if seed % 2 == 0 { 1 } else { 1 << (k % 3) }, 0, 9, next(), next()))
            .collect();
        let all = world(&[b'.'; 14 * 11], rules, &kinds).unwrap();
        let mut scenario = Scenario::new("crowd", all.grid().clone(), rules, vec![]).unwrap();
        for agent in all.agents() {
            let before = scenario.clone();
            scenario.put(Agent { id: AgentId(before.agents().len() as u32), ..agent.clone() }).unwrap();
            if scenario.require_distinct_goals().is_err() {
                scenario = before;
            }
        }
        let count = scenario.agents().len();
        let mut session = session(Setup::new(scenario), "whca");
        let report = watched(&mut session, 1000, &Unlimited);
        assert_eq!(report.failed_moves, 0, "{seed}");
        if session.arrived() < count {
            jams.push(seed);
        }
    }
    assert!(jams.len() <= 1, "{jams:?}");
}

/// A body needs a gap of its own width: the true distance of a large unit leads around, that of a small one through.
#[test]
fn large_units_go_around_narrow_gaps() {
    let rows = ["..........", "..........", "@@@.@@@@..", "..........", ".........."];
    let arrives = |body| {
        let agent = Agent { body, ..goal(0, (2, 0), (2, 3)) };
        let grid = Grid::from_rows(&rows).unwrap();
        let scenario = Scenario::new("gap", grid, Rules::default(), vec![agent]).unwrap();
        let mut session = session(Setup::new(scenario), "whca");
        watched(&mut session, 100, &Unlimited);
        assert!(session.is_done(), "{body}");
        session.state().tick
    };
    assert_eq!((arrives(1), arrives(2)), (5, 15));
}

#[derive(Default)]
struct Told {
    overridden: usize,
    promoted: usize,
    borrowed: usize,
}

/// The judge, and who was overridden and promoted.
struct Both<'a>(Watch<'a>, Told);

impl Observer for Both<'_> {
    fn event(&mut self, tick: Tick, event: &Event) {
        self.0.event(tick, event);
        self.1.overridden += usize::from(matches!(event, Event::Overridden { .. }));
        self.1.promoted += usize::from(matches!(event, Event::Promoted { by: None, .. }));
        self.1.borrowed += usize::from(matches!(event, Event::Promoted { by: Some(_), .. }));
    }
    fn tick(&mut self, scenario: &Scenario, state: &throng::core::State) {
        self.0.tick(scenario, state);
    }
}

/// "Unit Priorities": a hero crosses a crowd and arrives at the tick it would alone; the crowd makes way.
#[test]
fn a_hero_crosses_a_crowd_as_if_alone() {
    for seed in 0..10u32 {
        let hero = Agent { priority: 1, ..goal(0, (0, 6), (24, 6)) };
        // Every other cell of the middle is taken, and everybody is on its way through it.
        let crowd = (0..72u32).map(|k| {
            let cell = |k: u32| (4 + (2 * (k % 8) + k / 8 % 2) as i32, 2 + (k / 8) as i32);
            goal(k + 1, cell(k), cell((k * 5 + 7 * seed) % 72))
        });
        let agents: Vec<_> = std::iter::once(hero).chain(crowd).collect();
        let scenario = Scenario::new("hero", Grid::empty(25, 13).unwrap(), Rules::default(), agents).unwrap();
        let mut session = session(Setup::new(scenario.clone()), "whca");
        let mut both = Both(Watch::new(&scenario), Told::default());
        let mut arrived = None;
        while arrived.is_none() && session.state().tick < 100 {
            session.tick(&Unlimited, &mut both);
            arrived = session.rests(AgentId(0)).then_some(session.state().tick);
        }
        assert_eq!(arrived, Some(24), "seed {seed}");
        assert!(both.1.overridden > 0, "the crowd was in the way");
        assert_eq!(both.0.finish().failed_moves, 0);
    }
}

/// "Unit Priorities": a unit that its neighbours have shut in gets out.
#[test]
fn the_cornered_unit_gets_out() {
    // 0 stands at the end of a dead end; 1 and 2 rest in front of it.
    let rows = ["@@@@@@@@", "...@....", "........", "@@@@@@@@"];
    let agents = vec![
        goal(0, (0, 1), (7, 1)),
        goal(1, (1, 1), (1, 1)),
        goal(2, (0, 2), (0, 2)),
        goal(3, (1, 2), (1, 2)),
    ];
    let scenario =
        Scenario::new("corner", Grid::from_rows(&rows).unwrap(), Rules::default(), agents).unwrap();
    let mut session = session(Setup::new(scenario.clone()), "whca");
    let mut both = Both(Watch::new(&scenario), Told::default());
    while !session.is_done() && session.state().tick < 300 {
        session.tick(&Unlimited, &mut both);
    }
    assert!(session.is_done(), "{:?}", session.state());
    let Told { overridden, promoted, borrowed } = both.1;
    assert!(promoted == 1 && borrowed > 0 && overridden >= borrowed, "{promoted}, {borrowed}, {overridden}");
    assert_eq!(both.0.finish().failed_moves, 0);
}

/// A door somewhere opens and closes all the time. Changed terrain once began everybody's patience anew, so that nobody
/// was ever promoted.
#[test]
fn the_cornered_unit_gets_out_while_doors_move() {
    let rows = ["@@@@@@@@@@", "...@....@.", "........@@", "@@@@@@@@@@"];
    for every in [16, 8, 4, 1] {
        let agents = vec![
            goal(0, (0, 1), (7, 1)),
            goal(1, (1, 1), (1, 1)),
            goal(2, (0, 2), (0, 2)),
            goal(3, (1, 2), (1, 2)),
        ];
        let grid = Grid::from_rows(&rows).unwrap();
        let scenario = Scenario::new("corner", grid, Rules::default(), agents).unwrap();
        let mut session = session(Setup::new(scenario), "whca");
        while !session.is_done() && session.state().tick < 100 {
            let door = Cell::new(9, 1);
            if session.state().tick.is_multiple_of(every) && !session.close(door).unwrap() {
                session.open(door).unwrap();
            }
            tick(&mut session, &Unlimited);
        }
        assert!(session.is_done(), "a door that moves every {every} ticks");
    }
}

/// A quick unit passes through where a slow one rests. It cost the promoted as much to stay there, against the
/// reservations of the other, as to go round it, so that it went round it for ever.
#[test]
fn the_quick_get_past_the_slow() {
    for (slow, quick) in [(1, 1), (2, 1), (4, 1), (8, 1), (8, 3), (5, 2), (1, 4)] {
        for spec in ["whca", "whca(window=8)", "whca(abstraction=1)", "cpra"] {
            let rests = Agent { period: slow, ..goal(0, (15, 4), (15, 4)) };
            let way = Task::Goals(vec![Cell::new(15, 4), Cell::new(28, 4)]);
            let passes = Agent { period: quick, ..Agent::new(1, Cell::new(2, 4), way) };
            let grid = Grid::from_rows(&[".............................."; 9]).unwrap();
            let rules = metric(Connectivity::Eight);
            let scenario = Scenario::new("passing", grid, rules, vec![rests, passes]).unwrap();
            let mut session = session(Setup::new(scenario), spec);
            watched(&mut session, 400, &Unlimited);
            assert_eq!(session.arrived(), 2, "{slow} and {quick}, {spec}");
        }
    }
}

/// A runner's goal is in a street around a block, behind a slow one who rests there. Whoever makes way could leave its cell in time, but not
/// flee along the street as fast as the runner came after it; so it drove the runner back instead, and both stood there for
/// ever, each waiting for the other (`town`, seed 16). Who has pushed in vain for long gives others more time by now.
#[test]
fn the_slow_flee_before_the_quick_along_a_street() {
    let rows = ["...............", ".@@@@@@@@@@@@@.", "..............."];
    for (slow, far) in [(2, 2), (4, 2), (4, 3), (4, 4), (8, 3)] {
        for spec in ["whca(window=16)", "whca"] {
            let rests = Agent { period: slow, ..goal(0, (5, 2), (5, 2)) };
            let runs = Motion::Gaits { run: 1 };
            let runner = Agent { period: 2, motion: runs, ..goal(1, (0, 2), (5 + far, 2)) };
            let grid = Grid::from_rows(&rows).unwrap();
            let agents = vec![rests, runner];
            let scenario = Scenario::new("street", grid, metric(Connectivity::Eight), agents).unwrap();
            let mut session = session(Setup::new(scenario), spec);
            watched(&mut session, 2000, &Unlimited);
            let why = || format!("{}\n{}", session.why(AgentId(0)), session.why(AgentId(1)));
            assert_eq!(session.arrived(), 2, "{slow} to {far}, {spec}: {}", why());
        }
    }
}

/// A clock that ends every tick after some work, as a game's frame does.
struct Frame(u64);

impl Budget for Frame {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.0
    }
    fn is_tight(&self) -> bool {
        true
    }
}

/// Whoever limits something else than expansions gets its jams dissolved, too: searches go on in the next tick.
#[test]
fn a_clock_will_do_as_a_budget() {
    let setup = throng::worlds::builtin("bridge", 0).unwrap();
    let mut session = session(Setup { planner: None, ..setup }, "whca");
    watched(&mut session, 300, &Frame(1000));
    assert_eq!(session.arrived(), 40);
}

/// Units told to hold position do not move and are planned around, by everybody whatever its rank.
#[test]
fn holders_are_planned_around() {
    let rows = [".......", "...@...", "......."];
    let holder = Agent::new(1, Cell::new(3, 0), Task::Hold);
    let agents = vec![Agent { priority: 9, ..goal(0, (0, 0), (6, 0)) }, holder];
    let scenario = Scenario::new("hold", Grid::from_rows(&rows).unwrap(), Rules::default(), agents).unwrap();
    let mut session = session(Setup::new(scenario), "whca");
    watched(&mut session, 100, &Unlimited);
    assert!(session.is_done());
    assert_eq!(session.state().tick, 10, "around the wall below");
}

/// A holder has no turn of its own: planning like everybody else it would lose the rank that lets nobody plan
/// through it, and a hero that came after it in turn would try.
#[test]
fn holders_are_planned_around_whoever_plans_first() {
    let rows = [".......", "...@...", "......."];
    for seed in 0..6 {
        let holder = Agent::new(0, Cell::new(3, 0), Task::Hold);
        let hero = Agent { priority: 9, ..goal(1, (seed % 3, 0), (6, 0)) };
        let scenario =
            Scenario::new("hold", Grid::from_rows(&rows).unwrap(), Rules::default(), vec![holder, hero]);
        let mut session = session(Setup::new(scenario.unwrap()), "whca(window=8)");
        let report = watched(&mut session, 100, &Unlimited);
        assert!(session.is_done());
        assert_eq!(report.failed_moves, 0);
    }
}
