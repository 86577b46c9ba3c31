//! A map in ever coarser levels (Sturtevant and Buro): up to four nodes that are all beside each other become one of
//! the next level, nodes with a single neighbour go where that goes, and so on until every connected region is one node.
//!
//! [`Abstraction`] is built once, serves all units, and is mended where cells close or open: what comes out is what
//! building it anew would give. Which nodes join is told in `cliques.rs`.
//! A node lies in the middle of its children; an edge costs the length of the straight line between its ends
//! ([`Ruler`]), or as much as one step for who wants a lower bound ([`LevelGraph`]).
//!
//! [`Sectors`] are a simpler cut: squares of one size, and one level.

mod cliques;
mod corridor;
mod layer;
mod level;
mod occupancy;
mod places;
mod raise;
mod refine;
mod ruler;
mod sectors;
#[cfg(test)]
mod tests;

pub use corridor::{Corridor, Guide};
pub use level::{CoarseGraph, Floor, LevelGraph};
pub use occupancy::Occupancy;
pub use places::Places;
pub use refine::{Progress, Refined, Refinement, Refiner, SavedRefinement};
pub use ruler::{Ruler, Spot};
pub use sectors::{RegionGraph, Sector, Sectors};

use cliques::{Bonds, Joining, NONE};
use layer::{Above, Coded, Ground, Layer, Storey};
use raise::{Raising, Scratch};
use throng_core::{Cell, CellId, Grid};

/// A map and its coarser levels. Level 0 is the map itself, whose edges are not kept here.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    ruler: Ruler,
    /// Of places.
    parent: Vec<u32>,
    bonds: Bonds,
    /// From level 1 on.
    layers: Vec<Layer>,
    /// Kept for the next repair.
    scratch: Scratch,
}

impl Abstraction {
    /// Builds all levels.
    #[must_use]
    pub fn new(places: &impl Places, ruler: Ruler) -> Self {
        let mut built = Self { ruler, ..Self::default() };
        let mut scratch = Scratch::default();
        let ground = Ground(places);
        let mut upper =
            raise_all(&ground, places.len(), (&mut built.parent, &mut built.bonds), ruler, &mut scratch);
        while upper.count() > 0 {
            let Layer { nodes, parent, bonds, .. } = &mut upper;
            let above = Above { places, nodes };
            let next = raise_all(&above, nodes.name.len(), (parent, bonds), ruler, &mut scratch);
            built.layers.push(upper);
            upper = next;
        }
        built.scratch = scratch;
        built
    }

    /// Mends all levels. `changed` are all places that have opened or closed, or have got other places beside them.
    pub fn repair(&mut self, places: &impl Places, changed: &[u32]) {
        let mut scratch = core::mem::take(&mut self.scratch);
        let mut dirty = changed.to_vec();
        for level in 0.. {
            if dirty.is_empty() {
                break;
            }
            if self.layers.len() == level {
                self.layers.push(Layer::default());
            }
            let (below, above) = self.layers.split_at_mut(level);
            let (upper, ruler, scratch) = (&mut above[0], self.ruler, &mut scratch);
            dirty = match below.last_mut() {
                None => {
                    let ground = Ground(places);
                    let joining = Joining::new(&ground, &mut self.bonds);
                    Raising { joining, parent: &mut self.parent, upper, ruler, scratch }.again(&dirty)
                }
                Some(Layer { nodes, parent, bonds, .. }) => {
                    let above = Above { places, nodes };
                    let joining = Joining::new(&above, bonds);
                    Raising { joining, parent, upper, ruler, scratch }.again(&dirty)
                }
            };
        }
        self.scratch = scratch;
        for layer in &mut self.layers {
            layer.spare.append(&mut layer.released);
        }
        while self.layers.last().is_some_and(|layer| layer.count() == 0) {
            self.layers.pop();
        }
    }

    /// The cells of a map that [`Self::repair`] must be told of when one has closed or opened.
    #[must_use]
    pub fn around(grid: &Grid, id: CellId) -> Vec<u32> {
        let at = grid.cell(id);
        let near = (0..9).map(|k| Cell::new(at.x + k % 3 - 1, at.y + k / 3 - 1));
        near.filter_map(|cell| grid.id(cell)).map(|id| id.0).collect()
    }

    /// The highest level.
    #[must_use]
    pub fn height(&self) -> usize {
        self.layers.len()
    }

    /// How many nodes a level above the ground has.
    #[must_use]
    pub fn nodes(&self, level: usize) -> usize {
        level.checked_sub(1).and_then(|above| self.layers.get(above)).map_or(0, Layer::count)
    }

    /// How long an array indexed by the nodes of a level must be.
    #[must_use]
    pub fn len(&self, level: usize) -> usize {
        if level == 0 { self.parent.len() } else { self.layers[level - 1].nodes.name.len() }
    }

    /// Whether there is no level above the ground: nobody can go anywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let ground = self.parent.len() * size_of::<u32>() + self.bonds.bytes() + self.scratch.bytes();
        ground + self.layers.iter().map(Layer::bytes).sum::<usize>()
    }

    /// The node of the next level that a node belongs to; `None` if it is the only one of its region.
    #[must_use]
    #[inline]
    pub fn parent(&self, level: usize, node: u32) -> Option<u32> {
        Some(self.parents(level)[node as usize]).filter(|&parent| parent != NONE)
    }

    /// By node of a level: its parent, or [`NONE`]. For loops that ask for many.
    #[inline]
    fn parents(&self, level: usize) -> &[u32] {
        if level == 0 { &self.parent } else { &self.layers[level - 1].parent }
    }

    /// The node of `level` that a place belongs to, or the only one of its region if that is lower, with its level.
    #[must_use]
    pub fn ancestor(&self, place: u32, level: usize) -> (usize, u32) {
        let (mut at, mut node) = (0, place);
        while at < level
            && let Some(parent) = self.parent(at, node)
        {
            (at, node) = (at + 1, parent);
        }
        (at, node)
    }

    /// The lowest level on which two places belong to one node; `None` if there is no way between them.
    #[must_use]
    pub fn common(&self, a: u32, b: u32) -> Option<usize> {
        let (mut level, mut a, mut b) = (0, a, b);
        while a != b {
            (a, b) = (self.parent(level, a)?, self.parent(level, b)?);
            level += 1;
        }
        Some(level)
    }

    /// How many places a node of a level above the ground stands for.
    #[must_use]
    pub fn weight(&self, level: usize, node: u32) -> u32 {
        self.layers[level - 1].nodes.weight[node as usize]
    }

    /// Where a node of a level above the ground lies.
    #[must_use]
    #[inline]
    pub fn spot(&self, level: usize, node: u32) -> Spot {
        self.layers[level - 1].nodes.spot[node as usize]
    }

    /// The nodes of a level above the ground, in no order that means anything.
    pub fn all(&self, level: usize) -> impl Iterator<Item = u32> + '_ {
        let nodes = &self.layers[level - 1].nodes;
        (0..nodes.name.len() as u32).filter(|&node| nodes.lives(node))
    }

    /// The place that a node of a level above the ground is named after. Names, unlike numbers, do not depend on what
    /// was before.
    #[must_use]
    pub fn name(&self, level: usize, node: u32) -> u32 {
        self.layers[level - 1].nodes.name[node as usize]
    }

    /// What edges and estimates are measured with.
    #[must_use]
    pub const fn ruler(&self) -> Ruler {
        self.ruler
    }
}

/// A new level upon one whose nodes are numbered up to `len`.
fn raise_all(
    below: &impl Storey,
    len: usize,
    (parent, bonds): (&mut Vec<u32>, &mut Bonds),
    ruler: Ruler,
    scratch: &mut Scratch,
) -> Layer {
    let mut upper = Layer::default();
    let codes: Vec<u64> = (0..len as u32).map(|node| below.code(node)).collect();
    let net = Coded { storey: below, codes: &codes };
    Raising { joining: Joining::new(&net, bonds), parent, upper: &mut upper, ruler, scratch }.all(len as u32);
    upper
}
