//! Which nodes of one level become one node of the next.
//!
//! *Pairs.* Of two neighbours whose codes differ in low bits only we say that they are close: the closeness of an edge is
//! the exclusive or of both codes. Edges that share a node are never equally close. Nodes join in pairs so that no two
//! neighbours are both closer to each other than to whom they are joined with (or joined with nobody). There is
//! exactly one such way to join them: take the closest edge, then the closest of those left, and so on.
//!
//! *Cliques.* Pairs and single nodes join once more by the same rule if all of their nodes are neighbours of each
//! other. So a clique has four nodes at most, and on an open grid with eight moves it is an aligned square.
//!
//! *Folding.* A node with one neighbour does not take part if that neighbour has others: it goes where its neighbour goes.
//!
//! All of this depends on the graph alone, never on how it came to be. And since nothing depends on an edge but edges that
//! are less close and next to it, what a change brings with it ends after a few nodes. So there is one procedure for
//! building and for mending: ask the nodes that may want another partner, then those whom they have left.

/// Nobody.
pub(super) const NONE: u32 = u32::MAX;

/// Set in the bond of a node that is folded into its neighbour.
const FOLD: u32 = 1 << 31;

/// The graph of one level.
pub(super) trait Net {
    /// Whether there is such a node.
    fn exists(&self, node: u32) -> bool;
    /// Calls `visit` for every neighbour.
    fn beside(&self, node: u32, visit: impl FnMut(u32));
    /// A number that no other node has.
    fn code(&self, node: u32) -> u64;

    /// How many neighbours there are.
    fn degree(&self, node: u32) -> usize;

    /// See [`super::Places::square`].
    fn square(&self, _node: u32) -> Option<[u32; 3]> {
        None
    }

    /// Whether two nodes are neighbours.
    fn joined(&self, a: u32, b: u32) -> bool {
        let mut found = false;
        self.beside(a, |near| found |= near == b);
        found
    }
}

/// Who is joined with whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Bonds {
    /// By node: the other one of its pair; or the neighbour into which it is folded, with [`FOLD`].
    mate: Vec<u32>,
    /// By the first of a pair, or a single node: the first of the other half of its clique.
    half: Vec<u32>,
    /// By node: how many are folded into it, or have ever been if it was [`MANY`].
    guests: Vec<u8>,
}

/// So many guests are not counted any more.
const MANY: u8 = u8::MAX;

impl Bonds {
    pub(super) fn resize(&mut self, len: usize) {
        self.mate.resize(len, NONE);
        self.half.resize(len, NONE);
        self.guests.resize(len, 0);
    }

    pub(super) fn bytes(&self) -> usize {
        (self.mate.len() + self.half.len()) * size_of::<u32>() + self.guests.len()
    }

    /// Whether a node has a mate or another half.
    #[inline]
    fn is_bound(&self, node: u32) -> bool {
        self.mate[node as usize] != NONE || self.half[node as usize] != NONE
    }

    /// Joins a whole square.
    fn square(&mut self, first: u32, [mate, other, last]: [u32; 3]) {
        for (one, two) in [(first, mate), (other, last)] {
            self.mate[one as usize] = two;
            self.mate[two as usize] = one;
        }
        self.half[first as usize] = other;
        self.half[other as usize] = first;
    }

    /// Folds a node into another one, or no longer into any.
    fn fold(&mut self, node: u32, host: Option<u32>) {
        if let Some(old) = self.host(node) {
            let guests = &mut self.guests[old as usize];
            *guests -= u8::from(*guests < MANY);
        }
        self.mate[node as usize] = host.map_or(NONE, |host| host | FOLD);
        if let Some(new) = host {
            let guests = &mut self.guests[new as usize];
            *guests = guests.saturating_add(1);
        }
    }

    #[inline]
    fn host(&self, node: u32) -> Option<u32> {
        let bond = self.mate[node as usize];
        (bond != NONE && bond & FOLD != 0).then_some(bond & !FOLD)
    }

    /// The other one of its pair.
    #[inline]
    fn mate(&self, node: u32) -> Option<u32> {
        let bond = self.mate[node as usize];
        (bond & FOLD == 0).then_some(bond)
    }
}

/// Joins nodes, and notes whom that touches.
pub(super) struct Joining<'a, N> {
    pub net: &'a N,
    pub bonds: &'a mut Bonds,
    /// Nodes that may want another partner.
    pub asking: Vec<u32>,
    /// First nodes of pairs and single nodes that may want another half.
    pub halves: Vec<u32>,
    /// Nodes whose clique may have changed, with repetitions; where all are new they are not noted.
    pub touched: Vec<u32>,
    fresh: bool,
}

impl<'a, N: Net> Joining<'a, N> {
    pub(super) const fn new(net: &'a N, bonds: &'a mut Bonds) -> Self {
        Self { net, bonds, asking: Vec::new(), halves: Vec::new(), touched: Vec::new(), fresh: false }
    }

    /// Joins all nodes of a new level, which are numbered up to `len`.
    pub(super) fn all(&mut self, len: u32) {
        self.bonds.resize(len as usize);
        self.fresh = true;
        for node in 0..len {
            if let Some(square) = self.net.square(node) {
                self.bonds.square(node, square);
            }
        }
        // The last asks first.
        for node in (0..len).rev() {
            if self.bonds.is_bound(node) || !self.net.exists(node) {
                continue;
            }
            match self.folds_into(node) {
                Some(host) => self.bonds.fold(node, Some(host)),
                None => self.asking.push(node),
            }
        }
        self.halves.extend_from_slice(&self.asking);
        self.pairs();
        self.quads();
    }

    /// Joins anew where these nodes have come, gone or got other neighbours.
    pub(super) fn again(&mut self, dirty: &[u32]) {
        for &node in dirty {
            self.refold(node);
            let net = self.net;
            net.beside(node, |near| self.refold(near));
            if let Some(mate) = self.bonds.mate(node)
                && !(self.net.exists(node) && self.net.joined(node, mate))
            {
                self.part(node);
            }
            // Its other half may not be beside it any more.
            self.leave_half(self.first(node));
            self.asking.push(node);
            self.touched.push(node);
        }
        self.pairs();
        for place in 0..self.touched.len() {
            let node = self.touched[place];
            if self.bonds.host(node).is_none() {
                let first = self.first(node);
                self.halves.push(first);
            }
        }
        self.quads();
    }

    /// Whom a node is folded into, if it has one neighbour and that has others.
    fn folds_into(&self, node: u32) -> Option<u32> {
        if self.net.degree(node) != 1 {
            return None;
        }
        let mut host = None;
        self.net.beside(node, |near| host = Some(near));
        host.filter(|&host| self.net.degree(host) > 1)
    }

    fn refold(&mut self, node: u32) {
        let (old, new) = (self.bonds.host(node), self.folds_into(node));
        if old == new {
            return;
        }
        if old.is_none() {
            self.leave_half(self.first(node));
            self.part(node);
        }
        self.bonds.fold(node, new);
        self.asking.push(node);
        self.touched.push(node);
        // Where it was counted and where it is counted now.
        self.touched.extend(old.into_iter().chain(new));
    }

    /// The one of its pair that stands for both.
    fn first(&self, node: u32) -> u32 {
        match self.bonds.mate(node) {
            Some(mate) if self.net.code(mate) < self.net.code(node) => mate,
            _ => node,
        }
    }

    fn touch(&mut self, nodes: [u32; 2]) {
        if !self.fresh {
            self.touched.extend(nodes);
        }
    }

    fn touch_unit(&mut self, first: u32) {
        if self.fresh {
            return;
        }
        self.touched.push(first);
        self.touched.extend(self.bonds.mate(first));
    }

    /// Parts a pair (or single node) from its other half.
    fn leave_half(&mut self, first: u32) {
        let other = self.bonds.half[first as usize];
        if other != NONE {
            self.touch_unit(first);
            self.touch_unit(other);
            self.bonds.half[first as usize] = NONE;
            self.bonds.half[other as usize] = NONE;
            self.halves.extend([first, other]);
        }
    }

    /// Parts a pair.
    fn part(&mut self, node: u32) {
        let first = self.first(node);
        self.leave_half(first);
        if let Some(mate) = self.bonds.mate(node) {
            self.bonds.mate[node as usize] = NONE;
            self.bonds.mate[mate as usize] = NONE;
            self.asking.extend([node, mate]);
            self.touch([node, mate]);
        }
    }

    fn pairs(&mut self) {
        while let Some(node) = self.asking.pop() {
            if !self.net.exists(node) || self.bonds.host(node).is_some() {
                continue;
            }
            let (net, bonds) = (self.net, &*self.bonds);
            let code = net.code(node);
            let close =
                |node: u32, code: u64| bonds.mate(node).map_or(u64::MAX, |mate| code ^ net.code(mate));
            let (mut best, mut with) = (close(node, code), NONE);
            // Nobody is closer than that.
            if best == 1 {
                continue;
            }
            net.beside(node, |near| {
                let theirs = net.code(near);
                let between = code ^ theirs;
                if between < best && bonds.host(near).is_none() && between < close(near, theirs) {
                    (best, with) = (between, near);
                }
            });
            if with != NONE {
                for end in [node, with] {
                    if self.bonds.is_bound(end) {
                        self.part(end);
                    }
                }
                self.bonds.mate[node as usize] = with;
                self.bonds.mate[with as usize] = node;
                self.touch([node, with]);
            }
        }
    }

    fn quads(&mut self) {
        while let Some(node) = self.halves.pop() {
            if !self.net.exists(node) || self.bonds.host(node).is_some() || self.first(node) != node {
                continue;
            }
            let (net, bonds) = (self.net, &*self.bonds);
            let (mate, code) = (bonds.mate(node), net.code(node));
            let close = |first: u32, code: u64| match bonds.half[first as usize] {
                NONE => u64::MAX,
                other => code ^ net.code(other),
            };
            let (mut best, mut with) = (close(node, code), NONE);
            net.beside(node, |near| {
                if Some(near) == mate || bonds.host(near).is_some() {
                    return;
                }
                let first = self.first(near);
                let theirs = net.code(first);
                let between = code ^ theirs;
                if between < best && between < close(first, theirs) && self.is_clique(node, mate, first) {
                    (best, with) = (between, first);
                }
            });
            if with != NONE {
                self.leave_half(node);
                self.leave_half(with);
                self.bonds.half[node as usize] = with;
                self.bonds.half[with as usize] = node;
                self.touch_unit(node);
                self.touch_unit(with);
            }
        }
    }

    fn is_clique(&self, a: u32, mate: Option<u32>, b: u32) -> bool {
        let theirs = [Some(b), self.bonds.mate(b)];
        [Some(a), mate]
            .into_iter()
            .flatten()
            .all(|mine| theirs.into_iter().flatten().all(|other| self.net.joined(mine, other)))
    }

    /// The node that stands for the clique of this one: that with the lowest code. `None` if it has no neighbours.
    pub(super) fn leader(&self, node: u32) -> Option<u32> {
        let core = self.bonds.host(node).unwrap_or(node);
        let first = self.first(core);
        match self.bonds.half[first as usize] {
            NONE => (first != node || self.net.degree(node) > 0).then_some(first),
            other if self.net.code(other) < self.net.code(first) => Some(other),
            _ => Some(first),
        }
    }

    /// All who belong to the clique of a leader, itself first.
    pub(super) fn members(&self, leader: u32, members: &mut Vec<u32>) {
        members.clear();
        let half = self.bonds.half[leader as usize];
        for first in [leader, half].into_iter().filter(|&first| first != NONE) {
            members.push(first);
            members.extend(self.bonds.mate(first));
        }
        for place in 0..members.len() {
            let node = members[place];
            if self.bonds.guests[node as usize] == 0 {
                continue;
            }
            self.net.beside(node, |near| {
                if self.bonds.host(near) == Some(node) {
                    members.push(near);
                }
            });
        }
    }
}
