//! What the store of pages answers: copies in the place of servers, and the pages about it, `about:search`, `about:later` and
//! `about:store`. What is kept of a page that comes says `copies`.
//!
//! Opening a copy asks nobody, and neither does anything that is written here but what the reader has put by (`later`).

use super::catch_up::CatchUp;
use super::fetch::World;
use super::later;
use super::subscriptions::{self, entry};
use crate::app::is_tour;
use crate::doc::{flat, sanitise};
use crate::format::{ago, count, human, media};
use crate::proto::{Again, DONE, End, Exchange, FetchError, Head, KeptCopy, Kind, Moved, Request, Verdict};
use crate::store::{Found, Later, Led, Row, Sought, Store, Sum, Wanted};
use crate::url::Url;
use crate::url::scheme::about::{Kept, New};
use crate::url::scheme::{self, Family};
use jiff::Timestamp;
use std::sync::Arc;

/// What is found at most, of pages and of items.
const FOUND: usize = 50;
/// Said where a feed's copy stands for an item's.
const ITS_FEED: &str = "no copy of the page itself is kept: this is its entry in the kept feed";
/// Said after what was said of an address that led to a page of which a copy is kept.
const LED: &str = "it led here when the copy came";
/// Pages that link to one, at most.
const LINKING: usize = 100;

/// Whether the store has to do with an address at all.
pub(super) fn concerns(url: &Url) -> bool {
    is_own(url) || !is_of_this_machine(url)
}

/// Whether it is one of the pages about the store.
pub(super) fn is_own(url: &Url) -> bool {
    Kept::of(url).is_some() || New::of(url).is_some()
}

fn is_of_this_machine(url: &Url) -> bool {
    scheme::is_here(url) || matches!(scheme::family(url), Family::About | Family::Data | Family::Message)
}

/// Whether somebody would be asked for it: neither this machine's files nor the tour's servers are anybody.
pub(super) async fn is_elsewhere(url: &Url, world: &World) -> bool {
    let tour = is_tour(url) || matches!(world.tour.context_of(url).await, Ok(Some(_)));
    !tour && !is_of_this_machine(url)
}

/// Whether nothing else was sent than the address of what may be kept.
pub(super) fn is_answer_to_address(request: &Request) -> bool {
    request.body.is_none() && request.told.is_none() && concerns(&request.url)
}

/// Adds to a failure when the copy came that is kept of what was asked for.
pub(super) async fn offer(mut error: FetchError, request: &Request, pages: &Store) -> FetchError {
    let plain = is_answer_to_address(request);
    let useless = matches!(error.kind, Kind::NeedsWords | Kind::NeedsSecret | Kind::Unsafe);
    if plain && !useless && error.kept.is_none() && request.kept != KeptCopy::Only {
        error.kept = pages.when(&request.url).await;
        if error.kept.is_none()
            && let Some((_, when)) = entry::of(&request.url, pages).await
        {
            error.kept = Some(when);
            error.hint.get_or_insert_with(|| "The copy is of its feed, which has its text.".into());
        }
    }
    error
}

/// Gives the copy of a page.
pub(super) async fn copy(request: &Request, exchange: &mut Exchange, world: &World) -> Result<End, FetchError> {
    let pages = &world.pages;
    let refuse = |kind, words: &str| Err(FetchError::new(kind, words).tried(request.url.redacted()));
    if request.body.is_some() || request.articles.is_some() || request.put.is_some() {
        return refuse(Kind::Stopped, "Nothing is sent while you are offline.");
    }
    if request.conversation.is_some() || request.parts.is_some() {
        return refuse(
            Kind::Stopped,
            "This is made of several articles, of which no copy is kept, and nobody was asked.",
        );
    }
    let found = pages.copy(&request.url).await.map_err(said)?;
    let Some(copy) = found else {
        if let Some(Led { to, said, .. }) = pages.led(&request.url).await.map_err(self::said)? {
            let (from, to) = (request.url.without_fragment(), to.as_str().into());
            let status = format!("{}: {LED}", sanitise(&said));
            exchange.moved(Moved { from, to, status, again: Again::Kept, unkept: false }).await?;
            return Ok(End::default());
        }
        if let Some((to, _)) = entry::of(&request.url, pages).await {
            let (from, status) = (request.url.without_fragment(), ITS_FEED.to_owned());
            exchange.moved(Moved { from, to: to.as_str().into(), status, again: Again::Kept, unkept: false }).await?;
            return Ok(End::default());
        }
        let words = "No copy of this page is kept, and nobody was asked for it.";
        let hint = match world.subscriptions.is_offline() {
            true => {
                "While you are offline (:offline) only copies are shown; about:search finds what is kept. What is longer than 1 MiB is kept where it was put by."
            }
            false => "Only a copy was asked for (:kept), not the page itself; about:search finds what is kept.",
        };
        // Whether it is there nobody has said.
        return refuse(Kind::Stopped, words).map_err(|error| error.hint(hint));
    };
    let length = Some(copy.octets.len() as u64);
    let media = request.media.clone().unwrap_or_else(|| copy.head.media.clone());
    if exchange.head(Head { length, media, ..copy.head }).await? == Verdict::Accept {
        exchange.body(copy.octets).await?;
    }
    Ok(End::default())
}

pub(super) fn said(words: String) -> FetchError {
    FetchError::new(Kind::Broken, format!("What is kept cannot be read: {words}."))
}

/// Writes a page about the store, or does what its address says; that was agreed to before.
pub(super) async fn page(request: &Request, exchange: &mut Exchange, world: &Arc<World>) -> Result<End, FetchError> {
    if let Some(asked) = New::of(&request.url) {
        return subscriptions::page(asked, request, exchange, world).await;
    }
    let (pages, now) = (&world.pages, Timestamp::now().as_second());
    let (title, text) = match Kept::of(&request.url) {
        None | Some(Kept::Store | Kept::Copy) => ("Kept pages", store(&pages.sums().await.map_err(said)?, now)),
        Some(Kept::Search(words)) if words.trim().is_empty() => ("Search", SEARCH.to_owned()),
        Some(Kept::Search(words)) => {
            let found = pages.find(Sought { words: words.clone(), most: FOUND, now }).await.map_err(said)?;
            ("Search", search(&words, &found, now))
        }
        Some(Kept::Linked(to)) => {
            let rows = pages.linking(to.clone(), LINKING).await.map_err(said)?;
            let lines = rows.iter().map(|row| format!("{} {}", link(&row.url), flat(&row.title))).collect();
            return show_said(request, exchange, "What links there", linked(&to, &rows, now), lines).await;
        }
        Some(Kept::Later) => ("To read later", listed(&pages.later().await.map_err(said)?, &world.later, now)),
        Some(Kept::Put { url, title, links, back }) => {
            if back && !request.private && later::put_back(&url, world).await? {
                return done(request, exchange, Kept::Later.url()?, "put back, to be read later".into()).await;
            }
            return later::put(url, title, links, request, exchange, world).await;
        }
        Some(Kept::Drop(url)) => {
            let rows = pages.later().await.map_err(said)?;
            later::drop_of(pages, url.clone(), now, true).await?;
            world.later.dropped(&url, rows);
            return on(request, exchange, Kept::Later.url()?).await;
        }
        Some(Kept::Next { after, missed }) => {
            if let Some(read) = after.as_ref().filter(|_| !missed) {
                later::drop_of(pages, read.clone(), now, false).await?;
            }
            let offline = request.kept == KeptCopy::Only;
            let lacks = |row: &Later| !row.here && (offline || world.later.why(&row.url).is_some());
            let next = next_of(pages.later().await.map_err(said)?, after.as_ref(), lacks);
            return match next {
                Some(next) => on(request, exchange, next.url).await,
                None => {
                    let status = if after.is_some() { "nothing else is put by" } else { "nothing is put by" };
                    done(request, exchange, Kept::Later.url()?, status.into()).await
                }
            };
        }
    };
    show(request, exchange, title, text).await
}

/// Which of the list comes after one, that again being the last; before those that lack something to be read.
fn next_of(rows: Vec<Later>, after: Option<&Url>, lacks: impl Fn(&Later) -> bool) -> Option<Later> {
    let mut rows: Vec<Later> = rows.into_iter().filter(is_to_be_read).collect();
    if let Some(at) = rows.iter().position(|row| Some(&row.url) == after) {
        rows.rotate_left(at + 1);
        rows.pop();
    }
    rows.into_iter().min_by_key(lacks)
}

/// Shows a page of the program's own.
pub(super) async fn show(
    request: &Request,
    exchange: &mut Exchange,
    title: &str,
    text: String,
) -> Result<End, FetchError> {
    show_said(request, exchange, title, text, Vec::new()).await
}

/// The same, and says something of it in lines for whoever does not want the page.
async fn show_said(
    request: &Request,
    exchange: &mut Exchange,
    title: &str,
    text: String,
    lines: Vec<String>,
) -> Result<End, FetchError> {
    let head = Head {
        charset: Some("utf-8".into()),
        length: Some(text.len() as u64),
        title: Some(title.into()),
        lines,
        ..Head::new(request.url.without_fragment(), request.media.as_deref().unwrap_or(media::OWN))
    };
    if exchange.head(head).await? == Verdict::Accept {
        exchange.body(text.into_bytes()).await?;
    }
    Ok(End::default())
}

/// What is done leads on at once, so that no page is left that would do it again.
pub(super) async fn on(request: &Request, exchange: &mut Exchange, to: Url) -> Result<End, FetchError> {
    done(request, exchange, to, DONE.into()).await
}

/// The same, with words on what was done.
pub(super) async fn done(
    request: &Request,
    exchange: &mut Exchange,
    to: Url,
    status: String,
) -> Result<End, FetchError> {
    let (from, to) = (request.url.without_fragment(), to.as_str().into());
    exchange.moved(Moved { from, to, status, again: Again::Get, unkept: false }).await?;
    Ok(End::default())
}

const SEARCH: &str = "# Search in what you read\n\n\
    :search WORDS finds pages of which a copy is kept, by their text, and items of all menus that were ever shown, by \
    their names. All words must be there; \"words in quotation marks\" in that order. host:NAME finds on that host alone \
    (host:NAME:PORT at that port), kind:gopher \
    (or ftp, news, gemini, web, any scheme) in that space, since:2026-11 and before:2026-11-20 (days, months or years of \
    UTC) or since:7d (days ago) from that time; these narrow what the words find, or list all of it, the newest first. \
    The beginning of a word will do from its fourth letter on; a shorter one, and one that is on very many pages, stands \
    for itself alone. Chinese, Japanese, Korean, Thai and the like are found wherever they stand in a line. ? and words after \
    g do the same.\n\n\
    => about:store What is kept\n";

fn search(words: &str, found: &Found, now: i64) -> String {
    let mut text = format!("# {}\n\n", flat(words));
    if found.pages.is_empty() && found.items.is_empty() {
        text.push_str("Nothing that is kept has these words.\n");
        if !found.unclear.is_empty() {
            let unclear = found.unclear.iter().map(|word| flat(word)).collect::<Vec<_>>().join(", ");
            text.push_str(&format!("No time or kind of page is understood by: {unclear}\nsince: and before: take 2026, 2026-11, 2026-11-20 or 7d; kind: takes gopher, ftp, news, gemini, web, any scheme.\n"));
        }
        if !found.short.is_empty() {
            let short = found.short.iter().map(|word| flat(word)).collect::<Vec<_>>().join(", ");
            text.push_str(&format!("Less than four letters are no beginning of longer words: {short}\n"));
        }
    }
    let rows = |title: &str, rows: &[Row], text: &mut String| {
        if rows.is_empty() {
            return;
        }
        text.push_str(&format!("## {title}\n\n"));
        for row in rows {
            let name = if row.title.is_empty() { &row.url } else { &row.title };
            text.push_str(&format!("=> {} {}\n", link(&row.url), flat(name)));
            text.push_str(&format!("{} · {}\n", ago(now.saturating_sub(row.time)), flat(&row.url)));
            if !row.context.is_empty() {
                text.push_str(&format!("> {}\n", flat(&row.context)));
            }
        }
        text.push('\n');
    };
    rows("Pages", &found.pages, &mut text);
    rows("Items of menus", &found.items, &mut text);
    if found.more {
        text.push_str("There are more: another word narrows it.\n");
    }
    if !found.alone.is_empty() {
        let alone = found.alone.iter().map(|word| flat(word)).collect::<Vec<_>>().join(", ");
        text.push_str(&format!(
            "Not looked for were some of the longer words that begin with these, or all, for they are very many: {alone}\n"
        ));
    }
    text
}

fn linked(to: &Url, rows: &[Row], now: i64) -> String {
    let mut text = format!("# What links there\n\n=> {} {}\n\n", link(&to.redacted()), flat(&to.redacted()));
    text.push_str(match rows.is_empty() {
        true => "No page of which a copy is kept links there.\n",
        false => "Of the pages of which a copy is kept, those of other hosts first:\n\n",
    });
    for row in rows {
        let name = if row.title.is_empty() { &row.url } else { &row.title };
        text.push_str(&format!(
            "=> {} {}\n{} · {}\n",
            link(&row.url),
            flat(name),
            ago(now.saturating_sub(row.time)),
            flat(&row.url)
        ));
    }
    text
}

/// Whether the reader put it by, and not only what another page links to is to be there.
fn is_to_be_read(later: &Later) -> bool {
    !matches!(later.wanted, Wanted::Beside(_))
}

fn listed(all: &[Later], fetched: &CatchUp, now: i64) -> String {
    let mut text = "# To read later\n\n".to_owned();
    text.push_str(match all.iter().any(is_to_be_read) {
        false => {
            "Nothing is put by. :later puts the page in view by, :later link the link under focus, :later links the \
                 page with what it links to on its host.\n"
        }
        true => "The oldest first; :next-later opens it, and takes out what you have read.\n\n",
    });
    for Later { url, title, time, here, .. } in all.iter().filter(|later| is_to_be_read(later)) {
        let name = if title.is_empty() { url.redacted() } else { title.clone() };
        let copy = match fetched.why(url).filter(|_| !here) {
            _ if *here => String::new(),
            Some(why) => format!(" · no copy yet: {}", flat(&why)),
            None => " · no copy yet".into(),
        };
        text.push_str(&format!("=> {} {}\n", link(url.as_str()), flat(&name)));
        text.push_str(&format!("{}{copy} · {}\n", ago(now.saturating_sub(*time)), flat(&url.redacted())));
    }
    let beside =
        all.iter().filter(|later| !later.here && !is_to_be_read(later) && fetched.why(&later.url).is_none()).count();
    if beside > 0 {
        let many = if beside == 1 { "page is" } else { "pages are" };
        text.push_str(&format!(
            "\n## With them\n\n{} {many} yet to be fetched, one after the other while you are online.\n",
            count(beside)
        ));
    }
    let own = |url: &Url| all.iter().any(|later| is_to_be_read(later) && later.url == *url);
    let lacking: Vec<_> = fetched.all_lacking().into_iter().filter(|(url, _)| !own(url)).collect();
    if !lacking.is_empty() {
        text.push_str("\n## Could not be had\n\n");
    }
    for (url, why) in &lacking {
        text.push_str(&format!("=> {} {}\n{}\n", link(url.as_str()), flat(&url.redacted()), flat(why)));
    }
    text
}

fn store(sums: &[Sum], now: i64) -> String {
    let mut text = "# Kept pages\n\n".to_owned();
    if sums.is_empty() {
        text.push_str("Nothing is kept.\n\n");
    }
    for Sum { scheme, pages, octets, oldest } in sums {
        let pages = usize::try_from(*pages).unwrap_or(usize::MAX);
        let many = if pages == 1 { "" } else { "s" };
        text.push_str(&format!(
            "{scheme}\t{} page{many}, {}, the oldest from {}\n",
            count(pages),
            human(*octets),
            ago(now.saturating_sub(*oldest))
        ));
    }
    text.push_str(
        "\nWith store.size and store.age the settings say how much and for how long. :forget host NAME forgets those of a \
         host, :forget all all of them.\n\n=> about:search Search in them\n=> about:later What you put by\n",
    );
    text
}

/// An address as a link.
pub(super) fn link(url: &str) -> String {
    flat(url).replace(' ', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who had put a dead address by came to it at each press, and to nothing else.
    #[test]
    fn what_cannot_be_had_is_passed_over_and_comes_last() {
        let rows = |gone: &[&str]| -> Vec<Later> {
            let row = |name: &str, wanted| {
                let url = Url::parse(format!("http://h/{name}")).unwrap();
                Later { here: !name.starts_with("dead"), url, title: String::new(), time: 5, wanted, gone: false }
            };
            let put_by = ["dead1", "a", "dead2", "b"].into_iter().filter(|name| !gone.contains(name));
            let beside = row("beside", Wanted::Beside(Url::parse("http://h/a").unwrap()));
            put_by.map(|name| row(name, Wanted::Page)).chain([beside]).collect()
        };
        let next = |rows: Vec<Later>, after: &str, lacking: bool| {
            let after = Url::parse(format!("http://h/{after}")).ok();
            next_of(rows, after.as_ref(), |row| lacking && !row.here).map(|row| row.url.path()[1..].to_owned())
        };
        assert_eq!(next(rows(&[]), "none", false).as_deref(), Some("dead1"));
        assert_eq!(next(rows(&[]), "none", true).as_deref(), Some("a"));
        assert_eq!(next(rows(&[]), "dead1", false).as_deref(), Some("a"));
        assert_eq!(next(rows(&[]), "b", false).as_deref(), Some("dead1"));
        assert_eq!(next(rows(&["a", "b"]), "dead1", true).as_deref(), Some("dead2"));
        assert_eq!(next(rows(&["a", "b", "dead2"]), "dead1", true), None, "nothing else");
    }
}
