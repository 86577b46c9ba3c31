//! How coherently units move, over time.

use throng_core::{Action, AgentId, Event, Grid, Observer, Scenario, State, Tick};
use throng_search::directions::{Coherence, DirectionMap, Rates};

/// An observer that learns a direction map from what units do, whoever plans for them, and notes its coherence now and then.
///
/// What it learns is what controllers learn that keep a map themselves, if rates are the same and both begin with nothing.
#[derive(Clone, Debug)]
pub struct Flow {
    map: DirectionMap,
    rates: Rates,
    /// The moves of the present tick.
    steps: Vec<(AgentId, Action)>,
    every: Tick,
    series: Vec<(Tick, Coherence)>,
}

impl Flow {
    /// Learns from now on, and notes the coherence `every` so many ticks; 0 for never.
    #[must_use]
    pub fn new(grid: &Grid, rates: Rates, every: Tick) -> Self {
        Self { map: DirectionMap::blank(grid), rates, steps: Vec::new(), every, series: Vec::new() }
    }

    /// What has been learned.
    #[must_use]
    pub const fn map(&self) -> &DirectionMap {
        &self.map
    }

    /// Ticks, and how coherent what had been learned until then was.
    #[must_use]
    pub fn series(&self) -> &[(Tick, Coherence)] {
        &self.series
    }
}

impl Observer for Flow {
    fn event(&mut self, _tick: Tick, event: &Event) {
        if let Event::Moved { agent, action } = *event
            && action != Action::Wait
        {
            self.steps.push((agent, action));
        }
    }

    fn tick(&mut self, scenario: &Scenario, state: &State) {
        let grid = scenario.grid();
        for (id, action) in self.steps.drain(..) {
            let (end, body) = (state.units[id.index()].at, scenario.agent(id).body);
            self.map.learn_move(grid, end, action, body, self.rates);
        }
        if self.every > 0 && state.tick.is_multiple_of(self.every) {
            self.series.push((state.tick, self.map.coherence(grid)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use throng_core::{Agent, Cell, Dir, Rules, Task};
    use throng_search::directions::Rate;

    /// A step teaches; a wait and a move that is cancelled do not.
    #[test]
    fn only_moves_that_are_made_teach() {
        let grid = Grid::empty(4, 1).unwrap();
        let agent = |id, x| Agent::new(id, Cell::new(x, 0), Task::Goal(Cell::new(x, 0)));
        let scenario = Scenario::new("", grid, Rules::default(), vec![agent(0, 0), agent(1, 3)]).unwrap();
        let (mut state, mut executor) = (State::new(&scenario), Executor::new());
        let half = Rate::new(5000).unwrap();
        let mut flow = Flow::new(scenario.grid(), Rates { own: half, near: Rate::ZERO }, 1);
        let mut tick = |actions: [Action; 2]| {
            let (now, mut events) = (state.tick, Vec::new());
            executor.step(&scenario, &mut state, &actions, &mut events);
            events.iter().for_each(|event| flow.event(now, event));
            flow.tick(&scenario, &state);
            (0..4).map(|x| flow.map().learned(scenario.grid()).at(Cell::new(x, 0)).x).collect::<Vec<_>>()
        };
        // Off the map: cancelled.
        assert_eq!(tick([Action::Go(Dir::W), Action::Wait]), [0, 0, 0, 0]);
        assert_eq!(tick([Action::Go(Dir::E), Action::Wait]), [8192, 8192, 0, 0]);
        assert_eq!(tick([Action::Wait, Action::Go(Dir::W)]), [8192, 8192, -8192, -8192]);
        // Face to face: both are cancelled.
        assert_eq!(tick([Action::Go(Dir::E), Action::Go(Dir::W)]), [8192, 8192, -8192, -8192]);
        let values: Vec<_> =
            flow.series().iter().map(|(tick, coherence)| (*tick, coherence.value())).collect();
        assert_eq!(values, [(1, 0.0), (2, 0.375), (3, 0.25), (4, 0.25)]);
    }
}
