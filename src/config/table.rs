//! The table of settings: each row's name, what it takes and from when on, how its value is taken and told.

use super::quantity::{self, duration, size};
use super::value::*;
use super::{NewsServer, Settings};
use crate::keys::PRESETS;
use crate::table::{self, ConfigError, Value};
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

const SETTINGS: &[Setting] = &[
    // In the order in which the page of settings shows them.
    Setting {
        name: "home",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| text(v).map(|v| s.home = v),
        show: |s| s.home.as_str().into(),
    },
    Setting {
        name: "default_scheme",
        when: When::Now,
        kind: Kind::Choice(scheme::for_hosts),
        take: |s, _, v| host_scheme(v).map(|v| s.default_scheme = v),
        show: |s| s.default_scheme.as_str().into(),
    },
    Setting {
        name: "keys",
        when: When::Now,
        kind: Kind::Choice(|| PRESETS.iter().map(|(name, _)| *name).collect()),
        take: |s, _, v| text(v).map(|v| s.keys = v),
        show: |s| s.keys.as_str().into(),
    },
    Setting {
        name: "theme",
        when: When::Now,
        kind: Kind::Choice(themes),
        take: |s, _, v| text(v).map(|v| s.theme = v),
        show: |s| s.theme.as_str().into(),
    },
    Setting {
        name: "colours",
        when: When::Now,
        kind: Kind::Choice(|| named(COLOURS)),
        take: |s, _, v| one_of(COLOURS, v).map(|v| s.colours = v),
        show: |s| word(COLOURS, s.colours),
    },
    Setting {
        name: "marks",
        when: When::Now,
        kind: Kind::Choice(|| named(MARKS)),
        take: |s, _, v| one_of(MARKS, v).map(|v| s.marks = v),
        show: |s| word(MARKS, s.marks),
    },
    Setting {
        name: "wrap",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.wrap = v),
        show: |s| Value::Switch(s.wrap),
    },
    Setting {
        name: "width",
        when: When::Now,
        kind: Kind::Number { least: 20, step: 2 },
        take: |s, _, v| columns(v, 20..=1000).map(|v| s.width = (v > 0).then_some(v)),
        show: |s| number_of(s.width.unwrap_or(0).into()),
    },
    Setting {
        name: "centre",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.centre = v),
        show: |s| Value::Switch(s.centre),
    },
    Setting {
        name: "margin",
        when: When::Now,
        kind: Kind::Number { least: 1, step: 1 },
        take: |s, _, v| columns(v, 1..=40).map(|v| s.margin = v),
        show: |s| number_of(s.margin.into()),
    },
    Setting {
        name: "numbers",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.numbers = v),
        show: |s| Value::Switch(s.numbers),
    },
    Setting {
        name: "cursor",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.cursor = v),
        show: |s| Value::Switch(s.cursor),
    },
    Setting {
        name: "mark_new",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.mark_new = v),
        show: |s| Value::Switch(s.mark_new),
    },
    Setting {
        name: "speech",
        when: When::AtStart,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.speech = v),
        show: |s| Value::Switch(s.speech),
    },
    Setting {
        name: "mouse",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.mouse = v),
        show: |s| Value::Switch(s.mouse),
    },
    Setting {
        name: "sort",
        when: When::Now,
        kind: Kind::Choice(|| named(ORDERS)),
        take: |s, _, v| one_of(ORDERS, v).map(|v| s.sort = v),
        show: |s| word(ORDERS, s.sort),
    },
    Setting {
        name: "downloads",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| text(v).map(|v| s.downloads = v),
        show: |s| s.downloads.as_str().into(),
    },
    Setting {
        name: "editor",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| words(v).map(|v| s.editor = v),
        show: |s| s.editor.join(" ").into(),
    },
    Setting {
        name: "cache",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| size(v).map(|v| s.cache = v),
        show: |s| quantity::of_size(s.cache).into(),
    },
    Setting {
        name: "history",
        when: When::AtStart,
        kind: Kind::Number { least: 1000, step: 1000 },
        take: |s, _, v| number(v).map(|v| s.history = v),
        show: |s| number_of(s.history),
    },
    Setting {
        name: "sandbox",
        when: When::AtStart,
        kind: Kind::Choice(|| named(SANDBOX)),
        take: |s, _, v| one_of(SANDBOX, v).map(|v| s.sandbox = v),
        show: |s| word(SANDBOX, s.sandbox),
    },
    Setting {
        name: "session.restore",
        when: When::AtStart,
        kind: Kind::Choice(|| named(RESTORE)),
        take: |s, _, v| one_of(RESTORE, v).map(|v| s.restore = v),
        show: |s| word(RESTORE, s.restore),
    },
    Setting {
        name: "limits.connect",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| duration(v).map(|v| s.limits.connect = v),
        show: |s| quantity::of_time(s.limits.connect).into(),
    },
    Setting {
        name: "limits.silence",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| duration(v).map(|v| s.limits.silence = v),
        show: |s| quantity::of_time(s.limits.silence).into(),
    },
    Setting {
        name: "limits.page",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| limit(v).map(|v| s.limits.page = v),
        show: |s| quantity::of_size(s.limits.page).into(),
    },
    Setting {
        name: "limits.memory",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| line(v).map(|v| s.limits.memory = v),
        show: |s| quantity::of_size(s.limits.memory as u64).into(),
    },
    Setting {
        name: "limits.line",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| line(v).map(|v| s.limits.line = v),
        show: |s| quantity::of_size(s.limits.line as u64).into(),
    },
    Setting {
        name: "ftp.anonymous_password",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| one_line(v).map(|v| s.ftp.anonymous_password = v),
        show: |s| s.ftp.anonymous_password.as_str().into(),
    },
    Setting {
        name: "ftp.tls",
        when: When::AtStart,
        kind: Kind::Choice(|| named(FTP_TLS)),
        take: |s, _, v| one_of(FTP_TLS, v).map(|v| s.ftp.tls = v),
        show: |s| word(FTP_TLS, s.ftp.tls),
    },
    Setting {
        name: "http.proxy",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| proxy(v).map(|v| s.http.proxy = v),
        show: |s| of_proxy(s.http.proxy.as_deref()),
    },
    Setting {
        name: "http.proxies.",
        when: When::AtStart,
        kind: Kind::Table(|to, from| to.http.proxies.take_over(&from.http.proxies)),
        take: |s, scheme, v| text(v).and_then(|v| s.http.proxies.set(scheme, &v)),
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "http.languages",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| one_line(v).map(|v| s.http.languages = v),
        show: |s| s.http.languages.as_str().into(),
    },
    Setting {
        name: "http.cookies",
        when: When::AtStart,
        kind: Kind::Choice(|| named(COOKIES)),
        take: |s, _, v| one_of(COOKIES, v).map(|v| s.http.cookies = v),
        show: |s| word(COOKIES, s.http.cookies),
    },
    Setting {
        name: "http.cookie_hosts.",
        when: When::AtStart,
        kind: Kind::Table(|to, from| copy(&mut to.http.cookie_hosts, &from.http.cookie_hosts)),
        take: host_cookies,
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "news.server",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| server(v).map(|v| s.news.server = v),
        show: |s| s.news.server.as_ref().map(NewsServer::to_string).unwrap_or_default().into(),
    },
    Setting {
        name: "news.newsrc",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| one_line(v).map(|v| s.news.newsrc = v),
        show: |s| s.news.newsrc.as_str().into(),
    },
    Setting {
        name: "news.articles",
        when: When::AtStart,
        kind: Kind::Number { least: 1000, step: 1000 },
        take: |s, _, v| number(v).map(|v| s.news.articles = v),
        show: |s| number_of(s.news.articles),
    },
    Setting {
        name: "news.starttls",
        when: When::AtStart,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.news.starttls = v),
        show: |s| Value::Switch(s.news.starttls),
    },
    Setting {
        name: "news.from",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| author(v).map(|v| s.news.posting.from = v),
        show: |s| s.news.posting.from.as_str().into(),
    },
    Setting {
        name: "news.attribution",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| one_line(v).map(|v| s.news.posting.attribution = v),
        show: |s| s.news.posting.attribution.as_str().into(),
    },
    Setting {
        name: "news.signature",
        when: When::AtStart,
        kind: Kind::Text,
        take: |s, _, v| text(v).map(|v| s.news.posting.signature = v),
        show: |s| s.news.posting.signature.as_str().into(),
    },
    Setting {
        name: "news.flowed",
        when: When::Now,
        kind: Kind::Switch,
        take: |s, _, v| switch(v).map(|v| s.news.posting.flowed = v),
        show: |s| Value::Switch(s.news.posting.flowed),
    },
    Setting {
        name: "news.servers.",
        when: When::AtStart,
        kind: Kind::Table(|to, from| copy(&mut to.news.servers, &from.news.servers)),
        take: group_server,
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "charset.default",
        when: When::Now,
        kind: Kind::Text,
        take: |s, _, v| charset(v).map(|v| s.charset.default = v),
        show: |s| s.charset.default.as_deref().unwrap_or("auto").into(),
    },
    Setting {
        name: "charset.hosts.",
        when: When::Now,
        kind: Kind::Table(|to, from| copy(&mut to.charset.hosts, &from.charset.hosts)),
        take: host_charset,
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "gateways.",
        when: When::Now,
        kind: Kind::Table(|to, from| copy(&mut to.gateways, &from.gateways)),
        take: gateway,
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "shortcuts.",
        when: When::Now,
        kind: Kind::Table(|to, from| copy(&mut to.shortcuts, &from.shortcuts)),
        take: shortcut,
        show: |_| Value::List(Vec::new()),
    },
    Setting {
        name: "handlers.",
        when: When::Now,
        kind: Kind::Table(|to, from| copy(&mut to.handlers, &from.handlers)),
        take: handler,
        show: |_| Value::List(Vec::new()),
    },
];

/// Lays a settings file over settings. A row with a mistake is reported and left out; the others count.
pub fn apply(settings: &mut Settings, file: &str, text: &str, errors: &mut Vec<ConfigError>) {
    let known = errors.len();
    for row in table::rows(file, text, errors) {
        if let Err(message) = set(settings, &row.path.join("."), &row.value) {
            errors.push(ConfigError { file: file.into(), line: row.line, message });
        }
    }
    table::in_order(errors, known);
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
