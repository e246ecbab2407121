//! A page that was read: its links, and the places in it that have names.
//!
//! Those of HTML are read from its source, whatever a reader is shown of it; of other formats, from the document.

use super::lines::Lines;
use super::visit::{Fate, Got, Visited};
use crate::doc::{Builder, Document, LinkId};
use crate::format::html::{self, Purpose, Reference, References};
use crate::format::{self, Input, media};
use crate::shell::dump;
use crate::url::scheme;
use crate::url::{BaseStack, Url};
use std::collections::HashSet;
use std::sync::Arc;

/// A page that was read.
#[derive(Debug)]
pub(in crate::shell) struct Page {
    pub(in crate::shell) url: Url,
    pub(super) media: String,
    pub(in crate::shell) document: Document,
    pub(in crate::shell) bases: BaseStack,
    pub(super) octets: Vec<u8>,
    /// In the order of the source.
    pub(in crate::shell) links: Vec<Reference>,
    /// Links were left out.
    pub(super) left_out: Option<&'static str>,
    /// Why it is not whole, or what is odd about it.
    pub(super) cut: Option<String>,
    /// The places in it that have names.
    names: HashSet<String>,
}

impl Page {
    /// The page that octets are, if they are one.
    pub(in crate::shell) fn read(got: Got, base: Option<&Url>) -> Option<Arc<Page>> {
        let Got { head, octets, cut, .. } = got;
        let (url, media, within) = (head.url.clone(), head.media.clone(), head.within.clone());
        let input = Input {
            media: head.media,
            charset: head.charset.map(Into::into),
            url: head.url,
            groups: Default::default(),
            notices: head.notices,
        };
        let mut parser = format::parser(&input)?;
        let mut builder = Builder::new();
        // Half a line names another place than the whole one would. Half a tag is none anyway.
        let lines = cut.is_some() && !is_tagged(&media);
        let whole = memchr::memrchr(b'\n', &octets).map_or(0, |at| at + 1);
        parser.feed(if lines { &octets[..whole] } else { &octets }, &mut builder);
        parser.finish(&mut builder);
        let document = builder.finish();
        let bases = dump::bases(&dump::outer_bases(url.clone(), within.as_deref(), base), &document);
        let source = match html::is_html(&media) {
            true => html::references(&input, &octets),
            false => of_document(&document, &input, &octets),
        };
        let References { all: links, mut names, full } = source;
        names.extend(document.anchors().map(|(name, _)| name.to_owned()));
        let left_out = full.then_some("it has too many links: some were left out");
        Some(Arc::new(Page { url, media, document, bases, octets, links, left_out, cut, names }))
    }

    /// Whether it has the place that a fragment names.
    pub(super) fn place(&self, fragment: Option<&str>) -> Visited {
        // What follows these are words to be looked for, whatever names the page has (the web's text fragments).
        let fragment = fragment.map(|fragment| fragment.split(":~:").next().unwrap_or_default());
        let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) else {
            return Visited::new(Fate::Ok, "");
        };
        let decoded = String::from_utf8_lossy(&crate::url::escape::decode(fragment)).into_owned();
        let unchecked = |why: String| Visited::new(Fate::Unchecked, why);
        match self.media.as_str() {
            // browsers know this one without its being there
            _ if fragment.eq_ignore_ascii_case("top") => Visited::new(Fate::Ok, ""),
            _ if self.names.contains(fragment) || self.names.contains(&decoded) => Visited::new(Fate::Ok, ""),
            _ if self.cut.is_some() => unchecked("it may be where the page was cut".into()),
            // what a heading is called is up to whoever shows it
            "text/markdown" => unchecked("headings of Markdown have no names".into()),
            media if !is_tagged(media) => unchecked(format!("places in {media} have no names")),
            _ => {
                let why = format!("nothing there is called \"{}\"", scheme::plain(fragment));
                Visited::new(Fate::NoFragment, why)
            }
        }
    }
}

/// The links of a document. Fields of forms and folds are links without a reference.
fn of_document(document: &Document, input: &Input, octets: &[u8]) -> References {
    let mut lines = Lines::new(input, octets);
    let all = (0..document.link_count()).filter_map(|number| document.reference(LinkId(number)));
    let link = |reference: &str| Reference {
        line: lines.of(reference),
        reference: reference.to_owned(),
        purpose: Purpose::Place,
    };
    References { all: all.filter(|reference| !reference.is_empty()).map(link).collect(), ..References::default() }
}

/// Whether a media type is made of tags, not of lines.
fn is_tagged(kind: &str) -> bool {
    kind == media::HTML || kind.ends_with("xml")
}
