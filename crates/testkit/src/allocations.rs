//! Counts allocations, so that tests can say "nothing was allocated here".
#![allow(unsafe_code, reason = "implementing GlobalAlloc is unsafe; every call is passed on unchanged")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

thread_local! {
    // Constant and without a destructor, so that counting never allocates itself.
    static HERE: Cell<u64> = const { Cell::new(0) };
}
static EVERYWHERE: AtomicU64 = AtomicU64::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with a counter in front.
///
/// ```
/// use throng_testkit::{CountingAllocator, allocations, held_bytes};
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
///
/// let before = allocations();
/// let boxed = Box::new(std::hint::black_box(1));
/// assert_eq!(allocations() - before, 1);
/// assert!(held_bytes() >= 4);
/// drop(boxed);
/// assert_eq!(allocations() - before, 1);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// How often this thread has allocated or grown memory. Stays 0 unless [`CountingAllocator`] is the
/// global allocator.
#[must_use]
pub fn allocations() -> u64 {
    HERE.try_with(Cell::get).unwrap_or(0)
}

/// How often all threads together have allocated or grown memory.
#[must_use]
pub fn all_allocations() -> u64 {
    EVERYWHERE.load(Ordering::Relaxed)
}

/// How many bytes are allocated now.
#[must_use]
pub fn held_bytes() -> usize {
    HELD.load(Ordering::Relaxed)
}

fn count(more: usize) {
    HELD.fetch_add(more, Ordering::Relaxed);
    // A thread that is ending has no counter any more; the common one still counts.
    let _ = HERE.try_with(|here| here.set(here.get() + 1));
    EVERYWHERE.fetch_add(1, Ordering::Relaxed);
}

// SAFETY: every call goes to `System` with the caller's own arguments; counting touches no memory that
// is being managed.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `realloc`; `memory` came from `System`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`; `memory` came from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}
