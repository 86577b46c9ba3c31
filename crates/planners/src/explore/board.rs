//! Who covers which cell in the tick that is being decided, and who will.

use throng_core::{Action, AgentId, Cell, CellId, View};

/// Moves that are decided one after the other, none of which gets in the way of another.
#[derive(Debug, Default)]
pub(super) struct Board {
    /// By cell: who is there or will be, as of a stamp.
    cells: Vec<(u32, u32)>,
    stamp: u32,
    /// Whether a cell is free as soon as whoever is on it sets out.
    follows: bool,
    /// Where diagonal moves cross: sums of the coordinates of both ends.
    crossings: Vec<(i32, i32)>,
}

impl Board {
    /// Everybody where it is.
    pub(super) fn begin(&mut self, view: &View<'_>) {
        let grid = view.grid();
        self.cells.resize(grid.len(), (0, 0));
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.cells.fill((0, 0));
            self.stamp = 1;
        }
        self.crossings.clear();
        self.follows = view.rules().graph_rules() && view.scenario.largest_body() == 1;
        for (agent, unit) in
            view.scenario.agents().iter().zip(&view.state.units).filter(|(_, unit)| !unit.gone)
        {
            let (from, at) = (grid.cell(unit.from), grid.cell(unit.at));
            let actions = agent.actions(view.rules());
            let going = if unit.stands(view.tick()) { None } else { actions.between(from, at, unit.pose) };
            let cover = match going {
                Some(action) => actions.footprint(from, action),
                None => actions.footprint(at, Action::Wait),
            };
            for id in cover.cells().filter_map(|cell| grid.id(cell)) {
                self.cells[id.index()] = (self.stamp, agent.id.0);
            }
        }
    }

    /// Who is in a cell, or will be.
    pub(super) fn holder(&self, cell: CellId) -> Option<AgentId> {
        let (stamp, who) = self.cells[cell.index()];
        (stamp == self.stamp).then_some(AgentId(who))
    }

    /// Lets a unit go if nobody is in its way; who is otherwise, if it is one.
    pub(super) fn go(&mut self, view: &View<'_>, id: AgentId, action: Action) -> Result<(), Option<AgentId>> {
        let grid = view.grid();
        let from = grid.cell(view.unit(id).at);
        let to = from.after(action);
        let Some(target) = grid.id(to) else { return Err(None) };
        if self.follows {
            if let Some(who) = self.holder(target) {
                return Err(Some(who));
            }
            let crossing = (from.x + to.x, from.y + to.y);
            let diagonal = action.dir().is_some_and(throng_core::Dir::is_diagonal);
            if diagonal && self.crossings.contains(&crossing) {
                return Err(None);
            }
            if diagonal {
                self.crossings.push(crossing);
            }
            self.cells[view.unit(id).at.index()] = (0, 0);
            self.cells[target.index()] = (self.stamp, id.0);
            return Ok(());
        }
        let swept = || {
            let footprint = view.agent(id).actions(view.rules()).footprint(from, action);
            footprint.cells().filter_map(|cell: Cell| grid.id(cell))
        };
        if let Some(who) = swept().filter_map(|cell| self.holder(cell)).find(|&who| who != id) {
            return Err(Some(who));
        }
        for cell in swept() {
            self.cells[cell.index()] = (self.stamp, id.0);
        }
        Ok(())
    }
}
