//! Worlds that change under the units.

mod dynamic;
mod walk;

pub(crate) use dynamic::Dynamic;

/// Whose claims these are.
const SOURCE: &str = "Astengo-Noguez and Calzada Gómez, Collective Pathfinding in Dynamic Environments (2009), which builds on D*";
