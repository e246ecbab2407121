//! Gateways: URLs with places in them for what a wanted URL says (GATE-01). Every value stays in its place: none ends the path or
//! the query that it is put into, and a password goes to nobody.

use crate::url::{Url, escape, scheme};

/// What may stand in braces in a gateway's URL.
pub(super) const PLACES: &[&str] = &["host", "port", "user", "path", "query", "database", "raw"];

/// The gateway's URL for one that is wanted: `%s` is the whole of it as data, `{raw}` the whole of it as it is written but for what
/// would end it; the others are its parts, still escaped as they are.
pub(super) fn fill(template: &str, url: &Url) -> String {
    let wanted = match url.password() {
        Some(_) => url.redacted().replacen(":***@", "@", 1),
        None => url.as_str().to_owned(),
    };
    let port = url.port().map(|port| port.to_string());
    let path = url.path().strip_prefix('/').unwrap_or(url.path());
    let value = |place: &str| match place {
        "host" => kept(url.host().unwrap_or_default(), b""),
        "port" => port.clone().unwrap_or_default(),
        "user" => kept(url.user().unwrap_or_default(), b""),
        "path" => kept(path, b"/"),
        "query" => kept(url.query().unwrap_or_default(), b"+"),
        "database" => kept(path.split('/').next().unwrap_or_default(), b""),
        _ => kept(&wanted, b"/:@;,+"),
    };
    let (mut out, mut rest) = (String::new(), template);
    loop {
        let whole = rest.find("%s").map(|at| (at, 2, escape::encode(wanted.as_bytes(), b"")));
        let part =
            PLACES.iter().filter_map(|place| Some((rest.find(&format!("{{{place}}}"))?, place.len() + 2, *place)));
        let part = part.min().map(|(at, length, place)| (at, length, value(place)));
        let Some((at, length, value)) = whole.into_iter().chain(part).min_by_key(|(at, ..)| *at) else { break };
        out.push_str(&rest[..at]);
        out.push_str(&value);
        rest = &rest[at + length..];
    }
    out + rest
}

/// The place for a URL in that of an archive.
const ARCHIVED: &str = "{url}";

/// The archive's URL for one that is wanted. At its end, as archives have it, the wanted one stands as it is written; anywhere else
/// it is data.
pub(super) fn archived(template: &str, url: &Url) -> Option<Url> {
    let (before, after) = template.split_once(ARCHIVED)?;
    let wanted = url.without_fragment();
    let wanted = match after.is_empty() && !before.contains(['?', '#']) {
        true => wanted.as_str().to_owned(),
        false => escape::encode(wanted.as_str().as_bytes(), b""),
    };
    Url::parse(format!("{before}{wanted}{after}")).ok()
}

/// What is wrong with an archive's URL, if anything is.
pub(super) fn check_archive(template: &str) -> Result<(), String> {
    const WANTED: &str = "a URL of the web is wanted, its host written out, with {url} once in its path or query";
    let of = |wanted: &str| archived(template, &Url::parse(wanted).ok()?);
    let (one, other) = of("http://x:1/x").zip(of("https://y:2/y?y")).ok_or(WANTED)?;
    let place = |url: &Url| (url.scheme().to_owned(), url.authority().map(str::to_owned));
    let sound = scheme::is_of_the_web(one.scheme()) && one.host().is_some_and(|host| !host.is_empty());
    if sound && place(&one) == place(&other) && template.matches('{').count() == 1 {
        Ok(())
    } else {
        Err(WANTED.into())
    }
}

/// A raw component with its escapes as they are; whatever else is no letter, digit, mark or of `keep` is escaped.
fn kept(raw: &str, keep: &[u8]) -> String {
    let pieces = raw.split('%').enumerate().map(|(at, piece)| {
        let escape = at > 0 && piece.as_bytes().get(..2).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        let sign = if at == 0 {
            ""
        } else if escape {
            "%"
        } else {
            "%25"
        };
        format!("{sign}{}", escape::encode(piece.as_bytes(), keep))
    });
    pieces.collect()
}

/// What is wrong with a gateway for a scheme, if anything is.
pub(super) fn check(template: &str, scheme: &str) -> Result<(), String> {
    const WANTED: &str =
        "a URL of another scheme is wanted, with %s or {raw}, {host}, {path} … where the wanted URL goes";
    for place in super::value::placeholders(template) {
        if !PLACES.contains(&place) {
            return Err(format!("there is no {{{place}}}{}", crate::table::suggestion(place, PLACES.iter().copied())));
        }
    }
    let leads = |word: &str, port: u16| {
        let wanted = Url::parse(format!("{scheme}://{word}@{word}:{port}/{word}?{word}"));
        let url = wanted.and_then(|wanted| Url::parse(fill(template, &wanted))).map_err(|error| error.to_string())?;
        Ok::<_, String>((url.scheme().to_owned(), url.authority().map(str::to_owned), url))
    };
    let (one, other) = (leads("x", 1)?, leads("y", 2)?);
    if (&one.0, &one.1) != (&other.0, &other.1) {
        return Err("the scheme and the host of a gateway are written out".into());
    }
    let holds = fill(template, &one.2) != template;
    if holds && !one.2.is(scheme) { Ok(()) } else { Err(WANTED.into()) }
}
