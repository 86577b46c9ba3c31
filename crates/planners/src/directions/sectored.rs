//! Ways from sector to sector (`dm(sector=8)`): a direction map makes searches long, since estimates know nothing of it, so that
//! they should not have far to go.
//!
//! A path over the regions of sectors is planned first. Then the unit plans on the map to *any* cell of the region that
//! comes after the next one, so that it can follow the lanes without going far out of its way, and goes there. (With the
//! next one alone, units at the boundary of two sectors would plan for one step and come back, as the article says.) Where that is
//! the goal's region or beyond, it plans to the goal.

use crate::repair::{Answer, Ask, Route};
use serde::{Deserialize, Serialize};
use throng_core::{Action, Cell, CellId, Grid, View};
use throng_search::abstraction::{Progress, RegionGraph, Sectors};
use throng_search::{AStar, Graph, GridGraph, SavedAStar};

/// How many regions ahead a unit plans.
const AHEAD: usize = 2;

/// Ways by sectors.
#[derive(Debug, Default)]
pub struct Sectored {
    size: u32,
    /// Of the map as it is now.
    sectors: Option<Sectors>,
    coarse: AStar,
    fine: AStar,
    regions: Vec<u32>,
    stage: Stage,
}

/// A paused search as snapshots store it.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedWay {
    stage: Stage,
    search: SavedAStar,
}

/// Where a unit plans to: any cell of a region, or its goal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum End {
    Region(u32),
    Goal,
}

/// What is being searched for.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
enum Stage {
    /// A way over regions.
    #[default]
    Coarse,
    /// A way on the map.
    Fine(End),
}

impl Sectored {
    /// A route for one world, by sectors of `size` × `size` cells.
    #[must_use]
    pub fn new(size: u32) -> Self {
        Self { size, ..Self::default() }
    }

    /// The region to plan to on the way between two; `None` if none leads there, or if there was no room to find out.
    fn next(&mut self, ground: GridGraph<'_>, from: u32, to: u32) -> Option<End> {
        let Self { sectors, coarse, regions, .. } = self;
        let graph = RegionGraph::new(sectors.as_ref()?, ground);
        let (end, _) = coarse.reach(&graph, from, graph.aim(to), |region| region == to, 0, |_| Some(0))?;
        coarse.way(from, end, regions);
        Some(match regions.get(AHEAD) {
            Some(&region) if region != to => End::Region(region),
            _ => End::Goal,
        })
    }
}

/// Searches to the goal or to any cell of a region.
fn search<G: Graph<Aim = Cell>>(
    fine: &mut AStar,
    (graph, grid): (&G, &Grid),
    sectors: &Sectors,
    ask: &Ask<'_>,
    end: End,
    extra: impl FnMut(u32, u32) -> Option<u32>,
    path: &mut Vec<Action>,
) -> bool {
    let (start, goal) = (ask.start.0, ask.goal.0);
    let End::Region(region) = end else {
        return fine.path_past(graph, start, goal, ask.span, extra, path).is_some();
    };
    let sector = sectors.sector(grid, region);
    let estimate = |node: u32| graph.estimate(node, sector.nearest(grid.cell(CellId(node))));
    let arrived = |node: u32| sectors.region(node) == Some(region);
    let found = fine.reach_by(graph, start, estimate, arrived, ask.span, extra);
    if let Some((last, _)) = found {
        path.clear();
        fine.trace(start, last, path);
    }
    found.is_some()
}

impl Route for Sectored {
    const KNOWS: bool = true;

    fn find(
        &mut self,
        view: &View<'_>,
        ask: &Ask<'_>,
        _progress: &mut Progress,
        mut extra: impl FnMut(u32, u32) -> Option<u32>,
        path: &mut Vec<Action>,
    ) -> Answer {
        path.clear();
        let ground = ask.graph;
        let sectors = self.sectors.get_or_insert_with(|| Sectors::new(&ground, self.size));
        let ends = [ask.start, ask.goal].map(|cell| sectors.region(cell.0));
        let [Some(from), Some(to)] = ends else { return Answer::NoWay };
        let (before, mut again) = (self.expanded(), ask.again);
        if !again {
            self.stage = Stage::Coarse;
        }
        if let Stage::Coarse = self.stage {
            self.coarse.allow(ask.room);
            if core::mem::take(&mut again) {
                self.coarse.resume();
            }
            match self.next(ground, from, to) {
                Some(end) => self.stage = Stage::Fine(end),
                None if self.coarse.is_paused() => return Answer::Paused,
                None => return Answer::NoWay,
            }
        }
        while let (Stage::Fine(end), Some(sectors)) = (self.stage, &self.sectors) {
            let used = self.coarse.expanded() + self.fine.expanded() - before;
            let left = ask.room.saturating_sub(used);
            self.fine.allow(if ask.room == u64::MAX { ask.room } else { left });
            if core::mem::take(&mut again) {
                self.fine.resume();
            }
            let (fine, grid) = (&mut self.fine, view.grid());
            let found = match &ask.lanes {
                None => search(fine, (&ground, grid), sectors, ask, end, &mut extra, path),
                Some(lanes) => search(fine, (lanes, grid), sectors, ask, end, &mut extra, path),
            };
            match end {
                _ if found => return Answer::Way,
                _ if self.fine.is_paused() => return Answer::Paused,
                // Others may be in the way to the region; then the whole way may lead elsewhere.
                End::Region(_) => self.stage = Stage::Fine(End::Goal),
                End::Goal => break,
            }
        }
        Answer::Nothing
    }

    fn expanded(&self) -> u64 {
        self.coarse.expanded() + self.fine.expanded()
    }

    fn terrain(&mut self, _view: &View<'_>, _cell: CellId) {
        self.sectors = None;
    }

    type Saved = SavedWay;

    fn save(&self) -> SavedWay {
        let search = if let Stage::Coarse = self.stage { &self.coarse } else { &self.fine };
        SavedWay { stage: self.stage, search: search.save(|node| node) }
    }

    fn load(
        &mut self,
        view: &View<'_>,
        graph: GridGraph<'_>,
        _ends: [CellId; 2],
        SavedWay { stage, search }: SavedWay,
    ) -> bool {
        let sectors = self.sectors.get_or_insert_with(|| Sectors::new(&graph, self.size));
        self.stage = stage;
        let below = |len: usize| move |node: u32| Some(node).filter(|&node| (node as usize) < len);
        match stage {
            Stage::Coarse => self.coarse.load(search, below(sectors.len())),
            Stage::Fine(End::Region(region)) if region as usize >= sectors.len() => false,
            Stage::Fine(_) => self.fine.load(search, below(view.grid().len())),
        }
    }
}
