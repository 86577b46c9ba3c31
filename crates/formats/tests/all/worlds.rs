//! Arbitrary worlds, and arbitrary damage to files.

use proptest::prelude::*;
use proptest::sample::Index;
use throng_core::{Agent, AgentId, Cell, Connectivity, Dir, Grid, Motion, Rules, Scenario, Task};
use throng_core::{Brings, Errand, Places, Sight, Stream, Supply, TerrainEvent, TerrainPolicy, Timing};

pub(crate) fn policy() -> impl Strategy<Value = TerrainPolicy> {
    any::<[bool; 3]>().prop_map(|[swamp, water, trees]| TerrainPolicy { swamp, water, trees })
}

/// Maps of up to 9×9 with every letter, half of them plain ground.
pub(crate) fn grid() -> impl Strategy<Value = Grid> {
    let letter = prop_oneof![Just(b'.'), proptest::sample::select(&b".GS@OTW"[..])];
    (1usize..10, 1usize..10)
        .prop_flat_map(move |(w, h)| {
            (Just((w, h)), proptest::collection::vec(letter.clone(), w * h), policy())
        })
        .prop_map(|((width, height), letters, policy)| Grid::new(width, height, &letters, policy).unwrap())
}

pub(crate) fn rules() -> impl Strategy<Value = Rules> {
    any::<[bool; 4]>().prop_map(|[eight, metric, hold_both, follow]| Rules {
        connectivity: if eight { Connectivity::Eight } else { Connectivity::Four },
        timing: if metric { Timing::Metric } else { Timing::Uniform },
        hold_both: hold_both && !metric,
        follow: follow && (metric || hold_both),
    })
}

/// Valid scenarios with units of all kinds; none where the map has no open cell.
pub(crate) fn scenario() -> impl Strategy<Value = Scenario> {
    let unit = (any::<(Index, Index, u16, u8, u8, i32)>(), 0u8..7, 1u32..9, (0u8..5, 1u8..=8, 0u8..4));
    let cells = || proptest::collection::vec(any::<(Index, Index)>(), 0..4);
    let events = proptest::collection::vec((0..500u64, cells(), cells()), 0..4);
    let units = proptest::collection::vec(unit, 0..8);
    let errands = (proptest::collection::vec((0..500u64, stops()), 0..4), proptest::option::of(stream()));
    let all = (".*", grid(), rules(), units, events, sight(), errands);
    all.prop_map(|(name, grid, rules, units, events, sight, (errands, stream))| {
        let mut agents: Vec<Agent> = Vec::new();
        for ((start, goal, team, body, period, priority), kind, rounds, manner) in units {
            let open: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
            if open.is_empty() {
                break;
            }
            let (start, goal) = (*start.get(&open), *goal.get(&open));
            let task = match kind {
                0 => Task::Goal(goal),
                1 => Task::Goals(vec![goal, start, goal]),
                2 => Task::Explore,
                3 => Task::Find(goal),
                4 => Task::Errands(Vec::new()),
                _ => Task::Patrol { goal, rounds },
            };
            let period = if rules.timing == Timing::Metric { 1 + period % Scenario::MAX_PERIOD } else { 1 };
            let mut agent = Agent { team, priority, period, ..Agent::new(0, start, task) };
            agent.body = 1 + body % 2;
            agent.motion = match manner {
                (0, run, _) if run < period => Motion::Gaits { run },
                (1, radius, heading) if rules.timing == Timing::Metric => {
                    Motion::Car { radius, heading: Dir::from_index(heading).unwrap() }
                }
                _ => Motion::Steps,
            };
            let fits = |agent: &Agent| grid.fits(start, agent.body) && grid.fits(goal, agent.body);
            if !fits(&agent) {
                agent.body = 1;
            }
            let covers = |a: &Agent, c| a.actions(rules).footprint(a.start, Default::default()).covers(c);
            let mut cells = agent.actions(rules).footprint(start, Default::default()).cells();
            if cells.all(|cell| !agents.iter().any(|other| covers(other, cell))) {
                agent.id = AgentId(agents.len() as u32);
                agents.push(agent);
            }
        }
        let cell =
            |(x, y): (Index, Index)| Cell::new(x.index(grid.width()) as i32, y.index(grid.height()) as i32);
        let event = |(at, close, open): (u64, Vec<_>, Vec<_>)| {
            let open: Vec<_> = open.into_iter().map(cell).collect();
            let close = close.into_iter().map(cell).filter(|cell| !open.contains(cell)).collect();
            TerrainEvent { at, close, open }
        };
        let mut events: Vec<_> = events.into_iter().map(event).collect();
        events.retain(|event| !event.close.is_empty() || !event.open.is_empty());
        // Eyes are of one team only if nobody of another one explores.
        let mut explorers = agents.iter().filter(|agent| agent.task.is_search()).map(|agent| agent.team);
        let first = explorers.next();
        let (explores, alike) = (first.is_some(), explorers.all(|team| Some(team) == first));
        let sight = Sight { team: sight.team.and(first).filter(|_| alike), ..sight };
        if explores {
            // Nobody does errands in a world that has to be seen first.
            agents.iter_mut().filter(|agent| matches!(agent.task, Task::Errands(_))).for_each(|agent| {
                agent.task = Task::Goal(agent.start);
            });
        }
        let open: Vec<Cell> = grid.open_ids().map(|id| grid.cell(id)).collect();
        let errand = |(at, stops): (u64, Vec<Index>)| Errand { at, stops: cells_of(&stops, &open) };
        let errands = errands.into_iter().filter(|_| !open.is_empty()).map(errand).collect();
        let stream = stream.filter(|_| !open.is_empty()).map(|stream| stream_on(stream, &grid, &open));
        let scenario = Scenario::new(name, grid, rules, agents)
            .and_then(|scenario| scenario.with_events(events))
            .and_then(|scenario| scenario.with_errands(errands))
            .and_then(|scenario| scenario.with_stream(stream))
            .unwrap();
        if explores { scenario.with_sight(sight).unwrap() } else { scenario }
    })
}

fn stops() -> impl Strategy<Value = Vec<Index>> {
    proptest::collection::vec(any::<Index>(), 1..4)
}

fn cells_of(stops: &[Index], open: &[Cell]) -> Vec<Cell> {
    stops.iter().map(|stop| *stop.get(open)).collect()
}

type StreamDraft = (bool, u32, Vec<(u8, Vec<Index>)>, Option<u64>, Option<u64>, bool);

fn stream() -> impl Strategy<Value = StreamDraft> {
    let places = proptest::collection::vec((0u8..3, stops()), 1..4);
    (
        any::<bool>(),
        1..=100_000u32,
        places,
        proptest::option::of(1..1000u64),
        any::<Option<u64>>(),
        any::<bool>(),
    )
}

fn stream_on((rate, number, places, count, seed, listed): StreamDraft, grid: &Grid, open: &[Cell]) -> Stream {
    let supply = if rate { Supply::Rate(number) } else { Supply::Open(number) };
    let places_of = |(kind, stops): &(u8, Vec<Index>)| match kind {
        0 => Places::Anywhere,
        1 => Places::Letter(grid.letter(grid.id(*stops[0].get(open)).unwrap())),
        _ => Places::Cells(cells_of(stops, open)),
    };
    let brings = match listed {
        true => Brings::Listed(places.iter().map(|(_, stops)| cells_of(stops, open)).collect()),
        false => Brings::Drawn(places.iter().map(places_of).collect()),
    };
    Stream { supply, brings, count, seed }
}

fn sight() -> impl Strategy<Value = Sight> {
    let ticks = proptest::option::of(1..=u32::MAX);
    (1u32..=1024, 1u32..=360, any::<Option<Index>>(), any::<[bool; 3]>(), ticks, any::<Option<()>>())
        .prop_map(|(radius, angle, inner, [line_of_sight, shared, map_known], fading, team)| Sight {
            radius,
            angle,
            inner: inner.map(|inner| 1 + inner.index(radius as usize) as u32),
            line_of_sight,
            shared,
            map_known,
            fading,
            team: team.map(|()| 0),
        })
}

/// Bytes changed, put in, cut out, and a cut end.
#[derive(Clone, Debug)]
pub(crate) struct Damage(Vec<(u8, Index, u8)>);

pub(crate) fn damage() -> impl Strategy<Value = Damage> {
    // Characters that mean something to some format are likelier than others.
    let byte =
        prop_oneof![any::<u8>(), proptest::sample::select(&b"\0\n\r\t ()[]=,:.\"'-019@\x7f\x80\xff"[..])];
    proptest::collection::vec((0u8..4, any::<Index>(), byte), 1..5).prop_map(Damage)
}

impl Damage {
    pub(crate) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for (kind, at, byte) in &self.0 {
            let at = at.index(bytes.len() + 1);
            match kind {
                0 if at < bytes.len() => bytes[at] = *byte,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.insert(at, *byte),
                3 if byte % 4 == 0 => bytes.truncate(at),
                _ => {}
            }
        }
        bytes
    }
}
