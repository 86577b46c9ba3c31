//! `guidance`: errands done in traffic that never ends, by what planners are guided by, in several worlds at several densities.

use crate::settings::{Named, Settings, Which};
use crate::stats::{mean, ratio};
use crate::table::number;
use crate::{
    Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch, trial,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng::core::{Brings, Event, Observer, Places, Scenario, Stream, Supply, Task, Tick, Unlimited};
use throng::worlds::{UnitOptions, builtin, units};

/// The experiment.
#[derive(Debug)]
pub(crate) struct Guidance(Settings<Own>);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Own {
    ticks: Tick,
    /// From when on errands count.
    from: Tick,
    /// What all others are held against.
    plain: String,
    /// Where a combination should do so many times what that does, with some number of units.
    promise: Promise,
    planners: Vec<Named>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Promise {
    worlds: Vec<String>,
    times: f64,
}

/// What became of one world's traffic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    world: String,
    planner: String,
    seed: u64,
    units: usize,
    /// Errands done from the tick on that counts.
    done: u64,
    failed_moves: u64,
    collisions: u64,
    expanded: u64,
    ticks: Tick,
}

/// Counts errands from a tick on.
struct Done(Tick, u64);

impl Observer for Done {
    fn event(&mut self, tick: Tick, event: &Event) {
        self.1 += u64::from(matches!(event, Event::Done { .. }) && tick >= self.0);
    }
}

impl Experiment for Guidance {
    const NAME: &'static str = "guidance";
    const SOURCE: &'static str = "Throng itself: crates/planners/src/pibt/guidance.rs";
    const ABOUT: &'static str =
        "errands done by direction maps, flow and lanes, in four worlds at several densities";

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let text = include_str!("../../../experiments/guidance.toml");
        Settings::open(Self::NAME, text, request, watch).map(Self)
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        self.0.own.planners.iter().map(|named| named.spec.clone()).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        self.0.cases(|own| own.planners.iter().map(|named| named.name.as_str()).collect())
    }

    fn run(&self, &Which { spot, planner }: &Which) -> Result<Row, LabError> {
        let (own, place) = (&self.0.own, &self.0.places[spot.place]);
        let Named { name, spec } = &own.planners[planner];
        let world = &place.world.name;
        let scenario = busy(world, &place.scenario(spot.units, spot.seed)?, spot.units, spot.seed)?;
        let mut done = Done(own.from, 0);
        let counts = trial::run(&scenario, spec, spot.seed, own.ticks, &Unlimited, &mut done)?;
        Ok(Row {
            world: world.clone(),
            planner: name.clone(),
            seed: spot.seed,
            units: spot.units,
            done: done.1,
            failed_moves: counts.failed_moves,
            collisions: counts.collisions,
            expanded: counts.main + counts.backwards,
            ticks: counts.ticks,
        })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let sums = Sums { own: &self.0.own, units: &self.0.scale.units, rows };
        let worlds = || self.0.places.iter().map(|place| place.world.name.as_str());
        Conclusion {
            tables: worlds().map(|world| sums.table(world)).collect(),
            plots: worlds().enumerate().map(|(place, world)| sums.plot(place, world)).collect(),
            claims: sums.claims(),
        }
    }
}

/// So many units on the same map that never run out of errands: those of the built-in world of that name, or from anywhere to anywhere.
fn busy(world: &str, scenario: &Scenario, count: usize, seed: u64) -> Result<Scenario, LabError> {
    let anywhere = || Brings::Drawn(vec![Places::Anywhere, Places::Anywhere]);
    let brings = builtin(world, seed).ok().and_then(|setup| Some(setup.scenario.stream()?.brings.clone()));
    let (grid, rules) = (scenario.grid().clone(), scenario.rules());
    let mut agents = units(&grid, rules, count, seed, &UnitOptions::default())
        .map_err(|why| LabError::Units { world: world.to_owned(), why })?;
    agents.iter_mut().for_each(|agent| agent.task = Task::Errands(Vec::new()));
    let supply = Supply::Open(count as u32 * 3 / 2);
    let stream = Stream { supply, brings: brings.unwrap_or_else(anywhere), count: None, seed: None };
    Ok(Scenario::new(world, grid, rules, agents)?.with_stream(Some(stream))?)
}

/// Rows, asked by world, planner and number of units.
struct Sums<'a> {
    own: &'a Own,
    units: &'a [usize],
    rows: &'a [Row],
}

impl Sums<'_> {
    /// Errands done in a tick.
    fn throughput(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        let these = |row: &&Row| row.world == world && row.planner == planner && row.units == units;
        let each = |row: &Row| row.done as f64 / row.ticks.saturating_sub(self.own.from).max(1) as f64;
        mean(self.rows.iter().filter(these).map(each))
    }

    fn over_plain(&self, world: &str, planner: &str, units: usize) -> Option<f64> {
        ratio(self.throughput(world, planner, units), self.throughput(world, &self.own.plain, units))
    }

    fn table(&self, world: &str) -> Table {
        let title = format!("{world}: errands done in a tick from tick {} on, by units", self.own.from);
        let units: Vec<String> = self.units.iter().map(ToString::to_string).collect();
        let columns = std::iter::once("planner").chain(units.iter().map(String::as_str));
        let mut table = Table::new(title, columns);
        for Named { name, .. } in &self.own.planners {
            let cells = self.units.iter().map(|&units| number(self.throughput(world, name, units), 2));
            table.row(std::iter::once(name.clone()).chain(cells).collect());
        }
        table
    }

    fn plot(&self, place: usize, world: &str) -> Plot {
        let series = |Named { name, .. }: &Named| {
            let point = |&units: &usize| Some((units as f64, self.throughput(world, name, units)?));
            Series { name: name.clone(), points: self.units.iter().filter_map(point).collect() }
        };
        Plot::Lines(Lines {
            file: format!("throughput-{}", place + 1),
            title: format!("{world}: errands done in a tick"),
            x: "units".to_owned(),
            log: false,
            y: "errands in a tick".to_owned(),
            series: self.own.planners.iter().map(series).collect(),
        })
    }

    /// The best combination in a world: how many times what the plain planner does, with the same number of units.
    fn best(&self, world: &str) -> Option<f64> {
        let others = self.own.planners.iter().filter(|named| named.name != self.own.plain);
        let each = others.flat_map(|named| self.units.iter().map(move |&units| (named, units)));
        each.filter_map(|(named, units)| self.over_plain(world, &named.name, units)).reduce(f64::max)
    }

    fn claims(&self) -> Vec<Claim> {
        let Own { plain, promise: Promise { worlds, times }, .. } = self.own;
        let most = |count: fn(&Row) -> u64| self.rows.iter().map(count).max().map(|most| most as f64);
        let best = |world: &String| {
            Claim::new(
                format!("Guidance does at least {times} times what {plain} does"),
                "an expectation of ours",
                format!("{world}: the best combination over {plain} with as many units; at least {times}"),
                self.best(world),
                |found| found >= *times,
            )
        };
        let mut claims: Vec<Claim> = worlds.iter().map(best).collect();
        claims.push(Claim::new(
            "Nobody ever collides",
            "no two units collide",
            "most collisions in any run, as the judge counts them; 0",
            most(|row| row.collisions),
            |most| most == 0.0,
        ));
        claims
    }
}
