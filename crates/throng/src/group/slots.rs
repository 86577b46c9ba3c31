//! A resting place for each member of a group.

use super::parties::{Party, parties};
use super::room::Room;
use super::shapes::wishes;
use super::spread::Spread;
use super::{Place, Shape, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, CellId, Grid, Rules};

/// Why there are no slots for a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
pub enum SlotsError {
    /// Nobody can stand at the goal.
    #[error("the goal {goal} is blocked or off the map")]
    GoalBlocked {
        /// The goal.
        goal: Cell,
    },
    /// A member stands where it does not fit, or its body is no size that exists.
    #[error("member {member} of the group: a body of {} does not fit at {}", .place.body, .place.at)]
    Misplaced {
        /// Which one.
        member: usize,
        /// Where.
        place: Place,
    },
    /// Some members cannot come to the goal: no way leads there, or theirs is too narrow for their bodies. Without
    /// them the order can be given.
    #[error("{} cannot reach the goal {goal}: no way leads there, or it is too narrow for their bodies", named(.members))]
    Unreachable {
        /// The goal.
        goal: Cell,
        /// Which ones, ascending.
        members: Vec<usize>,
    },
    /// There is less room around the goal than members.
    #[error("there is room for {fit} of {wanted} members")]
    TooLittleRoom {
        /// How many there are.
        wanted: usize,
        /// How many have a place.
        fit: usize,
        /// The place of each member that has one: they can go, and the others stay.
        slots: Vec<Option<Place>>,
    },
}

/// "member 3 of the group", or "12 members of the group (the first is member 3)".
pub(super) fn named(members: &[usize]) -> String {
    match members {
        [] => "nobody of the group".to_owned(),
        [one] => format!("member {one} of the group"),
        [first, ..] => format!("{} members of the group (the first is member {first})", members.len()),
    }
}

/// Chooses a resting place for each member around `goal`; slot *i* has the size of member *i*.
///
/// Every slot can be reached, walls and bodies counted, both from the goal and by the member; no two overlap, and
/// none covers a cell that is `excluded`, such as one held by a unit that stays. What is excluded can still be passed.
/// A body that is too large to stand on the goal at all rests as near to it as it can come.
///
/// * With [`Shape::Block`] slots are as near to the goal as they can be in travel. Larger bodies choose first,
///   since small ones find room anywhere. Within one size anybody can take any slot: [`assign`](super::assign())
///   says who.
/// * With the other shapes slot *i* is the place of member *i* in the formation, or the nearest to it that is free.
///   In a formation that is to be kept, everybody goes to its own slot.
///
/// Cost: a search over the map per size of body, and with shapes a small one per slot that has to move.
///
/// ```
/// use throng::core::{Cell, Grid, Rules};
/// use throng::group::{Place, Shape, SlotsError, slots};
///
/// let grid = Grid::from_rows(&["@...@", "@...@", "....."])?;
/// let members: Vec<_> = (0..5).map(|x| Place::new(Cell::new(x, 2), 1)).collect();
/// let goal = Cell::new(2, 0);
/// let found = slots(&grid, Rules::default(), goal, &members, Shape::Block, |_| false)?;
/// assert_eq!(found[0].at, goal);
/// assert!(found.iter().all(|slot| slot.at.y < 2));
///
/// // Two cells are held by somebody else, and the bottom is to stay free.
/// let held = |cell: Cell| cell.y == 2 || (cell.x == 1 && cell.y < 2);
/// let few = slots(&grid, Rules::default(), goal, &members, Shape::Block, held);
/// assert!(matches!(few, Err(SlotsError::TooLittleRoom { wanted: 5, fit: 4, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slots(
    grid: &Grid,
    rules: Rules,
    goal: Cell,
    members: &[Place],
    shape: Shape,
    excluded: impl Fn(Cell) -> bool,
) -> Result<Vec<Place>, SlotsError> {
    let parties = parties(grid, rules, goal, members)?;
    let mut search = Placing {
        grid,
        rules,
        room: Room::new(grid, excluded),
        slots: vec![None; members.len()],
        spread: Spread::default(),
    };
    match wishes(members, goal, shape) {
        None => parties.iter().for_each(|party| search.block(party)),
        Some(wishes) => search.formation(&parties, &wishes),
    }
    let fit = search.slots.iter().flatten().count();
    if fit < members.len() {
        return Err(SlotsError::TooLittleRoom { wanted: members.len(), fit, slots: search.slots });
    }
    Ok(search.slots.into_iter().flatten().collect())
}

struct Placing<'a, F> {
    grid: &'a Grid,
    rules: Rules,
    room: Room<'a, F>,
    slots: Vec<Option<Place>>,
    spread: Spread,
}

impl<F: Fn(Cell) -> bool> Placing<'_, F> {
    /// The nearest free places to the party's home, in order.
    fn block(&mut self, party: &Party) {
        self.nearest(party.home, party.body, &party.members);
    }

    /// Gives `members` the nearest free places to `from`.
    fn nearest(&mut self, from: u32, body: u8, members: &[usize]) {
        let Self { grid, rules, room, slots, spread } = self;
        let mut waiting = members.iter();
        spread.run(
            &ground(grid, *rules, body),
            [from],
            |_| true,
            |_, _, level| {
                level.sort_unstable();
                for &node in level.iter() {
                    if waiting.len() == 0 {
                        return ControlFlow::Break(());
                    }
                    if room.take(node, body)
                        && let Some(&member) = waiting.next()
                    {
                        slots[member] = Some(Place::new(grid.cell(CellId(node)), body));
                    }
                }
                if waiting.len() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
    }

    /// First everybody whose wish is free, then the others beside theirs: nobody loses its wish to one who has
    /// lost its own.
    fn formation(&mut self, parties: &[Party], wishes: &[Cell]) {
        let mut moved = Vec::new();
        let mut everywhere = Spread::default();
        for party in parties {
            let graph = ground(self.grid, self.rules, party.body);
            everywhere.run(&graph, [party.home], |_| true, |_, _, _| ControlFlow::Continue(()));
            let reachable = |at| {
                let node = Place::new(at, party.body).node(self.grid)?;
                everywhere.distance(node).map(|_| node)
            };
            for &member in &party.members {
                match reachable(wishes[member]) {
                    Some(node) if self.room.take(node, party.body) => {
                        self.slots[member] = Some(Place::new(wishes[member], party.body));
                    }
                    Some(node) => moved.push((member, party.body, node)),
                    None => {
                        let home = self.grid.cell(CellId(party.home));
                        let start = pull(self.on_map(wishes[member]), home, reachable);
                        moved.push((member, party.body, start.unwrap_or(party.home)));
                    }
                }
            }
        }
        for (member, body, node) in moved {
            self.nearest(node, body, &[member]);
        }
    }

    fn on_map(&self, cell: Cell) -> Cell {
        let within = |at: i32, side: usize| at.clamp(0, side as i32 - 1);
        Cell::new(within(cell.x, self.grid.width()), within(cell.y, self.grid.height()))
    }
}

/// How far around a wish that nobody can stand at another place is looked for.
const AROUND: i32 = 12;

/// The nearest place to `wish` that is reachable; if there is none around it, the first on the straight line to
/// `home`, so that a formation before a large obstacle closes up towards the goal.
fn pull(wish: Cell, home: Cell, reachable: impl Fn(Cell) -> Option<u32>) -> Option<u32> {
    for far in 0..=AROUND {
        let mut ring = (-far..=far).flat_map(|dy: i32| {
            let dx = far - dy.abs();
            [Cell::new(wish.x - dx, wish.y + dy), Cell::new(wish.x + dx, wish.y + dy)]
        });
        // Row by row, so that the first found has the smallest number.
        if let Some(node) = ring.find_map(&reachable) {
            return Some(node);
        }
    }
    let (dx, dy) = (i64::from(home.x) - i64::from(wish.x), i64::from(home.y) - i64::from(wish.y));
    let steps = dx.abs().max(dy.abs());
    (1..=steps).find_map(|step| {
        let along = |from: i32, by: i64| (i64::from(from) + by * step / steps) as i32;
        reachable(Cell::new(along(wish.x, dx), along(wish.y, dy)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::room::cells;
    use proptest::prelude::*;
    use throng_search::TrueDistance;
    use throng_testkit::Worlds;

    const SHAPES: [Shape; 4] = [Shape::Block, Shape::Formation, Shape::Line { ranks: 2 }, Shape::Column];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn slots_fit_do_not_overlap_and_can_be_reached(
            scenario in Worlds { agents: 1..=12, ..Worlds::small() }.of_all_kinds().strategy(),
            goal in (0..10i32, 0..10i32),
            shape in prop::sample::select(&SHAPES[..]),
        ) {
            let (grid, rules, goal) = (scenario.grid(), scenario.rules(), Cell::new(goal.0, goal.1));
            let members: Vec<Place> = scenario.agents().iter().map(|a| Place::new(a.start, a.body)).collect();
            let held = |cell: Cell| (cell.x + 2 * cell.y) % 7 == 0;
            let found = match slots(grid, rules, goal, &members, shape, held) {
                Ok(found) => found.into_iter().map(Some).collect(),
                Err(SlotsError::TooLittleRoom { wanted, fit, slots }) => {
                    prop_assert_eq!((wanted, fit), (members.len(), slots.iter().flatten().count()));
                    slots
                }
                Err(SlotsError::GoalBlocked { .. }) => {
                    prop_assert!(!grid.is_open(goal));
                    return Ok(());
                }
                Err(SlotsError::Unreachable { members: far, .. }) => {
                    prop_assert!(!far.is_empty());
                    return Ok(());
                }
                Err(other) => return Err(TestCaseError::fail(other.to_string())),
            };
            let mut taken = vec![false; grid.len()];
            for (slot, member) in found.iter().zip(&members) {
                let Some(slot) = slot else { continue };
                prop_assert_eq!(slot.body, member.body);
                let node = slot.node(grid).unwrap();
                for id in cells(grid, node, slot.body) {
                    prop_assert!(!std::mem::replace(&mut taken[id.index()], true) && !held(grid.cell(id)));
                }
                let graph = ground(grid, rules, member.body);
                let way = TrueDistance::new(&graph, node, None).distance(&graph, member.node(grid).unwrap());
                prop_assert!(way.is_some());
            }
        }

        /// No free cell is nearer to the goal than a slot of a 1×1 body.
        #[test]
        fn a_block_leaves_no_hole(scenario in Worlds::small().strategy(), goal in (0..10i32, 0..10i32)) {
            let (grid, rules, goal) = (scenario.grid(), scenario.rules(), Cell::new(goal.0, goal.1));
            let members: Vec<Place> = scenario.agents().iter().map(|a| Place::new(a.start, a.body)).collect();
            let Ok(found) = slots(grid, rules, goal, &members, Shape::Block, |_| false) else { return Ok(()) };
            let graph = ground(grid, rules, 1);
            let mut field = TrueDistance::new(&graph, grid.id(goal).unwrap().0, None);
            let mut distance = |cell| field.distance(&graph, grid.id(cell).unwrap().0);
            let farthest = found.iter().filter_map(|slot| distance(slot.at)).max();
            let nearer = grid.open_ids().filter(|&id| distance(grid.cell(id)).is_some_and(|d| Some(d) < farthest));
            for id in nearer {
                prop_assert!(found.iter().any(|slot| slot.at == grid.cell(id)));
            }
        }
    }

    #[test]
    fn a_formation_keeps_its_offsets_where_it_can() {
        let grid = Grid::from_rows(&["..........", "..........", ".......@..", ".........."]).unwrap();
        let at = |x, y| Place::new(Cell::new(x, y), 1);
        let members = [at(0, 0), at(2, 0), at(0, 2), at(2, 2)];
        let go =
            |x, y| slots(&grid, Rules::default(), Cell::new(x, y), &members, Shape::Formation, |_| false);
        assert_eq!(go(4, 2).unwrap(), [at(3, 1), at(5, 1), at(3, 3), at(5, 3)]);
        // One would stand in the wall and goes beside it: up, which has the smallest number.
        assert_eq!(go(6, 1).unwrap(), [at(5, 0), at(7, 0), at(5, 2), at(7, 1)]);
    }

    #[test]
    fn a_body_is_not_sent_to_the_wrong_side_of_a_narrow_door() {
        let grid = Grid::from_rows(&["..@...", "......", "..@..."]).unwrap();
        let at = |x, y, body| Place::new(Cell::new(x, y), body);
        let go = |x, members: &[Place]| {
            slots(&grid, Rules::default(), Cell::new(x, 1), members, Shape::Block, |_| false)
        };
        let (goal, members) = (Cell::new(4, 1), vec![1]);
        let refused = go(4, &[at(0, 0, 1), at(0, 1, 2)]);
        assert_eq!(refused, Err(SlotsError::Unreachable { goal, members }));
        assert_eq!(
            refused.unwrap_err().to_string(),
            "member 1 of the group cannot reach the goal (4,1): no way leads there, or it is too narrow for their \
             bodies"
        );
        // Where nobody of its size can stand, it comes as near as it can: here, to the door.
        assert_eq!(go(2, &[at(0, 0, 2)]), Ok(vec![at(0, 1, 2)]));
    }
}
