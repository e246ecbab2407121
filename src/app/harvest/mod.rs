//! A directory with all that is below it, into a folder: first every directory is read and counted, then the plan is shown,
//! and only then files are fetched.
//!
//! Links are not followed and a directory is read once, so there are no loops; depth, entries and directories are bounded.
//! Refuses: names that are no names (`../x`), and whatever is neither file nor directory.

mod plan;
mod reading;
mod tree;

pub(super) use plan::is_open;
pub use tree::Tree;
pub(super) use tree::{begin_next, event as tree_event, failures, halt, owns, retry, transfer as tree_transfer};

use super::opening::{self, Aim, Opening};
use super::saving::{another, name, safe};
use super::{App, Effect, FetchId, focus, login};
use crate::format::media;
use crate::proto::{FetchEvent, Head, Request, Verdict};
use crate::url::{Url, equal};
use jiff::Timestamp;
use reading::{Found, Reader};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Directories below directories.
pub const DEPTH: usize = 32;
/// Entries in all.
pub const ENTRIES: usize = 100_000;
/// Directories in all.
pub const DIRECTORIES: usize = 2_000;

/// A file of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// From where.
    pub url: Url,
    /// To where, below the chosen folder: safe components.
    pub path: String,
    /// Octets, as the listing says.
    pub size: Option<u64>,
    /// The last change, as the listing says, when it is told to the second and in which zone.
    pub modified: Option<Timestamp>,
}

/// A directory that will be read, or is.
#[derive(Debug)]
struct Branch {
    url: Url,
    /// Below the chosen folder; empty, or with a slash at its end.
    path: String,
    depth: usize,
}

/// Why something is not in the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    Link,
    Device,
    Name,
    Deep,
    Many,
    Seen,
    Refused,
}

/// Directories being read.
#[derive(Debug)]
pub(super) struct Harvest {
    /// The fetch under way.
    id: Option<FetchId>,
    root: Url,
    /// The folder that all goes into.
    folder: String,
    request: Request,
    now: Option<(Branch, Reader)>,
    next: VecDeque<Branch>,
    seen: BTreeSet<String>,
    leaves: Vec<Leaf>,
    /// Names given so far in the directory being read.
    names: BTreeSet<String>,
    entries: usize,
    directories: usize,
    left_out: BTreeMap<Why, Vec<String>>,
}

/// `download-tree`, or `download-tree FOLDER`: the directory under focus, else the one in view.
pub(super) fn download_tree(app: &mut App, folder: &str) -> Vec<Effect> {
    let page = app.entry().filter(|entry| entry.page.as_deref().is_some_and(|p| p.head.media == media::DIRECTORY));
    let here = page.map(|entry| entry.page.as_deref().map_or(&entry.url, |page| &page.head.url).clone());
    let link = focus::link(app).is_some().then(|| focus::target(app)).flatten().filter(is_directory);
    // The way up is the first link of a directory, and hardly what is meant.
    let below = link.filter(|link| here.as_ref().is_none_or(|here| !here.as_str().starts_with(link.as_str())));
    let Some(url) = below.or(here) else {
        app.say("this is no directory, and neither is the link");
        return Vec::new();
    };
    let path = (!folder.is_empty()).then(|| folder.into());
    opening::go(app, Opening { aim: Aim::Tree, path, ..Opening::followed(url) })
}

/// Whether a URL alone tells that it is a directory's.
pub(super) fn is_directory(url: &Url) -> bool {
    let path = url.path();
    let listed = ["ftp", "ftps", "file"].iter().any(|scheme| url.is(scheme));
    listed && (path.is_empty() || path.ends_with('/') || path.to_ascii_lowercase().ends_with(";type=d"))
}

/// Begins to read directories.
pub(super) fn begin(app: &mut App, opening: Opening, request: Request) -> Vec<Effect> {
    let root = opening.public().clone();
    let mut folder = opening.path.unwrap_or_else(|| format!("{}/{}", app.settings.downloads, name(&root, None)));
    folder.truncate(folder.trim_end_matches('/').len().max(1));
    let mut effects = stop(app);
    let branch = Branch { url: opening.url, path: String::new(), depth: 0 };
    app.harvest = Some(Harvest {
        id: None,
        root,
        folder,
        request,
        now: None,
        seen: BTreeSet::from([equal::normal(&branch.url)]),
        next: VecDeque::from([branch]),
        leaves: Vec::new(),
        names: BTreeSet::new(),
        entries: 0,
        directories: 0,
        left_out: BTreeMap::new(),
    });
    plan::open(app);
    effects.extend(next(app));
    effects
}

/// Reads the next directory; after the last one the plan is complete.
fn next(app: &mut App) -> Vec<Effect> {
    let id = app.fresh();
    let Some(harvest) = &mut app.harvest else { return Vec::new() };
    harvest.now = None;
    harvest.id = None;
    harvest.names.clear();
    let Some(branch) = harvest.next.pop_front() else {
        plan::show(app);
        return Vec::new();
    };
    let url = branch.url.clone();
    harvest.id = Some(id);
    harvest.now = Some((branch, Reader::default()));
    let request = Request { url, ..harvest.request.clone() };
    plan::show(app);
    vec![Effect::Fetch { id, request }]
}

/// Whether a fetch reads a directory.
pub(super) fn is_reading(app: &App, id: FetchId) -> bool {
    app.harvest.as_ref().is_some_and(|harvest| harvest.id == Some(id))
}

/// What a fetch of a directory says.
pub(super) fn event(app: &mut App, id: FetchId, event: FetchEvent) -> Vec<Effect> {
    let charset = charset(app);
    let Some(harvest) = &mut app.harvest else { return Vec::new() };
    let Some((branch, reader)) = &mut harvest.now else { return Vec::new() };
    match event {
        FetchEvent::Stage(_) => Vec::new(),
        FetchEvent::Head(head) if is_listing(&head, &branch.url) => {
            branch.url = head.url;
            harvest.directories += 1;
            vec![Effect::Verdict { id, verdict: Verdict::Accept }]
        }
        FetchEvent::Head(_) => {
            harvest.leave_now("it is no directory");
            let mut effects = vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
            effects.extend(next(app));
            effects
        }
        FetchEvent::Body(octets) => {
            for found in reader.feed(&octets, charset) {
                harvest.take(found);
            }
            plan::show(app);
            Vec::new()
        }
        FetchEvent::End(end) => {
            for found in reader.finish(charset) {
                harvest.take(found);
            }
            if let Some(remark) = end.cut {
                harvest.leave_now(&format!("its listing is not whole: {remark}"));
            }
            next(app)
        }
        FetchEvent::Failed(error) => {
            harvest.leave_now(&error.detail);
            next(app)
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            harvest.leave_now("it is elsewhere");
            next(app)
        }
    }
}

/// A directory's listing, and of the server that was asked: entries lead nowhere else.
fn is_listing(head: &Head, asked: &Url) -> bool {
    head.media == media::DIRECTORY
        && head.url.scheme().eq_ignore_ascii_case(asked.scheme())
        && (head.url.host(), head.url.port()) == (asked.host(), asked.port())
}

/// The charset of the names, when the reader or the settings chose one for the host.
fn charset(app: &App) -> crate::format::charset::Charset {
    let host = app.harvest.as_ref().and_then(|h| h.root.host()).unwrap_or_default().to_ascii_lowercase();
    let chosen = app.charsets.get(&host).or_else(|| app.settings.charset.hosts.get(&host)).map(String::as_str);
    let chosen = chosen.or_else(|| app.settings.charset_of(&host));
    chosen.and_then(crate::format::charset::known).unwrap_or(crate::format::charset::Charset::Utf8)
}

impl Harvest {
    /// The directory being read is not, or not all of it, in the plan.
    fn leave_now(&mut self, why: &str) {
        let path = self.now.as_ref().map(|(branch, _)| branch.path.clone()).unwrap_or_default();
        let path = if path.is_empty() { "the directory itself".into() } else { path };
        self.leave(Why::Refused, format!("{path}: {why}"));
    }

    fn leave(&mut self, why: Why, what: String) {
        self.left_out.entry(why).or_default().push(what);
    }

    /// Puts an entry into the plan, or leaves it out.
    fn take(&mut self, found: Found) {
        let Some((branch, _)) = &self.now else { return };
        let (shown, depth) = (format!("{}{}", branch.path, found.shown), branch.depth + 1);
        self.entries += 1;
        if self.entries > ENTRIES {
            return self.leave(Why::Many, shown);
        }
        if let Some(why) = found.left {
            return self.leave(why, shown);
        }
        let Some(url) = reading::child(&branch.url, &found) else { return self.leave(Why::Name, shown) };
        let mut name = safe(&found.shown);
        if name.is_empty() || !is_one_name(&found.octets) {
            return self.leave(Why::Name, shown);
        }
        let directory = branch.path.clone();
        while self.names.contains(&name.to_lowercase()) {
            name = another(&name);
        }
        if !found.directory {
            self.names.insert(name.to_lowercase());
            self.leaves.push(Leaf {
                url,
                path: format!("{directory}{name}"),
                size: found.size,
                modified: found.modified,
            });
            return;
        }
        match () {
            () if depth > DEPTH => self.leave(Why::Deep, shown),
            () if self.seen.len() >= DIRECTORIES => self.leave(Why::Many, shown),
            () if !self.seen.insert(equal::normal(&url)) => self.leave(Why::Seen, shown),
            () => {
                self.names.insert(name.to_lowercase());
                self.next.push_back(Branch { url, path: format!("{directory}{name}/"), depth });
            }
        }
    }
}

/// Whether a name is one component, whatever the system it comes from.
fn is_one_name(octets: &[u8]) -> bool {
    !octets.iter().any(|octet| matches!(octet, b'/' | b'\\' | 0 | b'\r' | b'\n')) && !matches!(octets, b"." | b"..")
}

/// Enter on the plan.
pub(super) fn start(app: &mut App) -> Vec<Effect> {
    let whole = app.harvest.as_ref().is_some_and(|harvest| harvest.id.is_none() && !harvest.leaves.is_empty());
    if !whole {
        let why =
            if app.harvest.as_ref().is_some_and(|h| h.id.is_some()) { "still reading" } else { "nothing to save" };
        app.say(why);
        return Vec::new();
    }
    plan::close(app);
    if let Some(harvest) = app.harvest.take() {
        let request = Request { login: login::of(app, &harvest.root), ..harvest.request };
        tree::add(app, harvest.root, request, harvest.folder, harvest.leaves);
    }
    Vec::new()
}

/// Esc on the plan.
pub(super) fn stop(app: &mut App) -> Vec<Effect> {
    plan::close(app);
    let id = app.harvest.take().and_then(|harvest| harvest.id);
    id.map(Effect::Cancel).into_iter().collect()
}
