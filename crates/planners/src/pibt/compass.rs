//! Where everybody wants to go: distances to goals, shared and bounded.

use throng_core::{CellId, Connectivity, Grid, Rules};
use throng_search::{DistanceFields, FieldKey, Graph, GridGraph, SavedField, TrueDistance, Workers};

/// The map as units of one cell and one speed walk it.
pub(crate) struct Ground<'a> {
    pub(crate) graph: GridGraph<'a>,
    /// The same, if searches need not ask at every step what kind of graph it is.
    pub(crate) plain: Option<GridGraph<'a, true>>,
    grid: &'a Grid,
    /// The moves that count, as in [`Grid::exits`].
    moves: u8,
    offsets: [i32; 8],
}

impl<'a> Ground<'a> {
    pub(crate) fn new(grid: &'a Grid, rules: Rules) -> Self {
        let moves = if rules.connectivity == Connectivity::Four { 0x0f } else { 0xff };
        let graph = GridGraph::new(grid, rules, 1);
        Self { graph, plain: graph.plain(), grid, moves, offsets: grid.offsets() }
    }

    pub(crate) const fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// Whether units may move diagonally.
    pub(crate) const fn has_diagonals(&self) -> bool {
        self.moves == 0xff
    }

    /// The cells one step away.
    #[inline]
    pub(crate) fn beside(&self, at: u32) -> impl Iterator<Item = u32> + use<> {
        let mut exits = self.grid.exits(CellId(at)) & self.moves;
        let offsets = self.offsets;
        std::iter::from_fn(move || {
            if exits == 0 {
                return None;
            }
            let dir = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            Some(at.wrapping_add(offsets[dir] as u32))
        })
    }

    /// How many cells are one step away.
    #[inline]
    pub(crate) fn degree(&self, at: u32) -> u32 {
        (self.grid.exits(CellId(at)) & self.moves).count_ones()
    }

    /// The two cells that a diagonal passes between, if the step from `a` to `b` is one.
    #[inline]
    pub(crate) fn corners(&self, a: u32, b: u32) -> Option<(u32, u32)> {
        let step = b.wrapping_sub(a) as i32;
        let dir = self.offsets[4..].iter().position(|&offset| offset == step)?;
        // NE, SE, SW, NW pass between N and E, E and S, S and W, W and N.
        let sides = [(0, 1), (1, 2), (2, 3), (3, 0)][dir];
        let side = |index: usize| a.wrapping_add(self.offsets[index] as u32);
        Some((side(sides.0), side(sides.1)))
    }
}

/// Distances to everybody's goal.
#[derive(Debug)]
pub(crate) struct Compass {
    fields: DistanceFields,
    goals: Vec<u32>,
    /// By agent: where its field was found last.
    hints: Vec<u32>,
    /// By agent, if they are led: cells of a way, by number, and the next cell each.
    guides: Vec<Box<[(u32, u32)]>>,
}

impl Compass {
    /// Nobody has a goal yet; distances take at most about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Self {
        let fields = DistanceFields::new(memory);
        Self { fields, goals: Vec::new(), hints: Vec::new(), guides: Vec::new() }
    }

    /// Gives everybody a goal.
    pub(crate) fn aim(&mut self, goals: impl IntoIterator<Item = u32>) {
        self.goals.clear();
        self.goals.extend(goals);
        self.hints.resize(self.goals.len(), u32::MAX);
    }

    pub(crate) fn goal(&self, agent: u32) -> u32 {
        self.goals[agent as usize]
    }

    pub(crate) fn fields(&mut self) -> &mut DistanceFields {
        &mut self.fields
    }

    /// Finds out the distances of these goals from the places beside them, on all threads at once.
    pub(crate) fn prepare(&mut self, ground: &Ground<'_>, wanted: &[(u32, u32)], workers: &Workers) {
        let wanted: Vec<_> = wanted.iter().map(|&(goal, at)| (key(goal), at)).collect();
        match &ground.plain {
            Some(plain) => self.fields.prepare(plain, &wanted, workers),
            None => self.fields.prepare(&ground.graph, &wanted, workers),
        }
    }

    /// From a node on, the next one nearer to a goal each, as far as distances are known.
    pub(crate) fn descent(&self, ground: &Ground<'_>, goal: u32, from: u32) -> impl Iterator<Item = u32> {
        let field = self.fields.peek(key(goal));
        core::iter::successors(Some(from), move |&at| {
            let here = field?.known(at)?;
            let nearer =
                |&node: &u32| field.and_then(|field| field.known(node)).is_some_and(|far| far < here);
            ground.beside(at).find(nearer)
        })
    }

    /// Leads everybody along these ways: whoever is on its own prefers to go on along it. Where a way comes through a cell more
    /// than once the last time counts, so that nobody is led in a circle.
    pub(crate) fn lead(&mut self, ways: &[Vec<u32>]) {
        let guide = |way: &Vec<u32>| {
            let mut cells: Vec<(u32, u32)> = Vec::with_capacity(way.len());
            cells.extend(
                way.windows(2).rev().filter(|step| step[0] != step[1]).map(|step| (step[0], step[1])),
            );
            // The last time comes first, and stays.
            cells.sort_by_key(|&(cell, _)| cell);
            cells.dedup_by_key(|&mut (cell, _)| cell);
            cells.into_boxed_slice()
        };
        self.guides = ways.iter().map(guide).collect();
    }

    /// Where an agent is led from a cell, if it is.
    #[inline]
    pub(crate) fn led(&self, agent: u32, at: u32) -> Option<u32> {
        let guide = self.guides.get(agent as usize)?;
        let place = guide.binary_search_by_key(&at, |&(cell, _)| cell).ok()?;
        Some(guide[place].1)
    }

    /// Gives away the distances of an agent's goal, as far as they are known.
    pub(crate) fn withdraw(&mut self, agent: u32) -> Option<TrueDistance> {
        self.fields.withdraw(key(self.goal(agent)))
    }

    /// Takes them back.
    pub(crate) fn deposit(&mut self, agent: u32, field: TrueDistance) {
        self.fields.deposit(key(self.goal(agent)), field);
    }

    pub(crate) fn save(&self) -> Vec<SavedField> {
        self.fields.save()
    }

    /// Takes up what [`Self::save`] gave, as far as it is about this map.
    pub(crate) fn load(&mut self, ground: &Ground<'_>, saved: &[SavedField], workers: &Workers) {
        let on_map = |node: u32| (node as usize) < ground.grid.len() && ground.grid.is_open_id(CellId(node));
        let saved: Vec<_> = saved
            .iter()
            .filter(|saved| saved.key == key(saved.key.goal) && on_map(saved.key.goal))
            .filter(|saved| saved.past.origin.is_none_or(on_map))
            .copied()
            .collect();
        self.fields.load(|saved| saved.rebuilt(&ground.graph), &saved, workers);
    }

    /// Steps from `node` to the goal of an agent. Where no way leads or the budget does not reach, the straight line
    /// must do.
    #[inline]
    pub(crate) fn distance(&mut self, ground: &Ground<'_>, agent: u32, node: u32) -> u32 {
        match &ground.plain {
            Some(plain) => self.distance_on(plain, agent, node),
            None => self.distance_on(&ground.graph, agent, node),
        }
    }

    #[inline]
    fn distance_on<G: Graph>(&mut self, graph: &G, agent: u32, node: u32) -> u32 {
        let goal = self.goals[agent as usize];
        let hint = self.hints[agent as usize];
        let far = self.fields.with_near(graph, key(goal), hint, node, |field| {
            if field.settle(graph) { field.distance(graph, node) } else { field.known(node) }
        });
        self.hints[agent as usize] = self.fields.latest();
        far.unwrap_or_else(|| graph.estimate(node, graph.aim(goal)))
    }

    /// The same for a node and several beside it.
    #[inline]
    pub(crate) fn fan(
        &mut self,
        ground: &Ground<'_>,
        agent: u32,
        at: u32,
        beside: &[u32],
        far: &mut [u32],
    ) -> u32 {
        match &ground.plain {
            Some(plain) => self.fan_on(plain, agent, at, beside, far),
            None => self.fan_on(&ground.graph, agent, at, beside, far),
        }
    }

    #[inline]
    fn fan_on<G: Graph>(&mut self, graph: &G, agent: u32, at: u32, beside: &[u32], far: &mut [u32]) -> u32 {
        let goal = self.goals[agent as usize];
        let hint = self.hints[agent as usize];
        let here = self.fields.with_near(graph, key(goal), hint, at, |field| {
            let here = if field.settle(graph) { field.distance(graph, at) } else { field.known(at) };
            // Who knows of no way stays where it is, unless somebody needs its place.
            let lost = here.is_none() && !field.is_starved();
            let straight =
                |node| if lost { u32::from(node != at) } else { graph.estimate(node, graph.aim(goal)) };
            for (far, &node) in far.iter_mut().zip(beside) {
                let known = here.and_then(|here| field.beside(graph, here, node));
                *far = known.unwrap_or_else(|| straight(node));
            }
            here.unwrap_or_else(|| straight(at))
        });
        self.hints[agent as usize] = self.fields.latest();
        here
    }
}

const fn key(goal: u32) -> FieldKey {
    FieldKey { goal, kind: 0 }
}
