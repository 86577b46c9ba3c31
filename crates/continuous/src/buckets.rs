//! Points sorted into squares, so that those near a place are found without a look at all of them.

use throng_core::space::Point;

/// Which squares there are, and what is in each. What is kept in them is for others to say: see [`Self::sort`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Buckets {
    least: Point,
    /// How many squares fit into a unit of length.
    fine: f64,
    columns: usize,
    rows: usize,
    begins: Vec<u32>,
    /// By point: its square. Scratch.
    squares: Vec<u32>,
}

impl Buckets {
    /// Sorts points into squares of at least this side: answers where in the order of squares each point goes. There are
    /// never many more squares than points.
    pub(crate) fn sort(
        &mut self,
        side: f64,
        points: impl Iterator<Item = Point> + Clone,
        places: &mut Vec<u32>,
    ) {
        let far = |pick: fn(f64, f64) -> f64, start: f64| {
            let both = |a: Point, b: Point| Point::new(pick(a.x, b.x), pick(a.y, b.y));
            points.clone().fold(Point::new(start, start), both)
        };
        let (least, most) = (far(f64::min, f64::INFINITY), far(f64::max, f64::NEG_INFINITY));
        let count = points.clone().count();
        let size = if count > 0 { most - least } else { Point::ZERO };
        let fair = (size.x * size.y / (4.0 * count as f64 + 16.0)).sqrt();
        let long = size.x.max(size.y) / (4.0 * count as f64 + 16.0);
        let side = side.max(fair).max(long);
        let squares = |far: f64| (far / side) as usize + 1;
        (self.least, self.fine) = (if count > 0 { least } else { Point::ZERO }, 1.0 / side);
        (self.columns, self.rows) = (squares(size.x), squares(size.y));
        self.begins.clear();
        self.begins.resize(self.columns * self.rows + 1, 0);
        self.squares.clear();
        for point in points {
            let (x, y) = self.square(point);
            let square = y * self.columns + x;
            self.squares.push(square as u32);
            self.begins[square + 1] += 1;
        }
        for square in 0..self.columns * self.rows {
            self.begins[square + 1] += self.begins[square];
        }
        places.clear();
        // Where a square begins is where its next point goes, until all have gone there.
        for &square in &self.squares {
            let next = &mut self.begins[square as usize];
            places.push(*next);
            *next += 1;
        }
        self.begins.rotate_right(1);
        if let Some(first) = self.begins.first_mut() {
            *first = 0;
        }
    }

    /// Column and row of the square of a point; of the nearest one if it is in none.
    #[inline]
    fn square(&self, point: Point) -> (usize, usize) {
        let at = (point - self.least) * self.fine;
        ((at.x.max(0.0) as usize).min(self.columns - 1), (at.y.max(0.0) as usize).min(self.rows - 1))
    }

    /// The places of all points that may be within `radius` of `at`, one range for each row of squares.
    #[inline]
    pub(crate) fn near(&self, at: Point, radius: f64) -> impl Iterator<Item = core::ops::Range<usize>> {
        let corner = Point::new(radius, radius);
        self.within(at - corner, at + corner)
    }

    /// The same for a rectangle.
    #[inline]
    pub(crate) fn within(&self, least: Point, most: Point) -> impl Iterator<Item = core::ops::Range<usize>> {
        let empty = self.begins.len() < 2;
        let ((x0, y0), (x1, y1)) =
            if empty { ((0, 1), (0, 0)) } else { (self.square(least), self.square(most)) };
        (y0..=y1).map(move |y| {
            let row = y * self.columns;
            self.begins[row + x0] as usize..self.begins[row + x1 + 1] as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_near_points_are_found_and_few_others() {
        let point = |k: u32| Point::new(f64::from(k * 37 % 101), f64::from(k * 53 % 97));
        let points: Vec<Point> = (0..500).map(point).collect();
        let (mut buckets, mut places) = (Buckets::default(), Vec::new());
        buckets.sort(5.0, points.iter().copied(), &mut places);
        let mut sorted = vec![Point::ZERO; points.len()];
        points.iter().zip(&places).for_each(|(&point, &place)| sorted[place as usize] = point);
        for at in [Point::new(50.0, 50.0), Point::new(-20.0, 3.0), Point::new(101.0, 97.0)] {
            let found: Vec<Point> = buckets.near(at, 10.0).flat_map(|range| sorted[range].to_vec()).collect();
            let near = |point: &&Point| (**point - at).length() <= 10.0;
            assert_eq!(found.iter().filter(near).count(), points.iter().filter(near).count(), "{at}");
            assert!(found.len() < 100, "{}", found.len());
        }
        buckets.sort(5.0, core::iter::empty(), &mut places);
        assert_eq!(buckets.near(Point::ZERO, 1.0).flatten().count(), 0);
        assert_eq!(Buckets::default().near(Point::ZERO, 1.0).count(), 0);
    }
}
