//! A run that was recorded: it can be looked at and not be changed.

use super::charts::{Charts, Figures, distance};
use super::draft::Draft;
use super::past::Past;
use super::stage::{arrived, heading};
use crate::{Refusal, limits};
use throng::core::{Setup, Tick, Unobserved};
use throng::formats::trace::{self, TraceFile};
use throng::formats::{scenario, space};
use throng::planners::registry::{self, Context};

/// Ticks from one copy of the world to the next.
const EVERY: Tick = 256;
/// So many copies at most, and so many bytes of them, about.
const MOST: usize = 64;
const BYTES: usize = 256 << 20;

/// A trace and where it is.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) file: TraceFile,
    /// The version of the document that it was shown with.
    pub(crate) version: u32,
    past: Past,
    /// By tick: the world as it was then.
    kept: Vec<Past>,
    every: Tick,
    charts: Charts,
    headings: Vec<u8>,
    terrain: u32,
}

impl Recorded {
    /// Reads a trace of the grid.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.starts_with(space::trace::MAGIC) {
            return Err(Refusal::new("a trace of continuous space: the studio shows those of the grid"));
        }
        let file = trace::parse(bytes)?;
        let (grid, units) = (file.scenario.grid(), file.scenario.agents().len());
        limits::size(grid.width(), grid.height())?;
        limits::at_most("units", units, limits::UNITS)?;
        limits::at_most("ticks", file.trace.ticks() as usize, limits::TICKS as usize)?;
        let past = Past::new(&file.scenario, &file.trace);
        let most = (BYTES / (grid.len() * 16 + units * 48 + 1)).clamp(1, MOST);
        let every = EVERY.max(file.trace.ticks() / most as Tick);
        let mut recorded = Self {
            version: 0,
            kept: vec![past.clone()],
            past,
            every,
            charts: Charts::default(),
            headings: vec![u8::MAX; units],
            terrain: 1,
            file,
        };
        recorded.chart();
        while recorded.advance() {}
        recorded.seek(0);
        Ok(recorded)
    }

    /// The scenario that it is a recording of, as a document. A planner is told only if one could run it.
    pub(crate) fn draft(&self) -> Result<Draft, Refusal> {
        let TraceFile { scenario, planner, seed, .. } = &self.file;
        let fits = registry::fits(planner, scenario, &Context::default()).is_ok();
        let planner = fits.then(|| planner.clone());
        let setup = Setup { planner, seed: Some(*seed), ..Setup::new(scenario.clone()) };
        Draft::parse(&scenario::write(&setup), &mut |name| Err(format!("no {name} in a recording")))
    }

    pub(crate) const fn past(&self) -> &Past {
        &self.past
    }

    pub(crate) const fn tick(&self) -> Tick {
        self.past.stage.state().tick
    }

    pub(crate) fn last(&self) -> Tick {
        self.file.trace.ticks()
    }

    pub(crate) const fn charts(&self) -> &Charts {
        &self.charts
    }

    pub(crate) fn headings(&self) -> &[u8] {
        &self.headings
    }

    pub(crate) const fn terrain(&self) -> u32 {
        self.terrain
    }

    /// One tick; answers whether there was one.
    pub(crate) fn advance(&mut self) -> bool {
        let now = self.tick();
        if now >= self.last() {
            return false;
        }
        self.past.go_on(&self.file.trace, &Vec::new(), now + 1, &mut Unobserved);
        self.terrain += u32::from(!self.file.trace.changes_at(now).is_empty());
        for deed in self.past.stage.deeds().iter().filter(|deed| !deed.failed) {
            if let (Some(slot), Some(way)) = (self.headings.get_mut(deed.agent.index()), heading(deed.action))
            {
                *slot = way;
            }
        }
        if self.charts.figures.len() as Tick == now + 1 {
            self.chart();
        }
        if (now + 1).is_multiple_of(self.every) && self.kept.len() as Tick == (now + 1) / self.every {
            self.kept.push(self.past.clone());
        }
        true
    }

    /// Goes to a tick, or to the last.
    pub(crate) fn seek(&mut self, tick: Tick) {
        if tick < self.tick() {
            let kept = (tick.saturating_sub(1) / self.every) as usize;
            if let Some(kept) = self.kept.get(kept.min(self.kept.len() - 1)) {
                self.past.clone_from(kept);
            }
            self.headings.fill(u8::MAX);
            self.terrain += 1;
        }
        while self.tick() < tick && self.advance() {}
    }

    fn chart(&mut self) {
        let (scenario, state) = (self.past.stage.scenario(), self.past.stage.state());
        let failed = self.past.stage.deeds().iter().filter(|deed| deed.failed).count();
        self.charts.figures.push(Figures {
            arrived: arrived(scenario, state) as u32,
            failed: failed as u32,
            // Traces do not tell.
            expanded: None,
            distance: distance(self.past.stage.deeds()),
            coherence: self.past.flow.series().last().map_or(0.0, |(_, value)| value.value() as f32),
            coverage: (self.past.visits.cells as f32 / scenario.grid().open_cells().max(1) as f32).min(1.0),
        });
    }
}
