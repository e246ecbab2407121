//! Journeys through a web server.

mod content;
mod forms;
mod keep;
mod login;
mod print;
mod secure;
pub mod servers;
mod walk;
