//! What the judge says in the end.

use crate::Violation;
use core::fmt;
use throng_core::Tick;

/// Everything found, and the metrics that a plan or trace alone determines.
///
/// An agent's *cost* is the first tick after which it stays at its goal (of a list: at the last one, with
/// all visited; of a patrol: the tick at which it came back for the last time). An agent that does not
/// finish costs all ticks.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// What is wrong, by tick; at most as many as the judge was told to keep.
    pub violations: Vec<Violation>,
    /// How many violations there are, kept or not.
    pub total: u64,
    /// How many of them are conflicts between two agents.
    pub collisions: u64,
    /// How long plan or trace last.
    pub ticks: Tick,
    /// How many agents have done their task.
    pub finished: usize,
    /// How many errands were done.
    pub errands: u64,
    /// Sum of the agents' costs.
    pub soc: u64,
    /// The largest cost.
    pub makespan: Tick,
    /// Over all agents, the ticks at which the agent is not at its goal both before and after.
    pub sum_of_loss: u64,
    /// Straight steps of all agents.
    pub straight: u64,
    /// Diagonal steps of all agents.
    pub diagonal: u64,
    /// Quarters of circles of all agents, as the sum of their radii.
    pub curved: u64,
    /// Cancelled moves of all agents; only a trace has them.
    pub failed_moves: u64,
}

impl Report {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.total == 0
    }

    /// Geometric length of all paths together: 1 per straight step, √2 per diagonal, π/2 of its radius per curve.
    #[must_use]
    pub fn path_length(&self) -> f64 {
        let curved = self.curved as f64 * core::f64::consts::FRAC_PI_2;
        self.straight as f64 + self.diagonal as f64 * core::f64::consts::SQRT_2 + curved
    }
}

/// One line per violation, or one line of metrics.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_valid() {
            let Self { soc, makespan, sum_of_loss, .. } = self;
            return write!(f, "valid: soc {soc}, makespan {makespan}, sum of loss {sum_of_loss}");
        }
        for (place, violation) in self.violations.iter().enumerate() {
            if place > 0 {
                writeln!(f)?;
            }
            write!(f, "{violation}")?;
        }
        match self.total - self.violations.len() as u64 {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}
