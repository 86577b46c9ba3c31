//! Discs that all cross one arena: what a step costs, how that grows with their number, and how ORCA does.
//!
//! `cargo bench -p throng-continuous --bench arena` measures time; `-- peers` compares with ORCA, to the end of the way
//! (`-- peers 10000 1400`: one size in a square kilometre, for so many seconds at most); `-- alone 10000`
//! runs one size for whoever counts instructions, and `-- alone 10000 attentive` the same with nobody drifting; `-- unpruned` has everybody
//! look through all others, at sizes where that ends.

mod kit;
mod orca;

use kit::{Arena, DISC, SPEED, STEP, exponent, overlaps};
use std::process::ExitCode;
use std::time::Instant;
use throng_continuous::World;
use throng_core::{Unlimited, Unobserved};

const SIZES: [usize; 4] = [1_000, 2_000, 5_000, 10_000];
/// Steps before measuring, and steps measured.
const WARM: usize = 100;
const STEPS: usize = 300;
/// The least of so many runs counts, step by step: they do the same work.
const REPEATS: usize = 3;
/// A kilometre.
const SIDE: f64 = 1_000.0;
/// What is asked for: milliseconds of a step with 10,000 discs, and the largest exponent.
const MOST_MS: f64 = 16.0;
const LINEAR: f64 = 1.15;

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "peers") {
        let mut asked = std::env::args().skip_while(|argument| argument != "peers").skip(1);
        let mut number = || asked.next().and_then(|number| number.parse::<f64>().ok());
        peers(number().zip(number()));
        return ExitCode::SUCCESS;
    }
    let mut arguments = std::env::args().skip_while(|argument| argument != "alone").skip(1);
    if let Some(n) = arguments.next().and_then(|n| n.parse().ok()) {
        alone(n, arguments.any(|argument| argument == "attentive"));
        return ExitCode::SUCCESS;
    }
    if std::env::args().any(|argument| argument == "unpruned") {
        unpruned();
        return ExitCode::SUCCESS;
    }
    let mut good = true;
    println!(
        "discs of {DISC} m at {SPEED} m/s, {STEPS} steps of {STEP} s after {WARM}, the least of {REPEATS} runs"
    );
    println!("  discs   side m  threads  mean ms  µs a disc  looked at");
    for (what, side) in [("1 km²", grown(false)), ("as dense", grown(true))] {
        let mut costs = Vec::new();
        for (n, side) in SIZES.into_iter().zip(side) {
            for threads in [1, 2] {
                let (mean, looked) = measure(n, side, threads, |world| world);
                let each = 1e3 * mean / n as f64;
                println!("{n:7} {side:8.0} {threads:8} {mean:8.3} {each:10.3} {looked:10.2}");
                if threads == 1 {
                    costs.push((n as f64, mean));
                }
                if n == 10_000 && threads == 2 {
                    good &= mean < MOST_MS;
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

/// Milliseconds of a step: on one thread those for which it had a core, on more those of the clock. And at how many others
/// a disc looks in a step.
fn measure(n: usize, side: f64, threads: usize, with: fn(World) -> World) -> (f64, f64) {
    let mut looked = 0.0;
    let mut run = |_| {
        let mut world = with(Arena::new(n, side, 1).world()).on_threads(threads);
        (0..WARM).for_each(|_| {
            world.step(&Unlimited, &mut Unobserved);
        });
        let (begin, before, seen) = (Instant::now(), kit::busy(), world.work().looked);
        for _ in 0..STEPS {
            world.step(&Unlimited, &mut Unobserved);
        }
        let spent = before.zip(kit::busy()).map(|(before, after)| after - before);
        let mean = spent.filter(|_| threads == 1).unwrap_or_else(|| begin.elapsed().as_secs_f64());
        looked = (world.work().looked - seen) as f64 / (n * STEPS) as f64;
        1e3 * mean / STEPS as f64
    };
    let least = (0..REPEATS).map(&mut run).fold(f64::INFINITY, f64::min);
    (least, looked)
}

/// The same steps with less and less left out: whoever need not look does, and then through everybody.
fn unpruned() {
    println!("one thread, 1 km², ms a step and others gone through by a disc");
    for n in [1_000, 2_000, 5_000] {
        let ways: [fn(World) -> World; 3] = [|world| world, World::attentive, World::unpruned];
        let [drifting, attentive, unpruned] = ways.map(|with| measure(n, SIDE, 1, with));
        println!("{n:7}: drifting {drifting:.3?}, attentive {attentive:.3?}, unpruned {unpruned:.3?}");
    }
}

/// One size on one thread, for whoever counts instructions: those of [`counted`].
fn alone(n: usize, attentive: bool) {
    let world = Arena::new(n, SIDE, 1).world();
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

/// Both to the end of the way, or one size for as long as is asked for.
fn peers(asked: Option<(f64, f64)>) {
    println!(
        "all the way across: discs, side; then arrived, seconds until half, nine in ten and all have, steps in which two overlap, the deepest, ms a step"
    );
    let all = [(1_000, SIDE / 10f64.sqrt()), (1_000, 100.0), (10_000, SIDE)];
    let twice = |(n, side): (usize, f64)| (n, side, 2.0 * side * 2f64.sqrt() / SPEED);
    let cases = asked.map_or_else(|| all.map(twice).to_vec(), |(n, until)| vec![(n as usize, SIDE, until)]);
    for (n, side, until) in cases {
        let arena = Arena::new(n, side, 1);
        println!("{n} discs, {side:.0} m, {until:.0} s at most");
        println!("  throng {}", ours(arena.world(), until));
        println!("  ORCA   {}", orca::run(&arena, until));
    }
}

fn ours(mut world: World, until: f64) -> kit::Outcome {
    let mut outcome = kit::Outcome::default();
    let mut time = 0.0;
    while !world.is_done() && world.time() < until {
        let begin = Instant::now();
        world.step(&Unlimited, &mut Unobserved);
        time += begin.elapsed().as_secs_f64();
        let at: Vec<_> = world.bodies().iter().map(|body| body.pose().at).collect();
        outcome.note(world.time(), world.arrived(), &overlaps(&at));
    }
    outcome.all = world.bodies().len();
    outcome.ms = 1e3 * time / world.steps().max(1) as f64;
    outcome
}
