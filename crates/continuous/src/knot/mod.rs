//! Bodies that cannot get past each other one by one find their ways together.
//!
//! Where a corridor is so narrow that one of two has to walk past its goal to let the other by, pushing never ends: whoever is
//! stronger reaches its goal and stands in the other's way. Those who have pushed each other for long in a narrow place are tied
//! into a *knot*: they stand until a search over all of them at once has found an order of moves that brings each where it wants
//! to be, and carry it out. Nobody else is part of it; others make way for them as for whoever was promoted.

mod futile;
mod places;
mod search;
mod walls;

pub(crate) use futile::Futile;
pub(crate) use search::MOST;

use crate::World;
use crate::body::{Body, Doing, Want};
use crate::crowd::Seen;
use crate::geometry::{Solid, overlap};
use crate::planning::stands;
use crate::{Errand, MARGIN};
use places::BEYOND;
use search::{Answer, Search};
use throng_core::space::{Point, Pose};
use throng_core::{AgentId, Budget, Observer, SearchKind};
use walls::Walls;

/// Expansions of a search for a knot in one step at most, whatever the budget.
const AT_ONCE: u64 = 200;
/// A knot in which nobody has got anywhere for so many times its patience is given up.
const PATIENT: f64 = 8.0;

/// Bodies that carry out moves in an order.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Knot {
    /// By their numbers.
    pub(crate) bodies: Vec<u32>,
    /// Who stood near it for good when it was tied, and how: what its moves are planned around, whoever comes or leaves meanwhile.
    walls: Vec<(u32, Pose)>,
    /// In the order of the search.
    pub(crate) moves: Vec<Move>,
    /// States that were looked at for that.
    pub(crate) expanded: u64,
    pub(crate) planned: bool,
    /// When somebody last got to the end of a move, and how many there were to do then.
    pub(crate) since: u64,
    pub(crate) left: u32,
    #[cfg_attr(feature = "serde", serde(skip))]
    search: Option<Box<Search>>,
}

/// One body goes straight from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Move {
    pub(crate) body: u32,
    pub(crate) from: Point,
    pub(crate) to: Point,
}

impl Knot {
    /// Whether some of `count` bodies can be those of a knot.
    #[cfg(feature = "serde")]
    fn can_be_of(bodies: &[u32], count: usize) -> bool {
        let within = |&id: &u32| (id as usize) < count;
        (2..=MOST).contains(&bodies.len()) && bodies.is_sorted_by(|a, b| a < b) && bodies.iter().all(within)
    }

    /// What is saved of it: all but the search, which is made anew from that.
    #[cfg(feature = "serde")]
    pub(crate) fn saved(&self) -> Self {
        let Self { expanded, planned, since, left, .. } = *self;
        let (bodies, walls, moves) = (self.bodies.clone(), self.walls.clone(), self.moves.clone());
        Self { bodies, walls, moves, expanded, planned, since, left, search: None }
    }

    /// For whom a body of the knot has to wait before its next move: somebody whose move comes first and is not over; itself until
    /// there is an order. Nothing if it may go.
    pub(crate) fn waits_for(&self, id: u32, bodies: &[Body]) -> Option<u32> {
        if !self.planned {
            return Some(id);
        }
        // Counted from the end: as many moves are left to each as there are places on its path.
        let mut left: [usize; MOST] = [0; MOST];
        let slot = |id: u32| self.bodies.iter().position(|&body| body == id).unwrap_or(0);
        for (slot, &body) in self.bodies.iter().enumerate() {
            left[slot] = if bodies[body as usize].tied { bodies[body as usize].path.len() } else { 0 };
        }
        let mut mine: Option<Move> = None;
        let mut first = None;
        for next in self.moves.iter().rev() {
            let slot = slot(next.body);
            if left[slot] == 0 {
                continue;
            }
            left[slot] -= 1;
            if next.body == id {
                (mine, first) = (Some(*next), None);
            } else if let Some(mine) = mine {
                let room = bodies[id as usize].shape.reach() + bodies[next.body as usize].shape.reach();
                if mine.comes_near(next, room + 4.0 * MARGIN) {
                    first = Some(next.body);
                }
            }
        }
        first
    }

    fn is_over(&self, bodies: &[Body]) -> bool {
        self.planned && self.left(bodies) == 0
    }

    fn left(&self, bodies: &[Body]) -> u32 {
        let tied = |&id: &u32| &bodies[id as usize];
        self.bodies.iter().map(tied).filter(|body| body.tied).map(|body| body.path.len() as u32).sum()
    }
}

impl Move {
    /// Whether two moves come closer than `room` anywhere.
    fn comes_near(&self, other: &Self, room: f64) -> bool {
        let (a, b) = (Solid::segment(self.from, self.to), Solid::segment(other.from, other.to));
        overlap(&a, &b, self.from - other.from, room)
    }
}

impl World {
    /// Ties bodies into knots that asked for it, and looks for the moves of those that have none. Answers what it took.
    pub(crate) fn untie(&mut self, queue: &[usize], budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        for &id in queue {
            if self.bodies[id].want == Want::Knot {
                self.tie(id);
            }
        }
        let mut spent = 0;
        // Half of the budget is for those who are on their way alone.
        let limit = budget.limit().div_ceil(2);
        for place in 0..self.knots.len() {
            if !self.knots[place].planned {
                let left = limit.saturating_sub(spent).min(AT_ONCE);
                if left == 0 || budget.should_stop(spent) {
                    break;
                }
                spent += self.search_knot(place, left, observer);
            }
        }
        self.knots.retain(|knot| !knot.bodies.is_empty());
        spent
    }

    /// A knot of a body and those who keep it and whom it keeps.
    fn tie(&mut self, id: usize) {
        (self.bodies[id].want, self.bodies[id].cornered) = (Want::Nothing, 0);
        let mut tied = self.tangle(id as u32);
        let around = self.around(id);
        // Whoever is not part of it would be in its way.
        if around.len() > MOST || !(2..=MOST).contains(&tied.len()) {
            return;
        }
        // Those who were pushed from where they rested come back, and would push again.
        for other in around {
            let body = &self.bodies[other as usize];
            if body.leg >= body.errand.legs() && tied.len() < MOST && self.may_tie(other, &tied) {
                tied.push(other);
            }
        }
        tied.sort_unstable();
        if self.is_futile(&tied) {
            return;
        }
        for &who in &tied {
            self.dissolve(who as usize);
        }
        for &who in &tied {
            let body = &mut self.bodies[who as usize];
            self.ways.forget(who);
            (body.tied, body.cornered, body.want) = (true, 0, Want::Nothing);
            (body.velocity, body.makes_way, body.back) = (Point::ZERO, None, 0);
        }
        for &who in &tied {
            self.ways.prepare(who as usize, &self.space, self.settings.sampling);
            self.calm.wake(who as usize);
        }
        self.knots.push(Knot {
            walls: self.stand_near(&tied),
            bodies: tied,
            moves: Vec::new(),
            expanded: 0,
            planned: false,
            since: self.steps,
            left: 0,
            search: None,
        });
    }

    /// All who are on their way around a body, by number.
    fn around(&self, id: usize) -> Vec<u32> {
        let far = self.settings.forecast * self.fastest;
        let at = self.bodies[id].pose.at;
        let goes = |who: &&Seen| {
            let way = who.at - at;
            way.dot(way) <= far * far && !self.bodies[who.id as usize].path.is_empty()
        };
        let mut found: Vec<u32> = self.crowd.near(at, far).filter(goes).map(|who| who.id).collect();
        found.sort_unstable();
        found
    }

    /// A body, whoever keeps it or makes it make way, whoever it does that to, and so on. Where they are more than a knot can hold,
    /// pushing gets them on, and nobody could plan for all of them. Nobody where a stranger is one of them: whatever the others agreed on,
    /// it would stand in their way, and they would stand until they gave it up.
    fn tangle(&self, id: u32) -> Vec<u32> {
        let mut tied = vec![id];
        let mut next = 0;
        while let Some(&who) = tied.get(next)
            && tied.len() <= MOST
        {
            next += 1;
            let body = &self.bodies[who as usize];
            let knot = self.knots.iter().find(|knot| body.tied && knot.bodies.contains(&who));
            let members = knot.into_iter().flat_map(|knot| knot.bodies.iter().copied());
            let minds = |&other: &u32| {
                let other = &self.bodies[other as usize];
                other.makes_way == Some(who) || !other.path.is_empty() && other.cause == Some(who)
            };
            let others = self.calm.awake.iter().copied().filter(minds);
            for other in members.chain(body.makes_way).chain(body.cause).chain(others) {
                if self.pushes_unknown(other, body.team) {
                    return Vec::new();
                }
                if tied.len() <= MOST && self.may_tie(other, &tied) {
                    tied.push(other);
                }
            }
        }
        tied
    }

    /// Whether a body is on its way, and where to is not known to a team.
    fn pushes_unknown(&self, id: u32, team: u16) -> bool {
        let body = &self.bodies[id as usize];
        body.team != team && !body.path.is_empty()
    }

    /// Whether a body can be part of a knot with others: they are of one team, it may move, and all fit where they go.
    fn may_tie(&self, id: u32, others: &[u32]) -> bool {
        if others.contains(&id) {
            return false;
        }
        let body = &self.bodies[id as usize];
        let to = self.home(id as usize);
        let apart = |&other: &u32| {
            let (mine, theirs) = (&self.solids[id as usize], &self.solids[other as usize]);
            !overlap(mine, theirs, to - self.home(other as usize), 2.0 * MARGIN)
        };
        !body.is_gone()
            && body.errand != Errand::Hold
            && body.doing != Doing::Lost
            && others.iter().all(|&other| self.bodies[other as usize].team == body.team)
            && others.iter().all(apart)
    }

    /// Where a body wants to be: at the end of its leg, or where it rested.
    pub(crate) fn home(&self, id: usize) -> Point {
        let body = &self.bodies[id];
        let rests = body.leg >= body.errand.legs();
        let to = if rests { body.path.first().copied() } else { body.errand.target(body.leg) };
        to.unwrap_or(body.pose.at)
    }

    /// A search for the moves of a knot, from where its bodies stand.
    fn knot_search(&self, bodies: &[u32], walls: &[(u32, Pose)]) -> Option<Search> {
        let ways: Vec<(Point, Point)> =
            bodies.iter().map(|&id| (self.bodies[id as usize].pose.at, self.home(id as usize))).collect();
        let solid = |&(id, pose): &(u32, Pose)| {
            (Solid::facing(&self.bodies[id as usize].shape, pose.heading), pose.at)
        };
        let grounds: Option<Vec<_>> =
            bodies.iter().map(|&id| self.ways.ground(id as usize, &self.space)).collect();
        let grounds = grounds?;
        let side =
            grounds.iter().map(|ground| ground.map.spacing.max(ground.solid.reach)).fold(0.0, f64::max);
        Some(Search::new(&ways, Walls::new(walls.iter().map(solid).collect(), side), &grounds))
    }

    /// All who stand for good no farther from where bodies are and want to be than they may have to go out of their way, by number.
    fn stand_near(&self, bodies: &[u32]) -> Vec<(u32, Pose)> {
        let ends = bodies.iter().flat_map(|&id| [self.bodies[id as usize].pose.at, self.home(id as usize)]);
        let (mut least, mut most) =
            (Point::new(f64::INFINITY, f64::INFINITY), Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY));
        for at in ends {
            least = Point::new(least.x.min(at.x), least.y.min(at.y));
            most = Point::new(most.x.max(at.x), most.y.max(at.y));
        }
        let grounds = bodies.iter().filter_map(|&id| self.ways.ground(id as usize, &self.space));
        let far = grounds.map(|ground| BEYOND * ground.map.spacing + ground.solid.reach).fold(0.0, f64::max);
        let corner = Point::new(far + self.widest, far + self.widest);
        let (least, most) = (least - corner, most + corner);
        let near = |at: Point| (least.x..=most.x).contains(&at.x) && (least.y..=most.y).contains(&at.y);
        let all = self.bodies.iter().zip(0..).filter(|(body, _)| stands(body) && near(body.pose.at));
        all.map(|(body, id)| (id, body.pose)).collect()
    }

    /// Goes on with the search for a knot: what it took.
    fn search_knot(&mut self, place: usize, most: u64, observer: &mut dyn Observer) -> u64 {
        let bodies = self.knots[place].bodies.clone();
        let search = self.knots[place].search.take();
        let Some(mut search) = search.or_else(|| {
            let mut search = Box::new(self.knot_search(&bodies, &self.knots[place].walls)?);
            // A world that was taken up again has come so far before.
            let grounds: Option<Vec<_>> =
                bodies.iter().map(|&id| self.ways.ground(id as usize, &self.space)).collect();
            let before = self.knots[place].expanded;
            if before > 0 {
                search.advance(&grounds?, before);
            }
            Some(search)
        }) else {
            return 0;
        };
        let before = search.expanded;
        let grounds: Option<Vec<_>> =
            bodies.iter().map(|&id| self.ways.ground(id as usize, &self.space)).collect();
        let answer = grounds.map_or(Answer::None, |grounds| search.advance(&grounds, most));
        let (expanded, spent) = (search.expanded, search.expanded - before);
        self.counts.expanded += spent;
        observer.expanded(AgentId(bodies[0]), SearchKind::Main, spent);
        self.knots[place].expanded = expanded;
        match answer {
            Answer::Unfinished => self.knots[place].search = Some(search),
            Answer::None => {
                self.found_futile(&bodies);
                self.release(&bodies);
                self.knots[place].bodies.clear();
            }
            Answer::Found(moves) => {
                self.counts.searches += 1;
                let moves = moves.into_iter().map(|(who, from, to)| Move { body: bodies[who], from, to });
                self.begin(place, moves.collect());
            }
        }
        spent
    }

    /// Takes up the knots of a world that was saved, unless they cannot be of this one.
    #[cfg(feature = "serde")]
    pub(crate) fn take_up_knots(&mut self, knots: Vec<Knot>, last: u64) -> bool {
        let count = self.bodies.len();
        let mut seen = vec![false; count];
        for knot in &knots {
            let here = |&id: &u32| self.bodies.get(id as usize).is_some_and(|body| !body.is_gone());
            let known = Knot::can_be_of(&knot.bodies, count) && knot.bodies.iter().all(here);
            let counted = knot.since <= last && knot.expanded <= last;
            let fresh =
                |&id: &u32| seen.get_mut(id as usize).is_some_and(|seen| !core::mem::replace(seen, true));
            let sound =
                |next: &Move| next.from.is_sound() && next.to.is_sound() && knot.bodies.contains(&next.body);
            let stands = |(id, pose): &(u32, Pose)| (*id as usize) < count && pose.is_sound();
            let whole = knot.walls.is_sorted_by(|a, b| a.0 < b.0) && knot.walls.iter().all(stands);
            if !known || !counted || !whole || !knot.bodies.iter().all(fresh) || !knot.moves.iter().all(sound)
            {
                return false;
            }
        }
        for &id in knots.iter().flat_map(|knot| &knot.bodies) {
            self.ways.prepare(id as usize, &self.space, self.settings.sampling);
        }
        let lost = self.bodies.iter().zip(&seen).any(|(body, &seen)| body.tied && !seen);
        self.knots = knots;
        !lost
    }

    /// The moves of a knot are known: everybody in it has a way.
    fn begin(&mut self, place: usize, moves: Vec<Move>) {
        let knot = &mut self.knots[place];
        (knot.moves, knot.planned, knot.since) = (moves, true, self.steps);
        for &id in &knot.bodies {
            let body = &mut self.bodies[id as usize];
            let own = knot.moves.iter().rev().filter(|next| next.body == id);
            body.path = own.map(|next| next.to).collect();
            (body.round, body.slow, body.left) = (false, 0, f64::INFINITY);
            body.promoted = (!body.path.is_empty()).then_some(self.steps);
        }
        knot.left = knot.left(&self.bodies);
    }

    /// Looks which knots are carried out, or cannot be.
    pub(crate) fn loosen(&mut self) {
        let long = (PATIENT * self.settings.patience / self.settings.step).clamp(1.0, 1e9) as u64;
        let mut over: Vec<u32> = Vec::new();
        for knot in &mut self.knots {
            let left = knot.left(&self.bodies);
            if left != knot.left {
                (knot.left, knot.since) = (left, self.steps);
            }
            if knot.is_over(&self.bodies) || knot.planned && self.steps > knot.since.saturating_add(long) {
                over.extend(&knot.bodies[..1]);
            }
        }
        for id in over {
            self.dissolve(id as usize);
        }
    }

    /// Whatever knot a body is in is no more: each goes on alone, along what is left of its way.
    pub(crate) fn dissolve(&mut self, id: usize) {
        let within = |knot: &Knot| knot.bodies.contains(&(id as u32));
        if let Some(place) = self.knots.iter().position(within) {
            let knot = self.knots.remove(place);
            self.release(&knot.bodies);
        }
    }

    fn release(&mut self, bodies: &[u32]) {
        for &id in bodies {
            let body = &mut self.bodies[id as usize];
            (body.tied, body.cornered, body.promoted) = (false, 0, None);
            body.left = f64::INFINITY;
            self.calm.wake(id as usize);
        }
    }
}
