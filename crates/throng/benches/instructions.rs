//! Instruction counts: exact, so that a change which costs anything shows.

#![allow(missing_docs, unreachable_pub, reason = "what gungraun's macros write")]

mod kit;

use gungraun::prelude::*;
use std::hint::black_box;
use throng::check::{Report, check_plan};
use throng::core::{Outcome, Plan, Scenario, Unlimited, Unobserved};
use throng::{Options, Session, Solution, solve};

fn world() -> Scenario {
    kit::crowd("random-32-10 100", kit::random(32, 10), 100, None)
}

fn problem(planner: &str) -> (Scenario, Options) {
    (world(), Options::planner(planner))
}

fn plan() -> (Scenario, Plan) {
    let (world, options) = problem("hca");
    let solution = solve(&world, &options, &Unlimited, &mut Unobserved).expect("a known planner");
    let Outcome::Solved(plan) = solution.outcome else { panic!("hca solves this") };
    (world, plan)
}

fn patrols(units: usize) -> Session {
    kit::warm(units, "whca(window=16)", &mut Unobserved)
}

#[library_benchmark]
#[bench::hca(args = ("hca"), setup = problem)]
#[bench::whca(args = ("whca(window=10)"), setup = problem)]
fn solving((world, options): (Scenario, Options)) -> (Solution, Scenario, Options) {
    let solution = solve(black_box(&world), &options, &Unlimited, &mut Unobserved);
    // What is handed back is dropped outside of what is counted.
    (solution.expect("a known planner"), world, options)
}

#[library_benchmark]
#[bench::units_100(args = (100), setup = patrols)]
#[bench::units_1000(args = (1000), setup = patrols)]
fn one_tick(mut session: Session) -> Session {
    black_box(&mut session).tick(&Unlimited, &mut Unobserved);
    session
}

#[library_benchmark]
#[bench::units_100(args = (100), setup = patrols)]
#[bench::units_1000(args = (1000), setup = patrols)]
fn eight_ticks(mut session: Session) -> Session {
    // In half a window everybody plans once, so this does not depend on whose turn it is.
    for _ in 0..8 {
        black_box(&mut session).tick(&Unlimited, &mut Unobserved);
    }
    session
}

#[library_benchmark]
#[bench::units_100(setup = plan)]
fn checking((world, plan): (Scenario, Plan)) -> (Report, Scenario, Plan) {
    let report = check_plan(black_box(&world), &plan);
    (report, world, plan)
}

library_benchmark_group!(name = all, benchmarks = [solving, one_tick, eight_ticks, checking]);
main!(library_benchmark_groups = all);
