//! Astengo-Noguez and Calzada Gómez: collective pathfinding and flocks.

mod delay;
mod flocks;
mod traffic;

pub(crate) use delay::Delays;
pub(crate) use flocks::Flocks;

const SOURCE: &str =
    "Astengo-Noguez and Calzada Gómez, Collective Pathfinding in Dynamic Environments (2009)";
