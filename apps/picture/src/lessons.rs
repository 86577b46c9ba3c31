//! What a direction map held at every tick of a run, and its arrows.

use super::PictureError;
use super::font::Font;
use super::layout::Layout;
use super::palette::{Rgb, unit_colour};
use super::png::encode;
use super::stage::fill;
use super::{GifOptions, terrain};
use std::io;
use throng_core::{DirectionVector, Directions, Grid};
use throng_lab::Arrow;
use tiny_skia::{PathBuilder, Pixmap, Transform};

/// Below this many pixels per cell nobody sees which way an arrow points.
const SMALLEST: f32 = 6.0;
/// Pixels per cell of a picture of arrows alone, where the map is not too large, and pixels of all at most.
const PLAIN: usize = 20;
const LARGEST: usize = 8192;

/// What changed in a direction map, tick by tick.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    last: Vec<DirectionVector>,
    /// By tick: which cell, row by row, and its vector from then on.
    changes: Vec<Vec<(usize, DirectionVector)>>,
}

impl Lessons {
    /// Nothing yet; `None` if the cells of an animation are too small for arrows.
    pub fn of(grid: &Grid) -> Option<Self> {
        let side = grid.width().max(grid.height());
        (GifOptions::default().width as f32 / side as f32 >= SMALLEST).then(Self::default)
    }

    /// What is known at the next tick, if there is a direction map.
    pub fn hear(&mut self, learned: Option<&Directions>) {
        let now = learned.map_or(&[][..], Directions::vectors);
        self.last.resize(now.len(), DirectionVector::ZERO);
        let pairs = self.last.iter_mut().zip(now).enumerate();
        let changed = pairs.filter(|(_, (last, now))| last != now).map(|(place, (last, now))| {
            *last = *now;
            (place, *now)
        });
        self.changes.push(changed.collect());
    }

    /// The changes of a tick.
    pub(super) fn at(&self, tick: usize) -> &[(usize, DirectionVector)] {
        self.changes.get(tick).map_or(&[], Vec::as_slice)
    }
}

/// Draws an arrow in every cell; `vectors` are row by row. Units that set out the way an arrow points have its colour.
pub(super) fn draw(canvas: &mut Pixmap, vectors: &[DirectionVector], columns: usize, layout: &Layout) {
    for (place, vector) in vectors.iter().enumerate() {
        let Some(arrow) = Arrow::of(*vector) else { continue };
        let (x, y) = ((place % columns) as f32 + 0.5, (place / columns) as f32 + 0.5);
        let mut path = PathBuilder::new();
        for (corner, [dx, dy]) in arrow.corners.into_iter().enumerate() {
            let (x, y) = (layout.map_x as f32 + (x + dx) * layout.cell, (y + dy) * layout.cell);
            if corner == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        path.close();
        let colour = unit_colour(arrow.heading, 0).mix(Rgb::OPEN, 128);
        fill(canvas, path.finish(), colour, Transform::identity());
    }
}

/// Writes a direction map as a PNG.
pub fn write_arrows<W: io::Write>(
    out: W,
    grid: &Grid,
    directions: &Directions,
    title: &str,
) -> Result<(), PictureError> {
    let limit = (grid.width().max(grid.height()) * PLAIN).min(LARGEST) as u32;
    let layout = Layout::new(grid, limit, title.chars().count(), 0);
    let (width, height) = (layout.width, layout.height);
    let mut canvas = Pixmap::new(width, height).ok_or(PictureError::TooLarge { width, height })?;
    canvas.fill(Rgb::PAPER.into());
    terrain::draw(&mut canvas, grid, &layout);
    draw(&mut canvas, directions.vectors(), directions.width(), &layout);
    let (x, y) = layout.title_at();
    let title: String = title.chars().take(layout.letters()).collect();
    Font::new().draw(&mut canvas, &title, x, y, layout.dot, Rgb::TEXT);
    encode(out, &canvas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Dir;

    /// Only what changes is kept, and maps that are too large are left out.
    #[test]
    fn changes_are_kept() {
        let grid = Grid::empty(2, 1).unwrap();
        let (east, none) = (DirectionVector::of(Dir::E), DirectionVector::ZERO);
        let mut lessons = Lessons::of(&grid).unwrap();
        lessons.hear(None);
        for vectors in [[none, east], [none, east], [east, none]] {
            lessons.hear(Some(&Directions::new(2, 1, vectors.to_vec()).unwrap()));
        }
        let expected: [&[_]; 5] = [&[], &[(1, east)], &[], &[(0, east), (1, none)], &[]];
        for (tick, changes) in expected.into_iter().enumerate() {
            assert_eq!(lessons.at(tick), changes, "{tick}");
        }
        assert!(Lessons::of(&Grid::empty(200, 2).unwrap()).is_none());
    }
}
