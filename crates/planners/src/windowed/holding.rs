//! What a unit holds: claiming and giving back reservations, and staying where it is.

use super::cooperation::Cooperation;
use super::promotion::HELD;
use super::seat::Seat;
use super::ways::{Way, node, on_way};
use crate::straight::straight_on;
use throng_core::{Action, AgentId, Tick, Unit, View};
use throng_search::reservations::{NOBODY, Rule, Store, Table};
use throng_search::{Graph, Step};

impl<S: Store> Cooperation<S> {
    /// Frees everything that a unit has reserved after `base`.
    pub(super) fn release_ahead(&mut self, graph: &impl Graph, id: AgentId, base: Tick) {
        let seat = &self.seats[id.index()];
        let ahead = seat.ahead();
        let (kept, gone) = ahead.split_at(ahead.iter().position(|s| s.tick >= base).unwrap_or(ahead.len()));
        if self.table.grain() > 1 {
            self.table.release_but(graph, id.0, gone, kept, true);
            return;
        }
        if self.table.rule() == Rule::Swap && self.lead == 0 && !seat.robbed {
            gone.iter().for_each(|step| self.table.store.give_back(step.to, step.end(), id.0));
            return;
        }
        self.table.rule().each_stretch(gone, |step| {
            self.table.release(graph, id.0, (step.from, step.to), step.tick, step.duration);
        });
    }

    /// Frees everything that a unit has reserved, also of a step that has begun.
    pub(super) fn drop_path(&mut self, view: &View<'_>, id: AgentId) {
        self.forget(view, id);
        // A search from where it stands may still be of use.
        let (at, _) = self.base(view, id);
        self.pending.take_if(|pending| pending.id == id && pending.query.start != at);
        let Self { table, seats, .. } = self;
        let seat = &mut seats[id.index()];
        on_way!(Way::of(view, id, seat.car.as_ref()), graph => {
            table.rule().each_stretch(&seat.path[seat.done..], |step| {
                if table.rule() == Rule::Swap {
                    table.store.release(step.from, step.tick, id.0);
                }
                table.release(graph, id.0, (step.from, step.to), step.tick, step.duration);
            });
            // Where a path has ended belongs to no step any more.
            if let Some(last) = seat.path.last() {
                let end = table.entry(last.end());
                graph.covered(last.to, last.to, |place| table.store.release(place, end, id.0));
            }
        });
        seat.path.clear();
        (seat.done, seat.freed) = (0, 0);
    }

    /// Frees what a unit's steps that are over have held until their ends; the end of the last belongs to the
    /// next step.
    #[inline]
    pub(super) fn forget(&mut self, view: &View<'_>, id: AgentId) {
        let Self { table, seats, lead, .. } = self;
        let seat = &mut seats[id.index()];
        let over = &seat.path[seat.freed..seat.done];
        match table.rule() {
            Rule::Swap if *lead == 0 && !seat.robbed => {
                over.iter().for_each(|step| table.store.give_back(step.from, step.tick, id.0));
            }
            Rule::Swap => over.iter().for_each(|step| table.store.release(step.from, step.tick, id.0)),
            Rule::Hold if over.is_empty() => {}
            Rule::Hold => forget_covered(table, view, id, seat),
        }
        seat.freed = seat.done;
    }

    /// Lets a unit stay where it is for a whole window, whoever had reserved its cell: those are flagged
    /// and plan again in this tick.
    pub(super) fn hold(&mut self, view: &View<'_>, id: AgentId) {
        on_way!(self.way(view, id), graph => self.hold_on(graph, view, id));
    }

    fn hold_on(&mut self, graph: &impl Graph, view: &View<'_>, id: AgentId) {
        let (start, base) = self.base(view, id);
        if !self.seats[id.index()].leads_to(start, base) {
            // It is not where its path has it by now: what it would have held there belongs to no step any more.
            self.drop_path(view, id);
        }
        self.forget(view, id);
        self.pending.take_if(|pending| pending.id == id && pending.query.start != start);
        self.release_ahead(graph, id, base);
        let depth = self.depth(id);
        // Whoever is slower looks farther ahead, and would stand and wait for the end of what a stranger holds instead of coming near.
        let most = match self.seats[id.index()].mine {
            true => depth,
            false => self.settings.window.longest() * self.reach.slowest,
        };
        let seat = &mut self.seats[id.index()];
        seat.cut(base);
        // Everybody begins with this, and no later path needs more.
        seat.path.reserve(depth as usize + depth as usize / 2 + 2);
        if seat.path.is_empty() && base > view.tick() {
            // A move in progress that it has no record of: somebody else began it.
            let (unit, actions) = (view.unit(id), view.agent(id).actions(view.rules()));
            let (from, to) = (view.grid().cell(unit.from), view.grid().cell(unit.at));
            let action = actions.between(from, to, unit.pose).unwrap_or_default();
            let before = Unit { at: unit.from, pose: actions.pose_before(unit.pose, action), ..*unit };
            let (from, duration) = (node(&before, seat.poses), (unit.until - unit.since) as u32);
            seat.path.push(Step { from, to: start, tick: unit.since, duration, action });
        }
        let mut path = core::mem::take(&mut seat.path);
        let before = path.len();
        self.foresee(graph, view, id, (start, base), &mut path);
        let foreseen = path[before..].last();
        // Where one who moves is to be later than that is anybody's guess.
        let end = base + Tick::from(if foreseen.is_none() { most } else { depth / 2 });
        let (mut at, stands) = foreseen.map_or((start, base), |last| (last.to, last.end()));
        let seat = &mut self.seats[id.index()];
        seat.path = path;
        for tick in stands..end {
            let to = graph.rest(at);
            seat.path.push(Step { from: at, to, tick, duration: 1, action: Action::Wait });
            at = to;
        }
        (seat.planned, seat.goal, seat.robbed) = (false, seat.target, false);
        self.flagged.clear();
        let flagged = &mut self.flagged;
        claim(&mut self.table, graph, id.0, &seat.path, |other| flagged.push(other));
        if self.promotions.active > 0 || self.ranked() {
            self.table.set_rank(id.0, HELD);
        }
        let told = self.overridden.len();
        for k in 0..self.flagged.len() {
            let other = self.flagged[k];
            // Each of its entries is heard of; the loss is told once.
            if !self.overridden[told..].contains(&(AgentId(other), id)) {
                self.overridden.push((AgentId(other), id));
            }
            self.flag(other);
        }
    }
}

impl<S: Store> Cooperation<S> {
    /// Adds the steps that a unit of others is about to take: straight on, as it was last seen to go, up to a wall, to where
    /// another stranger is or to who rests. Other units of its own make way; if those who rest did, too, two strangers that rest side by side
    /// would drive each other away for ever, each on its way home. Nothing for one who stands, or who is not a stranger.
    fn foresee(
        &self,
        graph: &impl Graph,
        view: &View<'_>,
        id: AgentId,
        from: (u32, Tick),
        steps: &mut Vec<Step>,
    ) {
        let Some(dir) = view.heading(id) else { return };
        let (now, end) = (self.table.entry(view.tick()), from.1 + Tick::from(self.depth(id) / 2));
        let free = |place: u32| {
            let owner = self.table.store.owner(place, now);
            let makes_way = |seat: &Seat| seat.mine && seat.parked.is_none();
            owner == NOBODY || owner == id.0 || makes_way(&self.seats[owner as usize])
        };
        straight_on(graph, dir, from, end, steps, free);
    }
}

/// [`Cooperation::forget`] where steps hold all that they cover.
#[inline(never)]
fn forget_covered<S: Store>(table: &mut Table<S>, view: &View<'_>, id: AgentId, seat: &Seat) {
    let over = &seat.path[seat.freed..seat.done];
    on_way!(Way::of(view, id, seat.car.as_ref()), graph => {
        if table.grain() > 1 {
            table.release_but(graph, id.0, over, &seat.path[seat.done..], false);
            return;
        }
        table.rule().each_stretch(over, |step| {
            graph.covered(step.from, step.to, |place| {
                table.store.release_throughout(place, step.tick..step.end(), id.0);
            });
        });
    });
}

/// Reserves a path from its first step on.
pub(super) fn claim<S: Store>(
    table: &mut Table<S>,
    graph: &impl Graph,
    owner: u32,
    path: &[Step],
    mut taken: impl FnMut(u32),
) {
    if let Some(first) = path.first() {
        let before = table.claim(graph.place(first.from), first.tick, owner);
        if before != NOBODY && before != owner {
            taken(before);
        }
    }
    table.rule().each_stretch(path, |step| {
        table.reserve(graph, owner, (step.from, step.to), step.tick, step.duration, &mut taken);
    });
}
