//! Logins given in this session, by the server they are for; never written anywhere (FTP-05). Those of private tabs are theirs
//! alone and go with the last of them.

use super::Sight;
use crate::proto::Login;
use crate::url::scheme::Family;
use crate::url::{Url, scheme};

impl Sight<'_> {
    /// The login given for a URL's server in this session.
    pub(in crate::app) fn login_for(self, url: &Url) -> Option<Login> {
        self.login_as(self.tab.private, url)
    }

    /// The same for what a private tab asked for, or one that is not, whichever is in view.
    pub(in crate::app) fn login_as(self, private: bool, url: &Url) -> Option<Login> {
        self.desk.logins.get(&Whose { private, ..whose(self, url) }).cloned()
    }
}

/// What a login is kept for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) struct Whose {
    /// It was given in a private tab.
    pub private: bool,
    /// The server, and outside the web the user that the URL names, since there another user has other files.
    server: String,
}

/// What the login for a URL is kept for in this tab.
pub(in crate::app) fn whose(sight: Sight<'_>, url: &Url) -> Whose {
    let url = &scheme::place(url);
    let user = url.user().filter(|_| !is_web(url)).map(|user| format!("{user}@")).unwrap_or_default();
    Whose { private: sight.tab.private, server: format!("{user}{}", server(sight, url)) }
}

fn is_web(url: &Url) -> bool {
    scheme::family(url) == Family::Web
}

/// A login belongs to one port of one host, and on the web to one scheme: what was typed over TLS never goes without. News
/// URLs mostly leave both to the settings.
pub(in crate::app) fn server(sight: Sight<'_>, url: &Url) -> String {
    let tls = scheme::family(url).is_news() && scheme::is_secure(url);
    let configured = match url.host() {
        None => sight.desk.settings.news.servers_of(url).into_iter().next(),
        _ => None,
    };
    let (host, port) = match configured {
        Some(server) => (server.host.as_str(), Some(server.port(tls || server.tls))),
        None => (url.host().unwrap_or_default(), url.port()),
    };
    if is_web(url) {
        let odd = port.filter(|port| scheme::default_port(url.scheme()) != Some(*port));
        let port = odd.map(|port| format!(":{port}")).unwrap_or_default();
        return format!("{}://{}{port}", url.scheme().to_ascii_lowercase(), host.to_ascii_lowercase());
    }
    format!("{} port {}", host.to_ascii_lowercase(), port.unwrap_or_default())
}
