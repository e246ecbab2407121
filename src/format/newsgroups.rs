//! `application/x-newsgroups` → `Document`: the groups of a server.
//!
//! Groups come first, their descriptions later. So the parser keeps what belongs together, and writes a row for each group as
//! it comes, without a description: after what the server says to everybody, block `n` and link `n` are those of group `n`.

use super::charset::Charset;
use super::lines::{Endings, Lines};
use super::newsgroup::Place;
use super::order::natural;
use super::rewriter::Rewriter;
use super::row_charsets::RowCharsets;
use super::{GroupRow, Input, Order, PageRows, Parser, Plan, Reading, Roll, Show, Wishes, notices, size};
use crate::doc::{Align, BlockKind, Builder, Column, Document, Filter, LinkId, Marker, sanitise};
use crate::format::index;
use crate::news::{Newsrc, Subscription};
use crate::role::Role;
use crate::stop::Stop;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Reads a list of groups.
pub struct Newsgroups {
    lines: Lines,
    state: State,
}

struct State {
    place: Place,
    begun: bool,
    /// What the server says to everybody.
    notices: Vec<String>,
    groups: Arc<Groups>,
    /// Which charset each row is in; none where one is said of all.
    charsets: Option<RowCharsets>,
    strays: bool,
}

/// The groups of a server, by the order in which they came.
#[derive(Debug, Clone, Default)]
pub struct Groups {
    /// Where their links lead, once something has come.
    at: Option<Place>,
    /// The blocks and links of what the server says to everybody.
    above: (u32, u32),
    /// Each group's number.
    numbers: HashMap<Vec<u8>, u32>,
    /// How many octets their names have together.
    names: usize,
    /// What is said of groups, a block for each.
    descriptions: Builder,
    /// Each group's block there.
    described: Vec<Option<u32>>,
    /// How many articles each has.
    counts: Vec<u64>,
    /// The numbers of its first and its last article.
    spans: Vec<Option<(u64, u64)>>,
    /// The groups that are new since the reader's last visit, once the server has told.
    new: HashSet<u32>,
}

impl Newsgroups {
    /// A parser for the list of `input.url`.
    pub fn new(input: &Input) -> Newsgroups {
        let (place, notices) = (Place::of(&input.url), input.notices.clone());
        let charsets = RowCharsets::new(input);
        let lines =
            if charsets.is_some() { Lines::unjudged(input, Endings::Lf) } else { Lines::new(input, Endings::Lf) };
        let state = State { place, begun: false, notices, groups: Arc::default(), charsets, strays: false };
        Newsgroups { lines, state }
    }
}

impl Parser for Newsgroups {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.state.begin(out);
        out.document_mut().notes.extend(self.state.groups.new_groups());
        match &self.state.charsets {
            Some(charsets) => {
                self.lines.tell(false, out);
                charsets.tell(out);
            }
            None => self.lines.tell(self.state.strays, out),
        }
    }

    fn rows(&self) -> Option<PageRows> {
        Some(PageRows::Groups(Arc::clone(&self.state.groups)))
    }

    fn holds_back(&self) -> bool {
        self.lines.is_judging()
    }

    fn memory(&self) -> usize {
        self.lines.memory() + self.state.groups.memory()
    }
}

impl State {
    fn begin(&mut self, out: &mut Builder) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
        out.document_mut().columns = vec![
            column("group", 0, Align::Left, Role::Text, 0),
            column("articles", 9, Align::Right, Role::Size, 36),
            column("description", 0, Align::Left, Role::Info, 60),
        ];
        notices::write(&self.notices, out);
        let groups = Arc::make_mut(&mut self.groups);
        groups.at = Some(self.place.clone());
        groups.above = (index(out.document().blocks().len()), out.document().link_count());
    }

    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        self.begin(out);
        if let Some(name) = line.strip_prefix(b"\t") {
            let groups = Arc::make_mut(&mut self.groups);
            groups.new.extend(groups.numbers.get(name.trim_ascii()));
            return;
        }
        let mut fields = line.splitn(6, |b| *b == b'\t').map(<[u8]>::trim_ascii);
        let mut field = || fields.next().unwrap_or_default();
        let (name, low, high, count, status, description) = (field(), field(), field(), field(), field(), field());
        if name.is_empty() {
            return;
        }
        let charset = self.charsets.as_mut().map_or(charset, |charsets| charsets.of(name, line));
        let said = [low, high, count, status].iter().any(|field| !field.is_empty());
        let known = self.groups.numbers.get(name).copied();
        let number = match known {
            Some(number) => number,
            // A description of a group that is not in the list.
            None if !said && !description.is_empty() => return,
            None => {
                let groups = Arc::make_mut(&mut self.groups);
                let number = u32::try_from(groups.numbers.len()).unwrap_or(u32::MAX);
                groups.names += name.len();
                groups.numbers.insert(name.into(), number);
                groups.spans.push(span(low, high));
                self.group(name, articles(low, high, count), status, charset, out);
                number
            }
        };
        // Some servers write a mark for moderated groups into the description as well.
        if !description.is_empty() && description != b"?" {
            let description = self.cell(description, charset);
            if known.is_none() {
                out.text(&description);
            }
            Arc::make_mut(&mut self.groups).describe(number, &description);
        }
    }

    fn group(&mut self, name: &[u8], articles: Option<u64>, status: &[u8], charset: Charset, out: &mut Builder) {
        let groups = Arc::make_mut(&mut self.groups);
        groups.counts.push(articles.unwrap_or(0));
        groups.described.push(None);
        let text = self.cell(name, charset);
        out.marked(BlockKind::Row, Role::Text, Marker::None, 0);
        out.link(&text, Role::Link, &self.place.group(name));
        out.text("\t");
        let count = articles.map(|articles| size::count(usize::try_from(articles).unwrap_or(usize::MAX)));
        out.text(&count.unwrap_or_default());
        out.text("\t");
        match (status.first(), status) {
            (Some(b'm'), _) => out.styled("(moderated) ", Role::Dim),
            (Some(b'n' | b'x' | b'j'), _) => out.styled("(no posting) ", Role::Dim),
            (Some(b'='), [_, other @ ..]) => {
                let other = self.cell(other, charset);
                out.styled(&format!("(now {other}) "), Role::Dim);
            }
            _ => {}
        }
    }

    fn cell(&mut self, octets: &[u8], charset: Charset) -> String {
        let text = charset.decode(octets);
        self.strays |= matches!((charset, &text), (Charset::Utf8, Cow::Owned(_)));
        sanitise(text.trim()).replace('\t', " ")
    }
}

impl Groups {
    fn describe(&mut self, group: u32, description: &str) {
        if let Some(described) = self.described.get_mut(group as usize) {
            *described = Some(index(self.descriptions.document().blocks().len()));
            self.descriptions.block(BlockKind::Line, Role::Info);
            self.descriptions.text(description);
        }
    }

    fn block(&self, group: u32) -> u32 {
        self.above.0 + group
    }

    fn link(&self, group: u32) -> LinkId {
        LinkId(self.above.1 + group)
    }

    /// `3 new groups`; nothing where there are none.
    fn new_groups(&self) -> Option<String> {
        match self.new.len() {
            0 => None,
            1 => Some("1 new group".into()),
            n => Some(format!("{} new groups", size::count(n))),
        }
    }

    /// The groups in the order of the page.
    pub(super) fn roll(&self, wishes: &Wishes) -> Roll {
        let names = self.names(&wishes.reading);
        let groups = self.ordered(wishes, &names).into_iter();
        Roll::Groups(groups.map(|group| self.row(names[group as usize], group)).collect())
    }

    /// How much memory they hold, in octets.
    pub(super) fn memory(&self) -> usize {
        self.names + self.numbers.capacity() * 48 + self.descriptions.weight() + self.counts.capacity() * 40
    }

    /// The page as the reader wishes it, with descriptions; `None` when it was given up.
    pub(super) fn written(&self, wishes: &Wishes, given: &Document, stop: &Stop) -> Option<Plan> {
        let filter = Filter::new(&wishes.filter);
        let blocks = index(given.blocks().len());
        let listed = blocks.saturating_sub(self.above.0);
        let rows = listed as usize;
        let descriptions = self.descriptions.document();
        let described = |group: u32| self.described.get(group as usize).copied().flatten();
        let passes = |group: &u32| {
            let row = (given, given.block_range(self.block(*group)));
            match described(*group) {
                Some(block) => filter.passes_in(&[row, (descriptions, descriptions.block_range(block))]),
                None => filter.passes_in(&[row]),
            }
        };
        let reading = &wishes.reading;
        let newsrc = reading.newsrc.as_deref();
        let names = self.names(reading);
        let standing = |group: u32| {
            let name = names.get(group as usize).copied().unwrap_or_default();
            let taken = newsrc.and_then(|newsrc| self.taken_as(newsrc, name, group));
            taken.unwrap_or(if self.new.contains(&group) { Standing::New } else { Standing::Other })
        };
        stop.go_on()?;
        let mut groups = self.ordered(wishes, &names);
        stop.go_on()?;
        // What is gone has no row that a filter could look at.
        let passes = |group: &u32| if *group < listed { passes(group) } else { filter.is_empty() };
        groups.retain(|group| passes(group) && standing(*group).passes(reading.show));
        let passed = groups.iter().filter(|group| **group < listed).count();
        let mut writer = Rewriter::new(given);
        for block in 0..self.above.0.min(blocks) {
            writer.block(block, BlockKind::Line, Role::Dim);
            writer.copy(block);
        }
        for &group in &groups {
            stop.go_on()?;
            writer.block(self.block(group), BlockKind::Row, Role::Text);
            match standing(group) {
                Standing::Other => writer.copy(self.block(group)),
                Standing::New => self.new_row(&mut writer, group),
                Standing::Taken(unread) => self.taken(&mut writer, group, unread),
                Standing::Gone => self.gone(&mut writer, group, names[group as usize]),
            }
            let description = described(group).map_or("", |block| descriptions.block_text(block));
            // One that came with the group stands there already.
            if !given.block_text(self.block(group)).ends_with(description) {
                writer.out.text(description);
            }
        }
        Some(Plan { shown: writer.finish(), passed, rows, ..Plan::default() })
    }

    /// Where a group comes: those that the reader takes first, as their file has them, then the new ones.
    fn place(&self, rank: &HashMap<&[u8], usize>, name: &[u8], group: u32) -> usize {
        rank.get(name).copied().unwrap_or(usize::MAX - usize::from(self.new.contains(&group)))
    }

    /// The name of each group; after those of the list come those that the reader takes and the server has no more.
    fn names<'a>(&'a self, reading: &'a Reading) -> Vec<&'a [u8]> {
        let mut names: Vec<&[u8]> = vec![b""; self.numbers.len()];
        for (name, number) in &self.numbers {
            names[*number as usize] = name;
        }
        let newsrc = reading.newsrc.as_deref().filter(|_| reading.whole && reading.show != Show::Unread);
        let gone = newsrc.into_iter().flat_map(taken).filter(|name| !self.numbers.contains_key(*name));
        names.extend(gone);
        names
    }

    /// All groups, those that are gone among them, in the order that the reader wishes: those that they take come first, as their
    /// file has them, then new ones.
    fn ordered(&self, wishes: &Wishes, names: &[&[u8]]) -> Vec<u32> {
        let rank = wishes.reading.newsrc.as_deref().map(ranks).unwrap_or_default();
        let mut groups: Vec<u32> = (0..index(names.len())).collect();
        let places: Vec<usize> = names.iter().zip(0..).map(|(name, group)| self.place(&rank, name, group)).collect();
        let place = |group: u32| places[group as usize];
        match wishes.order {
            Order::Given => groups.sort_by_key(|group| place(*group)),
            Order::Size => groups.sort_by_key(|group| Reverse(self.counts.get(*group as usize).copied())),
            _ => {
                let texts: Vec<Cow<'_, str>> = names.iter().map(|name| String::from_utf8_lossy(name)).collect();
                let text = |group: u32| natural(&texts[group as usize]);
                groups.sort_by(|a, b| place(*a).cmp(&place(*b)).then_with(|| text(*a).cmp(text(*b))));
            }
        }
        if wishes.reverse {
            groups.reverse();
        }
        groups
    }

    fn row(&self, name: &[u8], number: u32) -> GroupRow {
        GroupRow {
            link: self.link(number),
            name: name.into(),
            span: self.spans.get(number as usize).copied().flatten(),
        }
    }

    fn taken_as(&self, newsrc: &Newsrc, name: &[u8], group: u32) -> Option<Standing> {
        if newsrc.subscription(name) != Some(Subscription::Subscribed) {
            return None;
        }
        if group as usize >= self.numbers.len() {
            return Some(Standing::Gone);
        }
        let span = self.spans.get(group as usize).copied().flatten();
        let unread = newsrc.read(name).zip(span).map_or(0, |(read, (low, high))| read.unread_within(low, high));
        // Numbers have gaps.
        Some(Standing::Taken(unread.min(self.counts.get(group as usize).copied().unwrap_or(u64::MAX))))
    }

    /// The row of a group that the reader has not seen: `comp.lang.c  new`.
    fn new_row(&self, writer: &mut Rewriter, group: u32) {
        let (block, link) = (self.block(group), self.link(group));
        writer.link(writer.given.link_text(link), Role::LinkUnread, link);
        writer.out.styled("  new", Role::Info);
        let text = writer.given.block_text(block);
        writer.out.text(text.find('\t').map_or("", |at| &text[at..]));
    }

    /// The row of a group that the reader takes and the server has no more: `  comp.lang.c  gone`.
    fn gone(&self, writer: &mut Rewriter, group: u32, name: &[u8]) {
        writer.out.styled("  ", Role::Marker);
        let text = sanitise(&String::from_utf8_lossy(name)).replace('\t', " ");
        let reference = self.at.as_ref().map(|at| at.group(name)).unwrap_or_default();
        writer.added(&text, Role::Dim, &reference, self.link(group));
        writer.out.styled("  gone", Role::Info);
        writer.out.text("\t\t");
        writer.out.styled("this server has no such group", Role::Dim);
    }

    /// The row of a group that the reader takes: `• comp.lang.c  17 unread`.
    fn taken(&self, writer: &mut Rewriter, group: u32, unread: u64) {
        writer.out.styled(if unread > 0 { "• " } else { "  " }, Role::Marker);
        let role = if unread > 0 { Role::LinkUnread } else { Role::Link };
        writer.link(writer.given.link_text(self.link(group)), role, self.link(group));
        let count = |number: u64| size::count(usize::try_from(number).unwrap_or(usize::MAX));
        let all = count(self.counts.get(group as usize).copied().unwrap_or(0));
        if unread > 0 {
            writer.out.styled(&format!("  {} unread", count(unread)), Role::Info);
        }
        writer.out.text(&format!("\t{all}"));
        let text = writer.given.block_text(self.block(group));
        let rest = text.match_indices('\t').nth(1).map_or("", |(at, _)| &text[at..]);
        writer.out.text(rest);
    }
}

/// What a group is to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// They take it; so many articles of it are unread, as far as numbers tell.
    Taken(u64),
    /// They take it, and the server has it no more.
    Gone,
    /// They do not, and the server has it only since their last visit.
    New,
    /// They do not.
    Other,
}

impl Standing {
    fn passes(self, show: Show) -> bool {
        match show {
            Show::All => true,
            Show::Subscribed => self != Standing::Other,
            Show::Unread => matches!(self, Standing::Taken(unread) if unread > 0),
        }
    }
}

/// The places of the groups that the reader takes, in the order of their file.
fn ranks(newsrc: &Newsrc) -> HashMap<&[u8], usize> {
    taken(newsrc).enumerate().map(|(place, name)| (name, place)).collect()
}

/// The groups that the reader takes.
fn taken(newsrc: &Newsrc) -> impl Iterator<Item = &[u8]> {
    newsrc.groups().filter(|(_, subscription)| *subscription == Subscription::Subscribed).map(|(name, _)| name)
}

/// The numbers of a group's first and last article.
fn span(low: &[u8], high: &[u8]) -> Option<(u64, u64)> {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u64>().ok();
    Some((number(low)?, number(high)?))
}

/// How many articles there are: as counted, else at most as many as there are numbers.
fn articles(low: &[u8], high: &[u8], count: &[u8]) -> Option<u64> {
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse::<u64>().ok();
    number(count).or_else(|| match (number(low)?, number(high)?) {
        (_, 0) => Some(0),
        (low, high) => Some((high + 1).saturating_sub(low.max(1))),
    })
}
