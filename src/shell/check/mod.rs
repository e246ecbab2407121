//! `wayfarer url check`: every link of pages, menus, listings and articles, and what pages of HTML are made of: where it stands,
//! how it was resolved, and what became of it.
//!
//! What is asked for is bounded: so many requests, so deep, one at a time with a pause for each host; deeper pages only on the
//! hosts, or in the folders, of the pages given. Rules for robots are asked for and kept as soon as more is asked of a host than its first few
//! pages, or more than the pages given are read. Refuses: sending anything that a reader would be asked about, and, unless
//! it is told to, what is kept of the reader.

mod asker;
mod bounds;
mod lines;
mod page;
mod robots;
mod tree;
mod visit;

use super::cli::{FAILED, SHOWN, complain};
use super::once;
use super::setup::Setup;
use super::url_cmd::{LinkRow, link_row};
use crate::format::html::{Purpose, Reference};
use crate::url::scheme::Act;
use crate::url::{Resolved, Url, equal};
pub(super) use asker::Asker;
use asker::Wanted;
pub(super) use bounds::Bounds;
use bounds::site;
pub(super) use lines::Lines;
pub(super) use page::Page;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;
use visit::{Fate, Visited};
pub(super) use visit::{Got, judge};

/// What is to be checked, and how far.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) json: bool,
    pub(super) no_fetch: bool,
    /// Only what is broken is printed.
    pub(super) broken: bool,
    pub(super) depth: u32,
    pub(super) manner: Manner,
}

/// How servers are asked.
#[derive(Debug, Clone)]
pub(in crate::shell) struct Manner {
    /// The reader's cookies are sent.
    pub(in crate::shell) cookies: bool,
    /// The most requests.
    pub(in crate::shell) max: u32,
    /// Between two requests to one host.
    pub(in crate::shell) pause: Duration,
    /// What has not ended by then is cut.
    pub(in crate::shell) longest: Duration,
    /// What the pages given are, whatever is said of them.
    pub(in crate::shell) media: Option<String>,
}

impl Manner {
    /// That of a command which asks for nothing but the pages given.
    const PLAIN: Manner =
        Manner { cookies: false, max: u32::MAX, pause: Duration::ZERO, longest: Duration::from_secs(30), media: None };
}

/// Checks the links of pages; the exit status is 1 where a page cannot be read, or a link is broken.
pub(super) fn run(setup: &Setup, places: &[Url], task: Task) -> u8 {
    once::run(setup, places, async |world| {
        let asker = Asker::new(task.manner.clone(), setup, world);
        let out = BufWriter::with_capacity(1 << 16, io::stdout());
        Check { task, asker, bounds: Bounds::new(places), out, broken: false }.all(places).await
    })
}

/// Prints the entities of pages with the base that each gives; the exit status is 1 where one cannot be read.
pub(super) fn bases(setup: &Setup, places: &[Url]) -> u8 {
    once::run(setup, places, async |world| {
        let (mut asker, mut out) = (Asker::new(Manner::PLAIN, setup, world), io::stdout().lock());
        let mut status = SHOWN;
        for url in places {
            match read(&mut asker, url, None).await {
                Some(page) => tree::lines(&page, setup.base.as_ref())
                    .iter()
                    .try_for_each(|line| writeln!(out, "{}", crate::doc::sanitise(line)))?,
                None => status = FAILED,
            }
        }
        Ok(status)
    })
}

/// Reads a page; one that no page led to cannot go without a word.
async fn read(asker: &mut Asker<'_>, url: &Url, led: Option<&Url>) -> Option<Arc<Page>> {
    let plan = asker.plan(url);
    if let Ok(Act::Open(within)) = plan.as_ref().map(|plan| &plan.act) {
        return Box::pin(read(asker, within, led)).await;
    }
    let wanted = if led.is_none() { Wanted::Given } else { Wanted::Page };
    let visited = match judge(url, None, plan) {
        Some(judged) => judged,
        None => asker.visit(url, led, wanted, led.is_some()).await,
    };
    if visited.page.is_none() && led.is_none() {
        let why = match visited.fate {
            fate if fate.is_there() => "it is no page that can be read".to_owned(),
            Fate::Unchecked => format!("unchecked: {}", visited.detail),
            // It says itself what is wrong.
            _ => visited.detail,
        };
        complain(&format!("{}: {why}", url.redacted()));
    }
    visited.page
}

struct Check<'a> {
    task: Task,
    asker: Asker<'a>,
    bounds: Bounds,
    out: BufWriter<io::Stdout>,
    broken: bool,
}

impl Check<'_> {
    async fn all(&mut self, places: &[Url]) -> io::Result<u8> {
        let key = |url: &Url| equal::of_page(url).into_owned();
        let mut seen = BTreeSet::new();
        let given = places.iter().filter(|place| seen.insert(key(place)));
        let mut next: VecDeque<(Url, u32, Option<Url>)> = given.map(|place| (place.clone(), 1, None)).collect();
        let mut status = SHOWN;
        while let Some((url, depth, led)) = next.pop_front() {
            let Some(page) = read(&mut self.asker, &url, led.as_ref()).await else {
                status = status.max(if depth == 1 { FAILED } else { SHOWN });
                continue;
            };
            // Several addresses may lead to one page.
            let at = key(&page.url);
            if at != key(&url) && !seen.insert(at) {
                continue;
            }
            for remark in page.cut.as_deref().into_iter().chain(page.left_out) {
                complain(&format!("{}: {remark}", page.url.redacted()));
            }
            if depth == 1 {
                self.bounds.widen(&page.url);
            }
            let found = self.page(&page, depth).await?;
            let new = found.into_iter().filter(|found| seen.insert(key(found)));
            next.extend(new.map(|found| (found, depth + 1, Some(page.url.clone()))));
        }
        self.out.flush()?;
        Ok(if self.broken { FAILED } else { status })
    }

    /// Checks the links of a page; what is to be read next is the answer.
    async fn page(&mut self, page: &Arc<Page>, depth: u32) -> io::Result<Vec<Url>> {
        let mut deeper = Vec::new();
        let layer = page.bases.effective();
        for link in &page.links {
            let (url, visited) = match page.bases.resolve(&link.reference) {
                Err(error) => (None, Visited::new(Fate::Refused, error.to_string())),
                Ok(Resolved::SameDocument { fragment }) => {
                    let url = page.url.with_fragment(fragment.as_deref());
                    let fate = page.place(url.fragment());
                    (Some(url), fate)
                }
                Ok(Resolved::Url(url)) => {
                    let follows = link.purpose == Purpose::Place && depth < self.task.depth;
                    let goes_on = follows && self.bounds.hold(&url);
                    let visited = self.link(page, link, &url, goes_on).await;
                    // A redirect may have led to another host.
                    let found = visited.page.iter().filter(|page| goes_on && self.bounds.hold(&page.url));
                    deeper.extend(found.map(|_| url.clone()));
                    (Some(url), visited)
                }
            };
            self.broken |= visited.fate.is_broken();
            if self.task.broken && !visited.fate.is_broken() {
                continue;
            }
            let row = LinkRow {
                page: &page.url,
                line: link.line,
                reference: &link.reference,
                base: layer.map(|(layer, base)| (layer.name(), base)),
                url: url.as_ref(),
                result: visited.fate.word(),
                detail: &visited.detail,
            };
            writeln!(self.out, "{}", link_row(&row, self.task.json))?;
            self.out.flush()?;
        }
        Ok(deeper)
    }

    async fn link(&mut self, page: &Arc<Page>, link: &Reference, url: &Url, goes_on: bool) -> Visited {
        if link.purpose == Purpose::Sent {
            return Visited::new(Fate::Unchecked, "a form sends its answers there");
        }
        if equal::of_page(url) == equal::of_page(&page.url) {
            return page.place(url.fragment());
        }
        let plan = self.asker.plan(url);
        // An address may stand within another one, as it does in menus.
        if let Ok(Act::Open(within)) = plan.as_ref().map(|plan| &plan.act) {
            return Box::pin(self.link(page, link, within, goes_on)).await;
        }
        if let Some(judged) = judge(url, Some(&page.url), plan) {
            return judged;
        }
        if self.task.no_fetch {
            return Visited::new(Fate::Unchecked, "not fetched");
        }
        let wanted = if goes_on || url.fragment().is_some() { Wanted::Page } else { Wanted::Head };
        let visited = self.asker.visit(url, Some(&page.url), wanted, self.task.depth > 1).await;
        let Some(target) = visited.page.as_ref().filter(|_| visited.fate.is_there()) else { return visited };
        let place = target.place(visited.landing.as_deref().or(url.fragment()));
        match place.fate {
            Fate::Ok => visited,
            _ => Visited { page: visited.page, ..place },
        }
    }
}
