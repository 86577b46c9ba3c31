//! A* over safe intervals: whole paths around reservations without a horizon.
//!
//! Between two who come through it a node is free for a while, and it does not matter when within that while a
//! unit came: it can wait. So a state is a node and one of its intervals instead of a node and a tick, the
//! earliest arrival is the best, and waiting costs no expansions. The paths are those of A* in space and time.

use crate::effort::Effort;
use crate::reservations::{FOR_EVER, NOBODY, Rule, Run, Store, Table, Timelines, place};
use crate::{Edge, Found, Graph, Heuristic, Step};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_core::{Action, Tick};

/// What to search for.
#[derive(Clone, Copy, Debug)]
pub struct Trip {
    /// Whose own reservations do not count.
    pub owner: u32,
    /// Where it begins.
    pub start: u32,
    /// When it begins.
    pub tick: Tick,
    /// Where it is to go.
    pub goal: u32,
    /// Not to arrive there before.
    pub from: Tick,
    /// Cost of overriding one run of lower rank.
    pub penalty: u32,
    /// A path that costs more is none.
    pub most: u32,
    /// The most expansions, its own and those of its heuristic together.
    pub room: u64,
}

/// A reusable workspace for such searches.
#[derive(Clone, Debug, Default)]
pub struct IntervalSearch {
    labels: Vec<Label>,
    /// Per node: the search that was last there and where its intervals begin in `newest`.
    blocks: Vec<(u32, u32)>,
    /// Per interval of the nodes reached so far: its newest label.
    newest: Vec<u32>,
    stamp: u32,
    /// Key and label; the newest label first among equals.
    open: BinaryHeap<(Reverse<u32>, u32)>,
    expanded: u64,
}

/// One way to be in an interval of a node.
#[derive(Clone, Copy, Debug)]
struct Label {
    at: u32,
    /// Number of the interval: 2i lies before the node's run i, 2i + 1 is run i.
    interval: u32,
    /// Arrival.
    time: u32,
    /// Ticks and penalties so far.
    cost: u32,
    parent: u32,
    /// The label of the same interval before this one.
    older: u32,
    duration: u32,
    action: Action,
    /// A better label for the interval has come since.
    beaten: bool,
}

const NONE: u32 = u32::MAX;

/// The bounds of an interval and who holds it.
#[inline]
fn interval(line: &[Run], number: u32) -> (u32, u32, u32) {
    let i = (number / 2) as usize;
    if number % 2 == 1 {
        return (line[i].from, line[i].until, line[i].owner);
    }
    let from = if i == 0 { 0 } else { line[i - 1].until };
    (from, line.get(i).map_or(FOR_EVER, |run| run.from), NOBODY)
}

/// The number of the interval that holds `tick`.
#[inline]
fn number(line: &[Run], tick: u32) -> u32 {
    let i = place(line, tick);
    2 * i as u32 + u32::from(line.get(i).is_some_and(|run| run.from <= tick))
}

impl IntervalSearch {
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
    /// search so far, whether to give up.
    pub fn search<G: Graph>(
        &mut self,
        (graph, table): (&G, &Table<Timelines>),
        heuristic: &mut impl Heuristic<G>,
        trip: &Trip,
        path: &mut Vec<Step>,
        mut visit: impl FnMut(u32, Tick),
        mut stop: impl FnMut(u64) -> bool,
    ) -> Found {
        path.clear();
        let effort = Effort::new(self.expanded, heuristic, trip.room);
        let Some(first) = heuristic.distance(graph, trip.start) else { return missing(heuristic) };
        let (start, from) = (trip.tick as u32, trip.from as u32);
        if start + first >= from && self.dive((graph, table), heuristic, trip, effort, path, &mut visit) {
            return Found::Path(first);
        }
        path.clear();
        self.begin(graph.len());
        let before = self.expanded;
        let least = from.saturating_sub(start);
        // Where a move holds its source, somebody may have claimed the start before this one could leave it.
        let line = table.store.runs(trip.start);
        let (_, _, holder) = interval(line, number(line, start));
        let Some(weight) = table.weigh(holder, trip.owner, trip.tick) else { return Found::Nothing };
        let root = Label {
            at: trip.start,
            interval: number(line, start),
            time: start,
            cost: weight * trip.penalty,
            parent: NONE,
            older: NONE,
            duration: 0,
            action: Action::Wait,
            beaten: false,
        };
        self.offer(root, 2 * line.len() + 1, (root.cost + first).max(least), trip.most);
        while let Some((Reverse(key), index)) = self.open.pop() {
            let label = self.labels[index as usize];
            if label.beaten {
                continue;
            }
            if label.at == trip.goal && label.time >= from {
                self.trace(index, path);
                return Found::Path(key);
            }
            let spent = self.expanded - before;
            if !effort.allows(self.expanded, heuristic) || (spent & 63 == 63 && stop(spent)) {
                return Found::OutOfBudget;
            }
            self.expanded += 1;
            visit(label.at, Tick::from(label.time));
            let Some(known) = heuristic.distance(graph, label.at) else { continue };
            let line = table.store.runs(label.at);
            let (_, end, _) = interval(line, label.interval);
            // Only those of lower rank and its own runs can be followed by an interval that it may stay into.
            if end != FOR_EVER
                && let (_, _, holder) = interval(line, label.interval + 1)
                && let Some(weight) = table.weigh(holder, trip.owner, Tick::from(end))
            {
                let cost = label.cost + (end - label.time) + weight * trip.penalty;
                let next = Label {
                    interval: label.interval + 1,
                    time: end,
                    cost,
                    parent: index,
                    duration: 0,
                    action: Action::Wait,
                    ..label
                };
                self.offer(next, 2 * line.len() + 1, (cost + known).max(least), trip.most);
            }
            graph.edges(label.at, |edge| {
                if let Some(h) = heuristic.beside(graph, known, edge.to) {
                    self.go((graph, table), trip, (index, label, end), edge, |cost| (cost + h).max(least));
                }
            });
            if heuristic.is_starved() {
                return Found::OutOfBudget;
            }
        }
        missing(heuristic)
    }

    /// Offers every interval that an edge leads into.
    #[inline]
    fn go<G: Graph>(
        &mut self,
        (graph, table): (&G, &Table<Timelines>),
        trip: &Trip,
        (index, label, end): (u32, Label, u32),
        edge: Edge,
        key: impl Fn(u32) -> u32,
    ) {
        let line = table.store.runs(edge.to);
        let earliest = label.time + edge.duration;
        // By the rule of holding, the target is held from the departure on.
        let lead = if table.rule() == Rule::Hold { edge.duration } else { 0 };
        let mut number = number(line, earliest - lead);
        while number <= 2 * line.len() as u32 {
            let (opens, closes, holder) = interval(line, number);
            let latest = end.min(closes.saturating_sub(1));
            let mut arrival = earliest.max(opens.saturating_add(lead));
            // Behind one who rests comes nothing.
            if opens == FOR_EVER || arrival > end || key(label.cost + (arrival - label.time)) > trip.most {
                return;
            }
            if let Some(weight) = table.weigh(holder, trip.owner, Tick::from(arrival)) {
                while arrival <= latest {
                    match passes((graph, table), trip.owner, (label.at, edge), arrival, end, opens) {
                        Ok(more) => {
                            let cost = label.cost + (arrival - label.time) + (weight + more) * trip.penalty;
                            let next = Label {
                                at: edge.to,
                                interval: number,
                                time: arrival,
                                cost,
                                parent: index,
                                older: NONE,
                                duration: edge.duration,
                                action: edge.action,
                                beaten: false,
                            };
                            self.offer(next, 2 * line.len() + 1, key(cost), trip.most);
                            break;
                        }
                        Err(later) => arrival = later,
                    }
                }
            }
            number += 1;
        }
    }

    /// Tries the way that costs nothing extra: straight down the distances. Where nobody is in the way this is what
    /// the search would find, without its book-keeping.
    fn dive<G: Graph>(
        &mut self,
        (graph, table): (&G, &Table<Timelines>),
        heuristic: &mut impl Heuristic<G>,
        trip: &Trip,
        effort: Effort,
        path: &mut Vec<Step>,
        visit: &mut impl FnMut(u32, Tick),
    ) -> bool {
        let (mut at, mut tick) = (trip.start, trip.tick);
        let Some(mut known) = heuristic.distance(graph, at) else { return false };
        while at != trip.goal {
            if !effort.allows(self.expanded, heuristic) {
                return false;
            }
            self.expanded += 1;
            visit(at, tick);
            let comer = table.comer(at, tick);
            let mut next = None;
            graph.edges(at, |edge| {
                let nearer =
                    heuristic.beside(graph, known, edge.to).is_some_and(|h| h + edge.duration == known);
                if nearer
                    && table.admits_past(graph, trip.owner, comer, (at, edge.to), tick, edge.duration)
                        == Some(0)
                {
                    next = Some(edge);
                }
            });
            let Some(Edge { to, duration, action }) = next else { return false };
            path.push(Step { from: at, to, tick, duration, action });
            known -= duration;
            (at, tick) = (to, tick + Tick::from(duration));
        }
        true
    }

    fn begin(&mut self, nodes: usize) {
        self.labels.clear();
        self.open.clear();
        self.newest.clear();
        self.blocks.resize(nodes, (0, 0));
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.blocks.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// Puts a label on the open list unless another of the same interval is as early and as cheap. `intervals`
    /// is how many the node has.
    #[inline]
    fn offer(&mut self, mut label: Label, intervals: usize, key: u32, most: u32) {
        if key > most {
            return;
        }
        let block = &mut self.blocks[label.at as usize];
        if block.0 != self.stamp {
            *block = (self.stamp, self.newest.len() as u32);
            self.newest.resize(self.newest.len() + intervals, NONE);
        }
        let newest = &mut self.newest[(block.1 + label.interval) as usize];
        let mut place = *newest;
        while let Some(older) = self.labels.get_mut(place as usize) {
            if older.time <= label.time && older.cost <= label.cost {
                return;
            }
            older.beaten |= label.time <= older.time && label.cost <= older.cost;
            place = older.older;
        }
        let place = self.labels.len() as u32;
        label.older = core::mem::replace(newest, place);
        self.labels.push(label);
        self.open.push((Reverse(key), place));
    }

    fn trace(&self, last: u32, path: &mut Vec<Step>) {
        let mut place = last;
        while let Some(label) = self.labels.get(place as usize)
            && let Some(parent) = self.labels.get(label.parent as usize)
        {
            let left = label.time - label.duration;
            if label.duration > 0 {
                path.push(Step {
                    from: parent.at,
                    to: label.at,
                    tick: Tick::from(left),
                    duration: label.duration,
                    action: label.action,
                });
            }
            for tick in (parent.time..left).rev() {
                let (from, to, tick) = (parent.at, parent.at, Tick::from(tick));
                path.push(Step { from, to, tick, duration: 1, action: Action::Wait });
            }
            place = label.parent;
        }
        path.reverse();
    }
}

/// What, besides the two nodes' own intervals, a move that arrives at `arrival` runs into: how many of lower rank,
/// or the next arrival worth trying.
#[inline]
fn passes<G: Graph>(
    (graph, table): (&G, &Table<Timelines>),
    owner: u32,
    (at, edge): (u32, Edge),
    arrival: u32,
    end: u32,
    opens: u32,
) -> Result<u32, u32> {
    let store = &table.store;
    let weigh = |holder| table.weigh(holder, owner, Tick::from(arrival));
    let mut weight = 0;
    match table.rule() {
        Rule::Swap => {
            let (now, then) = (Tick::from(arrival - edge.duration), Tick::from(arrival));
            // Somebody comes the other way only if it leaves the target just when this one comes, and enters the
            // source just when this one must have left.
            if arrival == end && arrival == opens {
                let comer = store.owner(at, then);
                if comer != NOBODY && store.owner(edge.to, now) == comer {
                    weight += weigh(comer).ok_or(arrival + 1)?;
                }
            }
            if let Some((a, b)) = graph.crossing(at, edge.to) {
                for (a, b) in [(a, b), (b, a)] {
                    let comer = store.owner(a, then);
                    if comer != NOBODY && store.owner(b, now) == comer {
                        weight += weigh(comer).ok_or(arrival + 1)?;
                    }
                }
            }
        }
        Rule::Hold => {
            if let Some((a, b)) = graph.crossing(at, edge.to) {
                for side in [a, b] {
                    let line = store.runs(side);
                    let leaves = arrival - edge.duration;
                    for run in line[place(line, leaves)..].iter().take_while(|run| run.from < arrival) {
                        match weigh(run.owner) {
                            Some(more) => weight += more,
                            None if run.until == FOR_EVER => return Err(FOR_EVER),
                            None => return Err(run.until + edge.duration),
                        }
                    }
                }
            }
        }
    }
    Ok(weight)
}

/// What it means that there is no path.
fn missing<G>(heuristic: &impl Heuristic<G>) -> Found {
    if heuristic.is_starved() { Found::OutOfBudget } else { Found::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GridGraph, TrueDistance};
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use throng_core::{Connectivity, Grid, Rules, TerrainPolicy, Timing};

    const HORIZON: Tick = 60;

    /// Tick by tick, by the table alone: the earliest arrival from which on the goal stays free.
    fn brute(graph: &GridGraph<'_>, table: &Table<Timelines>, trip: &Trip) -> Option<Tick> {
        let mut layers = vec![BTreeSet::from([trip.start])];
        layers.resize(HORIZON as usize + 20, BTreeSet::new());
        for tick in trip.tick..HORIZON {
            let here = layers[(tick - trip.tick) as usize].clone();
            if tick >= trip.from && here.contains(&trip.goal) {
                return Some(tick - trip.tick);
            }
            for at in here {
                let mut go = |to, duration: u32| {
                    if table.admits(graph, trip.owner, at, to, tick, duration) == Some(0) {
                        layers[(tick - trip.tick) as usize + duration as usize].insert(to);
                    }
                };
                go(at, 1);
                graph.edges(at, |edge| go(edge.to, edge.duration));
            }
        }
        None
    }

    fn world() -> impl Strategy<Value = (Grid, Rules)> {
        let letters = prop::collection::vec(prop_oneof![4 => Just(b'.'), 1 => Just(b'@')], 6 * 4);
        (letters, any::<bool>(), any::<bool>()).prop_map(|(letters, eight, metric)| {
            let rules = Rules {
                connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
                timing: if metric { Timing::Metric } else { Timing::Uniform },
                ..Rules::default()
            };
            (Grid::new(6, 4, &letters, TerrainPolicy::default()).unwrap(), rules)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        /// Unit after unit, each around those before it: as early as a search tick by tick finds, and every step
        /// admitted by the table.
        #[test]
        fn paths_are_the_earliest((grid, rules) in world(), picks in prop::collection::vec(any::<u16>(), 12)) {
            let open: Vec<_> = grid.open_ids().collect();
            prop_assume!(open.len() > 4);
            let metric = rules.timing == Timing::Metric;
            let graph = GridGraph::new(&grid, rules, if metric { 3 } else { 1 });
            let pick = |p: u16| open[p as usize % open.len()].0;
            let mut table = Table::new(Rule::of(&rules, 1), Timelines::new(grid.len()));
            let (mut search, mut path) = (IntervalSearch::new(), Vec::new());
            for (owner, ends) in picks.chunks(2).enumerate() {
                let (owner, start, goal) = (owner as u32, pick(ends[0]), pick(ends[1]));
                if table.store.owner(start, 0) != NOBODY {
                    continue;
                }
                let Some(from) = table.store.free_from(goal, |_| true) else { continue };
                let (most, room) = (HORIZON as u32 - 1, u64::MAX);
                let trip = Trip { owner, start, tick: 0, goal, from, penalty: 1, most, room };
                let mut field = TrueDistance::new(&graph, goal, Some(start));
                let found = search.search((&graph, &table), &mut field, &trip, &mut path, |_, _| {}, |_| false);
                let expected = brute(&graph, &table, &trip).map_or(Found::Nothing, |t| Found::Path(t as u32));
                prop_assert_eq!(found, expected, "from {} to {}", start, goal);
                let Found::Path(end) = found else { continue };
                let (mut at, mut tick) = (start, 0);
                for step in &path {
                    prop_assert_eq!((step.from, step.tick), (at, tick));
                    prop_assert_eq!(table.admits(&graph, owner, at, step.to, tick, step.duration), Some(0));
                    (at, tick) = (step.to, step.end());
                }
                prop_assert_eq!((at, tick), (goal, Tick::from(end)));
                table.store.claim(start, 0, owner);
                for step in &path {
                    table.reserve(&graph, owner, (step.from, step.to), step.tick, step.duration, |_| {});
                }
                table.store.rest(goal, Tick::from(end), owner);
            }
        }
    }

    /// One of higher rank goes through one of lower rank if that is cheaper than around, and else around.
    #[test]
    fn overriding_has_its_price() {
        let letters = b".......\n@@@@@@@".iter().filter(|&&b| b != b'\n').copied().collect::<Vec<_>>();
        let grid = Grid::new(7, 2, &letters, TerrainPolicy::default()).unwrap();
        let graph = GridGraph::new(&grid, Rules::default(), 1);
        let id = |x| grid.id(throng_core::Cell::new(x, 0)).unwrap().0;
        let mut table = Table::new(Rule::Swap, Timelines::new(grid.len()));
        table.store.rest(id(3), 0, 1);
        table.store.rise(id(3), 9, 1);
        table.set_rank(0, 1);
        let cost = |penalty| {
            let trip = Trip {
                owner: 0,
                start: id(0),
                tick: 0,
                goal: id(6),
                from: 0,
                penalty,
                most: 1000,
                room: u64::MAX,
            };
            let mut field = TrueDistance::new(&graph, id(6), None);
            IntervalSearch::new().search(
                (&graph, &table),
                &mut field,
                &trip,
                &mut Vec::new(),
                |_, _| {},
                |_| false,
            )
        };
        assert_eq!(cost(5), Found::Path(11), "through it");
        assert_eq!(cost(50), Found::Path(13), "after it has gone");
    }
}
