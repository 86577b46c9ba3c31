//! Who is stuck: who is on its way and has come no farther for a while.
//!
//! Nobody's distance is asked, which would take a search for everybody in worlds where nobody is ever stuck. Who stays within a few cells for
//! long is stuck, and so is who has been on the way for many times as long as it takes, wherever it goes to and fro.

use serde::{Deserialize, Serialize};
use throng_core::{AgentId, CellId, Connectivity, Tick, View};

/// Within so many cells nobody comes any farther.
const NEAR: u32 = 3;

/// Nobody is stuck after fewer ticks than these and the way of the farthest, unless patience is less.
const LEAST: Tick = 16;

/// So many times the straight way, and so many times the patience for those who stay within a few cells, a unit may be on its way.
const LATE: Tick = 4;

/// What is known of a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Watched {
    goal: CellId,
    /// Since when it has been on its way there, and how far that was at least when it got this goal.
    set_out: Tick,
    far: Tick,
    /// Where it was when it last came farther, and when that was.
    mark: CellId,
    since: Tick,
    /// Since when it has been stuck.
    stuck: Option<Tick>,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Watch {
    units: Vec<Watched>,
    /// The ticks that make somebody stuck: fewer where all are near their goals.
    patience: Tick,
    /// Since when somebody has been stuck again and again, and when that was last so.
    jam: Option<(Tick, Tick)>,
    /// When somebody last got another goal, and how far the farthest is at least.
    begun: Tick,
    farthest: Tick,
}

impl Watch {
    /// Looks at everybody. Who is stuck after `patience` ticks stays so until it arrives.
    pub(super) fn look(&mut self, view: &View<'_>, patience: Tick) {
        let (now, grid) = (view.tick(), view.grid());
        let patience = patience.min(self.farthest + LEAST);
        self.patience = patience;
        let mut jammed = false;
        self.units.resize(view.state.units.len(), Watched::default());
        for &id in view.mine {
            let (unit, goal) = (view.unit(id), view.target(id));
            let watched = &mut self.units[id.index()];
            let agent = view.agent(id);
            // Who has done its task may park anywhere, unless it has to rest at its end.
            let done = unit.leg >= agent.waypoints().len() && !agent.must_rest();
            if watched.goal != goal {
                let [from, to] = [unit.at, goal].map(|at| grid.cell(at));
                let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
                let far = match view.rules().connectivity {
                    Connectivity::Four => dx + dy,
                    Connectivity::Eight => dx.max(dy),
                };
                (watched.goal, watched.far) = (goal, Tick::from(far));
                (watched.set_out, watched.mark, watched.since, watched.stuck) = (now, unit.at, now, None);
                self.begun = now;
                self.farthest = self.farthest.max(watched.far);
                continue;
            }
            if unit.gone || done || unit.at == goal {
                (watched.set_out, watched.mark, watched.since, watched.stuck) = (now, unit.at, now, None);
                continue;
            }
            let [mark, here] = [watched.mark, unit.at].map(|at| grid.cell(at));
            if mark.x.abs_diff(here.x).max(mark.y.abs_diff(here.y)) > NEAR {
                (watched.mark, watched.since) = (unit.at, now);
            }
            let stays = now.saturating_sub(watched.since) >= patience;
            let late = now.saturating_sub(watched.set_out) >= LATE * (watched.far + patience);
            if stays || late {
                watched.stuck = watched.stuck.or(Some(now));
            }
            jammed |= watched.stuck.is_some();
        }
        let lately = self.jam.filter(|&(_, last)| jammed || now.saturating_sub(last) < patience);
        self.jam = match lately {
            Some((first, last)) => Some((first, if jammed { now } else { last })),
            None => jammed.then_some((now, now)),
        };
    }

    /// Whether somebody has been stuck, if not always the same one, for so many times what it took to be so; or all have had their goals for so long
    /// that they can only be pushing each other to and fro.
    pub(super) fn is_jammed(&self, now: Tick, times: Tick) -> bool {
        self.jam.is_some_and(|(first, _)| now.saturating_sub(first) >= times * self.patience)
            || now.saturating_sub(self.begun) >= LATE * (self.farthest + self.patience)
    }

    /// The world has changed: from now on all is counted anew.
    pub(super) const fn begin(&mut self, now: Tick) {
        (self.jam, self.begun) = (None, now);
    }

    /// Since when a unit has been stuck, if it is.
    pub(super) fn stuck(&self, id: AgentId) -> Option<Tick> {
        self.units.get(id.index())?.stuck
    }

    /// Forgets a unit that has come, left, or was sent or put elsewhere.
    pub(super) fn forget(&mut self, id: AgentId) {
        if let Some(watched) = self.units.get_mut(id.index()) {
            *watched = Watched { goal: CellId(u32::MAX), ..Watched::default() };
        }
    }
}
