//! Members that travel the same ground.

use super::spread::Spread;
use super::{Place, SlotsError, ground};
use core::ops::ControlFlow;
use throng_core::{Cell, CellId, Grid, Rules};

/// Members of one size that can reach each other. A group has one party per size, unless walls or doors that are
/// too narrow keep members of that size apart.
pub(super) struct Party {
    pub(super) body: u8,
    /// Their numbers, ascending.
    pub(super) members: Vec<usize>,
    /// Where one of them alone would rest: as near to the goal as they can come.
    pub(super) home: u32,
}

/// The parties of a group, largest bodies first.
pub(super) fn parties(
    grid: &Grid,
    rules: Rules,
    goal: Cell,
    members: &[Place],
) -> Result<Vec<Party>, SlotsError> {
    if !grid.is_open(goal) {
        return Err(SlotsError::GoalBlocked { goal });
    }
    let mut nodes = Vec::with_capacity(members.len());
    for (member, &place) in members.iter().enumerate() {
        nodes.push(place.node(grid).ok_or(SlotsError::Misplaced { member, place })?);
    }
    let mut waiting: Vec<usize> = (0..members.len()).collect();
    waiting.sort_by_key(|&member| core::cmp::Reverse(members[member].body));
    let (mut homes, mut parties, mut cut_off) = (Homes::new(grid, rules, goal), Vec::new(), Vec::new());
    while let Some(&first) = waiting.first() {
        let body = members[first].body;
        let peers: Vec<u32> =
            waiting.iter().take_while(|&&m| members[m].body == body).map(|&m| nodes[m]).collect();
        let home = homes.of(nodes[first], body, &peers);
        let (here, others) = waiting
            .iter()
            .partition(|&&m| members[m].body == body && homes.ground.distance(nodes[m]).is_some());
        waiting = others;
        match home {
            Some(home) => parties.push(Party { body, members: here, home }),
            None => cut_off.extend::<Vec<usize>>(here),
        }
    }
    if cut_off.is_empty() {
        return Ok(parties);
    }
    cut_off.sort_unstable();
    Err(SlotsError::Unreachable { goal, members: cut_off })
}

/// Finds where bodies rest that have the goal for themselves.
pub(super) struct Homes<'a> {
    grid: &'a Grid,
    rules: Rules,
    goal: Cell,
    /// What a body can reach, from the last question.
    pub(super) ground: Spread,
    /// Around the goal, as a 1×1 body goes.
    near: Spread,
}

impl<'a> Homes<'a> {
    pub(super) fn new(grid: &'a Grid, rules: Rules, goal: Cell) -> Self {
        Self { grid, rules, goal, ground: Spread::default(), near: Spread::default() }
    }

    /// The place nearest to the goal that a body from `node` can reach, by the way that a 1×1 body takes from the
    /// goal to the middle of it. `None` if it cannot come into the region of the goal: no way leads there, or there
    /// is room for it on the goal and all ways to that are too narrow. Afterwards [`Self::ground`] knows of all
    /// `peers` whether they can reach it too.
    pub(super) fn of(&mut self, node: u32, body: u8, peers: &[u32]) -> Option<u32> {
        let graph = ground(self.grid, self.rules, body);
        let goal = self.grid.id(self.goal)?.0;
        // Most often everybody can reach the goal itself, and the rest of the map need not be seen.
        let best = anchor(self.grid, self.goal, body);
        let mut waiting = peers;
        self.ground.run(
            &graph,
            [node],
            |_| true,
            |known, _, _| {
                if best.is_some_and(|best| known.distance(best).is_some()) {
                    known.all(&mut waiting)
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        let mut home = None;
        let (grid, reached) = (self.grid, &self.ground);
        let mut rooms = over(grid, self.goal, body).peekable();
        if rooms.peek().is_some() && !rooms.any(|at| reached.distance(at).is_some()) {
            return None;
        }
        let small = ground(grid, self.rules, 1);
        let nearest = |level: &[u32]| {
            let cells = level.iter().map(|&node| grid.cell(CellId(node)));
            cells
                .filter_map(|cell| anchor(grid, cell, body).filter(|&at| reached.distance(at).is_some()))
                .min()
        };
        self.near.run(
            &small,
            [goal],
            |_| true,
            |_, _, level| {
                home = nearest(level);
                if home.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        home
    }
}

/// The smallest corner of a body that has `cell` in its middle, if it fits there.
fn anchor(grid: &Grid, cell: Cell, body: u8) -> Option<u32> {
    let half = i32::from(body - 1) / 2;
    Place::new(Cell::new(cell.x - half, cell.y - half), body).node(grid)
}

/// The smallest corners of bodies that cover `cell`, where they fit.
fn over(grid: &Grid, cell: Cell, body: u8) -> impl Iterator<Item = u32> {
    let at = move |x: u8, y: u8| Cell::new(cell.x - i32::from(x), cell.y - i32::from(y));
    (0..body).flat_map(move |y| (0..body).filter_map(move |x| Place::new(at(x, y), body).node(grid)))
}
