//! Exploring: what a tick takes with 64 units on 512×512 cells, vision, fields and decisions together. A frame of a game has
//! sixteen milliseconds: 99 of 100 ticks may not take more. The first one, which sees everything for the first time, is told apart.
//! A word behind `--` picks the rows that have it in their map or method; `heat` is the first table alone.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;
use throng::core::{
    Agent, AgentId, Connectivity, Grid, Rules, Scenario, Setup, Sight, Task, Unlimited, Unobserved,
};
use throng::search::landscape::Heat;
use throng::worlds::generate::{CaveMap, EmptyMap, RoomMap, TunnelMap};
use throng::{Options, Session};

const SIDE: u32 = 512;
const UNITS: usize = 64;
const TICKS: u64 = 3000;
const FRAME: u128 = 16_000;

const METHODS: [&str; 5] = [
    "explore",
    "explore(potential=1)",
    "explore(repulsion=1,radius=19)",
    "explore(potential=1,repulsion=1,radius=19)",
    "explore(assign=on,glance=5,gain=0.1)",
];

/// Side of the map whose heat is taken, and how often: the least time counts, since others may use the machine.
const LARGE: u32 = 1024;
const TIMES: usize = 20;

/// What it takes to tell how far every cell of a large map is from one.
fn heat() -> Result<(), Box<dyn Error>> {
    let (width, height) = (LARGE, LARGE);
    let maps = [
        ("blank", EmptyMap { width, height }.generate(0)?),
        ("tunnels", TunnelMap { width, height, ..TunnelMap::default() }.generate(1)?),
        ("cave", CaveMap { width, height, percent: 42, rounds: 4 }.generate(1)?),
    ];
    println!("heat map of {LARGE}×{LARGE}; µs, least and mean of {TIMES}");
    for (name, grid) in maps {
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let target = grid.open_ids().next().ok_or("no open cell")?;
            let mut heat = Heat::new(&grid, connectivity);
            let mut times = Vec::new();
            for _ in 0..TIMES {
                let begin = Instant::now();
                heat.build(&grid, [target]);
                times.push(begin.elapsed().as_micros());
            }
            let (least, mean) =
                (times.iter().min().copied().unwrap_or(0), times.iter().sum::<u128>() / TIMES as u128);
            println!("{name:8} {connectivity:?}: {least:8} {mean:8}");
        }
    }
    Ok(())
}

fn maps() -> Result<Vec<(&'static str, Grid)>, Box<dyn Error>> {
    let (width, height) = (SIDE, SIDE);
    let tunnels = TunnelMap { width, height, wall: 2, tunnel: 2, ..TunnelMap::default() };
    Ok(vec![
        ("blank", EmptyMap { width, height }.generate(0)?),
        ("tunnels", tunnels.generate(1)?),
        ("rooms", RoomMap { width, height, room: 16, doors: 2 }.generate(1)?),
        ("cave", CaveMap { width, height, percent: 42, rounds: 4 }.generate(1)?),
    ])
}

/// Units all over the map, with eyes of 11 cells ahead and 5 around.
fn expedition(grid: &Grid) -> Result<Scenario, Box<dyn Error>> {
    let regions = throng::core::Regions::of(grid, 1);
    let open: Vec<_> = grid.open_ids().collect();
    let middle = open[open.len() / 2];
    let joined: Vec<_> = open.into_iter().filter(|&id| regions.joined(middle, id)).collect();
    let starts = (0..UNITS).map(|k| grid.cell(joined[k * joined.len() / UNITS]));
    let agents = starts.zip(0..).map(|(start, id)| Agent::new(id, start, Task::Explore)).collect();
    let rules = Rules { connectivity: Connectivity::Eight, ..Rules::default() };
    let sight = Sight { angle: 72, inner: Some(5), ..Sight::new(11) };
    Ok(Scenario::new("expedition", grid.clone(), rules, agents)?.with_sight(sight)?)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let word = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    let picked = |name: &str| word.as_ref().is_none_or(|word| name.contains(word.as_str()));
    if picked("heat") {
        heat()?;
    }
    println!("{UNITS} units on {SIDE}×{SIDE}, at most {TICKS} ticks; µs of a tick");
    println!(
        "{:8} {:44} {:>6} {:>6} {:>8} {:>8} {:>8} {:>8}",
        "map", "method", "ticks", "seen", "first", "mean", "p99", "max"
    );
    let mut slow = false;
    for (name, grid) in maps()? {
        for method in METHODS.into_iter().filter(|method| picked(&format!("{name} {method}"))) {
            let mut session = Session::new(Setup::new(expedition(&grid)?), &Options::planner(method))?;
            let mut times = Vec::new();
            while !session.is_done() && session.state().tick < TICKS {
                let begin = Instant::now();
                session.tick(&Unlimited, &mut Unobserved);
                times.push(begin.elapsed().as_micros());
            }
            let first = times.first().copied().unwrap_or(0);
            times.sort_unstable();
            let count = times.len().max(1);
            let (mean, max) =
                (times.iter().sum::<u128>() / count as u128, times.last().copied().unwrap_or(0));
            let p99 = times.get(count * 99 / 100).copied().unwrap_or(max);
            let seen = session
                .exploration(AgentId(0))
                .map_or(0, |explored| 100 * explored.seen / (explored.seen + explored.unseen));
            println!("{name:8} {method:44} {count:6} {seen:>4} % {first:8} {mean:8} {p99:8} {max:8}");
            slow |= p99 > FRAME;
        }
    }
    Ok(if slow { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
