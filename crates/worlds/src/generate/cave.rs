//! Caves: noise that was smoothed.

use super::{GenerateError, Parameter, canvas::Canvas, random::keep_largest_region};
use crate::dice::{Purpose, chance, dice};
use throng_core::Grid;

/// Caves with rounded walls: every cell is wall with some chance, and then becomes what most of the nine cells around
/// and including it are, several times over. Beyond the map there is rock. Of what is open the largest region stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaveMap {
    /// Columns: 1 to 16384, default 64.
    pub width: u32,
    /// Rows: 1 to 16384, default 64.
    pub height: u32,
    /// Walls before smoothing, in percent: 0 to 60, default 43.
    pub percent: u32,
    /// How often it is smoothed: 0 to 64, default 5.
    pub rounds: u32,
}

impl CaveMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 4] = [
        Parameter::width(64),
        Parameter::height(64),
        Parameter::new("percent", 43, 0, 60, "walls before smoothing, in percent"),
        Parameter::new("rounds", 5, 0, 64, "how often it is smoothed"),
    ];

    /// The map of this seed; an error if no cell of it would be open.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, percent, rounds] = Self::PARAMETERS;
        percent.check(self.percent)?;
        let rounds = rounds.check(self.rounds)?;
        let width = width.check(self.width)?;
        let mut canvas = Canvas::new(width, height.check(self.height)?, Canvas::OPEN)?;
        let dice = &mut dice(seed, Purpose::CaveMap);
        for letter in canvas.letters_mut() {
            if chance(self.percent, dice) {
                *letter = Canvas::WALL;
            }
        }
        canvas.frame();
        for _ in 0..rounds {
            smooth(canvas.letters_mut(), width);
        }
        let mut grid = canvas.into_grid()?;
        if grid.is_empty() {
            return Err(GenerateError::Full);
        }
        keep_largest_region(&mut grid)?;
        Ok(grid)
    }
}

/// The rim stays wall; it stands for the rock beyond.
fn smooth(letters: &mut [u8], width: usize) {
    let before = letters.to_vec();
    for at in width..letters.len().saturating_sub(width) {
        if at % width == 0 || at % width == width - 1 {
            continue;
        }
        let rows = [at - width, at, at + width];
        let walls =
            |middle: usize| before[middle - 1..=middle + 1].iter().filter(|&&l| l == Canvas::WALL).count();
        let walls: usize = rows.into_iter().map(walls).sum();
        letters[at] = if walls >= 5 { Canvas::WALL } else { Canvas::OPEN };
    }
}

impl Default for CaveMap {
    fn default() -> Self {
        let [width, height, percent, rounds] = Self::PARAMETERS;
        Self {
            width: width.default,
            height: height.default,
            percent: percent.default,
            rounds: rounds.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_leaves_no_wall_standing_alone() {
        let grid = CaveMap::default().generate(2).unwrap();
        for id in grid.open_ids() {
            let open =
                throng_core::Dir::ALL.iter().filter(|&&dir| grid.is_open_id(grid.neighbour(id, dir))).count();
            assert!(open >= 1, "{:?} is alone", grid.cell(id));
        }
        assert!(grid.open_cells() * 3 > 64 * 64, "{grid:?}");
    }

    #[test]
    fn what_leaves_no_room_is_an_error() {
        let map = CaveMap { width: 2, height: 9, ..CaveMap::default() };
        assert_eq!(
            map.generate(0).unwrap_err().to_string(),
            "no cell is left open: a larger map or fewer walls are needed"
        );
    }
}
