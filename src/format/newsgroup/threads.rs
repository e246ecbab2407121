//! A group's rows as threads, or by date: what is unread, who answers whom, when.

use super::State;
use crate::doc::{BlockKind, Document, Filter, LinkId};
use crate::format::rewriter::Rewriter;
use crate::format::{Kin, Listed, Order, Plan, Reading, Roll, Show, Wishes, size};
use crate::news::{Forest, Row, said};
use crate::role::Role;
use jiff::Timestamp;
use std::ops::Range;

/// Generations whose lines are drawn; later ones stand where the last of these does.
const DRAWN: usize = 10;

/// A row's place among its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Others follow.
    Among,
    Last,
}

/// What a thread holds.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    articles: usize,
    unread: usize,
}

/// Writes a group's page.
struct Page<'a> {
    state: &'a State,
    forest: &'a Forest,
    reading: &'a Reading,
    writer: Rewriter<'a>,
    /// Articles that the reader wants to see.
    passed: usize,
}

impl State {
    /// The page as the reader wishes it.
    pub(super) fn plan(&mut self, wishes: &Wishes, given: &Document) -> Plan {
        self.grow();
        let forest = self.forest.take().unwrap_or_default();
        self.remember(&wishes.reading);
        let filter = Filter::new(&wishes.filter);
        let writer = Rewriter::new(given);
        let mut page = Page { state: self, forest: &forest, reading: &wishes.reading, writer, passed: 0 };
        if page.state.group.is_some() {
            page.heading();
        }
        match wishes.order {
            Order::Date | Order::Given => page.dates(wishes, &filter),
            _ if filter.is_empty() => page.threads(),
            _ => page.matches(&filter),
        }
        page.rest();
        let (passed, rows) = (page.passed, self.threads.len());
        let plan = Plan {
            blocks: Vec::new(),
            covers: given.blocks().len() as u32,
            passed,
            rows,
            written: page.writer.finish(),
        };
        self.forest = Some(forest);
        plan
    }

    /// Makes the threads of all that has come.
    fn grow(&mut self) {
        if self.forest.as_ref().is_none_or(|forest| forest.articles() != self.threads.len()) {
            self.forest = Some(self.threads.forest());
        }
    }

    /// The articles in the order in which the page has them; those of closed threads too.
    pub(super) fn roll(&mut self, wishes: &Wishes) -> Option<Roll> {
        self.grow();
        let (group, forest) = (self.group.as_ref()?, self.forest.as_ref()?);
        let mut articles = Vec::with_capacity(self.threads.len());
        for root in forest.roots() {
            let thread = articles.len();
            for row in &forest.rows[root as usize..forest.rows[root as usize].end as usize] {
                let Some(article) = row.article else { continue };
                let (link, number) = (LinkId(article), self.threads.number(article));
                articles.push(Listed { link, number, thread, depth: row.depth });
            }
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
    pub(super) fn kin(&mut self, id: &[u8]) -> Option<Kin> {
        self.grow();
        let own = self.threads.with_id(id);
        let parent = self.threads.answered_by(id);
        // One that is only referred to has no row by which it could be known, but an answer or what it answers has.
        let near = own.or_else(|| self.threads.answer_to(id)).or(parent)?;
        let forest = self.forest.as_ref()?;
        let at = forest.rows.iter().position(|row| row.article == Some(near))? as u32;
        let root = forest.roots().take_while(|root| *root <= at).last()?;
        let rows = &forest.rows[root as usize..forest.rows[root as usize].end as usize];
        let others = rows.iter().filter_map(|row| row.article).filter(|article| Some(*article) != own);
        Some(Kin { parent: parent.map(LinkId), thread: others.map(LinkId).collect() })
    }

    /// Notes what was read already when it was first shown: threads do not close while they are being read.
    fn remember(&mut self, reading: &Reading) {
        let Some(read) = &reading.read else { return };
        for article in self.read_before.len()..self.threads.len() {
            let number = self.threads.number(article as u32);
            self.read_before.push(number.is_some_and(|number| read.contains(number)));
        }
    }
}

impl Page<'_> {
    fn is_unread(&self, article: u32) -> bool {
        let number = self.state.threads.number(article);
        self.reading.read.as_ref().is_some_and(|read| !number.is_some_and(|number| read.contains(number)))
    }

    /// `comp.infosystems.gopher · 1,204 articles, 17 unread, 3 threads new`.
    fn heading(&mut self) {
        let mut all = Sum::default();
        let mut new = 0;
        for root in self.forest.roots() {
            let sum = self.sum(self.rows_of(root));
            all.unread += sum.unread;
            new += usize::from(sum.unread == sum.articles);
        }
        self.writer.block(0, BlockKind::Heading(1), Role::Heading);
        self.writer.copy(0);
        let of = |count: usize, one: &str, many: &str| {
            format!("{} {}", size::count(count), if count == 1 { one } else { many })
        };
        let mut text = format!(" · {}", of(self.state.threads.len(), "article", "articles"));
        if self.reading.read.is_some() {
            text += &format!(", {} unread, {} new", size::count(all.unread), of(new, "thread", "threads"));
        }
        self.writer.out.styled(&text, Role::Info);
    }

    fn rows_of(&self, root: u32) -> Range<usize> {
        root as usize..self.forest.rows[root as usize].end as usize
    }

    fn sum(&self, rows: Range<usize>) -> Sum {
        let mut sum = Sum::default();
        for article in self.forest.rows[rows].iter().filter_map(|row| row.article) {
            let unread = self.is_unread(article);
            sum.articles += 1;
            sum.unread += usize::from(unread);
        }
        sum
    }

    fn threads(&mut self) {
        for root in self.forest.roots() {
            let rows = self.rows_of(root);
            let sum = self.sum(rows.clone());
            if self.reading.show != Show::All && sum.unread == 0 {
                continue;
            }
            self.passed += sum.articles;
            let open = rows.len() == 1 || self.is_open(rows.clone());
            self.head(rows.clone(), sum, open);
            if open {
                self.answers(rows);
            }
        }
    }

    /// Whether a thread is open: something in it was unread at first, unless the reader said otherwise.
    fn is_open(&self, rows: Range<usize>) -> bool {
        let before = |article: u32| self.state.read_before.get(article as usize).copied().unwrap_or(false);
        let head = self.stands_for(rows.start);
        let at_first = self.forest.rows[rows].iter().filter_map(|row| row.article).any(|article| !before(article));
        at_first != self.reading.toggled.contains(&block_of(head))
    }

    /// The article of a row, or the first one under it where the row's own is not here.
    fn stands_for(&self, row: usize) -> u32 {
        let first = self.forest.rows[row..].iter().find_map(|row| row.article);
        first.unwrap_or_default()
    }

    /// The first line of a thread.
    fn head(&mut self, rows: Range<usize>, sum: Sum, open: bool) {
        let article = self.stands_for(rows.start);
        self.writer.block(block_of(article), BlockKind::Row, Role::Text);
        let mark = match (rows.len(), open) {
            (1, _) => "  ",
            (_, true) => "▾ ",
            (_, false) => "▸ ",
        };
        self.writer.out.styled(mark, Role::Marker);
        let count = if sum.articles > 1 { size::count(sum.articles) } else { String::new() };
        if self.forest.rows[rows.start].article.is_none() {
            let subject = self.writer.given.link_text(LinkId(article));
            let text = format!("[{}]", crate::news::subject(subject).base);
            self.writer.out.styled(if sum.unread > 0 && !open { "• " } else { "  " }, Role::Marker);
            // A closed one could not be reached without a link.
            match open {
                true => self.writer.out.styled(&text, Role::Dim),
                false => {
                    self.writer.link(&text, if sum.unread > 0 { Role::LinkUnread } else { Role::Link }, LinkId(article))
                }
            }
            return self.writer.out.text(&format!("\t\t{count}\t\t"));
        }
        // What is unread further down shows on the head of a closed thread.
        let unread = if open { self.is_unread(article) } else { sum.unread > 0 };
        self.writer.out.styled(if unread { "• " } else { "  " }, Role::Marker);
        self.subject(article, None);
        self.cells(article, &count);
    }

    /// The lines under a thread's first one.
    fn answers(&mut self, rows: Range<usize>) {
        // The rows that the present one stands under, and where each stands among its siblings.
        let mut above: Vec<(usize, Place)> = vec![(rows.start, Place::Last)];
        for at in rows.start + 1..rows.end {
            let row = self.forest.rows[at];
            above.truncate(row.depth as usize);
            let parent = above.last().map_or(rows.start, |(parent, _)| *parent);
            let place = if row.end < self.forest.rows[parent].end { Place::Among } else { Place::Last };
            above.push((at, place));
            if let Some(article) = row.article {
                let parent = self.stands_for(parent);
                self.answer(&row, (article, parent), &above[1..], at);
            }
        }
    }

    fn answer(&mut self, row: &Row, (article, parent): (u32, u32), above: &[(usize, Place)], at: usize) {
        self.writer.block(block_of(article), BlockKind::Row, Role::Text);
        let mut lines = String::from("  ");
        let (older, own) = above.split_at(above.len().saturating_sub(1));
        for (_, place) in older.iter().take(DRAWN - 1) {
            lines += if *place == Place::Among { "│ " } else { "  " };
        }
        lines += if own.iter().any(|(_, place)| *place == Place::Among) { "├ " } else { "└ " };
        let unread = self.is_unread(article);
        lines += match (unread, row.end as usize > at + 1) {
            (true, _) => "• ",
            (false, true) => "┬ ",
            (false, false) => "  ",
        };
        self.writer.out.styled(&lines, Role::Marker);
        self.subject(article, Some(parent));
        self.cells(article, "");
    }

    /// The subject, as far as it differs from that of the article above.
    fn subject(&mut self, article: u32, parent: Option<u32>) {
        let role = if self.is_unread(article) { Role::LinkUnread } else { Role::Link };
        let same = parent.is_some_and(|parent| self.state.threads.same_subject(article, parent));
        let text = if same { "Re:" } else { self.writer.given.link_text(LinkId(article)) };
        self.writer.link(text, role, LinkId(article));
    }

    /// Author, count, size and date.
    fn cells(&mut self, article: u32, count: &str) {
        let text = self.writer.given.block_text(block_of(article));
        let mut given = text.split('\t').skip(1);
        let (author, size) = (given.next().unwrap_or_default(), given.nth(1).unwrap_or_default());
        let date = self.state.threads.date(article).and_then(|date| Timestamp::from_second(date).ok());
        let date = match (&self.reading.now, date) {
            (Some(now), Some(date)) => said(date, now),
            _ => text.rsplit('\t').next().unwrap_or_default().into(),
        };
        let out = &mut self.writer.out;
        out.text(&format!("\t{author}\t{count}\t{size}\t{date}"));
    }

    /// The articles by date, or by number, the newest first.
    fn dates(&mut self, wishes: &Wishes, filter: &Filter) {
        let threads = &self.state.threads;
        let mut articles: Vec<u32> = self.forest.rows.iter().filter_map(|row| row.article).collect();
        let date = |article: u32| if wishes.order == Order::Date { threads.date(article) } else { None };
        articles.sort_by_key(|article| std::cmp::Reverse((date(*article), threads.number(*article))));
        if wishes.reverse {
            articles.reverse();
        }
        for article in articles {
            if self.reading.show == Show::All || self.is_unread(article) {
                self.alone(article, filter);
            }
        }
    }

    /// The articles that pass a filter, in the order of the threads.
    fn matches(&mut self, filter: &Filter) {
        let forest = self.forest;
        for article in forest.rows.iter().filter_map(|row| row.article) {
            self.alone(article, filter);
        }
    }

    /// A line that stands under no other.
    fn alone(&mut self, article: u32, filter: &Filter) {
        let block = block_of(article);
        if !filter.passes(self.writer.given, self.writer.given.block_range(block)) {
            return;
        }
        self.passed += 1;
        self.writer.block(block, BlockKind::Row, Role::Text);
        let unread = self.is_unread(article);
        self.writer.out.styled(if unread { "• " } else { "  " }, Role::Marker);
        self.subject(article, None);
        self.cells(article, "");
    }

    /// What follows the articles: the way to older ones.
    fn rest(&mut self) {
        let given = self.writer.given;
        for block in block_of(self.state.threads.len() as u32)..given.blocks().len() as u32 {
            let kind = given.blocks()[block as usize];
            self.writer.block(block, kind.kind, kind.role);
            self.writer.copy(block);
        }
    }
}

/// The given block of an article: the first block is the heading.
fn block_of(article: u32) -> u32 {
    article + 1
}
