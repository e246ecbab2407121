//! The line of tabs: numbers, titles and marks. The one in view is always there; where not all find room, counts at the ends
//! say how many are left out.

use super::canvas::{BORDERS, COMING, Canvas, ELLIPSIS, MORE, PRIVATE, both_ends, shortened};
use crate::app::{App, Label, Spot, Tab, TabState};
use crate::doc::{columns, sanitise};
use crate::role::Role;
use ratatui::layout::Rect;
use std::ops::Range;

/// Columns of a title when there is room, and when there is little.
const WIDEST: usize = 30;
const NARROWEST: usize = 8;

/// Draws the line.
pub fn draw(canvas: &mut Canvas<'_>, area: Rect, app: &App) {
    if area.height == 0 {
        return;
    }
    canvas.fill(area, Role::Tab);
    if canvas.plain {
        return super::speech::tab(canvas, area, app);
    }
    let items: Vec<Item> = app.tabs().enumerate().map(|(i, tab)| Item::of(canvas, i, tab, i == app.tab_at())).collect();
    let (shown, widest) = choose(&items, app.tab_at(), usize::from(area.width));
    let mut x = area.x;
    if shown.start > 0 {
        let more = format!("{}{} ", canvas.glyph(MORE[0]), shown.start);
        x = canvas.put(x, area.y, area.right(), &more, Role::Tab);
    }
    for i in shown.clone() {
        if i > shown.start {
            let rule = canvas.glyph(BORDERS[1]);
            x = canvas.put(x, area.y, area.right(), rule, Role::TabRule);
        }
        let start = x;
        x = items[i].draw(canvas, Rect { x, width: area.right() - x, ..area }, widest);
        canvas.spots.mark(Rect { x: start, width: x - start, ..area }, Spot::Tab(i));
    }
    let left = items.len() - shown.end;
    if left > 0 {
        let more = format!("{left}{}", canvas.glyph(MORE[1]));
        canvas.put_right(x, area.y, area.right(), &more, Role::Tab);
    }
}

/// A tab as it is shown.
struct Item {
    number: String,
    /// A glyph and a blank, or nothing.
    private: String,
    label: Label,
    mark: &'static str,
    role: Role,
    mark_role: Role,
}

impl Item {
    fn of(canvas: &Canvas<'_>, i: usize, tab: &Tab, in_view: bool) -> Item {
        let (mark, mark_role) = match tab.state() {
            _ if in_view => ("", Role::TabCurrent),
            TabState::Seen => ("", Role::Tab),
            TabState::Loading => (canvas.glyph(COMING), Role::TabBusy),
            TabState::Asks => ("?", Role::TabArrived),
            TabState::Arrived => ("*", Role::TabArrived),
            TabState::Failed => ("!", Role::TabFailed),
        };
        let role = match (in_view, tab.private) {
            (true, _) => Role::TabCurrent,
            (false, true) => Role::TabPrivate,
            (false, false) => Role::Tab,
        };
        let label = match tab.label() {
            // Directories are called by their paths.
            Some(Label::Title(title)) if title.contains('/') && !title.contains(' ') => {
                Label::Url(sanitise(&title).into_owned())
            }
            Some(Label::Title(title)) => Label::Title(sanitise(&title).into_owned()),
            Some(Label::Url(url)) => Label::Url(place(&sanitise(&url)).into()),
            None => Label::Title("new".into()),
        };
        let private = if tab.private { format!("{} ", canvas.glyph(PRIVATE)) } else { String::new() };
        Item { number: (i + 1).to_string(), private, label, mark, role, mark_role }
    }

    /// Columns, when its title has at most so many; with a blank at each side.
    fn width(&self, widest: usize) -> usize {
        let label = match &self.label {
            Label::Title(text) | Label::Url(text) => columns(text).min(widest),
        };
        self.number.len() + columns(&self.private) + label + columns(self.mark) + 3
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, widest: usize) -> u16 {
        let unicode = canvas.theme.unicode;
        let label = match &self.label {
            Label::Title(text) => shortened(text, widest, ELLIPSIS, unicode),
            Label::Url(text) => both_ends(text, widest, ELLIPSIS, unicode),
        };
        let text = format!(" {} {}{label}", self.number, self.private);
        let x = canvas.put(area.x, area.y, area.right(), &text, self.role);
        let x = canvas.put(x, area.y, area.right(), self.mark, self.mark_role);
        canvas.put(x, area.y, area.right(), " ", self.role)
    }
}

/// A URL without what all of its kind have in common: host and path.
fn place(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.is_empty() { url } else { rest }
}

/// Which tabs are shown, that of number `at` among them, and the columns of their titles at most.
fn choose(items: &[Item], at: usize, room: usize) -> (Range<usize>, usize) {
    let all = |widest: usize| items.iter().map(|item| item.width(widest) + 1).sum::<usize>() - 1;
    // Each takes four columns besides its title at least: of a hundred tabs nobody need count them all.
    let possible = items.len() <= room / 4;
    if let Some(widest) = (NARROWEST..=WIDEST).rev().find(|widest| possible && all(*widest) <= room) {
        return (0..items.len(), widest);
    }
    let count = items.len().to_string().len() + 2;
    let room = room.saturating_sub(2 * count);
    let widest = NARROWEST + NARROWEST / 2;
    let mut shown = at..at + 1;
    let mut taken = items.get(at).map_or(0, |item| item.width(widest));
    // Outwards in turns, so that the reader sees what is next at either side.
    loop {
        let before = shown.clone();
        if let Some(item) = items.get(shown.end)
            && taken + item.width(widest) < room
        {
            taken += item.width(widest) + 1;
            shown.end += 1;
        }
        if let Some(item) = shown.start.checked_sub(1).and_then(|i| items.get(i))
            && taken + item.width(widest) < room
        {
            taken += item.width(widest) + 1;
            shown.start -= 1;
        }
        if shown == before {
            return (shown, widest);
        }
    }
}
