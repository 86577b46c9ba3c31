//! Maps drawn in the source.

use throng_core::{Cell, Grid};

/// A map drawn as rows of letters. Besides terrain letters it may hold marks, which are lower-case letters
/// and digits: they stand on open ground and say what the cell is for.
pub(super) struct Drawing {
    pub(super) grid: Grid,
    marks: Vec<(char, Cell)>,
}

impl Drawing {
    /// Reads a drawing of ours. Panics if it is no rectangle of terrain letters and marks, which the
    /// tests of every built-in scenario would notice.
    pub(super) fn new(rows: &[&str]) -> Self {
        let is_mark = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let mut marks = Vec::new();
        for (y, row) in rows.iter().enumerate() {
            for (x, letter) in row.chars().enumerate().filter(|&(_, letter)| is_mark(letter)) {
                marks.push((letter, Cell::new(x as i32, y as i32)));
            }
        }
        let ground: Vec<String> = rows.iter().map(|row| row.replace(is_mark, ".")).collect();
        let ground: Vec<&str> = ground.iter().map(String::as_str).collect();
        Self { grid: Grid::from_rows(&ground).expect("our drawing is a rectangle of known letters"), marks }
    }

    /// The cells marked `letter`, row by row.
    pub(super) fn marked(&self, letter: char) -> Vec<Cell> {
        self.marks.iter().filter(|(mark, _)| *mark == letter).map(|&(_, cell)| cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_on_open_ground() {
        let drawing = Drawing::new(&["a@b", "@7a"]);
        assert_eq!(drawing.grid, Grid::from_rows(&[".@.", "@.."]).unwrap());
        assert_eq!(drawing.marked('a'), [Cell::new(0, 0), Cell::new(2, 1)]);
        assert_eq!(drawing.marked('7'), [Cell::new(1, 1)]);
        assert_eq!(drawing.marked('x'), []);
    }
}
