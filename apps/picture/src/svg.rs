//! Still pictures that stay sharp however large they are shown.

use super::palette::{Rgb, unit_colour};
use super::replay::Replay;
use super::stage::group;
use super::terrain::colour_of;
use super::{GifOptions, Labels, PictureError};
use std::fmt::Write as _;
use std::io;
use throng_core::{Scenario, Tick, Trace};

/// Pixels of the line of text below.
const TEXT: f32 = 20.0;

/// Writes what `trace` shows at the beginning of `tick` as an SVG; past its end, how it ended.
pub fn write_svg<W: io::Write>(
    mut out: W,
    scenario: &Scenario,
    trace: &Trace,
    tick: Tick,
    options: &GifOptions,
) -> Result<(), PictureError> {
    let mut replay = Replay::new(scenario, trace, &options.placed)?.knowing(&options.explored);
    for tick in 1..=tick.min(trace.ticks()) {
        replay.advance_to(tick)?;
    }
    let labels = Labels::new(&options.title, scenario, trace, 1);
    let grid = replay.terrain().1.unwrap_or(scenario.grid());
    let (columns, rows) = (grid.width(), grid.height());
    let cell = options.width as f32 / columns.max(rows) as f32;
    let (width, height) = (columns as f32 * cell, rows as f32 * cell);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n\
         <g transform=\"scale({cell})\">\n<rect width=\"{columns}\" height=\"{rows}\" fill=\"{}\"/>\n",
        height + TEXT,
        hex(Rgb::PAPER),
        hex(Rgb::OPEN)
    );
    for y in 0..rows {
        // One rectangle for all cells side by side that look the same.
        let mut x = 0;
        for side_by_side in grid.row(y).chunk_by(|a, b| a == b) {
            let look = colour_of(side_by_side[0]);
            if look != Rgb::OPEN {
                let wide = side_by_side.len();
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"1\" fill=\"{}\"/>",
                    hex(look)
                );
            }
            x += side_by_side.len();
        }
    }
    for (id, agent) in scenario.agents().iter().enumerate() {
        let colour = unit_colour(group(scenario, agent), id);
        let (body, half) = (f32::from(agent.body), f32::from(agent.body) / 2.0);
        if let Some(goal) = replay.target(id) {
            let (x, y, ring) = (goal.x as f32 + half, goal.y as f32 + half, hex(colour.mix(Rgb::OPEN, 96)));
            let radius = half - 0.28;
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"none\" stroke=\"{ring}\" stroke-width=\"0.08\"/>"
            );
        }
        let (x, y) = replay.corner(id, 0.0);
        let stroke = if replay.movers()[id].failed { hex(Rgb::FAILED) } else { "none".to_owned() };
        let fill = hex(colour);
        let _ = match body <= 1.0 {
            true => writeln!(
                svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"0.38\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"0.12\"/>",
                x + half,
                y + half
            ),
            false => writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" stroke=\"{stroke}\" \
                 stroke-width=\"0.12\"/>",
                x + 0.12,
                y + 0.12,
                side = body - 0.24
            ),
        };
        if replay.is_home(id) {
            let white = hex(Rgb::PAPER);
            let _ = writeln!(
                svg,
                "<circle cx=\"{}\" cy=\"{}\" r=\"0.14\" fill=\"{white}\"/>",
                x + half,
                y + half
            );
        }
    }
    let caption = escaped(&format!("{}  {}", labels.title, labels.status(&replay)));
    let (below, text) = (height + 15.0, hex(Rgb::TEXT));
    let _ = write!(svg, "</g>\n<text x=\"4\" y=\"{below}\" fill=\"{text}\">{caption}</text>\n</svg>\n");
    out.write_all(svg.as_bytes())?;
    Ok(())
}

fn hex(Rgb(r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{east, moved, scenario};
    use super::*;
    use throng_core::Rules;

    #[test]
    fn walls_and_units_are_where_they_are() {
        let scenario = scenario(&["..@@", "...."], Rules::default(), 1, &[((0, 1), (3, 1))]);
        let trace = moved(&scenario, &[&[east(0)], &[east(0)]]);
        let options = GifOptions { title: "<whca>".to_owned(), width: 400, ..GifOptions::default() };
        let mut bytes = Vec::new();
        write_svg(&mut bytes, &scenario, &trace, 1, &options).unwrap();
        let svg = String::from_utf8(bytes).unwrap();
        assert!(svg.contains("<rect x=\"2\" y=\"0\" width=\"2\" height=\"1\""), "{svg}");
        assert!(svg.contains("<circle cx=\"1.5\" cy=\"1.5\" r=\"0.38\""), "{svg}");
        assert!(svg.contains("&lt;whca&gt;  tick 1/2"), "{svg}");
    }
}
