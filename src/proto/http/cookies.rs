//! The cookie jar (RFC 6265): the library knows the rules, the reader decides which hosts may have any.
//!
//! In memory until the program ends; cookies of hosts that the settings let keep them are also written to one plain file, a
//! line each: the URL they are for, a TAB, the cookie as a server would set it. What the reader answered when they were asked
//! about a host stands there too: the host, a TAB, `keep` or `never`. What another running copy has changed in the file since
//! it was last read or written here stays, and counts here too. Refuses: cookies for whole registries, and hosts that the
//! reader denies them.

use super::crowd::{Crowd, Ident};
use super::site;
use crate::config::{self, CookieRule};
use crate::disk::{self, Asked, Kept, Lines};

use crate::proto::net;
use crate::url::Url;
use cookie_store::{Cookie, CookieExpiration, CookieStore, RawCookie, StoreAction};
use reqwest::header::HeaderValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Octets of one cookie (RFC 6265, 6.1).
const LARGEST: usize = 4096;
/// Bad lines that are told one by one; the others are counted.
const TOLD: usize = 10;
/// Hosts that are asked about at once, and cookies of one that wait for the answer.
const WAITING: usize = 50;

/// The jar.
#[derive(Default)]
pub struct Cookies {
    settings: Arc<config::Http>,
    kept: Option<Kept>,
    state: Arc<Mutex<State>>,
}

/// The lines of a file by what they are about: a cookie's place and name, or a host.
type Entries = BTreeMap<String, String>;

#[derive(Default)]
struct State {
    store: CookieStore,
    /// Whose those in the store are, and which of them go first.
    crowd: Crowd,
    /// Whether the file was read.
    read: bool,
    /// What the file held when it was last read or written.
    base: Entries,
    complaints: Vec<String>,
    /// What the reader answered, by host.
    chosen: BTreeMap<String, CookieRule>,
    /// Cookies that wait for an answer, by host, with the URL that set each.
    held: BTreeMap<String, Vec<(RawCookie<'static>, url::Url)>>,
    /// Hosts that the reader has been asked about.
    asked: BTreeSet<String>,
}

/// A host that wants to set cookies, and their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanting {
    /// The host, lower case.
    pub host: String,
    /// The names, as the server wrote them.
    pub names: Vec<String>,
}

/// The cookies of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The host, lower case.
    pub host: String,
    /// What becomes of its cookies.
    pub rule: CookieRule,
    /// Each cookie's name, and until when it is kept where the server says so.
    pub cookies: Vec<(String, Option<String>)>,
}

/// Never what is in it.
impl fmt::Debug for Cookies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookies").field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl Cookies {
    /// An empty jar, kept in that file as far as the settings let it.
    pub fn new(settings: config::Http, kept: Option<Kept>) -> Cookies {
        Cookies { settings: Arc::new(settings), kept, state: Arc::default() }
    }

    /// What goes to a place, as the field of a request says it: of what its site alone may ask for, only what the page that
    /// led there may have sent along (RFC 6265bis, 5.8.3). `changes` where the request is none that only reads.
    pub fn given(&self, url: &url::Url, led: Option<&Url>, changes: bool) -> Option<HeaderValue> {
        let state = self.state();
        if matches!(self.rule(&state, url.host_str()?), CookieRule::Never | CookieRule::Ask) {
            return None;
        }
        let same = led.is_none_or(|page| site::is_same(page, url));
        let all = state.store.matches(url).into_iter().filter(|cookie| same || site::travels(cookie, changes));
        let pairs: Vec<String> = all.map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect();
        HeaderValue::from_str(&pairs.join("; ")).ok().filter(|value| !value.is_empty())
    }

    /// What went wrong with the file since the last call.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.state().complaints)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves a jar behind that is still one.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut state.read, true)
            && let Some(kept) = &self.kept
        {
            state.load(&kept.file);
        }
        state
    }

    /// The hosts that the reader has to be asked about, each once.
    pub fn wanting(&self) -> Vec<Wanting> {
        let mut state = self.state();
        let fresh = |(host, held): (&String, &Vec<(RawCookie<'static>, url::Url)>)| Wanting {
            host: host.clone(),
            names: held.iter().map(|(cookie, _)| cookie.name().to_owned()).collect(),
        };
        let new: Vec<Wanting> = state.held.iter().filter(|(host, _)| !state.asked.contains(*host)).map(fresh).collect();
        state.asked.extend(new.iter().map(|wanting| wanting.host.clone()));
        new
    }

    /// The reader's answer about a host: for this run only, or remembered where it is [`CookieRule::Keep`] or
    /// [`CookieRule::Never`].
    pub fn choose(&self, host: &str, rule: CookieRule) {
        let mut state = self.state();
        let host = host.to_ascii_lowercase();
        for (cookie, url) in state.held.remove(&host).unwrap_or_default() {
            if rule != CookieRule::Never {
                state.admit(&cookie, &url);
            }
        }
        state.chosen.insert(host, rule);
        self.write();
    }

    /// All hosts that have cookies or were decided about.
    pub fn sites(&self) -> Vec<Site> {
        let state = self.state();
        let mut sites: BTreeMap<String, Vec<(String, Option<String>)>> =
            state.chosen.keys().map(|host| (host.clone(), Vec::new())).collect();
        for cookie in state.store.iter_unexpired() {
            let Some(host) = place(cookie).and_then(|url| url.host_str().map(str::to_owned)) else { continue };
            let until = match cookie.expires {
                CookieExpiration::AtUtc(until) => Some(until.date().to_string()),
                CookieExpiration::SessionEnd => None,
            };
            sites.entry(host).or_default().push((cookie.name().to_owned(), until));
        }
        let site = |(host, cookies): (String, Vec<_>)| Site { rule: self.rule(&state, &host), host, cookies };
        sites.into_iter().map(site).collect()
    }

    /// Forgets the cookies of a host, and what was answered about it; false when there was nothing.
    pub fn forget(&self, host: &str) -> bool {
        let mut state = self.state();
        let host = host.to_ascii_lowercase();
        let of = |cookie: &Cookie<'static>| place(cookie).is_some_and(|url| url.host_str() == Some(host.as_str()));
        let gone: Vec<Ident> = state.store.iter_any().filter(|cookie| of(cookie)).filter_map(ident).collect();
        gone.iter().for_each(|ident| state.remove(ident));
        let answered = state.chosen.remove(&host).is_some() | state.asked.remove(&host);
        self.write();
        answered || !gone.is_empty()
    }

    /// Forgets all cookies, and all that was answered.
    pub fn forget_all(&self) {
        let mut state = self.state();
        state.store.clear();
        state.crowd = Crowd::default();
        state.chosen.clear();
        state.asked.clear();
        state.held.clear();
        self.write();
    }

    fn rule(&self, state: &State, host: &str) -> CookieRule {
        state.rule(&self.settings, host)
    }

    /// Has the file written, soon.
    fn write(&self) {
        let Some(Kept { file, writer }) = &self.kept else { return };
        let (path, settings, state) = (file.clone(), Arc::clone(&self.settings), Arc::clone(&self.state));
        writer.write(file, Asked::ForAll, move || {
            merge(&path, &settings, &state)
                .map_err(|error| format!("{}; cookies are not kept yet", disk::wrong(&path, &error)))
        });
    }
}

/// Brings the file and the jar together. The jar is not held while the disk works.
fn merge(path: &Path, settings: &config::Http, state: &Mutex<State>) -> io::Result<()> {
    let held = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let _lock = disk::lock(path)?;
    let octets = disk::read(path)?;
    if let Some(version) = lines(path).newer(&octets) {
        return Err(io::Error::other(format!("from a newer Wayfarer (version {version})")));
    }
    let (theirs, bad) = entries(&octets);
    disk::put_aside(path, bad.iter().map(|(_, line)| *line))?;
    let ours = held().kept(settings);
    let base = held().base.clone();
    let mut merged = theirs.clone();
    merged.retain(|key, _| ours.contains_key(key) || !base.contains_key(key));
    merged.extend(
        ours.iter().filter(|(key, line)| base.get(*key) != Some(line)).map(|(key, line)| (key.clone(), line.clone())),
    );
    let text: String =
        [lines(path).first()].into_iter().chain(merged.values().map(|line| format!("{line}\n"))).collect();
    if text.as_bytes() != octets {
        disk::replace(path, text.as_bytes())?;
    }
    let mut state = held();
    // What is ours may have changed meanwhile; then that is still to be written.
    let now = state.kept(settings);
    let known = state.known();
    for key in theirs.keys().chain(base.keys()).filter(|key| theirs.get(*key) != base.get(*key)) {
        if now.get(key) == base.get(key) {
            state.chosen.remove(key);
            known.get(key).into_iter().for_each(|ident| state.remove(ident));
            if let Some(line) = theirs.get(key) {
                state.take_line(line);
            }
        }
    }
    state.base = merged;
    Ok(())
}

/// The file as one of lines.
fn lines(path: &Path) -> Lines {
    Lines::new(path.into(), "cookies")
}

/// The lines of a file that say something, and those that make no sense, by number.
fn entries(octets: &[u8]) -> (Entries, Vec<(usize, &[u8])>) {
    let (mut entries, mut bad) = (Entries::new(), Vec::new());
    for (number, line) in (1..).zip(octets.split(|b| *b == b'\n')) {
        let text = std::str::from_utf8(line).unwrap_or("?");
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match key(text).filter(|_| is_whole(text)) {
            Some(key) => drop(entries.insert(key, text.into())),
            None => bad.push((number, line)),
        }
    }
    (entries, bad)
}

/// Whether a line is as it was written: cookies that are kept are of the web and all say when they end.
fn is_whole(line: &str) -> bool {
    let Some((place, cookie)) = line.split_once('\t') else { return false };
    if ANSWERS.iter().any(|(word, _)| *word == cookie) {
        return true;
    }
    let ends = |cookie: RawCookie<'_>| cookie.max_age().is_some() || cookie.expires_datetime().is_some();
    let of_the_web = place.starts_with("http://") || place.starts_with("https://");
    let as_written = of_the_web && place.len() <= LONGEST && !cookie.contains(char::is_control);
    as_written && RawCookie::parse(cookie).is_ok_and(ends)
}

/// What a line is about; `None` when it is neither a cookie nor an answer.
fn key(line: &str) -> Option<String> {
    let (place, cookie) = line.split_once('\t')?;
    if ANSWERS.iter().any(|(word, _)| *word == cookie) {
        return Some(place.into());
    }
    let place = url::Url::parse(place).ok()?;
    let name = RawCookie::parse(cookie).ok()?.name().to_owned();
    Some(format!("{}{}\t{name}", place.host_str()?, place.path()))
}

impl State {
    /// The rule of the settings; where that is to ask, what was answered about the host or a domain above it.
    fn rule(&self, settings: &config::Http, host: &str) -> CookieRule {
        let above = std::iter::successors(Some(host), |name| name.split_once('.').map(|(_, above)| above));
        let answered = || above.clone().find_map(|name| self.chosen.get(name));
        match settings.cookie_rule(host) {
            CookieRule::Ask => answered().copied().unwrap_or(CookieRule::Ask),
            rule => rule,
        }
    }

    /// What is to be kept.
    fn kept(&self, settings: &config::Http) -> Entries {
        let keeps = |url: url::Url| self.rule(settings, url.host_str().unwrap_or_default()) == CookieRule::Keep;
        let kept = |cookie: &&Cookie<'static>| cookie.is_persistent() && place(cookie).is_some_and(keeps);
        let line = |cookie: &Cookie<'static>| Some(format!("{}\t{}", place(cookie)?, **cookie));
        let answer = |(host, rule): (&String, &CookieRule)| {
            let (word, _) = ANSWERS.iter().find(|(_, answer)| answer == rule)?;
            Some(format!("{host}\t{word}"))
        };
        let cookies = self.store.iter_unexpired().filter(kept).filter_map(line);
        let all = self.chosen.iter().filter_map(answer).chain(cookies);
        all.filter_map(|line| Some((key(&line)?, line))).collect()
    }

    fn load(&mut self, file: &Path) {
        let octets = match disk::read(file) {
            Ok(octets) => octets,
            Err(error) => return self.complaints.push(format!("{}: {}", file.display(), net::words(&error))),
        };
        if let Some(version) = lines(file).newer(&octets) {
            return self.complaints.push(lines(file).newer_sentence(version));
        }
        let (entries, bad) = entries(&octets);
        for (number, _) in bad.iter().take(TOLD) {
            self.complaints.push(format!("{}, line {number}: this is no cookie", file.display()));
        }
        if let Some(more) = bad.len().checked_sub(TOLD).filter(|more| *more > 0) {
            self.complaints.push(format!("{}: {more} more lines are no cookies", file.display()));
        }
        entries.values().for_each(|line| self.take_line(line));
        self.base = entries;
    }

    /// Takes what a line of the file says; one that has expired is none.
    fn take_line(&mut self, line: &str) {
        let Some((place, cookie)) = line.split_once('\t') else { return };
        if let Some((_, answer)) = ANSWERS.iter().find(|(word, _)| *word == cookie) {
            self.chosen.insert(place.into(), *answer);
        } else if let (Ok(place), Ok(cookie)) = (url::Url::parse(place), RawCookie::parse(cookie)) {
            self.take(&cookie.into_owned(), &place);
        }
    }

    /// All cookies by what a line of the file that is about one is about.
    fn known(&self) -> BTreeMap<String, Ident> {
        let about = |cookie: &Cookie<'static>| key(&format!("{}\t{}", place(cookie)?, **cookie));
        self.store.iter_any().filter_map(|cookie| Some((about(cookie)?, ident(cookie)?))).collect()
    }
}

/// By what the library knows a cookie.
fn ident(cookie: &Cookie<'static>) -> Option<Ident> {
    Some((cookie.domain.as_cow()?.into_owned(), (*cookie.path).to_owned(), cookie.name().to_owned()))
}

/// The answers that are remembered, by the words that the file has for them.
const ANSWERS: &[(&str, CookieRule)] = &[("keep", CookieRule::Keep), ("never", CookieRule::Never)];
/// Octets of a place; the path of a cookie is no longer.
const LONGEST: usize = 8 * 1024;

impl State {
    /// Takes what a server has set now, if it may.
    fn admit(&mut self, cookie: &RawCookie<'static>, url: &url::Url) {
        let Ok(new) = Cookie::try_from_raw_cookie(cookie, url) else { return };
        if !self.store.iter_unexpired().any(|old| site::stands_in(&new, url, old)) {
            self.take(cookie, url);
        }
    }

    /// One that the rules of RFC 6265 forbid is not taken. Where there are too many, an older one goes.
    fn take(&mut self, cookie: &RawCookie<'static>, url: &url::Url) {
        let Ok(cookie) = Cookie::try_from_raw_cookie(cookie, url) else { return };
        let Some(ident) = ident(&cookie) else { return };
        let site = site::domain(ident.0.trim_start_matches('.')).to_owned();
        match self.store.insert(cookie.into_owned(), url) {
            Ok(StoreAction::Inserted | StoreAction::UpdatedExisting) => {
                let gone = self.crowd.add(&site, ident);
                gone.iter().for_each(|ident| self.remove(ident));
            }
            // The library keeps what has expired.
            Ok(StoreAction::ExpiredExisting) => self.remove(&ident),
            Err(_) => {}
        }
    }

    fn remove(&mut self, ident: &Ident) {
        let (domain, path, name) = ident;
        self.store.remove(domain, path, name);
        self.crowd.remove(ident);
    }

    /// Keeps a cookie aside until the reader has answered.
    fn hold(&mut self, cookie: RawCookie<'static>, url: &url::Url, host: &str) {
        if self.held.len() >= WAITING && !self.held.contains_key(host) {
            return;
        }
        let held = self.held.entry(host.into()).or_default();
        held.retain(|(earlier, _)| earlier.name() != cookie.name());
        if held.len() < WAITING {
            held.push((cookie, url.clone()));
        }
    }
}

impl reqwest::cookie::CookieStore for Cookies {
    fn set_cookies(&self, headers: &mut dyn Iterator<Item = &HeaderValue>, url: &url::Url) {
        let mut state = self.state();
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        let rule = self.rule(&state, &host);
        if rule == CookieRule::Never || host.is_empty() {
            return;
        }
        let mut persistent = false;
        for header in headers.filter(|header| header.len() <= LARGEST) {
            let Some(cookie) = header.to_str().ok().and_then(|text| RawCookie::parse(text.to_owned()).ok()) else {
                continue;
            };
            if cookie.domain().is_some_and(site::is_registry) || !site::keeps_its_word(&cookie, url) {
                continue;
            }
            if rule == CookieRule::Ask {
                state.hold(cookie, url, &host);
                continue;
            }
            persistent |= cookie.max_age().is_some() || cookie.expires().is_some();
            state.admit(&cookie, url);
        }
        if persistent && rule == CookieRule::Keep {
            self.write();
        }
    }

    /// None: which of them go depends on who asks, and the library does not know that ([`Cookies::given`]).
    fn cookies(&self, _: &url::Url) -> Option<HeaderValue> {
        None
    }
}

/// The URL that a cookie is for.
fn place(cookie: &Cookie<'static>) -> Option<url::Url> {
    let scheme = if cookie.secure() == Some(true) { "https" } else { "http" };
    let domain = cookie.domain.as_cow()?;
    url::Url::parse(&format!("{scheme}://{}{}", domain.trim_start_matches('.'), &*cookie.path)).ok()
}
