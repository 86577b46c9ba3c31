//! A world that was saved has the future that it would have had, and damage is noticed.

use proptest::prelude::*;
use throng_continuous::{MAGIC, World, builtin};
use throng_core::{Expansions, SnapshotError, StateHash, Unobserved};

fn after(name: &str, steps: u64, budget: u64) -> World {
    let mut world = World::of(builtin(name, 2).unwrap()).unwrap();
    (0..steps).for_each(|_| {
        world.step(&Expansions(budget), &mut Unobserved);
    });
    world
}

/// At many moments, under budgets that cut searches short, on another number of threads.
#[test]
fn the_future_is_the_same() {
    for name in ["circle-swap", "four-way"] {
        for (steps, budget) in [(0, 50), (1, 3), (60, 1), (150, 20), (350, u64::MAX)] {
            let mut world = after(name, steps, budget);
            let mut again = World::resume(&world.save(), 2).unwrap();
            assert_eq!(world.hash(), again.hash());
            for step in 0..150 {
                world.step(&Expansions(budget), &mut Unobserved);
                again.step(&Expansions(budget), &mut Unobserved);
                assert_eq!(world.hash(), again.hash(), "{name}, {step} steps after {steps}, budget {budget}");
            }
            assert_eq!(world.counts(), again.counts());
            assert_eq!(world.save(), again.save());
        }
    }
}

#[test]
fn what_is_no_saved_world_is_refused() {
    let saved = after("four-way", 40, 7).save();
    let refused = |bytes: &[u8]| matches!(World::resume(bytes, 1), Err(SnapshotError::Unreadable(_)));
    assert!(refused(b"") && refused(b"THRONG-SPACE") && refused(b"something else"));
    for cut in [MAGIC.len(), MAGIC.len() + 7, saved.len() / 2, saved.len() - 1] {
        assert!(refused(&saved[..cut]), "{cut}");
    }
}

/// Sealed again, so that what was changed is read.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut hash = StateHash::new();
    body.iter().for_each(|&byte| hash.add(byte.into()));
    [MAGIC, &hash.finish().to_le_bytes(), body].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Bytes that were changed are refused, or are a world that runs: never a panic, never a loop.
    #[test]
    fn damage_never_panics(at in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<bool>()) {
        let saved = after("four-way", 30, 5).save();
        let mut body = saved[MAGIC.len() + 8..].to_vec();
        for (place, byte) in flips {
            let place = place.index(body.len());
            body[place] = byte;
        }
        if cut {
            body.truncate(at.index(body.len()));
        }
        if let Ok(mut world) = World::resume(&sealed(&body), 1) {
            (0..5).for_each(|_| {
                world.step(&Expansions(100), &mut Unobserved);
            });
        }
    }
}
