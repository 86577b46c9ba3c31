//! The way down over several layers.

use super::heat::beside;
use super::{Heat, Hills};
use throng_core::{CellId, Connectivity, Grid};

/// How much each layer counts. Any number will do, also those below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A step farther from the next target.
    pub heat: i64,
    /// A unit of height of what draws.
    pub potential: i64,
    /// A unit of height of what repels.
    pub repulsion: i64,
}

/// The layers, and the way down over heat · h + repulsion · r − potential · p.
#[derive(Clone, Copy)]
pub struct Slope<'a, P> {
    /// Steps to targets.
    pub heat: &'a Heat,
    /// How strongly a cell draws.
    pub potential: P,
    /// What keeps units apart.
    pub repulsion: &'a Hills,
    /// How much each counts.
    pub weights: Weights,
}

impl<P: Fn(CellId) -> i32> Slope<'_, P> {
    /// How high a cell lies; `None` if no target can be reached from it.
    #[must_use]
    pub fn height(&self, id: CellId) -> Option<i64> {
        let steps = i64::from(self.heat.steps(id)?);
        let Weights { heat, potential, repulsion } = self.weights;
        let draw = potential.saturating_mul(i64::from((self.potential)(id)));
        let push = repulsion.saturating_mul(i64::from(self.repulsion.height(id)));
        Some(heat.saturating_mul(steps).saturating_add(push).saturating_sub(draw))
    }

    /// The lowest of the neighbours of a cell that `allowed` lets through, whether lower than the cell itself or not;
    /// of several the first, in the order of directions.
    #[must_use]
    pub fn down(
        &self,
        grid: &Grid,
        id: CellId,
        connectivity: Connectivity,
        allowed: impl Fn(CellId) -> bool,
    ) -> Option<(CellId, i64)> {
        let moves = if connectivity == Connectivity::Four { 0x0f } else { 0xff };
        let choices = beside(grid, id, moves).filter(|&next| allowed(next));
        choices.filter_map(|next| Some((next, self.height(next)?))).min_by_key(|&(_, height)| height)
    }
}
