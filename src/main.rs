//! Wayfarer.
fn main() {}
