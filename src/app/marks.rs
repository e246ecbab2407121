//! Marks: a letter for a place in a page, kept from one run to the next, and the place before the last jump. The place is where the
//! focus is, else the first line. A mark is gone to in whatever tab is in view; going back undoes that. Refuses: private tabs, pages that cannot be opened again, passwords.

use crate::app::internal::marks::called;
use crate::app::motion::{focus, scroll, window};
use crate::app::navigation::journey;
use crate::app::state::desk;
use crate::app::{
    App, Completion, Consent, Effect, Entry, Kept, KeptMark, Label, Opening, Page, Place, PromptKind, Sight, TabId,
    navigation, session, tour,
};
use crate::doc::{Anchor, LinkId, sanitise};
use crate::url::Url;

/// The sign of the place before the last jump, as where marks are gone to by `'` and a letter; and the other one.
const BEFORE: [&str; 2] = ["'", "`"];
/// Octets of an address that a mark keeps, letters of a title, and of the words at its place.
const LONGEST: usize = 2_000;
const LONGEST_TITLE: usize = 120;
const LONGEST_WORDS: usize = 60;
/// How many empty lines may stand above those words.
const GAP: u32 = 8;

/// `set-mark a`; without a letter the next key is it.
pub(super) fn set_mark(app: &mut App, letter: &str) -> Vec<Effect> {
    if letter.is_empty() {
        app.hands.ask(PromptKind::SetMark, "mark", "", None);
        return Vec::new();
    }
    match mark_here(app, letter) {
        Ok((letter, mark)) => {
            app.say(format!("mark {letter} is here"));
            app.library.marks.insert(letter, mark.clone());
            // One that was deleted before does not come back over it.
            app.library.mark_undo.retain(|(other, _)| *other != letter);
            vec![Effect::Keep(Kept::Mark { letter, mark: Some(mark) })]
        }
        Err(why) => {
            app.complain(why);
            Vec::new()
        }
    }
}

/// The letter of a mark.
fn letter(text: &str) -> Option<char> {
    let mut letters = text.trim().chars();
    letters.next().filter(|letter| letter.is_ascii_lowercase() && letters.next().is_none())
}

/// The place in view.
///
/// # Errors
/// It cannot be marked, and why.
fn mark_here(app: &App, text: &str) -> Result<(char, KeptMark), String> {
    let letter = letter(text).ok_or("a mark is a letter from a to z")?;
    if app.tab.private {
        return Err("nothing is kept of a private tab: no mark was set".into());
    }
    let entry = app.entry().ok_or("there is no page to mark")?;
    let url = address(app.sight(), entry).ok_or("this page cannot be opened again by its address: no mark was set")?;
    let (top, link) = match entry.given_place() {
        _ if url.as_str() == tour::PAGE => (Anchor::default(), None),
        place => (place.top, focused(app.sight(), entry)),
    };
    let title = match entry.label() {
        Label::Title(title) => title.split_whitespace().collect::<Vec<_>>().join(" "),
        Label::Url(_) => String::new(),
    };
    let title = sanitise(&title).chars().take(LONGEST_TITLE).collect();
    let time = app.desk.now.as_ref().map_or(0, |now| now.timestamp().as_second());
    let words = words(entry, top, link);
    Ok((letter, KeptMark { url: url.as_str().into(), top, link, words, title, time }))
}

/// The link that has the focus on the screen, in the document as it was written.
fn focused(sight: Sight<'_>, entry: &Entry) -> Option<LinkId> {
    let focus = entry.focus.filter(|focus| window::on_screen(sight).iter().any(|seen| seen.link == *focus));
    entry.given_link(focus?)
}

/// What tells a place from others of its page. A page looked at from its beginning needs no such words.
fn words(entry: &Entry, top: Anchor, link: Option<LinkId>) -> String {
    let Some(page) = entry.page.as_deref() else { return String::new() };
    let document = page.given();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let from = usize::try_from(top.offset).unwrap_or_default();
    let line = |block: u32| {
        let text = if (block as usize) < document.blocks().len() { document.block_text(block) } else { "" };
        one_line(if block == top.block { text.get(from..).unwrap_or_default() } else { text })
    };
    let words = match link {
        Some(link) => one_line(document.link_text(link)),
        None if top == Anchor::default() => String::new(),
        None => (top.block..top.block.saturating_add(GAP)).map(line).find(|line| !line.is_empty()).unwrap_or_default(),
    };
    sanitise(&entry.veil.over(words)).chars().take(LONGEST_WORDS).collect()
}

/// The address by which a place is opened again; of a page of the tour that of the tour.
fn address(sight: Sight<'_>, entry: &Entry) -> Option<Url> {
    if desk::is_of_tour(&sight.desk.tour, &entry.url) {
        return Url::parse(tour::PAGE).ok();
    }
    let may = entry.sent.is_none() && !entry.forgotten;
    session::address(&entry.url).filter(|url| may && url.as_str().len() <= LONGEST)
}

/// `go-mark a`; without a letter the next key is it. `go-mark '` goes to the place before the last jump.
pub(super) fn go_mark(app: &mut App, text: &str) -> Vec<Effect> {
    if text.is_empty() {
        app.hands.ask(PromptKind::GoMark, "go to mark", "", None);
        return Vec::new();
    }
    if BEFORE.contains(&text) {
        return go_before(app);
    }
    let mark = letter(text).and_then(|letter| app.library.marks.get(&letter));
    match mark.and_then(|mark| Some((Url::parse(&mark.url).ok()?, mark.top, mark.link))) {
        Some((url, top, focus)) => go_to(app, url, Place { top, focus, ..Place::default() }),
        None => {
            let set = app.key_for("set-mark").map(|key| format!("; {key} and a letter sets one")).unwrap_or_default();
            let known: Vec<String> = app.library.marks.keys().map(char::to_string).collect();
            let known = if known.is_empty() { set } else { format!("; there are {}", known.join(" ")) };
            app.complain(format!("there is no mark {text}{known}"));
            Vec::new()
        }
    }
}

/// Goes to a place of a page: within the page in view by a step of its own, else the page is opened.
fn go_to(app: &mut App, url: Url, place: Place) -> Vec<Effect> {
    let here = app.entry().is_some_and(|entry| shows(app.sight(), entry, &url));
    if here {
        let link = shown(app.sight(), place);
        // What is on the screen needs no scrolling.
        let seen = link.is_some_and(|link| window::on_screen(app.sight()).iter().any(|seen| seen.link == link));
        let stays = app.entry().filter(|_| seen).map(Entry::given_place);
        let place = stays.map_or(place, |stays| Place { focus: place.focus, ..stays });
        let effects = journey::step_to(&mut app.cx(), place);
        if let Some(link) = shown(app.sight(), place) {
            focus::go_to(&mut app.cx(), link);
        }
        return effects;
    }
    // An address of the program itself may do something: a file that somebody else wrote does not agree to that.
    let consent = if url.is("about") { Consent::Followed } else { Consent::Agreed };
    let opening = Opening { consent, place: Some(place), ..Opening::typed(url) };
    navigation::go(&mut app.cx(), opening)
}

/// The link of a place as the page in view shows it, if it does.
fn shown(sight: Sight<'_>, place: Place) -> Option<LinkId> {
    let page = sight.entry()?.page.as_deref()?;
    page.shown(place).focus.filter(|link| link.0 < page.document().link_count())
}

/// Whether a place shows the page of an address.
fn shows(sight: Sight<'_>, entry: &Entry, url: &Url) -> bool {
    let readable = entry.page.as_deref().is_some_and(|page| !page.is_error());
    let own = || address(sight, entry).is_some_and(|own| own.without_fragment() == url.without_fragment());
    readable && own()
}

/// To the place before the last jump, and from there back again.
fn go_before(app: &mut App) -> Vec<Effect> {
    let Some((url, place)) = app.tab.before.clone() else {
        app.say("nothing was jumped from in this tab yet");
        return Vec::new();
    };
    let same = |entry: &Entry| entry.url.without_fragment() == url.without_fragment();
    if app.entry().is_some_and(|entry| same(entry) && entry.page.is_some()) {
        journey::note_place(&mut app.cx());
        journey::look_at(&mut app.cx(), place);
        return Vec::new();
    }
    let at = app.tab.at;
    let there = (0..app.tab.history.len()).filter(|i| *i != at && app.tab.history[*i].url == url);
    match there.min_by_key(|i| i.abs_diff(at)) {
        Some(to) => journey::visit(&mut app.cx(), to),
        None => go_to(app, url, place),
    }
}

/// `delete-mark a`.
pub(super) fn delete_mark(app: &mut App, text: &str) -> Vec<Effect> {
    match letter(text).filter(|letter| app.library.marks.remove(letter).is_some()) {
        Some(letter) => {
            app.say(format!("mark {letter} is deleted"));
            vec![Effect::Keep(Kept::Mark { letter, mark: None })]
        }
        None => {
            app.complain("delete-mark wants the letter of a mark");
            Vec::new()
        }
    }
}

/// The marks, while a letter is awaited.
pub(super) fn completions(sight: Sight<'_>) -> Vec<Completion> {
    let row =
        |(letter, mark): (&char, &KeptMark)| Completion { title: called(mark), ..Completion::from(letter.to_string()) };
    sight.library.marks.iter().map(row).collect()
}

/// Where the reader stands, to tell a jump from a step.
pub(super) struct Stand {
    tab: TabId,
    at: usize,
    page: Option<crate::app::PageId>,
    place: Option<(Url, Place)>,
}

/// Where they stand now.
pub(super) fn stand(app: &App) -> Stand {
    let entry = app.entry();
    let page = entry.and_then(|entry| entry.page.as_deref()).map(|page: &Page| page.id);
    let place = entry.map(|entry| (entry.url.clone(), entry.given_place()));
    Stand { tab: app.tab.id, at: app.tab.at, page, place }
}

/// The reader has done something: who is farther away on the same page than a screen has jumped.
pub(super) fn moved(app: &mut App, from: Stand) {
    let now = stand(app);
    let same = (from.tab, from.at, from.page) == (now.tab, now.at, now.page) && now.page.is_some();
    let (Some((url, place)), Some((_, to))) = (from.place, now.place) else { return };
    let jumped = |app: &App| {
        let page = app.entry()?.page.as_deref()?;
        Some(scroll::is_far(app.sight(), page.shown(place).top, page.shown(to).top))
    };
    if same && place.top != to.top && jumped(app) == Some(true) {
        app.tab.before = Some((url, place));
    }
}
