//! Patrols keep to lanes that were learned before.

use super::{drawing::Drawing, stage::Stage};
use crate::dice::pick;
use throng_core::{DirectionVector, Directions, Random, Task};

/// Two squares and a promenade between them, four cells wide. On the cells `a` and `z` patrols begin and turn round.
const MAP: [&str; 8] = [
    "a.a.a.a.@@@@@@@@@@@@@@@@@@@@@@@@z.z.z.z.",
    ".a.a.a.a@@@@@@@@@@@@@@@@@@@@@@@@.z.z.z.z",
    "a.a.a.a.........................z.z.z.z.",
    ".a.a.a.a.........................z.z.z.z",
    "a.a.a.a.........................z.z.z.z.",
    ".a.a.a.a.........................z.z.z.z",
    "a.a.a.a.@@@@@@@@@@@@@@@@@@@@@@@@z.z.z.z.",
    ".a.a.a.a@@@@@@@@@@@@@@@@@@@@@@@@.z.z.z.z",
];

/// Patrols that set out from each square.
const PATROLS: usize = 10;

/// How often they go there and back.
const ROUNDS: u32 = 3;

/// What `dm-whca` has learned here when all have finished, from nothing: two letters a cell, which are x and y in eighths from
/// `a` (−1) over `i` (0) to `q` (1).
const LEARNED: [&str; 8] = [
    "ijhihgihjgifjejjiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiikfmgoioiohoillji",
    "ekcibicicidhefchiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiimfpipipipinjjnjk",
    "fmelcjbibibichbibibieflepipipipiojlmojpipipipipipipipipipipipiohkdngpipipiojmlkm",
    "hnhogmcjbicicicicigeicjcohpipipinknkpipipipipipipipipipipipipipimfmfpipipipinkkn",
    "hmiojolkiiiiiheheggeibffdibibibicjejgihihiiijikililimimimininininininkmllkllkmio",
    "ioiojoikfifififhffdgfechbibibibibibibibibibibibibibibibibibibiciehgkhnhmfkflfmhn",
    "jnjnkmkjkikijiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiegdiflfjgjfigjhl",
    "jkjjkiihijnkojmiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiifjgiikiimikhjiij",
];

pub(super) fn make(dice: &mut Random) -> Stage {
    let drawing = Drawing::new(&MAP);
    let ends = ['a', 'z'].map(|mark| pick(&drawing.marked(mark), 2 * PATROLS, dice));
    let mut stage = Stage::new(drawing.grid);
    for (from, to) in [(0, 1), (1, 0)] {
        // Half of a square is where its own begin, the other half where those of the other turn round.
        for (&start, &goal) in ends[from][..PATROLS].iter().zip(&ends[to][PATROLS..]) {
            stage.add(start, Task::Patrol { goal, rounds: ROUNDS });
        }
    }
    stage.directions = Some(learned());
    stage
}

fn learned() -> Directions {
    let side = |letter: u8| (i16::from(letter) - i16::from(b'i')) * (DirectionVector::ONE / 8);
    let vector = |cell: &[u8]| DirectionVector { x: side(cell[0]), y: side(cell[1]) };
    let vectors = LEARNED.iter().flat_map(|row| row.as_bytes().chunks_exact(2)).map(vector);
    Directions::new(MAP[0].len(), MAP.len(), vectors.collect())
        .expect("our drawing has a vector for every cell, none of them longer than 1")
}
