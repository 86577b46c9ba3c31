//! Whoever finds its goal taken for good settles beside it; whoever is kept by those who rest elsewhere has them make way.
//!
//! The document gives every body a goal of its own. Where two want to be in one place, the second would go round the first for
//! ever. And who has been promoted and still goes round those who rest never asks them for room: it must go straight for that.

use super::courtesy::LONG;
use super::sight::Eye;
use crate::body::{Body, Doing};
use crate::geometry::overlap;
use crate::{Errand, Event, MARGIN, World};
use throng_core::AgentId;
use throng_core::space::Point;

/// Two goals this close to each other, in reaches of the smaller body, are no places for two that have tried for long: nobody goes round
/// whoever rests as near as that.
const SQUEEZED: f64 = 0.2;

/// This close to whoever rests, in reaches of the body, is beside it.
const BESIDE: f64 = 0.5;

impl Eye<'_> {
    /// Whether another will be where it is for good, as far as the body can tell.
    fn rests(&self, other: u32) -> bool {
        let other = &self.sight.bodies[other as usize];
        !other.is_gone() && other.path.is_empty() && other.leg >= other.errand.legs()
    }

    /// Where the body is going to stay: its last goal, or where it rested before it made way. Any goal if another `holds` its place there for
    /// good: it gets no nearer.
    fn last(&self, holds: bool) -> Option<Point> {
        let body = self.body;
        body.path.first().copied().filter(|_| holds || body.leg.saturating_add(1) >= body.errand.legs())
    }

    fn holds(&self, other: u32) -> bool {
        self.sight.bodies[other as usize].errand == Errand::Hold
    }

    /// Whether another who rests has the body's last goal, or one so near that both do not fit, and comes back there if it makes way.
    fn shares(&self, other: u32) -> bool {
        let Some(to) = self.last(self.holds(other)) else { return false };
        self.rests(other) && {
            let there = &self.sight.bodies[other as usize];
            // Where a stranger wants to be is not known, only where it is.
            let goal = there.errand.target(there.leg).filter(|_| there.team == self.body.team);
            let goal = goal.unwrap_or(there.pose.at);
            self.covers(other, to, goal, has_tried(self.body))
        }
    }

    /// Whether the body is done and another, on its last leg, has a goal so near that both do not fit: that one settles, and the body does not make way for it.
    pub(super) fn precedes(&self, other: u32) -> bool {
        let (body, there) = (self.body, &self.sight.bodies[other as usize]);
        let known = body.team == there.team;
        known && body.leg >= body.errand.legs() && there.leg.saturating_add(1) >= there.errand.legs() && {
            let goals = (body.errand.target(body.leg), there.errand.target(there.leg));
            let tried = has_tried(there);
            matches!(goals, (Some(mine), Some(theirs)) if self.covers(other, mine, theirs, tried))
        }
    }

    /// Whether the body at `to` would touch another at `at`, or come so close to it that it could not if it has `tried`.
    fn covers(&self, other: u32, to: Point, at: Point, tried: bool) -> bool {
        let solids = self.sight.solids;
        let reach = self.body.shape.reach().min(self.sight.bodies[other as usize].shape.reach());
        let margin = if tried { MARGIN + SQUEEZED * reach } else { MARGIN };
        overlap(&solids[self.id as usize], &solids[other as usize], to - at, margin)
    }

    /// Whether somebody with the same goal, or next to it, is there already.
    fn is_taken(&self) -> bool {
        let Some(to) = self.last(true) else { return false };
        let reach = self.body.shape.reach() * (1.0 + SQUEEZED) + self.sight.widest;
        let mut near = self.sight.crowd.near(to, reach).map(|who| who.id).filter(|&who| who != self.id);
        let tried = has_tried(self.body);
        near.any(|who| {
            self.shares(who) && self.covers(who, to, self.sight.bodies[who as usize].pose.at, tried)
        })
    }

    /// What a body does that `cause` keeps from its speed: nothing special, or go straight on (and settle if it is there).
    pub(super) fn insists(&self, cause: u32) -> Insists {
        let sight = self.sight;
        if self.shares(cause) && self.is_taken() {
            let there = &sight.bodies[cause as usize];
            let far = (there.pose.at - self.body.pose.at).length();
            let touch = self.body.shape.reach() + there.shape.reach();
            let beside = far <= touch + BESIDE * self.body.shape.reach();
            return if beside { Insists::Settles } else { Insists::Approaches };
        }
        // Straight to the end of its leg. Who has no room to make way keeps it for long, and it looks for another way; then it does both by
        // turns, as it does from the beginning on a way around walls: there may be another door, or this one alone.
        let turn = (LONG * sight.settings.patience / sight.settings.step).clamp(1.0, 1e9) as u64;
        let straight = self.body.path.len() == 1 + usize::from(self.body.round);
        let patient = f64::from(self.body.slow) * sight.settings.step < sight.settings.patience;
        let tries = straight && patient || (sight.step / turn) % 2 == 1;
        let stays = self.rests(cause) || sight.bodies[cause as usize].doing == Doing::Lost;
        let pushes = self.body.promoted.is_some() && stays && !self.holds(cause) && tries;
        if pushes { Insists::Pushes } else { Insists::No }
    }
}

/// Whether a body has not got there for long, or was there before and has been driven away.
fn has_tried(body: &Body) -> bool {
    body.promoted.is_some() || body.leg >= body.errand.legs()
}

/// What a body does about somebody who rests in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insists {
    /// Goes round it.
    No,
    /// Goes straight on, for the other to make way.
    Pushes,
    /// Goes straight on until it is beside the other.
    Approaches,
    /// Is beside the other, and there to stay.
    Settles,
}

impl World {
    /// A body is as near to its goal as it gets: it has been there, as far as its errand goes.
    pub(crate) fn settle_beside(&mut self, id: usize, beside: u32) {
        let body = &mut self.bodies[id];
        let legs = body.errand.legs();
        let before = body.leg;
        body.leg = before.saturating_add(1).min(legs);
        body.path.clear();
        let agent = AgentId(id as u32);
        self.events.push(Event::Settled { agent, beside: AgentId(beside) });
        if body.leg < legs {
            body.delay = 0.0;
            self.may_try(id);
        } else if before < legs {
            self.events.push(Event::Finished { agent });
        }
        self.set_out(id);
    }
}
