//! A budget that several share.

use throng_core::Budget;

/// What is left of a budget for whoever comes after others.
pub(crate) struct Rest<'a> {
    pub whole: &'a dyn Budget,
    /// Expansions of the others.
    pub before: u64,
}

impl Budget for Rest<'_> {
    fn should_stop(&self, spent: u64) -> bool {
        self.whole.should_stop(self.before.saturating_add(spent))
    }

    fn limit(&self) -> u64 {
        match self.whole.limit() {
            u64::MAX => u64::MAX,
            limit => limit.saturating_sub(self.before),
        }
    }

    fn is_tight(&self) -> bool {
        self.whole.is_tight()
    }
}
