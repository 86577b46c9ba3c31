//! Teams that do not know each other's plans, and those who stand in others' way.

use crate::kit::{Time, session, supports, tick, travellers, watched};
use proptest::prelude::*;
use throng::core::{
    Action, Agent, AgentId, Cause, Cell, Event, Expansions, Grid, Need, Rules, Scenario, Setup, Sight, Task,
    Unlimited,
};
use throng::planners::registry;
use throng::{Error, NewUnit, Options, OrderError, Session};
use throng_testkit::Worlds;

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn world(rows: &[&str], agents: &[(Cell, Cell, u16)]) -> Scenario {
    let agent = |((start, goal, team), id): (&(Cell, Cell, u16), u32)| Agent {
        team: *team,
        ..Agent::new(id, *start, Task::Goal(*goal))
    };
    let agents = agents.iter().zip(0..).map(agent).collect();
    Scenario::new("teams", Grid::from_rows(rows).unwrap(), Rules::default(), agents).unwrap()
}

/// With those planners for the units of team 1.
fn against(scenario: Scenario, planner: &str, other: &str) -> Setup {
    let others = scenario.agents().iter().filter(|agent| agent.team == 1);
    let unit_planners = others.map(|agent| (agent.id, other.to_owned())).collect();
    Setup { planner: Some(planner.to_owned()), unit_planners, ..Setup::new(scenario) }
}

fn run(setup: Setup) -> Session {
    Session::new(setup, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Nobody's plans are told to others: what another team is to do changes nothing before it is done. The stranger walks down the same column
/// for as long as the two are compared, to goals on either side of it.
#[test]
fn what_others_are_to_do_is_not_known() {
    let rows = [
        "@@@@.@@@@",
        "@@@@.@@@@",
        "@@@@.@@@@",
        ".........",
        "@@@@.@@@@",
        "@@@@.@@@@",
        "@@@@.@@@@",
        ".........",
    ];
    for planner in travellers().filter(|entry| entry.support.teams).map(|entry| entry.name) {
        let mut twins = [cell(8, 7), cell(0, 7)].map(|goal| {
            let units = [(cell(1, 3), cell(7, 3), 0), (cell(4, 0), goal, 1)];
            run(against(world(&rows, &units), planner, "lra"))
        });
        let mut compared = 0;
        loop {
            twins.iter_mut().for_each(|session| tick(session, &Unlimited));
            let [a, b] = twins.each_ref().map(|session| &session.state().units);
            if a[1].at != b[1].at {
                break;
            }
            assert_eq!(a[0], b[0], "{planner}, tick {compared}");
            compared += 1;
        }
        // Both are past each other by then.
        assert!(compared >= 7, "{planner}: {compared}");
    }
}

/// A stranger that comes along is foreseen to come on: whoever plans ahead lets it pass and loses no move, wherever their ways cross.
#[test]
fn others_are_foreseen() {
    for (y, planner) in (1..8).flat_map(|y| ["whca", "collective", "flock"].map(|planner| (y, planner))) {
        let units = [(cell(4, 0), cell(4, 8), 0), (cell(0, y), cell(8, y), 1)];
        let mut session = run(against(world(&["........."; 9], &units), planner, "lra"));
        while !session.is_done() {
            tick(&mut session, &Unlimited);
            let lost = |e: &Event| matches!(e, Event::Failed { agent: AgentId(0), .. });
            assert!(!session.events().iter().any(lost), "{planner} row {y} tick {}", session.state().tick);
            assert!(session.state().tick < 30, "{planner} row {y}: {}", session.why(AgentId(0)));
        }
    }
}

/// Who stands in the only way is the cause that is told, and gives in after a while.
#[test]
fn a_blocker_stands_where_it_is_narrow() {
    let rows = ["....@....", ".........", "....@...."];
    let units = [(cell(0, 1), cell(8, 1), 0), (cell(6, 0), cell(8, 2), 1)];
    for planner in ["whca", "lra", "dlite"] {
        let mut session = run(against(world(&rows, &units), planner, "blocker(patience=30)"));
        let mut barred = 0;
        while !session.has_arrived(AgentId(0)) {
            tick(&mut session, &Unlimited);
            let why = session.explain(AgentId(1)).unwrap();
            let door = session.scenario().grid().cell(session.state().units[1].at) == cell(4, 1);
            barred += usize::from(door && why.cause == Cause::Bars { whom: AgentId(0) });
            assert!(session.state().tick < 400, "{planner}: {}", session.why(AgentId(0)));
        }
        assert!(barred > 5, "{planner}: {barred}");
        // Alone it would have taken 8 ticks.
        assert!(session.state().tick > 20, "{planner}: {}", session.state().tick);
        watched(&mut session, 600, &Unlimited);
        assert!(session.is_done(), "{planner}: {}", session.why(AgentId(1)));
    }
}

/// Whoever stands in a door bars all who come: it must not matter whom it has in mind, or it never lets go of several.
#[test]
fn a_blocker_lets_go_of_many() {
    let rows = ["@@@@@@@@@@", "....@.....", "....@.....", "..........", "....@.....", "....@....."];
    for (planner, quarries) in [("whca", 2), ("whca", 5), ("lra", 2), ("lra", 5), ("dlite", 2), ("dlite", 5)]
    {
        let quarry = |y| (cell(0, y), cell(9, y), 0);
        let mut units: Vec<_> = (1..=quarries).map(quarry).collect();
        units.push((cell(7, 2), cell(8, 3), 1));
        let mut session = run(against(world(&rows, &units), planner, "blocker(patience=16)"));
        let all = |session: &Session| (0..quarries as u32).all(|id| session.has_arrived(AgentId(id)));
        let (mut barred, mut saved) = (0, false);
        while !all(&session) {
            tick(&mut session, &Unlimited);
            let why = session.explain(AgentId(quarries as u32)).unwrap();
            barred += usize::from(matches!(why.cause, Cause::Bars { .. }));
            assert!(session.state().tick < 300, "{planner} {quarries}: {}", session.why(AgentId(0)));
            if barred == 8 && !core::mem::replace(&mut saved, true) {
                session = Session::resume(&session.save(), 1).unwrap();
            }
        }
        assert!(barred > 8, "{planner} {quarries}: {barred}");
    }
}

/// A planner that has to be told others' plans says so, also when a stranger comes later.
#[test]
fn planners_for_one_team_say_so() {
    let units = [(cell(0, 0), cell(1, 0), 0), (cell(2, 0), cell(3, 0), 1)];
    for entry in registry::all().iter().filter(|entry| !entry.support.teams) {
        let refused = Session::new(Setup::new(world(&["....."], &units)), &Options::planner(entry.name));
        let need = matches!(refused, Err(Error::Unsupported { need: Need::Teams, .. }));
        assert!(need, "{}", entry.name);
    }
    let alone = world(&["....."], &units[..1]);
    let stranger = NewUnit { team: 7, ..NewUnit::new(cell(4, 0), Task::Goal(cell(3, 0))) };
    let mut session = session(Setup::new(alone.clone()), "pibt");
    let refused = session.add(stranger.clone());
    assert!(matches!(refused, Err(OrderError::Unsupported { need: Need::Teams, .. })));
    let mut session = crate::kit::session(Setup::new(alone), "whca");
    tick(&mut session, &Unlimited);
    let stranger = session.add(stranger).unwrap();
    for _ in 0..4 {
        tick(&mut session, &Unlimited);
        session = Session::resume(&session.save(), 1).unwrap();
    }
    assert!(session.is_done() && session.has_arrived(stranger.agent));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Three teams under three planners in any world, in the light or in the dark: every tick is legal, and what is saved
    /// goes on in the same way.
    #[test]
    fn teams_survive_each_other(
        scenario in Worlds { agents: 2..=9, ..Worlds::small() }.strategy().prop_map(crate::kit::reachable),
        time in prop::sample::select(&Time::ALL[..]),
        planners in prop::array::uniform3(prop::sample::select(&["whca", "lra", "dlite", "blocker"])),
        sight in prop::option::of((1..5u32, any::<bool>())),
        budget in prop_oneof![Just(u64::MAX), 20..400u64],
        at in 1..40u64,
    ) {
        let mut agents = scenario.agents().to_vec();
        agents.iter_mut().for_each(|agent| {
            (agent.team, agent.period) = (agent.id.0 as u16 % 3, time.period());
        });
        let rules = time.rules(scenario.rules().connectivity);
        let mut scenario = Scenario::new("teams", scenario.grid().clone(), rules, agents).unwrap();
        if let Some((radius, shared)) = sight {
            scenario = scenario.with_sight(Sight { shared, ..Sight::new(radius) }).unwrap();
        }
        prop_assert!(planners.iter().all(|planner| supports(planner, &scenario)));
        let own = |agent: &Agent| (agent.id, planners[usize::from(agent.team)].to_owned());
        let unit_planners = scenario.agents().iter().map(own).collect();
        let setup = Setup { unit_planners, ..Setup::new(scenario) };
        let (mut session, mut twin) = (run(setup), None::<Session>);
        let budget = Expansions(budget);
        for _ in 0..120 {
            tick(&mut session, &budget);
            if let Some(twin) = &mut twin {
                tick(twin, &budget);
                prop_assert_eq!(twin.events(), session.events());
                prop_assert_eq!(twin.state(), session.state());
            } else if session.state().tick == at {
                twin = Some(Session::resume(&session.save(), 1).unwrap());
            }
        }
        for unit in session.units() {
            prop_assert!(session.explain(unit.agent).is_some());
        }
    }
}

/// In the dark nobody knows of strangers that it has not seen: where they are changes no decision.
#[test]
fn strangers_have_to_be_seen() {
    let rows = ["..........@....", "..........@....", "..............."];
    for planner in travellers().filter(|entry| entry.support.fog).map(|entry| entry.name) {
        let mut twins = [cell(13, 0), cell(14, 1)].map(|start| {
            let units = [(cell(0, 0), cell(9, 0), 0), (start, start, 1)];
            let scenario = world(&rows, &units).with_sight(Sight::new(3)).unwrap();
            session(Setup::new(scenario), planner)
        });
        for _ in 0..15 {
            twins.iter_mut().for_each(|session| tick(session, &Unlimited));
            let moved = |session: &Session| {
                let own = |e: &&Event| matches!(e, Event::Moved { agent: AgentId(0), action } if *action != Action::Wait);
                session.events().iter().filter(own).count()
            };
            assert_eq!(moved(&twins[0]), moved(&twins[1]), "{planner}");
            assert_eq!(twins[0].state().units[0], twins[1].state().units[0], "{planner}");
        }
        assert!(twins[0].has_arrived(AgentId(0)), "{planner}");
    }
}

/// A stranger that two sentries have seen pass comes out of its tunnel where it is expected: whoever crosses there lets it pass, though
/// nobody has seen it since. It used to be forgotten as soon as it was out of sight, and the first move into the crossing failed.
#[test]
fn strangers_in_a_tunnel_are_foreseen() {
    let rows = [
        "@@@@.@@@@",
        "@@@@.@@@@",
        "@@@@.@@@@",
        "..@@.@@@@",
        ".........",
        "@@@@.@@@@",
        "@@@@.@@@@",
        "@@@@.@@@@",
        "@@@@.@@@@",
    ];
    // The stranger comes first, so that it wins the crossing.
    let units = [
        (cell(0, 4), cell(8, 4), 1),
        (cell(4, 0), cell(4, 8), 0),
        (cell(0, 3), cell(0, 3), 0),
        (cell(1, 3), cell(1, 3), 0),
    ];
    let sight = Sight { map_known: true, ..Sight::new(1) };
    let scenario = world(&rows, &units).with_sight(sight).unwrap();
    let mut session = run(against(scenario, "whca", "lra"));
    let mut expected = false;
    while !session.is_done() {
        tick(&mut session, &Unlimited);
        let lost = |e: &Event| matches!(e, Event::Failed { .. });
        assert!(!session.events().iter().any(lost), "tick {}", session.state().tick);
        let why = session.explain(AgentId(1)).unwrap();
        expected |= matches!(why.cause, Cause::Expected { blocker: AgentId(0), .. });
        assert!(session.state().tick < 40, "{}", session.why(AgentId(1)));
    }
    assert!(expected, "it waited for somebody that nobody sees");
}
