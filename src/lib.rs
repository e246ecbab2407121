//! Wayfarer.
pub mod app;
pub mod config;
pub mod doc;
pub mod format;
pub mod keys;
pub mod proto;
pub mod role;
pub mod shell;
pub mod table;
pub mod theme;
pub mod url;
pub mod view;
