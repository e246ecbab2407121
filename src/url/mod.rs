//! Locators: split, join, escape, resolve, the stack of bases, equivalence, finding in text, completing what was typed.
//!
//! The generic layer follows RFC 3986 (and, for comparison, the RFC 2396 drafts); `scheme/*` holds one file per scheme.
//! Text is kept exactly as written: undefined and empty components differ, and joining the split parts gives the text back.
//! Refuses: I/O, other rooms, rewriting what the reader or a document wrote.

mod base;
mod comparison;
mod error;
mod fault;
mod locator;
mod resolve;
mod secret;
mod split;

pub mod complete;
pub mod component;
pub mod dissect;
pub mod equal;
pub mod escape;
pub mod find;
pub mod relativize;
pub mod scheme;
pub mod warning;
pub mod whatwg;

pub use base::{BaseStack, EntityBase, Layer, Siblings};
pub use comparison::{CommonBase, Comparison, Made};
pub use error::UrlError;
pub use fault::{Fault, locate};
pub use locator::{Reference, Url};
pub use resolve::{Resolved, Rules, Step, explain, redirect, resolve};
pub use secret::{may_be_user, redact, redact_typed, says_password};
pub use split::{Parts, split};
