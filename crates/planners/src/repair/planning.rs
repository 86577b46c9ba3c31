//! One unit's search, which may take several ticks.
//!
//! A search that has not ended when the budget does goes on in the next tick, before anybody else's. Its unit stays where it is
//! meanwhile; whoever else wants to plan goes on with what it had until its turn comes. So however little there is for a tick,
//! everybody gets its way in the end.

use super::route::{Answer, Ask, Route};
use super::{LocalRepair, hash, steps};
use serde::{Deserialize, Serialize};
use throng_core::{Action, AgentId, CellId, Dir, Draw, Random, View, stream};
use throng_search::abstraction::Progress;
use throng_search::directions::LaneGraph;
use throng_search::{Graph, GridGraph};

/// What a unit is being planned for.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Pending {
    pub id: AgentId,
    pub start: CellId,
    pub goal: CellId,
    /// The most noise in the cost of a cell, and what it depends on.
    pub noise: u32,
    salt: u32,
    /// How many cells away it sees others.
    sight: u32,
    /// Whether somebody was in the way.
    crowded: bool,
    /// Whether it is the first search on the way to this goal.
    first: bool,
    /// Whether it is being found out if anything led there if nobody were in the way.
    alone: bool,
}

impl<R: Route> LocalRepair<R> {
    /// A search for `id`, around the units that it sees, or those beside it if it is blocked.
    pub(super) fn begin(&self, view: &View<'_>, id: AgentId, blocked: bool) -> Pending {
        let (mind, goal) = (&self.minds[id.index()], view.target(id));
        let mut random: Random = stream(self.settings.seed, id, view.tick());
        Pending {
            id,
            start: view.unit(id).at,
            goal,
            noise: mind.agitation.min(self.settings.agitation) * u32::from(view.agent(id).period),
            salt: random.below(u32::MAX),
            sight: self.settings.visibility.max(u32::from(blocked)),
            crowded: blocked,
            first: mind.goal != goal || !mind.awake,
            alone: false,
        }
    }

    /// Whether a search that was left off is still wanted.
    pub(super) fn is_wanted(&self, view: &View<'_>, pending: &Pending) -> bool {
        let Pending { id, start, goal, .. } = *pending;
        let unit = view.unit(id);
        !unit.gone
            && unit.at == start
            && unit.stands(view.tick())
            && view.target(id) == goal
            && view.mine.contains(&id)
    }

    /// Takes up a search from a snapshot; answers whether it can be one of this world.
    pub(super) fn take_up(&mut self, view: &View<'_>, pending: &Pending, search: R::Saved) -> bool {
        let ends = [pending.start, pending.goal];
        let Some(agent) = view.scenario.agents().get(pending.id.index()) else { return false };
        let graph = GridGraph::of(view.grid(), view.rules(), agent);
        pending.noise <= self.settings.agitation * u32::from(agent.period)
            && ends.iter().all(|end| end.index() < view.grid().len())
            && self.route.load(view, graph, ends, search)
    }

    /// Searches, or goes on with that, with so many expansions at most; answers how many there were. If they do not do, the search
    /// is kept for the next tick.
    pub(super) fn plan(&mut self, view: &View<'_>, mut pending: Pending, mut again: bool, room: u64) -> u64 {
        let Pending { id, start, goal, noise, salt, sight, .. } = pending;
        let agent = view.agent(id);
        let graph = GridGraph::of(view.grid(), view.rules(), agent);
        let mind = &mut self.minds[id.index()];
        let here = view.grid().cell(start);
        let before = self.route.expanded();
        let board = &self.board;
        let lanes = self.lanes.as_deref().and_then(|lanes| {
            let step = agent.actions(view.rules()).duration(Action::Go(Dir::N));
            Some(LaneGraph::new(graph, lanes.map()?, lanes.settings().weight, step, agent.body))
        });
        // Where moves hold all that they cover, units beside a diagonal are in the way as well.
        let swept = self.settings.visibility > 0 && !view.rules().graph_rules();
        let crowded = &mut pending.crowded;
        let taken = |node: u32| {
            if sight == 0 {
                return false;
            }
            let cell = view.grid().cell(CellId(node));
            let near = here.x.abs_diff(cell.x) <= sight && here.y.abs_diff(cell.y) <= sight;
            near && board[node as usize] != 0
        };
        let passed = |node: u32| taken(node) && board[node as usize] != id.0 + 1;
        let extra = |from, node| {
            if (node != goal.0 && taken(node))
                || (swept && graph.crossing(from, node).is_some_and(|(a, b)| passed(a) || passed(b)))
            {
                *crowded = true;
                return None;
            }
            Some(if noise == 0 { 0 } else { hash(node, salt) % (noise + 1) })
        };
        if mind.goal != goal {
            (mind.progress, mind.goal) = (Progress::default(), goal);
        }
        mind.awake = true;
        mind.path.clear();
        let mut ask = Ask { agent: id, graph, lanes, start, goal, span: noise, room, again };
        let mut answer = Answer::Nothing;
        if !pending.alone {
            answer = self.route.find(view, &ask, &mut mind.progress, extra, &mut mind.path);
            again = false;
        }
        // Those whom it sees may hide that nothing leads there at all.
        if answer == Answer::Nothing && !R::KNOWS && pending.crowded && pending.first {
            pending.alone = true;
            let used = self.route.expanded() - before;
            (ask.room, ask.again) = (if room == u64::MAX { room } else { room.saturating_sub(used) }, again);
            let free = |_, _| Some(0);
            answer = match self.route.find(view, &ask, &mut Progress::default(), free, &mut mind.path) {
                Answer::Paused => Answer::Paused,
                Answer::Nothing | Answer::NoWay => Answer::NoWay,
                Answer::Way => Answer::Nothing,
            };
        }
        if answer == Answer::Way {
            let end = mind.path.iter().fold(here, |at, &action| at.after(action));
            mind.rest = steps(view, end, view.grid().cell(goal));
            mind.path.reverse();
        } else {
            mind.path.clear();
            mind.rest = 0;
        }
        mind.starved = answer == Answer::Paused;
        if answer == Answer::NoWay || (answer == Answer::Nothing && !pending.crowded) {
            mind.hopeless = Some((here, view.grid().cell(goal)));
        }
        if answer == Answer::Paused {
            self.pending = Some(pending);
        }
        self.route.expanded() - before
    }
}
