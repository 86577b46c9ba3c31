//! Plans with collisions become plans without: groups of those who collide plan anew, each way with as few collisions as can be and
//! then as short, and what does not have more collisions than before is taken over.

use super::crowd::Crowd;
use super::fields::Fields;
use super::groups::shuffle;
use super::ways::{Way, Ways, straight};
use throng_core::{AgentId, Budget, Draw, Random, Tick, stream};
use throng_search::{Found, Graph, IntervalSearch, Step, Trip};

/// What a collision costs, in ticks: more than any detour.
const COLLISION: u32 = 1 << 14;

/// Expansions of a search for each step of the way alone, and at least; then a way through everybody must do.
const PATIENCE: (u64, u64) = (200, 20_000);

/// Rounds without fewer collisions after which it gives up, for each unit and at least.
const ROUNDS: (u64, u64) = (40, 4000);

/// Repairs a plan.
pub(crate) struct Repair<'a, G> {
    graph: &'a G,
    ways: &'a mut Ways,
    fields: &'a mut Fields,
    crowd: Crowd,
    search: IntervalSearch,
    steps: Vec<Step>,
    /// By unit: whom it collides with, by number.
    rivals: Vec<Vec<u32>>,
    expanded: u64,
    /// No more than this may be expanded.
    limit: u64,
}

impl<'a, G: Graph> Repair<'a, G> {
    /// Units whose way does not lead to their goal get one that does, those who have the shortest first: they have the least room to
    /// go around others. `alone` is how many ticks each needs by itself.
    /// When the budget ends, or more than `most` pairs collide, there is nothing to repair: that says what it has taken.
    pub(crate) fn new(
        graph: &'a G,
        ways: &'a mut Ways,
        fields: &'a mut Fields,
        alone: &[u32],
        most: usize,
        budget: &dyn Budget,
    ) -> Result<Self, u64> {
        let units = ways.all.len();
        let mut crowd = Crowd::new(graph.len());
        let arrives = |ways: &Ways, unit: usize| ways.all[unit].last() == Some(&ways.goals[unit]);
        let whole: Vec<bool> = (0..units).map(|unit| arrives(ways, unit)).collect();
        for unit in (0..units).filter(|&unit| whole[unit]) {
            crowd.add(unit as u32, &ways.all[unit]);
        }
        let (search, steps, rivals) = (IntervalSearch::new(), Vec::new(), vec![Vec::new(); units]);
        let mut repair =
            Self { graph, ways, fields, crowd, search, steps, rivals, expanded: 0, limit: budget.limit() };
        // Nobody goes through those who stay, whatever it costs.
        for unit in (0..units).filter(|&unit| repair.ways.holds[unit]) {
            repair.crowd.table.set_rank(unit as u32, 2);
        }
        let mut order: Vec<usize> = (0..units).filter(|&unit| !whole[unit]).collect();
        order.sort_by_key(|&unit| alone[unit]);
        let (mut pairs, mut found) = (0, Vec::new());
        for unit in order {
            let spent = repair.expanded;
            if pairs > most || budget.should_stop(spent) || spent >= budget.limit() {
                return Err(spent);
            }
            repair.ways.all[unit] = repair.find(unit as u32);
            if most != usize::MAX {
                let crosses = |from, to| repair.graph.crossing(from, to);
                repair.crowd.rivals(unit as u32, &repair.ways.all[unit], crosses, &mut found);
                pairs += found.len();
            }
            repair.crowd.add(unit as u32, &repair.ways.all[unit]);
        }
        for unit in 0..units as u32 {
            repair.look(unit);
        }
        Ok(repair)
    }

    /// How many pairs collide.
    pub(crate) fn pairs(&self) -> usize {
        self.rivals.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// What it has taken so far, distances included.
    pub(crate) const fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Goes on until nobody collides, or no fewer do for long. Whether nobody does in the end.
    pub(crate) fn run(&mut self, size: usize, seed: u64, budget: &dyn Budget) -> bool {
        let units = self.ways.all.len() as u64;
        let (mut round, mut idle, mut least) = (0, 0, self.pairs());
        self.limit = budget.limit();
        while least > 0 && idle < ROUNDS.0 * units + ROUNDS.1 {
            if budget.should_stop(self.expanded) || self.expanded >= budget.limit() {
                return false;
            }
            round += 1;
            let group = self.group(size, &mut stream(seed, AgentId(u32::MAX), round));
            self.plan_anew(&group);
            let now = self.pairs();
            idle = if now < least { 0 } else { idle + 1 };
            least = least.min(now);
        }
        least == 0
    }

    /// Notes whom a unit collides with.
    fn look(&mut self, unit: u32) {
        let mut found = core::mem::take(&mut self.rivals[unit as usize]);
        let crosses = |from, to| self.graph.crossing(from, to);
        self.crowd.rivals(unit, &self.ways.all[unit as usize], crosses, &mut found);
        self.rivals[unit as usize] = found;
    }

    /// One who collides, those with whom, and so on; then whoever is near.
    fn group(&self, size: usize, random: &mut Random) -> Vec<u32> {
        let bad = |unit: &u32| !self.rivals[*unit as usize].is_empty() && !self.ways.holds[*unit as usize];
        let bad: Vec<u32> = (0..self.rivals.len() as u32).filter(bad).collect();
        // Of two who collide one at least may move.
        let mut group = vec![bad[random.below(bad.len() as u32) as usize]];
        let mut from = group[0];
        for _ in 0..4 * size {
            if group.len() >= size {
                break;
            }
            let rivals = &self.rivals[from as usize];
            let next = if rivals.is_empty() || random.below(4) == 0 {
                // Somebody who passes where this one does.
                let way = &self.ways.all[from as usize];
                let runs = self.crowd.table.store.runs(way[random.below(way.len() as u32) as usize]);
                if runs.is_empty() { from } else { runs[random.below(runs.len() as u32) as usize].owner }
            } else {
                rivals[random.below(rivals.len() as u32) as usize]
            };
            if !group.contains(&next) && !self.ways.holds[next as usize] {
                group.push(next);
            }
            from = group[random.below(group.len() as u32) as usize];
        }
        shuffle(&mut group, random);
        group
    }

    /// Plans for a group; takes it back if more pairs collide than before.
    fn plan_anew(&mut self, group: &[u32]) {
        let within = |rivals: &[u32]| rivals.iter().filter(|other| group.contains(other)).count();
        let count = |all: &[Vec<u32>]| {
            let (mut pairs, mut twice) = (0, 0);
            for &unit in group {
                pairs += all[unit as usize].len();
                twice += within(&all[unit as usize]);
            }
            pairs - twice / 2
        };
        let before = count(&self.rivals);
        for &unit in group {
            self.crowd.remove(unit, &self.ways.all[unit as usize]);
        }
        let old: Vec<Way> = group.iter().map(|&unit| self.ways.all[unit as usize].clone()).collect();
        let (mut after, mut placed, mut found) = (0, 0, Vec::new());
        for &unit in group {
            self.ways.all[unit as usize] = self.find(unit);
            let crosses = |from, to| self.graph.crossing(from, to);
            self.crowd.rivals(unit, &self.ways.all[unit as usize], crosses, &mut found);
            after += found.len();
            self.crowd.add(unit, &self.ways.all[unit as usize]);
            placed += 1;
            if after > before {
                break;
            }
        }
        if after > before {
            for &unit in &group[..placed] {
                self.crowd.remove(unit, &self.ways.all[unit as usize]);
            }
            for (&unit, way) in group.iter().zip(old) {
                self.crowd.add(unit, &way);
                self.ways.all[unit as usize] = way;
            }
            return;
        }
        // Those who collided with the group, and those who do now, have to look again.
        let mut touched: Vec<u32> = group.to_vec();
        for &unit in group {
            touched.extend_from_slice(&self.rivals[unit as usize]);
            self.look(unit);
            touched.extend_from_slice(&self.rivals[unit as usize]);
        }
        touched.sort_unstable();
        touched.dedup();
        for unit in touched.into_iter().filter(|unit| !group.contains(unit)) {
            self.look(unit);
        }
    }

    /// The way with the fewest collisions for a unit that is not in the crowd, and of those the shortest.
    fn find(&mut self, unit: u32) -> Way {
        let (start, goal) = (self.ways.all[unit as usize][0], self.ways.goals[unit as usize]);
        let known = self.fields.expanded();
        let mut field = self.fields.lend(self.graph, unit, self.ways);
        let alone = field.distance(self.graph.measure(), self.graph.measured(start));
        let later = self.crowd.table.store.free_from(goal, |_| true);
        let patience = PATIENCE.0 * u64::from(alone.unwrap_or(0)) + PATIENCE.1;
        self.crowd.table.set_rank(unit, 1);
        let mut best = None::<(u32, Way)>;
        // When nobody comes to its goal any more; or as soon as it can, whoever comes then.
        for from in later.into_iter().filter(|&from| from > 0).chain([0]) {
            if best.as_ref().is_some_and(|&(cost, _)| cost < COLLISION) {
                break;
            }
            let trip = Trip {
                owner: unit,
                start,
                tick: 0,
                goal,
                from: from as Tick,
                penalty: COLLISION,
                most: u32::MAX / 2,
                room: match self.limit {
                    u64::MAX => u64::MAX,
                    limit => limit.saturating_sub(self.expanded),
                },
            };
            let before = self.search.expanded();
            let found = self.search.search(
                (self.graph, &self.crowd.table),
                &mut field,
                &trip,
                &mut self.steps,
                |_, _| {},
                |spent| spent > patience,
            );
            self.expanded += self.search.expanded() - before;
            let Found::Path(cost) = found else { continue };
            let way: Way = core::iter::once(start).chain(self.steps.iter().map(|step| step.to)).collect();
            let mut rivals = Vec::new();
            self.crowd.table.store.owners_from(goal, way.len() as Tick - 1, &mut rivals);
            let cost = cost.saturating_add(rivals.len() as u32 * COLLISION);
            if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                best = Some((cost, way));
            }
        }
        self.crowd.table.set_rank(unit, 0);
        // Through everybody, if nothing else is found.
        let way = best.map_or_else(|| straight(self.graph, &mut field, start), |(_, way)| way);
        self.fields.give_back(unit, field);
        self.expanded += self.fields.expanded() - known;
        way
    }
}
