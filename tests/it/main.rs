//! Every test that needs neither a terminal nor a server that others wrote.

mod app;
mod config;
mod doc;
mod format;
mod keys;
mod layers;
mod proto;
mod shell;
mod theme;
mod url;
mod view;
