//! Follows a plan: the adapter from a [`Planner`](throng_core::Planner)'s result to a controller.

mod explain;

use throng_core::{
    Action, AgentId, Budget, Cause, Cell, Change, Controller, Observer, Plan, SnapshotError, Tick, View,
};

/// Makes every unit do what a plan says. A unit whose move was cancelled tries it again, so it falls
/// behind its plan but never leaves its path.
#[derive(Clone, Debug)]
pub struct Follow {
    plan: Plan,
    /// Per agent: how many of its actions have been begun.
    next: Vec<u32>,
    /// Per agent: where it should stand by now, to notice a cancelled move.
    expected: Vec<throng_core::CellId>,
}

impl Follow {
    /// Follows `plan` from its beginning.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let next = vec![0; plan.paths.len()];
        Self { plan, next, expected: Vec::new() }
    }
}

impl Controller for Follow {
    fn decide(
        &mut self,
        view: &View<'_>,
        _budget: &dyn Budget,
        _observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        if self.expected.is_empty() {
            self.expected = view.state.units.iter().map(|u| u.at).collect();
            self.next.resize(self.expected.len(), 0);
        }
        for &id in view.mine {
            let (unit, i) = (view.unit(id), id.index());
            if !unit.stands(view.tick()) {
                continue;
            }
            if unit.at != self.expected[i] && self.next[i] > 0 {
                self.next[i] -= 1;
            }
            let path = self.plan.paths.get(i).map_or(&[][..], |path| &path.actions);
            let action = path.get(self.next[i] as usize).copied().unwrap_or_default();
            actions[i] = action;
            self.expected[i] = match action.dir() {
                Some(dir) => view.grid().neighbour(unit.at, dir),
                None => view.grid().id(view.grid().cell(unit.at).after(action)).unwrap_or(unit.at),
            };
            if (self.next[i] as usize) < path.len() {
                self.next[i] += 1;
            }
        }
    }

    /// A plan is for the world that it was made in: what it says about others still holds.
    fn changed(&mut self, _view: &View<'_>, _change: Change) {}

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        postcard::to_allocvec(&(&self.plan, &self.next, &self.expected)).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (plan, next, expected): (Plan, Vec<u32>, Vec<throng_core::CellId>) =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let n = view.scenario.agents().len();
        if plan.paths.len() != n || next.len() != n || !(expected.is_empty() || expected.len() == n) {
            return Err(SnapshotError::Mismatch(format!("{} paths for {n} agents", plan.paths.len())));
        }
        (self.plan, self.next, self.expected) = (plan, next, expected);
        Ok(())
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, actions) = (view.unit(agent), view.agent(agent).actions(view.rules()));
        let (mut tick, mut at) = (unit.until.max(view.tick()), view.grid().cell(unit.at));
        let mut way = vec![(tick, at)];
        let path = self.plan.paths.get(agent.index()).map_or(&[][..], |path| &path.actions);
        let next = self.next.get(agent.index()).map_or(0, |&next| next as usize).min(path.len());
        for &action in &path[next..] {
            (tick, at) = (tick + Tick::from(actions.duration(action)), at.after(action));
            if action != Action::Wait {
                way.push((tick, at));
            }
        }
        way
    }

    /// A plan lets its unit wait for others only.
    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        let cause = self.waits_for(view, agent)?;
        Some((view.unit(agent).until.min(view.tick()), cause))
    }
}
