//! The same resolutions by another hand: the crate `fluent-uri`, an implementation of RFC 3986.
//!
//! Three differences are accepted. It refuses relative references on bases without hierarchy (here only links do that).
//! It keeps a `..` at the very end of the base's path before it merges, where 5.2.3 drops the last segment whatever it is.
//! It removes dot segments also from a base path that is taken over whole, where 5.2.2 does not.

use crate::random::search;
use fluent_uri::{Uri, UriRef};
use proptest::prelude::*;
use wayfarer::url::{Rules, Url, resolve, split, whatwg};

const TABLE: &str = include_str!("../../data/resolve-appendix-c.tsv");

/// Compares one resolution; says whether the peer had an opinion.
fn compare(base: &str, reference: &str) -> bool {
    let (Ok(their_base), Ok(their_reference)) = (Uri::parse(base), UriRef::parse(reference)) else { return false };
    let Ok(theirs) = their_reference.resolve_against(&their_base) else { return false };
    let base = Url::parse(base).unwrap();
    let ours = resolve(&base, reference, Rules::Rfc3986).unwrap().url_in(&base);
    assert_eq!(ours.parts(), split(ours.as_str()), "{base} + {reference}");
    // 5.2.2: the empty reference keeps the query of the base, which url_in does as well
    assert_eq!(ours.as_str(), theirs.as_str(), "{base} + {reference}");
    true
}

#[test]
fn the_table() {
    // %2e is a dot for the peer: it merges and normalises in one go
    let rows = TABLE.lines().skip(1).filter(|line| !line.contains("%2e")).filter(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        compare(cells[0], cells[1])
    });
    assert_eq!(rows.count(), 54);
}

proptest! {
    #![proptest_config(search(20_000))]

    #[test]
    fn references_full_of_marks(
        base in "(http://a|http://|x:)(/(a|b;p|\\.|\\.\\.|\\.\\.\\.|))*(/(a|))?(\\?[a/.?]{0,4})?",
        reference in "((http:|x:|//a|//|/|)[ab./?#:;]{0,10}|(\\.\\./|\\./|\\.|/|a/|b){0,6}(\\?[a/.]{0,3})?(#.?)?)",
    ) {
        let kept_whole = split(&reference).scheme.is_none() && split(&reference).path.is_empty();
        let mut segments = split(&base).path.split('/');
        let dots = if kept_whole { segments.any(|s| s == "." || s == "..") } else { segments.next_back() == Some("..") };
        if !dots {
            compare(&base, &reference);
        }
    }

    /// What is seen at one look to be in the normal form of browsers is in it by the library too.
    #[test]
    fn browsers_change_nothing_in_what_stands(
        scheme in "(http|https|ftp|ws|gopher|foo|x+y)",
        host in "([a-z0-9.-]{1,6}|127\\.0\\.0\\.1|127\\.1|0x7f|xn--a|[a-z]{1,3}\\.[0-9]|1\\.2\\.3\\.4|a_b|A)",
        rest in "(/[a-z.%2e'~;:@&=!$*()+,\\[|]{0,5}){1,3}(\\?[a-z'/.%&=]{0,5})?(#[a-z/.?%]{0,4})?",
    ) {
        let text = format!("{scheme}://{host}{rest}");
        match (whatwg::parse(&text), ::url::Url::parse(&text)) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs.as_str()),
            (ours, theirs) => assert_eq!(ours.is_ok(), theirs.is_ok(), "{text}"),
        }
    }
}
