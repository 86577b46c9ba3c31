//! What one unit remembers from tick to tick: all that later decisions depend on.

use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Cell, CellId, Tick};

/// A cell to enter, and whether at a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Hop {
    pub(crate) to: u32,
    pub(crate) run: bool,
}

/// What one unit remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mind {
    /// The leg that it is on and where that leads; nothing until it was first seen.
    pub(crate) leg: Option<u32>,
    pub(crate) goal: CellId,
    /// Where it was to go, if nothing leads there on this map. Until that changes it rests where it is (its `goal`), and steps
    /// aside like everybody who rests.
    pub(crate) cut_off: Option<CellId>,
    /// Where it stands, or where its move in progress leads.
    pub(crate) at: CellId,
    /// The cells that it is to enter next, the very next one last. Beyond them it takes the shortest way.
    pub(crate) way: Vec<Hop>,
    /// When it set out for its goal, and how long the way took then, if that is known.
    pub(crate) set_out: Tick,
    pub(crate) first: Option<u32>,
    /// How long the rest of the way takes.
    pub(crate) left: Option<u32>,
    /// The least that it has had left, and since when.
    pub(crate) best: (u32, Tick),
    /// To whom it gives way until it has got past: that one comes first, however late this one grows meanwhile.
    pub(crate) yields: Option<Yield>,
    /// How often the depth of its searches has been halved, since there was not enough budget for all of it.
    pub(crate) halved: u32,
    /// How often it has given way for too long on its way to this goal.
    pub(crate) lapses: u32,
    /// On whose account it last could not go at full speed.
    pub(crate) trouble: Option<AgentId>,
    /// When it last looked for a way around all who stand.
    pub(crate) circled: Tick,
    /// Where it is to wait on its way.
    pub(crate) pause: Option<Pause>,
    pub(crate) lot: Lot,
}

/// Giving way to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yield {
    pub(crate) to: AgentId,
    /// The leg that the other is on: when it has arrived, it is past.
    pub(crate) leg: Option<u32>,
    pub(crate) since: Tick,
}

/// A wait that belongs to the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pause {
    pub(crate) at: u32,
    pub(crate) until: Tick,
    pub(crate) with: AgentId,
}

/// How a unit fared in the last tick.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Lot {
    /// Its planner has not come round to it.
    #[default]
    Awaits,
    /// It goes at full speed.
    Goes,
    /// It goes slower so as to come later to where somebody else will be.
    Slows { by: AgentId, cell: Cell, tick: Tick },
    /// It has taken another way around somebody, or steps aside.
    Detours { by: AgentId, cell: Cell },
    /// It found no way around the others and keeps its cell.
    Stuck { rivals: Vec<AgentId> },
}

impl Mind {
    /// By how many ticks it is late: what it has travelled and what is left, less what the way took at first.
    pub(crate) fn delay(&self, now: Tick) -> Tick {
        let gone = now.saturating_sub(self.set_out);
        match (self.first, self.left) {
            (Some(first), Some(left)) => (gone + Tick::from(left)).saturating_sub(first.into()),
            _ => gone,
        }
    }

    /// For how long it has come no nearer to its goal, or has been away from it against its will.
    pub(super) fn stalled(&self, now: Tick) -> Tick {
        now.saturating_sub(self.best.1.max(self.set_out))
    }

    /// Whether it is where it is going.
    pub(crate) fn rests(&self) -> bool {
        self.at == self.goal
    }

    /// Takes note of where it is; whoever is not where its way leads begins another one.
    pub(super) fn look(&mut self, at: CellId, leg: u32, goal: CellId, now: Tick) {
        if self.leg == Some(leg) && self.cut_off == Some(goal) {
            // It rests wherever it is: who has stepped aside need not come back.
            if self.goal != at {
                self.way.clear();
            }
            (self.goal, self.at) = (at, at);
        } else if self.leg != Some(leg) || self.goal != goal {
            *self = Self { leg: Some(leg), goal, at, set_out: now, best: (u32::MAX, now), ..Self::default() };
        }
        if self.at != at {
            if self.way.last().is_some_and(|hop| hop.to == at.0) {
                self.way.pop();
            } else {
                self.way.clear();
            }
            self.at = at;
        }
    }

    /// Nothing leads to its goal: it rests where it is.
    pub(super) fn give_up(&mut self) {
        (self.cut_off, self.goal, self.left) = (Some(self.goal), self.at, None);
        self.way.clear();
    }

    /// The map has changed: there may be a way again.
    pub(super) fn hope(&mut self, now: Tick) {
        if let Some(goal) = self.cut_off.take() {
            (self.goal, self.left, self.best) = (goal, None, (u32::MAX, now));
            self.way.clear();
        }
    }

    /// Notes how long the rest of its way takes, of which one step is at most `longest`. If that is more or less by more than
    /// a step the map has changed, and the way that it had in mind may be no good any more.
    pub(super) fn note(&mut self, left: u32, longest: u32, now: Tick) {
        if self.left.is_some_and(|before| before.abs_diff(left) > longest) {
            self.way.clear();
            self.best.0 = u32::MAX;
        }
        if left == 0 {
            // It is served; what it may lose by stepping aside begins anew.
            (self.first, self.set_out) = (Some(0), now);
        }
        self.first.get_or_insert(left);
        self.left = Some(left);
        if left < self.best.0 {
            // Nearer than ever: whoever it gave way to is past.
            (self.best, self.yields) = ((left, now), None);
        }
    }
}
