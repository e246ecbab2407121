//! Places as the command line names them: files of this folder, standard input, addresses as at the prompt.

use super::setup::Setup;
use super::stdin;
use crate::config::Settings;
use crate::proto::{FetchError, Kind};
use crate::url::scheme::explain;
use crate::url::{Url, UrlError};

/// By which scheme a host was visited last.
pub(super) type Visited<'a> = &'a dyn Fn(&str, Option<u16>) -> Option<String>;

/// The same by the reader's history, which is read when somebody asks.
pub(super) fn visited(host: &str, port: Option<u16>, safe: bool) -> Option<String> {
    super::visits::pages(&super::memory::folder(safe)?).scheme_at(host, port)
}

/// A file of this folder that is not there has the page of any file that is not there.
pub(super) fn missing(typed: &str) -> Option<Url> {
    use std::os::unix::ffi::OsStrExt;
    let relative = ["./", "../"].iter().any(|start| typed.starts_with(start));
    let path = std::path::absolute(typed).ok().filter(|_| relative)?;
    crate::url::scheme::file::File::url(path.as_os_str().as_bytes()).ok()
}

/// A place from the command line: `-`, a file that exists, or an address as typed at the prompt.
pub(super) fn place(typed: &str, settings: &Settings, visited: Visited<'_>) -> Result<Url, String> {
    if typed == "-" {
        return Url::parse(stdin::URL).map_err(|error| error.to_string());
    }
    if let Ok(path) = std::path::absolute(typed)
        && path.exists()
    {
        use std::os::unix::ffi::OsStrExt;
        return crate::url::scheme::file::File::url(path.as_os_str().as_bytes()).map_err(|error| error.to_string());
    }
    let home = std::env::var("HOME").ok();
    match settings.address(typed, home.as_deref(), None, visited) {
        Ok(completed) => Ok(completed.url),
        // It would have been one of this folder.
        Err(UrlError::NoBase(_)) => Err(format!("there is no file {typed}")),
        Err(UrlError::Unsupported(scheme)) => Err(format!("{scheme}: {}", explain(&scheme))),
        Err(error) => Err(error.to_string()),
    }
}

/// A name of the command line that is no file's and has the form of a host's: it was taken for one, and nothing else says so.
#[derive(Debug, Clone)]
pub(super) struct Guess {
    typed: String,
    url: Url,
}

impl Guess {
    /// What was typed where it leads to a host by its name alone.
    pub(super) fn of(typed: &str, url: &Url) -> Option<Guess> {
        let host = url.host().filter(|host| !host.is_empty())?;
        let by_name = typed.starts_with(host) && !typed.contains([':', '@']);
        by_name.then(|| Guess { typed: typed.into(), url: url.clone() })
    }

    /// Says of such a host that cannot be reached that a file may have been meant.
    pub(super) fn told(guesses: &[Guess], url: &Url, error: FetchError) -> FetchError {
        let Some(guess) = guesses.iter().find(|guess| guess.url == *url) else { return error };
        let kind = match error.kind {
            // Of two such names the network is not to blame.
            Kind::NoSuchHost => Kind::NotFound,
            Kind::Refused | Kind::TimedOut => error.kind,
            _ => return error,
        };
        let detail = format!("There is no file {} here, so it was taken for a host. {}", guess.typed, error.detail);
        FetchError { kind, detail, ..error }
    }
}

/// A page from the command line: a place, but no host by its name alone. Who mistypes the name of a file asks nobody for it.
pub(super) fn page_of(typed: &str, setup: &Setup) -> Result<Url, String> {
    let url = place(typed, &setup.loaded.settings, &|_, _| None)?;
    let guessed = url.host().is_some_and(|host| !host.is_empty()) && Url::parse(typed).is_err();
    if guessed {
        Err(format!("there is no file {typed}; a page of a server begins with its scheme: {url}"))
    } else {
        Ok(url)
    }
}
