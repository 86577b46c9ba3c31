//! One more step from a placement: what is prescribed next, and what everybody does then.

use super::constraints::Constraints;
use super::placements::{Id, Placement, Placements};
use crate::pibt::{AHEAD, Compass, Ground, NONE as UNDECIDED, Step, mix};
use std::sync::Arc;

/// After how many expansions of distances within a step the budget is asked.
const OFTEN: u64 = 1 << 12;

/// Takes the next prescription of a placement, and adds those that grow out of it. Answers which one, and about how many units it
/// is; `None` if all were asked for.
pub(super) fn prescribe(
    placements: &mut Placements,
    id: Id,
    ground: &Ground,
    holds: &[u32],
    seed: u64,
) -> Option<(u32, u32)> {
    let (constraint, depth) = placements.prescribe(id, Constraints::pop)?;
    let Placement { cells, order, .. } = &placements[id];
    let Some(&unit) = order.get(depth as usize) else { return Some((constraint, depth)) };
    let at = cells[unit as usize];
    let mut choices = [at; 9];
    let mut count = 1;
    if !holds.contains(&unit) {
        for cell in ground.beside(at) {
            choices[count] = cell;
            count += 1;
        }
    }
    // By lot, so that no direction is asked for last in all of a long search.
    for place in (1..count).rev() {
        choices.swap(place, (mix(seed ^ place as u64) % (place as u64 + 1)) as usize);
    }
    placements.prescribe(id, |constraints| {
        choices[..count].iter().for_each(|&cell| constraints.push((constraint, depth), unit, cell));
    });
    Some((constraint, depth))
}

/// Everybody decides, as far as it is not prescribed, in a step that has begun. Whether that is possible, and `stop`, which is asked when distances took
/// long, does not end it.
pub(super) fn decide(
    here: &Placement,
    constraint: u32,
    (ground, compass, step): (&Ground, &mut Compass, &mut Step),
    holds: &[u32],
    mut stop: impl FnMut(&Compass) -> bool,
) -> bool {
    let Placement { cells, order, .. } = here;
    for (unit, cell) in here.constraints().of(constraint) {
        if !step.fix(ground, unit, cell) {
            return false;
        }
    }
    for &unit in holds {
        if !step.fix(ground, unit, cells[unit as usize]) {
            return false;
        }
    }
    let mut known = compass.expanded();
    for (place, &unit) in order.iter().enumerate() {
        if place % AHEAD == 0 {
            // Distances that somebody needs may be far to seek.
            if compass.expanded() - known > OFTEN {
                known = compass.expanded();
                if stop(compass) {
                    return false;
                }
            }
            let soon = order[place..].iter().take(AHEAD);
            compass.look_up(soon.map(|&unit| (unit, cells[unit as usize])));
        }
        if !step.decide(ground, compass, unit) {
            return false;
        }
    }
    debug_assert!(order.iter().all(|&unit| step.next(unit) != UNDECIDED));
    true
}

/// The order in which units decide at `cells`, one step after `order`: all who wait have waited for one tick more, so theirs stays; those at
/// their goals come last.
pub(super) fn order_after(order: &Arc<[u32]>, cells: &[u32], goals: &[u32]) -> Arc<[u32]> {
    let rests = |unit: u32| cells[unit as usize] == goals[unit as usize];
    let mut next = Vec::with_capacity(order.len());
    next.extend(order.iter().filter(|&&unit| !rests(unit)));
    next.extend(order.iter().filter(|&&unit| rests(unit)));
    if next == **order { Arc::clone(order) } else { next.into() }
}
