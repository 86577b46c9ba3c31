//! One unit and what keeps it: a frame around it, an arrow to what keeps it, another from there, and so on.

use super::palette::Rgb;
use super::stage::{fill, outline};
use tiny_skia::{PathBuilder, Pixmap, Rect, Transform};

/// The middle of a unit and the side of its body, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) side: f32,
}

/// Draws the chain of units at `spots`; `cell` is the side of a cell in pixels.
pub(super) fn draw(canvas: &mut Pixmap, spots: &[Spot], cell: f32) {
    let width = (cell * 0.12).max(1.5);
    // First all that is light, so that no arrow loses its edge to another one's halo.
    for (colour, width) in [(Rgb::PAPER, 2.5 * width), (Rgb::TEXT, width)] {
        if let Some(first) = spots.first() {
            frame(canvas, *first, cell, colour, width);
        }
        for pair in spots.windows(2) {
            arrow(canvas, pair[0], pair[1], cell, colour, width);
        }
    }
}

fn frame(canvas: &mut Pixmap, Spot { x, y, side }: Spot, cell: f32, colour: Rgb, width: f32) {
    // Wide enough to be seen on maps whose cells are specks.
    let half = (side / 2.0 + cell * 0.15).max(4.0);
    let path = Rect::from_ltrb(x - half, y - half, x + half, y + half).map(PathBuilder::from_rect);
    outline(canvas, path, colour, width);
}

/// From the edge of one unit to the edge of another.
fn arrow(canvas: &mut Pixmap, from: Spot, to: Spot, cell: f32, colour: Rgb, width: f32) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    if length < 1.0 {
        return;
    }
    let (dx, dy) = (dx / length, dy / length);
    let head = (cell * 0.3).max(4.0);
    let end = (to.x - dx * to.side * 0.15, to.y - dy * to.side * 0.15);
    let neck = (end.0 - dx * head, end.1 - dy * head);
    let mut line = PathBuilder::new();
    line.move_to(from.x + dx * from.side * 0.15, from.y + dy * from.side * 0.15);
    line.line_to(neck.0, neck.1);
    outline(canvas, line.finish(), colour, width);
    let mut tip = PathBuilder::new();
    tip.move_to(end.0, end.1);
    tip.line_to(neck.0 - dy * head * 0.6, neck.1 + dx * head * 0.6);
    tip.line_to(neck.0 + dy * head * 0.6, neck.1 - dx * head * 0.6);
    tip.close();
    let tip = tip.finish();
    fill(canvas, tip.clone(), colour, Transform::identity());
    if colour == Rgb::PAPER {
        outline(canvas, tip, colour, width * 0.6);
    }
}
