//! Units that are late: they slip by chance or as the scenario has it in store, and stay where they are for a while.

use crate::{AgentId, Draw, Scenario, ScenarioError, Tick, hash::mix, stream};

/// A unit begins nothing for a while: as a scenario has it in store, or as it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Delay {
    /// From this tick on, before anybody decides in it; a move in progress is ended first.
    pub tick: Tick,
    /// Who.
    pub agent: AgentId,
    /// For how many ticks.
    pub ticks: u32,
}

impl Delay {
    /// The first tick in which the unit may begin something again.
    #[must_use]
    pub const fn end(&self) -> Tick {
        self.tick.saturating_add(self.ticks as Tick)
    }
}

/// How units of a world slip.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Delays {
    /// How often a unit that stands slips in a tick, of a million times.
    pub rate: u32,
    /// The fewest ticks that it loses by that.
    pub shortest: u32,
    /// The most; each number in between is as likely.
    pub longest: u32,
    /// The seed of what is drawn; that of the run if there is none.
    pub seed: Option<u64>,
    /// Those in store, by tick.
    pub listed: Vec<Delay>,
}

impl Default for Delays {
    fn default() -> Self {
        Self { rate: 0, shortest: 1, longest: 1, seed: None, listed: Vec::new() }
    }
}

/// What is drawn for slips has nothing to do with what planners draw for the same unit and tick.
const SLIPS: u64 = 0x736c_6970;

impl Delays {
    /// A rate of every time.
    pub const ALWAYS: u32 = 1_000_000;
    /// The most ticks of one delay.
    pub const LONGEST: u32 = 10_000;

    /// Whether nobody is ever late.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.rate == 0 && self.listed.is_empty()
    }

    /// For how many ticks a unit that stands slips in a tick, if it does.
    #[must_use]
    pub fn drawn(&self, seed: u64, agent: AgentId, tick: Tick) -> Option<u32> {
        if self.rate == 0 {
            return None;
        }
        let mut dice = stream(mix(self.seed.unwrap_or(seed) ^ SLIPS), agent, tick);
        let slips = dice.below(Self::ALWAYS) < self.rate;
        slips.then(|| self.shortest + dice.below(self.longest.saturating_sub(self.shortest) + 1))
    }

    /// Those in store that are not over at `tick`.
    pub fn in_store(&self, tick: Tick) -> impl Iterator<Item = &Delay> {
        let from = tick.saturating_sub(Tick::from(Self::LONGEST));
        let from = self.listed.partition_point(|delay| delay.tick < from);
        let until = self.listed.partition_point(|delay| delay.tick <= tick);
        self.listed[from..until].iter().filter(move |delay| tick < delay.end())
    }

    /// One more in store; those that are over by then are forgotten.
    pub fn add(&mut self, delay: Delay) {
        self.listed.retain(|old| old.end() > delay.tick);
        let place = self.listed.partition_point(|old| old.tick <= delay.tick);
        self.listed.insert(place, delay);
    }

    fn check(&self, agents: usize) -> Result<(), ScenarioError> {
        let Self { rate, shortest, longest, .. } = *self;
        if rate > Self::ALWAYS {
            return Err(ScenarioError::BadDelayRate { rate });
        }
        if shortest == 0 || shortest > longest || longest > Self::LONGEST {
            return Err(ScenarioError::BadDelayLength { shortest, longest });
        }
        for (place, &Delay { agent, ticks, .. }) in self.listed.iter().enumerate() {
            if agent.index() >= agents {
                return Err(ScenarioError::DelayOfNobody { place, agent, agents });
            }
            if ticks == 0 || ticks > Self::LONGEST {
                return Err(ScenarioError::BadDelay { place, ticks });
            }
        }
        Ok(())
    }
}

impl Scenario {
    /// The same world, in which units slip.
    pub fn with_delays(mut self, delays: Delays) -> Result<Self, ScenarioError> {
        self.set_delays(delays)?;
        Ok(self)
    }

    /// From now on units slip otherwise.
    pub fn set_delays(&mut self, mut delays: Delays) -> Result<(), ScenarioError> {
        delays.check(self.agents.len())?;
        delays.listed.sort_by_key(|delay| delay.tick);
        self.delays = delays;
        Ok(())
    }

    /// How units slip.
    #[must_use]
    pub const fn delays(&self) -> &Delays {
        &self.delays
    }

    /// One more delay in store.
    pub fn add_delay(&mut self, delay: Delay) -> Result<(), ScenarioError> {
        Delays { listed: vec![delay], ..Delays::default() }.check(self.agents.len())?;
        self.delays.add(delay);
        Ok(())
    }

    /// Forgets what is in store for an agent that has left.
    pub fn forget_delays(&mut self, agent: AgentId) {
        self.delays.listed.retain(|delay| delay.agent != agent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Agent, Cell, Grid, Rules, Task};

    fn world() -> Scenario {
        let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(2, 0)))];
        Scenario::new("late", Grid::empty(3, 1).unwrap(), Rules::default(), agents).unwrap()
    }

    fn delay(tick: Tick, agent: u32, ticks: u32) -> Delay {
        Delay { tick, agent: AgentId(agent), ticks }
    }

    #[test]
    fn each_fault_has_its_own_error() {
        let with = |delays| world().with_delays(delays).map(|_| ());
        let none = Delays::default();
        use ScenarioError as E;
        assert_eq!(
            with(Delays { rate: 1_000_001, ..none.clone() }),
            Err(E::BadDelayRate { rate: 1_000_001 })
        );
        for (shortest, longest) in [(0, 3), (4, 3), (1, Delays::LONGEST + 1)] {
            let wrong = Delays { shortest, longest, ..none.clone() };
            assert_eq!(with(wrong), Err(E::BadDelayLength { shortest, longest }));
        }
        let listed = |delay| Delays { listed: vec![delay], ..none.clone() };
        assert!(matches!(with(listed(delay(0, 1, 1))), Err(E::DelayOfNobody { agents: 1, .. })));
        assert!(matches!(with(listed(delay(0, 0, 0))), Err(E::BadDelay { ticks: 0, .. })));
        assert_eq!(with(listed(delay(0, 0, 1))), Ok(()));
    }

    /// As often as the rate says, every length as often, and the same whoever asks when.
    #[test]
    fn slips_are_drawn_as_the_rate_says() {
        let delays = Delays { rate: 100_000, shortest: 2, longest: 4, ..Delays::default() };
        let all = || (0..100).flat_map(|agent| (0..1000).map(move |tick| (AgentId(agent), tick)));
        let drawn: Vec<_> = all().filter_map(|(agent, tick)| delays.drawn(7, agent, tick)).collect();
        assert!((9_500..10_500).contains(&drawn.len()), "{}", drawn.len());
        for ticks in 2..=4 {
            let count = drawn.iter().filter(|&&drawn| drawn == ticks).count();
            assert!((3_000..3_700).contains(&count), "{ticks}: {count}");
        }
        let again: Vec<_> = all().filter_map(|(agent, tick)| delays.drawn(7, agent, tick)).collect();
        assert_eq!(drawn, again);
    }

    #[test]
    fn what_is_in_store_lasts_until_it_is_over() {
        let listed = vec![delay(5, 0, 3), delay(2, 0, 1)];
        let world = world().with_delays(Delays { listed, ..Delays::default() }).unwrap();
        let at = |tick| world.delays().in_store(tick).map(|delay| delay.tick).collect::<Vec<_>>();
        assert_eq!(
            [at(1), at(2), at(3), at(5), at(7), at(8)],
            [vec![], vec![2], vec![], vec![5], vec![5], vec![]]
        );
    }
}
