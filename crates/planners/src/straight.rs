//! Where a stranger is expected to go: straight on, as it was last seen to go.

use throng_core::{Action, Dir, Tick};
use throng_search::{Graph, Step};

/// Adds the steps of one who goes straight on from a node at a tick, up to a wall, to the first place that is not `free`, or until `end`.
pub(crate) fn straight_on(
    graph: &impl Graph,
    dir: Dir,
    (mut at, mut tick): (u32, Tick),
    end: Tick,
    steps: &mut Vec<Step>,
    mut free: impl FnMut(u32) -> bool,
) {
    loop {
        let mut ahead = None;
        graph.edges(at, |edge| ahead = ahead.or((edge.action == Action::Go(dir)).then_some(edge)));
        let Some(edge) = ahead.filter(|edge| tick + Tick::from(edge.duration) <= end) else { return };
        let mut open = true;
        graph.covered(at, edge.to, |place| open &= free(place));
        if !open {
            return;
        }
        steps.push(Step { from: at, to: edge.to, tick, duration: edge.duration, action: edge.action });
        (at, tick) = (edge.to, tick + Tick::from(edge.duration));
    }
}
