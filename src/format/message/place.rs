//! Where the names of articles and groups lead that stand in an article: to the server that it came from, else to the reader's own
//! (NEWS-07, PART-10). What is written as a whole URL means what it says, and is left as it is.
//!
//! On a page of `news://HOST/…` such a name is a relative reference, as RFC 1738's forebears have it, and the page's base tells
//! which server is meant; where that is no such URL (`nntp:`, a base in the heading) the whole URL is written.

use super::head::Head;
use crate::url::Url;
use crate::url::scheme::{self, Family, news};

/// What names in an article are relative to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::format) struct Place {
    /// A URL of news that names a server.
    server: Option<Url>,
    /// That is the page's base, too.
    base: bool,
}

impl Place {
    /// The place of a message that came from a URL, and whose own heading is this.
    pub(super) fn of(url: &Url, head: &Head) -> Place {
        let family = scheme::family(url);
        let named = url.authority().is_some_and(|authority| !authority.is_empty());
        let server = (family.is_news() && named).then(|| url.clone());
        let own = head.get("content-base").or(head.get("content-location")).is_some();
        Place { server, base: family == Family::News && !own }
    }

    /// The reference to an article; `None` for what is no id.
    pub(super) fn article(&self, id: &[u8]) -> Option<String> {
        news::article_url(id).ok().map(|url| self.of_url(url.as_str()))
    }

    /// The reference to a group; `None` for what is no name.
    pub(super) fn group(&self, name: &[u8]) -> Option<String> {
        news::group_url(name).ok().map(|url| self.of_url(url.as_str()))
    }

    /// The reference for a URL of news that names no server.
    pub(in crate::format) fn of_url(&self, url: &str) -> String {
        let Some((server, name)) = self.server.as_ref().zip(url.strip_prefix("news:")) else { return url.into() };
        match self.base {
            // "a:b" would be of a scheme.
            true if name.contains(':') => format!("./{name}"),
            true => name.into(),
            false => news::at_server_of(server, name).map_or_else(|| url.into(), |url| url.to_string()),
        }
    }
}
