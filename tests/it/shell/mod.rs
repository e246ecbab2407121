//! What touches the machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod command_line;
mod dump;
mod packaged;
mod readme;
mod recording;
mod save;
#[path = "../../pty/server.rs"]
#[expect(dead_code, reason = "each binary uses its share of it")]
mod server;
mod url_check;
mod url_check_manners;
mod url_check_pages;
mod url_cmd;
mod url_explain;
mod url_schema;
mod url_tools;
mod web;
