//! The list that the reader came from: which of its items the page in view is, and the next and the one before.
//!
//! The list is the page before this one in the tab's path, and its items are the links of the kind of the one that was followed:
//! items of one type in gopher space, files or folders of a directory, first links of entries like it on other pages. Their order
//! is that of the screen. Whatever is asked of a list is one pass over its links as they are written; none is resolved.

use crate::app::Among;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{Entry, Opening, Sight, Way};
use crate::doc::{Block, Document, LinkId};
use crate::url::scheme::{self, Family};
use std::ops::Range;

/// What the links of a list have in common.
struct Kind<'a> {
    document: &'a Document,
    /// The one that was followed.
    link: LinkId,
    /// The entry that the followed link begins; `None` where several links share one, and are the list.
    block: Option<Block>,
    within: Range<usize>,
    /// They are of gopher space, where a type stands before each selector.
    typed: bool,
    /// As far as a reference as written tells: scheme and type, or whether it is a folder.
    names: (&'a str, char),
}

/// The list that led to the place in view, and the link that was followed.
fn list(sight: Sight<'_>) -> Option<(&Entry, Kind<'_>)> {
    let before = sight.tab.history.get(sight.tab.at.checked_sub(1)?)?;
    let entry = sight.entry()?;
    let (focus, document) = (before.focus?, before.document()?);
    let target = document.link_url(focus, &before.bases)?;
    let came = entry.hops.first().map_or(&entry.url, |hop| &hop.from);
    if target.without_fragment() != came.without_fragment() {
        return None;
    }
    Some((before, Kind::of(document, focus, scheme::family(&target) == Family::Gopher)?))
}

impl<'a> Kind<'a> {
    fn of(document: &'a Document, link: LinkId, typed: bool) -> Option<Kind<'a>> {
        let number = document.link_anchor(link)?.block;
        let within = document.block_range(number);
        let first = document.link_from(within.start);
        let alone = document.link_from(within.end).0 == first.0 + 1;
        let names = named(document.reference(link)?, typed)?;
        let block = document.blocks().get(number as usize).copied().filter(|_| alone || first == link);
        Some(Kind { document, link, block, within, typed, names })
    }

    /// Whether a link is an item of the list.
    fn has(&self, link: LinkId) -> bool {
        if self.document.reference(link).and_then(|reference| named(reference, self.typed)) != Some(self.names) {
            return false;
        }
        let Some(block) = self.block else { return self.within.contains(&self.document.link_range(link).start) };
        self.document.link_anchor(link).is_some_and(|anchor| {
            let other = &self.document.blocks()[anchor.block as usize];
            let begins = self.document.link_from(self.document.block_range(anchor.block).start) == link;
            begins && (other.kind, other.indent) == (block.kind, block.indent)
        })
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = LinkId> {
        (0..self.document.link_count()).map(LinkId).filter(|link| self.has(*link))
    }
}

/// What a reference says of what it names, as it is written; `None` of what is no item: a place on the same page, the way up.
fn named(reference: &str, typed: bool) -> Option<(&str, char)> {
    let (scheme, rest) = match reference.split_once("://") {
        Some((scheme, rest)) => (scheme, rest.split_once('/').map_or("", |(_, path)| path)),
        None => ("", reference),
    };
    let inside = scheme.is_empty();
    let up = rest.trim_end_matches('/').rsplit('/').next() == Some("..");
    let elsewhere = rest.contains(':') && !rest.contains('/');
    if inside && (rest.is_empty() || rest.starts_with('#') || up || elsewhere) {
        return None;
    }
    let kind = match typed && !inside {
        // a host alone is its menu
        true => rest.chars().next().unwrap_or('1'),
        false if rest.ends_with('/') => '/',
        false => ' ',
    };
    Some((scheme, kind))
}

/// Where the place in view stands in the list that led there; `None` where none did, or it is the only item.
fn among(sight: Sight<'_>) -> Option<Among> {
    let (_, kind) = list(sight)?;
    let (mut at, mut of) = (0, 0);
    for item in kind.items() {
        of += 1;
        at += u32::from(item <= kind.link);
    }
    (of > 1).then_some(Among { at, of })
}

/// What opens the item of the list after the one in view, or the one before it. It takes the place of the one in view, so that one
/// step back is the list; unless something was filled in there, which would be lost.
pub(in crate::app) fn beside(sight: Sight<'_>, next: bool) -> Option<Opening> {
    let (list, kind) = list(sight)?;
    let item = match next {
        true => kind.items().find(|item| *item > kind.link),
        false => kind.items().rev().find(|item| *item < kind.link),
    }?;
    let url = kind.document.link_url(item, &list.bases)?;
    let entry = sight.entry()?;
    let way = if entry.filled.is_empty() { Way::Instead } else { Way::New };
    let named = focus::called(kind.document, item);
    Some(Opening { way, named, item: Some(item), led: entry.led.clone(), ..Opening::followed(url) })
}

/// The item that has come is the one of its list that the reader stands on.
pub(super) fn arrived(cx: &mut Cx<'_>, item: Option<LinkId>) {
    let before = cx.tab.at.checked_sub(1).and_then(|at| cx.tab.history.get_mut(at));
    if let (Some(item), Some(list)) = (item, before) {
        list.focus = Some(item);
    }
    let among = among(cx.sight());
    if let Some(entry) = cx.entry_mut() {
        entry.among = among;
    }
}
