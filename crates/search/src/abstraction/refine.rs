//! Partial-refinement A* (PRA*): a whole path on a coarse level, refined level by level within a corridor.

mod saved;

pub use saved::SavedRefinement;

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
    /// Not yet: there was no room for more expansions, and it goes on when it is asked for again.
    Paused,
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
    stage: Stage,
}

/// How far a refinement has come.
#[derive(Clone, Copy, Debug, Default)]
struct Stage {
    /// The coarsest level.
    top: usize,
    /// The level that is being searched on; 0 is the ground.
    at: usize,
    /// The node of the level above whose children are the end; `None` for the goal.
    below: Option<u32>,
    /// How far it is from there to the goal, and beyond what was left out above.
    far: u32,
    /// Rings around the path on the level above that belong to its corridor.
    width: u32,
    /// On the ground. 0: within the corridor; 1: within a wider one; 2: everywhere.
    attempt: u8,
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

/// A jammed corridor gets so many more rings.
const WIDER: u32 = 2;

impl Refiner {
    /// Expansions since it was made, on all levels.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.coarse.expanded() + self.fine.expanded()
    }

    /// Looks for a way from `start` to `goal`, or for the first part of one; its actions are in `path`, the first one
    /// first. `extra` is what a step from one place to another costs more, at most `span`, or `None` where that is forbidden. `crowd` is the same
    /// for nodes above the ground, as (level, node) in units of [`super::Ruler`], at most `span_above`. No more than `room` nodes are expanded;
    /// `again`: it goes on with the search for the same that had no room to end.
    ///
    /// `progress` is the unit's own, on its way to one goal.
    #[allow(clippy::too_many_arguments)]
    pub fn path(
        &mut self,
        levels: &Abstraction,
        graph: &impl Graph<Aim = Cell>,
        ends: [u32; 2],
        how: Refinement,
        progress: &mut Progress,
        (room, mut again): (u64, bool),
        (span, mut extra): (u32, impl FnMut(u32, u32) -> Option<u32>),
        (span_above, crowd): (u32, impl Fn(usize, u32) -> u32),
        path: &mut Vec<Action>,
    ) -> Refined {
        path.clear();
        let Some(common) = levels.common(ends[0], ends[1]) else { return Refined::NoWay };
        if !again {
            self.begin(how.coarsest(common).min(usize::from(progress.level)), how.width);
        }
        self.room = room;
        if !self.descend(levels, ends, how, &mut again, progress, (span_above, &crowd)) {
            return if self.coarse.is_paused() { Refined::Paused } else { Refined::Blocked };
        }
        loop {
            if core::mem::take(&mut again) {
                self.fine.resume();
            }
            if self.on_ground(levels, graph, ends, (span, &mut extra), path) {
                return Refined::Path;
            }
            if self.fine.is_paused() {
                return Refined::Paused;
            }
            // The corridor is jammed: a wider one, then none.
            if self.stage.top == 0 || self.stage.attempt == 2 {
                return Refined::Blocked;
            }
            self.stage.attempt += 1;
            if self.stage.attempt == 1 {
                self.stage.width += WIDER;
                self.mark(levels, 1);
            }
        }
    }

    fn begin(&mut self, top: usize, width: u32) {
        self.stage = Stage { top, at: top, width, ..Stage::default() };
    }

    /// Lays the last corridor for a search on the ground: its end is where the unit is to go next. Answers how far it
    /// is to the goal in all, in units of [`super::Ruler`]; `Some(None)` if there is no way, `None` if there was no room
    /// to find out. `again`: it goes on with what had no room to end.
    #[allow(clippy::too_many_arguments)]
    pub fn lay(
        &mut self,
        levels: &Abstraction,
        [start, goal]: [u32; 2],
        how: Refinement,
        progress: &mut Progress,
        (room, mut again): (u64, bool),
        (span_above, crowd): (u32, impl Fn(usize, u32) -> u32),
        corridor: &mut Corridor,
    ) -> Option<Option<u32>> {
        let Some(common) = levels.common(start, goal).filter(|_| levels.parent(0, start).is_some()) else {
            return Some(None);
        };
        if !again {
            self.begin(how.coarsest(common).min(usize::from(progress.level)).max(1), how.width);
        }
        self.room = room;
        // Who goes on on the ground has been measuring.
        if self.stage.at > 0 {
            let ends = [start, goal];
            if !self.descend(levels, ends, how, &mut again, progress, (span_above, &crowd)) {
                return if self.coarse.is_paused() { None } else { Some(None) };
            }
            self.begin_measure(levels, corridor);
        }
        self.measure(levels, corridor).then_some(Some(self.stage.far))
    }

    /// Makes the corridor that was laid last so many rings wide. Answers whether there was room to measure it;
    /// [`Self::measure_on`] goes on.
    pub fn widen(&mut self, levels: &Abstraction, width: u32, room: u64, corridor: &mut Corridor) -> bool {
        // Whoever is alone on its cell has none.
        if self.path.is_empty() {
            return true;
        }
        self.room = room;
        self.stage.width = width;
        self.mark(levels, 1);
        self.begin_measure(levels, corridor);
        self.measure(levels, corridor)
    }

    /// Goes on measuring a corridor; answers whether there was room for all of it.
    pub fn measure_on(&mut self, levels: &Abstraction, room: u64, corridor: &mut Corridor) -> bool {
        self.room = room;
        self.measure(levels, corridor)
    }

    /// The path on level 1 that the last corridor was laid around.
    pub fn laid(&self) -> impl Iterator<Item = u32> + '_ {
        self.path.iter().copied()
    }

    /// Lays a corridor again around a path that is told by places, so many rings wide: for a search that goes on, which
    /// has paid for so much of it, or for all.
    pub fn lay_again(
        &mut self,
        levels: &Abstraction,
        path: &[u32],
        width: u32,
        paid: Option<u64>,
        corridor: &mut Corridor,
    ) {
        self.path.clear();
        self.path.extend(path.iter().filter_map(|&place| levels.parent(0, place)));
        if self.path.is_empty() {
            return;
        }
        self.stage.width = width;
        self.mark(levels, 1);
        self.begin_measure(levels, corridor);
        let inside = |node: u32| is_marked(&self.marks, self.corridor, node);
        corridor.measure_again(levels, paid.unwrap_or(u64::MAX), inside);
    }

    fn begin_measure(&self, levels: &Abstraction, corridor: &mut Corridor) {
        if let Some(&end) = self.path.last() {
            corridor.begin(levels, end);
        }
    }

    fn measure(&self, levels: &Abstraction, corridor: &mut Corridor) -> bool {
        corridor.measure(levels, self.room, |node| is_marked(&self.marks, self.corridor, node))
    }

    /// Searches down to the first level, with a corridor around what was found there. Answers whether that came to its end.
    fn descend(
        &mut self,
        levels: &Abstraction,
        ends: [u32; 2],
        how: Refinement,
        again: &mut bool,
        progress: &mut Progress,
        crowd: (u32, &impl Fn(usize, u32) -> u32),
    ) -> bool {
        while self.stage.at > 0 {
            if core::mem::take(again) {
                self.coarse.resume();
            }
            let Stage { top, at, below, .. } = self.stage;
            let Some(cost) = self.coarse_path(levels, ends, crowd) else { return false };
            if at == top {
                progress.note(top as u8, cost);
            }
            let most = how.k.map_or(usize::MAX, |k| progress.longer(k) as usize + 1);
            let whole = self.coarse.cost(self.path[self.path.len() - 1]);
            let is_part = self.path.len() > most || below.is_some();
            self.path.truncate(if is_part { most } else { usize::MAX });
            let last = self.path[self.path.len() - 1];
            self.stage.below = is_part.then_some(last);
            // What is left out here is not part of any finer path.
            let part = self.coarse.cost(last);
            self.stage.far += whole - part + if at == 1 { part } else { 0 };
            self.stage.at -= 1;
            self.mark(levels, at);
        }
        true
    }

    /// Where the search on the present level leads.
    fn end(&self, levels: &Abstraction, goal: u32) -> End {
        match self.stage.below {
            Some(node) => End::Below(node, levels.spot(self.stage.at + 1, node)),
            None => End::Node(levels.ancestor(goal, self.stage.at).1),
        }
    }

    /// A path on a level above the ground, in [`Self::path`]; within the corridor if there is one. Answers what it costs, if
    /// there is any.
    fn coarse_path(
        &mut self,
        levels: &Abstraction,
        [start, goal]: [u32; 2],
        (span, crowd): (u32, &impl Fn(usize, u32) -> u32),
    ) -> Option<u32> {
        let Stage { top, at: level, .. } = self.stage;
        let (end, start) = (self.end(levels, goal), levels.ancestor(start, level).1);
        let graph = Floor::new(levels, level);
        let (parents, marks, corridor) = (levels.parents(level), &self.marks[..], self.corridor);
        let inside = |node: u32| {
            let allowed = level == top || is_marked(marks, corridor, parents[node as usize]);
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
        self.coarse.allow(self.room);
        let found = self.coarse.reach(&graph, start, aim, arrived, span, inside);
        self.spend(self.coarse.expanded() - before);
        let (last, cost) = found?;
        self.coarse.way(start, last, &mut self.path);
        Some(cost)
    }

    /// A path on the ground.
    fn on_ground(
        &mut self,
        levels: &Abstraction,
        graph: &impl Graph<Aim = Cell>,
        [start, goal]: [u32; 2],
        (span, extra): (u32, &mut impl FnMut(u32, u32) -> Option<u32>),
        path: &mut Vec<Action>,
    ) -> bool {
        let end = self.end(levels, goal);
        let (parents, marks, corridor) = (levels.parents(0), &self.marks[..], self.corridor);
        let bounded = self.stage.top > 0 && self.stage.attempt < 2;
        let inside = |from: u32, node: u32| {
            let allowed = !bounded || is_marked(marks, corridor, parents[node as usize]);
            if allowed { extra(from, node) } else { None }
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
        let found = self.fine.reach_by(graph, start, |node| graph.estimate(node, aim), arrived, span, inside);
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

    /// Makes [`Self::path`], which is on this level, and rings around it the corridor.
    fn mark(&mut self, levels: &Abstraction, level: usize) {
        if self.marks.len() < levels.len(level) {
            self.marks.resize(levels.len(level), 0);
        }
        self.corridor = self.corridor.wrapping_add(1);
        if self.corridor == 0 {
            self.marks.fill(0);
            self.corridor = 1;
        }
        let Self { marks, corridor, path, ring, stage, .. } = self;
        let graph = Floor::new(levels, level);
        ring.clear();
        ring.extend_from_slice(path);
        ring.iter().for_each(|&node| marks[node as usize] = *corridor);
        let mut begin = 0;
        for _ in 0..stage.width {
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
