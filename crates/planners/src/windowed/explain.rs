//! Why a unit does not get on, read from what everybody has reserved.

use super::cooperation::Cooperation;
use throng_core::{AgentId, Cause, CellId, Reason, Tick, View};
use throng_search::reservations::{NOBODY, Store};
use throng_search::{Edge, FieldKey, Graph, GridGraph, Step, TrueDistance};

/// Whether a path spends at least half of its ticks on coming nearer to the goal.
fn headway(path: &[Step], field: &TrueDistance, base: Tick, far: u32) -> bool {
    let home = path.iter().find(|step| field.known(step.to) == Some(0));
    let Some(end) = home.or(path.last()) else { return false };
    let gained = Tick::from(far).saturating_sub(field.known(end.to).unwrap_or(far).into());
    2 * gained >= end.end().saturating_sub(base)
}

/// The unit that is asked about, and what it sees.
struct Asked<'a> {
    id: AgentId,
    graph: GridGraph<'a>,
    field: &'a TrueDistance,
    /// Where and when it can begin something new.
    start: u32,
    base: Tick,
}

impl<S: Store> Cooperation<S> {
    /// Why a unit is not at its goal, and since when it has come no nearer to it.
    pub(super) fn explain(&self, view: &View<'_>, id: AgentId) -> Option<(Tick, Cause)> {
        let (seat, now, unit) = (self.seats.get(id.index())?, view.tick(), view.unit(id));
        let stood = unit.until.min(now);
        if let Some(Reason::Unreachable { from, to, .. }) = seat.hopeless {
            return Some((stood, Cause::NoWay { from, to }));
        }
        if !seat.planned && !seat.answered {
            return Some((stood, Cause::AwaitsPlanner));
        }
        let graph = Self::graph(view, id);
        let (start, base) = Self::base(view, id);
        let goal = view.target(id);
        let key = FieldKey { goal: goal.0, kind: GridGraph::kind(view.agent(id)) };
        let mut anew = None;
        let known = self.fields.peek(key).filter(|field| field.known(start).is_some());
        let field = known.unwrap_or_else(|| {
            let field = anew.insert(TrueDistance::new(&graph, goal.0, Some(start)));
            field.distance(&graph, start);
            field
        });
        let Some(far) = field.known(start) else {
            let cell = |node| view.grid().cell(node);
            return Some((stood, Cause::NoWay { from: cell(CellId(start)), to: cell(goal) }));
        };
        let on_its_way = Cause::OnItsWay { ticks: Tick::from(far) + (base - now) };
        let step = seat.ahead().iter().find(|step| step.end() > now);
        let gains = step.is_some_and(|s| s.from != s.to && field.known(s.to) < field.known(s.from));
        // Who cannot get on may go to and fro instead of waiting: one step nearer is not headway yet.
        if seat.planned && gains && headway(seat.ahead(), field, base, far) {
            return Some((now, on_its_way));
        }
        let same_goal = seat.goal == goal && far >= seat.best.0;
        let since = if same_goal { seat.best.1.min(stood) } else { stood };
        let asked = Asked { id, graph, field, start, base };
        let cause = if seat.planned {
            let first = seat
                .yields
                .map(AgentId)
                .filter(|by| view.state.units.get(by.index()).is_some_and(|u| !u.gone));
            first
                .map(|to| Cause::GivesWay { to })
                .or_else(|| self.obstacle(view, &asked, far))
                .unwrap_or(on_its_way)
        } else {
            Cause::NoPath { rivals: self.rivals_beside(&asked, far) }
        };
        Some((since, cause))
    }

    /// The first reservation on the shortest way. It does not get on, so even one that it may override counts.
    fn obstacle(&self, view: &View<'_>, asked: &Asked<'_>, far: u32) -> Option<Cause> {
        let Asked { id, graph, field, start, base } = asked;
        let (mut at, mut tick, mut left) = (*start, *base, far);
        let end = base + Tick::from(self.depth(*id));
        while left > 0 && tick < end {
            let (mut free, mut taken) = (None, None);
            graph.edges(at, |edge| {
                if free.is_none() && field.known(edge.to).is_some_and(|d| d + edge.duration == left) {
                    match self.table.admits(graph, id.0, at, edge.to, tick, edge.duration) {
                        Some(0) => free = Some(edge),
                        _ => taken = taken.or(Some(edge)),
                    }
                }
            });
            let Some(Edge { to, duration, .. }) = free else {
                let Edge { to, duration, .. } = taken?;
                return self.held(view, asked, (at, to), tick, duration);
            };
            (at, tick, left) = (to, tick + Tick::from(duration), left - duration);
        }
        // Somebody needs the goal itself later on.
        let later = (tick..end).find(|&t| self.table.admits(graph, id.0, at, at, t, 1) != Some(0))?;
        self.held(view, asked, (at, at), later, 1)
    }

    /// Who holds what such a move needs, where and from when on.
    fn held(
        &self,
        view: &View<'_>,
        Asked { id, graph, .. }: &Asked<'_>,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) -> Option<Cause> {
        let mut blocker = NOBODY;
        self.table.rivals(graph, id.0, (from, to), tick, duration, |other| {
            blocker = if blocker == NOBODY { other } else { blocker };
        });
        let blocker = AgentId(Some(blocker).filter(|&who| who != NOBODY)?);
        let holds = |node, t| self.table.store.owner(node, t) == blocker.0;
        let mut nodes = Vec::new();
        graph.covered(to, to, |node| nodes.push(node));
        graph.covered(from, to, |node| nodes.push(node));
        nodes.extend(graph.crossing(from, to).into_iter().flat_map(|(a, b)| [a, b]));
        let arrival = tick + Tick::from(duration);
        // Where they would meet, latest first: what it held before then it may have left.
        let meets = |node: &u32| (tick..=arrival).rev().find(|&t| holds(*node, t)).map(|t| (*node, t));
        let (node, mut first) = nodes.iter().find_map(meets)?;
        let now = view.tick();
        while first > now && holds(node, first - 1) {
            first -= 1;
        }
        let cell = view.grid().cell(CellId(node));
        let stands = first == now && view.unit(blocker).stands(now);
        Some(if stands {
            Cause::Occupied { blocker, cell }
        } else {
            Cause::Reserved { blocker, cell, tick: first }
        })
    }

    /// Who holds the steps that a unit could take now, those towards its goal first.
    fn rivals_beside(&self, Asked { id, graph, field, start, base }: &Asked<'_>, far: u32) -> Vec<AgentId> {
        let mut rivals = Vec::new();
        for towards in [true, false] {
            graph.edges(*start, |edge| {
                if field.known(edge.to).is_some_and(|d| d < far) == towards {
                    let ends = (*start, edge.to);
                    self.table.rivals(graph, id.0, ends, *base, edge.duration, |other| {
                        if !rivals.contains(&AgentId(other)) {
                            rivals.push(AgentId(other));
                        }
                    });
                }
            });
        }
        rivals
    }
}
