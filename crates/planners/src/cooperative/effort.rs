//! One search of one unit, with its limits.

use throng_core::{AgentId, Budget, CellId, Observer};
use throng_search::reservations::{Table, Timelines};
use throng_search::{Found, Graph, Heuristic, IntervalSearch, Step, Trip};

/// What a search needs of its surroundings.
pub(super) struct Effort<'a> {
    pub search: &'a mut IntervalSearch,
    pub table: &'a Table<Timelines>,
    pub observer: &'a mut dyn Observer,
    pub budget: &'a dyn Budget,
    /// Expansions before this search.
    pub spent: u64,
}

impl Effort<'_> {
    /// Searches for at most `limit` expansions; a search that reaches its limit has found nothing.
    pub(super) fn run<G: Graph>(
        &mut self,
        graph: &G,
        agent: AgentId,
        guide: &mut impl Heuristic<G>,
        trip: &Trip,
        limit: u64,
        path: &mut Vec<Step>,
    ) -> Found {
        let Self { search, table, observer, budget, spent } = self;
        let (budget, spent) = (*budget, *spent);
        let nodes = observer.wants_nodes();
        let visit = |at, tick| {
            if nodes {
                observer.node(agent, CellId(at), tick);
            }
        };
        let mut capped = false;
        let stop = |more| {
            capped = more >= limit;
            capped || budget.should_stop(spent + more)
        };
        let found = search.search((graph, table), guide, trip, path, visit, stop);
        if capped { Found::Nothing } else { found }
    }
}
