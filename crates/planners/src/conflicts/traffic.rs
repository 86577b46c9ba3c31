//! Who is where when, by the ways that units have now.

use super::demands::Time;
use super::field::{Field, NONE};

/// Two units on one spot at one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    /// Places in the team.
    pub(super) units: [u32; 2],
    pub(super) spot: u32,
    pub(super) tick: Time,
}

/// Visits of spots.
#[derive(Debug)]
pub(super) struct Traffic {
    /// By spot: when and who. Sorted.
    visits: Vec<Vec<(Time, u32)>>,
    /// By cell: since when somebody rests there, and who.
    rests: Vec<(Time, u32)>,
    /// Nobody moves after this tick.
    latest: Time,
}

impl Traffic {
    pub(super) fn new(field: &Field) -> Self {
        let (visits, rests) = (vec![Vec::new(); field.spots()], vec![(0, NONE); field.len()]);
        Self { visits, rests, latest: 0 }
    }

    pub(super) const fn latest(&self) -> Time {
        self.latest
    }

    pub(super) fn add(&mut self, field: &Field, who: u32, way: &[u32]) {
        each_visit(field, way, |spot, tick| {
            let visits = &mut self.visits[spot as usize];
            let place = visits.partition_point(|&visit| visit < (tick, who));
            visits.insert(place, (tick, who));
        });
        let last = way.len() as Time - 1;
        self.latest = self.latest.max(last);
        self.rests[way[last as usize] as usize] = (last, who);
    }

    pub(super) fn remove(&mut self, field: &Field, who: u32, way: &[u32]) {
        each_visit(field, way, |spot, tick| {
            let visits = &mut self.visits[spot as usize];
            if let Ok(place) = visits.binary_search(&(tick, who)) {
                visits.remove(place);
            }
        });
        self.rests[way[way.len() - 1] as usize] = (0, NONE);
    }

    /// Nobody is anywhere any more.
    pub(super) fn restart(&mut self) {
        self.latest = 0;
    }

    fn visits_at(&self, spot: u32, tick: Time) -> impl Iterator<Item = u32> {
        let visits = &self.visits[spot as usize];
        let first = if visits.is_empty() { 0 } else { visits.partition_point(|visit| visit.0 < tick) };
        visits[first..].iter().take_while(move |visit| visit.0 == tick).map(|visit| visit.1)
    }

    /// Who comes to a cell after a tick, and when.
    pub(super) fn visits_after(&self, cell: u32, tick: Time) -> &[(Time, u32)] {
        let visits = &self.visits[cell as usize];
        &visits[visits.partition_point(|visit| visit.0 <= tick)..]
    }

    /// With how many a move that ends at a tick conflicts; roughly, for those who choose among ways.
    #[inline]
    pub(super) fn count(&self, to: u32, spot: u32, tick: Time) -> u32 {
        let mut count = 0;
        if !self.visits[to as usize].is_empty() {
            count += self.visits_at(to, tick).count() as u32;
        }
        let (since, who) = self.rests[to as usize];
        count += u32::from(who != NONE && since < tick);
        if spot != NONE && !self.visits[spot as usize].is_empty() {
            count += self.visits_at(spot, tick).count() as u32;
        }
        count
    }

    /// All that the way of a unit, which is not counted itself, meets. `ways` tells the ways of the others.
    pub(super) fn meetings<'w>(
        &self,
        field: &Field,
        (who, way): (u32, &[u32]),
        ways: impl Fn(u32) -> &'w [u32],
        meet: &mut Vec<Meeting>,
    ) {
        let rest = way.len() as Time - 1;
        let mut met = |other: u32, spot: u32, tick: Time| {
            meet.push(Meeting { units: [who.min(other), who.max(other)], spot, tick });
        };
        for (tick, step) in (1..).zip(way.windows(2)) {
            let (from, to) = (step[0], step[1]);
            self.visits_at(to, tick).for_each(|other| met(other, to, tick));
            let (since, other) = self.rests[to as usize];
            if other != NONE && since < tick {
                met(other, to, tick);
            }
            let Some(spot) = field.spot(from, to) else { continue };
            // Whoever comes from the same cell is met there already.
            let others = self.visits_at(spot, tick).filter(|&other| ways(other)[tick as usize - 1] != from);
            others.for_each(|other| met(other, spot, tick));
        }
        let goal = way[rest as usize];
        self.visits_after(goal, rest).iter().for_each(|&(tick, other)| met(other, goal, tick));
    }
}

fn each_visit(field: &Field, way: &[u32], mut visit: impl FnMut(u32, Time)) {
    visit(way[0], 0);
    for (tick, step) in (1..).zip(way.windows(2)) {
        visit(step[1], tick);
        if let Some(spot) = field.spot(step[0], step[1]) {
            visit(spot, tick);
        }
    }
}
