use super::*;
use crate::{AStar, Graph, GridGraph};
use proptest::prelude::*;
use std::sync::Arc;
use throng_core::{Cell, Connectivity, Grid, Regions, Rules, TerrainPolicy, Timing};

/// A block of voxels of which some are solid; a step leads to one of six, or of all 26 around.
struct Voxels {
    side: i32,
    solid: Vec<bool>,
    six: bool,
}

impl Voxels {
    fn new(side: i32, six: bool, solid: impl Fn(usize) -> bool) -> Self {
        Self { side, solid: (0..(side * side * side) as usize).map(solid).collect(), six }
    }

    fn around(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (side, [x, y, z]) = (self.side, self.at(place));
        (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]).filter_map(move |[dx, dy, dz]| {
            let near = [x + dx, y + dy, z + dz];
            let apart = dx.abs() + dy.abs() + dz.abs();
            let inside = near.iter().all(|c| (0..side).contains(c));
            (inside && apart > 0 && (apart == 1 || !self.six))
                .then(|| ((near[2] * side + near[1]) * side + near[0]) as u32)
        })
    }
}

impl Places for Voxels {
    fn len(&self) -> usize {
        self.solid.len()
    }

    fn exists(&self, place: u32) -> bool {
        !self.solid[place as usize]
    }

    fn beside(&self, place: u32, visit: impl FnMut(u32)) {
        if self.exists(place) {
            self.around(place).filter(|&near| self.exists(near)).for_each(visit);
        }
    }

    fn at(&self, place: u32) -> [i32; 3] {
        let (p, side) = (place as i32, self.side);
        [p % side, p / side % side, p / side / side]
    }
}

fn eight() -> Rules {
    Rules { connectivity: Connectivity::Eight, ..Rules::default() }
}

/// A node by names alone: name, spot, weight, parent's name, and edges with costs.
type Told = (u32, Spot, u32, Option<u32>, Vec<(u32, u32)>);

/// All that there is to know, without the numbers that depend on what was before.
fn told(levels: &Abstraction) -> (Vec<Option<u32>>, Vec<Vec<Told>>) {
    let name = |level: usize, node: u32| levels.layers[level - 1].nodes.name[node as usize];
    let ground = (0..levels.parent.len() as u32).map(|p| levels.parent(0, p).map(|node| name(1, node)));
    let above = (1..=levels.height()).map(|level| {
        let node = |node| {
            let edges = levels.layers[level - 1].nodes.edges.of(node);
            let edges = edges.iter().map(|&(to, cost)| (name(level, to), cost)).collect();
            let parent = levels.parent(level, node).map(|parent| name(level + 1, parent));
            (name(level, node), levels.spot(level, node), levels.weight(level, node), parent, edges)
        };
        let mut all: Vec<Told> = levels.all(level).map(node).collect();
        all.sort_unstable();
        all
    });
    (ground.collect(), above.collect())
}

/// Nothing is lost, nobody is twice anywhere, and the hierarchy says who can reach whom.
fn hold_together(places: &impl Places, levels: &Abstraction) {
    for level in 1..=levels.height() {
        let mut children = vec![Vec::new(); levels.len(level)];
        let below: Vec<u32> = match level {
            1 => (0..places.len() as u32).filter(|&p| places.exists(p)).collect(),
            _ => levels.all(level - 1).collect(),
        };
        let beside = |node: u32| {
            let mut near = Vec::new();
            match level {
                1 => places.beside(node, |n| near.push(n)),
                _ => Floor::new(levels, level - 1).edges(node, |edge| near.push(edge.to)),
            }
            near
        };
        for node in below {
            match levels.parent(level - 1, node) {
                Some(parent) => children[parent as usize].push(node),
                None => assert_eq!(beside(node), [], "a node without a parent has nobody beside it"),
            }
        }
        for node in levels.all(level) {
            let children = &children[node as usize];
            let (folded, core): (Vec<u32>, Vec<u32>) = children.iter().partition(|&&child| {
                let near = beside(child);
                near.len() == 1 && beside(near[0]).len() > 1
            });
            assert!((1..=4).contains(&core.len()), "{core:?}");
            for (k, &a) in core.iter().enumerate() {
                core[k + 1..].iter().for_each(|b| assert!(beside(a).contains(b), "not a clique"));
            }
            folded.iter().for_each(|&f| assert!(core.contains(&beside(f)[0]), "folded elsewhere"));
            let mut near: Vec<u32> = children.iter().flat_map(|&child| beside(child)).collect();
            near =
                near.into_iter().filter_map(|n| levels.parent(level - 1, n)).filter(|&n| n != node).collect();
            near.sort_unstable();
            near.dedup();
            let mut edges = Vec::new();
            Floor::new(levels, level).edges(node, |edge| edges.push(edge.to));
            edges.sort_unstable();
            assert_eq!(edges, near);
        }
    }
    let top = levels.height();
    if top > 0 {
        levels.all(top).for_each(|node| assert_eq!(levels.parent(top, node), None));
    }
}

#[test]
fn an_open_field_becomes_squares() {
    let grid = Grid::empty(64, 64).unwrap();
    let levels = Abstraction::new(&GridGraph::new(&grid, eight(), 1), Ruler::Straight);
    let sizes: Vec<_> = (1..=levels.height()).map(|level| levels.nodes(level)).collect();
    assert_eq!(sizes, [1024, 256, 64, 16, 4, 1]);
    let (_, top) = levels.ancestor(grid.id(Cell::new(3, 60)).unwrap().0, 6);
    assert_eq!((levels.weight(6, top), levels.spot(6, top)), (4096, [504, 504, 0]));
    let four = Abstraction::new(&GridGraph::new(&grid, Rules::default(), 1), Ruler::Axes);
    let sizes: Vec<_> = (1..=four.height()).map(|level| four.nodes(level)).collect();
    assert_eq!(sizes, [2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1], "four moves make pairs");
}

#[test]
fn dead_ends_fold_into_what_they_hang_on() {
    let grid = Grid::from_rows(&["@.@", "...", "@.@"]).unwrap();
    let levels = Abstraction::new(&GridGraph::new(&grid, eight(), 1), Ruler::Straight);
    assert_eq!((levels.height(), levels.nodes(1)), (1, 1));
}

#[test]
fn voxels_are_a_graph_like_any_other() {
    for six in [true, false] {
        // Every seventh or so is solid, by a fixed rule.
        let voxels = Voxels::new(32, six, |k| (k as u32).wrapping_mul(0x9e37_79b1) >> 29 == 0);
        let levels = Abstraction::new(&voxels, Ruler::Straight);
        hold_together(&voxels, &levels);
        let regions = levels.all(levels.height()).count();
        assert!(regions >= 1 && levels.nodes(1) * 3 < 2 * 32 * 32 * 32, "{six}: {}", levels.nodes(1));
    }
    let open = Voxels::new(32, false, |_| false);
    let levels = Abstraction::new(&open, Ruler::Straight);
    assert_eq!(levels.nodes(1), 32 * 32 * 32 / 4);
    assert_eq!(levels.nodes(levels.height()), 1);
}

/// A map that does not tell of its squares.
struct Untold<'a>(GridGraph<'a>);

impl Places for Untold<'_> {
    fn len(&self) -> usize {
        Places::len(&self.0)
    }

    fn exists(&self, place: u32) -> bool {
        self.0.exists(place)
    }

    fn beside(&self, place: u32, visit: impl FnMut(u32)) {
        self.0.beside(place, visit);
    }

    fn at(&self, place: u32) -> [i32; 3] {
        Places::at(&self.0, place)
    }

    fn code(&self, place: u32) -> u64 {
        Places::code(&self.0, place)
    }
}

fn grids() -> impl Strategy<Value = (Grid, bool)> {
    let side = 1..24usize;
    (side.clone(), side, any::<bool>(), 1..9u32).prop_flat_map(|(width, height, eight, open)| {
        let letter = prop_oneof![open => Just(b'.'), 2 => Just(b'@')];
        prop::collection::vec(letter, width * height)
            .prop_map(move |l| (Grid::new(width, height, &l, TerrainPolicy::default()).unwrap(), eight))
    })
}

proptest! {
    #[test]
    fn levels_hold_together((grid, diagonals) in grids()) {
        let rules = if diagonals { eight() } else { Rules::default() };
        let graph = GridGraph::new(&grid, rules, 1);
        let levels = Abstraction::new(&graph, Ruler::Straight);
        hold_together(&graph, &levels);
        let regions = Regions::of(&grid, 1);
        let open: Vec<_> = grid.open_ids().collect();
        for (&a, &b) in open.iter().zip(open.iter().rev()) {
            prop_assert_eq!(levels.common(a.0, b.0).is_some(), regions.joined(a, b));
        }
    }

    /// Squares that join at once would have joined anyway, whatever the body.
    #[test]
    fn squares_only_save_work((grid, diagonals) in grids(), body in 1..3u8) {
        let rules = if diagonals { eight() } else { Rules::default() };
        let graph = GridGraph::with_body(&grid, rules, body, 1);
        let [told_of, untold] =
            [Abstraction::new(&graph, Ruler::Straight), Abstraction::new(&Untold(graph), Ruler::Straight)];
        prop_assert_eq!(told(&told_of), told(&untold));
    }

    /// "Assigning all edges cost 1 guarantees that the cost of an abstract path is an admissible heuristic."
    #[test]
    fn a_step_an_edge_is_never_too_much((grid, diagonals) in grids(), metric in any::<bool>()) {
        let timing = if metric { Timing::Metric } else { Timing::Uniform };
        let rules = Rules { timing, ..if diagonals { eight() } else { Rules::default() } };
        let period = if metric { 5 } else { 1 };
        let graph = GridGraph::new(&grid, rules, period);
        let levels = Arc::new(Abstraction::new(&graph, Ruler::of(rules)));
        let (mut astar, open) = (AStar::new(), grid.open_ids().collect::<Vec<_>>());
        for (&a, &b) in open.iter().zip(open.iter().rev()) {
            let Some(far) = astar.dijkstra(&graph, a.0, b.0) else { continue };
            for level in 1..=levels.height() {
                let above = LevelGraph::new(Arc::clone(&levels), level, u32::from(period), true);
                let bound = astar.dijkstra(&above, above.node(a.0), above.node(b.0));
                prop_assert!(bound.is_some_and(|bound| bound <= far), "level {level}: {bound:?}, not {far}");
            }
        }
    }

    /// Whatever closes and opens, mending gives what building anew gives.
    #[test]
    fn mending_equals_building((mut grid, diagonals) in grids(), picks in prop::collection::vec(any::<(u16, u16)>(), 1..30)) {
        let rules = if diagonals { eight() } else { Rules::default() };
        let mut levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::Straight);
        for (x, y) in picks {
            let at = Cell::new(i32::from(x) % grid.width() as i32, i32::from(y) % grid.height() as i32);
            let id = grid.id(at).unwrap();
            let letter = if grid.is_open_id(id) { b'@' } else { b'.' };
            grid.set_letter(id, letter).unwrap();
            let graph = GridGraph::new(&grid, rules, 1);
            levels.repair(&graph, &Abstraction::around(&grid, id));
            let anew = Abstraction::new(&graph, Ruler::Straight);
            prop_assert_eq!(told(&levels), told(&anew));
            hold_together(&graph, &levels);
        }
    }

    #[test]
    fn mending_voxels_equals_building(six in any::<bool>(), solid in any::<u64>(), picks in prop::collection::vec(0..216u32, 1..12)) {
        let mut voxels = Voxels::new(6, six, |k| solid >> (k % 61) & 1 == 1);
        let mut levels = Abstraction::new(&voxels, Ruler::Straight);
        for pick in picks {
            voxels.solid[pick as usize] ^= true;
            let mut changed: Vec<u32> = voxels.around(pick).collect();
            changed.push(pick);
            levels.repair(&voxels, &changed);
            prop_assert_eq!(told(&levels), told(&Abstraction::new(&voxels, Ruler::Straight)));
        }
    }
}
