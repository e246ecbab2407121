//! What the address prompt makes of typed text: wrappers stripped, abbreviations completed (TXT-09, ABBR-01 … 04).
//!
//! Abbreviations are for the prompt alone. In a document `www.w3.org/` is a relative reference like any other, and
//! [`super::BaseStack::resolve`] treats it as one; it never asks this module (ABBR-02).
//! Refuses: looking anything up. Which reading is right is known only when it is opened, hence the alternatives.

mod host;
mod leaning;

pub(super) use host::{ABBREVIATIONS, Abbreviation};
pub use leaning::Leaning;

use super::find::{known, weak, wrapped::Joined};
use super::resolve::slashed;
use super::scheme::{Family, file::File, news, table};
use super::{BaseStack, Resolved, Url, UrlError, escape, split};
use std::borrow::Cow;

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

impl Completed {
    /// Where nobody said which of the web's schemes is meant, the secure one, as an address prompt opens it: its error page
    /// offers the other one. A port suggests a server of one's own, and within this machine nothing can listen in.
    fn preferring_tls(self) -> Completed {
        let web = self.note.is_some() && self.url.is("http") && self.url.port_text().is_none();
        if !web || self.url.host().is_none_or(super::scheme::is_loopback) {
            return self;
        }
        let secure = self.url.as_str().split_once(':').and_then(|(_, rest)| Url::parse(format!("https:{rest}")).ok());
        match secure {
            Some(url) => {
                let mut alternatives = self.alternatives;
                alternatives.iter_mut().filter(|other| **other == url).for_each(|other| *other = self.url.clone());
                Completed { url, alternatives, note: self.note.map(|note| note.replacen("http", "https", 1)) }
            }
            None => self,
        }
    }
}

/// Endings of file names, each with the type that such a file has in gopher space: with a base, "index.html" is a neighbour of the
/// page, not a host.
#[rustfmt::skip]
const FILE_ENDINGS: &[(&str, char)] = &[
    ("asc", '0'), ("bmp", 'I'), ("c", '0'), ("css", '0'), ("csv", '0'), ("gif", 'g'), ("gmi", '0'), ("gz", '9'),
    ("h", '0'), ("htm", 'h'), ("html", 'h'), ("jpeg", 'I'), ("jpg", 'I'), ("js", '0'), ("json", '0'), ("log", '0'),
    ("markdown", '0'), ("md", '0'), ("mp3", 's'), ("ogg", 's'), ("pdf", '9'), ("php", '1'), ("png", 'I'), ("ps", '9'),
    ("rs", '0'), ("shtml", 'h'), ("tar", '9'), ("tex", '0'), ("toml", '0'), ("txt", '0'), ("tgz", '9'), ("wav", 's'),
    ("webp", 'I'), ("xhtml", 'h'), ("xml", '0'), ("z", '9'), ("zip", '9'),
];

/// The most characters of typed text that an error repeats.
const LONGEST_QUOTE: usize = 160;

/// Completes typed text. Where a base is given, a relative reference wins over an abbreviation (ABBR-02): text that can
/// only be relative (`../x`, `/x`, `?q`, `#f`, `x/y`, `page.html`) is resolved; what has the form of a host stays one,
/// with the relative reading among the alternatives. `home` is the reader's home folder, for `~/…`.
///
/// # Errors
/// Nothing usable was typed, or a scheme that can never be opened. [`UrlError::NoBase`] for `./x` and the like without
/// a base: the caller may know a folder to start from.
pub fn complete(typed: &str, base: Option<&Url>, home: Option<&str>) -> Result<Completed, UrlError> {
    complete_leaning(typed, base, home, &Leaning::NONE)
}

fn complete_leaning(
    typed: &str,
    base: Option<&Url>,
    home: Option<&str>,
    leaning: &Leaning<'_>,
) -> Result<Completed, UrlError> {
    read(typed, &Prompt { base, home, leaning }).map_err(|error| match suggestion(typed) {
        Some(meant) => UrlError::Malformed(format!("{error}; did you mean {meant} ?")),
        None => error,
    })
}

/// What was probably meant by a text whose slashes or brackets are not where they belong. Logins are not repeated.
fn suggestion(typed: &str) -> Option<String> {
    let text = typed.trim();
    if text.contains('@') || text.contains(char::is_whitespace) {
        return None;
    }
    if text.parse::<std::net::Ipv6Addr>().is_ok() {
        return Some(format!("http://[{text}]/"));
    }
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, rest),
        None => text.split_once("//")?,
    };
    let rest = rest.trim_start_matches('/');
    let meant = Url::parse(format!("{name}://{rest}")).ok()?;
    let host = host::has_form(first_segment(rest)) || !rest.contains('.');
    (known::needs_host(name) && host && !rest.is_empty() && meant.as_str() != text).then(|| meant.as_str().into())
}

fn read(typed: &str, prompt: &Prompt<'_>) -> Result<Completed, UrlError> {
    let (inner, wrapper) = unwrap(typed);
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

/// Pasted text as it goes into the address prompt: without the delimiters around it and the white space they allow for
/// (TXT-09). Of text that stands `alone` at the prompt, what a line break took apart is put together even without them.
/// `None` for words, and for a message-id: its brackets say what it is.
pub fn pasted(text: &str, alone: bool) -> Option<String> {
    let (inner, wrapper) = unwrap(text);
    let joined = Joined::read(inner, 0, None, usize::MAX)?;
    let spaced = joined.spaced(" ", "");
    match wrapper {
        Wrapper::Angle if weak::split_address(&joined.text).is_some() => None,
        Wrapper::Angle => Some(joined.text),
        // A quotation is no URL.
        Wrapper::Quotes if spaced.is_some() && with_scheme(&joined.text).is_none() => None,
        Wrapper::Quotes => Some(joined.text),
        Wrapper::None if !alone || (spaced.is_some() && with_scheme(&joined.text).is_none()) => None,
        Wrapper::None => Some(spaced.unwrap_or(joined.text)),
    }
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
    let quoted = within('"', '"').or_else(|| within('\'', '\''));
    quoted.map_or((typed, Wrapper::None), |inner| (inner, Wrapper::Quotes))
}

/// `<id@host>` as it stands in a header: an article, or else a person (I019).
fn message_id(id: &str) -> Result<Completed, UrlError> {
    Ok(Completed {
        url: news::article_url(id.as_bytes())?,
        alternatives: vec![Url::parse(weak::mail_url(id))?],
        note: Some("message-id → news".into()),
    })
}

/// One reading after the other, the surest first.
struct Prompt<'a> {
    base: Option<&'a Url>,
    home: Option<&'a str>,
    leaning: &'a Leaning<'a>,
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
        let host = (self.base.is_none() || !text.starts_with(['/', '.', '?', '#']))
            .then(|| host::reading(text, self.leaning))
            .flatten();
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
        let text = slashed(base.scheme(), text).map_or(Cow::Borrowed(text), Cow::Owned);
        let resolved = BaseStack::retrieved(base.clone(), None).resolve(&escape::make_safe_typed(&text));
        let url = resolved.map(|resolved| match resolved {
            Resolved::Url(url) => url,
            Resolved::SameDocument { fragment } => base.with_fragment(fragment.as_deref()),
        });
        Some(url.and_then(|url| added(url, format!("relative to {}", base.redacted()))))
    }

    /// Whether text that might be a host is rather a neighbour of the page.
    fn prefers_relative(&self, text: &str) -> bool {
        self.base.is_some() && file_ending(first_segment(text)).is_some()
    }
}

/// The row of the ending of a file's name.
fn file_ending(name: &str) -> Option<&'static (&'static str, char)> {
    let (_, ending) = name.rsplit_once('.')?;
    FILE_ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known))
}

fn added(url: Url, note: impl Into<String>) -> Result<Completed, UrlError> {
    Ok(Completed { url, alternatives: Vec::new(), note: Some(note.into()) })
}

fn nothing_usable(text: &str) -> UrlError {
    if text.starts_with(['.', '?', '#']) {
        UrlError::NoBase(text.into())
    } else {
        // what might be a login is not repeated with its password, nor a pasted page as a whole
        let login = text.find(':').zip(text.rfind('@')).filter(|(colon, at)| colon < at);
        let hidden = login.map_or(text.into(), |(colon, at)| format!("{}:***{}", &text[..colon], &text[at..]));
        let mut quoted: String = hidden.chars().take(LONGEST_QUOTE).collect();
        if quoted.len() < hidden.len() {
            quoted.push('…');
        }
        UrlError::Malformed(format!("\"{quoted}\" is no URL, host or file name"))
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
    if well_formed && table::family(name) == Family::Nowhere {
        return Some(Err(UrlError::Unsupported(name.to_ascii_lowercase())));
    }
    if !well_formed || (!known::is_known(name) && looks_like_host(name, rest)) {
        return None;
    }
    Some(typed_url(name, rest).map(|url| Completed { alternatives: as_written(text, &url), url, note: None }))
}

/// The URL with each `%` that begins no escape as it was typed, where a server of the web is to see the difference (ESC-16).
fn as_written(text: &str, typed: &Url) -> Vec<Url> {
    let web = table::family(typed.scheme()) == Family::Web;
    let written = web.then(|| Url::parse(escape::make_safe(text)).ok()).flatten();
    written.into_iter().filter(|written| written != typed && !text.contains('\\')).collect()
}

/// Whether `name:rest` is a host with its port or a login: digits up to the path, `password@host`, or anything after a
/// name with a dot in it, which no scheme in use has.
fn looks_like_host(name: &str, rest: &str) -> bool {
    let segment = first_segment(rest);
    let is_login = || !name.starts_with("x-") && segment.rsplit_once('@').is_some_and(|(_, host)| host::has_form(host));
    (!rest.starts_with("//") && name.contains('.'))
        || (!segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit()))
        || is_login()
}

fn typed_url(name: &str, rest: &str) -> Result<Url, UrlError> {
    let is_message = matches!(table::family(name), Family::News | Family::Message | Family::Mail);
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

/// `/etc/motd`: a file of this machine.
fn path_reading(text: &str) -> Option<Result<Completed, UrlError>> {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    is_path.then(|| file_url(text).and_then(|url| added(url, "path → file")))
}

/// A path is octets, not a URL: `%`, `?` and `#` in it are data.
fn file_url(path: &str) -> Result<Url, UrlError> {
    File::url(path.as_bytes())
}

/// Parses a whole URL that was typed, as a link would be read: on the web a backslash is a slash (and in a site with a login
/// refused: escaping it would choose one of two hosts). A space in the host is a mistake, not something to escape.
fn parse_typed(text: &str) -> Result<Url, UrlError> {
    let read = slashed("", text).map_or(Cow::Borrowed(text), Cow::Owned);
    if let Some(site) = split(&read).authority {
        let host = site.rsplit_once('@').map_or(site, |(_, host)| host);
        if host.contains(char::is_whitespace) {
            return Err(UrlError::BadHost(host.into()));
        }
        if site.contains('\\') {
            return Url::parse(read);
        }
    }
    Url::parse(escape::make_safe_typed(&read))
}
