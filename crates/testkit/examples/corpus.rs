//! Works out anew what the cases of `testdata/corpus` may expect, and writes them back; with `--large`
//! also makes `large.toml` anew.
//!
//! `cargo run --release -p throng-testkit --example corpus [-- --large]`

use throng_core::{AgentId, Cell, Connectivity, Draw, Grid, Random, Rules, stream};
use throng_testkit::{Case, CorpusError, ExpectedBy, UnitSpec, corpus_folder, expected, files};
use throng_testkit::{read_cases, write_cases};

fn main() -> Result<(), CorpusError> {
    if std::env::args().any(|arg| arg == "--large") {
        write_cases(&corpus_folder().join("large.toml"), &large())?;
    }
    for path in files()? {
        let mut cases = read_cases(&path)?;
        for case in &mut cases {
            case.expected = ExpectedBy::default();
            for connectivity in case.connectivities().collect::<Vec<_>>() {
                let known = expected(&case.scenario(Rules { connectivity, ..Rules::default() }));
                println!("{} {connectivity:?}: {known:?}", case.name);
                match connectivity {
                    Connectivity::Four => case.expected.four = known,
                    Connectivity::Eight => case.expected.eight = known,
                }
            }
        }
        write_cases(&path, &cases)?;
    }
    Ok(())
}

/// Worlds that are too large for brute force.
fn large() -> Vec<Case> {
    let field = |_: &mut Random, _: i32, _: i32| false;
    let tenth = |random: &mut Random, _, _| random.below(10) == 0;
    let fifth = |random: &mut Random, _, _| random.below(5) == 0;
    let rooms = |_: &mut Random, x: i32, y: i32| {
        (x % 8 == 7 && !matches!(y % 8, 3 | 4)) || (y % 8 == 7 && !matches!(x % 8, 3 | 4))
    };
    let shelves = |_: &mut Random, x: i32, y: i32| y % 3 == 1 && (2..30).contains(&x) && x % 7 != 6;
    vec![
        make(1, "field-16", "An open field.", 16, 20, &field),
        make(2, "random-16", "A tenth of the cells blocked.", 16, 10, &tenth),
        make(3, "random-24", "A fifth of the cells blocked.", 24, 20, &fifth),
        make(4, "random-32", "A tenth of the cells blocked.", 32, 40, &tenth),
        make(5, "rooms-24", "Nine rooms with doors two cells wide.", 24, 15, &rooms),
        make(6, "rooms-32", "Sixteen rooms with doors two cells wide.", 32, 30, &rooms),
        make(7, "shelves-32", "Rows of shelves with aisles between them.", 32, 40, &shelves),
    ]
}

/// A square world with walls where `wall` says, and units between random cells of its largest part.
fn make(
    seed: u64,
    name: &str,
    about: &str,
    side: i32,
    units: usize,
    wall: &dyn Fn(&mut Random, i32, i32) -> bool,
) -> Case {
    let mut random = stream(seed, AgentId(0), 0);
    let rows: Vec<String> = (0..side)
        .map(|y| (0..side).map(|x| if wall(&mut random, x, y) { '@' } else { '.' }).collect())
        .collect();
    let map = rows.join("\n");
    let rows: Vec<&str> = map.lines().collect();
    let grid = Grid::from_rows(&rows).unwrap_or_else(|e| panic!("{name}: {e}"));
    let cells = largest_part(&grid);
    let mut draw = || {
        let mut cells = cells.clone();
        for k in 0..units {
            let left = (cells.len() - k) as u32;
            cells.swap(k, k + random.below(left) as usize);
        }
        cells.truncate(units);
        cells
    };
    let pairs = draw().into_iter().zip(draw());
    let unit = |(start, goal): (Cell, Cell)| UnitSpec {
        start: [start.x, start.y],
        goal: Some([goal.x, goal.y]),
        goals: None,
        patrol: None,
        rounds: None,
    };
    let (name, about) = (name.to_owned(), about.to_owned());
    let (connectivity, units) = (vec![4, 8], pairs.map(unit).collect());
    Case { name, about, map, connectivity, units, expected: ExpectedBy::default() }
}

fn largest_part(grid: &Grid) -> Vec<Cell> {
    let mut seen = vec![false; grid.len()];
    let mut largest = Vec::new();
    for id in grid.open_ids() {
        let mut part = Vec::new();
        let mut open = vec![grid.cell(id)];
        while let Some(cell) = open.pop() {
            let Some(id) = grid.id(cell).filter(|&id| grid.is_open_id(id)) else { continue };
            if !std::mem::replace(&mut seen[id.index()], true) {
                part.push(cell);
                open.extend(throng_core::Dir::ALL[..4].iter().map(|&dir| cell.step(dir)));
            }
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}
