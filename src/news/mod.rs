//! News as such: overview lines, threads, read articles. Knows no server, no page and no screen.
//!
//! Everything here is a plain function of what it is given, whatever the order it comes in: `overview` cuts the lines that
//! a server sends of a group (RFC 3977, 8.3), `thread` keeps what articles say of the ones they answer and `threading` puts them
//! under these, `articles` and `newsrc` hold what the reader has read; `compose` writes drafts, `draft` looks them over, `outgoing`
//! makes articles of them.
//! Refuses: I/O, the clock, charsets (texts come decoded, ids are octets).

mod articles;
mod compose;
mod draft;
mod ids;
mod newsrc;
mod outgoing;
mod overview;
mod subject;
mod thread;
mod threading;
mod tree;

pub use articles::ArticleSet;
pub use compose::{Manner, Original, Quoted, new_article, new_mail};
pub use draft::Draft;
pub use newsrc::{Flaw, Newsrc, Subscription};
pub use overview::{Overview, references};
pub use subject::{Subject, subject};
pub use thread::{Article, Threads};
pub use tree::{Forest, ThreadRow};
