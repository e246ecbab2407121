//! News as such: overview lines, threads, read articles. Knows no server, no page and no screen.
//!
//! Everything here is a plain function of what it is given, whatever the order it comes in: `overview` cuts the lines that
//! a server sends of a group (RFC 3977, 8.3), `thread` keeps what articles say of the ones they answer and `threading` puts them
//! under these, `series` tells which articles are parts of one file, `articles` and `newsrc` hold what the reader has read, `journal` what of it other programs have not seen; `compose`, `forward` and `withdraw` write drafts,
//! `draft` and `doubt` look them over, `id` names and `outgoing` makes articles of them, `mailbox` says to whom mails go; `score` has
//! the reader's rules of which articles come first, and which not at all.
//! Refuses: I/O, the clock, charsets (texts come decoded, ids are octets).

mod articles;
mod compose;
mod doubt;
mod draft;
mod forward;
mod grove;
mod id;
mod ids;
mod journal;
mod mailbox;
mod newsrc;
mod outgoing;
mod overview;
pub mod score;
mod series;
mod subject;
mod thread;
mod threading;
mod tree;
mod withdraw;

pub use articles::ArticleSet;
pub use compose::{Manner, Original, Quoted, new_article, new_mail};
pub use draft::Draft;
pub use id::{is_public, message_id};
pub use journal::Journal;
pub use mailbox::Mailbox;
pub use newsrc::{Flaw, Newsrc, Subscription};
pub use overview::{Overview, references};
pub use series::{MOST_PARTS, Series};
pub use subject::{Subject, subject, topic};
pub use thread::{Article, Threads};
pub use tree::{Forest, ThreadRow};
