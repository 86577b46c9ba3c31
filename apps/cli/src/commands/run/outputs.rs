//! The files that a run may write.

use super::Args;
use crate::apart::{Named, keep_apart};
use crate::error::CliError;
use crate::output::{Output, ends_in};
use crate::simulate::Run;
use crate::table::facts;
use std::path::Path;
use throng::Session;
use throng::core::{Directions, Tick};
use throng::formats::space::{self, trace::SpaceTraceFile};
use throng::formats::trace::{self, TraceFile};
use throng::formats::{directions, league};
use throng_lab::Arrows;
use throng_picture::{GifOptions, Lessons, PictureError, draw_space, write_arrows, write_gif, write_png};

/// Where everything goes that a run may write.
pub(super) struct Outputs {
    pub(super) trace: Option<Output>,
    pub(super) gif: Option<Output>,
    pub(super) directions: Option<Output>,
    pub(super) save: Option<(Output, Tick)>,
    /// What the tools of the League of Robot Runners read.
    pub(super) league: Option<Output>,
}

impl Outputs {
    pub(super) fn of(args: &Args) -> Result<Self, CliError> {
        let save = Output::wanted(args.save.as_deref())?.zip(args.at);
        let trace = Output::wanted(args.trace.as_deref())?;
        let gif = args.gif.as_deref().map(|path| Output::of_kind(path, &["gif", "png"], ".gif or .png"));
        let directions = args.directions.as_deref().map(|path| {
            let expected = ".dir (what was learned), .svg or .png (a picture of it)";
            Output::of_kind(path, &["dir", "svg", "png"], expected)
        });
        let league = Output::wanted(args.league.as_deref())?;
        let outputs =
            Self { trace, gif: gif.transpose()?, directions: directions.transpose()?, save, league };
        outputs.spare(&[("FILE", args.file.as_deref()), ("--resume", args.resume.as_deref())])?;
        Ok(outputs)
    }

    /// Whether all that happens has to be kept.
    pub(super) const fn keep_all(&self) -> bool {
        self.trace.is_some() || self.gif.is_some() || self.league.is_some()
    }

    /// Makes sure that nothing is written over `inputs`, nor twice to one place.
    pub(super) fn spare(&self, inputs: &[Named<'_>]) -> Result<(), CliError> {
        let save = self.save.as_ref().map(|(output, _)| output);
        let all = [
            ("--save", save),
            ("--trace", self.trace.as_ref()),
            ("--gif", self.gif.as_ref()),
            ("--directions", self.directions.as_ref()),
            ("--league", self.league.as_ref()),
        ];
        keep_apart(inputs, &all.map(|(option, output)| (option, output.map(Output::path))))
    }

    /// What was written, for people.
    pub(super) fn text(&self) -> String {
        let save = self.save.as_ref().map(|(output, _)| output);
        let written = [
            ("trace", self.trace.as_ref()),
            ("picture", self.gif.as_ref()),
            ("directions", self.directions.as_ref()),
            ("saved", save),
            ("league", self.league.as_ref()),
        ];
        let named = |(what, output): (&'static str, Option<&Output>)| {
            output.map(|output| (what, output.path().display().to_string()))
        };
        facts(written.into_iter().filter_map(named))
    }

    /// Hears what a direction map learns, if there is to be a picture with its arrows.
    pub(super) fn lessons(&self, session: &Session) -> Option<Lessons> {
        self.gif.as_ref().and_then(|_| Lessons::of(session.scenario().grid()))
    }

    /// What was learned, if it is to be written; planners that learn nothing are an error then.
    pub(super) fn check_directions(
        &self,
        session: &Session,
    ) -> Result<Option<(&Output, Directions)>, CliError> {
        let Some(output) = &self.directions else { return Ok(None) };
        let path = output.path().to_owned();
        let none = || CliError::NoDirections { path, planners: planners_of(session) };
        Ok(Some((output, session.directions().ok_or_else(none)?)))
    }

    /// Saves what there is if this is the tick to do so.
    pub(super) fn save_at(&self, tick: Tick, save: impl FnOnce() -> Vec<u8>) -> Result<(), CliError> {
        match &self.save {
            Some((output, at)) if tick == *at => output.write(&save()),
            _ => Ok(()),
        }
    }

    /// A run that was never at the tick to save at has saved nothing, which nobody should find out later.
    pub(super) fn check_saved(&self, from: Tick, to: Tick) -> Result<(), CliError> {
        match &self.save {
            Some((output, at)) if !(from..=to).contains(at) => {
                Err(CliError::NeverAt { path: output.path().to_owned(), from, to, at: *at })
            }
            _ => Ok(()),
        }
    }

    /// Writes pictures, what was learned, and the trace. `drawn` is what pictures show besides the units.
    pub(super) fn write(&self, session: &Session, run: &Run, drawn: &GifOptions) -> Result<(), CliError> {
        let planner = planners_of(session);
        if let Some(output) = &self.gif {
            let png = ends_in(output.path(), "png");
            let options = GifOptions { title: planner.clone(), ..drawn.clone() };
            let bytes = picture(run, &options, png)
                .map_err(|why| CliError::Picture { path: output.path().to_owned(), why })?;
            output.write(&bytes)?;
        }
        if let Some((output, learned)) = self.check_directions(session)? {
            let bytes = arrows(session, learned, &planner, output.path())
                .map_err(|why| CliError::Picture { path: output.path().to_owned(), why })?;
            output.write(&bytes)?;
        }
        if let Some(output) = &self.league {
            output.write(
                league::write(&run.scenario, &run.trace, run.report.is_valid(), &run.seconds).as_bytes(),
            )?;
        }
        if let Some(output) = &self.trace {
            let (seed, state_hash) = (session.options().seed, session.state().hash());
            let (scenario, trace) = (run.scenario.clone(), run.trace.clone());
            output.write(&trace::write(&TraceFile { scenario, planner, seed, state_hash, trace }))?;
        }
        Ok(())
    }
}

impl Outputs {
    /// Writes the picture and the trace of a world in continuous space, if they are wanted.
    pub(super) fn write_space(&self, file: &SpaceTraceFile, title: &str) -> Result<(), CliError> {
        if let Some(output) = &self.gif {
            let png = ends_in(output.path(), "png");
            let options = GifOptions { title: title.to_owned(), ..GifOptions::default() };
            let bytes = draw_space(&file.scene, &file.trace, &options, png)
                .map_err(|why| CliError::Picture { path: output.path().to_owned(), why })?;
            output.write(&bytes)?;
        }
        self.trace.as_ref().map_or(Ok(()), |output| output.write(&space::trace::write(file)))
    }
}

/// What was learned, in the form that the name asks for.
fn arrows(session: &Session, learned: Directions, title: &str, path: &Path) -> Result<Vec<u8>, PictureError> {
    let grid = session.scenario().grid();
    let mut bytes = Vec::new();
    if ends_in(path, "dir") {
        bytes = directions::write(&learned).into_bytes();
    } else if ends_in(path, "png") {
        write_arrows(&mut bytes, grid, &learned, title)?;
    } else {
        let (file, title, grid) = (String::new(), title.to_owned(), grid.clone());
        bytes = Arrows { file, title, grid, directions: learned }.svg().into_bytes();
    }
    Ok(bytes)
}

/// The planners of a session, as people write them; one that several teams have is named once.
pub(in crate::commands) fn planners_of(session: &Session) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in session.planners() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" + ")
}

/// A picture of a run; `png` makes it a still one of how it ended.
pub(in crate::commands) fn picture(
    run: &Run,
    options: &GifOptions,
    png: bool,
) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::new();
    if png {
        write_png(&mut bytes, &run.scenario, &run.trace, run.trace.ticks(), options)?;
    } else {
        write_gif(&mut bytes, &run.scenario, &run.trace, options)?;
    }
    Ok(bytes)
}
