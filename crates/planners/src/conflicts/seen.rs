//! Which cells were seen at which ticks: a table that is stamped instead of cleared.

/// From a key to a number.
#[derive(Debug)]
pub(super) struct Seen {
    /// Key, stamp, number.
    slots: Vec<(u64, u32, u32)>,
    now: u32,
    len: usize,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { slots: vec![(0, 0, 0); 1 << 10], now: 0, len: 0 }
    }

    pub(super) fn clear(&mut self) {
        if self.now == u32::MAX {
            self.slots.fill((0, 0, 0));
            self.now = 0;
        }
        self.now += 1;
        self.len = 0;
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while self.slots[slot].1 == self.now && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a key, which gets this one if it has none.
    #[inline]
    pub(super) fn enter(&mut self, key: u64, number: u32) -> Option<u32> {
        let slot = self.slot(key);
        if self.slots[slot].1 == self.now {
            return Some(self.slots[slot].2);
        }
        self.slots[slot] = (key, self.now, number);
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            self.grow();
        }
        None
    }

    fn grow(&mut self) {
        let twice = vec![(0, 0, 0); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, twice);
        for entry in old.into_iter().filter(|entry| entry.1 == self.now) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }
}
