//! Rooms with doors.

use super::{GenerateError, Parameter, canvas::Canvas};
use crate::dice::{Purpose, chance, dice, shuffle};
use throng_core::{Draw, Grid};

/// Square rooms between walls one cell thick, with doors one cell wide.
///
/// Doors are knocked along a random spanning tree of the rooms, so that everything is connected; of the
/// remaining walls between neighbours, [`Self::doors`] percent get one as well. The last column and the last
/// row of rooms take up what is left of the map, so they may be larger than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomMap {
    /// Columns: `room` + 2 to 16384, default 64.
    pub width: u32,
    /// Rows: `room` + 2 to 16384, default 64.
    pub height: u32,
    /// Side of a room in cells, without its walls: 1 to 256, default 7.
    pub room: u32,
    /// Walls that get a door without need, in percent: 0 to 100, default 50.
    pub doors: u32,
}

impl RoomMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 4] = [
        Parameter::width(64),
        Parameter::height(64),
        Parameter::new("room", 7, 1, 256, "side of a room in cells, without its walls"),
        Parameter::new("doors", 50, 0, 100, "walls that get a door without need, in percent"),
    ];

    /// The map of this seed.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, room, doors] = Self::PARAMETERS;
        doors.check(self.doors)?;
        let room = room.check(self.room)?;
        let width = width.check_from(self.width, self.room + 2)?;
        let height = height.check_from(self.height, self.room + 2)?;
        let mut canvas = Canvas::new(width, height, Canvas::OPEN)?;
        let (across, down) = (Rooms::new(width, room), Rooms::new(height, room));
        for column in 1..across.count {
            canvas.fill((across.wall_before(column), 0), (1, height), Canvas::WALL);
        }
        for row in 1..down.count {
            canvas.fill((0, down.wall_before(row)), (width, 1), Canvas::WALL);
        }
        canvas.frame();

        let dice = &mut dice(seed, Purpose::RoomMap);
        let mut walls = shared_walls(across.count, down.count);
        shuffle(&mut walls, dice);
        let mut joined = Joined::new(across.count * down.count);
        for wall in walls {
            let needed = joined.join(wall.place, wall.beyond);
            if !needed && !chance(self.doors, dice) {
                continue;
            }
            let (column, row) = (wall.beyond % across.count, wall.beyond / across.count);
            let door = if wall.vertical {
                (across.wall_before(column), down.inside(row, dice))
            } else {
                (across.inside(column, dice), down.wall_before(row))
            };
            canvas.fill(door, (1, 1), Canvas::OPEN);
        }
        canvas.into_grid()
    }
}

/// How the rooms divide one side of the map.
struct Rooms {
    count: usize,
    pitch: usize,
    side: usize,
}

impl Rooms {
    const fn new(side: usize, room: usize) -> Self {
        Self { count: (side - 1) / (room + 1), pitch: room + 1, side }
    }

    const fn wall_before(&self, index: usize) -> usize {
        if index == self.count { self.side - 1 } else { index * self.pitch }
    }

    /// A random place inside room `index`.
    fn inside(&self, index: usize, dice: &mut throng_core::Random) -> usize {
        let first = self.wall_before(index) + 1;
        first + dice.below((self.wall_before(index + 1) - first) as u32) as usize
    }
}

/// The wall between room `place` and the one to its right (`vertical`) or below it.
struct Wall {
    place: usize,
    beyond: usize,
    vertical: bool,
}

fn shared_walls(columns: usize, rows: usize) -> Vec<Wall> {
    let mut walls = Vec::with_capacity(2 * columns * rows);
    for place in 0..columns * rows {
        if place % columns + 1 < columns {
            walls.push(Wall { place, beyond: place + 1, vertical: true });
        }
        if place / columns + 1 < rows {
            walls.push(Wall { place, beyond: place + columns, vertical: false });
        }
    }
    walls
}

/// Which rooms are connected already (union by root, paths halved on the way).
struct Joined(Vec<usize>);

impl Joined {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut place: usize) -> usize {
        while self.0[place] != place {
            self.0[place] = self.0[self.0[place]];
            place = self.0[place];
        }
        place
    }

    /// Joins two places; answers whether they were apart.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
        a != b
    }
}

impl Default for RoomMap {
    fn default() -> Self {
        let [width, height, room, doors] = Self::PARAMETERS;
        Self { width: width.default, height: height.default, room: room.default, doors: doors.default }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doors_are_as_many_as_asked_for() {
        // 4×4 rooms of 3×3: 15 doors suffice, 24 are possible.
        let map = RoomMap { width: 17, height: 17, room: 3, doors: 0 };
        assert_eq!(map.generate(1).unwrap().open_cells(), 16 * 9 + 15);
        assert_eq!(RoomMap { doors: 100, ..map }.generate(1).unwrap().open_cells(), 16 * 9 + 24);
    }

    #[test]
    fn the_last_room_takes_what_is_left() {
        let grid = RoomMap { width: 8, height: 5, room: 3, doors: 50 }.generate(0).unwrap();
        assert_eq!(grid.row(1), b"@......@");
    }
}
