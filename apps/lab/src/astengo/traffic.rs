//! Traffic that never ends, and how long each of its ways takes.

use crate::{LabError, trial};
use throng::core::{Agent, AgentId, Event, Observer, Scenario, Task, Tick};

/// Ticks that are counted together.
pub(super) const SPAN: Tick = 200;

/// The same units, going to and fro for longer than any run.
pub(super) fn for_ever(scenario: &Scenario) -> Result<Scenario, LabError> {
    let patrol = |agent: &Agent| {
        let task = Task::Patrol { goal: agent.waypoints().last(), rounds: u32::MAX / 2 };
        Agent { task, ..agent.clone() }
    };
    let agents = scenario.agents().iter().map(patrol).collect();
    Ok(Scenario::new(scenario.name(), scenario.grid().clone(), scenario.rules(), agents)?)
}

/// Counts goals, and how late units come to them.
pub(super) struct Traffic {
    /// What the way takes alone, by unit, there as back.
    pub(super) alone: Vec<Tick>,
    /// When each unit set out.
    since: Vec<Tick>,
    /// Every way: whose, when it ended and how long it took.
    ways: Vec<(AgentId, Tick, Tick)>,
    pub(super) joined: u64,
}

impl Traffic {
    /// Listens from tick 0 on; `scenario` has the units' goals, not their patrols.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let alone: Vec<_> = scenario.agents().iter().map(|agent| trial::alone(scenario, agent.id)).collect();
        Self { since: vec![0; alone.len()], alone, ways: Vec::new(), joined: 0 }
    }

    /// How late units came to their goals, and how late those are at `end` who are still under way.
    pub(super) fn delays(&self, end: Tick) -> Vec<Tick> {
        let done = self.ways.iter().map(|&(agent, _, took)| (agent.index(), took));
        let under_way = self.since.iter().map(|since| end - since).enumerate();
        done.chain(under_way).map(|(unit, took)| took.saturating_sub(self.alone[unit])).collect()
    }

    /// What all finished ways took together, and what they take alone.
    pub(super) fn travel(&self) -> (u64, u64) {
        let took = self.ways.iter().map(|way| way.2).sum();
        (took, self.ways.iter().map(|way| self.alone[way.0.index()]).sum())
    }

    /// Goals in each span of ticks.
    pub(super) fn goals(&self, ticks: Tick) -> Vec<u64> {
        let mut goals = vec![0; ticks.div_ceil(SPAN) as usize];
        for way in &self.ways {
            if let Some(count) = goals.get_mut(((way.1 - 1) / SPAN) as usize) {
                *count += 1;
            }
        }
        goals
    }

    /// How many units have been under way for longer than `patience` times their way alone.
    pub(super) fn stuck(&self, end: Tick, patience: Tick) -> u64 {
        let late = |(since, alone): &(&Tick, &Tick)| end - *since > patience * **alone;
        self.since.iter().zip(&self.alone).filter(late).count() as u64
    }
}

impl Observer for Traffic {
    fn event(&mut self, tick: Tick, event: &Event) {
        match *event {
            Event::Arrived { agent, .. } => {
                let since = std::mem::replace(&mut self.since[agent.index()], tick + 1);
                self.ways.push((agent, tick + 1, tick + 1 - since));
            }
            Event::JoinedFlock { .. } => self.joined += 1,
            _ => {}
        }
    }
}
