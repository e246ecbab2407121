//! The URL model, row by row from the specifications' examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod gopher;
mod requests;
mod schemes;
