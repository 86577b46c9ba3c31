//! The world: bodies in a space, and a step of all of them.

use crate::body::{Body, Doing, Want};
use crate::crowd::Crowd;
use crate::geometry::{Solid, overlap};
use crate::planning::Ways;
use crate::scene::Title;
use crate::settings;
use crate::step::{Commit, Proposal, Sight, propose};
use crate::{Counts, Errand, Event, FASTEST, MARGIN, MOST_BODIES, NewBody, Settings, Space, SpaceError};
use std::sync::Arc;
use throng_core::space::{Point, Pose};
use throng_core::{AgentId, Budget, Observer, StateHash};
use throng_search::Workers;

/// Closer than this to a place is there.
const THERE: f64 = 1e-9;
/// Who goes slower than this part of its speed is counted as slowed.
const SLOWED: f64 = 0.99;

/// Who has been slower than its bound for this part of a forecast is made way for.
const PRESSING: f64 = 0.2;

/// Bodies that move through a space, step by step.
#[derive(Debug)]
pub struct World {
    pub(crate) title: Title,
    pub(crate) space: Space,
    pub(crate) settings: Settings,
    pub(crate) bodies: Vec<Body>,
    /// By body: what it covers now.
    pub(crate) solids: Vec<Solid>,
    pub(crate) crowd: Crowd,
    pub(crate) ways: Ways,
    pub(crate) steps: u64,
    pub(crate) counts: Counts,
    pub(crate) events: Vec<Event>,
    pub(crate) workers: Arc<Workers>,
    proposals: Vec<(u32, Proposal)>,
    commit: Commit,
    fastest: f64,
    widest: f64,
}

impl World {
    /// A world with these bodies, which get the numbers 0, 1, 2, …
    pub fn new(space: Space, settings: Settings, bodies: Vec<NewBody>) -> Result<Self, SpaceError> {
        settings::check(&settings)?;
        let mut world = Self {
            title: Title::default(),
            space,
            settings,
            bodies: Vec::new(),
            solids: Vec::new(),
            crowd: Crowd::default(),
            ways: Ways::default(),
            steps: 0,
            counts: Counts::default(),
            events: Vec::new(),
            workers: Arc::new(Workers::new(1)),
            proposals: Vec::new(),
            commit: Commit::default(),
            fastest: 0.0,
            widest: 0.0,
        };
        if bodies.len() > MOST_BODIES {
            return Err(SpaceError::TooMany { bodies: bodies.len() });
        }
        for body in bodies {
            let id = AgentId(world.bodies.len() as u32);
            world.check(id, &body)?;
            world.put(body);
        }
        world.check_apart()?;
        (0..world.bodies.len()).for_each(|id| world.set_out(id));
        // Who is where it wants to be from the beginning has not just arrived.
        world.events.clear();
        Ok(world)
    }

    /// Proposes on so many threads. They change how long a step takes, never what comes of it.
    #[must_use]
    pub fn on_threads(mut self, threads: usize) -> Self {
        self.workers = Arc::new(Workers::new(threads));
        self
    }

    /// One more body, which gets the next number.
    pub fn add(&mut self, body: NewBody) -> Result<AgentId, SpaceError> {
        let id = AgentId(self.bodies.len() as u32);
        if self.bodies.len() >= MOST_BODIES {
            return Err(SpaceError::TooMany { bodies: self.bodies.len() + 1 });
        }
        self.check(id, &body)?;
        let solid = Solid::facing(&body.shape, body.pose.heading);
        let over = |(_, other): &(usize, &Body)| !other.is_gone();
        let mut others = self.bodies.iter().enumerate().filter(over);
        let hit = others.find(|(other, there)| {
            overlap(&solid, &self.solids[*other], body.pose.at - there.pose.at, MARGIN)
        });
        if let Some((first, _)) = hit {
            return Err(SpaceError::Overlap { first: AgentId(first as u32), agent: id, at: body.pose.at });
        }
        self.put(body);
        self.set_out(id.index());
        Ok(id)
    }

    /// Takes a body out of the world; its number is not given again.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), SpaceError> {
        self.known(agent)?;
        let body = &mut self.bodies[agent.index()];
        body.doing = Doing::Gone;
        body.path.clear();
        (body.want, body.velocity, body.cause) = (Want::Nothing, Point::ZERO, None);
        self.ways.forget(agent.0);
        Ok(())
    }

    /// Gives a body another errand.
    pub fn send(&mut self, agent: AgentId, errand: Errand) -> Result<(), SpaceError> {
        self.known(agent)?;
        self.check_errand(agent, &self.clearance_of(agent.index()).clone(), &errand)?;
        let body = &mut self.bodies[agent.index()];
        (body.errand, body.leg, body.delay) = (errand, 0, 0.0);
        body.path.clear();
        self.ways.forget(agent.0);
        self.set_out(agent.index());
        Ok(())
    }

    fn known(&self, agent: AgentId) -> Result<(), SpaceError> {
        match self.bodies.get(agent.index()) {
            Some(body) if !body.is_gone() => Ok(()),
            _ => Err(SpaceError::Unknown { agent }),
        }
    }

    fn check(&self, agent: AgentId, body: &NewBody) -> Result<(), SpaceError> {
        let NewBody { pose, speed, .. } = body;
        if !pose.at.is_sound() {
            return Err(SpaceError::NoPoint { agent, role: "start", at: pose.at });
        }
        if !pose.is_sound() {
            return Err(SpaceError::BadHeading { agent, heading: pose.heading });
        }
        if !(*speed >= 1e-6 && *speed <= FASTEST) {
            return Err(SpaceError::BadSpeed { agent, speed: *speed });
        }
        let solid = Solid::facing(&body.shape, pose.heading);
        if !self.space.has_room(&solid, pose.at) {
            return Err(SpaceError::InWall { agent, role: "start", at: pose.at });
        }
        self.check_errand(agent, &Ways::clearance(&body.shape, pose.heading, body.turns), &body.errand)
    }

    fn check_errand(&self, agent: AgentId, solid: &Solid, errand: &Errand) -> Result<(), SpaceError> {
        let places: Vec<Point> = match errand {
            Errand::Goals(goals) if goals.is_empty() => return Err(SpaceError::NoGoals { agent }),
            Errand::Patrol { rounds: 0, .. } => return Err(SpaceError::NoRounds { agent }),
            Errand::Goals(goals) => goals.clone(),
            Errand::Patrol { goal, home, .. } => vec![*goal, *home],
            Errand::Hold => Vec::new(),
        };
        for at in places {
            if !at.is_sound() {
                return Err(SpaceError::NoPoint { agent, role: "goal", at });
            }
            if !self.space.has_room(solid, at) {
                return Err(SpaceError::InWall { agent, role: "goal", at });
            }
        }
        Ok(())
    }

    /// Whether any two bodies overlap: each against those near it.
    pub(crate) fn check_apart(&mut self) -> Result<(), SpaceError> {
        self.crowd.look(&self.bodies, 2.0 * self.widest, self.settings.quantum, 0);
        for (id, body) in self.bodies.iter().enumerate().filter(|(_, body)| !body.is_gone()) {
            let near = self.crowd.near(body.pose.at, body.shape.reach() + self.widest + MARGIN);
            let over = |other: &u32| {
                let place = body.pose.at - self.bodies[*other as usize].pose.at;
                (*other as usize) < id
                    && overlap(&self.solids[id], &self.solids[*other as usize], place, MARGIN)
            };
            if let Some(first) = near.map(|who| who.id).filter(over).min() {
                let agent = AgentId(id as u32);
                return Err(SpaceError::Overlap { first: AgentId(first), agent, at: body.pose.at });
            }
        }
        Ok(())
    }

    fn put(&mut self, new: NewBody) {
        let NewBody { shape, pose, speed, turns, errand, priority, team } = new;
        self.take_up(Body {
            shape,
            pose,
            preferred: speed,
            turns,
            errand,
            priority,
            team,
            leg: 0,
            velocity: Point::ZERO,
            wish: Point::ZERO,
            path: Vec::new(),
            round: false,
            side: 0,
            delay: 0.0,
            want: Want::Nothing,
            again: 0,
            slow: 0,
            doing: Doing::Rests,
            cause: None,
            makes_way: None,
            back: 0,
            left: 0.0,
            promoted: None,
        });
    }

    /// One more body, as it is.
    pub(crate) fn take_up(&mut self, body: Body) {
        self.fastest = self.fastest.max(body.preferred);
        self.widest = self.widest.max(body.shape.reach());
        self.solids.push(Solid::facing(&body.shape, body.pose.heading));
        self.ways.join(&body);
        self.bodies.push(body);
    }

    pub(crate) fn clearance_of(&self, id: usize) -> &Solid {
        self.ways.solid(id)
    }

    /// Everybody who may look at the world while nobody changes it.
    pub(crate) fn sight(&self) -> Sight<'_> {
        let Self { space, settings, bodies, solids, crowd, ways, steps, fastest, widest, .. } = self;
        Sight {
            space,
            settings,
            bodies,
            solids,
            crowd,
            ways,
            fastest: *fastest,
            widest: *widest,
            step: *steps,
        }
    }

    /// One step: ways are planned within `budget`, everybody proposes, and all moves are carried out that touch nobody.
    pub fn step(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> &[Event] {
        self.events.clear();
        // Half of how far the fastest look: smaller squares hold fewer who are too far away, and are more to look into.
        let range = self.settings.forecast * self.fastest + self.widest;
        let long = (self.settings.forecast * PRESSING / self.settings.step) as u32;
        self.crowd.look(&self.bodies, range, self.settings.quantum, long);
        self.plan(budget, observer);
        self.propose();
        self.carry_out();
        self.steps += 1;
        self.promote();
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

    fn propose(&mut self) {
        let mut proposals = core::mem::take(&mut self.proposals);
        proposals.clear();
        // In the order of numbers: their bodies lie side by side in memory, and are larger than what others see of them.
        proposals.extend((0..self.bodies.len() as u32).map(|id| (id, Proposal::REST)));
        let sight = self.sight();
        self.workers.for_each(&mut proposals, |(id, proposal)| *proposal = propose(&sight, *id as usize));
        self.counts.looked += proposals.iter().map(|(_, proposal)| u64::from(proposal.looked)).sum::<u64>();
        self.proposals = proposals;
    }

    fn carry_out(&mut self) {
        let (mut commit, proposals) =
            (core::mem::take(&mut self.commit), core::mem::take(&mut self.proposals));
        let sight = self.sight();
        commit.begin(&sight);
        let mut stopped: Vec<(u32, Option<u32>)> = Vec::new();
        let mut wishes: Vec<(u32, Point)> = Vec::with_capacity(proposals.len());
        for id in self.crowd.queue() {
            let done = commit.turn(&sight, id as usize, &proposals[id as usize].1);
            wishes.push((id, done.wish));
            if commit.moves[id as usize] == Point::ZERO {
                stopped.extend(done.stopped_by.map(|by| (id, by)));
            }
        }
        for (id, wish) in wishes {
            self.bodies[id as usize].wish = wish;
            self.apply(id as usize, &proposals[id as usize].1, &commit);
        }
        for (id, by) in stopped {
            let body = &mut self.bodies[id as usize];
            (body.doing, body.cause) = (Doing::Stops, by);
            self.counts.stops += 1;
            self.events.push(Event::Stopped { agent: AgentId(id), by: by.map(AgentId) });
        }
        (self.commit, self.proposals) = (commit, proposals);
    }

    /// What a step does to one body.
    fn apply(&mut self, id: usize, proposal: &Proposal, commit: &Commit) {
        let time = self.settings.step;
        let body = &mut self.bodies[id];
        body.makes_way = proposal.makes_way.map(|(who, _)| who);
        if let Some((who, _)) = proposal.makes_way {
            let by = commit.moves[id];
            if by != Point::ZERO && !body.round {
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
            (body.doing, body.cause) = (Doing::MakesWay, Some(who));
            body.back = self.steps + (self.settings.forecast / time) as u64;
            self.counts.distance += by.length();
            self.counts.made_way += 1;
            return;
        }
        if body.path.is_empty() || body.stays(self.steps) {
            body.velocity = Point::ZERO;
            return;
        }
        if proposal.straight {
            body.path.pop();
            body.round = false;
        }
        let Some(&next) = body.path.last() else { return };
        let (by, far) = (commit.moves[id], (next - body.pose.at).length());
        let (moved, hoped) = (by.length(), (body.preferred * time).min(far));
        let heading = body.pose.heading;
        body.pose = commit.pose(body.pose, id);
        body.velocity = by * (1.0 / time);
        body.delay += ((hoped - moved) / body.preferred).max(0.0);
        let slow = moved < self.settings.bound * hoped;
        body.slow = if slow { body.slow.saturating_add(1) } else { 0 };
        if body.want == Want::Nothing {
            body.want = proposal.want;
            if slow && body.want == Want::Nothing && self.steps >= body.again {
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
        self.counts.distance += moved;
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
    }

    /// Sends a body without a way to the next place of its errand.
    pub(crate) fn set_out(&mut self, id: usize) {
        let body = &mut self.bodies[id];
        let agent = AgentId(id as u32);
        let legs = body.errand.legs();
        let before = body.leg;
        while body.leg < legs
            && body.errand.target(body.leg).is_some_and(|target| (target - body.pose.at).length() < THERE)
        {
            self.events.push(Event::Arrived { agent, leg: body.leg });
            body.leg += 1;
        }
        (body.round, body.side, body.slow, body.again) = (false, 0, 0, 0);
        (body.left, body.promoted) = (f64::INFINITY, None);
        (body.want, body.cause) = (Want::Nothing, None);
        if body.leg >= legs {
            if before < legs {
                self.events.push(Event::Finished { agent });
            }
            (body.doing, body.velocity, body.delay) = (Doing::Rests, Point::ZERO, 0.0);
            return;
        }
        if body.leg > before {
            body.delay = 0.0;
        }
        let Some(target) = body.errand.target(body.leg) else { return };
        if self.space.is_free(self.ways.solid(id), body.pose.at, target - body.pose.at) {
            body.path.push(target);
            body.doing = Doing::Goes;
        } else {
            (body.want, body.doing, body.velocity) = (Want::Route, Doing::Awaits, Point::ZERO);
        }
    }

    /// The space.
    #[must_use]
    pub const fn space(&self) -> &Space {
        &self.space
    }

    /// How bodies look ahead.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All bodies by number, also those that have left.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// By body: where it is; nowhere if it has left.
    #[must_use]
    pub fn poses(&self) -> Vec<Option<Pose>> {
        self.bodies.iter().map(|body| (!body.is_gone()).then_some(body.pose)).collect()
    }

    /// Steps so far.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The time that has passed.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.settings.step
    }

    /// What was counted so far.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What happened in the last step.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many bodies have done their errands.
    #[must_use]
    pub fn arrived(&self) -> usize {
        self.bodies.iter().filter(|body| body.has_arrived()).count()
    }

    /// Whether everybody has.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.bodies.iter().all(|body| body.is_gone() || body.has_arrived())
    }

    /// How many jobs each worker thread has done.
    #[must_use]
    pub fn work_done(&self) -> Vec<u64> {
        self.workers.done()
    }

    /// A fingerprint of everybody, which is the same on every platform.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.add(self.steps);
        for body in &self.bodies {
            let Pose { at, heading } = body.pose;
            for number in [at.x, at.y, heading.x, heading.y, body.velocity.x, body.velocity.y, body.delay] {
                hash.add(number.to_bits());
            }
            hash.add(body.promoted.unwrap_or(u64::MAX));
            hash.add(u64::from(body.leg) << 32 | (body.path.len() as u64) << 1 | u64::from(body.is_gone()));
        }
        hash.finish()
    }
}
