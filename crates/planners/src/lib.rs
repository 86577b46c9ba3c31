//! The planners, one folder per family, and the registry that names them all.
//!
//! * [`repair`]: `lra`, local repair A*. Everybody plans alone and plans again when blocked.
//! * [`mending`]: `dlite`, the same with ways that are mended when the world changes.
//! * [`blocking`]: `blocker`, who stands in the way of other teams.
//! * [`refinement`]: `pra`, the same with ways that are refined from coarser maps, part by part.
//! * [`cooperative`]: `ca` and `hca`, whole paths in space and time, one unit after the other.
//! * [`windowed`]: `whca`, the same a window ahead, for ever; and `cpra`, guided by coarse paths.
//! * [`collective`]: `collective`, the next few cells reserved in the order of delay; slower before another way.
//! * [`flock`]: `flock`, the same for units that agree to travel together; the larger flock first.
//! * [`directions`]: `dm` and `dm-greedy`, by a map of how units have moved that is learned; `pra` and `whca` take it, too.
//! * [`explore`]: `explore`, for units that see an unknown world together.
//! * [`pibt`]: one step ahead, by inherited priorities.
//! * [`rescue`]: whoever is stuck under another of them goes by priority inheritance until it arrives.
//! * [`operations`]: `epibt`, the same several actions ahead, also for units that turn where they stand.
//! * [`lacam`]: complete: a search over placements of everybody that takes its steps from there.
//! * [`neighbourhoods`]: `lns`, a plan of any of them made better or repaired, a few units at a time.
//! * [`conflicts`]: `cbs`, the best plan there is, or one that costs at most a factor more: everybody alone, and apart where two meet.
//! * [`Follow`]: follows a plan that somebody else made.
//! * [`registry`]: builds any of them from `name(key=value,…)` and says what each supports.

mod ahead;
pub mod blocking;
pub mod collective;
pub mod conflicts;
pub mod cooperative;
pub mod directions;
pub mod explore;
pub mod flock;
mod follow;
pub mod lacam;
pub mod mending;
pub mod neighbourhoods;
pub mod operations;
pub mod pibt;
mod portions;
mod reach;
pub mod refinement;
pub mod registry;
pub mod repair;
pub mod rescue;
mod straight;
pub mod windowed;

pub use follow::Follow;
