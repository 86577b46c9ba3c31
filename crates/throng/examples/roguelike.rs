//! Maps of distances as roguelikes use them: one flees, one shoots from afar, and one searches for who has hidden. The maps
//! say where to go next; the session moves everybody, so that nobody walks into anybody.

use throng::core::{Cell, CellId, Connectivity, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
use throng::search::landscape::{Heat, Suspicion, flee, kite};
use throng::search::vision::{Facing, Vision};
use throng::{NewUnit, Options, Session, Setup, UnitId};

const FOUR: Connectivity = Connectivity::Four;

/// Steps to a cell.
fn heat(grid: &Grid, to: CellId) -> Heat {
    let mut heat = Heat::new(grid, FOUR);
    heat.build(grid, [to]);
    heat
}

/// The cell beside `at` that is nearest by a map of steps, if it is nearer than `at` itself.
fn nearer(grid: &Grid, heat: &Heat, at: CellId) -> Option<CellId> {
    let cell = grid.cell(at);
    let beside =
        [(0, -1), (1, 0), (0, 1), (-1, 0)].map(|(dx, dy)| grid.id(Cell::new(cell.x + dx, cell.y + dy)));
    let best = beside
        .into_iter()
        .flatten()
        .filter(|&id| grid.is_open_id(id))
        .min_by_key(|&id| heat.steps(id).unwrap_or(u32::MAX))?;
    (heat.steps(best)? < heat.steps(at)?).then_some(best)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rows = [
        "....................",
        ".@@@@@@.@@@@.@@@@@@.",
        ".@.....@.........@..",
        ".@.....@.........@..",
        ".@@@.@@@@@@@.@@@@@..",
        "....................",
    ];
    let grid = Grid::from_rows(&rows)?;
    let scenario = Scenario::new("dungeon", grid.clone(), Rules::default(), Vec::new())?;
    let mut session = Session::new(Setup::new(scenario), &Options::planner("whca"))?;
    // The hero walks from room to room; a thief flees from it, and an archer keeps it at a distance of four or five.
    let rounds = [(3, 2), (12, 3), (19, 5), (0, 0)].map(|(x, y)| Cell::new(x, y));
    let hero = session.add(NewUnit::new(Cell::new(0, 5), Task::Goals(rounds.to_vec())))?;
    let thief = session.add(NewUnit::new(Cell::new(14, 2), Task::Hold))?;
    let archer = session.add(NewUnit::new(Cell::new(10, 0), Task::Hold))?;
    let eyes = Vision::around(8)?;
    let at = |session: &Session, unit: UnitId| session.unit(unit).map(|unit| unit.at);
    let (mut nearest, mut shots) = (u32::MAX, 0);
    while session.state().tick < 60 {
        let (foe, fleeing, shooting) = (at(&session, hero)?, at(&session, thief)?, at(&session, archer)?);
        let foes = heat(&grid, foe);
        let mut lit = vec![false; grid.len()];
        eyes.from_cell(&grid, grid.cell(foe), Facing::default(), |id| lit[id.index()] = true);
        let away = flee(&grid, FOUR, &foes).down(&grid, fleeing, |next| next != foe);
        let stand = kite(&grid, FOUR, &foes, [4, 5], |id| lit[id.index()]);
        let closer = nearer(&grid, &stand, shooting);
        for (unit, next) in [(thief, away), (archer, closer)] {
            let task = next.map_or(Task::Hold, |next| Task::Goal(grid.cell(next)));
            // Whoever has its place already need not be told.
            let _ = session.order(unit, task);
        }
        session.tick(&Unlimited, &mut Unobserved);
        let apart = heat(&grid, at(&session, hero)?);
        nearest = nearest.min(apart.steps(at(&session, thief)?).unwrap_or(u32::MAX));
        shots += u32::from(
            lit[shooting.index()] && foes.steps(shooting).is_some_and(|far| (4..=5).contains(&far)),
        );
    }
    println!(
        "the hero came no nearer to the thief than {nearest} steps; the archer had it in its sights {shots} times"
    );
    assert!(nearest >= 2 && shots >= 5);

    // Now the thief is out of sight. A guard searches for it where it may have gone since it was last seen.
    let last_seen = at(&session, thief)?;
    let mut trail = Suspicion::new(&grid, FOUR, last_seen);
    let guard = session.add(NewUnit::new(Cell::new(19, 0), Task::Hold))?;
    session.order(thief, Task::Hold)?;
    let found = loop {
        let here = at(&session, guard)?;
        let mut lit = vec![false; grid.len()];
        eyes.from_cell(&grid, grid.cell(here), Facing::default(), |id| lit[id.index()] = true);
        let hidden = at(&session, thief)?;
        if lit[hidden.index()] || session.state().tick > 200 {
            break lit[hidden.index()];
        }
        trail.pass(&grid, |id| lit[id.index()]);
        assert!(trail.suspects(hidden), "it is where it may be");
        if let Some(next) = nearer(&grid, &trail.heat(&grid), here) {
            let _ = session.order(guard, Task::Goal(grid.cell(next)));
        }
        session.tick(&Unlimited, &mut Unobserved);
    };
    assert!(found, "the guard has seen the thief");
    println!("the guard found the thief at tick {}", session.state().tick);
    Ok(())
}
