//! `Url` → media type and bytes, one row per protocol.
//!
//! A fetch runs in two phases: it says the response's `Head` and waits for a `Verdict`, then streams the body. It never asks
//! the reader anything: what needs an answer ends as an error or was settled before. Refuses: keys, screen, pages' looks.

pub mod about;
mod archive;
mod catalogue;
mod certificate;
mod data;
mod dict;
mod error;
mod exceptions;
mod exchange;
mod file;
mod ftp;
mod gemini;
pub mod gopher;
mod guppy;
mod held;
pub mod http;
pub mod identities;
mod ledger;
pub mod log;
mod net;
pub mod netrc;
mod nex;
pub mod nntp;
mod one_line;
mod own;
pub mod pins;
mod relay;
mod request;
mod said;
pub mod sftp;
mod space;
mod spartan;
pub mod tls;
pub mod validator;
mod verifier;

pub use archive::Shelf;
pub use certificate::Certificate;
pub use error::{FetchError, Kind, PinnedCertificate, RefusedCertificate};
pub use exchange::{Again, DONE, End, Exchange, FetchEvent, Head, MOST_OCTETS, Moved, Security, Stage, Trust, Verdict};
pub use ftp::{Begun, Connections};
pub use ledger::Dispatch;
pub use request::{Content, Found, Held, KeptCopy, Listed, Login, Put, Redirected, Request, Resume, There, Within};

use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::future::Future;
use std::pin::Pin;

/// A running fetch.
pub type Fetching<'a> = Pin<Box<dyn Future<Output = Result<End, FetchError>> + Send + 'a>>;

/// A protocol's row.
pub struct Protocol {
    /// The schemes it serves, lower case.
    pub schemes: &'static [&'static str],
    /// Fetches; see [`Exchange`].
    pub fetch: for<'a> fn(&'a Request, &'a mut Exchange, &'a Context) -> Fetching<'a>,
}

/// Every protocol.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol { schemes: &["gopher", "gophers"], fetch: gopher::fetch },
    Protocol { schemes: &["ftp", "ftps"], fetch: ftp::fetch },
    Protocol { schemes: &["http", "https"], fetch: http::fetch },
    Protocol { schemes: &["news", "nntp", "nntps", "snews"], fetch: nntp::fetch },
    Protocol { schemes: &["sftp"], fetch: sftp::fetch },
    Protocol { schemes: &["finger"], fetch: one_line::finger },
    Protocol { schemes: &["whois", "whois++"], fetch: one_line::whois },
    Protocol { schemes: &["dict"], fetch: dict::fetch },
    Protocol { schemes: &["gemini", "titan"], fetch: gemini::fetch },
    Protocol { schemes: &["spartan"], fetch: spartan::fetch },
    Protocol { schemes: &["nex"], fetch: nex::fetch },
    Protocol { schemes: &["guppy"], fetch: guppy::fetch },
    Protocol { schemes: &["file"], fetch: file::fetch },
    Protocol { schemes: &["archive"], fetch: archive::fetch },
    Protocol { schemes: &["about"], fetch: about::fetch },
    Protocol { schemes: &["data"], fetch: data::fetch },
    Protocol { schemes: &["mid", "cid"], fetch: held::fetch },
];

/// The protocol of a scheme.
pub fn find(scheme: &str) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|p| p.schemes.iter().any(|s| scheme.eq_ignore_ascii_case(s)))
}

/// Fetches by the protocol of the URL's scheme, or through the proxy that the settings name for it (GATE-02). What sends
/// something, and what is held already, needs no proxy.
///
/// # Errors
/// No protocol and no proxy serves the scheme, or nobody knows which proxy does; else as the protocol says.
pub async fn fetch(request: &Request, exchange: &mut Exchange, context: &Context) -> Result<End, FetchError> {
    if let Some(text) = archive::text_at_hand(request, context) {
        return archive::pass_text(text, request, exchange, context).await;
    }
    let proxies = &context.http.settings.proxies;
    proxies.known(&request.url)?;
    let proxy = proxies.of(&request.url);
    // What the reader keeps for a server is not for a proxy, and the web has to ask for it.
    let looked = match scheme::family(&request.url) {
        Family::Ftp if proxy.is_none() => context.netrc.login(request).await,
        _ => Ok(None),
    };
    let found = looked.as_ref().ok().and_then(Option::as_ref);
    let with_login = found.map(|login| Request { login: Some(login.clone()), ..request.clone() });
    let request = with_login.as_ref().unwrap_or(request);
    // Some servers repeat what they do not accept: "530 Login PASS hunter2 incorrect".
    exchange.secrets = passwords(request);
    let fetched = match (proxy.filter(|_| request.body.is_none() && request.held.is_none()), find(request.url.scheme()))
    {
        (Some(_), _) if request.put.is_some() => {
            let detail = "Nothing was sent: the settings name a proxy for this server, and proxies take no files.";
            Err(FetchError::new(Kind::Unsupported, detail))
        }
        (Some(proxy), _) => http::fetch_through(proxy, request, exchange, context).await,
        (None, Some(protocol)) => (protocol.fetch)(request, exchange, context).await,
        (None, None) => {
            let scheme = request.url.scheme();
            Err(FetchError::new(Kind::Unsupported, format!("Nothing here can fetch {scheme}: URLs.")))
        }
    };
    match fetched {
        Ok(end) => Ok(end),
        Err(error) if scheme::family(&request.url) == Family::Ftp && proxy.is_none() && matches!(looked, Ok(None)) => {
            Err(context.netrc.offered(request, error).await)
        }
        Err(error) => Err(context.netrc.remark(&looked, error)),
    }
}

/// The host of a URL as it goes out: Punycode for names beyond ASCII, and for the web as browsers read it (`127.1` is an address).
/// `None` where it has none, or one that nobody can be asked by.
pub fn host_on_the_wire(url: &Url) -> Option<String> {
    let host = url.host().filter(|host| !host.is_empty() && !host.starts_with('['))?;
    match scheme::family(url) {
        Family::Web => http::host(url),
        _ => net::wire_name(host).ok(),
    }
}

/// The passwords that go with a request, as they are sent and as they are written. What anonymous users say is none, and stands
/// in many a welcome.
fn passwords(request: &Request) -> Vec<String> {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let known = |user: &[u8]| !user.eq_ignore_ascii_case(b"anonymous");
    let named = request.url.user().is_some_and(|user| known(user.as_bytes()));
    let written = request.url.password().filter(|_| named).into_iter();
    let written = written.flat_map(|word| [word.to_owned(), text(&escape::decode(word))]);
    let login = request.login.iter().filter(|login| known(&login.user));
    let login = login.flat_map(|login| login.account.iter().chain([&login.password]).map(|octets| text(octets)));
    login.chain(written).collect()
}

/// What every fetch shares: limits, trust, settings.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Limits and times.
    pub limits: crate::config::Limits,
    /// Roots and pins.
    pub tls: tls::Tls,
    /// The reader's own certificates.
    pub identities: identities::Identities,
    /// How to be known to FTP servers.
    pub ftp: crate::config::Ftp,
    /// How to be known to HTTP servers; connections and cookies.
    pub http: http::Web,
    /// Where news comes from.
    pub news: crate::config::News,
    /// Connections to news servers, kept between fetches.
    pub nntp: nntp::Pool,
    /// What is kept of news on disk; nothing of it for private tabs.
    pub kept: nntp::Kept,
    /// What the reader's own articles are locked with.
    pub locks: nntp::Locks,
    /// FTP connections kept for the next visit; clones share them.
    pub connections: Connections,
    /// Files on their way into directories of servers; clones share them. Those of private tabs are kept for as long as the program runs.
    pub begun: Begun,
    /// Archives that were opened and stay at hand.
    pub archives: Shelf,
    /// The way to the reader's `ssh`.
    pub ssh: sftp::Ssh,
    /// The reader's file of logins.
    pub netrc: netrc::Netrc,
    /// What is kept from this machine's files, in a sentence.
    pub sandbox: String,
}

impl Context {
    /// The certificate of the reader's that is shown to a place, if any. Reads the disk beside the network.
    async fn identity_for(
        &self,
        endpoint: &net::Endpoint,
        url: &Url,
    ) -> Result<Option<identities::Identity>, FetchError> {
        let server = tls::who(&net::wire_name(&endpoint.host)?, endpoint.port);
        let (identities, url) = (self.identities.clone(), url.clone());
        let looked = tokio::task::spawn_blocking(move || identities.of(&server, &url)).await;
        let failure = |words: String| {
            FetchError::new(Kind::Secure, words).hint("Nothing was sent. Mend the file, then try again.")
        };
        looked.map_err(|error| failure(error.to_string()))?.map_err(failure)
    }
}
