//! What bodies cover, when they would meet, and which speeds avoid that. Sums, products and square roots only, so that
//! every platform decides alike.

mod cone;
mod contact;
mod solid;

pub(crate) use cone::unsafe_speeds;
pub(crate) use contact::{Meeting, meeting, overlap, sweeps, touches, touches_wall};
pub(crate) use solid::Solid;
