//! Every test that needs neither a terminal nor a server that others wrote.

mod format;
mod shell;
mod url;
