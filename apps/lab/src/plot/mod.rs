//! Pictures of numbers, as SVG.

mod arrows;
mod boxes;
mod heat;
mod lines;

pub use arrows::{Arrow, Arrows};
pub use boxes::Boxes;
pub use heat::Heat;
pub use lines::{Lines, Series};

/// A picture.
#[derive(Clone, Debug)]
pub enum Plot {
    /// Curves.
    Lines(Lines),
    /// How samples spread.
    Boxes(Boxes),
    /// A map with a number in every cell.
    Heat(Heat),
    /// A map with an arrow in every cell.
    Arrows(Arrows),
}

impl Plot {
    /// What it is called, without the ending.
    #[must_use]
    pub fn file(&self) -> &str {
        match self {
            Self::Lines(lines) => &lines.file,
            Self::Boxes(boxes) => &boxes.file,
            Self::Heat(heat) => &heat.file,
            Self::Arrows(arrows) => &arrows.file,
        }
    }

    /// What people read above it.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Self::Lines(lines) => &lines.title,
            Self::Boxes(boxes) => &boxes.title,
            Self::Heat(heat) => &heat.title,
            Self::Arrows(arrows) => &arrows.title,
        }
    }

    /// The picture; an error is what the drawing library says.
    pub fn svg(&self) -> Result<String, String> {
        match self {
            Self::Lines(lines) => lines.svg(),
            Self::Boxes(boxes) => boxes.svg(),
            Self::Heat(heat) => heat.svg(),
            Self::Arrows(arrows) => Ok(arrows.svg()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_hold_what_they_were_told() {
        let series = vec![
            Series { name: "a & b".to_owned(), points: vec![(1.0, 2.0), (3.0, 4.0)] },
            Series { name: "nothing".to_owned(), points: Vec::new() },
        ];
        let lines = Lines {
            file: "f".into(),
            title: "Curves".into(),
            x: "units".into(),
            log: false,
            y: "share".into(),
            series,
        };

        let svg = Plot::Lines(lines).svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("Curves") && svg.contains("a &amp; b"), "{svg}");
        let cells = vec![None, Some(0.0), Some(7.0), Some(123.0)];
        let heat = Heat { file: "h".into(), title: "Visits".into(), width: 2, cells, marks: vec![(1, 'G')] };
        let svg = Plot::Heat(heat).svg().unwrap();
        assert!(svg.contains("Visits") && svg.contains("\n123\n") && svg.contains("\nG\n"), "{svg}");
    }

    #[test]
    fn powers_of_ten_lie_equally_far_apart() {
        let series =
            vec![Series { name: "a".to_owned(), points: vec![(1.0, 2.0), (10.0, 2.0), (100.0, 2.0)] }];
        let (file, title) = (String::new(), String::new());
        let lines = Lines { file, title, x: String::new(), log: true, y: String::new(), series };
        let svg = lines.svg().unwrap();
        let centre = |circle: &str| circle.split('"').nth(1).and_then(|x| x.parse::<i32>().ok()).unwrap();
        let at: Vec<i32> = svg.split("<circle cx=").skip(1).map(centre).collect();
        assert!(at.len() == 3 && (at[2] - at[1]).abs_diff(at[1] - at[0]) <= 1, "{at:?}");
        assert!(svg.contains("\n100\n"), "{svg}");
    }

    #[test]
    fn boxes_are_the_middle_half() {
        assert_eq!(boxes::five(&[5.0, 1.0, 3.0, 2.0, 4.0]), Some([1.0, 2.0, 3.0, 4.0, 5.0]));
        assert_eq!(boxes::five(&[1.0, 2.0]), Some([1.0, 1.25, 1.5, 1.75, 2.0]));
        assert_eq!(boxes::five(&[]), None);
        let samples = vec![("five".to_owned(), vec![5.0, 1.0, 3.0, 2.0, 4.0]), ("none".to_owned(), vec![])];
        let boxes = Boxes { file: "b".into(), title: "Spread".into(), y: "ticks".into(), samples };
        let svg = Plot::Boxes(boxes).svg().unwrap();
        // A filled one and its outline, beside the background.
        assert!(svg.contains("Spread") && svg.contains("none") && svg.matches("<rect").count() == 3, "{svg}");
    }

    #[test]
    fn a_picture_of_nothing_is_no_error() {
        let boxes =
            Boxes { file: String::new(), title: String::new(), y: String::new(), samples: Vec::new() };
        assert!(boxes.svg().is_ok());
        let (file, title) = (String::new(), String::new());
        let lines = Lines {
            file: file.clone(),
            title: title.clone(),
            x: String::new(),
            log: false,
            y: String::new(),
            series: Vec::new(),
        };
        assert!(lines.svg().is_ok());
        assert!(Heat { file, title, width: 0, cells: Vec::new(), marks: Vec::new() }.svg().is_ok());
    }
}
