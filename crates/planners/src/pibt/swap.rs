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
    let goal = compass.goal(pusher);
    while compass.gain(ground, pusher, behind, ahead) > 0 {
        // Whoever gets nearer to its goal by its first step into a corridor does so by all others, until it is there or at the end.
        if let Some(walk) = ground.corridors.walk(behind, ahead) {
            let beyond = ground.corridors.steps(walk, goal).map(|steps| steps + 1);
            let steps = beyond.into_iter().chain(ground.corridors.rest(walk)).min().unwrap_or(0);
            (behind, ahead) = ground.corridors.after(walk, steps, behind);
            if behind == goal {
                break;
            }
        }
        let (ways, way) = onwards(step, ground, compass, behind, ahead);
        match ways {
            0 => break,
            1 => (behind, ahead) = (ahead, way),
            _ => return false,
        }
    }
    let back = compass.gain(ground, pulled, ahead, behind) > 0;
    back && (behind == goal || compass.gain(ground, pusher, behind, ahead) > 0)
}

/// Whether who stands at `at` gets to a place with room for two by going away from `from`.
fn can_exchange(step: &Step, ground: &Ground, compass: &Compass, from: u32, at: u32) -> bool {
    let (mut behind, mut ahead) = (from, at);
    // Where a corridor leads in a circle there is no such place.
    while ahead != from {
        if let Some(walk) = ground.corridors.walk(behind, ahead) {
            match (ground.corridors.steps(walk, from), ground.corridors.rest(walk)) {
                (None, Some(rest)) => (behind, ahead) = ground.corridors.after(walk, rest, behind),
                _ => return false,
            }
        }
        let (ways, way) = onwards(step, ground, compass, behind, ahead);
        match ways {
            0 => return false,
            1 => (behind, ahead) = (ahead, way),
            _ => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pibt::mix;
    use proptest::prelude::*;
    use throng_core::{Connectivity, Grid, Rules, TerrainPolicy};

    /// Cell by cell, as it is meant.
    fn must(step: &Step, ground: &Ground, compass: &mut Compass, units: [u32; 2], cells: [u32; 2]) -> bool {
        let ([pusher, pulled], [mut behind, mut ahead]) = (units, cells);
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

    /// The same.
    fn can(step: &Step, ground: &Ground, compass: &Compass, from: u32, at: u32) -> bool {
        let (mut behind, mut ahead) = (from, at);
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

    /// Walls that leave many corridors: scattered ones, and rows of them with gaps, which make long ones that wind; a ring comes with both.
    fn maps() -> impl Strategy<Value = Grid> {
        let scattered = prop::collection::vec(prop_oneof![3 => Just(b'.'), 3 => Just(b'@')], 13 * 12);
        let winding = prop::collection::vec(0usize..13, 6).prop_map(|gaps| {
            let row = |y: usize| (0..13).map(move |x| (x, y));
            let open = |(x, y): (usize, usize)| {
                y % 2 == 0 || x == gaps[y / 2] || gaps[y / 2] % 5 == 0 && x % 12 == 0
            };
            (0..12).flat_map(row).map(|at| if open(at) { b'.' } else { b'@' }).collect::<Vec<u8>>()
        });
        prop_oneof![scattered, winding].prop_map(|mut letters| {
            letters.extend(*b"@@@@@@@@@@@@@@......@@@@@@@.@@@@.@@@@@@@......@@@@@@");
            Grid::new(13, 16, &letters, TerrainPolicy::default()).unwrap()
        })
    }

    proptest! {
        /// Along corridors at once or cell by cell: the same answer, wherever anybody stands and wants to go.
        #[test]
        fn corridors_change_nothing(grid in maps(), eight: bool, crowd in 1u64..4, seed: u64) {
            let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
            let ground = Ground::new(&grid, Rules { connectivity, ..Rules::default() });
            let cells: Vec<u32> = grid.open_ids().map(|id| ground.number(id)).collect();
            let by_lot = |salt: u64| {
                let mut cells = cells.clone();
                cells.sort_by_key(|&cell| mix(seed ^ mix(salt ^ u64::from(cell))));
                cells
            };
            let count = cells.len() * crowd as usize / 4;
            let (starts, mut goals) = (by_lot(1), by_lot(2));
            // Some are at home.
            for unit in (0..count).filter(|unit| mix(seed ^ *unit as u64).is_multiple_of(3)) {
                if let Some(place) = goals.iter().position(|&goal| goal == starts[unit]) {
                    goals.swap(place, unit);
                }
            }
            let mut compass = Compass::new(1 << 30);
            compass.aim(&ground, goals.into_iter().take(count));
            let mut step = Step::new();
            step.begin(ground.len(), starts.into_iter().take(count), seed, u64::MAX);
            for pusher in 0..count as u32 {
                for pulled in (0..count as u32).filter(|&pulled| pulled != pusher) {
                    let at = step.at(pulled);
                    let behind: Vec<u32> = ground.beside(at).collect();
                    for from in behind {
                        let (units, ends) = ([pusher, pulled], [from, at]);
                        prop_assert_eq!(
                            must_exchange(&step, &ground, &mut compass, pusher, pulled, from, at),
                            must(&step, &ground, &mut compass, units, ends),
                            "{:?} {:?}", units, ends
                        );
                    }
                }
            }
            for &at in &cells {
                for from in ground.beside(at) {
                    let found = can_exchange(&step, &ground, &compass, from, at);
                    prop_assert_eq!(found, can(&step, &ground, &compass, from, at), "{} {}", from, at);
                }
            }
        }
    }
}
