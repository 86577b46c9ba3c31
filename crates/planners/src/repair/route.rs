//! Where a unit under local repair gets its way from.

use serde::Serialize;
use serde::de::DeserializeOwned;
use throng_core::{Action, AgentId, CellId, View};
use throng_search::abstraction::Progress;
use throng_search::directions::LaneGraph;
use throng_search::{AStar, GridGraph, SavedAStar};

/// What a unit asks for.
#[derive(Debug)]
pub struct Ask<'a> {
    /// Who.
    pub agent: AgentId,
    /// The map as the unit sees it.
    pub graph: GridGraph<'a>,
    /// The same with what a direction map makes of it, if there is one to plan by.
    pub lanes: Option<LaneGraph<'a>>,
    /// From where.
    pub start: CellId,
    /// To where.
    pub goal: CellId,
    /// The most that entering a cell can cost more.
    pub span: u32,
    /// The most expansions.
    pub room: u64,
    /// Whether it goes on with the search for the same that had no room to end.
    pub again: bool,
}

/// What it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A way to its goal or a good part of it.
    Way,
    /// Not yet: there was no room for more expansions. The search goes on when it is asked for again.
    Paused,
    /// Everything was searched, and others are in the way or nothing leads there.
    Nothing,
    /// Nothing leads there, whoever is in the way.
    NoWay,
}

/// A search for the way of one unit that is alone in the world.
pub trait Route: Default + core::fmt::Debug {
    /// Whether it always knows that nothing leads to a goal, and says [`Answer::NoWay`] then.
    const KNOWS: bool;

    /// The way, its first action first. `extra` is what a step from one cell to the next costs more; `None` forbids it.
    /// `progress` is the unit's own, on its way to one goal.
    fn find(
        &mut self,
        view: &View<'_>,
        ask: &Ask<'_>,
        progress: &mut Progress,
        extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer;

    /// Expansions so far.
    fn expanded(&self) -> u64;

    /// A new tick: units are elsewhere.
    fn look(&mut self, _view: &View<'_>) {}

    /// A cell has closed or opened.
    fn terrain(&mut self, _view: &View<'_>, _cell: CellId) {}

    /// A paused search as snapshots store it.
    type Saved: Serialize + DeserializeOwned;

    /// The search that is paused.
    fn save(&self) -> Self::Saved;

    /// What it knows of ways that are found, as snapshots store it.
    fn keep(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes up what [`Self::keep`] gave; answers whether it fits the world.
    fn restore(&mut self, _view: &View<'_>, bytes: &[u8]) -> bool {
        bytes.is_empty()
    }

    /// Takes up a paused search between two cells for units on this graph; answers whether it fits the world.
    fn load(&mut self, view: &View<'_>, graph: GridGraph<'_>, ends: [CellId; 2], saved: Self::Saved) -> bool;
}

/// All of it at once, by A*.
impl Route for AStar {
    const KNOWS: bool = false;

    fn find(
        &mut self,
        _view: &View<'_>,
        ask: &Ask<'_>,
        _progress: &mut Progress,
        extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer {
        self.allow(ask.room);
        if ask.again {
            self.resume();
        }
        let (start, goal) = (ask.start.0, ask.goal.0);
        let found = match &ask.lanes {
            None => self.path_past(&ask.graph, start, goal, ask.span, extra, path),
            Some(lanes) => self.path_past(lanes, start, goal, ask.span, extra, path),
        };
        match found {
            Some(_) => Answer::Way,
            None if self.is_paused() => Answer::Paused,
            None => Answer::Nothing,
        }
    }

    fn expanded(&self) -> u64 {
        Self::expanded(self)
    }

    type Saved = SavedAStar;

    fn save(&self) -> SavedAStar {
        Self::save(self, |node| node)
    }

    fn load(
        &mut self,
        view: &View<'_>,
        _graph: GridGraph<'_>,
        _ends: [CellId; 2],
        saved: SavedAStar,
    ) -> bool {
        Self::load(self, saved, |node| Some(node).filter(|&node| (node as usize) < view.grid().len()))
    }
}
