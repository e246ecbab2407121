//! Every test that needs neither a terminal nor a server that others wrote.
mod config;
mod keys;
mod theme;
mod url;
mod view;
