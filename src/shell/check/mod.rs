//! `wayfarer url check`: every link of pages, menus, listings and articles, where it stands, how it was resolved, and what
//! became of it.
//!
//! What is asked for is bounded: so many requests, so deep, one at a time with a pause for each host; deeper pages only on the
//! hosts of the pages given. Rules for robots are asked for and kept as soon as more is asked of a host than its first few
//! pages, or more than the pages given are read. Refuses: sending anything that a reader would be asked about, and, unless
//! it is told to, what is kept of the reader.

mod asker;
mod lines;
mod page;
mod robots;
mod tree;
mod visit;

use super::cli::{FAILED, SHOWN, Setup, complain};
use super::fetch::World;
use super::once;
use super::url_cmd::{LinkRow, link_row};
use crate::url::scheme::Act;
use crate::url::{Resolved, Url, equal};
use asker::{Asker, Wanted};
pub(super) use lines::Lines;
use page::Page;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;
use visit::{Fate, Visited, judge};

/// What is to be checked, and how far.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) json: bool,
    pub(super) no_fetch: bool,
    /// The reader's cookies are sent.
    pub(super) cookies: bool,
    pub(super) depth: u32,
    pub(super) max: u32,
    pub(super) pause: Duration,
    /// What the pages given are, whatever is said of them.
    pub(super) media: Option<String>,
    /// The bases of the pages are wanted instead of their links.
    pub(super) bases: bool,
}

impl Task {
    /// The bases of pages.
    pub(super) fn bases() -> Task {
        let (json, no_fetch, cookies, pause) = (false, false, false, Duration::ZERO);
        Task { json, no_fetch, cookies, depth: 1, max: u32::MAX, pause, media: None, bases: true }
    }
}

/// Does what is wanted of pages; the exit status is 1 where one cannot be read, or a link is broken.
pub(super) fn run(setup: &Setup, places: &[Url], task: Task) -> u8 {
    once::run(setup, places, async |world| {
        let mut check = Check::new(task, setup, world);
        match check.task.bases {
            true => check.bases(places).await,
            false => check.all(places).await,
        }
    })
}

/// Scheme, host and port: what a server is.
fn site(url: &Url) -> String {
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    format!("{}://{host}:{}", url.scheme().to_ascii_lowercase(), url.port().unwrap_or_default())
}

struct Check<'a> {
    task: Task,
    setup: &'a Setup,
    asker: Asker<'a>,
    /// The servers of the pages given: deeper pages are read only there.
    hosts: BTreeSet<String>,
    out: BufWriter<io::Stdout>,
    broken: bool,
}

impl Check<'_> {
    fn new(task: Task, setup: &Setup, world: Arc<World>) -> Check<'_> {
        let (asker, out) = (Asker::new(task.clone(), setup, world), BufWriter::with_capacity(1 << 16, io::stdout()));
        Check { task, setup, asker, hosts: BTreeSet::new(), out, broken: false }
    }

    async fn all(&mut self, places: &[Url]) -> io::Result<u8> {
        self.hosts.extend(places.iter().map(site));
        let key = |url: &Url| equal::of_page(url).into_owned();
        let mut seen = BTreeSet::new();
        let given = places.iter().filter(|place| seen.insert(key(place)));
        let mut next: VecDeque<(Url, u32)> = given.map(|place| (place.clone(), 1)).collect();
        let mut status = SHOWN;
        while let Some((url, depth)) = next.pop_front() {
            let Some(page) = self.read(&url, depth).await else {
                status = status.max(if depth == 1 { FAILED } else { SHOWN });
                continue;
            };
            // Several addresses may lead to one page.
            let at = key(&page.url);
            if at != key(&url) && !seen.insert(at) {
                continue;
            }
            if let Some(cut) = &page.cut {
                complain(&format!("{}: {cut}", page.url.redacted()));
            }
            if depth == 1 {
                self.hosts.insert(site(&page.url));
            }
            let found = self.page(&page, depth).await?;
            let new = found.into_iter().filter(|found| seen.insert(key(found)));
            next.extend(new.map(|found| (found, depth + 1)));
        }
        self.out.flush()?;
        Ok(if self.broken { FAILED } else { status })
    }

    /// Prints the entities of pages with the base that each gives.
    async fn bases(&mut self, places: &[Url]) -> io::Result<u8> {
        let mut status = SHOWN;
        for url in places {
            match self.read(url, 1).await {
                Some(page) => tree::lines(&page, self.setup.base.as_ref())
                    .iter()
                    .try_for_each(|line| writeln!(self.out, "{}", crate::doc::sanitise(line)))?,
                None => status = FAILED,
            }
        }
        self.out.flush()?;
        Ok(status)
    }

    /// Reads a page; one of those given that cannot be read is told.
    async fn read(&mut self, url: &Url, depth: u32) -> Option<Arc<Page>> {
        let plan = self.asker.plan(url);
        if let Ok(Act::Open(within)) = plan.as_ref().map(|plan| &plan.act) {
            return Box::pin(self.read(within, depth)).await;
        }
        let visited = match judge(url, None, plan) {
            Some(judged) => judged,
            None => self.asker.visit(url, if depth == 1 { Wanted::Given } else { Wanted::Page }, depth > 1).await,
        };
        if visited.page.is_none() && depth == 1 {
            let why = match visited.fate.is_there() {
                true => "it is no page that can be read".to_owned(),
                false => format!("{} {}", visited.fate.word(), visited.detail),
            };
            complain(&format!("{}: {why}", url.redacted()));
        }
        visited.page
    }

    /// Checks the links of a page; what is to be read next is the answer.
    async fn page(&mut self, page: &Arc<Page>, depth: u32) -> io::Result<Vec<Url>> {
        let mut lines = Lines::new(&page.octets);
        let mut deeper = Vec::new();
        let layer = page.bases.effective();
        for number in 0..page.document.link_count() {
            let Some(link) = page.document.link(crate::doc::LinkId(number), &page.bases) else { continue };
            let line = lines.of(&link.reference);
            let (url, visited) = match link.target {
                Err(error) => (None, Visited::new(Fate::Refused, error.to_string())),
                Ok(Resolved::SameDocument { fragment }) => {
                    let url = page.url.with_fragment(fragment.as_deref());
                    let fate = page.place(url.fragment());
                    (Some(url), fate)
                }
                Ok(Resolved::Url(url)) => {
                    let goes_on = depth < self.task.depth && self.hosts.contains(&site(&url));
                    let visited = self.link(page, &url, goes_on).await;
                    // A redirect may have led to another host.
                    let found = visited.page.iter().filter(|page| goes_on && self.hosts.contains(&site(&page.url)));
                    deeper.extend(found.map(|_| url.clone()));
                    (Some(url), visited)
                }
            };
            self.broken |= visited.fate.is_broken();
            let row = LinkRow {
                page: &page.url,
                line,
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

    async fn link(&mut self, page: &Arc<Page>, url: &Url, goes_on: bool) -> Visited {
        if equal::of_page(url) == equal::of_page(&page.url) {
            return page.place(url.fragment());
        }
        let plan = self.asker.plan(url);
        // An address may stand within another one, as it does in menus.
        if let Ok(Act::Open(within)) = plan.as_ref().map(|plan| &plan.act) {
            return Box::pin(self.link(page, within, goes_on)).await;
        }
        if let Some(judged) = judge(url, Some(&page.url), plan) {
            return judged;
        }
        if self.task.no_fetch {
            return Visited::new(Fate::Unchecked, "not fetched");
        }
        let wanted = if goes_on || url.fragment().is_some() { Wanted::Page } else { Wanted::Head };
        let visited = self.asker.visit(url, wanted, self.task.depth > 1).await;
        let Some(target) = visited.page.as_ref().filter(|_| visited.fate.is_there()) else { return visited };
        let place = target.place(visited.landing.as_deref().or(url.fragment()));
        match place.fate {
            Fate::Ok => visited,
            _ => Visited { page: visited.page, ..place },
        }
    }
}
