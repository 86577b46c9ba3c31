//! Ranks: who may plan through whose reservations.
//!
//! Everybody has the rank of its priority, usually 0, until it is stuck: away from its goal and no nearer to it for a while. Then it is
//! promoted until it arrives. The longer it has been promoted the higher it stands, so there is always one
//! that nobody may hold up.

use super::seat::Seat;
use serde::{Deserialize, Serialize};
use throng_core::Tick;

/// Ranks of promotions lie this far apart; between them is room for those who are pushed.
const STEP: u32 = 1 << 12;
/// Ranks of one priority lie this far above those of the next lower one.
pub(super) const LEVEL: u32 = 1 << 27;
/// So many different priorities have ranks of their own.
pub const MOST_PRIORITIES: usize = (u32::MAX / LEVEL) as usize;
/// How many promotions can be told apart at once.
const MOST: u32 = LEVEL / STEP - 2;
/// The rank of a unit that found no path and stays: nobody plans through it in that tick.
pub(super) const HELD: u32 = u32::MAX;

/// Hands out ranks.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Promotions {
    /// Promotions since nobody was promoted.
    pub count: u32,
    /// Units promoted now.
    pub active: u32,
}

impl Promotions {
    /// The rank of one more promotion: below all before it, above everybody else.
    pub(super) fn promote(&mut self, seat: &mut Seat) {
        if seat.rank == 0 {
            if self.active == 0 {
                self.count = 0;
            }
            seat.rank = (MOST + 1 - self.count.min(MOST)) * STEP;
            self.count += 1;
            self.active += 1;
        }
    }

    /// Ends a promotion.
    pub(super) const fn demote(&mut self, seat: &mut Seat) {
        if seat.rank != 0 {
            seat.rank = 0;
            self.active -= 1;
        }
    }

    /// Notes how far a unit is from its goal; promotes it if it has come no nearer for `patience` ticks.
    /// Answers whether that has happened now.
    pub(super) fn note(&mut self, seat: &mut Seat, far: u32, now: Tick, patience: Tick) -> bool {
        let before = seat.rank;
        if far == 0 {
            self.demote(seat);
            seat.best = (0, now);
        } else if seat.best.1 > now || (far < seat.best.0 && seat.best.0 != u32::MAX) {
            seat.best = (far, now);
        } else {
            // Not known before: that is no headway.
            seat.best.0 = far.min(seat.best.0);
            if now - seat.best.1 >= patience {
                self.promote(seat);
            }
        }
        seat.rank > before
    }
}

/// The rank at which a unit plans that somebody of rank `by` pushes: below it, above all whom it may push.
pub(super) const fn pushed_by(by: u32) -> u32 {
    by.saturating_sub(2)
}

/// The ranks at which a unit in a corner gets out: past the one who pushes it, and if that is not enough past whoever
/// began it.
pub(super) const fn cornered_by(by: u32) -> [u32; 2] {
    let root = match by.checked_next_multiple_of(STEP) {
        Some(rank) => rank.saturating_add(1),
        None => HELD,
    };
    [by.saturating_add(1), root]
}
