//! Wayfarer.
pub mod role;
pub mod shell;
pub mod url;
