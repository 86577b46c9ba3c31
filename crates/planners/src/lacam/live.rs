//! The search over placements while everybody is under way: a little of it every tick, and one step along what it has found.
//!
//! From where everybody is the search goes on, depth first, where it was left in the tick before; then everybody takes one step towards the
//! placement that it has come to, or to the goal once that is found. Steps can be taken back, so that from each placement a way leads to each
//! other: all that was met forms a tree whose root is where everybody is now, and a step makes the next placement the root. So nothing is
//! looked at twice, and however little there is for a tick, the search is complete as long as its memory lasts.
//!
//! The first way to the goal may be a long walk. So while everybody walks, the search begins a few times more from where they are, with another lot
//! each time, and if it finds a shorter way, that is the one they go on by.
//!
//! As soon as somebody has another goal, or is elsewhere than it was to be, the search begins anew from there.

use super::Settings;
use super::constraints::Constraints;
use super::knots::{Crowd, steps};
use super::placements::{Id, NONE, Placement, Placements};
use super::search::RESTARTS;
use super::successor;
use crate::pibt::{Compass, Ground, Step, mix};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use throng_core::{AgentId, Budget, CellId, Rest, Scenario, Share, View};

/// How often a search meets what it knows before it begins anew, at first; then twice as often each time, so that it stays complete. Most searches take little, and
/// some take very long: others soon find what those miss.
const PATIENCE: u64 = 150;

/// How often a shorter way is looked for than the first that was found.
const TRIES: u32 = 16;

/// What a step is decided with.
pub(crate) struct World<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) ground: &'a Ground,
    pub(crate) compass: &'a mut Compass,
    pub(crate) step: &'a mut Step,
    /// Those who stay where they are.
    pub(crate) holds: &'a [u32],
}

/// The search. Units that are not there are nowhere, and in no order.
#[derive(Debug, Default)]
pub(crate) struct Live {
    seed: u64,
    /// Bytes that it may hold.
    memory: usize,
    /// Whether the last step led to a placement that was known, how often that has happened, and how often it has to have happened before
    /// knots are looked for again.
    met: bool,
    meetings: (u64, u64),
    /// How often it has to have happened before the search begins anew, with another lot.
    patience: u64,
    /// Where everybody is on the way to the goal that is known, the next placement last; and how often a shorter one was looked for.
    way: Vec<Box<[u32]>>,
    tries: u32,
    placements: Placements,
    open: Vec<Id>,
    /// Where everybody is.
    here: Id,
    /// Where all are at their goals, once that was met.
    goal: Id,
    /// By unit.
    goals: Vec<u32>,
    dice: u64,
    cells: Vec<u32>,
}

/// What later decisions depend on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedLive {
    placements: Vec<SavedPlacement>,
    orders: Vec<Vec<u32>>,
    open: Vec<Id>,
    here: Id,
    goal: Id,
    goals: Vec<u32>,
    dice: u64,
    met: bool,
    meetings: (u64, u64),
    patience: u64,
    way: Vec<Box<[u32]>>,
    tries: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedPlacement {
    cells: Box<[u32]>,
    order: u32,
    constraints: Constraints,
    parent: Id,
    cost: u64,
    steps: Vec<(Id, u64)>,
}

impl Live {
    /// Nothing was looked at yet.
    pub(crate) fn new(seed: u64, memory: usize) -> Self {
        Self {
            seed,
            memory,
            here: NONE,
            goal: NONE,
            patience: PATIENCE,
            dice: mix(seed) | 1,
            ..Self::default()
        }
    }

    /// Forgets everything, for a world that is no longer the same.
    pub(crate) fn clear(&mut self) {
        self.placements = Placements::default();
        self.open.clear();
        (self.here, self.goal) = (NONE, NONE);
        (self.met, self.meetings) = (false, (0, 1));
    }

    /// Bytes held, about.
    pub(crate) const fn bytes(&self) -> usize {
        self.placements.bytes()
    }

    /// Searches as long as there is `room` for the decision of everybody, and once in any case; then answers where everybody is next, and how
    /// many have decided; nothing if nothing is left to look at, since not all goals can be taken at the same time. `order` says who decides first
    /// if the search begins anew from `at`.
    pub(crate) fn advance(
        &mut self,
        world: &mut World<'_>,
        at: &[u32],
        order: impl FnOnce() -> Vec<u32>,
        budget: &dyn Budget,
        room: u64,
    ) -> (Option<&[u32]>, u64) {
        let known = self.here != NONE && *self.placements[self.here].cells == *at;
        let same = known && self.goals.iter().copied().eq(goals(world, at));
        if !same {
            (self.patience, self.tries) = (PATIENCE, 0);
            self.way.clear();
        }
        if !same || self.bytes() > self.memory {
            self.begin(world, at, order().into());
        }
        let units = self.placements[self.here].order.len() as u64;
        let (mut spent, before) = (0, world.compass.expanded());
        while self.is_searching() {
            let total = spent + world.compass.expanded() - before;
            let on_the_way = spent > 0 || !self.way.is_empty();
            if on_the_way && (total + units > room || budget.should_stop(total)) {
                break;
            }
            let Some(&id) = self.open.last() else {
                if self.way.is_empty() {
                    return (None, spent);
                }
                self.tries = TRIES;
                break;
            };
            let rest = Rest { whole: budget, before: total };
            spent += match core::mem::take(&mut self.met) {
                true => self.untie(world, id, &Share { whole: &rest, limit: room.saturating_sub(total) }),
                false => 0,
            };
            if self.goal == NONE {
                spent += self.grow(world, id);
            }
            if self.goal != NONE || self.is_lost() {
                self.end();
                let order = Arc::clone(&self.placements[self.here].order);
                let here = self.placements[self.here].cells.clone();
                self.begin(world, &here, order);
            }
        }
        self.go_on();
        (Some(&self.placements[self.here].cells), spent)
    }

    /// Whether there may be a shorter way than the one that is known.
    fn is_searching(&self) -> bool {
        self.way.is_empty() && *self.placements[self.here].cells != *self.goals
            || self.way.len() > 1 && self.tries < TRIES
    }

    /// Whether the search is better begun anew: it goes in circles, or is farther away than a way that is known is long.
    fn is_lost(&self) -> bool {
        let far = |&id: &Id| self.placements[id].cost >= self.way.len() as u64;
        self.meetings.0 >= self.patience || !self.way.is_empty() && self.open.last().is_some_and(far)
    }

    /// The search has come to the goal or is lost: what it has found is the way to go if it is shorter than the one that is known.
    fn end(&mut self) {
        if self.way.is_empty() && self.goal == NONE {
            self.patience = self.patience.saturating_mul(2);
        } else {
            self.tries += 1;
        }
        if self.goal == NONE {
            return;
        }
        let back = |&id: &Id| Some(self.placements[id].parent).filter(|_| id != self.here);
        let ids = core::iter::successors(Some(self.goal), back).take_while(|&id| id != self.here);
        let way: Vec<Box<[u32]>> = ids.map(|id| self.placements[id].cells.clone()).collect();
        if self.way.is_empty() || way.len() < self.way.len() {
            self.way = way;
        }
    }

    fn begin(&mut self, world: &World<'_>, at: &[u32], order: Arc<[u32]>) {
        self.clear();
        self.goals.clear();
        self.goals.extend(goals(world, at));
        // Another lot than the last time, or it would end in the same corner.
        self.dice = mix(self.dice ^ self.seed) | 1;
        self.here = self.placements.add(Placement::new(at.into(), order, Constraints::new(), NONE, 0));
        self.open.push(self.here);
        self.find_goal(self.here);
    }

    /// Asks for one more step from a placement. Answers how many have decided.
    fn grow(&mut self, world: &mut World<'_>, id: Id) -> u64 {
        let World { ground, compass, step, holds, .. } = world;
        let seed = self.roll();
        let Some((constraint, _)) = successor::prescribe(&mut self.placements, id, ground, holds, seed)
        else {
            self.placements.prescribe(id, Constraints::close);
            self.open.pop();
            return 1;
        };
        let cells = &self.placements[id].cells;
        step.begin(ground.len(), cells.iter().copied(), seed, u64::MAX);
        let legal =
            successor::decide(&self.placements[id], constraint, (*ground, compass, step), holds, |_| false);
        let spent = step.decided().max(1);
        if legal {
            let mut cells = core::mem::take(&mut self.cells);
            cells.clear();
            cells.extend((0..self.goals.len() as u32).map(|unit| step.next(unit)));
            self.arrive(id, &cells);
            self.cells = cells;
        }
        spent
    }

    /// Looks for knots once known placements are met, and after each time in vain once they have been met as often again. Answers what that
    /// took.
    fn untie(&mut self, world: &World<'_>, from: Id, budget: &dyn Budget) -> u64 {
        self.meetings.0 += 1;
        if self.meetings.0 < self.meetings.1 {
            return 0;
        }
        let memory = self.memory;
        let crowd = Crowd {
            settings: Settings { seed: self.seed, memory, ..Settings::FIRST },
            scenario: world.scenario,
            ground: world.ground,
            compass: world.compass,
            goals: &self.goals,
            holds: world.holds,
            cells: &self.placements[from].cells,
        };
        let (untied, effort) = crowd.untie(budget);
        match untied {
            Some(Some(moves)) => {
                let mut from = from;
                for cells in steps(&self.placements[from].cells, &moves) {
                    self.arrive(from, &cells);
                    from = self.placements.find(&cells).unwrap_or(from);
                }
            }
            Some(None) => self.meetings.1 = 2 * self.meetings.0,
            None => {}
        }
        effort.spent
    }

    /// A step leads from placement `from` to `cells`.
    fn arrive(&mut self, from: Id, cells: &[u32]) {
        if let Some(known) = self.placements.find(cells) {
            self.placements.link(from, known, 1);
            // Now and then everything is looked at from where it began: once it is caught in a corner, everything new is behind it.
            let next = if self.roll() & 0xffff < RESTARTS { 0 } else { known };
            self.open.push(next);
            self.met = true;
            return;
        }
        let order = successor::order_after(&self.placements[from].order, cells, &self.goals);
        let cost = self.placements[from].cost + 1;
        let new = self.placements.add(Placement::new(cells.into(), order, Constraints::new(), from, cost));
        self.placements.link(from, new, 1);
        self.open.push(new);
        self.find_goal(new);
    }

    /// If all are at their goals there, lets the shortest way lead to it that is known.
    fn find_goal(&mut self, id: Id) {
        if *self.placements[id].cells != *self.goals {
            return;
        }
        self.goal = id;
        let count = self.placements.len();
        let mut beside = vec![Vec::new(); count];
        for from in 0..count as Id {
            for &(to, _) in self.placements[from].steps() {
                beside[from as usize].push(to);
                beside[to as usize].push(from);
            }
        }
        let mut nearer = vec![NONE; count];
        let mut queue = VecDeque::from([self.here]);
        nearer[self.here as usize] = self.here;
        while let Some(from) = queue.pop_front() {
            for &to in &beside[from as usize] {
                if nearer[to as usize] == NONE {
                    nearer[to as usize] = from;
                    queue.push_back(to);
                }
            }
        }
        let mut at = id;
        while at != self.here && nearer[at as usize] != NONE {
            self.placements[at].parent = nearer[at as usize];
            at = nearer[at as usize];
        }
    }

    /// Goes one step along the way that is known, or else towards what the search has come to.
    fn go_on(&mut self) {
        let next = match self.way.pop() {
            Some(cells) => match self.placements.find(&cells) {
                Some(known) => known,
                None => {
                    let here = &self.placements[self.here];
                    let order = successor::order_after(&here.order, &cells, &self.goals);
                    let (constraints, cost) = (Constraints::new(), here.cost + 1);
                    self.placements.add(Placement::new(cells, order, constraints, self.here, cost))
                }
            },
            None => {
                let Some(mut next) = self.open.last().copied().filter(|&to| to != self.here) else { return };
                while self.placements[next].parent != self.here {
                    next = self.placements[next].parent;
                }
                next
            }
        };
        // A step can be taken back: what lay behind lies ahead now.
        self.placements[self.here].parent = next;
        self.placements[next].parent = NONE;
        self.here = next;
    }

    fn roll(&mut self) -> u64 {
        self.dice = mix(self.dice);
        self.dice
    }

    pub(crate) fn save(&self) -> SavedLive {
        let (mut orders, mut numbers) = (Vec::new(), FxHashMap::default());
        let all = (0..self.placements.len() as Id).map(|id| {
            let placement = &self.placements[id];
            // Only whether two are the same is asked, not where they lie.
            let order = *numbers.entry(placement.order.as_ptr()).or_insert_with(|| {
                orders.push(placement.order.to_vec());
                orders.len() as u32 - 1
            });
            SavedPlacement {
                cells: placement.cells.clone(),
                order,
                constraints: placement.constraints().clone(),
                parent: placement.parent,
                cost: placement.cost,
                steps: placement.steps().to_vec(),
            }
        });
        let placements = all.collect();
        let (open, goals) = (self.open.clone(), self.goals.clone());
        let (met, meetings, patience) = (self.met, self.meetings, self.patience);
        let (here, goal, dice) = (self.here, self.goal, self.dice);
        SavedLive {
            placements,
            orders,
            open,
            here,
            goal,
            goals,
            dice,
            met,
            meetings,
            patience,
            way: self.way.clone(),
            tries: self.tries,
        }
    }

    /// Takes up what [`Self::save`] gave; answers whether it can be about a world of so many units and cells.
    pub(crate) fn load(&mut self, saved: SavedLive, units: usize, cells: usize) -> bool {
        let count = saved.placements.len() as u32;
        let (unit, cell) = (|unit: u32| (unit as usize) < units, |cell: u32| (cell as usize) < cells);
        let somewhere = |&at: &u32| at == NONE || cell(at);
        let known = |id: Id| id < count;
        let fits = |placement: &SavedPlacement| {
            placement.cells.len() == saved.goals.len()
                && placement.cells.iter().all(somewhere)
                && (placement.order as usize) < saved.orders.len()
                && (placement.parent == NONE || known(placement.parent))
                && placement.steps.iter().all(|&(to, _)| known(to))
                && placement.constraints.fits(unit, cell)
                && saved.orders[placement.order as usize].iter().all(|&who| placement.is_there(who))
        };
        let whole = saved.goals.len() <= units
            && saved.goals.iter().all(somewhere)
            && saved.way.iter().all(|cells| cells.len() == saved.goals.len() && cells.iter().all(somewhere))
            && saved.placements.iter().all(fits)
            && saved.open.iter().all(|&id| known(id))
            && if count == 0 { saved.here == NONE } else { known(saved.here) && is_tree(&saved) }
            && (saved.goal == NONE || known(saved.goal));
        if !whole {
            return false;
        }
        self.clear();
        let orders: Vec<Arc<[u32]>> = saved.orders.into_iter().map(Into::into).collect();
        for SavedPlacement { cells, order, constraints, parent, cost, steps } in saved.placements {
            let id = self.placements.add(Placement::new(
                cells,
                Arc::clone(&orders[order as usize]),
                constraints,
                parent,
                cost,
            ));
            steps.into_iter().for_each(|(to, cost)| self.placements.link(id, to, cost));
        }
        (self.open, self.goals, self.dice) = (saved.open, saved.goals, saved.dice);
        (self.here, self.goal) = (saved.here, saved.goal);
        (self.met, self.meetings, self.patience) = (saved.met, saved.meetings, saved.patience);
        (self.way, self.tries) = (saved.way, saved.tries);
        true
    }
}

/// Where everybody is to go who is somewhere.
fn goals(world: &World<'_>, at: &[u32]) -> impl Iterator<Item = u32> {
    (0..).zip(at).map(|(unit, &at)| if at == NONE { NONE } else { world.compass.goal(unit) })
}

/// Whether everybody in a world is to rest in the end, each at another cell, and all are those of one planner: whether there may be a
/// placement in which all are at their goals.
pub(crate) fn rest_apart(view: &View<'_>) -> bool {
    let here = || view.mine.iter().copied().filter(|&id| !view.unit(id).gone);
    let rests = |id: AgentId| {
        let (agent, unit) = (view.agent(id), view.unit(id));
        agent.must_rest() && unit.leg.saturating_add(1) >= agent.waypoints().len()
    };
    let mut goals: Vec<CellId> = here().map(|id| view.target(id)).collect();
    goals.sort_unstable();
    let strangers = view.state.units.iter().filter(|unit| !unit.gone).count() > goals.len();
    !strangers && goals.windows(2).all(|goals| goals[0] != goals[1]) && here().all(rests)
}

impl SavedPlacement {
    fn is_there(&self, unit: u32) -> bool {
        self.cells.get(unit as usize).is_some_and(|&at| at != NONE)
    }
}

/// Whether from every placement a way leads to where everybody is.
fn is_tree(saved: &SavedLive) -> bool {
    let mut leads = vec![false; saved.placements.len()];
    leads[saved.here as usize] = true;
    let mut way = Vec::new();
    for mut id in 0..saved.placements.len() as Id {
        way.clear();
        while !leads[id as usize] {
            way.push(id);
            id = saved.placements[id as usize].parent;
            if id == NONE || way.len() > saved.placements.len() {
                return false;
            }
        }
        way.iter().for_each(|&id| leads[id as usize] = true);
    }
    saved.placements[saved.here as usize].parent == NONE
}
