//! The counter counts this thread's allocations, and those of all.

use std::hint::black_box;
use throng_testkit::{CountingAllocator, all_allocations, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn each_thread_counts_its_own() {
    let (mine, all) = (allocations(), all_allocations());
    let list: Vec<u64> = black_box(Vec::with_capacity(3));
    assert_eq!(allocations() - mine, 1);
    drop(list);
    assert_eq!(allocations() - mine, 1, "giving memory back is not an allocation");

    let theirs = std::thread::spawn(|| {
        let before = allocations();
        (0..10u8).for_each(|n| drop(black_box(Box::new(n))));
        allocations() - before
    });
    assert_eq!(theirs.join().ok(), Some(10));
    assert!(all_allocations() - all >= 11);

    let before = allocations();
    let sum: u64 = black_box((0..100u64).sum());
    assert_eq!((sum, allocations() - before), (4950, 0));
}
