//! Exploring (`explore`): many units see a world together that nobody knows.
//!
//! All units that know the same share one chart of it: how many steps it is from every cell to the frontier, where seen open
//! cells are beside unseen ones (heat); how strongly blocks of unknown cells draw (potential); and how units repel each other
//! (repulsion), and walls if asked to. Every unit takes the step that leads down over heat · h + repulsion · r + walls · w − potential · p. Whoever cannot take its
//! best step takes the next one that leads down, or waits; nobody asks for a step that somebody else of them takes.
//!
//! Source: "Multi-Agents Pathfinding" (Tan, Ho, Tan and Koh): its four methods are `explore`, `explore(potential=1)`,
//! `explore(repulsion=1,radius=…)` and both. Where it departs: the frontier is the target of the heat map, since a map that nobody knows
//! has no other; distances are in cells; a unit is not repelled by itself. A landscape of several fields has dips that lead
//! nowhere: a unit without a way down, that comes to the same cell for the third time, or of a team that has seen nothing new for long,
//! follows the heat alone until it has come to what it led to. Cells that somebody else blocks who stays are walls until it goes.
//! Whoever has nothing more to see makes way, also for others that come up to it.
//!
//! Guarantees: deterministic; everything that can be reached is seen in the end, unless somebody of others stands in the way for
//! good, or knowledge fades faster than it is gathered; not optimal; relies on the executor where others move, too.
//! Cost of a tick: the heat map around what lies between units and frontier, which is looked for again when anything new was
//! seen (budget: cells that this search takes), one hill per unit that has moved and per block that has become known, and eight cells
//! per unit. Where the budget ends before the search, units wait and it goes on in the next tick.
//!
//! Strangers, who tell nobody what they are about to do, may stand face to face; the session sends one of them aside (`aside`).
//!
//! Beyond the source: the frontier is shared out (`assign`), units look around on the way (`glance`), weights follow where a unit is
//! (`adapt`), and next steps are reserved (`window`); each is a file of its own and off unless asked for.

mod adapt;
mod aside;
mod assign;
mod board;
mod chart;
mod glance;
mod lookahead;
mod steps;
mod walk;

use assign::Shares;
use board::Board;
use chart::Chart;
use glance::Glances;
use lookahead::Plan;
use serde::{Deserialize, Serialize};
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Field, Observer, SearchKind,
    SnapshotError, Task, Tick, View,
};
use throng_search::landscape::Weights;
use walk::Walk;

/// So many cells are looked at before somebody asks whether the budget is used up.
const CHUNK: u64 = 4096;

/// What it is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How much each field counts, in ten thousandths; a step of heat counts as a hill of a hundred thousand.
    pub weights: Weights,
    /// How far units repel each other, in cells.
    pub radius: u32,
    /// How strongly, where they are: in hundred thousandths of a step.
    pub strength: i32,
    /// Side of the blocks that draw while they are unknown, in cells.
    pub block: u32,
    /// How far they do, in cells along rows and columns.
    pub reach: u32,
    /// How much it counts to be near walls, in ten thousandths.
    pub walls: i64,
    /// Up to how many cells away it does.
    pub margin: u32,
    /// How much resources and dangers count, in ten thousandths.
    pub sources: i64,
    /// Whether the frontier is shared out.
    pub assign: bool,
    /// What an unseen cell around an aim is worth, in hundredths of a step.
    pub gain: i64,
    /// With that: within how many steps units look around for where most is to be seen.
    pub glance: u32,
    /// Whether repulsion, potential and gain follow the shape of the map around a unit and who is near.
    pub adapt: bool,
    /// How many steps ahead units reserve that are sent somewhere or follow the heat alone.
    pub window: u32,
}

impl Settings {
    /// A step of heat, as a height.
    pub const STEP: i32 = chart::STEP;
}

/// Moves units that explore.
#[derive(Debug)]
pub struct Explorer {
    settings: Settings,
    chart: Option<Chart>,
    board: Board,
    shares: Shares,
    glances: Option<Glances>,
    /// By agent: where it goes to look around, in the tick that is being decided.
    nexts: Vec<Option<CellId>>,
    /// By agent: what it does next as far as it has looked ahead, in the tick that is being decided.
    plans: Vec<Option<Plan>>,
    /// By agent.
    walks: Vec<Walk>,
    /// Whether the budget ended before it was known where to go.
    starved: bool,
    wanted: Vec<CellId>,
    order: Vec<(i32, u32, AgentId)>,
    /// Whose last move was cancelled, in order.
    lost: Vec<AgentId>,
}

/// For snapshots.
#[derive(Serialize, Deserialize)]
struct Saved {
    walks: Vec<Walk>,
    shut: Vec<CellId>,
    shut_since: Tick,
    /// How far the search for distances has come, unless it has to begin anew anyhow.
    spent: Option<u64>,
    news: Tick,
    starved: bool,
}

impl Explorer {
    /// With these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            chart: None,
            board: Board::default(),
            shares: Shares::default(),
            glances: None,
            nexts: Vec::new(),
            plans: Vec::new(),
            walks: Vec::new(),
            starved: false,
            wanted: Vec::new(),
            order: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Takes over how the world is by now.
    fn prepare(&mut self, view: &View<'_>) -> &mut Chart {
        let Self { settings, chart, .. } = self;
        let chart = chart.get_or_insert_with(|| Chart::new(view, settings));
        free_again(chart, view);
        chart.update(view);
        chart.weigh(view);
        if settings.weights.repulsion != 0 {
            let place = |id: AgentId| {
                (id.index(), is_exploring(view, id).then(|| view.grid().cell(view.unit(id).at)))
            };
            chart.stand(view.mine.iter().map(|&id| place(id)));
        }
        chart
    }
}

/// Whether a unit has something to explore.
fn is_exploring(view: &View<'_>, id: AgentId) -> bool {
    let unit = view.unit(id);
    !unit.gone && unit.leg == 0 && view.agent(id).task.is_search()
}

/// Whether a unit stays where it is, whoever asks.
fn stays(view: &View<'_>, id: AgentId) -> bool {
    view.mine.binary_search(&id).is_err() || matches!(view.agent(id).task, Task::Hold)
}

/// Cells that nobody blocks any more.
fn free_again(chart: &mut Chart, view: &View<'_>) {
    let blocked = |cell: CellId| {
        let stands =
            |id: u32| view.state.units.get(id as usize).is_some_and(|unit| !unit.gone && unit.at == cell);
        (0..view.state.units.len() as u32).any(|id| stands(id) && stays(view, AgentId(id)))
    };
    let free: Vec<_> = chart.shut.iter().copied().filter(|&cell| !blocked(cell)).collect();
    free.into_iter().for_each(|cell| chart.shut(cell, false));
}

impl Controller for Explorer {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.walks.resize_with(view.state.units.len(), Walk::default);
        self.prepare(view);
        self.lost.clear();
        for &id in view.mine.iter().filter(|&&id| view.unit(id).stands(view.tick())) {
            if self.walks[id.index()].failed(view.unit(id).at) {
                self.lost.push(id);
            }
        }
        let mut used = 0;
        if self.settings.assign && !budget.should_stop(0) {
            // The rest is for the search for the frontier, which nobody can do without.
            used = self.assign(view, budget.limit() / 2);
        }
        let Self { chart: Some(chart), wanted, order, .. } = self else { return };
        let now = view.tick();
        let ready = |&id: &AgentId| is_exploring(view, id) && view.unit(id).stands(now);
        wanted.clear();
        wanted.extend(view.mine.iter().copied().filter(ready).map(|id| view.unit(id).at));
        let mut known = wanted.is_empty();
        while !known && !budget.should_stop(used) && used < budget.limit() {
            let (more, all) = chart.spread(wanted, CHUNK.min(budget.limit() - used));
            (used, known) = (used + more, all);
        }
        let mut tell = |used: u64| {
            if let (Some(&first), true) = (view.mine.first(), used > 0) {
                observer.expanded(first, SearchKind::Backwards, used);
            }
        };
        self.starved = !known;
        if !known {
            return tell(used);
        }
        // Whoever is nearer to the frontier goes first, so that others can follow.
        let steps = |id: AgentId| chart.heat.steps(view.unit(id).at).unwrap_or(u32::MAX);
        order.clear();
        order.extend(
            view.mine
                .iter()
                .filter(|id| ready(id))
                .map(|&id| (view.agent(id).priority.saturating_neg(), steps(id), id)),
        );
        order.sort_unstable();
        self.board.begin(view);
        self.nexts.clear();
        if self.settings.assign && self.settings.glance > 0 && !budget.should_stop(used) {
            used += self.look_around(view, budget.limit().saturating_sub(used));
        }
        self.plans.clear();
        if self.settings.window > 0 && !budget.should_stop(used) {
            used += self.look_ahead(view, budget.limit().saturating_sub(used));
        }
        used += self.step_aside(view, budget.limit().saturating_sub(used), actions);
        tell(used);
        self.step(view, actions);
        self.make_way(view, actions);
        self.look_again(view);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.walks.resize_with(view.state.units.len(), Walk::default);
        match change {
            Change::Terrain(cell) => {
                let open = view.grid().is_open_id(cell);
                self.chart.iter_mut().for_each(|chart| chart.touch(cell, open));
            }
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) => {
                self.walks[id.index()] = Walk::default();
            }
        }
        // A unit that has left is nobody's any more, and nobody would look for its hill.
        if let (Change::Left(id), Some(chart)) = (change, &mut self.chart) {
            chart.stand(core::iter::once((id.index(), None)));
        }
    }

    fn save(&self, view: &View<'_>) -> Vec<u8> {
        let saved = Saved {
            walks: self.walks.clone(),
            shut: self.chart.as_ref().map_or_else(Vec::new, |chart| chart.shut.clone()),
            shut_since: self.chart.as_ref().map_or(0, |chart| chart.shut_since),
            spent: self.chart.as_ref().filter(|chart| chart.is_current(view)).map(|chart| chart.spent),
            news: self.chart.as_ref().map_or(view.tick(), |chart| chart.news_by_now(view)),
            starved: self.starved,
        };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let inside =
            |cell: &CellId| cell.index() < view.grid().len() && view.grid().contains(view.grid().cell(*cell));
        let fits = |walk: &Walk| walk.cells().all(|cell| inside(&cell));
        if saved.walks.len() > view.state.units.len()
            || !saved.walks.iter().all(fits)
            || !saved.shut.iter().all(inside)
            || saved.news.max(saved.shut_since) > view.tick()
        {
            return Err(SnapshotError::Mismatch("the ways of its explorers".to_owned()));
        }
        self.walks = saved.walks;
        self.starved = saved.starved;
        let mut chart = Chart::new(view, &self.settings);
        saved.shut.into_iter().for_each(|cell| chart.shut(cell, true));
        chart.update(view);
        saved.spent.into_iter().for_each(|spent| chart.catch_up(spent));
        (chart.news, chart.shut_since) = (saved.news, saved.shut_since);
        self.chart = Some(chart);
        Ok(())
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        if !is_exploring(view, agent) {
            return None;
        }
        let (now, unit) = (view.tick(), view.unit(agent));
        if self.starved && unit.stands(now) {
            return Some((unit.until.min(now), Cause::AwaitsPlanner));
        }
        match self.walks.get(agent.index()).and_then(|walk| walk.blocker()) {
            Some((blocker, cell)) if unit.stands(now) => {
                let cell = view.grid().cell(cell);
                Some((unit.until.min(now), Cause::Occupied { blocker, cell }))
            }
            // How much is left, the session knows best.
            _ => None,
        }
    }

    /// To where it was sent, or else where the heat leads: other fields are weighed anew at every step.
    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, actions, grid) = (view.unit(agent), view.agent(agent).actions(view.rules()), view.grid());
        let aside = aside::place(view, agent).is_some();
        let (Some(chart), true) = (&self.chart, aside || is_exploring(view, agent)) else {
            return Vec::new();
        };
        let mut cells: Vec<CellId> =
            self.walks.get(agent.index()).map_or_else(Vec::new, |walk| walk.ahead(usize::MAX).collect());
        if cells.is_empty() && !aside {
            cells.extend(chart.descent(view, unit.at));
        }
        let (mut tick, mut at) = (unit.until.max(view.tick()), grid.cell(unit.at));
        let mut way = vec![(tick, at)];
        for to in cells.into_iter().map(|id| grid.cell(id)) {
            // Who has left its way since has none until it decides again.
            let Some(action) = Action::between(at, to) else { break };
            (tick, at) = (tick + Tick::from(actions.duration(action)), to);
            way.push((tick, at));
        }
        way
    }

    fn field(&self, view: &View<'_>, agent: AgentId, field: Field) -> Option<Vec<Option<i64>>> {
        let chart = self.chart.as_ref().filter(|_| is_exploring(view, agent))?;
        let at = view.grid().cell(view.unit(agent).at);
        chart.field(&self.settings.where_it_is(view, agent), agent, at, field)
    }
}
