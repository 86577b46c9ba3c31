//! A run: a session, what was done to it, and what it takes to go to any of its ticks again.

use super::acts::Act;
use super::charts::{Charts, Figures, Visits, Work, distance, flow};
use super::draft::Draft;
use super::keyframes::Keyframes;
use super::past::Past;
use super::stage::{Placements, heading};
use super::watch::{Again, Watch};
use crate::{Refusal, limits};
use std::sync::Arc;
use throng::core::{
    AgentId, Budget, Event, Expansions, Observer, Scenario, Tick, Trace, Unlimited, Unobserved,
};
use throng::sim::{Flow, Recorder};
use throng::{Observers, Options, Session, Setup};

/// How a run is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) setup: Setup,
    pub(crate) planner: Option<String>,
    pub(crate) seed: u64,
    /// Expansions that planning may take in each tick.
    pub(crate) budget: Option<u64>,
    /// The document that it is a run of, and its version.
    pub(crate) draft: Draft,
    pub(crate) version: u32,
    /// What is to be done by hand, by tick.
    pub(crate) acts: Vec<(Tick, Act)>,
}

/// A session with its past. Whoever goes to a tick finds the same state there, however it came.
pub(crate) struct Run {
    session: Session,
    budget: Option<u64>,
    /// The document that it was made from.
    draft: Draft,
    version: u32,
    /// As it was at first.
    scenario: Scenario,
    keyframes: Keyframes,
    /// What was done, by tick: before anything of that tick begins.
    log: Vec<(Tick, Act)>,
    recorder: Recorder,
    flow: Flow,
    visits: Visits,
    charts: Charts,
    /// It does not go on beyond.
    end: Tick,
    error: Option<String>,
    /// Of the farthest tick.
    last_hash: u64,
    /// What was to be done and was refused, and why.
    refused: Vec<String>,
    /// By unit: its last move, in eighths from north.
    headings: Vec<u8>,
    /// Goes up whenever the terrain may have changed.
    terrain: u32,
    pub(super) watch: Option<Watch>,
    /// Shared by whoever goes through ticks of it again.
    pub(super) back: Arc<()>,
    pub(super) past: Option<Past>,
}

impl Run {
    /// At tick 0.
    pub(crate) fn new(wish: Wish) -> Result<Self, Refusal> {
        let Wish { setup, planner, seed, budget, draft, version, acts } = wish;
        let end = setup.ticks.unwrap_or(limits::TICKS).min(limits::TICKS);
        let options = Options { planner, seed, ..Options::default() };
        let session = Session::new(setup, &options).map_err(|why| Refusal::new(why.to_string()))?;
        let (scenario, state) = (session.scenario().clone(), session.state());
        let mut run = Self {
            budget,
            draft,
            version,
            keyframes: Keyframes::new(session.save(), limits::KEYFRAMES),
            log: acts,
            recorder: Recorder::new(&scenario, state),
            flow: flow(scenario.grid()),
            visits: Visits::new(&scenario, state),
            charts: Charts::default(),
            end,
            error: None,
            last_hash: 0,
            refused: Vec::new(),
            headings: vec![u8::MAX; state.units.len()],
            terrain: 1,
            watch: None,
            back: Arc::default(),
            past: None,
            scenario,
            session,
        };
        run.chart(0);
        run.act_as_noted();
        Ok(run)
    }

    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) const fn tick(&self) -> Tick {
        self.session.state().tick
    }

    /// The farthest tick that is known.
    pub(crate) fn last(&self) -> Tick {
        self.recorder.trace().ticks()
    }

    /// The world as it was at first.
    pub(crate) const fn scenario_at_first(&self) -> &Scenario {
        &self.scenario
    }

    pub(crate) const fn trace(&self) -> &Trace {
        self.recorder.trace()
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

    /// Expansions that planning may take in each tick.
    pub(crate) const fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// The document that it is a run of.
    pub(crate) const fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The version of that document.
    pub(crate) const fn version(&self) -> u32 {
        self.version
    }

    /// What was done by hand, or is to be, by tick.
    pub(crate) fn acts(&self) -> &[(Tick, Act)] {
        &self.log
    }

    /// The state hash of the farthest tick that is known.
    pub(crate) const fn last_hash(&self) -> u64 {
        self.last_hash
    }

    /// What was to be done since somebody asked, and was refused.
    pub(crate) fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.refused)
    }

    pub(crate) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Whether it does not go on from here.
    pub(crate) fn is_over(&self) -> bool {
        self.error.is_some() || self.tick() >= self.end || self.session.is_done()
    }

    /// Units that were put elsewhere, which the trace does not tell.
    pub(crate) fn placements(&self) -> Placements {
        let placed = |(tick, act): &(Tick, Act)| match *act {
            Act::Place(unit, cell) => Some((*tick, unit, cell)),
            _ => None,
        };
        let last = self.last();
        self.log.iter().filter(|(tick, _)| *tick <= last).filter_map(placed).collect()
    }

    /// One tick, unless it is over; answers whether it went on. What is known already is done again, and comes out the same.
    pub(crate) fn advance(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let new = self.tick() == self.last();
        if new && self.charts.moves > limits::MOVES {
            self.error =
                Some(format!("more than {} moves, which is all that is kept of a run", limits::MOVES));
            return false;
        }
        let budget: Box<dyn Budget> = match self.budget {
            Some(expansions) => Box::new(Expansions(expansions)),
            None => Box::new(Unlimited),
        };
        if new {
            let mut work = Work::default();
            let mut all: [&mut dyn Observer; 4] =
                [&mut self.recorder, &mut self.flow, &mut self.visits, &mut work];
            self.session.tick(&*budget, &mut Observers(&mut all));
            self.chart(work.0);
        } else {
            self.session.tick(&*budget, &mut Unobserved);
        }
        self.listen();
        let (tick, session) = (self.tick(), &self.session);
        self.keyframes.offer(tick, || session.save());
        if new {
            self.act_as_noted();
        } else {
            self.replay_acts();
        }
        if let Some(watch) = &mut self.watch {
            watch.note(&self.session);
        }
        true
    }

    /// Hears what happened in the last tick.
    fn listen(&mut self) {
        self.headings.resize(self.session.state().units.len(), u8::MAX);
        for event in self.session.events() {
            match *event {
                Event::Moved { agent, action } => {
                    if let Some(way) = heading(action) {
                        self.headings[agent.index()] = way;
                    }
                }
                Event::Closed { .. } | Event::Opened { .. } => self.terrain += 1,
                _ => {}
            }
        }
    }

    /// Does what is to be done at a tick that is new. What is refused is not done, and not noted any more.
    fn act_as_noted(&mut self) {
        let now = self.tick();
        let mut log = std::mem::take(&mut self.log);
        log.retain(|(tick, act)| {
            let outcome = if *tick == now { act.apply(&mut self.session) } else { Ok(()) };
            let told =
                outcome.as_ref().err().map(|why| format!("{} at tick {tick} was refused: {why}", act.name()));
            self.refused.extend(told);
            outcome.is_ok()
        });
        self.log = log;
        if self.log.iter().any(|(tick, _)| *tick == now) {
            self.acted();
        }
        self.last_hash = self.session.state().hash();
    }

    /// Something has been done now.
    fn acted(&mut self) {
        self.terrain += 1;
        if let Some(figures) = self.charts.figures.last_mut() {
            figures.arrived = self.session.arrived() as u32;
        }
    }

    /// Does what was done at this tick when it was new.
    fn replay_acts(&mut self) {
        let now = self.tick();
        for (_, act) in self.log.iter().filter(|(tick, _)| *tick == now) {
            // It was possible then, and everything is as it was then.
            let _ = act.apply(&mut self.session);
            self.terrain += 1;
        }
    }

    /// Notes the figures of a tick that is new.
    fn chart(&mut self, expanded: u64) {
        let (session, now) = (&self.session, self.session.state().tick);
        let trace = self.recorder.trace();
        let deeds = now.checked_sub(1).map_or(&[][..], |tick| trace.at(tick));
        let grid = session.scenario().grid();
        let eyes =
            session.scenario().agents().iter().find(|agent| session.scenario().sight_of(agent).is_some());
        let coverage = match eyes.and_then(|agent| session.seen(agent.id)) {
            Some(seen) => seen.len() as f32 / (grid.width() * grid.height()) as f32,
            None => self.visits.cells as f32 / grid.open_cells().max(1) as f32,
        };
        self.charts.moves += deeds.len() as u64;
        self.charts.figures.push(Figures {
            arrived: session.arrived() as u32,
            failed: deeds.iter().filter(|deed| deed.failed).count() as u32,
            expanded: Some(expanded),
            distance: distance(deeds),
            coherence: self.flow.series().last().map_or(0.0, |(_, coherence)| coherence.value() as f32),
            coverage: coverage.min(1.0),
        });
    }

    /// Goes back to where `tick` can be reached from by advancing.
    pub(crate) fn rewind(&mut self, tick: Tick) -> Result<(), Refusal> {
        if tick >= self.tick() {
            return Ok(());
        }
        // One tick less, so that what happened in the last one is known.
        let (_, saved) = self.keyframes.before(tick.saturating_sub(1));
        self.session = Session::resume(saved, 1).map_err(|why| Refusal::new(why.to_string()))?;
        self.headings.fill(u8::MAX);
        self.error = None;
        self.terrain += 1;
        self.watch = None;
        self.replay_acts();
        Ok(())
    }

    /// What it takes to go through the ticks from about this one on once more, without going there.
    pub(super) fn again(&self, tick: Tick) -> Again {
        let (_, saved) = self.keyframes.before(tick);
        Again { saved: saved.to_vec(), log: self.log.clone(), budget: self.budget }
    }

    /// Does something now. The future that was is cut off.
    pub(crate) fn act(&mut self, act: Act) -> Result<(), Refusal> {
        limits::at_most("acts", self.log.len() + 1, limits::ACTS)?;
        act.apply(&mut self.session)?;
        self.cut();
        self.log.push((self.tick(), act));
        self.acted();
        self.last_hash = self.session.state().hash();
        Ok(())
    }

    /// Forgets what comes after this tick.
    fn cut(&mut self) {
        let now = self.tick();
        // Also what was still to be done.
        self.log.retain(|(tick, _)| *tick <= now);
        if now >= self.last() {
            return;
        }
        self.keyframes.cut(now);
        self.charts.figures.truncate(now as usize + 1);
        self.past = None;
        let trace = self.trace();
        let mut past = Past::new(&self.scenario, trace);
        let mut recorder = Recorder::new(past.stage.scenario(), past.stage.state());
        past.go_on(trace, &self.placements(), now, &mut recorder);
        self.charts.moves = (0..now).map(|tick| trace.at(tick).len() as u64).sum();
        (self.recorder, self.flow, self.visits) = (recorder, past.flow, past.visits);
    }

    /// Who planned.
    pub(crate) fn planners(&self) -> String {
        self.session.planners().collect::<Vec<_>>().join(" + ")
    }

    /// Whether a unit has arrived.
    pub(crate) fn has_arrived(&self, unit: usize) -> bool {
        self.session.has_arrived(AgentId(unit as u32))
    }
}
