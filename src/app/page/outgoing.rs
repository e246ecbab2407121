//! A file of the reader's on its way from a page to a server: whether there is one, how far it has come, what becomes of it where it
//! ends there. Whoever would end it asks here first.

use super::fields::Sent;
use super::opening::Loading;
use crate::doc::sanitise;
use crate::format::human;
use crate::proto::Stage;
use crate::url::Url;
use crate::url::scheme::{self, Family};

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
}

impl Loading {
    /// The file that it sends; `None` where it sends none, or only asks what is there.
    pub fn outgoing(&self) -> Option<Outgoing> {
        let to = self.opening.public();
        let (name, goes_on) = match &self.opening.sent {
            Some(Sent::File(put)) if put.agreed.is_some() => (put.path.as_str(), true),
            Some(Sent::Body(_)) if scheme::family(to) == Family::Gemini => {
                // What stands behind the first semicolon is no name.
                (to.path().split(';').next().unwrap_or_default(), false)
            }
            _ => return None,
        };
        let gone = match self.stage {
            Some(Stage::Sending(sent, all)) => Some((sent, all)),
            _ => None,
        };
        let name = sanitise(name.rsplit('/').next().unwrap_or_default()).into_owned();
        self.head.is_none().then(|| Outgoing { name, to: to.clone(), gone, goes_on })
    }
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
        if self.goes_on { "what went stays there, and :put goes on with it" } else { "nothing of it is kept there" }
    }
}
