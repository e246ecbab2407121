//! Keeping a page: the copy, the index of its words and what it links to, the names of what it lists; and by which text the reader knows
//! one that came by itself since, so that what is new in it is new to them.

use super::calendar;
use super::index;
use super::led;
use super::letters::apart;
use super::links;
use super::page::{Seen, host, pack, place, unpack};
use super::room::{drop_item, drop_page, item_takes};
use crate::url::Url;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// The copy that is there, packed.
struct Known {
    id: i64,
    octets: Vec<u8>,
    words: Vec<u8>,
    /// The text that the reader knows, where this came by itself.
    unread: Option<Vec<u8>>,
}

/// Octets on the disk that a page takes in tables and indexes beside what is counted of it.
const BESIDE: usize = 500;

/// Keeps a page; gives the text of the copy that the reader knows, empty where there is none, it says the same, or they do not read this,
/// and how many octets the page takes on the disk, reckoned.
pub(super) fn keep(
    open: &mut Connection,
    page: &Seen,
    octets: &[u8],
    (words, targets, items): (&str, &str, &[(Url, String)]),
) -> rusqlite::Result<(String, usize)> {
    let (place, time, title) = (place(&page.url), page.time.as_second(), page.title());
    let change = open.transaction()?;
    let stamp = calendar::advance(&change, time)?;
    let mut text_before = String::new();
    let known = change
        .prepare_cached(
            "SELECT pages.id, octets, bodies.words, unread.words FROM pages JOIN bodies ON bodies.id = pages.id \
             LEFT JOIN unread ON unread.id = pages.id WHERE place = ?1",
        )?
        .query_row([&place], |row| {
            Ok(Known { id: row.get(0)?, octets: row.get(1)?, words: row.get(2)?, unread: row.get(3)? })
        })
        .optional()?;
    let head = page.head();
    let mut takes = head.len();
    let unpacked = |words: &[u8]| unpack(words).and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    if let Some(Known { id, unread, .. }) = known.as_ref().filter(|known| known.octets == octets) {
        change
            .prepare_cached(
                "UPDATE unread SET takes = takes + ?2 - (SELECT octet_length(head) FROM pages WHERE id = ?1) WHERE id = ?1",
            )?
            .execute(params![id, i64::try_from(head.len()).unwrap_or(i64::MAX)])?;
        let mut same = change.prepare_cached("UPDATE pages SET time = ?2, head = ?3, stamp = ?4 WHERE id = ?1")?;
        same.execute(params![id, time, head, stamp])?;
        if let Some(unread) = unread.as_ref().filter(|_| !page.unread) {
            text_before = unpacked(unread);
            change.prepare_cached("DELETE FROM unread WHERE id = ?1")?.execute([id])?;
        }
    } else {
        let mut read = pack(b"");
        if let Some(known) = known {
            read = known.unread.unwrap_or(known.words);
            if !page.unread {
                text_before = unpacked(&read);
            }
            drop_page(&change, known.id)?;
        }
        let (packed, (indexed, in_index)) = (pack(words.as_bytes()), index::given(&change, words)?);
        let of_names = 2 * place.len() + page.url.as_str().len() + 2 * title.len() + targets.len();
        takes += octets.len() + packed.len() + in_index + of_names + BESIDE;
        let scheme = page.url.scheme().to_ascii_lowercase();
        let size = i64::try_from(page.octets.len()).unwrap_or(i64::MAX);
        change
            .prepare_cached(
                "INSERT INTO pages(place, url, scheme, host, time, title, head, size, stamp) \
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                place,
                page.url.without_fragment().as_str(),
                scheme,
                host(&page.url),
                time,
                title,
                head,
                size,
                stamp
            ])?;
        let id = change.last_insert_rowid();
        change
            .prepare_cached("INSERT INTO bodies(id, octets, words) VALUES(?1, ?2, ?3)")?
            .execute(params![id, octets, packed])?;
        change.prepare_cached("INSERT INTO words(rowid, title, text) VALUES(?1, ?2, ?3)")?.execute(params![
            id,
            apart(&title),
            indexed
        ])?;
        links::keep(&change, id, targets)?;
        if page.unread {
            takes += read.len();
            change
                .prepare_cached("INSERT OR REPLACE INTO unread(id, words, takes) VALUES(?1, ?2, ?3)")?
                .execute(params![id, read, i64::try_from(takes).unwrap_or(i64::MAX)])?;
        }
    }
    takes += led::keep(&change, &page.url, page.redirected.as_deref(), time)?;
    let source = page.unread.then(|| links::word(&place));
    for (url, title) in items {
        item(&change, url, title, (time, stamp), source.as_deref())?;
    }
    change.commit()?;
    Ok((text_before, takes))
}

/// An item of a menu is there: the reader has seen it, or it came by itself from a source, and what they have seen keeps its name then.
fn item(
    change: &Transaction<'_>,
    url: &Url,
    title: &str,
    (time, stamp): (i64, i64),
    source: Option<&str>,
) -> rusqlite::Result<()> {
    let place = place(url);
    let known: Option<(i64, String, Option<String>)> = change
        .prepare_cached(
            "SELECT items.id, title, source FROM items LEFT JOIN unseen ON unseen.id = items.id WHERE place = ?1",
        )?
        .query_row([&place], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let first_from = match (&known, source) {
        (Some((.., from)), Some(_)) => from.clone(),
        (None, source) => source.map(str::to_owned),
        (Some(_), None) => None,
    };
    let id = match known {
        Some((id, before, from)) if before == title || source.is_some() && from.is_none() => {
            change
                .prepare_cached("UPDATE items SET time = ?2, stamp = ?3 WHERE id = ?1")?
                .execute(params![id, time, stamp])?;
            id
        }
        known => {
            if let Some((id, ..)) = known {
                drop_item(change, id)?;
            }
            change
                .prepare_cached(
                    "INSERT INTO items(place, url, host, title, time, stamp) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                )?
                .execute(params![place, url.as_str(), host(url), title, time, stamp])?;
            let id = change.last_insert_rowid();
            change
                .prepare_cached("INSERT INTO names(rowid, title) VALUES(?1, ?2)")?
                .execute(params![id, apart(title)])?;
            id
        }
    };
    match first_from {
        Some(from) => {
            let takes = item_takes(&place, url.as_str(), title);
            let mut unseen =
                change.prepare_cached("INSERT OR REPLACE INTO unseen(id, source, takes) VALUES(?1, ?2, ?3)")?;
            unseen.execute(params![id, from, takes])?
        }
        None => change.prepare_cached("DELETE FROM unseen WHERE id = ?1")?.execute([id])?,
    };
    Ok(())
}
