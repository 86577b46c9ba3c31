//! What is demanded of the way of a unit.

use super::field::{Field, NONE};

/// A tick within a plan.
pub(super) type Time = u32;

/// For ever.
pub(super) const EVER: Time = Time::MAX;

/// One demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Not on this spot in these ticks, ends included.
    Off { spot: u32, from: Time, until: Time },
    /// Rests no sooner than at this tick.
    Late(Time),
    /// Rests by this tick, and nobody else is at its goal from then on.
    Soon(Time),
}

impl Demand {
    /// Not on this spot at this tick.
    pub(super) const fn off(spot: u32, tick: Time) -> Self {
        Self::Off { spot, from: tick, until: tick }
    }

    /// Whether a way breaks it.
    pub(super) fn is_broken(&self, field: &Field, way: &[u32]) -> bool {
        let rest = way.len() as Time - 1;
        match *self {
            Self::Late(tick) => rest < tick,
            Self::Soon(tick) => rest > tick,
            Self::Off { spot, from, until } => {
                let at = |tick: Time| {
                    let cell = way[tick.min(rest) as usize];
                    if (spot as usize) < field.len() {
                        return cell == spot;
                    }
                    (1..=rest).contains(&tick) && field.spot(way[tick as usize - 1], cell) == Some(spot)
                };
                (from..=until.min(rest.max(from))).any(at)
            }
        }
    }
}

/// All that is demanded of one unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Demands {
    /// Spots to stay off, from when until when. Sorted.
    pub(super) off: Vec<(u32, Time, Time)>,
    /// Rests no sooner.
    pub(super) least: Time,
    /// Rests no later, counted back from for ever, so that there is no such demand by default.
    pub(super) early: Time,
}

impl Demands {
    /// The last tick at which it may come to rest.
    pub(super) const fn most(&self) -> Time {
        EVER - self.early
    }

    pub(super) fn add(&mut self, demand: Demand) {
        match demand {
            Demand::Off { spot, from, until } => self.off.push((spot, from, until)),
            Demand::Late(tick) => self.least = self.least.max(tick),
            Demand::Soon(tick) => self.early = self.early.max(EVER - tick),
        }
    }

    /// Puts them into the order by which they are compared.
    pub(super) fn sort(&mut self) {
        self.off.sort_unstable();
        self.off.dedup();
    }
}

/// Demands on one unit in a form that answers at once whether it may be somewhere.
#[derive(Debug)]
pub(super) struct Table {
    /// By spot: when it was last marked, and where its rows begin.
    marks: Vec<(u32, u32)>,
    now: u32,
    off: Vec<(u32, Time, Time)>,
    /// From this tick on nothing changes any more.
    pub(super) settled: Time,
    /// Rests no sooner; never, if [`EVER`].
    pub(super) least: Time,
    pub(super) most: Time,
}

impl Table {
    pub(super) fn new(field: &Field) -> Self {
        let marks = vec![(0, NONE); field.spots()];
        Self { marks, now: 0, off: Vec::new(), settled: 0, least: 0, most: EVER }
    }

    /// Takes the demands on a unit with this goal.
    pub(super) fn load(&mut self, demands: &Demands, goal: u32) {
        self.now += 1;
        self.off.clone_from(&demands.off);
        (self.settled, self.least, self.most) = (0, demands.least, demands.most());
        for (row, &(spot, from, until)) in self.off.iter().enumerate() {
            let mark = &mut self.marks[spot as usize];
            if mark.0 != self.now {
                *mark = (self.now, row as u32);
            }
            self.settled = self.settled.max(if until == EVER { from } else { until + 1 });
            if spot == goal {
                self.least = self.least.max(until.saturating_add(1));
            }
        }
    }

    /// Whether the unit may be on this spot at this tick.
    #[inline]
    pub(super) fn allows(&self, spot: u32, tick: Time) -> bool {
        let (when, row) = self.marks[spot as usize];
        when != self.now || self.allows_marked(spot, tick, row)
    }

    fn allows_marked(&self, spot: u32, tick: Time, row: u32) -> bool {
        let rows = self.off[row as usize..].iter().take_while(|off| off.0 == spot);
        rows.into_iter().all(|&(_, from, until)| tick < from || until < tick)
    }
}
