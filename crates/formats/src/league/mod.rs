//! The League of Robot Runners: its problems, and what its tools read of a run.
//!
//! A problem is a JSON file that names three others beside it: a map, a list of starts, and a list of errands, each a list of
//! cells. A cell is one number, row × width + column. So many errands as `numTasksReveal` times `teamSize` are open at a time; when
//! the list is at its end, it begins again. `actionModel` may be `MAPF` (the default) or `MAPF_T`, where units turn before they go; `delayConfig` says how often units slip, and how long:
//! each length is as likely, whatever the model. What such a file says of the time that actions take is not read.
//!
//! A run is told as JSON too: where everybody began, what it did at each tick, and what became of errands.
//!
//! ```
//! use throng_formats::league;
//!
//! let problem = r#"{"mapFile": "m", "agentFile": "a", "taskFile": "t", "teamSize": 1, "numTasksReveal": 2}"#;
//! let mut files = |name: &str| Ok(match name {
//!     "m" => b"type octile\nheight 1\nwidth 3\nmap\n.E.\n".to_vec(),
//!     "a" => b"1\n0\n".to_vec(),
//!     _ => b"1\n2,1\n".to_vec(),
//! });
//! let setup = league::parse(problem.as_bytes(), &mut files)?;
//! assert_eq!(setup.scenario.agents().len(), 1);
//!
//! let short = problem.replace(r#""teamSize": 1"#, r#""teamSize": 2"#);
//! let error = league::parse(short.as_bytes(), &mut files).unwrap_err();
//! assert_eq!(error.to_string(), "line 1: agentFile \"a\": line 3: the file ends where 2 starts should be");
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod read;
mod write;

pub use read::{is_league, parse};
pub use write::write;
