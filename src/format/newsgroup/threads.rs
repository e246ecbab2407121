//! The rows of a group: threads with their lines, articles alone; what is unread, who wrote it, when.

use super::articles::{Articles, Seen};
use super::block_of;
use super::own::Mine;
use super::page::{Counts, Sum, is_unread};
use crate::date::said;
use crate::doc::{BlockKind, Filter, LinkId, lead};
use crate::format::index;
use crate::format::rewriter::Rewriter;
use crate::format::{Reading, Show, Threads, size};
use crate::news::Forest;
use crate::role::Role;
use crate::stop::Stop;
use jiff::Timestamp;
use std::ops::Range;

/// A row's place among its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Others follow.
    Among,
    Last,
}

/// What makes a row worth reading, the first of these that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// It answers an article of the reader's own.
    Answer,
    /// It is one.
    Own,
    /// The reader's rules value it.
    Valued,
}

impl Worth {
    /// Of what stands for others.
    fn of(sum: Sum) -> Option<Worth> {
        match sum {
            Sum { answers: 1.., .. } => Some(Worth::Answer),
            Sum { own: 1.., .. } => Some(Worth::Own),
            Sum { valued: 1.., .. } => Some(Worth::Valued),
            _ => None,
        }
    }
}

/// Writes a group's rows.
pub(super) struct Writer<'a> {
    pub articles: &'a Articles,
    pub seen: &'a Seen,
    pub forest: &'a Forest,
    pub reading: &'a Reading,
    pub counts: &'a Counts,
    pub writer: Rewriter<'a>,
    /// Articles that the reader wants to see.
    pub passed: usize,
}

impl<'a> Writer<'a> {
    /// All threads; `None` when they were given up.
    pub fn threads(&mut self, stop: &Stop) -> Option<()> {
        let mut at = 0;
        // The rows that the next one stands under, and where each stands among its siblings.
        let mut above = Vec::new();
        while let Some(row) = self.forest.rows.get(at) {
            stop.go_on()?;
            at = if row.depth == 0 { self.root(at, &mut above) } else { self.below(at, &mut above) };
        }
        Some(())
    }

    /// The first line of a thread; says which row is next.
    fn root(&mut self, at: usize, above: &mut Vec<(usize, Place)>) -> usize {
        let rows = self.rows_of(at);
        let sum = self.counts.within(rows.clone());
        if self.reading.show != Show::All && sum.kept == 0 {
            return rows.end;
        }
        self.passed += sum.articles as usize;
        let open = rows.len() == 1 || self.is_open(rows.clone());
        self.head(rows.clone(), sum, open);
        above.clear();
        above.push((at, Place::Last));
        if open { at + 1 } else { rows.end }
    }

    /// A line under another one; says which row is next.
    fn below(&mut self, at: usize, above: &mut Vec<(usize, Place)>) -> usize {
        let rows = self.rows_of(at);
        above.truncate(self.forest.rows[at].depth as usize);
        let parent = above.last().map_or(at, |(parent, _)| *parent);
        let place = if rows.end < self.rows_of(parent).end { Place::Among } else { Place::Last };
        above.push((at, place));
        let Some(article) = self.forest.rows[at].article else { return at + 1 };
        let parent = self.stands_for(parent);
        let open = rows.len() == 1 || parent == article || self.reading.folds.get(&block_of(article)) != Some(&false);
        self.answer(rows.clone(), (article, parent), &above[1..], open);
        if open { at + 1 } else { rows.end }
    }

    /// `comp.infosystems.gopher · 1,204 articles, 17 unread, 3 threads new`.
    pub fn heading(&mut self) {
        if self.articles.group.is_none() {
            return;
        }
        self.writer.block(0, BlockKind::Heading(1), Role::Heading);
        self.writer.copy(0);
        let of = |count: usize, one: &str, many: &str| {
            format!("{} {}", size::count(count), if count == 1 { one } else { many })
        };
        let here = self.articles.there();
        let mut text = match self.articles.in_all().and_then(|all| usize::try_from(all).ok()).filter(|all| *all > here)
        {
            Some(all) => format!(" · {} of {}", size::count(here), of(all, "article", "articles")),
            None => format!(" · {}", of(here, "article", "articles")),
        };
        if let Some(search) = self.articles.search {
            text = format!(" · {}", search.words(here));
        }
        if self.reading.read.is_some() {
            let (unread, new) = (self.counts.all().unread, self.counts.new_threads());
            text += &format!(", {}, {} new", unread_words(unread), of(new, "thread", "threads"));
        }
        if !self.seen.killed.is_empty() {
            text += &format!(", {} killed", size::count(self.seen.killed.len()));
        }
        self.writer.out.styled(&text, Role::Info);
    }

    /// The mark of an unread article, and of one that is worth it: `•!`.
    fn mark(&mut self, unread: bool, worth: Option<Worth>) {
        let mark = if unread { "•" } else { " " };
        self.value(mark.into(), worth);
    }

    /// What stands before a row, with the mark of what makes it worth reading in its last column.
    fn value(&mut self, mut before: String, worth: Option<Worth>) {
        let Some(worth) = worth else {
            before.push(' ');
            return self.writer.out.styled(&before, Role::Marker);
        };
        let (mark, role) = match worth {
            Worth::Answer => ("@", Role::MarkerAnswer),
            Worth::Own => ("+", Role::MarkerOwn),
            Worth::Valued => ("!", Role::Info),
        };
        self.writer.out.styled(&before, Role::Marker);
        self.writer.out.styled(mark, role);
    }

    /// What makes an article worth reading.
    fn worth(&self, article: u32) -> Option<Worth> {
        let valued = || self.seen.scored.as_ref().is_some_and(|scored| scored.points(article) > 0);
        match self.seen.own.as_ref().and_then(|own| own.get(article)) {
            Some(Mine::Answer) => Some(Worth::Answer),
            Some(Mine::Own) => Some(Worth::Own),
            None => valued().then_some(Worth::Valued),
        }
    }

    fn rows_of(&self, row: usize) -> Range<usize> {
        row..self.forest.rows[row].end as usize
    }

    fn is_unread(&self, article: u32) -> bool {
        is_unread(self.articles, self.reading, article)
    }

    /// Whether a thread is open: as threads stand, or because the reader stands in it, unless they said otherwise.
    fn is_open(&self, rows: Range<usize>) -> bool {
        let below = rows.start + 1 + usize::from(self.forest.rows[rows.start].article.is_none());
        let said = self.reading.folds.get(&block_of(self.stands_for(rows.start))).copied();
        let opens = || match self.reading.threads {
            Threads::Unread => self.counts.within(rows.clone()).fresh > 0,
            Threads::Closed => false,
            Threads::Open => true,
        };
        said.unwrap_or_else(|| opens() || self.counts.within(below..rows.end).wanted > 0)
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
        let count = if sum.articles > 1 { size::count(sum.articles as usize) } else { String::new() };
        let missing = self.forest.rows[rows.start].article.is_none();
        // What is unread further down shows on the head of a closed thread.
        let unread = if open { !missing && self.is_unread(article) } else { sum.unread > 0 };
        let own = || if missing { None } else { self.worth(article) };
        self.mark(unread, if open { own() } else { Worth::of(sum) });
        if !open {
            self.hidden(sum);
        }
        if missing {
            let subject = self.writer.given.link_text(LinkId(article));
            let text = format!("[{}]", crate::news::subject(subject).base);
            // A closed one could not be reached without a link.
            match open {
                true => self.writer.out.styled(&text, Role::Dim),
                false => self.writer.link(&text, if unread { Role::LinkUnread } else { Role::Link }, LinkId(article)),
            }
            return self.writer.out.text(&format!("\t\t{count}\t\t"));
        }
        self.subject(article, None);
        self.cells(article, None, &count);
    }

    fn answer(&mut self, rows: Range<usize>, (article, parent): (u32, u32), above: &[(usize, Place)], open: bool) {
        self.writer.block(block_of(article), BlockKind::Row, Role::Text);
        let mut lines = lead(above.len(), |at| matches!(above.get(at), Some((_, Place::Among))));
        let unread = self.is_unread(article);
        let sum = self.counts.within(rows.clone());
        lines += match (open, unread, rows.len() > 1) {
            (false, ..) if sum.unread > 0 => "▸ •",
            (false, ..) => "▸",
            (true, true, _) => "•",
            (true, false, true) => "┬",
            (true, false, false) => " ",
        };
        self.value(lines, if open { self.worth(article) } else { Worth::of(sum) });
        if open {
            self.subject(article, Some(parent));
            return self.cells(article, Some(parent), "");
        }
        self.hidden(sum);
        self.subject(article, Some(parent));
        self.cells(article, Some(parent), &size::count(sum.articles as usize));
    }

    /// How much of what a closed head stands for is unread. It comes before the subject, whose end narrow screens cut.
    fn hidden(&mut self, sum: Sum) {
        if sum.unread > 0 {
            self.writer.out.styled(&format!("{}  ", unread_words(sum.unread)), Role::Info);
        }
    }

    /// The subject, as far as it differs from that of the article above.
    fn subject(&mut self, article: u32, parent: Option<u32>) {
        let role = if self.is_unread(article) { Role::LinkUnread } else { Role::Link };
        let author = parent.and_then(|parent| self.author_instead(article, parent));
        let text = author.unwrap_or_else(|| self.writer.given.link_text(LinkId(article)));
        self.writer.link(text, role, LinkId(article));
    }

    /// Who wrote an answer whose subject would say nothing new: that stands in its place.
    fn author_instead(&self, article: u32, parent: u32) -> Option<&'a str> {
        let given = self.writer.given.block_text(block_of(article));
        let author = given.split('\t').nth(1).filter(|author| !author.is_empty());
        author.filter(|_| self.articles.threads.same_subject(article, parent))
    }

    /// Author, count, size and date.
    fn cells(&mut self, article: u32, parent: Option<u32>, count: &str) {
        let text = self.writer.given.block_text(block_of(article));
        let mut given = text.split('\t').skip(1);
        let (author, size) = (given.next().unwrap_or_default(), given.nth(1).unwrap_or_default());
        let stands = parent.is_some_and(|parent| self.author_instead(article, parent).is_some());
        let author = if stands { "" } else { author };
        let date = self.articles.threads.date(article).and_then(|date| Timestamp::from_second(date).ok());
        let date = match (&self.reading.now, date) {
            (Some(now), Some(date)) => said(date, now),
            _ => text.rsplit('\t').next().unwrap_or_default().into(),
        };
        let out = &mut self.writer.out;
        for piece in ["\t", author, "\t", count, "\t", size, "\t", &date] {
            out.text(piece);
        }
    }

    /// A line that stands under no other, if it passes a filter.
    pub fn alone(&mut self, article: u32, filter: &Filter) {
        let block = block_of(article);
        if !filter.passes(self.writer.given, self.writer.given.block_range(block)) {
            return;
        }
        self.passed += 1;
        self.row(article);
    }

    /// The line of an article by itself.
    pub fn row(&mut self, article: u32) {
        self.writer.block(block_of(article), BlockKind::Row, Role::Text);
        self.mark(self.is_unread(article), self.worth(article));
        self.subject(article, None);
        self.cells(article, None, "");
    }

    /// What follows the articles: the way to older ones.
    pub fn rest(&mut self) {
        let given = self.writer.given;
        for block in block_of(index(self.forest.articles))..index(given.blocks().len()) {
            let kind = given.blocks()[block as usize];
            self.writer.block(block, kind.kind, kind.role);
            self.writer.copy(block);
        }
    }
}

/// `17 unread`.
fn unread_words(count: u32) -> String {
    format!("{} unread", size::count(count as usize))
}
