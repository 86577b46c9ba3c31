//! Saving a cooperation and taking it up again.

use super::cooperation::Cooperation;
use super::planning::claim;
use super::promotion::Promotions;
use super::seat::Seat;
use serde::{Deserialize, Serialize};
use throng_core::{Action, CellId, Reason, SnapshotError, Tick, View};
use throng_search::reservations::Store;
use throng_search::{FieldKey, GridGraph, SavedField, Step};

/// What later decisions depend on. Reservations follow from the paths; true distances are saved as the
/// recipe by which they are built anew.
#[derive(Serialize, Deserialize)]
struct Saved {
    clock: Option<Tick>,
    promotions: Promotions,
    seats: Vec<SavedSeat>,
    fields: Vec<SavedField>,
}

#[derive(Serialize, Deserialize)]
struct SavedSeat {
    goal: CellId,
    mine: bool,
    planned: bool,
    awake: bool,
    hopeless: bool,
    answered: bool,
    yields: Option<u32>,
    rank: u32,
    /// The rank of its reservations, which differs from its own while it is pushed or held.
    reserved_at: u32,
    best: (u32, Tick),
    first: Tick,
    from: u32,
    path: Vec<(Action, u32, u32)>,
}

impl<S: Store> Cooperation<S> {
    pub(super) fn save(&self) -> Vec<u8> {
        let seats = self.seats.iter().enumerate().map(|(index, seat)| {
            let ahead = seat.ahead();
            SavedSeat {
                goal: seat.goal,
                mine: seat.mine,
                planned: seat.planned,
                awake: seat.awake,
                hopeless: seat.hopeless.is_some(),
                answered: seat.answered,
                yields: seat.yields,
                rank: seat.rank,
                reserved_at: self.table.rank(index as u32),
                best: seat.best,
                first: ahead.first().map_or(0, |s| s.tick),
                from: ahead.first().map_or(0, |s| s.from),
                path: ahead.iter().map(|s| (s.action, s.to, s.duration)).collect(),
            }
        });
        let (clock, promotions) = (self.clock, self.promotions);
        let saved = Saved { clock, promotions, seats: seats.collect(), fields: self.fields.save() };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    pub(super) fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let n = view.scenario.agents().len();
        if saved.seats.len() != n {
            return Err(SnapshotError::Mismatch(format!("{} units for {n} agents", saved.seats.len())));
        }
        let on_map = |node: u32| (node as usize) < view.grid().len();
        (self.clock, self.promotions) = (saved.clock, saved.promotions);
        // Counted anew rather than believed: ending a promotion counts down from it.
        self.promotions.active = saved.seats.iter().filter(|s| s.rank != 0).count() as u32;
        let now = view.tick();
        let near = |tick: Tick| tick.abs_diff(now) <= 1 << 20;
        let ranked = self.promotions.active > 0 || saved.seats.iter().any(|s| s.reserved_at > 0);
        for (agent, saved) in view.scenario.agents().iter().zip(saved.seats) {
            let (mut at, mut tick) = (saved.from, saved.first);
            let known = &self.seats[agent.id.index()];
            let mut seat = Seat {
                step: known.step,
                rhythm: known.rhythm,
                level: known.level,
                goal: saved.goal,
                mine: saved.mine,
                planned: saved.planned,
                awake: saved.awake,
                answered: saved.answered,
                yields: saved.yields,
                rank: saved.rank,
                best: saved.best,
                ..Seat::default()
            };
            for (action, to, duration) in saved.path {
                if !on_map(at) || !on_map(to) || !near(tick) || !(1..=1000).contains(&duration) {
                    return Err(SnapshotError::Mismatch(format!("agent {}: a path off the map", agent.id)));
                }
                seat.path.push(Step { from: at, to, tick, duration, action });
                (at, tick) = (to, tick + Tick::from(duration));
            }
            if saved.hopeless {
                let (from, to) = (view.grid().cell(view.unit(agent.id).at), view.grid().cell(seat.goal));
                seat.hopeless = Some(Reason::Unreachable { agent: agent.id, from, to });
            }
            let graph = GridGraph::of(view.grid(), view.rules(), agent);
            let seats = &mut self.seats;
            let rob = |other: u32| seats[other as usize].robbed = true;
            claim(&mut self.table, &graph, agent.id.0, &seat.path, rob);
            if ranked {
                self.table.set_rank(agent.id.0, saved.reserved_at);
            }
            self.seats[agent.id.index()] = seat;
        }
        let fits = |f: &SavedField| {
            on_map(f.key.goal)
                && f.origin.is_none_or(on_map)
                && (1..=64).contains(&(f.key.kind & 0xff))
                && (1..=16).contains(&(f.key.kind >> 8))
        };
        let fields: Vec<_> = saved.fields.into_iter().filter(fits).collect();
        let graph = |key: FieldKey| GridGraph::of_kind(view.grid(), view.rules(), key.kind);
        self.fields.load(graph, &fields, &self.workers);
        Ok(())
    }
}
