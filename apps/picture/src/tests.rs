//! Whole pictures, read back.

use super::palette::Rgb;
use super::{GifOptions, PictureError, write_gif, write_png};
use gif::{ColorOutput, DecodeOptions, Frame};
use throng_core::{Action, Agent, Cell, Deed, Dir, Grid, Rules, Scenario, Task, Trace};

type Place = (i32, i32);

pub(super) fn scenario(rows: &[&str], rules: Rules, period: u8, ways: &[(Place, Place)]) -> Scenario {
    of_grid(Grid::from_rows(rows).unwrap(), rules, period, ways)
}

fn of_grid(grid: Grid, rules: Rules, period: u8, ways: &[(Place, Place)]) -> Scenario {
    let agent = |(id, &((x, y), (gx, gy))): (usize, &(Place, Place))| {
        let mut agent = Agent::new(id as u32, Cell::new(x, y), Task::Goal(Cell::new(gx, gy)));
        agent.period = period;
        agent
    };
    Scenario::new("test", grid, rules, ways.iter().enumerate().map(agent).collect()).unwrap()
}

pub(super) fn east(agent: u32) -> Deed {
    Deed { agent: throng_core::AgentId(agent), action: Action::Go(Dir::E), failed: false }
}

pub(super) fn failed(agent: u32, dir: Dir) -> Deed {
    Deed { agent: throng_core::AgentId(agent), action: Action::Go(dir), failed: true }
}

pub(super) fn moved(scenario: &Scenario, ticks: &[&[Deed]]) -> Trace {
    let mut trace = Trace::new(scenario.agents().iter().map(|agent| agent.start).collect());
    for deeds in ticks {
        deeds.iter().for_each(|&deed| trace.push(deed));
        trace.end_tick();
    }
    trace
}

/// A GIF as a viewer shows it: size, and each whole frame as RGBA with its delay.
struct Film {
    width: usize,
    height: usize,
    frames: Vec<(Vec<u8>, u16)>,
}

impl Film {
    fn of(scenario: &Scenario, trace: &Trace, options: &GifOptions) -> Self {
        let mut bytes = Vec::new();
        write_gif(&mut bytes, scenario, trace, options).unwrap();
        Self::read(&bytes)
    }

    fn read(bytes: &[u8]) -> Self {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![0; width * height * 4];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            lay_over(&mut screen, width, frame);
            frames.push((screen.clone(), frame.delay));
        }
        Self { width, height, frames }
    }

    fn count(&self, frame: usize, Rgb(r, g, b): Rgb) -> usize {
        self.frames[frame].0.chunks(4).filter(|p| *p == [r, g, b, 255]).count()
    }
}

fn lay_over(screen: &mut [u8], width: usize, frame: &Frame<'_>) {
    for (at, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] == 255) {
        let x = usize::from(frame.left) + at % usize::from(frame.width);
        let y = usize::from(frame.top) + at / usize::from(frame.width);
        screen[(y * width + x) * 4..][..4].copy_from_slice(pixel);
    }
}

#[test]
fn a_gif_reads_back_with_size_and_frames() {
    let scenario = scenario(&["....", ".@W.", ".TS."], Rules::default(), 1, &[((0, 0), (3, 0))]);
    let trace = moved(&scenario, &[&[east(0)], &[east(0)], &[east(0)]]);
    let film = Film::of(&scenario, &trace, &GifOptions { title: "lra".into(), ..GifOptions::default() });
    assert_eq!(film.frames.len(), 3 * 3 + 1);
    assert_eq!(film.width, 200, "four cells of 32 pixels are too narrow for a caption");
    assert!(film.height > 3 * 32);
    for colour in [Rgb::OPEN, Rgb::WALL, Rgb::WATER, Rgb::TREES, Rgb::SWAMP, Rgb::TEXT] {
        assert!(film.count(0, colour) > 0, "{colour:?}");
        assert!(film.count(9, colour) > 0, "{colour:?}");
    }
    assert_eq!(film.frames[9].1, 200, "the end stays for two seconds");
}

#[test]
fn a_failed_move_is_marked_in_its_tick_only() {
    let scenario = scenario(&["..@"], Rules::default(), 1, &[((0, 0), (1, 0))]);
    let trace = moved(&scenario, &[&[failed(0, Dir::W)], &[east(0)]]);
    let film = Film::of(&scenario, &trace, &GifOptions::default());
    assert!(film.count(0, Rgb::FAILED) > 20);
    assert_eq!(film.frames.len(), 1 + 3 + 1, "a tick in which nothing moves is one frame");
    assert!((1..5).all(|frame| film.count(frame, Rgb::FAILED) == 0));
}

#[test]
fn an_explained_unit_has_a_frame_and_arrows() {
    let ways = [((0, 0), (4, 0)), ((2, 0), (2, 0)), ((4, 1), (4, 1))];
    let scenario = scenario(&[".....", "....."], Rules::default(), 1, &ways);
    let trace = moved(&scenario, &[&[], &[], &[]]);
    let dark = |chain: &[u32]| {
        let chains = vec![chain.iter().map(|&id| throng_core::AgentId(id)).collect(); 4];
        let film = Film::of(&scenario, &trace, &GifOptions { chains, ..GifOptions::default() });
        film.count(0, Rgb::TEXT)
    };
    let (nobody, alone, blocked, chained) = (dark(&[]), dark(&[0]), dark(&[0, 1]), dark(&[0, 1, 2]));
    assert!(alone > nobody + 100, "a frame: {nobody}, {alone}");
    assert!(blocked > alone + 100, "an arrow: {alone}, {blocked}");
    assert!(chained > blocked + 100, "another: {blocked}, {chained}");
    assert_eq!(dark(&[9]), nobody, "whom the scenario does not know is not drawn");
}

#[test]
fn what_does_not_move_is_one_frame() {
    let scenario = scenario(&["."], Rules::default(), 1, &[((0, 0), (0, 0))]);
    let film = Film::of(&scenario, &moved(&scenario, &[]), &GifOptions::default());
    assert_eq!(film.frames.len(), 1);
}

#[test]
fn a_map_larger_than_the_picture_is_scaled_down() {
    let ways: Vec<(Place, Place)> = (0..50).map(|i| ((i * 20, 300), (i * 20 + 1, 300))).collect();
    let scenario = of_grid(Grid::empty(1491, 656).unwrap(), Rules::default(), 1, &ways);
    let deeds: Vec<Deed> = (0..50).map(east).chain([failed(7, Dir::N)]).collect();
    let trace = moved(&scenario, &[&deeds]);
    let film = Film::of(&scenario, &trace, &GifOptions::default());
    assert_eq!(film.width, 640);
    let specks = 640 * 282 - film.count(0, Rgb::OPEN);
    assert!(specks >= 50 * 4, "each of 50 units covers at least four pixels, not {specks} in all");
}

#[test]
fn long_runs_keep_to_their_number_of_frames() {
    let scenario = scenario(&["."], Rules::default(), 1, &[((0, 0), (0, 0))]);
    let trace = moved(&scenario, &vec![&[] as &[Deed]; 1000]);
    let film = Film::of(&scenario, &trace, &GifOptions { max_frames: 100, ..GifOptions::default() });
    assert!((90..=100).contains(&film.frames.len()), "{}", film.frames.len());
}

#[test]
fn files_stay_small() {
    let ways: Vec<(Place, Place)> = (0..40).map(|y| ((0, y), (99, y))).collect();
    let scenario = of_grid(Grid::empty(100, 40).unwrap(), Rules::default(), 1, &ways);
    let deeds: Vec<Deed> = (0..40).map(east).collect();
    let mut bytes = Vec::new();
    let options = GifOptions { title: "whca(window=16)".into(), ..GifOptions::default() };
    write_gif(&mut bytes, &scenario, &moved(&scenario, &[deeds.as_slice(); 99]), &options).unwrap();
    assert!(bytes.len() < 1_000_000, "{} bytes", bytes.len());
}

#[test]
fn a_png_shows_its_own_tick() {
    let scenario = scenario(&["..."], Rules::default(), 1, &[((0, 0), (2, 0))]);
    let trace = moved(&scenario, &[&[failed(0, Dir::W)], &[east(0)]]);
    let failures = |tick| {
        let mut bytes = Vec::new();
        write_png(&mut bytes, &scenario, &trace, tick, &GifOptions::default()).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.width, 200);
        let Rgb(r, g, b) = Rgb::FAILED;
        pixels.chunks(3).filter(|p| *p == [r, g, b]).count()
    };
    assert!(failures(0) > 20);
    assert_eq!((failures(1), failures(99)), (0, 0));
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let scenario = scenario(&["."], Rules::default(), 1, &[((0, 0), (0, 0))]);
    let trace = moved(&scenario, &[]);
    let result = write_gif(Full, &scenario, &trace, &GifOptions::default());
    assert!(matches!(result, Err(PictureError::Gif(_) | PictureError::Io(_))));
    let result = write_png(Full, &scenario, &trace, 0, &GifOptions::default());
    assert!(matches!(result, Err(PictureError::Png(_))));
}
