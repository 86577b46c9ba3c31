//! Same scenario, same seed, same future: at every tick, with any number of threads, in every build.

use crate::kit::{Time, enough, hashes, replayed, session, supports, travellers};
use throng::core::{Connectivity, Expansions, Setup, Unlimited};
use throng::planners::registry;
use throng::worlds::{BUILTINS, builtin};
use throng::{Options, Session};

/// Everything that runs twice gives the same twice, also where the budget cuts searches short.
#[test]
fn twice_in_a_row_is_the_same() {
    for entry in registry::all() {
        for time in Time::ALL {
            let office = builtin("office", 3).expect("it is built in").scenario;
            let scenario = replayed(&office, time, Connectivity::Eight);
            if !supports(entry.name, &scenario) {
                continue;
            }
            for budget in [enough(entry), Expansions(400)] {
                let run = || hashes(&mut session(Setup::new(scenario.clone()), entry.name), 120, &budget);
                let first = run();
                assert!(first.len() > 10, "{} {time:?}: over before it began", entry.name);
                assert_eq!(first, run(), "{} {time:?} {budget:?}", entry.name);
            }
        }
    }
}

/// The seed reaches those planners that use random numbers: otherwise the test above says little of them.
#[test]
fn another_seed_is_another_run_of_lra() {
    let run = |seed| {
        let options = Options { seed, ..Options::planner("lra") };
        let setup = builtin("bridge", 0).expect("it is built in");
        hashes(&mut Session::new(setup, &options).expect("lra"), 100, &Unlimited)
    };
    assert_ne!(run(1), run(2));
}

/// Threads change how long it takes, never what comes out; and all of them have worked.
#[test]
fn threads_change_nothing() {
    for entry in travellers() {
        let run = |threads| {
            let setup = builtin("field", 1).expect("it is built in");
            let options = Options { threads, ..Options::planner(entry.name) };
            let mut session = Session::new(setup, &options).expect(entry.name);
            let hashes = hashes(&mut session, 150, &enough(entry));
            (hashes, session.work_done())
        };
        let (alone, _) = run(1);
        for threads in [2, 3] {
            let (together, work) = run(threads);
            assert_eq!(alone, together, "{} with {threads} threads", entry.name);
            assert_eq!(work.len(), threads);
            // Local repair and corridors search for one unit after the other, by design: it has no work to share.
            let all_worked = work.iter().all(|&jobs| jobs > 0);
            let alone = ["lra", "dlite", "blocker", "pra", "cpra", "dm", "dm-greedy"].contains(&entry.name);
            assert!(all_worked || alone, "{}: {work:?}", entry.name);
        }
    }
}

/// Tick and state hash at the end of each built-in scenario (seed 0, its own planner). The same constants
/// hold in debug and in release, on every platform. A change of a planner's decisions changes them: then, and
/// only then, write the new ones here.
const GOLDEN: &[(&str, u64, u64)] = &[
    ("bridge", 0x73, 0x27b4_1b1d_8038_47d3),
    ("office", 0x17, 0xc3a6_6e63_1740_3e4c),
    ("hallway", 0x1e, 0x536b_269b_d93c_377e),
    ("doorway", 0x19, 0x7390_0a50_4c00_ae1b),
    ("intersection", 0x22, 0x092b_68c5_988d_4843),
    ("pushers", 0x12, 0x38ef_4dd4_829d_a351),
    ("field", 0x4a, 0xe365_c2f5_2b11_df4f),
    ("town", 0x338, 0x417f_7760_859a_9867),
    ("promenade", 0x105, 0x7faf_8353_223c_317e),
    ("rivals", 0x33, 0xcce6_5d30_1f83_2f7d),
    ("expedition", 0x52, 0x1316_1e67_c769_3077),
];

#[test]
fn the_end_of_every_builtin_is_known() {
    let ends = BUILTINS.iter().map(|&(name, _)| {
        let setup = builtin(name, 0).expect("it is built in");
        let ticks = setup.ticks.expect("built-in scenarios end");
        let mut session = Session::new(setup, &Options::default()).expect(name);
        let last = hashes(&mut session, ticks, &Unlimited).pop().expect("tick 0 has a hash too");
        (name, session.state().tick, last)
    });
    let ends: Vec<_> = ends.collect();
    assert_eq!(ends, GOLDEN, "\n{ends:#x?}");
}
