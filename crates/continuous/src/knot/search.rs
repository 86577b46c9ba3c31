//! A* over where all bodies of a knot are at once.
//!
//! One of them moves at a time, from place to place, and the others stand. So no times are needed: what comes out is an order of
//! moves, and whoever carries them out may do those at the same time that do not touch.

use super::places::{GOAL, Place, Places, START};
use super::walls::Walls;
use crate::MARGIN;
use crate::geometry::{Solid, touches};
use crate::roadmap::Ground;
use core::cmp::Ordering;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use throng_core::space::Point;

/// The most bodies of a knot.
pub(crate) const MOST: usize = 4;
/// Who has looked at so many states has found no way.
const LONGEST: u64 = 50_000;
/// What the distance that is left counts, so that ways are found soon rather than shortest.
const WEIGHT: f64 = 2.0;

/// One move: which of the bodies, from where and to where.
pub(super) type Move = (usize, Point, Point);

/// How a search stands.
pub(super) enum Answer {
    Found(Vec<Move>),
    None,
    Unfinished,
}

/// A search in progress.
#[derive(Clone, Debug)]
pub(super) struct Search {
    bodies: Vec<Places>,
    /// Those who stand where they are for good.
    walls: Walls,
    pub(super) expanded: u64,
    open: BinaryHeap<Entry>,
    states: Vec<State>,
    known: FxHashMap<[Place; MOST], u32>,
    /// Whether it is known how far it is to the goals.
    measured: bool,
}

#[derive(Clone, Copy, Debug)]
struct State {
    places: [Place; MOST],
    cost: f64,
    from: u32,
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    estimate: f64,
    left: f64,
    state: u32,
}

impl Eq for Entry {}

impl Ord for Entry {
    /// The least estimate is the greatest, then who has less left, then who came first.
    fn cmp(&self, other: &Self) -> Ordering {
        let estimate = other.estimate.total_cmp(&self.estimate);
        estimate.then(other.left.total_cmp(&self.left)).then(other.state.cmp(&self.state))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

const NOWHERE: u32 = u32::MAX;

impl Search {
    /// A search for ways of bodies from where they are to where they want to be.
    pub(super) fn new(ways: &[(Point, Point)], walls: Walls, grounds: &[Ground<'_>]) -> Self {
        let bodies: Vec<Places> =
            ways.iter().zip(grounds).map(|(&(from, to), ground)| Places::new(from, to, ground)).collect();
        let mut search = Self {
            bodies,
            walls,
            expanded: 0,
            open: BinaryHeap::new(),
            states: Vec::new(),
            known: FxHashMap::default(),
            measured: false,
        };
        let mut places = [START; MOST];
        // Who is there already is at its goal, and those that there are not are too.
        for (place, way) in places.iter_mut().zip(ways.iter().map(Some).chain(core::iter::repeat(None))) {
            if way.is_none_or(|(from, to)| from == to) {
                *place = GOAL;
            }
        }
        search.reach(places, 0.0, NOWHERE, grounds);
        search
    }

    /// Goes on for at most so many expansions.
    pub(super) fn advance(&mut self, grounds: &[Ground<'_>], most: u64) -> Answer {
        let until = self.expanded.saturating_add(most);
        if !self.measured {
            for (body, ground) in self.bodies.iter_mut().zip(grounds) {
                self.expanded += body.measure(ground, until - self.expanded);
            }
            if self.expanded >= until.min(LONGEST) {
                return if self.expanded >= LONGEST { Answer::None } else { Answer::Unfinished };
            }
            self.measured = true;
        }
        while let Some(&Entry { state, .. }) = self.open.peek() {
            let State { places, cost, closed, .. } = self.states[state as usize];
            if closed {
                self.open.pop();
                continue;
            }
            if places == [GOAL; MOST] {
                return Answer::Found(self.moves(state, grounds));
            }
            if self.expanded >= LONGEST {
                return Answer::None;
            }
            if self.expanded >= until {
                return Answer::Unfinished;
            }
            self.open.pop();
            self.states[state as usize].closed = true;
            self.expanded += 1;
            for who in 0..self.bodies.len() {
                self.expand(who, places, (cost, state), grounds);
            }
        }
        Answer::None
    }

    /// All moves of one body while the others stand.
    fn expand(
        &mut self,
        who: usize,
        places: [Place; MOST],
        (cost, state): (f64, u32),
        grounds: &[Ground<'_>],
    ) {
        let ground = &grounds[who];
        let Some(at) = self.bodies[who].at(places[who], ground) else { return };
        let mut others = [(Point::ZERO, 0); MOST];
        let mut count = 0;
        for other in (0..self.bodies.len()).filter(|&other| other != who) {
            let Some(there) = self.bodies[other].at(places[other], &grounds[other]) else { return };
            others[count] = (there, other);
            count += 1;
        }
        for &place in &self.bodies[who].next(places[who], ground, &self.walls) {
            let Some(to) = self.bodies[who].at(place, ground) else { continue };
            let by = to - at;
            let meets = |solid: &Solid, there: Point| {
                // Far away, which is most.
                let (far, room) = ((there - at).length(), by.length() + ground.solid.reach + solid.reach);
                far < room + MARGIN && touches(ground.solid, solid, at - there, by, 2.0 * MARGIN)
            };
            if !others[..count].iter().any(|&(there, other)| meets(grounds[other].solid, there)) {
                let mut places = places;
                places[who] = place;
                self.reach(places, cost + by.length(), state, grounds);
            }
        }
    }

    fn reach(&mut self, places: [Place; MOST], cost: f64, from: u32, grounds: &[Ground<'_>]) {
        let next = self.states.len() as u32;
        let state = *self.known.entry(places).or_insert(next);
        if state == next {
            self.states.push(State { places, cost, from, closed: false });
        } else {
            let known = &mut self.states[state as usize];
            if known.closed || known.cost <= cost {
                return;
            }
            (known.cost, known.from) = (cost, from);
        }
        let bodies = self.bodies.iter_mut().zip(grounds).zip(places);
        let left: f64 = bodies.map(|((body, ground), place)| body.far(place, ground)).sum();
        if left.is_finite() {
            self.open.push(Entry { estimate: cost + WEIGHT * left, left, state });
        }
    }

    /// The moves that lead to a state, the first first.
    fn moves(&mut self, state: u32, grounds: &[Ground<'_>]) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut state = self.states[state as usize];
        while let Some(&before) = self.states.get(state.from as usize) {
            for (who, ground) in grounds.iter().enumerate() {
                if before.places[who] != state.places[who]
                    && let Some(from) = self.bodies[who].at(before.places[who], ground)
                    && let Some(to) = self.bodies[who].at(state.places[who], ground)
                {
                    moves.push((who, from, to));
                }
            }
            state = before;
        }
        moves.reverse();
        moves
    }
}
