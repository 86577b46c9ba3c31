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
    /// Whether there was no room to measure it.
    blind: bool,
}

impl Corridor {
    /// Takes up a corridor whose end is a node of level 1, with all nodes that are `inside`; answers the expansions. Where `room`
    /// does not do, nothing is known of it and the straight line has to lead on.
    pub(super) fn measure(
        &mut self,
        levels: &Abstraction,
        end: u32,
        room: u64,
        inside: impl Fn(u32) -> bool,
    ) -> u64 {
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
        let Self { nodes, stamp, open: Some(open), blind, .. } = self else { return 0 };
        let mut work = 0;
        *blind = false;
        open.restart(0);
        nodes[end as usize] = (*stamp, 0);
        open.push(0, end);
        while let Some((far, node)) = open.pop() {
            if nodes[node as usize].1 != far {
                continue;
            }
            if work == room {
                *blind = true;
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
        self.expanded += work;
        work
    }

    /// The same for a corridor that has been measured, or left `blind`, before: that is not counted again.
    pub(super) fn measure_again(
        &mut self,
        levels: &Abstraction,
        end: u32,
        blind: bool,
        inside: impl Fn(u32) -> bool,
    ) {
        let work = self.measure(levels, end, if blind { 0 } else { u64::MAX }, inside);
        self.expanded -= work;
    }

    /// Whether there was no room to measure it.
    #[must_use]
    pub const fn is_blind(&self) -> bool {
        self.blind
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
            everywhere: self.blind,
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
