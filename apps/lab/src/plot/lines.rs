//! Curves.

use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 520);
/// Where the legend begins: beside the curves, so that it hides none of them.
const LEGEND: i32 = 770;

/// Told apart also by those who see few colours, and in this order.
const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 60, 20),
    RGBColor(150, 60, 200),
];

/// Curves over one axis.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What the file is called, without the ending.
    pub file: String,
    /// Above the picture.
    pub title: String,
    /// Below the axis.
    pub x: String,
    /// Whether the axis counts in powers of ten; then every x is above 0.
    pub log: bool,
    /// Beside the axis, which begins at zero.
    pub y: String,
    /// The curves.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// By x.
    pub points: Vec<(f64, f64)>,
}

impl Lines {
    pub(super) fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|why| why.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let along = |x: f64| if self.log { x.log10() } else { x };
        let placed = |&(x, y): &(f64, f64)| (along(x), y);
        let points = || self.series.iter().flat_map(|series| &series.points).map(placed);
        let least = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let most = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = if least < most { (least, most) } else { (0.0, 1.0) };
        let top = points().map(|point| point.1).fold(0.0, f64::max);
        let top = if top > 0.0 { top * 1.05 } else { 1.0 };

        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(LEGEND);
        let mut chart = ChartBuilder::on(&left)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(least..most, 0.0..top)?;
        chart
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_label_formatter(&|&value| {
                if self.log { format!("{:.0}", 10f64.powf(value)) } else { value.to_string() }
            })
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .label_style(("sans-serif", 14))
            .draw()?;
        for (place, series) in self.series.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            chart.draw_series(LineSeries::new(series.points.iter().map(placed), colour.stroke_width(2)))?;
            chart.draw_series(
                series.points.iter().map(placed).map(|point| Circle::new(point, 3, colour.filled())),
            )?;
            let y = 60 + 22 * place as i32;
            right.draw(&PathElement::new([(0, y + 7), (18, y + 7)], colour.stroke_width(3)))?;
            right.draw(&Text::new(series.name.as_str(), (26, y), ("sans-serif", 14)))?;
        }
        root.present()?;
        Ok(())
    }
}
