//! Greedy followers (`dm-greedy`): one step ahead, every tick, and never a plan.
//!
//! A unit takes the step that costs least by the direction map, the straight way from there to its goal included, among those
//! to cells where nobody is; not back to where it has just come from unless there is nothing else. So it goes with the
//! traffic that others have made. It knows nothing of walls beyond the next step: where no lane leads around one, it may never
//! arrive.

use super::{LaneSettings, Lanes, SavedLanes};
use serde::{Deserialize, Serialize};
use throng_core::{
    Action, AgentId, Budget, Cause, CellId, Change, Controller, Dir, Directions, Observer, Regions,
    SearchKind, SnapshotError, Tick, View,
};
use throng_search::directions::{DirectionMap, LaneGraph};
use throng_search::{Graph, GridGraph};

/// The controller.
#[derive(Debug)]
pub struct Greedy {
    lanes: Lanes,
    /// By agent: where it was before the cell that it is in, and that cell.
    trails: Vec<Trail>,
    /// How many units are where, or about to leave.
    board: Vec<u8>,
    /// Where each of them is counted.
    counted: Vec<[CellId; 2]>,
    /// Where units can get at all; until the terrain changes.
    regions: Option<Regions>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Trail {
    before: CellId,
    at: CellId,
}

/// Nobody is counted there: the border before the map.
const NOBODY: [CellId; 2] = [CellId(0); 2];

impl Greedy {
    /// A controller for one world.
    #[must_use]
    pub const fn new(lanes: Lanes) -> Self {
        Self { lanes, trails: Vec::new(), board: Vec::new(), counted: Vec::new(), regions: None }
    }

    /// Counts everybody where it is; who has not moved is counted there already.
    fn count(&mut self, view: &View<'_>) {
        self.board.resize(view.grid().len(), 0);
        self.counted.resize(view.state.units.len(), NOBODY);
        for (id, (old, unit)) in self.counted.iter_mut().zip(&view.state.units).enumerate() {
            let new = if unit.gone { NOBODY } else { [unit.at, unit.from] };
            if *old != new {
                cover(&mut self.board, view, id, *old, u8::wrapping_sub);
                cover(&mut self.board, view, id, new, u8::wrapping_add);
                *old = new;
            }
        }
    }
}

/// Adds a unit to the cells of its body at two places, or takes it away.
fn cover(board: &mut [u8], view: &View<'_>, id: usize, places: [CellId; 2], change: fn(u8, u8) -> u8) {
    let agent = view.agent(AgentId(id as u32));
    for place in places {
        if agent.body == 1 || place == CellId(0) {
            board[place.index()] = change(board[place.index()], 1);
            continue;
        }
        let body = agent.actions(view.rules()).footprint(view.grid().cell(place), Action::Wait);
        for cell in body.cells().filter_map(|cell| view.grid().id(cell)) {
            board[cell.index()] = change(board[cell.index()], 1);
        }
    }
}

/// The step to take.
#[inline]
fn step(
    graph: &LaneGraph<'_>,
    (ground, swept): (&GridGraph<'_>, bool),
    board: &[u8],
    at: CellId,
    [goal, before]: [CellId; 2],
) -> Action {
    let aim = graph.aim(goal.0);
    let (mut best, mut back) = (u32::MAX, Action::Wait);
    let mut action = Action::Wait;
    graph.edges(at.0, |edge| {
        let taken = |node: u32| board[node as usize] != 0;
        // Where moves hold all that they cover, units beside a diagonal are in the way as well.
        let past = || swept && ground.crossing(at.0, edge.to).is_some_and(|(a, b)| taken(a) || taken(b));
        if taken(edge.to) || past() {
            return;
        }
        if edge.to == before.0 {
            back = edge.action;
            return;
        }
        let cost = graph.cost(at.0, &edge) + graph.estimate(edge.to, aim);
        if cost < best {
            (best, action) = (cost, edge.action);
        }
    });
    if action == Action::Wait { back } else { action }
}

impl Controller for Greedy {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.count(view);
        self.trails.resize(view.state.units.len(), Trail::default());
        let regions = self.regions.get_or_insert_with(|| Regions::of(view.grid(), 1));
        let LaneSettings { weight, .. } = self.lanes.settings();
        let map: &DirectionMap = self.lanes.look(view);
        // Units of one kind see one map.
        let mut known: Option<(u8, LaneGraph<'_>, GridGraph<'_>)> = None;
        let swept = !view.rules().graph_rules();
        let (now, mut spent) = (view.tick(), 0);
        let limited = budget.limit() != u64::MAX && !view.mine.is_empty();
        let first = if limited { (now as usize * 7) % view.mine.len() } else { 0 };
        let (later, sooner) = view.mine.split_at(first);
        for &id in sooner.iter().chain(later) {
            let unit = view.unit(id);
            let trail = &mut self.trails[id.index()];
            if trail.at != unit.at {
                *trail = Trail { before: trail.at, at: unit.at };
            }
            if !unit.stands(now) {
                continue;
            }
            let goal = view.target(id);
            // Who goes by the next step alone would never find out that nothing leads there.
            if unit.at == goal || !regions.joined(unit.at, goal) || budget.should_stop(spent) {
                continue;
            }
            let agent = view.agent(id);
            let (_, graph, ground) = match known {
                Some(graphs) if graphs.0 == agent.period => graphs,
                _ => {
                    let ticks = agent.actions(view.rules()).duration(Action::Go(Dir::N));
                    let ground = GridGraph::of(view.grid(), view.rules(), agent);
                    *known.insert((agent.period, LaneGraph::new(ground, map, weight, ticks, 1), ground))
                }
            };
            let ends = [goal, trail.before];
            actions[id.index()] = step(&graph, (&ground, swept), &self.board, unit.at, ends);
            spent += 1;
            observer.expanded(id, SearchKind::Main, 1);
        }
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.lanes.changed(view, change);
        if let Change::Terrain(_) = change {
            self.regions = None;
        }
        // Whoever has come with the number of one that has left may be larger: count anew.
        self.board.clear();
        self.counted.clear();
        if let Change::Joined(id) | Change::Placed(id) | Change::Ordered(id) = change {
            self.trails.resize(view.state.units.len(), Trail::default());
            self.trails[id.index()] = Trail { before: CellId(0), at: view.unit(id).at };
        }
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        let (unit, goal) = (view.unit(agent), view.target(agent));
        let cut_off = self.regions.as_ref().is_some_and(|regions| !regions.joined(unit.at, goal));
        let ends = [unit.at, goal].map(|id| view.grid().cell(id));
        cut_off.then_some((unit.until.min(view.tick()), Cause::NoWay { from: ends[0], to: ends[1] }))
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        postcard::to_allocvec(&(&self.trails, self.lanes.save())).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (trails, lanes): (Vec<Trail>, Option<SavedLanes>) =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        self.lanes.load(view, lanes)?;
        self.trails = trails;
        Ok(())
    }

    fn directions(&self, view: &View<'_>) -> Option<Directions> {
        self.lanes.learned(view)
    }
}
