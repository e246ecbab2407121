//! The URL model, row by row from the specifications' examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod base;
mod complete;
mod differential;
mod equal;
mod escape;
mod find;
mod gopher;
mod relativize;
mod requests;
mod resolve;
mod schemes;
mod split;
