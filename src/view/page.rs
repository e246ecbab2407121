//! The page: the document's lines with focus, matches, numbers and hints; and what to say where there is no document.

use super::canvas::{BORDERS, Canvas, DOT, Glyph, MARKED, NEW, POINTER, POINTER_BEHIND, READ_BESIDE, TEAR, THUMB};
use super::speech::FOLDED;
use crate::app::{Entry, Page, PageState, PromptKind, Sight, Spot, describe_field};
use crate::doc::{Anchor, Document, Line, LinkId, Segment, cells, columns};
use crate::format::{is_picture, media};
use crate::keys::{Mode, shown};
use crate::role::Role;
use crate::url::Resolved;
use ratatui::layout::Rect;
use std::ops::Range;

/// Draws the page of a tab. Where that has not the focus, nothing on it is what a key would act on.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>, focused: bool) {
    if !focused && sight.awaits_an_item() {
        return awaiting(canvas, area, sight);
    }
    let Some(entry) = sight.entry() else {
        if sight.tab.loading.is_none() {
            greet(canvas, area, sight);
        }
        return;
    };
    let Some(page) = &entry.page else {
        let said = match sight.tab.loading {
            Some(_) => "This page is being fetched again.",
            None => "This page is no longer in memory.",
        };
        return center(canvas, area, &[(said, Role::Dim)]);
    };
    let document = page.document();
    let lines = sight.layout().lines_scrolled(document, entry.top, usize::from(area.height), entry.left);
    if document.text().is_empty() && document.link_count() == 0 {
        return nothing(canvas, area, sight, page);
    }
    let matches = matches(sight, document, &lines);
    let left = sight.page_left().min(area.width);
    let text = Rect {
        x: area.x + left.min(area.width),
        width: area.width.min(sight.page_columns()).saturating_sub(left),
        ..area
    };
    let ink = Ink { sight, focused, document, entry, matches, numbers: Numbers::of(sight), read: sight.read_beside() };
    if focused {
        stand(canvas, text, &lines);
    }
    let fresh = page.fresh_in_view();
    for (y, line) in (area.top()..area.bottom()).zip(&lines) {
        let row = Rect { y, height: 1, ..text };
        ink.line(canvas, row, line);
        if fresh.binary_search(&line.anchor.block).is_ok() {
            // The column before the text, where there is one, else the first of it.
            canvas.tint(Rect { x: row.x.saturating_sub(1).max(area.x), width: row.width.min(1), ..row }, Role::NewLine);
        }
        if sight.tab.new_line == Some(line.anchor) {
            canvas.tint(row, Role::NewLine);
        }
    }
    if sight.has_scrollbar() {
        scrollbar(canvas, area, document, entry.top, &lines);
    }
    super::picture::draw(canvas, area, sight);
    super::picture::illustrate(canvas, text, sight);
    if cells(lines.len()) < area.height {
        tear(canvas, Rect { x: text.x, ..text }, area.y + cells(lines.len()), page);
    }
}

/// Without a link under focus the reader is at the first line.
fn stand(canvas: &mut Canvas<'_>, text: Rect, lines: &[Line<'_>]) {
    let first = lines.first().map_or(&[][..], |line| &line.segments);
    let blank = first.iter().take_while(|segment| segment.text.trim().is_empty()).map(Segment::width).sum::<usize>();
    let all = first.iter().all(|segment| segment.text.trim().is_empty());
    let x = text.x + if all { 0 } else { cells(blank) };
    canvas.spots.focus_at(x.min(text.right().saturating_sub(1)), text.y);
}

/// Which links show their numbers.
enum Numbers {
    /// None.
    Hidden,
    /// All that find room.
    All,
    /// Those whose number begins as the reader types it.
    Typed(String),
}

impl Numbers {
    fn of(sight: Sight<'_>) -> Numbers {
        match sight.hands.prompt() {
            Some(prompt) if prompt.kind == PromptKind::Number => Numbers::Typed(prompt.input.value().trim().into()),
            _ if sight.desk.settings.numbers => Numbers::All,
            _ => Numbers::Hidden,
        }
    }
}

/// What stands right before a link on its row.
#[derive(Debug, Default)]
struct Room {
    /// Columns of blanks and of the mark of its entry.
    free: u16,
    /// Columns of blanks.
    blanks: u16,
    /// Something else stands before these.
    inked: bool,
    /// No column of the row is left.
    full: bool,
}

impl Room {
    /// A segment is passed.
    fn pass(&mut self, segment: &Segment<'_>) {
        let (taken, ink) = (cells(segment.width()), segment.text.trim_end_matches(' '));
        let blanks = cells(segment.text.len() - ink.len());
        match (ink.is_empty(), segment.role) {
            (true, _) => (self.free, self.blanks) = (self.free + taken, self.blanks + taken),
            (false, Role::Marker) => (self.free, self.blanks) = (self.free + taken, blanks),
            (false, _) => (self.free, self.blanks, self.inked) = (blanks, blanks, true),
        }
    }

    /// Whether there is a blank for the pointer that parts no word from the link.
    fn is_for_pointer(&self) -> bool {
        !self.full && self.blanks > 0 && (self.blanks > 1 || self.free > self.blanks || !self.inked)
    }
}

/// What all lines of a page are drawn with.
struct Ink<'a> {
    sight: Sight<'a>,
    /// A key would act on what has the focus.
    focused: bool,
    document: &'a Document,
    entry: &'a Entry,
    /// Matches on the screen, in order.
    matches: Vec<Range<usize>>,
    numbers: Numbers,
    /// The item of a list that is read in the other pane.
    read: Option<LinkId>,
}

impl Ink<'_> {
    fn line(&self, canvas: &mut Canvas<'_>, row: Rect, line: &Line<'_>) {
        let last = line.segments.len().saturating_sub(1);
        // Numbers take only room that the line leaves free, so they never push text off the screen.
        let mut spare = usize::from(row.width).saturating_sub(line.width());
        let mut x = row.x;
        let mut room = Room::default();
        // the link under focus begins here, and there was no room for the pointer
        let mut unmarked = false;
        // the letters that lead to the link have had room before it
        let mut named = false;
        for (number, segment) in line.segments.iter().enumerate() {
            let begins = segment.link.filter(|link| self.begins(segment, *link));
            if let Some(link) = begins {
                let focused = self.entry.focus == Some(link);
                // Blanks that are only drawn are not there for who listens.
                let blank = room.is_for_pointer() && x > row.x;
                if self.is_marked(link) {
                    x = self.mark(canvas, row, x, &room, (MARKED, Role::MarkerMarked));
                } else if self.is_new(link) {
                    x = self.mark(canvas, row, x, &room, (NEW, Role::LinkUnread));
                }
                let before = x;
                if focused && blank {
                    let pointer = canvas.glyph(POINTER);
                    if room.blanks > 1 || !self.is_marked(link) {
                        canvas.put(x - 1, row.y, row.right(), pointer, Role::MarkerFocus);
                    }
                } else if blank && self.read == Some(link) {
                    let mark = canvas.glyph(READ_BESIDE);
                    canvas.put(x - 1, row.y, row.right(), mark, Role::Marker);
                }
                // A field is told from its label by its look.
                unmarked |= focused && !blank && describe_field(self.sight, link).is_none();
                let label = self.label(link).filter(|letters| !aside(letters, row, x, room.free));
                x = self.number(canvas, row, x, link, label.as_deref(), &mut spare);
                (room.free, named) = if x == before { (room.free, false) } else { (0, label.is_some()) };
                if focused && self.focused {
                    canvas.spots.focus_at(x.min(row.right().saturating_sub(1)), row.y);
                }
            }
            let start = x;
            x = self.segment(canvas, row, x, segment, line.segments.get(number + 1));
            if unmarked && !canvas.plain && segment.text.starts_with(FOLDED) {
                let pointer = canvas.glyph(POINTER);
                canvas.put(start, row.y, row.right(), pointer, Role::MarkerFocus);
                unmarked = false;
            }
            if unmarked && segment.link != self.entry.focus {
                self.point_back(canvas, row, start, &segment.text, number == last);
                unmarked = false;
            }
            if let Some(letters) = begins.filter(|_| !named).and_then(|link| self.label(link)) {
                hint(canvas, row, (start, room.free), &letters);
            }
            if let Some(link) = segment.link {
                let place = Rect { x: start, width: x - start, ..row };
                canvas.spots.mark(place, Spot::Link(link));
            }
            room.pass(segment);
            room.full |= x >= row.right();
        }
        if unmarked && x < row.right() {
            self.point_back(canvas, row, x, " ", true);
        }
    }

    /// Points at the link that ends before a column, if what comes there is blank, and it touches nothing behind it.
    fn point_back(&self, canvas: &mut Canvas<'_>, row: Rect, x: u16, text: &str, last: bool) {
        if text.starts_with("  ") || last && text.starts_with(' ') && text.trim().is_empty() {
            let pointer = canvas.glyph(POINTER_BEHIND);
            canvas.put(x, row.y, row.right(), pointer, Role::MarkerFocus);
        }
    }

    /// Whether a segment is where its link's text begins.
    fn begins(&self, segment: &Segment<'_>, link: LinkId) -> bool {
        let start = self.document.link_anchor(link).map(|anchor| self.document.offset_of(anchor));
        segment.at.map(|at| at as usize) == start
    }

    /// Whether the row of a link is marked.
    fn is_marked(&self, link: LinkId) -> bool {
        let marked = &self.entry.marked;
        !marked.is_empty() && self.entry.given_link(link).is_some_and(|given| marked.contains(given))
    }

    /// Whether the row of a link is new since the last time.
    fn is_new(&self, link: LinkId) -> bool {
        let fresh = &self.entry.fresh;
        !fresh.is_empty() && self.entry.given_link(link).is_some_and(|given| fresh.contains(&given))
    }

    /// Shows before a link that its row is marked, or new: beside the pointer's place, or in it where there is no other; in words where
    /// the screen is heard. Says where the link begins.
    fn mark(&self, canvas: &mut Canvas<'_>, row: Rect, x: u16, room: &Room, (mark, role): (Glyph, Role)) -> u16 {
        let mark = canvas.glyph(mark);
        if canvas.plain {
            return canvas.put(x, row.y, row.right(), mark, role);
        }
        let back = room.blanks.min(2);
        if back > 0 && x >= row.x + back {
            canvas.put(x - back, row.y, x, mark, role);
        }
        x
    }

    fn visited(&self, link: LinkId) -> bool {
        if self.document.is_long(link, &self.entry.bases) {
            return false;
        }
        let link = self.document.link(link, &self.entry.bases);
        matches!(link.map(|link| link.target), Some(Ok(Resolved::Url(url))) if self.sight.has_visited(&url))
    }

    /// What stands before a link in the room that its line leaves: the letters that lead to it now, else its number where all have
    /// one. Says where the link begins.
    fn number(
        &self,
        canvas: &mut Canvas<'_>,
        row: Rect,
        x: u16,
        link: LinkId,
        label: Option<&str>,
        spare: &mut usize,
    ) -> u16 {
        let number = matches!(self.numbers, Numbers::All).then(|| format!("[{}]", link.0 + 1));
        let Some(words) = label.or(number.as_deref()) else { return x };
        // What stands behind moves no more for letters than it does for the number.
        let room = columns(words).max(number.as_deref().map_or(0, columns)) + 1;
        if *spare < room {
            return x;
        }
        *spare -= room;
        let role = if label.is_some() { Role::LinkHint } else { Role::LinkNumber };
        canvas.put(x, row.y, row.right(), words, role);
        (x + cells(room)).min(row.right())
    }

    /// The letters or digits that lead to a link now.
    fn label(&self, link: LinkId) -> Option<String> {
        let hinting = self.sight.hands.prompt().filter(|prompt| prompt.kind == PromptKind::Hint);
        if let Some(prompt) = hinting
            && let Some((letters, _)) = self.sight.hands.hints.iter().find(|(_, to)| *to == link)
            && letters.starts_with(prompt.input.value())
        {
            return Some(letters.clone());
        }
        let Numbers::Typed(digits) = &self.numbers else { return None };
        Some((link.0 + 1).to_string()).filter(|number| number.starts_with(digits.as_str()))
    }

    /// A segment, cut where matches begin and end; what it says may depend on the next.
    fn segment(
        &self,
        canvas: &mut Canvas<'_>,
        row: Rect,
        x: u16,
        segment: &Segment<'_>,
        next: Option<&Segment<'_>>,
    ) -> u16 {
        let focused = self.focused && segment.link.is_some() && segment.link == self.entry.focus;
        let role = match segment.link {
            Some(_) if focused => Role::LinkFocus,
            Some(link) if self.is_marked(link) => Role::LinkMarked,
            Some(link) if self.is_new(link) => Role::LinkUnread,
            Some(link) if segment.role == Role::Link && self.visited(link) => Role::LinkVisited,
            _ => segment.role,
        };
        let text = segment.text.as_ref();
        // What is found stands as it was sought, and the cursor at it.
        let is_in = |range: Range<usize>| self.matches.iter().any(|hit| hit.start < range.end && range.start < hit.end);
        if canvas.plain
            && !segment.range().is_some_and(is_in)
            && let Some(said) = super::speech::said(segment, next)
        {
            return canvas.put(x, row.y, row.right(), &said, role);
        }
        if segment.row.is_some() {
            return x.saturating_add(cells(segment.width())).min(row.right());
        }
        let Some(range) = segment.range() else {
            return canvas.put(x, row.y, row.right(), text, role);
        };
        let (mut x, mut done) = (x, range.start);
        let first = self.matches.partition_point(|hit| hit.end <= range.start);
        for hit in self.matches[first..].iter().take_while(|hit| hit.start < range.end) {
            let current = self.sight.tab.found.as_ref() == Some(hit);
            let (from, to) = (hit.start.max(range.start), hit.end.min(range.end));
            for (piece, role) in
                [(done..from, role), (from..to, if current { Role::MatchCurrent } else { Role::Match })]
            {
                if role == Role::MatchCurrent && self.focused && self.entry.focus.is_none() && hit.start == from {
                    canvas.spots.focus_at(x.min(row.right().saturating_sub(1)), row.y);
                }
                let piece = text.get(piece.start - range.start..piece.end - range.start).unwrap_or("");
                x = canvas.put(x, row.y, row.right(), piece, role);
            }
            done = to;
        }
        canvas.put(x, row.y, row.right(), text.get(done - range.start..).unwrap_or(""), role)
    }
}

/// Whether letters find room before a link where nothing but blanks and its mark stands.
fn aside(letters: &str, row: Rect, x: u16, free: u16) -> bool {
    free > cells(columns(letters)) && x >= row.x + free
}

/// Letters or digits that lead to a link: before it where that is possible, else over the beginning of its text.
fn hint(canvas: &mut Canvas<'_>, row: Rect, (x, free): (u16, u16), letters: &str) {
    if !aside(letters, row, x, free) {
        canvas.put(x, row.y, row.right(), letters, Role::LinkHint);
        return;
    }
    canvas.put(x - free, row.y, x, &" ".repeat(free.into()), Role::Text);
    canvas.put(x - 1 - cells(columns(letters)), row.y, x, letters, Role::LinkHint);
}

fn matches(sight: Sight<'_>, document: &Document, lines: &[Line<'_>]) -> Vec<Range<usize>> {
    let Some(search) = &sight.tab.search else { return Vec::new() };
    let shown =
        lines.iter().filter_map(Line::range).reduce(|all, next| all.start.min(next.start)..all.end.max(next.end));
    let Some(shown) = shown else { return Vec::new() };
    // A match may begin before the first line of the screen, in a block that wraps.
    let before = document.text().floor_char_boundary(shown.start.saturating_sub(256));
    search.within(document, before..shown.end)
}

/// The page's length in the last column, and the screen's share of it.
fn scrollbar(canvas: &mut Canvas<'_>, area: Rect, document: &Document, top: Anchor, lines: &[Line<'_>]) {
    let height = usize::from(area.height);
    let length = document.text().len().max(1);
    let seen = lines.iter().filter_map(Line::range).map(|range| range.end).max().unwrap_or(length);
    let first = document.offset_of(top).min(length) * height / length;
    let last = (seen.min(length) * height).div_ceil(length).max(first + 1);
    let x = area.right().saturating_sub(1);
    for (i, y) in (area.top()..area.bottom()).enumerate() {
        let thumb = (first..last).contains(&i);
        let (glyph, role) = if thumb { (THUMB, Role::ScrollbarThumb) } else { (BORDERS[1], Role::Scrollbar) };
        let glyph = canvas.glyph(glyph);
        canvas.put(x, y, area.right(), glyph, role);
        let share = i * 1000 / height.saturating_sub(1).max(1);
        canvas.spots.mark(Rect { x, y, width: 1, height: 1 }, Spot::Scrollbar(cells(share)));
    }
}

/// Says below the last line that the page is not whole, or not yet.
fn tear(canvas: &mut Canvas<'_>, area: Rect, y: u16, page: &Page) {
    let (why, role) = match &page.state {
        PageState::Stopped => ("stopped here", Role::Warning),
        PageState::Cut(remark) => (remark.as_str(), Role::Warning),
        PageState::Arriving => ("more is coming", Role::Dim),
        PageState::Complete | PageState::Failed(_) => return,
    };
    let tear = canvas.glyph(TEAR);
    canvas.put(area.x, y, area.right(), &format!("{tear} {} {tear}", crate::doc::sanitise(why)), role);
}

/// A page that says nothing.
fn nothing(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>, page: &Page) {
    let filter = page.arrangement.wishes.filter.trim();
    if !filter.is_empty() && !page.given().blocks().is_empty() {
        return nothing_passes(canvas, area, sight, filter);
    }
    let what = match page.head.media.as_str() {
        media::MENU => "menu",
        media::DIRECTORY => "folder",
        media::PLAIN => "text",
        _ => "page",
    };
    let (said, role) = match &page.state {
        PageState::Arriving if is_picture(&page.head.media) => ("the picture is coming".to_string(), Role::Dim),
        PageState::Arriving => ("waiting for the first line".to_string(), Role::Dim),
        PageState::Complete => (format!("empty {what}"), Role::Dim),
        PageState::Stopped => ("stopped before anything came".to_string(), Role::Warning),
        PageState::Cut(remark) => (crate::doc::sanitise(remark).into_owned(), Role::Warning),
        PageState::Failed(error) => (crate::doc::sanitise(&error.detail).into_owned(), Role::Error),
    };
    center(canvas, area, &[(&said, role)]);
}

/// Nothing on the page holds the words of the filter.
fn nothing_passes(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>, filter: &str) {
    let said = format!("nothing on this page holds \"{}\"", crate::doc::sanitise(filter));
    let back = sight.key_for("filter").map(|key| format!("{key} with no words shows everything again"));
    center(canvas, area, &[(&said, Role::Warning), (back.as_deref().unwrap_or_default(), Role::Dim)]);
}

/// The pane for what the list beside it names, while that is nothing.
fn awaiting(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>) {
    let opens = |command: &str, what: &str| sight.key_for(command).map(|key| format!("{key} {what}"));
    let said = match sight.tab.loading {
        Some(_) => vec![Some("on its way".into())],
        None => vec![opens("follow", "in the list opens here"), opens("next-page", "goes on to the next")],
    };
    let said: Vec<String> = said.into_iter().flatten().collect();
    let lines: Vec<(&str, Role)> = said.iter().map(|line| (line.as_str(), Role::Dim)).collect();
    center(canvas, area, &lines);
}

/// The first screen: the keys that lead to everything else, as they are bound.
fn greet(canvas: &mut Canvas<'_>, area: Rect, sight: Sight<'_>) {
    const FIRST: [(&str, &str); 4] =
        [("open", "open an address"), ("home", "home page"), ("help", "help"), ("quit", "quit")];
    let keys = FIRST.iter().filter_map(|(command, what)| {
        sight.desk.keymap.keys_for(Mode::Page, command).first().map(|keys| format!("{} {what}", shown(keys)))
    });
    let dot = format!(" {} ", canvas.glyph(DOT));
    let keys: Vec<String> = keys.collect();
    let row = keys.join(&dot);
    if columns(&row) <= usize::from(area.width) {
        center(canvas, area, &[("Wayfarer", Role::Heading2), ("", Role::Dim), (&row, Role::Dim)]);
    } else {
        let mut lines = vec![("Wayfarer", Role::Heading2), ("", Role::Dim)];
        lines.extend(keys.iter().map(|key| (key.as_str(), Role::Dim)));
        center(canvas, area, &lines);
    }
}

fn center(canvas: &mut Canvas<'_>, area: Rect, lines: &[(&str, Role)]) {
    let top = area.y + area.height.saturating_sub(cells(lines.len())) / 3;
    for (y, (text, role)) in (top..area.bottom()).zip(lines) {
        let x = area.x + area.width.saturating_sub(cells(columns(text))) / 2;
        canvas.put(x, y, area.right(), text, *role);
    }
}
