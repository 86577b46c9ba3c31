//! A monotone priority queue for small integer keys.

/// Room in a bucket when it is first used: less where there are many, since thousands of queues are kept.
const FEW: usize = 64;
const MANY: usize = 8;

/// Buckets in a ring. Keys never fall below the smallest key still queued, and never exceed it by more
/// than the span given when the queue was made; push and pop then take constant time. Within one key
/// the last pushed comes out first, which sends A* straight ahead among equals.
#[derive(Clone, Debug)]
pub struct BucketQueue<T> {
    buckets: Vec<Vec<T>>,
    floor: u32,
    len: usize,
    /// Whether it was read from a snapshot: if that was damaged, keys may lie anywhere, and such items come out too soon.
    restored: bool,
}

impl<T> BucketQueue<T> {
    /// A queue for keys that differ by at most `span`.
    #[must_use]
    pub fn new(span: u32) -> Self {
        let buckets = (span as usize + 1).next_power_of_two();
        Self { buckets: (0..buckets).map(|_| Vec::new()).collect(), floor: 0, len: 0, restored: false }
    }

    /// Whether keys may differ by `span`.
    #[must_use]
    pub const fn spans(&self, span: u32) -> bool {
        (span as usize) < self.buckets.len()
    }

    /// Empties it and lets keys begin at `floor`. Keeps its memory.
    pub fn restart(&mut self, floor: u32) {
        // From the smallest key on, so that what was never used is not touched.
        let mask = self.buckets.len() - 1;
        while self.len > 0 {
            let bucket = &mut self.buckets[self.floor as usize & mask];
            self.len -= bucket.len();
            bucket.clear();
            self.floor = self.floor.wrapping_add(1);
        }
        self.floor = floor;
    }

    /// Adds `item`. A key below the floor counts as the floor (as with a heuristic that is not quite
    /// consistent).
    #[inline]
    pub fn push(&mut self, key: u32, item: T) {
        debug_assert!(
            self.restored || key.saturating_sub(self.floor) < self.buckets.len() as u32,
            "key beyond the span"
        );
        let key = key.max(self.floor);
        let mask = self.buckets.len() - 1;
        let bucket = &mut self.buckets[key as usize & mask];
        if bucket.len() == bucket.capacity() {
            Self::widen(bucket, mask);
        }
        bucket.push(item);
        self.len += 1;
    }

    /// Many buckets are never used, and those that are hold dozens: none at first, then enough at once.
    #[cold]
    #[inline(never)]
    fn widen(bucket: &mut Vec<T>, mask: usize) {
        let first = if mask < 4 { FEW } else { MANY };
        bucket.reserve_exact(bucket.len().max(first));
    }

    /// Removes an item of the smallest key.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, T)> {
        if self.len == 0 {
            return None;
        }
        let mask = self.buckets.len() - 1;
        loop {
            if let Some(item) = self.buckets[self.floor as usize & mask].pop() {
                self.len -= 1;
                return Some((self.floor, item));
            }
            self.floor += 1;
        }
    }

    /// Takes out all items with this key, last pushed last, with the memory that holds them, for a loop that
    /// has much to do with them. [`Self::give_back`] returns it.
    #[must_use]
    pub fn take(&mut self, key: u32) -> Vec<T> {
        let mask = self.buckets.len() - 1;
        let mut items = core::mem::take(&mut self.buckets[key as usize & mask]);
        self.len -= items.len();
        if items.capacity() == 0 {
            Self::widen(&mut items, mask);
        }
        items
    }

    /// Puts back what [`Self::take`] took out. Nothing may have been pushed with that key meanwhile.
    pub fn give_back(&mut self, key: u32, items: Vec<T>) {
        let mask = self.buckets.len() - 1;
        self.len += items.len();
        self.buckets[key as usize & mask] = items;
    }

    /// Raises the floor to the smallest key queued; `None` if the queue is empty.
    #[inline]
    pub fn raise_floor(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let mask = self.buckets.len() - 1;
        while self.buckets[self.floor as usize & mask].is_empty() {
            self.floor += 1;
        }
        Some(self.floor)
    }

    /// Keys queued are not below this.
    #[must_use]
    pub const fn floor(&self) -> u32 {
        self.floor
    }

    /// How many items are queued.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is queued.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Everything queued as (key, item), each after those that were pushed before it with the same key; the span
    /// and the floor.
    #[must_use]
    pub fn save(&self) -> (Vec<(u32, T)>, u32, u32)
    where
        T: Copy,
    {
        let span = self.buckets.len() as u32 - 1;
        let bucket = |key: u32| self.buckets[(key & span) as usize].iter().map(move |&item| (key, item));
        ((self.floor..=self.floor + span).flat_map(bucket).collect(), span, self.floor)
    }

    /// A queue as [`Self::save`] told it. Keys are those of a snapshot, of which nothing is known for sure.
    #[must_use]
    pub fn restored(items: impl IntoIterator<Item = (u32, T)>, span: u32, floor: u32) -> Self {
        let mut queue = Self { restored: true, floor, ..Self::new(span) };
        items.into_iter().for_each(|(key, item)| queue.push(key, item));
        queue
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.iter().map(|b| size_of::<Vec<T>>() + b.capacity() * size_of::<T>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a sorted list: same keys in the same order, whatever the pushes.
        #[test]
        fn pops_in_key_order(steps in prop::collection::vec((0u32..8, any::<bool>()), 1..200)) {
            let mut queue = BucketQueue::new(7);
            queue.restart(3);
            let (mut floor, mut model) = (3, Vec::new());
            for (rise, pop) in steps {
                if pop {
                    model.sort_unstable();
                    let expected = (!model.is_empty()).then(|| model.remove(0));
                    let found = queue.pop().map(|(key, _)| key);
                    prop_assert_eq!(found, expected);
                    floor = found.unwrap_or(floor);
                } else {
                    queue.push(floor + rise, ());
                    model.push(floor + rise);
                }
                prop_assert_eq!(queue.len(), model.len());
            }
        }
    }

    #[test]
    fn equals_come_out_last_in_first_out() {
        let mut queue = BucketQueue::new(2);
        queue.push(1, 'a');
        queue.push(1, 'b');
        queue.push(0, 'c');
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some((0, 'c')), Some((1, 'b')), Some((1, 'a'))]);
        assert_eq!(queue.pop(), None);
    }
}
