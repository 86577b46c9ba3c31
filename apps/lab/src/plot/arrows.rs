//! A map with an arrow in every cell.

use std::fmt::Write as _;
use throng::core::{Cell, DirectionVector, Directions, Grid};

/// Pixels of a cell.
const CELL: usize = 16;
const TITLE: usize = 36;
/// Shorter vectors are too weak to be seen.
const SHORTEST: f32 = 0.05;
/// By heading: east, west, south, north.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// A direction map: an arrow in every cell of which something is known, the longer the surer.
#[derive(Clone, Debug)]
pub struct Arrows {
    /// What the file is called, without the ending.
    pub file: String,
    /// Above the picture.
    pub title: String,
    /// Where walls are.
    pub grid: Grid,
    /// What was learned there.
    pub directions: Directions,
}

/// The arrow of one vector, in a cell whose side is 1 and whose middle is (0, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// 0 east, 1 west, 2 south, 3 north, whichever is nearest.
    pub heading: usize,
    /// Its corners in order; y grows downwards.
    pub corners: [[f32; 2]; 7],
}

impl Arrow {
    /// The arrow of a vector; none if that is next to nothing.
    #[must_use]
    pub fn of(vector: DirectionVector) -> Option<Self> {
        let one = f32::from(DirectionVector::ONE);
        let (x, y) = (f32::from(vector.x) / one, f32::from(vector.y) / one);
        let length = x.hypot(y);
        if length < SHORTEST {
            return None;
        }
        let (along, side) = ([x / length, y / length], [-y / length, x / length]);
        let tip = 0.12 + 0.34 * length.min(1.0);
        let neck = tip - (0.2 + 0.1 * length);
        let at = |far: f32, wide: f32| [0, 1].map(|axis| far * along[axis] + wide * side[axis]);
        let corners = [
            at(-tip, 0.05),
            at(neck, 0.05),
            at(neck, 0.2),
            at(tip, 0.0),
            at(neck, -0.2),
            at(neck, -0.05),
            at(-tip, -0.05),
        ];
        let heading = if x.abs() >= y.abs() { usize::from(x < 0.0) } else { 2 + usize::from(y < 0.0) };
        Some(Self { heading, corners })
    }
}

impl Arrows {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, height) = (self.grid.width() * CELL, self.grid.height() * CELL);
        // A title needs room even above a small map.
        let (wide, high) = (width.max(480), height + TITLE);
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text x=\"6\" y=\"{}\" font-size=\"16\">{title}</text>\n\
             <g transform=\"translate(0 {TITLE})\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#f6f6f6\"/>\n",
            TITLE * 2 / 3,
        );
        let (mut walls, mut paths) = (String::new(), [const { String::new() }; 4]);
        for y in 0..self.grid.height() {
            for x in 0..self.grid.width() {
                let cell = Cell::new(x as i32, y as i32);
                if !self.grid.is_open(cell) {
                    let _ = write!(walls, "M{} {}h{CELL}v{CELL}h-{CELL}z", x * CELL, y * CELL);
                } else if let Some(arrow) = Arrow::of(self.directions.at(cell)) {
                    let path = &mut paths[arrow.heading];
                    for (place, [dx, dy]) in arrow.corners.into_iter().enumerate() {
                        let to = |at: usize, off: f32| (at as f32 + 0.5 + off) * CELL as f32;
                        let pen = if place == 0 { 'M' } else { 'L' };
                        let _ = write!(path, "{pen}{:.1} {:.1}", to(x, dx), to(y, dy));
                    }
                    path.push('z');
                }
            }
        }
        let _ = writeln!(svg, "<path fill=\"#3c3c3c\" d=\"{walls}\"/>");
        for (colour, path) in COLOURS.iter().zip(paths) {
            let _ = writeln!(svg, "<path fill=\"{colour}\" d=\"{path}\"/>");
        }
        svg + "</g>\n</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::core::Dir;

    #[test]
    fn arrows_point_where_vectors_do() {
        for (dir, heading) in [(Dir::E, 0), (Dir::W, 1), (Dir::S, 2), (Dir::N, 3)] {
            let arrow = Arrow::of(DirectionVector::of(dir)).unwrap();
            let (dx, dy) = dir.delta();
            let [x, y] = arrow.corners[3];
            assert_eq!(arrow.heading, heading);
            assert!((x - 0.46 * dx as f32).abs() < 1e-3 && (y - 0.46 * dy as f32).abs() < 1e-3, "{x} {y}");
            assert!(arrow.corners.iter().flatten().all(|c| c.abs() <= 0.5), "it stays in its cell");
        }
        assert_eq!(Arrow::of(DirectionVector::ZERO), None);
    }

    #[test]
    fn a_picture_has_an_arrow_where_something_is_known() {
        let grid = Grid::from_rows(&["..@"]).unwrap();
        let east = DirectionVector::of(Dir::E);
        let vectors = vec![east, DirectionVector::ZERO, DirectionVector::ZERO];
        let directions = Directions::new(3, 1, vectors).unwrap();
        let svg = Arrows { file: String::new(), title: "a < b".into(), grid, directions }.svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("a &lt; b"), "{svg}");
        assert!(svg.contains(&format!("fill=\"{}\" d=\"M", COLOURS[0])), "{svg}");
        assert!(svg.contains(&format!("fill=\"{}\" d=\"\"", COLOURS[1])), "{svg}");
        assert_eq!(svg.matches('M').count(), 2, "one wall and one arrow: {svg}");
    }
}
