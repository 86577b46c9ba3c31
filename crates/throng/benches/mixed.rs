//! Thousands of units of mixed size and speed on one map: how long a tick takes at which budget, how many arrive, and
//! what memory a unit costs.
//!
//! Every budget runs in a process of its own.

use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::Instant;
use throng::core::{
    Agent, AgentId, Budget, Cell, Connectivity, Draw, Expansions, Grid, Observer, Random, Rules, Scenario,
    SearchKind, Setup, Task, Tick, Timing, Unlimited, stream,
};
use throng::worlds::generate::RandomMap;
use throng::{Options, Session};
use throng_testkit::{CountingAllocator, held_bytes};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const UNITS: usize = 5_000;
const SIDE: i32 = 512;
/// Side of an obstacle and of the gaps between them.
const BLOCK: i32 = 8;
/// Goals are at most so far away in x and in y.
const NEAR: i32 = 48;
const TICKS: Tick = 1_000;
/// A frame at sixty a second.
const FRAME_MS: f64 = 16.0;
/// What a unit may cost beyond the distance fields that units share.
const UNIT_KIB: f64 = 4.0;
const MIB: f64 = (1 << 20) as f64;
const PLANNERS: [&str; 2] = ["window=8", "window=auto"];
const BUDGETS: [Option<u64>; 7] =
    [None, Some(20_000), Some(10_000), Some(8_000), Some(6_000), Some(4_000), Some(2_000)];

/// The argument by which this program asks itself for one run.
const ONE: &str = "--one";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == ONE) {
        let [planner, units, budget] = &arguments[at + 1..at + 4] else { return Err("which run?".into()) };
        let budget: u64 = budget.parse()?;
        println!("{}", run(planner, units.parse()?, (budget > 0).then_some(budget)));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{UNITS} units of 1×1 to 4×4 cells and 1 to 8 ticks a step, {SIDE}×{SIDE} cells, {TICKS} ticks");
    let mut kept = false;
    for planner in PLANNERS {
        let whca = |memory: u32| format!("whca({planner},memory={memory})");
        // With hardly any memory for distance fields, what is held is the map, the table and the units.
        let held = |units| one(&whca(1), units, Some(4_000)).map(|run| run[5] - run[6]);
        let (half, all) = (held(UNITS / 2)?, held(UNITS)?);
        let unit = (all - half) / (UNITS / 2) as f64;
        let rest = (all - unit * UNITS as f64) / MIB;
        let unit = unit / 1024.0;
        println!("{}: map and table {rest:.1} MiB, {unit:.2} KiB a unit", whca(1024));
        println!("    budget  mean ms   p99 ms   max ms  most work  arrived  fields MiB");
        for budget in BUDGETS {
            let run = one(&whca(1024), UNITS, budget)?;
            let [mean, p99, max, work, arrived, _, fields] = run[..] else { return Err("too little".into()) };
            let name = budget.map_or("none".to_owned(), |b| b.to_string());
            let share = 100.0 * arrived / UNITS as f64;
            let fields = fields / MIB;
            println!("{name:>10} {mean:8.2} {p99:8.2} {max:8.2} {work:10} {share:7.1}% {fields:11.1}");
            kept |= p99 < FRAME_MS && unit < UNIT_KIB && share > 95.0;
        }
    }
    let verdict = if kept { "reached" } else { "NOT reached" };
    println!("99 of 100 ticks under {FRAME_MS} ms, units under {UNIT_KIB} KiB, 95 of 100 arrive: {verdict}");
    Ok(if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One run in a process of its own.
fn one(planner: &str, units: usize, budget: Option<u64>) -> Result<Vec<f64>, Box<dyn Error>> {
    let budget = budget.unwrap_or(0).to_string();
    let child =
        Command::new(std::env::current_exe()?).args([ONE, planner, &units.to_string(), &budget]).output()?;
    if !child.status.success() {
        return Err(String::from_utf8_lossy(&child.stderr).into());
    }
    let line = String::from_utf8(child.stdout)?;
    Ok(line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>()?)
}

/// What is seen of a run.
#[derive(Default)]
struct Seen {
    work: u64,
    most: u64,
    /// Only asked for in the end: telling it takes time.
    last: bool,
    fields: usize,
}

impl Observer for Seen {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.work += count;
    }
    fn wants_memory(&self) -> bool {
        self.last
    }
    fn memory(&mut self, _open: u64, _closed: u64, bytes: usize) {
        self.fields = bytes;
    }
}

fn run(planner: &str, units: usize, budget: Option<u64>) -> String {
    let mut session = Session::new(Setup::new(world(units)), &Options::planner(planner)).expect("a planner");
    let budget: Box<dyn Budget> = budget.map_or(Box::new(Unlimited), |b| Box::new(Expansions(b)));
    let (mut seen, mut nanos) = (Seen::default(), Vec::new());
    for _ in 0..TICKS {
        let begin = Instant::now();
        session.tick(budget.as_ref(), &mut seen);
        nanos.push(begin.elapsed().as_nanos() as f64);
        seen.most = seen.most.max(std::mem::take(&mut seen.work));
    }
    seen.last = true;
    session.tick(budget.as_ref(), &mut seen);
    nanos.sort_by(f64::total_cmp);
    let mean = nanos.iter().sum::<f64>() / nanos.len() as f64;
    let (p99, max) = (nanos[nanos.len() * 99 / 100], nanos[nanos.len() - 1]);
    let arrived = session.arrived();
    let times = [mean, p99, max].map(|ns| ns / 1e6);
    let [mean, p99, max] = times;
    format!("{mean} {p99} {max} {} {arrived} {} {}", seen.most, held_bytes(), seen.fields)
}

/// A map of blocks, and units of all sizes and speeds that go to a place not far away.
fn world(count: usize) -> Scenario {
    let coarse =
        RandomMap { width: 64, height: 64, percent: 10, connected: true }.generate(1).expect("a map");
    let letters: Vec<u8> = (0..SIDE * SIDE)
        .map(|k| Cell::new(k % SIDE / BLOCK, k / SIDE / BLOCK))
        .map(|cell| if coarse.is_open(cell) { b'.' } else { b'@' })
        .collect();
    let grid = Grid::new(SIDE as usize, SIDE as usize, &letters, Default::default()).expect("a map");
    let rules = Rules { connectivity: Connectivity::Eight, timing: Timing::Metric, ..Rules::default() };
    let (mut starts, mut goals) = (Taken::default(), Taken::default());
    let mut agents = Vec::new();
    // The same ones first, however many there are.
    while agents.len() < count {
        let id = agents.len() as u32;
        let random = &mut stream(7, AgentId(id), 0);
        let body = [1, 1, 1, 1, 1, 2, 2, 3, 3, 4][random.below(10) as usize];
        let start = starts.place(&grid, body, random, |r| r.below(SIDE as u32) as i32);
        let near = |from: i32| {
            move |r: &mut Random| (from - NEAR + r.below(2 * NEAR as u32) as i32).clamp(0, SIDE - 1)
        };
        let goal = goals.place_at(&grid, body, random, near(start.x), near(start.y));
        let period = 1 + random.below(8) as u8;
        agents.push(Agent { body, period, ..Agent::new(id, start, Task::Goal(goal)) });
    }
    Scenario::new("mixed", grid, rules, agents).expect("a valid world")
}

/// Cells that bodies have been put on.
#[derive(Default)]
struct Taken(std::collections::HashSet<Cell>);

impl Taken {
    fn place(
        &mut self,
        grid: &Grid,
        body: u8,
        random: &mut Random,
        any: impl Fn(&mut Random) -> i32,
    ) -> Cell {
        self.place_at(grid, body, random, &any, &any)
    }

    /// A place that nobody has, drawn until there is one.
    fn place_at(
        &mut self,
        grid: &Grid,
        body: u8,
        random: &mut Random,
        x: impl Fn(&mut Random) -> i32,
        y: impl Fn(&mut Random) -> i32,
    ) -> Cell {
        loop {
            let at = Cell::new(x(random), y(random));
            let side = i32::from(body);
            let cells: Vec<_> =
                (0..side * side).map(|k| Cell::new(at.x + k % side, at.y + k / side)).collect();
            if grid.fits(at, body) && !cells.iter().any(|cell| self.0.contains(cell)) {
                self.0.extend(cells);
                return at;
            }
        }
    }
}
