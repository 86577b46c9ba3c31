//! Plans made anew once delays have upset them, where that pays.

use crate::Session;
use crate::groups::{Group, context_of};
use crate::session::Mind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_check::check_plan;
use throng_core::{
    Action, Agent, AgentId, Budget, Observer, Outcome, Path, Plan, Rest, Scenario, SearchKind, State, Task,
    Tick, Timing, View,
};
use throng_planners::Follow;
use throng_planners::registry::{self, Built};

/// Whoever is late for so many ticks more is late for long.
const LONG: Tick = 8;

/// When a plan was last thought over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Thought {
    /// When.
    at: Tick,
    /// How late all units together were by the plan then.
    late: Tick,
}

impl Session {
    /// Thinks over the plan that everybody follows if delays have made it worse since that was last done, but not in every
    /// tick: whoever planned makes another one from where everybody is now, and if units are expected to end their parts
    /// sooner by that in sum, even with those who are late by now, they follow it. Answers the expansions.
    pub(crate) fn replan(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        let now = self.state.tick;
        let Some(every) = self.options.replan.filter(|_| !self.setup.scenario.delays().is_none()) else {
            return 0;
        };
        let [Group { spec, mine, mind: Mind::Follow(follow, _), .. }] = &mut self.groups[..] else {
            return 0;
        };
        let (scenario, state) = (&self.setup.scenario, &self.state);
        let view = View { scenario, state, mine, seen: None, sightings: &[] };
        if now < self.thought.at.saturating_add(every) || state.units.iter().any(|unit| unit.is_moving(now)) {
            return 0;
        }
        let late = follow.lateness(&view);
        let worse = late > self.thought.late;
        self.thought = Thought { at: now, late: late.max(self.thought.late) };
        if !worse {
            return 0;
        }
        let expected = follow.expected_end(&view);
        // One that is new knows nothing of the last time, as after a save.
        let Ok(context) = context_of(&self.setup, &self.options) else { return 0 };
        let context = registry::Context { workers: Arc::clone(&self.workers), ..context };
        let mut anew =
            Anew { spec, context: &context, budget, counted: Counted { expanded: 0, inner: observer } };
        let Some(rest) = what_is_left(scenario, state) else { return 0 };
        let mut best: Option<(Tick, Follow)> = None;
        for way in [Anew::at_once, Anew::around_the_late] {
            let Some(plan) = way(&mut anew, &rest, state) else { continue };
            // No plan is followed that the judge has not seen.
            if !check_plan(&rest, &plan).is_valid() {
                continue;
            }
            let mut other = Follow::new(plan);
            let sum = other.expected_end(&view);
            if sum < best.as_ref().map_or(expected, |best| best.0) {
                best = Some((sum, other));
            }
        }
        let spent = anew.counted.expanded;
        if let Some((_, other)) = best {
            **follow = other;
            self.thought.late = follow.lateness(&view);
            mine.iter().for_each(|&id| observer.replanned(id, now));
        }
        spent
    }
}

/// Makes plans.
struct Anew<'a, 'b> {
    spec: &'a str,
    context: &'a registry::Context,
    budget: &'a dyn Budget,
    counted: Counted<'b>,
}

impl Anew<'_, '_> {
    fn solve(&mut self, scenario: &Scenario) -> Option<Plan> {
        let Ok(Built::Planner(mut planner)) = registry::build(self.spec, self.context) else { return None };
        let rest = Rest { whole: self.budget, before: self.counted.expanded };
        match planner.plan(scenario, &rest, &mut self.counted) {
            Outcome::Solved(plan) => Some(plan),
            _ => None,
        }
    }

    /// As if nobody were late: those who are find their places in the order of the new plan.
    fn at_once(&mut self, rest: &Scenario, _state: &State) -> Option<Plan> {
        self.solve(rest)
    }

    /// In two parts: until the last of those who are late for long may go on they are walls to all others; from then on
    /// everybody goes. Whose goal is under one of them waits where it is meanwhile.
    fn around_the_late(&mut self, rest: &Scenario, state: &State) -> Option<Plan> {
        let (now, rules) = (state.tick, rest.rules());
        let late = |agent: &Agent| state.units[agent.id.index()].until >= now + LONG;
        let until = rest.agents().iter().filter(|agent| late(agent)).map(|a| state.units[a.id.index()].until);
        let ticks = (until.max()? - now) as usize;
        if rules.timing != Timing::Uniform || rest.largest_body() > 1 {
            return None;
        }
        let mut grid = rest.grid().clone();
        for agent in rest.agents().iter().filter(|agent| late(agent)) {
            grid.set_letter(grid.id(agent.start)?, b'@').ok()?;
        }
        let mut others: Vec<Agent> = rest.agents().iter().filter(|agent| !late(agent)).cloned().collect();
        let mut numbers = Vec::new();
        for (agent, number) in others.iter_mut().zip(0..) {
            // How many of several goals are reached by then is not told.
            let Task::Goal(goal) = agent.task else { return None };
            if !grid.is_open(goal) {
                agent.task = Task::Goal(agent.start);
            }
            numbers.push(core::mem::replace(&mut agent.id, AgentId(number)));
        }
        let first = Scenario::new(rest.name(), grid, rules, others).ok()?;
        first.require_distinct_goals().ok()?;
        let before = self.solve(&first)?;
        let stand = |agent: &Agent| Path { start: agent.start, actions: vec![Action::Wait; ticks] };
        let mut paths: Vec<Path> = rest.agents().iter().map(stand).collect();
        let mut agents = rest.agents().to_vec();
        for (id, path) in numbers.iter().zip(&before.paths) {
            let begun = path.actions.iter().take(ticks);
            let own = &mut paths[id.index()].actions;
            own.iter_mut().zip(begun).for_each(|(own, &action)| *own = action);
            agents[id.index()].start = own.iter().fold(path.start, |at, &action| at.after(action));
        }
        let second = Scenario::new(rest.name(), rest.grid().clone(), rules, agents).ok()?;
        let after = self.solve(&second)?;
        for (path, more) in paths.iter_mut().zip(after.paths) {
            path.actions.extend(more.actions);
        }
        Some(Plan { paths })
    }
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
