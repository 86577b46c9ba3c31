//! Worlds come and go.

use crate::memory::{fill, list, maybe_text, put, text};
use crate::status::{Fault, Status, guard};
use crate::worlds;
use std::ffi::c_char;
use throng::core::TerrainPolicy;
use throng::core::{Connectivity, Rules, Scenario};
use throng::formats::{maps, scenario};
use throng::{Options, Session, Setup};

/// So many threads at most.
const THREADS: u32 = 256;

fn options(planner: Option<&str>, seed: u64, threads: u32) -> Result<Options, Fault> {
    if threads > THREADS {
        let message = format!("{threads} threads: expected 0 (as 1) to {THREADS}");
        return Err(Fault::new(Status::BadInput, message));
    }
    let planner = planner.map(str::to_owned);
    Ok(Options { planner, seed, threads: threads.max(1) as usize, ..Options::default() })
}

fn session(setup: Setup, options: &Options) -> Result<u64, Fault> {
    worlds::keep(Session::new(setup, options).map_err(|why| Fault::input(&why))?)
}

/// A world that comes with the library. `planner` is as `name(key=value)`, or NULL for the world's own; `threads` change how
/// long a tick takes and nothing else.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_builtin(
    name: *const c_char,
    planner: *const c_char,
    seed: u64,
    threads: u32,
    world: *mut u64,
) -> Status {
    guard(|| {
        // SAFETY: the caller lends these.
        let (name, planner) = unsafe { (text("name", name)?, maybe_text("planner", planner)?) };
        let setup = throng::worlds::builtin(name, seed).map_err(|why| Fault::input(&why))?;
        // SAFETY: as above; the world is made when there is a place to tell its number.
        unsafe { put("world", world, 0) }?;
        let number = session(setup, &options(planner, seed, threads)?)?;
        // SAFETY: as above.
        unsafe { put("world", world, number) }
    })
}

/// A world from the text of a scenario file, which has to bring its own map, or of a map of Tiled. `planner` as above.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_scenario(
    file: *const u8,
    length: usize,
    planner: *const c_char,
    seed: u64,
    threads: u32,
    world: *mut u64,
) -> Status {
    guard(|| {
        // SAFETY: the caller lends these.
        let (file, planner) = unsafe { (list("file", file, length)?, maybe_text("planner", planner)?) };
        // SAFETY: as above.
        unsafe { put("world", world, 0) }?;
        let setup = if maps::Kind::of(file) == maps::Kind::Tiled {
            maps::scenario(file, &mut scenario::no_files)
        } else {
            let text = std::str::from_utf8(file);
            let text = text.map_err(|why| Fault::new(Status::BadText, format!("the file: {why}")))?;
            scenario::parse(text, &mut scenario::no_files)
        };
        let setup = setup.map_err(|why| Fault::input(&why))?;
        let number = session(setup, &options(planner, seed, threads)?)?;
        // SAFETY: as above.
        unsafe { put("world", world, number) }
    })
}

/// A world without units from a map: MovingAI, PNG or Tiled. `moves` is 4 or 8; units come by throng_world_add.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_map(
    file: *const u8,
    length: usize,
    moves: u32,
    planner: *const c_char,
    seed: u64,
    threads: u32,
    world: *mut u64,
) -> Status {
    guard(|| {
        // SAFETY: the caller lends these.
        let (file, planner) = unsafe { (list("file", file, length)?, text("planner", planner)?) };
        // SAFETY: as above.
        unsafe { put("world", world, 0) }?;
        let connectivity = match moves {
            4 => Connectivity::Four,
            8 => Connectivity::Eight,
            _ => return Err(Fault::new(Status::BadInput, format!("{moves} moves: expected 4 or 8"))),
        };
        let grid = maps::parse(file, TerrainPolicy::default(), &mut scenario::no_files);
        let rules = Rules { connectivity, ..Rules::default() };
        let made = Scenario::new("", grid.map_err(|why| Fault::input(&why))?, rules, Vec::new());
        let setup = Setup::new(made.map_err(|why| Fault::input(&why))?);
        let setup = Setup { planner: Some(planner.to_owned()), ..setup };
        let number = session(setup, &options(Some(planner), seed, threads)?)?;
        // SAFETY: as above.
        unsafe { put("world", world, number) }
    })
}

/// Lets a world go. A call that another thread is in ends first.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_world_free(world: u64) -> Status {
    guard(|| worlds::drop(world))
}

/// Everything that the future of a world depends on, as bytes.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_save(
    world: u64,
    bytes: *mut u8,
    room: usize,
    count: *mut usize,
) -> Status {
    guard(|| {
        let saved = worlds::with(world, |world| Ok(world.session.save()))?;
        // SAFETY: the caller lends these.
        unsafe { fill(bytes, room, count, &saved) }
    })
}

/// A world that goes on from what throng_world_save told. Its units have new numbers: throng_world_units tells them.
// SAFETY: the caller lends what the header asks for; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_world_resume(
    bytes: *const u8,
    length: usize,
    threads: u32,
    world: *mut u64,
) -> Status {
    guard(|| {
        // SAFETY: the caller lends these.
        let bytes = unsafe { list("bytes", bytes, length) }?;
        // SAFETY: as above.
        unsafe { put("world", world, 0) }?;
        let options = options(None, 0, threads)?;
        let session = Session::resume(bytes, options.threads).map_err(|why| Fault::input(&why))?;
        let number = worlds::keep(session)?;
        // SAFETY: as above.
        unsafe { put("world", world, number) }
    })
}
