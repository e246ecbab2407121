//! Reference resolution (RFC 3986, 5.2; the RFC 2396 drafts, 4.2), with the steps taken, for the reader to see.
//!
//! [`resolve`] is the pure algorithm of either rule set, for any base. What a link does is [`super::BaseStack`]'s: it
//! refuses bases without hierarchy and reads two oddities the way browsers do ([`Reading::Link`]).

use super::scheme::{Family, Paths, table};
use super::secret::{hide, password, redact};
use super::split::Cuts;
use super::{Parts, Url, UrlError, split};
use std::borrow::Cow;

/// Which rule set resolves a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// RFC 3986, 5.2, strict. The one deviation (D03): dot segments of an absolute reference stay where its path is no
    /// hierarchy, as in `gopher://h/0a/../b` or `mailto:a/../b@c`, because there they are data.
    #[default]
    Rfc3986,
    /// The 1997 drafts that became RFC 2396. Leading `..` that lead above the root are kept, the first of the three
    /// ways that step 6g leaves open.
    Rfc2396,
}

/// What a reference leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// A place in the document that holds the reference: no retrieval (FRAG-04, D28).
    SameDocument {
        /// The fragment as written; `None` for the empty reference.
        fragment: Option<String>,
    },
    /// Another document, or this one by name.
    Url(Url),
}

impl Resolved {
    /// The absolute URL of the place, for a reference that stands in `document`.
    pub fn url_in(self, document: &Url) -> Url {
        match self {
            Resolved::SameDocument { fragment } => document.with_fragment(fragment.as_deref()),
            Resolved::Url(url) => url,
        }
    }
}

/// One numbered step of the algorithm, for the anatomy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The step's number in the specification ("5.2.3", "4.2-6e").
    pub number: &'static str,
    /// What it did, in one short clause without passwords.
    pub did: String,
}

/// Resolves `reference` against `base` by the letter of the rules.
///
/// A base without hierarchy gives what the algorithm gives (`foo:bar` + `baz` → `foo:baz`).
///
/// # Errors
/// The result is no URL.
pub fn resolve(base: &Url, reference: &str, rules: Rules) -> Result<Resolved, UrlError> {
    transform(base, split(reference), Reading::Strict(rules), &mut Trail(None))
}

/// As [`resolve`], with the steps that led there.
pub fn explain(base: &Url, reference: &str, rules: Rules) -> (Result<Resolved, UrlError>, Vec<Step>) {
    explain_as(base, reference, Reading::Strict(rules))
}

/// Where a redirect leads: `location` resolved against the URL that answered, which lends its fragment to a location
/// without one (FRAG-08).
///
/// # Errors
/// As [`super::BaseStack::resolve`].
pub fn redirect(from: &Url, location: &str) -> Result<Url, UrlError> {
    let to = follow(from, location, &mut Trail(None))?.url_in(from);
    Ok(if to.fragment().is_none() { to.with_fragment(from.fragment()) } else { to })
}

/// How a reference is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// By the letter.
    Strict(Rules),
    /// RFC 3986 with what browsers do and pages rely on: `http:g` in an http page is relative (D05; RFC 3986, 5.2.2
    /// allows it), and `%2e` counts as a dot in http(s).
    Link,
}

/// The steps, when somebody wants to see them.
pub(super) struct Trail(pub Option<Vec<Step>>);

impl Trail {
    fn note(&mut self, number: &'static str, did: impl FnOnce() -> String) {
        if let Some(steps) = &mut self.0 {
            steps.push(Step { number, did: did() });
        }
    }
}

pub(super) fn explain_as(base: &Url, reference: &str, how: Reading) -> (Result<Resolved, UrlError>, Vec<Step>) {
    let mut trail = Trail(Some(Vec::new()));
    let resolved = match how {
        Reading::Link => follow(base, reference, &mut trail),
        Reading::Strict(_) => transform(base, split(reference), how, &mut trail),
    };
    if let Ok(Resolved::Url(url)) = &resolved
        && let Some(host) = url.host().filter(|host| !host.is_ascii())
    {
        trail.note("RFC 5891", || format!("the host goes out as {}", super::equal::host(host)));
    }
    (resolved, trail.0.unwrap_or_default())
}

/// Resolves what a link says: as [`Reading::Link`], and a relative reference needs a base with hierarchy (REL-16, D06).
pub(super) fn follow(base: &Url, reference: &str, trail: &mut Trail) -> Result<Resolved, UrlError> {
    let reference = &*tolerated(base, reference, trail);
    let mut r = split(reference);
    if let Some(name) = r.scheme.filter(|name| base.has_hierarchy() && is_segment(name, reference)) {
        trail.note("4.2", || format!("\"{}\" is no scheme, so it begins a path (as browsers read it)", redact(name)));
        let end = reference.find(['?', '#']).unwrap_or(reference.len());
        r = Parts { scheme: None, authority: None, path: &reference[..end], ..r };
    }
    if r.scheme.is_none() && !r.is_same_document() && !base.has_hierarchy() {
        trail.note("5.1", || format!("{} is no base: nothing in it is a hierarchy", base.redacted()));
        return Err(UrlError::OpaqueBase { reference: reference.into(), base: base.redacted() });
    }
    transform(base, r, Reading::Link, trail)
}

/// What a document writes around and in a reference without meaning it: white space at its ends, line feeds and TABs within
/// (RFC 3986, appendix C). A carriage return alone is no line break there, and is escaped like any control.
pub(super) fn without_blanks<'r>(reference: &'r str, trail: &mut Trail) -> Cow<'r, str> {
    let inner = reference.trim_matches(|c: char| c.is_ascii_whitespace());
    let clean = match memchr::memchr2(b'\t', b'\n', inner.as_bytes()) {
        None => Cow::Borrowed(inner),
        Some(_) => Cow::Owned(inner.replace("\r\n", "").replace(['\t', '\n'], "")),
    };
    if *clean != *reference {
        trail.note("C", || "white space around it and line breaks in it do not count (as browsers read it)".into());
    }
    clean
}

/// A reference as browsers read it: white space around it and line breaks in it do not count, and on the web a backslash is a
/// slash. In a site with a login it stays, where it is refused: there two readers would see two hosts.
fn tolerated<'a>(base: &Url, reference: &'a str, trail: &mut Trail) -> Cow<'a, str> {
    let read = without_blanks(reference, trail);
    let slashed = slashed(base.scheme(), &read);
    slashed.map_or(read, |slashed| {
        trail.note("4.2", || "on the web \\ is read as / (as browsers read it)".into());
        Cow::Owned(slashed)
    })
}

/// A URL or reference with slashes where browsers read a backslash as one: on the web, before query and fragment. `None` where
/// nothing changes.
pub(super) fn slashed(scheme: &str, text: &str) -> Option<String> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    memchr::memchr(b'\\', &text.as_bytes()[..end])?;
    let r = split(text);
    let web = table::family(r.scheme.unwrap_or(scheme)) == Family::Web;
    let deceives = r.authority.is_some_and(|site| site.contains('\\') && site.contains('@'));
    (web && !deceives).then(|| text[..end].replace('\\', "/") + &text[end..])
}

/// Whether what stands before the first colon of a reference is no scheme but the beginning of a file's name: `10:30.html`. What
/// looks like a URL of a strange scheme stays one, and is refused.
fn is_segment(name: &str, reference: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "-._~!$&'()*+,;=".contains(c);
    !is_scheme(name) && name.chars().all(plain) && !reference[name.len() + 1..].starts_with(['/', '\\'])
}

/// Whether a text can be a scheme (RFC 3986, 3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

fn transform(base: &Url, mut r: Parts<'_>, how: Reading, trail: &mut Trail) -> Result<Resolved, UrlError> {
    if how == Reading::Link
        && r.authority.is_none()
        && let Some(scheme) = r.scheme.filter(|scheme| base.is(scheme) && table::paths(scheme) == Paths::Repeated)
    {
        trail.note("5.2.2", || format!("the base is {scheme}: too, so {scheme}: means nothing (as browsers read it)"));
        r.scheme = None;
    }
    if r.is_same_document() {
        let number = if how == Reading::Strict(Rules::Rfc2396) { "4.2-2" } else { "4.4" };
        trail.note(number, || "no scheme, site, path or query: this document".into());
        return Ok(Resolved::SameDocument { fragment: r.fragment.map(Into::into) });
    }
    match how {
        Reading::Strict(Rules::Rfc2396) => Url::parse(by_rfc2396(base.parts(), r, trail)),
        Reading::Strict(Rules::Rfc3986) | Reading::Link => by_rfc3986(base.parts(), r, how, trail),
    }
    .map(Resolved::Url)
}

/// RFC 3986, 5.2.2 … 5.3.
fn by_rfc3986(base: Parts<'_>, r: Parts<'_>, how: Reading, trail: &mut Trail) -> Result<Url, UrlError> {
    let scheme = r.scheme.or(base.scheme);
    // On the web browsers take `%2e` for a dot.
    let web = scheme.is_some_and(|scheme| table::family(scheme) == Family::Web);
    let dots = if how == Reading::Link && web { Dots::Escaped } else { Dots::Plain };
    let authority = if r.scheme.is_some() || r.authority.is_some() { r.authority } else { base.authority };
    let mut out = head(scheme, authority, base.path.len() + r.path.len() + tail_len(r));
    let start = out.len();
    note_inherited("5.2.2", "5.2.2", base, r, trail);
    let opaque = r.scheme.is_some_and(|scheme| !r.path.starts_with('/') || table::paths(scheme) == Paths::Own);
    if opaque {
        out.push_str(r.path);
    } else if r.scheme.is_none() && r.authority.is_none() && r.path.is_empty() {
        trail.note("5.2.2", || format!("empty path: keep {}", base.path));
        out.push_str(base.path);
    } else {
        let merges = r.scheme.is_none() && r.authority.is_none() && !r.path.starts_with('/');
        let folder = match base.path.rfind('/') {
            _ if !merges => "",
            // D07: a base like http://h
            None if base.authority.is_some() => "/",
            slash => &base.path[..slash.map_or(0, |at| at + 1)],
        };
        if merges {
            trail.note("5.2.3", || format!("merge {folder} + {} → {folder}{}", r.path, r.path));
        }
        push_without_dots(&mut out, folder, r.path, dots);
        if trail.0.is_some() && out[start..] != format!("{folder}{}", r.path) {
            trail.note("5.2.4", || format!("remove dot segments → {}", &out[start..]));
        }
    }
    protect_path(&mut out, start, authority, trail);
    let path = out.len();
    push_tail(&mut out, r);
    if r.scheme.is_some() || r.authority.is_some() {
        return Url::parse(out);
    }
    // scheme and site are the base's, and the path after a site is empty or has its slash: nothing new to judge
    let query = path + r.query.map_or(0, |query| query.len() + 1);
    Url::assembled(out, Cuts { scheme: base.scheme.map(str::len), hier: start, path, query, marks: 0 })
}

/// The RFC 2396 drafts, 4.2, steps 3 … 7.
fn by_rfc2396(base: Parts<'_>, r: Parts<'_>, trail: &mut Trail) -> String {
    let authority = if r.scheme.is_some() || r.authority.is_some() { r.authority } else { base.authority };
    let mut out = head(r.scheme.or(base.scheme), authority, base.path.len() + r.path.len() + tail_len(r));
    let start = out.len();
    note_inherited("4.2-3", "4.2-4", base, r, trail);
    if r.scheme.is_some() || r.authority.is_some() {
        out.push_str(r.path);
    } else if r.path.starts_with('/') {
        trail.note("4.2-5", || format!("{} is an absolute path", r.path));
        out.push_str(r.path);
    } else {
        let folder = &base.path[..base.path.rfind('/').map_or(0, |at| at + 1)];
        let buffer = format!("{folder}{}", r.path);
        trail.note("4.2-6b", || format!("append {} to {folder} → {buffer}", r.path));
        push_collapsed(&mut out, &buffer);
        if out[start..] != buffer {
            trail.note("4.2-6e", || format!("remove . and <segment>/.. → {}", &out[start..]));
        }
        if out[start..].trim_start_matches('/').split('/').next() == Some("..") {
            trail.note("4.2-6g", || "more .. than there are levels: kept".into());
        }
    }
    protect_path(&mut out, start, authority, trail);
    push_tail(&mut out, r);
    out
}

/// Says what comes from the base: nothing, the scheme, or scheme and site.
fn note_inherited(absolute: &'static str, relative: &'static str, base: Parts<'_>, r: Parts<'_>, trail: &mut Trail) {
    match (r.scheme, r.authority) {
        (Some(scheme), _) => trail.note(absolute, || format!("{scheme}: begins it, so it is absolute")),
        (None, inherited) => trail.note(relative, || {
            let authority = if inherited.is_some() { None } else { base.authority };
            let text = Parts { scheme: base.scheme, authority, ..Parts::default() }.to_string();
            format!("take {} from the base", hide(&text, password(&text)))
        }),
    }
}

fn head(scheme: Option<&str>, authority: Option<&str>, more: usize) -> String {
    let mut out = String::with_capacity(scheme.map_or(0, str::len) + authority.map_or(0, str::len) + more + 6);
    if let Some(scheme) = scheme {
        out.push_str(scheme);
        out.push(':');
    }
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(authority);
    }
    out
}

fn tail_len(r: Parts<'_>) -> usize {
    r.query.map_or(0, |query| query.len() + 1) + r.fragment.map_or(0, |fragment| fragment.len() + 1)
}

fn push_tail(out: &mut String, r: Parts<'_>) {
    for (mark, part) in [('?', r.query), ('#', r.fragment)] {
        if let Some(part) = part {
            out.push(mark);
            out.push_str(part);
        }
    }
}

/// Without a site a path must not begin with two slashes, or it would be read as one: `foo:/a` + `.//b` (RFC 3986, 3.3).
fn protect_path(out: &mut String, start: usize, authority: Option<&str>, trail: &mut Trail) {
    if authority.is_none() && out[start..].starts_with("//") {
        out.insert_str(start, "/.");
        trail.note("5.3", || format!("keep the path from looking like a site → {}", &out[start..]));
    }
}

/// Which spellings of `.` and `..` are dot segments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    Plain,
    /// `%2e` too, as browsers have it for http(s).
    Escaped,
}

impl Dots {
    /// How many dots a segment consists of, if it consists of nothing else and there are at most two.
    fn count(self, segment: &str) -> Option<usize> {
        let mut rest = segment.as_bytes();
        let mut dots = 0;
        while !rest.is_empty() && dots <= 2 {
            rest = match rest {
                [b'.', rest @ ..] => rest,
                [b'%', b'2', b'e' | b'E', rest @ ..] if self == Dots::Escaped => rest,
                _ => return None,
            };
            dots += 1;
        }
        (1..=2).contains(&dots).then_some(dots)
    }
}

/// Whether some segment begins as a dot segment does, be it escaped.
pub(super) fn has_dots(path: &str) -> bool {
    let bytes = path.as_bytes();
    memchr::memchr2_iter(b'.', b'%', bytes).any(|at| at == 0 || bytes[at - 1] == b'/')
}

/// Appends `folder` (empty, or with a slash at its end) and `rest` without dot segments (RFC 3986, 5.2.4), done on
/// whole segments with the slash that ends them. Letters name the specification's cases.
fn push_without_dots(out: &mut String, folder: &str, rest: &str, dots: Dots) {
    let floor = out.len();
    for path in [folder, rest] {
        if !has_dots(path) {
            out.push_str(path);
            continue;
        }
        for segment in path.split_inclusive('/') {
            match dots.count(segment.strip_suffix('/').unwrap_or(segment)) {
                None => out.push_str(segment),
                // A, B, D, and C at the root: nothing to go up from
                Some(1) => {}
                Some(_) if out.len() <= floor + 1 => {}
                // C: what is left begins with a slash, whether or not it did before
                Some(_) => match memchr::memrchr(b'/', &out.as_bytes()[floor..out.len() - 1]) {
                    Some(slash) => out.truncate(floor + slash + 1),
                    None => {
                        out.truncate(floor);
                        out.push('/');
                    }
                },
            }
        }
    }
}

/// Appends an absolute path without dot segments, as resolution leaves it.
pub(super) fn push_hierarchy(out: &mut String, path: &str, site: bool) {
    let start = out.len();
    push_without_dots(out, "", path, Dots::Plain);
    protect_path(out, start, site.then_some(""), &mut Trail(None));
}

/// Appends a path without `.` and `<segment>/..` (4.2-6c … f); `..` with nothing to go up from stay (6g).
fn push_collapsed(out: &mut String, path: &str) {
    let (slash, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = rest.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." if last => kept.push(""),
            "." => {}
            ".." if kept.last().is_some_and(|above| *above != "..") => {
                kept.pop();
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    out.push_str(slash);
    for (i, segment) in kept.iter().enumerate() {
        if i > 0 {
            out.push('/');
        }
        out.push_str(segment);
    }
}
