//! A tiny experiment, a folder to run it in, and a watcher that may kill it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use throng::core::{Rules, Scenario, Unlimited};
use throng::sim::Metrics;
use throng::worlds::{UnitOptions, generate::RandomMap, units};
use throng::{Options, Session, Setup};
use throng_lab::{
    Case, Claim, Conclusion, Experiment, LabError, Lines, Plot, Request, Series, Table, Watch, conduct,
};

/// Three planners on four small maps.
pub(crate) struct Tiny {
    quick: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    planner: String,
    seed: u64,
    arrived: usize,
    expanded: u64,
}

const PLANNERS: [&str; 3] = ["lra", "hca", "whca(window=8)"];

impl Experiment for Tiny {
    const NAME: &'static str = "tiny";
    const SOURCE: &'static str = "nobody";
    const ABOUT: &'static str = "small maps";

    type Case = (&'static str, u64);
    type Row = Row;

    fn open(request: &Request, _watch: &dyn Watch) -> Result<Self, LabError> {
        Ok(Self { quick: request.quick })
    }

    fn settings(&self) -> Value {
        json!({ "quick": self.quick })
    }

    fn planners(&self) -> Vec<String> {
        PLANNERS.map(str::to_owned).to_vec()
    }

    fn cases(&self) -> Vec<Case<Self::Case>> {
        let seeds = if self.quick { 1 } else { 4 };
        let case = |seed, planner| Case { key: format!("{planner}, seed {seed}"), what: (planner, seed) };
        (0..seeds).flat_map(|seed| PLANNERS.map(|planner| case(seed, planner))).collect()
    }

    fn run(&self, &(planner, seed): &Self::Case) -> Result<Row, LabError> {
        let grid = RandomMap { width: 12, height: 12, percent: 10, connected: true }.generate(seed)?;
        let agents = units(&grid, Rules::default(), 8, seed, &UnitOptions::default()).expect("there is room");
        let scenario = Scenario::new("tiny", grid, Rules::default(), agents)?;
        let mut session = Session::new(Setup::new(scenario), &Options::planner(planner))?;
        let mut metrics = Metrics::new(session.scenario(), session.state());
        while !session.is_done() && session.state().tick < 100 {
            session.tick(&Unlimited, &mut metrics);
        }
        let (arrived, expanded) = (session.arrived(), metrics.expanded());
        Ok(Row { planner: planner.to_owned(), seed, arrived, expanded })
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        let mut table = Table::new("Arrivals", ["planner", "seed", "arrived"]);
        for row in rows {
            table.row(vec![row.planner.clone(), row.seed.to_string(), row.arrived.to_string()]);
        }
        let points = rows.iter().map(|row| (row.seed as f64, row.expanded as f64)).collect();
        let series = vec![Series { name: "all".to_owned(), points }];
        let plot = Lines {
            file: "work".into(),
            title: "Work".into(),
            x: "seed".into(),
            log: false,
            y: "expansions".into(),
            series,
        };
        let most = rows.iter().map(|row| row.arrived as f64).reduce(f64::max);
        let claim =
            Claim::new("Somebody arrives", "of course", "most arrivals; above 0", most, |most| most > 0.0);
        Conclusion { tables: vec![table], plots: vec![Plot::Lines(plot)], claims: vec![claim] }
    }
}

/// A folder of its own for each test, removed in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("throng-lab-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join("tiny").join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    /// What to run here.
    pub(crate) fn request(&self) -> Request {
        Request { quick: false, originals: None, data: None, shard: None, out: self.0.clone() }
    }

    /// Runs all of it; the rows without their times, and what was told.
    pub(crate) fn run(&self) -> (Vec<Value>, Heard) {
        self.run_with(&self.request())
    }

    pub(crate) fn run_with(&self, request: &Request) -> (Vec<Value>, Heard) {
        let heard = Heard::default();
        let outcome = conduct::<Tiny>(request, &heard).unwrap();
        (timeless(outcome.rows()), heard)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Rows without the time that they took.
pub(crate) fn timeless(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        assert!(row.as_object_mut().unwrap().remove("ms").is_some_and(|ms| ms.is_number()));
    }
    rows
}

/// Remembers what it is told.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) begun: Mutex<(usize, usize)>,
    pub(crate) finished: Mutex<Vec<String>>,
    pub(crate) notes: Mutex<Vec<String>>,
}

impl Watch for Heard {
    fn begin(&self, cases: usize, done: usize) {
        *self.begun.lock().unwrap() = (cases, done);
    }

    fn finished(&self, key: &str) {
        self.finished.lock().unwrap().push(key.to_owned());
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap().push(text.to_owned());
    }
}

impl Heard {
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        let (cases, done) = *self.begun.lock().unwrap();
        (cases, done, self.finished.lock().unwrap().len())
    }
}
