//! Priority inheritance with backtracking (`pibt`): one step ahead, every tick, and never a plan.
//!
//! Who has been on the way for longest decides first, by lot among equals, and takes the cell that is nearest to its goal.
//! Whoever stands there inherits its turn and decides next (`step`). In corridors two who want to pass each other step
//! back together to where there is room (`swap`). On maps where every two cells lie on a circle everybody gets to its goal
//! sooner or later, though not all at the same time; elsewhere that is usual, but not certain. Since stepping back for each
//! other may go on for ever where traffic never ends, who has been on the way for very long refuses to for a while, in turn.
//!
//! Source: Okumura, Machida, Défago and Tamura, "Priority inheritance with backtracking for iterative multi-agent path
//! finding" (2022). Guarantees: deterministic; nobody collides and no move is cancelled as long as nobody else is in the
//! world; neither complete nor optimal. Cost: some tens of nanoseconds per unit and tick once distances are known.

mod compass;
mod corridors;
mod ground;
mod guidance;
mod lanes;
mod step;
mod swap;

pub(crate) use compass::{Compass, SavedNearness};
pub(crate) use ground::Ground;
pub use guidance::Source;
pub(crate) use lanes::Lanes;
pub(crate) use step::{NONE, Step};

use crate::directions::Lanes as Learned;
use crate::lacam::{Live, SavedLive, World, rest_apart};
use guidance::{Guidance, SavedGuidance};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Directions, Observer, Regions, Rest,
    SearchKind, SnapshotError, Task, Tick, View,
};
use throng_search::Workers;

/// The controller.
#[derive(Debug)]
pub struct Pibt {
    seed: u64,
    memory: usize,
    workers: Arc<Workers>,
    /// Until the terrain changes.
    ground: Option<Ground>,
    compass: Compass,
    step: Step,
    /// By agent: for how many ticks it has been on the way to the goal that it has now.
    waited: Vec<u64>,
    /// By agent: the goal that it had in the last tick.
    goals: Vec<CellId>,
    order: Vec<(u64, u64, u32)>,
    /// Goals that are new in this tick, and from where they are asked about.
    fresh: Vec<(u32, u32)>,
    /// Where units can get at all; until the terrain changes.
    regions: Option<Regions>,
    /// The search over placements of everybody, if there is one, and how many may decide in it in a tick.
    live: Option<(Live, u64)>,
    /// What steps cost, if not all the same.
    guidance: Option<Guidance>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    waited: Vec<u64>,
    goals: Vec<CellId>,
    searches: Vec<SavedNearness>,
    live: Option<SavedLive>,
    guidance: Option<SavedGuidance>,
}

impl Pibt {
    /// A controller for one world; distances take at most about `memory` bytes.
    #[must_use]
    pub fn new(seed: u64, memory: usize, workers: Arc<Workers>) -> Self {
        Self {
            seed,
            memory,
            workers,
            ground: None,
            compass: Compass::new(memory),
            step: Step::new(),
            waited: Vec::new(),
            goals: Vec::new(),
            order: Vec::new(),
            fresh: Vec::new(),
            regions: None,
            live: None,
            guidance: None,
        }
    }

    /// The same by what steps cost in traffic; a direction map, if that tells, begins with what was `learned`.
    #[must_use]
    pub fn guided(mut self, source: Source, learned: Option<Learned>) -> Self {
        self.guidance = Some(Guidance::new(source, learned));
        self
    }

    /// The same as a search over placements, in which so many may decide in a tick.
    #[must_use]
    pub fn searching(mut self, pace: u64) -> Self {
        self.live = Some((Live::new(self.seed, self.memory / 2), pace));
        self.compass.keep_within(self.memory - self.memory / 2);
        self
    }

    /// Where everybody goes by the search over placements, and how many have decided in it; nothing if it cannot tell: not all are to rest in
    /// the end, somebody is late, there are others in the world, or there is not enough room.
    fn search(
        &mut self,
        ground: &Ground,
        view: &View<'_>,
        at: &[u32],
        budget: &dyn Budget,
        room: u64,
    ) -> (Option<&[u32]>, u64) {
        let Some((live, pace)) = &mut self.live else { return (None, 0) };
        let room = room.min((*pace).max(self.order.len() as u64));
        let late = self.order.iter().any(|&(.., id)| view.unit(AgentId(id)).is_late(view.tick()));
        if room < self.order.len() as u64 || late || !rest_apart(view) {
            live.clear();
            return (None, 0);
        }
        let holds: Vec<u32> = holders(view).map(|id| id.0).collect();
        let (compass, step) = (&mut self.compass, &mut self.step);
        let mut world = World { scenario: view.scenario, ground, compass, step, holds: &holds };
        let order = &self.order;
        let order = || order.iter().map(|&(.., agent)| agent).collect();
        live.advance(&mut world, at, order, budget, room)
    }

    /// Tells how many have decided, and what distances took since there were `before`.
    fn tell(&self, observer: &mut dyn Observer, decided: u64, before: u64) {
        if let Some(&(.., agent)) = self.order.first() {
            observer.expanded(AgentId(agent), SearchKind::Main, decided);
            let backwards = self.compass.expanded() - before;
            observer.expanded(AgentId(agent), SearchKind::Backwards, backwards);
        }
    }

    /// Who decides in which order: those on the way for longest first.
    fn line_up(&mut self, ground: &Ground, view: &View<'_>) {
        self.order.clear();
        self.fresh.clear();
        for &id in view.mine.iter().filter(|&&id| !view.unit(id).gone) {
            let goal = view.target(id);
            let (waited, last) = (&mut self.waited[id.index()], &mut self.goals[id.index()]);
            let arrived = view.unit(id).at == goal;
            if *last != goal {
                self.fresh.push((ground.number(goal), ground.number(view.unit(id).at)));
            }
            *waited = if arrived || *last != goal { 0 } else { waited.saturating_add(1) };
            *last = goal;
            self.order.push((!*waited, mix(self.seed ^ u64::from(id.0)), id.0));
        }
        self.order.sort_unstable();
    }
}

/// Where those stand whom others move: all cells of their bodies, at both ends of a move.
pub(crate) fn block_strangers(step: &mut Step, ground: &Ground, view: &View<'_>) {
    let mut mine = view.mine.iter().peekable();
    for agent in view.scenario.agents() {
        let unit = view.unit(agent.id);
        if mine.next_if_eq(&&agent.id).is_some() || unit.gone {
            continue;
        }
        for place in [unit.at, unit.from] {
            let body = agent.actions(view.rules()).footprint(view.grid().cell(place), Action::Wait);
            let ids = body.cells().filter_map(|cell| view.grid().id(cell));
            ids.map(|id| ground.number(id)).filter(|&cell| cell != NONE).for_each(|cell| step.block(cell));
        }
    }
}

/// Those who stay where they are whoever comes.
pub(crate) fn holders<'a>(view: &View<'a>) -> impl Iterator<Item = AgentId> + use<'a> {
    let view = *view;
    let holds = move |id: &AgentId| !view.unit(*id).gone && matches!(view.agent(*id).task, Task::Hold);
    view.mine.iter().copied().filter(holds)
}

/// Nobody is stubborn who has been on the way for less.
const PATIENCE: u64 = 128;

/// Whether who has been on the way for longest, and for so long, exchanges places with nobody now. Where traffic never ends two
/// who step back for each other may do so for ever; where only one way leads past they have to. So both are tried in turn, each
/// for twice as long as the other before.
pub(crate) const fn is_stubborn(waited: u64) -> bool {
    waited >= PATIENCE && waited.ilog2() % 2 == 1
}

/// For how many agents at once what they know is looked up.
pub(crate) const AHEAD: usize = 16;

/// Numbers beside each other end up far apart.
pub(crate) const fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Since when a unit has no way to its goal, if it has none.
pub(crate) fn cut_off(regions: &Regions, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
    let (unit, goal) = (view.unit(agent), view.target(agent));
    let [from, to] = [unit.at, goal].map(|id| view.grid().cell(id));
    (!regions.joined(unit.at, goal)).then_some((unit.until.min(view.tick()), Cause::NoWay { from, to }))
}

impl Controller for Pibt {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let (grid, units) = (view.grid(), &view.state.units);
        let ground = self.ground.take().unwrap_or_else(|| Ground::new(grid, view.rules()));
        self.waited.resize(units.len(), 0);
        self.goals.resize(units.len(), CellId::default());
        self.regions.get_or_insert_with(|| Regions::of(grid, 1));
        self.line_up(&ground, view);

        // Of a budget half is for deciding, the rest for distances.
        let limit = budget.limit();
        let (room, rest) = match limit {
            u64::MAX => (limit, limit),
            _ => (limit - limit / 2, limit / 2),
        };
        let mut at = vec![NONE; units.len()];
        for &id in view.mine.iter().filter(|&&id| !view.unit(id).gone) {
            at[id.index()] = ground.number(view.unit(id).at);
        }
        let agents = view.scenario.agents().iter();
        self.compass.aim(&ground, agents.map(|agent| ground.number(view.target(agent.id))));
        self.compass.begin();
        let before = self.compass.expanded();
        if limit == u64::MAX && self.guidance.is_none() {
            // What there is no time for is found out when it is asked for.
            self.compass.prepare(&ground, &self.fresh, budget, &self.workers);
        }
        let guided = match &mut self.guidance {
            Some(guidance) => {
                let agents = self.order.iter().map(|&(.., agent)| (agent, at[agent as usize]));
                guidance.guide(&ground, &mut self.compass, view, agents, rest / 2)
            }
            None => 0,
        };
        self.compass.count(guided);
        self.compass.allow(rest.saturating_sub(guided));
        let (next, searched) = self.search(
            &ground,
            view,
            &at,
            &Rest { whole: budget, before: self.compass.expanded() - before },
            room,
        );
        if let Some(next) = next {
            for &id in view.mine {
                let (from, to) = (at[id.index()], next[id.index()]);
                if to != from {
                    actions[id.index()] = ground.action(from, to);
                }
            }
            self.tell(observer, searched, before);
            self.ground = Some(ground);
            return;
        }
        self.step.begin(ground.len(), at, mix(self.seed ^ mix(view.tick())), room - searched);
        block_strangers(&mut self.step, &ground, view);
        for id in holders(view) {
            self.step.fix(&ground, id.0, self.step.at(id.0));
        }
        for &(.., agent) in &self.order {
            // Whoever is late stays where it is, and nobody counts on its place.
            if units[agent as usize].is_late(view.tick()) {
                self.step.fix(&ground, agent, self.step.at(agent));
            }
        }
        if let Some(&(.., agent)) = self.order.first().filter(|(waited, ..)| is_stubborn(!waited)) {
            self.step.be_stubborn(agent);
        }
        for (place, &(.., agent)) in self.order.iter().enumerate() {
            let spent = searched + self.step.decided() + self.compass.expanded() - before;
            if budget.should_stop(spent) {
                break;
            }
            if place % AHEAD == 0 {
                let soon = self.order[place..].iter().take(AHEAD).map(|&(.., agent)| agent);
                self.compass.look_up(soon.map(|agent| (agent, self.step.at(agent))));
            }
            self.step.decide(&ground, &mut self.compass, agent);
        }
        for &(.., agent) in &self.order {
            let (from, to) = (self.step.at(agent), self.step.next(agent));
            if to != NONE && to != from {
                actions[agent as usize] = ground.action(from, to);
            }
        }
        self.tell(observer, searched + self.step.decided(), before);
        self.ground = Some(ground);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.waited.resize(view.state.units.len(), 0);
        self.goals.resize(view.state.units.len(), CellId::default());
        if let Some(guidance) = &mut self.guidance {
            guidance.changed(view, change);
        }
        match change {
            Change::Terrain(_) => {
                self.live.iter_mut().for_each(|(live, _)| live.clear());
                self.guidance.iter_mut().for_each(Guidance::clear);
                self.compass.clear();
                self.ground = None;
                self.regions = None;
            }
            Change::Joined(id) | Change::Ordered(id) => self.waited[id.index()] = 0,
            Change::Left(_) | Change::Placed(_) => {}
        }
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        cut_off(self.regions.as_ref()?, view, agent)
    }

    /// It plans one step at a time; this is where steps lead that nobody is in the way of.
    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        self.ground.as_ref().map_or_else(Vec::new, |ground| self.compass.ahead(ground, view, agent))
    }

    fn directions(&self, view: &View<'_>) -> Option<Directions> {
        self.guidance.as_ref()?.learned()?.learned(view)
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        let (searches, live) = (self.compass.save(), self.live.as_ref().map(|(live, _)| live.save()));
        let guidance = self.guidance.as_ref().map(|guidance| guidance.save(&self.compass));
        let saved =
            Saved { waited: self.waited.clone(), goals: self.goals.clone(), searches, live, guidance };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let ground = Ground::new(view.grid(), view.rules());
        self.compass.load(&ground, &saved.searches, &self.workers);
        if let (Some((live, _)), Some(saved)) = (&mut self.live, saved.live)
            && !live.load(saved, view.state.units.len(), ground.len())
        {
            return Err(SnapshotError::Mismatch("its search is about another world".to_owned()));
        }
        if let (Some(guidance), Some(saved)) = (&mut self.guidance, saved.guidance) {
            guidance.load(&ground, &mut self.compass, view, saved)?;
        }
        self.ground = Some(ground);
        (self.waited, self.goals) = (saved.waited, saved.goals);
        Ok(())
    }
}
