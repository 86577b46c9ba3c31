//! Units, what they are to do, and where they are; cells that close and open.

use crate::memory::{fill, list, one, put};
use crate::status::{Fault, Status, guard};
use crate::worlds;

/// A place: column and row, from the upper left.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

/// What there is to do.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Stay at the place, whoever wants to pass. No cells.
    Hold = 0,
    /// Go to the cells in order and rest at the last.
    Goals = 1,
    /// Go to the one cell and back, `rounds` times; 0 for the usual number.
    Patrol = 2,
    /// See everything that can be reached, where the world has to be seen. No cells.
    Explore = 3,
    /// Do errands as they come. No cells.
    Errands = 4,
}

/// What a unit is to do.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// One of throng_task_kind.
    pub kind: u32,
    /// Of patrols.
    pub rounds: u32,
    /// Where to.
    pub cells: *const Cell,
    /// How many cells.
    pub count: usize,
}

/// What a new unit is like.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NewUnit {
    /// The smallest corner of its body.
    pub at: Cell,
    /// What it is to do.
    pub task: Task,
    /// Who goes first: the higher.
    pub priority: i32,
    /// Whose unit it is.
    pub team: u16,
    /// Side of its square body in cells; 0 as 1.
    pub body: u8,
    /// Ticks per straight step; 0 as 1.
    pub period: u8,
}

/// Where a unit is and what it is doing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct UnitState {
    /// Who.
    pub unit: u64,
    /// Where it stands, or where its move in progress leads.
    pub at: Cell,
    /// Where its move in progress began; `at` if it stands.
    pub from: Cell,
    /// When that began.
    pub since: u64,
    /// When it is over; it stands if this is not in the future.
    pub until: u64,
    /// How many of its waypoints it has reached.
    pub leg: u32,
    /// Whose unit it is.
    pub team: u16,
    /// 1 if it has done what it was to do, otherwise 0.
    pub arrived: u8,
}

const fn cell(cell: throng::core::Cell) -> Cell {
    Cell { x: cell.x, y: cell.y }
}

const fn own(cell: Cell) -> throng::core::Cell {
    throng::core::Cell::new(cell.x, cell.y)
}

/// # Safety
///
/// As the header asks of tasks.
// SAFETY: the caller promises what is written above.
unsafe fn task(task: &Task) -> Result<throng::core::Task, Fault> {
    use throng::core::Task as Own;
    let wrong = |message: String| Fault::new(Status::BadInput, message);
    // SAFETY: as above.
    let cells = unsafe { list("the cells of the task", task.cells, task.count) }?;
    let of = |kind: TaskKind| task.kind == kind as u32;
    let most = if of(TaskKind::Goals) { usize::MAX } else { usize::from(of(TaskKind::Patrol)) };
    let least = usize::from(of(TaskKind::Goals) || of(TaskKind::Patrol));
    if !(least..=most).contains(&cells.len()) {
        return Err(wrong(format!("a task of kind {} with {} cells", task.kind, cells.len())));
    }
    match (task.rounds, cells) {
        _ if of(TaskKind::Hold) => Ok(Own::Hold),
        _ if of(TaskKind::Explore) => Ok(Own::Explore),
        _ if of(TaskKind::Errands) => Ok(Own::Errands(Vec::new())),
        (rounds, [goal]) if of(TaskKind::Patrol) => {
            let rounds = if rounds == 0 { Own::DEFAULT_ROUNDS } else { rounds };
            Ok(Own::Patrol { goal: own(*goal), rounds })
        }
        (_, [goal]) if of(TaskKind::Goals) => Ok(Own::Goal(own(*goal))),
        (_, cells) if of(TaskKind::Goals) => Ok(Own::Goals(cells.iter().copied().map(own).collect())),
        _ => Err(wrong(format!("a task of kind {}: expected one of throng_task_kind", task.kind))),
    }
}

/// Lets a unit into the world; it is planned for from the next tick on.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_add(world: u64, new: *const NewUnit, unit: *mut u64) -> Status {
    guard(|| {
        // SAFETY: the caller lends these.
        let new = unsafe { one("new", new) }?;
        // SAFETY: as above.
        let task = unsafe { task(&new.task) }?;
        // SAFETY: as above; the unit comes when there is a place to tell its number.
        unsafe { put("unit", unit, 0) }?;
        let number = worlds::with(world, |world| {
            let id = world.session.add(throng::NewUnit {
                body: new.body.max(1),
                period: new.period.max(1),
                priority: new.priority,
                team: new.team,
                ..throng::NewUnit::new(own(new.at), task)
            })?;
            Ok(world.enter(id))
        })?;
        // SAFETY: as above.
        unsafe { put("unit", unit, number) }
    })
}

/// Takes a unit out of the world.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_unit_remove(world: u64, unit: u64) -> Status {
    guard(|| worlds::with(world, |world| Ok(world.session.remove(world.unit(unit)?)?)))
}

/// Gives a unit another task, from where it is now.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_unit_order(world: u64, unit: u64, task: *const Task) -> Status {
    guard(|| {
        // SAFETY: the caller lends this.
        let task = unsafe { self::task(one("task", task)?) }?;
        worlds::with(world, |world| Ok(world.session.order(world.unit(unit)?, task)?))
    })
}

/// Tells that a unit is elsewhere now: the game has put it there.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_unit_place(world: u64, unit: u64, x: i32, y: i32) -> Status {
    guard(|| worlds::with(world, |world| Ok(world.session.place(world.unit(unit)?, own(Cell { x, y }))?)))
}

/// Gives a unit another priority; its task goes on.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_unit_priority(world: u64, unit: u64, priority: i32) -> Status {
    guard(|| worlds::with(world, |world| Ok(world.session.set_priority(world.unit(unit)?, priority)?)))
}

/// Opens a cell (`open` is 1) or closes it (0); nobody may be on one that closes.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_world_set_open(world: u64, x: i32, y: i32, open: u32) -> Status {
    guard(|| {
        worlds::with(world, |world| {
            let (session, at) = (&mut world.session, own(Cell { x, y }));
            if open != 0 { session.open(at) } else { session.close(at) }?;
            Ok(())
        })
    })
}

/// Where all units are and what they are doing, in the order in which they came.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_units(
    world: u64,
    units: *mut UnitState,
    room: usize,
    count: *mut usize,
) -> Status {
    guard(|| {
        let told = worlds::with(world, |world| {
            let session = &world.session;
            let grid = session.scenario().grid();
            let tell = |id: throng::UnitId| {
                let unit = session.unit(id)?;
                Ok(UnitState {
                    unit: world.number(id.agent),
                    at: cell(grid.cell(unit.at)),
                    from: cell(grid.cell(unit.from)),
                    since: unit.since,
                    until: unit.until,
                    leg: unit.leg,
                    team: session.scenario().agent(id.agent).team,
                    arrived: u8::from(session.has_arrived(id.agent)),
                })
            };
            session.units().map(tell).collect::<Result<Vec<_>, Fault>>()
        })?;
        // SAFETY: the caller lends these.
        unsafe { fill(units, room, count, &told) }
    })
}
