//! The table of settings: each row's name and how its value is taken.

use super::quantity::{duration, size};
use super::{Colours, CookieRule, FtpTls, MarkStyle, NewsServer, Restore, Sandbox, Settings, SortBy};
use crate::table::{self, ConfigError, Value};
use crate::url::Url;

/// A setting: its dotted name, and how a value goes into the settings.
struct Setting {
    /// The name; one that ends in a dot is a table whose own keys are the reader's.
    name: &'static str,
    /// Takes the value; `key` is what follows a name that ends in a dot.
    take: fn(settings: &mut Settings, key: &str, value: &Value) -> Result<(), String>,
}

const SETTINGS: &[Setting] = &[
    Setting { name: "home", take: |s, _, v| text(v).map(|v| s.home = v) },
    Setting { name: "keys", take: |s, _, v| text(v).map(|v| s.keys = v) },
    Setting { name: "theme", take: |s, _, v| text(v).map(|v| s.theme = v) },
    Setting { name: "colours", take: |s, _, v| one_of(COLOURS, v).map(|v| s.colours = v) },
    Setting { name: "marks", take: |s, _, v| one_of(MARKS, v).map(|v| s.marks = v) },
    Setting { name: "wrap", take: |s, _, v| switch(v).map(|v| s.wrap = v) },
    Setting { name: "width", take: |s, _, v| columns(v, 20..=1000).map(|v| s.width = (v > 0).then_some(v)) },
    Setting { name: "centre", take: |s, _, v| switch(v).map(|v| s.centre = v) },
    Setting { name: "margin", take: |s, _, v| columns(v, 1..=40).map(|v| s.margin = v) },
    Setting { name: "numbers", take: |s, _, v| switch(v).map(|v| s.numbers = v) },
    Setting { name: "cursor", take: |s, _, v| switch(v).map(|v| s.cursor = v) },
    Setting { name: "mark_new", take: |s, _, v| switch(v).map(|v| s.mark_new = v) },
    Setting { name: "speech", take: |s, _, v| switch(v).map(|v| s.speech = v) },
    Setting { name: "mouse", take: |s, _, v| switch(v).map(|v| s.mouse = v) },
    Setting { name: "sort", take: |s, _, v| one_of(ORDERS, v).map(|v| s.sort = v) },
    Setting { name: "downloads", take: |s, _, v| text(v).map(|v| s.downloads = v) },
    Setting { name: "editor", take: |s, _, v| words(v).map(|v| s.editor = v) },
    Setting { name: "cache", take: |s, _, v| size(v).map(|v| s.cache = v) },
    Setting { name: "history", take: |s, _, v| number(v).map(|v| s.history = v) },
    Setting { name: "session.restore", take: |s, _, v| one_of(RESTORE, v).map(|v| s.restore = v) },
    Setting { name: "sandbox", take: |s, _, v| one_of(SANDBOX, v).map(|v| s.sandbox = v) },
    Setting { name: "limits.connect", take: |s, _, v| duration(v).map(|v| s.limits.connect = v) },
    Setting { name: "limits.silence", take: |s, _, v| duration(v).map(|v| s.limits.silence = v) },
    Setting { name: "limits.page", take: |s, _, v| limit(v).map(|v| s.limits.page = v) },
    Setting { name: "limits.memory", take: |s, _, v| line(v).map(|v| s.limits.memory = v) },
    Setting { name: "limits.line", take: |s, _, v| line(v).map(|v| s.limits.line = v) },
    Setting { name: "ftp.anonymous_password", take: |s, _, v| one_line(v).map(|v| s.ftp.anonymous_password = v) },
    Setting { name: "http.proxy", take: |s, _, v| proxy(v).map(|v| s.http.proxy = v) },
    Setting { name: "http.proxies.", take: |s, scheme, v| text(v).and_then(|v| s.http.proxies.set(scheme, &v)) },
    Setting { name: "http.languages", take: |s, _, v| one_line(v).map(|v| s.http.languages = v) },
    Setting { name: "http.cookies", take: |s, _, v| one_of(COOKIES, v).map(|v| s.http.cookies = v) },
    Setting { name: "http.cookie_hosts.", take: host_cookies },
    Setting { name: "news.server", take: |s, _, v| server(v).map(|v| s.news.server = v) },
    Setting { name: "news.newsrc", take: |s, _, v| one_line(v).map(|v| s.news.newsrc = v) },
    Setting { name: "news.articles", take: |s, _, v| number(v).map(|v| s.news.articles = v) },
    Setting { name: "news.starttls", take: |s, _, v| switch(v).map(|v| s.news.starttls = v) },
    Setting { name: "news.from", take: |s, _, v| author(v).map(|v| s.news.posting.from = v) },
    Setting { name: "news.attribution", take: |s, _, v| one_line(v).map(|v| s.news.posting.attribution = v) },
    Setting { name: "news.signature", take: |s, _, v| text(v).map(|v| s.news.posting.signature = v) },
    Setting { name: "news.flowed", take: |s, _, v| switch(v).map(|v| s.news.posting.flowed = v) },
    Setting { name: "news.servers.", take: group_server },
    Setting { name: "ftp.tls", take: |s, _, v| one_of(FTP_TLS, v).map(|v| s.ftp.tls = v) },
    Setting { name: "charset.default", take: |s, _, v| charset(v).map(|v| s.charset.default = v) },
    Setting { name: "charset.hosts.", take: host_charset },
    Setting { name: "gateways.", take: gateway },
    Setting { name: "shortcuts.", take: shortcut },
    Setting { name: "handlers.", take: handler },
];

const COLOURS: &[(&str, Colours)] = &[
    ("auto", Colours::Auto),
    ("true", Colours::True),
    ("256", Colours::Indexed),
    ("16", Colours::Ansi16),
    ("never", Colours::Never),
];

const MARKS: &[(&str, MarkStyle)] = &[("words", MarkStyle::Words), ("glyphs", MarkStyle::Glyphs)];

const COOKIES: &[(&str, CookieRule)] = &[
    ("session", CookieRule::Session),
    ("never", CookieRule::Never),
    ("keep", CookieRule::Keep),
    ("ask", CookieRule::Ask),
];
const FTP_TLS: &[(&str, FtpTls)] =
    &[("never", FtpTls::Never), ("offered", FtpTls::Offered), ("always", FtpTls::Always)];

const RESTORE: &[(&str, Restore)] =
    &[("crash", Restore::Crash), ("always", Restore::Always), ("never", Restore::Never)];

const SANDBOX: &[(&str, Sandbox)] = &[("auto", Sandbox::Auto), ("always", Sandbox::Always), ("never", Sandbox::Never)];

const ORDERS: &[(&str, SortBy)] = &[
    ("name", SortBy::Name),
    ("size", SortBy::Size),
    ("date", SortBy::Date),
    ("kind", SortBy::Kind),
    ("given", SortBy::Given),
];

/// What may stand in braces in a handler's arguments.
const PLACEHOLDERS: &[&str] = &["url", "host", "port", "user", "file", "type"];

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

/// Lays one `KEY=VALUE` of the command line over settings.
pub fn set_option(settings: &mut Settings, option: &str, errors: &mut Vec<ConfigError>) {
    let done = match option.split_once('=') {
        Some((key, value)) => set(settings, key.trim(), &table::value(value.trim())),
        None => Err("KEY=VALUE is wanted".into()),
    };
    if let Err(message) = done {
        errors.push(ConfigError { file: format!("-o {option}"), line: 0, message });
    }
}

fn set(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
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

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        // `theme = 16` says clearly what it means.
        Value::Number(number) => Ok(number.to_string()),
        _ => Err("a text in quotes is wanted".into()),
    }
}

/// What goes to a server as a part of one line.
fn one_line(value: &Value) -> Result<String, String> {
    text(value)
        .and_then(|text| if text.contains(['\r', '\n', '\0']) { Err("one line is wanted".into()) } else { Ok(text) })
}

/// A program and its arguments: a list, or one text with white space between them.
fn words(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::List(list) => list.iter().map(text).collect(),
        other => text(other).map(|text| text.split_whitespace().map(Into::into).collect()),
    }
}

fn author(value: &Value) -> Result<String, String> {
    let from = one_line(value)?;
    if from.is_empty() || from.contains('@') { Ok(from) } else { Err("\"Name <address>\" is wanted".into()) }
}

fn switch(value: &Value) -> Result<bool, String> {
    match value {
        Value::Switch(switch) => Ok(*switch),
        _ => Err("true or false is wanted".into()),
    }
}

fn one_of<T: Copy>(choices: &[(&str, T)], value: &Value) -> Result<T, String> {
    let word = match value {
        Value::Switch(switch) => switch.to_string(),
        other => text(other)?,
    };
    choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        format!("{} is wanted, not \"{word}\"", names.join(" or "))
    })
}

/// Less would not hold the first line of anything.
fn limit(value: &Value) -> Result<u64, String> {
    size(value).and_then(|size| if size < 1024 { Err("at least 1 KiB is wanted".into()) } else { Ok(size) })
}

fn line(value: &Value) -> Result<usize, String> {
    usize::try_from(limit(value)?).map_err(|_| "too large".into())
}

fn charset(value: &Value) -> Result<Option<String>, String> {
    let name = text(value)?;
    let known = name.eq_ignore_ascii_case("cp437") || encoding_rs::Encoding::for_label(name.as_bytes()).is_some();
    match name.as_str() {
        "auto" => Ok(None),
        _ if known => Ok(Some(name)),
        _ => Err(format!("\"{name}\" is no charset known here")),
    }
}

/// A proxy's URL; "auto" is what the environment says, "none" is none.
fn proxy(value: &Value) -> Result<Option<String>, String> {
    const SCHEMES: &[&str] = &["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    let text = text(value)?;
    match text.as_str() {
        "auto" => Ok(None),
        "none" => Ok(Some(String::new())),
        _ => match Url::parse(&*text) {
            Ok(url) if SCHEMES.iter().any(|scheme| url.is(scheme)) && url.host().is_some() => Ok(Some(text)),
            _ => Err(format!("\"auto\", \"none\" or a URL is wanted, of {}", SCHEMES.join(", "))),
        },
    }
}

fn host_cookies(settings: &mut Settings, host: &str, value: &Value) -> Result<(), String> {
    settings.http.cookie_hosts.insert(host.to_ascii_lowercase(), one_of(COOKIES, value)?);
    Ok(())
}

fn host_charset(settings: &mut Settings, host: &str, value: &Value) -> Result<(), String> {
    let host = host.to_ascii_lowercase();
    match charset(value)? {
        Some(name) => settings.charset.hosts.insert(host, name),
        None => settings.charset.hosts.remove(&host),
    };
    Ok(())
}

fn number(value: &Value) -> Result<u64, String> {
    match value {
        Value::Number(number) => u64::try_from(*number).map_err(|_| "a number from 0 on is wanted".into()),
        _ => Err("a number is wanted".into()),
    }
}

/// Columns, or 0.
fn columns(value: &Value, most: std::ops::RangeInclusive<u16>) -> Result<u16, String> {
    let taken = u16::try_from(number(value)?).ok().filter(|columns| *columns == 0 || most.contains(columns));
    taken.ok_or_else(|| format!("0, or {} to {} columns, are wanted", most.start(), most.end()))
}

/// An empty text takes a server away.
fn server(value: &Value) -> Result<Option<NewsServer>, String> {
    let text = text(value)?;
    if text.is_empty() { Ok(None) } else { NewsServer::parse(&text).map(Some) }
}

fn group_server(settings: &mut Settings, pattern: &str, value: &Value) -> Result<(), String> {
    let server = server(value)?;
    settings.news.servers.retain(|(known, _)| known != pattern);
    settings.news.servers.extend(server.map(|server| (pattern.to_owned(), server)));
    Ok(())
}

fn gateway(settings: &mut Settings, scheme: &str, value: &Value) -> Result<(), String> {
    let (scheme, template) = (scheme.to_ascii_lowercase(), text(value)?);
    if template.is_empty() {
        settings.gateways.remove(&scheme);
        return Ok(());
    }
    let leads = Url::parse(template.replace("%s", "x")).map_err(|error| error.to_string())?;
    match template.contains("%s") && !leads.is(&scheme) {
        true => settings.gateways.insert(scheme, template),
        false => return Err("a URL of another scheme is wanted, with %s where the wanted URL goes".into()),
    };
    Ok(())
}

/// An empty text takes a shortcut away.
fn shortcut(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
    let template = text(value)?;
    if template.is_empty() {
        settings.shortcuts.remove(name);
        return Ok(());
    }
    // With other characters it could hide an address.
    if !name.chars().all(char::is_alphanumeric) {
        return Err("the name of a shortcut is one word of letters and digits".into());
    }
    Url::parse(template.replace("%s", "x")).map_err(|error| error.to_string())?;
    if !template.contains("%s") {
        return Err("a URL is wanted, with %s where the words go".into());
    }
    settings.shortcuts.insert(name.into(), template);
    Ok(())
}

fn handler(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
    const WANTED: &str = "a list of texts is wanted: [\"program\", \"argument\", …]";
    let Value::List(list) = value else {
        return Err(WANTED.into());
    };
    let words = list.iter().map(text).collect::<Result<Vec<String>, String>>().map_err(|_| WANTED.to_string())?;
    if words.first().is_some_and(|program| program.is_empty() || program.contains('{')) {
        return Err("the first text is the program's name, written out".into());
    }
    for word in words.iter().flat_map(|word| placeholders(word)) {
        if !PLACEHOLDERS.contains(&word) {
            return Err(format!("there is no {{{word}}}{}", table::suggestion(word, PLACEHOLDERS.iter().copied())));
        }
    }
    settings.handlers.insert(name.to_ascii_lowercase(), words);
    Ok(())
}

/// The names in braces.
fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
