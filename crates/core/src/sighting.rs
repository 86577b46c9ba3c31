//! How units of others were last seen to move, who tell nobody what they are about to do.

use crate::{Action, Agent, CellId, Dir, Rules, Tick};

/// Whoever has not moved for so many of its steps is taken to stand.
const STEPS: u64 = 2;

/// What was last seen of one unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sighting {
    /// Where, or where it is believed to have gone since; nothing if it was not seen at all.
    pub at: Option<CellId>,
    /// The step that it took last, and when that was over or will be.
    pub heading: Option<(Dir, Tick)>,
    /// When it was last seen to begin something, or first seen.
    pub moved: Tick,
}

impl Sighting {
    /// Where it goes on to at a tick, if it was moving lately: straight on.
    #[must_use]
    pub fn goes_on(&self, agent: &Agent, rules: Rules, tick: Tick) -> Option<Dir> {
        let (dir, ended) = self.heading?;
        let step = agent.actions(rules).duration(Action::Go(dir));
        (tick < ended.saturating_add(STEPS * u64::from(step))).then_some(dir)
    }
}
