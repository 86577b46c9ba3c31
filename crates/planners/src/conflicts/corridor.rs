//! Two who go through a corridor in opposite directions.
//!
//! Both cannot be inside at once. So either the first comes out at the far end after the second has come all the way through
//! (or goes around, if that is sooner), or the other way round: one of the two is not at its exit until then. This holds for
//! four moves and for eight, since nobody passes anybody where each cell has two neighbours.

use super::demands::{Demand, Time};
use super::field::NONE;
use super::meter::Meter;
use super::split::{Class, Kind, Party, Split};
use super::traffic::Meeting;
use super::world::{Tools, World};

/// Demands that keep one of them from its exit, if this is such a meeting.
pub(super) fn split(
    world: &World,
    tools: &mut Tools,
    meeting: Meeting,
    parties: &[Party<'_>; 2],
    meter: &mut Meter<'_>,
) -> Option<Split> {
    let field = &world.field;
    let cells = parties.each_ref().map(|party| [before(party, meeting.tick), at(party, meeting.tick)]);
    // Where they meet, or where one of them was just before.
    let inside =
        cells.iter().flatten().map(|&cell| field.corridor_of(cell)).find(|&number| number != NONE)?;
    let corridor = field.corridor(inside);
    let [here, there] = corridor.ends;
    if here == there || field.corridor_of(here) == inside || field.corridor_of(there) == inside {
        return None;
    }
    let mut exits = [NONE; 2];
    for (party, exit) in parties.iter().zip(&mut exits) {
        let walker = world.walkers[party.walker as usize];
        // The argument needs them to come from outside.
        if field.corridor_of(walker.start) == inside || field.corridor_of(walker.goal) == inside {
            return None;
        }
        let is_inside = |tick: Time| field.corridor_of(at(party, tick)) == inside;
        let mut first = if is_inside(meeting.tick) { meeting.tick } else { meeting.tick.checked_sub(1)? };
        if !is_inside(first) {
            return None;
        }
        let mut last = first;
        while is_inside(first) {
            first = first.checked_sub(1)?;
        }
        while is_inside(last) {
            last += 1;
        }
        if at(party, first) == at(party, last) {
            return None;
        }
        *exit = at(party, last);
    }
    if exits[0] == exits[1] {
        return None;
    }
    let mut first = [0; 2];
    for ((party, exit), first) in parties.iter().zip(exits).zip(&mut first) {
        let who = (party.walker, &*party.demands);
        *first = tools.soonest(world, who, exit, NONE, party.way.len() as Time, meter)?;
    }
    let mut sides = [(0, Vec::new()), (0, Vec::new())];
    for (who, side) in sides.iter_mut().enumerate() {
        let (party, exit) = (&parties[who], exits[who]);
        let through = first[1 - who] + corridor.length;
        let around = tools.soonest(world, (party.walker, &party.demands), exit, inside, through, meter)?;
        let until = through.min(around.checked_sub(1)?);
        *side = (party.unit, vec![Demand::Off { spot: exit, from: 0, until }]);
        if !party.breaks(field, &side.1) {
            return None;
        }
    }
    let cut = [0, 1].map(|who| parties[who].is_cut(field, &sides[who].1));
    Some(Split { class: Class::of(cut), kind: Kind::Corridor, sides })
}

fn at(party: &Party<'_>, tick: Time) -> u32 {
    party.way[(tick as usize).min(party.way.len() - 1)]
}

fn before(party: &Party<'_>, tick: Time) -> u32 {
    at(party, tick.saturating_sub(1))
}
