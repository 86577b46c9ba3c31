//! What planners return.

use crate::{Action, Actions, Cell, Tick};

/// The actions of one agent from tick 0 on. After the last it stays where it is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// Where it begins.
    pub start: Cell,
    /// One after the other, without gaps.
    pub actions: Vec<Action>,
}

impl Path {
    /// Each action with the tick it begins at and the cell it begins from.
    pub fn steps(&self, actions: Actions) -> impl Iterator<Item = (Tick, Cell, Action)> + '_ {
        let (mut tick, mut cell) = (0, self.start);
        self.actions.iter().map(move |&action| {
            let step = (tick, cell, action);
            tick += Tick::from(actions.duration(action));
            cell = cell.after(action);
            step
        })
    }

    /// Where it ends.
    #[must_use]
    pub fn end(&self) -> Cell {
        self.actions.iter().fold(self.start, |cell, &action| cell.after(action))
    }

    /// The tick from which on it stays at its last cell: waits at the end do not count.
    #[must_use]
    pub fn arrival(&self, actions: Actions) -> Tick {
        let moves = self.actions.iter().rposition(|a| *a != Action::Wait).map_or(0, |last| last + 1);
        self.actions[..moves].iter().map(|&a| Tick::from(actions.duration(a))).sum()
    }
}

/// The paths of all agents, in the order of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plan {
    /// One path per agent.
    pub paths: Vec<Path>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Connectivity, Dir, Rules, Timing};

    #[test]
    fn steps_know_when_and_where() {
        let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
        let actions = Actions::new(rules, 1, 5);
        let path = Path {
            start: Cell::new(1, 1),
            actions: vec![Action::Go(Dir::SE), Action::Wait, Action::Go(Dir::E), Action::Wait],
        };
        let ticks: Vec<_> = path.steps(actions).map(|(tick, cell, _)| (tick, cell.x, cell.y)).collect();
        assert_eq!(ticks, [(0, 1, 1), (7, 2, 2), (8, 2, 2), (13, 3, 2)]);
        assert_eq!(path.arrival(actions), 13);
        assert_eq!(path.end(), Cell::new(3, 2));
    }
}
