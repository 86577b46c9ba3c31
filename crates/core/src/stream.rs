//! Errands that never end: a stream of them, as a scenario has it in store.

use crate::{AgentId, Cell, CellId, Draw, Errand, Grid, Scenario, ScenarioError, Tick, stream};

/// Where errands come from while the world runs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stream {
    /// How many, and when.
    pub supply: Supply,
    /// Which.
    pub brings: Brings,
    /// At most so many in all; there is no end without.
    pub count: Option<u64>,
    /// The seed of what is drawn; that of the run if there is none.
    pub seed: Option<u64>,
}

/// When errands appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Supply {
    /// As soon as fewer than so many are open.
    Open(u32),
    /// So many in a thousand ticks, evenly spread.
    Rate(u32),
}

/// Which errands a stream brings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Brings {
    /// By stop: where it may be. Every errand has as many stops, drawn by lot.
    Drawn(Vec<Places>),
    /// These, in this order, and then from the beginning again.
    Listed(Vec<Vec<Cell>>),
}

/// Cells to draw a stop from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Places {
    /// All that units that do errands can get to.
    Anywhere,
    /// All with this letter on the map.
    Letter(u8),
    /// These.
    Cells(Vec<Cell>),
}

/// What is wrong with the stops of an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub enum StopFault {
    #[error("no stops, expected at least one")]
    None,
    #[error("stop {cell} is off the {width}×{height} map")]
    OffMap { cell: Cell, width: usize, height: usize },
    #[error("stop {cell} is blocked terrain ({letter:?})")]
    Blocked { cell: Cell, letter: char },
    #[error("no open cell of the map has the letter {letter:?}")]
    NoLetter { letter: char },
}

/// Which stops they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[allow(missing_docs)]
pub enum StopsOf {
    /// Those of an errand that the scenario has in store.
    Errand(usize),
    /// Those of an errand in the list of its stream.
    Listed(usize),
    /// Those from which a stop of its stream is drawn.
    Drawn(usize),
}

impl core::fmt::Display for StopsOf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Errand(place) => write!(f, "errand {place}"),
            Self::Listed(place) => write!(f, "stream: errand {place} of its list"),
            Self::Drawn(place) => write!(f, "stream: stop {place}"),
        }
    }
}

/// Whether errands can have these stops.
fn check_stops(grid: &Grid, stops: &[Cell]) -> Result<(), StopFault> {
    if stops.is_empty() {
        return Err(StopFault::None);
    }
    for &cell in stops {
        let Some(id) = grid.id(cell) else {
            let (width, height) = (grid.width(), grid.height());
            return Err(StopFault::OffMap { cell, width, height });
        };
        if !grid.is_open_id(id) {
            return Err(StopFault::Blocked { cell, letter: char::from(grid.letter(id)) });
        }
    }
    Ok(())
}

fn check_stops_of(grid: &Grid, of: StopsOf, stops: &[Cell]) -> Result<(), ScenarioError> {
    check_stops(grid, stops).map_err(|why| ScenarioError::BadStops { of, why })
}

impl Stream {
    /// The most errands that may be open.
    pub const MOST_OPEN: u32 = 1 << 20;
    /// The most errands in a thousand ticks.
    pub const FASTEST: u32 = 1_000_000;

    fn check(&self, grid: &Grid) -> Result<(), ScenarioError> {
        let (found, most) = match self.supply {
            Supply::Open(open) => (open, Self::MOST_OPEN),
            Supply::Rate(rate) => (rate, Self::FASTEST),
        };
        if found == 0 || self.count == Some(0) {
            return Err(ScenarioError::EmptyStream);
        }
        if found > most {
            return Err(ScenarioError::StreamTooFast { found, most });
        }
        match &self.brings {
            Brings::Drawn(stops) if stops.is_empty() => Err(ScenarioError::EmptyStream),
            Brings::Listed(list) if list.is_empty() => Err(ScenarioError::EmptyStream),
            Brings::Listed(list) => {
                let mut all = list.iter().enumerate();
                all.try_for_each(|(place, stops)| check_stops_of(grid, StopsOf::Listed(place), stops))
            }
            Brings::Drawn(stops) => stops.iter().enumerate().try_for_each(|(place, places)| {
                let of = StopsOf::Drawn(place);
                match places {
                    Places::Anywhere => Ok(()),
                    Places::Cells(cells) => check_stops_of(grid, of, cells),
                    Places::Letter(letter) => {
                        let none = StopFault::NoLetter { letter: char::from(*letter) };
                        let known = grid.open_ids().any(|id| grid.letter(id) == *letter);
                        if known { Ok(()) } else { Err(ScenarioError::BadStops { of, why: none }) }
                    }
                }
            }),
        }
    }

    /// How many more appear in `tick`, if it has brought so many before and so many errands are open now.
    #[must_use]
    pub fn due(&self, tick: Tick, brought: u64, open: usize) -> u64 {
        let left = self.count.map_or(u64::MAX, |count| count.saturating_sub(brought));
        let due = match self.supply {
            Supply::Open(most) => u64::from(most).saturating_sub(open as u64),
            Supply::Rate(rate) => {
                let until = |tick: Tick| u128::from(tick) * u128::from(rate) / 1000;
                (until(tick.saturating_add(1)) - until(tick)) as u64
            }
        };
        due.min(left)
    }

    /// Whether there is more to come after so many.
    #[must_use]
    pub fn goes_on(&self, brought: u64) -> bool {
        self.count.is_none_or(|count| brought < count)
    }

    /// The cells from which each stop may be drawn now: open ones, of those that are not named one by one only those that
    /// `served` says somebody gets to.
    #[must_use]
    pub fn pools(&self, grid: &Grid, served: impl Fn(CellId) -> bool) -> Vec<Vec<CellId>> {
        let Brings::Drawn(stops) = &self.brings else { return Vec::new() };
        let pool = |places: &Places| match places {
            Places::Anywhere => grid.open_ids().filter(|&id| served(id)).collect(),
            Places::Letter(letter) => {
                grid.open_ids().filter(|&id| grid.letter(id) == *letter && served(id)).collect()
            }
            Places::Cells(cells) => {
                let known = cells.iter().filter_map(|&cell| grid.id(cell));
                known.filter(|&id| grid.is_open_id(id)).collect()
            }
        };
        stops.iter().map(pool).collect()
    }

    /// The stops of the errand that comes after so many of this stream; nothing if there is nowhere to draw one from.
    pub fn stops(&self, grid: &Grid, seed: u64, brought: u64, pools: &[Vec<CellId>], stops: &mut Vec<Cell>) {
        stops.clear();
        match &self.brings {
            Brings::Listed(list) => {
                let place = brought % list.len().max(1) as u64;
                stops.extend(list.get(place as usize).into_iter().flatten());
            }
            Brings::Drawn(_) => {
                // No unit has this number.
                let mut dice = stream(self.seed.unwrap_or(seed), AgentId(u32::MAX), brought);
                for pool in pools {
                    let place = dice.below(pool.len() as u32) as usize;
                    let Some(&id) = pool.get(place) else { return stops.clear() };
                    // Nobody is sent from a place to the same place, if there is another.
                    let again = stops.last() == Some(&grid.cell(id));
                    stops.push(grid.cell(if again { pool[(place + 1) % pool.len()] } else { id }));
                }
            }
        }
    }
}

impl Scenario {
    /// The same world, in which these errands will appear.
    pub fn with_errands(mut self, mut errands: Vec<Errand>) -> Result<Self, ScenarioError> {
        for (place, errand) in errands.iter().enumerate() {
            check_stops_of(self.grid(), StopsOf::Errand(place), &errand.stops)?;
        }
        errands.sort_by_key(|errand| errand.at);
        self.errands = errands;
        Ok(self)
    }

    /// The same world with a stream of errands.
    pub fn with_stream(mut self, stream: Option<Stream>) -> Result<Self, ScenarioError> {
        if let Some(stream) = &stream {
            stream.check(self.grid())?;
        }
        self.stream = stream;
        Ok(self)
    }

    /// Takes errands in store and the stream of a world that was saved: cells may have closed where they lead. Answers whether
    /// they are of this map.
    pub fn restore_errands(&mut self, errands: Vec<Errand>, stream: Option<Stream>) -> bool {
        let on_map =
            |cells: &Vec<Cell>| !cells.is_empty() && cells.iter().all(|&cell| self.grid().contains(cell));
        let fits = stream.as_ref().is_none_or(|stream| match &stream.brings {
            Brings::Listed(list) => !list.is_empty() && list.iter().all(on_map),
            Brings::Drawn(stops) => {
                !stops.is_empty()
                    && stops.iter().all(|places| match places {
                        Places::Anywhere | Places::Letter(_) => true,
                        Places::Cells(cells) => on_map(cells),
                    })
            }
        });
        let fits =
            fits && errands.iter().all(|errand| on_map(&errand.stops)) && errands.is_sorted_by_key(|e| e.at);
        if fits {
            (self.errands, self.stream) = (errands, stream);
        }
        fits
    }

    /// Whether an errand can have these stops as the map is.
    pub fn check_stops(&self, stops: &[Cell]) -> Result<(), StopFault> {
        check_stops(self.grid(), stops)
    }

    /// Errands that are in store, by tick.
    #[must_use]
    pub fn errands(&self) -> &[Errand] {
        &self.errands
    }

    /// Those that appear at `tick`.
    #[must_use]
    pub fn errands_at(&self, tick: Tick) -> &[Errand] {
        let from = self.errands.partition_point(|errand| errand.at < tick);
        let until = self.errands.partition_point(|errand| errand.at <= tick);
        &self.errands[from..until]
    }

    /// The stream of errands, if there is one.
    #[must_use]
    pub const fn stream(&self) -> Option<&Stream> {
        self.stream.as_ref()
    }

    /// Sends a unit that does errands from `start` to these stops; without any it parks there. It has to be one that does.
    pub fn employ(&mut self, id: AgentId, start: Cell, stops: &[Cell]) -> Result<(), ScenarioError> {
        self.check_employment(id, start, stops)?;
        if let Some(agent) = self.agents.get_mut(id.index())
            && let crate::Task::Errands(own) = &mut agent.task
        {
            agent.start = start;
            own.clear();
            own.extend_from_slice(stops);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stream_of(supply: Supply, brings: Brings) -> Stream {
        Stream { supply, brings, count: None, seed: None }
    }

    proptest! {
        /// Over any stretch of time a rate brings as many as it says.
        #[test]
        fn a_rate_is_kept(rate in 1..3000u32, ticks in 1..2000u64) {
            let stream = stream_of(Supply::Rate(rate), Brings::Drawn(vec![Places::Anywhere]));
            let sum: u64 = (0..ticks).map(|tick| stream.due(tick, 0, 0)).sum();
            prop_assert_eq!(sum, ticks * u64::from(rate) / 1000);
        }
    }

    #[test]
    fn what_is_listed_comes_in_order_and_again() {
        let grid = Grid::empty(3, 1).unwrap();
        let list: Vec<_> = (0..3).map(|x| vec![Cell::new(x, 0)]).collect();
        let stream = stream_of(Supply::Open(1), Brings::Listed(list));
        let mut stops = Vec::new();
        let came = (0..5u64).map(|brought| {
            stream.stops(&grid, 0, brought, &[], &mut stops);
            stops[0].x
        });
        assert_eq!(came.collect::<Vec<_>>(), [0, 1, 2, 0, 1]);
    }

    #[test]
    fn nothing_is_drawn_from_nowhere_or_twice_from_one_place() {
        let grid = Grid::from_rows(&["..@"]).unwrap();
        let stream = stream_of(Supply::Open(1), Brings::Drawn(vec![Places::Anywhere, Places::Anywhere]));
        let mut stops = Vec::new();
        let pools = stream.pools(&grid, |_| true);
        for brought in 0..50 {
            stream.stops(&grid, 7, brought, &pools, &mut stops);
            assert!(stops.len() == 2 && stops[0] != stops[1] && stops.iter().all(|&cell| grid.is_open(cell)));
        }
        stream.stops(&grid, 7, 0, &stream.pools(&grid, |_| false), &mut stops);
        assert_eq!(stops, []);
    }

    #[test]
    fn each_fault_has_its_own_error() {
        let grid = || Grid::from_rows(&["..@"]).unwrap();
        let world = || Scenario::new("t", grid(), crate::Rules::default(), vec![]).unwrap();
        let with = |stream| world().with_stream(Some(stream)).map(|_| ());
        let drawn = |places| stream_of(Supply::Open(1), Brings::Drawn(vec![places]));
        use ScenarioError as E;
        let none = Stream { count: Some(0), ..drawn(Places::Anywhere) };
        assert_eq!(with(none), Err(E::EmptyStream));
        assert_eq!(with(stream_of(Supply::Rate(0), Brings::Listed(vec![]))), Err(E::EmptyStream));
        let fast = stream_of(Supply::Rate(Stream::FASTEST + 1), Brings::Drawn(vec![Places::Anywhere]));
        assert!(matches!(with(fast), Err(E::StreamTooFast { .. })));
        assert!(matches!(
            with(drawn(Places::Letter(b'S'))),
            Err(E::BadStops { of: StopsOf::Drawn(0), why: StopFault::NoLetter { letter: 'S' } })
        ));
        let wall = vec![Cell::new(0, 0), Cell::new(2, 0)];
        assert!(matches!(
            with(drawn(Places::Cells(wall.clone()))),
            Err(E::BadStops { why: StopFault::Blocked { letter: '@', .. }, .. })
        ));
        let listed = stream_of(Supply::Open(1), Brings::Listed(vec![vec![Cell::new(0, 0)], vec![]]));
        assert_eq!(with(listed), Err(E::BadStops { of: StopsOf::Listed(1), why: StopFault::None }));
        let errand = |stops| world().with_errands(vec![Errand { at: 3, stops }]).map(|_| ());
        assert!(matches!(errand(wall), Err(E::BadStops { of: StopsOf::Errand(0), .. })));
        let off = vec![Cell::new(0, 1)];
        assert!(matches!(errand(off), Err(E::BadStops { why: StopFault::OffMap { .. }, .. })));
        assert_eq!(errand(vec![Cell::new(1, 0)]), Ok(()));
    }
}
