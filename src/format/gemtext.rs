//! Gemtext (`text/gemini`, 0.24.1), and the notation of Wayfarer's own pages (`text/x-wayfarer`), which is gemtext with three
//! kinds of lines more; that of Spartan has one more, and directories of nex are text in which links are the only kind:
//!
//! | line | is |
//! |---|---|
//! | `# heading`, `## …`, `### …` | a heading; the first one is the title |
//! | `=> reference label` | a link |
//! | `* item` | a list item |
//! | `> words` | a quotation |
//! | three backquotes | preformatted text begins, with words on it behind them, or ends |
//! | `=: reference label` (Spartan) | a link that sends words |
//! | `---` (own) | a rule |
//! | `! words` (own) | a heading that tells of an error |
//! | `label TAB value` (own) | a label and what it stands for |
//! | `=* reference label TAB detail` (own) | a link to what is new, and what else is known of it; with `=-` it was read |
//! | `=\| reference cell TAB label TAB cell TAB cell` (own) | a row in columns, with a link in the second |
//! | anything else | a paragraph |

use super::charset::{Charset, Said};
use super::lines::{Endings, Lines};
use super::{Input, Parser, media};
use crate::doc::{Align, BlockKind, Builder, Column, Marker, Sides, sanitise};
use crate::role::Role;
use crate::url::scheme::{self, Family};

/// Which lines are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Gemtext,
    Spartan,
    Nex,
    Own,
}

/// Columns that labels are padded to.
const LABEL: usize = 10;

/// Reads gemtext and own pages.
pub struct Gemtext {
    lines: Lines,
    state: State,
}

struct State {
    dialect: Dialect,
    preformatted: bool,
    strays: bool,
}

impl Gemtext {
    /// A parser; the media type says which notation.
    pub fn new(input: &Input) -> Gemtext {
        let dialect = match input.media.as_str() {
            media::OWN => Dialect::Own,
            media::NEX => Dialect::Nex,
            _ if scheme::family(&input.url) == Family::Spartan => Dialect::Spartan,
            _ => Dialect::Gemtext,
        };
        // Both notations are UTF-8 unless said otherwise.
        let utf8 = Said::from("utf-8");
        let said = Some(input.charset.as_ref().unwrap_or(&utf8));
        let state = State { dialect, preformatted: false, strays: false };
        Gemtext { lines: Lines::said(said, input, Endings::Lf), state }
    }
}

impl Parser for Gemtext {
    fn feed(&mut self, octets: &[u8], out: &mut Builder) {
        self.lines.feed(octets, &mut |line, charset| self.state.line(line, charset, out));
    }

    fn finish(&mut self, out: &mut Builder) {
        self.lines.finish(&mut |line, charset| self.state.line(line, charset, out));
        self.lines.tell(self.state.strays, out);
    }

    fn memory(&self) -> usize {
        self.lines.memory()
    }

    fn holds_back(&self) -> bool {
        true
    }
}

impl State {
    fn line(&mut self, line: &[u8], charset: Charset, out: &mut Builder) {
        let line = charset.decode(line);
        self.strays |= matches!((charset, &line), (Charset::Utf8, std::borrow::Cow::Owned(_)));
        if self.dialect == Dialect::Nex {
            match line.starts_with("=>") {
                true => common(&line, out),
                false => {
                    out.block(BlockKind::Preformatted, Role::Text);
                    out.text(&sanitise(&line));
                }
            }
        } else if let Some(words) = line.strip_prefix("```") {
            self.preformatted = !self.preformatted;
            // Whoever cannot see a picture of letters may read what it is.
            if self.preformatted && !words.trim().is_empty() {
                out.block(BlockKind::Paragraph, Role::Dim);
                out.text(&sanitise(words.trim()));
            }
        } else if self.preformatted {
            out.block(BlockKind::Preformatted, Role::CodeBlock);
            out.text(&sanitise(&line));
        } else if let Some(link) = line.strip_prefix("=:").filter(|_| self.dialect == Dialect::Spartan) {
            // An empty query is what asks for words.
            let (reference, label) = parted(link);
            let reference = reference.split(['?', '#']).next().unwrap_or_default();
            entry(&format!("{reference}?"), label, out);
        } else if !(self.dialect == Dialect::Own && own(&line, out)) {
            common(&line, out);
        }
    }
}

/// Reference and label of a link; one without a label is called by where it leads.
fn parted(link: &str) -> (&str, &str) {
    let (reference, label) = link.trim().split_once([' ', '\t']).unwrap_or((link.trim(), ""));
    (reference, if label.trim().is_empty() { reference } else { label.trim() })
}

fn entry(reference: &str, label: &str, out: &mut Builder) {
    out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
    out.link(&sanitise(label), Role::Link, reference);
}

/// The lines of gemtext.
fn common(line: &str, out: &mut Builder) {
    if let Some(link) = line.strip_prefix("=>") {
        let (reference, label) = parted(link);
        entry(reference, label, out);
    } else if line.starts_with('#') {
        let level = line.bytes().take_while(|b| *b == b'#').take(3).count();
        let words = &line[level..];
        let level = u8::try_from(level).unwrap_or(3);
        heading(words, level, Role::heading(level), out);
    } else if let Some(item) = line.strip_prefix("* ") {
        out.marked(BlockKind::Entry, Role::Text, Marker::Bullet, 0);
        out.text(&sanitise(item.trim()));
    } else if let Some(quote) = line.strip_prefix('>') {
        out.marked(BlockKind::Paragraph, Role::Quote, Marker::None, 1);
        out.bars(Sides::NONE.barred(0));
        out.text(&sanitise(quote.trim()));
    } else {
        out.block(BlockKind::Paragraph, Role::Text);
        out.text(&sanitise(line.trim_end()));
    }
}

/// The lines that only own pages have; false when it is none of them.
fn own(line: &str, out: &mut Builder) -> bool {
    if line == "---" {
        out.block(BlockKind::Rule, Role::Rule);
    } else if let Some(words) = line.strip_prefix("! ") {
        heading(words, 1, Role::Error, out);
    } else if let Some(link) = line.strip_prefix("=*") {
        item(link, "• ", Role::LinkUnread, out);
    } else if let Some(link) = line.strip_prefix("=-") {
        item(link, "  ", Role::Link, out);
    } else if let Some(row) = line.strip_prefix("=|") {
        source(row, out);
    } else if let Some((label, value)) = line.split_once('\t')
        && !line.starts_with("=>")
    {
        labelled(label, out);
        out.text(&sanitise(value));
    } else {
        return false;
    }
    true
}

/// A link to what is new, or was.
fn item(link: &str, mark: &str, role: Role, out: &mut Builder) {
    let (link, detail) = link.split_once('\t').unwrap_or((link, ""));
    let (reference, label) = parted(link);
    out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
    out.styled(mark, Role::Marker);
    out.link(&sanitise(label), role, reference);
    if !detail.trim().is_empty() {
        out.styled(&format!("  {}", sanitise(detail.trim())), Role::Dim);
    }
}

/// A row in columns.
fn source(row: &str, out: &mut Builder) {
    let (reference, cells) = row.trim_start().split_once(' ').unwrap_or((row.trim(), ""));
    let mut cells = cells.split('\t').map(str::trim);
    let mut cell = || sanitise(cells.next().unwrap_or_default()).into_owned();
    let (before, label, many, when) = (cell(), cell(), cell(), cell());
    let column = |title: &str, width, align, role, needs| Column { title: title.into(), width, align, role, needs };
    if out.document().columns.is_empty() {
        out.document_mut().columns = vec![
            column("space", 7, Align::Left, Role::Info, 30),
            column("source", 0, Align::Left, Role::Text, 0),
            column("new", 6, Align::Right, Role::Size, 0),
            column("when", 10, Align::Left, Role::Date, 36),
        ];
    }
    out.block(BlockKind::Row, Role::Text);
    out.text(&before);
    out.text("\t");
    out.link(&label, Role::Link, reference);
    out.text(&format!("\t{many}\t{when}"));
}

fn heading(words: &str, level: u8, role: Role, out: &mut Builder) {
    let words = sanitise(words.trim());
    if out.document().title.is_none() && !words.is_empty() {
        out.document_mut().entitle(&words);
    }
    out.block(BlockKind::Heading(level), role);
    out.text(&words);
}

/// Begins an entry with a label; the value is written next and wraps under itself.
pub(super) fn labelled(label: &str, out: &mut Builder) {
    let label = sanitise(label.trim());
    let pad = LABEL.saturating_sub(label.chars().count()).max(1);
    out.marked(BlockKind::Entry, Role::Text, Marker::None, 1);
    out.styled(&label, Role::Dim);
    out.text(&" ".repeat(pad));
}
