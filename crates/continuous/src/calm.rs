//! Who need not look around: most bodies, most of the time.
//!
//! A body that goes straight on at its own speed, and that nobody it sees will concern before some step to come if all go on as
//! they do, would decide the same in every step until then. So it does not decide at all: it *drifts*. Nobody beyond what it
//! sees can come near enough sooner, at the highest speed of all. Whoever changes its velocity reckons anew for
//! those around it that drift. Who rests drifts as well, until somebody near it presses for room.
//!
//! All this is reckoned on the safe side, so that every body does exactly what it would do if all looked around in every step
//! ([`World::attentive`]). Nothing of it is saved: whoever is taken up again looks around first.

use crate::body::{Body, Doing, Want};
use crate::crowd::{Crowd, Seen, rank};
use crate::squares::Squares;
use crate::step::{Eye, Proposal, keeps};
use crate::{MARGIN, World};
use throng_core::space::Point;

/// As long as this a body drifts at most before it looks around again, in forecasts.
const WINDOW: f64 = 1.0;
/// Who could drift for less than so many steps looks around in each of them.
const LEAST: u64 = 3;
/// Part of the smallest reach by which places may differ from where they were reckoned to be.
const SLACK: f64 = 1e-3;
/// How far those may be whom somebody presses for room, in the largest reaches: see [`Eye::holds_up`].
const PRESSED: f64 = 4.0;
/// Beyond this, coordinates are too coarse for a straight line of many steps.
const FAR: f64 = 1e6;
/// What moves are counted in: the sum of all in a step is the same in any order.
const GRAIN: f64 = (1u64 << 40) as f64;

/// By body: until when it drifts, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calm {
    drifts: Vec<Drift>,
    /// By body: its velocity as all who drift have reckoned with it.
    told: Vec<Point>,
    /// Everybody who drifts and moves, by where they are, and nobody else in the step after they have stopped doing so.
    afloat: Squares,
    /// Everybody who does not drift in this step, by number.
    pub(crate) awake: Vec<u32>,
    /// The same in the order of the queue: ranks, and places among those awake.
    pub(crate) queue: Vec<(u128, u32)>,
    /// By body: whether nothing it saw in this step keeps it from drifting.
    ready: Vec<bool>,
    /// By body: see [`Proposal::narrowed`]. It answers nothing, and only spares tries.
    pub(crate) narrowed: Vec<u8>,
    /// Nobody ever drifts.
    pub(crate) never: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Drift {
    /// The first step in which it looks around again.
    until: u64,
    /// How far it goes in a step; zero if it rests.
    by: Point,
    /// The length of that, in grains.
    far: u64,
}

/// Grains as a length.
pub(crate) fn metres(grains: u128) -> f64 {
    grains as f64 / GRAIN
}

/// A length in grains.
pub(crate) fn grains(length: f64) -> u64 {
    (length * GRAIN).round() as u64
}

impl Calm {
    /// A body looks around in the next step.
    pub(crate) fn wake(&mut self, id: usize) {
        if let Some(drift) = self.drifts.get_mut(id) {
            drift.until = 0;
        }
    }
}

impl World {
    /// Has everybody look around in every step, also where nobody near can concern them. The future is the same; this is for
    /// whoever wants to see that, or what it costs.
    #[must_use]
    pub fn attentive(mut self) -> Self {
        self.calm.never = true;
        self
    }

    /// The same, and everybody goes through all others to find those near it, as the algorithm is written down. The future is the
    /// same; a step costs the square of the number of bodies.
    #[must_use]
    pub fn unpruned(mut self) -> Self {
        self.crowd = Crowd::default();
        self.crowd.unsorted = true;
        self.attentive()
    }

    /// Looks who decides in this step, and in which order.
    pub(crate) fn rouse(&mut self, long: u32) {
        // Half of how far the fastest look: smaller squares hold fewer who are too far away, and are more to look into.
        let side = self.settings.forecast * self.fastest + self.widest;
        let fine = 2.0 * (self.settings.step * self.fastest + self.widest);
        if self.crowd.gather(&self.bodies, side, fine) {
            self.calm.afloat = Squares::new(side, self.bodies.len(), true);
            // Somebody new may be faster or larger than all others.
            self.calm.drifts.clear();
            self.calm.drifts.resize(self.bodies.len(), Drift::default());
            self.calm.told.clear();
            self.calm.told.extend(self.bodies.iter().map(|body| body.velocity));
        }
        self.renew();
        self.collect();
        let mut awake = core::mem::take(&mut self.calm.awake);
        let mut sent = false;
        for &id in &awake {
            let body = &self.bodies[id as usize];
            if body.is_gone() {
                self.crowd.left(id as usize);
                self.calm.drifts[id as usize] = Drift { until: u64::MAX, ..Drift::default() };
            } else if body.velocity != self.crowd.seen(id as usize).velocity {
                // Somebody from outside has sent it elsewhere.
                self.crowd.moved(id as usize, body.pose.at, body.velocity);
                self.tell(id as usize);
                sent = true;
            }
        }
        if sent {
            self.calm.awake = awake;
            self.collect();
            awake = core::mem::take(&mut self.calm.awake);
        }
        awake.retain(|&id| !self.bodies[id as usize].is_gone());
        let found = awake.len();
        let mut place = 0;
        while let Some(&id) = awake.get(place) {
            let rank = rank(&self.bodies, id as usize, self.settings.quantum);
            let presses = self.bodies[id as usize].presses(long);
            self.crowd.place(id as usize, rank, presses);
            self.nudge(id as usize, presses, &mut awake);
            place += 1;
        }
        if awake.len() > found {
            awake.sort_unstable();
        }
        self.calm.awake = awake;
        let Self { calm: Calm { awake, queue, .. }, crowd, .. } = self;
        queue.clear();
        queue.extend(awake.iter().zip(0..).map(|(&id, place)| (crowd.seen(id as usize).rank, place)));
        queue.sort_unstable();
        self.work.decided += awake.len() as u64;
    }

    fn collect(&mut self) {
        let Calm { drifts, awake, afloat, .. } = &mut self.calm;
        awake.clear();
        let steps = self.steps;
        let all = drifts.iter().zip(0..).filter(|(drift, _)| drift.until <= steps);
        awake.extend(all.map(|(_, id): (_, u32)| id));
        awake.iter().for_each(|&id| afloat.take(id as usize));
    }

    /// Whoever is so near a body that they could touch in this step looks around as well, since what it will do is not known yet; and
    /// if it presses for room, so does whoever may have to make way.
    fn nudge(&mut self, id: usize, presses: bool, awake: &mut Vec<u32>) {
        let sight = self.sight();
        let (at, steps) = (self.bodies[id].pose.at, self.steps);
        let near = 2.0 * self.fastest * self.settings.step + 3.0 * self.widest;
        let far = if presses { near.max(PRESSED * self.widest) } else { near };
        let first = awake.len();
        for who in self.crowd.near(at, far) {
            let drift = &self.calm.drifts[who.id as usize];
            if drift.until > steps {
                let (place, close) = (who.at - at, sight.nearby(&self.bodies[who.id as usize]));
                let moves = drift.far > 0 && place.dot(place) <= close * close;
                if moves || presses {
                    awake.push(who.id);
                }
            }
        }
        for &other in &awake[first..] {
            self.calm.drifts[other as usize].until = steps;
        }
    }

    /// All who drift go on: how far, together, in grains.
    pub(crate) fn drift(&mut self) -> u128 {
        let Self { calm, bodies, crowd, steps, .. } = self;
        let mut sum = 0;
        for (id, (drift, body)) in calm.drifts.iter().zip(bodies).enumerate() {
            if drift.until > *steps && drift.far > 0 {
                body.pose.at = body.pose.at + drift.by;
                crowd.drifts(id, body.pose.at);
                calm.afloat.put(id, body.pose.at);
                sum += u128::from(drift.far);
            }
        }
        sum
    }

    /// The step is over: whoever has changed its velocity tells those who drift, and whoever can drifts from now on.
    pub(crate) fn settle(&mut self, proposals: &[(u32, Proposal)]) {
        let long = self.long();
        let fair = self.slack() / (4.0 * self.settings.forecast * (1.0 + WINDOW));
        self.calm.narrowed.resize(self.bodies.len(), 0);
        for &(id, ref proposal) in proposals {
            self.calm.narrowed[id as usize] = proposal.narrowed;
            let (id, velocity) = (id as usize, self.bodies[id as usize].velocity);
            let change = velocity - self.calm.told[id];
            if change.dot(change) > fair * fair {
                self.tell(id);
            }
        }
        if self.calm.never {
            return;
        }
        self.calm.ready.resize(self.bodies.len(), false);
        for &(id, ref proposal) in proposals {
            self.calm.ready[id as usize] = self.is_ready(id as usize, proposal);
        }
        for &(id, ref proposal) in proposals {
            let id = id as usize;
            if self.calm.ready[id]
                && let Some(drift) = self.may_drift(id, proposal)
            {
                let rank = rank(&self.bodies, id, self.settings.quantum);
                self.crowd.place(id, rank, self.bodies[id].presses(long));
                self.calm.drifts[id] = drift;
                if drift.far > 0 {
                    self.calm.afloat.put(id, self.bodies[id].pose.at);
                }
            }
        }
        for &(id, _) in proposals {
            self.calm.ready[id as usize] = false;
        }
    }

    fn slack(&self) -> f64 {
        SLACK * self.slimmest
    }

    /// A body goes on otherwise than was reckoned with.
    fn tell(&mut self, id: usize) {
        let body = &self.bodies[id];
        let (at, velocity) = (body.pose.at, body.velocity);
        self.calm.told[id] = velocity;
        if self.calm.never {
            return;
        }
        let close = 2.0 * self.fastest * self.settings.step + 3.0 * self.widest;
        let time = self.settings.forecast * (1.0 + WINDOW);
        let mut sooner = core::mem::take(&mut self.calm.queue);
        sooner.clear();
        let sight = self.sight();
        let around = sight.reach(at, core::iter::once((at + velocity * time, time)), close);
        let mut looked = 0;
        for who in self.calm.afloat.within(around.0, around.1) {
            looked += 1;
            let (who, drift) = (self.crowd.seen(who as usize), &self.calm.drifts[who as usize]);
            if drift.until > self.steps && drift.far > 0 && who.id as usize != id {
                let eye = sight.eye(who.id as usize);
                let other = Seen { at, velocity, ..*self.crowd.seen(id) };
                let until = self.steps + self.unconcerned(&eye, who.velocity, &other, u64::MAX >> 1);
                if until < drift.until {
                    sooner.push((u128::from(until), who.id));
                }
            }
        }
        for &(until, other) in &sooner {
            self.calm.drifts[other as usize].until = until as u64;
        }
        self.calm.queue = sooner;
        (self.work.told, self.work.looked) = (self.work.told + 1, self.work.looked + looked);
    }

    /// For how many steps, and up to `most`, `who` will not concern a body at all if both go on as now.
    fn unconcerned(&self, eye: &Eye<'_>, velocity: Point, who: &Seen, most: u64) -> u64 {
        let slack = self.slack();
        let meet = eye.closest(who) + slack;
        // So near they could touch in a step in which only one of them moves, as they do one after the other.
        let near = (meet - eye.room + self.fastest * self.settings.step + 2.0 * MARGIN).max(meet);
        let (place, way) = (eye.body.pose.at - who.at, velocity - who.velocity);
        let (square, towards) = (place.dot(place), place.dot(way));
        let beyond = square - near * near;
        if beyond <= 0.0 {
            return 0;
        }
        let speed = way.dot(way);
        let root = towards * towards - speed * beyond;
        if towards >= 0.0 || root <= 0.0 {
            return most;
        }
        let mut time = (-towards - root.sqrt()) / speed;
        let root = towards * towards - speed * (square - meet * meet);
        if root > 0.0 {
            // Whom it will meet it minds as soon as its forecast reaches so far.
            time = time.min((-towards - root.sqrt()) / speed - self.settings.forecast);
        }
        // One less, for what rounding may do.
        ((time / self.settings.step).max(0.0) as u64).saturating_sub(1).min(most)
    }

    /// Whether nothing that a body saw in this step keeps it from drifting.
    fn is_ready(&self, id: usize, proposal: &Proposal) -> bool {
        let body = &self.bodies[id];
        let settled =
            body.want == Want::Nothing && !body.tied && body.makes_way.is_none() && proposal.is_calm();
        if !settled || body.is_gone() {
            return false;
        }
        if body.path.is_empty() {
            return body.velocity == Point::ZERO && body.wish == Point::ZERO;
        }
        body.shape.is_disc()
            && body.path.len() == 1
            && !body.round
            && body.promoted.is_none()
            && body.slow == 0
            // Only who decides wakes those whom it presses. Under a short forecast everybody on its way presses.
            && !body.presses(self.long())
            && body.doing == Doing::Goes
            && !body.stays(self.steps)
    }

    /// How a body that is ready drifts from now on, if it can.
    fn may_drift(&mut self, id: usize, proposal: &Proposal) -> Option<Drift> {
        let body = &self.bodies[id];
        if body.path.is_empty() {
            return Some(Drift { until: u64::MAX, by: Point::ZERO, far: 0 });
        }
        // Whom it could touch in this step it may be near in the next: in vain if those look around then.
        let drifts = |&other: &u32| {
            let other = other as usize;
            self.calm.ready[other] || self.calm.drifts[other].until > self.steps
        };
        if !proposal.close()?.iter().all(drifts) {
            return None;
        }
        let (steps, looked) = self.straight_on(body, id);
        self.work.looked += looked;
        let by = body.wish * (body.preferred * self.settings.step);
        (steps >= LEAST).then(|| Drift { until: self.steps + steps, by, far: grains(by.length()) })
    }

    /// Lets those drift on who need not look around yet, though they have not looked so far ahead before.
    fn renew(&mut self) {
        for id in 0..self.calm.drifts.len() {
            let Drift { until, far, .. } = self.calm.drifts[id];
            if until == self.steps && far > 0 {
                let (steps, looked) = self.straight_on(&self.bodies[id], id);
                (self.work.looked, self.work.renewed) = (self.work.looked + looked, self.work.renewed + 1);
                if steps >= LEAST {
                    self.calm.drifts[id].until = self.steps + steps;
                }
            }
        }
    }

    /// For how many steps a body will surely go straight on whatever it sees, and at how many others it looked to know.
    fn straight_on(&self, body: &Body, id: usize) -> (u64, u64) {
        let [to] = body.path[..] else { return (0, 0) };
        let (at, most) = (body.pose.at, body.preferred * self.settings.step);
        let fine = at.x.abs().max(at.y.abs()) < FAR;
        if !fine || !keeps(body.wish, to - at, most, 0.5 * MARGIN) {
            return (0, 0);
        }
        let window = WINDOW * self.settings.forecast;
        let left = (to - at).dot(body.wish) / most - 2.0;
        let mut steps = (window / self.settings.step).min(left).max(0.0) as u64;
        let sight = self.sight();
        let (eye, velocity) = (sight.eye(id), body.wish * body.preferred);
        // Whoever is anywhere else cannot be met within a forecast of the last of these steps.
        let time = steps as f64 * self.settings.step + self.settings.forecast;
        let close = sight.nearby(body) + self.slack();
        let around = sight.reach(at, core::iter::once((at + velocity * time, time)), close);
        let mut looked = 0;
        for who in self.crowd.within(around).filter(|who| who.id as usize != id) {
            looked += 1;
            steps = steps.min(self.unconcerned(&eye, velocity, who, steps));
            if steps < LEAST {
                return (0, looked);
            }
        }
        let by = body.wish * (most * (steps + 1) as f64);
        if self.space.is_clear(self.ways.solid(id), at, by, 2.0 * MARGIN) {
            (steps, looked)
        } else {
            (0, looked)
        }
    }
}
