//! What units that see others (`visibility`) do about whoever is in their way, before they try to go there.
//!
//! A move into a cell that is taken would be cancelled, and a way planned anew for it. So a unit looks at its next step first.
//! Whoever is about to leave is waited for; so is, for a while, whoever wants to go on. Who comes towards it, rests or is a
//! stranger that stands is gone around: of two who meet, one goes around and the other waits. Who rests in the only way is asked
//! to step aside, and goes back later.

use super::route::Route;
use super::{LocalRepair, Mind};
use throng_core::{Action, AgentId, CellId, Dir, Task, Tick, View};
use throng_search::{Graph, GridGraph};

/// For so many of its straight steps a unit waits for others before it looks for another way.
const PATIENCE: u32 = 2;

/// It waits twice as long each time that it has looked in vain, but so many times at most.
const LONGEST: u8 = 4;

/// So many steps of whoever asks are left clear by who steps aside.
const CLEARED: usize = 3;

/// What to do about the next step; what is worse comes later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Next {
    Clear,
    Wait,
    Around,
    /// Around one who comes the other way, even if it stands at the goal: both may want to be where the other is.
    Dodge,
}

impl<R: Route> LocalRepair<R> {
    /// Who is where, with all that moves in progress cover: whoever will be in a cell counts before who passes or leaves it.
    pub(super) fn mark(&mut self, view: &View<'_>, value: impl Fn(u32) -> u32) {
        let grid = view.grid();
        self.board.resize(grid.len(), 0);
        for arrived in [false, true] {
            for (id, unit) in view.state.units.iter().enumerate().filter(|(_, unit)| !unit.gone) {
                let [from, to] = [unit.from, unit.at].map(|id| grid.cell(id));
                let actions = view.agent(AgentId(id as u32)).actions(view.rules());
                let moves = actions.between(from, to, unit.pose).filter(|_| !arrived);
                let covered = match moves {
                    Some(action) if !unit.stands(view.tick()) => actions.footprint(from, action),
                    _ => actions.footprint(to, Action::Wait),
                };
                for cell in covered.cells().filter_map(|cell| grid.id(cell)) {
                    self.board[cell.index()] = value(id as u32);
                }
            }
        }
    }

    /// What a unit that sees others does about its next step.
    pub(super) fn next(&self, view: &View<'_>, id: AgentId) -> Next {
        let step = self.minds[id.index()].path.last().and_then(|action| action.dir());
        let Some(dir) = step.filter(|_| self.settings.visibility > 0) else { return Next::Clear };
        let (at, graph) = (view.unit(id).at, GridGraph::of(view.grid(), view.rules(), view.agent(id)));
        let to = view.grid().neighbour(at, dir);
        // Where moves hold all that they cover, whoever is beside a diagonal is in the way as well.
        let sides = graph.crossing(at.0, to.0).filter(|_| !view.rules().graph_rules());
        let sides = sides.into_iter().flat_map(|(a, b)| [CellId(a), CellId(b)]);
        let cells = core::iter::once(to).chain(sides);
        cells.map(|cell| self.about(view, id, cell, dir)).max().unwrap_or(Next::Clear)
    }

    /// What it does about whoever is at one cell that it needs to go in direction `dir`.
    fn about(&self, view: &View<'_>, id: AgentId, cell: CellId, dir: Dir) -> Next {
        let Some(other) = self.at(cell).filter(|&other| other != id) else { return Next::Clear };
        let (unit, mind, now) = (view.unit(other), &self.minds[other.index()], view.tick());
        let moves = !unit.stands(now);
        // It passes, is about to leave, or will come there in this tick.
        if unit.at != cell && (moves || view.agent(other).body == 1) {
            return Next::Wait;
        }
        // Who has had its turn goes where it expects to be, or stays; who has not wants to go on, or to do again what was cancelled.
        let stays = !moves && mind.turn == Some(now) && mind.expected == unit.at;
        let ends = if moves { (unit.from, unit.at) } else { (unit.at, mind.expected) };
        let heading = between(view, ends.0, ends.1).filter(|_| moves || mind.awake).or_else(|| mind.wants());
        let Some(heading) = heading else { return self.patience(view, id) };
        let ((x, y), (u, v)) = (dir.delta(), heading.delta());
        let comes = x * u + y * v < 0;
        if comes && other < id && !self.minds[id.index()].waits_in_vain(view, id) {
            Next::Dodge
        } else if view.rules().graph_rules() && !comes && !stays {
            // Who goes on is followed in the same tick.
            Next::Clear
        } else if self.minds[id.index()].is_patient(view, id) {
            Next::Wait
        } else {
            Next::Around
        }
    }

    /// Around whoever stays; but who has looked for a way a short time ago waits before it looks again.
    fn patience(&self, view: &View<'_>, id: AgentId) -> Next {
        if self.minds[id.index()].waits_in_vain(view, id) { Next::Wait } else { Next::Around }
    }

    /// Whether a unit that has just looked for a way has none, or one that begins where somebody is.
    pub(super) fn is_stuck(&self, view: &View<'_>, id: AgentId) -> bool {
        let (mind, at) = (&self.minds[id.index()], view.unit(id).at);
        if self.settings.visibility == 0 || mind.starved || at == mind.goal {
            return false;
        }
        let wanted = mind.wants();
        wanted.is_none() || self.next(view, id) != Next::Clear
    }

    /// A unit's turn is over: those who come after it see where it goes.
    pub(super) fn claim(&mut self, view: &View<'_>, id: AgentId, action: Action) {
        if self.settings.visibility == 0 {
            return;
        }
        let (grid, at) = (view.grid(), view.unit(id).at);
        let (actions, from) = (view.agent(id).actions(view.rules()), grid.cell(at));
        let covered = if view.rules().graph_rules() {
            actions.footprint(from.after(action), Action::Wait)
        } else {
            actions.footprint(from, action)
        };
        for cell in covered.cells().filter_map(|cell| grid.id(cell)).filter(|&cell| cell != at) {
            self.board[cell.index()] = id.0 + 1;
            self.claimed.push(cell);
        }
    }

    fn at(&self, cell: CellId) -> Option<AgentId> {
        self.board.get(cell.index())?.checked_sub(1).map(AgentId)
    }

    /// A unit stays where it is in this tick, for others' sake. Who rests where it wants to go is asked to step aside.
    pub(super) fn stays(&mut self, view: &View<'_>, id: AgentId, since: Option<Tick>) {
        let (mind, now) = (&mut self.minds[id.index()], view.tick());
        (mind.expected, mind.turn, mind.waits) = (view.unit(id).at, Some(now), since.or(Some(now)));
        let Some(dir) = mind.wants() else { return };
        let other = self.at(view.grid().neighbour(view.unit(id).at, dir));
        if let Some(other) = other.filter(|&other| makes_way(&self.minds, view, other)) {
            self.minds[other.index()].asked = Some(id);
        }
    }

    /// A step out of the way of whoever has asked for it, if there is one.
    pub(super) fn aside(&mut self, view: &View<'_>, id: AgentId) -> Option<Action> {
        let asker = self.minds[id.index()].asked.take()?;
        let (at, path) = (view.unit(id).at, &self.minds.get(asker.index())?.path);
        let mut wanted = [view.unit(asker).at; CLEARED + 1];
        for step in 0..CLEARED {
            let ahead = path.len().checked_sub(step + 1).and_then(|index| path[index].dir());
            wanted[step + 1] = ahead.map_or(wanted[step], |dir| view.grid().neighbour(wanted[step], dir));
        }
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let swept = !view.rules().graph_rules();
        let others = |cell: u32| self.at(CellId(cell)).is_some_and(|other| other != id);
        let mut aside = None;
        graph.edges(at.0, |edge| {
            let sides = graph.crossing(at.0, edge.to).filter(|_| swept);
            let free = !others(edge.to) && !sides.is_some_and(|(a, b)| others(a) || others(b));
            if free && !wanted.contains(&CellId(edge.to)) {
                aside = aside.or(Some(edge.action));
            }
        });
        aside
    }
}

/// Whether somebody rests and would step aside if asked.
pub(super) fn makes_way(minds: &[Mind], view: &View<'_>, id: AgentId) -> bool {
    let mind = &minds[id.index()];
    view.mine.binary_search(&id).is_ok()
        && !matches!(view.agent(id).task, Task::Hold)
        && (view.unit(id).at == view.target(id) || mind.hopeless.is_some())
        && mind.wants().is_none()
}

impl Mind {
    /// Where it wants to go next.
    fn wants(&self) -> Option<Dir> {
        self.path.last().and_then(|action| action.dir())
    }

    /// Whether it has not yet waited for long.
    fn is_patient(&self, view: &View<'_>, id: AgentId) -> bool {
        let step = view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N));
        let steps = PATIENCE << self.tries.min(LONGEST);
        self.waits.is_none_or(|since| view.tick() < since.saturating_add(Tick::from(steps * step)))
    }

    /// Whether it has looked for a way a short time ago and found none.
    pub(super) fn waits_in_vain(&self, view: &View<'_>, id: AgentId) -> bool {
        self.waits.is_some() && self.is_patient(view, id)
    }
}

/// How much longer than others wait a unit stays aside.
pub(super) fn time_to_pass(view: &View<'_>, id: AgentId) -> Tick {
    Tick::from(PATIENCE * view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N)))
}

/// The direction from a cell to one beside it.
pub(super) fn between(view: &View<'_>, from: CellId, to: CellId) -> Option<Dir> {
    Dir::ALL.into_iter().find(|&dir| view.grid().neighbour(from, dir) == to)
}
