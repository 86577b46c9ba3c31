//! Random scenarios for property tests.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::ops::RangeInclusive;
use throng_core::{Agent, Cell, Connectivity, Dir, Grid, Motion, Rules, Scenario, Task, Timing};

/// What kind of random scenarios to make: a random grid with walls, bodies that do not overlap at their
/// starts, resting places that do not overlap either. Goals may be unreachable. Where the map has no room
/// for another agent there are fewer, possibly none.
///
/// ```
/// use proptest::prelude::*;
/// use throng_testkit::Worlds;
///
/// proptest!(|(scenario in Worlds::tiny().strategy())| {
///     prop_assert!(scenario.agents().len() <= 3);
///     prop_assert!(scenario.require_distinct_goals().is_ok());
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Worlds {
    /// Columns.
    pub width: RangeInclusive<usize>,
    /// Rows.
    pub height: RangeInclusive<usize>,
    /// Blocked cells in percent.
    pub walls: RangeInclusive<u32>,
    /// How many agents.
    pub agents: RangeInclusive<usize>,
    /// One of these rules. Where a combination makes no sense it loses `hold_both` or `follow`.
    pub rules: Vec<Rules>,
    /// Sides of bodies.
    pub bodies: RangeInclusive<u8>,
    /// Periods; 1 under uniform timing.
    pub periods: RangeInclusive<u8>,
    /// Whether some of those under metric timing run or drive curves.
    pub motions: bool,
}

impl Worlds {
    /// Small enough for [`optimal`](crate::optimal): up to 12 cells and 3 agents, graph rules, four or
    /// eight moves.
    #[must_use]
    pub fn tiny() -> Self {
        Self {
            width: 1..=4,
            height: 1..=3,
            walls: 0..=40,
            agents: 1..=3,
            rules: [Connectivity::Four, Connectivity::Eight]
                .map(|connectivity| Rules { connectivity, ..Rules::default() })
                .into(),
            bodies: 1..=1,
            periods: 1..=1,
            motions: false,
        }
    }

    /// A room's size: sides 3 to 10, up to 8 agents, graph rules, four or eight moves.
    #[must_use]
    pub fn small() -> Self {
        Self { width: 3..=10, height: 3..=10, agents: 1..=8, ..Self::tiny() }
    }

    /// Sides 12 to 40, up to 60 agents, graph rules, four or eight moves.
    #[must_use]
    pub fn large() -> Self {
        Self { width: 12..=40, height: 12..=40, walls: 0..=30, agents: 10..=60, ..Self::tiny() }
    }

    /// The same with any rules, bodies 1 to 3 and periods 1 to 5.
    #[must_use]
    pub fn of_all_kinds(self) -> Self {
        Self { rules: Self::all_rules(), bodies: 1..=3, periods: 1..=5, ..self }
    }

    /// The same under metric timing with some who run and some who drive curves.
    #[must_use]
    pub fn of_all_motions(self) -> Self {
        let metric = |rules: &Rules| rules.timing == Timing::Metric;
        let rules = Self::all_rules().into_iter().filter(metric).collect();
        Self { rules, motions: true, ..self.of_all_kinds() }
    }

    /// Every combination of rules.
    #[must_use]
    pub fn all_rules() -> Vec<Rules> {
        let mut rules = Vec::new();
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            for (timing, hold_both) in
                [(Timing::Uniform, false), (Timing::Uniform, true), (Timing::Metric, false)]
            {
                for follow in [false, true] {
                    rules.push(Rules { connectivity, timing, hold_both, follow });
                }
            }
        }
        rules
    }

    /// The scenarios.
    pub fn strategy(self) -> impl Strategy<Value = Scenario> {
        let size = (self.width, self.height, self.walls);
        let unit = (any::<Index>(), any::<Index>(), self.bodies, self.periods, motion(self.motions));
        let units = prop::collection::vec(unit, self.agents);
        size.prop_flat_map(move |(width, height, walls)| {
            let walls = prop::collection::vec(prop::bool::weighted(f64::from(walls) / 100.0), width * height);
            (Just(width), Just(height), walls)
        })
        .prop_flat_map(move |grid| (Just(grid), units.clone(), select(self.rules.clone())))
        .prop_map(|((width, height, walls), units, rules)| {
            let letters: Vec<u8> = walls.iter().map(|&wall| if wall { b'@' } else { b'.' }).collect();
            let grid = Grid::new(width, height, &letters, throng_core::TerrainPolicy::default())
                .unwrap_or_else(|e| panic!("{e}"));
            populate(grid, rules, &units)
        })
    }
}

/// How a unit moves, as a choice among runs and one among radii and headings; `None` for steps.
type Manner = Option<(Option<Index>, u8, Dir)>;

fn motion(motions: bool) -> BoxedStrategy<Manner> {
    if !motions {
        return Just(None).boxed();
    }
    let runs = prop::option::of(any::<Index>());
    prop::option::weighted(0.7, (runs, 1..=3u8, select(Dir::ALL[..4].to_vec()))).boxed()
}

fn populate(grid: Grid, mut rules: Rules, units: &[(Index, Index, u8, u8, Manner)]) -> Scenario {
    let (mut starts, mut goals) = (Room::new(&grid), Room::new(&grid));
    let mut agents = Vec::new();
    for &(start, goal, body, period, manner) in units {
        let Some(start) = starts.pick(start, body) else { continue };
        let Some(goal) = goals.pick(goal, body) else { break };
        let mut agent = Agent::new(agents.len() as u32, start, Task::Goal(goal));
        agent.body = body;
        agent.period = if rules.timing == Timing::Metric { period } else { 1 };
        agent.motion = match manner {
            Some((Some(run), ..)) if agent.period > 1 => {
                Motion::Gaits { run: 1 + run.index(usize::from(agent.period) - 1) as u8 }
            }
            Some((None, radius, heading)) if rules.timing == Timing::Metric => {
                Motion::Car { radius, heading }
            }
            _ => Motion::Steps,
        };
        agents.push(agent);
    }
    rules.hold_both &= rules.timing == Timing::Uniform;
    rules.follow &= !(rules.graph_rules() && agents.iter().all(|a| a.body == 1));
    Scenario::new("random", grid, rules, agents).unwrap_or_else(|e| panic!("{e}"))
}

/// Where there is still room.
struct Room<'a> {
    grid: &'a Grid,
    bodies: Vec<(Cell, u8)>,
}

impl<'a> Room<'a> {
    fn new(grid: &'a Grid) -> Self {
        Self { grid, bodies: Vec::new() }
    }

    /// Takes one of the places where a body of this side fits, if there is any.
    fn pick(&mut self, which: Index, body: u8) -> Option<Cell> {
        let fits =
            |&cell: &Cell| self.grid.fits(cell, body) && self.bodies.iter().all(|&b| apart(b, (cell, body)));
        let places: Vec<Cell> = self.grid.open_ids().map(|id| self.grid.cell(id)).filter(fits).collect();
        let cell = (!places.is_empty()).then(|| *which.get(&places))?;
        self.bodies.push((cell, body));
        Some(cell)
    }
}

fn apart((p, n): (Cell, u8), (q, m): (Cell, u8)) -> bool {
    let clear = |p: i32, n: u8, q: i32, m: u8| p + i32::from(n) <= q || q + i32::from(m) <= p;
    clear(p.x, n, q.x, m) || clear(p.y, n, q.y, m)
}
