//! Placements of everybody that were met, and how to get to each.

use super::constraints::Constraints;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a placement.
pub(super) type Id = u32;

/// No placement.
pub(super) const NONE: Id = u32::MAX;

/// Where everybody is, and what the search knows about it.
#[derive(Debug)]
pub(super) struct Placement {
    /// By unit.
    pub(super) cells: Box<[u32]>,
    /// The order in which units decide; often that of the placement before.
    pub(super) order: Arc<[u32]>,
    constraints: Constraints,
    /// The best way here known so far comes from this one.
    pub(super) parent: Id,
    /// What that way costs.
    pub(super) cost: u64,
    /// The rest costs at least this, once somebody has asked.
    pub(super) rest: Option<u64>,
    /// Placements that one step leads to, and what it costs.
    steps: Vec<(Id, u64)>,
}

impl Placement {
    /// Everybody is at these cells, and nothing is known of what follows.
    pub(super) const fn new(
        cells: Box<[u32]>,
        order: Arc<[u32]>,
        constraints: Constraints,
        parent: Id,
        cost: u64,
    ) -> Self {
        Self { cells, order, constraints, parent, cost, rest: None, steps: Vec::new() }
    }

    /// What is prescribed from here on.
    pub(super) const fn constraints(&self) -> &Constraints {
        &self.constraints
    }

    /// Placements that one step leads to, and what it costs.
    pub(super) fn steps(&self) -> &[(Id, u64)] {
        &self.steps
    }
}

/// Bytes of a placement beside its lists: itself, its place in the table, and what keeping small pieces of memory takes.
const EACH: usize = size_of::<Placement>() + 96;

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Placements {
    all: Vec<Placement>,
    /// By a hash of their cells: the last met; others with the same hash follow in `alike`.
    places: FxHashMap<u64, Id>,
    alike: Vec<Id>,
    bytes: usize,
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

    /// Bytes held, about.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes that another placement would hold at least.
    pub(super) fn each(&self, like: Id) -> usize {
        EACH + size_of_val(&*self[like].cells)
    }

    pub(super) fn add(&mut self, placement: Placement) -> Id {
        let shared = Arc::strong_count(&placement.order) > 1;
        let order = if shared { 0 } else { size_of_val(&*placement.order) };
        self.bytes += EACH + size_of_val(&*placement.cells) + order + placement.constraints.bytes();
        let id = self.all.len() as Id;
        let before = self.places.insert(hash(&placement.cells), id);
        self.alike.push(before.unwrap_or(NONE));
        self.all.push(placement);
        id
    }

    /// One step leads from a placement to another; that it was known counts for nothing.
    pub(super) fn link(&mut self, from: Id, to: Id, cost: u64) {
        let steps = &mut self.all[from as usize].steps;
        if steps.iter().any(|&(known, _)| known == to) {
            return;
        }
        let before = steps.capacity();
        steps.push((to, cost));
        self.bytes += (steps.capacity() - before) * size_of::<(Id, u64)>();
    }

    /// What is prescribed from a placement on, for whoever asks or adds to it.
    pub(super) fn prescribe<T>(&mut self, id: Id, change: impl FnOnce(&mut Constraints) -> T) -> T {
        let constraints = &mut self.all[id as usize].constraints;
        let before = constraints.bytes();
        let answer = change(constraints);
        self.bytes = self.bytes + constraints.bytes() - before;
        answer
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
