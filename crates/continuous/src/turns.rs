//! A step: whoever does not drift looks, decides and moves.

use crate::body::{Doing, Want};
use crate::calm::{grains, metres};
use crate::geometry::Solid;
use crate::step::{Commit, Insists, Proposal, least, propose};
use crate::world::THERE;
use crate::{Event, World};
use throng_core::space::Point;
use throng_core::{AgentId, Budget, Observer};

/// Who goes slower than this part of its speed is counted as slowed.
const SLOWED: f64 = 0.99;
/// Who has been slower than its bound for this part of a forecast is made way for.
const PRESSING: f64 = 0.2;
/// Fewer than so many are asked by one thread: to wake others would take longer.
const FEW: usize = 512;

impl World {
    /// One step: ways are planned within `budget`, everybody proposes, and all moves are carried out that touch nobody.
    pub fn step(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> &[Event] {
        self.events.clear();
        self.move_doors();
        self.rouse(self.long());
        self.plan(budget, observer);
        self.propose();
        let far = self.carry_out() + self.drift();
        self.counts.distance += metres(far);
        self.steps += 1;
        self.promote();
        self.loosen();
        let proposals = core::mem::take(&mut self.proposals);
        self.settle(&proposals);
        self.proposals = proposals;
        for event in &self.events {
            let told = match *event {
                Event::Arrived { agent, leg } => throng_core::Event::Arrived { agent, leg },
                Event::Finished { agent } => throng_core::Event::Finished { agent },
                _ => continue,
            };
            observer.event(self.steps, &told);
        }
        &self.events
    }

    /// So many steps a body has to be held up until it is made way for.
    pub(crate) fn long(&self) -> u32 {
        (self.settings.forecast * PRESSING / self.settings.step) as u32
    }

    fn propose(&mut self) {
        let mut proposals = core::mem::take(&mut self.proposals);
        proposals.clear();
        // In the order of numbers: their bodies lie side by side in memory, and are larger than what others see of them.
        proposals.extend(self.calm.awake.iter().map(|&id| (id, Proposal::REST)));
        let sight = self.sight();
        let ask = |(id, proposal): &mut (u32, Proposal)| *proposal = propose(&sight, *id as usize);
        if proposals.len() < FEW {
            proposals.iter_mut().for_each(ask);
        } else {
            self.workers.for_each(&mut proposals, ask);
        }
        self.work.looked += proposals.iter().map(|(_, proposal)| u64::from(proposal.looked)).sum::<u64>();
        self.proposals = proposals;
    }

    /// Everybody awake moves, in the order of the queue: how far, together, in grains.
    fn carry_out(&mut self) -> u128 {
        let (mut commit, proposals) =
            (core::mem::take(&mut self.commit), core::mem::take(&mut self.proposals));
        let queue = core::mem::take(&mut self.calm.queue);
        let sight = self.sight();
        commit.begin(&sight, &self.calm.awake);
        for &(_, place) in &queue {
            let (id, proposal) = &proposals[place as usize];
            commit.turn(&sight, *id as usize, proposal);
        }
        let mut sum = 0;
        for &(_, place) in &queue {
            let (id, proposal) = &proposals[place as usize];
            sum += u128::from(self.apply(*id as usize, proposal, &commit));
        }
        for &(_, place) in &queue {
            let id = proposals[place as usize].0;
            let body = &mut self.bodies[id as usize];
            if let Some(by) = commit.stopped(id as usize) {
                if body.doing != Doing::Lost {
                    (body.doing, body.cause) = (Doing::Stops, by);
                }
                // It has been pushed off its way, and a corner is before the next place now.
                let may = !body.tied && body.makes_way.is_none() && !body.path.is_empty();
                if by.is_none() && may && self.steps >= body.again {
                    body.want = Want::Route;
                }
                self.counts.stops += 1;
                self.events.push(Event::Stopped { agent: AgentId(id), by: by.map(AgentId) });
            }
            self.crowd.moved(id as usize, body.pose.at, body.velocity);
        }
        (self.commit, self.proposals, self.calm.queue) = (commit, proposals, queue);
        sum
    }

    /// What a step does to one body: how far it goes, in grains.
    fn apply(&mut self, id: usize, proposal: &Proposal, commit: &Commit) -> u64 {
        let time = self.settings.step;
        let long = self.cornered();
        let body = &mut self.bodies[id];
        body.wish = commit.wishes[id];
        body.makes_way = proposal.makes_way.map(|(who, _)| who);
        if let Some(who) = proposal.waits_for {
            (body.velocity, body.doing) =
                (Point::ZERO, if who == id as u32 { Doing::Awaits } else { Doing::MakesWay });
            body.cause = Some(who).filter(|&who| who != id as u32);
            body.delay += if body.path.is_empty() { 0.0 } else { time };
            return 0;
        }
        if let Some((who, _)) = proposal.makes_way {
            let by = commit.moves[id];
            // Who has no way, or none yet, has no place to go back to either.
            let (lost, rests) = (body.doing == Doing::Lost, body.leg >= body.errand.legs());
            if by != Point::ZERO && !body.round && (rests || !body.path.is_empty()) {
                // Back to where it was before it goes on, unless there is a straight way.
                body.path.push(body.pose.at);
                body.round = body.path.len() > 1;
            }
            body.pose = commit.pose(body.pose, id);
            body.velocity = by * (1.0 / time);
            if !body.path.is_empty() {
                body.delay += time;
                body.slow = if by == Point::ZERO { body.slow.saturating_add(1) } else { 0 };
            }
            (body.doing, body.cause) = (if lost { Doing::Lost } else { Doing::MakesWay }, Some(who));
            body.back = self.steps + (self.settings.forecast / time) as u64;
            self.counts.made_way += 1;
            body.cornered = body.cornered.saturating_add(u32::from(proposal.cornered));
            if body.cornered >= long && body.want == Want::Nothing && !lost {
                body.want = Want::Knot;
            }
            return grains(by.length());
        }
        if body.path.is_empty() || body.stays(self.steps) {
            body.velocity = Point::ZERO;
            return 0;
        }
        if proposal.straight {
            body.path.pop();
            body.round = false;
        }
        let Some(&next) = body.path.last() else { return 0 };
        let (by, far) = (commit.moves[id], (next - body.pose.at).length());
        let moved = by.length();
        // Who goes all the way at its own speed is not late, whatever rounding says.
        let whole = proposal.speed >= body.preferred && commit.went_all(id);
        let hoped = if whole { moved } else { (body.preferred * time).min(far) };
        let heading = body.pose.heading;
        body.pose = commit.pose(body.pose, id);
        body.velocity = by * (1.0 / time);
        body.delay += ((hoped - moved) / body.preferred).max(0.0);
        let slow = moved < least(&self.settings) * hoped;
        body.slow = if slow { body.slow.saturating_add(1) } else { 0 };
        if body.want == Want::Nothing {
            body.want = proposal.want;
            let may = proposal.insists == Insists::No
                && self.steps >= body.again
                && !body.tied
                && proposal.beside.is_none();
            if slow && body.want == Want::Nothing && may {
                body.want = Want::Detour;
            }
        }
        body.cause = proposal.cause;
        body.doing = if body.round {
            Doing::Detours
        } else if moved < SLOWED * hoped {
            Doing::Slows
        } else {
            Doing::Goes
        };
        self.counts.slowed += u64::from(moved > 0.0 && moved < SLOWED * hoped);
        if body.pose.heading != heading && !body.shape.is_disc() {
            self.solids[id] = Solid::facing(&body.shape, body.pose.heading);
        }
        if (next - body.pose.at).length() < THERE {
            body.pose.at = next;
            body.path.pop();
            body.round = false;
            if body.path.is_empty() {
                self.set_out(id);
            }
        }
        if let Some(beside) = proposal.cause.filter(|_| proposal.insists == Insists::Settles) {
            self.settle_beside(id, beside);
        }
        grains(moved)
    }
}
