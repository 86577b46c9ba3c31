//! A level as a graph to search in.

use super::{Abstraction, Spot};
use crate::{Edge, Graph};
use throng_core::Action;

/// One level above the ground. Nobody moves on it: its edges are no actions, and nothing is reserved on it.
#[derive(Clone, Copy, Debug)]
pub struct LevelGraph<'a> {
    abstraction: &'a Abstraction,
    level: usize,
    steps: bool,
}

impl<'a> LevelGraph<'a> {
    /// A level above the ground. Edges cost what their straight line counts.
    #[must_use]
    pub const fn new(abstraction: &'a Abstraction, level: usize) -> Self {
        Self { abstraction, level, steps: false }
    }

    /// The same level with edges that cost 1 each: no way on the ground has fewer steps.
    #[must_use]
    pub const fn steps(abstraction: &'a Abstraction, level: usize) -> Self {
        Self { abstraction, level, steps: true }
    }
}

impl Graph for LevelGraph<'_> {
    fn len(&self) -> usize {
        self.abstraction.len(self.level)
    }

    #[inline]
    fn edges(&self, node: u32, mut visit: impl FnMut(Edge)) {
        for &(to, cost) in self.abstraction.layers[self.level - 1].nodes.edges.of(node) {
            let duration = if self.steps { 1 } else { cost };
            visit(Edge { to, duration, action: Action::Wait });
        }
    }

    type Aim = Spot;

    #[inline]
    fn aim(&self, node: u32) -> Spot {
        self.abstraction.spot(self.level, node)
    }

    #[inline]
    fn estimate(&self, node: u32, aim: Spot) -> u32 {
        if self.steps { 0 } else { self.abstraction.ruler.estimate(self.aim(node), aim) }
    }

    fn longest(&self) -> u32 {
        if self.steps { 1 } else { self.abstraction.layers[self.level - 1].nodes.edges.longest.max(1) }
    }

    fn crossing(&self, _from: u32, _to: u32) -> Option<(u32, u32)> {
        None
    }

    fn covered(&self, from: u32, to: u32, mut visit: impl FnMut(u32)) {
        visit(from);
        if from != to {
            visit(to);
        }
    }

    type Measure = Self;

    fn measure(&self) -> &Self {
        self
    }
}
