//! Where units are and have been.

use super::{Wanted, cells, scalar};
use crate::Refusal;
use crate::protocol::frames::{Layer, LayerKind};
use crate::room::Show;
use crate::room::stage::eighth;

/// How far neighbours are looked for.
const NEAR: usize = 3;

pub(super) fn visits(show: &mut Show, _wanted: &Wanted) -> Result<Layer, Refusal> {
    let past = show.past();
    let counts = &past.visits.counts;
    Ok(scalar(past.stage.scenario().grid(), |id| match counts[id.index()] {
        0 => None,
        count => Some(count as f32),
    }))
}

pub(super) fn congestion(show: &mut Show, _wanted: &Wanted) -> Result<Layer, Refusal> {
    let (scenario, state) = (show.scenario(), show.state());
    let grid = scenario.grid();
    let (width, height) = (grid.width(), grid.height());
    // Sums of all units above and to the left, so that any rectangle takes four of them.
    let mut sums = vec![0u32; (width + 1) * (height + 1)];
    for unit in state.units.iter().filter(|unit| !unit.gone) {
        let at = grid.cell(unit.at);
        sums[(at.y as usize + 1) * (width + 1) + at.x as usize + 1] += 1;
    }
    for y in 1..=height {
        let mut row = 0;
        for x in 1..=width {
            row += sums[y * (width + 1) + x];
            sums[y * (width + 1) + x] = row + sums[(y - 1) * (width + 1) + x];
        }
    }
    Ok(scalar(grid, |id| {
        let at = grid.cell(id);
        let (x, y) = (at.x as usize, at.y as usize);
        let (left, right) = (x.saturating_sub(NEAR), (x + NEAR + 1).min(width));
        let (top, bottom) = (y.saturating_sub(NEAR), (y + NEAR + 1).min(height));
        let sum = |x: usize, y: usize| sums[y * (width + 1) + x];
        let count = (sum(right, bottom) + sum(left, top)) - (sum(left, bottom) + sum(right, top));
        (count > 0 && grid.is_open_id(id)).then_some(count as f32)
    }))
}

pub(super) fn directions(show: &mut Show, _wanted: &Wanted) -> Result<Layer, Refusal> {
    let learned = show.session().ok().and_then(throng::Session::directions);
    let past = show.past();
    let grid = past.stage.scenario().grid();
    let learned = learned.unwrap_or_else(|| past.flow.map().learned(grid));
    let arrow = |id| learned.at(grid.cell(id)).dir().map_or(0, |dir| 1 + eighth(dir));
    Ok(Layer::plain(LayerKind::Arrows, grid.width(), grid.height(), cells(grid).map(arrow).collect()))
}
