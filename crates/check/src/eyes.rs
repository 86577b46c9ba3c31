//! What those who explore have seen, by the judge's own eyes: line by line, from the middle of a cell to the middle of another.
//!
//! An open cell is in sight if it is near enough and in the right direction, and if the straight line to its middle passes through no
//! wall and does not touch walls on both of its sides. Of walls nothing is asked: whoever has seen every open cell that it could get to
//! has explored. Where cells close and open, what nobody can know any more counts as seen.

use crate::mover::Mover;
use throng_core::{AgentId, Cell, CellId, Dir, Grid, Scenario, Sight, Task, Tick};

#[derive(Clone, Debug)]
pub(crate) struct Eyes {
    sight: Sight,
    /// Cosine of half the angle of a cone.
    cosine: f64,
    /// Each with those who know it, by their place.
    known: Vec<(Vec<usize>, Known)>,
    /// Cells that have closed or opened.
    changed: Vec<bool>,
}

/// What some have seen together.
#[derive(Clone, Debug)]
struct Known {
    /// By cell: when it was last seen open.
    last: Vec<Option<Tick>>,
    /// By member: from where and in which direction it looked last.
    looked: Vec<Option<(Cell, (i32, i32))>>,
    /// The cells that it saw then, by member.
    in_sight: Vec<Vec<CellId>>,
}

impl Eyes {
    /// Nothing if nobody explores, or nobody has eyes.
    pub(crate) fn of(scenario: &Scenario) -> Option<Self> {
        let sight = scenario.sight()?;
        let agents = scenario.agents();
        if !agents.iter().any(|agent| agent.task.is_search()) {
            return None;
        }
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (place, agent) in agents.iter().enumerate() {
            let team = groups.iter_mut().find(|group| agents[group[0]].team == agent.team);
            match team {
                Some(group) if sight.shared => group.push(place),
                _ => groups.push(vec![place]),
            }
        }
        groups.retain(|group| group.iter().any(|&place| agents[place].task.is_search()));
        let cells = scenario.grid().len();
        let known = |members: Vec<usize>| {
            let last = vec![sight.map_known.then_some(0); cells];
            let known =
                Known { last, looked: vec![None; members.len()], in_sight: vec![Vec::new(); members.len()] };
            (members, known)
        };
        let cosine = (f64::from(sight.angle).to_radians() / 2.0).cos() - 1e-9;
        let known = groups.into_iter().map(known).collect();
        Some(Self { sight, cosine, known, changed: vec![false; cells] })
    }

    /// A cell has closed or opened.
    pub(crate) fn changed(&mut self, id: CellId) {
        self.changed[id.index()] = true;
        for (_, known) in &mut self.known {
            known.last[id.index()] = None;
            known.looked.fill(None);
        }
    }

    /// Everybody looks; answers whose task is done by what has been seen.
    pub(crate) fn look(&mut self, grid: &Grid, movers: &[Mover<'_>], now: Tick) -> Vec<AgentId> {
        let mut known = core::mem::take(&mut self.known);
        let mut done = Vec::new();
        for (members, known) in &mut known {
            let mut news = false;
            for (slot, &place) in members.iter().enumerate() {
                let mover = &movers[place];
                let from = (mover.at, if self.sight.is_cone() { mover.gaze() } else { (0, 0) });
                if known.looked[slot].replace(from) != Some(from) {
                    news = true;
                    known.in_sight[slot].clear();
                    for eye in mover.body(mover.at).cells() {
                        self.view(grid, eye, from.1, &mut known.in_sight[slot]);
                    }
                }
                for cell in &known.in_sight[slot] {
                    known.last[cell.index()] = Some(now);
                }
            }
            if news || self.sight.fading.is_some() {
                self.judge(grid, known, members.iter().map(|&place| &movers[place]), now, &mut done);
            }
        }
        self.known = known;
        done
    }

    /// Whose task is done.
    fn judge<'a>(
        &self,
        grid: &Grid,
        known: &Known,
        movers: impl Iterator<Item = &'a Mover<'a>>,
        now: Tick,
        done: &mut Vec<AgentId>,
    ) {
        let fresh = |tick: Tick| self.sight.fading.is_none_or(|ticks| now - tick <= Tick::from(ticks));
        let has_seen = |id: CellId| known.last[id.index()].is_some_and(fresh);
        let mut open = None;
        for mover in movers {
            let agent = mover.agent();
            let found = match agent.task {
                Task::Find(cell) => grid.id(cell).is_some_and(|id| has_seen(id) || self.changed[id.index()]),
                Task::Explore => false,
                _ => continue,
            };
            let open = open.get_or_insert_with(|| self.leads_on(grid, has_seen));
            if found || mover.at_id.is_some_and(|id| !open[id.index()]) {
                done.push(agent.id);
            }
        }
    }

    /// By cell: whether something that has not been seen can be walked to from it, over cells that have been.
    fn leads_on(&self, grid: &Grid, has_seen: impl Fn(CellId) -> bool) -> Vec<bool> {
        let beside = |id: CellId| {
            let cell = grid.cell(id);
            let dirs = Dir::ALL.into_iter().filter(|dir| !dir.is_diagonal());
            dirs.filter_map(move |dir| grid.id(cell.step(dir))).filter(|&id| grid.is_open_id(id))
        };
        let mut leads = vec![false; grid.len()];
        let unseen = |id: CellId| !has_seen(id) && !self.changed[id.index()];
        let mut queue: Vec<_> = grid.open_ids().filter(|&id| unseen(id)).collect();
        while let Some(id) = queue.pop() {
            for next in beside(id).filter(|&next| has_seen(next)) {
                if !core::mem::replace(&mut leads[next.index()], true) {
                    queue.push(next);
                }
            }
        }
        leads
    }

    /// The open cells that are seen from the middle of one.
    fn view(&self, grid: &Grid, from: Cell, gaze: (i32, i32), seen: &mut Vec<CellId>) {
        let reach = self.sight.radius as i32;
        let within = |at: i32, size: usize| (at - reach).max(0)..=(at + reach).min(size as i32 - 1);
        for y in within(from.y, grid.height()) {
            for x in within(from.x, grid.width()) {
                let to = Cell::new(x, y);
                if grid.is_open(to)
                    && self.reaches(x - from.x, y - from.y, gaze)
                    && (!self.sight.line_of_sight || is_clear(grid, from, to))
                {
                    seen.extend(grid.id(to));
                }
            }
        }
    }

    /// Whether what lies so far away is near enough and on the right side.
    fn reaches(&self, dx: i32, dy: i32, (gx, gy): (i32, i32)) -> bool {
        let away = f64::from(dx).hypot(f64::from(dy));
        let within = |radius: u32| {
            let (dx, dy, radius) = (i64::from(dx), i64::from(dy), i64::from(radius));
            dx * dx + dy * dy <= radius * radius
        };
        if within(self.sight.circle()) || !within(self.sight.radius) {
            return within(self.sight.circle());
        }
        if self.sight.angle == Sight::MAX_ANGLE || (gx, gy) == (0, 0) {
            return true;
        }
        let along = f64::from(dx) * f64::from(gx) + f64::from(dy) * f64::from(gy);
        along >= self.cosine * away * f64::from(gx).hypot(f64::from(gy))
    }
}

/// Whether the line between the middles of two cells passes through no wall, and does not touch walls on both sides.
///
/// The line is (x0 + t·dx, y0 + t·dy), and the open square of a cell at (x, y) is met where all four of its corners are not on one
/// side of the line: by exact cross products, for every cell of the box around the line.
fn is_clear(grid: &Grid, from: Cell, to: Cell) -> bool {
    // Twice the coordinates, so that middles are whole numbers: a cell spans 2x to 2x + 2.
    let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    let (x0, y0) = (i64::from(2 * from.x + 1), i64::from(2 * from.y + 1));
    let side = |x: i64, y: i64| (dx * (y - y0) - dy * (x - x0)).signum();
    let (mut left, mut right) = (false, false);
    for y in from.y.min(to.y)..=from.y.max(to.y) {
        for x in from.x.min(to.x)..=from.x.max(to.x) {
            if grid.is_open(Cell::new(x, y)) {
                continue;
            }
            let (x, y) = (i64::from(2 * x), i64::from(2 * y));
            let corners = [side(x, y), side(x + 2, y), side(x, y + 2), side(x + 2, y + 2)];
            let (above, below) = (corners.contains(&1), corners.contains(&-1));
            if above && below {
                return false;
            }
            // One corner of it lies on the line.
            if corners.contains(&0) {
                left |= above;
                right |= below;
            }
        }
    }
    !(left && right)
}
