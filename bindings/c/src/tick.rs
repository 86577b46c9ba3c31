//! Worlds go on.

use crate::memory::{fill, put};
use crate::status::{Status, guard};
use crate::worlds;
use throng::core::{Expansions, Unlimited, Unobserved};

/// How a world is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Now.
    pub tick: u64,
    /// A fingerprint of who is where, the same on every machine.
    pub state_hash: u64,
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
    /// Units in the world.
    pub units: u32,
    /// Those of them that have done what they were to do.
    pub arrived: u32,
    /// 1 if all have, so that nothing will happen any more, otherwise 0.
    pub done: u32,
}

/// One tick: everybody decides and moves. `budget` is how many expansions planning may take, 0 for as many as it needs.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_world_tick(world: u64, budget: u64) -> Status {
    guard(|| {
        worlds::with(world, |world| {
            match budget {
                0 => world.session.tick(&Unlimited, &mut Unobserved),
                budget => world.session.tick(&Expansions(budget), &mut Unobserved),
            };
            Ok(())
        })
    })
}

/// How a world is.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_info(world: u64, info: *mut Info) -> Status {
    guard(|| {
        let told = worlds::with(world, |world| {
            let session = &world.session;
            let grid = session.scenario().grid();
            Ok(Info {
                tick: session.state().tick,
                state_hash: session.state().hash(),
                width: grid.width() as u32,
                height: grid.height() as u32,
                units: session.units().count() as u32,
                arrived: session.arrived() as u32,
                done: u32::from(session.is_done()),
            })
        })?;
        // SAFETY: the caller lends this.
        unsafe { put("info", info, told) }
    })
}

/// The letters of the terrain as it is now, row by row: `.` and `G` are open, `@` and `O` closed, `S`, `W` and `T` as the world has it.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_terrain(
    world: u64,
    letters: *mut u8,
    room: usize,
    count: *mut usize,
) -> Status {
    guard(|| {
        let all = worlds::with(world, |world| {
            let grid = world.session.scenario().grid();
            Ok((0..grid.height()).flat_map(|y| grid.row(y)).copied().collect::<Vec<u8>>())
        })?;
        // SAFETY: the caller lends these.
        unsafe { fill(letters, room, count, &all) }
    })
}
