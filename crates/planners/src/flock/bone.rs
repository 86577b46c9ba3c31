//! The bone: a road that two share, from where they meet to where they split.

use super::ride::{Meeting, Ride, Standing};
use core::cmp::Reverse;
use throng_core::{AgentId, Tick};

/// Whoever shares fewer steps does not talk about it.
pub(super) const LEAST_SHARED: usize = 2;

/// A unit that travels alone and would rather not.
#[derive(Debug)]
pub(super) struct Party {
    pub(super) id: AgentId,
    /// Where and when it can begin something new.
    pub(super) base: (u32, Tick),
    /// When it is at its goal if it goes there alone.
    pub(super) alone: Tick,
    /// Its shortest way, and how long the part up to each cell takes at a walk.
    pub(super) way: Vec<u32>,
    pub(super) walked: Vec<Tick>,
    /// The cells around it and how long it takes to get there, by cell.
    pub(super) near: Vec<(u32, u32)>,
}

impl Party {
    /// When it can be at a cell.
    pub(super) fn at(&self, cell: u32) -> Option<Tick> {
        let place = self.near.binary_search_by_key(&cell, |entry| entry.0).ok()?;
        Some(self.base.1 + Tick::from(self.near[place].1))
    }
}

/// How one of the two would fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// When it sets out from the meeting point, and from the splitting point how long it takes to its goal.
    pub(super) depart: Tick,
    pub(super) rest: u32,
    /// How many ticks sooner it arrives than alone.
    pub(super) saves: Tick,
}

/// What two can agree on: a part of the way of one of them, the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bone {
    /// Meeting and splitting point, as places on the way of the host.
    pub(super) meet: usize,
    pub(super) split: usize,
    pub(super) host: Share,
    pub(super) guest: Share,
}

impl Bone {
    pub(super) const fn shared(&self) -> usize {
        self.split - self.meet
    }

    /// The better for both together comes later; among equals the longer road, then the nearer meeting point.
    fn worth(&self) -> (Tick, usize, Reverse<usize>) {
        (self.host.saves + self.guest.saves, self.shared(), Reverse(self.meet))
    }

    /// The better of two, the first if they are equal.
    pub(super) fn better(self, other: Option<Self>) -> Self {
        other.filter(|other| other.worth() > self.worth()).unwrap_or(self)
    }
}

/// When those who arrive at a meeting point at `first` and `second` leave it: whoever comes first waits until the other is
/// close behind, who comes `headway` after it.
fn departures(first: Tick, second: Tick, headway: Tick) -> (Tick, Tick) {
    let front = first.max(second.saturating_sub(headway));
    (front, second.max(front + headway))
}

/// The best bone along the way of `host` by which neither is later than alone. `bound` is the least time from a cell to the
/// goal of the guest, `rest` the true one.
pub(super) fn bone(
    ride: &Ride<'_>,
    [host, guest]: [&Party; 2],
    headway: Tick,
    bound: impl Fn(u32) -> u32,
    mut rest: impl FnMut(u32) -> Option<u32>,
) -> Option<Bone> {
    let end = *host.walked.last()?;
    let (mut best, mut offsets) = (None::<Bone>, Vec::new());
    for meet in 0..host.way.len() - 1 {
        let Some(guest_there) = guest.at(host.way[meet]) else { continue };
        let host_there = host.base.1 + host.walked[meet];
        let (host_departs, guest_departs) = if (host_there, host.id) <= (guest_there, guest.id) {
            departures(host_there, guest_there, headway)
        } else {
            let (front, back) = departures(guest_there, host_there, headway);
            (back, front)
        };
        if host_departs > host.alone || guest_departs > guest.alone {
            continue;
        }
        offsets.clear();
        let meeting = Meeting { place: 0, depart: 0 };
        let now = Standing { place: 0, tick: 0, pose: 0, since: None };
        ride.travel(&host.way[meet..], meeting, now, |_, _, tick| offsets.push(tick));
        for (shared, &offset) in (1..).zip(&offsets).skip(LEAST_SHARED - 1) {
            let split = meet + shared;
            let cell = host.way[split];
            let host_rest = end - host.walked[split];
            let host_arrives = host_departs + offset + host_rest;
            let together = guest_departs + offset;
            if together > guest.alone {
                break;
            }
            if host_arrives > host.alone || together + Tick::from(bound(cell)) > guest.alone {
                continue;
            }
            let Some(guest_rest) = rest(cell) else { continue };
            let guest_arrives = together + Tick::from(guest_rest);
            if guest_arrives > guest.alone {
                continue;
            }
            let host =
                Share { depart: host_departs, rest: host_rest as u32, saves: host.alone - host_arrives };
            let guest = Share { depart: guest_departs, rest: guest_rest, saves: guest.alone - guest_arrives };
            let bone = Bone { meet, split, host, guest };
            best = Some(best.map_or(bone, |best| best.better(Some(bone))));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_comes_first_waits_and_the_other_follows_closely() {
        assert_eq!(departures(3, 10, 2), (8, 10));
        assert_eq!(departures(3, 4, 2), (3, 5));
        assert_eq!(departures(3, 3, 1), (3, 4));
    }
}
