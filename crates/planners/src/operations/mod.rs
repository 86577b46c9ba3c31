//! Priority inheritance with backtracking, several actions ahead (`epibt`): everybody takes an *operation*, a sequence of
//! actions for the next few ticks, reserves every cell of it for its tick, and does the first of its actions.
//!
//! One step ahead a unit that has to turn before it can go looks as if it came no nearer by that; with a few actions in a row it does.
//! Who has been on the way for longest decides first (`decide`): it takes the operation that brings it nearest to its goal
//! (`choices`) of those that nobody is in the way of, or one that a single unit is in the way of which comes later and finds
//! another in turn. If it finds none, the first looks further. Whoever has not decided stays where it is, so that everybody always has an operation; in the
//! next tick all begin anew. The operations themselves are listed once for every heading (`menu`).
//!
//! Source: Yukhnevich and Andreychuk, "Enhancing PIBT via multi-action operations" (2025). Here distances are those of cells, to which the
//! turns are added that the end of an operation needs before the next step; the article measures them with headings. Guarantees: deterministic; nobody collides and no move is
//! cancelled as long as nobody else is in the world; neither complete nor optimal. Cost: linear in the units, each with all its operations, some
//! microseconds a unit and tick.

mod choices;
mod decide;
mod menu;
mod table;

use crate::pibt::{Compass, Ground, NONE, SavedNearness, cut_off, mix};
use decide::Deciding;
use menu::Menu;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Dir, Motion, Observer, Regions,
    SearchKind, SnapshotError, Tick, View,
};
use throng_search::Workers;

pub(crate) use menu::LONGEST;

/// Who has been on the way for so long comes in turn by lot, which is drawn again after so many ticks: of two in a dead end, one who wants
/// to come out and one who wants to go in, the second never lets the first pass as long as it goes first.
const PATIENCE: u64 = 64;
const TURN: Tick = 32;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Ticks of an operation: 1 to 5.
    pub depth: usize,
    /// How often a unit may be asked to make way in a tick.
    pub revisits: u8,
    /// Memory for distances, in bytes.
    pub memory: usize,
}

/// The controller.
#[derive(Debug)]
pub struct Operations {
    settings: Settings,
    seed: u64,
    workers: Arc<Workers>,
    /// That of units that move in steps, then those of the four headings.
    menus: Vec<Menu>,
    /// Until the terrain changes.
    ground: Option<Ground>,
    compass: Compass,
    deciding: Deciding,
    /// By agent: for how many ticks it has been on the way to the goal that it has now.
    waited: Vec<u64>,
    /// By agent: the goal that it had in the last tick.
    goals: Vec<CellId>,
    order: Vec<(u64, u64, u32)>,
    /// Goals that are new in this tick, and from where they are asked about.
    fresh: Vec<(u32, u32)>,
    /// Where units can get at all; until the terrain changes.
    regions: Option<Regions>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    waited: Vec<u64>,
    goals: Vec<CellId>,
    searches: Vec<SavedNearness>,
}

impl Operations {
    /// A controller for one world.
    #[must_use]
    pub fn new(settings: Settings, seed: u64, workers: Arc<Workers>) -> Self {
        let turns = Motion::Turns { heading: Dir::N };
        let facing = (0..4).map(|pose| Menu::new(turns, pose, settings.depth));
        let menus = core::iter::once(Menu::new(Motion::Steps, 0, settings.depth)).chain(facing).collect();
        Self {
            settings,
            seed,
            workers,
            menus,
            ground: None,
            compass: Compass::new(settings.memory),
            deciding: Deciding::default(),
            waited: Vec::new(),
            goals: Vec::new(),
            order: Vec::new(),
            fresh: Vec::new(),
            regions: None,
        }
    }

    /// Who decides in which order: those on the way for longest first, but by lot those of whom it has been very long.
    fn line_up(&mut self, ground: &Ground, view: &View<'_>) {
        self.order.clear();
        self.fresh.clear();
        for &id in view.mine.iter().filter(|&&id| !view.unit(id).gone) {
            let (unit, goal) = (view.unit(id), view.target(id));
            let (waited, last) = (&mut self.waited[id.index()], &mut self.goals[id.index()]);
            if *last != goal {
                self.fresh.push((ground.number(goal), ground.number(unit.at)));
            }
            *waited = if unit.at == goal || *last != goal { 0 } else { waited.saturating_add(1) };
            *last = goal;
            // Whoever is late stays where it is, and nobody counts on its place.
            if !unit.is_late(view.tick()) {
                let long = (*waited).min(PATIENCE);
                let turn = if long == PATIENCE { view.tick() / TURN } else { 0 };
                self.order.push((!long, mix(self.seed ^ mix(turn) ^ u64::from(id.0)), id.0));
            }
        }
        self.order.sort_unstable();
    }

    /// Where those stand whom others move.
    fn block_strangers(&mut self, ground: &Ground, view: &View<'_>) {
        let mut mine = view.mine.iter().peekable();
        for agent in view.scenario.agents() {
            let unit = view.unit(agent.id);
            if mine.next_if_eq(&&agent.id).is_some() || unit.gone {
                continue;
            }
            for place in [unit.at, unit.from] {
                let body = agent.actions(view.rules()).footprint(view.grid().cell(place), Action::Wait);
                let ids = body.cells().filter_map(|cell| view.grid().id(cell));
                let cells = ids.map(|id| ground.number(id)).filter(|&cell| cell != NONE);
                cells.for_each(|cell| self.deciding.table.block(cell));
            }
        }
    }

    /// The number of a unit's menu.
    fn menu(motion: Motion, pose: u8) -> u8 {
        if let Motion::Turns { .. } = motion { 1 + pose % 4 } else { 0 }
    }
}

impl Controller for Operations {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        let units = &view.state.units;
        let ground = self.ground.take().unwrap_or_else(|| Ground::new(view.grid(), view.rules()));
        self.waited.resize(units.len(), 0);
        self.goals.resize(units.len(), CellId::default());
        self.regions.get_or_insert_with(|| Regions::of(view.grid(), 1));
        self.line_up(&ground, view);

        // Of a budget half is for deciding, the rest for distances.
        let limit = budget.limit();
        let (room, rest) = match limit {
            u64::MAX => (limit, limit),
            _ => (limit - limit / 2, limit / 2),
        };
        let agents = view.scenario.agents().iter();
        self.compass.aim(&ground, agents.clone().map(|agent| ground.number(view.target(agent.id))));
        self.compass.begin();
        let before = self.compass.expanded();
        if limit == u64::MAX {
            // What there is no time for is found out when it is asked for.
            self.compass.prepare(&ground, &self.fresh, budget, &self.workers);
        }
        self.compass.allow(rest);
        let mut mine = view.mine.iter().peekable();
        let stands = agents.zip(units).map(|(agent, unit)| {
            let own = mine.next_if_eq(&&agent.id).is_some() && !unit.gone;
            (if own { ground.number(unit.at) } else { NONE }, Self::menu(agent.motion, unit.pose))
        });
        let seed = mix(self.seed ^ mix(view.tick()));
        self.deciding.begin((ground.len(), self.settings.depth, seed), stands);
        self.block_strangers(&ground, view);
        for (rank, &(.., agent)) in (0..).zip(&self.order) {
            self.deciding.line_up(agent, rank);
        }
        for &(.., agent) in &self.order {
            let spent = self.deciding.turns + self.compass.expanded() - before;
            if self.deciding.turns >= room || budget.should_stop(spent) {
                break;
            }
            let how = (self.settings.depth, self.settings.revisits, room);
            self.deciding.decide((&ground, &mut self.compass), &self.menus, agent, how);
        }
        for &(.., agent) in &self.order {
            if let Some(number) = self.deciding.taken(agent) {
                let unit = &units[agent as usize];
                let menu = Self::menu(view.agent(AgentId(agent)).motion, unit.pose);
                actions[agent as usize] = self.menus[usize::from(menu)].operations[number].first;
            }
        }
        if let Some(&(.., agent)) = self.order.first() {
            observer.expanded(AgentId(agent), SearchKind::Main, self.deciding.turns);
            observer.expanded(AgentId(agent), SearchKind::Backwards, self.compass.expanded() - before);
        }
        self.ground = Some(ground);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.waited.resize(view.state.units.len(), 0);
        self.goals.resize(view.state.units.len(), CellId::default());
        match change {
            Change::Terrain(_) => {
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

    /// It plans a few ticks at a time; this is where steps lead that nobody is in the way of, turns aside.
    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        self.ground.as_ref().map_or_else(Vec::new, |ground| self.compass.ahead(ground, view, agent))
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        let searches = self.compass.save();
        let saved = Saved { waited: self.waited.clone(), goals: self.goals.clone(), searches };
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let saved: Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let ground = Ground::new(view.grid(), view.rules());
        self.compass.load(&ground, &saved.searches, &self.workers);
        self.ground = Some(ground);
        (self.waited, self.goals) = (saved.waited, saved.goals);
        Ok(())
    }
}
