//! Logins given in this session, by the server they are for; never written anywhere (FTP-05). Those of private tabs are theirs
//! alone and go with the last of them.

use super::Sight;
use crate::doc::sanitise;
use crate::proto::Login;
use crate::url::scheme::{Family, Part, PartKind};
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

    /// The parts of a URL, with the user that its server is told where the reader has logged in as one.
    pub(in crate::app) fn parts(self, url: &Url) -> Vec<Part> {
        let mut parts = scheme::parts(url);
        if let Some(user) = self.logged_in(url) {
            parts.iter_mut().filter(|part| part.kind == PartKind::User).for_each(|part| part.text.clone_from(&user));
        }
        parts
    }

    /// What would be sent, with that user; of the password it says that there is one.
    pub(in crate::app) fn would_send(self, url: &Url, plan: &scheme::Plan) -> Vec<String> {
        let mut lines = scheme::would_send(plan);
        if let Some(user) = self.logged_in(url) {
            for line in &mut lines {
                match line.split(' ').next() {
                    Some("USER") => *line = format!("USER {user}"),
                    Some("PASS") => *line = "PASS ***".into(),
                    _ => {}
                }
            }
            let account = self.login_for(url).is_some_and(|login| login.account.is_some());
            if let Some(at) = lines.iter().position(|line| line.starts_with("PASS ")).filter(|_| account) {
                lines.insert(at + 1, "ACCT *** (only if it is asked for)".into());
            }
        }
        lines
    }

    /// As whom the reader has logged in to a server of files, for the screen. Elsewhere a login is asked for by what is read, and
    /// a URL does not say that nobody in particular comes.
    fn logged_in(self, url: &Url) -> Option<String> {
        let login = self.login_for(url).filter(|_| scheme::family(&scheme::place(url)) == Family::Ftp)?;
        Some(sanitise(&String::from_utf8_lossy(&login.user)).into_owned())
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
