//! The command line of Throng.
fn main() {}
