//! Lanes: steps against the stream cost more, and distances are what ways cost that way.
//!
//! Where it is narrow and crowded, what takes longest is making way for those who come towards one. If everybody counts steps that
//! more others take the other way as longer, those who go the same way keep together, and those who come towards them go
//! elsewhere, wherever they are pushed to.
//!
//! Source: Chen, Harabor, Li and Stuckey, "Traffic flow optimisation for lifelong multi-agent path finding" (2024), of which this takes
//! the idea that ways against a stream are longer; here all share one map of that, and follow distances instead of ways.

use super::ground::Ground;
use crate::portions::portion;
use throng_core::{Budget, Dir};
use throng_search::Workers;

/// What a step costs along a lane, and less than how much more against it.
const STEP: u32 = 4;
const AGAINST: u32 = 4;

/// What staying costs: less than any step that leads away, more than one on the best way.
const STAY: u64 = 2;

/// No way.
const FAR: u16 = u16::MAX;

/// What steps cost, and how far it is to everybody's goal.
#[derive(Debug)]
pub(crate) struct Lanes {
    ways: usize,
    /// By cell, by direction.
    costs: Vec<u8>,
    /// By agent, by cell.
    far: Vec<Box<[u16]>>,
    expanded: u64,
}

impl Lanes {
    /// Bytes that distances to so many goals take.
    pub(crate) fn size(ground: &Ground, goals: usize) -> usize {
        (ground.len() + 1).saturating_mul(goals).saturating_mul(size_of::<u16>())
    }

    /// Whether distances to so many goals fit into half of so many bytes: the rest is for whoever walks along them.
    pub(crate) fn fit(ground: &Ground, goals: usize, cap: usize) -> bool {
        Self::size(ground, goals) <= cap / 2
    }

    /// Lanes along these ways, and distances by them to everybody's goal. They are of no use, and it is said so, if the budget ended before that, or
    /// a way is too long for them.
    pub(crate) fn along<'a>(
        ground: &Ground,
        ways: impl Iterator<Item = &'a [u32]>,
        goals: &[u32],
        budget: &dyn Budget,
        workers: &Workers,
    ) -> (Self, bool) {
        let mut lanes = Self::new(ground, ways);
        for goals in goals.chunks(portion(ground.len())) {
            if budget.should_stop(lanes.expanded) || lanes.expanded >= budget.limit() {
                return (lanes, false);
            }
            let mut work: Vec<_> = goals.iter().map(|&goal| (goal, Box::default(), Some(0))).collect();
            workers.for_each(&mut work, |(goal, far, expanded)| *expanded = lanes.search(ground, *goal, far));
            for (_, far, expanded) in work {
                let Some(expanded) = expanded else { return (lanes, false) };
                lanes.expanded += expanded;
                lanes.far.push(far);
            }
        }
        (lanes, true)
    }

    fn new<'a>(ground: &Ground, along: impl Iterator<Item = &'a [u32]>) -> Self {
        let ways = if ground.cells.is_eight() { 8 } else { 4 };
        let mut stream = vec![0u32; ground.len() * ways];
        for step in along.flat_map(|way| way.windows(2)) {
            if let Some(dir) = ground.cells.beside(step[0]).iter().position(|&cell| cell == step[1]) {
                stream[step[0] as usize * ways + dir] += 1;
            }
        }
        let mut costs = vec![STEP as u8; stream.len()];
        for cell in (0..ground.len() as u32).filter(|&cell| ground.cells.is_cell(cell)) {
            for (dir, &to) in ground.cells.beside(cell).iter().enumerate() {
                if to == ground.cells.wall() {
                    continue;
                }
                let with = stream[cell as usize * ways + dir];
                let against = stream[to as usize * ways + back(dir)];
                let more = AGAINST * against.saturating_sub(with) / (against + with + 2);
                costs[cell as usize * ways + dir] += more as u8;
            }
        }
        Self { ways, costs, far: Vec::new(), expanded: 0 }
    }

    /// How far it is to a goal from every cell. Answers how many have a way there; `None` if one is too long to be told.
    fn search(&self, ground: &Ground, goal: u32, far: &mut Box<[u16]>) -> Option<u64> {
        *far = vec![FAR; ground.len() + 1].into_boxed_slice();
        let Some(here) = far.get_mut(goal as usize) else { return Some(0) };
        *here = 0;
        // A ring of what lies so far away: no step costs more than there are places in it.
        const RING: usize = 1 + u8::MAX as usize;
        let mut ring = [const { Vec::new() }; RING];
        ring[0].push(goal);
        let (mut now, mut waiting, mut expanded) = (0usize, 1, 0);
        while waiting > 0 {
            let Some(cell) = ring[now % RING].pop() else {
                now += 1;
                continue;
            };
            waiting -= 1;
            if usize::from(far[cell as usize]) != now {
                continue;
            }
            expanded += 1;
            for (dir, &from) in ground.cells.beside(cell).iter().enumerate() {
                if from == ground.cells.wall() {
                    continue;
                }
                let there = now + usize::from(self.costs[from as usize * self.ways + back(dir)]);
                if there >= usize::from(FAR) {
                    return None;
                }
                if there < usize::from(far[from as usize]) {
                    far[from as usize] = there as u16;
                    ring[there % RING].push(from);
                    waiting += 1;
                }
            }
        }
        Some(expanded)
    }

    /// What the distances took.
    pub(crate) const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Nobody goes anywhere yet, and all steps cost the same.
    pub(super) fn blank(ground: &Ground) -> Self {
        Self::new(ground, core::iter::empty())
    }

    /// How many directions there are.
    pub(super) const fn ways(&self) -> usize {
        self.ways
    }

    /// How many steps there are.
    pub(super) const fn costs(&self) -> usize {
        self.costs.len()
    }

    /// From now on there are so many agents.
    pub(super) fn make_room(&mut self, agents: usize) {
        self.far.resize(agents, Box::default());
    }

    /// From now on steps cost so much more than one does.
    pub(super) fn charge(&mut self, ground: &Ground, more: impl Fn(u32, usize, u32) -> u32) {
        for cell in (0..ground.len() as u32).filter(|&cell| ground.cells.is_cell(cell)) {
            for (dir, &to) in ground.cells.beside(cell).iter().enumerate() {
                if to != ground.cells.wall() {
                    let cost = (STEP + more(cell, dir, to)).min(u8::MAX.into());
                    self.costs[cell as usize * self.ways + dir] = cost as u8;
                }
            }
        }
    }

    /// Tells an agent how far it is to its goal by what steps cost now; if that is too far to be told, it goes by itself. Answers what
    /// that took.
    pub(super) fn aim(&mut self, ground: &Ground, agent: u32, goal: u32) -> u64 {
        let mut far = core::mem::take(&mut self.far[agent as usize]);
        let expanded = self.search(ground, goal, &mut far);
        if expanded.is_some() {
            self.far[agent as usize] = far;
        }
        expanded.unwrap_or(ground.len() as u64)
    }

    /// Whether an agent that is somewhere is told how far it is.
    #[inline]
    pub(super) fn tells(&self, agent: u32, at: u32) -> bool {
        self.far.get(agent as usize).and_then(|far| far.get(at as usize)).is_some_and(|&far| far != FAR)
    }

    /// From a cell on, the next one each on the way of an agent that costs least.
    pub(super) fn descent(
        &self,
        ground: &Ground,
        agent: u32,
        from: u32,
        goal: u32,
    ) -> impl Iterator<Item = u32> {
        let known = self.tells(agent, from);
        core::iter::successors(Some(from), move |&at| {
            let far = self.far[agent as usize].get(at as usize).filter(|_| known && at != goal)?;
            let leads = |&(dir, &to): &(usize, &u32)| {
                let cost = u32::from(self.costs[at as usize * self.ways + dir]);
                to != ground.cells.wall()
                    && cost + u32::from(self.far[agent as usize][to as usize]) == u32::from(*far)
            };
            ground.cells.beside(at).iter().enumerate().find(leads).map(|(_, &to)| to)
        })
    }

    /// What the best of all steps from a cell costs with the rest of the way; nothing at the goal.
    #[inline]
    pub(super) fn least(&self, ground: &Ground, agent: u32, from: u32) -> u64 {
        let far = &self.far[agent as usize];
        if far[from as usize] == 0 {
            return 0;
        }
        let steps = ground.cells.beside(from).iter().enumerate();
        let steps = steps.filter(|&(_, &to)| to != ground.cells.wall());
        let costs = steps.map(|(dir, &to)| {
            u64::from(self.costs[from as usize * self.ways + dir]) + u64::from(far[to as usize])
        });
        costs.min().unwrap_or(0)
    }

    /// What an agent loses by a step in a direction or, without one, by staying; nothing by the best step, which costs the least there is.
    #[inline]
    pub(super) fn loss(&self, agent: u32, from: u32, least: u64, step: Option<(usize, u32)>) -> u64 {
        let Some((dir, to)) = step else { return STAY };
        let far = &self.far[agent as usize];
        let cost = u64::from(self.costs[from as usize * self.ways + dir]);
        (cost + u64::from(far[to as usize])).saturating_sub(least)
    }

    /// What steps cost and distances, to be stored.
    pub(super) fn save(&self) -> (Vec<u8>, Vec<Box<[u16]>>) {
        (self.costs.clone(), self.far.clone())
    }

    /// Takes up what [`Self::save`] gave; nothing if that was about another map.
    pub(super) fn load(ground: &Ground, costs: Vec<u8>, far: Vec<Box<[u16]>>) -> Option<Self> {
        let blank = Self::blank(ground);
        let fits = |far: &[u16]| far.is_empty() || far.len() == ground.len() + 1;
        if costs.is_empty() && far.is_empty() {
            return Some(blank);
        }
        let whole = costs.len() == blank.costs.len() && far.iter().all(|far| fits(far));
        whole.then_some(Self { costs, far, ..blank })
    }
}

/// The number of the direction back.
pub(super) const fn back(dir: usize) -> usize {
    Dir::ALL[dir].opposite() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_core::{Cell, Connectivity, Expansions, Grid, Rules, Unlimited};
    use throng_search::{AStar, GridGraph};

    /// Two corridors beside each other: whoever goes against the stream in one takes the other, though that is longer; with eight
    /// moves, too.
    #[test]
    fn who_goes_against_the_stream_takes_the_other_corridor() {
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            against_the_stream(Rules { connectivity, ..Rules::default() });
        }
    }

    fn against_the_stream(rules: Rules) {
        let grid = Grid::from_rows(&["........", ".@@@@@@.", "........"]).unwrap();
        let ground = Ground::new(&grid, rules);
        let at = |x, y| ground.number(grid.id(Cell::new(x, y)).unwrap());
        let stream: Vec<u32> = (0..8).map(|x| at(x, 0)).collect();
        let streams = [stream.as_slice(); 8];
        let (lanes, whole) =
            Lanes::along(&ground, streams.into_iter(), &[at(0, 0)], &Unlimited, &Workers::default());
        assert!(whole && Lanes::fit(&ground, 1, 1 << 10) && !Lanes::fit(&ground, 1, 16));
        let (from, beside) = (at(7, 0), ground.cells.beside(at(7, 0)));
        let loss = |to: u32| {
            lanes.loss(
                0,
                from,
                lanes.least(&ground, 0, from),
                Some((beside.iter().position(|&cell| cell == to).unwrap(), to)),
            )
        };
        assert_eq!(loss(at(7, 1)), 0);
        assert!(loss(at(6, 0)) > 0);
    }

    /// Without a stream all steps cost the same, and distances are those of the map.
    #[test]
    fn without_a_stream_distances_are_those_of_the_map() {
        let grid = Grid::from_rows(&["....", ".@@.", "....", "@@.."]).unwrap();
        let ground = Ground::new(&grid, Rules::default());
        let goal = ground.number(grid.id(Cell::new(3, 3)).unwrap());
        let (lanes, whole) =
            Lanes::along(&ground, core::iter::empty(), &[goal], &Unlimited, &Workers::default());
        assert!(whole);
        for id in grid.open_ids() {
            let mut judge = AStar::new();
            let graph = GridGraph::new(&grid, Rules::default(), 1);
            let steps = judge.dijkstra(&graph, id.0, grid.id(Cell::new(3, 3)).unwrap().0);
            assert_eq!(
                steps.map(|steps| steps * STEP),
                Some(lanes.far[0][ground.number(id) as usize].into())
            );
        }
    }

    /// Distances that would not fit once stood for no way at all: nobody moved where ways were longer than 16,384 steps.
    #[test]
    fn ways_that_are_too_long_are_told() {
        let rows: Vec<String> = (0..260)
            .map(|y| match y % 4 {
                1 => format!("{}.", "@".repeat(129)),
                3 => format!(".{}", "@".repeat(129)),
                _ => ".".repeat(130),
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        let ground = Ground::new(&grid, Rules::default());
        let goal = ground.number(grid.id(Cell::new(0, 0)).unwrap());
        let along =
            |budget| Lanes::along(&ground, core::iter::empty(), &[goal], budget, &Workers::default()).1;
        assert!(!along(&Unlimited as &dyn Budget));
        assert!(!along(&Expansions(0)));
    }
}
