//! The backwards search for true distances, which can be resumed.

mod mend;
pub(crate) mod sheet;

use crate::{BucketQueue, Graph};
use sheet::{NARROW, Sheet};

/// How a search came to be what it is: enough to build it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub struct Past {
    pub origin: Option<u32>,
    pub closed: u64,
    pub expanded: u64,
    pub restarts: u32,
    pub pending: Option<u64>,
    pub mended: bool,
}

/// Backwards A* from a goal towards an origin (Silver's reverse resumable A*): it answers how far any
/// node is from the goal, walls counted and units not, and searches only as far as it is asked.
///
/// It works contour by contour: everything whose estimated way (distance to the goal plus estimate to
/// the origin) is at most the present contour is closed. A question about a node beyond resumes it. The
/// origin stays where the first asker was, so that estimates stay consistent; when a question makes the
/// search grow out of proportion, it starts again towards the asker.
///
/// Distances are exact whatever was asked before: the cache changes the cost of an answer, never the answer.
#[derive(Clone, Debug)]
pub struct TrueDistance {
    goal: u32,
    origin: Option<u32>,
    /// Per node: 0 unseen, otherwise (distance + 1) · 2, plus 1 once closed.
    entries: Sheet,
    open: BucketQueue<u32>,
    closed: u64,
    expanded: u64,
    restarts: u32,
    /// Expansions that it may still do.
    room: u64,
    /// It had no room to answer the last question.
    starved: bool,
    /// It stopped within a contour, so that what lies around its closed nodes is not known yet.
    midway: bool,
    /// How far it may grow for a question that it could not answer yet.
    pending: Option<u64>,
    /// Whether it has been mended since it began.
    mended: bool,
}

impl TrueDistance {
    /// A search that has not begun. With an `origin` it is aimed at it; without, it spreads evenly, which suits
    /// a goal that many units come to from everywhere.
    #[must_use]
    pub fn new(graph: &impl Graph, goal: u32, origin: Option<u32>) -> Self {
        let mut search = Self {
            goal,
            origin,
            entries: Sheet::new(graph.len(), graph.stride()),
            open: BucketQueue::new(2 * graph.longest()),
            closed: 0,
            expanded: 0,
            restarts: 0,
            room: u64::MAX,
            starved: false,
            midway: false,
            pending: None,
            mended: false,
        };
        search.begin(graph);
        search
    }

    fn begin(&mut self, graph: &impl Graph) {
        let roots = graph.roots(self.goal);
        self.entries.begin([roots.start, self.origin.unwrap_or(roots.start)]);
        (self.closed, self.midway, self.mended) = (0, false, false);
        // All roots are at one place, and so equally far by the estimate.
        let first = self.origin.map_or(0, |origin| graph.estimate(roots.start, graph.aim(origin)));
        self.open.restart(first);
        for root in roots {
            let slot = if self.entries.is_whole() {
                self.entries.slot::<true>(root)
            } else {
                self.entries.slot::<false>(root)
            };
            self.entries.set(slot, 1 << 1);
            self.open.push(first, root);
        }
    }

    /// The place whose distances these are.
    #[must_use]
    pub const fn goal(&self) -> u32 {
        self.goal
    }

    /// The node that the search is aimed at.
    #[must_use]
    pub const fn origin(&self) -> Option<u32> {
        self.origin
    }

    /// Expansions since it was made, restarts included.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How often it has started again.
    #[must_use]
    pub const fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Lets it expand at most `room` nodes from now on. Where that does not do, its answers are missing and
    /// [`Self::is_starved`] says why.
    #[inline]
    pub const fn allow(&mut self, room: u64) {
        (self.room, self.starved) = (room, false);
    }

    /// Whether it had no room to answer since [`Self::allow`].
    #[must_use]
    #[inline]
    pub const fn is_starved(&self) -> bool {
        self.starved
    }

    /// Whether something was begun that [`Self::settle`] has to end.
    #[must_use]
    pub const fn is_midway(&self) -> bool {
        self.midway
    }

    /// Ends what was begun when it had no room to go on. Answers whether it may be asked now.
    pub fn settle(&mut self, graph: &impl Graph) -> bool {
        if self.midway {
            self.more(graph);
        }
        !self.midway
    }

    /// Sizes of the open and the closed list.
    #[must_use]
    pub const fn size(&self) -> (usize, u64) {
        (self.open.len(), self.closed)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        if self.mended {
            // What it holds depends on how it came to be, too; what it knows does not.
            return size_of::<Self>() + self.closed as usize * mend::BYTES;
        }
        // By what is in use, not by what is set aside: a search that was built anew weighs the same.
        size_of::<Self>() + self.entries.bytes() + self.open.len() * 4
    }

    /// The distance of `node` if it is known already.
    #[must_use]
    #[inline]
    pub fn known(&self, node: u32) -> Option<u32> {
        let entry = self.entries.of(node);
        (entry & 1 == 1).then(|| (entry >> 1) - 1)
    }

    /// The distance of `node`; resumes the search until it is known. `None`: there is no way.
    #[inline(always)]
    pub fn distance(&mut self, graph: &impl Graph, node: u32) -> Option<u32> {
        match self.known(node) {
            Some(distance) => Some(distance),
            None => self.resume(graph, node),
        }
    }

    /// The distance of a neighbour of a node whose distance is known. On a bipartite graph this never
    /// resumes the search: all nodes of the contours so far are closed, so a neighbour that is not is
    /// farther away.
    #[inline(always)]
    pub fn beside(&mut self, graph: &impl Graph, known: u32, node: u32) -> Option<u32> {
        match self.known(node) {
            Some(distance) => Some(distance),
            None if graph.is_bipartite() => Some(known + 1),
            None => self.resume(graph, node),
        }
    }

    #[cold]
    #[inline(never)]
    fn resume(&mut self, graph: &impl Graph, node: u32) -> Option<u32> {
        // A search that is aimed at one place may flood the map before it comes to another. Start again
        // towards the asker then; each restart doubles the patience, so it cannot go on for ever.
        let patience = (4 * self.closed + 1024) << self.restarts.min(16);
        let limit = *self.pending.get_or_insert(self.expanded.saturating_add(patience));
        while self.known(node).is_none() {
            if self.room == 0 {
                self.starved = true;
                return None;
            }
            let Some(()) = self.more(graph) else {
                self.pending = None;
                return None;
            };
            if self.midway {
                return None;
            }
            if self.expanded > limit && self.origin.is_some_and(|origin| origin != node) {
                self.origin = Some(node);
                self.restarts += 1;
                self.pending = None;
                self.begin(graph);
                return self.resume(graph, node);
            }
        }
        self.pending = None;
        self.known(node)
    }

    /// Closes one more contour, or as much of it as there is room for; `None` if the search has seen all that it
    /// can reach.
    fn more(&mut self, graph: &impl Graph) -> Option<()> {
        let before = self.closed;
        let whole = self.contour(graph);
        let work = self.closed - before;
        self.expanded = self.expanded.saturating_add(work);
        if self.room != u64::MAX {
            self.room -= work;
        }
        // Nothing of a contour is the same as not having begun it.
        self.midway = whole == Some(false) && (self.midway || work > 0);
        self.starved |= whole == Some(false);
        whole.map(|_| ())
    }

    /// Closes one more contour and answers whether there was room for all of it; `None` if the search has seen
    /// all it can reach.
    fn contour(&mut self, graph: &impl Graph) -> Option<bool> {
        let floor = self.open.raise_floor()?;
        // No distance that this contour comes upon is larger than this.
        if floor + 2 * graph.longest() >= NARROW >> 1 {
            self.entries.widen();
        }
        let plain = graph.is_bipartite() && self.origin.is_some() && !self.entries.is_wide();
        Some(match (self.entries.is_whole(), plain) {
            (true, true) => self.plain_contour::<true>(graph, floor),
            (true, false) => self.any_contour::<true>(graph, floor),
            (false, true) => self.plain_contour::<false>(graph, floor),
            (false, false) => self.any_contour::<false>(graph, floor),
        })
    }

    /// A contour on a bipartite graph, which is the usual case: a step either leads nearer to the origin and
    /// stays in the contour, or leads away from it and to the next but one.
    fn plain_contour<const WHOLE: bool>(&mut self, graph: &impl Graph, floor: u32) -> bool {
        let aim = graph.aim(self.origin.unwrap_or(graph.roots(self.goal).start));
        let Self { entries, open, .. } = self;
        let (mut now, mut next) = (open.take(floor), open.take(floor + 2));
        let (mut closed, room, mut whole) = (0, self.room, true);
        while let Some(node) = now.pop() {
            let slot = entries.slot::<WHOLE>(node);
            let entry = entries.narrow(slot);
            if *entry & 1 == 1 {
                continue;
            }
            if closed == room {
                now.push(node);
                whole = false;
                break;
            }
            let new = *entry + 2;
            *entry |= 1;
            closed += 1;
            graph.steps_aimed(node, aim, |to, nearer| {
                let slot = entries.slot::<WHOLE>(to);
                let known = entries.narrow(slot);
                // New (0 wraps), or open and farther so far. What is closed is never farther.
                if new <= known.wrapping_sub(2) {
                    *known = new;
                    if nearer { &mut now } else { &mut next }.push(to);
                }
            });
        }
        self.closed += closed;
        open.give_back(floor, now);
        open.give_back(floor + 2, next);
        whole
    }

    fn any_contour<const WHOLE: bool>(&mut self, graph: &impl Graph, floor: u32) -> bool {
        // Without an origin the estimate counts nothing; it is worked out all the same, for one inlined loop.
        let (aim, aimed) =
            (graph.aim(self.origin.unwrap_or(graph.roots(self.goal).start)), self.origin.is_some());
        let Self { entries, open, closed, room, .. } = self;
        let mut now = open.take(floor);
        let (last, mut whole) = (closed.saturating_add(*room), true);
        while let Some(node) = now.pop() {
            let slot = entries.slot::<WHOLE>(node);
            let entry = entries.get(slot);
            if entry & 1 == 1 {
                continue;
            }
            if *closed == last {
                now.push(node);
                whole = false;
                break;
            }
            entries.set(slot, entry | 1);
            *closed += 1;
            graph.edges_aimed(node, aim, |edge, rise| {
                let slot = entries.slot::<WHOLE>(edge.to);
                let (known, new) = (entries.get(slot), entry + (edge.duration << 1));
                if known == 0 || (known & 1 == 0 && new < known) {
                    entries.set(slot, new);
                    match if aimed { rise } else { edge.duration } {
                        0 => now.push(edge.to),
                        rise => open.push(floor + rise, edge.to),
                    }
                }
            });
        }
        open.give_back(floor, now);
        whole
    }

    /// How it came to be what it is, for [`Self::replay`].
    #[must_use]
    pub const fn past(&self) -> Past {
        Past {
            origin: self.origin,
            closed: self.closed,
            expanded: self.expanded,
            restarts: self.restarts,
            pending: self.pending,
            mended: self.mended,
        }
    }

    /// Builds a search anew: one towards the same origin that has closed as many nodes. Its work is counted as it
    /// was, since it has been paid for.
    #[must_use]
    pub fn replay(graph: &impl Graph, goal: u32, past: &Past) -> Self {
        let mut search = Self::new(graph, goal, past.origin);
        while search.closed < past.closed {
            search.allow(past.closed - search.closed);
            if search.more(graph).is_none() {
                break;
            }
        }
        search.allow(u64::MAX);
        (search.expanded, search.restarts, search.pending) = (past.expanded, past.restarts, past.pending);
        search.mended = past.mended;
        search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AStar, GridGraph};
    use proptest::prelude::*;
    use throng_core::{Connectivity, Grid, Rules, TerrainPolicy, Timing};

    fn world() -> impl Strategy<Value = (Grid, Rules)> {
        let letters = prop::collection::vec(prop_oneof![3 => Just(b'.'), 1 => Just(b'@')], 12 * 9);
        (letters, any::<bool>(), any::<bool>()).prop_map(|(letters, eight, metric)| {
            let rules = Rules {
                connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
                timing: if metric { Timing::Metric } else { Timing::Uniform },
                ..Rules::default()
            };
            (Grid::new(12, 9, &letters, TerrainPolicy::default()).unwrap(), rules)
        })
    }

    proptest! {
        /// Whatever is asked in whatever order, every answer equals Dijkstra's.
        #[test]
        fn every_answer_is_exact((grid, rules) in world(), picks in prop::collection::vec(any::<u16>(), 3..30), aimed in any::<bool>()) {
            let open: Vec<_> = grid.open_ids().collect();
            prop_assume!(!open.is_empty());
            let graph = GridGraph::new(&grid, rules, if rules.timing == Timing::Metric { 5 } else { 1 });
            let pick = |p: u16| open[p as usize % open.len()].0;
            let mut field = TrueDistance::new(&graph, pick(picks[0]), aimed.then(|| pick(picks[1])));
            let mut judge = AStar::new();
            for &p in &picks[2..] {
                let node = pick(p);
                let answer = field.distance(&graph, node);
                prop_assert_eq!(answer, judge.dijkstra(&graph, node, field.goal()));
                if let Some(known) = answer {
                    let mut beside = Vec::new();
                    graph.edges(node, |edge| beside.push(edge.to));
                    for next in beside {
                        prop_assert_eq!(field.beside(&graph, known, next), judge.dijkstra(&graph, next, field.goal()));
                    }
                }
            }
        }

        /// A search built anew from (goal, origin, expansions) continues as the old one would have.
        #[test]
        fn replay_gives_the_same_search((grid, rules) in world(), picks in prop::collection::vec(any::<u16>(), 3..10)) {
            let open: Vec<_> = grid.open_ids().collect();
            prop_assume!(!open.is_empty());
            let graph = GridGraph::new(&grid, rules, 1);
            let pick = |p: u16| open[p as usize % open.len()].0;
            let mut field = TrueDistance::new(&graph, pick(picks[0]), Some(pick(picks[1])));
            for &p in &picks[2..] {
                field.distance(&graph, pick(p));
            }
            let mut twin = TrueDistance::replay(&graph, field.goal(), &field.past());
            for node in &open {
                prop_assert_eq!(twin.distance(&graph, node.0), field.distance(&graph, node.0));
                prop_assert_eq!(twin.expanded(), field.expanded());
            }
        }
    }

    /// A unit pushed far off its way must not make the search flood the whole map towards a place that
    /// nobody asks about any more.
    #[test]
    fn it_starts_again_when_its_work_grows_too_large() {
        let grid = Grid::empty(400, 400).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(throng_core::Cell::new(x, y)).unwrap().0;
        let mut field = TrueDistance::new(&graph, id(200, 200), Some(id(210, 200)));
        assert_eq!(field.distance(&graph, id(210, 200)), Some(10));
        let near = field.expanded();
        assert!(near < 30, "{near}");
        assert_eq!(field.distance(&graph, id(100, 200)), Some(100));
        assert_eq!(field.restarts(), 1);
        assert_eq!(field.origin(), Some(id(100, 200)));
        assert!(field.expanded() < 3_000, "{}", field.expanded());
    }

    #[test]
    fn a_search_that_stays_small_stays_small_in_memory() {
        let grid = Grid::empty(512, 512).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(throng_core::Cell::new(x, y)).unwrap().0;
        let mut field = TrueDistance::new(&graph, id(256, 256), Some(id(300, 270)));
        field.distance(&graph, id(300, 270));
        assert!(field.bytes() < 8_000, "{}", field.bytes());
    }
}
