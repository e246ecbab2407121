//! A directory with all that is below it, into a folder: first every directory is read and counted, then the plan is shown,
//! and only then files are fetched.
//!
//! Links are not followed and a directory is read once, so there are no loops; depth, entries and directories are bounded.
//! Refuses: names that are no names (`../x`), and whatever is neither file nor directory.

mod plan;
mod tree;

pub(in crate::app) use tree::{begin_next, event as tree_event, failures, halt, retry, transfer as tree_transfer};

use super::name;
use super::name::{another, safe};
use crate::app::motion::focus;
use crate::app::state::jobs::Errand;
use crate::app::state::listing::{Found, Reader};
use crate::app::state::transfers::{Branch, Crawl, Why};
use crate::app::state::{Cx, listing};
use crate::app::{Aim, Effect, JobId, Leaf, Opening, Sight};
use crate::format::media;
use crate::proto::{FetchEvent, Head, Request, Verdict};
use crate::url::scheme::{self, Family};
use crate::url::{Url, equal};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Directories below directories.
pub const DEPTH: usize = 32;
/// Entries in all.
pub const ENTRIES: usize = 100_000;
/// Directories in all.
pub const DIRECTORIES: usize = 2_000;

/// `download-tree`, or `download-tree FOLDER`: the directory under focus, else the one in view.
pub(in crate::app) fn download_tree(cx: &mut Cx<'_>, folder: &str) -> Vec<Effect> {
    let page = cx.entry().filter(|entry| entry.page.as_deref().is_some_and(|p| p.head.media == media::DIRECTORY));
    let here = page.map(|entry| entry.page.as_deref().map_or(&entry.url, |page| &page.head.url).clone());
    let link = focus::link(cx.sight()).is_some().then(|| focus::target(cx)).flatten().filter(is_directory);
    // The way up is the first link of a directory, and hardly what is meant.
    let below = link.filter(|link| here.as_ref().is_none_or(|here| !here.as_str().starts_with(link.as_str())));
    let Some(url) = below.or(here) else {
        cx.say("this is no directory, and neither is the link");
        return Vec::new();
    };
    let path = (!folder.is_empty()).then(|| folder.into());
    cx.open(Opening { aim: Aim::Tree, path, ..Opening::followed(url) });
    Vec::new()
}

/// Whether a URL alone tells that it is a directory's.
pub(in crate::app) fn is_directory(url: &Url) -> bool {
    let path = url.path();
    let listed = matches!(scheme::family(url), Family::Ftp | Family::Sftp | Family::File);
    listed && (path.is_empty() || path.ends_with('/') || path.to_ascii_lowercase().ends_with(";type=d"))
}

/// Begins to read directories.
pub(in crate::app) fn begin(cx: &mut Cx<'_>, opening: Opening, request: Request) -> Vec<Effect> {
    let root = opening.public().clone();
    let mut folder = opening.path.unwrap_or_else(|| format!("{}/{}", cx.desk.settings.downloads, name(&root, None)));
    folder.truncate(folder.trim_end_matches('/').len().max(1));
    let mut effects = stop(cx);
    let branch = Branch { url: opening.url, path: String::new(), depth: 0 };
    cx.transfers.crawl = Some(Crawl {
        id: None,
        root,
        folder,
        request,
        now: None,
        seen: BTreeSet::from([equal::normal(&branch.url).into_owned()]),
        next: VecDeque::from([branch]),
        leaves: Vec::new(),
        names: BTreeSet::new(),
        entries: 0,
        directories: 0,
        left_out: BTreeMap::new(),
    });
    plan::open(cx);
    effects.extend(next(cx));
    effects
}

/// Reads the next directory; after the last one the plan is complete.
fn next(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(crawl) = &mut cx.transfers.crawl else { return Vec::new() };
    crawl.now = None;
    crawl.id = None;
    crawl.names.clear();
    let Some(branch) = crawl.next.pop_front() else {
        plan::show(cx);
        return Vec::new();
    };
    let url = branch.url.clone();
    let id = cx.jobs.begin(cx.tab.id, Errand::Listing);
    crawl.id = Some(id);
    crawl.now = Some((branch, Reader::default()));
    let request = Request { url, ..crawl.request.clone() };
    plan::show(cx);
    vec![Effect::Fetch { id, request }]
}

/// What a fetch of a directory says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let charset = charset(cx.sight());
    let Some(crawl) = cx.transfers.crawl.as_mut().filter(|crawl| crawl.id == Some(id)) else {
        return Vec::new();
    };
    let Some((branch, reader)) = &mut crawl.now else { return Vec::new() };
    match event {
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => Vec::new(),
        FetchEvent::Head(head) if is_listing(&head, &branch.url) => {
            branch.url = head.url;
            crawl.directories += 1;
            vec![Effect::Verdict { id, verdict: Verdict::Accept }]
        }
        FetchEvent::Head(_) => {
            crawl.leave_now("it is no directory");
            let mut effects = vec![Effect::Verdict { id, verdict: Verdict::Refuse }];
            effects.extend(next(cx));
            effects
        }
        FetchEvent::Body(octets) => {
            for found in reader.feed(&octets, charset) {
                crawl.take(found);
            }
            plan::show(cx);
            Vec::new()
        }
        FetchEvent::End(end) => {
            for found in reader.finish(charset) {
                crawl.take(found);
            }
            if let Some(remark) = end.cut {
                crawl.leave_now(&format!("its listing is not whole: {remark}"));
            }
            next(cx)
        }
        FetchEvent::Failed(error) => {
            crawl.leave_now(&error.detail);
            next(cx)
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            crawl.leave_now("it is elsewhere");
            next(cx)
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
fn charset(sight: Sight<'_>) -> crate::format::charset::Charset {
    let said = sight.transfers.crawl.as_ref().and_then(|crawl| sight.said_of(&crawl.root, None));
    let chosen = said.and_then(|said| crate::format::charset::known(&said.name));
    chosen.unwrap_or(crate::format::charset::Charset::Utf8)
}

impl Crawl {
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
        let Some(url) = listing::child(&branch.url, &found) else { return self.leave(Why::Name, shown) };
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
            () if !self.seen.insert(equal::normal(&url).into_owned()) => self.leave(Why::Seen, shown),
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
pub(in crate::app) fn start(cx: &mut Cx<'_>) -> Vec<Effect> {
    let whole = cx.transfers.crawl.as_ref().is_some_and(|crawl| crawl.id.is_none() && !crawl.leaves.is_empty());
    if !whole {
        let why = if cx.transfers.crawl.as_ref().is_some_and(|h| h.id.is_some()) {
            "still reading"
        } else {
            "nothing to save"
        };
        cx.say(why);
        return Vec::new();
    }
    plan::close(cx);
    if let Some(crawl) = cx.transfers.crawl.take() {
        let request = Request { login: cx.sight().login_for(&crawl.root), ..crawl.request };
        tree::add(cx, crawl.root, request, crawl.folder, crawl.leaves);
    }
    Vec::new()
}

/// Esc on the plan.
pub(in crate::app) fn stop(cx: &mut Cx<'_>) -> Vec<Effect> {
    plan::close(cx);
    let id = cx.transfers.crawl.take().and_then(|crawl| crawl.id);
    id.map(Effect::Cancel).into_iter().collect()
}
