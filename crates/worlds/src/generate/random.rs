//! Walls strewn at random.

use super::{GenerateError, Parameter, canvas::Canvas};
use crate::dice::{Purpose, dice, shuffle};
use throng_core::{Grid, Regions};

/// Single blocked cells at random places.
///
/// Exactly ⌊cells · percent / 100⌋ cells are drawn as walls. With [`Self::connected`] every open cell
/// outside the largest connected region is then walled up too, so that every open cell can be reached
/// from every other; above roughly 40 percent that leaves only a small part of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomMap {
    /// Columns: 1 to 16384, default 64.
    pub width: u32,
    /// Rows: 1 to 16384, default 64.
    pub height: u32,
    /// Walls in percent of all cells: 0 to 99, default 20.
    pub percent: u32,
    /// Keep only the largest connected region open. Default: yes.
    pub connected: bool,
}

impl RandomMap {
    /// What it can be told, in the order of its fields ([`Self::connected`] is no number).
    pub const PARAMETERS: [Parameter; 3] = [
        Parameter::width(64),
        Parameter::height(64),
        Parameter::new("percent", 20, 0, 99, "walls in percent of all cells"),
    ];

    /// The map of this seed.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, percent] = Self::PARAMETERS;
        let percent = percent.check(self.percent)?;
        let mut canvas = Canvas::new(width.check(self.width)?, height.check(self.height)?, Canvas::OPEN)?;
        let letters = canvas.letters_mut();
        let walls = (letters.len() as u64 * percent as u64 / 100) as usize;
        letters[..walls].fill(Canvas::WALL);
        shuffle(letters, &mut dice(seed, Purpose::RandomMap));
        let mut grid = canvas.into_grid()?;
        if self.connected {
            keep_largest_region(&mut grid)?;
        }
        Ok(grid)
    }
}

/// Walls up everything outside the largest region.
pub(super) fn keep_largest_region(grid: &mut Grid) -> Result<(), GenerateError> {
    let regions = Regions::of(grid, 1);
    let Some(largest) = regions.largest() else { return Ok(()) };
    let outside: Vec<_> = grid.open_ids().filter(|&id| regions.of_cell(id) != largest).collect();
    for id in outside {
        grid.set_letter(id, Canvas::WALL)?;
    }
    Ok(())
}

impl Default for RandomMap {
    fn default() -> Self {
        let [width, height, percent] = Self::PARAMETERS;
        Self { width: width.default, height: height.default, percent: percent.default, connected: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_walls_is_exact_unless_regions_are_closed() {
        let map = RandomMap { width: 30, height: 10, percent: 35, connected: false };
        assert_eq!(map.generate(5).unwrap().open_cells(), 300 - 105);
        let connected = RandomMap { connected: true, ..map };
        assert!(connected.generate(5).unwrap().open_cells() < 300 - 105);
    }

    #[test]
    fn one_cell_is_always_left_open() {
        let map = RandomMap { width: 1, height: 1, percent: 99, connected: true };
        assert_eq!(map.generate(0).unwrap().open_cells(), 1);
    }
}
