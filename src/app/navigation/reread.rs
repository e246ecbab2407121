//! Looking at a page in other ways: its source, another charset, Gopher+ attributes; copying its URL.

use super::{arrival, catalogue, journey};
use crate::app::forms::web;
use crate::app::motion::{clipboard, focus, marking};
use crate::app::page::address::shareable;
use crate::app::state::Cx;
use crate::app::state::charset::{AUTOMATIC, kept_as};
use crate::app::state::jobs::Reread;
use crate::app::{
    Arrangement, Consent, Effect, Kept, Opening, Page, PageState, Scope, Sight, SiteChoice, internal, navigation, news,
};
use crate::format::charset::{By, Said};
use crate::format::{Whole, Wishes, charset, count, is_page, is_plain, media, message};
use crate::url::Url;
use crate::url::scheme::{self, Family, gopher::Gopher};
use std::sync::Arc;

/// The page as received, as a place of its own; on such a page, back to where it came from.
pub(in crate::app) fn source(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    if cx.tab.media.get(&cx.tab.at).is_some_and(|media| media == media::PLAIN) {
        return journey::back(cx, "");
    }
    let Some(page) = &entry.page else { return Vec::new() };
    if page.head.media == media::PLAIN {
        cx.say("this page is its own source");
        return Vec::new();
    }
    let url = entry.url.clone();
    let opening = Opening { media: Some(media::PLAIN.into()), consent: Consent::Agreed, ..Opening::followed(url) };
    let opening = web::resent(entry, opening);
    arrival::reread(cx, media::PLAIN, None, None).unwrap_or_else(|| navigation::go(cx, opening))
}

/// A page was read again: it takes the place of the other reading, where the reader stays where they were, or has its own.
pub(in crate::app) fn reread(
    cx: &mut Cx<'_>,
    Reread { at, url, said, media }: Reread,
    whole: Option<Whole>,
) -> Vec<Effect> {
    let id = cx.page_id();
    let old = cx.tab.history.get(at).filter(|entry| entry.url == url).and_then(|entry| entry.page.as_deref());
    let (Some(old), Some(Whole { page, .. })) = (old, whole) else { return Vec::new() };
    let same = old.head.media == media;
    let wishes = if same { old.arrangement.wishes.clone() } else { Wishes::default() };
    let mut arrangement = Arrangement::by(wishes);
    if let Some(readme) = old.arrangement.readme.as_ref().filter(|_| same) {
        arrangement.readme = Some(Arc::clone(readme));
        arrangement.toggled.clone_from(&old.arrangement.toggled);
    }
    let again = Page {
        id,
        head: old.head.clone(),
        given: page.document,
        rows: page.rows,
        state: old.state.clone(),
        received: old.received,
        elapsed: old.elapsed,
        source: old.source.clone(),
        arrangement,
        made_of: None,
        dispatched: old.dispatched.clone(),
        linked: old.linked.clone(),
        fresh: Vec::new(),
    };
    match said {
        Some(said) => {
            renew(cx, at, again);
            cx.say(said);
            Vec::new()
        }
        None if at == cx.tab.at => show_source(cx, again),
        None => Vec::new(),
    }
}

fn show_source(cx: &mut Cx<'_>, mut page: Page) -> Vec<Effect> {
    let Some(entry) = cx.entry() else { return Vec::new() };
    let (url, base) = (entry.url.clone(), page.head.url.clone());
    let opening = Opening { media: Some(media::PLAIN.into()), consent: Consent::Agreed, ..Opening::followed(url) };
    let opening = web::resent(entry, opening);
    if matches!(page.state, PageState::Failed(_)) {
        page.state = PageState::Complete;
    }
    page.head.media = media::PLAIN.into();
    journey::arrive(cx, &opening, base, page, None)
}

/// The message in view with the letters of its bodies turned by 13; again, as they are.
pub(in crate::app) fn rot13(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    if !message::is_message(&page.head.media) {
        cx.say("only messages are turned by 13");
        return Vec::new();
    }
    let said = ["letters turned by 13", "letters as they were written"];
    turn(cx, media::MESSAGE_ROT13, media::MESSAGE, said)
}

/// The text in view in the colours that it asks for, as the theme has them; again, without.
pub(in crate::app) fn colours(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    if !is_plain(&page.head.media) {
        cx.say("only plain texts are shown in colours of their own");
        return Vec::new();
    }
    turn(cx, media::COLOURED, media::PLAIN, ["in its colours, as the theme has them", "without its colours"])
}

/// The page in view read in another way, or, where it is, in the usual one; `said` has a word for both.
fn turn(cx: &mut Cx<'_>, other: &str, usual: &str, said: [&str; 2]) -> Vec<Effect> {
    let at = cx.tab.at;
    let turned = cx.tab.media.get(&at).is_some_and(|media| media == other);
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let wanted = match turned {
        false => other,
        // one that was fetched again came under the other name
        true if page.head.media == other => usual,
        true => &page.head.media,
    };
    let (wanted, said) = (wanted.to_owned(), said[usize::from(turned)]);
    let effects = arrival::reread(cx, &wanted, Some(said), None);
    match turned {
        true => cx.tab.media.remove(&at),
        false => cx.tab.media.insert(at, wanted),
    };
    effects.unwrap_or_else(|| {
        let effects = journey::reload(cx, "");
        cx.say(said);
        effects
    })
}

/// The words for types that a page may be read as.
const TYPES: &[(&str, &str)] = &[
    ("text", media::PLAIN),
    ("html", media::HTML),
    ("feed", "application/rss+xml"),
    ("markdown", "text/markdown"),
    ("gemtext", media::GEMTEXT),
    ("menu", media::MENU),
    ("message", media::MESSAGE),
];

/// The word for a listing of files that is opened as the tree that it lists.
const CATALOGUE: &str = "catalogue";

/// `as TYPE`: the page in view as if it had come under that media type, or under one that this word stands for.
pub(in crate::app) fn read_as(cx: &mut Cx<'_>, word: &str) -> Vec<Effect> {
    let word = word.trim().to_ascii_lowercase();
    if word == CATALOGUE {
        return catalogue::open(cx);
    }
    if word == "text" && catalogue::text(cx) {
        return Vec::new();
    }
    let named = TYPES.iter().find(|(known, _)| *known == word).map(|(_, media)| *media);
    let wanted = named.unwrap_or(&word);
    if !wanted.contains('/') || !is_page(wanted) {
        let words = TYPES.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        cx.complain(format!("as what? {words}, {CATALOGUE}, or a media type that is shown here, such as text/html"));
        return Vec::new();
    }
    if cx.entry().is_none_or(|entry| entry.page.is_none()) {
        cx.say("there is no page to be read");
        return Vec::new();
    }
    let (at, said) = (cx.tab.at, format!("read as {wanted}"));
    let again = arrival::reread(cx, wanted, Some(&said), None);
    cx.tab.media.insert(at, wanted.to_owned());
    again.unwrap_or_else(|| {
        let effects = journey::reload(cx, "");
        cx.say(said);
        effects
    })
}

/// For how much of what the page is of a charset can be chosen, and what that is called.
pub(in crate::app) fn charset_places(sight: Sight<'_>) -> Vec<(Scope, String)> {
    let Some(page) = sight.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let (url, group) = (&page.head.url, sight.group_of(&page.head.url));
    let place = |(scope, _): (Scope, &str)| {
        let name = kept_as(url, group.as_deref(), scope)?;
        Some((
            scope,
            match scope {
                Scope::Host => "this host's pages".into(),
                Scope::Path => format!("pages below {}", name.trim_end_matches('*')),
                Scope::Group => format!("the group {}", name.trim_start_matches("news:")),
                Scope::Groups => format!("the groups {}", name.trim_start_matches("news:")),
                Scope::Page => "this page alone".into(),
            },
        ))
    };
    Scope::ALL.into_iter().filter_map(place).collect()
}

/// Reads the page, and from now on so much of what it is of, by a charset; or takes such a choice back.
pub(in crate::app) fn read_by(cx: &mut Cx<'_>, name: &str, scope: Scope) -> Vec<Effect> {
    let automatic = name.eq_ignore_ascii_case(AUTOMATIC);
    if !automatic && charset::known(name).is_none() {
        cx.complain(format!("no charset is called {name}"));
        return Vec::new();
    }
    if internal::is_open(cx.sight()) {
        cx.say("this page is written here; there is no other charset");
        return Vec::new();
    }
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let group = cx.sight().group_of(&page.head.url);
    let Some(place) = kept_as(&page.head.url, group.as_deref(), scope) else {
        cx.complain(match scope {
            Scope::Host => "this page is of no host; a charset is chosen for it alone, or for the path",
            Scope::Group | Scope::Groups => "this page is not of a newsgroup",
            Scope::Path | Scope::Page => "this page is below no path",
        });
        return Vec::new();
    };
    let wanted = cx.tab.media.get(&cx.tab.at).cloned().unwrap_or_else(|| page.head.media.clone());
    let charset = name.to_ascii_lowercase();
    let mut places = vec![place];
    if automatic {
        // A choice for less would go on to hold.
        let url = &page.head.url;
        let less = Scope::ALL.into_iter().filter_map(|(scope, _)| kept_as(url, group.as_deref(), scope));
        places.extend(less.filter(|less| cx.desk.charsets.get(less).is_some_and(|name| name != AUTOMATIC)));
        places.dedup();
    }
    let mut effects = Vec::new();
    for host in places {
        cx.desk.charsets.insert(host.clone(), charset.clone());
        effects.push(Effect::Keep(Kept::Site { host, choice: SiteChoice::Charset(charset.clone()) }));
    }
    // What is asked for here and now is done even where the page is UTF-8 beyond doubt.
    let asked = (!automatic).then(|| Said { name: name.into(), by: By::Asked });
    let said = if automatic { "read as it says, or as it looks".into() } else { format!("read as {name}") };
    let again = arrival::reread(cx, &wanted, Some(&said), asked);
    effects.extend(again.unwrap_or_else(|| journey::reload(cx, "")));
    effects
}

/// Another reading of the same octets takes the page's place; the reader stays where they were.
fn renew(cx: &mut Cx<'_>, at: usize, again: Page) {
    let Some(entry) = cx.tab.history.get_mut(at) else { return };
    entry.as_given();
    entry.marked = entry.carry_marks();
    entry.page = Some(Box::new(again));
    entry.stay_within();
    entry.refill();
    if at == cx.tab.at {
        cx.tab.found = None;
        cx.tab.matches = cx.tab.search.is_some().then(Default::default);
        crate::app::motion::scroll::keep_in_view(cx);
    }
}

/// The Gopher+ attributes of the link under focus; `attributes page` of the page itself, `attributes all` of all its items. On an
/// answer of finger the longer form of that, whatever link has come to the focus by itself.
pub(in crate::app) fn attributes(cx: &mut Cx<'_>, what: &str) -> Vec<Effect> {
    if let Some(url) = cx.entry().and_then(|entry| scheme::in_full(&entry.url)) {
        return navigation::go(cx, Opening::followed(url));
    }
    if what.trim() == "all" {
        return match cx.entry().and_then(|entry| items_of(&entry.url)) {
            Some(url) => navigation::go(cx, Opening::followed(url)),
            None => {
                cx.say("only gopher menus have items with attributes");
                Vec::new()
            }
        };
    }
    let link = focus::link(cx.sight()).is_some() && what.trim() != "page";
    let item = if link { focus::target(cx) } else { cx.entry().map(|entry| entry.url.clone()) };
    let Some(item) = item else { return Vec::new() };
    match attributes_of(&item).or_else(|| scheme::in_full(&item)) {
        Some(url) => navigation::go(cx, Opening::followed(url)),
        None => {
            cx.say("only gopher items have attributes, and answers of finger a longer form");
            Vec::new()
        }
    }
}

/// Where a server tells the attributes of all items of a menu.
fn items_of(menu: &Url) -> Option<Url> {
    if scheme::family(menu) != Family::Gopher {
        return None;
    }
    let gopher = Gopher::of(menu).ok().filter(|gopher| matches!(gopher.item, b'1' | b'7'))?;
    gopher.asking(b"$").url(menu.host()?, menu.port()?, scheme::is_secure(menu)).ok()
}

/// What the gopher server of the page in view says of itself. It is asked for that here and nowhere else.
pub(in crate::app) fn caps(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(url) = cx.entry().and_then(|entry| caps_of(&entry.url)) else {
        cx.say("only gopher servers have a caps.txt");
        return Vec::new();
    };
    navigation::go(cx, Opening { media: Some(media::CAPS.into()), ..Opening::followed(url) })
}

fn caps_of(page: &Url) -> Option<Url> {
    if scheme::family(page) != Family::Gopher {
        return None;
    }
    let caps = Gopher::new(b'0', b"/caps.txt".to_vec());
    caps.url(page.host()?, page.port()?, scheme::is_secure(page)).ok()
}

fn attributes_of(item: &Url) -> Option<Url> {
    if scheme::family(item) != Family::Gopher {
        return None;
    }
    let asking = Gopher { search: None, ..Gopher::of(item).ok()? }.asking(b"!");
    asking.url(item.host()?, item.port()?, scheme::is_secure(item)).ok()
}

/// The URL of the page, onto the clipboard. Always absolute (PART-08), never with a password (SEC-04).
pub(in crate::app) fn copy_page(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    match cx.entry().map(|entry| entry.url.clone()) {
        Some(url) => copy(cx, &url),
        None => Vec::new(),
    }
}

/// The URL of the link under focus, onto the clipboard; those of the marked rows, one a line, where there are any.
pub(in crate::app) fn copy_link(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if marking::is_marked(cx.sight()) {
        return copy_marked(cx);
    }
    match focus::target(cx) {
        Some(url) => copy(cx, &url),
        None => Vec::new(),
    }
}

/// The addresses of the marked rows, a line each, never with a password.
pub(super) fn marked(sight: Sight<'_>) -> (usize, String) {
    let targets = marking::targets(sight);
    let lines = targets.iter().map(|(url, ..)| shareable(&news::shareable(sight, url)));
    (targets.len(), lines.collect::<Vec<_>>().join("\n"))
}

fn copy_marked(cx: &mut Cx<'_>) -> Vec<Effect> {
    let (many, text) = marked(cx.sight());
    if text.len() > clipboard::MOST {
        cx.complain(format!(
            "{} addresses are more than a terminal takes for its clipboard; pipe takes them",
            count(many)
        ));
        return Vec::new();
    }
    let one = cx.sight().veiled(text.clone());
    cx.say(if many == 1 { format!("copied {one}") } else { format!("copied {} addresses", count(many)) });
    vec![Effect::Copy(text)]
}

fn copy(cx: &mut Cx<'_>, url: &Url) -> Vec<Effect> {
    let text = shareable(&news::shareable(cx.sight(), url));
    let shown = cx.sight().veiled(text.clone());
    cx.say(format!("copied {shown}"));
    vec![Effect::Copy(text)]
}
