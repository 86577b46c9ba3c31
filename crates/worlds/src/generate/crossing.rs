//! The two maps of Sturtevant and Buro on which crowds cross from the left to the right.

use super::{GenerateError, Parameter, canvas::Canvas};
use throng_core::Grid;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A wall from the middle to the bottom, and both sides at the bottom: the straight line is a poor guide until
    /// half of the way is done, and a good one from there on.
    S1,
    /// A wall with a gap in which single blocks are strewn, and a bracket before each side: the straight line is a good guide
    /// but for what is in the way.
    S2,
}

/// A map to cross. Units start on dots in the left half and go to dots in the right half (see
/// [`crate::UnitOptions::across`]); everything else that is open is an `S`.
///
/// Both are drawn on 32×32 cells, of which each becomes `scale`×`scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossingMap {
    /// Which map.
    pub scene: Scene,
    /// Cells along the side of what is one cell in the drawing: 1 to 64, default 1.
    pub scale: u32,
}

/// Cells along the side of the drawing.
const SIDE: usize = 32;

const FLOOR: u8 = b'S';

/// What stands in the way in the second drawing, besides the wall.
const BRACKETS: [((usize, usize), (usize, usize)); 6] = [
    ((7, 12), (2, 1)),
    ((8, 13), (1, 6)),
    ((7, 19), (2, 1)),
    ((23, 12), (2, 1)),
    ((23, 13), (1, 6)),
    ((23, 19), (2, 1)),
];

/// Blocks in the gap and before it.
const BLOCKS: [(usize, usize); 11] = [
    (20, 12),
    (13, 13),
    (15, 14),
    (18, 14),
    (14, 15),
    (19, 15),
    (16, 16),
    (14, 17),
    (18, 17),
    (12, 18),
    (20, 19),
];

impl CrossingMap {
    /// What it can be told; the scene is no number.
    pub const PARAMETERS: [Parameter; 1] =
        [Parameter::new("scale", 1, 1, 64, "cells along the side of what is one of 32×32 in the drawing")];

    /// The map. Nothing in it is random.
    pub fn generate(&self) -> Result<Grid, GenerateError> {
        let [scale] = Self::PARAMETERS;
        let scale = scale.check(self.scale)?;
        let side = SIDE * scale;
        let mut canvas = Canvas::new(side, side, FLOOR)?;
        let mut paint = |(x, y): (usize, usize), (width, height): (usize, usize), letter| {
            canvas.fill((x * scale, y * scale), (width * scale, height * scale), letter);
        };
        for (corner, size) in [((0, 0), (32, 1)), ((0, 31), (32, 1)), ((0, 0), (1, 32)), ((31, 0), (1, 32))] {
            paint(corner, size, Canvas::WALL);
        }
        match self.scene {
            Scene::S1 => {
                paint((1, 25), (14, 6), Canvas::OPEN);
                paint((17, 25), (14, 6), Canvas::OPEN);
                paint((15, 16), (2, 15), Canvas::WALL);
            }
            Scene::S2 => {
                paint((2, 13), (5, 6), Canvas::OPEN);
                paint((25, 13), (5, 6), Canvas::OPEN);
                paint((15, 1), (2, 12), Canvas::WALL);
                paint((15, 19), (2, 12), Canvas::WALL);
                BRACKETS.iter().for_each(|&(corner, size)| paint(corner, size, Canvas::WALL));
                BLOCKS.iter().for_each(|&corner| paint(corner, (1, 1), Canvas::WALL));
            }
        }
        canvas.into_grid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::Regions;

    #[test]
    fn both_are_one_region_and_scale() {
        for (scene, open) in [(Scene::S1, 870), (Scene::S2, 821)] {
            let small = CrossingMap { scene, scale: 1 }.generate().unwrap();
            assert_eq!(small.open_cells(), open, "{scene:?}");
            assert_eq!(Regions::of(&small, 1).sizes(), [open as u32]);
            let large = CrossingMap { scene, scale: 3 }.generate().unwrap();
            for y in 0..96 {
                let wide: Vec<u8> = small.row(y / 3).iter().flat_map(|&letter| [letter; 3]).collect();
                assert_eq!(large.row(y), wide);
            }
        }
    }
}
