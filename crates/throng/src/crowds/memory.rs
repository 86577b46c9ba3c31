//! What is saved of crowds.

use super::{Crowds, Sent};
use crate::field::Field;
use crate::group::Place;
use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Cell, Scenario, State, Tick};

/// What a later tick depends on and does not follow from scenario and state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// By number.
    sent: Vec<Sent>,
    /// Those who are near a place that others want or wanted too, by number, since when, and where they were then.
    near: Vec<(AgentId, Tick, Cell)>,
    /// Cars that found no place yet, by number, and how many have been tried.
    tried: Vec<(AgentId, u32)>,
    /// By goal and body: how much of its surroundings has been paid for.
    paid: Vec<(Cell, u8, u32)>,
    /// What the last survey found and has been kept since, unless another one is due.
    survey: Option<Survey>,
}

/// Who is contested, and the cells that somebody wants or has: see [`Crowds`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Survey {
    contested: Vec<AgentId>,
    cells: Vec<(u32, (u32, u32))>,
}

impl Crowds {
    /// What has to be saved.
    pub(crate) fn memory(&self) -> Memory {
        let paid = |field: &Field| (field.goal.at, field.goal.body, field.visited() as u32);
        let wanted = |(id, &cell): (usize, &(u32, u32))| (cell != (0, 0)).then_some((id as u32, cell));
        let survey = || Survey {
            contested: self.contested.clone(),
            cells: self.cells.iter().enumerate().filter_map(wanted).collect(),
        };
        Memory {
            survey: (!self.stale).then(survey),
            sent: self.sent.clone(),
            near: self.near.clone(),
            tried: self.tried.clone(),
            paid: self.fields.iter().map(paid).collect(),
        }
    }

    /// Takes up what was saved; answers whether it is of this world.
    pub(crate) fn take_up(&mut self, scenario: &Scenario, state: &State, memory: Memory) -> bool {
        let here = |id: AgentId| state.units.get(id.index()).is_some_and(|unit| !unit.gone);
        let (grid, rules) = (scenario.grid(), scenario.rules());
        // A unit counts once for what it wants and once more for what it has been sent to since.
        let most = 2 * state.units.len() as u32;
        let counted = |&(id, (wanted, taken)): &(u32, (u32, u32))| {
            (id as usize) < grid.len() && wanted <= most && taken <= most
        };
        let Memory { sent, near, tried, paid, survey } = memory;
        let fits = sent.is_sorted_by(|a, b| a.id < b.id)
            && near.is_sorted_by(|a, b| a.0 < b.0)
            && near.iter().all(|&(id, since, _)| here(id) && since <= state.tick)
            && tried.is_sorted_by(|a, b| a.0 < b.0)
            && sent.iter().all(|sent| here(sent.id))
            && tried.iter().all(|&(id, _)| here(id))
            && paid.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1))
            // A wish of every unit, and one that it had before, at most.
            && paid.len() <= 2 * state.units.len()
            && survey.as_ref().is_none_or(|survey| {
                survey.contested.is_sorted()
                    && survey.contested.iter().all(|&id| here(id))
                    && survey.cells.iter().all(counted)
            });
        if let Some(Survey { contested, cells }) = survey.filter(|_| fits) {
            (self.stale, self.contested) = (false, contested);
            self.cells.resize(grid.len(), (0, 0));
            cells.into_iter().for_each(|(id, cell)| self.cells[id as usize] = cell);
        }
        (self.sent, self.near, self.tried) = (sent, near, tried);
        for (at, body, visited) in paid.into_iter().filter(|_| fits) {
            let Some(mut field) = Field::new(grid, Place::new(at, body)) else { return false };
            field.replay(grid, rules, visited as usize);
            self.fields.push(field);
        }
        fits
    }
}
