//! Knots for which no order of moves was found are not searched for again and again.

use crate::World;

/// So many are remembered at most; the oldest are forgotten first.
const MOST: usize = 1024;
/// How often the time until they may try again doubles at most.
const DOUBLED: u32 = 8;

/// Bodies for whom no order of moves was found.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Futile {
    /// By their numbers.
    bodies: Vec<u32>,
    /// Before this step they are not tied again, nor they and others.
    again: u64,
    /// How often that has been found.
    times: u32,
}

impl World {
    /// Whether it is known of bodies, or of some of them, that no order of moves was found, and not long ago.
    pub(super) fn is_futile(&self, bodies: &[u32]) -> bool {
        let among = |futile: &Futile| futile.bodies.iter().all(|id| bodies.contains(id));
        self.futile.iter().any(|futile| self.steps < futile.again && among(futile))
    }

    /// No order of moves was found for bodies: twice as long as the last time until they may try again.
    pub(super) fn found_futile(&mut self, bodies: &[u32]) {
        let known = self.futile.iter().position(|futile| futile.bodies == bodies);
        let times = known.map_or(0, |place| self.futile.remove(place).times);
        let wait = u64::from(self.cornered()) << (times + 1).min(DOUBLED);
        if self.futile.len() >= MOST {
            self.futile.remove(0);
        }
        let again = self.steps.saturating_add(wait);
        self.futile.push(Futile { bodies: bodies.to_vec(), again, times: times.saturating_add(1) });
    }

    /// A body goes elsewhere or has left: what was found of it holds no more.
    pub(crate) fn may_try(&mut self, id: usize) {
        self.futile.retain(|futile| !futile.bodies.contains(&(id as u32)));
    }

    /// Takes up what was found in a world that was saved, unless it cannot be of this one.
    #[cfg(feature = "serde")]
    pub(crate) fn take_up_futile(&mut self, futile: Vec<Futile>, last: u64) -> bool {
        let count = self.bodies.len();
        let sound = |futile: &Futile| {
            super::Knot::can_be_of(&futile.bodies, count) && futile.again <= last && futile.times < u32::MAX
        };
        let fits = futile.len() <= MOST && futile.iter().all(sound);
        self.futile = futile;
        fits
    }
}
