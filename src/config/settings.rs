//! The settings and their defaults.

use super::table::lay;
use super::{Mailcap, News, Proxies, gateway};
use crate::url::complete::{Completed, Leaning};
use crate::url::scheme::about::Kept;
use crate::url::{Url, UrlError, escape, scheme};
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

/// The settings' own defaults, written as the reader would write them.
pub const DEFAULTS: &str = include_str!("../../assets/settings.toml");
/// The file of them among the built-in tables.
const FILE: &str = "settings.toml";
/// The name of the shortcut that is the program's own: what follows is looked for in what was read.
const READ: &str = "?";

/// Everything the reader may set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where to begin, as typed at the address prompt.
    pub home: String,
    /// The scheme of hosts that are typed by their names alone.
    pub default_scheme: String,
    /// The key preset's name.
    pub keys: String,
    /// The theme's name.
    pub theme: String,
    /// How many colours to use.
    pub colours: Colours,
    /// How the entries of menus are marked.
    pub marks: MarkStyle,
    /// Whether long lines of plain text wrap.
    pub wrap: bool,
    /// Columns of prose; `None` for as many as there are.
    pub width: Option<u16>,
    /// Whether pages stand in the middle of screens that are much wider than prose.
    pub centre: bool,
    /// Columns that stay free at both sides of a page.
    pub margin: u16,
    /// Whether the mouse is the browser's from the start, not the terminal's.
    pub mouse: bool,
    /// Whether links show their numbers.
    pub numbers: bool,
    /// Whether the terminal's cursor is seen at the focus, not only where letters are typed.
    pub cursor: bool,
    /// Whether the first new line is marked after a jump by a screen.
    pub mark_new: bool,
    /// Whether the screen is for who listens to it, or reads it line by line with their fingers.
    pub speech: bool,
    /// How pictures are shown.
    pub pictures: Pictures,
    /// Which pictures a page shows in its text.
    pub pictures_in_text: PicturesInText,
    /// The order of directories.
    pub sort: SortBy,
    /// The file of logins of `ftp` and its kin, `~` allowed at its beginning; empty where none is read.
    pub netrc: String,
    /// The folder for downloads, `~` allowed at its beginning.
    pub downloads: String,
    /// How names of directories are written on the disk.
    pub saved_names: SavedNames,
    /// The program that texts are written with, and its arguments; empty takes the environment's.
    pub editor: Vec<String>,
    /// Octets for pages kept for going back.
    pub cache: u64,
    /// Pages that are remembered from session to session.
    pub history: u64,
    /// How much is kept of pages that were read.
    pub store: Store,
    /// When what the reader is subscribed to is looked at.
    pub subscriptions: Subscriptions,
    /// When the tabs of the last time come back.
    pub restore: Restore,
    /// Whether the kernel keeps what reads from servers from files and programs.
    pub sandbox: Sandbox,
    /// Limits and times.
    pub limits: Limits,
    /// How to be known to FTP servers.
    pub ftp: Ftp,
    /// How SFTP servers are reached.
    pub sftp: Sftp,
    /// How to be known to HTTP servers.
    pub http: Http,
    /// Where news comes from.
    pub news: News,
    /// Charsets of text that does not say its own.
    pub charset: Charsets,
    /// The archive of pages of the web that are gone: a URL in which `{url}` stands for that of the page; empty for none.
    pub archive: String,
    /// Gateways by scheme: a URL in which `%s` stands for the URL that is wanted, `{host}` and the like for its parts.
    pub gateways: BTreeMap<String, String>,
    /// Shortcuts for the address prompt, by name: a URL in which `%s` stands for the words typed after the name.
    pub shortcuts: BTreeMap<String, String>,
    /// Programs by scheme or media type; see [`Settings::handler`].
    pub handlers: BTreeMap<String, Vec<String>>,
    /// Programs that the system's mailcap files name for media types, in their order.
    pub mailcap: Mailcap,
}

/// How many colours to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// As many as the terminal says it has.
    #[default]
    Auto,
    /// None.
    Never,
    /// The sixteen.
    Ansi16,
    /// The 256 of xterm.
    Indexed,
    /// All.
    True,
}

/// How the entries of menus are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MarkStyle {
    /// `(DIR)`.
    #[default]
    Words,
    /// One glyph.
    Glyphs,
}

/// When the tabs of the last time come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restore {
    /// When the program was ended by something else than the reader.
    #[default]
    Crash,
    /// At every start.
    Always,
    /// At none; they are not kept.
    Never,
}

/// Whether threads that read from servers are kept from files and programs by the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// Where the kernel can; where it cannot, that is said.
    #[default]
    Auto,
    /// Or nothing is opened.
    Always,
    /// They are not.
    Never,
}

/// Which pictures a page shows in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PicturesInText {
    /// Those that the reader asks for.
    #[default]
    Asked,
    /// Those of its own server.
    Host,
}

/// How pictures are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pictures {
    /// By the best that the terminal says it can.
    #[default]
    Auto,
    /// In half blocks.
    Blocks,
    /// By kitty's protocol.
    Kitty,
    /// In Sixel.
    Sixel,
    /// By iTerm2's protocol.
    Iterm2,
    /// They are not, and no page.
    Never,
}

/// The order of directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SortBy {
    /// As the server gives them.
    #[default]
    Given,
    /// Directories first, then by name.
    Name,
    /// The largest first.
    Size,
    /// The newest first.
    Date,
    /// By what they are.
    Kind,
}

/// Charsets of text that does not say its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Charsets {
    /// For every host; `None` is a guess from the text.
    pub default: Option<String>,
    /// For single hosts, lower case.
    pub hosts: BTreeMap<String, String>,
    /// For newsgroups, by wildmat patterns; the last that fits counts, and "auto" is none.
    pub groups: Vec<(String, String)>,
}

/// How names of directories are written on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SavedNames {
    /// In UTF-8, whatever charset they are in on the server.
    #[default]
    Utf8,
    /// With the octets that they have there.
    Octets,
}

/// How to be known to FTP servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ftp {
    /// What anonymous users say when they are asked for a password; by custom their mail address (D34).
    pub anonymous_password: String,
    /// Whether connections of `ftp:` are made secure.
    pub tls: FtpTls,
    /// Files that come from one server at a time, each on a connection of its own: 1 to 4.
    pub connections: usize,
}

/// Whether connections of `ftp:` are made secure; those of `ftps:` always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FtpTls {
    /// Clear text, as the scheme says.
    #[default]
    Never,
    /// AUTH TLS where the server lists it among its features.
    Offered,
    /// AUTH TLS, or nothing.
    Always,
}

impl Default for Ftp {
    fn default() -> Ftp {
        Ftp { anonymous_password: "anonymous@".into(), tls: FtpTls::Never, connections: 2 }
    }
}

/// How SFTP servers are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sftp {
    /// The program: OpenSSH's client, or one that takes its options.
    pub ssh: String,
}

impl Default for Sftp {
    fn default() -> Sftp {
        Sftp { ssh: "ssh".into() }
    }
}

/// How to be known to HTTP servers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Http {
    /// The proxy's URL; `None` takes the environment's (`http_proxy` and its family), an empty text none at all.
    pub proxy: Option<String>,
    /// HTTP proxies for other schemes.
    pub proxies: Proxies,
    /// The languages that servers are told the reader prefers, as `Accept-Language` has them; empty tells nothing.
    pub languages: String,
    /// What becomes of cookies.
    pub cookies: CookieRule,
    /// The same for single hosts and what is below them, lower case.
    pub cookie_hosts: BTreeMap<String, CookieRule>,
}

/// What becomes of cookies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CookieRule {
    /// Taken and given back until the program ends.
    #[default]
    Session,
    /// Neither taken nor given.
    Never,
    /// Kept on disk for as long as the server says.
    Keep,
    /// The reader is asked, once for each host.
    Ask,
}

impl Http {
    /// The same for a private tab: cookies that would be kept, or asked about, are taken until the program ends.
    pub fn forgetful(&self) -> Http {
        let mild = |rule: CookieRule| match rule {
            CookieRule::Never => CookieRule::Never,
            CookieRule::Session | CookieRule::Keep | CookieRule::Ask => CookieRule::Session,
        };
        let cookie_hosts = self.cookie_hosts.iter().map(|(host, rule)| (host.clone(), mild(*rule))).collect();
        Http { cookies: mild(self.cookies), cookie_hosts, ..self.clone() }
    }

    /// The rule for a host: its own, else that of the nearest domain above it, else the general one.
    pub fn cookie_rule(&self, host: &str) -> CookieRule {
        let host = host.to_ascii_lowercase();
        let mut name = host.as_str();
        loop {
            if let Some(rule) = self.cookie_hosts.get(name) {
                return *rule;
            }
            match name.split_once('.') {
                Some((_, above)) => name = above,
                None => return self.cookies,
            }
        }
    }
}

/// How much is kept of pages that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Store {
    /// Octets on the disk; 0 keeps none.
    pub size: u64,
    /// Days; 0 for as long as there is room.
    pub age: u32,
}

/// When what the reader is subscribed to is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subscriptions {
    /// At the start, what is due then.
    pub start: bool,
    /// Seconds from one look to the next; 0 looks only when the reader says so.
    pub every: u64,
}

/// Times and sizes that keep a bad server from hurting. Hitting one gives a sentence and keeps what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For a connection to open, TLS included.
    pub connect: Duration,
    /// For the server to send something, each time.
    pub silence: Duration,
    /// Octets of one page.
    pub page: u64,
    /// Octets of memory that one page may hold.
    pub memory: usize,
    /// Octets of one line of a protocol.
    pub line: usize,
    /// Octets per second of all files that come; 0 for as many as come.
    pub rate: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            page: 1 << 30,
            memory: 256 << 20,
            line: 64 * 1024,
            rate: 0,
        }
    }
}

/// The settings of the embedded file.
impl Default for Settings {
    fn default() -> Settings {
        let mut settings = Settings {
            home: String::new(),
            default_scheme: String::new(),
            keys: String::new(),
            theme: String::new(),
            colours: Colours::Auto,
            marks: MarkStyle::Words,
            wrap: true,
            width: None,
            centre: false,
            margin: 0,
            mouse: false,
            numbers: false,
            cursor: false,
            mark_new: false,
            speech: false,
            pictures: Pictures::Auto,
            pictures_in_text: PicturesInText::Asked,
            sort: SortBy::Given,
            netrc: String::new(),
            downloads: String::new(),
            saved_names: SavedNames::Utf8,
            editor: Vec::new(),
            cache: 0,
            history: 0,
            store: Store { size: 0, age: 0 },
            subscriptions: Subscriptions { start: false, every: 0 },
            restore: Restore::Crash,
            sandbox: Sandbox::Auto,
            limits: Limits::default(),
            ftp: Ftp::default(),
            sftp: Sftp::default(),
            http: Http::default(),
            news: News::default(),
            charset: Charsets::default(),
            archive: String::new(),
            gateways: BTreeMap::new(),
            shortcuts: BTreeMap::new(),
            handlers: BTreeMap::new(),
            mailcap: Mailcap::default(),
        };
        // A test keeps the embedded file free of mistakes and complete.
        let rows = crate::table::embedded(FILE).unwrap_or_default();
        lay(&mut settings, FILE, &rows, &mut Vec::new());
        settings
    }
}

impl Settings {
    /// The program and arguments for a scheme or media type: exactly that name, else the family (`image/*`), else what the
    /// mailcap files say of either, else `*`, else none.
    pub fn handler(&self, name: &str) -> Option<&[String]> {
        let name = name.to_ascii_lowercase();
        let family = name.split_once('/').map(|(family, _)| format!("{family}/*"));
        let named = |name: &str| self.handlers.get(name);
        let mailcap = || self.mailcap.program(&name, family.as_deref());
        let found = named(&name).or_else(|| named(family.as_deref()?)).or_else(mailcap).or_else(|| named("*"))?;
        (!found.is_empty()).then_some(found)
    }

    /// Where a gateway has what a URL names: all of it is data in the gateway's own URL, but a password, which does not go
    /// to a third party.
    pub fn through_gateway(&self, url: &Url) -> Option<String> {
        let template = self.gateways.get(&url.scheme().to_ascii_lowercase())?;
        Some(gateway::fill(template, url))
    }

    /// Where the archive keeps a page of the web. `None` without an archive, for what an archive cannot have (a host of this
    /// house, or known by its number alone), for what nobody else is to learn (a user's name, a password), and for the archive's own pages.
    pub fn in_archive(&self, url: &Url) -> Option<Url> {
        let host = url.host()?;
        let is_address = host.starts_with('[') || host.parse::<Ipv4Addr>().is_ok();
        let public = host.trim_end_matches('.').contains('.') && !scheme::is_loopback(host) && !is_address;
        if !scheme::is_of_the_web(url.scheme()) || !public || url.user().is_some() || self.archive.is_empty() {
            return None;
        }
        gateway::archived(&self.archive, url).filter(|kept| kept.host() != Some(host))
    }

    /// What a typed text means that begins with the name of a shortcut: the name, and the URL for the words after it, every
    /// one of their octets data. Without words the URL is as if it had no place for them, so that a search in gopherspace
    /// still asks.
    ///
    /// `None`: no shortcut is meant. The URL is an error where these words cannot stand in it.
    pub fn through_shortcut<'a>(&self, typed: &'a str) -> Option<(&'a str, Result<Url, UrlError>)> {
        let typed = typed.trim();
        let (name, words) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        if name == READ && !words.trim().is_empty() {
            return Some((name, Kept::Search(words.trim().into()).url()));
        }
        let template = self.shortcuts.get(name)?;
        let text = match words.trim() {
            "" => template.replace("%09%s", "").replace("%s", ""),
            words => template.replace("%s", &escape::encode(words.as_bytes(), b"")),
        };
        Some((name, Url::parse(text)))
    }

    /// Whether a typed text is a shortcut with words to search for.
    pub fn is_search(&self, typed: &str) -> bool {
        let (name, words) = typed.trim().split_once(char::is_whitespace).unwrap_or_default();
        let searches = name == READ || self.shortcuts.get(name).is_some_and(|template| template.contains("%s"));
        !words.trim().is_empty() && searches
    }

    /// What Enter opens at the address prompt, beside references relative to a page: words for a shortcut, else a completed
    /// address. `home` is the reader's home folder; `page` and `visited` say where they are and were ([`Leaning`]).
    ///
    /// # Errors
    /// As [`Leaning::complete`].
    pub fn address(
        &self,
        typed: &str,
        home: Option<&str>,
        page: Option<&Url>,
        visited: &dyn Fn(&str, Option<u16>) -> Option<String>,
    ) -> Result<Completed, UrlError> {
        match self.through_shortcut(typed) {
            Some((READ, url)) => {
                Ok(Completed { url: url?, alternatives: Vec::new(), note: Some("words in what you have read".into()) })
            }
            Some((name, url)) => {
                Ok(Completed { url: url?, alternatives: Vec::new(), note: Some(format!("shortcut {name}")) })
            }
            None => Leaning { scheme: &self.default_scheme, page, visited }.complete(typed, home),
        }
    }
}
