use crate::worlds;
use proptest::prelude::*;
use throng_core::{Action, AgentId, Cell, Deed, ErrandId, ErrandNote, News, TerrainChange, Tick, Trace};
use throng_formats::trace::{self, BLOCK, MAGIC, Moving, Placement, Reader, TraceFile, VERSION};
use throng_formats::{FormatError, scenario};

const SCENARIO: &str = include_str!("../../../../testdata/formats/crossing.toml");
const GOOD: &[u8] = include_bytes!("../../../../testdata/formats/crossing.trace");

/// A run of 150 ticks in which units of three speeds go to and fro without looking.
fn sample() -> TraceFile {
    let scenario = scenario::parse(SCENARIO, &mut scenario::no_files).unwrap().scenario;
    let mut trace = Trace::new(scenario.agents().iter().map(|agent| agent.start).collect());
    let mut busy = [0; 3];
    for tick in 0..150 {
        for (place, agent) in scenario.agents().iter().enumerate() {
            let action = Action::from_code(1 + (tick / 8 % 8) as u8).unwrap();
            let failed = (tick + place as Tick).is_multiple_of(5);
            if tick >= busy[place] && !(tick + place as Tick).is_multiple_of(3) {
                trace.push(Deed { agent: agent.id, action, failed });
                let duration = agent.actions(scenario.rules()).duration(action);
                busy[place] = tick + if failed { 1 } else { Tick::from(duration) };
            }
        }
        trace.end_tick();
    }
    TraceFile { scenario, planner: "whca(window=16)".into(), seed: 7, state_hash: 0xdead_beef, trace }
}

/// Where everybody is, found by walking the whole trace: the slow way, to compare with.
fn walked(file: &TraceFile, tick: Tick) -> Vec<Placement> {
    let agents = file.scenario.agents();
    let stand = |(&at, agent): (&Cell, &throng_core::Agent)| {
        (Placement { at, pose: agent.motion.first_pose(), moving: None }, 0)
    };
    let mut all: Vec<_> = file.trace.starts.iter().zip(agents).map(stand).collect();
    for now in 0..tick {
        for (agent, (placement, until)) in agents.iter().zip(&mut all) {
            // Nothing began when its last move was over.
            if *until < now {
                placement.pose = agent.motion.rested(placement.pose);
            }
        }
        for deed in file.trace.at(now) {
            if deed.failed || deed.action == Action::Wait {
                continue;
            }
            let (placement, ends) = &mut all[deed.agent.index()];
            let actions = agents[deed.agent.index()].actions(file.scenario.rules());
            let (from, until) = (placement.at, now + Tick::from(actions.duration(deed.action)));
            let moving = Some(Moving { from, action: deed.action, since: now, until });
            let pose = actions.pose_after(placement.pose, deed.action);
            (*placement, *ends) = (Placement { at: from.after(deed.action), pose, moving }, until);
        }
    }
    let seen = agents.iter().zip(all).map(|(agent, (mut placement, until))| {
        if until < tick {
            placement.pose = agent.motion.rested(placement.pose);
        }
        placement.moving = placement.moving.filter(|moving| moving.until > tick);
        placement
    });
    seen.collect()
}

/// Where the first block begins. Without ticks a file is head, a zero, and 8 bytes.
fn head_len(file: &TraceFile) -> usize {
    trace::write(&TraceFile { trace: Trace::new(file.trace.starts.clone()), ..file.clone() }).len() - 9
}

/// The file in `testdata` was written by the first version that could. It must stay readable.
#[test]
fn old_files_stay_readable() {
    assert_eq!(trace::parse(GOOD), Ok(sample()));
    assert_eq!(trace::write(&sample()), GOOD);
}

#[test]
fn any_tick_can_be_sought() {
    let file = sample();
    let bytes = trace::write(&file);
    let reader = Reader::open(&bytes).unwrap();
    assert_eq!((reader.ticks(), reader.seed(), reader.state_hash()), (150, 7, 0xdead_beef));
    assert_eq!((reader.planner(), reader.scenario()), ("whca(window=16)", &file.scenario));
    assert!(reader.positions_at(BLOCK).unwrap().iter().any(|p| p.moving.is_some()), "a keyframe in a move");
    for tick in (0..160).rev() {
        assert_eq!(reader.positions_at(tick).unwrap(), walked(&file, tick), "tick {tick}");
    }
    let mut cursor = reader.seek(100).unwrap();
    for tick in 100..150 {
        assert_eq!(cursor.tick(), tick);
        assert!(cursor.positions().eq(walked(&file, tick)));
        assert_eq!(cursor.step().unwrap(), Some(file.trace.at(tick)));
    }
    assert_eq!(cursor.step(), Ok(None));
    assert_eq!(reader.seek(Tick::MAX).unwrap().tick(), 150);
    assert!(reader.positions_at(Tick::MAX).unwrap().iter().all(|p| p.moving.is_none()));
}

#[test]
fn seeking_reads_one_block_only() {
    let file = sample();
    let mut bytes = trace::write(&file);
    bytes[head_len(&file)] = 0x7f;
    let reader = Reader::open(&bytes).unwrap();
    assert!(reader.positions_at(1).is_err());
    assert_eq!(reader.positions_at(BLOCK), Ok(walked(&file, BLOCK)));
    assert_eq!(reader.positions_at(149), Ok(walked(&file, 149)));
}

#[test]
fn an_empty_trace_is_a_trace() {
    let file = TraceFile { trace: Trace::new(sample().trace.starts), ..sample() };
    let bytes = trace::write(&file);
    assert_eq!(trace::parse(&bytes).as_ref(), Ok(&file));
    assert_eq!(Reader::open(&bytes).unwrap().positions_at(3), Ok(walked(&file, 0)));
}

#[test]
fn each_fault_has_its_own_error() {
    assert_eq!(trace::parse(b""), Err(FormatError::NotATrace));
    assert_eq!(trace::parse(b"THRONG-TRICK\x01"), Err(FormatError::NotATrace));
    assert_eq!(FormatError::NotATrace.offset(), Some(0));
    let newer = [MAGIC, &[VERSION + 1]].concat();
    let error = trace::parse(&newer).unwrap_err();
    assert_eq!(error, FormatError::TraceVersion { found: VERSION + 1 });
    assert_eq!((error.offset(), error.line()), (Some(MAGIC.len()), None));

    // Whatever is cut off the end is noticed.
    for len in MAGIC.len()..GOOD.len() {
        let error = trace::parse(&GOOD[..len]).unwrap_err();
        assert!(error.offset().is_some(), "{len}: {error}");
    }

    let corrupt = |file: &TraceFile, expected: &str| {
        let error = trace::parse(&trace::write(file)).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
    };
    let mut file = sample();
    file.trace.starts.pop();
    corrupt(&file, "expected a start for every agent");
    let mut file = sample();
    file.trace.push(Deed { agent: AgentId(3), action: Action::Wait, failed: false });
    file.trace.end_tick();
    corrupt(&file, "expected a deed of an agent that exists, in order");

    let damaged = |at: usize, byte: u8| {
        let mut bytes = GOOD.to_vec();
        assert_ne!(std::mem::replace(&mut bytes[at], byte), byte);
        trace::parse(&bytes).unwrap_err().to_string()
    };
    let end = GOOD.len() - 8;
    assert_eq!(damaged(end + 1, 0xff), format!("byte {end}: expected where the index begins"));
    let index = usize::from(u16::from_le_bytes([GOOD[end], GOOD[end + 1]]));
    let room = damaged(index + 1, 0x7f);
    assert_eq!(room, format!("byte {index}: expected as many ticks as there is room for"));
    assert!(damaged(index + 2, 1).ends_with("an index that covers the whole file"));
    assert!(damaged(index + 2, 0x7f).ends_with("the length of a block inside the file"));
    // The keyframe of the second block, its first unit moved one to the side.
    assert!(GOOD[index + 2] < 0x80, "the length of the first block is one byte");
    let second = head_len(&sample()) + usize::from(GOOD[index + 2]);
    let moved = damaged(second, GOOD[second] ^ 2);
    assert_eq!(moved, format!("byte {second}: expected a keyframe that agrees with the deeds before it"));
}

/// A count is believed only as far as there are bytes for it.
#[test]
fn declared_counts_allocate_nothing() {
    let mut head = [MAGIC, &[VERSION]].concat();
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    let with = |head: &[u8], tail: &[u8]| trace::parse(&[head, tail].concat()).unwrap_err();
    assert!(matches!(with(&head, &huge), FormatError::Corrupt { .. }));
    head.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // name, planner, seed, hash, rules
    let map = with(&head, &[0xc0, 0x3e, 0xc0, 0x3e, 1]); // 8000×8000
    assert!(matches!(map, FormatError::CutOff { expected: "the terrain", .. }), "{map}");
    assert!(matches!(with(&head, &[0, 0, 1]), FormatError::Corrupt { .. }));
    head.extend([1, 1, 1, 0]);
    let agents = with(&head, &huge);
    assert_eq!(agents.to_string(), format!("byte {}: expected the number of agents", head.len()));
}

/// Broken heads: scenarios that core refuses are refused here.
#[test]
fn the_scenario_is_checked() {
    let text = "map = '..'\n[[unit]]\nstart = [0, 0]\ngoal = [1, 0]";
    let scenario = scenario::parse(text, &mut scenario::no_files).unwrap().scenario;
    let trace = Trace::new(vec![Cell::new(0, 0)]);
    let file = TraceFile { scenario, planner: String::new(), seed: 0, state_hash: 0, trace };
    let mut bytes = trace::write(&file);
    let terrain = MAGIC.len() + 1 + 12 + 3;
    assert_eq!(bytes[terrain], 0x00);
    bytes[terrain] = 0x03;
    assert!(matches!(trace::parse(&bytes), Err(FormatError::Scenario { line: None, .. })));
    bytes[terrain] = 0x0f;
    let unknown = FormatError::Corrupt { offset: terrain, expected: "known terrain" };
    assert_eq!(trace::parse(&bytes), Err(unknown));
}

prop_compose! {
    fn file()(
        scenario in worlds::scenario(),
        planner in ".*",
        seed: u64,
        state_hash: u64,
        ticks in proptest::collection::vec(proptest::collection::vec((0u8..9, any::<bool>(), 0u8..3), 8), 0..200),
        stretch in 1..=9u8,
        starts in proptest::option::of(any::<(i8, i8)>()),
        changes in proptest::collection::vec((0u64..200, any::<(u8, u8, bool)>()), 0..6),
        errands in proptest::collection::vec((0u64..200, 0u64..9, 0u8..5, any::<(u8, u8)>()), 0..6),
    ) -> TraceFile {
        let begin = scenario.agents().iter().map(|agent| match starts {
            // A run that was taken up again begins elsewhere.
            Some((x, y)) => Cell::new(x.into(), y.into()),
            None => agent.start,
        });
        let mut trace = Trace::new(begin.collect());
        for deeds in ticks {
            for (agent, (code, failed, kind)) in scenario.agents().iter().zip(deeds) {
                if kind == 0 {
                    trace.push(Deed { agent: agent.id, action: Action::from_code(code * stretch).unwrap(), failed });
                }
            }
            trace.end_tick();
        }
        for (tick, (x, y, open)) in changes {
            let (width, height) = (scenario.grid().width() as i32, scenario.grid().height() as i32);
            let cell = Cell::new(i32::from(x) % width, i32::from(y) % height);
            trace.changes.push(TerrainChange { tick, cell, open });
        }
        trace.changes.sort_by_key(|change| change.tick);
        for (tick, errand, kind, (x, y)) in errands {
            let agent = AgentId(x.into());
            let news = match kind {
                0 => News::Appeared(vec![Cell::new(x.into(), y.into()); usize::from(y % 3)]),
                1 => News::Assigned(agent),
                2 => News::Done(agent),
                3 => News::Returned,
                _ => News::Refused,
            };
            trace.errands.push(ErrandNote { tick, errand: ErrandId(errand), news });
        }
        trace.errands.sort_by_key(|note| note.tick);
        TraceFile { scenario, planner, seed, state_hash, trace }
    }
}

fn read_everywhere(bytes: &[u8]) {
    let _ = trace::parse(bytes);
    if let Ok(reader) = Reader::open(bytes) {
        for tick in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, reader.ticks(), Tick::MAX] {
            let _ = reader.positions_at(tick);
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(file in file()) {
        prop_assert_eq!(trace::parse(&trace::write(&file)), Ok(file));
    }

    #[test]
    fn seeking_is_walking(file in file(), tick in 0u64..220) {
        let bytes = trace::write(&file);
        prop_assert_eq!(Reader::open(&bytes).unwrap().positions_at(tick), Ok(walked(&file, tick)));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        read_everywhere(&bytes);
        (1..=VERSION).for_each(|version| read_everywhere(&[MAGIC, &[version], &bytes[..]].concat()));
    }

    #[test]
    fn damaged_files_never_panic(file in file(), damage in worlds::damage()) {
        let bytes = damage.apply(&trace::write(&file));
        read_everywhere(&bytes);
        if let Ok(file) = trace::parse(&bytes) {
            prop_assert_eq!(trace::parse(&trace::write(&file)), Ok(file));
        }
    }
}
