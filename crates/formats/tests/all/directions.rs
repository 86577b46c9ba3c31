use proptest::prelude::*;
use throng_core::{Cell, DirectionVector, Directions};
use throng_formats::{FormatError, directions, scenario};

const EAST: DirectionVector = DirectionVector { x: DirectionVector::ONE, y: 0 };
const UP: DirectionVector = DirectionVector { x: 0, y: -DirectionVector::ONE / 2 };

fn small() -> Directions {
    Directions::new(3, 2, vec![DirectionVector::ZERO, EAST, UP, EAST, DirectionVector::ZERO, EAST]).unwrap()
}

fn says(text: &str, message: &str) {
    assert_eq!(directions::parse(text.as_bytes()).unwrap_err().to_string(), message, "{text}");
}

#[test]
fn a_map_is_written_as_it_is_told() {
    let text = directions::write(&small());
    let (head, rows) = text.split_at(text.len() - "\n.400000000000e000\n40000000.40000000\n".len());
    assert!(head.starts_with("throng-directions 1\nwidth 3\nheight 2\nseal "), "{head}");
    assert_eq!(rows, "\n.400000000000e000\n40000000.40000000\n");
    assert_eq!(directions::parse(text.as_bytes()), Ok(small()));
    assert_eq!(directions::parse(text.replace('\n', "\r\n").as_bytes()), Ok(small()));
    assert_eq!(small().at(Cell::new(2, 0)), UP);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let text = directions::write(&small());
    says("", "line 1: the file ends where `throng-directions 1` should be");
    says("type octile\n", "line 1: expected `throng-directions 1`, found \"type octile\"");
    let wide = text.replace("width 3", "width x");
    says(&wide, "line 2: expected `width` and a number, found \"width x\"");
    let huge = text.replace("width 3", "width 99999999");
    says(&huge, "line 3: a map of 99999999×2 is too large: at most 67108864 cells with the border");
    says(&text.replace("width 3", "width 2"), "line 5: a row of 3 letters, expected 2");
    says(
        &text.replace("seal", "seel"),
        &format!(
            "line 4: expected `seal` and 16 hexadecimal digits, found {:?}",
            text.lines().nth(3).unwrap().replace("seal", "seel")
        ),
    );
    says(
        &text.replace(".4000", ".40-0"),
        "line 5, column 2: expected `.` or eight hexadecimal digits, found \"40-000000000e000\"",
    );
    says(&text.replace("height 2", "height 3"), "line 7: the map ends after 2 rows, expected 3");
    says(&text.replace("height 2", "height 1"), "line 6: more than the 1 rows that the header says");
    let damaged = "line 4: the rows are not as they were written: the file is damaged";
    says(&text.replace("e000", "e001"), damaged);
    // Longer than 1.
    says(&text.replace(".40000000", ".40000001"), damaged);
}

const WORLD: &str = "map = '...'\n[[unit]]\nstart = [0, 0]\ngoal = [1, 0]\n";

#[test]
fn a_scenario_brings_its_own_or_names_a_file() {
    let learned = Directions::new(3, 1, vec![EAST; 3]).unwrap();
    let text = directions::write(&learned);
    let own = format!("directions = '''\n{text}'''\n{WORLD}");
    let setup = scenario::parse(&own, &mut scenario::no_files).unwrap();
    assert_eq!(setup.directions.as_ref(), Some(&learned));
    assert_eq!(scenario::parse(&scenario::write(&setup), &mut scenario::no_files), Ok(setup.clone()));
    let named = format!("directions_file = 'a.dir'\n{WORLD}");
    let mut files =
        |name: &str| if name == "a.dir" { Ok(text.clone().into_bytes()) } else { Err(String::new()) };
    assert_eq!(scenario::parse(&named, &mut files), Ok(setup));
    let none = scenario::parse(&named, &mut scenario::no_files).unwrap_err();
    assert_eq!(
        none.to_string(),
        "line 1: directions_file \"a.dir\": no files are read here: put it into the scenario"
    );
    let both = format!("directions = ''\n{named}");
    let both = scenario::parse(&both, &mut scenario::no_files).unwrap_err();
    assert_eq!(both.to_string(), "line 2: expected one of `directions` and `directions_file`, found both");
}

/// Of another size, or damaged: refused, with the line of the scenario.
#[test]
fn a_scenario_refuses_what_does_not_fit() {
    let other = directions::write(&small());
    let text = format!("directions = '''\n{other}'''\n{WORLD}");
    let error = scenario::parse(&text, &mut scenario::no_files).unwrap_err();
    assert_eq!(error, FormatError::WrongMapSize { line: 1, row: (3, 2), map: (3, 1) });
    let text = text.replace("e000", "e001");
    let error = scenario::parse(&text, &mut scenario::no_files).unwrap_err();
    let damaged = "the rows are not as they were written: the file is damaged";
    assert_eq!(error.to_string(), format!("line 1: directions: line 4: {damaged}"));
}

fn vector() -> impl Strategy<Value = DirectionVector> {
    let one = DirectionVector::ONE;
    prop_oneof![
        Just(DirectionVector::ZERO),
        (-one..=one, -one..=one)
            .prop_map(|(x, y)| DirectionVector { x, y })
            .prop_filter("no longer than 1", |vector| !vector.is_too_long()),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(width in 1..9usize, height in 1..9usize, vectors in prop::collection::vec(vector(), 64)) {
        let map = Directions::new(width, height, vectors[..width * height].to_vec()).unwrap();
        prop_assert_eq!(directions::parse(directions::write(&map).as_bytes()), Ok(map));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = directions::parse(&bytes);
    }

    /// One byte of a file changed: it reads as it was (as with the case of a digit) or not at all, never as another map.
    #[test]
    fn no_damage_is_believed(at: prop::sample::Index, byte: u8) {
        let mut bytes = directions::write(&small()).into_bytes();
        *at.get_mut(&mut bytes) = byte;
        if let Ok(map) = directions::parse(&bytes) {
            prop_assert_eq!(map, small());
        }
    }
}
