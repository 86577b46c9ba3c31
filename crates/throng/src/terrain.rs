//! Cells that close and open: as the scenario has it in store, and as somebody wishes.

use crate::reach::Reach;
use crate::{Error, Session, Unreachable};
use serde::{Deserialize, Serialize};
use throng_core::{Cell, Event, Scenario, TerrainEvent};

/// What has to be done yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terrain {
    /// Cells that are to close as soon as nobody is on them.
    waiting: Vec<Cell>,
    /// What has changed since the last tick, which that has still to tell.
    untold: Vec<Event>,
}

impl Terrain {
    /// Takes out what has to be told.
    pub(crate) fn news(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.untold)
    }

    /// A cell has closed or opened.
    pub(crate) fn note(&mut self, cell: Cell, open: bool) {
        self.untold.push(if open { Event::Opened { cell } } else { Event::Closed { cell } });
    }

    /// Somebody wants a cell otherwise than it was to be. Whether it was to close.
    pub(crate) fn forget(&mut self, cell: Cell) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|&other| other != cell);
        self.waiting.len() < before
    }

    /// Whether this can be of a world with these cells.
    pub(crate) fn fits(&self, contains: impl Fn(Cell) -> bool) -> bool {
        let told = self.untold.iter().all(|event| match event {
            Event::Closed { cell } | Event::Opened { cell } => contains(*cell),
            _ => false,
        });
        told && self.waiting.iter().all(|&cell| contains(cell))
    }
}

impl Session {
    /// Does what the scenario has in store for this tick, and what had to wait until now. Whoever plans in advance has no
    /// events, since no such planner supports them.
    pub(crate) fn happen(&mut self) {
        let due = self.setup.scenario.events_at(self.state.tick);
        if due.is_empty() && self.terrain.waiting.is_empty() {
            return;
        }
        let due = due.to_vec();
        for TerrainEvent { close, open, .. } in &due {
            for &cell in open {
                // It cannot be refused: the cell is on the map.
                let _ = self.open(cell);
            }
            self.terrain.waiting.extend(close);
        }
        for cell in core::mem::take(&mut self.terrain.waiting) {
            if self.close(cell).is_err() {
                self.terrain.waiting.push(cell);
            }
        }
    }

    /// Whether everybody can get to its goals, once all has opened that is to open.
    /// Where units have to see the world first, that is theirs to find out.
    pub(crate) fn check_goals(&mut self) -> Result<(), Error> {
        let later = opened(&self.setup.scenario);
        let mut apart = Reach::default();
        let reach = if later.is_some() { &mut apart } else { &mut self.reach };
        match out_of_reach(later.as_ref().unwrap_or(&self.setup.scenario), reach).next() {
            Some(why) => Err(why.into()),
            None => Ok(()),
        }
    }
}

/// The goals that [`Session::new`] would refuse a scenario for, one a unit: all of them.
#[must_use]
pub fn unreachable(scenario: &Scenario) -> Vec<Unreachable> {
    let later = opened(scenario);
    out_of_reach(later.as_ref().unwrap_or(scenario), &mut Reach::default()).collect()
}

/// The world once all has opened that is to open, if something is.
pub(crate) fn opened(scenario: &Scenario) -> Option<Scenario> {
    let mut cells = scenario.events().iter().flat_map(|event| &event.open).peekable();
    cells.peek()?;
    let mut open = scenario.clone();
    cells.for_each(|&cell| {
        open.set_open(cell, true);
    });
    Some(open)
}

fn out_of_reach<'a>(scenario: &'a Scenario, reach: &'a mut Reach) -> impl Iterator<Item = Unreachable> + 'a {
    let agents = scenario.agents().iter().filter(|agent| scenario.sight_of(agent).is_none());
    agents.filter_map(|agent| reach.reachable(scenario, agent, agent.start, agent.motion.first_pose()).err())
}
