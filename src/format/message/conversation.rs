//! `application/x-wayfarer-thread` → `Document`: the articles of a thread, one below the other (NEWS-09).
//!
//! Where an article ends, the count of octets before it says, and heads stand at the margin where nothing that an article says can
//! stand: it is indented, a digest or a message in it further than that. What names places in an article (HTML) names none on the
//! page. A quote is one line, closed, and leads to the article above whose own lines it repeats, as far as that is known.
//! Parts of an article that are no text lead to the article.
//! Refuses: fetching; more of a thread than comes; parts joined over articles.

use super::charsets::{self, Charsets};
use super::head::{Head, ids};
use super::index::Index;
use super::page::{About, Page};
use super::place::Place;
use super::quotable::original;
use super::text::{Letters, Whose};
use super::tree::Tree;
use crate::doc::{BlockKind, Builder, Marker, Reference, sanitise};
use crate::format::charset::{self, Said};
use crate::format::{Input, Parser, count};
use crate::role::Role;
use crate::url::scheme::{self, Family};
use crate::url::{BaseStack, Url};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Octets of an article.
const LONGEST: usize = 16 << 20;
/// Octets of a line before an article.
const LINE: usize = 4096;
/// Letters of a name or a subject.
const NAME: usize = 120;
/// Octets of lines by which quotes are known.
const KNOWN: usize = 16 << 20;
/// Lines of a quote that are looked for, in this many articles.
const LOOKED: usize = 12;
const ABOVE: usize = 20;
/// Letters of a line by which it can be known again.
const TELLING: usize = 6;

/// What there is of an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framed<'a> {
    /// Its octets.
    Article(&'a [u8]),
    /// Nobody has it.
    Missing,
    /// It is too long to be shown among others.
    TooLong,
}

/// An article as it stands in a thread.
pub fn framed(id: &[u8], article: Framed<'_>) -> Vec<u8> {
    let id: Vec<u8> = id.iter().copied().filter(u8::is_ascii_graphic).take(LINE / 2).collect();
    let (length, octets) = match article {
        Framed::Article(octets) => (octets.len().to_string(), octets),
        Framed::Missing => ("-".into(), b"".as_slice()),
        Framed::TooLong => ("+".into(), b"".as_slice()),
    };
    [length.as_bytes(), b"\t", &id, b"\n", octets].concat()
}

fn is_file(url: &Url) -> bool {
    scheme::family(url) == Family::File
}

/// What is to come next.
enum Next {
    Count,
    Line,
    Article(usize, Vec<u8>),
    /// What came is no thread.
    Nothing,
}

/// An article that was written.
struct Written {
    name: String,
    /// Its own lines.
    lines: Arc<HashSet<String>>,
}

/// Reads a thread.
pub struct Conversation {
    charset: Option<Said>,
    groups: charset::Groups,
    url: Url,
    next: Next,
    held: Vec<u8>,
    written: Vec<Written>,
    /// Which of them have an id.
    by_id: HashMap<Vec<u8>, usize>,
    subject: String,
    known: usize,
}

impl Conversation {
    /// A parser for one thread.
    pub fn new(input: &Input) -> Conversation {
        Conversation {
            charset: input.charset.clone(),
            groups: input.groups.clone(),
            url: input.url.clone(),
            next: Next::Count,
            held: Vec::new(),
            written: Vec::new(),
            by_id: HashMap::new(),
            subject: String::new(),
            known: 0,
        }
    }

    /// Takes what comes first of what is held; how much that was, or nothing where more must come.
    fn step(&mut self, octets: &[u8], out: &mut Builder) -> Option<usize> {
        if let Next::Article(length, _) = &self.next {
            let length = *length;
            let article = octets.get(..length)?;
            if let Next::Article(_, id) = std::mem::replace(&mut self.next, Next::Line) {
                self.article(&id, article, out);
            }
            return Some(length);
        }
        let Some(end) = memchr::memchr(b'\n', octets) else {
            if octets.len() > LINE {
                self.next = Next::Nothing;
            }
            return None;
        };
        let line = &octets[..end];
        self.next = match self.next {
            Next::Count if line.iter().all(u8::is_ascii_digit) => Next::Line,
            Next::Line => self.line(line, out),
            _ => Next::Nothing,
        };
        Some(end + 1)
    }

    fn line(&mut self, line: &[u8], out: &mut Builder) -> Next {
        let mut cells = line.splitn(2, |b| *b == b'\t');
        let (length, id) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        match length {
            b"-" => self.absent(id, "this article of the thread could not be had: ", out),
            b"+" => self.absent(id, "too long to be shown here: ", out),
            digits => {
                let length = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
                return match length.filter(|length| *length <= LONGEST) {
                    Some(length) => Next::Article(length, id.to_vec()),
                    None => Next::Nothing,
                };
            }
        }
        Next::Line
    }

    /// The reference to an article.
    fn reference(&self, id: &[u8]) -> Option<String> {
        if self.is_of_mailbox() {
            let place = std::str::from_utf8(id).ok().filter(|place| Url::parse(*place).is_ok_and(|url| is_file(&url)));
            return place.map(Into::into);
        }
        Place::of(&self.url, &Head::default()).article(id)
    }

    /// Whether it is one of a mailbox of this machine, whose messages are named by their places.
    fn is_of_mailbox(&self) -> bool {
        is_file(&self.url)
    }

    fn absent(&mut self, id: &[u8], words: &str, out: &mut Builder) {
        out.marked(BlockKind::Rule, Role::Rule, Marker::None, 0);
        out.marked(BlockKind::Line, Role::Dim, Marker::None, 0);
        out.text(words);
        let shown = sanitise(&String::from_utf8_lossy(id)).into_owned();
        match self.reference(id) {
            Some(reference) => drop(out.link(&shown, Role::Link, &reference)),
            None => out.text(&shown),
        }
    }

    fn article(&mut self, id: &[u8], octets: &[u8], out: &mut Builder) {
        let tree = Tree::read(octets);
        let (head, index) = (tree.head(0), Index::new(&tree, &self.url));
        let charsets = Charsets::of(self.charset.as_ref(), &self.groups, &head);
        let said = charsets.of_part(About::of(&tree, 0).content.get("charset"));
        let hint = charsets::of_head(&head, said.as_ref());
        let found = original(octets, self.charset.as_ref(), &self.url);
        let (name, date) = found.as_ref().map(|o| (o.name.clone(), o.date.clone())).unwrap_or_default();
        let name = if name.trim().is_empty() { "(nobody)".into() } else { shortened(&name) };
        let number = self.written.len();
        let own = self.reference(id);
        // Its place.
        if number > 0 {
            out.marked(BlockKind::Rule, Role::Rule, Marker::None, 0);
        }
        let subject = shortened(&sanitise(head.text("subject", hint).unwrap_or_default().trim()));
        let base = bare(&subject);
        if number == 0 || base != self.subject {
            let level = if number == 0 { 1 } else { 2 };
            out.marked(BlockKind::Heading(level), Role::heading(level), Marker::None, 0);
            out.text(if subject.is_empty() { "(no subject)" } else { &subject });
            if number == 0 {
                out.document_mut().entitle(&subject);
                out.begin_content();
            }
            self.subject = base;
        }
        let answered = head.get("references").or(head.get("in-reply-to")).map(ids).unwrap_or_default();
        let above = answered.iter().rev().filter_map(|id| self.by_id.get(*id).copied());
        let above: Vec<usize> = above.filter(|above| *above < number).take(ABOVE).collect();
        out.marked(BlockKind::Heading(3), Role::heading(3), Marker::None, 0);
        out.anchor(&anchor(number));
        out.link(&sanitise(&name), Role::Link, own.as_deref().unwrap_or_default());
        if let Some(parent) = above.first() {
            out.styled(" to ", Role::Dim);
            out.link(&sanitise(&self.written[*parent].name), Role::Link, &format!("#{}", anchor(*parent)));
        }
        out.styled(&format!("  {}", sanitise(&shortened(&date))), Role::Date);
        let body = self.body(&tree, &index, &charsets, &above, out.room() / 2);
        let own = own.unwrap_or_default();
        out.insert(body, 1, BaseStack::retrieved(self.url.clone(), None), |reference| {
            let part = Url::parse(reference).ok().is_some_and(|url| scheme::family(&url) == Family::Message);
            Reference { written: if part { own.clone() } else { reference.into() }, leads: true }
        });
        let mut lines = HashSet::new();
        for quoted in found.iter().flat_map(|found| &found.text).filter(|line| line.depth == 0) {
            let line = quoted.text.trim();
            if line.chars().count() >= TELLING && self.known + line.len() <= KNOWN {
                self.known += line.len();
                lines.insert(line.to_owned());
            }
        }
        let said = head.id("message-id").filter(|_| self.is_of_mailbox());
        self.by_id.insert(said.unwrap_or_else(|| id.to_vec()), number);
        self.written.push(Written { name, lines: Arc::new(lines) });
    }

    /// What an article says, without the names of its places.
    fn body(
        &self,
        tree: &Tree<'_>,
        index: &Index,
        charsets: &Charsets,
        above: &[usize],
        room: usize,
    ) -> crate::doc::Document {
        let mut inner = Builder::new();
        inner.bound(room);
        let message_id = tree.head(0).id("message-id");
        let whose = Some(self.whose(above));
        let letters = Letters::AsTheyAre;
        Page { tree, index, charsets, letters, url: &self.url, message_id, whose }.write(&mut inner);
        let mut body = inner.finish();
        body.forget_anchors();
        body
    }

    /// Knows quotes of the articles above: of the nearest of them that has half of the lines.
    fn whose(&self, above: &[usize]) -> Whose {
        let known: Vec<(String, String, Arc<HashSet<String>>)> = above
            .iter()
            .map(|at| (&self.written[*at], format!("#{}", anchor(*at))))
            .map(|(written, reference)| (written.name.clone(), reference, Arc::clone(&written.lines)))
            .collect();
        Arc::new(move |quoted| {
            let least = quoted.iter().map(|(_, depth)| *depth).min()?;
            let outer = quoted.iter().filter(|(_, depth)| *depth == least).map(|(line, _)| unquoted(line));
            let telling: Vec<&str> = outer.filter(|line| line.chars().count() >= TELLING).take(LOOKED).collect();
            let has = |lines: &HashSet<String>| {
                let found = telling.iter().filter(|line| lines.contains(**line)).count();
                found > 0 && found * 2 >= telling.len()
            };
            let whose = known.iter().find(|(.., lines)| has(lines))?;
            Some((sanitise(&whose.0).into_owned(), whose.1.clone()))
        })
    }
}

/// The name of the place of an article.
fn anchor(at: usize) -> String {
    format!("article-{}", at + 1)
}

/// A quoted line without its marks.
fn unquoted(line: &str) -> &str {
    let initials = line.bytes().take(4).take_while(u8::is_ascii_alphabetic).count();
    let line = if line.as_bytes().get(initials) == Some(&b'>') { &line[initials..] } else { line };
    line.trim_start_matches(['>', ' ', '|', ':']).trim_end()
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A subject without the words of answers.
fn bare(subject: &str) -> String {
    let mut rest = subject.trim();
    while let Some(shorter) = rest.get(..3).filter(|re| re.eq_ignore_ascii_case("re:")).map(|_| rest[3..].trim_start())
    {
        rest = shorter;
    }
    rest.to_lowercase()
}

impl Parser for Conversation {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.held.extend_from_slice(octets);
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        while !matches!(self.next, Next::Nothing)
            && let Some(taken) = self.step(&held[at..], out)
        {
            at += taken;
        }
        self.held = held;
        self.held.drain(..at);
        if matches!(self.next, Next::Nothing) {
            self.held = Vec::new();
        }
    }

    fn finish(&mut self, out: &mut Builder) {
        match &self.next {
            Next::Nothing => out.document_mut().cut = Some("the rest is no thread".into()),
            Next::Article(length, _) => {
                let came =
                    format!("the last article has not come whole: {} of {}", count(self.held.len()), count(*length));
                out.document_mut().notes.push(came);
            }
            Next::Count | Next::Line => {}
        }
    }

    fn memory(&self) -> usize {
        self.held.capacity() + self.known + self.written.len() * 256
    }
}
