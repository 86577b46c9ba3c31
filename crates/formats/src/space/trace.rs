//! Traces of continuous space: the scene, and where everybody was after every step, to the last bit.
//!
//! ```
//! use throng_core::AgentId;
//! use throng_core::space::{NewBody, Point, Pose, Scene, Shape, SpaceTrace};
//! use throng_formats::space::trace::{self, SpaceTraceFile};
//!
//! let mut scene = Scene::open("one", 9.0, 9.0);
//! scene.bodies.push(NewBody::new(Shape::disc(0.5)?, Point::new(1.0, 1.0), Point::new(2.0, 1.0)));
//! let mut what_happened = SpaceTrace::new(vec![Some(scene.bodies[0].pose)]);
//! what_happened.push(AgentId(0), Pose::at(Point::new(1.1, 1.0)));
//! what_happened.end_tick();
//! let file = SpaceTraceFile { scene, state_hash: 7, trace: what_happened };
//! assert_eq!(trace::parse(&trace::write(&file))?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::FormatError;
use crate::trace::bytes::{Input, Output};
use throng_core::AgentId;
use throng_core::space::{DoorChange, Point, Pose, Scene, SpaceTrace};

/// How every trace of continuous space begins; then comes the version.
pub const MAGIC: &[u8] = b"THRONG-SPACE-TRACE";

/// Of scenes without doors: shorter, and what was written before there were any.
const WALLS: u8 = 1;
/// With the doors that closed and opened.
const DOORS: u8 = 2;

/// A run with everything that is needed to show or judge it.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceTraceFile {
    /// What was to be done, from where the trace begins.
    pub scene: Scene,
    /// The state hash after the last step.
    pub state_hash: u64,
    /// What happened. It must have a start for every body of the scene and moves of these bodies only, by number within a
    /// step, or it cannot be read again. Discs face east. A step that is not ended is not written.
    pub trace: SpaceTrace,
}

/// The bytes of a trace.
#[must_use]
pub fn write(file: &SpaceTraceFile) -> Vec<u8> {
    let SpaceTraceFile { scene, state_hash, trace } = file;
    let mut out = Output::default();
    out.raw(MAGIC);
    let doors = !scene.doors.is_empty() || !trace.changes.is_empty();
    out.byte(if doors { DOORS } else { WALLS });
    out.string(&super::write(scene));
    out.raw(&state_hash.to_le_bytes());
    out.number(trace.starts.len() as u64);
    let disc = |agent: AgentId| scene.bodies.get(agent.index()).is_none_or(|body| body.shape.is_disc());
    let pose = |out: &mut Output, agent: AgentId, pose: &Pose| {
        out.float(pose.at.x);
        out.float(pose.at.y);
        if !disc(agent) {
            out.float(pose.heading.x);
            out.float(pose.heading.y);
        }
    };
    for (id, start) in trace.starts.iter().enumerate() {
        out.byte(u8::from(start.is_some()));
        start.iter().for_each(|start| pose(&mut out, AgentId(id as u32), start));
    }
    if doors {
        out.number(trace.changes.len() as u64);
        let mut last = 0;
        for DoorChange { tick, door, open } in &trace.changes {
            out.number(tick.saturating_sub(last) * 2 + u64::from(*open));
            out.number(u64::from(*door));
            last = *tick;
        }
    }
    out.number(trace.ticks());
    for tick in 0..trace.ticks() {
        let moves = trace.at(tick);
        out.number(moves.len() as u64);
        let mut next = 0u64;
        for (agent, to) in moves {
            out.number(u64::from(agent.0).saturating_sub(next));
            pose(&mut out, *agent, to);
            next = u64::from(agent.0) + 1;
        }
    }
    out.finish()
}

/// Reads a trace as a whole.
pub fn parse(bytes: &[u8]) -> Result<SpaceTraceFile, FormatError> {
    let mut input = Input::new(bytes, 0);
    if input.raw(MAGIC.len(), "the magic").ok() != Some(MAGIC) {
        return Err(FormatError::NotATrace);
    }
    let version = input.byte("the version").ok().filter(|version| [WALLS, DOORS].contains(version));
    let version = version.ok_or(FormatError::NotATrace)?;
    let text = input.string("the scene")?;
    let scene = super::parse(&text).map_err(|why| FormatError::InTrace { why: Box::new(why) })?.0;
    let mut hash = [0; 8];
    hash.copy_from_slice(input.raw(8, "the state hash")?);
    let count = scene.bodies.len();
    let wrong = input.corrupt("a start for every body");
    if input.count(1, "the number of starts")? != count {
        return Err(wrong);
    }
    let disc = |id: usize| scene.bodies[id].shape.is_disc();
    let mut starts = Vec::with_capacity(count);
    for id in 0..count {
        let wrong = input.corrupt("0 or 1");
        starts.push(match input.byte("whether a body is there")? {
            0 => None,
            1 => Some(pose(&mut input, disc(id))?),
            _ => return Err(wrong),
        });
    }
    let mut trace = SpaceTrace::new(starts);
    if version == DOORS {
        trace.changes = changes(&mut input, scene.doors.len())?;
    }
    // Every step takes a byte at least.
    for _ in 0..input.count(1, "the number of steps")? {
        let mut next = 0u64;
        for _ in 0..input.count(17, "the number of moves")? {
            let wrong = input.corrupt("a body of the scene");
            let id = input.number("who moves")?.saturating_add(next);
            if id >= count as u64 {
                return Err(wrong);
            }
            let to = pose(&mut input, disc(id as usize))?;
            trace.push(AgentId(id as u32), to);
            next = id + 1;
        }
        trace.end_tick();
    }
    if input.remaining() > 0 {
        return Err(input.corrupt("the end"));
    }
    Ok(SpaceTraceFile { scene, state_hash: u64::from_le_bytes(hash), trace })
}

/// The doors that closed and opened, of so many.
fn changes(input: &mut Input<'_>, doors: usize) -> Result<Vec<DoorChange>, FormatError> {
    const LAST: u64 = 1 << 60;
    let (mut changes, mut tick) = (Vec::new(), 0);
    // A step and a door take at least two bytes.
    for _ in 0..input.count(2, "the number of changes")? {
        let wrong = input.corrupt("a change of a door of the scene, in order");
        let (number, door) = (input.number("when a door changes")?, input.number("which door")?);
        tick += number / 2;
        match u32::try_from(door).ok().filter(|&door| (door as usize) < doors && tick <= LAST) {
            Some(door) => changes.push(DoorChange { tick, door, open: number % 2 == 1 }),
            None => return Err(wrong),
        }
    }
    Ok(changes)
}

fn pose(input: &mut Input<'_>, disc: bool) -> Result<Pose, FormatError> {
    let mut point = || Ok(Point::new(input.float("a coordinate")?, input.float("a coordinate")?));
    let at = point()?;
    Ok(Pose { at, heading: if disc { Point::EAST } else { point()? } })
}
