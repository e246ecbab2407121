//! Wayfarer.
pub mod config;
pub mod doc;
pub mod format;
pub mod proto;
pub mod role;
pub mod shell;
pub mod url;
