//! Which base answers, and what documents, links and forms do with it.

use wayfarer::url::{BaseStack, Layer, Resolved, Url, UrlError};

const TABLE: &str = include_str!("../../data/base-precedence.tsv");

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn every_row_of_the_table() {
    let mut rows = 0;
    for line in TABLE.lines().skip(2) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, case, embedded, entity, retrieval, default, reference, expected, ..] = cells[..] else {
            panic!("{line}")
        };
        let given = |text: &str| (text != "\\N").then(|| url(text));
        let mut stack = BaseStack::default();
        for (layer, text) in [(Layer::Entity, entity), (Layer::Retrieval, retrieval), (Layer::Default, default)] {
            stack.set(layer, given(text));
        }
        if embedded != "\\N" {
            stack.set_document_base(embedded).unwrap();
        }
        let found = stack.resolve(reference);
        match expected {
            "error" => assert!(found.is_err(), "{id}: {case}"),
            "same document, no retrieval" => {
                let fragment = reference.strip_prefix('#').map(Into::into);
                assert_eq!(found, Ok(Resolved::SameDocument { fragment }), "{id}: {case}");
            }
            _ if case.starts_with("FORM") => {
                assert_eq!(stack.resolve_action(reference), Ok(url(expected)), "{id}: {case}");
            }
            _ => assert_eq!(found, Ok(Resolved::Url(url(expected))), "{id}: {case}"),
        }
        rows += 1;
    }
    assert_eq!(rows, 19);
}

#[test]
fn the_innermost_layer_answers() {
    let mut stack = BaseStack::default();
    assert_eq!(stack.effective(), None);
    for layer in Layer::ALL.into_iter().rev() {
        let base = url(&format!("http://{}/", layer.name()));
        stack.set(layer, Some(base.clone()));
        assert_eq!(stack.effective(), Some((layer, &base)));
    }
    stack.set(Layer::Document, None);
    assert_eq!(stack.effective().map(|(layer, _)| layer), Some(Layer::Entity));
}

#[test]
fn without_any_base_only_relative_links_are_errors() {
    let stack = BaseStack::default();
    assert_eq!(stack.resolve("http://h/"), Ok(Resolved::Url(url("http://h/"))));
    assert_eq!(stack.resolve("#s"), Ok(Resolved::SameDocument { fragment: Some("s".into()) }));
    assert_eq!(stack.resolve("g").unwrap_err().to_string(), "\"g\" is relative and there is no base URL");
    assert_eq!(
        stack.resolve("//joe:pw@h").unwrap_err().to_string(),
        "\"//joe:***@h\" is relative and there is no base URL"
    );
    assert!(matches!(stack.resolve_action(""), Err(UrlError::NoBase(_))));
}

#[test]
fn a_documents_base() {
    let fresh = || BaseStack::retrieved(url("http://r/p/q?x"), None);
    let rows = [
        // relative (D40), network path, only the first counts, the empty one is none
        (&["sub/"][..], "http://r/p/sub/g"),
        (&["//e/x/"], "http://e/x/g"),
        (&["http://e1/", "http://e2/"], "http://e1/g"),
        (&[""], "http://r/p/g"),
        (&["#s", "http://e/"], "http://e/g"),
        // unusable ones leave the outer layers in force
        (&["mailto:a@b"], "http://r/p/g"),
        (&["data:text/html,x"], "http://r/p/g"),
        (&["http://h:x/"], "http://r/p/g"),
    ];
    for (bases, expected) in rows {
        let mut stack = fresh();
        for base in bases {
            let unusable = ["mailto", "data", "http://h:x"].iter().any(|start| base.starts_with(start));
            assert_eq!(stack.set_document_base(base).is_err(), unusable, "{base}");
        }
        assert_eq!(stack.resolve("g"), Ok(Resolved::Url(url(expected))), "{bases:?}");
    }
    // D28: the base is elsewhere, the reader stays here
    let mut stack = fresh();
    stack.set_document_base("http://e/").unwrap();
    assert_eq!(stack.resolve("#s"), Ok(Resolved::SameDocument { fragment: Some("s".into()) }));
    assert_eq!(stack.resolve_action("#s"), Ok(url("http://e/#s")));
}

/// What no specification allows and every browser does, each told as a step.
#[test]
fn links_are_read_as_browsers_read_them() {
    for (reference, expected, step) in [
        ("10:30-notes.html", "http://h/a/10:30-notes.html", "\"10\" is no scheme"),
        ("a_b:c?d#e", "http://h/a/a_b:c?d#e", "\"a_b\" is no scheme"),
        ("x\\y\\..\\z?q\\r", "http://h/a/x/z?q\\r", "\\ is read as /"),
        ("\\\\i\\x", "http://i/x", "\\ is read as /"),
        ("http:\\\\i\\x", "http://i/x", "\\ is read as /"),
        (" \n g\r\n", "http://h/a/g", "white space around it"),
        ("//b\u{fc}cher.example/", "http://b\u{fc}cher.example/", "goes out as xn--bcher-kva.example"),
    ] {
        let stack = BaseStack::retrieved(Url::parse("http://h/a/b").unwrap(), None);
        let (resolved, steps) = stack.explain(reference);
        assert_eq!(resolved, Ok(Resolved::Url(Url::parse(expected).unwrap())), "{reference:?}");
        assert_eq!(stack.resolve(reference), resolved);
        assert!(steps.iter().any(|taken| taken.did.contains(step)), "{reference:?} {steps:?}");
    }
    let gopher = BaseStack::retrieved(Url::parse("ftp://h/a/b").unwrap(), None);
    assert_eq!(gopher.resolve("x\\y"), Ok(Resolved::Url(Url::parse("ftp://h/a/x\\y").unwrap())));
    let web = BaseStack::retrieved(Url::parse("http://h/a/b").unwrap(), None);
    assert!(web.resolve("%66ile:///etc/passwd").is_err() && web.resolve("1http://h/").is_err());
    assert!(web.resolve("http://good\\@evil/").is_err(), "two readers would see two hosts");
}
