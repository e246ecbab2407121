//! Every example of resolution, under both rule sets, and the steps that are shown.

use wayfarer::url::{BaseStack, Resolved, Rules, Step, Url, UrlError, explain, redirect, resolve};

const TABLE: &str = include_str!("../../data/resolve-appendix-c.tsv");

/// The draft prints what the clients did that its own note calls wrong (003#2, 4.2): they merged the path without
/// splitting the query off. Its algorithm (steps 1 and 6) gives what RFC 3986 gives.
const SELF_CONTRADICTIONS: [&str; 2] = ["g?y/./x", "g?y/../x"];

fn shown(base: &Url, reference: &str, rules: Rules) -> String {
    match resolve(base, reference, rules).unwrap() {
        Resolved::Url(url) => url.as_str().into(),
        Resolved::SameDocument { fragment } => {
            format!("(current document){}", fragment.map_or(String::new(), |fragment| format!("#{fragment}")))
        }
    }
}

#[test]
fn every_row_of_the_table_in_both_columns() {
    let mut rows = 0;
    for line in TABLE.lines().skip(1) {
        let line = line.replace("\\\\", "\\");
        let cells: Vec<&str> = line.split('\t').collect();
        let [base, reference, by_2396, by_3986, ..] = cells[..] else { panic!("{line}") };
        let base = Url::parse(base).unwrap();
        let by_2396 = if SELF_CONTRADICTIONS.contains(&reference) { by_3986 } else { by_2396 };
        assert_eq!(shown(&base, reference, Rules::Rfc2396), by_2396, "{reference} by RFC 2396");
        let by_text = resolve(&base, reference, Rules::Rfc3986).unwrap().url_in(&base);
        assert_eq!(by_text.as_str(), by_3986, "{reference} by RFC 3986");
        rows += 1;
    }
    assert_eq!(rows, 58);
}

#[test]
fn beyond_the_table() {
    let rows = [
        // D07: a base without path
        ("http://a", "g", "http://a/g", "http://ag"),
        ("http://a?x/y", "g", "http://a/g", "http://ag"),
        ("http://a", "?q", "http://a?q", "http://a?q"),
        // REL-11: the base's query is no path
        ("http://a/b?x/y", "g", "http://a/g", "http://a/g"),
        ("http://a/b/c", "http://a/b/../c", "http://a/c", "http://a/b/../c"),
        ("http://a/b/c", "//h/b/../c", "http://h/c", "http://h/b/../c"),
        // REL-17: no site in, no site out
        ("foo:/bar", "baz", "foo:/baz", "foo:/baz"),
        ("foo:/bar/x", "..", "foo:/", "foo:/"),
        // a base without hierarchy, to the letter: what comes after the removed segment keeps its slash
        ("foo:a/b", "../c", "foo:/c", "foo:c"),
        ("foo:a/b/c", "../../../d", "foo:/d", "foo:../d"),
        ("foo:a/b", "..", "foo:/", "foo:"),
        ("foo:a", "./../b", "foo:b", "foo:../b"),
        // the result must not grow a site
        ("foo:/a/b", ".//c", "foo:/a//c", "foo:/a//c"),
        ("foo:/a", ".//c", "foo:/.//c", "foo:/.//c"),
        ("foo:/a", "/.//c", "foo:/.//c", "foo:/.//c"),
        // what has a colon is no scheme behind ./ (REL-15); parameters are part of their segment (REL-21)
        ("http://a/b", "./this:that", "http://a/this:that", "http://a/this:that"),
        ("http://a/b;c/d;e", "../f;g", "http://a/f;g", "http://a/f;g"),
        // the base's dots go too when something is merged with it
        ("http://a/b/../c/d", "g", "http://a/c/g", "http://a/c/g"),
        ("http://a/b/../c/d", "?q", "http://a/b/../c/d?q", "http://a/c/?q"),
        ("http://a/b/c", "...", "http://a/b/...", "http://a/b/..."),
        ("http://a/b/c", "g/..?q", "http://a/b/?q", "http://a/b/?q"),
        ("http://a/b/c", "", "http://a/b/c", "http://a/b/c"),
        ("http://a/b/c#old", "#", "http://a/b/c#", "http://a/b/c#"),
        ("http://a/b/c#old", "g", "http://a/b/g", "http://a/b/g"),
        // D03: selectors, addresses and ids are data
        ("http://a/b/c", "gopher://h/0a/../b/./c", "gopher://h/0a/../b/./c", "gopher://h/0a/../b/./c"),
        ("http://a/b/c", "mailto:a/../b@c", "mailto:a/../b@c", "mailto:a/../b@c"),
        ("gopher://h/hdir/x/a.html", "../b.html", "gopher://h/hdir/b.html", "gopher://h/hdir/b.html"),
        // another port is another site (PART-03), and .. leads to none (REL-19)
        ("http://a:1/b", "//a:2", "http://a:2", "http://a:2"),
        ("http://u:p@a:1/b", "../../../c", "http://u:p@a:1/c", "http://u:p@a:1/../../../c"),
        ("HTTP://A/b", "c", "HTTP://A/c", "HTTP://A/c"),
    ];
    for (base, reference, by_3986, by_2396) in rows {
        let base = Url::parse(base).unwrap();
        let text = |rules| resolve(&base, reference, rules).unwrap().url_in(&base).as_str().to_owned();
        assert_eq!(text(Rules::Rfc3986), by_3986, "{base} + {reference} by RFC 3986");
        assert_eq!(text(Rules::Rfc2396), by_2396, "{base} + {reference} by RFC 2396");
    }
}

/// REL-20: a tree mirrored elsewhere keeps its structure.
#[test]
fn resolution_does_not_depend_on_the_scheme() {
    let references = ["g", "../g", "./g/..", "/x/./y", "?q", "..", "g;x=1/../y", "../../../g"];
    for reference in references {
        let paths: Vec<String> = ["http://a", "ftp://b:2121", "file://", "gopher://c", "x-unknown://d"]
            .iter()
            .map(|site| {
                let base = Url::parse(format!("{site}/b/c/d;p?q")).unwrap();
                let url = resolve(&base, reference, Rules::Rfc3986).unwrap().url_in(&base);
                url.as_str().strip_prefix(site).unwrap().to_owned()
            })
            .collect();
        assert!(paths.iter().all(|path| *path == paths[0]), "{reference}: {paths:?}");
    }
}

#[test]
fn a_bad_result_is_an_error() {
    let base = Url::parse("http://a/b").unwrap();
    for reference in ["//ho st/", "http://h:x/", "1x:y", "//h:99999"] {
        assert!(resolve(&base, reference, Rules::Rfc3986).is_err(), "{reference}");
    }
}

fn steps(steps: &[Step]) -> Vec<String> {
    steps.iter().map(|step| format!("{} {}", step.number, step.did)).collect()
}

#[test]
fn the_steps_are_shown() {
    let base = Url::parse("http://joe:secret@www.ics.uci.edu/Test/a/b/c?q").unwrap();
    let (url, taken) = explain(&base, "../x?y", Rules::Rfc3986);
    assert_eq!(url.unwrap().url_in(&base).as_str(), "http://joe:secret@www.ics.uci.edu/Test/a/x?y");
    let expected = [
        "5.2.2 take http://joe:***@www.ics.uci.edu from the base",
        "5.2.3 merge /Test/a/b/ + ../x → /Test/a/b/../x",
        "5.2.4 remove dot segments → /Test/a/x",
    ];
    assert_eq!(steps(&taken), expected);
    let expected = [
        "4.2-4 take http://joe:***@www.ics.uci.edu from the base",
        "4.2-6b append ../../../../x to /Test/a/b/ → /Test/a/b/../../../../x",
        "4.2-6e remove . and <segment>/.. → /../x",
        "4.2-6g more .. than there are levels: kept",
    ];
    assert_eq!(steps(&explain(&base, "../../../../x", Rules::Rfc2396).1), expected);
    assert_eq!(steps(&explain(&base, "#s", Rules::Rfc3986).1), ["4.4 no scheme, site, path or query: this document"]);
    assert_eq!(steps(&explain(&base, "#s", Rules::Rfc2396).1), ["4.2-2 no scheme, site, path or query: this document"]);
    assert_eq!(steps(&explain(&base, "g:h", Rules::Rfc3986).1), ["5.2.2 g: begins it, so it is absolute"]);
    assert_eq!(steps(&explain(&base, "//g", Rules::Rfc3986).1), ["5.2.2 take http: from the base"]);
    let expected = ["5.2.2 take http://joe:***@www.ics.uci.edu from the base", "5.2.2 empty path: keep /Test/a/b/c"];
    assert_eq!(steps(&explain(&base, "?y", Rules::Rfc3986).1), expected);
}

fn link(base: &str, reference: &str) -> Result<String, UrlError> {
    let base = Url::parse(base).unwrap();
    let stack = BaseStack::retrieved(base.clone(), None);
    let resolved = stack.resolve(reference);
    assert_eq!(resolved, stack.explain(reference).0);
    Ok(resolved?.url_in(&base).as_str().to_owned())
}

/// D05 and the table's note on `%2e`: what links do where it differs from the letter.
#[test]
fn links_are_read_as_browsers_read_them() {
    let rows = [
        ("http://a/b/c/d;p?q", "http:g", "http://a/b/c/g"),
        ("http://a/b/c/d;p?q", "HTTP:/g", "http://a/g"),
        ("http://a/b/c/d;p?q", "http:", "http://a/b/c/d;p?q"),
        ("http://a/b/c/d;p?q", "http:#s", "http://a/b/c/d;p?q#s"),
        ("http://a/b/c/d;p?q", "http://g", "http://g"),
        ("http://a/b/c/d;p?q", "https:g", "https:g"),
        ("ftp://a/b/c", "ftp:../g", "ftp://a/g"),
        ("file:///b/c", "file:g", "file:///b/g"),
        ("gopher://a/1/b", "gopher:g", "gopher:g"),
        ("http://a/b/c/d", "%2e%2e/g", "http://a/b/g"),
        ("http://a/b/c/d", ".%2E/%2e/g", "http://a/b/g"),
        ("http://a/b/c/d", "https://h/x/%2e%2E", "https://h/"),
        ("ftp://a/b/c/d", "%2e%2e/g", "ftp://a/b/c/%2e%2e/g"),
        ("http://a/b/c/d", "%2e%2e%2e/%2/.%2", "http://a/b/c/%2e%2e%2e/%2/.%2"),
        ("http://a/b/c/d", "\\x\\y", "http://a/x/y"),
    ];
    for (base, reference, expected) in rows {
        assert_eq!(link(base, reference).as_deref(), Ok(expected), "{base} + {reference}");
    }
    let stack = BaseStack::retrieved(Url::parse("http://a/b").unwrap(), None);
    let first = &stack.explain("http:g").1[0];
    assert_eq!(first.did, "the base is http: too, so http: means nothing (as browsers read it)");
}

/// REL-16, D06: the algorithm would give `news:g`, which nobody meant.
#[test]
fn links_need_a_base_with_hierarchy() {
    for base in ["news:x@y", "mailto:a@b", "urn:isn:1234", "foo:bar", "about:home", "data:,x"] {
        for reference in ["g", "/g", "//g", "?g", "../g"] {
            assert!(matches!(link(base, reference), Err(UrlError::OpaqueBase { .. })), "{base} + {reference}");
        }
        assert_eq!(link(base, "#s"), Ok(format!("{base}#s")));
        assert_eq!(link(base, "http://h/").as_deref(), Ok("http://h/"));
    }
    assert_eq!(
        link("news:x@y", "g").unwrap_err().to_string(),
        "\"g\" is relative, but the base news:x@y has no hierarchy"
    );
    assert_eq!(link("foo:/bar", "baz").as_deref(), Ok("foo:/baz"));
}

#[test]
fn a_redirect_keeps_the_fragment_unless_it_has_its_own() {
    let from = Url::parse("http://a/b/c#s").unwrap();
    let to = |location| redirect(&from, location).unwrap().as_str().to_owned();
    assert_eq!(to("d"), "http://a/b/d#s");
    assert_eq!(to("d#t"), "http://a/b/d#t");
    assert_eq!(to("d#"), "http://a/b/d#");
    assert_eq!(to("https://h/"), "https://h/#s");
    assert_eq!(to(""), "http://a/b/c#s");
    assert_eq!(to("#t"), "http://a/b/c#t");
}

#[test]
fn long_paths_do_not_hurt() {
    let base = Url::parse(format!("http://a/{}", "b/".repeat(100_000))).unwrap();
    let url = resolve(&base, &format!("{}g", "../".repeat(100_001)), Rules::Rfc3986).unwrap().url_in(&base);
    assert_eq!(url.as_str(), "http://a/g");
}
