//! Who sees what at the moment. Everybody's view is kept until it moves or something near it changes.

use throng_core::{Action, AgentId, CellId, Grid, Scenario, Sight, State};
use throng_search::vision::{Facing, Vision};

#[derive(Clone, Debug)]
pub(super) struct Eyes {
    sight: Option<(Sight, Vision)>,
    /// By agent.
    looks: Vec<Look>,
    /// By cell: how many see it.
    watchers: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Look {
    /// Where it looked from and in which direction; nothing if it has to look again.
    from: Option<(CellId, Facing)>,
    cells: Vec<CellId>,
}

impl Eyes {
    pub(super) fn new(world: &Scenario, sight: Option<Sight>) -> Self {
        // A scenario has no sight that is out of range.
        let sight = sight
            .and_then(|sight| Some((sight, Vision::new(sight.radius, sight.angle, sight.circle()).ok()?)));
        let cells = if sight.is_some() { world.grid().len() } else { 0 };
        Self { sight, looks: Vec::new(), watchers: vec![0; cells] }
    }

    pub(super) fn sees(&self, cell: CellId) -> bool {
        self.watchers.get(cell.index()).is_some_and(|&count| count > 0)
    }

    /// Somebody is no longer there.
    pub(super) fn close(&mut self, id: AgentId) {
        let Some(look) = self.looks.get_mut(id.index()) else { return };
        look.cells.iter().for_each(|cell| self.watchers[cell.index()] -= 1);
        *look = Look::default();
    }

    /// A cell has changed: whoever is near looks again.
    pub(super) fn disturb(&mut self, grid: &Grid, cell: CellId) {
        let Some((sight, _)) = self.sight else { return };
        let at = grid.cell(cell);
        let reach = sight.radius + u32::from(Scenario::MAX_BODY);
        let near = |(from, _): (CellId, Facing)| {
            let from = grid.cell(from);
            from.x.abs_diff(at.x).max(from.y.abs_diff(at.y)) <= reach
        };
        for look in &mut self.looks {
            look.from = look.from.filter(|&from| !near(from));
        }
    }

    /// Lets everybody look who has moved; tells `seen` of every cell that is in a new look.
    pub(super) fn look(
        &mut self,
        world: &Scenario,
        state: &State,
        members: &[AgentId],
        facing: impl Fn(AgentId) -> Facing,
        mut seen: impl FnMut(CellId),
    ) {
        let Some((sight, vision)) = self.sight else { return };
        if self.looks.len() < state.units.len() {
            self.looks.resize_with(state.units.len(), Look::default);
        }
        for &id in members {
            let unit = &state.units[id.index()];
            let from = super::eye(unit, state.tick);
            let facing = if sight.is_cone() { facing(id) } else { Facing::default() };
            let look = &mut self.looks[id.index()];
            if look.from == Some((from, facing)) || unit.gone {
                continue;
            }
            look.from = Some((from, facing));
            look.cells.iter().for_each(|cell| self.watchers[cell.index()] -= 1);
            look.cells.clear();
            let cells = &mut look.cells;
            let actions = world.agent(id).actions(world.rules());
            for from in actions.footprint(world.grid().cell(from), Action::Wait).cells() {
                if sight.line_of_sight {
                    vision.from_cell(world.grid(), from, facing, |cell| cells.push(cell));
                } else {
                    vision.through_walls(world.grid(), from, facing, |cell| cells.push(cell));
                }
            }
            cells.sort_unstable();
            cells.dedup();
            for &cell in cells.iter() {
                self.watchers[cell.index()] += 1;
                seen(cell);
            }
        }
    }
}
