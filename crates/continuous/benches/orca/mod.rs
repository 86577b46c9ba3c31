//! The same arena under ORCA (crate `dodgy_2d`): each takes the nearest ten within the same reach.

use crate::kit::{Arena, DISC, Outcome, SPEED, STEP, overlaps};
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use std::borrow::Cow;
use throng_core::space::Point;

/// As far ahead as ours look.
const HORIZON: f32 = 4.0;
const NEAREST: usize = 10;

/// Closer than this to its goal a disc has arrived, and stays.
const THERE: f32 = 0.05;

pub(crate) fn run(arena: &Arena, until: f64) -> Outcome {
    let vec = |point: Point| Vec2::new(point.x as f32, point.y as f32);
    let mut agents: Vec<Agent> = arena
        .ways
        .iter()
        .map(|&(from, _)| Agent {
            position: vec(from),
            velocity: Vec2::ZERO,
            radius: DISC as f32,
            avoidance_responsibility: 1.0,
        })
        .collect();
    let goals: Vec<Vec2> = arena.ways.iter().map(|&(_, to)| vec(to)).collect();
    let options =
        AvoidanceOptions { obstacle_margin: 0.0, time_horizon: HORIZON, obstacle_time_horizon: HORIZON };
    let (speed, step) = (SPEED as f32, STEP as f32);
    let reach = 2.0 * HORIZON * speed + 2.0 * DISC as f32;
    let mut outcome = Outcome::new(agents.len());
    let mut steps = 0u32;
    while f64::from(steps) * STEP < until {
        outcome.time(|| {
            let squares = Squares::new(&agents, arena.side as f32, reach);
            let velocities: Vec<Vec2> = (0..agents.len())
                .map(|id| {
                    let near = squares.nearest(&agents, id, reach);
                    let near: Vec<Cow<'_, Agent>> =
                        near.iter().map(|&other| Cow::Borrowed(&agents[other])).collect();
                    let way = goals[id] - agents[id].position;
                    let wish = if way.length() > speed * step { way.normalize() * speed } else { way / step };
                    agents[id].compute_avoiding_velocity(&near, &[], wish, speed, step, &options)
                })
                .collect();
            for (agent, velocity) in agents.iter_mut().zip(velocities) {
                agent.velocity = velocity;
                agent.position += velocity * step;
            }
        });
        steps += 1;
        let there = |(agent, goal): &(&Agent, &Vec2)| (**goal - agent.position).length() < THERE;
        let arrived = agents.iter().zip(&goals).filter(there).count();
        let at: Vec<Point> = agents
            .iter()
            .map(|agent| Point::new(f64::from(agent.position.x), f64::from(agent.position.y)))
            .collect();
        outcome.note(f64::from(steps) * STEP, arrived, &overlaps(&at));
        if arrived == agents.len() {
            break;
        }
    }
    outcome
}

/// Everybody by the square of the arena where they are.
struct Squares {
    side: f32,
    count: usize,
    inside: Vec<Vec<usize>>,
}

impl Squares {
    fn new(agents: &[Agent], arena: f32, side: f32) -> Self {
        let count = (arena / side) as usize + 1;
        let mut squares = Self { side, count, inside: vec![Vec::new(); count * count] };
        for (id, agent) in agents.iter().enumerate() {
            let (x, y) = squares.square(agent.position);
            squares.inside[y * count + x].push(id);
        }
        squares
    }

    fn square(&self, at: Vec2) -> (usize, usize) {
        let one = |at: f32| ((at / self.side).max(0.0) as usize).min(self.count - 1);
        (one(at.x), one(at.y))
    }

    fn nearest(&self, agents: &[Agent], id: usize, reach: f32) -> Vec<usize> {
        let at = agents[id].position;
        let ((x0, y0), (x1, y1)) =
            (self.square(at - Vec2::splat(reach)), self.square(at + Vec2::splat(reach)));
        let mut found = Vec::new();
        for y in y0..=y1 {
            for x in x0..=x1 {
                let all = self.inside[y * self.count + x].iter().filter(|&&other| other != id);
                found.extend(all.map(|&other| ((agents[other].position - at).length_squared(), other)));
            }
        }
        found.retain(|&(square, _)| square < reach * reach);
        if found.len() > NEAREST {
            found.select_nth_unstable_by(NEAREST, |a, b| a.0.total_cmp(&b.0));
            found.truncate(NEAREST);
        }
        found.into_iter().map(|(_, other)| other).collect()
    }
}
