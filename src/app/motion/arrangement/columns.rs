//! The order of a table's rows, by what stands in a column. It is the page's for as long as that is there, and no host's.

use crate::app::state::Cx;
use crate::doc::{Document, beginning};
use crate::format::ByColumn;

/// Words in the title of the column that `sort name` and the like mean.
const MEANT: &[(&str, &[&str])] = &[
    ("name", &["name", "title"]),
    ("size", &["size", "length"]),
    ("date", &["date", "time", "modified", "updated", "year"]),
    ("kind", &["kind", "type"]),
];
/// How many columns a refusal names, and in how many columns of the screen.
const NAMED: usize = 8;
const WIDE: usize = 16;

/// `sort 3`, `sort size`, `sort column`: the table under focus, else in view, by a column; the same again turns it round, as
/// `sort reverse` does. `sort given` takes that back.
pub(super) fn sort(cx: &mut Cx<'_>, words: &str) {
    let Some((table, column)) = here(cx) else {
        cx.say("this page has no rows to sort");
        return;
    };
    let Some(page) = cx.page_mut() else { return };
    let now = page.arrangement.wishes.table;
    let given = page.given();
    let by = |column| ByColumn { table, column, reverse: now.is_some_and(|now| again(now, table, column)) };
    let (words, turned) = match words.trim().strip_suffix(" reverse") {
        Some(words) => (words.trim(), true),
        None => (words.trim(), false),
    };
    let wished = match (words, now) {
        ("given", _) => None,
        ("reverse", Some(now)) => Some(ByColumn { reverse: !now.reverse, ..now }),
        _ => match meant(given, table, column, words) {
            Some(column) if turned => Some(ByColumn { table, column, reverse: true }),
            Some(column) => Some(by(column)),
            None => {
                let offered = offered(&given.column_titles(table));
                return cx.complain(offered);
            }
        },
    };
    if let Some(why) = wished.and_then(|wished| given.holds_together(wished.table)) {
        return cx.complain(format!("this table cannot be sorted: {why}"));
    }
    let said = match wished {
        None => "in the page's own order".into(),
        Some(ByColumn { table, column, reverse }) => {
            let titles = given.column_titles(table);
            let title = titles.get(usize::from(column)).filter(|title| !title.is_empty());
            let name = title.map_or_else(|| format!("column {}", column + 1), |title| shown(title));
            let which = which(given, table);
            format!("{which}sorted by {name}{}", if reverse { ", turned round" } else { "" })
        }
    };
    page.arrangement.wishes.table = wished;
    page.arrangement.anew();
    cx.say(said);
}

/// Of several tables, which one it is.
fn which(given: &Document, table: u16) -> String {
    let (mut all, mut at) = (0, 0);
    for number in given.outermost_tables() {
        all += 1;
        at = if number == table { all } else { at };
    }
    if all > 1 { format!("table {at} of {all} ") } else { String::new() }
}

/// Whether a table that is sorted by a column now is to be turned round.
fn again(now: ByColumn, table: u16, column: u16) -> bool {
    (now.table, now.column) == (table, column) && !now.reverse
}

/// The table under focus, else the first in view, and the column under focus.
fn here(cx: &mut Cx<'_>) -> Option<(u16, Option<u16>)> {
    let place = cx.entry()?.given_place();
    let given = cx.page_mut()?.given();
    let focus = place.focus.and_then(|link| given.link_anchor(link)).map(|anchor| anchor.block);
    if let Some((block, table)) = focus.and_then(|block| Some((block, given.table_around(block)?))) {
        return Some((table, given.column_of(table, block)));
    }
    Some((given.table_near(place.top.block)?, None))
}

/// The column that words mean.
fn meant(given: &Document, table: u16, focus: Option<u16>, words: &str) -> Option<u16> {
    let titles = given.column_titles(table);
    let all = titles.len();
    if let Ok(number) = words.parse::<u16>() {
        return number.checked_sub(1).filter(|column| usize::from(*column) < all);
    }
    if words == "column" {
        return focus;
    }
    let known = MEANT.iter().find(|(name, _)| *name == words);
    let one = [words];
    let wanted = known.map_or(&one[..], |(_, wanted)| wanted);
    let holds = |title: &String| wanted.iter().any(|word| title.to_lowercase().contains(&word.to_lowercase()));
    let found = titles.iter().position(|title| !words.is_empty() && holds(title));
    // what stands first is what the row is called
    found.or((words == "name" && all > 0).then_some(0)).and_then(|column| u16::try_from(column).ok())
}

/// Which columns there are.
fn offered(titles: &[String]) -> String {
    let named = titles.iter().enumerate().take(NAMED).map(|(at, title)| match title.as_str() {
        "" => format!("sort {}", at + 1),
        title => format!("sort {} ({})", at + 1, shown(title)),
    });
    let more = if titles.len() > NAMED { format!(", … sort {}", titles.len()) } else { String::new() };
    format!("{}{more}; the same again turns it round", named.collect::<Vec<_>>().join(", "))
}

fn shown(title: &str) -> String {
    beginning(title, WIDE).trim_end().to_owned()
}
