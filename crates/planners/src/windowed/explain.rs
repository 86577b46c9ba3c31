//! Why a unit does not get on, read from what everybody has reserved.

use super::Guide;
use super::cooperation::Cooperation;
use super::ways::on_way;
use throng_core::{Action, AgentId, Cause, Cell, CellId, Reason, Tick, View};
use throng_search::reservations::{NOBODY, Store};
use throng_search::{Edge, FieldKey, Graph, Step, TrueDistance};

/// The unit that is asked about, and what it sees.
struct Asked<'a, G> {
    id: AgentId,
    graph: &'a G,
    field: &'a TrueDistance,
    /// Where and when it can begin something new.
    start: u32,
    base: Tick,
}

impl<G: Graph> Asked<'_, G> {
    /// How far a node is from the goal, as far as is known.
    fn far(&self, node: u32) -> Option<u32> {
        self.field.known(self.graph.measured(node))
    }

    /// Whether a path spends at least half of its ticks on coming nearer to the goal.
    fn headway(&self, path: &[Step], far: u32) -> bool {
        let home = path.iter().find(|step| self.far(step.to) == Some(0));
        let Some(end) = home.or(path.last()) else { return false };
        let gained = Tick::from(far).saturating_sub(self.far(end.to).unwrap_or(far).into());
        2 * gained >= end.end().saturating_sub(self.base)
    }
}

impl<S: Store> Cooperation<S> {
    /// The cells of its path that it has not come to yet, after the one that it is at.
    pub(super) fn intended(&self, view: &View<'_>, id: AgentId) -> Vec<(Tick, Cell)> {
        let (unit, grid) = (view.unit(id), view.grid());
        let mut way = vec![(unit.until.max(view.tick()), grid.cell(unit.at))];
        let Some(seat) = self.seats.get(id.index()) else { return way };
        let ahead = seat.path.iter().filter(|step| step.tick >= view.tick() && step.action != Action::Wait);
        way.extend(ahead.map(|step| (step.end(), grid.cell(CellId(step.to / seat.poses.max(1))))));
        way
    }

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
        Some(on_way!(self.measured(view, id), graph => self.explain_on(graph, view, id, stood)))
    }

    fn explain_on<G: Graph>(&self, graph: &G, view: &View<'_>, id: AgentId, stood: Tick) -> (Tick, Cause) {
        let (seat, now, goal) = (&self.seats[id.index()], view.tick(), view.target(id));
        let (start, base) = self.base(view, id);
        let key = FieldKey { goal: goal.0, ..self.key(id) };
        let (measure, origin) = (graph.measure(), graph.measured(start));
        let mut anew = None;
        // Coarser guides have other fields.
        let exact = self.settings.guide == Guide::True;
        let known = self.fields.peek(key).filter(|field| exact && field.known(origin).is_some());
        let field = known.unwrap_or_else(|| {
            let field = anew.insert(TrueDistance::new(measure, goal.0, Some(origin)));
            field.distance(measure, origin);
            field
        });
        let asked = Asked { id, graph, field, start, base };
        let Some(far) = asked.far(start) else {
            let (from, to) = (view.grid().cell(CellId(graph.place(start))), view.grid().cell(goal));
            return (stood, Cause::NoWay { from, to });
        };
        let on_its_way = Cause::OnItsWay { ticks: Tick::from(far) + (base - now) };
        let step = seat.ahead().iter().find(|step| step.end() > now);
        let gains = step.is_some_and(|s| s.from != s.to && asked.far(s.to) < asked.far(s.from));
        // Who cannot get on may go to and fro instead of waiting: one step nearer is not headway yet.
        if seat.planned && gains && asked.headway(seat.ahead(), far) {
            return (now, on_its_way);
        }
        let same_goal = seat.goal == goal && (far >= seat.best.0 || !exact);
        let since = if same_goal { seat.best.1.min(stood) } else { stood };
        let cause = if seat.planned {
            let first = seat
                .yields
                .map(AgentId)
                .filter(|by| view.state.units.get(by.index()).is_some_and(|u| !u.gone))
                // Who rests meanwhile goes nowhere any more.
                .filter(|by| self.seats[by.index()].parked.is_none());
            first
                .map(|to| Cause::GivesWay { to })
                .or_else(|| self.obstacle(view, &asked, far))
                .unwrap_or(on_its_way)
        } else {
            Cause::NoPath { rivals: self.rivals_beside(&asked, far) }
        };
        (since, cause)
    }

    /// The first reservation on the way. It does not get on, so even one that it may override counts.
    fn obstacle<G: Graph>(&self, view: &View<'_>, asked: &Asked<'_, G>, far: u32) -> Option<Cause> {
        let Asked { id, graph, start, base, .. } = *asked;
        let (mut at, mut tick, mut left) = (start, base, far);
        let end = base + Tick::from(self.depth(id));
        while left > 0 && tick < end {
            // The quickest step of those that lead nearer: a unit may have several to the same place.
            let (mut free, mut taken): (Option<(u32, Edge)>, _) = (None, None);
            graph.edges(at, |edge| {
                let Some(rest) = asked.far(edge.to).filter(|&rest| rest < left) else { return };
                let cost = rest + edge.duration;
                match self.table.admits(graph, id.0, at, edge.to, tick, edge.duration) {
                    Some(0) if free.is_none_or(|(least, _)| cost < least) => free = Some((cost, edge)),
                    Some(0) => {}
                    _ => taken = taken.or(Some((cost, edge))),
                }
            });
            // A detour is no reason to call a blocked step free.
            let blocked = taken.filter(|(cost, _)| free.is_none_or(|(least, _)| *cost < least));
            if let Some((_, Edge { to, duration, .. })) = blocked {
                return self.held(view, asked, (at, to), tick, duration);
            }
            let (_, Edge { to, duration, .. }) = free?;
            (at, tick, left) = (to, tick + Tick::from(duration), asked.far(to)?);
        }
        // Somebody needs the goal itself later on.
        let rest = graph.rest(at);
        let later = (tick..end).find(|&t| self.table.admits(graph, id.0, at, rest, t, 1) != Some(0))?;
        self.held(view, asked, (at, rest), later, 1)
    }

    /// Who holds what such a move needs, where and from when on.
    fn held<G: Graph>(
        &self,
        view: &View<'_>,
        Asked { id, graph, .. }: &Asked<'_, G>,
        (from, to): (u32, u32),
        tick: Tick,
        duration: u32,
    ) -> Option<Cause> {
        let mut blocker = NOBODY;
        self.table.rivals(*graph, id.0, (from, to), tick, duration, |other| {
            blocker = if blocker == NOBODY { other } else { blocker };
        });
        let blocker = AgentId(Some(blocker).filter(|&who| who != NOBODY)?);
        let holds = |place, t| self.table.store.owner(place, self.table.entry(t)) == blocker.0;
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
        if view.is_stranger(blocker) {
            // What it holds is what others expect of it; where it stands is to be seen.
            let (unit, body) = (view.unit(blocker), view.agent(blocker).actions(view.rules()));
            let covered = body.footprint(view.grid().cell(unit.at), Action::Wait);
            let there = unit.stands(now) && covered.cells().any(|other| other == cell);
            return Some(match there {
                true => Cause::Occupied { blocker, cell },
                false => Cause::Expected { blocker, cell, tick: first },
            });
        }
        let stands = first == now && view.unit(blocker).stands(now);
        Some(if stands {
            Cause::Occupied { blocker, cell }
        } else {
            Cause::Reserved { blocker, cell, tick: first }
        })
    }

    /// Who holds the steps that a unit could take now, those towards its goal first.
    fn rivals_beside<G: Graph>(&self, asked: &Asked<'_, G>, far: u32) -> Vec<AgentId> {
        let Asked { id, graph, start, base, .. } = *asked;
        let mut rivals = Vec::new();
        for towards in [true, false] {
            graph.edges(start, |edge| {
                if asked.far(edge.to).is_some_and(|d| d < far) == towards {
                    let ends = (start, edge.to);
                    self.table.rivals(graph, id.0, ends, base, edge.duration, |other| {
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
