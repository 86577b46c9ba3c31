//! What is wrong with the agents of a scenario.

use crate::{Agent, AgentId, Cell, Grid, MAX_RADIUS, Motion, Rules, Scenario, ScenarioError, Task, Timing};

impl Scenario {
    /// All that [`Self::new`] would refuse these for, one fault an agent; the first is why it does.
    pub fn faults<'a>(
        grid: &'a Grid,
        rules: Rules,
        agents: &'a [Agent],
    ) -> impl Iterator<Item = ScenarioError> + 'a {
        let both = rules.hold_both && rules.timing == Timing::Metric;
        // Larger bodies may yet come to an empty world.
        let small = || !agents.is_empty() && agents.iter().all(|agent| agent.body == 1);
        let of_rules = [
            both.then_some(ScenarioError::HoldBothUnderMetric),
            (rules.follow && rules.graph_rules() && small()).then_some(ScenarioError::FollowUnderGraphRules),
        ];
        let mut taken: Vec<Option<AgentId>> = vec![None; grid.len()];
        let mut shared = move |agent: &Agent| {
            let mut met = None;
            for cell in agent.actions(rules).footprint(agent.start, crate::Action::Wait).cells() {
                let slot = grid.id(cell).and_then(|id| taken.get_mut(id.index()));
                let first = slot.and_then(|slot| slot.replace(agent.id));
                met = met.or(first.map(|first| ScenarioError::SharedStart { first, agent: agent.id, cell }));
            }
            met
        };
        let of_agents = agents.iter().enumerate().filter_map(move |(place, agent)| {
            let checked = check_agent(grid, &rules, agent, AgentId(place as u32), check_place);
            checked.err().or_else(|| shared(agent))
        });
        of_rules.into_iter().flatten().chain(of_agents)
    }
}

impl Scenario {
    /// Whether a unit that does errands may be sent from a cell to others.
    pub(crate) fn check_employment(
        &self,
        id: AgentId,
        start: Cell,
        stops: &[Cell],
    ) -> Result<(), ScenarioError> {
        let Some(agent) = self.agents().get(id.index()) else {
            let expected = AgentId(self.agents().len() as u32);
            return Err(ScenarioError::WrongNumber { found: id, expected });
        };
        check_place(self.grid(), agent, "start", start)?;
        stops.iter().try_for_each(|&stop| check_place(self.grid(), agent, "stop", stop))
    }
}

/// Judges a cell in a role.
type Judgement = fn(&Grid, &Agent, &'static str, Cell) -> Result<(), ScenarioError>;

pub(crate) fn check_agent(
    grid: &Grid,
    rules: &Rules,
    agent: &Agent,
    place: AgentId,
    check_place: Judgement,
) -> Result<(), ScenarioError> {
    let id = place;
    if agent.id != place {
        return Err(ScenarioError::WrongNumber { found: agent.id, expected: place });
    }
    if agent.body == 0 || agent.body > Scenario::MAX_BODY {
        return Err(ScenarioError::BadBody { agent: id, body: agent.body });
    }
    if agent.period == 0 || agent.period > Scenario::MAX_PERIOD {
        return Err(ScenarioError::BadPeriod { agent: id, period: agent.period });
    }
    if rules.timing == Timing::Uniform && agent.period != 1 {
        return Err(ScenarioError::PeriodUnderUniform { agent: id, period: agent.period });
    }
    check_motion(rules, agent)?;
    check_place(grid, agent, "start", agent.start)?;
    match &agent.task {
        Task::Goal(goal) => check_place(grid, agent, "goal", *goal),
        Task::Goals(goals) if goals.is_empty() => Err(ScenarioError::NoGoals { agent: id }),
        Task::Goals(goals) | Task::Errands(goals) => {
            goals.iter().try_for_each(|&goal| check_place(grid, agent, "goal", goal))
        }
        Task::Patrol { rounds: 0, .. } => Err(ScenarioError::NoRounds { agent: id }),
        Task::Patrol { goal, .. } => check_place(grid, agent, "goal", *goal),
        Task::Find(hidden) => check_place(grid, agent, "hidden goal", *hidden),
        Task::Hold | Task::Explore => Ok(()),
    }
}

fn check_motion(rules: &Rules, agent: &Agent) -> Result<(), ScenarioError> {
    let (id, uniform) = (agent.id, rules.timing == Timing::Uniform);
    match agent.motion {
        Motion::Steps => Ok(()),
        Motion::Turns { .. } if !uniform => Err(ScenarioError::TurnsUnderMetric { agent: id }),
        Motion::Turns { heading } if heading.is_diagonal() => {
            Err(ScenarioError::BadHeading { agent: id, heading })
        }
        Motion::Turns { .. } => Ok(()),
        Motion::Gaits { .. } if uniform => {
            Err(ScenarioError::MotionUnderUniform { agent: id, motion: "runs" })
        }
        Motion::Car { .. } if uniform => {
            Err(ScenarioError::MotionUnderUniform { agent: id, motion: "drives curves" })
        }
        Motion::Gaits { run } if run == 0 || run >= agent.period => {
            Err(ScenarioError::BadRun { agent: id, run, period: agent.period })
        }
        Motion::Car { radius, .. } if radius == 0 || radius > MAX_RADIUS => {
            Err(ScenarioError::BadRadius { agent: id, radius })
        }
        Motion::Car { heading, .. } if heading.is_diagonal() => {
            Err(ScenarioError::BadHeading { agent: id, heading })
        }
        Motion::Gaits { .. } | Motion::Car { .. } => Ok(()),
    }
}

pub(crate) fn on_map(
    grid: &Grid,
    agent: &Agent,
    role: &'static str,
    cell: Cell,
) -> Result<(), ScenarioError> {
    if grid.id(cell).is_none() {
        let (width, height) = (grid.width(), grid.height());
        return Err(ScenarioError::OffMap { agent: agent.id, role, cell, width, height });
    }
    Ok(())
}

pub(crate) fn check_place(
    grid: &Grid,
    agent: &Agent,
    role: &'static str,
    cell: Cell,
) -> Result<(), ScenarioError> {
    on_map(grid, agent, role, cell)?;
    let id = grid.id(cell).unwrap_or_default();
    if !grid.is_open_id(id) {
        let letter = char::from(grid.letter(id));
        return Err(ScenarioError::Blocked { agent: agent.id, role, cell, letter });
    }
    if !grid.fits(cell, agent.body) {
        return Err(ScenarioError::DoesNotFit { agent: agent.id, role, cell, body: agent.body });
    }
    Ok(())
}
