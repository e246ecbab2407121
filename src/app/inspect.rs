//! Looking at a page in other ways: its source, another charset, Gopher+ attributes; copying its URL.

use super::arrival;
use super::opening::{self, Consent, Opening};
use super::{App, Effect, Kept, Page, PageState, SiteChoice, focus, journey, news, web_form};
use crate::doc::sanitise;
use crate::format::{charset, media, message};
use crate::url::scheme::gopher::Gopher;
use crate::url::{Url, escape::make_safe};

/// The page as received, as a place of its own; on such a page, back to where it came from.
pub(super) fn source(app: &mut App, _: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    if app.tab.media.get(&app.tab.at).is_some_and(|media| media == media::PLAIN) {
        return journey::back(app, "");
    }
    let Some(page) = &entry.page else { return Vec::new() };
    if page.head.media == media::PLAIN {
        app.say("this page is its own source");
        return Vec::new();
    }
    let (url, base) = (entry.url.clone(), page.head.url.clone());
    let opening = Opening { media: Some(media::PLAIN.into()), consent: Consent::Agreed, ..Opening::followed(url) };
    let opening = web_form::resent(entry, opening);
    let whole = page.state != PageState::Arriving;
    match arrival::reread(app, media::PLAIN).filter(|_| whole) {
        Some((mut page, _)) => {
            let state = std::mem::replace(&mut page.state, PageState::Complete);
            page.state = if matches!(state, PageState::Failed(_)) { PageState::Complete } else { state };
            page.head.media = media::PLAIN.into();
            journey::arrive(app, &opening, base, page, None)
        }
        None => opening::go(app, opening),
    }
}

/// The message in view with the letters of its bodies turned by 13; again, as they are.
pub(super) fn rot13(app: &mut App, _: &str) -> Vec<Effect> {
    let at = app.tab.at;
    let turned = app.tab.media.get(&at).is_some_and(|media| media == media::MESSAGE_ROT13);
    let Some(page) = app.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    if !message::is_message(&page.head.media) {
        app.say("only messages are turned by 13");
        return Vec::new();
    }
    let wanted = if turned { page.head.media.clone() } else { media::MESSAGE_ROT13.to_owned() };
    // one that was fetched again came under the other name
    let wanted = if turned && wanted == media::MESSAGE_ROT13 { media::MESSAGE.to_owned() } else { wanted };
    let again = arrival::reread(app, &wanted);
    match turned {
        true => app.tab.media.remove(&at),
        false => app.tab.media.insert(at, wanted),
    };
    let effects = match again {
        Some((again, _)) => {
            renew(app, again);
            Vec::new()
        }
        None => journey::reload(app, ""),
    };
    app.say(if turned { "letters as they were written" } else { "letters turned by 13" });
    effects
}

/// Reads the page, and from now on every page of its host, by a charset.
pub(super) fn read_by(app: &mut App, name: &str) -> Vec<Effect> {
    if charset::known(name).is_none() {
        app.complain(format!("no charset is called {name}"));
        return Vec::new();
    }
    let Some(page) = app.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let host = page.head.url.host().unwrap_or_default().to_ascii_lowercase();
    let wanted = app.tab.media.get(&app.tab.at).cloned().unwrap_or_else(|| page.head.media.clone());
    let charset = name.to_ascii_lowercase();
    app.charsets.insert(host.clone(), charset.clone());
    let mut effects = vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Charset(charset) })];
    match arrival::reread(app, &wanted) {
        Some((again, _)) => {
            renew(app, again);
            app.say(format!("read as {name}"));
        }
        None => effects.extend(journey::reload(app, "")),
    }
    effects
}

/// Another reading of the same octets takes the page's place; the reader stays where they were.
fn renew(app: &mut App, again: Page) {
    let Some(entry) = app.entry_mut() else { return };
    entry.as_given();
    entry.page = Some(Box::new(again));
    entry.refill();
    app.tab.found = None;
    app.tab.matches = app.tab.search.is_some().then(Default::default);
    super::scroll::keep_in_view(app);
}

/// The Gopher+ attributes of the link under focus; `attributes page` of the page itself.
pub(super) fn attributes(app: &mut App, what: &str) -> Vec<Effect> {
    let link = focus::link(app).is_some() && what.trim() != "page";
    let item = if link { focus::target(app) } else { app.entry().map(|entry| entry.url.clone()) };
    let Some(item) = item else { return Vec::new() };
    match attributes_of(&item) {
        Some(url) => opening::go(app, Opening::followed(url)),
        None => {
            app.say("only gopher items have attributes");
            Vec::new()
        }
    }
}

fn attributes_of(item: &Url) -> Option<Url> {
    if !item.is("gopher") && !item.is("gophers") {
        return None;
    }
    let asking = Gopher { search: None, ..Gopher::of(item).ok()? }.asking(b"!");
    asking.url(item.host()?, item.port()?, item.is("gophers")).ok()
}

/// The URL of the page, onto the clipboard. Always absolute (PART-08), never with a password (SEC-04).
pub(super) fn copy_page(app: &mut App, _: &str) -> Vec<Effect> {
    match app.entry().map(|entry| entry.url.clone()) {
        Some(url) => copy(app, &url),
        None => Vec::new(),
    }
}

/// The URL of the link under focus, onto the clipboard.
pub(super) fn copy_link(app: &mut App, _: &str) -> Vec<Effect> {
    match focus::target(app) {
        Some(url) => copy(app, &url),
        None => Vec::new(),
    }
}

fn copy(app: &mut App, url: &Url) -> Vec<Effect> {
    let text = shareable(&news::shareable(app, url));
    app.say(format!("copied {text}"));
    vec![Effect::Copy(text)]
}

/// A URL that still works, but gives no password away and holds nothing that a terminal would obey where it is pasted.
pub(super) fn shareable(url: &Url) -> String {
    let text = match url.password() {
        Some(_) => url.redacted().replacen(":***@", "@", 1),
        None => url.redacted(),
    };
    if sanitise(&text) == text && !text.contains('\t') { text } else { make_safe(&text) }
}
