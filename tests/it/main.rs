//! Every test that needs neither a terminal nor a server that others wrote.

mod app;
mod format;
mod shell;
mod url;
