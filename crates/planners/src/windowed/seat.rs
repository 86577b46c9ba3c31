//! What one unit has planned and reserved.

use super::promotion::{HELD, LEVEL};
use std::sync::Arc;
use throng_core::{CellId, Reason, Tick};
use throng_search::abstraction::Progress;
use throng_search::{CarShape, Step};

/// A unit's place in the cooperation. What is looked at in every tick comes first and fills two cache lines: in a large
/// crowd none of it is at hand any more when the next tick comes.
#[repr(C, align(64))]
#[derive(Clone, Debug, Default)]
pub(super) struct Seat {
    /// Its reserved steps without gaps; those that are over come first until they are dropped.
    pub path: Vec<Step>,
    /// How many steps of `path` are over.
    pub done: usize,
    /// How many of those no longer hold reservations.
    pub freed: usize,
    /// Where the path leads.
    pub goal: CellId,
    /// The leg it is on and where that leads.
    pub leg: Option<u32>,
    pub target: CellId,
    /// It has done its task; where it is going is where it rests.
    pub idle: bool,
    /// Every how many ticks it plans anew.
    pub rhythm: u32,
    /// Whether this controller moves it.
    pub mine: bool,
    /// Whether its path came from a search; otherwise it stands and holds its cell.
    pub planned: bool,
    /// Queued to plan in this tick.
    pub queued: bool,
    /// Whether it has ever had its turn.
    pub awake: bool,
    /// Where it is parked.
    pub parked: Option<u32>,
    /// Where it stands, or is about to, until somebody leaves who holds its place: it rests there as others do at their
    /// goals.
    pub stands: Option<u32>,
    /// The rank at which it plans because somebody promoted needs it out of the way, and who that is; until it has
    /// had its turn.
    pub pushed: Option<(u32, u32)>,
    /// Searches in this tick.
    pub searches: u32,
    /// Where its true distances are, most likely.
    pub field: u32,
    /// How far it has come on its way to its goal, if corridors guide it.
    pub progress: Progress,
    /// Whose distances it shares.
    pub kind: u32,
    /// How many nodes a cell is to it.
    pub poses: u32,
    /// What its curves cover, if it drives any.
    pub car: Option<Arc<CarShape>>,
    /// Ticks that its straight step takes, and that it takes at its fastest.
    pub step: u32,
    pub quick: u32,
    /// How far ahead it plans, in ticks.
    pub depth: u32,
    /// Where it is counted as part of the crowd.
    pub block: Option<u32>,
    /// Whether it stands because its last search found nothing; otherwise because it has not had its turn or
    /// the budget ended first.
    pub answered: bool,
    /// Who pushed it when it planned its path.
    pub yields: Option<u32>,
    /// Its goal cannot be reached at all.
    pub hopeless: Option<Reason>,
    /// Somebody has taken some of its reservations since it planned.
    pub robbed: bool,
    /// How many ticks ahead its searches begin, because they take several.
    pub lead: u32,
    /// How many lower priorities there are than its own.
    pub level: u32,
    /// What its promotion gave it; 0 if it is not promoted.
    pub rank: u32,
    /// Whether it is told the way around those who hold their place, or has found that there is none.
    pub around: bool,
    pub through: bool,
    /// When it last looked for a way around those who rest.
    pub turned: Tick,
    /// How often it has left where it rests since it came there first.
    pub displaced: u32,
    /// The least distance to its goal so far, and since when.
    pub best: (u32, Tick),
}

impl Seat {
    /// The rank at which it plans unless somebody pushes it. On its way a unit of higher priority stands above
    /// everybody of lower priority, promoted or not. Once it has done its task the promoted may ask it to step aside,
    /// and while it goes back it must not drive them out again: they would never get past.
    pub(super) fn own_rank(&self) -> u32 {
        match self.parked {
            // Whoever holds its place keeps it, whoever comes.
            _ if !self.mine => HELD,
            None if !self.idle => LEVEL * self.level + self.rank,
            _ => self.rank.max(self.level),
        }
    }

    /// The map or its place on it has changed: there may be a way to where it was to go.
    pub(super) fn hope(&mut self) {
        if self.hopeless.take().is_some() {
            // What it is to do is looked up again.
            self.leg = None;
        }
    }

    /// Lets its next search begin farther ahead, since this one did not end in time.
    pub(super) fn look_farther_ahead(&mut self) {
        self.lead = self.lead.saturating_mul(2).max(self.step);
    }

    /// Steps that are not over.
    pub(super) fn ahead(&self) -> &[Step] {
        &self.path[self.done..]
    }

    /// Whether its path has it at a node at a tick, as far as it reaches.
    pub(super) fn leads_to(&self, node: u32, tick: Tick) -> bool {
        match self.path.iter().rfind(|step| step.tick < tick) {
            Some(last) => last.to == node && last.end() == tick,
            None => self.path.first().is_none_or(|first| first.from == node && first.tick == tick),
        }
    }

    /// Until when it has a path.
    pub(super) fn end(&self) -> Option<Tick> {
        self.path.last().map(Step::end)
    }

    /// Drops all steps from `base` on and those that are over; neither may hold reservations any more.
    pub(super) fn cut(&mut self, base: Tick) {
        let keep = self.path.iter().position(|s| s.tick >= base).unwrap_or(self.path.len());
        self.path.truncate(keep);
        self.path.drain(..self.done.min(keep));
        (self.done, self.freed) = (0, 0);
    }
}
