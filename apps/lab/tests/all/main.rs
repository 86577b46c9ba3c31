//! The lab as a whole: runs that are killed, resumed, shared and mixed up.

mod kit;
mod resume;
mod shape;
