//! One expedition: who goes, what it sees, and what comes of it. Experiments differ in worlds, methods and claims.

use super::start::{self, Errand, Layout};
use super::sums::Sums;
use super::{SOURCE, least};
use crate::settings::{Settings, Spot};
use crate::{Case, Conclusion, Experiment, LabError, Request, Watch, expand, files, trial};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;
use std::path::Path;
use throng::Session;
use throng::core::{AgentId, CellId, Connectivity, Grid, Sight, Tick, Unlimited, Unobserved, neighbours};

/// One of the experiments.
pub(crate) trait Question: Sync {
    const NAME: &'static str;
    const ABOUT: &'static str;
    const SETTINGS: &'static str;
    fn conclude(sums: &Sums<'_>) -> Conclusion;
}

/// The experiment.
#[derive(Debug)]
pub(crate) struct Expeditions<Q>(Settings<Own>, PhantomData<Q>);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Own {
    /// A run ends then, done or not.
    pub(super) ticks: Tick,
    /// The first of the seeds: those of other experiments may have been looked at.
    #[serde(default)]
    pub(super) first_seed: u64,
    /// Of the cone and of the circle around a unit, in pixels.
    radius: u32,
    inner: u32,
    /// Of the cone, in degrees.
    angle: u32,
    pub(super) errands: Vec<Errand>,
    pub(super) layouts: Vec<Layout>,
    /// What the document leaves open; claims are about the first of them unless they say otherwise.
    pub(super) scales: Vec<Scale>,
    /// The first is what the others are compared with.
    pub(super) methods: Vec<Method>,
}

/// How many pixels make a cell, and how many cells the side of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scale {
    pub(super) px: u32,
    pub(super) block: u32,
}

/// A planner; `PX` and `BLOCK` in it stand for those of the scale.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    pub(super) name: String,
    pub(super) spec: String,
    /// How long it took in the document, in seconds.
    pub(super) document: Option<f64>,
}

impl Method {
    fn planner(&self, scale: Scale) -> String {
        self.spec.replace("PX", &scale.px.to_string()).replace("BLOCK", &scale.block.to_string())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    pub(super) spot: Spot,
    pub(super) errand: Errand,
    layout: Layout,
    scale: Scale,
    method: usize,
}

impl Which {
    /// Its name, by that of its method.
    pub(super) fn key(&self, settings: &Settings<Own>, method: &str) -> String {
        let &Self { spot, errand, layout, scale: Scale { px, block }, .. } = self;
        let (world, Spot { units, seed, .. }) = (settings.world(&spot), spot);
        let (errand, layout) = (errand.name(), layout.name());
        format!(
            "{world}, {units} units, {errand}, {layout}, {px} px, blocks of {block}, seed {seed}, {method}"
        )
    }
}

/// Every expedition that there is, by the first method.
pub(super) fn everywhere(settings: &Settings<Own>) -> Vec<Which> {
    let Own { errands, layouts, scales, first_seed, .. } = &settings.own;
    let mut list = Vec::new();
    // Units start where they are told here, so that files of starts and goals do not limit the seeds.
    for place in 0..settings.places.len() {
        let seeds = settings.scale.seeds;
        for (&units, seed) in
            settings.scale.units.iter().flat_map(|units| (0..seeds).map(move |seed| (units, seed)))
        {
            let spot = Spot { place, units, seed: first_seed + seed };
            for (&errand, &layout) in errands.iter().flat_map(|e| layouts.iter().map(move |l| (e, l))) {
                list.extend(scales.iter().map(|&scale| Which { spot, errand, layout, scale, method: 0 }));
            }
        }
    }
    list
}

/// What became of one expedition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(super) world: String,
    pub(super) units: usize,
    pub(super) errand: Errand,
    pub(super) layout: Layout,
    #[serde(flatten)]
    pub(super) scale: Scale,
    pub(super) method: String,
    pub(super) seed: u64,
    pub(super) ticks: Tick,
    /// No method takes fewer, not even one that knows the map.
    pub(super) least: Tick,
    /// Whether everything was seen that can be reached, or the goal.
    pub(super) done: bool,
    /// Ticks until so many twentieths of all cells that can be reached were seen; as many as there are.
    pub(super) reached: Vec<Tick>,
    /// Between any two units, in cells, the mean of all ticks.
    pub(super) distance: f64,
    /// Of the cells seen while the unknown was in several pieces: how many were in the largest, and how many would have been
    /// if every unknown cell were as likely as any other.
    pub(super) from_largest: u64,
    pub(super) by_chance: f64,
    pub(super) failed_moves: u64,
    pub(super) collisions: u64,
}

impl<Q: Question> Experiment for Expeditions<Q> {
    const NAME: &'static str = Q::NAME;
    const SOURCE: &'static str = SOURCE;
    const ABOUT: &'static str = Q::ABOUT;

    type Case = Which;
    type Row = Row;

    fn open(request: &Request, watch: &dyn Watch) -> Result<Self, LabError> {
        let mut settings = Settings::<Own>::open(Q::NAME, Q::SETTINGS, request, watch)?;
        for method in &mut settings.own.methods {
            method.spec = expand(&method.spec, Path::new("experiments"), files::settings)?;
        }
        Ok(Self(settings, PhantomData))
    }

    fn settings(&self) -> Value {
        self.0.value()
    }

    fn planners(&self) -> Vec<String> {
        let Own { methods, scales, .. } = &self.0.own;
        scales.iter().flat_map(|&scale| methods.iter().map(move |method| method.planner(scale))).collect()
    }

    fn cases(&self) -> Vec<Case<Which>> {
        let methods = &self.0.own.methods;
        let mut cases = Vec::new();
        for which in everywhere(&self.0) {
            for (method, named) in methods.iter().enumerate() {
                let which = Which { method, ..which };
                cases.push(Case { key: which.key(&self.0, &named.name), what: which });
            }
        }
        cases
    }

    fn run(&self, case: &Which) -> Result<Row, LabError> {
        expedition(&self.0, case, &self.0.own.methods[case.method])
    }

    fn conclude(&self, rows: &[Row]) -> Conclusion {
        Q::conclude(&Sums { of: &self.0, rows })
    }
}

/// One expedition by some method, whatever `which` says of that.
pub(super) fn expedition(settings: &Settings<Own>, which: &Which, method: &Method) -> Result<Row, LabError> {
    let &Which { spot, errand, layout, scale, .. } = which;
    let own = &settings.own;
    let cells = |pixels: u32| ((pixels + scale.px / 2) / scale.px).max(1);
    let sight = Sight { angle: own.angle, inner: Some(cells(own.inner)), ..Sight::new(cells(own.radius)) };
    let world = settings.world(&spot).to_owned();
    let grid = settings.places[spot.place].grid(spot.seed)?;
    let planner = method.planner(scale);
    let scenario = start::scenario(&world, grid, sight, errand, layout, spot.units, spot.seed)?;
    let least = least::ticks(&scenario);
    let mut seen = Sights::new(scenario.grid(), scenario.agents()[0].start);
    let counts = trial::run_seen(
        &scenario,
        &planner,
        spot.seed,
        own.ticks,
        &Unlimited,
        &mut Unobserved,
        &mut |session| seen.tick(session),
    )?;
    let done = match errand {
        Errand::Explore => seen.unseen.is_empty(),
        Errand::Find => seen.found,
    };
    Ok(Row {
        world,
        units: spot.units,
        errand,
        layout,
        scale,
        method: method.name.clone(),
        seed: spot.seed,
        ticks: counts.ticks,
        least,
        done,
        reached: seen.reached,
        distance: seen.distances / counts.ticks.max(1) as f64,
        from_largest: seen.from_largest,
        by_chance: seen.by_chance,
        failed_moves: counts.failed_moves,
        collisions: counts.collisions,
    })
}

/// What has been seen so far, of what can be reached.
struct Sights {
    all: usize,
    unseen: Vec<CellId>,
    reached: Vec<Tick>,
    distances: f64,
    from_largest: u64,
    by_chance: f64,
    found: bool,
}

impl Sights {
    fn new(grid: &Grid, start: throng::core::Cell) -> Self {
        let unseen = start::around(grid, start);
        Self {
            all: unseen.len(),
            unseen,
            reached: Vec::new(),
            distances: 0.0,
            from_largest: 0,
            by_chance: 0.0,
            found: false,
        }
    }

    fn tick(&mut self, session: &Session) {
        let grid = session.scenario().grid();
        let places: Vec<_> = session.state().units.iter().map(|unit| grid.cell(unit.at)).collect();
        let (mut sum, mut pairs) = (0.0, 0u32);
        for (place, a) in places.iter().enumerate() {
            for b in &places[..place] {
                sum += f64::from((a.x - b.x).pow(2) + (a.y - b.y).pow(2)).sqrt();
                pairs += 1;
            }
        }
        self.distances += sum / f64::from(pairs.max(1));
        if let throng::core::Task::Find(goal) = session.scenario().agents()[0].task {
            self.found = session.has_seen(AgentId(0), goal);
        }
        let Some(seen) = session.seen(AgentId(0)) else { return };
        if !self.unseen.iter().any(|&id| seen.contains(id)) {
            return;
        }
        let (label, sizes) = pieces(grid, &self.unseen);
        // What is seen before anybody has moved is nobody's choice.
        if let (Some(largest), true) = (sizes.iter().max(), sizes.len() > 1 && session.state().tick > 1) {
            let new = || self.unseen.iter().filter(|&&id| seen.contains(id));
            self.from_largest += new().filter(|id| sizes[label[id.index()]] == *largest).count() as u64;
            let alike = sizes.iter().filter(|size| *size == largest).count() * largest;
            self.by_chance += new().count() as f64 * alike as f64 / self.unseen.len() as f64;
        }
        self.unseen.retain(|&id| !seen.contains(id));
        let share = 20 * (self.all - self.unseen.len()) / self.all.max(1);
        self.reached.resize(share.max(self.reached.len()), session.state().tick);
    }
}

/// By cell, which piece of these it is in; and how large pieces are.
fn pieces(grid: &Grid, cells: &[CellId]) -> (Vec<usize>, Vec<usize>) {
    const OTHER: usize = usize::MAX;
    const NEW: usize = usize::MAX - 1;
    let mut label = vec![OTHER; grid.len()];
    cells.iter().for_each(|id| label[id.index()] = NEW);
    let (mut sizes, mut queue) = (Vec::new(), Vec::new());
    for &first in cells {
        if label[first.index()] != NEW {
            continue;
        }
        label[first.index()] = sizes.len();
        queue.push(first);
        let mut size = 0;
        while let Some(id) = queue.pop() {
            size += 1;
            for next in neighbours(grid, id, 1, Connectivity::Four) {
                if label[next.index()] == NEW {
                    label[next.index()] = sizes.len();
                    queue.push(next);
                }
            }
        }
        sizes.push(size);
    }
    (label, sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unknown_falls_into_pieces() {
        let grid = Grid::from_rows(&["..@.", "....", ".@.."]).unwrap();
        let id = |x, y| grid.id(throng::core::Cell::new(x, y)).unwrap();
        let unknown = [id(0, 0), id(1, 0), id(3, 0), id(0, 1), id(3, 2)];
        let (label, sizes) = pieces(&grid, &unknown);
        assert_eq!(sizes, [3, 1, 1]);
        assert_eq!((label[id(0, 1).index()], label[id(3, 0).index()], label[id(3, 2).index()]), (0, 1, 2));
    }
}
