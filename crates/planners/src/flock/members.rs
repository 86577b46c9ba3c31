//! Flocks on their way: who is still in them, how they fare, and what they do next.

use super::ride::{Meeting, Ride, Standing};
use super::{Flocks, headway};
use crate::ahead::{Hop, Pause};
use serde::{Deserialize, Serialize};
use throng_core::{Action, AgentId, Budget, CellId, Dir, Event, Observer, Tick, View};

/// Units that travel together as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Company {
    /// The cells that they share.
    pub(super) road: Vec<u32>,
    /// Whoever goes in front first.
    pub(super) members: Vec<Traveller>,
    /// Where on the road one of them last left the others as agreed.
    pub(super) left: Option<u32>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Traveller {
    pub(super) agent: AgentId,
    /// The leg that it is on.
    pub(super) leg: u32,
    /// The cells from where it agreed to where it leaves the others.
    pub(super) course: Vec<u32>,
    /// Where on it it is, and where it meets the others.
    pub(super) place: u32,
    pub(super) meet: u32,
    /// Where the meeting point lies on the road.
    pub(super) enter: u32,
    /// When it sets out from there at the earliest, and when it did.
    pub(super) depart: Tick,
    pub(super) since: Option<Tick>,
    /// From the end of the course to its goal.
    pub(super) rest: u32,
    /// When it would be at its goal alone and in company, as of the last tick.
    pub(super) alone: Tick,
    pub(super) together: Tick,
}

impl Traveller {
    /// How far along the road it is, in cells; below 0 is before it.
    pub(super) const fn progress(&self) -> i64 {
        self.enter as i64 + self.place as i64 - self.meet as i64
    }

    /// Where on the road it leaves the others.
    pub(super) const fn leaves(&self) -> usize {
        self.enter as usize + self.course.len() - 1 - self.meet as usize
    }

    /// Its agreement is void.
    pub(super) fn forget(&mut self) {
        self.course.clear();
        self.place = 0;
    }

    /// Whether the rest of its course can be gone on this map.
    pub(super) fn can_go(&self, view: &View<'_>) -> bool {
        let (grid, actions) = (view.grid(), view.agent(self.agent).actions(view.rules()));
        let rest = self.course.get(self.place as usize..).unwrap_or_default();
        rest.windows(2).all(|pair| {
            let [from, to] = [pair[0], pair[1]].map(|cell| grid.cell(CellId(cell)));
            let go = Action::between(from, to).filter(|action| *action != Action::Wait);
            go.is_some_and(|go| actions.legal(grid, from, 0, go))
        })
    }

    pub(super) const fn meeting(&self) -> Meeting {
        Meeting { place: self.meet as usize, depart: self.depart }
    }
}

impl Company {
    /// Whether somebody else of it is so near to a member that both travel together, or was when it left the road before it.
    pub(super) fn touches(&self, member: usize, reach: u64) -> bool {
        let here = self.members[member].progress();
        let near = |other: &Traveller| other.progress().abs_diff(here) <= reach;
        let left = self.left.is_some_and(|left| (0..=reach as i64).contains(&(i64::from(left) - here)));
        left || self.members.iter().enumerate().any(|(index, other)| index != member && near(other))
    }

    /// Whether a member goes along the road from where it is, or from where it meets the others. How it came there is its own
    /// affair: flocks that have become one came by different ways.
    pub(super) fn carries(&self, member: &Traveller) -> bool {
        let ahead = member.place.max(member.meet);
        let road = (member.enter as usize).checked_add((ahead - member.meet) as usize);
        road.and_then(|from| self.road.get(from..))
            .zip(member.course.get(ahead as usize..))
            .is_some_and(|(road, course)| road.starts_with(course))
    }

    /// How many have met.
    pub(super) fn size(&self) -> usize {
        self.members.iter().filter(|member| member.since.is_some()).count().max(1)
    }
}

impl Flocks {
    /// How a unit travels.
    pub(super) fn ride<'a>(&self, view: &View<'a>, id: AgentId) -> Ride<'a> {
        let actions = view.agent(id).actions(view.rules());
        Ride { grid: view.grid(), actions, bonus: self.settings.bonus }
    }

    /// How many cells apart those may be who travel together.
    pub(super) fn reach(&self, view: &View<'_>, id: AgentId) -> u64 {
        let quickest = Tick::from(view.agent(id).actions(view.rules()).duration(Action::Run(Dir::N)));
        Tick::from(self.settings.delta) + headway(view, id).div_ceil(quickest)
    }

    /// Where a member is on its course now.
    pub(super) fn standing(&self, view: &View<'_>, member: &Traveller) -> Standing {
        let (tick, pose) = (self.ahead.base(member.agent).1, view.unit(member.agent).pose);
        Standing { place: member.place as usize, tick, pose, since: member.since }
    }

    /// Finds out who has left its course, come to the end of it, lost the others or would be sooner at its goal alone: those
    /// travel alone from now on.
    pub(super) fn review(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) {
        let mut companies = core::mem::take(&mut self.companies);
        for company in &mut companies {
            let left = &mut company.left;
            company.members.retain_mut(|member| {
                let stays = self.moves_on(view, member);
                if !stays && !member.course.is_empty() && member.place as usize + 1 == member.course.len() {
                    *left = Some(member.leaves() as u32);
                }
                stays || self.dismiss(view, member, observer)
            });
            // Whoever leaves may have been all that others were in touch with.
            while self.part(view, company, budget, observer) {}
            if company.members.iter().all(|member| member.since.is_none()) && company.members.len() < 2 {
                company.members.retain(|member| self.dismiss(view, member, observer));
            }
        }
        companies.retain(|company| !company.members.is_empty());
        self.companies = companies;
    }

    /// Takes note of where a member is; answers whether it is on its course and not at the end of it.
    fn moves_on(&self, view: &View<'_>, member: &mut Traveller) -> bool {
        let id = member.agent;
        if !self.ahead.may_move(id) || view.unit(id).leg != member.leg || self.ahead.minds[id.index()].rests()
        {
            return false;
        }
        let ((at, _), place) = (self.ahead.base(id), member.place as usize);
        if member.course.get(place + 1) == Some(&at) {
            member.place += 1;
        } else if member.course.get(place) != Some(&at) {
            return false;
        }
        (member.place as usize) + 1 < member.course.len()
    }

    /// Lets one member go, if there is one that is better off alone; answers whether there was.
    fn part(
        &mut self,
        view: &View<'_>,
        company: &mut Company,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> bool {
        for index in 0..company.members.len() {
            let touch = company.touches(index, self.reach(view, company.members[index].agent));
            let member = &company.members[index];
            let (id, lost) = (member.agent, member.since.is_some() && !touch);
            let (at, base) = self.ahead.base(id);
            let left = self.ahead.distance(view, id, at, budget, observer);
            let end = member.course.last().copied().unwrap_or(at);
            // The map may have changed since they agreed.
            let rest = self.ahead.distance(view, id, end, budget, observer);
            let arrives = self.ride(view, id).travel(
                &member.course,
                member.meeting(),
                self.standing(view, member),
                |_, _, _| {},
            );
            let member = &mut company.members[index];
            member.rest = rest.unwrap_or(member.rest);
            member.together = arrives + Tick::from(member.rest);
            member.alone = base + Tick::from(left.unwrap_or(0));
            if lost || left.is_none() || member.together > member.alone {
                let member = company.members.remove(index);
                self.dismiss(view, &member, observer);
                return true;
            }
        }
        false
    }

    /// Says that a member travels alone from now on; answers that it is no longer one.
    fn dismiss(&mut self, view: &View<'_>, member: &Traveller, observer: &mut dyn Observer) -> bool {
        let mind = &mut self.ahead.minds[member.agent.index()];
        mind.pause = None;
        mind.way.clear();
        let at = view.grid().cell(view.unit(member.agent).at);
        observer.event(view.tick(), &Event::LeftFlock { agent: member.agent, at });
        false
    }

    /// Has every member go along its course.
    pub(super) fn lead(&mut self, view: &View<'_>) {
        let mut companies = core::mem::take(&mut self.companies);
        for company in &mut companies {
            for member in &mut company.members {
                let ready = member.depart.max(self.ahead.base(member.agent).1) <= view.tick();
                if member.place == member.meet && member.since.is_none() && ready {
                    member.since = Some(view.tick());
                }
            }
            for member in &company.members {
                let id = member.agent;
                let others = company.members.iter().filter(|other| other.agent != id);
                let with = others.map(|other| other.agent).next().unwrap_or(id);
                let mut hops = Vec::new();
                let (ride, now) = (self.ride(view, id), self.standing(view, member));
                ride.travel(&member.course, member.meeting(), now, |to, run, _| {
                    hops.push(Hop { to: member.course[to], run });
                });
                hops.truncate(self.ahead.sight(id));
                hops.reverse();
                let pause = Pause { at: member.course[member.meet as usize], until: member.depart, with };
                let mind = &mut self.ahead.minds[id.index()];
                mind.way = hops;
                mind.pause = member.since.is_none().then_some(pause);
            }
        }
        self.companies = companies;
    }
}
