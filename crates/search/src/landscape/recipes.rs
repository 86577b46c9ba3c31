//! What roguelikes do with maps of distances ("Dijkstra maps"): flee, keep a distance, explore, search for who has hidden.
//!
//! * *To explore by itself*: a [`Heat`] with the frontier of what has been seen as its targets ([`super::Frontier`]), and every
//!   item that lies about as one more; go down. The planner `explore` does that for whole teams.
//! * *To flee*: [`flee`]. Going straight away from somebody ends in dead ends; this runs past a foe to get out of one.
//! * *To shoot from afar*: [`kite`].
//! * *To search for who was last seen somewhere*: [`Suspicion`].

use super::heat::beside;
use super::{Frontier, Heat};
use core::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{CellId, Connectivity, Grid, Seen};

/// A number for every cell, which falls by at most a step's worth from one cell to the next. Low is good.
#[derive(Clone, Debug)]
pub struct Descent {
    moves: u8,
    values: Vec<i64>,
}

impl Descent {
    const NOWHERE: i64 = i64::MAX;

    /// From any values to begin with (`None`: nothing draws there): each cell gets the least that any way from it promises,
    /// where every step costs `step` (at least 1).
    #[must_use]
    pub fn new(
        grid: &Grid,
        connectivity: Connectivity,
        step: u32,
        start: impl Fn(CellId) -> Option<i64>,
    ) -> Self {
        let moves = if connectivity == Connectivity::Four { 0x0f } else { 0xff };
        let mut values = vec![Self::NOWHERE; grid.len()];
        let mut heap = BinaryHeap::new();
        for id in grid.open_ids() {
            if let Some(value) = start(id) {
                values[id.index()] = value;
                heap.push(Reverse((value, id)));
            }
        }
        while let Some(Reverse((value, id))) = heap.pop() {
            if values[id.index()] != value {
                continue;
            }
            let next = value.saturating_add(i64::from(step.max(1)));
            for beside in beside(grid, id, moves) {
                if next < values[beside.index()] {
                    values[beside.index()] = next;
                    heap.push(Reverse((next, beside)));
                }
            }
        }
        Self { moves, values }
    }

    /// How low it is here; `None` where nothing draws.
    #[must_use]
    pub fn value(&self, id: CellId) -> Option<i64> {
        Some(self.values[id.index()]).filter(|&value| value != Self::NOWHERE)
    }

    /// The lowest cell beside this one that is lower and that `allowed` lets through; of several the first, in the order of
    /// directions.
    #[must_use]
    pub fn down(&self, grid: &Grid, id: CellId, allowed: impl Fn(CellId) -> bool) -> Option<CellId> {
        let lower = beside(grid, id, self.moves).filter(|&next| allowed(next));
        let best = lower.min_by_key(|next| self.values[next.index()])?;
        (self.values[best.index()] < self.values[id.index()]).then_some(best)
    }
}

/// Where to run from those whom `foes` measures the steps to. A cell far from them is worth 1.2 times what it costs to get there:
/// so one who is cornered runs past its foe if there is more room behind it.
///
/// ```
/// use throng_core::{Cell, Connectivity, Grid};
/// use throng_search::landscape::{Heat, flee};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.id(Cell::new(x, 0)).unwrap();
/// let mut foes = Heat::new(&grid, Connectivity::Four);
/// foes.build(&grid, [at(1)]);
/// assert_eq!(flee(&grid, Connectivity::Four, &foes).down(&grid, at(3), |_| true), Some(at(4)));
/// # Ok::<(), throng_core::GridError>(())
/// ```
#[must_use]
pub fn flee(grid: &Grid, connectivity: Connectivity, foes: &Heat) -> Descent {
    Descent::new(grid, connectivity, 10, |id| foes.steps(id).map(|steps| -12 * i64::from(steps)))
}

/// Steps to where one can shoot from: cells that are between `near` and `far` steps from the foes and from which `sees` answers
/// that one is in sight.
#[must_use]
pub fn kite(
    grid: &Grid,
    connectivity: Connectivity,
    foes: &Heat,
    [near, far]: [u32; 2],
    sees: impl Fn(CellId) -> bool,
) -> Heat {
    let good = |id: &CellId| foes.steps(*id).is_some_and(|steps| (near..=far).contains(&steps)) && sees(*id);
    let mut heat = Heat::new(grid, connectivity);
    heat.build(grid, grid.open_ids().filter(good));
    heat
}

/// Steps to the next thing to look at: the end of what has been seen, or something worth having.
#[must_use]
pub fn auto_explore(
    grid: &Grid,
    connectivity: Connectivity,
    seen: &Seen,
    wanted: impl IntoIterator<Item = CellId>,
) -> Heat {
    let frontier = Frontier::of(grid, seen);
    let mut heat = Heat::new(grid, connectivity);
    let ends = grid.open_ids().filter(|&id| frontier.contains(id));
    heat.build(grid, ends.chain(wanted.into_iter().filter(|&id| seen.contains(id))));
    heat
}

/// Where somebody may be who was last seen somewhere: it grows by a step with every tick, and what is in sight and empty is
/// struck off. Guards go down [`Self::heat`]; when [`Self::is_empty`], they have lost the trail.
#[derive(Clone, Debug)]
pub struct Suspicion {
    moves: u8,
    connectivity: Connectivity,
    suspect: Vec<bool>,
    edge: Vec<CellId>,
    count: usize,
}

impl Suspicion {
    /// It was here a moment ago.
    #[must_use]
    pub fn new(grid: &Grid, connectivity: Connectivity, last_seen: CellId) -> Self {
        let moves = if connectivity == Connectivity::Four { 0x0f } else { 0xff };
        let mut suspicion =
            Self { moves, connectivity, suspect: vec![false; grid.len()], edge: Vec::new(), count: 0 };
        if last_seen.index() < grid.len() && grid.is_open_id(last_seen) {
            suspicion.suspect[last_seen.index()] = true;
            (suspicion.edge, suspicion.count) = (vec![last_seen], 1);
        }
        suspicion
    }

    /// A tick has passed in which it may have made a step, and `in_sight` tells of every cell that somebody sees without it.
    pub fn pass(&mut self, grid: &Grid, in_sight: impl Fn(CellId) -> bool) {
        // What was struck off may be entered again from beside, so the edge is where a suspect has a neighbour that is none.
        let before = core::mem::take(&mut self.edge);
        let mut grown = before.clone();
        for &id in &before {
            for next in beside(grid, id, self.moves) {
                if !core::mem::replace(&mut self.suspect[next.index()], true) {
                    self.count += 1;
                    grown.push(next);
                }
            }
        }
        for id in grid.open_ids().filter(|&id| in_sight(id)) {
            if core::mem::take(&mut self.suspect[id.index()]) {
                self.count -= 1;
                grown.extend(beside(grid, id, self.moves));
            }
        }
        grown.sort_unstable();
        grown.dedup();
        let ends = |id: &CellId| {
            self.suspect[id.index()] && beside(grid, *id, self.moves).any(|next| !self.suspect[next.index()])
        };
        self.edge = grown.into_iter().filter(ends).collect();
    }

    /// Whether it may be here.
    #[must_use]
    pub fn suspects(&self, id: CellId) -> bool {
        self.suspect[id.index()]
    }

    /// How many cells it may be in.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether it can be nowhere that anybody knows of.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Steps to the nearest place where it may be.
    #[must_use]
    pub fn heat(&self, grid: &Grid) -> Heat {
        let mut heat = Heat::new(grid, self.connectivity);
        heat.build(grid, grid.open_ids().filter(|&id| self.suspects(id)));
        heat
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_core::Cell;

    fn heat(grid: &Grid, at: CellId) -> Heat {
        let mut heat = Heat::new(grid, Connectivity::Four);
        heat.build(grid, [at]);
        heat
    }

    /// In a dead end there is nowhere to go from a foe but past it: that is worth it if there is enough room behind.
    #[test]
    fn the_cornered_run_past_their_foe() {
        for (width, runs) in [(60, true), (20, false)] {
            let rows = [format!("@@{}", ".".repeat(width - 2)), ".".repeat(width)];
            let grid = Grid::from_rows(&rows.each_ref().map(String::as_str)).unwrap();
            let at = |x, y| grid.id(Cell::new(x, y)).unwrap();
            let run = flee(&grid, Connectivity::Four, &heat(&grid, at(2, 0)));
            let mut here = at(0, 1);
            while let Some(next) = run.down(&grid, here, |_| true) {
                here = next;
            }
            assert_eq!(here == at(0, 1), !runs, "{width}: {:?}", grid.cell(here));
        }
    }

    #[test]
    fn archers_keep_their_distance() {
        let grid = Grid::empty(12, 1).unwrap();
        let at = |x| grid.id(Cell::new(x, 0)).unwrap();
        let foes = heat(&grid, at(0));
        let stand = kite(&grid, Connectivity::Four, &foes, [4, 5], |_| true);
        // Too near: away. Too far: nearer. Within range: stay.
        assert_eq!([1, 4, 5, 9].map(|x| stand.steps(at(x))), [Some(3), Some(0), Some(0), Some(4)]);
        let hidden = kite(&grid, Connectivity::Four, &foes, [4, 5], |_| false);
        assert_eq!(hidden.steps(at(4)), None);
    }

    #[test]
    fn items_draw_only_when_seen() {
        let grid = Grid::empty(9, 1).unwrap();
        let at = |x| grid.id(Cell::new(x, 0)).unwrap();
        let mut seen = Seen::none(grid.len());
        (0..6).for_each(|x| assert!(seen.insert(at(x))));
        let steps = |wanted: &[CellId]| {
            auto_explore(&grid, Connectivity::Four, &seen, wanted.iter().copied()).steps(at(0))
        };
        assert_eq!((steps(&[]), steps(&[at(2)]), steps(&[at(8)])), (Some(5), Some(2), Some(5)));
    }

    #[test]
    fn a_room_that_is_watched_hides_nobody() {
        let rows = [".....", "@@.@@", "....."];
        let grid = Grid::from_rows(&rows).unwrap();
        let at = |x, y| grid.id(Cell::new(x, y)).unwrap();
        let mut trail = Suspicion::new(&grid, Connectivity::Four, at(2, 0));
        // Nobody looks: after long enough it may be anywhere.
        (0..10).for_each(|_| trail.pass(&grid, |_| false));
        assert_eq!(trail.len(), grid.open_cells());
        // Who sees the upper room and the door knows that it is in the lower one.
        trail.pass(&grid, |id| grid.cell(id).y < 2);
        assert_eq!((trail.len(), trail.suspects(at(0, 2)), trail.suspects(at(0, 0))), (5, true, false));
        assert_eq!(trail.heat(&grid).steps(at(2, 0)), Some(2));
        // Who sees everything has lost it.
        trail.pass(&grid, |_| true);
        assert!(trail.is_empty());
    }

    proptest! {
        /// Wherever it goes, it is where it is suspected to be, as long as nobody sees it; and the edge is kept rightly:
        /// growing from all suspects gives the same.
        #[test]
        fn the_trail_is_never_lost(
            letters in prop::collection::vec(prop_oneof![4 => Just(b'.'), 1 => Just(b'@')], 9 * 7),
            start in 0..63usize,
            steps in prop::collection::vec((0..8usize, any::<u8>()), 1..40),
        ) {
            let grid = Grid::new(9, 7, &letters, Default::default()).unwrap();
            let mut at = grid.id(Cell::new((start % 9) as i32, (start / 9) as i32)).unwrap();
            prop_assume!(grid.is_open_id(at));
            let mut trail = Suspicion::new(&grid, Connectivity::Eight, at);
            for (step, eyes) in steps {
                let ways: Vec<_> = beside(&grid, at, 0xff).chain([at]).collect();
                at = ways[step % ways.len()];
                let sees = |id: CellId| id != at && grid.cell(id).x.unsigned_abs() % 4 == u32::from(eyes) % 5;
                let mut slow: Vec<CellId> = grid
                    .open_ids()
                    .filter(|&id| trail.suspects(id) || beside(&grid, id, 0xff).any(|next| trail.suspects(next)))
                    .collect();
                slow.retain(|&id| !sees(id));
                trail.pass(&grid, sees);
                prop_assert!(trail.suspects(at));
                let quick: Vec<CellId> = grid.open_ids().filter(|&id| trail.suspects(id)).collect();
                prop_assert_eq!(quick.len(), trail.len());
                prop_assert_eq!(quick, slow);
            }
        }
    }
}
