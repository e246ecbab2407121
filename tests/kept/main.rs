//! What is kept of the reader outlives whatever happens to the program and to its files: kills at any moment, damages of any kind.
//!
//! A few of each are tried as a rule; `WAYFARER_KILLS=200` and `WAYFARER_DAMAGES=200` try more, with other seeds by
//! `WAYFARER_SEED`. `cargo test --test kept -- --nocapture` prints what came of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod damage;
mod damages;
#[path = "../pty/door.rs"]
mod door;
#[path = "../fault/fault.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod fault;
mod home;
#[path = "../fault/host.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod host;
mod kills;
#[path = "../fault/line.rs"]
mod line;
mod marks;
mod news;
mod pages;
#[path = "../fault/pem.rs"]
mod pem;
#[path = "../pty/server.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod server;
#[path = "../fault/space.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod space;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;
