use super::*;
use crate::{AStar, CarGraph, CarShape, GaitGraph, Graph, GridGraph, TrueDistance};
use proptest::prelude::*;
use std::sync::Arc;
use throng_core::{Agent, Cell, Connectivity, Motion, Rules, Task, Timing};

const ONE: i16 = DirectionVector::ONE;
const HALF: Rate = Rate(Rate::ONE / 2);

/// In thousandths, rounded.
fn near(vector: DirectionVector) -> (i32, i32) {
    let round = |side: i16| (f64::from(side) * 1000.0 / f64::from(ONE)).round() as i32;
    (round(vector.x), round(vector.y))
}

/// Figure 3 of the article: α is 0.5, and a unit goes two steps to the right through a centre whose vector points along y.
#[test]
fn the_articles_example_by_its_formula() {
    let grid = Grid::empty(3, 1).unwrap();
    let [start, centre, goal] = [0, 1, 2].map(|x| grid.id(Cell::new(x, 0)).unwrap());
    let mut map = DirectionMap::blank(&grid);
    map.vectors[centre.index()] = DirectionVector { x: 0, y: ONE };
    let rates = Rates { own: HALF, near: Rate::ZERO };
    map.learn(&grid, start, Dir::E, rates);
    assert_eq!(near(map.at(start.0)), (500, 0));
    // The article goes on with (0.707, 0.707), as if this were longer than 1.
    assert_eq!(map.at(centre.0), DirectionVector { x: ONE / 2, y: ONE / 2 });
    map.learn(&grid, centre, Dir::E, rates);
    assert_eq!(map.at(centre.0), DirectionVector { x: ONE / 4 * 3, y: ONE / 4 });
    assert_eq!(near(map.at(goal.0)), (500, 0));
}

/// The second step of figure 3 from where the article has come to.
#[test]
fn the_articles_second_step_as_printed() {
    let diagonal = DirectionVector::of(Dir::SE);
    assert_eq!(near(diagonal), (707, 707));
    assert_eq!(near(taught(diagonal, DirectionVector::of(Dir::E), HALF)), (854, 354));
}

#[test]
fn what_is_too_long_is_clipped() {
    let long = DirectionVector { x: ONE, y: -ONE };
    assert!(long.is_too_long());
    assert!(!clipped(long).is_too_long());
    assert_eq!(near(clipped(long)), (707, -707));
}

/// The eight cells around the one that is entered learn a quarter as fast, the one that is left only once, and walls nothing.
#[test]
fn neighbours_learn_more_slowly() {
    let grid = Grid::from_rows(&[".....", "..@..", "....."]).unwrap();
    let id = |x, y| grid.id(Cell::new(x, y)).unwrap();
    let mut map = DirectionMap::blank(&grid);
    map.learn(&grid, id(0, 2), Dir::E, Rates { own: HALF, near: HALF.quarter() });
    for cell in grid.open_ids() {
        let at = grid.cell(cell);
        let expected = match (at.x, at.y) {
            (0 | 1, 2) => 500,
            (0..=2, 1..=2) => 125,
            _ => 0,
        };
        assert_eq!(near(map.at(cell.0)), (expected, 0), "{at}");
    }
    assert!(map.at(id(2, 1).0).is_zero(), "a wall");
}

/// At rate 1 a vector is the last move, also when that was the opposite of the one before.
#[test]
fn at_rate_one_the_last_move_is_all_that_counts() {
    for dir in Dir::ALL {
        let (step, back) = (DirectionVector::of(dir), DirectionVector::of(dir.opposite()));
        assert_eq!(taught(back, step, Rate(Rate::ONE)), step, "{dir:?}");
        assert_eq!(taught(back, step, Rate::ZERO), back, "{dir:?}");
    }
}

#[test]
fn rates_outside_0_to_1_are_refused() {
    assert_eq!(Rate::new(10_000), Some(Rate(Rate::ONE)));
    assert_eq!(Rate::new(0), Some(Rate::ZERO));
    assert_eq!(Rate::new(10_001), None);
}

/// A loop of four is as coherent as can be with its corners; one cell that points into a wall is half of that.
#[test]
fn coherence_is_the_mean_length_with_the_vector_ahead() {
    let grid = Grid::from_rows(&["...@"]).unwrap();
    let id = |x| grid.id(Cell::new(x, 0)).unwrap();
    let mut map = DirectionMap::blank(&grid);
    assert_eq!(map.coherence(&grid), Coherence::default());
    assert_eq!(map.coherence(&grid).value(), 0.0);
    let east = DirectionVector::of(Dir::E);
    map.vectors[id(0).index()] = east;
    // Nothing ahead yet: half as long.
    assert_eq!(map.coherence(&grid).value(), 0.5);
    map.vectors[id(1).index()] = east;
    // 1 with the next one, and 0.5 before a cell of which nothing is known.
    assert_eq!(map.coherence(&grid), Coherence { cells: 2, sum: 3 * ONE as u64 / 2 });
    map.vectors[id(2).index()] = DirectionVector { x: ONE / 2, y: 0 };
    // 1, 0.75, and 0.25 before the wall.
    assert_eq!(map.coherence(&grid).value(), 2.0 / 3.0);
    map.vectors[id(1).index()] = DirectionVector::of(Dir::W);
    // They face each other: 0 and 0, and 0.25.
    assert_eq!(map.coherence(&grid).value(), 0.25 / 3.0);
}

#[test]
fn going_along_costs_nothing_and_going_against_costs_all() {
    let grid = Grid::empty(2, 1).unwrap();
    let [a, b] = [0, 1].map(|x| grid.id(Cell::new(x, 0)).unwrap().0);
    let mut map = DirectionMap::blank(&grid);
    assert_eq!(map.penalty(a, b, Dir::E, 160), 80, "of nothing known, half");
    map.vectors[a as usize] = DirectionVector::of(Dir::E);
    // Both ends count.
    assert_eq!(map.penalty(a, b, Dir::E, 160), 40);
    map.vectors[b as usize] = DirectionVector::of(Dir::E);
    assert_eq!(map.penalty(a, b, Dir::E, 160), 0);
    assert_eq!(map.penalty(b, a, Dir::W, 160), 160);
    map.vectors[b as usize] = DirectionVector::of(Dir::W);
    assert_eq!(map.penalty(a, b, Dir::E, 160), 80);
}

/// Two units that have gone east in the upper row and west in the lower one: who comes after them does the same, both by A* and
/// by distances from the goal.
#[test]
fn lanes_are_kept_to() {
    let grid = Grid::empty(12, 2).unwrap();
    let id = |x, y| grid.id(Cell::new(x, y)).unwrap();
    let mut map = DirectionMap::blank(&grid);
    for x in 0..11 {
        map.learn(&grid, id(x, 0), Dir::E, Rates { own: HALF, near: Rate::ZERO });
        map.learn(&grid, id(x + 1, 1), Dir::W, Rates { own: HALF, near: Rate::ZERO });
    }
    let ground = GridGraph::new(&grid, Rules::default(), 1);
    let lanes = LaneGraph::new(ground, &map, 1000, 1, 1);
    let (mut search, mut path) = (AStar::new(), Vec::new());
    let cost = search.path(&lanes, id(0, 1).0, id(11, 1).0, 0, |_| Some(0), &mut path);
    assert_eq!(path.first().and_then(|action| action.dir()), Some(Dir::N));
    assert_eq!(path.last().and_then(|action| action.dir()), Some(Dir::S));
    let mut field = TrueDistance::new(lanes.measure(), id(11, 1).0, None);
    assert_eq!(field.distance(lanes.measure(), id(0, 1).0), cost);
}

#[test]
fn maps_of_another_size_are_refused() {
    let (grid, other) = (Grid::empty(4, 3).unwrap(), Grid::empty(3, 4).unwrap());
    let mut map = DirectionMap::blank(&grid);
    map.learn(&grid, grid.id(Cell::new(1, 1)).unwrap(), Dir::SE, Rates { own: HALF, near: HALF });
    let learned = map.learned(&grid);
    assert_eq!(DirectionMap::of(&grid, &learned), Some(map.clone()));
    assert_eq!(DirectionMap::of(&other, &learned), None);
    let mut blank = DirectionMap::blank(&other);
    assert!(!blank.take_up(map.vectors.clone()));
    assert!(DirectionMap::blank(&grid).take_up(map.vectors));
}

fn moves() -> impl Strategy<Value = Vec<(u16, u8)>> {
    prop::collection::vec((any::<u16>(), 0..8u8), 0..400)
}

/// A map that random steps on `grid` have taught.
fn learned(grid: &Grid, moves: &[(u16, u8)], own: u32, near: u32) -> DirectionMap {
    let open: Vec<_> = grid.open_ids().collect();
    let mut map = DirectionMap::blank(grid);
    let rates = Rates { own: Rate::new(own).unwrap(), near: Rate::new(near).unwrap() };
    for &(place, dir) in moves {
        let from = open[place as usize % open.len()];
        let dir = Dir::ALL[dir as usize];
        if grid.exits(from) >> dir as u8 & 1 == 1 {
            map.learn(grid, from, dir, rates);
        }
    }
    map
}

proptest! {
    /// No vector is ever longer than 1, whatever the rates; walls learn nothing; coherence is from 0 to 1.
    #[test]
    fn vectors_are_never_longer_than_one(moves in moves(), own in prop_oneof![3 => 0..=10_000u32, 1 => Just(10_000)], near in 0..=10_000u32) {
        let grid = Grid::from_rows(&["......", "..@...", "......", ".@@@..", "......"]).unwrap();
        let map = learned(&grid, &moves, own, near);
        for (index, vector) in map.vectors().iter().enumerate() {
            prop_assert!(!vector.is_too_long(), "{vector:?}");
            prop_assert!(vector.is_zero() || grid.is_open_id(CellId(index as u32)));
        }
        prop_assert!((0.0..=1.0).contains(&map.coherence(&grid).value()));
    }

    /// An edge never costs less than the time it takes, nor more than that and the weight; searches find ways of least
    /// cost, forwards as backwards.
    #[test]
    fn costs_are_within_their_bounds(
        moves in moves(),
        own in 0..=10_000u32,
        weight in 0..=LaneGraph::HEAVIEST,
        metric: bool,
        ends: (u16, u16),
    ) {
        let grid = Grid::from_rows(&["......", "..@...", "......", ".@@@..", "......"]).unwrap();
        let map = learned(&grid, &moves, own, own / 4);
        let timing = if metric { Timing::Metric } else { Timing::Uniform };
        let rules = Rules { connectivity: Connectivity::Eight, timing, ..Rules::default() };
        let step = if metric { 5 } else { 1 };
        let graph = LaneGraph::new(GridGraph::new(&grid, rules, step as u8), &map, weight, step, 1);
        for cell in grid.open_ids() {
            let mut inside = true;
            graph.edges(cell.0, |edge| {
                let (least, cost) = (edge.duration * <LaneGraph<'_>>::PARTS, graph.cost(cell.0, &edge));
                inside &= cost >= least && cost <= least + heaviest(weight, step);
            });
            prop_assert!(inside);
        }
        let open: Vec<_> = grid.open_ids().collect();
        let pick = |place: u16| open[place as usize % open.len()].0;
        let (mut search, mut path) = (AStar::new(), Vec::new());
        let (start, goal) = (pick(ends.0), pick(ends.1));
        let cost = search.path(&graph, start, goal, 0, |_| Some(0), &mut path);
        prop_assert_eq!(cost, search.dijkstra(&graph, start, goal));
        let mut field = TrueDistance::new(graph.measure(), goal, Some(start));
        prop_assert_eq!(field.distance(graph.measure(), start), cost);
    }

    /// Large bodies, runners and cars: within the same bounds (a curve counts for as many steps as it takes straight ones), and
    /// distances backwards are those forwards, or for runners never more.
    #[test]
    fn all_motions_have_lanes(
        moves in moves(), own in 0..=10_000u32, weight in 0..=LaneGraph::HEAVIEST, body in 1..=3u8, radius in 1..=3u8, picks: [u16; 2],
    ) {
        let grid = Grid::from_rows(&["........."; 8]).unwrap();
        let map = learned(&grid, &moves, own, own / 4);
        let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
        let fits: Vec<_> = grid.open_ids().filter(|&id| grid.fits(grid.cell(id), body)).collect();
        let [start, goal] = picks.map(|pick| fits[pick as usize % fits.len()].0);
        let agent = Agent { body, period: 5, motion: Motion::Gaits { run: 2 }, ..Agent::new(0, Cell::new(0, 0), Task::Hold) };
        let shape = CarShape::new(rules, body, 3, radius);
        let walks = LaneGraph::new(GridGraph::with_body(&grid, rules, body, 5), &map, weight, 5, body);
        let runs = LaneGraph::new(GaitGraph::of(&grid, rules, &agent), &map, weight, 2, body);
        let drives = LaneGraph::new(CarGraph::new(&grid, rules, Arc::new(shape)), &map, weight, 3, body);
        prop_assert!(bounded(&walks, weight, 5) && bounded(&runs, weight, 2) && bounded(&drives, weight, 3));
        prop_assert_eq!(far(&walks, start, goal).map(|(there, back)| there == back), Some(true));
        prop_assert_eq!(far(&runs, start, goal).map(|(there, back)| there >= back), Some(true));
        prop_assert_eq!(far(&drives, start, goal).is_none_or(|(there, back)| there == back), true);
    }
}

/// The most that a step of so many ticks costs more, in parts of a tick: weights are rounded up to a part of a step.
fn heaviest(weight: u32, step: u32) -> u32 {
    (weight * <LaneGraph<'_>>::PARTS).div_ceil(100) * step
}

/// Whether no edge costs less than its time, nor more than that and what its steps weigh.
fn bounded<G: Graph<Measure: Clone>>(graph: &LaneGraph<'_, G>, weight: u32, step: u32) -> bool {
    let parts = LaneGraph::<G>::PARTS;
    (0..graph.len() as u32).all(|node| {
        let mut inside = true;
        graph.edges(node, |edge| {
            let steps = if let Action::Curve(..) = edge.action { edge.duration.div_ceil(step) } else { 1 };
            let (least, cost) = (edge.duration * parts, graph.cost(node, &edge));
            inside &=
                cost >= least && cost <= least + heaviest(weight, step) * steps && cost <= graph.longest();
        });
        inside
    })
}

/// What it costs from one place to another, forwards and backwards, in any pose at the end.
fn far<G: Graph<Measure: Clone>>(graph: &LaneGraph<'_, G>, start: u32, goal: u32) -> Option<(u32, u32)> {
    let poses = (graph.len() / graph.measure().len()).max(graph.roots(1).len()) as u32;
    let (mut search, begin) = (AStar::new(), start * poses);
    let ends = (goal * poses..(goal + 1) * poses).filter_map(|end| search.dijkstra(graph, begin, end));
    let there = ends.min()?;
    let (measure, from) = (graph.measure(), graph.measured(begin));
    Some((there, TrueDistance::new(measure, goal, Some(from)).distance(measure, from)?))
}

/// However light, a weight weighs something: it is rounded up to a fifth of a step.
#[test]
fn the_lightest_weight_counts() {
    let grid = Grid::empty(4, 1).unwrap();
    let mut map = DirectionMap::blank(&grid);
    let rates = Rates { own: Rate::new(10_000).unwrap(), near: Rate::ZERO };
    let at = |x| grid.id(Cell::new(x, 0)).unwrap();
    map.learn(&grid, at(1), Dir::E, rates);
    let agent = Agent::new(0, Cell::new(0, 0), Task::Hold);
    let graph = GridGraph::of(&grid, Rules::default(), &agent);
    let lanes = LaneGraph::new(graph, &map, 1, 1, 1);
    let mut costs = Vec::new();
    lanes.edges(at(2).0, |edge| costs.push((edge.to, lanes.cost(at(2).0, &edge))));
    let against = costs.iter().find(|(to, _)| *to == at(1).0).unwrap().1;
    assert!(against > <LaneGraph<'_>>::PARTS, "{against}");
}
