//! What all searches share: the map, who goes where, and the memory to search in.

use super::Factor;
use super::demands::{Demands, Table, Time};
use super::field::{Field, NONE};
use super::layers::{Builder, Layers};
use super::meter::Meter;
use super::tables::Tables;
use super::traffic::Traffic;
use super::walk::{Trip, Walk, Walked};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Of the memory the search over demands has half for its tree; all that it makes use of, and everybody who has a turn, an eighth
/// each.
pub(super) const TREE: usize = 2;
pub(super) const EACH: usize = 8;

/// Cells of layers that are kept at most; when there are more, all are given up.
const MOST_CELLS: usize = 1 << 23;

/// Bytes of a cell of a layer with its moves, about.
const CELL: usize = 24;

/// One who goes somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub(super) start: u32,
    pub(super) goal: u32,
    /// How many ticks it needs alone.
    pub(super) alone: u32,
}

/// Map and units.
#[derive(Debug)]
pub(super) struct World {
    pub(super) field: Field,
    pub(super) walkers: Vec<Walker>,
    /// Bytes for everything.
    pub(super) memory: usize,
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
    most_cells: usize,
    tables: Tables,
    /// By pair and what is demanded of both: how much more than both alone they need at least.
    pub(super) pairs: FxHashMap<(u32, u32, Rc<Demands>, Rc<Demands>), u32>,
    /// For searches for two.
    pub(super) spare: Option<Traffic>,
}

impl Tools {
    /// Tools that may hold so many bytes.
    pub(super) fn new(field: &Field, tables: Tables, memory: usize) -> Self {
        Self {
            table: Table::new(field),
            walk: Walk::new(),
            builder: Builder::new(field),
            layers: FxHashMap::default(),
            cells: 0,
            most_cells: MOST_CELLS.min(memory / CELL),
            tables,
            pairs: FxHashMap::default(),
            spare: None,
        }
    }

    /// By cell: steps to a walker's goal. Nothing if the budget is over.
    pub(super) fn far(&mut self, world: &World, walker: u32, meter: &mut Meter<'_>) -> Option<Rc<[u32]>> {
        self.tables.far(&world.field, (world.walkers[walker as usize].goal, NONE), meter)
    }

    /// All ways of a walker of one length; nothing if there are none or the budget is over.
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
        if self.cells > self.most_cells {
            (self.layers, self.cells) = (FxHashMap::default(), 0);
        }
        let far = self.far(world, walker, meter)?;
        let Walker { start, goal, .. } = world.walkers[walker as usize];
        self.table.load(demands, goal);
        let built = self.builder.build(&world.field, (start, &far), &self.table, length, meter).map(Rc::new);
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
        let far = self.tables.far(&world.field, (cell, closed), meter)?;
        let start = world.walkers[walker as usize].start;
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
