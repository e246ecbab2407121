//! The URL model, row by row from the specifications' examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod gopher;
mod requests;
mod schemes;
mod base;
mod complete;
mod differential;
mod equal;
mod escape;
mod find;
mod relativize;
mod resolve;
mod split;
