//! Journeys through gopher servers.

mod content;
mod plus;
mod print;
mod secure;
mod servers;
mod walk;
