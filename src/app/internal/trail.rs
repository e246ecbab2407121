//! `about:trail`: how the reader came to a page, from the first page on, and where they turned off on the way.
//!
//! Its address holds all that it is: the page in question (`of`), what the trail is called (`name`) and a line to a station
//! (`note`, an address, a space, words), so that it is kept as any place is: with the session, or as a bookmark, and forgotten
//! with it. It is found and written on a thread apart (`work`). Nothing of private tabs is in it, since nothing of them is in the history.

use super::history::revision;
use super::{Made, asked, bookmarks, made_of, show};
use crate::app::motion::window;
use crate::app::page::address;
use crate::app::state::Cx;
use crate::app::state::jobs::Errand;
use crate::app::state::library::HistoryPage;
use crate::app::{Effect, JobId, Sight, transfer};
use crate::doc::{BlockKind, Builder};
use crate::role::Role;
use crate::stop::Stop;
use crate::url::{Url, escape};
use crate::work::{Product, TRAIL_TITLE, Track, Tracked, TrailFile, Work, line};
use std::collections::BTreeMap;

/// The longest address of such a page; a note that is too much for it is refused.
const LONGEST: usize = 16 * 1024;
/// Said where there is none.
const NONE: &str = "no trail leads to this page: it is none of those that are kept in the history";

/// What the address of such a page says.
struct Asked {
    of: Url,
    name: String,
    /// Words to stations, by their addresses.
    notes: BTreeMap<String, String>,
}

impl Asked {
    fn of(sight: Sight<'_>, url: &Url) -> Option<Asked> {
        let of = match asked(url, "of") {
            Some(of) => Url::parse(of).ok()?,
            // Who types the name alone means the page before.
            None => before(sight)?,
        };
        let pairs = url.query().unwrap_or_default().split('&').filter_map(|pair| pair.strip_prefix("note="));
        let note = |value: &str| {
            let value = String::from_utf8_lossy(&escape::decode(value)).into_owned();
            value.split_once(' ').map(|(url, words)| (url.to_owned(), line(words)))
        };
        Some(Asked { of, name: asked_name(url), notes: pairs.filter_map(note).collect() })
    }

    fn url(&self) -> String {
        let coded = |text: &str| escape::encode(text.as_bytes(), b"");
        let mut url = format!("about:trail?of={}", coded(&address::shareable(&self.of)));
        if !self.name.is_empty() {
            url += &format!("&name={}", coded(&self.name));
        }
        self.notes.iter().for_each(|(of, words)| url += &format!("&note={}", coded(&format!("{of} {words}"))));
        url
    }
}

/// The place before the one in view that is none of the program's own.
fn before(sight: Sight<'_>) -> Option<Url> {
    let places = sight.tab.history.get(..=sight.tab.at)?;
    places.iter().rev().map(|entry| &entry.url).find(|url| !url.is("about")).cloned()
}

/// Whether a trail is in view.
fn is_open(sight: Sight<'_>) -> bool {
    super::open_one(sight) == Some(super::Which::Trail)
}

/// What the address in view says, or that of the trail to the page in view.
fn here(sight: Sight<'_>) -> Option<Asked> {
    let url = &sight.entry()?.url;
    if is_open(sight) {
        return Asked::of(sight, url);
    }
    Some(Asked { of: before(sight).filter(|_| !url.is("about"))?, name: String::new(), notes: BTreeMap::new() })
}

/// `trail` shows how one came to the page in view; `trail name WORDS`, `trail note WORDS` and `trail save FILE`.
pub(in crate::app) fn trail(cx: &mut Cx<'_>, words: &str) -> Vec<Effect> {
    let (verb, words) = words.trim().split_once(char::is_whitespace).unwrap_or((words.trim(), ""));
    let Some(asked) = here(cx.sight()) else {
        cx.say(NONE);
        return Vec::new();
    };
    match (verb, words.trim()) {
        ("", _) if is_open(cx.sight()) => {}
        ("", _) if cx.library.visits.last(&asked.of).is_none() && !cx.library.visits_coming => cx.say(NONE),
        ("", _) => return super::go(cx, &asked.url()),
        ("save", path) if !path.is_empty() => return save(cx, asked, path),
        ("name" | "note", _) if !is_open(cx.sight()) => {
            cx.say("trail shows the trail first; then it has a name and notes")
        }
        ("name", words) => return rewrite(cx, Asked { name: line(words), ..asked }),
        ("note", words) => return note(cx, asked, &line(words)),
        _ => cx.complain("trail, trail save FILE; where it is shown: trail name WORDS, trail note WORDS"),
    }
    Vec::new()
}

/// The station under focus has other words, or none.
fn note(cx: &mut Cx<'_>, mut asked: Asked, words: &str) -> Vec<Effect> {
    let station = window::focus(cx.sight()).and_then(|link| super::reference(cx.sight(), link));
    match station.filter(|url| cx.library.own.stations.contains(url)) {
        None => {
            cx.say("a note stands at a station: none has the focus");
            return Vec::new();
        }
        Some(station) if words.is_empty() => drop(asked.notes.remove(&station)),
        Some(station) => drop(asked.notes.insert(station, words.to_owned())),
    }
    rewrite(cx, asked)
}

/// The page in view has another address, and is made anew of it; where that was bookmarked, the bookmark follows.
fn rewrite(cx: &mut Cx<'_>, asked: Asked) -> Vec<Effect> {
    let text = asked.url();
    let Some(url) = Url::parse(text).ok().filter(|url| url.as_str().len() <= LONGEST) else {
        cx.complain("That is more than the address of a trail can hold: take out other notes, or save it first.");
        return Vec::new();
    };
    let old = cx.entry().map(|entry| entry.url.clone());
    if let Some(entry) = cx.entry_mut() {
        entry.url = url.clone();
        if let Some(page) = &mut entry.page {
            (page.head.url, page.made_of) = (url.clone(), None);
        }
    }
    let titled = |name: &str| if name.is_empty() { TRAIL_TITLE.to_owned() } else { name.to_owned() };
    let Some(old) = old.filter(|old| *old != url) else { return Vec::new() };
    let was = asked_name(&old);
    bookmarks::follow(cx, (old.as_str(), &titled(&was)), (url.as_str(), &titled(&asked.name)))
}

/// What an address calls the trail; empty for no name.
fn asked_name(url: &Url) -> String {
    line(&asked(url, "name").unwrap_or_default())
}

/// What finds the trail to a page and writes it; `None` where it was never visited.
fn track(sight: Sight<'_>, asked: Asked, file: Option<TrailFile>) -> Option<Work> {
    let to = sight.library.visits.last(&asked.of)?;
    let Asked { name, notes, .. } = asked;
    let (pages, now) = (sight.library.visits.pages().clone(), sight.desk.now.clone());
    Some(Work::Track(Box::new(Track { pages, to, name, notes, now, file })))
}

/// Has it written to a file; what fits its name.
fn save(cx: &mut Cx<'_>, asked: Asked, path: &str) -> Vec<Effect> {
    let Some(file) = TrailFile::of_name(path) else {
        cx.complain("The file's name says the kind: .gmi for gemtext, .md, .html, gophermap.");
        return Vec::new();
    };
    let Some(work) = track(cx.sight(), asked, Some(file)) else {
        cx.say(NONE);
        return Vec::new();
    };
    let id = cx.job(Errand::Trail(Some(path.to_owned())));
    vec![Effect::Work { id, work }]
}

/// The trail is there: it is shown, or goes to a file.
pub(in crate::app) fn tracked(cx: &mut Cx<'_>, id: JobId, path: Option<String>, trail: Tracked) -> Vec<Effect> {
    if let Some(path) = path {
        return transfer::write(cx, path, trail.text.into_bytes());
    }
    let making = cx.library.own.trail.take_if(|making| making.job == id);
    if let Some(HistoryPage { url, revision, .. }) = making
        && cx.entry().is_some_and(|entry| entry.url == url)
    {
        make(cx, revision, trail);
    }
    Vec::new()
}

/// Has the page in view made anew when it does not show what it should.
pub(super) fn tend(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(url) = cx.entry().map(|entry| entry.url.clone()) else { return Vec::new() };
    let revision = revision(cx.sight());
    if made_of(cx.sight()) == Some(revision.as_str()) {
        return give_up(cx).into_iter().collect();
    }
    if cx.library.own.trail.as_ref().is_some_and(|making| making.url == url && making.revision == revision) {
        return Vec::new();
    }
    let mut effects: Vec<Effect> = give_up(cx).into_iter().collect();
    let asked = Asked::of(cx.sight(), &url);
    let is_asked = asked.is_some();
    match asked.and_then(|asked| track(cx.sight(), asked, None)) {
        None => {
            let nothing = nothing(cx.sight(), is_asked);
            make(cx, revision, nothing);
        }
        Some(work) if work.is_small() => {
            if let Some(Product::Tracked(trail)) = work.run(&Stop::new()) {
                make(cx, revision, *trail);
            }
        }
        Some(work) => {
            let job = cx.job(Errand::Trail(None));
            cx.library.own.trail = Some(HistoryPage { url, revision, job });
            effects.push(Effect::Work { id: job, work });
        }
    }
    effects
}

/// Nobody waits for a page in the making any more.
pub(super) fn give_up(cx: &mut Cx<'_>) -> Option<Effect> {
    cx.library.own.trail.take().map(|making| Effect::Cancel(making.job))
}

fn make(cx: &mut Cx<'_>, revision: String, trail: Tracked) {
    cx.library.own.stations = trail.stations;
    show(cx, Made { document: trail.document, source: trail.text }, revision);
}

/// The page where there is no trail.
fn nothing(sight: Sight<'_>, is_asked: bool) -> Tracked {
    let said = match is_asked {
        _ if sight.library.visits_coming => "Your history is being read.",
        true => "The history knows nothing of that page.",
        false => "Before this page there is none in this tab. :trail on a page shows how you came there.",
    };
    let mut out = Builder::new();
    out.document_mut().title = Some(TRAIL_TITLE.into());
    out.block(BlockKind::Heading(1), Role::Heading);
    out.text(TRAIL_TITLE);
    out.block(BlockKind::Line, Role::Dim);
    out.text(said);
    Tracked { document: out.finish(), text: format!("# {TRAIL_TITLE}\n\n{said}\n"), ..Tracked::default() }
}
