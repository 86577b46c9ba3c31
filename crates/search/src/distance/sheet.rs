//! Small numbers by node, kept for a part of the world that grows as it is needed.

/// Nodes of a tile: 8 in a row, 4 rows. At two bytes each a tile is one cache line.
const ACROSS_BITS: u32 = 3;
const DOWN_BITS: u32 = 2;
const TILE: usize = 1 << (ACROSS_BITS + DOWN_BITS);

/// A world up to this size is kept whole and in the order of its nodes: a box would cost more than it saves.
const WHOLE: usize = 1 << 12;

static ZEROS: [u16; 512] = [0; 512];

/// The largest number that two bytes hold.
pub(crate) const NARROW: u32 = u16::MAX as u32;

/// One number per node, 0 at first. Searches stay within a part of the world, so only a box around it is kept:
/// dense, since a search between two places sees most of what lies between them. Within the box neighbours lie
/// in one tile, so a way through it touches few cache lines whatever its direction.
///
/// Two bytes are enough for nearly every world; [`Sheet::widen`] helps the others.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    nodes: u32,
    stride: u32,
    /// ⌈2⁶⁴ / stride⌉: turns a division into a multiplication.
    reciprocal: u64,
    /// The box, in tiles; nothing across means that the world is kept whole.
    bounds: Bounds,
    narrow: Vec<u16>,
    /// Used instead of `narrow` if not empty.
    wide: Vec<u32>,
    /// Entries before the first: they put tiles on cache lines.
    skip: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bounds {
    left: u32,
    top: u32,
    across: u32,
    down: u32,
}

impl Bounds {
    /// The smallest box around this one and a tile.
    fn with(self, (x, y): (u32, u32)) -> Self {
        if self.across == 0 {
            return Self { left: x, top: y, across: 1, down: 1 };
        }
        let (left, top) = (self.left.min(x), self.top.min(y));
        let right = (self.left + self.across).max(x + 1);
        let bottom = (self.top + self.down).max(y + 1);
        Self { left, top, across: right - left, down: bottom - top }
    }

    /// A box that is larger by `more` on every side, as far as there is a world.
    fn wider(self, (x, y): (u32, u32), world: (u32, u32)) -> Self {
        let (left, top) = (self.left.saturating_sub(x), self.top.saturating_sub(y));
        let right = (self.left + self.across + x).min(world.0);
        let bottom = (self.top + self.down + y).min(world.1);
        Self { left, top, across: right - left, down: bottom - top }
    }
}

impl Sheet {
    /// For a world of so many nodes; `stride` apart are those of neighbouring rows. It holds nothing yet.
    pub(crate) fn new(nodes: usize, stride: u32) -> Self {
        Self {
            nodes: nodes as u32,
            stride,
            reciprocal: u64::MAX / u64::from(stride) + 1,
            bounds: Bounds::default(),
            narrow: Vec::new(),
            wide: Vec::new(),
            skip: 0,
        }
    }

    /// Whether the world is small and kept whole.
    #[inline]
    pub(crate) const fn is_whole(&self) -> bool {
        self.nodes as usize <= WHOLE
    }

    /// Forgets everything and makes room for what lies between these nodes.
    pub(crate) fn begin(&mut self, nodes: [u32; 2]) {
        self.narrow.clear();
        self.wide.clear();
        if self.is_whole() {
            // In pieces: the usual way to fill so little memory takes longer to set up than this takes in all.
            self.narrow.reserve_exact(self.nodes as usize);
            while self.narrow.len() < self.nodes as usize {
                let piece = (self.nodes as usize - self.narrow.len()).min(ZEROS.len());
                self.narrow.extend_from_slice(&ZEROS[..piece]);
            }
            return;
        }
        self.bounds = Bounds::default();
        let [a, b] = nodes.map(|node| self.tile(node));
        self.lay(Bounds::default().with(a).with(b).wider((1, 2), self.world()));
    }

    /// Bytes in use, wherever they lie.
    pub(crate) const fn bytes(&self) -> usize {
        let tiles = self.bounds.across as usize * self.bounds.down as usize;
        let entries = if self.is_whole() { self.nodes as usize } else { tiles * TILE };
        entries * if self.wide.is_empty() { 2 } else { 4 }
    }

    /// What is known of `node`. Always inlined: searches in space and time ask this more than anything else.
    #[inline(always)]
    pub(crate) fn of(&self, node: u32) -> u32 {
        let slot = if self.is_whole() { Some(node as usize) } else { self.find(node) };
        slot.map_or(0, |slot| self.get(slot))
    }

    /// The place of `node`, made if there is none.
    #[inline]
    pub(crate) fn slot<const WHOLE: bool>(&mut self, node: u32) -> usize {
        if WHOLE {
            return node as usize;
        }
        match self.find(node) {
            Some(slot) => slot,
            None => self.grow(node),
        }
    }

    /// What is at a place.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> u32 {
        // `narrow` is empty once `wide` is used, so that looking into it tells which one holds.
        match self.narrow.get(slot) {
            Some(&value) => u32::from(value),
            None => self.wide[slot],
        }
    }

    /// Sets what is at a place: at most [`NARROW`] unless [`Self::widen`] was called since the beginning.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, value: u32) {
        if self.wide.is_empty() {
            debug_assert!(value <= NARROW);
            self.narrow[slot] = value as u16;
        } else {
            self.wide[slot] = value;
        }
    }

    /// Whether [`Self::widen`] was called since the beginning.
    #[inline]
    pub(crate) const fn is_wide(&self) -> bool {
        !self.wide.is_empty()
    }

    /// What is at a place if nothing is wide.
    #[inline]
    pub(crate) fn narrow(&mut self, slot: usize) -> &mut u16 {
        &mut self.narrow[slot]
    }

    /// What is known of an even node and of the one after it.
    #[inline]
    pub(crate) fn pair(&self, node: u32) -> (u32, u32) {
        let slot = if self.is_whole() { Some(node as usize) } else { self.find(node) };
        slot.map_or((0, 0), |slot| (self.get(slot), self.get(slot + 1)))
    }

    /// Calls `visit` for every node with a number other than 0, in an order that follows from which ones these are.
    pub(crate) fn each(&self, mut visit: impl FnMut(u32, u32)) {
        if self.is_whole() {
            return (0..self.nodes).for_each(|node| match self.of(node) {
                0 => {}
                value => visit(node, value),
            });
        }
        let Bounds { left, top, across, down } = self.bounds;
        for row in top << DOWN_BITS..(top + down) << DOWN_BITS {
            let from = left << ACROSS_BITS;
            let to = self.stride.min((left + across) << ACROSS_BITS);
            for node in (from..to).map(|x| row * self.stride + x).take_while(|&node| node < self.nodes) {
                match self.of(node) {
                    0 => {}
                    value => visit(node, value),
                }
            }
        }
    }

    /// Makes room for numbers of four bytes.
    #[cold]
    #[inline(never)]
    pub(crate) fn widen(&mut self) {
        if self.wide.is_empty() {
            self.wide = self.narrow.iter().map(|&value| u32::from(value)).collect();
            self.narrow.clear();
        }
    }

    #[inline]
    fn place(&self, node: u32) -> (u32, u32) {
        let row = ((u128::from(node) * u128::from(self.reciprocal)) >> 64) as u32;
        (node - row * self.stride, row)
    }

    fn tile(&self, node: u32) -> (u32, u32) {
        let (x, y) = self.place(node);
        (x >> ACROSS_BITS, y >> DOWN_BITS)
    }

    fn world(&self) -> (u32, u32) {
        let rows = self.nodes.div_ceil(self.stride);
        (self.stride.div_ceil(1 << ACROSS_BITS), rows.div_ceil(1 << DOWN_BITS))
    }

    #[inline]
    fn find(&self, node: u32) -> Option<usize> {
        let (x, y) = self.place(node);
        let across = (x >> ACROSS_BITS).wrapping_sub(self.bounds.left);
        let down = (y >> DOWN_BITS).wrapping_sub(self.bounds.top);
        let inside = (y & ((1 << DOWN_BITS) - 1)) << ACROSS_BITS | x & ((1 << ACROSS_BITS) - 1);
        (across < self.bounds.across && down < self.bounds.down)
            .then(|| self.skip + (down * self.bounds.across + across) as usize * TILE + inside as usize)
    }

    /// Makes the box larger. It grows by half of its size, so that this is seldom.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, node: u32) -> usize {
        let around = self.bounds.with(self.tile(node));
        let (old, skip) = (self.bounds, self.skip);
        let (x, y) = (around.across - old.across, around.down - old.down);
        let more = (if x > 0 { x + old.across / 4 } else { 0 }, if y > 0 { y + old.down / 4 } else { 0 });
        let (narrow, wide) = (core::mem::take(&mut self.narrow), core::mem::take(&mut self.wide));
        self.lay(around.wider(more, self.world()));
        if !wide.is_empty() {
            self.widen();
        }
        let new = self.bounds;
        let length = old.across as usize * TILE;
        for down in 0..old.down {
            let from = skip + down as usize * length;
            let row = (down + old.top - new.top) * new.across + old.left - new.left;
            let to = self.skip + row as usize * TILE;
            if wide.is_empty() {
                self.narrow[to..to + length].copy_from_slice(&narrow[from..from + length]);
            } else {
                self.wide[to..to + length].copy_from_slice(&wide[from..from + length]);
            }
        }
        self.find(node).unwrap_or_default()
    }

    /// Takes empty memory for a box.
    fn lay(&mut self, bounds: Bounds) {
        const LINE: usize = 64;
        let entries = (bounds.across * bounds.down) as usize * TILE;
        self.bounds = bounds;
        self.narrow.clear();
        self.narrow.reserve_exact(entries + LINE / 2);
        // Where memory cannot be aligned this costs time and nothing else.
        self.skip = self.narrow.as_ptr().align_offset(LINE).min(LINE / 2);
        self.narrow.resize(self.skip + entries, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// It is an array, whatever is asked in whatever order, and whenever it is widened.
        #[test]
        fn it_keeps_what_it_is_given(
            stride in 2u32..200,
            rows in 1u32..90,
            ends in any::<[u32; 2]>(),
            steps in prop::collection::vec((any::<u32>(), 1u32..1000, any::<bool>()), 0..60),
            widened in 0usize..90,
        ) {
            let nodes = stride * rows;
            let mut sheet = Sheet::new(nodes as usize, stride);
            let mut model = vec![0; nodes as usize];
            sheet.begin(ends.map(|end| end % nodes));
            for (k, (node, value, ask)) in steps.into_iter().enumerate() {
                if k == widened {
                    sheet.widen();
                }
                let node = node % nodes;
                if !ask {
                    let value = if k > widened { value << 10 } else { value };
                    let slot = if sheet.is_whole() { sheet.slot::<true>(node) } else { sheet.slot::<false>(node) };
                    sheet.set(slot, value);
                    model[node as usize] = value;
                }
                prop_assert_eq!(sheet.of(node), model[node as usize]);
            }
            prop_assert!((0..nodes).all(|node| sheet.of(node) == model[node as usize]));
            let mut each = Vec::new();
            sheet.each(|node, value| each.push((node, value)));
            let expected: Vec<_> = (0..nodes).zip(model).filter(|&(_, value)| value != 0).collect();
            prop_assert_eq!(each, expected);
            sheet.begin(ends.map(|end| end % nodes));
            prop_assert!((0..nodes).all(|node| sheet.of(node) == 0));
        }
    }
}
