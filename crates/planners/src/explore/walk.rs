//! What one explorer remembers of its way.

use serde::{Deserialize, Serialize};
use throng_core::{AgentId, CellId, Tick};

/// A unit that comes to one of its last so many cells for the third time goes to and fro.
const TRAIL: usize = 24;

/// How one explorer has fared.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Walk {
    /// Where it was lately, each once for as long as it stood there.
    trail: Vec<CellId>,
    /// It follows the heat alone: since it was so many steps from where that leads.
    pub(super) pure: Option<u32>,
    /// How often in a row it could not go.
    pub(super) waited: u32,
    /// Where it set out from in its last decision: whether it came off, the next one sees.
    left: Option<CellId>,
    /// The cells to where it was sent, the next one last.
    way: Vec<CellId>,
    /// It is sent nowhere before this tick, since somebody was in its way, so often already.
    barred: (Tick, u32),
    /// On account of whom, and where that one was.
    blocker: Option<(AgentId, CellId)>,
    /// The last of others who were in its way, also when it could go since.
    met: Option<(AgentId, CellId)>,
    /// Around which cell it has been, and since when.
    haunt: Option<(CellId, Tick)>,
}

impl Walk {
    /// Notes where it is, so many steps from the frontier; answers whether it goes to and fro.
    pub(super) fn note(&mut self, at: CellId, steps: u32) -> bool {
        // Where the heat led it is known by now, or somebody else has been there.
        if let Some(before) = self.pure {
            let came = self.trail.last() != Some(&at);
            self.pure = if came && steps >= before { None } else { Some(steps) };
        }
        if self.trail.last() != Some(&at) {
            if self.trail.len() == TRAIL {
                self.trail.remove(0);
            }
            self.trail.push(at);
        }
        let again = self.trail.iter().filter(|&&cell| cell == at).count() >= 3;
        if again {
            self.trail.clear();
            self.trail.push(at);
        }
        again
    }

    /// Where it was sent.
    pub(super) fn aim(&self) -> Option<CellId> {
        self.way.first().copied()
    }

    /// It is sent along a way, whose last cell comes first.
    pub(super) fn set_out(&mut self, way: Vec<CellId>) {
        self.way = way;
    }

    /// It is sent nowhere any more.
    pub(super) fn drop_way(&mut self) {
        self.way.clear();
    }

    /// Somebody is in its way: it goes by the heat for a while, each time for twice as long, so that nobody is sent against the
    /// same other for ever.
    pub(super) fn give_up(&mut self, now: Tick, patience: Tick) {
        let (_, tries) = self.barred;
        self.barred = (now.saturating_add(patience << tries.min(16)), tries.saturating_add(1));
        self.way.clear();
    }

    /// Whether it can be sent somewhere.
    pub(super) fn is_free(&self, now: Tick) -> bool {
        self.way.is_empty() && now >= self.barred.0
    }

    /// The next cell of its way.
    pub(super) fn next(&self) -> Option<CellId> {
        self.way.last().copied()
    }

    /// The next cells of its way.
    pub(super) fn ahead(&self, most: usize) -> impl Iterator<Item = CellId> + '_ {
        self.way.iter().rev().take(most).copied()
    }

    /// Notes where it is on its way; whoever has left it has none.
    pub(super) fn follow(&mut self, at: CellId) {
        if self.next() == Some(at) {
            self.way.pop();
        } else if self.waited == 0
            && !self.way.is_empty()
            && self.trail.last().is_some_and(|&before| before != at)
        {
            self.way.clear();
        }
    }

    /// Notes that it sets out.
    pub(super) const fn goes(&mut self, from: CellId) {
        (self.left, self.blocker) = (Some(from), None);
    }

    /// Notes where it decides; answers whether it set out and is there still, since others wanted to the same place.
    pub(super) fn failed(&mut self, at: CellId) -> bool {
        match self.left.take() {
            Some(from) if from == at => true,
            Some(_) => {
                self.waited = 0;
                false
            }
            None => false,
        }
    }

    /// Notes that it cannot.
    pub(super) fn waits(&mut self, blocker: Option<(AgentId, CellId)>) {
        self.waited = self.waited.saturating_add(1);
        self.blocker = blocker.or(self.blocker);
    }

    /// Notes that one of others is in its way, and where.
    pub(super) const fn meets(&mut self, other: AgentId, cell: CellId) {
        self.met = Some((other, cell));
    }

    /// Notes where it is; answers for how long it has been near there.
    pub(super) fn lingers(&mut self, now: Tick, at: CellId, near: impl Fn(CellId) -> bool) -> Tick {
        let (_, since) = *match self.haunt.take() {
            Some(haunt) if near(haunt.0) => self.haunt.insert(haunt),
            _ => self.haunt.insert((at, now)),
        };
        now.saturating_sub(since)
    }

    /// Who keeps it from going, and where that one is.
    pub(super) const fn blocker(&self) -> Option<(AgentId, CellId)> {
        self.blocker
    }

    /// Who of others kept it from going last, whether it has gone somewhere else since or not, and where that one was.
    pub(super) const fn met(&self) -> Option<(AgentId, CellId)> {
        self.met
    }

    /// All cells that it remembers.
    pub(super) fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let others = self.blocker.into_iter().chain(self.met).map(|(_, cell)| cell);
        let haunt = self.haunt.map(|(cell, _)| cell);
        self.trail.iter().chain(&self.way).copied().chain(others).chain(haunt).chain(self.left)
    }
}
