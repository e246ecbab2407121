//! Text of the page onto the clipboard: a line, or all lines from a marked one on.

use super::window::{document, on_screen, rows};
use crate::app::state::Cx;
use crate::app::{Effect, Sight};
use crate::doc::{Anchor, sanitise};

/// Octets that are put on the clipboard at once; terminals take no more (xterm has the least of those in use).
pub(in crate::app) const MOST: usize = 74_000;

/// Which line stands for where the reader is, when no link has the focus.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// The line of the link under focus, else a line at an edge of the screen.
fn here(sight: Sight<'_>, edge: Edge) -> Option<Anchor> {
    let (entry, document) = (sight.entry()?, document(sight)?);
    let layout = sight.layout();
    let focus = entry.focus.filter(|focus| on_screen(sight).iter().any(|seen| seen.link == *focus));
    if let Some(place) = focus.and_then(|link| document.link_anchor(link)) {
        return Some(layout.line_start(document, place));
    }
    let lines = layout.lines(document, entry.top, rows(sight));
    let line = if edge == Edge::First { lines.first() } else { lines.last() };
    line.map(|line| line.anchor)
}

/// `mark-line`: lines from here on will be copied; again, no longer.
pub(in crate::app) fn mark_line(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    if cx.tab.marked.take().is_some() {
        cx.say("no line is marked any more");
        return Vec::new();
    }
    cx.tab.marked = here(cx.sight(), Edge::First);
    if cx.tab.marked.is_some() {
        let key =
            cx.key_for("copy-text").map(|key| format!("; {key} copies from it to where you are")).unwrap_or_default();
        cx.say(format!("this line is marked{key}"));
    }
    Vec::new()
}

/// `copy-text`: the line here, or the lines from the marked one to this one.
pub(in crate::app) fn copy_text(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let marked = cx.tab.marked.take();
    let Some(here) = here(cx.sight(), if marked.is_some() { Edge::Last } else { Edge::First }) else {
        return Vec::new();
    };
    let (first, last) = marked.map_or((here, here), |marked| (marked.min(here), marked.max(here)));
    let Some(document) = document(cx.sight()) else { return Vec::new() };
    let layout = cx.layout();
    let (mut text, mut count, mut at) = (String::new(), 0_usize, first);
    while let Some(line) = layout.lines(document, at, 1).into_iter().next() {
        let words: String = line.segments.iter().map(|segment| segment.text.as_ref()).collect();
        if text.len() + words.len() > MOST {
            break;
        }
        text.push_str(sanitise(words.trim_end()).as_ref());
        count += 1;
        let next = layout.down(document, line.anchor, 1);
        if next > last || next <= line.anchor {
            break;
        }
        text.push('\n');
        at = next;
    }
    cx.say(if count == 1 { format!("copied {text}") } else { format!("copied {count} lines") });
    vec![Effect::Copy(text)]
}
