//! What somebody had seen at every tick of a run; the rest of a picture is dark.

use super::layout::Layout;
use super::palette::Rgb;
use throng_core::{CellId, Grid, Seen};
use tiny_skia::{ColorU8, Pixmap};

/// What was seen and forgotten, tick by tick.
#[derive(Clone, Debug, Default)]
pub struct Fog {
    last: Seen,
    /// By tick: cells that were seen then, or that were no longer.
    changes: Vec<Vec<CellId>>,
}

impl Fog {
    /// Over a world of which nothing has been seen.
    pub fn over(grid: &Grid) -> Self {
        Self { last: Seen::none(grid.len()), changes: Vec::new() }
    }

    /// What is known at the next tick.
    pub fn hear(&mut self, seen: Option<&Seen>) {
        let mut changed = Vec::new();
        if let Some(seen) = seen {
            seen.differences(&self.last, |cell| changed.push(cell));
            self.last.clone_from(seen);
        }
        self.changes.push(changed);
    }

    /// Whether nobody has told it anything, so that there is no fog.
    pub(super) const fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes of a tick.
    pub(super) fn at(&self, tick: usize) -> &[CellId] {
        self.changes.get(tick).map_or(&[], Vec::as_slice)
    }
}

/// Darkens every cell that is not in `seen`; walls are a little darker than the rest.
pub(super) fn draw(canvas: &mut Pixmap, seen: &Seen, grid: &Grid, layout: &Layout) {
    let stride = canvas.width() as usize;
    let pixels = canvas.pixels_mut();
    for y in 0..layout.map_height {
        for x in 0..layout.map_width {
            let cell = |at: u32, cells: usize| ((at as f32 / layout.cell) as usize).min(cells - 1) as i32;
            let at = throng_core::Cell::new(cell(x, grid.width()), cell(y, grid.height()));
            let Some(id) = grid.id(at).filter(|&id| !seen.contains(id)) else { continue };
            let Rgb(r, g, b) = if grid.is_open_id(id) { Rgb::FOG } else { Rgb::FOG.mix(Rgb(0, 0, 0), 96) };
            let pixel = y as usize * stride + (layout.map_x + x) as usize;
            pixels[pixel] = ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what changes is kept, also what is forgotten.
    #[test]
    fn changes_are_kept() {
        let grid = Grid::empty(3, 1).unwrap();
        let mut fog = Fog::over(&grid);
        assert!(fog.is_empty());
        let mut seen = Seen::none(grid.len());
        let ids: Vec<_> = grid.open_ids().collect();
        fog.hear(None);
        seen.insert(ids[1]);
        fog.hear(Some(&seen));
        fog.hear(Some(&seen));
        seen.remove(ids[1]);
        seen.insert(ids[2]);
        fog.hear(Some(&seen));
        let expected: [&[_]; 5] = [&[], &[ids[1]], &[], &[ids[1], ids[2]], &[]];
        for (tick, changes) in expected.into_iter().enumerate() {
            assert_eq!(fog.at(tick), changes, "{tick}");
        }
    }
}
