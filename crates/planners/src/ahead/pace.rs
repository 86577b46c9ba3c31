//! The speed of a unit: its way at full speed, or slower, so that it comes later to where somebody else will be.

use super::entries::Entries;
use super::{Ahead, Hop};
use throng_core::{Action, Actions, AgentId, Cell, Dir, Tick, View};
use throng_search::reservations::Table;
use throng_search::{GridGraph, Step};

/// Somebody else will be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clash {
    pub(super) by: AgentId,
    /// Where it would have been, and when.
    pub(super) cell: u32,
    pub(super) tick: Tick,
}

/// What became of a unit's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// Free at full speed.
    Full,
    /// Free at a lower speed, which avoids this.
    Slower(Clash),
    /// It would have to go slower than it may.
    TooSlow(Clash),
}

/// Waits, spread evenly before a cell of the way: speed is cells over ticks.
#[derive(Clone, Copy, Debug, Default)]
struct Waits {
    count: u32,
    /// Before so many cells, the last of which is where somebody would be met.
    over: u32,
}

impl Waits {
    /// How many of them come before the cell of this number, from 0 on.
    const fn before(self, hop: u32) -> u32 {
        if hop >= self.over {
            return 0;
        }
        (hop + 1) * self.count / self.over - hop * self.count / self.over
    }
}

/// Where a draft first runs into somebody.
struct Hit {
    /// Its step.
    step: Step,
    /// The cell of the way that the step leads to or waits for, from 0 on; how many there are if it rests at the end.
    hop: u32,
}

impl Ahead {
    /// Writes the way of a unit into the draft as fast as its table allows.
    pub(super) fn pace(
        &mut self,
        view: &View<'_>,
        table: &Table<Entries>,
        graph: &GridGraph<'_>,
        id: AgentId,
    ) -> Pace {
        let actions = view.agent(id).actions(view.rules());
        let (mut waits, mut first) = (Waits::default(), None::<Clash>);
        loop {
            let hops = self.write(view, id, &actions, waits);
            let Some(Hit { step, hop }) = self.hit(table, graph, id) else {
                return first.map_or(Pace::Full, Pace::Slower);
            };
            let clash = *first.get_or_insert_with(|| Clash {
                by: Self::rival(table, graph, id, &step).unwrap_or(id),
                cell: step.to,
                tick: step.end(),
            });
            // Nobody waits for whoever keeps its cell; and waiting where it stands is all that a unit can do there.
            let keeps = Self::rival(table, graph, id, &step).is_some_and(|by| self.seats[by.index()].held);
            if keeps || hops == 0 || (hop == 0 && step.action == Action::Wait) {
                return Pace::TooSlow(clash);
            }
            waits.over = waits.over.max((hop + 1).min(hops)).min(self.before_crossing(id));
            let full = self.full(id, &actions, waits.over);
            let most = full * (100 - self.manner.threshold) / self.manner.threshold;
            let room = most.saturating_sub(waits.count);
            let later = |more: &u32| {
                let tick = step.tick + Tick::from(*more);
                table.admits(graph, id.0, step.from, step.to, tick, step.duration) == Some(0)
            };
            // Who waits is in the way where it waits; then a little more of it elsewhere may do.
            let more =
                if step.action == Action::Wait && hop < hops { Some(1) } else { (1..=room).find(later) };
            match more.filter(|&more| more <= room) {
                Some(more) => waits.count += more,
                None => return Pace::TooSlow(clash),
            }
        }
    }

    /// Over how many cells of its way a unit may spread waits: up to the first that is part of a crossing, so that nobody waits
    /// on one, if that is the manner.
    fn before_crossing(&self, id: AgentId) -> u32 {
        let here = self.crossings.at(self.seats[id.index()].base.0);
        let enters = |hop: &Hop| self.crossings.at(hop.to).is_some_and(|other| here != Some(other));
        let first = self.minds[id.index()].way.iter().rev().position(enters);
        first.map_or(u32::MAX, |hop| hop as u32 + 1)
    }

    /// Ticks that the first `count` cells of the way take at full speed.
    fn full(&self, id: AgentId, actions: &Actions, count: u32) -> u32 {
        let hops = self.minds[id.index()].way.iter().rev().take(count as usize);
        hops.map(|hop| actions.duration(if hop.run { Action::Run(Dir::N) } else { Action::Go(Dir::N) })).sum()
    }

    /// Writes the way of a unit with these waits into the draft, as far as it looks ahead; answers how many cells that is.
    fn write(&mut self, view: &View<'_>, id: AgentId, actions: &Actions, waits: Waits) -> u32 {
        let (seat, mind, draft) = (&self.seats[id.index()], &self.minds[id.index()], &mut self.draft);
        let (mut at, mut tick) = seat.base;
        let end = tick + Tick::from(self.manner.steps * seat.step);
        let mut pose = view.unit(id).pose;
        let wait = |at, tick| Step { from: at, to: at, tick, duration: 1, action: Action::Wait };
        draft.clear();
        let mut hops = 0;
        for hop in mind.way.iter().rev() {
            if tick >= end {
                return hops;
            }
            let pause =
                mind.pause.filter(|pause| pause.at == at).map_or(0, |pause| pause.until.saturating_sub(tick));
            for _ in 0..Tick::from(waits.before(hops)).max(pause.min(end - tick)) {
                draft.push(wait(at, tick));
                (tick, pose) = (tick + 1, actions.pose_after(pose, Action::Wait));
            }
            let cells = [at, hop.to].map(|id| view.grid().cell(throng_core::CellId(id)));
            let action = gait(actions, pose, cells, hop.run);
            let duration = actions.duration(action);
            draft.push(Step { from: at, to: hop.to, tick, duration, action });
            pose = actions.pose_after(pose, action);
            (at, tick, hops) = (hop.to, tick + Tick::from(duration), hops + 1);
        }
        // It is at its goal by then and rests there.
        draft.extend((tick..end).map(|tick| wait(at, tick)));
        hops
    }

    /// The first step of the draft that somebody else is in the way of.
    fn hit(&self, table: &Table<Entries>, graph: &GridGraph<'_>, id: AgentId) -> Option<Hit> {
        let mut hop = 0;
        for step in &self.draft {
            if table.admits(graph, id.0, step.from, step.to, step.tick, step.duration) != Some(0) {
                return Some(Hit { step: *step, hop });
            }
            hop += u32::from(step.from != step.to);
        }
        None
    }
}

/// The action that enters the next cell: who may run there begins to or goes on running, where its turn is not too sharp.
pub(crate) fn gait(actions: &Actions, pose: u8, [from, to]: [Cell; 2], run: bool) -> Action {
    let step = Action::between(from, to).unwrap_or_default();
    let Some(dir) = step.dir().filter(|_| run) else { return step };
    let faster = [Action::Run(dir), Action::Accelerate(dir)];
    faster.into_iter().find(|&action| actions.owns(pose, action)).unwrap_or(step)
}
