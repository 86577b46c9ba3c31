//! A look around: where a few steps show most.
//!
//! Eyes look ahead, so that one step aside shows what it would take many to walk to. Whoever explores looks at all cells that it can
//! come to within a few steps, in every direction in which it can come to them: how many unseen cells are in sight there, as far as is
//! known? It goes where there are most for each step, if that is at least one. What one is about to see the others do not count. Once
//! nothing new has been seen for a while nobody looks around any more, so that all come to where they were sent.

use super::{Explorer, is_exploring, stays};
use core::cmp::Reverse;
use throng_core::{CellId, Dir, Grid, Seen, Sight, Tick, View};
use throng_search::vision::{Facing, Vision};

/// No cell.
const NONE: u32 = u32::MAX;

/// Nobody looks around once a team has seen nothing new for so many straight steps.
const LIVELY: Tick = 12;

/// How far one looks around at most, in cells: eyes may be sharper than that, but the time of a tick is not.
const FARTHEST: u32 = 24;

/// What can be seen from cells near a unit, by the direction in which it comes to them; all of it is scratch.
#[derive(Debug)]
pub(super) struct Glances {
    sight: Sight,
    vision: Vision,
    around: Vision,
    /// By how much the index of a cell is above the least within reach: in which directions it is seen.
    lanes: Vec<Lanes>,
    /// That least, below the index of the cell that is looked from.
    least: u32,
    /// By cell: in which tick somebody was about to see it, and when it was last counted.
    claimed: Vec<u32>,
    counted: Vec<u32>,
    round: u32,
    count: u32,
    /// By cell: no more than that was in sight of it when it was last looked at, in the best direction and whoever is about to see
    /// it; what is seen only gets less while nothing changes. So most cells need not be looked at again.
    most: Vec<u32>,
    steps: Vec<u32>,
    before: Vec<CellId>,
    queue: Vec<CellId>,
    /// How many cells for each step there may be to see, and from which place in the queue.
    hopes: Vec<(Reverse<u64>, usize)>,
}

/// Who is in the way: whether a cell is free by now, and whether somebody of others is there, for whom nobody should wait.
struct Ways<F, B> {
    free: F,
    barred: B,
}

/// What is known of the world.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// What can be walked on.
    ways: &'a Grid,
    /// What is looked through: all that nobody has seen is taken for open.
    air: &'a Grid,
    seen: &'a Seen,
    moves: u8,
}

/// Eight numbers below 65,536, one for each direction, that are added at once.
#[derive(Clone, Copy, Debug, Default)]
struct Lanes([u64; 2]);

// No more cells than that are within reach.
const _: () = assert!((2 * FARTHEST + 1).pow(2) < 1 << 16);

impl Lanes {
    const fn one(dir: Dir) -> Self {
        let mut lanes = [0; 2];
        lanes[dir as usize / 4] = 1 << (16 * (dir as usize % 4));
        Self(lanes)
    }

    const fn add(&mut self, more: Self) {
        self.0 = [self.0[0] + more.0[0], self.0[1] + more.0[1]];
    }

    fn each(self) -> [u32; 8] {
        core::array::from_fn(|dir| (self.0[dir / 4] >> (16 * (dir % 4)) & 0xffff) as u32)
    }
}

impl Glances {
    fn new(grid: &Grid, sight: Sight) -> Option<Self> {
        let radius = sight.radius.min(FARTHEST);
        let vision = Vision::new(radius, sight.angle, sight.circle().min(radius)).ok()?;
        let reach = radius as i32;
        let least = reach * (grid.offset(Dir::S) + grid.offset(Dir::E));
        let mut lanes = vec![Lanes::default(); 2 * least as usize + 1];
        for (dx, dy) in (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy))) {
            let place = least + dy * grid.offset(Dir::S) + dx * grid.offset(Dir::E);
            for dir in Dir::ALL.into_iter().filter(|&dir| vision.covers(dx, dy, Facing::from(dir))) {
                lanes[place as usize].add(Lanes::one(dir.opposite()));
            }
        }
        Some(Self {
            sight,
            vision,
            around: Vision::around(radius).ok()?,
            lanes,
            least: least as u32,
            claimed: vec![0; grid.len()],
            counted: vec![0; grid.len()],
            round: 0,
            count: 0,
            most: vec![NONE; grid.len()],
            steps: vec![NONE; grid.len()],
            before: vec![CellId(0); grid.len()],
            queue: Vec::new(),
            hopes: Vec::new(),
        })
    }

    /// Nobody is about to see anything.
    fn begin(&mut self) {
        if self.round == u32::MAX || self.count > u32::MAX / 2 {
            self.claimed.fill(0);
            self.counted.fill(0);
            (self.round, self.count) = (0, 0);
        }
        self.round += 1;
    }

    /// More may be in sight than before.
    fn forget(&mut self) {
        self.most.fill(NONE);
    }

    /// The next cell on the way to where most is seen for each step, and how many cells it could have gone to.
    fn best(
        &mut self,
        known: Known<'_>,
        from: CellId,
        horizon: u32,
        ways: Ways<impl Fn(CellId) -> bool, impl Fn(CellId) -> bool>,
    ) -> (Option<CellId>, u64) {
        self.spread(known, from, horizon, &ways);
        // Those that promise most first, so that most of the others need not be looked at.
        let mut hopes = core::mem::take(&mut self.hopes);
        hopes.clear();
        for (place, at) in self.queue.iter().enumerate() {
            // Nobody comes to a cell with fewer steps than it takes, but to the first one, to which one has to come back.
            let least = u64::from(self.steps[at.index()].max(1));
            let hope = 100 * u64::from(self.most[at.index()]) / (least + 1);
            if hope >= 100 {
                hopes.push((Reverse(hope), place));
            }
        }
        hopes.sort_unstable();
        // The rate, the place in the queue, the cell, and where one comes from: of those alike the first in the queue.
        let mut best: Option<(u64, usize, CellId, CellId)> = None;
        for &(Reverse(hope), place) in &hopes {
            if best.is_some_and(|(most, ..)| hope < most) {
                break;
            }
            if best.is_some_and(|(most, first, ..)| hope == most && place > first) {
                continue;
            }
            let at = self.queue[place];
            let gains = self.gains(known, at);
            let exits = known.ways.exits(at) & known.moves;
            for back in Dir::ALL.into_iter().filter(|&back| exits >> back as u8 & 1 != 0) {
                // Who looks in a direction has come in that direction.
                let before = known.ways.neighbour(at, back);
                let steps = self.steps[before.index()];
                let gain = gains[back as usize];
                if steps == NONE || gain == 0 || steps == 0 && !(ways.free)(at) {
                    continue;
                }
                let (gain, steps) = (u64::from(gain), u64::from(steps) + 1);
                // In hundredths of a cell for each step, the one that it takes to go on included.
                let rate = 100 * gain / (steps + 1);
                let better = |(most, first, ..): (u64, usize, CellId, CellId)| {
                    rate > most || rate == most && place < first
                };
                if rate >= 100 && best.is_none_or(better) {
                    best = Some((rate, place, at, before));
                }
            }
        }
        // What was known before must make no difference to the budget.
        let looked = self.queue.len() as u64;
        self.hopes = hopes;
        let Some((_, _, at, before)) = best else { return (None, looked) };
        self.claim(known, before, at);
        let mut next = at;
        let mut back = before;
        while back != from {
            (next, back) = (back, self.before[back.index()]);
        }
        (Some(next), looked)
    }

    /// Steps to all cells around.
    fn spread(
        &mut self,
        known: Known<'_>,
        from: CellId,
        horizon: u32,
        ways: &Ways<impl Fn(CellId) -> bool, impl Fn(CellId) -> bool>,
    ) {
        for id in self.queue.drain(..) {
            self.steps[id.index()] = NONE;
        }
        self.steps[from.index()] = 0;
        self.queue.push(from);
        let offsets = known.ways.offsets();
        let mut next = 0;
        while let Some(&id) = self.queue.get(next) {
            next += 1;
            let steps = self.steps[id.index()];
            if steps == horizon {
                break;
            }
            let mut exits = known.ways.exits(id) & known.moves;
            while exits != 0 {
                let beside = CellId(id.0.wrapping_add(offsets[exits.trailing_zeros() as usize] as u32));
                exits &= exits - 1;
                let free = if steps == 0 { (ways.free)(beside) } else { !(ways.barred)(beside) };
                if self.steps[beside.index()] == NONE && free {
                    self.steps[beside.index()] = steps + 1;
                    self.before[beside.index()] = id;
                    self.queue.push(beside);
                }
            }
        }
    }

    /// By the direction that one has come *from*: how many cells that nobody has seen are in sight of a cell.
    fn gains(&mut self, known: Known<'_>, at: CellId) -> [u32; 8] {
        self.count += 1;
        let Self { sight, around, lanes, least, claimed, counted, round, count, most, .. } = self;
        let from = known.air.cell(at);
        let (mut gains, mut taken) = (Lanes::default(), Lanes::default());
        let tell = |id: CellId| {
            if known.seen.contains(id) || counted[id.index()] == *count {
                return;
            }
            counted[id.index()] = *count;
            let more = lanes[(id.0 + *least - at.0) as usize];
            if claimed[id.index()] == *round { taken.add(more) } else { gains.add(more) }
        };
        if sight.line_of_sight {
            around.from_cell(known.air, from, Facing::default(), tell);
        } else {
            around.through_walls(known.air, from, Facing::default(), tell);
        }
        let (gains, taken) = (gains.each(), taken.each());
        most[at.index()] = gains.iter().zip(taken).map(|(free, taken)| free + taken).max().unwrap_or(0);
        gains
    }

    /// Somebody is about to see what is in sight of one cell for who comes from another.
    fn claim(&mut self, known: Known<'_>, from: CellId, to: CellId) {
        let (a, b) = (known.air.cell(from), known.air.cell(to));
        let facing = Facing { dx: b.x - a.x, dy: b.y - a.y };
        let Self { sight, vision, claimed, round, .. } = self;
        let tell = |id: CellId| claimed[id.index()] = *round;
        if sight.line_of_sight {
            vision.from_cell(known.air, b, facing, tell);
        } else {
            vision.through_walls(known.air, b, facing, tell);
        }
    }
}

impl Explorer {
    /// Everybody who is about to decide looks around, whoever is nearest to the frontier first. Answers how many cells that took: at
    /// most `room`.
    pub(super) fn look_around(&mut self, view: &View<'_>, room: u64) -> u64 {
        let Self { settings, chart: Some(chart), glances, nexts, board, order, .. } = self else { return 0 };
        nexts.clear();
        nexts.resize(view.state.units.len(), None);
        let (Some(seen), Some(sight)) = (view.seen, view.scenario.sight()) else { return 0 };
        if glances.as_ref().is_none_or(|glances| glances.sight != sight) {
            *glances = Glances::new(view.grid(), sight);
        }
        let Some(glances) = glances else { return 0 };
        glances.begin();
        let still = view.tick().saturating_sub(chart.news);
        let moves = view.rules().connectivity.mask();
        let known = Known { ways: &chart.grid, air: view.grid(), seen, moves };
        if core::mem::take(&mut chart.widened) {
            glances.forget();
        }
        let side = 2 * u64::from(settings.glance) + 1;
        let cost = side * side;
        // Beyond that, nothing new can be in sight.
        let far = settings.glance + 2 * glances.vision.radius();
        let mut spent = 0;
        for &(_, _, id) in order.iter().filter(|(_, _, id)| is_exploring(view, *id)) {
            let at = view.unit(id).at;
            let lively = still <= LIVELY * Tick::from(view.agent(id).period);
            let near = chart.heat.steps(at).is_some_and(|steps| steps <= far);
            if lively && near && spent + cost <= room {
                let free = |cell: CellId| board.holder(cell).is_none();
                let barred = |cell: CellId| board.holder(cell).is_some_and(|who| stays(view, who));
                let (next, looked) = glances.best(known, at, settings.glance, Ways { free, barred });
                nexts[id.index()] = next;
                spent += looked;
            }
        }
        spent
    }
}
