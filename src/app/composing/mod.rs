//! Articles and mails that the reader writes: a draft in a file, the reader's editor, a last look, POST (NNTP-06).
//!
//! The draft's file is written first and removed last: whatever fails on the way, the text is still there. Mails go to the
//! mail program that the settings name; without one they stay drafts. `begin` writes drafts, `page` is the last look.

mod begin;
pub(super) mod page;

pub(super) use begin::{followup, mail, post, reply_mail};

use super::opening::Opening;
use super::{App, Effect, FetchId, ListItem, ListKind, Transfer, lists, login, news, question, saving};
use crate::format::{charset, media};
use crate::news::{Draft, references};
use crate::proto::{self, Content, FetchError, FetchEvent, Kind, Request, Verdict};
use crate::url::Url;
use crate::url::scheme::news as news_url;

/// How the program is known to readers of articles.
const AGENT: &str = concat!("Wayfarer/", env!("CARGO_PKG_VERSION"));

/// A draft on its way.
#[derive(Debug)]
pub(super) struct Composing {
    stage: Stage,
    /// Its file.
    path: String,
    /// As it was before the reader wrote anything; empty for one that was taken up again.
    fresh: Vec<u8>,
    /// As the editor left it.
    pub draft: Draft,
    /// Whether the server was reached since it was sent last.
    offered: bool,
    /// What the server said to it.
    said: Vec<u8>,
}

impl Composing {
    fn new(stage: Stage, path: String) -> Composing {
        Composing { stage, path, fresh: Vec::new(), draft: Draft::default(), offered: false, said: Vec::new() }
    }
}

/// Octets of the server's word on an article.
const SAID: usize = 16 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Its file is being written.
    Writing,
    /// The editor has the terminal.
    Editing,
    /// Its file is being read.
    Reading,
    /// The names of all drafts are being read.
    Listing,
    /// The reader looks it over.
    Shown,
    /// It is being sent.
    Sending(FetchId),
    /// The server wants to know who the reader is.
    Login,
}

fn is_at(app: &App, holds: impl Fn(Stage) -> bool) -> bool {
    app.composing.as_ref().is_some_and(|composing| holds(composing.stage))
}

pub(super) fn is_writing(app: &App) -> bool {
    is_at(app, |stage| stage == Stage::Writing) && app.writing.is_none()
}

pub(super) fn is_editing(app: &App) -> bool {
    is_at(app, |stage| stage == Stage::Editing)
}

pub(super) fn is_reading(app: &App) -> bool {
    is_at(app, |stage| matches!(stage, Stage::Reading | Stage::Listing))
}

pub(super) fn is_sending(app: &App, id: FetchId) -> bool {
    is_at(app, |stage| stage == Stage::Sending(id))
}

/// Whether something is being sent.
pub(super) fn is_under_way(app: &App) -> bool {
    is_at(app, |stage| matches!(stage, Stage::Sending(_)))
}

fn at_stage(app: &mut App, stage: Stage) {
    if let Some(composing) = &mut app.composing {
        composing.stage = stage;
    }
}

/// Writes a draft's file; the editor follows.
fn take(app: &mut App, about: &str, text: String) -> Vec<Effect> {
    if app.composing.is_some() || app.writing.is_some() {
        app.complain("another text is still on its way; try again when it has arrived");
        return Vec::new();
    }
    let path = format!("{}/{}.txt", app.choices.drafts, file_name(about));
    let content = text.into_bytes();
    app.composing = Some(Composing { fresh: content.clone(), ..Composing::new(Stage::Writing, path.clone()) });
    vec![Effect::Write { path, content: Some(content), replace: false }]
}

/// The draft has served.
fn gone(path: String) -> Effect {
    Effect::Write { path, content: None, replace: true }
}

/// Letters and digits of a subject.
fn file_name(about: &str) -> String {
    const LETTERS: usize = 40;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = about.chars().map(plain).take(LETTERS).collect();
    let name = words.split_whitespace().collect::<Vec<_>>().join("-");
    if name.is_empty() { "draft".into() } else { name }
}

/// The draft's file is there, or not.
pub(super) fn wrote(app: &mut App, result: Result<String, Transfer>) -> Vec<Effect> {
    let Some(composing) = &mut app.composing else { return Vec::new() };
    match result {
        Ok(path) => {
            composing.path = path;
            edit(app)
        }
        Err(Transfer::Exists(_)) => {
            composing.path = saving::another(&composing.path);
            let (path, content) = (composing.path.clone(), Some(composing.fresh.clone()));
            vec![Effect::Write { path, content, replace: false }]
        }
        Err(Transfer::Failed(sentence)) => {
            app.composing = None;
            app.complain(sentence);
            Vec::new()
        }
        // What only a fetch says.
        Err(_) => Vec::new(),
    }
}

/// The reader's editor on the draft.
pub(super) fn edit(app: &mut App) -> Vec<Effect> {
    at_stage(app, Stage::Editing);
    let path = app.composing.as_ref().map(|composing| composing.path.clone()).unwrap_or_default();
    vec![Effect::Run(app.choices.editor_on(path))]
}

/// The editor has ended.
pub(super) fn edited(app: &mut App, result: Result<(), String>) -> Vec<Effect> {
    match result {
        Ok(()) => {
            at_stage(app, Stage::Reading);
            let path = app.composing.as_ref().map(|composing| Effect::Read(composing.path.clone()));
            path.into_iter().chain([Effect::Redraw]).collect()
        }
        Err(sentence) => {
            put_away(app, &sentence);
            vec![Effect::Redraw]
        }
    }
}

/// The draft at hand stays in its file, and the reader knows why and where.
fn put_away(app: &mut App, why: &str) {
    let Some(composing) = app.composing.take() else { return };
    let overlay = page::kept(why, &composing.path, app.key_for("drafts"));
    question::raise(app, overlay);
}

/// What the editor left has been read, or the names of all drafts.
pub(super) fn read(app: &mut App, content: Result<Vec<u8>, String>) -> Vec<Effect> {
    let listing = is_at(app, |stage| stage == Stage::Listing);
    match content {
        Ok(names) if listing => list(app, &names),
        // A folder that is not there holds no drafts.
        Err(_) if listing => list(app, b""),
        Ok(octets) => look(app, octets),
        Err(sentence) => {
            app.composing = None;
            app.complain(sentence);
            Vec::new()
        }
    }
}

fn look(app: &mut App, octets: Vec<u8>) -> Vec<Effect> {
    let Some(composing) = &mut app.composing else { return Vec::new() };
    let empty = octets.trim_ascii().is_empty();
    if octets == composing.fresh || empty {
        let path = composing.path.clone();
        app.composing = None;
        app.say(if empty { "the draft is empty: nothing is sent" } else { "nothing was written: nothing is sent" });
        return vec![gone(path)];
    }
    let text = match String::from_utf8(octets) {
        Ok(text) => text,
        // An editor in the locale of another time.
        Err(error) => charset::known("windows-1252")
            .map(|charset| charset.decode(error.as_bytes()).into_owned())
            .unwrap_or_default(),
    };
    composing.draft = Draft::read(&text);
    if composing.draft.is_mail() {
        put_away(app, "No mail program is named under [handlers], so the mail is not sent.");
        return Vec::new();
    }
    let remarks = composing.draft.mistakes();
    show(app, &remarks);
    Vec::new()
}

/// The last look.
fn show(app: &mut App, remarks: &[String]) {
    at_stage(app, Stage::Shown);
    let Some(composing) = &app.composing else { return };
    let flowed = app.settings.news.posting.flowed;
    let overlay = page::page(&composing.draft, &composing.path, remarks, AGENT, flowed);
    question::raise(app, overlay);
}

/// `s`: off it goes.
pub(super) fn send(app: &mut App) -> Vec<Effect> {
    let Some(composing) = &app.composing else { return Vec::new() };
    if let Some(mistake) = composing.draft.mistakes().into_iter().next() {
        app.complain(format!("not sent: {mistake}"));
        return Vec::new();
    }
    let url = match place(&composing.draft) {
        Ok(url) => url,
        Err(sentence) => {
            app.complain(format!("not sent: {sentence}"));
            return Vec::new();
        }
    };
    let octets = composing.draft.article(AGENT, app.settings.news.posting.flowed);
    page::close(app);
    let id = app.fresh();
    at_stage(app, Stage::Sending(id));
    if let Some(composing) = &mut app.composing {
        (composing.offered, composing.said) = (false, Vec::new());
    }
    app.say(format!("posting to {}", url.redacted()));
    let body = Some(Content { media: media::MESSAGE.into(), octets });
    let request = Request { body, login: login::of(app, &url), private: app.tab.private, ..Request::new(url) };
    vec![Effect::Fetch { id, request }]
}

/// The URL that takes it: its first group, on the server that it names.
fn place(draft: &Draft) -> Result<Url, String> {
    let group = draft.groups().first().copied().unwrap_or_default();
    let own = news_url::group_url(group.as_bytes()).map_err(|error| error.to_string())?;
    let Some(server) = draft.server() else { return Ok(own) };
    let url = Url::parse(format!("{}/{}", server.trim_end_matches('/'), own.path())).map_err(|error| error.to_string());
    let wanted = |url: &Url| (url.is("nntp") || url.is("nntps")) && url.host().is_some_and(|host| !host.is_empty());
    url.ok().filter(wanted).ok_or_else(|| "Server is to be written as nntp://news.example.org or nntps://…".into())
}

/// Esc while it is being sent.
pub(super) fn stop(app: &mut App) -> Option<Vec<Effect>> {
    let composing = app.composing.as_ref()?;
    let Stage::Sending(id) = composing.stage else { return None };
    let words = match composing.offered {
        true => "Stopped, but the server may have the article already: look into the group before you post it again.",
        false => "Stopped before the server was reached: nothing was posted.",
    };
    put_away(app, words);
    Some(vec![Effect::Cancel(id)])
}

/// What the server says.
pub(super) fn event(app: &mut App, event: FetchEvent) -> Vec<Effect> {
    let Some(Stage::Sending(id)) = app.composing.as_ref().map(|composing| composing.stage) else { return Vec::new() };
    match event {
        FetchEvent::Head(_) => vec![Effect::Verdict { id, verdict: Verdict::Accept }],
        FetchEvent::End(_) => posted(app),
        FetchEvent::Failed(error) => refused(app, error),
        FetchEvent::Stage(stage) => {
            if let Some(composing) = &mut app.composing {
                composing.offered |= stage == proto::Stage::Waiting;
            }
            Vec::new()
        }
        FetchEvent::Body(octets) => {
            if let Some(composing) = app.composing.as_mut().filter(|composing| composing.said.len() < SAID) {
                composing.said.extend(octets);
            }
            Vec::new()
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => Vec::new(),
    }
}

fn posted(app: &mut App) -> Vec<Effect> {
    let Some(composing) = app.composing.take() else { return Vec::new() };
    app.say(format!("posted to {}", composing.draft.groups().join(", ")));
    if let Ok(url) = place(&composing.draft) {
        // Most servers say by which id they took it.
        let id = references(&composing.said).find(|id| id.contains(&b'@')).map(<[u8]>::to_vec);
        news::posted(app, &url, &composing.draft.groups(), id);
    }
    vec![gone(composing.path)]
}

/// The article is shown again, with the server's words over it.
fn refused(app: &mut App, error: FetchError) -> Vec<Effect> {
    let url = app.composing.as_ref().and_then(|composing| place(&composing.draft).ok());
    if let Some(url) = url.filter(|_| error.kind == Kind::NeedsLogin) {
        at_stage(app, Stage::Login);
        app.complain(error.detail);
        login::ask(app, Opening::followed(url), &[]);
        return Vec::new();
    }
    let mut remarks = vec![error.detail];
    remarks.extend(error.hint);
    show(app, &remarks);
    Vec::new()
}

/// The reader has said who they are: it is sent again. `None` when no draft waited for that.
pub(super) fn logged_in(app: &mut App) -> Option<Vec<Effect>> {
    is_at(app, |stage| stage == Stage::Login).then(|| send(app))
}

/// The reader does not want to say who they are.
pub(super) fn no_login(app: &mut App) {
    if is_at(app, |stage| stage == Stage::Login) {
        put_away(app, "The server takes articles only from those it knows.");
    }
}

/// `p` and Esc: for later.
pub(super) fn keep(app: &mut App) -> Vec<Effect> {
    page::close(app);
    if let Some(composing) = app.composing.take() {
        let key = app.key_for("drafts").map(|key| format!(" ({key} takes it up again)")).unwrap_or_default();
        app.say(format!("The draft is kept{key}: {}", composing.path));
    }
    Vec::new()
}

/// The reader does not want it any more.
pub(super) fn discard(app: &mut App) -> Vec<Effect> {
    page::close(app);
    app.say("the draft is thrown away");
    app.composing.take().map(|composing| gone(composing.path)).into_iter().collect()
}

/// `drafts`: what is kept.
pub(super) fn drafts(app: &mut App, _: &str) -> Vec<Effect> {
    if app.composing.is_some() {
        app.complain("another text is still on its way; try again when it has arrived");
        return Vec::new();
    }
    let path = app.choices.drafts.clone();
    app.composing = Some(Composing::new(Stage::Listing, path.clone()));
    vec![Effect::Read(path)]
}

fn list(app: &mut App, names: &[u8]) -> Vec<Effect> {
    app.composing = None;
    let names = String::from_utf8_lossy(names);
    let names = names.lines().filter(|name| name.ends_with(".txt"));
    let row = |(i, name): (usize, &str)| ListItem { text: name.into(), detail: String::new(), key: i as u32 };
    let items: Vec<ListItem> = names.enumerate().map(row).collect();
    if items.is_empty() {
        app.say("no drafts");
        return Vec::new();
    }
    lists::open(app, ListKind::Drafts, "Drafts", items, 0)
}

/// A draft of the list.
pub(super) fn take_up(app: &mut App, name: &str) -> Vec<Effect> {
    let path = format!("{}/{name}", app.choices.drafts);
    app.composing = Some(Composing::new(Stage::Editing, path));
    edit(app)
}
