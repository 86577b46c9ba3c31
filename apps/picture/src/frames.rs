//! Which moments of a run become frames.

use super::GifOptions;
use throng_core::{Scenario, Tick};

/// Frames that a step to the next cell is spread over.
const FRAMES_PER_STEP: u64 = 3;
/// Hundredths of a second: viewers slow down whatever is shorter.
const SHORTEST_DELAY: f64 = 2.0;

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// During this tick
    pub(crate) tick: Tick,
    /// when so much of it has passed, from 0 to 1.
    pub(crate) part: f32,
    /// For so many hundredths of a second.
    pub(crate) delay: u32,
}

/// A schedule of frames: several per tick in short runs, one every few ticks in long ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames {
    ticks: Tick,
    per_tick: u64,
    stride: Tick,
    /// Hundredths of a second from one frame to the next.
    delay: f64,
}

impl Frames {
    /// For a run of so many ticks.
    pub(crate) fn new(scenario: &Scenario, ticks: Tick, options: &GifOptions) -> Self {
        let most = options.max_frames.max(2) - 1;
        let tick_time = 100.0 / f64::from(options.ticks_per_second.clamp(0.1, 50.0));
        let fastest = scenario.agents().iter().map(|agent| agent.period).min().unwrap_or(1);
        let smooth = FRAMES_PER_STEP.div_ceil(u64::from(fastest));
        let per_tick = (1..=smooth)
            .rev()
            .find(|&n| ticks.saturating_mul(n) <= most && tick_time / n as f64 >= SHORTEST_DELAY)
            .unwrap_or(1);
        let stride = ticks.div_ceil(most).max(1);
        Self { ticks, per_tick, stride, delay: tick_time / per_tick as f64 }
    }

    /// Ticks from one frame to the next if some are skipped, otherwise 1.
    pub(crate) const fn stride(&self) -> Tick {
        self.stride
    }

    /// All frames in order; the last shows the end of the run.
    pub(crate) fn moments(self) -> impl Iterator<Item = Moment> {
        let steps = (self.ticks * self.per_tick).div_ceil(self.stride);
        (0..=steps).map(move |step| {
            let at = (step * self.stride).min(self.ticks * self.per_tick);
            // Rounding the time of a frame and not its length keeps the speed right on average.
            let time = |step: u64| (step as f64 * self.delay).round() as u32;
            Moment {
                tick: at / self.per_tick,
                part: (at % self.per_tick) as f32 / self.per_tick as f32,
                delay: time(step + 1) - time(step),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::scenario;
    use super::*;
    use throng_core::{Rules, Timing};

    fn frames(ticks: Tick, period: u8, max_frames: u64) -> (Frames, Vec<Moment>) {
        let rules = Rules { timing: Timing::Metric, ..Rules::default() };
        let scenario = scenario(&[".."], rules, period, &[((0, 0), (1, 0))]);
        let options = GifOptions { max_frames, ticks_per_second: 8.0, ..GifOptions::default() };
        let frames = Frames::new(&scenario, ticks, &options);
        (frames, frames.moments().collect())
    }

    #[test]
    fn short_runs_are_smooth() {
        let (schedule, all) = frames(10, 1, 400);
        assert_eq!((all.len(), schedule.stride()), (31, 1));
        assert_eq!((all[1].tick, all[1].part), (0, 1.0 / 3.0));
        assert_eq!((all[30].tick, all[30].part), (10, 0.0));
        assert_eq!(all.iter().take(30).map(|m| m.delay).sum::<u32>(), 125, "10 ticks at 8 a second");
    }

    #[test]
    fn slow_units_need_fewer_frames_per_tick() {
        assert_eq!(frames(10, 5, 400).1.len(), 11);
        assert_eq!(frames(10, 2, 400).1.len(), 21);
    }

    #[test]
    fn long_runs_skip_ticks_evenly() {
        let (schedule, all) = frames(1000, 1, 300);
        assert_eq!(schedule.stride(), 4);
        assert!(all.len() <= 300, "{}", all.len());
        assert!(all.windows(2).all(|pair| pair[1].tick - pair[0].tick == 4));
        assert_eq!(all.last().unwrap().tick, 1000);
        assert_eq!(frames(0, 1, 300).1.len(), 1);
        assert!(frames(1001, 1, 0).1.len() <= 2);
    }
}
