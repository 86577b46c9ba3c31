//! What can go wrong, told so that a person can mend it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use throng::continuous::{BUILTINS, SpaceError};
use throng::core::Cell;
use throng::formats::FormatError;
use throng::space::SceneError;
use throng::worlds::generate::GenerateError;
use throng::worlds::{UnitsError, UnknownBuiltin};
use throng_lab::LabError;
use throng_picture::PictureError;
use throng_studio::StudioError;

/// Why a command did not do what it was asked for. All of these end with exit status 1.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    #[error("{}: cannot read it: {why}", path.display())]
    Read { path: PathBuf, why: io::Error },
    #[error("{}: more than {limit} bytes, which no file of this kind needs", path.display())]
    TooLong { path: PathBuf, limit: u64 },
    /// `text` is the line to blame.
    #[error("{}{}{why}", path.display(), if why.line().is_some() { ", " } else { ": " })]
    Format { path: PathBuf, why: Box<FormatError>, text: Option<String>, hint: Option<&'static str> },
    /// What shows only when the file is run, and the line to blame with its number, if it is one line.
    #[error("{}{}: {why}", path.display(), OfLine(line.as_ref()))]
    Blamed { path: PathBuf, line: Option<(usize, String)>, why: Box<CliError> },
    #[error("team {team} has to see the world, but no unit is of that team")]
    NobodySees { team: u16 },
    #[error(transparent)]
    Space(#[from] SpaceError),
    #[error(transparent)]
    NoScene(#[from] SceneError),
    #[error("{option} is for grids: {why}")]
    NotInSpace { option: &'static str, why: &'static str },
    #[error("{option} is for continuous space alone: expected --continuous with it, or a world of that kind")]
    OnlyInSpace { option: &'static str },
    #[error("{}: it is about continuous space, but the trace is of a grid", path.display())]
    OtherKind { path: PathBuf },
    #[error("{}: cannot write it: {why}", path.display())]
    Write { path: PathBuf, why: io::Error },
    #[error("{}: cannot write it: there is no folder {}", path.display(), folder.display())]
    NoFolder { path: PathBuf, folder: PathBuf },
    #[error("{}: not a kind that can be written: expected a name that ends in {expected}", path.display())]
    Kind { path: PathBuf, expected: &'static str },
    #[error("--cell: {} does not say how large its cells are, as maps of ROS do: expected --pixels", path.display())]
    NoResolution { path: PathBuf },
    #[error("{}: nothing to write: {planners} keeps no direction map", path.display())]
    NoDirections { path: PathBuf, planners: String },
    #[error("{}: cannot write it: it is a folder", path.display())]
    IsFolder { path: PathBuf },
    #[error("{}: {other} and {output} name the same file, which {output} would overwrite", path.display())]
    Overwrites { path: PathBuf, other: &'static str, output: &'static str },
    #[error("{}: a plan of {found} agents, expected one of {agents}: --agents and the plan have to be of one problem", path.display())]
    PlanOfOthers { path: PathBuf, found: usize, agents: usize },
    #[error(
        "{}: agent {agent} begins at {found} in this plan, expected {expected}: it is of another problem", path.display()
    )]
    PlanFromElsewhere { path: PathBuf, agent: usize, found: Cell, expected: Cell },
    #[error("cannot print the answer: {why}")]
    Print { why: io::Error },
    #[error("{}: {why}", path.display())]
    Snapshot { path: PathBuf, why: Box<throng::Error> },
    #[error("{}: {why}", path.display())]
    Picture { path: PathBuf, why: PictureError },
    #[error(transparent)]
    Engine(#[from] throng::Error),
    #[error(transparent)]
    Lab(#[from] LabError),
    #[error(transparent)]
    Studio(#[from] StudioError),
    #[error("{0}; in continuous space {spaces}", spaces = in_space())]
    Builtin(#[from] UnknownBuiltin),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error("{}: {why}", path.display())]
    Units { path: PathBuf, why: UnitsError },
    #[error("{}: the scenario has no units: expected at least one [[unit]]", path.display())]
    NoUnits { path: PathBuf },
    #[error("{}: nobody is there: expected at least one [[body]]", path.display())]
    NoBodies { path: PathBuf },
    #[error("no unit {unit}: expected 0 to {}", agents.saturating_sub(1))]
    NoSuchUnit { unit: u32, agents: usize },
    #[error(
        "--fog {unit}: that unit knows all of this world: expected one that has to see it, as [sight] says"
    )]
    NoFog { unit: u32 },
    #[error(
        "--plan-format moves: plans with diagonal steps have none: expected positions, arrows, or --connectivity 4"
    )]
    NoDiagonals,
    #[error(
        "{}: the session is at tick {at} already, so it cannot run until tick {until}: expected --ticks of more than {at}",
        path.display()
    )]
    Past { path: PathBuf, at: u64, until: u64 },
    #[error(
        "--league: expected units of one cell that take a tick for each of four moves, as the league has them"
    )]
    NotOfTheLeague,
    #[error("{}: nothing saved: the run went from tick {from} to {to} and was never at {at}", path.display())]
    NeverAt { path: PathBuf, from: u64, to: u64, at: u64 },
}

/// Which line, if it is one.
struct OfLine<'a>(Option<&'a (usize, String)>);

impl fmt::Display for OfLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |(line, _)| write!(f, ", line {line}"))
    }
}

impl CliError {
    /// For people: the message, the offending line with its number, and what may help.
    pub(crate) fn rendered(&self) -> String {
        let mut out = format!("error: {self}");
        if let Self::Format { why, text: Some(text), .. } = self
            && let Some(line) = why.line()
        {
            out += &quoted(line, why.column(), text);
        }
        if let Self::Blamed { line: Some((line, text)), .. } = self {
            out += &quoted(*line, None, text);
        }
        if let Some(hint) = self.hint() {
            out += "\n  help: ";
            out += hint;
        }
        out
    }

    const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Format { hint, .. } => *hint,
            Self::Lab(why) => why.hint(),
            Self::Engine(why) => hint_of(why),
            Self::Blamed { why, .. } => why.hint(),
            Self::NoDirections { .. } => Some("dm, dm-greedy and dm-whca do, pra and whca with wmax above 0"),
            _ => None,
        }
    }
}

/// The built-in worlds of continuous space.
fn in_space() -> String {
    BUILTINS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" and ")
}

const fn hint_of(why: &throng::Error) -> Option<&'static str> {
    match why {
        throng::Error::NoPlanner => Some("for example --planner 'whca(window=16)'"),
        throng::Error::Spec(_) => Some("`throng planners` tells all of them with their parameters"),
        _ => None,
    }
}

/// Longer lines are cut around the column to blame.
const WIDEST: usize = 100;

/// A line of a file with its number in the margin and a mark below the column to blame.
fn quoted(line: usize, column: Option<usize>, text: &str) -> String {
    let margin = line.to_string().len();
    let letters: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Columns count bytes; a mark that is off by a letter still shows where to look.
    let at = column.unwrap_or(1).saturating_sub(1).min(letters.len());
    let begin = at.saturating_sub(WIDEST / 2).min(letters.len().saturating_sub(WIDEST));
    let end = (begin + WIDEST).min(letters.len());
    let shown: String = letters[begin..end].iter().collect();
    let dots = |cut: bool| if cut { "…" } else { "" };
    let (before, after) = (dots(begin > 0), dots(end < letters.len()));
    let mut out = format!("\n  {line} | {before}{shown}{after}");
    if column.is_some() {
        let shift = at - begin + usize::from(begin > 0);
        out += &format!("\n  {:margin$} | {:shift$}^", "", "");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_is_marked() {
        assert_eq!(quoted(12, Some(3), "..?."), "\n  12 | ..?.\n     |   ^");
        assert_eq!(quoted(7, None, "height x"), "\n  7 | height x");
        assert_eq!(quoted(1, Some(9), "ab"), "\n  1 | ab\n    |   ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_column() {
        let mut text = ".".repeat(5000);
        text.replace_range(3000..3001, "?");
        let shown = quoted(1, Some(3001), &text);
        let lines: Vec<Vec<char>> = shown.lines().skip(1).map(|line| line.chars().collect()).collect();
        assert!(lines[0].len() < WIDEST + 10);
        let mark = lines[1].iter().position(|&c| c == '^').unwrap();
        assert_eq!(lines[0][mark], '?');
    }
}
