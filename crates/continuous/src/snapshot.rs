//! Saving a world and going on from there.

use crate::body::Body;
use crate::doors::Doors;
use crate::knot::{Futile, Knot};
use crate::roadmap::Request;
use crate::scene::Title;
use crate::{Counts, Errand, FASTEST, MOST_BODIES, SLOWEST, Settings, Space, World};
use serde::{Deserialize, Serialize};
use throng_core::space::{Convex, Point};
use throng_core::{AgentId, SnapshotError, StateHash};

/// How every saved world begins.
pub const MAGIC: &[u8] = b"THRONG-SPACE\x05";

/// Beyond this, sums of steps would overflow; no world lives that long.
const LAST: u64 = 1 << 60;
/// Nobody is later, and no path has more places.
const LATEST: f64 = 1e15;
const LONGEST: usize = 1 << 20;

#[derive(Serialize, Deserialize)]
struct Saved {
    title: Title,
    least: Point,
    most: Point,
    /// All but doors that are closed.
    walls: Vec<Convex>,
    doors: Doors,
    settings: Settings,
    steps: u64,
    counts: Counts,
    bodies: Vec<Body>,
    /// The search that is not over, and how far it has come.
    pending: Option<(Request, u64)>,
    knots: Vec<Knot>,
    futile: Vec<Futile>,
}

impl World {
    /// Everything that the future depends on, as bytes.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let saved = Saved {
            title: self.title.clone(),
            least: self.space.least(),
            most: self.space.most(),
            walls: self.doors.all_open().unwrap_or(&self.space).walls().to_vec(),
            doors: self.doors.clone(),
            settings: self.settings,
            steps: self.steps,
            counts: self.counts,
            bodies: self.bodies.clone(),
            knots: self.knots.iter().map(Knot::saved).collect(),
            futile: self.futile.clone(),
            pending: self.ways.pending.as_ref().map(|search| (search.request.clone(), search.expanded)),
        };
        let body = postcard::to_allocvec(&saved).unwrap_or_default();
        [MAGIC, &seal(&body), &body].concat()
    }

    /// Goes on from what [`Self::save`] gave; the future is the same, on any number of threads.
    pub fn resume(bytes: &[u8], threads: usize) -> Result<Self, SnapshotError> {
        let unreadable = |what: &str| SnapshotError::Unreadable(what.to_owned());
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err(unreadable("it does not begin as a saved world of this version"));
        };
        let Some((_, body)) = body.split_first_chunk().filter(|(sealed, body)| **sealed == seal(body)) else {
            return Err(unreadable("it is damaged: not all bytes are as they were written"));
        };
        let saved: Saved = postcard::from_bytes(body).map_err(|why| unreadable(&why.to_string()))?;
        let mismatch = |why: String| SnapshotError::Mismatch(why);
        let space =
            Space::new(saved.least, saved.most, saved.walls).map_err(|why| mismatch(why.to_string()))?;
        let doors = saved.doors.in_space(&space).map_err(|why| mismatch(why.to_string()))?;
        let mut world = Self::with_doors(space, doors, saved.settings, Vec::new())
            .map_err(|why| mismatch(why.to_string()))?;
        let Counts { stops, slowed, made_way, promoted, detours, searches, expanded, distance } =
            saved.counts;
        let counted = [stops, slowed, made_way, promoted, detours, searches, expanded];
        if counted.iter().any(|&count| count > 2 * LAST) || !distance.is_finite() {
            return Err(mismatch("what it has counted is out of range".to_owned()));
        }
        if saved.steps > LAST || saved.bodies.len() > MOST_BODIES {
            return Err(mismatch("its steps or bodies are out of range".to_owned()));
        }
        let count = saved.bodies.len();
        for (id, body) in saved.bodies.into_iter().enumerate() {
            world.check_saved(AgentId(id as u32), &body, saved.steps, count)?;
            world.take_up(body);
        }
        world.check_apart().map_err(|why| mismatch(why.to_string()))?;
        (world.title, world.steps, world.counts) = (saved.title, saved.steps, saved.counts);
        let last = 2 * LAST;
        if !world.take_up_knots(saved.knots, last) || !world.take_up_futile(saved.futile, last) {
            return Err(mismatch("a knot is not of this world".to_owned()));
        }
        if let Some((request, expanded)) = saved.pending {
            let Request { body, from, to, ref avoid } = request;
            let sound = (body as usize) < count
                && from.is_sound()
                && to.is_sound()
                && avoid.len() <= LONGEST
                && avoid.iter().all(|(at, room)| at.is_sound() && room.is_finite());
            if !sound {
                return Err(mismatch("its unfinished search is not of this world".to_owned()));
            }
            world.resume_search(request, expanded);
        }
        Ok(world.on_threads(threads))
    }

    /// A body from a file must be one that could be there.
    fn check_saved(&self, id: AgentId, body: &Body, steps: u64, count: usize) -> Result<(), SnapshotError> {
        let within = |who: Option<u32>| who.is_none_or(|who| (who as usize) < count);
        let soon = |step: u64| step <= steps.saturating_add(LAST);
        let places = match &body.errand {
            Errand::Goals(goals) => !goals.is_empty() && goals.iter().all(|goal| goal.is_sound()),
            Errand::Patrol { goal, home, .. } => goal.is_sound() && home.is_sound(),
            Errand::Hold => true,
        };
        let sound = body.pose.is_sound()
            && (SLOWEST..=FASTEST).contains(&body.preferred)
            && body.velocity.is_sound()
            && body.wish.is_sound()
            && body.path.len() <= LONGEST
            && body.path.iter().all(|place| place.is_sound())
            && (0.0..=LATEST).contains(&body.delay)
            && body.leg <= body.errand.legs()
            && (-1..=1).contains(&body.side)
            && body.left >= 0.0
            && body.promoted.is_none_or(soon)
            && (soon(body.again) && soon(body.back) && within(body.cause) && within(body.makes_way))
            && places;
        let solid = crate::geometry::Solid::facing(&body.shape, body.pose.heading);
        if !sound || !(body.is_gone() || self.space.has_room(&solid, body.pose.at)) {
            return Err(SnapshotError::Mismatch(format!("body {id} is in no state that it could be in")));
        }
        Ok(())
    }
}

/// A number that nearly every change of `body` changes, so that damage is noticed before anything is believed.
fn seal(body: &[u8]) -> [u8; 8] {
    let mut hash = StateHash::new();
    body.iter().for_each(|&byte| hash.add(byte.into()));
    hash.finish().to_le_bytes()
}
