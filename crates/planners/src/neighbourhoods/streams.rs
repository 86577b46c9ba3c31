//! Where everybody might go if each goes the way that others go, and nobody asks when.
//!
//! One after the other, those with the shortest way first, each takes the shortest way in which a step costs the more, the more of the
//! others take it the other way; and once more, now that all have one.
//!
//! Source: Chen, Harabor, Li and Stuckey, "Traffic flow optimisation for lifelong multi-agent path finding" (2024), of which this takes
//! the cost of contraflow.

use super::ways::{Way, Ways};
use throng_core::{Budget, Grid};
use throng_search::{AStar, Graph};

/// How often everybody looks for a way.
const ROUNDS: usize = 2;

/// How many who come towards one make a step cost as much as two, and how much more it costs at most.
const AGAINST: u32 = 2;
const MOST: u32 = 8;

/// Such ways, and what finding them took; `None` if the budget ended first.
pub(crate) fn streams<G: Graph>(
    (graph, grid): (&G, &Grid),
    resting: &Ways,
    alone: &[u32],
    budget: &dyn Budget,
) -> (Option<Vec<Way>>, u64) {
    let offsets = grid.offsets();
    let dir = |from: u32, to: u32| {
        let offset = to.wrapping_sub(from);
        offsets.iter().position(|&known| known as u32 == offset).unwrap_or(0)
    };
    let mut stream = vec![[0u32; 8]; graph.len()];
    let mut ways: Vec<Way> = vec![Way::new(); alone.len()];
    let mut order: Vec<usize> = (0..alone.len()).collect();
    order.sort_by_key(|&unit| alone[unit]);
    let mut search = AStar::new();
    for _ in 0..ROUNDS {
        for &unit in &order {
            let spent = search.expanded();
            if budget.should_stop(spent) || spent >= budget.limit() {
                return (None, spent);
            }
            let (start, goal) = (resting.all[unit][0], resting.goals[unit]);
            let way = &mut ways[unit];
            way.windows(2).for_each(|step| stream[step[0] as usize][dir(step[0], step[1])] -= 1);
            let aim = graph.aim(goal);
            let against = |from, to| (stream[to as usize][dir(to, from)] / AGAINST).min(MOST);
            let found = search.reach_by(
                graph,
                start,
                |node| graph.estimate(node, aim),
                |node| node == goal,
                MOST,
                |from, to| Some(against(from, to)),
            );
            match found {
                Some(_) if !resting.holds[unit] => search.way(start, goal, way),
                _ => *way = vec![start],
            }
            way.windows(2).for_each(|step| stream[step[0] as usize][dir(step[0], step[1])] += 1);
        }
    }
    (Some(ways), search.expanded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::{Agent, Cell, Connectivity, Expansions, Rules, Scenario, Task, Unlimited};
    use throng_search::GridGraph;

    /// Two rooms, and between them a corridor and another one that is two steps longer.
    const ROWS: [&str; 5] = ["...........", "...@@@@@...", "...........", "...@@@@@...", "..........."];

    fn world(connectivity: Connectivity) -> Scenario {
        let grid = Grid::from_rows(&ROWS).unwrap();
        let ends = |id: u32| {
            // Those who come from the left first in number, all in the middle rows.
            let (x, y) = (id as i32 % 3, 1 + id as i32 / 3 % 3);
            let (left, right) = (Cell::new(x, y), Cell::new(8 + x, y));
            if id < 9 { (left, right) } else { (right, left) }
        };
        let agents = (0..18).map(|id| Agent::new(id, ends(id).0, Task::Goal(ends(id).1)));
        Scenario::new("rooms", grid, Rules { connectivity, ..Rules::default() }, agents.collect()).unwrap()
    }

    /// Those who go one way keep together, and come towards fewer than if everybody took its shortest way.
    #[test]
    fn ways_against_each_other_part() {
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let scenario = world(connectivity);
            let graph = GridGraph::new(scenario.grid(), scenario.rules(), 1);
            let resting = Ways::resting(&scenario);
            let alone = vec![8; 18];
            let (ways, spent) = streams((&graph, scenario.grid()), &resting, &alone, &Unlimited);
            let ways = ways.expect("there is no limit");
            let against = |ways: &[Way]| {
                let steps = || ways.iter().flat_map(|way| way.windows(2));
                steps()
                    .map(|one| steps().filter(|other| one[0] == other[1] && one[1] == other[0]).count())
                    .sum::<usize>()
            };
            let straight: Vec<Way> = (0..18u32)
                .map(|unit| {
                    let (start, goal) = (resting.all[unit as usize][0], resting.goals[unit as usize]);
                    let mut field = throng_search::TrueDistance::new(&graph, goal, None);
                    super::super::ways::straight(&graph, &mut field, start)
                })
                .collect();
            assert!(against(&straight) > 0 && 2 * against(&ways) < against(&straight), "{connectivity:?}");
            for (unit, way) in ways.iter().enumerate() {
                assert_eq!((way[0], way[way.len() - 1]), (resting.all[unit][0], resting.goals[unit]));
            }
            // A budget that ends early leaves nothing half done, and is kept but for the search at hand.
            let (none, part) = streams((&graph, scenario.grid()), &resting, &alone, &Expansions(spent / 2));
            assert!(none.is_none() && part < spent, "{part} of {spent}");
        }
    }

    /// Whoever holds its place has no way but that, and is nobody's stream.
    #[test]
    fn who_holds_its_place_goes_nowhere() {
        let scenario = world(Connectivity::Four);
        let mut agents = scenario.agents().to_vec();
        agents[0].task = Task::Hold;
        agents.retain(|agent| agent.id.0 != 9);
        let agents = (0..).zip(agents).map(|(id, agent)| Agent::new(id, agent.start, agent.task)).collect();
        let held = Scenario::new("held", scenario.grid().clone(), scenario.rules(), agents).unwrap();
        let graph = GridGraph::new(held.grid(), held.rules(), 1);
        let resting = Ways::resting(&held);
        let (ways, _) = streams((&graph, held.grid()), &resting, &[8; 17], &Unlimited);
        assert_eq!(ways.expect("there is no limit")[0], resting.all[0]);
    }
}
