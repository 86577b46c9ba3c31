//! How the cost of a tick grows with the number of units. It must grow linearly: an exponent of at most 1.1.
//!
//! Every size runs in a process of its own, several times. All of these runs do the same work, so the shortest
//! time of each tick is the one that other programs have disturbed least.

mod kit;

use kit::WARM;
use std::error::Error;
use std::process::{Command, ExitCode};
use std::time::Instant;
use throng::core::{AgentId, Observer, SearchKind, Tick, Unlimited};
use throng_testkit::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const PLANNER: &str = "whca(window=16,memory=1024)";
const SIZES: [usize; 5] = [100, 300, 1_000, 3_000, 10_000];
/// Ticks measured after the warm-up: sixteen times everybody's turn to plan.
const TICKS: usize = 128;
const REPEATS: usize = 5;
/// The largest exponent that counts as linear.
const LINEAR: f64 = 1.1;

/// The argument by which this program asks itself for one run.
const ONE: &str = "--units";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == ONE) {
        let units = arguments.get(at + 1).ok_or("how many units?")?;
        println!("{}", Run::new(units.parse()?));
        return Ok(ExitCode::SUCCESS);
    }
    println!("{PLANNER}, {TICKS} ticks after {WARM}, the least of {REPEATS} runs");
    println!(
        "  units   µs/tick  expanded/tick  of it backwards  searches/tick  µs/search  allocations  peak MiB  warm-up expanded"
    );
    let mut costs = Vec::new();
    for units in SIZES {
        let run = best(units)?;
        let (time, searches) = (run.mean_us(), run.per_tick(run.searches));
        let expanded = run.per_tick(run.main + run.backwards);
        println!(
            "{units:7} {time:9.1} {expanded:14.1} {:16.1} {searches:14.1} {:10.3} {:12} {:9} {:17}",
            run.per_tick(run.backwards),
            time / searches,
            run.allocations,
            run.peak_kib >> 10,
            run.warming,
        );
        costs.push((units as f64, time, expanded));
    }
    let time = exponent(costs.iter().map(|&(units, time, _)| (units, time)));
    let expanded = exponent(costs.iter().map(|&(units, _, expanded)| (units, expanded)));
    println!("exponent of expansions: {expanded:.3} ({})", verdict(expanded));
    println!("exponent of time:       {time:.3} ({})", verdict(time));
    Ok(if expanded.max(time) <= LINEAR { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn verdict(exponent: f64) -> String {
    format!("{}: at most {LINEAR} is linear", if exponent <= LINEAR { "holds" } else { "FAILS" })
}

/// The slope of the line through the logarithms, by least squares.
fn exponent(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let logs: Vec<_> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / count, b + y / count));
    let rise: f64 = logs.iter().map(|(a, b)| (a - x) * (b - y)).sum();
    rise / logs.iter().map(|(a, _)| (a - x).powi(2)).sum::<f64>()
}

/// Several runs of one size: the shortest time of each tick.
fn best(units: usize) -> Result<Run, Box<dyn Error>> {
    let mut best: Option<Run> = None;
    for _ in 0..REPEATS {
        let child = Command::new(std::env::current_exe()?).args([ONE, &units.to_string()]).output()?;
        if !child.status.success() {
            return Err(String::from_utf8_lossy(&child.stderr).into());
        }
        let run = Run::read(&String::from_utf8(child.stdout)?)?;
        match &mut best {
            None => best = Some(run),
            Some(best) if run.work() != best.work() => return Err("two runs differ in their work".into()),
            Some(best) => {
                best.nanos.iter_mut().zip(run.nanos).for_each(|(least, more)| *least = more.min(*least));
            }
        }
    }
    best.ok_or_else(|| "no runs".into())
}

/// What one run has cost.
#[derive(Default)]
struct Run {
    /// Expansions of the warm-up.
    warming: u64,
    /// Expansions, searches and allocations of the ticks measured.
    main: u64,
    backwards: u64,
    searches: u64,
    allocations: u64,
    /// The most memory that the process has held.
    peak_kib: u64,
    /// By tick.
    nanos: Vec<u64>,
}

impl Observer for Run {
    fn expanded(&mut self, _agent: AgentId, kind: SearchKind, count: u64) {
        match kind {
            SearchKind::Main => self.main += count,
            SearchKind::Backwards => self.backwards += count,
        }
    }
    fn replanned(&mut self, _agent: AgentId, _tick: Tick) {
        self.searches += 1;
    }
}

impl Run {
    fn new(units: usize) -> Self {
        let mut warm_up = Self::default();
        let mut session = kit::warm(units, PLANNER, &mut warm_up);
        let mut run = Self { nanos: Vec::with_capacity(TICKS), ..Self::default() };
        let before = allocations();
        for _ in 0..TICKS {
            let begin = Instant::now();
            session.tick(&Unlimited, &mut run);
            run.nanos.push(begin.elapsed().as_nanos() as u64);
        }
        run.allocations = allocations() - before;
        run.warming = warm_up.main + warm_up.backwards;
        run.peak_kib = peak_kib();
        run
    }

    /// Everything that must not differ between runs.
    const fn work(&self) -> [u64; 5] {
        [self.warming, self.main, self.backwards, self.searches, self.allocations]
    }

    fn per_tick(&self, count: u64) -> f64 {
        count as f64 / self.nanos.len() as f64
    }

    fn mean_us(&self) -> f64 {
        self.per_tick(self.nanos.iter().sum()) / 1000.0
    }

    /// What [`Self::fmt`] has written.
    fn read(line: &str) -> Result<Self, Box<dyn Error>> {
        let numbers = line.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
        let [warming, main, backwards, searches, allocations, peak_kib, ref nanos @ ..] = numbers[..] else {
            return Err("a run that says too little".into());
        };
        Ok(Self { warming, main, backwards, searches, allocations, peak_kib, nanos: nanos.to_vec() })
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let head = self.work().into_iter().chain([self.peak_kib]);
        head.chain(self.nanos.iter().copied()).try_for_each(|number| write!(f, "{number} "))
    }
}

/// The most memory that this process has held so far; 0 where the system does not say.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
