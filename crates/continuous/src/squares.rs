//! Bodies by the square of space where they are, kept from step to step.

use throng_core::space::Point;

/// Nobody.
const NOBODY: u32 = u32::MAX;
/// Rows are this far apart in the table, so that neighbours in a row lie side by side and rows do not meet.
const ROW: u32 = 0x9E37_79B1;

/// Squares have no end in any direction: they share the slots of a table that grows with the number of bodies. Which bodies a
/// square holds depends on where they are alone, never on how they came there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Squares {
    side: f64,
    /// How many squares fit into a unit of length.
    fine: f64,
    /// By slot: the first of its bodies.
    heads: Vec<u32>,
    /// By body: its square, and the next of its slot.
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    x: i32,
    y: i32,
    next: u32,
}

/// A row and a column that no query asks for.
const NOWHERE: Link = Link { x: i32::MIN, y: i32::MIN, next: NOBODY };

impl Squares {
    /// Empty squares of this side for so many bodies. If not `sorted`, whoever asks for some of them looks through all bodies.
    pub(crate) fn new(side: f64, bodies: usize, sorted: bool) -> Self {
        let slots = if sorted { (2 * bodies).next_power_of_two().max(16) } else { 1 };
        Self { side, fine: 1.0 / side, heads: vec![NOBODY; slots], links: vec![NOWHERE; bodies] }
    }

    pub(crate) const fn side(&self) -> f64 {
        self.side
    }

    #[inline]
    fn square(&self, at: Point) -> (i32, i32) {
        // Coordinates out of range end in the outermost squares. What rounds down here is no call of a function.
        let index = |value: f64| {
            let scaled = value * self.fine;
            let towards_zero = scaled as i32;
            (towards_zero.saturating_sub(i32::from(f64::from(towards_zero) > scaled)))
                .clamp(-(1 << 30), 1 << 30)
        };
        (index(at.x), index(at.y))
    }

    #[inline]
    fn slot(&self, x: i32, y: i32) -> usize {
        (x as u32).wrapping_add((y as u32).wrapping_mul(ROW)) as usize & (self.heads.len() - 1)
    }

    /// A body is there now.
    #[inline]
    pub(crate) fn put(&mut self, id: usize, at: Point) {
        let (x, y) = self.square(at);
        let Link { x: x0, y: y0, .. } = self.links[id];
        if (x, y) != (x0, y0) {
            self.take(id);
            let slot = self.slot(x, y);
            self.links[id] = Link { x, y, next: self.heads[slot] };
            self.heads[slot] = id as u32;
        }
    }

    /// A body is nowhere.
    pub(crate) fn take(&mut self, id: usize) {
        let Link { x, y, next } = self.links[id];
        if x == NOWHERE.x {
            return;
        }
        let slot = self.slot(x, y);
        let mut before = self.heads[slot];
        if before == id as u32 {
            self.heads[slot] = next;
        } else {
            while let Some(link) = self.links.get_mut(before as usize) {
                if link.next == id as u32 {
                    link.next = next;
                    break;
                }
                before = link.next;
            }
        }
        self.links[id] = NOWHERE;
    }

    /// All bodies in the squares that a rectangle reaches into, in no particular order.
    #[inline]
    pub(crate) fn within(&self, least: Point, most: Point) -> Within<'_> {
        if self.heads.is_empty() {
            return Within {
                squares: self,
                x: 0,
                y: 0,
                first: 0,
                last: (0, 0),
                next: NOBODY,
                from: 0,
                all: false,
            };
        }
        let ((x, y), last) = (self.square(least), self.square(most));
        let all = self.heads.len() == 1;
        let next = if all { NOBODY } else { self.heads[self.slot(x, y)] };
        Within { squares: self, x, y, first: x, last, next, from: 0, all }
    }
}

/// See [`Squares::within`].
#[derive(Clone)]
pub(crate) struct Within<'a> {
    squares: &'a Squares,
    x: i32,
    y: i32,
    first: i32,
    last: (i32, i32),
    next: u32,
    /// Where nothing is sorted: the next to be tried.
    from: u32,
    all: bool,
}

impl Iterator for Within<'_> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        loop {
            while let Some(&Link { x, y, next }) = self.squares.links.get(self.next as usize) {
                let id = core::mem::replace(&mut self.next, next);
                // Squares that share a slot are told apart here.
                if (x, y) == (self.x, self.y) {
                    return Some(id);
                }
            }
            if self.all {
                return self.among_all();
            }
            if self.x < self.last.0 {
                self.x += 1;
            } else if self.y < self.last.1 {
                (self.x, self.y) = (self.first, self.y + 1);
            } else {
                return None;
            }
            self.next = self.squares.heads[self.squares.slot(self.x, self.y)];
        }
    }
}

impl Within<'_> {
    /// The next where nothing is sorted.
    #[cold]
    fn among_all(&mut self) -> Option<u32> {
        while let Some(&Link { x, y, .. }) = self.squares.links.get(self.from as usize) {
            let id = self.from;
            self.from += 1;
            if (self.first..=self.last.0).contains(&x) && (self.y..=self.last.1).contains(&y) {
                return Some(id);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_near_points_are_found_once_and_few_others() {
        let point = |k: u32| Point::new(f64::from(k * 37 % 101) - 50.0, f64::from(k * 53 % 97) - 40.0);
        for sorted in [true, false] {
            let mut squares = Squares::new(5.0, 500, sorted);
            let mut points: Vec<Point> = (0..500).map(point).collect();
            points.iter().enumerate().for_each(|(id, &at)| squares.put(id, at));
            for round in 0..3 {
                for at in [Point::new(5.0, 5.0), Point::new(-60.0, 3.0), Point::new(50.0, 56.0)] {
                    let corner = Point::new(10.0, 10.0);
                    let mut found: Vec<u32> = squares.within(at - corner, at + corner).collect();
                    found.sort_unstable();
                    let all = found.len();
                    found.dedup();
                    assert_eq!(all, found.len(), "twice");
                    let near = |id: &u32| (points[*id as usize] - at).length() <= 10.0;
                    let inside = (0..500).filter(|id| near(id) && id % 7 != 3).count();
                    let gone =
                        if round == 0 { (0..500).filter(|id| near(id) && id % 7 == 3).count() } else { 0 };
                    assert_eq!(found.iter().filter(|id| near(id)).count(), inside + gone, "{at}");
                    assert!(found.len() < 120, "{}", found.len());
                }
                // Some go, and all others move.
                for (id, at) in points.iter_mut().enumerate() {
                    *at = point(id as u32 * 3 + 11 * round);
                    if id % 7 == 3 { squares.take(id) } else { squares.put(id, *at) }
                }
            }
        }
        assert_eq!(Squares::default().within(Point::ZERO, Point::EAST).count(), 0);
    }
}
