//! A* and Dijkstra on dense arrays.

mod saved;

use saved::Loaded;
pub use saved::SavedAStar;

use crate::{BucketQueue, Graph};
use throng_core::Action;

/// A reusable workspace: arrays indexed by node, stamped by search instead of being cleared.
#[derive(Clone, Debug)]
pub struct AStar {
    stamp: u32,
    nodes: Vec<Node>,
    open: BucketQueue<u32>,
    expanded: u64,
    /// Expansions that it may still do.
    room: u64,
    /// Whether the last search had no room to end.
    paused: bool,
    /// Whether the next one goes on with it.
    again: bool,
    /// A paused search from a snapshot, until it goes on.
    loaded: Option<Box<Loaded>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Twice the number of the search that reached the node, plus one once it is closed.
    stamp: u32,
    g: u32,
    parent: u32,
    action: Action,
}

impl Default for AStar {
    fn default() -> Self {
        Self {
            stamp: 0,
            nodes: Vec::new(),
            open: BucketQueue::new(1),
            expanded: 0,
            room: u64::MAX,
            paused: false,
            again: false,
            loaded: None,
        }
    }
}

impl AStar {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The cheapest way from `start` to `goal`: its cost, and its actions in `path` (emptied first).
    /// `extra(node)` is added, in ticks, to the cost of entering a node; `None` forbids it.
    ///
    /// `span` bounds how much an extra cost can be. With `extra` always `Some(0)` this is plain A*.
    pub fn path(
        &mut self,
        graph: &impl Graph,
        start: u32,
        goal: u32,
        span: u32,
        mut extra: impl FnMut(u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Option<u32> {
        self.path_past(graph, start, goal, span, |_, to| extra(to), path)
    }

    /// The same where it matters for an extra cost where a step comes from: `extra(from, to)`.
    pub fn path_past(
        &mut self,
        graph: &impl Graph,
        start: u32,
        goal: u32,
        span: u32,
        mut extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Option<u32> {
        path.clear();
        let aim = graph.aim(goal);
        let (_, cost) =
            self.run(graph, start, |node| node == goal, |n| graph.estimate(n, aim), span, &mut extra)?;
        self.trace(start, goal, path);
        Some(cost)
    }

    /// The way to whatever `arrived` says is an end of it, guided towards `aim`: that end and the cost. It is the cheapest
    /// if all ends are at the aim. [`Self::trace`] and [`Self::way`] tell the way itself; `extra` and `span` are as
    /// in [`Self::path`].
    pub fn reach<G: Graph>(
        &mut self,
        graph: &G,
        start: u32,
        aim: G::Aim,
        arrived: impl Fn(u32) -> bool,
        span: u32,
        mut extra: impl FnMut(u32) -> Option<u32>,
    ) -> Option<(u32, u32)> {
        self.run(graph, start, arrived, |n| graph.estimate(n, aim), span, &mut |_, to| extra(to))
    }

    /// The same with an estimate of the caller's, which must be a lower bound that never falls by more than an edge costs:
    /// the way is the cheapest. `extra` is as in [`Self::path_past`].
    pub fn reach_by<G: Graph>(
        &mut self,
        graph: &G,
        start: u32,
        estimate: impl Fn(u32) -> u32,
        arrived: impl Fn(u32) -> bool,
        span: u32,
        mut extra: impl FnMut(u32, u32) -> Option<u32>,
    ) -> Option<(u32, u32)> {
        self.run(graph, start, arrived, estimate, span, &mut extra)
    }

    /// Lets it expand at most `room` nodes from now on. Where that does not do, there is no path yet and
    /// [`Self::is_paused`]; whoever asks for the same after [`Self::resume`] has it go on.
    pub const fn allow(&mut self, room: u64) {
        self.room = room;
    }

    /// Whether the last search had no room to end.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Has the next search go on with the one that had no room to end, if there is one: ends, graph and span are to be the
    /// same. Extra costs may have changed meanwhile, of which it learns where it has not been yet.
    pub const fn resume(&mut self) {
        self.again = self.paused;
    }

    /// What it costs to come to a node that the last search has reached.
    #[must_use]
    pub fn cost(&self, node: u32) -> u32 {
        self.nodes[node as usize].g
    }

    /// What it costs to come to a node, if the last search has got so far as to know.
    #[must_use]
    pub fn reached(&self, node: u32) -> Option<u32> {
        let node = self.nodes.get(node as usize)?;
        (node.stamp == self.stamp.wrapping_add(1)).then_some(node.g)
    }

    /// The nodes of the way that the last search found from `start` to `end`, both included.
    pub fn way(&self, start: u32, end: u32, nodes: &mut Vec<u32>) {
        nodes.clear();
        nodes.push(end);
        let mut at = end;
        while at != start {
            at = self.nodes[at as usize].parent;
            nodes.push(at);
        }
        nodes.reverse();
    }

    /// Adds the actions of the way that the last search found from `start` to `end`.
    pub fn trace(&self, start: u32, end: u32, path: &mut Vec<Action>) {
        let mut at = end;
        while at != start {
            let node = self.nodes[at as usize];
            path.push(node.action);
            at = node.parent;
        }
        path.reverse();
    }

    /// The cost of the cheapest way to `goal`, by Dijkstra's algorithm (no heuristic).
    pub fn dijkstra(&mut self, graph: &impl Graph, start: u32, goal: u32) -> Option<u32> {
        self.run(graph, start, |node| node == goal, |_| 0, 0, &mut |_, _| Some(0)).map(|(_, cost)| cost)
    }

    /// Expansions since the workspace was made.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    fn run<G: Graph>(
        &mut self,
        graph: &G,
        start: u32,
        is_goal: impl Fn(u32) -> bool,
        estimate: impl Fn(u32) -> u32,
        span: u32,
        extra: &mut impl FnMut(u32, u32) -> Option<u32>,
    ) -> Option<(u32, u32)> {
        let span = 2 * graph.longest() + span * G::PARTS;
        if !self.goes_on(graph.len(), start, span, &estimate) {
            self.begin(graph.len(), span);
            self.nodes[start as usize] =
                Node { stamp: self.stamp, g: 0, parent: start, action: Action::Wait };
            let first = estimate(start);
            self.open.restart(first);
            self.open.push(first, start);
        }
        self.paused = false;
        let seen = self.stamp;
        while let Some((key, at)) = self.open.pop() {
            let node = &mut self.nodes[at as usize];
            if node.stamp != seen {
                continue;
            }
            let g = node.g;
            if is_goal(at) {
                node.stamp = seen + 1;
                return Some((at, g));
            }
            if self.room != u64::MAX {
                if self.room == 0 {
                    self.open.push(key, at);
                    self.paused = true;
                    return None;
                }
                self.room -= 1;
            }
            node.stamp = seen + 1;
            self.expanded += 1;
            let (nodes, open) = (&mut self.nodes, &mut self.open);
            graph.edges(at, |edge| {
                let next = &mut nodes[edge.to as usize];
                // What is closed, or was reached as cheaply, need not be asked about.
                let cost = g + graph.cost(at, &edge);
                if next.stamp == seen + 1 || (next.stamp == seen && cost >= next.g) {
                    return;
                }
                let Some(more) = extra(at, edge.to) else { return };
                let cost = cost + more * G::PARTS;
                if next.stamp != seen || cost < next.g {
                    *next = Node { stamp: seen, g: cost, parent: at, action: edge.action };
                    open.push(cost + estimate(edge.to), edge.to);
                }
            });
        }
        None
    }

    /// Whether there is a search to go on with.
    fn goes_on(&mut self, len: usize, start: u32, span: u32, estimate: &impl Fn(u32) -> u32) -> bool {
        let loaded = self.loaded.take();
        if !core::mem::take(&mut self.again) {
            return false;
        }
        loaded.is_none_or(|loaded| self.take_up(&loaded, len, start, span, estimate))
    }

    fn begin(&mut self, len: usize, span: u32) {
        if self.nodes.len() < len {
            self.nodes.resize(len, Node::default());
        }
        if !self.open.spans(span) {
            self.open = BucketQueue::new(span);
        }
        self.stamp = self.stamp.wrapping_add(2);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GridGraph;
    use throng_core::{Cell, Connectivity, Grid, Rules, Timing};

    fn rules(connectivity: Connectivity, timing: Timing) -> Rules {
        Rules { connectivity, timing, ..Rules::default() }
    }

    #[test]
    fn astar_equals_dijkstra_and_its_path_leads_there() {
        let grid = Grid::from_rows(&["......", ".@@@@.", ".@....", ".@.@@@", "......"]).unwrap();
        for rules in [
            rules(Connectivity::Four, Timing::Uniform),
            rules(Connectivity::Eight, Timing::Uniform),
            rules(Connectivity::Eight, Timing::Metric),
        ] {
            let graph = GridGraph::new(&grid, rules, if rules.timing == Timing::Metric { 5 } else { 1 });
            let mut search = AStar::new();
            let mut path = Vec::new();
            for start in grid.open_ids() {
                for goal in grid.open_ids() {
                    let cost = search.path(&graph, start.0, goal.0, 0, |_| Some(0), &mut path);
                    assert_eq!(cost, search.dijkstra(&graph, start.0, goal.0));
                    let end = path.iter().fold(grid.cell(start), |cell, &action| cell.after(action));
                    assert_eq!(end, grid.cell(goal));
                }
            }
        }
    }

    #[test]
    fn forbidden_cells_are_avoided_and_no_way_is_said() {
        let grid = Grid::from_rows(&["...", ".@.", "..."]).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x, y| grid.id(Cell::new(x, y)).unwrap().0;
        let (mut search, mut path) = (AStar::new(), Vec::new());
        let near = |n| (n != id(1, 0)).then_some(0);
        assert_eq!(search.path(&graph, id(0, 0), id(2, 0), 0, near, &mut path), Some(6));
        let shut = |n| (n != id(1, 0) && n != id(0, 1)).then_some(0);
        assert_eq!(search.path(&graph, id(0, 0), id(2, 0), 0, shut, &mut path), None);
        assert!(path.is_empty());
    }
}
