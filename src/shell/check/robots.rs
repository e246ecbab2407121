//! Which paths a server asks robots to leave alone (RFC 9309), over HTTP and, by custom, over gopher.

use super::visit::{Fate, Visited};
use crate::proto::{FetchError, Kind};
use crate::url::Url;
use crate::url::scheme::{self, Family};

/// The name by which servers may speak to this program.
const NAME: &str = "wayfarer";
/// Octets of rules that are read (2.5 asks for 500 KiB).
pub(super) const MOST: usize = 512 << 10;
/// Redirects on the way to the rules that are followed (2.3.1.2 asks for five).
pub(super) const HOPS: usize = 5;

/// What a server says.
#[derive(Debug)]
pub(super) enum Robots {
    /// These rules, or none.
    Rules(Vec<Rule>),
    /// Nothing that could be read: what becomes of its links.
    Closed(Visited),
}

/// Whether what fits may be asked for, and the pattern, in normal form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rule {
    allows: bool,
    pattern: Vec<u8>,
}

impl Robots {
    /// All is allowed.
    pub(super) fn open() -> Robots {
        Robots::Rules(Vec::new())
    }

    /// The rules in a text.
    pub(super) fn read(text: &[u8]) -> Robots {
        Robots::Rules(rules(&String::from_utf8_lossy(text)))
    }

    /// What a status means that is no success: the server is in trouble and wants to be left alone (2.3.1.4), or it has no
    /// rules (2.3.1.3).
    pub(super) fn said(status: &str) -> Robots {
        match status.starts_with('5') {
            true => Robots::Closed(Visited::new(Fate::Unchecked, format!("robots.txt: {status}"))),
            false => Robots::open(),
        }
    }

    /// What a failure means: a server that cannot be reached is no more so for its pages, one without rules has none.
    pub(super) fn failed(error: FetchError) -> Robots {
        match error.kind {
            Kind::NotFound | Kind::Denied | Kind::Said | Kind::NeedsLogin | Kind::NeedsAccount | Kind::Unsupported => {
                Robots::open()
            }
            _ => Robots::Closed(Visited::failed(error)),
        }
    }

    /// What becomes of a URL that may not be asked for.
    pub(super) fn bar(&self, url: &Url) -> Option<Visited> {
        let barred = match self {
            Robots::Rules(rules) if allowed(rules, &path(url)) => return None,
            Robots::Rules(_) => Visited::new(Fate::Unchecked, "robots.txt asks to leave it alone"),
            Robots::Closed(why) => why.clone(),
        };
        Some(Visited { barred: true, ..barred })
    }
}

/// Where the rules of a URL's server are, if it may have any.
pub(super) fn place(url: &Url) -> Option<Url> {
    let authority = url.authority()?;
    match scheme::family(url) {
        Family::Web => Url::parse(format!("{}://{authority}/robots.txt", url.scheme())).ok(),
        Family::Gopher => Url::parse(format!("{}://{authority}/0/robots.txt", url.scheme())).ok(),
        _ => None,
    }
}

/// What rules speak of, in normal form: path and query, and of a selector what stands behind its type.
fn path(url: &Url) -> Vec<u8> {
    let path = match scheme::family(url) {
        Family::Gopher => url.path().get(2..).unwrap_or_default(),
        _ => url.path(),
    };
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    let whole = format!("{path}{query}");
    normal(if whole.starts_with('/') { whole } else { format!("/{whole}") }.as_bytes())
}

/// The rules for this program, else those for everybody.
fn rules(text: &str) -> Vec<Rule> {
    let (mut own, mut all) = (None, Vec::new());
    let (mut to_own, mut to_all, mut named) = (false, false, false);
    for line in text.trim_start_matches('\u{feff}').split(['\r', '\n']) {
        let line = line.split('#').next().unwrap_or_default();
        let Some((field, value)) = line.split_once(':') else { continue };
        let (field, value) = (field.trim().to_ascii_lowercase(), value.trim());
        match field.as_str() {
            "user-agent" => {
                if !named {
                    (to_own, to_all) = (false, false);
                }
                named = true;
                // A product's name; what follows it, a version as a rule, says nothing (2.2.1).
                let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_');
                to_own |= value[..end.unwrap_or(value.len())].eq_ignore_ascii_case(NAME);
                to_all |= value.starts_with('*');
                if to_own {
                    own.get_or_insert_with(Vec::new);
                }
            }
            "allow" | "disallow" => {
                named = false;
                if value.is_empty() {
                    continue;
                }
                let rule = || Rule { allows: field == "allow", pattern: normal(value.as_bytes()) };
                match &mut own {
                    Some(own) if to_own => own.push(rule()),
                    _ if to_all => all.push(rule()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    own.unwrap_or(all)
}

/// The longest pattern that fits decides; of two as long the one that allows (2.2.2).
fn allowed(rules: &[Rule], path: &[u8]) -> bool {
    let fitting = rules.iter().filter(|rule| fits(&rule.pattern, path));
    fitting.max_by_key(|rule| (rule.pattern.len(), rule.allows)).is_none_or(|rule| rule.allows)
}

/// Whether a pattern fits the beginning of a path: `*` is any octets, `$` at its end is the end of the path (2.2.3).
fn fits(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, whole) = pattern.strip_suffix(b"$").map_or((pattern, false), |pattern| (pattern, true));
    let mut pieces = pattern.split(|octet| *octet == b'*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut pieces = pieces.peekable();
    if whole && pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if whole && pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        // The first place is as good as any other: what follows has the most room there.
        let Some(at) = memchr::memmem::find(rest, piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

/// Octets as they are compared (2.2.2): escapes of what needs none are undone, others in capital letters, octets beyond
/// ASCII escaped.
fn normal(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        let escaped = (*first == b'%').then(|| digit(0).zip(digit(1))).flatten();
        let octet = escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => out.push(octet),
            Some(octet) => out.extend_from_slice(format!("%{octet:02X}").as_bytes()),
            None if first.is_ascii() => out.push(*first),
            None => out.extend_from_slice(format!("%{first:02X}").as_bytes()),
        }
        rest = if octet.is_some() { &after[2..] } else { after };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(text: &str, paths: &[&str]) -> Vec<bool> {
        let rules = rules(text);
        paths.iter().map(|path| allowed(&rules, &normal(path.as_bytes()))).collect()
    }

    #[test]
    fn the_longest_rule_for_us_decides() {
        let text = "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /a # not\nAllow: /a/b*\nDisallow:\n";
        assert_eq!(may(text, &["/x", "/a/c", "/a/b/c"]), [true, false, true]);
        let text = "User-agent: *\nUser-agent: Wayfarer\nDisallow: /z\nUser-agent: *\nDisallow: /\n";
        assert_eq!(may(text, &["/x", "/z"]), [true, false]);
        assert_eq!(may("\u{feff}user-agent:*\rdisallow:/a\rallow:/a", &["/a"]), [true]);
    }

    #[test]
    fn a_group_is_ours_by_our_name_alone() {
        let bars = |agent: &str| !may(&format!("User-agent: {agent}\nDisallow: /"), &["/"])[0];
        let agents = ["wayfarer", "WAYFARER/2.0", "wayfarers", "notwayfarer", "wayfarer-bot", "*"];
        assert_eq!(agents.map(bars), [true, true, false, false, false, true]);
        // Groups of one name are one; a line of something else does not end a group.
        let text =
            "User-agent: wayfarer\nDisallow: /a\nSitemap: /s\nDisallow: /b\n\nUser-agent: wayfarer\nDisallow: /c";
        assert_eq!(may(text, &["/a", "/b", "/c", "/d"]), [false, false, false, true]);
        assert_eq!(may("User-agent: wayfarer\n\nUser-agent: x\nDisallow: /", &["/"]), [false], "two names, one group");
    }

    #[test]
    fn stars_are_anything_and_a_dollar_is_the_end() {
        let bars = |rule: &str, path: &str| !may(&format!("User-agent: *\nDisallow: {rule}"), &[path])[0];
        let fits = [
            ("/*.gif", "/a/b.gif?x"),
            ("/*.gif$", "/a.gif.gif"),
            ("/a*b*c", "/axbxcx"),
            ("*", "/"),
            ("/$", "/"),
            ("/a*$", "/ab"),
        ];
        for (rule, path) in fits {
            assert!(bars(rule, path), "{rule} {path}");
        }
        for (rule, path) in [("/*.gif$", "/a.gif?x"), ("/a*b*c", "/acb"), ("/$", "/a"), ("/a*a$", "/a"), ("/a$b", "/a")]
        {
            assert!(!bars(rule, path), "{rule} {path}");
        }
    }

    #[test]
    fn escapes_are_compared_by_what_they_mean() {
        let bars = |rule: &str, path: &str| !may(&format!("User-agent: *\nDisallow: {rule}"), &[path])[0];
        for (rule, path) in [("/%61", "/a"), ("/a", "/%61"), ("/ü", "/%c3%bc"), ("/%c3%bc", "/ü"), ("/a%3cd", "/a%3Cd")]
        {
            assert!(bars(rule, path), "{rule} {path}");
        }
        assert!(!bars("/a%2fb", "/a/b") && !bars("/a%2Ab", "/axb"), "a sign of its own is not its escape");
        assert!(bars("/%", "/%") && bars("/%4", "/%4"));
    }
}
