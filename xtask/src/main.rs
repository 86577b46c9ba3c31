//! Checks of this repository.
fn main() {}
