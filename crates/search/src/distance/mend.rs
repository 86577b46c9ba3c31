//! Mending true distances when places close or open.
//!
//! Everything of the contours so far is made right again, as LPA* does: by nodes whose distance to the goal is not what
//! their neighbours make of it, in the order of the way through them to the origin. Nothing beyond is looked at: the
//! contours reach as far as the farthest asker needed. What a mended search knows is what a new one would know that has
//! come as far.
//!
//! Nothing is kept for this in the ordinary search, so that worlds that do not change pay nothing.
//!
//! Source: Koenig, Likhachev and Furcy, "Lifelong Planning A*" (2004).

use super::TrueDistance;
use crate::Graph;
use core::cmp::Reverse;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// The distance of a node that nothing is known to lead from.
const FAR: u32 = u32::MAX;

/// What a node counts that a mended search has closed.
pub(super) const BYTES: usize = 8;

/// What a search needs while it is mended.
#[derive(Default)]
struct Mending {
    /// What their neighbours make of closed nodes, where that is not what they are closed with.
    rhs: FxHashMap<u32, u32>,
    /// Nodes to look at, by key, distance and number.
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// Open nodes with a new distance.
    opened: Vec<u32>,
}

impl TrueDistance {
    /// Takes up that places have closed or opened; `graph` is how the world is now. Where that takes more than `most`
    /// expansions, or the graph cannot tell what has changed, it begins anew and answers `false`.
    pub fn mend(&mut self, graph: &impl Graph, places: &[u32], most: u64) -> bool {
        let (before, last) = (self.expanded, self.open.floor());
        let mut mending = Mending::default();
        if self.midway {
            // What is left of a contour that was begun.
            let (queued, ..) = self.open.save();
            let open = |node: u32| (self.entries.of(node) >> 1) - 1;
            let left = queued.into_iter().filter(|&(key, _)| key <= last);
            mending.queue.extend(left.map(|(key, node)| Reverse((key, open(node), node))));
        }
        let known = self.closed > 0
            && places
                .iter()
                .all(|&place| graph.touched(place, |node| self.update(graph, &mut mending, node)));
        let most = before.saturating_add(most);
        let whole = known
            && loop {
                let Some(Reverse((key, _, node))) = mending.queue.pop() else { break true };
                if key > last {
                    break true;
                }
                let (g, rhs) = self.values(&mending, node);
                if g == rhs || key != self.key(graph, node, g.min(rhs)) {
                    continue;
                }
                if self.expanded == most {
                    break false;
                }
                self.expanded += 1;
                if rhs < g {
                    self.spread(graph, &mut mending, node, rhs);
                } else {
                    self.give_up(graph, &mut mending, node, g);
                }
            };
        if !whole {
            self.begin(graph);
            return false;
        }
        self.requeue(graph, &mending, last);
        (self.midway, self.mended) = (false, true);
        true
    }

    /// The distance that a node is closed with, and the one that its neighbours make of it.
    fn values(&self, mending: &Mending, node: u32) -> (u32, u32) {
        match self.entries.of(node) {
            0 => (FAR, FAR),
            entry if entry & 1 == 0 => (FAR, (entry >> 1) - 1),
            entry => {
                let g = (entry >> 1) - 1;
                (g, mending.rhs.get(&node).copied().unwrap_or(g))
            }
        }
    }

    fn key(&self, graph: &impl Graph, node: u32, distance: u32) -> u32 {
        distance + self.origin.map_or(0, |origin| graph.estimate(node, graph.aim(origin)))
    }

    fn set_entry(&mut self, node: u32, entry: u32) {
        let slot = if self.entries.is_whole() {
            self.entries.slot::<true>(node)
        } else {
            self.entries.slot::<false>(node)
        };
        self.entries.set(slot, entry);
    }

    /// Notes what its neighbours make of a node, and queues it if that is not what it is closed with.
    fn note(&mut self, graph: &impl Graph, mending: &mut Mending, node: u32, (g, rhs): (u32, u32)) {
        if g == FAR {
            self.set_entry(node, rhs.wrapping_add(1) << 1);
            mending.opened.push(node);
        } else if g == rhs {
            mending.rhs.remove(&node);
        } else {
            mending.rhs.insert(node, rhs);
        }
        if g != rhs {
            let least = g.min(rhs);
            mending.queue.push(Reverse((self.key(graph, node, least), least, node)));
        }
    }

    /// Works out what its neighbours make of a node.
    fn update(&mut self, graph: &impl Graph, mending: &mut Mending, node: u32) {
        let (g, rhs) = self.values(mending, node);
        let mut least = if graph.roots(self.goal).contains(&node) { 0 } else { FAR };
        graph.edges(node, |edge| {
            if let Some(known) = self.known(edge.to) {
                least = least.min(known + edge.duration);
            }
        });
        if least != rhs {
            self.note(graph, mending, node, (g, least));
        }
    }

    /// Closes a node that has come nearer.
    fn spread(&mut self, graph: &impl Graph, mending: &mut Mending, node: u32, distance: u32) {
        self.closed += u64::from(self.known(node).is_none());
        mending.rhs.remove(&node);
        self.set_entry(node, (distance + 1) << 1 | 1);
        let roots = graph.roots(self.goal);
        graph.edges(node, |edge| {
            let (g, rhs) = self.values(mending, edge.to);
            let new = distance + edge.duration;
            if new < rhs && !roots.contains(&edge.to) {
                self.note(graph, mending, edge.to, (g, new));
            }
        });
    }

    /// Opens a node that may be farther than it was, and looks at whatever relied on it.
    fn give_up(&mut self, graph: &impl Graph, mending: &mut Mending, node: u32, distance: u32) {
        self.closed -= 1;
        let rhs = mending.rhs.remove(&node).unwrap_or(FAR);
        self.note(graph, mending, node, (FAR, rhs));
        graph.edges(node, |edge| {
            if self.values(mending, edge.to).1 == distance.saturating_add(edge.duration) {
                self.update(graph, mending, edge.to);
            }
        });
    }

    /// Queues the open nodes as they are now, all of them beyond the contours so far.
    fn requeue(&mut self, graph: &impl Graph, mending: &Mending, last: u32) {
        let (queued, ..) = self.open.save();
        self.open.restart(last);
        let opened = mending.opened.iter().map(|&node| (FAR, node));
        for (key, node) in queued.into_iter().chain(opened) {
            let entry = self.entries.of(node);
            if entry == 0 || entry & 1 == 1 {
                continue;
            }
            let now = self.key(graph, node, (entry >> 1) - 1);
            if key == now || key == FAR {
                self.open.push(now, node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AStar, GridGraph};
    use proptest::prelude::*;
    use throng_core::{Cell, CellId, Connectivity, Grid, Rules, TerrainPolicy, Timing};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever was asked before and whatever closes and opens: every answer is Dijkstra's, it has closed what a
        /// new search would have, and goes on at the same cost.
        #[test]
        fn a_mended_search_is_as_good_as_a_new_one(
            letters in prop::collection::vec(prop_oneof![3 => Just(b'.'), 1 => Just(b'@')], 16 * 11),
            (eight, metric, body) in (any::<bool>(), any::<bool>(), 1..3u8),
            (goal, origin) in (any::<u16>(), any::<Option<u16>>()),
            rounds in prop::collection::vec(
                (prop::collection::vec(any::<u16>(), 0..4), prop::collection::vec(any::<u16>(), 0..5), 0..40u64),
                1..8,
            ),
        ) {
            let mut grid = Grid::new(16, 11, &letters, TerrainPolicy::default()).unwrap();
            let rules = Rules {
                connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
                timing: if metric { Timing::Metric } else { Timing::Uniform },
                ..Rules::default()
            };
            let period = if metric { 5 } else { 1 };
            let stride = grid.width() as u32 + 1;
            let spot = |k: u16| (u32::from(k) / 16 % 11 + 1) * stride + u32::from(k) % 16;
            let graph = GridGraph::with_body(&grid, rules, body, period);
            let mut field = TrueDistance::new(&graph, spot(goal), origin.map(spot));
            let mut judge = AStar::new();
            for (toggles, asked, room) in rounds {
                for &k in &toggles {
                    let letter = if grid.is_open_id(CellId(spot(k))) { b'@' } else { b'.' };
                    prop_assert_eq!(grid.set_letter(CellId(spot(k)), letter), Ok(true));
                }
                let graph = GridGraph::with_body(&grid, rules, body, period);
                let places: Vec<_> = toggles.iter().copied().map(spot).collect();
                if !places.is_empty() {
                    field.mend(&graph, &places, if room < 10 { room } else { u64::MAX });
                }
                // It may stop within a contour, and be mended then.
                field.allow(room);
                for &k in &asked {
                    if field.settle(&graph) {
                        let answer = field.distance(&graph, spot(k));
                        let starved = field.is_starved();
                        prop_assert!(starved || answer == judge.dijkstra(&graph, spot(k), spot(goal)));
                    }
                }
                let mut twin = TrueDistance::replay(&graph, field.goal(), &field.past());
                prop_assert_eq!(twin.past(), field.past());
                prop_assert!(twin.mended != field.mended || twin.bytes() == field.bytes() || !field.mended);
                let mut whole = field.clone();
                for search in [&mut twin, &mut whole] {
                    search.allow(u64::MAX);
                    search.settle(&graph);
                }
                prop_assert_eq!(twin.past(), whole.past());
                for node in (0..graph.len() as u32).filter(|&node| grid.contains(grid.cell(CellId(node)))) {
                    if field.is_midway() || whole.known(node).is_none() {
                        continue;
                    }
                    prop_assert_eq!(whole.known(node), judge.dijkstra(&graph, node, spot(goal)));
                }
                for &k in &asked {
                    let far = whole.distance(&graph, spot(k));
                    prop_assert_eq!(far, judge.dijkstra(&graph, spot(k), spot(goal)));
                    prop_assert_eq!(twin.distance(&graph, spot(k)), far);
                    if let Some(known) = far {
                        let mut beside = Vec::new();
                        graph.edges(spot(k), |edge| beside.push(edge.to));
                        for next in beside {
                            let far = judge.dijkstra(&graph, next, spot(goal));
                            prop_assert_eq!(whole.beside(&graph, known, next), far);
                            prop_assert_eq!(twin.beside(&graph, known, next), far);
                        }
                    }
                    prop_assert_eq!(twin.expanded(), whole.expanded());
                }
            }
        }
    }

    /// A door in a wall far from most of what is known: only what lay behind it is looked at again.
    #[test]
    fn little_is_mended_where_little_has_changed() {
        let mut grid = Grid::empty(200, 200).unwrap();
        let id = |grid: &Grid, x, y| grid.id(Cell::new(x, y)).unwrap();
        let (goal, asker) = (id(&grid, 100, 100), id(&grid, 0, 0));
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let mut field = TrueDistance::new(&graph, goal.0, None);
        field.distance(&graph, asker.0);
        let whole = field.expanded();
        assert_eq!(whole, 200 * 200);
        for (cell, most) in [((120, 130), 1), ((120, 130), 1), ((100, 101), 300)] {
            let cell = id(&grid, cell.0, cell.1);
            let letter = if grid.is_open_id(cell) { b'@' } else { b'.' };
            grid.set_letter(cell, letter).unwrap();
            let graph = GridGraph::new(&grid, Rules::default(), 1);
            let before = field.expanded();
            assert!(field.mend(&graph, &[cell.0], u64::MAX));
            assert!(field.expanded() - before <= most, "{}", field.expanded() - before);
            assert_eq!(field.distance(&graph, asker.0), Some(200));
        }
        // What would take too long is begun anew.
        let beside = [(99, 100), (101, 100), (100, 99)].map(|(x, y)| id(&grid, x, y));
        assert!(beside.iter().all(|&cell| grid.set_letter(cell, b'@') == Ok(true)));
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        assert!(!field.mend(&graph, &beside.map(|cell| cell.0), 100));
        assert_eq!((field.size().1, field.distance(&graph, asker.0)), (0, None));
    }
}
