//! Which server a URL means: its own, else the one that the settings name for the group.

use super::wildmat;
use crate::config::{News, NewsServer};
use crate::proto::net::Place;
use crate::proto::{FetchError, Kind, Login, Request};
use crate::url::{Url, escape};
use std::fmt;

/// How a connection is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Channel {
    /// Not at all.
    Clear,
    /// STARTTLS before anything that matters (RFC 4642), since the settings say so.
    StartTls,
    /// TLS from the first octet.
    Tls,
}

impl Channel {
    /// For what was tried.
    pub fn words(self) -> &'static str {
        match self {
            Channel::Clear => "",
            Channel::StartTls => " with STARTTLS",
            Channel::Tls => " over TLS",
        }
    }
}

/// Who we are for a server.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub user: Vec<u8>,
    /// `None` must be asked for.
    pub password: Option<Vec<u8>>,
}

/// Never the password.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Identity {
    /// The reader's answer first, then the URL's words.
    fn of(request: &Request) -> Result<Option<Identity>, FetchError> {
        let url = &request.url;
        let identity = match (&request.login, url.user()) {
            (Some(Login { user, password }), _) => Identity { user: user.clone(), password: Some(password.clone()) },
            (None, Some(user)) => Identity { user: escape::decode(user), password: url.password().map(escape::decode) },
            (None, None) => return Ok(None),
        };
        let odd = |octets: &[u8]| octets.iter().any(|b| matches!(b, b'\r' | b'\n' | 0));
        if odd(&identity.user) || identity.password.as_deref().is_some_and(odd) {
            let detail = "A user or a password with a line break or a NUL is not sent.";
            return Err(FetchError::new(Kind::Unsafe, detail));
        }
        Ok(Some(identity))
    }
}

/// What a connection is kept for: another server, another login or another way to be secure needs another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub place: Place,
    pub channel: Channel,
    pub login: Option<Identity>,
}

/// The servers that may have what a request wants, in the order in which they are asked. A group's number is one server's
/// matter and a group is read from one place, but an article has the same name everywhere.
pub(super) fn keys(
    request: &Request,
    named: Option<Place>,
    group: Option<&[u8]>,
    settings: &News,
) -> Result<Vec<Key>, FetchError> {
    let login = Identity::of(request)?;
    let secure = request.url.is("nntps") || request.url.is("snews");
    let channel = |tls: bool| match tls {
        true => Channel::Tls,
        false if settings.starttls => Channel::StartTls,
        false => Channel::Clear,
    };
    let found = match named {
        Some(place) => vec![Key { place, channel: channel(secure), login }],
        None => configured(group, settings)
            .into_iter()
            .map(|server| {
                let tls = secure || server.tls;
                Key { place: place(server, tls), channel: channel(tls), login: login.clone() }
            })
            .collect(),
    };
    if found.is_empty() { Err(nowhere(&request.url)) } else { Ok(found) }
}

fn configured<'a>(group: Option<&[u8]>, settings: &'a News) -> Vec<&'a NewsServer> {
    let named = settings.servers.iter();
    match group {
        Some(group) => {
            let own = named.into_iter().find(|(pattern, _)| wildmat::matches(pattern.as_bytes(), group));
            own.map(|(_, server)| server).or(settings.server.as_ref()).into_iter().collect()
        }
        None => {
            let mut all: Vec<&NewsServer> = Vec::new();
            for server in settings.server.iter().chain(named.map(|(_, server)| server)) {
                if !all.contains(&server) {
                    all.push(server);
                }
            }
            all
        }
    }
}

/// A port that is written for clear text is not the one for TLS.
fn place(server: &NewsServer, tls: bool) -> Place {
    let usual = if tls { 563 } else { 119 };
    let port = server.port.filter(|_| tls == server.tls).unwrap_or(usual);
    Place { host: server.host.clone(), port }
}

fn nowhere(url: &Url) -> FetchError {
    let scheme = url.scheme().to_ascii_lowercase();
    FetchError::new(Kind::Unsupported, "No news server is set, so there is nowhere to ask.").hint(format!(
        "Write server = \"news.example.org\" under [news] in settings.toml, set the environment's NNTPSERVER, or name the \
         server in the address: {scheme}://news.example.org/"
    ))
}
