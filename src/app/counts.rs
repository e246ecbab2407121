//! Counts: digits before a key say how often, or which line, tab or link; where the key file has `counts = true`, or behind the key
//! of `count`.
//!
//! However large a count is, the work it makes grows no faster: what moves no farther ends it, and what goes round in a circle is
//! gone round once.

use crate::app::motion::focus;
use crate::app::navigation::journey;
use crate::app::{App, Effect, commands, split};
use crate::keys::{Code, Key, Mode};

/// The largest count.
pub(super) const MOST: u16 = 9_999;

/// What a count means to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// So often.
    Often,
    /// To that line of the page.
    Line,
    /// So many hundredths of the page.
    Share,
    /// The tab of that number.
    Tab,
    /// The link of that number.
    Link,
    /// So many places back, or forward.
    Back,
    /// Forward.
    Forward,
    /// A count that is four times as large.
    Count,
}

/// The commands to which a count means something; others are run once.
pub const COUNTED: &[(&str, Counted)] = &[
    ("down", Counted::Often),
    ("up", Counted::Often),
    ("next-link", Counted::Often),
    ("previous-link", Counted::Often),
    ("line-down", Counted::Often),
    ("line-up", Counted::Often),
    ("page-down", Counted::Often),
    ("page-up", Counted::Often),
    ("half-down", Counted::Often),
    ("half-up", Counted::Often),
    ("left", Counted::Often),
    ("right", Counted::Often),
    ("mark-row", Counted::Often),
    ("next-heading", Counted::Often),
    ("previous-heading", Counted::Often),
    ("find-next", Counted::Often),
    ("find-previous", Counted::Often),
    ("previous-tab", Counted::Often),
    ("next-tab", Counted::Tab),
    ("top", Counted::Line),
    ("bottom", Counted::Line),
    ("goto", Counted::Share),
    ("follow", Counted::Link),
    ("back", Counted::Back),
    ("forward", Counted::Forward),
    ("count", Counted::Count),
];

/// What `count` stands for without digits, and by what it multiplies a count.
const FOUR: u16 = 4;

/// `count`: the digits that come are a count, as where key files ask for that; none come, and it is four.
pub(super) fn begin(app: &mut App, _: &str) -> Vec<Effect> {
    (app.hands.count, app.hands.counts) = (Some(FOUR), true);
    Vec::new()
}

/// A digit on a page, before any other key; Esc drops what was typed. Says whether the key was meant so.
pub(super) fn takes(app: &mut App, key: Key) -> bool {
    let begun = app.hands.count.is_some();
    if app.mode() != Mode::Page || !(app.desk.keymap.counts || begun) || key.control || key.meta {
        return false;
    }
    match (key.code, app.hands.count) {
        (Code::Char(c), before) => {
            let by_digits = before.filter(|_| !app.hands.counts);
            let Some(digit) = c.to_digit(10).and_then(|digit| u16::try_from(digit).ok()) else { return false };
            if digit == 0 && before.is_none() {
                return false;
            }
            app.hands.count = Some(by_digits.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(MOST));
            app.hands.counts = false;
            true
        }
        (Code::Esc, Some(_)) => {
            app.hands.count = None;
            true
        }
        _ => false,
    }
}

/// Runs a command line with the count that was typed before its key.
pub(super) fn run(app: &mut App, line: &str, count: Option<u16>) -> Vec<Effect> {
    let means = COUNTED.iter().find(|(name, _)| *name == line).map(|(_, counted)| *counted);
    let (Some(count), Some(means)) = (count, means) else { return commands::run(app, line) };
    let number = usize::from(count);
    match means {
        Counted::Often => often(app, line, number),
        Counted::Line => commands::run(app, &format!("goto {count}")),
        Counted::Share => commands::run(app, &format!("goto {count}%")),
        Counted::Tab => commands::run(app, &format!("tab {count}")),
        Counted::Link => match focus::numbered(app.sight(), &count.to_string()) {
            Some(link) => {
                focus::go_to(&mut app.cx(), link);
                split::follow_link(app, link)
            }
            None => {
                app.complain(format!("no link {count}"));
                Vec::new()
            }
        },
        Counted::Back if app.tab.at > 0 => {
            let to = app.tab.at.saturating_sub(number);
            journey::visit(&mut app.cx(), to)
        }
        Counted::Forward if app.tab.at + 1 < app.tab.history.len() => {
            let to = (app.tab.at + number).min(app.tab.history.len() - 1);
            journey::visit(&mut app.cx(), to)
        }
        Counted::Back | Counted::Forward => commands::run(app, line),
        Counted::Count => {
            (app.hands.count, app.hands.counts) = (Some(count.saturating_mul(FOUR).min(MOST)), true);
            Vec::new()
        }
    }
}

/// Runs it so often, as long as it leads anywhere.
fn often(app: &mut App, line: &str, count: usize) -> Vec<Effect> {
    let mut effects = Vec::new();
    let (mut left, mut done) = (count, 0);
    let (mut before, mut first) = (stand(app), None);
    while left > 0 {
        effects.extend(commands::run(app, line));
        (left, done) = (left - 1, done + 1);
        let now = stand(app);
        if now == before || app.tab.loading.is_some() {
            break;
        }
        match &first {
            None => first = Some(now.clone()),
            // Round once more would lead here again.
            Some(begun) if *begun == now => left %= done - 1,
            Some(_) => {}
        }
        before = now;
    }
    effects
}

/// Where the reader stands, as far as moving changes it.
fn stand(app: &App) -> impl PartialEq + Clone + use<> {
    let place = app.entry().map(|entry| (entry.top, entry.focus, entry.left));
    let found = app.tab.found.as_ref().map(|found| found.start);
    let seeks = app.tab.sought.as_ref().map(|sought| sought.then.len());
    (app.tab.id, app.tab.at, place, found, seeks)
}
