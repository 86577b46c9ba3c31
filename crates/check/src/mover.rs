//! One agent as the judge follows it.

use throng_core::{Action, Actions, Agent, Cell, CellId, Dir, Footprint, Grid, Motion, Rules, Tick};

/// Where an agent is, what it is doing, and how far its task has got.
#[derive(Clone, Debug)]
pub(crate) struct Mover<'a> {
    agent: &'a Agent,
    pub(crate) actions: Actions,
    /// Judged by the graph rules against others of its kind.
    pub(crate) graph: bool,
    /// Where it stands, or where its move in progress began.
    pub(crate) at: Cell,
    /// Where its move in progress leads.
    pub(crate) to: Cell,
    /// The index of `at`, if it is on the map.
    pub(crate) at_id: Option<CellId>,
    /// The index of `to`, if it is on the map.
    pub(crate) to_id: Option<CellId>,
    /// Its last move, which may be over; a jump counts as none.
    last: Action,
    /// How far its last move led, by columns and rows.
    gaze: (i32, i32),
    /// The heading of a car, or of one that turns where it stands, when its last move is over.
    pub(crate) facing: Dir,
    /// When its last move began.
    pub(crate) since: Tick,
    /// When its last move was or will be over.
    pub(crate) until: Tick,
    /// When it is late no longer.
    pub(crate) late: Tick,
    /// When its last turn where it stood was over: a turn is no move.
    turned: Tick,
    moving: bool,
    /// How many waypoints it has visited.
    pub(crate) leg: u32,
    /// The next waypoint, or the last if all are visited.
    next: Cell,
    all_visited: bool,
    /// When the last waypoint was visited.
    done: Tick,
    /// Ticks it was at its goal both before and after, up to its last departure.
    rested: Tick,
}

/// How an agent's part ended.
pub(crate) struct Ending {
    pub(crate) finished: bool,
    pub(crate) cost: Tick,
    pub(crate) loss: Tick,
}

impl<'a> Mover<'a> {
    pub(crate) fn new(grid: &Grid, agent: &'a Agent, rules: Rules, start: Cell) -> Self {
        let at = bounded(start);
        let mut mover = Self {
            agent,
            actions: agent.actions(rules),
            graph: rules.graph_rules() && agent.body == 1,
            at,
            to: at,
            at_id: grid.id(at),
            to_id: grid.id(at),
            last: Action::Wait,
            gaze: (0, 0),
            facing: match agent.motion {
                Motion::Car { heading, .. } | Motion::Turns { heading } => heading,
                Motion::Steps | Motion::Gaits { .. } => Dir::N,
            },
            since: 0,
            until: 0,
            late: 0,
            turned: 0,
            moving: false,
            leg: 0,
            next: agent.waypoints().target(0),
            all_visited: agent.waypoints().is_empty(),
            done: 0,
            rested: 0,
        };
        mover.visit();
        mover
    }

    /// Takes a pose that it has had before anything was judged; at a run until `tick`.
    pub(crate) fn take_pose(&mut self, pose: u8, tick: Tick) {
        let dir = |number: u8| Dir::ALL.get(usize::from(number)).copied();
        match self.agent.motion {
            Motion::Car { heading, .. } | Motion::Turns { heading } => {
                self.facing = dir(pose).unwrap_or(heading)
            }
            Motion::Gaits { .. } => {
                if let Some(dir) = pose.checked_sub(1).and_then(dir) {
                    (self.last, self.until) = (Action::Run(dir), tick);
                }
            }
            Motion::Steps => {}
        }
    }

    /// Ends the move in progress if it is over at `tick`.
    #[inline]
    pub(crate) fn settle(&mut self, tick: Tick) {
        if self.moving && self.until <= tick {
            self.moving = false;
            self.at = self.to;
            self.at_id = self.to_id;
            if self.at == self.next {
                self.visit();
            }
        }
    }

    /// Turns where it stands.
    pub(crate) fn turn(&mut self, tick: Tick, action: Action) {
        let right = action == Action::TurnRight;
        let quarters = if right { 1 } else { 3 };
        self.facing = Dir::ALL[(self.facing as usize + quarters) % 4];
        self.turned = tick + Tick::from(self.actions.duration(action));
    }

    /// When what it does is over, if it does something at `tick`.
    pub(crate) fn busy(&self, tick: Tick) -> Option<Tick> {
        Some(self.until.max(self.turned)).filter(|&until| until > tick)
    }

    /// Begins a move.
    pub(crate) fn go(&mut self, grid: &Grid, tick: Tick, action: Action) {
        if let Action::Curve(bend, _) = action {
            // Ahead or back: its front turns with it either way.
            let ahead = bend.first() == self.facing;
            self.facing = if ahead { bend.then() } else { bend.then().opposite() };
        }
        self.begin(grid, tick, self.at.after(action), action);
    }

    /// Will be at `to` in the next tick, however far that is.
    pub(crate) fn jump(&mut self, grid: &Grid, tick: Tick, to: Cell) {
        self.begin(grid, tick, bounded(to), Action::Wait);
    }

    fn begin(&mut self, grid: &Grid, tick: Tick, to: Cell, action: Action) {
        if self.at_goal() && self.agent.must_rest() {
            self.rested += tick - self.until;
        }
        if to != self.at {
            self.gaze = (to.x.saturating_sub(self.at.x), to.y.saturating_sub(self.at.y));
        }
        self.to = to;
        self.to_id = grid.id(to);
        self.last = action;
        self.since = tick;
        self.until = tick + Tick::from(self.actions.duration(action));
        self.moving = true;
    }

    /// Direction of its move in progress; a jump has none, nor a curve.
    #[inline]
    pub(crate) fn heading(&self) -> Option<Dir> {
        if self.moving { self.last.dir() } else { None }
    }

    /// Whether a move is in progress that is not a jump.
    #[inline]
    pub(crate) fn goes(&self) -> bool {
        self.moving && self.last != Action::Wait
    }

    /// The direction in which it has run up to `tick`.
    pub(crate) fn running(&self, tick: Tick) -> Option<Dir> {
        match self.last {
            Action::Accelerate(dir) | Action::Run(dir) if self.until == tick => Some(dir),
            _ => None,
        }
    }

    /// Whether it stands at `tick`, so that it may begin an action.
    #[inline]
    pub(crate) const fn stands(&self, tick: Tick) -> bool {
        self.until <= tick && self.late <= tick && self.turned <= tick
    }

    /// What it covers now: of a move in progress, everything; otherwise its body.
    pub(crate) fn cover(&self) -> Footprint {
        self.actions.footprint(self.at, if self.moving { self.last } else { Action::Wait })
    }

    /// Whether its move in progress leaves `cell` free when it is over.
    pub(crate) fn leaves(&self, cell: Cell) -> bool {
        self.body(self.at).covers(cell) && !self.body(self.to).covers(cell)
    }

    /// Whether its move in progress takes `cell`.
    pub(crate) fn enters(&self, cell: Cell) -> bool {
        self.body(self.to).covers(cell) && !self.body(self.at).covers(cell)
    }

    /// The cells of its body with the smallest corner at `cell`.
    pub(crate) fn body(&self, cell: Cell) -> Footprint {
        self.actions.footprint(cell, Action::Wait)
    }

    pub(crate) const fn agent(&self) -> &'a Agent {
        self.agent
    }

    /// How its part ended when all is over at `ticks`.
    pub(crate) fn end(&self, ticks: Tick) -> Ending {
        if !self.at_goal() {
            return Ending { finished: false, cost: ticks, loss: ticks - self.rested };
        }
        let cost = if self.agent.must_rest() { self.until } else { self.done };
        Ending { finished: true, cost, loss: cost - self.rested }
    }

    fn at_goal(&self) -> bool {
        self.all_visited && (!self.agent.must_rest() || (!self.moving && self.at == self.next))
    }

    /// What has been seen is enough for one that explores.
    pub(crate) fn explored(&mut self, tick: Tick) {
        if !self.all_visited {
            (self.leg, self.all_visited, self.done) = (1, true, tick);
        }
    }

    /// Where its eyes look: the way of its last move, by columns and rows; nowhere in particular before it has moved.
    pub(crate) const fn gaze(&self) -> (i32, i32) {
        self.gaze
    }

    /// Counts the waypoints that it has just reached.
    fn visit(&mut self) {
        if self.agent.task.is_search() {
            return;
        }
        let way = self.agent.waypoints();
        while !self.all_visited && self.at == self.next {
            self.leg += 1;
            self.next = way.target(self.leg);
            self.all_visited = self.leg == way.len();
            self.done = self.until;
        }
    }
}

/// Keeps nonsense coordinates away from overflow; no map is anywhere near this large.
fn bounded(cell: Cell) -> Cell {
    const FAR: i32 = 1 << 30;
    Cell::new(cell.x.clamp(-FAR, FAR), cell.y.clamp(-FAR, FAR))
}
