//! What a unit under local repair knows of its trouble: whether it has a path, and who is beside it. Whose
//! fault a cancelled move was the executor tells.

use super::Mind;
use throng_core::{Action, AgentId, Cause, Cell, Dir, Tick, View};

pub(super) fn explain(mind: Option<&Mind>, view: &View<'_>, id: AgentId) -> Option<(Tick, Cause)> {
    let (now, unit) = (view.tick(), view.unit(id));
    let stood = unit.until.min(now);
    let Some(mind) = mind.filter(|mind| mind.awake) else { return Some((stood, Cause::AwaitsPlanner)) };
    if let Some((from, to)) = mind.hopeless {
        return Some((stood, Cause::NoWay { from, to }));
    }
    if mind.goal != view.target(id) {
        return None;
    }
    let since = mind.best.1.min(now);
    if mind.path.is_empty() && unit.stands(now) {
        let rivals = || Cause::NoPath { rivals: beside(view, id) };
        return Some(if mind.starved { (stood, Cause::AwaitsPlanner) } else { (since, rivals()) });
    }
    if let Some((since, cause)) =
        mind.waits.and_then(|since| Some((since.min(now), occupied(mind, view, id)?)))
    {
        return Some((since, cause));
    }
    // A move that was cancelled is not on its path any more, and is still to do.
    let again = if unit.stands(now) && mind.expected != unit.at { 1 } else { 0 };
    let actions = view.agent(id).actions(view.rules());
    let ahead: u32 = mind.path.iter().map(|&action| actions.duration(action)).sum();
    let ahead = ahead + mind.rest * actions.duration(Action::Go(Dir::N));
    let ticks = Tick::from(ahead + again) + unit.until.saturating_sub(now);
    Some((since, Cause::OnItsWay { ticks }))
}

/// Who stands where a unit wants to go next.
fn occupied(mind: &Mind, view: &View<'_>, id: AgentId) -> Option<Cause> {
    let dir = mind.path.last()?.dir()?;
    let to = view.grid().neighbour(view.unit(id).at, dir);
    let units = view.state.units.iter().enumerate();
    let (blocker, _) = units.filter(|(_, unit)| !unit.gone).find(|(_, unit)| unit.at == to)?;
    Some(Cause::Occupied { blocker: AgentId(blocker as u32), cell: view.grid().cell(to) })
}

/// Who is next to a unit, nearer to its goal first.
fn beside(view: &View<'_>, id: AgentId) -> Vec<AgentId> {
    let grid = view.grid();
    let (here, goal) = (grid.cell(view.unit(id).at), grid.cell(view.target(id)));
    let near = |cell: &Cell| here.x.abs_diff(cell.x) <= 1 && here.y.abs_diff(cell.y) <= 1;
    let far = |cell: Cell| goal.x.abs_diff(cell.x) + goal.y.abs_diff(cell.y);
    let others = view.scenario.agents().iter().map(|agent| agent.id).filter(|&other| other != id);
    let mut rivals: Vec<_> = others
        .filter(|&other| !view.unit(other).gone)
        .map(|other| (grid.cell(view.unit(other).at), other))
        .filter(|(cell, _)| near(cell))
        .map(|(cell, other)| (far(cell), other))
        .collect();
    rivals.sort_unstable();
    rivals.into_iter().map(|(_, other)| other).collect()
}
