//! The inverse of resolution.

use crate::random::search;
use proptest::prelude::*;
use wayfarer::url::relativize::relativize;
use wayfarer::url::{Rules, Url, resolve};

#[test]
fn the_shortest_reference() {
    let rows = [
        ("http://a/b/c/d;p?q", "http://a/b/c/g", "g"),
        ("http://a/b/c/d;p?q", "http://a/b/g", "../g"),
        ("http://a/b/c/d;p?q", "http://a/g", "/g"),
        ("http://a/b/c/d;p?q", "http://a/b/c/", "./"),
        ("http://a/b/c/d;p?q", "http://a/b/", "../"),
        ("http://a/b/c/d;p?q", "http://a/", "/"),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p?y", "?y"),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p", "d;p"),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p?q#s", "#s"),
        ("http://a/b/c/d;p?q", "http://a/b/c/d;p?q", ""),
        ("http://a/b/c/d;p?q", "http://a/b/c/g:h", "./g:h"),
        ("http://a/b/c/d", "http://a/b/c//g", ".//g"),
        ("http://a/b", "http://a//g", ".//g"),
        ("http://long.example/b/c/d/e", "http://long.example//g?q", "/.//g?q"),
        ("http://a/b", "http://a:81/x", "//a:81/x"),
        ("http://a/b", "http://a", "//a"),
        ("http://a/b", "https://a/b", "https://a/b"),
        ("http://a", "http://a/g", "g"),
        ("mailto:a@b", "mailto:c@d", "mailto:c@d"),
        ("news:a", "news:b", "news:b"),
        ("foo:/a/b", "foo:/a/c", "c"),
        ("file:///home/u/a.html", "file:///home/b", "../b"),
    ];
    for (base, target, reference) in rows {
        let found = relativize(&Url::parse(base).unwrap(), &Url::parse(target).unwrap());
        assert_eq!(found, reference, "{base} → {target}");
    }
}

fn absolute() -> impl Strategy<Value = String> {
    ("(http|foo)", "(://(a|b)?(:1)?|:)", "(/|//|/[ab:;]{1,2}){0,4}", "(\\?[a/?]{0,2})?", "(#[a#]{0,2})?")
        .prop_map(|(scheme, site, path, query, fragment)| format!("{scheme}{site}{path}{query}{fragment}"))
}

/// Paths with dot segments too, and paths that begin with two slashes where there is no site to say so (`foo:/.//b`).
fn dotted() -> impl Strategy<Value = String> {
    ("(http|foo)", "(://a|:)", "(/|//|/\\.|/\\.\\.|/[ab:]{1,2}){0,5}", "(\\?[a/?]{0,2})?", "(#[a#]{0,2})?")
        .prop_map(|(scheme, site, path, query, fragment)| format!("{scheme}{site}{path}{query}{fragment}"))
}

#[test]
fn a_path_of_two_slashes_without_a_site_is_met() {
    for (base, target, reference) in [
        ("foo:/a", "foo:/.//b", ".//b"),
        ("foo:/x/y/a", "foo:/.//b", "/.//b"),
        ("foo:/.//a", "foo:/.//b", "b"),
        ("foo:/.//a/c", "foo:/.//b", "../b"),
        ("foo:/.//a", "foo:/b", "/b"),
        ("foo:/.//a", "foo:/.//", "./"),
    ] {
        let found = relativize(&Url::parse(base).unwrap(), &Url::parse(target).unwrap());
        assert_eq!(found, reference, "{base} → {target}");
    }
}

proptest! {
    #![proptest_config(search(5000))]

    #[test]
    fn it_leads_back(base in absolute(), target in absolute()) {
        if let (Ok(base), Ok(target)) = (Url::parse(base), Url::parse(target)) {
            let reference = relativize(&base, &target);
            let arrived = resolve(&base, &reference, Rules::Rfc3986).map(|resolved| resolved.url_in(&base));
            prop_assert_eq!(arrived, Ok(target.clone()), "{} + {} should be {}", base, reference, target);
            prop_assert!(reference.len() <= target.as_str().len());
        }
    }

    #[test]
    fn it_leads_where_the_target_leads(base in dotted(), target in dotted()) {
        if let (Ok(base), Ok(target)) = (Url::parse(base), Url::parse(target)) {
            let leads = |text: &str| resolve(&base, text, Rules::Rfc3986).map(|resolved| resolved.url_in(&base));
            let reference = relativize(&base, &target);
            let (arrived, goal) = (leads(&reference), leads(target.as_str()));
            prop_assert!(arrived == goal || arrived.as_ref() == Ok(&target), "{} + {} should be {}", base, reference, target);
            prop_assert!(reference.len() <= target.as_str().len());
            // What resolution makes of the target is met as well.
            if let Ok(goal) = goal {
                prop_assert_eq!(leads(&relativize(&base, &goal)), Ok(goal));
            }
        }
    }
}
