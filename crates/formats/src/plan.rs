//! Plan files: where everybody is at every tick, under uniform timing with 1×1 bodies.
//!
//! ```text
//! agents=2
//! solver=whca
//! starts=(0,0),(2,0),
//! goals=(1,0),(2,1),
//! solution=
//! 0:(0,0),(2,0),
//! 1:(1,0),(2,1),
//! ```
//!
//! Plans of other programs come as lines of cells or of moves for each agent: [`read`] knows all of them by how they begin, and
//! [`write_as`] writes them.
//!
//! Any `key=value` lines may come before `solution=`. A reader keeps what is written, sensible or not:
//! whether a plan is valid is for the judge, which takes [`PlanFile::steps`] as they are.
//!
//! ```
//! use throng_core::{Action, Dir};
//! use throng_formats::plan;
//!
//! let text = "agents=1\nstarts=(0,0),\ngoals=(1,0),\nsolution=\n0:(0,0),\n1:(1,0),\n";
//! let file = plan::parse(text.as_bytes())?;
//! assert_eq!(file.paths()?.paths[0].actions, [Action::Go(Dir::E)]);
//! assert_eq!(plan::write(&file), text);
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod arrows;
mod cells;
mod dialect;
mod moves;
mod table;

pub use dialect::{Dialect, read, write_as};

use crate::FormatError;
use crate::lines::{Lines, int, is_blank};
use std::fmt::Write as _;
use throng_core::{Action, AgentId, Cell, Path, Plan, Scenario, Tick, Timing};

/// What a plan file holds.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PlanFile {
    /// Keys and values in the order of the file. A key holds no `=` and is none of `starts`, `goals` and
    /// `solution`; neither key nor value holds line ends.
    pub header: Vec<(String, String)>,
    /// Where each agent begins, as the file says.
    pub starts: Vec<Cell>,
    /// Where each agent has to go, as the file says.
    pub goals: Vec<Cell>,
    /// By tick, then by agent: where it is.
    pub steps: Vec<Vec<Cell>>,
}

impl PlanFile {
    /// The file of a plan, up to the tick at which the last agent has arrived. Fails where a plan file
    /// cannot hold it: metric timing, larger bodies, a path too many or too few.
    pub fn from_plan(
        scenario: &Scenario,
        plan: &Plan,
        header: Vec<(String, String)>,
    ) -> Result<Self, FormatError> {
        let (rules, agents) = (scenario.rules(), scenario.agents());
        let refuse = |found: String| Err(FormatError::NotAPlanFile { found: found.into() });
        if rules.timing != Timing::Uniform {
            return refuse("metric timing".into());
        }
        if let Some(agent) = agents.iter().find(|agent| agent.body != 1) {
            return refuse(format!("agent {} of {body}×{body}", agent.id, body = agent.body));
        }
        if plan.paths.len() != agents.len() {
            return refuse(format!("{} paths for {} agents", plan.paths.len(), agents.len()));
        }
        let arrivals = agents.iter().zip(&plan.paths).map(|(a, path)| path.arrival(a.actions(rules)));
        let last = arrivals.max().unwrap_or(0);
        let mut at: Vec<Cell> = plan.paths.iter().map(|path| path.start).collect();
        let mut steps = vec![at.clone()];
        for tick in 0..last as usize {
            for (cell, path) in at.iter_mut().zip(&plan.paths) {
                *cell = cell.after(path.actions.get(tick).copied().unwrap_or_default());
            }
            steps.push(at.clone());
        }
        let starts = agents.iter().map(|agent| agent.start).collect();
        let goals = agents.iter().map(|agent| agent.waypoints().last()).collect();
        Ok(Self { header, starts, goals, steps })
    }

    /// The plan as paths. Fails at the first jump to a cell that is not a neighbour; without any step
    /// everybody stays at its start.
    pub fn paths(&self) -> Result<Plan, FormatError> {
        let first = self.steps.first().unwrap_or(&self.starts);
        let mut paths: Vec<Path> = first
            .iter()
            .map(|&start| Path { start, actions: Vec::with_capacity(self.steps.len()) })
            .collect();
        for (tick, pair) in self.steps.windows(2).enumerate() {
            let line = self.line_of(tick as Tick + 1);
            if pair[1].len() != paths.len() {
                return Err(FormatError::CellCount { line, expected: paths.len(), found: pair[1].len() });
            }
            for (place, path) in paths.iter_mut().enumerate() {
                let (from, to) = (pair[0][place], pair[1][place]);
                let action = between(from, to).ok_or(FormatError::Jump {
                    line,
                    agent: AgentId(place as u32),
                    tick: tick as Tick,
                    from,
                    to,
                })?;
                path.actions.push(action);
            }
        }
        Ok(Plan { paths })
    }

    /// The line on which the positions at `tick` stand, from 1.
    #[must_use]
    pub const fn line_of(&self, tick: Tick) -> usize {
        // After the header come `starts`, `goals` and `solution`, one line each.
        self.header.len() + 4 + tick as usize
    }

    /// The first value of `key` in the header.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

/// The text of a plan file. Line ends in keys and values become spaces.
#[must_use]
pub fn write(file: &PlanFile) -> String {
    let mut out = String::new();
    for (key, value) in &file.header {
        let line = format!("{key}={value}").replace(['\n', '\r'], " ");
        out.push_str(&line);
        out.push('\n');
    }
    for (key, cells) in [("starts=", &file.starts), ("goals=", &file.goals)] {
        out.push_str(key);
        cells::write(cells, &mut out);
    }
    out.push_str("solution=\n");
    for (tick, cells) in file.steps.iter().enumerate() {
        let _ = write!(out, "{tick}:");
        cells::write(cells, &mut out);
    }
    out
}

/// Reads a plan file.
pub fn parse(bytes: &[u8]) -> Result<PlanFile, FormatError> {
    let mut lines = Lines::new(bytes);
    let mut file = PlanFile::default();
    let (mut starts, mut goals) = (None, None);
    let solution = loop {
        let Some((line, text)) = lines.next() else {
            return Err(FormatError::EndOfFile { line: lines.next_number(), expected: "`solution=`".into() });
        };
        let equals = text.iter().position(|&b| b == b'=').filter(|&at| at > 0);
        let Some(equals) = equals else {
            return Err(FormatError::expected(line, "`key=value` or `solution=`", text));
        };
        let (key, value) = (&text[..equals], &text[equals + 1..]);
        let slot = match key {
            b"starts" => &mut starts,
            b"goals" => &mut goals,
            b"solution" if is_blank(value) => break line,
            b"solution" => return Err(FormatError::expected(line, "nothing after `solution=`", value)),
            _ => {
                file.header.push((utf8(key, line)?, utf8(value, line)?));
                continue;
            }
        };
        if slot.is_some() {
            return Err(FormatError::expected(line, "starts and goals only once", text));
        }
        *slot = Some((line, cells::parse(value, line, equals + 2)?));
    };
    let missing = |what: &'static str| FormatError::Expected {
        line: solution,
        expected: what.into(),
        found: "`solution=`".into(),
    };
    let (_, starts) = starts.ok_or_else(|| missing("`starts=` first"))?;
    let (line, goals) = goals.ok_or_else(|| missing("`goals=` first"))?;
    if goals.len() != starts.len() {
        return Err(FormatError::CellCount { line, expected: starts.len(), found: goals.len() });
    }
    (file.starts, file.goals) = (starts, goals);
    steps(&mut lines, &mut file)?;
    Ok(file)
}

/// Reads the lines `tick:cells` up to the end; only blank lines may follow.
fn steps(lines: &mut Lines<'_>, file: &mut PlanFile) -> Result<(), FormatError> {
    while let Some((line, text)) = lines.next() {
        if is_blank(text) {
            return match lines.find(|(_, text)| !is_blank(text)) {
                Some((line, text)) => Err(FormatError::expected(line, "nothing after a blank line", text)),
                None => Ok(()),
            };
        }
        let colon = text.iter().position(|&b| b == b':').unwrap_or(0);
        let Some(found) = int(&text[..colon]).and_then(|n| Tick::try_from(n).ok()) else {
            return Err(FormatError::expected(line, "a tick and `:`", text));
        };
        let expected = file.steps.len() as Tick;
        if found != expected {
            return Err(FormatError::TickOrder { line, expected, found });
        }
        let cells = cells::parse(&text[colon + 1..], line, colon + 2)?;
        if cells.len() != file.starts.len() {
            return Err(FormatError::CellCount { line, expected: file.starts.len(), found: cells.len() });
        }
        file.steps.push(cells);
    }
    Ok(())
}

/// The action from one cell to the next, which is none across the ends of the numbers.
fn between(from: Cell, to: Cell) -> Option<Action> {
    to.x.checked_sub(from.x)?;
    to.y.checked_sub(from.y)?;
    Action::between(from, to)
}

fn utf8(bytes: &[u8], line: usize) -> Result<String, FormatError> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| FormatError::NotUtf8 { line })
}
