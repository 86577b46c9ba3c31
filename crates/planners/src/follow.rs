//! Follows a plan: the adapter from a [`Planner`](throng_core::Planner)'s result to a controller.

mod explain;
mod order;

use order::Order;
use serde::{Deserialize, Serialize};
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Event, Observer, Plan, SnapshotError,
    Tick, View,
};

/// Makes every unit do what a plan says, never before the tick that it says, and through every cell in the order in which the
/// plan has units pass (`order`): whoever is late makes those wait who come after it, and nobody else. Who is late by
/// its plan does not wait any more where the plan only lets time pass, so that it catches up.
#[derive(Clone, Debug)]
pub struct Follow {
    plan: Plan,
    /// When it began; nothing before the first tick.
    began: Option<Tick>,
    /// Per agent: how many of its moves have been begun.
    next: Vec<u32>,
    /// Per agent: where it should stand by now, to notice a cancelled move.
    expected: Vec<CellId>,
    /// Made from the plan when it is needed.
    order: Option<Order>,
    /// Who would begin a move now, and who of them has to wait for whom.
    ready: Vec<u32>,
    held: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    plan: Plan,
    began: Option<Tick>,
    next: Vec<u32>,
    expected: Vec<CellId>,
}

impl Follow {
    /// Follows `plan` from its beginning.
    #[must_use]
    pub fn new(plan: Plan) -> Self {
        let next = vec![0; plan.paths.len()];
        let (expected, ready, held) = (Vec::new(), Vec::new(), Vec::new());
        Self { plan, began: None, next, expected, order: None, ready, held }
    }

    /// Takes note of where everybody is, and of moves that were cancelled.
    fn look(&mut self, view: &View<'_>) {
        self.order.get_or_insert_with(|| Order::of(view.scenario, &self.plan));
        if self.began.is_none() {
            self.began = Some(view.tick());
            self.expected = view.state.units.iter().map(|unit| unit.at).collect();
            self.next.resize(self.expected.len(), 0);
        }
        for &id in view.mine {
            let (unit, i) = (view.unit(id), id.index());
            if unit.at != self.expected[i] && self.next[i] > 0 {
                self.next[i] -= 1;
                self.expected[i] = unit.at;
            }
        }
    }

    /// By how many ticks all units together that are not through with the plan will end their parts later than planned, if nobody
    /// slips any more.
    #[must_use]
    pub fn lateness(&mut self, view: &View<'_>) -> Tick {
        self.look(view);
        let (Some(order), Some(began)) = (&self.order, self.began) else { return 0 };
        let (none, free) = (vec![0; self.next.len()], vec![began; self.next.len()]);
        let planned = order.ends(&none, &free, began);
        let free: Vec<Tick> = view.state.units.iter().map(|unit| unit.until.max(view.tick())).collect();
        let expected = order.ends(&self.next, &free, began);
        let under_way = |&place: &usize| self.next[place] < order.count(AgentId(place as u32));
        (0..self.next.len()).filter(under_way).map(|k| expected[k].saturating_sub(planned[k])).sum()
    }

    /// The sum over all units of when they end their part if nobody slips any more.
    #[must_use]
    pub fn expected_end(&mut self, view: &View<'_>) -> Tick {
        self.look(view);
        let free: Vec<Tick> = view.state.units.iter().map(|unit| unit.until.max(view.tick())).collect();
        let began = self.began.unwrap_or(view.tick());
        self.order.as_ref().map_or(0, |order| order.ends(&self.next, &free, began).into_iter().sum())
    }
}

impl Controller for Follow {
    fn decide(
        &mut self,
        view: &View<'_>,
        _budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.look(view);
        let (Some(order), Some(began)) = (&self.order, self.began) else { return };
        let now = view.tick();
        let due = |id: &AgentId| {
            let next = order.get(*id, self.next[id.index()]);
            view.unit(*id).stands(now) && next.is_some_and(|next| began + next.tick <= now)
        };
        self.ready.clear();
        self.ready.extend(view.mine.iter().filter(|id| due(id)).map(|id| id.0));
        let going = |agent: u32| view.unit(AgentId(agent)).is_moving(now);
        order.held(&self.next, going, &self.ready, &mut self.held);
        for &(agent, on) in &self.held {
            observer.event(now, &Event::Waits { agent: AgentId(agent), on: AgentId(on) });
        }
        self.held.sort_unstable();
        for &agent in &self.ready {
            let (id, i) = (AgentId(agent), agent as usize);
            if self.held.binary_search_by_key(&agent, |&(held, _)| held).is_ok() {
                continue;
            }
            let Some(next) = order.get(id, self.next[i]) else { continue };
            actions[i] = next.action;
            let at = view.grid().cell(view.unit(id).at);
            self.expected[i] = view.grid().id(at.after(next.action)).unwrap_or(view.unit(id).at);
            self.next[i] += 1;
        }
    }

    /// A plan is for the world that it was made in: what it says about others still holds.
    fn changed(&mut self, _view: &View<'_>, _change: Change) {}

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        let (plan, next, expected) = (self.plan.clone(), self.next.clone(), self.expected.clone());
        postcard::to_allocvec(&Saved { plan, began: self.began, next, expected }).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let Saved { plan, began, next, expected } =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let n = view.scenario.agents().len();
        let begun = if began.is_some() { n } else { 0 };
        if plan.paths.len() != n || next.len() != n || expected.len() != begun {
            return Err(SnapshotError::Mismatch(format!("{} paths for {n} agents", plan.paths.len())));
        }
        if began.is_some_and(|began| began > view.tick()) {
            return Err(SnapshotError::Mismatch("a plan that has not begun yet".to_owned()));
        }
        let order = Order::of(view.scenario, &plan);
        if (0..).map(AgentId).zip(&next).any(|(id, &next)| next > order.count(id)) {
            return Err(SnapshotError::Mismatch("moves that its plan does not have".to_owned()));
        }
        *self = Self { began, next, expected, order: Some(order), ..Self::new(plan) };
        Ok(())
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, actions) = (view.unit(agent), view.agent(agent).actions(view.rules()));
        let mut way = vec![(unit.until.max(view.tick()), view.grid().cell(unit.at))];
        for next in self.ahead(view, agent) {
            let (last, at) = way[way.len() - 1];
            let begins = last.max(self.began.unwrap_or(view.tick()) + next.tick);
            way.push((begins + Tick::from(actions.duration(next.action)), at.after(next.action)));
        }
        way
    }

    /// A plan lets its unit wait for others only.
    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        let cause = self.waits_for(view, agent)?;
        Some((view.unit(agent).until.min(view.tick()), cause))
    }
}
