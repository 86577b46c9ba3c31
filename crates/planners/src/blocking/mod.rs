//! Standing in others' way (`blocker`): the antagonist.
//!
//! A blocker believes that others want to get where it was sent, and tries to keep them from it. It looks for the one of
//! another team who is nearest to that place and still moving, foresees the shortest way that this one would take, and goes to
//! stand in it where it is narrowest, at a place that it can get to first. Whoever leaves the way that was foreseen is
//! foreseen anew. When it has stood in the way for long it lets everybody go for a while, and who has stood still that long is left
//! alone; when nobody is left, the blocker goes to its own goal. It walks as `lra` does, and without anybody of another team it is nothing else.
//!
//! Source: "antagonist pathfinding" in Astengo-Noguez and Calzada Gómez, "Collective Pathfinding in Dynamic Environments",
//! which names it and leaves it open.
//! Cost of a tick: that of `lra`, and an A* for every blocker whose quarry has left the way that was foreseen.
//! Guarantees: deterministic; nothing else.

use crate::repair::{LocalRepair, Settings as RepairSettings};
use serde::{Deserialize, Serialize};
use throng_core::{
    Action, Agent, AgentId, Budget, Cause, Cell, CellId, Change, Connectivity, Controller, Dir, Observer,
    Scenario, SearchKind, SnapshotError, Task, Tick, View,
};
use throng_search::{AStar, GridGraph};

/// The most expansions that go into foreseeing one way.
const LOOK: u64 = 1 << 14;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Who has stood in others' way for so many ticks lets everybody go for four times as many; who has stood still for
    /// so many is left alone.
    pub patience: u32,
    /// How it walks.
    pub walk: RepairSettings,
}

/// What a blocker has in mind.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Plot {
    /// Against whom.
    quarry: Option<AgentId>,
    /// The way that this one is to take, from where it was.
    way: Vec<CellId>,
    /// Where to stand; its own goal if there is nothing here.
    post: Option<CellId>,
    /// Since when it stands there, and for how long it has stood at others since it last let somebody go.
    since: Option<Tick>,
    stood: Tick,
    /// Who was let go, and until when.
    free: Vec<(AgentId, Tick)>,
}

impl Plot {
    /// It no longer stands at its post; how long it has counts as long as there is somebody to bar.
    const fn leave_post(&mut self, now: Tick) {
        if let Some(since) = self.since.take() {
            self.stood = self.stood.saturating_add(now.saturating_sub(since));
        }
        if self.quarry.is_none() {
            self.stood = 0;
        }
    }
}

/// The controller.
#[derive(Debug)]
pub struct Blocker {
    settings: Settings,
    /// By agent.
    plots: Vec<Plot>,
    walk: LocalRepair<AStar>,
    search: AStar,
    /// The world as it is, with posts for goals. Scratch.
    world: Option<Scenario>,
    path: Vec<Action>,
}

impl Blocker {
    /// A controller for one world.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            plots: Vec::new(),
            walk: LocalRepair::new(settings.walk, AStar::new()),
            search: AStar::new(),
            world: None,
            path: Vec::new(),
        }
    }

    /// The agent with its post for a goal.
    fn posted(&self, view: &View<'_>, id: AgentId) -> Agent {
        let agent = view.agent(id).clone();
        let post = self.plots.get(id.index()).and_then(|plot| plot.post).map(|post| view.grid().cell(post));
        match post {
            Some(post) if !matches!(agent.task, Task::Hold) => Agent { task: Task::Goal(post), ..agent },
            _ => agent,
        }
    }

    /// The world with posts for goals.
    fn prepare(&mut self, view: &View<'_>) {
        if self.world.is_none() {
            let mut world = view.scenario.clone();
            for &id in view.mine {
                let _ = world.adopt(self.posted(view, id));
            }
            self.world = Some(world);
        }
    }

    /// The one to stand in the way of: nearest to where the blocker was sent, and moving; rather one whom no other bars.
    fn quarry(&self, view: &View<'_>, id: AgentId) -> Option<AgentId> {
        let (now, goal) = (view.tick(), view.grid().cell(view.target(id)));
        let moves = |other: AgentId| {
            let moved = view.sighting(other)?.moved;
            let free = self.plots[id.index()].free.iter().any(|&(who, until)| who == other && now < until);
            (now < moved + Tick::from(self.settings.patience) && !free).then_some(())
        };
        let far = |other: AgentId| steps(view, view.unit(other).at, goal);
        let others = (0..view.state.units.len() as u32).map(AgentId);
        let known = others.filter(|&other| view.is_stranger(other) && !view.unit(other).gone);
        let barred = |other: AgentId| {
            view.mine.iter().any(|&mate| mate != id && self.plots[mate.index()].quarry == Some(other))
        };
        known.filter(|&other| moves(other).is_some()).min_by_key(|&other| (barred(other), far(other), other))
    }

    /// Lets everybody go when a blocker has stood in the way for long. All of them at once: who stands in a door bars them
    /// all, whomever it has in mind, and to let them go one by one would leave it standing there for ever.
    fn lose_patience(&mut self, view: &View<'_>, id: AgentId) {
        let (now, patience) = (view.tick(), Tick::from(self.settings.patience));
        let plot = &mut self.plots[id.index()];
        plot.free.retain(|&(_, until)| now < until);
        if plot.quarry.is_none() || plot.post != Some(view.unit(id).at) {
            plot.leave_post(now);
        } else if plot.stood.saturating_add(now.saturating_sub(*plot.since.get_or_insert(now))) >= patience {
            let others = (0..view.state.units.len() as u32).map(AgentId);
            let known = others.filter(|&other| view.is_stranger(other) && !view.unit(other).gone);
            plot.free = known.map(|other| (other, now + 4 * patience)).collect();
            (plot.since, plot.stood) = (None, 0);
        }
    }

    /// Thinks about one blocker; answers the expansions that this took.
    fn plot(&mut self, view: &View<'_>, id: AgentId, room: u64) -> u64 {
        self.lose_patience(view, id);
        let quarry = self.quarry(view, id);
        let plot = &self.plots[id.index()];
        let goal = view.target(id);
        let foreseen =
            |other: AgentId| plot.way.contains(&view.unit(other).at) && plot.way.last() == Some(&goal);
        if plot.quarry == quarry && quarry.is_none_or(foreseen) {
            return 0;
        }
        let mut new =
            Plot { quarry, free: plot.free.clone(), since: plot.since, stood: plot.stood, ..Plot::default() };
        let before = self.search.expanded();
        if let Some(other) = quarry {
            let agent = view.agent(other);
            let graph = GridGraph::of(view.grid(), view.rules(), agent);
            let start = view.unit(other).at;
            self.search.allow(room.min(LOOK));
            let found = self.search.path(&graph, start.0, goal.0, 0, |_| Some(0), &mut self.path);
            if found.is_some() {
                new.way.push(start);
                for action in &self.path {
                    let at = *new.way.last().unwrap_or(&start);
                    new.way.extend(action.dir().map(|dir| view.grid().neighbour(at, dir)));
                }
            }
            new.post = post(view, id, other, &new.way);
        }
        if self.plots[id.index()].post != new.post {
            new.leave_post(view.tick());
        }
        self.plots[id.index()] = new;
        let agent = self.posted(view, id);
        if let Some(world) = &mut self.world
            && world.agent(id) != &agent
        {
            let _ = world.adopt(agent);
            let posted = View { scenario: world, ..*view };
            self.walk.changed(&posted, Change::Ordered(id));
        }
        self.search.expanded() - before
    }
}

/// Where to stand in a way: at its narrowest, of which the first, where the blocker can be before the other.
fn post(view: &View<'_>, id: AgentId, other: AgentId, way: &[CellId]) -> Option<CellId> {
    let step = |id: AgentId| view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N));
    let (own, theirs) = (step(id), step(other));
    let from = view.unit(id).at;
    let width = |cell: CellId| (view.grid().exits(cell) & Connectivity::Four.mask()).count_ones();
    let fits = |cell: CellId| view.grid().fits(view.grid().cell(cell), view.agent(id).body);
    let first =
        |place: usize, cell: CellId| steps(view, from, view.grid().cell(cell)) * own < place as u32 * theirs;
    let places = way.iter().copied().enumerate().skip(1);
    let within = places.filter(|&(place, cell)| cell == from || (fits(cell) && first(place, cell)));
    within.min_by_key(|&(place, cell)| (width(cell), place)).map(|(_, cell)| cell)
}

/// Steps between two places at least.
fn steps(view: &View<'_>, from: CellId, to: throng_core::Cell) -> u32 {
    let from = view.grid().cell(from);
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    match view.rules().connectivity {
        Connectivity::Four => dx + dy,
        Connectivity::Eight => dx.max(dy),
    }
}

/// What is left of a budget.
struct Left<'a> {
    whole: &'a dyn Budget,
    spent: u64,
}

impl Budget for Left<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        self.whole.should_stop(self.spent + spent)
    }

    fn limit(&self) -> u64 {
        match self.whole.limit() {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(self.spent),
        }
    }

    fn is_tight(&self) -> bool {
        self.whole.is_tight()
    }
}

impl Controller for Blocker {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.plots.resize(view.state.units.len(), Plot::default());
        self.prepare(view);
        let mut spent = 0;
        for &id in view.mine {
            if !view.unit(id).stands(view.tick()) || budget.should_stop(spent) {
                continue;
            }
            let room = if budget.limit() == u64::MAX { u64::MAX } else { budget.limit() - spent };
            let used = self.plot(view, id, room);
            if used > 0 {
                observer.expanded(id, SearchKind::Main, used);
            }
            spent += used;
        }
        let Some(world) = &self.world else { return };
        let posted = View { scenario: world, ..*view };
        self.walk.decide(&posted, &Left { whole: budget, spent }, observer, actions);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.plots.resize(view.state.units.len(), Plot::default());
        match change {
            // Everybody thinks again.
            Change::Terrain(_) => self.plots.iter_mut().for_each(|plot| plot.way.clear()),
            Change::Joined(id) | Change::Left(id) | Change::Ordered(id) | Change::Placed(id) => {
                self.plots[id.index()] = Plot::default();
            }
        }
        self.world = None;
        self.prepare(view);
        if let Some(world) = &self.world {
            self.walk.changed(&View { scenario: world, ..*view }, change);
        }
    }

    fn save(&self, view: &View<'_>) -> Vec<u8> {
        postcard::to_allocvec(&(&self.plots, self.walk.save(view))).unwrap_or_default()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (plots, walk): (Vec<Plot>, Vec<u8>) =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let inside =
            |cell: &CellId| cell.index() < view.grid().len() && view.grid().contains(view.grid().cell(*cell));
        let fits = |plot: &Plot| plot.way.iter().chain(&plot.post).all(inside);
        if plots.len() > view.state.units.len() || !plots.iter().all(fits) {
            return Err(SnapshotError::Mismatch("the posts of its blockers".to_owned()));
        }
        (self.plots, self.world) = (plots, None);
        self.prepare(view);
        let Some(world) = &self.world else { return Ok(()) };
        self.walk.load(&View { scenario: world, ..*view }, &walk)
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        let world = self.world.as_ref()?;
        let posted = View { scenario: world, ..*view };
        match self.plots.get(agent.index()).and_then(|plot| plot.quarry) {
            Some(quarry) if view.unit(agent).at == posted.target(agent) => {
                Some((view.unit(agent).until.min(view.tick()), Cause::Bars { whom: quarry }))
            }
            _ => self.walk.explain(&posted, agent),
        }
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        let Some(world) = &self.world else { return Vec::new() };
        self.walk.intended(&View { scenario: world, ..*view }, agent)
    }
}
