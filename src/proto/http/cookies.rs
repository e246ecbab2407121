//! The cookie jar (RFC 6265): the library knows the rules, the reader decides which hosts may have any.
//!
//! In memory until the program ends; cookies of hosts that the settings let keep them are also written to one plain file, a
//! line each: the URL they are for, a TAB, the cookie as a server would set it. What the reader answered when they were asked
//! about a host stands there too: the host, a TAB, `keep` or `never`. Refuses: cookies for whole registries, and hosts that
//! the reader denies them.

use crate::config::{self, CookieRule};
use crate::proto::net;
use cookie_store::{Cookie, CookieExpiration, CookieStore, RawCookie};
use reqwest::header::HeaderValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Cookies in all; when there are more, no new ones are taken.
const MOST: usize = 3000;
/// Octets of one cookie (RFC 6265, 6.1).
const LARGEST: usize = 4096;
/// Hosts that are asked about at once, and cookies of one that wait for the answer.
const WAITING: usize = 50;

/// The jar.
#[derive(Default)]
pub struct Cookies {
    settings: config::Http,
    file: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    store: CookieStore,
    /// Whether the file was read.
    read: bool,
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
        f.debug_struct("Cookies").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Cookies {
    /// An empty jar, kept in that file as far as the settings let it.
    pub fn new(settings: config::Http, file: Option<PathBuf>) -> Cookies {
        Cookies { settings, file, state: Mutex::default() }
    }

    /// What went wrong with the file since the last call.
    pub fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut self.state().complaints)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves a jar behind that is still one.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut state.read, true)
            && let Some(file) = &self.file
        {
            state.load(file);
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
                state.take(&cookie, &url);
            }
        }
        state.chosen.insert(host, rule);
        self.write(&mut state);
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
        let gone: Vec<(String, String, String)> = state
            .store
            .iter_any()
            .filter(|cookie| of(cookie))
            .filter_map(|cookie| {
                Some((cookie.domain.as_cow()?.into_owned(), (*cookie.path).to_owned(), cookie.name().to_owned()))
            })
            .collect();
        for (domain, path, name) in &gone {
            state.store.remove(domain, path, name);
        }
        let answered = state.chosen.remove(&host).is_some() | state.asked.remove(&host);
        self.write(&mut state);
        answered || !gone.is_empty()
    }

    /// The rule of the settings; where that is to ask, what was answered about the host or a domain above it.
    fn rule(&self, state: &State, host: &str) -> CookieRule {
        let above = std::iter::successors(Some(host), |name| name.split_once('.').map(|(_, above)| above));
        let answered = || above.clone().find_map(|name| state.chosen.get(name));
        match self.settings.cookie_rule(host) {
            CookieRule::Ask => answered().copied().unwrap_or(CookieRule::Ask),
            rule => rule,
        }
    }

    fn write(&self, state: &mut State) {
        let Some(file) = &self.file else { return };
        let keeps = |url: url::Url| self.rule(state, url.host_str().unwrap_or_default()) == CookieRule::Keep;
        let kept = |cookie: &&Cookie<'static>| cookie.is_persistent() && place(cookie).is_some_and(keeps);
        let line = |cookie: &Cookie<'static>| Some(format!("{}\t{}\n", place(cookie)?, **cookie));
        let answer = |(host, rule): (&String, &CookieRule)| {
            let (word, _) = ANSWERS.iter().find(|(_, answer)| answer == rule)?;
            Some(format!("{host}\t{word}\n"))
        };
        let answers = state.chosen.iter().filter_map(answer);
        let text: String = answers.chain(state.store.iter_unexpired().filter(kept).filter_map(line)).collect();
        if let Err(error) = replace(file, &text) {
            state.complaints.push(format!(
                "{}: cookies are kept for this run only ({})",
                file.display(),
                net::words(&error)
            ));
        }
    }
}

impl State {
    fn load(&mut self, file: &Path) {
        let text = match fs::read(file) {
            Ok(octets) => String::from_utf8_lossy(&octets).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => return,
            Err(error) => return self.complaints.push(format!("{}: {}", file.display(), net::words(&error))),
        };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let set = line.split_once('\t').and_then(|(place, cookie)| {
                if let Some((_, answer)) = ANSWERS.iter().find(|(word, _)| *word == cookie) {
                    self.chosen.insert(place.into(), *answer);
                    return Some(());
                }
                let place = url::Url::parse(place).ok()?;
                self.store.parse(cookie, &place).ok().map(|_| ())
            });
            if set.is_none() {
                self.complaints.push(format!("{}, line {}: this is no cookie", file.display(), number + 1));
            }
        }
    }
}

/// The answers that are remembered, by the words that the file has for them.
const ANSWERS: &[(&str, CookieRule)] = &[("keep", CookieRule::Keep), ("never", CookieRule::Never)];

impl State {
    /// One that the rules of RFC 6265 forbid is not taken.
    fn take(&mut self, cookie: &RawCookie<'static>, url: &url::Url) {
        let _ = self.store.insert_raw(cookie, url);
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
            if cookie.domain().is_some_and(is_registry) || state.store.iter_any().count() >= MOST {
                continue;
            }
            if rule == CookieRule::Ask {
                state.hold(cookie, url, &host);
                continue;
            }
            persistent |= cookie.max_age().is_some() || cookie.expires().is_some();
            state.take(&cookie, url);
        }
        if persistent && rule == CookieRule::Keep {
            self.write(&mut state);
        }
    }

    fn cookies(&self, url: &url::Url) -> Option<HeaderValue> {
        let state = self.state();
        if matches!(self.rule(&state, url.host_str()?), CookieRule::Never | CookieRule::Ask) {
            return None;
        }
        let pairs: Vec<String> =
            state.store.get_request_values(url).map(|(name, value)| format!("{name}={value}")).collect();
        HeaderValue::from_str(&pairs.join("; ")).ok().filter(|value| !value.is_empty())
    }
}

/// The URL that a cookie is for.
fn place(cookie: &Cookie<'static>) -> Option<url::Url> {
    let scheme = if cookie.secure() == Some(true) { "https" } else { "http" };
    let domain = cookie.domain.as_cow()?;
    url::Url::parse(&format!("{scheme}://{}{}", domain.trim_start_matches('.'), &*cookie.path)).ok()
}

/// Whether a domain is one under which anybody may have a name: "com", "co.uk". Without the list of all such domains this is
/// the rule of the first browsers that had cookies.
fn is_registry(domain: &str) -> bool {
    let labels: Vec<&str> = domain.trim_matches('.').split('.').collect();
    match labels.as_slice() {
        [_] => true,
        [second, top] => top.len() == 2 && second.len() <= 3,
        _ => false,
    }
}

/// Readable by its owner only; the old content stays until the new one is whole.
fn replace(file: &Path, text: &str) -> Result<(), Error> {
    use std::os::unix::fs::OpenOptionsExt;
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let fresh = file.with_extension(format!("new-{}", std::process::id()));
    let mut open = fs::OpenOptions::new();
    let mut out = open.write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    fs::rename(&fresh, file)
}
