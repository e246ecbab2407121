//! `about:new`: one row for each source, below it what is new there; or all that is new by time; or all subscriptions.

use super::super::fetch::World;
use super::super::pages::link;
use super::sources;
use crate::bookmarks::Bookmark;
use crate::date::said;
use crate::doc::flat;
use crate::format::count;
use crate::store::{FoundItem, Source, of_source};
use crate::subscriptions::space;
use crate::url::Url;
use crate::url::scheme::about::New;
use crate::url::scheme::gopher::Gopher;
use crate::url::scheme::{self, Family};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::collections::HashMap;
use std::sync::Arc;

/// Items of a source that stand below its row.
const ITEMS: usize = 20;

/// Items by their sources, the source first in which the newest is.
pub(super) fn by_source<'a>(items: impl Iterator<Item = &'a FoundItem>) -> Vec<(&'a str, Vec<&'a FoundItem>)> {
    let (mut all, mut places) = (Vec::<(&str, Vec<&FoundItem>)>::new(), HashMap::<&str, usize>::new());
    for item in items {
        let at = *places.entry(&item.source).or_insert_with(|| {
            all.push((&item.source, Vec::new()));
            all.len() - 1
        });
        if let Some((_, items)) = all.get_mut(at) {
            items.push(item);
        }
    }
    all
}

/// A subscription with all that is known of it.
struct Row<'a> {
    url: Url,
    bookmark: &'a Bookmark,
    source: Source,
}

impl Row<'_> {
    /// What it is called: by the reader, by itself, or by its address.
    fn name(&self) -> String {
        let named = [self.bookmark.title.trim(), &self.source.title].into_iter().find(|title| !title.is_empty());
        flat(named.map_or_else(|| place(&self.url), Into::into).as_str())
    }

    /// Its line: it, its space, how many items are unread, when the newest was.
    fn line(&self, unread: u64, when: &str) -> String {
        let place = New::Of(self.url.clone()).url().map(|url| url.to_string()).unwrap_or_default();
        let many = if unread > 0 { count(usize::try_from(unread).unwrap_or(usize::MAX)) } else { String::new() };
        format!("=| {place} {}\t{}\t{many}\t{when}\n", space(&self.url), self.name().replace('\t', " "))
    }

    /// What of it is not looked at, and what was there before.
    fn partly(&self) -> String {
        let many = |items: u64| count(usize::try_from(items).unwrap_or(usize::MAX));
        let items = self
            .source
            .looked_at
            .map(|items| format!("Only its first {} items are looked at: it has more.\n", many(items)));
        let older = Some(self.source.older).filter(|older| *older > 0);
        let older = older.map(|older| {
            format!("{} older ones were there at the first look; only the newest are told.\n", many(older))
        });
        items.into_iter().chain(older).collect()
    }

    /// Why it cannot be had.
    fn failing(&self, now: &Zoned) -> Option<String> {
        let (since, why) = self.source.failing.as_ref()?;
        Some(format!("cannot be had since {}: {}\n", day(*since, now), flat(why)))
    }
}

/// What has no name is called by where it is; its space stands beside it.
fn place(url: &Url) -> String {
    let shown = url.redacted();
    let rest = shown.split_once("://").map_or(shown.as_str(), |(_, rest)| rest);
    match (rest.split_once('/'), Gopher::of(url).map(|gopher| gopher.selector)) {
        (Some((host, _)), Ok(selector)) if scheme::family(url) == Family::Gopher => {
            format!("{host} {}", String::from_utf8_lossy(&selector)).trim_end().into()
        }
        _ => rest.trim_end_matches('/').into(),
    }
}

fn day(time: i64, now: &Zoned) -> String {
    Timestamp::from_second(time).map(|time| said(time, now)).unwrap_or_default()
}

/// When an item was made or found; of what says a day alone nothing else.
fn when(item: &FoundItem, now: &Zoned) -> String {
    let Some(date) = Timestamp::from_second(item.time).ok().filter(|_| item.day) else { return day(item.time, now) };
    let date = date.to_zoned(TimeZone::UTC).date();
    match date.at(12, 0, 0, 0).to_zoned(now.time_zone().clone()) {
        Ok(_) if date == now.date() => "today".into(),
        Ok(noon) => said(noon.timestamp(), now),
        Err(_) => date.to_string(),
    }
}

/// The page, in the notation of the program's own.
pub(super) async fn text(asked: &New, world: &Arc<World>) -> Result<String, String> {
    let (list, remark) = world.subscriptions.list().await;
    let sources = sources(&list);
    let standing = world.pages.sources(sources.iter().map(|(url, _)| url.clone()).collect()).await?;
    let rows: Vec<Row<'_>> =
        sources.into_iter().zip(standing).map(|((url, bookmark), source)| Row { url, bookmark, source }).collect();
    let of = match asked {
        New::Of(url) => Some(url.clone()),
        _ => None,
    };
    let found = world.pages.found(of).await?;
    let now = Zoned::now();
    if let (Some(remark), true) = (&remark, rows.is_empty()) {
        return Ok(format!("# New\n\nThe list of what you are subscribed to cannot be read: {}\n", flat(remark)));
    }
    let mut text = match asked {
        New::ByTime => by_time(&found, &rows, &now),
        New::List => all(&rows, &found, &now),
        New::Of(url) => one(url, &rows, &found, &now),
        _ => new(&found, &rows, &now),
    };
    if let Some(since) = world.pages.begun_anew(now.timestamp().as_second()).await?.filter(|_| !rows.is_empty()) {
        let since = day(since, &now);
        text.push_str(&format!(
            "The database of kept pages was damaged and begun anew ({since}): what was unread then is lost, and of what was there at the next look nothing is called new.\n"
        ));
    }
    if let Some(remark) = remark {
        text.push_str(&format!("{}\n", flat(&remark)));
    }
    Ok(text)
}

/// How many are unread, since when.
fn heading(found: &[FoundItem], now: &Zoned) -> String {
    let unread: Vec<&FoundItem> = found.iter().filter(|item| !item.read).collect();
    match unread.iter().min_by_key(|item| item.time) {
        None => "# Nothing is new\n\n".into(),
        Some(oldest) => {
            let items = if unread.len() == 1 { "item" } else { "items" };
            format!("# New since {} · {} {items}\n\n", when(oldest, now), count(unread.len()))
        }
    }
}

fn item(item: &FoundItem, more: &str) -> String {
    let sign = if item.read { "=-" } else { "=*" };
    let detail: Vec<&str> = [item.detail.as_str(), more].into_iter().filter(|words| !words.is_empty()).collect();
    let detail = if detail.is_empty() { String::new() } else { format!("\t{}", flat(&detail.join(" · "))) };
    format!("{sign} {} {}{detail}\n", link(item.url.as_str()), flat(&item.title))
}

fn new(found: &[FoundItem], rows: &[Row<'_>], now: &Zoned) -> String {
    let mut text = heading(found, now);
    let by_place: HashMap<String, &Row<'_>> = rows.iter().map(|row| (of_source(&row.url), row)).collect();
    for (place, items) in by_source(found.iter().filter(|item| !item.read)) {
        let Some(row) = by_place.get(place) else { continue };
        let newest = items.first().map(|item| when(item, now)).unwrap_or_default();
        text.push_str(&row.line(items.len() as u64 + row.source.more, &newest));
        items.iter().take(ITEMS).for_each(|new| text.push_str(&item(new, "")));
        let left = items.len().saturating_sub(ITEMS);
        if left > 0
            && let Ok(url) = New::Of(row.url.clone()).url()
        {
            text.push_str(&format!("=> {url} and {} more\n", count(left)));
        }
        if row.source.more > 0 {
            text.push_str(&format!("  {} more were new, and are not kept.\n", row.source.more));
        }
        text.push_str(&row.partly());
    }
    let failing = rows.iter().filter_map(|row| Some((row, row.failing(now)?)));
    for (row, why) in failing {
        text.push_str(&row.line(0, ""));
        text.push_str(&why);
    }
    text.push('\n');
    text + &foot(rows, !found.iter().any(|item| !item.read), &New::BySource)
}

fn by_time(found: &[FoundItem], rows: &[Row<'_>], now: &Zoned) -> String {
    let mut text = heading(found, now);
    let names: HashMap<String, String> = rows.iter().map(|row| (of_source(&row.url), row.name())).collect();
    for new in found.iter().filter(|item| !item.read) {
        let source = names.get(&new.source).map(String::as_str).unwrap_or_default();
        text.push_str(&item(new, &format!("{} · {source}", when(new, now))));
    }
    text.push('\n');
    text + &foot(rows, !found.iter().any(|item| !item.read), &New::ByTime)
}

/// All subscriptions.
fn all(rows: &[Row<'_>], found: &[FoundItem], now: &Zoned) -> String {
    let mut text = format!("# Your subscriptions · {}\n\n", count(rows.len()));
    let mut unread_of = HashMap::<&str, u64>::new();
    found.iter().filter(|item| !item.read).for_each(|item| *unread_of.entry(&item.source).or_default() += 1);
    for row in rows {
        let unread = unread_of.get(of_source(&row.url).as_str()).copied().unwrap_or_default();
        let checked = Some(row.source.checked).filter(|checked| *checked > 0);
        text.push_str(&row.line(unread, &checked.map(|checked| day(checked, now)).unwrap_or_default()));
        text.push_str(&row.failing(now).unwrap_or_default());
        text.push_str(&row.partly());
    }
    text.push('\n');
    text + &foot(rows, false, &New::List)
}

/// One source, and all that is kept of it.
fn one(url: &Url, rows: &[Row<'_>], found: &[FoundItem], now: &Zoned) -> String {
    let place = of_source(url);
    let Some(row) = rows.iter().find(|row| of_source(&row.url) == place) else {
        return "# New\n\nYou are not subscribed to this any more.\n\n=> about:new All that is new\n".into();
    };
    let mut text = format!("# {}\n\n=> {} {}\n", row.name(), link(row.url.as_str()), flat(&row.url.redacted()));
    match row.source.checked {
        0 => text.push_str("Not looked at yet.\n"),
        time => text.push_str(&format!("Looked at {}.\n", day(time, now))),
    }
    text.push_str(&row.failing(now).unwrap_or_default());
    text.push_str(&row.partly());
    text.push('\n');
    found.iter().for_each(|new| text.push_str(&item(new, &when(new, now))));
    let act = |asked: New, words: &str| asked.url().map(|url| format!("=> {url} {words}\n")).unwrap_or_default();
    text.push('\n');
    text.push_str(&act(New::Read(Some(row.url.clone())), "Mark all of it read"));
    text.push_str(&act(New::Drop(row.url.clone()), "Not be subscribed any more"));
    text + "=> about:new All that is new\n"
}

/// What else can be done.
fn foot(rows: &[Row<'_>], nothing: bool, shown: &New) -> String {
    if rows.is_empty() {
        return "You are subscribed to nothing. :subscribe takes the page in view: a feed, a gopher menu, a gemlog, an FTP directory, \
                a newsgroup, any page. Lists of other programs come by wayfarer subscriptions --import FILE.\n"
            .into();
    }
    let actions = [
        (New::ByTime, "By time", *shown != New::ByTime),
        (New::BySource, "By source", *shown != New::BySource),
        (New::Read(None), "Mark all read", !nothing),
        (New::Check, "Look at all of them now", true),
        (New::List, "Your subscriptions", *shown != New::List),
    ];
    let wanted = actions.into_iter().filter(|(.., wanted)| *wanted);
    wanted.filter_map(|(asked, words, _)| Some(format!("=> {} {words}\n", asked.url().ok()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_is_called_by_host_and_selector() {
        for (url, called) in [
            ("gopher://h/1/a%20b", "h /a b"),
            ("gopher://h:7070/1", "h:7070"),
            ("gopher://h", "h"),
            ("gophers://h/0Phlog", "h Phlog"),
            ("ftp://h/pub/", "h/pub"),
            ("https://h/?q=a/b", "h/?q=a/b"),
            ("news:g.one", "news:g.one"),
        ] {
            assert_eq!(place(&Url::parse(url).unwrap()), called, "{url}");
        }
    }
}
