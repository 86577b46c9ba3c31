//! Why a unit does not get on, as it was told in its last turn, and where it means to go.

use super::pace::gait;
use super::{Ahead, Lot};
use throng_core::{AgentId, Cause, Cell, CellId, Tick, View};

impl Ahead {
    /// The way of a unit as far as it has looked for cells, at full speed.
    pub(crate) fn intended(&self, view: &View<'_>, id: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, actions, grid) = (view.unit(id), view.agent(id).actions(view.rules()), view.grid());
        let (mut tick, mut at, mut pose) = (unit.until.max(view.tick()), grid.cell(unit.at), unit.pose);
        let mut way = vec![(tick, at)];
        let Some(mind) = self.minds.get(id.index()) else { return way };
        let mut ahead = mind.way.iter().rev().peekable();
        // Since it decided it may have come to the next cell. Who was put elsewhere has no way from there.
        if mind.at != unit.at && ahead.next_if(|hop| hop.to == unit.at.0).is_none() {
            return way;
        }
        for hop in ahead {
            let to = grid.cell(CellId(hop.to));
            let action = gait(&actions, pose, [at, to], hop.run);
            pose = actions.pose_after(pose, action);
            (tick, at) = (tick + Tick::from(actions.duration(action)), to);
            way.push((tick, at));
        }
        way
    }
}

/// Why a unit is not at its goal, and since when it has come no nearer to it.
pub(crate) fn explain(ahead: &Ahead, view: &View<'_>, id: AgentId) -> Option<(Tick, Cause)> {
    let (now, unit) = (view.tick(), view.unit(id));
    let stood = unit.until.min(now);
    let Some(mind) = ahead.minds.get(id.index()) else { return Some((stood, Cause::AwaitsPlanner)) };
    if let Some(goal) = mind.cut_off.filter(|&goal| goal == view.target(id)) {
        let [from, to] = [unit.at, goal].map(|cell| view.grid().cell(cell));
        return Some((stood, Cause::NoWay { from, to }));
    }
    if mind.leg != Some(unit.leg) || mind.goal != view.target(id) {
        // It has reached a waypoint or has another order, and its planner has not heard of it.
        return if mind.leg.is_none() { Some((stood, Cause::AwaitsPlanner)) } else { None };
    }
    let since = mind.best.1.min(now);
    let there = |by: AgentId| view.state.units.get(by.index()).is_some_and(|unit| !unit.gone);
    let cause = match &mind.lot {
        Lot::Awaits => return Some((stood, Cause::AwaitsPlanner)),
        Lot::Slows { by, cell, .. } | Lot::Detours { by, cell, .. }
            if unit.at == mind.at && there(*by) && stands_at(view, *by, *cell) =>
        {
            Cause::Occupied { blocker: *by, cell: *cell }
        }
        Lot::Slows { by, cell, tick } if unit.at == mind.at && there(*by) => {
            Cause::Reserved { blocker: *by, cell: *cell, tick: (*tick).max(now) }
        }
        Lot::Detours { by, .. } if there(*by) && *by != id => Cause::GivesWay { to: *by },
        Lot::Goes if mind.pause.is_some_and(|p| p.at == unit.at.0 && p.until > now && there(p.with)) => {
            let partner = mind.pause.map_or(id, |pause| pause.with);
            Cause::Meets { partner, cell: view.grid().cell(unit.at) }
        }
        // It moves; but who goes to and fro on account of somebody does not get on.
        Lot::Goes | Lot::Slows { .. } | Lot::Detours { .. } => {
            let late = now.saturating_sub(since) > ahead.patience(view, id);
            let whom = mind.yields.map(|other| other.to).or(mind.trouble);
            let to = whom.filter(|&to| late && to != id && there(to));
            Cause::GivesWay { to: to? }
        }
        Lot::Stuck { rivals } => {
            Cause::NoPath { rivals: rivals.iter().copied().filter(|&other| there(other)).collect() }
        }
    };
    Some((since, cause))
}

/// Whether a unit stands at a cell.
fn stands_at(view: &View<'_>, id: AgentId, cell: throng_core::Cell) -> bool {
    let unit = view.unit(id);
    unit.stands(view.tick()) && view.grid().cell(unit.at) == cell
}
