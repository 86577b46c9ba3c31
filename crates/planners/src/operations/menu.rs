//! The operations that there are: what a unit can do in the next few ticks, by the pose in which it begins.

use throng_core::{Action, Dir, Motion};

/// The most ticks of an operation.
pub(crate) const LONGEST: usize = 5;
/// No step: it turns or waits.
pub(super) const STAYS: u8 = 4;

/// A sequence of actions, as the cells that it leads through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    /// By tick: the direction of its step, or [`STAYS`].
    pub dirs: [u8; LONGEST],
    /// By tick: a number for where it is then, seen from where it begins; one for each place of the menu.
    pub places: [u8; LONGEST],
    /// The number of the place where it ends.
    pub end: u8,
    /// For how many ticks it is the same as the one before it.
    pub shared: u8,
    /// The pose in which it ends.
    pub pose: u8,
    /// What it begins with.
    pub first: Action,
    /// How often it turns.
    pub turns: u8,
    /// In which tick it first does something.
    begins: u8,
}

/// All operations from one pose. Those that begin alike stand side by side, and no two lead through the same cells at the same
/// ticks to the same pose.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub operations: Vec<Operation>,
}

impl Menu {
    /// What a unit of this motion can do in so many ticks from a pose. Those that step stand first, so that of two that come to
    /// the same the one that steps sooner does.
    pub(super) fn new(motion: Motion, pose: u8, ticks: usize) -> Self {
        let mut all: Vec<(Vec<Action>, u8)> = vec![(Vec::new(), pose)];
        for _ in 0..ticks {
            let longer = |(actions, pose): &(Vec<Action>, u8)| {
                let next = choices(motion, *pose);
                let with = |(action, pose)| ([&actions[..], &[action]].concat(), pose);
                next.into_iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let mut known: Vec<(Vec<u8>, u8)> = Vec::new();
        let mut places: Vec<(i32, i32)> = vec![(0, 0)];
        let mut operations: Vec<Operation> = Vec::new();
        for (actions, pose) in all {
            let dirs: Vec<u8> =
                actions.iter().map(|action| action.dir().map_or(STAYS, |d| d as u8)).collect();
            // Nobody turns more than it has to, or waits before it turns.
            let turns = actions.iter().filter(|action| action.is_turn()).count() as u8;
            let begins = actions.iter().position(|&action| action != Action::Wait).unwrap_or(0) as u8;
            if let Some(same) = known.iter().position(|(other, end)| *other == dirs && *end == pose) {
                let old = &mut operations[same];
                if (turns, begins) < (old.turns, old.begins) {
                    (old.turns, old.begins, old.first) = (turns, begins, actions[0]);
                }
                continue;
            }
            let mut operation = Operation {
                dirs: [STAYS; LONGEST],
                places: [0; LONGEST],
                end: 0,
                shared: 0,
                pose,
                first: actions[0],
                turns,
                begins,
            };
            let mut at = (0, 0);
            let mut number = |at| {
                let place = places.iter().position(|&place| place == at).unwrap_or(places.len());
                if place == places.len() {
                    places.push(at);
                }
                place as u8
            };
            for (tick, &action) in actions.iter().enumerate() {
                (operation.dirs[tick], operation.places[tick]) = (dirs[tick], number(at));
                let (dx, dy) = action.delta();
                at = (at.0 + dx, at.1 + dy);
            }
            operation.end = number(at);
            known.push((dirs, pose));
            operations.push(operation);
        }
        let mut order: Vec<usize> = (0..operations.len()).collect();
        order.sort_by_key(|&place| operations[place].dirs);
        let mut operations: Vec<Operation> = order.into_iter().map(|place| operations[place]).collect();
        for place in 1..operations.len() {
            let (before, this) = (operations[place - 1].dirs, operations[place].dirs);
            operations[place].shared = before.iter().zip(this).take_while(|(a, b)| **a == *b).count() as u8;
        }
        Self { operations }
    }
}

/// What a unit can do next, and the pose that it leads to.
fn choices(motion: Motion, pose: u8) -> Vec<(Action, u8)> {
    let straight = &Dir::ALL[..4];
    match motion {
        Motion::Turns { .. } => vec![
            (Action::Go(straight[usize::from(pose % 4)]), pose),
            (Action::TurnLeft, (pose + 3) % 4),
            (Action::TurnRight, (pose + 1) % 4),
            (Action::Wait, pose),
        ],
        _ => straight.iter().map(|&dir| (Action::Go(dir), 0)).chain([(Action::Wait, 0)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of actions is there, but for those that lead through the same cells to the same pose.
    #[test]
    fn nothing_is_missing_and_nothing_twice() {
        let motion = Motion::Turns { heading: Dir::N };
        let sizes = [1, 2, 3].map(|ticks| Menu::new(motion, 1, ticks).operations.len());
        // In one tick: ahead, left, right, wait. In two: ahead and any of these; any two of the others end in each heading.
        assert_eq!(sizes[0], 4);
        assert_eq!(sizes[1], 4 + 3 + 4);
        assert!(sizes[2] > sizes[1] && sizes[2] < 4 * sizes[1], "{sizes:?}");
        let menu = Menu::new(motion, 1, 3);
        for (place, operation) in menu.operations.iter().enumerate() {
            let same = |other: &Operation| other.dirs == operation.dirs && other.pose == operation.pose;
            assert_eq!(menu.operations.iter().filter(|other| same(other)).count(), 1);
            let known = menu.operations[..place].last();
            let shared = known.map_or(0, |k| (0..3).take_while(|&t| k.dirs[t] == operation.dirs[t]).count());
            assert!(place == 0 || usize::from(operation.shared).min(3) == shared);
        }
        assert_eq!(Menu::new(Motion::Steps, 0, 2).operations.len(), 25);
    }
}
