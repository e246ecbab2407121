//! A directory with all that is below it, into a folder: first every directory is read and counted, then the plan is shown,
//! and only then files are fetched.
//!
//! No link is followed into a directory and a directory is read once, so there are no loops; depth, entries and directories are
//! bounded. Saved again, what is new or has changed is fetched, and what has gone is told of.
//! Refuses: names that are no names (`../x`), and whatever is neither file nor directory.

mod entries;
mod links;
pub(super) mod marked;
mod names;
mod plan;
mod prepare;
mod tree;

pub(in crate::app) use prepare::{answered, date, dated, prepare, prepared};
pub(in crate::app) use tree::{begin_next, event as tree_event, halt, list, remarks, retry, transfer as tree_transfer};

use super::name;
use super::name::said;
use super::path;
use super::queue;
use crate::app::motion::{focus, marking};
use crate::app::state::jobs::Errand;
use crate::app::state::listing::Reader;
use crate::app::state::transfers::{Branch, Crawl, Names, Reading, Scope};
use crate::app::state::{COMING, Cx};
use crate::app::{Aim, Download, Effect, JobId, Opening, Sight, Tree};
use crate::format::media;
use crate::proto::{FetchEvent, Head, Request, Verdict};
use crate::url::scheme::{self, Family};
use crate::url::{Url, equal};
use std::collections::BTreeSet;

/// Directories below directories.
pub const DEPTH: usize = 32;
/// Entries in all.
pub const ENTRIES: usize = 100_000;
/// Octets of the paths and addresses of them all: names of 255 octets, 32 deep, would fill the memory otherwise.
const NAMES: usize = 64 << 20;
/// Entries beyond those that are named; the others are counted.
const NAMED: usize = 1_000;
/// Directories in all.
pub const DIRECTORIES: usize = 2_000;

/// `download-tree`, or `download-tree FOLDER`: the marked rows; else the directory under focus, or what a link there leads to, of which only its server
/// knows; else the directory in view.
pub(in crate::app) fn download_tree(cx: &mut Cx<'_>, folder: &str) -> Vec<Effect> {
    if marking::is_marked(cx.sight()) {
        return marked::begin(cx, folder);
    }
    let page = cx.entry().filter(|entry| entry.page.as_deref().is_some_and(|p| p.head.media == media::DIRECTORY));
    let here = page.map(|entry| entry.page.as_deref().map_or(&entry.url, |page| &page.head.url).clone());
    let given = cx.entry().and_then(|entry| entry.given_focus());
    let leads = given.is_some_and(|given| marking::is_link(cx.sight(), given));
    let link = focus::link(cx.sight()).is_some().then(|| focus::target(cx)).flatten();
    let link = link.filter(|url| leads || is_directory(url));
    // The way up is the first link of a directory, and hardly what is meant.
    // From the root of an archive it leads to the directory that the archive lies in, which may be one of another archive.
    let above = |here: &Url, link: &Url| {
        let parent = scheme::up(here).is_some_and(|up| up == *link);
        parent || [here.as_str(), scheme::place(here).as_str()].iter().any(|here| here.starts_with(link.as_str()))
    };
    let below = link.filter(|link| here.as_ref().is_none_or(|here| !above(here, link)));
    // All below a folder of an archive as one list is that folder.
    let here =
        here.map(|here| if scheme::archive::words(&here).is_some() { scheme::up(&here).unwrap_or(here) } else { here });
    let Some(url) = below.or(here) else {
        let coming = cx.tab.is_loading();
        cx.say(if coming { COMING } else { "this is no directory, and neither is the link" });
        return Vec::new();
    };
    let path = (!folder.is_empty()).then(|| folder.into());
    cx.open(Opening { aim: Aim::Tree, path, ..Opening::followed(url) });
    Vec::new()
}

/// Whether a URL alone tells that it is a directory's.
pub(in crate::app) fn is_directory(url: &Url) -> bool {
    let path = url.path();
    let listed = matches!(scheme::family(url), Family::Ftp | Family::Sftp | Family::File | Family::Archive);
    listed && (path.is_empty() || path.ends_with('/') || path.to_ascii_lowercase().ends_with(";type=d"))
}

/// Whether a URL of a space of directories is written as that of a file; only its server knows what is there.
pub(crate) fn may_be_file(url: &Url) -> bool {
    let listed = matches!(scheme::family(url), Family::Ftp | Family::Sftp | Family::File | Family::Archive);
    listed && !is_directory(url)
}

/// Begins to read directories.
pub(in crate::app) fn begin(cx: &mut Cx<'_>, opening: Opening, request: Request) -> Vec<Effect> {
    let root = opening.public().clone();
    let mut folder =
        opening.path.unwrap_or_else(|| format!("{}/{}", cx.desk.settings.downloads, name(cx.sight(), &root, None)));
    folder.truncate(folder.trim_end_matches('/').len().max(1));
    let mut effects = stop(cx);
    let before = earlier(cx.sight(), &root, &folder);
    let rows = before.filter(|_| opening.aim == Aim::Rows).and_then(|before| before.manner.rows.clone());
    let scope = match (&rows, before) {
        (Some(rows), _) => Scope::MarkedAgain(rows.iter().cloned().collect()),
        (None, Some(_)) => Scope::Again,
        (None, None) => Scope::Whole,
    };
    // What a server leaves out of its listings belongs to the directory as well, and links can be made again where it is known
    // where they lead.
    let request = Request { hidden: true, targets: true, ..request };
    let branch = Branch { url: opening.url, path: String::new(), depth: 0, marks: Vec::new() };
    let mut crawl = Crawl::new(cx.sight(), root, folder, request, scope);
    crawl.manner.rows = rows;
    crawl.seen.insert(equal::normal(&branch.url).into_owned());
    crawl.next.push_back(branch);
    cx.transfers.crawl = Some(crawl);
    plan::open(cx);
    effects.extend(next(cx));
    effects
}

/// The download of a folder that has been saved from there before.
fn earlier<'a>(sight: Sight<'a>, root: &Url, folder: &str) -> Option<&'a Download> {
    let (root, folder) = (Url::parse(root.redacted()).ok(), path::whole(sight, folder));
    sight.transfers.downloads.iter().rev().find(|download| {
        let same = || path::whole(sight, &download.path) == folder && Url::parse(download.url.redacted()).ok() == root;
        (download.tree.is_some() || download.folder) && same()
    })
}

/// Tab on the plan: something else becomes of links.
pub(in crate::app) fn other_links(cx: &mut Cx<'_>, step: isize) {
    if let Some(crawl) = &mut cx.transfers.crawl {
        crawl.manner.links = links::other(crawl.manner.links, step);
    }
    plan::show(cx);
}

/// Reads the next directories, as many at once as files may come; after the last one the plan is complete.
fn next(cx: &mut Cx<'_>) -> Vec<Effect> {
    let Some(crawl) = &cx.transfers.crawl else { return Vec::new() };
    let room = at_once(cx.sight(), &crawl.root).saturating_sub(crawl.now.len());
    let mut effects = Vec::new();
    for _ in 0..room {
        let Some(branch) = cx.transfers.crawl.as_mut().and_then(|crawl| crawl.next.pop_front()) else { break };
        let (id, url) = (cx.jobs.begin(cx.tab.id, Errand::Listing), branch.url.clone());
        let Some(crawl) = &mut cx.transfers.crawl else { break };
        let names = Names::new(crawl.folds, crawl.given.remove(&branch.path).unwrap_or_default());
        crawl.now.push(Reading {
            id,
            branch,
            reader: Reader::new(None, None),
            names,
            named: BTreeSet::new(),
            held: Vec::new(),
        });
        effects.push(Effect::Fetch { id, request: Request { url, ..crawl.request.clone() } });
    }
    if let Some(crawl) = cx.transfers.crawl.as_mut().filter(|crawl| crawl.now.is_empty()) {
        links::see_folders(&mut crawl.links, &crawl.folders);
    }
    plan::show(cx);
    effects
}

/// Directories that are read at once: of one server as many as files may come from it.
fn at_once(sight: Sight<'_>, root: &Url) -> usize {
    match scheme::family(root) {
        Family::Ftp | Family::Sftp => queue::at_once(sight, root),
        _ => 1,
    }
}

/// What a fetch of a directory says.
pub(in crate::app) fn event(cx: &mut Cx<'_>, id: JobId, event: FetchEvent) -> Vec<Effect> {
    let Some(crawl) = &mut cx.transfers.crawl else { return Vec::new() };
    let Some(at) = crawl.now.iter().position(|reading| reading.id == id) else { return Vec::new() };
    let mut reading = crawl.now.remove(at);
    let whole = matches!(&event, FetchEvent::End(end) if end.cut.is_none());
    let said = match &event {
        FetchEvent::Head(head) => said(cx.sight(), &head.url, head.charset.as_deref()),
        _ => None,
    };
    let Some(crawl) = &mut cx.transfers.crawl else { return Vec::new() };
    let mut effects = Vec::new();
    let goes_on = match event {
        FetchEvent::Stage(_) | FetchEvent::Sent(_) => {
            crawl.now.insert(at, reading);
            return Vec::new();
        }
        FetchEvent::Head(head) if is_listing(&head, &reading.branch.url) => {
            if scheme::family(&head.url) == Family::Archive {
                crawl.notes.extend(head.notices);
            }
            reading.reader = Reader::new(said.as_ref(), head.url.host());
            reading.branch.url = head.url;
            crawl.directories += 1;
            effects.push(Effect::Verdict { id, verdict: Verdict::Accept });
            true
        }
        FetchEvent::Head(head)
            if head.media != media::DIRECTORY && reading.branch.path.is_empty() && !crawl.scope.is_marked() =>
        {
            // Where a link leads, only its server knew.
            let key = cx.key_for("download").map(|key| format!(": {key} saves it")).unwrap_or_default();
            cx.complain(format!("This is no directory, but a file{key}."));
            effects.push(Effect::Verdict { id, verdict: Verdict::Refuse });
            effects.extend(stop(cx));
            return effects;
        }
        FetchEvent::Head(_) => {
            crawl.leave_all(&reading, "it is no directory");
            effects.push(Effect::Verdict { id, verdict: Verdict::Refuse });
            false
        }
        FetchEvent::Body(octets) => {
            for found in reading.reader.feed(&octets) {
                crawl.take(&mut reading, found);
            }
            true
        }
        FetchEvent::End(end) => {
            for found in reading.reader.finish() {
                crawl.take(&mut reading, found);
            }
            if let Some(remark) = end.cut {
                crawl.leave_all(&reading, &format!("its listing is not whole: {remark}"));
            }
            false
        }
        FetchEvent::Failed(error) => {
            crawl.leave_all(&reading, &error.detail);
            false
        }
        FetchEvent::Moved(_) | FetchEvent::Unchanged => {
            crawl.leave_all(&reading, "it is elsewhere");
            false
        }
    };
    match goes_on {
        true => crawl.now.insert(at, reading),
        false => {
            // A home is more than what comes from there.
            let is_own = reading.branch.path.is_empty() && !crawl.in_home && !crawl.scope.is_marked();
            let own = reading.reader.modified().filter(|_| is_own);
            crawl.times.extend(own.map(|time| (String::new(), time)));
            crawl.take_held(&mut reading);
            if let Scope::MarkedAgain(rows) = &mut crawl.scope
                && whole
                && reading.branch.path.is_empty()
            {
                let gone = std::mem::take(rows).into_iter();
                crawl.notes.extend(gone.map(|name| format!("{name} is not there any more")));
            }
        }
    }
    // What was found may be read beside it.
    effects.extend(next(cx));
    effects
}

/// A directory's listing, and of the server that was asked: entries lead nowhere else.
fn is_listing(head: &Head, asked: &Url) -> bool {
    head.media == media::DIRECTORY
        && head.url.scheme().eq_ignore_ascii_case(asked.scheme())
        && (head.url.host(), head.url.port()) == (asked.host(), asked.port())
}

/// Enter on the plan.
pub(in crate::app) fn start(cx: &mut Cx<'_>) -> Vec<Effect> {
    let whole = cx.transfers.crawl.as_ref().is_some_and(|crawl| {
        let nothing = crawl.leaves.is_empty() && crawl.links.is_empty() && crawl.folders.is_empty();
        crawl.now.is_empty() && !nothing
    });
    if !whole {
        let why = if cx.transfers.crawl.as_ref().is_some_and(|crawl| !crawl.now.is_empty()) {
            "still reading"
        } else {
            "nothing to save"
        };
        cx.say(why);
        return Vec::new();
    }
    plan::close(cx);
    if let Some(crawl) = cx.transfers.crawl.take() {
        if is_coming(cx.sight(), &crawl) {
            let shows = cx.key_for("downloads").map(|key| format!("; {key} shows how far it is")).unwrap_or_default();
            cx.say(format!("{} is being saved already{shows}", crawl.folder));
            return Vec::new();
        }
        if matches!(crawl.scope, Scope::Marked)
            && cx.entry().is_some_and(|entry| entry.page.as_deref().is_some_and(|p| p.head.url == crawl.root))
        {
            marking::drop_all(cx);
        }
        let request =
            Request { login: cx.sight().login_as(crawl.request.private, &crawl.root), ..crawl.request.clone() };
        let (root, folder) = (crawl.root.clone(), crawl.folder.clone());
        let manner = crawl.manner.clone();
        return tree::add(cx, root, request, folder, manner, crawl.agreed());
    }
    Vec::new()
}

/// Whether files of a plan are on their way into its folder: two that write the same would be in each other's way.
fn is_coming(sight: Sight<'_>, crawl: &Crawl) -> bool {
    let here = path::whole(sight, &crawl.folder);
    let paths: BTreeSet<&str> = crawl.leaves.iter().map(|leaf| leaf.path.as_str()).collect();
    // Marked rows are some of many, and others of them may be coming.
    let meets =
        |tree: &Tree| !crawl.scope.is_marked() || tree.leaves.iter().any(|leaf| paths.contains(leaf.path.as_str()));
    let downloads = sight.transfers.downloads.iter().filter(|download| download.state.is_open());
    downloads
        .filter_map(|download| Some((download, download.tree.as_deref()?)))
        .any(|(download, tree)| meets(tree) && path::whole(sight, &download.path) == here)
}

/// Esc on the plan.
pub(in crate::app) fn stop(cx: &mut Cx<'_>) -> Vec<Effect> {
    plan::close(cx);
    let reading = cx.transfers.crawl.take().map(|crawl| crawl.now).unwrap_or_default();
    reading.into_iter().map(|reading| Effect::Cancel(reading.id)).collect()
}
