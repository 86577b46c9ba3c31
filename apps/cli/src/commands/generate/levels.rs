//! `throng gen levels`: a picture of a map and its coarser levels.

use crate::answer::Answer;
use crate::apart::keep_apart;
use crate::error::CliError;
use crate::input;
use crate::options::Moves;
use crate::output::Output;
use std::fmt::Write as _;
use std::path::PathBuf;
use throng::core::{Grid, Rules, Timing};
use throng::search::abstraction::{Abstraction, Floor, Ruler, Spot};
use throng::search::{Graph as _, GridGraph};

const EXAMPLES: &str = "\
Examples:
  throng gen map s2 -o s2.map && throng gen levels --map s2.map -o s2.svg

Up to four nodes that are all beside each other become one node of the next level. Cells of one node have one colour;
dots are where nodes lie, lines lead to those beside them.";

/// Draw the coarser levels of a map, as planners with abstraction see it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M")]
    map: PathBuf,
    /// Moves to the four or all eight cells around
    #[arg(long, value_enum, default_value = "8")]
    connectivity: Moves,
    /// The file to write (SVG)
    #[arg(short, long, value_name = "SVG")]
    output: PathBuf,
}

/// Pixels of the gap between levels and of the line of text above each.
const GAP: usize = 24;
const TEXT: usize = 20;

/// Pixels of a panel, about; a cell has between one and eight of them.
const PANEL: usize = 1024;

/// Levels of more nodes are left out: nobody sees anything there, and files get too large to open.
const MOST: usize = 1 << 14;

pub(super) fn generate(args: &Args) -> Result<Answer, CliError> {
    keep_apart(&[("--map", Some(args.map.as_path()))], &[("--output", Some(&args.output))])?;
    let output = Output::of_kind(&args.output, &["svg"], ".svg")?;
    let grid = input::map_file(&args.map)?;
    let rules = Rules { timing: Timing::Metric, ..args.connectivity.rules() };
    let levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::of(rules));
    output.write(svg(&grid, &levels).as_bytes())?;
    let counts: Vec<String> = (1..=levels.height()).map(|level| levels.nodes(level).to_string()).collect();
    let (path, open) = (output.path().display(), grid.open_cells());
    let left_out = (1..=levels.height()).filter(|&level| levels.nodes(level) > MOST).count();
    let note = match left_out {
        0 => String::new(),
        _ => {
            format!("left out of the picture: the first {left_out}, which have more than {MOST} nodes each\n")
        }
    };
    Ok(Answer::done(format!("{path}: {open} cells, nodes by level: {}\n{note}", counts.join(", "))))
}

/// All levels beside each other, in rows of four.
fn svg(grid: &Grid, levels: &Abstraction) -> String {
    let cell = (PANEL / grid.width().max(grid.height())).clamp(1, 8);
    let (wide, high) = (grid.width() * cell, grid.height() * cell + TEXT);
    let shown = (1..=levels.height()).filter(|&level| levels.nodes(level) <= MOST);
    let panels: Vec<usize> = std::iter::once(0).chain(shown).collect();
    let (across, down) = (panels.len().min(4), panels.len().div_ceil(4));
    let (width, height) = (across * (wide + GAP) + GAP, down * (high + GAP) + GAP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (panel, level) in panels.into_iter().enumerate() {
        let (x, y) = (GAP + panel % 4 * (wide + GAP), GAP + panel / 4 * (high + GAP));
        let nodes = if level == 0 { grid.open_cells() } else { levels.nodes(level) };
        let _ =
            writeln!(out, "<g transform=\"translate({x} {y})\"><text y=\"14\">level {level}: {nodes}</text>");
        let _ = writeln!(out, "<g transform=\"translate(0 {TEXT})\">");
        let _ = writeln!(out, "<rect width=\"{wide}\" height=\"{}\" fill=\"#333\"/>", high - TEXT);
        cells(&mut out, grid, levels, level, cell);
        if level > 0 {
            lines(&mut out, levels, level, cell);
        }
        out += "</g></g>\n";
    }
    out + "</svg>\n"
}

/// The cells of a level, coloured by node: one rectangle for neighbours in a row that belong together, and for rows that
/// are alike.
fn cells(out: &mut String, grid: &Grid, levels: &Abstraction, level: usize, cell: usize) {
    let (mut y, mut runs) = (0, self::runs(grid, levels, level, 0));
    for next in 1..=grid.height() {
        let new = if next < grid.height() { self::runs(grid, levels, level, next) } else { Vec::new() };
        if next < grid.height() && new == runs {
            continue;
        }
        for (x, len, name) in core::mem::replace(&mut runs, new) {
            let (x, width, height) = (x * cell, len * cell, (next - y) * cell);
            // Spread by the golden angle, so that neighbours rarely look alike.
            let hue = u64::from(name).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let fill = if level == 0 { "#eee".to_owned() } else { format!("hsl({} 55% 75%)", hue % 360) };
            let top = y * cell;
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
            );
        }
        y = next;
    }
}

/// Open cells of one row that belong together: where they begin, how many they are, and what they are called.
fn runs(grid: &Grid, levels: &Abstraction, level: usize, y: usize) -> Vec<(usize, usize, u32)> {
    let mut runs: Vec<(usize, usize, u32)> = Vec::new();
    for x in 0..grid.width() {
        let cell = throng::core::Cell::new(x as i32, y as i32);
        let Some(id) = grid.id(cell).filter(|&id| grid.is_open_id(id)) else { continue };
        let colour = match levels.ancestor(id.0, level) {
            (0, place) if level > 0 => 0x9e37 ^ place,
            (0, _) => 0,
            (at, node) => levels.name(at, node),
        };
        match runs.last_mut() {
            Some((begin, len, last)) if *begin + *len == x && *last == colour => *len += 1,
            _ => runs.push((x, 1, colour)),
        }
    }
    runs
}

/// Where nodes lie and who is beside whom.
fn lines(out: &mut String, levels: &Abstraction, level: usize, cell: usize) {
    let graph = Floor::new(levels, level);
    let at = |spot: Spot| [spot[0], spot[1]].map(|c| (f64::from(c) / 16.0 + 0.5) * cell as f64);
    let mut ways = String::new();
    let mut dots = String::new();
    for node in levels.all(level) {
        let [x, y] = at(levels.spot(level, node));
        graph.edges(node, |edge| {
            if edge.to > node {
                let [to_x, to_y] = at(levels.spot(level, edge.to));
                let _ = write!(ways, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}");
            }
        });
        let _ = writeln!(dots, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>");
    }
    let _ =
        writeln!(out, "<path d=\"{ways}\" stroke=\"#000\" stroke-opacity=\"0.35\" fill=\"none\"/>\n{dots}");
}
