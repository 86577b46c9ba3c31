//! How many units are where, on every level.

use super::Abstraction;
use super::cliques::NONE;

/// Counts units by node on every level above the ground. A step changes only the nodes that it leaves and enters: half as
/// many or fewer on each further level, so that on average it takes constant time.
///
/// ```
/// use throng_core::{Cell, Connectivity, Grid, Rules};
/// use throng_search::GridGraph;
/// use throng_search::abstraction::{Abstraction, Occupancy, Ruler};
///
/// let grid = Grid::empty(16, 16).unwrap();
/// let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
/// let levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::of(rules));
/// let mut crowd = Occupancy::default();
/// // Whenever units have moved: who is where.
/// for (unit, cell) in [Cell::new(0, 0), Cell::new(1, 0), Cell::new(3, 3)].into_iter().enumerate() {
///     crowd.put(&levels, unit, grid.id(cell).map(|id| id.0));
/// }
/// // A layer: by cell, how many units there are for a thousand places in its node of level 2, which has sixteen.
/// let layer: Vec<_> = crowd.layer(&levels, 2).collect();
/// let at = |x, y| layer[grid.id(Cell::new(x, y)).unwrap().index()];
/// assert_eq!((at(2, 2), at(12, 12)), (Some(3 * 1000 / 16), Some(0)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Occupancy {
    /// By level − 1 and node.
    counts: Vec<Vec<u32>>,
    /// By unit: where it is; [`NONE`] if it is nowhere.
    at: Vec<u32>,
}

impl Occupancy {
    /// Puts a unit somewhere, or takes it away. Answers on how many levels that changed anything.
    pub fn put(&mut self, levels: &Abstraction, unit: usize, place: Option<u32>) -> usize {
        if self.at.len() <= unit {
            self.at.resize(unit + 1, NONE);
        }
        let new = place.unwrap_or(NONE);
        let old = core::mem::replace(&mut self.at[unit], new);
        self.climb(levels, old, new)
    }

    /// Counts anew, for a world whose levels have been mended.
    pub fn recount(&mut self, levels: &Abstraction) {
        self.counts.iter_mut().for_each(|counts| counts.fill(0));
        for unit in 0..self.at.len() {
            self.climb(levels, NONE, self.at[unit]);
        }
    }

    /// Takes one away above `old` and adds one above `new`, up to where both are the same.
    fn climb(&mut self, levels: &Abstraction, mut old: u32, mut new: u32) -> usize {
        for level in 0..levels.height() {
            let up = |node: u32| if node == NONE { NONE } else { levels.parent(level, node).unwrap_or(NONE) };
            (old, new) = (up(old), up(new));
            if old == new {
                return level;
            }
            if self.counts.len() == level {
                self.counts.push(Vec::new());
            }
            let counts = &mut self.counts[level];
            if counts.len() < levels.len(level + 1) {
                counts.resize(levels.len(level + 1), 0);
            }
            if old != NONE {
                counts[old as usize] -= 1;
            }
            if new != NONE {
                counts[new as usize] += 1;
            }
        }
        levels.height()
    }

    /// Units below a node of a level above the ground.
    #[must_use]
    #[inline]
    pub fn units(&self, level: usize, node: u32) -> u32 {
        self.counts.get(level - 1).and_then(|counts| counts.get(node as usize)).copied().unwrap_or(0)
    }

    /// How crowded it is below a node of a level above the ground: units per thousand places.
    #[must_use]
    #[inline]
    pub fn congestion(&self, levels: &Abstraction, level: usize, node: u32) -> u32 {
        let units = u64::from(self.units(level, node));
        (units * 1000 / u64::from(levels.weight(level, node).max(1))) as u32
    }

    /// By place: how crowded its node of `level` is; nothing where nobody can go to or come from.
    pub fn layer<'a>(
        &'a self,
        levels: &'a Abstraction,
        level: usize,
    ) -> impl Iterator<Item = Option<u32>> + 'a {
        (0..levels.len(0) as u32).map(move |place| {
            let (at, node) = levels.ancestor(place, level);
            (at > 0).then(|| self.congestion(levels, at, node))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridGraph;
    use crate::abstraction::Ruler;
    use proptest::prelude::*;
    use throng_core::{Connectivity, Grid, Rules, TerrainPolicy};

    proptest! {
        /// Whoever moves wherever, every node counts those below it, also after cells have closed.
        #[test]
        fn every_node_counts_those_below_it(
            letters in prop::collection::vec(prop_oneof![4 => Just(b'.'), 1 => Just(b'@')], 144),
            moves in prop::collection::vec((0..6usize, any::<u16>(), any::<bool>()), 1..60),
            closed in any::<u16>(),
        ) {
            let mut grid = Grid::new(12, 12, &letters, TerrainPolicy::default()).unwrap();
            let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
            let open: Vec<u32> = grid.open_ids().map(|id| id.0).collect();
            prop_assume!(!open.is_empty());
            let mut levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::Straight);
            let (mut occupancy, mut model) = (Occupancy::default(), [None; 6]);
            for (unit, to, gone) in moves {
                model[unit] = (!gone).then(|| open[to as usize % open.len()]);
                occupancy.put(&levels, unit, model[unit]);
            }
            let hold = |occupancy: &Occupancy, levels: &Abstraction| {
                for level in 1..=levels.height() {
                    for node in levels.all(level) {
                        let below = model.iter().flatten().filter(|&&p| levels.ancestor(p, level) == (level, node));
                        assert_eq!(occupancy.units(level, node) as usize, below.count());
                    }
                }
                let layer: Vec<_> = occupancy.layer(levels, 2).collect();
                let crowded = model.iter().flatten().all(|&p| layer[p as usize].is_none_or(|c| c > 0));
                assert!(crowded && layer.len() == levels.len(0));
            };
            hold(&occupancy, &levels);
            let id = throng_core::CellId(open[closed as usize % open.len()]);
            grid.set_letter(id, b'@').unwrap();
            let graph = GridGraph::new(&grid, rules, 1);
            levels.repair(&graph, &Abstraction::around(&grid, id));
            occupancy.recount(&levels);
            hold(&occupancy, &levels);
        }
    }

    /// Half of all steps or fewer change each further level.
    #[test]
    fn a_step_takes_constant_time_on_average() {
        let grid = Grid::empty(256, 256).unwrap();
        let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
        let levels = Abstraction::new(&GridGraph::new(&grid, rules, 1), Ruler::Straight);
        let (mut occupancy, mut changes) = (Occupancy::default(), 0);
        let at = |x| grid.id(throng_core::Cell::new(x, 77)).map(|id| id.0);
        assert_eq!(occupancy.put(&levels, 0, at(0)), levels.height(), "it is new everywhere");
        for x in 1..256 {
            changes += occupancy.put(&levels, 0, at(x));
        }
        assert_eq!(occupancy.put(&levels, 0, at(255)), 0, "it stays");
        assert!(changes <= 2 * 255, "{changes}");
    }
}
