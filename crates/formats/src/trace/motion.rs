//! Where everybody is while a trace is read or written.

use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{Action, Actions, Cell, Deed, Scenario, Tick};

/// Where a unit is at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Where it stands, or where its move in progress leads.
    pub at: Cell,
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
struct Motion {
    at: Cell,
    action: Action,
    since: Tick,
    until: Tick,
}

/// The last moves of all units.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    starts: Vec<Cell>,
    actions: Vec<Actions>,
    units: Vec<Motion>,
}

impl Motions {
    /// Everybody stands at its start.
    pub(super) fn new(scenario: &Scenario, starts: &[Cell]) -> Self {
        let actions = scenario.agents().iter().map(|agent| agent.actions(scenario.rules())).collect();
        let stand = |&at| Motion { at, action: Action::Wait, since: 0, until: 0 };
        Self { starts: starts.to_vec(), actions, units: starts.iter().map(stand).collect() }
    }

    /// Takes note of what happened at `tick`. Whether it could happen is for the judge.
    pub(super) fn apply(&mut self, deed: Deed, tick: Tick) {
        let place = deed.agent.index();
        let (Some(unit), Some(actions)) = (self.units.get_mut(place), self.actions.get(place)) else {
            return;
        };
        if !deed.failed && deed.action != Action::Wait {
            unit.at = shifted(unit.at, deed.action, 1);
            unit.action = deed.action;
            unit.since = tick;
            unit.until = tick + Tick::from(actions.duration(deed.action));
        }
    }

    pub(super) fn placements(&self, tick: Tick) -> impl ExactSizeIterator<Item = Placement> + '_ {
        self.units.iter().map(move |unit| unit.placement(tick))
    }

    /// Where everybody is at `tick`: the way from the start, the move in progress or 0, how long it lasts.
    pub(super) fn write_keyframe(&self, tick: Tick, out: &mut Output) {
        for (unit, start) in self.units.iter().zip(&self.starts) {
            out.cell(Cell::new(unit.at.x.wrapping_sub(start.x), unit.at.y.wrapping_sub(start.y)));
            match unit.placement(tick).moving {
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
            if unit.placement(tick) != known.placement(tick) {
                let expected = "a keyframe that agrees with the deeds before it";
                return Err(FormatError::Corrupt { offset: begin, expected });
            }
        }
        Ok(())
    }

    fn read_unit(&self, place: usize, tick: Tick, input: &mut Input<'_>) -> Result<Motion, FormatError> {
        let (way, start) = (input.cell("a unit's position")?, self.starts[place]);
        let at = Cell::new(start.x.wrapping_add(way.x), start.y.wrapping_add(way.y));
        let wrong = input.corrupt("0 or a move in progress and its ticks so far");
        match Action::from_code(input.byte("a unit's move")?) {
            None => Err(wrong),
            Some(Action::Wait) => Ok(Motion { at, action: Action::Wait, since: tick, until: tick }),
            Some(action) => {
                let ago = input.number("a unit's ticks since its move began")?;
                let duration = Tick::from(self.actions[place].duration(action));
                match tick.checked_sub(ago) {
                    Some(since) if ago > 0 && ago < duration => {
                        Ok(Motion { at, action, since, until: since + duration })
                    }
                    _ => Err(wrong),
                }
            }
        }
    }
}

impl Motion {
    fn placement(&self, tick: Tick) -> Placement {
        let &Self { at, action, since, until } = self;
        let moving = (until > tick).then(|| Moving { from: shifted(at, action, -1), action, since, until });
        Placement { at, moving }
    }
}

/// One step with `action`, or back. Nonsense wraps instead of overflowing.
fn shifted(cell: Cell, action: Action, times: i32) -> Cell {
    match action {
        Action::Wait => cell,
        Action::Go(dir) => {
            let (dx, dy) = dir.delta();
            Cell::new(cell.x.wrapping_add(dx * times), cell.y.wrapping_add(dy * times))
        }
    }
}
