//! What all searches share: the map, who goes where, and the memory to search in.

use super::Factor;
use super::demands::{Demands, Table, Time};
use super::field::{Field, NONE};
use super::layers::{Builder, Layers};
use super::meter::Meter;
use super::traffic::Traffic;
use super::walk::{Trip, Walk, Walked};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Cells of layers that are kept; when there are more, all are given up.
const MOST_CELLS: usize = 1 << 23;

/// One who goes somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) start: u32,
    pub(super) goal: u32,
}

/// Map and units.
#[derive(Debug)]
pub(super) struct World {
    pub(super) field: Field,
    pub(super) walkers: Vec<Walker>,
    /// By walker and cell: steps to its goal.
    pub(super) far: Vec<Vec<u32>>,
}

/// Whose way, of which length, under which demands.
type Key = (u32, Time, Rc<Demands>);

/// Scratch memory and what was found out before. Nothing here changes an answer.
pub(super) struct Tools {
    pub(super) table: Table,
    pub(super) walk: Walk,
    builder: Builder,
    layers: FxHashMap<Key, Option<Rc<Layers>>>,
    cells: usize,
    /// By cell and corridor: steps to the cell outside of the corridor.
    far: FxHashMap<(u32, u32), Rc<[u32]>>,
    /// By pair and what is demanded of both: how much more than both alone they need at least.
    pub(super) pairs: FxHashMap<(u32, u32, Rc<Demands>, Rc<Demands>), u32>,
    /// For searches for two.
    pub(super) spare: Option<Traffic>,
}

impl Tools {
    pub(super) fn new(field: &Field) -> Self {
        Self {
            table: Table::new(field),
            walk: Walk::new(),
            builder: Builder::new(field),
            layers: FxHashMap::default(),
            cells: 0,
            far: FxHashMap::default(),
            pairs: FxHashMap::default(),
            spare: None,
        }
    }

    /// All ways of a walker of one length.
    pub(super) fn layers(
        &mut self,
        world: &World,
        walker: u32,
        demands: &Rc<Demands>,
        length: Time,
        meter: &mut Meter<'_>,
    ) -> Option<Rc<Layers>> {
        let key = (walker, length, Rc::clone(demands));
        if let Some(known) = self.layers.get(&key) {
            return known.clone();
        }
        if self.cells > MOST_CELLS {
            (self.layers, self.cells) = (FxHashMap::default(), 0);
        }
        let Walker { start, goal } = world.walkers[walker as usize];
        self.table.load(demands, goal);
        let far = &world.far[walker as usize];
        let built = self.builder.build(&world.field, (start, far), &self.table, length, meter).map(Rc::new);
        if !meter.is_over() {
            self.cells += 16 + built.as_ref().map_or(0, |layers| layers.size());
            self.layers.insert(key, built.clone());
        }
        built
    }

    /// The first tick at which a walker can be at a cell without entering a corridor; at most `most` is of interest.
    pub(super) fn soonest(
        &mut self,
        world: &World,
        (walker, demands): (u32, &Demands),
        cell: u32,
        closed: u32,
        most: Time,
        meter: &mut Meter<'_>,
    ) -> Option<Time> {
        let far =
            self.far.entry((cell, closed)).or_insert_with(|| world.field.distances(cell, closed).into());
        let (far, start) = (Rc::clone(far), world.walkers[walker as usize].start);
        self.table.load(demands, NONE);
        let trip = Trip {
            field: &world.field,
            start,
            goal: cell,
            far: &far,
            table: &self.table,
            traffic: None,
            most,
            factor: Factor::ONE,
        };
        match self.walk.search(&trip, meter) {
            Walked::Found(tick) => Some(tick),
            Walked::Nothing => Some(most.saturating_add(1)),
            Walked::Stopped => None,
        }
    }
}
