//! How much has been spent.

use throng_core::Budget;

/// How often a clock is asked, in expansions.
const ASK: u64 = 1 << 10;

/// Counts expansions against a budget, to the last one.
pub(super) struct Meter<'a> {
    budget: &'a dyn Budget,
    spent: u64,
    /// Where to pause.
    until: u64,
    over: bool,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a dyn Budget) -> Self {
        Self { budget, spent: 0, until: u64::MAX, over: budget.should_stop(0) || budget.limit() == 0 }
    }

    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) const fn budget(&self) -> &'a dyn Budget {
        self.budget
    }

    /// One more expansion; whether there was one left.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        if self.over {
            return false;
        }
        self.spent += 1;
        if self.spent.is_multiple_of(ASK) || self.spent >= self.budget.limit() {
            self.over = self.spent >= self.budget.limit() || self.budget.should_stop(self.spent);
        }
        true
    }

    /// Expansions that are left, if they are limited.
    pub(super) fn left(&self) -> u64 {
        self.budget.limit().saturating_sub(self.spent)
    }

    /// Others have spent this much.
    pub(super) fn add(&mut self, spent: u64) {
        self.spent += spent;
        self.over |= self.spent >= self.budget.limit() || self.budget.should_stop(self.spent);
    }

    /// What is left is too little for what comes next.
    pub(super) const fn end(&mut self) {
        self.over = true;
    }

    /// Whether nothing is left.
    pub(super) const fn is_over(&self) -> bool {
        self.over
    }

    /// Lets [`Self::pauses`] say so when this much more has been spent.
    pub(super) const fn pause_after(&mut self, more: u64) {
        self.until = self.spent.saturating_add(more);
    }

    /// Whether it is time to do something else.
    pub(super) const fn pauses(&self) -> bool {
        self.spent >= self.until
    }
}
