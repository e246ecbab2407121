//! A page on its way to standard output: as it came, its head alone, or its text with what its links lead to, printed while it arrives.
//!
//! What can be folded is printed whole, but for the header fields of messages that are rarely wanted (a closed fold of
//! [`FoldKind::Headers`]): of them only the line that says how many there are. `--source` and `--head` have them all. Texts of
//! several lines in forms are printed below their places.

use crate::app::Veil;
use crate::doc::{Anchor, BlockKind, Document, FieldKind, Fold, FoldKind, Layout, LinkId, index, sanitise};
use crate::format::{Arrange, Learnt, Order, PageRows, Reader, Wishes};
use crate::role::Role;
use crate::shell::cli::complain;
use crate::shell::heading::Heading;
use crate::shell::links::Links;
use crate::stop::Stop;
use crate::url::escape::{self, make_safe};
use crate::url::{BaseStack, Url};
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

/// What is printed of an answer.
pub(super) enum Printing {
    Source { raw: bool },
    Head(Box<Heading>),
    Text(Box<Page>),
}

/// How pages are set.
#[derive(Clone, Copy)]
pub(super) struct Set {
    pub(super) layout: Layout,
    /// Whether the lines of plain text that are longer than the page go on in the next.
    pub(super) wraps: bool,
}

impl Set {
    /// Whether the lines of a block run on, however long they are.
    fn runs_on(self, document: &Document, block: u32) -> bool {
        let kind = document.blocks().get(block as usize).map(|block| block.kind);
        !self.wraps && matches!(kind, Some(BlockKind::Line | BlockKind::Preformatted)) && !document.is_in_table(block)
    }

    fn layout(self, runs_on: bool) -> Layout {
        Layout { width: if runs_on { u16::MAX } else { self.layout.width }, ..self.layout }
    }
}

/// A page that is printed while it arrives.
pub(super) struct Page {
    pub(super) reader: Reader,
    /// The order of its rows, if it has any.
    pub(super) order: Order,
    /// Blocks printed already.
    pub(super) printed: u32,
    pub(super) bases: BaseStack,
    /// What is hidden in where its links lead.
    pub(super) veil: Veil,
    /// Whether the text is wanted, or only the links.
    pub(super) text: bool,
    /// Whether the links are wanted.
    pub(super) links: bool,
    /// Whether links are marked so that a terminal can open them (OSC 8).
    pub(super) linked: bool,
    /// Whether every link shows its number, also where they are not listed.
    pub(super) numbered: bool,
}

impl Printing {
    pub(super) fn feed(&mut self, octets: &[u8], set: Set, out: &mut impl Write) -> io::Result<()> {
        match self {
            Printing::Source { raw: true } => out.write_all(octets),
            Printing::Source { raw: false } => {
                for line in String::from_utf8_lossy(octets).split_inclusive('\n') {
                    out.write_all(sanitise(line.trim_end_matches('\n')).as_bytes())?;
                    out.write_all(if line.ends_with('\n') { b"\n" } else { b"" })?;
                }
                Ok(())
            }
            Printing::Head(heading) => {
                heading.feed(octets);
                Ok(())
            }
            Printing::Text(page) => page.feed(octets, set, out),
        }
    }

    /// Whether it should end here.
    pub(super) fn is_over(&self) -> bool {
        match self {
            Printing::Source { .. } => false,
            Printing::Head(heading) => heading.is_over(),
            Printing::Text(page) => page.reader.is_over(),
        }
    }

    /// Prints the rest; says why it is not whole: it would hold more memory than it may, or what it is written from is not.
    pub(super) fn finish(self, set: Set, out: &mut impl Write) -> io::Result<Option<String>> {
        match self {
            Printing::Source { .. } => Ok(None),
            Printing::Head(heading) => heading.print(out).map(|()| None),
            Printing::Text(page) => page.finish(set, out),
        }
    }
}

impl Page {
    /// Where the message of a mailbox leads that has this name in its list.
    pub(super) fn message(&self, name: &str) -> Option<Url> {
        let document = self.reader.document();
        let row = document.anchor(&String::from_utf8_lossy(&escape::decode(name)))?.block;
        let link = document.link_from(document.block_range(row).start);
        Url::parse(document.reference(link)?).ok()
    }

    fn feed(&mut self, octets: &[u8], set: Set, out: &mut impl Write) -> io::Result<()> {
        self.reader.take(octets);
        if self.reader.rows().is_some() {
            // Rows are printed in order, when all are there.
            return Ok(());
        }
        // The last block may still grow, and so may the columns of a table.
        let document = self.reader.document();
        let complete = document.settled().max(self.printed);
        // Numbers of links are known when all of the page is.
        if self.text && !self.links {
            let bases = self.linked.then(|| bases(&self.bases, document));
            blocks(
                document,
                self.printed..complete,
                set,
                bases.as_ref().map(|bases| (bases, &self.veil)),
                |link| self.number(link),
                out,
            )?;
        }
        if !self.links {
            self.printed = complete;
        }
        Ok(())
    }

    /// The number of a link where every link shows its own, as on the screen.
    fn number(&self, link: LinkId) -> Option<usize> {
        self.numbered.then_some(link.0 as usize + 1)
    }

    fn finish(self, set: Set, out: &mut impl Write) -> io::Result<Option<String>> {
        let input = self.reader.input().clone();
        let whole = self.reader.finish();
        let document = ordered(whole.page.rows, self.order, whole.page.document);
        let bases = bases(&self.bases, &document);
        let source = whole.source.as_deref().map(|octets| (&input, octets));
        let links = self.links.then(|| Links::new(&document, &bases, &self.veil, source));
        let listed = links.as_ref().map(Links::numbers);
        let number = |link: LinkId| match &listed {
            Some(numbers) => *numbers.get(link.0 as usize)?,
            None => self.numbered.then_some(link.0 as usize + 1),
        };
        if self.text {
            let marked = self.linked.then_some((&bases, &self.veil));
            blocks(&document, self.printed..index(document.blocks().len()), set, marked, number, out)?;
        }
        if let Some(links) = links {
            let mut numbers = (1..).map(|number| if self.text { format!("[{number}] ") } else { String::new() });
            if self.text && links.urls().next().is_some() {
                writeln!(out)?;
            }
            for url in links.urls() {
                writeln!(out, "{}{url}", numbers.next().unwrap_or_default())?;
            }
            out.flush()?;
            links.dead().for_each(|sentence| {
                complain(sentence);
            });
        }
        Ok(whole.cut.or_else(|| document.refusal.clone()))
    }
}

/// The rows of a document in an order; everything folded is open.
fn ordered(rows: Option<PageRows>, order: Order, given: Arc<Document>) -> Arc<Document> {
    if rows.is_none() {
        return given;
    }
    let closed = (0..).zip(&given.folds).filter(|(_, fold)| !fold.open);
    let (toggled, learnt) = (closed.map(|(number, _)| number).collect(), Learnt::Nothing);
    let wishes = Wishes { order, ..Wishes::default() };
    let arrange =
        Arrange { given: Arc::clone(&given), rows, wishes, toggled, below: Vec::new(), key: String::new(), learnt };
    match arrange.run(&Stop::new()).and_then(|plan| plan.shown) {
        Some(shown) => Arc::clone(shown.document()),
        None => given,
    }
}

/// The bases of a page with those that its document names.
pub(in crate::shell) fn bases(given: &BaseStack, document: &Document) -> BaseStack {
    let mut bases = given.clone();
    if let Some(base) = document.entity.clone() {
        bases.set_entity(base);
    }
    if let Some(base) = document.base.as_deref() {
        // A base that is none leaves the others in force.
        let _ = bases.set_document_base(base);
    }
    bases
}

/// The mark that a terminal takes for a link's beginning, or with no URL for its end.
fn mark(url: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "\x1b]8;;{url}\x1b\\")
}

/// Writes the lines of a field that its place on the page has no room for: all, when one of them is left out there.
fn further_lines(fields: &HashMap<LinkId, &str>, field: LinkId, out: &mut impl Write) -> io::Result<()> {
    let Some(text) = fields.get(&field) else { return Ok(()) };
    text.lines().try_for_each(|line| writeln!(out, "  {}", sanitise(line).trim_end()))
}

/// Writes the lines of some blocks; with bases, and what is hidden in where they lead, links are marked for the terminal, and those that have numbers have them before them.
fn blocks(
    document: &Document,
    range: std::ops::Range<u32>,
    set: Set,
    bases: Option<(&BaseStack, &Veil)>,
    numbers: impl Fn(LinkId) -> Option<usize>,
    out: &mut impl Write,
) -> io::Result<()> {
    const ROWS: usize = 512;
    // header fields hold no other folds, so that these stand one after the other
    let is_closed = |fold: &&Fold| matches!(fold.kind, FoldKind::Headers | FoldKind::Thread) && !fold.open;
    let closed = document.folds.iter().filter(is_closed);
    let idle = document.folds.iter().filter_map(|fold| document.idle_head(fold)).map(|head| (head.start, head.end));
    let mut closed: Vec<(u32, u32)> = closed.map(|fold| (fold.first, fold.end)).chain(idle).collect();
    closed.sort_unstable();
    let hidden = |block: u32| {
        let before = closed.partition_point(|(first, _)| *first <= block);
        before > 0 && block < closed[before - 1].1
    };
    let fields = document.fields.iter().filter_map(|field| match &field.kind {
        FieldKind::Text(text) if text.lines().nth(1).is_some() => Some((field.link?, text.as_str())),
        _ => None,
    });
    let fields: HashMap<LinkId, &str> = fields.collect();
    let mut from = Anchor { block: range.start, offset: 0 };
    while from.block < range.end {
        // Blocks that are set alike are printed together.
        let runs_on = set.runs_on(document, from.block);
        let alike = |block: u32| block < range.end && set.runs_on(document, block) == runs_on;
        let end = (from.block..range.end)
            .take(ROWS)
            .take_while(|block| alike(*block))
            .last()
            .map_or(from.block, |last| last + 1);
        let rows = if end == range.end { ROWS } else { (2 * (end - from.block) as usize).min(ROWS) };
        let layout = set.layout(runs_on);
        let lines = layout.lines(document, from, rows);
        let lines = &lines[..lines.partition_point(|line| line.anchor.block < end)];
        let wanted = lines.iter();
        for line in wanted.filter(|line| !hidden(line.anchor.block)) {
            let ends = line.segments.iter().rposition(|segment| !segment.text.trim_end().is_empty());
            for (at, segment) in line.segments.iter().enumerate().take(ends.map_or(0, |at| at + 1)) {
                let text = if Some(at) == ends { segment.text.trim_end() } else { &segment.text };
                let link = segment.link.zip(bases);
                // Only what a URL may hold goes into the mark.
                let url = link.and_then(|(link, (bases, veil))| Some((document.link_url(link, bases)?, veil)));
                let url = url.map(|(url, veil)| make_safe(&veil.url(&url).unwrap_or(url).redacted()));
                let begins = |link: &LinkId| segment.at == Some(index(document.link_range(*link).start));
                let number = segment.link.filter(begins).and_then(&numbers);
                number.iter().try_for_each(|number| write!(out, "[{number}]"))?;
                url.iter().try_for_each(|url| mark(url, out))?;
                // A space that no line breaks at is for the layout, not for whoever reads the text.
                for (number, piece) in text.split('\u{a0}').enumerate() {
                    out.write_all(if number > 0 { b" " } else { b"" })?;
                    out.write_all(piece.as_bytes())?;
                }
                url.iter().try_for_each(|_| mark("", out))?;
            }
            out.write_all(b"\n")?;
            let starts = |link: &LinkId| index(document.link_range(*link).start);
            let links = line.segments.iter().filter(|segment| segment.role == Role::Field);
            for link in links.filter_map(|segment| segment.link.filter(|link| segment.at == Some(starts(link)))) {
                further_lines(&fields, link, out)?;
            }
        }
        let Some(last) = lines.last() else {
            from = Anchor { block: end, offset: 0 };
            continue;
        };
        let next = layout.down(document, last.anchor, 1);
        if next <= last.anchor {
            break;
        }
        from = next;
    }
    Ok(())
}
