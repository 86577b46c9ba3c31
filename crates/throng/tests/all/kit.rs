//! What the tests share: a run that the judge watches tick by tick.

use throng::check::{Expect, Judge, Report, check_step};
use throng::core::{
    Action, AgentId, Budget, Cell, Connectivity, Deed, Delay, Event, Expansions, Observer, Rules, Scenario,
    SearchKind, Setup, State, Task, TerrainChange, Tick, Timing, Unobserved,
};
use throng::planners::registry;
use throng::{Error, Options, Session, Unreachable};

/// An observer that has every tick judged, holds what it is told against the state, and counts.
pub(crate) struct Watch<'a> {
    judge: Judge<'a>,
    deeds: Vec<Deed>,
    /// Where everybody is, by what the events say.
    at: Vec<Cell>,
    /// Searches of each tick.
    pub(crate) searches: Vec<u64>,
    searched: u64,
    /// Moves begun, by agent.
    pub(crate) moves: Vec<u64>,
    /// Expansions of each tick.
    pub(crate) work: Vec<u64>,
    expanded: u64,
}

impl<'a> Watch<'a> {
    /// Watches from tick 0 on.
    pub(crate) fn new(scenario: &'a Scenario) -> Self {
        Self {
            judge: Judge::new(scenario),
            deeds: Vec::new(),
            at: scenario.agents().iter().map(|agent| agent.start).collect(),
            searches: Vec::new(),
            searched: 0,
            moves: vec![0; scenario.agents().len()],
            work: Vec::new(),
            expanded: 0,
        }
    }

    /// What the judge says in the end; how far the tasks got does not matter.
    pub(crate) fn finish(self) -> Report {
        self.finish_with(Expect::Legal)
    }

    /// What the judge says in the end.
    pub(crate) fn finish_with(self, expect: Expect) -> Report {
        self.judge.finish(expect)
    }
}

impl Observer for Watch<'_> {
    fn replanned(&mut self, _agent: AgentId, _tick: Tick) {
        self.searched += 1;
    }

    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.expanded += count;
    }

    fn event(&mut self, tick: Tick, event: &Event) {
        match *event {
            Event::Moved { agent, action } => {
                self.deeds.push(Deed { agent, action, failed: false });
                self.at[agent.index()] = self.at[agent.index()].after(action);
                self.moves[agent.index()] += u64::from(action != Action::Wait);
            }
            Event::Failed { agent, action, .. } => self.deeds.push(Deed { agent, action, failed: true }),
            Event::Slipped { agent, ticks } => self.judge.slip(&Delay { tick, agent, ticks }),
            Event::Closed { cell } => self.judge.change(TerrainChange { tick, cell, open: false }),
            Event::Opened { cell } => self.judge.change(TerrainChange { tick, cell, open: true }),
            // Whether errands are done that count as done is judged by traces.
            Event::Appeared { .. }
            | Event::Assigned { .. }
            | Event::Done { .. }
            | Event::Returned { .. }
            | Event::Refused { .. }
            | Event::Waits { .. }
            | Event::Arrived { .. }
            | Event::Finished { .. }
            | Event::Overridden { .. }
            | Event::Promoted { .. }
            | Event::Settled { .. }
            | Event::Exchanged { .. }
            | Event::JoinedFlock { .. }
            | Event::LeftFlock { .. }
            | Event::Explored { .. }
            | Event::Found { .. }
            | Event::GaveUp { .. } => {}
        }
    }

    fn tick(&mut self, scenario: &Scenario, state: &State) {
        self.searches.push(std::mem::take(&mut self.searched));
        self.work.push(std::mem::take(&mut self.expanded));
        let found = self.judge.tick(&self.deeds);
        assert!(found.is_empty(), "{} tick {}: {found:?}", scenario.name(), state.tick);
        self.deeds.clear();
        for (told, unit) in self.at.iter().zip(&state.units) {
            assert_eq!(
                *told,
                scenario.grid().cell(unit.at),
                "events and state differ at tick {}",
                state.tick
            );
        }
    }
}

/// Runs until everybody is done or `ticks` have passed, with the judge watching every tick.
pub(crate) fn watched(session: &mut Session, ticks: Tick, budget: &dyn Budget) -> Report {
    let scenario = session.scenario().clone();
    let mut watch = Watch::new(&scenario);
    while !session.is_done() && session.state().tick < ticks {
        session.tick(budget, &mut watch);
    }
    let most = watch.work.iter().max().copied().unwrap_or(0);
    assert!(most <= budget.limit(), "{}: {most} expansions in a tick", scenario.name());
    let report = watch.finish();
    assert!(report.is_valid(), "{}: {report}", scenario.name());
    report
}

/// Counts the expansions of a tick.
#[derive(Default)]
struct Expanded(u64);

impl Observer for Expanded {
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, count: u64) {
        self.0 += count;
    }
}

/// One tick of a world that may change between ticks, judged by itself: legal, within its budget, and nobody who
/// holds has moved.
pub(crate) fn tick(session: &mut Session, budget: &dyn Budget) {
    let (before, mut work) = (session.state().clone(), Expanded::default());
    session.tick(budget, &mut work);
    let (scenario, after) = (session.scenario(), session.state());
    let wrong = check_step(scenario, &before, after);
    assert!(wrong.is_empty(), "{} tick {}: {wrong:?}", scenario.name(), before.tick);
    assert!(work.0 <= budget.limit(), "{} tick {}: {} expansions", scenario.name(), before.tick, work.0);
    if scenario.rules().timing == Timing::Uniform {
        // Two who meet at the end of a tick show in the next one, which may never come.
        let later = State { tick: after.tick + 1, ..after.clone() };
        let wrong = check_step(scenario, after, &later);
        assert!(wrong.is_empty(), "{} after tick {}: {wrong:?}", scenario.name(), before.tick);
    }
    let held = |id: &throng::UnitId| {
        let (was, is) = (&before.units[id.agent.index()], &after.units[id.agent.index()]);
        // Who was told to hold in the middle of a move ends it.
        let holds = scenario.agent(id.agent).task == Task::Hold && was.stands(before.tick);
        !holds || (was.at == is.at && is.stands(after.tick))
    };
    let moved = session.units().find(|id| !held(id));
    assert_eq!(moved, None, "{} tick {}: holds and moves", scenario.name(), before.tick);
}

/// [`settles_after`] the first exchange of places; answers how many there were.
pub(crate) fn comes_to_rest(name: &str, session: Session, ticks: Tick, budget: &dyn Budget) -> usize {
    settles_after(name, session, ticks, budget, (1, |e| matches!(e, Event::Exchanged { .. })))
}

/// Runs until all rest and nobody has moved for 50 ticks; saved and taken up again when `first` such events have been
/// told. Answers how many were.
pub(crate) fn settles_after(
    name: &str,
    mut session: Session,
    ticks: Tick,
    budget: &dyn Budget,
    (first, told): (usize, fn(&Event) -> bool),
) -> usize {
    let (mut heard, mut still, mut twin) = (0, 0, None::<Session>);
    // Local repair runs into others by design.
    let by_repair = session.planners().any(|spec| spec == "lra");
    while still < 50 {
        let why = || session.units().map(|unit| session.explain(unit.agent).unwrap().to_string() + "\n");
        assert!(session.state().tick < ticks, "{name}:\n{}", why().collect::<String>());
        tick(&mut session, budget);
        let count = |test: fn(&Event) -> bool| session.events().iter().filter(|e| test(e)).count();
        let failed = count(|e| matches!(e, Event::Failed { .. }));
        assert!(failed == 0 || by_repair, "{name}: {:?}", session.events());
        heard += count(told);
        let moved = count(|e| matches!(e, Event::Moved { .. })) > 0;
        still = if moved || !session.is_done() { 0 } else { still + 1 };
        if let Some(twin) = &mut twin {
            tick(twin, budget);
            assert_eq!(twin.events(), session.events(), "{name}");
            assert_eq!(twin.state().hash(), session.state().hash(), "{name}");
        } else if heard >= first {
            twin = Some(Session::resume(&session.save(), 1).unwrap());
        }
    }
    heard
}

/// The same without those who cannot get to their goals, which no session takes.
pub(crate) fn reachable(mut scenario: Scenario) -> Scenario {
    let open = |scenario: &Scenario| Session::new(Setup::new(scenario.clone()), &Options::planner("whca"));
    while let Err(error) = open(&scenario) {
        let Error::Unreachable(Unreachable { agent, .. }) = error else { panic!("{error}") };
        let mut agents = scenario.agents().to_vec();
        agents.remove(agent.index());
        agents.iter_mut().zip(0..).for_each(|(agent, id)| agent.id = AgentId(id));
        let mut rules = scenario.rules();
        rules.follow &= !(rules.graph_rules() && agents.iter().all(|agent| agent.body == 1));
        scenario = Scenario::new(scenario.name(), scenario.grid().clone(), rules, agents).unwrap();
    }
    scenario
}

/// All planners that bring units to goals, which is all but those that explore.
pub(crate) fn travellers() -> impl Iterator<Item = &'static registry::Entry> {
    registry::all().iter().filter(|entry| entry.support.goals)
}

/// As much budget as a planner needs: no limit, but for those that promise the best plan. Crowds may take them for ever, and
/// what they have by then is followed.
pub(crate) fn enough(entry: &registry::Entry) -> Expansions {
    Expansions(if entry.guarantee.optimal { 1_000_000 } else { u64::MAX })
}

/// Whether a planner says that it can do what a scenario needs.
pub(crate) fn supports(planner: &str, scenario: &Scenario) -> bool {
    registry::support(planner).expect(planner).gap(scenario).is_none()
}

/// A session of this scenario under this planner.
pub(crate) fn session(setup: Setup, planner: &str) -> Session {
    Session::new(setup, &Options::planner(planner)).unwrap_or_else(|e| panic!("{planner}: {e}"))
}

/// The state hash after every tick until everybody is done or `ticks` have passed.
pub(crate) fn hashes(session: &mut Session, ticks: Tick, budget: &dyn Budget) -> Vec<u64> {
    let mut hashes = vec![session.state().hash()];
    while !session.is_done() && session.state().tick < ticks {
        session.tick(budget, &mut Unobserved);
        hashes.push(session.state().hash());
    }
    hashes
}

/// The three ways in which time and conflicts work for units of one speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    /// Every move one tick, graph rules.
    Uniform,
    /// Every move one tick, both cells held for both ticks.
    HoldBoth,
    /// A straight step takes five ticks, a diagonal seven.
    Metric,
}

impl Time {
    pub(crate) const ALL: [Self; 3] = [Self::Uniform, Self::HoldBoth, Self::Metric];

    pub(crate) fn rules(self, connectivity: Connectivity) -> Rules {
        let timing = if self == Self::Metric { Timing::Metric } else { Timing::Uniform };
        Rules { connectivity, timing, hold_both: self == Self::HoldBoth, follow: false }
    }

    /// Ticks of a straight step.
    pub(crate) fn period(self) -> u8 {
        if self == Self::Metric { 5 } else { 1 }
    }
}

/// The same scenario by other rules.
pub(crate) fn replayed(scenario: &Scenario, time: Time, connectivity: Connectivity) -> Scenario {
    let mut agents = scenario.agents().to_vec();
    agents.iter_mut().for_each(|agent| agent.period = time.period());
    Scenario::new(scenario.name(), scenario.grid().clone(), time.rules(connectivity), agents)
        .unwrap_or_else(|e| panic!("{e}"))
}
