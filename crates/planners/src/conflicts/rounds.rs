//! The search takes turns with one that proves that there is no plan.

use super::demands::Demands;
use super::field::{FAR, Field, NONE};
use super::joint::{self, Joined, Joint};
use super::meter::Meter;
use super::search::{Ended, Search};
use super::tables::{Tables, reached};
use super::traffic::Traffic;
use super::world::{EACH, Tools, Walker, World};
use super::{Reasoning, Settings};
use crate::lacam::{Lacam, Settings as LacamSettings};
use crate::neighbourhoods::Objective;
use crate::portions::portion;
use std::rc::Rc;
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Observer, Outcome, Path, Plan, Planner as _, Reason, Scenario, SearchKind, Task,
    Tick,
};
use throng_search::Workers;

/// Expansions of the first turn, beyond those that it took to find out distances.
const FIRST: u64 = 20_000;

/// Expansions of the last turn of a search for all at once, which keeps all placements.
const MOST_JOINT: u64 = 2_000_000;

/// One problem.
pub(super) struct Rounds<'a> {
    settings: Settings,
    reasoning: Reasoning,
    scenario: &'a Scenario,
    workers: &'a Arc<Workers>,
    /// Agents that go somewhere; all others hold their places.
    walkers: Vec<AgentId>,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(
        settings: Settings,
        reasoning: Reasoning,
        scenario: &'a Scenario,
        workers: &'a Arc<Workers>,
    ) -> Self {
        let goes = scenario.agents().iter().filter(|agent| !matches!(agent.task, Task::Hold));
        let walkers = goes.map(|agent| agent.id).collect();
        Self { settings, reasoning, scenario, workers, walkers }
    }

    pub(super) fn run(&self, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome {
        let mut meter = Meter::new(budget);
        let (world, tables, backwards) = match self.world(&mut meter) {
            Ok(Some(built)) => built,
            Ok(None) => {
                if let Some(&agent) = self.walkers.first() {
                    observer.expanded(agent, SearchKind::Backwards, meter.spent());
                }
                return out_of_budget(&meter);
            }
            Err(why) => return Outcome::Infeasible { why },
        };
        for (&agent, walker) in self.walkers.iter().zip(&world.walkers) {
            observer.alone(agent, Tick::from(walker.alone));
        }
        let mut tools = Tools::new(&world.field, tables, self.settings.memory / EACH);
        let team: Vec<u32> = (0..self.walkers.len() as u32).collect();
        let given = nothing(team.len());
        let traffic = Traffic::new(&world.field);
        let factor = self.settings.suboptimality;
        let mut search = Search::new(&world, self.reasoning, factor, team, given, traffic);
        let outcome = self.rounds(&mut search, &mut tools, &mut meter);
        if let Some(&agent) = self.walkers.first() {
            observer.expanded(agent, SearchKind::Backwards, backwards);
            observer.expanded(agent, SearchKind::Main, meter.spent() - backwards);
        }
        observer.bound(search.bound());
        outcome
    }

    /// In turns until one of the two knows.
    fn rounds(&self, search: &mut Search<'_>, tools: &mut Tools, meter: &mut Meter<'_>) -> Outcome {
        let ended = match search.begin(tools, meter) {
            _ if meter.is_over() => Ended::Stopped,
            // If somebody has no way, there is nothing to go on with, and the search says who that is.
            Some(_) | None => Ended::Paused,
        };
        let (mut ended, mut known) = (ended, None::<(Tick, Plan)>);
        let mut share = FIRST + meter.spent();
        let units = self.walkers.len();
        let mut joint = match units <= joint::MOST {
            true => Joint::new(search.world, search.team.clone(), nothing(units), tools, meter),
            false => None,
        };
        while ended == Ended::Paused {
            meter.pause_after(if known.is_some() && joint.is_none() { u64::MAX } else { share });
            ended = search.run(tools, meter, usize::MAX);
            if ended != Ended::Paused {
                break;
            }
            if let Some(all) = &mut joint {
                match all.run(meter, share) {
                    Joined::Found(ways) => return Outcome::Solved(self.joined(search, &ways)),
                    Joined::Nothing(placements) => {
                        return Outcome::Infeasible { why: Reason::Exhausted { placements } };
                    }
                    Joined::Paused | Joined::Stopped => search.raise(all.bound()),
                }
                if share > MOST_JOINT || all.is_full() {
                    joint = None;
                }
            }
            if known.is_none() {
                match self.turn(search.world, share, meter) {
                    Outcome::Solved(plan) => {
                        let cost = self.cost(&plan);
                        if cost <= self.settings.suboptimality.of(search.bound()) {
                            return Outcome::Solved(plan);
                        }
                        known = Some((cost, plan));
                    }
                    Outcome::Infeasible { why } => return Outcome::Infeasible { why },
                    Outcome::Partial { .. } | Outcome::OutOfBudget { .. } => {}
                }
            }
            share *= 2;
        }
        match ended {
            Ended::Solved(node) => Outcome::Solved(self.plan(search, node)),
            Ended::Nothing(unit) => {
                let agent = self.scenario.agent(self.walkers[unit as usize]);
                let (from, to) = (agent.start, agent.waypoints().last());
                Outcome::Infeasible { why: Reason::Contradiction { agent: agent.id, from, to } }
            }
            Ended::Paused | Ended::Stopped | Ended::Full => {
                let own =
                    search.best().map(|node| self.plan(search, node)).map(|plan| (self.cost(&plan), plan));
                match [own, known].into_iter().flatten().min_by_key(|(cost, _)| *cost) {
                    Some((cost, plan)) if cost <= self.settings.suboptimality.of(search.bound()) => {
                        Outcome::Solved(plan)
                    }
                    best => {
                        let (nodes, bytes) = (search.tree.len() as u64, search.tree.bytes() as u64);
                        let why = match ended {
                            Ended::Full => Reason::OutOfMemory { nodes, bytes },
                            _ => Reason::OutOfBudget { agent: None, expanded: meter.spent() },
                        };
                        Outcome::OutOfBudget { best: best.map(|(_, plan)| plan), why }
                    }
                }
            }
        }
    }

    /// A turn of the complete search, if there is budget for it.
    fn turn(&self, world: &World, share: u64, meter: &mut Meter<'_>) -> Outcome {
        // It asks between steps of all, and only after it has found out distances.
        let units = self.scenario.agents().len();
        let beyond = (units * (world.field.len() + 1)) as u64;
        if meter.left() < 2 * beyond {
            return out_of_budget(meter);
        }
        let seed = self.settings.seed;
        let settings = LacamSettings {
            objective: Objective::Loss,
            improve: 0,
            generators: 1,
            lanes: false,
            seed,
            memory: self.settings.memory / EACH,
        };
        let mut count = Count(0);
        let (spent, limit) = (meter.spent(), share.min(meter.left() - beyond));
        let turn = Turn { budget: meter.budget(), spent, limit };
        let outcome = Lacam::new(settings, Arc::clone(self.workers)).plan(self.scenario, &turn, &mut count);
        meter.add(count.0);
        outcome
    }

    /// The map and who goes where, and how much it took to find out; nothing if the budget is too little for that, and an error
    /// if somebody cannot get there.
    fn world(&self, meter: &mut Meter<'_>) -> Result<Option<(World, Tables, u64)>, Reason> {
        let grid = self.scenario.grid();
        let holds = self.scenario.agents().iter().filter(|agent| matches!(agent.task, Task::Hold));
        let held: Vec<_> = holds.filter_map(|agent| grid.id(agent.start)).collect();
        let (field, numbers) = Field::new(grid, self.scenario.rules(), &held);
        let number = |cell| grid.id(cell).map_or(NONE, |id| numbers[id.0 as usize]);
        let mut walkers = Vec::new();
        for &id in &self.walkers {
            let agent = self.scenario.agent(id);
            let (from, to) = (agent.start, agent.waypoints().last());
            let (start, goal) = (number(from), number(to));
            if start == NONE || goal == NONE {
                return Err(Reason::Unreachable { agent: id, from, to });
            }
            walkers.push(Walker { start, goal, alone: 0 });
        }
        if meter.is_over() || meter.left() < (walkers.len() * field.len()) as u64 {
            return Ok(None);
        }
        let mut tables = Tables::new(self.settings.memory / EACH);
        let mut backwards = 0;
        for (agents, walkers) in
            self.walkers.chunks(portion(field.len())).zip(walkers.chunks_mut(portion(field.len())))
        {
            if meter.is_over() {
                return Ok(None);
            }
            let mut far: Vec<(u32, Vec<u32>)> =
                walkers.iter().map(|walker| (walker.goal, Vec::new())).collect();
            self.workers.for_each(&mut far, |(goal, far)| *far = field.distances(*goal, NONE));
            for ((&agent, walker), (goal, far)) in agents.iter().zip(walkers).zip(far) {
                walker.alone = far[walker.start as usize];
                if walker.alone == FAR {
                    let agent = self.scenario.agent(agent);
                    let (from, to) = (agent.start, agent.waypoints().last());
                    return Err(Reason::Unreachable { agent: agent.id, from, to });
                }
                backwards += reached(&far);
                meter.add(reached(&far));
                tables.keep((goal, NONE), far.into());
            }
        }
        Ok(Some((World { field, walkers, memory: self.settings.memory }, tables, backwards)))
    }

    /// The plan that all at once have found, which is the best.
    fn joined(&self, search: &mut Search<'_>, ways: &[Vec<u32>]) -> Plan {
        search.raise(ways.iter().map(|way| way.len() as u64 - 1).sum());
        self.walked(search, ways.iter().map(Vec::as_slice))
    }

    /// The ways of a node as everybody walks them.
    fn plan(&self, search: &Search<'_>, node: u32) -> Plan {
        let ways = search.tree.ways(node, self.walkers.len());
        self.walked(search, ways.into_iter().map(|way| way.map_or(&[][..], |way| &way.cells)))
    }

    fn walked<'w>(&self, search: &Search<'_>, ways: impl Iterator<Item = &'w [u32]>) -> Plan {
        let mut paths: Vec<Path> = self
            .scenario
            .agents()
            .iter()
            .map(|agent| Path { start: agent.start, actions: Vec::new() })
            .collect();
        for (agent, cells) in self.walkers.iter().zip(ways) {
            let step = |step: &[u32]| {
                let [from, to] = [step[0], step[1]].map(|cell| search.world.field.place(cell));
                Action::between(from, to).unwrap_or(Action::Wait)
            };
            paths[agent.index()].actions = cells.windows(2).map(step).collect();
        }
        Plan { paths }
    }

    fn cost(&self, plan: &Plan) -> Tick {
        let agents = self.scenario.agents().iter().zip(&plan.paths);
        agents.map(|(agent, path)| path.arrival(agent.actions(self.scenario.rules()))).sum()
    }
}

/// The budget ended before there was anything.
const fn out_of_budget(meter: &Meter<'_>) -> Outcome {
    Outcome::OutOfBudget { best: None, why: Reason::OutOfBudget { agent: None, expanded: meter.spent() } }
}

/// Nothing is demanded of anybody.
fn nothing(units: usize) -> Vec<Rc<Demands>> {
    let none = Rc::new(Demands::default());
    (0..units).map(|_| Rc::clone(&none)).collect()
}

/// What is left of a budget, and no more than a share.
struct Turn<'a> {
    budget: &'a dyn Budget,
    spent: u64,
    limit: u64,
}

impl Budget for Turn<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.limit || self.budget.should_stop(self.spent + spent)
    }

    fn limit(&self) -> u64 {
        self.limit
    }
}

/// Counts expansions.
struct Count(u64);

impl Observer for Count {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}
