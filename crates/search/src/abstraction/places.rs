//! What is abstracted: places, which of them are beside each other, and where they lie.

use crate::{Graph, GridGraph};
use throng_core::CellId;

/// The places of a world and who is beside whom. Being beside somebody goes both ways.
pub trait Places {
    /// How long an array indexed by place must be.
    fn len(&self) -> usize;

    /// Whether there are no places.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether somebody can be there.
    fn exists(&self, place: u32) -> bool;

    /// Calls `visit` for every place beside this one, in an order that depends on nothing but the world.
    fn beside(&self, place: u32, visit: impl FnMut(u32));

    /// How many places are beside this one.
    fn degree(&self, place: u32) -> usize {
        let mut count = 0;
        self.beside(place, |_| count += 1);
        count
    }

    /// Whether two places are beside each other.
    fn joined(&self, a: u32, b: u32) -> bool {
        let mut found = false;
        self.beside(a, |near| found |= near == b);
        found
    }

    /// Where it lies.
    fn at(&self, place: u32) -> [i32; 3];

    /// A number for where it lies, its own alone: places whose numbers differ in low bits only are near each other. By
    /// default the bits of its coordinates in turns, so that the low bits name the place within a small block.
    fn code(&self, place: u32) -> u64 {
        let [x, y, z] = self.at(place).map(|c| spread(c as u32, 3));
        x | y << 1 | z << 2
    }

    /// The other three of four places that are all beside each other and whose codes differ in the last two bits alone,
    /// in the order of their codes; for the one with the lowest code only. Whatever is around them, nothing is closer to any
    /// of them. `None` is never wrong: it only means more work.
    fn square(&self, _place: u32) -> Option<[u32; 3]> {
        None
    }
}

/// Puts `step − 1` zeros between the bits of a number.
fn spread(number: u32, step: u32) -> u64 {
    (0..64 / step).fold(0, |code, bit| code | u64::from(number >> bit & 1) << (bit * step))
}

/// Puts a zero between the bits of a number.
const fn spread_once(number: u32) -> u64 {
    let mut x = number as u64;
    x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    x = (x | x << 2) & 0x3333_3333_3333_3333;
    (x | x << 1) & 0x5555_5555_5555_5555
}

impl<const PLAIN: bool> Places for GridGraph<'_, PLAIN> {
    fn len(&self) -> usize {
        Graph::len(self)
    }

    #[inline]
    fn exists(&self, place: u32) -> bool {
        self.grid().is_open_id(CellId(place))
    }

    #[inline]
    fn beside(&self, place: u32, mut visit: impl FnMut(u32)) {
        self.edges(place, |edge| visit(edge.to));
    }

    #[inline]
    fn degree(&self, place: u32) -> usize {
        Self::degree(self, place)
    }

    #[inline]
    fn joined(&self, a: u32, b: u32) -> bool {
        self.leads(a, b)
    }

    #[inline]
    fn at(&self, place: u32) -> [i32; 3] {
        let cell = self.grid().cell(CellId(place));
        [cell.x, cell.y, 0]
    }

    #[inline]
    fn code(&self, place: u32) -> u64 {
        let cell = self.grid().cell(CellId(place));
        spread_once(cell.x as u32) | spread_once(cell.y as u32) << 1
    }

    #[inline]
    fn square(&self, place: u32) -> Option<[u32; 3]> {
        self.square(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_spread_agree() {
        for number in [0, 1, 2, 3, 0b1011, 1023, 0x00ff_ff0f, u32::MAX] {
            assert_eq!(spread(number, 2), spread_once(number), "{number}");
        }
        assert_eq!(spread(0b101, 3), 0b1_000_001);
    }
}
