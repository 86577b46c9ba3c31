//! The built-in worlds.

use crate::kit::run;
use throng_continuous::{BUILTINS, World, builtin};
use throng_core::Unlimited;

/// Everybody arrives, whoever has which number, and nobody ever touches anybody.
#[test]
fn everybody_arrives_in_every_builtin() {
    for &(name, _) in BUILTINS {
        for seed in 0..20 {
            let mut world = World::of(builtin(name, seed).unwrap()).unwrap();
            let report = run(&mut world, 240.0, &Unlimited);
            let (arrived, all) = (world.arrived(), world.bodies().len());
            assert_eq!(arrived, all, "{name}, seed {seed}, after {}", world.time());
            assert!(report.least_gap.is_some_and(|gap| gap < 0.1), "nobody came near anybody: {report:?}");
        }
    }
}

/// All mechanisms have work in the worlds that are to show them.
#[test]
fn bodies_slow_down_stop_go_round_and_make_way() {
    let mut world = World::of(builtin("four-way", 0).unwrap()).unwrap();
    run(&mut world, 240.0, &Unlimited);
    let counts = world.counts();
    for (what, count) in [
        ("slowed", counts.slowed),
        ("stops", counts.stops),
        ("detours", counts.detours),
        ("made way", counts.made_way),
        ("promoted", counts.promoted),
    ] {
        assert!(count > 0, "{what}: {counts:?}");
    }
    let straight = 48.0 * 44.0;
    assert!(counts.distance > straight && counts.distance < 1.5 * straight, "{counts:?}");
}
