//! Errands that come while the world runs: they appear, are given to units, and are done.
//!
//! For whoever plans, an errand is a list of goals that a unit gets one day; who has none waits where it is and makes way. At
//! the beginning of a tick errands appear, those that nobody can do are refused, and whoever is idle gets one from an
//! [`Assigner`]; at its end those are done whose unit stands at their last stop.

mod assign;
mod board;
mod nearest;
mod orders;

pub use assign::{Assigner, Market};
pub use nearest::Nearest;
pub use orders::ErrandError;

use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Cell, CellId, Change, ErrandId, Fate, Scenario, State, Task};

/// One part in so many of a tick's budget may go into finding out who is nearest.
const SHARE: u64 = 4;

/// What the board in the state does not say.
pub(crate) struct Dispatch {
    memory: Memory,
    assigner: Box<dyn Assigner + Send>,
    /// By agent: what it does.
    doing: Vec<Option<ErrandId>>,
    /// Cells to draw stops from, until something changes.
    pools: Option<Vec<Vec<CellId>>>,
    /// Buffers.
    idle: Vec<AgentId>,
    sent: Vec<AgentId>,
    pairs: Vec<(ErrandId, AgentId)>,
    stops: Vec<Cell>,
    spare: Vec<Vec<Cell>>,
}

/// What a later tick depends on and is neither in the scenario nor in the state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// Stops of errands that somebody asked for, to appear with the next tick.
    asked: Vec<Vec<Cell>>,
    /// Errands that wait again, of which the next tick has to tell.
    returned: Vec<ErrandId>,
    /// Something has changed, so that some may not be possible any more.
    doubtful: bool,
}

impl Default for Dispatch {
    fn default() -> Self {
        Self {
            memory: Memory::default(),
            assigner: Box::<Nearest>::default(),
            doing: Vec::new(),
            pools: None,
            idle: Vec::new(),
            sent: Vec::new(),
            pairs: Vec::new(),
            stops: Vec::new(),
            spare: Vec::new(),
        }
    }
}

impl Dispatch {
    pub(crate) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// Takes up what was saved; answers whether it is of this world.
    pub(crate) fn take_up(&mut self, scenario: &Scenario, state: &State, memory: Memory) -> bool {
        let errands = &state.errands;
        let on_map =
            |stops: &Vec<Cell>| !stops.is_empty() && stops.iter().all(|&cell| scenario.grid().contains(cell));
        let sorted = errands.jobs.windows(2).all(|two| two[0].id < two[1].id);
        let known = errands.jobs.last().is_none_or(|job| job.id.0 < errands.appeared);
        let waits = |id: &ErrandId| errands.job(*id).is_some_and(|job| job.fate == Fate::Waiting);
        let fits = sorted
            && known
            && errands.jobs.iter().all(|job| job.since <= state.tick && on_map(&job.stops))
            && memory.asked.iter().all(on_map)
            && memory.returned.iter().all(waits);
        (self.memory, self.pools) = (memory, None);
        self.doing.clear();
        self.doing.resize(scenario.agents().len(), None);
        fits && errands.jobs.iter().all(|job| {
            let Fate::UnderWay(agent) = job.fate else { return true };
            let doing = self.doing.get_mut(agent.index());
            let sent = scenario.agents().get(agent.index()).map(|agent| &agent.task);
            let same = matches!(sent, Some(Task::Errands(stops)) if *stops == job.stops);
            same && doing.is_some_and(|doing| doing.replace(job.id).is_none())
        })
    }

    /// What a unit does.
    pub(crate) fn doing(&self, agent: AgentId) -> Option<ErrandId> {
        self.doing.get(agent.index()).copied().flatten()
    }

    /// Something was done to the world by whoever runs it.
    pub(crate) fn changed(&mut self, state: &mut State, change: Change) {
        self.pools = None;
        match change {
            Change::Left(id) | Change::Ordered(id) => {
                self.give_back(state, id);
                self.memory.doubtful = true;
            }
            Change::Placed(_) | Change::Terrain(_) => self.memory.doubtful = true,
            Change::Joined(_) => {}
        }
    }

    /// Whatever a unit does waits again.
    fn give_back(&mut self, state: &mut State, id: AgentId) {
        let doing = self.doing.get_mut(id.index()).and_then(Option::take);
        if let Some(job) = doing.and_then(|errand| state.errands.job_mut(errand)) {
            job.fate = Fate::Waiting;
            self.memory.returned.push(job.id);
        }
    }

    /// Whether nothing has ever been asked of it, nor will be.
    fn is_idle(&self, scenario: &Scenario, state: &State) -> bool {
        self.memory.asked.is_empty()
            && state.errands.appeared == 0
            && scenario.errands().is_empty()
            && scenario.stream().is_none()
    }

    /// Whether errands are open or will appear.
    pub(crate) fn goes_on(&self, scenario: &Scenario, state: &State) -> bool {
        let later = scenario.errands().last().is_some_and(|errand| errand.at >= state.tick);
        let streams = scenario.stream().is_some_and(|stream| stream.goes_on(state.errands.streamed));
        later
            || streams
            || !self.memory.asked.is_empty()
            || state.errands.jobs.iter().any(|job| job.fate.is_open())
    }
}

/// Whether a unit does errands.
pub(crate) const fn is_employed(task: &Task) -> bool {
    matches!(task, Task::Errands(_))
}
