//! Whoever is brought home collides with nobody on the way, and everybody else is at home, too.

use super::{Moves, Yard};
use crate::pibt::Ground;
use proptest::prelude::*;
use throng_core::{Connectivity, Grid, Rules};

/// A crowd: walls, how many units, who may not move, and some numbers to draw places with.
fn crowds() -> impl Strategy<Value = (Vec<bool>, usize, Vec<usize>, u64, Connectivity)> {
    let rules = prop_oneof![Just(Connectivity::Four), Just(Connectivity::Eight)];
    (
        prop::collection::vec(prop::bool::weighted(0.35), 48),
        1..14usize,
        prop::collection::vec(0..14usize, 0..2),
        any::<u64>(),
        rules,
    )
}

/// A thing for each of the numbers, by lot.
fn shuffled(mut list: Vec<u32>, mut dice: u64) -> Vec<u32> {
    for place in (1..list.len()).rev() {
        dice = crate::pibt::mix(dice);
        list.swap(place, (dice % (place as u64 + 1)) as usize);
    }
    list
}

/// Plays moves: no two ever in a cell, no two past each other, one step at a time.
fn play(ground: &Ground, starts: &[u32], goals: &[u32], holds: &[u32], moves: &Moves) {
    let ticks = moves.iter().map(|(_, way)| way.len()).max().unwrap_or(0);
    let mut ways: Vec<Vec<u32>> = starts.iter().map(|&start| vec![start]).collect();
    for (unit, way) in moves {
        assert_eq!(way[0], starts[*unit]);
        assert!(!holds.contains(&(*unit as u32)), "who may not move has moved");
        ways[*unit].clone_from(way);
    }
    let at = |unit: usize, tick: usize| ways[unit][tick.min(ways[unit].len() - 1)];
    for tick in 0..ticks {
        for a in 0..ways.len() {
            let (from, to) = (at(a, tick), at(a, tick + 1));
            assert!(from == to || ground.beside(from).any(|cell| cell == to), "a jump");
            for b in 0..a {
                assert_ne!(at(b, tick + 1), to, "two in one cell");
                assert!(at(b, tick) != to || at(b, tick + 1) != from, "two past each other");
            }
        }
    }
    assert!(goals.iter().enumerate().all(|(unit, &goal)| at(unit, ticks) == goal), "somebody is not at home");
}

proptest! {
    #[test]
    fn everybody_is_brought_home_without_a_collision((walls, units, held, dice, connectivity) in crowds()) {
        let rows: Vec<String> = walls.chunks(8).map(|row| row.iter().map(|&wall| if wall { '@' } else { '.' }).collect()).collect();
        let grid = Grid::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let ground = Ground::new(&grid, Rules { connectivity, ..Rules::default() });
        let cells: Vec<u32> = grid.open_ids().map(|id| ground.number(id)).collect();
        let units = units.min(cells.len());
        let starts = shuffled(cells.clone(), dice)[..units].to_vec();
        let mut goals = shuffled(cells, dice ^ 1)[..units].to_vec();
        let holds: Vec<u32> = held.iter().filter(|&&unit| unit < units && !goals.contains(&starts[unit])).map(|&unit| unit as u32).collect();
        holds.iter().for_each(|&unit| goals[unit as usize] = starts[unit as usize]);
        let mut yard = Yard::new(&ground, &goals, &starts, &holds);
        if let Some(moves) = yard.clear(|looked| looked < 1 << 20) {
            play(&ground, &starts, &goals, &holds, &moves);
        }
    }
}

#[test]
fn two_face_to_face_exchange_places_at_the_only_junction() {
    let grid = Grid::from_rows(&[".......", "@@@@.@@"]).unwrap();
    let ground = Ground::new(&grid, Rules::default());
    let at = |x: i32, y: i32| ground.number(grid.id(throng_core::Cell::new(x, y)).unwrap());
    let (starts, goals) = (vec![at(0, 0), at(1, 0), at(5, 0)], vec![at(1, 0), at(0, 0), at(5, 0)]);
    let mut yard = Yard::new(&ground, &goals, &starts, &[]);
    let moves = yard.clear(|_| true).expect("there is a way");
    play(&ground, &starts, &goals, &[], &moves);
    // Whoever stands in an arm of the junction is moved aside, and may not be: then nobody gets past.
    let mut yard = Yard::new(&ground, &goals, &starts, &[2]);
    assert!(yard.clear(|_| true).is_none());
}

#[test]
fn without_a_junction_nobody_gets_past_and_that_ends() {
    let grid = Grid::from_rows(&["......"]).unwrap();
    let ground = Ground::new(&grid, Rules::default());
    assert!(Yard::new(&ground, &[1, 0], &[0, 1], &[]).clear(|_| true).is_none());
    assert_eq!(Yard::new(&ground, &[0, 1], &[0, 1], &[]).clear(|_| true), Some(Vec::new()));
}

#[test]
fn what_may_not_be_looked_at_is_not() {
    let rows = [".".repeat(300), "@".repeat(150) + "." + &"@".repeat(149)];
    let grid = Grid::from_rows(&[&rows[0], &rows[1]]).unwrap();
    let ground = Ground::new(&grid, Rules::default());
    let (starts, goals): (Vec<u32>, Vec<u32>) = ((0..100).collect(), (0..100).rev().collect());
    let mut yard = Yard::new(&ground, &goals, &starts, &[]);
    assert!(yard.clear(|looked| looked < 20_000).is_none());
    assert!(yard.ways.looked < 60_000, "{}", yard.ways.looked);
}
