//! Reading without what stands around: to the content of a page, and from heading to heading.

use super::window;
use crate::app::Effect;
use crate::app::state::Cx;
use crate::doc::{Anchor, BlockKind, Document};

/// How many links, one block after the other, are navigation.
const RUN: usize = 3;
/// From how many octets on a block is prose, and no label.
const PROSE: usize = 80;

/// To where the content begins: as the page says; else as its links and headings have it.
pub(in crate::app) fn content(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let Some(document) = window::document(cx.sight()) else { return Vec::new() };
    match document.content.or_else(|| guessed(document)) {
        Some(place) => go(cx, place),
        None => cx.say("nothing on this page says where its content begins"),
    }
    Vec::new()
}

/// The first heading or prose below the first run of links, unless a heading with prose stands above that.
fn guessed(document: &Document) -> Option<Anchor> {
    let (mut run, mut heading) = (0, None);
    for (number, block) in (0..).zip(document.blocks()) {
        let place = Some(Anchor { block: number, offset: 0 });
        if matches!(block.kind, BlockKind::Heading(1 | 2)) {
            if run >= RUN {
                return place;
            }
            (run, heading) = (0, heading.or(place));
            continue;
        }
        let (text, links) = linked(document, number);
        if links > 0 {
            run += links;
        } else if text >= PROSE && (run >= RUN || heading.is_some()) {
            return if run >= RUN { place } else { heading };
        } else if text > 0 && run < RUN {
            run = 0;
        }
    }
    heading
}

/// The octets of a block's text, and its links if they are most of it.
fn linked(document: &Document, block: u32) -> (usize, usize) {
    let range = document.block_range(block);
    let text = document.block_text(block).trim().len();
    let (mut octets, mut links, mut last) = (0, 0, None);
    for span in document.spans_in(range).iter().filter(|span| span.link.is_some()) {
        octets += (span.end - span.start) as usize;
        links += usize::from(last != span.link);
        last = span.link;
    }
    (text, if octets * 2 > text { links } else { 0 })
}

pub(in crate::app) fn next_heading(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let sight = cx.sight();
    let (Some(entry), Some(document)) = (sight.entry(), window::document(sight)) else { return Vec::new() };
    let (layout, bottom) = (sight.layout(), window::bottom(sight));
    let top = layout.line_start(document, entry.top);
    let from = entry.top.block as usize;
    let below = (entry.top.block..).zip(document.blocks().get(from..).unwrap_or_default());
    let headings = below.filter(|(_, block)| matches!(block.kind, BlockKind::Heading(_)));
    let mut places = headings.map(|(block, _)| Anchor { block, offset: 0 });
    // what is on the last screen cannot come further up
    let place = places.find(|place| layout.line_start(document, *place) > top).filter(|_| bottom > top);
    let any = document.headings().next().is_some();
    step(cx, place, any, "below");
    Vec::new()
}

pub(in crate::app) fn previous_heading(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let sight = cx.sight();
    let (Some(entry), Some(document)) = (sight.entry(), window::document(sight)) else { return Vec::new() };
    let layout = sight.layout();
    let top = layout.line_start(document, entry.top);
    let above = (0..entry.top.block.saturating_add(1)).zip(document.blocks()).rev();
    let headings = above.filter(|(_, block)| matches!(block.kind, BlockKind::Heading(_)));
    let mut places = headings.map(|(block, _)| Anchor { block, offset: 0 });
    let place = places.find(|place| layout.line_start(document, *place) < top);
    let any = document.headings().next().is_some();
    step(cx, place, any, "above");
    Vec::new()
}

pub(super) fn step(cx: &mut Cx<'_>, place: Option<Anchor>, any: bool, side: &str) {
    match place {
        Some(place) => go(cx, place),
        None if any => cx.say(format!("no heading {side}")),
        None => cx.say("no headings here"),
    }
}

/// Brings a place to the top, as far as the page goes; the focus goes to the first link from there on.
fn go(cx: &mut Cx<'_>, place: Anchor) {
    window::take_over(cx);
    let top = match window::document(cx.sight()) {
        Some(document) => cx.layout().line_start(document, place).min(window::bottom(cx.sight())),
        None => return,
    };
    window::look_at(cx, top);
    let seen = window::on_screen(cx.sight());
    let from = |link| window::document(cx.sight()).and_then(|document| document.link_anchor(link)) >= Some(place);
    let link = seen.iter().find(|seen| from(seen.link)).or(seen.first()).map(|seen| seen.link);
    if let Some(entry) = cx.entry_mut() {
        entry.focus = link;
    }
}
