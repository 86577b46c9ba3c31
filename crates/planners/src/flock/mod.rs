//! Flock traffic navigation (`flock`): units that have the same way for a while agree to travel together, and where the ways
//! of flocks meet the larger goes first.
//!
//! Everybody knows its shortest way and when it will be at its goal alone. Now and then those who travel alone talk to their
//! neighbours. Two compare that with travelling together along a *bone*: a part of the way of one of them, from a meeting
//! point to a splitting point. They become a flock if neither would rather go with another neighbour (Nash equilibrium); from
//! then on the flock negotiates as one, and takes in whoever gains by it and holds up nobody in it (Pareto). Members go one
//! behind the other. In every tick everybody reserves the next `delta` cells, in the order of the rules of conflict; how
//! is told in `ahead`.
//!
//! Source: Astengo-Noguez and Calzada Gómez, "Collective Pathfinding in Dynamic Environments" (2009), section 2.5 and 2.6.
//! Where it leaves something open:
//!
//! * *The bonus* is speed: alone a unit walks, in company it may run, on average faster than a walk by at most `bonus`
//!   percent. How fast it can run at all is its own motion ([`throng_core::Motion::Gaits`]), so that executor and judge know
//!   nothing of flocks. Whoever has one speed gains no ticks; it goes with others where that costs it none, since the larger
//!   flock has the right of way. With `bonus=0` nobody travels together.
//! * *Estimates* are ticks by the unit's own actions, with the wait at the meeting point and the distance kept behind whoever
//!   goes before; nobody else is counted with. They are made anew in every tick, and whoever would be sooner at its goal alone
//!   leaves: no estimate of a member is ever worse than alone.
//! * *The bone* of two is the one that saves both together most, neither being later than alone. In what a unit prefers counts
//!   only what it saves itself, then how long it has company.
//! * *Pareto.* Whoever comes later goes behind all members or before them, and waits until it can without holding up anybody.
//!   A flock that has come up behind another on the same road becomes one with it.
//! * *Whoever falls out*, since it had to go around somebody or is more than `delta` cells behind, travels alone and may join again.
//! * *Conflicts.* `rules`: the larger flock, then the most delayed member, then whoever has reserved its way over the crossing
//!   first. `tiles`: the last of these alone. Either way nobody waits on a crossing who could wait before it. `replan`:
//!   nothing is reserved but the next step, and whoever finds it taken plans the rest of its way anew around all who stand
//!   anywhere.
//!
//! Guarantees: deterministic; no collisions and no cancelled moves among its own units; neither complete nor optimal. Cost of
//! a tick: as `collective`; every `delta / 2` steps a search of (2·`delta` + 1)² cells and a few comparisons of ways for
//! everybody who travels alone.

mod bone;
mod members;
mod merge;
mod order;
mod ride;
mod saved;
mod talks;

use crate::ahead::{Ahead, Manner, explain};
use members::{Company, Traveller};
use std::sync::Arc;
use throng_core::{
    Action, AgentId, Budget, Cause, Cell, CellId, Change, Controller, Dir, Flock, Member, Observer,
    SnapshotError, Tick, View,
};
use throng_search::Workers;

/// Percent of full speed below which a unit takes another way, as `collective` has it.
const THRESHOLD: u32 = 40;

/// Parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// By how many percent of its walking speed a unit may be faster in company.
    pub bonus: u32,
    /// How many straight steps ahead a unit reserves, and how far apart members of a flock may be.
    pub delta: u32,
    /// Who goes first.
    pub conflict: Conflict,
    /// Memory for true distances, in bytes.
    pub memory: usize,
}

/// What decides where the ways of flocks meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The larger flock, then the more delayed, then tiles.
    Rules,
    /// Whoever has reserved the tiles of the crossing first.
    Tiles,
    /// Nothing: whoever runs into somebody plans anew.
    Replan,
}

/// The controller.
#[derive(Debug)]
pub struct Flocks {
    settings: Settings,
    ahead: Ahead,
    companies: Vec<Company>,
    /// Whose crossing is reserved since when.
    grants: Vec<Option<(u32, Tick)>>,
    order: Vec<AgentId>,
}

impl Flocks {
    /// A controller for one world.
    #[must_use]
    pub fn new(settings: Settings, workers: Arc<Workers>) -> Self {
        let settings = Settings { delta: settings.delta.max(1), ..settings };
        let manner = match settings.conflict {
            Conflict::Rules | Conflict::Tiles => {
                Manner { steps: settings.delta, threshold: THRESHOLD, clear: true, around: false }
            }
            Conflict::Replan => Manner { steps: 1, threshold: 100, clear: false, around: true },
        };
        let ahead = Ahead::new(manner, workers, settings.memory);
        Self { settings, ahead, companies: Vec::new(), grants: Vec::new(), order: Vec::new() }
    }

    /// Whether units negotiate in this tick.
    fn talks(&self, view: &View<'_>) -> bool {
        let steps =
            view.mine.iter().map(|&id| view.agent(id).actions(view.rules()).duration(Action::Go(Dir::N)));
        let pause = Tick::from(self.settings.delta * steps.max().unwrap_or(1)).div_ceil(2);
        self.settings.bonus > 0 && view.tick().is_multiple_of(pause)
    }

    /// Forgets the agreement of a unit; it is told when it is next asked.
    fn forget(&mut self, id: AgentId) {
        let members = self.companies.iter_mut().flat_map(|company| &mut company.members);
        members.filter(|member| member.agent == id).for_each(Traveller::forget);
    }

    /// Forgets the agreements of those whose course is closed. All others are estimated anew in every tick.
    fn forget_illegal(&mut self, view: &View<'_>) {
        let members = self.companies.iter_mut().flat_map(|company| &mut company.members);
        members.filter(|member| !member.can_go(view)).for_each(Traveller::forget);
    }
}

/// How long after another a unit that moves alike comes to the same cell, at a walk.
fn headway(view: &View<'_>, id: AgentId) -> Tick {
    let agent = view.agent(id);
    let step = Tick::from(agent.actions(view.rules()).duration(Action::Go(Dir::N)));
    // Where moves hold what they cover, a cell is free only when whoever leaves it has arrived.
    let graph_rules = view.rules().graph_rules() && view.scenario.largest_body() == 1;
    if graph_rules { step } else { step * Tick::from(agent.body) + step }
}

impl Controller for Flocks {
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    ) {
        self.ahead.begin(view, budget, observer);
        self.review(view, budget, observer);
        if self.talks(view) {
            // Whatever they talk about, something is left for moving.
            let aside = self.ahead.set_aside();
            self.negotiate(view, budget, observer);
            self.merge(view, observer);
            self.ahead.take_back(aside);
        }
        self.lead(view);
        self.sort(view);
        self.ahead.take_turns(view, &self.order, budget, observer, actions);
        self.grant(view);
    }

    fn changed(&mut self, view: &View<'_>, change: Change) {
        self.ahead.changed(view, change);
        match change {
            Change::Joined(id) | Change::Left(id) => {
                self.forget(id);
                if let Some(grant) = self.grants.get_mut(id.index()) {
                    *grant = None;
                }
            }
            Change::Terrain(_) => self.forget_illegal(view),
            Change::Ordered(id) | Change::Placed(id) => self.forget(id),
        }
    }

    fn save(&self, _view: &View<'_>) -> Vec<u8> {
        self.to_bytes()
    }

    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        self.take_up(view, bytes)
    }

    fn explain(&self, view: &View<'_>, agent: AgentId) -> Option<(Tick, Cause)> {
        explain(&self.ahead, view, agent)
    }

    fn intended(&self, view: &View<'_>, agent: AgentId) -> Vec<(Tick, Cell)> {
        self.ahead.intended(view, agent)
    }

    fn flocks(&self, view: &View<'_>) -> Vec<Flock> {
        let cell = |id: u32| view.grid().cell(CellId(id));
        let flock = |company: &Company| {
            let members = company.members.iter().filter(|member| !member.course.is_empty());
            let members = members.map(|member| Member {
                agent: member.agent,
                meet: cell(member.course[member.meet as usize]),
                split: cell(member.course[member.course.len() - 1]),
                met: member.since.is_some(),
                alone: member.alone,
                together: member.together,
            });
            Flock { road: company.road.iter().map(|&id| cell(id)).collect(), members: members.collect() }
        };
        self.companies.iter().map(flock).collect()
    }
}
