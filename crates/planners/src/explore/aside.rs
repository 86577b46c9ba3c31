//! Explorers that somebody has sent a few steps aside, so that a stranger can pass: they walk there by what is known, and stay.
//!
//! Who goes aside, where to and for how long is not decided here; to this planner it is a unit whose task is a goal near by.

use super::steps::{SHORT, far};
use super::{Explorer, stays};
use throng_core::{Action, AgentId, CellId, Task, View};
use throng_search::{AStar, GridGraph};

/// The most that the search for such a way may expand: the place is near.
const ROOM: u64 = 2048;

/// Where a unit has been sent, if it does not explore.
pub(super) fn place(view: &View<'_>, id: AgentId) -> Option<CellId> {
    let Task::Goal(cell) = view.agent(id).task else { return None };
    view.grid().id(cell).filter(|_| !view.unit(id).gone)
}

impl Explorer {
    /// Lets everybody go on who has been sent aside. Answers how many cells that took: at most `room`.
    pub(super) fn step_aside(&mut self, view: &View<'_>, room: u64, actions: &mut [Action]) -> u64 {
        let Self { board, walks, .. } = self;
        let (mut spent, mut found) = (0, Vec::new());
        let sent = view.mine.iter().filter_map(|&id| Some((id, place(view, id)?)));
        for (id, goal) in sent.filter(|&(id, _)| view.unit(id).stands(view.tick())) {
            let (walk, at) = (&mut walks[id.index()], view.unit(id).at);
            walk.follow(at);
            walk.note(at, 0);
            if at == goal {
                continue;
            }
            let go = |next: CellId| Action::between(view.grid().cell(at), view.grid().cell(next));
            if walk.aim() != Some(goal) || walk.next().and_then(go).is_none() || walk.waited > SHORT {
                // Those beside it may stay for long. Ours move as well, and whoever is believed to be farther away may have gone.
                let bars = |cell: CellId| {
                    far(view, at, cell) <= 1 && board.holder(cell).is_some_and(|who| stays(view, who))
                };
                let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
                let mut search = AStar::new();
                search.allow(ROOM.min(room.saturating_sub(spent)));
                let free = |cell: CellId| view.has_seen(cell) && !bars(cell);
                let extra = |node: u32| free(CellId(node)).then_some(0);
                let way = search.path(&graph, at.0, goal.0, 0, extra, &mut found);
                spent += search.expanded();
                walk.drop_way();
                if way.is_none() {
                    continue;
                }
                let mut cell = at;
                let steps = found.iter().filter_map(|action| {
                    cell = view.grid().neighbour(cell, action.dir()?);
                    Some(cell)
                });
                let mut cells: Vec<CellId> = steps.collect();
                cells.reverse();
                walk.set_out(cells);
            }
            let Some((next, action)) = walk.next().and_then(|next| Some((next, go(next)?))) else { continue };
            match board.go(view, id, action) {
                Ok(()) => {
                    walk.goes(at);
                    actions[id.index()] = action;
                }
                Err(other) => walk.waits(other.map(|other| (other, next))),
            }
        }
        spent
    }
}
