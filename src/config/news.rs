//! Where news comes from: servers, as the reader writes them, and how much of a group is fetched at once.

use crate::url::Url;
use std::fmt;

/// Where news comes from when a URL names no server, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The server of every group that no pattern below names.
    pub server: Option<NewsServer>,
    /// Servers of single groups, by wildmat patterns (RFC 3977, 4.2): the first that fits counts.
    pub servers: Vec<(String, NewsServer)>,
    /// How many of a group's newest articles are listed; 0 lists all.
    pub articles: u64,
    /// Whether connections in clear text are made secure by STARTTLS (RFC 4642), or else given up.
    pub starttls: bool,
    /// How articles are posted.
    pub posting: Posting,
}

/// How the reader's own articles are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Posting {
    /// Who the reader is, as `Name <address>`; empty leaves it to each draft.
    pub from: String,
    /// The line before a quote, with marks in braces.
    pub attribution: String,
    /// The file of the signature, `~` allowed at its beginning; empty is none.
    pub signature: String,
    /// Whether articles are sent as format=flowed (RFC 3676).
    pub flowed: bool,
}

impl Default for News {
    fn default() -> News {
        News { server: None, servers: Vec::new(), articles: 20_000, starttls: false, posting: Posting::default() }
    }
}

/// A news server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewsServer {
    /// The host, IPv6 in brackets.
    pub host: String,
    /// The port, where it is written out.
    pub port: Option<u16>,
    /// TLS from the first octet: written as `nntps://host`.
    pub tls: bool,
}

impl NewsServer {
    /// Reads `host`, `host:port`, `nntp://host:port` or `nntps://host:port`, as settings and `NNTPSERVER` have it.
    ///
    /// # Errors
    /// A sentence for the reader.
    pub fn parse(text: &str) -> Result<NewsServer, String> {
        const WANTED: &str =
            "a server is wanted, as \"news.example.org\", \"news.example.org:1119\" or \"nntps://news.example.org\"";
        let text = text.trim();
        let url = if text.contains("://") { text.to_owned() } else { format!("nntp://{text}") };
        let url = Url::parse(url).map_err(|_| WANTED)?;
        let tls = url.is("nntps") || url.is("snews");
        let plain = matches!(url.path(), "" | "/") && url.query().is_none() && url.user().is_none();
        let host = url.host().filter(|host| !host.is_empty() && !host.contains(char::is_whitespace));
        match host {
            Some(host) if plain && (tls || url.is("nntp") || url.is("news")) => {
                let port = match url.port_text() {
                    None | Some("") => None,
                    Some(port) => Some(port.parse().map_err(|_| WANTED)?),
                };
                Ok(NewsServer { host: host.into(), port, tls })
            }
            _ => Err(WANTED.into()),
        }
    }
}

/// As it would be written.
impl fmt::Display for NewsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "nntps://" } else { "" };
        match self.port {
            Some(port) => write!(f, "{scheme}{}:{port}", self.host),
            None => write!(f, "{scheme}{}", self.host),
        }
    }
}
