//! What planners know beyond the next moves.

use crate::Session;
use crate::groups::Group;
use crate::session::Mind;
use throng_core::{AgentId, Cell, Controller as _, Directions, Field, Flock, Tick};

impl Session {
    /// Where a unit means to be, and from which tick on each: first where it is or is going, then one cell after the
    /// other as far as its planner has planned, which may change its mind. Nothing if that does not plan ahead.
    ///
    /// ```
    /// use throng::core::{Agent, AgentId, Cell, Grid, Rules, Scenario, Task, Unlimited, Unobserved};
    /// use throng::{Options, Session, Setup};
    ///
    /// let agents = vec![Agent::new(0, Cell::new(0, 0), Task::Goal(Cell::new(3, 0)))];
    /// let scenario = Scenario::new("hall", Grid::empty(4, 1)?, Rules::default(), agents)?;
    /// let mut session = Session::new(Setup::new(scenario), &Options::planner("whca(window=8)"))?;
    /// session.tick(&Unlimited, &mut Unobserved);
    /// let way = session.intended(AgentId(0));
    /// assert_eq!(way[..3], [(1, Cell::new(1, 0)), (2, Cell::new(2, 0)), (3, Cell::new(3, 0))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intended(&self, agent: AgentId) -> Vec<(Tick, Cell)> {
        let group = self.groups.iter().find(|group| group.mine.binary_search(&agent).is_ok());
        group.map_or_else(Vec::new, |group| match &group.mind {
            Mind::Planner(_) => Vec::new(),
            Mind::Follow(follow, _) => follow.intended(&self.view(group), agent),
            Mind::Controller(controller) => controller.intended(&self.view(group), agent),
        })
    }

    /// By cell, one of the fields that a unit goes by, in thousandths of a step; nothing if its planner knows none.
    #[must_use]
    pub fn field(&self, agent: AgentId, field: Field) -> Option<Vec<Option<i64>>> {
        let group = self.groups.iter().find(|group| group.mine.binary_search(&agent).is_ok())?;
        match &group.mind {
            Mind::Controller(controller) => controller.field(&self.view(group), agent, field),
            Mind::Planner(_) | Mind::Follow(..) => None,
        }
    }

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
