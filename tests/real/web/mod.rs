//! Journeys through a web server.

mod content;
mod keep;
mod login;
mod print;
mod secure;
mod servers;
mod walk;
