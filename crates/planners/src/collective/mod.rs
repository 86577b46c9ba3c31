//! Collective pathfinding in dynamic environments (`collective`): reserve a little ahead, slow down before you detour, and
//! let the most delayed go first.
//!
//! Everybody knows the shortest way from A*, and in every tick reserves the next `visibility` cells of it, in the order of
//! delay. Whoever would meet somebody there goes slower, with its waits spread over the cells before the meeting point; if
//! that would make it slower than `threshold`, it takes another way around the reservations. How all of them reserve is told
//! in `ahead`.
//!
//! Source: Astengo-Noguez and Calzada Gómez, "Collective Pathfinding in Dynamic Environments" (2009), the grid algorithm.
//! Where its pseudocode is silent or cannot be meant so:
//!
//! * *The table.* As written, a unit would collide with its own reservations of the loop before. Here each loop is a tick and
//!   reserves anew, so that the most delayed really comes first, and not only to what nobody has reserved yet.
//! * *A unit that collides.* As written, it neither moves nor reserves in that loop, though it may have slowed down, and
//!   others may then reserve the cell it stands on. Here a new speed is tried in the same turn, as often as collisions come
//!   up before it is too low; who finds neither a speed nor a way keeps its own cell and overrides whoever had reserved it.
//! * *The delay.* The text sets it to 0 whenever a unit is not in anybody's way, the pseudocode never does. Here it is what
//!   the unit is behind its way alone, waits and detours alike, until it arrives: what it has lost once still counts.
//! * *The new way* is searched from the goal to the position, which tells how far every cell is; but from there nobody knows
//!   when it will be where. So the part for which there are reservations is searched from the position, guided by those
//!   distances.
//! * *Starvation and corridors*: see `ahead`.
//!
//! Guarantees: deterministic; no collisions and no cancelled moves among its own units; neither complete nor optimal. Cost of
//! a tick: `visibility` entries per unit, and a search for each that would be too slow.

use crate::ahead::{Ahead, Manner, Mind, SavedFields, explain};
use core::cmp::Reverse;
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, Change, Controller, Observer, SnapshotError, Tick, View,
};
use throng_search::Workers;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many straight steps ahead a unit reserves and sees what others have reserved.
    pub visibility: u32,
    /// In percent of full speed: who would have to go slower takes another way.
    pub threshold: u32,
    /// Who reserves first.
    pub order: Order,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

/// Who reserves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The most delayed.
    Delay,
    /// Whoever set out first.
    Arrival,
}

/// The controller.
#[derive(Debug)]
pub struct Collective {
    settings: Settings,
    ahead: Ahead,
    order: Vec<AgentId>,
}

impl Collective {
    /// A controller for one world.
    #[must_use]
    pub fn new(settings: Settings, workers: Arc<Workers>) -> Self {
        let (steps, threshold) = (settings.visibility.max(1), settings.threshold.clamp(1, 100));
        let manner = Manner { steps, threshold, clear: false, around: false };
        Self { settings, ahead: Ahead::new(manner, workers, settings.memory), order: Vec::new() }
    }

    /// Those who go first by right, then as the settings say; whoever has done its task comes after all others.
    fn sort(&mut self, view: &View<'_>) {
        self.order.clear();
        self.order.extend_from_slice(view.mine);
        let (now, ahead, order) = (view.tick(), &self.ahead, self.settings.order);
        let key = |id: &AgentId| {
            let mind: &Mind = &ahead.minds[id.index()];
            let rank = match order {
                Order::Delay => Tick::MAX - mind.delay(now),
                Order::Arrival => mind.set_out,
            };
            (ahead.rank(view, *id), Reverse(view.agent(*id).priority), rank, *id)
        };
        self.order.sort_by_cached_key(key);
    }
}

impl Controller for Collective {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.ahead.begin(view, budget, observer);
        self.sort(view);
        self.ahead.take_turns(view, &self.order, budget, observer, actions);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.ahead.changed(view, change);
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        postcard::to_allocvec(&(&self.ahead.minds, self.ahead.save())).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (minds, fields): (Vec<Mind>, SavedFields) =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        self.ahead.load(view, minds, fields)
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        explain(&self.ahead, view, agent)
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        self.ahead.intended(view, agent)
    }
}
