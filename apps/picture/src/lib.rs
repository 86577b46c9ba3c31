//! Pictures of runs: animated GIFs, still PNGs and SVGs.
//!
//! A picture shows terrain, every unit as a disc (a square if its body is larger than one cell), a ring
//! where it is going, a white centre once it is home, and a red outline in a tick in which its move
//! failed. Colours tell teams apart or, if all units are of one team, the ways they set out. Pictures
//! are made from a scenario and a trace alone, so they show what happened and nothing else; unless one unit
//! is to be explained, which then has a frame, with a line to what keeps it, to what keeps that, and so on; and unless
//! planners keep a direction map, whose arrows then lie below the units, a lane in the colour of those who go that way; and where units
//! have to see the world first, what one of them does not know is dark.
//! Pictures of continuous space are made from a scene and its trace in the same way.

mod chain;
mod fog;
mod font;
mod frames;
mod gif;
mod labels;
mod layout;
mod lessons;
mod palette;
mod png;
mod replay;
mod space;
mod stage;
mod svg;
mod terrain;
#[cfg(test)]
mod tests;

pub use self::fog::Fog;
pub use self::gif::write_gif;
pub use self::lessons::{Lessons, write_arrows};
pub use self::png::write_png;
pub use self::space::draw_space;
pub use self::svg::write_svg;

use self::labels::Labels;
use self::layout::Layout;
use self::stage::Stage;
use throng_core::{AgentId, Cell, Scenario, Tick};

/// How a picture is to look.
#[derive(Clone, Debug)]
pub struct GifOptions {
    /// Begins the caption; usually the planner's name.
    pub title: String,
    /// Speed.
    pub ticks_per_second: f32,
    /// Longer runs skip ticks evenly, and the caption says so.
    pub max_frames: u64,
    /// Neither width nor height of the map takes more pixels than this.
    pub width: u32,
    /// By tick: a unit, what keeps it, what keeps that; nobody after the last.
    pub chains: Vec<Vec<AgentId>>,
    /// By tick: what changed in the direction map, which is drawn below the units.
    pub lessons: Lessons,
    /// By tick: what somebody has seen; all that is drawn dark until then. Nothing is if this is empty.
    pub fog: Fog,
    /// By agent: when it had seen enough, if it explores.
    pub explored: Vec<Option<Tick>>,
    /// By tick: who was put elsewhere before anything of it began, which traces do not tell.
    pub placed: Vec<Placed>,
}

/// Somebody that was put elsewhere: when, who, and where.
pub type Placed = (Tick, AgentId, Cell);

impl Default for GifOptions {
    fn default() -> Self {
        Self {
            title: String::new(),
            ticks_per_second: 6.0,
            max_frames: 480,
            width: 640,
            chains: Vec::new(),
            lessons: Lessons::default(),
            fog: Fog::default(),
            explored: Vec::new(),
            placed: Vec::new(),
        }
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The trace is of another scenario.
    #[error("the trace is of {found} units, the scenario has {expected}")]
    WrongAgents {
        /// In the scenario.
        expected: usize,
        /// In the trace.
        found: usize,
    },
    /// The trace names a unit that the scenario lacks.
    #[error("the trace names agent {agent} at tick {tick}, which the scenario lacks")]
    UnknownAgent {
        /// Who.
        agent: AgentId,
        /// When.
        tick: Tick,
    },
    /// No format holds so many pixels.
    #[error("a picture of {width}×{height} pixels is too large")]
    TooLarge {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// Writing failed.
    #[error("cannot write the picture: {0}")]
    Io(#[from] std::io::Error),
    /// Writing a GIF failed.
    #[error("cannot write the GIF: {0}")]
    Gif(#[from] ::gif::EncodingError),
    /// Writing a PNG failed.
    #[error("cannot write the PNG: {0}")]
    Png(#[from] ::png::EncodingError),
}

/// A stage with room for the captions.
fn stage_for(scenario: &Scenario, labels: &Labels, options: &GifOptions) -> Result<Stage, PictureError> {
    let letters = labels.title.chars().count();
    let layout = Layout::new(scenario.grid(), options.width, letters, labels.longest_status());
    Stage::new(scenario, layout, options)
}
