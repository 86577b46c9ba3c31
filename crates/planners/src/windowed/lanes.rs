//! Windows on a direction map (`dm-whca`, `whca(wmax=…)`): steps against the lanes cost more, in the window as beyond it.
//!
//! True distances must be those of the map that steps are paid by, or waiting would seem cheaper than going. They would have to
//! be found anew whenever somebody moves; so units plan by a copy of the map, which is shown to them now and then: soon at
//! first, when there is much to learn, and later more and more rarely.

use super::cooperation::Cooperation;
use super::ways::Way;
use super::{Guide, Settings};
use crate::directions::{LaneSettings, Lanes, SavedLanes};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, Actions, AgentId, Budget, Change, Dir, DirectionVector, Directions, Observer, Rules, SearchKind,
    SnapshotError, Tick, View,
};
use throng_search::directions::{DirectionMap, LaneGraph};
use throng_search::reservations::Store;
use throng_search::{CarGraph, CarShape, Graph, GridGraph, SavedField, TrueDistance};

/// After so many straight steps the map is shown for the first time.
const FIRST: u32 = 16;

/// Each time it takes so many times as long as the last.
const RARER: u32 = 4;

/// And in the end so many straight steps.
const RAREST: u32 = 1024;

/// A direction map and what is shown of it.
#[derive(Debug)]
pub(super) struct Shown {
    lanes: Lanes,
    /// What units plan by.
    map: DirectionMap,
    /// When it is shown next, and after how many steps then.
    next: Option<Tick>,
    steps: u32,
}

/// What later decisions depend on.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedShown {
    lanes: Option<SavedLanes>,
    map: Vec<DirectionVector>,
    next: Option<Tick>,
    steps: u32,
}

impl Shown {
    pub(super) fn new(mut lanes: Lanes, view: &View<'_>) -> Self {
        let map = lanes.look(view).clone();
        Self { lanes, map, next: None, steps: FIRST }
    }

    /// Learns from what units did; answers whether it shows another map from now on.
    fn look(&mut self, view: &View<'_>, step: u32) -> bool {
        let now = view.tick();
        let learned = self.lanes.look(view);
        let next = *self.next.get_or_insert(now + Tick::from(self.steps * step));
        if now < next {
            return false;
        }
        let news = self.map != *learned;
        self.map.clone_from(learned);
        self.steps = (self.steps * RARER).min(RAREST);
        self.next = Some(now + Tick::from(self.steps * step));
        news
    }

    /// What has been learned.
    pub(super) fn learned(&self, view: &View<'_>) -> Option<Directions> {
        self.lanes.learned(view)
    }

    pub(super) fn changed(&mut self, view: &View<'_>, change: Change) {
        self.lanes.changed(view, change);
    }

    /// What units of one kind (see [`GridGraph::kind`]) move on, with these lanes. What they are charged depends on the kind
    /// alone, as distances do: runners by a step at a run.
    fn graph<'a, G: Graph<Measure: Clone>>(&'a self, graph: G, rules: Rules, kind: u32) -> LaneGraph<'a, G> {
        let step = Actions::new(rules, 1, kind as u8).duration(Action::Go(Dir::N));
        LaneGraph::new(graph, &self.map, self.lanes.settings().weight, step, (kind >> 8) as u8)
    }

    /// A saved field, built anew.
    pub(super) fn rebuilt(&self, view: &View<'_>, saved: &SavedField) -> TrueDistance {
        let (rules, kind) = (view.rules(), saved.key.kind);
        if kind < 1 << 16 {
            let ground = GridGraph::of_kind(view.grid(), rules, kind);
            return saved.rebuilt(self.graph(ground, rules, kind).measure());
        }
        let shape = Arc::new(CarShape::of_kind(rules, kind));
        saved.rebuilt(self.graph(CarGraph::new(view.grid(), rules, shape), rules, kind).measure())
    }

    pub(super) fn save(&self) -> SavedShown {
        let (lanes, map) = (self.lanes.save(), self.map.vectors().to_vec());
        SavedShown { lanes, map, next: self.next, steps: self.steps }
    }

    pub(super) fn load(&mut self, view: &View<'_>, saved: SavedShown) -> Result<(), SnapshotError> {
        let SavedShown { lanes, map, next, steps } = saved;
        self.lanes.load(view, lanes)?;
        if !self.map.take_up(map) || !(FIRST..=RAREST).contains(&steps) {
            return Err(SnapshotError::Mismatch("its direction map is of another world".to_owned()));
        }
        (self.next, self.steps) = (next, steps);
        Ok(())
    }
}

impl Settings {
    /// What these settings say about a direction map.
    pub(super) const fn lanes(&self) -> Option<LaneSettings> {
        match self.guide {
            Guide::Lanes(settings) => Some(settings),
            Guide::True | Guide::Level { .. } | Guide::Corridor { .. } => None,
        }
    }
}

impl<S: Store> Cooperation<S> {
    /// Learns; where another map is shown, distances are no longer true.
    pub(super) fn look_at_lanes(&mut self, view: &View<'_>) {
        let step = self.seats.iter().map(|seat| seat.step).max().unwrap_or(1);
        if !self.lanes.as_mut().is_some_and(|lanes| lanes.look(view, step)) {
            return;
        }
        self.fields.clear();
        self.pending = None;
        // As with terrain: how far it is has to be found anew; since when a unit has come no nearer stays.
        for seat in &mut self.seats {
            seat.best.0 = u32::MAX;
        }
    }

    /// Like the preparation of true distances, by the map that is shown.
    pub(super) fn prepare_lanes(
        &mut self,
        view: &View<'_>,
        first: AgentId,
        kind: u32,
        observer: &mut dyn Observer,
    ) -> u64 {
        // Distances of cars are found on demand.
        let Some(lanes) = self.lanes.take_if(|_| kind < 1 << 16) else { return 0 };
        self.wanted.retain(|(key, _)| key.kind == kind);
        let before = self.fields.expanded();
        let graph = lanes.graph(GridGraph::of_kind(view.grid(), view.rules(), kind), view.rules(), kind);
        self.fields.prepare(graph.measure(), &self.wanted, &self.workers);
        self.lanes = Some(lanes);
        let expanded = self.fields.expanded() - before;
        if expanded > 0 {
            observer.expanded(first, SearchKind::Backwards, expanded);
        }
        expanded
    }

    /// One unit's turn; answers the expansions.
    pub(super) fn plan_along_lanes(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        spent: u64,
        observer: &mut dyn Observer,
    ) -> u64 {
        let Some(lanes) = self.lanes.take() else { return 0 };
        let (rules, kind) = (view.rules(), self.seats[id.index()].kind);
        let used = match self.way(view, id) {
            Way::Steps(graph) => {
                let graph = lanes.graph(graph, rules, kind);
                self.plan_on::<_, false>(&graph, view, id, budget, spent, observer)
            }
            Way::Gaits(graph) => {
                let graph = lanes.graph(graph, rules, kind);
                self.plan_on::<_, false>(&graph, view, id, budget, spent, observer)
            }
            Way::Car(graph) => {
                let graph = lanes.graph(graph, rules, kind);
                self.plan_on::<_, false>(&graph, view, id, budget, spent, observer)
            }
        };
        self.lanes = Some(lanes);
        used
    }
}
