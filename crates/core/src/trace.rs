//! What really happened.

use crate::{Action, AgentId, Cell, Delay, ErrandNote, TerrainChange, Tick};

/// One thing a unit did or failed to do at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Deed {
    /// Who.
    pub agent: AgentId,
    /// What it began, or what was cancelled. Never a wait: standing is what everybody else does.
    pub action: Action,
    /// Whether it was cancelled.
    pub failed: bool,
}

/// A run as it happened: where everybody began, and who began which move at which tick.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::wire::Trace"))]
pub struct Trace {
    /// By agent.
    pub starts: Vec<Cell>,
    /// By agent: the pose in which it begins, and the tick when what it was doing is over. Empty unless somebody begins
    /// otherwise than its motion says, as in the rest of a run that was saved in the middle.
    pub poses: Vec<(u8, Tick)>,
    /// Cells that closed and opened, by tick.
    pub changes: Vec<TerrainChange>,
    /// What became of errands, by tick.
    pub errands: Vec<ErrandNote>,
    /// Who was late, by tick.
    pub delays: Vec<Delay>,
    pub(crate) deeds: Vec<Deed>,
    /// Where each tick ends among the deeds: never falling, never beyond them.
    pub(crate) ends: Vec<usize>,
}

impl Trace {
    /// An empty trace of agents at these cells.
    #[must_use]
    pub const fn new(starts: Vec<Cell>) -> Self {
        Self {
            starts,
            poses: Vec::new(),
            changes: Vec::new(),
            errands: Vec::new(),
            delays: Vec::new(),
            deeds: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Number of ticks recorded.
    #[must_use]
    pub fn ticks(&self) -> Tick {
        self.ends.len() as Tick
    }

    /// What happened at `tick`, by agent; nothing past the end.
    #[must_use]
    pub fn at(&self, tick: Tick) -> &[Deed] {
        let Ok(tick) = usize::try_from(tick) else { return &[] };
        let Some(&end) = self.ends.get(tick) else { return &[] };
        let begin = if tick == 0 { 0 } else { self.ends[tick - 1] };
        &self.deeds[begin..end]
    }

    /// Which cells closed and opened before anything of `tick` began.
    #[must_use]
    pub fn changes_at(&self, tick: Tick) -> &[TerrainChange] {
        let from = self.changes.partition_point(|change| change.tick < tick);
        let until = self.changes.partition_point(|change| change.tick <= tick);
        &self.changes[from..until]
    }

    /// What became of errands in `tick`, in the order in which it happened.
    #[must_use]
    pub fn errands_at(&self, tick: Tick) -> &[ErrandNote] {
        let from = self.errands.partition_point(|note| note.tick < tick);
        let until = self.errands.partition_point(|note| note.tick <= tick);
        &self.errands[from..until]
    }

    /// Who slipped at `tick`, before anything of it began.
    #[must_use]
    pub fn delays_at(&self, tick: Tick) -> &[Delay] {
        let from = self.delays.partition_point(|delay| delay.tick < tick);
        let until = self.delays.partition_point(|delay| delay.tick <= tick);
        &self.delays[from..until]
    }

    /// Forgets all ticks; what it keeps is memory.
    pub fn forget(&mut self) {
        self.changes.clear();
        self.errands.clear();
        self.delays.clear();
        self.deeds.clear();
        self.ends.clear();
    }

    /// Adds a deed to the tick being recorded.
    pub fn push(&mut self, deed: Deed) {
        self.deeds.push(deed);
    }

    /// Closes the tick being recorded.
    pub fn end_tick(&mut self) {
        self.ends.push(self.deeds.len());
    }
}
