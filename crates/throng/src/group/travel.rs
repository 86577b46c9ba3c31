//! How far every member is from every slot, in few searches.

use super::matching::Costs;
use super::spread::Spread;
use core::ops::ControlFlow;
use throng_search::Graph;

/// One part in so many of what all travel together may be detours.
const SHARE: u64 = 20;

/// Costs of the ways from members (rows) to slots (columns), all of which must be able to reach each other and of
/// which there must be at least as many slots as members.
///
/// A search from every slot would be exact, and far too slow: slots are as many as members. But a search from one
/// *anchor* serves all the slots around it: going by the anchor is a detour of at most twice the way between anchor
/// and slot. Every slot is used once at most, so all detours together are at most twice the sum of those ways; and
/// anchors are set so densely that this is at most a twentieth of what everybody must travel at least. Then the
/// cheapest matching by these costs is at most 1.05 times the cheapest there is: taken with them, the cheapest
/// there is costs that much more at most. The same holds for anchors among members, each of whom goes once. The
/// farther the members, the fewer the anchors and the longer their searches: about as much work at any distance.
pub(super) fn costs(graph: &impl Graph, members: &[u32], slots: &[u32], spread: &mut Spread) -> Costs {
    let mut costs = Costs::new(members.len(), slots.len());
    let allowed = least(graph, members, slots, spread) / (2 * SHARE);
    let by_slot = Net::within(graph, slots, allowed, slots.len(), spread);
    let most = by_slot.as_ref().map_or(members.len(), |net| net.anchors.len());
    match (Net::within(graph, members, allowed, most, spread), by_slot) {
        (Some(net), _) => net.search(graph, slots, spread, |row, slot, cost| costs.row_mut(row)[slot] = cost),
        (None, Some(net)) => {
            net.search(graph, members, spread, |slot, row, cost| costs.row_mut(row)[slot] = cost);
        }
        // Cannot be: every slot as an anchor of its own is within every bound.
        (None, None) => {}
    }
    costs
}

/// What all travel together at least. Nobody's distance from some place changes by more than it travels, so it is
/// at least the difference between the members' and the slots' distances from it, whichever slots are used. Two
/// places are tried: a slot, and unless that tells enough, the member that is farthest from it.
fn least(graph: &impl Graph, members: &[u32], slots: &[u32], spread: &mut Spread) -> u64 {
    let wanted: Vec<u32> = members.iter().chain(slots).copied().collect();
    let (mut best, mut from) = (0, slots.first().copied());
    for _ in 0..2 {
        spread.reach(graph, from, &wanted);
        let distance = |&node: &u32| u64::from(spread.distance(node).unwrap_or(0));
        let mut used: Vec<u64> = slots.iter().map(distance).collect();
        used.sort_unstable();
        let near: u64 = used.iter().take(members.len()).sum();
        let far: u64 = used.iter().rev().take(members.len()).sum();
        let all: u64 = members.iter().map(distance).sum();
        best = best.max(all.saturating_sub(far)).max(near.saturating_sub(all));
        if best > all / 8 * 7 {
            break;
        }
        from = members.iter().max_by_key(|&member| distance(member)).copied();
    }
    best
}

/// Anchors, and for each point the one that serves it.
struct Net {
    anchors: Vec<u32>,
    /// By point: its anchor and how far that is.
    of: Vec<(u32, u32)>,
}

impl Net {
    /// A net as coarse as may be whose points are not farther from their anchors than `allowed`, all together;
    /// `None` if that takes more than `most` anchors.
    fn within(
        graph: &impl Graph,
        points: &[u32],
        allowed: u64,
        most: usize,
        spread: &mut Spread,
    ) -> Option<Self> {
        let mut radius = (2 * allowed / (points.len() as u64).max(1)).min(u64::from(u32::MAX)) as u32;
        loop {
            let net = Self::new(graph, points, radius, most, spread)?;
            if net.of.iter().map(|&(_, aside)| u64::from(aside)).sum::<u64>() <= allowed {
                return Some(net);
            }
            radius -= (radius / 4).max(1);
        }
    }

    /// Anchors among the points, at most `most`, such that each has one within `radius`.
    fn new(
        graph: &impl Graph,
        points: &[u32],
        radius: u32,
        most: usize,
        spread: &mut Spread,
    ) -> Option<Self> {
        if radius == 0 {
            return (points.len() <= most).then(|| Self {
                anchors: points.to_vec(),
                of: (0..points.len() as u32).map(|k| (k, 0)).collect(),
            });
        }
        let mut net = Self { anchors: Vec::new(), of: vec![(0, u32::MAX); points.len()] };
        for (point, &node) in points.iter().enumerate() {
            if net.of[point].1 != u32::MAX {
                continue;
            }
            if net.anchors.len() == most {
                return None;
            }
            let number = net.anchors.len() as u32;
            net.anchors.push(node);
            spread.run(
                graph,
                [node],
                |_| true,
                |_, distance, _| {
                    if distance < radius { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                },
            );
            for (&node, of) in points.iter().zip(&mut net.of) {
                if let Some(aside) = spread.distance(node).filter(|&aside| aside <= radius && aside < of.1) {
                    *of = (number, aside);
                }
            }
        }
        Some(net)
    }

    /// Calls `found` with every point, every target and the cost between them.
    fn search(
        &self,
        graph: &impl Graph,
        targets: &[u32],
        spread: &mut Spread,
        mut found: impl FnMut(usize, usize, u32),
    ) {
        let mut served = vec![Vec::new(); self.anchors.len()];
        for (point, &(anchor, aside)) in self.of.iter().enumerate() {
            served[anchor as usize].push((point, aside));
        }
        for (&anchor, points) in self.anchors.iter().zip(&served) {
            spread.reach(graph, [anchor], targets);
            for (target, &node) in targets.iter().enumerate() {
                let way = spread.distance(node).unwrap_or(0);
                points.iter().for_each(|&(point, aside)| found(point, target, way + aside));
            }
        }
    }
}
