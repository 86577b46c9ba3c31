//! Who goes to which slot.

use super::slots::named;
use super::spread::Spread;
use super::{Place, ground, travel};
use throng_core::{Grid, Rules};

/// Who goes where.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Assignment {
    /// For each member the number of its slot.
    pub slot_of: Vec<usize>,
    /// What all of them travel together, at most: the sum of ways, some of which may have a shortcut. Not more than
    /// 1.05 times the least possible.
    pub travel: u64,
}

/// Why members and slots cannot be matched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
pub enum AssignError {
    /// A member stands where it does not fit, or its body is no size that exists.
    #[error("member {member} of the group: a body of {} does not fit at {}", .place.body, .place.at)]
    MemberMisplaced {
        /// Which one.
        member: usize,
        /// Where.
        place: Place,
    },
    /// The same of a slot.
    #[error("slot {slot}: a body of {} does not fit at {}", .place.body, .place.at)]
    SlotMisplaced {
        /// Which one.
        slot: usize,
        /// Where.
        place: Place,
    },
    /// There are fewer slots than members of that size which can reach them.
    #[error("{} can reach {slots} slots of their size (body {body}) only", named(.members))]
    TooFewSlots {
        /// Side of the body.
        body: u8,
        /// The members, ascending.
        members: Vec<usize>,
        /// How many slots they can reach.
        slots: usize,
    },
}

/// Says who goes to which slot, so that all together travel at most 1.05 times the least possible.
///
/// Members go to slots of their own size that they can reach; there may be more slots than members. What counts is
/// how far each would travel alone, walls and its body counted. Where several ways to share the slots cost the same,
/// travel is shared evenly: before a corridor, whoever is nearer to it goes deeper, so that nobody has to pass anybody
/// who already rests.
///
/// The matching itself is exact. Ways are those of real searches, but some go by a place beside the slot, so that
/// one search serves several; all those detours together are at most a twentieth of what must be travelled, which is
/// where the bound comes from. Cost: the farther members are from the slots, the fewer and the longer the searches;
/// and O(n³) integer operations in the worst case for the matching, usually far fewer.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Place, assign};
///
/// // Beyond the wall is near as the crow flies only.
/// let grid = Grid::from_rows(&[".....", ".@@@@", "....."])?;
/// let at = |x, y| Place::new(Cell::new(x, y), 1);
/// let order = assign(&grid, Rules::default(), &[at(4, 0), at(2, 2)], &[at(4, 2), at(0, 0)])?;
/// assert_eq!(order.slot_of, [1, 0]);
/// assert_eq!(order.travel, 4 + 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assign(
    grid: &Grid,
    rules: Rules,
    members: &[Place],
    slots: &[Place],
) -> Result<Assignment, AssignError> {
    let mut nodes = [Vec::with_capacity(members.len()), Vec::with_capacity(slots.len())];
    for (member, &place) in members.iter().enumerate() {
        nodes[0].push(place.node(grid).ok_or(AssignError::MemberMisplaced { member, place })?);
    }
    for (slot, &place) in slots.iter().enumerate() {
        nodes[1].push(place.node(grid).ok_or(AssignError::SlotMisplaced { slot, place })?);
    }
    let mut result = Assignment { slot_of: vec![0; members.len()], travel: 0 };
    let mut spread = Spread::default();
    let mut bodies: Vec<u8> = members.iter().map(|m| m.body).collect();
    bodies.sort_unstable();
    bodies.dedup();
    for body in bodies {
        let graph = ground(grid, rules, body);
        let of_size = |places: &[Place]| (0..places.len()).filter(|&k| places[k].body == body).collect();
        let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = (of_size(members), of_size(slots));
        // Whoever can reach one slot of a region can reach all of it, so that regions are matched one by one.
        while let Some(&first) = rows.first() {
            let mut wanted: Vec<u32> = rows.iter().map(|&m| nodes[0][m]).collect();
            wanted.extend(columns.iter().map(|&s| nodes[1][s]));
            spread.reach(&graph, [nodes[0][first]], &wanted);
            let reached = |node: u32| spread.distance(node).is_some();
            let (here, elsewhere) = rows.iter().partition(|&&m| reached(nodes[0][m]));
            let (slots, other_slots) = columns.iter().partition(|&&s| reached(nodes[1][s]));
            (rows, columns) = (elsewhere, other_slots);
            let (here, slots): (Vec<usize>, Vec<usize>) = (here, slots);
            if slots.len() < here.len() {
                return Err(AssignError::TooFewSlots { body, members: here, slots: slots.len() });
            }
            let from: Vec<u32> = here.iter().map(|&m| nodes[0][m]).collect();
            let to: Vec<u32> = slots.iter().map(|&s| nodes[1][s]).collect();
            let costs = travel::costs(&graph, &from, &to, &mut spread);
            for (row, column) in costs.cheapest(here.len()).into_iter().enumerate() {
                result.slot_of[here[row]] = slots[column];
                result.travel += u64::from(costs.row(row)[column]);
            }
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::matching::Costs;
    use proptest::prelude::*;
    use throng_core::{Cell, Scenario, Task};
    use throng_search::TrueDistance;
    use throng_testkit::Worlds;

    fn places(scenario: &Scenario) -> (Vec<Place>, Vec<Place>) {
        let goal = |task: &Task| match task {
            Task::Goal(goal) => *goal,
            _ => Cell::default(),
        };
        let agents = scenario.agents().iter();
        agents.map(|a| (Place::new(a.start, a.body), Place::new(goal(&a.task), a.body))).unzip()
    }

    /// True ways between members and slots of one size; what cannot be costs more than all that can.
    fn truth(scenario: &Scenario, members: &[Place], slots: &[Place]) -> Costs {
        let grid = scenario.grid();
        let mut costs = Costs::new(members.len(), slots.len());
        for (column, slot) in slots.iter().enumerate() {
            let graph = ground(grid, scenario.rules(), slot.body);
            let mut field = TrueDistance::new(&graph, grid.id(slot.at).unwrap().0, None);
            for (row, member) in members.iter().enumerate() {
                let way = field.distance(&graph, grid.id(member.at).unwrap().0);
                costs.row_mut(row)[column] = way.filter(|_| member.body == slot.body).unwrap_or(FAR);
            }
        }
        costs
    }

    const FAR: u32 = 1 << 24;

    fn compare(scenario: &Scenario) -> Result<(), TestCaseError> {
        let (members, slots) = places(scenario);
        let truth = truth(scenario, &members, &slots);
        let best = truth.cheapest(members.len()).into_iter().enumerate();
        let best: u64 = best.map(|(row, column)| u64::from(truth.row(row)[column])).sum();
        match assign(scenario.grid(), scenario.rules(), &members, &slots) {
            Err(AssignError::TooFewSlots { .. }) => prop_assert!(best >= u64::from(FAR)),
            Err(other) => prop_assert!(false, "{other}"),
            Ok(order) => {
                let mut used = vec![false; slots.len()];
                prop_assert!(order.slot_of.iter().all(|&slot| !std::mem::replace(&mut used[slot], true)));
                let ways = order.slot_of.iter().enumerate().map(|(m, &slot)| u64::from(truth.row(m)[slot]));
                let sum: u64 = ways.sum();
                prop_assert!(sum <= order.travel);
                prop_assert!(order.travel * 20 <= best * 21, "{} for {best}", order.travel);
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn nobody_travels_much_more_than_needed(scenario in Worlds::large().of_all_kinds().strategy()) {
            compare(&scenario)?;
        }

        /// Long ways, where anchors serve many.
        #[test]
        fn nor_on_long_ways(
            scenario in Worlds { width: 150..=200, height: 4..=8, walls: 0..=10, ..Worlds::large() }.strategy()
        ) {
            compare(&scenario)?;
        }
    }

    #[test]
    fn far_away_the_bound_holds_too() {
        // From one end of a long hall to the other, so that one anchor serves many slots.
        let grid = Grid::empty(400, 12).unwrap();
        let block = |x: i32| (0..100).map(move |k| Place::new(Cell::new(x + k % 10, 1 + k / 10), 1));
        let (members, slots): (Vec<_>, Vec<_>) = (block(3).collect(), block(380).collect());
        let order = assign(&grid, Rules::default(), &members, &slots).unwrap();
        assert!(order.travel * 20 <= 100 * 377 * 21, "{}", order.travel);
    }

    #[test]
    fn what_cannot_be_is_said() {
        let grid = Grid::from_rows(&["..@.."]).unwrap();
        let at = |x| Place::new(Cell::new(x, 0), 1);
        let error = assign(&grid, Rules::default(), &[at(0), at(4)], &[at(1), at(0)]);
        assert_eq!(error, Err(AssignError::TooFewSlots { body: 1, members: vec![1], slots: 0 }));
        assert_eq!(
            error.unwrap_err().to_string(),
            "member 1 of the group can reach 0 slots of their size (body 1) only"
        );
        assert!(matches!(
            assign(&grid, Rules::default(), &[at(2)], &[at(0)]),
            Err(AssignError::MemberMisplaced { member: 0, .. })
        ));
        assert!(matches!(
            assign(&grid, Rules::default(), &[at(0)], &[Place::new(Cell::new(0, 0), 0)]),
            Err(AssignError::SlotMisplaced { slot: 0, .. })
        ));
    }
}
