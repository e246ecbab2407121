//! The links of a printed page (`--links`): one valid URL a line, and what leads nowhere with its reason.

use super::check::Lines;
use crate::app::Veil;
use crate::doc::{Document, LinkId, sanitise};
use crate::format::Input;
use crate::url::Resolved;
use crate::url::escape::make_safe;
use crate::url::{BaseStack, Layer, Url, redact};
use std::collections::HashSet;

/// The links of a page in the order of its text.
pub(super) struct Links {
    /// Each as it is printed, or why it leads nowhere; `None` for the head of a fold, which is no link to anywhere.
    all: Vec<Option<Result<String, String>>>,
}

impl Links {
    /// Resolves them all, with stars for what `veil` hides; `source` is what the page was read from, to say in which line a link is that leads nowhere.
    pub(super) fn new(document: &Document, bases: &BaseStack, veil: &Veil, source: Option<(&Input, &[u8])>) -> Links {
        let mut lines = source.map(|(input, octets)| Lines::new(input, octets));
        let heads: HashSet<LinkId> = document.folds.iter().map(|fold| fold.head).collect();
        let all = (0..document.link_count()).map(LinkId).map(|link| {
            let reference = document.reference(link).unwrap_or_default();
            if reference.is_empty() && heads.contains(&link) {
                return None;
            }
            let line = lines.as_mut().and_then(|lines| lines.of(reference));
            let shown = |url: Url| written(&veil.url(&url).unwrap_or(url));
            Some(absolute(reference, bases).map(shown).map_err(|why| {
                let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
                format!("{place}the link \"{}\" leads nowhere: {why}", sanitise(&veil.reference(&redact(reference))))
            }))
        });
        Links { all: all.collect() }
    }

    /// The number of a link among those that are printed, from 1; `None` for one that leads nowhere.
    pub(super) fn numbers(&self) -> Vec<Option<usize>> {
        let mut last = 0;
        let number = |link: &Option<Result<String, String>>| {
            let leads = matches!(link, Some(Ok(_)));
            last += usize::from(leads);
            leads.then_some(last)
        };
        self.all.iter().map(number).collect()
    }

    /// The URLs.
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flatten().filter_map(|link| link.as_deref().ok())
    }

    /// What leads nowhere, in sentences.
    pub(super) fn dead(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flatten().filter_map(|link| link.as_ref().err().map(String::as_str))
    }
}

/// Where a reference leads, places on the page itself too.
fn absolute(reference: &str, bases: &BaseStack) -> Result<Url, String> {
    match bases.resolve(reference).map_err(|error| error.to_string())? {
        Resolved::Url(url) => Ok(url),
        same => match bases.get(Layer::Retrieval) {
            Some(page) => Ok(same.url_in(page)),
            None => Err("it is a place on this page, and the page has no address".into()),
        },
    }
}

/// A URL as programs take it: escaped where it has to be, names of hosts beyond ASCII in Punycode, passwords hidden.
fn written(url: &Url) -> String {
    let shown = make_safe(&url.redacted());
    let ascii =
        url.host().filter(|host| !host.is_ascii()).and_then(|host| Some((host, idna::domain_to_ascii(host).ok()?)));
    let shown = match ascii {
        Some((host, ascii)) => shown.replacen(host, &ascii, 1),
        None => shown,
    };
    sanitise(&shown).into_owned()
}
