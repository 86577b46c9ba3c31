//! Frames: what is sent to be drawn, as bytes.

/// What a unit is doing, as frames tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Doing {
    OnItsWay = 0,
    Waits = 1,
    Blocked = 2,
    Arrived = 3,
    Gone = 4,
    Explores = 5,
}

/// One unit in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnitAt {
    /// Its middle, in cells.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) doing: Doing,
    pub(crate) failed: bool,
    pub(crate) team: u8,
    pub(crate) body: u8,
    /// Eighths of a turn from north; 255 for none.
    pub(crate) heading: u8,
}

/// How many parts a cell has in frames of a map with a side of so many cells: 64, or as many as 16 bits have room for.
fn parts(side: usize) -> u16 {
    let mut parts = 64;
    while side * usize::from(parts) > usize::from(u16::MAX) && parts > 1 {
        parts /= 2;
    }
    parts
}

/// Frame 1. Its third number is 0, or how many parts a cell has if that is not 64.
pub(crate) fn units(run: u8, tick: u64, side: usize, units: &[UnitAt]) -> Vec<u8> {
    let parts = parts(side);
    let mut out = Vec::with_capacity(12 + 8 * units.len());
    out.extend([1, run]);
    out.extend(if parts == 64 { 0 } else { parts }.to_le_bytes());
    out.extend((tick as u32).to_le_bytes());
    out.extend((units.len() as u32).to_le_bytes());
    for unit in units {
        let place = |at: f32| (at * f32::from(parts)).round().clamp(0.0, f32::from(u16::MAX)) as u16;
        out.extend(place(unit.x).to_le_bytes());
        out.extend(place(unit.y).to_le_bytes());
        out.extend([unit.doing as u8 | u8::from(unit.failed) << 3, unit.team, unit.body, unit.heading]);
    }
    out
}

/// Frame 2.
pub(crate) fn terrain(run: u8, version: u32, width: usize, height: usize, letters: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(12 + letters.len());
    out.extend([2, run, 0, 0]);
    out.extend(version.to_le_bytes());
    out.extend((width as u16).to_le_bytes());
    out.extend((height as u16).to_le_bytes());
    out.extend_from_slice(letters);
    out
}

/// What a byte of a layer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub(crate) enum LayerKind {
    Scalar = 0,
    Arrows = 1,
    Mask = 2,
}

/// One value per cell, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) kind: LayerKind,
    pub(crate) low: f32,
    pub(crate) high: f32,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<u8>,
}

impl Layer {
    /// Of values, of which those that are not there are nothing.
    pub(crate) fn scalar(width: usize, height: usize, values: &[Option<f32>]) -> Self {
        let known = || values.iter().copied().flatten();
        let low = known().fold(f32::INFINITY, f32::min);
        let high = known().fold(f32::NEG_INFINITY, f32::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let byte = |value: &Option<f32>| match value {
            Some(value) if high > low => 1 + ((value - low) / (high - low) * 254.0).round() as u8,
            Some(_) => 255,
            None => 0,
        };
        Self { kind: LayerKind::Scalar, low, high, width, height, cells: values.iter().map(byte).collect() }
    }

    /// Of bytes that are what they are to be.
    pub(crate) fn plain(kind: LayerKind, width: usize, height: usize, cells: Vec<u8>) -> Self {
        Self { kind, low: 0.0, high: 1.0, width, height, cells }
    }

    /// The value of a cell, for people: nothing where there is none.
    pub(crate) fn value(&self, place: usize) -> Option<f32> {
        let byte = self.cells.get(place).copied()?;
        match (self.kind, byte) {
            (LayerKind::Mask, byte) => Some(f32::from(byte)),
            (_, 0) => None,
            (LayerKind::Arrows, byte) => Some(f32::from(byte - 1)),
            (LayerKind::Scalar, byte) => {
                Some(self.low + f32::from(byte - 1) / 254.0 * (self.high - self.low))
            }
        }
    }

    /// Frame 3.
    pub(crate) fn frame(&self, run: u8, number: u8, tick: u64) -> Vec<u8> {
        let mut out = Vec::with_capacity(20 + self.cells.len());
        out.extend([3, run, number, self.kind as u8]);
        out.extend((tick as u32).to_le_bytes());
        out.extend((self.width as u16).to_le_bytes());
        out.extend((self.height as u16).to_le_bytes());
        out.extend(self.low.to_le_bytes());
        out.extend(self.high.to_le_bytes());
        out.extend_from_slice(&self.cells);
        out
    }
}

/// Frame 4.
pub(crate) fn path(run: u8, tick: u64, unit: u32, path: &[(u16, u16, u64)]) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + 8 * path.len());
    out.extend([4, run, 0, 0]);
    out.extend((tick as u32).to_le_bytes());
    out.extend(unit.to_le_bytes());
    out.extend((path.len() as u32).to_le_bytes());
    for &(x, y, tick) in path {
        out.extend(x.to_le_bytes());
        out.extend(y.to_le_bytes());
        out.extend((tick as u32).to_le_bytes());
    }
    out
}

/// Where nobody goes, in frame 5.
const NOWHERE: u16 = u16::MAX;

/// Frame 5.
pub(crate) fn goals(run: u8, tick: u64, goals: &[Option<(u16, u16)>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(GOALS_HEAD + 4 * goals.len());
    out.extend([5, run, 0, 0]);
    out.extend((tick as u32).to_le_bytes());
    out.extend((goals.len() as u32).to_le_bytes());
    for goal in goals {
        let (x, y) = goal.unwrap_or((NOWHERE, NOWHERE));
        out.extend(x.to_le_bytes());
        out.extend(y.to_le_bytes());
    }
    out
}

/// So many bytes of frame 5 come before the goals.
pub(crate) const GOALS_HEAD: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_eight_bytes_each() {
        let unit =
            UnitAt { x: 1.5, y: 2.25, doing: Doing::Arrived, failed: true, team: 7, body: 1, heading: 2 };
        let frame = units(1, 258, 100, &[unit]);
        assert_eq!(frame, [1, 1, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 96, 0, 144, 0, 11, 7, 1, 2]);
        // Maps that are too large for 64 parts a cell say how many there are.
        let wide = units(0, 0, 16384, &[unit]);
        assert_eq!(wide[2..4], [2, 0]);
        assert_eq!(wide[12..16], [3, 0, 5, 0]);
    }

    #[test]
    fn goals_are_four_bytes_each() {
        let frame = goals(1, 258, &[Some((3, 500)), None]);
        assert_eq!(frame, [5, 1, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 3, 0, 244, 1, 255, 255, 255, 255]);
    }

    #[test]
    fn scalars_use_all_bytes() {
        let layer = Layer::scalar(3, 1, &[Some(-2.0), None, Some(6.0)]);
        assert_eq!((layer.low, layer.high, &layer.cells[..]), (-2.0, 6.0, &[1, 0, 255][..]));
        assert_eq!((layer.value(0), layer.value(1), layer.value(2)), (Some(-2.0), None, Some(6.0)));
        assert_eq!(Layer::scalar(1, 1, &[Some(3.0)]).cells, [255]);
        let frame = layer.frame(0, 4, 9);
        assert_eq!(frame.len(), 20 + 3);
        assert_eq!(frame[..12], [3, 0, 4, 0, 9, 0, 0, 0, 3, 0, 1, 0]);
    }
}
