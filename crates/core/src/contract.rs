//! Where planners and simulation meet.

use crate::{
    Action, Agent, AgentId, Cause, Cell, CellId, Dir, Directions, Event, Explanation, Flock, Grid, Plan,
    Rules, Scenario, Seen, Sighting, State, Tick, Unit,
};

/// One shot: the whole plan at once.
pub trait Planner {
    /// A plan for everybody, from tick 0 until all rest. Whatever it returns is a candidate: nobody
    /// calls it solved before `check` has.
    fn plan(&mut self, scenario: &Scenario, budget: &dyn Budget, observer: &mut dyn Observer) -> Outcome;
}

/// Every tick: the next moves.
pub trait Controller {
    /// Writes the next action of every unit of `view.mine` that stands; others' entries stay as they are.
    fn decide(
        &mut self,
        view: &View<'_>,
        budget: &dyn Budget,
        observer: &mut dyn Observer,
        actions: &mut [Action],
    );

    /// The world has changed between two ticks; `view` is how it is now.
    fn changed(&mut self, view: &View<'_>, change: Change);

    /// Everything that its later decisions depend on, as bytes; `view` is how the world is now.
    fn save(&self, view: &View<'_>) -> Vec<u8>;

    /// Takes up what [`Self::save`] gave, in the same world at the same tick.
    fn load(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError>;

    /// Why a unit of `view.mine` that wants to be elsewhere is where it is, and since when it has come no nearer
    /// to its goal; nothing if this controller knows no more than anybody can see.
    fn explain(&self, _view: &View<'_>, _agent: AgentId) -> Option<(Tick, Cause)> {
        None
    }

    /// Where a unit of `view.mine` means to be from now on, and from which tick on each: first where it is or is going,
    /// then one cell after the other as far as it has planned. Nothing if this controller does not plan ahead for it.
    fn intended(&self, _view: &View<'_>, _agent: AgentId) -> Vec<(Tick, Cell)> {
        Vec::new()
    }

    /// By cell, one of the fields that a unit of `view.mine` goes by; nothing if this controller has no such field for it.
    fn field(&self, _view: &View<'_>, _agent: AgentId, _field: Field) -> Option<Vec<Option<i64>>> {
        None
    }

    /// How units have moved so far, if this controller learns that.
    fn directions(&self, _view: &View<'_>) -> Option<Directions> {
        None
    }

    /// Who travels together now, if this controller has units agree on that.
    fn flocks(&self, _view: &View<'_>) -> Vec<Flock> {
        Vec::new()
    }
}

/// What a unit that walks a landscape goes by. All are thousandths of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// How far it is to the nearest of what it looks for.
    Heat,
    /// How strongly a cell draws it.
    Potential,
    /// How strongly others keep it from a cell.
    Repulsion,
    /// All of them, each as much as it counts: the unit goes down.
    Height,
}

/// What somebody has done to a world that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A unit has come, perhaps with the number of one that has left.
    Joined(AgentId),
    /// A unit has left.
    Left(AgentId),
    /// A unit has another task.
    Ordered(AgentId),
    /// A unit has been put elsewhere.
    Placed(AgentId),
    /// A cell has closed or opened.
    Terrain(CellId),
}

/// What a planner may know now. Where units know only what they have seen, or where there are other teams, scenario and
/// state are what is known of them: cells that nobody has seen are open, units that are out of sight are where they are
/// believed to be or gone, and those of others have their start for a goal.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// World, rules, agents.
    pub scenario: &'a Scenario,
    /// Who is where.
    pub state: &'a State,
    /// The units that this controller moves, by number. Everybody else is an obstacle that may move.
    pub mine: &'a [AgentId],
    /// The cells that have been seen; `None` if everything is known.
    pub seen: Option<&'a Seen>,
    /// By agent, how units of others were last seen to move; empty if everybody tells what it is to do.
    pub sightings: &'a [Sighting],
}

impl<'a> View<'a> {
    /// The terrain.
    #[must_use]
    pub const fn grid(&self) -> &'a Grid {
        self.scenario.grid()
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.scenario.rules()
    }

    /// Whether a cell is known and not merely taken for open.
    #[must_use]
    pub fn has_seen(&self, cell: CellId) -> bool {
        self.seen.is_none_or(|seen| seen.contains(cell))
    }

    /// Now.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.state.tick
    }

    /// The agent with this number.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> &'a Agent {
        self.scenario.agent(id)
    }

    /// Where that agent is.
    #[must_use]
    pub fn unit(&self, id: AgentId) -> &'a Unit {
        &self.state.units[id.index()]
    }

    /// Whether nobody tells what a unit is about to do: it is of another team, or shares nothing that it knows.
    #[must_use]
    pub fn is_stranger(&self, id: AgentId) -> bool {
        let Some(&own) = self.mine.first() else { return false };
        let alone = || self.scenario.sight_of(self.agent(own)).is_some_and(|sight| !sight.shared);
        (self.agent(id).team != self.agent(own).team || alone()) && self.mine.binary_search(&id).is_err()
    }

    /// What was last seen of a stranger that is believed to be somewhere.
    #[must_use]
    pub fn sighting(&self, id: AgentId) -> Option<&'a Sighting> {
        let seen = self.sightings.get(id.index()).filter(|seen| seen.at.is_some())?;
        self.is_stranger(id).then_some(seen)
    }

    /// Where a stranger goes on to, if it was seen moving lately.
    #[must_use]
    pub fn heading(&self, id: AgentId) -> Option<Dir> {
        self.sighting(id)?.goes_on(self.agent(id), self.rules(), self.tick())
    }

    /// Where that agent is going now.
    #[must_use]
    pub fn target(&self, id: AgentId) -> CellId {
        let target = self.agent(id).waypoints().target(self.unit(id).leg);
        self.grid().id(target).unwrap_or_default()
    }
}

/// How a planner ended. "No plan" is never an error and never an empty list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// Everybody gets there.
    Solved(Plan),
    /// Collision-free as far as it goes, but somebody has not arrived.
    Partial {
        /// What there is.
        plan: Plan,
        /// It holds until this tick.
        until: Tick,
        /// Who did not arrive, and why.
        why: Reason,
    },
    /// There is no plan.
    Infeasible {
        /// Whom and what.
        why: Reason,
    },
    /// The budget ended first.
    OutOfBudget {
        /// The best so far.
        best: Option<Plan>,
        /// What was missing.
        why: Reason,
    },
}

/// Why there is no complete plan: which unit, and what stopped it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub enum Reason {
    #[error("agent {agent}: no way from {from} to {to} on this map")]
    Unreachable { agent: AgentId, from: Cell, to: Cell },
    #[error("agent {agent}: no path from {from} to {to} around the reservations of others")]
    Reserved { agent: AgentId, from: Cell, to: Cell },
    #[error("no plan brings everybody there: all {placements} placements were tried")]
    Exhausted { placements: u64 },
    #[error("{pairs} pairs of agents still collide")]
    Colliding { pairs: u64 },
    #[error("{why}")]
    Stuck { why: Explanation },
    #[error("agent {agent}: not at {to} after {ticks} ticks")]
    OutOfTime { agent: AgentId, to: Cell, ticks: Tick },
    #[error("the judge rejects the plan: {why}")]
    Rejected { why: String },
    #[error(
        "no plan brings everybody there: agent {agent} has no way from {from} to {to} that keeps clear of all others"
    )]
    Contradiction { agent: AgentId, from: Cell, to: Cell },
    #[error("{}the budget ended after {expanded} expansions", of(*.agent))]
    OutOfBudget { agent: Option<AgentId>, expanded: u64 },
    #[error("no memory is left: {nodes} nodes of the search hold {} MiB; parameter `memory` says how much there is", bytes >> 20)]
    OutOfMemory { nodes: u64, bytes: u64 },
}

impl Reason {
    /// The agent that it is about, if it is about one.
    #[must_use]
    pub const fn agent(&self) -> Option<AgentId> {
        match self {
            Self::Unreachable { agent, .. }
            | Self::Reserved { agent, .. }
            | Self::Contradiction { agent, .. }
            | Self::OutOfTime { agent, .. } => Some(*agent),
            Self::OutOfBudget { agent, .. } => *agent,
            Self::Stuck { why } => Some(why.agent),
            Self::Rejected { .. }
            | Self::Exhausted { .. }
            | Self::Colliding { .. }
            | Self::OutOfMemory { .. } => None,
        }
    }
}

/// Whom a message is about, if it is about one.
fn of(agent: Option<AgentId>) -> String {
    agent.map_or_else(String::new, |agent| format!("agent {agent}: "))
}

/// A limit on work. Expansions are the unit inside the engine; wall clocks belong to applications,
/// which implement this for theirs.
pub trait Budget {
    /// Whether to stop after `spent` expansions.
    fn should_stop(&self, spent: u64) -> bool;

    /// The most expansions there may be: a bound that is kept to the last one, whereas [`Self::should_stop`] is
    /// only asked now and then. [`u64::MAX`] if expansions are not what is limited.
    fn limit(&self) -> u64 {
        u64::MAX
    }

    /// Whether it may end in any tick, so that controllers should be ready to leave off and to go on in the next one.
    /// A clock that gives every frame its share should say so; one that ends a whole run need not.
    fn is_tight(&self) -> bool {
        self.limit() != u64::MAX
    }
}

/// A fixed number of expansions: nodes taken from the open lists of searches. A windowed search of depth *d* takes
/// about *d* of them where nobody is in the way, and many times that in a jam.
#[derive(Clone, Copy, Debug)]
pub struct Expansions(pub u64);

impl Budget for Expansions {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.0
    }

    fn limit(&self) -> u64 {
        self.0
    }
}

/// No limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn should_stop(&self, _spent: u64) -> bool {
        false
    }
}

/// What is left of a budget for whoever comes after others.
#[derive(Clone, Copy)]
pub struct Rest<'a> {
    /// All of it.
    pub whole: &'a dyn Budget,
    /// Expansions of the others.
    pub before: u64,
}

impl Budget for Rest<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        self.whole.should_stop(self.before.saturating_add(spent))
    }

    fn limit(&self) -> u64 {
        match self.whole.limit() {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(self.before),
        }
    }

    fn is_tight(&self) -> bool {
        self.whole.is_tight()
    }
}

impl core::fmt::Debug for Rest<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rest").field("before", &self.before).finish_non_exhaustive()
    }
}

/// A part of a budget.
#[derive(Clone, Copy)]
pub struct Share<'a> {
    /// All of it.
    pub whole: &'a dyn Budget,
    /// The most expansions of the part.
    pub limit: u64,
}

impl Budget for Share<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        spent >= self.limit || self.whole.should_stop(spent)
    }

    fn limit(&self) -> u64 {
        self.limit.min(self.whole.limit())
    }

    fn is_tight(&self) -> bool {
        self.whole.is_tight()
    }
}

impl core::fmt::Debug for Share<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Share").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Which search an expansion belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// The search for a path.
    Main,
    /// The backwards search for true distances.
    Backwards,
}

/// Listens. Metrics, traces and pictures are observers; search code never prints.
pub trait Observer {
    /// Whether [`Self::node`] should be called for every expansion.
    fn wants_nodes(&self) -> bool {
        false
    }
    /// One expansion of the main search, if asked for.
    fn node(&mut self, _agent: AgentId, _at: CellId, _tick: Tick) {}
    /// A search ended after `count` expansions.
    fn expanded(&mut self, _agent: AgentId, _kind: SearchKind, _count: u64) {}
    /// A planner has learned how many ticks an agent's whole task takes if it is alone.
    fn alone(&mut self, _agent: AgentId, _ticks: Tick) {}
    /// A planner has found a plan, or one that is better than the last; this is what it costs by its objective.
    fn found(&mut self, _cost: u64) {}
    /// A planner has proven that no plan has a smaller sum of costs.
    fn bound(&mut self, _soc: Tick) {}
    /// Whether [`Self::memory`] should be called every tick.
    fn wants_memory(&self) -> bool {
        false
    }
    /// Sizes of all open and closed lists that a planner keeps, and the bytes they hold.
    fn memory(&mut self, _open: u64, _closed: u64, _bytes: usize) {}
    /// A unit has reserved its path for these ticks.
    fn reserved(&mut self, _agent: AgentId, _from: Tick, _until: Tick) {}
    /// A unit has searched anew.
    fn replanned(&mut self, _agent: AgentId, _tick: Tick) {}
    /// Something happened.
    fn event(&mut self, _tick: Tick, _event: &Event) {}
    /// A tick is over; `state` is what it led to.
    fn tick(&mut self, _scenario: &Scenario, _state: &State) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Why a snapshot cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// Not bytes that this controller wrote.
    #[error("not a snapshot of this controller: {0}")]
    Unreadable(String),
    /// Saved in another world.
    #[error("the snapshot does not fit this world: {0}")]
    Mismatch(String),
}
