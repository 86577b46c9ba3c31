//! Works out what a case may expect.

use crate::{Expected, lower_bounds, optimal, witness};
use throng_core::Scenario;

/// About how many joint states are few enough for brute force.
const FEW: u64 = 400_000;

/// What can be known about a scenario under the graph rules: the optimum of a small one, bounds of a
/// larger one that a simple search can solve. `None` if it is too large to say anything.
#[must_use]
pub fn expected(scenario: &Scenario) -> Option<Expected> {
    let Some(bounds) = lower_bounds(scenario) else { return Some(Expected::INFEASIBLE) };
    let unknown = Expected { feasible: true, ..Expected::INFEASIBLE };
    if joint_states(scenario) <= FEW {
        return Some(optimal(scenario).map_or(Expected::INFEASIBLE, |best| Expected {
            soc: Some(best.soc),
            makespan: Some(best.makespan),
            ..unknown
        }));
    }
    witness(scenario, 0).map(|_| Expected {
        soc_lb: Some(bounds.soc),
        makespan_lb: Some(bounds.makespan),
        ..unknown
    })
}

fn joint_states(scenario: &Scenario) -> u64 {
    let open = scenario.grid().open_cells() as u64;
    let factors = scenario.agents().iter().enumerate();
    factors.fold(1, |states: u64, (k, agent)| {
        let legs = u64::from(agent.waypoints().len());
        states.saturating_mul(open.saturating_sub(k as u64)).saturating_mul(legs)
    })
}
