//! Bodies that see a world of cells together that nobody knows, and move through it smoothly.
//!
//! They see from wherever they are, not from the middles of cells, in a cone ahead and a circle around. The space that they move
//! in has walls wherever nobody has seen an open cell, so that nothing they decide can depend on what they do not know. Each goes down the
//! landscape of the planner `explore` over the known cells, always nearer to where the known world ends: of all steps that lead nearer it
//! takes the one where heat · h + repulsion · r − potential · p is least. But it walks straight to the farthest
//! cell on that way that it can get to in a straight line, and so cuts corners.

use crate::{Body, Errand, NewBody, Settings, Space, SpaceError, World, walls};
use throng_core::space::Point;
use throng_core::{
    AgentId, Budget, Cell, CellId, Connectivity, Draw as _, Grid, GridError, Observer, Seen, Sight, stream,
};
use throng_search::landscape::{Blocks, Frontier, Heat, Hill, Hills, Slope, Weights};
use throng_search::vision::{Facing, Spot, Vision, VisionError};

/// A step farther from the frontier, in the numbers of hills.
const STEP: i32 = 100_000;
/// The draw of one unknown block where it is strongest.
const DRAW: i32 = STEP / 4;
/// Side of those blocks, and how far they draw, in cells.
const BLOCK: usize = 8;
const REACH: u32 = 32;
/// How far bodies repel each other, in cells.
const APART: u32 = 12;
/// So many cells of the way down are looked at.
const AHEAD: usize = 24;
/// What a direction is counted in.
const FINE: f64 = 1024.0;
/// After so many times its patience without coming any nearer a body goes back some cells and looks for another way.
const LONG: f64 = 5.0;
/// But it has the time to go so many cells.
const CELLS: f64 = 20.0;

/// Why an expedition is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What was looked for has been seen.
    Found,
    /// All that anybody can reach has been seen.
    Explored,
}

/// How much has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Cells that have been seen, walls included.
    pub seen: usize,
    /// Cells that have not.
    pub unseen: usize,
    /// Seen open cells beside unseen ones.
    pub frontier: usize,
}

/// Why there is no such expedition.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExpeditionError {
    /// The eyes are none.
    #[error(transparent)]
    Vision(#[from] VisionError),
    /// The bodies, or where they are.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// There is no map of that size to draw what is known on.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// What is seen is forgotten, or not shared: that is of the grid alone.
    #[error("bodies of continuous space share what they see and forget nothing")]
    Memory,
}

/// Bodies that explore a world of cells together.
#[derive(Debug)]
pub struct Expedition {
    /// The world as it is.
    grid: Grid,
    sight: Sight,
    vision: Vision,
    hidden: Option<Cell>,
    /// The world as it is known: all that has not been seen is closed.
    known: Grid,
    seen: Seen,
    frontier: Frontier,
    heat: Heat,
    blocks: Blocks,
    hills: Hills,
    weights: Weights,
    /// By body: where its hill stands, where it looks and what it is after.
    explorers: Vec<Explorer>,
    world: World,
    ending: Option<Ending>,
}

#[derive(Clone, Copy, Debug)]
struct Explorer {
    at: Cell,
    facing: Facing,
    /// From where and which way it last looked: there is nothing new to see from there.
    looked: Option<(Point, Facing)>,
    aim: Option<CellId>,
    /// The least number of steps to the frontier since it has had that, and since when.
    least: u32,
    since: u64,
}

impl Expedition {
    /// Bodies that stand in a world of cells of which they know what they see from there. `hidden` is what they look for; if nothing,
    /// they explore all of it. Errands of bodies do not matter.
    pub fn new(
        grid: Grid,
        sight: Sight,
        hidden: Option<Cell>,
        weights: Weights,
        settings: Settings,
        bodies: Vec<NewBody>,
    ) -> Result<Self, ExpeditionError> {
        if sight.fading.is_some() || !sight.shared || sight.map_known {
            return Err(ExpeditionError::Memory);
        }
        let vision = Vision::new(sight.radius, sight.angle, sight.circle())?;
        let closed = vec![b'@'; grid.width() * grid.height()];
        let known = Grid::new(grid.width(), grid.height(), &closed, grid.policy())?;
        let held =
            bodies.into_iter().map(|body| NewBody { errand: Errand::Goals(vec![body.pose.at]), ..body });
        let bodies: Vec<NewBody> = held.collect();
        // Whatever is wrong with bodies is told before anybody looks around.
        let nowhere = Space::new(Point::ZERO, size(&grid), Vec::new())?;
        let world = World::new(nowhere, settings, bodies.clone())?;
        let explorer = |body: &NewBody| Explorer {
            at: cell_of(body.pose.at),
            facing: Facing::default(),
            looked: None,
            aim: None,
            least: u32::MAX,
            since: 0,
        };
        let explorers: Vec<Explorer> = bodies.iter().map(explorer).collect();
        let push = Hill { radius: APART, peak: STEP, square: false };
        let draw = Hill { radius: REACH, peak: DRAW, square: true };
        let mut expedition = Self {
            seen: Seen::none(grid.len()),
            frontier: Frontier::new(&known),
            heat: Heat::new(&known, Connectivity::Eight),
            blocks: Blocks::new(&known, BLOCK, draw),
            hills: Hills::new(&known, push),
            world,
            grid,
            sight,
            vision,
            hidden,
            known,
            weights,
            explorers,
            ending: None,
        };
        for (id, body) in bodies.iter().enumerate() {
            let cell = expedition.explorers[id].at;
            expedition.hills.add(&expedition.known, cell, 1);
            expedition.look(id, body.pose.at);
        }
        expedition.world = World::new(expedition.space(), settings, bodies)?;
        expedition.survey();
        expedition.lead();
        Ok(expedition)
    }

    /// One step: all move, all look, and whoever has something new to go for is sent there.
    pub fn step(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) {
        if self.ending.is_some() {
            return;
        }
        self.world.step(budget, observer);
        let moved: Vec<(Point, Point)> =
            self.world.bodies().iter().map(|body| (body.pose().at, body.velocity())).collect();
        let before = self.seen.len();
        let opened = self.look_around(&moved);
        if self.seen.len() > before {
            if opened {
                self.world.open_up(self.space());
            }
            self.survey();
        }
        self.lead();
    }

    /// A step as it happened before: all are at these places now, and look. They are led nowhere, and their world stays as it was;
    /// what has been seen then, and how it ends, is told as of any other. Who is said to be off the map sees nothing new.
    pub fn retrace(&mut self, places: &[Point]) {
        if self.ending.is_some() {
            return;
        }
        let came = |(explorer, &at): (&Explorer, &Point)| {
            let from = explorer.looked.map_or(at, |(from, _)| from);
            let at = if at.is_sound() && self.grid.contains(cell_of(at)) { at } else { from };
            (at, at - from)
        };
        let moved: Vec<(Point, Point)> = self.explorers.iter().zip(places).map(came).collect();
        let before = self.seen.len();
        self.look_around(&moved);
        if self.seen.len() > before {
            self.survey();
        }
    }

    /// All are at these places, have come this way, and look: whether anybody sees an open cell that nobody has seen.
    fn look_around(&mut self, moved: &[(Point, Point)]) -> bool {
        let mut opened = false;
        for (id, &(at, way)) in moved.iter().enumerate() {
            if let Some(dir) = way.unit() {
                self.explorers[id].facing =
                    Facing { dx: (dir.x * FINE).round() as i32, dy: (dir.y * FINE).round() as i32 };
            }
            let (from, to) = (self.explorers[id].at, cell_of(at));
            if from != to {
                self.hills.shift(&self.known, from, to);
                self.explorers[id].at = to;
            }
            opened |= self.look(id, at);
        }
        opened
    }

    /// Why it is over; nothing while it is not.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Whether they look for something.
    #[must_use]
    pub const fn seeks(&self) -> bool {
        self.hidden.is_some()
    }

    /// The bodies, in a space in which all that nobody has seen is wall.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The cells that have been seen.
    #[must_use]
    pub const fn seen(&self) -> &Seen {
        &self.seen
    }

    /// How much has been seen.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let cells = self.grid.width() * self.grid.height();
        Coverage { seen: self.seen.len(), unseen: cells - self.seen.len(), frontier: self.frontier.len() }
    }

    /// The same on so many threads.
    #[must_use]
    pub fn on_threads(mut self, threads: usize) -> Self {
        self.world = self.world.on_threads(threads);
        self
    }

    /// What is known of the space.
    fn space(&self) -> Space {
        self.world.space().with_walls(walls(&self.known))
    }

    /// A body looks around from where it is: whether it sees an open cell that nobody has seen.
    fn look(&mut self, id: usize, at: Point) -> bool {
        let looks = Some((at, self.explorers[id].facing));
        if core::mem::replace(&mut self.explorers[id].looked, looks) == looks {
            return false;
        }
        let mut news = Vec::new();
        let Self { grid, seen, vision, sight, explorers, .. } = self;
        let unit = f64::from(Spot::UNIT);
        let spot = Spot { x: (at.x * unit).floor() as i32, y: (at.y * unit).floor() as i32 };
        let facing = explorers[id].facing;
        let mut tell = |cell: CellId| {
            if seen.insert(cell) {
                news.push(cell);
            }
        };
        if sight.line_of_sight {
            vision.from_spot(grid, spot, facing, &mut tell);
        } else {
            vision.through_walls(grid, cell_of(at), facing, &mut tell);
        }
        // From the end on: how much room there is at a cell follows from those to the right and below.
        news.sort_unstable_by(|a, b| b.cmp(a));
        for &cell in &news {
            let letter = if self.grid.is_open_id(cell) { b'.' } else { b'@' };
            let _ = self.known.set_letter(cell, letter);
            self.blocks.reveal(&self.known, self.known.cell(cell));
        }
        let Self { known, seen, frontier, .. } = self;
        for &cell in &news {
            frontier.update(known, |cell| seen.contains(cell), cell, |_, _| {});
        }
        news.iter().any(|&cell| self.known.is_open_id(cell))
    }

    /// Something new has been seen: how far it is to the frontier from everywhere, and whether that was all.
    fn survey(&mut self) {
        self.heat.build(&self.known, self.frontier.cells());
        let found = self.hidden.and_then(|cell| self.grid.id(cell)).is_some_and(|id| self.seen.contains(id));
        let nearer =
            |explorer: &Explorer| self.grid.id(explorer.at).is_some_and(|id| self.heat.steps(id).is_some());
        self.ending = if found {
            Some(Ending::Found)
        } else {
            (!self.explorers.iter().any(nearer)).then_some(Ending::Explored)
        };
    }

    /// Sends everybody somewhere who has got where it was sent, or whose aim leads nowhere new any more.
    fn lead(&mut self) {
        if self.ending.is_some() {
            return;
        }
        let (now, Settings { step, patience, .. }) = (self.world.steps(), *self.world.settings());
        let long = |body: &Body| ((LONG * patience).max(CELLS / body.speed()) / step) as u64;
        for id in 0..self.explorers.len() {
            let Explorer { at, aim, least, since, .. } = self.explorers[id];
            let Some(here) = self.known.id(at) else { continue };
            let steps = self.heat.steps(here).unwrap_or(u32::MAX);
            if steps < least {
                (self.explorers[id].least, self.explorers[id].since) = (steps, now);
            }
            let arrived = self.world.bodies()[id].has_arrived();
            let stale =
                aim.is_none_or(|aim| self.heat.steps(aim).is_none_or(|left| left >= steps && left > 0));
            let stuck = now > since.saturating_add(long(&self.world.bodies()[id]));
            if !(arrived || stale || stuck) {
                continue;
            }
            let next = if stuck { self.anywhere(id) } else { self.down(id, here) };
            let explorer = &mut self.explorers[id];
            (explorer.aim, explorer.least, explorer.since) = (next, u32::MAX, now);
            let Some(next) = next else { continue };
            let middle = middle(self.known.cell(next));
            // Where somebody rests, or there is no room: it tries again.
            let _ = self.world.send(AgentId(id as u32), Errand::Goals(vec![middle]));
        }
    }

    /// The farthest cell on the way down that a body can get to in a straight line; if there is none, the first.
    fn down(&self, id: usize, from: CellId) -> Option<CellId> {
        let own = self.hills.hill();
        let start = self.known.cell(from);
        let slope = Slope {
            heat: &self.heat,
            potential: |id: CellId| self.blocks.height(id),
            repulsion: &self.hills,
            weights: self.weights,
        };
        let height = |cell: CellId| {
            let at = self.known.cell(cell);
            let mine = i64::from(own.height(at.x - start.x, at.y - start.y));
            Some(slope.height(cell)?.saturating_sub(self.weights.repulsion.saturating_mul(mine)))
        };
        let (mut at, mut farthest) = (from, None);
        for _ in 0..AHEAD {
            let steps = self.heat.steps(at)?;
            if steps == 0 {
                // On the frontier: what is beyond is seen from the middle of the cell.
                return farthest.or(Some(at));
            }
            let cell = self.known.cell(at);
            let around = throng_core::Dir::ALL.into_iter().filter_map(|dir| self.known.id(cell.step(dir)));
            let nearer = around.filter(|&next| self.heat.steps(next).is_some_and(|left| left < steps));
            let next = nearer.filter_map(|next| Some((height(next)?, next))).min()?.1;
            if farthest.is_some() && !self.world.goes_straight(id, middle(self.known.cell(next))) {
                break;
            }
            (at, farthest) = (next, Some(next));
        }
        farthest
    }

    /// Any known cell near a body, for one that cannot get on.
    fn anywhere(&self, id: usize) -> Option<CellId> {
        let Cell { x, y } = self.explorers[id].at;
        let mut dice = stream(0, AgentId(id as u32), self.world.steps());
        let mut near = || dice.below(9) as i32 - 4;
        let tries: Vec<Cell> = (0..16).map(|_| Cell::new(x + near(), y + near())).collect();
        tries.into_iter().find(|&cell| self.known.is_open(cell)).and_then(|cell| self.known.id(cell))
    }
}

fn cell_of(at: Point) -> Cell {
    Cell::new(at.x.floor() as i32, at.y.floor() as i32)
}

fn middle(cell: Cell) -> Point {
    Point::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

fn size(grid: &Grid) -> Point {
    Point::new(grid.width() as f64, grid.height() as f64)
}
