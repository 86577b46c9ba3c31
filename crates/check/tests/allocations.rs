//! Watching a running world allocates nothing once the judge is warm, as long as nothing is wrong.

use throng_check::{Expect, Judge};
use throng_core::{Action, Agent, AgentId, Cell, Connectivity, Deed, Dir, Grid, Rules, Scenario, Task};
use throng_core::{Tick, Timing};
use throng_testkit::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn a_warm_tick_allocates_nothing() {
    for (timing, period) in [(Timing::Uniform, 1), (Timing::Metric, 2)] {
        let rules = Rules { connectivity: Connectivity::Eight, timing, ..Rules::default() };
        let agents = (0..20).map(|id| {
            let start = Cell::new(0, id as i32);
            let mut agent = Agent::new(id, start, Task::Patrol { goal: Cell::new(1, id as i32), rounds: 10 });
            agent.period = period;
            agent
        });
        let scenario = Scenario::new("t", Grid::empty(2, 20).unwrap(), rules, agents.collect()).unwrap();
        let deeds = |dir| {
            let deed = |id| Deed { agent: AgentId(id), action: Action::Go(dir), failed: false };
            (0..20).map(deed).collect::<Vec<_>>()
        };
        let (there, back) = (deeds(Dir::E), deeds(Dir::W));
        let mut judge = Judge::new(&scenario);
        let mut warm = 0;
        for step in 0..20 {
            if step == 2 {
                warm = allocations();
            }
            judge.tick(if step % 2 == 0 { &there } else { &back });
            for _ in 1..period {
                judge.tick(&[]);
            }
        }
        assert_eq!(allocations() - warm, 0, "{timing:?}");
        let report = judge.finish(Expect::Finished);
        assert!(report.is_valid(), "{report}");
        assert_eq!(report.makespan, 20 * Tick::from(period));
    }
}
