//! Worlds in continuous space: scenario files with a `[space]` instead of a map, and traces of what happened in them.
//!
//! ```toml
//! name = "door"
//! ticks = 2000             # steps
//!
//! [space]
//! size = [30.0, 20.0]
//! sampling = "lattice"     # optional, as is everything else here: ways around walls over points of a lattice
//! spacing = 1.0
//!
//! [[wall]]
//! rectangle = [14.0, 0.0, 16.0, 8.0]   # least x and y, most x and y; or corners = [[…], …]
//!
//! [[body]]
//! disc = 0.5               # or rectangle = [length, width], or corners = [[…], …] about (0, 0)
//! start = [3.0, 10.0]
//! goal = [27.0, 10.0]      # or goals, patrol with rounds, or hold
//! ```
//!
//! ```
//! use throng_formats::space;
//!
//! let text = "[space]\nsize = [9, 5]\n[[body]]\ndisc = 0.5\nstart = [1, 1]\ngoal = [8, 4]\n";
//! let (scene, lines) = space::parse(text)?;
//! assert_eq!((scene.bodies.len(), lines.bodies[0]), (1, 3));
//! assert_eq!(space::parse(&space::write(&scene))?.0, scene);
//!
//! let error = space::parse(&text.replace("0.5", "nan")).unwrap_err();
//! assert_eq!(error.to_string(), "line 4: radius NaN: expected 0.001 to 10000");
//! # Ok::<(), throng_formats::FormatError>(())
//! ```

mod read;
pub mod trace;
mod wire;
mod write;

pub use read::{Lines, is_space, parse};
pub use write::write;
