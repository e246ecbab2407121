//! Which servers a URL means, and who we are for them.

use crate::config::News;
use crate::proto::net::Endpoint;
use crate::proto::{FetchError, Kind, Login, Request};
use crate::url::{Url, escape, scheme};
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
            (Some(Login { user, password, .. }), _) => {
                Identity { user: user.clone(), password: Some(password.clone()) }
            }
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
    pub endpoint: Endpoint,
    pub channel: Channel,
    pub login: Option<Identity>,
}

impl Key {
    /// Under which name what comes from there is kept: what one login may see another need not, and what came in clear text is not
    /// shown as if it had come over TLS.
    pub fn name(&self) -> String {
        let user = self.login.as_ref().map(|login| format!("{}@", String::from_utf8_lossy(&login.user)));
        let Endpoint { host, port } = &self.endpoint;
        let tls = if self.channel == Channel::Clear { "" } else { "+tls" };
        format!("{}{}:{port}{tls}", user.unwrap_or_default(), host.to_ascii_lowercase())
    }
}

/// The servers to ask, in order: the one that the URL names, else those that the settings name. A login that a reader gave is
/// for the first of them; the others see us as anybody.
pub(super) fn keys(request: &Request, named: Option<Endpoint>, settings: &News) -> Result<Vec<Key>, FetchError> {
    let mut login = Identity::of(request)?;
    let secure = scheme::is_secure(&request.url);
    let channel = |tls: bool| match tls {
        true => Channel::Tls,
        false if settings.starttls => Channel::StartTls,
        false => Channel::Clear,
    };
    if let Some(endpoint) = named {
        return Ok(vec![Key { endpoint, channel: channel(secure), login }]);
    }
    let servers = settings.servers_of(&request.url).into_iter();
    let keys: Vec<Key> = servers
        .map(|server| {
            let tls = secure || server.tls;
            let endpoint = Endpoint { host: server.host.clone(), port: server.port(tls) };
            Key { endpoint, channel: channel(tls), login: login.take() }
        })
        .collect();
    if keys.is_empty() { Err(nowhere(&request.url)) } else { Ok(keys) }
}

fn nowhere(url: &Url) -> FetchError {
    let scheme = url.scheme().to_ascii_lowercase();
    FetchError::new(Kind::Unsupported, "No news server is set, so there is nowhere to ask.").hint(format!(
        "Write server = \"news.example.org\" under [news] in settings.toml, set the environment's NNTPSERVER, or name the \
         server in the address: {scheme}://news.example.org/"
    ))
}
