//! What people do to a world while it runs.

use super::commands::{place, places, task_of};
use super::inspect::task;
use crate::protocol::command::{Command, command};
use crate::{Refusal, limits};
use serde_json::{Map, Value, json};
use throng::core::{AgentId, Cell, Task, Tick};
use throng::{Session, UnitId};

/// Something that was done between two ticks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    Close(Vec<Cell>),
    Reopen(Vec<Cell>),
    Order(u32, Task),
    Place(u32, Cell),
    Priority(u32, i32),
}

impl Act {
    /// What a command does, if it is one of these.
    pub(crate) fn of(command: &Command) -> Result<Option<Self>, Refusal> {
        Ok(Some(match command {
            Command::Close { cells } => Self::Close(places(cells)?),
            Command::Reopen { cells } => Self::Reopen(places(cells)?),
            Command::Order { unit, task } => Self::Order(*unit, task_of(task.clone())?),
            Command::Place { unit, cell } => Self::Place(*unit, place(*cell)?),
            Command::Priority { unit, value } => Self::Priority(*unit, *value),
            _ => return Ok(None),
        }))
    }

    /// The command that does it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Close(_) => "close",
            Self::Reopen(_) => "reopen",
            Self::Order(..) => "order",
            Self::Place(..) => "place",
            Self::Priority(..) => "priority",
        }
    }

    /// As a command, with the tick.
    pub(crate) fn told(&self, tick: Tick) -> Value {
        let at = |cell: &Cell| [cell.x, cell.y];
        let mut told = match self {
            Self::Close(cells) | Self::Reopen(cells) => {
                json!({"cells": cells.iter().map(at).collect::<Vec<_>>()})
            }
            Self::Order(unit, order) => json!({"unit": unit, "task": task(order)}),
            Self::Place(unit, cell) => json!({"unit": unit, "cell": at(cell)}),
            Self::Priority(unit, value) => json!({"unit": unit, "value": value}),
        };
        told["at"] = json!(tick);
        told["do"] = json!(self.name());
        told
    }

    /// Does it; the same in every session that is in the same state. Of several cells those change that can; it is
    /// refused if none does.
    pub(crate) fn apply(&self, session: &mut Session) -> Result<(), Refusal> {
        match self {
            Self::Close(cells) => each(cells, |cell| session.close(cell)),
            Self::Reopen(cells) => each(cells, |cell| session.open(cell)),
            Self::Order(unit, task) => Ok(session.order(handle(session, *unit)?, task.clone())?),
            Self::Place(unit, cell) => Ok(session.place(handle(session, *unit)?, *cell)?),
            Self::Priority(unit, value) => Ok(session.set_priority(handle(session, *unit)?, *value)?),
        }
    }
}

/// Reads what is to be done, by tick: commands with the tick that they are to be done at.
pub(crate) fn parse(acts: Vec<Map<String, Value>>) -> Result<Vec<(Tick, Act)>, Refusal> {
    limits::at_most("acts", acts.len(), limits::ACTS)?;
    let mut read = Vec::with_capacity(acts.len());
    for (place, mut act) in acts.into_iter().enumerate() {
        let wrong = |why: String| Refusal::new(format!("act {place}: {why}"));
        let at = act.remove("at").unwrap_or_default();
        let tick = at.as_u64().filter(|&tick| tick <= limits::TICKS);
        let tick =
            tick.ok_or_else(|| wrong(format!("`at` is {at}, expected a tick from 0 to {}", limits::TICKS)))?;
        let act = command(act).and_then(|command| Act::of(&command)).map_err(|why| wrong(why.message))?;
        let none = || wrong("expected close, reopen, order, place or priority".to_owned());
        read.push((tick, act.ok_or_else(none)?));
    }
    read.sort_by_key(|(tick, _)| *tick);
    Ok(read)
}

fn each(
    cells: &[Cell],
    mut change: impl FnMut(Cell) -> Result<bool, throng::OrderError>,
) -> Result<(), Refusal> {
    let (mut changed, mut refused) = (false, None);
    for &cell in cells {
        match change(cell) {
            Ok(new) => changed |= new,
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    match refused {
        Some(why) if !changed => Err(why.into()),
        _ => Ok(()),
    }
}

fn handle(session: &Session, unit: u32) -> Result<UnitId, Refusal> {
    let units = session.state().units.len();
    let found = session.unit_id(AgentId(unit));
    found.ok_or_else(|| Refusal::new(format!("no unit {unit}: there are {units}")))
}
