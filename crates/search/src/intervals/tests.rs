//! Against a brute-force search tick by tick.

use super::*;
use crate::{GridGraph, TrueDistance};
use proptest::prelude::*;
use std::collections::BTreeSet;
use throng_core::{Connectivity, Grid, Rules, TerrainPolicy, Timing};

const HORIZON: Tick = 60;

/// Tick by tick, by the table alone: the earliest arrival from which on the goal stays free.
fn brute(graph: &GridGraph<'_>, table: &Table<Timelines>, trip: &Trip) -> Option<Tick> {
    let mut layers = vec![BTreeSet::from([trip.start])];
    layers.resize(HORIZON as usize + 20, BTreeSet::new());
    for tick in trip.tick..HORIZON {
        let here = layers[(tick - trip.tick) as usize].clone();
        if tick >= trip.from && here.contains(&trip.goal) {
            return Some(tick - trip.tick);
        }
        for at in here {
            let mut go = |to, duration: u32| {
                if table.admits(graph, trip.owner, at, to, tick, duration) == Some(0) {
                    layers[(tick - trip.tick) as usize + duration as usize].insert(to);
                }
            };
            go(at, 1);
            graph.edges(at, |edge| go(edge.to, edge.duration));
        }
    }
    None
}

fn world() -> impl Strategy<Value = (Grid, Rules)> {
    let letters = prop::collection::vec(prop_oneof![4 => Just(b'.'), 1 => Just(b'@')], 6 * 4);
    (letters, any::<bool>(), any::<bool>()).prop_map(|(letters, eight, metric)| {
        let rules = Rules {
            connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
            timing: if metric { Timing::Metric } else { Timing::Uniform },
            ..Rules::default()
        };
        (Grid::new(6, 4, &letters, TerrainPolicy::default()).unwrap(), rules)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Unit after unit, each around those before it: as early as a search tick by tick finds, and every step
    /// admitted by the table.
    #[test]
    fn paths_are_the_earliest((grid, rules) in world(), picks in prop::collection::vec(any::<u16>(), 12)) {
        let open: Vec<_> = grid.open_ids().collect();
        prop_assume!(open.len() > 4);
        let metric = rules.timing == Timing::Metric;
        let graph = GridGraph::new(&grid, rules, if metric { 3 } else { 1 });
        let pick = |p: u16| open[p as usize % open.len()].0;
        let mut table = Table::new(Rule::of(&rules, 1), Timelines::new(grid.len()));
        let (mut search, mut path) = (IntervalSearch::new(), Vec::new());
        for (owner, ends) in picks.chunks(2).enumerate() {
            let (owner, start, goal) = (owner as u32, pick(ends[0]), pick(ends[1]));
            if table.store.owner(start, 0) != NOBODY {
                continue;
            }
            let Some(from) = table.store.free_from(goal, |_| true) else { continue };
            let (most, room) = (HORIZON as u32 - 1, u64::MAX);
            let trip = Trip { owner, start, tick: 0, goal, from, penalty: 1, most, room };
            let mut field = TrueDistance::new(&graph, goal, Some(start));
            let found = search.search((&graph, &table), &mut field, &trip, &mut path, |_, _| {}, |_| false);
            let expected = brute(&graph, &table, &trip).map_or(Found::Nothing, |t| Found::Path(t as u32));
            prop_assert_eq!(found, expected, "from {} to {}", start, goal);
            let Found::Path(end) = found else { continue };
            let (mut at, mut tick) = (start, 0);
            for step in &path {
                prop_assert_eq!((step.from, step.tick), (at, tick));
                prop_assert_eq!(table.admits(&graph, owner, at, step.to, tick, step.duration), Some(0));
                (at, tick) = (step.to, step.end());
            }
            prop_assert_eq!((at, tick), (goal, Tick::from(end)));
            table.store.claim(start, 0, owner);
            for step in &path {
                table.reserve(&graph, owner, (step.from, step.to), step.tick, step.duration, |_| {});
            }
            table.store.rest(goal, Tick::from(end), owner);
        }
    }
}

/// One of higher rank goes through one of lower rank if that is cheaper than around, and else around.
#[test]
fn overriding_has_its_price() {
    let letters = b".......\n@@@@@@@".iter().filter(|&&b| b != b'\n').copied().collect::<Vec<_>>();
    let grid = Grid::new(7, 2, &letters, TerrainPolicy::default()).unwrap();
    let graph = GridGraph::new(&grid, Rules::default(), 1);
    let id = |x| grid.id(throng_core::Cell::new(x, 0)).unwrap().0;
    let mut table = Table::new(Rule::Swap, Timelines::new(grid.len()));
    table.store.rest(id(3), 0, 1);
    table.store.rise(id(3), 9, 1);
    table.set_rank(0, 1);
    let cost = |penalty| {
        let trip = Trip {
            owner: 0,
            start: id(0),
            tick: 0,
            goal: id(6),
            from: 0,
            penalty,
            most: 1000,
            room: u64::MAX,
        };
        let mut field = TrueDistance::new(&graph, id(6), None);
        IntervalSearch::new().search(
            (&graph, &table),
            &mut field,
            &trip,
            &mut Vec::new(),
            |_, _| {},
            |_| false,
        )
    };
    assert_eq!(cost(5), Found::Path(11), "through it");
    assert_eq!(cost(50), Found::Path(13), "after it has gone");
}
