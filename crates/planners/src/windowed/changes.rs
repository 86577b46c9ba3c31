//! Taking up what was done to a running world.

use super::Guide;
use super::cooperation::{Cooperation, level, levels};
use super::promotion::{HELD, MOST_PRIORITIES};
use super::seat::Seat;
use throng_core::{AgentId, CellId, Change, Task, View};
use throng_search::abstraction::Progress;
use throng_search::reservations::{Rule, Store};

/// Kinds of units that move in steps, on a map without holders as walls, are below this.
const STEPS: u32 = 1 << 16;

impl<S: Store> Cooperation<S> {
    /// Takes up a change; `false` if its table is not made for such a world, so that another one is needed.
    pub(super) fn changed(&mut self, view: &View<'_>, change: Change) -> bool {
        if let Some(lanes) = &mut self.lanes {
            lanes.changed(view, change);
        }
        if let (
            Some(coarse),
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id),
        ) = (&mut self.coarse, change)
        {
            coarse.leave_off(id);
        }
        match change {
            Change::Joined(id) => return self.joined(view, id),
            Change::Left(id) => self.left(view, id),
            Change::Ordered(id) => {
                let seat = &mut self.seats[id.index()];
                let held = !seat.mine;
                (seat.leg, seat.hopeless) = (None, None);
                seat.mine = is_mine(view, id);
                // Who is to go where it was going already is as stuck as it was.
                if seat.target != view.target(id) || !seat.mine {
                    seat.best = (u32::MAX, view.tick());
                    self.promotions.demote(seat);
                }
                if held || !self.seats[id.index()].mine {
                    self.holders_changed(view.tick());
                }
                self.pending.take_if(|pending| pending.id == id);
                self.add_level(view, view.agent(id).priority);
                self.set_level(view, id);
            }
            // It plans from there, where there may be a way even if there was none before.
            Change::Placed(id) => {
                self.drop_path(view, id);
                let seat = &mut self.seats[id.index()];
                seat.hope();
                (seat.through, seat.stands) = (false, None);
                seat.best = (u32::MAX, view.tick());
                if !seat.mine {
                    self.holders_changed(view.tick());
                }
            }
            Change::Terrain(cell) => {
                if let Some(coarse) = &mut self.coarse {
                    coarse.mend(view, cell);
                }
                self.terrain(view, cell);
            }
        }
        true
    }

    fn joined(&mut self, view: &View<'_>, id: AgentId) -> bool {
        let agent = view.agent(id);
        if self.seats.len() <= id.index() {
            self.seats.resize_with(id.index() + 1, Seat::default);
        }
        self.add_level(view, agent.priority);
        let seat = self.new_seat(view, agent);
        let fits =
            seat.is_some() && self.table.rule() == Rule::of(&view.rules(), view.scenario.largest_body());
        self.seats[id.index()] = Seat { mine: is_mine(view, id), ..seat.unwrap_or_default() };
        if !self.seats[id.index()].mine {
            self.holders_changed(view.tick());
        }
        fits
    }

    /// Makes room for a priority among the others.
    fn add_level(&mut self, view: &View<'_>, priority: i32) {
        let Err(place) = self.levels.binary_search(&priority) else { return };
        if self.levels.len() < MOST_PRIORITIES {
            self.levels.insert(place, priority);
        } else {
            // Some may be those of units that have left or have others by now.
            self.levels = levels(view);
        }
        for index in 0..self.seats.len() {
            self.set_level(view, AgentId(index as u32));
        }
    }

    /// Lets a unit stand where its priority is now; who holds its place goes on doing so.
    fn set_level(&mut self, view: &View<'_>, id: AgentId) {
        let seat = &mut self.seats[id.index()];
        seat.level = level(&self.levels, view.agent(id));
        let rank = seat.own_rank();
        if self.table.rank(id.0) != HELD && self.table.rank(id.0) != rank {
            self.table.set_rank(id.0, rank);
        }
    }

    fn left(&mut self, view: &View<'_>, id: AgentId) {
        self.forget(view, id);
        self.drop_path(view, id);
        self.park(id, None);
        self.promotions.demote(&mut self.seats[id.index()]);
        if self.crowding.counts() {
            self.crowding.note(view.grid(), &mut self.seats[id.index()], view.agent(id).body, None);
        }
        if !core::mem::take(&mut self.seats[id.index()]).mine {
            self.holders_changed(view.tick());
        }
        self.queue.retain(|&queued| queued != id);
        self.table.set_rank(id.0, 0);
    }

    /// Distances are no longer true; whoever was to go where it no longer can stays and plans again.
    fn terrain(&mut self, view: &View<'_>, cell: CellId) {
        // Those of units that move in steps are mended when they are next asked for.
        let mends = self.settings.guide == Guide::True;
        self.fields.changed(cell.0, |key| mends && key.kind < STEPS);
        self.holders_changed(view.tick());
        self.crowding.survey(view.grid());
        self.pending = None;
        for index in 0..self.seats.len() {
            let id = AgentId(index as u32);
            if view.unit(id).gone {
                continue;
            }
            let seat = &mut self.seats[index];
            seat.hope();
            seat.progress = Progress::default();
            // How far it is has to be found anew; since when it has come no nearer stays, or nobody would ever be
            // promoted where doors open and close all the time.
            seat.best.0 = u32::MAX;
            let (actions, poses) = (view.agent(id).actions(view.rules()), seat.poses.max(1));
            let legal = seat.ahead().iter().all(|step| {
                let from = view.grid().cell(CellId(step.from / poses));
                actions.legal(view.grid(), from, (step.from % poses) as u8, step.action)
            });
            if !legal {
                self.hold(view, id);
            }
        }
    }
}

/// Whether this controller may move a unit.
pub(super) fn is_mine(view: &View<'_>, id: AgentId) -> bool {
    view.mine.binary_search(&id).is_ok() && !matches!(view.agent(id).task, Task::Hold)
}
