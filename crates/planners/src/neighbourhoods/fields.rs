//! Everybody's distances, lent to whoever plans for them.

use super::ways::Ways;
use crate::portions::portion;
use throng_core::Budget;
use throng_search::{Graph, TrueDistance, Workers};

/// By unit: distances to its goal, as far as anybody has asked. Those that are not there are made when they are lent.
#[derive(Debug)]
pub(crate) struct Fields {
    all: Vec<Option<TrueDistance>>,
    bytes: usize,
    /// More than this is not kept.
    cap: usize,
    /// Expansions of all that are not lent, those that were let go included.
    expanded: u64,
}

impl Fields {
    /// None for anybody yet.
    pub(crate) fn new(units: usize, cap: usize) -> Self {
        Self { all: core::iter::repeat_with(|| None).take(units).collect(), bytes: 0, cap, expanded: 0 }
    }

    /// Those of a unit, until they are given back. They are aimed at where its way begins.
    pub(crate) fn lend<G: Graph>(&mut self, graph: &G, unit: u32, ways: &Ways) -> TrueDistance {
        let Some(field) = self.all[unit as usize].take() else {
            let start = graph.measured(ways.all[unit as usize][0]);
            return TrueDistance::new(graph.measure(), ways.goals[unit as usize], Some(start));
        };
        self.bytes -= field.bytes();
        self.expanded -= field.expanded();
        field
    }

    /// Keeps what was lent, if there is room for it.
    pub(crate) fn give_back(&mut self, unit: u32, field: TrueDistance) {
        let bytes = field.bytes();
        self.expanded += field.expanded();
        if self.bytes + bytes <= self.cap {
            self.bytes += bytes;
            self.all[unit as usize] = Some(field);
        }
    }

    /// How many ticks each unit's way takes alone; 0 if there is none. Found out on all threads at once; `None` if the budget
    /// ended first.
    pub(crate) fn alone<G: Graph>(
        &mut self,
        graph: &G,
        ways: &Ways,
        budget: &dyn Budget,
        workers: &Workers,
    ) -> Option<Vec<u32>> {
        let before = self.expanded;
        let mut alone = Vec::with_capacity(ways.all.len());
        let units: Vec<u32> = (0..ways.all.len() as u32).collect();
        // Not all at once: there may be neither budget for them nor room to keep them.
        for units in units.chunks(portion(graph.len())) {
            let spent = self.expanded - before;
            if budget.should_stop(spent) || spent >= budget.limit() {
                return None;
            }
            let mut lent: Vec<_> =
                units.iter().map(|&unit| (unit, self.lend(graph, unit, ways), 0)).collect();
            workers.for_each(&mut lent, |(unit, field, far)| {
                let start = graph.measured(ways.all[*unit as usize][0]);
                *far = field.distance(graph.measure(), start).unwrap_or(0);
            });
            for (unit, field, far) in lent {
                alone.push(far);
                self.give_back(unit, field);
            }
        }
        Some(alone)
    }

    /// How far it is for a unit from a cell; 0 if there is no way.
    pub(crate) fn distance<G: Graph>(&mut self, graph: &G, unit: u32, ways: &Ways, cell: u32) -> u32 {
        let mut field = self.lend(graph, unit, ways);
        let far = field.distance(graph.measure(), graph.measured(cell)).unwrap_or(0);
        self.give_back(unit, field);
        far
    }

    /// Expansions of all that are not lent, those that were let go included.
    pub(crate) const fn expanded(&self) -> u64 {
        self.expanded
    }
}
