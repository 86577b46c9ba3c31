//! `throng gen convert`: a map of one kind as one of another.

use super::files::MapOutput;
use crate::answer::Answer;
use crate::error::CliError;
use crate::input;
use std::path::PathBuf;
use throng::formats::maps;

const EXAMPLES: &str = "\
Examples:
  throng gen convert --map hall.tmx -o hall.map
  throng gen convert --map hall.map -o hall.tmx            (and hall.tiles.png, to draw with)
  throng gen convert --map office.yaml --cell 0.6 -o office.png

Kinds by the end of the name: .map (MovingAI), .png (a pixel for each cell), .yaml with a .pgm (ROS), .tmx (Tiled).
Terrain only: units of a map become a scenario by `throng gen scenario`.";

/// Write a map as another kind of map
#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map (MovingAI .map, PNG, ROS .yaml, Tiled .tmx)
    #[arg(long, value_name = "M")]
    map: PathBuf,
    /// Of a ROS map: metres along the side of a cell; a cell is as blocked as the most blocked pixel in it [default: a cell for each pixel]
    #[arg(long, value_name = "METRES", value_parser = metres, conflicts_with = "pixels")]
    cell: Option<f64>,
    /// The same in pixels or cells of any map [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pixels: Option<u32>,
    /// The file to write
    #[arg(short, long, value_name = "M")]
    output: PathBuf,
}

fn metres(text: &str) -> Result<f64, String> {
    let metres = text.parse().ok().filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
    metres.ok_or_else(|| "expected metres above 0, as 0.5".to_owned())
}

pub(super) fn generate(args: &Args) -> Result<Answer, CliError> {
    let output = MapOutput::new(&args.output)?;
    let by = by(args)?;
    let grid = input::map_file(&args.map)?;
    let of_map =
        |why| CliError::Format { path: args.map.clone(), text: None, hint: None, why: Box::new(why) };
    let grid = if by > 1 { maps::coarser(&grid, by).map_err(of_map)? } else { grid };
    output.spare(&[("--map", Some(args.map.as_path()))], &grid)?;
    output.write(&grid)?;
    let (width, height, open) = (grid.width(), grid.height(), grid.open_cells());
    Ok(Answer::done(format!("{}: {width}×{height}, {open} cells open\n", output.path().display())))
}

/// How many of its cells become one along each side. A length that is no multiple is rounded up: robots fit rather than not.
fn by(args: &Args) -> Result<usize, CliError> {
    let Some(metres) = args.cell else { return Ok(args.pixels.unwrap_or(1) as usize) };
    let resolution = input::resolution(&args.map)?;
    let resolution = resolution.ok_or_else(|| CliError::NoResolution { path: args.map.clone() })?;
    // A thousandth of a pixel is not worth another one.
    let by = (metres / resolution - 0.001).ceil().max(1.0);
    Ok(by.min(f64::from(u32::MAX)) as usize)
}
