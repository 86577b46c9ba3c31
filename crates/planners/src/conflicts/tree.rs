//! The tree of demands. A node keeps only what differs from its parent.

use super::demands::{Demand, Demands, EVER, Time};
use super::field::NONE;
use super::split::Split;
use super::traffic::Meeting;
use std::rc::Rc;

/// The way of a unit: a cell by tick, until it rests.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) cells: Rc<[u32]>,
    /// No way that keeps to the same demands rests sooner.
    pub(super) low: Time,
}

impl Way {
    /// The tick at which it comes to rest.
    pub(super) fn cost(&self) -> u64 {
        self.cells.len() as u64 - 1
    }
}

/// Two who meet, and how to take that apart once somebody has looked.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub(super) meeting: Meeting,
    pub(super) split: Option<Rc<Split>>,
}

/// Where a conflict is noted: a node, and the place there.
pub(super) type Note = (u32, u32);

/// Demands, and the ways that keep to them.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// What is demanded of whom, beyond what its parent demands.
    pub(super) demands: Option<(u32, Vec<Demand>)>,
    /// Units with another way than in its parent.
    pub(super) ways: Vec<(u32, Way)>,
    /// Conflicts of those units.
    pub(super) conflicts: Vec<Conflict>,
    /// Sum of costs of all ways.
    pub(super) cost: u64,
    /// The sum of what each needs at least.
    pub(super) low: u64,
    /// What has to be added to that to solve all conflicts, at least.
    pub(super) ahead: u64,
    /// Whether pairs were looked at to find that out.
    pub(super) weighed: bool,
    /// How many conflicts there are in all.
    pub(super) count: u32,
}

impl Node {
    /// No plan that keeps to its demands costs less.
    pub(super) const fn bound(&self) -> u64 {
        self.low + self.ahead
    }
}

/// What taking a conflict apart leaves to keep, on the average, in bytes.
const SPLIT: usize = 64;

/// All nodes.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    bytes: usize,
}

impl std::ops::Index<u32> for Tree {
    type Output = Node;

    fn index(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }
}

impl std::ops::IndexMut<u32> for Tree {
    fn index_mut(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}

impl Tree {
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held, about; what nodes take up later is not counted.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn add(&mut self, node: Node) -> u32 {
        let ways = node.ways.iter().map(|(_, way)| size_of::<(u32, Way)>() + 16 + 4 * way.cells.len());
        let demands = node.demands.iter().map(|(_, demands)| demands.len() * size_of::<Demand>());
        let conflicts = node.conflicts.len() * (size_of::<Conflict>() + SPLIT);
        self.bytes += size_of::<Node>() + ways.chain(demands).sum::<usize>() + conflicts;
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// A node and those that it comes from, up to the root.
    fn line(&self, id: u32) -> impl Iterator<Item = (u32, &Node)> {
        let mut next = id;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next as usize)?;
            Some((std::mem::replace(&mut next, node.parent), node))
        })
    }

    /// By unit: its way in a node. The root has ways of all.
    pub(super) fn ways(&self, id: u32, units: usize) -> Vec<Option<&Way>> {
        let (mut ways, mut left) = (vec![None; units], units);
        for (_, node) in self.line(id) {
            for (unit, way) in &node.ways {
                let known = &mut ways[*unit as usize];
                if known.is_none() {
                    *known = Some(way);
                    left -= 1;
                }
            }
            if left == 0 {
                break;
            }
        }
        ways
    }

    /// All conflicts of a node, in a fixed order.
    pub(super) fn conflicts(&self, id: u32, units: usize) -> Vec<Note> {
        let (mut notes, mut changed) = (Vec::new(), vec![false; units]);
        for (at, node) in self.line(id) {
            for (place, conflict) in node.conflicts.iter().enumerate() {
                if conflict.meeting.units.iter().all(|&unit| !changed[unit as usize]) {
                    notes.push((at, place as u32));
                }
            }
            node.ways.iter().for_each(|&(unit, _)| changed[unit as usize] = true);
        }
        notes
    }

    pub(super) fn conflict(&mut self, (node, place): Note) -> &mut Conflict {
        &mut self.nodes[node as usize].conflicts[place as usize]
    }

    pub(super) fn meeting(&self, (node, place): Note) -> Meeting {
        self.nodes[node as usize].conflicts[place as usize].meeting
    }

    /// Adds all that a node demands of a unit. `goal` tells goals.
    pub(super) fn demands(&self, id: u32, unit: u32, goal: impl Fn(u32) -> u32, all: &mut Demands) {
        for (who, demands) in self.line(id).filter_map(|(_, node)| node.demands.as_ref()) {
            add(unit, (*who, demands), &goal, all);
        }
    }
}

/// Adds what demands on one unit mean for another or for itself.
pub(super) fn add(unit: u32, (who, demands): (u32, &[Demand]), goal: impl Fn(u32) -> u32, all: &mut Demands) {
    for &demand in demands {
        match demand {
            _ if who == unit => all.add(demand),
            Demand::Soon(tick) => all.add(Demand::Off { spot: goal(who), from: tick, until: EVER }),
            _ => {}
        }
    }
}

/// The root has no parent.
pub(super) const ROOT: u32 = NONE;
