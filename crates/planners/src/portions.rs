//! Searches over the whole map, in portions: between two portions the budget is asked.

/// How many cells the searches of a portion look at together, about.
const CELLS: usize = 1 << 21;

/// How many searches over a map of so many cells make a portion: enough for all threads, and few enough that they take some
/// tens of milliseconds.
pub(crate) fn portion(cells: usize) -> usize {
    (CELLS / cells.max(1)).clamp(8, 64)
}
