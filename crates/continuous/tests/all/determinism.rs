//! Same bodies, same future: with any number of threads, in every build.

use crate::kit::{crowd, hashes};
use throng_continuous::{Settings, Space, World, builtin};
use throng_core::{Expansions, Unlimited};

fn busy() -> World {
    // So many that several threads are asked.
    let bodies = crowd(24, 24, 3.0, 5);
    World::new(Space::open(72.0, 72.0).unwrap(), Settings::default(), bodies).unwrap()
}

#[test]
fn threads_change_nothing() {
    for budget in [Expansions(u64::MAX), Expansions(100)] {
        let alone = hashes(&mut busy(), 100, &budget);
        for threads in [2, 3] {
            let mut world = busy().on_threads(threads);
            assert_eq!(alone, hashes(&mut world, 100, &budget), "{threads} threads, {budget:?}");
            let work = world.work_done();
            assert!(work.len() == threads && work.iter().all(|&jobs| jobs > 0), "{work:?}");
        }
    }
}

/// The state after 300 steps, in debug and in release, on every platform. A change of how bodies decide changes it:
/// then, and only then, write the new one here.
#[test]
fn the_future_of_every_builtin_is_known() {
    let ends = ["circle-swap", "four-way"].map(|name| {
        let last = hashes(&mut World::of(builtin(name, 0).unwrap()).unwrap(), 300, &Unlimited).pop().unwrap();
        (name, last)
    });
    assert_eq!(
        ends,
        [("circle-swap", 0x4949_a12d_883f_b11b), ("four-way", 0xe9d8_8e06_0000_0302)],
        "{ends:#x?}"
    );
}
