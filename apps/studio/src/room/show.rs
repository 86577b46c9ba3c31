//! What is shown: a run that can go on, or one that was recorded.

use super::charts::Charts;
use super::past::Past;
use super::recorded::Recorded;
use super::run::Run;
use super::stage::{arrived, is_home};
use crate::Refusal;
use crate::protocol::frames::{self, Doing, UnitAt};
use serde_json::{Value, json};
use throng::core::{Event, Scenario, State, Task, Tick, Trace, Unobserved};

/// A unit that has not moved for so many of its periods is blocked.
const PATIENCE: Tick = 8;

pub(crate) enum Show {
    Live(Box<Run>),
    Recorded(Box<Recorded>),
}

impl Show {
    pub(crate) const fn scenario(&self) -> &Scenario {
        match self {
            Self::Live(run) => run.session().scenario(),
            Self::Recorded(recorded) => recorded.past().stage.scenario(),
        }
    }

    pub(crate) const fn state(&self) -> &State {
        match self {
            Self::Live(run) => run.session().state(),
            Self::Recorded(recorded) => recorded.past().stage.state(),
        }
    }

    pub(crate) const fn tick(&self) -> Tick {
        self.state().tick
    }

    /// The farthest tick that is known.
    pub(crate) fn last(&self) -> Tick {
        match self {
            Self::Live(run) => run.last(),
            Self::Recorded(recorded) => recorded.last(),
        }
    }

    /// Goes up whenever the terrain may have changed.
    pub(crate) const fn terrain(&self) -> u32 {
        match self {
            Self::Live(run) => run.terrain(),
            Self::Recorded(recorded) => recorded.terrain(),
        }
    }

    pub(crate) const fn charts(&self) -> &Charts {
        match self {
            Self::Live(run) => run.charts(),
            Self::Recorded(recorded) => recorded.charts(),
        }
    }

    /// The world as it was at first, and what happened in it.
    pub(crate) const fn story(&self) -> (&Scenario, &Trace) {
        match self {
            Self::Live(run) => (run.scenario_at_first(), run.trace()),
            Self::Recorded(recorded) => (&recorded.file.scenario, &recorded.file.trace),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self {
            Self::Live(run) => run.is_over(),
            Self::Recorded(recorded) => recorded.tick() >= recorded.last(),
        }
    }

    /// One tick; answers whether there was one.
    pub(crate) fn advance(&mut self) -> bool {
        match self {
            Self::Live(run) => run.advance(),
            Self::Recorded(recorded) => recorded.advance(),
        }
    }

    /// Goes back to where `tick` can be reached from by advancing.
    pub(crate) fn rewind(&mut self, tick: Tick) -> Result<(), Refusal> {
        match self {
            Self::Live(run) => run.rewind(tick),
            Self::Recorded(recorded) => {
                if tick < recorded.tick() {
                    recorded.seek(tick);
                }
                Ok(())
            }
        }
    }

    /// The run, if it can be changed.
    pub(crate) fn live(&mut self) -> Result<&mut Run, Refusal> {
        match self {
            Self::Live(run) => Ok(run),
            Self::Recorded(_) => {
                Err(Refusal::new("this is a recording: it can be looked at and not be changed"))
            }
        }
    }

    pub(crate) fn arrived(&self) -> usize {
        match self {
            Self::Live(run) => run.session().arrived(),
            Self::Recorded(recorded) => {
                arrived(recorded.past().stage.scenario(), recorded.past().stage.state())
            }
        }
    }

    pub(crate) fn has_arrived(&self, unit: usize) -> bool {
        match self {
            Self::Live(run) => run.has_arrived(unit),
            Self::Recorded(_) => {
                let (scenario, state) = (self.scenario(), self.state());
                is_home(scenario, state.tick, &scenario.agents()[unit], &state.units[unit])
            }
        }
    }

    /// What has come to pass by this tick: who was where, and how units move.
    pub(crate) fn past(&mut self) -> &Past {
        match self {
            Self::Recorded(recorded) => recorded.past(),
            Self::Live(run) => {
                let tick = run.tick();
                let known = run.past.take().filter(|past| past.stage.state().tick <= tick);
                let mut past = known.unwrap_or_else(|| Past::new(run.scenario_at_first(), run.trace()));
                past.go_on(run.trace(), &run.placements(), tick, &mut Unobserved);
                run.past.insert(past)
            }
        }
    }

    /// Its row of the state of a room.
    pub(crate) fn told(&self) -> Value {
        let (planner, seed, error) = match self {
            Self::Live(run) => (run.planners(), run.session().options().seed, run.error()),
            Self::Recorded(recorded) => (recorded.file.planner.clone(), recorded.file.seed, None),
        };
        let done = match self {
            Self::Live(run) => run.session().is_done(),
            Self::Recorded(_) => self.is_over(),
        };
        let mut row = json!({
            "planner": planner,
            "seed": seed,
            "tick": self.tick(),
            "last": self.last(),
            "done": done,
            "over": self.is_over(),
            "arrived": self.arrived(),
            "units": self.state().units.iter().filter(|unit| !unit.gone).count(),
            "recorded": matches!(self, Self::Recorded(_)),
        });
        row["version"] = json!(match self {
            Self::Live(run) => run.version(),
            Self::Recorded(recorded) => recorded.version,
        });
        if let Some(error) = error {
            row["error"] = json!(error);
        }
        row
    }

    /// Who failed to move in the last tick.
    fn failed(&self) -> Vec<usize> {
        match self {
            Self::Live(run) => {
                let failed = |event: &Event| match *event {
                    Event::Failed { agent, .. } => Some(agent.index()),
                    _ => None,
                };
                run.session().events().iter().filter_map(failed).collect()
            }
            Self::Recorded(recorded) => {
                let deeds = recorded.past().stage.deeds().iter();
                deeds.filter(|deed| deed.failed).map(|deed| deed.agent.index()).collect()
            }
        }
    }

    /// Which way a unit looks, in eighths from north; [`u8::MAX`] if it has not moved yet.
    pub(super) fn heading(&self, unit: usize) -> u8 {
        let headings = match self {
            Self::Live(run) => run.headings(),
            Self::Recorded(recorded) => recorded.headings(),
        };
        match self.scenario().agents()[unit].motion {
            throng::core::Motion::Car { .. } | throng::core::Motion::Turns { .. } => {
                self.state().units[unit].pose * 2
            }
            _ => headings.get(unit).copied().unwrap_or(u8::MAX),
        }
    }

    /// Everybody, as frames have them.
    pub(crate) fn units(&self) -> Vec<UnitAt> {
        let (scenario, state) = (self.scenario(), self.state());
        let (grid, now) = (scenario.grid(), state.tick);
        let of = |(index, (agent, unit)): (usize, (&throng::core::Agent, &throng::core::Unit))| {
            let (from, to) = (grid.cell(unit.from), grid.cell(unit.at));
            let whole = unit.until.saturating_sub(unit.since).max(1) as f32;
            let done = if unit.stands(now) { 1.0 } else { (now - unit.since.min(now)) as f32 / whole };
            let along =
                |from: i32, to: i32| from as f32 + (to - from) as f32 * done + f32::from(agent.body) / 2.0;
            let idle = now.saturating_sub(unit.until);
            let doing = if unit.gone {
                Doing::Gone
            } else if self.has_arrived(index) {
                Doing::Arrived
            } else if idle >= PATIENCE * Tick::from(agent.period) {
                Doing::Blocked
            } else if unit.stands(now) && idle > 0 {
                Doing::Waits
            } else if agent.task.is_search() {
                Doing::Explores
            } else {
                Doing::OnItsWay
            };
            UnitAt {
                x: along(from.x, to.x),
                y: along(from.y, to.y),
                doing,
                failed: false,
                team: agent.team.min(255) as u8,
                body: agent.body,
                heading: self.heading(index),
            }
        };
        let mut units: Vec<UnitAt> = scenario.agents().iter().zip(&state.units).enumerate().map(of).collect();
        for unit in self.failed() {
            if let Some(unit) = units.get_mut(unit) {
                unit.failed = true;
            }
        }
        units
    }

    /// Frame 1.
    pub(crate) fn units_frame(&self, run: u8) -> Vec<u8> {
        let grid = self.scenario().grid();
        frames::units(run, self.tick(), grid.width().max(grid.height()), &self.units())
    }

    /// Frame 5: where each unit goes now, if it goes somewhere and knows where.
    pub(crate) fn goals_frame(&self, run: u8) -> Vec<u8> {
        let (scenario, state) = (self.scenario(), self.state());
        let goal = |(agent, unit): (&throng::core::Agent, &throng::core::Unit)| {
            let goes = !unit.gone && !agent.task.is_search() && !matches!(agent.task, Task::Hold);
            let goal = goes.then(|| agent.waypoints().target(unit.leg))?;
            Some((goal.x as u16, goal.y as u16))
        };
        let goals: Vec<_> = scenario.agents().iter().zip(&state.units).map(goal).collect();
        frames::goals(run, self.tick(), &goals)
    }

    /// Frame 2.
    pub(crate) fn terrain_frame(&self, run: u8) -> Vec<u8> {
        let grid = self.scenario().grid();
        let letters: Vec<u8> = (0..grid.height()).flat_map(|y| grid.row(y)).copied().collect();
        frames::terrain(run, self.terrain(), grid.width(), grid.height(), &letters)
    }
}
