//! A network of roads.

use super::{GenerateError, Parameter, canvas::Canvas};
use crate::dice::{Purpose, chance, dice, shuffle};
use throng_core::Grid;

/// Roads between square blocks, inside a wall: crossings in rows and columns, most of them joined to their neighbours. Some
/// pieces of road are missing, but every crossing can be reached and none is the end of a road. In the middle of each piece
/// of road bays are cut into the blocks beside it, one cell deep, where units can begin and rest without being in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoadMap {
    /// Columns of the map: 1 to 16384, default 64; at least two roads and a block must fit between two walls.
    pub width: u32,
    /// Rows of the map: the same.
    pub height: u32,
    /// Side of a block in cells: 3 to 256, default 8.
    pub block: u32,
    /// Width of the roads in cells: 1 to 3, default 2.
    pub lanes: u32,
    /// Pieces of road that are missing, in percent of those that may be: 0 to 100, default 25.
    pub missing: u32,
    /// Bays on each side of a piece of road: 0 to 64, default 2; no more than fit with a cell between them.
    pub bays: u32,
}

/// Two crossings side by side, or one above the other.
#[derive(Clone, Copy)]
struct Piece {
    /// The one at the left or above: its column and row.
    at: (usize, usize),
    across: bool,
}

impl RoadMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 6] = [
        Parameter::width(64),
        Parameter::height(64),
        Parameter::new("block", 8, 3, 256, "side of a block in cells"),
        Parameter::new("lanes", 2, 1, 3, "width of the roads in cells"),
        Parameter::new(
            "missing",
            25,
            0,
            100,
            "percent of the pieces of road that are missing, where possible",
        ),
        Parameter::new("bays", 2, 0, 64, "bays on each side of a piece of road"),
    ];

    /// The map.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, block, lanes, missing, bays] = Self::PARAMETERS;
        let (block, lanes) = (block.check(self.block)?, lanes.check(self.lanes)?);
        missing.check(self.missing)?;
        let least = (2 + 2 * lanes + block) as u32;
        let (width, height) = (width.check_from(self.width, least)?, height.check_from(self.height, least)?);
        let bays = bays.check(self.bays)?.min((block - 1) / 2);
        let pitch = block + lanes;
        let count = |side: usize| (side - 2 - lanes) / pitch + 1;
        let (columns, rows) = (count(width), count(height));
        let mut canvas = Canvas::new(width, height, Canvas::WALL)?;
        let corner = |(x, y): (usize, usize)| (1 + x * pitch, 1 + y * pitch);
        for at in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            canvas.fill(corner(at), (lanes, lanes), Canvas::OPEN);
        }
        for Piece { at, across } in pieces(columns, rows, self.missing, seed) {
            let (x, y) = corner(at);
            let (first, size) =
                if across { ((x + lanes, y), (block, lanes)) } else { ((x, y + lanes), (lanes, block)) };
            canvas.fill(first, size, Canvas::OPEN);
            // They lie around the middle, every other cell.
            let begin = (block - (2 * bays).saturating_sub(1)) / 2;
            for place in (0..bays).map(|k| begin + 2 * k) {
                for side in [0, lanes + 1] {
                    let (x, y) = if across {
                        (first.0 + place, y + side - 1)
                    } else {
                        (x + side - 1, first.1 + place)
                    };
                    canvas.fill((x, y), (1, 1), Canvas::OPEN);
                }
            }
        }
        // Roads along the border have bays on their inner side only.
        canvas.frame();
        canvas.into_grid()
    }
}

/// The pieces of road that there are: first a tree that joins all crossings, by lot; then as many of the others as chance
/// and the ends of roads ask for.
fn pieces(columns: usize, rows: usize, missing: u32, seed: u64) -> Vec<Piece> {
    let dice = &mut dice(seed, Purpose::RoadMap);
    let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
    let mut open: Vec<Piece> = all
        .flat_map(|(x, y)| [true, false].map(|across| Piece { at: (x, y), across }))
        .filter(|piece| if piece.across { piece.at.0 + 1 < columns } else { piece.at.1 + 1 < rows })
        .collect();
    shuffle(&mut open, dice);
    let number = |(x, y): (usize, usize)| y * columns + x;
    let ends = |piece: &Piece| {
        let (x, y) = piece.at;
        [number(piece.at), number(if piece.across { (x + 1, y) } else { (x, y + 1) })]
    };
    let mut joined: Vec<usize> = (0..columns * rows).collect();
    let mut degree = vec![0u32; columns * rows];
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for piece in open {
        let [a, b] = ends(&piece).map(|end| root(&mut joined, end));
        if a == b {
            others.push(piece);
        } else {
            joined[a] = b;
            ends(&piece).into_iter().for_each(|end| degree[end] += 1);
            kept.push(piece);
        }
    }
    // Chance decides about all of them, so that the ends of roads change nothing for the others.
    let stays: Vec<bool> = others.iter().map(|_| !chance(missing, dice)).collect();
    for (piece, stays) in others.into_iter().zip(stays) {
        if stays || ends(&piece).into_iter().any(|end| degree[end] < 2) {
            ends(&piece).into_iter().for_each(|end| degree[end] += 1);
            kept.push(piece);
        }
    }
    kept
}

/// The number that stands for all that are joined to `place`.
fn root(joined: &mut [usize], mut place: usize) -> usize {
    while joined[place] != place {
        joined[place] = joined[joined[place]];
        place = joined[place];
    }
    place
}

impl Default for RoadMap {
    fn default() -> Self {
        let [width, height, block, lanes, missing, bays] = Self::PARAMETERS;
        Self {
            width: width.default,
            height: height.default,
            block: block.default,
            lanes: lanes.default,
            missing: missing.default,
            bays: bays.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_like_roads() {
        let map = RoadMap { width: 11, height: 7, block: 3, lanes: 1, missing: 0, bays: 1 };
        let grid = map.generate(0).unwrap();
        let rows: Vec<_> = (0..grid.height()).map(|y| String::from_utf8_lossy(grid.row(y))).collect();
        assert_eq!(
            rows,
            [
                "@@@@@@@@@@@",
                "@.........@",
                "@.@.@.@.@.@",
                "@..@...@..@",
                "@.@.@.@.@.@",
                "@.........@",
                "@@@@@@@@@@@",
            ]
        );
    }

    /// Whatever is missing, no crossing is the end of a road.
    #[test]
    fn roads_do_not_end() {
        for seed in 0..20 {
            let map = RoadMap { lanes: 1, bays: 0, missing: 100, ..RoadMap::default() };
            let grid = map.generate(seed).unwrap();
            for id in grid.open_ids() {
                assert!((grid.exits(id) & 0x0f).count_ones() >= 2, "{seed}: {}\n{grid:?}", grid.cell(id));
            }
        }
    }
}
