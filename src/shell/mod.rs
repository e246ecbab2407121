//! Everything that touches the machine.

pub mod url_cmd;
