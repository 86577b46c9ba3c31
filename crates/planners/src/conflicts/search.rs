//! The search over the tree of demands, for a team.

use super::demands::{Demand, Demands, EVER, Time};
use super::meter::Meter;
use super::open::Open;
use super::split::{Party, Split, split};
use super::traffic::Traffic;
use super::tree::{Conflict, Node, Note, ROOT, Tree, Way, add};
use super::walk::{Trip, Walked};
use super::world::{TREE, Tools, World};
use super::{Factor, Reasoning, pairs};
use std::rc::Rc;

/// How it ended, or why it was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The ways of this node are a plan that is good enough.
    Solved(u32),
    /// There is no plan; this unit had no way in the end.
    Nothing(u32),
    /// It can go on later.
    Paused,
    /// The budget is over.
    Stopped,
    /// There is no memory left.
    Full,
}

/// A search for some of the walkers.
pub(super) struct Search<'w> {
    pub(super) world: &'w World,
    pub(super) reasoning: Reasoning,
    factor: Factor,
    /// Walkers by their places here.
    pub(super) team: Vec<u32>,
    /// What is demanded of each from the start.
    given: Vec<Rc<Demands>>,
    pub(super) tree: Tree,
    open: Open,
    /// The ways of the node that was looked at last.
    pub(super) ways: Vec<Way>,
    traffic: Traffic,
    /// No plan costs less.
    bound: u64,
    /// Nodes that were expanded.
    expanded: usize,
    /// Who had no way when a node was given up.
    blocked: u32,
    /// The cheapest plan so far.
    best: Option<u32>,
}

impl<'w> Search<'w> {
    pub(super) fn new(
        world: &'w World,
        reasoning: Reasoning,
        factor: Factor,
        team: Vec<u32>,
        given: Vec<Rc<Demands>>,
        traffic: Traffic,
    ) -> Self {
        let (tree, open, ways) = (Tree::default(), Open::new(factor), Vec::new());
        let (bound, expanded, blocked, best) = (0, 0, 0, None);
        Self {
            world,
            reasoning,
            factor,
            team,
            given,
            tree,
            open,
            ways,
            traffic,
            bound,
            expanded,
            blocked,
            best,
        }
    }

    pub(super) const fn bound(&self) -> u64 {
        self.bound
    }

    /// Somebody else has proven that no plan costs less.
    pub(super) fn raise(&mut self, bound: u64) {
        self.bound = self.bound.max(bound);
    }

    /// A unit has no way.
    pub(super) const fn block(&mut self, unit: u32) {
        self.blocked = unit;
    }

    pub(super) const fn best(&self) -> Option<u32> {
        self.best
    }

    /// Gives its memory back, empty.
    pub(super) fn into_traffic(mut self) -> Traffic {
        for (unit, way) in (0..).zip(&self.ways) {
            self.traffic.remove(&self.world.field, unit, &way.cells);
        }
        self.traffic.restart();
        self.traffic
    }

    /// Finds everybody a way, one after the other. Whether that was possible; nothing if the budget is over.
    pub(super) fn begin(&mut self, tools: &mut Tools, meter: &mut Meter<'_>) -> Option<bool> {
        let mut conflicts = Vec::new();
        let (mut cost, mut low) = (0, 0);
        for unit in 0..self.team.len() as u32 {
            let given = Rc::clone(&self.given[unit as usize]);
            let Some(way) = self.walk(unit, &given, tools, meter) else {
                self.blocked = unit;
                return if meter.is_over() { None } else { Some(false) };
            };
            self.meet(unit, &way, &mut conflicts);
            self.traffic.add(&self.world.field, unit, &way.cells);
            (cost, low) = (cost + way.cost(), low + u64::from(way.low));
            self.ways.push(way);
        }
        let count = conflicts.len() as u32;
        let ways = (0..).zip(self.ways.iter().cloned()).collect();
        let root =
            Node { parent: ROOT, demands: None, ways, conflicts, cost, low, ahead: 0, weighed: false, count };
        self.add(root);
        Some(true)
    }

    /// Searches on. Expands about `most` nodes at most in all.
    pub(super) fn run(&mut self, tools: &mut Tools, meter: &mut Meter<'_>, most: usize) -> Ended {
        loop {
            let Some(bound) = self.open.bound() else { return Ended::Nothing(self.blocked) };
            self.bound = self.bound.max(bound);
            if meter.is_over() {
                return Ended::Stopped;
            }
            // A search for two is never interrupted: what it finds out does not depend on when it is asked.
            if (most == usize::MAX && meter.pauses()) || self.expanded >= most {
                return Ended::Paused;
            }
            if self.tree.bytes() > self.world.memory / TREE {
                return Ended::Full;
            }
            let Some((id, lowest)) = self.open.pop(&self.tree) else { return Ended::Nothing(self.blocked) };
            if self.tree[id].count == 0 && self.tree[id].cost <= self.factor.of(self.bound) {
                return Ended::Solved(id);
            }
            if self.reasoning.pairs && lowest && !self.tree[id].weighed {
                let before = self.tree[id].bound();
                self.load(id);
                match pairs::weigh(self, id, tools, meter) {
                    None => return Ended::Stopped,
                    Some(false) => continue,
                    Some(true) => {}
                }
                if self.tree[id].bound() > before {
                    self.open.push(id, &self.tree[id]);
                    continue;
                }
            }
            self.expanded += 1;
            if !self.expand(id, tools, meter) {
                return Ended::Stopped;
            }
        }
    }

    fn add(&mut self, node: Node) {
        let id = self.tree.add(node);
        let node = &self.tree[id];
        if node.count == 0 && self.best.is_none_or(|best| node.cost < self.tree[best].cost) {
            self.best = Some(id);
        }
        self.open.push(id, node);
    }

    /// Makes the ways of a node those that are looked at.
    fn load(&mut self, id: u32) {
        for (unit, way) in (0..).zip(self.tree.ways(id, self.team.len())) {
            let (Some(way), current) = (way, &mut self.ways[unit as usize]) else { continue };
            if !Rc::ptr_eq(&way.cells, &current.cells) {
                self.traffic.remove(&self.world.field, unit, &current.cells);
                self.traffic.add(&self.world.field, unit, &way.cells);
            }
            *current = way.clone();
        }
    }

    fn goal(&self, unit: u32) -> u32 {
        self.world.walkers[self.team[unit as usize] as usize].goal
    }

    /// All that a node demands of a unit.
    pub(super) fn demands(&self, id: u32, unit: u32) -> Demands {
        let mut all = (*self.given[unit as usize]).clone();
        self.tree.demands(id, unit, |who| self.goal(who), &mut all);
        all.sort();
        all
    }

    /// Expands a node, and goes on with its children. Whether there was budget for it.
    fn expand(&mut self, id: u32, tools: &mut Tools, meter: &mut Meter<'_>) -> bool {
        self.load(id);
        loop {
            let notes = self.tree.conflicts(id, self.team.len());
            if notes.is_empty() {
                self.open.push(id, &self.tree[id]);
                return true;
            }
            let Some(chosen) = self.choose(id, &notes, tools, meter) else { return false };
            let mut children: Vec<Node> = Vec::new();
            let mut bypass = None;
            for side in &chosen.sides {
                match self.child(id, &notes, side, tools, meter) {
                    None if meter.is_over() => return false,
                    None => {}
                    Some(child) if self.replaces(id, &child) => {
                        bypass = Some(child);
                        break;
                    }
                    Some(child) => children.push(child),
                }
            }
            if let Some(child) = bypass {
                self.adopt(id, child);
                continue;
            }
            if let Some(child) = children.iter().min_by_key(|child| (child.cost, child.count)) {
                self.open.learn(&self.tree[id], child);
            }
            children.into_iter().for_each(|child| self.add(child));
            return true;
        }
    }

    /// Whether the ways of a child may stand in for those of its parent, which then needs no child at all for this conflict.
    fn replaces(&self, id: u32, child: &Node) -> bool {
        let node = &self.tree[id];
        self.reasoning.bypass
            && child.low == node.low
            && child.count < node.count
            && child.cost <= node.cost.max(self.factor.of(self.bound))
    }

    fn adopt(&mut self, id: u32, child: Node) {
        for (unit, way) in &child.ways {
            self.traffic.remove(&self.world.field, *unit, &self.ways[*unit as usize].cells);
            self.traffic.add(&self.world.field, *unit, &way.cells);
            self.ways[*unit as usize] = way.clone();
        }
        let changed = |unit: u32| child.ways.iter().any(|&(who, _)| who == unit);
        let node = &mut self.tree[id];
        node.conflicts.retain(|conflict| !conflict.meeting.units.iter().any(|&unit| changed(unit)));
        node.ways.retain(|&(unit, _)| !changed(unit));
        node.conflicts.extend(child.conflicts);
        node.ways.extend(child.ways);
        (node.cost, node.count) = (child.cost, child.count);
        if node.count == 0 && self.best.is_none_or(|best| self.tree[id].cost < self.tree[best].cost) {
            self.best = Some(id);
        }
    }

    /// Looks at all conflicts and takes the one that says most; nothing if the budget is over.
    fn choose(
        &mut self,
        id: u32,
        notes: &[Note],
        tools: &mut Tools,
        meter: &mut Meter<'_>,
    ) -> Option<Rc<Split>> {
        let mut demands: Vec<Option<Rc<Demands>>> = vec![None; self.team.len()];
        let mut best: Option<((_, _, Time), Rc<Split>)> = None;
        for &note in notes {
            let Conflict { meeting, split: known } = self.tree.conflict(note).clone();
            let found = match known {
                Some(known) => known,
                None => {
                    for unit in meeting.units {
                        if demands[unit as usize].is_none() {
                            demands[unit as usize] = Some(Rc::new(self.demands(id, unit)));
                        }
                    }
                    let [one, other] = meeting.units;
                    let parties = [
                        self.party(one, &demands, tools, meter)?,
                        self.party(other, &demands, tools, meter)?,
                    ];
                    let found = Rc::new(split(self.world, tools, self.reasoning, meeting, &parties, meter)?);
                    self.tree.conflict(note).split = Some(Rc::clone(&found));
                    found
                }
            };
            let rank = (found.class, found.kind, meeting.tick);
            if best.as_ref().is_none_or(|best| rank < best.0) {
                best = Some((rank, found));
            }
        }
        best.map(|(_, split)| split)
    }

    /// What has to be known of a unit in a conflict; nothing if the budget is over.
    fn party(
        &self,
        unit: u32,
        demands: &[Option<Rc<Demands>>],
        tools: &mut Tools,
        meter: &mut Meter<'_>,
    ) -> Option<Party<'_>> {
        let (walker, way) = (self.team[unit as usize], &self.ways[unit as usize]);
        let demands = demands[unit as usize].clone()?;
        // Where plans may cost more, the least that is known need not be what the shortest ways take.
        let lengths = way.low..=way.cost() as Time;
        let layers = lengths
            .into_iter()
            .find_map(|length| tools.layers(self.world, walker, &demands, length, meter))?;
        Some(Party { unit, walker, way: &way.cells, demands, layers })
    }

    /// A way for a unit among the present ones of others; nothing if there is none or the budget is over.
    fn walk(
        &mut self,
        unit: u32,
        demands: &Demands,
        tools: &mut Tools,
        meter: &mut Meter<'_>,
    ) -> Option<Way> {
        let walker = self.team[unit as usize];
        let who = self.world.walkers[walker as usize];
        let far = tools.far(self.world, walker, meter)?;
        tools.table.load(demands, who.goal);
        let trip = Trip {
            field: &self.world.field,
            start: who.start,
            goal: who.goal,
            far: &far,
            table: &tools.table,
            traffic: Some(&self.traffic),
            most: EVER - 1,
            factor: self.factor,
        };
        match tools.walk.search(&trip, meter) {
            Walked::Found(low) => Some(Way { cells: tools.walk.way[..].into(), low }),
            Walked::Nothing | Walked::Stopped => None,
        }
    }

    /// Notes whom a way meets. Its unit is not among the others.
    fn meet(&self, unit: u32, way: &Way, conflicts: &mut Vec<Conflict>) {
        let mut meetings = Vec::new();
        let ways = |other: u32| &*self.ways[other as usize].cells;
        self.traffic.meetings(&self.world.field, (unit, &way.cells), ways, &mut meetings);
        conflicts.extend(meetings.into_iter().map(|meeting| Conflict { meeting, split: None }));
    }

    /// The node that demands one side of a split; nothing if somebody has no way then or the budget is over.
    fn child(
        &mut self,
        id: u32,
        notes: &[Note],
        side: &(u32, Vec<Demand>),
        tools: &mut Tools,
        meter: &mut Meter<'_>,
    ) -> Option<Node> {
        let units = self.concerned(side);
        let node = &self.tree[id];
        let (parent_bound, mut cost, mut low) = (node.bound(), node.cost, node.low);
        let old: Vec<Way> = units.iter().map(|&unit| self.ways[unit as usize].clone()).collect();
        for (&unit, way) in units.iter().zip(&old) {
            self.traffic.remove(&self.world.field, unit, &way.cells);
        }
        let (mut ways, mut conflicts) = (Vec::new(), Vec::new());
        for (&unit, before) in units.iter().zip(&old) {
            let mut demands = self.demands(id, unit);
            add(unit, (side.0, &side.1), |who| self.goal(who), &mut demands);
            demands.sort();
            let Some(mut way) = self.walk(unit, &demands, tools, meter) else {
                self.blocked = unit;
                break;
            };
            // More is demanded than before.
            way.low = way.low.max(before.low);
            self.meet(unit, &way, &mut conflicts);
            self.traffic.add(&self.world.field, unit, &way.cells);
            (cost, low) =
                (cost + way.cost() - before.cost(), low + u64::from(way.low) - u64::from(before.low));
            self.ways[unit as usize] = way.clone();
            ways.push((unit, way));
        }
        for (unit, way) in &ways {
            self.traffic.remove(&self.world.field, *unit, &way.cells);
        }
        for (&unit, way) in units.iter().zip(old) {
            self.traffic.add(&self.world.field, unit, &way.cells);
            self.ways[unit as usize] = way;
        }
        if ways.len() < units.len() {
            return None;
        }
        let stays = |&&note: &&Note| !self.tree.meeting(note).units.iter().any(|unit| units.contains(unit));
        let count = (notes.iter().filter(stays).count() + conflicts.len()) as u32;
        let ahead = parent_bound.saturating_sub(low);
        let demands = Some(side.clone());
        Some(Node { parent: id, demands, ways, conflicts, cost, low, ahead, weighed: false, count })
    }

    /// Who needs another way if this is demanded.
    fn concerned(&self, (unit, demands): &(u32, Vec<Demand>)) -> Vec<u32> {
        let mut units = Vec::new();
        for demand in demands {
            match *demand {
                Demand::Soon(tick) => {
                    let visits = self.traffic.visits_after(self.goal(*unit), tick.saturating_sub(1));
                    units.extend(visits.iter().map(|&(_, who)| who).filter(|who| who != unit));
                }
                Demand::Off { .. } | Demand::Late(_) => units.push(*unit),
            }
        }
        units.sort_unstable();
        units.dedup();
        units
    }
}
