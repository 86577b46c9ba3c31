//! Guidance: what steps cost depends on traffic, and everybody goes by distances that count that.
//!
//! Where the costs come from is interchangeable:
//!
//! * `directions`: a direction map, learned from how units have moved ([`crate::directions`]);
//! * `flow`: the ways of all units at present. Who gets a goal takes the way that costs least, and lays it on the map for the others;
//! * `lanes`: the same, but ways stay on the map when their units have arrived, and fade. What was by chance the way of the first becomes a lane.
//!
//! A step against many ways costs more, and so does one to where many go; with a direction map, one against its vectors. When somebody gets a
//! goal it is found out what all ways there cost, from everywhere, so that whoever is pushed aside knows how to go on; now and then this is
//! done anew for those who take long.
//!
//! Source: for directions Jansen and Sturtevant (2008); for flow Chen, Harabor, Li and Stuckey, "Traffic flow optimisation for lifelong
//! multi-agent path finding" (2024), which follows ways where this follows distances; for lanes Zhang, Fontaine, Bhatt, Nikolaidis and Li, "Guidance graph optimization"
//! (2024), of which it takes that one graph guides all.

use super::compass::Compass;
use super::ground::Ground;
use super::lanes::{Lanes, back};
use crate::directions::{Lanes as Learned, SavedLanes};
use serde::{Deserialize, Serialize};
use throng_core::{AgentId, Change, Dir, SnapshotError, Tick, View};

/// Where costs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// How units have moved.
    Directions,
    /// The ways of all units.
    Flow,
    /// Those of before as well.
    Lanes,
}

/// One way on the map, in parts by which it fades.
const ONE: u32 = 16;

/// What a step costs more that goes against all ways there are, and one to where each way more leads.
const AGAINST: u32 = 12;
const CROWD: u32 = 2;

/// What a step costs more at most.
const MOST: u32 = 24;

/// After so many ticks ways of before have faded to half.
const FADE: Tick = 256;

/// After so many ticks ways are looked for anew.
const ANEW: Tick = 64;

/// Ways of units, and what steps cost by them.
#[derive(Debug)]
pub(crate) struct Guidance {
    source: Source,
    learned: Option<Learned>,
    /// By cell, by direction.
    stream: Vec<u32>,
    /// By agent: the way that is on the map for it.
    ways: Vec<Vec<u32>>,
    /// By agent: the goal that distances are told to, and since when.
    aimed: Vec<(u32, Tick)>,
}

/// What later decisions depend on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedGuidance {
    learned: Option<SavedLanes>,
    stream: Vec<u32>,
    ways: Vec<Vec<u32>>,
    aimed: Vec<(u32, Tick)>,
    costs: Vec<u8>,
    far: Vec<Box<[u16]>>,
}

/// No goal yet.
const NOBODY: (u32, Tick) = (u32::MAX, 0);

impl Guidance {
    /// Costs from `source`; a direction map, if that is one, is `learned`.
    pub(crate) const fn new(source: Source, learned: Option<Learned>) -> Self {
        Self { source, learned, stream: Vec::new(), ways: Vec::new(), aimed: Vec::new() }
    }

    /// Forgets everything but what was learned, for a map that is no longer the same.
    pub(crate) fn clear(&mut self) {
        self.stream.clear();
        self.ways.clear();
        self.aimed.clear();
    }

    /// Somebody has come, left or was put somewhere.
    pub(crate) fn changed(&mut self, view: &View<'_>, change: Change) {
        if let Some(learned) = &mut self.learned {
            learned.changed(view, change);
        }
        if let Change::Joined(AgentId(id)) | Change::Left(AgentId(id)) = change
            && let Some(aimed) = self.aimed.get_mut(id as usize)
        {
            *aimed = NOBODY;
        }
    }

    /// What was learned, if anything is.
    pub(crate) const fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// Tells those who have new goals, in this order, how to get there. Answers what that took.
    pub(crate) fn guide(
        &mut self,
        ground: &Ground,
        compass: &mut Compass,
        view: &View<'_>,
        agents: impl Iterator<Item = (u32, u32)>,
        room: u64,
    ) -> u64 {
        let now = view.tick();
        let count = view.state.units.len();
        let mut lanes = compass.take_lanes().unwrap_or_else(|| Lanes::blank(ground));
        lanes.make_room(count);
        self.stream.resize(ground.len() * lanes.ways(), 0);
        self.ways.resize(count, Vec::new());
        self.aimed.resize(count, NOBODY);
        if self.source == Source::Lanes && now.is_multiple_of(FADE / 16) {
            self.stream.iter_mut().for_each(|ways| *ways -= ways.div_ceil(ONE).min(*ways / 2 + *ways % 2));
        }
        if let Some(learned) = &mut self.learned {
            learned.look(view);
        }
        let (mut charged, mut spent) = (false, 0);
        for (agent, at) in agents {
            let goal = compass.goal(agent);
            let (last, since) = self.aimed[agent as usize];
            let due = (now + Tick::from(agent)).is_multiple_of(ANEW) && now - since >= ANEW;
            if last == goal && !(due && at != goal) {
                continue;
            }
            // A search takes as long as it takes.
            if room - spent < ground.len() as u64 {
                break;
            }
            if !core::mem::replace(&mut charged, true) {
                self.charge(ground, view, &mut lanes);
            }
            spent += lanes.aim(ground, agent, goal);
            self.aimed[agent as usize] = (goal, now);
            if self.source != Source::Directions {
                self.lay(ground, &lanes, agent, at, goal);
            }
        }
        compass.keep_to(Some(lanes));
        spent
    }

    /// Lays the way of an agent on the map instead of the one it had.
    fn lay(&mut self, ground: &Ground, lanes: &Lanes, agent: u32, at: u32, goal: u32) {
        let way = core::mem::take(&mut self.ways[agent as usize]);
        if self.source == Source::Flow {
            self.count(ground, lanes, &way, |ways| ways.saturating_sub(ONE));
        }
        let mut way = way;
        way.clear();
        way.extend(lanes.descent(ground, agent, at, goal));
        self.count(ground, lanes, &way, |ways| ways + ONE);
        if self.source == Source::Flow {
            self.ways[agent as usize] = way;
        }
    }

    fn count(&mut self, ground: &Ground, lanes: &Lanes, way: &[u32], change: impl Fn(u32) -> u32) {
        for step in way.windows(2) {
            if let Some(dir) = ground.cells.beside(step[0]).iter().position(|&cell| cell == step[1]) {
                let ways = &mut self.stream[step[0] as usize * lanes.ways() + dir];
                *ways = change(*ways);
            }
        }
    }

    /// What steps cost now.
    fn charge(&self, ground: &Ground, view: &View<'_>, lanes: &mut Lanes) {
        let (ways, stream) = (lanes.ways(), &self.stream);
        if let Some(map) = self.learned.as_ref().and_then(Learned::map) {
            let id = |cell: u32| view.grid().id(ground.place(cell)).unwrap_or_default().0;
            return lanes
                .charge(ground, |from, dir, to| map.penalty(id(from), id(to), Dir::ALL[dir], AGAINST));
        }
        let leave = |cell: u32| stream[cell as usize * ways..][..ways].iter().sum::<u32>();
        lanes.charge(ground, |from, dir, to| {
            let with = stream[from as usize * ways + dir];
            let against = stream[to as usize * ways + back(dir)];
            let contrary = AGAINST * against.saturating_sub(with / 2) / (against + with + 2 * ONE);
            (contrary + CROWD * leave(to) / (4 * ONE)).min(MOST)
        });
    }

    pub(crate) fn save(&self, compass: &Compass) -> SavedGuidance {
        let (costs, far) = compass.lanes().map(Lanes::save).unwrap_or_default();
        SavedGuidance {
            learned: self.learned.as_ref().and_then(Learned::save),
            stream: self.stream.clone(),
            ways: self.ways.clone(),
            aimed: self.aimed.clone(),
            costs,
            far,
        }
    }

    /// Takes up what [`Self::save`] gave.
    pub(crate) fn load(
        &mut self,
        ground: &Ground,
        compass: &mut Compass,
        view: &View<'_>,
        saved: SavedGuidance,
    ) -> Result<(), SnapshotError> {
        let SavedGuidance { learned, stream, ways, aimed, costs, far } = saved;
        if let Some(own) = &mut self.learned {
            own.load(view, learned)?;
        }
        let lanes = Lanes::load(ground, costs, far);
        let on_map = |cell: &u32| (*cell as usize) < ground.len();
        let fits = (stream.is_empty() || stream.len() == lanes.as_ref().map_or(0, Lanes::costs))
            && stream.iter().all(|&ways| ways < 1 << 24)
            && ways.iter().flatten().all(on_map);
        let Some(lanes) = lanes.filter(|_| fits) else {
            return Err(SnapshotError::Mismatch("its guidance is about another world".to_owned()));
        };
        compass.keep_to(Some(lanes));
        (self.stream, self.ways, self.aimed) = (stream, ways, aimed);
        Ok(())
    }
}
