//! The cookie jar (RFC 6265): the library knows the rules, the reader decides which hosts may have any.
//!
//! In memory until the program ends; cookies of hosts that the settings let keep them are also written to one plain file, a
//! line each: the URL they are for, a TAB, the cookie as a server would set it. Refuses: cookies for whole registries, and
//! hosts that the reader denies them.

use crate::config::{self, CookieRule};
use crate::proto::net;
use cookie_store::{Cookie, CookieStore, RawCookie};
use reqwest::header::HeaderValue;
use std::fmt;
use std::fs;
use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Cookies in all; when there are more, no new ones are taken.
const MOST: usize = 3000;
/// Octets of one cookie (RFC 6265, 6.1).
const LARGEST: usize = 4096;

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

    fn may_have(&self, url: &url::Url) -> bool {
        url.host_str().is_some_and(|host| self.settings.cookie_rule(host) != CookieRule::Never)
    }

    fn keeps(&self, url: &url::Url) -> bool {
        url.host_str().is_some_and(|host| self.settings.cookie_rule(host) == CookieRule::Keep)
    }

    fn write(&self, state: &mut State) {
        let Some(file) = &self.file else { return };
        let kept =
            |cookie: &&Cookie<'static>| cookie.is_persistent() && place(cookie).is_some_and(|url| self.keeps(&url));
        let line = |cookie: &Cookie<'static>| Some(format!("{}\t{}\n", place(cookie)?, **cookie));
        let text: String = state.store.iter_unexpired().filter(kept).filter_map(line).collect();
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
                let place = url::Url::parse(place).ok()?;
                self.store.parse(cookie, &place).ok()
            });
            if set.is_none() {
                self.complaints.push(format!("{}, line {}: this is no cookie", file.display(), number + 1));
            }
        }
    }
}

impl reqwest::cookie::CookieStore for Cookies {
    fn set_cookies(&self, headers: &mut dyn Iterator<Item = &HeaderValue>, url: &url::Url) {
        if !self.may_have(url) {
            return;
        }
        let mut state = self.state();
        let mut persistent = false;
        for header in headers.filter(|header| header.len() <= LARGEST) {
            let Some(cookie) = header.to_str().ok().and_then(|text| RawCookie::parse(text.to_owned()).ok()) else {
                continue;
            };
            if cookie.domain().is_some_and(is_registry) || state.store.iter_any().count() >= MOST {
                continue;
            }
            persistent |= cookie.max_age().is_some() || cookie.expires().is_some();
            // One that the rules forbid is not taken.
            let _ = state.store.insert_raw(&cookie, url);
        }
        if persistent && self.keeps(url) {
            self.write(&mut state);
        }
    }

    fn cookies(&self, url: &url::Url) -> Option<HeaderValue> {
        if !self.may_have(url) {
            return None;
        }
        let state = self.state();
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
