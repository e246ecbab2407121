//! Journeys through a news server.

mod alone;
mod beside;
mod content;
mod print;
mod read;
mod secure;
mod servers;
mod walk;
