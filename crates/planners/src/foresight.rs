//! What others are about to do, who tell nobody: they go on as they were last seen to go.

use serde::{Deserialize, Serialize};
use throng_core::{Action, AgentId, CellId, Dir, View};

/// Whoever has not moved for so many of its steps is taken to stand.
const STEPS: u64 = 2;

/// How units of others were last seen to move.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Foresight {
    /// By agent; nothing for those who tell.
    seen: Vec<Sighting>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Sighting {
    /// Where, if it was seen at all.
    at: Option<CellId>,
    /// The step that it took last, and when it was over or would be.
    heading: Option<(Dir, u64)>,
    /// When it was last seen to begin something, or first seen.
    moved: u64,
}

/// Whether nobody tells what a unit is about to do: it is of another team, or shares nothing that it knows.
pub(crate) fn is_stranger(view: &View<'_>, id: AgentId) -> bool {
    let Some(&own) = view.mine.first() else { return false };
    let alone = || view.scenario.sight().is_some_and(|sight| !sight.shared);
    (view.agent(id).team != view.agent(own).team || alone()) && view.mine.binary_search(&id).is_err()
}

impl Foresight {
    /// Takes note of where everybody is.
    pub(crate) fn look(&mut self, view: &View<'_>) {
        // Where nobody else is there is nothing to foresee.
        if view.mine.len() == view.scenario.agents().len() {
            return;
        }
        self.seen.resize(view.state.units.len(), Sighting::default());
        let now = view.tick();
        for (index, (unit, seen)) in view.state.units.iter().zip(&mut self.seen).enumerate() {
            if unit.gone || !is_stranger(view, AgentId(index as u32)) {
                *seen = Sighting::default();
                continue;
            }
            let before = if unit.stands(now) { seen.at } else { Some(unit.from) };
            if before != Some(unit.at) {
                let dir = before.and_then(|before| between(view, before, unit.at));
                (seen.heading, seen.moved) = (dir.map(|dir| (dir, unit.until.max(now))), now);
            }
            seen.at = Some(unit.at);
        }
    }

    /// Where a unit goes on to, if it was seen moving lately.
    pub(crate) fn heading(&self, view: &View<'_>, id: AgentId) -> Option<Dir> {
        let (dir, ended) = self.seen.get(id.index())?.heading?;
        let step = view.agent(id).actions(view.rules()).duration(Action::Go(dir));
        (view.tick() < ended + STEPS * u64::from(step)).then_some(dir)
    }

    /// When a unit was last seen to begin a move, or first seen; nothing if it is out of sight or tells what it does.
    pub(crate) fn moved(&self, id: AgentId) -> Option<u64> {
        self.seen.get(id.index()).filter(|seen| seen.at.is_some()).map(|seen| seen.moved)
    }

    /// Whether this can be of a world as it is viewed.
    pub(crate) fn fits(&self, view: &View<'_>) -> bool {
        let inside = |seen: &Sighting| seen.at.is_none_or(|at| at.index() < view.grid().len());
        let near = |seen: &Sighting| seen.heading.is_none_or(|(_, ended)| ended < 1 << 61);
        self.seen.len() <= view.state.units.len() && self.seen.iter().all(|seen| inside(seen) && near(seen))
    }
}

/// The step from a cell to one beside it.
fn between(view: &View<'_>, from: CellId, to: CellId) -> Option<Dir> {
    Dir::ALL.into_iter().find(|&dir| view.grid().neighbour(from, dir) == to)
}
