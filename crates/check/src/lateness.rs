//! Delays that a scenario has in store, held against those that a trace tells of.

use crate::store::ByHand;
use crate::{Judge, Violation};
use throng_core::{Delay, Scenario, Tick};

/// Takes up what a trace tells of units that slip in a tick, and finds who was to be late by then and is not. What is drawn by
/// lot may happen to anybody, for as long as the scenario says.
pub(crate) fn happen(
    judge: &mut Judge<'_>,
    scenario: &Scenario,
    slips: &[Delay],
    tick: Tick,
    by_hand: ByHand,
) {
    let delays = scenario.delays();
    let due: Vec<&Delay> = delays.in_store(tick).collect();
    for slip in slips {
        let drawn = delays.rate > 0 && (delays.shortest..=delays.longest).contains(&slip.ticks);
        let listed = due.iter().any(|due| due.agent == slip.agent && due.end() == slip.end());
        let foreign = !drawn && !listed && by_hand == ByHand::Refused;
        judge.slip(slip);
        if foreign {
            let &Delay { agent, ticks, .. } = slip;
            judge.found(Violation::SlipNotInStore { tick, agent, ticks });
        }
    }
    for Delay { agent, .. } in due {
        if judge.is_free(agent.index()) {
            judge.found(Violation::NotLate { tick, agent: *agent });
        }
    }
}
