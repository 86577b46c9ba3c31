//! Who is where at a tick.

use crate::{Agent, Cell, CellId, Errands, Scenario, StateHash};

/// Time, in whole ticks.
pub type Tick = u64;

/// One unit in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unit {
    /// Where it stands, or where its move in progress leads.
    pub at: CellId,
    /// Where its move in progress began; equals `at` when it stands.
    pub from: CellId,
    /// When its move in progress began.
    pub since: Tick,
    /// When its move in progress is over, or when it is late no longer; it stands if this is not in the future.
    pub until: Tick,
    /// How many waypoints it has reached.
    pub leg: u32,
    /// Its pose, or the one that its move in progress leads to: see [`Motion`](crate::Motion).
    #[cfg_attr(feature = "serde", serde(default))]
    pub pose: u8,
    /// It has left the world: it covers nothing and does nothing.
    pub gone: bool,
}

impl Unit {
    /// A unit that stands at a cell at the beginning of its task.
    #[must_use]
    pub const fn standing(at: CellId, now: Tick, leg: u32, pose: u8) -> Self {
        Self { at, from: at, since: now, until: now, leg, pose, gone: false }
    }

    /// Whether it stands at `tick`, so that it may begin an action.
    #[must_use]
    #[inline]
    pub const fn stands(&self, tick: Tick) -> bool {
        self.until <= tick
    }

    /// Whether it is late at `tick`: where it is it stays, and may not begin an action. How long that lasts, `until` says.
    #[must_use]
    #[inline]
    pub fn is_late(&self, tick: Tick) -> bool {
        self.until > tick && self.from == self.at
    }

    /// Whether it is on its way from one place to another at `tick`.
    #[must_use]
    #[inline]
    pub fn is_moving(&self, tick: Tick) -> bool {
        self.until > tick && self.from != self.at
    }
}

/// Who is where at a tick: all that a later tick depends on, apart from what controllers remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Now.
    pub tick: Tick,
    /// By agent.
    pub units: Vec<Unit>,
    /// What has to be done, and who does it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub errands: Errands,
}

impl State {
    /// Everybody at the start, at tick 0. Waypoints that equal the start count as reached.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let units = scenario
            .agents()
            .iter()
            .map(|agent| {
                let at = scenario.grid().id(agent.start).unwrap_or_default();
                Unit::standing(at, 0, reached(agent, agent.start), agent.motion.first_pose())
            })
            .collect();
        Self { tick: 0, units, errands: Errands::default() }
    }

    /// A fingerprint that is the same on every platform.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.add(self.tick);
        for unit in &self.units {
            hash.add(u64::from(unit.at.0) << 32 | u64::from(unit.from.0));
            hash.add(u64::from(unit.leg) << 32 ^ unit.until.saturating_sub(self.tick));
            if unit.pose != 0 {
                hash.add(u64::from(unit.pose) << 56 | 1);
            }
            if unit.gone {
                hash.add(u64::MAX);
            }
        }
        self.errands.hash(&mut hash);
        hash.finish()
    }
}

/// How many waypoints a unit has reached when its task begins where it stands.
#[must_use]
pub fn reached(agent: &Agent, at: Cell) -> u32 {
    if agent.task.is_search() {
        return 0;
    }
    let way = agent.waypoints();
    (0..way.len()).take_while(|&leg| way.target(leg) == at).count() as u32
}
