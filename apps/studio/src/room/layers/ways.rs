//! How far it is, and the map as planners see it.

use super::eyes::steps;
use super::{Wanted, cells, chosen, scalar};
use crate::Refusal;
use crate::protocol::frames::{Layer, LayerKind};
use crate::room::Show;
use crate::room::stage::eighth;
use throng::core::{AgentId, Cell, CellId, Dir, Field, Rules, Timing};
use throng::search::abstraction::{Abstraction, Ruler};
use throng::search::{GridGraph, TrueDistance};

/// Where a unit goes now, if it goes somewhere.
pub(super) fn goal(show: &Show, unit: AgentId) -> Option<Cell> {
    let (agent, now) = (show.scenario().agent(unit), show.state().units.get(unit.index())?);
    (!agent.task.is_search()).then(|| agent.waypoints().target(now.leg))
}

/// Whose ways: the chosen unit's, or the first one's that is there.
pub(super) fn whose(show: &Show, wanted: &Wanted) -> Option<AgentId> {
    let units = &show.state().units;
    chosen(show, wanted).or_else(|| units.iter().position(|unit| !unit.gone).map(|unit| AgentId(unit as u32)))
}

/// By cell, how far it is to where a unit goes, or how high it lies for an explorer; nothing if the unit wants nothing.
fn distances(show: &Show, unit: AgentId, of: Field) -> Option<Vec<Option<i64>>> {
    let scenario = show.scenario();
    let (grid, agent) = (scenario.grid(), scenario.agent(unit));
    if agent.task.is_search() {
        return show.session().ok()?.field(unit, of);
    }
    let goal = grid.id(goal(show, unit)?).filter(|&goal| grid.is_open_id(goal))?;
    let graph = GridGraph::of(grid, scenario.rules(), agent);
    let mut far = TrueDistance::new(&graph, goal.0, None);
    let mut thousandths = vec![None; grid.len()];
    for id in cells(grid).filter(|&id| grid.is_open_id(id)) {
        thousandths[id.index()] = far.distance(&graph, id.0).map(|ticks| 1000 * i64::from(ticks));
    }
    Some(thousandths)
}

pub(super) fn heat(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let far = whose(show, wanted).and_then(|unit| distances(show, unit, Field::Heat));
    Ok(scalar(show.scenario().grid(), |id| steps(far.as_ref()?[id.index()])))
}

pub(super) fn flow(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let far = whose(show, wanted).and_then(|unit| distances(show, unit, Field::Height));
    let (grid, moves) = (show.scenario().grid(), show.scenario().rules().connectivity.mask());
    let arrow = |id: CellId| {
        let far = far.as_ref()?;
        let here = far[id.index()]?;
        let exits = grid.exits(id) & moves;
        let dirs = Dir::ALL.into_iter().filter(|&dir| exits >> dir as u8 & 1 != 0);
        let lower = dirs.filter_map(|dir| Some((far[grid.neighbour(id, dir).index()]?, dir)));
        let (least, dir) = lower.min_by_key(|&(height, dir)| (height, dir as u8))?;
        (least < here).then(|| 1 + eighth(dir))
    };
    let bytes = cells(grid).map(|id| arrow(id).unwrap_or(0)).collect();
    Ok(Layer::plain(LayerKind::Arrows, grid.width(), grid.height(), bytes))
}

pub(super) fn abstraction(show: &mut Show, wanted: &Wanted) -> Result<Layer, Refusal> {
    let scenario = show.scenario();
    let grid = scenario.grid();
    let rules = Rules { timing: Timing::Metric, hold_both: false, ..scenario.rules() };
    let levels = Abstraction::new(&GridGraph::new(grid, rules, 1), Ruler::of(rules));
    let layer = scalar(grid, |id| {
        // Values far apart for nodes side by side.
        grid.is_open_id(id)
            .then(|| (levels.ancestor(id.0, wanted.level as usize).1.wrapping_mul(97) % 255) as f32)
    });
    // They only tell nodes apart, so that there is room for something that means more.
    Ok(Layer { low: 0.0, high: levels.height() as f32, ..layer })
}
