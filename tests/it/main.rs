//! Every test that needs neither a terminal nor a server that others wrote.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod app;
mod bookmarks;
mod budget;
mod config;
mod doc;
mod format;
mod keys;
mod layers;
mod news;
mod proto;
mod shell;
mod theme;
mod tour;
mod url;
mod view;
mod visits;
