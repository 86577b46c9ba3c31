//! Exchanging places where there is no room to pass.
//!
//! Two who want to pass each other in a corridor push each other to and fro for ever by priorities alone. So whoever wants to
//! go where another stands that wants to come here first looks along the corridor: if the other has to be pushed out at its
//! far end and would come back, they must exchange places; if this side leads to a place with room for both, they can.
//! Then this one steps back, the other follows, and at the place with room they pass.

use super::compass::Compass;
use super::ground::Ground;
use super::step::{NONE, Step};

/// With whom `agent`, who wants to go to `best` most of all, has to exchange places and can; [`NONE`] if with nobody.
pub(super) fn partner(step: &Step, ground: &Ground, compass: &mut Compass, agent: u32, best: u32) -> u32 {
    let at = step.at(agent);
    // Whoever comes to a place with room for others needs to exchange with nobody; most cells of most maps are such places.
    if best == at || ground.cells.onwards(best) > 2 && compass.gain(ground, agent, at, best) > 0 {
        return NONE;
    }
    if let Some(other) = step.who(best)
        && other != agent
        && step.next(other) == NONE
        && must_exchange(step, ground, compass, agent, other, at, best)
        && can_exchange(step, ground, compass, best, at)
    {
        return other;
    }
    // Somebody beside this one, who may be coming here already, may have to exchange places with it further on: make way.
    for beside in ground.beside(at) {
        let Some(other) = step.who(beside) else { continue };
        if beside != best
            && must_exchange(step, ground, compass, other, agent, at, best)
            && can_exchange(step, ground, compass, best, at)
        {
            return other;
        }
    }
    NONE
}

/// The way on from `at` for who comes from `behind`: how many there are, dead ends aside in which somebody is at home, and
/// one of them.
fn onwards(step: &Step, ground: &Ground, compass: &Compass, behind: u32, at: u32) -> (u32, u32) {
    let (mut ways, mut way) = (0, at);
    for beside in ground.beside(at) {
        let at_home = || step.who(beside).is_some_and(|who| compass.goal(who) == beside);
        if beside == behind || ground.cells.degree(beside) == 1 && at_home() {
            continue;
        }
        ways += 1;
        way = beside;
    }
    (ways, way)
}

/// Whether `pusher`, who drives `pulled` before it from the cell `behind` on, does not get past it, and both want to go on
/// where the other comes from.
fn must_exchange(
    step: &Step,
    ground: &Ground,
    compass: &mut Compass,
    pusher: u32,
    pulled: u32,
    mut behind: u32,
    mut ahead: u32,
) -> bool {
    while compass.gain(ground, pusher, behind, ahead) > 0 {
        let (ways, way) = onwards(step, ground, compass, behind, ahead);
        match ways {
            0 => break,
            1 => (behind, ahead) = (ahead, way),
            _ => return false,
        }
    }
    let back = compass.gain(ground, pulled, ahead, behind) > 0;
    back && (behind == compass.goal(pusher) || compass.gain(ground, pusher, behind, ahead) > 0)
}

/// Whether who stands at `at` gets to a place with room for two by going away from `from`.
fn can_exchange(step: &Step, ground: &Ground, compass: &Compass, from: u32, at: u32) -> bool {
    let (mut behind, mut ahead) = (from, at);
    // Where a corridor leads in a circle there is no such place.
    while ahead != from {
        let (ways, way) = onwards(step, ground, compass, behind, ahead);
        match ways {
            0 => return false,
            1 => (behind, ahead) = (ahead, way),
            _ => return true,
        }
    }
    false
}
