//! The list that the reader came from: which of its items the page in view is, and the next and the one before.
//!
//! The list is the page before this one in the tab's path, and its items are the links of the kind of the one that was followed:
//! items of one type in gopher space, files or folders of a directory, and where it is the only one of these whatever else can be
//! read; on other pages the first links of the entries around it, as
//! far as nothing but entries stands between them, and none of what stands around the content. Their order is that of the screen.
//! Whatever is asked of a list is one pass over its links as they are written; none is resolved but the one that was followed.

use crate::app::Among;
use crate::app::motion::focus;
use crate::app::state::Cx;
use crate::app::{Entry, Listed, Opening, Page, Sight, Way};
use crate::doc::index;
use crate::doc::{Anchor, Block, BlockKind, Document, Fold, LinkId, Marker};
use crate::url::scheme::{self, Family};
use std::ops::Range;
use std::sync::Arc;

/// Items before and behind one that are taken along with it.
const CARRIED: usize = 1000;

/// What the links of a list have in common.
struct Kind<'a> {
    document: &'a Document,
    /// The one that was followed.
    link: LinkId,
    /// The entry that it begins.
    block: Block,
    /// The entries of the list, and what belongs to them.
    blocks: Range<u32>,
    /// They are of gopher space, where a type stands before each selector.
    typed: bool,
    /// As far as a reference as written tells: scheme and type, or whether it is a folder.
    names: (&'a str, char),
    /// It is the only one of its type there, and whatever else can be read is an item.
    alone: bool,
}

/// The list that led to the place in view, and the link that leads to it: the one that was followed, else the one under focus.
fn list(sight: Sight<'_>) -> Option<(&Entry, Kind<'_>)> {
    let before = sight.tab.history.get(sight.tab.at.checked_sub(1)?)?;
    let entry = sight.entry()?;
    let (page, document) = (before.page.as_deref()?, before.document()?);
    let came = entry.hops.first().map_or(&entry.url, |hop| &hop.from).without_fragment();
    let followed = entry.among.and_then(|among| page.shown_link(among.link));
    let leads =
        |link: &LinkId| document.link_url(*link, &before.bases).filter(|target| target.without_fragment() == came);
    let (link, target) = [followed, before.focus].into_iter().flatten().find_map(|link| Some((link, leads(&link)?)))?;
    Some((before, Kind::of(before, document, link, scheme::family(&target) == Family::Gopher)?))
}

/// Whether a block is an entry of a list.
fn is_entry(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Entry | BlockKind::Row | BlockKind::Item(_)) || block.marker != Marker::None
}

/// Whether two entries can be of one list: however wide their numbers are.
fn alike(one: &Block, other: &Block) -> bool {
    let kinds = matches!((one.kind, other.kind), (BlockKind::Item(_), BlockKind::Item(_))) || one.kind == other.kind;
    kinds && one.indent == other.indent
}

impl<'a> Kind<'a> {
    fn of(list: &Entry, document: &'a Document, link: LinkId, typed: bool) -> Option<Kind<'a>> {
        let number = document.link_anchor(link)?.block;
        let names = named(document.reference(link)?, typed)?;
        let block = *document.blocks().get(number as usize)?;
        let begins = document.link_from(document.block_range(number).start) == link;
        let aside = |fold: &Fold| fold.kind.is_aside() && (fold.first..fold.end).contains(&number);
        let around = list.page.as_deref().is_some_and(|page| page.given().folds.iter().any(aside));
        if list.is_list() {
            let blocks = 0..u32::MAX;
            let kind = Kind { document, link, block, blocks, typed, names, alone: false };
            let alone = kind.items().nth(1).is_none();
            return Some(Kind { alone, ..kind });
        }
        if around || !begins || !is_entry(&block) {
            return None;
        }
        let belongs = |at: &u32| {
            document.blocks().get(*at as usize).is_some_and(|other| {
                let entry = other.indent == block.indent && is_entry(other);
                entry || other.indent > block.indent || document.block_text(*at).trim().is_empty()
            })
        };
        let first = (0..number).rev().take_while(belongs).last().unwrap_or(number);
        let end = (number..).take_while(belongs).last().unwrap_or(number) + 1;
        Some(Kind { document, link, block, blocks: first..end, typed, names, alone: false })
    }

    /// Whether a link is an item of the list.
    fn has(&self, link: LinkId) -> bool {
        let names = self.document.reference(link).and_then(|reference| named(reference, self.typed));
        let is_one = |names: (&str, char)| names == self.names || self.alone && is_page(names, self.names.0);
        names.is_some_and(is_one)
            && self.document.link_anchor(link).is_some_and(|anchor| {
                let other = self.document.blocks().get(anchor.block as usize);
                let begins = self.document.link_from(self.document.block_range(anchor.block).start) == link;
                self.blocks.contains(&anchor.block) && begins && other.is_some_and(|other| alike(other, &self.block))
            })
    }

    fn items(&self) -> impl DoubleEndedIterator<Item = LinkId> {
        (0..self.document.link_count()).map(LinkId).filter(|link| self.has(*link))
    }
}

/// Whether it is of a type that is read and not asked for words, and of this scheme.
fn is_page((scheme, kind): (&str, char), of: &str) -> bool {
    scheme == of && matches!(kind, '0' | '1' | 'h' | '/' | ' ')
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

/// The list in view with a link of it, for a tab where that link opens; items that are far from it are left behind.
pub(in crate::app) fn carried(sight: Sight<'_>, link: LinkId) -> Option<Arc<Listed>> {
    let entry = sight.entry()?;
    let document = entry.document()?;
    let target = document.link_url(link, &entry.bases)?;
    carry(entry, &Kind::of(entry, document, link, scheme::family(&target) == Family::Gopher)?)
}

/// The list that led to the place in view, for another place on the same page.
pub(super) fn list_of(sight: Sight<'_>) -> Option<Arc<Listed>> {
    match &sight.entry()?.listed {
        Some(listed) => Some(Arc::clone(listed)),
        None => list(sight).and_then(|(list, kind)| carry(list, &kind)),
    }
}

fn carry(list: &Entry, kind: &Kind<'_>) -> Option<Arc<Listed>> {
    let items: Vec<LinkId> = kind.items().collect();
    let at = items.iter().position(|item| *item == kind.link)?;
    let from = at.saturating_sub(CARRIED);
    let of = |item: &LinkId| {
        let reference = kind.document.reference(*item).unwrap_or_default();
        (reference.to_owned(), focus::called(kind.document, *item))
    };
    let items: Arc<[_]> = items[from..].iter().take(2 * CARRIED).map(of).collect();
    (items.len() > 1).then(|| Arc::new(Listed { bases: list.bases.clone(), items, at: at - from }))
}

/// The link of the list behind the place in view that led there, as the list was written; `None` where that is no page to go along.
pub(in crate::app) fn came(sight: Sight<'_>) -> Option<LinkId> {
    let entry = sight.entry().filter(|entry| !entry.is_list())?;
    let before = sight.tab.history.get(sight.tab.at.checked_sub(1)?).filter(|before| before.is_list())?;
    // Which article of a group is read, the group says by its focus.
    let of_group = || before.given_focus().filter(|_| entry.page.as_deref().is_some_and(Page::is_article));
    list(sight).and_then(|(list, kind)| list.given_link(kind.link)).or_else(of_group)
}

/// Where the place in view stands in the list that led there; `None` where none did, or it is the only item.
fn among(sight: Sight<'_>) -> Option<Among> {
    if let Some(listed) = &sight.entry()?.listed {
        return Some(Among { at: index(listed.at + 1), of: index(listed.items.len()), link: LinkId(0) });
    }
    let (list, kind) = list(sight)?;
    let link = list.given_link(kind.link)?;
    let (mut at, mut of) = (0, 0);
    for item in kind.items() {
        of += 1;
        at += u32::from(item <= kind.link);
    }
    (of > 1).then_some(Among { at, of, link })
}

/// What opens the item of the list after the one in view, or the one before it. It takes the place of the one in view, so that one
/// step back is the list; unless something was filled in there, which would be lost.
pub(in crate::app) fn beside(sight: Sight<'_>, next: bool) -> Option<Opening> {
    let entry = sight.entry()?;
    // Of a page that has two places the reader goes back to the one where they were.
    let before = sight.tab.at.checked_sub(1).and_then(|at| sight.tab.history.get(at));
    let steps = before.is_some_and(|before| before.url.without_fragment() == entry.url.without_fragment());
    let (way, led) = (if entry.filled.is_empty() && !steps { Way::Instead } else { Way::New }, entry.led.clone());
    if let Some(listed) = &entry.listed {
        let (listed, url, named) = listed.beside(next)?;
        return Some(Opening { way, named, led, listed: Some(Arc::new(listed)), ..Opening::followed(url) });
    }
    let (list, kind) = list(sight)?;
    let item = match next {
        true => kind.items().find(|item| *item > kind.link),
        false => kind.items().rev().find(|item| *item < kind.link),
    }?;
    let url = kind.document.link_url(item, &list.bases)?;
    let named = focus::called(kind.document, item);
    // The page that was filled in stands between then.
    let listed = (way == Way::New).then(|| carry(list, &Kind { link: item, ..kind })).flatten();
    Some(Opening { way, named, listed, item: Some(item), led, ..Opening::followed(url) })
}

/// The item of the list in view after a link of it, or the one before, of those that are wanted.
pub(in crate::app) fn after(
    sight: Sight<'_>,
    link: LinkId,
    next: bool,
    wanted: impl Fn(LinkId) -> bool,
) -> Option<LinkId> {
    let entry = sight.entry()?;
    let document = entry.document()?;
    let typed = scheme::family(&document.link_url(link, &entry.bases)?) == Family::Gopher;
    let kind = Kind::of(entry, document, link, typed)?;
    match next {
        true => kind.items().find(|item| *item > link && wanted(*item)),
        false => kind.items().rev().find(|item| *item < link && wanted(*item)),
    }
}

/// The item that has come is the one of its list that the reader stands on, and will find in view when they go back.
pub(super) fn arrived(cx: &mut Cx<'_>, item: Option<LinkId>) {
    let rows = u32::try_from(cx.page_rows()).unwrap_or(u32::MAX);
    let before = cx.tab.at.checked_sub(1).and_then(|at| cx.tab.history.get_mut(at));
    if let (Some(item), Some(list)) = (item, before)
        && let Some(Anchor { block, .. }) = list.document().and_then(|document| document.link_anchor(item))
    {
        list.focus = Some(item);
        if block < list.top.block || block >= list.top.block.saturating_add(rows) {
            list.top = Anchor { block: block.saturating_sub(rows / 2), offset: 0 };
        }
    }
    let among = among(cx.sight());
    if let Some(entry) = cx.entry_mut() {
        entry.among = among;
    }
}
