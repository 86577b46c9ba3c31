//! Reading a trace from any tick on.

use super::bytes::Input;
use super::head::{self, Head};
use super::motion::{Motions, Placement};
use super::{BLOCK, TraceFile};
use crate::FormatError;
use throng_core::{Action, AgentId, Cell, Deed, Delay, ErrandNote, Scenario, TerrainChange, Tick, Trace};

/// A trace of which only head and index have been read; ticks are decoded where they are asked for, so
/// errors inside a block show when it is reached.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    head: Head,
    ticks: Tick,
    /// Where each block begins, and where the last one ends.
    blocks: Vec<usize>,
}

impl<'a> Reader<'a> {
    /// Reads head and index.
    pub fn open(bytes: &'a [u8]) -> Result<Self, FormatError> {
        const END: &str = "where the index begins";
        let mut input = Input::new(bytes, 0);
        let head = head::read(&mut input)?;
        let first = input.at();
        if input.remaining() < 8 {
            return Err(FormatError::CutOff { offset: bytes.len(), expected: END });
        }
        let end = bytes.len() - 8;
        let index = usize::try_from(head::u64_le(&mut Input::new(bytes, end), END)?).unwrap_or(usize::MAX);
        if index < first || index > end {
            return Err(FormatError::Corrupt { offset: end, expected: END });
        }
        let mut input = Input::new(&bytes[..end], index);
        let ticks = input.number("the number of ticks")?;
        // Every tick takes at least a byte, so this bounds what is allocated for the index.
        if ticks > (index - first) as u64 {
            return Err(FormatError::Corrupt {
                offset: index,
                expected: "as many ticks as there is room for",
            });
        }
        let mut blocks = vec![first];
        let mut begin = first;
        for _ in 0..ticks.div_ceil(BLOCK) {
            let wrong = input.corrupt("the length of a block inside the file");
            let len: usize = input.fit("the length of a block")?;
            begin = begin.checked_add(len).filter(|&end| end <= index).ok_or(wrong)?;
            blocks.push(begin);
        }
        if begin != index || input.remaining() != 0 {
            return Err(input.corrupt("an index that covers the whole file"));
        }
        Ok(Self { bytes: &bytes[..index], head, ticks, blocks })
    }

    /// The problem.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.head.scenario
    }

    /// Who planned.
    #[must_use]
    pub fn planner(&self) -> &str {
        &self.head.planner
    }

    /// The seed of the run.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.head.seed
    }

    /// The state hash after the last tick.
    #[must_use]
    pub const fn state_hash(&self) -> u64 {
        self.head.state_hash
    }

    /// Where everybody began.
    #[must_use]
    pub fn starts(&self) -> &[Cell] {
        &self.head.starts
    }

    /// The poses in which everybody began; see [`Trace::poses`].
    #[must_use]
    pub fn poses(&self) -> &[(u8, Tick)] {
        &self.head.poses
    }

    /// Cells that closed and opened, by tick.
    #[must_use]
    pub fn changes(&self) -> &[TerrainChange] {
        &self.head.changes
    }

    /// What became of errands, by tick.
    #[must_use]
    pub fn errands(&self) -> &[ErrandNote] {
        &self.head.errands
    }

    /// Who was late, by tick.
    #[must_use]
    pub fn delays(&self) -> &[Delay] {
        &self.head.delays
    }

    /// Number of ticks recorded.
    #[must_use]
    pub const fn ticks(&self) -> Tick {
        self.ticks
    }

    /// Where everybody is at `tick`, before anything of that tick begins. Past the end nobody begins
    /// anything more. Decodes at most one block.
    pub fn positions_at(&self, tick: Tick) -> Result<Vec<Placement>, FormatError> {
        let cursor = self.seek(tick)?;
        Ok(cursor.motions.placements(tick).collect())
    }

    /// A cursor at `tick`, or at the end if that comes first.
    pub fn seek(&self, tick: Tick) -> Result<Cursor<'_>, FormatError> {
        let tick = tick.min(self.ticks);
        let block = (tick / BLOCK).min((self.blocks.len() as Tick).saturating_sub(2)) as usize;
        let mut cursor = Cursor {
            reader: self,
            input: Input::new(self.bytes, self.blocks[block]),
            motions: Motions::new(self.head.format, &self.head.scenario, &self.head.starts, &self.head.poses),
            tick: block as Tick * BLOCK,
            deeds: Vec::new(),
            at_keyframe: false,
        };
        if block > 0 {
            cursor.motions.read_keyframe(cursor.tick, &mut cursor.input)?;
        }
        while cursor.tick < tick {
            cursor.step()?;
        }
        Ok(cursor)
    }

    pub(super) fn into_file(self, trace: Trace) -> TraceFile {
        let Head { scenario, planner, seed, state_hash, .. } = self.head;
        TraceFile { scenario, planner, seed, state_hash, trace }
    }
}

/// Walks through a trace tick by tick.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    reader: &'a Reader<'a>,
    input: Input<'a>,
    motions: Motions,
    tick: Tick,
    deeds: Vec<Deed>,
    /// Whether a keyframe comes next.
    at_keyframe: bool,
}

impl Cursor<'_> {
    /// The tick whose deeds come next.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Where everybody is at this tick, by agent, before anything of it begins.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Placement> + '_ {
        self.motions.placements(self.tick)
    }

    /// The deeds of this tick, by agent, and on to the next tick; `None` at the end.
    pub fn step(&mut self) -> Result<Option<&[Deed]>, FormatError> {
        if self.tick >= self.reader.ticks {
            return Ok(None);
        }
        if self.at_keyframe {
            self.motions.check_keyframe(self.tick, &mut self.input)?;
        }
        self.read_deeds()?;
        for &deed in &self.deeds {
            self.motions.apply(deed, self.tick);
        }
        self.tick += 1;
        self.at_keyframe = self.tick.is_multiple_of(BLOCK);
        let block_end = self.reader.blocks[self.tick.div_ceil(BLOCK) as usize];
        if (self.at_keyframe || self.tick == self.reader.ticks) && self.input.at() != block_end {
            return Err(self.input.corrupt("a block as long as the index says"));
        }
        Ok(Some(&self.deeds))
    }

    fn read_deeds(&mut self) -> Result<(), FormatError> {
        self.deeds.clear();
        let agents = self.reader.head.starts.len() as u64;
        let (mut next, kinds) = (0, self.reader.head.format.kinds());
        for _ in 0..self.input.count(1, "the number of deeds")? {
            let wrong = self.input.corrupt("a deed of an agent that exists, in order");
            let deed = self.input.number("a deed")?;
            let (skipped, kind) = (deed / kinds, (deed % kinds) as u8);
            let agent = next + skipped;
            let action = Action::from_code(kind / 2);
            let (Some(action), true) = (action, agent < agents) else { return Err(wrong) };
            self.deeds.push(Deed { agent: AgentId(agent as u32), action, failed: kind % 2 == 1 });
            next = agent + 1;
        }
        Ok(())
    }
}
