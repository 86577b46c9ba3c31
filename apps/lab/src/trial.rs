//! One run of one planner in one world.

use crate::LabError;
use serde::{Deserialize, Serialize};
use throng::check::{Expect, Judge};
use throng::core::{AgentId, Budget, Observer, Scenario, Tick};
use throng::search::{GridGraph, TrueDistance};
use throng::sim::{Metrics, Recorder};
use throng::{Observers, Options, Session, Setup};

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counts {
    pub(crate) agents: usize,
    /// Those who rest at their goals in the end.
    pub(crate) arrived: usize,
    pub(crate) ticks: Tick,
    /// Steps of those who arrived, and how many they would have needed alone.
    pub(crate) steps: f64,
    pub(crate) steps_alone: u64,
    /// Ticks until those who arrived came to stay.
    pub(crate) arrival: u64,
    pub(crate) failed_moves: u64,
    /// What the judge found; there is nothing to find.
    pub(crate) collisions: u64,
    pub(crate) searches: u64,
    /// Expansions of the searches for paths, and of those for true distances.
    pub(crate) main: u64,
    pub(crate) backwards: u64,
    /// By unit: the tick at which it came to stay. For experiments that compare units; the others' rows leave it out.
    #[serde(skip)]
    pub(crate) settled: Vec<Option<Tick>>,
}

/// Runs until everybody rests at its goal or `ticks` are over, each within `budget`. The judge watches every tick.
pub(crate) fn run(
    scenario: &Scenario,
    planner: &str,
    seed: u64,
    ticks: Tick,
    budget: &dyn Budget,
    listener: &mut dyn Observer,
) -> Result<Counts, LabError> {
    run_seen(scenario, planner, seed, ticks, budget, listener, &mut |_| {})
}

/// The same; `see` is shown the session after every tick.
pub(crate) fn run_seen(
    scenario: &Scenario,
    planner: &str,
    seed: u64,
    ticks: Tick,
    budget: &dyn Budget,
    listener: &mut dyn Observer,
    see: &mut dyn FnMut(&Session),
) -> Result<Counts, LabError> {
    let options = Options { seed, ..Options::planner(planner) };
    run_as(scenario, &options, ticks, budget, listener, see)
}

/// The same by any options.
pub(crate) fn run_as(
    scenario: &Scenario,
    options: &Options,
    ticks: Tick,
    budget: &dyn Budget,
    listener: &mut dyn Observer,
    see: &mut dyn FnMut(&Session),
) -> Result<Counts, LabError> {
    let mut session = Session::new(Setup::new(scenario.clone()), options)?;
    let mut metrics = Metrics::new(scenario, session.state());
    let mut recorder = Recorder::new(scenario, session.state());
    let mut judge = Judge::new(scenario);
    while !session.is_done() && session.state().tick < ticks {
        session.tick(budget, &mut Observers(&mut [&mut metrics, &mut recorder, &mut *listener]));
        recorder.trace().delays_at(judge.now()).iter().for_each(|delay| judge.slip(delay));
        judge.tick(recorder.trace().at(judge.now()));
        see(&session);
    }
    let there: Vec<AgentId> =
        scenario.agents().iter().map(|a| a.id).filter(|&id| session.rests(id)).collect();
    let of = |id: &AgentId| &metrics.agents()[id.index()];
    Ok(Counts {
        agents: scenario.agents().len(),
        arrived: there.len(),
        ticks: session.state().tick,
        steps: there.iter().map(|id| of(id).total().length()).sum(),
        steps_alone: there.iter().map(|&id| alone(scenario, id)).sum(),
        arrival: there.iter().filter_map(|id| of(id).settled).sum(),
        failed_moves: metrics.failed_moves(),
        collisions: judge.finish(Expect::Legal).collisions,
        searches: metrics.replans(),
        main: metrics.expanded() - metrics.backwards(),
        backwards: metrics.backwards(),
        settled: metrics.agents().iter().map(|agent| agent.settled).collect(),
    })
}

/// How far a unit has to go if nobody else is there.
pub(crate) fn alone(scenario: &Scenario, id: AgentId) -> u64 {
    let (agent, grid) = (scenario.agent(id), scenario.grid());
    let (Some(start), Some(goal)) = (grid.id(agent.start), grid.id(agent.waypoints().last())) else {
        return 0;
    };
    let graph = GridGraph::of(grid, scenario.rules(), agent);
    let far = TrueDistance::new(&graph, goal.0, Some(start.0)).distance(&graph, start.0);
    far.map_or(0, u64::from)
}
