//! Values of settings: how the rows of the table take them, and tell them again. A value that makes no sense is refused in a sentence.

use super::quantity::size;
use super::{
    AUTO, Colours, CookieRule, FtpTls, KILLED, MarkStyle, NewsServer, NewsShow, NewsThreads, Pictures, PicturesInText,
    Restore, Sandbox, SavedNames, Settings, SortBy, gateway as places, proxies,
};
use crate::table::{self, Value};
use crate::theme::Theme;
use crate::url::{Url, scheme};

pub(super) const COLOURS: &[(&str, Colours)] = &[
    ("auto", Colours::Auto),
    ("true", Colours::True),
    ("256", Colours::Indexed),
    ("16", Colours::Ansi16),
    ("never", Colours::Never),
];

pub(super) const MARKS: &[(&str, MarkStyle)] = &[("words", MarkStyle::Words), ("glyphs", MarkStyle::Glyphs)];

pub(super) const PICTURES_IN_TEXT: &[(&str, PicturesInText)] =
    &[("asked", PicturesInText::Asked), ("host", PicturesInText::Host)];

pub(super) const PICTURES: &[(&str, Pictures)] = &[
    ("auto", Pictures::Auto),
    ("blocks", Pictures::Blocks),
    ("kitty", Pictures::Kitty),
    ("sixel", Pictures::Sixel),
    ("iterm2", Pictures::Iterm2),
    ("never", Pictures::Never),
];

pub(super) const COOKIES: &[(&str, CookieRule)] = &[
    ("session", CookieRule::Session),
    ("never", CookieRule::Never),
    ("keep", CookieRule::Keep),
    ("ask", CookieRule::Ask),
];
pub(super) const SAVED_NAMES: &[(&str, SavedNames)] = &[("utf-8", SavedNames::Utf8), ("octets", SavedNames::Octets)];
pub(super) const FTP_TLS: &[(&str, FtpTls)] =
    &[("never", FtpTls::Never), ("offered", FtpTls::Offered), ("always", FtpTls::Always)];

pub(super) const NEWS_SHOW: &[(&str, NewsShow)] = &[("unread", NewsShow::Unread), ("all", NewsShow::All)];
pub(super) const NEWS_THREADS: &[(&str, NewsThreads)] =
    &[("folded", NewsThreads::Folded), ("unread", NewsThreads::Unread), ("open", NewsThreads::Open)];
pub(super) const RESTORE: &[(&str, Restore)] =
    &[("crash", Restore::Crash), ("always", Restore::Always), ("never", Restore::Never)];

pub(super) const SANDBOX: &[(&str, Sandbox)] =
    &[("auto", Sandbox::Auto), ("always", Sandbox::Always), ("never", Sandbox::Never)];

pub(super) const ORDERS: &[(&str, SortBy)] = &[
    ("name", SortBy::Name),
    ("size", SortBy::Size),
    ("date", SortBy::Date),
    ("kind", SortBy::Kind),
    ("given", SortBy::Given),
];

/// What may stand in braces in a handler's arguments.
const PLACEHOLDERS: &[&str] = &["url", "host", "port", "user", "file", "type"];

/// The names of the embedded themes, and of the one that follows the ground.
pub(super) fn themes() -> Vec<&'static str> {
    std::iter::once(AUTO).chain(Theme::BUILT_IN.iter().copied()).collect()
}

pub(super) fn named<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

/// The word of a choice.
pub(super) fn word<T: PartialEq>(choices: &[(&'static str, T)], value: T) -> Value {
    choices.iter().find(|(_, choice)| *choice == value).map_or("", |(name, _)| *name).into()
}

pub(super) fn number_of(number: u64) -> Value {
    Value::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

pub(super) fn of_proxy(proxy: Option<&str>) -> Value {
    match proxy {
        None => "auto".into(),
        Some("") => "none".into(),
        Some(url) => url.into(),
    }
}

pub(super) fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(text) => Ok(text.clone()),
        // `theme = 16` says clearly what it means.
        Value::Number(number) => Ok(number.to_string()),
        _ => Err("a text in quotes is wanted".into()),
    }
}

/// A file of logins; `true` and `false` say clearly what they mean.
pub(super) fn netrc(value: &Value) -> Result<String, String> {
    match value {
        Value::Switch(true) => Ok("~/.netrc".into()),
        Value::Switch(false) => Ok(String::new()),
        other => text(other),
    }
}

/// What goes to a server as a part of one line.
pub(super) fn one_line(value: &Value) -> Result<String, String> {
    text(value)
        .and_then(|text| if text.contains(['\r', '\n', '\0']) { Err("one line is wanted".into()) } else { Ok(text) })
}

/// A program and its arguments: a list, or one text with white space between them.
pub(super) fn words(value: &Value) -> Result<Vec<String>, String> {
    match value {
        Value::List(list) => list.iter().map(text).collect(),
        other => text(other).map(|text| text.split_whitespace().map(Into::into).collect()),
    }
}

pub(super) fn author(value: &Value) -> Result<String, String> {
    let from = one_line(value)?;
    if from.is_empty() || from.contains('@') { Ok(from) } else { Err("\"Name <address>\" is wanted".into()) }
}

/// A domain that others can take for somebody's: a name that only the house knows tells of the house.
pub(super) fn id_domain(value: &Value) -> Result<String, String> {
    let domain = one_line(value)?;
    let label = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    match domain.is_empty() || (domain.contains('.') && domain.split('.').all(label)) {
        true => Ok(domain),
        false => Err("a domain of yours is wanted, as \"example.org\"".into()),
    }
}

pub(super) fn switch(value: &Value) -> Result<bool, String> {
    match value {
        Value::Switch(switch) => Ok(*switch),
        _ => Err("true or false is wanted".into()),
    }
}

pub(super) fn one_of<T: Copy>(choices: &[(&str, T)], value: &Value) -> Result<T, String> {
    let word = match value {
        Value::Switch(switch) => switch.to_string(),
        other => text(other)?,
    };
    choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        format!("{} is wanted, not \"{word}\"", names.join(" or "))
    })
}

/// A scheme that hosts may be taken for.
pub(super) fn host_scheme(value: &Value) -> Result<String, String> {
    let (wanted, known) = (text(value)?, scheme::for_hosts());
    if known.contains(&wanted.as_str()) {
        return Ok(wanted);
    }
    let names: Vec<String> = known.iter().map(|name| format!("\"{name}\"")).collect();
    Err(format!("{} is wanted, not \"{wanted}\"", names.join(" or ")))
}

/// Less would not hold the first line of anything.
pub(super) fn limit(value: &Value) -> Result<u64, String> {
    size(value).and_then(|size| if size < 1024 { Err("at least 1 KiB is wanted".into()) } else { Ok(size) })
}

pub(super) fn line(value: &Value) -> Result<usize, String> {
    usize::try_from(limit(value)?).map_err(|_| "too large".into())
}

pub(super) fn charset(value: &Value) -> Result<Option<String>, String> {
    let name = text(value)?;
    let known = ["cp437", "hz-gb-2312"].iter().any(|own| name.eq_ignore_ascii_case(own))
        || encoding_rs::Encoding::for_label(name.as_bytes()).is_some();
    match name.as_str() {
        "auto" => Ok(None),
        _ if known => Ok(Some(name)),
        _ => Err(format!("\"{name}\" is no charset known here")),
    }
}

/// A proxy's URL; "auto" is what the environment says, "none" is none.
pub(super) fn proxy(value: &Value) -> Result<Option<String>, String> {
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

pub(super) fn host_cookies(settings: &mut Settings, host: &str, value: &Value) -> Result<(), String> {
    settings.http.cookie_hosts.insert(host.to_ascii_lowercase(), one_of(COOKIES, value)?);
    Ok(())
}

pub(super) fn host_charset(settings: &mut Settings, host: &str, value: &Value) -> Result<(), String> {
    let host = host.to_ascii_lowercase();
    match charset(value)? {
        Some(name) => settings.charset.hosts.insert(host, name),
        None => settings.charset.hosts.remove(&host),
    };
    Ok(())
}

pub(super) fn group_charset(settings: &mut Settings, pattern: &str, value: &Value) -> Result<(), String> {
    let name = charset(value)?.unwrap_or_else(|| "auto".into());
    let groups = &mut settings.charset.groups;
    groups.retain(|(known, _)| known != pattern);
    groups.push((pattern.into(), name));
    Ok(())
}

pub(super) fn number(value: &Value) -> Result<u64, String> {
    match value {
        Value::Number(number) => u64::try_from(*number).map_err(|_| "a number from 0 on is wanted".into()),
        _ => Err("a number is wanted".into()),
    }
}

/// A score at which articles are killed.
pub(super) fn kill_score(value: &Value) -> Result<i32, String> {
    let score = match value {
        Value::Number(number) => i32::try_from(*number).ok(),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    score.filter(|score| (KILLED..0).contains(score)).ok_or_else(|| format!("a number from {KILLED} to -1 is wanted"))
}

/// An empty text is no archive.
pub(super) fn archive(value: &Value) -> Result<String, String> {
    let template = text(value)?;
    if !template.is_empty() {
        places::check_archive(&template)?;
    }
    Ok(template)
}

/// Connections to one server.
pub(super) fn connections(value: &Value) -> Result<usize, String> {
    let taken = usize::try_from(number(value)?).ok().filter(|many| (1..=4).contains(many));
    taken.ok_or_else(|| "a number from 1 to 4 is wanted".into())
}

/// Columns, or 0.
pub(super) fn columns(value: &Value, most: std::ops::RangeInclusive<u16>) -> Result<u16, String> {
    let taken = u16::try_from(number(value)?).ok().filter(|columns| *columns == 0 || most.contains(columns));
    taken.ok_or_else(|| format!("0, or {} to {} columns, are wanted", most.start(), most.end()))
}

/// An empty text takes a server away.
pub(super) fn server(value: &Value) -> Result<Option<NewsServer>, String> {
    let text = text(value)?;
    if text.is_empty() { Ok(None) } else { NewsServer::parse(&text).map(Some) }
}

pub(super) fn group_server(settings: &mut Settings, pattern: &str, value: &Value) -> Result<(), String> {
    let server = server(value)?;
    settings.news.servers.retain(|(known, _)| known != pattern);
    settings.news.servers.extend(server.map(|server| (pattern.to_owned(), server)));
    Ok(())
}

pub(super) fn gateway(settings: &mut Settings, scheme: &str, value: &Value) -> Result<(), String> {
    let (scheme, template) = (scheme.to_ascii_lowercase(), text(value)?);
    if template.is_empty() {
        settings.gateways.remove(&scheme);
        return Ok(());
    }
    nobody_else(&scheme, "gateway")?;
    places::check(&template, &scheme)?;
    settings.gateways.insert(scheme, template);
    Ok(())
}

/// An empty text takes a shortcut away.
pub(super) fn shortcut(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
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

pub(super) fn handler(settings: &mut Settings, name: &str, value: &Value) -> Result<(), String> {
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
    let name = name.to_ascii_lowercase();
    if !words.is_empty() {
        nobody_else(&name, "program")?;
    }
    settings.handlers.insert(name, words);
    Ok(())
}

/// What is spoken here is asked of its servers alone (or of a proxy): a row that is never looked at would be a promise.
fn nobody_else(scheme: &str, whom: &str) -> Result<(), String> {
    if !scheme::is_spoken(scheme) {
        return Ok(());
    }
    let proxied = proxies::SCHEMES.iter().any(|proxied| proxied.eq_ignore_ascii_case(scheme));
    let hint = if proxied { "; http.proxies may name a proxy" } else { "" };
    Err(format!("{scheme}: is built in, and no {whom} is asked for it{hint}"))
}

/// The names in braces.
pub(super) fn placeholders(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
