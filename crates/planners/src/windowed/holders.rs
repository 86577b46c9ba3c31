//! Those who hold their place, as walls.
//!
//! True distances know nobody, so they may lead past a unit that was told to stay: to the nearer of two doors
//! though it stands in it. Whoever has got stuck is therefore told the way around all of them, if there is one. The
//! others are not: usually a window sees far enough, and distances would have to be found anew with every such
//! order.
//!
//! Those who rest make way when they are pushed. In a street that may not help: a slow one cannot flee as fast as a quick one comes after
//! it, and drives it back instead, for ever, though there is a way round the block. Whoever has pushed in vain for long is therefore
//! told the way around all who rest just then, too, if there is one, and pushes again if there is none; and so is who has been
//! driven from its goal again and again, by somebody else whom it drove away in turn.

use super::cooperation::Cooperation;
use super::planning::toll;
use super::ways::Way;
use std::sync::Arc;
use throng_core::{Action, Agent, AgentId, CellId, Grid, Task, Tick, View};
use throng_search::reservations::Store;
use throng_search::{Edge, Ending, FieldKey, Found, Graph, Ground, Query, Step};

/// Marks the kind of those whose distances lead around holders.
pub(super) const AROUND: u32 = 1 << 24;

/// For so many of its windows a unit pushes those who rest before it looks for a way around them.
const VAIN: u32 = 8;

/// So often a unit is driven from where it rests before it does the same.
const DISPLACED: u32 = 3;

/// The map with all of them as walls, made when somebody first needs it.
#[derive(Debug, Default)]
pub(super) struct Holders {
    known: bool,
    /// What those cover who rested when somebody had pushed in vain, in order.
    resters: Vec<CellId>,
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
                    wall(walls, cell);
                }
            }
        }
        if !self.resters.is_empty() {
            let walls = self.walls.get_or_insert_with(|| Arc::new(view.grid().clone()));
            self.resters.iter().for_each(|&cell| wall(walls, cell));
        }
    }

    /// What counts as walls besides those who hold their place.
    pub(super) fn resters(&self) -> &[CellId] {
        &self.resters
    }

    /// Others count as walls from now on.
    pub(super) fn set_resters(&mut self, mut cells: Vec<CellId>) {
        cells.sort_unstable();
        cells.dedup();
        *self = Self { resters: cells, ..Self::default() };
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

/// Makes a cell a wall, whatever the policy.
fn wall(walls: &mut Arc<Grid>, cell: CellId) {
    // This letter means a wall everywhere.
    let _ = Arc::make_mut(walls).set_letter(cell, b'@');
}

impl<S: Store> Cooperation<S> {
    /// Lets a unit that is stuck measure around holders, and one that no longer is as everybody does.
    pub(super) fn choose_ground(&mut self, view: &View<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        if seat.goal != seat.target {
            (seat.through, seat.stands) = (false, None);
        }
        let mut around = seat.rank > 0 && !seat.through;
        let long = |since: Tick| view.tick() >= since.saturating_add(Tick::from(VAIN * seat.depth));
        let in_vain = long(seat.best.1) || seat.displaced >= DISPLACED;
        // Where expansions are limited there is none to spare for that.
        if around && in_vain && long(seat.turned) && self.lead == 0 {
            seat.turned = view.tick();
            let resters = self.resting(view, id);
            self.change_walls(resters, view.tick());
        }
        let seat = &self.seats[id.index()];
        if around && !seat.around {
            self.holders.look(view);
            around = self.holders.walls.is_some();
        }
        if around != seat.around {
            self.set_around(id, around, view.tick());
        }
    }

    /// What all cover who rest, but for the unit that asks and whoever is where that one is to go.
    fn resting(&self, view: &View<'_>, id: AgentId) -> Vec<CellId> {
        let now = view.tick();
        let rests = |other: AgentId| {
            let (seat, unit) = (&self.seats[other.index()], view.unit(other));
            let stood = now.saturating_sub(unit.until) >= Tick::from(self.depth(id));
            let rests = if seat.mine { seat.idle && seat.parked.is_some() } else { stood };
            other != id && !unit.gone && unit.at != self.seats[id.index()].target && rests
        };
        let resting = view.scenario.agents().iter().take(self.seats.len()).filter(|agent| rests(agent.id));
        let covers = |agent: &Agent| {
            let at = view.grid().cell(view.unit(agent.id).at);
            agent.actions(view.rules()).footprint(at, Action::Wait)
        };
        let mut cells = Vec::new();
        for body in resting.map(covers) {
            cells.extend(body.cells().filter_map(|cell| view.grid().id(cell)));
        }
        cells
    }

    /// Others than before count as walls for all who go around them.
    fn change_walls(&mut self, resters: Vec<CellId>, now: Tick) {
        self.holders.set_resters(resters);
        self.fields.drop_where(|key: FieldKey| key.kind & AROUND != 0);
        for index in 0..self.seats.len() {
            if self.seats[index].around {
                self.set_around(AgentId(index as u32), false, now);
            }
        }
    }

    /// There is no way around them: only who holds its place can make one, so that nobody else need make way. Those who rest can be
    /// pushed as before.
    pub(super) fn go_through(&mut self, id: AgentId, now: Tick) {
        if !self.holders.resters().is_empty() {
            return self.change_walls(Vec::new(), now);
        }
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

    /// What a unit does that can only wait until somebody leaves: it queues up if it can, and steps aside for whoever
    /// needs its place if it must. A search for its goal would send it about for ever: to where nobody stands at the end
    /// of its window, though others are to stand there before and after.
    pub(super) fn wait_for_holders(
        &mut self,
        graph: &impl Graph,
        view: &View<'_>,
        id: AgentId,
        query: &Query,
        stop: impl FnMut(u64) -> bool,
    ) -> Found {
        let before = self.fields.expanded();
        if let Some(cost) = self.queue_up(graph, id, query) {
            return Found::Path(cost);
        }
        let room = query.room_after(self.fields.expanded() - before);
        // Nobody's way is marked, so that waiting is free everywhere.
        self.clear.begin(view.grid(), view.agent(id).body);
        let ground = Ground { graph, table: &self.table, toll: |_| 0 };
        let query = &Query { room, again: false, ..*query };
        self.search.search(&ground, &mut self.clear, query, &mut self.found, |_, _| {}, stop)
    }

    /// Lets a unit go as near to its goal as it can by the shortest way and stand there; answers the cost.
    fn queue_up<G: Graph>(&mut self, graph: &G, id: AgentId, query: &Query) -> Option<u32> {
        let Ending::Window(depth) = query.ending else { return None };
        let end = query.tick + Tick::from(depth);
        let (key, toll) = (self.key(id), toll(&self.parked, &self.seats, id, query.toll));
        let (table, path, measure) = (&self.table, &mut self.found, graph.measure());
        let free = |from, edge: &Edge, tick| {
            table.admits(graph, id.0, from, edge.to, tick, edge.duration) == Some(0)
        };
        path.clear();
        let cost = self.fields.with(measure, key, graph.measured(query.start), |field| {
            let (mut at, mut tick) = (query.start, query.tick);
            if !field.settle(measure) {
                return None;
            }
            while tick < end && !field.is_starved() {
                let known = field.distance(measure, graph.measured(at))?;
                let wait = Edge { to: graph.rest(at), duration: 1, action: Action::Wait };
                let mut next = free(at, &wait, tick).then_some(wait);
                graph.edges(at, |edge| {
                    let there = field.beside(measure, known, graph.measured(edge.to));
                    let nearer = there.is_some_and(|there| there + edge.duration == known);
                    if nearer && toll(graph.place(edge.to)) == 0 && free(at, &edge, tick) {
                        next = Some(edge);
                    }
                });
                let Edge { to, duration, action } = next?;
                path.push(Step { from: at, to, tick, duration, action });
                (at, tick) = (to, tick + Tick::from(duration));
            }
            let far = field.distance(measure, graph.measured(at)).filter(|_| !field.is_starved())?;
            Some((tick - query.tick) as u32 + far)
        });
        let last = self.found.last().filter(|last| cost.is_some() && last.action == Action::Wait);
        let stands = last.map(|last| graph.place(last.to));
        self.seats[id.index()].stands = stands;
        self.park(id, stands);
        cost
    }

    /// Somebody has begun or ceased to hold its place, or the map has changed.
    pub(super) fn holders_changed(&mut self, now: Tick) {
        self.change_walls(Vec::new(), now);
        for seat in &mut self.seats {
            (seat.through, seat.stands) = (false, None);
        }
    }

    /// The graph by which a unit is told its way.
    pub(super) fn measured<'a>(&'a self, view: &View<'a>, id: AgentId) -> Way<'a> {
        let seat = &self.seats[id.index()];
        Way::on(self.holders.ground(view, seat.around), view, id, seat.car.as_ref())
    }
}
