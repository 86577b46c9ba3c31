use super::*;
use proptest::prelude::*;
use throng_core::{Cell, CellId, Connectivity, Grid};

/// Which cell changes, whether it is open then, whether it is a target then.
type Change = (usize, bool, bool);

/// A grid and rounds of changes to it.
fn changes() -> impl Strategy<Value = (Grid, Vec<Vec<Change>>)> {
    (1usize..12, 1usize..12).prop_flat_map(|(width, height)| {
        let cells = width * height;
        let walls = prop::collection::vec(prop::bool::weighted(0.3), cells);
        let change = (0..cells, prop::bool::weighted(0.6), prop::bool::weighted(0.2));
        let rounds = prop::collection::vec(prop::collection::vec(change, 0..8), 1..12);
        (walls, rounds).prop_map(move |(walls, rounds)| {
            let letters: Vec<u8> = walls.into_iter().map(|wall| if wall { b'@' } else { b'.' }).collect();
            (Grid::new(width, height, &letters, Default::default()).unwrap(), rounds)
        })
    })
}

fn at(grid: &Grid, index: usize) -> CellId {
    grid.id(Cell::new((index % grid.width()) as i32, (index / grid.width()) as i32)).unwrap()
}

fn all(grid: &Grid) -> Vec<CellId> {
    (0..grid.width() * grid.height()).map(|index| at(grid, index)).collect()
}

proptest! {
    /// Whatever closes, opens, becomes a target or ceases to be one: heat brought up to date is heat made anew.
    #[test]
    fn heat_is_mended_to_what_building_gives((grid, rounds) in changes(), eight: bool) {
        let mut grid = grid;
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let mut heat = Heat::new(&grid, connectivity);
        let mut targets = vec![false; grid.len()];
        for round in rounds {
            let mut changed = Vec::new();
            for (index, open, target) in round {
                let id = at(&grid, index);
                grid.set_letter(id, if open { b'.' } else { b'@' }).unwrap();
                targets[id.index()] = target;
                changed.push(id);
            }
            heat.update(&grid, &changed, |id| targets[id.index()]);
            let mut fresh = Heat::new(&grid, connectivity);
            fresh.build(&grid, all(&grid).into_iter().filter(|id| targets[id.index()]));
            for id in all(&grid) {
                prop_assert_eq!(heat.steps(id), fresh.steps(id), "{}\n{:?}", grid.cell(id), grid);
            }
        }
    }

    /// Heat that has come as far as somebody needs is right there and beside it, however little it goes at a time.
    #[test]
    fn heat_that_spreads_is_right_where_it_is_wanted(
        (grid, rounds) in changes(),
        eight: bool,
        wanted in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        most in 1u64..40,
    ) {
        let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
        let cells = all(&grid);
        let targets = || rounds.iter().flatten().filter(|change| change.2).map(|change| at(&grid, change.0));
        let wanted: Vec<_> = wanted.iter().map(|index| *index.get(&cells)).collect();
        let (mut heat, mut whole) = (Heat::new(&grid, connectivity), Heat::new(&grid, connectivity));
        whole.build(&grid, targets());
        // Whatever it was used for before.
        heat.begin(&grid, cells.iter().copied().take(2));
        heat.advance(&grid, most);
        if most % 2 == 1 {
            heat.update(&grid, &wanted, |_| true);
        }
        heat.begin(&grid, targets());
        while !heat.spread(&grid, &wanted, most).1 {}
        for &id in &wanted {
            prop_assert_eq!(heat.steps(id), whole.steps(id));
            for next in super::heat::beside(&grid, id, if eight { 0xff } else { 0x0f }) {
                prop_assert!(heat.steps(id).is_none() || !grid.is_open_id(id) || heat.steps(next) == whole.steps(next));
            }
        }
    }

    /// What has been seen, forgotten, closed and opened one by one gives the frontier that looking at all of it gives.
    #[test]
    fn the_frontier_is_kept_up((grid, rounds) in changes()) {
        let mut grid = grid;
        let mut seen = throng_core::Seen::none(grid.len());
        let mut frontier = Frontier::new(&grid);
        for (index, open, forget) in rounds.into_iter().flatten() {
            let id = at(&grid, index);
            if forget {
                seen.remove(id);
            } else {
                seen.insert(id);
                grid.set_letter(id, if open { b'.' } else { b'@' }).unwrap();
            }
            frontier.update(&grid, |cell| seen.contains(cell), id, |_, _| {});
            let anew = Frontier::of(&grid, &seen);
            prop_assert!(frontier.cells().eq(anew.cells()) && frontier.len() == anew.len());
        }
    }

    /// Hills moved about are hills put where they are now.
    #[test]
    fn hills_are_the_sum_of_their_hills(
        radius in 1u32..9,
        peak in -50i32..300,
        square: bool,
        moves in prop::collection::vec(((-3i32..15, -3i32..12), (-3i32..15, -3i32..12)), 1..8),
    ) {
        let grid = Grid::empty(12, 9).unwrap();
        let hill = Hill { radius, peak, square };
        let mut hills = Hills::new(&grid, hill);
        for &((x, y), _) in &moves {
            hills.add(&grid, Cell::new(x, y), 1);
        }
        for &((x, y), (u, v)) in &moves {
            hills.shift(&grid, Cell::new(x, y), Cell::new(u, v));
        }
        for id in grid.open_ids() {
            let cell = grid.cell(id);
            let sum: i32 = moves.iter().map(|&(_, (u, v))| hill.height(cell.x - u, cell.y - v)).sum();
            prop_assert_eq!(hills.height(id), sum);
        }
    }

    /// Walls that came and went leave what the nearest of those that are there now gives.
    #[test]
    fn the_margin_is_that_of_the_nearest_wall(
        radius in 1u32..6,
        square: bool,
        changes in prop::collection::vec((0usize..108, any::<bool>()), 0..60),
    ) {
        let grid = Grid::empty(12, 9).unwrap();
        let hill = Hill { radius, peak: 300, square };
        let mut margin = Margin::new(&grid, hill);
        let mut walls = std::collections::BTreeSet::new();
        for &(index, wall) in &changes {
            margin.set(&grid, at(&grid, index), wall);
            if wall { walls.insert(index); } else { walls.remove(&index); }
        }
        for id in all(&grid) {
            let here = grid.cell(id);
            let heights = walls.iter().map(|&index| {
                let wall = grid.cell(at(&grid, index));
                hill.height(wall.x - here.x, wall.y - here.y)
            });
            prop_assert_eq!(margin.height(id), heights.max().unwrap_or(0), "{}", here);
        }
    }

    /// The draw of what is unknown, after any cells were revealed, is that of the blocks that are unknown then.
    #[test]
    fn blocks_draw_as_long_as_half_of_them_is_unknown(
        side in 1usize..5,
        revealed in prop::collection::btree_set(0usize..108, 0..108),
    ) {
        let grid = Grid::empty(12, 9).unwrap();
        let hill = Hill { radius: 20, peak: 1000, square: true };
        let mut blocks = Blocks::new(&grid, side, hill);
        for &index in &revealed {
            blocks.reveal(&grid, grid.cell(at(&grid, index)));
        }
        let mut hills = Hills::new(&grid, hill);
        for y in (0..9).step_by(side) {
            for x in (0..12).step_by(side) {
                let cells: Vec<usize> = (0..108)
                    .filter(|i| (x..x + side).contains(&(i % 12)) && (y..y + side).contains(&(i / 12)))
                    .collect();
                let unknown = cells.iter().filter(|i| !revealed.contains(i)).count();
                if 2 * unknown >= cells.len() {
                    hills.add(&grid, Cell::new((x + side / 2) as i32, (y + side / 2) as i32), 1);
                }
            }
        }
        for id in grid.open_ids() {
            prop_assert_eq!(blocks.height(id), hills.height(id));
        }
    }
}

#[test]
fn heat_counts_steps_around_walls_to_the_nearest_target() {
    let grid = Grid::from_rows(&["....", ".@@.", "...."]).unwrap();
    let id = |x, y| grid.id(Cell::new(x, y)).unwrap();
    let mut heat = Heat::new(&grid, Connectivity::Four);
    heat.build(&grid, [id(0, 0), id(1, 1)]);
    assert_eq!([heat.steps(id(3, 0)), heat.steps(id(3, 2)), heat.steps(id(1, 1))], [Some(3), Some(5), None]);
}

/// The document's function: a quarter in the middle, nothing at 2000 pixels; here in 8000ths, a cell being 40 pixels.
#[test]
fn the_draw_of_an_unknown_block_is_the_documents() {
    let hill = Hill { radius: 50, peak: 2000, square: true };
    for cells in 0..60 {
        let pixels = 40 * cells;
        let expected = if pixels <= 2000 { 2000 - pixels } else { 0 };
        assert_eq!(hill.height(cells, 0), expected);
        assert_eq!(hill.height(cells / 2, cells - cells / 2), expected);
    }
}

#[test]
fn the_way_down_weighs_steps_draw_and_company() {
    let grid = Grid::from_rows(&["....."]).unwrap();
    let id = |x| grid.id(Cell::new(x, 0)).unwrap();
    let mut heat = Heat::new(&grid, Connectivity::Four);
    heat.build(&grid, [id(0), id(4)]);
    let hill = Hill { radius: 3, peak: 9, square: true };
    let (mut draw, mut company) = (Hills::new(&grid, hill), Hills::new(&grid, hill));
    draw.add(&grid, Cell::new(4, 0), 1);
    company.add(&grid, Cell::new(4, 0), 1);
    let down = |heat_weight, potential, repulsion| {
        let weights = Weights { heat: heat_weight, potential, repulsion };
        let slope = Slope { heat: &heat, potential: |id| draw.height(id), repulsion: &company, weights };
        slope.down(&grid, id(2), Connectivity::Four, |_| true).unwrap().0
    };
    // Both targets are two steps away, and east comes before west.
    assert_eq!(down(1, 0, 0), id(3));
    assert_eq!(down(1, 0, 1), id(1));
    assert_eq!(down(1, 2, 1), id(3));
    let slope = Slope {
        heat: &heat,
        potential: |_| 0,
        repulsion: &company,
        weights: Weights { heat: 1, potential: 0, repulsion: 0 },
    };
    assert_eq!(slope.down(&grid, id(2), Connectivity::Four, |next| next != id(3)), Some((id(1), 1)));
}
