//! Errands go to whoever is nearest, and those that have waited longer count as nearer.

use super::assign::{Assigner, Market};
use throng_core::{AgentId, CellId, Dir, ErrandId, Grid, Rules, Tick, Timing, neighbours};

/// So many ticks of waiting count as one step: sooner or later every errand comes before those that are nearer.
const PATIENCE: Tick = 8;

/// No errand is brought nearer than by so many steps.
const MOST: u32 = 1 << 16;

/// No other wave is begun in a tick that has expanded so many cells: those left over find somebody in the next.
const ENOUGH: u64 = 1 << 18;

/// What a straight and a diagonal step cost where moves take as long as they are, and one bucket more than that.
const STEP: (u32, u32) = (5, 7);
const RING: usize = 8;

/// The usual assigner. Waves go out from the first stops of all errands that wait, at once over the whole map, those of older
/// errands with a head start; every errand gets the unit that its wave comes to first. So distances are true ones, for bodies of
/// any size, whatever curves they drive. Who comes too late for the errand whose wave it met is asked again.
///
/// Cost of a wave: every cell once, mostly far fewer, since it ends with the last unit or errand. Under a tight budget whoever
/// the waves do not get to is sent by the straight line. Ties break by the age of errands.
#[derive(Debug, Default)]
pub struct Nearest {
    stamp: u32,
    /// By cell: the last wave that came to it.
    settled: Vec<u32>,
    /// By cell: the stamp and the place of the unit that stands there among those without an errand.
    units: Vec<(u32, u32)>,
    sources: Vec<Source>,
    ring: [Vec<(u32, u32)>; RING],
    /// Idle units of the body that is asked about, with whether they have an errand by now.
    idle: Vec<(AgentId, bool)>,
    bodies: Vec<u8>,
}

/// An errand that waits.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// When its wave begins.
    begin: u32,
    /// Its place among all jobs.
    job: u32,
    taken: bool,
}

impl Assigner for Nearest {
    fn assign(&mut self, market: &mut Market<'_>, room: u64, pairs: &mut Vec<(ErrandId, AgentId)>) -> u64 {
        let mut bodies = core::mem::take(&mut self.bodies);
        bodies.clear();
        bodies.extend(market.idle.iter().map(|&id| market.scenario.agent(id).body));
        bodies.sort_unstable();
        bodies.dedup();
        let mut spent = 0;
        // Large ones go where small ones go, too, but not the other way round.
        for &body in bodies.iter().rev() {
            self.gather(market, body, pairs);
            loop {
                let before = pairs.len();
                spent += self.wave(market, body, room - spent, pairs);
                if spent >= ENOUGH || spent >= room || pairs.len() == before {
                    break;
                }
            }
            if spent >= room {
                self.by_straight_lines(market, pairs);
            }
        }
        self.bodies = bodies;
        spent
    }
}

impl Nearest {
    /// Who of this body is idle, and which errands wait that it can do.
    fn gather(&mut self, market: &mut Market<'_>, body: u8, pairs: &[(ErrandId, AgentId)]) {
        let Self { idle, sources, .. } = self;
        let (scenario, state) = (market.scenario, market.state);
        idle.clear();
        let own = market.idle.iter().filter(|&&id| scenario.agent(id).body == body);
        idle.extend(own.map(|&id| (id, false)));
        sources.clear();
        let step = if scenario.rules().timing == Timing::Metric { STEP.0 } else { 1 };
        let oldest = state.errands.waiting().next().map_or(state.tick, |job| job.since);
        let jobs = (0..).zip(&state.errands.jobs);
        for (job, of) in jobs.filter(|(_, job)| job.fate == throng_core::Fate::Waiting) {
            let first = of.stops.first().copied().unwrap_or_default();
            let joined = of.stops.iter().all(|&stop| market.reach.joined(scenario.grid(), body, first, stop));
            if joined && pairs.iter().all(|&(errand, _)| errand != of.id) {
                let younger = (of.since - oldest) / PATIENCE;
                let begin = step * younger.min(u64::from(MOST)) as u32;
                sources.push(Source { begin, job, taken: false });
            }
        }
    }

    /// One wave from every errand that is left over all that is left; answers how many cells it came to.
    fn wave(
        &mut self,
        market: &mut Market<'_>,
        body: u8,
        room: u64,
        pairs: &mut Vec<(ErrandId, AgentId)>,
    ) -> u64 {
        let Self { stamp, settled, units, sources, ring, idle, .. } = self;
        let (scenario, state) = (market.scenario, market.state);
        let (grid, rules) = (scenario.grid(), scenario.rules());
        sources.retain(|source| !source.taken);
        idle.retain(|&(_, busy)| !busy);
        let (mut left, mut alone) = (sources.len(), idle.len());
        if left == 0 || alone == 0 {
            return 0;
        }
        *stamp = stamp.wrapping_add(1);
        if *stamp == 1 || settled.len() != grid.len() {
            settled.clear();
            units.clear();
            settled.resize(grid.len(), 0);
            units.resize(grid.len(), (0, 0));
            *stamp = 1;
        }
        for (place, &(id, _)) in (0..).zip(idle.iter()) {
            units[state.units[id.index()].at.index()] = (*stamp, place);
        }
        ring.iter_mut().for_each(Vec::clear);
        let (mut next, mut queued, mut spent) = (0, 0, 0);
        let mut now = sources[0].begin;
        while left > 0 && alone > 0 && (queued > 0 || next < sources.len()) {
            if queued == 0 {
                now = now.max(sources[next].begin);
            }
            let slot = now as usize % RING;
            while let Some(source) = sources.get(next).filter(|source| source.begin <= now) {
                let first = state.errands.jobs[source.job as usize].stops.first();
                if let Some(id) = first.and_then(|&stop| grid.id(stop)) {
                    ring[slot].push((id.0, next as u32));
                    queued += 1;
                }
                next += 1;
            }
            let mut bucket = core::mem::take(&mut ring[slot]);
            queued -= bucket.len();
            for &(cell, source) in &bucket {
                if spent >= room {
                    return spent;
                }
                if core::mem::replace(&mut settled[cell as usize], *stamp) == *stamp {
                    continue;
                }
                spent += 1;
                let (stands, place) = units[cell as usize];
                if stands == *stamp {
                    alone -= 1;
                    let Source { job, taken, .. } = &mut sources[source as usize];
                    let (job, unit) = (&state.errands.jobs[*job as usize], &mut idle[place as usize]);
                    if !*taken && market.can_do(unit.0, job) {
                        (*taken, unit.1) = (true, true);
                        left -= 1;
                        pairs.push((job.id, unit.0));
                    }
                }
                for (to, cost) in steps(grid, rules, CellId(cell), body) {
                    if settled[to.index()] != *stamp {
                        ring[(now + cost) as usize % RING].push((to.0, source));
                        queued += 1;
                    }
                }
            }
            bucket.clear();
            ring[slot] = bucket;
            now += 1;
        }
        spent
    }

    /// The oldest errands first, each to the unit that is nearest as the crow flies.
    fn by_straight_lines(&mut self, market: &mut Market<'_>, pairs: &mut Vec<(ErrandId, AgentId)>) {
        let Self { sources, idle, .. } = self;
        let (grid, state) = (market.scenario.grid(), market.state);
        for source in sources.iter_mut().filter(|source| !source.taken) {
            let job = &state.errands.jobs[source.job as usize];
            let Some(&first) = job.stops.first() else { continue };
            let far = |id: AgentId| {
                let at = grid.cell(state.units[id.index()].at);
                at.x.abs_diff(first.x) + at.y.abs_diff(first.y)
            };
            let free = idle.iter().enumerate().filter(|(_, (_, busy))| !busy);
            let nearest = free.map(|(place, &(id, _))| (far(id), id, place)).min();
            let Some((_, id, place)) = nearest else { return };
            if market.can_do(id, job) {
                (source.taken, idle[place].1) = (true, true);
                pairs.push((job.id, id));
            }
        }
    }
}

/// Where a body can go in one step, and what that costs.
fn steps(grid: &Grid, rules: Rules, at: CellId, body: u8) -> impl Iterator<Item = (CellId, u32)> + '_ {
    let metric = rules.timing == Timing::Metric;
    let cost = move |to: CellId| {
        let straight = [Dir::N, Dir::E, Dir::S, Dir::W].into_iter().any(|dir| grid.neighbour(at, dir) == to);
        match (metric, straight) {
            (false, _) => 1,
            (true, true) => STEP.0,
            (true, false) => STEP.1,
        }
    };
    neighbours(grid, at, body, rules.connectivity).map(move |to| (to, cost(to)))
}
