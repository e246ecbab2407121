//! The group that the reader is in: its page in history, and where the article in view stands there.

use super::{Name, article_url, is_article, server_of, shown};
use crate::app::{App, Page};
use crate::doc::LinkId;
use crate::format::{GroupRow, Listed, Roll, media};
use crate::news::Newsrc;
use crate::url::{Url, escape};

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
    pub articles: Vec<Listed>,
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
    pub fn in_sight(&self, app: &App, at: usize) -> Option<LinkId> {
        let thread = self.articles.get(self.articles.get(at)?.thread..=at)?;
        thread.iter().rev().find_map(|article| shown(app, article.link))
    }

    /// Whether its page is the one in view.
    pub fn is_in_view(&self, app: &App) -> bool {
        self.at == app.tab.at
    }
}

/// The group in view, or the one whose page is the nearest behind: that with the article in view before any other.
pub(super) fn held(app: &mut App) -> Option<Held> {
    let group = |page: &Page| page.head.media == media::NEWSGROUP;
    if app.entry()?.page.as_deref().is_some_and(group) {
        let mut held = of(app, app.tab.at)?;
        held.here = given_focus(app, app.tab.at).and_then(|link| held.articles.iter().position(|a| a.link == link));
        return Some(held);
    }
    let name = Name::of(&app.entry()?.url);
    let places: Vec<usize> =
        (0..app.tab.at).rev().filter(|at| app.tab.history[*at].page.as_deref().is_some_and(group)).collect();
    let mut nearest = None;
    for at in places {
        let Some(mut held) = of(app, at) else { continue };
        held.here = name.as_ref().and_then(|name| find(app, &held, name));
        if held.here.is_some() {
            return Some(held);
        }
        nearest = nearest.or(Some(held));
    }
    nearest
}

/// The nearest group behind, or in view, whose page has an article.
pub(super) fn with(app: &mut App, name: &Name) -> Option<Held> {
    for at in (0..(app.tab.at + 1).min(app.tab.history.len())).rev() {
        if let Some(mut held) = of(app, at) {
            held.here = find(app, &held, name);
            if held.here.is_some() {
                return Some(held);
            }
        }
    }
    None
}

fn of(app: &mut App, at: usize) -> Option<Held> {
    let entry = app.tab.history.get_mut(at)?;
    let (url, page) = (entry.url.clone(), entry.page.as_deref_mut()?);
    let wishes = page.arrangement.wishes.clone();
    match page.parser.as_mut()?.roll(&wishes)? {
        Roll::Articles { group, last, articles } => {
            let server = server_of(app, &url);
            Some(Held { at, url, server, group, last, articles, here: None })
        }
        Roll::Groups(_) => None,
    }
}

/// The numbers of the articles of the group in view.
pub(super) fn numbers(app: &mut App) -> Vec<u64> {
    of(app, app.tab.at)
        .map_or_else(Vec::new, |held| held.articles.iter().filter_map(|article| article.number).collect())
}

/// The groups of the list in view, or of the nearest behind, with its place in history.
pub(super) fn list(app: &mut App) -> Option<(usize, Vec<GroupRow>)> {
    let is = |at: &usize| app.tab.history[*at].page.as_deref().is_some_and(|page| page.head.media == media::NEWSGROUPS);
    let at = (0..(app.tab.at + 1).min(app.tab.history.len())).rev().find(is)?;
    let page = app.tab.history[at].page.as_deref_mut()?;
    let wishes = page.arrangement.wishes.clone();
    match page.parser.as_mut()?.roll(&wishes)? {
        Roll::Groups(groups) => Some((at, groups)),
        Roll::Articles { .. } => None,
    }
}

/// The link under focus of a place, in the document as it was written.
pub(super) fn given_focus(app: &App, at: usize) -> Option<LinkId> {
    app.tab.history.get(at)?.given_focus()
}

/// The place of an article by its name. Links of a group's page end in the id as it is written in URLs.
fn find(app: &App, held: &Held, name: &Name) -> Option<usize> {
    let given = app.tab.history.get(held.at)?.page.as_deref()?.given();
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
pub(super) fn link_of(app: &mut App, at: usize, name: &Name) -> Option<LinkId> {
    let held = of(app, at)?;
    find(app, &held, name).map(|at| held.articles[at].link)
}

/// Where an article is shown on the group's page that is in view.
pub(super) fn shown_at(app: &mut App, name: &Name) -> Option<LinkId> {
    let held = of(app, app.tab.at)?;
    held.in_sight(app, find(app, &held, name)?)
}

/// The article that an address in an article's text is, when it stands among the articles of a group in history or was read:
/// `<name@host>` is written for both.
pub(in crate::app) fn meant(app: &App, url: &Url) -> Option<Url> {
    let on = app.entry().filter(|entry| entry.page.as_deref().is_some_and(is_article) && url.is("mailto"))?;
    let address =
        url.as_str().split_once(':').map(|(_, address)| escape::decode(address)).filter(|id| !id.contains(&b'?'))?;
    let article = article_url(&on.url, &address)?;
    let id = escape::encode(&address, escape::NEWS_ID);
    let names =
        |reference: &str| reference.strip_suffix(id.as_str()).is_some_and(|before| before.ends_with([':', '/']));
    let listed = |page: &Page| {
        let given = page.given();
        let links = (0..given.link_count()).filter_map(|link| given.reference(LinkId(link)));
        page.head.media == media::NEWSGROUP && links.into_iter().any(names)
    };
    let held = app.tab.history.iter().any(|entry| entry.page.as_deref().is_some_and(listed));
    (held || app.has_visited(&article)).then_some(article)
}

/// Where the article in view stands, if its group's page is in history.
pub(super) fn by_group(app: &mut App) -> Option<(String, Vec<u8>, u64)> {
    if !app.entry()?.page.as_deref().is_some_and(is_article) {
        return None;
    }
    if let Some(Name::Number(group, number)) = Name::of(&app.entry()?.url) {
        let server = server_of(app, &app.entry()?.url)?;
        return Some((server, group, number));
    }
    let held = held(app)?;
    let number = held.articles.get(held.here?)?.number?;
    Some((held.server?, held.group, number))
}
