//! Where a host leads that was typed by its name alone: what the reader does elsewhere says it where the name and the port do not.
//!
//! Refuses: knowing where the reader was. Whoever asks tells it.

use super::{Completed, complete_leaning};
use crate::url::scheme::table;
use crate::url::{Url, UrlError, scheme};

/// What a bare host is taken for.
#[derive(Clone, Copy)]
pub struct Leaning<'a> {
    /// The scheme for hosts of which nothing else says one.
    pub scheme: &'a str,
    /// The page in view.
    pub page: Option<&'a Url>,
    /// The scheme of the page of a host, and of a port where one was typed, that was visited last.
    pub visited: &'a dyn Fn(&str, Option<u16>) -> Option<String>,
}

impl Leaning<'_> {
    /// To the web in clear text, as the schemes' specifications have it.
    pub const NONE: Leaning<'static> = Leaning { scheme: "http", page: None, visited: &|_, _| None };

    /// What Enter opens at the address prompt, beside references relative to a page: secure where nobody said which of the web's
    /// schemes is meant, unless the reader leans to clear text. `home` is the reader's home folder.
    ///
    /// # Errors
    /// As [`super::complete`].
    pub fn complete(&self, typed: &str, home: Option<&str>) -> Result<Completed, UrlError> {
        let completed = complete_leaning(typed, None, home, self)?;
        Ok(if self.is_to_clear_text() { completed } else { completed.preferring_tls() })
    }

    fn is_to_clear_text(&self) -> bool {
        self.scheme == "http"
    }

    /// Whether of the web's schemes the secure one is asked first.
    pub(super) fn secures(&self, host: &str, port: Option<&str>) -> bool {
        !self.is_to_clear_text() && port.is_none() && !scheme::is_loopback(host)
    }

    /// The scheme of a bare host, and why: what stands behind it, else where the reader was there, else where they are, else
    /// what they set.
    pub(super) fn scheme(&self, host: &str, port: Option<u16>, rest: &str) -> (String, String) {
        let item = rest.split(['/', '?', '#']).nth(1).filter(|_| rest.starts_with('/'));
        let gopher = scheme::of(scheme::Family::Gopher, false);
        // the types of texts, menus and searches, as gopher's paths begin; the web has few such folders
        if let Some(item @ ("0" | "1" | "7")) = item {
            return (gopher.into(), format!("/{item} → {gopher}"));
        }
        if let Some(visited) = (self.visited)(host, port).filter(|scheme| table::is_for_hosts(scheme)) {
            // of the web the reader may have seen either, and the secure one is asked first
            let web = table::family(&visited) == scheme::Family::Web && (port.is_none() || !table::is_secure(&visited));
            return match web {
                true => ("http".into(), "no scheme → http".into()),
                false => (visited.clone(), format!("visited → {visited}")),
            };
        }
        if self.page.is_some_and(|page| scheme::family(page) == scheme::Family::Gopher) {
            return (gopher.into(), format!("as this page → {gopher}"));
        }
        match scheme::is_of_the_web(self.scheme) {
            true => ("http".into(), "no scheme → http".into()),
            false => (self.scheme.into(), format!("no scheme → {}", self.scheme)),
        }
    }
}
