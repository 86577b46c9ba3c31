//! Animated pictures.

use super::frames::Frames;
use super::palette::{Palette, Rgb};
use super::replay::Replay;
use super::{GifOptions, Labels, PictureError, stage_for};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::io;
use throng_core::{Scenario, Trace};
use tiny_skia::Pixmap;

/// Hundredths of a second for which the last frame stays.
const LAST_FRAME: u32 = 200;

/// Writes `trace` as a GIF that repeats for ever.
pub fn write_gif<W: io::Write>(
    out: W,
    scenario: &Scenario,
    trace: &Trace,
    options: &GifOptions,
) -> Result<(), PictureError> {
    let mut replay = Replay::new(scenario, trace, &options.placed)?.knowing(&options.explored);
    let frames = Frames::new(scenario, trace.ticks(), options);
    let labels = Labels::new(&options.title, scenario, trace, frames.stride());
    let mut stage = stage_for(scenario, &labels, options)?;
    let mut film = None;
    let mut out = Some(out);
    for moment in frames.moments() {
        replay.advance_to(moment.tick)?;
        let canvas = stage.draw(&replay, moment.part, &labels.title, &labels.status(&replay));
        if film.is_none() {
            film = out.take().map(|out| Film::new(out, canvas)).transpose()?;
        }
        if let Some(film) = &mut film {
            film.show(canvas, moment.delay)?;
        }
    }
    film.map_or(Ok(()), Film::finish)
}

/// Writes frames of which only what changes is stored.
pub(super) struct Film<W: io::Write> {
    encoder: Encoder<W>,
    palette: Palette,
    width: usize,
    /// The picture so far; empty before the first frame.
    shown: Vec<u8>,
    next: Vec<u8>,
    /// Drawn and not written yet: a moment without change only makes it stay longer.
    pending: Option<Frame<'static>>,
}

impl<W: io::Write> Film<W> {
    pub(super) fn new(out: W, canvas: &Pixmap) -> Result<Self, PictureError> {
        let palette = Palette::new();
        let side = |pixels: u32| {
            let (width, height) = (canvas.width(), canvas.height());
            u16::try_from(pixels).map_err(|_| PictureError::TooLarge { width, height })
        };
        let mut encoder = Encoder::new(out, side(canvas.width())?, side(canvas.height())?, &palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let width = canvas.width() as usize;
        Ok(Self { encoder, palette, width, shown: Vec::new(), next: Vec::new(), pending: None })
    }

    /// Shows `canvas` for `delay` hundredths of a second.
    pub(super) fn show(&mut self, canvas: &Pixmap, delay: u32) -> Result<(), PictureError> {
        self.next.clear();
        let palette = &mut self.palette;
        let index = |p: &tiny_skia::PremultipliedColorU8| palette.index(Rgb(p.red(), p.green(), p.blue()));
        self.next.extend(canvas.pixels().iter().map(index));
        let changed = Area::changed(&self.shown, &self.next, self.width);
        match (changed, &mut self.pending) {
            (None, Some(pending)) => pending.delay = pending.delay.saturating_add(hundredths(delay)),
            (None, None) => {}
            (Some(area), _) => {
                self.write_pending()?;
                self.pending = Some(self.frame(area, delay));
                std::mem::swap(&mut self.shown, &mut self.next);
            }
        }
        Ok(())
    }

    /// The part `area` of what is next, with unchanged pixels left transparent.
    fn frame(&self, area: Area, delay: u32) -> Frame<'static> {
        let mut buffer = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            let row = y * self.width + area.left..y * self.width + area.left + area.width;
            let before = self.shown.get(row.clone());
            let now = &self.next[row];
            match before {
                None => buffer.extend_from_slice(now),
                Some(before) => {
                    let pixel = |(&a, &b): (&u8, &u8)| if a == b { Palette::TRANSPARENT } else { b };
                    buffer.extend(before.iter().zip(now).map(pixel));
                }
            }
        }
        Frame {
            delay: hundredths(delay),
            dispose: DisposalMethod::Keep,
            transparent: Some(Palette::TRANSPARENT),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }

    fn write_pending(&mut self) -> Result<(), PictureError> {
        if let Some(frame) = self.pending.take() {
            self.encoder.write_frame(&frame)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), PictureError> {
        if let Some(last) = &mut self.pending {
            last.delay = last.delay.max(hundredths(LAST_FRAME));
        }
        self.write_pending()?;
        // Writes the trailer, so that a full disk is an error and not a torn file.
        self.encoder.into_inner()?.flush()?;
        Ok(())
    }
}

fn hundredths(delay: u32) -> u16 {
    u16::try_from(delay).unwrap_or(u16::MAX)
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// The smallest that holds every pixel that differs; all of it if there is nothing before.
    fn changed(before: &[u8], now: &[u8], width: usize) -> Option<Self> {
        if before.len() != now.len() {
            return Some(Self { left: 0, top: 0, width, height: now.len() / width });
        }
        let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
        for (y, (a, b)) in
            before.chunks(width).zip(now.chunks(width)).enumerate().filter(|(_, (a, b))| a != b)
        {
            let differs = |(x, y): (&u8, &u8)| x != y;
            left = left.min(a.iter().zip(b).position(differs).unwrap_or(width));
            right = right.max(a.iter().zip(b).rposition(differs).unwrap_or(0));
            (top, bottom) = (top.min(y), y);
        }
        (top <= bottom).then(|| Self { left, top, width: right - left + 1, height: bottom - top + 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_area_is_found() {
        let before = [0; 12];
        let mut now = before;
        assert_eq!(Area::changed(&before, &now, 4), None);
        (now[5], now[10]) = (1, 1);
        let area = Area { left: 1, top: 1, width: 2, height: 2 };
        assert_eq!(Area::changed(&before, &now, 4), Some(area));
        let all = Area { left: 0, top: 0, width: 4, height: 3 };
        assert_eq!(Area::changed(&[], &now, 4), Some(all));
    }
}
