//! `application/x-newsgroup` → `Document`: the articles of a group, threads of them.
//!
//! The parser owns what the page is made of (`news::Threads`), and writes a plain row for each article as it comes: block
//! `n + 1` and link `n` are those of the article that arrived as number `n`. `page.rs` writes the page that the reader sees,
//! `threads.rs` its rows. Articles that come while that is done wait for the next page.

mod author;
mod page;
mod place;
mod threads;

use author::{author, decoded};
pub(super) use place::Place;

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::{Input, Kin, Listed, Order, Parser, Plan, Reading, Roll, Step, Wishes, size};
use crate::doc::{Align, BlockKind, Builder, Column, Document, LinkId, Marker, sanitise};
use crate::news::{Article, Forest, Overview, Planting, Threads, timestamp};
use crate::role::Role;
use page::Page;
use std::borrow::Cow;

/// Reads a group's page.
pub struct Newsgroup {
    lines: Lines,
    state: State,
    /// The threads as they were made last.
    forest: Option<Forest>,
    /// Threads in the making.
    planting: Option<Planting>,
    /// A page in the making.
    page: Option<Page>,
}

struct State {
    place: Place,
    group: Option<Group>,
    threads: Threads,
    /// For each article, whether it had been read when it was first shown.
    read_before: Vec<bool>,
    /// The numbers of the first and the last article that came.
    came: Option<(u64, u64)>,
    broken: usize,
    strays: bool,
    /// What the page lacks.
    notices: Vec<String>,
}

/// What the server says of the group itself.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    name: Vec<u8>,
    /// The number of its first article.
    low: u64,
    /// The number of its last article.
    high: u64,
    older: Older,
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
        let (threads, place) = (Threads::default(), Place::of(&input.url));
        let state = State {
            place,
            group: None,
            threads,
            read_before: Vec::new(),
            came: None,
            broken: 0,
            strays: false,
            notices: input.notices.clone(),
        };
        let lines = Lines::new(input.charset.as_deref(), Endings::Lf);
        Newsgroup { lines, state, forest: None, planting: None, page: None }
    }

    /// Makes the threads of all that has come; true when they are made.
    fn grow(&mut self, left: &mut usize) -> bool {
        let threads = &self.state.threads;
        if self.forest.as_ref().is_some_and(|forest| forest.articles == threads.len()) {
            return true;
        }
        let forest = self.planting.get_or_insert_with(|| Planting::of(threads)).step(threads, left);
        if forest.is_some() {
            (self.forest, self.planting) = (forest, None);
        }
        self.planting.is_none()
    }

    /// The threads as they were made last; they are made if they never were.
    fn grown(&mut self) -> Option<&Forest> {
        if self.forest.is_none() {
            self.grow(&mut usize::MAX.clone());
        }
        self.forest.as_ref()
    }

    fn step(&mut self, wishes: &Wishes, given: &Document, left: &mut usize) -> Option<Plan> {
        let begun = self.page.take().filter(|page| page.is_by(wishes));
        if begun.is_none() && !(self.state.remember(&wishes.reading, left) && self.grow(left)) {
            return None;
        }
        let mut page = begun.unwrap_or_else(|| Page::new(wishes, given));
        let plan = page.step(&self.state, self.forest.as_ref()?, given, left);
        if plan.is_none() {
            self.page = Some(page);
        }
        plan
    }
}

impl Parser for Newsgroup {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.finish(out);
        out.document_mut().notes.append(&mut self.lines.notes(self.state.strays));
    }

    fn orders(&self) -> &'static [Order] {
        &[Order::Thread, Order::Date]
    }

    fn arrange(&mut self, wishes: &Wishes, given: &Document, from: u32, budget: usize) -> Step {
        if from > 0 {
            return Step::Waits;
        }
        let mut left = budget;
        while left > 0 {
            if let Some(plan) = self.step(wishes, given, &mut left) {
                return Step::Ready(plan);
            }
        }
        Step::More
    }

    fn roll(&mut self, wishes: &Wishes) -> Option<Roll> {
        self.grown()?;
        self.state.roll(self.forest.as_ref()?, wishes)
    }

    fn kin(&mut self, id: &[u8]) -> Option<Kin> {
        self.grown()?;
        self.state.kin(self.forest.as_ref()?, id)
    }

    fn memory(&self) -> usize {
        let forest = self.forest.as_ref().map_or(0, |forest| size_of_val(forest.rows.as_slice()));
        self.state.threads.memory() + forest + self.planting.as_ref().map_or(0, Planting::memory)
    }
}

/// The given block of an article: the first block is the heading.
fn block_of(article: u32) -> u32 {
    article + 1
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        match (&self.group, line) {
            // The end of a slice.
            (Some(_), b"") => {}
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
        let mut number = || fields.next().and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let (low, high) = (number().unwrap_or(1), number().unwrap_or(0));
        let older = Older::of(fields.nth(2).unwrap_or_default().trim_ascii());
        let group = Group { name: name.into(), low, high, older };
        let title = self.cell(charset.decode(name));
        let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
        let document = out.document_mut();
        document.title = Some(title.clone());
        document.columns = vec![
            column("subject", 0, Align::Left, Role::Text, 0),
            column("author", 20, Align::Left, Role::Info, 60),
            column("articles", 5, Align::Right, Role::Size, 50),
            column("size", 8, Align::Right, Role::Size, 96),
            column("date", 10, Align::Left, Role::Date, 36),
        ];
        out.block(BlockKind::Heading(1), Role::Heading);
        out.text(&title);
        self.group = Some(group);
    }

    fn article(&mut self, overview: &Overview<'_>, charset: Charset, out: &mut Builder) {
        let subject = self.decode(overview.subject, charset);
        let subject = self.cell(decoded(&subject));
        let date = timestamp(overview.date);
        let article = Article {
            number: overview.number,
            message_id: overview.message_id,
            references: overview.references,
            subject: &subject,
            date: date.map(|date| date.as_second()),
        };
        if self.threads.add(&article).is_none() {
            return;
        }
        if let Some(number) = overview.number {
            let (first, last) = self.came.unwrap_or((number, number));
            self.came = Some((first.min(number), last.max(number)));
        }
        let group = self.group.as_ref().map_or(&b""[..], |group| &group.name);
        let reference = self.place.article(group, overview.message_id, overview.number);
        out.marked(BlockKind::Row, Role::Text, Marker::None, 0);
        out.link(if subject.is_empty() { "(no subject)" } else { &subject }, Role::Link, &reference);
        out.text("\t");
        let from = self.decode(overview.from, charset);
        out.text(&self.cell(author(&from)));
        out.text("\t\t");
        out.text(&overview.bytes.map(size::human).unwrap_or_default());
        out.text("\t");
        // Nobody knows here what day it is.
        out.text(&date.map(|date| date.strftime("%F").to_string()).unwrap_or_default());
    }

    fn decode<'a>(&mut self, octets: &'a [u8], charset: Charset) -> Cow<'a, str> {
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
        match self.group.as_ref()?.older {
            Older::Among(first, last) => return Some((first, last)),
            Older::None => return None,
            Older::Unknown => {}
        }
        let (first, last) = self.came?;
        let low = self.group.as_ref()?.low.max(1);
        let as_many = last - first;
        (low < first).then(|| (low.max((first - 1).saturating_sub(as_many)), first - 1))
    }

    fn finish(&mut self, out: &mut Builder) {
        for notice in &self.notices {
            out.block(BlockKind::Paragraph, Role::Info);
            out.text(&sanitise(notice));
        }
        if let (Some(range @ (first, last)), Some(group)) = (self.older(), &self.group) {
            out.block(BlockKind::Paragraph, Role::Info);
            let count = |number: u64| size::count(usize::try_from(number).unwrap_or(usize::MAX));
            let text = format!("older articles: {}–{}", count(first), count(last));
            out.link(&text, Role::Link, &self.place.articles(&group.name, range));
        }
        let articles = match self.threads.len() {
            1 => "1 article".into(),
            n => format!("{} articles", size::count(n)),
        };
        let notes = &mut out.document_mut().notes;
        notes.push(articles);
        notes.extend(self.notices.iter().map(|notice| sanitise(notice).into_owned()));
        match self.broken {
            0 => {}
            1 => notes.push("one line of the overview could not be read".into()),
            n => notes.push(format!("{} lines of the overview could not be read", size::count(n))),
        }
    }

    /// The articles in the order in which the page has them; those of closed threads too. Those that have come since the
    /// threads were made are last.
    fn roll(&self, forest: &Forest, wishes: &Wishes) -> Option<Roll> {
        let group = self.group.as_ref()?;
        let mut articles = Vec::with_capacity(self.threads.len());
        for root in forest.roots() {
            let thread = articles.len();
            for row in &forest.rows[root as usize..forest.rows[root as usize].end as usize] {
                let Some(article) = row.article else { continue };
                let (link, number) = (LinkId(article), self.threads.number(article));
                articles.push(Listed { link, number, thread, depth: row.depth });
            }
        }
        for article in forest.articles as u32..self.threads.len() as u32 {
            let thread = articles.len();
            articles.push(Listed { link: LinkId(article), number: self.threads.number(article), thread, depth: 0 });
        }
        if matches!(wishes.order, Order::Date | Order::Given) {
            let threads = &self.threads;
            let date = |article: &Listed| (wishes.order == Order::Date).then(|| threads.date(article.link.0));
            articles.sort_by_key(|article| std::cmp::Reverse((date(article), article.number)));
            if wishes.reverse {
                articles.reverse();
            }
            (0..).zip(&mut articles).for_each(|(at, article)| (article.thread, article.depth) = (at, 0));
        }
        let last = self.came.map_or(0, |(_, last)| last).max(group.high);
        Some(Roll::Articles { group: group.name.clone(), last, articles })
    }

    /// What stands near an article.
    fn kin(&self, forest: &Forest, id: &[u8]) -> Option<Kin> {
        let own = self.threads.with_id(id);
        let parent = self.threads.answered_by(id);
        // One that is only referred to has no row by which it could be known, but an answer or what it answers has.
        let near = own.or_else(|| self.threads.answer_to(id)).or(parent)?;
        let at = forest.rows.iter().position(|row| row.article == Some(near))? as u32;
        let root = forest.roots().take_while(|root| *root <= at).last()?;
        let rows = &forest.rows[root as usize..forest.rows[root as usize].end as usize];
        let others = rows.iter().filter_map(|row| row.article).filter(|article| Some(*article) != own);
        Some(Kin { parent: parent.map(LinkId), thread: others.map(LinkId).collect() })
    }

    /// Notes what was read already when it was first shown: threads do not close while they are being read. True when all
    /// is noted.
    fn remember(&mut self, reading: &Reading, left: &mut usize) -> bool {
        let Some(read) = &reading.read else { return true };
        for article in self.read_before.len()..self.threads.len() {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let number = self.threads.number(article as u32);
            self.read_before.push(number.is_some_and(|number| read.contains(number)));
        }
        true
    }
}
