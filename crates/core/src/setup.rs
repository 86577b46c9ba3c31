//! A scenario together with how its author wants it run.

use crate::{AgentId, Directions, Scenario, Tick};

/// What a scenario file or a built-in scenario holds: the problem, and defaults for running it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The problem.
    pub scenario: Scenario,
    /// One line for people.
    pub about: String,
    /// The planner unless told otherwise, as `name(key=value,…)`.
    pub planner: Option<String>,
    /// Units with a planner of their own.
    pub unit_planners: Vec<(AgentId, String)>,
    /// When to stop at the latest unless told otherwise.
    pub ticks: Option<Tick>,
    /// The seed of everything random unless told otherwise.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: Option<u64>,
    /// Expansions that planning may take in each tick unless told otherwise: at least 1.
    #[cfg_attr(feature = "serde", serde(default))]
    pub budget: Option<u64>,
    /// What those who plan by a direction map begin with.
    #[cfg_attr(feature = "serde", serde(default))]
    pub directions: Option<Directions>,
}

impl Setup {
    /// A scenario without wishes.
    #[must_use]
    pub const fn new(scenario: Scenario) -> Self {
        Self {
            scenario,
            about: String::new(),
            planner: None,
            unit_planners: Vec::new(),
            ticks: None,
            seed: None,
            budget: None,
            directions: None,
        }
    }
}
