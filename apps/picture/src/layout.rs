//! How large things are and where they go.

use super::font::Font;
use throng_core::Grid;

/// Space around and between lines of text.
const MARGIN: u32 = 6;
/// A picture is never narrower, so that its caption can be read.
const LEAST_WIDTH: u32 = 200;
/// Pixels per cell at most.
const LARGEST_CELL: f32 = 32.0;

/// Sizes of one picture, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Of the whole picture.
    pub(crate) width: u32,
    /// Of the whole picture.
    pub(crate) height: u32,
    /// Side of a cell: whole pixels, or less than one on maps wider than the picture.
    pub(crate) cell: f32,
    /// Left edge of the map.
    pub(crate) map_x: u32,
    /// Width of the map.
    pub(crate) map_width: u32,
    /// Height of the map; the caption is below.
    pub(crate) map_height: u32,
    /// Size of a dot of the font.
    pub(crate) dot: u32,
    /// Whether the title has a line of its own.
    pub(crate) two_lines: bool,
}

impl Layout {
    /// For a map at most `limit` pixels wide and high, with a title and a status of so many letters.
    pub(crate) fn new(grid: &Grid, limit: u32, title: usize, status: usize) -> Self {
        let fit = limit.max(1) as f32 / grid.width().max(grid.height()) as f32;
        let cell = if fit >= 1.0 { fit.floor().min(LARGEST_CELL) } else { fit };
        Self::of(cell, (grid.width() as f32, grid.height() as f32), title, status)
    }

    /// For a space so wide and high, in metres: as large as fits.
    pub(crate) fn in_space(size: (f32, f32), limit: u32, title: usize, status: usize) -> Self {
        let metre = limit.max(1) as f32 / size.0.max(size.1);
        Self::of(metre, size, title, status)
    }

    /// With so many pixels for a cell or a metre.
    fn of(cell: f32, (wide, high): (f32, f32), title: usize, status: usize) -> Self {
        let pixels = |cells: f32| ((cells * cell).round() as u32).max(1);
        let (map_width, map_height) = (pixels(wide), pixels(high));
        let width = map_width.max(LEAST_WIDTH);

        let room = width - 2 * MARGIN;
        let fits = |letters, dot| Font::width(letters, dot) <= room;
        let on_one = title + status + 2;
        let longest = title.max(status);
        let (dot, two_lines) = if fits(on_one, 2) {
            (2, false)
        } else if fits(longest, 2) {
            (2, true)
        } else {
            (1, !fits(on_one, 1))
        };
        let lines = if two_lines { 2 } else { 1 };
        let height = map_height + lines * (Font::height(dot) + MARGIN) + MARGIN;
        Self { width, height, cell, map_x: (width - map_width) / 2, map_width, map_height, dot, two_lines }
    }

    /// Where the title begins.
    pub(crate) const fn title_at(&self) -> (u32, u32) {
        (MARGIN, self.map_height + MARGIN)
    }

    /// Where a status of so many letters begins: right of the title, or below it.
    pub(crate) const fn status_at(&self, letters: usize) -> (u32, u32) {
        let (x, y) = self.title_at();
        if self.two_lines {
            (x, y + Font::height(self.dot) + MARGIN)
        } else {
            // A letter ends with a blank column, which the margin makes up for.
            let end = self.width - MARGIN + self.dot;
            (end.saturating_sub(Font::width(letters, self.dot)), y)
        }
    }

    /// How many letters fit on a line.
    pub(crate) const fn letters(&self) -> usize {
        ((self.width - 2 * MARGIN) / Font::width(1, self.dot)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_stay_within_their_limit() {
        for (w, h) in [(1, 1), (9, 3), (40, 20), (64, 64), (641, 10), (1491, 656), (3, 5000), (60_000, 1)] {
            let layout = Layout::new(&Grid::empty(w, h).unwrap(), 640, 16, 40);
            assert!((LEAST_WIDTH..=640).contains(&layout.width), "{w}×{h}: {layout:?}");
            assert!(layout.map_height <= 640 && layout.height <= 700, "{w}×{h}: {layout:?}");
            assert!(layout.cell < 1.0 || layout.cell.fract() == 0.0, "{w}×{h}: {layout:?}");
        }
    }

    #[test]
    fn a_small_map_has_a_small_caption() {
        let layout = Layout::new(&Grid::empty(1, 1).unwrap(), 640, 16, 40);
        assert_eq!((layout.dot, layout.two_lines), (1, true));
        let layout = Layout::new(&Grid::empty(40, 20).unwrap(), 640, 8, 30);
        assert_eq!((layout.dot, layout.two_lines), (2, false));
    }
}
