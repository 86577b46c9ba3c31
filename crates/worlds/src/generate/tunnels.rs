//! Tunnels dug by a random walk, as open or as narrow as wanted.

use super::{GenerateError, Parameter, canvas::Canvas};
use crate::dice::{Purpose, chance, dice, shuffle};
use throng_core::{Draw, Grid, Random};

/// Places in rows and columns, joined by tunnels between walls.
///
/// A walk in breadth spreads from a random place over all others in random order and digs a tunnel to each from the
/// place that met it first: a perfect maze. Then every place gets as many tunnels of its own choice in all as a die
/// between [`Self::min_connections`] and [`Self::max_connections`] says; with 1 and 1 that is the one it has, and the
/// maze stays perfect.
///
/// After that walls grow into what was dug: each open cell beside a wall turns into wall with a chance of
/// [`Self::noise`] · 5 percent, unless that would cut something off. At last clusters of walls (cells that touch, corners
/// included) smaller than [`Self::min_island`] go. Every open cell can be reached from every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TunnelMap {
    /// Columns: `tunnel` + 2 · `wall` to 16384, default 50.
    pub width: u32,
    /// Rows: `tunnel` + 2 · `wall` to 16384, default 50.
    pub height: u32,
    /// Tunnels that a place has at least of its own choice: 1 to 4, default 1.
    pub min_connections: u32,
    /// Tunnels that a place has at most of its own choice: `min_connections` to 4, default 3.
    pub max_connections: u32,
    /// How ragged walls are: 0 to 10, default 2.
    pub noise: u32,
    /// Cells of the smallest cluster of walls that stays: 0 to 65536, default 4.
    pub min_island: u32,
    /// Width of walls in cells: 1 to 256, default 1.
    pub wall: u32,
    /// Width of tunnels in cells: 1 to 256, default 2.
    pub tunnel: u32,
}

impl TunnelMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 8] = [
        Parameter::width(50),
        Parameter::height(50),
        Parameter::new("min_connections", 1, 1, 4, "tunnels that a place has at least of its own choice"),
        Parameter::new("max_connections", 3, 1, 4, "tunnels that a place has at most of its own choice"),
        Parameter::new("noise", 2, 0, 10, "how ragged walls are: 5 percent of the cells beside them each"),
        Parameter::new("min_island", 4, 0, 1 << 16, "cells of the smallest cluster of walls that stays"),
        Parameter::new("wall", 1, 1, 256, "width of walls in cells"),
        Parameter::new("tunnel", 2, 1, 256, "width of tunnels in cells"),
    ];

    /// The map of this seed.
    pub fn generate(&self, seed: u64) -> Result<Grid, GenerateError> {
        let [width, height, fewest, most, noise, island, wall, tunnel] = Self::PARAMETERS;
        fewest.check(self.min_connections)?;
        most.check_from(self.max_connections, self.min_connections)?;
        noise.check(self.noise)?;
        island.check(self.min_island)?;
        let wall = wall.check(self.wall)?;
        let tunnel = tunnel.check(self.tunnel)?;
        let least = self.tunnel + 2 * self.wall;
        let width = width.check_from(self.width, least)?;
        let height = height.check_from(self.height, least)?;
        let mut canvas = Canvas::new(width, height, Canvas::WALL)?;
        let pitch = tunnel + wall;
        let places = Places { columns: (width - wall) / pitch, rows: (height - wall) / pitch };
        let dice = &mut dice(seed, Purpose::TunnelMap);
        for (from, to) in self.tunnels(&places, dice) {
            // One rectangle covers both places and the gap in the wall between them.
            let ((x, y), (across, down)) = places.span(from, to);
            let size = (tunnel + across * pitch, tunnel + down * pitch);
            canvas.fill((x * pitch + wall, y * pitch + wall), size, Canvas::OPEN);
        }
        let mut walls = Walls { width, letters: canvas.letters_mut() };
        walls.grow(5 * self.noise, dice);
        walls.clear_islands(self.min_island as usize);
        canvas.into_grid()
    }

    /// The tunnels, each as the two places it joins.
    fn tunnels(&self, places: &Places, dice: &mut Random) -> Vec<(usize, usize)> {
        let count = places.columns * places.rows;
        let mut parent = vec![usize::MAX; count];
        let first = dice.below(count as u32) as usize;
        parent[first] = first;
        // Who is next is drawn from the whole border of the walk: rings would give away where it began.
        let mut border = vec![first];
        let mut tunnels = vec![(first, first)];
        while !border.is_empty() {
            let place = border.swap_remove(dice.below(border.len() as u32) as usize);
            let mut fresh = places.beside(place);
            fresh.retain(|&next| parent[next] == usize::MAX);
            shuffle(&mut fresh, dice);
            for next in fresh {
                parent[next] = place;
                tunnels.push((place, next));
                border.push(next);
            }
        }
        for (place, &parent) in parent.iter().enumerate() {
            let spread = self.max_connections - self.min_connections + 1;
            let wanted = self.min_connections + dice.below(spread);
            let mut others = places.beside(place);
            others.retain(|&next| next != parent);
            shuffle(&mut others, dice);
            tunnels.extend(others.into_iter().take(wanted as usize - 1).map(|next| (place, next)));
        }
        tunnels
    }
}

/// The places that tunnels join, numbered row by row.
struct Places {
    columns: usize,
    rows: usize,
}

impl Places {
    fn beside(&self, place: usize) -> Vec<usize> {
        let (x, y) = (place % self.columns, place / self.columns);
        let mut beside = Vec::with_capacity(4);
        beside.extend((y > 0).then(|| place - self.columns));
        beside.extend((x + 1 < self.columns).then_some(place + 1));
        beside.extend((y + 1 < self.rows).then_some(place + self.columns));
        beside.extend((x > 0).then(|| place - 1));
        beside
    }

    /// The smaller of two places beside each other, and how far (0 or 1) the other is to the right and down.
    fn span(&self, a: usize, b: usize) -> ((usize, usize), (usize, usize)) {
        let at = |place| (place % self.columns, place / self.columns);
        let ((x, y), (u, v)) = (at(a.min(b)), at(a.max(b)));
        ((x, y), (u - x, v - y))
    }
}

/// Letters whose walls are being worked on. The outermost ring is wall.
struct Walls<'a> {
    width: usize,
    letters: &'a mut [u8],
}

impl Walls<'_> {
    /// The eight cells around `at`, clockwise from the one above. Only for cells that are not on the rim.
    fn around(&self, at: usize) -> [usize; 8] {
        let w = self.width;
        [at - w, at - w + 1, at + 1, at + w + 1, at + w, at + w - 1, at - 1, at - w - 1]
    }

    fn grow(&mut self, percent: u32, dice: &mut Random) {
        for at in 0..self.letters.len() {
            if self.letters[at] == Canvas::OPEN && chance(percent, dice) && self.may_close(at) {
                self.letters[at] = Canvas::WALL;
            }
        }
    }

    /// Whether the open cell `at` lies beside a wall, and its open neighbours reach each other around it without it.
    fn may_close(&self, at: usize) -> bool {
        let open = self.around(at).map(|cell| self.letters[cell] == Canvas::OPEN);
        let straight = [0, 2, 4, 6].map(|side| open[side]);
        if straight.iter().all(|&open| open) {
            return false;
        }
        // Going around, a run of open cells that holds a straight neighbour is one way in; one is none too many.
        let mut ways = 0;
        for side in 0..4 {
            let joined = open[2 * side + 1] && straight[(side + 1) % 4];
            ways += usize::from(straight[side] && !joined);
        }
        ways == 1
    }

    fn clear_islands(&mut self, smallest: usize) {
        let mut seen = vec![false; self.letters.len()];
        for begin in 0..self.letters.len() {
            if seen[begin] || self.letters[begin] != Canvas::WALL {
                continue;
            }
            seen[begin] = true;
            let mut island = vec![begin];
            let mut next = 0;
            // What touches the rim is no island: the first cell found is on the rim then, and all of the rim is one.
            let on_rim = begin == 0;
            while next < island.len() {
                let (x, y) = (island[next] % self.width, island[next] / self.width);
                next += 1;
                for v in y.saturating_sub(1)..(y + 2).min(self.letters.len() / self.width) {
                    for u in x.saturating_sub(1)..(x + 2).min(self.width) {
                        let cell = v * self.width + u;
                        if !seen[cell] && self.letters[cell] == Canvas::WALL {
                            seen[cell] = true;
                            island.push(cell);
                        }
                    }
                }
            }
            if !on_rim && island.len() < smallest {
                island.into_iter().for_each(|cell| self.letters[cell] = Canvas::OPEN);
            }
        }
    }
}

impl Default for TunnelMap {
    fn default() -> Self {
        let [width, height, fewest, most, noise, island, wall, tunnel] = Self::PARAMETERS;
        Self {
            width: width.default,
            height: height.default,
            min_connections: fewest.default,
            max_connections: most.default,
            noise: noise.default,
            min_island: island.default,
            wall: wall.default,
            tunnel: tunnel.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERFECT: TunnelMap = TunnelMap {
        width: 21,
        height: 31,
        min_connections: 1,
        max_connections: 1,
        noise: 0,
        min_island: 65_536,
        wall: 1,
        tunnel: 1,
    };

    #[test]
    fn one_and_one_is_a_perfect_maze() {
        // 10×15 places and a tunnel less than places: a tree, since all of it is connected (`tests/generators.rs`).
        // No wall is an island in it, however large islands must be.
        for seed in 0..20 {
            assert_eq!(PERFECT.generate(seed).unwrap().open_cells(), 150 + 149);
        }
    }

    #[test]
    fn connections_open_the_maze_up_to_all_walls_between_places() {
        let two = TunnelMap { max_connections: 2, min_island: 0, ..PERFECT };
        let all = TunnelMap { min_connections: 4, max_connections: 4, ..two };
        let open = |map: TunnelMap| map.generate(3).unwrap().open_cells();
        assert!(open(two) > open(PERFECT));
        // All walls but the posts between four places.
        assert_eq!(open(all), 19 * 29 - 9 * 14);
        // And those posts are islands of one cell.
        assert_eq!(open(TunnelMap { min_island: 2, ..all }), 19 * 29);
    }

    #[test]
    fn noise_is_the_share_of_cells_beside_walls_that_become_walls() {
        let wide = TunnelMap { tunnel: 18, width: 20, height: 20, min_island: 0, ..PERFECT };
        let closed = |noise| {
            (0..50)
                .map(|seed| 324 - TunnelMap { noise, ..wide }.generate(seed).unwrap().open_cells())
                .sum::<usize>()
        };
        assert_eq!(closed(0), 0);
        // At least the 68 cells along the rim have that chance; those beside them once they are closed.
        let (few, many) = (closed(2), closed(10));
        assert!(few > 50 * 6 && many > 2 * few, "{few} {many}");
    }

    #[test]
    fn walls_and_tunnels_have_their_widths() {
        let map = TunnelMap { wall: 3, tunnel: 2, width: 13, height: 8, ..PERFECT };
        let grid = map.generate(0).unwrap();
        assert_eq!(grid.row(3), b"@@@.......@@@");
        assert_eq!(grid.row(2), b"@@@@@@@@@@@@@");
        assert_eq!(grid.open_cells(), 14);
    }
}
