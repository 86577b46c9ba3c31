//! Who has not arrived in continuous space, and what keeps it.

use serde::Serialize;
use throng::continuous::{Body, Doing, World};
use throng::core::space::Point;
use throng::core::{AgentId, Tick};

/// What is known of one body; the keys are those of a unit on a grid.
#[derive(Serialize)]
pub(super) struct Left {
    agent: AgentId,
    at: Point,
    /// Where it is going; where it is if it explores.
    goal: Point,
    /// Since when it has come no nearer, if others make way for it on that account; otherwise now.
    since: Tick,
    /// Whether others make way for it.
    #[serde(skip)]
    pressing: bool,
    cause: Cause,
}

/// What a body does instead of being there; `by` is on whose account, nobody's if it is a wall's.
#[derive(Serialize)]
enum Cause {
    Rests,
    Goes,
    Slows { by: Option<AgentId> },
    Stops { by: Option<AgentId> },
    Detours { by: Option<AgentId> },
    MakesWay { by: Option<AgentId> },
    Awaits,
    Lost,
    Explores { frontier: usize },
}

impl Left {
    /// All who have neither arrived nor left.
    pub(super) fn all(world: &World) -> Vec<Self> {
        let bodies = world.bodies().iter().enumerate();
        let left = bodies.filter(|(_, body)| !body.has_arrived() && !body.is_gone());
        left.map(|(id, body)| Self::of(world, id, body, Cause::of(body))).collect()
    }

    /// All of those who explore together, and have so many cells to look at yet.
    pub(super) fn explorers(world: &World, frontier: usize) -> Vec<Self> {
        let of = |(id, body): (usize, &Body)| {
            let left = Self::of(world, id, body, Cause::Explores { frontier });
            Self { goal: left.at, ..left }
        };
        world.bodies().iter().enumerate().map(of).collect()
    }

    fn of(world: &World, id: usize, body: &Body, cause: Cause) -> Self {
        let at = body.pose().at;
        let goal = body.errand().target(body.leg()).unwrap_or(at);
        // Whose turn comes later is promoted from a step to come on.
        let since = body.promoted().map_or(world.steps(), |step| step.min(world.steps()));
        Self { agent: AgentId(id as u32), at, goal, since, pressing: body.promoted().is_some(), cause }
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let Self { agent, at: Point { x, y }, since, pressing, cause, .. } = self;
        let by = match cause.by() {
            Some(by) => format!(", on account of {by}"),
            None if matches!(cause, Cause::Stops { .. }) => ", on account of a wall".to_owned(),
            None => String::new(),
        };
        let since = if *pressing { format!("; made way for since step {since}") } else { String::new() };
        format!("body {agent} at ({x:.1}, {y:.1}) {}{by}{since}", cause.words())
    }
}

impl Cause {
    fn of(body: &Body) -> Self {
        let by = body.cause();
        match body.doing() {
            Doing::Goes => Self::Goes,
            Doing::Slows => Self::Slows { by },
            Doing::Stops => Self::Stops { by },
            Doing::Detours => Self::Detours { by },
            Doing::MakesWay => Self::MakesWay { by },
            Doing::Awaits => Self::Awaits,
            Doing::Lost => Self::Lost,
            Doing::Rests | Doing::Gone => Self::Rests,
        }
    }

    const fn by(&self) -> Option<AgentId> {
        match *self {
            Self::Slows { by } | Self::Stops { by } | Self::Detours { by } | Self::MakesWay { by } => by,
            Self::Rests | Self::Goes | Self::Awaits | Self::Lost | Self::Explores { .. } => None,
        }
    }

    const fn words(&self) -> &'static str {
        match self {
            Self::Rests => "rests",
            Self::Goes => "goes on",
            Self::Slows { .. } => "slows down",
            Self::Stops { .. } => "stops",
            Self::Detours { .. } => "goes round somebody",
            Self::MakesWay { .. } => "makes way",
            Self::Awaits => "waits for its way to be planned",
            Self::Lost => {
                "has no way to its goal that is a tenth wider than its disc, or than the disc around it if it is a polygon that turns"
            }
            Self::Explores { .. } => "explores",
        }
    }
}
