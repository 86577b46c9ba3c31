//! Boxes: how samples spread.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (960, 520);
/// Half the width of a box, where boxes are one apart.
const HALF: f64 = 0.3;
const COLOUR: RGBColor = RGBColor(0, 114, 178);

/// A box for each of several samples: the middle half of it, a line at its median, whiskers to its least and its largest.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// What the file is called, without the ending.
    pub file: String,
    /// Above the picture.
    pub title: String,
    /// Beside the axis, which begins at zero.
    pub y: String,
    /// What each box is called, and what it is of. An empty sample has a name and no box.
    pub samples: Vec<(String, Vec<f64>)>,
}

/// Least, lower quartile, median, upper quartile and largest; between two of a sample, in proportion.
pub(super) fn five(sample: &[f64]) -> Option<[f64; 5]> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |quarter: usize| {
        let (below, rest) = (quarter * last / 4, (quarter * last % 4) as f64 / 4.0);
        sorted[below] + rest * (sorted[(below + 1).min(last)] - sorted[below])
    };
    Some([at(0), at(1), at(2), at(3), at(4)])
}

impl Boxes {
    pub(super) fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|why| why.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let top = self.samples.iter().flat_map(|sample| &sample.1).copied().fold(0.0, f64::max);
        let top = if top > 0.0 { top * 1.05 } else { 1.0 };
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(-0.5..self.samples.len().max(1) as f64 - 0.5, 0.0..top)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(&self.y)
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .label_style(("sans-serif", 14))
            .draw()?;
        let below = ("sans-serif", 14).into_text_style(&root).pos(Pos::new(HPos::Center, VPos::Top));
        for (place, (name, sample)) in self.samples.iter().enumerate() {
            let x = place as f64;
            let (column, row) = chart.backend_coord(&(x, 0.0));
            root.draw(&Text::new(name.as_str(), (column, row + 8), below.clone()))?;
            let Some([least, lower, median, upper, largest]) = five(sample) else { continue };
            let line = |from: (f64, f64), to: (f64, f64), width: u32| {
                PathElement::new([from, to], COLOUR.stroke_width(width))
            };
            let corners = [(x - HALF, lower), (x + HALF, upper)];
            chart.draw_series([Rectangle::new(corners, COLOUR.mix(0.25).filled())])?;
            chart.draw_series([Rectangle::new(corners, COLOUR.stroke_width(1))])?;
            chart.draw_series([
                line((x, least), (x, lower), 1),
                line((x, upper), (x, largest), 1),
                line((x - HALF / 2.0, least), (x + HALF / 2.0, least), 1),
                line((x - HALF / 2.0, largest), (x + HALF / 2.0, largest), 1),
                line((x - HALF, median), (x + HALF, median), 3),
            ])?;
        }
        root.present()?;
        Ok(())
    }
}
