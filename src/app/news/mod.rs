//! News as the reader reads it: what was read, from article to article, from group to group.
//!
//! What was read is in the newsrc of the server, which the shell keeps in step with its file. After every message [`tend`]
//! brings page and newsrc together: an article that is shown becomes read, pages show what is unread.
//! `reading` keeps what was read, `walk` goes from article to article, `passing` over those that are gone, `groups` from group to group, `landing` puts the focus where the
//! reader was, `marks` changes what was read by the reader's word, `several` does so for many articles at
//! once, `undo` takes that back, `numbers` knows what a group's numbers tell, `mailbox` has mailboxes of this machine read as groups
//! are, `conversation` shows a thread as one page, `parts` joins a file of several articles, `found` opens threads in which find has found, `showing` knows which threads of a group are in sight, `article` what an article
//! says of itself, `score` makes rules of what is worth reading, `fresh` has those that were just made count. Refuses: files, the clock, posting.

mod article;
mod conversation;
mod found;
mod fresh;
mod groups;
mod held;
mod landing;
mod later;
mod mailbox;
mod marks;
mod missing;
mod numbers;
pub(super) mod parts;
mod passing;
mod reading;
mod score;
mod search;
mod several;
mod showing;
mod undo;
mod walk;

pub(super) use article::shareable;
pub(super) use conversation::open as conversation;
pub(super) use groups::next_group;
pub(super) use held::{is_gone, is_missing};
pub(super) use landing::{keep_focus, posted, settle};
pub(super) use later::{event as fetched, fetch, give_up};
pub(super) use marks::{catch_up, fold, group_under_focus, mark, mark_its_row, mark_unread, quoted, subscribe};
pub(super) use missing::elsewhere;
pub(super) use reading::synced;
pub(super) use score::{answered, ignore_subject, ignore_thread, known, score, watch_thread, why};
pub(super) use search::search;
pub(super) use several::{mark_below, mark_on, mark_range, mark_thread, mark_to_here};
pub(super) use showing::unread_only;
pub(super) use undo::undo;
pub(super) use walk::{
    first_step, go_on, is_at_article, is_group, is_list, lead_on, next_in_thread, next_thread, next_unread,
    parent_article, previous_in_thread, previous_unread, to_list, up,
};

use crate::app::state::Cx;
use crate::app::state::news::Server;
use crate::app::{Effect, Kept, Opening, Page, PageState, Sight, SiteChoice};
use crate::config::NewsServer;
use crate::doc::LinkId;
use crate::format::{Reading, Show, Wishes, media};
use crate::news::{Mailbox, Subscription};
use crate::url::Url;
use crate::url::scheme::news::News as Names;
use crate::url::scheme::news::group_at;
use crate::url::scheme::nntp::Nntp;
use crate::url::scheme::{self, Family, PartKind};
use jiff::Timestamp;
use std::sync::Arc;

/// Whether the page in view is one of news.
pub(super) fn is_news(sight: Sight<'_>) -> bool {
    let Some(entry) = sight.entry() else { return false };
    let is_sent = |page: &Page| page.is_article() && !article::is_saved_page(sight);
    let is = |page: &Page| is_sent(page) || page.head.media == media::THREAD;
    is_scheme(&entry.url) || entry.page.as_deref().is_some_and(is) || is_group(sight)
}

fn is_scheme(url: &Url) -> bool {
    scheme::family(url).is_news()
}

/// The name of the server that a URL means; `None` where several could. A mailbox stands for itself.
fn server_of(sight: Sight<'_>, url: &Url) -> Option<String> {
    if let Some(mailbox) = mailbox::name(url) {
        return Some(mailbox);
    }
    if let Some(host) = url.host().filter(|host| !host.is_empty()) {
        let server = NewsServer { host: host.into(), port: url.port_text().and_then(|p| p.parse().ok()), tls: false };
        return Some(server.name());
    }
    match sight.desk.settings.news.servers_of(url).as_slice() {
        [server] => Some(server.name()),
        _ => None,
    }
}

/// Where news is asked for when neither its URL nor the reader names a server: where the page in view came from.
pub(super) fn here(sight: Sight<'_>, url: &Url) -> Option<Url> {
    let on = sight.entry().map(|entry| &entry.url).filter(|on| is_scheme(on) && on.host().is_some())?;
    let opaque = is_scheme(url) && !scheme::is_secure(url) && url.authority().is_none();
    let rest =
        url.as_str().split_once(':').filter(|_| opaque && sight.desk.settings.news.servers_of(url).is_empty())?.1;
    let scheme = scheme::of(scheme::family(url), scheme::is_secure(on));
    Url::parse(format!("{scheme}://{}/{rest}", on.authority()?)).ok()
}

/// The name of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Id(Vec<u8>),
    Number(Vec<u8>, u64),
    /// A message of a mailbox, by its URL.
    Place(String),
}

impl Name {
    fn of(url: &Url) -> Option<Name> {
        if scheme::family(url) == Family::Nntp {
            let nntp = Nntp::of(url).ok()?;
            return Some(Name::Number(nntp.group, nntp.number?));
        }
        if let Some(message) = mailbox::article(url) {
            return Some(message);
        }
        match is_scheme(url).then(|| Names::of(url).ok())? {
            Some(Names::Article(id)) => Some(Name::Id(id)),
            _ => None,
        }
    }
}

/// Whether a URL names an article of news.
pub(super) fn is_article(url: &Url) -> bool {
    is_scheme(url) && Name::of(url).is_some()
}

/// Whether a URL names an article or a group, of news or of a mailbox.
pub(super) fn is_place(url: &Url) -> bool {
    Name::of(url).is_some() || group_of(url).is_some()
}

/// Brings the page in view and what was read together.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    reading::note(cx);
    passing::pass(cx);
    conversation::note(cx);
    found::tend(cx);
    reading::look_again(cx);
    numbers::cut(cx);
    numbers::pass_gaps(cx);
    show(cx);
    landing::refocus(cx);
    let stale = cx.news.servers.iter_mut().filter(|(_, server)| server.stale);
    let keep = |(name, server): (&String, &mut Server)| {
        server.stale = false;
        server.asked += 1;
        let (base, ours) =
            (std::mem::replace(&mut server.handed, Arc::clone(&server.newsrc)), Arc::clone(&server.newsrc));
        Effect::SyncNewsrc { server: name.clone(), ours, base }
    };
    stale.map(keep).collect()
}

/// Lists and groups show what is unread.
fn show(cx: &mut Cx<'_>) {
    let Some((entry, page)) = cx.entry().and_then(|entry| Some((entry, entry.page.as_deref()?))) else { return };
    let lists = match page.head.media.as_str() {
        media::NEWSGROUPS => true,
        media::NEWSGROUP => false,
        _ => return,
    };
    let url = entry.url.clone();
    let Some(server) = server_of(cx.sight(), &url) else { return };
    let server = cx.news.server(&server);
    if !server.known {
        return;
    }
    let newsrc = Arc::clone(&server.newsrc);
    let (now, scoring) = (cx.desk.now.clone(), score::scoring(cx.sight()));
    let own = Mailbox::author(&cx.desk.settings.news.posting.from).map(|own| Arc::from(own.address));
    let at_first = showing::at_first(cx.sight(), &url);
    let Some(page) = cx.page_mut() else { return };
    let whole = page.state == PageState::Complete && matches!(Names::of(&url), Ok(Names::All));
    let before = &page.arrangement.wishes.reading;
    let reading = if lists {
        if before.newsrc.as_ref().is_some_and(|known| Arc::ptr_eq(known, &newsrc)) && before.whole == whole {
            return;
        }
        let first = before.newsrc.is_none() && url.path().trim_matches('/').is_empty();
        let taken = newsrc.groups().any(|(_, subscription)| subscription == Subscription::Subscribed);
        let show = if first && taken { Show::Subscribed } else { before.show };
        Reading { now, newsrc: Some(newsrc), show, whole, ..before.clone() }
    } else {
        // What was read is known by groups, and articles of several of them have no numbers.
        let Some(group) = group_of(&url).filter(|_| !search::is_everywhere(&url)) else { return };
        let read = newsrc.read(&group).cloned().unwrap_or_default();
        if before.read.as_ref() == Some(&read) && before.scoring == scoring && before.own == own {
            return;
        }
        let (show, narrowed) = match before.read {
            None => (at_first, Some(read.clone())),
            Some(_) => (before.show, before.narrowed.clone()),
        };
        Reading { now, read: Some(read), show, narrowed, scoring, own, ..before.clone() }
    };
    page.wish(Wishes { reading, ..page.arrangement.wishes.clone() });
}

/// The group that a group's page shows.
fn group_of(url: &Url) -> Option<Vec<u8>> {
    if scheme::family(url) == Family::Nntp {
        return Nntp::of(url).ok().map(|nntp| nntp.group);
    }
    if scheme::family(url) == Family::File {
        return mailbox::group(url);
    }
    match Names::of(url).ok()? {
        Names::Group(group) | Names::Part(group, _) => Some(group),
        Names::All | Names::Groups(_) | Names::Article(_) => None,
    }
}

/// When the groups of a server were listed in an earlier run, by its own clock, where a URL names all of its groups.
pub(super) fn since(sight: Sight<'_>, url: &Url) -> Option<Timestamp> {
    let all = matches!(is_scheme(url).then(|| Names::of(url))?, Ok(Names::All));
    all.then(|| sight.news.listed.get(&server_of(sight, url)?).copied()).flatten()
}

/// All groups of a server were listed: next time those that came since are marked.
pub(super) fn listed(sight: Sight<'_>, at: usize) -> Option<Effect> {
    let entry = sight.tab.history.get(at)?;
    let page = entry.page.as_deref().filter(|page| page.head.media == media::NEWSGROUPS)?;
    let choice = SiteChoice::Visit(page.head.clock?);
    Some(Effect::Keep(Kept::Site { host: server_of(sight, &entry.url)?, choice }))
}

/// Where a given link is shown on the page in view.
fn shown(sight: Sight<'_>, given: LinkId) -> Option<LinkId> {
    let page = sight.entry()?.page.as_ref()?;
    page.arrangement.shown.as_ref().map_or(Some(given), |shown| shown.shown_link(given))
}

/// Opens the groups that the reader takes, of the server in view or else of their own.
pub(super) fn subscribed(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let of = cx.entry().map(|entry| entry.url.clone()).filter(is_scheme);
    match of.and_then(|url| group_at(&url, b"")).or_else(|| Url::parse("news:").ok()) {
        Some(url) => {
            cx.open(Opening::typed(url));
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Where the article in view stands: "wf.test 17", with the server where the URL names none.
pub(super) fn place(sight: Sight<'_>) -> Option<String> {
    let noted = sight.tab.noted.as_ref().filter(|noted| noted.at == sight.tab.at)?;
    let entry = sight.entry().filter(|entry| entry.url == noted.url)?;
    let (server, group, number) = noted.place.as_ref()?;
    if mailbox::is_here(sight) {
        // The list that led there tells it as well, as long as that is the place before.
        let behind = (0..sight.tab.at).rev().filter(|_| entry.among.is_none());
        let list = behind.filter_map(|at| held::of(sight, at)).find(|held| held.server.as_ref() == Some(server))?;
        return Some(format!("{number} of {}", crate::format::count(list.articles.len())));
    }
    let group = crate::doc::sanitise(&String::from_utf8_lossy(group)).into_owned();
    // What the address says itself stands in the bar already.
    let parts = scheme::parts(&entry.url);
    let says = |text: &str| parts.iter().any(|part| part.kind == PartKind::Name && part.text == text);
    if says(&group) && says(&number.to_string()) {
        return entry.url.host().is_none_or(str::is_empty).then(|| server.clone());
    }
    Some(match entry.url.host().is_some_and(|host| !host.is_empty()) {
        true => format!("{group} {number}"),
        false => format!("{server} {group} {number}"),
    })
}
