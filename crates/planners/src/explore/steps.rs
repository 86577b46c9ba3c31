//! Who takes which step.

use super::chart::{Chart, STEP};
use super::walk::Walk;
use super::{Explorer, Settings, is_exploring, stays};
use throng_core::{Action, AgentId, Cell, CellId, Connectivity, Dir, Tick, View};
use throng_search::landscape::Weights;

/// A unit that could not go for so many of its decisions thinks of something else.
pub(super) const PATIENCE: u32 = 8;

/// A unit takes nobody of others for a wall before it has been around there for so many of its steps, since who rests may make way;
/// unless there is nothing new to be seen for long.
const COURTESY: Tick = 24;
/// Whoever is no farther than so many cells from where it was, along rows and columns, is still around there.
const NEAR: u32 = 8;

/// A unit that was sent somewhere and could not go for so many of its decisions goes by the heat instead.
pub(super) const SHORT: u32 = 2;

/// Units of a team that has seen nothing new for so many straight steps of theirs follow the heat alone.
pub(super) const STILL: Tick = 64;

/// A step that a unit could take, and how high it leads.
type Choice = (i64, Action, CellId);

impl Explorer {
    /// Decides for everybody who explores, in order, and lets those make way who do not.
    pub(super) fn step(&mut self, view: &View<'_>, actions: &mut [Action]) {
        let order = core::mem::take(&mut self.order);
        // Cells that somebody wants on which somebody stands who has nothing to do.
        let mut wished: Vec<(CellId, AgentId)> = Vec::new();
        for &(_, _, id) in &order {
            if let Some(wish) = self.advance(view, id, actions) {
                wished.push((wish, id));
            }
        }
        self.order = order;
        let mut next = 0;
        while let Some(&(cell, by)) = wished.get(next) {
            next += 1;
            let Some(who) = self.board.holder(cell).filter(|&who| who != by && is_idle(view, who)) else {
                continue;
            };
            let beside = choices(view, who, |_| Some(0)).map(|(_, action, to)| (action, to));
            let mut in_the_way = Vec::new();
            let mut gone = false;
            for (action, to) in
                beside.filter(|&(_, to)| Some(to) != view.state.units.get(by.index()).map(|unit| unit.at))
            {
                match self.board.go(view, who, action) {
                    Ok(()) => {
                        actions[who.index()] = action;
                        gone = true;
                        break;
                    }
                    Err(Some(other)) if is_idle(view, other) => in_the_way.push(to),
                    Err(_) => {}
                }
            }
            if !gone {
                in_the_way.retain(|to| wished.iter().all(|(cell, _)| cell != to));
                wished.extend(in_the_way.into_iter().map(|to| (to, who)));
            }
        }
    }

    /// Whoever has nothing to do goes on when somebody of others comes up to it, who may want to pass.
    pub(super) fn make_way(&mut self, view: &View<'_>, actions: &mut [Action]) {
        let Self { chart: Some(chart), board, .. } = self else { return };
        let idle = |&id: &AgentId| is_idle(view, id) && actions[id.index()] == Action::Wait;
        let idle: Vec<_> = view.mine.iter().copied().filter(idle).collect();
        for id in idle {
            let at = view.unit(id).at;
            let beside = |exits: u8| {
                let dirs = Dir::ALL.into_iter().filter(move |&dir| exits >> dir as u8 & 1 != 0);
                dirs.map(move |dir| view.grid().neighbour(at, dir))
            };
            let ways = view.grid().exits(at) & Connectivity::Four.mask();
            let comes = |cell: &CellId| board.holder(*cell).is_some_and(|who| stays(view, who));
            let Some(other) = beside(ways).find(comes) else { continue };
            if let Some(action) = retreat(view, chart, id, other, |action| board.go(view, id, action).is_ok())
            {
                actions[id.index()] = action;
            }
        }
    }

    /// Where nothing is left but what others bar, somebody goes now and then to see whether they still do.
    pub(super) fn look_again(&mut self, view: &View<'_>) {
        let Self { chart: Some(chart), order, .. } = self else { return };
        let waited = view.tick().saturating_sub(chart.shut_since);
        let over = |id: AgentId| waited > STILL * Tick::from(view.agent(id).period);
        let barred = |id: AgentId| chart.heat.steps(view.unit(id).at).is_none();
        if !chart.shut.is_empty() && order.iter().any(|&(_, _, id)| over(id) && barred(id)) {
            let cells = chart.shut.clone();
            cells.into_iter().for_each(|cell| chart.shut(cell, false));
        }
    }

    /// Lets a unit take its best step; the cell that it wants if somebody is there who has nothing to do.
    fn advance(&mut self, view: &View<'_>, id: AgentId, actions: &mut [Action]) -> Option<CellId> {
        let Self { settings, chart: Some(chart), board, walks, nexts, plans, lost, .. } = self else {
            return None;
        };
        let settings = &settings.where_it_is(view, id);
        let walk = &mut walks[id.index()];
        let at = view.unit(id).at;
        let Some(steps) = chart.heat.steps(at) else {
            // Only others are in the way of what is left. Of two who are in each other's way one has to go back.
            let blocked = chart.shut.iter().filter_map(|&cell| Some((board.holder(cell)?, cell)));
            walk.waits(blocked.min_by_key(|&(who, cell)| (far(view, at, cell), who)));
            let blocker = walk.blocker().filter(|&(other, _)| other < id);
            let back = blocker.and_then(|(_, cell)| {
                retreat(view, chart, id, cell, |action| board.go(view, id, action).is_ok())
            });
            actions[id.index()] = back.unwrap_or_default();
            return None;
        };
        let period = Tick::from(view.agent(id).period);
        let lingered = walk.lingers(view.tick(), at, |cell| far(view, at, cell) <= NEAR);
        let old = view.tick().saturating_sub(chart.news);
        let asked = lingered >= COURTESY * period || old > 4 * STILL * period;
        // Whoever wanted to the same place goes first.
        if lost.binary_search(&id).is_ok() {
            walk.note(at, steps);
            walk.waits(None);
            return None;
        }
        match plans.get(id.index()).copied().flatten() {
            // It lets somebody pass.
            Some((Action::Wait, blocker)) => {
                walk.note(at, steps);
                walk.waits(blocker);
                return None;
            }
            Some((go, _)) => match board.go(view, id, go) {
                Ok(()) => {
                    walk.note(at, steps);
                    walk.goes(at);
                    actions[id.index()] = go;
                    return None;
                }
                Err(Some(other)) if walk.waited < SHORT => {
                    walk.note(at, steps);
                    let cell = view.grid().id(view.grid().cell(at).after(go))?;
                    walk.waits(Some((other, cell)));
                    return is_idle(view, other).then_some(cell);
                }
                Err(_) => {}
            },
            None => {}
        }
        let around = nexts.get(id.index()).copied().flatten();
        let around = around.and_then(|next| Action::between(view.grid().cell(at), view.grid().cell(next)));
        if let Some(go) = around.filter(|&go| board.go(view, id, go).is_ok()) {
            walk.note(at, steps);
            walk.goes(at);
            actions[id.index()] = go;
            return None;
        }
        let mut again = false;
        if let Some(next) = walk.next() {
            again |= walk.note(at, steps);
            let go = Action::between(view.grid().cell(at), view.grid().cell(next));
            let known = choices(view, id, |_| Some(0)).any(|(_, action, _)| Some(action) == go);
            match go.filter(|_| known).map(|go| (go, board.go(view, id, go))) {
                Some((go, Ok(()))) => {
                    walk.goes(at);
                    actions[id.index()] = go;
                    return None;
                }
                Some((_, Err(Some(other)))) if walk.waited < SHORT => {
                    walk.waits(Some((other, next)));
                    if stays(view, other) {
                        walk.meets(other, next);
                    }
                    return is_idle(view, other).then_some(next);
                }
                _ => walk.give_up(view.tick(), Tick::from(PATIENCE * u32::from(view.agent(id).period))),
            }
        }
        again |= walk.note(at, steps);
        // By the heat, too, one goes to and fro before somebody who stays and can be stepped aside of, but not got past.
        let barrier = walk.met().filter(|&(who, cell)| again && asked && bars(view, who, cell));
        if let Some((_, cell)) = barrier {
            chart.shut(cell, true);
            chart.shut_since = view.tick();
        }
        let to_and_fro = again && walk.pure.is_none();
        let Weights { potential, repulsion, .. } = settings.weights;
        let flat = potential == 0 && repulsion == 0 && settings.walls == 0;
        let plain = flat && !chart.is_drawn();
        if plain || to_and_fro || old > STILL * period || walk.waited >= PATIENCE {
            walk.pure.get_or_insert(steps);
        }
        let mut list = ranked(view, settings, chart, walk, id);
        if list.first().is_none_or(|(_, down)| !down) && walk.pure.is_none() {
            walk.pure = Some(steps);
            list = ranked(view, settings, chart, walk, id);
        }
        let mut blocker = None;
        for ((_, action, to), down) in list {
            // Level steps lead round somebody who waits.
            if !down && walk.waited == 0 {
                break;
            }
            match board.go(view, id, action) {
                Ok(()) => {
                    walk.goes(at);
                    actions[id.index()] = action;
                    return None;
                }
                Err(Some(other)) if blocker.is_none() => blocker = Some((other, to)),
                Err(_) => {}
            }
        }
        walk.waits(blocker);
        let (other, cell) = blocker?;
        if stays(view, other) {
            walk.meets(other, cell);
        }
        if walk.waited >= PATIENCE && asked && bars(view, other, cell) {
            chart.shut(cell, true);
            chart.shut_since = view.tick();
        }
        is_idle(view, other).then_some(cell)
    }
}

/// Whether somebody stays in a cell and has done so for a while.
fn bars(view: &View<'_>, who: AgentId, cell: CellId) -> bool {
    let stood = view.tick().saturating_sub(view.unit(who).until);
    stays(view, who) && stood >= Tick::from(PATIENCE) && view.unit(who).at == cell
}

/// Whether a unit of ours has nothing to do, so that it can be asked to make way.
fn is_idle(view: &View<'_>, id: AgentId) -> bool {
    !stays(view, id)
        && view.agent(id).task.is_search()
        && !is_exploring(view, id)
        && view.unit(id).stands(view.tick())
}

/// The steps that terrain and rules allow, as far as they are known.
fn choices<'a>(
    view: &View<'a>,
    id: AgentId,
    height: impl Fn(CellId) -> Option<i64> + 'a,
) -> impl Iterator<Item = Choice> + 'a {
    let (grid, at) = (view.grid(), view.unit(id).at);
    let seen = view.seen;
    let exits = grid.exits(at) & view.rules().connectivity.mask();
    let dirs = Dir::ALL.into_iter().filter(move |&dir| exits >> dir as u8 & 1 != 0);
    dirs.filter_map(move |dir| {
        let to = grid.neighbour(at, dir);
        let known = seen.is_none_or(|seen| seen.contains(to));
        Some((height(to)?, Action::Go(dir), to)).filter(|_| known)
    })
}

/// The steps of a unit that do not lead up, lowest first, and whether each leads down.
fn ranked(
    view: &View<'_>,
    settings: &Settings,
    chart: &Chart,
    walk: &Walk,
    id: AgentId,
) -> Vec<(Choice, bool)> {
    let from: Cell = view.grid().cell(view.unit(id).at);
    let height = |cell: CellId| match walk.pure {
        Some(_) => chart.heat.steps(cell).map(|steps| i64::from(steps) * i64::from(STEP)),
        None => chart.height(settings, id.index(), from, cell),
    };
    let Some(here) = height(view.unit(id).at) else { return Vec::new() };
    let mut list: Vec<_> = choices(view, id, height).filter(|&(height, ..)| height <= here).collect();
    list.sort_by_key(|&(height, ..)| height);
    list.into_iter().map(|choice| (choice, choice.0 < here)).collect()
}

/// How far two cells are from each other, along rows and columns.
pub(super) fn far(view: &View<'_>, a: CellId, b: CellId) -> u32 {
    let (a, b) = (view.grid().cell(a), view.grid().cell(b));
    a.x.abs_diff(b.x) + a.y.abs_diff(b.y)
}

/// A step away from a cell.
fn retreat(
    view: &View<'_>,
    chart: &Chart,
    id: AgentId,
    from: CellId,
    mut go: impl FnMut(Action) -> bool,
) -> Option<Action> {
    let away = |cell: CellId| i64::from(far(view, cell, from));
    let here = away(view.unit(id).at);
    let mut list: Vec<_> = choices(view, id, |cell| chart.grid.is_open_id(cell).then(|| -away(cell)))
        .filter(|&(far, ..)| -far > here)
        .collect();
    list.sort_by_key(|&(far, ..)| far);
    list.into_iter().map(|(_, action, _)| action).find(|&action| go(action))
}
