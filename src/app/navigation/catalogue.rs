//! Recursive listings (`ls-lR`, `find.txt`, `INDEX`) as trees: opened, looked through as one list, and read as the text that they are.
//! What only has the name of one is the text that it is.

use crate::app::state::Cx;
use crate::app::{Aim, Consent, Effect, Opening};
use crate::archive::is_catalogue;
use crate::format::{media, packed};
use crate::proto::{FetchError, Kind};
use crate::url::scheme::archive::{Archive as Named, beside, tree};
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};

/// The file of the listing that a URL is in, if its name says that it is one.
fn listing_of(url: &Url) -> Option<Url> {
    let file = Named::of(url).ok().filter(|_| scheme::family(url) == Family::Archive)?.file;
    is_catalogue(&packed::name_of(&file)).then_some(file)
}

/// Whether a folder of a listing may name a file without a question: it is below the directory in which the listing lies.
pub(super) fn is_listed(from: &Url, to: &Url) -> bool {
    let Some(folder) = listing_of(from).and_then(|file| beside(&file)) else { return false };
    let steps = escape::decode(to.path());
    let dots = steps.split(|octet| *octet == b'/').any(|step| matches!(step, b"." | b".."));
    from.path().ends_with('/') && to.as_str().starts_with(folder.as_str()) && !dots
}

/// `as catalogue`: the page in view as the tree of which it is a listing.
pub(super) fn open(cx: &mut Cx<'_>) -> Vec<Effect> {
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).filter(|page| !page.is_error());
    let inside = page.and_then(|page| Named::url(&page.head.url, b"").ok()).filter(|url| scheme::plan(url).is_ok());
    match inside {
        Some(url) => cx.open(Opening { consent: Consent::Agreed, ..Opening::followed(url) }),
        None => cx.complain("this is no file that could be read as a listing of files"),
    }
    Vec::new()
}

/// `as text` in a listing: its file, as it is written. False where the page in view is in none.
pub(super) fn text(cx: &mut Cx<'_>) -> bool {
    let Some(file) = cx.entry().and_then(|entry| listing_of(&entry.url)) else { return false };
    cx.open(as_text(file.clone(), Opening::followed(file)));
    true
}

fn as_text(url: Url, opening: Opening) -> Opening {
    let (media, consent) = (Some(media::PLAIN.into()), Consent::Agreed);
    Opening { url, media, consent, told: None, mirrors: Vec::new(), ..opening }
}

/// The text to open in place of a tree, where a file was taken for a listing by its name alone and is none. Who stands in that
/// text has asked for the tree.
pub(super) fn no_tree(cx: &Cx<'_>, opening: &Opening, error: &FetchError) -> Option<Opening> {
    let page = opening.aim == Aim::Page && error.kind == Kind::Malformed;
    let file = listing_of(&opening.url).filter(|_| page)?;
    let asked = cx.entry().is_some_and(|entry| entry.url == file);
    (!asked).then(|| as_text(file, opening.clone()))
}

/// `whole-tree WORDS`: all that is below the folder of an archive or of a listing, as one list.
pub(in crate::app) fn whole_tree(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let page = cx.entry().and_then(|entry| entry.page.as_deref()).filter(|page| page.head.media == media::DIRECTORY);
    let folder = page.map(|page| page.head.url.clone()).filter(|url| scheme::family(url) == Family::Archive);
    match folder.and_then(|folder| tree(&folder, words).ok()) {
        Some(url) => cx.open(Opening::followed(url)),
        None => cx
            .say("this is no folder of an archive or of a listing (ls-lR, find); :as catalogue makes one of a listing"),
    }
    Vec::new()
}
