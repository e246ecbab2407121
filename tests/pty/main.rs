//! Journeys with the real program in a pseudo-terminal, through a small gopher server on the loopback.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod archive;
mod budget;
mod colours;
mod disk;
mod door;
mod files;
mod forms;
mod ftp;
mod graphics;
mod groups;
mod hostile;
mod hour;
mod kept;
mod loading;
#[path = "../it/sim/messages.rs"]
mod messages;
mod offline;
mod offline_web;
mod panes;
mod pictures;
mod reading;
mod recording;
mod remote;
mod restored;
mod sandbox;
mod server;
mod sessions;
mod settings;
mod spaces;
mod speech;
mod spool;
mod subscriptions;
mod terminal;
mod tour;
mod trail;
mod unsent;
mod web;
mod writing;
