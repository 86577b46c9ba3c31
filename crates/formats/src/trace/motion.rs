//! Where everybody is while a trace is read or written.

use super::Format;
use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{Action, Actions, Agent, Cell, Deed, Scenario, Tick};

/// Where a unit is at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Where it stands, or where its move in progress leads.
    pub at: Cell,
    /// Its pose there: see [`Motion`](throng_core::Motion).
    pub pose: u8,
    /// Its move in progress, if there is one.
    pub moving: Option<Moving>,
}

/// A move in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moving {
    /// Where it began.
    pub from: Cell,
    /// The move.
    pub action: Action,
    /// When it began.
    pub since: Tick,
    /// When it is over.
    pub until: Tick,
}

/// The last move of a unit, which may be over.
#[derive(Clone, Copy, Debug)]
struct Move {
    at: Cell,
    pose: u8,
    action: Action,
    since: Tick,
    until: Tick,
}

/// The last moves of all units.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    starts: Vec<Cell>,
    actions: Vec<Actions>,
    format: Format,
    units: Vec<Move>,
}

impl Motions {
    /// Everybody stands at its start.
    pub(super) fn new(format: Format, scenario: &Scenario, starts: &[Cell], poses: &[(u8, Tick)]) -> Self {
        let actions = scenario.agents().iter().map(|agent| agent.actions(scenario.rules())).collect();
        let stand = |(place, (&at, agent)): (usize, (&Cell, &Agent))| {
            let (pose, until) = poses.get(place).copied().unwrap_or((agent.motion.first_pose(), 0));
            Move { at, pose, action: Action::Wait, since: 0, until }
        };
        let units = starts.iter().zip(scenario.agents()).enumerate().map(stand).collect();
        Self { starts: starts.to_vec(), actions, format, units }
    }

    /// Takes note of what happened at `tick`. Whether it could happen is for the judge.
    pub(super) fn apply(&mut self, deed: Deed, tick: Tick) {
        let place = deed.agent.index();
        let (Some(unit), Some(actions)) = (self.units.get_mut(place), self.actions.get(place)) else {
            return;
        };
        if !deed.failed && deed.action != Action::Wait {
            unit.at = shifted(unit.at, deed.action, 1);
            unit.pose = actions.pose_after(unit.pose(tick, actions), deed.action);
            unit.action = deed.action;
            unit.since = tick;
            unit.until = tick + Tick::from(actions.duration(deed.action));
        }
    }

    pub(super) fn placements(&self, tick: Tick) -> impl ExactSizeIterator<Item = Placement> + '_ {
        self.units.iter().zip(&self.actions).map(move |(unit, actions)| unit.placement(tick, actions))
    }

    /// Where everybody is at `tick`: the way from the start, the move in progress or 0, how long it lasts.
    pub(super) fn write_keyframe(&self, tick: Tick, out: &mut Output) {
        for ((unit, start), actions) in self.units.iter().zip(&self.starts).zip(&self.actions) {
            out.cell(Cell::new(unit.at.x.wrapping_sub(start.x), unit.at.y.wrapping_sub(start.y)));
            if self.format != Format::Steps {
                out.byte(unit.pose(tick, actions));
            }
            match unit.placement(tick, actions).moving {
                None => out.byte(0),
                Some(moving) => {
                    out.byte(moving.action.code());
                    out.number(tick - moving.since);
                }
            }
        }
    }

    /// Takes up a keyframe written at `tick`.
    pub(super) fn read_keyframe(&mut self, tick: Tick, input: &mut Input<'_>) -> Result<(), FormatError> {
        for place in 0..self.units.len() {
            self.units[place] = self.read_unit(place, tick, input)?;
        }
        Ok(())
    }

    /// Reads a keyframe and compares it with what is known.
    pub(super) fn check_keyframe(&self, tick: Tick, input: &mut Input<'_>) -> Result<(), FormatError> {
        for (place, known) in self.units.iter().enumerate() {
            let begin = input.at();
            let unit = self.read_unit(place, tick, input)?;
            let actions = &self.actions[place];
            if unit.placement(tick, actions) != known.placement(tick, actions) {
                let expected = "a keyframe that agrees with the deeds before it";
                return Err(FormatError::Corrupt { offset: begin, expected });
            }
        }
        Ok(())
    }

    fn read_unit(&self, place: usize, tick: Tick, input: &mut Input<'_>) -> Result<Move, FormatError> {
        let (way, start) = (input.cell("a unit's position")?, self.starts[place]);
        let at = Cell::new(start.x.wrapping_add(way.x), start.y.wrapping_add(way.y));
        let pose = match self.format {
            Format::Steps => 0,
            _ => {
                let wrong = input.corrupt("a pose of the unit's motion");
                let pose = input.byte("a unit's pose")?;
                if pose >= self.actions[place].motion().poses() {
                    return Err(wrong);
                }
                pose
            }
        };
        let wrong = input.corrupt("0 or a move in progress and its ticks so far");
        match Action::from_code(input.byte("a unit's move")?) {
            None => Err(wrong),
            Some(Action::Wait) => Ok(Move { at, pose, action: Action::Wait, since: tick, until: tick }),
            Some(action) => {
                let ago = input.number("a unit's ticks since its move began")?;
                let duration = Tick::from(self.actions[place].duration(action));
                match tick.checked_sub(ago) {
                    Some(since) if ago > 0 && ago < duration => {
                        Ok(Move { at, pose, action, since, until: since + duration })
                    }
                    _ => Err(wrong),
                }
            }
        }
    }
}

impl Move {
    fn placement(&self, tick: Tick, actions: &Actions) -> Placement {
        let &Self { at, action, since, until, .. } = self;
        // What was begun before the trace is not known.
        let is_known = until > tick && action != Action::Wait;
        let moving = is_known.then(|| Moving { from: shifted(at, action, -1), action, since, until });
        Placement { at, pose: self.pose(tick, actions), moving }
    }

    /// Its pose at `tick`. Who has nothing begun since its last move was over has waited.
    fn pose(&self, tick: Tick, actions: &Actions) -> u8 {
        if self.until >= tick { self.pose } else { actions.motion().rested(self.pose) }
    }
}

/// Where `action` leads, or back. Nonsense wraps instead of overflowing.
const fn shifted(cell: Cell, action: Action, times: i32) -> Cell {
    let (dx, dy) = action.delta();
    Cell::new(cell.x.wrapping_add(dx * times), cell.y.wrapping_add(dy * times))
}
