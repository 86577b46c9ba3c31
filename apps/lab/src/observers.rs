//! What experiments listen for, beside the usual metrics.

use throng::core::{AgentId, CellId, Observer, Scenario, SearchKind, State, Tick};

/// Searches and expansions of every tick, and of those the ones of backwards searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct PerTick {
    pub(crate) searches: Vec<u64>,
    pub(crate) expanded: Vec<u64>,
    pub(crate) backwards: Vec<u64>,
    /// The same of the present tick.
    now: [u64; 3],
}

impl Observer for PerTick {
    fn expanded(&mut self, _agent: AgentId, kind: SearchKind, count: u64) {
        self.now[1] += count;
        self.now[2] += if kind == SearchKind::Backwards { count } else { 0 };
    }

    fn replanned(&mut self, _agent: AgentId, _tick: Tick) {
        self.now[0] += 1;
    }

    fn tick(&mut self, _scenario: &Scenario, _state: &State) {
        let [searches, expanded, backwards] = std::mem::take(&mut self.now);
        self.searches.push(searches);
        self.expanded.push(expanded);
        self.backwards.push(backwards);
    }
}

/// Expansions of a one-shot problem, and how often each cell was expanded.
#[derive(Clone, Debug)]
pub(crate) struct Visits {
    pub(crate) cells: Vec<u64>,
    pub(crate) main: u64,
    pub(crate) backwards: u64,
    /// Of those, how many before anybody searched a path.
    pub(crate) beforehand: u64,
}

impl Visits {
    pub(crate) fn new(cells: usize) -> Self {
        Self { cells: vec![0; cells], main: 0, backwards: 0, beforehand: 0 }
    }
}

impl Observer for Visits {
    fn wants_nodes(&self) -> bool {
        true
    }

    fn node(&mut self, _agent: AgentId, at: CellId, _tick: Tick) {
        self.cells[at.index()] += 1;
    }

    fn expanded(&mut self, _agent: AgentId, kind: SearchKind, count: u64) {
        match kind {
            SearchKind::Main => self.main += count,
            SearchKind::Backwards => {
                self.backwards += count;
                if self.main == 0 {
                    self.beforehand += count;
                }
            }
        }
    }
}
