//! Files that commands read.

use crate::error::CliError;
use crate::output::note;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use throng::continuous::{ExpeditionError, SpaceError, World};
use throng::core::space::Scene;
use throng::core::{AgentId, Grid, Rules, Scenario, TerrainPolicy};
use throng::formats::plan::PlanFile;
use throng::formats::scenario::Lines;
use throng::formats::space::trace::SpaceTraceFile;
use throng::formats::trace::TraceFile;
use throng::formats::{FormatError, directions, league, line_of, maps, plan, scen, scenario, space, trace};
use throng::planners::registry::{self, Context};
use throng::space::SceneError;
use throng::{Error, Options, Session, Setup};

/// No file that a command reads is longer; a device or a wrong file must not fill the memory.
const LONGEST: u64 = 1 << 29;

/// The bytes of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    let bytes = read(path).map_err(|why| CliError::Read { path: path.to_owned(), why })?;
    if bytes.len() as u64 > LONGEST {
        return Err(CliError::TooLong { path: path.to_owned(), limit: LONGEST });
    }
    Ok(bytes)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::with_capacity(file.metadata().map_or(0, |m| m.len().min(LONGEST) as usize));
    file.by_ref().take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A map of any kind. The files that it names are looked for beside it.
pub(crate) fn map_file(path: &Path) -> Result<Grid, CliError> {
    let bytes = bytes(path)?;
    maps::parse(&bytes, TerrainPolicy::default(), &mut beside(path)).map_err(blame(path, &bytes))
}

/// How large the cells of a map are, if it says so, in metres.
pub(crate) fn resolution(path: &Path) -> Result<Option<f64>, CliError> {
    let bytes = bytes(path)?;
    let place = maps::place(&bytes, &mut beside(path)).map_err(blame(path, &bytes))?;
    Ok(place.map(|place| place.resolution))
}

/// Terrain, units and wishes of a map that has them.
pub(crate) fn map_scenario(path: &Path) -> Result<Setup, CliError> {
    let bytes = bytes(path)?;
    let mut setup = maps::scenario(&bytes, &mut beside(path)).map_err(blame(path, &bytes))?;
    if setup.scenario.name().is_empty() {
        setup.scenario.set_name(name_of(path));
    }
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let own = setup.unit_planners.iter_mut().map(|(_, spec)| spec);
    for spec in setup.planner.iter_mut().chain(own) {
        *spec = planner(spec, &folder)?;
    }
    Ok(setup)
}

/// Loads files that another one names.
fn beside(path: &Path) -> impl FnMut(&str) -> Result<Vec<u8>, String> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    move |name| read(&folder.join(name)).map_err(|why| why.to_string())
}

/// The one-shot problem of the first `agents` rows of a `.scen` file on a map, or of the map's own units.
pub(crate) fn problem(
    map: &Path,
    scen: Option<&Path>,
    agents: usize,
    rules: Rules,
) -> Result<Scenario, CliError> {
    let Some(scen) = scen else { return own_problem(map, agents, rules) };
    let grid = map_file(map)?;
    let bytes = bytes(scen)?;
    let name = map.file_stem().unwrap_or_default().to_string_lossy();
    let rows = scen::parse_first(&bytes, agents).map_err(blame(scen, &bytes))?;
    if let Some(row) = rows.iter().find(|row| !is_named(map, row.map)) {
        // It may be the same map by another name.
        let (scen, map) = (scen.display(), map.display());
        note(&format!("warning: {scen}, line {}: made for map {:?}, not for {map}", row.line, row.map));
    }
    scen::scenario(name, grid, rules, &rows, agents).map_err(blame(scen, &bytes))
}

/// The one-shot problem of the first units that a map itself has.
fn own_problem(map: &Path, agents: usize, rules: Rules) -> Result<Scenario, CliError> {
    let own = map_scenario(map)?.scenario;
    let found = own.agents().len();
    if found < agents {
        return Err(blame(map, &[])(FormatError::TooFewAgents { asked: agents, found }));
    }
    let agents = own.agents()[..agents].to_vec();
    let scenario = Scenario::new(own.name(), own.grid().clone(), rules, agents);
    scenario.map_err(|why| CliError::Blamed {
        path: map.to_owned(),
        line: None,
        why: Box::new(throng::Error::from(why).into()),
    })
}

/// Whether a map has the name that somebody gave it, wherever it is.
fn is_named(map: &Path, name: &str) -> bool {
    let own = map.file_name().unwrap_or_default().to_string_lossy();
    name.rsplit(['/', '\\']).next().is_some_and(|name| name.eq_ignore_ascii_case(&own))
}

/// A planner as it is written, with what `weights=FILE` names put into it; the file is looked for in `folder`.
pub(crate) fn planner(spec: &str, folder: &Path) -> Result<String, CliError> {
    throng_lab::expand(spec, folder, bytes)
}

/// A scenario that was read from a file, and where in it things stand.
pub(crate) struct ScenarioFile {
    pub(crate) setup: Setup,
    /// The files that it names, by key.
    pub(crate) files: Vec<(&'static str, PathBuf)>,
    path: PathBuf,
    text: String,
    lines: Lines,
}

impl ScenarioFile {
    /// A session of it. What is wrong with its units or planners is told with the line, unless the command line names
    /// the planner.
    pub(crate) fn session(self, options: &Options) -> Result<Session, CliError> {
        Session::new(self.setup.clone(), options).map_err(|why| match why {
            Error::Spec(_) if options.planner.is_some() => why.into(),
            why => blame_at(&self.path, &self.text, self.line(&why, options), why),
        })
    }

    /// Says in which file, and where if that is one line, what keeps it from running in continuous space.
    pub(crate) fn blame(&self, why: CliError) -> CliError {
        let Self { text, lines, path, .. } = self;
        let unit = |agent: AgentId| lines.units.get(agent.index()).copied();
        let line = match &why {
            CliError::NoScene(why) => match why {
                SceneError::Changing => line_of(text, "event", 0, &["at"]),
                SceneError::Unseen => lines.sight,
                SceneError::Antagonist { planner, .. } => lines.of_planner(&self.setup, planner),
                SceneError::Body { agent, .. } | SceneError::Errands { agent } => unit(*agent),
                SceneError::Expedition(ExpeditionError::Space(why)) => why.agent().and_then(unit),
                SceneError::Expedition(_) => lines.sight,
            },
            CliError::Space(why) => why.agent().and_then(unit),
            _ => return why,
        };
        blame_at(path, text, line, why)
    }

    /// The line to blame.
    fn line(&self, why: &Error, options: &Options) -> Option<usize> {
        let Self { setup, lines, .. } = self;
        let planner = |spec: &str| lines.of_planner(setup, spec).filter(|_| options.planner.is_none());
        match why {
            Error::Unreachable(why) => lines.units.get(why.agent.index()).copied(),
            Error::Unsupported { planner: spec, .. } | Error::OneShotShared { planner: spec, .. } => {
                planner(spec)
            }
            Error::Spec(_) => {
                let own = setup.unit_planners.iter().map(|(_, spec)| spec);
                let mut specs = setup.planner.iter().chain(own);
                let fits = |spec: &str| registry::fits(spec, &setup.scenario, &Context::default());
                specs.find(|spec| fits(spec).is_err()).and_then(|spec| planner(spec))
            }
            _ => None,
        }
    }
}

/// A world in continuous space that was read from a file, and where in it things stand.
pub(crate) struct SceneFile {
    pub(crate) scene: Scene,
    path: PathBuf,
    text: String,
    lines: space::Lines,
}

impl SceneFile {
    /// The world of it, or of what was made of it. What is wrong with its bodies is told with the line.
    pub(crate) fn world(self) -> Result<World, CliError> {
        let Self { scene, path, text, lines } = self;
        World::of(scene).map_err(|why| {
            let table = why.agent().map_or(lines.space, |agent| lines.bodies[agent.index()]);
            let line = line_of_value(&text, &why).unwrap_or(table);
            blame_at(&path, &text, Some(line), why)
        })
    }
}

/// The line of the value that a world cannot have.
fn line_of_value(text: &str, why: &SpaceError) -> Option<usize> {
    let body = |agent: AgentId, keys: &[&str]| line_of(text, "body", agent.index(), keys);
    match *why {
        SpaceError::NoPoint { agent, role: "start", .. }
        | SpaceError::InWall { agent, role: "start", .. }
        | SpaceError::Overlap { agent, .. } => body(agent, &["start"]),
        SpaceError::NoPoint { agent, .. }
        | SpaceError::InWall { agent, .. }
        | SpaceError::NoGoals { agent } => body(agent, &["goal", "goals", "patrol"]),
        SpaceError::BadHeading { agent, .. } => body(agent, &["heading"]),
        SpaceError::BadSpeed { agent, .. } => body(agent, &["speed"]),
        SpaceError::NoRounds { agent } => body(agent, &["rounds"]),
        SpaceError::BadBorder { .. } => line_of(text, "space", 0, &["size", "corners"]),
        SpaceError::BadSetting { setting, .. } => line_of(text, "space", 0, &[setting]),
        SpaceError::DoorOutside { door } | SpaceError::DoorInWall { door, .. } => {
            line_of(text, "door", door as usize, &["rectangle", "corners"])
        }
        SpaceError::NoDoor { .. } | SpaceError::Unknown { .. } | SpaceError::TooMany { .. } => None,
    }
}

/// Says in which file something is wrong, and shows the line if there is one to blame.
fn blame_at(path: &Path, text: &str, line: Option<usize>, why: impl Into<CliError>) -> CliError {
    let quoted = |line: usize| (line, text.lines().nth(line.wrapping_sub(1)).unwrap_or_default().to_owned());
    CliError::Blamed { path: path.to_owned(), line: line.map(quoted), why: Box::new(why.into()) }
}

/// A scenario file: of a grid, or of continuous space.
pub(crate) enum AnyScenario {
    Grid(Box<ScenarioFile>),
    Space(Box<SceneFile>),
}

/// A scenario file of either kind.
pub(crate) fn any_scenario(path: &Path) -> Result<AnyScenario, CliError> {
    let bytes = bytes(path)?;
    let drawn = maps::Kind::of(&bytes) == maps::Kind::Tiled;
    if drawn {
        let setup = map_scenario(path)?;
        let (path, lines) = (path.to_owned(), Lines::default());
        let file = ScenarioFile { setup, files: Vec::new(), path, text: String::new(), lines };
        return Ok(AnyScenario::Grid(Box::new(file)));
    }
    if league::is_league(&bytes) {
        return league_problem(path, &bytes).map(|file| AnyScenario::Grid(Box::new(file)));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) if space::is_space(text) => {
            let (mut scene, lines) = space::parse(text).map_err(blame(path, &bytes))?;
            if scene.name.is_empty() {
                scene.name = name_of(path);
            }
            let (path, text) = (path.to_owned(), text.to_owned());
            Ok(AnyScenario::Space(Box::new(SceneFile { scene, path, text, lines })))
        }
        _ => grid_scenario(path, &bytes).map(|file| AnyScenario::Grid(Box::new(file))),
    }
}

/// A trace: of a grid, or of continuous space.
pub(crate) enum AnyTrace {
    Grid(Box<TraceFile>),
    Space(Box<SpaceTraceFile>),
}

/// A trace of either kind.
pub(crate) fn any_trace(path: &Path) -> Result<AnyTrace, CliError> {
    let bytes = bytes(path)?;
    if bytes.starts_with(space::trace::MAGIC) {
        let file = space::trace::parse(&bytes).map_err(blame(path, &bytes))?;
        return Ok(AnyTrace::Space(Box::new(file)));
    }
    let file = trace::parse(&bytes).map_err(blame(path, &bytes))?;
    Ok(AnyTrace::Grid(Box::new(file)))
}

/// What to call a scenario that has no name.
fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A scenario file of a grid. The files that it names are looked for beside it.
fn grid_scenario(path: &Path, bytes: &[u8]) -> Result<ScenarioFile, CliError> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut files = Vec::new();
    let mut resolve = |name: &str| {
        let path = folder.join(name);
        let bytes = read(&path).map_err(|why| why.to_string())?;
        let learned = bytes.starts_with(directions::HEADER.as_bytes());
        files.push((if learned { "directions_file" } else { "map_file" }, path));
        Ok(bytes)
    };
    let text = std::str::from_utf8(bytes).map_err(|bad| {
        let line = 1 + bytes[..bad.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        blame(path, bytes)(FormatError::NotUtf8 { line })
    })?;
    let (mut setup, lines) = scenario::parse_with_lines(text, &mut resolve).map_err(blame(path, bytes))?;
    let agents = setup.scenario.agents();
    if let Some(team) = setup.scenario.sight().and_then(|sight| sight.team)
        && !agents.is_empty()
        && !agents.iter().any(|agent| agent.team == team)
    {
        let line = line_of(text, "sight", 0, &["team"]).or(lines.sight);
        return Err(blame_at(path, text, line, CliError::NobodySees { team }));
    }
    if setup.scenario.name().is_empty() {
        setup.scenario.set_name(name_of(path));
    }
    let own = setup.unit_planners.iter_mut().map(|(_, spec)| spec);
    let own = own.zip(lines.unit_planners.iter().map(|&(_, line)| Some(line)));
    for (spec, line) in setup.planner.iter_mut().map(|spec| (spec, lines.planner)).chain(own) {
        *spec = planner(spec, &folder).map_err(|why| blame_at(path, text, line, why))?;
    }
    Ok(ScenarioFile { setup, files, path: path.to_owned(), text: text.to_owned(), lines })
}

/// A problem of the League of Robot Runners. The files that it names are looked for beside it.
fn league_problem(path: &Path, bytes: &[u8]) -> Result<ScenarioFile, CliError> {
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut files = Vec::new();
    let mut resolve = |name: &str| {
        let path = folder.join(name);
        let bytes = read(&path).map_err(|why| why.to_string())?;
        files.push(("a file of the problem", path));
        Ok(bytes)
    };
    let mut setup = league::parse(bytes, &mut resolve).map_err(blame(path, bytes))?;
    setup.scenario.set_name(name_of(path));
    let text = String::from_utf8_lossy(bytes).into_owned();
    Ok(ScenarioFile { setup, files, path: path.to_owned(), text, lines: Lines::default() })
}

/// A plan file.
pub(crate) fn plan_file(path: &Path, scenario: &Scenario) -> Result<PlanFile, CliError> {
    let bytes = bytes(path)?;
    let starts: Vec<_> = scenario.agents().iter().map(|agent| agent.start).collect();
    let (_, file) = plan::read(&bytes, &starts).map_err(blame(path, &bytes))?;
    // Each agent that is missing would be a fault of its own.
    let found = file.steps.first().unwrap_or(&file.starts).len();
    if found != starts.len() {
        let (path, agents) = (path.to_owned(), starts.len());
        return Err(CliError::PlanOfOthers { path, found, agents });
    }
    Ok(file)
}

/// Says in which file an error is, and shows its line.
fn blame<'a>(path: &'a Path, bytes: &'a [u8]) -> impl Fn(FormatError) -> CliError + 'a {
    move |why| {
        let line = why.line().and_then(|line| bytes.split(|&b| b == b'\n').nth(line.checked_sub(1)?));
        CliError::Format {
            path: PathBuf::from(path),
            text: line.map(|text| String::from_utf8_lossy(text.trim_ascii_end()).into_owned()),
            hint: if why.line() == Some(1) { looks_like(bytes) } else { None },
            why: Box::new(why),
        }
    }
}

/// A file that is wrong from its first line on may be a good one of another kind.
fn looks_like(bytes: &[u8]) -> Option<&'static str> {
    if matches!(maps::Kind::of(bytes), maps::Kind::Picture | maps::Kind::Ros) {
        return Some("it looks like a map (see `map_file`, and `throng solve --map`)");
    }
    let kinds: [(&[u8], &str); 7] = [
        (b"type octile", "it looks like a map (.map)"),
        (b"version 1", "it looks like a list of starts and goals (.scen)"),
        (trace::MAGIC, "it looks like a trace (see `throng check --trace`)"),
        (space::trace::MAGIC, "it looks like a trace (see `throng check --trace`)"),
        (throng::continuous::MAGIC, "it looks like a saved world (see `throng run --resume`)"),
        (directions::HEADER.as_bytes(), "it looks like a direction map (see `directions_file`)"),
        (b"THRONG-SAVE", "it looks like a saved session (see `throng run --resume`)"),
    ];
    kinds.into_iter().find(|(begin, _)| bytes.starts_with(begin)).map(|(_, hint)| hint)
}
