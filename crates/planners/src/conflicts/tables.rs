//! How far it is to somewhere from every cell, kept as far as there is room.

use super::field::{FAR, Field};
use super::meter::Meter;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where to, and for whom: who stays out of one corridor, if there is one.
pub(super) type Aim = (u32, u32);

/// Tables of distances. When they hold more than there is room for, the one that was unused for longest is given up, and found out
/// anew when it is asked for.
#[derive(Debug)]
pub(super) struct Tables {
    /// Each with when it was last used.
    known: FxHashMap<Aim, (Rc<[u32]>, u64)>,
    clock: u64,
    bytes: usize,
    cap: usize,
}

impl Tables {
    pub(super) fn new(cap: usize) -> Self {
        Self { known: FxHashMap::default(), clock: 0, bytes: 0, cap }
    }

    /// By cell: how many steps it is to a place. Nothing, and then the budget is over, if there was too little left to find out.
    pub(super) fn far(
        &mut self,
        field: &Field,
        (to, closed): Aim,
        meter: &mut Meter<'_>,
    ) -> Option<Rc<[u32]>> {
        self.clock += 1;
        if let Some((far, used)) = self.known.get_mut(&(to, closed)) {
            *used = self.clock;
            return Some(Rc::clone(far));
        }
        if meter.is_over() || meter.left() < field.len() as u64 {
            meter.end();
            return None;
        }
        let far: Rc<[u32]> = field.distances(to, closed).into();
        meter.add(reached(&far));
        self.keep((to, closed), Rc::clone(&far));
        Some(far)
    }

    /// Keeps a table that somebody has found out.
    pub(super) fn keep(&mut self, aim: Aim, far: Rc<[u32]>) {
        self.bytes += size_of_val(&*far);
        self.known.insert(aim, (far, self.clock));
        while self.bytes > self.cap && self.known.len() > 1 {
            // No two were used at the same time but those that were never used; of those any will do, and one by number is taken.
            let oldest = self.known.iter().filter(|(other, _)| **other != aim);
            let Some((&oldest, _)) = oldest.min_by_key(|(aim, (_, used))| (*used, **aim)) else { return };
            self.bytes -= self.known.remove(&oldest).map_or(0, |(far, _)| size_of_val(&*far));
        }
    }
}

/// How many cells there is a way from.
pub(super) fn reached(far: &[u32]) -> u64 {
    far.iter().filter(|&&far| far != FAR).count() as u64
}
