//! The table of settings: each row's name, what it takes and from when on, how its value is taken and told.

use super::quantity::{self, duration, size};
use super::value::*;
use super::{NewsServer, Settings};
use crate::keys::PRESETS;
use crate::table::{self, ConfigError, Row, Value};
use crate::url::{redact, scheme};

/// A setting.
pub struct Setting {
    /// Its dotted name; one that ends in a dot is a table whose own keys are the reader's.
    pub name: &'static str,
    /// From when on another value counts.
    pub when: When,
    /// What may be taken.
    pub kind: Kind,
    /// Takes a value; `key` is what follows a name that ends in a dot.
    take: fn(settings: &mut Settings, key: &str, value: &Value) -> Result<(), String>,
    /// The value there is; of a table nothing.
    show: fn(settings: &Settings) -> Value,
}

/// From when on another value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At once.
    Now,
    /// When the program is started.
    AtStart,
}

/// What a setting takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// One of some words.
    Choice(fn() -> Vec<&'static str>),
    /// 0, or a number from `least` on.
    Number {
        /// The least beside 0.
        least: i64,
        /// From one value to the next.
        step: i64,
    },
    /// A text, a time or a size, or words.
    Text,
    /// Rows of the reader's own: how they are taken over from other settings, and whether those had others.
    Table(fn(to: &mut Settings, from: &Settings) -> bool),
}

impl Setting {
    /// Its value in some settings.
    pub fn value(&self, settings: &Settings) -> Value {
        (self.show)(settings)
    }

    /// The value before or after another one; `None` where that takes more than a step. `also` are words that a choice has
    /// beside its own.
    pub fn step(&self, value: &Value, forward: bool, also: &[String]) -> Option<Value> {
        match (self.kind, value) {
            (Kind::Switch, Value::Switch(on)) => Some(Value::Switch(!on)),
            (Kind::Choice(words), Value::Text(word)) => {
                let mut all: Vec<&str> = words();
                let own = also.iter().map(String::as_str).filter(|own| !all.contains(own)).collect::<Vec<_>>();
                all.extend(own);
                let at = all.iter().position(|known| known == word).unwrap_or_default();
                let next = if forward { at + 1 } else { at + all.len() - 1 } % all.len().max(1);
                all.get(next).map(|word| Value::Text((*word).into()))
            }
            (Kind::Number { least, step }, Value::Number(number)) => Some(Value::Number(match forward {
                true if *number < least => least,
                true => number.saturating_add(step),
                false if *number <= least => 0,
                false => number.saturating_sub(step).max(least),
            })),
            _ => None,
        }
    }
}

/// A setting with one value.
const fn one(
    name: &'static str,
    when: When,
    kind: Kind,
    take: fn(&mut Settings, &str, &Value) -> Result<(), String>,
    show: fn(&Settings) -> Value,
) -> Setting {
    Setting { name, when, kind, take, show }
}

/// A table of the reader's own rows.
const fn rows(
    name: &'static str,
    when: When,
    copy: fn(&mut Settings, &Settings) -> bool,
    take: fn(&mut Settings, &str, &Value) -> Result<(), String>,
) -> Setting {
    one(name, when, Kind::Table(copy), take, |_| Value::List(Vec::new()))
}

const SETTINGS: &[Setting] = &[
    // In the order in which the page of settings shows them.
    one("home", When::Now, Kind::Text, |s, _, v| text(v).map(|v| s.home = v), |s| s.home.as_str().into()),
    one(
        "default_scheme",
        When::Now,
        Kind::Choice(scheme::for_hosts),
        |s, _, v| host_scheme(v).map(|v| s.default_scheme = v),
        |s| s.default_scheme.as_str().into(),
    ),
    one(
        "keys",
        When::Now,
        Kind::Choice(|| PRESETS.to_vec()),
        |s, _, v| text(v).map(|v| s.keys = v),
        |s| s.keys.as_str().into(),
    ),
    one("theme", When::Now, Kind::Choice(themes), |s, _, v| text(v).map(|v| s.theme = v), |s| s.theme.as_str().into()),
    one(
        "colours",
        When::Now,
        Kind::Choice(|| named(COLOURS)),
        |s, _, v| one_of(COLOURS, v).map(|v| s.colours = v),
        |s| word(COLOURS, s.colours),
    ),
    one(
        "marks",
        When::Now,
        Kind::Choice(|| named(MARKS)),
        |s, _, v| one_of(MARKS, v).map(|v| s.marks = v),
        |s| word(MARKS, s.marks),
    ),
    one("wrap", When::Now, Kind::Switch, |s, _, v| switch(v).map(|v| s.wrap = v), |s| Value::Switch(s.wrap)),
    one(
        "width",
        When::Now,
        Kind::Number { least: 20, step: 2 },
        |s, _, v| columns(v, 20..=1000).map(|v| s.width = (v > 0).then_some(v)),
        |s| number_of(s.width.unwrap_or(0).into()),
    ),
    one("centre", When::Now, Kind::Switch, |s, _, v| switch(v).map(|v| s.centre = v), |s| Value::Switch(s.centre)),
    one(
        "margin",
        When::Now,
        Kind::Number { least: 1, step: 1 },
        |s, _, v| columns(v, 1..=40).map(|v| s.margin = v),
        |s| number_of(s.margin.into()),
    ),
    one("numbers", When::Now, Kind::Switch, |s, _, v| switch(v).map(|v| s.numbers = v), |s| Value::Switch(s.numbers)),
    one("cursor", When::Now, Kind::Switch, |s, _, v| switch(v).map(|v| s.cursor = v), |s| Value::Switch(s.cursor)),
    one(
        "mark_new",
        When::Now,
        Kind::Switch,
        |s, _, v| switch(v).map(|v| s.mark_new = v),
        |s| Value::Switch(s.mark_new),
    ),
    one("speech", When::AtStart, Kind::Switch, |s, _, v| switch(v).map(|v| s.speech = v), |s| Value::Switch(s.speech)),
    one("mouse", When::Now, Kind::Switch, |s, _, v| switch(v).map(|v| s.mouse = v), |s| Value::Switch(s.mouse)),
    one(
        "pictures",
        When::Now,
        Kind::Choice(|| named(PICTURES)),
        |s, _, v| one_of(PICTURES, v).map(|v| s.pictures = v),
        |s| word(PICTURES, s.pictures),
    ),
    one(
        "pictures_in_text",
        When::Now,
        Kind::Choice(|| named(PICTURES_IN_TEXT)),
        |s, _, v| one_of(PICTURES_IN_TEXT, v).map(|v| s.pictures_in_text = v),
        |s| word(PICTURES_IN_TEXT, s.pictures_in_text),
    ),
    one(
        "sort",
        When::Now,
        Kind::Choice(|| named(ORDERS)),
        |s, _, v| one_of(ORDERS, v).map(|v| s.sort = v),
        |s| word(ORDERS, s.sort),
    ),
    one(
        "downloads",
        When::Now,
        Kind::Text,
        |s, _, v| text(v).map(|v| s.downloads = v),
        |s| s.downloads.as_str().into(),
    ),
    one(
        "saved_names",
        When::Now,
        Kind::Choice(|| named(SAVED_NAMES)),
        |s, _, v| one_of(SAVED_NAMES, v).map(|v| s.saved_names = v),
        |s| word(SAVED_NAMES, s.saved_names),
    ),
    one("netrc", When::AtStart, Kind::Text, |s, _, v| netrc(v).map(|v| s.netrc = v), |s| s.netrc.as_str().into()),
    one("editor", When::AtStart, Kind::Text, |s, _, v| words(v).map(|v| s.editor = v), |s| s.editor.join(" ").into()),
    one("cache", When::Now, Kind::Text, |s, _, v| size(v).map(|v| s.cache = v), |s| quantity::of_size(s.cache).into()),
    one(
        "history",
        When::AtStart,
        Kind::Number { least: 1000, step: 1000 },
        |s, _, v| number(v).map(|v| s.history = v),
        |s| number_of(s.history),
    ),
    one(
        "store.size",
        When::AtStart,
        Kind::Text,
        |s, _, v| size(v).map(|v| s.store.size = v),
        |s| quantity::of_size(s.store.size).into(),
    ),
    one(
        "store.age",
        When::AtStart,
        Kind::Number { least: 1, step: 10 },
        |s, _, v| number(v).map(|v| s.store.age = u32::try_from(v).unwrap_or(u32::MAX)),
        |s| number_of(u64::from(s.store.age)),
    ),
    one(
        "subscriptions.start",
        When::AtStart,
        Kind::Switch,
        |s, _, v| switch(v).map(|v| s.subscriptions.start = v),
        |s| Value::Switch(s.subscriptions.start),
    ),
    one(
        "subscriptions.every",
        When::AtStart,
        Kind::Number { least: 15, step: 15 },
        |s, _, v| number(v).map(|v| s.subscriptions.every = v.saturating_mul(60)),
        |s| number_of(s.subscriptions.every / 60),
    ),
    one(
        "sandbox",
        When::AtStart,
        Kind::Choice(|| named(SANDBOX)),
        |s, _, v| one_of(SANDBOX, v).map(|v| s.sandbox = v),
        |s| word(SANDBOX, s.sandbox),
    ),
    one(
        "session.restore",
        When::AtStart,
        Kind::Choice(|| named(RESTORE)),
        |s, _, v| one_of(RESTORE, v).map(|v| s.restore = v),
        |s| word(RESTORE, s.restore),
    ),
    one(
        "limits.connect",
        When::AtStart,
        Kind::Text,
        |s, _, v| duration(v).map(|v| s.limits.connect = v),
        |s| quantity::of_time(s.limits.connect).into(),
    ),
    one(
        "limits.silence",
        When::AtStart,
        Kind::Text,
        |s, _, v| duration(v).map(|v| s.limits.silence = v),
        |s| quantity::of_time(s.limits.silence).into(),
    ),
    one(
        "limits.page",
        When::AtStart,
        Kind::Text,
        |s, _, v| limit(v).map(|v| s.limits.page = v),
        |s| quantity::of_size(s.limits.page).into(),
    ),
    one(
        "limits.memory",
        When::AtStart,
        Kind::Text,
        |s, _, v| line(v).map(|v| s.limits.memory = v),
        |s| quantity::of_size(s.limits.memory as u64).into(),
    ),
    one(
        "limits.line",
        When::AtStart,
        Kind::Text,
        |s, _, v| line(v).map(|v| s.limits.line = v),
        |s| quantity::of_size(s.limits.line as u64).into(),
    ),
    one(
        "limits.rate",
        When::AtStart,
        Kind::Text,
        |s, _, v| quantity::size(v).map(|v| s.limits.rate = v),
        |s| quantity::of_size(s.limits.rate).into(),
    ),
    one(
        "ftp.anonymous_password",
        When::AtStart,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.ftp.anonymous_password = v),
        |s| s.ftp.anonymous_password.as_str().into(),
    ),
    one(
        "ftp.tls",
        When::AtStart,
        Kind::Choice(|| named(FTP_TLS)),
        |s, _, v| one_of(FTP_TLS, v).map(|v| s.ftp.tls = v),
        |s| word(FTP_TLS, s.ftp.tls),
    ),
    one(
        "ftp.connections",
        When::AtStart,
        Kind::Number { least: 1, step: 1 },
        |s, _, v| connections(v).map(|v| s.ftp.connections = v),
        |s| number_of(s.ftp.connections as u64),
    ),
    one(
        "sftp.ssh",
        When::AtStart,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.sftp.ssh = v),
        |s| s.sftp.ssh.as_str().into(),
    ),
    one(
        "http.proxy",
        When::AtStart,
        Kind::Text,
        |s, _, v| proxy(v).map(|v| s.http.proxy = v),
        |s| of_proxy(s.http.proxy.as_deref()),
    ),
    rows(
        "http.proxies.",
        When::AtStart,
        |to, from| to.http.proxies.take_over(&from.http.proxies),
        |s, scheme, v| text(v).and_then(|v| s.http.proxies.set(scheme, &v)),
    ),
    one(
        "http.languages",
        When::AtStart,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.http.languages = v),
        |s| s.http.languages.as_str().into(),
    ),
    one(
        "http.cookies",
        When::AtStart,
        Kind::Choice(|| named(COOKIES)),
        |s, _, v| one_of(COOKIES, v).map(|v| s.http.cookies = v),
        |s| word(COOKIES, s.http.cookies),
    ),
    rows(
        "http.cookie_hosts.",
        When::AtStart,
        |to, from| copy(&mut to.http.cookie_hosts, &from.http.cookie_hosts),
        host_cookies,
    ),
    one(
        "news.server",
        When::AtStart,
        Kind::Text,
        |s, _, v| server(v).map(|v| s.news.server = v),
        |s| s.news.server.as_ref().map(NewsServer::to_string).unwrap_or_default().into(),
    ),
    one(
        "news.newsrc",
        When::AtStart,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.news.newsrc = v),
        |s| s.news.newsrc.as_str().into(),
    ),
    one(
        "news.scores",
        When::AtStart,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.news.scores = v),
        |s| s.news.scores.as_str().into(),
    ),
    one(
        "news.kill_score",
        When::Now,
        Kind::Number { least: -9999, step: 50 },
        |s, _, v| kill_score(v).map(|v| s.news.kill_score = v),
        |s| Value::Number(s.news.kill_score.into()),
    ),
    one(
        "news.articles",
        When::AtStart,
        Kind::Number { least: 1000, step: 1000 },
        |s, _, v| number(v).map(|v| s.news.articles = v),
        |s| number_of(s.news.articles),
    ),
    one(
        "news.keep",
        When::AtStart,
        Kind::Text,
        |s, _, v| size(v).map(|v| s.news.keep = v),
        |s| quantity::of_size(s.news.keep).into(),
    ),
    one(
        "news.keep_articles",
        When::AtStart,
        Kind::Text,
        |s, _, v| size(v).map(|v| s.news.keep_articles = v),
        |s| quantity::of_size(s.news.keep_articles).into(),
    ),
    one(
        "news.starttls",
        When::AtStart,
        Kind::Switch,
        |s, _, v| switch(v).map(|v| s.news.starttls = v),
        |s| Value::Switch(s.news.starttls),
    ),
    one(
        "news.show",
        When::Now,
        Kind::Choice(|| named(NEWS_SHOW)),
        |s, _, v| one_of(NEWS_SHOW, v).map(|v| s.news.show = v),
        |s| word(NEWS_SHOW, s.news.show),
    ),
    one(
        "news.threads",
        When::Now,
        Kind::Choice(|| named(NEWS_THREADS)),
        |s, _, v| one_of(NEWS_THREADS, v).map(|v| s.news.threads = v),
        |s| word(NEWS_THREADS, s.news.threads),
    ),
    one(
        "news.from",
        When::Now,
        Kind::Text,
        |s, _, v| author(v).map(|v| s.news.posting.from = v),
        |s| s.news.posting.from.as_str().into(),
    ),
    one(
        "news.attribution",
        When::Now,
        Kind::Text,
        |s, _, v| one_line(v).map(|v| s.news.posting.attribution = v),
        |s| s.news.posting.attribution.as_str().into(),
    ),
    one(
        "news.signature",
        When::AtStart,
        Kind::Text,
        |s, _, v| text(v).map(|v| s.news.posting.signature = v),
        |s| s.news.posting.signature.as_str().into(),
    ),
    one(
        "news.flowed",
        When::Now,
        Kind::Switch,
        |s, _, v| switch(v).map(|v| s.news.posting.flowed = v),
        |s| Value::Switch(s.news.posting.flowed),
    ),
    one(
        "news.id_domain",
        When::Now,
        Kind::Text,
        |s, _, v| id_domain(v).map(|v| s.news.posting.id_domain = v),
        |s| s.news.posting.id_domain.as_str().into(),
    ),
    rows("news.servers.", When::AtStart, |to, from| copy(&mut to.news.servers, &from.news.servers), group_server),
    one(
        "charset.default",
        When::Now,
        Kind::Text,
        |s, _, v| charset(v).map(|v| s.charset.default = v),
        |s| s.charset.default.as_deref().unwrap_or("auto").into(),
    ),
    rows("charset.hosts.", When::Now, |to, from| copy(&mut to.charset.hosts, &from.charset.hosts), host_charset),
    rows("charset.groups.", When::Now, |to, from| copy(&mut to.charset.groups, &from.charset.groups), group_charset),
    one("archive", When::Now, Kind::Text, |s, _, v| archive(v).map(|v| s.archive = v), |s| s.archive.as_str().into()),
    rows("gateways.", When::Now, |to, from| copy(&mut to.gateways, &from.gateways), gateway),
    rows("shortcuts.", When::Now, |to, from| copy(&mut to.shortcuts, &from.shortcuts), shortcut),
    rows("handlers.", When::Now, |to, from| copy(&mut to.handlers, &from.handlers), handler),
];

/// Lays a settings file over settings. A row with a mistake is reported and left out; the others count.
pub fn apply(settings: &mut Settings, file: &str, text: &str, errors: &mut Vec<ConfigError>) {
    let known = errors.len();
    let rows = table::rows(file, text, errors);
    lay(settings, file, &rows, errors);
    table::in_order(errors, known);
}

/// The same of rows, in the order of these.
pub(super) fn lay(settings: &mut Settings, file: &str, rows: &[Row], errors: &mut Vec<ConfigError>) {
    for row in rows {
        if let Err(message) = set(settings, &row.path.join("."), &row.value) {
            errors.push(ConfigError { file: file.into(), line: row.line, message });
        }
    }
}

/// The names of all settings that have one value, as `--set` takes them.
pub fn names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name).filter(|name| !name.ends_with('.'))
}

/// Every setting.
pub fn settings() -> &'static [Setting] {
    SETTINGS
}

/// The setting of a name.
pub fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Makes a value that of other settings; says whether it was not.
fn copy<T: Clone + PartialEq>(to: &mut T, from: &T) -> bool {
    let other = to != from;
    to.clone_from(from);
    other
}

/// Lays one `KEY=VALUE` of the command line over settings.
pub fn set_option(settings: &mut Settings, option: &str, errors: &mut Vec<ConfigError>) {
    let done = match option.split_once('=') {
        Some((key, value)) => set(settings, key.trim(), &table::value(value.trim())),
        None => Err("KEY=VALUE is wanted".into()),
    };
    if let Err(message) = done {
        errors.push(ConfigError { file: format!("-o {}", redact(option)), line: 0, message });
    }
}

/// Sets one by its dotted name.
///
/// # Errors
/// The value makes no sense, or there is no such setting, in a sentence.
pub fn set(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
    for setting in SETTINGS {
        match name.strip_prefix(setting.name) {
            Some("") if !setting.name.ends_with('.') => {}
            Some(key) if setting.name.ends_with('.') && !key.is_empty() => {
                return (setting.take)(settings, key, value).map_err(|wrong| format!("{name}: {wrong}"));
            }
            _ => continue,
        }
        return (setting.take)(settings, "", value).map_err(|wrong| format!("{name}: {wrong}"));
    }
    if SETTINGS.iter().any(|setting| setting.name.strip_suffix('.') == Some(name)) {
        return Err(format!("{name} has rows of its own: {name}.NAME = VALUE is wanted"));
    }
    Err(format!("there is no setting \"{name}\"{}", table::suggestion(name, SETTINGS.iter().map(|s| s.name))))
}
