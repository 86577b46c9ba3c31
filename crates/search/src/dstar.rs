//! D* Lite: the way of one unit to its goal, repaired when edges change instead of being searched anew.

use crate::distance::sheet::{NARROW, Sheet};
use crate::{Edge, Graph};
use core::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// The distance of a node that nothing is known to lead from.
const FAR: u32 = u32::MAX;

/// Keys are worked out anew before they get larger than this.
const MOST_DRIFT: u32 = 1 << 28;

/// No distance is this long; whoever says otherwise has a broken file.
const LONGEST: u32 = 1 << 28;

/// A queued node that has come nearer: key, depth, how far it is off the line, number, `rhs`.
type Gained = (u32, u32, u32, u32, u32);

/// How many steps around a lost node others are tried that may support it.
const AROUND: u32 = 4;

/// How a search has come along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayFound {
    /// A shortest way is known; it costs this much.
    Way(u32),
    /// Nothing leads to the goal.
    NoWay,
    /// There was no room to find out; the search goes on when it is asked again.
    OutOfRoom,
}

/// D* Lite (Koenig and Likhachev): a backwards search from a goal towards where a unit is, which keeps what it knows when
/// edges change and when the unit moves. For every node there are two numbers: its distance to the goal as it was last
/// spread to its neighbours (`g`), and as its neighbours have it by now (`rhs`). Nodes where they differ are queued; a search
/// spreads them in the order of a lower bound on the whole way through them, and stops as soon as none of the rest can
/// matter to the unit.
///
/// Beyond the article, which takes nodes with equal bounds in the order of their distance to the goal: of those that have
/// come nearer the one nearest to the unit and to the straight line comes first, so that over open ground the search goes
/// straight ahead as A* does; and before a node is given up as lost, those around it with the same bound that are nearer to
/// the goal are spread, so that a closing beside which another way is as short costs next to nothing. Among equal bounds
/// any order gives the same distances.
///
/// What is in the queue follows from `g` and from where the unit was first, so that [`Self::save`] need not tell more.
#[derive(Clone, Debug)]
pub struct DStarLite {
    goal: u32,
    start: u32,
    /// Where the unit was at first: the search keeps to the straight line from there.
    origin: u32,
    /// Where the unit was when keys were last worked out.
    anchor: u32,
    /// By how much keys worked out now are larger than such as would be without the moves so far.
    drift: u32,
    /// `g` at twice the node, `rhs` beside it; plus one, so that 0 stands for [`FAR`].
    sheet: Sheet,
    /// Nodes with `g` below `rhs`, by key and `g`. Entries that are no longer true are dropped when they come up.
    lost: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// Nodes with `g` above `rhs`: by key, depth, how far they are from the line, and number; with their `rhs`.
    gained: BTreeSet<Gained>,
    expanded: u64,
}

impl DStarLite {
    /// A search that has not begun, for a unit at `start`.
    #[must_use]
    pub fn new(graph: &impl Graph, goal: u32, start: u32) -> Self {
        let mut search = Self {
            goal,
            start,
            origin: start,
            anchor: start,
            drift: 0,
            sheet: Sheet::new(2 * graph.len(), 2 * graph.stride()),
            lost: BinaryHeap::new(),
            gained: BTreeSet::new(),
            expanded: 0,
        };
        let roots = graph.roots(goal);
        search.sheet.begin([2 * roots.start, 2 * start]);
        for root in roots {
            search.set(root, FAR, 0);
            search.enqueue(graph, root);
        }
        search
    }

    /// Where it leads.
    #[must_use]
    pub const fn goal(&self) -> u32 {
        self.goal
    }

    /// Where the unit is.
    #[must_use]
    pub const fn start(&self) -> u32 {
        self.start
    }

    /// Where the unit was at first.
    #[must_use]
    pub const fn origin(&self) -> u32 {
        self.origin
    }

    /// Expansions since it was made.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.sheet.bytes() + self.lost.len() * 12 + self.gained.len() * 20
    }

    /// The unit is elsewhere now.
    pub const fn advance(&mut self, start: u32) {
        self.start = start;
    }

    /// Edges of `node` have changed; `graph` is how they are now. Has to be told of both ends of every such edge.
    pub fn changed(&mut self, graph: &impl Graph, node: u32) {
        self.take_bearings(graph);
        self.update(graph, node);
    }

    /// A place has closed or opened; `graph` is how the world is now. Answers `false` if the graph cannot tell what that
    /// changes: then a new search is needed.
    pub fn place_changed(&mut self, graph: &impl Graph, place: u32) -> bool {
        self.take_bearings(graph);
        graph.touched(place, |node| self.update(graph, node))
    }

    /// Finds the way from where the unit is, with so many expansions at most.
    pub fn search(&mut self, graph: &impl Graph, room: u64) -> WayFound {
        self.take_bearings(graph);
        let aim = graph.aim(self.start);
        let last = self.expanded.saturating_add(room);
        loop {
            let lost = self.first_lost(graph, aim);
            let gained = self.first_gained(graph, aim);
            let (g, rhs) = self.of(self.start);
            let far = g.min(rhs);
            let bound = far.saturating_add(self.drift);
            // What is lost may be on the way itself; what is gained must promise a shorter one.
            let lost = lost.filter(|&(key, _)| key <= bound && gained.is_none_or(|(least, _)| key <= least));
            let gained = gained.filter(|&(key, _)| key < bound);
            let Some((_, node)) = lost.or(gained) else {
                return if far == FAR { WayFound::NoWay } else { WayFound::Way(far) };
            };
            if self.expanded == last {
                return WayFound::OutOfRoom;
            }
            self.expanded += 1;
            match lost.map(|(key, _)| self.support(graph, aim, key, node)) {
                Some(None) => self.give_up(graph, node),
                Some(Some(support)) => self.spread(graph, support),
                None => self.spread(graph, node),
            }
        }
    }

    /// The distance of `node` as far as it was spread; true for all nodes of the ways that [`Self::next`] leads along.
    #[must_use]
    pub fn known(&self, node: u32) -> Option<u32> {
        let (g, _) = self.of(node);
        (g != FAR).then_some(g)
    }

    /// The next step of a shortest way from a node of one, and how far it is to the goal by it.
    pub fn next(&self, graph: &impl Graph, from: u32) -> Option<(Edge, u32)> {
        let mut best: Option<(Edge, u32)> = None;
        graph.edges(from, |edge| {
            let (g, _) = self.of(edge.to);
            let far = g.saturating_add(edge.duration);
            if far < best.map_or(FAR, |(_, least)| least) {
                best = Some((edge, far));
            }
        });
        best
    }

    /// Everything that later answers depend on besides goal, start and origin: the nodes that were spread and their distances.
    #[must_use]
    pub fn save(&self) -> Vec<(u32, u32)> {
        let mut nodes = Vec::new();
        self.sheet.each(|slot, value| {
            if slot % 2 == 0 {
                nodes.push((slot / 2, value - 1));
            }
        });
        nodes
    }

    /// A search that goes on as one would have that saved this. Whatever it is given, its answers are right.
    #[must_use]
    pub fn load(graph: &impl Graph, goal: u32, [origin, start]: [u32; 2], saved: &[(u32, u32)]) -> Self {
        let mut search = Self::new(graph, goal, origin);
        (search.start, search.anchor) = (start, start);
        search.gained.clear();
        graph.roots(goal).for_each(|root| search.enqueue(graph, root));
        let sane = |&&(node, g): &&(u32, u32)| (node as usize) < graph.len() && g < LONGEST;
        for &(node, g) in saved.iter().filter(sane) {
            let (_, rhs) = search.of(node);
            search.set(node, g, rhs);
        }
        for &(node, _) in saved.iter().filter(sane) {
            search.update(graph, node);
            search.enqueue(graph, node);
            graph.edges(node, |edge| search.update(graph, edge.to));
        }
        search
    }

    /// `g` and `rhs`.
    #[inline]
    fn of(&self, node: u32) -> (u32, u32) {
        let (g, rhs) = self.sheet.pair(2 * node);
        (g.wrapping_sub(1), rhs.wrapping_sub(1))
    }

    fn set(&mut self, node: u32, g: u32, rhs: u32) {
        let (g, rhs) = (g.wrapping_add(1), rhs.wrapping_add(1));
        if g.max(rhs) > NARROW {
            self.sheet.widen();
        }
        let slot = if self.sheet.is_whole() {
            self.sheet.slot::<true>(2 * node)
        } else {
            self.sheet.slot::<false>(2 * node)
        };
        self.sheet.set(slot, g);
        self.sheet.set(slot + 1, rhs);
    }

    /// Queues a node if it has to be.
    fn enqueue(&mut self, graph: &impl Graph, node: u32) {
        let (g, rhs) = self.of(node);
        let key = || g.min(rhs) + graph.estimate(node, graph.aim(self.anchor)) + self.drift;
        if g < rhs {
            self.lost.push(Reverse((key(), g, node)));
        } else if g > rhs {
            self.gained.insert(self.gained(graph, key(), node, rhs));
        }
    }

    fn gained(&self, graph: &impl Graph, key: u32, node: u32, rhs: u32) -> Gained {
        (key, depth(graph, rhs), graph.stray(node, [self.goal, self.origin]), node, rhs)
    }

    /// Works out `rhs` anew.
    fn update(&mut self, graph: &impl Graph, node: u32) {
        let (g, rhs) = self.of(node);
        let mut least = if graph.roots(self.goal).contains(&node) { 0 } else { FAR };
        graph.edges(node, |edge| least = least.min(self.of(edge.to).0.saturating_add(edge.duration)));
        if least != rhs {
            self.set(node, g, least);
            self.enqueue(graph, node);
        }
    }

    /// Lets keys be worked out for where the unit is now. Those in the queue stay: they are too small at most, which is
    /// noticed when they come up.
    fn take_bearings(&mut self, graph: &impl Graph) {
        if self.start == self.anchor {
            return;
        }
        self.drift += graph.estimate(self.anchor, graph.aim(self.start));
        self.anchor = self.start;
        if self.drift > MOST_DRIFT {
            self.drift = 0;
            let lost = self.lost.drain().map(|Reverse((.., node))| node);
            let gained = core::mem::take(&mut self.gained).into_iter().map(|(.., node, _)| node);
            let queued: Vec<_> = lost.chain(gained).collect();
            queued.into_iter().for_each(|node| self.enqueue(graph, node));
        }
    }

    /// The node with the least key of those that may be farther than they were, with that key.
    fn first_lost<G: Graph>(&mut self, graph: &G, aim: G::Aim) -> Option<(u32, u32)> {
        while let Some(&Reverse((stored, known, node))) = self.lost.peek() {
            let (g, rhs) = self.of(node);
            if g < rhs && g == known {
                let key = g + graph.estimate(node, aim) + self.drift;
                if key == stored {
                    return Some((key, node));
                }
                self.lost.push(Reverse((key, known, node)));
            }
            self.lost.pop();
        }
        None
    }

    /// The same for those that are nearer.
    fn first_gained<G: Graph>(&mut self, graph: &G, aim: G::Aim) -> Option<(u32, u32)> {
        while let Some(&queued) = self.gained.first() {
            if self.holds(graph, aim, queued) {
                return Some((queued.0, queued.3));
            }
        }
        None
    }

    /// Whether a node is queued rightly; if not, it is taken out, or queued with the key that it has by now.
    fn holds<G: Graph>(&mut self, graph: &G, aim: G::Aim, queued: Gained) -> bool {
        let (stored, _, _, node, known) = queued;
        let (g, rhs) = self.of(node);
        let key = known + graph.estimate(node, aim) + self.drift;
        let queues = g > rhs && rhs == known;
        if queues && key == stored {
            return true;
        }
        self.gained.remove(&queued);
        if queues {
            self.gained.insert(self.gained(graph, key, node, rhs));
        }
        false
    }

    /// A node with the same key as a lost one that is nearer to the goal and near enough to support it once it is spread, at
    /// once or through others.
    fn support<G: Graph>(&mut self, graph: &G, aim: G::Aim, key: u32, lost: u32) -> Option<u32> {
        let (far, _) = self.of(lost);
        let mut beside = None;
        graph.edges(lost, |edge| {
            let (g, rhs) = self.of(edge.to);
            if rhs < g && rhs.saturating_add(edge.duration) == far {
                beside = beside.or(Some(edge.to));
            }
        });
        if beside.is_some() {
            return beside;
        }
        let around = AROUND * graph.longest();
        let mut from = (key, depth(graph, far), 0, 0, 0);
        let last = (key, depth(graph, far.saturating_sub(around)), FAR, FAR, FAR);
        while let Some(&queued) = self.gained.range(from..=last).next() {
            from = (queued.0, queued.1, queued.2, queued.3, queued.4 + 1);
            if queued.4 < far
                && graph.estimate(queued.3, graph.aim(lost)) <= around
                && self.holds(graph, aim, queued)
            {
                return Some(queued.3);
            }
        }
        None
    }

    /// Spreads a node that has come nearer.
    fn spread(&mut self, graph: &impl Graph, node: u32) {
        let (_, far) = self.of(node);
        self.set(node, far, far);
        let roots = graph.roots(self.goal);
        graph.edges(node, |edge| {
            let (g, rhs) = self.of(edge.to);
            let new = far + edge.duration;
            if new < rhs && !roots.contains(&edge.to) {
                self.set(edge.to, g, new);
                self.enqueue(graph, edge.to);
            }
        });
    }

    /// Gives up what was known of a node, and whatever relied on it.
    fn give_up(&mut self, graph: &impl Graph, node: u32) {
        let (far, rhs) = self.of(node);
        self.set(node, FAR, rhs);
        self.enqueue(graph, node);
        graph.edges(node, |edge| {
            if self.of(edge.to).1 == far.saturating_add(edge.duration) {
                self.update(graph, edge.to);
            }
        });
    }
}

/// How near a queued node is to the unit, nearer ones first, in steps that are long enough for the line to count.
fn depth(graph: &impl Graph, rhs: u32) -> u32 {
    !(rhs / (2 * graph.longest()))
}

#[cfg(test)]
mod tests;
