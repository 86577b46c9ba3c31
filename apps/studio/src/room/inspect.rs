//! What there is to know about a unit or a cell.

use super::Room;
use super::layers::has_amounts;
use super::show::Show;
use crate::Refusal;
use crate::protocol::frames::Layer;
use crate::room::At;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use throng::core::{Agent, AgentId, Cause, Cell, Motion, Task, Tick};

/// So many units are found at most.
const MOST: usize = 100;

/// Eighths from north.
const COMPASS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// A layer as somebody was shown it last, with its name.
pub(crate) type Shown = (String, Arc<Layer>);

/// A unit's way ahead: where, and from which tick on.
pub(crate) type Way = Vec<(u16, u16, Tick)>;

impl Show {
    fn agent(&self, unit: u32) -> Result<&Agent, Refusal> {
        let agents = self.scenario().agents();
        let missing = || Refusal::new(format!("no unit {unit}: there are {}", agents.len()));
        agents.get(unit as usize).ok_or_else(missing)
    }

    /// Where a unit means to go: what its planner has in mind, or, in a recording, what it is going to do.
    pub(crate) fn way(&self, unit: u32) -> Way {
        let point = |(tick, cell): (Tick, Cell)| (cell.x as u16, cell.y as u16, tick);
        match self {
            Self::Live(run) => run.session().intended(AgentId(unit)).into_iter().map(point).collect(),
            Self::Recorded(recorded) => {
                let (scenario, state) = (self.scenario(), self.state());
                let Some(now) = state.units.get(unit as usize) else { return Vec::new() };
                let mut at = scenario.grid().cell(now.at);
                let actions = scenario.agents()[unit as usize].actions(scenario.rules());
                let mut way = vec![point((now.until.max(state.tick), at))];
                for tick in state.tick..recorded.last() {
                    let deeds = recorded.file.trace.at(tick);
                    let own = deeds.binary_search_by_key(&AgentId(unit), |deed| deed.agent);
                    if let Some(deed) = own.ok().map(|place| deeds[place]).filter(|deed| !deed.failed) {
                        at = at.after(deed.action);
                        way.push(point((tick + Tick::from(actions.duration(deed.action)), at)));
                    }
                }
                way
            }
        }
    }

    /// Everything about a unit.
    fn inspect_unit(&mut self, unit: u32) -> Result<Value, Refusal> {
        let agent = self.agent(unit)?.clone();
        let (scenario, state) = (self.scenario(), self.state());
        let (grid, now) = (scenario.grid(), state.units[unit as usize]);
        let place = |cell: Cell| [cell.x, cell.y];
        let goal = (!agent.task.is_search()).then(|| place(agent.waypoints().target(now.leg)));
        let mut facts = json!({
            "id": unit,
            "team": agent.team,
            "at": place(grid.cell(now.at)),
            "from": place(grid.cell(now.from)),
            "goal": goal,
            "task": task(&agent.task),
            "leg": now.leg,
            "legs": agent.waypoints().len(),
            "body": agent.body,
            "period": agent.period,
            "priority": agent.priority,
            "arrived": self.has_arrived(unit as usize),
            "since": now.until.min(state.tick),
            "start": place(agent.start),
            "heading": COMPASS.get(usize::from(self.heading(unit as usize))),
        });
        if !now.stands(state.tick) {
            facts["until"] = json!(now.until);
        }
        match agent.motion {
            Motion::Steps => {}
            Motion::Gaits { run } => {
                (facts["run"], facts["running"]) = (json!(run), json!(now.pose > 0));
            }
            Motion::Turns { .. } => facts["turns"] = json!(true),
            Motion::Car { radius, .. } => facts["turning"] = json!(radius),
        }
        if now.gone {
            facts["gone"] = json!(true);
        }
        if let Some(sight) = scenario.sight_of(&agent) {
            facts["sight"] = json!({"radius": sight.radius, "angle": sight.angle, "shared": sight.shared});
        }
        let way = self.way(unit);
        let held: Vec<[u64; 4]> = way
            .iter()
            .zip(way.iter().skip(1).map(|next| next.2).chain([way.last().map_or(0, |last| last.2 + 1)]))
            .map(|(&(x, y, from), until)| [x.into(), y.into(), from, until.max(from + 1) - 1])
            .collect();
        let (mut why, mut history, mut complete) = (Vec::new(), Vec::new(), true);
        if let Self::Live(run) = self {
            let session = run.session();
            let own = session.setup().unit_planners.iter().find(|(id, _)| id.0 == unit).map(|(_, spec)| spec);
            let planner = session.options().planner.as_ref().or(own).or(session.setup().planner.as_ref());
            facts["planner"] = json!(planner);
            if let Some(explored) = session.exploration(AgentId(unit)) {
                facts["seen"] = json!(explored.seen);
                facts["unseen"] = json!(explored.unseen);
            }
            for link in session.why(AgentId(unit)).links {
                why.push(json!({"unit": link.agent.0, "at": place(link.at), "text": link.cause.to_string()}));
            }
            let watch = run.history(unit);
            complete = watch.is_complete();
            for period in watch.history.periods() {
                // What goes on with other numbers at each tick is told without them.
                let text = match period.why.cause {
                    Cause::OnItsWay { .. } if period.from < period.until => "on its way".to_owned(),
                    Cause::Explores { .. } if period.from < period.until => "explores".to_owned(),
                    ref cause => cause.to_string(),
                };
                history.push(json!({"from": period.from, "to": period.until, "text": text}));
            }
        }
        let path: Vec<[u64; 3]> = way.into_iter().map(|(x, y, tick)| [x.into(), y.into(), tick]).collect();
        Ok(json!({
            "unit": facts, "path": path, "reservations": held, "why": why, "history": history, "complete": complete,
        }))
    }

    /// Everything about a cell.
    fn inspect_cell(&mut self, at: At, layers: &[Shown]) -> Result<Value, Refusal> {
        let grid = self.scenario().grid();
        let (width, height) = (grid.width(), grid.height());
        let cell = match at.map(i32::try_from) {
            [Ok(x), Ok(y)] => Cell::new(x, y),
            _ => Cell::new(-1, -1),
        };
        let Some(id) = grid.id(cell) else {
            return Err(Refusal::new(format!("({},{}) is off the {width}×{height} map", at[0], at[1])));
        };
        let (letter, open) = (char::from(grid.letter(id)), grid.is_open_id(id));
        let units = self.covering(cell);
        let visits = self.past().visits.counts[id.index()];
        let place = cell.y as usize * width + cell.x as usize;
        let value = |(name, layer): &Shown| (name.clone(), json!(layer.value(place)));
        let telling = layers.iter().filter(|(name, _)| has_amounts(name));
        let values: Map<String, Value> = telling.map(value).collect();
        Ok(json!({"cell": {
            "x": cell.x, "y": cell.y, "letter": letter, "open": open,
            "units": units, "visits": visits, "layers": values,
        }}))
    }

    /// Who covers a cell.
    fn covering(&self, cell: Cell) -> Vec<u32> {
        let (scenario, state) = (self.scenario(), self.state());
        let covers = |(agent, unit): &(&Agent, &throng::core::Unit)| {
            let at = scenario.grid().cell(unit.at);
            let side = i32::from(agent.body);
            !unit.gone && (at.x..at.x + side).contains(&cell.x) && (at.y..at.y + side).contains(&cell.y)
        };
        scenario.agents().iter().zip(&state.units).filter(covers).map(|(agent, _)| agent.id.0).collect()
    }
}

impl Room {
    pub(super) fn inspect(
        &mut self,
        run: usize,
        unit: Option<u32>,
        cell: Option<At>,
        layers: &[Shown],
    ) -> Result<Value, Refusal> {
        let show = self.run_mut(run)?;
        match (unit, cell) {
            (Some(unit), None) => show.inspect_unit(unit),
            (None, Some(cell)) => show.inspect_cell(cell, layers),
            _ => Err(Refusal::new("inspect: expected one of `unit` and `cell`")),
        }
    }

    /// Units by number, by place as `x,y`, or by `team N`.
    pub(super) fn find(&mut self, run: usize, text: &str) -> Result<Value, Refusal> {
        let show = self.run_mut(run)?;
        let (scenario, state, text) = (show.scenario(), show.state(), text.trim());
        let number = text.strip_prefix("unit").unwrap_or(text).trim().parse::<usize>().ok();
        let team = text.strip_prefix("team").and_then(|team| team.trim().parse::<u16>().ok());
        let place = text
            .trim_matches(['(', ')'])
            .split_once(',')
            .and_then(|(x, y)| Some(Cell::new(x.trim().parse().ok()?, y.trim().parse().ok()?)));
        let here = place.map_or_else(Vec::new, |place| show.covering(place));
        let wanted = |index: usize, agent: &Agent| {
            number == Some(index) || team == Some(agent.team) || here.contains(&(index as u32))
        };
        let found = scenario
            .agents()
            .iter()
            .zip(&state.units)
            .enumerate()
            .filter(|(index, (agent, unit))| !unit.gone && wanted(*index, agent));
        Ok(json!({"units": found.take(MOST).map(|(index, _)| index).collect::<Vec<_>>()}))
    }
}

pub(super) fn task(task: &Task) -> Value {
    let place = |cell: &Cell| [cell.x, cell.y];
    match task {
        Task::Goal(goal) => json!({"goal": place(goal)}),
        Task::Goals(goals) => json!({"goals": goals.iter().map(place).collect::<Vec<_>>()}),
        Task::Patrol { goal, rounds } => json!({"patrol": place(goal), "rounds": rounds}),
        Task::Errands(stops) => {
            json!({"errands": true, "stops": stops.iter().map(place).collect::<Vec<_>>()})
        }
        Task::Hold => json!({"hold": true}),
        Task::Explore => json!({"explore": true}),
        Task::Find(hidden) => json!({"find": place(hidden)}),
    }
}
