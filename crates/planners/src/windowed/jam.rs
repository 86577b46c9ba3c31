//! Regions too crowded to step into: who cannot pass completely through waits outside, where it is in nobody's way.

use throng_core::{Connectivity, Rules};
use throng_search::abstraction::{Abstraction, Occupancy};
use throng_search::{Graph, Heuristic};

/// The level whose nodes are regions: about sixteen cells, since with four moves cells join in pairs.
const fn level(rules: Rules) -> usize {
    match rules.connectivity {
        Connectivity::Four => 4,
        Connectivity::Eight => 2,
    }
}

/// Which regions are jammed for one unit: those in which too many paths end of others who want to get on. The one it is in and that of its
/// goal never are.
pub(super) struct Jams<'a> {
    levels: &'a Abstraction,
    ends: &'a Occupancy,
    level: usize,
    percent: u32,
    open: [Option<u32>; 2],
}

impl<'a> Jams<'a> {
    pub(super) fn new(
        levels: &'a Abstraction,
        ends: &'a Occupancy,
        rules: Rules,
        percent: u32,
        [start, goal]: [u32; 2],
    ) -> Self {
        let mut jams = Self { levels, ends, level: level(rules), percent, open: [None; 2] };
        jams.open = [jams.region(start), jams.region(goal)];
        jams
    }

    /// The region of a place; none on islands smaller than one.
    fn region(&self, place: u32) -> Option<u32> {
        let (at, node) = self.levels.ancestor(place, self.level);
        (at == self.level).then_some(node)
    }

    /// Whether nobody should stop there.
    pub(super) fn bars(&self, place: u32) -> bool {
        let Some(region) = self.region(place).filter(|&region| !self.open.contains(&Some(region))) else {
            return false;
        };
        self.ends.congestion(self.levels, self.level, region) >= 10 * self.percent
    }
}

/// A guide that knows of no way through what is jammed.
pub(super) struct Outside<'a, H> {
    pub guide: H,
    pub jams: &'a Jams<'a>,
}

impl<G: Graph, H: Heuristic<G>> Heuristic<G> for Outside<'_, H> {
    const CONSISTENT: bool = false;

    fn slack(&self, graph: &G) -> u32 {
        self.guide.slack(graph)
    }

    fn distance(&mut self, graph: &G, node: u32) -> Option<u32> {
        if self.jams.bars(graph.place(node)) { None } else { self.guide.distance(graph, node) }
    }

    fn beside(&mut self, graph: &G, known: u32, node: u32) -> Option<u32> {
        if self.jams.bars(graph.place(node)) { None } else { self.guide.beside(graph, known, node) }
    }

    fn is_home(&self, graph: &G, node: u32) -> bool {
        self.guide.is_home(graph, node)
    }
}
