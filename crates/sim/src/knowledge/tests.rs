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
    let mut known = Knowledge::new(&world, &state, &[AgentId(0)]);
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
    let mut known = Knowledge::new(&world, &state, &[AgentId(0)]);
    look(&mut known, &world, &state);
    let mut again = Knowledge::new(&world, &state, &[AgentId(0)]);
    assert!(again.load(&state, &[AgentId(0)], known.save()));
    assert_eq!(again.save(), known.save());
    let short = Memory { letters: vec![b'.'; 5], ..known.save() };
    let wild = Memory { letters: b"....?.".to_vec(), ..known.save() };
    let blind = Memory { seen: None, ..known.save() };
    for bad in [short, wild, blind] {
        assert!(!again.load(&state, &[AgentId(0)], bad));
    }
}
