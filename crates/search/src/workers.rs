//! Parallel work that gives the same result with any number of threads.

#[cfg(feature = "parallel")]
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs independent jobs on a fixed number of threads. Each worker gets an equal share of the jobs,
/// whatever the load, and every job owns its data; so nothing depends on who was faster.
#[derive(Debug)]
pub struct Workers {
    #[cfg(feature = "parallel")]
    pool: Option<rayon::ThreadPool>,
    done: Vec<AtomicU64>,
}

impl Default for Workers {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Workers {
    /// `threads` workers; one (or none) means the calling thread does the work.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        #[cfg(feature = "parallel")]
        {
            // Where the system refuses threads, the calling one does all: slower, not different.
            let pool = (threads > 1)
                .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
                .flatten();
            let count = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
            Self { pool, done: (0..count).map(|_| AtomicU64::new(0)).collect() }
        }
        #[cfg(not(feature = "parallel"))]
        {
            let _ = threads;
            Self { done: vec![AtomicU64::new(0)] }
        }
    }

    /// How many workers there are.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.done.len()
    }

    /// How many jobs each worker has done.
    #[must_use]
    pub fn done(&self) -> Vec<u64> {
        self.done.iter().map(|n| n.load(Ordering::Relaxed)).collect()
    }

    /// Calls `job` once for every item.
    pub fn for_each<T: Send>(&self, items: &mut [T], job: impl Fn(&mut T) + Sync) {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.pool
            && items.len() > 1
        {
            let share = items.len().div_ceil(self.done.len());
            let shares: Vec<_> = items.chunks_mut(share).map(Mutex::new).collect();
            pool.broadcast(|worker| {
                let Some(mine) = shares.get(worker.index()) else { return };
                // Nobody else ever locks this share, so the lock is free and cannot be poisoned.
                if let Ok(mut mine) = mine.lock() {
                    self.done[worker.index()].fetch_add(mine.len() as u64, Ordering::Relaxed);
                    mine.iter_mut().for_each(&job);
                }
            });
            return;
        }
        self.done[0].fetch_add(items.len() as u64, Ordering::Relaxed);
        items.iter_mut().for_each(job);
    }
}
