//! The group that the reader is in: its page in history, and where the article in view stands there.

use super::{Name, mailbox, server_of, shown};
use crate::app::state::Cx;
use crate::app::{Page, PageState, Sight};
use crate::doc::LinkId;
use crate::format::{GroupRow, Listed, Roll, media};
use crate::news::Newsrc;
use crate::proto::{FetchError, Kind};
use crate::url::{Url, escape};
use std::ops::Range;
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
        let killed = self.articles.get(at).is_some_and(|article| article.killed);
        !killed && number.is_some_and(|number| !read.is_some_and(|read| read.contains(number)))
    }

    /// Where an article is shown on the page in view: its own line, or that of the head under which it is folded away.
    pub fn in_sight(&self, sight: Sight<'_>, at: usize) -> Option<LinkId> {
        let thread = self.articles.get(self.articles.get(at)?.thread..=at)?;
        thread.iter().rev().find_map(|article| shown(sight, article.link))
    }

    /// What stands under an article as answers and theirs, and the article itself.
    pub fn below(&self, at: usize) -> Range<usize> {
        let own = self.articles[at];
        let after = self.articles[at + 1..].iter().take_while(|a| a.thread == own.thread && a.depth > own.depth);
        at..at + 1 + after.count()
    }

    /// The thread of an article.
    pub fn thread(&self, at: usize) -> Range<usize> {
        let head = self.articles[at].thread;
        head..head + self.articles[head..].iter().take_while(|article| article.thread == head).count()
    }

    /// What the row of an article stands for on its group's page: itself, and what is folded away under it.
    pub fn row(&self, sight: Sight<'_>, at: usize) -> Range<usize> {
        let all = if self.articles[at].thread == at { self.thread(at) } else { self.below(at) };
        let folded = |at: &usize| self.shown(sight, self.articles[*at].link).is_none();
        let first = at + 1;
        if all.contains(&first) && folded(&first) { all } else { at..first }
    }

    /// Where a given link is shown on its page.
    pub fn shown(&self, sight: Sight<'_>, link: LinkId) -> Option<LinkId> {
        sight.tab.history.get(self.at)?.page.as_deref()?.shown_link(link)
    }

    /// Whether its page is the one in view.
    pub fn is_in_view(&self, sight: Sight<'_>) -> bool {
        self.at == sight.tab.at
    }
}

/// The group in view, or the one whose page is the nearest behind: that with the article in view before any other.
pub(super) fn held(cx: &mut Cx<'_>) -> Option<Held> {
    seen(cx.sight())
}

/// The same, for whoever only looks.
pub(super) fn seen(sight: Sight<'_>) -> Option<Held> {
    let group = |page: &Page| page.head.media == media::NEWSGROUP;
    if sight.entry()?.page.as_deref().is_some_and(group) {
        let mut held = of(sight, sight.tab.at)?;
        held.here = given_focus(sight, sight.tab.at).and_then(|link| held.articles.iter().position(|a| a.link == link));
        return Some(held);
    }
    let name = Name::of(&sight.entry()?.url);
    let places: Vec<usize> =
        (0..sight.tab.at).rev().filter(|at| sight.tab.history[*at].page.as_deref().is_some_and(group)).collect();
    let mut nearest = None;
    for at in places {
        let Some(mut held) = of(sight, at) else { continue };
        held.here = name.as_ref().and_then(|name| find(sight, &held, name));
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

pub(super) fn of(sight: Sight<'_>, at: usize) -> Option<Held> {
    let entry = sight.tab.history.get(at)?;
    let url = entry.url.clone();
    match entry.page.as_deref()?.roll()? {
        Roll::Articles { group, last, articles } => {
            let server = server_of(sight, &url);
            let group =
                server.as_deref().filter(|s| mailbox::is_name(s)).and_then(|_| mailbox::group(&url)).unwrap_or(group);
            Some(Held { at, url, server, group, last, articles, here: None })
        }
        Roll::Groups(_) => None,
    }
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
pub(super) fn find(sight: Sight<'_>, held: &Held, name: &Name) -> Option<usize> {
    let given = sight.tab.history.get(held.at)?.page.as_deref()?.given();
    match name {
        Name::Number(group, number) => (*group == held.group)
            .then(|| held.articles.iter().position(|article| article.number == Some(*number)))
            .flatten(),
        Name::Place(url) => {
            held.articles.iter().position(|article| given.reference(article.link) == Some(url.as_str()))
        }
        Name::Id(id) => {
            let id = escape::encode(id, escape::NEWS_ID);
            held.articles.iter().position(|article| {
                let reference = given.reference(article.link).unwrap_or_default();
                reference.strip_suffix(id.as_str()).is_some_and(|before| before.ends_with([':', '/']))
            })
        }
    }
}

/// Where an article is shown on the group's page that is in view.
pub(super) fn shown_at(cx: &mut Cx<'_>, name: &Name) -> Option<LinkId> {
    let held = of(cx.sight(), cx.tab.at)?;
    held.in_sight(cx.sight(), find(cx.sight(), &held, name)?)
}

/// Opens the thread of an article on the group's page in view, unless it is in sight; says whether that was needed.
pub(super) fn unfold_for(cx: &mut Cx<'_>, name: &Name) -> bool {
    let Some(held) = of(cx.sight(), cx.tab.at) else { return false };
    let Some(at) = find(cx.sight(), &held, name) else { return false };
    let (article, head) = (held.articles[at], held.articles[held.articles[at].thread]);
    if shown(cx.sight(), article.link).is_some() || shown(cx.sight(), head.link).is_none() {
        return false;
    }
    let Some(page) = cx.page_mut() else { return false };
    let mut wishes = page.arrangement.wishes.clone();
    wishes.reading.folds.insert(block_of(head.link), true);
    page.wish(wishes);
    true
}

/// The given block of an article, by which folds are known: the first block of a group's page is the heading.
pub(super) fn block_of(article: LinkId) -> u32 {
    article.0 + 1
}

/// Where the article in view stands, if its group's page is in history.
pub(super) fn by_group(cx: &mut Cx<'_>) -> Option<(String, Vec<u8>, u64)> {
    let gone = is_gone(cx.sight());
    if !(gone || cx.entry()?.page.as_deref().is_some_and(Page::is_article)) {
        return None;
    }
    // What is not there has a place where its group lists it.
    if !gone && let Some(Name::Number(group, number)) = Name::of(&cx.entry()?.url) {
        let server = server_of(cx.sight(), &cx.entry()?.url)?;
        return Some((server, group, number));
    }
    let held = held(cx)?;
    let number = held.articles.get(held.here?)?.number?;
    Some((held.server?, held.group, number))
}

/// Whether the page in view says that an article is not there which its group's page behind it lists: it was cancelled, or has expired
/// since.
pub(in crate::app) fn is_gone(sight: Sight<'_>) -> bool {
    fails(sight, |error| error.kind == Kind::NotFound)
}

/// Whether it says that such an article did not come, whatever the reason.
pub(in crate::app) fn is_missing(sight: Sight<'_>) -> bool {
    fails(sight, |_| true)
}

fn fails(sight: Sight<'_>, so: impl Fn(&FetchError) -> bool) -> bool {
    let failed = sight.entry().and_then(|entry| entry.page.as_deref()).map(|page| &page.state);
    matches!(failed, Some(PageState::Failed(error)) if so(error))
        && seen(sight).is_some_and(|held| held.here.is_some() && !held.is_in_view(sight))
}
