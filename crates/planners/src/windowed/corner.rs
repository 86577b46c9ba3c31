//! Getting out of a corner that somebody has pushed a unit into.

use super::Guide;
use super::cooperation::Cooperation;
use super::promotion::cornered_by;
use super::ways::{Way, on_way};
use throng_core::{AgentId, View};
use throng_search::reservations::Store;
use throng_search::{Found, Graph, Ground, Query};

impl<S: Store> Cooperation<S> {
    /// Searches a way out of the corner that `by` has pushed a unit into, past it if need be, to wherever it is not in
    /// its way, which is marked.
    #[inline(never)]
    pub(super) fn escape(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        by: AgentId,
        query: &Query,
        mut stop: impl FnMut(u64) -> bool,
    ) -> Found {
        let before = self.search.expanded();
        for rank in cornered_by(self.table.rank(by.0)) {
            self.table.set_rank(id.0, rank);
            let used = self.search.expanded() - before;
            let query = Query { room: query.room_after(used), ..*query };
            let answer = on_way!(self.way(view, id), graph => {
                let ground = Ground { graph, table: &self.table, toll: |_| 0 };
                let stop = |more| stop(used + more);
                self.search.search(&ground, &mut self.clear, &query, &mut self.found, |_, _| {}, stop)
            });
            if answer != Found::Nothing {
                return answer;
            }
        }
        Found::Nothing
    }

    /// Marks the way of a unit for one of this body: what it has reserved, and the shortest way on from there for a window.
    pub(super) fn mark_way(&mut self, view: &View<'_>, by: AgentId, body: u8) {
        self.clear.begin(view.grid(), body);
        let (at, key) = (self.base(view, by).0, self.key(by));
        let Self { clear, fields, seats, settings, holders, .. } = self;
        let seat = &seats[by.index()];
        on_way!(Way::on(holders.ground(view, seat.around), view, by, seat.car.as_ref()), graph => {
            let mut at = at;
            graph.covered(at, at, |place| clear.add(place));
            for step in seat.ahead() {
                graph.covered(step.to, step.to, |place| clear.add(place));
                at = step.to;
            }
            let (measure, mut at) = (graph.measure(), graph.measured(at));
            // Coarser guides do not know it cell by cell.
            if settings.guide != Guide::True {
                return;
            }
            fields.with(measure, key, at, |field| {
                if !field.settle(measure) {
                    return;
                }
                for _ in 0..settings.window.longest() {
                    let Some(here) = field.distance(measure, at) else { return };
                    let mut next = None;
                    measure.edges(at, |edge| {
                        let nearer =
                            field.beside(measure, here, edge.to).is_some_and(|d| d + edge.duration == here);
                        if next.is_none() && nearer {
                            next = Some(edge.to);
                        }
                    });
                    // What is known of a contour that was begun depends on how it came to be.
                    let Some(next) = next.filter(|_| !field.is_starved()) else { return };
                    measure.covered(next, next, |place| clear.add(place));
                    at = next;
                }
            });
        });
    }
}
