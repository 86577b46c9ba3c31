//! The last corridor of a refinement as the guide of a search in space and time.

use super::{Abstraction, Floor, Ruler};
use crate::{BucketQueue, Graph, GridGraph, Heuristic};
use throng_core::Cell;

/// How far every place in a corridor of level 1 is from the corridor's end; places outside of it have no way there.
#[derive(Clone, Debug, Default)]
pub struct Corridor {
    /// By node of level 1: the number of the corridor, and the distance.
    nodes: Vec<(u32, u32)>,
    stamp: u32,
    open: Option<BucketQueue<u32>>,
    longest: u32,
    expanded: u64,
    /// Expansions that this corridor has taken so far, and whether that is not all of it.
    work: u64,
    paused: bool,
}

impl Corridor {
    /// Takes up a corridor whose end is a node of level 1.
    pub(super) fn begin(&mut self, levels: &Abstraction, end: u32) {
        let graph = Floor::new(levels, 1);
        self.longest = graph.longest();
        if self.nodes.len() < graph.len() {
            self.nodes.resize(graph.len(), (0, 0));
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.nodes.fill((0, 0));
            self.stamp = 1;
        }
        if self.open.as_ref().is_none_or(|open| !open.spans(self.longest)) {
            self.open = Some(BucketQueue::new(self.longest));
        }
        self.nodes[end as usize] = (self.stamp, 0);
        if let Some(open) = &mut self.open {
            open.restart(0);
            open.push(0, end);
        }
        (self.work, self.paused) = (0, true);
    }

    /// Measures all nodes that are `inside`, as far as there is room; answers whether that was enough. Otherwise it goes on from
    /// there the next time.
    pub(super) fn measure(&mut self, levels: &Abstraction, room: u64, inside: impl Fn(u32) -> bool) -> bool {
        let graph = Floor::new(levels, 1);
        let Self { nodes, stamp, open: Some(open), .. } = self else { return true };
        let mut work = 0;
        self.paused = false;
        while let Some((far, node)) = open.pop() {
            if nodes[node as usize].1 != far {
                continue;
            }
            if work == room {
                open.push(far, node);
                self.paused = true;
                break;
            }
            work += 1;
            graph.edges(node, |edge| {
                let (seen, known) = nodes[edge.to as usize];
                let new = far + edge.duration;
                if inside(edge.to) && (seen != *stamp || new < known) {
                    nodes[edge.to as usize] = (*stamp, new);
                    open.push(new, edge.to);
                }
            });
        }
        self.work += work;
        self.expanded += work;
        !self.paused
    }

    /// The same for as much of a corridor as has been measured before: that is not counted again.
    pub(super) fn measure_again(&mut self, levels: &Abstraction, work: u64, inside: impl Fn(u32) -> bool) {
        let before = self.expanded;
        self.measure(levels, work, inside);
        self.expanded = before;
    }

    /// How much of it has been measured, if not all.
    #[must_use]
    pub const fn measured(&self) -> Option<u64> {
        if self.paused { Some(self.work) } else { None }
    }

    /// Expansions since it was made.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// As the guide of a unit that goes to `goal`, or beyond the end of the corridor towards it.
    #[must_use]
    pub fn guide<'a>(
        &'a self,
        levels: &'a Abstraction,
        ground: GridGraph<'a>,
        goal: u32,
        straight: u32,
    ) -> Guide<'a> {
        let last = levels.parent(0, goal).map(|last| self.nodes[last as usize]);
        let ends = last == Some((self.stamp, 0));
        Guide {
            corridor: self,
            levels,
            ground,
            goal,
            aim: ground.aim(goal),
            straight,
            ends,
            everywhere: false,
        }
    }
}

/// See [`Corridor::guide`].
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    corridor: &'a Corridor,
    levels: &'a Abstraction,
    ground: GridGraph<'a>,
    goal: u32,
    aim: Cell,
    straight: u32,
    /// Whether the corridor ends with the goal.
    ends: bool,
    everywhere: bool,
}

impl Guide<'_> {
    /// The same without a corridor: the straight line to the goal leads on.
    #[must_use]
    pub const fn everywhere(self) -> Self {
        Self { everywhere: true, ..self }
    }
}

impl<G: Graph> Heuristic<G> for Guide<'_> {
    const CONSISTENT: bool = false;

    fn slack(&self, graph: &G) -> u32 {
        4 * (self.corridor.longest * self.straight).div_ceil(Ruler::SCALE) + 2 * graph.longest()
    }

    #[inline]
    fn distance(&mut self, graph: &G, node: u32) -> Option<u32> {
        let place = graph.place(node);
        if self.everywhere {
            return Some(self.ground.estimate(place, self.aim));
        }
        let above = self.levels.parent(0, place)?;
        let (stamp, far) = self.corridor.nodes[above as usize];
        if stamp != self.corridor.stamp {
            return None;
        }
        let far = far * self.straight / Ruler::SCALE;
        // In the last node, where the corridor tells nothing, the straight line does.
        Some(if self.ends && far == 0 { self.ground.estimate(place, self.aim) } else { far })
    }

    #[inline]
    fn beside(&mut self, graph: &G, _known: u32, node: u32) -> Option<u32> {
        self.distance(graph, node)
    }

    #[inline]
    fn is_home(&self, graph: &G, node: u32) -> bool {
        self.goal == graph.place(node)
    }
}
