//! What a run begins with: the settings of files, environment and options, where they are read from, and what all fetches share.

use super::catch_up::CatchUp;
use super::cli::{Cli, USAGE, complain};
use super::fetch::World;
use super::named::Guess;
use super::sandbox::Sandbox;
use super::stdin::{self, Stdin};
use super::subscriptions::Subscriptions;
use super::tour::RunningTour;
use crate::bookmarks::For;
use crate::config;
use crate::disk::{Kept, Writer};
use crate::proto::http::Web;
use crate::proto::identities::Identities;
use crate::proto::netrc::Netrc;
use crate::proto::nntp::Locks;
use crate::proto::tls::{Roots, Tls};
use crate::proto::{Begun, Connections, Context, nntp};
use crate::store::{self, Store};
use crate::url::Url;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Everything that files and options together say.
pub(super) struct Setup {
    pub loaded: config::Loaded,
    /// Where settings are read from.
    pub sources: config::Sources,
    /// What has the last word over the files.
    pub fixed: Vec<config::Fixed>,
    pub base: Option<Url>,
    pub safe: bool,
    /// Only what was kept is shown, and nobody is asked.
    pub offline: bool,
    /// Names of the command line that were taken for hosts.
    pub guesses: Vec<Guess>,
}

impl Setup {
    /// Where threads that read from servers stay.
    ///
    /// # Errors
    /// It is wanted in any case, and this system has none.
    pub(super) fn sandbox(&self) -> Result<Sandbox, String> {
        Sandbox::new(self.loaded.settings.sandbox).map_err(|sentence| {
            // It may be wanted in any case because its row cannot be read.
            let of_it = self.loaded.errors.iter().find(|error| error.message.contains("sandbox = "));
            of_it.map_or(sentence.clone(), |error| format!("{sentence}. {error}"))
        })
    }

    /// What every fetch shares. With `--safe` pins are remembered only as long as the program runs. `tell` is given a sentence
    /// when a file cannot be written.
    pub(super) fn world(
        &self,
        places: &[Url],
        sandbox: &Sandbox,
        tell: impl Fn(String) + Send + Sync + 'static,
    ) -> io::Result<World> {
        let folders = directories::ProjectDirs::from("", "", "wayfarer").filter(|_| !self.safe);
        let file = |name: &str| folders.as_ref().map(|folders| folders.data_dir().join(name));
        let settings = &self.loaded.settings;
        let tell = Arc::new(tell);
        let told = Arc::clone(&tell);
        let writer = Arc::new(Writer::new(move |sentence| tell(sentence))?);
        let most = store::Most { octets: settings.store.size, days: settings.store.age };
        let pages = file("pages.db").map(|file| Store::new(file, most, &writer, move |sentence| told(sentence)));
        let kept = |name: &str| file(name).map(|file| Kept { file, writer: Arc::clone(&writer) });
        let cache = folders.as_ref().map(|folders| folders.cache_dir().join("news"));
        let most = nntp::Most { overviews: settings.news.keep, articles: settings.news.keep_articles };
        let news = cache.map(|cache| nntp::Kept::new(cache, Arc::clone(&writer), most)).unwrap_or_default();
        let context = Context {
            limits: settings.limits.clone(),
            tls: Tls::new(kept("pins"), Roots::Machine),
            ftp: settings.ftp.clone(),
            identities: Identities::new(kept("certificates")),
            connections: Connections::default(),
            http: Web::new(settings.http.clone(), kept("cookies")),
            news: settings.news.clone(),
            kept: news,
            begun: Begun::new(kept("uploads")),
            locks: Locks::new(kept("cancel-secret")),
            netrc: Netrc::new(
                Some(&settings.netrc).filter(|path| !path.is_empty()).map(|path| super::place::expand(path)),
            ),
            sandbox: sandbox.sentence.clone(),
            ..Context::default()
        };
        let private = Context {
            tls: Tls::reading(file("pins"), Roots::Machine),
            identities: Identities::default(),
            connections: Connections::default(),
            begun: Default::default(),
            archives: Default::default(),
            http: Web::new(settings.http.forgetful(), None),
            nntp: Default::default(),
            kept: Default::default(),
            ..context.clone()
        };
        let stdin = places.iter().any(|place| place.as_str() == stdin::URL).then(Stdin::open);
        let (tour, pages) = (RunningTour::new(&context), pages.unwrap_or_default());
        let subscriptions = Subscriptions::new(file(For::News.file()), Arc::clone(&writer), settings.subscriptions);
        let (later, guesses) = (CatchUp::new(file("later")), self.guesses.clone());
        Ok(World { tour, context, private, writer, pages, later, subscriptions, stdin, guesses })
    }
}

/// The default (outermost) base, as it was given.
///
/// # Errors
/// It is none; that was said.
pub(super) fn default_base(text: Option<&str>) -> Result<Option<Url>, u8> {
    text.map(Url::parse).transpose().map_err(|error| {
        complain(&format!("--base: {error}"));
        USAGE
    })
}

/// Reads all of it.
///
/// # Errors
/// The command line is wrong, and that was said: the exit status.
pub(super) fn setup(cli: &Cli) -> Result<Setup, u8> {
    let sources = sources(cli);
    let mut loaded = config::load(&sources);
    let mut fixed: Vec<config::Fixed> = Vec::new();
    let mut fix = |name: &str, value: &dyn std::fmt::Display, by: &str| {
        fixed.push(config::Fixed { name: name.into(), value: value.to_string(), by: by.into() });
    };
    for (name, value) in cli.set.iter().filter_map(|option| option.split_once('=')) {
        fix(name.trim(), &value.trim(), "-o");
    }
    // A mistake on the command line is one of usage, a mistake in a file is reported and costs its own row.
    let wrong: Vec<_> = loaded.errors.iter().filter(|error| error.file.starts_with("-o ")).collect();
    for error in &wrong {
        complain(&error.to_string());
    }
    if !wrong.is_empty() {
        return Err(USAGE);
    }
    if let Some(home) = std::env::var("WWW_HOME").ok().filter(|home| !home.is_empty()) {
        fix("home", &home, "WWW_HOME");
        loaded.settings.home = home;
    }
    if let Some(seconds) = cli.timeout {
        loaded.settings.limits.connect = Duration::from_secs(seconds);
        loaded.settings.limits.silence = loaded.settings.limits.connect;
        fix("limits.connect", &seconds, "--timeout");
        fix("limits.silence", &seconds, "--timeout");
    }
    if cli.speech {
        fix("speech", &true, "--speech");
        loaded.settings.speech = true;
    }
    if let Some(charset) = &cli.charset {
        if crate::format::charset::known(charset).is_none() {
            complain(&format!("--charset {charset}: not a known charset"));
            return Err(USAGE);
        }
        fix("charset.default", charset, "--charset");
        loaded.settings.charset.default = Some(charset.clone());
    }
    if loaded.settings.news.server.is_none() {
        loaded.settings.news.server = news_server();
        if let Some(server) = &loaded.settings.news.server {
            fix("news.server", server, "NNTPSERVER");
        }
    }
    for mistake in loaded.settings.http.proxies.surround(|name| std::env::var(name).ok()) {
        complain(&mistake);
    }
    let (base, guesses) = (default_base(cli.base.as_deref())?, Vec::new());
    Ok(Setup { loaded, sources, fixed, base, safe: cli.safe, offline: cli.offline, guesses })
}

/// Where this machine's reader has settings.
fn sources(cli: &Cli) -> config::Sources {
    let folders = directories::ProjectDirs::from("", "", "wayfarer");
    let mailcaps = std::env::var_os("MAILCAPS").map(|files| std::env::split_paths(&files).collect());
    let said = std::env::vars_os().filter(|(_, value)| !value.is_empty());
    config::Sources {
        folder: folders.map(|folders| folders.config_dir().to_path_buf()),
        file: cli.config.clone(),
        options: cli.set.clone(),
        commands: crate::app::command_names(),
        mailcaps: mailcaps.unwrap_or_else(|| {
            let own = std::env::home_dir().map(|home| home.join(".mailcap"));
            let all = ["/etc/mailcap", "/usr/share/etc/mailcap", "/usr/local/etc/mailcap"].map(PathBuf::from);
            own.into_iter().chain(all).collect()
        }),
        variables: said.filter_map(|(name, _)| name.into_string().ok()).collect(),
    }
}

/// The environment's `NNTPSERVER`, `host` or `host:port`; one that makes no sense is complained of.
fn news_server() -> Option<config::NewsServer> {
    let text = std::env::var("NNTPSERVER").ok().filter(|text| !text.trim().is_empty())?;
    let server = config::NewsServer::parse(&text);
    server.map_err(|wrong| complain(&format!("NNTPSERVER={text}: {wrong}"))).ok()
}
