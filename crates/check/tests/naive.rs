//! The linear judge against one that compares every pair at every tick, written from the rules.

use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;
use throng_check::{Expect, Judge, Violation, check_prefix, check_step};
use throng_core::{Action, Cell, ConflictKind, Dir, Path, Plan, Rules, Scenario, State, Tick};
use throng_testkit::Worlds;

/// What one agent does at one tick.
struct Moment {
    /// Where it stands or comes from.
    from: Cell,
    /// Where it is going; `from` if it stands.
    to: Cell,
    begins: Tick,
    ends: Tick,
    body: i32,
}

impl Moment {
    fn moves(&self) -> bool {
        self.from != self.to
    }

    fn stands_on(corner: Cell, body: i32) -> BTreeSet<Cell> {
        let square = |x| (0..body).map(move |y| Cell::new(corner.x + x, corner.y + y));
        (0..body).flat_map(square).collect()
    }

    fn source(&self) -> BTreeSet<Cell> {
        Self::stands_on(self.from, self.body)
    }

    fn target(&self) -> BTreeSet<Cell> {
        Self::stands_on(self.to, self.body)
    }

    /// Source, target and, of a diagonal, the rest of the block around them.
    fn cover(&self) -> BTreeSet<Cell> {
        let both: BTreeSet<Cell> = self.source().union(&self.target()).copied().collect();
        let (xs, ys): (BTreeSet<i32>, BTreeSet<i32>) = both.iter().map(|c| (c.x, c.y)).unzip();
        xs.iter().flat_map(|&x| ys.iter().map(move |&y| Cell::new(x, y))).collect()
    }

    fn heading(&self) -> (i32, i32) {
        (self.to.x - self.from.x, self.to.y - self.from.y)
    }
}

/// What an agent does at each tick from 0 to `ticks`.
fn moments(scenario: &Scenario, id: usize, path: &Path, ticks: Tick) -> Vec<Moment> {
    let agent = &scenario.agents()[id];
    let (actions, body) = (agent.actions(scenario.rules()), i32::from(agent.body));
    let mut list = Vec::new();
    for (begins, from, action) in path.steps(actions) {
        let ends = begins + Tick::from(actions.duration(action));
        list.extend((begins..ends).map(|_| Moment { from, to: from.after(action), begins, ends, body }));
    }
    let rest = path.end();
    while list.len() as Tick <= ticks {
        let now = list.len() as Tick;
        list.push(Moment { from: rest, to: rest, begins: now, ends: now + 1, body });
    }
    list
}

fn judge_pair(rules: Rules, a: &Moment, b: &Moment) -> Option<ConflictKind> {
    if rules.graph_rules() && a.body == 1 && b.body == 1 {
        let middle = |m: &Moment| (m.from.x + m.to.x, m.from.y + m.to.y);
        return if a.from == b.from {
            Some(ConflictKind::SameCell)
        } else if a.moves() && a.to == b.from && b.to == a.from {
            Some(ConflictKind::Swap)
        } else if a.moves() && b.moves() && middle(a) == middle(b) {
            Some(ConflictKind::Crossing)
        } else {
            None
        };
    }
    let excused = |cell: &Cell, leader: &Moment, follower: &Moment| {
        rules.follow
            && leader.moves()
            && leader.heading() == follower.heading()
            && leader.begins <= follower.begins
            && leader.ends <= follower.ends
            && leader.source().contains(cell)
            && !leader.target().contains(cell)
            && follower.target().contains(cell)
            && !follower.source().contains(cell)
    };
    let (p, q) = (a.cover(), b.cover());
    let clash = p.intersection(&q).any(|cell| !excused(cell, a, b) && !excused(cell, b, a));
    clash.then_some(ConflictKind::Overlap)
}

type Found = BTreeSet<(usize, usize, Tick, ConflictKind)>;

fn naive(scenario: &Scenario, plan: &Plan, ticks: Tick) -> Found {
    let lives: Vec<Vec<Moment>> =
        plan.paths.iter().enumerate().map(|(id, path)| moments(scenario, id, path, ticks)).collect();
    let mut found = Found::new();
    for a in 0..lives.len() {
        for b in a + 1..lives.len() {
            let mut before = false;
            for (tick, (p, q)) in (0..=ticks).zip(lives[a].iter().zip(&lives[b])) {
                let kind = judge_pair(scenario.rules(), p, q);
                if let Some(kind) = kind.filter(|_| !before) {
                    found.insert((a, b, tick, kind));
                }
                before = kind.is_some();
            }
        }
    }
    found
}

/// Every tick by itself, as one who sees a world only before and after it: all conflicts, not only the first of a row.
fn agrees_tick_by_tick(scenario: &Scenario, plan: &Plan, ticks: Tick) -> Result<(), TestCaseError> {
    let lives: Vec<Vec<Moment>> =
        plan.paths.iter().enumerate().map(|(id, path)| moments(scenario, id, path, ticks)).collect();
    let mut before = State::new(scenario);
    for tick in 0..ticks {
        let mut after = before.clone();
        after.tick = tick + 1;
        for (unit, life) in after.units.iter_mut().zip(&lives) {
            let now = &life[tick as usize];
            if now.moves() {
                let [from, to] = [now.from, now.to].map(|cell| scenario.grid().id(cell).unwrap());
                let over = now.ends == tick + 1;
                (unit.from, unit.at) = (if over { to } else { from }, to);
                (unit.since, unit.until) = (now.begins, now.ends);
            }
        }
        let mut expected = BTreeSet::new();
        for (b, q) in lives.iter().enumerate() {
            for (a, p) in lives.iter().enumerate().take(b) {
                let kind = judge_pair(scenario.rules(), &p[tick as usize], &q[tick as usize]);
                expected.extend(kind.map(|kind| (a, b, kind)));
            }
        }
        let found = check_step(scenario, &before, &after);
        let found: BTreeSet<_> = found
            .iter()
            .map(|violation| match violation {
                Violation::Conflict(c) => (c.agents[0].index(), c.agents[1].index(), c.kind),
                other => panic!("{other}"),
            })
            .collect();
        prop_assert_eq!(found, expected, "tick {}", tick);
        before = after;
    }
    Ok(())
}

fn linear(scenario: &Scenario, plan: &Plan) -> Found {
    let report = check_prefix(scenario, plan);
    assert_eq!(report.total, report.violations.len() as u64, "nothing but conflicts, and not too many");
    let conflict = |violation: &Violation| match violation {
        Violation::Conflict(c) => (c.agents[0].index(), c.agents[1].index(), c.tick, c.kind),
        other => panic!("{other}"),
    };
    report.violations.iter().map(conflict).collect()
}

/// Everybody walks about, legally as far as terrain goes, not caring about each other.
fn walks(scenario: &Scenario, choices: &[Vec<Index>]) -> Plan {
    let walk = |(agent, choices): (&throng_core::Agent, &Vec<Index>)| {
        let actions = agent.actions(scenario.rules());
        let mut path = Path { start: agent.start, actions: vec![] };
        for choice in choices {
            let legal: Vec<Action> = Dir::ALL
                .map(Action::Go)
                .into_iter()
                .chain([Action::Wait])
                .filter(|&a| actions.legal(scenario.grid(), path.end(), 0, a))
                .collect();
            path.actions.push(*choice.get(&legal));
        }
        path
    };
    Plan { paths: scenario.agents().iter().zip(choices).map(walk).collect() }
}

fn compare(scenario: &Scenario, choices: &[Vec<Index>]) -> Result<(), TestCaseError> {
    let plan = walks(scenario, choices);
    let report = check_prefix(scenario, &plan);
    prop_assert_eq!(linear(scenario, &plan), naive(scenario, &plan, report.ticks));
    agrees_tick_by_tick(scenario, &plan, report.ticks)
}

fn choices() -> impl Strategy<Value = Vec<Vec<Index>>> {
    prop::collection::vec(prop::collection::vec(any::<Index>(), 0..12), 6)
}

fn worlds() -> Worlds {
    Worlds { width: 2..=6, height: 2..=6, walls: 0..=25, agents: 2..=6, ..Worlds::tiny() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn agrees_under_the_graph_rules(scenario in worlds().strategy(), choices in choices()) {
        compare(&scenario, &choices)?;
    }

    #[test]
    fn agrees_under_all_rules(scenario in worlds().of_all_kinds().strategy(), choices in choices()) {
        compare(&scenario, &choices)?;
    }

    #[test]
    fn agrees_in_crowds_of_trains(
        mut scenario in Worlds { walls: 0..=0, width: 5..=7, height: 5..=7, ..worlds().of_all_kinds() }.strategy(),
        way in prop::collection::vec(0..4u8, 1..6),
        waits in prop::collection::vec(0..3usize, 6),
        diagonal in any::<bool>(),
    ) {
        // Equal headings at nearly equal times are what `follow` is about; random walks hardly ever have them.
        let eight = scenario.rules().connectivity == throng_core::Connectivity::Eight;
        let shift = if diagonal && eight { 4 } else { 0 };
        let rules = Rules { follow: !scenario.rules().graph_rules(), ..scenario.rules() };
        let agents = scenario.agents().to_vec();
        scenario = Scenario::new("t", scenario.grid().clone(), rules, agents).unwrap();
        let walk = |(agent, &waits): (&throng_core::Agent, &usize)| {
            let actions = agent.actions(scenario.rules());
            let mut path = Path { start: agent.start, actions: vec![Action::Wait; waits] };
            for &dir in &way {
                let action = Dir::from_index(dir + shift).map(Action::Go).unwrap();
                if actions.legal(scenario.grid(), path.end(), 0, action) {
                    path.actions.push(action);
                }
            }
            path
        };
        let plan = Plan { paths: scenario.agents().iter().zip(&waits).map(walk).collect() };
        let ticks = check_prefix(&scenario, &plan).ticks;
        prop_assert_eq!(linear(&scenario, &plan), naive(&scenario, &plan, ticks));
    }

    #[test]
    fn a_walk_of_one_is_never_in_conflict(
        scenario in Worlds { agents: 1..=1, ..worlds().of_all_kinds() }.strategy(),
        choices in choices(),
    ) {
        let plan = walks(&scenario, &choices);
        let report = check_prefix(&scenario, &plan);
        prop_assert!(report.is_valid(), "{}", report);
        let steps: usize = plan.paths.iter().flat_map(|p| &p.actions).filter(|&&a| a != Action::Wait).count();
        prop_assert_eq!(report.straight + report.diagonal, steps as u64);
        prop_assert!(Judge::new(&scenario).finish(Expect::Legal).is_valid());
    }
}
