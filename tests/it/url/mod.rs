//! The URL model, row by row from the specifications' examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod complete;
mod find;
mod gopher;
mod requests;
mod schemes;
mod base;
mod differential;
mod equal;
mod escape;
mod relativize;
mod resolve;
mod split;
