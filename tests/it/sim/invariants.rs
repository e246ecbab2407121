//! What holds after every step, whatever has happened. Each is a function of its own, named for what it says; each is shown to
//! go red in `broken`.

use super::drive::{Asked, Sim};
use super::world::marks;
use std::collections::{BTreeMap, BTreeSet};
use wayfarer::app::{App, Effect, JobId, Kept, KeptValue, Overlay, Page, Screen, status};
use wayfarer::format::media;
use wayfarer::proto::{Request, Verdict};
use wayfarer::url::{Url, scheme};
use wayfarer::view::draw;

pub type Held = Result<(), String>;

/// Something that was typed for one purpose.
#[derive(Debug, Clone)]
pub struct Secret {
    /// The words; they are found nowhere else.
    pub words: String,
    /// The host for whose sake they were typed.
    pub host: String,
    /// A login's user is no secret on the screen.
    pub shown: bool,
}

/// The text of a page, as it came and as it is shown.
fn text_of(page: &Page) -> String {
    let document = page.document();
    let mut text = String::from_utf8_lossy(page.source.as_deref().unwrap_or_default()).into_owned();
    for block in 0..document.blocks().len().min(400) as u32 {
        text.push('\n');
        text.push_str(document.block_text(block));
    }
    text
}

/// Whether what was asked for under a number belongs into a page of this URL.
fn belongs(asked: &Asked, page: &Url) -> bool {
    let Some(of) = &asked.url else { return false };
    let (of, page) = (of.without_fragment(), page.without_fragment());
    // What a form has asked for with a password in it is called something else.
    let bare = |url: &Url| url.as_str().split('?').next().map(str::to_owned);
    if page.as_str().ends_with("***") && bare(&of) == bare(&page) {
        return true;
    }
    // A README is in the page of its directory; a list of articles grows by its own ranges.
    of == page || of.as_str().starts_with(page.as_str()) || asked.moved_to.as_ref() == Some(&page) || asked.is_held
}

/// Whether a page has something of what is kept, and so of what was asked for at any time, be it read as a page or as its source.
fn is_of_kept(page: &Page) -> bool {
    let names = ["home", "history", "bookmarks", "downloads"];
    page.head.media == media::OWN || page.head.url.is("about") && names.contains(&page.head.url.path())
}

/// An answer reaches only its asker.
/// `all`: in all tabs and not only in the place in view.
pub fn answers_reach_their_askers(app: &App, asked: &BTreeMap<JobId, Asked>, all: bool) -> Held {
    let everywhere = app.tabs().filter(|_| all).flat_map(|tab| &tab.history);
    for entry in app.entry().into_iter().chain(everywhere) {
        let Some(page) = entry.page.as_deref().filter(|page| !is_of_kept(page)) else { continue };
        for number in marks(&text_of(page)) {
            let known = asked.get(&JobId(number)).ok_or_else(|| format!("{}: nobody asked for {number}", entry.url))?;
            if !belongs(known, &page.head.url) && !belongs(known, &entry.url) {
                return Err(format!("{} shows what {:?} was asked for under {number}", entry.url, known.url));
            }
        }
    }
    Ok(())
}

/// What an effect hands over, as text; the request that a login or a form is part of is left out.
fn said(effect: &Effect) -> String {
    let octets = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    match effect {
        Effect::Fetch { .. } | Effect::Download { .. } => String::new(),
        // It is read or worked on here, and nobody else gets it; what comes of it is looked at where it is shown or kept.
        Effect::Parse { .. } | Effect::Work { .. } => String::new(),
        Effect::Write { path, content, .. } => format!("{path} {}", octets(content)),
        Effect::Pipe { program, input, .. } => format!("{program:?} {}", octets(input)),
        Effect::SyncNewsrc { server, ours, .. } => format!("{server} {}", octets(&ours.write())),
        other => format!("{other:?}"),
    }
}

/// All of a request.
fn sent(request: &Request) -> String {
    let octets = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let login = request.login.as_ref().map(|login| format!("{} {}", octets(&login.user), octets(&login.password)));
    let body = request.body.as_ref().map(|body| octets(&body.octets));
    format!("{request:?} {} {} {}", request.url, login.unwrap_or_default(), body.unwrap_or_default())
}

/// What was typed reaches only what it was typed for.
pub fn what_was_typed_goes_where_it_was_meant(effects: &[Effect], secrets: &[Secret]) -> Held {
    for effect in effects {
        let said = said(effect);
        let request = match effect {
            Effect::Fetch { request, .. } | Effect::Download { request, .. } => Some((request, sent(request))),
            _ => None,
        };
        for secret in secrets {
            // A program that the reader has agreed to is handed the address as it is.
            let arguments = if let Effect::Run { arguments, .. } = effect { &arguments[..] } else { &[] };
            let is_there = |word: &String| Url::parse(word.as_str()).is_ok_and(|url| url.host() == Some(&secret.host));
            let handed = arguments.iter().any(is_there);
            if said.contains(&secret.words) && !handed {
                return Err(format!("{} was typed for {} and is in {effect:?}", secret.words, secret.host));
            }
            if let Some((request, sent)) = &request
                && sent.contains(&secret.words)
                && request.url.host() != Some(&secret.host)
            {
                return Err(format!("{} was typed for {} and goes to {}", secret.words, secret.host, request.url));
            }
        }
    }
    Ok(())
}

/// What is marked as private in a text: `prv8`.
fn private(text: &str) -> impl Iterator<Item = &str> {
    const MARK: &str = "prv";
    text.match_indices(MARK).map(|(at, _)| {
        let number = text[at + MARK.len()..].bytes().take_while(u8::is_ascii_digit).count();
        &text[at..at + MARK.len() + number]
    })
}

/// Nothing of a private tab is kept, but what the reader wants to be kept: bookmarks.
/// `told`: what the reader has asked for by a bookmark, where they were not in private.
pub fn nothing_private_is_kept(app: &App, effects: &[Effect], told: &mut BTreeSet<String>) -> Held {
    for effect in effects {
        if let Effect::Fetch { request, .. } | Effect::Download { request, .. } = effect
            && !request.private
        {
            let is_bookmarked = app.library.bookmarks.iter().any(|bookmark| bookmark.url == request.url.as_str());
            for mark in private(request.url.as_str()) {
                if is_bookmarked {
                    told.insert(mark.to_owned());
                } else if !told.contains(mark) {
                    return Err(format!("not asked for in private: {}", request.url));
                }
            }
        }
        let kept = match effect {
            Effect::Keep(kept) => !matches!(kept, Kept::Bookmarks(_) | Kept::Setting { .. }),
            // Where nothing has changed the file is only read.
            Effect::SyncNewsrc { ours, base, .. } => ours != base,
            Effect::RuleCookies { .. } => true,
            _ => false,
        };
        if kept && private(&said(effect)).any(|mark| !told.contains(mark)) {
            return Err(format!("{effect:?}"));
        }
    }
    let session = session(app);
    let visits: String = app.library.visits.newest().map(|visit| format!("{} {} ", visit.url, visit.title)).collect();
    let words = format!("{:?}", app.words());
    for (name, text) in [("the session", session), ("the history", visits), ("the words", words)] {
        if private(&text).any(|mark| !told.contains(mark)) {
            return Err(format!("{name} has it: {text}"));
        }
    }
    Ok(())
}

/// What is kept of tabs, what was filled into forms included.
fn session(app: &App) -> String {
    let session = app.session();
    let places = session.tabs.iter().flat_map(|tab| &tab.places);
    let fields = places.flat_map(|place| place.fields.iter().chain(place.asked.iter().flat_map(|asked| &asked.fields)));
    let typed = fields.map(|field| match &field.value {
        KeptValue::Text(text) => text.clone(),
        KeptValue::On(_) => String::new(),
        KeptValue::Chosen(chosen) => chosen.join(" "),
    });
    let typed = typed.collect::<Vec<_>>().join(" ");
    format!("{session:?} {typed}")
}

/// No password in anything that is kept.
pub fn no_password_is_kept(app: &App, effects: &[Effect], secrets: &[Secret]) -> Held {
    let visits: String = app.library.visits.newest().map(|visit| format!("{} {} ", visit.url, visit.title)).collect();
    let mut kept = vec![
        ("the session", session(app)),
        ("the history", visits),
        ("the words", format!("{:?}", app.words())),
        ("the bookmarks", app.library.bookmarks.write()),
        ("the complaints", app.hands.complaints().collect::<Vec<_>>().join(" ")),
        (
            "the downloads",
            app.transfers.downloads.iter().map(|d| format!("{} {} ", d.url.redacted(), d.path)).collect(),
        ),
    ];
    let to_disk = effects.iter().filter(|effect| matches!(effect, Effect::Keep(_) | Effect::SyncNewsrc { .. }));
    kept.extend(to_disk.map(|effect| ("an effect", format!("{effect:?}"))));
    for (name, text) in kept {
        if let Some(secret) = secrets.iter().find(|secret| text.contains(&secret.words)) {
            return Err(format!("{name}: {} in {text}", secret.words));
        }
    }
    Ok(())
}

/// No password on the screen, but in the line where it is typed as a part of an address.
pub fn no_password_is_shown(screen: &str, app: &App, secrets: &[Secret]) -> Held {
    let line = app.hands.line().map(|input| input.value()).unwrap_or_default();
    let hidden = |secret: &&Secret| !secret.shown && (app.hands.is_at_secret() || !line.contains(&secret.words));
    match secrets.iter().filter(hidden).find(|secret| screen.contains(&secret.words)) {
        Some(secret) => Err(format!("{} in\n{screen}", secret.words)),
        None => Ok(()),
    }
}

/// Every screen can be drawn, at any size; gives its text.
pub fn every_screen_can_be_drawn(sim: &Sim, screen: Screen) -> String {
    use ratatui::{Terminal, backend::TestBackend};
    let mut terminal = Terminal::new(TestBackend::new(screen.columns, screen.rows)).unwrap();
    let frame = terminal.draw(|frame| drop(draw(frame, &sim.app, &sim.theme))).unwrap();
    frame.buffer.content.iter().map(|cell| cell.symbol()).collect()
}

/// Focus, first line, place in history and choice in lists are within bounds.
pub fn the_reader_stands_somewhere(app: &App) -> Held {
    let check = |holds: bool, what: &str| if holds { Ok(()) } else { Err(what.to_owned()) };
    check(app.tab_at() < app.tab_count(), "no tab is in view")?;
    check(app.tabs().all(|tab| tab.history.is_empty() || tab.at < tab.history.len()), "beyond the history")?;
    for entry in app.tabs().flat_map(|tab| &tab.history) {
        let Some(document) = entry.document() else { continue };
        let (links, blocks, top) = (document.link_count(), document.blocks().len(), entry.top.block as usize);
        let focus = entry.focus.filter(|link| link.0 >= links);
        check(focus.is_none(), &format!("{}: focus without a link, {focus:?} of {links}", entry.url))?;
        let beyond = format!("{}: the first line is beyond the end, {top} of {blocks}", entry.url);
        check(top == 0 || top < blocks, &beyond)?;
    }
    if let Some(split) = &app.desk.split {
        let there = |id| app.tabs().filter(|tab| tab.id == id).count() == 1;
        check(split.panes[0] != split.panes[1] && split.panes.into_iter().all(there), "a pane without a tab")?;
        let beside = app.beside().map(|sight| sight.tab.id);
        check(beside.is_none_or(|id| id != app.tab.id && split.at(id).is_some()), "a tab beside itself")?;
    }
    for overlay in app.hands.overlays() {
        match overlay {
            Overlay::List { selected, .. } => check(*selected == 0 || *selected < overlay.passing(), "no row")?,
            Overlay::Form(form) => check(form.focus <= form.fields.len(), "no field")?,
            Overlay::Question { choices, .. } => check(!choices.is_empty(), "a question without an answer")?,
            Overlay::Text { .. } => {}
        }
    }
    let _ = status::parts(app.sight());
    Ok(())
}

/// Numbers are given once, in order, and nothing is said to one that was never given.
pub fn numbers_are_given_once(effects: &[Effect], given: &mut u64, asked: &BTreeMap<JobId, Asked>) -> Held {
    for (at, effect) in effects.iter().enumerate() {
        if let Some(id) = number(effect) {
            fresh(id, given, asked, effects, at)?;
        }
        match effect {
            Effect::Verdict { id, .. }
            | Effect::Save { id, .. }
            | Effect::Parse { id, .. }
            | Effect::Enough(id)
            | Effect::Cancel(id) => {
                let now = effects[..at].iter().any(|earlier| number(earlier) == Some(*id));
                if !now && !asked.contains_key(id) {
                    return Err(format!("{effect:?}: this number was never given"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// What is asked for can be fetched, a body is asked for once, and a program has a name.
pub fn what_is_asked_for_makes_sense(effects: &[Effect], asked: &BTreeMap<JobId, Asked>) -> Held {
    for effect in effects {
        let makes_sense = match effect {
            Effect::Fetch { request, .. } => scheme::plan(&request.url).is_ok(),
            Effect::Verdict { id, verdict: Verdict::Accept } => asked.get(id).is_none_or(|asked| !asked.accepted),
            // What is read may be read again in another way.
            Effect::Parse { id, .. } => asked.get(id).is_none_or(|asked| asked.reader.is_some() || !asked.accepted),
            Effect::Run { arguments, .. } => !arguments.is_empty(),
            Effect::Pipe { program, .. } => !program.is_empty(),
            _ => true,
        };
        if !makes_sense {
            return Err(format!("{effect:?}"));
        }
    }
    Ok(())
}

/// The number under which an effect asks for something.
fn number(effect: &Effect) -> Option<JobId> {
    match effect {
        Effect::Fetch { id, .. } | Effect::Download { id, .. } | Effect::Pipe { id, .. } => Some(*id),
        Effect::Read { id, .. } | Effect::Write { id, .. } | Effect::Remove { id, .. } => Some(*id),
        Effect::Prepare { id, .. } | Effect::Date { id, .. } => Some(*id),
        Effect::ReadSettings { id } => Some(*id),
        Effect::Run { id, .. } | Effect::Work { id, .. } => Some(*id),
        _ => None,
    }
}

/// A number may go on under an errand that has become another one, but is not begun twice.
fn fresh(id: JobId, given: &mut u64, asked: &BTreeMap<JobId, Asked>, effects: &[Effect], at: usize) -> Held {
    let twice = effects[..at].iter().any(|earlier| number(earlier) == Some(id));
    let known = asked.get(&id).is_some_and(|asked| !asked.is_over);
    *given = (*given).max(id.0);
    if twice || known { Err(format!("{:?}: given twice", effects[at])) } else { Ok(()) }
}
