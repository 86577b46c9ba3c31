//! A map with a number in every cell.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels of a cell; enough for three digits.
const CELL: i32 = 24;
const TITLE: i32 = 36;

/// A map with a number in every cell, the darker the larger.
#[derive(Clone, Debug)]
pub struct Heat {
    /// What the file is called, without the ending.
    pub file: String,
    /// Above the picture.
    pub title: String,
    /// Cells in a row.
    pub width: usize,
    /// Row by row; `None` is a wall. Nothing is written where it is zero.
    pub cells: Vec<Option<f64>>,
    /// Cells with a letter instead of their number.
    pub marks: Vec<(usize, char)>,
}

impl Heat {
    pub(super) fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|why| why.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let width = self.width.max(1);
        let height = self.cells.len().div_ceil(width);
        // A title needs room even above a small map.
        let size = ((width as i32 * CELL).max(480) as u32, (TITLE + height as i32 * CELL) as u32);
        let most = self.cells.iter().flatten().copied().fold(0.0, f64::max).max(1.0);
        let root = SVGBackend::with_string(svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let centre = Pos::new(HPos::Center, VPos::Center);
        let title = ("sans-serif", 16).into_text_style(&root).pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(self.title.as_str(), (6, TITLE / 2), title))?;
        for (place, cell) in self.cells.iter().enumerate() {
            let (x, y) = ((place % width) as i32 * CELL, TITLE + (place / width) as i32 * CELL);
            let share = cell.map(|value| (value / most).clamp(0.0, 1.0).sqrt());
            let colour = share.map_or(RGBColor(60, 60, 60), tint);
            root.draw(&Rectangle::new([(x, y), (x + CELL - 1, y + CELL - 1)], colour.filled()))?;
            let mark = self.marks.iter().find(|mark| mark.0 == place).map(|mark| mark.1.to_string());
            let number = cell.filter(|&value| value > 0.0).map(|value| format!("{value:.0}"));
            if let Some(text) = mark.or(number) {
                let ink = if share.is_some_and(|share| share > 0.6) { WHITE } else { BLACK };
                let style = ("sans-serif", 11).into_text_style(&root).color(&ink).pos(centre);
                root.draw(&Text::new(text, (x + CELL / 2, y + CELL / 2), style))?;
            }
        }
        root.present()?;
        Ok(())
    }
}

/// From white over orange to a dark red.
fn tint(share: f64) -> RGBColor {
    let between =
        |from: u8, to: u8, at: f64| (f64::from(from) + (f64::from(to) - f64::from(from)) * at) as u8;
    let mix = |a: RGBColor, b: RGBColor, at: f64| {
        RGBColor(between(a.0, b.0, at), between(a.1, b.1, at), between(a.2, b.2, at))
    };
    let (pale, middle, dark) = (RGBColor(246, 246, 246), RGBColor(244, 165, 96), RGBColor(128, 0, 38));
    if share < 0.5 { mix(pale, middle, share * 2.0) } else { mix(middle, dark, share * 2.0 - 1.0) }
}
