//! Who goes first where the ways of flocks meet.

use super::{Conflict, Flocks};
use core::cmp::Reverse;
use throng_core::{AgentId, Tick, View};

/// A unit's rank: whoever has the smaller one reserves first.
pub(super) type Rank = (u8, Reverse<i32>, Reverse<usize>, Reverse<Tick>, Tick, AgentId, usize);

impl Flocks {
    /// Sorts all units by the rules of conflict: the larger flock, then the more delayed, then whoever has held the tiles of
    /// its crossing for longer. Flocks rank as one, whoever goes in front first.
    pub(super) fn sort(&mut self, view: &View<'_>) {
        let now = view.tick();
        let alone = |id: AgentId| {
            let mind = &self.ahead.minds[id.index()];
            let tiles = self.grants.get(id.index()).copied().flatten().map_or(Tick::MAX, |grant| grant.1);
            let turn = self.ahead.rank(view, id);
            (turn, Reverse(view.agent(id).priority), Reverse(1), Reverse(mind.delay(now)), tiles, id, 0)
        };
        let mut ranks: Vec<(Rank, AgentId)> = view.mine.iter().map(|&id| (alone(id), id)).collect();
        match self.settings.conflict {
            Conflict::Rules => {
                for company in &self.companies {
                    // Those who have agreed and not met yet as well: whoever slows down so as to meet gets later, and would else take the
                    // place of the one that it waits for.
                    let Some(mut rank) = company.members.iter().map(|member| alone(member.agent)).min()
                    else {
                        continue;
                    };
                    rank.2 = Reverse(company.size());
                    for (place, member) in company.members.iter().enumerate() {
                        if let Ok(index) = view.mine.binary_search(&member.agent) {
                            rank.6 = place;
                            ranks[index].0 = rank;
                        }
                    }
                }
            }
            Conflict::Tiles => ranks.iter_mut().for_each(|(rank, _)| rank.3 = Reverse(0)),
            Conflict::Replan => ranks.iter_mut().for_each(|(rank, _)| (rank.3, rank.4) = (Reverse(0), 0)),
        }
        ranks.sort_unstable();
        self.order.clear();
        self.order.extend(ranks.into_iter().map(|(_, id)| id));
    }

    /// Notes who has reserved the whole passage of its next crossing or is on it, and since when.
    pub(super) fn grant(&mut self, view: &View<'_>) {
        self.grants.resize(view.state.units.len(), None);
        for &id in view.mine {
            let (at, _) = self.ahead.base(id);
            let mut inside = self.ahead.crossing(at);
            let mut granted = inside;
            for step in self.ahead.steps(id).iter().filter(|step| step.from != step.to) {
                let to = self.ahead.crossing(step.to);
                if inside.is_some() && to != inside {
                    granted = inside;
                    break;
                }
                inside = to;
            }
            let before = self.grants[id.index()];
            self.grants[id.index()] = granted.map(|crossing| {
                before.filter(|grant| grant.0 == crossing).unwrap_or((crossing, view.tick()))
            });
        }
    }
}
