//! A file of the reader's on its way from a page to a server: whether there is one, how far it has come, what becomes of it where it
//! ends there. Whoever would end it asks here first.

use super::fields::Sent;
use super::opening::Loading;
use crate::doc::sanitise;
use crate::format::human;
use crate::proto::{Content, Stage};
use crate::url::Url;
use crate::url::scheme::{self, Family};
use std::borrow::Cow;

/// A file on its way, as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Its name.
    pub name: String,
    /// Where it goes.
    pub to: Url,
    /// How many octets have gone, of how many; `None` before that is known.
    pub gone: Option<(u64, u64)>,
    /// The server keeps a part of it, with which this run can go on.
    pub goes_on: bool,
    /// The server says nothing of what it does with a part.
    pub untold: bool,
}

impl Loading {
    /// The file that it sends; `None` where it sends none, or only asks what is there.
    pub fn outgoing(&self) -> Option<Outgoing> {
        let to = self.opening.public();
        let (name, goes_on) = match &self.opening.sent {
            Some(Sent::File(put)) if put.agreed.is_some() => (Cow::from(&*put.path), true),
            Some(Sent::Body(_)) if scheme::family(to) == Family::Gemini => {
                // What stands behind the first semicolon is no name.
                (to.path().split(';').next().unwrap_or_default().into(), false)
            }
            Some(Sent::Body(_)) if scheme::family(to) == Family::Spartan => (to.path().into(), false),
            Some(Sent::Body(content)) if scheme::family(to) == Family::Web => (first_file(content)?, false),
            _ => return None,
        };
        let gone = match self.stage {
            Some(Stage::Sending(sent, all)) => Some((sent, all)),
            _ => None,
        };
        let name = sanitise(name.rsplit('/').next().unwrap_or_default()).into_owned();
        let untold = scheme::family(to) == Family::Web;
        self.head.is_none().then(|| Outgoing { name, to: to.clone(), gone, goes_on, untold })
    }
}

/// The name of the first file in a form of the web, where one begins not far into it (RFC 7578, 4.2).
fn first_file(form: &Content) -> Option<Cow<'_, str>> {
    const FAR: usize = 64 * 1024;
    const NAMED: &[u8] = b"; filename=\"";
    let begins = form.media.starts_with("multipart/form-data").then(|| &form.octets[..form.octets.len().min(FAR)])?;
    let names = memchr::memmem::find_iter(begins, NAMED).map(|at| {
        let rest = &begins[at + NAMED.len()..];
        &rest[..memchr::memchr(b'"', rest).unwrap_or(rest.len())]
    });
    // A field for a file in which none was put has no name.
    names.into_iter().find(|name| !name.is_empty()).map(String::from_utf8_lossy)
}

impl Outgoing {
    /// How far it has come, in words.
    pub fn far(&self) -> String {
        let (name, host) = (&self.name, self.to.host().unwrap_or_default());
        match self.gone {
            Some((sent, all)) => format!("{} of {} of \"{name}\" have gone to {host}", human(sent), human(all)),
            None => format!("\"{name}\" is on its way to {host}"),
        }
    }

    /// What becomes of it where it ends now, in words.
    pub fn rest(&self) -> &'static str {
        match (self.goes_on, self.untold) {
            (true, _) => "what went stays there, and :put goes on with it",
            (_, true) => "what became of it nobody tells then",
            (false, false) => "nothing of it is kept there",
        }
    }
}
