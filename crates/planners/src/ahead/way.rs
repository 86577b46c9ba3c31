//! The way of a unit: how far it is, and which cells come next.

use super::{Ahead, Hop, Lot, Mind};
use throng_core::{Action, Agent, AgentId, Budget, CellId, Event, Observer, Tick, View};
use throng_search::{Graph as _, GridGraph};

impl Ahead {
    /// Lets all workers find the distances of those who have none yet, and notes how far everybody is. With a budget they
    /// are left to each unit's own turn, where they can be counted one by one.
    pub(super) fn prepare(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) {
        let new = |id: &&AgentId| self.minds[id.index()].first.is_none() && self.seats[id.index()].mine;
        let Some(&first) = view.mine.iter().find(new) else { return };
        if budget.is_tight() || budget.should_stop(0) {
            return;
        }
        let kind = self.seats[first.index()].kind;
        let wanted: Vec<_> =
            view.mine.iter().filter(new).map(|&id| (self.key(id), view.unit(id).at.0)).collect();
        let wanted: Vec<_> = wanted.into_iter().filter(|(key, _)| key.kind == kind).collect();
        let counts = self.counts();
        let graph = GridGraph::of_kind(view.grid(), view.rules(), kind);
        self.fields.prepare(&graph, &wanted, &self.workers);
        self.charge(first, counts, observer);
    }

    /// Finds out how far a unit is from its goal; answers whether it can get there and that is known.
    pub(super) fn measure(
        &mut self,
        view: &View<'_>,
        graph: &GridGraph<'_>,
        id: AgentId,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> bool {
        let (key, hint, at) = (self.key(id), self.seats[id.index()].field, self.minds[id.index()].at);
        let counts = self.counts();
        self.fields.allow(if budget.should_stop(self.spent) { 0 } else { self.left });
        let left = self.fields.with_near(graph, key, hint, at.0, |field| {
            let left = if field.settle(graph) { field.distance(graph, at.0) } else { None };
            // Whoever has no room for an answer does not know that there is none.
            if left.is_none() && (field.is_starved() || field.is_midway()) { Err(()) } else { Ok(left) }
        });
        self.seats[id.index()].field = self.fields.latest();
        self.charge(id, counts, observer);
        let (now, mind) = (view.tick(), &mut self.minds[id.index()]);
        match left {
            Ok(Some(left)) => {
                if mind.first.is_none() && now == 0 && view.agent(id).waypoints().len() == 1 {
                    observer.alone(id, Tick::from(left));
                }
                mind.note(left, graph.longest(), now);
                true
            }
            Ok(None) => {
                mind.give_up();
                mind.lot = Lot::Goes;
                observer.event(now, &Event::GaveUp { agent: id, at: view.grid().cell(at), blocked_by: None });
                // It rests from now on, and is served like those from the next tick on.
                false
            }
            Err(()) => {
                mind.lot = Lot::Awaits;
                false
            }
        }
    }

    /// Makes sure that a unit knows the next `count` cells of its way, or all of them up to its goal; answers whether it
    /// does. Among shortest ways it prefers to go straight on.
    pub(super) fn look_ahead(
        &mut self,
        graph: &GridGraph<'_>,
        id: AgentId,
        count: usize,
        observer: &mut dyn Observer,
    ) -> bool {
        let mind = &self.minds[id.index()];
        let (goal, key, hint) = (mind.goal.0, self.key(id), self.seats[id.index()].field);
        let far = mind.way.first().map_or(mind.at.0, |hop| hop.to);
        if mind.way.len() >= count || far == goal {
            return true;
        }
        let before = mind.way.get(1).map_or(mind.at.0, |hop| hop.to);
        let mut onward = far.wrapping_sub(before);
        let (missing, counts) = (count - mind.way.len(), self.counts());
        let mut more = Vec::new();
        self.fields.allow(self.left);
        let known = self.fields.with_near(graph, key, hint, far, |field| {
            let (mut at, mut left) = (far, field.distance(graph, far)?);
            while more.len() < missing && at != goal {
                let mut next = None;
                graph.edges(at, |edge| {
                    let nearer =
                        field.beside(graph, left, edge.to).is_some_and(|h| h + edge.duration == left);
                    if nearer && (next.is_none() || edge.to.wrapping_sub(at) == onward) {
                        next = Some(edge);
                    }
                });
                let edge = next?;
                onward = edge.to.wrapping_sub(at);
                (at, left) = (edge.to, left - edge.duration);
                more.push(Hop { to: at, run: false });
            }
            Some(())
        });
        self.charge(id, counts, observer);
        let way = &mut self.minds[id.index()].way;
        way.splice(0..0, more.into_iter().rev());
        known.is_some() || !way.is_empty()
    }
}

/// Drops the way of a unit unless it can be gone.
pub(super) fn keep_legal(view: &View<'_>, agent: &Agent, mind: &mut Mind) {
    let (grid, actions) = (view.grid(), agent.actions(view.rules()));
    let mut at = mind.at;
    let legal = mind.way.iter().rev().all(|hop| {
        let from = core::mem::replace(&mut at, CellId(hop.to));
        let step = (at.index() < grid.len()).then(|| Action::between(grid.cell(from), grid.cell(at)));
        let go = step.flatten().filter(|step| *step != Action::Wait);
        go.is_some_and(|go| actions.legal(grid, grid.cell(from), 0, go))
    });
    if !legal {
        mind.way.clear();
    }
}
