//! Units that patrol between two places each, what that costs them, and how coherently they move. Experiments differ in worlds,
//! planners and claims.

use super::SOURCE;
use super::sums::Sums;
use crate::settings::{Settings, Which};
use crate::{Case, Conclusion, Experiment, LabError, Request, Watch, mixed, trial};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;
use throng::Observers;
use throng::core::{Agent, Directions, Observer, Scenario, State, Task, Tick, Unlimited};
use throng::search::directions::{Rate, Rates};
use throng::sim::{Flow, Metrics};

/// Ticks of a straight step; a diagonal one takes 7.
const PERIOD: u8 = 5;

/// One of the experiments.
pub(crate) trait Figure: Sync {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const SETTINGS: &'static str;
    /// Whether rows keep what was learned in the first world of the first seed, to be drawn.
    const DRAWN: bool = false;
    fn conclude(sums: &Sums<'_>) -> Conclusion;
}

/// The experiment.
#[derive(Debug)]
pub(crate) struct Patrols<F>(Settings<Own>, PhantomData<F>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Own {
    ticks: Tick,
    /// How often units go there and back.
    rounds: u32,
    /// The rate at which the map is learned whose coherence is measured, whoever plans.
    alpha: f64,
    /// Ticks from one measurement to the next.
    every: Tick,
    pub(super) planners: Vec<Arm>,
    /// What the article has.
    #[serde(default)]
    pub(super) document: Vec<Told>,
}

/// A planner, and the rate at which neighbours learn in the map that is measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arm {
    pub(super) name: String,
    spec: String,
    #[serde(default)]
    near: f64,
}

/// A column of one of the article's tables.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    pub(super) world: String,
    pub(super) planner: String,
    pub(super) expanded: f64,
    pub(super) time: f64,
    pub(super) path: f64,
    pub(super) failed: f64,
}

/// What became of one world's patrols.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(super) world: String,
    pub(super) planner: String,
    pub(super) seed: u64,
    units: usize,
    /// Of the units, how many finished all their patrols.
    pub(super) finished: usize,
    pub(super) ticks: Tick,
    /// Per patrol there and back, over all that were finished. Backwards searches count as work.
    pub(super) expanded: f64,
    pub(super) path: f64,
    pub(super) failed: f64,
    /// Ticks, and the coherence then.
    pub(super) coherence: Vec<(Tick, f64)>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) learned: Option<Directions>,
}

impl<F: Figure> Experiment for Patrols<F> {
    const NAME: &'static str = F::NAME;
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = F::ABOUT;

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        Ok(Self(Settings::open(Self::NAME, F::SETTINGS, request, watch)?, PhantomData))
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|arm| arm.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        self.0.cases(|own| own.planners.iter().map(|arm| arm.name.as_str()).collect())
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let (own, place) = (&self.0.own, &self.0.places[spot.place]);
        let Arm { name, spec, near } = &own.planners[planner];
        let scenario = patrolling(&place.scenario(spot.units, spot.seed)?, own.rounds, place.one_side())?;
        let rate = |share: f64| Rate::new((share * 10_000.0).round() as u32).unwrap_or_default();
        let rates = Rates { own: rate(own.alpha), near: rate(*near) };
        let mut metrics = Metrics::new(&scenario, &State::new(&scenario));
        let mut flow = Flow::new(scenario.grid(), rates, own.every);
        let mut both: [&mut dyn Observer; 2] = [&mut metrics, &mut flow];
        let listener = &mut Observers(&mut both);
        let counts = trial::run(&scenario, spec, spot.seed, own.ticks, &Unlimited, listener)?;
        let legs = || metrics.agents().iter().flat_map(|agent| &agent.legs);
        let per_patrol = |sum: f64| 2.0 * sum / legs().count().max(1) as f64;
        Ok(Row {
            world: place.world.name.clone(),
            planner: name.clone(),
            seed: spot.seed,
            units: spot.units,
            finished: metrics.agents().iter().filter(|agent| agent.finished.is_some()).count(),
            ticks: counts.ticks,
            expanded: per_patrol((counts.main + counts.backwards) as f64),
            path: per_patrol(legs().map(|leg| leg.length()).sum()),
            failed: per_patrol(counts.failed_moves as f64),
            coherence: flow.series().iter().map(|(tick, coherence)| (*tick, coherence.value())).collect(),
            learned: (F::DRAWN && spot.place == 0 && spot.seed == 0)
                .then(|| flow.map().learned(scenario.grid())),
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        F::conclude(&Sums { own: &self.0.own, places: &self.0.places, rows })
    }
}

impl Row {
    /// Of the units, which share finished all patrols.
    pub(super) fn share_finished(&self) -> f64 {
        self.finished as f64 / self.units.max(1) as f64
    }
}

/// The same units, going there and back under metric timing with eight moves; every second one from the other side if
/// `both_sides`.
fn patrolling(scenario: &Scenario, rounds: u32, both_sides: bool) -> Result<Scenario, LabError> {
    let patrol = |agent: &Agent| {
        let (mut start, mut goal) = (agent.start, agent.waypoints().last());
        if both_sides && agent.id.index() % 2 == 1 {
            (start, goal) = (goal, start);
        }
        Agent { start, task: Task::Patrol { goal, rounds }, period: PERIOD, ..agent.clone() }
    };
    let agents = scenario.agents().iter().map(patrol).collect();
    Ok(Scenario::new(scenario.name(), scenario.grid().clone(), mixed::RULES, agents)?)
}
