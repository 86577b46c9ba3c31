use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use throng_core::{Cell, Dir, Grid};

fn grids() -> impl Strategy<Value = Grid> {
    (1usize..14, 1usize..14).prop_flat_map(|(width, height)| {
        prop::collection::vec(prop::bool::weighted(0.25), width * height).prop_map(move |walls| {
            let letters: Vec<u8> = walls.into_iter().map(|wall| if wall { b'@' } else { b'.' }).collect();
            Grid::new(width, height, &letters, Default::default()).unwrap()
        })
    })
}

fn seen(grid: &Grid, vision: Vision, from: Cell, facing: Facing) -> BTreeSet<Cell> {
    let mut cells = BTreeSet::new();
    vision.from_cell(grid, from, facing, |id| {
        cells.insert(grid.cell(id));
    });
    cells
}

proptest! {
    /// Shadows and lines are two ways to one answer.
    #[test]
    fn shadows_are_what_lines_say(grid in grids(), radius in 1u32..16) {
        let vision = Vision::around(radius).unwrap();
        for from in grid.open_ids().map(|id| grid.cell(id)) {
            let cells = seen(&grid, vision, from, Facing::default());
            for to in grid.open_ids().map(|id| grid.cell(id)) {
                let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
                let line = dx * dx + dy * dy <= radius * radius
                    && sees(&grid, Spot::middle(from), Spot::middle(to));
                prop_assert_eq!(cells.contains(&to), line, "{} {}\n{:?}", from, to, grid);
            }
        }
    }

    /// From any place to any other: many points of the line, one by one. None that is well inside a wall may be on a line of sight, and
    /// a line that none of them is near a wall on is one.
    #[test]
    fn lines_are_what_their_points_say(grid in grids(), ends in prop::collection::vec((0i32..3600, 0i32..3600), 2..10)) {
        const POINTS: i64 = 997;
        let unit = i64::from(Spot::UNIT) * POINTS;
        let spots: Vec<Spot> = ends.into_iter().map(|(x, y)| Spot { x, y }).collect();
        for (&a, &b) in spots.iter().flat_map(|a| spots.iter().map(move |b| (a, b))) {
            // How deep a point is inside the wall of a cell at most, and how near it is to any wall.
            let (mut inside, mut near) = (false, false);
            for k in 0..=POINTS {
                let on = |a: i32, b: i32| i64::from(a) * (POINTS - k) + i64::from(b) * k;
                let (x, y) = (on(a.x, b.x), on(a.y, b.y));
                let wall = |dx: i64, dy: i64| {
                    let cell = |at: i64| at.div_euclid(unit) as i32;
                    !grid.is_open(Cell::new(cell(x + dx), cell(y + dy)))
                };
                // Farther than one point is from the next.
                let off = unit / 16;
                let corners = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
                inside |= wall(0, 0) && x.rem_euclid(unit) != 0 && y.rem_euclid(unit) != 0;
                near |= wall(0, 0) || corners.into_iter().any(|(dx, dy)| wall(dx * off, dy * off));
            }
            let told = sees(&grid, a, b);
            prop_assert!(a == b || !(told && inside), "{:?} {:?}\n{:?}", a, b, grid);
            prop_assert!(told || near, "{:?} {:?}\n{:?}", a, b, grid);
        }
    }

    /// Whoever is seen sees back, from any place.
    #[test]
    fn sight_is_symmetric(grid in grids(), spots in prop::collection::vec((-100i32..3700, -100i32..3700), 2..12)) {
        // Also on the borders between cells, where lines touch walls.
        for &(x, y) in &spots {
            for &(u, v) in &spots {
                for step in [1, Spot::UNIT / 2, Spot::UNIT] {
                    let at = |x: i32, y: i32| Spot { x: x / step * step, y: y / step * step };
                    let (a, b) = (at(x, y), at(u, v));
                    prop_assert_eq!(sees(&grid, a, b), sees(&grid, b, a), "{:?} {:?}\n{:?}", a, b, grid);
                }
            }
        }
    }

    /// From the middle of a cell both ways of looking see the same open cells.
    #[test]
    fn spots_see_what_cells_see(grid in grids(), radius in 1u32..9, angle in 1u32..=360, dir in 0u8..8) {
        let vision = Vision::new(radius, angle, 1).unwrap();
        let facing = Facing::from(Dir::from_index(dir).unwrap());
        for from in grid.open_ids().map(|id| grid.cell(id)) {
            let mut cells = BTreeSet::new();
            vision.from_spot(&grid, Spot::middle(from), facing, |id| {
                if grid.is_open_id(id) {
                    cells.insert(grid.cell(id));
                }
            });
            let mut expected = seen(&grid, vision, from, facing);
            expected.retain(|&cell| grid.is_open(cell));
            prop_assert_eq!(cells, expected);
        }
    }

    /// The walls beside a unit are always seen: nothing hides them, and the circle is at least as wide.
    #[test]
    fn walls_beside_are_seen(grid in grids(), dir in 0u8..8) {
        let vision = Vision::new(5, 10, 1).unwrap();
        for from in grid.open_ids().map(|id| grid.cell(id)) {
            let cells = seen(&grid, vision, from, Dir::from_index(dir).unwrap().into());
            for side in [Dir::N, Dir::E, Dir::S, Dir::W] {
                let beside = from.step(side);
                prop_assert!(!grid.contains(beside) || cells.contains(&beside));
            }
        }
    }
}

#[test]
fn a_cone_is_as_wide_as_its_angle() {
    let grid = Grid::empty(41, 41).unwrap();
    let from = Cell::new(20, 20);
    let count = |angle| seen(&grid, Vision::new(20, angle, 1).unwrap(), from, Dir::E.into()).len() as f64;
    let circle = count(360);
    for angle in [36, 72, 90, 180, 270] {
        let share = count(angle) / circle;
        assert!((share - f64::from(angle) / 360.0).abs() < 0.03, "{angle}: {share}");
    }
    // A right angle ends exactly on the diagonals.
    let quarter = seen(&grid, Vision::new(20, 90, 1).unwrap(), from, Dir::E.into());
    assert!(quarter.contains(&Cell::new(30, 10)) && quarter.contains(&Cell::new(30, 30)));
    assert!(!quarter.contains(&Cell::new(30, 9)) && !quarter.contains(&Cell::new(10, 20)));
}

#[test]
fn walls_that_touch_let_nothing_through_between_them() {
    let grid = Grid::from_rows(&["..@", ".@.", "@.."]).unwrap();
    assert!(!sees(&grid, Spot::middle(Cell::new(0, 0)), Spot::middle(Cell::new(2, 2))));
    let corner = Grid::from_rows(&[".@", ".."]).unwrap();
    assert!(sees(&corner, Spot::middle(Cell::new(0, 0)), Spot::middle(Cell::new(1, 1))));
    let gap = Grid::from_rows(&[".@", "@."]).unwrap();
    assert!(!sees(&gap, Spot::middle(Cell::new(0, 0)), Spot::middle(Cell::new(1, 1))));
}

#[test]
fn what_walls_hide_is_hidden_and_their_faces_are_seen() {
    let grid = Grid::from_rows(&[".......", "..@@@..", ".......", "......."]).unwrap();
    let cells = seen(&grid, Vision::around(9).unwrap(), Cell::new(3, 3), Facing::default());
    assert!(!cells.contains(&Cell::new(3, 0)) && !cells.contains(&Cell::new(2, 0)));
    assert!((2..5).all(|x| cells.contains(&Cell::new(x, 1))));
    assert!(cells.contains(&Cell::new(0, 0)));
}

#[test]
fn nonsense_is_refused() {
    let text = |error: Result<Vision, VisionError>| error.unwrap_err().to_string();
    assert_eq!(text(Vision::new(0, 72, 1)), "radius is 0, expected 1 to 1024 cells");
    assert_eq!(text(Vision::new(5, 72, 6)), "inner radius is 6, expected 1 to the radius, 5");
    assert_eq!(text(Vision::new(5, 361, 2)), "angle is 361, expected 1 to 360 degrees");
}
