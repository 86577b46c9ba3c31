//! Conflicts by the graph rules: 1×1 bodies under uniform timing.

use super::{Executor, Verdict};
use throng_core::{Action, Scenario, State};

impl Executor {
    /// Cancels moves until none collides. Each unit is cancelled at most once and looked at a constant
    /// number of times, so this is linear in the number of units.
    pub(super) fn resolve_graph(&mut self, scenario: &Scenario, state: &State) {
        self.board.begin(scenario.grid().len());
        for (agent, unit) in scenario.agents().iter().zip(&state.units).filter(|(_, unit)| !unit.gone) {
            self.board.hold(unit.at, agent.id);
        }
        self.claims(scenario);
        self.swaps_and_crossings(scenario, state);
        self.stays(scenario, state);
    }

    /// Of several claims on a cell the higher priority wins, then the lower id.
    fn claims(&mut self, scenario: &Scenario) {
        for agent in scenario.agents() {
            let Some(to) = self.verdicts[agent.id.index()].goes_to() else { continue };
            match self.board.claimant(to) {
                None => self.board.claim(to, agent.id),
                Some(rival) if scenario.agent(rival).priority < agent.priority => {
                    self.verdicts[rival.index()].cancel(Some(agent.id));
                    self.board.claim(to, agent.id);
                }
                Some(rival) => self.verdicts[agent.id.index()].cancel(Some(rival)),
            }
        }
    }

    /// Both sides of a swap or a crossing are cancelled. Found first and cancelled after, so that a unit
    /// in two of them takes both partners down, whatever the order.
    fn swaps_and_crossings(&mut self, scenario: &Scenario, state: &State) {
        let grid = scenario.grid();
        self.queue.clear();
        self.order.clear();
        for agent in scenario.agents() {
            let Verdict::Goes(Action::Go(dir), to) = self.verdicts[agent.id.index()] else { continue };
            let from = state.units[agent.id.index()].at;
            let mut rival =
                self.board.holder(to).filter(|r| self.verdicts[r.index()].goes_to() == Some(from));
            if let Some((v, h)) = dir.components() {
                let (p, q) = (grid.neighbour(from, v), grid.neighbour(from, h));
                for (a, b) in [(p, q), (q, p)] {
                    rival = rival
                        .or(self.board.holder(a).filter(|r| self.verdicts[r.index()].goes_to() == Some(b)));
                }
            }
            if let Some(rival) = rival {
                self.queue.push(agent.id);
                self.order.push(rival);
            }
        }
        for (who, rival) in self.queue.iter().zip(&self.order) {
            self.verdicts[who.index()].cancel(Some(*rival));
        }
    }

    /// Moves into cells whose occupant now stays are cancelled, and so on up the queue.
    fn stays(&mut self, scenario: &Scenario, state: &State) {
        self.queue.clear();
        let here = scenario.agents().iter().zip(&state.units).filter(|(_, unit)| !unit.gone);
        let stays = here.filter(|(agent, _)| self.verdicts[agent.id.index()].goes_to().is_none());
        self.queue.extend(stays.map(|(agent, _)| agent.id));
        while let Some(stayer) = self.queue.pop() {
            let cell = state.units[stayer.index()].at;
            let Some(mover) = self.board.claimant(cell) else { continue };
            if mover != stayer && self.verdicts[mover.index()].goes_to() == Some(cell) {
                self.verdicts[mover.index()].cancel(Some(stayer));
                self.queue.push(mover);
            }
        }
    }
}
