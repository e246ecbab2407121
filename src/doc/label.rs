//! What tells a field from others: the words beside it, and what kind it is of. Refuses: what is done with a field.

use super::{Document, FieldKind, LineKind, LinkId, beginning, ending, sanitise};
use std::ops::Range;

/// Columns of a label.
const WIDEST: usize = 30;
/// Octets in which those are looked for.
const LOOKED_AT: usize = 1024;

impl Document {
    /// The words that tell a field from others: what stands before it (behind it, for boxes), what the page hints at, its name.
    pub fn field_label(&self, number: usize) -> String {
        let Some(field) = self.fields.get(number) else { return String::new() };
        let own = field.link.map(|link| self.link_text(link).trim_matches(['[', ']', ' ', '\u{a0}']));
        let own =
            own.filter(|_| matches!(field.kind, FieldKind::Submit { .. } | FieldKind::Image(_) | FieldKind::Reset));
        let beside = field.link.and_then(|link| beside(self, link, &field.kind));
        let candidates = [own, beside, Some(&field.hint), Some(&field.name)].into_iter().flatten();
        let found = candidates.map(in_short).find(|words| !words.is_empty());
        found.unwrap_or_else(|| field.kind.name().into())
    }
}

impl FieldKind {
    /// What it is, in a word or two.
    pub fn name(&self) -> &'static str {
        match self {
            FieldKind::Line { kind, .. } => match kind {
                LineKind::Text => "text",
                LineKind::Password => "password",
                LineKind::Search => "search",
                LineKind::Email => "mail address",
                LineKind::Url => "URL",
                LineKind::Telephone => "telephone number",
                LineKind::Number => "number",
                LineKind::Date => "date or time",
            },
            FieldKind::Text(_) => "lines of text",
            FieldKind::Check { .. } => "box",
            FieldKind::Radio { .. } => "one of several",
            FieldKind::Select { multiple: true, .. } => "list, any number",
            FieldKind::Select { .. } => "list",
            FieldKind::Hidden(_) => "hidden",
            FieldKind::File { .. } => "file",
            FieldKind::Submit { .. } | FieldKind::Image(_) => "button",
            FieldKind::Reset => "puts everything back as it was",
            FieldKind::Button => "waits for a script",
        }
    }
}

/// The end of words, on few columns; no more of long ones is looked at.
pub fn in_short(words: &str) -> String {
    let words = words.trim_end_matches(|c: char| matches!(c, ':' | '\u{a0}') || c.is_whitespace());
    let last = &words[words.floor_char_boundary(words.len().saturating_sub(LOOKED_AT))..];
    let last = sanitise(last).split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = ending(&last, WIDEST);
    if shown.len() < last.len() || words.len() > LOOKED_AT { format!("…{shown}") } else { shown.to_owned() }
}

/// The words beside a field, up to the next link: in its block, else those of a block before it that is nothing but words.
fn beside<'a>(document: &'a Document, link: LinkId, kind: &FieldKind) -> Option<&'a str> {
    let anchor = document.link_anchor(link)?;
    let block = document.block_range(anchor.block);
    let (start, end) = (document.offset_of(anchor), document.offset_of(anchor) + document.link_text(link).len());
    if is_box(kind) {
        let next = links(document, end..block.end).map(|range| range.start).find(|at| *at >= end);
        let after = &document.text()[end..next.unwrap_or(block.end).max(end)];
        // a box alone in its cell: the words stand in the next one
        let cells = (anchor.block + 1..document.row_of(anchor.block).end).filter(|_| next.is_none());
        let words = std::iter::once(after).chain(cells.map(|block| document.block_text(block)));
        return words.into_iter().find(|words| !words.trim().is_empty());
    }
    let before = document.spans_in(block.start..start).iter().rev();
    let previous =
        before.filter(|span| span.end as usize <= start).find_map(|span| Some((span.end as usize, span.link?)));
    // What stands behind a box is the box's own.
    let box_before = previous.and_then(|(_, link)| document.field_of(link)).is_some_and(|field| is_box(&field.kind));
    let previous = previous.map(|(end, _)| end);
    let before = &document.text()[previous.unwrap_or(block.start).min(start)..start];
    if box_before {
        return None;
    }
    let words = Some(before).filter(|words| !words.trim().is_empty());
    if words.is_some() || previous.is_some() {
        return words;
    }
    let above = anchor.block.checked_sub(1)?;
    let plain = links(document, document.block_range(above)).next().is_none();
    Some(document.block_text(above)).filter(|words| plain && beginning(words, WIDEST).len() == words.len())
}

fn is_box(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Check { .. } | FieldKind::Radio { .. })
}

/// The pieces of links in a range.
fn links(document: &Document, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let spans = document.spans_in(range).iter().filter(|span| span.link.is_some());
    spans.map(|span| span.start as usize..span.end as usize)
}
