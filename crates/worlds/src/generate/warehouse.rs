//! Shelves in rows and columns.

use super::{GenerateError, Parameter, canvas::Canvas};
use throng_core::Grid;

/// Blocks of shelves in rows and columns with corridors between them, and an open margin at the left and the
/// right where goods come and go, inside a wall. The benchmark's warehouse family is laid out like this;
/// the defaults give a map of 161×63, as `warehouse-10-20-10-2-1` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarehouseMap {
    /// Blocks side by side: 1 to 1024, default 10.
    pub columns: u32,
    /// Blocks one above the other: 1 to 1024, default 20.
    pub rows: u32,
    /// Columns of cells that a block covers: 1 to 256, default 10.
    pub shelf_width: u32,
    /// Rows of cells that a block covers: 1 to 256, default 2.
    pub shelf_height: u32,
    /// Width of the corridors between blocks, and above and below them: 1 to 256, default 1.
    pub corridor: u32,
    /// Open columns at the left and at the right: 1 to 1024, default 25.
    pub margin: u32,
}

impl WarehouseMap {
    /// What it can be told, in the order of its fields.
    pub const PARAMETERS: [Parameter; 6] = [
        Parameter::new("columns", 10, 1, 1024, "blocks of shelves side by side"),
        Parameter::new("rows", 20, 1, 1024, "blocks of shelves one above the other"),
        Parameter::new("shelf_width", 10, 1, 256, "columns of cells that a block covers"),
        Parameter::new("shelf_height", 2, 1, 256, "rows of cells that a block covers"),
        Parameter::new("corridor", 1, 1, 256, "width of the corridors in cells"),
        Parameter::new("margin", 25, 1, 1024, "open columns at the left and at the right"),
    ];

    /// The map. There is nothing to draw lots about, so every seed gives the same one.
    pub fn generate(&self, _seed: u64) -> Result<Grid, GenerateError> {
        let [columns, rows, shelf_width, shelf_height, corridor, margin] = Self::PARAMETERS;
        let (columns, rows) = (columns.check(self.columns)?, rows.check(self.rows)?);
        let shelf = (shelf_width.check(self.shelf_width)?, shelf_height.check(self.shelf_height)?);
        let (corridor, margin) = (corridor.check(self.corridor)?, margin.check(self.margin)?);
        let pitch = (shelf.0 + corridor, shelf.1 + corridor);
        let width = 2 + 2 * margin + columns * pitch.0 - corridor;
        let height = 2 + corridor + rows * pitch.1;
        let mut canvas = Canvas::new(width, height, Canvas::OPEN)?;
        for row in 0..rows {
            for column in 0..columns {
                let corner = (1 + margin + column * pitch.0, 1 + corridor + row * pitch.1);
                canvas.fill(corner, shelf, Canvas::WALL);
            }
        }
        canvas.frame();
        canvas.into_grid()
    }
}

impl Default for WarehouseMap {
    fn default() -> Self {
        let [columns, rows, shelf_width, shelf_height, corridor, margin] = Self::PARAMETERS;
        Self {
            columns: columns.default,
            rows: rows.default,
            shelf_width: shelf_width.default,
            shelf_height: shelf_height.default,
            corridor: corridor.default,
            margin: margin.default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_have_the_size_of_the_benchmark() {
        let size = |map: WarehouseMap| {
            let grid = map.generate(0).unwrap();
            (grid.width(), grid.height(), grid.open_cells())
        };
        assert_eq!(size(WarehouseMap::default()), (161, 63, 159 * 61 - 200 * 20));
        let wide = WarehouseMap { columns: 20, rows: 40, corridor: 2, margin: 50, ..WarehouseMap::default() };
        assert_eq!(size(wide), (340, 164, 338 * 162 - 800 * 20));
    }

    #[test]
    fn it_looks_like_a_warehouse() {
        let map =
            WarehouseMap { columns: 2, rows: 1, shelf_width: 3, shelf_height: 1, corridor: 1, margin: 2 };
        let grid = map.generate(0).unwrap();
        let rows: Vec<_> = (0..grid.height()).map(|y| String::from_utf8_lossy(grid.row(y))).collect();
        assert_eq!(
            rows,
            ["@@@@@@@@@@@@@", "@...........@", "@..@@@.@@@..@", "@...........@", "@@@@@@@@@@@@@"]
        );
    }
}
