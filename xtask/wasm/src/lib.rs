//! The engine as a bare WebAssembly module, for a test: it needs nothing from its host, and the same
//! scenario ends in the same state as on any other machine.

use throng::core::{Unlimited, Unobserved};
use throng::{Options, Session, worlds};

/// A built-in scenario and a planner on each line. Whoever compares reads the same file.
const CASES: &str = include_str!("../cases.txt");

/// The hash of the state in which `case` (a line of `cases.txt`, from 0) is after `ticks` ticks.
///
/// # Panics
///
/// If there is no such case: the host sees a trap.
// SAFETY: no other symbol of this name is linked in, and numbers are all that crosses the border.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a host finds functions by their plain names only")]
pub extern "C" fn throng_run(case: u32, ticks: u64) -> u64 {
    let (builtin, planner) =
        CASES.lines().nth(case as usize).and_then(|line| line.split_once(' ')).expect("a line of cases.txt");
    let setup = worlds::builtin(builtin, 0).expect("a built-in scenario");
    let mut session = Session::new(setup, &Options::planner(planner)).expect("a planner that supports it");
    while !session.is_done() && session.state().tick < ticks {
        session.tick(&Unlimited, &mut Unobserved);
    }
    session.state().hash()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_runs_and_moves() {
        for case in 0..CASES.lines().count() as u32 {
            assert_ne!(throng_run(case, 0), throng_run(case, 10), "case {case}");
            assert_eq!(throng_run(case, 10), throng_run(case, 10), "case {case}");
        }
    }
}
