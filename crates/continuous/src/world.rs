//! The world: bodies in a space, and a step of all of them.

use crate::body::{Body, Doing, Want};
use crate::calm::Calm;
use crate::crowd::Crowd;
use crate::doors::Doors;
use crate::geometry::{Solid, overlap};
use crate::knot::{Futile, Knot};
use crate::planning::Ways;
use crate::scene::Title;
use crate::settings;
use crate::step::{Commit, Proposal, Sight};
use crate::{
    Counts, Errand, Event, FASTEST, MARGIN, MOST_BODIES, NewBody, SLOWEST, Settings, Space, SpaceError, Work,
};
use std::sync::Arc;
use throng_core::space::{Point, Pose};
use throng_core::{AgentId, StateHash};
use throng_search::Workers;

/// Closer than this to a place is there.
pub(crate) const THERE: f64 = 1e-9;

/// Bodies that move through a space, step by step.
#[derive(Debug)]
pub struct World {
    pub(crate) title: Title,
    /// With all walls, and those doors that are closed.
    pub(crate) space: Space,
    pub(crate) doors: Doors,
    pub(crate) settings: Settings,
    pub(crate) bodies: Vec<Body>,
    /// By body: what it covers now.
    pub(crate) solids: Vec<Solid>,
    pub(crate) crowd: Crowd,
    pub(crate) ways: Ways,
    /// Those who find their ways together.
    pub(crate) knots: Vec<Knot>,
    /// And those who found none together.
    pub(crate) futile: Vec<Futile>,
    pub(crate) steps: u64,
    pub(crate) counts: Counts,
    pub(crate) events: Vec<Event>,
    pub(crate) workers: Arc<Workers>,
    /// Of everybody awake, by number.
    pub(crate) proposals: Vec<(u32, Proposal)>,
    pub(crate) commit: Commit,
    pub(crate) calm: Calm,
    pub(crate) work: Work,
    pub(crate) fastest: f64,
    pub(crate) widest: f64,
    pub(crate) slimmest: f64,
}

impl World {
    /// A world with these bodies, which get the numbers 0, 1, 2, …
    pub fn new(space: Space, settings: Settings, bodies: Vec<NewBody>) -> Result<Self, SpaceError> {
        Self::with_doors(space, Doors::default(), settings, bodies)
    }

    /// The same with doors in a space that has its other walls only.
    pub(crate) fn with_doors(
        space: Space,
        doors: Doors,
        settings: Settings,
        bodies: Vec<NewBody>,
    ) -> Result<Self, SpaceError> {
        settings::check(&settings)?;
        let mut world = Self {
            title: Title::default(),
            space: doors.space().unwrap_or(space),
            doors,
            settings,
            bodies: Vec::new(),
            solids: Vec::new(),
            crowd: Crowd::default(),
            ways: Ways::default(),
            knots: Vec::new(),
            futile: Vec::new(),
            steps: 0,
            counts: Counts::default(),
            events: Vec::new(),
            workers: Arc::new(Workers::new(1)),
            proposals: Vec::new(),
            commit: Commit::default(),
            calm: Calm::default(),
            work: Work::default(),
            fastest: 0.0,
            widest: 0.0,
            slimmest: f64::INFINITY,
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
        self.dissolve(agent.index());
        self.may_try(agent.index());
        let body = &mut self.bodies[agent.index()];
        body.doing = Doing::Gone;
        body.path.clear();
        (body.want, body.velocity, body.cause) = (Want::Nothing, Point::ZERO, None);
        self.ways.forget(agent.0);
        self.calm.wake(agent.index());
        Ok(())
    }

    /// Gives a body another errand.
    pub fn send(&mut self, agent: AgentId, errand: Errand) -> Result<(), SpaceError> {
        self.known(agent)?;
        self.check_errand(agent, &self.clearance_of(agent.index()).clone(), &errand)?;
        self.dissolve(agent.index());
        self.may_try(agent.index());
        let body = &mut self.bodies[agent.index()];
        (body.errand, body.leg, body.delay) = (errand, 0, 0.0);
        body.path.clear();
        self.ways.forget(agent.0);
        self.calm.wake(agent.index());
        self.set_out(agent.index());
        Ok(())
    }

    /// Some walls are gone: `space` is the same with no more than those that are left. Ways are planned anew as they are needed.
    pub(crate) fn open_up(&mut self, space: Space) {
        self.space = space;
        self.ways.outdated();
        self.unsettle();
    }

    /// Walls are others than they were: everybody looks around, and whoever looks for moves together begins anew.
    pub(crate) fn unsettle(&mut self) {
        self.futile.clear();
        let searching = |knot: &Knot| if knot.planned { None } else { knot.bodies.first().copied() };
        for id in self.knots.iter().filter_map(searching).collect::<Vec<_>>() {
            self.dissolve(id as usize);
        }
        (0..self.bodies.len()).for_each(|id| self.calm.wake(id));
    }

    /// Whether no wall is between a body and a place.
    pub(crate) fn goes_straight(&self, id: usize, to: Point) -> bool {
        let at = self.bodies[id].pose.at;
        self.space.is_free(self.ways.solid(id), at, to - at)
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
        if !(SLOWEST..=FASTEST).contains(speed) {
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
            // A door may open yet.
            if !self.doors.all_open().unwrap_or(&self.space).has_room(solid, at) {
                return Err(SpaceError::InWall { agent, role: "goal", at });
            }
        }
        Ok(())
    }

    /// Whether any two bodies overlap: each against those near it.
    pub(crate) fn check_apart(&self) -> Result<(), SpaceError> {
        let mut crowd = Crowd::default();
        crowd.gather(&self.bodies, 2.0 * self.widest, 2.0 * self.widest);
        for (id, body) in self.bodies.iter().enumerate().filter(|(_, body)| !body.is_gone()) {
            let near = crowd.near(body.pose.at, body.shape.reach() + self.widest + MARGIN);
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
            cornered: 0,
            tied: false,
        });
    }

    /// One more body, as it is.
    pub(crate) fn take_up(&mut self, body: Body) {
        self.fastest = self.fastest.max(body.preferred);
        self.widest = self.widest.max(body.shape.reach());
        self.slimmest = self.slimmest.min(body.shape.reach());
        self.solids.push(Solid::facing(&body.shape, body.pose.heading));
        self.ways.join(&body);
        self.bodies.push(body);
    }

    pub(crate) fn clearance_of(&self, id: usize) -> &Solid {
        self.ways.solid(id)
    }

    /// Everybody who may look at the world while nobody changes it.
    pub(crate) fn sight(&self) -> Sight<'_> {
        let Self {
            space, settings, bodies, solids, crowd, ways, knots, steps, fastest, widest, calm, ..
        } = self;
        Sight {
            space,
            settings,
            bodies,
            solids,
            crowd,
            ways,
            knots,
            fastest: *fastest,
            widest: *widest,
            narrowed: &calm.narrowed,
            step: *steps,
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
        // On to the next place: whatever knot it was part of goes on without it.
        body.tied = false;
        if body.leg > before {
            body.delay = 0.0;
            self.may_try(id);
        }
        let body = &mut self.bodies[id];
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

    /// What all that took, since this world was made or taken up.
    #[must_use]
    pub const fn work(&self) -> &Work {
        &self.work
    }

    /// How many points of roadmaps have been worked out since this world was made or taken up.
    #[must_use]
    pub fn worked_out(&self) -> usize {
        self.ways.points()
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

    /// Whether nobody will ever move again though not everybody has arrived: the others have no way to where they go, nobody waits
    /// for one to be planned, and nobody is on its way anywhere. Until somebody is sent elsewhere, comes or leaves, a step changes nothing. Nobody is stuck while a door is to open.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        let stands = |body: &Body| {
            body.is_gone()
                || body.path.is_empty() && (body.doing == Doing::Lost || body.leg >= body.errand.legs())
        };
        !self.is_done() && !self.doors.will_open() && self.bodies.iter().all(stands)
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
        self.doors.states().for_each(|state| hash.add(state));
        hash.finish()
    }
}
