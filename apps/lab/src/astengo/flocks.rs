//! `ac-flock`: travelling in flocks against travelling alone, and the rules of conflict against what they replace.

mod sums;

use super::traffic::{Traffic, for_ever};
use crate::settings::{Named, Settings, Which};
use crate::{Case, Conclusion, Experiment, LabError, Request, Watch, trial};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sums::Sums;
use throng::Session;
use throng::core::{Tick, Unlimited};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Flocks(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// Whoever has been under way for so many times as long as alone is stuck.
    patience: Tick,
    /// Bonuses in percent, 0 for everybody alone first.
    bonuses: Vec<u32>,
}

/// What became of one world's traffic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    units: usize,
    /// Goals in each span of ticks.
    goals: Vec<u64>,
    /// Ticks of all ways, and what they take alone, at a walk and with nobody else there.
    travel: u64,
    travel_alone: u64,
    joined: u64,
    /// By how many ticks the worst estimate of a member was worse than alone, in any tick.
    worse: u64,
    /// Most members of a flock.
    largest: usize,
    stuck: u64,
    collisions: u64,
    failed_moves: u64,
}

impl Flocks {
    /// Every bonus by the rules, then the two other ways of settling conflicts with the largest bonus.
    fn named(own: &Own) -> Vec<Named> {
        let most = own.bonuses.iter().copied().max().unwrap_or(0);
        let bonus = |bonus: &u32| Named { name: by_bonus(*bonus), spec: format!("flock(bonus={bonus})") };
        let other = |conflict: &str| Named {
            name: conflict.to_owned(),
            spec: format!("flock(bonus={most},conflict={conflict})"),
        };
        own.bonuses.iter().map(bonus).chain(["tiles", "replan"].map(other)).collect()
    }
}

/// What a planner with this bonus is called.
fn by_bonus(bonus: u32) -> String {
    if bonus == 0 { "alone".to_owned() } else { format!("bonus {bonus}") }
}

impl Experiment for Flocks {
    const NAME: &'static str = "ac-flock";
    const SOURCE: &'static str = super::SOURCE;
    const ABOUT: &'static str =
        "travel time and throughput on roads: alone or in flocks; by rules, by tiles or by planning anew";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/ac-flock.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        Self::named(&self.0.own).into_iter().map(|named| named.spec).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let mut cases = Vec::new();
        for spot in self.0.spots() {
            for (planner, Named { name, .. }) in Self::named(&self.0.own).iter().enumerate() {
                let world = self.0.world(&spot);
                let key = format!("{world}, {} units, seed {}, {name}", spot.units, spot.seed);
                cases.push(Case { key, what: Which { spot, planner } });
            }
        }
        cases
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let (own, place) = (&self.0.own, &self.0.places[spot.place]);
        let Named { name, spec } = &Self::named(own)[planner];
        let once = place.scenario(spot.units, spot.seed)?;
        let mut traffic = Traffic::new(&once);
        let (mut worse, mut largest) = (0, 0);
        let mut see = |session: &Session| {
            for flock in session.flocks() {
                largest = largest.max(flock.members.len());
                let loss = flock.members.iter().map(|member| member.together.saturating_sub(member.alone));
                worse = loss.max().unwrap_or(0).max(worse);
            }
        };
        let counts = trial::run_seen(
            &for_ever(&once)?,
            spec,
            spot.seed,
            own.ticks,
            &Unlimited,
            &mut traffic,
            &mut see,
        )?;
        let (travel, travel_alone) = traffic.travel();
        Ok(Row {
            world: place.world.name.clone(),
            planner: name.clone(),
            seed: spot.seed,
            units: spot.units,
            goals: traffic.goals(counts.ticks),
            travel,
            travel_alone,
            joined: traffic.joined,
            worse,
            largest,
            stuck: traffic.stuck(counts.ticks, own.patience),
            collisions: counts.collisions,
            failed_moves: counts.failed_moves,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { of: &self.0, rows };
        Conclusion { tables: sums.tables(), plots: sums.plots(), claims: sums.claims() }
    }
}
