//! Who asks: one request at a time, so many at most, with a pause for each host, by the rules that servers have for robots;
//! what is known is not asked for again.

use super::page::Page;
use super::robots::{self, Robots};
use super::visit::{Fate, Got, Step, Visited, fetch, judge, onward};
use super::{Manner, site};
use crate::app::redirect;
use crate::proto::{FetchError, Kind, Moved, Request};
use crate::shell::fetch::World;
use crate::shell::setup::Setup;
use crate::url::scheme::{self, Family, Plan, mid};
use crate::url::{Url, UrlError, equal};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::time::Instant;

/// Requests to one host that need no rules for robots.
const FEW: u32 = 20;
/// Octets of a page that are read.
const MOST_OCTETS: usize = 4 << 20;
/// Octets of pages that are remembered, for the places that fragments name in them.
const MOST_KEPT: usize = 64 << 20;

pub(in crate::shell) struct Asker<'a> {
    manner: Manner,
    world: Arc<World>,
    setup: &'a Setup,
    /// By normal form.
    visited: HashMap<String, Visited>,
    /// Requests to each server, and when the last one was.
    asked: HashMap<String, (u32, Instant)>,
    /// What each server says to robots.
    robots: HashMap<String, Robots>,
    /// Octets of the pages that are remembered.
    kept: usize,
    /// How many requests may still be sent.
    left: u32,
}

/// What is wanted of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// That it begins.
    Head,
    /// The page, if it is one.
    Page,
    /// The page, of the type that is said of the pages given.
    Given,
}

/// A step on the way to where a page is.
struct Hop {
    /// The normal form of what was asked for.
    key: String,
    /// What the server said, and where to.
    said: String,
    /// The place in the page that it names.
    fragment: Option<String>,
}

impl<'a> Asker<'a> {
    pub(in crate::shell) fn new(manner: Manner, setup: &'a Setup, world: Arc<World>) -> Asker<'a> {
        let (visited, asked, robots) = (HashMap::new(), HashMap::new(), HashMap::new());
        Asker { left: manner.max, manner, world, setup, visited, asked, robots, kept: 0 }
    }

    /// What following a URL does, by the rules that the browser follows.
    pub(in crate::shell) fn plan(&self, url: &Url) -> Result<Plan, UrlError> {
        self.setup.loaded.settings.http.proxies.plan(url).map(|plan| mid::at_hand(url, plan))
    }

    /// Asks for a page, from one address to the next, or remembers what came of it. What is remembered of a page given is of its
    /// own type. A `robot` asks for the rules first. What no page `led` to, the reader named.
    pub(super) async fn visit(&mut self, url: &Url, led: Option<&Url>, wanted: Wanted, robot: bool) -> Visited {
        let (mut hops, mut target, mut wanted) = (Vec::new(), url.without_fragment(), wanted);
        let mut fits = true;
        let mut visited = loop {
            let key = equal::of_page(&target).into_owned();
            if let Some(known) = self.known(&key, wanted, robot) {
                break known;
            }
            match self.step(&target, led, wanted, robot).await {
                Ok(moved) if hops.len() == usize::from(redirect::most(&target)) => {
                    let why =
                        format!("it leads from one address to the next without end, at last to {}", moved.0.redacted());
                    break Visited::new(Fate::Error, why);
                }
                Ok((to, status)) => {
                    let fragment = to.fragment().map(str::to_owned);
                    if fragment.is_some() && wanted == Wanted::Head {
                        wanted = Wanted::Page;
                    }
                    hops.push(Hop { key, said: format!("{status}: {}", to.redacted()), fragment });
                    if let Some(judged) = judge(&to, Some(&target), self.plan(&to)) {
                        break judged;
                    }
                    target = to.without_fragment();
                }
                Err(visited) => {
                    fits = self.has_room(&visited);
                    self.remember(key, &visited, fits);
                    break visited;
                }
            }
        };
        // What a step came to is known of each that led to it.
        for hop in hops.into_iter().rev() {
            if visited.fate == Fate::Ok {
                (visited.fate, visited.detail) = (Fate::Moved, hop.said);
            }
            visited.landing = visited.landing.or(hop.fragment);
            self.remember(hop.key, &visited, fits);
        }
        visited
    }

    /// Asks for what a URL names, a page or not, from one address to the next, and says which those were. What a page `led` to is asked
    /// for by the rules for robots.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub(in crate::shell) async fn take(
        &mut self,
        url: &Url,
        led: Option<&Url>,
        most: usize,
    ) -> Result<(Vec<Moved>, Got), String> {
        let (mut hops, mut target) = (Vec::new(), url.without_fragment());
        loop {
            if led.is_some()
                && let Some(barred) = self.bar(&target, led).await
            {
                return Err(barred.detail);
            }
            let moved = match self.ask(&target, led, most).await {
                Step::Here(got) => return Ok((hops, *got)),
                Step::Elsewhere(moved) => moved,
                Step::Said(status) => return Err(status),
                Step::Failed(error) => return Err(error.detail),
            };
            if hops.len() >= usize::from(redirect::most(&target)) {
                return Err("it leads from one address to the next without end".into());
            }
            target = onward(&moved).map_err(|visited| visited.detail)?.without_fragment();
            if let Some(judged) = judge(&target, Some(&moved.from), self.plan(&target)) {
                return Err(judged.detail);
            }
            hops.push(*moved);
        }
    }

    fn known(&self, key: &str, wanted: Wanted, robot: bool) -> Option<Visited> {
        let typed = wanted == Wanted::Given && self.manner.media.is_some();
        let read = |known: &Visited| known.read && !typed;
        let serves = |known: &&Visited| {
            (read(known) || wanted == Wanted::Head || !known.fate.is_there()) && (robot || !known.barred)
        };
        self.visited.get(key).filter(serves).cloned()
    }

    /// Whether a page that was read can be kept beside the others.
    fn has_room(&mut self, visited: &Visited) -> bool {
        let size = visited.page.as_ref().map_or(0, |page| page.octets.len());
        let fits = self.kept + size <= MOST_KEPT;
        self.kept += if fits { size } else { 0 };
        fits
    }

    /// Without its page, if that does not fit: it is asked for again, should somebody name a place in it.
    fn remember(&mut self, key: String, visited: &Visited, fits: bool) {
        let page = visited.page.clone().filter(|_| fits);
        self.visited.insert(key, Visited { read: visited.read && fits, page, ..visited.clone() });
    }

    /// One request: where it is elsewhere and what the server says of that, or what came of it.
    async fn step(
        &mut self,
        url: &Url,
        led: Option<&Url>,
        wanted: Wanted,
        robot: bool,
    ) -> Result<(Url, String), Visited> {
        let many = self.asked.get(&site(url)).is_some_and(|(asked, _)| *asked >= FEW);
        if (robot || many)
            && let Some(barred) = self.bar(url, led).await
        {
            return Err(barred);
        }
        let whole = wanted != Wanted::Head;
        let got = match self.ask(url, led, if whole { MOST_OCTETS } else { 0 }).await {
            Step::Here(mut got) => {
                let said = self.manner.media.clone().filter(|_| wanted == Wanted::Given);
                got.head.media = said.unwrap_or(got.head.media);
                got
            }
            Step::Elsewhere(moved) => return onward(&moved).map(|to| (to, moved.status)),
            Step::Said(status) => return Err(Visited::said(status)),
            Step::Failed(error) => return Err(Visited::failed(error)),
        };
        let there = Visited::new(Fate::Ok, got.cut.clone().unwrap_or_default());
        let page = if whole { Page::read(*got, self.setup.base.as_ref()) } else { None };
        Err(Visited { page, read: whole, ..there })
    }

    /// Sends a request when its host has had its pause.
    async fn ask(&mut self, url: &Url, led: Option<&Url>, most: usize) -> Step {
        // For what stands in the address itself nothing is sent.
        if scheme::family(url) != Family::Data {
            let Some(left) = self.left.checked_sub(1) else {
                let detail = format!("more than {} requests (--max)", self.manner.max);
                return Step::Failed(FetchError::new(Kind::Stopped, detail));
            };
            self.left = left;
        }
        let (asked, last) = self.asked.get(&site(url)).map_or((0, None), |(asked, last)| (*asked, Some(*last)));
        if let Some(last) = last.filter(|_| url.host().is_some_and(|host| !host.is_empty())) {
            tokio::time::sleep_until(last + self.manner.pause).await;
        }
        let (private, led) = (!self.manner.cookies, led.cloned());
        let request = Request { private, led, ..Request::new(url.clone()) };
        let step = fetch(&self.world, request, most, self.manner.longest).await;
        self.asked.insert(site(url), (asked.saturating_add(1), Instant::now()));
        step
    }

    /// What becomes of a URL that its server wants no robots to ask for.
    async fn bar(&mut self, url: &Url, led: Option<&Url>) -> Option<Visited> {
        let rules = robots::place(url)?;
        if equal::of_page(&rules) == equal::of_page(url) {
            return None;
        }
        let key = site(url);
        if !self.robots.contains_key(&key) {
            let robots = self.rules(rules, led).await;
            self.robots.insert(key.clone(), robots);
        }
        self.robots.get(&key)?.bar(url)
    }

    /// Reads the rules of a server, which may be elsewhere.
    async fn rules(&mut self, place: Url, led: Option<&Url>) -> Robots {
        let mut target = place;
        for _ in 0..=robots::HOPS {
            match self.ask(&target, led, robots::MOST).await {
                Step::Here(got) => return Robots::read(&got.octets),
                Step::Said(status) => return Robots::said(&status),
                Step::Failed(error) => return Robots::failed(error),
                Step::Elsewhere(moved) => match onward(&moved) {
                    Ok(to) if judge(&to, Some(&target), self.plan(&to)).is_none() => target = to.without_fragment(),
                    _ => break,
                },
            }
        }
        Robots::open()
    }
}
