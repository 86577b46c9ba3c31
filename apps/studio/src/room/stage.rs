//! A trace walked through again: what happened, told as it was told when it happened.

use throng::core::{Action, Cell, Deed, Event, Observer, Scenario, State, TerrainChange, Tick, Trace, Unit};

/// Units that somebody has put elsewhere, which traces cannot tell: before which tick, who, and where.
pub(crate) type Placements = Vec<(Tick, u32, Cell)>;

/// The world of a trace at a tick.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    scenario: Scenario,
    state: State,
    /// Moves that began or failed in the last tick.
    deeds: Vec<Deed>,
}

impl Stage {
    /// Where a trace of `scenario` begins.
    pub(crate) fn new(scenario: &Scenario, trace: &Trace) -> Self {
        let mut state = State::new(scenario);
        for (place, unit) in state.units.iter_mut().enumerate() {
            if let Some(at) = trace.starts.get(place).and_then(|&at| scenario.grid().id(at)) {
                (unit.at, unit.from) = (at, at);
            }
            if let Some(&(pose, until)) = trace.poses.get(place) {
                (unit.pose, unit.until) = (pose, until);
            }
        }
        Self { scenario: scenario.clone(), state, deeds: Vec::new() }
    }

    pub(crate) const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    pub(crate) const fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// One tick; `observer` hears what happened in it.
    pub(crate) fn step(&mut self, trace: &Trace, placed: &Placements, observer: &mut dyn Observer) {
        let now = self.state.tick;
        for &(_, unit, cell) in placed.iter().filter(|(tick, ..)| *tick == now) {
            if let (Some(unit), Some(at)) =
                (self.state.units.get_mut(unit as usize), self.scenario.grid().id(cell))
            {
                (unit.at, unit.from, unit.since, unit.until) = (at, at, now, now);
            }
        }
        for &TerrainChange { cell, open, .. } in trace.changes_at(now) {
            self.scenario.set_open(cell, open);
            observer.event(now, &if open { Event::Opened { cell } } else { Event::Closed { cell } });
        }
        self.deeds.clear();
        self.deeds.extend_from_slice(trace.at(now));
        for deed in &self.deeds {
            let Some(event) = begin(&self.scenario, &mut self.state, deed) else { continue };
            observer.event(now, &event);
        }
        self.state.tick = now + 1;
        self.arrive(observer);
        observer.tick(&self.scenario, &self.state);
    }

    /// Counts the waypoints that units stand at now.
    fn arrive(&mut self, observer: &mut dyn Observer) {
        let (grid, now) = (self.scenario.grid(), self.state.tick);
        for (agent, unit) in self.scenario.agents().iter().zip(&mut self.state.units) {
            if !unit.stands(now) {
                continue;
            }
            unit.from = unit.at;
            let way = agent.waypoints();
            while !agent.task.is_search()
                && unit.leg < way.len()
                && grid.id(way.target(unit.leg)) == Some(unit.at)
            {
                observer.event(now - 1, &Event::Arrived { agent: agent.id, leg: unit.leg });
                unit.leg += 1;
                if unit.leg == way.len() {
                    observer.event(now - 1, &Event::Finished { agent: agent.id });
                }
            }
        }
    }
}

/// Begins a move, or lets it fail; nothing if there is no such unit or place.
fn begin(scenario: &Scenario, state: &mut State, deed: &Deed) -> Option<Event> {
    let now = state.tick;
    let (agent, grid) = (scenario.agents().get(deed.agent.index())?, scenario.grid());
    let unit: &mut Unit = state.units.get_mut(deed.agent.index())?;
    let to = grid.cell(unit.at).after(deed.action);
    if deed.failed {
        return Some(Event::Failed { agent: deed.agent, action: deed.action, to, blocked_by: None });
    }
    let actions = agent.actions(scenario.rules());
    unit.from = unit.at;
    unit.at = grid.id(to)?;
    unit.pose = actions.pose_after(unit.pose, deed.action);
    (unit.since, unit.until) = (now, now + Tick::from(actions.duration(deed.action)));
    Some(Event::Moved { agent: deed.agent, action: deed.action })
}

/// Whether units of a state have done what a scenario asks of them.
pub(crate) fn arrived(scenario: &Scenario, state: &State) -> usize {
    scenario
        .agents()
        .iter()
        .zip(&state.units)
        .filter(|(agent, unit)| is_home(scenario, state.tick, agent, unit))
        .count()
}

pub(crate) fn is_home(scenario: &Scenario, now: Tick, agent: &throng::core::Agent, unit: &Unit) -> bool {
    let way = agent.waypoints();
    let there = || unit.stands(now) && scenario.grid().id(way.last()) == Some(unit.at);
    unit.leg >= way.len() && !unit.gone && (!agent.must_rest() || there())
}

/// The direction of a move, as frames have it: eighths of a turn from north, clockwise.
pub(crate) fn heading(action: Action) -> Option<u8> {
    action.dir().map(eighth)
}

/// A direction in eighths of a turn from north, clockwise.
pub(crate) const fn eighth(dir: throng::core::Dir) -> u8 {
    let index = dir as u8;
    if index < 4 { 2 * index } else { 2 * (index - 4) + 1 }
}
