//! The graph that a unit moves on, by its motion.

use std::sync::Arc;
use throng_core::{AgentId, Grid, Motion, Unit, View};
use throng_search::{CarGraph, CarShape, GaitGraph, GridGraph};

/// The graph of a unit.
pub(super) enum Way<'a> {
    Steps(GridGraph<'a>),
    Gaits(GaitGraph<'a>),
    Car(CarGraph<'a>),
}

impl<'a> Way<'a> {
    /// The graph of this unit, whose curves are those of `car` if it is one.
    pub(super) fn of(view: &View<'a>, id: AgentId, car: Option<&Arc<CarShape>>) -> Self {
        Self::on(view.grid(), view, id, car)
    }

    /// The same on another map.
    pub(super) fn on(grid: &'a Grid, view: &View<'a>, id: AgentId, car: Option<&Arc<CarShape>>) -> Self {
        let (rules, agent) = (view.rules(), view.agent(id));
        match (agent.motion, car) {
            (Motion::Gaits { .. }, _) => Self::Gaits(GaitGraph::of(grid, rules, agent)),
            (Motion::Car { .. }, Some(car)) => Self::Car(CarGraph::new(grid, rules, Arc::clone(car))),
            (Motion::Steps | Motion::Turns { .. }, _) | (Motion::Car { .. }, None) => {
                Self::Steps(GridGraph::of(grid, rules, agent))
            }
        }
    }
}

/// Does something on the graph of a unit, whichever that is.
macro_rules! on_way {
    ($way:expr, $graph:ident => $body:expr) => {
        match $way {
            $crate::windowed::ways::Way::Steps(ref $graph) => $body,
            $crate::windowed::ways::Way::Gaits(ref $graph) => $body,
            $crate::windowed::ways::Way::Car(ref $graph) => $body,
        }
    };
}

pub(super) use on_way;

/// The node of a unit that has so many poses.
#[inline]
pub(super) fn node(unit: &Unit, poses: u32) -> u32 {
    if poses <= 1 { unit.at.0 } else { unit.at.0 * poses + u32::from(unit.pose) }
}
