//! Journeys through a news server.

mod content;
mod print;
mod secure;
mod servers;
mod walk;
