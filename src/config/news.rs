//! Where news comes from: servers, as the reader writes them, and how much of a group is fetched at once.

use super::fits_wildmat;
use crate::url::Url;
use crate::url::scheme::{self, Family, news, nntp};
use std::fmt;

/// What a rule gives that means nothing but to kill, as slrn has it: whoever has no more is killed whatever the setting says.
pub const KILLED: i32 = -9999;

/// Where news comes from when a URL names no server, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The server of every group that no pattern below names.
    pub server: Option<NewsServer>,
    /// Servers of single groups, by wildmat patterns (RFC 3977, 4.2): the first that fits counts.
    pub servers: Vec<(String, NewsServer)>,
    /// The file that tells which groups are taken and what was read of the first server, `~` allowed at its beginning. That of
    /// any other server has its name and the server's.
    pub newsrc: String,
    /// The score file, `~` allowed at its beginning, else beside the settings; empty for none.
    pub scores: String,
    /// The score of the articles that are killed, and of all with less: from [`KILLED`] to -1.
    pub kill_score: i32,
    /// How many of a group's newest articles are listed; 0 lists all.
    pub articles: u64,
    /// Octets of overviews that are kept on disk; 0 keeps none. One server has no more than half of them.
    pub keep: u64,
    /// The same of articles.
    pub keep_articles: u64,
    /// Whether connections in clear text are made secure by STARTTLS (RFC 4642), or else given up.
    pub starttls: bool,
    /// Which threads of a group that the reader takes are shown at first.
    pub show: NewsShow,
    /// How the threads of a group stand at first.
    pub threads: NewsThreads,
    /// How articles are posted.
    pub posting: Posting,
}

/// Which threads of a group that the reader takes are shown at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NewsShow {
    /// Those with something unread.
    #[default]
    Unread,
    /// All.
    All,
}

/// How the threads of a group stand at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NewsThreads {
    /// A row for each.
    #[default]
    Folded,
    /// Open where something in them is unread.
    Unread,
    /// Open.
    Open,
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
    /// The domain of their message-ids; empty is that of the author's address.
    pub id_domain: String,
}

impl Default for News {
    fn default() -> News {
        let (server, servers, posting) = (None, Vec::new(), Posting::default());
        let (articles, keep, keep_articles) = (20_000, 256 << 20, 128 << 20);
        let (newsrc, scores) = (String::new(), String::new());
        let (show, threads, kill_score) = (NewsShow::default(), NewsThreads::default(), KILLED);
        News {
            server,
            servers,
            newsrc,
            scores,
            kill_score,
            articles,
            keep,
            keep_articles,
            starttls: false,
            show,
            threads,
            posting,
        }
    }
}

impl News {
    /// How many of a group's newest articles are listed.
    pub fn most(&self) -> u64 {
        if self.articles > 0 { self.articles } else { u64::MAX }
    }

    /// The newsrc file of a server, by the server's [`NewsServer::name`].
    pub fn newsrc_of(&self, server: &str) -> String {
        match &self.server {
            Some(first) if first.name() == server => self.newsrc.clone(),
            _ => {
                let safe = |c: char| if c.is_ascii_alphanumeric() || ".-:[]".contains(c) { c } else { '_' };
                format!("{}-{}", self.newsrc, server.chars().map(safe).collect::<String>())
            }
        }
    }

    /// The servers that may have what a URL without a server names, in the order in which they are asked. A group is read
    /// from one place; an article has the same name everywhere, and nothing tells where it is.
    pub fn servers_of(&self, url: &Url) -> Vec<&NewsServer> {
        if !scheme::family(url).is_news() {
            return Vec::new();
        }
        let named = self.servers.iter();
        if let Some(group) = group(url) {
            let own = named.into_iter().find(|(pattern, _)| fits_wildmat(pattern.as_bytes(), &group));
            return own.map(|(_, server)| server).or(self.server.as_ref()).into_iter().collect();
        }
        let mut all: Vec<&NewsServer> = Vec::new();
        for server in self.server.iter().chain(named.map(|(_, server)| server)) {
            if !all.contains(&server) {
                all.push(server);
            }
        }
        all
    }
}

/// The group or groups that a URL names; none for an article.
fn group(url: &Url) -> Option<Vec<u8>> {
    if scheme::family(url) == Family::Nntp {
        return nntp::Nntp::of(url).ok().map(|nntp| nntp.group);
    }
    match news::News::of(url).ok()? {
        news::News::All => Some(b"*".to_vec()),
        news::News::Groups(group) | news::News::Group(group) | news::News::Part(group, _) => Some(group),
        news::News::Article(_) => None,
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
        let tls = scheme::is_secure(&url);
        let plain = matches!(url.path(), "" | "/") && url.query().is_none() && url.user().is_none();
        let host = url.host().filter(|host| !host.is_empty() && !host.contains(char::is_whitespace));
        match host {
            Some(host) if plain && scheme::family(&url).is_news() => {
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

impl NewsServer {
    /// What it is known by: the host in small letters, with the port where that is not the scheme's own.
    pub fn name(&self) -> String {
        let host = self.host.to_ascii_lowercase();
        match self.port.filter(|port| ![119, 563].contains(port)) {
            Some(port) => format!("{host}:{port}"),
            None => host,
        }
    }

    /// The port to connect to, over TLS or not. One that is written for clear text is not the one for TLS.
    pub fn port(&self, tls: bool) -> u16 {
        self.port.filter(|_| tls == self.tls).unwrap_or(if tls { 563 } else { 119 })
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
