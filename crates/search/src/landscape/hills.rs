//! Sums of hills.

use throng_core::{Cell, CellId, Grid};

/// The shape of a hill: as high as `peak` in the middle, evenly falling to nothing at a distance of `radius`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hill {
    /// How far it reaches, in cells: at least 1, at most [`Self::MAX_RADIUS`].
    pub radius: u32,
    /// How high it is in the middle.
    pub peak: i32,
    /// Whether distances are measured along rows and columns; as the crow flies otherwise.
    pub square: bool,
}

impl Hill {
    /// The longest radius; longer ones count as this.
    pub const MAX_RADIUS: u32 = 4096;

    /// How high it is (`dx`, `dy`) away from the middle.
    #[must_use]
    pub fn height(&self, dx: i32, dy: i32) -> i32 {
        let (dx, dy) = (u64::from(dx.unsigned_abs()), u64::from(dy.unsigned_abs()));
        let radius = u64::from(self.radius.clamp(1, Self::MAX_RADIUS));
        // In 256ths of a cell, so that round hills are smooth.
        let away = if self.square { 256 * (dx + dy) } else { (65_536 * (dx * dx + dy * dy)).isqrt() };
        let left = (256 * radius).saturating_sub(away) as i64;
        (i64::from(self.peak) * left / (256 * radius as i64)) as i32
    }
}

/// A height for every cell: the sum of hills of one shape.
#[derive(Clone, Debug)]
pub struct Hills {
    hill: Hill,
    heights: Vec<i32>,
    /// Half of each row of a hill, from its middle row downwards, each from its middle outwards.
    rows: Vec<Vec<i32>>,
}

impl Hills {
    /// Flat ground, on which hills of this shape can be put.
    #[must_use]
    pub fn new(grid: &Grid, hill: Hill) -> Self {
        let radius = hill.radius.clamp(1, Hill::MAX_RADIUS) as i32;
        let half = |dy: i32| (0..radius).map(|dx| hill.height(dx, dy)).take_while(|&h| h != 0).collect();
        Self { hill, heights: vec![0; grid.len()], rows: (0..radius).map(half).collect() }
    }

    /// The same with hills at all crossings of these columns and rows: quicker than one by one.
    #[must_use]
    pub fn at_crossings(grid: &Grid, hill: Hill, columns: &[i32], rows: &[i32]) -> Self {
        let mut hills = Self::new(grid, hill);
        let (width, height, reach) = (grid.width() as i32, grid.height() as i32, hills.rows.len() as i32);
        // By how far a row is from a row of hills: what all of those amount to, column by column.
        let mut profiles: Vec<Vec<i32>> = vec![Vec::new(); hills.rows.len()];
        for (profile, half) in profiles.iter_mut().zip(&hills.rows) {
            profile.resize(grid.width(), 0);
            let ends = half.len() as i32;
            for &middle in columns {
                for x in (middle + 1 - ends).max(0)..(middle + ends).min(width) {
                    let height = &mut profile[x as usize];
                    *height = height.saturating_add(half[(x - middle).unsigned_abs() as usize]);
                }
            }
        }
        for y in 0..height {
            for profile in rows.iter().map(|row| (row - y).abs()).filter(|&away| away < reach) {
                for (x, &more) in (0..).zip(&profiles[profile as usize]) {
                    let Some(id) = grid.id(Cell::new(x, y)) else { continue };
                    let height = &mut hills.heights[id.index()];
                    *height = height.saturating_add(more);
                }
            }
        }
        hills
    }

    /// The shape of its hills.
    #[must_use]
    pub const fn hill(&self) -> Hill {
        self.hill
    }

    /// How high it is here.
    #[must_use]
    pub fn height(&self, id: CellId) -> i32 {
        self.heights[id.index()]
    }

    /// Puts `times` hills on top of each other at `middle`, or takes them away if there are fewer than none. Heights
    /// that no number holds stay at the largest.
    pub fn add(&mut self, grid: &Grid, middle: Cell, times: i32) {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        for (down, half) in self.rows.iter().enumerate() {
            let down = down as i32;
            // The middle row is there once.
            let lines = if down == 0 {
                [Some(middle.y), None]
            } else {
                [Some(middle.y - down), Some(middle.y + down)]
            };
            for y in lines.into_iter().flatten().filter(|&y| (0..height).contains(&y)) {
                let (left, right) = (1 - half.len() as i32, half.len() as i32);
                let from = (middle.x + left).max(0);
                let to = (middle.x + right).min(width);
                for x in from..to {
                    let Some(id) = grid.id(Cell::new(x, y)) else { continue };
                    let height = &mut self.heights[id.index()];
                    let more = half[(x - middle.x).unsigned_abs() as usize].saturating_mul(times);
                    *height = height.saturating_add(more);
                }
            }
        }
    }

    /// Moves a hill.
    pub fn shift(&mut self, grid: &Grid, from: Cell, to: Cell) {
        if from != to {
            self.add(grid, from, -1);
            self.add(grid, to, 1);
        }
    }
}
