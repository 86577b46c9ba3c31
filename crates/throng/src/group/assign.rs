//! Who goes to which slot.

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    #[error("{} members of body {body} (the first is member {:?}) can reach {slots} slots of their size only", .members.len(), .members.first())]
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
/// how far each would travel alone, walls and its body counted.
///
/// The matching itself is exact. Ways are exact for members within forty steps of the slots, and at most a
/// twentieth longer than the shortest for those farther away, which is where the bound comes from; in practice the
/// sum is within a hundredth. Costs: a number of searches that depends on the ground between members and slots more
/// than on how many there are, and O(n³) integer operations in the worst case for the matching, usually far fewer.
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
    let mut spread = Spread::new();
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
