//! Those who hold their place, as walls.
//!
//! True distances know nobody, so they may lead past a unit that was told to stay: to the nearer of two doors
//! though it stands in it. Whoever has got stuck is therefore told the way around all of them, if there is one. The
//! others are not: usually a window sees far enough, and distances would have to be found anew with every such
//! order.

use super::cooperation::Cooperation;
use super::ways::Way;
use std::sync::Arc;
use throng_core::{Action, AgentId, Grid, Task, Tick, View};
use throng_search::reservations::Store;
use throng_search::{Ending, FieldKey, Graph, Query, Step};

/// Marks the kind of those whose distances lead around holders.
pub(super) const AROUND: u32 = 1 << 24;

/// The map with all of them as walls, made when somebody first needs it.
#[derive(Debug, Default)]
pub(super) struct Holders {
    known: bool,
    /// `None` if there are none.
    walls: Option<Arc<Grid>>,
}

impl Holders {
    /// Looks who there is, unless that is known.
    pub(super) fn look(&mut self, view: &View<'_>) {
        if core::mem::replace(&mut self.known, true) {
            return;
        }
        self.walls = None;
        let holds = |id: AgentId| !view.unit(id).gone && matches!(view.agent(id).task, Task::Hold);
        for agent in view.scenario.agents().iter().filter(|agent| holds(agent.id)) {
            let walls = self.walls.get_or_insert_with(|| Arc::new(view.grid().clone()));
            let at = view.grid().cell(view.unit(agent.id).at);
            for cell in agent.actions(view.rules()).footprint(at, Action::Wait).cells() {
                if let Some(cell) = view.grid().id(cell) {
                    // This letter means a wall everywhere.
                    let _ = Arc::make_mut(walls).set_letter(cell, b'@');
                }
            }
        }
    }

    /// The map for a unit that goes around them or not.
    pub(super) fn ground<'a>(&'a self, view: &View<'a>, around: bool) -> &'a Grid {
        self.walls.as_deref().filter(|_| around).unwrap_or(view.grid())
    }

    /// The map with walls for a unit that goes around them.
    pub(super) fn walls(&self, around: bool) -> Option<Arc<Grid>> {
        if around { self.walls.clone() } else { None }
    }
}

impl<S: Store> Cooperation<S> {
    /// Lets a unit that is stuck measure around holders, and one that no longer is as everybody does.
    pub(super) fn choose_ground(&mut self, view: &View<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        if seat.goal != seat.target {
            seat.through = false;
        }
        let mut around = seat.rank > 0 && !seat.through;
        if around && !seat.around {
            self.holders.look(view);
            around = self.holders.walls.is_some();
        }
        if around != seat.around {
            self.set_around(id, around, view.tick());
        }
    }

    /// There is no way around them: only who holds its place can make one, so that nobody else need make way.
    pub(super) fn go_through(&mut self, id: AgentId, now: Tick) {
        self.set_around(id, false, now);
        self.promotions.demote(&mut self.seats[id.index()]);
        self.seats[id.index()].through = true;
    }

    fn set_around(&mut self, id: AgentId, around: bool, now: Tick) {
        let seat = &mut self.seats[id.index()];
        // Distances of one kind are not to be compared with the other.
        (seat.around, seat.best) = (around, (u32::MAX, now));
        self.pending.take_if(|pending| pending.id == id);
    }

    /// Who can only wait until somebody leaves does so standing: where the path just found comes no nearer than that,
    /// it is given up for waiting, if nobody else needs the place.
    pub(super) fn stand_before_holders<G: Graph>(
        &mut self,
        graph: &G,
        id: AgentId,
        query: &Query,
        cost: u32,
    ) {
        let (Ending::Window(depth), at) = (query.ending, query.start) else { return };
        let far = self.fields.peek(self.key(id)).and_then(|field| field.known(graph.measured(at)));
        if self.seats[id.index()].pushed.is_some() || far.is_none_or(|far| cost < far + depth) {
            return;
        }
        let mut from = at;
        let waits = (query.tick..query.tick + Tick::from(depth)).map(|tick| {
            let to = graph.rest(from);
            let wait = Step { from, to, tick, duration: 1, action: Action::Wait };
            from = to;
            wait
        });
        let found = self.found.len();
        self.found.extend(waits);
        let free = |s: &Step| self.table.admits(graph, id.0, s.from, s.to, s.tick, 1) == Some(0);
        if self.found[found..].iter().all(free) {
            self.found.drain(..found);
        } else {
            self.found.truncate(found);
        }
    }

    /// Somebody has begun or ceased to hold its place, or the map has changed.
    pub(super) fn holders_changed(&mut self, now: Tick) {
        self.holders = Holders::default();
        self.fields.drop_where(|key: FieldKey| key.kind & AROUND != 0);
        for index in 0..self.seats.len() {
            self.seats[index].through = false;
            if self.seats[index].around {
                self.set_around(AgentId(index as u32), false, now);
            }
        }
    }

    /// The graph by which a unit is told its way.
    pub(super) fn measured<'a>(&'a self, view: &View<'a>, id: AgentId) -> Way<'a> {
        let seat = &self.seats[id.index()];
        Way::on(self.holders.ground(view, seat.around), view, id, seat.car.as_ref())
    }
}
