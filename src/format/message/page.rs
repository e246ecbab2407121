//! The body of a message that has parts, or is no plain text: each part in its place or as a line that leads to it.

use super::charsets::{self, Charsets};
use super::enriched::{self, Dialect};
use super::external;
use super::fields::Fields;
use super::index::{self, Index, Lead};
use super::listed::Listed;
use super::name::PartName;
use super::parameters::Parameters;
use super::text::{FileUrl, Flow, Letters, Says, Text, Whose};
use super::transfer::Transfer;
use super::tree::{DEEPEST, Kind, MOST, Tree};
use super::words;
use crate::doc::{BlockKind, Builder, Marker, Reference, sanitise};
use crate::format::Input;
use crate::format::charset::{self, Charset, Said};
use crate::format::html::TOO_LARGE;
use crate::format::plain::Articles;
use crate::format::reader::read_within;
use crate::format::{count, guess, media};
use crate::role::Role;
use crate::url::{Layer, Url, redact};
use std::sync::Arc;

/// The deepest indent of a message within a message.
const DEEPEST_INDENT: u8 = 4;

/// Writes the parts of a message.
pub(super) struct Page<'a> {
    pub tree: &'a Tree<'a>,
    pub index: &'a Index,
    pub charsets: &'a Charsets,
    pub letters: Letters,
    /// Where the message came from.
    pub url: &'a Url,
    pub message_id: Option<Vec<u8>>,
    /// On the page of a thread: whose words a quote repeats.
    pub whose: Option<Whose>,
}

/// What a part says of itself.
pub(super) struct About {
    pub content: Parameters,
    pub disposition: Parameters,
    pub description: Option<String>,
    pub encoding: String,
}

impl About {
    /// Reads a part's head.
    pub fn of(tree: &Tree, part: usize) -> About {
        let head = tree.head(part);
        let read = |name| head.get(name).map(Parameters::read).unwrap_or_default();
        About {
            content: read("content-type"),
            disposition: read("content-disposition"),
            description: head.text("content-description", None).filter(|text| !text.is_empty()),
            encoding: head.text("content-transfer-encoding", None).unwrap_or_default(),
        }
    }

    /// The name of the file that it is; encoded words are no rule there, but a custom.
    pub fn filename(&self) -> Option<String> {
        let name = self.disposition.get("filename").or_else(|| self.content.get("name"))?;
        Some(words::words(name)).filter(|name| !name.trim().is_empty())
    }

    /// The charset that it declares.
    pub fn charset(&self) -> Option<String> {
        self.content.get("charset").map(Into::into)
    }
}

impl Page<'_> {
    /// Writes everything under the message's own header.
    pub fn write(&self, out: &mut Builder) {
        self.part(0, 0, out);
        if self.tree.cut {
            out.document_mut().notes.push(format!("only the first {} parts are shown", count(MOST)));
        }
    }

    fn part(&self, part: usize, indent: u8, out: &mut Builder) {
        let entity = self.tree.get(part);
        match entity.kind {
            Kind::Message => self.message(part, indent, out),
            Kind::Multipart => self.multipart(part, indent, out),
            Kind::TooDeep => {
                self.remark(&format!("nested more than {DEEPEST} deep: not looked into"), indent, out);
                self.listed(part, &[], indent, out);
            }
            Kind::Leaf => self.leaf(part, indent, out),
        }
    }

    fn parts(&self, parts: &[usize], indent: u8, out: &mut Builder) {
        for part in parts {
            self.part(*part, indent, out);
        }
    }

    fn multipart(&self, part: usize, indent: u8, out: &mut Builder) {
        let entity = self.tree.get(part);
        let children = entity.children.as_slice();
        match (entity.media.as_str(), children) {
            (_, []) => {
                self.remark("there are no parts in this multipart: shown as text", indent, out);
                self.text(part, &About::of(self.tree, part), indent, out);
            }
            ("multipart/alternative", _) => self.alternative(children, indent, out),
            ("multipart/related", _) => {
                let root = self.root(part, children);
                self.part(root, indent, out);
                for other in children.iter().filter(|other| **other != root) {
                    self.listed(*other, &[], indent, out);
                }
            }
            ("multipart/signed", [signed, rest @ ..]) => {
                self.remark("signed; the signature is not checked", indent, out);
                self.part(*signed, indent, out);
                self.list(rest, &[], indent, out);
            }
            ("multipart/encrypted", _) => {
                self.remark("encrypted: save the parts and decrypt them with your own program", indent, out);
                self.list(children, &[], indent, out);
            }
            _ => self.parts(children, indent, out),
        }
    }

    /// The best that can be shown; the others are a link away (RFC 2046, 5.1.4).
    fn alternative(&self, children: &[usize], indent: u8, out: &mut Builder) {
        let best = children.iter().copied().max_by_key(|child| self.rank(*child)).filter(|best| self.rank(*best) > 0);
        if let Some(best) = best {
            self.part(best, indent, out);
        }
        let remark = ["the same in another form".to_owned()];
        for other in children.iter().filter(|other| Some(**other) != best) {
            self.listed(*other, &remark, indent, out);
        }
    }

    /// How well a part can be shown; plain text is shown as it was written, HTML only without its looks.
    fn rank(&self, part: usize) -> u8 {
        let mut part = part;
        loop {
            let entity = self.tree.get(part);
            let empty = || self.tree.body(part).trim_ascii().is_empty();
            return match (entity.media.as_str(), entity.children.as_slice()) {
                ("multipart/related", children @ [_, ..]) => {
                    part = self.root(part, children);
                    continue;
                }
                (_, [first, ..]) => {
                    part = *first;
                    continue;
                }
                ("text/plain", _) if !empty() => 4,
                ("text/enriched" | "text/richtext", _) => 3,
                (media::HTML | media::XHTML, _) => 2,
                (other, _) if other.starts_with("text/") => 1,
                _ => 0,
            };
        }
    }

    /// The root of a related multipart: the one that `start` names, else the first (RFC 2387, 3.2).
    fn root(&self, part: usize, children: &[usize]) -> usize {
        let content = About::of(self.tree, part).content;
        let start = content.get("start").map(|start| start.trim().trim_matches(['<', '>']).to_owned());
        let named = start.and_then(|id| self.index.by_id(id.as_bytes())).filter(|root| children.contains(root));
        named.or(children.first().copied()).unwrap_or(part)
    }

    /// A message within a message: a rule, its header, its body.
    fn message(&self, part: usize, indent: u8, out: &mut Builder) {
        let Some(inner) = self.tree.get(part).children.first().copied() else {
            return self.listed(part, &[], indent, out);
        };
        if part == 0 {
            // the outer header says no more than that there is an inner one
            return self.inner(inner, indent, 2, out);
        }
        let indent = (indent + 1).min(DEEPEST_INDENT);
        out.marked(BlockKind::Rule, Role::Rule, Marker::None, indent);
        self.inner(inner, indent, 2, out);
    }

    fn inner(&self, inner: usize, indent: u8, level: u8, out: &mut Builder) {
        let head = self.tree.head(inner);
        let said = self.says_charset(&About::of(self.tree, inner));
        let (hint, articles) = (charsets::of_head(&head, said.as_ref()), self.articles(inner));
        Fields { head: &head, hint, articles: &articles, indent }.write(level, out);
        self.part(inner, indent, out);
    }

    fn leaf(&self, part: usize, indent: u8, out: &mut Builder) {
        let about = About::of(self.tree, part);
        let media = self.tree.get(part).media.as_str();
        if part != 0 && about.disposition.value == "attachment" {
            return self.listed(part, &[], indent, out);
        }
        match media {
            media::HTML | media::XHTML => {
                self.listed(part, &[], indent, out);
                self.html(part, &about, indent, out);
            }
            "text/enriched" | "text/richtext" => {
                let dialect = if media == "text/richtext" { Dialect::Richtext } else { Dialect::Enriched };
                let plain = enriched::plain(&self.decoded(part, &about, out), dialect);
                let says =
                    Says { charset: Some("utf-8".into()), ..self.says(part, &about, Transfer::Identity, indent) };
                self.feed(part, says, plain.as_bytes(), out);
            }
            "message/external-body" => self.external(&about, indent, out),
            "message/partial" => {
                let piece = |name| about.content.get(name).unwrap_or("?");
                let remark = format!("part {} of {} of a message that was cut", piece("number"), piece("total"));
                self.remark(&remark, indent, out);
                self.text(part, &about, indent, out);
            }
            cut if cut.starts_with("multipart/") => {
                self.remark("a multipart without a boundary: shown as text", indent, out);
                self.text(part, &about, indent, out);
            }
            "text/plain" | "message/delivery-status" | "message/disposition-notification" => {
                if about.filename().is_some() && part != 0 {
                    self.listed(part, &[], indent, out);
                }
                self.text(part, &about, indent, out);
            }
            text if guess::is_textual(text) || part == 0 && text.starts_with("message/") => {
                self.listed(part, &[], indent, out);
                self.text(part, &about, indent, out);
            }
            _ => self.listed(part, &[], indent, out),
        }
    }

    /// A part as the page that it would be, by its own bases; what it shows besides its text is a link away.
    fn html(&self, part: usize, about: &About, indent: u8, out: &mut Builder) {
        let charset = self.says_charset(about);
        let (octets, charset) = for_html(Transfer::of(&about.encoding).0.whole(self.tree.body(part)), charset);
        // of a mail nothing is read again, so XHTML is not tried as XML
        let input = Input {
            media: media::HTML.into(),
            charset,
            url: self.url.clone(),
            groups: Default::default(),
            notices: Vec::new(),
        };
        let Some(mut parser) = crate::format::parser(&input) else { return };
        let mut inner = Builder::new();
        // What is written here is there, and what is made of it.
        let whole = read_within(parser.as_mut(), &octets, &mut inner, out.room() / 2);
        let mut inner = inner.finish();
        if !whole && !inner.notes.iter().any(|note| note == TOO_LARGE) {
            inner.notes.push(TOO_LARGE.into());
        }
        let (mut bases, mut shown) = (self.index.bases(part), self.index.shown(self.tree, part));
        if let Some(base) = &inner.base {
            // a base that is none leaves the outer ones in force
            let _ = bases.set_document_base(base);
            shown.set(Layer::Document, bases.get(Layer::Document).cloned());
        }
        out.document_mut().notes.append(&mut inner.notes);
        out.insert(inner, indent, shown, |reference| match self.index.lead(self.tree, part, &bases, reference) {
            Lead::Part(url) | Lead::Url(url) => Reference { written: url.to_string(), leads: true },
            Lead::Fragment => Reference { written: reference.into(), leads: true },
            Lead::Nowhere => Reference { written: reference.into(), leads: false },
        });
    }

    /// The articles that the header of the message around a part names.
    fn articles(&self, part: usize) -> Arc<Articles> {
        let is_message = |at: &usize| self.tree.get(*at).parent.is_none_or(|p| self.tree.get(p).kind == Kind::Message);
        let message = self.tree.outward(part).find(is_message).unwrap_or(0);
        Arc::new(self.tree.head(message).articles(self.url))
    }

    /// What is said of a part's charset.
    fn says_charset(&self, about: &About) -> Option<Said> {
        self.charsets.of_part(about.content.get("charset"))
    }

    fn says(&self, part: usize, about: &About, transfer: Transfer, indent: u8) -> Says {
        let charset = self.says_charset(about);
        let flow = Flow::of(&about.content);
        let (articles, whose) = (self.articles(part), self.whose.clone());
        let parts = if self.whose.is_none() { self.tree.head(0).parts() } else { None };
        Says { transfer, charset, flow, indent, letters: self.letters, articles, whose, parts }
    }

    fn text(&self, part: usize, about: &About, indent: u8, out: &mut Builder) {
        let (transfer, known) = Transfer::of(&about.encoding);
        if !known {
            self.remark(&format!("the encoding \"{}\" is not known", about.encoding), indent, out);
        }
        self.feed(part, self.says(part, about, transfer, indent), self.tree.body(part), out);
    }

    fn feed(&self, part: usize, says: Says, octets: &[u8], out: &mut Builder) {
        let PartName::Number(place) = self.tree.name(part) else { return };
        let mut text = Text::new(says, file_url(place, self.message_id.clone()));
        text.feed(octets, out);
        text.finish(out);
    }

    /// A part's text, for formats that need it whole.
    fn decoded(&self, part: usize, about: &About, out: &mut Builder) -> String {
        let octets = Transfer::of(&about.encoding).0.whole(self.tree.body(part));
        let mut decoder = charset::Decoder::by(charset::Judge::in_mail(self.says_charset(about).as_ref()));
        let mut text = String::new();
        decoder.feed(&octets, &mut text);
        decoder.finish(&mut text);
        decoder.tell(out.document_mut());
        text
    }

    /// A body that is elsewhere; the part's body is the head that it will have.
    fn external(&self, about: &About, indent: u8, out: &mut Builder) {
        let access = about.content.get("access-type").unwrap_or_default();
        out.marked(BlockKind::Entry, Role::Text, Marker::Url, indent);
        match external::url(&about.content) {
            Some(url) => {
                let name = about.content.get("name").or(about.description.as_deref()).unwrap_or(url.as_str());
                out.link(&sanitise(name), Role::Link, url.as_str());
                out.styled("  the body of this part is there", Role::Dim);
            }
            None => {
                let words = about.content.get("name").or(about.content.get("url")).unwrap_or_default();
                let words = format!("the body of this part is elsewhere, by \"{access}\": {words}");
                out.styled(&sanitise(&words), Role::Warning);
            }
        }
    }

    fn list(&self, parts: &[usize], remarks: &[String], indent: u8, out: &mut Builder) {
        for part in parts {
            self.listed(*part, remarks, indent, out);
        }
    }

    fn listed(&self, part: usize, remarks: &[String], indent: u8, out: &mut Builder) {
        let about = About::of(self.tree, part);
        let entity = self.tree.get(part);
        let name = about.filename().or(about.description.clone()).unwrap_or_else(|| self.unnamed(part));
        let url = self.index.url(self.tree, part).map(|url| url.to_string()).unwrap_or_default();
        let size = Transfer::of(&about.encoding).0.size(self.tree.body(part));
        Listed { name: name.trim(), media: &entity.media, size, remarks, url: &url, indent }.write(out);
    }

    /// What a part without a name is called: the subject of a message, the address that it was kept from, else its place.
    fn unnamed(&self, part: usize) -> String {
        let inner = self.tree.get(part).children.first().filter(|_| self.tree.get(part).kind == Kind::Message);
        let subject = inner.and_then(|inner| self.tree.head(*inner).text("subject", None));
        let location = || index::address(&self.tree.head(part), "content-location").map(|url| redact(&url));
        subject.or_else(location).unwrap_or_else(|| match part {
            0 => "the body".into(),
            part => self.tree.name(part).to_string().replacen("part-", "part ", 1),
        })
    }

    fn remark(&self, text: &str, indent: u8, out: &mut Builder) {
        out.marked(BlockKind::Line, Role::Warning, Marker::None, indent);
        out.text(&sanitise(text));
    }
}

/// HTML in a charset that only messages have, in one that HTML has too.
pub(super) fn for_html(octets: Vec<u8>, charset: Option<Said>) -> (Vec<u8>, Option<Said>) {
    match charset.as_ref().and_then(|said| charset::in_mail(&said.name)) {
        Some(utf7 @ Charset::Utf7) => (utf7.decode(&octets).into_owned().into_bytes(), Some("utf-8".into())),
        _ => (octets, charset),
    }
}

/// What gives the files inside a text their URLs.
pub(super) fn file_url(place: Vec<u32>, message_id: Option<Vec<u8>>) -> FileUrl {
    Box::new(move |file| {
        let name = if file == 0 { PartName::Joined } else { PartName::File(place.clone(), file) };
        // Of a message without an id nobody knows where the other parts are.
        let url = name.url(message_id.as_deref());
        url.map(|url| url.to_string()).unwrap_or_default()
    })
}
