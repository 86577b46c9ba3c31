//! Explorers in continuous space: they see everything, find what is hidden, touch nothing, and know nothing that nobody has seen.

use proptest::prelude::*;
use throng_check::space::{Mover, SpaceJudge};
use throng_continuous::{Body, Ending, Expedition, ExpeditionError, NewBody, Settings, SpaceError, walls};
use throng_core::space::{Point, Shape, border};
use throng_core::{AgentId, Cell, CellId, Dir, Draw as _, Grid, Sight, Unlimited, Unobserved, stream};
use throng_search::landscape::Weights;

/// How far they see, in cells.
const RADIUS: f64 = 7.0;
const HEAT: Weights = Weights { heat: 100_000, potential: 0, repulsion: 0 };
const ALL: Weights = Weights { heat: 100_000, potential: 1, repulsion: 1 };

/// Blocks of walls at random, and open cells in the corner where all begin.
fn caves(seed: u64) -> Grid {
    let (width, height) = (24usize, 18usize);
    let mut dice = stream(seed, AgentId(0), 0);
    let mut rows = vec![vec![b'.'; width]; height];
    for _ in 0..22 {
        let (x, y) = (dice.below(width as u32 - 2) as usize, dice.below(height as u32 - 2) as usize);
        let (w, h) = (1 + dice.below(5) as usize, 1 + dice.below(3) as usize);
        for row in rows.iter_mut().skip(y).take(h) {
            row.iter_mut().skip(x).take(w).for_each(|cell| *cell = b'@');
        }
    }
    for row in rows.iter_mut().take(3) {
        row[..3].fill(b'.');
    }
    let rows: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    Grid::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

fn expedition(grid: Grid, hidden: Option<Cell>, weights: Weights, count: i32) -> Expedition {
    let sight = Sight { angle: 90, inner: Some(2), ..Sight::new(RADIUS as u32) };
    let at = |k: i32| Point::new(f64::from(k % 3) + 0.5, f64::from(k / 3) + 0.5);
    let body = |k: i32| NewBody::new(Shape::disc(0.4).unwrap(), at(k), at(k));
    let bodies = (0..count).map(body).collect();
    Expedition::new(grid, sight, hidden, weights, Settings::default(), bodies).unwrap()
}

/// Runs to the end, while the judge watches all of it against the walls as they are.
fn run(expedition: &mut Expedition, grid: &Grid, time: f64) {
    let world = expedition.world();
    let mover = |body: &Body| Mover { shape: body.shape().clone(), speed: body.speed() };
    let size = Point::new(grid.width() as f64, grid.height() as f64);
    let all = [walls(grid), border(Point::ZERO, size)].concat();
    let mut judge = SpaceJudge::new(world.bodies().iter().map(mover).collect(), &all, world.poses());
    while expedition.ending().is_none() && expedition.world().time() < time {
        expedition.step(&Unlimited, &mut Unobserved);
        judge.step(expedition.world().settings().step, &expedition.world().poses());
        assert!(judge.report().is_valid(), "{}", judge.report());
    }
}

/// All open cells that can be walked to, and those beside them.
fn reachable(grid: &Grid) -> Vec<CellId> {
    let mut found = vec![false; grid.len()];
    let mut open = vec![Cell::new(0, 0)];
    while let Some(cell) = open.pop() {
        let Some(id) = grid.id(cell) else { continue };
        if !core::mem::replace(&mut found[id.index()], true) && grid.is_open(cell) {
            open.extend([Dir::N, Dir::E, Dir::S, Dir::W].map(|dir| cell.step(dir)));
        }
    }
    (0..grid.len() as u32).map(CellId).filter(|id| found[id.index()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn everything_that_can_be_reached_is_seen(seed in any::<u64>(), count in 1..6i32, fields in any::<bool>()) {
        let grid = caves(seed);
        let mut expedition = expedition(grid.clone(), None, if fields { ALL } else { HEAT }, count);
        run(&mut expedition, &grid, 600.0);
        prop_assert_eq!(expedition.ending(), Some(Ending::Explored), "{:?}", expedition.coverage());
        let missed: Vec<_> = reachable(&grid).into_iter().filter(|&id| !expedition.seen().contains(id)).collect();
        prop_assert!(missed.is_empty(), "{missed:?} of {:?}", expedition.coverage());
    }

    /// What nobody has seen changes nothing until somebody sees it.
    #[test]
    fn nothing_unseen_is_known(seed in any::<u64>(), which in any::<u32>(), count in 1..5i32) {
        let grid = caves(seed);
        let mut one = expedition(grid.clone(), None, ALL, count);
        let unseen: Vec<CellId> =
            (0..grid.len() as u32).map(CellId).filter(|&id| grid.contains(grid.cell(id)) && !one.seen().contains(id)).collect();
        prop_assume!(!unseen.is_empty());
        let altered = unseen[which as usize % unseen.len()];
        let mut changed = grid.clone();
        changed.set_letter(altered, if grid.is_open_id(altered) { b'@' } else { b'.' }).unwrap();
        let mut other = expedition(changed, None, ALL, count);
        for step in 0..1500 {
            prop_assert_eq!(one.world().hash(), other.world().hash(), "step {}", step);
            one.step(&Unlimited, &mut Unobserved);
            other.step(&Unlimited, &mut Unobserved);
            if one.seen() != other.seen() {
                // Seen itself, or looked past by somebody so near that it can hide what is behind it.
                let cell = grid.cell(altered);
                let middle = Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
                let near = |body: &Body| (body.pose().at - middle).length() <= RADIUS + 1.0;
                prop_assert!(one.world().bodies().iter().any(near), "step {}", step);
                return Ok(());
            }
            if one.seen().contains(altered) || one.ending().is_some() {
                return Ok(());
            }
        }
    }
}

#[test]
fn what_is_hidden_is_found() {
    let grid = caves(5);
    let far = *reachable(&grid).iter().rev().find(|&&id| grid.is_open_id(id)).unwrap();
    let mut expedition = expedition(grid.clone(), Some(grid.cell(far)), ALL, 4);
    run(&mut expedition, &grid, 600.0);
    assert_eq!(expedition.ending(), Some(Ending::Found));
    assert!(expedition.seen().contains(far));
}

#[test]
fn threads_change_nothing() {
    let grid = caves(8);
    let [mut one, mut two] = [1, 3].map(|n| expedition(grid.clone(), None, ALL, 5).on_threads(n));
    for _ in 0..800 {
        one.step(&Unlimited, &mut Unobserved);
        two.step(&Unlimited, &mut Unobserved);
        assert_eq!((one.world().hash(), one.seen()), (two.world().hash(), two.seen()));
    }
}

#[test]
fn who_forgets_is_refused() {
    let sight = Sight { fading: Some(5), ..Sight::new(4) };
    let made = Expedition::new(caves(1), sight, None, HEAT, Settings::default(), Vec::new());
    assert_eq!(made.unwrap_err(), ExpeditionError::Memory);
}

/// Where bodies begin was looked at before it was checked, and places beyond all cells overflowed.
#[test]
fn bodies_that_cannot_be_there_are_refused() {
    let far = [Point::new(f64::INFINITY, 1.0), Point::new(1.0, f64::NAN), Point::new(1e300, -1e300)];
    for (at, sound) in far.map(|at| (at, false)).into_iter().chain([(Point::new(-5.0, 9e4), true)]) {
        let bodies = vec![NewBody::new(Shape::disc(0.4).unwrap(), at, at)];
        let made = Expedition::new(caves(1), Sight::new(4), None, HEAT, Settings::default(), bodies);
        match made.unwrap_err() {
            ExpeditionError::Space(SpaceError::NoPoint { .. }) => assert!(!sound, "{at}"),
            ExpeditionError::Space(SpaceError::InWall { .. }) => assert!(sound, "{at}"),
            other => panic!("{at}: {other}"),
        }
    }
}

/// Whoever looks again from where explorers were has seen what they saw, and knows how it ended. Places off the map, or none at
/// all, show nothing.
#[test]
fn explorers_are_retraced() {
    for (seed, hidden) in [(1, None), (2, Some(Cell::new(20, 15))), (3, None)] {
        let grid = caves(seed);
        let mut first = expedition(grid.clone(), hidden, ALL, 4);
        let mut again = expedition(grid, hidden, ALL, 4);
        while first.ending().is_none() && first.world().time() < 300.0 {
            first.step(&Unlimited, &mut Unobserved);
            for far in [f64::NAN, f64::INFINITY, 1e300, -1.0] {
                let seen = again.seen().len();
                again.retrace(&[Point::new(far, 1.0); 9][..if seed == 3 { 0 } else { 9 }]);
                assert_eq!(again.seen().len(), seen);
            }
            again.retrace(&first.world().bodies().iter().map(|body| body.pose().at).collect::<Vec<_>>());
            assert_eq!(again.coverage(), first.coverage(), "step {}", first.world().steps());
        }
        assert!(first.ending().is_some() && again.ending() == first.ending(), "{seed}");
    }
}
