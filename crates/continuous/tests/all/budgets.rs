//! Planning spreads over steps.

use crate::kit::run;
use throng_continuous::{NewBody, Settings, Space, World, builtin};
use throng_core::space::{Convex, Point, Shape};
use throng_core::{AgentId, Expansions, Observer, SearchKind, Unlimited, Unobserved};

#[derive(Default)]
struct Work(u64);

impl Observer for Work {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}

/// Never more than the budget, and everybody arrives all the same.
#[test]
fn a_budget_is_kept_to_the_last_expansion() {
    for budget in [1, 7, 20, 100] {
        let mut world = World::of(builtin("four-way", 3).unwrap()).unwrap();
        let (mut most, mut steps) = (0, 0);
        while !world.is_done() && world.time() < 2.0 * 240.0 {
            let mut work = Work::default();
            world.step(&Expansions(budget), &mut work);
            assert!(work.0 <= budget, "{} of {budget}", work.0);
            most = most.max(work.0);
            steps += 1;
        }
        assert_eq!(most, budget, "used up at least once in {steps} steps");
        if budget >= 20 {
            assert!(world.is_done(), "budget {budget}: {}", world.arrived());
        }
    }
}

#[test]
fn without_a_budget_nothing_is_planned_and_nobody_touches_anybody() {
    let mut world = World::of(builtin("circle-swap", 1).unwrap()).unwrap();
    run(&mut world, 30.0, &Expansions(0));
    assert_eq!((world.counts().detours, world.counts().expanded), (0, 0));
}

/// A long way around a wall, planned ten points at a time, is the way that is planned at once.
#[test]
fn a_search_goes_on_in_the_next_step() {
    let wall = Convex::rectangle(Point::new(19.0, 0.0), Point::new(21.0, 36.0)).unwrap();
    let make = || {
        let body = NewBody::new(Shape::disc(0.4).unwrap(), Point::new(2.0, 2.0), Point::new(38.0, 2.0));
        let space = Space::new(Point::ZERO, Point::new(40.0, 40.0), vec![wall.clone()]).unwrap();
        World::new(space, Settings::default(), vec![body]).unwrap()
    };
    let (mut slow, mut fast) = (make(), make());
    fast.step(&Unlimited, &mut Unobserved);
    let path: Vec<Point> = fast.bodies()[0].path().collect();
    assert!(path.len() > 1 && fast.counts().expanded > 100, "{path:?} {:?}", fast.counts());
    let mut steps = 0;
    while slow.bodies()[0].path().next().is_none() {
        slow.step(&Expansions(10), &mut Unobserved);
        steps += 1;
    }
    assert_eq!(slow.bodies()[0].path().collect::<Vec<_>>(), path);
    assert_eq!(
        (steps, slow.counts().expanded),
        (fast.counts().expanded.div_ceil(10), fast.counts().expanded)
    );
}
