//! Some plan, to prove that a larger world has one.

use crate::distance::lower_bounds;
use rustc_hash::FxHashSet;
use throng_core::{Action, Agent, AgentId, Cell, Dir, Draw, Path, Plan, Scenario, Tick, Waypoints, stream};

/// Tries to find a plan under the graph rules with 1×1 bodies: one agent after the other, each by breadth
/// first around those before it, in up to 100 random orders. Finding none proves nothing.
#[must_use]
pub fn witness(scenario: &Scenario, seed: u64) -> Option<Plan> {
    if !scenario.rules().graph_rules() || scenario.agents().iter().any(|a| a.body != 1) {
        return None;
    }
    let horizon = 3 * lower_bounds(scenario)?.makespan + 4 * scenario.agents().len() as Tick;
    (0..100).find_map(|attempt| {
        let mut order: Vec<&Agent> = scenario.agents().iter().collect();
        let mut random = stream(seed, AgentId(0), attempt);
        (1..order.len()).rev().for_each(|k| order.swap(k, random.below(k as u32 + 1) as usize));
        let mut taken = Taken::default();
        let mut paths = vec![Path::default(); order.len()];
        for agent in order {
            let cells = around(scenario, agent, &taken, horizon)?;
            taken.add(&cells, horizon);
            let actions = cells.windows(2).filter_map(|w| Action::between(w[0], w[1])).collect();
            paths[agent.id.index()] = Path { start: agent.start, actions };
        }
        Some(Plan { paths })
    })
}

/// What the agents before have taken: cells and midpoints of moves, by tick.
#[derive(Default)]
struct Taken {
    cells: FxHashSet<(Cell, Tick)>,
    middles: FxHashSet<(i32, i32, Tick)>,
}

impl Taken {
    fn add(&mut self, cells: &[Cell], horizon: Tick) {
        for tick in 0..=horizon {
            let at = |t: Tick| cells.get(t as usize).or(cells.last()).copied().unwrap_or_default();
            self.cells.insert((at(tick), tick));
            let (from, to) = (at(tick), at(tick + 1));
            if from != to {
                self.middles.insert((from.x + to.x, from.y + to.y, tick));
            }
        }
    }

    fn allows(&self, from: Cell, to: Cell, tick: Tick) -> bool {
        !self.cells.contains(&(to, tick + 1)) && !self.middles.contains(&(from.x + to.x, from.y + to.y, tick))
    }

    fn free_for_ever(&self, cell: Cell, from: Tick, until: Tick) -> bool {
        (from..=until).all(|tick| !self.cells.contains(&(cell, tick)))
    }
}

/// Where the agent is at each tick until it rests, layer by layer over (cell, leg).
fn around(scenario: &Scenario, agent: &Agent, taken: &Taken, horizon: Tick) -> Option<Vec<Cell>> {
    let (grid, way, actions) = (scenario.grid(), agent.waypoints(), agent.actions(scenario.rules()));
    let slot = |cell: Cell, leg: u32| Some(grid.id(cell)?.index() * (way.len() as usize + 1) + leg as usize);
    let first = (agent.start, visited(way, agent.start, 0));
    let mut layers = vec![vec![(first, 0)]];
    for tick in 0..=horizon {
        let layer = layers.last()?;
        let rests = |&((cell, leg), _): &((Cell, u32), usize)| {
            leg == way.len() && cell == way.last() && taken.free_for_ever(cell, tick, horizon)
        };
        if let Some(end) = layer.iter().position(rests) {
            return Some(unwind(&layers, end));
        }
        let mut seen = vec![false; grid.len() * (way.len() as usize + 1)];
        let mut next = Vec::new();
        for (place, &((cell, leg), _)) in layer.iter().enumerate() {
            for action in Dir::ALL.map(Action::Go).into_iter().chain([Action::Wait]) {
                let to = cell.after(action);
                if !actions.legal(grid, cell, 0, action) || !taken.allows(cell, to, tick) {
                    continue;
                }
                let leg = visited(way, to, leg);
                if !std::mem::replace(&mut seen[slot(to, leg)?], true) {
                    next.push(((to, leg), place));
                }
            }
        }
        layers.push(next);
    }
    None
}

fn visited(way: Waypoints<'_>, at: Cell, leg: u32) -> u32 {
    leg + (leg..way.len()).take_while(|&leg| way.target(leg) == at).count() as u32
}

fn unwind(layers: &[Vec<((Cell, u32), usize)>], end: usize) -> Vec<Cell> {
    let mut place = end;
    let mut cells = Vec::new();
    for layer in layers.iter().rev() {
        let ((cell, _), before) = layer[place];
        cells.push(cell);
        place = before;
    }
    cells.reverse();
    cells
}
