//! What happened in continuous space.

use super::{DoorChange, Pose};
use crate::{AgentId, Tick};

/// Where bodies were, step by step: within a step each moves in a straight line at one speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpaceTrace {
    /// By body: where it was in the beginning; nowhere if it had left.
    pub starts: Vec<Option<Pose>>,
    /// Doors that closed and opened, in their order.
    pub changes: Vec<DoorChange>,
    moves: Vec<(AgentId, Pose)>,
    /// Where in `moves` each step ends.
    ends: Vec<usize>,
}

impl SpaceTrace {
    /// Nothing has happened yet.
    #[must_use]
    pub const fn new(starts: Vec<Option<Pose>>) -> Self {
        Self { starts, changes: Vec::new(), moves: Vec::new(), ends: Vec::new() }
    }

    /// In the step that has begun, a body gets there. Who is not named stays as it was.
    pub fn push(&mut self, agent: AgentId, to: Pose) {
        self.moves.push((agent, to));
    }

    /// The step is over.
    pub fn end_tick(&mut self) {
        self.ends.push(self.moves.len());
    }

    /// Steps that are over.
    #[must_use]
    pub const fn ticks(&self) -> Tick {
        self.ends.len() as Tick
    }

    /// The doors that closed and opened before a step.
    #[must_use]
    pub fn changes_at(&self, tick: Tick) -> &[DoorChange] {
        let begin = self.changes.partition_point(|change| change.tick < tick);
        let end = self.changes.partition_point(|change| change.tick <= tick);
        &self.changes[begin..end]
    }

    /// Who moved in a step, and where to; nobody in one that has not been.
    #[must_use]
    pub fn at(&self, tick: Tick) -> &[(AgentId, Pose)] {
        let Some(&end) = usize::try_from(tick).ok().and_then(|tick| self.ends.get(tick)) else { return &[] };
        let begin = if tick == 0 { 0 } else { self.ends[tick as usize - 1] };
        &self.moves[begin..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Point;

    #[test]
    fn steps_keep_their_own_moves() {
        let pose = |x: f64| Pose::at(Point::new(x, 0.0));
        let mut trace = SpaceTrace::new(vec![Some(pose(0.0)), None]);
        trace.push(AgentId(0), pose(1.0));
        trace.end_tick();
        trace.end_tick();
        trace.push(AgentId(0), pose(2.0));
        assert_eq!((trace.ticks(), trace.at(0).len(), trace.at(1).len(), trace.at(2).len()), (2, 1, 0, 0));
        assert!(trace.at(u64::MAX).is_empty());
        trace.end_tick();
        assert_eq!(trace.at(2), [(AgentId(0), pose(2.0))]);
    }
}
