//! What planners know beyond the next moves.

use crate::Session;
use crate::groups::Group;
use crate::session::Mind;
use throng_core::{Directions, Flock};

impl Session {
    /// How units have moved so far, as the first of its planners knows that learns a direction map.
    #[must_use]
    pub fn directions(&self) -> Option<Directions> {
        let learned = |group: &Group| match &group.mind {
            Mind::Controller(controller) => controller.directions(&self.view(group)),
            Mind::Planner(_) | Mind::Follow(..) => None,
        };
        self.groups.iter().find_map(learned)
    }

    /// Who has agreed to travel together, of all planners that have units agree on that.
    #[must_use]
    pub fn flocks(&self) -> Vec<Flock> {
        let of = |group: &Group| match &group.mind {
            Mind::Controller(controller) => controller.flocks(&self.view(group)),
            Mind::Planner(_) | Mind::Follow(..) => Vec::new(),
        };
        self.groups.iter().flat_map(of).collect()
    }
}
