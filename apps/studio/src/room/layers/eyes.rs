//! What units see and know.

use super::{Wanted, chosen, mask, scalar};
use crate::Refusal;
use crate::protocol::frames::Layer;
use crate::room::Show;
use throng::core::{Action, AgentId, Dir, Field, Seen};
use throng::search::vision::{Facing, Vision};

/// Whose eyes: the chosen unit's, or those of the first that has to see the world.
fn looker(show: &Show, wanted: &Wanted) -> Option<AgentId> {
    let scenario = show.scenario();
    let has_eyes = |id: &AgentId| scenario.sight_of(scenario.agent(*id)).is_some();
    match chosen(show, wanted) {
        Some(unit) => Some(unit).filter(has_eyes),
        None => scenario.agents().iter().map(|agent| agent.id).find(has_eyes),
    }
}

pub(super) fn fog(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let (unit, session) = (looker(show, wanted), show.session()?);
    let seen = unit.and_then(|unit| session.seen(unit));
    Ok(mask(session.scenario().grid(), |id| seen.is_some_and(|seen| !seen.contains(id))))
}

pub(super) fn cones(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let (scenario, state, one) = (show.scenario(), show.state(), chosen(show, wanted));
    let grid = scenario.grid();
    let mut seen = Seen::none(grid.len());
    for agent in scenario.agents().iter().filter(|agent| one.is_none_or(|one| one == agent.id)) {
        let unit = &state.units[agent.id.index()];
        let Some(sight) = scenario.sight_of(agent).filter(|_| !unit.gone) else { continue };
        let Ok(vision) = Vision::new(sight.radius, sight.angle, sight.circle()) else { continue };
        let heading = show.heading(agent.id.index());
        let dir = Dir::ALL.into_iter().find(|&dir| crate::room::stage::eighth(dir) == heading);
        let facing = dir.filter(|_| sight.is_cone()).map_or_else(Facing::default, Facing::from);
        let body = agent.actions(scenario.rules()).footprint(grid.cell(unit.at), Action::Wait);
        for from in body.cells() {
            let tell = |id| {
                seen.insert(id);
            };
            if sight.line_of_sight {
                vision.from_cell(grid, from, facing, tell);
            } else {
                vision.through_walls(grid, from, facing, tell);
            }
        }
    }
    Ok(mask(grid, |id| seen.contains(id)))
}

pub(super) fn potential(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    field(show, wanted, Field::Potential)
}

pub(super) fn repulsion(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    field(show, wanted, Field::Repulsion)
}

/// What an explorer goes by, in steps.
fn field(show: &Show, wanted: &Wanted, of: Field) -> Result<Layer, Refusal> {
    let (unit, session) = (looker(show, wanted), show.session()?);
    let field = unit.and_then(|unit| session.field(unit, of));
    Ok(scalar(session.scenario().grid(), |id| steps(field.as_ref()?[id.index()])))
}

/// Thousandths of a step, as people read them.
pub(super) fn steps(thousandths: Option<i64>) -> Option<f32> {
    thousandths.map(|thousandths| thousandths as f32 / 1000.0)
}
