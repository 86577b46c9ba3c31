//! The space itself: where its border is, and which walls stand in it.

use crate::geometry::{Solid, meeting, overlap, touches_wall};
use crate::{MARGIN, SpaceError};
use throng_core::space::{Convex, Point, border};

/// A rectangle of space with convex walls in it. Walls may overlap each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    least: Point,
    most: Point,
    walls: Vec<Convex>,
    index: Index,
}

/// Walls by the squares that they reach into.
#[derive(Clone, Debug, PartialEq)]
struct Index {
    solids: Vec<Solid>,
    side: f64,
    columns: usize,
    rows: usize,
    /// Where the walls of each square begin in `inside`, row by row.
    begins: Vec<u32>,
    inside: Vec<u32>,
}

/// More squares than this are never made.
const MOST_SQUARES: f64 = 4e6;

impl Space {
    /// The least width and height.
    pub const LEAST: f64 = 1e-2;

    /// The rectangle between two corners, with walls.
    pub fn new(least: Point, most: Point, walls: Vec<Convex>) -> Result<Self, SpaceError> {
        let far = most - least;
        let large = far.x >= Self::LEAST && far.y >= Self::LEAST;
        if !(least.is_sound() && most.is_sound() && large) {
            return Err(SpaceError::BadBorder { least, most });
        }
        let index = Index::new(least, far, &walls);
        Ok(Self { least, most, walls, index })
    }

    /// The same rectangle with other walls.
    pub(crate) fn with_walls(&self, walls: Vec<Convex>) -> Self {
        let Self { least, most, .. } = *self;
        Self { least, most, index: Index::new(least, most - least, &walls), walls }
    }

    /// The rectangle from the origin without any walls.
    pub fn open(width: f64, height: f64) -> Result<Self, SpaceError> {
        Self::new(Point::ZERO, Point::new(width, height), Vec::new())
    }

    /// The corner with the least coordinates.
    #[must_use]
    pub const fn least(&self) -> Point {
        self.least
    }

    /// The corner opposite.
    #[must_use]
    pub const fn most(&self) -> Point {
        self.most
    }

    /// All walls.
    #[must_use]
    pub fn walls(&self) -> &[Convex] {
        &self.walls
    }

    /// The border as walls around the space, for whoever judges what happens in it.
    #[must_use]
    pub fn border(&self) -> Vec<Convex> {
        border(self.least, self.most)
    }

    /// Whether a body can go from `from` straight by `by` without touching a wall or the border.
    pub(crate) fn is_free(&self, solid: &Solid, from: Point, by: Point) -> bool {
        self.is_clear(solid, from, by, MARGIN)
    }

    /// The same, and keep `room` from both.
    pub(crate) fn is_clear(&self, solid: &Solid, from: Point, by: Point, room: f64) -> bool {
        self.stays_inside(solid, from, by, room) && self.index.is_clear(solid, from - self.least, by, room)
    }

    /// Whether a body can stand there.
    pub(crate) fn has_room(&self, solid: &Solid, at: Point) -> bool {
        self.is_inside(solid, at, MARGIN) && self.index.has_room(solid, at - self.least)
    }

    /// The part of a straight way that a body can go before it touches a wall or the border.
    pub(crate) fn room(&self, solid: &Solid, from: Point, by: Point) -> f64 {
        let (low, high) = solid.extent();
        let (least, most) = (self.least - low, self.most - high);
        let mut part = 1.0f64;
        for (from, by, least, most) in [(from.x, by.x, least.x, most.x), (from.y, by.y, least.y, most.y)] {
            if by > 0.0 {
                part = part.min((most - 2.0 * MARGIN - from) / by);
            } else if by < 0.0 {
                part = part.min((least + 2.0 * MARGIN - from) / by);
            }
        }
        let end = from + by;
        let (least, most) = (
            Point::new(from.x.min(end.x), from.y.min(end.y)) + low,
            Point::new(from.x.max(end.x), from.y.max(end.y)) + high,
        );
        for wall in self.walls_within(least, most) {
            if let Some(met) = meeting(solid, wall, from - self.least, by, 2.0 * MARGIN)
                && met.end > 0.0
            {
                part = part.min(met.begin);
            }
        }
        part.max(0.0)
    }

    /// The walls that may reach into a rectangle, in their order, as seen from the least corner of the space.
    pub(crate) fn walls_within(&self, least: Point, most: Point) -> Vec<&Solid> {
        let index = &self.index;
        if index.solids.is_empty() {
            return Vec::new();
        }
        let squares = index.squares(least - self.least, most - self.least);
        let walls = |square: usize| index.begins[square] as usize..index.begins[square + 1] as usize;
        let mut found: Vec<u32> = squares.flat_map(|square| &index.inside[walls(square)]).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|wall| &index.solids[wall as usize]).collect()
    }

    /// Whether a body stays so far from the border on a straight way. Who is closer already may go if that leads no nearer.
    fn stays_inside(&self, solid: &Solid, from: Point, by: Point, room: f64) -> bool {
        let to = from + by;
        if self.is_inside(solid, from, room) {
            return self.is_inside(solid, to, room);
        }
        let (low, high) = solid.extent();
        let sides = |at: Point| {
            let (least, most) = (at + low - self.least, self.most - high - at);
            [least.x, least.y, most.x, most.y]
        };
        let stays = |(before, after): (f64, f64)| if before > room { after > room } else { after >= before };
        sides(from).into_iter().zip(sides(to)).all(stays)
    }

    /// Whether a body stands inside the border, and so far from it.
    fn is_inside(&self, solid: &Solid, at: Point, room: f64) -> bool {
        let (least, most) = if solid.is_disc() {
            let round = Point::new(solid.round, solid.round);
            (at - round, at + round)
        } else {
            let (least, most) = solid.extent();
            (at + least, at + most)
        };
        least.x > self.least.x + room
            && least.y > self.least.y + room
            && most.x < self.most.x - room
            && most.y < self.most.y - room
    }
}

impl Index {
    fn new(least: Point, far: Point, walls: &[Convex]) -> Self {
        // Walls are kept as seen from the corner of the space.
        let solid = |wall: &Convex| {
            let corners: Vec<Point> = wall.corners().iter().map(|&corner| corner - least).collect();
            Solid { corners, round: 0.0, reach: 0.0 }
        };
        let solids: Vec<Solid> = walls.iter().map(solid).collect();
        // About a wall in a square, and no more squares than there is memory for.
        let fair = (far.x * far.y / walls.len().max(1) as f64).sqrt();
        let side = fair.max((far.x * far.y / MOST_SQUARES).sqrt()).max(far.x.max(far.y) / 4e3);
        let count = |far: f64| ((far / side) as usize).saturating_add(1);
        let (columns, rows) = (count(far.x), count(far.y));
        let mut index = Self { solids, side, columns, rows, begins: Vec::new(), inside: Vec::new() };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (wall, solid) in index.solids.iter().enumerate() {
            let (least, most) = solid.extent();
            index.squares(least, most).for_each(|square| pairs.push((square as u32, wall as u32)));
        }
        pairs.sort_unstable();
        index.begins = vec![0; columns * rows + 1];
        pairs.iter().for_each(|&(square, _)| index.begins[square as usize + 1] += 1);
        for square in 0..columns * rows {
            index.begins[square + 1] += index.begins[square];
        }
        index.inside = pairs.into_iter().map(|(_, wall)| wall).collect();
        index
    }

    /// The squares that a rectangle reaches into.
    fn squares(&self, least: Point, most: Point) -> impl Iterator<Item = usize> + use<> {
        let clamp = |value: f64, count: usize| ((value / self.side).max(0.0) as usize).min(count - 1);
        let (x0, x1) = (clamp(least.x, self.columns), clamp(most.x, self.columns));
        let (y0, y1) = (clamp(least.y, self.rows), clamp(most.y, self.rows));
        let columns = self.columns;
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y * columns + x))
    }

    fn has_room(&self, solid: &Solid, at: Point) -> bool {
        let ((low, high), room) = (solid.extent(), Point::new(MARGIN, MARGIN));
        self.squares(at + low - room, at + high + room).all(|square| {
            let walls = &self.inside[self.begins[square] as usize..self.begins[square + 1] as usize];
            !walls.iter().any(|&wall| overlap(solid, &self.solids[wall as usize], at, MARGIN))
        })
    }

    #[inline]
    fn is_clear(&self, solid: &Solid, from: Point, by: Point, room: f64) -> bool {
        self.solids.is_empty() || self.is_clear_of_walls(solid, from, by, room)
    }

    fn is_clear_of_walls(&self, solid: &Solid, from: Point, by: Point, margin: f64) -> bool {
        let (low, high) = solid.extent();
        let room = Point::new(margin, margin);
        // Part by part, so that a long way asks only for the squares beside it.
        let parts = ((by.length() / (2.0 * self.side)) as u32).saturating_add(1).min(1 << 20);
        let part = by * (1.0 / f64::from(parts));
        (0..parts).all(|k| {
            let begin = from + part * f64::from(k);
            let end = begin + part;
            let least = Point::new(begin.x.min(end.x), begin.y.min(end.y)) + low - room;
            let most = Point::new(begin.x.max(end.x), begin.y.max(end.y)) + high + room;
            self.squares(least, most).all(|square| {
                let walls = self.begins[square] as usize..self.begins[square + 1] as usize;
                let touched =
                    |&wall: &u32| touches_wall(solid, &self.solids[wall as usize], begin, part, margin);
                !self.inside[walls].iter().any(touched)
            })
        })
    }
}
