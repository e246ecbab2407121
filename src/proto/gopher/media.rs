//! The media type and the framing of an answer: from the item type, the Gopher+ string and the first octets.

use super::frame::Framing;
use super::reply::Expected;
use crate::format::guess::{self, OCTETS, by_name};
use crate::format::media;
use crate::url::scheme::gopher::Gopher;
use crate::url::scheme::gopher::items::{ItemKind, item};
use crate::url::scheme::gopher::plus::{Wish, wish};

/// Views of menus, as servers name them.
const MENU_VIEWS: &[&str] = &["application/gopher-menu", "application/gopher+-menu", "application/gopher+-directory"];

/// What is waited for before the answer's head can be said.
pub fn expected(gopher: &Gopher) -> Expected {
    match item(gopher.item).kind {
        ItemKind::Menu | ItemKind::Search => Expected::Menu,
        _ => Expected::Item,
    }
}

/// The media type of an answer without a Gopher+ head, that begins so, and its framing.
pub fn plain(gopher: &Gopher, start: &[u8]) -> (String, Framing) {
    // A server that knows attributes but not how to introduce them.
    if gopher.plus.is_some() && (start.starts_with(b"+INFO") || start.starts_with(b"+ADMIN")) {
        return (attributes(gopher), Framing::Text);
    }
    let media = of_item(gopher, start);
    let framing = match item(gopher.item).kind {
        ItemKind::Menu | ItemKind::Search => Framing::UntilClose,
        _ if guess::is_binary(start) => Framing::UntilClose,
        _ if item(gopher.item).in_lines() || media.starts_with("text/") => Framing::Text,
        _ => Framing::UntilClose,
    };
    (media, framing)
}

/// The media type of a body after a Gopher+ head, that begins so.
pub fn plus(gopher: &Gopher, start: &[u8]) -> String {
    match gopher.plus.as_deref().map(wish) {
        Some(Wish::Form | Wish::Attributes(_) | Wish::AllAttributes(_)) => attributes(gopher),
        Some(Wish::View { view, .. } | Wish::Filled { view, .. }) if view.contains(&b'/') => {
            let view = String::from_utf8_lossy(view).to_ascii_lowercase();
            let view = view.split(';').next().unwrap_or_default().trim();
            if MENU_VIEWS.contains(&view) { media::MENU.into() } else { view.into() }
        }
        _ => of_item(gopher, start),
    }
}

fn attributes(gopher: &Gopher) -> String {
    if gopher.wants_form() { media::FORM.into() } else { media::ATTRIBUTES.into() }
}

/// By the item type; where that is vague, by name and content.
fn of_item(gopher: &Gopher, start: &[u8]) -> String {
    let row = item(gopher.item);
    let name = filename(gopher).unwrap_or_default();
    let binary = guess::is_binary(start);
    match row.kind {
        ItemKind::Menu | ItemKind::Search => media::MENU.into(),
        ItemKind::Text | ItemKind::Error | ItemKind::Info if binary => guess::by_magic(start).unwrap_or(OCTETS).into(),
        ItemKind::Text | ItemKind::Error | ItemKind::Info => media::PLAIN.into(),
        ItemKind::Unknown | ItemKind::Mirror | ItemKind::Document if row.media == OCTETS => {
            guess::of_file(&name, start)
        }
        _ if row.media.starts_with("text/") && binary => guess::by_magic(start).unwrap_or(OCTETS).into(),
        // A vague type, or octets: the name says more; the content where it says nothing.
        _ if row.media == OCTETS => match by_name(&name) {
            Some(named) if named.starts_with("text/") && binary => OCTETS.into(),
            Some(named) => named,
            None => guess::by_magic(start).unwrap_or(OCTETS).into(),
        },
        _ if row.media.ends_with('*') => {
            let family = row.media.trim_end_matches('*');
            guess::by_magic(start)
                .map(String::from)
                .or_else(|| by_name(&name))
                .filter(|found| found.starts_with(family))
                .unwrap_or_else(|| OCTETS.into())
        }
        _ => row.media.into(),
    }
}

/// The last name in the selector; a menu has none, and attributes are not what it names.
pub fn filename(gopher: &Gopher) -> Option<String> {
    let row = item(gopher.item);
    let attributes = matches!(gopher.plus.as_deref(), Some([b'!' | b'$' | b'?', ..]));
    if attributes || matches!(row.kind, ItemKind::Menu | ItemKind::Search) {
        return None;
    }
    let name = gopher.selector.rsplit(|b| matches!(b, b'/' | b'\\' | b':')).next()?;
    (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
}
