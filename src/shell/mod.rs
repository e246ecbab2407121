//! The outside of the browser: command line, event loop, tasks, terminal, disk, clock, clipboard, child programs.
//!
//! Refuses: decisions about pages; it carries out what `app` asks for and reports what happens.

mod browse;
mod cli;
mod colour;
mod compose;
mod dump;
mod fetch;
mod frames;
mod keyboard;
mod manual;
mod memory;
mod newsrc;
mod partial;
mod pipe;
mod place;
mod save;
mod stdin;
mod terminal;
pub mod url_cmd;

pub use cli::main;
