//! Terrain being drawn.

use super::GenerateError;
use throng_core::{Grid, TerrainPolicy};

/// A rectangle of terrain letters that is carved until it becomes a grid.
pub(super) struct Canvas {
    width: usize,
    letters: Vec<u8>,
}

impl Canvas {
    pub(super) const OPEN: u8 = b'.';
    pub(super) const WALL: u8 = b'@';

    /// Everything of one letter. Refuses sizes that no grid can have before it allocates.
    pub(super) fn new(width: usize, height: usize, letter: u8) -> Result<Self, GenerateError> {
        Grid::check_size(width, height)?;
        Ok(Self { width, letters: vec![letter; width * height] })
    }

    /// Paints the `width`×`height` cells whose smallest corner is (`x`, `y`); what is off the canvas is
    /// left out.
    pub(super) fn fill(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), letter: u8) {
        let (begin, end) = (x.min(self.width), (x + width).min(self.width));
        for row in self.letters.chunks_exact_mut(self.width).skip(y).take(height) {
            row[begin..end].fill(letter);
        }
    }

    /// Walls along the border.
    pub(super) fn frame(&mut self) {
        let (width, height) = (self.width, self.letters.len() / self.width);
        self.fill((0, 0), (width, 1), Self::WALL);
        self.fill((0, height - 1), (width, 1), Self::WALL);
        self.fill((0, 0), (1, height), Self::WALL);
        self.fill((width - 1, 0), (1, height), Self::WALL);
    }

    /// All letters, row by row.
    pub(super) fn letters_mut(&mut self) -> &mut [u8] {
        &mut self.letters
    }

    pub(super) fn into_grid(self) -> Result<Grid, GenerateError> {
        let height = self.letters.len() / self.width;
        Ok(Grid::new(self.width, height, &self.letters, TerrainPolicy::default())?)
    }
}
