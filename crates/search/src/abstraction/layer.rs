//! The nodes of one level above the ground.

use super::Places;
use super::cliques::{Bonds, NONE, Net};
use super::ruler::{FINE, Spot};

/// What a level has to tell the next one of its nodes.
pub(super) trait Storey: Net {
    /// The place that it is named after: no other node of its level has it.
    fn name(&self, node: u32) -> u32;
    fn spot(&self, node: u32) -> Spot;
    /// How many places it stands for.
    fn weight(&self, node: u32) -> u32;
}

/// One level. Nodes keep their numbers as long as they live, and numbers of those that are gone are given away again:
/// so nothing that decides may depend on a number. Names do not depend on what was before.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub nodes: Nodes,
    /// Of the next level; [`NONE`] for the only node of its region.
    pub parent: Vec<u32>,
    pub bonds: Bonds,
    /// Numbers that are free.
    pub spare: Vec<u32>,
    /// Numbers that are free once the present change is through.
    pub released: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    pub name: Vec<u32>,
    /// The node of the level below that leads its clique; [`NONE`] if it is gone.
    pub leader: Vec<u32>,
    pub spot: Vec<Spot>,
    pub weight: Vec<u32>,
    pub edges: Edges,
}

impl Nodes {
    pub(super) fn lives(&self, node: u32) -> bool {
        self.leader[node as usize] != NONE
    }
}

impl Layer {
    /// A new node, not yet anywhere.
    pub(super) fn add(&mut self, leader: u32, name: u32) -> u32 {
        let nodes = &mut self.nodes;
        if let Some(node) = self.spare.pop() {
            nodes.leader[node as usize] = leader;
            nodes.name[node as usize] = name;
            return node;
        }
        let node = nodes.name.len() as u32;
        nodes.name.push(name);
        nodes.leader.push(leader);
        nodes.spot.push([0; 3]);
        nodes.weight.push(0);
        nodes.edges.spans.push((0, 0));
        node
    }

    /// Makes room for what is known of nodes beyond this level, once all have been added.
    pub(super) fn fit(&mut self) {
        let len = self.nodes.name.len();
        self.parent.resize(len, NONE);
        self.bonds.resize(len);
    }

    /// Prepares for about so many nodes.
    pub(super) fn expect(&mut self, count: usize) {
        let Nodes { name, leader, spot, weight, edges } = &mut self.nodes;
        name.reserve(count);
        leader.reserve(count);
        spot.reserve(count);
        weight.reserve(count);
        edges.spans.reserve(count);
    }

    pub(super) fn remove(&mut self, node: u32) {
        self.nodes.leader[node as usize] = NONE;
        self.nodes.edges.set(node, &[]);
        self.released.push(node);
    }

    pub(super) fn count(&self) -> usize {
        self.nodes.name.len() - self.spare.len() - self.released.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let nodes = &self.nodes;
        let each = 4 * size_of::<u32>() + size_of::<Spot>() + size_of::<(u32, u32)>();
        nodes.name.len() * each + nodes.edges.list.len() * size_of::<(u32, u32)>() + self.bonds.bytes()
    }
}

/// Edges by node: (to, cost), by the names of where they lead.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    spans: Vec<(u32, u32)>,
    list: Vec<(u32, u32)>,
    /// Entries of the list that belong to nobody.
    waste: usize,
    /// No edge has ever cost more.
    pub longest: u32,
}

impl Edges {
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[(u32, u32)] {
        let (begin, len) = self.spans[node as usize];
        &self.list[begin as usize..(begin + len) as usize]
    }

    pub(super) fn set(&mut self, node: u32, edges: &[(u32, u32)]) {
        self.longest = edges.iter().fold(self.longest, |longest, edge| longest.max(edge.1));
        let (begin, len) = self.spans[node as usize];
        if edges.len() <= len as usize {
            self.waste += len as usize - edges.len();
            self.list[begin as usize..][..edges.len()].copy_from_slice(edges);
            self.spans[node as usize].1 = edges.len() as u32;
            return;
        }
        self.waste += len as usize;
        self.spans[node as usize] = (self.list.len() as u32, edges.len() as u32);
        self.list.extend_from_slice(edges);
        if self.waste > 1024 && 2 * self.waste > self.list.len() {
            self.pack();
        }
    }

    /// Gives up what belongs to nobody.
    fn pack(&mut self) {
        let mut list = Vec::with_capacity(self.list.len() - self.waste);
        for (begin, len) in &mut self.spans {
            let old = &self.list[*begin as usize..(*begin + *len) as usize];
            *begin = list.len() as u32;
            list.extend_from_slice(old);
        }
        (self.list, self.waste) = (list, 0);
    }
}

/// The places themselves as a level.
pub(super) struct Ground<'a, P>(pub &'a P);

impl<P: Places> Net for Ground<'_, P> {
    #[inline]
    fn exists(&self, node: u32) -> bool {
        self.0.exists(node)
    }

    #[inline]
    fn degree(&self, node: u32) -> usize {
        self.0.degree(node)
    }

    #[inline]
    fn joined(&self, a: u32, b: u32) -> bool {
        self.0.joined(a, b)
    }

    #[inline]
    fn beside(&self, node: u32, visit: impl FnMut(u32)) {
        self.0.beside(node, visit);
    }

    #[inline]
    fn code(&self, node: u32) -> u64 {
        self.0.code(node)
    }

    #[inline]
    fn square(&self, node: u32) -> Option<[u32; 3]> {
        self.0.square(node)
    }
}

impl<P: Places> Storey for Ground<'_, P> {
    fn name(&self, node: u32) -> u32 {
        node
    }

    fn spot(&self, node: u32) -> Spot {
        self.0.at(node).map(|c| c.saturating_mul(FINE))
    }

    fn weight(&self, _node: u32) -> u32 {
        1
    }
}

/// A level above the ground.
pub(super) struct Above<'a, P> {
    pub places: &'a P,
    pub nodes: &'a Nodes,
}

impl<P: Places> Net for Above<'_, P> {
    #[inline]
    fn exists(&self, node: u32) -> bool {
        self.nodes.lives(node)
    }

    #[inline]
    fn beside(&self, node: u32, mut visit: impl FnMut(u32)) {
        self.nodes.edges.of(node).iter().for_each(|&(to, _)| visit(to));
    }

    #[inline]
    fn code(&self, node: u32) -> u64 {
        self.places.code(self.nodes.name[node as usize])
    }

    #[inline]
    fn degree(&self, node: u32) -> usize {
        self.nodes.edges.of(node).len()
    }
}

impl<P: Places> Storey for Above<'_, P> {
    fn name(&self, node: u32) -> u32 {
        self.nodes.name[node as usize]
    }

    fn spot(&self, node: u32) -> Spot {
        self.nodes.spot[node as usize]
    }

    fn weight(&self, node: u32) -> u32 {
        self.nodes.weight[node as usize]
    }
}

/// A level with its codes at hand, for who asks for all of them many times.
pub(super) struct Coded<'a, S> {
    pub storey: &'a S,
    pub codes: &'a [u64],
}

impl<S: Storey> Net for Coded<'_, S> {
    #[inline]
    fn exists(&self, node: u32) -> bool {
        self.storey.exists(node)
    }

    #[inline]
    fn joined(&self, a: u32, b: u32) -> bool {
        self.storey.joined(a, b)
    }

    #[inline]
    fn beside(&self, node: u32, visit: impl FnMut(u32)) {
        self.storey.beside(node, visit);
    }

    #[inline]
    fn code(&self, node: u32) -> u64 {
        self.codes[node as usize]
    }

    #[inline]
    fn degree(&self, node: u32) -> usize {
        self.storey.degree(node)
    }

    #[inline]
    fn square(&self, node: u32) -> Option<[u32; 3]> {
        self.storey.square(node)
    }
}

impl<S: Storey> Storey for Coded<'_, S> {
    fn name(&self, node: u32) -> u32 {
        self.storey.name(node)
    }

    fn spot(&self, node: u32) -> Spot {
        self.storey.spot(node)
    }

    fn weight(&self, node: u32) -> u32 {
        self.storey.weight(node)
    }
}
