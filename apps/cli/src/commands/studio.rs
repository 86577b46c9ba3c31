//! `throng studio`: a page to draw worlds and watch them run.

use crate::answer::Answer;
use crate::error::CliError;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::path::PathBuf;
use throng_studio::{Options, Studio};

const EXAMPLES: &str = "\
Examples:
  throng studio
  throng studio scenarios/yard.toml --port 8080
  throng studio --trace run.trace
  throng studio --bind 0.0.0.0 --token \"$(openssl rand -hex 16)\"

Documents are kept in .throng-studio in the working folder. Ctrl-C ends it. docs/studio.md tells what pages and server say
to each other; everything works without a page, too:
  curl -d '{\"do\":\"open\",\"builtin\":\"bridge\"}' 'http://127.0.0.1:7878/api/do'";

/// Draw worlds and watch them run, in a browser
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A scenario file (TOML) to begin with [default: what was kept, or a built-in scenario]
    file: Option<PathBuf>,
    /// The address to listen at; others than this machine's own need --token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The port to listen at; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7878)]
    port: u16,
    /// What everybody has to know who comes: it is part of the address
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Show a recorded run, as `throng run --trace` writes it
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The working folder: nothing outside of it is read or written by pages
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    dir: PathBuf,
    /// Do not keep documents, and do not take them up again
    #[arg(long)]
    no_autosave: bool,
}

pub(crate) fn studio(args: &Args) -> Result<Answer, CliError> {
    let options = Options {
        bind: args.bind,
        port: args.port,
        token: args.token.clone(),
        trace: args.trace.clone(),
        file: args.file.clone(),
        folder: args.dir.clone(),
        autosave: !args.no_autosave,
    };
    let token = args.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
    throng_studio::serve(options, |studio| announce(studio, &token))?;
    Ok(Answer::done(String::new()))
}

/// Tells where it is, at once: it goes on until somebody ends it.
fn announce(studio: &Studio, token: &str) {
    let (mut out, address) = (io::stdout().lock(), studio.address());
    for note in studio.notes() {
        let _ = writeln!(io::stderr(), "{note}");
    }
    // Who cannot read it may still know it.
    let _ = writeln!(out, "http://{address}/{token}").and_then(|()| out.flush());
}
