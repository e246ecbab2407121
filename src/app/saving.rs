//! Bodies and texts that go into files: names, progress, files that exist already.

use super::asking::ask;
use super::opening::{self, Aim, Opening};
use super::outside::{self, Target};
use super::question::{self, choice};
use super::{App, Download, DownloadState, Effect, FetchId, Overlay, Pending, PromptKind, Transfer, focus, lists};
use crate::doc::{Anchor, Document, Layout, Marks, Wrap, sanitise};
use crate::format::media;
use crate::proto::{FetchEvent, Head, Verdict};
use crate::url::{Url, escape};
use std::borrow::Cow;
use std::time::Duration;

/// Octets of a suggested file name.
const NAME: usize = 120;
/// Columns of a page saved as text.
const COLUMNS: u16 = 80;

/// What an open prompt's answer is for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Purpose {
    /// Words for a search.
    Search(Opening),
    /// A name for a body.
    Body(FetchId),
    /// A name for a text.
    Text(Vec<u8>),
    /// A program.
    Program(Target),
}

/// A fetch that will go into a file and lacks its head or its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Waiting {
    /// Its number.
    pub id: FetchId,
    /// From where.
    pub url: Url,
    /// Its head, when it has come.
    pub head: Option<Head>,
    /// The name, when it is given.
    pub path: Option<String>,
}

/// The link under focus, into a file.
pub(super) fn download(app: &mut App, _: &str) -> Vec<Effect> {
    match focus::target(app) {
        Some(url) => opening::go(app, Opening { aim: Aim::File, ..Opening::followed(url) }),
        None => Vec::new(),
    }
}

/// A fetch for a file has begun: the name is asked for while the server thinks.
pub(super) fn expect(app: &mut App, id: FetchId, url: Url, named: Option<String>) -> Vec<Effect> {
    let path = format!("{}/{}", app.settings.downloads, name(&url, None));
    app.waiting.push(Waiting { id, url, head: None, path: named.clone() });
    if named.is_some() {
        return Vec::new();
    }
    ask_name(app, Purpose::Body(id), &path);
    Vec::new()
}

/// The body that a question was about goes into a file.
pub(super) fn keep(app: &mut App, id: FetchId) -> Vec<Effect> {
    if let Some((url, head)) = take_loading(app, id) {
        let path = format!("{}/{}", app.settings.downloads, name(&url, Some(&head)));
        app.waiting.push(Waiting { id, url, head: Some(head), path: None });
        ask_name(app, Purpose::Body(id), &path);
    }
    Vec::new()
}

/// The body that a question was about goes into a file that the reader need not name.
pub(super) fn keep_aside(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some((url, head)) = take_loading(app, id) else { return Vec::new() };
    // Each in a folder of its own, so that nothing has to be asked when one is opened twice.
    let path = format!("{}/{}/{}", app.choices.scratch, id.0, name(&url, Some(&head)));
    app.waiting.push(Waiting { id, url, head: Some(head), path: Some(path) });
    proceed(app, id)
}

fn take_loading(app: &mut App, id: FetchId) -> Option<(Url, Head)> {
    let loading = app.loading.take_if(|loading| loading.id == id)?;
    let url = app.opening.take().map_or_else(|| loading.request.url.clone(), |opening| opening.public().clone());
    Some((url, loading.head?))
}

pub(super) fn ask_name(app: &mut App, purpose: Purpose, path: &str) {
    let about = match &purpose {
        Purpose::Body(id) => app.waiting.iter().find(|w| w.id == *id).map(|w| w.url.clone()),
        _ => app.entry().map(|entry| entry.url.clone()),
    };
    app.purpose = Some(purpose);
    ask(app, PromptKind::Save, "save as", path, about);
}

/// The name is given.
pub(super) fn named(app: &mut App, path: &str) -> Vec<Effect> {
    let path = path.trim();
    match app.purpose.take() {
        _ if path.is_empty() => {
            app.complain("a file needs a name");
            Vec::new()
        }
        Some(Purpose::Body(id)) => {
            if let Some(waiting) = app.waiting.iter_mut().find(|w| w.id == id) {
                waiting.path = Some(path.into());
                return proceed(app, id);
            }
            let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
            download.path = path.into();
            vec![Effect::Save { id, path: path.into(), replace: false }]
        }
        Some(Purpose::Text(content)) => {
            app.writing = Some((path.into(), content.clone()));
            vec![Effect::Write { path: path.into(), content, replace: false }]
        }
        _ => Vec::new(),
    }
}

/// The prompt was closed without a name or a program.
pub(super) fn dismissed(app: &mut App) -> Vec<Effect> {
    match app.purpose.take() {
        Some(Purpose::Body(id) | Purpose::Program(Target::Body(id, _))) => refuse(app, id),
        _ => Vec::new(),
    }
}

/// The body goes into its file as soon as head and name are known.
fn proceed(app: &mut App, id: FetchId) -> Vec<Effect> {
    let ready = |w: &Waiting| w.id == id && w.head.is_some() && w.path.is_some();
    let Some(at) = app.waiting.iter().position(ready) else { return Vec::new() };
    let Waiting { url, head, path, .. } = app.waiting.remove(at);
    let path = path.unwrap_or_default();
    app.downloads.push(Download {
        id,
        url,
        path: path.clone(),
        received: 0,
        length: head.and_then(|head| head.length),
        elapsed: Duration::ZERO,
        state: DownloadState::Running,
    });
    vec![Effect::Save { id, path, replace: false }]
}

/// The body is not wanted.
pub(super) fn refuse(app: &mut App, id: FetchId) -> Vec<Effect> {
    app.afterwards.remove(&id);
    if let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) {
        download.state = DownloadState::Cancelled;
        return vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
    }
    if let Some(at) = app.waiting.iter().position(|w| w.id == id) {
        return match app.waiting.remove(at).head {
            Some(_) => vec![Effect::Verdict { id, verdict: Verdict::Refuse }],
            None => vec![Effect::Cancel(id)],
        };
    }
    super::arrival::refuse_body(app, id)
}

/// Ends a download that runs; what came stays where the shell keeps unfinished files.
pub(super) fn stop(app: &mut App, id: FetchId) -> Vec<Effect> {
    let running = |d: &&mut Download| d.id == id && d.state == DownloadState::Running;
    let Some(download) = app.downloads.iter_mut().find(running) else { return Vec::new() };
    download.state = DownloadState::Cancelled;
    app.afterwards.remove(&id);
    lists::refresh_downloads(app);
    vec![Effect::Cancel(id)]
}

/// What a fetch for a file says before its body.
pub(super) fn event(app: &mut App, id: FetchId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Head(head) => {
            if let Some(waiting) = app.waiting.iter_mut().find(|w| w.id == id) {
                waiting.head = Some(*head);
            }
            proceed(app, id)
        }
        FetchEvent::Failed(error) => failed(app, id, elapsed, error.detail),
        FetchEvent::Stage(_)
        | FetchEvent::Body(_)
        | FetchEvent::End(_)
        | FetchEvent::Moved(_)
        | FetchEvent::Unchanged => Vec::new(),
    }
}

fn failed(app: &mut App, id: FetchId, elapsed: Duration, sentence: String) -> Vec<Effect> {
    app.afterwards.remove(&id);
    if app.waiting.iter().any(|w| w.id == id) {
        app.waiting.retain(|w| w.id != id);
        if app.purpose == Some(Purpose::Body(id)) {
            (app.purpose, app.prompt) = (None, None);
        }
    }
    if let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) {
        (download.elapsed, download.state) = (elapsed, DownloadState::Failed(sentence.clone()));
    }
    app.complain(format!("download: {sentence}"));
    Vec::new()
}

/// How far a body has come on its way into a file.
pub(super) fn transfer(app: &mut App, id: FetchId, elapsed: Duration, transfer: Transfer) -> Vec<Effect> {
    let running = |d: &&mut Download| d.id == id && d.state == DownloadState::Running;
    let Some(download) = app.downloads.iter_mut().find(running) else { return Vec::new() };
    download.elapsed = elapsed;
    let effects = match transfer {
        Transfer::Progress(octets) => {
            download.received = octets;
            Vec::new()
        }
        Transfer::Done(path, remark) => done(app, id, path, remark),
        Transfer::Exists(path) => {
            let question = exists(&path, Pending::Replace(id, path.clone()));
            question::raise(app, question);
            Vec::new()
        }
        Transfer::Failed(sentence) => failed(app, id, elapsed, sentence),
    };
    lists::refresh_downloads(app);
    effects
}

fn done(app: &mut App, id: FetchId, path: String, remark: Option<String>) -> Vec<Effect> {
    let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
    download.path.clone_from(&path);
    download.state = remark.clone().map_or(DownloadState::Done, DownloadState::Cut);
    match remark {
        Some(remark) => app.complain(format!("{path}: {remark}")),
        None => app.say(format!("saved {path}")),
    }
    if let Some(program) = app.afterwards.remove(&id) {
        outside::arrived(app, path, &program);
    }
    Vec::new()
}

fn exists(path: &str, pending: Pending) -> Overlay {
    Overlay::Question {
        text: vec!["There is a file of this name already:".into(), path.into()],
        choices: vec![choice('r', "replace it"), choice('n', "another name"), choice('c', "cancel")],
        pending,
    }
}

/// A text was written, or not.
pub(super) fn wrote(app: &mut App, result: Result<String, Transfer>) -> Vec<Effect> {
    let writing = app.writing.take();
    match (result, writing) {
        (Ok(path), _) => app.say(format!("saved {path}")),
        (Err(Transfer::Exists(found)), Some((path, content))) => {
            question::raise(app, exists(&found, Pending::Overwrite(path, content)));
        }
        (Err(Transfer::Failed(sentence)), _) => app.complain(sentence),
        (Err(_), _) => {}
    }
    Vec::new()
}

/// `save`: text pages exactly as received, others as they read. `save source`, `save text` choose.
pub(super) fn save(app: &mut App, what: &str) -> Vec<Effect> {
    let Some(entry) = app.entry() else { return Vec::new() };
    let Some(page) = &entry.page else { return Vec::new() };
    let as_received = what.trim() == "source" || what.trim().is_empty() && page.head.media == media::PLAIN;
    let content = match (&page.source, as_received) {
        (Some(source), true) => source.clone(),
        (None, true) => {
            let url = entry.url.clone();
            return opening::go(
                app,
                Opening { aim: Aim::File, consent: opening::Consent::Agreed, ..Opening::followed(url) },
            );
        }
        (_, false) => text_of(page.document()).into_bytes(),
    };
    let mut name = name(&entry.url, Some(&page.head));
    if !as_received && !name.ends_with(".txt") {
        name.push_str(".txt");
    }
    let path = format!("{}/{name}", app.settings.downloads);
    ask_name(app, Purpose::Text(content), &path);
    Vec::new()
}

/// A document as it reads on paper.
fn text_of(document: &Document) -> String {
    let layout = Layout { width: COLUMNS, wrap: Wrap::On, marks: Marks::Words };
    let mut text = String::new();
    for line in layout.lines(document, Anchor::default(), usize::MAX) {
        let start = text.len();
        line.segments.iter().for_each(|segment| text.push_str(&segment.text));
        text.truncate(text.trim_end().len().max(start));
        text.push('\n');
    }
    text
}

/// A name for a file: the server's, else the last of the path, else the host; one component that hides nothing and leads
/// nowhere (UX, security rule 9).
pub(super) fn name(url: &Url, head: Option<&Head>) -> String {
    let given = head.and_then(|head| head.filename.clone()).filter(|name| !name.is_empty());
    let path = String::from_utf8_lossy(&escape::decode(url.path())).into_owned();
    let last = path.split('\t').next().unwrap_or_default().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    // A selector without slash stands right behind the type character.
    let gopher = url.is("gopher") || url.is("gophers");
    let last = if gopher && url.path().matches('/').count() == 1 { last.get(1..).unwrap_or_default() } else { last };
    let name = safe(given.as_deref().unwrap_or(last));
    match name.is_empty() {
        false => name,
        true => Some(safe(url.host().unwrap_or_default())).filter(|host| !host.is_empty()).unwrap_or("page".into()),
    }
}

fn safe(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shows = |c: &char| !c.is_control() && matches!(sanitise(c.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
    let name: String = name.chars().filter(shows).map(|c| if c == ':' { '_' } else { c }).collect();
    let mut name = name.trim_start_matches(['.', '-', ' ', '~']).trim_end().to_owned();
    name.truncate(name.floor_char_boundary(NAME));
    name
}

/// The next free-looking name: `a.txt` → `a-2.txt` → `a-3.txt`.
pub(super) fn another(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
    let (stem, suffix) = match file.find('.') {
        Some(dot) if dot > 0 => file.split_at(dot),
        _ => (file, ""),
    };
    let (stem, number) = match stem.rsplit_once('-') {
        Some((before, n)) if n.parse::<u32>().is_ok_and(|n| n < 1000) => (before, n.parse().unwrap_or(1) + 1),
        _ => (stem, 2_u32),
    };
    let slash = if folder.is_empty() && !path.starts_with('/') { "" } else { "/" };
    format!("{folder}{slash}{stem}-{number}{suffix}")
}

/// Whether files are still on their way.
pub(super) fn open_work(app: &App) -> usize {
    app.downloads.iter().filter(|d| d.state == DownloadState::Running).count() + app.waiting.len()
}
