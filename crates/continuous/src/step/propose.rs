//! How fast a body wants to go, by what it sees.

use super::courtesy::{aside, holds_up};
use super::sight::{Piece, Sight};
use crate::body::{Errand, Want};
use crate::crowd::Seen;
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
    /// It makes way for somebody, this way instead of towards the next place.
    pub(crate) makes_way: Option<(u32, Point)>,
    close: [u32; CLOSE],
    count: u8,
}

impl Proposal {
    pub(crate) const REST: Self = Self {
        speed: 0.0,
        cause: None,
        want: Want::Nothing,
        straight: false,
        makes_way: None,
        close: [0; CLOSE],
        count: 0,
    };

    /// All whom the body could touch in this step; nothing if they are too many to remember.
    pub(crate) fn close(&self) -> Option<&[u32]> {
        self.close.get(..usize::from(self.count))
    }
}

/// The next straight pieces of a body's way, as far as it looks ahead.
fn pieces(sight: &Sight<'_>, id: usize) -> [Option<Piece>; PIECES] {
    let body = &sight.bodies[id];
    let mut pieces = [None; PIECES];
    let (mut from, mut begin) = (body.pose.at, 0.0);
    let mut places = body.path.iter().rev();
    for slot in &mut pieces {
        let Some(&to) = places.next() else { break };
        let way = to - from;
        let far = way.length();
        if far > 0.0 {
            let dir = way * (1.0 / far);
            let end = (begin + far / body.preferred).min(sight.settings.forecast);
            *slot = Some(Piece { from, dir, begin, end });
            (from, begin) = (to, end);
        }
        if begin >= sight.settings.forecast {
            break;
        }
    }
    pieces
}

/// What body `id` wants to do. Changes nothing, so that all can be asked at once.
pub(crate) fn propose(sight: &Sight<'_>, id: usize) -> Proposal {
    let body = &sight.bodies[id];
    let rests = body.path.is_empty() || body.stays(sight.step);
    if body.is_gone() || (rests && body.errand == Errand::Hold) {
        return Proposal::REST;
    }
    let pieces = pieces(sight, id);
    let at = body.pose.at;
    let nearby = sight.nearby(id);
    let mut proposal = Proposal { speed: if rests { 0.0 } else { body.preferred }, ..Proposal::REST };
    let mut held: Option<Seen> = None;
    let range = if rests { nearby + sight.widest } else { sight.range(id) };
    for who in sight.crowd.near(at, range).filter(|who| who.id as usize != id) {
        if holds_up(sight, id, who) && held.is_none_or(|other| who.rank < other.rank) {
            held = Some(*who);
        }
        let place = at - who.at;
        if place.dot(place) <= nearby * nearby {
            if let Some(slot) = proposal.close.get_mut(usize::from(proposal.count)) {
                *slot = who.id;
            }
            proposal.count = proposal.count.saturating_add(1);
        }
        let met = pieces.iter().flatten().find_map(|piece| Some((piece, sight.meets(id, piece, who)?)));
        if let Some((piece, time)) = met.filter(|_| sight.yields(id, who)) {
            let speed = sight.slowed(id, piece, who, time);
            if speed < proposal.speed {
                (proposal.speed, proposal.cause) = (speed, Some(who.id));
            }
        }
    }
    if let Some(who) = held {
        let (dir, speed) = aside(sight, id, &who);
        (proposal.speed, proposal.cause, proposal.makes_way) = (speed, Some(who.id), Some((who.id, dir)));
        return proposal;
    }
    if rests {
        return proposal;
    }
    if proposal.speed < sight.settings.bound * body.preferred && sight.step >= body.again {
        proposal.want = Want::Detour;
    }
    proposal.straight = body.round && goes_straight(sight, id);
    proposal
}

/// Whether a body that goes round somebody could as well go straight on.
fn goes_straight(sight: &Sight<'_>, id: usize) -> bool {
    let body = &sight.bodies[id];
    let [.., beyond, _] = body.path[..] else { return true };
    let way = beyond - body.pose.at;
    let Some(dir) = way.unit() else { return true };
    let end = (way.length() / body.preferred).min(sight.settings.forecast);
    let piece = Piece { from: body.pose.at, dir, begin: 0.0, end };
    let mut others = sight.crowd.near(body.pose.at, sight.range(id)).filter(|who| who.id as usize != id);
    !others.any(|who| sight.meets(id, &piece, who).is_some() && sight.yields(id, who))
        && sight.space.is_free(sight.ways.solid(id), body.pose.at, way)
}
