//! One order to many units.

use crate::crowds::home;
use crate::group::{AssignError, Place, Shape, SlotsError, assign, slots};
use crate::{NoWay, OrderError, Session, UnitId, Unreachable};
#[cfg(doc)]
use throng_core::Event;
use throng_core::{Cell, Motion, Task};

/// Why an order to a group was refused; the world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[allow(missing_docs)]
pub enum GroupError {
    #[error("unit {} is named twice", .unit.agent)]
    Twice { unit: UnitId },
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error(transparent)]
    Slots(#[from] SlotsError),
    #[error(transparent)]
    Assign(#[from] AssignError),
}

impl Session {
    /// Sends many units to one goal: each gets a resting place of its own around it, so that nobody pushes for ever
    /// for a cell that only one can have. Places of other units are left to them: where they hold, or where they are
    /// going to rest. With [`Shape::Formation`] everybody keeps its place in the formation; with other shapes all of
    /// them together travel at most 1.05 times the least possible, and before a corridor whoever is nearer goes deeper;
    /// on the way two of one size exchange places if one is in the other's way ([`Event::Exchanged`]).
    ///
    /// Answers everybody's place, in the order of `units`. A member that cannot come to the goal's side of a wall, or
    /// whose body is too large for every way there, is a [`SlotsError::Unreachable`], and nobody is sent. Places can
    /// still be far from the goal: where room is scarce, or where the goal is too narrow for a body to stand on, it
    /// rests as near as it can come. Compare the places with `goal` if that matters.
    pub fn order_group(
        &mut self,
        units: &[UnitId],
        goal: Cell,
        shape: Shape,
    ) -> Result<Vec<Cell>, GroupError> {
        let mut members = Vec::with_capacity(units.len());
        let mut sorted = units.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(GroupError::Twice { unit: pair[0] });
        }
        for &unit in units {
            let at = self.unit(unit)?.at;
            let scenario = self.scenario();
            members.push(Place::new(scenario.grid().cell(at), scenario.agent(unit.agent).body));
        }
        let scenario = self.scenario();
        let grid = scenario.grid();
        let mut held = vec![false; grid.len()];
        for (agent, unit) in scenario.agents().iter().zip(&self.state().units) {
            let member = sorted.binary_search_by_key(&agent.id, |member| member.agent).is_ok();
            if let Some(home) = home(grid, agent, unit).filter(|_| !member) {
                home.cells().filter_map(|cell| grid.id(cell)).for_each(|id| held[id.index()] = true);
            }
        }
        // Places are chosen by bodies alone. One that a car has no curve to is nobody's then, and places are chosen anew; one
        // for each car will do unless there is no room to turn anywhere.
        let cars =
            units.iter().filter(|unit| matches!(scenario.agent(unit.agent).motion, Motion::Car { .. }));
        let mut retries = 2 * cars.count();
        let (places, agents) = loop {
            let places = self.places_of(&members, goal, shape, &held)?;
            // All of them can be given, or none is.
            let given = units
                .iter()
                .zip(&places)
                .map(|(&unit, &to)| self.may_order(unit, Task::Goal(to)).map_err(|error| (error, to)));
            match given.collect::<Result<Vec<_>, _>>() {
                Ok(agents) => break (places, agents),
                Err((OrderError::Unreachable(Unreachable { why: NoWay::Curves { .. }, .. }), to))
                    if retries > 0 && shape != Shape::Formation =>
                {
                    retries -= 1;
                    if let Some(id) = self.scenario().grid().id(to) {
                        held[id.index()] = true;
                    }
                }
                Err((error, _)) => return Err(error.into()),
            }
        };
        for agent in agents {
            let id = agent.id;
            self.give(agent)?;
            // In a formation everybody keeps its place.
            if shape != Shape::Formation {
                self.peers.join(id, goal);
                self.crowds.note(id, goal);
            }
        }
        self.count_unfinished();
        Ok(places)
    }

    /// A place for each member, none of them on cells that are held.
    fn places_of(
        &self,
        members: &[Place],
        goal: Cell,
        shape: Shape,
        held: &[bool],
    ) -> Result<Vec<Cell>, GroupError> {
        let (grid, rules) = (self.scenario().grid(), self.scenario().rules());
        let taken = |cell: Cell| grid.id(cell).is_some_and(|id| held[id.index()]);
        let slots = slots(grid, rules, goal, members, shape, taken)?;
        Ok(match shape {
            // Slots are by member.
            Shape::Formation => slots.iter().map(|slot| slot.at).collect(),
            Shape::Block | Shape::Line { .. } | Shape::Column => {
                let order = assign(grid, rules, members, &slots)?;
                order.slot_of.iter().map(|&slot| slots[slot].at).collect()
            }
        })
    }
}
