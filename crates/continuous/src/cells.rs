//! Cells of a grid as walls of a space: a cell is a square of one by one.

use throng_core::space::{Convex, Point};
use throng_core::{Cell, Grid};

/// Blocked cells as few rectangles: along a row as far as they go, then down as far as all of them do.
#[must_use]
pub fn walls(grid: &Grid) -> Vec<Convex> {
    let (width, height) = (grid.width(), grid.height());
    let mut left: Vec<bool> = (0..height)
        .flat_map(|y| (0..width).map(move |x| !grid.is_open(Cell::new(x as i32, y as i32))))
        .collect();
    let mut walls = Vec::new();
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let run = left[y * width + x..(y + 1) * width].iter().take_while(|&&blocked| blocked).count();
            if run == 0 {
                x += 1;
                continue;
            }
            let full =
                |row: &usize| left[row * width + x..row * width + x + run].iter().all(|&blocked| blocked);
            let rows = (y..height).take_while(full).count();
            for row in y..y + rows {
                left[row * width + x..row * width + x + run].fill(false);
            }
            let corner = |x: usize, y: usize| Point::new(x as f64, y as f64);
            walls.extend(Convex::rectangle(corner(x, y), corner(x + run, y + rows)));
            x += run;
        }
    }
    walls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_cover_blocked_cells_and_nothing_else() {
        let rows = ["..@@@..", ".@@@@@.", ".@@@@@.", "@.@...@"];
        let grid = Grid::from_rows(&rows).unwrap();
        let walls = walls(&grid);
        assert_eq!(walls.len(), 6, "{walls:?}");
        for y in 0..4 {
            for x in 0..7 {
                let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let covered = walls.iter().filter(|wall| wall.holds(at)).count();
                assert_eq!(covered, usize::from(!grid.is_open(Cell::new(x, y))), "{x} {y}");
            }
        }
    }
}
