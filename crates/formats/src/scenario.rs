//! Scenario files: world, rules, units and how to run them, as TOML.
//!
//! ```toml
//! name = "hallway"
//! about = "A parked unit must let another pass."
//! planner = "whca(window=16)"
//! ticks = 200
//! map = """
//! .....
//! @@.@@
//! """
//!
//! [terrain]            # optional; which letters are passable besides `.` and `G`
//! water = true
//!
//! [rules]              # optional
//! connectivity = 4     # or 8
//! timing = "uniform"   # or "metric"
//! hold_both = false
//! follow = false
//!
//! [[unit]]
//! start = [0, 0]
//! goal = [4, 0]        # or goals = [[2, 0], [4, 0]], or patrol = [4, 0] with rounds = 5
//!                      # or hold = true, or errands = true; with [sight] also explore = true or find = [4, 0]
//! priority = 1         # optional, as are team, body, period and planner
//! run = 2              # optional: ticks per step at a run; or turning = 3 with heading = "E" for a car
//! ```
//!
//! Instead of `map` a file may have `map_file = "hall.map"`; the caller loads it. A direction map that was learned before is
//! in `directions_file = "hall.dir"`, or as `directions = """…"""` in the file itself (see [`directions`](crate::directions)).
//! Everything but the map has a default; unknown keys are errors.
//!
//! ```
//! use throng_formats::scenario;
//!
//! let text = "map = '..@'\n[[unit]]\nstart = [0, 0]\ngoal = [1, 0]\n";
//! let setup = scenario::parse(text, &mut scenario::no_files)?;
//! assert_eq!(setup.scenario.agents().len(), 1);
//! assert_eq!(scenario::parse(&scenario::write(&setup), &mut scenario::no_files)?, setup);
//!
//! let text = text.replace("[1, 0]", "[2, 0]");
//! let error = scenario::parse(&text, &mut scenario::no_files).unwrap_err();
//! assert_eq!(error.to_string(), "line 4: agent 0: goal (2,0) is blocked terrain ('@')");
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod blame;
mod delays;
mod errands;
mod learned;
mod read;
mod terrain;
mod wire;
mod write;

pub use read::{Faults, Lines, parse, parse_all, parse_with_lines};
pub use write::write;

/// For [`parse`] where a scenario must bring its own map: refuses every other file.
pub fn no_files(_name: &str) -> Result<Vec<u8>, String> {
    Err("no files are read here: put it into the scenario".into())
}
