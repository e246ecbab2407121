//! Journeys through gopher servers that nobody here wrote, with the real program in a pseudo-terminal.

mod content;
mod servers;
#[path = "../pty/terminal.rs"]
#[expect(dead_code, reason = "each binary uses its share of the harness")]
mod terminal;

use servers::{Server, gophernicus, packages, pygopherd};
use terminal::Terminal;
