//! Every test that needs neither a terminal nor a server that others wrote.

mod doc;
mod format;
mod layers;
mod proto;
mod shell;
mod url;
