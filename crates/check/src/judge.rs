//! The judge: replays tick by tick what everybody does and holds it against the rules.

use crate::{Report, Violation, conflicts::Conflicts, errands::Rounds, eyes::Eyes, manner, mover::Mover};
use std::borrow::Cow;
use throng_core::{
    Action, AgentId, Cell, Connectivity, Deed, Delay, Dir, ErrandNote, Grid, News, Rules, Scenario, Task,
    TerrainChange, Tick,
};

/// What has to be true in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Expect {
    /// Every move legal, nobody in anybody's way; how far the tasks got does not matter.
    Legal,
    /// Also every task done: all waypoints visited in order, and whoever has to rest stands at its goal.
    #[default]
    Finished,
}

/// Watches a world tick by tick.
///
/// ```
/// use throng_check::{Expect, Judge};
/// use throng_core::{Action, Agent, AgentId, Cell, Deed, Dir, Grid, Rules, Scenario, Task};
///
/// let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(1, 0)))];
/// let scenario = Scenario::new("step", Grid::empty(2, 1)?, Rules::default(), agents)?;
/// let mut judge = Judge::new(&scenario);
/// let found = judge.tick(&[Deed { agent: AgentId(0), action: Action::Go(Dir::E), failed: false }]);
/// assert!(found.is_empty());
/// let report = judge.finish(Expect::Finished);
/// assert_eq!((report.is_valid(), report.soc), (true, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    scenario: &'a Scenario,
    /// The terrain as it is by now.
    grid: Cow<'a, Grid>,
    movers: Vec<Mover<'a>>,
    conflicts: Conflicts,
    /// What has been seen, where somebody explores.
    eyes: Option<Eyes>,
    rounds: Rounds,
    tick: Tick,
    limit: usize,
    report: Report,
}

impl<'a> Judge<'a> {
    /// How many violations are kept unless told otherwise; all are counted.
    pub const DEFAULT_LIMIT: usize = 100;

    /// Everybody at the start, at tick 0.
    #[must_use]
    pub fn new(scenario: &'a Scenario) -> Self {
        let (grid, rules) = (scenario.grid(), scenario.rules());
        let movers: Vec<_> =
            scenario.agents().iter().map(|agent| Mover::new(grid, agent, rules, agent.start)).collect();
        let eight = rules.connectivity == Connectivity::Eight;
        let conflicts = Conflicts::new(grid, &movers, eight, rules.follow);
        let (grid, report) = (Cow::Borrowed(grid), Report::default());
        let eyes = Eyes::of(scenario);
        let (rounds, limit) = (Rounds::default(), Self::DEFAULT_LIMIT);
        Self { scenario, grid, movers, conflicts, eyes, rounds, tick: 0, limit, report }
    }

    /// Something becomes of an errand in the present tick. All of it is told before what units do in that tick.
    pub fn errand(&mut self, note: &ErrandNote) {
        self.arrivals();
        if let News::Assigned(agent) = note.news
            && let Some(mover) = self.movers.get_mut(agent.index())
        {
            mover.settle(self.tick);
        }
        if let Some(violation) = self.rounds.note(&self.movers, self.tick, note) {
            self.found(violation);
        }
    }

    /// An agent slips in the present tick: it stays where it is for as long as that says. It is told after all that becomes of
    /// errands, and before what units do.
    pub fn slip(&mut self, &Delay { agent, ticks, .. }: &Delay) {
        self.arrivals();
        let (tick, agents) = (self.tick, self.movers.len());
        let Some(mover) = self.movers.get_mut(agent.index()) else {
            return self.found(Violation::UnknownAgent { tick, agent, agents });
        };
        mover.settle(tick);
        let until = mover.until.max(mover.late);
        mover.late = mover.late.max(tick + Tick::from(ticks));
        if until > tick {
            self.found(Violation::SlipsTooSoon { tick, agent, until });
        }
    }

    /// Who was to count as having done its errand when the last tick was over, and who has.
    fn arrivals(&mut self) {
        if !self.rounds.is_due(self.tick) {
            return;
        }
        self.movers.iter_mut().for_each(|mover| mover.settle(self.tick));
        let Self { rounds, movers, report, limit, tick, .. } = self;
        report.errands += rounds.arrivals(movers, *tick, |violation| record(report, *limit, violation));
    }

    /// How many errands are open.
    pub(crate) fn open_errands(&self) -> usize {
        self.rounds.open()
    }

    /// A cell closes or opens before anything of the present tick begins. Nobody may be on a cell that closes.
    pub fn change(&mut self, change: TerrainChange) {
        let (TerrainChange { cell, open, .. }, tick) = (change, self.tick);
        let Some(id) = self.grid.id(cell) else { return self.found(Violation::ChangeOffMap { tick, cell }) };
        for mover in &mut self.movers {
            mover.settle(tick);
        }
        if let Some(agent) = self.holder(cell).filter(|_| !open) {
            self.found(Violation::ClosedOver { tick, agent, cell });
        }
        if self.grid.is_open_id(id) != open {
            // These letters mean the same everywhere.
            let _ = self.grid.to_mut().set_letter(id, if open { b'.' } else { b'@' });
            if let Some(eyes) = &mut self.eyes {
                eyes.changed(id);
            }
        }
    }

    /// Whether a cell can be walked on by now.
    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.grid.is_open(cell)
    }

    /// The terrain by now.
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether somebody is on a cell, moves in progress included.
    pub(crate) fn is_covered(&mut self, cell: Cell) -> bool {
        let tick = self.tick;
        self.movers.iter_mut().for_each(|mover| mover.settle(tick));
        self.holder(cell).is_some()
    }

    fn holder(&self, cell: Cell) -> Option<AgentId> {
        self.movers.iter().find(|mover| mover.cover().covers(cell)).map(|mover| mover.agent().id)
    }

    /// Everybody where the plan says, which should be where the scenario says.
    pub(crate) fn starting_at(scenario: &'a Scenario, starts: &[Cell]) -> Self {
        let mut judge = Self::new(scenario);
        judge.expect_count(starts.len());
        for (place, (agent, &found)) in scenario.agents().iter().zip(starts).enumerate() {
            if found != agent.start {
                judge.found(Violation::WrongStart { agent: agent.id, found, expected: agent.start });
                judge.movers[place] = Mover::new(scenario.grid(), agent, scenario.rules(), found);
            }
        }
        judge
    }

    /// Everybody in these poses, each from the tick on when what it is doing is over: a run that goes on from the
    /// middle may begin with somebody at a run.
    #[must_use]
    pub fn posed(mut self, poses: impl IntoIterator<Item = (u8, Tick)>) -> Self {
        self.movers.iter_mut().zip(poses).for_each(|(mover, (pose, tick))| mover.take_pose(pose, tick));
        self
    }

    /// Keeps at most `limit` violations; all are counted.
    #[must_use]
    pub const fn keeping(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Now: the tick whose deeds come next.
    #[must_use]
    pub const fn now(&self) -> Tick {
        self.tick
    }

    /// Whether nothing has been wrong so far.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.report.is_valid()
    }

    /// What has been wrong so far.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.report.violations
    }

    /// Judges one tick, given what was begun in it; answers with what is wrong, as far as it is kept.
    ///
    /// Under the graph rules two agents that meet in one cell at the end of a tick are found with the
    /// next call, or by [`Self::finish`]: they are both there at the next tick.
    pub fn tick(&mut self, deeds: &[Deed]) -> &[Violation] {
        let known = self.report.violations.len();
        self.arrivals();
        self.look();
        for deed in deeds {
            if deed.failed {
                self.report.failed_moves += 1;
                self.ready(deed.agent);
            } else {
                self.begin(deed.agent, deed.action);
            }
        }
        self.end_tick();
        &self.report.violations[known..]
    }

    /// Judges where everybody is now and, if asked, whether the tasks are done.
    #[must_use]
    pub fn finish(mut self, expect: Expect) -> Report {
        self.arrivals();
        self.end_tick();
        let ticks = self.tick - 1;
        for place in 0..self.movers.len() {
            let mover = &self.movers[place];
            let end = mover.end(ticks);
            self.report.finished += usize::from(end.finished);
            self.report.soc += end.cost;
            self.report.makespan = self.report.makespan.max(end.cost);
            self.report.sum_of_loss += end.loss;
            if expect == Expect::Finished && !end.finished {
                let unfinished = unfinished(mover);
                self.found(unfinished);
            }
        }
        self.report.ticks = ticks;
        self.report
    }

    /// Everybody looks around who shares what it sees with one that explores; whoever has seen enough by that is done.
    fn look(&mut self) {
        let Some(eyes) = &mut self.eyes else { return };
        for mover in &mut self.movers {
            mover.settle(self.tick);
        }
        for agent in eyes.look(&self.grid, &self.movers, self.tick) {
            self.movers[agent.index()].explored(self.tick);
        }
    }

    /// Whether there is such an agent, and it may begin an action now.
    pub(crate) fn is_free(&mut self, place: usize) -> bool {
        let tick = self.tick;
        self.movers.get_mut(place).is_some_and(|mover| {
            mover.settle(tick);
            mover.stands(tick)
        })
    }

    /// Whether this agent may begin an action now.
    pub(crate) fn stands(&self, place: usize) -> bool {
        self.movers.get(place).is_none_or(|mover| mover.stands(self.tick))
    }

    /// An agent begins an action in the present tick.
    pub(crate) fn begin(&mut self, agent: AgentId, action: Action) {
        let (rules, tick) = (self.scenario.rules(), self.tick);
        if self.ready(agent).is_none() || action == Action::Wait {
            return;
        }
        let (grid, mover) = (&*self.grid, &mut self.movers[agent.index()]);
        let misfit = manner::fault(mover, tick, action);
        if action.is_turn() {
            return match misfit {
                None => mover.turn(tick, action),
                Some(misfit) => self.found(misfit),
            };
        }
        mover.go(grid, tick, action);
        let fault = misfit.or_else(|| fault(grid, rules, mover, tick, action));
        match (action, action.dir()) {
            (_, Some(dir)) if dir.is_diagonal() => self.report.diagonal += 1,
            (Action::Curve(_, radius), _) => self.report.curved += u64::from(radius),
            _ => self.report.straight += 1,
        }
        if let Some(fault) = fault {
            self.found(fault);
        }
    }

    /// The agent, if it exists and may begin an action now; anything else is a violation.
    fn ready(&mut self, agent: AgentId) -> Option<&mut Mover<'a>> {
        let (tick, agents) = (self.tick, self.movers.len());
        let Some(mover) = self.movers.get_mut(agent.index()) else {
            self.found(Violation::UnknownAgent { tick, agent, agents });
            return None;
        };
        mover.settle(tick);
        if !mover.stands(tick) {
            let (busy, until) = (mover.busy(tick), mover.late);
            self.found(match busy {
                Some(until) => Violation::Busy { tick, agent, until },
                None => Violation::Late { tick, agent, until },
            });
            return None;
        }
        self.movers.get_mut(agent.index())
    }

    /// An agent is to be elsewhere at the next tick. Uniform timing only.
    pub(crate) fn begin_towards(&mut self, place: usize, to: Cell) {
        let tick = self.tick;
        let Some(mover) = self.movers.get_mut(place) else { return };
        mover.settle(tick);
        let (agent, from) = (mover.agent().id, mover.at);
        match Action::between(from, to) {
            Some(action) => self.begin(agent, action),
            None => {
                mover.jump(&self.grid, tick, to);
                self.found(Violation::Jump { tick, agent, from, to });
            }
        }
    }

    /// Everything that begins in the present tick has begun: who is in whose way?
    pub(crate) fn end_tick(&mut self) {
        for mover in &mut self.movers {
            mover.settle(self.tick);
        }
        for conflict in self.conflicts.at(&self.grid, &self.movers, self.tick) {
            self.report.collisions += 1;
            record(&mut self.report, self.limit, Violation::Conflict(conflict));
        }
        self.tick += 1;
    }

    /// Somebody speaks of `found` agents.
    pub(crate) fn expect_count(&mut self, found: usize) {
        let expected = self.movers.len();
        if found != expected {
            self.found(Violation::WrongAgentCount { tick: self.tick, found, expected });
        }
    }

    /// Counts a violation, and keeps it if there is room.
    pub(crate) fn found(&mut self, violation: Violation) {
        record(&mut self.report, self.limit, violation);
    }
}

fn record(report: &mut Report, limit: usize, violation: Violation) {
    report.total += 1;
    if report.violations.len() < limit {
        report.violations.push(violation);
    }
}

/// What terrain and connectivity have against the move just begun. Where the agent comes from has been judged
/// when it got there.
fn fault(grid: &Grid, rules: Rules, mover: &Mover<'_>, tick: Tick, action: Action) -> Option<Violation> {
    let diagonal = action.dir().is_some_and(Dir::is_diagonal);
    let curve = matches!(action, Action::Curve(..));
    let plain = mover.actions.body() == 1 && !diagonal && !curve;
    if plain && mover.to_id.is_some_and(|id| grid.is_open_id(id)) {
        return None; // the usual case, and all there is to it
    }
    let (agent, from, to) = (mover.agent().id, mover.at, mover.to);
    if diagonal && rules.connectivity == Connectivity::Four {
        return Some(Violation::DiagonalUnderFour { tick, agent, from, to });
    }
    let (source, target) = (mover.body(from), mover.body(to));
    if target.cells().any(|cell| !grid.contains(cell)) {
        return Some(Violation::OffMap { tick, agent, from, to });
    }
    if let Some(wall) = target.cells().find(|&cell| !grid.is_open(cell)) {
        return Some(Violation::IntoWall { tick, agent, from, to, wall });
    }
    let mut sweep = mover.actions.footprint(from, action).cells().filter(|&c| !source.covers(c));
    let wall = sweep.find(|&cell| !grid.is_open(cell))?;
    Some(Violation::CornerCut { tick, agent, from, to, wall })
}

/// What is missing from an agent's task.
fn unfinished(mover: &Mover<'_>) -> Violation {
    let (agent, way) = (mover.agent().id, mover.agent().waypoints());
    match mover.agent().task {
        Task::Explore => return Violation::NotExplored { agent },
        Task::Find(cell) => return Violation::NotFound { agent, cell },
        _ => {}
    }
    if mover.agent().must_rest() && mover.leg + 1 >= way.len() {
        Violation::GoalNotReached { agent, at: mover.at, goal: way.last() }
    } else {
        Violation::WaypointMissed { agent, leg: mover.leg, waypoint: way.target(mover.leg) }
    }
}
