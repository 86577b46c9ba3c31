//! Rescue (`rescue=…`): whoever is stuck under another planner is handed to priority inheritance until it arrives.
//!
//! Windows, corridors and lanes look some way ahead, and in a jam that is not far enough: units wait for each other for ever, or go to and
//! fro. Who has come no farther for a while (`watch`) decides before all others by [`crate::pibt`], the one that has been stuck for
//! longest first, and pushes whoever is in its way. All others go where their planner has them go, unless one of those needs the
//! cell: then they step aside by priority inheritance as well, in the same tick, so that nobody collides. Their planner is told that they are
//! elsewhere than it thought, gives up what they had reserved and plans anew; everybody else keeps what it has.
//!
//! As long as nobody is stuck nothing is different at all, and no distance is looked up.
//!
//! It is for worlds of single cells and single ticks in which everything is known and nobody is a stranger: uniform timing by the rules of graphs, bodies of
//! one cell, one team. In all others the planner is left alone.
//!
//! Guarantees: deterministic; nobody collides, also under planners that rely on the executor for that, while somebody is stuck.
//! Cost: none until somebody is stuck; then a few tens of nanoseconds per unit and tick, and a search for the distances of those who are
//! stuck or pushed.

mod watch;

use crate::lacam::{Live, SavedLive, World, rest_apart};
use crate::pibt::{Compass, Ground, NONE, SavedNearness, Step, block_strangers, is_stubborn, mix};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Directions, Field, Flock, Grid, Motion,
    Observer, Regions, Rest, SearchKind, Share, SnapshotError, Task, Tick, View,
};
use throng_search::Workers;
use watch::Watch;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// After how many ticks within a few cells a unit is stuck.
    pub patience: Tick,
    /// Seed of everything that is drawn by lot.
    pub seed: u64,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

/// Another controller whose units are rescued when they are stuck.
pub struct Rescued {
    settings: Settings,
    workers: Arc<Workers>,
    inner: Box<dyn Controller + Send>,
    watch: Watch,
    /// Who is not where its planner had it go.
    pushed: Vec<AgentId>,
    /// Whether this world is one for it; until something changes.
    fits: Option<bool>,
    /// Whether somebody held its place when it last looked.
    walled: bool,
    /// Made when somebody is stuck for the first time; until the terrain changes.
    ground: Option<Ground>,
    compass: Compass,
    step: Step,
    /// Where units can get at all; until the terrain changes.
    regions: Option<Regions>,
    /// Whether everybody goes by the search over placements, and that search.
    together: bool,
    live: Live,
    /// Those who are stuck in this tick, the first to decide first.
    order: Vec<(core::cmp::Reverse<i32>, Tick, u64, u32)>,
}

impl core::fmt::Debug for Rescued {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rescued").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// What later decisions depend on.
#[derive(Serialize, Deserialize)]
struct Saved {
    inner: Vec<u8>,
    watch: Watch,
    pushed: Vec<AgentId>,
    searches: Option<Vec<SavedNearness>>,
    together: bool,
    live: SavedLive,
}

/// Nobody is rescued where there are fewer expansions than so many for each unit in a tick.
const LEAST: u64 = 64;

/// One part in so many of a budget is for those who are stuck, while somebody is.
const PART: u64 = 4;

/// When somebody has been stuck for so many times what it takes to be so, all go by a search over placements, if they are to rest in the end.
const LONG: Tick = 2;

/// So many times everybody, and so many besides, decide in a tick of that search.
const AT_ONCE: u64 = 4;
const PACE: u64 = 20_000;

/// Counts what a planner took.
struct Counted<'a> {
    observer: &'a mut dyn Observer,
    expanded: u64,
}

impl Rescued {
    /// `inner` with its units rescued.
    #[must_use]
    pub fn new(settings: Settings, inner: Box<dyn Controller + Send>, workers: Arc<Workers>) -> Self {
        Self {
            settings,
            workers,
            inner,
            watch: Watch::default(),
            pushed: Vec::new(),
            fits: None,
            walled: false,
            ground: None,
            compass: Compass::new(settings.memory),
            step: Step::new(),
            regions: None,
            together: false,
            live: Live::new(settings.seed, settings.memory / 2),
            order: Vec::new(),
        }
    }

    /// Finds out who is stuck.
    fn line_up(&mut self, view: &View<'_>) {
        self.order.clear();
        if !*self.fits.get_or_insert_with(|| fits(view)) {
            return;
        }
        self.walled = view.scenario.agents().iter().any(|agent| holds(view, agent.id));
        self.watch.look(view, self.settings.patience);
        let stuck: Vec<_> = view.mine.iter().filter_map(|&id| Some((id, self.watch.stuck(id)?))).collect();
        if stuck.is_empty() {
            return;
        }
        // Whoever has no way to go makes way for others.
        let regions = self.regions.get_or_insert_with(|| Regions::of(&walled(view), 1));
        let goes = |&(id, _): &(AgentId, Tick)| regions.joined(view.unit(id).at, view.target(id));
        let lot = |id: AgentId| mix(self.settings.seed ^ u64::from(id.0));
        let key = |(id, since)| (core::cmp::Reverse(view.agent(id).priority), since, lot(id), id.0);
        self.order.extend(stuck.into_iter().filter(goes).map(key));
        self.order.sort_unstable();
    }

    /// Aims everybody. Answers where they are, how many may decide, and what distances have taken so far.
    fn aim(&mut self, ground: &Ground, view: &View<'_>, budget: &dyn Budget) -> (Vec<u32>, u64, u64) {
        let mut at = vec![NONE; view.state.units.len()];
        here(view).for_each(|id| at[id.index()] = ground.number(view.unit(id).at));
        let (compass, limit) = (&mut self.compass, budget.limit());
        let agents = view.scenario.agents().iter();
        compass.aim(ground, agents.map(|agent| ground.number(view.target(agent.id))));
        compass.begin();
        let before = compass.expanded();
        if limit == u64::MAX {
            let wanted: Vec<(u32, u32)> =
                self.order.iter().map(|&(.., id)| (compass.goal(id), at[id as usize])).collect();
            compass.prepare(ground, &wanted, budget, &self.workers);
            compass.allow(limit);
            return (at, limit, before);
        }
        compass.allow(limit / 2);
        (at, limit - limit / 2, before)
    }

    /// Lets those who are stuck decide first, and everybody else after them.
    fn decide_first(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let ground = self.ground.take().unwrap_or_else(|| Ground::new(&walled(view), view.rules()));
        let (at, room, before) = self.aim(&ground, view, budget);
        let (step, compass) = (&mut self.step, &mut self.compass);
        step.begin(ground.len(), at, mix(self.settings.seed ^ mix(view.tick())), room);
        block_strangers(step, &ground, view);
        for id in here(view).filter(|&id| view.unit(id).is_late(view.tick())) {
            // Whoever is late stays where it is, and nobody counts on its place.
            step.fix(&ground, id.0, step.at(id.0));
        }
        here(view).for_each(|id| step.wish(id.0, after(&ground, step.at(id.0), actions[id.index()])));
        // Those who are stuck have no wish but to arrive.
        self.order.iter().for_each(|&(.., id)| step.wish(id, NONE));
        if let Some(&(_, since, _, id)) = self.order.first()
            && is_stubborn(view.tick().saturating_sub(since))
        {
            step.be_stubborn(id);
        }
        for &(.., id) in &self.order {
            // Whose turn does not come goes where its planner has it go.
            if budget.should_stop(step.decided() + compass.expanded() - before) || step.is_full() {
                step.wish(id, after(&ground, step.at(id), actions[id as usize]));
            }
            step.decide(&ground, compass, id);
        }
        for id in here(view) {
            step.decide(&ground, compass, id.0);
        }
        for id in here(view) {
            let (from, to) = (step.at(id.0), step.next(id.0));
            let action = if to == NONE { Action::Wait } else { ground.action(from, to) };
            if core::mem::replace(&mut actions[id.index()], action) != action {
                self.pushed.push(id);
            }
        }
        let decided = step.decided();
        self.tell(view, observer, decided, before);
        self.ground = Some(ground);
    }

    /// Lets everybody go by a search over placements. Whether that is possible.
    fn search(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) -> bool {
        let ground = self.ground.take().unwrap_or_else(|| Ground::new(&walled(view), view.rules()));
        let (at, room, before) = self.aim(&ground, view, budget);
        let count = here(view).count() as u64;
        let room = room.min(AT_ONCE * count + PACE);
        let mut world = World {
            scenario: view.scenario,
            ground: &ground,
            compass: &mut self.compass,
            step: &mut self.step,
            holds: &[],
        };
        // Who has been stuck for longest decides first, those who are at home last.
        let (order, watch) = (&self.order, &self.watch);
        let in_line = || {
            let rest = here(view).filter(|&id| watch.stuck(id).is_none());
            let (home, away): (Vec<_>, Vec<_>) = rest.partition(|&id| view.unit(id).at == view.target(id));
            let stuck = order.iter().map(|&(.., id)| id);
            stuck.chain(away.into_iter().chain(home).map(|id| id.0)).collect()
        };
        let late = here(view).any(|id| view.unit(id).is_late(view.tick()));
        let found = room >= count && !late;
        let (next, spent) = match found {
            true => self.live.advance(&mut world, &at, in_line, budget, room),
            false => (None, 0),
        };
        if let Some(next) = next {
            for id in here(view) {
                let (from, to) = (at[id.index()], next[id.index()]);
                actions[id.index()] = ground.action(from, to);
            }
        }
        let found = next.is_some();
        self.tell(view, observer, spent, before);
        self.ground = Some(ground);
        found
    }

    /// Tells how many have decided, and what distances took since there were `before`.
    fn tell(&self, view: &View<'_>, observer: &mut dyn Observer, decided: u64, before: u64) {
        if let Some(id) = self.order.first().map(|&(.., id)| AgentId(id)).or(view.mine.first().copied()) {
            observer.expanded(id, SearchKind::Main, decided);
            observer.expanded(id, SearchKind::Backwards, self.compass.expanded() - before);
        }
    }

    /// Whether all go by the search over placements from now on: somebody has been stuck for long all the same, and everybody is to rest
    /// somewhere else than all others.
    fn goes_together(&mut self, view: &View<'_>) -> bool {
        if self.together {
            self.together = self.is_away(view);
        } else if *self.fits.get_or_insert_with(|| fits(view)) && self.watch.is_jammed(view.tick(), LONG) {
            self.together = self.is_away(view) && rest_apart(view);
        }
        self.together
    }

    /// Whether somebody is not where it is to rest.
    fn is_away(&self, view: &View<'_>) -> bool {
        here(view).any(|id| view.unit(id).at != view.target(id))
    }
}

/// Those who are there and may go somewhere.
fn here<'a>(view: &View<'a>) -> impl Iterator<Item = AgentId> + use<'a> {
    let view = *view;
    view.mine.iter().copied().filter(move |&id| !view.unit(id).gone && !holds(&view, id))
}

/// Whether a unit stays where it is, whoever comes.
fn holds(view: &View<'_>, id: AgentId) -> bool {
    matches!(view.agent(id).task, Task::Hold)
}

/// The map with those who hold their places as walls: no way leads past them.
fn walled<'a>(view: &View<'a>) -> Cow<'a, Grid> {
    let mut grid = Cow::Borrowed(view.grid());
    for agent in view.scenario.agents().iter().filter(|agent| holds(view, agent.id)) {
        if !view.unit(agent.id).gone {
            // This letter means a wall everywhere.
            let _ = grid.to_mut().set_letter(view.unit(agent.id).at, b'@');
        }
    }
    grid
}

/// Whether everybody in a world takes single cells and single ticks, and everything is known.
fn fits(view: &View<'_>) -> bool {
    let agents = view.scenario.agents();
    let plain = |motion| motion == Motion::Steps;
    view.rules().graph_rules()
        && view.seen.is_none()
        && agents.iter().all(|agent| agent.body == 1 && plain(agent.motion) && !view.is_stranger(agent.id))
}

/// Where an action leads; where it begins if nothing is open there.
fn after(ground: &Ground, from: u32, action: Action) -> u32 {
    ground.beside(from).find(|&to| ground.action(from, to) == action).unwrap_or(from)
}

impl Controller for Rescued {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.line_up(view);
        let limit = budget.limit();
        if limit / LEAST < view.mine.len() as u64 {
            // What little there is its planner needs.
            self.order.clear();
            self.together = false;
        } else if self.goes_together(view) && self.search(view, budget, observer, actions) {
            // What the planner meant to do in the meantime is over.
            self.pushed.clear();
            self.pushed.extend(here(view));
            return;
        }
        for id in self.pushed.drain(..) {
            self.inner.changed(view, Change::Placed(id));
        }
        if self.order.is_empty() {
            return self.inner.decide(view, budget, observer, actions);
        }
        let limit = if limit == u64::MAX { limit } else { limit - limit / PART };
        let mut counted = Counted { observer, expanded: 0 };
        self.inner.decide(view, &Share { whole: budget, limit }, &mut counted, actions);
        let before = counted.expanded;
        self.decide_first(view, &Rest { whole: budget, before }, observer, actions);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        (self.fits, self.together) = (None, false);
        self.live.clear();
        self.watch.begin(view.tick());
        match change {
            Change::Terrain(_) => {
                (self.ground, self.regions) = (None, None);
                self.compass.clear();
            }
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) => {
                if core::mem::take(&mut self.walled) || holds(view, id) {
                    (self.ground, self.regions) = (None, None);
                    self.compass.clear();
                }
                self.watch.forget(id);
                self.pushed.retain(|&pushed| pushed != id);
            }
        }
        self.inner.changed(view, change);
    }

    fn save(&self, view: &View<'_>) -> Vec<u8> {
        let saved = Saved {
            inner: self.inner.save(view),
            watch: self.watch.clone(),
            pushed: self.pushed.clone(),
            searches: self.ground.as_ref().map(|_| self.compass.save()),
            together: self.together,
            live: self.live.save(),
        };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        self.inner.load(view, &saved.inner)?;
        let known = |id: &AgentId| id.index() < view.scenario.agents().len();
        if !saved.pushed.iter().all(known) {
            return Err(SnapshotError::Mismatch("more units were pushed than there are".to_owned()));
        }
        let ground = Ground::new(&walled(view), view.rules());
        if !self.live.load(saved.live, view.state.units.len(), ground.len()) {
            return Err(SnapshotError::Mismatch("its search is about another world".to_owned()));
        }
        (self.watch, self.pushed, self.fits) = (saved.watch, saved.pushed, None);
        self.together = saved.together;
        self.walled = view.scenario.agents().iter().any(|agent| holds(view, agent.id));
        if let Some(searches) = saved.searches {
            self.compass.load(&ground, &searches, &self.workers);
            self.ground = Some(ground);
        }
        Ok(())
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        self.inner.explain(view, agent)
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        self.inner.intended(view, agent)
    }

    fn field(&self, view: &View<'_>, agent: AgentId, field: Field) -> Option<Vec<Option<i64>>> {
        self.inner.field(view, agent, field)
    }

    fn directions(&self, view: &View<'_>) -> Option<Directions> {
        self.inner.directions(view)
    }

    fn flocks(&self, view: &View<'_>) -> Vec<Flock> {
        self.inner.flocks(view)
    }
}

impl Observer for Counted<'_> {
    fn wants_nodes(&self) -> bool {
        self.observer.wants_nodes()
    }
    fn node(&mut self, agent: AgentId, at: CellId, tick: Tick) {
        self.observer.node(agent, at, tick);
    }
    fn expanded(&mut self, agent: AgentId, kind: SearchKind, count: u64) {
        self.expanded += count;
        self.observer.expanded(agent, kind, count);
    }
    fn alone(&mut self, agent: AgentId, ticks: Tick) {
        self.observer.alone(agent, ticks);
    }
    fn wants_memory(&self) -> bool {
        self.observer.wants_memory()
    }
    fn memory(&mut self, open: u64, closed: u64, bytes: usize) {
        self.observer.memory(open, closed, bytes);
    }
    fn reserved(&mut self, agent: AgentId, from: Tick, until: Tick) {
        self.observer.reserved(agent, from, until);
    }
    fn replanned(&mut self, agent: AgentId, tick: Tick) {
        self.observer.replanned(agent, tick);
    }
    fn event(&mut self, tick: Tick, event: &throng_core::Event) {
        self.observer.event(tick, event);
    }
}
