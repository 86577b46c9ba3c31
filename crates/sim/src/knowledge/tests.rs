use super::*;
use throng_core::{Rules, Sight};

/// Two units of different teams in a corridor; the first sees two cells far.
fn corridor() -> (Scenario, State) {
    let goal = |x| Task::Goal(Cell::new(x, 0));
    let mut agents = vec![Agent::new(0, Cell::new(0, 0), goal(1)), Agent::new(1, Cell::new(2, 0), goal(5))];
    agents[1].team = 1;
    let grid = Grid::from_rows(&["......"]).expect("a map");
    let world = Scenario::new("corridor", grid, Rules::default(), agents).expect("a scenario");
    let world = world.with_sight(Sight::new(2)).expect("eyes");
    let state = State::new(&world);
    (world, state)
}

fn look(known: &mut Knowledge, world: &Scenario, state: &State) -> (Vec<AgentId>, Vec<AgentId>) {
    for cell in known.look(world, state, &[AgentId(0)]) {
        known.learn(world, cell);
    }
    let vanished = known.vanished(world, state, &[AgentId(0)]);
    vanished.iter().for_each(|&id| known.left(id));
    (known.meet(world, state, &[AgentId(0)]), vanished)
}

/// Others are met, stay where they were last seen, and are gone once that place is seen without them.
#[test]
fn others_are_where_they_were_last_seen() {
    let (world, mut state) = corridor();
    let mut known = Knowledge::new(&world, &state, &[AgentId(0)], world.sight());
    let other = |known: &Knowledge| known.view(&[]).state.units[1];
    assert!(other(&known).gone);
    assert_eq!(look(&mut known, &world, &state), (vec![AgentId(1)], vec![]));
    assert!(!other(&known).gone && other(&known).at == state.units[1].at);
    let hidden = known.scenario().agent(AgentId(1));
    assert_eq!(hidden.task, Task::Goal(Cell::new(0, 0)), "what it is to do is its own business");
    // It goes on out of sight, into a cell that is behind the one that is seen last.
    let seen_at = state.units[1].at;
    let step = |state: &mut State, id: usize, x: i32| {
        let at = world.grid().id(Cell::new(x, 0)).expect("a cell");
        state.units[id] = Unit { at, from: at, ..state.units[id] };
    };
    step(&mut state, 1, 4);
    assert_eq!(look(&mut known, &world, &state), (vec![], vec![AgentId(1)]), "its place is in sight");
    step(&mut state, 1, 2);
    assert_eq!(look(&mut known, &world, &state), (vec![AgentId(1)], vec![]));
    // The eyes are elsewhere when it leaves.
    state.units[0].gone = true;
    known.eyes.close(AgentId(0));
    step(&mut state, 1, 5);
    assert_eq!(look(&mut known, &world, &state), (vec![], vec![]));
    assert!(!other(&known).gone && other(&known).at == seen_at);
}

/// What was remembered can be taken up, and what is of another world cannot.
#[test]
fn memory_is_kept() {
    let (world, state) = corridor();
    let mut known = Knowledge::new(&world, &state, &[AgentId(0)], world.sight());
    look(&mut known, &world, &state);
    let mut again = Knowledge::new(&world, &state, &[AgentId(0)], world.sight());
    assert!(again.load(&state, &[AgentId(0)], known.save()));
    assert_eq!(again.save(), known.save());
    let short = Memory { letters: vec![b'.'; 5], ..known.save() };
    let wild = Memory { letters: b"....?.".to_vec(), ..known.save() };
    let blind = Memory { seen: None, ..known.save() };
    for bad in [short, wild, blind] {
        assert!(!again.load(&state, &[AgentId(0)], bad));
    }
}

/// A unit with a cone looks where its last move led, and all around before it has moved; saved, it looks the same way.
#[test]
fn eyes_follow_moves() {
    let agents = vec![Agent::new(0, Cell::new(4, 0), Task::Explore)];
    let grid = Grid::from_rows(&["........."]).expect("a map");
    let world = Scenario::new("cone", grid, Rules::default(), agents).expect("a scenario");
    let sight = Sight { angle: 90, inner: Some(1), ..Sight::new(3) };
    let world = world.with_sight(sight).expect("eyes");
    let (mut state, me) = (State::new(&world), [AgentId(0)]);
    let sees = |known: &Knowledge| {
        let at = |x| world.grid().id(Cell::new(x, 0)).expect("a cell");
        (0..9).filter(|&x| known.sees(at(x))).collect::<Vec<_>>()
    };
    let mut known = Knowledge::new(&world, &state, &me, world.sight());
    known.look(&world, &state, &me);
    assert_eq!(sees(&known), [1, 2, 3, 4, 5, 6, 7]);
    known.face(AgentId(0), Action::Go(throng_core::Dir::E));
    let at = world.grid().id(Cell::new(5, 0)).expect("a cell");
    state.units[0] = Unit { at, from: at, ..state.units[0] };
    known.look(&world, &state, &me);
    assert_eq!(sees(&known), [4, 5, 6, 7, 8]);
    known.face(AgentId(0), Action::Wait);
    let mut again = Knowledge::new(&world, &state, &me, world.sight());
    assert!(again.load(&state, &me, known.save()));
    again.look(&world, &state, &me);
    assert_eq!(sees(&again), [4, 5, 6, 7, 8]);
}

/// What has been out of sight for longer than that is unknown again, walls and all.
#[test]
fn memory_fades() {
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Explore)];
    let grid = Grid::from_rows(&[".@....."]).expect("a map");
    let world = Scenario::new("fading", grid, Rules::default(), agents).expect("a scenario");
    let world = world.with_sight(Sight { fading: Some(3), ..Sight::new(1) }).expect("eyes");
    let (mut state, me) = (State::new(&world), [AgentId(0)]);
    let mut known = Knowledge::new(&world, &state, &me, world.sight());
    let mut wall_is_known = Vec::new();
    for tick in 0..6 {
        state.tick = tick;
        let at = world.grid().id(Cell::new(if tick == 0 { 0 } else { 5 }, 0)).expect("a cell");
        state.units[0] = Unit::standing(at, tick, 0, 0);
        for cell in known.look(&world, &state, &me) {
            known.learn(&world, cell);
        }
        let faded = known.fading(&world);
        faded.into_iter().for_each(|cell| {
            known.forget(cell);
        });
        wall_is_known.push(!known.scenario().grid().is_open(Cell::new(1, 0)));
        let mut again = Knowledge::new(&world, &state, &me, world.sight());
        assert!(again.load(&state, &me, known.save()) && again.save() == known.save());
    }
    assert_eq!(wall_is_known, [true, true, true, true, false, false]);
    assert_eq!(known.explored(AgentId(0)).map(|explored| explored.seen), Some(3));
}

/// Nobody is told where what it looks for is.
#[test]
fn what_is_to_be_found_is_hidden() {
    let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Find(Cell::new(5, 0)))];
    let grid = Grid::from_rows(&["......"]).expect("a map");
    let world = Scenario::new("hidden", grid, Rules::default(), agents).expect("a scenario");
    let world = world.with_sight(Sight::new(2)).expect("eyes");
    let mut known = Knowledge::new(&world, &State::new(&world), &[AgentId(0)], world.sight());
    known.note(world.agent(AgentId(0)), true);
    assert_eq!(known.scenario().agent(AgentId(0)).task, Task::Explore);
}

/// A stranger walks along a corridor past units that stand and see two cells far: `moves` is where it is after each of its steps,
/// and the answer where they believe it to be at every tick, with nothing while nothing is known of it.
fn believed(row: &str, eyes: &[i32], period: u8, moves: &[i32], ticks: Tick) -> Vec<Option<i32>> {
    let timing = if period == 1 { Rules::default().timing } else { throng_core::Timing::Metric };
    let rules = Rules { timing, ..Rules::default() };
    let below = eyes.iter().map(|&x| (Cell::new(x, 1), 0));
    let agents = below.chain([(Cell::new(moves[0], 0), 1)]).zip(0..);
    let agents = agents.map(|((at, team), id)| Agent { team, period, ..Agent::new(id, at, Task::Hold) });
    let grid = Grid::from_rows(&[row, &".".repeat(row.len())]).expect("a map");
    let world = Scenario::new("ghosts", grid, rules, agents.collect()).expect("a scenario");
    let world = world.with_sight(Sight { map_known: true, ..Sight::new(2) }).expect("eyes");
    let us: Vec<_> = (0..eyes.len() as u32).map(AgentId).collect();
    let mut state = State::new(&world);
    let mut known = Knowledge::new(&world, &state, &us, world.sight());
    let mut places = Vec::new();
    for tick in 0..ticks {
        state.tick = tick;
        let place = |step: u64| {
            let x = moves[(step as usize).min(moves.len() - 1)];
            world.grid().id(Cell::new(x, 0)).expect("a cell")
        };
        let step = tick.div_ceil(u64::from(period));
        let (at, until) = (place(step), step * u64::from(period));
        let from = if until > tick { place(step.saturating_sub(1)) } else { at };
        state.units[eyes.len()] = Unit {
            from,
            since: until.saturating_sub(period.into()),
            until,
            ..Unit::standing(at, tick, 0, 0)
        };
        for cell in known.look(&world, &state, &us) {
            known.learn(&world, cell);
        }
        known.foresee(&world, &state, &us);
        known.vanished(&world, &state, &us).into_iter().for_each(|id| known.left(id));
        known.meet(&world, &state, &us);
        let mut twin = Knowledge::new(&world, &state, &us, world.sight());
        assert!(twin.load(&state, &us, known.save()) && twin.save() == known.save());
        let unit = known.view(&us).state.units[eyes.len()];
        places.push((!unit.gone).then(|| world.grid().cell(unit.at).x));
    }
    places
}

/// Whoever goes out of sight is believed to go on as it went, up to a wall; also if it has turned since. Who stood when it was last
/// seen stays there.
#[test]
fn strangers_out_of_sight_go_on() {
    // In sight up to x = 1; then it turns back unseen, but nobody knows.
    let moves = [0, 1, 2, 3, 3, 3];
    let places = believed("......@.", &[0], 1, &moves, 9);
    assert_eq!(places, [0, 1, 2, 3, 4, 5, 5, 5, 5].map(Some));
    // The same at a quarter of the speed: a step takes four ticks, and is known when it begins.
    let places = believed("......@.", &[0], 4, &moves, 30);
    let expected: Vec<_> = (0..30).map(|tick| Some(((tick + 3) / 4).min(5))).collect();
    assert_eq!(places, expected);
    assert_eq!(believed("......@.", &[0], 1, &[1, 1, 1, 1], 6), [Some(1); 6]);
}

/// Whoever would have come into sight and has not is believed to have stopped before; and where somebody else is seen, nobody goes.
#[test]
fn who_does_not_appear_has_stopped() {
    let moves = [0, 1, 2, 3, 3, 3, 3, 3];
    assert_eq!(believed("..........", &[0, 8], 1, &moves, 9), [0, 1, 2, 3, 4, 5, 6, 6, 6].map(Some));
    // It does appear, late: then it is where it is seen.
    let moves = [0, 1, 2, 3, 3, 3, 3, 3, 4, 5, 6, 7];
    let places = believed("..........", &[0, 8], 1, &moves, 12);
    assert_eq!(places[8..], [6, 6, 6, 7].map(Some));
}

/// A file of strangers that has gone out of sight goes on as one, whichever of them has the lower number.
#[test]
fn a_file_goes_on() {
    for starts in [[1, 2], [2, 1]] {
        let mut agents = vec![Agent::new(0, Cell::new(2, 1), Task::Hold)];
        for (x, id) in starts.into_iter().zip(1..) {
            agents.push(Agent { team: 1, ..Agent::new(id, Cell::new(x, 0), Task::Hold) });
        }
        let grid = Grid::from_rows(&[".........", "........."]).expect("a map");
        let world = Scenario::new("file", grid, Rules::default(), agents).expect("a scenario");
        let world = world.with_sight(Sight { map_known: true, ..Sight::new(2) }).expect("eyes");
        let (mut state, me) = (State::new(&world), [AgentId(0)]);
        let mut known = Knowledge::new(&world, &state, &me, world.sight());
        for tick in 0..7 {
            state.tick = tick;
            for (x, id) in starts.into_iter().zip(1..) {
                let at = world.grid().id(Cell::new(x + tick as i32, 0)).expect("a cell");
                state.units[id] = Unit::standing(at, tick, 0, 0);
            }
            for cell in known.look(&world, &state, &me) {
                known.learn(&world, cell);
            }
            known.foresee(&world, &state, &me);
            known.vanished(&world, &state, &me).into_iter().for_each(|id| known.left(id));
            known.meet(&world, &state, &me);
            let believed = [1, 2].map(|id| known.view(&me).state.units[id].at);
            assert_eq!(believed, [1, 2].map(|id: usize| state.units[id].at), "tick {tick} of {starts:?}");
        }
    }
}
