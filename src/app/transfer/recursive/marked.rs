//! Marked rows into one folder: a plan as of a directory, of the files among them and of what is below the directories.
//!
//! Only what Enter would fetch from there without a question, and of the page's own space, is in the plan: rows are marked by
//! globs, unread. Refuses: asking, programs, ports that need a word, other spaces.

use super::entries::as_file;
use super::names::{are_kept, is_kept};
use super::{DIRECTORIES, is_directory, next, plan, stop};
use crate::app::motion::marking;
use crate::app::state::Cx;
use crate::app::state::transfers::{Branch, Crawl, Names, Scope, Why};
use crate::app::transfer::name;
use crate::app::transfer::name::{is_own, last, seen, written};
use crate::app::{Effect, Leaf, Sight};
use crate::doc::sanitise;
use crate::format::media;
use crate::proto::Request;
use crate::url::scheme::{self, Act};
use crate::url::{Url, equal};
use std::collections::BTreeSet;

/// Begins to plan; `folder` is where to, if the reader says so.
pub(in crate::app) fn begin(cx: &mut Cx<'_>, folder: &str) -> Vec<Effect> {
    let Some(page) = cx.entry().and_then(|entry| entry.page.as_deref()) else { return Vec::new() };
    let (root, listing) = (page.head.url.clone(), page.head.media == media::DIRECTORY);
    let targets = marking::targets(cx.sight());
    let folder = match folder {
        "" => format!("{}/{}", cx.desk.settings.downloads, name(cx.sight(), &root, None)),
        folder => folder.to_owned(),
    };
    let folder = folder[..folder.trim_end_matches('/').len().max(1)].to_owned();
    // A menu leads to any host: none of them is told what another one asks for.
    let login = cx.sight().login_for(&root).filter(|_| listing);
    let (private, led) = (cx.tab.private, Some(root.clone()));
    let request = Request { login, private, led, hidden: true, targets: true, ..Request::new(root.clone()) };
    let mut crawl = Crawl::new(cx.sight(), root.clone(), folder, request, Scope::Marked);
    crawl.entries = targets.len();
    let mut names = Names::new(crawl.folds, crawl.given.remove("").unwrap_or_default());
    let mut named = BTreeSet::new();
    let mut rows = Vec::with_capacity(targets.len());
    let mut rows_again = Vec::with_capacity(targets.len());
    for (url, given, size) in targets {
        let words = words(cx.sight(), given);
        if !is_of(&root, &url, listing) {
            crawl.leave(Why::Marked, words);
            continue;
        }
        let first = name(cx.sight(), &url, None);
        let first = if crawl.in_home { seen(&first).to_owned() } else { first };
        if first.is_empty() {
            crawl.leave(Why::Name, words);
            continue;
        }
        let own = last(&url);
        if listing && !named.insert(written(&own)) {
            crawl.leave(Why::Twice, words);
            continue;
        }
        let link = marking::is_link(cx.sight(), given);
        rows.push((names.given(&written(&own)), first, own, words, url, size, link));
    }
    names.release();
    // What was given a name before has it; then comes what can keep its own.
    rows.sort_by_key(|(given, first, own, ..)| given.is_none() && !is_own(first, own));
    for (given, first, own, words, url, size, link) in rows {
        let path = given.unwrap_or_else(|| names.free(first.clone()));
        let (is_own, own) = (is_own(&path, &own), written(&own));
        // What a menu calls its rows are no names of files.
        let changed = match listing {
            true => (!is_own).then_some(&own),
            false => (path != first).then_some(&words),
        };
        if let Some(own) = changed {
            crawl.changes.push(format!("{own} is saved as {path}"));
        }
        rows_again.push(own.clone());
        if !is_own && is_kept(&own, crawl.manner.names.len()) {
            crawl.manner.names.push((own, path.clone()));
        }
        match () {
            () if !is_directory(&url) => {
                let (modified, mark) = (None, None);
                let url = if link { as_file(url) } else { url };
                crawl.add(Leaf { url, path, size, modified, runs: false, link, anew: false, replaces: false, mark });
            }
            () if crawl.seen.len() >= DIRECTORIES => crawl.leave(Why::Many, words),
            () if !crawl.seen.insert(equal::normal(&url).into_owned()) => crawl.leave(Why::Seen, words),
            () => {
                let (path, marks) = (format!("{path}/"), Vec::new());
                crawl.next.push_back(Branch { url, path, depth: 1, marks });
            }
        }
    }
    // Without a listing, or with too many of them, there is no other time.
    let again = listing && scheme::archive::words(&root).is_none() && are_kept(&rows_again);
    crawl.manner.rows = Some(if again { rows_again } else { Vec::new() });
    let mut effects = stop(cx);
    cx.transfers.crawl = Some(crawl);
    plan::open(cx);
    effects.extend(next(cx));
    effects
}

/// What a row says.
fn words(sight: Sight<'_>, given: crate::doc::LinkId) -> String {
    let page = sight.entry().and_then(|entry| entry.page.as_deref());
    page.map(|page| sanitise(page.given().link_text(given).trim()).into_owned()).unwrap_or_default()
}

/// Whether a row of a page is fetched without a word of the reader's.
fn is_of(root: &Url, url: &Url, listing: bool) -> bool {
    let fetched = |plan: scheme::Plan| {
        let act = matches!(plan.act, Act::Octets { .. } | Act::Commands { .. } | Act::Ssh { .. } | Act::File(_));
        // Rows of a listing on the web are those of an archive there.
        (act || listing && matches!(plan.act, Act::Http { .. })) && plan.confirm.is_none()
    };
    // What a listing of a server names lies there, and not in the listing.
    let same = scheme::family(&scheme::place(root)) == scheme::family(&scheme::place(url));
    let one = scheme::is_of_one_server(root, url);
    (if listing { one } else { same }) && scheme::plan(url).is_ok_and(fetched)
}
