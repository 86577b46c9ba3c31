//! Flocks that become one: a flock that comes up behind another on the same road travels on as part of it.
//!
//! Both negotiate as one unit each, and agree by the condition that newcomers have to meet: somebody gains and nobody loses.
//! Nobody's course or time changes by it, so that nobody's estimate gets worse. What they gain is company for longer, since those
//! behind stay in touch with those in front when their own partners have left, and the rank of the larger flock at crossings.

use super::Flocks;
use super::bone::LEAST_SHARED;
use super::members::{Company, Traveller};
use super::talks::{alike, tell};
use throng_core::{AgentId, Observer, View};

/// One flock behind another.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// Their places among the flocks.
    front: usize,
    behind: usize,
    /// Where the road of the one behind begins on that of the other; below 0 is before it.
    shift: i64,
}

impl Flocks {
    /// Makes one flock of two wherever one has come up behind another, until there are no such two.
    pub(super) fn merge(&mut self, view: &View<'_>, observer: &mut dyn Observer) {
        let mut behind = 0;
        while behind < self.companies.len() {
            let Some(meeting) = self.caught_up(view, behind) else {
                behind += 1;
                continue;
            };
            let follower = self.companies.remove(meeting.behind);
            let front = meeting.front - usize::from(meeting.front > meeting.behind);
            let company = &mut self.companies[front];
            let with = company.members.last().map(|last| last.agent);
            for member in &follower.members {
                tell(view, member, with.unwrap_or(member.agent), observer);
            }
            company.append(follower, meeting.shift);
            // The one that it has become part of may itself be behind another, or behind those that were looked at before.
            behind = 0;
        }
    }

    /// The flock that this one has come up behind, if all of both have met and they have the same road before them.
    fn caught_up(&self, view: &View<'_>, behind: usize) -> Option<Meeting> {
        let follower = &self.companies[behind];
        let first = follower.met()?.first()?;
        let reach = self.reach(view, first.agent) as usize;
        let mut before = first.course.iter().skip(first.place as usize + 1).take(reach);
        let next = before.find_map(|&cell| self.ahead.who_is_at(cell).filter(|&who| who != first.agent))?;
        let front = self.company_of(next).filter(|&front| front != behind)?;
        let company = &self.companies[front];
        let last = company.met()?.last()?;
        // Whoever is between two cells is where it will be.
        let there = last.course[last.place as usize];
        let place = first.course.iter().position(|&cell| cell == there)? as i64;
        let shift = last.progress() - (first.progress() + place - i64::from(first.place));
        let (shares, same) = (company.leaves_after(last), company.leads_on(follower, shift));
        (last.agent == next && alike(view, next, first.agent) && shares >= LEAST_SHARED && same)
            .then_some(Meeting { front, behind, shift })
    }

    fn company_of(&self, id: AgentId) -> Option<usize> {
        self.companies.iter().position(|company| company.members.iter().any(|member| member.agent == id))
    }
}

impl Company {
    /// Its members, if all have met and none has lost its course.
    fn met(&self) -> Option<&[Traveller]> {
        let met = |member: &Traveller| member.since.is_some() && !member.course.is_empty();
        self.members.iter().all(met).then_some(&self.members[..])
    }

    /// How many steps of the road a member still goes.
    fn leaves_after(&self, member: &Traveller) -> usize {
        (member.leaves() as i64 - member.progress()).max(0) as usize
    }

    /// Whether its road is that of another, from where the last of the other is to where one of the two ends.
    fn leads_on(&self, other: &Self, shift: i64) -> bool {
        let here = other.members.iter().map(Traveller::progress).min().unwrap_or(0);
        let from = here.max(-shift).max(0);
        let mine = self.road.iter().skip((from + shift) as usize);
        mine.zip(other.road.iter().skip(from as usize)).all(|(mine, other)| mine == other)
    }

    /// Takes in all of another that is behind it.
    fn append(&mut self, mut other: Self, shift: i64) {
        let offset = shift.unsigned_abs() as usize;
        let moved = if shift < 0 {
            // The road of those behind begins first: places are counted along it.
            core::mem::swap(&mut self.road, &mut other.road);
            self.left = self.left.map(|left| left + offset as u32);
            &mut self.members
        } else {
            &mut other.members
        };
        moved.iter_mut().for_each(|member| member.enter += offset as u32);
        let beyond = self.road.len().saturating_sub(offset);
        self.road.extend_from_slice(other.road.get(beyond..).unwrap_or_default());
        self.members.append(&mut other.members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One who is at a place of the road, and leaves at the end of it.
    fn member(agent: u32, road: &[u32], place: u32) -> Traveller {
        Traveller {
            agent: AgentId(agent),
            leg: 0,
            course: road.to_vec(),
            place,
            meet: 0,
            enter: 0,
            depart: 0,
            since: Some(0),
            rest: 0,
            alone: 0,
            together: 0,
        }
    }

    /// Whichever road begins first or ends last, everybody is on the same cell of it as before.
    #[test]
    fn places_stay_where_they_are() {
        let all: Vec<u32> = (10..30).collect();
        for (front, behind) in [(4..12, 0..9), (0..12, 2..9), (3..8, 0..20), (0..8, 0..8), (0..9, 3..20)] {
            let roads = [&all[front.clone()], &all[behind.clone()]];
            let company = |agent, road: &[u32], cell: u32| Company {
                road: road.to_vec(),
                members: vec![member(agent, road, cell - road[0])],
                left: Some(1),
            };
            let (mut first, second) = (company(0, roads[0], 17), company(1, roads[1], 14));
            let shift = behind.start as i64 - front.start as i64;
            assert!(first.leads_on(&second, shift));
            let left = first.road[1];
            first.append(second, shift);
            assert_eq!(first.road, all[front.start.min(behind.start)..front.end.max(behind.end)]);
            let cells: Vec<u32> =
                first.members.iter().map(|member| first.road[member.progress() as usize]).collect();
            assert_eq!(cells, [17, 14]);
            assert_eq!(first.road[first.left.unwrap() as usize], left);
        }
    }

    /// Two flocks that came by different ways and have the same road before them. What they have left behind was held against
    /// the road of the one that they became, so that no save of it could be taken up again.
    #[test]
    fn the_road_carries_everybody_whatever_way_they_came() {
        for (front, behind, shift) in [
            ([50, 51, 14, 15, 16, 17, 18], [11, 12, 13, 14, 15, 16, 17], -1),
            ([50, 51, 52, 53, 14, 15, 16], [60, 61, 14, 15, 16, 17, 18], 2),
        ] {
            let place = |road: &[u32], cell| road.iter().position(|&at| at == cell).unwrap() as u32;
            let company = |agent, road: &[u32], cell| Company {
                road: road.to_vec(),
                members: vec![member(agent, road, place(road, cell))],
                left: None,
            };
            let (mut first, second) = (company(0, &front, 15), company(1, &behind, 14));
            assert!(first.leads_on(&second, shift));
            first.append(second, shift);
            assert!(first.members.iter().all(|member| first.carries(member)), "{first:?}");
            first.members[0].enter += 1;
            assert!(!first.carries(&first.members[0]), "it is elsewhere on the road");
        }
    }

    #[test]
    fn roads_that_part_do_not_lead_on() {
        let company =
            |road: &[u32]| Company { road: road.to_vec(), members: vec![member(0, road, 0)], left: None };
        assert!(company(&[3, 4, 5]).leads_on(&company(&[1, 2, 3, 4]), -2));
        assert!(!company(&[3, 4, 5]).leads_on(&company(&[1, 2, 3, 9]), -2));
    }
}
