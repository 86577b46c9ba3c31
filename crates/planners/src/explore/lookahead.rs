//! A few steps ahead: explorers reserve where they are going to be, so that they do not meet head-on where it is narrow.
//!
//! In every tick, by priority and then whoever is nearer to the frontier first, each that is sent somewhere or follows the heat alone
//! asks the reservation table whether its next steps are free. If they are it reserves them. If not it looks for other steps, in space and time, which
//! lead as near to the same place: it waits in a bay, or goes back before one that comes. Nothing of this lasts for longer than a
//! tick, so that nothing is saved; whoever is in the same place decides in the same way. Where there are no such steps, one has waited for too
//! long, or nothing new has been seen for long, it does as it would without.

use super::steps::{PATIENCE, STILL};
use super::{Explorer, stays};
use throng_core::{Action, AgentId, CellId, Dir, Grid, Tick, View};
use throng_search::reservations::{Rule, Sparse, Store, Table};
use throng_search::{
    Ending, Found, Graph, GridGraph, Ground, Heuristic, Query, SpaceTime, Step, TrueDistance,
};

/// The most that one search may expand: a window is small, and who finds nothing in it does without.
const ROOM: u64 = 2000;

/// What a unit does next, and who keeps it from going straight on, where.
pub(super) type Plan = (Action, Option<(AgentId, CellId)>);

/// Who will be where, in the tick that is being decided.
#[derive(Debug)]
pub(super) struct Lookahead {
    table: Table<Sparse>,
    search: SpaceTime,
    draft: Vec<Step>,
    /// Who keeps the unit at hand from going straight on, and where.
    blocker: Option<(AgentId, CellId)>,
}

impl Explorer {
    /// Everybody who is about to decide looks ahead and reserves its next steps. Answers how many nodes that took: at most `room`.
    pub(super) fn look_ahead(&mut self, view: &View<'_>, room: u64) -> u64 {
        let Self { settings, chart: Some(chart), walks, nexts, plans, order, .. } = self else { return 0 };
        plans.resize(view.state.units.len(), None);
        let mut lookahead = Lookahead::new(view, settings.window);
        let plain = settings.weights.potential == 0 && settings.weights.repulsion == 0 && !chart.is_drawn();
        let (mut spent, mut way) = (0, Vec::new());
        let old = view.tick().saturating_sub(chart.news);
        for &(_, _, id) in order.iter() {
            let walk = &walks[id.index()];
            // Whom it waits for may not be there any more, where it cannot see it.
            if walk.waited >= PATIENCE || old > STILL * Tick::from(view.agent(id).period) {
                continue;
            }
            way.clear();
            if let Some(next) = nexts.get(id.index()).copied().flatten() {
                way.push(next);
            } else if walk.next().is_some() {
                way.extend(walk.ahead(settings.window as usize));
            } else if plain {
                way.extend(chart.descent(view, view.unit(id).at).take(settings.window as usize));
            }
            let left = room - spent;
            if left == 0 {
                break;
            }
            let (plan, used) = lookahead.reserve(view, &chart.grid, id, &way, (settings.window, left));
            plans[id.index()] = plan;
            spent += used;
        }
        spent
    }
}

impl Lookahead {
    /// Everybody where it is: explorers until they can have left, and others for as long as anybody looks ahead.
    pub(super) fn new(view: &View<'_>, window: u32) -> Self {
        let rule = Rule::of(&view.rules(), view.scenario.largest_body());
        let mut table = Table::new(rule, Sparse::new(view.grid().len()));
        let now = view.tick();
        let units = view.scenario.agents().iter().zip(&view.state.units);
        for (agent, unit) in units.filter(|(_, unit)| !unit.gone) {
            let actions = agent.actions(view.rules());
            let step = Tick::from(actions.duration(Action::Go(Dir::N)));
            let base = unit.until.max(now);
            let (from, at) = (view.grid().cell(unit.from), view.grid().cell(unit.at));
            let going = if base > now { actions.between(from, at, unit.pose) } else { None };
            let swept = going.map(|action| actions.footprint(from, action));
            let leaves = match rule {
                _ if stays(view, agent.id) => base + Tick::from(window) * step,
                Rule::Swap => base + 1,
                Rule::Hold => base + step,
            };
            let swept = swept.iter().flat_map(|swept| swept.cells()).map(|cell| (cell, now..base));
            let stands = actions.footprint(at, Action::Wait);
            for (cell, ticks) in swept.chain(stands.cells().map(|cell| (cell, base..leaves))) {
                if let Some(cell) = view.grid().id(cell) {
                    table.store.claim_throughout(cell.0, ticks, agent.id.0, |_| {});
                }
            }
        }
        Self { table, search: SpaceTime::new(), draft: Vec::new(), blocker: None }
    }

    /// Reserves the steps of a unit along a way over the known world, or others that lead as near to its end. Answers the first of them,
    /// if there are any, and how many nodes were expanded.
    pub(super) fn reserve(
        &mut self,
        view: &View<'_>,
        known: &Grid,
        id: AgentId,
        way: &[CellId],
        (window, room): (u32, u64),
    ) -> (Option<Plan>, u64) {
        let graph = GridGraph::of(known, view.rules(), view.agent(id));
        let (start, now) = (view.unit(id).at, view.tick());
        let Some(&goal) = way.last() else { return (None, 0) };
        let mut expanded = 0;
        if !self.along(&graph, (start, now), id, way) {
            let step = view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N));
            let query = Query {
                owner: id.0,
                start: start.0,
                tick: now,
                goal: goal.0,
                ending: Ending::Window(window * step),
                penalty: 0,
                passes: false,
                toll: 0,
                still_from: Tick::MAX,
                room: room.min(ROOM),
                again: false,
            };
            let mut far = TrueDistance::new(&graph, goal.0, Some(start.0));
            Heuristic::<GridGraph<'_>>::allow(&mut far, query.room);
            let ground = Ground { graph: &graph, table: &self.table, toll: |_| 0 };
            let before = self.search.expanded();
            let found = self.search.search(&ground, &mut far, &query, &mut self.draft, |_, _| {}, |_| false);
            expanded = self.search.expanded() - before + far.expanded();
            if !matches!(found, Found::Path(_)) {
                self.draft.clear();
            }
        }
        for step in &self.draft {
            self.table.reserve(&graph, id.0, (step.from, step.to), step.tick, step.duration, |_| {});
        }
        (self.draft.first().map(|step| (step.action, self.blocker)), expanded)
    }

    /// Drafts the steps along a way; answers whether all of them are free.
    fn along(&mut self, graph: &GridGraph<'_>, from: (CellId, Tick), id: AgentId, way: &[CellId]) -> bool {
        let (mut at, mut tick) = (from.0.0, from.1);
        self.draft.clear();
        self.blocker = None;
        for &to in way {
            let mut next = None;
            graph.edges(at, |edge| next = next.or((edge.to == to.0).then_some(edge)));
            let Some(edge) = next else { return false };
            if self.table.admits(graph, id.0, at, to.0, tick, edge.duration) != Some(0) {
                let blocker = &mut self.blocker;
                self.table.rivals(graph, id.0, (at, to.0), tick, edge.duration, |who| {
                    blocker.get_or_insert((AgentId(who), to));
                });
                return false;
            }
            self.draft.push(Step { from: at, to: to.0, tick, duration: edge.duration, action: edge.action });
            (at, tick) = (to.0, tick + Tick::from(edge.duration));
        }
        true
    }
}
