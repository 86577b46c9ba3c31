//! What planners may ask about units and the ground between two ticks' turns.

use super::{Ahead, Hop};
use throng_core::{AgentId, Budget, Observer, Tick, View};
use throng_search::{GridGraph, Step};

impl Ahead {
    /// Sets half of what is left of the budget aside, and answers how much.
    pub(crate) fn set_aside(&mut self) -> u64 {
        let aside = if self.left == u64::MAX { 0 } else { self.left.div_ceil(2) };
        self.left -= aside;
        aside
    }

    /// Takes back what was set aside.
    pub(crate) fn take_back(&mut self, aside: u64) {
        self.left = self.left.saturating_add(aside);
    }

    /// Where and when a unit can begin something new.
    pub(crate) fn base(&self, id: AgentId) -> (u32, Tick) {
        self.seats[id.index()].base
    }

    /// Ticks of a unit's straight step.
    pub(crate) fn step(&self, id: AgentId) -> u32 {
        self.seats[id.index()].step
    }

    /// Whether a unit may be moved.
    pub(crate) fn may_move(&self, id: AgentId) -> bool {
        self.seats.get(id.index()).is_some_and(|seat| seat.mine)
    }

    /// What a unit has reserved in this tick.
    pub(crate) fn steps(&self, id: AgentId) -> &[Step] {
        &self.seats[id.index()].steps
    }

    /// The crossing that a cell is part of, if crossings matter.
    pub(crate) fn crossing(&self, cell: u32) -> Option<u32> {
        self.crossings.at(cell)
    }

    /// How many cells of its way a unit can use in one tick.
    pub(crate) fn sight(&self, id: AgentId) -> usize {
        self.cells_ahead(id)
    }

    /// How long it takes from a cell to where a unit is going; nothing if that cannot be told now.
    pub(crate) fn distance(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        cell: u32,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Option<u32> {
        let (key, hint) = (self.key(id), self.seats[id.index()].field);
        if let Some(known) = self.fields.peek(key).and_then(|field| field.known(cell)) {
            return Some(known);
        }
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let counts = self.counts();
        self.fields.allow(if budget.should_stop(self.spent) { 0 } else { self.left });
        let far = self.fields.with_near(&graph, key, hint, self.seats[id.index()].base.0, |field| {
            if field.settle(&graph) { field.distance(&graph, cell) } else { None }
        });
        self.seats[id.index()].field = self.fields.latest();
        self.charge(id, counts, observer);
        far
    }

    /// The shortest way of a unit, from where it stands up to its goal, both included; nothing if that cannot be told now.
    pub(crate) fn whole_way(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Option<Vec<u32>> {
        let (at, goal) = (self.base(id).0, self.minds[id.index()].goal.0);
        self.distance(view, id, at, budget, observer)?;
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let before = core::mem::take(&mut self.minds[id.index()].way);
        self.look_ahead(&graph, id, usize::MAX, observer);
        let way = core::mem::replace(&mut self.minds[id.index()].way, before);
        let mut cells = vec![at];
        cells.extend(way.iter().rev().map(|hop: &Hop| hop.to));
        (cells.last() == Some(&goal)).then_some(cells)
    }

    /// The `count` cells that a unit can get to soonest and how long that takes, by cell.
    pub(crate) fn surroundings(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        count: u64,
        observer: &mut dyn Observer,
    ) -> Vec<(u32, u32)> {
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let (start, counts) = (self.base(id).0, self.counts());
        let mut seen = vec![start];
        self.scout.allow(count.min(self.left));
        self.scout.reach_by(
            &graph,
            start,
            |_| 0,
            |_| false,
            0,
            |_, to| {
                seen.push(to);
                Some(0)
            },
        );
        self.charge(id, counts, observer);
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().filter_map(|cell| Some((cell, self.scout.reached(cell)?))).collect()
    }

    /// A shortest way of a unit to a cell near it, both ends included; nothing if the budget ends first.
    pub(crate) fn way_to(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        cell: u32,
        observer: &mut dyn Observer,
    ) -> Option<Vec<u32>> {
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let (start, counts) = (self.base(id).0, self.counts());
        self.scout.allow(self.left);
        let found = self.scout.dijkstra(&graph, start, cell);
        self.charge(id, counts, observer);
        let mut way = Vec::new();
        found.is_some().then(|| self.scout.way(start, cell, &mut way))?;
        Some(way)
    }

    /// Who stands at a cell or is on its way into it.
    pub(crate) fn who_is_at(&self, cell: u32) -> Option<AgentId> {
        self.board[cell as usize].checked_sub(1).map(AgentId)
    }
}
