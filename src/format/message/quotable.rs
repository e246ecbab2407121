//! A message as something to answer: its header decoded, its text in lines and paragraphs, quote marks counted, the
//! signature and the files in it left out.

use super::address::{self, Address};
use super::enriched::{self, Dialect};
use super::files::{Files, Piece};
use super::head::{Head, ids, unfold};
use super::page::{About, for_html};
use super::text::Flow;
use super::transfer::Transfer;
use super::tree::{Kind, Tree};
use super::words;
use crate::date;
use crate::doc::sanitise;
use crate::format::charset::{self, Charset, Said};
use crate::format::media;
use crate::format::plain::TextLines;
use crate::format::plain_text::plain_text;
use crate::news::{Mailbox, Original, Quoted};
use crate::url::Url;

/// Columns of tables that are quoted.
const COLUMNS: usize = 72;
/// Answers go to no more than this; a field with more is no wish of an author.
const MOST_REPLIES: usize = 50;
/// A flowed paragraph is cut when it is this long, in octets.
const LONGEST: usize = 64 * 1024;

/// What a message says, for an answer to it. `charset` is the reader's choice and goes before what parts declare; `None` for
/// what has no author: it is no message.
pub fn original(octets: &[u8], charset: Option<&Said>, retrieval: &Url) -> Option<Original> {
    let tree = Tree::read(octets);
    let (head, part) = (tree.head(0), text_part(&tree));
    let hint = part.and_then(|part| About::of(&tree, part).charset()).and_then(|name| charset::in_mail(&name));
    let mut found = header(&head, hint)?;
    if let Some(part) = part {
        found.text = text(&tree, part, charset, retrieval);
    }
    Some(found)
}

fn header(head: &Head<'_>, hint: Option<Charset>) -> Option<Original> {
    let field = |name: &str| head.get(name).map(|value| words::raw(&unfold(value), hint));
    let written = field("from")?;
    let mut from = address::list(&written);
    // A name with a bare comma in it is cut in two; the half with the address is whoever wrote it.
    let at = from.iter().position(|one| one.address.is_some()).unwrap_or(0);
    let from = (at < from.len()).then(|| from.swap_remove(at))?;
    let wanted = field("reply-to").filter(|wanted| !wanted.trim().is_empty());
    let replies = wanted.as_deref().and_then(address::mailboxes).filter(|to| (1..=MOST_REPLIES).contains(&to.len()));
    let astray = wanted.filter(|_| replies.is_none()).unwrap_or_default();
    let author = || {
        let own = Mailbox { name: sanitise(&name_of(&from)).trim().into(), address: from.address.clone()? };
        own.is_sendable().then(|| vec![own])
    };
    let authors = address::mailboxes(&written).filter(|all| (2..=MOST_REPLIES).contains(&all.len()));
    let authors = authors.or_else(author).unwrap_or_default();
    let replies = replies.unwrap_or_else(|| authors.clone());
    let shown = |text: String| sanitise(&text).into_owned();
    let words_of = |name: &str| shown(head.text(name, hint).unwrap_or_default().trim().to_owned());
    let groups = |name: &str| words_of(name).split([',', ' ']).filter(|g| !g.is_empty()).map(Into::into).collect();
    let name = name_of(&from).trim().to_owned();
    let name = match authors.as_slice() {
        [before @ .., last] if !before.is_empty() => {
            format!("{} and {}", before.iter().map(called).collect::<Vec<_>>().join(", "), called(last))
        }
        _ if name.is_empty() && from.address.is_none() => from.text.clone(),
        _ => name,
    };
    let address = from.address.unwrap_or_default();
    let id = |id: &[u8]| String::from_utf8_lossy(id).into_owned();
    let all = |name: &str| head.get(name).map(|value| ids(value).into_iter().map(id).collect::<Vec<_>>());
    // RFC 5322, 3.6.4: In-Reply-To serves when it names one message only.
    let references = all("references").filter(|ids| !ids.is_empty());
    let references = references.or_else(|| all("in-reply-to").filter(|ids| ids.len() == 1));
    let date = words_of("date");
    Some(Original {
        name: shown(if name.is_empty() { address.clone() } else { name }),
        address: shown(address),
        authors,
        replies,
        astray: shown(astray),
        groups: groups("newsgroups"),
        followup_to: groups("followup-to"),
        subject: words_of("subject"),
        id: head.id("message-id").map(|own| id(&own)).unwrap_or_default(),
        references: references.unwrap_or_default(),
        date: date::read(date.as_bytes()).map(|date| date.to_string()).unwrap_or(date),
        text: Vec::new(),
    })
}

/// What the author of an article is called, as shown.
fn name_of(from: &Address) -> String {
    let address = from.address.as_ref().map(|address| format!("<{address}>")).unwrap_or_default();
    from.text.strip_suffix(&address).filter(|_| !address.is_empty()).unwrap_or_default().into()
}

/// One of several authors, in a line about all of them.
fn called(one: &Mailbox) -> &str {
    if one.name.is_empty() { &one.address } else { &one.name }
}

/// The part to quote: the first plain text that is no attachment, else the first text of any kind.
fn text_part(tree: &Tree<'_>) -> Option<usize> {
    let shown = |part: &usize| {
        let leaf = tree.get(*part).kind == Kind::Leaf;
        leaf && (*part == 0 || About::of(tree, *part).disposition.value != "attachment")
    };
    let media = |part: usize| tree.get(part).media.as_str();
    let plain = (0..tree.len()).filter(shown).find(|part| media(*part) == "text/plain");
    plain.or_else(|| (0..tree.len()).filter(shown).find(|part| media(*part).starts_with("text/")))
}

fn text(tree: &Tree<'_>, part: usize, chosen: Option<&Said>, retrieval: &Url) -> Vec<Quoted> {
    let about = About::of(tree, part);
    let declared = about.charset().map(Said::from);
    let charset = chosen.or(declared.as_ref()).filter(|said| charset::in_mail(&said.name).is_some());
    let octets = Transfer::of(&about.encoding).0.whole(tree.body(part));
    let mut lines = Lines { flow: Flow::of(&about.content), ..Lines::default() };
    match tree.get(part).media.as_str() {
        media::HTML | media::XHTML => {
            let (octets, charset) = for_html(octets, charset.cloned());
            let plain = plain_text(&octets, charset, retrieval, COLUMNS);
            for line in &plain.lines {
                let (depth, text) = marks(line);
                lines.push(depth, text, plain.flows);
            }
        }
        other @ ("text/enriched" | "text/richtext") => {
            let dialect = if other == "text/richtext" { Dialect::Richtext } else { Dialect::Enriched };
            enriched::plain(&decoded(&octets, charset), dialect).lines().for_each(|line| lines.line(line));
        }
        _ => plain(&octets, charset, &mut lines),
    }
    lines.finish()
}

fn decoded(octets: &[u8], charset: Option<&Said>) -> String {
    let mut decoder = charset::Decoder::by(charset::Judge::in_mail(charset));
    let mut text = String::new();
    decoder.feed(octets, &mut text);
    decoder.finish(&mut text);
    text
}

fn plain(octets: &[u8], charset: Option<&Said>, out: &mut Lines) {
    let mut files = Files::new(0);
    let mut lines = TextLines::in_mail(charset);
    let mut each = |piece: Piece| {
        if let Piece::Text(octets) = piece {
            lines.feed(octets, &mut |line| out.line(line));
        }
    };
    files.feed(octets, &mut each);
    files.finish(&mut each);
    lines.finish(&mut |line| out.line(line));
}

/// Lines on their way into a quote.
struct Lines {
    flow: Flow,
    done: Vec<Quoted>,
    /// The last one goes on in the next line.
    open: bool,
    signed: bool,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { flow: Flow::Fixed, done: Vec::new(), open: false, signed: false }
    }
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.signed |= line == "-- ";
        if self.signed {
            return;
        }
        match self.flow {
            Flow::Fixed => {
                let (depth, text) = marks(line);
                self.push(depth, text, false);
            }
            Flow::Flowed | Flow::DelSp => self.flowed(line),
        }
    }

    /// RFC 3676, 4.5: quote marks, then a stuffed space, then perhaps a space that joins the next line of the same depth.
    fn flowed(&mut self, line: &str) {
        let depth = line.bytes().take_while(|b| *b == b'>').count();
        let text = &line[depth..];
        let text = text.strip_prefix(' ').unwrap_or(text);
        if text == "-- " {
            // A signature within a quote is no paragraph.
            self.open = false;
            return self.push(depth, text, false);
        }
        let soft = text.ends_with(' ');
        let text = if soft && self.flow == Flow::DelSp { &text[..text.len() - 1] } else { text };
        match self.done.last_mut().filter(|last| self.open && last.depth == depth && last.text.len() < LONGEST) {
            Some(last) => last.text.push_str(&sanitise(text)),
            None => self.push(depth, text, true),
        }
        self.open = soft;
    }

    fn push(&mut self, depth: usize, text: &str, flows: bool) {
        self.done.push(Quoted { depth, text: sanitise(text).into_owned(), flows });
    }

    fn finish(self) -> Vec<Quoted> {
        self.done
    }
}

/// How deep a line is quoted by `>`, however they are spaced, and what follows the marks.
fn marks(line: &str) -> (usize, &str) {
    // mailboxes write a line that begins with "From " so
    if line.starts_with(">From ") {
        return (0, line);
    }
    let (mut depth, mut rest) = (0, line);
    while let Some(next) = rest.strip_prefix('>').or_else(|| rest.strip_prefix(" >").filter(|_| depth > 0)) {
        (depth, rest) = (depth + 1, next);
    }
    (depth, if depth > 0 { rest.strip_prefix(' ').unwrap_or(rest) } else { rest })
}
