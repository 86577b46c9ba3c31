//! Exchanges of slots that save travel.

use super::spread::Spread;
use super::{Place, ground};
use core::cmp::Reverse;
use core::ops::ControlFlow;
use throng_core::{Grid, Rules};
use throng_search::Graph;

/// Two members that should exchange their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swap {
    /// The member of smaller number.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// By how much both together travel less, at least.
    pub gain: u32,
}

/// Proposes exchanges between members of one size that stand near each other's slots, where both together would
/// travel less. `slots[i]` belongs to member *i*; `reach` is how many straight steps count as near.
///
/// Nobody takes part in two exchanges, so that all of them can be made at once; the largest gains come first.
/// Members and slots that are off the map or do not fit take no part. Cost: a search of radius `reach` per member.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Place, Swap, improve};
///
/// // Each stands in the other's slot.
/// let grid = Grid::empty(6, 1)?;
/// let at = |x| Place::new(Cell::new(x, 0), 1);
/// let swaps = improve(&grid, Rules::default(), &[at(1), at(4)], &[at(4), at(1)], 4);
/// assert_eq!(swaps, [Swap { a: 0, b: 1, gain: 6 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn improve(grid: &Grid, rules: Rules, members: &[Place], slots: &[Place], reach: u32) -> Vec<Swap> {
    let near = Near::new(grid, rules, members, slots, reach);
    let mut swaps = Vec::new();
    for (a, found) in near.found.iter().enumerate() {
        for &(b, there) in found.iter().filter(|&&(b, _)| b > a) {
            let Some(back) = near.between(b, a) else { continue };
            let now = near.own(a).saturating_add(near.own(b));
            let gain = now.saturating_sub(there.saturating_add(back));
            if gain > 0 {
                swaps.push(Swap { a, b, gain });
            }
        }
    }
    swaps.sort_unstable_by_key(|swap| (Reverse(swap.gain), swap.a, swap.b));
    let mut busy = vec![false; members.len()];
    swaps.retain(|&Swap { a, b, .. }| {
        let free = !busy[a] && !busy[b];
        if free {
            (busy[a], busy[b]) = (true, true);
        }
        free
    });
    swaps
}

/// Which slots are near which members.
struct Near {
    /// By member: whose slots, ascending, and how far.
    found: Vec<Vec<(usize, u32)>>,
    /// What is not near is at least so far.
    beyond: u32,
}

impl Near {
    fn new(grid: &Grid, rules: Rules, members: &[Place], slots: &[Place], reach: u32) -> Self {
        let mut owners: Vec<(u32, usize)> = slots
            .iter()
            .take(members.len())
            .enumerate()
            .filter_map(|(k, s)| Some((s.node(grid)?, k)))
            .collect();
        owners.sort_unstable();
        let mut is_slot = vec![false; grid.len()];
        owners.iter().for_each(|&(node, _)| is_slot[node as usize] = true);
        let straight =
            ground(grid, Rules { connectivity: throng_core::Connectivity::Four, ..rules }, 1).longest();
        let radius = reach.saturating_mul(straight);
        let mut spread = Spread::new();
        let mut found = vec![Vec::new(); members.len()];
        for (member, found) in found.iter_mut().enumerate().take(slots.len()) {
            let Some(start) = members[member].node(grid) else { continue };
            let graph = ground(grid, rules, members[member].body);
            spread.run(
                &graph,
                [start],
                |_| true,
                |_, distance, level| {
                    if distance > radius {
                        return ControlFlow::Break(());
                    }
                    for &mut node in level {
                        if !is_slot[node as usize] {
                            continue;
                        }
                        let first = owners.partition_point(|&(slot, _)| slot < node);
                        let here = owners[first..].iter().take_while(|&&(slot, _)| slot == node);
                        let same = here.filter(|&&(_, k)| {
                            slots[k].body == members[member].body && members[k].body == members[member].body
                        });
                        found.extend(same.map(|&(_, owner)| (owner, distance)));
                    }
                    ControlFlow::Continue(())
                },
            );
            found.sort_unstable();
        }
        Self { found, beyond: radius.saturating_add(1) }
    }

    /// How far `member` is from the slot of `owner`, if that is near.
    fn between(&self, member: usize, owner: usize) -> Option<u32> {
        let near = &self.found[member];
        near.binary_search_by_key(&owner, |&(k, _)| k).ok().map(|k| near[k].1)
    }

    /// How far a member is from its own slot, at least.
    fn own(&self, member: usize) -> u32 {
        self.between(member, member).unwrap_or(self.beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_core::Task;
    use throng_search::TrueDistance;
    use throng_testkit::Worlds;

    proptest! {
        #[test]
        fn exchanges_save_what_they_promise(
            scenario in Worlds { agents: 2..=8, ..Worlds::small() }.of_all_kinds().strategy(),
            reach in 0..20u32,
        ) {
            let (grid, rules) = (scenario.grid(), scenario.rules());
            let members: Vec<Place> = scenario.agents().iter().map(|a| Place::new(a.start, a.body)).collect();
            let slots: Vec<Place> = scenario.agents().iter().map(|a| match a.task {
                Task::Goal(goal) => Place::new(goal, a.body),
                _ => Place::new(a.start, a.body),
            }).collect();
            let way = |member: usize, slot: usize| {
                let graph = ground(grid, rules, members[member].body);
                let mut field = TrueDistance::new(&graph, slots[slot].node(grid).unwrap(), None);
                field.distance(&graph, members[member].node(grid).unwrap()).map_or(1 << 20, i64::from)
            };
            let gain = |a, b| way(a, a) + way(b, b) - way(a, b) - way(b, a);
            let swaps = improve(grid, rules, &members, &slots, reach);
            let mut busy = vec![false; members.len()];
            for &Swap { a, b, gain: promised } in &swaps {
                prop_assert!(a < b && promised > 0 && members[a].body == members[b].body);
                prop_assert!(gain(a, b) >= i64::from(promised));
                prop_assert!(!std::mem::replace(&mut busy[a], true) && !std::mem::replace(&mut busy[b], true));
            }
            if reach == 19 && swaps.is_empty() && rules.timing == throng_core::Timing::Uniform {
                for b in 0..members.len() {
                    for a in 0..b {
                        let near = way(a, b).max(way(b, a)) <= 19;
                        let same = members[a].body == members[b].body;
                        prop_assert!(!same || !near || gain(a, b) <= 0 || way(a, a).max(way(b, b)) > 19);
                    }
                }
            }
        }
    }

    #[test]
    fn lists_of_different_length_do_no_harm() {
        let grid = Grid::empty(3, 1).unwrap();
        let at = |x| Place::new(throng_core::Cell::new(x, 0), 1);
        assert!(improve(&grid, Rules::default(), &[at(0)], &[at(0), at(1)], 3).is_empty());
        assert!(improve(&grid, Rules::default(), &[at(0), at(9)], &[at(0)], 3).is_empty());
    }
}
