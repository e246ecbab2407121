//! `message/rfc822` and its kin → `Document`: news articles and mails (RFC 5322, 5536; MIME: RFC 2045–2049, 2231, 2387, 2557,
//! 3676; uuencode, yEnc). Also messages in messages, multiparts with a head of their own, and multiparts that begin with
//! their boundary.
//!
//! The header is written as soon as its empty line has come, and a body of plain text as it comes. Anything else is kept (up
//! to [`LONGEST`]) and read at the end. What is broken is shown as it is; nothing is decoded that the page does not show.
//!
//! Parts that are not shown in their place are links, see [`PartName`]; whoever has the octets of the message opens and saves
//! them by [`part`], and finds what a URL in a part means by [`resolve`].
//!
//! `<name@host>` in a text is an article when it looks like an id, when the words before it say so, or when the header of
//! its message names it (References, In-Reply-To, …: NEWS-07); else an address.
//! Refuses: fetching what is not in the message, checking signatures, decrypting.

mod address;
mod charsets;
pub mod conversation;
mod encoded;
mod enriched;
mod external;
mod fields;
mod files;
mod frames;
mod head;
mod index;
pub mod joined;
mod listed;
mod name;
mod octet_lines;
mod outline;
mod page;
mod parameters;
mod place;
mod quotable;
mod signed;
mod text;
mod transfer;
mod tree;
mod uuencode;
mod words;
mod yenc;

pub use words::words;

pub use encoded::{Encoded, encoded};
pub use name::PartName;
pub use outline::{Outlined, outline};
pub use quotable::original;
pub use signed::{Signed, is_not_looked_at, signed, signed_in_clear};

pub(super) use self::place::Place;
pub(super) use self::transfer::value;

use self::charsets::Charsets;
use self::fields::Fields;
use self::files::Files;
use self::head::Head;
use self::index::Index;
use self::page::{About, Page, file_url};
use self::parameters::Parameters;
use self::text::{Flow, Letters, Says, Text};
use self::transfer::Transfer;
use self::tree::{Kind, Tree};
use super::charset::Said;
use super::{Input, Parser, charset, media};
use crate::doc::Builder;
use crate::url::{EntityBase, Siblings, Url};
use std::sync::Arc;

/// How much of a message with parts is read, in octets.
pub const LONGEST: usize = 128 * 1024 * 1024;

/// What an octet of a header takes while that is read, in octets.
const HEAD: usize = 8;

/// Whether a media type is read here.
pub fn is_message(media: &str) -> bool {
    media.starts_with("message/") || media.starts_with("multipart/")
}

/// Letters rotated by 13, which is what they were before, if they were rotated; everything else as it is.
pub fn rot13(text: &str) -> String {
    let turn = |c: char, first: u8| (first + (c as u8 - first + 13) % 26) as char;
    text.chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            other => other,
        })
        .collect()
}

/// A part of a message, taken out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its media type, lower case, without parameters.
    pub media: String,
    /// The charset that it declares.
    pub charset: Option<String>,
    /// The name that it gives its file, as remote text: to be sanitised before it is shown, and made safe before it is used.
    pub filename: Option<String>,
    /// Its octets, transfer encoding undone. Parts that hold parts come with their head, messages as they are.
    pub octets: Vec<u8>,
    /// The base that the headings of the message give it (BASE-04, BASE-05).
    pub base: Option<EntityBase>,
    /// What it can lead to within the message.
    pub siblings: Option<Siblings>,
}

/// The id of a message, without the brackets.
pub fn message_id(octets: &[u8]) -> Option<Vec<u8>> {
    let end = head::end(octets, &mut 0).map_or(octets.len().min(head::LONGEST), |end| end.head);
    Head::read(&octets[..end]).id("message-id")
}

/// The part of a message with a name. `retrieval` is where the message came from.
pub fn part(octets: &[u8], name: &PartName, retrieval: &Url) -> Option<Part> {
    let tree = Tree::read(octets);
    let index = Index::new(&tree, retrieval);
    match index.find(&tree, name)? {
        (part, 0) => Some(take(&tree, &index, part)),
        (part, file) => take_file(&tree, part, file, index.base(part).cloned()),
    }
}

/// The message of an id that stands within a message. `retrieval` is where the outer one came from.
pub fn inner(octets: &[u8], id: &[u8], retrieval: &Url) -> Option<Part> {
    let tree = Tree::read(octets);
    let holds = |part: &usize| {
        let entity = tree.get(*part);
        let inner = entity.children.first().filter(|_| entity.kind == Kind::Message);
        inner.is_some_and(|inner| tree.head(*inner).id("message-id").as_deref() == Some(id))
    };
    let found = (0..tree.len()).find(holds)?;
    Some(take(&tree, &Index::new(&tree, retrieval), found))
}

/// A part as it is without its encoding.
fn take(tree: &Tree, index: &Index, part: usize) -> Part {
    let about = About::of(tree, part);
    let base = index.base(part).cloned();
    let siblings = index.siblings(tree, part);
    let entity = tree.get(part);
    let transfer = Transfer::of(&about.encoding).0;
    let octets = match entity.kind {
        Kind::Multipart => tree.whole(part).to_vec(),
        _ => transfer.whole(tree.body(part)),
    };
    Part { media: entity.media.clone(), charset: about.charset(), filename: about.filename(), octets, base, siblings }
}

/// A file inside the text of a part.
fn take_file(tree: &Tree, part: usize, wanted: u32, base: Option<EntityBase>) -> Option<Part> {
    let mut transfer = Transfer::of(&About::of(tree, part).encoding).0;
    let mut files = Files::new(wanted);
    let mut found = Vec::new();
    let mut each = |piece: files::Piece| {
        if let files::Piece::File(file) = piece {
            found.push(file);
        }
    };
    transfer.feed(tree.body(part), &mut |octets| files.feed(octets, &mut each));
    transfer.finish(&mut |octets| files.feed(octets, &mut each));
    files.finish(&mut each);
    let file = found.into_iter().nth(usize::try_from(wanted).ok()?.checked_sub(1)?)?;
    let filename = words::raw(&file.name, None);
    let media = listed::media_of(&filename);
    Some(Part { media, charset: None, filename: Some(filename), octets: files.kept(), base, siblings: None })
}

/// The part that an absolute URL in a part means, if it is in the message: `cid:` and `mid:` by Content-ID or place, others
/// by Content-Location within the same multipart/related (RFC 2557, 8). `retrieval` is where the message came from.
pub fn resolve(octets: &[u8], from: &PartName, url: &Url, retrieval: &Url) -> Option<PartName> {
    let tree = Tree::read(octets);
    let index = Index::new(&tree, retrieval);
    let (from, _) = index.find(&tree, from)?;
    match index.resolve(&tree, from, url)? {
        (part, 0) => Some(index.name(&tree, part)),
        (part, file) => match tree.name(part) {
            PartName::Number(place) => Some(PartName::File(place, file)),
            other => Some(other),
        },
    }
}

/// What has come so far.
enum Stage {
    /// The header, whose lines are seen up to an octet.
    Head(usize),
    /// A body of plain text.
    Text(Box<Text>),
    /// Something that is read when it is whole.
    Whole,
}

/// Reads a message.
pub struct Message {
    charset: Option<Said>,
    groups: charset::Groups,
    url: Url,
    letters: Letters,
    stage: Stage,
    held: Vec<u8>,
    cut: bool,
}

impl Message {
    /// A parser for one message. The charset of `input` goes before what parts declare where the reader chose it, behind it where
    /// the settings name it for texts that say nothing.
    pub fn new(input: &Input) -> Message {
        let letters = if input.media == media::MESSAGE_ROT13 { Letters::Rotated } else { Letters::AsTheyAre };
        let (charset, groups, url) = (input.charset.clone(), input.groups.clone(), input.url.clone());
        Message { charset, groups, url, letters, stage: Stage::Head(0), held: Vec::new(), cut: false }
    }

    /// What is said of the charsets of the parts of the message with this header.
    fn charsets(&self, head: &Head) -> Charsets {
        Charsets::of(self.charset.as_ref(), &self.groups, head)
    }

    fn hold(&mut self, octets: &[u8]) {
        let room = LONGEST.saturating_sub(self.held.len());
        self.held.extend_from_slice(&octets[..octets.len().min(room)]);
        self.cut |= octets.len() > room || self.held.len() > LONGEST;
        self.held.truncate(LONGEST);
    }

    /// Writes the header, if it is whole, and decides how the body is read.
    fn try_head(&mut self, out: &mut Builder) {
        let Stage::Head(scanned) = &mut self.stage else { return };
        if self.held.len() < 3 && b"--".starts_with(&self.held[..self.held.len().min(2)]) {
            return;
        }
        if tree::is_headless(&self.held) {
            self.stage = Stage::Whole;
            return self.hold(b"");
        }
        let Some(end) = head::end(&self.held, scanned) else { return };
        let held = std::mem::take(&mut self.held);
        match self.head(&held[..end.head], out) {
            Some(mut text) => {
                text.feed(&held[end.body..], out);
                self.stage = Stage::Text(Box::new(text));
            }
            None => {
                self.held = held;
                self.stage = Stage::Whole;
                self.hold(b"");
            }
        }
    }

    /// The base that the message's own header gives to all that is in it.
    fn entity(&self, head: &Head, octets: &[u8]) -> Option<EntityBase> {
        head.get("content-base").or(head.get("content-location"))?;
        let tree = Tree::read(octets);
        Index::new(&tree, &self.url).base(0).cloned()
    }

    /// Writes the header; gives the body's reader, if that is plain text.
    fn head(&self, octets: &[u8], out: &mut Builder) -> Option<Text> {
        let head = Head::read(octets);
        let content = head.get("content-type").map(Parameters::read).unwrap_or_default();
        let said = self.charsets(&head).of_part(content.get("charset"));
        let (hint, articles) = (charsets::of_head(&head, said.as_ref()), head.articles(&self.url));
        Fields { head: &head, hint, articles: &articles, indent: 0 }.write(1, out);
        out.document_mut().entity = self.entity(&head, octets);
        if octets.len() >= head::LONGEST {
            out.document_mut()
                .notes
                .push("the header is longer than 1 MiB; the rest of it is taken for the body".into());
        }
        let encoding = head.text("content-transfer-encoding", None).unwrap_or_default();
        let (transfer, known) = Transfer::of(&encoding);
        let plain = content.value == media::PLAIN || !content.value.contains('/');
        if !plain || !known {
            return None;
        }
        let (flow, articles) = (Flow::of(&content), Arc::new(articles));
        let parts = head.parts();
        let says =
            Says { transfer, charset: said, flow, indent: 0, letters: self.letters, articles, whose: None, parts };
        Some(Text::new(says, file_url(vec![1], head.id("message-id"))))
    }
}

impl Parser for Message {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        match &mut self.stage {
            Stage::Text(text) => text.feed(octets, out),
            Stage::Whole => self.hold(octets),
            Stage::Head(_) => {
                self.held.extend_from_slice(octets);
                self.try_head(out);
            }
        }
    }

    fn finish(&mut self, out: &mut Builder) {
        match std::mem::replace(&mut self.stage, Stage::Whole) {
            Stage::Text(mut text) => text.finish(out),
            // no empty line: all of it is header
            Stage::Head(_) => {
                let held = std::mem::take(&mut self.held);
                drop(self.head(&held, out));
            }
            Stage::Whole => {
                let held = std::mem::take(&mut self.held);
                let tree = Tree::read(&held);
                let index = Index::new(&tree, &self.url);
                let message_id = tree.head(0).id("message-id");
                let (charsets, letters) = (&self.charsets(&tree.head(0)), self.letters);
                let whose = None;
                Page { tree: &tree, index: &index, charsets, letters, url: &self.url, message_id, whose }.write(out);
            }
        }
        if self.cut {
            out.document_mut().cut = Some("only the first 128 MiB of a message are read".into());
        }
    }

    fn memory(&self) -> usize {
        let more = match &self.stage {
            Stage::Text(text) => text.memory(),
            Stage::Head(_) => self.held.len() * HEAD,
            Stage::Whole => 0,
        };
        self.held.capacity() + more
    }
}
