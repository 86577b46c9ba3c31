//! How long it takes to travel a course, alone up to the meeting point and in company from there on.

use crate::ahead::gait;
use throng_core::{Action, Actions, CellId, Grid, Tick};

/// How a unit travels.
#[derive(Clone, Copy)]
pub(super) struct Ride<'a> {
    pub(super) grid: &'a Grid,
    pub(super) actions: Actions,
    /// By how many percent of its walking speed it may be faster in company.
    pub(super) bonus: u32,
}

/// Where on a course a unit is, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) place: usize,
    pub(super) tick: Tick,
    pub(super) pose: u8,
    /// Since when it has been in company.
    pub(super) since: Option<Tick>,
}

/// Where company begins on a course, and when at the earliest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) place: usize,
    pub(super) depart: Tick,
}

impl Ride<'_> {
    /// Ticks of a step at a walk.
    pub(super) fn walk(&self, from: u32, to: u32) -> Tick {
        self.actions.duration(gait(&self.actions, 0, self.cells(from, to), false)).into()
    }

    fn cells(&self, from: u32, to: u32) -> [throng_core::Cell; 2] {
        [from, to].map(|cell| self.grid.cell(CellId(cell)))
    }

    /// Travels on from `now`: tells of each place of the course when it is reached, and whether at a run; answers when it
    /// comes to the end. These are the very actions that turns reserve, if nobody is in the way.
    pub(super) fn travel(
        &self,
        course: &[u32],
        meeting: Meeting,
        now: Standing,
        mut reach: impl FnMut(usize, bool, Tick),
    ) -> Tick {
        let Standing { place, mut tick, mut pose, mut since } = now;
        let steps = |from: usize, to: usize| course[from.min(to)..=to].windows(2);
        // What the way in company so far takes at a walk.
        let mut walked: Tick = steps(meeting.place, place).map(|pair| self.walk(pair[0], pair[1])).sum();
        for (to, pair) in (place + 1..).zip(course[place..].windows(2)) {
            let cells = self.cells(pair[0], pair[1]);
            if to > meeting.place && since.is_none() {
                if tick < meeting.depart {
                    (tick, pose) = (meeting.depart, self.actions.pose_after(pose, Action::Wait));
                }
                since = Some(tick);
            }
            let mut action = gait(&self.actions, pose, cells, false);
            let mut run = false;
            if let Some(since) = since.filter(|_| to > meeting.place) {
                walked += Tick::from(self.actions.duration(action));
                let fast = gait(&self.actions, pose, cells, true);
                // On average it may be no faster than the bonus says.
                let ticks = tick - since.min(tick) + Tick::from(self.actions.duration(fast));
                if ticks * Tick::from(100 + self.bonus) >= walked * 100 {
                    (action, run) = (fast, true);
                }
            }
            tick += Tick::from(self.actions.duration(action));
            pose = self.actions.pose_after(pose, action);
            reach(to, run, tick);
        }
        tick
    }
}
