//! Journeys: keys in, effects out, events in, state out. No socket, no screen, no clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses;
mod arranging;
mod asking;
mod bookmarks;
mod composing;
mod content;
mod cookies;
mod downloads;
mod folded;
mod forms;
mod going;
mod history;
pub mod journey;
mod kept_downloads;
mod looking;
mod messages;
mod moving;
mod narrowing;
mod news;
mod news_folds;
mod owners;
mod pauses;
mod piping;
mod pointing;
mod redirects;
mod safety;
mod searching;
mod sent;
mod session;
mod tables;
mod tabs;
mod tour;
mod trees;
mod web_forms;
mod web_forms_secret;
mod web_forms_sent;
