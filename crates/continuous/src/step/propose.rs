//! How fast a body wants to go, by what it sees.

use super::courtesy::aside;
use super::right::Oncoming;
use super::settle::Insists;
use super::sight::{Eye, NARROWER, Piece, STANDING, Sight};
use crate::body::Want;
use crate::crowd::Seen;
use crate::knot::Knot;
use crate::{Errand, Settings};
use smallvec::SmallVec;
use throng_core::space::Point;

/// Straight pieces of the way that are looked at.
const PIECES: usize = 3;
/// Those who may be touched in a step and are remembered; if there are more, they are looked up again.
pub(crate) const CLOSE: usize = 8;

/// What a body wants to do in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    /// How fast, towards the next place of its path.
    pub(crate) speed: f64,
    /// Who keeps it from its own speed.
    pub(crate) cause: Option<u32>,
    /// What should be planned for it.
    pub(crate) want: Want,
    /// It need not go round any longer.
    pub(crate) straight: bool,
    /// It keeps to its right, this way instead of towards the next place.
    pub(crate) beside: Option<Point>,
    /// What it does about somebody who rests in its way.
    pub(crate) insists: Insists,
    /// It makes way for somebody, this way instead of towards the next place.
    pub(crate) makes_way: Option<(u32, Point)>,
    /// It makes way where it is so narrow that two hardly pass.
    pub(crate) cornered: bool,
    /// It is part of a knot, and it is not its turn before this one has got on.
    pub(crate) waits_for: Option<u32>,
    /// So many others were looked at, far ones and those seen twice included: what it cost.
    pub(crate) looked: u32,
    /// How many times it had to look less far.
    pub(crate) narrowed: u8,
    close: [u32; CLOSE],
    count: u8,
}

impl Proposal {
    pub(crate) const REST: Self = Self {
        speed: 0.0,
        cause: None,
        want: Want::Nothing,
        straight: false,
        beside: None,
        insists: Insists::No,
        makes_way: None,
        cornered: false,
        waits_for: None,
        looked: 0,
        narrowed: 0,
        close: [0; CLOSE],
        count: 0,
    };

    fn remember(&mut self, other: u32) {
        if let Some(slot) = self.close.get_mut(usize::from(self.count)) {
            *slot = other;
        }
        self.count = self.count.saturating_add(1);
    }

    /// Whether nobody it saw concerned it.
    pub(crate) fn is_calm(&self) -> bool {
        let free = self.cause.is_none() && self.makes_way.is_none() && self.beside.is_none();
        free && self.want == Want::Nothing && !self.straight
    }

    /// All whom the body could touch in this step; nothing if they are too many to remember.
    pub(crate) fn close(&self) -> Option<&[u32]> {
        self.close.get(..usize::from(self.count))
    }
}

/// The part of its speed below which a body looks for another way: its bound, or if that is about zero what is as good as standing.
pub(crate) fn least(settings: &Settings) -> f64 {
    settings.bound.max(STANDING)
}

/// The next straight pieces of a body's way, as far as it looks ahead.
fn pieces(eye: &Eye<'_>) -> ([Piece; PIECES], usize) {
    let Eye { sight, body, .. } = eye;
    let forecast = sight.settings.forecast;
    let mut pieces = [eye.ahead(Point::ZERO, 0.0); PIECES];
    let (mut from, mut begin, mut count) = (body.pose.at, 0.0, 0);
    for &to in body.path.iter().rev().take(PIECES) {
        let way = to - from;
        let far = way.length();
        if far > 0.0 {
            let dir = way * (1.0 / far);
            let end = (begin + far / body.preferred).min(forecast);
            pieces[count] = Piece { from, dir, velocity: dir * body.preferred, begin, end };
            count += 1;
            (from, begin) = (to, end);
        }
        if begin >= forecast {
            break;
        }
    }
    (pieces, count)
}

/// Where everybody is whom a body may meet on its way, or touch in this step. `narrow` is the part of the time that is looked at.
fn around(eye: &Eye<'_>, pieces: &[Piece], narrow: f64) -> (Point, Point) {
    let Eye { sight, body, .. } = eye;
    let close = sight.nearby(body) + sight.widest;
    let ends = pieces.iter().filter_map(|piece| {
        let end = piece.end.min(narrow * sight.settings.forecast);
        (end > piece.begin).then(|| (piece.from + piece.velocity * (end - piece.begin), end))
    });
    sight.reach(body.pose.at, ends, close)
}

/// What a body does on account of those it sees.
struct Looked<'a> {
    proposal: Proposal,
    /// For whom it has to make way.
    held: Option<&'a Seen>,
    /// Whom it meets head on.
    oncoming: Option<Oncoming<'a>>,
    /// How many may concern it.
    minded: usize,
}

/// How far a body looks: the part of the time ahead, and the distance.
#[derive(Clone, Copy)]
struct Look {
    narrow: f64,
    range: f64,
}

impl Look {
    /// So many times less far than up to `farthest`, but never so little as to miss whom the body could touch.
    fn narrowed(times: u8, farthest: f64, least: f64) -> Self {
        let narrow = (0..times).fold(1.0, |part, _| part * NARROWER);
        Self { narrow, range: (farthest * narrow).max(least) }
    }
}

/// Everybody whom a body has to look at. Nothing if they are too many and it can look less far.
type Near<'a> = SmallVec<[&'a Seen; 64]>;

fn near<'a>(eye: &Eye<'a>, pieces: &[Piece], look: Look, looked: &mut u32) -> Option<Near<'a>> {
    let Eye { sight, body, .. } = *eye;
    let most = if look.range > sight.nearby(body) { eye.most() } else { usize::MAX };
    let (least, last) = around(eye, pieces, look.narrow);
    let mut near = Near::new();
    // Exactly those inside, so that whoever looks less far never sees more.
    let inside = |at: Point| (least.x <= at.x) & (at.x <= last.x) & (least.y <= at.y) & (at.y <= last.y);
    for who in sight.crowd.within((least, last)).filter(|who| inside(who.at)) {
        if near.len() == most {
            return None;
        }
        near.push(who);
    }
    *looked += sight.crowd.passed(near.len() as u32);
    Some(near)
}

/// The same as far as can be, and how far that is. Whoever begins to try where it was the last time has the same answer sooner.
fn nearest<'a>(eye: &Eye<'a>, pieces: &[Piece], farthest: f64, looked: &mut u32) -> (Near<'a>, Look, u8) {
    let least = eye.sight.nearby(eye.body);
    let mut times = eye.sight.narrowed.get(eye.id as usize).copied().unwrap_or(0);
    let mut found = None;
    loop {
        let look = Look::narrowed(times, farthest, least);
        match near(eye, pieces, look, looked) {
            Some(all) if times == 0 => return (all, look, times),
            Some(all) => {
                found = Some((all, look, times));
                times -= 1;
            }
            None => match found {
                Some(found) => return found,
                None => times += 1,
            },
        }
    }
}

/// A look at all others near.
fn look<'a>(
    eye: &Eye<'a>,
    pieces: &[Piece],
    own: f64,
    near: &[&'a Seen],
    range: f64,
    aside: bool,
) -> Looked<'a> {
    let Eye { sight, body, id, .. } = *eye;
    let (at, nearby) = (body.pose.at, sight.nearby(body));
    let (range, nearby) = (range * range, nearby * nearby);
    let mut proposal = Proposal { speed: own, ..Proposal::REST };
    let mut held: Option<&Seen> = None;
    let mut oncoming: Option<Oncoming<'_>> = None;
    let mut minded = 0;
    for &who in near {
        let place = at - who.at;
        let square = place.dot(place);
        // One branch that is hardly ever taken, where one for each reason would be guessed wrong half of the time.
        let minds = eye.may_meet(pieces, who, place, square) | (square <= nearby) | who.presses;
        if !(minds & (square <= range)) || who.id == id {
            continue;
        }
        minded += 1;
        if square <= nearby {
            proposal.remember(who.id);
        }
        if eye.holds_up(who) && held.is_none_or(|other| who.rank < other.rank) && !eye.precedes(who.id) {
            held = Some(who);
        }
        let met = pieces.iter().find_map(|piece| Some((piece, eye.meets(piece, who)?)));
        let Some((piece, time)) = met else { continue };
        if eye.comes_towards(piece.dir, who) && (aside || piece.begin == 0.0) {
            oncoming = Some(Oncoming { who, time }.or(oncoming));
            if aside {
                // It keeps to its right as well.
                continue;
            }
        }
        if eye.yields(who) {
            let speed = eye.slowed(piece, who, time);
            // The lower number among equals, in whatever order they are seen.
            let least = proposal.cause.is_some_and(|other| speed == proposal.speed && who.id < other);
            if speed < proposal.speed || least {
                (proposal.speed, proposal.cause) = (speed, Some(who.id));
            }
        }
    }
    Looked { proposal, held, oncoming, minded }
}

/// What body `id` wants to do. Changes nothing, so that all can be asked at once.
pub(crate) fn propose(sight: &Sight<'_>, id: usize) -> Proposal {
    let eye = sight.eye(id);
    let body = eye.body;
    if body.tied
        && let Some(knot) = sight.knots.iter().find(|knot| knot.bodies.contains(&eye.id))
    {
        return propose_tied(&eye, knot);
    }
    let rests = body.path.is_empty() || body.stays(sight.step);
    if body.is_gone() || (rests && body.errand == Errand::Hold) {
        return Proposal::REST;
    }
    let (pieces, count) = pieces(&eye);
    let pieces = &pieces[..count];
    let own = if rests { 0.0 } else { body.preferred };
    let farthest = if rests { sight.nearby(body) + sight.widest } else { eye.farthest() };
    let mut looked = 0;
    let (all, far, narrowed) = nearest(&eye, pieces, farthest, &mut looked);
    let Looked { mut proposal, held, oncoming, minded } = look(&eye, pieces, own, &all, far.range, false);
    proposal.narrowed = narrowed;
    // Who presses for room is let pass by keeping to the right as well, but for somebody promoted in a crowd: all have to make way then. So
    // has whoever has kept there for long in vain, since the other cannot keep to its own right.
    let patient = f64::from(body.slow) * sight.settings.step < sight.settings.patience;
    let passes = |it: &Oncoming<'_>| {
        let promoted = sight.bodies[it.who.id as usize].promoted.is_some();
        let alone = !promoted || minded <= sight.settings.nearest;
        held.is_none_or(|who| who.id == it.who.id && alone && patient)
    };
    if let Some(Oncoming { who, .. }) = oncoming.filter(|it| !rests && passes(it))
        && let Some(pieces) = eye.keeps_right(&pieces[0], who)
        && let Some(all) = near(&eye, &pieces, far, &mut looked)
    {
        let Looked { proposal, .. } = look(&eye, &pieces, own, &all, far.range, true);
        let straight = is_open(&eye);
        return Proposal { beside: Some(pieces[1].from), straight, looked, narrowed, ..proposal };
    }
    proposal.looked = looked;
    if let Some(who) = held {
        let (dir, speed) = aside(&eye, who);
        (proposal.speed, proposal.cause, proposal.makes_way) = (speed, Some(who.id), Some((who.id, dir)));
        proposal.cornered = eye.is_narrow(sight.bodies[who.id as usize].wish, who);
        return proposal;
    }
    if rests {
        return proposal;
    }
    let slow = proposal.speed < least(sight.settings) * body.preferred;
    if let Some(cause) = proposal.cause.filter(|_| slow || body.promoted.is_some()) {
        proposal.insists = eye.insists(cause);
    }
    if proposal.insists != Insists::No {
        proposal.straight = body.round && is_open(&eye);
        return proposal;
    }
    if slow && sight.step >= body.again {
        proposal.want = Want::Detour;
    }
    proposal.straight = body.round && goes_straight(&eye, far.range);
    proposal
}

/// What a body wants to do that is part of a knot: the next of its moves if it is its turn, whoever comes; and it minds nobody
/// who is part of it, since their turns are arranged.
fn propose_tied(eye: &Eye<'_>, knot: &Knot) -> Proposal {
    let Eye { sight, body, id, .. } = *eye;
    let waits_for = knot.waits_for(id, sight.bodies);
    if waits_for.is_some() || body.path.is_empty() {
        return Proposal { waits_for: waits_for.or(Some(id)), ..Proposal::REST };
    }
    let (pieces, _) = pieces(eye);
    let (mut looked, far) = (0, Look { narrow: 1.0, range: sight.nearby(body) });
    let Some(all) = near(eye, &pieces[..1], far, &mut looked) else {
        return Proposal { waits_for: Some(id), ..Proposal::REST };
    };
    let Looked { proposal, .. } = look(eye, &pieces[..1], body.preferred, &all, far.range, false);
    let minds = proposal.cause.is_some_and(|cause| !knot.bodies.contains(&cause));
    let speed = if minds { proposal.speed } else { body.preferred };
    Proposal { speed, cause: proposal.cause.filter(|_| minds), looked, ..proposal }
}

/// Whether no wall is in the way of a body that goes round somebody if it goes straight on.
fn is_open(eye: &Eye<'_>) -> bool {
    let Eye { sight, body, id, .. } = *eye;
    let [.., beyond, _] = body.path[..] else { return false };
    sight.space.is_free(sight.ways.solid(id as usize), body.pose.at, beyond - body.pose.at)
}

/// Whether a body that goes round somebody could as well go straight on.
fn goes_straight(eye: &Eye<'_>, range: f64) -> bool {
    let Eye { sight, body, id, .. } = *eye;
    let [.., beyond, _] = body.path[..] else { return true };
    let way = beyond - body.pose.at;
    let Some(dir) = way.unit() else { return true };
    let piece = eye.ahead(dir, way.length());
    !eye.others(range).any(|who| eye.meets(&piece, who).is_some() && eye.yields(who))
        && sight.space.is_free(sight.ways.solid(id as usize), body.pose.at, way)
}
