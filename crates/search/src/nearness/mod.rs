//! Which steps lead nearer to a goal: true distances, two bits of each.

mod flood;

use crate::OpenCells;
use flood::{Front, Queues};

/// How far the search may still go, and how far it went.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Cells that may still be closed.
    pub room: u64,
    /// Cells that were closed.
    pub spent: u64,
}

impl Allowance {
    /// As much as it takes.
    pub const UNLIMITED: Self = Self { room: u64::MAX, spent: 0 };
}

/// How a search came to be what it is: enough to build it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct NearnessPast {
    pub origin: u32,
    pub closed: u64,
    pub expanded: u64,
    pub restarts: u32,
    pub pending: Option<u64>,
}

/// What is known of a cell whose distance is not.
const UNKNOWN: u64 = 3;

/// Backwards A* from a goal towards an origin, as [`crate::TrueDistance`] is, for whoever only asks which of the cells beside one are nearer.
///
/// Distances of neighbours differ by one at most, so their remainders by three tell which is nearer. All that is kept of a cell
/// are two bits, and thousands of searches fit into what a processor has at hand. What a search still has to look at says how
/// far that is from the goal: its estimated way less the estimate to the origin. With four moves all cells of a word that are reached at
/// the same estimated way are closed at once (`flood`).
#[derive(Clone, Debug)]
pub struct Nearness {
    goal: u32,
    origin: u32,
    /// By word: the lower and the upper bits of distances modulo 3, or of [`UNKNOWN`].
    marks: Vec<[u64; 2]>,
    /// Estimated ways up to this have been looked at, or are being.
    floor: u32,
    open: Open,
    /// How far the origin is, once that is known.
    far: Option<u32>,
    closed: u64,
    expanded: u64,
    restarts: u32,
    /// It stopped within a contour, so that what lies around its closed cells is not known yet.
    midway: bool,
    /// How far it may grow for a question that it could not answer yet.
    pending: Option<u64>,
}

/// What is to be looked at.
#[derive(Clone, Debug)]
enum Open {
    /// With four moves: words and the cells of each.
    Words(Front),
    /// With eight: cells, by estimated way modulo 3.
    Cells([Vec<u32>; 3]),
}

impl Nearness {
    /// A search that has not begun.
    #[must_use]
    pub fn new(cells: &OpenCells, goal: u32, origin: u32) -> Self {
        let mut search = Self {
            goal,
            origin,
            marks: Vec::new(),
            floor: 0,
            open: Open::Words(Front::default()),
            far: None,
            closed: 0,
            expanded: 0,
            restarts: 0,
            midway: false,
            pending: None,
        };
        search.begin(cells);
        search
    }

    fn begin(&mut self, cells: &OpenCells) {
        self.marks.clear();
        self.marks.resize(cells.words().len(), [u64::MAX; 2]);
        self.floor = cells.estimate(cells.place(self.goal), cells.place(self.origin));
        self.open = if cells.is_eight() {
            let mut open = [const { Vec::new() }; 3];
            open[self.floor as usize % 3].push(self.goal);
            Open::Cells(open)
        } else {
            Open::Words(Front::at(self.goal))
        };
        (self.far, self.closed, self.midway) = (None, 0, false);
    }

    /// The goal.
    #[must_use]
    #[inline]
    pub const fn goal(&self) -> u32 {
        self.goal
    }

    /// How far the goal is from where the search was aimed at, once it got there.
    #[must_use]
    pub const fn far(&self) -> Option<u32> {
        self.far
    }

    /// Expansions since it was made, restarts included.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let open = match &self.open {
            Open::Words(front) => front.bytes(),
            Open::Cells(open) => open.iter().map(Vec::len).sum::<usize>() * 4,
        };
        size_of::<Self>() + self.marks.len() * 16 + open
    }

    #[inline]
    fn mark(&self, cell: u32) -> u64 {
        mark(&self.marks, cell)
    }

    /// Whether the distance of a cell is known.
    #[must_use]
    #[inline]
    pub fn knows(&self, cell: u32) -> bool {
        self.mark(cell) != UNKNOWN && !self.midway
    }

    /// Searches on until the distance of a cell is known. Answers whether it is: there may be no way, or no room to go on, in
    /// which case nothing is left of it.
    #[inline]
    pub fn reach(&mut self, cells: &OpenCells, cell: u32, allowance: &mut Allowance) -> bool {
        self.knows(cell) || self.resume(cells, cell, allowance)
    }

    /// How much nearer the goal is from a cell `to` than from one beside it, `from`, whose distance is known: 1, 0 or −1. `None` if that is
    /// not known: there was no room to find out.
    #[inline]
    pub fn gain(&mut self, cells: &OpenCells, from: u32, to: u32, allowance: &mut Allowance) -> Option<i8> {
        // With four moves, all cells of the contours so far are closed: one that is not is farther away.
        if cells.is_eight() && self.mark(to) == UNKNOWN && !self.reach(cells, to, allowance) {
            return None;
        }
        Some(self.compare(from, to))
    }

    /// The same of two cells beside each other; one whose distance is not known counts as farther away.
    #[must_use]
    #[inline]
    pub fn compare(&self, from: u32, to: u32) -> i8 {
        // By what is known of both, that of the first in the upper bits: the remainder that is one more is farther.
        const GAINS: [i8; 16] = [0, -1, 1, -1, 1, 0, -1, -1, -1, 1, 0, -1, 0, 0, 0, 0];
        GAINS[(self.mark(from) << 2 | self.mark(to)) as usize]
    }

    #[cold]
    #[inline(never)]
    fn resume(&mut self, cells: &OpenCells, cell: u32, allowance: &mut Allowance) -> bool {
        // A search that is aimed at one place may flood the map before it comes to another. Start again
        // towards the asker then; each restart doubles the patience, so it cannot go on for ever.
        let patience = (4 * self.closed + 1024) << self.restarts.min(16);
        let limit = *self.pending.get_or_insert(self.expanded.saturating_add(patience));
        let mut queues = self.unpacked(cells);
        while !self.knows(cell) {
            let starved = allowance.room == 0;
            let over = !starved && !self.more(cells, &mut queues, allowance);
            if over {
                self.pending = None;
            }
            if starved || over || self.midway {
                self.pack(&queues);
                return false;
            }
            if self.expanded > limit && self.origin != cell {
                self.origin = cell;
                self.restarts = self.restarts.saturating_add(1);
                self.pending = None;
                self.begin(cells);
                return self.resume(cells, cell, allowance);
            }
        }
        self.pack(&queues);
        self.pending = None;
        true
    }

    /// What is to be looked at, if it comes in words, as searches need it.
    fn unpacked(&self, cells: &OpenCells) -> Option<Queues> {
        match &self.open {
            Open::Words(front) => Some(Queues::of(cells, front)),
            Open::Cells(_) => None,
        }
    }

    fn pack(&mut self, queues: &Option<Queues>) {
        if let (Open::Words(front), Some(queues)) = (&mut self.open, queues) {
            queues.save(front);
        }
    }

    /// Closes one more contour, or as much of it as there is room for. Answers whether there was anything left.
    fn more(&mut self, cells: &OpenCells, queues: &mut Option<Queues>, allowance: &mut Allowance) -> bool {
        let before = self.closed;
        let whole = match queues {
            Some(queues) => self.flood(cells, queues, allowance.room),
            None => self.contour(cells, allowance.room),
        };
        let Some(whole) = whole else { return false };
        let work = self.closed - before;
        self.expanded = self.expanded.saturating_add(work);
        allowance.spent += work;
        if allowance.room != u64::MAX {
            allowance.room -= work;
        }
        // Nothing of a contour is the same as not having begun it.
        self.midway = !whole && (self.midway || work > 0);
        true
    }

    /// Closes everything whose estimated way is as long as the shortest of those that are open, by eight moves. Answers whether there was
    /// room for all of it; `None` if nothing is open.
    fn contour(&mut self, cells: &OpenCells, room: u64) -> Option<bool> {
        let Open::Cells(open) = &mut self.open else { return None };
        let rise = (0..3).find(|rise| !open[(self.floor + rise) as usize % 3].is_empty())?;
        self.floor += rise;
        let (origin, floor) = (cells.place(self.origin), self.floor);
        let mut now = core::mem::take(&mut open[floor as usize % 3]);
        let (mut closed, mut whole) = (0, true);
        while let Some(cell) = now.pop() {
            if mark(&self.marks, cell) != UNKNOWN {
                continue;
            }
            if closed == room {
                now.push(cell);
                whole = false;
                break;
            }
            closed += 1;
            let estimate = cells.estimate(cells.place(cell), origin);
            let far = floor - estimate;
            let word = &mut self.marks[cell as usize >> 6];
            for (half, bits) in word.iter_mut().enumerate() {
                *bits ^= u64::from(!(far % 3) >> half & 1) << (cell & 63);
            }
            if cell == self.origin {
                self.far = Some(far);
            }
            for &to in cells.beside(cell).iter().filter(|&&to| to != cells.wall()) {
                if mark(&self.marks, to) != UNKNOWN {
                    continue;
                }
                match 1 + cells.estimate(cells.place(to), origin) - estimate {
                    0 => now.push(to),
                    rise => open[(floor + rise) as usize % 3].push(to),
                }
            }
        }
        self.closed += closed;
        open[floor as usize % 3] = now;
        Some(whole)
    }

    /// How it came to be what it is, for [`Self::replay`].
    #[must_use]
    pub const fn past(&self) -> NearnessPast {
        let Self { origin, closed, expanded, restarts, pending, .. } = *self;
        NearnessPast { origin, closed, expanded, restarts, pending }
    }

    /// Builds a search anew: one towards the same origin that has closed as many cells. Its work is counted as it
    /// was, since it has been paid for.
    #[must_use]
    pub fn replay(cells: &OpenCells, goal: u32, past: &NearnessPast) -> Self {
        let mut search = Self::new(cells, goal, past.origin);
        let mut queues = search.unpacked(cells);
        while search.closed < past.closed {
            let mut allowance = Allowance { room: past.closed - search.closed, spent: 0 };
            if !search.more(cells, &mut queues, &mut allowance) {
                break;
            }
        }
        search.pack(&queues);
        (search.expanded, search.restarts, search.pending) = (past.expanded, past.restarts, past.pending);
        search
    }
}

#[inline(always)]
fn mark(marks: &[[u64; 2]], cell: u32) -> u64 {
    let [lower, upper] = marks[cell as usize >> 6];
    (lower >> (cell & 63) & 1) | (upper >> (cell & 63) & 1) << 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AStar, GridGraph};
    use proptest::prelude::*;
    use throng_core::{Connectivity, Grid, Rules, TerrainPolicy};

    fn world() -> impl Strategy<Value = (Grid, Rules)> {
        // Narrow and high, and low and so wide that ways lead through several words.
        let letters = prop::collection::vec(prop_oneof![4 => Just(b'.'), 1 => Just(b'@')], 150 * 4);
        (letters, any::<bool>(), any::<bool>()).prop_map(|(letters, eight, wide)| {
            let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
            let rules = Rules { connectivity, ..Rules::default() };
            let (width, height) = if wide { (150, 4) } else { (20, 30) };
            (Grid::new(width, height, &letters, TerrainPolicy::default()).unwrap(), rules)
        })
    }

    proptest! {
        /// Whatever is asked in whatever order, with whatever room: what is answered equals Dijkstra's.
        #[test]
        fn every_answer_is_exact((grid, rules) in world(), picks in prop::collection::vec((any::<u16>(), 0u64..40), 3..20)) {
            let open: Vec<_> = grid.open_ids().collect();
            prop_assume!(!open.is_empty());
            let cells = OpenCells::new(&grid, rules.connectivity);
            let graph = GridGraph::new(&grid, rules, 1);
            let pick = |p: u16| open[p as usize % open.len()];
            let (goal, origin) = (pick(picks[0].0), pick(picks[1].0));
            let mut judge = AStar::new();
            let mut search = Nearness::new(&cells, cells.number(goal), cells.number(origin));
            for &(p, room) in &picks[2..] {
                let at = pick(p);
                let here = judge.dijkstra(&graph, at.0, goal.0);
                // Room for nothing at all would never end.
                let mut known = false;
                for _ in 0..=open.len() {
                    known |= search.reach(&cells, cells.number(at), &mut Allowance { room: room + 1, spent: 0 });
                    if known {
                        break;
                    }
                }
                prop_assert_eq!(search.knows(cells.number(at)), here.is_some());
                let Some(here) = here else { continue };
                for &to in cells.beside(cells.number(at)).iter().filter(|&&to| to != cells.wall()) {
                    let there = grid.id(cells.place(to)).unwrap();
                    let there = judge.dijkstra(&graph, there.0, goal.0).unwrap();
                    let gain = search.gain(&cells, cells.number(at), to, &mut Allowance::UNLIMITED.clone());
                    prop_assert_eq!(gain.map(i64::from), Some(i64::from(here) - i64::from(there)));
                }
            }
            if let Some(far) = search.far() {
                let from = grid.id(cells.place(search.origin)).unwrap();
                prop_assert_eq!(Some(far), judge.dijkstra(&graph, from.0, goal.0));
            }
        }

        /// A search that is built anew goes on as the old one would have.
        #[test]
        fn replay_gives_the_same_search((grid, rules) in world(), picks in prop::collection::vec((any::<u16>(), 1u64..60), 3..12)) {
            let open: Vec<_> = grid.open_ids().collect();
            prop_assume!(!open.is_empty());
            let cells = OpenCells::new(&grid, rules.connectivity);
            let pick = |p: u16| cells.number(open[p as usize % open.len()]);
            let mut search = Nearness::new(&cells, pick(picks[0].0), pick(picks[1].0));
            for &(p, room) in &picks[2..] {
                search.reach(&cells, pick(p), &mut Allowance { room, spent: 0 });
            }
            let mut twin = Nearness::replay(&cells, search.goal(), &search.past());
            for cell in (0..cells.len() as u32).filter(|&cell| cells.is_cell(cell)) {
                let rooms = [(); 2].map(|()| Allowance { room: 7, spent: 0 });
                let [mut mine, mut its] = rooms;
                prop_assert_eq!(search.reach(&cells, cell, &mut mine), twin.reach(&cells, cell, &mut its));
                prop_assert_eq!(mine.spent, its.spent);
                prop_assert_eq!(search.mark(cell), twin.mark(cell), "{}", cell);
                prop_assert_eq!(search.past(), twin.past());
            }
        }
    }
}
