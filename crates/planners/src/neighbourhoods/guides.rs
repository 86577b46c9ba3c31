//! Ways that collide little: where everybody might go if there is room elsewhere.
//!
//! One after the other, those with the shortest first, each takes a way that is hardly longer than its shortest and collides with
//! few of those before it.

use super::crowd::Crowd;
use super::fields::Fields;
use super::ways::{Way, Ways, straight};
use throng_core::Budget;
use throng_search::{Found, Graph, IntervalSearch, Trip};

/// What a collision costs, in ticks.
const COLLISION: u32 = 2;

/// How many ticks a way may take beyond what the shortest does.
const MARGIN: u32 = 10;

/// Expansions of a search for each step of the way alone, and at least.
const PATIENCE: (u64, u64) = (16, 1024);

/// Such ways, and what finding them took, distances included. Whoever comes after the end of the budget stays where it is.
pub(crate) fn guides<G: Graph>(
    graph: &G,
    resting: &Ways,
    fields: &mut Fields,
    alone: &[u32],
    budget: &dyn Budget,
) -> (Vec<Way>, u64) {
    let mut ways = resting.clone();
    let mut crowd = Crowd::new(graph.len());
    let known = fields.expanded();
    let (mut search, mut steps) = (IntervalSearch::new(), Vec::new());
    let mut order: Vec<u32> = (0..alone.len() as u32).collect();
    order.sort_by_key(|&unit| alone[unit as usize]);
    for &unit in &order {
        let spent = search.expanded() + fields.expanded() - known;
        if budget.should_stop(spent) || spent >= budget.limit() {
            return (ways.all, spent);
        }
        let way = &ways.all[unit as usize];
        let trip = Trip {
            owner: unit,
            start: way[0],
            tick: 0,
            goal: ways.goals[unit as usize],
            from: 0,
            penalty: COLLISION,
            most: u32::MAX / 4,
            room: u64::MAX,
        };
        let far = alone[unit as usize];
        let patience = PATIENCE.0 * u64::from(far) + PATIENCE.1;
        let mut field = fields.lend(graph, unit, &ways);
        crowd.table.set_rank(unit, 1);
        let stop = |spent| spent > patience;
        let found = search.search((graph, &crowd.table), &mut field, &trip, &mut steps, |_, _| {}, stop);
        crowd.table.set_rank(unit, 0);
        let start = way[0];
        ways.all[unit as usize] = if matches!(found, Found::Path(_)) && steps.len() as u32 <= far + MARGIN {
            core::iter::once(start).chain(steps.iter().map(|step| step.to)).collect()
        } else {
            straight(graph, &mut field, start)
        };
        fields.give_back(unit, field);
        crowd.add(unit, &ways.all[unit as usize]);
    }
    (ways.all, search.expanded() + fields.expanded() - known)
}
