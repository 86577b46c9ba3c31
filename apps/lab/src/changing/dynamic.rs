//! `ac-dynamic`: ways that are mended against ways that are searched anew.

use super::SOURCE;
use super::walk::{Change, Walked, walk};
use crate::settings::{Settings, Spot};
use crate::stats::{mean, ratio};
use crate::table::number;
use crate::{Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use throng::core::{
    AgentId, Cell, Draw as _, Observer, Scenario, SearchKind, Setup, Sight, TerrainEvent, Unlimited, stream,
};
use throng::{Options, Session};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Dynamic(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    /// Something changes every so many steps.
    every: u64,
    /// How far a unit sees that does not know its world.
    radius: u32,
    /// A unit in the dark is given so many ticks.
    ticks: u64,
    /// Units of a crowd.
    crowd: usize,
}

/// A cell of a crowd's world stays shut so many times as long as until the next one closes.
const SHUT: u64 = 8;

/// What happens in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Cells of the unit's way close and open.
    Way,
    /// Any cells do.
    Random,
    /// Nothing does, but the unit knows only what it has seen.
    Unseen,
    /// Any cells do, and many units go by `collective`; against the same world when nothing changes.
    Crowd,
}

const KINDS: [Kind; 4] = [Kind::Way, Kind::Random, Kind::Unseen, Kind::Crowd];

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Way => "on the way",
            Self::Random => "anywhere",
            Self::Unseen => "not seen before",
            Self::Crowd => "in a crowd",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    spot: Spot,
    kind: Kind,
}

/// One unit's way across one map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    kind: Kind,
    seed: u64,
    changes: u64,
    steps: u64,
    /// Steps of the unit whose way is searched anew, if it walks by itself.
    steps_anew: u64,
    mended: u64,
    anew: u64,
    differ: u64,
    arrived: bool,
}

/// Who moves crowds.
const COLLECTIVE: &str = "collective";

/// Counts expansions.
#[derive(Default)]
struct Counted(u64);

impl Observer for Counted {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}

impl Experiment for Dynamic {
    const NAME: &'static str = "ac-dynamic";
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str =
        "what it saves to mend ways by D* Lite where the world changes, and what it loses";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../../experiments/ac-dynamic.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        vec!["dlite".to_owned(), "lra".to_owned(), COLLECTIVE.to_owned()]
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let cases = self.0.spots().into_iter().flat_map(|spot| KINDS.map(|kind| Which { spot, kind }));
        let case = |what: Which| {
            let Which { spot, kind } = what;
            Case { key: format!("{}, {}, seed {}", self.0.world(&spot), kind.name(), spot.seed), what }
        };
        cases.map(case).collect()
    }

    fn run(&self, &Which { spot, kind }: &Which) -> Result<Row, LabError> {
        let scenario = self.0.places[spot.place].scenario(1, spot.seed)?;
        let (world, seed, every) = (self.0.world(&spot).to_owned(), spot.seed, self.0.own.every);
        let change = match kind {
            Kind::Way => Change::OnTheWay,
            Kind::Random => Change::Anywhere,
            Kind::Crowd => return self.crowd(spot),
            Kind::Unseen => {
                let dark = scenario.with_sight(Sight::new(self.0.own.radius))?;
                let explore = |planner: &str| -> Result<(u64, u64, bool, u64), LabError> {
                    let mut session = Session::new(Setup::new(dark.clone()), &Options::planner(planner))?;
                    let (mut counted, mut steps) = (Counted::default(), 0);
                    while !session.is_done() && session.state().tick < self.0.own.ticks {
                        let before = session.state().units[0].at;
                        session.tick(&Unlimited, &mut counted);
                        steps += u64::from(session.state().units[0].at != before);
                    }
                    let grid = session.known_world(AgentId(0)).grid();
                    let walls = grid.width() * grid.height() - grid.open_cells();
                    Ok((counted.0, steps, session.is_done(), walls as u64))
                };
                let (mended, steps, arrived, changes) = explore("dlite")?;
                let (anew, steps_anew, also, _) = explore("lra")?;
                let arrived = arrived && also;
                return Ok(Row {
                    world,
                    kind,
                    seed,
                    changes,
                    steps,
                    steps_anew,
                    mended,
                    anew,
                    differ: 0,
                    arrived,
                });
            }
        };
        let Walked { changes, steps, mended, anew, differ, arrived } = walk(&scenario, change, every, seed);
        Ok(Row { world, kind, seed, changes, steps, steps_anew: steps, mended, anew, differ, arrived })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        Conclusion { tables: vec![self.table(rows)], plots: vec![self.plot(rows)], claims: claims(rows) }
    }
}

/// How many times more expansions it takes to search anew, in total.
fn times<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Option<f64> {
    let sum = |of: fn(&Row) -> u64| Some(rows.clone().map(of).sum::<u64>() as f64);
    ratio(sum(|row| row.anew), sum(|row| row.mended))
}

impl Dynamic {
    /// A crowd in a world that changes, and in the same world when it does not.
    fn crowd(&self, spot: Spot) -> Result<Row, LabError> {
        let still = self.0.places[spot.place].scenario(self.0.own.crowd, spot.seed)?;
        let events = comings_and_goings(&still, self.0.own.every, self.0.own.ticks, spot.seed);
        let changes = events.len() as u64;
        let run = |scenario: Scenario| -> Result<(u64, u64, bool), LabError> {
            let (mut session, mut counted) =
                (Session::new(Setup::new(scenario), &Options::planner(COLLECTIVE))?, Counted::default());
            while !session.is_done() && session.state().tick < self.0.own.ticks {
                session.tick(&Unlimited, &mut counted);
            }
            Ok((counted.0, session.state().tick, session.is_done()))
        };
        let (anew, steps_anew, before) = run(still.clone())?;
        let (mended, steps, after) = run(still.with_events(events)?)?;
        let (world, arrived) = (self.0.world(&spot).to_owned(), before && after);
        Ok(Row {
            world,
            kind: Kind::Crowd,
            seed: spot.seed,
            changes,
            steps,
            steps_anew,
            mended,
            anew,
            differ: 0,
            arrived,
        })
    }

    fn of<'a>(&self, rows: &'a [Row], world: &'a str, kind: Kind) -> impl Iterator<Item = &'a Row> + Clone {
        rows.iter().filter(move |row| row.kind == kind && row.world == world)
    }

    fn table(&self, rows: &[Row]) -> Table {
        let columns = [
            "world",
            "changes",
            "how many",
            "steps",
            "steps, anew",
            "expanded, mended",
            "expanded, anew",
            "times",
        ];
        let mut table = Table::new("One unit across a map; means over seeds", columns);
        for place in &self.0.places {
            let name = place.world.name.as_str();
            for kind in KINDS {
                let rows = self.of(rows, name, kind);
                let of = |f: fn(&Row) -> u64| number(mean(rows.clone().map(|row| f(row) as f64)), 0);
                table.row(vec![
                    name.to_owned(),
                    kind.name().to_owned(),
                    of(|row| row.changes),
                    of(|row| row.steps),
                    of(|row| row.steps_anew),
                    of(|row| row.mended),
                    of(|row| row.anew),
                    number(times(rows.clone()), 1),
                ]);
            }
        }
        table
    }

    fn plot(&self, rows: &[Row]) -> Plot {
        let series = |kind: Kind| {
            let points = rows.iter().filter(|row| row.kind == kind && row.mended > 0);
            let mut points: Vec<_> =
                points.map(|row| (row.changes as f64, row.anew as f64 / row.mended as f64)).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { name: kind.name().to_owned(), points }
        };
        Plot::Lines(Lines {
            file: "times".to_owned(),
            title: "Expansions of searching anew over those of mending, by how much has changed".to_owned(),
            x: "cells that closed, opened or were learned".to_owned(),
            log: false,
            y: "times".to_owned(),
            series: KINDS.map(series).into(),
        })
    }
}

/// Every so many ticks an open cell closes that is nobody's start or goal, and opens again later.
fn comings_and_goings(scenario: &Scenario, every: u64, ticks: u64, seed: u64) -> Vec<TerrainEvent> {
    let grid = scenario.grid();
    let mut dice = stream(seed, AgentId(2), 0);
    let kept: BTreeSet<Cell> =
        scenario.agents().iter().flat_map(|agent| [agent.start, agent.waypoints().last()]).collect();
    let open: Vec<Cell> =
        grid.open_ids().map(|id| grid.cell(id)).filter(|cell| !kept.contains(cell)).collect();
    let mut events = Vec::new();
    for at in (1..ticks / every).map(|k| k * every) {
        let cell = open[dice.below(open.len() as u32) as usize];
        events.push(TerrainEvent { at, close: vec![cell], open: vec![] });
        events.push(TerrainEvent { at: at + SHUT * every, close: vec![], open: vec![cell] });
    }
    events
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let of = |kind: Kind| rows.iter().filter(move |row| row.kind == kind);
    let ten = |kind: Kind, text: &str| {
        let measure = "expansions of A* begun anew over those of D* Lite, in total; at least 10";
        Claim::new(text, "our own goal", measure, times(of(kind)), |times| times >= 10.0)
    };
    let both = rows.iter().filter(|row| matches!(row.kind, Kind::Way | Kind::Random));
    let share = |count: usize| (!rows.is_empty()).then(|| count as f64 / rows.len() as f64);
    let longer = ratio(
        mean(of(Kind::Unseen).map(|row| row.steps as f64)),
        mean(of(Kind::Unseen).map(|row| row.steps_anew as f64)),
    );
    let worlds: BTreeSet<&str> = of(Kind::Unseen).map(|row| row.world.as_str()).collect();
    let in_world = |world: &str| times(of(Kind::Unseen).filter(move |row| row.world == world));
    let least = worlds.into_iter().filter_map(in_world).min_by(f64::total_cmp);
    vec![
        ten(Kind::Way, "Where cells of its own way change, mending takes a tenth of the expansions"),
        ten(Kind::Random, "Where any cells change, mending takes a tenth of the expansions"),
        Claim::new(
            "Over both kinds of changes, mending takes a tenth of the expansions",
            "our own goal",
            "expansions of A* begun anew over those of D* Lite, in total; at least 10",
            times(both),
            |times| times >= 10.0,
        ),
        Claim::new(
            "A crowd in a world that changes takes at most twice the expansions that it takes where nothing changes",
            "our own goal: distances are mended",
            "expansions of collective with changes over those without, in total; at most 2",
            times(of(Kind::Crowd)).map(|times| 1.0 / times),
            |times| times <= 2.0,
        ),
        ten(Kind::Unseen, "Where walls are seen for the first time, mending takes a tenth of the expansions"),
        // One world of many walls in its way decides the total.
        Claim::new(
            "Where walls are seen for the first time, mending takes no more expansions in any world",
            "our own goal",
            "expansions of lra over those of dlite, in the world where that is least; at least 1",
            least,
            |times| times >= 1.0,
        ),
        Claim::new(
            "Nothing is lost: after every change both ways are equally short",
            "D* is optimal and complete",
            "ways of different lengths; none",
            Some(rows.iter().map(|row| row.differ).sum::<u64>() as f64).filter(|_| !rows.is_empty()),
            |differ| differ == 0.0,
        ),
        Claim::new(
            "Everybody arrives",
            "D* is optimal and complete",
            "share of runs; 1",
            share(rows.iter().filter(|row| row.arrived).count()),
            |share| share == 1.0,
        ),
        Claim::new(
            "In a world that has to be seen, who mends its way walks no farther",
            "our own goal",
            "steps of dlite over those of lra; at most 1.05",
            longer,
            |longer| longer <= 1.05,
        ),
    ]
}
