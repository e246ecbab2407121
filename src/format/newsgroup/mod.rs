//! `application/x-newsgroup` → `Document`: the articles of a group, threads of them.
//!
//! The parser writes a plain row for each article as it comes: block `n + 1` and link `n` are those of the article that arrived
//! as number `n`. What the page is made of is [`Articles`]: `page.rs` writes the page that the reader sees, `threads.rs` its
//! rows.

mod articles;
mod author;
mod killed;
mod own;
mod page;
mod place;
mod scored;
mod sought;
mod threads;
mod told;

pub use articles::{Articles, Seen};
use author::{author, decoded};
pub(super) use place::Place;

use super::charset::{Charset, unescaped};
use super::lines::{Endings, Lines};
use super::{Input, PageRows, Parser, size};
use crate::date::timestamp;
use crate::doc::{Align, BlockKind, Builder, Column, Marker, sanitise};
use crate::news::{Article, Overview};
use crate::role::Role;
use crate::url::scheme::nntp;
use crate::url::scheme::sought::{Part, Sought};
use std::borrow::Cow;
use std::sync::Arc;

/// Reads a group's page.
pub struct Newsgroup {
    lines: Lines,
    state: State,
}

struct State {
    place: Place,
    articles: Arc<Articles>,
    broken: usize,
    strays: bool,
    /// What the page lacks.
    notices: Vec<String>,
    /// What is sought: the page has nothing else.
    sought: Option<Sought>,
}

/// What the server says of the group itself.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    name: Vec<u8>,
    /// The number of its first article.
    low: u64,
    /// The number of its last article.
    high: u64,
    /// How many there are, as the server counts.
    count: Option<u64>,
    older: Older,
}

impl Group {
    /// By what follows its name in the first line: `low high count posting older`.
    fn of<'a>(name: Vec<u8>, fields: &mut impl Iterator<Item = &'a [u8]>) -> Group {
        let mut number = || fields.next().and_then(|digits| std::str::from_utf8(digits).ok()?.trim().parse().ok());
        let (low, high, count) = (number().unwrap_or(1), number().unwrap_or(0), number());
        let older = Older::of(fields.nth(1).unwrap_or_default().trim_ascii());
        Group { name, low, high, count, older }
    }
}

/// Where the articles stand that come before those of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Older {
    /// The server did not say which there are.
    Unknown,
    /// There are none.
    None,
    /// From this number to that.
    Among(u64, u64),
}

impl Older {
    fn of(field: &[u8]) -> Older {
        let number = |digits: &str| digits.parse().ok();
        let range = std::str::from_utf8(field).ok().and_then(|text| text.split_once('-'));
        match range.and_then(|(first, last)| Some((number(first)?, number(last)?))) {
            Some((first, last)) => Older::Among(first, last),
            None if field == b"-" => Older::None,
            None => Older::Unknown,
        }
    }
}

impl Newsgroup {
    /// A parser for the group page of `input.url`.
    pub fn new(input: &Input) -> Newsgroup {
        let (place, notices) = (Place::of(&input.url), input.notices.clone());
        let charset = input.groups.said_at(&input.url, input.charset.as_ref());
        let input = &Input { charset, ..input.clone() };
        let sought = nntp::sought(&input.url).and_then(|nntp| nntp.sought);
        let state = State { sought, place, articles: Arc::default(), broken: 0, strays: false, notices };
        Newsgroup { lines: Lines::new(input, Endings::Lf), state }
    }
}

impl Parser for Newsgroup {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.finish(out);
        self.lines.tell(self.state.strays, out);
    }

    fn rows(&self) -> Option<PageRows> {
        Some(PageRows::Group(Arc::clone(&self.state.articles)))
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory() + self.state.articles.memory()
    }
}

/// The given block of an article: the first block is the heading.
fn block_of(article: u32) -> u32 {
    article + 1
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        match (&self.articles.group, line) {
            // The end of a slice.
            (Some(_), b"") => {}
            (Some(_), [b'=', b'\t', said @ ..]) => match self.sought {
                Some(_) => self.passed_over(said),
                None => Arc::make_mut(&mut self.articles).said(&mut said.split(|b| *b == b'\t')),
            },
            (Some(_), _) => match Overview::of(line) {
                Some(overview) => self.article(&overview, charset, out),
                None => self.broken += 1,
            },
            (None, _) => self.begin(line, charset, out),
        }
    }

    fn begin(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let mut fields = line.split(|b| *b == b'\t');
        let name = fields.next().unwrap_or_default();
        let group = Group::of(name.into(), &mut fields);
        let by = fields.next().unwrap_or_default().trim_ascii();
        let title = self.cell(charset.decode(name));
        let title = self.sought.as_ref().map_or(title.clone(), |sought| sought::title(sought, name, &title));
        let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
        let document = out.document_mut();
        document.entitle(&title);
        document.columns = vec![
            column("subject", 0, Align::Left, Role::Text, 0),
            column("author", 20, Align::Left, Role::Info, 36),
            column("articles", 9, Align::Right, Role::Size, 50),
            column("size", 8, Align::Right, Role::Size, 96),
            column("date", 10, Align::Left, Role::Date, 52),
        ];
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&title);
        let articles = Arc::make_mut(&mut self.articles);
        articles.group = Some(group);
        articles.search = self.sought.as_ref().map(|_| sought::Search::by(by));
    }

    /// How many articles the protocol looked at and did not pass on.
    fn passed_over(&mut self, digits: &[u8]) {
        let many = std::str::from_utf8(digits).ok().and_then(|digits| digits.trim().parse().ok()).unwrap_or(0);
        if let Some(search) = &mut Arc::make_mut(&mut self.articles).search {
            search.looked = search.looked.saturating_add(many);
        }
    }

    /// Whether an article is among what is sought, if anything is. In texts it was found before it came.
    fn is_sought(&mut self, subject: &str, from: &str) -> bool {
        let Some(sought) = &self.sought else { return true };
        if let Some(search) = &mut Arc::make_mut(&mut self.articles).search {
            search.looked = search.looked.saturating_add(1);
        }
        match sought.part {
            Part::Subject => sought.is_in(subject),
            Part::Author => sought.is_in(&decoded(from)),
            Part::Body => true,
        }
    }

    fn article(&mut self, overview: &Overview<'_>, charset: Charset, out: &mut Builder) {
        let subject = self.decode(overview.subject, charset);
        let subject = self.cell(decoded(&subject));
        let from = self.decode(overview.from, charset);
        if !self.is_sought(&subject, &from) {
            return;
        }
        let date = timestamp(overview.date);
        let article = Article {
            number: overview.number,
            message_id: overview.message_id,
            references: overview.references,
            subject: &subject,
            date: date.map(|date| date.as_second()),
        };
        if !Arc::make_mut(&mut self.articles).add(&article) {
            return;
        }
        Arc::make_mut(&mut self.articles).told.push(overview, &from);
        let group = self.articles.group.as_ref().map_or(&b""[..], |group| &group.name);
        let kept = self.place.kept(overview.xref);
        let kept_here = kept.is_some() && !overview.message_id.is_empty();
        let reference = kept.unwrap_or_else(|| self.place.article(group, overview.message_id, overview.number));
        out.marked(BlockKind::Row, Role::Text, Marker::None, 0);
        // The fragment of a mailbox's URL names a message.
        if kept_here && let Ok(id) = std::str::from_utf8(overview.message_id) {
            out.anchor(id);
        }
        out.link(if subject.is_empty() { "(no subject)" } else { &subject }, Role::Link, &reference);
        out.text("\t");
        out.text(&self.cell(author(&from)));
        out.text("\t\t");
        out.text(&overview.bytes.map(size::human).unwrap_or_default());
        out.text("\t");
        // Nobody knows here what day it is.
        out.text(&date.map(|date| date.strftime("%F").to_string()).unwrap_or_default());
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> Cow<'a, str> {
        if let Some(text) = unescaped(octets) {
            return Cow::Owned(text);
        }
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        text
    }

    /// Text as one cell of a row: a TAB would begin the next one.
    fn cell(&self, text: Cow<'_, str>) -> String {
        sanitise(text.trim()).replace('\t', " ")
    }

    /// The articles between the first one of the group and the first one that came.
    fn older(&self) -> Option<(u64, u64)> {
        let Articles { group, came, .. } = &*self.articles;
        match group.as_ref()?.older {
            Older::Among(first, last) => return Some((first, last)),
            Older::None => return None,
            Older::Unknown => {}
        }
        let (first, last) = (*came)?;
        let low = group.as_ref()?.low.max(1);
        let as_many = last - first;
        (low < first).then(|| (low.max((first - 1).saturating_sub(as_many)), first - 1))
    }

    fn finish(&mut self, out: &mut Builder) {
        for notice in &self.notices {
            out.block(BlockKind::Paragraph, Role::Info);
            out.text(&sanitise(notice));
        }
        if let (Some(range @ (first, last)), Some(group)) = (self.older(), &self.articles.group) {
            out.block(BlockKind::Paragraph, Role::Info);
            let count = |number: u64| size::count(usize::try_from(number).unwrap_or(usize::MAX));
            let text = format!("older articles: {}–{}", count(first), count(last));
            out.link(&text, Role::Link, &self.place.articles(&group.name, range));
        }
        let notes = &mut out.document_mut().notes;
        notes.extend(self.notices.iter().map(|notice| sanitise(notice).into_owned()));
        match self.broken {
            0 => {}
            1 => notes.push("one line of the overview could not be read".into()),
            n => notes.push(format!("{} lines of the overview could not be read", size::count(n))),
        }
    }
}
