//! Still pictures.

use super::replay::Replay;
use super::{GifOptions, Labels, PictureError, stage_for};
use png::{BitDepth, ColorType, Encoder};
use std::io;
use throng_core::{Scenario, Tick, Trace};
use tiny_skia::Pixmap;

/// Writes what `trace` shows at the beginning of `tick` as a PNG; past its end, how it ended.
pub fn write_png<W: io::Write>(
    out: W,
    scenario: &Scenario,
    trace: &Trace,
    tick: Tick,
    options: &GifOptions,
) -> Result<(), PictureError> {
    let mut replay = Replay::new(scenario, trace, &options.placed)?.knowing(&options.explored);
    // Tick by tick: a still picture marks the failures of its own tick, not of all before it.
    for tick in 1..=tick.min(trace.ticks()) {
        replay.advance_to(tick)?;
    }
    let labels = Labels::new(&options.title, scenario, trace, 1);
    let mut stage = stage_for(scenario, &labels, options)?;
    let canvas = stage.draw(&replay, 0.0, &labels.title, &labels.status(&replay));
    encode(out, canvas)
}

/// Writes a canvas whose ground is opaque.
pub(super) fn encode<W: io::Write>(out: W, canvas: &Pixmap) -> Result<(), PictureError> {
    let mut encoder = Encoder::new(out, canvas.width(), canvas.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    // Every pixel is opaque: the ground is.
    let rgb: Vec<u8> = canvas.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(())
}
