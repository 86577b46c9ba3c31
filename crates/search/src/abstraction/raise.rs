//! One level upon another: nodes for the cliques of the level below, and edges between them.

use super::cliques::{Joining, NONE};
use super::layer::{Layer, Storey};
use super::ruler::Ruler;

/// Lists that are used again and again.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    members: Vec<u32>,
    edges: Vec<(u32, u32)>,
    /// By node: for which list of edges it was last found, by number.
    seen: Vec<u32>,
    lists: u32,
}

impl Scratch {
    pub(super) fn bytes(&self) -> usize {
        self.seen.len() * size_of::<u32>()
    }

    /// Begins a list of edges between nodes numbered up to `len`.
    fn begin_list(&mut self, len: usize) {
        self.edges.clear();
        if self.seen.len() < len {
            self.seen.resize(len, 0);
        }
        self.lists = self.lists.wrapping_add(1);
        if self.lists == 0 {
            self.seen.fill(0);
            self.lists = 1;
        }
    }
}

/// A level that is raised upon another, whose nodes know their parents in it.
pub(super) struct Raising<'a, 'n, S> {
    pub joining: Joining<'n, S>,
    pub parent: &'a mut Vec<u32>,
    pub upper: &'a mut Layer,
    pub ruler: Ruler,
    pub scratch: &'a mut Scratch,
}

impl<S: Storey> Raising<'_, '_, S> {
    /// Raises a new level upon nodes numbered up to `len`.
    pub(super) fn all(&mut self, len: u32) {
        self.parent.resize(len as usize, NONE);
        self.joining.all(len);
        self.upper.expect(len as usize / 4);
        for node in 0..len {
            if self.joining.net.exists(node) && self.joining.leader(node) == Some(node) {
                let above = self.upper.add(node, self.joining.net.name(node));
                self.adopt(above, node);
            }
        }
        self.upper.fit();
        for above in 0..self.upper.nodes.name.len() as u32 {
            self.connect(above);
        }
    }

    /// Mends the level where these nodes of the one below have come, gone, moved or got other neighbours; answers the
    /// nodes here of which that is now true.
    pub(super) fn again(&mut self, dirty: &[u32]) -> Vec<u32> {
        self.joining.again(dirty);
        let mut touched = core::mem::take(&mut self.joining.touched);
        unique(&mut touched);
        let (mut changed, mut leaders) = (Vec::new(), Vec::new());
        for &node in &touched {
            let net = self.joining.net;
            let leader = if net.exists(node) { self.joining.leader(node) } else { None };
            let old = self.parent[node as usize];
            if old != NONE && self.upper.nodes.lives(old) {
                changed.push(old);
            }
            match leader {
                Some(leader) => leaders.push(leader),
                None => self.parent[node as usize] = NONE,
            }
        }
        unique(&mut changed);
        let mut around = Vec::new();
        for &above in &changed {
            around.extend(self.upper.nodes.edges.of(above).iter().map(|edge| edge.0));
            let leader = self.upper.nodes.leader[above as usize];
            if self.joining.net.exists(leader) && self.joining.leader(leader) == Some(leader) {
                leaders.push(leader);
            } else {
                self.upper.remove(above);
            }
        }
        unique(&mut leaders);
        for &leader in &leaders {
            let old = self.parent[leader as usize];
            let kept = old != NONE && self.upper.nodes.leader[old as usize] == leader;
            let above = if kept { old } else { self.upper.add(leader, self.joining.net.name(leader)) };
            self.adopt(above, leader);
            changed.push(above);
        }
        self.upper.fit();
        unique(&mut changed);
        for &above in &changed {
            if self.upper.nodes.lives(above) {
                self.connect(above);
                around.extend(self.upper.nodes.edges.of(above).iter().map(|edge| edge.0));
            }
        }
        unique(&mut around);
        around.retain(|above| changed.binary_search(above).is_err());
        for above in around {
            if self.upper.nodes.lives(above) && self.connect(above) {
                changed.push(above);
            }
        }
        changed
    }

    /// Makes a clique the children of a node, and puts that in their midst.
    fn adopt(&mut self, above: u32, leader: u32) {
        let Scratch { members, .. } = self.scratch;
        self.joining.members(leader, members);
        let (mut sum, mut weight) = ([0i64; 3], 0);
        for &member in &*members {
            self.parent[member as usize] = above;
            let spot = self.joining.net.spot(member);
            sum = [0, 1, 2].map(|k| sum[k] + i64::from(spot[k]));
            weight += self.joining.net.weight(member);
        }
        let (nodes, count) = (&mut self.upper.nodes, members.len());
        // Mostly four, by which a shift divides.
        let mean = |sum: i64| match count.is_power_of_two() {
            true => sum >> count.trailing_zeros(),
            false => sum.div_euclid(count as i64),
        };
        nodes.spot[above as usize] = sum.map(|sum| mean(sum) as i32);
        nodes.weight[above as usize] = weight;
    }

    /// Works the edges of a node out; answers whether they lead elsewhere than before.
    fn connect(&mut self, above: u32) -> bool {
        let nodes = &mut self.upper.nodes;
        self.scratch.begin_list(nodes.name.len());
        let Scratch { members, edges, seen, lists } = self.scratch;
        self.joining.members(nodes.leader[above as usize], members);
        seen[above as usize] = *lists;
        for &member in &*members {
            self.joining.net.beside(member, |near| {
                let to = self.parent[near as usize];
                if core::mem::replace(&mut seen[to as usize], *lists) != *lists {
                    edges.push((to, 0));
                }
            });
        }
        edges.sort_unstable_by_key(|edge| nodes.name[edge.0 as usize]);
        let spot = nodes.spot[above as usize];
        edges.iter_mut().for_each(|edge| edge.1 = self.ruler.cost(spot, nodes.spot[edge.0 as usize]));
        let old = nodes.edges.of(above);
        let same = old.len() == edges.len() && old.iter().zip(&*edges).all(|(a, b)| a.0 == b.0);
        nodes.edges.set(above, edges);
        !same
    }
}

fn unique(list: &mut Vec<u32>) {
    list.sort_unstable();
    list.dedup();
}
