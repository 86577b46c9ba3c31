//! What planners have in mind.

use super::{Wanted, mask, scalar};
use crate::Refusal;
use crate::protocol::frames::Layer;
use crate::room::Show;
use throng::core::{Action, Agent, Cell, Grid, Rules};

/// Tells of every cell that a body covers.
fn cover(grid: &Grid, rules: Rules, agent: &Agent, at: Cell, mut tell: impl FnMut(usize)) {
    let body = agent.actions(rules).footprint(at, Action::Wait);
    body.cells().filter_map(|cell| grid.id(cell)).for_each(|id| tell(id.index()));
}

pub(super) fn reservations(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let session = show.session()?;
    let (scenario, then) = (session.scenario(), session.state().tick + wanted.ahead);
    let (grid, rules) = (scenario.grid(), scenario.rules());
    let mut held = vec![false; grid.len()];
    for agent in scenario.agents() {
        let way = session.intended(agent.id);
        let Some(last) = way.last().filter(|last| last.0 >= then || wanted.ahead == 0) else { continue };
        let at = way.iter().rev().find(|step| step.0 <= then);
        let next = way.iter().find(|step| step.0 > then);
        // On its way to the next one it holds both.
        let leaves = next.filter(|next| {
            let from = at.map_or(last.1, |at| at.1);
            let action = agent.actions(rules).between(from, next.1, 0).unwrap_or_default();
            at.is_none() || next.0 <= then + u64::from(agent.actions(rules).duration(action))
        });
        for &(_, cell) in at.into_iter().chain(leaves) {
            cover(grid, rules, agent, cell, |place| held[place] = true);
        }
    }
    Ok(mask(grid, |id| held[id.index()]))
}

pub(super) fn paths(show: &mut Show, _wanted: &Wanted) -> Result<Layer, Refusal> {
    let session = show.session()?;
    let (grid, rules) = (session.scenario().grid(), session.scenario().rules());
    let mut counts = vec![0u32; grid.len()];
    for agent in session.scenario().agents() {
        // Where it is is no plan.
        for (_, cell) in session.intended(agent.id).into_iter().skip(1) {
            cover(grid, rules, agent, cell, |place| counts[place] += 1);
        }
    }
    Ok(scalar(grid, |id| match counts[id.index()] {
        0 => None,
        count => Some(count as f32),
    }))
}
