//! Negotiations: whoever travels alone looks for company among its neighbours.

use super::bone::{Bone, LEAST_SHARED, Party, bone};
use super::members::{Company, Traveller};
use super::ride::{Meeting, Standing};
use super::{Flocks, headway};
use throng_core::{AgentId, Budget, Event, Motion, Observer, Tick, View};
use throng_search::{Graph as _, GridGraph};

/// How many neighbours a unit talks to at most, the nearest first.
const NEIGHBOURS: usize = 8;

/// Something that a unit could agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    saves: Tick,
    shared: usize,
    with: With,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum With {
    /// Another unit that travels alone: the number of the pair.
    Pair(usize),
    /// A flock, by its place, as it was when it had so many members.
    Company { place: usize, members: usize, berth: Berth },
}

/// A place in a flock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Berth {
    /// Where it joins and leaves the road.
    enter: usize,
    leave: usize,
    depart: Tick,
    rest: u32,
    saves: Tick,
    in_front: bool,
}

/// Two who could travel together: their places among the parties, the host first.
#[derive(Clone, Copy, Debug)]
struct Pair {
    parties: [usize; 2],
    bone: Bone,
}

/// Only units that move alike travel together: others would hold up those behind them.
pub(super) fn alike(view: &View<'_>, a: AgentId, b: AgentId) -> bool {
    let kind = |id: AgentId| -> (u8, u8, Motion, _) {
        let agent = view.agent(id);
        (agent.body, agent.period, agent.motion, agent.priority)
    };
    kind(a) == kind(b)
}

impl Flocks {
    /// Lets all who travel alone negotiate.
    pub(super) fn negotiate(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) {
        let mut parties = self.parties(view, budget, observer);
        let mut place = vec![usize::MAX; view.state.units.len()];
        parties.iter().enumerate().for_each(|(index, party)| place[party.id.index()] = index);
        let mut company_of = vec![usize::MAX; view.state.units.len()];
        for (index, company) in self.companies.iter().enumerate() {
            company.members.iter().for_each(|member| company_of[member.agent.index()] = index);
        }
        let (mut pairs, mut joins) = (Vec::new(), Vec::new());
        for (index, party) in parties.iter().enumerate() {
            for other in self.neighbours(view, party) {
                match (place[other.index()], company_of[other.index()]) {
                    (usize::MAX, usize::MAX) => {}
                    (usize::MAX, company) => joins.push((index, company)),
                    (other, _) => pairs.push((index.min(other), index.max(other))),
                }
            }
        }
        for list in [&mut pairs, &mut joins] {
            list.sort_unstable();
            list.dedup();
        }
        let pairs: Vec<Pair> = pairs
            .into_iter()
            .filter_map(|(a, b)| self.pair(view, &parties, [a, b], budget, observer))
            .collect();
        let mut offers = vec![Vec::new(); parties.len()];
        for (number, Pair { parties: [host, guest], bone }) in pairs.iter().enumerate() {
            let offer = |saves| Offer { saves, shared: bone.shared(), with: With::Pair(number) };
            offers[*host].push(offer(bone.host.saves));
            offers[*guest].push(offer(bone.guest.saves));
        }
        for (index, company) in joins {
            let offer = self.offer(view, &parties[index], company, budget, observer);
            offers[index].extend(offer);
        }
        self.settle(view, &mut parties, &pairs, offers, budget, observer);
    }

    /// Everybody who travels alone and has somewhere to go.
    fn parties(&mut self, view: &View<'_>, budget: &dyn Budget, observer: &mut dyn Observer) -> Vec<Party> {
        let mut taken = vec![false; view.state.units.len()];
        let members = self.companies.iter().flat_map(|company| &company.members);
        members.for_each(|member| taken[member.agent.index()] = true);
        // As many cells as there are within reach in the open.
        let reach = u64::from(2 * self.settings.delta + 1).pow(2);
        let mut parties = Vec::new();
        for &id in view.mine {
            let done = view.unit(id).leg >= view.agent(id).waypoints().len();
            if taken[id.index()] || done || !self.ahead.may_move(id) || self.ahead.minds[id.index()].rests() {
                continue;
            }
            let Some(way) = self.ahead.whole_way(view, id, budget, observer) else { continue };
            if way.len() <= LEAST_SHARED {
                continue;
            }
            let (ride, base) = (self.ride(view, id), self.ahead.base(id));
            let mut walked = vec![0];
            for pair in way.windows(2) {
                walked.push(walked[walked.len() - 1] + ride.walk(pair[0], pair[1]));
            }
            let near = self.ahead.surroundings(view, id, reach, observer);
            let alone = base.1 + walked[walked.len() - 1];
            parties.push(Party { id, base, alone, way, walked, near });
        }
        parties
    }

    /// Whom a unit talks to.
    fn neighbours(&self, view: &View<'_>, party: &Party) -> Vec<AgentId> {
        let mut near: Vec<_> = party
            .near
            .iter()
            .filter_map(|&(cell, ticks)| Some((ticks, self.ahead.who_is_at(cell)?)))
            .filter(|&(_, other)| other != party.id && alike(view, other, party.id))
            .collect();
        near.sort_unstable();
        let mut found: Vec<AgentId> = Vec::new();
        for (_, other) in near {
            if found.len() < NEIGHBOURS && !found.contains(&other) {
                found.push(other);
            }
        }
        found
    }

    /// The best that two can agree on, along the way of either.
    fn pair(
        &mut self,
        view: &View<'_>,
        parties: &[Party],
        [a, b]: [usize; 2],
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Option<Pair> {
        let mut best = None::<Pair>;
        for [host, guest] in [[a, b], [b, a]] {
            let id = parties[guest].id;
            let graph = GridGraph::of(view.grid(), view.rules(), view.agent(id));
            let aim = graph.aim(self.ahead.minds[id.index()].goal.0);
            let (ride, headway) = (self.ride(view, id), headway(view, id));
            let rest = |cell| self.ahead.distance(view, id, cell, budget, observer);
            let both = [&parties[host], &parties[guest]];
            let found = bone(&ride, both, headway, |cell| graph.estimate(cell, aim), rest);
            let Some(bone) = found else { continue };
            if best.is_none_or(|best| best.bone.better(Some(bone)) != best.bone) {
                best = Some(Pair { parties: [host, guest], bone });
            }
        }
        best
    }

    /// What a flock can offer a unit: a place behind all its members or before them, where it holds up nobody.
    fn offer(
        &mut self,
        view: &View<'_>,
        party: &Party,
        place: usize,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) -> Option<Offer> {
        let company = &self.companies[place];
        let (ride, headway) = (self.ride(view, party.id), headway(view, party.id));
        let touch = headway + Tick::from(self.settings.delta * self.ahead.step(party.id));
        let mut times = vec![None::<(Tick, Tick, usize)>; company.road.len()];
        for member in &company.members {
            let mut pass = |place: usize, tick: Tick| {
                let Some(index) = (member.enter as usize + place).checked_sub(member.meet as usize) else {
                    return;
                };
                let leaves = member.leaves();
                let Some(entry) = times.get_mut(index).filter(|_| place >= member.meet as usize) else {
                    return;
                };
                let (first, last, until) = entry.unwrap_or((tick, tick, leaves));
                *entry = Some((first.min(tick), last.max(tick), until.max(leaves)));
            };
            let now = self.standing(view, member);
            pass(now.place, now.tick);
            ride.travel(&member.course, member.meeting(), now, |place, _, tick| pass(place, tick));
        }
        let road = company.road.clone();
        let (mut best, mut offsets) = (None::<((Tick, usize), Offer)>, Vec::new());
        for (enter, time) in times.into_iter().enumerate() {
            let (Some((first, last, until)), Some(there)) = (time, party.at(road[enter])) else { continue };
            let in_front = there + headway <= first;
            let depart = if in_front { first - headway } else { there.max(last + headway) };
            if depart > last + touch || depart > party.alone || until > road.len() - 1 {
                continue;
            }
            offsets.clear();
            let now = Standing { place: 0, tick: 0, pose: 0, since: None };
            let meeting = Meeting { place: 0, depart: 0 };
            ride.travel(&road[enter..=until], meeting, now, |_, _, tick| offsets.push(tick));
            for (shared, &offset) in (1..).zip(&offsets).skip(LEAST_SHARED - 1) {
                if depart + offset > party.alone {
                    break;
                }
                let leave = enter + shared;
                let rest = self.ahead.distance(view, party.id, road[leave], budget, observer);
                let Some(rest) = rest.filter(|&rest| depart + offset + Tick::from(rest) <= party.alone)
                else {
                    continue;
                };
                let saves = party.alone - (depart + offset + Tick::from(rest));
                let berth = Berth { enter, leave, depart, rest, saves, in_front };
                let members = self.companies[place].members.len();
                let offer = Offer { saves, shared, with: With::Company { place, members, berth } };
                if best.is_none_or(|(worth, _)| (saves, shared) > worth) {
                    best = Some(((saves, shared), offer));
                }
            }
        }
        best.map(|(_, offer)| offer)
    }

    /// Makes the agreements that hold: two become a flock if neither would rather go with somebody else; a flock takes
    /// in whoever it is the best for. Goes on until nobody agrees with anybody.
    fn settle(
        &mut self,
        view: &View<'_>,
        parties: &mut [Party],
        pairs: &[Pair],
        mut offers: Vec<Vec<Offer>>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
    ) {
        let mut free = vec![true; parties.len()];
        loop {
            let mut agreed = false;
            for index in 0..parties.len() {
                // Of several that are equally good, the first that the other side agrees to.
                let Some(most) = best(&offers[index], index, pairs, &free) else { continue };
                let mutual = |offer: &&Offer| {
                    (offer.saves, offer.shared) == most
                        && match offer.with {
                            With::Company { .. } => true,
                            With::Pair(number) => pairs[number].parties.iter().all(|&party| {
                                let own = offers[party].iter().find(|other| other.with == offer.with);
                                own.map(|own| (own.saves, own.shared))
                                    == best(&offers[party], party, pairs, &free)
                            }),
                        }
                };
                let Some(offer) = offers[index].iter().find(mutual).copied() else { continue };
                match offer.with {
                    With::Pair(number) => {
                        let Pair { parties: [host, guest], bone } = pairs[number];
                        let both = [&parties[host], &parties[guest]];
                        let made = self.join(view, both, &bone, observer);
                        (free[host], free[guest]) = (!made, !made);
                        offers[index].retain(|other| *other != offer);
                        agreed = true;
                    }
                    With::Company { place, members, berth } => {
                        offers[index].retain(|other| *other != offer);
                        if self.companies[place].members.len() == members {
                            free[index] = !self.admit(view, &parties[index], place, &berth, observer);
                        } else {
                            // Somebody has joined meanwhile.
                            let renewed = self.offer(view, &parties[index], place, budget, observer);
                            offers[index].extend(renewed);
                        }
                        agreed = true;
                    }
                }
            }
            if !agreed {
                return;
            }
        }
    }

    /// Two become a flock; answers whether their ways to the meeting point could be found.
    fn join(
        &mut self,
        view: &View<'_>,
        [host, guest]: [&Party; 2],
        bone: &Bone,
        observer: &mut dyn Observer,
    ) -> bool {
        let Some(mut course) = self.ahead.way_to(view, guest.id, host.way[bone.meet], observer) else {
            return false;
        };
        let meet = course.len() - 1;
        course.extend_from_slice(&host.way[bone.meet + 1..=bone.split]);
        let traveller =
            |party: &Party, course: Vec<u32>, meet: usize, share: &super::bone::Share| Traveller {
                agent: party.id,
                leg: view.unit(party.id).leg,
                course,
                place: 0,
                meet: meet as u32,
                enter: 0,
                depart: share.depart,
                since: None,
                rest: share.rest,
                alone: party.alone,
                together: party.alone - share.saves,
            };
        let mut members = vec![
            traveller(host, host.way[..=bone.split].to_vec(), bone.meet, &bone.host),
            traveller(guest, course, meet, &bone.guest),
        ];
        members.sort_by_key(|member| (member.depart, member.agent));
        let road = host.way[bone.meet..=bone.split].to_vec();
        let company = Company { road, members, left: None };
        let [a, b] = [&company.members[0], &company.members[1]];
        tell(view, a, b.agent, observer);
        tell(view, b, a.agent, observer);
        self.companies.push(company);
        true
    }

    /// A flock takes somebody in; answers whether its way to the meeting point could be found.
    fn admit(
        &mut self,
        view: &View<'_>,
        party: &Party,
        place: usize,
        berth: &Berth,
        observer: &mut dyn Observer,
    ) -> bool {
        let Berth { enter, leave, depart, rest, saves, in_front } = *berth;
        let from = self.companies[place].road[enter];
        let Some(mut course) = self.ahead.way_to(view, party.id, from, observer) else { return false };
        let meet = course.len() - 1;
        let company = &mut self.companies[place];
        course.extend_from_slice(&company.road[enter + 1..=leave]);
        let member = Traveller {
            agent: party.id,
            leg: view.unit(party.id).leg,
            course,
            place: 0,
            meet: meet as u32,
            enter: enter as u32,
            depart,
            since: None,
            rest,
            alone: party.alone,
            together: party.alone - saves,
        };
        let at = if in_front { 0 } else { company.members.len() };
        let with = company.members[at.saturating_sub(1)].agent;
        tell(view, &member, with, observer);
        company.members.insert(at, member);
        true
    }
}

/// The most that a unit can still have: what it saves, then how long it has company.
fn best(offers: &[Offer], party: usize, pairs: &[Pair], free: &[bool]) -> Option<(Tick, usize)> {
    if !free[party] {
        return None;
    }
    let open = |offer: &&Offer| match offer.with {
        With::Pair(number) => pairs[number].parties.iter().all(|&party| free[party]),
        With::Company { .. } => true,
    };
    offers.iter().filter(open).map(|offer| (offer.saves, offer.shared)).max()
}

/// Says that a unit has agreed to travel together with others.
pub(super) fn tell(view: &View<'_>, member: &Traveller, with: AgentId, observer: &mut dyn Observer) {
    let cell = |index: usize| view.grid().cell(throng_core::CellId(member.course[index]));
    let saves = member.alone.saturating_sub(member.together) as u32;
    let (meet, split) = (cell(member.meet as usize), cell(member.course.len() - 1));
    observer.event(view.tick(), &Event::JoinedFlock { agent: member.agent, with, meet, split, saves });
}
