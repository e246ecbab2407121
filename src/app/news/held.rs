//! The group that the reader is in: its page in history, and where the article in view stands there.

use super::{Name, server_of, shown};
use crate::app::state::Cx;
use crate::app::{Page, Sight};
use crate::doc::LinkId;
use crate::format::{GroupRow, Listed, Roll, media};
use crate::news::Newsrc;
use crate::url::{Url, escape};
use std::sync::Arc;

/// A group whose page is in history.
#[derive(Debug)]
pub(super) struct Held {
    /// The page's place in history.
    pub at: usize,
    /// Its URL.
    pub url: Url,
    /// The server's name.
    pub server: Option<String>,
    /// The group.
    pub group: Vec<u8>,
    /// The number of its last article.
    pub last: u64,
    /// Its articles, in the order in which they are read.
    pub articles: Arc<[Listed]>,
    /// The article in view, or under focus.
    pub here: Option<usize>,
}

impl Held {
    /// Whether an article has not been read.
    pub fn is_unread(&self, newsrc: Option<&Newsrc>, at: usize) -> bool {
        let number = self.articles.get(at).and_then(|article| article.number);
        let read = newsrc.and_then(|newsrc| newsrc.read(&self.group));
        number.is_some_and(|number| !read.is_some_and(|read| read.contains(number)))
    }

    /// Where an article is shown on the page in view: its own line, or that of the head under which it is folded away.
    pub fn in_sight(&self, sight: Sight<'_>, at: usize) -> Option<LinkId> {
        let thread = self.articles.get(self.articles.get(at)?.thread..=at)?;
        thread.iter().rev().find_map(|article| shown(sight, article.link))
    }

    /// Whether its page is the one in view.
    pub fn is_in_view(&self, sight: Sight<'_>) -> bool {
        self.at == sight.tab.at
    }
}

/// The group in view, or the one whose page is the nearest behind: that with the article in view before any other.
pub(super) fn held(cx: &mut Cx<'_>) -> Option<Held> {
    let group = |page: &Page| page.head.media == media::NEWSGROUP;
    if cx.entry()?.page.as_deref().is_some_and(group) {
        let mut held = of(cx.sight(), cx.tab.at)?;
        held.here =
            given_focus(cx.sight(), cx.tab.at).and_then(|link| held.articles.iter().position(|a| a.link == link));
        return Some(held);
    }
    let name = Name::of(&cx.entry()?.url);
    let places: Vec<usize> =
        (0..cx.tab.at).rev().filter(|at| cx.tab.history[*at].page.as_deref().is_some_and(group)).collect();
    let mut nearest = None;
    for at in places {
        let Some(mut held) = of(cx.sight(), at) else { continue };
        held.here = name.as_ref().and_then(|name| find(cx.sight(), &held, name));
        if held.here.is_some() {
            return Some(held);
        }
        nearest = nearest.or(Some(held));
    }
    nearest
}

/// The nearest group behind, or in view, whose page has an article.
pub(super) fn with(cx: &mut Cx<'_>, name: &Name) -> Option<Held> {
    for at in (0..(cx.tab.at + 1).min(cx.tab.history.len())).rev() {
        if let Some(mut held) = of(cx.sight(), at) {
            held.here = find(cx.sight(), &held, name);
            if held.here.is_some() {
                return Some(held);
            }
        }
    }
    None
}

fn of(sight: Sight<'_>, at: usize) -> Option<Held> {
    let entry = sight.tab.history.get(at)?;
    let url = entry.url.clone();
    match entry.page.as_deref()?.roll()? {
        Roll::Articles { group, last, articles } => {
            let server = server_of(sight, &url);
            Some(Held { at, url, server, group, last, articles, here: None })
        }
        Roll::Groups(_) => None,
    }
}

/// The numbers of the articles of the group in view.
pub(super) fn numbers(sight: Sight<'_>) -> Vec<u64> {
    let rows = sight.entry().and_then(|entry| entry.page.as_deref()?.rows.as_ref());
    rows.map(|rows| rows.numbers()).unwrap_or_default()
}

/// The groups of the list in view, or of the nearest behind, with its place in history.
pub(super) fn list(sight: Sight<'_>) -> Option<(usize, Arc<[GroupRow]>)> {
    let is =
        |at: &usize| sight.tab.history[*at].page.as_deref().is_some_and(|page| page.head.media == media::NEWSGROUPS);
    let at = (0..(sight.tab.at + 1).min(sight.tab.history.len())).rev().find(is)?;
    match sight.tab.history[at].page.as_deref()?.roll()? {
        Roll::Groups(groups) => Some((at, groups)),
        Roll::Articles { .. } => None,
    }
}

/// The link under focus of a place, in the document as it was written.
pub(super) fn given_focus(sight: Sight<'_>, at: usize) -> Option<LinkId> {
    sight.tab.history.get(at)?.given_focus()
}

/// The place of an article by its name. Links of a group's page end in the id as it is written in URLs.
fn find(sight: Sight<'_>, held: &Held, name: &Name) -> Option<usize> {
    let given = sight.tab.history.get(held.at)?.page.as_deref()?.given();
    match name {
        Name::Number(group, number) => (*group == held.group)
            .then(|| held.articles.iter().position(|article| article.number == Some(*number)))
            .flatten(),
        Name::Id(id) => {
            let id = escape::encode(id, escape::NEWS_ID);
            held.articles.iter().position(|article| {
                let reference = given.reference(article.link).unwrap_or_default();
                reference.strip_suffix(id.as_str()).is_some_and(|before| before.ends_with([':', '/']))
            })
        }
    }
}

/// The link of an article on the group's page at a place.
pub(super) fn link_of(cx: &mut Cx<'_>, at: usize, name: &Name) -> Option<LinkId> {
    let held = of(cx.sight(), at)?;
    find(cx.sight(), &held, name).map(|at| held.articles[at].link)
}

/// Where an article is shown on the group's page that is in view.
pub(super) fn shown_at(cx: &mut Cx<'_>, name: &Name) -> Option<LinkId> {
    let held = of(cx.sight(), cx.tab.at)?;
    held.in_sight(cx.sight(), find(cx.sight(), &held, name)?)
}

/// Where the article in view stands, if its group's page is in history.
pub(super) fn by_group(cx: &mut Cx<'_>) -> Option<(String, Vec<u8>, u64)> {
    if !cx.entry()?.page.as_deref().is_some_and(Page::is_article) {
        return None;
    }
    if let Some(Name::Number(group, number)) = Name::of(&cx.entry()?.url) {
        let server = server_of(cx.sight(), &cx.entry()?.url)?;
        return Some((server, group, number));
    }
    let held = held(cx)?;
    let number = held.articles.get(held.here?)?.number?;
    Some((held.server?, held.group, number))
}
