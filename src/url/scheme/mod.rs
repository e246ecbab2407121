//! One file per scheme: text ⇄ typed fields ⇄ labelled parts ⇄ the request it would send.
//!
//! `table` holds the facts of every scheme in one row each; what the rows share stands here. All is pure: a plan says
//! what following a URL would do, after every safety rule of the scheme (SEC-01 … 04), and does nothing.

pub mod about;
mod about_new;
mod account;
pub mod archive;
pub mod data;
pub mod dict;
mod family;
pub mod file;
pub mod ftp;
pub mod gemini;
pub mod gopher;
pub mod gopher_item;
pub mod gopher_plus;
mod guppy;
pub mod http;
mod known;
pub mod mailto;
pub mod mid;
pub mod news;
mod nex;
pub mod nntp;
mod one_line;
pub mod prospero;
mod request;
mod section;
mod server;
pub mod sftp;
mod show;
pub mod sought;
mod spartan;
pub(super) mod table;
pub mod telnet;
mod through;
pub mod urn;
pub mod wais;
mod wildmat;
mod wire;
mod words;

pub use account::{Account, account_of, instead, is_spoken, package_of};
pub use archive::place;
pub use family::{
    Family, family, is_handed_over, is_here, is_of_network, is_of_the_web, is_secure, is_spelling, of, of_kind,
};
pub use one_line::in_full;
pub use request::{command_text, plan_json, request_json, without_password, would_send};
pub use section::{is_dead, section};
pub use show::{field, plain, wire as on_the_wire};
pub use table::{all, default_port, explain, for_hosts, is_for_hosts, name};
pub use through::{through, whole};
pub use wildmat::fits_wildmat;
pub use words::with_words;

use super::{Url, UrlError};
use std::borrow::Cow;
use std::net::IpAddr;

/// What a scheme can say of its URLs; the functions of a row of the table.
struct Ways {
    /// What it is one of.
    family: Family,
    /// What its paths are made of.
    paths: Paths,
    /// The scheme's own parts, after host and port and before the fragment.
    parts: fn(&Url) -> Result<Vec<Part>, UrlError>,
    fields: fn(&Url) -> Result<serde_json::Value, UrlError>,
    plan: fn(&Url) -> Result<Plan, UrlError>,
    up: fn(&Url) -> Option<Url>,
    root: fn(&Url) -> Option<Url>,
}

/// What the paths of a scheme are made of, for references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paths {
    /// Segments between slashes.
    Segments,
    /// Segments; and pages there repeat the scheme before a relative path (D05).
    Repeated,
    /// Identifiers of the server's own, in which a dot is a dot (GOP-05, D03).
    Own,
}

/// What kind of thing a labelled part is, so that the screen can give it a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The scheme.
    Scheme,
    /// A user name.
    User,
    /// A password; its text is always `***`.
    Password,
    /// A host.
    Host,
    /// A port that is the scheme's default.
    PortDefault,
    /// Any other port.
    PortOdd,
    /// A gopher type, FTP typecode, WAIS type: what kind of object it is.
    Type,
    /// A hierarchical or opaque path, selector, directory.
    Path,
    /// The last name in a path; a group, an article.
    Name,
    /// A query or search words.
    Query,
    /// A Gopher+ string, fields, parameters.
    Extra,
    /// A fragment.
    Fragment,
}

/// One part of a URL as the status bar shows it: decoded where that is safe, labelled in the scheme's own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The scheme's word for it ("selector", "cwd", "group"); shown in the anatomy.
    pub label: &'static str,
    /// For the screen: sanitised text.
    pub text: String,
}

/// The labelled parts of any URL, in reading order (MODEL-04). Total: what cannot be parsed is shown raw.
pub fn parts(url: &Url) -> Vec<Part> {
    let ways = table::ways(url.scheme());
    let mut parts = vec![Part { kind: PartKind::Scheme, label: "scheme", text: show::component(url.scheme()) }];
    let anonymous = url.user().is_none() && url.host().is_some() && logs_in_anonymously(url);
    if let Some(user) = url.user().map(super::escape::decode).or(anonymous.then(|| b"anonymous".to_vec())) {
        parts.push(Part { kind: PartKind::User, label: "user", text: show::octets(&user) });
    }
    if url.password().is_some() {
        parts.push(Part { kind: PartKind::Password, label: "password", text: "***".into() });
    }
    // Where others have a host an archive has a name of its own.
    let host = url.host().filter(|host| !host.is_empty() && family(url) != Family::Archive);
    if let Some(host) = host {
        parts.push(Part { kind: PartKind::Host, label: "host", text: show::component(host) });
        parts.extend(port_part(url));
    }
    parts.extend((ways.parts)(url).or_else(|_| http::parts(url)).unwrap_or_default());
    if let Some(fragment) = url.fragment() {
        parts.push(Part { kind: PartKind::Fragment, label: "fragment", text: show::component(fragment) });
    }
    parts
}

/// FTP logs in as `anonymous` when the URL names nobody, and the reader should see it.
fn logs_in_anonymously(url: &Url) -> bool {
    family(url) == Family::Ftp
}

fn port_part(url: &Url) -> Option<Part> {
    let own = own_port(url);
    let port = server::explicit_port(url).or(own)?;
    let kind = if Some(port) == own { PartKind::PortDefault } else { PartKind::PortOdd };
    Some(Part { kind, label: "port", text: port.to_string() })
}

/// The decoded, scheme-specific fields as JSON, in the words of `wayfarer url parse --json`.
///
/// # Errors
/// The URL breaks its scheme's rules.
pub fn fields(url: &Url) -> Result<serde_json::Value, UrlError> {
    (table::ways(url.scheme()).fields)(url)
}

/// The port of the service that a URL is of: its scheme's, but for a phone book in gopherspace, which is another service.
fn own_port(url: &Url) -> Option<u16> {
    match family(url) {
        Family::Gopher => Some(gopher::own_port(url)),
        _ => default_port(url.scheme()),
    }
}

/// What is to be said of the port that a URL writes out: that it is refused, or asked about (SEC-01); nothing of most.
pub fn port_doubt(url: &Url) -> Option<String> {
    match own_port(url).map(|own| server::server_at(url, own))? {
        Ok(server) if server.confirm.is_none() => None,
        Ok(server) => Some(format!("port {} is reserved and not the usual one of {}:", server.port, url.scheme())),
        Err(UrlError::Refused(why)) if why.starts_with("port ") => Some(why),
        Err(_) => None,
    }
}

/// Whether the path of a URL is made of segments between slashes.
pub fn is_divided(url: &Url) -> bool {
    table::paths(url.scheme()) != Paths::Own
}

/// Whether what follows a `?` is a query, not part of the path (D16).
pub fn has_query(url: &Url) -> bool {
    is_divided(url)
        && !matches!(family(url), Family::Ftp | Family::File | Family::Sftp | Family::Archive | Family::Message)
}

/// Whether two URLs are of one server, of what is in an archive that which has the outermost one.
pub fn is_of_one_server(one: &Url, other: &Url) -> bool {
    let server = |url: &Url| {
        let url = place(url);
        (family(&url), url.scheme().to_ascii_lowercase(), url.authority().map(str::to_ascii_lowercase))
    };
    server(one) == server(other)
}

/// What following a URL would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The act itself.
    pub act: Act,
    /// Something the reader must agree to first, as a question (odd port, filled form).
    pub confirm: Option<String>,
}

/// The act of a [`Plan`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Send these octets to host and port and read the answer.
    Octets {
        /// Host as in the URL.
        host: String,
        /// Port to connect to.
        port: u16,
        /// TLS from the first octet.
        tls: bool,
        /// The whole request.
        bytes: Vec<u8>,
    },
    /// Send these commands, in order; octets as Latin-1 code points, placeholders in `<>`.
    ///
    /// An FTP password of the URL stands in them: show a plan by [`would_send`] only.
    Commands {
        /// Host as in the URL; `None` for the configured server.
        host: Option<String>,
        /// Port to connect to.
        port: u16,
        /// The commands without CR LF.
        commands: Vec<String>,
    },
    /// An HTTP request line.
    Http {
        /// Host as in the URL.
        host: String,
        /// Port to connect to.
        port: u16,
        /// The first line, `GET /path HTTP/1.1`.
        request: String,
    },
    /// Nothing is sent: this other URL is opened.
    Open(Url),
    /// Input is needed first.
    Ask(Ask),
    /// A folder or file of this machine, as octets.
    File(Vec<u8>),
    /// The reader's own `ssh` is started with these arguments, and asked for this path by SFTP.
    Ssh {
        /// Without the options that are always given.
        arguments: Vec<String>,
        /// As octets.
        path: Vec<u8>,
    },
    /// Built in: `about:` pages, `data:`.
    Internal,
    /// Handed over to a program or gateway, or explained when there is none.
    Handler(&'static str),
}

/// What must be asked before a request can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Words for a search (gopher type 7), or to look up.
    Search,
    /// A query for a CSO phone book.
    PhoneBook,
    /// A file to be sent there.
    File,
}

/// What following `url` would do, without doing it. All safety rules of the scheme are applied here (SEC-01 … 03).
///
/// # Errors
/// The URL is malformed for its scheme, or refused; the sentence says why.
pub fn plan(url: &Url) -> Result<Plan, UrlError> {
    (table::ways(url.scheme()).plan)(url)
}

/// The URL that answers what was asked before it could be fetched: a server's question in Gemini space, or one of the program's own.
///
/// # Errors
/// It asks nothing that words could answer.
pub fn answering(url: &Url, words: &[u8]) -> Result<Url, UrlError> {
    match family(url) {
        Family::About => about::named(url, words),
        _ => gemini::answering(url, words),
    }
}

/// One level up, by the scheme's own hierarchy; `None` at the top and where there is none.
pub fn up(url: &Url) -> Option<Url> {
    (table::ways(url.scheme()).up)(url)
}

/// The top of the space that the URL lies in.
pub fn root(url: &Url) -> Option<Url> {
    (table::ways(url.scheme()).root)(url)
}

/// The same server with another path; query and fragment go.
fn with_path(url: &Url, path: &str) -> Option<Url> {
    let authority = url.authority().map(|authority| format!("//{authority}")).unwrap_or_default();
    Url::parse(format!("{}:{authority}{path}", url.scheme())).ok()
}

/// The path after the slash that divides it from the host, with the query re-joined where `?` is data (D16, D25).
fn joined_path(url: &Url) -> Result<Cow<'_, str>, UrlError> {
    let path = url.path().strip_prefix('/').unwrap_or(url.path());
    match url.query() {
        None => Ok(path.into()),
        Some(_) if url.path().is_empty() && url.authority().is_some() => {
            Err(UrlError::Malformed(format!("{}: needs a / between host and \"?\"", url.scheme())))
        }
        Some(query) => Ok(format!("{path}?{query}").into()),
    }
}

/// Whether a host names this machine's loopback.
pub fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
