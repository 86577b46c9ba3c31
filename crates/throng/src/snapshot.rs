//! Saving a session and going on from there.

use crate::groups::{Group, Whose, context_of};
use crate::knowing::SavedKnowledge;
use crate::replanning::Thought;
use crate::session::Mind;
use crate::terrain::Terrain;
use crate::yielding::Yielding;
use crate::{Error, Options, Session, crowds, errands, peers};
use serde::{Deserialize, Serialize};
use throng_core::{
    Agent, AgentId, Controller, Delays, Errand, Plan, Reason, Setup, SnapshotError, State, StateHash, Stream,
    Tick, View,
};
use throng_formats::scenario;
use throng_planners::Follow;

/// How every snapshot begins.
const MAGIC: &[u8] = b"THRONG-SAVE\x11";

#[derive(Serialize, Deserialize)]
struct Saved {
    /// The world without its units, as a scenario file.
    world: String,
    /// Their starts are where their tasks began, so they may overlap.
    agents: Vec<Agent>,
    unit_planners: Vec<(AgentId, String)>,
    generations: Vec<u32>,
    crowds: crowds::Memory,
    peers: peers::Memory,
    terrain: Terrain,
    /// Their stops may have closed.
    errands: Vec<Errand>,
    stream: Option<Stream>,
    /// Of units that are put back after the world.
    delays: Delays,
    dispatch: errands::Memory,
    planner: Option<String>,
    seed: u64,
    state: State,
    groups: Vec<SavedGroup>,
    knowing: Vec<SavedKnowledge>,
    yielding: Yielding,
    replan: Option<Tick>,
    thought: Thought,
}

#[derive(Serialize, Deserialize)]
struct SavedGroup {
    spec: String,
    whose: Whose,
    mine: Vec<AgentId>,
    /// Whether a one-shot planner has already planned.
    follows: bool,
    /// What that planner had to complain of.
    why: Option<Reason>,
    mind: Vec<u8>,
}

impl Session {
    pub(crate) fn view<'a>(&'a self, group: &'a Group) -> View<'a> {
        self.knowing.view((&self.setup.scenario, &self.state), group.whose, &group.mine)
    }

    /// Everything that the future depends on, as bytes: world, state, and what controllers remember.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let group = |group: &Group| SavedGroup {
            spec: group.spec.clone(),
            whose: group.whose,
            mine: group.mine.clone(),
            follows: matches!(group.mind, Mind::Follow(..)),
            why: match &group.mind {
                Mind::Follow(_, why) => why.clone(),
                Mind::Planner(_) | Mind::Controller(_) => None,
            },
            mind: match &group.mind {
                Mind::Planner(_) => Vec::new(),
                Mind::Follow(follow, _) => follow.save(&self.view(group)),
                Mind::Controller(controller) => controller.save(&self.view(group)),
            },
        };
        let whole = &self.setup.scenario;
        let world = Setup { scenario: whole.emptied(), unit_planners: Vec::new(), ..self.setup.clone() };
        let saved = Saved {
            world: scenario::write(&world),
            agents: whole.agents().to_vec(),
            unit_planners: self.setup.unit_planners.clone(),
            generations: self.generations.clone(),
            crowds: self.crowds.memory(),
            peers: self.peers.memory(),
            terrain: self.terrain.clone(),
            errands: whole.errands().to_vec(),
            stream: whole.stream().cloned(),
            delays: whole.delays().clone(),
            dispatch: self.dispatch.memory(),
            planner: self.options.planner.clone(),
            seed: self.options.seed,
            state: self.state.clone(),
            groups: self.groups.iter().map(group).collect(),
            knowing: self.knowing.save(),
            yielding: self.yielding.clone(),
            replan: self.options.replan,
            thought: self.thought,
        };
        let body = postcard::to_allocvec(&saved).unwrap_or_default();
        [MAGIC, &seal(&body), &body].concat()
    }

    /// Goes on from what [`Self::save`] gave; the future is the same, on any number of threads.
    pub fn resume(bytes: &[u8], threads: usize) -> Result<Self, Error> {
        let unreadable = |what: &str| Error::Snapshot(SnapshotError::Unreadable(what.to_owned()));
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err(unreadable("it does not begin as a saved session of this version"));
        };
        let Some((_, body)) = body.split_first_chunk().filter(|(sealed, body)| **sealed == seal(body)) else {
            return Err(unreadable("it is damaged: not all bytes are as they were written"));
        };
        let saved: Saved = postcard::from_bytes(body).map_err(|e| unreadable(&e.to_string()))?;
        let mut setup = scenario::parse(&saved.world, &mut scenario::no_files)?;
        for agent in saved.agents {
            setup.scenario.restore(agent)?;
        }
        setup.scenario.require_sight()?;
        if !setup.scenario.restore_errands(saved.errands, saved.stream) {
            return Err(SnapshotError::Mismatch("errands are not of its map".to_owned()).into());
        }
        setup.scenario.set_delays(saved.delays)?;
        setup.unit_planners = saved.unit_planners;
        let (planner, seed, replan) = (saved.planner, saved.seed, saved.replan);
        let options = Options { planner, seed, threads, replan, ..Options::default() };
        let specs: Vec<_> = saved.groups.iter().map(|group| (group.spec.as_str(), group.whose)).collect();
        let context = context_of(&setup, &options)?;
        let mut session = Self::with_planners(setup, &options, &context, &specs)?;
        check_state(&session, &saved.state)?;
        session.state = saved.state;
        session.generations = saved.generations;
        session.thought = saved.thought;
        let Self { setup, state, crowds, peers, .. } = &mut session;
        if !crowds.take_up(&setup.scenario, state, saved.crowds)
            || !peers.take_up(&setup.scenario, state, saved.peers)
        {
            return Err(
                SnapshotError::Mismatch("units that share a goal are not of this world".to_owned()).into()
            );
        }
        if !saved.terrain.fits(|cell| session.scenario().grid().contains(cell)) {
            return Err(SnapshotError::Mismatch("cells that close are off its map".to_owned()).into());
        }
        session.terrain = saved.terrain;
        let Self { setup, state, dispatch, .. } = &mut session;
        if !dispatch.take_up(&setup.scenario, state, saved.dispatch) {
            return Err(SnapshotError::Mismatch("errands are not of this world".to_owned()).into());
        }
        let Self { setup, state, knowing, .. } = &mut session;
        if !knowing.load(&setup.scenario, state, saved.knowing) {
            return Err(SnapshotError::Mismatch("what units know is not of this world".to_owned()).into());
        }
        if !saved.yielding.fits(&setup.scenario) {
            return Err(SnapshotError::Mismatch("those who make way are not of this world".to_owned()).into());
        }
        knowing.reassign(&setup.scenario, saved.yielding.sent(&setup.scenario));
        session.yielding = saved.yielding;
        session.count_unfinished();
        let n = session.state.units.len();
        let fits = |mine: &[AgentId]| mine.is_sorted() && mine.last().is_none_or(|id| id.index() < n);
        let same = session.groups.len() == saved.groups.len()
            && session.groups.iter().zip(&saved.groups).all(|(g, s)| g.is(&s.spec, s.whose) && fits(&s.mine));
        if !same {
            return Err(SnapshotError::Mismatch("its groups of units differ".to_owned()).into());
        }
        for (group, saved) in session.groups.iter_mut().zip(&saved.groups) {
            group.mine.clone_from(&saved.mine);
        }
        let mut planned: Vec<AgentId> = session.groups.iter().flat_map(|g| g.mine.iter().copied()).collect();
        planned.sort_unstable();
        if !planned.iter().copied().eq(session.units().map(|unit| unit.agent)) {
            return Err(SnapshotError::Mismatch("its groups are not all of its units".to_owned()).into());
        }
        session.check_support()?;
        for (group, saved) in session.groups.iter_mut().zip(saved.groups) {
            let world = (&session.setup.scenario, &session.state);
            let view = session.knowing.view(world, group.whose, &group.mine);
            match &mut group.mind {
                Mind::Planner(_) if saved.follows => {
                    let mut follow = Follow::new(Plan::default());
                    follow.load(&view, &saved.mind)?;
                    group.mind = Mind::Follow(Box::new(follow), saved.why);
                }
                Mind::Controller(controller) => controller.load(&view, &saved.mind)?,
                Mind::Planner(_) | Mind::Follow(..) => {}
            }
        }
        Ok(session)
    }
}

/// A number that nearly every change of `body` changes, so that damage is noticed before anything is believed.
fn seal(body: &[u8]) -> [u8; 8] {
    let mut hash = StateHash::new();
    body.iter().for_each(|&byte| hash.add(byte.into()));
    hash.finish().to_le_bytes()
}

/// A state from a file must fit the world: right number of units, all of them on open cells.
fn check_state(session: &Session, state: &State) -> Result<(), SnapshotError> {
    let grid = session.scenario().grid();
    let n = session.scenario().agents().len();
    let open = |id: throng_core::CellId| id.index() < grid.len() && grid.is_open_id(id);
    if state.units.len() != n {
        return Err(SnapshotError::Mismatch(format!("{} units for {n} agents", state.units.len())));
    }
    // Beyond this, sums of ticks would overflow; no session lives that long.
    const LAST: throng_core::Tick = 1 << 60;
    let rules = session.scenario().rules();
    let endless = |(agent, unit): (&throng_core::Agent, &throng_core::Unit)| {
        let longest = agent.actions(rules).longest();
        let most = if unit.from == unit.at { longest.max(Delays::LONGEST) } else { longest };
        unit.until.saturating_sub(state.tick) > most.into()
    };
    if state.tick > LAST || session.scenario().agents().iter().zip(&state.units).any(endless) {
        return Err(SnapshotError::Mismatch("its ticks are out of range".to_owned()));
    }
    let lost = |u: &throng_core::Unit| !u.gone && (!open(u.at) || !open(u.from) || u.since > u.until);
    if let Some(agent) = state.units.iter().position(lost) {
        return Err(SnapshotError::Mismatch(format!("agent {agent} is not on an open cell")));
    }
    let askew = |(agent, unit): (&throng_core::Agent, &throng_core::Unit)| {
        let (from, to) = (grid.cell(unit.from), grid.cell(unit.at));
        let action = agent.actions(rules).between(from, to, unit.pose).unwrap_or_default();
        let mut swept = agent.actions(rules).footprint(from, action).cells();
        !unit.gone && (unit.pose >= agent.motion.poses() || swept.any(|cell| !grid.contains(cell)))
    };
    match session.scenario().agents().iter().zip(&state.units).position(askew) {
        Some(agent) => Err(SnapshotError::Mismatch(format!("agent {agent} is in no pose of its motion"))),
        None => check_apart(session, state),
    }
}

/// No two units stand in one place.
fn check_apart(session: &Session, state: &State) -> Result<(), SnapshotError> {
    let (grid, rules) = (session.scenario().grid(), session.scenario().rules());
    let mut taken = vec![false; grid.len()];
    for (agent, unit) in session.scenario().agents().iter().zip(&state.units).filter(|(_, unit)| !unit.gone) {
        for cell in agent.actions(rules).footprint(grid.cell(unit.at), throng_core::Action::Wait).cells() {
            let open = grid.id(cell).filter(|&id| grid.is_open_id(id));
            if open.is_none_or(|id| core::mem::replace(&mut taken[id.index()], true)) {
                let id = agent.id;
                return Err(SnapshotError::Mismatch(format!("agent {id} is in a wall or in another unit")));
            }
        }
    }
    Ok(())
}
