//! Whom a unit waits for when its plan tells it to wait: the first that it would run into if it did not.

use super::Follow;
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
    fn ahead(&self, view: &View<'_>, id: AgentId) -> &[Action] {
        let (unit, i) = (view.unit(id), id.index());
        let path = self.plan.paths.get(i).map_or(&[][..], |path| &path.actions);
        let (Some(&next), Some(&expected)) = (self.next.get(i), self.expected.get(i)) else { return path };
        let cancelled = unit.stands(view.tick()) && unit.at != expected;
        &path[(next.saturating_sub(u32::from(cancelled)) as usize).min(path.len())..]
    }

    pub(super) fn waits_for(&self, view: &View<'_>, id: AgentId) -> Option<Cause> {
        let ahead = self.ahead(view, id);
        let waits = ahead.iter().position(|action| *action != Action::Wait).filter(|&waits| waits > 0)?;
        let agent = view.agent(id);
        let others = view.scenario.agents().iter().filter(|other| other.id != id);
        let others: Vec<_> = others
            .filter(|other| !view.unit(other.id).gone)
            .map(|other| (other, deeds(view, other, self.ahead(view, other.id))))
            .collect();
        deeds(view, agent, &ahead[waits..]).into_iter().find_map(|mine| {
            let meets = |(other, deeds): &(&Agent, Vec<Deed>)| {
                let theirs = deeds.iter().find(|theirs| meet(view, (agent, &mine), (other, theirs)))?;
                Some(blocked(view, agent, &mine, other, theirs))
            };
            others.iter().find_map(meets)
        })
    }
}

/// What `agent` does from now on if it does `actions`; in the end it stands.
fn deeds(view: &View<'_>, agent: &Agent, actions: &[Action]) -> Vec<Deed> {
    let unit = view.unit(agent.id);
    let can = agent.actions(view.rules());
    let mut from = view.grid().cell(unit.at);
    let mut begin = unit.until.max(view.tick());
    let mut deeds = Vec::with_capacity(actions.len() + 1);
    for &action in actions {
        let end = begin + Tick::from(can.duration(action));
        deeds.push(Deed { begin, end, from, action });
        (begin, from) = (end, from.after(action));
    }
    deeds.push(Deed { begin, end: Tick::MAX, from, action: Action::Wait });
    deeds
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
