//! What conflicts will cost at least: by pairs of units that meet, and all pairs together.

use super::Factor;
use super::cover::cover;
use super::demands::Demands;
use super::joint::{Joined, Joint};
use super::meter::Meter;
use super::search::{Ended, Search};
use super::traffic::Traffic;
use super::world::Tools;
use std::rc::Rc;

/// Nodes that a search for two may expand. What it has proven until then counts.
const NODES: usize = 32;

/// Moves that are looked at if that does not do.
const PLACEMENTS: u64 = 10_000;

/// No plan for two.
const NEVER: u32 = u32::MAX;

/// Looks at all pairs of a node that meet, and raises its bound. Whether there can be a plan; nothing if the budget is over.
pub(super) fn weigh(
    search: &mut Search<'_>,
    id: u32,
    tools: &mut Tools,
    meter: &mut Meter<'_>,
) -> Option<bool> {
    let units = search.team.len();
    let notes = search.tree.conflicts(id, units);
    let mut pairs: Vec<[u32; 2]> = notes.iter().map(|&note| search.tree.meeting(note).units).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut demands: Vec<Option<Rc<Demands>>> = vec![None; units];
    let mut weights = Vec::new();
    for [one, other] in pairs {
        let mut of = |unit: u32| {
            let known = &mut demands[unit as usize];
            Rc::clone(known.get_or_insert_with(|| Rc::new(search.demands(id, unit))))
        };
        match weight(search, [(one, of(one)), (other, of(other))], tools, meter)? {
            NEVER => {
                search.block(other);
                return Some(false);
            }
            0 => {}
            weight => weights.push((one, other, weight)),
        }
    }
    let node = &mut search.tree[id];
    node.ahead = node.ahead.max(cover(&weights, units));
    node.weighed = true;
    Some(true)
}

/// How much more than both at least two need together.
fn weight(
    search: &Search<'_>,
    units: [(u32, Rc<Demands>); 2],
    tools: &mut Tools,
    meter: &mut Meter<'_>,
) -> Option<u32> {
    let [one, other] = [0, 1].map(|place| search.team[units[place].0 as usize]);
    let alone: u64 = units.iter().map(|&(unit, _)| u64::from(search.ways[unit as usize].low)).sum();
    let [(_, first), (_, second)] = units;
    let key = (one, other, Rc::clone(&first), Rc::clone(&second));
    let together = match tools.pairs.get(&key) {
        Some(&known) => known,
        None => {
            let found = together(search, ([one, other], [first, second]), tools, meter)?;
            tools.pairs.insert(key, found);
            found
        }
    };
    Some(if together == NEVER { NEVER } else { u64::from(together).saturating_sub(alone) as u32 })
}

/// What two need together at least, by a search for them alone.
fn together(
    search: &Search<'_>,
    (team, given): ([u32; 2], [Rc<Demands>; 2]),
    tools: &mut Tools,
    meter: &mut Meter<'_>,
) -> Option<u32> {
    let traffic = tools.spare.take().unwrap_or_else(|| Traffic::new(&search.world.field));
    let reasoning = super::Reasoning { pairs: false, ..search.reasoning };
    let own = given.each_ref().map(Rc::clone).to_vec();
    let mut two = Search::new(search.world, reasoning, Factor::ONE, team.to_vec(), own, traffic);
    let found = match two.begin(tools, meter) {
        None => None,
        Some(false) => Some(NEVER),
        Some(true) => match two.run(tools, meter, NODES) {
            Ended::Solved(_) => Some(two.bound() as u32),
            Ended::Paused | Ended::Full => tangled(search, (team, given), two.bound(), tools, meter),
            Ended::Nothing(_) => Some(NEVER),
            Ended::Stopped => None,
        },
    };
    tools.spare = Some(two.into_traffic());
    found
}

/// The same for two that are too tangled for that: by where both are at once.
fn tangled(
    search: &Search<'_>,
    (team, given): ([u32; 2], [Rc<Demands>; 2]),
    bound: u64,
    tools: &mut Tools,
    meter: &mut Meter<'_>,
) -> Option<u32> {
    let mut both = Joint::new(search.world, team.to_vec(), given.to_vec(), tools, meter)?;
    match both.run(meter, PLACEMENTS) {
        Joined::Found(_) | Joined::Paused => Some(bound.max(both.bound()) as u32),
        Joined::Nothing(_) => Some(NEVER),
        Joined::Stopped => None,
    }
}
