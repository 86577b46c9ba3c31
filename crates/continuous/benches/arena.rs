//! Discs that cross one arena: what a step costs from the first to the last, how that grows with their number, and how ORCA does.
//!
//! `cargo bench -p throng-continuous --bench arena` has every disc go from anywhere to anywhere else and takes the time of all steps until
//! everybody is there. What else it does:
//!
//! - `-- opposite 10000 400 1000`: so many discs go to the places opposite, all through the middle, for so many seconds at most, in a square of
//!   so many metres;
//! - `-- peers`: against ORCA, to the end of the way (`-- peers 10000 1400`: one size, for so many seconds at most);
//! - `-- alone 10000`: one size for whoever counts instructions (`attentive` after it: nobody drifts);
//! - `-- unpruned`: everybody looks through all others, at sizes where that ends.

mod kit;
mod orca;

use kit::{Arena, DISC, Outcome, SPEED, STEP, Times, exponent, overlaps};
use std::process::ExitCode;
use throng_continuous::World;
use throng_core::{Unlimited, Unobserved};

const SIZES: [usize; 4] = [1_000, 2_000, 5_000, 10_000];
/// Steps before measuring, and steps measured, where it is not the whole way.
const WARM: usize = 100;
const STEPS: usize = 300;
/// The least of so many runs counts, step by step: they do the same work.
const REPEATS: usize = 3;
/// A kilometre.
const SIDE: f64 = 1_000.0;
/// What is asked for: milliseconds of 99 steps in 100 with 10,000 discs, and the largest exponent.
const MOST_MS: f64 = 16.0;
const LINEAR: f64 = 1.15;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |word: &str| {
        let place = arguments.iter().position(|argument| argument == word)?;
        Some(arguments[place + 1..].iter().filter_map(|number| number.parse().ok()).collect::<Vec<f64>>())
    };
    let size = |numbers: &[f64]| numbers.first().map_or(10_000, |&n| n as usize);
    let until = |numbers: &[f64], side: f64| numbers.get(1).map_or(2.0 * side * 2f64.sqrt() / SPEED, |&s| s);
    if let Some(numbers) = after("opposite") {
        let (n, side) = (size(&numbers), numbers.get(2).copied().unwrap_or(SIDE));
        header();
        row(n, side, 2, &ours(Arena::opposite(n, side, 1).world().on_threads(2), until(&numbers, side)));
    } else if let Some(numbers) = after("peers") {
        if numbers.is_empty() {
            let small = SIDE / 10f64.sqrt();
            peers(&Arena::anywhere(1_000, small, 1), until(&[], small));
            peers(&Arena::opposite(1_000, small, 1), until(&[], small));
            peers(&Arena::opposite(1_000, 100.0, 1), until(&[], 100.0));
        }
        let n = size(&numbers);
        peers(&Arena::anywhere(n, SIDE, 1), until(&numbers, SIDE));
    } else if let Some(numbers) = after("alone") {
        alone(size(&numbers), arguments.iter().any(|argument| argument == "attentive"));
    } else if after("unpruned").is_some() {
        unpruned();
    } else {
        return costs();
    }
    ExitCode::SUCCESS
}

fn header() {
    println!("discs of {DISC} m at {SPEED} m/s, steps of {STEP} s; ms of a step");
    println!("  discs   side m  threads    mean     99 %   worst  looked at  outcome");
}

fn row(n: usize, side: f64, threads: usize, outcome: &Outcome) {
    let Times { mean, most, worst } = outcome.times();
    let looked = outcome.looked;
    println!("{n:7} {side:8.0} {threads:8} {mean:7.3} {most:8.3} {worst:7.3} {looked:10.2}  {outcome}");
}

/// From anywhere to anywhere, all the way.
fn costs() -> ExitCode {
    let mut good = true;
    header();
    for (what, side) in [("1 km²", grown(false)), ("as dense", grown(true))] {
        let mut costs = Vec::new();
        for (n, side) in SIZES.into_iter().zip(side) {
            for threads in [1, 2] {
                let arena = Arena::anywhere(n, side, 1);
                let run = |_| ours(arena.world().on_threads(threads), 2.0 * side * 2f64.sqrt() / SPEED);
                let Some(outcome) = (0..REPEATS).map(run).reduce(Outcome::shorter) else { continue };
                row(n, side, threads, &outcome);
                if threads == 1 {
                    costs.push((n as f64, outcome.times().mean));
                }
                if n == 10_000 && threads == 2 {
                    good &= outcome.times().most < MOST_MS;
                }
            }
        }
        let found = exponent(&costs);
        good &= found < LINEAR;
        println!(
            "{what}: exponent {found:.3} ({} {LINEAR})",
            if found < LINEAR { "below" } else { "NOT below" }
        );
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The sides of arenas: all alike, or as large as keeps the discs as dense as 10,000 in a square kilometre.
fn grown(dense: bool) -> [f64; SIZES.len()] {
    SIZES.map(|n| if dense { SIDE * (n as f64 / 10_000.0).sqrt() } else { SIDE })
}

/// The same steps with less and less left out: whoever need not look does, and then through everybody.
fn unpruned() {
    println!("one thread, 1 km², the first {STEPS} steps: ms a step and others gone through by a disc");
    for n in [1_000, 2_000, 5_000] {
        let ways: [fn(World) -> World; 3] = [|world| world, World::attentive, World::unpruned];
        let [drifting, attentive, unpruned] = ways.map(|with| {
            let outcome = ours(with(Arena::opposite(n, SIDE, 1).world()), STEPS as f64 * STEP);
            (outcome.times().mean, outcome.looked)
        });
        println!("{n:7}: drifting {drifting:.3?}, attentive {attentive:.3?}, unpruned {unpruned:.3?}");
    }
}

/// One size on one thread, for whoever counts instructions: those of [`counted`].
fn alone(n: usize, attentive: bool) {
    let world = Arena::anywhere(n, SIDE, 1).world();
    let mut world = if attentive { world.attentive() } else { world };
    (0..WARM).for_each(|_| {
        world.step(&Unlimited, &mut Unobserved);
    });
    let before = *world.work();
    counted(&mut world);
    let (work, each) = (world.work(), (n * STEPS) as f64);
    let part = |after: u64, before: u64| (after - before) as f64 / each;
    println!(
        "{n} discs, {STEPS} steps; of a disc in a step: decided {:.4}, renewed {:.4}, looked at {:.3}, told {:.4}",
        part(work.decided, before.decided),
        part(work.renewed, before.renewed),
        part(work.looked, before.looked),
        part(work.told, before.told)
    );
}

#[inline(never)]
fn counted(world: &mut World) {
    for _ in 0..STEPS {
        world.step(&Unlimited, &mut Unobserved);
    }
}

/// Both to the end of the way, or for so long.
fn peers(arena: &Arena, until: f64) {
    let (n, side) = (arena.ways.len(), arena.side);
    println!("{n} discs, {side:.0} m, {until:.0} s at most");
    header();
    row(n, side, 1, &ours(arena.world(), until));
    println!("ORCA:");
    row(n, side, 1, &orca::run(arena, until));
}

fn ours(mut world: World, until: f64) -> Outcome {
    let mut outcome = Outcome::new(world.bodies().len());
    let verbose = std::env::args().any(|argument| argument == "verbose");
    while !world.is_done() && world.time() < until {
        outcome.time(|| {
            world.step(&Unlimited, &mut Unobserved);
        });
        let at: Vec<_> = world.bodies().iter().map(|body| body.pose().at).collect();
        outcome.note(world.time(), world.arrived(), &overlaps(&at));
        if verbose && world.steps().is_multiple_of(200) {
            let work = world.work();
            println!(
                "    {:.0} s: {} arrived, last {:.2} ms, decided {}, looked {}",
                world.time(),
                world.arrived(),
                outcome.last(),
                work.decided,
                work.looked
            );
        }
    }
    outcome.looked = world.work().looked as f64 / (world.steps() * world.bodies().len() as u64) as f64;
    outcome
}
