//! Strangers that stand face to face: who makes way.
//!
//! Units of one team agree who goes first. Strangers know nothing of each other's plans, so that two who meet where it is narrow
//! would stand there for ever, each taking the other for an obstacle. Whoever has not got on for a while with a stranger in
//! its way therefore goes back to the nearest place where somebody can pass it, stays there for a while, and comes again. How long
//! it waits before that is drawn anew each time, from more and more, so that sooner or later one of the two goes first.
//!
//! Whoever rests in a door or a corridor makes way as well when a stranger has been near it for a while, who may want to pass, and
//! comes back; but not for ever if that one stays there.
//!
//! Explorers do both: while they explore they have not got on if they have seen nothing new for a while, and once they are done
//! they make way wherever they stand, since others may have to see what is behind them; they stay where they have been sent then. Who is
//! shut in by the one that asks goes as soon as that one has gone back.
//!
//! To its planner that is an order like any other. Antagonists do not make way.

use crate::Session;
use crate::groups::Whose;
use serde::{Deserialize, Serialize};
use throng_core::{
    Action, Agent, AgentId, Budget, Cell, CellId, Change, Dir, Draw, Grid, Observer, Random, Scenario,
    SearchKind, Seen, Task, Tick, View, stream,
};
use throng_search::{AStar, Graph, GridGraph};

/// Who has come no farther than so many cells stands as far as others are concerned; explorers go to and fro before what keeps them.
const NEAR: u32 = 2;
const PACING: u32 = 8;
/// The least time, in its own steps, for which a unit waits for a stranger to go.
const PATIENCE: u32 = 12;
/// Who asks explorers that are done may be out of sight for so many of their steps in between.
const COMES_BACK: u32 = 24;
/// The same for one that rests where it is narrow, with a stranger beside it; so many times that while the stranger keeps off.
const COURTESY: u32 = 4;
const KEEPS_OFF: u32 = 4;
/// A stranger is beside it up to so many steps away, and near it up to so many.
const BESIDE: u32 = 2;
const VICINITY: u32 = 4;
/// And how often it makes way for one that stays.
const FAVOURS: u8 = 4;
/// Whoever is farther away than so many cells has gone its way.
const AWAY: u32 = 8;
/// So often the longest time that it may wait doubles.
const DOUBLINGS: u8 = 3;
/// The same for explorers that are done: they have no end of favours to do, and no reason to hurry with the later ones.
const LAST_DOUBLINGS: u8 = 5;
/// A stranger is in the way if it stands so many steps ahead at most.
const AHEAD: usize = 16;
/// How many of its own steps a unit gives the other to pass, and to notice that it can.
const PASSING: u32 = 16;
/// The most expansions that go into finding the way, and those for a place beside it.
const LOOK: u64 = 1 << 13;
const AROUND: usize = 1 << 9;
/// Of so many places the next one is tried when the last was of no use.
const PLACES: usize = 3;
/// The same for explorers that are done, who have no reason to stay near.
const MANY_PLACES: usize = 16;
/// A patience holds for so many ticks, as a power of two.
const LONG: u32 = 10;
/// No session comes to this tick.
const LATEST: Tick = 1 << 61;
/// One part in so many of a tick's budget may go into this.
const PART: u64 = 4;

/// Who makes way for whom, by agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Yielding {
    units: Vec<Waiting>,
}

/// How long a unit has not got on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Waiting {
    /// Where it is going, as far as it has got with that; for one that explores, what it has seen.
    leg: u32,
    /// Where it was, and since when it has been near that.
    anchor: CellId,
    since: Tick,
    /// How often it has made way on this leg, and for whom last.
    tries: u8,
    last: Option<AgentId>,
    /// When one of them was last beside it.
    asked: Tick,
    /// It has found no way past the last of them.
    shut_in: bool,
    aside: Option<Aside>,
}

/// Which of the nearest places.
#[derive(Clone, Copy)]
struct Pick {
    of: usize,
    which: usize,
}

/// What an explorer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explorer {
    /// It has seen so many cells.
    Looking { seen: u32 },
    /// It has nothing left to see.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Aside {
    place: CellId,
    to: AgentId,
    until: Tick,
}

impl Yielding {
    /// For whom a unit has stepped aside.
    pub(crate) fn gives_way(&self, id: AgentId) -> Option<AgentId> {
        self.units.get(id.index())?.aside.map(|aside| aside.to)
    }

    /// Whether the one for whom a unit has made way last has made way for it, too.
    fn is_mutual(&self, id: AgentId) -> bool {
        let last = |id: AgentId| self.units.get(id.index())?.last;
        last(id).is_some_and(|other| last(other) == Some(id))
    }

    /// Somebody has told a unit what to do, or there is another one of its number.
    pub(crate) fn changed(&mut self, change: Change) {
        if let Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) = change
            && let Some(waiting) = self.units.get_mut(id.index())
        {
            *waiting = Waiting::default();
        }
    }

    /// Whether this can be of such a world.
    pub(crate) fn fits(&self, scenario: &Scenario) -> bool {
        let on_map = |cell: CellId| {
            cell.index() < scenario.grid().len() && scenario.grid().contains(scenario.grid().cell(cell))
        };
        // Nobody has an anchor before it has been looked at.
        let known = |id: AgentId| id.index() < scenario.agents().len();
        let fits = |waiting: &Waiting| {
            let aside = |aside: Aside| on_map(aside.place) && known(aside.to) && aside.until < LATEST;
            (*waiting == Waiting::default() || on_map(waiting.anchor))
                && waiting.since.max(waiting.asked) < LATEST
                && waiting.last.is_none_or(known)
                && waiting.aside.is_none_or(aside)
        };
        self.units.len() <= scenario.agents().len() && self.units.iter().all(fits)
    }

    /// Those who have stepped aside, with their places for goals.
    pub(crate) fn sent<'a>(&'a self, scenario: &'a Scenario) -> impl Iterator<Item = Agent> + 'a {
        let aside = |(agent, waiting): (&Agent, &Waiting)| {
            let place = scenario.grid().cell(waiting.aside?.place);
            Some(Agent { task: Task::Goal(place), ..agent.clone() })
        };
        scenario.agents().iter().zip(&self.units).filter_map(aside)
    }
}

impl Session {
    /// Lets units step aside that have stood before strangers for long, one in a tick at most, and go on that have waited
    /// aside; answers the expansions.
    pub(crate) fn make_way(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        // Where all share what they know nobody is a stranger.
        if !self.knowing.is_divided() {
            return 0;
        }
        let mut yielding = core::mem::take(&mut self.yielding);
        yielding.units.resize(self.state.units.len(), Waiting::default());
        let (now, mut spent, mut looked) = (self.state.tick, 0, false);
        for index in 0..yielding.units.len() {
            let id = AgentId(index as u32);
            let mutual = yielding.is_mutual(id);
            let waiting = &mut yielding.units[index];
            let agent = self.setup.scenario.agent(id);
            let step = Tick::from(agent.actions(self.setup.scenario.rules()).duration(Action::Go(Dir::N)));
            let explorer = self.explorer(id);
            let rests = explorer == Some(Explorer::Done) || explorer.is_none() && self.rests_in_a_door(id);
            if !rests && explorer.is_none() && !self.may_yield(id) {
                let was_aside = core::mem::take(waiting).aside.is_some();
                if was_aside && !self.state.units[index].gone {
                    let agent = self.setup.scenario.agent(id).clone();
                    self.assign(agent);
                }
                continue;
            }
            let unit = &self.state.units[index];
            let (at, leg) = match explorer {
                // What it has seen is more than nothing.
                Some(Explorer::Looking { seen }) => (unit.at, seen.saturating_add(1)),
                _ => (unit.at, unit.leg),
            };
            if let Some(aside) = waiting.aside {
                if now < aside.until {
                    continue;
                }
                let agent = self.setup.scenario.agent(id).clone();
                self.assign(agent);
                (waiting.aside, waiting.since) = (None, now);
            }
            let paces = if explorer.is_some() { PACING } else { NEAR };
            let moved = far(&self.setup.scenario, waiting.anchor, at) > paces;
            if waiting.leg != leg || *waiting == Waiting::default() {
                *waiting = Waiting { leg, anchor: at, since: now, ..Waiting::default() };
            } else if moved {
                (waiting.anchor, waiting.since) = (at, now);
            }
            let near = if rests { self.stranger_near(id) } else { None };
            // Whoever is shut in goes as soon as the one before it has gone back, whether it sees where to or not.
            let before = waiting.last.filter(|_| waiting.shut_in);
            let mut beside = near.map(|(stranger, _)| stranger).or(before);
            if near.is_some() {
                waiting.asked = now;
            }
            if rests && beside.is_none() {
                // Explorers come and go before what keeps them: for a while all of the time counts, and later that while they are there.
                if explorer.is_some() && now < waiting.asked + (step << LONG) {
                    let away = now >= waiting.asked + Tick::from(COMES_BACK) * step;
                    waiting.since = (waiting.since + Tick::from(away)).min(now);
                    continue;
                }
                // Whoever has gone its way is welcome again; but two that rest side by side would make way for each other for ever.
                if !mutual && waiting.last.is_some_and(|last| self.is_gone_from(id, last)) {
                    (waiting.tries, waiting.last) = (0, None);
                }
                (waiting.since, waiting.shut_in) = (now, false);
                continue;
            }
            if rests && waiting.last != beside {
                (waiting.tries, waiting.last, waiting.shut_in) = (0, beside, false);
            }
            // Who comes and goes before one that is done finds another patience after a long time: if it is longer than that one ever stays
            // they would do so for ever.
            let drawn = Tick::from(waiting.tries) + if explorer.is_some() { now >> LONG } else { 0 };
            let mut random: Random = stream(self.options.seed, id, drawn);
            let least = match near {
                Some((_, steps)) if steps <= BESIDE => COURTESY,
                Some(_) => COURTESY * KEEPS_OFF,
                None if waiting.shut_in => COURTESY,
                None => PATIENCE,
            };
            // Most who come near one that stands in nobody's way do not want to where it is.
            let in_nobodys_way =
                explorer == Some(Explorer::Done) && leaves_room(self.known_world(id).grid(), at);
            let least = if in_nobodys_way { least * KEEPS_OFF } else { least };
            let doublings = match explorer {
                _ if waiting.shut_in => 0,
                Some(Explorer::Done) => waiting.tries.min(LAST_DOUBLINGS),
                _ => waiting.tries.min(DOUBLINGS),
            };
            let patience = least * (1 + random.below(2 << doublings));
            let patient = now < waiting.since + Tick::from(patience) * step;
            let enough = rests && explorer.is_none() && waiting.tries >= FAVOURS;
            if patient || enough {
                continue;
            }
            if let Some(Explorer::Looking { .. }) = explorer {
                // There is no way of which one could say who is in it.
                let Some((stranger, _)) = self.stranger_near(id) else { continue };
                beside = Some(stranger);
            }
            if core::mem::replace(&mut looked, true) {
                continue;
            }
            let room = if budget.limit() == u64::MAX { LOOK } else { (budget.limit() / PART).min(LOOK) };
            if let (Some(Explorer::Looking { .. }), Some(stranger)) = (explorer, beside) {
                // Eyes look ahead: it may not know yet that somebody stands behind it.
                self.notice(stranger, id);
            }
            // Of explorers many may rest near each other, who would send each other to and fro between the same places.
            let mut random: Random = stream(self.options.seed, id, now);
            let pick = match explorer {
                Some(Explorer::Done) => {
                    Pick { of: MANY_PLACES, which: random.below(MANY_PLACES as u32) as usize }
                }
                _ => Pick { of: PLACES, which: usize::from(waiting.tries) },
            };
            let (found, used) = self.place_aside(id, beside, pick, room);
            if used > 0 {
                observer.expanded(id, SearchKind::Main, used);
                spent += used;
            }
            (waiting.since, waiting.shut_in) = (now, explorer.is_some() && found.is_none());
            if let Some((place, to, steps)) = found {
                // Several may want to where one is shut in: it comes out once all of them are away at a time.
                let passing = PASSING << if explorer.is_some() { waiting.tries.min(DOUBLINGS) } else { 0 };
                let until = now + step * Tick::from(2 * steps + passing);
                waiting.aside = Some(Aside { place, to, until });
                waiting.tries = waiting.tries.saturating_add(1);
                let goal = self.setup.scenario.grid().cell(place);
                let agent = Agent { task: Task::Goal(goal), ..self.setup.scenario.agent(id).clone() };
                self.assign(agent);
            }
        }
        self.yielding = yielding;
        spent
    }

    /// What an explorer of one cell is about that is not there to stand in others' way.
    fn explorer(&self, id: AgentId) -> Option<Explorer> {
        let (agent, unit) = (self.setup.scenario.agent(id), &self.state.units[id.index()]);
        let small = agent.body == 1 && agent.motion.poses() == 1;
        if unit.gone || !small || !agent.task.is_search() || self.is_antagonist(id) {
            return None;
        }
        let seen = || self.seen(id).map_or(0, Seen::len) as u32;
        Some(if unit.leg > 0 { Explorer::Done } else { Explorer::Looking { seen: seen() } })
    }

    /// Whether a unit is on its way somewhere, moves in steps, and is not there to stand in others' way.
    fn may_yield(&self, id: AgentId) -> bool {
        let (agent, unit) = (self.setup.scenario.agent(id), &self.state.units[id.index()]);
        let goes = !agent.task.is_search() && !matches!(agent.task, Task::Hold);
        let arrived = unit.leg >= agent.waypoints().len() && (!agent.must_rest() || self.rests(id));
        !unit.gone && goes && !self.is_antagonist(id) && agent.motion.poses() == 1 && !arrived
    }

    fn is_antagonist(&self, id: AgentId) -> bool {
        let group = self.groups.iter().find(|group| group.mine.binary_search(&id).is_ok());
        group.is_none_or(|group| group.spec.starts_with("blocker"))
    }

    /// Whether a unit of one cell has come to where it is to rest, and nobody can pass it there.
    fn rests_in_a_door(&self, id: AgentId) -> bool {
        let (agent, unit) = (self.setup.scenario.agent(id), &self.state.units[id.index()]);
        let small = agent.body == 1 && agent.motion.poses() == 1;
        let rests = !unit.gone && small && agent.must_rest() && self.rests(id);
        rests && !leaves_room(self.known_world(id).grid(), unit.at) && !self.is_antagonist(id)
    }

    /// Whether a stranger is not near a unit any more, as far as that one knows.
    fn is_gone_from(&self, id: AgentId, stranger: AgentId) -> bool {
        let scenario = &self.setup.scenario;
        let view = self.knowing.view((scenario, &self.state), Whose::of(scenario, scenario.agent(id)), &[]);
        let (unit, other) = (view.unit(id), view.unit(stranger));
        other.gone || far(scenario, unit.at, other.at) > AWAY
    }

    /// A stranger near a unit, as far as that one knows, and how many steps away: who only passes is gone before anybody asks.
    fn stranger_near(&self, id: AgentId) -> Option<(AgentId, u32)> {
        let scenario = &self.setup.scenario;
        let whose = Whose::of(scenario, scenario.agent(id));
        let view = self.knowing.view((scenario, &self.state), whose, &[]);
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let mut around = vec![(view.unit(id).at.0, 0)];
        let mut next = 0;
        while let Some(&(node, steps)) = around.get(next).filter(|&&(_, steps)| steps < VICINITY) {
            next += 1;
            graph.edges(node, |edge| {
                if !around.iter().any(|&(known, _)| known == edge.to) {
                    around.push((edge.to, steps + 1));
                }
            });
        }
        let steps = |agent: &Agent| {
            let unit = view.unit(agent.id);
            let body = agent.actions(view.rules()).footprint(view.grid().cell(unit.at), Action::Wait);
            let cells = body.cells().filter_map(|cell| view.grid().id(cell)).filter(|_| !unit.gone);
            let steps = |cell: CellId| around.iter().find(|&&(node, _)| node == cell.0).map(|&(_, s)| s);
            Some((agent.id, cells.filter_map(steps).min()?))
        };
        let stranger = |agent: &&Agent| Whose::of(scenario, scenario.agent(agent.id)) != whose;
        let near = view.scenario.agents().iter().filter(stranger).filter_map(steps);
        near.min_by_key(|&(who, steps)| (steps > BESIDE, who))
    }

    /// Where a unit is in no stranger's way, if one is beside it that may want to pass, or else in its own way: the place, the
    /// stranger, and the steps to there. And the expansions that it took to find out.
    fn place_aside(
        &self,
        id: AgentId,
        beside_it: Option<AgentId>,
        pick: Pick,
        room: u64,
    ) -> (Option<(CellId, AgentId, u32)>, u64) {
        let scenario = &self.setup.scenario;
        let whose = Whose::of(scenario, scenario.agent(id));
        let view = self.knowing.view((scenario, &self.state), whose, &[]);
        let explores = scenario.agent(id).task.is_search();
        let mut taken: Vec<(CellId, AgentId, bool)> = Vec::new();
        for (agent, unit) in view.scenario.agents().iter().zip(&view.state.units) {
            if unit.gone || agent.id == id {
                continue;
            }
            let stranger = Whose::of(scenario, scenario.agent(agent.id)) != whose;
            let body = agent.actions(view.rules()).footprint(view.grid().cell(unit.at), Action::Wait);
            // Where explorers believe somebody to be who is out of sight it may not be any more.
            let in_sight =
                |cell: &CellId| !explores || self.knowing.of(whose).is_none_or(|known| known.sees(*cell));
            let cells = body.cells().filter_map(|cell| view.grid().id(cell)).filter(in_sight);
            taken.extend(cells.map(|cell| (cell, agent.id, stranger)));
        }
        taken.sort_unstable();
        let holder = |cell: u32| {
            let place = taken.binary_search_by_key(&CellId(cell), |&(cell, ..)| cell).ok()?;
            Some((taken[place].1, taken[place].2))
        };
        let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
        let start = view.unit(id).at;
        let aside = |to: AgentId, used: u64| {
            let (place, more) =
                beside(&view, graph, (start, explores), pick, room.saturating_sub(used), holder);
            (place.map(|(place, steps)| (place, to, steps)), used + more)
        };
        if let Some(to) = beside_it {
            return aside(to, 0);
        }
        let (mut search, mut path) = (AStar::new(), Vec::new());
        search.allow(room);
        let way = search.path(&graph, start.0, view.target(id).0, 0, |_| Some(0), &mut path);
        let used = search.expanded();
        let Some(_) = way else { return (None, used) };
        let mut at = start;
        let ahead = path.iter().take(AHEAD).filter_map(|action| {
            at = view.grid().neighbour(at, action.dir()?);
            let mut first = None;
            graph.covered(at.0, at.0, |place| first = first.or(holder(place)));
            first.filter(|&(_, stranger)| stranger)
        });
        let first = ahead.into_iter().next();
        first.map_or((None, used), |(to, _)| aside(to, used))
    }
}

/// The nearest place, or one of the next, where nobody is and a unit leaves others room to pass; and the expansions. Whoever `explores`
/// goes where it has been or looked alone, and may know of no such place yet: then it goes as far as it knows.
fn beside(
    view: &View<'_>,
    graph: GridGraph<'_>,
    (start, explores): (CellId, bool),
    pick: Pick,
    room: u64,
    holder: impl Fn(u32) -> Option<(AgentId, bool)>,
) -> (Option<(CellId, u32)>, u64) {
    let most = AROUND.min(usize::try_from(room).unwrap_or(AROUND));
    let (mut seen, mut places) = (vec![(start.0, 0)], Vec::new());
    let (mut next, mut farthest) = (0, None);
    while next < seen.len().min(most) && places.len() < pick.of {
        let (node, steps) = seen[next];
        next += 1;
        let mut free = true;
        graph.covered(node, node, |place| free &= holder(place).is_none());
        if node != start.0 && free && view.has_seen(CellId(node)) {
            if leaves_room(view.grid(), CellId(node)) {
                places.push((CellId(node), steps));
            }
            farthest = Some((CellId(node), steps)).filter(|_| explores);
        }
        graph.edges(node, |edge| {
            let known = !explores || view.has_seen(CellId(edge.to));
            let mut passable = known && !seen.iter().any(|&(known, _)| known == edge.to);
            // Its own people move as well; strangers may not.
            graph.covered(edge.to, edge.to, |place| {
                passable &= !holder(place).is_some_and(|(_, stranger)| stranger);
            });
            if passable {
                seen.push((edge.to, steps + 1));
            }
        });
    }
    let place = places.get(pick.which % places.len().max(1)).copied().or(farthest);
    (place, next as u64)
}

/// Whether the cells around one hang together without it: whoever stands there stands in no door and no corridor.
fn leaves_room(grid: &Grid, cell: CellId) -> bool {
    let at = grid.cell(cell);
    // Once around it, so that those beside each other are neighbours.
    let ring = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
    let open = ring.map(|(x, y)| grid.is_open(Cell::new(at.x + x, at.y + y)));
    // Corners count where they join two straight neighbours.
    let straight = |k: usize| open[k % 8];
    let parts = (0..8).step_by(2).filter(|&k| straight(k) && !(open[(k + 1) % 8] && straight(k + 2))).count();
    let ends = (0..8).step_by(2).filter(|&k| straight(k)).count();
    parts <= 1 && ends > 0
}

/// Cells between two places, whichever way is longer.
fn far(scenario: &Scenario, a: CellId, b: CellId) -> u32 {
    let (a, b) = (scenario.grid().cell(a), scenario.grid().cell(b));
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}
