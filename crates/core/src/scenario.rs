//! A validated problem: planners accept nothing else.

use crate::faults::{check_agent, check_place, on_map};
use crate::{
    Agent, AgentId, Cell, CellId, Delays, Dir, Errand, Grid, GridError, MAX_RADIUS, Rules, Sight, Source,
    StopFault, StopsOf, Stream, Task, TerrainEvent, Tick,
};

/// World, rules and agents, checked once when made: every start and goal is on the map, fits the body,
/// and no two bodies overlap at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(try_from = "crate::wire::Scenario"))]
pub struct Scenario {
    name: String,
    grid: Grid,
    rules: Rules,
    pub(crate) agents: Vec<Agent>,
    largest_body: u8,
    /// By tick.
    events: Vec<TerrainEvent>,
    pub(crate) sight: Option<Sight>,
    /// In order.
    pub(crate) sources: Vec<Source>,
    /// By tick.
    pub(crate) errands: Vec<Errand>,
    pub(crate) stream: Option<Stream>,
    pub(crate) delays: Delays,
}

/// Why a scenario is invalid. `agent` is the place in the list, so readers can name the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub enum ScenarioError {
    #[error("agent {agent}: {role} {cell} is off the {width}×{height} map")]
    OffMap { agent: AgentId, role: &'static str, cell: Cell, width: usize, height: usize },
    #[error("agent {agent}: {role} {cell} is blocked terrain ({letter:?})")]
    Blocked { agent: AgentId, role: &'static str, cell: Cell, letter: char },
    #[error("agent {agent}: its {body}×{body} body does not fit at {role} {cell}")]
    DoesNotFit { agent: AgentId, role: &'static str, cell: Cell, body: u8 },
    #[error("agents {first} and {agent} both start at {cell}")]
    SharedStart { first: AgentId, agent: AgentId, cell: Cell },
    #[error("agents {first} and {agent} both have to rest at {cell}")]
    SharedGoal { first: AgentId, agent: AgentId, cell: Cell },
    #[error("agent {agent}: period {period} under uniform timing, where every period is 1")]
    PeriodUnderUniform { agent: AgentId, period: u8 },
    #[error("agent {agent}: period {period}, expected 1 to {}", Scenario::MAX_PERIOD)]
    BadPeriod { agent: AgentId, period: u8 },
    #[error("agent {agent}: body {body}×{body}, expected 1×1 to {max}×{max}", max = Scenario::MAX_BODY)]
    BadBody { agent: AgentId, body: u8 },
    #[error("agent {agent}: {motion} under uniform timing, where every move takes one tick")]
    MotionUnderUniform { agent: AgentId, motion: &'static str },
    #[error(
        "agent {agent}: turns where it stands under metric timing, expected uniform timing, where a turn takes one tick"
    )]
    TurnsUnderMetric { agent: AgentId },
    #[error(
        "agent {agent}: runs at {run} ticks a step, expected at least 1 and less than its period {period}"
    )]
    BadRun { agent: AgentId, run: u8, period: u8 },
    #[error("agent {agent}: turning radius {radius}, expected 1 to {MAX_RADIUS}")]
    BadRadius { agent: AgentId, radius: u8 },
    #[error("agent {agent}: heading {heading:?}, expected N, E, S or W")]
    BadHeading { agent: AgentId, heading: Dir },
    #[error("agent {agent}: its list of goals is empty")]
    NoGoals { agent: AgentId },
    #[error("agent {agent}: a patrol of 0 rounds")]
    NoRounds { agent: AgentId },
    #[error("hold_both is an option of uniform timing: metric timing already holds both cells")]
    HoldBothUnderMetric,
    #[error("follow needs the footprint rule: metric timing, hold_both or larger bodies")]
    FollowUnderGraphRules,
    #[error("event {event}: {cell} is off the {width}×{height} map")]
    EventOffMap { event: usize, cell: Cell, width: usize, height: usize },
    #[error("source {place}: {cell} is off the {width}×{height} map")]
    SourceOffMap { place: usize, cell: Cell, width: usize, height: usize },
    #[error("source {place} at {cell} has radius {radius}, expected 1 to {}", Source::MAX_RADIUS)]
    BadSourceRadius { place: usize, cell: Cell, radius: u32 },
    #[error(
        "source {place} at {cell} has a strength of {strength} thousandths of a step, expected {max} at most, either way",
        max = Source::MAX_STRENGTH
    )]
    BadStrength { place: usize, cell: Cell, strength: i32 },
    #[error("event {event}: {cell} is to close and to open at once")]
    EventBothWays { event: usize, cell: Cell },
    #[error("sight has radius {radius}, expected 1 to {}", Sight::MAX_RADIUS)]
    BadSight { radius: u32 },
    #[error("sight has angle {angle}, expected 1 to {} degrees", Sight::MAX_ANGLE)]
    BadAngle { angle: u32 },
    #[error("sight has an inner circle of {inner}, expected 1 to its radius, {radius}")]
    BadInnerCircle { inner: u32, radius: u32 },
    #[error("sight has a fading of 0, expected at least 1 tick")]
    NoMemory,
    #[error("agent {agent}: to explore a world takes eyes, and its team has no sight")]
    NoSight { agent: AgentId },
    #[error(
        "agent {agent}: it does errands, which takes a world that it knows, and its team has to see it first"
    )]
    UnseenErrands { agent: AgentId },
    #[error("{of}: {why}")]
    BadStops { of: StopsOf, why: StopFault },
    #[error("a stream of errands that brings none: expected at least 1 of them, with at least one stop")]
    EmptyStream,
    #[error("a stream of {found} errands, open at a time or in 1000 ticks, expected {most} at most")]
    StreamTooFast { found: u32, most: u32 },
    #[error("units slip {rate} times in a million, expected {} at most", Delays::ALWAYS)]
    BadDelayRate { rate: u32 },
    #[error(
        "delays of {shortest} to {longest} ticks, expected at least 1, no more than {}, the shorter first",
        Delays::LONGEST
    )]
    BadDelayLength { shortest: u32, longest: u32 },
    #[error("delay {place}: there is no unit {agent}, there are {agents}")]
    DelayOfNobody { place: usize, agent: AgentId, agents: usize },
    #[error("delay {place} of {ticks} ticks, expected 1 to {}", Delays::LONGEST)]
    BadDelay { place: usize, ticks: u32 },
    #[error("agent {found} stands at place {expected}: numbers must be 0, 1, 2, …")]
    WrongNumber { found: AgentId, expected: AgentId },
}

impl ScenarioError {
    /// The agent that the error is about, if it is about one.
    #[must_use]
    pub const fn agent(&self) -> Option<AgentId> {
        match self {
            Self::OffMap { agent, .. }
            | Self::Blocked { agent, .. }
            | Self::DoesNotFit { agent, .. }
            | Self::SharedStart { agent, .. }
            | Self::SharedGoal { agent, .. }
            | Self::PeriodUnderUniform { agent, .. }
            | Self::BadPeriod { agent, .. }
            | Self::BadBody { agent, .. }
            | Self::MotionUnderUniform { agent, .. }
            | Self::TurnsUnderMetric { agent }
            | Self::BadRun { agent, .. }
            | Self::BadRadius { agent, .. }
            | Self::BadHeading { agent, .. }
            | Self::NoGoals { agent }
            | Self::NoRounds { agent }
            | Self::NoSight { agent }
            | Self::UnseenErrands { agent } => Some(*agent),
            Self::WrongNumber { expected, .. } => Some(*expected),
            Self::HoldBothUnderMetric
            | Self::FollowUnderGraphRules
            | Self::EventOffMap { .. }
            | Self::SourceOffMap { .. }
            | Self::BadSourceRadius { .. }
            | Self::BadStrength { .. }
            | Self::EventBothWays { .. }
            | Self::BadSight { .. }
            | Self::BadAngle { .. }
            | Self::BadInnerCircle { .. }
            | Self::NoMemory
            | Self::BadStops { .. }
            | Self::EmptyStream
            | Self::StreamTooFast { .. }
            | Self::BadDelayRate { .. }
            | Self::BadDelayLength { .. }
            | Self::DelayOfNobody { .. }
            | Self::BadDelay { .. } => None,
        }
    }

    /// The delay in store that the error is about, if it is about one: its place in the list.
    #[must_use]
    pub const fn delay_place(&self) -> Option<usize> {
        match self {
            Self::DelayOfNobody { place, .. } | Self::BadDelay { place, .. } => Some(*place),
            _ => None,
        }
    }

    /// The event that the error is about, if it is about one: its place in the list.
    #[must_use]
    pub const fn event(&self) -> Option<usize> {
        match self {
            Self::EventOffMap { event, .. } | Self::EventBothWays { event, .. } => Some(*event),
            _ => None,
        }
    }
}

impl Scenario {
    /// The largest body side.
    pub const MAX_BODY: u8 = 16;
    /// The longest period.
    pub const MAX_PERIOD: u8 = 64;

    /// Checks everything and keeps it.
    pub fn new(
        name: impl Into<String>,
        grid: Grid,
        rules: Rules,
        agents: Vec<Agent>,
    ) -> Result<Self, ScenarioError> {
        if let Some(why) = Self::faults(&grid, rules, &agents).next() {
            return Err(why);
        }
        let largest_body = agents.iter().map(|a| a.body).max().unwrap_or(1);
        Ok(Self {
            name: name.into(),
            grid,
            rules,
            agents,
            largest_body,
            events: Vec::new(),
            sight: None,
            sources: Vec::new(),
            errands: Vec::new(),
            stream: None,
            delays: Delays::default(),
        })
    }

    /// The same world, in which cells will close and open. Every cell has to be on the map; whether that changes anything
    /// then does not matter.
    pub fn with_events(mut self, mut events: Vec<TerrainEvent>) -> Result<Self, ScenarioError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        for (event, TerrainEvent { close, open, .. }) in events.iter().enumerate() {
            if let Some(&cell) = close.iter().chain(open).find(|&&cell| !self.grid.contains(cell)) {
                return Err(ScenarioError::EventOffMap { event, cell, width, height });
            }
            let mut sorted = open.clone();
            sorted.sort_unstable();
            if let Some(&cell) = close.iter().find(|cell| sorted.binary_search(cell).is_ok()) {
                return Err(ScenarioError::EventBothWays { event, cell });
            }
        }
        events.sort_by_key(|event| event.at);
        self.events = events;
        Ok(self)
    }

    /// The same world without anybody in it, and without errands and delays.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self {
            name: self.name.clone(),
            grid: self.grid.clone(),
            agents: Vec::new(),
            events: self.events.clone(),
            sources: self.sources.clone(),
            errands: Vec::new(),
            stream: None,
            delays: Delays::default(),
            ..*self
        }
    }

    /// One-shot problems need everybody to rest at once, so no two resting places may overlap. A patrol
    /// parks wherever it is in nobody's way.
    pub fn require_distinct_goals(&self) -> Result<(), ScenarioError> {
        let mut taken: Vec<Option<AgentId>> = vec![None; self.grid.len()];
        for agent in self.agents.iter().filter(|a| a.must_rest()) {
            let rest = agent.waypoints().last();
            for cell in agent.actions(self.rules).footprint(rest, crate::Action::Wait).cells() {
                let slot = self.grid.id(cell).and_then(|id| taken.get_mut(id.index()));
                if let Some(first) = slot.and_then(|slot| slot.replace(agent.id)) {
                    return Err(ScenarioError::SharedGoal { first, agent: agent.id, cell });
                }
            }
        }
        Ok(())
    }

    /// Takes one more agent, or another one in the place of an agent that has left: its number says which. Checked
    /// like the others but for who is where by now, which only the state knows.
    pub fn put(&mut self, agent: Agent) -> Result<(), ScenarioError> {
        self.check(&agent)?;
        self.largest_body = self.largest_body.max(agent.body);
        match self.agents.get_mut(agent.id.index()) {
            Some(slot) => *slot = agent,
            None => self.agents.push(agent),
        }
        Ok(())
    }

    /// Whether [`Self::put`] would take an agent.
    pub fn check(&self, agent: &Agent) -> Result<(), ScenarioError> {
        if agent.task.is_search() && self.sight_of(agent).is_none() {
            return Err(ScenarioError::NoSight { agent: agent.id });
        }
        if matches!(agent.task, Task::Errands(_)) && self.sight_of(agent).is_some() {
            return Err(ScenarioError::UnseenErrands { agent: agent.id });
        }
        let expected = AgentId(agent.id.index().min(self.agents.len()) as u32);
        check_agent(&self.grid, &self.rules, agent, expected, check_place)
    }

    /// Takes an agent of a world that was saved: cells may have closed where its task began or leads.
    pub fn restore(&mut self, agent: Agent) -> Result<(), ScenarioError> {
        let expected = AgentId(self.agents.len() as u32);
        check_agent(&self.grid, &self.rules, &agent, expected, on_map)?;
        self.largest_body = self.largest_body.max(agent.body);
        self.agents.push(agent);
        Ok(())
    }

    /// The same world as somebody knows it who does not know what is to happen in it.
    #[must_use]
    pub fn without_events(&self) -> Self {
        Self {
            name: self.name.clone(),
            grid: self.grid.clone(),
            agents: self.agents.clone(),
            events: Vec::new(),
            sources: self.sources.clone(),
            errands: Vec::new(),
            stream: None,
            delays: Delays::default(),
            ..*self
        }
    }

    /// Takes note of an agent of a world that is not known as it is: where its task leads may be a wall in this one. One more
    /// agent, or another one in the place of one that there is.
    pub fn adopt(&mut self, agent: Agent) -> Result<(), ScenarioError> {
        let expected = AgentId(agent.id.index().min(self.agents.len()) as u32);
        check_agent(&self.grid, &self.rules, &agent, expected, on_map)?;
        self.largest_body = self.largest_body.max(agent.body);
        match self.agents.get_mut(agent.id.index()) {
            Some(slot) => *slot = agent,
            None => self.agents.push(agent),
        }
        Ok(())
    }

    /// Takes note of the terrain of a cell; answers whether it opened or closed by that.
    pub fn set_letter(&mut self, cell: CellId, letter: u8) -> Result<bool, GridError> {
        self.grid.set_letter(cell, letter)
    }

    /// Gives an agent another priority; answers whether there is such an agent.
    pub fn set_priority(&mut self, id: AgentId, priority: i32) -> bool {
        self.agents.get_mut(id.index()).map(|agent| agent.priority = priority).is_some()
    }

    /// Closes or opens a cell; answers whether that changed anything.
    pub fn set_open(&mut self, cell: Cell, open: bool) -> Option<bool> {
        let id = self.grid.id(cell)?;
        if self.grid.is_open_id(id) == open {
            return Some(false);
        }
        self.grid.set_letter(id, if open { b'.' } else { b'@' }).ok()
    }

    /// Calls it otherwise.
    pub fn set_name(&mut self, name: String) {
        self.name = name;
    }

    /// What people call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The terrain.
    #[must_use]
    #[inline]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The rules.
    #[must_use]
    #[inline]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The agents; each one's place is its id.
    #[must_use]
    #[inline]
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// When cells close and open, by tick.
    #[must_use]
    pub fn events(&self) -> &[TerrainEvent] {
        &self.events
    }

    /// What closes and opens at `tick`.
    #[must_use]
    pub fn events_at(&self, tick: Tick) -> &[TerrainEvent] {
        let from = self.events.partition_point(|event| event.at < tick);
        let until = self.events.partition_point(|event| event.at <= tick);
        &self.events[from..until]
    }

    /// Whether there are units of different teams.
    #[must_use]
    pub fn has_teams(&self) -> bool {
        self.agents.iter().any(|agent| agent.team != self.agents[0].team)
    }

    /// Side of the largest body.
    #[must_use]
    #[inline]
    pub const fn largest_body(&self) -> u8 {
        self.largest_body
    }

    /// The agent with this number.
    #[must_use]
    #[inline]
    pub fn agent(&self, id: AgentId) -> &Agent {
        &self.agents[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Motion, Timing};

    fn goal(id: u32, from: (i32, i32), to: (i32, i32)) -> Agent {
        Agent::new(id, Cell::new(from.0, from.1), Task::Goal(Cell::new(to.0, to.1)))
    }

    fn make(rules: Rules, agents: Vec<Agent>) -> Result<Scenario, ScenarioError> {
        Scenario::new("t", Grid::from_rows(&["...", ".@.", "..."]).unwrap(), rules, agents)
    }

    #[test]
    fn each_fault_has_its_own_error() {
        let uniform = Rules::default();
        let metric = Rules { timing: Timing::Metric, ..uniform };
        let with = |change: fn(&mut Agent)| {
            let mut agent = goal(0, (0, 0), (2, 2));
            change(&mut agent);
            vec![agent]
        };
        use ScenarioError as E;
        assert!(matches!(make(uniform, vec![goal(0, (3, 0), (0, 0))]), Err(E::OffMap { .. })));
        assert!(matches!(make(uniform, vec![goal(0, (0, 0), (1, 1))]), Err(E::Blocked { .. })));
        assert!(matches!(make(uniform, with(|a| a.body = 2)), Err(E::DoesNotFit { .. })));
        assert!(matches!(make(uniform, with(|a| a.body = 0)), Err(E::BadBody { .. })));
        assert!(matches!(make(uniform, with(|a| a.period = 5)), Err(E::PeriodUnderUniform { .. })));
        assert!(matches!(make(metric, with(|a| a.period = 0)), Err(E::BadPeriod { .. })));
        assert!(matches!(make(uniform, with(|a| a.task = Task::Goals(vec![]))), Err(E::NoGoals { .. })));
        assert!(matches!(make(uniform, vec![goal(1, (0, 0), (2, 2))]), Err(E::WrongNumber { .. })));
        let two = vec![goal(0, (0, 0), (2, 2)), goal(1, (0, 0), (2, 0))];
        assert!(matches!(make(uniform, two), Err(E::SharedStart { .. })));
        let rested = make(uniform, vec![goal(0, (0, 0), (2, 2)), goal(1, (1, 0), (2, 2))]).unwrap();
        assert!(matches!(rested.require_distinct_goals(), Err(E::SharedGoal { .. })));
        let (runs, drives) = (
            |a: &mut Agent| (a.period, a.motion) = (3, Motion::Gaits { run: 3 }),
            |a: &mut Agent| a.motion = Motion::Car { radius: 9, heading: Dir::E },
        );
        assert!(matches!(make(metric, with(runs)), Err(E::BadRun { run: 3, period: 3, .. })));
        assert!(matches!(make(metric, with(drives)), Err(E::BadRadius { radius: 9, .. })));
        let askew = with(|a| a.motion = Motion::Car { radius: 1, heading: Dir::SE });
        assert!(matches!(make(metric, askew), Err(E::BadHeading { heading: Dir::SE, .. })));
        assert!(matches!(make(uniform, with(drives)), Err(E::MotionUnderUniform { .. })));
        let askew = with(|a| a.motion = Motion::Turns { heading: Dir::SE });
        assert!(matches!(make(uniform, askew), Err(E::BadHeading { heading: Dir::SE, .. })));
        let turns = with(|a| a.motion = Motion::Turns { heading: Dir::E });
        assert!(matches!(make(metric, turns), Err(E::TurnsUnderMetric { .. })));
        let both = Rules { hold_both: true, ..metric };
        assert_eq!(make(both, vec![]), Err(E::HoldBothUnderMetric));
    }

    #[test]
    fn start_may_equal_goal() {
        assert!(make(Rules::default(), vec![goal(0, (0, 0), (0, 0))]).is_ok());
    }
}
