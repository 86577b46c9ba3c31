//! Figures over time.

use crate::limits;
use serde::Serialize;
use throng::core::{Action, Deed, Grid, Observer, Scenario, SearchKind, State, Tick};
use throng::search::directions::{Rate, Rates};
use throng::sim::Flow;

/// What one tick comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    /// Units that have arrived by now.
    pub(crate) arrived: u32,
    /// Moves cancelled in the tick before.
    pub(crate) failed: u32,
    /// How far units moved in the tick before, all together.
    pub(crate) distance: f32,
    /// Nodes expanded in the tick before; nothing where nobody knows, as in recordings.
    pub(crate) expanded: Option<u64>,
    /// How coherently units move, 0 to 1.
    pub(crate) coherence: f32,
    /// The share of the world that has been seen, or, where nobody has to see it, walked on.
    pub(crate) coverage: f32,
}

/// Figures by tick, from 0 on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Charts {
    pub(crate) figures: Vec<Figures>,
    /// Moves and failures so far.
    pub(crate) moves: u64,
}

/// Charts of one run, as pages get them.
#[derive(Debug, Serialize)]
pub(crate) struct Curves {
    arrived: Vec<u32>,
    failed: Vec<u32>,
    expanded: Vec<Option<u64>>,
    coherence: Vec<f32>,
    coverage: Vec<f32>,
}

impl Charts {
    /// The figures of these ticks; past the end, the last.
    pub(crate) fn curves(&self, ticks: &[Tick]) -> Curves {
        let at = |tick: &Tick| {
            let last = self.figures.last().copied().unwrap_or_default();
            let past = Figures { failed: 0, expanded: last.expanded.map(|_| 0), distance: 0.0, ..last };
            usize::try_from(*tick).ok().and_then(|tick| self.figures.get(tick).copied()).unwrap_or(past)
        };
        let figures: Vec<Figures> = ticks.iter().map(at).collect();
        Curves {
            arrived: figures.iter().map(|f| f.arrived).collect(),
            failed: figures.iter().map(|f| f.failed).collect(),
            expanded: figures.iter().map(|f| f.expanded).collect(),
            coherence: figures.iter().map(|f| f.coherence).collect(),
            coverage: figures.iter().map(|f| f.coverage).collect(),
        }
    }

    /// All of it as a table.
    pub(crate) fn csv(&self) -> String {
        let mut out = "tick,arrived,failed,expanded,coherence,coverage\n".to_owned();
        for (tick, f) in self.figures.iter().enumerate() {
            let Figures { arrived, failed, coherence, coverage, .. } = f;
            let expanded = f.expanded.map_or_else(String::new, |expanded| expanded.to_string());
            out += &format!("{tick},{arrived},{failed},{expanded},{coherence},{coverage}\n");
        }
        out
    }
}

/// How far the moves of a tick lead, all together: √2 for a diagonal, a quarter of a circle for a curve.
pub(crate) fn distance(deeds: &[Deed]) -> f32 {
    let length = |deed: &Deed| match deed.action {
        _ if deed.failed => 0.0,
        Action::Wait => 0.0,
        Action::Curve(_, radius) => f32::from(radius) * std::f32::consts::FRAC_PI_2,
        action => match action.dir() {
            Some(dir) if dir.is_diagonal() => std::f32::consts::SQRT_2,
            _ => 1.0,
        },
    };
    // A sum of nothing would be -0.
    deeds.iter().map(length).fold(0.0, |far, step| far + step)
}

/// Ticks from `from` to `last`, thinned evenly where they are too many; the last is always one of them.
pub(crate) fn thinned(from: Tick, last: Tick) -> Vec<Tick> {
    let from = from.min(last);
    let stride = (last - from + 1).div_ceil(limits::POINTS as Tick - 1).max(1);
    let mut ticks: Vec<Tick> = (from..=last).step_by(stride as usize).collect();
    if ticks.last() != Some(&last) {
        ticks.push(last);
    }
    ticks
}

/// Learns how units move, the way planners do that keep a direction map.
pub(crate) fn flow(grid: &Grid) -> Flow {
    let own = Rate::new(1000).unwrap_or_default();
    // The coherence of a large map takes longer than a tick: it is asked for now and then.
    let every = (grid.len() as Tick).div_ceil(1 << 14);
    Flow::new(grid, Rates { own, near: own.quarter() }, every)
}

/// Counts what planners expand in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work(pub(crate) u64);

impl Observer for Work {
    fn expanded(&mut self, _agent: throng::core::AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}

/// How often units have come to each cell, where they began included.
#[derive(Clone, Debug)]
pub(crate) struct Visits {
    /// By cell.
    pub(crate) counts: Vec<u32>,
    /// Cells that somebody has been on.
    pub(crate) cells: usize,
    moved: Vec<usize>,
}

impl Visits {
    pub(crate) fn new(scenario: &Scenario, state: &State) -> Self {
        let mut visits = Self { counts: vec![0; scenario.grid().len()], cells: 0, moved: Vec::new() };
        (0..state.units.len()).for_each(|unit| visits.cover(scenario, state, unit));
        visits
    }

    fn cover(&mut self, scenario: &Scenario, state: &State, unit: usize) {
        let (Some(agent), Some(unit)) = (scenario.agents().get(unit), state.units.get(unit)) else { return };
        let grid = scenario.grid();
        let body = agent.actions(scenario.rules()).footprint(grid.cell(unit.at), throng::core::Action::Wait);
        for id in body.cells().filter_map(|cell| grid.id(cell)) {
            self.cells += usize::from(self.counts[id.index()] == 0);
            self.counts[id.index()] += 1;
        }
    }
}

impl Observer for Visits {
    fn event(&mut self, _tick: Tick, event: &throng::core::Event) {
        if let throng::core::Event::Moved { agent, .. } = event {
            self.moved.push(agent.index());
        }
    }

    fn tick(&mut self, scenario: &Scenario, state: &State) {
        for unit in std::mem::take(&mut self.moved) {
            self.cover(scenario, state, unit);
        }
    }
}
