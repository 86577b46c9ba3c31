//! What units hold: the cells that they cover already, and those that they keep.

use super::entries::Entries;
use super::{Ahead, Seat, is_mine};
use crate::straight::straight_on;
use throng_core::{Action, AgentId, Dir, Event, Observer, Tick, View};
use throng_search::reservations::{NOBODY, Rule, Store, Table};
use throng_search::{Graph, GridGraph, Step};

impl Ahead {
    /// Frees what was reserved in the tick before, and lets everybody claim what it covers and cannot leave at once.
    pub(super) fn claim_places(&mut self, view: &View<'_>, table: &mut Table<Entries>) {
        let now = view.tick();
        for (index, seat) in self.seats.iter_mut().enumerate() {
            let id = AgentId(index as u32);
            let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
            give_back(table, &graph, id, seat);
            for (cell, from, until) in seat.fixed.drain(..) {
                table.store.release_throughout(cell, from..until, id.0);
                self.board[cell as usize] = 0;
            }
        }
        for (index, (seat, unit)) in self.seats.iter_mut().zip(&view.state.units).enumerate() {
            let id = AgentId(index as u32);
            (seat.mine, seat.turned, seat.deferred, seat.held, seat.searches) =
                (is_mine(view, id) && !unit.gone && !unit.is_late(now), false, false, false, 0);
            if unit.gone {
                continue;
            }
            let agent = view.agent(id);
            let actions = agent.actions(view.rules());
            seat.step = actions.duration(Action::Go(Dir::N));
            seat.quick = actions.duration(Action::Run(Dir::N)).min(seat.step);
            seat.kind = u32::from(agent.body) << 8 | u32::from(agent.period);
            // How long those who are late stay where they are nobody counts on.
            let base = if unit.is_late(now) { now } else { unit.until.max(now) };
            seat.base = (unit.at.0, base);
            let (from, to) = (view.grid().cell(unit.from), view.grid().cell(unit.at));
            if base > now {
                let action = actions.between(from, to, unit.pose).unwrap_or_default();
                let swept = actions.footprint(from, action).cells().filter_map(|cell| view.grid().id(cell));
                seat.fixed.extend(swept.map(|cell| (cell.0, now, base)));
            }
            // Where moves hold what they cover, nobody can have left before its quickest step is over; otherwise it may be
            // followed at once.
            let leaves = match table.rule() {
                Rule::Swap => base + 1,
                Rule::Hold if seat.mine || view.heading(id).is_some() => {
                    // Who stands cannot run at once: if its cell were free before it can have walked off, whoever counts on that would keep
                    // it there, and it would take the cell back, in every tick.
                    let runs = Dir::ALL.into_iter().any(|dir| actions.owns(unit.pose, Action::Run(dir)));
                    base + Tick::from(if runs { seat.quick } else { seat.step })
                }
                Rule::Hold => base + Tick::from(self.manner.steps * seat.step),
            };
            let body = actions.footprint(to, Action::Wait).cells().filter_map(|cell| view.grid().id(cell));
            seat.fixed.extend(body.map(|cell| (cell.0, base, leaves)));
            for &(cell, from, until) in &seat.fixed {
                table.store.claim_throughout(cell, from..until, id.0, |_| {});
                self.board[cell as usize] = id.0 + 1;
            }
        }
        // Nobody moves these, or somebody else does: they are taken to stay where they are, and strangers that move to go straight on.
        let mut ahead = core::mem::take(&mut self.draft);
        for (index, unit) in view.state.units.iter().enumerate() {
            if !self.seats[index].mine && !unit.gone {
                let id = AgentId(index as u32);
                let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
                ahead.clear();
                self.foresee(&graph, view, id, &mut ahead);
                self.keep(table, &graph, id, &ahead, view.is_stranger(id), &mut |_| {});
            }
        }
        self.draft = ahead;
    }

    /// Adds the steps that a stranger is about to take, as it was last seen to go: up to a wall, to where anybody is, or for half as far as
    /// anybody looks ahead. Nothing for one who stands.
    fn foresee(&self, graph: &GridGraph<'_>, view: &View<'_>, id: AgentId, steps: &mut Vec<Step>) {
        let Some(dir) = view.heading(id) else { return };
        let seat = &self.seats[id.index()];
        let end = seat.base.1 + Tick::from(self.manner.steps * seat.step / 2);
        let free = |cell: u32| [0, id.0 + 1].contains(&self.board[cell as usize]);
        straight_on(graph, dir, seat.base, end, steps, free);
    }

    /// Lets a unit have its own cell for as long as it looks ahead, or the one that steps lead to which it is expected to take, whoever
    /// had reserved it; `taken` hears of those.
    fn keep(
        &mut self,
        table: &mut Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        ahead: &[Step],
        stranger: bool,
        taken: &mut dyn FnMut(u32),
    ) {
        let depth = self.manner.steps * self.seats[id.index()].step;
        let seat = &mut self.seats[id.index()];
        give_back(table, graph, id, seat);
        claim_fixed(table, id, seat);
        let (at, base) = seat.base;
        // Where one who moves is to be later than that is anybody's guess. A stranger who stands may go on at any time: whoever kept away
        // from it would never be in its way, so that neither had a reason to make room.
        let sure = match (ahead, stranger) {
            ([], false) => depth,
            ([], true) => depth / 4,
            _ => depth / 2,
        };
        let end = base + Tick::from(sure.max(1));
        let (at, from) = ahead.last().map_or((at, base), |last| (last.to, last.end()));
        seat.steps.extend_from_slice(ahead);
        let waits =
            (from..end).map(|tick| Step { from: at, to: at, tick, duration: 1, action: Action::Wait });
        seat.steps.extend(waits);
        (seat.turned, seat.held) = (true, true);
        table.rule().each_stretch(&seat.steps, |step| {
            table.reserve(graph, id.0, (step.from, step.to), step.tick, step.duration, &mut *taken);
        });
    }

    /// [`Self::keep`] for a unit that can do nothing else; whoever had reserved its cell has another turn.
    pub(super) fn hold(
        &mut self,
        view: &View<'_>,
        table: &mut Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        observer: &mut dyn Observer,
    ) {
        let mut robbed: Vec<u32> = Vec::new();
        self.keep(table, graph, id, &[], false, &mut |other| robbed.push(other));
        robbed.sort_unstable();
        robbed.dedup();
        // The lowest number is to come first.
        for &other in robbed.iter().rev() {
            let seat = &mut self.seats[other as usize];
            if seat.turned && !seat.held {
                seat.turned = false;
                self.queue.push(AgentId(other));
                observer.event(view.tick(), &Event::Overridden { agent: AgentId(other), by: id });
            }
        }
    }

    /// Reserves the draft for a unit, and lets those who stand in its way have the next turns.
    pub(super) fn reserve(
        &mut self,
        table: &mut Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        observer: &mut dyn Observer,
    ) {
        let seat = &mut self.seats[id.index()];
        seat.steps.clear();
        seat.steps.extend_from_slice(&self.draft);
        table.rule().each_stretch(&seat.steps, |step| {
            table.reserve(graph, id.0, (step.from, step.to), step.tick, step.duration, |_| {});
        });
        if let (Some(first), Some(last)) = (seat.steps.first(), seat.steps.last()) {
            observer.reserved(id, first.tick, last.end());
        }
        for step in self.draft.iter().rev().filter(|step| step.from != step.to) {
            graph.covered(step.from, step.to, |cell| {
                let Some(other) = self.board[cell as usize].checked_sub(1) else { return };
                if other != id.0 && !self.seats[other as usize].turned {
                    self.queue.push(AgentId(other));
                }
            });
        }
    }

    /// Frees what a unit has reserved in this tick, but for what it covers.
    pub(super) fn start_over(&mut self, table: &mut Table<Entries>, graph: &GridGraph<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        give_back(table, graph, id, seat);
        claim_fixed(table, id, seat);
    }

    /// Whoever holds what such a step needs.
    pub(super) fn rival(
        table: &Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
        step: &Step,
    ) -> Option<AgentId> {
        let mut found = NOBODY;
        table.rivals(graph, id.0, (step.from, step.to), step.tick, step.duration, |other| {
            found = if found == NOBODY { other } else { found };
        });
        (found != NOBODY).then_some(AgentId(found))
    }
}

fn give_back(table: &mut Table<Entries>, graph: &GridGraph<'_>, id: AgentId, seat: &mut Seat) {
    table.rule().each_stretch(&seat.steps, |step| {
        table.release(graph, id.0, (step.from, step.to), step.tick, step.duration);
    });
    seat.steps.clear();
}

fn claim_fixed(table: &mut Table<Entries>, id: AgentId, seat: &Seat) {
    for &(cell, from, until) in &seat.fixed {
        table.store.claim_throughout(cell, from..until, id.0, |_| {});
    }
}
