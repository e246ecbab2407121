//! What schemes have in common: which of them are of one family, and which are the same over TLS.
//!
//! Nobody outside of `url/scheme` lists names of schemes to tell what a URL is.

use super::{Act, table};
use crate::url::Url;

/// Schemes whose URLs name the same kind of thing by the same rules, in clear text or over TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `http:`, `https:`.
    Web,
    /// `gopher:`, `gophers:`.
    Gopher,
    /// `ftp:`, `ftps:`.
    Ftp,
    /// `sftp:`.
    Sftp,
    /// `news:`, `snews:`: groups, and articles by their ids.
    News,
    /// `nntp:`, `nntps:`: articles by the numbers of one server.
    Nntp,
    /// `gemini:`, `titan:`.
    Gemini,
    /// `spartan:`.
    Spartan,
    /// `guppy:`.
    Guppy,
    /// `file:`.
    File,
    /// `archive:`: what is in an archive.
    Archive,
    /// `mailto:`.
    Mail,
    /// `about:`.
    About,
    /// `data:`.
    Data,
    /// `mid:`, `cid:`: messages that are open, and parts of them.
    Message,
    /// `telnet:`, `rlogin:`, `tn3270:`.
    Session,
    /// `javascript:` and its kin, `place:`: refused, since nothing is opened by them.
    Nowhere,
    /// Whatever else.
    Other,
}

impl Family {
    /// Whether a news server is asked, by whichever name an article has.
    pub fn is_news(self) -> bool {
        matches!(self, Family::News | Family::Nntp)
    }
}

/// The family of a URL's scheme.
pub fn family(url: &Url) -> Family {
    table::family(url.scheme())
}

/// The schemes of the kind that a reader names by one of them, or as `web`; none where there is no such kind.
pub fn of_kind(name: &str) -> Vec<&'static str> {
    let name = name.to_ascii_lowercase();
    let kind = if name == "web" { Family::Web } else { table::family(&name) };
    let is_of_it = |scheme: &&str| {
        let family = table::family(scheme);
        **scheme == name || family == kind && kind != Family::Other || family.is_news() && kind.is_news()
    };
    table::all().filter(is_of_it).collect()
}

/// Whether a URL's scheme says that all goes over TLS.
pub fn is_secure(url: &Url) -> bool {
    table::is_secure(url.scheme())
}

/// Whether a URL is only another way to write the one that it opens: `url:`, `mbox:`. Whoever named the one has named the other.
pub fn is_spelling(url: &Url) -> bool {
    matches!(table::name(url.scheme()), "url" | "mbox")
}

/// How often a URL may be another way to write one before nobody follows it.
const SPELLINGS: usize = 5;

/// Whether a URL leads to a file or a folder of this machine, or into one, however it is written.
pub fn is_here(url: &Url) -> bool {
    let mut at = super::place(url).into_owned();
    for _ in 0..SPELLINGS {
        match family(&at) {
            Family::File => return true,
            _ if table::name(at.scheme()) == "mbox" => return true,
            _ if !is_spelling(&at) => return false,
            _ => {}
        }
        match super::plan(&at).map(|plan| plan.act) {
            Ok(Act::Open(meant)) => at = super::place(&meant).into_owned(),
            // Nothing is opened.
            _ => return false,
        }
    }
    true
}

/// Whether an address is one that others may answer for, to whoever asks.
pub fn is_of_network(url: &Url) -> bool {
    match family(url) {
        Family::Web | Family::Gopher | Family::Ftp | Family::News | Family::Nntp => true,
        Family::Gemini | Family::Spartan | Family::Guppy => true,
        Family::Other => !is_here(url) && !is_spelling(url),
        Family::Sftp | Family::File | Family::Archive | Family::Mail | Family::About => false,
        Family::Data | Family::Message | Family::Session | Family::Nowhere => false,
    }
}

/// Whether this program asks nobody for it itself: a program or a gateway may be set for its scheme, of which nothing is known here, or of
/// which it is known that there is nothing to read.
pub fn is_handed_over(url: &Url) -> bool {
    matches!(super::plan(url).map(|plan| plan.act), Ok(Act::Handler(_)))
}

/// Whether a scheme is one of the web's.
pub fn is_of_the_web(scheme: &str) -> bool {
    table::family(scheme) == Family::Web
}

/// The scheme of a family, over TLS or in clear text; where there is but one, that.
pub fn of(family: Family, secure: bool) -> &'static str {
    table::named(family, secure)
}
