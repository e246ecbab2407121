//! Which charset the reader chose for what: a page, all below a path, a newsgroup, newsgroups of a kind, a host. The nearest choice counts.
//!
//! Choices are kept under names: a URL for a page, one with a star for all that begins so, `news:` with a pattern for groups, a
//! host's bare name. What has no host is under none: a choice for one file does not hold for all of them.

use super::{Desk, Sight};
use crate::app::page::{Scope, address};
use crate::format::charset::{By, Said};
use crate::url::Url;
use crate::url::scheme::{self, Family, news::News, nntp::Nntp};

/// What is kept where a choice was taken back.
pub(in crate::app) const AUTOMATIC: &str = "automatic";

impl Sight<'_> {
    /// What is said of the charset of what a URL gives, of which its server declares this.
    pub(in crate::app) fn said_of(self, url: &Url, declared: Option<&str>) -> Option<Said> {
        let group = self.group_of(url);
        let said = |name: &str, by| Some(Said { name: name.into(), by });
        let host = url.host().unwrap_or_default().to_ascii_lowercase();
        match self.desk.charset_chosen(url, group.as_deref()) {
            Some((AUTOMATIC, _)) => {}
            Some((name, Scope::Page)) => return said(name, By::Asked),
            Some((name, _)) => return said(name, By::Chosen),
            None => {
                if let Some(name) = self.desk.settings.charset.hosts.get(&host) {
                    return said(name, By::Chosen);
                }
            }
        }
        let default = || said(self.desk.settings.charset.default.as_deref()?, By::Default);
        declared.and_then(|name| said(name, By::Declared)).or_else(default)
    }

    /// The newsgroup that a URL names, or that led to its article.
    pub(in crate::app) fn group_of(self, url: &Url) -> Option<String> {
        if !matches!(scheme::family(url), Family::News | Family::Nntp) {
            return None;
        }
        let before = self.tab.history.iter().take(self.tab.at + 1).rev().map(|entry| &entry.url);
        std::iter::once(url).chain(before).find_map(named_group)
    }
}

impl Desk {
    /// The nearest choice for a URL, and for how much it was made.
    pub(in crate::app) fn charset_chosen(&self, url: &Url, group: Option<&str>) -> Option<(&str, Scope)> {
        let chosen = |name: &str| self.charsets.get(name).map(String::as_str);
        let page = url.without_fragment();
        let page = page.as_str();
        if let Some(name) = chosen(page) {
            return Some((name, Scope::Page));
        }
        // From the longest path to the shortest.
        let below = page.match_indices('/').rev().find_map(|(at, _)| chosen(&format!("{}*", &page[..=at])));
        if let Some(name) = below {
            return Some((name, Scope::Path));
        }
        let group = group.unwrap_or_default();
        let kinds = group.match_indices('.').rev().map(|(at, _)| format!("news:{}*", &group[..=at]));
        if let Some(name) = chosen(&format!("news:{group}")) {
            return Some((name, Scope::Group));
        }
        if let Some(name) = kinds.into_iter().find_map(|name| chosen(&name)) {
            return Some((name, Scope::Groups));
        }
        let host = kept_as(url, None, Scope::Host)?;
        chosen(&host).map(|name| (name, Scope::Host))
    }
}

/// The name under which a choice is kept; `None` where there is no such thing.
pub(in crate::app) fn kept_as(url: &Url, group: Option<&str>, scope: Scope) -> Option<String> {
    match scope {
        Scope::Host => Some(address::host(url)).filter(|host| !host.is_empty() && !url.is("file")),
        Scope::Page => Some(url.without_fragment().as_str().into()),
        Scope::Path => {
            let folder = if group.is_none() { address::folder(url) } else { None };
            folder.map(|folder| format!("{folder}*"))
        }
        Scope::Group => group.map(|group| format!("news:{group}")),
        Scope::Groups => {
            let group = group?;
            Some(format!("news:{}*", &group[..=group.rfind('.')?]))
        }
    }
}

/// The group in a URL of news.
fn named_group(url: &Url) -> Option<String> {
    let name = match scheme::family(url) {
        Family::News => match News::of(url).ok()? {
            News::Group(name) | News::Part(name, _) => name,
            News::All | News::Groups(_) | News::Article(_) => return None,
        },
        Family::Nntp => Nntp::of(url).ok()?.group,
        _ => return None,
    };
    String::from_utf8(name).ok()
}
