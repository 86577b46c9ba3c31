//! Who does which errand.

use crate::reach::Reach;
use throng_core::{AgentId, ErrandId, Job, Scenario, State};

/// Decides who does which errand. [`Session::set_assigner`](crate::Session::set_assigner) takes another one than
/// [`Nearest`](crate::errands::Nearest).
///
/// Whatever it decides by has to be in the world that it is asked about: it is not saved with a session.
pub trait Assigner {
    /// Writes who of the idle units is to do which of the errands that wait; whoever it leaves out is asked about in the next
    /// tick. Answers how many nodes it has expanded, of which there are `room` at most.
    fn assign(&mut self, market: &mut Market<'_>, room: u64, pairs: &mut Vec<(ErrandId, AgentId)>) -> u64;
}

/// Who has nothing to do, and what has to be done.
#[derive(Debug)]
pub struct Market<'a> {
    /// The world.
    pub scenario: &'a Scenario,
    /// Who is where; the errands that wait are in it.
    pub state: &'a State,
    /// Units that do errands and have none, by number.
    pub idle: &'a [AgentId],
    pub(crate) reach: &'a mut Reach,
}

impl Market<'_> {
    /// Whether a unit can get to all stops of an errand from where it is, whatever the others do.
    pub fn can_do(&mut self, agent: AgentId, job: &Job) -> bool {
        self.reach.gets_to(self.scenario, self.state, agent, &job.stops)
    }
}
