//! Every fault of a server or of the way to it, in every space, as the reader meets it: in the real program, in a pseudo-terminal.
//!
//! `cargo test --test fault -- --nocapture` prints what was said, what was kept, how long it took and how long a key waited.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../pty/door.rs"]
mod door;
mod fault;
mod host;
mod line;
mod matrix;
mod pem;
mod reader;
mod space;
mod stops;
mod table;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;
