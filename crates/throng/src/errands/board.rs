//! A tick of the board: what appears, what cannot be done, who does what, and what is done.

use super::{Market, SHARE, is_employed};
use crate::Session;
use throng_core::{
    AgentId, Budget, Cell, Change, ErrandId, Errands, Event, Fate, Job, Observer, SearchKind, Task, Tick,
};

impl Session {
    /// Errands at the beginning of a tick; answers how much of the budget that took.
    pub(crate) fn dispatch(&mut self, budget: &dyn Budget, observer: &mut dyn Observer) -> u64 {
        if self.dispatch.is_idle(&self.setup.scenario, &self.state) {
            return 0;
        }
        let told = self.events.len();
        self.dispatch.doing.resize(self.state.units.len(), None);
        self.dispatch.sent.clear();
        self.clear_board();
        for errand in core::mem::take(&mut self.dispatch.memory.returned) {
            self.events.push(Event::Returned { errand });
        }
        if core::mem::take(&mut self.dispatch.memory.doubtful) {
            self.reconsider();
        }
        self.appear();
        self.dismiss();
        let spent = self.employ(budget);
        if spent > 0 {
            let first = self.dispatch.idle.first().copied().unwrap_or(AgentId(0));
            observer.expanded(first, SearchKind::Backwards, spent);
        }
        let tick = self.state.tick;
        self.events[told..].iter().for_each(|event| observer.event(tick, event));
        spent
    }

    /// Takes away what the last tick has closed.
    fn clear_board(&mut self) {
        let spare = &mut self.dispatch.spare;
        self.state.errands.jobs.retain_mut(|job| {
            if !job.fate.is_open() {
                spare.push(core::mem::take(&mut job.stops));
            }
            job.fate.is_open()
        });
    }

    /// Something has changed: whoever cannot do its errand any more gives it back, and what nobody can do is refused.
    fn reconsider(&mut self) {
        for place in 0..self.state.errands.jobs.len() {
            let job = &self.state.errands.jobs[place];
            let (Fate::UnderWay(agent), errand) = (job.fate, job.id) else { continue };
            let left = job.stops.get(self.state.units[agent.index()].leg as usize..).unwrap_or_default();
            if !self.reach.gets_to(&self.setup.scenario, &self.state, agent, left) {
                self.state.errands.jobs[place].fate = Fate::Waiting;
                self.dispatch.doing[agent.index()] = None;
                self.dispatch.sent.push(agent);
                self.send_to(agent, &[]);
                self.events.push(Event::Returned { errand });
            }
        }
        for place in 0..self.state.errands.jobs.len() {
            self.refuse_if_impossible(place);
        }
    }

    /// Whether somebody can do a job that nobody does; what nobody can do is refused.
    fn refuse_if_impossible(&mut self, place: usize) {
        let Self { setup, state, reach, .. } = self;
        let Job { id, stops, fate, .. } = &state.errands.jobs[place];
        let here = setup.scenario.agents().iter().filter(|agent| is_employed(&agent.task));
        let mut here = here.filter(|agent| !state.units[agent.id.index()].gone);
        let (errand, at) = (*id, stops.first().copied().unwrap_or_default());
        if *fate == Fate::Waiting && !here.any(|agent| reach.gets_to(&setup.scenario, state, agent.id, stops))
        {
            state.errands.jobs[place].fate = Fate::Refused;
            state.errands.refused += 1;
            self.events.push(Event::Refused { errand, at });
        }
    }

    /// What appears in this tick: what was asked for, what is in store, what the stream brings.
    fn appear(&mut self) {
        let mut stops = core::mem::take(&mut self.dispatch.stops);
        for asked in core::mem::take(&mut self.dispatch.memory.asked) {
            self.post(&asked);
        }
        for place in 0..self.setup.scenario.errands_at(self.state.tick).len() {
            stops.clone_from(&self.setup.scenario.errands_at(self.state.tick)[place].stops);
            self.post(&stops);
        }
        let Errands { streamed, .. } = self.state.errands;
        let due = self
            .setup
            .scenario
            .stream()
            .map_or(0, |stream| stream.due(self.state.tick, streamed, self.state.errands.open()));
        if due > 0 {
            self.fill_pools();
        }
        for _ in 0..due {
            let Some(stream) = self.setup.scenario.stream() else { break };
            let pools = self.dispatch.pools.as_deref().unwrap_or_default();
            let (grid, seed) = (self.setup.scenario.grid(), self.options.seed);
            stream.stops(grid, seed, self.state.errands.streamed, pools, &mut stops);
            // Nowhere to draw from: that may change.
            if stops.is_empty() {
                break;
            }
            self.state.errands.streamed += 1;
            self.post(&stops);
        }
        self.dispatch.stops = stops;
    }

    /// Cells where units that do errands can get.
    fn fill_pools(&mut self) {
        let Self { setup, state, reach, dispatch, .. } = self;
        let (scenario, grid) = (&setup.scenario, setup.scenario.grid());
        let Some(stream) = scenario.stream().filter(|_| dispatch.pools.is_none()) else { return };
        let mut served = vec![false; grid.len()];
        let mut seen = std::collections::BTreeSet::new();
        for agent in scenario.agents().iter().filter(|agent| is_employed(&agent.task)) {
            let (unit, regions) = (&state.units[agent.id.index()], reach.regions(grid, agent.body));
            if !unit.gone && seen.insert((agent.body, regions.of_cell(unit.at))) {
                let own = grid.open_ids().filter(|&id| regions.joined(id, unit.at));
                own.for_each(|id| served[id.index()] = true);
            }
        }
        dispatch.pools = Some(stream.pools(grid, |id| served[id.index()]));
    }

    /// Puts an errand on the board.
    fn post(&mut self, stops: &[Cell]) {
        let errands = &mut self.state.errands;
        let id = ErrandId(errands.appeared);
        let mut own = self.dispatch.spare.pop().unwrap_or_default();
        own.clear();
        own.extend_from_slice(stops);
        errands.appeared += 1;
        errands.jobs.push(Job { id, since: self.state.tick, stops: own, fate: Fate::Waiting });
        self.events.push(Event::Appeared { errand: id, at: stops.first().copied().unwrap_or_default() });
        self.refuse_if_impossible(self.state.errands.jobs.len() - 1);
    }

    /// Whoever has done its errand, or was pushed away from where it waited, waits where it is now.
    fn dismiss(&mut self) {
        let Self { setup, state, dispatch, .. } = self;
        dispatch.idle.clear();
        let first = dispatch.sent.len();
        for agent in setup.scenario.agents() {
            let unit = &state.units[agent.id.index()];
            let Task::Errands(stops) = &agent.task else { continue };
            // Whoever was sent somewhere by an order goes there first.
            if unit.gone || unit.leg < stops.len() as u32 {
                continue;
            }
            dispatch.idle.push(agent.id);
            let here = setup.scenario.grid().cell(unit.at);
            if unit.stands(state.tick) && (agent.start != here || !stops.is_empty()) {
                dispatch.sent.push(agent.id);
            }
        }
        for place in first..self.dispatch.sent.len() {
            let id = self.dispatch.sent[place];
            self.send_to(id, &[]);
        }
    }

    /// Gives errands to whoever is idle.
    fn employ(&mut self, budget: &dyn Budget) -> u64 {
        let Self { setup, state, reach, dispatch, .. } = self;
        let room = match budget.limit() {
            u64::MAX => u64::MAX,
            limit => limit.div_ceil(SHARE),
        };
        let mut pairs = core::mem::take(&mut dispatch.pairs);
        pairs.clear();
        let mut spent = 0;
        if !dispatch.idle.is_empty() && state.errands.waiting().next().is_some() {
            let mut market = Market { scenario: &setup.scenario, state, idle: &dispatch.idle, reach };
            spent = dispatch.assigner.assign(&mut market, room, &mut pairs);
        }
        for &(errand, agent) in &pairs {
            self.hand_over(errand, agent);
        }
        let Self { dispatch, .. } = self;
        let mut sent = core::mem::take(&mut dispatch.sent);
        dispatch.pairs = pairs;
        sent.sort_unstable();
        sent.dedup();
        for &id in &sent {
            self.inform(Change::Ordered(id));
        }
        if !sent.is_empty() {
            self.count_unfinished();
        }
        self.dispatch.sent = sent;
        spent
    }

    /// Gives an errand to a unit, if it waits and the unit is idle and can do it.
    fn hand_over(&mut self, errand: ErrandId, agent: AgentId) {
        let Self { setup, state, reach, dispatch, .. } = self;
        if dispatch.idle.binary_search(&agent).is_err() || dispatch.doing(agent).is_some() {
            return;
        }
        let Some(job) = state.errands.job(errand).filter(|job| job.fate == Fate::Waiting) else { return };
        if !reach.gets_to(&setup.scenario, state, agent, &job.stops) {
            return;
        }
        let since: Tick = job.since;
        let mut stops = core::mem::take(&mut dispatch.stops);
        stops.clone_from(&job.stops);
        if self.send_to(agent, &stops) {
            self.dispatch.doing[agent.index()] = Some(errand);
            self.dispatch.sent.push(agent);
            if let Some(job) = self.state.errands.job_mut(errand) {
                job.fate = Fate::UnderWay(agent);
            }
            self.events.push(Event::Assigned { errand, agent, since });
        }
        self.dispatch.stops = stops;
    }

    /// Sends a unit to these stops; without any it waits where it is. Answers whether it can be there.
    fn send_to(&mut self, id: AgentId, stops: &[Cell]) -> bool {
        let Self { setup, state, .. } = self;
        let (tick, unit) = (state.tick, &mut state.units[id.index()]);
        let here = setup.scenario.grid().cell(unit.at);
        if setup.scenario.employ(id, here, stops).is_err() {
            return false;
        }
        // The last stop is the executor's to tell of, when the tick is over.
        let before = stops.len().saturating_sub(1);
        let visited = stops[..before].iter().take_while(|&&stop| stop == here).count() as u32;
        unit.leg = if unit.stands(tick) { visited } else { 0 };
        true
    }

    /// Whoever has come to the last stop of its errand has done it.
    pub(crate) fn accomplish(&mut self, from: usize, observer: &mut dyn Observer) {
        let Self { state, dispatch, events, .. } = self;
        for place in from..events.len() {
            let Event::Finished { agent } = events[place] else { continue };
            let doing = dispatch.doing.get_mut(agent.index()).and_then(Option::take);
            let Some(job) = doing.and_then(|errand| state.errands.job_mut(errand)) else { continue };
            job.fate = Fate::Done(agent);
            let event = Event::Done { errand: job.id, agent, since: job.since };
            state.errands.done += 1;
            observer.event(state.tick.saturating_sub(1), &event);
            events.push(event);
        }
    }
}
