//! Planning within a budget: who waits for its turn, and searches that take several ticks.
//!
//! A search that has not ended when the budget does goes on in the next tick. Its unit follows what it had
//! reserved meanwhile, so such a search has to begin where the unit will be by then: a few ticks ahead on its
//! path (its *lead*), and twice as many whenever that was not enough. Who stands all the while may take as long as it likes: its
//! search begins whenever it ends, and what it finds is looked over once more then. The same holds for corridors that are being laid.

use super::Guide;
use super::cooperation::Cooperation;
use super::crowding::SHALLOWEST;
use super::guide::Laying;
use super::holding::claim;
use super::ways::on_way;
use core::cmp::Reverse;
use serde::{Deserialize, Serialize};
use throng_core::{AgentId, CellId, Tick, View};
use throng_search::reservations::Store;
use throng_search::{Graph, Query, Step, TrueDistance};

/// A search that goes on in the next tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub id: AgentId,
    pub query: Query,
    pub goal: CellId,
    /// The rank at which it plans.
    pub rank: u32,
    /// The corridor that it searches in.
    pub corridor: Option<Laying>,
}

/// How a unit's search begins.
pub(super) enum Begun {
    /// With this to search for.
    Search(Query),
    /// Not at all: there is no way.
    NoWay,
    /// Not yet: how far it is from here is not known. What it had reserved from this tick on is released.
    Unknown(Tick),
}

/// One part in so many of a budget is for those who know how far they have to go while others do not.
const PART: u64 = 16;

impl<S: Store> Cooperation<S> {
    /// How many expansions are left in this tick once `used` are gone.
    pub(super) const fn room_after(&self, used: u64) -> u64 {
        if self.left == u64::MAX { u64::MAX } else { self.left.saturating_sub(used) }
    }

    /// Who plans next. Those who wait for the next tick do not wait any longer once they have been robbed: what
    /// they were to follow meanwhile is no longer theirs.
    pub(super) fn next(&mut self) -> Option<AgentId> {
        if self.queue.is_empty() && core::mem::take(&mut self.alarmed) {
            let (seats, queue) = (&self.seats, &mut self.queue);
            self.waiting.retain(|&id| {
                let robbed = seats[id.index()].robbed;
                if robbed {
                    queue.push_back(id);
                }
                !robbed
            });
        }
        self.queue.pop_front()
    }

    /// Whether it is not known yet how far a unit has to go: it takes a search from its goal to find out.
    fn is_stranger(&self, view: &View<'_>, id: AgentId) -> bool {
        let (at, _) = self.base(view, id);
        let (key, target) = (self.key(id), self.seats[id.index()].target.0);
        let known = |field: &TrueDistance, at| !field.is_midway() && field.known(at).is_some();
        on_way!(self.measured(view, id), graph => {
            graph.place(at) != target && !self.fields.peek(key).is_some_and(|f| known(f, graph.measured(at)))
        })
    }

    /// Lets those go first who have priority, and then those who know how far they have to go, or many new orders would stop everybody: their searches
    /// take hundreds of times as long. Answers after how many expansions it is the others' turn, and how many those
    /// are: the last ones in the queue.
    pub(super) fn known_first(&mut self, view: &View<'_>, limit: u64) -> (u64, usize) {
        if limit == u64::MAX || self.settings.guide != Guide::True {
            // Nobody else can search before one who has begun comes to an end.
            let laying = self.coarse.as_ref().and_then(|coarse| coarse.under_way());
            let begun = self.pending.as_ref().map(|pending| pending.id).or(laying);
            if let Some(place) = self.queue.iter().position(|&id| Some(id) == begun) {
                self.queue.make_contiguous()[..=place].rotate_right(1);
            }
            return (u64::MAX, 0);
        }
        if self.ranked() {
            let seats = &self.seats;
            self.queue.make_contiguous().sort_by_key(|id| Reverse(seats[id.index()].level));
        }
        let above = self.queue.iter().take_while(|id| self.seats[id.index()].level > 0).count();
        self.flagged.clear();
        let (begun, mut first) = (self.pending.as_ref().map(|pending| pending.id), None);
        for place in 0..self.queue.len() {
            let Some(id) = self.queue.pop_front() else { break };
            if Some(id) == begun {
                first = begun;
            } else if place >= above && self.is_stranger(view, id) {
                self.flagged.push(id.0);
            } else {
                self.queue.push_back(id);
            }
        }
        let strangers = self.flagged.len();
        self.queue.extend(self.flagged.drain(..).map(AgentId));
        // Nobody else can search before one who has begun comes to an end.
        first.into_iter().for_each(|id| self.queue.push_front(id));
        ((limit / PART).max(1), strangers)
    }

    /// The turn of those at the end of the queue has come; whoever knows its way has what they leave.
    pub(super) fn strangers_first(&mut self, strangers: usize) {
        if let Some(known) = self.queue.len().checked_sub(strangers) {
            self.queue.rotate_left(known);
        }
    }

    /// Lets everybody plan less far ahead while somebody has to wait for its turn: in a crowd a search costs about the
    /// square of its depth, and searches that come late are worth less than shallow ones.
    pub(super) fn fit_windows(&mut self) {
        let most = self.settings.window.longest().saturating_sub(SHALLOWEST);
        self.short =
            if self.waiting.is_empty() { self.short.saturating_sub(1) } else { most.min(self.short + 1) };
    }

    /// Lets a unit follow what it has reserved until there is time for it.
    pub(super) fn wait_its_turn(&mut self, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        (seat.queued, seat.answered) = (true, false);
        self.waiting.push_back(id);
    }

    /// The search that a unit had to leave off, if it can still use what that finds.
    pub(super) fn take_up(&mut self, id: AgentId, (at, earliest): (u32, Tick)) -> Option<Query> {
        let Pending { id: who, mut query, goal, rank, corridor } = self.pending.take()?;
        let seat = &mut self.seats[id.index()];
        if who != id || seat.robbed || goal != seat.target {
            return None;
        }
        if query.tick < earliest {
            // Who still stands there can as well begin now; others have gone on.
            if at != query.start {
                seat.look_farther_ahead();
                return None;
            }
            query.tick = earliest;
        }
        seat.searches += 1;
        self.table.set_rank(id.0, rank);
        if let Some(laying) = corridor {
            self.lay_again(&laying);
        }
        Some(query)
    }

    /// Where and when a unit's next path begins: now, or as far ahead on its present path as its searches take.
    pub(super) fn ahead_of(&self, view: &View<'_>, id: AgentId) -> (u32, Tick) {
        let (at, base) = self.base(view, id);
        let seat = &self.seats[id.index()];
        // Whom it pushes needs time to plan as well, unless there is enough for all in one tick.
        let lead = if seat.rank > 0 { seat.lead.max(self.lead / 2) } else { seat.lead };
        if lead == 0 || seat.robbed {
            return (at, base);
        }
        let from = base + Tick::from(lead.min(self.lead));
        let next = seat.ahead().iter().find(|step| step.tick >= from).map(|step| (step.from, step.tick));
        next.or_else(|| seat.path.last().map(|step| (step.to, step.end()))).unwrap_or((at, base))
    }

    /// Lets a unit whose search has not ended go on with what it had, from `base` on where that was released; if it
    /// cannot, it stays where it is.
    pub(super) fn go_on(&mut self, view: &View<'_>, graph: &impl Graph, id: AgentId, base: Tick) {
        if self.seats[id.index()].robbed {
            self.go_on_in_part(view, graph, id);
        } else if self.seats[id.index()].end() > Some(view.tick()) && self.retake(graph, id, base) {
            self.wait_its_turn(id);
        } else {
            self.hold(view, id);
        }
    }

    /// Lets a unit that cannot plan now follow as much of its path as is still its own; if that is nothing, it stays
    /// where it is.
    pub(super) fn go_on_in_part(&mut self, view: &View<'_>, graph: &impl Graph, id: AgentId) {
        let now = view.tick();
        if self.seats[id.index()].robbed {
            let ahead = self.seats[id.index()].ahead();
            // Nobody takes away what a unit is doing already.
            let free = |s: &&Step| {
                let admits = || self.table.admits(graph, id.0, s.from, s.to, s.tick, s.duration);
                s.tick < now || admits() == Some(0)
            };
            let kept = ahead.iter().take_while(free).count();
            let lasts = kept.checked_sub(1).is_some_and(|last| ahead[last].end() > now);
            let base = ahead.get(kept).map(|step| step.tick);
            if !lasts {
                self.hold(view, id);
                return;
            }
            if let Some(base) = base {
                self.release_ahead(graph, id, base);
                let seat = &mut self.seats[id.index()];
                seat.path.truncate(seat.done + kept);
            }
            let seat = &mut self.seats[id.index()];
            seat.robbed = false;
            // Some of it may have been taken and given back.
            let begun = seat.ahead().iter().take_while(|step| step.tick < now).count();
            claim(&mut self.table, graph, id.0, &seat.ahead()[begun..], |_| {});
            // Where it ends was part of the step that is gone as well.
            if let Some(last) = seat.path.last() {
                graph.covered(last.to, last.to, |place| {
                    self.table.claim(place, last.end(), id.0);
                });
            }
        }
        self.wait_its_turn(id);
    }

    /// Takes back the reservations of a path that was released, if all of it is still free.
    fn retake(&mut self, graph: &impl Graph, id: AgentId, base: Tick) -> bool {
        let ahead = self.seats[id.index()].ahead();
        let ahead = &ahead[ahead.iter().position(|s| s.tick >= base).unwrap_or(ahead.len())..];
        let free = self.is_free(graph, id, ahead);
        if free {
            claim(&mut self.table, graph, id.0, ahead, |_| {});
        }
        free
    }

    /// Whether a unit may go this way without taking anything from anybody above it.
    pub(super) fn is_free(&self, graph: &impl Graph, id: AgentId, path: &[Step]) -> bool {
        path.iter().all(|s| self.table.admits(graph, id.0, s.from, s.to, s.tick, s.duration).is_some())
    }
}
