//! Guides coarser than true distances: a level of the map, or the corridor of a partial refinement.

use super::cooperation::Cooperation;
use super::crowding::{BLOCK, Room};
use super::jam::{Jams, Outside};
use super::planning::toll;
use super::seat::Seat;
use super::{Guide, Settings, Window};
use crate::refinement;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{AgentId, Budget, CellId, Observer, Rules, SearchKind, Tick, View};
use throng_search::abstraction::{
    Abstraction, CoarseGraph, Corridor, Floor, LevelGraph, Occupancy, Progress, Refinement, Refiner, Ruler,
    SavedRefinement,
};
use throng_search::reservations::Store;
use throng_search::{Found, Graph, GridGraph, Ground, Query, SavedField, Step, TrueDistance};

/// A corridor that is jammed is widened by so many rings: at once if there is no path in it at all, before it is given up, and
/// for every window in which its unit has come no nearer, since who waits in a jam has a path as well.
const WIDER: u32 = 2;

/// However long a unit waits, its corridor is widened no more than so many times.
const WIDEST: u32 = 7;

/// What coarser guides need. All of it is scratch: it follows from the map and from what is asked.
#[derive(Debug)]
pub(super) struct Coarse {
    levels: Arc<Abstraction>,
    refiner: Refiner,
    corridor: Corridor,
    /// Where everybody is.
    occupancy: Occupancy,
    /// Where everybody's path ends, unless that is its goal.
    ends: Occupancy,
    /// How the corridor is laid, as in [`Laying`].
    width: u32,
    attempt: u8,
    /// Whose corridor had no room to be laid.
    under_way: Option<UnderWay>,
}

/// The corridor of a search that goes on in the next tick, as whoever goes on lays it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Laying {
    /// The path that it is around, by places.
    path: Vec<u32>,
    /// Rings around it when it was laid first.
    width: u32,
    /// 0: as it was laid first; 1: wider; 2: given up.
    attempt: u8,
    /// How much of it has been measured, if not all.
    measured: Option<u64>,
}

/// A corridor that is being laid, which goes on in the next tick.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct UnderWay {
    pub id: AgentId,
    start: u32,
    goal: CellId,
    k: u32,
    width: u32,
}

impl Laying {
    /// Whether it lies on a map of so many cells.
    pub(super) fn fits(&self, cells: usize) -> bool {
        self.width < 1 << 8 && self.path.iter().all(|&place| (place as usize) < cells)
    }
}

impl Coarse {
    pub(super) fn new(levels: Arc<Abstraction>) -> Self {
        let (refiner, corridor) = (Refiner::default(), Corridor::default());
        let (occupancy, ends) = (Occupancy::default(), Occupancy::default());
        Self { levels, refiner, corridor, occupancy, ends, width: 0, attempt: 0, under_way: None }
    }

    /// The levels, for somebody else.
    pub(super) fn levels(&self) -> Arc<Abstraction> {
        Arc::clone(&self.levels)
    }

    /// The corridor at hand.
    fn laying(&self) -> Laying {
        let path = self.refiner.laid().map(|node| self.levels.name(1, node)).collect();
        Laying { path, width: self.width, attempt: self.attempt, measured: self.corridor.measured() }
    }

    /// Lays a corridor that was left off.
    fn lay_again(&mut self, laying: &Laying) {
        let width = if laying.attempt == 0 { laying.width } else { laying.width + WIDER };
        self.refiner.lay_again(&self.levels, &laying.path, width, laying.measured, &mut self.corridor);
        (self.width, self.attempt) = (laying.width, laying.attempt);
    }

    /// Takes note of where everybody is, if that counts.
    pub(super) fn look(&mut self, view: &View<'_>, settings: &Settings, seats: &[Seat]) {
        if matches!(settings.guide, Guide::Corridor { crowd: 1.., .. }) || settings.window.is_auto() {
            refinement::count(&self.levels, &mut self.occupancy, view);
        }
        if matches!(settings.guide, Guide::Corridor { jam: 1.., .. }) {
            for (index, (seat, unit)) in seats.iter().zip(&view.state.units).enumerate() {
                let end = seat.path.last().map_or(unit.at.0, |last| last.to);
                let counts = !unit.gone && end != seat.target.0;
                self.ends.put(&self.levels, index, counts.then_some(end));
            }
        }
    }

    /// The room around a place: a node as large as a block at least, and those beside it.
    pub(super) fn around(&self, place: u32) -> Room {
        let (levels, mut at, mut room) = (&*self.levels, (0, place), Room::default());
        while let Some(parent) = levels.parent(at.0, at.1) {
            at = (at.0 + 1, parent);
            if levels.weight(at.0, parent) as usize >= BLOCK * BLOCK {
                break;
            }
        }
        let (level, node) = at;
        if level > 0 {
            let mut add = |node| {
                room.open += levels.weight(level, node);
                room.taken += self.occupancy.units(level, node);
            };
            add(node);
            Floor::new(levels, level).edges(node, |edge| add(edge.to));
        }
        room
    }

    /// A cell has closed or opened.
    pub(super) fn mend(&mut self, view: &View<'_>, cell: CellId) {
        refinement::mend(Arc::make_mut(&mut self.levels), &mut self.occupancy, view, cell);
        self.ends.recount(&self.levels);
        self.under_way = None;
    }

    /// Whose corridor is being laid.
    pub(super) fn under_way(&self) -> Option<AgentId> {
        self.under_way.map(|under_way| under_way.id)
    }

    /// A unit is to plan anew.
    pub(super) fn leave_off(&mut self, id: AgentId) {
        self.under_way = self.under_way.filter(|under_way| under_way.id != id);
    }

    /// The corridor that is being laid, for a snapshot.
    pub(super) fn save(&self) -> Option<(UnderWay, SavedRefinement)> {
        Some((self.under_way?, self.refiner.save_laying(&self.levels, &self.corridor)))
    }

    /// Takes up what [`Self::save`] gave; answers whether it fits the map.
    pub(super) fn load(&mut self, (under_way, saved): (UnderWay, SavedRefinement)) -> bool {
        let ends = [under_way.start, under_way.goal.0];
        let cells = self.levels.len(0);
        self.under_way = Some(under_way);
        ends.iter().all(|&end| (end as usize) < cells)
            && under_way.width < 1 << 8
            && self.refiner.load_laying(&self.levels, ends, saved, &mut self.corridor)
    }

    /// The level that guides units of one kind.
    fn level(&self, guide: Guide, rules: Rules, kind: u32) -> Option<LevelGraph> {
        let Guide::Level { level, lower_bound } = guide else { return None };
        let straight = throng_core::Actions::new(rules, 1, kind as u8)
            .duration(throng_core::Action::Go(throng_core::Dir::N));
        // Closings can take the highest level away.
        let level = level.min(self.levels.height());
        (level > 0).then(|| LevelGraph::new(Arc::clone(&self.levels), level, straight, lower_bound))
    }

    /// A saved field, whose nodes are told by places, built anew.
    pub(super) fn rebuilt(&self, view: &View<'_>, guide: Guide, saved: &SavedField) -> Option<TrueDistance> {
        let level = self.level(guide, view.rules(), saved.key.kind)?;
        let mut saved = *saved;
        saved.past.origin = saved.past.origin.map(|place| level.node(place));
        Some(saved.rebuilt(&level))
    }
}

impl<S: Store> Cooperation<S> {
    /// Expansions of whatever guides units so far.
    #[inline(always)]
    pub(super) fn guided<const CORRIDOR: bool>(&self) -> u64 {
        match &self.coarse {
            Some(coarse) if CORRIDOR => coarse.refiner.expanded() + coarse.corridor.expanded(),
            _ => self.fields.expanded(),
        }
    }

    /// One unit's turn; answers the expansions.
    pub(super) fn plan_coarsely(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        if self.lanes.is_some() {
            return self.plan_along_lanes(view, id, budget, spent, observer);
        }
        let ground = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        // Where nobody can go anywhere there are no levels, and so no corridors.
        let levels = self.coarse.as_ref().is_some_and(|coarse| !coarse.levels.is_empty());
        if let (Guide::Corridor { .. }, true) = (self.settings.guide, levels) {
            return self.plan_on::<_, true>(&ground, view, id, budget, spent, observer);
        }
        match self.level_of(view, GridGraph::kind(view.agent(id))) {
            Some(level) => {
                let graph = CoarseGraph::new(ground, level);
                self.plan_on::<_, false>(&graph, view, id, budget, spent, observer)
            }
            // Nobody can go anywhere on this map, which true distances find out at once.
            None => self.plan_on::<_, false>(&ground, view, id, budget, spent, observer),
        }
    }

    fn level_of(&self, view: &View<'_>, kind: u32) -> Option<LevelGraph> {
        self.coarse.as_ref()?.level(self.settings.guide, view.rules(), kind)
    }

    /// Whether the levels say that there is no way.
    pub(super) fn is_cut_off(&self, start: u32, goal: CellId) -> bool {
        self.coarse.as_ref().is_some_and(|coarse| coarse.levels.common(start, goal.0).is_none())
    }

    /// Tells the nodes of a field by places: their numbers depend on what was before.
    pub(super) fn by_place(&self, view: &View<'_>, field: &mut SavedField) {
        let Some(level) = self.level_of(view, field.key.kind) else { return };
        let place = |node| level.place_in(node).unwrap_or(field.key.goal);
        field.past.origin = field.past.origin.map(place);
    }

    /// Like the preparation of true distances, on a coarser level.
    pub(super) fn prepare_coarse(
        &mut self,
        view: &View<'_>,
        first: AgentId,
        observer: &mut dyn Observer,
    ) -> u64 {
        let kind = GridGraph::kind(view.agent(first));
        if self.lanes.is_some() {
            return self.prepare_lanes(view, first, kind, observer);
        }
        let Some(level) = self.level_of(view, kind) else { return 0 };
        let mut wanted = core::mem::take(&mut self.wanted);
        wanted.retain(|&(key, place)| key.kind == kind && !self.is_cut_off(place, CellId(key.goal)));
        wanted.iter_mut().for_each(|(_, place)| *place = level.node(*place));
        let before = self.fields.expanded();
        self.fields.prepare(&level, &wanted, &self.workers);
        self.wanted = wanted;
        let expanded = self.fields.expanded() - before;
        if expanded > 0 {
            observer.expanded(first, SearchKind::Backwards, expanded);
        }
        expanded
    }

    /// How deep a unit searches within its corridor; at the beginning of a new way the first time less.
    pub(super) fn depth_in_corridor(&mut self, id: AgentId) -> u32 {
        let (depth, guide) = (self.depth(id), self.settings.guide);
        let begun = self.coarse.as_ref().and_then(|coarse| coarse.under_way()) == Some(id);
        let seat = &mut self.seats[id.index()];
        if seat.goal != seat.target && !begun {
            seat.progress = Progress::default();
        }
        match guide {
            Guide::Corridor { first, .. } if seat.progress.is_new() => depth.min(2 * first * seat.step),
            _ => depth,
        }
    }

    /// Lays the corridor of a unit; answers as [`Self::far`] does.
    pub(super) fn far_by_corridor(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        start: u32,
    ) -> Option<Option<u32>> {
        let room = self.left;
        let Settings { guide: Guide::Corridor { k, first, width, crowd, .. }, window, .. } = self.settings
        else {
            return Some(None);
        };
        let Some(coarse) = &mut self.coarse else { return Some(None) };
        let seat = &mut self.seats[id.index()];
        // Half of the window, which may depend on the crowd.
        let k = match window {
            Window::Fixed(_) => k,
            Window::Auto(_) => k.min(seat.depth / (2 * seat.step)).max(1),
        };
        let waited = view.tick().saturating_sub(seat.best.1) / Tick::from(seat.depth.max(1));
        let width = width + WIDER * waited.min(WIDEST.into()) as u32;
        let k = if seat.progress.is_new() { first.min(k) } else { k };
        let Coarse { levels, refiner, corridor, occupancy, under_way, width: rings, .. } = &mut **coarse;
        let goal = seat.target;
        let begun = under_way.take().filter(|begun| begun.id == id && begun.goal == goal);
        // Who is alone on its cell has nowhere to go to and nothing to plan.
        if levels.parent(0, start).is_none() && start == seat.target.0 {
            return Some(Some(0));
        }
        // One that was begun goes on as it was begun: what is laid by then leads there from nearby as well.
        let laid = begun.unwrap_or(UnderWay { id, start, goal, k, width });
        *rings = laid.width;
        let how = Refinement { k: Some(laid.k), width: laid.width, level: None };
        let (ends, room) = ([laid.start, goal.0], (room, begun.is_some()));
        let crowding = |level, node| refinement::crowding(levels, occupancy, crowd, level, node);
        let crowding = (if crowd == 0 { 0 } else { refinement::MOST }, crowding);
        let far = refiner.lay(levels, ends, how, &mut seat.progress, room, crowding, corridor);
        if far.is_none() {
            *under_way = Some(laid);
        }
        let far = far?;
        Some(far.map(|far| far * seat.step / Ruler::SCALE))
    }

    /// Searches a path to the end of the corridor around the reservations of the others; if there is none, in a
    /// wider one, then everywhere.
    pub(super) fn look_in_corridor<G: Graph>(
        &mut self,
        graph: &G,
        view: &View<'_>,
        id: AgentId,
        query: &Query,
        mut stop: impl FnMut(u64) -> bool,
        observer: &mut dyn Observer,
    ) -> Found {
        let (Guide::Corridor { jam, .. }, Some(coarse)) = (self.settings.guide, &mut self.coarse) else {
            return Found::Nothing;
        };
        let Coarse { levels, refiner, corridor, ends, width, attempt, .. } = &mut **coarse;
        let ground = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let nodes = observer.wants_nodes();
        let (table, seat) = (&self.table, &self.seats[id.index()]);
        let toll = toll(&self.parked, &self.seats, id, query.toll);
        let at = Ground { graph, table, toll };
        let before = self.search.expanded() + corridor.expanded();
        let mut visit = |at, tick| {
            if nodes {
                observer.node(id, CellId(at), tick);
            }
        };
        let left =
            |used: u64| if query.room == u64::MAX { u64::MAX } else { query.room.saturating_sub(used) };
        let mut again = query.again;
        if !again {
            *attempt = 0;
        }
        let (mut answer, mut used) = (Found::Nothing, 0);
        while *attempt < 3 {
            if corridor.measured().is_some() {
                again = false;
                let measured = refiner.measure_on(levels, left(used), corridor);
                used = self.search.expanded() + corridor.expanded() - before;
                if !measured {
                    answer = Found::OutOfBudget;
                    break;
                }
            }
            let query = Query { room: left(used), again, ..*query };
            let mut guide = corridor.guide(levels, ground, query.goal, seat.step);
            if *attempt == 2 {
                guide = guide.everywhere();
            }
            answer = self
                .search
                .search(&at, &mut guide, &query, &mut self.found, &mut visit, |more| stop(used + more));
            used = self.search.expanded() + corridor.expanded() - before;
            if answer != Found::Nothing {
                break;
            }
            if *attempt == 0 {
                refiner.widen(levels, *width + WIDER, left(used), corridor);
                used = self.search.expanded() + corridor.expanded() - before;
            }
            (*attempt, again) = (*attempt + 1, false);
        }
        if jam == 0 || !matches!(answer, Found::Path(_)) {
            return answer;
        }
        let start = graph.place(query.start);
        ends.put(levels, id.index(), Some(start));
        let jams = Jams::new(levels, ends, view.rules(), jam, [start, query.goal]);
        let end = |path: &[Step]| path.last().map_or(start, |last| graph.place(last.to));
        // Who is promoted, or makes way for somebody, goes wherever it must.
        let free = seat.rank > 0 || seat.pushed.is_some();
        let barred = !free && jams.bars(end(&self.found));
        if barred {
            let guide = corridor.guide(levels, ground, query.goal, seat.step);
            let guide = if *attempt == 2 { guide.everywhere() } else { guide };
            let query = Query { room: left(used), again: false, ..*query };
            let (mut outside, stop) = (Outside { guide, jams: &jams }, |more| stop(used + more));
            answer = self.search.search(&at, &mut outside, &query, &mut self.found, &mut visit, stop);
            if answer == Found::OutOfBudget {
                // It stays where it is: that is outside, too.
                answer = Found::Nothing;
            }
        }
        let end = if answer == Found::Nothing { start } else { end(&self.found) };
        ends.put(levels, id.index(), (end != query.goal).then_some(end));
        if barred {
            // It waits because it should: that is no reason to lose patience.
            let seat = &mut self.seats[id.index()];
            seat.best.1 = view.tick() + Tick::from(seat.depth);
        }
        answer
    }

    /// What a search within a corridor needs to go on in the next tick.
    pub(super) fn laying(&self) -> Option<Laying> {
        self.coarse.as_ref().map(|coarse| coarse.laying())
    }

    /// Takes a corridor up again.
    pub(super) fn lay_again(&mut self, laying: &Laying) {
        if let Some(coarse) = &mut self.coarse {
            coarse.lay_again(laying);
        }
    }
}
