//! Carries out the moves of a tick.

mod footprints;
mod graph;

use throng_core::{Action, Agent, AgentId, CellId, Event, Motion, Scenario, State, Tick, Unit};

/// Carries out one tick after the other. It holds only scratch memory: everything that matters is in
/// the [`State`].
#[derive(Clone, Debug, Default)]
pub struct Executor {
    verdicts: Vec<Verdict>,
    board: Board,
    order: Vec<AgentId>,
    queue: Vec<AgentId>,
}

/// What becomes of a unit's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// It stands or its move goes on; it begins nothing.
    Stays,
    /// It turns where it stands: for all others it stays.
    Turns(Action),
    /// It begins this move.
    Goes(Action, CellId),
    /// Its move is cancelled.
    Fails { action: Action, by: Option<AgentId> },
}

impl Verdict {
    const fn goes_to(self) -> Option<CellId> {
        match self {
            Self::Goes(_, to) => Some(to),
            _ => None,
        }
    }

    /// Turns a move into a failure.
    const fn cancel(&mut self, by: Option<AgentId>) {
        if let Self::Goes(action, _) = *self {
            *self = Self::Fails { action, by };
        }
    }
}

impl Executor {
    /// An executor without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Carries out `actions` (by agent) from `state`'s tick to the next; what happened goes to `events`.
    ///
    /// Actions of units whose move is still in progress are ignored. Everything else either happens, all
    /// at once, or is cancelled and costs the tick.
    pub fn step(
        &mut self,
        scenario: &Scenario,
        state: &mut State,
        actions: &[Action],
        events: &mut Vec<Event>,
    ) {
        let now = state.tick;
        let plain = scenario.rules().graph_rules() && scenario.largest_body() == 1;
        self.intend(scenario, state, actions, plain);
        if plain {
            self.resolve_graph(scenario, state);
        } else {
            self.resolve_footprints(scenario, state);
            self.turn(scenario, state);
        }
        for (id, (unit, verdict)) in (0..).map(AgentId).zip(state.units.iter_mut().zip(&self.verdicts)) {
            match *verdict {
                Verdict::Stays => {}
                Verdict::Goes(action, to) => {
                    let duration = scenario.agent(id).actions(scenario.rules()).duration(action);
                    (unit.from, unit.at) = (unit.at, to);
                    (unit.since, unit.until) = (now, now + Tick::from(duration));
                    events.push(Event::Moved { agent: id, action });
                }
                Verdict::Turns(action) => {
                    let actions = scenario.agent(id).actions(scenario.rules());
                    (unit.pose, unit.since) = (actions.pose_after(unit.pose, action), now);
                    unit.until = now + Tick::from(actions.duration(action));
                    events.push(Event::Moved { agent: id, action });
                }
                Verdict::Fails { action, by } => {
                    let to = scenario.grid().cell(unit.at).after(action);
                    events.push(Event::Failed { agent: id, action, to, blocked_by: by });
                }
            }
        }
        state.tick = now + 1;
        arrive(scenario, state, events);
    }

    /// What everybody wants, less what terrain and its own motion forbid.
    fn intend(&mut self, scenario: &Scenario, state: &State, actions: &[Action], plain: bool) {
        let (grid, mask) = (scenario.grid(), scenario.rules().connectivity.mask());
        self.verdicts.clear();
        self.verdicts.extend(scenario.agents().iter().zip(&state.units).map(|(agent, unit)| {
            let action = actions.get(agent.id.index()).copied().unwrap_or_default();
            let steps = agent.motion == Motion::Steps && (plain || agent.body == 1);
            match action {
                Action::Go(dir) if steps && unit.stands(state.tick) && !unit.gone => {
                    if grid.exits(unit.at) & mask & 1 << dir as u8 != 0 {
                        Verdict::Goes(action, grid.neighbour(unit.at, dir))
                    } else {
                        Verdict::Fails { action, by: None }
                    }
                }
                Action::Wait => Verdict::Stays,
                _ if unit.stands(state.tick) && !unit.gone => begin(scenario, agent, unit, action),
                _ => Verdict::Stays,
            }
        }));
    }
}

/// What becomes of an action that takes more than a look at the exits of a cell.
fn begin(scenario: &Scenario, agent: &Agent, unit: &Unit, action: Action) -> Verdict {
    let (grid, from) = (scenario.grid(), scenario.grid().cell(unit.at));
    let legal = agent.actions(scenario.rules()).legal(grid, from, unit.pose, action);
    match grid.id(from.after(action)).filter(|_| legal) {
        Some(_) if action.is_turn() => Verdict::Turns(action),
        Some(to) => Verdict::Goes(action, to),
        None => Verdict::Fails { action, by: None },
    }
}

/// Units that have come to their waypoint go on to the next.
fn arrive(scenario: &Scenario, state: &mut State, events: &mut Vec<Event>) {
    for (agent, unit) in scenario.agents().iter().zip(&mut state.units) {
        if !unit.stands(state.tick) || unit.gone {
            continue;
        }
        unit.from = unit.at;
        let way = agent.waypoints();
        let legs = way.len();
        // Whether whoever explores has seen enough is not a matter of where it is.
        if unit.leg >= legs || agent.task.is_search() {
            continue;
        }
        while unit.leg < legs && scenario.grid().id(way.target(unit.leg)) == Some(unit.at) {
            events.push(Event::Arrived { agent: agent.id, leg: unit.leg });
            unit.leg += 1;
        }
        if unit.leg == legs {
            events.push(Event::Finished { agent: agent.id });
        }
    }
}

/// Who is where and who wants what, per cell; stamped instead of cleared.
#[derive(Clone, Debug, Default)]
struct Board {
    stamp: u32,
    cells: Vec<Square>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Square {
    /// Stamp and holder of the cell.
    held: (u32, u32),
    /// Stamp and best claimant of the cell.
    claimed: (u32, u32),
}

impl Board {
    fn begin(&mut self, cells: usize) {
        self.cells.resize(cells, Square::default());
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.cells.fill(Square::default());
            self.stamp = 1;
        }
    }

    fn holder(&self, cell: CellId) -> Option<AgentId> {
        let (stamp, who) = self.cells[cell.index()].held;
        (stamp == self.stamp).then_some(AgentId(who))
    }

    fn hold(&mut self, cell: CellId, who: AgentId) {
        self.cells[cell.index()].held = (self.stamp, who.0);
    }

    fn claimant(&self, cell: CellId) -> Option<AgentId> {
        let (stamp, who) = self.cells[cell.index()].claimed;
        (stamp == self.stamp).then_some(AgentId(who))
    }

    fn claim(&mut self, cell: CellId, who: AgentId) {
        self.cells[cell.index()].claimed = (self.stamp, who.0);
    }
}

#[cfg(test)]
mod tests;
