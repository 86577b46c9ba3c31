//! Which units share a controller: those with the same planner who know the same.

use crate::rollout::rolled_out;
use crate::session::Mind;
use crate::{Error, Options};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_core::{Agent, AgentId, Scenario, Setup, Sight, Support};
use throng_planners::refinement::Levels;
use throng_planners::registry::{self, Built, Context};
use throng_search::Workers;

/// Who knows the same and plans together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Whose {
    /// All units of a team.
    Team(u16),
    /// One unit that shares with nobody what it sees.
    Unit(AgentId),
}

impl Whose {
    /// To whom a unit belongs in a world.
    pub(crate) fn of(scenario: &Scenario, agent: &Agent) -> Self {
        match scenario.sight_of(agent) {
            Some(sight) if !sight.shared => Self::Unit(agent.id),
            _ => Self::Team(agent.team),
        }
    }

    /// What those see who have to see the world first.
    pub(crate) fn sight(self, scenario: &Scenario) -> Option<Sight> {
        let sight = scenario.sight()?;
        let team = match self {
            Self::Team(team) => Some(team),
            Self::Unit(id) => scenario.agents().get(id.index()).map(|agent| agent.team),
        };
        (sight.team.is_none() || sight.team == team).then_some(sight)
    }
}

/// Units that share a controller.
pub(crate) struct Group {
    pub spec: String,
    pub whose: Whose,
    /// What its planner can do.
    pub support: Support,
    pub mine: Vec<AgentId>,
    pub mind: Mind,
}

impl Group {
    /// A group of nobody yet.
    pub(crate) fn new(spec: &str, whose: Whose, context: &Context) -> Result<Self, Error> {
        let mind = match registry::build(spec, context)? {
            Built::Planner(planner) => Mind::Planner(planner),
            Built::Controller(controller) => Mind::Controller(controller),
        };
        Ok(Self { spec: spec.to_owned(), whose, support: registry::support(spec)?, mine: Vec::new(), mind })
    }

    /// Whether it is the one of a planner for these units.
    pub(crate) fn is(&self, spec: &str, whose: Whose) -> bool {
        self.spec == spec && self.whose == whose
    }
}

/// What planners may use.
pub(crate) fn context(options: &Options) -> Context {
    let workers = Arc::new(Workers::new(options.threads));
    Context { seed: options.seed, workers, roll_out: Some(rolled_out), ..Context::default() }
}

/// The same with what a scenario brings.
pub(crate) fn context_of(setup: &Setup, options: &Options) -> Result<Context, Error> {
    if let Some(directions) = &setup.directions {
        directions.check(setup.scenario.grid())?;
    }
    Ok(Context { directions: setup.directions.clone().map(Arc::new), ..context(options) })
}

/// Units by planner and by what they know: those with a planner of their own, and the rest.
pub(crate) fn make(
    setup: &Setup,
    options: &Options,
    context: &Context,
    first: &[(&str, Whose)],
) -> Result<Vec<Group>, Error> {
    let agents = setup.scenario.agents();
    let mut specs: Vec<Option<&str>> = vec![None; agents.len()];
    // A planner given for the run replaces all of the scenario's wishes, but for explorers if it is none of theirs.
    let explores = match &options.planner {
        Some(spec) => registry::support(spec)?.explorers,
        None => true,
    };
    for (id, spec) in &setup.unit_planners {
        let Some(slot) = specs.get_mut(id.index()) else { continue };
        if options.planner.is_none() || !explores && agents[id.index()].task.is_search() {
            *slot = Some(spec);
        }
    }
    let default = options.planner.as_deref().or(setup.planner.as_deref());
    let hides = setup.scenario.sight().is_some();
    let new = |spec: &str, whose: Whose| match hides {
        // Coarser levels are of what each of them knows by then.
        true => Group::new(spec, whose, &Context { levels: Levels::default(), ..context.clone() }),
        false => Group::new(spec, whose, context),
    };
    let mut groups: Vec<Group> = Vec::new();
    for &(spec, whose) in first {
        groups.push(new(spec, whose)?);
    }
    for (agent, spec) in agents.iter().zip(specs) {
        let spec = spec.or(default).ok_or(Error::NoPlanner)?;
        let whose = Whose::of(&setup.scenario, agent);
        let known = groups.iter().position(|group| group.is(spec, whose));
        let place = known.unwrap_or(groups.len());
        if known.is_none() {
            groups.push(new(spec, whose)?);
        }
        groups[place].mine.push(agent.id);
    }
    // Units may come later: they are the default planner's, even if nobody is yet. Where others move units, one that
    // plans for everybody at once cannot be it.
    if let Some(spec) = default.filter(|&spec| groups.iter().all(|g| g.spec != spec)) {
        let made = new(spec, Whose::Team(0))?;
        if groups.is_empty() || matches!(made.mind, Mind::Controller(_)) {
            groups.push(made);
        }
    }
    if let Some(lone) = groups.iter().position(|g| matches!(g.mind, Mind::Planner(_)))
        && let Some(other) = groups.iter().find(|g| g.spec != groups[lone].spec)
    {
        let planner = groups[lone].spec.clone();
        return Err(Error::OneShotShared { planner, other: other.spec.clone() });
    }
    Ok(groups)
}
