//! Who goes where: pieces of the frontier are shared out among explorers, by how far they have to go and how much there is to see.
//!
//! From all explorers at once the known world is searched in breadth; a cell is *of* whoever gets there first. Whoever has no
//! aim takes, of the frontier cells that are its own, the one that costs least: steps there, less what there is to see around it and what resources and dangers that are known come to there.
//! So nobody goes where somebody else will be sooner, and the units part where ways do. Who has none of its own goes where it
//! takes the others longest to come to, compared with itself. An aim is kept until it has been seen; then all who need one are
//! served again, with the map as it is by then.

use super::chart::STEP;
use super::{Explorer, is_exploring};
use throng_core::{AgentId, Cell, CellId, Grid, View};
use throng_search::landscape::Frontier;

/// No cell, and nobody.
const NONE: u32 = u32::MAX;

/// How far around an aim unseen cells count, in cells.
const AROUND: i32 = 3;
/// So many are around it.
const MOST: i64 = (2 * AROUND as i64 + 1) * (2 * AROUND as i64 + 1);

/// So many cells may be searched in a tick for those who have no piece of their own; one of them has its turn anyhow.
const SEARCHED: u64 = 1 << 17;

/// What a source comes to where its weight is one, for each hundredth of a step.
const SOURCE: i64 = 10_000 * STEP as i64 / 100;

/// Scratch of the searches.
#[derive(Debug, Default)]
pub(super) struct Shares {
    all: Reach,
    own: Reach,
}

/// Steps from some cells to all others.
#[derive(Debug, Default)]
struct Reach {
    /// By cell.
    places: Vec<Place>,
    queue: Vec<CellId>,
}

/// How a search came to a cell; together, since they are asked for together.
#[derive(Clone, Copy, Debug)]
struct Place {
    steps: u32,
    /// The place of the source that it is nearest to.
    of: u32,
    before: u32,
}

impl Reach {
    /// Until all of the frontier has been reached, or all that can be.
    fn search(&mut self, grid: &Grid, moves: u8, sources: &[CellId], frontier: &Frontier) {
        self.places.clear();
        self.places.resize(grid.len(), Place { steps: NONE, of: NONE, before: NONE });
        self.queue.clear();
        for (source, &id) in (0..).zip(sources) {
            let place = &mut self.places[id.index()];
            if place.steps == NONE {
                (place.steps, place.of) = (0, source);
                self.queue.push(id);
            }
        }
        let reached = self.queue.iter().filter(|&&id| frontier.contains(id)).count();
        let mut left = frontier.len().saturating_sub(reached);
        let offsets = grid.offsets();
        let mut next = 0;
        while next < self.queue.len() && left > 0 {
            let id = self.queue[next];
            next += 1;
            let Place { steps, of, .. } = self.places[id.index()];
            let mut exits = grid.exits(id) & moves;
            while exits != 0 {
                let beside = CellId(id.0.wrapping_add(offsets[exits.trailing_zeros() as usize] as u32));
                exits &= exits - 1;
                let place = &mut self.places[beside.index()];
                if place.steps == NONE {
                    *place = Place { steps: steps + 1, of, before: id.0 };
                    self.queue.push(beside);
                    left = left.saturating_sub(usize::from(frontier.contains(beside)));
                }
            }
        }
    }

    /// How far it is to a cell.
    fn steps(&self, id: CellId) -> u32 {
        self.places[id.index()].steps
    }

    /// The cells on the way to one, that one first, without the source.
    fn way(&self, to: CellId) -> Vec<CellId> {
        let mut way = Vec::new();
        let mut at = to.0;
        while at != NONE && self.places[at as usize].steps > 0 {
            way.push(CellId(at));
            at = self.places[at as usize].before;
        }
        way
    }
}

impl Explorer {
    /// Gives an aim to everybody who needs one and is about to decide; answers how many cells were looked at.
    pub(super) fn assign(&mut self, view: &View<'_>, room: u64) -> u64 {
        let Self { settings, chart: Some(chart), walks, shares, .. } = self else { return 0 };
        let explorers: Vec<AgentId> =
            view.mine.iter().copied().filter(|&id| is_exploring(view, id)).collect();
        for &id in &explorers {
            let walk = &mut walks[id.index()];
            walk.follow(view.unit(id).at);
            if walk.aim().is_some_and(|aim| !chart.frontier.contains(aim)) {
                walk.drop_way();
            }
        }
        let needs =
            |&id: &AgentId| walks[id.index()].is_free(view.tick()) && view.unit(id).stands(view.tick());
        let needy: Vec<AgentId> = explorers.iter().copied().filter(needs).collect();
        // Where there is not room for all of it everybody goes by the heat.
        let cost = chart.grid.open_cells() as u64;
        if needy.is_empty() || chart.frontier.is_empty() || room < cost {
            return 0;
        }
        let moves = view.rules().connectivity.mask();
        let places: Vec<CellId> = explorers.iter().map(|&id| view.unit(id).at).collect();
        shares.all.search(&chart.grid, moves, &places, &chart.frontier);
        let mut spent = cost;
        let gains: Vec<i64> = explorers.iter().map(|&id| settings.where_it_is(view, id).gain).collect();
        let worth = |place: usize, id: CellId| gains[place] * i64::from(unseen(view, view.grid().cell(id)));
        let drawn = |id: CellId| settings.sources * chart.drawn(id) / SOURCE;
        let mut best: Vec<Option<(i64, CellId)>> = vec![None; explorers.len()];
        for id in shares.all.queue.iter().copied().filter(|&id| chart.frontier.contains(id)) {
            let Place { steps, of, .. } = shares.all.places[id.index()];
            let place = of as usize;
            let far = 100 * i64::from(steps) - drawn(id);
            let best = &mut best[place];
            // Most are too far, however much is to be seen there.
            if best.is_some_and(|(least, _)| far - MOST * gains[place].max(0) >= least) {
                continue;
            }
            let score = far - worth(place, id);
            if best.is_none_or(|(least, _)| score < least) {
                *best = Some((score, id));
            }
        }
        // Who has none of its own takes a search: on large maps they have their turn one after the other, and go by the heat until then.
        let without = |place: usize| best[place].is_none() && needy.binary_search(&explorers[place]).is_ok();
        let count = (0..explorers.len()).filter(|&place| without(place)).count();
        let some = ((SEARCHED / cost.max(1)) as usize).max(1);
        let first = if count <= some { 0 } else { view.tick() as usize % count };
        let mut number = 0;
        for (place, &id) in explorers.iter().enumerate().filter(|(_, id)| needy.binary_search(id).is_ok()) {
            if let Some((_, aim)) = best[place] {
                walks[id.index()].set_out(shares.all.way(aim));
                continue;
            }
            let turn = (number + count - first) % count.max(1);
            number += 1;
            let taken = |aim: CellId| walks.iter().any(|walk| walk.aim() == Some(aim));
            let free = |aim: CellId| chart.frontier.contains(aim) && !taken(aim);
            if turn >= some || spent + cost > room || !shares.all.queue.iter().any(|&aim| free(aim)) {
                continue;
            }
            spent += cost;
            shares.own.search(&chart.grid, moves, &[view.unit(id).at], &chart.frontier);
            let late = |aim: CellId| i64::from(shares.own.steps(aim)) - i64::from(shares.all.steps(aim));
            let aims = shares.own.queue.iter().copied().filter(|&aim| free(aim));
            let aim = aims.min_by_key(|&aim| 100 * late(aim) - drawn(aim) - worth(place, aim));
            let way = aim.map(|aim| shares.own.way(aim));
            way.into_iter().for_each(|way| walks[id.index()].set_out(way));
        }
        spent
    }
}

/// How many cells around one nobody has seen.
fn unseen(view: &View<'_>, at: Cell) -> u32 {
    let Some(seen) = view.seen else { return 0 };
    let mut count = 0;
    for y in at.y - AROUND..=at.y + AROUND {
        for x in at.x - AROUND..=at.x + AROUND {
            count += u32::from(view.grid().id(Cell::new(x, y)).is_some_and(|id| !seen.contains(id)));
        }
    }
    count
}
