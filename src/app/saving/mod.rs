//! Bodies and texts that go into files: names, turns, progress, files that exist already.

mod download;
mod kept;
mod name;
mod place;
mod queue;
mod redirect;
mod retry;
mod text;

pub use download::{Download, DownloadState, Pace};
pub use kept::{KeptDownload, Standing};
pub(super) use kept::{forget_those, keep as keep_for_later, remove as forget};
pub(super) use name::{another, name, safe};
pub(super) use queue::{add as add_to_queue, start};
pub(super) use retry::{act_on, resume, stop};
pub(super) use text::{save, text_of, wrote};

use super::asking::ask;
use super::harvest;
use super::opening::{self, Aim, Opening};
use super::outside::{self, Target};
use super::question::{self, choice};
use super::{App, Beginning, Effect, Existing, FetchId, Overlay, Pending, PromptKind, Transfer, focus, lists};
use crate::format::human;
use crate::proto::{FetchEvent, Head, Request, Verdict};
use crate::url::Url;
use download::Call;
use std::time::Duration;

/// What an open prompt's answer is for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Purpose {
    /// Words for a search.
    Search(Box<Opening>),
    /// A name for a body.
    Body(FetchId),
    /// A name for a body whose turn has not come.
    Later(Box<(Url, Request)>),
    /// A name for a text.
    Text(Vec<u8>),
    /// A program.
    Program(Target),
    /// A program for a text.
    Pipe(Vec<u8>),
    /// What stands in a field of the page, by its number.
    Field(usize),
    /// A link for a new tab.
    NewTab,
}

/// A fetch that will go into a file and lacks its head or its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Waiting {
    /// Its number.
    pub id: FetchId,
    /// From where, as it may be shown and kept.
    pub url: Url,
    /// What is fetched.
    pub request: Request,
    /// Its head, when it has come.
    pub head: Option<Head>,
    /// The name, when it is given.
    pub path: Option<String>,
    /// Redirects followed so far.
    pub hops: u8,
}

/// The link under focus, into a file.
pub(super) fn download(app: &mut App, _: &str) -> Vec<Effect> {
    match focus::target(app) {
        // A listing in a file is of no use to anybody; the plan comes first.
        Some(url) if harvest::is_directory(&url) => harvest::download_tree(app, ""),
        Some(url) => opening::go(app, Opening { aim: Aim::File, ..Opening::followed(url) }),
        None => Vec::new(),
    }
}

/// Something goes into a file: the name is asked for while the server thinks, or while others have their turn.
pub(super) fn expect(app: &mut App, id: FetchId, opening: Opening, request: Request) -> Vec<Effect> {
    let url = opening.public().clone();
    // what is here already has told its name
    let head = request
        .held
        .as_deref()
        .map(|held| Head { filename: held.filename.clone(), ..Head::new(url.clone(), held.media.clone()) });
    if queue::has_room(app, &request.url) {
        let fetch = Effect::Fetch { id, request: request.clone() };
        let named = opening.path.is_some();
        let hops = opening.hops.len() as u8;
        app.waiting.push(Waiting { id, url: url.clone(), request, head: None, path: opening.path, hops });
        if !named {
            let path = proposed(app, &url, head.as_ref());
            ask_name(app, Purpose::Body(id), &path);
        }
        return vec![fetch];
    }
    match opening.path {
        Some(path) => queue::add(app, url, request, path),
        None => {
            let path = proposed(app, &url, head.as_ref());
            ask_name(app, Purpose::Later(Box::new((url, request))), &path);
        }
    }
    Vec::new()
}

/// A path for a file that no other download is on its way to.
fn proposed(app: &App, url: &Url, head: Option<&Head>) -> String {
    let mut path = format!("{}/{}", app.settings.downloads, name(url, head));
    let taken = |path: &str| {
        let named = app.waiting.iter().filter_map(|waiting| waiting.path.as_deref());
        let open = app.downloads.iter().filter(|download| download.state.is_open());
        named.chain(open.map(|download| download.path.as_str())).any(|other| other == path)
    };
    while taken(&path) {
        path = another(&path);
    }
    path
}

/// The body that a question was about goes into a file.
pub(super) fn keep(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some((url, request, head)) = take_loading(app, id) else { return Vec::new() };
    let path = proposed(app, &url, Some(&head));
    // What answers a form is not asked for a second time.
    if request.body.is_none() && !queue::has_room(app, &request.url) {
        ask_name(app, Purpose::Later(Box::new((url, request))), &path);
        return vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
    }
    app.waiting.push(Waiting { id, url, request, head: Some(head), path: None, hops: 0 });
    ask_name(app, Purpose::Body(id), &path);
    Vec::new()
}

/// The body that a question was about goes into a file that the reader need not name.
pub(super) fn keep_aside(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some((url, request, head)) = take_loading(app, id) else { return Vec::new() };
    // Each in a folder of its own, so that nothing has to be asked when one is opened twice.
    let path = format!("{}/{}/{}", app.choices.scratch, id.0, name(&url, Some(&head)));
    app.waiting.push(Waiting { id, url, request, head: Some(head), path: Some(path), hops: 0 });
    proceed(app, id)
}

fn take_loading(app: &mut App, id: FetchId) -> Option<(Url, Request, Head)> {
    let loading = app.tab.loading.take_if(|loading| loading.id == id)?;
    let url = app.tab.opening.take().map_or_else(|| loading.request.url.clone(), |opening| opening.public().clone());
    Some((url, loading.request, loading.head?))
}

pub(super) fn ask_name(app: &mut App, purpose: Purpose, path: &str) {
    let about = match &purpose {
        Purpose::Body(id) => app.waiting.iter().find(|w| w.id == *id).map(|w| w.url.clone()),
        Purpose::Later(later) => Some(later.0.clone()),
        _ => app.entry().map(|entry| entry.url.clone()),
    };
    app.purpose = Some(purpose);
    ask(app, PromptKind::Save, "save as", path, about);
}

/// The name is given.
pub(super) fn named(app: &mut App, path: &str) -> Vec<Effect> {
    let path = path.trim();
    match app.purpose.take() {
        purpose if path.is_empty() => {
            app.purpose = purpose;
            let effects = dismissed(app);
            app.complain("a file needs a name");
            effects
        }
        Some(Purpose::Body(id)) => {
            if let Some(waiting) = app.waiting.iter_mut().find(|w| w.id == id) {
                waiting.path = Some(path.into());
                return proceed(app, id);
            }
            let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
            download.path = path.into();
            again(download)
        }
        Some(Purpose::Later(later)) => {
            queue::add(app, later.0, later.1, path.into());
            app.say(format!("{path} waits for its turn"));
            Vec::new()
        }
        Some(Purpose::Text(content)) => {
            app.writing = Some((path.into(), content.clone()));
            vec![Effect::Write { path: path.into(), content: Some(content), replace: false }]
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
    let Waiting { url, request, head, path, .. } = app.waiting.remove(at);
    queue::add(app, url, request, path.unwrap_or_default());
    let Some(download) = app.downloads.last_mut() else { return Vec::new() };
    (download.id, download.call, download.state) = (id, Call::Open, DownloadState::Running);
    if let Some(head) = head {
        download.answered(&head);
    }
    again(download)
}

/// A download's file may be opened, again or for the first time.
fn again(download: &mut Download) -> Vec<Effect> {
    match download.call {
        Call::Open => vec![Effect::Save { id: download.id, into: queue::destination(download) }],
        Call::Bound => {
            download.state = DownloadState::Queued;
            Vec::new()
        }
    }
}

impl Download {
    /// Its head has come.
    fn answered(&mut self, head: &Head) {
        self.length = head.length;
        self.resumes = Some(head.validator.is_some());
    }
}

/// The file of a download's name may be replaced.
pub(super) fn replace(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
    download.existing = Existing::Replace;
    again(download)
}

/// The body is not wanted.
pub(super) fn refuse(app: &mut App, id: FetchId) -> Vec<Effect> {
    app.afterwards.remove(&id);
    if let Some(download) = app.downloads.iter_mut().find(|d| d.id == id) {
        let open = download.state == DownloadState::Running;
        download.state = DownloadState::Cancelled;
        return if open { vec![Effect::Verdict { id, verdict: Verdict::Refuse }] } else { Vec::new() };
    }
    if let Some(at) = app.waiting.iter().position(|w| w.id == id) {
        return match app.waiting.remove(at).head {
            Some(_) => vec![Effect::Verdict { id, verdict: Verdict::Refuse }],
            None => vec![Effect::Cancel(id)],
        };
    }
    super::arrival::refuse_body(app, id)
}

/// What a fetch for a file says before its body.
pub(super) fn event(app: &mut App, id: FetchId, elapsed: Duration, event: FetchEvent) -> Vec<Effect> {
    match event {
        FetchEvent::Head(head) => {
            if let Some(download) = running(app, id) {
                download.answered(&head);
            }
            if let Some(waiting) = app.waiting.iter_mut().find(|w| w.id == id) {
                waiting.head = Some(*head);
            }
            proceed(app, id)
        }
        FetchEvent::Failed(error) => failed(app, id, elapsed, error.detail),
        FetchEvent::Moved(moved) => redirect::moved(app, id, elapsed, &moved),
        FetchEvent::Stage(_) | FetchEvent::Body(_) | FetchEvent::End(_) | FetchEvent::Unchanged => Vec::new(),
    }
}

/// The download that runs under a number.
fn running(app: &mut App, id: FetchId) -> Option<&mut Download> {
    app.downloads.iter_mut().find(|d| d.id == id && d.state == DownloadState::Running)
}

fn failed(app: &mut App, id: FetchId, elapsed: Duration, sentence: String) -> Vec<Effect> {
    app.afterwards.remove(&id);
    if app.waiting.iter().any(|w| w.id == id) {
        app.waiting.retain(|w| w.id != id);
        if app.purpose == Some(Purpose::Body(id)) {
            (app.purpose, app.prompt) = (None, None);
        }
    } else if let Some(download) = running(app, id) {
        (download.elapsed, download.state) = (elapsed, DownloadState::Failed(sentence.clone()));
        lists::refresh_downloads(app);
    } else {
        return Vec::new();
    }
    app.complain(format!("download: {sentence}"));
    Vec::new()
}

/// How far a body has come on its way into a file.
pub(super) fn transfer(app: &mut App, id: FetchId, elapsed: Duration, transfer: Transfer) -> Vec<Effect> {
    if harvest::owns(app, id) {
        return harvest::tree_transfer(app, id, elapsed, transfer);
    }
    let Some(download) = running(app, id) else { return Vec::new() };
    download.elapsed = elapsed;
    let mut effects = Vec::new();
    match transfer {
        Transfer::Partial => effects = go_on(app, id),
        Transfer::Begun(from, remark) => begun(app, id, elapsed, from, remark),
        Transfer::Progress(octets) => download.advance(elapsed, octets),
        Transfer::Done(path, remark) => done(app, id, path, remark),
        Transfer::Present(path) => done(app, id, path, None),
        Transfer::Exists(path) => {
            if download.call == Call::Bound {
                download.state = DownloadState::Asking;
            }
            question::raise(app, exists(&path, Pending::Replace(id, path.clone())));
        }
        Transfer::Cut(sentence) => {
            download.state = DownloadState::Cut(sentence.clone());
            app.afterwards.remove(&id);
            app.complain(format!("download: {sentence}"));
        }
        Transfer::Failed(sentence) => effects = failed(app, id, elapsed, sentence),
    }
    lists::refresh_downloads(app);
    effects
}

/// The beginning of the file is there: the fetch that would bring it again makes way for one that does not.
fn go_on(app: &mut App, id: FetchId) -> Vec<Effect> {
    let Some(at) = app.downloads.iter().position(|d| d.id == id) else { return Vec::new() };
    vec![Effect::Cancel(id), queue::begin(app, at)]
}

fn begun(app: &mut App, id: FetchId, elapsed: Duration, from: u64, remark: Option<String>) {
    let Some(download) = running(app, id) else { return };
    download.received = from;
    download.pace = Pace::since(elapsed, from);
    // What was agreed to is done; should it break, what came is gone on from.
    download.beginning = Beginning::Keep;
    let of = download.length.map(|length| format!(" of {}", human(length))).unwrap_or_default();
    match remark {
        Some(remark) => app.say(remark),
        None if from > 0 => app.say(format!("resuming at {}{of}", human(from))),
        None => {}
    }
}

fn done(app: &mut App, id: FetchId, path: String, remark: Option<String>) {
    let shown = place::shown(app, &path);
    let Some(download) = running(app, id) else { return };
    download.path.clone_from(&shown);
    download.state = DownloadState::Done;
    match remark {
        Some(remark) => app.complain(format!("saved {shown}, but {remark}")),
        None => app.say(format!("saved {shown}")),
    }
    if let Some(program) = app.afterwards.remove(&id) {
        outside::arrived(app, path, &program);
    }
}

fn exists(path: &str, pending: Pending) -> Overlay {
    Overlay::Question {
        text: vec!["There is a file of this name already:".into(), path.into()],
        choices: vec![choice('r', "replace it"), choice('n', "another name"), choice('c', "cancel")],
        pending,
    }
}

/// Whether files are still on their way.
pub(super) fn open_work(app: &App) -> usize {
    app.downloads.iter().filter(|d| d.state.is_open()).count() + app.waiting.len()
}
