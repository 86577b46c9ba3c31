//! In which order units pass through cells by a plan: its action dependency graph.
//!
//! Every move of a plan needs those others before it that left the cells which it takes. Waits are no moves: what remains of
//! them is the tick before which nothing is begun. Under the graph rules a cell may be entered in the tick in which it is left,
//! so that moves of one tick may need each other in a circle; such a circle turns as a whole or not at all
//! ([`Order::held`] finds the largest set of moves that can be begun together). Every other need leads to an earlier tick of the
//! plan. Of the moves that are not begun, those with the smallest tick need no others but each other: as long as nobody is late
//! for ever, they are begun, and so is everything.
//!
//! Source: Hönig, Kiesel, Tinka, Durham and Ayanian, "Persistent and robust execution of MAPF schedules in warehouses" (2019),
//! which forbids circles; here they are begun together. Cost: linear in the moves of the plan to make, and in those that can be
//! begun in a tick to ask.

use throng_core::{Action, Actions, AgentId, Cell, Plan, Scenario, Tick};

/// The moves of a plan and what they need.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// By agent: where its moves begin among all.
    first: Vec<u32>,
    moves: Vec<Move>,
    /// By move, in the order of `moves`.
    needs: Vec<Need>,
    /// All moves, in the order in which the plan begins them.
    sorted: Vec<u32>,
}

/// A move of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// When it begins at the soonest, from the beginning of the plan on.
    pub tick: Tick,
    pub action: Action,
    pub from: Cell,
    agent: u32,
    /// Where its needs begin among all.
    needs: u32,
    duration: u32,
}

/// What a move needs: that another one has been begun, or that it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Need {
    /// Its place among all moves.
    of: u32,
    over: bool,
}

const NONE: u32 = u32::MAX;

impl Order {
    /// The order that a plan has units pass in.
    pub(super) fn of(scenario: &Scenario, plan: &Plan) -> Self {
        let mut order = Self::default();
        for (place, agent) in scenario.agents().iter().enumerate() {
            order.first.push(order.moves.len() as u32);
            let Some(path) = plan.paths.get(place) else { continue };
            let actions = agent.actions(scenario.rules());
            let (mut tick, mut from) = (0, path.start);
            for &action in &path.actions {
                let duration = actions.duration(action);
                if action != Action::Wait {
                    let agent = place as u32;
                    order.moves.push(Move { tick, action, from, agent, needs: 0, duration });
                }
                (tick, from) = (tick + Tick::from(duration), from.after(action));
            }
        }
        order.first.push(order.moves.len() as u32);
        order.sorted = (0..order.moves.len() as u32).collect();
        order.sorted.sort_by_key(|&place| order.moves[place as usize].tick);
        order.find_needs(scenario);
        order
    }

    /// How many moves an agent has.
    pub(super) fn count(&self, agent: AgentId) -> u32 {
        let Some(&[first, end]) = self.first.get(agent.index()..agent.index() + 2) else { return 0 };
        end - first
    }

    /// A move of an agent, if it has so many.
    pub(super) fn get(&self, agent: AgentId, index: u32) -> Option<&Move> {
        (index < self.count(agent)).then(|| &self.moves[(self.first[agent.index()] + index) as usize])
    }

    fn find_needs(&mut self, scenario: &Scenario) {
        let mut found: Vec<(u32, Need)> = Vec::new();
        let mut cells = Cells::new(scenario);
        for group in self.sorted.chunk_by(|&a, &b| self.moves[a as usize].tick == self.moves[b as usize].tick)
        {
            // Whoever leaves a cell in this tick is the one whom those follow who enter it now.
            for &place in group {
                cells.leave(place, &self.moves[place as usize]);
            }
            for &place in group {
                let this = &self.moves[place as usize];
                cells.enter(this, |of| {
                    let other = &self.moves[of as usize];
                    let over = !cells.graph_rules && other.tick + Tick::from(other.duration) <= this.tick;
                    found.push((place, Need { of, over }));
                });
                cells.cross(this, |of| found.push((place, Need { of, over: true })));
            }
            for &place in group {
                cells.pass(place, &self.moves[place as usize]);
            }
        }
        found.retain(|&(place, need)| self.moves[need.of as usize].agent != self.moves[place as usize].agent);
        found.sort_unstable_by_key(|&(place, need)| (place, need.of, !need.over));
        found.dedup_by_key(|&mut (place, need)| (place, need.of));
        let mut needs = found.iter().peekable();
        for (place, this) in (0..).zip(&mut self.moves) {
            this.needs = self.needs.len() as u32;
            while let Some((_, need)) = needs.next_if(|&&(of, _)| of == place) {
                self.needs.push(*need);
            }
        }
    }

    fn needs(&self, place: u32) -> &[Need] {
        let begin = self.moves[place as usize].needs as usize;
        let end = self.moves.get(place as usize + 1).map_or(self.needs.len(), |next| next.needs as usize);
        &self.needs[begin..end]
    }

    /// Of the moves that agents would begin now, those that have to wait, each with the agent that it waits for: `next` tells
    /// which move of an agent comes next, `going` whether the one before that is not over, and `ready` who would begin it.
    pub(super) fn held(
        &self,
        next: &[u32],
        going: impl Fn(u32) -> bool,
        ready: &[u32],
        held: &mut Vec<(u32, u32)>,
    ) {
        held.clear();
        let mut begins = vec![false; next.len()];
        ready.iter().for_each(|&agent| begins[agent as usize] = true);
        // By agent: who counts on its beginning a move now, as lists.
        let mut behind: Vec<u32> = vec![NONE; next.len()];
        let mut links: Vec<(u32, u32)> = Vec::new();
        for &agent in ready {
            let place = self.first[agent as usize] + next[agent as usize];
            for need in self.needs(place) {
                let other = self.moves[need.of as usize].agent;
                let reached = self.first[other as usize] + next[other as usize];
                let done = match need.over {
                    false => need.of < reached,
                    true => need.of + 1 < reached || (need.of + 1 == reached && !going(other)),
                };
                if done {
                    continue;
                }
                if !need.over && need.of == reached && begins[other as usize] {
                    links.push((agent, behind[other as usize]));
                    behind[other as usize] = links.len() as u32 - 1;
                    continue;
                }
                if core::mem::replace(&mut begins[agent as usize], false) {
                    held.push((agent, other));
                }
            }
        }
        let mut place = 0;
        while let Some(&(agent, _)) = held.get(place) {
            let mut link = behind[agent as usize];
            while link != NONE {
                let (waiting, more) = links[link as usize];
                if core::mem::replace(&mut begins[waiting as usize], false) {
                    held.push((waiting, agent));
                }
                link = more;
            }
            place += 1;
        }
    }

    /// By agent: when its last move is over if nobody slips any more. `next` tells which move comes next, `free` from when on an
    /// agent may begin one, `began` when the plan did.
    pub(super) fn ends(&self, next: &[u32], free: &[Tick], began: Tick) -> Vec<Tick> {
        let mut free = free.to_vec();
        let mut begins: Vec<Tick> = vec![0; self.moves.len()];
        for group in self.sorted.chunk_by(|&a, &b| self.moves[a as usize].tick == self.moves[b as usize].tick)
        {
            let due = |place: u32| {
                let this = &self.moves[place as usize];
                place - self.first[this.agent as usize] >= next[this.agent as usize]
            };
            for &place in group.iter().filter(|&&place| due(place)) {
                let this = &self.moves[place as usize];
                begins[place as usize] = free[this.agent as usize].max(began + this.tick);
            }
            // Moves of one tick may need each other; later and later until all agree.
            let mut settled = false;
            while !core::mem::replace(&mut settled, true) {
                for &place in group.iter().filter(|&&place| due(place)) {
                    let after = self.needs(place).iter().map(|need| {
                        let other = &self.moves[need.of as usize];
                        begins[need.of as usize] + if need.over { Tick::from(other.duration) } else { 0 }
                    });
                    let least = after.max().unwrap_or(0);
                    if begins[place as usize] < least {
                        begins[place as usize] = least;
                        settled = false;
                    }
                }
            }
            for &place in group.iter().filter(|&&place| due(place)) {
                let this = &self.moves[place as usize];
                free[this.agent as usize] = begins[place as usize] + Tick::from(this.duration);
            }
        }
        free
    }
}

/// Who has left each cell last, while a plan is read.
struct Cells<'a> {
    scenario: &'a Scenario,
    graph_rules: bool,
    left: Vec<u32>,
    /// By the smallest corner of four cells: who has crossed them.
    crossed: Vec<u32>,
}

impl<'a> Cells<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let graph_rules = scenario.rules().graph_rules() && scenario.largest_body() == 1;
        let left = vec![NONE; scenario.grid().len()];
        let crossed = if graph_rules { left.clone() } else { Vec::new() };
        Self { scenario, graph_rules, left, crossed }
    }

    fn actions(&self, this: &Move) -> Actions {
        self.scenario.agents()[this.agent as usize].actions(self.scenario.rules())
    }

    /// The cells of a body, before or after a move.
    fn body(&self, this: &Move, at: Cell) -> throng_core::Footprint {
        self.actions(this).footprint(at, Action::Wait)
    }

    fn mark(&mut self, cells: impl Iterator<Item = Cell>, place: u32) {
        for cell in cells {
            if let Some(id) = self.scenario.grid().id(cell) {
                self.left[id.index()] = place;
            }
        }
    }

    fn leave(&mut self, place: u32, this: &Move) {
        let (from, to) = (self.body(this, this.from), self.body(this, this.from.after(this.action)));
        self.mark(from.cells().filter(|&cell| !to.covers(cell)), place);
    }

    /// Who left what a move takes.
    fn enter(&self, this: &Move, mut found: impl FnMut(u32)) {
        let from = self.body(this, this.from);
        let all = match self.graph_rules {
            true => self.body(this, this.from.after(this.action)),
            false => self.actions(this).footprint(this.from, this.action),
        };
        for cell in all.cells().filter(|&cell| !from.covers(cell)) {
            let left = self.scenario.grid().id(cell).map_or(NONE, |id| self.left[id.index()]);
            if left != NONE {
                found(left);
            }
        }
    }

    /// The smallest corner of the four cells that a diagonal crosses.
    fn corner(&self, this: &Move) -> Option<usize> {
        let diagonal = self.graph_rules && this.action.dir().is_some_and(throng_core::Dir::is_diagonal);
        let (a, b) = (this.from, this.from.after(this.action));
        let id = self.scenario.grid().id(Cell::new(a.x.min(b.x), a.y.min(b.y)));
        id.filter(|_| diagonal).map(throng_core::CellId::index)
    }

    /// Who crossed the same four cells before.
    fn cross(&self, this: &Move, mut found: impl FnMut(u32)) {
        let crossed = self.corner(this).map_or(NONE, |corner| self.crossed[corner]);
        if crossed != NONE {
            found(crossed);
        }
    }

    /// What a move only passes is free again after it.
    fn pass(&mut self, place: u32, this: &Move) {
        if let Some(corner) = self.corner(this) {
            self.crossed[corner] = place;
        }
        if self.graph_rules {
            return;
        }
        let (from, to) = (self.body(this, this.from), self.body(this, this.from.after(this.action)));
        let swept = self.actions(this).footprint(this.from, this.action);
        self.mark(swept.cells().filter(|&cell| !from.covers(cell) && !to.covers(cell)), place);
    }
}
