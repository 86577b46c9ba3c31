//! What is known of the world, as explorers need it: where they can walk, where that ends, and what draws and repels them.
//!
//! All of it follows from what has been seen and from who is where, so that nothing here is saved but how far the search for
//! distances has come.

use super::Settings;
use throng_core::{AgentId, Cell, CellId, Dir, Field, Grid, Seen, Source, Tick, View};
use throng_search::landscape::{Blocks, Frontier, Heat, Hill, Hills, Margin, Slope, Weights};

/// A step farther from the frontier, in the numbers of hills.
pub(super) const STEP: i32 = 100_000;
/// The draw of one unknown block where it is strongest: a quarter of a step.
const DRAW: i32 = STEP / 4;

#[derive(Debug)]
pub(super) struct Chart {
    /// The world with all that has not been seen closed, and so what somebody blocks for good.
    pub(super) grid: Grid,
    pub(super) frontier: Frontier,
    pub(super) heat: Heat,
    /// Cells that the search for distances has looked at since it began anew.
    pub(super) spent: u64,
    /// When something new was last seen.
    pub(super) news: Tick,
    seen: Seen,
    /// Whether more may be in sight from somewhere than before: something has opened, or is unknown again.
    pub(super) widened: bool,
    /// Cells that have closed or opened since.
    dirty: Vec<CellId>,
    /// Cells that somebody blocks who stays, in order.
    pub(super) shut: Vec<CellId>,
    /// Since when there is none that was not there before.
    pub(super) shut_since: Tick,
    blocks: Option<Blocks>,
    /// What walls that are known repel, if they do.
    walls: Option<Margin>,
    hills: Hills,
    /// By agent: where its hill stands.
    places: Vec<Option<Cell>>,
    /// Resources and dangers that are known, and by cell what they come to; nothing if they do not count.
    sources: Vec<Source>,
    drawn: Vec<i32>,
}

impl Chart {
    pub(super) fn new(view: &View<'_>, settings: &Settings) -> Self {
        let grid = closed(view.grid());
        let draw = Hill { radius: settings.reach, peak: DRAW, square: true };
        let draws = settings.weights.potential != 0;
        let blocks = draws.then(|| Blocks::new(&grid, settings.block as usize, draw));
        let repels = settings.weights.repulsion != 0;
        let push =
            Hill { radius: if repels { settings.radius } else { 1 }, peak: settings.strength, square: false };
        let keep = Hill { radius: settings.margin, peak: STEP, square: false };
        Self {
            walls: (settings.walls != 0).then(|| Margin::new(&grid, keep)),
            frontier: Frontier::new(&grid),
            heat: Heat::new(&grid, view.rules().connectivity),
            spent: 0,
            news: view.tick(),
            seen: Seen::none(grid.len()),
            widened: false,
            dirty: Vec::new(),
            shut: Vec::new(),
            shut_since: 0,
            blocks,
            hills: Hills::new(&grid, push),
            places: Vec::new(),
            sources: Vec::new(),
            drawn: vec![0; if settings.sources == 0 { 0 } else { grid.len() }],
            grid,
        }
    }

    /// A cell has closed or opened.
    pub(super) fn touch(&mut self, cell: CellId, open: bool) {
        // What turns out to be a wall only hides more.
        self.widened |= open;
        self.dirty.push(cell);
    }

    /// Whether it knows all that there is to know, so that nothing has to begin anew.
    pub(super) fn is_current(&self, view: &View<'_>) -> bool {
        self.dirty.is_empty() && view.seen.is_none_or(|seen| *seen == self.seen)
    }

    /// When something new was last seen, with what nobody has taken over yet: that is as new as the tick to come.
    pub(super) fn news_by_now(&self, view: &View<'_>) -> Tick {
        let mut new = false;
        if let Some(seen) = view.seen {
            seen.differences(&self.seen, |cell| new |= seen.contains(cell));
        }
        if new { view.tick() } else { self.news }
    }

    /// Takes note of a cell that somebody blocks who stays, or of one that is free again.
    pub(super) fn shut(&mut self, cell: CellId, shut: bool) {
        match (self.shut.binary_search(&cell), shut) {
            (Ok(place), false) => {
                self.shut.remove(place);
            }
            (Err(place), true) => self.shut.insert(place, cell),
            _ => return,
        }
        self.dirty.push(cell);
    }

    /// Takes over what has been seen since.
    pub(super) fn update(&mut self, view: &View<'_>) {
        let mut changed = core::mem::take(&mut self.dirty);
        let everything;
        let seen = match view.seen {
            Some(seen) => seen,
            None => {
                everything = all(view.grid());
                &everything
            }
        };
        let told = changed.len();
        seen.differences(&self.seen, |cell| changed.push(cell));
        for &id in &changed[told..] {
            let cell = self.grid.cell(id);
            if seen.contains(id) {
                self.seen.insert(id);
                self.news = view.tick();
                self.blocks.iter_mut().for_each(|blocks| blocks.reveal(&self.grid, cell));
            } else {
                self.widened = true;
                self.seen.remove(id);
                self.blocks.iter_mut().for_each(|blocks| blocks.conceal(&self.grid, cell));
            }
        }
        // From the end on: how much room there is at a cell follows from those to the right and below.
        changed.sort_unstable_by(|a, b| b.cmp(a));
        for &id in &changed {
            let (known, ground) = (seen.contains(id), view.grid().is_open_id(id));
            let open = known && ground && self.shut.binary_search(&id).is_err();
            self.walls.iter_mut().for_each(|walls| walls.set(&self.grid, id, known && !ground));
            let _ = self.grid.set_letter(id, if open { b'.' } else { b'@' });
        }
        for &id in &changed {
            self.frontier.update(&self.grid, |cell| seen.contains(cell), id, |_, _| {});
        }
        // Whether that makes a difference is not asked: what was saved in between knows nothing of it either.
        if !changed.is_empty() {
            self.heat.begin(&self.grid, self.frontier.cells());
            self.spent = 0;
        }
        changed.clear();
        self.dirty = changed;
    }

    /// Takes over the resources and dangers that are known by now.
    pub(super) fn weigh(&mut self, view: &View<'_>) {
        let known = view.scenario.sources();
        if self.drawn.is_empty() || self.sources == known {
            return;
        }
        let gone = self.sources.iter().filter(|source| known.binary_search(source).is_err());
        let new = known.iter().filter(|source| self.sources.binary_search(source).is_err());
        for (source, times) in gone.map(|source| (source, -1)).chain(new.map(|source| (source, 1))) {
            let Source { cell: middle, strength, radius } = *source;
            let hill = Hill { radius, peak: strength * (STEP / 1000), square: false };
            let reach = radius as i32;
            for y in middle.y - reach..=middle.y + reach {
                for x in middle.x - reach..=middle.x + reach {
                    let Some(id) = self.grid.id(Cell::new(x, y)) else { continue };
                    let drawn = &mut self.drawn[id.index()];
                    *drawn = drawn.saturating_add(times * hill.height(x - middle.x, y - middle.y));
                }
            }
        }
        self.sources = known.to_vec();
    }

    /// Whether something is known that draws or keeps away.
    pub(super) fn is_drawn(&self) -> bool {
        !self.drawn.is_empty() && !self.sources.is_empty()
    }

    /// What resources and dangers come to at a cell.
    pub(super) fn drawn(&self, id: CellId) -> i64 {
        self.drawn.get(id.index()).map_or(0, |&drawn| i64::from(drawn))
    }

    /// Explorers are where they are by now.
    pub(super) fn stand(&mut self, places: impl Iterator<Item = (usize, Option<Cell>)>) {
        for (agent, place) in places {
            if self.places.len() <= agent {
                self.places.resize(agent + 1, None);
            }
            let before = core::mem::replace(&mut self.places[agent], place);
            if before != place {
                before.into_iter().for_each(|cell| self.hills.add(&self.grid, cell, -1));
                place.into_iter().for_each(|cell| self.hills.add(&self.grid, cell, 1));
            }
        }
    }

    /// Goes on with the search for distances until it has come to all `wanted`.
    pub(super) fn spread(&mut self, wanted: &[CellId], most: u64) -> (u64, bool) {
        let (used, known) = self.heat.spread(&self.grid, wanted, most);
        self.spent += used;
        (used, known)
    }

    /// Brings the search for distances to where it was.
    pub(super) fn catch_up(&mut self, spent: u64) {
        self.spent = self.heat.advance(&self.grid, spent);
    }

    /// The cells that lead from one to the frontier, as far as the heat is known.
    pub(super) fn descent<'a>(&'a self, view: &View<'_>, from: CellId) -> impl Iterator<Item = CellId> + 'a {
        let moves = view.rules().connectivity.mask();
        core::iter::successors(Some(from), move |&at| {
            let steps = self.heat.steps(at)?;
            let exits = self.grid.exits(at) & moves;
            let dirs = Dir::ALL.into_iter().filter(|&dir| exits >> dir as u8 & 1 != 0);
            let beside = dirs.map(|dir| self.grid.neighbour(at, dir));
            beside
                .filter_map(|id| Some((self.heat.steps(id)?, id)))
                .find(|&(near, _)| near < steps)
                .map(|(_, id)| id)
        })
        .skip(1)
    }

    /// How strongly the unknown draws at a cell.
    fn draw(&self, id: CellId) -> i32 {
        self.blocks.as_ref().map_or(0, |blocks| blocks.height(id))
    }

    /// What walls come to at a cell.
    fn near_walls(&self, id: CellId) -> i64 {
        self.walls.as_ref().map_or(0, |walls| i64::from(walls.height(id)))
    }

    /// What of the hills at a cell is the own one of a unit that stands at `from`.
    fn own(&self, agent: usize, from: Cell, id: CellId) -> i32 {
        let at = self.grid.cell(id);
        match self.places.get(agent).copied().flatten() {
            Some(place) if place == from => self.hills.hill().height(at.x - from.x, at.y - from.y),
            _ => 0,
        }
    }

    /// A field by cell, for a unit that stands at `from`; nothing if it does not count.
    pub(super) fn field(
        &self,
        settings: &Settings,
        agent: AgentId,
        from: Cell,
        field: Field,
    ) -> Option<Vec<Option<i64>>> {
        let Weights { heat, potential, repulsion } = settings.weights;
        let counts = match field {
            Field::Heat | Field::Height => true,
            Field::Potential => potential != 0 || self.is_drawn(),
            Field::Repulsion => repulsion != 0,
        };
        let thousandths = |height: i64| height * 1000 / i64::from(STEP);
        let value = |id: CellId| match field {
            Field::Heat => self.heat.steps(id).map(|steps| 1000 * i64::from(steps)),
            Field::Potential => Some(thousandths(i64::from(self.draw(id)) + self.drawn(id))),
            Field::Repulsion => {
                Some(thousandths(i64::from(self.hills.height(id) - self.own(agent.index(), from, id))))
            }
            Field::Height => {
                let height = self.height(settings, agent.index(), from, id)?;
                // A step of heat counts so much; where heat counts nothing, as much as it would by default.
                let step = if heat == 0 { 10_000 * i64::from(STEP) } else { heat.abs() };
                Some((i128::from(height) * 1000 / i128::from(step)) as i64)
            }
        };
        let cells = (0..self.grid.len() as u32).map(CellId);
        counts.then(|| cells.map(|id| value(id).filter(|_| self.seen.contains(id))).collect())
    }

    /// How high a cell lies for a unit that stands at `from`, which its own hill does not repel.
    pub(super) fn height(&self, settings: &Settings, agent: usize, from: Cell, id: CellId) -> Option<i64> {
        let draw = |id: CellId| self.draw(id);
        let slope =
            Slope { heat: &self.heat, potential: draw, repulsion: &self.hills, weights: settings.weights };
        let height = slope.height(id)?;
        let own = self.own(agent, from, id);
        let height = height.saturating_sub(settings.sources.saturating_mul(self.drawn(id)));
        let height = height.saturating_add(settings.walls.saturating_mul(self.near_walls(id)));
        Some(height.saturating_sub(settings.weights.repulsion.saturating_mul(i64::from(own))))
    }
}

/// A map of the same size without an open cell.
fn closed(grid: &Grid) -> Grid {
    let walls = vec![b'@'; grid.width() * grid.height()];
    Grid::new(grid.width(), grid.height(), &walls, grid.policy()).unwrap_or_else(|_| grid.clone())
}

/// All cells of a map.
fn all(grid: &Grid) -> Seen {
    let mut seen = Seen::none(grid.len());
    for y in 0..grid.height() as i32 {
        for x in 0..grid.width() as i32 {
            grid.id(Cell::new(x, y)).into_iter().for_each(|id| {
                seen.insert(id);
            });
        }
    }
    seen
}
