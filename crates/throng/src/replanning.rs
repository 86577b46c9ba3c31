//! Plans made anew once delays have upset them, where that pays.

use crate::Session;
use crate::groups::{Group, context_of};
use crate::session::Mind;
use serde::{Deserialize, Serialize};
use throng_core::{
    Agent, AgentId, Budget, Observer, Outcome, Plan, Scenario, SearchKind, State, Task, Tick, View,
};
use throng_planners::Follow;
use throng_planners::registry::{self, Built};

/// When a plan was last thought over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Thought {
    /// When.
    at: Tick,
    /// The sum of when units were expected to end their parts.
    hoped: Option<Tick>,
}

impl Session {
    /// Thinks over the plan that everybody follows if delays have made it worse since that was last done, but not in every
    /// tick: whoever planned makes another one from where everybody is now, and if units are expected to end their parts
    /// sooner by that in sum, even with those who are late by now, they follow it. Answers the expansions.
    pub(crate) fn replan(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        let now = self.state.tick;
        let Some(every) = self.options.replan else { return 0 };
        let [Group { spec, mine, mind: Mind::Follow(follow, _), .. }] = &mut self.groups[..] else { return 0 };
        let (scenario, state) = (&self.setup.scenario, &self.state);
        let view = View { scenario, state, mine, seen: None, sightings: &[] };
        let hoped = *self.thought.hoped.get_or_insert_with(|| follow.planned_end(&view));
        if now < self.thought.at.saturating_add(every) || state.units.iter().any(|unit| unit.is_moving(now)) {
            return 0;
        }
        let expected = follow.expected_end(&view);
        if expected <= hoped {
            return 0;
        }
        self.thought = Thought { at: now, hoped: Some(expected) };
        let Some(rest) = what_is_left(scenario, state) else { return 0 };
        // One that is new knows nothing of the last time, as after a save.
        let built = context_of(&self.setup, &self.options).ok().and_then(|context| {
            let workers = std::sync::Arc::clone(&self.workers);
            registry::build(spec, &registry::Context { workers, ..context }).ok()
        });
        let Some(Built::Planner(mut planner)) = built else { return 0 };
        let mut counted = Counted { expanded: 0, inner: observer };
        let Outcome::Solved(plan) = planner.plan(&rest, budget, &mut counted) else { return counted.expanded };
        let spent = counted.expanded;
        if !is_plan(&rest, &plan) {
            return spent;
        }
        let mut other = Follow::new(plan);
        let sooner = other.expected_end(&view);
        if sooner < expected {
            *follow = other;
            self.thought.hoped = Some(sooner);
            mine.iter().for_each(|&id| observer.replanned(id, now));
        }
        spent
    }
}

/// No plan is followed that the judge has not seen.
fn is_plan(scenario: &Scenario, plan: &Plan) -> bool {
    throng_check::check_plan(scenario, plan).is_valid()
}

/// The problem that is left: everybody begins where it is, with the goals that it has not been at yet. Nothing where there
/// are tasks of which a part is no task of its own.
fn what_is_left(scenario: &Scenario, state: &State) -> Option<Scenario> {
    let agents = scenario.agents().iter().zip(&state.units).map(|(agent, unit)| {
        let task = match &agent.task {
            Task::Goal(goal) => Task::Goal(*goal),
            Task::Goals(goals) => {
                // Whoever has been everywhere rests at the last.
                let done = (unit.leg as usize).min(goals.len() - 1);
                Task::Goals(goals[done..].to_vec())
            }
            _ => return None,
        };
        (!unit.gone).then(|| Agent { task, start: scenario.grid().cell(unit.at), ..agent.clone() })
    });
    let agents = agents.collect::<Option<Vec<_>>>()?;
    Scenario::new(scenario.name(), scenario.grid().clone(), scenario.rules(), agents).ok()
}

/// Counts the expansions of a planner, and passes them on.
struct Counted<'a> {
    expanded: u64,
    inner: &'a mut dyn Observer,
}

impl Observer for Counted<'_> {
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.expanded += count;
        self.inner.expanded(agent, kind, count);
    }
}
