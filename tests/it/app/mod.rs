//! Journeys: keys in, effects out, events in, state out. No socket, no screen, no clock.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arranging;
mod asking;
mod composing;
mod downloads;
mod forms;
mod going;
mod journey;
mod looking;
mod messages;
mod moving;
mod news;
mod piping;
mod pointing;
mod redirects;
mod safety;
mod searching;
mod tables;
mod trees;
mod web_forms;
mod wild;
