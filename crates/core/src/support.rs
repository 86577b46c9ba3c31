//! What a planner can do, and what it promises.

use crate::{Agent, Connectivity, Motion, Rules, Scenario, Task, Timing};
use core::fmt;

/// What a planner supports. A scenario that needs more is refused with the gap named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs, clippy::struct_excessive_bools)]
pub struct Support {
    pub four: bool,
    pub eight: bool,
    pub uniform: bool,
    pub metric: bool,
    /// Reserving both cells for both ticks.
    pub hold_both: bool,
    /// The largest body side.
    pub largest_body: u8,
    /// Units of different periods in one world.
    pub speeds: bool,
    /// Units that walk and run.
    pub gaits: bool,
    /// Units that drive curves.
    pub cars: bool,
    /// Units that turn where they stand.
    pub turns: bool,
    /// Priorities between units.
    pub priorities: bool,
    /// How many different priorities it tells apart; `None` for any number.
    pub most_priorities: Option<usize>,
    pub goals: bool,
    pub lists: bool,
    pub patrols: bool,
    /// Units that do errands as they come.
    pub errands: bool,
    /// Units that stay, whoever wants to pass.
    pub holding: bool,
    /// Cells that close and open.
    pub closings: bool,
    /// Units that slip.
    pub delays: bool,
    /// Worlds of which units know only what they have seen.
    pub fog: bool,
    /// Units of other teams, whose plans nobody knows.
    pub teams: bool,
    /// Units that explore, or look for something.
    pub explorers: bool,
}

/// Something that a scenario needs and a planner lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub enum Need {
    Four,
    Eight,
    Uniform,
    Metric,
    HoldBoth,
    Body(u8),
    Speeds,
    Gaits,
    Cars,
    Turns,
    Priorities,
    /// More different priorities than it tells apart.
    MorePriorities {
        most: usize,
    },
    Goals,
    Lists,
    Patrols,
    Errands,
    Holding,
    Closings,
    Delays,
    Fog,
    Teams,
    Explorers,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Four => write!(f, "four moves"),
            Self::Eight => write!(f, "eight moves"),
            Self::Uniform => write!(f, "uniform timing"),
            Self::Metric => write!(f, "metric timing"),
            Self::HoldBoth => write!(f, "holding both cells of a move"),
            Self::Body(n) => write!(f, "bodies of {n}×{n}"),
            Self::Speeds => write!(f, "units of different speeds"),
            Self::Gaits => write!(f, "units that run"),
            Self::Cars => write!(f, "units that drive curves"),
            Self::Turns => write!(f, "units that turn where they stand"),
            Self::Priorities => write!(f, "priorities between units"),
            Self::MorePriorities { most } => write!(f, "more than {most} different priorities"),
            Self::Goals => write!(f, "single goals"),
            Self::Lists => write!(f, "lists of goals"),
            Self::Patrols => write!(f, "patrols"),
            Self::Errands => write!(f, "errands that come while the world runs"),
            Self::Holding => write!(f, "units that hold their place"),
            Self::Closings => write!(f, "cells that close and open"),
            Self::Delays => write!(f, "units that are late"),
            Self::Fog => write!(f, "worlds of which units know only what they have seen"),
            Self::Teams => write!(f, "several teams"),
            Self::Explorers => write!(f, "units that explore"),
        }
    }
}

impl Support {
    /// What both of two planners support.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let fewer = |a: Option<usize>, b: Option<usize>| a.zip(b).map_or(a.or(b), |(a, b)| Some(a.min(b)));
        Self {
            four: self.four && other.four,
            eight: self.eight && other.eight,
            uniform: self.uniform && other.uniform,
            metric: self.metric && other.metric,
            hold_both: self.hold_both && other.hold_both,
            largest_body: self.largest_body.min(other.largest_body),
            speeds: self.speeds && other.speeds,
            gaits: self.gaits && other.gaits,
            cars: self.cars && other.cars,
            turns: self.turns && other.turns,
            priorities: self.priorities && other.priorities,
            most_priorities: fewer(self.most_priorities, other.most_priorities),
            goals: self.goals && other.goals,
            lists: self.lists && other.lists,
            patrols: self.patrols && other.patrols,
            errands: self.errands && other.errands,
            holding: self.holding && other.holding,
            closings: self.closings && other.closings,
            delays: self.delays && other.delays,
            fog: self.fog && other.fog,
            teams: self.teams && other.teams,
            explorers: self.explorers && other.explorers,
        }
    }

    /// What one more agent among others would need and this lacks. Who differs from the others differs from
    /// the first of them.
    #[must_use]
    pub fn gap_of(&self, first: Option<&Agent>, agent: &Agent) -> Option<Need> {
        let first = first.unwrap_or(agent);
        let needs = [
            (agent.body > self.largest_body, Need::Body(agent.body)),
            (!self.speeds && agent.period != first.period, Need::Speeds),
            (!self.gaits && runs(agent), Need::Gaits),
            (!self.cars && drives(agent), Need::Cars),
            (!self.turns && turns(agent), Need::Turns),
            (!self.priorities && agent.priority != first.priority, Need::Priorities),
        ];
        needs.into_iter().find(|(lacking, _)| *lacking).map(|(_, need)| need).or(match agent.task {
            Task::Goal(_) if !self.goals => Some(Need::Goals),
            Task::Goals(_) if !self.lists => Some(Need::Lists),
            Task::Patrol { .. } if !self.patrols => Some(Need::Patrols),
            Task::Errands(_) if !self.errands => Some(Need::Errands),
            Task::Hold if !self.holding => Some(Need::Holding),
            Task::Explore | Task::Find(_) if !self.explorers => Some(Need::Explorers),
            _ => None,
        })
    }

    /// Whether these are more priorities than it tells apart.
    #[must_use]
    pub fn gap_of_priorities(&self, priorities: impl Iterator<Item = i32>) -> Option<Need> {
        let most = self.most_priorities?;
        let mut known: Vec<i32> = Vec::new();
        let mut last = None;
        for priority in priorities {
            if last.replace(priority) == Some(priority) {
                continue;
            }
            if let Err(place) = known.binary_search(&priority) {
                if known.len() == most {
                    return Some(Need::MorePriorities { most });
                }
                known.insert(place, priority);
            }
        }
        None
    }

    /// The first thing that `scenario` needs and this lacks.
    #[must_use]
    pub fn gap(&self, scenario: &Scenario) -> Option<Need> {
        let all = scenario.agents().iter();
        let need = self.gap_of_world(scenario).or_else(|| self.gap_of_eyes(scenario, all.clone()));
        need.or_else(|| self.gap_among(scenario.rules(), all))
    }

    /// What the world itself needs, whoever is in it, and this lacks.
    #[must_use]
    pub fn gap_of_world(&self, scenario: &Scenario) -> Option<Need> {
        let needs = [
            (!self.closings && !scenario.events().is_empty(), Need::Closings),
            (!self.delays && !scenario.delays().is_none(), Need::Delays),
            (!self.teams && scenario.has_teams(), Need::Teams),
        ];
        needs.into_iter().find(|(lacking, _)| *lacking).map(|(_, need)| need)
    }

    /// What it takes to move these agents if some of them have to see the world first, and this lacks.
    #[must_use]
    pub fn gap_of_eyes<'a>(
        &self,
        scenario: &Scenario,
        mut agents: impl Iterator<Item = &'a Agent>,
    ) -> Option<Need> {
        (!self.fog && agents.any(|agent| scenario.sight_of(agent).is_some())).then_some(Need::Fog)
    }

    /// The first thing that these agents need by these rules and this lacks.
    #[must_use]
    pub fn gap_among<'a>(
        &self,
        rules: Rules,
        agents: impl Iterator<Item = &'a Agent> + Clone,
    ) -> Option<Need> {
        let first = agents.clone().next();
        let any = |test: fn(&Agent) -> bool| agents.clone().any(test);
        let differ = |f: fn(&Agent) -> i64| first.is_some_and(|one| agents.clone().any(|a| f(a) != f(one)));
        let body = agents.clone().map(|a| a.body).max().unwrap_or(1);
        let needs = [
            (rules.connectivity == Connectivity::Four && !self.four, Need::Four),
            (rules.connectivity == Connectivity::Eight && !self.eight, Need::Eight),
            (rules.timing == Timing::Uniform && !self.uniform, Need::Uniform),
            (rules.timing == Timing::Metric && !self.metric, Need::Metric),
            (rules.hold_both && !self.hold_both, Need::HoldBoth),
            (body > self.largest_body, Need::Body(body)),
            (!self.speeds && differ(|a| i64::from(a.period)), Need::Speeds),
            (!self.gaits && any(runs), Need::Gaits),
            (!self.cars && any(drives), Need::Cars),
            (!self.turns && any(turns), Need::Turns),
            (!self.priorities && differ(|a| i64::from(a.priority)), Need::Priorities),
            (!self.goals && any(|a| matches!(a.task, Task::Goal(_))), Need::Goals),
            (!self.lists && any(|a| matches!(a.task, Task::Goals(_))), Need::Lists),
            (!self.patrols && any(|a| matches!(a.task, Task::Patrol { .. })), Need::Patrols),
            (!self.errands && any(|a| matches!(a.task, Task::Errands(_))), Need::Errands),
            (!self.holding && any(|a| matches!(a.task, Task::Hold)), Need::Holding),
            (!self.explorers && any(|a| a.task.is_search()), Need::Explorers),
        ];
        let need = needs.into_iter().find(|(lacking, _)| *lacking).map(|(_, need)| need);
        need.or_else(|| self.gap_of_priorities(agents.map(|agent| agent.priority)))
    }
}

const fn runs(agent: &Agent) -> bool {
    matches!(agent.motion, Motion::Gaits { .. })
}

const fn turns(agent: &Agent) -> bool {
    matches!(agent.motion, Motion::Turns { .. })
}

const fn drives(agent: &Agent) -> bool {
    matches!(agent.motion, Motion::Car { .. })
}

/// What a planner promises about its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub struct Guarantee {
    /// Finds a plan whenever there is one.
    pub complete: bool,
    /// Its plans are of least cost.
    pub optimal: bool,
    /// Same scenario and seed, same result, whatever the number of threads.
    pub deterministic: bool,
    /// Units that follow it never collide and never lose a tick to a cancelled move.
    pub collision_free: bool,
}
