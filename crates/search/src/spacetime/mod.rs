//! A* in space and time.

mod saved;

pub use saved::SavedSearch;

use crate::effort::{Effort, missing};
use crate::reservations::{NOBODY, Rule, Store, Table};
use crate::{BucketQueue, Edge, Graph, Heuristic};
use throng_core::{Action, Tick};

/// When a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ending {
    /// After exactly this many ticks (or as soon after as a move lasts), wherever that is. Waiting at home is
    /// free, and the rest of the way counts by its true distance: Silver's terminal node.
    Window(u32),
    /// At the goal, not before this tick, from which on nobody else needs it.
    Rest(Tick),
    /// At the goal, at any tick.
    Reach,
}

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Query {
    /// Whose own reservations do not count.
    pub owner: u32,
    /// Where it begins.
    pub start: u32,
    /// When it begins.
    pub tick: Tick,
    /// The place where it is to go.
    pub goal: u32,
    /// When it is over.
    pub ending: Ending,
    /// Cost of overriding one entry of lower rank.
    pub penalty: u32,
    /// It leaves its goal again as soon as it has been there.
    pub passes: bool,
    /// The most that a toll can be.
    pub toll: u32,
    /// From this tick on no reservation changes any more, so later ticks need not be told apart.
    pub still_from: Tick,
    /// The most expansions, its own and those of its heuristic together.
    pub room: u64,
    /// Go on with the search for this that ran out of budget, where nothing else was searched meanwhile. The
    /// table may have changed: whoever goes on has to look whether the path is still free.
    pub again: bool,
}

impl Query {
    /// The room that is left once `used` expansions are gone.
    #[must_use]
    #[inline]
    pub const fn room_after(&self, used: u64) -> u64 {
        if self.room == u64::MAX { u64::MAX } else { self.room.saturating_sub(used) }
    }

    /// No path costs less: it cannot end earlier.
    #[inline]
    fn least(&self) -> u32 {
        match self.ending {
            Ending::Rest(from) => from.saturating_sub(self.tick).min(u64::from(u32::MAX)) as u32,
            Ending::Window(_) | Ending::Reach => 0,
        }
    }

    /// After so many ticks nothing changes any more.
    #[inline]
    fn still(&self) -> u32 {
        self.still_from.saturating_sub(self.tick).min(u64::from(u32::MAX)) as u32
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is a path of this cost (with the rest of the way, if it ends before the goal).
    Path(u32),
    /// There is none.
    Nothing,
    /// It was told to stop; [`Query::again`] goes on.
    OutOfBudget,
}

/// One action of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it begins.
    pub from: u32,
    /// Where it leads; equals `from` for a wait.
    pub to: u32,
    /// When it begins.
    pub tick: Tick,
    /// How long it takes.
    pub duration: u32,
    /// What it is.
    pub action: Action,
}

impl Step {
    /// When it is over.
    #[must_use]
    pub const fn end(&self) -> Tick {
        self.tick + self.duration as Tick
    }
}

/// After so many expansions a search generates all successors of a node at once.
const EAGER: u64 = 64;

/// What a search moves over.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a, G, S, T> {
    /// The world.
    pub graph: &'a G,
    /// Who will be where, when.
    pub table: &'a Table<S>,
    /// What entering a place costs extra, at most [`Query::toll`].
    pub toll: T,
}

/// A reusable workspace for searches in space and time.
#[derive(Clone, Debug)]
pub struct SpaceTime {
    nodes: Vec<Node>,
    /// Open addressing: (search number, place in `nodes`).
    places: Vec<(u32, u32)>,
    stamp: u32,
    open: BucketQueue<u32>,
    /// Successors of the node at hand: edge, cost so far, distance from there.
    offers: Vec<(Edge, u32, u32)>,
    expanded: u64,
    /// Expansions when the search at hand began.
    begun: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Node {
    at: u32,
    /// Ticks since the search's first.
    depth: u32,
    g: u32,
    parent: u32,
    duration: u32,
    action: Action,
    closed: bool,
    /// Once closed: the key at which it comes up again for what was not generated yet.
    next: u32,
}

impl Default for SpaceTime {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            places: vec![(0, 0); 1 << 10],
            stamp: 0,
            open: BucketQueue::new(2),
            offers: Vec::new(),
            expanded: 0,
            begun: 0,
        }
    }
}

impl SpaceTime {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Expansions since the workspace was made.
    #[must_use]
    pub const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Searches around the reservations in `table`. If there is a path, its steps are in `path`.
    /// `visit` hears of every expansion; `stop` is asked now and then, with the expansions of this
    /// call so far, whether to stop.
    pub fn search<G: Graph, S: Store, T: Fn(u32) -> u32, H: Heuristic<G>>(
        &mut self,
        ground: &Ground<'_, G, S, T>,
        heuristic: &mut H,
        query: &Query,
        path: &mut Vec<Step>,
        mut visit: impl FnMut(u32, Tick),
        mut stop: impl FnMut(u64) -> bool,
    ) -> Found {
        let Ground { graph, table, toll } = ground;
        let (graph, table) = (*graph, *table);
        path.clear();
        // A search that goes on has been paid for until here.
        let entered = self.expanded;
        let effort = Effort::new(entered, heuristic, query.room);
        let (least, still) = (query.least() * G::PARTS, query.still());
        if !query.again {
            let entries = 2 * graph.breadth() * (graph.longest() + 1);
            let span = 2 * graph.longest().max(1) + (entries * query.penalty + query.toll) * G::PARTS;
            self.begin(span + heuristic.slack(graph));
            let Some(first) = heuristic.distance(graph, query.start) else { return missing(heuristic) };
            if H::CONSISTENT
                && least <= first
                && self.dive(ground, heuristic, query, effort, path, &mut visit)
            {
                return Found::Path(first);
            }
            let (first, at, action) = (first.max(least), query.start, Action::Wait);
            self.open.restart(first);
            let root =
                Node { at, depth: 0, g: 0, parent: u32::MAX, duration: 0, action, closed: false, next: 0 };
            self.reach(root, first, still);
            path.clear();
        }
        while let Some((f, place)) = self.open.pop() {
            let node = self.nodes[place as usize];
            if node.closed && node.next != f {
                continue;
            }
            let tick = query.tick + Tick::from(node.depth);
            let over = match query.ending {
                Ending::Window(depth) => node.depth >= depth,
                Ending::Rest(from) => graph.place(node.at) == query.goal && tick >= from,
                Ending::Reach => graph.place(node.at) == query.goal,
            };
            if over {
                self.trace(place, query.tick, path);
                return Found::Path(f);
            }
            let spent = self.expanded - self.begun;
            let left = effort.left(self.expanded, heuristic);
            if left == Some(0) || (spent & 63 == 63 && stop(self.expanded - entered)) {
                self.open.push(f, place);
                return Found::OutOfBudget;
            }
            if let Some(left) = left {
                heuristic.allow(left);
            }
            let Some(known) = heuristic.distance(graph, node.at) else {
                if heuristic.is_starved() {
                    self.open.push(f, place);
                    return Found::OutOfBudget;
                }
                continue;
            };
            // Only what is as promising as this node itself is generated now; for the rest the node comes
            // up again when its turn has come. Most never do, and need not be looked up in the table. A
            // search that turns out long will need them all, so it does not wait.
            let eager = spent >= EAGER;
            let mut later = u32::MAX;
            let wait = match query.ending {
                Ending::Window(_) if heuristic.is_home(graph, node.at) => 0,
                _ => graph.pause(),
            };
            let stay = Edge { to: graph.rest(node.at), duration: 1, action: Action::Wait };
            let mut offers = core::mem::take(&mut self.offers);
            offers.clear();
            if (node.g + wait + known).max(least) > f && !eager {
                later = (node.g + wait + known).max(least);
            } else {
                offers.push((stay, node.g + wait, known));
            }
            graph.edges(node.at, |edge| {
                if let Some(h) = heuristic.beside(graph, known, edge.to) {
                    let g = node.g + graph.cost(node.at, &edge);
                    // It would be later than what comes later already, whatever the toll.
                    if (g + h).max(least) >= later.max(f + 1) && !eager {
                        return;
                    }
                    let g = g + toll(graph.place(edge.to)) * G::PARTS;
                    if (g + h).max(least) > f && !eager {
                        later = later.min((g + h).max(least));
                    } else {
                        offers.push((edge, g, h));
                    }
                }
            });
            // The distances may have cost all there was, or more than that.
            if left.is_some() && (heuristic.is_starved() || effort.left(self.expanded, heuristic) == Some(0))
            {
                self.offers = offers;
                self.open.push(f, place);
                return Found::OutOfBudget;
            }
            self.expanded += 1;
            visit(graph.place(node.at), tick);
            let comer = if offers.is_empty() { NOBODY } else { table.comer(node.at, tick) };
            for &(edge, g, h) in &offers {
                let (to, duration) = (edge.to, edge.duration);
                let ends = (node.at, to);
                let Some(weight) = table.admits_past(graph, query.owner, comer, ends, tick, duration) else {
                    continue;
                };
                // Where cells are held for as long as steps take, who has come to its goal past others stays there for
                // nothing: they have made way already, and an amends a tick would drive it off. So does who leaves it again
                // at once. In whole steps it is the amends that keep goals of a crowd from being taken too soon for good.
                let stays = wait == 0 && to == node.at;
                let free = weight == 0 || (stays && (query.passes || table.rule() == Rule::Hold));
                let g = if free { g } else { g + weight * query.penalty * G::PARTS };
                let key = (g + h).max(least);
                if key > f && !eager {
                    later = later.min(key);
                } else if key >= f || (!H::CONSISTENT && !node.closed) {
                    let (depth, action) = (node.depth + duration, edge.action);
                    let next =
                        Node { at: to, depth, g, parent: place, duration, action, closed: false, next: 0 };
                    self.reach(next, key, still);
                }
            }
            self.offers = offers;
            let node = &mut self.nodes[place as usize];
            (node.closed, node.next) = (true, later);
            if later != u32::MAX {
                self.open.push(later, place);
            }
        }
        Found::Nothing
    }

    /// Tries the way that costs nothing extra: straight down the distances, and staying at home. Where nobody is
    /// in the way this is what the search would find, without its book-keeping.
    fn dive<G: Graph, S: Store, T: Fn(u32) -> u32>(
        &mut self,
        ground: &Ground<'_, G, S, T>,
        heuristic: &mut impl Heuristic<G>,
        query: &Query,
        effort: Effort,
        path: &mut Vec<Step>,
        visit: &mut impl FnMut(u32, Tick),
    ) -> bool {
        let Ground { graph, table, toll } = ground;
        let (graph, table) = (*graph, *table);
        let (mut at, mut tick) = (query.start, query.tick);
        let Some(mut known) = heuristic.distance(graph, at) else { return false };
        loop {
            let over = match query.ending {
                Ending::Window(depth) => tick - query.tick >= Tick::from(depth),
                Ending::Rest(from) => graph.place(at) == query.goal && tick >= from,
                Ending::Reach => graph.place(at) == query.goal,
            };
            if over {
                return true;
            }
            if !effort.allows(self.expanded, heuristic) {
                return false;
            }
            self.expanded += 1;
            visit(graph.place(at), tick);
            let comer = table.comer(at, tick);
            let free = |to, duration| {
                table.admits_past(graph, query.owner, comer, (at, to), tick, duration) == Some(0)
            };
            let mut next = None;
            if matches!(query.ending, Ending::Window(_)) && heuristic.is_home(graph, at) {
                let to = graph.rest(at);
                if free(to, 1) {
                    next = Some(Edge { to, duration: 1, action: Action::Wait });
                }
            } else {
                graph.edges(at, |edge| {
                    let cost = graph.cost(at, &edge);
                    let nearer = heuristic.beside(graph, known, edge.to).is_some_and(|h| h + cost == known);
                    if nearer && toll(graph.place(edge.to)) == 0 && free(edge.to, edge.duration) {
                        next = Some(edge);
                    }
                });
            }
            let Some(edge) = next else { return false };
            let Edge { to, duration, action } = edge;
            path.push(Step { from: at, to, tick, duration, action });
            if graph.place(to) != graph.place(at) {
                known -= graph.cost(at, &edge);
            }
            (at, tick) = (to, tick + Tick::from(duration));
        }
    }

    fn begin(&mut self, span: u32) {
        self.begun = self.expanded;
        self.nodes.clear();
        if !self.open.spans(span) {
            self.open = BucketQueue::new(span);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.places.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// Puts a node on the open list unless it was reached as cheaply before.
    #[inline]
    fn reach(&mut self, node: Node, key: u32, still: u32) {
        let mask = self.places.len() - 1;
        let layer = node.depth.min(still);
        let mut slot = spread(node.at, layer) & mask;
        loop {
            let (stamp, place) = self.places[slot];
            if stamp != self.stamp {
                let place = self.nodes.len() as u32;
                self.places[slot] = (self.stamp, place);
                self.nodes.push(node);
                self.open.push(key, place);
                if self.nodes.len() * 2 > self.places.len() {
                    self.grow(still);
                }
                return;
            }
            let other = &mut self.nodes[place as usize];
            if other.at == node.at && other.depth.min(still) == layer {
                if !other.closed && node.g < other.g {
                    *other = node;
                    self.open.push(key, place);
                }
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, still: u32) {
        self.index(self.places.len() * 2, still);
    }

    /// Looks all nodes up anew in so many places.
    fn index(&mut self, len: usize, still: u32) {
        self.stamp = self.stamp.max(1);
        self.places.clear();
        self.places.resize(len, (0, 0));
        for (place, node) in self.nodes.iter().enumerate() {
            let mut slot = spread(node.at, node.depth.min(still)) & (len - 1);
            while self.places[slot].0 == self.stamp {
                slot = (slot + 1) & (len - 1);
            }
            self.places[slot] = (self.stamp, place as u32);
        }
    }

    fn trace(&self, last: u32, tick: Tick, path: &mut Vec<Step>) {
        let mut place = last;
        while let Some(node) = self.nodes.get(place as usize)
            && let Some(parent) = self.nodes.get(node.parent as usize)
        {
            path.push(Step {
                from: parent.at,
                to: node.at,
                tick: tick + Tick::from(parent.depth),
                duration: node.duration,
                action: node.action,
            });
            place = node.parent;
        }
        path.reverse();
    }
}

#[inline]
const fn spread(at: u32, layer: u32) -> usize {
    ((at as u64 | (layer as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}
