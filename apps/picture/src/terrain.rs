//! The ground that units walk on.

use super::layout::Layout;
use super::palette::Rgb;
use throng_core::Grid;
use tiny_skia::{ColorU8, Pixmap};

/// Grid lines are drawn from this many pixels per cell on.
const LINED: f32 = 8.0;

/// Draws the terrain of `grid` into its place.
pub(crate) fn draw(pixmap: &mut Pixmap, grid: &Grid, layout: &Layout) {
    let stride = pixmap.width() as usize;
    let pixels = pixmap.pixels_mut();
    for y in 0..layout.map_height {
        let rows = covered(y, layout.cell, grid.height());
        for x in 0..layout.map_width {
            let columns = covered(x, layout.cell, grid.width());
            let mut colour = most_frequent(grid, columns, rows);
            let on_line =
                layout.cell >= LINED && (x % layout.cell as u32 == 0 || y % layout.cell as u32 == 0);
            if on_line && colour == Rgb::OPEN {
                colour = Rgb::LINE;
            }
            let Rgb(r, g, b) = colour;
            let at = y as usize * stride + (layout.map_x + x) as usize;
            pixels[at] = ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
    }
}

/// The cells under pixel `at`, from and until, at least one.
fn covered(at: u32, cell: f32, cells: usize) -> (usize, usize) {
    let from = ((at as f32 / cell) as usize).min(cells - 1);
    let until = ((at + 1) as f32 / cell) as usize;
    (from, until.clamp(from + 1, cells))
}

/// What most of these cells are; of equals the one that comes first.
fn most_frequent(grid: &Grid, (left, right): (usize, usize), (top, bottom): (usize, usize)) -> Rgb {
    if (right - left, bottom - top) == (1, 1) {
        return colour_of(grid.row(top)[left]);
    }
    let mut counts: [(Rgb, u32); 5] =
        [Rgb::WALL, Rgb::OPEN, Rgb::WATER, Rgb::TREES, Rgb::SWAMP].map(|c| (c, 0));
    for letter in (top..bottom).flat_map(|y| &grid.row(y)[left..right]) {
        let colour = colour_of(*letter);
        if let Some((_, count)) = counts.iter_mut().find(|(c, _)| *c == colour) {
            *count += 1;
        }
    }
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
    counts.into_iter().find(|&(_, count)| count == most).map_or(Rgb::WALL, |(colour, _)| colour)
}

pub(super) const fn colour_of(letter: u8) -> Rgb {
    match letter {
        b'.' | b'G' => Rgb::OPEN,
        b'S' => Rgb::SWAMP,
        b'W' => Rgb::WATER,
        b'T' => Rgb::TREES,
        _ => Rgb::WALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_lies_under_a_pixel() {
        for (cells, pixels) in [(1491, 640), (656, 282), (641, 640), (7, 7)] {
            let cell = pixels as f32 / cells as f32;
            let mut next = 0;
            for at in 0..pixels {
                let (from, until) = covered(at, cell, cells);
                assert!(from <= next && from < until, "{cells} in {pixels} at {at}");
                next = until;
            }
            assert_eq!(next, cells);
        }
    }

    #[test]
    fn walls_win_a_tie() {
        let grid = Grid::from_rows(&[".@", "@."]).unwrap();
        assert_eq!(most_frequent(&grid, (0, 2), (0, 2)), Rgb::WALL);
        let grid = Grid::from_rows(&["..", "@."]).unwrap();
        assert_eq!(most_frequent(&grid, (0, 2), (0, 2)), Rgb::OPEN);
    }
}
