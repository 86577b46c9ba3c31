//! Pictures of continuous space.

use super::font::Font;
use super::gif::Film;
use super::layout::Layout;
use super::palette::{Rgb, unit_colour};
use super::stage::{caption, fill, fill_hard, outline};
use super::{GifOptions, PictureError, png};
use throng_core::Tick;
use throng_core::space::{Convex, Errand, NewBody, Point, Pose, Scene, Shape, SpaceTrace};
use tiny_skia::{Path, PathBuilder, Pixmap, Transform};

/// Hundredths of a second from one frame to the next, and how many times as fast as the world itself it goes.
const DELAY: u32 = 5;
const SPEED: f64 = 6.0;
/// Bodies with fewer pixels show no front and no goal.
const DETAILED: f32 = 2.5;
/// Closer than this to a place is there.
const THERE: f64 = 1e-6;

/// A picture of what happened in a scene, or only of how it ended.
pub fn draw_space(
    scene: &Scene,
    trace: &SpaceTrace,
    options: &GifOptions,
    png: bool,
) -> Result<Vec<u8>, PictureError> {
    let ticks = trace.ticks();
    // In its own time, a little faster, and never more frames than are wanted.
    let usual = SPEED * f64::from(DELAY) / 100.0 / scene.settings.step;
    let stride = (usual.round() as Tick).max(ticks.div_ceil(options.max_frames.max(2) - 1)).max(1);
    let mut replay = Replay::new(scene, trace);
    let mut stage = Stage::new(scene, ticks, options)?;
    let mut bytes = Vec::new();
    if png {
        replay.advance_to(ticks);
        png::encode(&mut bytes, stage.draw(&replay))?;
        return Ok(bytes);
    }
    let mut film = Film::new(&mut bytes, stage.draw(&replay))?;
    for frame in 0..=ticks.div_ceil(stride) {
        replay.advance_to((frame * stride).min(ticks));
        film.show(stage.draw(&replay), DELAY)?;
    }
    film.finish()?;
    Ok(bytes)
}

/// Where everybody is at a step, and where it wants to go.
struct Replay<'a> {
    trace: &'a SpaceTrace,
    tick: Tick,
    poses: Vec<Option<Pose>>,
    bodies: &'a [NewBody],
    legs: Vec<u32>,
    /// By door: whether it is closed.
    closed: Vec<bool>,
}

impl<'a> Replay<'a> {
    fn new(scene: &'a Scene, trace: &'a SpaceTrace) -> Self {
        let legs = vec![0; scene.bodies.len()];
        let closed = scene.doors.iter().map(|door| door.closed).collect();
        let (poses, bodies) = (trace.starts.clone(), &scene.bodies[..]);
        let mut replay = Self { trace, tick: 0, poses, bodies, legs, closed };
        replay.count_legs();
        replay
    }

    fn advance_to(&mut self, tick: Tick) {
        while self.tick < tick {
            for change in self.trace.changes_at(self.tick) {
                if let Some(closed) = self.closed.get_mut(change.door as usize) {
                    *closed = !change.open;
                }
            }
            for &(agent, to) in self.trace.at(self.tick) {
                if let Some(pose) = self.poses.get_mut(agent.index()) {
                    *pose = Some(to);
                }
            }
            self.tick += 1;
            self.count_legs();
        }
    }

    fn count_legs(&mut self) {
        for ((body, pose), leg) in self.bodies.iter().zip(&self.poses).zip(&mut self.legs) {
            let Some(pose) = pose else { continue };
            while *leg < body.errand.legs()
                && body.errand.target(*leg).is_some_and(|to| (to - pose.at).length() < THERE)
            {
                *leg += 1;
            }
        }
    }

    /// Whether somebody has anything to do but stay: explorers are told nothing else, and yet they have not arrived.
    fn has_errands(&self) -> bool {
        self.bodies.iter().any(|body| body.errand != Errand::Hold)
    }

    fn is_home(&self, id: usize) -> bool {
        self.has_errands() && self.legs[id] >= self.bodies[id].errand.legs()
    }

    /// Who has done its errand and is there: who makes way for somebody has not arrived until it is back, as in reports.
    fn arrived(&self) -> usize {
        let rests = |id: usize| {
            let Some(pose) = self.poses[id] else { return false };
            let last = self.bodies[id].errand.target(self.legs[id]);
            self.is_home(id) && last.is_none_or(|last| (last - pose.at).length() < THERE)
        };
        (0..self.bodies.len()).filter(|&id| rests(id)).count()
    }
}

/// Draws moments of one scene.
struct Stage {
    layout: Layout,
    font: Font,
    /// Walls and nothing else.
    ground: Pixmap,
    /// By door: its outline in pixels.
    doors: Vec<Option<Path>>,
    canvas: Pixmap,
    least: Point,
    colours: Vec<Rgb>,
    title: String,
    step: f64,
    ticks: Tick,
}

impl Stage {
    fn new(scene: &Scene, ticks: Tick, options: &GifOptions) -> Result<Self, PictureError> {
        let size = scene.most - scene.least;
        let mut stage = Self {
            layout: Layout::in_space((1.0, 1.0), 1, 0, 0),
            font: Font::new(),
            ground: Pixmap::new(1, 1).ok_or(PictureError::TooLarge { width: 1, height: 1 })?,
            canvas: Pixmap::new(1, 1).ok_or(PictureError::TooLarge { width: 1, height: 1 })?,
            doors: Vec::new(),
            least: scene.least,
            colours: colours(&scene.bodies),
            title: options.title.clone(),
            step: scene.settings.step,
            ticks,
        };
        let all = scene.bodies.len();
        let (title, status) = (stage.title.chars().count(), stage.status(ticks, all, all).chars().count());
        stage.layout = Layout::in_space((size.x as f32, size.y as f32), options.width, title, status);
        let (width, height) = (stage.layout.width, stage.layout.height);
        let mut ground = Pixmap::new(width, height).ok_or(PictureError::TooLarge { width, height })?;
        ground.fill(Rgb::PAPER.into());
        let place = |at: Point| stage.place(at);
        let floor = [scene.least, Point::new(scene.most.x, scene.least.y), scene.most];
        let floor = polygon(floor.into_iter().chain([Point::new(scene.least.x, scene.most.y)]).map(place));
        fill_hard(&mut ground, floor, Rgb::OPEN);
        let outline = |wall: &Convex| polygon(wall.corners().iter().map(|&at| place(at)));
        for wall in &scene.walls {
            fill_hard(&mut ground, outline(wall), Rgb::WALL);
        }
        let doors = scene.doors.iter().map(|door| outline(&door.wall)).collect();
        // Walls may reach beyond the space; the caption is not theirs.
        let below = stage.layout.map_height as usize * width as usize * 4;
        ground.data_mut()[below..].fill(255);
        stage.canvas = ground.clone();
        (stage.ground, stage.doors) = (ground, doors);
        Ok(stage)
    }

    fn status(&self, tick: Tick, arrived: usize, all: usize) -> String {
        let time = tick as f64 * self.step;
        let longest = format!("{:.0}", self.ticks as f64 * self.step).len();
        let digits = all.to_string().len();
        match all {
            0 => format!("{time:>longest$.0} s"),
            _ => format!("{time:>longest$.0} s  {arrived:>digits$}/{all} arrived"),
        }
    }

    /// A point of the space in pixels.
    fn place(&self, at: Point) -> (f32, f32) {
        let from = at - self.least;
        let metre = self.layout.cell;
        (self.layout.map_x as f32 + from.x as f32 * metre, from.y as f32 * metre)
    }

    fn draw(&mut self, replay: &Replay<'_>) -> &Pixmap {
        self.canvas.data_mut().copy_from_slice(self.ground.data());
        for (door, _) in self.doors.iter().zip(&replay.closed).filter(|(_, closed)| **closed) {
            fill_hard(&mut self.canvas, door.clone(), Rgb::DOOR);
        }
        let metre = self.layout.cell;
        for (id, body) in replay.bodies.iter().enumerate() {
            let radius = body.shape.reach() as f32 * metre;
            if let Some(goal) = body.errand.target(replay.legs[id]).filter(|_| radius >= DETAILED) {
                let (x, y) = self.place(goal);
                let ring = PathBuilder::from_circle(x, y, (radius * 0.5).max(1.0));
                outline(
                    &mut self.canvas,
                    ring,
                    self.colours[id].mix(Rgb::OPEN, 96),
                    (radius * 0.16).max(1.0),
                );
            }
        }
        for (id, body) in replay.bodies.iter().enumerate() {
            let Some(pose) = replay.poses[id] else { continue };
            self.draw_body(&body.shape, pose, self.colours[id], replay.is_home(id));
        }
        let all = if replay.has_errands() { replay.bodies.len() } else { 0 };
        let status = self.status(replay.tick, replay.arrived(), all);
        caption(&mut self.canvas, &self.font, &self.layout, &self.title, &status);
        &self.canvas
    }

    fn draw_body(&mut self, shape: &Shape, pose: Pose, colour: Rgb, home: bool) {
        let (x, y) = self.place(pose.at);
        let radius = shape.reach() as f32 * self.layout.cell;
        let hull = if shape.is_disc() {
            PathBuilder::from_circle(x, y, radius.max(1.0))
        } else {
            let corner = |&corner: &Point| self.place(pose.at + corner.turned(pose.heading));
            polygon(shape.corners().iter().map(corner))
        };
        fill(&mut self.canvas, hull, colour, Transform::identity());
        if radius < DETAILED {
            return;
        }
        if !shape.is_disc() {
            // Where its front is.
            let far = shape.corners().iter().map(|corner| corner.x).fold(0.0, f64::max);
            let (x, y) = self.place(pose.at + pose.heading * (0.6 * far));
            fill(
                &mut self.canvas,
                PathBuilder::from_circle(x, y, radius * 0.14),
                Rgb::PAPER,
                Transform::identity(),
            );
        }
        if home {
            let middle = PathBuilder::from_circle(x, y, radius * 0.28);
            fill(&mut self.canvas, middle, Rgb::PAPER, Transform::identity());
        }
    }
}

/// By team, or, if all are of one, by the way they set out.
fn colours(bodies: &[NewBody]) -> Vec<Rgb> {
    let several = bodies.windows(2).any(|pair| pair[0].team != pair[1].team);
    let group = |body: &NewBody| {
        let way = body.errand.target(0).map_or(Point::ZERO, |to| to - body.pose.at);
        let heading =
            if way.x.abs() >= way.y.abs() { usize::from(way.x < 0.0) } else { 2 + usize::from(way.y < 0.0) };
        if several { usize::from(body.team) } else { heading }
    };
    bodies.iter().enumerate().map(|(id, body)| unit_colour(group(body), id)).collect()
}

fn polygon(corners: impl Iterator<Item = (f32, f32)>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (place, (x, y)) in corners.enumerate() {
        if place == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.close();
    path.finish()
}
