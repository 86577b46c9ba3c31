//! Flocks as bytes.

use super::Flocks;
use super::members::{Company, Traveller};
use crate::ahead::{Mind, SavedFields};
use throng_core::{SnapshotError, Tick, View};

type Saved = (Vec<Mind>, SavedFields, Vec<Company>, Vec<Option<(u32, Tick)>>);

impl Flocks {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let saved = (&self.ahead.minds, self.ahead.save(), &self.companies, &self.grants);
        postcard::to_allocvec(&saved).unwrap_or_default()
    }

    pub(super) fn take_up(&mut self, view: &View<'_>, bytes: &[u8]) -> Result<(), SnapshotError> {
        let (minds, fields, companies, grants): Saved =
            postcard::from_bytes(bytes).map_err(|e| SnapshotError::Unreadable(e.to_string()))?;
        let fits = |company: &Company| company.members.iter().all(|member| fits(view, company, member));
        if !companies.iter().all(fits) || grants.len() > view.state.units.len() {
            return Err(SnapshotError::Mismatch("flocks on other roads".to_owned()));
        }
        self.ahead.load(view, minds, fields)?;
        (self.companies, self.grants) = (companies, grants);
        Ok(())
    }
}

/// Whether what a member has agreed on can be travelled in this world.
fn fits(view: &View<'_>, company: &Company, member: &Traveller) -> bool {
    if member.agent.index() >= view.state.units.len() {
        return false;
    }
    // Whoever has been forgotten has no course.
    if member.course.is_empty() {
        return member.place == 0;
    }
    let on_map = |cells: &[u32]| cells.iter().all(|&cell| (cell as usize) < view.grid().len());
    let (place, meet) = (member.place as usize, member.meet as usize);
    on_map(&company.road)
        && on_map(&member.course)
        && place < member.course.len()
        && meet < member.course.len()
        && company.carries(member)
        && member.can_go(view)
        && member.depart < Tick::MAX / 2
        && member.since.is_none_or(|since| since < Tick::MAX / 2)
}
