//! News as such: overview lines, threads, read articles, dates. Knows no server, no page and no screen.
//!
//! Everything here is a plain function of what it is given, whatever the order it comes in: `overview` cuts the lines that
//! a server sends of a group (RFC 3977, 8.3), `thread` puts articles under the ones they answer, `articles` and `newsrc` hold
//! what the reader has read, `date` reads the dates of articles and says them in the reader's words.
//! Refuses: I/O, the clock, charsets (texts come decoded, ids are octets).

mod articles;
mod date;
mod ids;
mod newsrc;
mod overview;
mod subject;
mod thread;
mod tree;

pub use articles::ArticleSet;
pub use date::{said, timestamp};
pub use newsrc::{Flaw, Newsrc, Subscription};
pub use overview::{Overview, references};
pub use subject::{Subject, subject};
pub use thread::{Article, Threads};
pub use tree::{Forest, Row};
