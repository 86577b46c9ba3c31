//! From the four files of a problem to a scenario.

use crate::FormatError;
use crate::lines::{Lines, int, is_blank, line_at};
use crate::map;
use serde::Deserialize;
use throng_core::{
    Agent, Brings, Cell, Delays, Dir, Grid, Motion, Rules, Scenario, Setup, Stream, Supply, Task,
    TerrainPolicy,
};

/// Who plans unless somebody says otherwise; and where units turn.
const PLANNER: &str = "pibt";
const TURNING: &str = "epibt";

/// A problem as JSON has it. What is not read here is not part of the world.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Problem {
    map_file: String,
    agent_file: String,
    task_file: String,
    team_size: usize,
    #[serde(default = "one")]
    num_tasks_reveal: f64,
    #[serde(default)]
    action_model: ActionModel,
    #[serde(default)]
    delay_config: Option<DelayConfig>,
}

/// What units do: go to any neighbour, or ahead and turn where they stand.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
enum ActionModel {
    #[default]
    #[serde(rename = "MAPF")]
    Steps,
    #[serde(rename = "MAPF_T")]
    Turns,
}

/// How units slip. Whatever the distribution, lengths are drawn evenly from the shortest to the longest.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DelayConfig {
    seed: Option<u64>,
    #[serde(default)]
    p_delay: f64,
    #[serde(default = "once")]
    min_delay: u32,
    #[serde(default = "once")]
    max_delay: u32,
}

const fn once() -> u32 {
    1
}

const fn one() -> f64 {
    1.0
}

/// Whether a file can be a problem of the league and no scenario: whether it begins as JSON does.
#[must_use]
pub fn is_league(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'{')
}

/// Reads a problem. `resolve` loads what it names.
pub fn parse(
    bytes: &[u8],
    resolve: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Setup, FormatError> {
    let problem: Problem = serde_json::from_slice(bytes).map_err(|why| {
        let place = format!(" at line {} column {}", why.line(), why.column());
        let message = why.to_string().replace(&place, "");
        FormatError::Json { line: why.line(), column: why.column(), message }
    })?;
    let Problem { map_file, agent_file, task_file, team_size, num_tasks_reveal, action_model, delay_config } =
        problem;
    let mut read = |key: &'static str, name: &str| {
        let line = line_of(bytes, key);
        let failed = |why| FormatError::NamedFile { line, key, name: name.to_owned(), why };
        resolve(name).map_err(failed)
    };
    let inside = |key: &'static str, name: &str| {
        let (line, name) = (line_of(bytes, key), name.to_owned());
        move |why| FormatError::InNamedFile { line, key, name, why: Box::new(why) }
    };
    let grid = grid(&read("mapFile", &map_file)?).map_err(inside("mapFile", &map_file))?;
    let motion = match action_model {
        ActionModel::Steps => Motion::Steps,
        ActionModel::Turns => Motion::Turns { heading: Dir::E },
    };
    let agents = starts(&read("agentFile", &agent_file)?, &grid, (team_size, motion));
    let agents = agents.map_err(inside("agentFile", &agent_file))?;
    let list = tasks(&read("taskFile", &task_file)?, &grid).map_err(inside("taskFile", &task_file))?;
    let open = (num_tasks_reveal * team_size as f64).ceil();
    if !(1.0..=f64::from(Stream::MOST_OPEN)).contains(&open) {
        return Err(FormatError::Expected {
            line: line_of(bytes, "numTasksReveal"),
            expected: "a team and a number of revealed errands for each of it, at least 1 in all".into(),
            found: format!("a teamSize of {team_size} and a numTasksReveal of {num_tasks_reveal}"),
        });
    }
    let stream =
        Stream { supply: Supply::Open(open as u32), brings: Brings::Listed(list), count: None, seed: None };
    let delays = delays(bytes, delay_config)?;
    let name = map_file.rsplit(['/', '\\']).next().unwrap_or(&map_file);
    let name = name.strip_suffix(".map").unwrap_or(name);
    let scenario = Scenario::new(name, grid, Rules::default(), agents)
        .and_then(|scenario| scenario.with_stream(Some(stream)))
        .and_then(|scenario| scenario.with_delays(delays))
        .map_err(|why| FormatError::Scenario { line: None, why })?;
    let planner = if action_model == ActionModel::Turns { TURNING } else { PLANNER };
    Ok(Setup { planner: Some(planner.to_owned()), ..Setup::new(scenario) })
}

fn delays(bytes: &[u8], config: Option<DelayConfig>) -> Result<Delays, FormatError> {
    let Some(DelayConfig { seed, p_delay, min_delay, max_delay }) = config else {
        return Ok(Delays::default());
    };
    if !(0.0..=1.0).contains(&p_delay) {
        return Err(FormatError::Expected {
            line: line_of(bytes, "pDelay"),
            expected: "a chance from 0 to 1 that a unit slips in a tick".into(),
            found: p_delay.to_string(),
        });
    }
    let rate = (p_delay * f64::from(Delays::ALWAYS)).round() as u32;
    Ok(Delays { rate, shortest: min_delay, longest: max_delay, seed, listed: Vec::new() })
}

/// The line where a key stands; the first if there is none.
fn line_of(bytes: &[u8], key: &str) -> usize {
    let text = String::from_utf8_lossy(bytes);
    text.find(&format!("\"{key}\"")).map_or(1, |place| line_at(&text, place))
}

/// A map whose places of delivery are ground like any other.
fn grid(bytes: &[u8]) -> Result<Grid, FormatError> {
    let mut bytes = bytes.to_vec();
    // Letters are below the line with the word alone.
    let head = bytes.split_inclusive(|&byte| byte == b'\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end, line.trim_ascii() == b"map"))
    });
    let rows = head.into_iter().find(|&(_, last)| last).map_or(bytes.len(), |(end, _)| end);
    bytes[rows..].iter_mut().filter(|byte| **byte == b'E').for_each(|byte| *byte = b'G');
    map::parse(&bytes, TerrainPolicy::default())
}

/// What a file lists.
struct Listed<'a> {
    /// Lines that say something, with their numbers.
    rows: Vec<(usize, &'a [u8])>,
    /// How many of them the first line promises.
    count: usize,
    /// The first line that there is not.
    next: usize,
}

/// The lines of a file below the first one that says something.
fn listed<'a>(bytes: &'a [u8], what: &'static str) -> Result<Listed<'a>, FormatError> {
    let comment = |line: &[u8]| line.trim_ascii_start().first() == Some(&b'#');
    let mut lines = Lines::new(bytes).filter(|(_, line)| !is_blank(line) && !comment(line));
    let next = 1 + Lines::new(bytes).count();
    let Some((line, count)) = lines.next() else {
        return Err(FormatError::EndOfFile { line: next, expected: format!("the number of {what}").into() });
    };
    let known = int(count.trim_ascii()).and_then(|count| usize::try_from(count).ok());
    let count = known.ok_or_else(|| FormatError::expected(line, format!("the number of {what}"), count))?;
    Ok(Listed { rows: lines.collect(), count, next })
}

fn starts(bytes: &[u8], grid: &Grid, (team, motion): (usize, Motion)) -> Result<Vec<Agent>, FormatError> {
    let Listed { rows, next, .. } = listed(bytes, "starts")?;
    if rows.len() < team {
        return Err(FormatError::EndOfFile { line: next, expected: format!("{team} starts").into() });
    }
    let mut taken = vec![None; grid.len()];
    let agent = |(place, (line, row)): (usize, &(usize, &[u8]))| {
        let start = open_cell(grid, *line, row)?;
        let id = grid.id(start).unwrap_or_default();
        if let Some(first) = taken[id.index()].replace(*line) {
            let expected = format!("a start of its own, which {start} is not: line {first} has it too");
            return Err(FormatError::expected(*line, expected, row));
        }
        Ok(Agent { motion, ..Agent::new(place as u32, start, Task::Errands(Vec::new())) })
    };
    rows[..team].iter().enumerate().map(agent).collect()
}

fn tasks(bytes: &[u8], grid: &Grid) -> Result<Vec<Vec<Cell>>, FormatError> {
    let Listed { rows, count, next } = listed(bytes, "tasks")?;
    if rows.len() < count.max(1) {
        return Err(FormatError::EndOfFile {
            line: next,
            expected: format!("{} tasks", count.max(1)).into(),
        });
    }
    let stops = |&(line, row): &(usize, &[u8])| {
        let row = row.trim_ascii();
        // A comma may end a line.
        let stops = row.strip_suffix(b",").unwrap_or(row).split(|&byte| byte == b',');
        stops.map(|stop| open_cell(grid, line, stop)).collect()
    };
    rows[..count].iter().map(stops).collect()
}

/// The cell of a number, which has to be open ground.
fn open_cell(grid: &Grid, line: usize, text: &[u8]) -> Result<Cell, FormatError> {
    let (width, cells) = (grid.width(), grid.width() * grid.height());
    let number = int(text.trim_ascii()).and_then(|number| usize::try_from(number).ok());
    let number = number.filter(|&number| number < cells);
    let wrong = || format!("a cell from 0 to {}", cells - 1);
    let number = number.ok_or_else(|| FormatError::expected(line, wrong(), text))?;
    let cell = Cell::new((number % width) as i32, (number / width) as i32);
    if grid.is_open(cell) {
        Ok(cell)
    } else {
        Err(FormatError::expected(line, format!("open ground, which {cell} is not"), text))
    }
}
