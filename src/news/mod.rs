//! News as such: overview lines, threads, read articles, dates. Knows no server, no page and no screen.
//!
//! Everything here is a plain function of what it is given, whatever the order it comes in: `overview` cuts the lines that
//! a server sends of a group (RFC 3977, 8.3), `thread` puts articles under the ones they answer, `articles` and `newsrc` hold
//! what the reader has read, `date` reads the dates of articles and says them in the reader's words; `compose` writes drafts,
//! `draft` looks them over, `outgoing` makes articles of them.
//! Refuses: I/O, the clock, charsets (texts come decoded, ids are octets).

mod articles;
mod compose;
mod date;
mod draft;
mod ids;
mod newsrc;
mod outgoing;
mod overview;
mod planting;
mod subject;
mod thread;
mod tree;

pub use articles::ArticleSet;
pub use compose::{Manner, Original, Quoted, new_article, new_mail};
pub use date::{said, timestamp};
pub use draft::Draft;
pub use newsrc::{Flaw, Newsrc, Subscription};
pub use overview::{Overview, references};
pub use planting::Planting;
pub use subject::{Subject, subject};
pub use thread::{Article, Threads};
pub use tree::{Forest, Row};
