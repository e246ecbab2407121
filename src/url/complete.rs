//! What the address prompt makes of typed text: wrappers stripped, abbreviations completed (TXT-09, ABBR-01 … 04).
//!
//! Abbreviations are for the prompt alone. In a document `www.w3.org/` is a relative reference like any other, and
//! [`super::BaseStack::resolve`] treats it as one; it never asks this module (ABBR-02).
//! Refuses: looking anything up. Which reading is right is known only when it is opened, hence the alternatives.

use super::find::{known, weak, wrapped::Joined};
use super::{BaseStack, Resolved, Url, UrlError, escape, scheme, split};

/// A completed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    /// What will be opened.
    pub url: Url,
    /// What else it might have meant, likeliest first.
    pub alternatives: Vec<Url>,
    /// Why, when anything was added ("www → http"); for the reader.
    pub note: Option<String>,
}

/// A first label of a host name that tells the scheme (ABBR-01, ABBR-04).
pub(super) struct Abbreviation {
    pub(super) label: &'static str,
    pub(super) scheme: &'static str,
    /// Whether plain text is searched for it too (D39); words that begin group names as well are not.
    pub(super) in_text: bool,
}

const fn row(label: &'static str, scheme: &'static str, in_text: bool) -> Abbreviation {
    Abbreviation { label, scheme, in_text }
}

/// Heuristics change (ABBR-03): this table is where. A news server as a whole has no other URL than `news://host/`, which
/// is written nowhere else (D18).
pub(super) const ABBREVIATIONS: &[Abbreviation] = &[
    row("www", "http", true),
    row("ftp", "ftp", true),
    row("gopher", "gopher", true),
    row("news", "news", false),
    row("nntp", "news", false),
    row("gemini", "gemini", false),
];

/// Ports that tell the scheme where no name does.
const PORTS: &[(u16, &str)] = &[
    (21, "ftp"),
    (23, "telnet"),
    (70, "gopher"),
    (79, "finger"),
    (119, "news"),
    (210, "wais"),
    (443, "https"),
    (563, "snews"),
    (990, "ftps"),
    (1525, "prospero"),
    (1965, "gemini"),
    (8443, "https"),
];

/// First words of group names that are far likelier a group than a host.
const HIERARCHIES: &[&str] = &[
    "alt",
    "aus",
    "bit",
    "bofh",
    "comp",
    "de",
    "eternal-september",
    "fido7",
    "fj",
    "fr",
    "free",
    "gmane",
    "gnu",
    "humanities",
    "it",
    "linux",
    "local",
    "misc",
    "mozilla",
    "news",
    "nl",
    "pl",
    "rec",
    "sci",
    "soc",
    "talk",
    "uk",
    "z-netz",
];

/// Endings of file names: with a base, "index.html" is a neighbour of the page, not a host.
const FILE_ENDINGS: &[&str] = &[
    "asc", "bmp", "c", "css", "csv", "gif", "gmi", "gz", "h", "htm", "html", "jpeg", "jpg", "js", "json", "log",
    "markdown", "md", "mp3", "ogg", "pdf", "php", "png", "ps", "rs", "shtml", "tar", "tex", "toml", "txt", "tgz",
    "wav", "webp", "xhtml", "xml", "z", "zip",
];

/// Schemes that run what is typed instead of naming it.
const SCRIPTS: &[&str] = &["javascript", "vbscript", "livescript", "jscript"];

/// Completes typed text. Where a base is given, a relative reference wins over an abbreviation (ABBR-02): text that can
/// only be relative (`../x`, `/x`, `?q`, `#f`, `x/y`, `page.html`) is resolved; what has the form of a host stays one,
/// with the relative reading among the alternatives. `home` is the reader's home folder, for `~/…`.
///
/// # Errors
/// Nothing usable was typed, or a scheme that can never be opened. [`UrlError::NoBase`] for `./x` and the like without
/// a base: the caller may know a folder to start from.
pub fn complete(typed: &str, base: Option<&Url>, home: Option<&str>) -> Result<Completed, UrlError> {
    let (inner, wrapper) = unwrap(typed);
    let prompt = Prompt { base, home };
    let joined = Joined::read(inner, 0, None, usize::MAX)
        .ok_or_else(|| UrlError::Malformed("control characters cannot be part of a URL".into()))?;
    if joined.text.is_empty() {
        return Err(UrlError::Malformed("nothing was typed".into()));
    }
    if let Some((local, _)) = weak::split_address(&joined.text)
        && (wrapper == Wrapper::Angle || (weak::looks_like_id(local) && !local.contains('/')))
    {
        return message_id(&joined.text);
    }
    let spaced = joined.spaced(" ", "");
    let (first, second) = match spaced {
        Some(spaced) if wrapper == Wrapper::None => (spaced, Some(joined.text.clone())),
        spaced => (joined.text.clone(), spaced),
    };
    let mut completed = prompt.read(&first)?;
    for other in second.into_iter().chain(joined.dehyphenated()) {
        completed.alternatives.extend(prompt.read(&other).ok().map(|other| other.url));
    }
    Ok(completed)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrapper {
    None,
    Angle,
    Quotes,
}

/// Takes one pair of delimiters off (TXT-09).
fn unwrap(typed: &str) -> (&str, Wrapper) {
    let typed = typed.trim();
    let within = |open: char, close: char| typed.strip_prefix(open)?.strip_suffix(close);
    if let Some(inner) = within('<', '>') {
        return (inner, Wrapper::Angle);
    }
    within('"', '"').map_or((typed, Wrapper::None), |inner| (inner, Wrapper::Quotes))
}

/// `<id@host>` as it stands in a header: an article, or else a person (I019).
fn message_id(id: &str) -> Result<Completed, UrlError> {
    Ok(Completed {
        url: Url::parse(weak::news_url(id))?,
        alternatives: vec![Url::parse(weak::mail_url(id))?],
        note: Some("message-id → news".into()),
    })
}

/// One reading after the other, the surest first.
struct Prompt<'a> {
    base: Option<&'a Url>,
    home: Option<&'a str>,
}

impl Prompt<'_> {
    fn read(&self, text: &str) -> Result<Completed, UrlError> {
        if let Some(drive) = drive_path(text) {
            return added(file_url(&format!("/{}", drive.replace('\\', "/")))?, "path → file");
        }
        if let Some(completed) = with_scheme(text) {
            return completed;
        }
        if let Some(completed) = self.in_home(text) {
            return completed;
        }
        // what begins with one of these is never a host where there is a base
        let host =
            (self.base.is_none() || !text.starts_with(['/', '.', '?', '#'])).then(|| host_reading(text)).flatten();
        let relative = self.relative(text);
        match (host, relative) {
            (Some(host), relative) if !self.prefers_relative(text) => {
                let mut completed = host?;
                completed.alternatives.extend(relative.and_then(Result::ok).map(|relative| relative.url));
                Ok(completed)
            }
            (host, Some(Ok(mut completed))) => {
                completed.alternatives.extend(host.and_then(Result::ok).map(|host| host.url));
                completed.alternatives.extend(path_reading(text).and_then(Result::ok).map(|path| path.url));
                Ok(completed)
            }
            (host, relative) => path_reading(text).or(host).or(relative).unwrap_or_else(|| Err(nothing_usable(text))),
        }
    }

    /// `~/…`: in the reader's home folder.
    fn in_home(&self, text: &str) -> Option<Result<Completed, UrlError>> {
        let rest = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        let Some(home) = self.home else {
            return Some(Err(UrlError::Malformed("~ stands for the home folder, and none is known".into())));
        };
        Some(file_url(&format!("{}{rest}", home.trim_end_matches('/'))).and_then(|url| added(url, "~ → home folder")))
    }

    /// The relative reading: only with a base, and never of words with spaces between them.
    fn relative(&self, text: &str) -> Option<Result<Completed, UrlError>> {
        let base = self.base?;
        if first_segment(text).contains(char::is_whitespace) {
            return None;
        }
        let resolved = BaseStack::retrieved(base.clone(), None).resolve(&safe(text));
        let url = resolved.map(|resolved| match resolved {
            Resolved::Url(url) => url,
            Resolved::SameDocument { fragment } => base.with_fragment(fragment.as_deref()),
        });
        Some(url.and_then(|url| added(url, format!("relative to {}", base.redacted()))))
    }

    /// Whether text that might be a host is rather a neighbour of the page.
    fn prefers_relative(&self, text: &str) -> bool {
        let ending = first_segment(text).rsplit_once('.').map_or("", |(_, ending)| ending);
        self.base.is_some() && FILE_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    }
}

fn added(url: Url, note: impl Into<String>) -> Result<Completed, UrlError> {
    Ok(Completed { url, alternatives: Vec::new(), note: Some(note.into()) })
}

fn nothing_usable(text: &str) -> UrlError {
    if text.starts_with(['.', '?', '#']) {
        UrlError::NoBase(text.into())
    } else {
        UrlError::Malformed(format!("\"{text}\" is no URL, host or file name"))
    }
}

/// `C:\x` and `C:/x`: one letter is no scheme where a path follows (D37).
fn drive_path(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let is_drive = bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && b"\\/".contains(&bytes[2]);
    is_drive.then_some(text)
}

/// Text that names its scheme, unless what stands before the colon is a host and what follows is its port.
fn with_scheme(text: &str) -> Option<Result<Completed, UrlError>> {
    let (name, rest) = text.split_once(':')?;
    let well_formed = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+.-".contains(&b));
    if !well_formed || (!known::is_known(name) && looks_like_port(name, rest)) {
        return None;
    }
    if SCRIPTS.iter().any(|script| name.eq_ignore_ascii_case(script)) {
        return Some(Err(UrlError::Unsupported(name.to_ascii_lowercase())));
    }
    Some(typed_url(name, rest).map(|url| Completed { url, alternatives: Vec::new(), note: None }))
}

/// Digits, or nothing, up to the path; and any text after a name with a dot in it, which no scheme in use has.
fn looks_like_port(name: &str, rest: &str) -> bool {
    let port = first_segment(rest);
    (!rest.starts_with("//") && name.contains('.')) || (!port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()))
}

fn typed_url(name: &str, rest: &str) -> Result<Url, UrlError> {
    let is_message = ["news", "snews", "mid", "mailto"].iter().any(|scheme| name.eq_ignore_ascii_case(scheme));
    // pasted as "news:<id@host>": the brackets are the header's, not the URL's (NEWS-01)
    let inner = rest.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).filter(|_| is_message);
    let url = parse_typed(&format!("{name}:{}", inner.unwrap_or(rest)))?;
    if known::needs_host(url.scheme()) && url.host().is_none_or(str::is_empty) {
        return Err(UrlError::NoHost(url.scheme().into()));
    }
    Ok(url)
}

/// What stands before the path, query and fragment.
fn first_segment(text: &str) -> &str {
    text.split(['/', '?', '#']).next().unwrap_or_default()
}

/// `host`, `host:port`, `user@host`, each with or without a path.
fn host_reading(text: &str) -> Option<Result<Completed, UrlError>> {
    let (authority, rest) = match text.strip_prefix("//") {
        Some(text) => (first_segment(text), &text[first_segment(text).len()..]),
        None => (first_segment(text), &text[first_segment(text).len()..]),
    };
    let server = authority.rsplit_once('@').map_or(authority, |(_, server)| server);
    let (host, port) = split_port(server)?;
    // a port or "//" makes a host of a single name too: "myserver:70"
    let said_so = port.is_some() || text.starts_with("//");
    if !(is_host(host) || (said_so && is_label(host) && host.starts_with(|c: char| c.is_alphabetic()))) {
        return None;
    }
    let (scheme, note) = guess(host, port);
    let slash = if rest.starts_with('/') { "" } else { "/" };
    let url = |scheme: &str| parse_typed(&format!("{scheme}://{authority}{slash}{rest}"));
    Some(url(scheme).map(|first| {
        let mut alternatives = Vec::new();
        if rest.is_empty() && port.is_none() {
            alternatives.extend(opaque_reading(authority, scheme));
        }
        let other = if scheme == "http" { "https" } else { "http" };
        alternatives.extend(url(other).ok().filter(|_| port.is_none()));
        if HIERARCHIES.iter().all(|word| !starts_with_label(host, word)) && !authority.contains('@') {
            alternatives.reverse();
        }
        Completed { url: first, alternatives, note: Some(note) }
    }))
}

/// A bare host may be a group, and with a user a mail address.
fn opaque_reading(authority: &str, scheme: &str) -> Option<Url> {
    if authority.contains('@') {
        return weak::split_address(authority).and_then(|_| Url::parse(weak::mail_url(authority)).ok());
    }
    let is_group = |b: u8| b.is_ascii_alphanumeric() || b"+-._".contains(&b);
    let may_be_group = ["http", "news"].contains(&scheme) && !starts_with_label(authority, "www");
    let letter = authority.starts_with(|c: char| c.is_ascii_alphabetic());
    (may_be_group && letter && authority.contains('.') && authority.bytes().all(is_group))
        .then(|| Url::parse(format!("news:{authority}")).ok())
        .flatten()
}

/// The host and the port, if there is one; an IPv6 address keeps its brackets.
fn split_port(server: &str) -> Option<(&str, Option<&str>)> {
    let after_bracket = server.rfind(']').map_or(0, |i| i + 1);
    match server[after_bracket..].find(':') {
        Some(colon) => {
            let colon = after_bracket + colon;
            Some((&server[..colon], Some(&server[colon + 1..])))
        }
        None if server.is_empty() => None,
        None => Some((server, None)),
    }
}

/// The scheme that a host's port or first label suggests, and why.
fn guess(host: &str, port: Option<&str>) -> (&'static str, String) {
    let number = port.and_then(|port| port.parse::<u16>().ok());
    if let Some((port, scheme)) = PORTS.iter().find(|(port, _)| number == Some(*port)) {
        return (scheme, format!("port {port} → {scheme}"));
    }
    match ABBREVIATIONS.iter().find(|row| starts_with_label(host, row.label)) {
        Some(row) => (row.scheme, format!("{} → {}", row.label, row.scheme)),
        None => ("http", "no scheme → http".into()),
    }
}

fn starts_with_label(host: &str, label: &str) -> bool {
    host.split_once('.').is_some_and(|(first, _)| first.eq_ignore_ascii_case(label))
}

/// Whether a word has the form of a host: `localhost`, an address, or labels with a dot between them (GEN-13 … 16, D27).
fn is_host(host: &str) -> bool {
    if host.eq_ignore_ascii_case("localhost") || scheme::is_loopback(host) {
        return true;
    }
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    let top = name.rsplit('.').next().unwrap_or_default();
    let top_is_name = top.starts_with(|c: char| c.is_alphabetic());
    let named = name.contains('.') && name.split('.').all(is_label) && top_is_name;
    named || name.parse::<std::net::Ipv4Addr>().is_ok()
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && label
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || (!c.is_ascii() && c.is_alphanumeric()))
}

/// `/etc/motd`: a file of this machine.
fn path_reading(text: &str) -> Option<Result<Completed, UrlError>> {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    is_path.then(|| file_url(text).and_then(|url| added(url, "path → file")))
}

/// A path is octets, not a URL: `%`, `?` and `#` in it are data.
fn file_url(path: &str) -> Result<Url, UrlError> {
    Url::parse(format!("file://{}", escape::encode(path.as_bytes(), b"/!$&'()*+,;=:@")))
}

/// Escapes what may not stand in a URL; a `%` that begins no escape was meant as itself (ESC-16).
fn safe(text: &str) -> String {
    let hex = |b: Option<&u8>| b.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in memchr::memchr_iter(b'%', bytes) {
        if !(hex(bytes.get(at + 1)) && hex(bytes.get(at + 2))) {
            out.push_str(&text[from..at]);
            out.push_str("%25");
            from = at + 1;
        }
    }
    out.push_str(&text[from..]);
    escape::make_safe(&out)
}

/// Parses a whole URL that was typed. A space in the host is a mistake, not something to escape.
fn parse_typed(text: &str) -> Result<Url, UrlError> {
    match split(text).authority {
        Some(site) if site.contains(char::is_whitespace) => Err(UrlError::BadHost(site.into())),
        _ => Url::parse(safe(text)),
    }
}
