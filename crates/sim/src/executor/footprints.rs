//! Conflicts by the footprint rule: metric timing, larger bodies, or holding both cells.

use super::{Executor, Verdict};
use throng_core::{Action, Actions, AgentId, Cell, Scenario, State, Tick};

impl Executor {
    /// A move begins if everything it covers is free, units that have just left nothing included. Higher
    /// priority goes first, then the lower id. With `follow`, a cell may be entered that a unit with the same
    /// heading is leaving and will have left in time; followers wait for their leader's verdict.
    pub(super) fn resolve_footprints(&mut self, scenario: &Scenario, state: &State) {
        self.board.begin(scenario.grid().len());
        for agent in scenario.agents() {
            let unit = &state.units[agent.id.index()];
            if unit.gone {
                continue;
            }
            let grid = scenario.grid();
            let (from, action) = if unit.stands(state.tick) {
                (grid.cell(unit.at), Action::Wait)
            } else {
                let (from, to) = (grid.cell(unit.from), grid.cell(unit.at));
                let action = agent.actions(scenario.rules()).between(from, to, unit.pose);
                (from, action.unwrap_or_default())
            };
            self.cover(scenario, agent.id, from, action);
        }
        self.order.clear();
        let movers = scenario.agents().iter().map(|a| a.id);
        self.order.extend(movers.filter(|id| self.verdicts[id.index()].goes_to().is_some()));
        self.order.sort_by_key(|id| (core::cmp::Reverse(scenario.agent(*id).priority), *id));
        self.admit_all(scenario, state);
    }

    /// Admits movers in order; what could not go yet is tried again as long as somebody else could, since a
    /// leader may have set out meanwhile.
    fn admit_all(&mut self, scenario: &Scenario, state: &State) {
        let mut waiting = core::mem::take(&mut self.order);
        loop {
            let before = waiting.len();
            waiting.retain(|&id| {
                let Verdict::Goes(action, _) = self.verdicts[id.index()] else { return false };
                let from = scenario.grid().cell(state.units[id.index()].at);
                let free = self.rival(scenario, state, id, from, action).is_none();
                if free {
                    self.cover(scenario, id, from, action);
                    // A claim on its own cell says: this one has been admitted.
                    self.board.claim(state.units[id.index()].at, id);
                }
                !free
            });
            if waiting.len() == before || !scenario.rules().follow {
                break;
            }
        }
        for &id in &waiting {
            let Verdict::Goes(action, _) = self.verdicts[id.index()] else { continue };
            let from = scenario.grid().cell(state.units[id.index()].at);
            let by = self.rival(scenario, state, id, from, action);
            self.verdicts[id.index()].cancel(by);
        }
        waiting.clear();
        self.order = waiting;
    }

    /// Somebody who is in the way of `id`.
    fn rival(
        &self,
        scenario: &Scenario,
        state: &State,
        id: AgentId,
        from: Cell,
        action: Action,
    ) -> Option<AgentId> {
        let actions = scenario.agent(id).actions(scenario.rules());
        actions.footprint(from, action).cells().find_map(|cell| {
            let holder = self.board.holder(scenario.grid().id(cell)?)?;
            (holder != id && !self.may_follow(scenario, state, (id, actions, action), holder, cell))
                .then_some(holder)
        })
    }

    /// Whether `holder` is leaving `cell` with the same heading, begun no later and over no later.
    fn may_follow(
        &self,
        scenario: &Scenario,
        state: &State,
        (id, actions, action): (AgentId, Actions, Action),
        holder: AgentId,
        cell: Cell,
    ) -> bool {
        if !scenario.rules().follow || holder == id {
            return false;
        }
        let grid = scenario.grid();
        let leader = &state.units[holder.index()];
        let motion = scenario.agent(holder).actions(scenario.rules());
        let (from, heading, end) = if leader.stands(state.tick) {
            let Verdict::Goes(heading, _) = self.verdicts[holder.index()] else { return false };
            if self.board.claimant(leader.at) != Some(holder) {
                return false;
            }
            (grid.cell(leader.at), heading, state.tick + Tick::from(motion.duration(heading)))
        } else {
            let (from, to) = (grid.cell(leader.from), grid.cell(leader.at));
            (from, motion.between(from, to, leader.pose).unwrap_or_default(), leader.until)
        };
        let target = motion.footprint(from.after(heading), Action::Wait);
        heading.dir().is_some_and(|dir| action.dir() == Some(dir))
            && end <= state.tick + Tick::from(actions.duration(action))
            && !target.covers(cell)
            && motion.footprint(from, Action::Wait).covers(cell)
    }

    /// Whoever begins something takes its pose; whoever stays, or fails, that of one who waits.
    pub(super) fn turn(&self, scenario: &Scenario, state: &mut State) {
        let now = state.tick;
        for (agent, (unit, verdict)) in
            scenario.agents().iter().zip(state.units.iter_mut().zip(&self.verdicts))
        {
            unit.pose = match *verdict {
                Verdict::Goes(action, _) => agent.actions(scenario.rules()).pose_after(unit.pose, action),
                _ if unit.stands(now) => agent.motion.rested(unit.pose),
                _ => unit.pose,
            };
        }
    }

    fn cover(&mut self, scenario: &Scenario, id: AgentId, from: Cell, action: Action) {
        let actions = scenario.agent(id).actions(scenario.rules());
        for cell in actions.footprint(from, action).cells() {
            if let Some(cell) = scenario.grid().id(cell) {
                self.board.hold(cell, id);
            }
        }
    }
}
