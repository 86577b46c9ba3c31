//! Guides coarser than true distances: a level of the map, or the corridor of a partial refinement.

use super::Guide;
use super::cooperation::Cooperation;
use super::planning::toll;
use crate::refinement;
use std::sync::Arc;
use throng_core::{AgentId, Budget, CellId, Observer, Rules, SearchKind, View};
use throng_search::abstraction::{
    Abstraction, CoarseGraph, Corridor, LevelGraph, Occupancy, Progress, Refinement, Refiner, Ruler,
};
use throng_search::reservations::Store;
use throng_search::{Found, Graph, GridGraph, Ground, Query, SavedField, TrueDistance};

/// A corridor that is jammed is widened by so many rings before it is given up.
const WIDER: u32 = 2;

/// What coarser guides need. All of it is scratch: it follows from the map and from what is asked.
#[derive(Debug)]
pub(super) struct Coarse {
    levels: Arc<Abstraction>,
    refiner: Refiner,
    corridor: Corridor,
    occupancy: Occupancy,
}

impl Coarse {
    pub(super) fn new(view: &View<'_>) -> Self {
        let levels = Arc::new(refinement::levels(view.scenario));
        let (refiner, corridor) = (Refiner::default(), Corridor::default());
        Self { levels, refiner, corridor, occupancy: Occupancy::default() }
    }

    /// Takes note of where everybody is, if that counts.
    pub(super) fn look(&mut self, view: &View<'_>, guide: Guide) {
        if matches!(guide, Guide::Corridor { crowd: 1.., .. }) {
            refinement::count(&self.levels, &mut self.occupancy, view);
        }
    }

    /// A cell has closed or opened.
    pub(super) fn mend(&mut self, view: &View<'_>, cell: CellId) {
        refinement::mend(Arc::make_mut(&mut self.levels), &mut self.occupancy, view, cell);
    }

    /// The level that guides units of one kind.
    fn level(&self, guide: Guide, rules: Rules, kind: u32) -> Option<LevelGraph<Arc<Abstraction>>> {
        let Guide::Level { level, lower_bound } = guide else { return None };
        let straight = throng_core::Actions::new(rules, 1, kind as u8)
            .duration(throng_core::Action::Go(throng_core::Dir::N));
        // Closings can take the highest level away.
        let level = level.min(self.levels.height());
        (level > 0).then(|| LevelGraph::in_ticks(Arc::clone(&self.levels), level, straight, lower_bound))
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
        let ground = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        if let Guide::Corridor { .. } = self.settings.guide {
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

    fn level_of(&self, view: &View<'_>, kind: u32) -> Option<LevelGraph<Arc<Abstraction>>> {
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
        let seat = &mut self.seats[id.index()];
        if seat.goal != seat.target {
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
        let (Guide::Corridor { k, first, width, crowd }, Some(coarse)) =
            (self.settings.guide, &mut self.coarse)
        else {
            return Some(None);
        };
        let seat = &mut self.seats[id.index()];
        let Coarse { levels, refiner, corridor, occupancy } = &mut **coarse;
        // Who is alone on its cell has nowhere to go to and nothing to plan.
        if levels.parent(0, start).is_none() && start == seat.target.0 {
            return Some(Some(0));
        }
        let k = if seat.progress.is_new() { first.min(k) } else { k };
        let how = Refinement { k: Some(k), width, level: None };
        let ends = [start, view.target(id).0];
        let crowding = |level, node| refinement::crowding(levels, occupancy, crowd, level, node);
        let crowding = (if crowd == 0 { 0 } else { refinement::MOST }, crowding);
        let far = refiner.lay(levels, ends, how, &mut seat.progress, room, crowding, corridor)?;
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
        let (Guide::Corridor { width, .. }, Some(coarse)) = (self.settings.guide, &mut self.coarse) else {
            return Found::Nothing;
        };
        let Coarse { levels, refiner, corridor, .. } = &mut **coarse;
        let ground = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let nodes = observer.wants_nodes();
        let (table, seat) = (&self.table, &self.seats[id.index()]);
        let toll = toll(&self.parked, &self.seats, id, query.toll);
        let (before, whole) = (self.search.expanded() + corridor.expanded(), query.room);
        for attempt in 0..3 {
            let used = self.search.expanded() + corridor.expanded() - before;
            let room = if query.room == u64::MAX { u64::MAX } else { query.room.saturating_sub(used) };
            let query = Query { room, ..*query };
            let guide = corridor.guide(levels, ground, query.goal, seat.step);
            let mut guide = if attempt < 2 { guide } else { guide.everywhere() };
            let visit = |at, tick| {
                if nodes {
                    observer.node(id, CellId(at), tick);
                }
            };
            let (at, found) = (Ground { graph, table, toll }, &mut self.found);
            match self.search.search(&at, &mut guide, &query, found, visit, |more| stop(used + more)) {
                Found::Nothing if attempt == 0 => {
                    let used = self.search.expanded() + corridor.expanded() - before;
                    let room = if room == u64::MAX { room } else { whole.saturating_sub(used) };
                    refiner.widen(levels, width + WIDER, room, corridor);
                }
                Found::Nothing => {}
                other => return other,
            }
        }
        Found::Nothing
    }
}
