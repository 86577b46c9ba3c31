use super::*;
use crate::{AStar, GridGraph};
use proptest::prelude::*;
use throng_core::{Cell, CellId, Connectivity, Grid, Rules, TerrainPolicy, Timing};

/// What happens to a unit and its world.
#[derive(Clone, Copy, Debug)]
enum Act {
    Toggle(u16),
    /// So many steps of its way.
    Walk(u8),
    /// It is elsewhere.
    Jump(u16),
    /// Searches on with so many expansions.
    Search(u8),
    SaveAndLoad,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any::<u16>().prop_map(Act::Toggle),
        3 => (1..4u8).prop_map(Act::Walk),
        1 => any::<u16>().prop_map(Act::Jump),
        2 => (0..12u8).prop_map(Act::Search),
        1 => Just(Act::SaveAndLoad),
    ]
}

fn world() -> impl Strategy<Value = (Grid, Rules, u8)> {
    let letters = prop::collection::vec(prop_oneof![3 => Just(b'.'), 1 => Just(b'@')], 13 * 9);
    (letters, any::<bool>(), any::<bool>(), 1..3u8).prop_map(|(letters, eight, metric, body)| {
        let rules = Rules {
            connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
            timing: if metric { Timing::Metric } else { Timing::Uniform },
            ..Rules::default()
        };
        (Grid::new(13, 9, &letters, TerrainPolicy::default()).unwrap(), rules, body)
    })
}

fn toggle(grid: &mut Grid, cell: CellId) {
    let letter = if grid.is_open_id(cell) { b'@' } else { b'.' };
    assert_eq!(grid.set_letter(cell, letter), Ok(true));
}

/// Nodes from `start` to the goal along the steps that the search names.
fn way(search: &DStarLite, graph: &GridGraph<'_>, start: u32) -> Option<(u32, Vec<u32>)> {
    let (mut at, mut cost, mut nodes) = (start, 0, vec![start]);
    while at != search.goal() {
        let (edge, _) = search.next(graph, at)?;
        (at, cost) = (edge.to, cost + edge.duration);
        nodes.push(at);
        assert!(nodes.len() <= graph.len(), "it runs in circles");
    }
    Some((cost, nodes))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever closes and opens, wherever the unit goes and however little is searched at a time: in the end the
    /// way is as short as Dijkstra's from scratch, and each search spreads a node at most once and gives it up at most
    /// once.
    #[test]
    fn it_finds_what_dijkstra_finds(
        (mut grid, rules, body) in world(),
        ends in any::<[u16; 2]>(),
        acts in prop::collection::vec(act(), 1..60),
    ) {
        let period = if rules.timing == Timing::Metric { 5 } else { 1 };
        let spot = |k: u16| CellId(grid.id(Cell::new(i32::from(k) % 13, i32::from(k) / 13 % 9)).unwrap().0);
        let (goal, start) = (spot(ends[0]), spot(ends[1]));
        let graph = GridGraph::with_body(&grid, rules, body, period);
        let mut search = DStarLite::new(&graph, goal.0, start.0);
        let (mut at, mut judge, stride) = (start.0, AStar::new(), grid.width() as u32 + 1);
        for act in acts {
            match act {
                Act::Toggle(k) => {
                    let cell = CellId((u32::from(k) / 13 % 9 + 1) * stride + u32::from(k) % 13);
                    toggle(&mut grid, cell);
                    let graph = GridGraph::with_body(&grid, rules, body, period);
                    prop_assert!(search.place_changed(&graph, cell.0));
                }
                Act::Jump(k) => {
                    at = (u32::from(k) / 13 % 9 + 1) * stride + u32::from(k) % 13;
                    search.advance(at);
                }
                Act::Search(room) => {
                    let graph = GridGraph::with_body(&grid, rules, body, period);
                    let before = search.expanded();
                    search.search(&graph, room.into());
                    prop_assert!(search.expanded() - before <= room.into());
                }
                Act::SaveAndLoad => {
                    let graph = GridGraph::with_body(&grid, rules, body, period);
                    let mut twin = DStarLite::load(&graph, goal.0, [search.origin(), at], &search.save());
                    let (before, twins) = (search.expanded(), twin.expanded());
                    prop_assert_eq!(search.search(&graph, 7), twin.search(&graph, 7));
                    prop_assert_eq!(search.expanded() - before, twin.expanded() - twins);
                    prop_assert_eq!(search.save(), twin.save());
                }
                Act::Walk(steps) => {
                    let graph = GridGraph::with_body(&grid, rules, body, period);
                    let before = search.expanded();
                    let found = search.search(&graph, u64::MAX);
                    prop_assert!(search.expanded() - before <= 2 * graph.len() as u64);
                    let right = judge.dijkstra(&graph, at, goal.0);
                    prop_assert_eq!(found, right.map_or(WayFound::NoWay, WayFound::Way));
                    if let Some(far) = right {
                        let (cost, nodes) = way(&search, &graph, at).unwrap();
                        prop_assert_eq!(cost, far);
                        at = nodes[usize::from(steps).min(nodes.len() - 1)];
                        search.advance(at);
                    }
                }
            }
        }
        let graph = GridGraph::with_body(&grid, rules, body, period);
        let right = judge.dijkstra(&graph, at, goal.0);
        prop_assert_eq!(search.search(&graph, u64::MAX), right.map_or(WayFound::NoWay, WayFound::Way));
    }

    /// Numbers that nobody wrote do no harm.
    #[test]
    fn a_damaged_save_finds_the_way_all_the_same(
        (grid, rules, body) in world(),
        ends in any::<[u16; 2]>(),
        saved in prop::collection::vec((0..300u32, any::<u32>()), 0..80),
    ) {
        let spot = |k: u16| grid.id(Cell::new(i32::from(k) % 13, i32::from(k) / 13 % 9)).unwrap().0;
        let (goal, start) = (spot(ends[0]), spot(ends[1]));
        let graph = GridGraph::with_body(&grid, rules, body, 1);
        let right = AStar::new().dijkstra(&graph, start, goal).map_or(WayFound::NoWay, WayFound::Way);
        let small: Vec<_> = saved.iter().map(|&(node, g)| (node, g % 40)).collect();
        for saved in [saved, small] {
            prop_assert_eq!(DStarLite::load(&graph, goal, [start, start], &saved).search(&graph, u64::MAX), right);
        }
    }
}

/// Over open ground the first search goes straight ahead, a closing beside which another way is as short costs little, and
/// a closing elsewhere nothing.
#[test]
fn it_does_no_more_than_it_must() {
    let mut grid = Grid::empty(256, 256).unwrap();
    let id = |x, y| Grid::empty(256, 256).unwrap().id(Cell::new(x, y)).unwrap();
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let (start, goal) = (id(10, 20), id(240, 150));
    let graph = GridGraph::new(&grid, rules, 5);
    let mut search = DStarLite::new(&graph, goal.0, start.0);
    let far = WayFound::Way(130 * 7 + 100 * 5);
    assert_eq!(search.search(&graph, u64::MAX), far);
    assert_eq!(search.expanded(), 230);
    let (_, nodes) = way(&search, &graph, start.0).unwrap();
    let middle = CellId(nodes[115]);
    for (cell, most) in [(id(3, 250), 0), (middle, 16)] {
        toggle(&mut grid, cell);
        let graph = GridGraph::new(&grid, rules, 5);
        let before = search.expanded();
        search.place_changed(&graph, cell.0);
        assert_eq!(search.search(&graph, u64::MAX), far);
        assert!(search.expanded() - before <= most, "{}", search.expanded() - before);
    }
}

/// Sums of many moves do not overflow the keys.
#[test]
fn it_moves_for_ever() {
    let grid = Grid::empty(40, 3).unwrap();
    let id = |x| grid.id(Cell::new(x, 1)).unwrap().0;
    let rules = Rules { timing: Timing::Metric, ..Rules::default() };
    let graph = GridGraph::new(&grid, rules, 64);
    let mut search = DStarLite::new(&graph, id(20), id(0));
    search.drift = MOST_DRIFT - 5000;
    for x in (0..40).cycle().take(400) {
        search.advance(id(x));
        assert_eq!(search.search(&graph, u64::MAX), WayFound::Way(64 * x.abs_diff(20)));
    }
    assert!(search.drift < MOST_DRIFT / 2);
}
