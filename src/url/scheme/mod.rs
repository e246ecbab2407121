//! One file per scheme: text ⇄ typed fields ⇄ labelled parts ⇄ the request it would send.

pub mod gopher;
pub mod gopher_item;
pub mod gopher_plus;
mod server;
mod show;
mod wire;

use super::{Url, UrlError};
use std::net::IpAddr;

/// The port that a scheme uses when the URL names none (GEN-17).
pub fn default_port(scheme: &str) -> Option<u16> {
    const PORTS: &[(&str, u16)] = &[
        ("http", 80),
        ("https", 443),
        ("ftp", 21),
        ("ftps", 990),
        ("gopher", 70),
        ("gophers", 70),
        ("nntp", 119),
        ("nntps", 563),
        ("snews", 563),
        ("telnet", 23),
        ("rlogin", 513),
        ("tn3270", 23),
        ("wais", 210),
        ("prospero", 1525),
        ("whois++", 63),
        ("finger", 79),
        ("gemini", 1965),
        ("z39.50r", 210),
        ("z39.50s", 210),
        ("nfs", 2049),
    ];
    PORTS.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)).map(|(_, port)| *port)
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
    vec![Part { kind: PartKind::Scheme, label: "scheme", text: url.scheme().into() }]
}

/// The decoded, scheme-specific fields as JSON, in the words of `wayfarer url parse --json`.
///
/// # Errors
/// The URL breaks its scheme's rules.
pub fn fields(url: &Url) -> Result<serde_json::Value, UrlError> {
    let _ = url;
    Ok(serde_json::json!({}))
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
    Gopher {
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
    /// Built in: `about:` pages, `data:`.
    Internal,
    /// Handed over to a program or gateway, or explained when there is none.
    Handler(&'static str),
}

/// What must be asked before a request can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Words for a search (gopher type 7).
    Search,
    /// Fields for a Gopher+ form.
    Form,
    /// A query for a CSO phone book.
    PhoneBook,
}

/// What following `url` would do, without doing it. All safety rules of the scheme are applied here (SEC-01 … 03).
///
/// # Errors
/// The URL is malformed for its scheme, or refused; the sentence says why.
pub fn plan(url: &Url) -> Result<Plan, UrlError> {
    match url.scheme().to_ascii_lowercase().as_str() {
        "gopher" | "gophers" => (gopher::WAYS.plan)(url),
        "file" => {
            let host = url.host().unwrap_or_default();
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err(UrlError::Malformed("another host".into()));
            }
            Ok(Plan { act: Act::File(wire::decode("path", url.path())?), confirm: None })
        }
        "about" | "data" => Ok(Plan { act: Act::Internal, confirm: None }),
        other => Err(UrlError::Unsupported(other.into())),
    }
}

/// A scheme's row.
#[allow(dead_code)]
pub(super) struct Ways {
    parts: fn(&Url) -> Result<Vec<Part>, UrlError>,
    fields: fn(&Url) -> Result<serde_json::Value, UrlError>,
    plan: fn(&Url) -> Result<Plan, UrlError>,
    up: fn(&Url) -> Option<Url>,
    root: fn(&Url) -> Option<Url>,
}

fn joined_path(url: &Url) -> Result<String, UrlError> {
    let mut path = url.path().strip_prefix('/').unwrap_or(url.path()).to_owned();
    if let Some(query) = url.query() {
        path.push('?');
        path.push_str(query);
    }
    Ok(path)
}

/// Whether a host names this machine's loopback.
pub fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
