//! A trace played back: who is where between two ticks.

use super::{PictureError, Placed};
use std::collections::BTreeMap;
use throng_core::{
    Action, Agent, AgentId, Cell, Dir, ErrandId, Grid, Motion, News, Scenario, Task, Tick, Trace,
};

/// One unit during the current tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    from: Cell,
    to: Cell,
    /// Its last move, and a car's pose before and after it.
    action: Action,
    poses: (u8, u8),
    since: Tick,
    until: Tick,
    leg: u32,
    /// Whether its move was cancelled in this tick, or in one skipped before it.
    pub(crate) failed: bool,
}

/// Walks through a trace tick by tick.
pub(crate) struct Replay<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    tick: Tick,
    movers: Vec<Mover>,
    failures: u64,
    /// The terrain as it is by now, if it has changed, and how often it has.
    grid: Option<Grid>,
    changes: usize,
    /// By agent: when it had seen enough, if it explores.
    explored: &'a [Option<Tick>],
    /// Who was put elsewhere by hand.
    placed: &'a [Placed],
    /// The stops of errands that are open, and who does which.
    errands: BTreeMap<ErrandId, &'a [Cell]>,
    doing: BTreeMap<AgentId, ErrandId>,
}

impl<'a> Replay<'a> {
    /// At tick 0, with its deeds begun.
    pub(crate) fn new(
        scenario: &'a Scenario,
        trace: &'a Trace,
        placed: &'a [Placed],
    ) -> Result<Self, PictureError> {
        let (expected, found) = (scenario.agents().len(), trace.starts.len());
        if expected != found {
            return Err(PictureError::WrongAgents { expected, found });
        }
        let stand = |(&at, agent): (&Cell, &Agent)| {
            let (action, pose) = (Action::Wait, agent.motion.first_pose());
            Mover { from: at, to: at, action, poses: (pose, pose), since: 0, until: 0, leg: 0, failed: false }
        };
        let movers = trace.starts.iter().zip(scenario.agents()).map(stand).collect();
        let (grid, explored) = (None, &[][..]);
        let mut replay = Self {
            scenario,
            trace,
            tick: 0,
            movers,
            failures: 0,
            grid,
            changes: 0,
            explored,
            placed,
            errands: BTreeMap::new(),
            doing: BTreeMap::new(),
        };
        replay.begin_tick()?;
        Ok(replay)
    }

    /// The same, where somebody explores: when each had seen enough cannot be told from where it was.
    pub(crate) const fn knowing(mut self, explored: &'a [Option<Tick>]) -> Self {
        self.explored = explored;
        self
    }

    /// Goes on to `tick`. What failed on the way there stays marked.
    pub(crate) fn advance_to(&mut self, tick: Tick) -> Result<(), PictureError> {
        if self.tick < tick {
            self.movers.iter_mut().for_each(|mover| mover.failed = false);
        }
        while self.tick < tick {
            self.tick += 1;
            self.begin_tick()?;
        }
        Ok(())
    }

    fn begin_tick(&mut self) -> Result<(), PictureError> {
        let now = self.tick;
        for change in self.trace.changes_at(now) {
            let grid = self.grid.get_or_insert_with(|| self.scenario.grid().clone());
            if let Some(id) = grid.id(change.cell).filter(|&id| grid.is_open_id(id) != change.open) {
                // These letters mean the same everywhere.
                let _ = grid.set_letter(id, if change.open { b'.' } else { b'@' });
                self.changes += 1;
            }
        }
        for &(_, agent, at) in self.placed.iter().filter(|(tick, ..)| *tick == now) {
            if let Some(mover) = self.movers.get_mut(agent.index()) {
                let (action, pose) = (Action::Wait, mover.poses.1);
                *mover =
                    Mover { from: at, to: at, action, poses: (pose, pose), since: now, until: now, ..*mover };
            }
        }
        for (mover, agent) in self.movers.iter_mut().zip(self.scenario.agents()) {
            let way = agent.waypoints();
            if mover.until <= now {
                mover.from = mover.to;
                while !agent.task.is_search() && mover.leg < way.len() && way.target(mover.leg) == mover.to {
                    mover.leg += 1;
                }
            }
        }
        self.errands_at(now);
        for deed in self.trace.at(now) {
            let Some(mover) = self.movers.get_mut(deed.agent.index()) else {
                return Err(PictureError::UnknownAgent { agent: deed.agent, tick: now });
            };
            if deed.failed {
                mover.failed = true;
                self.failures += 1;
            } else {
                let actions = self.scenario.agent(deed.agent).actions(self.scenario.rules());
                mover.from = mover.to;
                mover.to = mover.from.after(deed.action);
                mover.action = deed.action;
                mover.poses = (mover.poses.1, actions.pose_after(mover.poses.1, deed.action));
                (mover.since, mover.until) = (now, now + Tick::from(actions.duration(deed.action)));
            }
        }
        Ok(())
    }

    /// Takes up what became of errands, and counts the stops where units are that do one.
    fn errands_at(&mut self, now: Tick) {
        // What was done in the last tick was done at its end.
        let done = self.trace.errands_at(now.wrapping_sub(1)).iter();
        let done = done.filter(|note| matches!(note.news, News::Done(_)));
        let begun = self.trace.errands_at(now).iter().filter(|note| !matches!(note.news, News::Done(_)));
        for note in done.chain(begun) {
            match &note.news {
                News::Appeared(stops) => {
                    self.errands.insert(note.errand, stops);
                }
                News::Assigned(agent) => {
                    self.doing.insert(*agent, note.errand);
                    self.movers.get_mut(agent.index()).into_iter().for_each(|mover| mover.leg = 0);
                }
                News::Done(agent) => {
                    self.doing.remove(agent);
                    self.errands.remove(&note.errand);
                }
                News::Returned => self.doing.retain(|_, errand| *errand != note.errand),
                News::Refused => {
                    self.errands.remove(&note.errand);
                }
            }
        }
        for (agent, errand) in &self.doing {
            let (Some(stops), Some(mover)) = (self.errands.get(errand), self.movers.get_mut(agent.index()))
            else {
                continue;
            };
            while mover.until <= now && stops.get(mover.leg as usize) == Some(&mover.to) {
                mover.leg += 1;
            }
        }
    }

    /// Now.
    pub(crate) const fn tick(&self) -> Tick {
        self.tick
    }

    /// Moves cancelled so far.
    pub(crate) const fn failures(&self) -> u64 {
        self.failures
    }

    /// The terrain if it is not as it was at first, and how often it has changed.
    pub(crate) const fn terrain(&self) -> (usize, Option<&Grid>) {
        (self.changes, self.grid.as_ref())
    }

    /// All units, by number.
    pub(crate) fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// The smallest corner of unit `id`, in cells, when `part` of the current tick has passed. On a curve, that of
    /// its body before it turns about its middle.
    pub(crate) fn corner(&self, id: usize, part: f32) -> (f32, f32) {
        let (mover, done) = (&self.movers[id], self.done(id, part));
        let (from, to) = ((mover.from.x as f32, mover.from.y as f32), (mover.to.x as f32, mover.to.y as f32));
        // How far it has come of its way at first and of its way at last.
        let (first, then) = match mover.action {
            Action::Curve(..) => {
                let (sin, cos) = (done * core::f32::consts::FRAC_PI_2).sin_cos();
                (sin, 1.0 - cos)
            }
            _ => (done, done),
        };
        let upright =
            matches!(mover.action, Action::Curve(bend, _) if matches!(bend.first(), Dir::N | Dir::S));
        let (x, y) = if upright { (then, first) } else { (first, then) };
        (from.0 + (to.0 - from.0) * x, from.1 + (to.1 - from.1) * y)
    }

    /// Which way unit `id` faces, if it is a car: degrees clockwise from north.
    pub(crate) fn heading(&self, id: usize, part: f32) -> Option<f32> {
        let (Motion::Car { .. } | Motion::Turns { .. }) = self.scenario.agents()[id].motion else {
            return None;
        };
        let (before, after) = self.movers[id].poses;
        let turn = match (4 + after - before) % 4 {
            1 => 90.0,
            3 => -90.0,
            _ => 0.0,
        };
        Some(f32::from(before) * 90.0 + turn * self.done(id, part))
    }

    /// How much of its last move unit `id` has done.
    fn done(&self, id: usize, part: f32) -> f32 {
        let mover = &self.movers[id];
        let length = mover.until.saturating_sub(mover.since) as f32;
        let passed = (self.tick - mover.since) as f32 + part;
        if length > 0.0 { (passed / length).min(1.0) } else { 1.0 }
    }

    /// Where unit `id` is going now, or what it looks for; nowhere if it explores.
    pub(crate) fn target(&self, id: usize) -> Option<Cell> {
        let agent = &self.scenario.agents()[id];
        match agent.task {
            Task::Explore => None,
            Task::Find(hidden) => Some(hidden),
            Task::Errands(_) => {
                let stops = self.errands.get(self.doing.get(&agent.id)?)?;
                stops.get(self.movers[id].leg as usize).or(stops.last()).copied()
            }
            _ => Some(agent.waypoints().target(self.movers[id].leg)),
        }
    }

    /// Whether unit `id` has visited all its waypoints and, unless it may park anywhere, stands at the last.
    pub(crate) fn is_home(&self, id: usize) -> bool {
        let (mover, agent) = (&self.movers[id], &self.scenario.agents()[id]);
        if matches!(agent.task, Task::Errands(_)) {
            return !self.doing.contains_key(&agent.id);
        }
        if agent.task.is_search() {
            return self.explored.get(id).copied().flatten().is_some_and(|tick| tick <= self.tick);
        }
        let way = agent.waypoints();
        let stands_there = mover.until <= self.tick && mover.to == way.last();
        mover.leg >= way.len() && (stands_there || !agent.must_rest())
    }

    /// How many units are home.
    pub(crate) fn arrived(&self) -> usize {
        (0..self.movers.len()).filter(|&id| self.is_home(id)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{east, failed, moved, scenario};
    use super::*;
    use throng_core::{AgentId, Bend, Deed, Rules, Timing};

    #[test]
    fn a_move_of_several_ticks_is_drawn_along_its_way() {
        let rules = Rules { timing: Timing::Metric, ..Rules::default() };
        let scenario = scenario(&["..."], rules, 4, &[((0, 0), (1, 0))]);
        let trace = moved(&scenario, &[&[east(0)], &[], &[], &[]]);
        let mut replay = Replay::new(&scenario, &trace, &[]).unwrap();
        assert_eq!(replay.corner(0, 0.5), (0.125, 0.0));
        replay.advance_to(2).unwrap();
        assert_eq!(replay.corner(0, 0.0), (0.5, 0.0));
        assert_eq!(replay.arrived(), 0);
        replay.advance_to(4).unwrap();
        assert_eq!((replay.corner(0, 0.9), replay.arrived()), ((1.0, 0.0), 1));
    }

    /// Also in the middle of a move, which is over then.
    #[test]
    fn whoever_was_put_elsewhere_is_there() {
        let rules = Rules { timing: Timing::Metric, ..Rules::default() };
        let scenario = scenario(&["....", "...."], rules, 4, &[((0, 0), (3, 1))]);
        let trace = moved(&scenario, &[&[east(0)], &[], &[east(0)], &[], &[], &[]]);
        let placed = [(2, AgentId(0), Cell::new(2, 1))];
        let mut replay = Replay::new(&scenario, &trace, &placed).unwrap();
        assert_eq!(replay.corner(0, 0.5), (0.125, 0.0));
        replay.advance_to(2).unwrap();
        assert_eq!(replay.corner(0, 0.0), (2.0, 1.0));
        replay.advance_to(6).unwrap();
        assert_eq!((replay.corner(0, 0.0), replay.arrived()), ((3.0, 1.0), 1));
    }

    #[test]
    fn a_car_is_drawn_along_its_curve() {
        let rules = Rules { timing: Timing::Metric, ..Rules::default() };
        let car = Motion::Car { radius: 2, heading: Dir::E };
        let agent = Agent { period: 1, motion: car, ..Agent::new(0, Cell::new(1, 3), Task::Hold) };
        let grid = Grid::from_rows(&["....."; 5]).unwrap();
        let scenario = Scenario::new("car", grid, rules, vec![agent]).unwrap();
        let curve = Deed { agent: AgentId(0), action: Action::Curve(Bend::EN, 2), failed: false };
        let trace = moved(&scenario, &[&[curve], &[], &[], &[]]);
        let mut replay = Replay::new(&scenario, &trace, &[]).unwrap();
        assert_eq!(replay.heading(0, 0.0), Some(90.0));
        replay.advance_to(1).unwrap();
        let half = (replay.corner(0, 0.5), replay.heading(0, 0.5));
        let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
        assert!(near(half.0.0, 1.0 + 2f32.sqrt()) && near(half.0.1, 3.0 - (2.0 - 2f32.sqrt())), "{half:?}");
        assert_eq!(half.1, Some(45.0));
        replay.advance_to(3).unwrap();
        assert_eq!((replay.corner(0, 0.0), replay.heading(0, 0.0)), ((3.0, 1.0), Some(0.0)));
    }

    #[test]
    fn failures_stay_marked_over_skipped_ticks() {
        let scenario = scenario(&["..."], Rules::default(), 1, &[((0, 0), (2, 0))]);
        let trace = moved(&scenario, &[&[failed(0, Dir::W)], &[failed(0, Dir::W)], &[], &[]]);
        let mut replay = Replay::new(&scenario, &trace, &[]).unwrap();
        assert!(replay.movers()[0].failed);
        replay.advance_to(2).unwrap();
        assert!(replay.movers()[0].failed);
        assert_eq!(replay.failures(), 2);
        replay.advance_to(3).unwrap();
        assert!(!replay.movers()[0].failed);
    }

    #[test]
    fn a_trace_of_another_world_is_refused() {
        let scenario = scenario(&["..."], Rules::default(), 1, &[((0, 0), (2, 0))]);
        let other = Trace::new(vec![]);
        let wrong = Replay::new(&scenario, &other, &[]).err();
        assert!(matches!(wrong, Some(PictureError::WrongAgents { expected: 1, found: 0 })));
        let trace = moved(&scenario, &[&[east(5)]]);
        assert!(matches!(Replay::new(&scenario, &trace, &[]).err(), Some(PictureError::UnknownAgent { .. })));
    }
}
