//! All shortest ways of a unit at once: by tick, the cells where one of them may be (a multi-valued decision diagram).

use super::demands::{Demand, Demands, Table, Time};
use super::field::{FAR, Field};
use super::meter::Meter;

/// The cells of all ways of one length, and the moves between them.
#[derive(Debug)]
pub(super) struct Layers {
    /// By tick: where its cells begin.
    first: Vec<u32>,
    cells: Vec<u32>,
    /// By cell of a layer: where its moves begin; they are cells of the next layer by their place in `cells`.
    moves: Vec<u32>,
    next: Vec<u32>,
}

/// Memory to build them in.
pub(super) struct Builder {
    /// By cell: the stamp of the layer that has it, and its place there.
    marks: Vec<(u32, u32)>,
    now: u32,
    ahead: Vec<Vec<u32>>,
}

impl Builder {
    pub(super) fn new(field: &Field) -> Self {
        Self { marks: vec![(0, 0); field.len()], now: 0, ahead: Vec::new() }
    }

    /// All ways from `start` that come to rest at the goal at tick `length`; nothing if there are none or the budget is over.
    pub(super) fn build(
        &mut self,
        field: &Field,
        (start, far): (u32, &[u32]),
        table: &Table,
        length: Time,
        meter: &mut Meter<'_>,
    ) -> Option<Layers> {
        let fits = |cell: u32, tick: Time| far[cell as usize] != FAR && tick + far[cell as usize] <= length;
        let goes_and_comes_back = length == 1 && far[start as usize] == 0;
        if !fits(start, 0) || length < table.least || length > table.most || goes_and_comes_back {
            return None;
        }
        let ticks = length as usize;
        while self.ahead.len() <= ticks {
            self.ahead.push(Vec::new());
        }
        // Who rests has come from elsewhere.
        let rests_too_soon = |cell: u32, tick: Time| tick + 1 == length && far[cell as usize] == 0;
        self.ahead[0].clear();
        self.ahead[0].push(start);
        for tick in 0..ticks {
            let (before, after) = self.ahead.split_at_mut(tick + 1);
            let (layer, next) = (&before[tick], &mut after[0]);
            next.clear();
            self.now += 1;
            let then = tick as Time + 1;
            for &cell in layer {
                if !meter.spend() {
                    return None;
                }
                each_move(field, cell, |to, spot| {
                    let mark = &mut self.marks[to as usize];
                    if mark.0 == self.now || !fits(to, then) || rests_too_soon(to, then) {
                        return;
                    }
                    if table.allows(to, then) && spot.is_none_or(|spot| table.allows(spot, then)) {
                        *mark = (self.now, 0);
                        next.push(to);
                    }
                });
            }
        }
        if self.ahead[ticks].is_empty() {
            return None;
        }
        Some(self.prune(field, table, ticks))
    }

    /// Leaves what leads to the end, from the last layer back to the first.
    fn prune(&mut self, field: &Field, table: &Table, ticks: usize) -> Layers {
        // Layers one after the other from the last to the first; turned around in the end.
        let mut layers: Vec<(Vec<u32>, Vec<u32>, Vec<u32>)> = Vec::with_capacity(ticks + 1);
        let last = std::mem::take(&mut self.ahead[ticks]);
        layers.push((last.clone(), vec![0; last.len() + 1], Vec::new()));
        self.ahead[ticks] = last;
        for tick in (0..ticks).rev() {
            self.now += 1;
            let then = tick as Time + 1;
            let after = layers.last().map_or(&[][..], |layer| &layer.0[..]);
            for (place, &cell) in after.iter().enumerate() {
                self.marks[cell as usize] = (self.now, place as u32);
            }
            let (mut cells, mut moves, mut next) = (Vec::new(), vec![0], Vec::new());
            for &cell in &self.ahead[tick] {
                let before = next.len();
                each_move(field, cell, |to, spot| {
                    let (when, place) = self.marks[to as usize];
                    if when == self.now && spot.is_none_or(|spot| table.allows(spot, then)) {
                        next.push(place);
                    }
                });
                if next.len() > before {
                    cells.push(cell);
                    moves.push(next.len() as u32);
                }
            }
            layers.push((cells, moves, next));
        }
        let mut all = Layers { first: vec![0], cells: Vec::new(), moves: vec![0], next: Vec::new() };
        for (cells, moves, next) in layers.into_iter().rev() {
            let (offset, after) = (all.next.len() as u32, (all.cells.len() + cells.len()) as u32);
            all.cells.extend(cells);
            all.first.push(all.cells.len() as u32);
            all.moves.extend(moves[1..].iter().map(|end| end + offset));
            all.next.extend(next.iter().map(|place| place + after));
        }
        all
    }
}

fn each_move(field: &Field, cell: u32, mut visit: impl FnMut(u32, Option<u32>)) {
    visit(cell, None);
    field.exits(cell).iter().for_each(|exit| visit(exit.to, Some(exit.spot)));
}

impl Layers {
    /// When those ways come to rest.
    pub(super) fn length(&self) -> Time {
        self.first.len() as Time - 2
    }

    /// How many cells there are in all layers.
    pub(super) fn size(&self) -> usize {
        self.cells.len()
    }

    /// Where these ways may be at a tick; at the goal after they end.
    pub(super) fn at(&self, tick: Time) -> &[u32] {
        let tick = tick.min(self.length()) as usize;
        &self.cells[self.first[tick] as usize..self.first[tick + 1] as usize]
    }

    /// The places of that layer among all cells.
    pub(super) fn places(&self, tick: Time) -> std::ops::Range<u32> {
        let tick = tick.min(self.length()) as usize;
        self.first[tick]..self.first[tick + 1]
    }

    pub(super) fn cell(&self, place: u32) -> u32 {
        self.cells[place as usize]
    }

    /// The places that moves lead to from a place.
    pub(super) fn next(&self, place: u32) -> &[u32] {
        &self.next[self.moves[place as usize] as usize..self.moves[place as usize + 1] as usize]
    }

    /// Whether no way is left if these demands are kept.
    pub(super) fn is_cut(&self, field: &Field, demands: &[Demand]) -> bool {
        if let [Demand::Off { spot, from, until }] = *demands
            && (spot as usize) < field.len()
            && from == until
        {
            return self.at(from) == [spot];
        }
        let length = self.length();
        let mut all = Demands::default();
        demands.iter().for_each(|&demand| all.add(demand));
        let goal = self.cells[self.cells.len() - 1];
        let rests = all.off.iter().all(|&(spot, _, until)| spot != goal || until < length);
        if all.least > length || all.most() < length || !rests {
            return true;
        }
        let off = |spot: u32, tick: Time| {
            all.off.iter().any(|&(other, from, until)| other == spot && from <= tick && tick <= until)
        };
        let mut alive = vec![false; self.cells.len()];
        alive[0] = !off(self.cells[0], 0);
        for tick in 0..length {
            let mut any = false;
            for place in self.places(tick) {
                if !alive[place as usize] {
                    continue;
                }
                let from = self.cell(place);
                for &next in self.next(place) {
                    let to = self.cell(next);
                    let spot = field.spot(from, to);
                    if !off(to, tick + 1) && !spot.is_some_and(|spot| off(spot, tick + 1)) {
                        alive[next as usize] = true;
                        any = true;
                    }
                }
            }
            if !any {
                return true;
            }
        }
        false
    }
}
