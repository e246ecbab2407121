//! Every test that needs neither a terminal nor a server that others wrote.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod app;
mod archive;
mod bookmarks;
mod budget;
mod config;
mod date;
mod doc;
#[path = "../pty/door.rs"]
mod door;
mod format;
mod keys;
mod layers;
mod news;
mod picture;
mod proto;
mod random;
mod rules;
mod schemes;
mod shell;
mod sim;
mod source;
mod store;
mod subscriptions;
mod suite;
mod sums;
mod table;
mod theme;
mod tour;
mod unpack;
mod url;
mod view;
mod visits;
mod work;
