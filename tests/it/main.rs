//! Every test that needs neither a terminal nor a server that others wrote.
mod app;
mod config;
mod format;
mod keys;
mod shell;
mod theme;
mod url;
mod view;
