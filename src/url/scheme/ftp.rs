//! `ftp:` and `ftps:` (RFC 1738, 3.2): one CWD for each segment, a name, a typecode; all of them octets.
//!
//! `?` is data here (D16). Written typecodes are `a i d`; the RFC 959 forms of the drafts are read as well (D09).

use super::{Act, Family, Part, PartKind, Paths, Plan, Ways, server, show, table, wire};
use crate::url::{Url, UrlError, escape};
use serde_json::json;

/// Asking for a directory: the richest answer first (D10).
const LIST: &str = "MLSD | LIST | NLST";
/// The port on which FTP is spoken over TLS from the first octet.
const IMPLICIT: u16 = 990;

/// The fields of an FTP URL, decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Ftp {
    /// `None` logs in as `anonymous`; an empty name is sent as it is (FTP-04).
    pub user: Option<Vec<u8>>,
    /// `None` is asked for when the server wants one; an empty one is sent (FTP-06).
    pub password: Option<Vec<u8>>,
    /// The arguments of the CWD commands, in order.
    pub cwd: Vec<Vec<u8>>,
    /// The last segment; empty for a directory, `None` when the URL has no path at all.
    pub name: Option<Vec<u8>>,
    /// `;type=`, if it is one.
    pub typecode: Option<Typecode>,
}

/// How to transfer, by the URL's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typecode {
    /// `a`: text.
    Ascii,
    /// `i`: octets.
    Image,
    /// `d`: the name is a directory to list.
    Directory,
    /// `AN AT AC`: text with a form code (N, T or C).
    AsciiForm(char),
    /// `EN ET EC`: EBCDIC with a form code.
    EbcdicForm(char),
    /// `L` and the bits of a byte.
    Local(u8),
}

impl Typecode {
    fn named(text: &str) -> Option<Typecode> {
        let upper = text.to_ascii_uppercase();
        Some(match upper.as_bytes() {
            b"A" => Typecode::Ascii,
            b"I" => Typecode::Image,
            b"D" => Typecode::Directory,
            [b'A', form @ (b'N' | b'T' | b'C')] => Typecode::AsciiForm(*form as char),
            [b'E', form @ (b'N' | b'T' | b'C')] => Typecode::EbcdicForm(*form as char),
            [b'L', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => Typecode::Local(upper[1..].parse().ok()?),
            _ => return None,
        })
    }

    /// As it stands in a URL (`a`, `AN`, `L8`).
    pub fn code(self) -> String {
        match self {
            Typecode::Ascii => "a".into(),
            Typecode::Image => "i".into(),
            Typecode::Directory => "d".into(),
            Typecode::AsciiForm(form) => format!("A{form}"),
            Typecode::EbcdicForm(form) => format!("E{form}"),
            Typecode::Local(bits) => format!("L{bits}"),
        }
    }

    /// The TYPE command; a directory has none.
    pub fn command(self) -> Option<String> {
        Some(match self {
            Typecode::Ascii => "TYPE A".into(),
            Typecode::Image => "TYPE I".into(),
            Typecode::Directory => return None,
            Typecode::AsciiForm(form) => format!("TYPE A {form}"),
            Typecode::EbcdicForm(form) => format!("TYPE E {form}"),
            Typecode::Local(bits) => format!("TYPE L {bits}"),
        })
    }

    /// In words, for the status bar.
    fn word(self) -> &'static str {
        match self {
            Typecode::Ascii | Typecode::AsciiForm(_) => "text",
            Typecode::Image | Typecode::Local(_) => "binary",
            Typecode::Directory => "list",
            Typecode::EbcdicForm(_) => "EBCDIC text",
        }
    }
}

impl Ftp {
    /// Reads the fields of an FTP URL.
    ///
    /// # Errors
    /// CR, LF or NUL in any of them (SEC-03).
    pub fn of(url: &Url) -> Result<Ftp, UrlError> {
        let path = super::joined_path(url)?;
        let mut raw: Vec<&str> = path.split('/').collect();
        let last = raw.pop().unwrap_or_default();
        let (name, typecode) = split_typecode(last);
        Ok(Ftp {
            user: wire::decode_opt("user name", url.user())?,
            password: wire::decode_opt("password", url.password())?,
            cwd: raw.into_iter().map(|segment| wire::decode("directory", segment)).collect::<Result<_, _>>()?,
            name: if url.path().is_empty() { None } else { Some(wire::decode("name", name)?) },
            typecode,
        })
    }

    /// The directory to list, as CWD arguments, when the URL says that it is one: typecode `d`, or no name, or a name
    /// that ends in an escaped slash.
    pub fn directory(&self) -> Option<Vec<&[u8]>> {
        let name = self.name.as_deref().unwrap_or_default();
        let listed = self.typecode == Some(Typecode::Directory) || name.is_empty() || name.ends_with(b"/");
        let segments = self.cwd.iter().map(Vec::as_slice);
        listed.then(|| segments.chain((!name.is_empty()).then_some(name)).collect())
    }

    /// The login: user and, if it is known without asking, password. `email` is for anonymous users.
    fn login(&self) -> [String; 2] {
        let user = self.user.as_deref().unwrap_or(b"anonymous");
        let password = match &self.password {
            Some(password) => line("PASS", password),
            None if user == b"anonymous" => "PASS <email>".into(),
            None => "PASS <ask>".into(),
        };
        [line("USER", user), password]
    }

    /// The commands that retrieve it, data connections left out; what stands in brackets depends on an answer.
    pub fn commands(&self) -> Vec<String> {
        let mut out = Vec::from(self.login());
        let directory = self.directory();
        let plain = || self.cwd.iter().map(Vec::as_slice).collect();
        for (i, segment) in directory.clone().unwrap_or_else(plain).iter().enumerate() {
            match (segment.is_empty(), i) {
                (true, 0) => {
                    out.push("CWD ".into());
                    out.push("CWD / (only if the null CWD was refused)".into());
                }
                (true, _) => out.push("CWD  (null; skip if refused)".into()),
                (false, _) => out.push(line("CWD", segment)),
            }
        }
        let name = self.name.as_deref().unwrap_or_default();
        match (directory, self.typecode.and_then(Typecode::command)) {
            (Some(_), _) => out.push(LIST.into()),
            (None, Some(command)) => out.extend([command, line("RETR", name)]),
            (None, None) => out.extend(["TYPE <guess>".into(), line("RETR", name)]),
        }
        out
    }
}

/// Never the password.
impl std::fmt::Debug for Ftp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let password = self.password.as_ref().map(|_| "***");
        let Ftp { user, cwd, name, typecode, .. } = self;
        write!(f, "Ftp {{ {user:?} {password:?} {cwd:?} {name:?} {typecode:?} }}")
    }
}

/// The commands before the login that make an `ftps:` connection secure (RFC 4217).
fn secured(url: &Url, port: u16) -> Vec<String> {
    if !table::is_secure(url.scheme()) {
        return Vec::new();
    }
    let auth = match port {
        IMPLICIT if url.port_text().is_some() => None,
        IMPLICIT => Some("AUTH TLS (only on port 21, where port 990 does not answer)"),
        21 => Some("AUTH TLS"),
        _ => Some("AUTH TLS (unless the server waits for TLS from the first octet)"),
    };
    auth.into_iter().chain(["PBSZ 0", "PROT P"]).map(str::to_owned).collect()
}

/// A command line; 0xFF is doubled, since the control connection is a telnet one (RFC 959, 2.3).
fn line(verb: &str, argument: &[u8]) -> String {
    format!("{verb} {}", wire::latin1(argument).replace('\u{FF}', "\u{FF}\u{FF}"))
}

/// The name and the typecode of the last segment; an unknown code belongs to the name.
pub(in crate::url) fn split_typecode(segment: &str) -> (&str, Option<Typecode>) {
    let found = segment.rfind(';').and_then(|at| {
        let (key, value) = segment[at + 1..].split_once('=')?;
        let typecode = Typecode::named(value).filter(|_| key.eq_ignore_ascii_case("type"))?;
        Some((&segment[..at], Some(typecode)))
    });
    found.unwrap_or((segment, None))
}

/// The text of the directory that a URL shows, final slash included, without typecode and fragment.
fn directory_text(url: &Url) -> Result<String, UrlError> {
    let text = url.without_fragment();
    let text = text.as_str();
    let text = match text.rfind('/') {
        Some(slash) if !url.path().is_empty() => {
            let (name, _) = split_typecode(&text[slash + 1..]);
            &text[..slash + 1 + name.len()]
        }
        _ => text,
    };
    super::joined_path(url)?;
    Ok(if text.ends_with('/') && !url.path().is_empty() { text.into() } else { format!("{text}/") })
}

/// The URL of the directory that a URL turned out to name, as its page has it: with a slash at its end (D10).
///
/// # Errors
/// CR, LF or NUL in it (SEC-03).
pub fn directory(url: &Url) -> Result<Url, UrlError> {
    Url::parse(directory_text(url)?)
}

/// The URL of an entry of a directory's listing: the same name goes back to the server (FTP-23).
///
/// # Errors
/// A name that cannot be asked for: empty, `.`, `..`, or with CR, LF or NUL.
pub fn entry(directory: &Url, name: &[u8], is_directory: bool) -> Result<Url, UrlError> {
    wire::check("name", name)?;
    if matches!(name, b"" | b"." | b"..") {
        return Err(UrlError::Malformed("this name is no entry of a directory".into()));
    }
    let slash = if is_directory { "/" } else { "" };
    Url::parse(format!("{}{}{slash}", directory_text(directory)?, escape::encode(name, escape::FTP_SEGMENT)))
}

fn up(url: &Url) -> Option<Url> {
    let ftp = Ftp::of(url).ok()?;
    let mut segments = ftp.cwd.clone();
    if let Some(directory) = ftp.directory() {
        segments = directory.iter().map(|segment| segment.to_vec()).collect();
        // From "/%2Fpub/" the way up leads to "/%2F/", the server's root, not to the login directory; there it ends.
        let last = segments.pop().filter(|last| last != b"/")?;
        if let Some(cut) = last.iter().rposition(|b| *b == b'/') {
            segments.push(last[..cut.max(1)].to_vec());
        }
    }
    let mut path = String::from("/");
    for segment in &segments {
        path.push_str(&escape::encode(segment, escape::FTP_SEGMENT));
        path.push('/');
    }
    super::with_path(url, &path)
}

pub(super) const WAYS: Ways = Ways {
    family: Family::Ftp,
    paths: Paths::Repeated,
    parts: |url| {
        let ftp = Ftp::of(url)?;
        let mut parts = Vec::new();
        let directory = ftp.directory();
        let shown = |segment: &[u8]| show::octets(segment).replace('/', "%2F") + "/";
        let path = match &directory {
            Some(segments) => segments.iter().map(|s| shown(s)).collect::<String>(),
            None => ftp.cwd.iter().map(|s| shown(s)).collect(),
        };
        parts.push(Part { kind: PartKind::Path, label: "cwd", text: format!("/{path}") });
        if directory.is_none() {
            parts.push(Part {
                kind: PartKind::Name,
                label: "name",
                text: show::octets(ftp.name.as_deref().unwrap_or_default()),
            });
        }
        let word = if directory.is_some() { Some("list") } else { ftp.typecode.map(Typecode::word) };
        parts.extend(word.map(|word| Part { kind: PartKind::Type, label: "type", text: word.into() }));
        Ok(parts)
    },
    fields: |url| {
        let ftp = Ftp::of(url)?;
        Ok(json!({
            "cwd": ftp.cwd.iter().map(|segment| show::field(segment)).collect::<Vec<_>>(),
            "name": ftp.name.as_deref().map(show::field),
            "typecode": ftp.typecode.map(Typecode::code),
        }))
    },
    plan: |url| {
        let ftp = Ftp::of(url)?;
        let server = server::server(url)?;
        let commands = secured(url, server.port).into_iter().chain(ftp.commands()).collect();
        let act = Act::Commands { host: Some(server.host), port: server.port, commands };
        Ok(Plan { act, confirm: server.confirm })
    },
    up,
    root: |url| super::with_path(url, "/"),
};
