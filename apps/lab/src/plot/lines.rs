//! Curves.

use plotters::prelude::*;

const SIZE: (u32, u32) = (840, 520);

/// Told apart also by those who see few colours, and in this order.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(120, 60, 20),
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
        let points = || self.series.iter().flat_map(|series| &series.points);
        let least = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let most = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = if least < most { (least, most) } else { (0.0, 1.0) };
        let top = points().map(|point| point.1).fold(0.0, f64::max);
        let top = if top > 0.0 { top * 1.05 } else { 1.0 };

        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(least..most, 0.0..top)?;
        chart
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .label_style(("sans-serif", 14))
            .draw()?;
        for (place, series) in self.series.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let style = colour.stroke_width(2);
            chart
                .draw_series(LineSeries::new(series.points.iter().copied(), style))?
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            let dots = series.points.iter().map(|&point| Circle::new(point, 3, colour.filled()));
            chart.draw_series(dots)?;
        }
        if !self.series.is_empty() {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.85))
                .border_style(RGBColor(200, 200, 200))
                .label_font(("sans-serif", 14))
                .draw()?;
        }
        root.present()?;
        drop(chart);
        Ok(())
    }
}
