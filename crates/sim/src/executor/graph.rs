//! Conflicts by the graph rules: 1×1 bodies under uniform timing.

use super::{Executor, Verdict};
use throng_core::{Action, AgentId, Scenario, State};

impl Executor {
    /// Cancels moves until none collides. Each unit is cancelled at most once and looked at a constant
    /// number of times, so this is linear in the number of units.
    pub(super) fn resolve_graph(&mut self, scenario: &Scenario, state: &State) {
        self.board.begin(scenario.grid().len());
        for (id, unit) in (0..).map(AgentId).zip(&state.units).filter(|(_, unit)| !unit.gone) {
            self.board.hold(unit.at, id);
        }
        self.claims(scenario);
        self.swaps_and_crossings(scenario, state);
        self.stays(state);
    }

    /// Of several claims on a cell the higher priority wins, then the lower id.
    fn claims(&mut self, scenario: &Scenario) {
        for index in 0..self.verdicts.len() {
            let Some(to) = self.verdicts[index].goes_to() else { continue };
            let id = AgentId(index as u32);
            match self.board.claimant(to) {
                None => self.board.claim(to, id),
                Some(rival) if scenario.agent(rival).priority < scenario.agent(id).priority => {
                    self.verdicts[rival.index()].cancel(Some(id));
                    self.board.claim(to, id);
                }
                Some(rival) => self.verdicts[index].cancel(Some(rival)),
            }
        }
    }

    /// Both sides of a swap or a crossing are cancelled. Found first and cancelled after, so that a unit
    /// in two of them takes both partners down, whatever the order.
    fn swaps_and_crossings(&mut self, scenario: &Scenario, state: &State) {
        let grid = scenario.grid();
        self.queue.clear();
        self.order.clear();
        for (id, (&verdict, unit)) in (0..).map(AgentId).zip(self.verdicts.iter().zip(&state.units)) {
            let Verdict::Goes(Action::Go(dir), to) = verdict else { continue };
            let from = unit.at;
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
                self.queue.push(id);
                self.order.push(rival);
            }
        }
        for (who, rival) in self.queue.iter().zip(&self.order) {
            self.verdicts[who.index()].cancel(Some(*rival));
        }
    }

    /// Moves into cells whose occupant now stays are cancelled, and so on up the queue.
    fn stays(&mut self, state: &State) {
        self.queue.clear();
        for (id, (verdict, unit)) in (0..).map(AgentId).zip(self.verdicts.iter().zip(&state.units)) {
            let wanted = || self.board.claimant(unit.at).is_some();
            if verdict.goes_to().is_none() && !unit.gone && wanted() {
                self.queue.push(id);
            }
        }
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
