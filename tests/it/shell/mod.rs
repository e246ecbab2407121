//! What touches the machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod url_cmd;
