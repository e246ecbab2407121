//! `~/.netrc`: logins that the reader keeps for `ftp`, `curl` and their kin, read and never written.
//!
//! The file is read when a login may be wanted, off the keyboard's thread, and nothing of it is kept, but by a connection to an FTP
//! server, which knows for the minute that it waits for more whose it is. An FTP server is told the login of the line that names its
//! host where the URL names the user, so that it is shown whose login goes out; a server of the web only over TLS, only when it asks, and never as it is where a proof was enough before. No other host is
//! told it, and neither is another port than 21 and 990 of FTP and 443 of the web, unless a line says `port`; nor is anybody from a
//! private tab: who asked would be told. `default` is told to nobody: it would hand a password to whatever host a link names.
//! Refuses: a file that others may read, that is somebody else's, or longer than 256 KiB.

use super::net::wire_name;
use super::{FetchError, Kind, Login, Request};
use crate::doc::flat;
use crate::url::scheme::{self, Family};
use crate::url::{Url, escape};
use std::fmt;
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Octets of the file.
const LONGEST: u64 = 256 * 1024;

/// The file, which may not be there.
#[derive(Debug, Clone, Default)]
pub struct Netrc(Option<PathBuf>);

/// A line of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The host; `None` for `default`.
    pub host: Option<String>,
    /// The port, where it says one.
    pub port: Option<u16>,
    /// The user.
    pub user: Option<String>,
    /// The password.
    pub password: Option<String>,
    /// The account.
    pub account: Option<String>,
}

/// Never the password, nor the account.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry {{ {:?}, {:?}, {:?}, password: *** }}", self.host, self.port, self.user)
    }
}

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parsed {
    /// Its entries in order.
    pub entries: Vec<Entry>,
    /// The line of a quotation mark that has no other one: nobody knows what was meant there, and nothing behind it is read.
    pub open: Option<usize>,
}

/// Reads a file; words that are none of its own are passed over.
pub fn parse(text: &[u8]) -> Parsed {
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
    let (mut rest, mut entries) = (&*text, Vec::<Entry>::new());
    loop {
        rest = rest.trim_start();
        if rest.starts_with('#') {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        let Some((word, behind)) = word(rest) else { break };
        rest = behind;
        match word.as_str() {
            "default" => entries.push(Entry::default()),
            // Commands for ftp(1), up to an empty line.
            "macdef" => rest = rest.find("\n\n").map_or("", |end| &rest[end..]),
            "machine" | "login" | "user" | "password" | "passwd" | "account" | "port" => {
                rest = rest.trim_start();
                let Some((value, behind)) = self::word(rest) else { break };
                rest = behind;
                if word == "machine" {
                    entries.push(Entry { host: Some(value), ..Entry::default() });
                    continue;
                }
                let Some(entry) = entries.last_mut() else { continue };
                match word.as_str() {
                    "login" | "user" => entry.user = Some(value),
                    "password" | "passwd" => entry.password = Some(value),
                    "account" => entry.account = Some(value),
                    // One that is none is no other one either.
                    _ => entry.port = Some(value.parse().unwrap_or_default()),
                }
            }
            _ => {}
        }
    }
    // what ended it is the end of the text, or a word without its end
    let before = &text[..text.len() - rest.len()];
    let open = (!rest.is_empty()).then(|| 1 + before.bytes().filter(|octet| *octet == b'\n').count());
    Parsed { entries, open }
}

/// The word that a text begins with, and what is behind it. In quotation marks it may hold white space, and what a backslash stands before (as
/// curl reads it).
fn word(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let (mut word, mut letters) = (String::new(), quoted.char_indices());
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((word, &quoted[at + 1..])),
            '\\' => match letters.next().map(|(_, letter)| letter) {
                Some('n') => word.push('\n'),
                Some('r') => word.push('\r'),
                Some('t') => word.push('\t'),
                Some(other) => word.push(other),
                None => break,
            },
            letter => word.push(letter),
        }
    }
    None
}

impl Entry {
    /// Whether it is for a server, by its host as it goes out and its port; `usual` are those that a line need not say.
    fn is_for(&self, host: &str, port: u16, usual: &[u16]) -> bool {
        self.port.map_or(usual.contains(&port), |own| own == port) && self.is_of(host)
    }

    /// Whether it is of a host, on whatever port.
    fn is_of(&self, host: &str) -> bool {
        let known = |name: &String| !host.is_empty() && wire(name).eq_ignore_ascii_case(host);
        self.host.as_ref().is_some_and(known)
    }
}

fn wire(name: &str) -> String {
    wire_name(name).unwrap_or_else(|_| name.to_owned())
}

fn wire_host(url: &Url) -> String {
    wire(url.host().unwrap_or_default().trim_matches(['[', ']']))
}

/// The login of the first entry for the server of a URL, and for its user where it names one.
pub fn login_of(entries: &[Entry], url: &Url) -> Option<Login> {
    let named = url.user().map(escape::decode);
    let host = wire_host(url);
    let usual: &[u16] = if scheme::family(url) == Family::Ftp { &[21, 990] } else { &[443] };
    let port = url.port().unwrap_or_default();
    let fits = |entry: &&Entry| {
        let user = entry.user.as_ref().map(String::as_bytes);
        entry.is_for(&host, port, usual)
            && entry.password.is_some()
            && named.as_deref().or(user).is_some_and(|n| user.is_none_or(|u| u == n))
    };
    let entry = entries.iter().find(fits)?;
    let user = entry.user.as_ref().map(|user| user.clone().into_bytes()).or(named)?;
    let password = entry.password.clone()?.into_bytes();
    Some(Login { user, password, account: entry.account.clone().map(String::into_bytes) })
}

impl Netrc {
    /// The file at a path.
    pub fn new(path: Option<PathBuf>) -> Netrc {
        Netrc(path)
    }

    /// The login for the server of a URL; nothing where the URL says a password, or says nobody to an FTP server (which is called
    /// by as anonymous), a login is known, or a private tab asks.
    ///
    /// # Errors
    /// A file that is there and may not be used, in a sentence.
    pub(super) async fn login(&self, request: &Request) -> Result<Option<Login>, String> {
        let nobody = scheme::family(&request.url) == Family::Ftp && request.url.user().is_none();
        if nobody { Ok(None) } else { Ok(login_of(&self.entries(request).await?, &request.url)) }
    }

    /// All that it says; nothing where a login is known, or a private tab asks.
    async fn entries(&self, request: &Request) -> Result<Vec<Entry>, String> {
        let wanted = request.login.is_none() && request.url.password().is_none() && !request.private;
        let Some(path) = self.0.clone().filter(|_| wanted) else {
            return Ok(Vec::new());
        };
        let parsed =
            tokio::task::spawn_blocking(move || read(&path)).await.unwrap_or_else(|error| Err(error.to_string()))?;
        Ok(parsed.unwrap_or_default().entries)
    }

    /// Says which login there is for a server that does not want an anonymous one.
    pub(super) async fn offered(&self, request: &Request, error: FetchError) -> FetchError {
        let url = &request.url;
        if error.kind != Kind::NeedsLogin || url.user().is_some() {
            return error;
        }
        let entries = match self.entries(request).await {
            Ok(entries) => entries,
            Err(sentence) => return error.advise(&sentence),
        };
        if let Some(login) = login_of(&entries, url) {
            let user = escape::encode(&login.user, b"");
            let (host, path) = (url.authority().unwrap_or_default(), url.path());
            let named = format!("{}://{user}@{host}{}", url.scheme(), if path.is_empty() { "/" } else { path });
            return error.advise(&format!("{} has a login there: {named} uses it.", self.path()));
        }
        let (host, port) = (wire_host(url), url.port().unwrap_or_default());
        if entries.iter().any(|entry| entry.password.is_some() && entry.is_of(&host)) {
            let line = format!("{} has a login for this host, and not for port {port}", self.path());
            return error.advise(&format!("{line}: \"port {port}\" in its line says that it is for it."));
        }
        error
    }

    /// What is told of its login where a server does not take it, or of the file where it is not used.
    pub(super) fn remark(&self, looked: &Result<Option<Login>, String>, error: FetchError) -> FetchError {
        if !matches!(error.kind, Kind::NeedsLogin | Kind::NeedsAccount) {
            return error;
        }
        match looked {
            Ok(Some(_)) => error.advise(&format!("User and password are those of {}.", self.path())),
            Err(sentence) => error.advise(sentence),
            Ok(None) => error,
        }
    }

    /// What is told where its login is known, and was not sent.
    pub(super) fn withheld(&self, error: FetchError) -> FetchError {
        error.advise(&format!("Those of {} were not sent.", self.path()))
    }

    fn path(&self) -> String {
        self.0.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    }

    /// `about:netrc`: hosts and users, never a password.
    pub(super) fn page(&self) -> String {
        let mut text = String::from("# Logins of your own file\n\n");
        let Some(path) = &self.0 else {
            return text + "None is read: netrc is \"\" in the settings.\n";
        };
        match read(path) {
            Err(sentence) => text.push_str(&format!("{}\n", flat(&sentence))),
            Ok(None) => text.push_str(&format!("{} is not there.\n", flat(&path.display().to_string()))),
            Ok(Some(Parsed { entries, open })) => {
                text.push_str(&format!("{} names these hosts:\n\n", flat(&path.display().to_string())));
                for entry in &entries {
                    let host = entry.host.as_deref().map_or_else(|| "default, told to nobody".into(), flat);
                    let port = entry.port.map(|port| format!(" port {port}")).unwrap_or_default();
                    let user = entry.user.as_deref().map(|user| format!(" as {}", flat(user))).unwrap_or_default();
                    let without = if entry.password.is_none() { ", without a password: not used" } else { "" };
                    text.push_str(&format!("* {host}{port}{user}{without}\n"));
                }
                if let Some(line) = open {
                    let mark = "a quotation mark without its other one";
                    text.push_str(&format!("\nFrom line {line} on it is not read: there is {mark}.\n"));
                }
            }
        }
        text.push_str(
            "\nFTP servers are told the login of their own line where the address names its user, ftp://USER@HOST/; servers of the web when they ask, over TLS alone; nobody from a private tab.\n",
        );
        text.push_str("The file is never written. netrc in the settings names another one, or none.\n");
        text
    }
}

/// What a file says; `None` where there is none.
fn read(path: &Path) -> Result<Option<Parsed>, String> {
    let shown = path.display();
    let wrong = |error: io::Error| format!("{shown} cannot be read: {error}.");
    let waits_not = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = match OpenOptions::new().read(true).custom_flags(waits_not).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error)),
    };
    let facts = file.metadata().map_err(wrong)?;
    match () {
        () if !facts.is_file() => return Err(format!("{shown} is not used: it is no plain file.")),
        () if facts.uid() != rustix::process::getuid().as_raw() => {
            return Err(format!("{shown} is not used: it is somebody else's."));
        }
        () if facts.mode() & 0o077 != 0 => {
            return Err(format!("{shown} is not used: others may read it (chmod 600 {shown})."));
        }
        () if facts.len() > LONGEST => return Err(format!("{shown} is not used: it is longer than 256 KiB.")),
        () => {}
    }
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(wrong)?;
    Ok(Some(parse(&text)))
}
