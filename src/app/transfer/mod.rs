//! Bodies and texts that go into files: names, turns, progress, files that exist already.

pub(super) mod said;

pub(super) mod article;
mod beside;
mod kept;
mod list;
pub(super) mod mailbox;
mod name;
mod path;
mod queue;
pub(super) mod recursive;
mod redirect;
mod retry;
mod text;
pub(super) mod verify;

pub use crate::app::state::transfers::{Download, DownloadState, Pace};
pub(super) use kept::{forget_those, keep as keep_for_later, remove as forget, restore};
pub(super) use list::{downloads, refresh as refresh_list};
pub(crate) use name::octets as name_octets;
pub use name::{UNFINISHED, is_unfinished};
pub(super) use name::{another, name};
pub(super) use path::whole;
pub(super) use queue::start;
pub(crate) use recursive::may_be_file;
pub(super) use retry::{act_on, obvious, resume, stop};
pub(super) use text::{print, save, write, wrote};

use crate::app::hands::question::choice;
use crate::app::motion::{focus, marking};
use crate::app::page::veil::Veil;
use crate::app::state::Cx;
use crate::app::state::intent::Intent;
use crate::app::state::jobs::{Errand, Printing};
use crate::app::state::transfers::{Call, Waiting};
use crate::app::{
    Aim, Beginning, Effect, Existing, JobId, Opening, Overlay, Pending, PromptKind, Purpose, Sight, Target, Text,
    Transfer,
};
use crate::format::{human, media};
use crate::proto::{FetchEvent, Head, Request, Verdict};
use crate::url::Url;
use std::time::Duration;

/// The marked rows, into a folder, by this name if there is one; else the link under focus, into a file.
pub(super) fn download(cx: &mut Cx<'_>, folder: &str) -> Vec<Effect> {
    match marking::is_marked(cx.sight()) {
        true => recursive::marked::begin(cx, folder.trim()),
        false => download_link(cx),
    }
}

/// The link under focus, into a file.
pub(super) fn download_link(cx: &mut Cx<'_>) -> Vec<Effect> {
    match focus::target(cx) {
        // A listing in a file is of no use to anybody; the plan comes first.
        Some(url) if recursive::is_directory(&url) => recursive::download_tree(cx, ""),
        Some(url) => {
            cx.open(Opening { aim: Aim::File, ..Opening::followed(url) });
            Vec::new()
        }
        None => Vec::new(),
    }
}

/// Something goes into a file: the name is asked for while the server thinks, or while others have their turn.
pub(super) fn expect(cx: &mut Cx<'_>, opening: Opening, request: Request) -> Vec<Effect> {
    let url = opening.public().clone();
    let beside = beside::beside(cx.sight(), &url);
    // what is here already has told its name
    let head = request
        .held
        .as_deref()
        .map(|held| Head { filename: held.filename.clone(), ..Head::new(url.clone(), held.media.clone()) });
    if queue::has_room(cx.sight(), &request.url) {
        let id = cx.job(Errand::File);
        let fetch = Effect::Fetch { id, request: request.clone() };
        let named = opening.path.is_some();
        let hops = u8::try_from(opening.hops.len()).unwrap_or(u8::MAX);
        let (path, veil) = (opening.path, opening.veil);
        cx.transfers.waiting.push(Waiting { id, url: url.clone(), request, head: None, path, hops, veil, beside });
        if !named {
            let path = proposed(cx.sight(), &url, head.as_ref());
            ask_name(cx, Purpose::Body(id), &path);
        }
        return vec![fetch];
    }
    match opening.path {
        Some(path) => return queue::add(cx, url, request, path, beside),
        None => {
            let path = proposed(cx.sight(), &url, head.as_ref());
            ask_name(cx, Purpose::Later(Box::new((url, request, beside))), &path);
        }
    }
    Vec::new()
}

/// A path for a file that no other download is on its way to.
fn proposed(sight: Sight<'_>, url: &Url, head: Option<&Head>) -> String {
    let mut path = format!("{}/{}", sight.desk.settings.downloads, name(sight, url, head));
    let taken = |path: &str| {
        let named = sight.transfers.waiting.iter().filter_map(|waiting| waiting.path.as_deref());
        let open = sight.transfers.downloads.iter().filter(|download| download.state.is_open());
        named.chain(open.map(|download| download.path.as_str())).any(|other| other == path)
    };
    while taken(&path) {
        path = another(&path);
    }
    path
}

/// The body that a question was about goes into a file.
pub(super) fn keep(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some((url, request, head, veil)) = take_loading(cx, id) else { return Vec::new() };
    let path = proposed(cx.sight(), &url, Some(&head));
    let beside = beside::beside(cx.sight(), &url);
    // What answers a form is not asked for a second time.
    if request.body.is_none() && !queue::has_room(cx.sight(), &request.url) {
        ask_name(cx, Purpose::Later(Box::new((url, request, beside))), &path);
        return vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
    }
    becomes_file(cx, id);
    cx.transfers.waiting.push(Waiting { id, url, request, head: Some(head), path: None, hops: 0, veil, beside });
    ask_name(cx, Purpose::Body(id), &path);
    Vec::new()
}

/// The body that a question was about goes into a file that the reader need not name.
pub(super) fn keep_aside(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some((url, request, head, veil)) = take_loading(cx, id) else { return Vec::new() };
    // Each in a folder of its own, so that nothing has to be asked when one is opened twice.
    let path = format!("{}/{}/{}", cx.desk.choices.scratch, id.0, name(cx.sight(), &url, Some(&head)));
    becomes_file(cx, id);
    // nobody looks at what is opened elsewhere before it opens
    let beside = Vec::new();
    cx.transfers.waiting.push(Waiting { id, url, request, head: Some(head), path: Some(path), hops: 0, veil, beside });
    proceed(cx, id)
}

fn take_loading(cx: &mut Cx<'_>, id: JobId) -> Option<(Url, Request, Head, Veil)> {
    let loading = cx.tab.loading.take_if(|loading| loading.id == id)?;
    Some((loading.opening.public().clone(), loading.request, loading.head?, loading.opening.veil))
}

/// What was fetched for a page goes into a file.
fn becomes_file(cx: &mut Cx<'_>, id: JobId) {
    if let Some(errand) = cx.jobs.errand_mut(id) {
        *errand = Errand::File;
    }
}

pub(super) fn ask_name(cx: &mut Cx<'_>, purpose: Purpose, path: &str) {
    let about = match &purpose {
        Purpose::Body(id) => cx.transfers.waiting.iter().find(|w| w.id == *id).map(|w| w.url.clone()),
        Purpose::Later(later) => Some(later.0.clone()),
        _ => cx.entry().map(|entry| entry.url.clone()),
    };
    cx.hands.ask_for(purpose, PromptKind::Save, "save as", path, about);
}

/// What is to be known where the name of a file is asked for.
pub(super) fn remark(sight: Sight<'_>) -> String {
    let prompt = sight.hands.prompt();
    let again = prompt.is_some_and(|prompt| match &prompt.purpose {
        Purpose::Body(id) => prompt.about.as_ref().is_some_and(|url| is_coming(sight, url, Some(*id))),
        Purpose::Later(later) => is_coming(sight, &later.0, None),
        _ => false,
    });
    match again {
        true => "being saved already; Esc leaves it at that".into(),
        false => "Enter saves; a file that exists is never replaced without a question".into(),
    }
}

/// Whether a place is on its way into a file by another number than this.
fn is_coming(sight: Sight<'_>, url: &Url, own: Option<JobId>) -> bool {
    let waiting = sight.transfers.waiting.iter().map(|waiting| (waiting.id, &waiting.url));
    let open = sight.transfers.downloads.iter().filter(|download| download.state.is_open());
    let mut all = waiting.chain(open.map(|download| (download.id, &download.url)));
    all.any(|(id, other)| Some(id) != own && other == url)
}

/// The name is given.
pub(super) fn named(cx: &mut Cx<'_>, purpose: Purpose, path: &str) -> Vec<Effect> {
    // A blank at the end may be the name's.
    let path = path.trim_start();
    match purpose {
        purpose if path.is_empty() => {
            let effects = dismissed(cx, &purpose);
            cx.complain("a file needs a name");
            effects
        }
        Purpose::Body(id) => {
            if let Some(waiting) = cx.transfers.waiting.iter_mut().find(|w| w.id == id) {
                waiting.path = Some(path.into());
                return proceed(cx, id);
            }
            let Some(download) = cx.transfers.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
            download.path = path.into();
            again(download)
        }
        Purpose::Later(later) => {
            let effects = queue::add(cx, later.0, later.1, path.into(), later.2);
            cx.say(format!("{path} waits for its turn"));
            effects
        }
        Purpose::Text(Text::Octets(content)) => write(cx, path.into(), content),
        Purpose::Text(Text::Page(print)) => match text::print(print) {
            Ok(content) => write(cx, path.into(), content),
            Err(work) => vec![Effect::Work { id: cx.job(Errand::Print(Printing::File(path.into()))), work }],
        },
        _ => Vec::new(),
    }
}

/// The prompt was closed without a name or a program.
pub(super) fn dismissed(cx: &mut Cx<'_>, purpose: &Purpose) -> Vec<Effect> {
    match purpose {
        Purpose::Body(id) | Purpose::Program(Target::Body(id, _)) => refuse(cx, *id),
        _ => Vec::new(),
    }
}

/// The body goes into its file as soon as head and name are known.
fn proceed(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let ready = |w: &Waiting| w.id == id && w.head.is_some() && w.path.is_some();
    let Some(at) = cx.transfers.waiting.iter().position(ready) else { return Vec::new() };
    let Waiting { url, request, head, path, veil, beside, .. } = cx.transfers.waiting.remove(at);
    let mut effects = queue::add(cx, url, request, path.unwrap_or_default(), beside);
    let Some(download) = cx.transfers.downloads.last_mut() else { return effects };
    (download.id, download.call, download.state) = (id, Call::Open, DownloadState::Running);
    download.veil = veil;
    if let Some(head) = head {
        download.answered(&head);
    }
    effects.extend(again(download));
    effects
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
pub(super) fn replace(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some(download) = cx.transfers.downloads.iter_mut().find(|d| d.id == id) else { return Vec::new() };
    download.existing = Existing::Replace;
    again(download)
}

/// The body is not wanted.
pub(super) fn refuse(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    cx.transfers.afterwards.remove(&id);
    if let Some(download) = cx.transfers.downloads.iter_mut().find(|d| d.id == id) {
        let open = download.state == DownloadState::Running;
        download.state = DownloadState::Cancelled;
        return if open { vec![Effect::Verdict { id, verdict: Verdict::Refuse }] } else { Vec::new() };
    }
    if let Some(at) = cx.transfers.waiting.iter().position(|w| w.id == id) {
        return match cx.transfers.waiting.remove(at).head {
            Some(_) => vec![Effect::Verdict { id, verdict: Verdict::Refuse }],
            None => vec![Effect::Cancel(id)],
        };
    }
    cx.tab.refuse_loading(id)
}

/// What a fetch for a file says before its body.
pub(super) fn event(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, mut event: FetchEvent) -> Vec<Effect> {
    if let Some((_, veil)) = redirect::told(cx.sight(), id) {
        event.conceal(veil.secrets());
    }
    match event {
        FetchEvent::Head(head) if is_listing(cx.sight(), id, &head) => plan_instead(cx, id, head.url),
        FetchEvent::Head(head) => {
            if let Some(download) = running(cx, id) {
                download.answered(&head);
            }
            if let Some(waiting) = cx.transfers.waiting.iter_mut().find(|w| w.id == id) {
                waiting.head = Some(*head);
            }
            proceed(cx, id)
        }
        FetchEvent::Failed(error) => {
            cx.jobs.end(id);
            failed(cx, id, elapsed, error.detail)
        }
        FetchEvent::Moved(moved) => {
            cx.jobs.end(id);
            redirect::moved(cx, id, elapsed, &moved)
        }
        FetchEvent::Stage(_)
        | FetchEvent::Sent(_)
        | FetchEvent::Body(_)
        | FetchEvent::End(_)
        | FetchEvent::Unchanged => Vec::new(),
    }
}

/// Whether what was asked for as a file turns out to be a directory: a link to one, most likely.
fn is_listing(sight: Sight<'_>, id: JobId, head: &Head) -> bool {
    let waiting = sight.transfers.waiting.iter().find(|waiting| waiting.id == id);
    head.media == media::DIRECTORY && waiting.is_some_and(|waiting| recursive::may_be_file(&waiting.request.url))
}

/// A listing in a file is of no use to anybody: the directory is planned, as if it had been called one.
fn plan_instead(cx: &mut Cx<'_>, id: JobId, url: Url) -> Vec<Effect> {
    let Some(at) = cx.transfers.waiting.iter().position(|waiting| waiting.id == id) else { return Vec::new() };
    let path = cx.transfers.waiting.remove(at).path;
    cx.transfers.afterwards.remove(&id);
    cx.hands.retain_prompts(|prompt| prompt.purpose != Purpose::Body(id));
    cx.say("it leads to a directory: this is what would be saved");
    cx.open(Opening { aim: Aim::Tree, path, ..Opening::followed(url) });
    vec![Effect::Verdict { id, verdict: Verdict::Refuse }]
}

/// The download that runs under a number.
fn running<'a>(cx: &'a mut Cx<'_>, id: JobId) -> Option<&'a mut Download> {
    cx.transfers.downloads.iter_mut().find(|d| d.id == id && d.state == DownloadState::Running)
}

fn failed(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, sentence: String) -> Vec<Effect> {
    cx.transfers.afterwards.remove(&id);
    if cx.transfers.waiting.iter().any(|w| w.id == id) {
        cx.transfers.waiting.retain(|w| w.id != id);
        cx.hands.retain_prompts(|prompt| prompt.purpose != Purpose::Body(id));
    } else if let Some(download) = running(cx, id) {
        (download.elapsed, download.state) = (elapsed, DownloadState::Failed(sentence.clone()));
        list::refresh(cx);
    } else {
        return Vec::new();
    }
    cx.complain(format!("download: {sentence}"));
    Vec::new()
}

/// How far a body has come on its way into a file.
pub(super) fn transfer(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, transfer: Transfer) -> Vec<Effect> {
    let Some(download) = running(cx, id) else { return Vec::new() };
    download.elapsed = elapsed;
    let mut effects = Vec::new();
    match transfer {
        Transfer::Partial => effects = go_on(cx, id),
        Transfer::Begun(from, remark) => begun(cx, id, elapsed, from, remark),
        Transfer::Progress(octets) => download.advance(elapsed, octets),
        // One file tells of its time itself.
        Transfer::Undated => {}
        Transfer::Done(path, remark) => done(cx, id, path, remark),
        Transfer::Present(path) => done(cx, id, path, None),
        Transfer::Exists(path) => {
            if download.call == Call::Bound {
                download.state = DownloadState::Asking;
            }
            cx.hands.queue(exists(&path, Pending::Replace(id, path.clone())));
        }
        Transfer::Cut(sentence) => {
            download.state = DownloadState::Cut(sentence.clone());
            cx.transfers.afterwards.remove(&id);
            cx.complain(format!("download: {sentence}"));
        }
        Transfer::Failed(sentence) | Transfer::Full(sentence) => effects = failed(cx, id, elapsed, sentence),
        Transfer::Stale(sentence) => stale(cx, id, &sentence),
    }
    if !is_awaited(cx.sight(), id) {
        cx.jobs.end(id);
    }
    list::refresh(cx);
    effects
}

/// What is here is of a file that has changed since: it is the reader's to give up.
fn stale(cx: &mut Cx<'_>, id: JobId, sentence: &str) {
    cx.transfers.afterwards.remove(&id);
    let Some(download) = running(cx, id) else { return };
    download.state = DownloadState::Cut(sentence.into());
    // It would end here again.
    download.resumes = Some(false);
    let number = download.number;
    let Some(at) = cx.transfers.downloads.iter().position(|download| download.number == number) else { return };
    retry::act_on(cx, at);
}

/// Whether the fetch of this number may still say something.
fn is_awaited(sight: Sight<'_>, id: JobId) -> bool {
    sight.transfers.waiting.iter().any(|w| w.id == id)
        || sight.transfers.downloads.iter().any(|d| d.id == id && d.state == DownloadState::Running)
        || sight.tab.loading.as_ref().is_some_and(|loading| loading.id == id)
}

/// The beginning of the file is there: the fetch that would bring it again makes way for one that does not.
fn go_on(cx: &mut Cx<'_>, id: JobId) -> Vec<Effect> {
    let Some(at) = cx.transfers.downloads.iter().position(|d| d.id == id) else { return Vec::new() };
    vec![Effect::Cancel(id), queue::begin(cx, at)]
}

fn begun(cx: &mut Cx<'_>, id: JobId, elapsed: Duration, from: u64, remark: Option<String>) {
    let Some(download) = running(cx, id) else { return };
    download.received = from;
    download.pace = Pace::since(elapsed, from);
    // What was agreed to is done; should it break, what came is gone on from.
    download.beginning = Beginning::Keep;
    let of = download.length.map(|length| format!(" of {}", human(length))).unwrap_or_default();
    match remark {
        Some(remark) => cx.say(remark),
        None if from > 0 => cx.say(format!("resuming at {}{of}", human(from))),
        None => {}
    }
}

fn done(cx: &mut Cx<'_>, id: JobId, path: String, remark: Option<String>) {
    let shown = path::shown(cx.sight(), &path);
    let Some(download) = running(cx, id) else { return };
    download.path.clone_from(&shown);
    download.state = DownloadState::Done;
    let checks = verify::hint(download).map(|hint| format!(" · {hint}")).unwrap_or_default();
    match remark {
        Some(remark) => cx.complain(format!("saved {shown}, but {remark}")),
        None => cx.say(format!("saved {shown}{checks}")),
    }
    if let Some(program) = cx.transfers.afterwards.remove(&id) {
        cx.intend(Intent::Arrived(path, program));
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
pub(super) fn open_work(sight: Sight<'_>) -> usize {
    sight.transfers.downloads.iter().filter(|d| d.state.is_open()).count() + sight.transfers.waiting.len()
}
