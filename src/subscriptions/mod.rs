//! Subscriptions: what a page offers that may be new one day (`source`), and what of it is new since it was looked at last
//! (`difference`). Feeds, gopher menus, gemtext, directories, newsgroups and any other page are sources, each by a way of its own.
//!
//! Which there are is the reader's own file, of the form of bookmarks ([`crate::bookmarks::For::News`]): they may write into it by hand, it
//! has comments, and no damage of what is only remembered takes it along. What was found, and what is known of each source, is in the
//! store of pages, which all running copies share. Refuses: I/O, the clock, and items that would lead anywhere but into the network.

mod difference;
mod source;

pub use difference::{Difference, Memory, difference, first};
pub use source::{Item, Kind, Offered, offered, space};

use crate::url::Url;
use crate::url::scheme;

/// Sources that are looked at; the first of the file.
pub const MOST: usize = 1_000;

/// Why an address is none to subscribe to; `None` where it is one.
pub fn refusal(url: &Url) -> Option<&'static str> {
    if !scheme::is_of_network(url) || scheme::is_handed_over(url) {
        return Some("only what is of the network is subscribed to: the web, gopher, FTP, news, Gemini and the like");
    }
    if url.password().is_some() {
        return Some("its address holds a password: it is not subscribed to");
    }
    None
}
