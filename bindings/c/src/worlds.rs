//! All worlds that there are, by number.

use crate::status::{Fault, Status};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use throng::core::AgentId;
use throng::{Session, UnitId};

/// A world and what its units are called.
pub(crate) struct World {
    pub(crate) session: Session,
    /// The upper half of the numbers of all its units; no two worlds ever have the same.
    own: u32,
    /// Every unit that ever was, by the lower half of its number.
    units: Vec<UnitId>,
    /// By agent: the number of the unit that has its place now.
    now: Vec<u64>,
}

impl World {
    fn new(session: Session, own: u32) -> Self {
        let present: Vec<UnitId> = session.units().collect();
        let mut world = Self { session, own, units: Vec::new(), now: Vec::new() };
        for unit in present {
            world.enter(unit);
        }
        world
    }

    /// Gives a unit its number.
    pub(crate) fn enter(&mut self, unit: UnitId) -> u64 {
        let number = u64::from(self.own) << 32 | self.units.len() as u64;
        self.units.push(unit);
        let place = unit.agent.index();
        if self.now.len() <= place {
            self.now.resize(place + 1, 0);
        }
        self.now[place] = number;
        number
    }

    /// The unit of a number.
    pub(crate) fn unit(&self, number: u64) -> Result<UnitId, Fault> {
        let own = number >> 32 == u64::from(self.own);
        let known = self.units.get((number & u64::from(u32::MAX)) as usize).filter(|_| own);
        known.copied().ok_or_else(|| Fault::new(Status::NoUnit, format!("no unit {number} in this world")))
    }

    /// The number of the unit with this place, 0 if there is none.
    pub(crate) fn number(&self, agent: AgentId) -> u64 {
        self.now.get(agent.index()).copied().unwrap_or(0)
    }
}

#[derive(Default)]
struct Table {
    /// Which number a place has now, and what is there.
    places: Vec<(u32, Option<Arc<Mutex<World>>>)>,
    /// How many worlds there have been.
    made: u32,
}

static WORLDS: Mutex<Table> = Mutex::new(Table { places: Vec::new(), made: 0 });

fn table() -> MutexGuard<'static, Table> {
    // Nothing is done while it is held that could break.
    WORLDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a world and gives its number.
pub(crate) fn keep(session: Session) -> Result<u64, Fault> {
    let mut table = table();
    let full = || Fault::new(Status::BadInput, "more worlds than can be told apart");
    let own = table.made.checked_add(1).ok_or_else(full)?;
    table.made = own;
    let world = Some(Arc::new(Mutex::new(World::new(session, own))));
    let free = table.places.iter().position(|(_, world)| world.is_none());
    let place = match free {
        Some(place) => {
            table.places[place] = (own, world);
            place
        }
        None => {
            table.places.push((own, world));
            table.places.len() - 1
        }
    };
    Ok(u64::from(own) << 32 | place as u64)
}

fn none(number: u64) -> Fault {
    Fault::new(Status::NoWorld, format!("no world {number} (any more)"))
}

/// Does something with a world.
pub(crate) fn with<T>(number: u64, act: impl FnOnce(&mut World) -> Result<T, Fault>) -> Result<T, Fault> {
    let place = (number & u64::from(u32::MAX)) as usize;
    let world = match table().places.get(place) {
        Some((own, Some(world))) if number >> 32 == u64::from(*own) => Arc::clone(world),
        _ => return Err(none(number)),
    };
    let mut world = world.lock().map_err(|_| {
        Fault::new(Status::Broken, "this world broke in an earlier call: only throng_world_free is left")
    })?;
    act(&mut world)
}

/// Lets a world go.
pub(crate) fn drop(number: u64) -> Result<(), Fault> {
    let place = (number & u64::from(u32::MAX)) as usize;
    let world = match table().places.get_mut(place) {
        Some((own, world)) if number >> 32 == u64::from(*own) => world.take(),
        _ => None,
    };
    // Whoever is in the midst of a call finishes it first.
    world.map(std::mem::drop).ok_or_else(|| none(number))
}
