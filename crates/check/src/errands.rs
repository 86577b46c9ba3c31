//! Whether an errand that counts as done really was, and no other.

use crate::{Violation, mover::Mover};
use std::collections::BTreeMap;
use throng_core::{AgentId, Cell, ErrandId, ErrandNote, News, Task, Tick};

/// Errands as the judge follows them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    open: BTreeMap<ErrandId, Round>,
    /// By agent: what it does.
    by: BTreeMap<AgentId, ErrandId>,
    /// The number that an errand must have at least to be new.
    next: u64,
    /// Those that counted as done when the last tick was over.
    claims: Vec<(ErrandId, AgentId)>,
    /// Up to which tick it is known who has been where.
    until: Tick,
}

#[derive(Clone, Debug)]
struct Round {
    stops: Vec<Cell>,
    agent: Option<AgentId>,
    /// How many stops whoever does it has been at.
    leg: usize,
}

impl Rounds {
    pub(crate) fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether nobody has looked yet who has arrived when the last tick was over.
    pub(crate) fn is_due(&self, tick: Tick) -> bool {
        self.until < tick && !(self.open.is_empty() && self.claims.is_empty())
    }

    /// Everybody is where it is at the beginning of `tick`. Whoever stands at its next stop has been there; answers how many
    /// errands are done by that.
    pub(crate) fn arrivals(
        &mut self,
        movers: &[Mover<'_>],
        tick: Tick,
        mut found: impl FnMut(Violation),
    ) -> u64 {
        let (mut done, last) = (0, tick.saturating_sub(1));
        self.until = tick;
        for (&agent, &errand) in &self.by {
            let Some(round) = self.open.get_mut(&errand) else { continue };
            visit(round, &movers[agent.index()], tick, round.stops.len());
            if round.leg == round.stops.len() && !self.claims.contains(&(errand, agent)) {
                found(Violation::ErrandUncounted { tick: last, errand, agent });
                self.claims.push((errand, agent));
            }
        }
        for (errand, agent) in self.claims.drain(..) {
            match self.open.get(&errand) {
                Some(Round { stops, agent: by, leg }) if *by == Some(agent) && *leg == stops.len() => {
                    self.open.remove(&errand);
                    self.by.remove(&agent);
                    done += 1;
                }
                _ => found(Violation::ErrandNotDone { tick: last, errand, agent }),
            }
        }
        done
    }

    /// Takes up what becomes of an errand in `tick`.
    pub(crate) fn note(&mut self, movers: &[Mover<'_>], tick: Tick, note: &ErrandNote) -> Option<Violation> {
        let errand = note.errand;
        if let News::Appeared(stops) = &note.news {
            if errand.0 < self.next {
                return Some(Violation::ErrandAgain { tick, errand });
            }
            self.next = errand.0 + 1;
            self.open.insert(errand, Round { stops: stops.clone(), agent: None, leg: 0 });
            return None;
        }
        let Some(round) = self.open.get_mut(&errand) else {
            return Some(Violation::NoSuchErrand { tick, errand });
        };
        match note.news {
            News::Appeared(_) => {}
            News::Done(agent) => self.claims.push((errand, agent)),
            News::Refused | News::Returned => {
                let by = round.agent.take();
                round.leg = 0;
                by.map(|agent| self.by.remove(&agent));
                if note.news == News::Refused {
                    self.open.remove(&errand);
                }
            }
            News::Assigned(agent) => {
                let mover = movers.get(agent.index());
                let Some(mover) = mover.filter(|mover| matches!(mover.agent().task, Task::Errands(_))) else {
                    return Some(Violation::NoErrands { tick, errand, agent });
                };
                if round.agent.is_some() || self.by.contains_key(&agent) {
                    return Some(Violation::ErrandTaken { tick, errand, agent });
                }
                self.by.insert(agent, errand);
                (round.agent, round.leg) = (Some(agent), 0);
                // The last stop counts at the end of a tick only.
                visit(round, mover, tick, round.stops.len().saturating_sub(1));
            }
        }
        None
    }
}

/// Counts the stops where its unit stands by now, up to `most` of them.
fn visit(round: &mut Round, mover: &Mover<'_>, tick: Tick, most: usize) {
    while round.leg < most && mover.stands(tick) && mover.at == round.stops[round.leg] {
        round.leg += 1;
    }
}
