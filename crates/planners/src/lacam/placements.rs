//! Placements of everybody that were met, and how to get to each.

use super::constraints::Constraints;
use rustc_hash::FxHashMap;

/// Number of a placement.
pub(super) type Id = u32;

/// No placement.
pub(super) const NONE: Id = u32::MAX;

/// Where everybody is, and what the search knows about it.
#[derive(Debug)]
pub(super) struct Placement {
    /// By unit.
    pub(super) cells: Box<[u32]>,
    /// The order in which units decide.
    pub(super) order: Box<[u32]>,
    pub(super) constraints: Constraints,
    /// The best way here known so far comes from this one.
    pub(super) parent: Id,
    /// What that way costs.
    pub(super) cost: u64,
    /// The rest costs at least this, once somebody has asked.
    pub(super) rest: Option<u64>,
    /// Placements that one step leads to, and what it costs.
    pub(super) steps: Vec<(Id, u64)>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Placements {
    all: Vec<Placement>,
    /// By a hash of their cells: the last met; others with the same hash follow in `alike`.
    places: FxHashMap<u64, Id>,
    alike: Vec<Id>,
}

impl Placements {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The placement with these cells, if it was met.
    pub(super) fn find(&self, cells: &[u32]) -> Option<Id> {
        let mut id = *self.places.get(&hash(cells))?;
        while id != NONE {
            if *self.all[id as usize].cells == *cells {
                return Some(id);
            }
            id = self.alike[id as usize];
        }
        None
    }

    pub(super) fn add(&mut self, placement: Placement) -> Id {
        let id = self.all.len() as Id;
        let before = self.places.insert(hash(&placement.cells), id);
        self.alike.push(before.unwrap_or(NONE));
        self.all.push(placement);
        id
    }
}

impl std::ops::Index<Id> for Placements {
    type Output = Placement;

    fn index(&self, id: Id) -> &Placement {
        &self.all[id as usize]
    }
}

impl std::ops::IndexMut<Id> for Placements {
    fn index_mut(&mut self, id: Id) -> &mut Placement {
        &mut self.all[id as usize]
    }
}

fn hash(cells: &[u32]) -> u64 {
    let mut hash = 0u64;
    for &cell in cells {
        hash = (hash.rotate_left(5) ^ u64::from(cell)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    hash
}
