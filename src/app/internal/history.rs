//! `about:history`: where the reader has been, by day and host, the newest first; and forgetting it.

use super::{Made, asked, encoded, made_of, show};
use crate::app::hands::question::confirm;
use crate::app::motion::window;
use crate::app::page::address;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::Errand;
use crate::app::state::library::HistoryPage;
use crate::app::state::{Cx, desk};
use crate::app::{Effect, Gone, JobId, Kept, Label, Opening, Pending, PromptKind, Sight, Way, transfer};
use crate::date;
use crate::doc::{BlockKind, Builder, Marker, sanitise};
use crate::format::{count, media};
use crate::role::Role;
use crate::stop::Stop;
use crate::url::Url;
use crate::url::scheme::about::{Kept as About, New};
use crate::url::scheme::{self, Family};
use crate::visits::{Forget, Listing, Visit, line};
use crate::work::{List, Product, Work};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// Pages that are listed at once; there is a link to older ones below them.
const MOST: usize = 500;
/// The longest address that is kept.
const LONGEST: usize = 16 * 1024;

/// A page was opened: it is remembered, unless it is one that the reader sent something to, or comes from nowhere.
pub(in crate::app) fn visited(cx: &mut Cx<'_>, opening: &Opening) -> Option<Effect> {
    let url = opening.public();
    if cx.tab.private {
        return None;
    }
    cx.library.visits.see(url);
    let sends = opening.sent.is_some() || opening.form.is_some() || address::is_filled_form(url.as_str());
    let nowhere = matches!(scheme::family(url), Family::About | Family::Data)
        || url.is("cid")
        || desk::is_of_tour(&cx.desk.tour, url);
    let again = matches!(opening.way, Way::Reload | Way::Place(_)) && cx.library.visits.of(url).is_some();
    if sends || nowhere || again || cx.desk.settings.history == 0 || url.as_str().len() > LONGEST {
        return None;
    }
    let text = address::shareable(url);
    let led = opening.led.as_ref().filter(|led| !address::is_filled_form(led.as_str())).map(address::shareable);
    let led = led.filter(|led| led.len() <= LONGEST).and_then(|led| Url::parse(led).ok());
    let time = cx.desk.now.as_ref().map_or(0, |now| now.timestamp().as_second());
    cx.library.visits.add_led(Visit { url: &text, title: "", time, count: 1 }, led.as_ref());
    kept(cx.sight(), &text)
}

/// A page has come to its end: now its title is known.
pub(in crate::app) fn entitled(cx: &mut Cx<'_>, at: usize) -> Option<Effect> {
    let entry = cx.tab.history.get(at).filter(|_| !cx.tab.private)?;
    let page = entry.page.as_deref().filter(|page| !page.is_error());
    let Label::Title(title) = page.map(|_| entry.label())? else { return None };
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = address::shareable(&entry.url);
    let url = Url::parse(text.clone()).ok()?;
    let known = cx.library.visits.of(&url)?;
    if title.is_empty() || known.title == title {
        return None;
    }
    cx.library.visits.entitle(&url, &title);
    kept(cx.sight(), &text)
}

/// Has the visit of a page kept as it is known.
fn kept(sight: Sight<'_>, text: &str) -> Option<Effect> {
    let visit = sight.library.visits.of(&Url::parse(text).ok()?)?;
    let led = sight.library.visits.led(&Url::parse(text).ok()?).unwrap_or_default().into();
    Some(Effect::Keep(Kept::Visit { url: visit.url.into(), title: visit.title.into(), time: visit.time, led }))
}

/// What was kept has been read; what was visited meanwhile comes on top of it.
pub(in crate::app) fn read(cx: &mut Cx<'_>, mut visits: crate::visits::Visits) {
    visits.absorb(&cx.library.visits);
    cx.library.visits = visits;
    cx.library.visits_coming = false;
    if let Some((what, words)) = cx.library.own.forgetting.take() {
        ask_to_forget(cx, what, &words);
    }
}

/// What was visited in another running copy comes in among the rest, also under an address that is being typed.
pub(in crate::app) fn others(cx: &mut Cx<'_>, visits: &crate::visits::Visits) {
    cx.library.visits.absorb(visits);
    if cx.hands.prompt().is_some_and(|prompt| prompt.kind == PromptKind::Open && prompt.selected.is_none()) {
        cx.hands.change();
    }
}

/// What pages of visits show: another one is another page, and so is another day.
pub(super) fn revision(sight: Sight<'_>) -> String {
    let day = today(sight).map(|day| day.to_string()).unwrap_or_default();
    format!("{} {} {day}", sight.library.visits.revision(), sight.library.visits_coming)
}

/// Has the page in view made anew when it does not show what it should.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let revision = revision(cx.sight());
    if made_of(cx.sight()) == Some(revision.as_str()) {
        return give_up(cx).into_iter().collect();
    }
    if cx.library.own.history.as_ref().is_some_and(|making| making.url == url && making.revision == revision) {
        return Vec::new();
    }
    let mut effects: Vec<Effect> = give_up(cx).into_iter().collect();
    let words = asked(&url, "q").unwrap_or_default();
    let before = asked(&url, "before").and_then(|time| time.parse().ok());
    let work = Work::List(List { pages: cx.library.visits.pages().clone(), words, before, most: MOST });
    if work.is_small()
        && let Some(Product::Listed(listing)) = work.clone().run(&Stop::new())
    {
        make(cx, &url, revision, &listing);
        return effects;
    }
    let job = cx.job(Errand::Visits);
    cx.library.own.history = Some(HistoryPage { url, revision, job });
    effects.push(Effect::Work { id: job, work });
    effects
}

/// Nobody waits for a page in the making any more.
pub(super) fn give_up(cx: &mut Cx<'_>) -> Option<Effect> {
    cx.library.own.history.take().map(|making| Effect::Cancel(making.job))
}

/// The pages for the page in the making are listed.
pub(in crate::app) fn listed(cx: &mut Cx<'_>, id: JobId, listing: &Listing) {
    let Some(HistoryPage { url, revision, .. }) = cx.library.own.history.take_if(|making| making.job == id) else {
        return;
    };
    if cx.entry().is_some_and(|entry| entry.url == url) {
        make(cx, &url, revision, listing);
    }
}

fn make(cx: &mut Cx<'_>, url: &Url, revision: String, listing: &Listing) {
    let made = written(cx.sight(), url, listing);
    show(cx, made, revision);
}

pub(super) fn today(sight: Sight<'_>) -> Option<Date> {
    sight.desk.now.as_ref().map(Zoned::date)
}

fn zone(sight: Sight<'_>) -> TimeZone {
    sight.desk.now.as_ref().map_or(TimeZone::UTC, |now| now.time_zone().clone())
}

/// The page.
fn written(sight: Sight<'_>, url: &Url, listing: &Listing) -> Made {
    let found = listing.visits();
    let words = asked(url, "q").unwrap_or_default();
    let mut out = Builder::new();
    out.document_mut().title = Some("History".into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text("History");
    out.block(BlockKind::Line, Role::Dim);
    out.text(&introduction(sight, &words, found.len()));
    let mut source = String::new();
    let zone = zone(sight);
    let mut left = found.as_slice();
    while let Some(first) = left.first() {
        let day = day_of(first.time, &zone);
        let end = left.iter().position(|visit| day_of(visit.time, &zone) != day).unwrap_or(left.len());
        write_day(sight, (day, &left[..end]), &zone, !words.is_empty(), &mut out);
        left[..end].iter().for_each(|visit| source.push_str(&line(*visit, "")));
        left = &left[end..];
    }
    if let Some(last) = found.last().filter(|_| listing.has_older) {
        out.block(BlockKind::Line, Role::Text);
        out.marked(BlockKind::Entry, Role::Text, Marker::None, 0);
        let words = if words.is_empty() { String::new() } else { format!("q={}&", encoded(&words)) };
        out.link("Older pages", Role::Link, &format!("about:history?{words}before={}", last.time));
    }
    Made { document: out.finish(), source }
}

fn introduction(sight: Sight<'_>, words: &str, found: usize) -> String {
    let all = count(sight.library.visits.len());
    let mut said = match (sight.library.visits.is_empty(), words.trim(), found) {
        (true, _, _) if sight.library.visits_coming => "It is being read.".to_owned(),
        (true, _, _) => "Nothing was visited yet.".to_owned(),
        (false, "", _) => format!("{all} page{}", if sight.library.visits.len() == 1 { "" } else { "s" }),
        (false, words, 0) => format!("None of {all} pages has \"{}\" in its title or address.", sanitise(words)),
        (false, words, _) => format!("\"{}\" among {all} pages", sanitise(words)),
    };
    let keys = [("filter", "find"), ("remove", "forget")];
    let keys = keys.iter().filter_map(|(command, what)| Some(format!("{} {what}", sight.key_on_own(command)?)));
    if !sight.library.visits.is_empty() {
        let rest = keys.chain([":forget hour, today, week, host, all".to_owned()]);
        said = [said].into_iter().chain(rest).collect::<Vec<_>>().join(" · ");
    }
    said
}

fn time(visit: &Visit<'_>, zone: &TimeZone) -> Zoned {
    Timestamp::from_second(visit.time).unwrap_or_default().to_zoned(zone.clone())
}

fn day_of(seconds: i64, zone: &TimeZone) -> Date {
    Timestamp::from_second(seconds).unwrap_or_default().to_zoned(zone.clone()).date()
}

/// A day: its hosts, the one that was visited last first, and below each its pages.
fn write_day(
    sight: Sight<'_>,
    (day, visits): (Date, &[Visit<'_>]),
    zone: &TimeZone,
    searched: bool,
    out: &mut Builder,
) {
    out.block(BlockKind::Line, Role::Text);
    out.block(BlockKind::Heading(2), Role::Heading2);
    out.text(&date::day(day, today(sight)));
    let mut hosts: Vec<(String, Vec<&Visit<'_>>)> = Vec::new();
    for visit in visits {
        let host = place(visit.url);
        match hosts.iter_mut().find(|(known, _)| *known == host) {
            Some((_, visits)) => visits.push(visit),
            None => hosts.push((host, vec![visit])),
        }
    }
    for (host, visits) in hosts {
        out.marked(BlockKind::Heading(3), Role::Strong, Marker::None, 1);
        out.text(&sanitise(&host));
        for visit in visits {
            out.marked(BlockKind::Entry, Role::Text, Marker::None, 2);
            out.styled(&time(visit, zone).strftime("%H:%M").to_string(), Role::Date);
            out.text("  ");
            let title = if visit.title.is_empty() { visit.url } else { visit.title };
            out.link(&sanitise(title), Role::Link, visit.url);
            if searched && !visit.title.is_empty() {
                out.styled(&format!("  {}", sanitise(visit.url)), Role::Dim);
            }
            if visit.count > 1 {
                out.styled(&format!("  {} times", visit.count), Role::Dim);
            }
        }
    }
}

/// What a page stands under: its host, or what kind of place has none.
fn place(url: &str) -> String {
    let Ok(url) = Url::parse(url).map(|url| scheme::place(&url).into_owned()) else { return String::new() };
    match url.host().filter(|host| !host.is_empty()) {
        Some(host) => host.to_ascii_lowercase(),
        None if url.is("file") => "this machine".into(),
        None => format!("{}:", url.scheme().to_ascii_lowercase()),
    }
}

/// `forget` the page under focus, or in view; `forget hour|today|week|all`, `forget host NAME`. The reader is asked first.
pub(in crate::app) fn forget(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let what = match meant(cx.sight(), words.trim()) {
        Ok(what) => what,
        Err(sentence) => {
            cx.complain(sentence);
            return Vec::new();
        }
    };
    if cx.library.visits_coming {
        cx.say("Your history is being read; you are asked as soon as it is there.");
        cx.library.own.forgetting = Some((what, words.trim().to_owned()));
    } else {
        ask_to_forget(cx, what, words.trim());
    }
    Vec::new()
}

fn ask_to_forget(cx: &mut Cx<'_>, what: Forget, words: &str) {
    let found = cx.library.visits.count(&what);
    let pages = format!("{} page{}", count(found), if found == 1 { "" } else { "s" });
    let text = match &what {
        Forget::Page(url) if found == 0 && !scheme::is_of_network(url) => {
            cx.say("nothing of that was visited");
            return;
        }
        // A copy of it may be kept all the same: only the store knows.
        Forget::Page(url) if found == 0 => {
            vec!["Forget what is kept of this? You were not here.".into(), url.redacted()]
        }
        Forget::Page(url) => vec!["Forget that you were here?".into(), url.redacted()],
        Forget::Host(host) if host.is_empty() => vec![format!("Forget {pages} without a host?")],
        // It may be named elsewhere.
        Forget::Host(host) if found == 0 => vec![format!("Forget {host}? No page of it was visited.")],
        Forget::Host(host) => vec![format!("Forget {pages} of {host}?")],
        Forget::Since(_) => vec![format!("Forget {pages}, of {}?", span(words))],
        Forget::All => vec![format!("Forget all of your history, {pages}?")],
    };
    let text = text.into_iter().chain(also(&what).map(Into::into)).collect();
    cx.hands.raise(confirm(text, "forget", Pending::Forget(what)));
}

/// What goes with the pages, and what stays.
fn also(what: &Forget) -> [&'static str; 2] {
    const STAYS: &str =
        "What stays: bookmarks, subscriptions, certificates of servers and your own, .newsrc, saved files.";
    match what {
        Forget::Page(_) => {
            ["Its kept copy goes, and it goes from what is new or to read later, tabs, marks and words typed.", STAYS]
        }
        Forget::Since(_) => [
            "Kept copies, what was put by to read later or found new, words typed and marks set since go, and places in tabs.",
            "What stays: cookies, downloads, bookmarks, subscriptions, certificates of servers and your own.",
        ],
        Forget::Host(_) | Forget::All => [
            "With it go kept copies, what is to read later or new, words typed, marks, places in tabs, cookies, hosts \
             that want TLS, downloads listed.",
            STAYS,
        ],
    }
}

fn span(words: &str) -> &'static str {
    match words {
        "hour" => "the last hour",
        "today" => "today",
        _ => "the last seven days",
    }
}

/// What a reader means.
fn meant(sight: Sight<'_>, words: &str) -> Result<Forget, String> {
    let since = |time: Option<Zoned>| Ok(Forget::Since(time.map_or(0, |time| time.timestamp().as_second())));
    let now = sight.desk.now.clone();
    match words.split_once(char::is_whitespace).unwrap_or((words, "")) {
        ("", _) => under_focus(sight).map(Forget::Page).ok_or("There is no page under focus.".into()),
        ("host", "") => {
            let url = under_focus(sight).ok_or("forget host NAME")?;
            Ok(Forget::Host(url.host().unwrap_or_default().to_ascii_lowercase()))
        }
        ("host", name) => Ok(Forget::Host(name.trim().to_ascii_lowercase())),
        ("hour", "") => since(now.and_then(|now| now.checked_sub(1.hour()).ok())),
        ("today", "") => since(now.and_then(|now| now.start_of_day().ok())),
        ("week", "") => since(now.and_then(|now| now.checked_sub((7 * 24).hours()).ok())),
        ("all", "") => Ok(Forget::All),
        _ => Err("forget (the page under focus), forget hour|today|week|all, forget host NAME".into()),
    }
}

/// The page of the row under focus, where a page of the program's own lists some; elsewhere the page in view.
fn under_focus(sight: Sight<'_>) -> Option<Url> {
    let entry = sight.entry()?;
    if !entry.url.is("about") {
        return Some(entry.url.clone());
    }
    let url = Url::parse(super::reference(sight, window::focus(sight)?)?).ok()?;
    match New::of(&url) {
        // The row of a source.
        Some(New::Of(source)) => Some(source),
        _ => (!url.is("about")).then_some(url),
    }
}

/// The reader said yes.
pub(in crate::app) fn forget_now(cx: &mut Cx<'_>, what: &Forget) -> Vec<Effect> {
    for words in cx.desk.words.values_mut() {
        words.retain(|word| !what.concerns(word, None));
    }
    let hosts = [&mut cx.desk.charsets, &mut cx.desk.orders, &mut cx.desk.listings, &mut cx.news.shows];
    hosts.into_iter().for_each(|chosen| chosen.retain(|host, _| !what.concerns(host, None)));
    let desk = &mut cx.desk;
    desk.listed.retain(|known| desk.listings.contains_key(known));
    let hosts = [&mut desk.reader, &mut desk.unmeasured, &mut desk.hidden, &mut desk.owners];
    hosts.into_iter().for_each(|chosen| chosen.retain(|host| !what.concerns(host, None)));
    cx.news.listed.retain(|host, time| !what.concerns(host, Some(time.as_second())));
    cx.library.marks.retain(|_, mark| !what.concerns(&mark.url, Some(mark.time)));
    cx.library.mark_undo = Default::default();
    cx.library.own.dropped.retain(|(url, _)| !what.concerns(url.as_str(), Some(i64::MAX)));
    let gone = cx.library.visits.forget(what);
    cx.library.own.forgotten = gone;
    cx.say(match gone {
        0 => "no page of your history is forgotten".into(),
        gone => said_forgotten(&[(gone, "page", "pages")]),
    });
    let mut effects = vec![Effect::Keep(Kept::Forget(what.clone()))];
    effects.extend(cx.desk.choices.keeps_session.then_some(Effect::Keep(Kept::Session)));
    effects.extend(transfer::forget_those(cx, what));
    effects
}

/// What the store has forgotten is known: of what there was is said how much is gone.
pub(in crate::app) fn forgotten(cx: &mut Cx<'_>, gone: Gone) {
    let Gone { copies, later, fresh } = gone;
    let visits = std::mem::take(&mut cx.library.own.forgotten);
    let of_store = [
        (copies, "kept copy", "kept copies"),
        (later, "page to read later", "pages to read later"),
        (fresh, "item that was new", "items that were new"),
    ];
    if of_store.iter().any(|(many, ..)| *many > 0) {
        cx.say(said_forgotten(&[&[(visits, "page", "pages")], of_store.as_slice()].concat()));
    }
    // `about:new` looks after itself.
    cx.library.new.revision += u64::from(fresh > 0);
    let is_old = match shown(cx.sight()) {
        Some(About::Later) => later > 0,
        Some(About::Store | About::Search(_) | About::Linked(_)) => copies > 0,
        _ => false,
    };
    if is_old {
        cx.intend(Intent::Reload);
    }
}

/// Which page about what is kept is in view, and whole.
fn shown(sight: Sight<'_>) -> Option<About> {
    let entry = sight.entry().filter(|_| sight.tab.loading.is_none())?;
    let own = entry.page.as_deref().is_some_and(|page| page.head.media == media::OWN);
    About::of(&entry.url).filter(|_| own)
}

fn said_forgotten(gone: &[(usize, &str, &str)]) -> String {
    let gone: Vec<_> = gone.iter().filter(|(many, ..)| *many > 0).collect();
    let one = matches!(gone.as_slice(), [(1, ..)]);
    let parts =
        gone.iter().map(|(many, word, words)| format!("{} {}", count(*many), if *many == 1 { word } else { words }));
    format!("{} {} forgotten", parts.collect::<Vec<_>>().join(", "), if one { "is" } else { "are" })
}

/// When a page was visited last.
pub(in crate::app) fn last(sight: Sight<'_>, url: &Url) -> Option<i64> {
    sight.library.visits.of(url).map(|visit| visit.time)
}

/// Looks for what other running copies have added, as soon as the reader asks where they have been.
pub(in crate::app) fn look(cx: &mut Cx<'_>) -> Option<Effect> {
    let prompts = cx.hands.prompt().is_some_and(|prompt| prompt.kind == PromptKind::Open);
    let page = cx.entry().is_some_and(|entry| super::of(&entry.url) == Some(super::Which::History));
    let asks = cx.desk.choices.shares_history && (prompts || page);
    let asked = std::mem::replace(&mut cx.library.own.looked, asks);
    (asks && !asked).then_some(Effect::Keep(Kept::Others))
}
