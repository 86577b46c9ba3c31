//! Work that comes while the world runs: errands, and what becomes of them.

use crate::{AgentId, Cell, StateHash, Tick};
use core::fmt;

/// Number of an errand, in the order in which they appear. It is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErrandId(pub u64);

impl fmt::Display for ErrandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An errand that a scenario has in store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Errand {
    /// When it appears: before anybody decides in that tick.
    pub at: Tick,
    /// Where whoever does it has to come, one after the other: to pick something up, to deliver it.
    pub stops: Vec<Cell>,
}

/// An errand that has appeared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Job {
    /// Its number.
    pub id: ErrandId,
    /// When it appeared.
    pub since: Tick,
    /// Where whoever does it has to come, one after the other.
    pub stops: Vec<Cell>,
    /// What has become of it.
    pub fate: Fate,
}

/// What has become of an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fate {
    /// Nobody does it yet.
    Waiting,
    /// A unit does it.
    UnderWay(AgentId),
    /// A unit came to its last stop in the last tick.
    Done(AgentId),
    /// It could not be done: a stop was closed, or no unit that does errands could get to all of them.
    Refused,
}

impl Fate {
    /// Whether it has still to be done.
    #[must_use]
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::UnderWay(_))
    }
}

/// All errands that are open, and those that the last tick has closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Errands {
    /// By number.
    pub jobs: Vec<Job>,
    /// How many have appeared.
    pub appeared: u64,
    /// How many of those were drawn or taken from a list by the scenario's stream.
    pub streamed: u64,
    /// How many are done.
    pub done: u64,
    /// How many were refused.
    pub refused: u64,
}

impl Errands {
    /// The errand with this number; none if it was closed before the last tick.
    #[must_use]
    pub fn job(&self, id: ErrandId) -> Option<&Job> {
        self.place(id).map(|place| &self.jobs[place])
    }

    /// The same, to change it.
    pub fn job_mut(&mut self, id: ErrandId) -> Option<&mut Job> {
        self.place(id).map(|place| &mut self.jobs[place])
    }

    fn place(&self, id: ErrandId) -> Option<usize> {
        self.jobs.binary_search_by_key(&id, |job| job.id).ok()
    }

    /// What a unit does.
    #[must_use]
    pub fn of(&self, agent: AgentId) -> Option<&Job> {
        self.jobs.iter().find(|job| job.fate == Fate::UnderWay(agent))
    }

    /// Those that nobody does yet, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(|job| job.fate == Fate::Waiting)
    }

    /// How many have still to be done.
    #[must_use]
    pub fn open(&self) -> usize {
        self.jobs.iter().filter(|job| job.fate.is_open()).count()
    }

    /// Folds everything into a fingerprint; nothing where there has never been an errand.
    pub(crate) fn hash(&self, hash: &mut StateHash) {
        let Self { jobs, appeared, streamed, done, refused } = self;
        if *appeared == 0 {
            return;
        }
        [*appeared, *streamed, *done, *refused].into_iter().for_each(|count| hash.add(count));
        for Job { id, since, stops, fate } in jobs {
            hash.add(id.0);
            hash.add(*since);
            hash.add(match fate {
                Fate::Waiting => 0,
                Fate::Refused => 1,
                Fate::UnderWay(agent) => u64::from(agent.0) << 2 | 2,
                Fate::Done(agent) => u64::from(agent.0) << 2 | 3,
            });
            for stop in stops {
                hash.add(u64::from(stop.x.cast_unsigned()) << 32 | u64::from(stop.y.cast_unsigned()));
            }
        }
    }
}

/// What a trace tells of an errand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErrandNote {
    /// In which tick: before anything of it began, but for errands that are done, which is at its end.
    pub tick: Tick,
    /// Which errand.
    pub errand: ErrandId,
    /// What happened to it.
    pub news: News,
}

/// What happened to an errand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum News {
    /// It appeared, with these stops.
    Appeared(Vec<Cell>),
    /// This unit does it from now on.
    Assigned(AgentId),
    /// This unit has come to its last stop.
    Done(AgentId),
    /// Whoever did it does something else; it waits again, from its first stop on.
    Returned,
    /// It cannot be done.
    Refused,
}
