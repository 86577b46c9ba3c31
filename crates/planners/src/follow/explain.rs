//! Whom a unit waits for when its plan tells it to wait: the first that it would run into if it did not.

use super::Follow;
use super::order::Move;
use throng_core::{Action, Agent, AgentId, Cause, Cell, Tick, View};

/// One action of a plan: between two ticks, from one place to another.
#[derive(Clone, Copy)]
struct Deed {
    begin: Tick,
    end: Tick,
    from: Cell,
    action: Action,
}

impl Follow {
    /// What a unit is still to do, its cancelled move included.
    pub(super) fn ahead<'a>(&'a self, view: &View<'_>, id: AgentId) -> impl Iterator<Item = &'a Move> {
        let (unit, i) = (view.unit(id), id.index());
        let next = self.next.get(i).copied().unwrap_or(0);
        let cancelled = self.expected.get(i).is_some_and(|&expected| unit.at != expected);
        let next = next.saturating_sub(u32::from(cancelled));
        (next..).map_while(move |index| self.order.as_ref()?.get(id, index))
    }

    pub(super) fn waits_for(&self, view: &View<'_>, id: AgentId) -> Option<Cause> {
        let (agent, now) = (view.agent(id), view.tick());
        let mine = self.deeds(view, agent);
        let (first, rest) = mine.split_first().filter(|(_, rest)| !rest.is_empty())?;
        if first.action != Action::Wait {
            let held = self.held.binary_search_by_key(&id.0, |&(held, _)| held).ok()?;
            let (blocker, cell) = (AgentId(self.held[held].1), first.from.after(first.action));
            let there = view.grid().id(cell) == Some(view.unit(blocker).at);
            return Some(match there {
                true => Cause::Occupied { blocker, cell },
                false => Cause::Reserved { blocker, cell, tick: now },
            });
        }
        // What if it did not wait?
        let wait = first.end - first.begin;
        let at_once = rest.iter().map(|deed| Deed {
            begin: deed.begin - wait,
            end: deed.end.saturating_sub(wait),
            ..*deed
        });
        let others = view.scenario.agents().iter().filter(|other| other.id != id);
        let others: Vec<_> = others
            .filter(|other| !view.unit(other.id).gone)
            .map(|other| (other, self.deeds(view, other)))
            .collect();
        at_once.into_iter().find_map(|mine| {
            let meets = |(other, deeds): &(&Agent, Vec<Deed>)| {
                let theirs = deeds.iter().find(|theirs| meet(view, (agent, &mine), (other, theirs)))?;
                Some(blocked(view, agent, &mine, other, theirs))
            };
            others.iter().find_map(meets)
        })
    }

    /// What `agent` does from now on by its plan; in the end it stands.
    fn deeds(&self, view: &View<'_>, agent: &Agent) -> Vec<Deed> {
        let unit = view.unit(agent.id);
        let can = agent.actions(view.rules());
        let mut from = view.grid().cell(unit.at);
        let mut begin = unit.until.max(view.tick());
        let began = self.began.unwrap_or(view.tick());
        let mut deeds = Vec::new();
        for next in self.ahead(view, agent.id) {
            let due = begin.max(began + next.tick);
            if due > begin {
                deeds.push(Deed { begin, end: due, from, action: Action::Wait });
            }
            let end = due + Tick::from(can.duration(next.action));
            deeds.push(Deed { begin: due, end, from, action: next.action });
            (begin, from) = (end, from.after(next.action));
        }
        deeds.push(Deed { begin, end: Tick::MAX, from, action: Action::Wait });
        deeds
    }
}

/// Whether two deeds cannot both be done.
fn meet(view: &View<'_>, (a, mine): (&Agent, &Deed), (b, theirs): (&Agent, &Deed)) -> bool {
    if view.rules().graph_rules() && view.scenario.largest_body() == 1 {
        let (to, there) = (mine.from.after(mine.action), theirs.from.after(theirs.action));
        let together = theirs.begin < mine.end && mine.end <= theirs.end;
        return together && (to == there || (to == theirs.from && there == mine.from));
    }
    let print = |agent: &Agent, deed: &Deed| agent.actions(view.rules()).footprint(deed.from, deed.action);
    let (here, there) = (print(a, mine), print(b, theirs));
    theirs.begin < mine.end && mine.begin < theirs.end && here.cells().any(|cell| there.covers(cell))
}

fn blocked(view: &View<'_>, agent: &Agent, mine: &Deed, other: &Agent, theirs: &Deed) -> Cause {
    let rules = view.rules();
    let there = other.actions(rules).footprint(theirs.from, theirs.action);
    let to = mine.from.after(mine.action);
    let wanted = agent.actions(rules).footprint(to, Action::Wait);
    let cell = wanted.cells().find(|&cell| there.covers(cell)).unwrap_or(to);
    let stands = theirs.begin <= view.tick() && theirs.action == Action::Wait;
    if stands {
        Cause::Occupied { blocker: other.id, cell }
    } else {
        Cause::Reserved { blocker: other.id, cell, tick: theirs.begin }
    }
}
