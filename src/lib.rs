//! Wayfarer.
pub mod role;
pub mod url;
