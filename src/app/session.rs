//! What is kept of tabs from one run to the next: addresses, titles and places, and what was filled into forms and not sent.
//! Neither passwords nor what was sent with a form, and nothing at all of private tabs. The tabs of a session come back without their pages; when one comes to the front the
//! copy that is kept of its page is shown, and where there is none it is fetched.

use crate::app::forms::{self, web};
use crate::app::navigation::{failure, journey};
use crate::app::page::address;
use crate::app::state::{Cx, desk};
use crate::app::{
    App, Effect, Entry, FieldValue, Filled, FormOwner, Hands, Kept, KeptAnswers, KeptField, KeptPlace, KeptTab, Label,
    Opening, Overlay, Place, PromptKind, Session, Sight, Tab, Way, navigation, tabs, tour,
};
use crate::doc::{Anchor, LinkId, sanitise};
use crate::proto::{FetchError, Kind};
use crate::url::Url;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use tui_input::Input;

/// Places of a tab that are kept, those before the one in view and those after it.
const BEFORE: usize = 50;
const AFTER: usize = 10;
/// Octets of an address; a longer one is a document (`data:`).
const LONGEST: usize = 16 << 10;
/// Octets of what was filled into all forms.
const MOST_FILLED: usize = 1 << 20;

impl App {
    /// What is to be kept.
    pub fn session(&self) -> Session {
        self.session_of(|_| true)
    }

    /// Those of them that are wanted.
    pub(super) fn session_of(&self, wanted: fn(&Tab) -> bool) -> Session {
        let mut session = Session::default();
        for (i, tab) in self.tabs().enumerate().filter(|(_, tab)| !tab.private && wanted(tab)) {
            let begun = if i == self.tab_at() { Begun::of(self.sight()) } else { Begun::default() };
            let Some(kept) = KeptTab::of(tab, &self.desk.tour, begun) else { continue };
            if i <= self.tab_at() {
                session.front = session.tabs.len();
            }
            session.tabs.push(kept);
        }
        bound(&mut session);
        session.coming = self.tab.is_coming_back() && !self.tab.private;
        session
    }
}

/// What is being typed over the page in view.
#[derive(Default)]
struct Begun {
    field: Option<(usize, KeptField)>,
    asked: Option<KeptAnswers>,
}

impl Begun {
    fn of(sight: Sight<'_>) -> Begun {
        let asked =
            forms::begun::begun(sight).and_then(|asked| Some(KeptAnswers { url: address(&asked.url)?, ..asked }));
        Begun { field: web::begun(sight), asked }
    }
}

/// Leaves out what was filled in beyond what a file is to hold: of the tab in front and of the places in view the last.
fn bound(session: &mut Session) {
    let front = session.front;
    let places = session.tabs.iter_mut().enumerate().flat_map(|(number, tab)| {
        let at = tab.at;
        let rank = move |i: usize| (i != at, number != front, i.abs_diff(at));
        tab.places.iter_mut().enumerate().map(move |(i, place)| (rank(i), place))
    });
    let filled = |place: &KeptPlace| !place.fields.is_empty() || place.asked.is_some();
    let mut places: Vec<_> = places.filter(|(_, place)| filled(place)).collect();
    places.sort_by_key(|(rank, _)| *rank);
    let mut left = MOST_FILLED;
    let mut fits = |field: &KeptField| {
        let less = left.checked_sub(field.size());
        left = less.unwrap_or(left);
        less.is_some()
    };
    for (_, place) in places {
        place.fields.retain(&mut fits);
        place.asked.iter_mut().for_each(|asked| asked.fields.retain(&mut fits));
    }
}

/// Begins with the tabs of an earlier run. Nothing is fetched yet.
pub(super) fn restore(app: &mut App, session: Session) {
    let Session { front, killed, coming, .. } = session;
    let all = come(app, session);
    if !all.is_empty() {
        tabs::begin(app, all, front);
        if killed {
            stop(&mut app.cx(), coming);
        }
        if !is_start_alone(app) {
            say_back(app);
        }
    }
}

/// The tabs of a session, none of them without a page.
fn come(app: &App, session: Session) -> Vec<Tab> {
    let all = session.tabs.into_iter().map(|kept| kept.tab(app.desk.choices.base.as_ref()));
    all.filter(|tab| !tab.history.is_empty()).collect()
}

/// Whether nothing but the start page has come back, which would be here without that.
fn is_start_alone(app: &App) -> bool {
    let home = journey::start(app.sight()).ok();
    let places = || app.tabs().flat_map(|tab| &tab.history);
    places().count() == 1 && places().all(|entry| Some(&entry.url) == home.as_ref())
}

/// Says how many tabs have come back, behind what else there is of earlier times.
fn say_back(app: &mut App) {
    let count = app.tabs().filter(|tab| tab.restored).count();
    let (tabs, are, them) =
        if count == 1 { ("1 tab".into(), "is", "it") } else { (format!("{count} tabs"), "are", "them") };
    let key = app.key_for("close-restored").map(|key| format!(" ({key} closes {them})")).unwrap_or_default();
    let said = match app.hands.note.take() {
        Some(note) => format!("{} · {tabs} {are} back", note.text),
        None => format!("{tabs} of the last time {are} back{key}"),
    };
    app.say(said);
}

/// `restore`, or `restore 2` for the time before the last one.
pub(super) fn bring(app: &mut App, number: &str) -> Vec<Effect> {
    match number.trim() {
        "" => bring_back(app, 0),
        number => match number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            Some(number) => bring_back(app, number),
            None => {
                app.complain("restore, or restore 2 for the time before the last one");
                Vec::new()
            }
        },
    }
}

/// Brings the tabs of an earlier run back behind those that are here, the one that was in view to the front.
pub(super) fn bring_back(app: &mut App, number: usize) -> Vec<Effect> {
    if number >= app.library.last.len() {
        app.say(match number {
            _ if !app.desk.choices.keeps_session && !app.desk.choices.keeps_last => {
                "no tabs of the last time: this run was begun without them"
            }
            0 => "there are no tabs of the last time that are not here already",
            _ => "so many times are not kept",
        });
        return Vec::new();
    }
    let session = app.library.last.remove(number).session;
    let front = session.front;
    let all = come(app, session);
    let (first, count) = (app.tab_count(), all.len());
    let (mut joined, mut to) = (Vec::new(), app.tab_at());
    for (number, tab) in all.into_iter().enumerate() {
        // What a tab shows that is open is not opened a second time.
        let here = tabs::showing(app, &tab).find(|at| *at < first && !joined.contains(at));
        let apart = match here {
            Some(at) => tabs::join(app, at, tab),
            None => Some(tab),
        };
        let at = here.filter(|_| apart.is_none()).unwrap_or(app.tab_count());
        match apart {
            Some(tab) => tabs::put_behind(app, tab),
            None => joined.push(at),
        }
        if number == front.min(count.saturating_sub(1)) {
            to = at;
        }
    }
    let effects = tabs::show(app, to);
    app.hands.note = None;
    match app.tab_count() > first {
        true => say_back(app),
        false if count > 0 => app.say("the tabs of the last time are here already"),
        false => {}
    }
    effects
}

/// The page in view when the program was killed may be why it was: it is not fetched again by itself, but a copy that is kept of it was
/// read to its end, and takes the place of this ([`journey::bring_back`]), unless that was coming when it was killed. What the program
/// itself says cannot be why.
fn stop(cx: &mut Cx<'_>, coming: bool) {
    let at = cx.tab.at;
    let Some(entry) = cx.tab.history.get_mut(at).filter(|entry| !entry.url.is("about")) else { return };
    entry.wanted = Some(entry.given_place());
    (entry.top, entry.left) = (Anchor::default(), 0);
    let opening = Opening { way: Way::Place(at), ..Opening::followed(entry.url.clone()) };
    let page = if coming {
        let error = FetchError::new(Kind::Stopped, "Wayfarer was ended by force while this page came back by itself.")
            .tried("nothing: in case it was the page, it is opened again only when you ask for it");
        failure::page_of_waiting(cx, &opening, error)
    } else {
        let error = FetchError::new(Kind::Stopped, "Wayfarer was ended by force while this page was in view.")
            .tried("nothing: in case it was the page, it is fetched again only when you ask for it");
        failure::page(cx, &opening, error)
    };
    cx.tab.coming = coming;
    let entry = &mut cx.tab.history[at];
    (entry.page, entry.focus) = (Some(Box::new(page)), coming.then_some(LinkId(0)));
}

/// Goes on with what [`restore`] has brought back; opens `home` when that is nothing.
pub(super) fn resume(app: &mut App, home: Url) -> Vec<Effect> {
    match app.entry() {
        Some(_) => journey::bring_back(&mut app.cx()),
        None => navigation::go(&mut app.cx(), Opening::typed(home)),
    }
}

/// Opens places as if the reader had typed them, each in a tab, the first one in front; tabs that [`restore`] has brought
/// back stay behind. What one of those shows is not opened a second time.
pub(super) fn open(app: &mut App, places: Vec<Url>, media: Option<&str>, charset: Option<&str>) -> Vec<Effect> {
    let said = |words: Option<&str>| words.map(Into::into);
    let opening = |url| Opening { media: said(media), charset: said(charset), ..Opening::typed(url) };
    let as_kept = media.is_none() && charset.is_none();
    let mut effects = Vec::new();
    for (number, url) in places.into_iter().enumerate() {
        let kept = |tab: &Tab| as_kept && tab.restored && tab.entry().is_some_and(|entry| entry.url == url);
        let here = app.tabs().position(kept);
        effects.extend(match (here, number) {
            (Some(at), 0) => go_on(app, at),
            (Some(_), _) => Vec::new(),
            (None, 0) if app.entry().is_some() => tabs::opening::add(app, opening(url)),
            (None, 0) => navigation::go(&mut app.cx(), opening(url)),
            (None, _) => tabs::opening::add_behind(app, opening(url)),
        });
    }
    effects
}

/// The reader asks for what a tab shows that came back.
fn go_on(app: &mut App, at: usize) -> Vec<Effect> {
    if at != app.tab_at() {
        return tabs::show(app, at);
    }
    // They name it themselves: it is not what ended the program.
    match app.entry().is_some_and(|entry| entry.page.is_some()) {
        true => journey::reload(&mut app.cx(), ""),
        false => journey::bring_back(&mut app.cx()),
    }
}

impl KeptTab {
    /// `tour`: the ports of its servers.
    fn of(tab: &Tab, tour: &[u16], mut begun: Begun) -> Option<KeptTab> {
        if tab.history.is_empty() {
            // What is on its way is worth as much as what has come.
            let opening = tab.loading.as_ref().map(|loading| &loading.opening).filter(|o| o.sent.is_none())?;
            let url = address(&opening.url)?;
            let place = KeptPlace { media: opening.media.clone(), ..KeptPlace::at(url) };
            let place = if desk::is_of_tour(tour, &place.url) { KeptPlace::of_tour()? } else { place };
            return Some(KeptTab { at: 0, places: vec![place] });
        }
        let first = tab.at.saturating_sub(BEFORE);
        let last = tab.history.len().min(tab.at + AFTER + 1);
        let mut kept = KeptTab::default();
        for (i, entry) in tab.history.iter().enumerate().take(last).skip(first) {
            let toured = desk::is_of_tour(tour, &entry.url).then(KeptPlace::of_tour).flatten();
            let Some(mut place) = toured.or_else(|| KeptPlace::of(entry, tab.media.get(&i))) else { continue };
            if place.url.as_str() != tour::PAGE {
                place.begin(&mut begun, i, tab.at);
            }
            if place.url.as_str() == tour::PAGE && kept.places.last().is_some_and(|last| last.url == place.url) {
                continue;
            }
            if i <= tab.at {
                kept.at = kept.places.len();
            }
            kept.places.push(place);
        }
        (!kept.places.is_empty()).then_some(kept)
    }

    fn tab(self, base: Option<&Url>) -> Tab {
        let at = self.at.min(self.places.len().saturating_sub(1));
        let media = self.places.iter().enumerate().filter_map(|(i, place)| Some((i, place.media.clone()?)));
        let media: BTreeMap<usize, String> = media.collect();
        let history = self.places.into_iter().map(|place| place.entry(base)).collect();
        Tab { at, media, history, restored: true, ..Tab::default() }
    }
}

impl KeptPlace {
    /// In the place of any of the tour, whose servers listen elsewhere the next time.
    fn of_tour() -> Option<KeptPlace> {
        let url = Url::parse(tour::PAGE).ok()?;
        Some(KeptPlace { title: Some("The tour".into()), ..KeptPlace::at(url) })
    }

    /// What answers a form is not kept: the form would have to be.
    fn of(entry: &Entry, media: Option<&String>) -> Option<KeptPlace> {
        let url = address(&entry.url).filter(|_| entry.sent.is_none() && !entry.forgotten)?;
        let title = match entry.label() {
            Label::Title(title) => Some(sanitise(&title).into_owned()),
            Label::Url(_) => None,
        };
        let (fields, asked) = (entry.filled.kept(), entry.filled.asked.clone());
        Some(KeptPlace { url, title, media: media.cloned(), place: entry.given_place(), fields, asked })
    }

    fn at(url: Url) -> KeptPlace {
        KeptPlace { url, title: None, media: None, place: Place::default(), fields: Vec::new(), asked: None }
    }

    /// With what is being typed, where this is the place of it; `at` is the one in view.
    fn begin(&mut self, begun: &mut Begun, place: usize, at: usize) {
        if let Some((_, field)) = begun.field.take_if(|(of, _)| *of == place) {
            self.fields.retain(|other| other.mark.number != field.mark.number);
            self.fields.push(field);
        }
        if place == at
            && let Some(asked) = begun.asked.take()
        {
            self.asked = Some(asked);
        }
    }

    fn entry(self, base: Option<&Url>) -> Entry {
        let Place { top, focus, left } = self.place;
        let titled = self.title.map(|title| sanitise(&title).into_owned());
        let filled = Filled::restored(self.fields, self.asked);
        Entry { top, focus, left, titled, filled, restored: true, ..Entry::ahead(self.url, base) }
    }
}

/// What came from standard input, or out of a program: it cannot be had again.
const ONCE: &[&str] = &["about:stdin", "about:output"];

/// The address as it may be kept; `None` for one that holds the answers of a form, or a whole document, or leads nowhere.
pub(super) fn address(url: &Url) -> Option<Url> {
    let text = address::shareable(url);
    let once = ONCE.iter().any(|once| text.starts_with(once));
    let keeps = text.len() <= LONGEST && !once && !address::is_filled_form(&text);
    match keeps {
        true if text == url.as_str() => Some(url.clone()),
        true => Url::parse(text).ok(),
        false => None,
    }
}

/// Whether an effect would leave on disk where the reader was; those of private tabs do not come about.
pub(super) fn is_trace(effect: &Effect) -> bool {
    // Cookies of a private tab are never asked about: what is said of them there is an answer about another tab's.
    // A mark is set in none, so one that is kept there is one that was deleted there and is back.
    matches!(effect, Effect::Keep(Kept::Words { .. } | Kept::Site { .. }))
}

/// Tells the shell when there is something new to keep.
pub(super) fn tend(app: &mut App) -> Vec<Effect> {
    app.tab.coming = app.tab.is_coming_back();
    if !app.desk.choices.keeps_session {
        return Vec::new();
    }
    let now = trace(app);
    if std::mem::replace(&mut app.kept, now) == now {
        return Vec::new();
    }
    vec![Effect::Keep(Kept::Session)]
}

/// What differs whenever the session does, for much less work.
fn trace(app: &App) -> u64 {
    let mut trace = DefaultHasher::new();
    (app.tabs.at, app.tab.coming).hash(&mut trace);
    for tab in app.tabs().filter(|tab| !tab.private) {
        (tab.at, tab.history.len()).hash(&mut trace);
        match tab.entry() {
            Some(entry) => {
                let title = entry.page.as_deref().and_then(|page| page.document().title.as_deref());
                let (place, media) = (entry.given_place(), tab.media.get(&tab.at));
                (entry.url.as_str(), title, place.top, place.focus, place.left, media).hash(&mut trace);
            }
            None => tab.loading.as_ref().map(|loading| loading.opening.url.as_str()).hash(&mut trace),
        }
        let near = tab.history.iter().take(tab.at.saturating_add(AFTER + 1)).skip(tab.at.saturating_sub(BEFORE));
        near.for_each(|entry| entry.filled.changes.hash(&mut trace));
    }
    if !app.tab.private {
        trace_typing(&app.hands, &mut trace);
    }
    trace.finish()
}

/// The same of what is being typed into a form.
fn trace_typing(hands: &Hands, trace: &mut DefaultHasher) {
    let prompt = hands.prompt().filter(|prompt| prompt.kind == PromptKind::Field);
    prompt.map(|prompt| prompt.input.value()).hash(trace);
    let forms = hands.overlays().iter().filter_map(|overlay| match overlay {
        Overlay::Form(form) if matches!(form.owner, FormOwner::Area(_) | FormOwner::Gopher(_)) => Some(form),
        _ => None,
    });
    for field in forms.filter(|form| form.touched).flat_map(|form| &form.fields) {
        match &field.value {
            FieldValue::Line { input, secret: false } => input.value().hash(trace),
            // Only the line under the cursor changes, or their number.
            FieldValue::Lines { lines, at } => (lines.len(), at, lines.get(*at).map(Input::value)).hash(trace),
            FieldValue::Check(on) => on.hash(trace),
            FieldValue::Choose { chosen, .. } => chosen.hash(trace),
            FieldValue::Note | FieldValue::File { .. } | FieldValue::Line { .. } => {}
        }
    }
}
