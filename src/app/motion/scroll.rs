//! Moving over the page by lines, screens and shares of the whole.

use super::window;
use super::window::{beyond, bottom, document, look_at, rows};
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, Sight, SiteChoice};
use crate::doc::{Anchor, Document, Layout, Line, LinkId, Wrap};

/// Columns per step sideways along lines that do not wrap, and the fewest along tables.
const SIDE: u16 = 8;
/// Lines of the old screen that stay in view after a page move.
const OVERLAP: usize = 2;

/// Scrolls down, at most to the bottom. False when it stood there already.
pub(in crate::app) fn scroll_down(cx: &mut Cx<'_>, count: usize) -> bool {
    window::take_over(cx);
    let layout = cx.layout();
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return false };
    if document.blocks().is_empty() {
        return false;
    }
    let from = layout.line_start(document, entry.top);
    let to = layout.down(document, from, count).min(bottom(cx.sight())).max(from);
    if to == from {
        return false;
    }
    look_at(cx, to);
    window::settle(cx);
    true
}

/// Scrolls down for a block below a link on the screen to be seen, all of it where there is room for it below the link.
pub(in crate::app) fn reveal_below(cx: &mut Cx<'_>, link: LinkId, block: u32) {
    let (sight, rows) = (cx.sight(), rows(cx.sight()));
    let Some((entry, document)) = sight.entry().zip(document(sight)) else { return };
    let lines = sight.layout().lines(document, entry.top, rows * 2);
    let names = |line: &Line<'_>| line.segments.iter().any(|segment| segment.link == Some(link));
    let first = lines.iter().position(names).filter(|first| *first < rows);
    let last = lines.iter().rposition(|line| line.anchor.block == block);
    if let (Some(first), Some(last)) = (first, last) {
        scroll_down(cx, (last + 1).saturating_sub(rows).min(first));
    }
}

/// Scrolls up. False when it stood at the top already.
pub(in crate::app) fn scroll_up(cx: &mut Cx<'_>, count: usize) -> bool {
    window::take_over(cx);
    let layout = cx.layout();
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return false };
    let from = layout.line_start(document, entry.top);
    let to = layout.up(document, from, count);
    if to == from {
        return false;
    }
    look_at(cx, to);
    window::settle_last(cx);
    true
}

pub(in crate::app) fn line_down(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    scroll_down(cx, 1);
    Vec::new()
}

pub(in crate::app) fn line_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    scroll_up(cx, 1);
    Vec::new()
}

pub(in crate::app) fn page_down(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    down_by(cx, page(cx.sight()))
}

pub(in crate::app) fn page_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    up_by(cx, page(cx.sight()))
}

pub(in crate::app) fn half_down(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    down_by(cx, (rows(cx.sight()) / 2).max(1))
}

pub(in crate::app) fn half_up(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    up_by(cx, (rows(cx.sight()) / 2).max(1))
}

fn page(sight: Sight<'_>) -> usize {
    let rows = rows(sight);
    if rows > 2 * OVERLAP { rows - OVERLAP } else { rows }
}

/// A long move down: the focus goes to the first link on the new screen, to the last one at the very end.
fn down_by(cx: &mut Cx<'_>, count: usize) -> Vec<Effect> {
    let fresh = first_below(cx.sight());
    if scroll_down(cx, count) {
        let marks = cx.desk.settings.mark_new && !cx.desk.settings.speech;
        let moved = cx.entry().is_some_and(|entry| Some(entry.top) < fresh);
        cx.tab.new_line = fresh.filter(|_| marks && moved);
        refocus(cx, false);
    } else {
        refocus(cx, true);
    }
    Vec::new()
}

/// The first line below the screen that has words; where the next screen has none, its first.
fn first_below(sight: Sight<'_>) -> Option<Anchor> {
    let (entry, document) = (sight.entry()?, document(sight)?);
    let (layout, rows) = (sight.layout(), rows(sight));
    let lines = layout.lines(document, entry.top, 2 * rows);
    let below = lines.get(rows..)?;
    let has_words = |line: &&Line<'_>| line.segments.iter().any(|segment| !segment.text.trim().is_empty());
    below.iter().find(has_words).or(below.first()).map(|line| line.anchor)
}

fn up_by(cx: &mut Cx<'_>, count: usize) -> Vec<Effect> {
    scroll_up(cx, count);
    refocus(cx, false);
    Vec::new()
}

fn refocus(cx: &mut Cx<'_>, last: bool) {
    let (seen, first) = (window::named(cx.sight()), window::first(cx.sight()));
    let mut wanted = seen.iter().filter(|s| last || s.link >= first).map(|s| s.link);
    let link = if last { wanted.next_back() } else { wanted.next() };
    if let Some(entry) = cx.entry_mut() {
        entry.focus = link;
    }
}

pub(in crate::app) fn top(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    look_at(cx, Anchor::default());
    refocus(cx, false);
    Vec::new()
}

pub(in crate::app) fn bottom_of_page(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let end = bottom(cx.sight());
    look_at(cx, end);
    refocus(cx, true);
    Vec::new()
}

/// `left`, or `left all` to the very left.
pub(in crate::app) fn left(cx: &mut Cx<'_>, all: &str) -> Vec<Effect> {
    let (beyond, step) = (beyond(cx.sight()), sideways(cx));
    if all == "all" {
        cx.tab.history.get_mut(cx.tab.at).into_iter().for_each(|entry| entry.left = 0);
    } else if let Some(entry) = cx.entry_mut() {
        entry.left = entry.left.min(beyond.next_multiple_of(step)).saturating_sub(step);
    }
    window::settle(cx);
    Vec::new()
}

/// Columns per step sideways: half a screen where lines wrap, so that only tables are wider.
fn sideways(cx: &Cx<'_>) -> u16 {
    if cx.desk.choices.wrap == Wrap::Off { SIDE } else { (cx.layout().width / 2).max(SIDE) }
}

/// To the right, until the longest line on the screen ends there; `right all` at once.
pub(in crate::app) fn right(cx: &mut Cx<'_>, all: &str) -> Vec<Effect> {
    let (beyond, step) = (beyond(cx.sight()), sideways(cx));
    if beyond == 0 && cx.desk.choices.wrap == Wrap::On {
        let (layout, rows) = (Layout { wrap: Wrap::Off, ..cx.layout() }, rows(cx.sight()));
        let shown = cx.entry().zip(document(cx.sight()));
        let widest = shown.map_or(0, |(entry, document)| layout.widest(document, entry.top, rows));
        let wraps = widest > usize::from(layout.width);
        cx.say(match wraps {
            true => "lines wrap here; turn wrap off to look to the right",
            false => "nothing here is wider than the screen",
        });
        return Vec::new();
    }
    if let Some(entry) = cx.entry_mut().filter(|entry| entry.left < beyond) {
        entry.left = if all == "all" { beyond } else { entry.left.saturating_add(step) };
        window::settle(cx);
    }
    Vec::new()
}

/// The line so many thousandths from the top, of what can be scrolled, as the status bar counts it.
fn at_share(sight: Sight<'_>, document: &Document, share: u64) -> Anchor {
    let offset = document.offset_of(bottom(sight)) as u64 * share / 1000;
    sight.layout().line_start(document, document.anchor_at(offset as usize))
}

/// To so many thousandths of the page.
pub(in crate::app) fn to_share(cx: &mut Cx<'_>, share: u16) {
    window::take_over(cx);
    if let Some(document) = document(cx.sight()) {
        let place = at_share(cx.sight(), document, u64::from(share.min(1000))).min(bottom(cx.sight()));
        look_at(cx, place);
        refocus(cx, false);
    }
}

/// `goto 34%`, `goto 120` (a line of text), `goto top`, `goto bottom`.
pub(in crate::app) fn goto(cx: &mut Cx<'_>, to: &str) -> Vec<Effect> {
    let to = to.trim();
    let place = match (document(cx.sight()), to.strip_suffix('%')) {
        (None, _) => return Vec::new(),
        (Some(_), _) if to == "top" => Some(Anchor::default()),
        (Some(_), _) if to == "bottom" => Some(bottom(cx.sight())),
        (Some(document), Some(share)) => {
            share.trim().parse::<usize>().ok().map(|share| at_share(cx.sight(), document, share.min(100) as u64 * 10))
        }
        (Some(_), None) => to.parse::<u32>().ok().map(|line| Anchor { block: line.saturating_sub(1), offset: 0 }),
    };
    match place {
        Some(place) => {
            let place = place.min(bottom(cx.sight()));
            look_at(cx, place);
            refocus(cx, false);
        }
        None => cx.complain("goto needs a share of the page (34%) or a line (120)"),
    }
    Vec::new()
}

/// `line-to top`, `middle`, `bottom`: the line of the focus moves there, as far as the page goes.
pub(in crate::app) fn line_to(cx: &mut Cx<'_>, to: &str) -> Vec<Effect> {
    let rows = rows(cx.sight());
    let above = match to.trim() {
        "top" => 0,
        "middle" | "" => rows / 2,
        "bottom" => rows.saturating_sub(1),
        _ => {
            cx.complain("line-to needs top, middle or bottom");
            return Vec::new();
        }
    };
    window::take_over(cx);
    let (layout, focus) = (cx.layout(), window::focus(cx.sight()));
    let place = document(cx.sight())
        .and_then(|document| Some(layout.up(document, document.link_anchor(focus?)?, above).min(bottom(cx.sight()))));
    match place {
        Some(place) => look_at(cx, place),
        None => cx.say("no link is under focus"),
    }
    Vec::new()
}

/// Wraps long lines, or lets them run on.
pub(in crate::app) fn wrap(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    cx.desk.choices.wrap = match cx.desk.choices.wrap {
        Wrap::On | Wrap::WholeUrls => Wrap::Off,
        Wrap::Off => Wrap::On,
    };
    cx.say(if cx.desk.choices.wrap == Wrap::On { "long lines wrap" } else { "long lines run on" });
    cx.tab.history.iter_mut().for_each(|entry| entry.left = 0);
    keep_in_view(cx);
    Vec::new()
}

/// Sets prose by the measure on all pages of this host, of this folder for a file; or as wide as the screen.
pub(in crate::app) fn measure(cx: &mut Cx<'_>, _: &str) -> Vec<Effect> {
    let (Some(url), on) = (cx.entry().map(|entry| entry.url.clone()), !cx.sight().is_measured()) else {
        return Vec::new();
    };
    let (host, kind) = (address::place(&url), address::kind_of_place(&url));
    match on {
        true => cx.desk.unmeasured.remove(&host),
        false => cx.desk.unmeasured.insert(host.clone()),
    };
    match (on, cx.desk.settings.width) {
        (true, Some(width)) => cx.say(format!("prose is {width} columns wide on pages of this {kind}")),
        (true, None) => cx.say("the setting \"width\" says how wide prose is; it is 0"),
        (false, _) => cx.say(format!("prose is as wide as the screen on pages of this {kind}")),
    }
    keep_in_view(cx);
    vec![Effect::Keep(Kept::Site { host, choice: SiteChoice::Measure(on) })]
}

/// After the lines have changed (resize, wrap, measure): the same text on top, the same link in sight.
pub(in crate::app) fn keep_in_view(cx: &mut Cx<'_>) {
    let layout = cx.layout();
    let (Some(entry), Some(document)) = (cx.entry(), document(cx.sight())) else { return };
    if document.blocks().is_empty() {
        return;
    }
    let top = layout.line_start(document, entry.top).min(bottom(cx.sight()));
    let focus = entry.focus;
    let link = focus.and_then(|link| document.link_anchor(link));
    if let Some(entry) = cx.entry_mut() {
        entry.top = top;
    }
    let in_picture = |seen: &window::Seen| seen.pictured && Some(seen.link) == focus;
    if let Some(place) = link.filter(|_| !window::on_screen(cx.sight()).iter().any(in_picture)) {
        window::reveal(cx, place);
    }
    window::settle(cx);
}

/// Whether two places of the page in view are farther from each other than a screen.
pub(in crate::app) fn is_far(sight: Sight<'_>, one: Anchor, other: Anchor) -> bool {
    let Some(document) = document(sight) else { return false };
    let (upper, lower) = (one.min(other), one.max(other));
    sight.layout().down(document, upper, rows(sight)) < lower
}

/// The reader has found a way to go on.
pub(in crate::app) fn end_greeting(cx: &mut Cx<'_>) {
    if std::mem::take(&mut cx.desk.greets) {
        keep_in_view(cx);
    }
}
