//! Two who cross a rectangle of open cells without detours, one from side to side and the other from top to bottom.
//!
//! However each of them winds, they meet: two such ways share a cell, and both are there at the same tick, since neither loses
//! any time. So one of them must not leave the rectangle by its far side as early as it could. What is demanded are the cells
//! of that side which are in its layers: whoever is there then has come by its shortest ways, and so through the one cell
//! where they all begin. Four moves only.

use super::demands::{Demand, Time};
use super::field::Field;
use super::layers::Layers;
use super::split::{Class, Kind, Party, Split};

/// How many narrow places before and after a meeting are looked at, and how many rectangles.
const PLACES: usize = 6;
const TRIES: usize = 6;

/// A cell, turned so that both units go right and down, relative to where they meet.
type Spot = (i32, i32);

/// Demands that keep one of them from the far side of a rectangle, if they meet in one.
pub(super) fn split(field: &Field, (cell, tick): (u32, Time), parties: &[Party<'_>; 2]) -> Option<Split> {
    let lost = |party: &Party<'_>| tick > party.layers.length() || !party.layers.at(tick).contains(&cell);
    if parties.iter().any(lost) {
        return None;
    }
    let mut best: Option<Split> = None;
    for signs in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let middle = field.place(cell);
        let turn = |cell: u32| {
            let place = field.place(cell);
            ((place.x - middle.x) * signs.0, (place.y - middle.y) * signs.1)
        };
        let starts = parties.each_ref().map(|party| narrow_before(&party.layers, tick, turn));
        let ends = parties.each_ref().map(|party| narrow_after(&party.layers, tick, turn));
        // Who comes from the left, and who from above.
        for (left, above) in [(0, 1), (1, 0)] {
            for (near, far) in rectangles((&starts[left], &starts[above]), (&ends[left], &ends[above])) {
                let right = (near.1..=far.1).map(|y| (far.0, y));
                let bottom = (near.0..=far.0).map(|x| (x, far.1));
                let right = demands(&parties[left].layers, tick, turn, right);
                let bottom = demands(&parties[above].layers, tick, turn, bottom);
                if !parties[left].breaks(field, &right) || !parties[above].breaks(field, &bottom) {
                    continue;
                }
                let cut = [parties[left].is_cut(field, &right), parties[above].is_cut(field, &bottom)];
                let class = Class::of(cut);
                if best.as_ref().is_none_or(|best| class < best.class) {
                    let sides = [(parties[left].unit, right), (parties[above].unit, bottom)];
                    best = Some(Split { class, kind: Kind::Rectangle, sides });
                }
                if class == Class::Cardinal {
                    return best;
                }
            }
        }
    }
    best
}

/// Places that all shortest ways go through and from which none loses time on the way to the meeting; the first in time first.
fn narrow_before(layers: &Layers, tick: Time, turn: impl Fn(u32) -> Spot) -> Vec<Spot> {
    let mut found = Vec::new();
    for before in (0..=tick).rev() {
        let [cell] = *layers.at(before) else { continue };
        let (x, y) = turn(cell);
        if x > 0 || y > 0 || -(x + y) != (tick - before) as i32 {
            break;
        }
        found.push((x, y));
    }
    found.reverse();
    found.truncate(PLACES);
    found
}

/// The same behind the meeting; the last in time first.
fn narrow_after(layers: &Layers, tick: Time, turn: impl Fn(u32) -> Spot) -> Vec<Spot> {
    let mut found = Vec::new();
    for after in tick..=layers.length() {
        let [cell] = *layers.at(after) else { continue };
        let (x, y) = turn(cell);
        if x < 0 || y < 0 || x + y != (after - tick) as i32 {
            break;
        }
        found.push((x, y));
    }
    found.reverse();
    found.truncate(PLACES);
    found
}

/// Corners of rectangles that one crosses from the left and the other from above, the largest first.
fn rectangles(
    starts: (&[Spot], &[Spot]),
    ends: (&[Spot], &[Spot]),
) -> impl Iterator<Item = (Spot, Spot)> + use<> {
    let mut found = Vec::new();
    for &left in starts.0 {
        for &above in starts.1.iter().filter(|above| left.0 <= above.0 && left.1 >= above.1) {
            for &right in ends.0 {
                for &below in ends.1 {
                    let near = (above.0, left.1);
                    let far = (right.0.min(below.0), right.1.min(below.1));
                    if far.0 > near.0 || far.1 > near.1 {
                        found.push((near, far));
                    }
                }
            }
        }
    }
    let area = |&(near, far): &(Spot, Spot)| (far.0 - near.0 + 1) * (far.1 - near.1 + 1);
    found.sort_by_key(|corners| (-area(corners), *corners));
    found.dedup();
    found.into_iter().take(TRIES)
}

/// Not on these cells when they can be reached without losing time.
fn demands(
    layers: &Layers,
    tick: Time,
    turn: impl Fn(u32) -> Spot,
    side: impl Iterator<Item = Spot>,
) -> Vec<Demand> {
    side.filter_map(|(x, y)| {
        let when = Time::try_from(i64::from(tick) + i64::from(x) + i64::from(y)).ok()?;
        if when > layers.length() {
            return None;
        }
        let cell = layers.at(when).iter().copied().find(|&cell| turn(cell) == (x, y))?;
        Some(Demand::off(cell, when))
    })
    .collect()
}
