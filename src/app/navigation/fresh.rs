//! What is new in a directory since the reader saw it last: rows whose name or time it did not have then.
//!
//! Of a listing a number for each row is kept, by the directory's URL; of one that is longer than [`MOST`] the time of the latest row
//! alone, after which all that is later is new. Nothing is kept of private tabs, nor where no history is.

use super::hidden;
use crate::app::page::address::is_filled_form;
use crate::app::state::Cx;
use crate::app::{Effect, Kept, SiteChoice};
use crate::doc::LinkId;
use crate::format::{count, media};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::collections::BTreeSet;

/// Rows that are known one by one: as many as a line of what is kept has room for.
const MOST: usize = 480;
/// Rows that are looked at, and directories that are known.
const ROWS: usize = 20_000;
const DIRECTORIES: usize = 1000;
/// A longer URL is not kept, in octets.
const LONGEST: usize = 240;

/// Behind what is known of one with its hidden files.
const HIDDEN: &str = " .";

/// What is known of a listing.
#[derive(Debug, PartialEq)]
struct Seen {
    /// The latest row.
    last: u64,
    /// All rows; `None` where they were too many.
    rows: Option<BTreeSet<u32>>,
    /// Whether hidden files were asked for: where they were not, nobody knows which were there.
    hidden: bool,
}

impl Seen {
    fn of(stamps: &[(u32, u32, u64)], hidden: bool) -> Seen {
        let last = stamps.iter().map(|(_, _, time)| *time).max().unwrap_or_default();
        let few = stamps.len() <= MOST;
        Seen { last, rows: few.then(|| stamps.iter().map(|(_, stamp, _)| *stamp).collect()), hidden }
    }

    fn has(&self, (_, stamp, time): &(u32, u32, u64)) -> bool {
        match &self.rows {
            Some(rows) => rows.contains(stamp),
            None => *time <= self.last,
        }
    }

    /// `LAST NUMBERS`, in hexadecimal digits, eight for each row; `LAST *` where they were too many. ` .` follows where hidden files
    /// were asked for.
    fn text(&self) -> String {
        let mut text = format!("{:x} ", self.last);
        match &self.rows {
            Some(rows) => text.extend(rows.iter().map(|row| format!("{row:08x}"))),
            None => text.push('*'),
        }
        text.push_str(if self.hidden { HIDDEN } else { "" });
        text
    }

    fn read(text: &str) -> Option<Seen> {
        let (text, hidden) = text.strip_suffix(HIDDEN).map_or((text, false), |text| (text, true));
        let (last, rows) = text.split_once(' ')?;
        let last = u64::from_str_radix(last, 16).ok()?;
        let number = |at: usize| u32::from_str_radix(rows.get(at..at + 8)?, 16).ok();
        match rows {
            "*" => Some(Seen { last, rows: None, hidden }),
            _ => {
                let rows = Some((0..rows.len()).step_by(8).map(number).collect::<Option<_>>()?);
                Some(Seen { last, rows, hidden })
            }
        }
    }
}

/// By what a directory is known.
fn key(url: &Url) -> Option<String> {
    let family = scheme::family(url);
    let listed = matches!(family, Family::Ftp | Family::Sftp | Family::File);
    let text = url.without_fragment().without_secrets().to_string();
    (listed && !is_filled_form(&text) && text.len() <= LONGEST).then_some(text)
}

/// Whether a reference of a listing is to a file that servers leave out unless they are asked.
fn is_hidden(reference: &str) -> bool {
    reference.trim_end_matches('/').rsplit('/').next().is_some_and(|name| name.starts_with('.'))
}

/// A directory has come whole: what it did not have the last time is new, and what it has now is known.
pub(super) fn look(cx: &mut Cx<'_>, at: usize) -> Vec<Effect> {
    let Some(entry) = cx.tab.history.get(at).filter(|_| !cx.tab.private && cx.desk.settings.history > 0) else {
        return Vec::new();
    };
    let Some(page) = entry.page.as_deref().filter(|page| page.head.media == media::DIRECTORY) else {
        return Vec::new();
    };
    let (Some(key), Some(rows)) = (key(&entry.url), page.rows.as_ref()) else { return Vec::new() };
    let given = page.given();
    let stamps = rows.stamps(given, ROWS);
    let before = cx.desk.listings.get(&key).and_then(|text| Seen::read(text));
    let hidden = hidden::is_listed(cx.sight(), &entry.url);
    let is_new = |row: &&(u32, u32, u64)| before.as_ref().is_some_and(|before| !before.has(row));
    let link = |(block, _, _): &(u32, u32, u64)| given.link_from(given.block_range(*block).start);
    // Those that were not asked for before may always have been there.
    let unasked = hidden && before.as_ref().is_some_and(|before| !before.hidden);
    let may_be_new = |link: &LinkId| !(unasked && given.reference(*link).is_some_and(is_hidden));
    let fresh: BTreeSet<LinkId> = stamps.iter().filter(is_new).map(link).filter(may_be_new).collect();
    let text = Seen::of(&stamps, hidden).text();
    let news = fresh.len();
    if let Some(entry) = cx.tab.history.get_mut(at) {
        entry.fresh = fresh;
    }
    if news > 0 && at == cx.tab.at && cx.hands.note.is_none() {
        let what = if news == 1 { "entry is" } else { "entries are" };
        cx.say(format!("{} {what} new since you were here: :mark-rows new marks them", count(news)));
    }
    cx.desk.listed.retain(|known| *known != key);
    cx.desk.listed.push_back(key.clone());
    if cx.desk.listings.get(&key) == Some(&text) {
        return Vec::new();
    }
    if cx.desk.listings.len() >= DIRECTORIES && !cx.desk.listings.contains_key(&key) {
        forget_oldest(cx);
    }
    cx.desk.listings.insert(key.clone(), text.clone());
    vec![Effect::Keep(Kept::Site { host: key, choice: SiteChoice::Listing(text) })]
}

/// Makes room for another directory.
fn forget_oldest(cx: &mut Cx<'_>) {
    let (listings, listed) = (&mut cx.desk.listings, &mut cx.desk.listed);
    let here: BTreeSet<&String> = listed.iter().collect();
    let of_before = listings.keys().find(|known| !here.contains(known)).cloned();
    if let Some(oldest) = of_before.or_else(|| listed.pop_front()) {
        listings.remove(&oldest);
    }
}
