//! What an embedder asks of the board of errands.

use super::{Assigner, is_employed};
use crate::terrain::opened;
use crate::{Session, reach::Reach};
use serde::Serialize;
use throng_core::{AgentId, Brings, Cell, ErrandId, Errands, Job, Places, StopFault, StopsOf};

/// Why an errand cannot be done; the world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[allow(missing_docs)]
pub enum ErrandError {
    #[error(transparent)]
    Stops(#[from] StopFault),
    #[error("no unit of this world does errands")]
    Nobody,
    #[error("no unit that does errands can get to all stops of the one that leads to {}", list(.stops))]
    Unreachable { stops: Vec<Cell> },
    #[error("{of}: no unit that does errands can get to {}", list(.stops))]
    InStore { of: StopsOf, stops: Vec<Cell> },
}

fn list(stops: &[Cell]) -> String {
    stops.iter().map(Cell::to_string).collect::<Vec<_>>().join(", ")
}

impl Session {
    /// All errands that are open, and those that the last tick has closed.
    #[must_use]
    pub const fn errands(&self) -> &Errands {
        &self.state.errands
    }

    /// What a unit does, if it does an errand.
    #[must_use]
    pub fn errand_of(&self, agent: AgentId) -> Option<&Job> {
        self.state.errands.job(self.dispatch.doing(agent)?)
    }

    /// Asks for an errand with these stops: it appears with the next tick, and some unit will do it. Refused if nobody could as
    /// the world is now; later on it may be refused by an event.
    pub fn add_errand(&mut self, stops: Vec<Cell>) -> Result<ErrandId, ErrandError> {
        let Self { setup, state, reach, .. } = self;
        setup.scenario.check_stops(&stops)?;
        let agents = setup.scenario.agents().iter();
        let mut here = agents.filter(|agent| is_employed(&agent.task) && !state.units[agent.id.index()].gone);
        let mut here = here.by_ref().peekable();
        if here.peek().is_none() {
            return Err(ErrandError::Nobody);
        }
        if !here.any(|agent| reach.gets_to(&setup.scenario, state, agent.id, &stops)) {
            return Err(ErrandError::Unreachable { stops });
        }
        let asked = &mut self.dispatch.memory.asked;
        asked.push(stops);
        Ok(ErrandId(self.state.errands.appeared + asked.len() as u64 - 1))
    }

    /// From now on this decides who does which errand. It is not saved: whoever goes on from a saved session sets it again.
    pub fn set_assigner(&mut self, assigner: Box<dyn Assigner + Send>) {
        self.dispatch.assigner = assigner;
    }

    /// Whether somebody can do every errand that the scenario has in store, once all has opened that is to open.
    pub(crate) fn check_errands(&mut self) -> Result<(), ErrandError> {
        let scenario = &self.setup.scenario;
        if scenario.errands().is_empty() && scenario.stream().is_none() {
            return Ok(());
        }
        let agents = || scenario.agents().iter().filter(|agent| is_employed(&agent.task));
        if agents().next().is_none() {
            return Err(ErrandError::Nobody);
        }
        let later = opened(scenario);
        let mut apart = Reach::default();
        let reach = if later.is_some() { &mut apart } else { &mut self.reach };
        let world = later.as_ref().unwrap_or(scenario);
        let mut check = |of: StopsOf, stops: &[Cell]| {
            let known = agents().any(|agent| reach.gets_to(world, &self.state, agent.id, stops));
            if known { Ok(()) } else { Err(ErrandError::InStore { of, stops: stops.to_vec() }) }
        };
        let mut store = scenario.errands().iter().enumerate();
        store.try_for_each(|(place, errand)| check(StopsOf::Errand(place), &errand.stops))?;
        match scenario.stream().map(|stream| &stream.brings) {
            Some(Brings::Listed(all)) => {
                let mut all = all.iter().enumerate();
                all.try_for_each(|(place, stops)| check(StopsOf::Listed(place), stops))
            }
            Some(Brings::Drawn(all)) => all.iter().enumerate().try_for_each(|(place, places)| match places {
                Places::Cells(cells) => {
                    let mut cells = cells.iter();
                    cells.try_for_each(|&cell| check(StopsOf::Drawn(place), &[cell]))
                }
                Places::Anywhere | Places::Letter(_) => Ok(()),
            }),
            None => Ok(()),
        }
    }
}
