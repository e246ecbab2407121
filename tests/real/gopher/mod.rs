//! Journeys through gopher servers.

mod content;
mod plus;
mod print;
mod secure;
pub mod servers;
mod walk;
