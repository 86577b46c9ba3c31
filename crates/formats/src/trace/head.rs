//! The head of a trace: everything but what happened.

use super::bytes::{Input, Output};
use super::{Format, MAGIC, TraceFile};
use super::{changing, delays, errands, eyes};
use crate::FormatError;
use throng_core::{
    Agent, AgentId, Cell, Connectivity, Delay, Dir, ErrandNote, Grid, Motion, Rules, Scenario, Task,
};
use throng_core::{TerrainChange, TerrainPolicy, Tick, Timing};

/// What the head holds.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) format: Format,
    pub(super) scenario: Scenario,
    pub(super) planner: String,
    pub(super) seed: u64,
    pub(super) state_hash: u64,
    pub(super) starts: Vec<Cell>,
    pub(super) poses: Vec<(u8, Tick)>,
    pub(super) changes: Vec<TerrainChange>,
    pub(super) errands: Vec<ErrandNote>,
    pub(super) delays: Vec<Delay>,
}

pub(super) fn write(file: &TraceFile, format: Format, out: &mut Output) {
    out.raw(MAGIC);
    out.byte(format as u8);
    let (scenario, grid) = (&file.scenario, file.scenario.grid());
    out.string(scenario.name());
    out.string(&file.planner);
    out.number(file.seed);
    out.raw(&file.state_hash.to_le_bytes());
    let Rules { connectivity, timing, hold_both, follow } = scenario.rules();
    out.byte(flags([connectivity == Connectivity::Eight, timing == Timing::Metric, hold_both, follow]));
    write_grid(grid, out);
    out.number(scenario.agents().len() as u64);
    scenario.agents().iter().for_each(|agent| write_agent(agent, format, out));
    out.number(file.trace.starts.len() as u64);
    file.trace.starts.iter().for_each(|&start| out.cell(start));
    let changes = format >= Format::Changes;
    if changes {
        changing::write(file, out);
    }
    if format >= Format::Eyes {
        eyes::write(scenario, out);
    }
    if format >= Format::Errands {
        errands::write(file, out);
    }
    if format >= Format::Delays {
        delays::write(file, out);
    }
    if format == Format::Poses || (changes && !file.trace.poses.is_empty()) {
        let poses = file.trace.poses.iter().copied().chain(core::iter::repeat((0, 0)));
        for (pose, until) in poses.take(file.trace.starts.len()) {
            out.byte(pose);
            out.number(until);
        }
    }
}

pub(super) fn read(input: &mut Input<'_>) -> Result<Head, FormatError> {
    if input.raw(MAGIC.len(), "the magic").ok() != Some(MAGIC) {
        return Err(FormatError::NotATrace);
    }
    let version = input.byte("the version")?;
    let format = Format::from_version(version).ok_or(FormatError::TraceVersion { found: version })?;
    let name = input.string("the scenario's name")?;
    let planner = input.string("the planner's name")?;
    let seed = input.number("the seed")?;
    let state_hash = u64_le(input, "the state hash")?;
    let [eight, metric, hold_both, follow] = read_flags(input, "the rules")?;
    let connectivity = if eight { Connectivity::Eight } else { Connectivity::Four };
    let timing = if metric { Timing::Metric } else { Timing::Uniform };
    let rules = Rules { connectivity, timing, hold_both, follow };
    let grid = read_grid(input)?;
    // An agent takes at least 9 bytes, a start 2.
    let agents = input.count(9, "the number of agents")?;
    let agents = (0..agents).map(|id| read_agent(id as u32, format, input)).collect::<Result<Vec<_>, _>>()?;
    let count = agents.len();
    let scenario =
        Scenario::new(name, grid, rules, agents).map_err(|why| FormatError::Scenario { line: None, why })?;
    let wrong = input.corrupt("a start for every agent");
    if input.count(2, "the number of starts")? != count {
        return Err(wrong);
    }
    let starts = (0..count).map(|_| input.cell("a start")).collect::<Result<_, _>>()?;
    let (scenario, changes, posed) = match format {
        Format::Steps | Format::Motions => (scenario, Vec::new(), false),
        Format::Poses => (scenario, Vec::new(), true),
        Format::Changes => changing::read(scenario, input)?,
        Format::Eyes | Format::Errands | Format::Delays => {
            let (scenario, changes, posed) = changing::read(scenario, input)?;
            (eyes::read(scenario, input)?, changes, posed)
        }
    };
    let (scenario, errands) = match format {
        Format::Errands | Format::Delays => errands::read(scenario, input)?,
        _ => (scenario, Vec::new()),
    };
    let (scenario, delays) = match format {
        Format::Delays => delays::read(scenario, input)?,
        _ => (scenario, Vec::new()),
    };
    let poses = scenario.agents().iter().filter(|_| posed).map(|agent| read_pose(agent, input));
    let poses = poses.collect::<Result<_, _>>()?;
    Ok(Head { format, scenario, planner, seed, state_hash, starts, poses, changes, errands, delays })
}

/// The pose in which an agent begins, and when what it was doing is over: sooner than any move takes.
fn read_pose(agent: &Agent, input: &mut Input<'_>) -> Result<(u8, Tick), FormatError> {
    const LONGEST: Tick = 1 << 16;
    let wrong = input.corrupt("a pose of the agent's motion and when it begins");
    let (pose, until) = (input.byte("an agent's pose")?, input.number("when an agent's move is over")?);
    if pose < agent.motion.poses() && until < LONGEST { Ok((pose, until)) } else { Err(wrong) }
}

pub(super) fn u64_le(input: &mut Input<'_>, expected: &'static str) -> Result<u64, FormatError> {
    Ok(input.raw(8, expected)?.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// Size, policy, and two letters a byte: not the shortest, but a short file can never claim a large map.
fn write_grid(grid: &Grid, out: &mut Output) {
    out.number(grid.width() as u64);
    out.number(grid.height() as u64);
    let TerrainPolicy { swamp, water, trees } = grid.policy();
    out.byte(flags([swamp, water, trees, false]));
    let mut low = None;
    for letter in (0..grid.height()).flat_map(|y| grid.row(y)) {
        let code = LETTERS.iter().position(|l| l == letter).unwrap_or(0) as u8;
        match low.take() {
            None => low = Some(code),
            Some(low) => out.byte(low | code << 4),
        }
    }
    if let Some(low) = low {
        out.byte(low);
    }
}

fn read_grid(input: &mut Input<'_>) -> Result<Grid, FormatError> {
    const SIZE: &str = "a map that is neither empty nor too large";
    let begin = input.at();
    let (width, height) = (input.fit("the map's width")?, input.fit("the map's height")?);
    Grid::check_size(width, height).map_err(|_| FormatError::Corrupt { offset: begin, expected: SIZE })?;
    let [swamp, water, trees, _] = read_flags(input, "the terrain policy")?;
    let begin = input.at();
    let packed = input.raw((width * height).div_ceil(2), "the terrain")?;
    // An unknown code becomes a letter that the grid refuses.
    let letter = |code: u8| LETTERS.get(usize::from(code)).copied().unwrap_or(b'?');
    let mut terrain: Vec<u8> = packed.iter().flat_map(|b| [letter(b & 15), letter(b >> 4)]).collect();
    terrain.truncate(width * height);
    Grid::new(width, height, &terrain, TerrainPolicy { swamp, water, trees })
        .map_err(|_| FormatError::Corrupt { offset: begin, expected: "known terrain" })
}

/// The letters by their code in files.
const LETTERS: &[u8] = b".GS@OTW";

fn write_agent(agent: &Agent, format: Format, out: &mut Output) {
    let Agent { id: _, team, start, task, body, period, motion, priority } = agent;
    out.number(u64::from(*team));
    out.byte(*body);
    out.byte(*period);
    out.signed(*priority);
    out.cell(*start);
    match task {
        Task::Goal(goal) => {
            out.byte(0);
            out.cell(*goal);
        }
        Task::Goals(goals) => {
            out.byte(1);
            out.number(goals.len() as u64);
            goals.iter().for_each(|&goal| out.cell(goal));
        }
        Task::Patrol { goal, rounds } => {
            out.byte(2);
            out.cell(*goal);
            out.number(u64::from(*rounds));
        }
        Task::Errands(stops) => {
            out.byte(6);
            out.number(stops.len() as u64);
            stops.iter().for_each(|&stop| out.cell(stop));
        }
        Task::Hold => out.byte(3),
        Task::Explore => out.byte(4),
        Task::Find(hidden) => {
            out.byte(5);
            out.cell(*hidden);
        }
    }
    match (format, motion) {
        (Format::Steps, _) => {}
        (_, Motion::Steps) => out.byte(0),
        (_, Motion::Gaits { run }) => {
            out.byte(1);
            out.byte(*run);
        }
        (_, Motion::Turns { heading }) => {
            out.byte(3);
            out.byte(*heading as u8);
        }
        (_, Motion::Car { radius, heading }) => {
            out.byte(2);
            out.byte(*radius);
            out.byte(*heading as u8);
        }
    }
}

fn read_agent(id: u32, format: Format, input: &mut Input<'_>) -> Result<Agent, FormatError> {
    let team = input.fit("an agent's team")?;
    let body = input.byte("an agent's body")?;
    let period = input.byte("an agent's period")?;
    let priority = input.signed("an agent's priority")?;
    let start = input.cell("an agent's start")?;
    let wrong = input.corrupt("a task from 0 to 6");
    let task = match input.byte("an agent's task")? {
        0 => Task::Goal(input.cell("an agent's goal")?),
        1 => {
            let count = input.count(2, "the number of an agent's goals")?;
            Task::Goals((0..count).map(|_| input.cell("an agent's goal")).collect::<Result<_, _>>()?)
        }
        2 => Task::Patrol { goal: input.cell("an agent's goal")?, rounds: input.fit("an agent's rounds")? },
        6 => {
            let count = input.count(2, "the number of an agent's stops")?;
            Task::Errands((0..count).map(|_| input.cell("an agent's stop")).collect::<Result<_, _>>()?)
        }
        3 => Task::Hold,
        4 => Task::Explore,
        5 => Task::Find(input.cell("an agent's hidden goal")?),
        _ => return Err(wrong),
    };
    let motion = match format {
        Format::Steps => Motion::Steps,
        _ => read_motion(format, input)?,
    };
    Ok(Agent { id: AgentId(id), team, start, task, body, period, motion, priority })
}

fn read_motion(format: Format, input: &mut Input<'_>) -> Result<Motion, FormatError> {
    let wrong = input.corrupt("a motion from 0 to 3, its heading from 0 to 3");
    match input.byte("an agent's motion")? {
        0 => Ok(Motion::Steps),
        1 => Ok(Motion::Gaits { run: input.byte("an agent's run")? }),
        2 => {
            let radius = input.byte("an agent's turning radius")?;
            let heading = Dir::from_index(input.byte("an agent's heading")?);
            heading.map(|heading| Motion::Car { radius, heading }).ok_or(wrong)
        }
        3 if format >= Format::Delays => {
            let heading = Dir::from_index(input.byte("an agent's heading")?);
            heading.map(|heading| Motion::Turns { heading }).ok_or(wrong)
        }
        _ => Err(wrong),
    }
}

fn flags(bits: [bool; 4]) -> u8 {
    bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))
}

fn read_flags(input: &mut Input<'_>, expected: &'static str) -> Result<[bool; 4], FormatError> {
    let wrong = input.corrupt(expected);
    match input.byte(expected)? {
        byte @ 0..16 => Ok([1, 2, 4, 8].map(|bit| byte & bit != 0)),
        _ => Err(wrong),
    }
}
