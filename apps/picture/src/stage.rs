//! Drawing one moment of a run.

use super::chain::{self, Spot};
use super::fog::{self, Fog};
use super::font::Font;
use super::layout::Layout;
use super::lessons::{self, Lessons};
use super::palette::{Rgb, unit_colour};
use super::replay::Replay;
use super::terrain;
use super::{GifOptions, PictureError};
use throng_core::{Agent, AgentId, DirectionVector, Grid, Scenario, Seen};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Below this many pixels per cell, units are plain squares and goals are not drawn.
const DETAILED: f32 = 5.0;

/// Draws moments of one scenario.
pub(crate) struct Stage {
    layout: Layout,
    font: Font,
    /// Terrain and nothing else.
    ground: Pixmap,
    /// How often the terrain had changed that it shows.
    changes: usize,
    canvas: Pixmap,
    /// By agent: colour and side of the body in cells.
    units: Vec<(Rgb, f32)>,
    /// By tick: a unit, what keeps it, what keeps that.
    chains: Vec<Vec<AgentId>>,
    lessons: Lessons,
    /// So many ticks of them are in the vectors, which are row by row.
    heard: usize,
    vectors: Vec<DirectionVector>,
    columns: usize,
    fog: Fog,
    /// So many ticks of it are in what has been seen.
    cleared: usize,
    seen: Seen,
    grid: Grid,
}

impl Stage {
    pub(crate) fn new(
        scenario: &Scenario,
        layout: Layout,
        options: &GifOptions,
    ) -> Result<Self, PictureError> {
        let (width, height) = (layout.width, layout.height);
        let mut ground = Pixmap::new(width, height).ok_or(PictureError::TooLarge { width, height })?;
        ground.fill(Rgb::PAPER.into());
        terrain::draw(&mut ground, scenario.grid(), &layout);
        let agents = scenario.agents();
        let colour =
            |agent: &Agent| (unit_colour(group(scenario, agent), agent.id.index()), f32::from(agent.body));
        let units = agents.iter().map(colour).collect();
        let columns = scenario.grid().width();
        Ok(Self {
            layout,
            font: Font::new(),
            canvas: ground.clone(),
            ground,
            changes: 0,
            units,
            chains: options.chains.clone(),
            lessons: options.lessons.clone(),
            heard: 0,
            vectors: vec![DirectionVector::ZERO; columns * scenario.grid().height()],
            columns,
            fog: options.fog.clone(),
            cleared: 0,
            seen: Seen::none(scenario.grid().len()),
            grid: scenario.grid().clone(),
        })
    }

    /// Draws the moment when `part` of the replay's tick has passed.
    pub(crate) fn draw(&mut self, replay: &Replay<'_>, part: f32, title: &str, status: &str) -> &Pixmap {
        if let (changes, Some(grid)) = replay.terrain()
            && changes != self.changes
        {
            self.changes = changes;
            self.grid.clone_from(grid);
            terrain::draw(&mut self.ground, grid, &self.layout);
        }
        self.canvas.data_mut().copy_from_slice(self.ground.data());
        for tick in self.heard..=replay.tick() as usize {
            self.lessons.at(tick).iter().for_each(|&(place, vector)| self.vectors[place] = vector);
            self.heard = tick + 1;
        }
        lessons::draw(&mut self.canvas, &self.vectors, self.columns, &self.layout);
        for tick in self.cleared..=replay.tick() as usize {
            for &cell in self.fog.at(tick) {
                if !self.seen.insert(cell) {
                    self.seen.remove(cell);
                }
            }
            self.cleared = tick + 1;
        }
        if !self.fog.is_empty() {
            fog::draw(&mut self.canvas, &self.seen, &self.grid, &self.layout);
        }
        if self.layout.cell >= DETAILED {
            for (id, &(colour, body)) in self.units.iter().enumerate() {
                let Some(goal) = replay.target(id) else { continue };
                let place = self.place(goal.x as f32, goal.y as f32, body);
                draw_goal(&mut self.canvas, place, body, colour);
            }
        }
        for (id, &(colour, body)) in self.units.iter().enumerate() {
            let (x, y) = replay.corner(id, part);
            let place = self.place(x, y, body);
            if self.layout.cell >= DETAILED {
                draw_unit(
                    &mut self.canvas,
                    place,
                    body,
                    colour,
                    replay.is_home(id),
                    replay.heading(id, part),
                );
            } else {
                draw_speck(&mut self.canvas, place, colour);
            }
        }
        // Marks come last, so that no unit hides one.
        for id in (0..self.units.len()).filter(|&id| replay.movers()[id].failed) {
            let (x, y) = replay.corner(id, part);
            let (_, body) = self.units[id];
            let place = self.place(x, y, body);
            if self.layout.cell >= DETAILED {
                draw_failure(&mut self.canvas, place, body);
            } else {
                draw_speck(&mut self.canvas, place, Rgb::FAILED);
            }
        }
        let chain = self.chains.get(replay.tick() as usize).map_or(&[][..], Vec::as_slice);
        let known = chain.iter().map(|id| id.index()).filter(|&id| id < self.units.len());
        let spots: Vec<Spot> = known.map(|id| self.spot(replay.corner(id, part), self.units[id].1)).collect();
        chain::draw(&mut self.canvas, &spots, self.layout.cell);
        caption(&mut self.canvas, &self.font, &self.layout, title, status);
        &self.canvas
    }

    /// Left, top and side in pixels of a body with its smallest corner at (x, y) in cells.
    fn place(&self, x: f32, y: f32, body: f32) -> (f32, f32, f32) {
        let cell = self.layout.cell;
        (self.layout.map_x as f32 + x * cell, y * cell, body * cell)
    }

    fn spot(&self, (x, y): (f32, f32), body: f32) -> Spot {
        let (left, top, side) = self.place(x, y, body);
        Spot { x: left + side / 2.0, y: top + side / 2.0, side }
    }
}

/// Writes title and status below the map.
pub(super) fn caption(canvas: &mut Pixmap, font: &Font, layout: &Layout, title: &str, status: &str) {
    let shorten = |text: &str, most: usize| -> String {
        if text.chars().count() <= most {
            return text.to_owned();
        }
        text.chars().take(most.saturating_sub(2)).chain("..".chars()).collect()
    };
    let status = shorten(status, layout.letters());
    let letters = status.chars().count();
    let title = shorten(title, layout.letters());
    let (x, y) = layout.title_at();
    font.draw(canvas, &title, x, y, layout.dot, Rgb::TEXT);
    let (x, y) = layout.status_at(letters);
    font.draw(canvas, &status, x, y, layout.dot, Rgb::TEXT);
}

/// Those of one group are of one colour: teams, or if there is only one, those who set out one way.
pub(super) fn group(scenario: &Scenario, agent: &Agent) -> usize {
    if scenario.has_teams() { usize::from(agent.team) } else { heading(agent) }
}

/// Which of four ways an agent sets out: 0 east, 1 west, 2 south, 3 north.
fn heading(agent: &Agent) -> usize {
    let goal = agent.waypoints().target(0);
    let (dx, dy) = (goal.x - agent.start.x, goal.y - agent.start.y);
    if dx.abs() >= dy.abs() { usize::from(dx < 0) } else { 2 + usize::from(dy < 0) }
}

fn paint(colour: Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour.into());
    paint
}

/// A disc for a body of one cell, a square for a larger one, `inset` pixels inside its place.
fn shape((left, top, side): (f32, f32, f32), body: f32, inset: f32) -> Option<Path> {
    let half = side / 2.0;
    if body <= 1.0 {
        return PathBuilder::from_circle(left + half, top + half, (half - inset).max(0.5));
    }
    Rect::from_xywh(left + inset, top + inset, side - 2.0 * inset, side - 2.0 * inset)
        .map(PathBuilder::from_rect)
}

pub(super) fn outline(canvas: &mut Pixmap, path: Option<Path>, colour: Rgb, width: f32) {
    if let Some(path) = path {
        let stroke = Stroke { width, ..Stroke::default() };
        canvas.stroke_path(&path, &paint(colour), &stroke, Transform::identity(), None);
    }
}

pub(super) fn fill(canvas: &mut Pixmap, path: Option<Path>, colour: Rgb, turn: Transform) {
    if let Some(path) = path {
        canvas.fill_path(&path, &paint(colour), FillRule::Winding, turn, None);
    }
}

/// The same with hard edges: walls side by side leave no seams, which would be some other colour of the few that pictures have.
pub(super) fn fill_hard(canvas: &mut Pixmap, path: Option<Path>, colour: Rgb) {
    if let Some(path) = path {
        let paint = Paint { anti_alias: false, ..paint(colour) };
        canvas.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
}

fn draw_goal(canvas: &mut Pixmap, place: (f32, f32, f32), body: f32, colour: Rgb) {
    let cell = place.2 / body;
    outline(canvas, shape(place, body, cell * 0.28), colour.mix(Rgb::OPEN, 96), (cell * 0.08).max(1.0));
}

/// A car is turned with its heading and shows where its front is.
fn draw_unit(
    canvas: &mut Pixmap,
    place: (f32, f32, f32),
    body: f32,
    colour: Rgb,
    home: bool,
    heading: Option<f32>,
) {
    let (left, top, side) = place;
    let (cell, x, y) = (side / body, left + side / 2.0, top + side / 2.0);
    let turn = heading.map_or(Transform::identity(), |degrees| Transform::from_rotate_at(degrees, x, y));
    match heading {
        None => fill(canvas, shape(place, body, cell * 0.12), colour, turn),
        Some(_) => {
            let inset = cell * 0.12;
            let hull = Rect::from_xywh(left + inset, top + inset, side - 2.0 * inset, side - 2.0 * inset);
            fill(canvas, hull.map(PathBuilder::from_rect), colour, turn);
            let front = Rect::from_xywh(x - side * 0.25, top + side * 0.18, side * 0.5, side * 0.14);
            fill(canvas, front.map(PathBuilder::from_rect), Rgb::PAPER, turn);
        }
    }
    if home {
        let middle = PathBuilder::from_circle(x, y, cell * 0.14);
        fill(canvas, middle, Rgb::PAPER, Transform::identity());
    }
}

fn draw_failure(canvas: &mut Pixmap, place: (f32, f32, f32), body: f32) {
    let cell = place.2 / body;
    let width = (cell * 0.16).max(1.5);
    outline(canvas, shape(place, body, width / 2.0), Rgb::FAILED, width);
}

/// At least two pixels wide, whatever the size of a cell.
fn draw_speck(canvas: &mut Pixmap, (left, top, side): (f32, f32, f32), colour: Rgb) {
    let larger = side.max(2.0);
    let shift = (larger - side) / 2.0;
    if let Some(rect) = Rect::from_xywh(left - shift, top - shift, larger, larger) {
        canvas.fill_rect(rect, &paint(colour), Transform::identity(), None);
    }
}
