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
}
