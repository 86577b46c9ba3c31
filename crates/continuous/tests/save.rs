//! A world that was saved has the future that it would have had, and damage is noticed.

use proptest::prelude::*;
use std::sync::LazyLock;
use throng_continuous::{Doing, MAGIC, NewBody, Settings, Space, World, builtin};
use throng_core::space::{Point, Shape};
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

/// Two that cannot get past each other, while the search for their moves is under way.
fn tied() -> World {
    let at = |x: f64| Point::new(x, 0.5);
    let body = |from: f64, to: f64| NewBody::new(Shape::disc(0.4).unwrap(), at(from), at(to));
    let space = Space::open(14.0, 1.0).unwrap();
    let mut world = World::new(space, Settings::default(), vec![body(1.0, 9.0), body(13.0, 5.0)]).unwrap();
    let searches = |world: &World| world.bodies().iter().all(|body| body.doing() == Doing::Awaits);
    while !searches(&world) && world.time() < 600.0 {
        world.step(&Expansions(4), &mut Unobserved);
    }
    assert!(searches(&world));
    world
}

static SAVED: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| [after("four-way", 30, 5).save(), tied().save()]);

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Bytes that were changed are refused, or are a world that runs: never a panic, never a loop.
    #[test]
    fn damage_never_panics(at in any::<prop::sample::Index>(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in any::<bool>(), knot in any::<bool>()) {
        let saved = &SAVED[usize::from(knot)];
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
