//! One unit's search, which may take several ticks.
//!
//! A search that has not ended when the budget does goes on in the next tick, before anybody else's. Its unit stays where it is
//! meanwhile; whoever else wants to plan goes on with what it had until its turn comes. So however little there is for a tick,
//! everybody gets its way in the end.

use super::route::{Answer, Ask, Route};
use super::sight::makes_way;
use super::{LocalRepair, hash, steps};
use serde::{Deserialize, Serialize};
use throng_core::{Action, AgentId, Cell, CellId, Dir, Draw, Random, View, stream};
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
    /// Whether its first step leads to nobody, not even at its goal.
    dodges: bool,
    /// Past whom.
    past: Past,
    /// Where it takes up its old way again: beyond what it sees nothing has changed.
    rejoins: Option<CellId>,
}

/// Past whom a unit plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Past {
    /// All whom it sees.
    Seen,
    /// Those beside it, but for who would step aside.
    Beside,
    Nobody,
}

impl<R: Route> LocalRepair<R> {
    /// A search for `id`, around the units that it sees, or those beside it if it is blocked.
    pub(super) fn begin(&mut self, view: &View<'_>, id: AgentId, blocked: bool, dodges: bool) -> Pending {
        let rejoins = if blocked { self.keep(view, id) } else { None };
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
            dodges,
            past: Past::Seen,
            rejoins,
        }
    }

    /// Keeps the part of a unit's way that it cannot see, if it can go around others and come back to it; answers where that
    /// begins.
    fn keep(&mut self, view: &View<'_>, id: AgentId) -> Option<CellId> {
        let (sight, goal) = (self.settings.visibility, view.target(id));
        let mind = &mut self.minds[id.index()];
        if sight == 0 || !R::WHOLE || mind.goal != goal {
            return None;
        }
        let here = view.grid().cell(view.unit(id).at);
        let far = |cell: Cell| here.x.abs_diff(cell.x).max(here.y.abs_diff(cell.y)) > sight;
        // A move that was cancelled is not on its path any more.
        let mut at = view.grid().cell(mind.expected);
        let steps = mind.path.iter().rev().position(|&action| {
            at = at.after(action);
            far(at)
        })?;
        mind.kept.clear();
        mind.kept.extend_from_slice(&mind.path[..mind.path.len() - steps - 1]);
        view.grid().id(at)
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
        let ends = [pending.start, pending.rejoins.unwrap_or(pending.goal)];
        let Some(agent) = view.scenario.agents().get(pending.id.index()) else { return false };
        let graph = GridGraph::of(view.grid(), view.rules(), agent);
        pending.noise <= self.settings.agitation * u32::from(agent.period)
            && ends.iter().chain([&pending.goal]).all(|cell| cell.index() < view.grid().len())
            && self.route.load(view, graph, ends, search)
    }

    /// Searches, or goes on with that, with so many expansions at most; answers how many there were. If they do not do, the search
    /// is kept for the next tick.
    ///
    /// Who finds no way past all that it sees plans past those beside it alone, as if who rests had stepped aside; and at last
    /// as if nobody were there, to come near enough to ask. If that leads nowhere, nothing does.
    pub(super) fn plan(&mut self, view: &View<'_>, mut pending: Pending, again: bool, room: u64) -> u64 {
        let Pending { id, start, goal, noise, salt, sight, dodges, .. } = pending;
        let agent = view.agent(id);
        let graph = GridGraph::of(view.grid(), view.rules(), agent);
        let mind = &mut self.minds[id.index()];
        if mind.goal != goal {
            (mind.progress, mind.goal) = (Progress::default(), goal);
        }
        mind.awake = true;
        let (mut path, mut progress) = (core::mem::take(&mut mind.path), core::mem::take(&mut mind.progress));
        let Self { route, minds, board, lanes, settings, .. } = self;
        let before = route.expanded();
        let here = view.grid().cell(start);
        let lanes = lanes.as_deref().and_then(|lanes| {
            let step = agent.actions(view.rules()).duration(Action::Go(Dir::N));
            Some(LaneGraph::new(graph, lanes.map()?, lanes.settings().weight, step, agent.body))
        });
        // Where moves hold all that they cover, units beside a diagonal are in the way as well.
        let eyes = settings.visibility > 0;
        let swept = !view.rules().graph_rules();
        let crowded = core::cell::Cell::new(pending.crowded);
        let taken = |past: Past, node: u32| {
            let sight = match past {
                Past::Seen => sight,
                Past::Beside => 1,
                Past::Nobody => 0,
            };
            let Some(other) = board[node as usize].checked_sub(1).filter(|_| sight > 0) else { return false };
            let cell = view.grid().cell(CellId(node));
            let near = here.x.abs_diff(cell.x) <= sight && here.y.abs_diff(cell.y) <= sight;
            near && (past == Past::Seen || !makes_way(minds, view, AgentId(other)))
        };
        let passed = |past, node: u32| taken(past, node) && board[node as usize] != id.0 + 1;
        let extra = |past, from, node| {
            if (taken(past, node) && (node != goal.0 || (dodges && from == start.0)))
                || (swept
                    && graph.crossing(from, node).is_some_and(|(a, b)| passed(past, a) || passed(past, b)))
            {
                crowded.set(true);
                return None;
            }
            Some(if noise == 0 { 0 } else { hash(node, salt) % (noise + 1) })
        };
        let mut ask = Ask { agent: id, graph, lanes, start, goal, span: noise, room, again };
        let mut answer = Answer::Nothing;
        while !pending.alone {
            ask.goal = pending.rejoins.unwrap_or(goal);
            let past = pending.past;
            let extra = |from, node| extra(past, from, node);
            answer = route.find(view, &ask, &mut progress, extra, &mut path);
            let used = route.expanded() - before;
            ask.room = if room == u64::MAX { room } else { room.saturating_sub(used) };
            ask.again = false;
            if answer != Answer::Nothing {
                break;
            }
            if pending.rejoins.take().is_some() {
                continue;
            }
            match pending.past {
                _ if !eyes || !crowded.get() => break,
                Past::Seen => pending.past = Past::Beside,
                Past::Beside => pending.past = Past::Nobody,
                Past::Nobody => {
                    answer = Answer::NoWay;
                    break;
                }
            }
        }
        pending.crowded = crowded.get();
        // Those whom it sees may hide that nothing leads there at all.
        if answer == Answer::Nothing && !R::KNOWS && pending.crowded && pending.first && !eyes {
            pending.alone = true;
            let free = |_, _| Some(0);
            answer = match route.find(view, &ask, &mut Progress::default(), free, &mut path) {
                Answer::Paused => Answer::Paused,
                Answer::Nothing | Answer::NoWay => Answer::NoWay,
                Answer::Way => Answer::Nothing,
            };
        }
        let mind = &mut self.minds[id.index()];
        (mind.path, mind.progress) = (path, progress);
        if answer == Answer::Way {
            let end = mind.path.iter().fold(here, |at, &action| at.after(action));
            mind.rest = steps(view, end, view.grid().cell(goal));
            mind.path.reverse();
            if pending.rejoins.is_some() {
                mind.kept.append(&mut mind.path);
                core::mem::swap(&mut mind.kept, &mut mind.path);
            }
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
