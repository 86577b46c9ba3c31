//! Ways for those who need another one, the most delayed first, as far as a budget goes.

use crate::body::{Body, Doing, Want};
use crate::geometry::Solid;
use crate::roadmap::{Ground, Request, Roadmap, Route, Search};
use crate::step::{CANDIDATES, CLEAR, detour};
use crate::{Errand, Event, MARGIN, Sampling, Space, World};
use throng_core::space::{Point, Shape};
use throng_core::{AgentId, Budget, Observer, SearchKind};

/// Steps until a body that has found no detour, or has just begun one, looks for another.
const AGAIN: u64 = 8;
/// Who stands this many reaches away, or less, is avoided by a new way.
const AROUND: f64 = 8.0;
/// Who has gone from detour to detour for so many times its patience looks for another way altogether.
const PATIENT: u32 = 4;

/// Roadmaps, one for all bodies that need the same room, and the search that is not over yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    classes: Vec<Class>,
    /// By body: its class.
    of: Vec<u32>,
    pub(crate) pending: Option<Box<Search>>,
}

#[derive(Clone, Debug)]
struct Class {
    solid: Solid,
    /// Made when somebody needs it.
    map: Option<Roadmap>,
}

impl Ways {
    /// The room that a body needs wherever it goes: all around if it turns.
    pub(crate) fn clearance(shape: &Shape, heading: Point, turns: bool) -> Solid {
        if turns || shape.is_disc() { Solid::disc(shape.reach()) } else { Solid::facing(shape, heading) }
    }

    pub(crate) fn join(&mut self, body: &Body) {
        let solid = Self::clearance(&body.shape, body.pose.heading, body.turns);
        let known = self.classes.iter().position(|class| class.solid == solid);
        let place = known.unwrap_or(self.classes.len());
        if known.is_none() {
            self.classes.push(Class { solid, map: None });
        }
        self.of.push(place as u32);
    }

    pub(crate) fn forget(&mut self, body: u32) {
        if self.pending.as_ref().is_some_and(|search| search.request.body == body) {
            self.pending = None;
        }
    }

    /// Walls have changed between two corners.
    pub(crate) fn changed(&mut self, least: Point, most: Point) {
        for Class { solid, map } in &mut self.classes {
            map.iter_mut().for_each(|map| map.changed(least, most, solid));
        }
        self.pending = None;
    }

    /// Walls have changed anywhere.
    pub(crate) fn outdated(&mut self) {
        self.classes.iter_mut().for_each(|class| class.map = None);
        self.pending = None;
    }

    pub(crate) fn solid(&self, id: usize) -> &Solid {
        &self.classes[self.of[id] as usize].solid
    }

    /// Makes the roadmap of a body, unless it is there.
    pub(crate) fn prepare(&mut self, id: usize, space: &Space, sampling: Sampling) {
        let Class { solid, map } = &mut self.classes[self.of[id] as usize];
        if map.is_none() {
            *map = Some(Roadmap::new(space, solid, sampling));
        }
    }

    /// How many points of roadmaps there are so far.
    pub(crate) fn points(&self) -> usize {
        self.classes.iter().filter_map(|class| class.map.as_ref()).map(Roadmap::points).sum()
    }

    /// The roadmap of a body, and what it is made from.
    pub(crate) fn ground<'a>(&'a self, id: usize, space: &'a Space) -> Option<Ground<'a>> {
        let Class { solid, map } = &self.classes[self.of[id] as usize];
        Some(Ground { map: map.as_ref()?, space, solid })
    }
}

/// One body's wish, and what comes of it.
struct Job {
    id: usize,
    request: Option<Request>,
    detour: Option<(Point, i8)>,
    route: Option<Vec<Point>>,
    expanded: u64,
}

impl World {
    /// Plans for those who want it.
    pub(crate) fn plan(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) {
        let wants = |id: &usize| self.bodies[*id].want != Want::Nothing;
        // Who drifts wants nothing.
        let ids = self.calm.queue.iter().map(|&(_, place)| self.calm.awake[place as usize] as usize);
        let queue: Vec<usize> = ids.filter(wants).collect();
        let spent = self.untie(&queue, budget, observer);
        let queue: Vec<usize> =
            queue.into_iter().filter(|&id| self.bodies[id].want != Want::Nothing).collect();
        if queue.is_empty() && self.ways.pending.is_none() {
            return;
        }
        for &id in &queue {
            if self.bodies[id].want == Want::Route {
                self.ways.prepare(id, &self.space, self.settings.sampling);
            } else {
                self.shorten(id);
            }
        }
        let limited = budget.limit() != u64::MAX || budget.is_tight();
        if limited || self.ways.pending.is_some() {
            self.plan_within(&queue, spent, budget, observer);
        } else if !budget.should_stop(0) {
            self.plan_all(&queue, observer);
        }
    }

    /// Who is held up leaves out places of its way that it can do without: somebody may have come to rest there.
    fn shorten(&mut self, id: usize) {
        // Unless that one stays for good, and the place is there to get around it.
        let stays = |id: u32| self.bodies.get(id as usize).is_some_and(stands);
        if self.bodies[id].cause.is_some_and(stays) {
            return;
        }
        let solid = self.ways.solid(id);
        let body = &mut self.bodies[id];
        // The place to go round somebody by comes first, if there is one.
        let first = body.path.len() - usize::from(body.round);
        let Some([beyond, _]) = body.path[..first].last_chunk() else { return };
        let (beyond, at) = (*beyond, body.pose.at);
        let by = if body.round { body.path[first] } else { at };
        let is_free = |from: Point| self.space.is_free(solid, from, beyond - from);
        if is_free(at) && (!body.round || is_free(by)) {
            body.path.remove(first - 1);
        }
    }

    /// All at once, on all threads.
    fn plan_all(&mut self, queue: &[usize], observer: &mut dyn Observer) {
        let mut jobs: Vec<Job> = queue.iter().map(|&id| self.job(id)).collect();
        let sight = self.sight();
        self.workers.for_each(&mut jobs, |job| match job.request.take() {
            None => {
                job.detour = detour(&sight, job.id, CANDIDATES);
                job.expanded = CANDIDATES;
            }
            Some(request) => {
                let Some(ground) = sight.ways.ground(job.id, sight.space) else { return };
                let mut search = Search::new(request, &ground);
                if let Route::Found(way) = search.advance(&ground, u64::MAX) {
                    job.route = Some(search.straightened(&way, &ground));
                }
                job.expanded = search.expanded;
            }
        });
        for job in jobs {
            self.told(job.id, job.expanded, observer);
            if self.bodies[job.id].want == Want::Route {
                self.found(job.id, job.route);
            } else {
                self.go_round(job.id, job.detour);
            }
        }
    }

    /// One after the other, until the budget is used up. A search that is not over then goes on in the next step.
    fn plan_within(
        &mut self,
        queue: &[usize],
        mut spent: u64,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) {
        let limit = budget.limit();
        let first = self.ways.pending.as_ref().map(|search| search.request.body as usize);
        let rest = queue.iter().copied().filter(|&id| Some(id) != first);
        for id in first.into_iter().chain(rest) {
            let left = limit.saturating_sub(spent);
            if left == 0 || budget.should_stop(spent) {
                return;
            }
            if self.bodies[id].want == Want::Route {
                self.ways.prepare(id, &self.space, self.settings.sampling);
                let (route, expanded) = self.search(id, left);
                spent += expanded;
                self.told(id, expanded, observer);
                match route {
                    None => return,
                    Some(route) => self.found(id, route),
                }
            } else {
                let most = left.min(CANDIDATES);
                let by = detour(&self.sight(), id, most);
                spent += most;
                self.told(id, most, observer);
                self.go_round(id, by);
            }
        }
    }

    /// Goes on with the search of a body, or begins it: the way if it is over (nothing if there is none), and what it took.
    fn search(&mut self, id: usize, most: u64) -> (Option<Option<Vec<Point>>>, u64) {
        let mut search = match self.ways.pending.take() {
            Some(search) if search.request.body as usize == id => search,
            _ => {
                let request = self.request(id);
                let Some(ground) = self.ways.ground(id, &self.space) else { return (Some(None), 0) };
                Box::new(Search::new(request, &ground))
            }
        };
        let Some(ground) = self.ways.ground(id, &self.space) else { return (Some(None), 0) };
        let before = search.expanded;
        let route = search.advance(&ground, most);
        let expanded = search.expanded - before;
        match route {
            Route::Found(way) => (Some(Some(search.straightened(&way, &ground))), expanded),
            Route::None => (Some(None), expanded),
            Route::Unfinished => {
                self.ways.pending = Some(search);
                (None, expanded)
            }
        }
    }

    /// Takes up a search that had come so far.
    #[cfg(feature = "serde")]
    pub(crate) fn resume_search(&mut self, request: Request, expanded: u64) {
        let id = request.body as usize;
        self.ways.prepare(id, &self.space, self.settings.sampling);
        if let Some(ground) = self.ways.ground(id, &self.space) {
            let mut search = Search::new(request, &ground);
            search.advance(&ground, expanded);
            self.ways.pending = Some(Box::new(search));
        }
    }

    fn told(&mut self, id: usize, expanded: u64, observer: &mut dyn Observer) {
        self.counts.expanded += expanded;
        observer.expanded(AgentId(id as u32), SearchKind::Main, expanded);
    }

    fn job(&self, id: usize) -> Job {
        let request = (self.bodies[id].want == Want::Route).then(|| self.request(id));
        Job { id, request, detour: None, route: None, expanded: 0 }
    }

    /// The way that a body needs. Who has one already is to avoid those who stand on it.
    fn request(&self, id: usize) -> Request {
        let body = &self.bodies[id];
        let at = body.pose.at;
        let to = self.home(id);
        let mut avoid = Vec::new();
        if !body.path.is_empty() {
            let reach = body.shape.reach();
            let near = self.crowd.near(at, AROUND * reach + self.settings.forecast * body.preferred);
            let others = near.filter(|who| who.id as usize != id && who.velocity == Point::ZERO);
            // As far as it keeps clear of them if it can: closer it would hardly move.
            let clear = reach * (1.0 + CLEAR) + MARGIN;
            let mut found: Vec<_> = others.map(|who| (who.id, who.at, clear + who.reach)).collect();
            found.sort_unstable_by_key(|&(other, ..)| other);
            // Nobody can avoid whoever stands at the goal itself.
            avoid.extend(
                found
                    .into_iter()
                    .filter(|&(_, place, room)| (place - to).length() > room)
                    .map(|f| (f.1, f.2)),
            );
        }
        Request { body: id as u32, from: at, to, avoid }
    }

    /// A body has a new way, or there is none.
    fn found(&mut self, id: usize, route: Option<Vec<Point>>) {
        let agent = AgentId(id as u32);
        self.counts.searches += 1;
        let route = route.map(|path| {
            let request = self.request(id);
            self.sight().on_the_right(id, path, |from, by| request.passes(from, by))
        });
        let walled_off = route.is_none() && self.is_walled_off(id);
        let steps = self.steps;
        let body = &mut self.bodies[id];
        (body.want, body.again) = (Want::Nothing, steps + AGAIN);
        match route {
            Some(path) => {
                let (before, now) = (length(body.pose.at, &body.path), length(body.pose.at, &path));
                if !body.path.is_empty() {
                    body.delay += ((now - before) / body.preferred).max(0.0);
                }
                (body.path, body.round, body.slow, body.doing) = (path, false, 0, Doing::Goes);
                self.events.push(Event::Replanned { agent });
            }
            None if body.path.is_empty() => {
                body.doing = Doing::Lost;
                self.events.push(Event::GaveUp { agent });
            }
            None if walled_off => {
                body.path.clear();
                (body.doing, body.velocity) = (Doing::Rests, Point::ZERO);
            }
            None => body.slow = 0,
        }
    }

    /// A body goes round somebody, or finds that it cannot; who cannot for long looks for another way altogether.
    fn go_round(&mut self, id: usize, by: Option<(Point, i8)>) {
        let patience = (self.settings.patience / self.settings.step) as u32;
        let steps = self.steps;
        // Where there are no walls others make way in the end, but for those who never do.
        let stays = |id: u32| self.bodies.get(id as usize).is_some_and(stands);
        let walled = !self.space.walls().is_empty() || self.bodies[id].cause.is_some_and(stays);
        let body = &mut self.bodies[id];
        (body.want, body.again) = (Want::Nothing, steps + AGAIN);
        if let Some((by, side)) = by {
            if body.round {
                body.path.pop();
            }
            let at = body.pose.at;
            if let Some(&onwards) = body.path.last() {
                let longer = (by - at).length() + (onwards - by).length() - (onwards - at).length();
                body.delay += (longer / body.preferred).max(0.0);
            }
            body.path.push(by);
            (body.round, body.side) = (true, side);
            self.counts.detours += 1;
            self.events.push(Event::Detoured { agent: AgentId(id as u32), by });
        }
        // Somebody may rest where the way leads, so that every detour leads back to it.
        let long = if by.is_some() { patience.saturating_mul(PATIENT) } else { patience };
        if walled && body.slow > long {
            (body.want, body.slow) = (Want::Route, 0);
        }
    }
}

/// Whether a body is where it is for good, whoever presses for room.
pub(crate) fn stands(body: &Body) -> bool {
    !body.is_gone() && (body.errand == Errand::Hold || body.doing == Doing::Lost)
}

/// How long a way is, from a place by all others, of which the next is the last.
pub(crate) fn length(from: Point, path: &[Point]) -> f64 {
    let mut at = from;
    path.iter().rev().fold(0.0, |sum, &place| sum + (place - core::mem::replace(&mut at, place)).length())
}
