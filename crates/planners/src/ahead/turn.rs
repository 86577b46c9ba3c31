//! One unit's turn.

use super::entries::Entries;
use super::pace::{Clash, Pace};
use super::{Ahead, Hop, Lot, Yield};
use throng_core::{AgentId, Budget, CellId, Event, Observer, Tick, View};
use throng_search::reservations::Table;
use throng_search::{Ending, Found, Graph as _, GridGraph, Ground, Query, Step};

/// How often a unit may look for another way in one tick before it keeps its cell.
const SEARCHES: u32 = 8;

/// How often the depth of a search is halved at most.
const HALVINGS: u32 = 8;

impl Ahead {
    pub(super) fn turn(
        &mut self,
        view: &View<'_>,
        table: &mut Table<Entries>,
        id: AgentId,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) {
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        self.seats[id.index()].turned = true;
        self.start_over(table, &graph, id);
        let known = self.measure(view, &graph, id, budget, observer);
        if !known || !self.look_ahead(&graph, id, self.cells_ahead(id), observer) {
            return self.hold(view, table, &graph, id, observer);
        }
        let pace = self.pace(view, table, &graph, id);
        if let Pace::Slower(clash) | Pace::TooSlow(clash) = pace {
            self.minds[id.index()].trouble = Some(clash.by);
        }
        let clash = match pace {
            Pace::Full => {
                self.minds[id.index()].lot = Lot::Goes;
                return self.reserve(table, &graph, id, observer);
            }
            Pace::Slower(Clash { by, cell, tick }) => {
                let cell = view.grid().cell(CellId(cell));
                self.minds[id.index()].lot = Lot::Slows { by, cell, tick };
                return self.reserve(table, &graph, id, observer);
            }
            Pace::TooSlow(clash) => clash,
        };
        let before = self.seats.get(clash.by.index()).is_some_and(|other| other.mine && other.turned);
        if before && clash.by != id {
            let leg = self.minds[clash.by.index()].leg;
            let mind = &mut self.minds[id.index()];
            let since = mind.yields.filter(|old| old.to == clash.by).map_or(view.tick(), |old| old.since);
            mind.yields = Some(Yield { to: clash.by, leg, since });
        }
        let whole = self.manner.around || self.should_circle(view, id, clash.by);
        let found = if whole {
            self.around(view, table, &graph, id, budget, observer)
        } else {
            self.detour(view, table, &graph, id, budget, observer)
        };
        match found {
            Found::Path(_) if whole => {
                let lot = Lot::Detours { by: clash.by, cell: view.grid().cell(CellId(clash.cell)) };
                self.minds[id.index()].lot = lot;
                self.reserve(table, &graph, id, observer);
            }
            Found::Path(_) => {
                let mind = &mut self.minds[id.index()];
                mind.lot = Lot::Detours { by: clash.by, cell: view.grid().cell(CellId(clash.cell)) };
                mind.way.clear();
                let moves = self.draft.iter().rev().filter(|step| step.from != step.to);
                mind.way.extend(moves.map(|step| Hop { to: step.to, run: false }));
                self.reserve(table, &graph, id, observer);
            }
            Found::OutOfBudget => {
                self.minds[id.index()].lot = Lot::Awaits;
                self.hold(view, table, &graph, id, observer);
            }
            Found::Nothing => {
                let mut rivals = self.rivals(table, &graph, id);
                if rivals.is_empty() && clash.by != id {
                    rivals.push(clash.by);
                }
                let mind = &mut self.minds[id.index()];
                if !matches!(mind.lot, Lot::Stuck { .. }) {
                    let (at, blocked_by) = (view.grid().cell(mind.at), rivals.first().copied());
                    observer.event(view.tick(), &Event::GaveUp { agent: id, at, blocked_by });
                }
                // It cannot give way: now it is for the others to do so.
                (mind.lot, mind.yields) = (Lot::Stuck { rivals }, None);
                self.hold(view, table, &graph, id, observer);
            }
        }
    }

    /// How many cells of its way a unit has to know.
    pub(super) fn cells_ahead(&self, id: AgentId) -> usize {
        let seat = &self.seats[id.index()];
        (self.manner.steps * seat.step).div_ceil(seat.quick.max(1)) as usize
    }

    /// Looks for another way, as far ahead as units reserve; the rest of it counts by its true distance from the goal.
    fn detour(
        &mut self,
        view: &View<'_>,
        table: &Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Found {
        if let Some(found) = self.refuse(view, id, budget) {
            return found;
        }
        let (start, tick) = self.seats[id.index()].base;
        let query = Query {
            owner: id.0,
            start,
            tick,
            goal: self.minds[id.index()].goal.0,
            ending: Ending::Window(self.depth(id)),
            penalty: 0,
            passes: false,
            toll: 0,
            still_from: Tick::MAX,
            room: self.left,
            again: false,
        };
        let (key, hint, counts) = (self.key(id), self.seats[id.index()].field, self.counts());
        let (search, draft, nodes, spent) =
            (&mut self.search, &mut self.draft, observer.wants_nodes(), self.spent);
        let found = self.fields.with_near(graph, key, hint, start, |field| {
            let ground = Ground { graph, table, toll: |_| 0 };
            let visit = |at, tick| {
                if nodes {
                    observer.node(id, CellId(at), tick);
                }
            };
            search.search(&ground, field, &query, draft, visit, |more| budget.should_stop(spent + more))
        });
        self.charge(id, counts, observer);
        observer.replanned(id, view.tick());
        // Reservations are others in the next tick, so that a search cannot go on then: one that found no end looks
        // half as far the next time, and farther again when there was enough.
        let halved = &mut self.minds[id.index()].halved;
        match found {
            Found::OutOfBudget => *halved = (*halved + 1).min(HALVINGS),
            Found::Path(_) | Found::Nothing => *halved = halved.saturating_sub(1),
        }
        found
    }

    /// Whether a unit that has come no nearer for long on account of somebody at rest looks for a way around all who stand: those
    /// that it finds otherwise are no longer than it sees ahead.
    fn should_circle(&mut self, view: &View<'_>, id: AgentId, by: AgentId) -> bool {
        let (now, patience) = (view.tick(), self.patience(view, id));
        let rests = self.minds.get(by.index()).is_some_and(|other| other.rests());
        let mind = &mut self.minds[id.index()];
        let due = rests && mind.stalled(now) > patience && now.saturating_sub(mind.circled) > patience;
        if due {
            mind.circled = now;
        }
        due
    }

    /// How far ahead a unit looks for another way, in ticks.
    fn depth(&self, id: AgentId) -> u32 {
        let step = self.seats[id.index()].step;
        (self.manner.steps >> self.minds[id.index()].halved.min(HALVINGS)).max(1) * step
    }

    /// What a search for another way comes to that cannot be begun. If somebody had to wait for its turn in the tick before,
    /// those who are where they want to be search in every other tick only: they have theirs as soon as they stand in somebody's way, and would
    /// leave nothing to those who are not.
    fn refuse(&mut self, view: &View<'_>, id: AgentId, budget: &dyn Budget) -> Option<Found> {
        let seat = &mut self.seats[id.index()];
        seat.searches += 1;
        if seat.searches > SEARCHES {
            return Some(Found::Nothing);
        }
        let waits = self.starving && view.tick() % 2 == 1 && self.minds[id.index()].rests();
        (waits || self.left == 0 || budget.should_stop(self.spent)).then_some(Found::OutOfBudget)
    }

    /// Plans the whole rest of the way anew, around all who stand anywhere now. There is no path unless its first step can be
    /// taken now.
    fn around(
        &mut self,
        view: &View<'_>,
        table: &Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Found {
        if let Some(found) = self.refuse(view, id, budget) {
            return found;
        }
        let (start, goal) = (self.seats[id.index()].base.0, self.minds[id.index()].goal.0);
        let (counts, board) = (self.counts(), &self.board);
        let free = |from: u32, to: u32| {
            let empty = |cell: u32| board[cell as usize] == 0 || board[cell as usize] == id.0 + 1;
            graph.covers_only(from, to, empty).then_some(0)
        };
        self.scout.allow(self.left);
        let aim = graph.aim(goal);
        let found = self.scout.reach_by(graph, start, |n| graph.estimate(n, aim), |n| n == goal, 0, free);
        let mut cells = Vec::new();
        if found.is_some() {
            self.scout.way(start, goal, &mut cells);
        }
        let starved = self.scout.is_paused();
        self.charge(id, counts, observer);
        observer.replanned(id, view.tick());
        if starved {
            return Found::OutOfBudget;
        }
        let Some((_, cost)) = found else { return Found::Nothing };
        let way = &mut self.minds[id.index()].way;
        way.clear();
        way.extend(cells.iter().skip(1).rev().map(|&to| Hop { to, run: false }));
        match self.pace(view, table, graph, id) {
            Pace::Full | Pace::Slower(_) => Found::Path(cost),
            Pace::TooSlow(_) => Found::Nothing,
        }
    }

    /// Who holds the steps that a unit could take now, those towards its goal first.
    fn rivals(&self, table: &Table<Entries>, graph: &GridGraph<'_>, id: AgentId) -> Vec<AgentId> {
        let (at, tick) = self.seats[id.index()].base;
        let next = self.minds[id.index()].way.last().map(|hop| hop.to);
        let mut rivals = Vec::new();
        for towards in [true, false] {
            graph.edges(at, |edge| {
                let step = Step { from: at, to: edge.to, tick, duration: edge.duration, action: edge.action };
                if (Some(edge.to) == next) == towards
                    && let Some(other) = Self::rival(table, graph, id, &step)
                    && !rivals.contains(&other)
                {
                    rivals.push(other);
                }
            });
        }
        rivals
    }
}
