//! States of all agents together, and what can follow them.

use crate::distance::time_to;
use throng_core::{Action, Cell, Dir, Path, Plan, Scenario};

/// The most agents that brute force takes on.
pub(crate) const MAX_AGENTS: usize = 8;

/// One agent's part of a joint state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Part {
    /// Number of an open cell.
    pub(crate) cell: u8,
    /// Waypoints visited.
    pub(crate) leg: u8,
    /// Has decided to stay at its goal for ever.
    pub(crate) settled: bool,
}

/// All agents; places past the last agent stay at the default.
pub(crate) type Joint = [Part; MAX_AGENTS];

/// A scenario in the form that joint search needs: uniform timing, graph rules, 1×1 bodies.
pub(crate) struct JointWorld<'a> {
    scenario: &'a Scenario,
    cells: Vec<Cell>,
    /// By cell: itself and its neighbours.
    next: Vec<Vec<u8>>,
    /// By agent: the cells of its waypoints.
    ways: Vec<Vec<u8>>,
    /// By agent, leg and cell: how long the rest of its task takes alone.
    to_go: Vec<Vec<Vec<u64>>>,
}

impl<'a> JointWorld<'a> {
    /// `None` if somebody cannot reach a waypoint at all.
    ///
    /// # Panics
    /// If the scenario is none for brute force: other rules, too many agents or cells.
    pub(crate) fn new(scenario: &'a Scenario) -> Option<Self> {
        let (grid, agents) = (scenario.grid(), scenario.agents());
        assert!(scenario.rules().graph_rules(), "brute force knows the graph rules only");
        assert!(agents.iter().all(|a| a.body == 1), "brute force knows 1×1 bodies only");
        assert!(agents.len() <= MAX_AGENTS, "brute force takes at most {MAX_AGENTS} agents");
        let cells: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
        assert!(cells.len() <= 256, "brute force takes at most 256 open cells");
        let number = |cell: Cell| cells.iter().position(|&c| c == cell).map(|n| n as u8);
        let actions = throng_core::Actions::new(scenario.rules(), 1, 1);
        let next = cells
            .iter()
            .map(|&cell| {
                let moves = Dir::ALL.map(Action::Go).into_iter().chain([Action::Wait]);
                moves
                    .filter(|&a| actions.legal(grid, cell, 0, a))
                    .filter_map(|a| number(cell.after(a)))
                    .collect()
            })
            .collect();
        let mut ways = Vec::new();
        let mut to_go = Vec::new();
        for agent in agents {
            let way = agent.waypoints();
            let targets: Vec<Cell> = (0..way.len()).map(|leg| way.target(leg)).collect();
            let mut legs = vec![vec![0; cells.len()]];
            let mut after = 0;
            for (leg, &target) in targets.iter().enumerate().rev() {
                let times = time_to(grid, actions, target);
                let time = |cell: Cell| times[grid.id(cell)?.index()];
                legs.push(cells.iter().map(|&c| time(c).map_or(u64::MAX, |t| t + after)).collect());
                let before = if leg == 0 { agent.start } else { targets[leg - 1] };
                after += time(before)?;
            }
            legs.reverse();
            // Whoever has visited everything but must rest still has to be at the last waypoint.
            if agent.must_rest() {
                let last = legs.len() - 1;
                legs[last] = legs[last - 1].clone();
            }
            ways.push(targets.iter().filter_map(|&t| number(t)).collect());
            to_go.push(legs);
        }
        Some(Self { scenario, cells, next, ways, to_go })
    }

    /// Everybody at the start.
    pub(crate) fn start(&self) -> Joint {
        let mut joint = Joint::default();
        for (k, agent) in self.scenario.agents().iter().enumerate() {
            let cell = self.cells.iter().position(|&c| c == agent.start).unwrap_or(0) as u8;
            joint[k] = self.visit(k, Part { cell, leg: 0, settled: false });
        }
        joint
    }

    /// How many agents there are.
    pub(crate) fn agents(&self) -> usize {
        self.ways.len()
    }

    /// How long the rest of agent `k`'s task takes if nobody is in its way.
    pub(crate) fn to_go(&self, k: usize, part: Part) -> u64 {
        self.to_go[k][usize::from(part.leg)][usize::from(part.cell)]
    }

    /// Whether everybody has finished.
    pub(crate) fn is_done(&self, joint: &Joint) -> bool {
        (0..self.agents()).all(|k| self.to_go(k, joint[k]) == 0)
    }

    /// Calls `each` with every joint state one tick later and the number of agents that pay for the tick.
    ///
    /// With `settling` an agent at its goal may settle: it never moves again and never pays again. A
    /// patrol that is over does not pay either, but may still step aside. Everybody else pays.
    pub(crate) fn successors(&self, joint: &Joint, settling: bool, each: &mut impl FnMut(Joint, u64)) {
        self.assign(joint, &mut joint.clone(), 0, 0, settling, each);
    }

    fn assign(
        &self,
        from: &Joint,
        to: &mut Joint,
        k: usize,
        cost: u64,
        settling: bool,
        each: &mut impl FnMut(Joint, u64),
    ) {
        if k == self.agents() {
            return each(*to, cost);
        }
        let part = from[k];
        let parks = !self.scenario.agents()[k].must_rest() && usize::from(part.leg) == self.ways[k].len();
        if part.settled || (settling && !parks && self.to_go(k, part) == 0) {
            to[k] = Part { settled: true, ..part };
            if self.is_free(from, to, k) {
                self.assign(from, to, k + 1, cost, settling, each);
            }
        }
        if part.settled {
            return;
        }
        for &cell in &self.next[usize::from(part.cell)] {
            to[k] = self.visit(k, Part { cell, ..part });
            if self.is_free(from, to, k) {
                self.assign(from, to, k + 1, cost + u64::from(!parks), settling, each);
            }
        }
    }

    /// Whether agent `k`'s move does not conflict with those of the agents before it: not into one cell,
    /// and not with one midpoint, which is what swaps and crossings have in common.
    fn is_free(&self, from: &Joint, to: &Joint, k: usize) -> bool {
        let middle = |j: usize| {
            let (p, q) = (self.cells[usize::from(from[j].cell)], self.cells[usize::from(to[j].cell)]);
            (p.x + q.x, p.y + q.y)
        };
        (0..k).all(|j| to[j].cell != to[k].cell && middle(j) != middle(k))
    }

    fn visit(&self, k: usize, mut part: Part) -> Part {
        while self.ways[k].get(usize::from(part.leg)) == Some(&part.cell) {
            part.leg += 1;
        }
        part
    }

    /// The plan that goes through these states, one per tick.
    pub(crate) fn plan(&self, states: &[Joint]) -> Plan {
        let paths = self.scenario.agents().iter().enumerate().map(|(k, agent)| {
            let at = |joint: &Joint| self.cells[usize::from(joint[k].cell)];
            let actions = states.windows(2).filter_map(|w| Action::between(at(&w[0]), at(&w[1]))).collect();
            Path { start: agent.start, actions }
        });
        Plan { paths: paths.collect() }
    }
}
