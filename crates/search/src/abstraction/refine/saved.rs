//! Saving a refinement that had no room to end.

use super::{Refiner, Stage};
use crate::SavedAStar;
use crate::abstraction::{Abstraction, Corridor};

/// A refinement that goes on later, as a snapshot stores it. Nodes are told by the places that they are named after.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedRefinement {
    top: u8,
    at: u8,
    below: Option<u32>,
    far: u32,
    width: u32,
    attempt: u8,
    /// The path on the level above.
    path: Vec<u32>,
    search: Option<SavedAStar>,
    /// How much of the corridor has been measured.
    measured: u64,
}

/// No corridor is wider.
const WIDEST: u32 = 1 << 8;

/// Nothing is farther away, so that sums of a few never overflow.
const FARTHEST: u32 = 1 << 29;

impl Refiner {
    /// What [`Self::path`] is about to go on with.
    #[must_use]
    pub fn save(&self, levels: &Abstraction) -> SavedRefinement {
        let Stage { top, at, below, far, width, attempt } = self.stage;
        let name = |node: u32| levels.name(at + 1, node);
        let path = if at < top { self.path.iter().copied().map(name).collect() } else { Vec::new() };
        let search =
            if at > 0 { self.coarse.save(|node| levels.name(at, node)) } else { self.fine.save(|node| node) };
        SavedRefinement {
            top: top as u8,
            at: at as u8,
            below: below.map(name),
            far,
            width,
            attempt,
            path,
            search: Some(search),
            measured: 0,
        }
    }

    /// The same for [`Self::lay`] with this corridor.
    #[must_use]
    pub fn save_laying(&self, levels: &Abstraction, corridor: &Corridor) -> SavedRefinement {
        let saved = self.save(levels);
        if self.stage.at > 0 {
            return saved;
        }
        SavedRefinement { search: None, measured: corridor.measured().unwrap_or_default(), ..saved }
    }

    /// Takes up a refinement between these ends that was saved; answers whether it fits the map.
    pub fn load(&mut self, levels: &Abstraction, [start, goal]: [u32; 2], saved: SavedRefinement) -> bool {
        let SavedRefinement { top, at, below, far, width, attempt, path, search, .. } = saved;
        let (top, at) = (usize::from(top), usize::from(at));
        let Some(common) = levels.common(start, goal) else { return false };
        let exists = top == 0 || (top <= common.max(1) && levels.parent(0, start).is_some());
        if !exists
            || at > top
            || far >= FARTHEST
            || width >= WIDEST
            || attempt > 2
            || path.is_empty() != (at == top)
        {
            return false;
        }
        let node = |level: usize| {
            move |place: u32| {
                let known = (place as usize) < levels.len(0);
                known
                    .then(|| levels.ancestor(place, level))
                    .filter(|&(found, _)| found == level)
                    .map(|(_, node)| node)
            }
        };
        let nodes: Option<Vec<u32>> = path.into_iter().map(node(at + 1)).collect();
        let (Some(nodes), Ok(below)) = (nodes, below.map(|place| node(at + 1)(place).ok_or(())).transpose())
        else {
            return false;
        };
        if below.is_some() && at == top {
            return false;
        }
        (self.path, self.stage) = (nodes, Stage { top, at, below, far, width, attempt });
        if at < top {
            self.mark(levels, at + 1);
        }
        match search {
            Some(search) if at > 0 => self.coarse.load(search, node(at)),
            Some(search) => {
                self.fine.load(search, |place| Some(place).filter(|&place| (place as usize) < levels.len(0)))
            }
            None => at == 0 && !self.path.is_empty(),
        }
    }

    /// The same for the laying of a corridor.
    pub fn load_laying(
        &mut self,
        levels: &Abstraction,
        ends: [u32; 2],
        saved: SavedRefinement,
        corridor: &mut Corridor,
    ) -> bool {
        let measured = saved.measured;
        let on_ground = saved.at == 0;
        if on_ground == saved.search.is_some() || !self.load(levels, ends, saved) {
            return false;
        }
        if on_ground {
            self.begin_measure(levels, corridor);
            corridor
                .measure_again(levels, measured, |node| super::is_marked(&self.marks, self.corridor, node));
        }
        true
    }
}
