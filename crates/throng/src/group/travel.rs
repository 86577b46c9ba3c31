//! How far every member is from every slot, in few searches.

use super::matching::Costs;
use super::spread::Spread;
use throng_search::Graph;

/// One part in so many of a way may be a detour.
pub(super) const SHARE: u32 = 20;

/// Costs of the ways from members (rows) to slots (columns), all of which must be able to reach each other.
///
/// A search from every slot would be exact, and far too slow: slots are as many as members. But a search from one
/// *anchor* serves everything within a radius r of it: going by the anchor is a detour of at most 2r. With 2r at
/// most a twentieth of the way to the nearest slot, every entry is the length of a real way and at most 1.05 times
/// the shortest; so the cheapest matching by these costs is at most 1.05 times the cheapest there is. Members near
/// the slots have r = 0 and exact costs; those far away share few anchors. Members are taken together by
/// distance, each band twice as far as the one before, and for each band anchors are set among its members or
/// among the slots, whichever needs fewer.
pub(super) fn costs(graph: &impl Graph, members: &[u32], slots: &[u32], spread: &mut Spread) -> Costs {
    let mut costs = Costs::new(members.len(), slots.len());
    spread.reach(graph, slots.iter().copied(), members);
    let mut bands: Vec<(u32, u32, usize)> = Vec::with_capacity(members.len());
    for (row, &member) in members.iter().enumerate() {
        let nearest = spread.distance(member).unwrap_or(0);
        bands.push(((nearest / (2 * SHARE)).checked_ilog2().map_or(0, |band| band + 1), nearest, row));
    }
    bands.sort_unstable();
    for band in bands.chunk_by(|a, b| a.0 == b.0) {
        let radius = band.iter().map(|&(_, nearest, _)| nearest / (2 * SHARE)).min().unwrap_or(0);
        let rows: Vec<usize> = band.iter().map(|&(_, _, row)| row).collect();
        let nodes: Vec<u32> = rows.iter().map(|&row| members[row]).collect();
        let (by_member, by_slot) =
            (Net::new(graph, &nodes, radius, spread), Net::new(graph, slots, radius, spread));
        if by_member.anchors.len() <= by_slot.anchors.len() {
            by_member
                .search(graph, slots, spread, |point, slot, cost| costs.row_mut(rows[point])[slot] = cost);
        } else {
            by_slot.search(graph, &nodes, spread, |slot, row, cost| costs.row_mut(rows[row])[slot] = cost);
        }
    }
    costs
}

/// Anchors such that every point has one within a radius.
struct Net {
    anchors: Vec<Anchor>,
}

struct Anchor {
    node: u32,
    /// Which points use it, and how far they are from it.
    points: Vec<(usize, u32)>,
}

impl Net {
    fn new(graph: &impl Graph, points: &[u32], radius: u32, spread: &mut Spread) -> Self {
        let mut anchors = Vec::new();
        let mut waiting: Vec<usize> = (0..points.len()).collect();
        while let Some(&first) = waiting.first() {
            let node = points[first];
            if radius == 0 {
                anchors
                    .extend(points.iter().zip(0..).map(|(&node, k)| Anchor { node, points: vec![(k, 0)] }));
                break;
            }
            spread.run(
                graph,
                [node],
                |_| true,
                |_, distance, _| {
                    if distance < radius {
                        core::ops::ControlFlow::Continue(())
                    } else {
                        core::ops::ControlFlow::Break(())
                    }
                },
            );
            let mut within = Vec::new();
            waiting.retain(|&point| match spread.distance(points[point]) {
                Some(distance) if distance <= radius => {
                    within.push((point, distance));
                    false
                }
                _ => true,
            });
            anchors.push(Anchor { node, points: within });
        }
        Self { anchors }
    }

    /// Calls `found` with every point, every target and the cost between them.
    fn search(
        &self,
        graph: &impl Graph,
        targets: &[u32],
        spread: &mut Spread,
        mut found: impl FnMut(usize, usize, u32),
    ) {
        for anchor in &self.anchors {
            spread.reach(graph, [anchor.node], targets);
            for (target, &node) in targets.iter().enumerate() {
                let way = spread.distance(node).unwrap_or(0);
                anchor.points.iter().for_each(|&(point, aside)| found(point, target, way + aside));
            }
        }
    }
}
