//! Where links of news pages lead: to the server that the page's URL names, else to the reader's own.

use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};

/// The server of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Place {
    /// `//host/` as the page's URL has it; empty where it names none.
    server: String,
    /// `news` and `nntp`, or those over TLS.
    schemes: (&'static str, &'static str),
    /// The page is of this machine's files, and so are its articles.
    local: bool,
}

impl Place {
    /// The server of a page's URL.
    pub fn of(url: &Url) -> Place {
        let server = url.authority().filter(|authority| !authority.is_empty());
        let secure = scheme::family(url).is_news() && scheme::is_secure(url);
        let schemes = (scheme::of(Family::News, secure), scheme::of(Family::Nntp, secure));
        let local = scheme::family(url) == Family::File;
        Place { local, server: server.map(|server| format!("//{server}/")).unwrap_or_default(), schemes }
    }

    /// The URL of a group.
    pub fn group(&self, name: &[u8]) -> String {
        format!("{}:{}{}", self.schemes.0, self.server, escape::encode(name, b"+"))
    }

    /// The URL of an article, by its id if it has one that a URL can hold (NNTP-05), else by its number.
    pub fn article(&self, group: &[u8], id: &[u8], number: Option<u64>) -> String {
        let (Place { server, schemes: (news, nntp), .. }, group) = (self, escape::encode(group, b"+"));
        let usable = id.contains(&b'@') && !id.iter().any(|b| *b <= b' ' || *b == 0x7F || b"<>".contains(b));
        match number {
            Some(number) if !usable => format!("{nntp}:{server}{group}/{number}"),
            _ => format!("{news}:{server}{}", escape::encode(id, escape::NEWS_ID)),
        }
    }

    /// The URL of an article of a mailbox of this machine, as its line says it. A server's line never says where one is.
    pub fn kept(&self, said: &[u8]) -> Option<String> {
        let said = std::str::from_utf8(said).ok().filter(|said| self.local && said.starts_with("file:"));
        said.map(Into::into)
    }

    /// The URL of some articles of a group.
    pub fn articles(&self, group: &[u8], (first, last): (u64, u64)) -> String {
        let Place { server, schemes: (news, nntp), .. } = self;
        let scheme = if server.is_empty() { news } else { nntp };
        format!("{scheme}:{server}{}/{first}-{last}", escape::encode(group, b"+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_keep_the_server_of_the_page() {
        const ROWS: &[(&str, [&str; 4])] = &[
            ("news:a.b", ["news:c+d", "news:x%2Fy@z", "nntp:c+d/7", "news:c+d/1-30"]),
            ("nntp:a.b", ["news:c+d", "news:x%2Fy@z", "nntp:c+d/7", "news:c+d/1-30"]),
            ("snews:a.b", ["snews:c+d", "snews:x%2Fy@z", "nntps:c+d/7", "snews:c+d/1-30"]),
            (
                "news://h:1119/*",
                ["news://h:1119/c+d", "news://h:1119/x%2Fy@z", "nntp://h:1119/c+d/7", "nntp://h:1119/c+d/1-30"],
            ),
            ("nntps://h/a.b", ["snews://h/c+d", "snews://h/x%2Fy@z", "nntps://h/c+d/7", "nntps://h/c+d/1-30"]),
        ];
        for (page, wanted) in ROWS {
            let place = Place::of(&Url::parse(*page).unwrap_or_else(|e| unreachable!("{e}")));
            let number = place.article(b"c+d", b"no-at", Some(7));
            let got = [
                place.group(b"c+d"),
                place.article(b"c+d", b"x/y@z", Some(7)),
                number,
                place.articles(b"c+d", (1, 30)),
            ];
            assert_eq!(&got, wanted, "{page}");
        }
    }
}
