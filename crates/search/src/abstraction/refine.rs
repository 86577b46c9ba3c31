//! Partial-refinement A* (PRA*): a whole path on a coarse level, refined level by level within a corridor.

use super::ruler::FINE;
use super::{Abstraction, Corridor, Floor, Spot};
use crate::{AStar, Graph};
use throng_core::{Action, Cell};

/// How to refine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refinement {
    /// How many edges of a path are refined on the next level; all of them if `None`.
    pub k: Option<u32>,
    /// How many rings of neighbours the corridor has around the path.
    pub width: u32,
    /// The coarsest level to search on; by how far apart both ends are if `None`.
    pub level: Option<usize>,
}

impl Refinement {
    /// The level to begin on for ends that are in one node on level `common`.
    fn coarsest(&self, common: usize) -> usize {
        self.level.map_or(common / 2, |level| level.min(common.saturating_sub(1)))
    }
}

/// How far a unit has come on its way to one goal, which it asks for part by part. A part may end where the rest of the way
/// looks different, and units could go to and fro; so a unit that does not come nearer on its coarsest level is given longer
/// and longer parts, in the end the whole way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// The coarsest level that it may still be searched for on.
    level: u8,
    /// The least cost of the rest of its way, on that level.
    best: u32,
    /// Parts since then.
    parts: u16,
}

impl Default for Progress {
    fn default() -> Self {
        Self { level: u8::MAX, best: u32::MAX, parts: 0 }
    }
}

/// After so many parts without coming nearer the next ones are twice as long.
const PATIENCE: u16 = 16;

impl Progress {
    /// Whether nothing has been asked for yet.
    #[must_use]
    pub const fn is_new(&self) -> bool {
        self.level == u8::MAX
    }

    /// On `level` the rest of the way costs so much.
    fn note(&mut self, level: u8, rest: u32) {
        if level < self.level || rest < self.best {
            *self = Self { level, best: rest, parts: 0 };
        } else {
            self.parts = self.parts.saturating_add(1);
        }
    }

    /// How many edges to refine where `k` are asked for.
    fn longer(&self, k: u32) -> u32 {
        k.saturating_mul(1 << (self.parts / PATIENCE).min(20))
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refined {
    /// With a path to the goal, or to the end of the corridor.
    Path,
    /// With a piece of it: there was no room for more expansions.
    Part,
    /// Everything was searched and whatever the caller forbids is in the way.
    Blocked,
    /// There is no way on this map.
    NoWay,
}

/// A workspace for partial refinement.
#[derive(Clone, Debug, Default)]
pub struct Refiner {
    coarse: AStar,
    fine: AStar,
    /// By node: the number of the corridor that it was last part of.
    marks: Vec<u32>,
    corridor: u32,
    path: Vec<u32>,
    ring: Vec<u32>,
    room: u64,
}

/// Whether a node is in the corridor; nobody is not.
#[inline]
fn is_marked(marks: &[u32], corridor: u32, node: u32) -> bool {
    marks.get(node as usize).is_some_and(|&mark| mark == corridor)
}

/// Where a search on one level leads.
#[derive(Clone, Copy, Debug)]
enum End {
    /// To this node.
    Node(u32),
    /// To any child of this node of the next level, which lies there.
    Below(u32, Spot),
}

impl Refiner {
    /// Expansions since it was made, on all levels.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.coarse.expanded() + self.fine.expanded()
    }

    /// Looks for a way from `start` to `goal`, or for the first part of one; its actions are in `path`, the first one
    /// first. `extra` is what entering a place costs more, at most `span`, or `None` where that is forbidden. `crowd` is the same
    /// for nodes above the ground, as (level, node) in units of [`super::Ruler`], at most `span_above`. No more than `room` nodes are expanded.
    ///
    /// `progress` is the unit's own, on its way to one goal.
    #[allow(clippy::too_many_arguments)]
    pub fn path(
        &mut self,
        levels: &Abstraction,
        graph: &impl Graph<Aim = Cell>,
        [start, goal]: [u32; 2],
        how: Refinement,
        progress: &mut Progress,
        room: u64,
        (span, mut extra): (u32, impl FnMut(u32) -> Option<u32>),
        (span_above, crowd): (u32, impl Fn(usize, u32) -> u32),
        path: &mut Vec<Action>,
    ) -> Refined {
        path.clear();
        let Some(common) = levels.common(start, goal) else { return Refined::NoWay };
        let level = how.coarsest(common).min(usize::from(progress.level));
        self.room = room;
        let ends = [start, goal];
        let Some((end, _)) = self.descend(levels, ends, how, level, progress, (span_above, &crowd)) else {
            return Refined::Part;
        };
        let bounded = level > 0;
        if self.on_ground(levels, graph, start, end, bounded, (span, &mut extra), path) {
            return Refined::Path;
        }
        // The corridor is jammed: a wider one, then none.
        if bounded && self.room > 0 {
            self.mark(levels, 1, how.width + 2);
            for bounded in [true, false] {
                if self.on_ground(levels, graph, start, end, bounded, (span, &mut extra), path) {
                    return Refined::Path;
                }
            }
        }
        if self.fine.part(start, path) { Refined::Part } else { Refined::Blocked }
    }

    /// Lays the last corridor for a search on the ground: its end is where the unit is to go next. Answers how far it
    /// is to the goal in all, in units of [`super::Ruler`]; `Some(None)` if there is no way, `None` if there was no room
    /// to find out.
    #[allow(clippy::too_many_arguments)]
    pub fn lay(
        &mut self,
        levels: &Abstraction,
        [start, goal]: [u32; 2],
        how: Refinement,
        progress: &mut Progress,
        room: u64,
        (span_above, crowd): (u32, impl Fn(usize, u32) -> u32),
        corridor: &mut Corridor,
    ) -> Option<Option<u32>> {
        let Some(common) = levels.common(start, goal).filter(|_| levels.parent(0, start).is_some()) else {
            return Some(None);
        };
        let level = how.coarsest(common).min(usize::from(progress.level)).max(1);
        self.room = room;
        let (_, far) = self.descend(levels, [start, goal], how, level, progress, (span_above, &crowd))?;
        self.measure(levels, corridor);
        Some(Some(far))
    }

    /// Makes the corridor that was laid last so many rings wide.
    pub fn widen(&mut self, levels: &Abstraction, width: u32, room: u64, corridor: &mut Corridor) {
        // Whoever is alone on its cell has none.
        if !self.path.is_empty() {
            self.room = room;
            self.mark(levels, 1, width);
            self.measure(levels, corridor);
        }
    }

    /// The path on level 1 that the last corridor was laid around.
    pub fn laid(&self) -> impl Iterator<Item = u32> + '_ {
        self.path.iter().copied()
    }

    /// Lays a corridor again around a path that is told by places, so many rings wide: for a search that goes on, which
    /// has paid for it. `blind`: there was no room to measure it then.
    pub fn lay_again(
        &mut self,
        levels: &Abstraction,
        path: &[u32],
        width: u32,
        blind: bool,
        corridor: &mut Corridor,
    ) {
        self.path.clear();
        self.path.extend(path.iter().filter_map(|&place| levels.parent(0, place)));
        let Some(&end) = self.path.last() else { return };
        self.mark(levels, 1, width);
        corridor.measure_again(levels, end, blind, |node| self.marks[node as usize] == self.corridor);
    }

    fn measure(&self, levels: &Abstraction, corridor: &mut Corridor) {
        let end = self.path[self.path.len() - 1];
        corridor.measure(levels, end, self.room, |node| self.marks[node as usize] == self.corridor);
    }

    /// Searches from `level` down to the first, with a corridor around what was found there; answers where the rest has to
    /// lead and how far it is to the goal. `None` if there was no room for that.
    fn descend(
        &mut self,
        levels: &Abstraction,
        [start, goal]: [u32; 2],
        how: Refinement,
        level: usize,
        progress: &mut Progress,
        crowd: (u32, &impl Fn(usize, u32) -> u32),
    ) -> Option<(End, u32)> {
        let (mut end, mut far) = (End::Node(goal), 0);
        for at in (1..=level).rev() {
            let ancestor = |place| levels.ancestor(place, at).1;
            if let End::Node(_) = end {
                end = End::Node(ancestor(goal));
            }
            let cost = self.coarse_path(levels, at, ancestor(start), end, at < level, crowd)?;
            if at == level {
                progress.note(level as u8, cost);
            }
            let most = how.k.map_or(usize::MAX, |k| progress.longer(k) as usize + 1);
            let whole = self.coarse.cost(self.path[self.path.len() - 1]);
            if self.path.len() > most || matches!(end, End::Below(..)) {
                self.path.truncate(most);
                let last = self.path[self.path.len() - 1];
                end = End::Below(last, levels.spot(at, last));
            }
            // What is left out here is not part of any finer path.
            let part = self.coarse.cost(self.path[self.path.len() - 1]);
            far += whole - part + if at == 1 { part } else { 0 };
            self.mark(levels, at, how.width);
        }
        if let End::Node(_) = end {
            end = End::Node(goal);
        }
        Some((end, far))
    }

    /// A path on a level above the ground, in [`Self::path`]; within the corridor if there is one. Where there is not room enough, half
    /// of what is left goes into the beginning of one. Answers what it costs, if there is any.
    fn coarse_path(
        &mut self,
        levels: &Abstraction,
        level: usize,
        start: u32,
        end: End,
        bounded: bool,
        (span, crowd): (u32, &impl Fn(usize, u32) -> u32),
    ) -> Option<u32> {
        let graph = Floor::new(levels, level);
        let (parents, marks, corridor) = (levels.parents(level), &self.marks[..], self.corridor);
        let inside = |node: u32| {
            let allowed = !bounded || is_marked(marks, corridor, parents[node as usize]);
            allowed.then(|| crowd(level, node))
        };
        let aim = match end {
            End::Node(node) => graph.aim(node),
            End::Below(_, spot) => spot,
        };
        let arrived = |node| match end {
            End::Node(end) => node == end,
            End::Below(end, _) => parents[node as usize] == end,
        };
        let before = self.coarse.expanded();
        self.coarse.allow(if self.room == u64::MAX { u64::MAX } else { self.room.div_ceil(2) });
        let found = self.coarse.reach(&graph, start, aim, arrived, span, inside);
        self.spend(self.coarse.expanded() - before);
        let (last, cost) = found.or_else(|| Some((self.coarse.nearest()?, u32::MAX)))?;
        self.coarse.way(start, last, &mut self.path);
        Some(cost)
    }

    /// A path on the ground.
    #[allow(clippy::too_many_arguments)]
    fn on_ground(
        &mut self,
        levels: &Abstraction,
        graph: &impl Graph<Aim = Cell>,
        start: u32,
        end: End,
        bounded: bool,
        (span, extra): (u32, &mut impl FnMut(u32) -> Option<u32>),
        path: &mut Vec<Action>,
    ) -> bool {
        let (parents, marks, corridor) = (levels.parents(0), &self.marks[..], self.corridor);
        let inside = |node: u32| {
            let allowed = !bounded || is_marked(marks, corridor, parents[node as usize]);
            if allowed { extra(node) } else { None }
        };
        let aim = match end {
            End::Node(node) => graph.aim(node),
            End::Below(_, [x, y, _]) => Cell::new(x.div_euclid(FINE), y.div_euclid(FINE)),
        };
        let arrived = |node| match end {
            End::Node(end) => node == end,
            End::Below(end, _) => parents[node as usize] == end,
        };
        let before = self.fine.expanded();
        self.fine.allow(self.room);
        let found = self.fine.reach(graph, start, aim, arrived, span, inside);
        self.spend(self.fine.expanded() - before);
        if let Some((node, _)) = found {
            path.clear();
            self.fine.trace(start, node, path);
        }
        found.is_some()
    }

    fn spend(&mut self, work: u64) {
        if self.room != u64::MAX {
            self.room = self.room.saturating_sub(work);
        }
    }

    /// Makes [`Self::path`], which is on this level, and so many rings around it the corridor.
    fn mark(&mut self, levels: &Abstraction, level: usize, width: u32) {
        if self.marks.len() < levels.len(level) {
            self.marks.resize(levels.len(level), 0);
        }
        self.corridor = self.corridor.wrapping_add(1);
        if self.corridor == 0 {
            self.marks.fill(0);
            self.corridor = 1;
        }
        let Self { marks, corridor, path, ring, .. } = self;
        let graph = Floor::new(levels, level);
        ring.clear();
        ring.extend_from_slice(path);
        ring.iter().for_each(|&node| marks[node as usize] = *corridor);
        let mut begin = 0;
        for _ in 0..width {
            let end = ring.len();
            for place in begin..end {
                graph.edges(ring[place], |edge| {
                    if marks[edge.to as usize] != *corridor {
                        marks[edge.to as usize] = *corridor;
                        ring.push(edge.to);
                    }
                });
            }
            begin = end;
        }
    }
}
