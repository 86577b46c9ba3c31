//! What goes beyond Sturtevant and Buro: planners that read from the abstraction where it is crowded.

use crate::kit::{session, watched};
use throng::core::{Agent, AgentId, Cell, Connectivity, Grid, Rules, Scenario, Setup, Task, Unlimited};

fn rules(connectivity: Connectivity) -> Rules {
    Rules { connectivity, ..Rules::default() }
}

/// Two roads four cells wide cross. The one to the east is shut beyond the crossing for ever, and many come along it;
/// a few want to cross it to the south.
fn crossing(connectivity: Connectivity) -> Scenario {
    let open = |x, y| x == 17 || (64..68).contains(&y);
    let row = |y| (0..36).map(|x| if open(x, y) { '.' } else { '@' }).collect::<String>();
    let rows: Vec<String> = (0..80).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).expect("a map");
    let mut agents = Vec::new();
    let mut add = |start: (i32, i32), task| {
        agents.push(Agent::new(agents.len() as u32, Cell::new(start.0, start.1), task));
    };
    let goal = |x, y| Task::Goal(Cell::new(x, y));
    (0..4).for_each(|k| add((17, k), goal(17, 76 + k)));
    (0..4).for_each(|k| add((24, 64 + k), Task::Hold));
    (0..48).for_each(|k| add((4 + k / 4, 64 + k % 4), goal(24 + k / 4, 64 + k % 4)));
    Scenario::new("crossing", grid, rules(connectivity), agents).expect("valid")
}

/// "Ensuring we don't step into a congested region unless we can pass completely through": who cannot get off the
/// crossing stays out of it, and the others get across. Promotions would clear it as well, in time.
#[test]
fn a_crossing_is_kept_clear() {
    for connectivity in [Connectivity::Four, Connectivity::Eight] {
        for spec in ["cpra(patience=0)", "cpra(patience=0,jam=25)", "cpra", "cpra(jam=25)", "cpra(jam=50)", "cpra(jam=10)", "cpra(patience=0,jam=50)", "cpra(patience=0,jam=10)"] {
            let mut session = session(Setup::new(crossing(connectivity)), spec);
            watched(&mut session, 400, &Unlimited);
            let across = (0..4).filter(|&id| session.rests(AgentId(id))).count();
            let grid = session.scenario().grid();
            let inside = session.state().units.iter().filter(|u| { let c = grid.cell(u.at); (16..20).contains(&c.x) && (64..68).contains(&c.y) }).count();
            eprintln!("{connectivity:?} {spec}: {across} across, {inside} inside");
        }
    }
}
