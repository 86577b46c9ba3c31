//! Ways that are mended (`dlite`): what a unit has found out about its way stays true when the world changes.
//!
//! Every unit keeps a D* Lite search to its goal. Where cells close or open, or turn out to be walls that it had not seen,
//! that search is repaired instead of being begun anew, and only as far as the unit's own way depends on it. Whoever
//! finds others in its way goes round them and back to its way, as under `lra` and with its noise, but no farther than it has to:
//! the detour ends a few steps behind them.
//!
//! Source: Koenig and Likhachev, "D* Lite" (2002), of which the D* of Astengo-Noguez and Calzada Gómez's "Collective
//! Pathfinding in Dynamic Environments" is the forerunner; local repair as in [`crate::repair`].
//! Cost of a tick: repairs around what has changed, and an A* of a few steps for every unit that was blocked. Memory: up to
//! eight bytes for every cell that a unit's search has come to.
//! Guarantees: deterministic; nothing is planned through a wall that is known; neither complete nor optimal; relies on the
//! executor to avoid collisions.

use crate::repair::{Answer, Ask, Route};
use serde::{Deserialize, Serialize};
use throng_core::{Action, AgentId, CellId, View};
use throng_search::abstraction::Progress;
use throng_search::{AStar, DStarLite, GridGraph, SavedAStar, WayFound};

/// A detour ends so many steps behind what is in the way.
const BEHIND: usize = 6;

/// Ways by D* Lite.
#[derive(Debug, Default)]
pub struct Mending {
    /// By agent.
    ways: Vec<Option<DStarLite>>,
    detour: AStar,
    /// Where the detour ends that had no room to be found, and how much it may cost more to enter a cell.
    rejoin: Option<u32>,
    /// Expansions of all the ways there have been.
    mended: u64,
    nodes: Vec<u32>,
    steps: Vec<Action>,
}

/// What one unit's search knows.
#[derive(Serialize, Deserialize)]
struct Kept {
    agent: u32,
    goal: u32,
    /// Where it was first, and where it is.
    ends: [u32; 2],
    nodes: Vec<(u32, u32)>,
}

impl Mending {
    /// Takes a detour around whoever is in the way, from where the unit is to a node of its way.
    fn go_round(
        &mut self,
        ask: &Ask<'_>,
        (to, again): (u32, bool),
        room: u64,
        extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer {
        self.detour.allow(room);
        if again {
            self.detour.resume();
        }
        let found = self.detour.path_past(&ask.graph, ask.start.0, to, ask.span, extra, path);
        self.rejoin = (found.is_none() && self.detour.is_paused()).then_some(to);
        match (found, self.rejoin) {
            (Some(_), _) => Answer::Way,
            (None, Some(_)) => Answer::Paused,
            (None, None) => Answer::Nothing,
        }
    }
}

impl Route for Mending {
    const KNOWS: bool = true;

    fn find(
        &mut self,
        view: &View<'_>,
        ask: &Ask<'_>,
        _progress: &mut Progress,
        mut extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer {
        if let (true, Some(to)) = (ask.again, self.rejoin.take()) {
            return self.go_round(ask, (to, true), ask.room, extra, path);
        }
        self.ways.resize_with(view.scenario.agents().len(), || None);
        let (graph, start, goal) = (&ask.graph, ask.start.0, ask.goal.0);
        let slot = &mut self.ways[ask.agent.index()];
        if slot.as_ref().is_none_or(|way| way.goal() != goal) {
            *slot = Some(DStarLite::new(graph, goal, start));
        }
        let Some(way) = slot else { return Answer::Nothing };
        way.advance(start);
        let before = way.expanded();
        let found = way.search(graph, ask.room);
        let used = way.expanded() - before;
        self.mended += used;
        match found {
            WayFound::OutOfRoom => return Answer::Paused,
            WayFound::NoWay => return Answer::NoWay,
            WayFound::Way(_) => {}
        }
        let (nodes, steps) = (&mut self.nodes, &mut self.steps);
        nodes.clear();
        steps.clear();
        let (mut at, mut blocked) = (start, None);
        // Distances fall with every step, so that this ends.
        while at != goal
            && let Some((edge, _)) = way.next(graph, at)
            && nodes.len() < graph_len(graph)
        {
            if blocked.is_none() && extra(at, edge.to).is_none() {
                blocked = Some(nodes.len());
            }
            nodes.push(edge.to);
            steps.push(edge.action);
            at = edge.to;
        }
        // Whoever is agitated tries another way on purpose.
        if ask.span > 0 {
            blocked = blocked.or(Some(0));
        }
        let Some(first) = blocked else {
            path.extend_from_slice(steps);
            return Answer::Way;
        };
        let behind = BEHIND + ask.span as usize;
        let Some(&to) = nodes.get((first + behind).min(nodes.len().saturating_sub(1))) else {
            return Answer::Nothing;
        };
        let room = if ask.room == u64::MAX { ask.room } else { ask.room.saturating_sub(used) };
        self.go_round(ask, (to, false), room, extra, path)
    }

    fn expanded(&self) -> u64 {
        self.mended + self.detour.expanded()
    }

    fn look(&mut self, view: &View<'_>) {
        for (index, way) in self.ways.iter_mut().enumerate().filter(|(_, way)| way.is_some()) {
            let id = AgentId(index as u32);
            let unit = view.unit(id);
            // Who has arrived, or has left, needs no way.
            if unit.gone || (unit.at == view.target(id) && unit.leg >= view.agent(id).waypoints().len()) {
                *way = None;
            }
        }
    }

    fn terrain(&mut self, view: &View<'_>, cell: CellId) {
        self.rejoin = None;
        for (agent, slot) in view.scenario.agents().iter().zip(&mut self.ways) {
            let Some(way) = slot else { continue };
            if !way.place_changed(&GridGraph::of(view.grid(), view.rules(), agent), cell.0) {
                *slot = None;
            }
        }
    }

    /// The detour that is under way, and where it ends. A way that is under way is kept like all others.
    type Saved = Option<(SavedAStar, u32)>;

    fn save(&self) -> Self::Saved {
        self.rejoin.map(|to| (self.detour.save(|node| node), to))
    }

    fn load(&mut self, view: &View<'_>, _: GridGraph<'_>, _: [CellId; 2], saved: Self::Saved) -> bool {
        let inside = |node: u32| (node as usize) < view.grid().len();
        self.rejoin = saved.as_ref().map(|&(_, to)| to);
        let Some((detour, to)) = saved else { return true };
        inside(to) && self.detour.load(detour, |node| Some(node).filter(|&node| inside(node)))
    }

    fn keep(&self) -> Vec<u8> {
        let kept = |(agent, way): (usize, &Option<DStarLite>)| {
            let way = way.as_ref()?;
            let ends = [way.origin(), way.start()];
            Some(Kept { agent: agent as u32, goal: way.goal(), ends, nodes: way.save() })
        };
        let kept: Vec<_> = self.ways.iter().enumerate().filter_map(kept).collect();
        postcard::to_allocvec(&kept).unwrap_or_default()
    }

    fn restore(&mut self, view: &View<'_>, bytes: &[u8]) -> bool {
        let Ok(kept) = postcard::from_bytes::<Vec<Kept>>(bytes) else { return false };
        let inside = |node: u32| {
            (node as usize) < view.grid().len() && view.grid().contains(view.grid().cell(CellId(node)))
        };
        let agents = view.scenario.agents();
        self.ways = agents.iter().map(|_| None).collect();
        for Kept { agent, goal, ends, nodes } in kept {
            let Some(agent) = agents.get(agent as usize) else { return false };
            if !inside(goal) || !ends.into_iter().all(inside) {
                return false;
            }
            let graph = GridGraph::of(view.grid(), view.rules(), agent);
            self.ways[agent.id.index()] = Some(DStarLite::load(&graph, goal, ends, &nodes));
        }
        true
    }
}

/// No way has more steps than this.
fn graph_len(graph: &GridGraph<'_>) -> usize {
    throng_search::Graph::len(graph)
}
