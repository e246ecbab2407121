//! `wayfarer url check`: every link of pages, menus, listings and articles, where it stands, how it was resolved, and what
//! became of it.
//!
//! What is asked for is bounded: so many addresses, so deep, one at a time with a pause for each host; deeper pages only on the
//! hosts of the pages given. Rules for robots are asked for and kept as soon as more is asked of a host than its first few
//! pages, or more than the pages given are read. Refuses: sending anything that a reader would be asked about.

mod robots;
mod tree;
mod visit;

use super::cli::{FAILED, SHOWN, Setup, complain};
use super::fetch::World;
use super::url_cmd::{LinkRow, link_row};
use crate::url::scheme::{self, Family, gopher::Gopher};
use crate::url::{Resolved, Url, equal};
use robots::Robots;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::Duration;
use visit::{Fate, Page, Visited, judge, visit};

/// Requests to one host that need no rules for robots.
const FEW: u32 = 20;
/// How far behind the last link the next one is looked for in the source, in octets.
const WINDOW: usize = 64 << 10;

/// Octets of pages that are remembered, for the places that fragments name in them.
const MOST_KEPT: usize = 64 << 20;

/// What is to be checked, and how far.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) json: bool,
    pub(super) no_fetch: bool,
    pub(super) depth: u32,
    pub(super) max: u32,
    pub(super) pause: Duration,
    /// The bases of the pages are wanted instead of their links.
    pub(super) bases: bool,
}

impl Task {
    /// The bases of pages.
    pub(super) fn bases() -> Task {
        Task { json: false, no_fetch: false, depth: 1, max: u32::MAX, pause: Duration::ZERO, bases: true }
    }
}

/// Does what is wanted of pages; the exit status is 1 where one cannot be read, or a link is broken.
pub(super) fn run(setup: Setup, places: &[Url], task: Task) -> u8 {
    let sandbox = match setup.sandbox() {
        Ok(sandbox) => sandbox,
        Err(sentence) => return complain(&sentence),
    };
    let world = match setup.world(places, &sandbox, |sentence| {
        complain(&sentence);
    }) {
        Ok(world) => Arc::new(world),
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    // All threads that are begun from now on, too. The one that writes certificates and cookies is there already.
    sandbox.confine();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("cannot start: {error}")),
    };
    let writer = Arc::clone(&world.writer);
    let hosts = places.iter().map(site).collect();
    let mut check = Check {
        task,
        world,
        setup,
        hosts,
        robots: Robots::default(),
        visited: HashMap::new(),
        asked: HashMap::new(),
        kept: 0,
        left: 0,
        out: BufWriter::with_capacity(1 << 16, io::stdout()),
        broken: false,
    };
    let status = match check.task.bases {
        true => runtime.block_on(check.bases(places)),
        false => runtime.block_on(check.all(places)),
    };
    runtime.shutdown_background();
    for sentence in writer.finish() {
        complain(&sentence);
    }
    match status {
        Ok(status) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => SHOWN,
        Err(error) => complain(&format!("cannot write: {error}")),
    }
}

/// Scheme, host and port: what a server is.
fn site(url: &Url) -> String {
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    format!("{}://{host}:{}", url.scheme().to_ascii_lowercase(), url.port().unwrap_or_default())
}

struct Check {
    task: Task,
    world: Arc<World>,
    setup: Setup,
    /// The servers of the pages given: deeper pages are read only there.
    hosts: BTreeSet<String>,
    robots: Robots,
    /// By normal form.
    visited: HashMap<String, Visited>,
    /// Requests to each server.
    asked: HashMap<String, u32>,
    /// Octets of the pages that are remembered.
    kept: usize,
    /// How many addresses may still be asked for.
    left: u32,
    out: BufWriter<io::Stdout>,
    broken: bool,
}

impl Check {
    async fn all(&mut self, places: &[Url]) -> io::Result<u8> {
        self.left = self.task.max;
        let mut next: VecDeque<(Url, u32)> = places.iter().map(|place| (place.clone(), 1)).collect();
        let mut seen: BTreeSet<String> = places.iter().map(|place| equal::of_page(place).into_owned()).collect();
        let mut status = SHOWN;
        while let Some((url, depth)) = next.pop_front() {
            let visited = match judge(&url, None, self.plan(&url)) {
                Some(judged) => judged,
                None => self.visit(&url, true, depth > 1).await,
            };
            let Some(page) = visited.page else {
                if depth == 1 {
                    status = complain(&format!("{}: {} {}", url.redacted(), visited.fate.word(), visited.detail));
                }
                continue;
            };
            if !visited.detail.is_empty() && visited.fate == Fate::Ok {
                complain(&format!("{}: {}", url.redacted(), visited.detail));
            }
            for found in self.page(&page, depth).await? {
                if seen.insert(equal::of_page(&found).into_owned()) {
                    next.push_back((found, depth + 1));
                }
            }
        }
        self.out.flush()?;
        Ok(if self.broken { FAILED } else { status })
    }

    /// Prints the entities of pages with the base that each gives.
    async fn bases(&mut self, places: &[Url]) -> io::Result<u8> {
        self.left = self.task.max;
        let mut status = SHOWN;
        for url in places {
            let visited = match judge(url, None, self.plan(url)) {
                Some(judged) => judged,
                None => self.visit(url, true, false).await,
            };
            match visited.page {
                Some(page) => tree::lines(&page, self.setup.base.as_ref())
                    .iter()
                    .try_for_each(|line| writeln!(self.out, "{}", crate::doc::sanitise(line)))?,
                None => {
                    status = complain(&format!("{}: {} {}", url.redacted(), visited.fate.word(), visited.detail));
                }
            }
        }
        self.out.flush()?;
        Ok(status)
    }

    fn plan(&self, url: &Url) -> Result<scheme::Plan, crate::url::UrlError> {
        self.setup.loaded.settings.http.proxies.plan(url)
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
                    let fate = fragment_fate(page, url.fragment());
                    (Some(url), fate)
                }
                Ok(Resolved::Url(url)) => {
                    let goes_on = depth < self.task.depth && self.hosts.contains(&site(&url));
                    let visited = self.link(page, &url, goes_on).await;
                    if goes_on && visited.page.is_some() {
                        deeper.push(url.clone());
                    }
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
            return fragment_fate(page, url.fragment());
        }
        if let Some(judged) = judge(url, Some(&page.url), self.plan(url)) {
            return judged;
        }
        if self.task.no_fetch {
            return Visited::new(Fate::Unchecked, "not fetched");
        }
        let visited = self.visit(url, goes_on || url.fragment().is_some(), self.task.depth > 1).await;
        match (&visited.page, visited.fate) {
            (Some(target), Fate::Ok | Fate::Moved) => match fragment_fate(target, url.fragment()) {
                Visited { fate: Fate::Ok | Fate::Unchecked, .. } => visited,
                without => without,
            },
            _ => visited,
        }
    }

    /// Asks for a page, or remembers what came of it.
    async fn visit(&mut self, url: &Url, whole: bool, robot: bool) -> Visited {
        let key = equal::of_page(url).into_owned();
        if let Some(known) =
            self.visited.get(&key).filter(|known| !whole || known.page.is_some() || known.fate != Fate::Ok)
        {
            return known.clone();
        }
        if self.left == 0 {
            return Visited::new(Fate::Unchecked, format!("more than {} addresses (--max)", self.task.max));
        }
        self.left -= 1;
        let asked = self.asked.entry(site(url)).or_default();
        *asked += 1;
        let (many, again) = (*asked > FEW, *asked > 1);
        let remote = url.host().is_some_and(|host| !host.is_empty());
        if again && remote {
            tokio::time::sleep(self.task.pause).await;
        }
        let world = Arc::clone(&self.world);
        if (robot || many) && !self.robots.allow(&world, url).await {
            return Visited::new(Fate::Unchecked, "robots.txt asks to leave it alone");
        }
        let visited = visit(&world, url, whole, self.setup.base.as_ref()).await;
        let size = visited.page.as_ref().map_or(0, |page| page.octets.len());
        let mut remembered = visited.clone();
        if self.kept + size > MOST_KEPT {
            // asked for again, should somebody name a place in it
            remembered.page = None;
        } else {
            self.kept += size;
        }
        self.visited.insert(key, remembered);
        visited
    }
}

/// Whether a page has the place that a fragment names.
fn fragment_fate(page: &Page, fragment: Option<&str>) -> Visited {
    let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) else { return Visited::new(Fate::Ok, "") };
    let decoded = String::from_utf8_lossy(&crate::url::escape::decode(fragment)).into_owned();
    let named = |name: &str| page.document.anchor(name).is_some();
    // browsers know this one without its being there
    let there = named(fragment) || named(&decoded) || fragment.eq_ignore_ascii_case("top");
    match there {
        true => Visited::new(Fate::Ok, ""),
        // what a heading is called is up to whoever shows it
        false if page.media == "text/markdown" => Visited::new(Fate::Unchecked, "headings of Markdown have no names"),
        false => Visited::new(Fate::NoFragment, format!("nothing there is called \"{}\"", scheme::plain(fragment))),
    }
}

/// The lines of a source, found by the references in it, one after the other.
pub(super) struct Lines<'a> {
    octets: &'a [u8],
    at: usize,
    line: usize,
    /// References that were not found; after so many nothing is looked for any more.
    missed: usize,
}

/// As many references may stand in a page in other words than they have in its links.
const MISSED: usize = 1000;

impl Lines<'_> {
    pub(super) fn new(octets: &[u8]) -> Lines<'_> {
        Lines { octets, at: 0, line: 1, missed: 0 }
    }

    /// The line of the next place where a reference stands; `None` where it is not found nearby as written.
    pub(super) fn of(&mut self, reference: &str) -> Option<usize> {
        if self.missed >= MISSED {
            return None;
        }
        self.missed += 1;
        let window = &self.octets[self.at..self.octets.len().min(self.at + WINDOW)];
        let find = |words: &[u8]| {
            let alone = |at: &usize| {
                let before = at.checked_sub(1).map_or(b' ', |before| window[before]);
                let after = window.get(at + words.len()).copied().unwrap_or(b' ');
                b"\"'=(<>[| \t\n".contains(&before) && b"\"')<>]| \t\r\n".contains(&after)
            };
            if words.is_empty() { None } else { memchr::memmem::find_iter(window, words).find(alone) }
        };
        let selector = || {
            let url = Url::parse(reference).ok().filter(|url| scheme::family(url) == Family::Gopher)?;
            let selector = Gopher::of(&url).ok()?.selector;
            memchr::memmem::find(window, &[b"\t", selector.as_slice(), b"\t"].concat())
        };
        let found = find(reference.as_bytes())
            .or_else(|| find(reference.replace('&', "&amp;").as_bytes()).filter(|_| reference.contains('&')))
            .or_else(selector)?;
        self.missed -= 1;
        self.line += memchr::memchr_iter(b'\n', &window[..found]).count();
        // The same reference may follow.
        self.at += found + 1;
        Some(self.line)
    }
}
