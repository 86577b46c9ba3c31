//! Everything that files can be: right, wrong in one way, and arbitrary.

mod directions;
mod league;
mod map;
mod maps;
mod plan;
mod scen;
mod scenario;
mod space;
mod trace;
mod worlds;
