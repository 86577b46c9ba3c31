//! Saving a search that had no room to end.

use super::{AStar, Node};
use throng_core::Action;

/// A search that goes on later, as a snapshot stores it. Nodes are told by names that whoever saves chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedAStar {
    /// In the order of their names.
    nodes: Vec<SavedNode>,
    /// Key and place in `nodes`, in the order in which they were queued.
    open: Vec<(u32, u32)>,
    floor: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SavedNode {
    name: u32,
    g: u32,
    /// A place in the list.
    parent: u32,
    action: Action,
    closed: bool,
}

/// The same with the nodes that its names mean.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    saved: SavedAStar,
    ids: Vec<u32>,
}

/// No cost that is saved may be larger, so that sums of a few never overflow.
const FAR: u32 = 1 << 29;

impl SavedAStar {
    /// Whether it refers to itself only, and its ways lead back to one beginning.
    fn is_whole(&self) -> bool {
        let Self { nodes, open, floor } = self;
        let earlier = |n: &SavedNode| match nodes.get(n.parent as usize) {
            Some(parent) => n.g < FAR && (parent.g < n.g || (parent == n && n.g == 0)),
            None => false,
        };
        let queued = |&(key, place): &(u32, u32)| (place as usize) < nodes.len() && key >= *floor;
        let named = nodes.is_sorted_by(|a, b| a.name < b.name);
        let begins = nodes.iter().filter(|n| n.g == 0).count() == 1;
        named && begins && *floor < FAR && nodes.iter().all(earlier) && open.iter().all(queued)
    }
}

impl AStar {
    /// The search that was paused; `name` tells a node apart from all others.
    #[must_use]
    pub fn save(&self, name: impl Fn(u32) -> u32) -> SavedAStar {
        if let Some(loaded) = &self.loaded {
            return loaded.saved.clone();
        }
        let reached = |(_, node): &(usize, &Node)| node.stamp == self.stamp || node.stamp == self.stamp + 1;
        let nodes = self.nodes.iter().enumerate().filter(reached);
        let mut nodes: Vec<_> = nodes.map(|(at, node)| (name(at as u32), at, *node)).collect();
        nodes.sort_unstable_by_key(|&(name, ..)| name);
        let mut places = vec![0; self.nodes.len()];
        for (place, &(_, at, _)) in nodes.iter().enumerate() {
            places[at] = place as u32;
        }
        let node = |&(name, _, Node { stamp, g, parent, action }): &(u32, usize, Node)| SavedNode {
            name,
            g,
            parent: places[parent as usize],
            action,
            closed: stamp != self.stamp,
        };
        let (open, _, floor) = self.open.save();
        let open = open.into_iter().map(|(key, at)| (key, places[at as usize])).collect();
        SavedAStar { nodes: nodes.iter().map(node).collect(), open, floor }
    }

    /// Takes up a paused search, in which `node` tells what a name means. Answers whether it is one: nothing in it leads
    /// nowhere or in circles. Whether it fits what is asked for is seen when it goes on.
    pub fn load(&mut self, saved: SavedAStar, node: impl Fn(u32) -> Option<u32>) -> bool {
        let ids: Option<Vec<u32>> = saved.nodes.iter().map(|n| node(n.name)).collect();
        let Some(ids) = ids.filter(|ids| saved.is_whole() && all_differ(ids)) else { return false };
        self.loaded = Some(Box::new(Loaded { saved, ids }));
        self.paused = true;
        true
    }

    /// Goes on with a search that was loaded, if it is one from `start` whose nodes cost no more than their keys say.
    pub(super) fn take_up(
        &mut self,
        Loaded { saved: SavedAStar { nodes, open, floor }, ids }: &Loaded,
        len: usize,
        start: u32,
        span: u32,
        estimate: &impl Fn(u32) -> u32,
    ) -> bool {
        let known = |&(n, &id): &(&SavedNode, &u32)| (id as usize) < len && (n.g > 0 || id == start);
        let cheap = |&(key, place): &(u32, u32)| {
            let far = nodes[place as usize].g.saturating_add(estimate(ids[place as usize]));
            far <= key && key - floor <= span
        };
        if !nodes.iter().zip(ids).all(|pair| known(&pair)) || !open.iter().all(cheap) {
            return false;
        }
        self.begin(len, span);
        for (n, &id) in nodes.iter().zip(ids) {
            let (stamp, parent) = (self.stamp + u32::from(n.closed), ids[n.parent as usize]);
            self.nodes[id as usize] = Node { stamp, g: n.g, parent, action: n.action };
        }
        self.open.restart(*floor);
        open.iter().for_each(|&(key, place)| self.open.push(key, ids[place as usize]));
        true
    }
}

fn all_differ(ids: &[u32]) -> bool {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.is_sorted_by(|a, b| a < b)
}
